/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-cells.h: the cells of a pending anchor, in all schemas.
 */
#pragma once

#include "core/write/checked-anchors.h"
#include "core/write/mutations.h"

G_BEGIN_DECLS

/**
 * kvsql_checked_add_cells:
 * @tuple: of the anchor; NULL: it has none
 * @before: (nullable): the tuple before, whose cells are known to be in all schemas: then only what
 * differs is added
 *
 * Adds puts at the anchor's T, and deletes of what older tuples have left at T - 1.
 */
gboolean kvsql_checked_add_cells (const KvsqlCheckedWriter *self, const KvsqlAnchor *anchor,
                                  const KvsqlValue *tuple, const KvsqlValue *before,
                                  KvsqlArena *arena, KvsqlMutationList *list,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Writes the cells of the pending ones of these anchors. They stay pending. */
gboolean kvsql_checked_put_cells (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *tuples,
                                  guint n, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The pending anchors are not pending any more: all of their cells are there. The keys from which
 * tuples have arrived must not be moving any more. */
gboolean kvsql_checked_clear (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *tuples,
                              guint n, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Both. */
gboolean kvsql_checked_write_cells (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *tuples,
                                    guint n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The error of a write that is decided and could not be finished because of @cause. Returns:
 * FALSE */
gboolean kvsql_checked_fail_unfinished (const GError *cause, GError **error);

G_END_DECLS
