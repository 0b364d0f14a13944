/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.h: GROUP BY, and aggregates over all rows; DISTINCT, which is GROUP BY without them.
 */
#pragma once

#include "core/exec/step.h"
#include "core/expr/aggregate.h"

G_BEGIN_DECLS

/**
 * kvsql_aggregate_new:
 * @input: (transfer full): columns 0 to @n_groups - 1 are what to group by
 * @types: (array length=n_groups): of those columns
 * @aggregates: must outlive the step
 * @max_bytes: of memory; KVSQL_ERROR_LIMIT beyond it
 *
 * Gives a row a group: the columns to group by, then the aggregates; groups in the order in which
 * they first appear. With @n_groups 0 there is one group, even of no rows.
 */
KvsqlStep *kvsql_aggregate_new (KvsqlStep *input, const KvsqlType *types, guint n_groups,
                                const KvsqlAggregate *aggregates, guint n_aggregates,
                                gsize max_bytes);

/* The rows of @input, each once; given out as they come. @types: of its columns. */
KvsqlStep *kvsql_distinct_new (KvsqlStep *input, const KvsqlType *types, guint n_columns,
                               gsize max_bytes);

G_END_DECLS
