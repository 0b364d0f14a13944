/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-planner.c: binds the clauses of a SELECT or DELETE, then chooses the access path.
 */
#include "config.h"

#include "core/plan/select-planner.h"

#include "core/base/interrupt.h"
#include "core/plan/join-plan.h"
#include "core/plan/find-relation.h"
#include "core/plan/path-choice.h"
#include "core/plan/plan-tree.h"
#include "core/plan/select-items.h"
#include "core/plan/set-plan.h"
#include "core/plan/unnest.h"
#include "core/schema/relation-options.h"

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
  if (self->join != NULL) /* it is divided among the relations */
    return TRUE;
  kvsql_dnf_from_predicate (self->predicate, self->relation->n_attributes, binder->arena,
                            &self->dnf);
  self->dnf.statistics = kvsql_statistics_set_find (binder->statistics, self->entry->relation);
  return TRUE;
}

/* A SELECT without FROM: it has no names, reads nothing, and returns one row. */
static gboolean
bind_without_from (KvsqlSelectPlan *self, const KvsqlSelect *select, KvsqlBinder *binder,
                   GError **error)
{
  static KvsqlAttribute none[1]; /* some code reads attribute 0 in place of no attribute */
  static const KvsqlRelation no_relation = { .name = "", .attributes = none };

  self->relation = binder->relation = &no_relation;
  if (!kvsql_select_items_bind (self, select, binder, error)
      || !kvsql_group_reject_aggregates (select->where, "WHERE", error))
    return FALSE;
  self->predicate = kvsql_bind_predicate (binder, select->where, error);
  if (self->predicate == NULL
      || !kvsql_bind_count (binder, select->limit, "LIMIT", KVSQL_NO_LIMIT, &self->limit, error)
      || !kvsql_bind_count (binder, select->offset, "OFFSET", 0, &self->offset, error))
    return FALSE;
  self->limit = MIN (self->limit, 1); /* so that there is no second page */
  self->root = kvsql_plan_tree_new (self, binder->arena);
  return kvsql_interrupt_poll (error);
}

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
  if (!check_anchors (self->entry->relation, select->verified_span, error))
    return FALSE;
  for (guint i = 0; join != NULL && i < join->n_parts; i++)
    if (!check_anchors (join->parts[i].entry->relation, select->verified_span, error))
      return FALSE;
  self->is_verified = TRUE;
  /* by which anchors are found, and by which tuples are remembered; other relations have theirs */
  kvsql_attribute_set_add_all (&self->needed, &self->entry->relation->keys);
  return TRUE;
}

/* ---- SELECT and set operations */

/* A SELECT that is not a set operation. */
static gboolean
bind_select (KvsqlSelectPlan *self, const KvsqlCatalog *catalog, const KvsqlSelect *select,
             KvsqlBinder *binder, const KvsqlStoreCapabilities *capabilities, GError **error)
{
  if (select->from.relation.text == NULL)
    return bind_without_from (self, select, binder, error);
  self->entry = kvsql_plan_find_relation (catalog, &select->from.relation, error);
  if (self->entry == NULL)
    return FALSE;
  self->relation = binder->relation = self->entry->relation;
  binder->alias = &select->from.alias;
  if ((select->n_joined > 0 && !kvsql_join_plan_bind (self, catalog, select, binder, error))
      || !bind_verified (self, select, capabilities, error)
      || !kvsql_select_items_bind (self, select, binder, error)
      || !bind_where (self, select->where, binder, error)
      || !kvsql_bind_count (binder, select->limit, "LIMIT", KVSQL_NO_LIMIT, &self->limit, error)
      || !kvsql_bind_count (binder, select->offset, "OFFSET", 0, &self->offset, error)
      || (self->join != NULL
          && !kvsql_join_plan_choose (self, catalog, select, binder, capabilities, error)))
    return FALSE;
  if (self->join == NULL)
    collect_map_keys (self, binder->arena);
  return kvsql_select_plan_choose (self, catalog, &select->from.using_schema, binder, capabilities,
                                   error)
         && (self->join == NULL
             || kvsql_join_plan_order (self, catalog, select, capabilities, binder->arena, error));
}

/* TRUE: FROM has one derived table, or relations only. */
static gboolean
check_derived (const KvsqlSelect *select, GError **error)
{
  for (guint i = 0; i <= select->n_joined && select->n_joined > 0; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);

      if (source->query == NULL)
        continue;
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, source->relation.span,
                       "a join with a query in FROM is not supported");
      return kvsql_error_hint (error, "A query in FROM can be the only source of a SELECT.");
    }
  return TRUE;
}

static KvsqlSelectPlan *make_plan (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                                   const KvsqlBinder *outer,
                                   const KvsqlStoreCapabilities *capabilities, gboolean is_operand,
                                   GError **error);

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
bind_derived (KvsqlSelectPlan *self, const KvsqlCatalog *catalog, const KvsqlSelect *select,
              KvsqlBinder *binder, const KvsqlStoreCapabilities *capabilities, GError **error)
{
  const KvsqlSelect *query = verify_operand (select->from.query, select, binder->arena);
  KvsqlSelectPlan *plan = make_plan (catalog, query, binder, capabilities, FALSE, error);

  if (plan == NULL
      || !kvsql_set_plan_bind_derived (self, plan, &select->from.relation, binder, error)
      || !kvsql_select_items_bind (self, select, binder, error)
      || !kvsql_group_reject_aggregates (select->where, "WHERE", error))
    return FALSE;
  self->predicate = kvsql_bind_predicate (binder, select->where, error);
  if (self->predicate == NULL
      || !kvsql_bind_count (binder, select->limit, "LIMIT", KVSQL_NO_LIMIT, &self->limit, error)
      || !kvsql_bind_count (binder, select->offset, "OFFSET", 0, &self->offset, error))
    return FALSE;
  self->is_verified = select->is_verified && self->set->is_verified;
  self->root = kvsql_plan_tree_new (self, binder->arena);
  return kvsql_interrupt_poll (error);
}

static gboolean
bind_set (KvsqlSelectPlan *self, const KvsqlCatalog *catalog, const KvsqlSelect *select,
          KvsqlBinder *binder, const KvsqlStoreCapabilities *capabilities, GError **error)
{
  const KvsqlSetOperation *set = select->set;
  KvsqlSelectPlan **operands
      = kvsql_arena_array (binder->arena, KvsqlSelectPlan *, set->n_operands);

  for (guint i = 0; i < set->n_operands; i++)
    {
      operands[i] = make_plan (catalog, verify_operand (set->operands[i], select, binder->arena),
                               binder, capabilities, TRUE, error);
      if (operands[i] == NULL)
        return FALSE;
    }
  if (!kvsql_set_plan_bind (self, select, operands, binder, error))
    return FALSE;
  self->is_verified = select->is_verified && self->set->is_verified;
  self->root = kvsql_plan_tree_new (self, binder->arena);
  return kvsql_interrupt_poll (error);
}

typedef gboolean (*BindFunc) (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                              const KvsqlSelect *select, KvsqlBinder *binder,
                              const KvsqlStoreCapabilities *capabilities, GError **error);

static BindFunc
choose_bind (const KvsqlSelect *select)
{
  if (select->set != NULL)
    return bind_set;
  return select->from.query != NULL ? bind_derived : bind_select;
}

static KvsqlSelectPlan *
make_plan (const KvsqlCatalog *catalog, const KvsqlSelect *select, const KvsqlBinder *outer,
           const KvsqlStoreCapabilities *capabilities, gboolean is_operand, GError **error)
{
  KvsqlSelectPlan *self = kvsql_arena_new0 (outer->arena, KvsqlSelectPlan);
  KvsqlBinder binder = *outer;

  self->is_operand = is_operand;
  if (select->from.relation.text != NULL)
    select = kvsql_select_unnest (select, outer->arena, error);
  return select != NULL && check_derived (select, error)
                 && choose_bind (select) (self, catalog, select, &binder, capabilities, error)
             ? self
             : NULL;
}

/* ---- plans */

KvsqlSelectPlan *
kvsql_select_plan_make (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                        const KvsqlBinder *binder, const KvsqlStoreCapabilities *capabilities,
                        GError **error)
{
  return make_plan (catalog, select, binder, capabilities, FALSE, error);
}

KvsqlSelectPlan *
kvsql_delete_plan_make (const KvsqlCatalog *catalog, const KvsqlDelete *statement,
                        const KvsqlBinder *outer, const KvsqlStoreCapabilities *capabilities,
                        GError **error)
{
  KvsqlSelectPlan *self = kvsql_arena_new0 (outer->arena, KvsqlSelectPlan);
  KvsqlBinder binder = *outer;

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
