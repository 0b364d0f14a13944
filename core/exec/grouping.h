/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grouping.h: what grouping and DISTINCT share.
 */
#pragma once

#include "core/exec/row-key.h"
#include "core/exec/sort.h"

G_BEGIN_DECLS

/* Key parts for columns 0 to @n_columns - 1. (transfer full) */
KvsqlKeyPart *kvsql_grouping_parts (guint n_columns);

/* Appends the first columns of a row to @rows; bytes go to @arena. */
void kvsql_grouping_add_row (KvsqlBatch *rows, KvsqlArena *arena, const KvsqlBatch *batch,
                             guint row);
/* The same with the value that represents a group: 0 for -0 and one NaN for all, whichever came
 * first. */
void kvsql_grouping_add_name (KvsqlBatch *names, KvsqlArena *arena, const KvsqlBatch *batch,
                              guint row);

/* Sets KVSQL_ERROR_LIMIT. */
gboolean kvsql_grouping_out_of_memory (const KvsqlSortLimits *limits, const gchar *what,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Reads rows from @input until the next batch is complete. n_rows 0 is the end. */
typedef gboolean (*KvsqlGroupingNext) (gpointer owner, KvsqlRowSource *input, const KvsqlCall *call,
                                       const KvsqlBatch **out_batch, GError **error);

/* The rows that do not fit into a full table, as a row source to sort. @next combines the rows that
 * @owner knows, and gives the others. @input: (transfer full) */
KvsqlRowSource *kvsql_grouping_rest_new (KvsqlRowSource *input, KvsqlGroupingNext next,
                                         gpointer owner);

G_END_DECLS
