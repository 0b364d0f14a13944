/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-subquery.h: binds subqueries that are evaluated (core/expr/subquery.h).
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/expr/subquery.h"
#include "core/plan/select-plan.h"
#include "core/store/capabilities.h"

G_BEGIN_DECLS

/* Makes the plan of a SELECT. */
typedef KvsqlSelectPlan *(*KvsqlPlanFunc) (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                                           const KvsqlBinder *binder,
                                           const KvsqlStoreCapabilities *capabilities,
                                           GError **error);

/* What the binder of a statement needs for its subqueries. */
struct _KvsqlSubqueryBinder
{
  const KvsqlCatalog *catalog;
  const KvsqlStoreCapabilities *capabilities;
  KvsqlPlanFunc plan;
  GHashTable *bound; /* (nullable): expressions by their AST */
  KvsqlSubqueryList *list;
};

/* Fills @self, which must live as long as @binder, and gives it to @binder.
 * Returns: the subqueries that are bound, in the arena */
KvsqlSubqueryList *kvsql_subquery_binder_init (KvsqlSubqueryBinder *self,
                                               const KvsqlCatalog *catalog,
                                               const KvsqlStoreCapabilities *capabilities,
                                               KvsqlPlanFunc plan, KvsqlBinder *binder);
void kvsql_subquery_binder_clear (KvsqlSubqueryBinder *self);

/* A query in FROM that may use names of @binder: the sources before it. @out_plan: a plan for some
 * list of their values, for its columns */
gboolean kvsql_subquery_bind_lateral (const KvsqlBinder *binder, const KvsqlSelect *select,
                                      KvsqlSpan span, KvsqlSubquery **out,
                                      KvsqlSelectPlan **out_plan,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlSubqueryBinder, kvsql_subquery_binder_clear)

G_END_DECLS
