/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-plan.c: binds a SELECT and chooses the best access path.
 */
#include "config.h"

#include "core/plan/index.h"
#include "core/base/interrupt.h"
#include "core/plan/cross-join-plan.h"
#include "core/plan/select-items.h"

const KvsqlCatalogEntry *
kvsql_plan_find_relation (const KvsqlCatalog *catalog, const KvsqlName *name, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (catalog, name, error);

  if (entry == NULL)
    return NULL;
  if (entry->n_schemas == 0 || !entry->schemas[0]->is_primary)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                       "relation \"%s\" has no primary schema", entry->relation->name);
      kvsql_error_hint (error,
                        "Say how its tuples are stored with DEFINE PRIMARY SCHEMA … FOR %s { … }.",
                        entry->relation->name);
      return NULL;
    }
  return entry;
}

gboolean
kvsql_select_plan_is_streaming (const KvsqlSelectPlan *self)
{
  return self->groups == NULL && !self->is_distinct && !kvsql_select_plan_sorts (self);
}

KvsqlType
kvsql_select_plan_get_type (const KvsqlSelectPlan *self, guint item)
{
  return self->outputs != NULL ? self->outputs[item]->type
                               : self->relation->attributes[self->items[item]].type;
}

const KvsqlRelation *
kvsql_select_plan_get_relation (const KvsqlSelectPlan *self, guint item)
{
  if (self->items[item] == KVSQL_NO_ATTRIBUTE)
    return NULL;
  return self->cross_join == NULL ? self->relation
                                  : kvsql_cross_join_plan_get_relation (self, self->items[item]);
}

gboolean
kvsql_select_plan_is_plain (const KvsqlSelectPlan *self)
{
  if (self->groups != NULL)
    return FALSE;
  for (guint i = 0; i < self->n_items; i++)
    if (self->items[i] == KVSQL_NO_ATTRIBUTE)
      return FALSE;
  return TRUE;
}

/* ---- the choice */

/* The number of tuples that the statement needs. */
static guint64
rows_needed (const KvsqlSelectPlan *self)
{
  if (self->cross_join != NULL || self->groups != NULL || self->is_distinct
      || (self->n_sort > 0 && !self->sorts_tuples))
    return KVSQL_NO_LIMIT;
  return self->limit < KVSQL_NO_LIMIT - self->offset ? self->limit + self->offset : KVSQL_NO_LIMIT;
}

/* Compares the ways to read a schema: in the order of ORDER BY or with a sort, with all ranges or
 * with a skip scan. */
static void
choose_way (const KvsqlSelectPlan *self, KvsqlAccessPath *path, const KvsqlBinder *binder,
            const KvsqlStoreCapabilities *capabilities)
{
  guint n_sort = self->sorts_tuples ? self->n_sort : 0;
  KvsqlAccessPath skipping;
  gboolean can_skip
      = kvsql_access_path_make_skip (path, &self->dnf, capabilities, binder->arena, &skipping);

  kvsql_access_path_apply_order (path, &self->dnf, self->sort, n_sort, rows_needed (self),
                                 capabilities, binder->arena);
  if (!can_skip)
    return;
  kvsql_access_path_apply_order (&skipping, &self->dnf, self->sort, n_sort, rows_needed (self),
                                 capabilities, binder->arena);
  if (skipping.skip->is_known && kvsql_access_path_compare (&skipping, path) < 0)
    {
      skipping.other_cost = path->cost;
      *path = skipping;
      return;
    }
  path->other_skip = skipping.skip;
  path->other_cost = skipping.cost;
}

gboolean
kvsql_select_plan_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                          const KvsqlName *using_schema, const KvsqlBinder *binder,
                          const KvsqlStoreCapabilities *capabilities, GError **error)
{
  const KvsqlSchema *forced = NULL;

  if (using_schema != NULL && using_schema->text != NULL)
    {
      forced = kvsql_catalog_find_schema (catalog, using_schema, error);
      if (forced == NULL)
        return FALSE;
      if (forced->relation != self->entry->relation)
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, using_schema->span,
                                "schema \"%s\" is not of relation \"%s\"", forced->name,
                                self->entry->relation->name);
      if (!kvsql_schema_is_filled (forced))
        {
          kvsql_error_set (error, KVSQL_ERROR_INVALID, using_schema->span,
                           "schema \"%s\" cannot be read yet: it may lack tuples", forced->name);
          return kvsql_error_hint (error, "Fill it with BACKFILL SCHEMA %s.", forced->name);
        }
    }
  self->n_paths = self->entry->n_schemas;
  self->paths = kvsql_arena_array (binder->arena, KvsqlAccessPath, self->n_paths);
  for (guint i = 0; i < self->n_paths; i++)
    {
      KvsqlAccessPath *path = &self->paths[i];
      kvsql_access_path_make (self->entry->schemas[i], &self->dnf, &self->needed, capabilities,
                              binder->arena, path);
      if (!path->is_usable)
        kvsql_access_path_make_index (self->entry->schemas[i], self->entry->schemas[0], &self->dnf,
                                      self->predicate, &self->needed, capabilities, binder->arena,
                                      path);
      if (path->is_usable)
        choose_way (self, path, binder, capabilities);
      if (!path->is_usable || (forced != NULL && path->schema != forced)
          || (forced == NULL && !kvsql_schema_is_readable (path->schema)))
        continue;
      if (self->best == NULL || kvsql_access_path_compare (path, self->best) < 0)
        self->best = path;
    }
  if (!kvsql_interrupt_poll (error))
    return FALSE;
  if (self->best != NULL)
    {
      self->root = kvsql_plan_tree_new (self, binder->arena);
      return TRUE;
    }
  for (guint i = 0; i < self->n_paths; i++)
    if (self->paths[i].schema == forced)
      return kvsql_error_set (
          error, KVSQL_ERROR_INVALID, using_schema->span,
          "schema \"%s\" does not hold attribute \"%s\"", forced->name,
          self->entry->relation->attributes[self->paths[i].missing_attribute].name);
  return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                          "no schema holds what the statement needs");
}

void
kvsql_select_plan_use (KvsqlSelectPlan *self, const KvsqlAccessPath *path, KvsqlArena *arena)
{
  self->best = path;
  self->root = kvsql_plan_tree_new (self, arena);
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
  KvsqlExpr **exprs = self->groups != NULL ? self->groups->inputs : self->outputs;
  guint n = self->groups != NULL ? self->groups->n_inputs : self->n_outputs;

  for (guint i = 0; i < n; i++)
    kvsql_map_keys_add_expression (keys, exprs[i], arena);
  kvsql_map_keys_add_predicate (keys, self->predicate, arena);
  self->dnf.map_keys = keys;
}

KvsqlSelectPlan *
kvsql_select_plan_make (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                        const KvsqlBinder *outer, const KvsqlStoreCapabilities *capabilities,
                        GError **error)
{
  KvsqlSelectPlan *self = kvsql_arena_new0 (outer->arena, KvsqlSelectPlan);
  KvsqlBinder binder = *outer;

  if (select->from.relation.text == NULL)
    return bind_without_from (self, select, &binder, error) ? self : NULL;
  self->entry = kvsql_plan_find_relation (catalog, &select->from.relation, error);
  if (self->entry == NULL)
    return NULL;
  self->relation = binder.relation = self->entry->relation;
  binder.alias = &select->from.alias;
  if ((select->n_joined > 0 && !kvsql_cross_join_plan_bind (self, catalog, select, &binder, error))
      || !kvsql_select_items_bind (self, select, &binder, error)
      || !bind_where (self, select->where, &binder, error)
      || !kvsql_bind_count (&binder, select->limit, "LIMIT", KVSQL_NO_LIMIT, &self->limit, error)
      || !kvsql_bind_count (&binder, select->offset, "OFFSET", 0, &self->offset, error)
      || (self->cross_join != NULL
          && !kvsql_cross_join_plan_choose (self, catalog, select, &binder, capabilities, error)))
    return NULL;
  if (self->cross_join == NULL)
    collect_map_keys (self, outer->arena);
  if (!kvsql_select_plan_choose (self, catalog, &select->from.using_schema, &binder, capabilities,
                                 error))
    return NULL;
  return self;
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
