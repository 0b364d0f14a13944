/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-plan.c: binds SET, ON CONFLICT, USING TIMESTAMP and RETURNING.
 */
#include "config.h"

#include "core/expr/binder.h"
#include "core/expr/evaluate.h"
#include "core/expr/star.h"
#include "core/plan/pushdown.h"
#include "core/plan/write-plan.h"

#include "core/base/interrupt.h"
#include "core/plan/bind-subquery.h"
#include "core/plan/blind-statements.h"
#include "core/plan/find-relation.h"
#include "core/plan/joined-write.h"
#include "core/plan/select-planner.h"

/* The year 10000. A timestamp after it is not in milliseconds but in a smaller unit. */
#define MAX_TIMESTAMP G_GINT64_CONSTANT (253402300800000)

/* ---- SET */

static gboolean
check_assigned_once (const KvsqlWritePlan *self, const KvsqlName *name, guint attribute,
                     GError **error)
{
  return !kvsql_attribute_set_has (&self->assigned, attribute)
         || kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                             "attribute \"%s\" is assigned twice", name->text);
}

static KvsqlExpr *
bind_value (const KvsqlWritePlan *self, const KvsqlBinder *binder, guint number,
            const KvsqlAstExpr *value, KvsqlSpan span, GError **error)
{
  const KvsqlAttribute *attribute = &self->entry->relation->attributes[number];
  KvsqlExpr *expr;

  if (value == NULL)
    return self->rules->defaults[number]
               ?: kvsql_expr_constant (binder->arena, &attribute->default_value, span);
  expr = kvsql_expr_bind (binder, value, error);
  return expr == NULL ? NULL : kvsql_expr_assign (binder, expr, attribute, error);
}

/* A tuple that moves is locked under its new key, which has to be the same when it is computed
 * again. */
static gboolean
check_key (const KvsqlRelation *relation, const KvsqlSetItem *set, GError **error)
{
  if (!kvsql_attribute_set_has (&relation->keys, set->attribute)
      || !kvsql_expr_is_volatile (set->expr))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, set->span,
                   "a KEY cannot be set to a value that differs each time it is computed");
  return kvsql_error_hint (error, "Compute the value first, and pass it as a parameter.");
}

static gboolean
bind_sets (KvsqlWritePlan *self, const KvsqlAssignment *assignments, guint n,
           const KvsqlBinder *binder, GError **error)
{
  const KvsqlRelation *relation = self->entry->relation;

  self->sets = kvsql_arena_array (binder->arena, KvsqlSetItem, n);
  for (guint i = 0; i < n; i++)
    {
      KvsqlSetItem *set = &self->sets[i];

      set->span
          = assignments[i].expr != NULL ? assignments[i].expr->span : assignments[i].name.span;
      set->op = assignments[i].expr != NULL ? assignments[i].expr->op : KVSQL_OP_NONE;
      if (!kvsql_relation_find (relation, &assignments[i].name, &set->attribute, error)
          || !check_assigned_once (self, &assignments[i].name, set->attribute, error))
        return FALSE;
      set->expr = bind_value (self, binder, set->attribute, assignments[i].expr, set->span, error);
      if (set->expr == NULL || !check_key (relation, set, error))
        return FALSE;
      /* The writer does not convert. NULL as DEFAULT has no type. */
      g_assert (set->expr->type == relation->attributes[set->attribute].type
                || set->expr->type == KVSQL_TYPE_NULL);
      kvsql_attribute_set_add (&self->assigned, set->attribute);
    }
  self->n_sets = n;
  return TRUE;
}

/* ---- USING TIMESTAMP */

static gboolean
bind_timestamp (KvsqlWritePlan *self, const KvsqlAstExpr *timestamp, const KvsqlBinder *outer,
                GError **error)
{
  KvsqlBinder binder = *outer;
  KvsqlValue value;
  KvsqlExpr *expr;

  if (timestamp == NULL)
    return TRUE;
  binder.relation = NULL;
  expr = kvsql_expr_bind (&binder, timestamp, error);
  if (expr == NULL)
    return FALSE;
  if (expr->type == KVSQL_TYPE_STRING)
    expr = kvsql_expr_convert (&binder, expr, KVSQL_TYPE_TIMESTAMP, error);
  else if (expr->type != KVSQL_TYPE_TIMESTAMP)
    expr = kvsql_expr_convert (&binder, expr, KVSQL_TYPE_BIGINT, error);
  if (expr == NULL || !kvsql_expr_evaluate (expr, NULL, binder.arena, &value, error))
    return FALSE;
  if (outer->is_prepare)
    return TRUE;
  if (kvsql_value_is_null (&value) || value.integer < 2 || value.integer >= MAX_TIMESTAMP)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, timestamp->span,
                       "USING TIMESTAMP takes milliseconds since 1970, from 2 on");
      return kvsql_error_hint (error, "A time can be written TIMESTAMP '2024-02-29 12:00:00'.");
    }
  self->timestamp = value.integer;
  return TRUE;
}

/* ---- RETURNING */

static const gchar *
item_name (const KvsqlSelectItem *item)
{
  if (item->alias.text != NULL)
    return item->alias.text;
  switch (item->expr->kind)
    {
    case KVSQL_AST_NAME:
    case KVSQL_AST_FUNCTION:
      return item->expr->name.text;
    case KVSQL_AST_CAST:
      return "cast";
    case KVSQL_AST_CASE:
      return "case";
    default:
      return "?column?";
    }
}

static void
add_returning (KvsqlWritePlan *self, KvsqlExpr *expr, const gchar *name)
{
  g_assert (expr->type != KVSQL_TYPE_NULL); /* a column of a result has a type */
  self->returning_names[self->n_returning] = name;
  self->returning[self->n_returning++] = expr;
}

static void
add_column (KvsqlWritePlan *self, const KvsqlBinder *binder, guint column, const gchar *name,
            KvsqlSpan span)
{
  kvsql_binder_note_use (binder, column);
  add_returning (self,
                 kvsql_expr_column (binder->arena, column,
                                    binder->relation->attributes[column].type, name, span),
                 name);
}

/* *: all that FROM has, or all attributes of the relation. */
static gboolean
add_star (KvsqlWritePlan *self, const KvsqlBinder *binder, const KvsqlSelectItem *item,
          GError **error)
{
  KvsqlStarColumn *columns;
  guint n;

  if (!kvsql_star_expand (binder, &item->star_of, &columns, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    add_column (self, binder, columns[i].attribute, columns[i].name, item->span);
  return TRUE;
}

static gboolean
bind_returning (KvsqlWritePlan *self, const KvsqlSelectItem *items, guint n,
                const KvsqlBinder *binder, GError **error)
{
  guint most = n * binder->relation->n_attributes + 1;

  self->returning = kvsql_arena_array (binder->arena, KvsqlExpr *, most);
  self->returning_names = kvsql_arena_array (binder->arena, const gchar *, most);
  for (guint i = 0; i < n; i++)
    {
      const KvsqlAttribute *attribute = NULL;
      KvsqlExpr *expr;

      if (items[i].expr == NULL)
        {
          if (!add_star (self, binder, &items[i], error))
            return FALSE;
          continue;
        }
      expr = kvsql_expr_bind (binder, items[i].expr, error);
      if (expr == NULL)
        return FALSE;
      if (expr->type == KVSQL_TYPE_NULL || expr->is_untyped)
        expr = kvsql_expr_convert (binder, expr, KVSQL_TYPE_STRING, error);
      if (expr == NULL)
        return FALSE;
      /* the name in its definition */
      if (expr->kind == KVSQL_EXPR_COLUMN && items[i].alias.text == NULL)
        attribute = kvsql_write_plan_get_attribute (self, expr->column, NULL);
      add_returning (self, expr, attribute != NULL ? attribute->name : item_name (&items[i]));
    }
  return TRUE;
}

/* ---- UPDATE, DELETE */

/* What UPDATE and DELETE have in common. */
typedef struct
{
  KvsqlBinding binding;
  KvsqlDelete which; /* the tuples */
  const KvsqlBinder *outer;
  KvsqlBinder binder; /* of SET and RETURNING */
  KvsqlSubqueryBinder subqueries;
} Writing;

static gboolean
bind_find (KvsqlWritePlan *self, Writing *writing, GError **error)
{
  KvsqlBinder named = *writing->outer;

  named.alias = &writing->which.alias;
  self->find = kvsql_delete_plan_make (writing->binding.catalog, &writing->which, &named,
                                       writing->binding.capabilities, error);
  if (self->find == NULL)
    return FALSE;
  self->entry = self->find->entry;
  self->limit = self->find->limit;
  writing->binder.relation = self->entry->relation;
  writing->binder.alias = &writing->which.alias;
  return TRUE;
}

/* Only the names: the plan is made when it is known which columns are used. */
static gboolean
bind_joined (KvsqlWritePlan *self, Writing *writing, GError **error)
{
  KvsqlJoinedWrite *joined = kvsql_joined_write_bind (&writing->binding, writing->which.from,
                                                      writing->which.where, writing->outer, error);

  if (joined == NULL)
    return FALSE;
  self->joined = joined;
  self->entry = joined->bound->entry;
  self->limit = KVSQL_NO_LIMIT;
  writing->binder = *kvsql_joined_write_get_binder (joined);
  return TRUE;
}

/* @self->kind must be set. */
static gboolean
begin_writing (KvsqlWritePlan *self, Writing *writing, const KvsqlCatalog *catalog,
               const KvsqlDelete *which, const KvsqlStoreCapabilities *capabilities,
               const KvsqlBinder *outer, GError **error)
{
  *writing = (Writing){ .binding = { catalog, capabilities, kvsql_select_plan_make },
                        .which = *which,
                        .outer = outer,
                        .binder = *outer };
  if (!(which->from != NULL ? bind_joined : bind_find) (self, writing, error))
    return FALSE;
  self->subqueries = kvsql_subquery_binder_init (&writing->subqueries, catalog, capabilities,
                                                 kvsql_select_plan_make, &writing->binder);
  return TRUE;
}

static void
add_used (guint column, gpointer set)
{
  kvsql_attribute_set_add (set, column);
}

static gboolean
end_writing (KvsqlWritePlan *self, Writing *writing, GError **error)
{
  KvsqlAttributeSet used = { 0 };

  if (self->joined == NULL)
    return kvsql_interrupt_poll (error);
  for (guint i = 0; i < self->n_sets; i++)
    kvsql_expr_foreach_column (self->sets[i].expr, add_used, &used);
  for (guint i = 0; i < self->n_returning; i++)
    kvsql_expr_foreach_column (self->returning[i], add_used, &used);
  self->find = kvsql_joined_write_plan (self->joined, &writing->binding, writing->which.from,
                                        writing->which.where, &used, writing->outer, error);
  return self->find != NULL && kvsql_interrupt_poll (error);
}

/* The names of the tuple, without those of FROM. */
static KvsqlBinder
binder_alone (const KvsqlWritePlan *self, const Writing *writing)
{
  KvsqlBinder binder = writing->binder;

  binder.relation = self->entry->relation;
  binder.relations = binder.all_relations = NULL;
  binder.columns = NULL;
  binder.n_relations = binder.n_all_relations = binder.n_columns = 0;
  return binder;
}

static gboolean
bind_update (KvsqlWritePlan *self, const KvsqlUpdate *statement, Writing *writing, GError **error)
{
  const KvsqlBinder *binder = &writing->binder;
  const KvsqlBinder alone = binder_alone (self, writing);

  self->rules = kvsql_row_rules_bind (&alone, self->entry->relation, error);
  return self->rules != NULL && kvsql_blind_check_update (self->entry->relation, statement, error)
         && bind_sets (self, statement->assignments, statement->n_assignments, binder, error)
         && bind_timestamp (self, statement->using_timestamp, &alone, error)
         && bind_returning (self, statement->returning, statement->n_returning, binder, error)
         && end_writing (self, writing, error);
}

KvsqlWritePlan *
kvsql_update_plan_make (const KvsqlCatalog *catalog, const KvsqlUpdate *statement,
                        const KvsqlBinder *outer, const KvsqlStoreCapabilities *capabilities,
                        GError **error)
{
  KvsqlWritePlan *self = kvsql_arena_new0 (outer->arena, KvsqlWritePlan);
  const KvsqlDelete which = { .relation = statement->relation,
                              .alias = statement->alias,
                              .from = statement->from,
                              .where = statement->where,
                              .order_by = statement->order_by,
                              .n_order_by = statement->n_order_by,
                              .limit = statement->limit };
  Writing writing;
  gboolean ok;

  self->kind = KVSQL_STATEMENT_UPDATE;
  if (!begin_writing (self, &writing, catalog, &which, capabilities, outer, error))
    return NULL;
  ok = bind_update (self, statement, &writing, error);
  kvsql_subquery_binder_clear (&writing.subqueries);
  return ok ? self : NULL;
}

static gboolean
bind_remove (KvsqlWritePlan *self, const KvsqlDelete *statement, Writing *writing, GError **error)
{
  const KvsqlBinder alone = binder_alone (self, writing);

  return kvsql_blind_check_delete (self->entry->relation, statement,
                                   self->joined == NULL ? self->find->predicate : NULL, error)
         && bind_timestamp (self, statement->using_timestamp, &alone, error)
         && bind_returning (self, statement->returning, statement->n_returning, &writing->binder,
                            error)
         && end_writing (self, writing, error);
}

KvsqlWritePlan *
kvsql_remove_plan_make (const KvsqlCatalog *catalog, const KvsqlDelete *statement,
                        const KvsqlBinder *outer, const KvsqlStoreCapabilities *capabilities,
                        GError **error)
{
  KvsqlWritePlan *self = kvsql_arena_new0 (outer->arena, KvsqlWritePlan);
  Writing writing;
  gboolean ok;

  self->kind = KVSQL_STATEMENT_DELETE;
  if (!begin_writing (self, &writing, catalog, statement, capabilities, outer, error))
    return NULL;
  ok = bind_remove (self, statement, &writing, error);
  kvsql_subquery_binder_clear (&writing.subqueries);
  if (!ok)
    return NULL;
  g_assert (self->find->best >= self->find->paths
            && self->find->best < self->find->paths + self->find->n_paths);
  if (self->timestamp != 0 && self->joined == NULL)
    kvsql_access_path_push_down_until (&self->find->paths[self->find->best - self->find->paths],
                                       self->timestamp, capabilities, outer->arena);
  return self;
}

/* ---- INSERT */

/* excluded.a: the attribute of the tuple that the INSERT provides. */
static gboolean
resolve_excluded (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **out,
                  GError **error)
{
  const KvsqlRelation *relation = binder->relation;
  guint attribute;

  *out = NULL;
  if (expr->kind != KVSQL_AST_NAME || expr->qualifier.text == NULL
      || !kvsql_name_means (&expr->qualifier, "excluded", FALSE))
    return TRUE;
  if (!kvsql_relation_find (relation, &expr->name, &attribute, error))
    return FALSE;
  *out = kvsql_expr_column (
      binder->arena, relation->n_attributes + attribute, relation->attributes[attribute].type,
      kvsql_arena_printf (binder->arena, "excluded.%s", relation->attributes[attribute].name),
      expr->span);
  return TRUE;
}

static gboolean
check_conflict_attributes (const KvsqlWritePlan *self, const KvsqlInsert *statement,
                           const KvsqlBinder *binder, GError **error)
{
  const KvsqlRelation *relation = self->entry->relation;
  KvsqlAttributeSet named = { 0 };
  guint attribute;

  if (statement->n_conflict_attributes == 0)
    return TRUE;
  for (guint i = 0; i < statement->n_conflict_attributes; i++)
    {
      const KvsqlName *name = &statement->conflict_attributes[i];
      if (!kvsql_relation_find (relation, name, &attribute, error))
        return FALSE;
      if (!relation->attributes[attribute].is_key)
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                                "attribute \"%s\" is not of the key of relation \"%s\"", name->text,
                                relation->name)
               || kvsql_error_hint (
                   error, "Only tuples with the same key conflict: write ON CONFLICT DO.");
      kvsql_attribute_set_add (&named, attribute);
      kvsql_binder_note_use (binder, attribute);
    }
  if (kvsql_attribute_set_contains (&named, &relation->keys))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, statement->conflict_attributes[0].span,
                   "ON CONFLICT names a part of the key of relation \"%s\"", relation->name);
  return kvsql_error_hint (error, "Name all of it, or nothing: ON CONFLICT DO.");
}

/* Leaves out k = excluded.k, which changes nothing: some object-relational mappers write it. */
static gboolean
check_keys_stay (KvsqlWritePlan *self, const KvsqlInsert *statement, GError **error)
{
  const KvsqlRelation *relation = self->entry->relation;
  guint n = 0;

  for (guint i = 0; i < self->n_sets; i++)
    {
      const KvsqlExpr *value = self->sets[i].expr;

      if (!relation->attributes[self->sets[i].attribute].is_key)
        self->sets[n++] = self->sets[i];
      else if (value->kind != KVSQL_EXPR_COLUMN
               || value->column != relation->n_attributes + self->sets[i].attribute)
        return kvsql_error_set (
                   error, KVSQL_ERROR_UNSUPPORTED, statement->assignments[i].name.span,
                   "ON CONFLICT DO UPDATE cannot assign to \"%s\", which is of the key",
                   statement->assignments[i].name.text)
               || kvsql_error_hint (error, "Use UPDATE to give a tuple another key.");
    }
  self->n_sets = n;
  return TRUE;
}

KvsqlWritePlan *
kvsql_insert_plan_make (const KvsqlCatalog *catalog, const KvsqlInsert *statement,
                        const KvsqlBinder *outer, const KvsqlStoreCapabilities *capabilities,
                        GError **error)
{
  KvsqlWritePlan *self = kvsql_arena_new0 (outer->arena, KvsqlWritePlan);
  KvsqlBinder binder = *outer, conflict;
  g_auto (KvsqlSubqueryBinder) subqueries;

  self->subqueries = kvsql_subquery_binder_init (&subqueries, catalog, capabilities,
                                                 kvsql_select_plan_make, &binder);

  self->kind = KVSQL_STATEMENT_INSERT;
  self->limit = KVSQL_NO_LIMIT;
  self->on_conflict = statement->on_conflict;
  self->conflict_span = statement->conflict_span;
  self->entry = kvsql_plan_find_relation (catalog, &statement->relation, error);
  if (self->entry == NULL)
    return NULL;
  if (self->entry->relation->is_unique && self->on_conflict == KVSQL_CONFLICT_REPLACE)
    {
      self->on_conflict = KVSQL_CONFLICT_FAIL;
      self->conflict_span = statement->relation.span;
    }
  binder.relation = self->entry->relation;
  conflict = binder;
  conflict.resolve = resolve_excluded;
  self->rules = kvsql_row_rules_bind (&binder, self->entry->relation, error);
  if (self->rules == NULL || !kvsql_blind_check_insert (self->entry->relation, statement, error)
      || !check_conflict_attributes (self, statement, &binder, error)
      || !bind_sets (self, statement->assignments, statement->n_assignments, &conflict, error)
      || !check_keys_stay (self, statement, error))
    return NULL;
  if (statement->conflict_where != NULL)
    {
      self->conflict_where
          = kvsql_expr_bind_boolean (&conflict, statement->conflict_where, "WHERE", error);
      if (self->conflict_where == NULL)
        return NULL;
    }
  if (!bind_timestamp (self, statement->using_timestamp, &binder, error)
      || !bind_returning (self, statement->returning, statement->n_returning, &binder, error))
    return NULL;
  return kvsql_interrupt_poll (error) ? self : NULL;
}

/* ---- columns */

guint
kvsql_write_plan_count_columns (const KvsqlWritePlan *self)
{
  return self->joined != NULL ? self->joined->bound->relation->n_attributes
                              : self->entry->relation->n_attributes;
}

const KvsqlAttribute *
kvsql_write_plan_get_attribute (const KvsqlWritePlan *self, guint column,
                                const KvsqlRelation **out_relation)
{
  const KvsqlBinderRelation alone = { .relation = self->entry->relation };
  const KvsqlBinder *names = self->joined == NULL ? NULL : self->joined->bound->binder;
  guint n = names == NULL ? 1 : names->n_relations;

  for (guint i = 0; i < n; i++)
    {
      const KvsqlBinderRelation *one = names == NULL ? &alone : &names->relations[i];

      if (column < one->first || column - one->first >= one->relation->n_attributes)
        continue;
      if (out_relation != NULL)
        *out_relation = one->relation;
      return &one->relation->attributes[column - one->first];
    }
  return NULL;
}

/* ---- special cases */

gboolean
kvsql_write_plan_moves_keys (const KvsqlWritePlan *self)
{
  for (guint i = 0; i < self->n_sets; i++)
    if (self->entry->relation->attributes[self->sets[i].attribute].is_key)
      return TRUE;
  return FALSE;
}

/* Skips a conversion that keeps all values. */
static const KvsqlExpr *
without_cast (const KvsqlExpr *expr)
{
  while (expr->kind == KVSQL_EXPR_CAST && (expr->is_implicit || expr->is_assignment)
         && kvsql_type_get_class (expr->type) == KVSQL_CLASS_INTEGER)
    expr = expr->children[0];
  return expr;
}

static gboolean
is_amount (const KvsqlExpr *expr, gint64 *out)
{
  expr = without_cast (expr);
  if (expr->kind != KVSQL_EXPR_CONSTANT || kvsql_value_is_null (&expr->value)
      || (expr->type != KVSQL_TYPE_BIGINT && expr->type != KVSQL_TYPE_INT))
    return FALSE;
  *out = expr->value.integer;
  return TRUE;
}

gboolean
kvsql_write_plan_is_counter (const KvsqlWritePlan *self, guint *out_attribute, gint64 *out_amount)
{
  const KvsqlExpr *expr, *left, *right;
  gboolean is_difference;

  if (self->kind != KVSQL_STATEMENT_UPDATE || self->n_sets != 1 || self->n_returning > 0
      || self->timestamp != 0)
    return FALSE;
  *out_attribute = self->sets[0].attribute;
  if (kvsql_attribute_set_has (&self->rules->checked, *out_attribute))
    return FALSE; /* the sum has to be known */
  expr = without_cast (self->sets[0].expr);
  if (self->entry->relation->attributes[*out_attribute].type != KVSQL_TYPE_BIGINT
      || expr->kind != KVSQL_EXPR_CALL || expr->n_children != 2)
    return FALSE;
  is_difference = self->sets[0].op == KVSQL_OP_SUBTRACT;
  if (!is_difference && self->sets[0].op != KVSQL_OP_ADD)
    return FALSE;
  left = without_cast (expr->children[0]);
  right = without_cast (expr->children[1]);
  if (!is_difference && right->kind == KVSQL_EXPR_COLUMN)
    {
      const KvsqlExpr *swapped = left;
      left = right;
      right = swapped;
    }
  if (left->kind != KVSQL_EXPR_COLUMN || left->column != *out_attribute
      || !is_amount (right, out_amount) || *out_amount == G_MININT64)
    return FALSE;
  *out_amount = is_difference ? -*out_amount : *out_amount;
  return TRUE;
}
