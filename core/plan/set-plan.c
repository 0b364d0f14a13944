/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * set-plan.c: the columns of a set operation, and the clauses after it; those of a derived table.
 *
 * Types are found as in PostgreSQL: those of the first two operands, then the result and the third
 * operand, and so on. A literal without a type takes that of the column that it meets first. The
 * columns are called like those of the first operand. ORDER BY can use these names and positions
 * only: no row of the result belongs to one row of a relation.
 */
#include "config.h"

#include "core/plan/set-plan.h"
#include "core/expr/cast.h"

#include "core/base/interrupt.h"
#include "core/plan/predicate-private.h"
#include "core/plan/select-items.h"

const gchar *
kvsql_set_plan_get_name (const KvsqlSetPlan *self)
{
  static const gchar *const names[][2] = {
    [KVSQL_SET_UNION] = { "UNION", "UNION ALL" },
    [KVSQL_SET_INTERSECT] = { "INTERSECT", "INTERSECT ALL" },
    [KVSQL_SET_EXCEPT] = { "EXCEPT", "EXCEPT ALL" },
  };

  return names[self->kind][self->is_all ? 1 : 0];
}

const KvsqlRelation *
kvsql_set_plan_get_derived (const KvsqlSelectPlan *plan)
{
  return plan->join != NULL ? plan->join->relations[0].relation : plan->relation;
}

/* For errors, which PostgreSQL words without ALL. */
static const gchar *
name_of_kind (KvsqlSetKind kind)
{
  return kvsql_set_plan_get_name (&(KvsqlSetPlan){ .kind = kind });
}

/* ---- types */

static gboolean
check_counts (const KvsqlSelect *select, KvsqlSelectPlan *const *operands, GError **error)
{
  for (guint i = 1; i < select->set->n_operands; i++)
    if (operands[i]->n_items != operands[0]->n_items)
      {
        kvsql_error_set (
            error, KVSQL_ERROR_SYNTAX, kvsql_select_get_first_span (select->set->operands[i]),
            "each %s query must have the same number of columns", name_of_kind (select->set->kind));
        return kvsql_error_hint (error, "The first one has %u, and this one %u.",
                                 operands[0]->n_items, operands[i]->n_items);
      }
  return TRUE;
}

static gboolean
is_typed (const KvsqlExpr *expr)
{
  return !expr->is_untyped && expr->type != KVSQL_TYPE_NULL;
}

static KvsqlExpr *
new_column (const KvsqlSelectPlan *plan, guint i, KvsqlType type, const KvsqlBinder *binder)
{
  KvsqlSpan span = plan->outputs != NULL ? plan->outputs[i]->span : KVSQL_SPAN_NONE;

  return kvsql_expr_column (binder->arena, i, type, plan->item_names[i], span);
}

/* Column @i of an operand as unify () needs it: a literal that has no type yet, or a column. */
static KvsqlExpr *
get_column (const KvsqlSelectPlan *plan, guint i, const KvsqlBinder *binder)
{
  return plan->outputs != NULL && !is_typed (plan->outputs[i])
             ? plan->outputs[i]
             : new_column (plan, i, kvsql_select_plan_get_type (plan, i), binder);
}

static gboolean
unify_pair (KvsqlExpr *pair[2], const gchar *what, const KvsqlBinder *binder, KvsqlType *out,
            GError **error)
{
  if (!kvsql_expr_unify (binder, pair, 2, what, out, error))
    return FALSE;
  for (guint i = 0; i < 2 && *out == KVSQL_TYPE_NULL; i++)
    {
      pair[i] = kvsql_expr_convert (binder, pair[i], KVSQL_TYPE_STRING, error);
      if (pair[i] == NULL)
        return FALSE;
    }
  if (*out == KVSQL_TYPE_NULL)
    *out = KVSQL_TYPE_STRING;
  return TRUE;
}

/* The type of column @i. Literals get their types. */
static gboolean
find_type (KvsqlSelectPlan *const *operands, guint n_operands, guint i, const gchar *what,
           const KvsqlBinder *binder, KvsqlType *out, GError **error)
{
  KvsqlExpr *pair[2] = { get_column (operands[0], i, binder) };

  for (guint k = 1; k < n_operands; k++)
    {
      KvsqlExpr *left = pair[0], *right = pair[1] = get_column (operands[k], i, binder);

      if (!kvsql_interrupt_poll (error) || !unify_pair (pair, what, binder, out, error))
        return FALSE;
      if (!is_typed (left))
        operands[0]->outputs[i] = pair[0];
      if (!is_typed (right))
        operands[k]->outputs[i] = pair[1];
      pair[0] = new_column (operands[0], i, *out, binder);
    }
  return TRUE;
}

/* The columns of an operand, converted to @types. */
static gboolean
convert_columns (KvsqlSetOperand *self, const KvsqlType *types, const KvsqlBinder *binder,
                 GError **error)
{
  const KvsqlSelectPlan *plan = self->plan;

  self->columns = kvsql_arena_array (binder->arena, KvsqlExpr *, plan->n_items);
  for (guint i = 0; i < plan->n_items; i++)
    {
      KvsqlType type = kvsql_select_plan_get_type (plan, i), unused;
      KvsqlExpr *pair[2]
          = { new_column (plan, i, type, binder), new_column (plan, i, types[i], binder) };

      if (!kvsql_interrupt_poll (error)
          || !kvsql_expr_unify (binder, pair, 2, "UNION", &unused, error))
        return FALSE;
      self->columns[i] = pair[0];
      self->is_converted = self->is_converted || type != types[i];
    }
  return TRUE;
}

/* ---- the operation */

static gboolean
make_operands (KvsqlSetPlan *self, KvsqlSelectPlan *const *operands, const KvsqlType *types,
               const KvsqlBinder *binder, GError **error)
{
  self->operands = kvsql_arena_array (binder->arena, KvsqlSetOperand, self->n_operands);
  for (guint i = 0; i < self->n_operands; i++)
    {
      KvsqlSetOperand *operand = &self->operands[i];

      operand->plan = operands[i];
      operand->number = self->n_numbers++;
      self->n_numbers += kvsql_select_plan_count_operands (operands[i]);
      self->is_verified = self->is_verified || kvsql_select_plan_has_verified (operands[i]);
      if (!convert_columns (operand, types, binder, error))
        return FALSE;
    }
  return TRUE;
}

/* Whether column @i may be NULL. A row of INTERSECT is in both operands, one of EXCEPT in the first
 * one. */
static gboolean
is_nullable (const KvsqlSetPlan *self, guint i)
{
  guint n = 0;

  for (guint k = 0; k < self->n_operands; k++)
    n += self->operands[k].plan->item_is_nullable[i] ? 1 : 0;
  switch (self->kind)
    {
    case KVSQL_SET_UNION:
      return n > 0;
    case KVSQL_SET_INTERSECT:
      return n == self->n_operands;
    default:
      return self->operands[0].plan->item_is_nullable[i];
    }
}

/* A column has a zone if that of an operand has; and the digits of all operands, if they are the
 * same. */
static KvsqlTypeLimit
shown_of (const KvsqlSetPlan *self, guint item)
{
  KvsqlTypeLimit all = { 0 };

  for (guint i = 0; i < self->n_operands; i++)
    {
      const KvsqlTypeLimit limit = kvsql_select_plan_get_limit (self->operands[i].plan, item);
      const KvsqlTypeLimit one = kvsql_type_limit_shown_of (&limit);

      if (one.kind == KVSQL_LIMIT_ZONE)
        return one;
      if (i > 0 && (one.kind != all.kind || one.scale != all.scale))
        return (KvsqlTypeLimit){ 0 };
      all = one;
    }
  return all;
}

/* A relation whose attributes are the columns of the operation. */
static KvsqlRelation *
make_relation (const KvsqlSetPlan *self, const gchar *name, const KvsqlType *types,
               KvsqlArena *arena)
{
  const KvsqlSelectPlan *first = self->operands[0].plan;
  KvsqlRelation *relation = kvsql_arena_new0 (arena, KvsqlRelation);

  relation->name = name;
  relation->n_attributes = first->n_items;
  relation->attributes = kvsql_arena_array (arena, KvsqlAttribute, first->n_items);
  for (guint i = 0; i < first->n_items; i++)
    relation->attributes[i] = (KvsqlAttribute){
      .name = first->item_names[i],
      .name_hash = kvsql_name_hash (first->item_names[i]),
      .type = types[i],
      .is_not_null = !is_nullable (self, i),
      .limit = shown_of (self, i),
    };
  return relation;
}

/* ---- ORDER BY */

static gboolean
fail_order (const KvsqlSelect *select, const KvsqlRelation *columns, const KvsqlAstExpr *expr,
            GError **error)
{
  const gchar *name = name_of_kind (select->set->kind);

  if (expr->kind == KVSQL_AST_NAME && expr->qualifier.text == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, expr->span, "\"%s\" is not a column of %s",
                       expr->name.text, name);
      kvsql_error_sqlstate (error, "42703");
      return kvsql_error_hint (error,
                               "Its columns are called like those of its first SELECT, "
                               "and can be numbered: ORDER BY %s, or ORDER BY 1.",
                               columns->attributes[0].name);
    }
  kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                   "ORDER BY of %s can only use the names and positions of its columns", name);
  return kvsql_error_hint (error, "Add the expression to each SELECT, with an alias, and sort by "
                                  "that.");
}

static gboolean
check_order (const KvsqlSelect *select, const KvsqlRelation *columns, GError **error)
{
  for (guint i = 0; i < select->n_order_by; i++)
    {
      const KvsqlAstExpr *expr = select->order_by[i].expr;
      gboolean is_known = expr->kind == KVSQL_AST_LITERAL
                          || (expr->kind == KVSQL_AST_NAME && expr->qualifier.text == NULL
                              && kvsql_relation_choose (columns, &expr->name).n > 0);

      if (!kvsql_interrupt_poll (error)
          || (!is_known && !fail_order (select, columns, expr, error)))
        return FALSE;
    }
  return TRUE;
}

/* Binds SELECT * FROM the operation ORDER BY …. */
static gboolean
bind_columns (KvsqlSelectPlan *self, const KvsqlSelect *select, const KvsqlBinder *binder,
              GError **error)
{
  KvsqlSelectItem star = { .span = kvsql_select_get_first_span (select) };
  const KvsqlSelect all = {
    .items = &star, .n_items = 1, .order_by = select->order_by, .n_order_by = select->n_order_by
  };

  if (!check_order (select, self->relation, error)
      || !kvsql_select_items_bind (self, &all, binder, error))
    return FALSE;
  self->is_distinct = !self->set->is_all || select->is_distinct;
  return TRUE;
}

gboolean
kvsql_set_plan_bind (KvsqlSelectPlan *self, const KvsqlSelect *select,
                     KvsqlSelectPlan *const *operands, KvsqlBinder *binder, GError **error)
{
  const KvsqlSetOperation *set = select->set;
  KvsqlType *types;

  self->set = kvsql_arena_new0 (binder->arena, KvsqlSetPlan);
  self->set->kind = set->kind;
  self->set->is_all = set->is_all;
  self->set->n_operands = set->n_operands;
  if (!check_counts (select, operands, error))
    return FALSE;
  types = kvsql_arena_array (binder->arena, KvsqlType, operands[0]->n_items);
  for (guint i = 0; i < operands[0]->n_items; i++)
    if (!find_type (operands, set->n_operands, i, name_of_kind (set->kind), binder, &types[i],
                    error)
        || (!(set->kind == KVSQL_SET_UNION && set->is_all)
            && !kvsql_cast_check_comparable (types[i], FALSE, kvsql_select_get_first_span (select),
                                             error)))
      return FALSE;
  if (!make_operands (self->set, operands, types, binder, error))
    return FALSE;
  self->relation = binder->relation
      = make_relation (self->set, kvsql_set_plan_get_name (self->set), types, binder->arena);
  binder->alias = NULL;
  self->predicate = kvsql_predicate_new_constant (binder, TRUE, KVSQL_SPAN_NONE);
  return bind_columns (self, select, binder, error)
         && kvsql_bind_count (binder, select->limit, "LIMIT", KVSQL_NO_LIMIT, &self->limit, error)
         && kvsql_bind_count (binder, select->offset, "OFFSET", 0, &self->offset, error);
}

/* ---- derived tables */

/* The names after the alias, in place of those of the first columns. */
static gboolean
rename_columns (KvsqlRelation *relation, const KvsqlSource *source, GError **error)
{
  if (source->n_columns > relation->n_attributes)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, source->columns[relation->n_attributes].span,
                       "\"%s\" has %u columns available but %u columns specified", relation->name,
                       relation->n_attributes, source->n_columns);
      return kvsql_error_hint (error, "Leave the last names out, or add items to the query.");
    }
  for (guint i = 0; i < source->n_columns; i++)
    {
      relation->attributes[i].name = source->columns[i].text;
      relation->attributes[i].name_hash = kvsql_name_hash (source->columns[i].text);
      relation->attributes[i].is_quoted = source->columns[i].is_quoted;
    }
  return TRUE;
}

gboolean
kvsql_set_plan_bind_derived (KvsqlSelectPlan *self, KvsqlSelectPlan *query,
                             const KvsqlSource *source, GError **error)
{
  const KvsqlBinder *binder = self->binder;
  const KvsqlName *name = &source->relation;
  KvsqlType *types = kvsql_arena_array (binder->arena, KvsqlType, query->n_items);
  KvsqlRelation *relation;

  if (query->n_items > KVSQL_MAX_ATTRIBUTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, name->span,
                            "a query in FROM has more than %d columns", KVSQL_MAX_ATTRIBUTES);
  for (guint i = 0; i < query->n_items; i++)
    types[i] = kvsql_select_plan_get_type (query, i);
  self->set = kvsql_arena_new0 (binder->arena, KvsqlSetPlan);
  self->set->kind = KVSQL_SET_UNION;
  self->set->is_all = TRUE;
  self->set->n_operands = 1;
  if (!make_operands (self->set, &query, types, binder, error))
    return FALSE;
  relation = make_relation (self->set, name->text, types, binder->arena);
  relation->is_quoted = name->is_quoted;
  relation->is_derived = TRUE;
  for (guint i = 0; i < query->n_items; i++)
    relation->attributes[i].limit = kvsql_select_plan_get_limit (query, i);
  self->relation = relation;
  return rename_columns (relation, source, error);
}
