/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-planner.c: chooses the access paths, joins and operators of a SELECT or DELETE.
 *
 * A query in FROM and an operand of a set operation are planned after the query around them, which
 * gives them its conditions.
 */
#include "config.h"

#include "core/plan/select-planner.h"

#include "core/base/interrupt.h"
#include "core/plan/bind-subquery.h"
#include "core/plan/find-relation.h"
#include "core/plan/join-plan.h"
#include "core/plan/path-choice.h"
#include "core/plan/plan-tree.h"
#include "core/plan/query-push.h"
#include "core/plan/select-bind.h"
#include "core/plan/select-items.h"

static void
collect_map_keys (KvsqlSelectPlan *self, KvsqlArena *arena)
{
  KvsqlMapKeys *keys = kvsql_map_keys_new (self->entry->relation, arena);
  guint n;
  KvsqlExpr *const *exprs = kvsql_select_plan_get_tuple_exprs (self, &n);

  for (guint i = 0; i < n; i++)
    kvsql_map_keys_add_expression (keys, exprs[i], arena);
  kvsql_map_keys_add_predicate (keys, self->predicate, arena);
  self->dnf.map_keys = keys;
}

static void
make_dnf (KvsqlSelectPlan *self, const KvsqlBinder *binder)
{
  kvsql_dnf_from_predicate (self->predicate, self->relation->n_attributes, binder->arena,
                            &self->dnf);
  self->dnf.statistics = kvsql_statistics_set_find (binder->statistics, self->entry->relation);
}

/* ---- queries in a query */

/* The operands of a set operation, or the query in FROM. */
static gboolean
choose_operands (const KvsqlBinding *self, KvsqlSelectPlan *plan, GError **error)
{
  if (plan->join != NULL)
    plan->join->scanned = kvsql_query_push (plan->set, plan->join->scanned, plan->binder);
  else if (kvsql_select_plan_is_derived (plan))
    plan->predicate = kvsql_query_push (plan->set, plan->predicate, plan->binder);
  for (guint i = 0; i < plan->set->n_operands; i++)
    if (!kvsql_select_plan_choose_all (self, plan->set->operands[i].plan, error))
      return FALSE;
  return TRUE;
}

/* The queries that are joined to the first source. The query of a lateral one is planned when it is
 * run. */
static gboolean
choose_joined (const KvsqlBinding *self, KvsqlSelectPlan *plan, GError **error)
{
  for (guint i = 0; i < plan->join->n_parts; i++)
    {
      KvsqlSelectPlan *query
          = plan->join->parts[i].entry == NULL ? plan->join->parts[i].query : NULL;

      if (query != NULL && query->lateral != NULL)
        query->root = kvsql_plan_tree_new (query, plan->binder->arena);
      else if (query != NULL && !kvsql_select_plan_choose_all (self, query, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- a query */

/* The schema of the first relation. */
static gboolean
choose_path (const KvsqlBinding *self, KvsqlSelectPlan *plan, GError **error)
{
  if (plan->join == NULL)
    {
      make_dnf (plan, plan->binder);
      collect_map_keys (plan, plan->binder->arena);
    }
  return kvsql_select_plan_choose (plan, self->catalog, &plan->select->from.using_schema,
                                   plan->binder, self->capabilities, error);
}

static gboolean
choose_all (const KvsqlBinding *self, KvsqlSelectPlan *plan, GError **error)
{
  const KvsqlBinder *binder = plan->binder;

  if (plan->join != NULL
      && (!kvsql_join_plan_choose (plan, self->catalog, plan->select, binder, self->capabilities,
                                   error)
          || !choose_joined (self, plan, error)))
    return FALSE;
  if ((plan->set != NULL && !choose_operands (self, plan, error))
      || (plan->entry != NULL && !choose_path (self, plan, error))
      || (plan->join != NULL
          && !kvsql_join_plan_order (plan, self->catalog, plan->select, self->capabilities,
                                     binder->arena, error)))
    return FALSE;
  if (plan->entry == NULL)
    plan->root = kvsql_plan_tree_new (plan, binder->arena);
  return kvsql_interrupt_poll (error);
}

gboolean
kvsql_select_plan_choose_all (const KvsqlBinding *self, KvsqlSelectPlan *plan, GError **error)
{
  gboolean ok = choose_all (self, plan, error);

  kvsql_subquery_binder_clear (plan->binder->subqueries);
  return ok;
}

/* ---- plans */

KvsqlSelectPlan *
kvsql_select_plan_make (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                        const KvsqlBinder *binder, const KvsqlStoreCapabilities *capabilities,
                        GError **error)
{
  const KvsqlBinding self = { catalog, capabilities, kvsql_select_plan_make };
  KvsqlSelectPlan *plan = kvsql_select_bind (&self, select, binder, error);

  return plan != NULL && kvsql_select_plan_choose_all (&self, plan, error) ? plan : NULL;
}

static gboolean
bind_where (KvsqlSelectPlan *self, const KvsqlAstExpr *where, const KvsqlBinder *binder,
            GError **error)
{
  if (!kvsql_group_reject_aggregates (where, "WHERE", error))
    return FALSE;
  self->predicate = kvsql_bind_predicate (binder, where, error);
  if (self->predicate == NULL)
    return FALSE;
  kvsql_predicate_collect (self->predicate, &self->needed);
  make_dnf (self, binder);
  return TRUE;
}

KvsqlSelectPlan *
kvsql_delete_plan_make (const KvsqlCatalog *catalog, const KvsqlDelete *statement,
                        const KvsqlBinder *outer, const KvsqlStoreCapabilities *capabilities,
                        GError **error)
{
  KvsqlSelectPlan *self = kvsql_arena_new0 (outer->arena, KvsqlSelectPlan);
  KvsqlBinder binder = *outer;
  g_auto (KvsqlSubqueryBinder) subqueries;

  self->subqueries = kvsql_subquery_binder_init (&subqueries, catalog, capabilities,
                                                 kvsql_select_plan_make, &binder);
  self->entry = kvsql_plan_find_relation (catalog, &statement->relation, error);
  if (self->entry == NULL)
    return NULL;
  self->relation = binder.relation = self->entry->relation;
  /* cell keys of the tuple may depend on each attribute that is part of one */
  self->needed = binder.relation->keys;
  for (guint i = 0; i < self->entry->n_schemas; i++)
    kvsql_attribute_set_add_all (&self->needed, &self->entry->schemas[i]->cell_key_attributes);
  self->items = kvsql_arena_array (binder.arena, guint, binder.relation->n_attributes);
  for (guint a = 0; a < binder.relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&self->needed, a))
      self->items[self->n_items++] = a;
  if (!bind_where (self, statement->where, &binder, error)
      || (statement->n_order_by > 0
          && !kvsql_select_order_bind (self, statement->order_by, statement->n_order_by, &binder,
                                       error))
      || !kvsql_bind_count (&binder, statement->limit, "LIMIT", KVSQL_NO_LIMIT, &self->limit, error)
      || !kvsql_select_plan_choose (self, catalog, NULL, &binder, capabilities, error))
    return NULL;
  return self;
}
