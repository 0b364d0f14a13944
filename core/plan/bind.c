/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind.c: binds a WHERE clause to a predicate. Names become attributes, constants get the type of
 * the attribute, and NOT moves into the leaves.
 *
 * A comparison of an attribute with constants becomes a leaf of its own kind, because such leaves
 * give key ranges. All other conditions are expressions (core/expr), which are evaluated for each
 * row.
 */
#include "config.h"

#include "core/expr/cast.h"
#include "core/expr/rewrite.h"
#include "core/plan/bind-private.h"

#include "core/base/interrupt.h"
#include "core/base/sort.h"
#include "core/expr/regex.h"
#include "core/sql/printer.h"

static KvsqlPredicate *bind (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                             gboolean is_negated, GError **error);

/* ---- expressions */

static const gchar *
clause_of (const KvsqlBinder *binder)
{
  return binder->clause == NULL ? "WHERE" : binder->clause;
}

/* A constant is decided here. A BOOLEAN attribute becomes a comparison. */
static KvsqlPredicate *
from_expression (const KvsqlBinder *binder, KvsqlExpr *expr, gboolean is_negated)
{
  KvsqlPredicate *self;

  if (expr == NULL)
    return NULL;
  if (kvsql_expr_is_constant (expr))
    return kvsql_predicate_new_constant (
        binder, !kvsql_value_is_null (&expr->value) && (expr->value.boolean != FALSE) != is_negated,
        expr->span);
  if (expr->kind == KVSQL_EXPR_COLUMN && binder->resolve == NULL)
    return kvsql_predicate_new_compare (
        binder, expr->column, KVSQL_OP_EQ,
        (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = !is_negated }, expr->span);
  self = kvsql_predicate_new (binder, KVSQL_PREDICATE_EXPRESSION, expr->span);
  self->expr = is_negated ? kvsql_expr_negate (binder, expr) : expr;
  self->has_expression = TRUE;
  self->can_fail = kvsql_expr_can_fail (expr);
  return self;
}

static KvsqlPredicate *
bind_expression (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
                 GError **error)
{
  return from_expression (binder, kvsql_expr_bind_boolean (binder, expr, clause_of (binder), error),
                          is_negated);
}

/* ---- operands */

typedef struct
{
  const KvsqlAstExpr *ast;
  gboolean is_attribute;
  guint attribute;
  gboolean is_constant;
  KvsqlValue value;
  KvsqlExpr *expr; /* NULL: not bound yet, because the operand is an attribute or a literal */
} Operand;

/* Constants have only the wide types, as literals do. */
static void
set_constant (Operand *self, KvsqlValue value)
{
  self->is_constant = TRUE;
  self->value = value;
  if (value.type == KVSQL_TYPE_INT)
    self->value.type = KVSQL_TYPE_BIGINT;
  else if (value.type == KVSQL_TYPE_FLOAT)
    self->value.type = KVSQL_TYPE_DOUBLE;
}

static gboolean
bind_operand (const KvsqlBinder *binder, const KvsqlAstExpr *ast, Operand *out, GError **error)
{
  KvsqlValue value;

  *out = (Operand){ .ast = ast };
  if (binder->resolve == NULL && ast->kind == KVSQL_AST_NAME && binder->relation != NULL)
    {
      out->is_attribute = TRUE;
      return kvsql_binder_find_attribute (binder, ast, &out->attribute, error);
    }
  if (ast->kind == KVSQL_AST_LITERAL || ast->kind == KVSQL_AST_PARAMETER)
    {
      if (ast->kind == KVSQL_AST_LITERAL)
        value = ast->value;
      else if (!kvsql_binder_get_parameter (binder, ast, &value, error))
        return FALSE;
      set_constant (out, value);
      return TRUE;
    }
  out->expr = kvsql_expr_bind (binder, ast, error);
  if (out->expr == NULL)
    return FALSE;
  if (out->expr->kind == KVSQL_EXPR_COLUMN && binder->resolve == NULL)
    {
      out->is_attribute = TRUE;
      out->attribute = out->expr->column;
    }
  else if (kvsql_expr_is_constant (out->expr))
    set_constant (out, out->expr->value);
  return TRUE;
}

static KvsqlExpr *
expression_of (const KvsqlBinder *binder, const Operand *operand, GError **error)
{
  return operand->expr != NULL ? operand->expr : kvsql_expr_bind (binder, operand->ast, error);
}

/* ---- comparison */

static gboolean
comparable (KvsqlType a, KvsqlType b)
{
  return (a == b && a != KVSQL_TYPE_JSON) || (kvsql_type_is_number (a) && kvsql_type_is_number (b))
         || ((a == KVSQL_TYPE_DATE || a == KVSQL_TYPE_TIMESTAMP)
             && (b == KVSQL_TYPE_DATE || b == KVSQL_TYPE_TIMESTAMP));
}

static KvsqlPredicate *
compare_attributes (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op,
                    guint left, guint right, GError **error)
{
  KvsqlPredicate *self = kvsql_predicate_new (binder, KVSQL_PREDICATE_ATTRIBUTES, expr->span);
  const KvsqlAttribute *attributes = binder->relation->attributes;

  if (!comparable (attributes[left].type, attributes[right].type))
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->op_span, "operator does not exist: %s %s %s",
                       kvsql_type_get_name (attributes[left].type), kvsql_operator_get_text (op),
                       kvsql_type_get_name (attributes[right].type));
      kvsql_error_sqlstate (error, "42883");
      if (attributes[left].type == KVSQL_TYPE_JSON || attributes[right].type == KVSQL_TYPE_JSON)
        kvsql_error_hint (error, KVSQL_CAST_JSON_HINT);
      return NULL;
    }
  self->attribute = left;
  self->other = right;
  self->op = op;
  return self;
}

static KvsqlPredicate *
compare_expressions (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op,
                     const Operand *left, const Operand *right, GError **error)
{
  KvsqlExpr *a = expression_of (binder, left, error);
  KvsqlExpr *b = a == NULL ? NULL : expression_of (binder, right, error);

  return from_expression (
      binder, kvsql_expr_compare (binder, op, a, b, expr->span, expr->op_span, error), FALSE);
}

/* A BIGINT that no DOUBLE can represent is rounded before the comparison with a DOUBLE, as in
 * PostgreSQL. For the largest integers, no range expresses that. */
static gboolean
is_rounded (const KvsqlBinder *binder, guint attribute, const KvsqlValue *value)
{
  return binder->relation->attributes[attribute].type == KVSQL_TYPE_BIGINT
         && value->type == KVSQL_TYPE_DOUBLE
         && !(value->real > -9007199254740992.0 && value->real < 9007199254740992.0);
}

/* @expr: what is compared with a value of this type. PostgreSQL compares a VARCHAR as a text. */
static void
note_compared_place (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlType type,
                     const KvsqlTypeLimit *limit)
{
  static const KvsqlTypeLimit none = { 0 };

  kvsql_binder_note_limited_place (binder, expr, type,
                                   limit->kind == KVSQL_LIMIT_LENGTH ? &none : limit);
}

static void
note_attribute_place (const KvsqlBinder *binder, const KvsqlAstExpr *expr, guint attribute)
{
  const KvsqlAttribute *other = &binder->relation->attributes[attribute];

  note_compared_place (binder, expr, other->type, &other->limit);
}

static KvsqlPredicate *
compare_operands (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op,
                  const Operand *left, const Operand *right, GError **error)
{
  KvsqlValue value;
  guint attribute;

  if (left->is_attribute && right->is_attribute)
    return compare_attributes (binder, expr, op, left->attribute, right->attribute, error);
  if (left->is_constant && !right->is_constant)
    {
      const Operand *swapped = left;
      left = right;
      right = swapped;
      op = kvsql_operator_mirror (op);
    }
  if (!right->is_constant || left->is_constant)
    return compare_expressions (binder, expr, op, left, right, error);
  value = right->value;
  if (left->is_attribute)
    note_attribute_place (binder, right->ast, left->attribute);
  else
    note_compared_place (binder, right->ast, left->expr->type, &left->expr->limit);
  if (left->is_attribute && !is_rounded (binder, left->attribute, &value))
    return kvsql_bind_compare (binder, left->attribute, op, &value, right->ast->span, expr->span,
                               error);
  if (!left->is_attribute && binder->resolve == NULL
      && kvsql_bind_solve (binder, left->expr, &op, &value, &attribute))
    return kvsql_bind_compare (binder, attribute, op, &value, right->ast->span, expr->span, error);
  return compare_expressions (binder, expr, op, left, right, error);
}

/* In v1 = x, a user often means 'x'. */
static gboolean
bind_right_operand (const KvsqlBinder *binder, const KvsqlAstExpr *ast, Operand *out,
                    GError **error)
{
  if (bind_operand (binder, ast, out, error))
    return TRUE;
  if (error != NULL && ast->kind == KVSQL_AST_NAME && ast->qualifier.text == NULL
      && kvsql_error_get_hint (*error) == NULL)
    kvsql_error_hint (error, "Text is written in single quotes: '%s'.", ast->name.text);
  return FALSE;
}

static KvsqlPredicate *
bind_comparison (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
                 GError **error)
{
  KvsqlOperator op = is_negated ? kvsql_operator_negate (expr->op) : expr->op;
  Operand left, right;

  if (!bind_operand (binder, expr->children[0], &left, error)
      || !bind_right_operand (binder, expr->children[1], &right, error))
    return NULL;
  return compare_operands (binder, expr, op, &left, &right, error);
}

/* ---- IN, BETWEEN, LIKE, RLIKE, IS NULL */

static gint
compare_values (gconstpointer a, gconstpointer b)
{
  return kvsql_value_compare (a, b);
}

static guint
sort_values (KvsqlValue *values, guint n_values, KvsqlArena *arena)
{
  guint n = 0;

  kvsql_sort (values, n_values, sizeof *values, compare_values, arena);
  for (guint i = 0; i < n_values && kvsql_interrupt_tick (); i++)
    if (n == 0 || kvsql_value_compare (&values[n - 1], &values[i]) != 0)
      values[n++] = values[i];
  return n;
}

/* Sorts the values and removes duplicates. An IN with one value becomes an equality. */
static KvsqlPredicate *
finish_in (const KvsqlBinder *binder, KvsqlPredicate *self)
{
  guint n = sort_values (self->values, self->n_values, binder->arena);

  self->n_values = n;
  if (n == 0)
    return kvsql_predicate_new_all_or_none (binder, self->attribute, self->is_negated, self->span);
  if (n == 1)
    return kvsql_predicate_new_compare (binder, self->attribute,
                                        self->is_negated ? KVSQL_OP_NE : KVSQL_OP_EQ,
                                        self->values[0], self->span);
  return self;
}

/* Adds one value of the list to @self. FALSE without an error: the value needs an expression. */
static gboolean
add_in_value (const KvsqlBinder *binder, KvsqlPredicate *self, const Operand *operand,
              gboolean *has_null, GError **error)
{
  KvsqlSpan span = operand->ast->span;
  KvsqlPredicate *equal;

  note_attribute_place (binder, operand->ast, self->attribute);
  if (!operand->is_constant || is_rounded (binder, self->attribute, &operand->value))
    return FALSE;
  if (kvsql_value_is_null (&operand->value))
    {
      *has_null = TRUE;
      return TRUE;
    }
  equal = kvsql_bind_compare (binder, self->attribute, KVSQL_OP_EQ, &operand->value, span, span,
                              error);
  if (equal == NULL)
    return FALSE;
  if (equal->kind == KVSQL_PREDICATE_COMPARE) /* else no value is equal to it */
    self->values[self->n_values++] = equal->value;
  return TRUE;
}

/* Among numbers, a text has the common type of the list, as in PostgreSQL: for a FLOAT f, '0.1' in
 * f IN ('0.1', 1e0) is a DOUBLE, not the nearest FLOAT. */
static gboolean
has_common_type (const KvsqlBinder *binder, const KvsqlAstExpr *in, guint attribute)
{
  gboolean has_text = FALSE, has_other = FALSE;

  if (binder->relation->attributes[attribute].type != KVSQL_TYPE_FLOAT)
    return FALSE;
  for (guint i = 1; i < in->n_children; i++)
    {
      const KvsqlAstExpr *item = in->children[i];
      KvsqlValue value = item->value;
      gboolean is_text;

      if (!kvsql_interrupt_tick ())
        return FALSE;
      if (item->kind == KVSQL_AST_PARAMETER
          && !kvsql_binder_get_parameter (binder, item, &value, NULL))
        continue;
      is_text = value.type == KVSQL_TYPE_STRING;
      has_text = has_text || is_text;
      has_other = has_other
                  || (item->kind != KVSQL_AST_LITERAL && item->kind != KVSQL_AST_PARAMETER)
                  || (!is_text && !kvsql_value_is_null (&value));
    }
  return has_text && has_other;
}

static KvsqlPredicate *
bind_in (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated, GError **error)
{
  KvsqlPredicate *self = kvsql_predicate_new (binder, KVSQL_PREDICATE_IN, expr->span);
  gboolean has_null = FALSE;
  Operand left;

  if (!bind_operand (binder, expr->children[0], &left, error))
    return NULL;
  if (!left.is_attribute || expr->subquery != NULL
      || has_common_type (binder, expr, left.attribute))
    return bind_expression (binder, expr, is_negated, error);
  self->attribute = left.attribute;
  self->is_negated = is_negated != expr->is_negated;
  self->values = kvsql_arena_array (binder->arena, KvsqlValue, expr->n_children);
  for (guint i = 1; i < expr->n_children; i++)
    {
      g_autoptr (GError) problem = NULL;
      Operand value;

      if (!kvsql_interrupt_poll (error) || !bind_operand (binder, expr->children[i], &value, error))
        return NULL;
      if (add_in_value (binder, self, &value, &has_null, &problem))
        continue;
      if (problem == NULL)
        return bind_expression (binder, expr, is_negated, error);
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  /* x NOT IN (…, NULL) is never true */
  if (self->is_negated && has_null)
    return kvsql_predicate_new_constant (binder, FALSE, expr->span);
  return finish_in (binder, self);
}

static KvsqlPredicate *
bind_between (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
              GError **error)
{
  Operand operands[3];
  KvsqlPredicate *above, *below;

  for (guint i = 0; i < 3; i++)
    if (!bind_operand (binder, expr->children[i], &operands[i], error))
      return NULL;
  is_negated = is_negated != expr->is_negated;
  above = compare_operands (binder, expr, is_negated ? KVSQL_OP_LT : KVSQL_OP_GE, &operands[0],
                            &operands[1], error);
  below = above == NULL ? NULL
                        : compare_operands (binder, expr, is_negated ? KVSQL_OP_GT : KVSQL_OP_LE,
                                            &operands[0], &operands[2], error);
  return kvsql_predicate_new_pair (binder, is_negated ? KVSQL_PREDICATE_OR : KVSQL_PREDICATE_AND,
                                   above, below, expr->span);
}

static KvsqlPredicate *
make_like (const KvsqlBinder *binder, guint attribute, const KvsqlLike *like, gboolean is_negated,
           KvsqlSpan span)
{
  KvsqlType type = binder->relation->attributes[attribute].type;
  KvsqlPredicate *self;

  if (like->is_exact)
    return kvsql_predicate_new_compare (
        binder, attribute, is_negated ? KVSQL_OP_NE : KVSQL_OP_EQ,
        (KvsqlValue){ .type = type, .bytes = kvsql_slice (like->bytes, like->size) }, span);
  g_assert (type == (like->is_bytes ? KVSQL_TYPE_BYTES : KVSQL_TYPE_STRING));
  self = kvsql_predicate_new (binder, KVSQL_PREDICATE_LIKE, span);
  self->attribute = attribute;
  self->is_negated = is_negated;
  self->like = like;
  return self;
}

static KvsqlPredicate *
bind_like (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated, GError **error)
{
  KvsqlExpr *bound = kvsql_expr_bind_boolean (binder, expr, clause_of (binder), error);

  if (bound == NULL)
    return NULL;
  if (bound->kind != KVSQL_EXPR_LIKE || bound->like == NULL || binder->resolve != NULL
      || bound->children[0]->kind != KVSQL_EXPR_COLUMN)
    return from_expression (binder, bound, is_negated);
  return make_like (binder, bound->children[0]->column, bound->like,
                    is_negated != bound->is_negated, expr->span);
}

/* The constant prefix of a pattern that is anchored at the start bounds the keys, as LIKE 'text%'
 * does. */
static KvsqlPredicate *
bind_rlike (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
            GError **error)
{
  KvsqlExpr *bound = kvsql_expr_bind_boolean (binder, expr, clause_of (binder), error);
  KvsqlPredicate *self = from_expression (binder, bound, is_negated), *like;
  gboolean is_all;
  KvsqlSlice prefix;

  if (bound == NULL || bound->kind != KVSQL_EXPR_RLIKE || is_negated != bound->is_negated
      || bound->children[0]->kind != KVSQL_EXPR_COLUMN || binder->resolve != NULL
      || !kvsql_expr_is_constant (bound->children[1])
      || kvsql_value_is_null (&bound->children[1]->value))
    return self;
  prefix = kvsql_regex_prefix (bound->children[1]->value.bytes, binder->arena, &is_all);
  if (prefix.size == 0)
    return self;
  like = make_like (
      binder, bound->children[0]->column,
      kvsql_like_new_prefix (prefix, bound->children[0]->type == KVSQL_TYPE_BYTES, binder->arena),
      FALSE, expr->span);
  return is_all ? like
                : kvsql_predicate_new_pair (binder, KVSQL_PREDICATE_AND, like, self, expr->span);
}

static KvsqlPredicate *
bind_is_null (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
              GError **error)
{
  Operand operand;

  if (!bind_operand (binder, expr->children[0], &operand, error))
    return NULL;
  if (operand.is_attribute)
    return kvsql_predicate_new_is_null (binder, operand.attribute, is_negated != expr->is_negated,
                                        expr->span);
  return bind_expression (binder, expr, is_negated, error);
}

/* ---- AND, OR, NOT */

/* Appends the operands of a chain of the same connective to the children of @out. So a AND b AND c
 * is one node. */
static gboolean
collect (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op, gboolean is_negated,
         KvsqlPredicate *out, GError **error)
{
  KvsqlPredicate *leaf;

  if (expr->kind == KVSQL_AST_BINARY && expr->op == op)
    return collect (binder, expr->children[0], op, is_negated, out, error)
           && collect (binder, expr->children[1], op, is_negated, out, error);
  leaf = bind (binder, expr, is_negated, error);
  if (leaf == NULL)
    return FALSE;
  *KVSQL_ARENA_ADD (binder->arena, out->children, out->n_children) = leaf;
  return TRUE;
}

static KvsqlPredicate *
bind_connective (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
                 GError **error)
{
  gboolean is_and = (expr->op == KVSQL_OP_AND) != is_negated;
  KvsqlPredicate *self
      = kvsql_predicate_new (binder, is_and ? KVSQL_PREDICATE_AND : KVSQL_PREDICATE_OR, expr->span);
  KvsqlBinder inner = *binder;

  inner.is_lazy = TRUE;
  if (!collect (&inner, expr, expr->op, is_negated, self, error))
    return NULL;
  for (guint i = 0; i < self->n_children; i++)
    {
      self->has_expression = self->has_expression || self->children[i]->has_expression;
      self->can_fail = self->can_fail || self->children[i]->can_fail;
    }
  return self;
}

/* An unknown predicate counts as false, so IS TRUE adds nothing to it, and IS FALSE is NOT. */
static KvsqlPredicate *
bind_is_truth (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
               GError **error)
{
  if (kvsql_value_is_null (&expr->value) || is_negated != expr->is_negated)
    return bind_expression (binder, expr, is_negated, error);
  return bind (binder, expr->children[0], !expr->value.boolean, error);
}

/* a IS NOT DISTINCT FROM 1 is a = 1. */
static KvsqlPredicate *
bind_is_distinct (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
                  GError **error)
{
  Operand left, right;
  gboolean is_equal = is_negated != expr->is_negated;

  if (!bind_operand (binder, expr->children[0], &left, error)
      || !bind_right_operand (binder, expr->children[1], &right, error))
    return NULL;
  if (left.is_attribute && right.is_constant && kvsql_value_is_null (&right.value))
    return kvsql_predicate_new_is_null (binder, left.attribute, !is_equal, expr->span);
  if (is_equal && (left.is_constant || right.is_constant)
      && !kvsql_value_is_null (left.is_constant ? &left.value : &right.value))
    return compare_operands (binder, expr, KVSQL_OP_EQ, &left, &right, error);
  return bind_expression (binder, expr, is_negated, error);
}

static KvsqlPredicate *
bind_simpler (const KvsqlBinder *binder, const KvsqlAstExpr *simpler, gboolean is_negated,
              GError **error)
{
  g_autoptr (GHashTable) bound = NULL;
  KvsqlBinder inner = *binder;

  if (inner.bound == NULL)
    inner.bound = bound = g_hash_table_new (NULL, NULL);
  return bind (&inner, simpler, is_negated, error);
}

static KvsqlPredicate *
bind (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated, GError **error)
{
  KvsqlAstExpr *simpler;

  if (!kvsql_interrupt_poll (error) || !kvsql_expr_rewrite (binder, expr, &simpler, error))
    return NULL;
  if (simpler != NULL)
    return bind_simpler (binder, simpler, is_negated, error);
  if (kvsql_ast_has_subquery (expr))
    return bind_expression (binder, expr, is_negated, error);
  switch (expr->kind)
    {
    case KVSQL_AST_UNARY:
      if (expr->op == KVSQL_OP_NOT)
        return bind (binder, expr->children[0], !is_negated, error);
      return bind_expression (binder, expr, is_negated, error);
    case KVSQL_AST_BINARY:
      if (expr->op == KVSQL_OP_AND || expr->op == KVSQL_OP_OR)
        return bind_connective (binder, expr, is_negated, error);
      if (expr->op >= KVSQL_OP_EQ && expr->op <= KVSQL_OP_GE)
        return bind_comparison (binder, expr, is_negated, error);
      return bind_expression (binder, expr, is_negated, error);
    case KVSQL_AST_IN:
      return bind_in (binder, expr, is_negated, error);
    case KVSQL_AST_BETWEEN:
      return bind_between (binder, expr, is_negated, error);
    case KVSQL_AST_LIKE:
      return bind_like (binder, expr, is_negated, error);
    case KVSQL_AST_RLIKE:
      return bind_rlike (binder, expr, is_negated, error);
    case KVSQL_AST_IS_NULL:
      return bind_is_null (binder, expr, is_negated, error);
    case KVSQL_AST_IS_TRUTH:
      return bind_is_truth (binder, expr, is_negated, error);
    case KVSQL_AST_IS_DISTINCT:
      return bind_is_distinct (binder, expr, is_negated, error);
    default:
      return bind_expression (binder, expr, is_negated, error);
    }
}

KvsqlPredicate *
kvsql_bind_predicate (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  return expr == NULL ? kvsql_predicate_new_constant (binder, TRUE, KVSQL_SPAN_NONE)
                      : bind (binder, expr, FALSE, error);
}
