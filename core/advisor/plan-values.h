/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-values.h: statistics and values, from STATS, for the planner.
 *
 * STATS says how many values an attribute has, not which. So a statement is planned with values of
 * the advisor's own, in place of its parameters and literals that are compared with attributes.
 */
#pragma once

#include "core/advisor/scope.h"
#include "core/catalog/statistics.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): NULL without ROWS: the planner assumes its own numbers */
KvsqlStatistics *kvsql_plan_statistics_new (const KvsqlWorkloadRelation *relation);

typedef struct
{
  KvsqlArena *arena;
  KvsqlValue *items;
  guint n;
} KvsqlPlanValues;

/* Makes parameters of the literals that are compared with attributes in the statement, and gives
 * each parameter a value: an equality has a usual one, a bound selects a tenth. */
void kvsql_plan_values_set (KvsqlPlanValues *self, KvsqlAstStatement *ast, const KvsqlScope *scope);

/* Gives values to the parameters that have none, as no attribute says anything about them: upper
 * (a) = ?. NULL in their place would make the condition false. @types: of the places that they
 * have, by the planner; NULL: not known. TRUE: there were some. */
gboolean kvsql_plan_values_set_others (KvsqlPlanValues *self, const KvsqlType *types);

G_END_DECLS
