/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * point-plan.h: plans of SELECTs that name one row by parameters, filled in rather than made anew.
 *
 * A statement that asks for `k = ? AND l = ?` is planned alike for nearly all values: one schema,
 * one row, whose key is the values encoded. A plan made for some of them is then a pattern for
 * others. What makes values special (NULL, a number that the attribute cannot hold, text with a
 * separator in it) is seen when they are filled in, and such values get a plan of their own.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

typedef struct _KvsqlPointPlan KvsqlPointPlan;

/**
 * kvsql_point_plan_new:
 * @plan: made of @select with @binder, in whose arena the pattern lives, too
 *
 * Returns: (nullable): %NULL if @plan is none of one row and equalities with parameters
 */
const KvsqlPointPlan *kvsql_point_plan_new (const KvsqlSelectPlan *plan, const KvsqlSelect *select,
                                            const KvsqlBinder *binder);

/**
 * kvsql_point_plan_fill:
 * @binder: has the values, and the arena of the new plan, which shares what it can with the pattern
 *
 * The new plan is what kvsql_select_plan_make() would make, to be run: candidates and boxes, which
 * tell EXPLAIN of the choice, are left out. A schema that would be better for these values alone is
 * not looked for: there is none better than one row.
 *
 * Returns: (nullable): %NULL if these values need a plan of their own, or cannot have any
 */
const KvsqlSelectPlan *kvsql_point_plan_fill (const KvsqlPointPlan *self,
                                              const KvsqlBinder *binder);

G_END_DECLS
