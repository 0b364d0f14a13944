/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.h: GROUP BY, and aggregates over all rows.
 */
#pragma once

#include "core/exec/partial-aggregate.h"
#include "core/exec/sort.h"

G_BEGIN_DECLS

/**
 * kvsql_aggregate_new:
 * @input: (transfer full)
 * @aggregation: copied, except the aggregates, which must outlive the row source
 * @limits: memory, and temporary files for the rows of groups that do not fit into memory.
 *   KVSQL_ERROR_LIMIT beyond them.
 *
 * Gives one row for each group: the columns to group by, then the aggregates. With n_groups 0 there
 * is one group, even without rows. The same input gives the groups in the same order.
 */
KvsqlRowSource *kvsql_aggregate_new (KvsqlRowSource *input, const KvsqlAggregation *aggregation,
                                     const KvsqlSortLimits *limits);

/* ---- partial aggregates as input
 *
 * An input may combine partial aggregates with the groups of @self while it is asked for rows. If
 * all groups together do not fit into memory, the aggregate forgets what was combined, and the
 * input has to give all rows again as rows: only rows can be sorted. */

gboolean kvsql_aggregate_merge (KvsqlRowSource *self, KvsqlPartialAggregate *groups,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_aggregate_is_full (const KvsqlRowSource *self);
void kvsql_aggregate_forget (KvsqlRowSource *self);

G_END_DECLS
