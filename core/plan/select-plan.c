/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-plan.c: binds a SELECT and chooses the schema to answer it from.
 */
#include "config.h"

#include "core/plan/index.h"
#include "core/plan/select-plan.h"

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

static gboolean
not_yet (KvsqlSpan span, const gchar *what, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span, "%s is not supported yet", what);
}

static gboolean
check_clauses (const KvsqlSelect *select, GError **error)
{
  if (select->is_distinct)
    return not_yet (select->n_items > 0 ? select->items[0].span : select->relation.span,
                    "SELECT DISTINCT", error);
  if (select->n_group_by > 0)
    return not_yet (select->group_by[0]->span, "GROUP BY", error);
  if (select->having != NULL)
    return not_yet (select->having->span, "HAVING", error);
  return TRUE;
}

/* ---- the list of items */

static gboolean
bind_items (KvsqlSelectPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
            GError **error)
{
  const KvsqlRelation *relation = self->entry->relation;
  guint most = select->n_items * relation->n_attributes + 1;

  self->items = kvsql_arena_array (binder->arena, guint, most);
  self->item_names = kvsql_arena_array (binder->arena, const gchar *, most);
  for (guint i = 0; i < select->n_items; i++)
    {
      const KvsqlSelectItem *item = &select->items[i];
      guint attribute;

      if (item->expr == NULL)
        {
          for (guint a = 0; a < relation->n_attributes; a++)
            {
              self->item_names[self->n_items] = relation->attributes[a].name;
              self->items[self->n_items++] = a;
            }
          continue;
        }
      if (item->expr->kind != KVSQL_AST_NAME)
        return not_yet (item->span, "an expression in the list of a SELECT", error)
               || kvsql_error_hint (error, "Name attributes, or * for all.");
      if (!kvsql_bind_attribute (binder, item->expr, &attribute, error))
        return FALSE;
      self->item_names[self->n_items]
          = item->alias.text != NULL ? item->alias.text : relation->attributes[attribute].name;
      self->items[self->n_items++] = attribute;
    }
  for (guint i = 0; i < self->n_items; i++)
    kvsql_attribute_set_add (&self->needed, self->items[i]);
  return TRUE;
}

/* ---- ORDER BY: an attribute, an alias, or the position of an item */

static gboolean
bind_order_item (const KvsqlSelectPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
                 const KvsqlAstExpr *expr, guint *out_attribute, GError **error)
{
  if (expr->kind == KVSQL_AST_LITERAL && expr->value.type == KVSQL_TYPE_BIGINT)
    {
      if (expr->value.integer < 1 || expr->value.integer > (gint64)self->n_items)
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                                "ORDER BY position %" G_GINT64_FORMAT " is not in the list",
                                expr->value.integer);
      *out_attribute = self->items[expr->value.integer - 1];
      return TRUE;
    }
  for (guint i = 0; select != NULL && expr->kind == KVSQL_AST_NAME && i < select->n_items; i++)
    {
      const KvsqlSelectItem *item = &select->items[i];
      if (item->alias.text != NULL
          && kvsql_name_means (&expr->name, item->alias.text, item->alias.is_quoted))
        return kvsql_bind_attribute (binder, item->expr, out_attribute, error);
    }
  return kvsql_bind_attribute (binder, expr, out_attribute, error);
}

static gboolean
bind_order (KvsqlSelectPlan *self, const KvsqlSelect *select, const KvsqlOrderItem *items,
            guint n_items, const KvsqlBinder *binder, GError **error)
{
  self->sort = kvsql_arena_array (binder->arena, KvsqlSortKey, n_items);
  for (guint i = 0; i < n_items; i++)
    {
      if (!bind_order_item (self, select, binder, items[i].expr, &self->sort[i].attribute, error))
        return FALSE;
      self->sort[i].is_descending = items[i].is_descending;
      kvsql_attribute_set_add (&self->needed, self->sort[i].attribute);
    }
  self->n_sort = n_items;
  return TRUE;
}

/* ---- the choice */

/* Tuples after which the statement is at its end. */
static guint64
rows_needed (const KvsqlSelectPlan *self)
{
  return self->limit < KVSQL_NO_LIMIT - self->offset ? self->limit + self->offset : KVSQL_NO_LIMIT;
}

static gboolean
choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog, const KvsqlName *using_schema,
        const KvsqlBinder *binder, const KvsqlStoreCapabilities *capabilities, GError **error)
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
    }
  self->n_candidates = self->entry->n_schemas;
  self->candidates = kvsql_arena_array (binder->arena, KvsqlCandidate, self->n_candidates);
  for (guint i = 0; i < self->n_candidates; i++)
    {
      KvsqlCandidate *candidate = &self->candidates[i];
      kvsql_candidate_make (self->entry->schemas[i], &self->boxes, &self->needed, capabilities,
                            binder->arena, candidate);
      if (!candidate->is_usable)
        kvsql_candidate_make_index (self->entry->schemas[i], self->entry->schemas[0], &self->boxes,
                                    self->predicate, &self->needed, capabilities, binder->arena,
                                    candidate);
      if (candidate->is_usable)
        kvsql_candidate_apply_order (candidate, &self->boxes, self->sort, self->n_sort,
                                     rows_needed (self), capabilities, binder->arena);
      if (!candidate->is_usable || (forced != NULL && candidate->schema != forced))
        continue;
      if (self->chosen == NULL || kvsql_candidate_compare (candidate, self->chosen) < 0)
        self->chosen = candidate;
    }
  if (self->chosen != NULL)
    return TRUE;
  for (guint i = 0; i < self->n_candidates; i++)
    if (self->candidates[i].schema == forced)
      return kvsql_error_set (
          error, KVSQL_ERROR_INVALID, using_schema->span,
          "schema \"%s\" does not hold attribute \"%s\"", forced->name,
          self->entry->relation->attributes[self->candidates[i].missing_attribute].name);
  return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                          "no schema holds what the statement needs");
}

static gboolean
bind_where (KvsqlSelectPlan *self, const KvsqlAstExpr *where, const KvsqlBinder *binder,
            GError **error)
{
  self->predicate = kvsql_bind_predicate (binder, where, error);
  if (self->predicate == NULL)
    return FALSE;
  kvsql_predicate_collect (self->predicate, &self->needed);
  kvsql_boxes_from_predicate (self->predicate, self->entry->relation->n_attributes, binder->arena,
                              &self->boxes);
  return TRUE;
}

KvsqlSelectPlan *
kvsql_select_plan_make (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                        const KvsqlBinder *outer, const KvsqlStoreCapabilities *capabilities,
                        GError **error)
{
  KvsqlSelectPlan *self = kvsql_arena_new0 (outer->arena, KvsqlSelectPlan);
  KvsqlBinder binder = *outer;

  self->entry = kvsql_plan_find_relation (catalog, &select->relation, error);
  if (self->entry == NULL || !check_clauses (select, error))
    return NULL;
  binder.relation = self->entry->relation;
  if (!bind_items (self, select, &binder, error)
      || !bind_where (self, select->where, &binder, error)
      || !bind_order (self, select, select->order_by, select->n_order_by, &binder, error)
      || !kvsql_bind_count (&binder, select->limit, "LIMIT", KVSQL_NO_LIMIT, &self->limit, error)
      || !kvsql_bind_count (&binder, select->offset, "OFFSET", 0, &self->offset, error)
      || !choose (self, catalog, &select->using_schema, &binder, capabilities, error))
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
  binder.relation = self->entry->relation;
  /* the addresses of a tuple's cells may depend on any attribute that stands in one */
  self->needed = binder.relation->keys;
  for (guint i = 0; i < self->entry->n_schemas; i++)
    kvsql_attribute_set_add_all (&self->needed, &self->entry->schemas[i]->address_attributes);
  self->items = kvsql_arena_array (binder.arena, guint, binder.relation->n_attributes);
  for (guint a = 0; a < binder.relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&self->needed, a))
      self->items[self->n_items++] = a;
  if (!bind_where (self, statement->where, &binder, error)
      || !bind_order (self, NULL, statement->order_by, statement->n_order_by, &binder, error)
      || !kvsql_bind_count (&binder, statement->limit, "LIMIT", KVSQL_NO_LIMIT, &self->limit, error)
      || !choose (self, catalog, NULL, &binder, capabilities, error))
    return NULL;
  return self;
}
