/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-current.h: the tuples that anchors say are current, for jobs over all tuples of a
 * relation. The rows of its primary schema may be older.
 *
 * tests/model/filling.pml is the model: Back () puts what kvsql_checked_read_current () gives.
 */
#pragma once

#include "core/write/checked-anchors.h"

G_BEGIN_DECLS

/* Whether the relation has anchors, also while its writes are paused. On a store with atomic
 * batches it has none. */
gboolean kvsql_entry_has_anchors (const KvsqlCatalogEntry *entry, const KvsqlStorage *storage);

/**
 * kvsql_checked_read_current:
 * @rows: (array length=n): tuples that were read from the primary schema before this call, or any
 * tuples with their keys
 * @times: (array length=n): the newest timestamp of each one's cells
 * @out: (array length=n): its bytes live in @arena, and in @rows
 *
 * Reads the anchors of some keys, and settles nothing. @out.tuple with the timestamp @out.newest is
 * what all schemas have, or will have when its write is finished. If a key has no anchor
 * (@out.anchor.timestamp is 0), its row is the current one.
 */
gboolean kvsql_checked_read_current (const KvsqlCheckedWriter *self, const KvsqlValue *const *rows,
                                     const gint64 *times, guint n, KvsqlArena *arena,
                                     KvsqlCheckedTuple *out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Finishes what was decided for the keys of these tuples. */
gboolean kvsql_checked_finish_rows (const KvsqlCheckedWriter *self, const KvsqlValue *const *rows,
                                    guint n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Writes the current tuples of these keys to all schemas again, as a write that changes nothing.
 * Their timestamps are greater than @times. A tuple that another writer changes meanwhile is left
 * to it. The caller has locked the keys. */
gboolean kvsql_checked_rewrite (const KvsqlCheckedWriter *self, const KvsqlValue *const *rows,
                                const gint64 *times, guint n,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
