/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-compare.c: comparisons: =, <, IS DISTINCT FROM, IS TRUE, IS NULL, IN, BETWEEN.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/base/sort.h"
#include "core/expr/bind-private.h"
#include "core/expr/cast.h"
#include "core/sql/operator.h"
#include "core/sql/printer.h"

/* ---- comparison */

/* Converts a constant to the column's type if that does not change results: a whole number compared
 * with a DATE is days, one compared with an INTERVAL milliseconds, a DOUBLE compared with a DECIMAL
 * is its shortest text. */
static KvsqlExpr *
adapt_constant (const KvsqlBinder *binder, KvsqlExpr *constant, const KvsqlExpr *other,
                GError **error)
{
  gboolean is_integer = constant->type == KVSQL_TYPE_INT || constant->type == KVSQL_TYPE_BIGINT;
  KvsqlExpr *self;

  if (!kvsql_expr_is_constant (constant) || constant->is_untyped)
    return constant;
  if (is_integer && other->type == KVSQL_TYPE_INTERVAL)
    return kvsql_expr_coerce (binder, constant, KVSQL_TYPE_INTERVAL, error);
  if (is_integer && kvsql_type_is_time (other->type))
    {
      self = kvsql_arena_copy (binder->arena, constant, sizeof *constant);
      self->type = other->type;
      if (!kvsql_value_is_null (&self->value))
        self->value.type = other->type;
      return self;
    }
  if (kvsql_type_get_class (constant->type) == KVSQL_CLASS_REAL && other->type == KVSQL_TYPE_DECIMAL
      && !kvsql_expr_is_constant (other) && !kvsql_value_is_null (&constant->value)
      && constant->value.real - constant->value.real == 0)
    return kvsql_expr_coerce (binder, constant, KVSQL_TYPE_DECIMAL, error);
  return constant;
}

static gboolean
cannot_compare (const gchar *op, const KvsqlExpr *left, const KvsqlExpr *right, KvsqlSpan span,
                GError **error)
{
  const KvsqlExpr *text = left->type == KVSQL_TYPE_STRING ? left : right;
  const KvsqlExpr *other = text == left ? right : left;

  if (left->type == KVSQL_TYPE_JSON || right->type == KVSQL_TYPE_JSON)
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "operator does not exist: %s %s %s",
                       kvsql_type_get_name (left->type), op, kvsql_type_get_name (right->type));
      kvsql_error_sqlstate (error, "42883");
      return kvsql_error_hint (error, KVSQL_CAST_JSON_HINT);
    }
  kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "operator does not exist: %s %s %s",
                   kvsql_type_get_name (left->type), op, kvsql_type_get_name (right->type));
  kvsql_error_sqlstate (error, "42883");
  if (text->type == KVSQL_TYPE_STRING && text->kind == KVSQL_EXPR_COLUMN
      && kvsql_expr_is_constant (other) && kvsql_type_is_number (other->type))
    kvsql_error_hint (error, "Attribute \"%s\" is a STRING: put the value in single quotes.",
                      text->name);
  else
    kvsql_error_hint (error, "Convert an operand with CAST (… AS type).");
  return FALSE;
}

gboolean
kvsql_expr_prepare_comparison (const KvsqlBinder *binder, const gchar *op, KvsqlExpr **operands,
                               KvsqlSpan op_span, GError **error)
{
  KvsqlExpr *left = operands[0], *right = operands[1];
  KvsqlType type;

  operands[0] = adapt_constant (binder, left, right, error);
  operands[1] = operands[0] == NULL ? NULL : adapt_constant (binder, right, left, error);
  if (operands[1] == NULL)
    return FALSE;
  if (operands[0]->type == KVSQL_TYPE_JSON || operands[1]->type == KVSQL_TYPE_JSON)
    return cannot_compare (op, left, right, op_span, error);
  if (!operands[0]->is_untyped && !operands[1]->is_untyped
      && !kvsql_cast_common_type (operands[0]->type, operands[1]->type, &type))
    return cannot_compare (op, left, right, op_span, error);
  return kvsql_expr_unify (binder, operands, 2, "comparison", &type, error);
}

KvsqlExpr *
kvsql_expr_compare (const KvsqlBinder *binder, KvsqlOperator op, KvsqlExpr *left, KvsqlExpr *right,
                    KvsqlSpan span, KvsqlSpan op_span, GError **error)
{
  KvsqlExpr *operands[2] = { left, right }, *self;

  if (left == NULL || right == NULL
      || !kvsql_expr_prepare_comparison (binder, kvsql_operator_get_text (op), operands, op_span,
                                         error))
    return NULL;
  self = kvsql_expr_new (binder, KVSQL_EXPR_COMPARE, KVSQL_TYPE_BOOLEAN, span, 2);
  self->op = op;
  self->children[0] = operands[0];
  self->children[1] = operands[1];
  return kvsql_expr_fold (binder, self, error);
}

KvsqlExpr *
kvsql_expr_bind_comparison (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **operands = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);

  return operands == NULL ? NULL
                          : kvsql_expr_compare (binder, expr->op, operands[0], operands[1],
                                                expr->span, expr->op_span, error);
}

/* ---- IS [NOT] DISTINCT FROM, IS [NOT] TRUE */

static KvsqlExpr *
is_distinct (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr *left, KvsqlExpr *right,
             gboolean is_negated, GError **error)
{
  KvsqlExpr *self = kvsql_expr_new (binder, KVSQL_EXPR_DISTINCT, KVSQL_TYPE_BOOLEAN, expr->span, 2);

  self->is_negated = is_negated;
  self->children[0] = left;
  self->children[1] = right;
  if (!kvsql_expr_prepare_comparison (binder, "IS DISTINCT FROM", self->children, expr->op_span,
                                      error))
    return NULL;
  return kvsql_expr_fold (binder, self, error);
}

KvsqlExpr *
kvsql_expr_bind_is_distinct (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **operands = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);

  return operands == NULL
             ? NULL
             : is_distinct (binder, expr, operands[0], operands[1], expr->is_negated, error);
}

KvsqlExpr *
kvsql_expr_bind_is_truth (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  const gchar *what = kvsql_value_is_null (&expr->value) ? "IS UNKNOWN"
                      : expr->value.boolean              ? "IS TRUE"
                                                         : "IS FALSE";
  KvsqlExpr *operand = kvsql_expr_bind_boolean (binder, expr->children[0], what, error);

  if (operand == NULL)
    return NULL;
  if (kvsql_value_is_null (&expr->value))
    return kvsql_expr_is_null (binder, operand, expr->is_negated, expr->span, error);
  return is_distinct (binder, expr, operand,
                      kvsql_expr_constant (binder->arena, &expr->value, expr->span),
                      !expr->is_negated, error);
}

/* ---- IS NULL */

KvsqlExpr *
kvsql_expr_is_null (const KvsqlBinder *binder, KvsqlExpr *operand, gboolean is_negated,
                    KvsqlSpan span, GError **error)
{
  KvsqlExpr *self = kvsql_expr_new (binder, KVSQL_EXPR_IS_NULL, KVSQL_TYPE_BOOLEAN, span, 1);

  self->is_negated = is_negated;
  self->children[0] = kvsql_expr_default_to_string (binder, operand);
  return kvsql_expr_fold (binder, self, error);
}

/* ---- IN, BETWEEN */

static gint
compare_values (gconstpointer a, gconstpointer b)
{
  return kvsql_value_compare (a, b);
}

static KvsqlExpr *
finish_in (const KvsqlBinder *binder, KvsqlExpr *self, KvsqlExpr **list, guint n)
{
  self->n_values = 0;
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    if (kvsql_value_is_null (&list[i]->value))
      self->has_null = TRUE;
    else
      self->values[self->n_values++] = list[i]->value;
  kvsql_sort (self->values, self->n_values, sizeof (KvsqlValue), compare_values, binder->arena);
  n = self->n_values;
  self->n_values = 0;
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    if (self->n_values == 0
        || kvsql_value_compare (&self->values[self->n_values - 1], &self->values[i]) != 0)
      self->values[self->n_values++] = self->values[i];
  return self;
}

/* If not all values are constants, they are compared one after the other. */
static KvsqlExpr *
bind_in_list (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr **operands,
              GError **error)
{
  guint n = expr->n_children - 1;
  KvsqlExpr **terms = kvsql_arena_array (binder->arena, KvsqlExpr *, n), *self;

  for (guint i = 0; i < n; i++)
    {
      terms[i] = kvsql_expr_compare (binder, KVSQL_OP_EQ, operands[0], operands[i + 1], expr->span,
                                     expr->op_span, error);
      if (terms[i] == NULL || !kvsql_interrupt_poll (error))
        return NULL;
    }
  self = kvsql_expr_connect (binder, KVSQL_EXPR_OR, terms, n, expr->span);
  if (expr->is_negated)
    self = kvsql_expr_negate (binder, self);
  return kvsql_expr_fold (binder, self, error);
}

KvsqlExpr *
kvsql_expr_bind_in (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **operands, *self;
  gboolean is_constant = TRUE;
  KvsqlType type;

  operands = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);
  if (operands == NULL)
    return NULL;
  for (guint i = 1; i < expr->n_children; i++)
    {
      operands[i] = adapt_constant (binder, operands[i], operands[0], error);
      if (operands[i] == NULL || !kvsql_interrupt_poll (error))
        return NULL;
      is_constant = is_constant && kvsql_expr_is_constant (operands[i]);
    }
  if (!is_constant)
    return bind_in_list (binder, expr, operands, error);
  if (!kvsql_expr_unify (binder, operands, expr->n_children, "IN", &type, error)
      || !kvsql_cast_check_comparable (type, FALSE, expr->op_span, error))
    return NULL;
  self = kvsql_expr_new (binder, KVSQL_EXPR_IN, KVSQL_TYPE_BOOLEAN, expr->span, 1);
  self->children[0] = operands[0];
  self->is_negated = expr->is_negated;
  self->values = kvsql_arena_array (binder->arena, KvsqlValue, expr->n_children);
  return kvsql_expr_fold (binder, finish_in (binder, self, operands + 1, expr->n_children - 1),
                          error);
}

KvsqlExpr *
kvsql_expr_bind_between (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **operands = kvsql_expr_bind_children (binder, expr, 0, FALSE, error), *self;
  KvsqlExpr *terms[2];

  if (operands == NULL)
    return NULL;
  terms[0] = kvsql_expr_compare (binder, expr->is_negated ? KVSQL_OP_LT : KVSQL_OP_GE, operands[0],
                                 operands[1], expr->span, expr->op_span, error);
  terms[1] = terms[0] == NULL
                 ? NULL
                 : kvsql_expr_compare (binder, expr->is_negated ? KVSQL_OP_GT : KVSQL_OP_LE,
                                       operands[0], operands[2], expr->span, expr->op_span, error);
  if (terms[1] == NULL)
    return NULL;
  self = kvsql_expr_connect (binder, expr->is_negated ? KVSQL_EXPR_OR : KVSQL_EXPR_AND, terms, 2,
                             expr->span);
  return kvsql_expr_fold (binder, self, error);
}
