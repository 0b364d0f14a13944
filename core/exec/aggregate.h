/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.h: GROUP BY, and aggregates over all rows.
 */
#pragma once

#include "core/exec/group-fold.h"
#include "core/exec/sort.h"

G_BEGIN_DECLS

/**
 * kvsql_aggregate_new:
 * @input: (transfer full)
 * @aggregation: copied, but for the aggregates, which must outlive the step
 * @limits: memory, and temporary files for the rows of groups that there is no memory for;
 * KVSQL_ERROR_LIMIT beyond them
 *
 * Gives a row a group: the columns to group by, then the aggregates. With n_groups 0 there is one
 * group, even of no rows. The same input gives the groups in the same order.
 */
KvsqlStep *kvsql_aggregate_new (KvsqlStep *input, const KvsqlAggregation *aggregation,
                                const KvsqlSortLimits *limits);

/* ---- for an input whose rows come folded, at least some: while it is asked for rows it may have
 * the groups of others merged. If those are more than there is memory for, it has all forgotten,
 * and gives all rows as rows: rows alone can be sorted. */

gboolean kvsql_aggregate_merge (KvsqlStep *self, KvsqlGroupFold *groups, GError **error);
gboolean kvsql_aggregate_is_full (const KvsqlStep *self);
void kvsql_aggregate_forget (KvsqlStep *self);

G_END_DECLS
