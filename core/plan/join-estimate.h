/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-estimate.h: how many rows relations and joins give.
 *
 * With statistics, values are taken to be independent, and those of one side of an equality to be
 * among those of the other side. Without them, a KEY has as many values as tuples, and each other
 * attribute a hundred, as in estimate.h.
 */
#pragma once

#include "core/plan/join-tree.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* The largest estimate: products of many relations would be infinite. */
#define KVSQL_JOIN_MOST_ROWS 1e18
/* The share of the pairs that a condition other than an equality is taken to admit. */
#define KVSQL_JOIN_OTHER_SHARE 0.3

/* Tuples of the relation of the plan that satisfy its predicate; those that are read may be more.
 */
gdouble kvsql_join_estimate_tuples (const KvsqlSelectPlan *plan);

/* Distinct values of an attribute in all tuples. @out_is_known: (nullable): whether statistics say
 * so. */
gdouble kvsql_join_estimate_distinct (const KvsqlSelectPlan *plan, guint attribute,
                                      gboolean *out_is_known);

/* Rows that two sides of a join give, if its conditions admit @share of the pairs. */
gdouble kvsql_join_estimate_rows (KvsqlJoinTreeKind kind, gdouble left, gdouble right,
                                  gdouble share);

G_END_DECLS
