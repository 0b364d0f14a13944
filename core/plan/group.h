/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * group.h: GROUP BY, HAVING and aggregates, bound.
 *
 * Expressions come in two levels: what is computed of each tuple before it goes to its group, and
 * what is computed of each group: there a grouping expression is a column, and so is an aggregate's
 * call.
 */
#pragma once

#include "core/expr/aggregate.h"
#include "core/expr/binder.h"

G_BEGIN_DECLS

typedef struct
{
  /* of a tuple: what to group by, then the arguments of aggregates */
  KvsqlExpr **inputs;
  guint n_inputs;
  guint n_groups;
  /* of a group: columns are what it is grouped by, then the aggregates */
  KvsqlAggregate *aggregates;
  guint n_aggregates;
  const gchar **texts; /* of the aggregates */
  KvsqlExpr *having;   /* nullable */
} KvsqlGroups;

/* The first call of an aggregate in @expr, which may be NULL; NULL: there is none. */
const KvsqlAstExpr *kvsql_group_find_aggregate (const KvsqlAstExpr *expr);
/* An error if there is one: "aggregate functions are not allowed in @clause". */
gboolean kvsql_group_refuse_aggregates (const KvsqlAstExpr *expr, const gchar *clause,
                                        GError **error);

/* Whether two expressions mean the same, as far as their texts show. */
gboolean kvsql_group_is_same (const KvsqlAstExpr *a, const KvsqlAstExpr *b,
                              const KvsqlBinder *binder);

typedef struct _KvsqlGrouping KvsqlGrouping;

/**
 * kvsql_grouping_new:
 * @binder: for expressions over tuples; must outlive the result, as must @by
 * @by: (array length=n_by): what to group by, no aggregate among it
 * @uses: (array length=n_uses): all expressions that will be bound with
 * kvsql_grouping_get_binder()
 */
KvsqlGrouping *kvsql_grouping_new (const KvsqlBinder *binder, const KvsqlAstExpr *const *by,
                                   guint n_by, const KvsqlAstExpr *const *uses, guint n_uses,
                                   GError **error);
/* For expressions over groups. */
const KvsqlBinder *kvsql_grouping_get_binder (const KvsqlGrouping *self);
/* When all are bound. */
KvsqlGroups *kvsql_grouping_finish (KvsqlGrouping *self, KvsqlExpr *having);

G_END_DECLS
