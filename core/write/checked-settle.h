/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-settle.h: moves of tuples to another key that are not decided yet.
 *
 * A move changes two anchors. First the anchor of the old key says that it is moving, to which key,
 * and which state the anchor of that key has. The tuple is still at the old key. Then the anchor of
 * the new key is replaced, if it still has that state: this decides. If it has another one, the
 * move can never be decided any more, and is taken back. Then the cells of the new key are put.
 * Last, the old key's anchor stops moving: a statement that finds no tuple at the old key any more
 * finds it at the new one.
 *
 * A writer that meets a moving anchor settles it in the same way, before it changes one of the two
 * keys. So a tuple that has arrived is not replaced before its old key has stopped moving: its
 * anchor is the only proof that the move was decided.
 *
 * tests/model/move.pml is the model.
 */
#pragma once

#include "core/write/checked-anchors.h"

G_BEGIN_DECLS

/**
 * kvsql_checked_settle:
 * @moving: of the old key, as it was read
 * @out_is_settled: the anchor is not moving any more, by this call
 * @out_is_moved: with that: the move was decided; otherwise it was taken back
 *
 * Decides a move or takes it back. Both anchors may be left pending. If another daemon was faster,
 * *out_is_settled is FALSE.
 */
gboolean kvsql_checked_settle (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *moving,
                               gboolean *out_is_settled, gboolean *out_is_moved,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Settles the moves of these anchors, and of those from which their tuples have just arrived. If
 * there is any, the anchors are read again, until there is none. @tuples: (array length=n) */
gboolean kvsql_checked_settle_all (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n,
                                   KvsqlArena *arena, KvsqlCheckedTuple *tuples,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Reads anchors and settles their moves. @out: (array length=n): borrows @keys */
gboolean kvsql_checked_read_settled (const KvsqlCheckedWriter *self, const KvsqlSlice *keys,
                                     guint n, KvsqlArena *arena, KvsqlCheckedTuple *out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
