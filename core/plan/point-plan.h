/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * point-plan.h: a cached plan for SELECTs of one row, filled in with the values of parameters.
 *
 * A statement with `k = ? AND l = ?` has the same plan for almost all values: one schema and one
 * row, whose key is the encoding of the values. So a plan that was made for some values is a
 * pattern for other values. Some values need a plan of their own: NULL, a number that the attribute
 * cannot hold, or a text that contains a separator. Filling in the values detects these cases.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

typedef struct _KvsqlPointPlan KvsqlPointPlan;

/**
 * kvsql_point_plan_new:
 * @plan: made from @select with @binder; the pattern lives in the arena of @binder
 *
 * Returns: (nullable): %NULL unless @plan reads one row that equalities with parameters determine
 */
const KvsqlPointPlan *kvsql_point_plan_new (const KvsqlSelectPlan *plan, const KvsqlSelect *select,
                                            const KvsqlBinder *binder);

/**
 * kvsql_point_plan_fill:
 * @binder: has the values, and the arena of the new plan; the new plan shares data with the pattern
 *
 * The new plan runs as the plan of kvsql_select_plan_make() would. It lacks the list of access
 * paths and the DNF, which only EXPLAIN needs. Other schemas are not considered, since no plan is
 * better than one row.
 *
 * Returns: (nullable): %NULL if these values need a plan of their own, or are not valid
 */
const KvsqlSelectPlan *kvsql_point_plan_fill (const KvsqlPointPlan *self,
                                              const KvsqlBinder *binder);

G_END_DECLS
