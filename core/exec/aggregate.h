/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.h: GROUP BY, and aggregates over all rows.
 */
#pragma once

#include "core/exec/partial-aggregate.h"
#include "core/exec/row-source.h"
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

/* The same for an input that is a gather (gather.h): its chunks may be aggregated in parallel. */
KvsqlRowSource *kvsql_aggregate_new_gathering (KvsqlRowSource *input,
                                               const KvsqlAggregation *aggregation,
                                               const KvsqlSortLimits *limits);

G_END_DECLS
