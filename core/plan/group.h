/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * group.h: bound GROUP BY, HAVING and aggregates.
 *
 * Expressions have two levels. Those of the first level are computed for each tuple, before it is
 * added to its group. Those of the second level are computed for each group; there, grouping
 * expressions and calls of aggregates are columns.
 */
#pragma once

#include "core/expr/aggregate.h"
#include "core/expr/binder.h"
#include "core/plan/group-set.h"
#include "core/plan/grouping-sets.h"
#include "core/plan/same-expression.h"

G_BEGIN_DECLS

typedef struct
{
  /* for each tuple: the grouping expressions, then the arguments of aggregates */
  KvsqlExpr **inputs;
  guint n_inputs;
  guint n_groups;
  guint n_marks; /* of n_groups, the last ones: INTs that sets give, not tuples; else 0 */
  KvsqlGroupSet *sets;
  guint n_sets; /* 0: all grouping expressions are the only set */
  /* for each group: columns are the grouping expressions, the marks, then the aggregates */
  KvsqlAggregate *aggregates;
  guint n_aggregates;
  const gchar **texts; /* of the aggregates */
  KvsqlExpr *having;   /* nullable */
} KvsqlGroups;

/* Returns the first call of an aggregate, or of GROUPING, in @expr (nullable), or NULL. */
const KvsqlAstExpr *kvsql_group_find_aggregate (const KvsqlAstExpr *expr);
/* The same for a call with OVER. */
const KvsqlAstExpr *kvsql_group_find_window (const KvsqlAstExpr *expr);
/* Fails on an aggregate, or a call with OVER, in @expr: "aggregate functions are not allowed in
 * @clause". */
gboolean kvsql_group_reject_aggregates (const KvsqlAstExpr *expr, const gchar *clause,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct _KvsqlGrouping KvsqlGrouping;

/**
 * kvsql_grouping_new:
 * @binder: for expressions over tuples; must outlive the result, as must @by
 * @by: its leaves are the grouping expressions, without aggregates
 * @is_distinct: equal sets are one
 * @uses: (array length=n_uses): all expressions that will be bound with kvsql_grouping_get_binder()
 */
KvsqlGrouping *kvsql_grouping_new (const KvsqlBinder *binder, const KvsqlGroupingSets *by,
                                   gboolean is_distinct, const KvsqlAstExpr *const *uses,
                                   guint n_uses, GError **error);
/* The binder for expressions over groups. */
const KvsqlBinder *kvsql_grouping_get_binder (const KvsqlGrouping *self);
/* Whether an expression is one by which each group is grouped. */
gboolean kvsql_grouping_is_in_all_sets (const KvsqlGrouping *self, const KvsqlAstExpr *expr);
/* Call this after all expressions are bound. */
KvsqlGroups *kvsql_grouping_finish (KvsqlGrouping *self, KvsqlExpr *having);

G_END_DECLS
