/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.h: GROUP BY, and aggregates over all rows.
 */
#pragma once

#include "core/exec/sort.h"
#include "core/expr/aggregate.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlType *types; /* of the input's columns */
  guint n_inputs;
  guint n_groups; /* the first columns: what to group by */
  const KvsqlAggregate *aggregates;
  guint n_aggregates;
} KvsqlAggregation;

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

G_END_DECLS
