/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shape.c: see shape.h.
 */
#include "config.h"

#include "core/advisor/shape.h"

#include "core/plan/row-items.h"

#include <math.h>

typedef struct
{
  const KvsqlRelation *relation;
  KvsqlArena *arena;
  KvsqlShape *shape;
} Reader;

gboolean
kvsql_shape_fail_unsupported (KvsqlSpan span, const gchar *what, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, span, "the advisor does not take %s yet",
                          what)
         || kvsql_error_hint (error, "A SELECT may join relations; another statement has one.");
}

gboolean
kvsql_shape_fail_source (const KvsqlSource *source, KvsqlSpan span, GError **error)
{
  return kvsql_shape_fail_unsupported (
      span, source->query->function != NULL ? "functions in FROM" : "subqueries", error);
}

/* ---- names */

static gboolean
add_names (const Reader *self, const KvsqlAstExpr *expr, KvsqlAttributeSet *out, GError **error)
{
  guint attribute;

  if (expr->subquery != NULL)
    return kvsql_shape_fail_unsupported (expr->span, "subqueries", error);
  if (expr->kind == KVSQL_AST_NAME)
    {
      if (!kvsql_relation_find (self->relation, &expr->name, &attribute, error))
        return FALSE;
      kvsql_attribute_set_add (out, attribute);
    }
  for (guint i = 0; i < expr->n_children; i++)
    if (expr->children[i] != NULL && !add_names (self, expr->children[i], out, error))
      return FALSE;
  return TRUE;
}

static gboolean
is_constant (const KvsqlAstExpr *expr)
{
  if (expr->kind == KVSQL_AST_NAME || expr->subquery != NULL)
    return FALSE;
  for (guint i = 0; i < expr->n_children; i++)
    if (expr->children[i] != NULL && !is_constant (expr->children[i]))
      return FALSE;
  return TRUE;
}

static gboolean
are_constant (KvsqlAstExpr *const *exprs, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!is_constant (exprs[i]))
      return FALSE;
  return TRUE;
}

/* ---- conditions */

static gboolean
is_bound (const KvsqlAstExpr *expr)
{
  if (expr->kind == KVSQL_AST_BINARY)
    return expr->op >= KVSQL_OP_LT && expr->op <= KVSQL_OP_GE;
  return !expr->is_negated
         && (expr->kind == KVSQL_AST_BETWEEN
             || (expr->kind == KVSQL_AST_LIKE && !expr->is_caseless));
}

static gboolean
is_equality (const KvsqlAstExpr *expr)
{
  return (expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_EQ)
         || (expr->kind == KVSQL_AST_IN && !expr->is_negated)
         || (expr->kind == KVSQL_AST_IS_NULL && !expr->is_negated);
}

/* The set to which the attributes of a condition belong. */
static KvsqlAttributeSet *
choose_set (const Reader *self, const KvsqlAstExpr *expr)
{
  KvsqlAstExpr *const *children = expr->children;
  gboolean is_mirrored = expr->kind == KVSQL_AST_BINARY && expr->n_children == 2
                         && children[1]->kind == KVSQL_AST_NAME && is_constant (children[0]);

  if (!is_mirrored
      && (expr->n_children == 0 || children[0]->kind != KVSQL_AST_NAME
          || !are_constant (children + 1, expr->n_children - 1)))
    return &self->shape->filtered;
  if (is_equality (expr))
    return &self->shape->equal;
  return is_bound (expr) ? &self->shape->bounded : &self->shape->filtered;
}

static gboolean
add_condition (const Reader *self, const KvsqlAstExpr *expr, GError **error)
{
  if (expr->kind == KVSQL_AST_BINARY && expr->op == KVSQL_OP_AND)
    return add_condition (self, expr->children[0], error)
           && add_condition (self, expr->children[1], error);
  if (expr->kind == KVSQL_AST_IN && expr->subquery == NULL && !expr->is_negated)
    self->shape->fan_out = MIN (self->shape->fan_out * (expr->n_children - 1), 1000000);
  return add_names (self, expr, choose_set (self, expr), error);
}

/* JSON cannot be in a row key: its conditions are computed for each tuple. */
static void
filter_json (const Reader *self)
{
  const KvsqlRelation *relation = self->relation;
  KvsqlShape *shape = self->shape;

  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_type_is_json (relation->attributes[a].type)
        && (kvsql_attribute_set_has (&shape->equal, a)
            || kvsql_attribute_set_has (&shape->bounded, a)))
      {
        kvsql_attribute_set_remove (&shape->equal, a);
        kvsql_attribute_set_remove (&shape->bounded, a);
        kvsql_attribute_set_add (&shape->filtered, a);
      }
}

/* @where: (nullable) */
static gboolean
add_where (const Reader *self, const KvsqlAstExpr *where, GError **error)
{
  KvsqlShape *shape = self->shape;

  if (where != NULL && !add_condition (self, where, error))
    return FALSE;
  filter_json (self);
  for (guint i = 0; i < G_N_ELEMENTS (shape->bounded.bits); i++)
    shape->bounded.bits[i] &= ~shape->equal.bits[i];
  return TRUE;
}

/* ---- the other clauses */

static gboolean
add_order (const Reader *self, const KvsqlOrderItem *items, guint n, GError **error)
{
  KvsqlShape *shape = self->shape;
  gboolean are_names = TRUE;

  shape->is_sorted = n > 0;
  shape->order = kvsql_arena_array (self->arena, guint, n);
  shape->is_descending = kvsql_arena_array (self->arena, gboolean, n);
  for (guint i = 0; i < n; i++)
    {
      const KvsqlAstExpr *expr = items[i].expr;

      are_names = are_names && expr->kind == KVSQL_AST_NAME;
      if (!add_names (self, expr, &shape->read, error))
        return FALSE;
      shape->is_descending[i] = items[i].is_descending;
      if (are_names && !kvsql_relation_find (self->relation, &expr->name, &shape->order[i], error))
        return FALSE;
      are_names
          = are_names && !kvsql_type_is_json (self->relation->attributes[shape->order[i]].type);
    }
  shape->n_order = are_names ? n : 0;
  return TRUE;
}

/* @limit, @offset: (nullable) */
static void
set_limit (KvsqlShape *shape, const KvsqlAstExpr *limit, const KvsqlAstExpr *offset)
{
  gdouble skipped = 0;

  shape->limit = INFINITY;
  if (offset != NULL && offset->kind == KVSQL_AST_LITERAL
      && offset->value.type == KVSQL_TYPE_BIGINT)
    skipped = (gdouble)offset->value.integer;
  if (limit != NULL && limit->kind == KVSQL_AST_LITERAL && limit->value.type == KVSQL_TYPE_BIGINT)
    shape->limit = (gdouble)limit->value.integer + skipped;
}

/* @items without an expression: * */
static gboolean
add_items (const Reader *self, const KvsqlSelectItem *items, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      if (items[i].expr == NULL)
        self->shape->read = self->relation->all;
      else if (!add_names (self, items[i].expr, &self->shape->read, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_call (const KvsqlSelect *select)
{
  for (guint i = 0; i < select->n_items; i++)
    if (select->items[i].expr != NULL && select->items[i].expr->kind == KVSQL_AST_FUNCTION)
      return TRUE;
  return FALSE;
}

static gboolean
read_select (const Reader *self, const KvsqlSelect *select, GError **error)
{
  KvsqlShape *shape = self->shape;

  for (guint i = 0; i < select->n_group_by; i++)
    if (!add_names (self, select->group_by[i], &shape->read, error))
      return FALSE;
  if (!add_items (self, select->items, select->n_items, error)
      || (select->having != NULL && !add_names (self, select->having, &shape->read, error))
      || !add_where (self, select->where, error)
      || !add_order (self, select->order_by, select->n_order_by, error))
    return FALSE;
  set_limit (shape, select->limit, select->offset);
  /* groups, and rows without duplicates, are known after all tuples are read */
  if (select->n_group_by > 0 || select->is_distinct || has_call (select))
    {
      shape->limit = INFINITY;
      shape->n_order = 0;
    }
  return TRUE;
}

static gboolean
read_update (const Reader *self, const KvsqlUpdate *update, GError **error)
{
  guint attribute;

  for (guint i = 0; i < update->n_assignments; i++)
    {
      const KvsqlAssignment *assignment = &update->assignments[i];

      if (!kvsql_relation_find (self->relation, &assignment->name, &attribute, error)
          || (assignment->expr != NULL
              && !add_names (self, assignment->expr, &self->shape->read, error)))
        return FALSE;
      kvsql_attribute_set_add (&self->shape->assigned, attribute);
    }
  set_limit (self->shape, update->limit, NULL);
  return add_items (self, update->returning, update->n_returning, error)
         && add_where (self, update->where, error)
         && add_order (self, update->order_by, update->n_order_by, error);
}

static gboolean
read_insert (const Reader *self, const KvsqlInsert *insert, GError **error)
{
  guint attribute;

  if (insert->select != NULL)
    return kvsql_shape_fail_unsupported (insert->relation.span, "INSERT … SELECT", error);
  for (guint i = 0; i < insert->n_attributes; i++)
    {
      if (!kvsql_relation_find (self->relation, &insert->attributes[i], &attribute, error))
        return FALSE;
      kvsql_attribute_set_add (&self->shape->assigned, attribute);
    }
  if (insert->n_attributes == 0)
    self->shape->assigned = self->relation->all;
  return TRUE;
}

gboolean
kvsql_shape_make (const KvsqlAstStatement *statement, const KvsqlRelation *relation,
                  KvsqlArena *arena, KvsqlShape *out, GError **error)
{
  Reader reader = { .relation = relation, .arena = arena, .shape = out };

  *out = (KvsqlShape){ .kind = statement->kind, .fan_out = 1, .limit = INFINITY };
  if (statement->kind == KVSQL_STATEMENT_SELECT)
    return read_select (&reader, &statement->select, error);
  if (statement->kind == KVSQL_STATEMENT_INSERT)
    return read_insert (&reader, &statement->insert, error);
  if (statement->kind == KVSQL_STATEMENT_UPDATE)
    return read_update (&reader, &statement->update, error);
  set_limit (out, statement->delete_.limit, NULL);
  return add_items (&reader, statement->delete_.returning, statement->delete_.n_returning, error)
         && add_where (&reader, statement->delete_.where, error);
}

/* ---- questions */

static const KvsqlName *
find_source (const KvsqlAstStatement *statement, GError **error)
{
  const KvsqlSelect *select = &statement->select;

  if (select->set != NULL)
    kvsql_shape_fail_unsupported (statement->span, "set operations", error);
  else if (select->from.query != NULL)
    kvsql_shape_fail_source (&select->from, statement->span, error);
  else if (select->from.relation.text == NULL)
    kvsql_shape_fail_unsupported (statement->span, "a SELECT without FROM", error);
  else if (kvsql_row_items_are_in (select))
    kvsql_shape_fail_unsupported (statement->span, "functions of rows in a SELECT", error);
  else
    return &select->from.relation;
  return NULL;
}

const KvsqlName *
kvsql_shape_find_relation (const KvsqlAstStatement *statement, GError **error)
{
  if (statement->kind == KVSQL_STATEMENT_SELECT)
    return find_source (statement, error);
  if (statement->kind == KVSQL_STATEMENT_INSERT)
    return &statement->insert.relation;
  if ((statement->kind == KVSQL_STATEMENT_UPDATE && statement->update.from != NULL)
      || (statement->kind == KVSQL_STATEMENT_DELETE && statement->delete_.from != NULL))
    {
      kvsql_shape_fail_unsupported (statement->span, "joins", error);
      return NULL;
    }
  if (statement->kind == KVSQL_STATEMENT_UPDATE)
    return &statement->update.relation;
  if (statement->kind == KVSQL_STATEMENT_DELETE)
    return &statement->delete_.relation;
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, statement->span,
                   "a workload has only SELECT, INSERT, UPDATE and DELETE");
  return NULL;
}

static void
append_set (const KvsqlAttributeSet *set, GString *out)
{
  for (gint a = -1; (a = kvsql_attribute_set_next (set, a)) >= 0;)
    g_string_append_printf (out, "%d,", a);
  g_string_append_c (out, ';');
}

void
kvsql_shape_append_key (const KvsqlShape *self, GString *out)
{
  g_string_append_printf (out, "%d %u %d %g;", self->kind, self->fan_out, self->is_sorted,
                          self->limit);
  append_set (&self->equal, out);
  append_set (&self->bounded, out);
  append_set (&self->filtered, out);
  append_set (&self->read, out);
  append_set (&self->assigned, out);
  for (guint i = 0; i < self->n_order; i++)
    g_string_append_printf (out, "%u%c,", self->order[i], self->is_descending[i] ? 'd' : 'a');
}

KvsqlAttributeSet
kvsql_shape_get_needed (const KvsqlShape *self)
{
  KvsqlAttributeSet needed = self->read;

  kvsql_attribute_set_add_all (&needed, &self->equal);
  kvsql_attribute_set_add_all (&needed, &self->bounded);
  kvsql_attribute_set_add_all (&needed, &self->filtered);
  return needed;
}

gboolean
kvsql_shape_is_by_key (const KvsqlShape *self, const KvsqlRelation *relation)
{
  return kvsql_attribute_set_contains (&self->equal, &relation->keys);
}
