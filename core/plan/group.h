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
#include "core/plan/same-expression.h"

G_BEGIN_DECLS

typedef struct
{
  /* for each tuple: the grouping expressions, then the arguments of aggregates */
  KvsqlExpr **inputs;
  guint n_inputs;
  guint n_groups;
  /* for each group: columns are the grouping expressions, then the aggregates */
  KvsqlAggregate *aggregates;
  guint n_aggregates;
  const gchar **texts; /* of the aggregates */
  KvsqlExpr *having;   /* nullable */
} KvsqlGroups;

/* Returns the first call of an aggregate in @expr (nullable), or NULL. */
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
 * @by: (array length=n_by): grouping expressions, without aggregates
 * @uses: (array length=n_uses): all expressions that will be bound with kvsql_grouping_get_binder()
 */
KvsqlGrouping *kvsql_grouping_new (const KvsqlBinder *binder, const KvsqlAstExpr *const *by,
                                   guint n_by, const KvsqlAstExpr *const *uses, guint n_uses,
                                   GError **error);
/* The binder for expressions over groups. */
const KvsqlBinder *kvsql_grouping_get_binder (const KvsqlGrouping *self);
/* Call this after all expressions are bound. */
KvsqlGroups *kvsql_grouping_finish (KvsqlGrouping *self, KvsqlExpr *having);

G_END_DECLS
