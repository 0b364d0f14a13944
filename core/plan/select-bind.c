/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-bind.c: see the header.
 */
#include "config.h"

#include "core/plan/select-bind.h"

#include "core/base/interrupt.h"
#include "core/plan/bind-join.h"
#include "core/plan/correlation.h"
#include "core/plan/expand-views.h"
#include "core/plan/find-relation.h"
#include "core/plan/function-plan.h"
#include "core/plan/join-plan.h"
#include "core/plan/predicate-private.h"
#include "core/plan/query-flatten.h"
#include "core/plan/select-items.h"
#include "core/plan/set-plan.h"
#include "core/plan/unnest.h"
#include "core/plan/values-plan.h"
#include "core/schema/relation-options.h"

static KvsqlSelectPlan *bind_query (const KvsqlBinding *self, const KvsqlSelect *select,
                                    const KvsqlBinder *outer, gboolean is_operand, GError **error);

/* ---- clauses */

static gboolean
bind_where (KvsqlSelectPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
            GError **error)
{
  if (!kvsql_group_reject_aggregates (select->where, "WHERE", error))
    return FALSE;
  self->predicate = kvsql_bind_predicate (binder, select->where, error);
  if (self->predicate == NULL)
    return FALSE;
  kvsql_predicate_collect (self->predicate, &self->needed);
  return TRUE;
}

/* All clauses but FROM. */
static gboolean
bind_clauses (KvsqlSelectPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
              GError **error)
{
  return kvsql_select_items_bind (self, select, binder, error)
         && bind_where (self, select, binder, error)
         && kvsql_bind_count (binder, select->limit, "LIMIT", KVSQL_NO_LIMIT, &self->limit, error)
         && kvsql_bind_count (binder, select->offset, "OFFSET", 0, &self->offset, error);
}

/* Of expressions that have no names. */
static KvsqlAttribute none[1]; /* some code reads attribute 0 in place of no attribute */
static const KvsqlRelation no_relation = { .name = "", .attributes = none };

/* VALUES, or a function in FROM, whose rows are those of a relation: SELECT * FROM it, and ORDER
 * BY.
 */
static gboolean
bind_values (KvsqlSelectPlan *self, const KvsqlSelect *select, KvsqlBinder *binder, GError **error)
{
  KvsqlSelectItem star = { .span = kvsql_select_get_first_span (select) };
  KvsqlSelect all = *select;

  all.items = &star;
  all.n_items = 1;
  binder->relation = &no_relation;
  return (select->function != NULL ? kvsql_function_plan_bind
                                   : kvsql_values_plan_bind) (self, select, binder, error)
         && bind_clauses (self, &all, binder, error);
}

/* A SELECT without FROM: it reads nothing, and returns one row. */
static gboolean
bind_without_from (KvsqlSelectPlan *self, const KvsqlSelect *select, KvsqlBinder *binder,
                   GError **error)
{
  self->relation = binder->relation = &no_relation;
  if (!bind_clauses (self, select, binder, error))
    return FALSE;
  self->limit = MIN (self->limit, 1); /* so that there is no second page */
  return TRUE;
}

/* ---- WITH VERIFIED */

static gboolean
check_anchors (const KvsqlRelation *relation, KvsqlSpan span, GError **error)
{
  if (relation->mode == KVSQL_WRITES_CHECKED)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                   "relation \"%s\" cannot be read with VERIFIED: its writes are %s",
                   relation->name, kvsql_write_mode_get_name (relation->mode));
  return kvsql_error_hint (error,
                           "Only checked writes keep what it is compared with: ALTER RELATION %s "
                           "WITH (writes = checked).",
                           relation->name);
}

/* Where a tuple is written to all schemas as one, what a scan finds is current. */
static gboolean
bind_verified (KvsqlSelectPlan *self, const KvsqlSelect *select,
               const KvsqlStoreCapabilities *capabilities, GError **error)
{
  const KvsqlJoinPlan *join = self->join;

  if (!select->is_verified || (capabilities->flags & KVSQL_STORE_ATOMIC_BATCH) != 0)
    return TRUE;
  if (self->entry != NULL && !check_anchors (self->entry->relation, select->verified_span, error))
    return FALSE;
  for (guint i = 0; join != NULL && i < join->n_parts; i++)
    if (join->parts[i].entry != NULL
        && !check_anchors (join->parts[i].entry->relation, select->verified_span, error))
      return FALSE;
  self->is_verified = TRUE;
  if (self->entry == NULL)
    return TRUE;
  /* by which anchors are found, and by which tuples are remembered; other relations have theirs */
  kvsql_attribute_set_add_all (&self->needed, &self->entry->relation->keys);
  return TRUE;
}

/* ---- queries in FROM */

/* WITH VERIFIED after a set operation is about all that it reads. */
static const KvsqlSelect *
verify_operand (const KvsqlSelect *operand, const KvsqlSelect *select, KvsqlArena *arena)
{
  KvsqlSelect *verified;

  if (!select->is_verified || operand->is_verified)
    return operand;
  verified = kvsql_arena_copy (arena, operand, sizeof *operand);
  verified->is_verified = TRUE;
  verified->verified_span = select->verified_span;
  return verified;
}

static gboolean
is_volatile_predicate (const KvsqlPredicate *predicate)
{
  gboolean found = predicate->expr != NULL && kvsql_expr_is_volatile (predicate->expr);

  for (guint i = 0; i < predicate->n_children && !found && kvsql_interrupt_tick (); i++)
    found = is_volatile_predicate (predicate->children[i]);
  return found;
}

static gboolean
has_volatile (KvsqlExpr *const *exprs, guint n)
{
  for (guint i = 0; i < n; i++)
    if (kvsql_expr_is_volatile (exprs[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_volatile (const KvsqlSelectPlan *plan)
{
  const KvsqlGroups *groups = plan->groups;
  const KvsqlWindows *windows = plan->windows;
  /* a query that is joined has no conditions yet */
  gboolean found = (plan->predicate != NULL && plan->predicate->has_expression
                    && is_volatile_predicate (plan->predicate))
                   || has_volatile (plan->outputs, plan->n_outputs)
                   || (groups != NULL && has_volatile (groups->inputs, groups->n_inputs))
                   || (windows != NULL && has_volatile (windows->inputs, windows->n_inputs))
                   || (plan->function != NULL
                       && has_volatile (plan->function->arguments, plan->function->n_arguments));

  for (guint i = 0; plan->set != NULL && i < plan->set->n_operands && !found; i++)
    found = is_volatile (plan->set->operands[i].plan);
  for (guint i = 0; plan->join != NULL && i < plan->join->n_parts && !found; i++)
    found = plan->join->parts[i].query != NULL && is_volatile (plan->join->parts[i].query);
  return found;
}

/* A query of WITH is run for each use, which has to give the same rows. */
static gboolean
check_uses (const KvsqlSelect *query, const KvsqlSelectPlan *plan, const KvsqlSource *source,
            GError **error)
{
  if (query->n_uses < 2 || !is_volatile (plan))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, source->relation.span,
                   "a query of WITH with a volatile function can be used only once");
  return kvsql_error_hint (error, "It is run for each use, and would give other rows.");
}

/* Whether the query of source @number uses attributes of the sources before it. */
static gboolean
is_lateral (const KvsqlBinding *self, const KvsqlSelect *select, guint number)
{
  KvsqlSelect left;
  KvsqlNameScope scope;

  return kvsql_source_get_scope (select, number, NULL, &left, &scope) != NULL
         && kvsql_select_is_correlated (self->catalog,
                                        kvsql_select_get_source (select, number)->query, &scope);
}

static KvsqlSelectPlan *
bind_lateral (const KvsqlBinding *self, const KvsqlSelect *select, guint number,
              const KvsqlSelect *query, KvsqlSelectPlan *const *queries, const KvsqlBinder *outer,
              KvsqlSubquery **out, GError **error)
{
  KvsqlBinder *binder = kvsql_arena_copy (outer->arena, outer, sizeof *outer);
  KvsqlSpan span = kvsql_select_get_source (select, number)->relation.span;
  KvsqlSelectPlan *plan;

  for (guint i = 0; query->function != NULL && i < query->n_values; i++)
    if (!kvsql_group_reject_aggregates (query->rows[0][i], "a function in FROM", error))
      return NULL;
  return kvsql_from_bind_left (self->catalog, select, number, queries, binder, error)
                 && kvsql_subquery_bind_lateral (binder, query, span, out, &plan, error)
             ? plan
             : NULL;
}

/* A name of an unknown relation before a lateral source is not known there: then the relation is
 * the error. Returns: FALSE, as kvsql_source_locate_error () */
static gboolean
set_unknown_relation (const KvsqlBinding *self, const KvsqlSelect *select, guint number,
                      GError **error)
{
  gboolean is_lateral = kvsql_source_is_lateral (kvsql_select_get_source (select, number));

  for (guint i = 0; i < number && is_lateral; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);
      GError *unknown = NULL;

      if (source->query != NULL
          || kvsql_plan_find_relation (self->catalog, &source->relation, &unknown) != NULL)
        continue;
      g_clear_error (error);
      g_propagate_error (error, unknown);
      break;
    }
  return FALSE;
}

/* The rows of the query of a source, as those of a relation. @queries: of the sources before it.
 * NULL: an error */
static KvsqlSelectPlan *
bind_source (const KvsqlBinding *self, const KvsqlSelect *select, guint number,
             KvsqlSelectPlan *const *queries, const KvsqlBinder *outer, GError **error)
{
  const KvsqlSource *source = kvsql_select_get_source (select, number);
  const KvsqlSelect *query = verify_operand (source->query, select, outer->arena);
  KvsqlSubquery *lateral = NULL;
  KvsqlSelectPlan *plan
      = is_lateral (self, select, number)
            ? bind_lateral (self, select, number, query, queries, outer, &lateral, error)
            : bind_query (self, query, outer, FALSE, error),
      *derived;

  if ((plan == NULL && !set_unknown_relation (self, select, number, error)
       && !kvsql_source_locate_error (source, error))
      || !check_uses (query, plan, source, error))
    return NULL;
  derived = kvsql_arena_new0 (outer->arena, KvsqlSelectPlan);
  derived->binder = kvsql_arena_copy (outer->arena, outer, sizeof *outer);
  derived->limit = KVSQL_NO_LIMIT;
  if (!kvsql_set_plan_bind_derived (derived, plan, source, error))
    return NULL;
  derived->is_verified = select->is_verified && derived->set->is_verified;
  derived->lateral = lateral;
  return derived;
}

/* The queries of FROM, by source; NULL: a relation. */
static KvsqlSelectPlan **
bind_sources (const KvsqlBinding *self, const KvsqlSelect *select, const KvsqlBinder *binder,
              GError **error)
{
  KvsqlSelectPlan **queries
      = kvsql_arena_array (binder->arena, KvsqlSelectPlan *, select->n_joined + 1);

  for (guint i = 0; i <= select->n_joined; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);

      queries[i] = NULL;
      if (source->query == NULL)
        continue;
      queries[i] = bind_source (self, select, i, queries, binder, error);
      if (queries[i] == NULL)
        return NULL;
    }
  return queries;
}

/* ---- SELECT and set operations */

/* The first source gives the rows to which others are joined. */
static gboolean
bind_first (const KvsqlBinding *self, KvsqlSelectPlan *plan, const KvsqlSelect *select,
            KvsqlSelectPlan *query, KvsqlBinder *binder, GError **error)
{
  if (query != NULL)
    {
      plan->set = query->set;
      plan->relation = query->relation;
    }
  else
    {
      plan->entry = kvsql_plan_find_relation (self->catalog, &select->from.relation, error);
      if (plan->entry == NULL)
        return FALSE;
      plan->relation = plan->entry->relation;
    }
  binder->relation = plan->relation;
  binder->alias = query == NULL ? &select->from.alias : NULL;
  return TRUE;
}

/* A SELECT that is not a set operation. */
static gboolean
bind_select (const KvsqlBinding *self, KvsqlSelectPlan *plan, const KvsqlSelect *select,
             KvsqlBinder *binder, GError **error)
{
  KvsqlSelectPlan **queries;

  if (select->rows != NULL)
    return bind_values (plan, select, binder, error);
  if (select->from.relation.text == NULL)
    return bind_without_from (plan, select, binder, error);
  queries = bind_sources (self, select, binder, error);
  if (queries == NULL || !bind_first (self, plan, select, queries[0], binder, error)
      || (select->n_joined > 0
          && !kvsql_join_plan_bind (plan, self->catalog, select, queries, binder, error))
      || !bind_verified (plan, select, self->capabilities, error)
      || !bind_clauses (plan, select, binder, error))
    return FALSE;
  if (select->n_joined == 0 && queries[0] != NULL)
    kvsql_query_flatten (plan, binder->arena);
  return TRUE;
}

static gboolean
bind_set (const KvsqlBinding *self, KvsqlSelectPlan *plan, const KvsqlSelect *select,
          KvsqlBinder *binder, GError **error)
{
  const KvsqlSetOperation *set = select->set;
  KvsqlSelectPlan **operands
      = kvsql_arena_array (binder->arena, KvsqlSelectPlan *, set->n_operands);

  for (guint i = 0; i < set->n_operands; i++)
    {
      const KvsqlSelect *operand = verify_operand (set->operands[i], select, binder->arena);

      operands[i] = bind_query (self, operand, binder, TRUE, error);
      if (operands[i] == NULL)
        return FALSE;
    }
  if (!kvsql_set_plan_bind (plan, select, operands, binder, error))
    return FALSE;
  plan->is_verified = select->is_verified && plan->set->is_verified;
  return TRUE;
}

static KvsqlSelectPlan *
bind_query (const KvsqlBinding *self, const KvsqlSelect *select, const KvsqlBinder *outer,
            gboolean is_operand, GError **error)
{
  KvsqlSelectPlan *plan = kvsql_arena_new0 (outer->arena, KvsqlSelectPlan);
  KvsqlBinder *binder = kvsql_arena_copy (outer->arena, outer, sizeof *outer);

  gboolean ok;

  plan->is_operand = is_operand;
  plan->is_fenced = select->is_materialized;
  plan->subqueries
      = kvsql_subquery_binder_init (kvsql_arena_new0 (outer->arena, KvsqlSubqueryBinder),
                                    self->catalog, self->capabilities, self->plan, binder);
  if (select->from.relation.text != NULL)
    select = kvsql_select_unnest (select, outer->arena);
  plan->select = select;
  plan->binder = binder;
  ok = (select->set != NULL ? bind_set : bind_select) (self, plan, select, binder, error);
  kvsql_subquery_binder_clear (binder->subqueries);
  return ok && kvsql_interrupt_poll (error) ? plan : NULL;
}

KvsqlSelectPlan *
kvsql_select_bind (const KvsqlBinding *self, const KvsqlSelect *select, const KvsqlBinder *outer,
                   GError **error)
{
  return bind_query (self, select, outer, FALSE, error);
}
