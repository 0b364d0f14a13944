/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grouping.h: what grouping and DISTINCT share.
 */
#pragma once

#include "core/exec/row-key.h"
#include "core/exec/sort.h"

G_BEGIN_DECLS

/* Parts for columns 0 to @n_columns - 1. (transfer full) */
KvsqlKeyPart *kvsql_grouping_parts (guint n_columns);

/* Appends the first columns of a row to @rows; bytes go to @arena. */
void kvsql_grouping_add_row (KvsqlBatch *rows, KvsqlArena *arena, const KvsqlBatch *batch,
                             guint row);
/* The same, as a group is called: -0 is 0 and a NaN the usual one, whichever came first. */
void kvsql_grouping_add_name (KvsqlBatch *names, KvsqlArena *arena, const KvsqlBatch *batch,
                              guint row);

/* KVSQL_ERROR_LIMIT. */
gboolean kvsql_grouping_out_of_memory (const KvsqlSortLimits *limits, const gchar *what,
                                       GError **error);

/* Reads from @input what it needs for the next batch; n_rows 0 is the end. */
typedef gboolean (*KvsqlGroupingNext) (gpointer owner, KvsqlStep *input, const KvsqlCall *call,
                                       const KvsqlBatch **out_batch, GError **error);

/* The rows that a table which is full has no room for, as a step to sort: @next takes what
 * @owner knows and gives the others. @input: (transfer full) */
KvsqlStep *kvsql_grouping_rest_new (KvsqlStep *input, KvsqlGroupingNext next, gpointer owner);

G_END_DECLS
