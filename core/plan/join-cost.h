/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-cost.h: what the methods of a join cost. The unit is one row of a scan.
 *
 * The reads of the sides are not counted here, but for those of a lookup join.
 */
#pragma once

#include "core/plan/access-path.h"
#include "core/plan/lookup-plan.h"

#include <math.h>

G_BEGIN_DECLS

#define KVSQL_JOIN_BUILD_COST 0.5 /* a row that is kept */
#define KVSQL_JOIN_PROBE_COST 0.2 /* a row whose partners are looked for */
#define KVSQL_JOIN_MERGE_COST 0.2 /* a row of either side, in the order of the keys */
/* Two scans are read in turn. To keep a few hundred rows is simpler. */
#define KVSQL_JOIN_MERGE_START_COST 100.0
#define KVSQL_JOIN_PAIR_COST 0.05 /* a pair that a condition is checked for */
#define KVSQL_JOIN_ROW_COST 0.1   /* a row of the result */

static inline gdouble
kvsql_join_cost_hash (gdouble probe, gdouble build, gdouble rows)
{
  return probe * KVSQL_JOIN_PROBE_COST + build * KVSQL_JOIN_BUILD_COST + rows * KVSQL_JOIN_ROW_COST;
}

static inline gdouble
kvsql_join_cost_merge (gdouble probe, gdouble build, gdouble rows)
{
  return KVSQL_JOIN_MERGE_START_COST + (probe + build) * KVSQL_JOIN_MERGE_COST
         + rows * KVSQL_JOIN_ROW_COST;
}

static inline gdouble
kvsql_join_cost_nested_loop (gdouble probe, gdouble build, gdouble rows)
{
  return kvsql_join_cost_hash (probe, build, rows) + probe * build * KVSQL_JOIN_PAIR_COST;
}

/* @path: for one tuple of values of @n_attributes attributes; @distinct: such tuples in the outer
 * side. Values that repeat among those that are looked up at once are read once. */
static inline gdouble
kvsql_join_cost_lookup (const KvsqlAccessPath *path, guint n_attributes, gdouble probe,
                        gdouble distinct, gdouble rows, const KvsqlStoreCosts *costs)
{
  gdouble each
      = MAX (path->cost - path->requests * kvsql_store_costs_get_range (costs), 0) + costs->get,
      at_once = kvsql_lookup_plan_get_most (n_attributes), slices = ceil (probe / at_once);

  return MIN (probe, slices * MIN (at_once, MAX (distinct, 1))) * each
         + slices * path->requests * kvsql_store_costs_get_range (costs)
         + probe * KVSQL_JOIN_PROBE_COST + rows * KVSQL_JOIN_ROW_COST;
}

G_END_DECLS
