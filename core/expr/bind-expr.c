/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-expr.c: converts AST expressions to typed expressions.
 */
#include "config.h"

#include "core/expr/rewrite.h"
#include "core/base/interrupt.h"
#include "core/expr/aggregate.h"
#include "core/expr/bind-private.h"
#include "core/expr/cast.h"
#include "core/expr/shown-type.h"
#include "core/schema/relation.h"
#include "core/sql/operator.h"
#include "core/expr/window-function.h"
#include "core/sql/printer.h"

/* ---- names and literals */

gboolean
kvsql_binder_get_parameter (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlValue *out,
                            GError **error)
{
  if (binder->is_prepare)
    {
      *out = KVSQL_VALUE_NULL;
      return TRUE;
    }
  if (expr->parameter >= binder->n_parameters)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span, "parameter %u has no value",
                            expr->parameter + 1)
           || kvsql_error_detail (error, "The request brought %u.", binder->n_parameters);
  *out = binder->parameters[expr->parameter];
  return TRUE;
}

void
kvsql_binder_note_place (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlType type)
{
  if (binder->place_types != NULL && expr->kind == KVSQL_AST_PARAMETER
      && binder->place_types[expr->parameter] == KVSQL_TYPE_NULL)
    binder->place_types[expr->parameter] = type;
}

void
kvsql_binder_note_limited_place (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                 KvsqlType type, const KvsqlTypeLimit *limit)
{
  if (binder->place_limits != NULL && expr->kind == KVSQL_AST_PARAMETER
      && binder->place_types[expr->parameter] == KVSQL_TYPE_NULL)
    binder->place_limits[expr->parameter] = limit->kind;
  kvsql_binder_note_place (binder, expr, type);
}

static KvsqlExpr *
bind_name (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  guint attribute;
  KvsqlExpr *self;

  if (binder->relation == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                       "a value is needed here, not the name \"%s\"", expr->name.text);
      kvsql_error_hint (error, "Put text in single quotes: '%s'.", expr->name.text);
      return NULL;
    }
  if (!kvsql_binder_find_attribute (binder, expr, &attribute, error))
    return NULL;
  self = kvsql_expr_column (binder->arena, attribute, binder->relation->attributes[attribute].type,
                            binder->relation->attributes[attribute].name, expr->span);
  self->limit = kvsql_type_limit_shown_of (&binder->relation->attributes[attribute].limit);
  return self;
}

/* Text is untyped until its context determines the type. A whole number of a literal is an INT if
 * it fits. */
static KvsqlExpr *
bind_value (const KvsqlBinder *binder, KvsqlValue value, gboolean is_literal, KvsqlSpan span)
{
  KvsqlExpr *self;

  if (is_literal && value.type == KVSQL_TYPE_BIGINT && value.integer == (gint32)value.integer)
    value.type = KVSQL_TYPE_INT;
  self = kvsql_expr_constant (binder->arena, &value, span);
  self->is_untyped = value.type == KVSQL_TYPE_NULL || value.type == KVSQL_TYPE_STRING;
  return self;
}

static KvsqlExpr *
bind_parameter (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlValue value;
  KvsqlExpr *self;

  if (!kvsql_binder_get_parameter (binder, expr, &value, error))
    return NULL;
  self = bind_value (binder, value, FALSE, expr->span);
  if (!binder->is_prepare)
    return self;
  if (binder->declared_types != NULL && binder->declared_types[expr->parameter] != KVSQL_TYPE_NULL)
    return kvsql_expr_coerce (binder, self, binder->declared_types[expr->parameter], error);
  self->parameter = expr->parameter + 1;
  return self;
}

/* A value that a subquery takes from the statement around it: a constant with a type. */
static KvsqlExpr *
bind_outer (const KvsqlBinder *binder, const KvsqlAstExpr *expr)
{
  KvsqlExpr *self = kvsql_expr_null (binder, expr->span);

  if (binder->outer_values != NULL)
    self->value = binder->outer_values[expr->parameter];
  self->type = binder->outer_types[expr->parameter];
  self->is_untyped = FALSE;
  return self;
}

KvsqlExpr **
kvsql_expr_bind_children (const KvsqlBinder *binder, const KvsqlAstExpr *expr, guint first,
                          gboolean is_lazy, GError **error)
{
  guint n = expr->n_children - first;
  KvsqlExpr **children = kvsql_arena_array (binder->arena, KvsqlExpr *, n + 1);
  KvsqlBinder inner = *binder;

  inner.is_lazy = binder->is_lazy || is_lazy;
  for (guint i = 0; i < n; i++)
    {
      children[i] = kvsql_expr_bind (&inner, expr->children[first + i], error);
      if (children[i] == NULL)
        return NULL;
    }
  return children;
}

/* ---- truth values */

static KvsqlExpr *
require_boolean (const KvsqlBinder *binder, KvsqlExpr *expr, const gchar *what, GError **error)
{
  if (expr == NULL)
    return NULL;
  if (expr->is_untyped)
    return kvsql_expr_coerce (binder, expr, KVSQL_TYPE_BOOLEAN, error);
  if (expr->type == KVSQL_TYPE_BOOLEAN)
    return expr;
  kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->span, "argument of %s must be BOOLEAN, not %s",
                   what, kvsql_type_get_name (expr->type));
  return NULL;
}

KvsqlExpr *
kvsql_expr_bind_boolean (const KvsqlBinder *binder, const KvsqlAstExpr *expr, const gchar *what,
                         GError **error)
{
  return require_boolean (binder, kvsql_expr_bind (binder, expr, error), what, error);
}

gboolean
kvsql_expr_is_truth (const KvsqlExpr *self, gboolean truth)
{
  return kvsql_expr_is_constant (self) && !kvsql_value_is_null (&self->value)
         && (self->value.boolean != FALSE) == truth;
}

/* A chain of one connective becomes one node. Constant operands that do not affect the result are
 * dropped. A constant operand that decides the result ends the chain; the operands before it are
 * kept, as they could fail. */
KvsqlExpr *
kvsql_expr_connect (const KvsqlBinder *binder, KvsqlExprKind kind, KvsqlExpr **operands, guint n,
                    KvsqlSpan span)
{
  gboolean neutral = kind == KVSQL_EXPR_AND;
  KvsqlExpr *self = kvsql_expr_new (binder, kind, KVSQL_TYPE_BOOLEAN, span, n);
  guint kept = 0;

  for (guint i = 0; i < n; i++)
    {
      g_assert (operands[i]->type == KVSQL_TYPE_BOOLEAN);
      if (kvsql_expr_is_truth (operands[i], !neutral))
        {
          if (kept == 0)
            return operands[i];
          self->children[kept++] = operands[i];
          break;
        }
      if (!kvsql_expr_is_truth (operands[i], neutral))
        self->children[kept++] = operands[i];
    }
  self->n_children = kept;
  if (kept == 0)
    return operands[0];
  return kept == 1 ? self->children[0] : self;
}

typedef struct
{
  KvsqlExpr **exprs;
  guint n;
} Operands;

static gboolean
collect (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op, Operands *out,
         GError **error)
{
  const gchar *what = op == KVSQL_OP_AND ? "AND" : "OR";
  KvsqlExpr *operand;

  if (expr->kind == KVSQL_AST_BINARY && expr->op == op)
    return collect (binder, expr->children[0], op, out, error)
           && collect (binder, expr->children[1], op, out, error);
  operand = kvsql_expr_bind_boolean (binder, expr, what, error);
  if (operand == NULL)
    return FALSE;
  *KVSQL_ARENA_ADD (binder->arena, out->exprs, out->n) = operand;
  return TRUE;
}

static KvsqlExpr *
bind_connective (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  Operands operands = { 0 };
  KvsqlExprKind kind = expr->op == KVSQL_OP_AND ? KVSQL_EXPR_AND : KVSQL_EXPR_OR;
  KvsqlBinder inner = *binder;

  inner.is_lazy = TRUE;
  if (!collect (&inner, expr, expr->op, &operands, error))
    return NULL;
  return kvsql_expr_fold (
      binder, kvsql_expr_connect (binder, kind, operands.exprs, operands.n, expr->span), error);
}

KvsqlExpr *
kvsql_expr_negate (const KvsqlBinder *binder, KvsqlExpr *expr)
{
  KvsqlExpr *self;

  g_assert (expr->type == KVSQL_TYPE_BOOLEAN); /* a value of another type has no boolean */
  switch (expr->kind)
    {
    case KVSQL_EXPR_NOT:
      return expr->children[0];
    case KVSQL_EXPR_COMPARE:
      self = kvsql_arena_copy (binder->arena, expr, sizeof *expr);
      self->op = kvsql_operator_negate (expr->op);
      return self;
    case KVSQL_EXPR_IS_NULL:
    case KVSQL_EXPR_IN:
    case KVSQL_EXPR_LIKE:
    case KVSQL_EXPR_RLIKE:
    case KVSQL_EXPR_DISTINCT:
      self = kvsql_arena_copy (binder->arena, expr, sizeof *expr);
      self->is_negated = !expr->is_negated;
      return self;
    case KVSQL_EXPR_CONSTANT:
      self = kvsql_arena_copy (binder->arena, expr, sizeof *expr);
      if (!kvsql_value_is_null (&expr->value))
        self->value.boolean = !expr->value.boolean;
      return self;
    default:
      self = kvsql_expr_new (binder, KVSQL_EXPR_NOT, KVSQL_TYPE_BOOLEAN, expr->span, 1);
      self->children[0] = expr;
      return self;
    }
}

/* ---- operators */

/* 'a' || 1 is 'a1': if one operand is text, the other becomes text. */
static gboolean
prepare_concatenation (const KvsqlBinder *binder, KvsqlExpr **operands)
{
  gboolean has_text
      = operands[0]->type == KVSQL_TYPE_STRING || operands[1]->type == KVSQL_TYPE_STRING;

  for (guint i = 0; i < 2; i++)
    if (operands[i]->type == KVSQL_TYPE_JSONB && operands[1 - i]->is_untyped)
      return TRUE; /* the literal is JSONB */
  for (guint i = 0; i < 2 && has_text; i++)
    {
      KvsqlType type = operands[i]->type;
      gboolean takes_bytes = operands[i]->is_untyped && operands[1 - i]->type == KVSQL_TYPE_BYTES;
      if (type == KVSQL_TYPE_STRING || type == KVSQL_TYPE_NULL || takes_bytes
          || (type == KVSQL_TYPE_BYTES && operands[1 - i]->is_untyped))
        continue;
      operands[i] = kvsql_expr_coerce (binder, operands[i], KVSQL_TYPE_STRING, NULL);
      if (operands[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Converts numbers to their common type. */
static gboolean
prepare_numbers (const KvsqlBinder *binder, KvsqlExpr **operands, GError **error)
{
  KvsqlType type;

  if (operands[0]->type == operands[1]->type || !kvsql_type_is_number (operands[0]->type)
      || !kvsql_type_is_number (operands[1]->type)
      || !kvsql_cast_common_type (operands[0]->type, operands[1]->type, &type))
    return TRUE;
  operands[0] = kvsql_expr_coerce (binder, operands[0], type, error);
  operands[1] = operands[0] == NULL ? NULL : kvsql_expr_coerce (binder, operands[1], type, error);
  return operands[1] != NULL;
}

/* list @> '{1, 2}': the literal is a list of the same type. */
static gboolean
prepare_lists (const KvsqlBinder *binder, KvsqlExpr **operands, GError **error)
{
  for (guint i = 0; i < 2; i++)
    if (operands[i]->is_untyped && kvsql_type_is_list (operands[1 - i]->type))
      operands[i] = kvsql_expr_coerce (binder, operands[i], operands[1 - i]->type, error);
  return operands[0] != NULL && operands[1] != NULL;
}

static gboolean
prepare_operands (const KvsqlBinder *binder, KvsqlOperator op, KvsqlExpr **operands, GError **error)
{
  if (op == KVSQL_OP_CONCATENATE)
    return prepare_concatenation (binder, operands);
  if (op == KVSQL_OP_CONTAINS || op == KVSQL_OP_CONTAINED || op == KVSQL_OP_OVERLAPS)
    return prepare_lists (binder, operands, error);
  return prepare_numbers (binder, operands, error);
}

static KvsqlExpr *
bind_binary (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **operands;

  if (expr->op == KVSQL_OP_AND || expr->op == KVSQL_OP_OR)
    return bind_connective (binder, expr, error);
  if (expr->op >= KVSQL_OP_EQ && expr->op <= KVSQL_OP_GE)
    return kvsql_expr_bind_comparison (binder, expr, error);
  operands = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);
  if (operands == NULL || !prepare_operands (binder, expr->op, operands, error))
    return NULL;
  if (expr->op == KVSQL_OP_OVERLAPS && operands[0]->type == KVSQL_TYPE_BOOLEAN
      && operands[1]->type == KVSQL_TYPE_BOOLEAN)
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->op_span,
                       "operator does not exist: BOOLEAN && BOOLEAN");
      kvsql_error_sqlstate (error, "42883");
      kvsql_error_hint (error, "Did you mean \"AND\"?");
      return NULL;
    }
  return kvsql_expr_call (binder, kvsql_operator_get_text (expr->op), operands, 2, expr->span,
                          expr->op_span, error);
}

/* -9223372036854775808 is the negation of a number that is not a BIGINT. The same holds for the
 * smallest INT. */
static KvsqlExpr *
negate_literal (const KvsqlBinder *binder, const KvsqlExpr *operand, KvsqlSpan span)
{
  KvsqlValue value = operand->value;

  if (operand->type == KVSQL_TYPE_BIGINT && value.integer == -(gint64)G_MININT32)
    value = (KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = G_MININT32 };
  else if (operand->type == KVSQL_TYPE_DECIMAL
           && kvsql_slice_equal (value.bytes, KVSQL_SLICE_LITERAL ("9223372036854775808")))
    value = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = G_MININT64 };
  else
    return NULL;
  return kvsql_expr_constant (binder->arena, &value, span);
}

static KvsqlExpr *
bind_unary (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *operand = kvsql_expr_bind (binder, expr->children[0], error), *literal;

  if (operand == NULL)
    return NULL;
  if (expr->op == KVSQL_OP_NOT)
    {
      KvsqlExpr *self;
      operand = require_boolean (binder, operand, "NOT", error);
      if (operand == NULL)
        return NULL;
      self = kvsql_expr_negate (binder, operand);
      return kvsql_expr_fold (binder, self, error);
    }
  literal = expr->children[0]->kind == KVSQL_AST_LITERAL
                ? negate_literal (binder, operand, expr->span)
                : NULL;
  if (literal != NULL)
    return literal;
  return kvsql_expr_call (binder, kvsql_operator_get_text (expr->op), &operand, 1, expr->span,
                          expr->op_span, error);
}

static gboolean
no_such_type (const KvsqlName *name, GError **error)
{
  const gchar *known[KVSQL_N_TYPES], *near;
  guint n_known = 0;

  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "type \"%s\" does not exist",
                   name->text);
  for (guint i = 1; i < KVSQL_N_TYPES; i++)
    if (kvsql_type_is_known (i) && kvsql_type_is_scalar (i))
      known[n_known++] = kvsql_type_get_name (i);
  near = kvsql_suggest (name->text, known, n_known);
  return near != NULL && kvsql_error_hint (error, "Did you mean %s?", near);
}

/* INTERVAL DAY TO SECOND(3) */
static KvsqlExpr *
bind_interval_fields (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  const gchar *fields = expr->cast_type.text + strlen ("INTERVAL");
  KvsqlValue text = { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (fields) };
  KvsqlExpr *operands[2];

  kvsql_binder_note_place (binder, expr->children[0], KVSQL_TYPE_INTERVAL);
  operands[0] = kvsql_expr_bind (binder, expr->children[0], error);
  operands[1] = kvsql_expr_constant (binder->arena, &text, expr->cast_type.span);
  return operands[0] == NULL ? NULL
                             : kvsql_expr_call (binder, "interval_fields", operands, 2, expr->span,
                                                expr->span, error);
}

static gboolean
has_interval_fields (const KvsqlName *type)
{
  gsize size = strlen ("INTERVAL");

  return g_ascii_strncasecmp (type->text, "INTERVAL", size) == 0
         && (type->text[size] == ' ' || type->text[size] == '(');
}

static KvsqlAstExpr *
make_number (const KvsqlBinder *binder, guint number, KvsqlSpan span)
{
  KvsqlAstExpr *self = kvsql_arena_new0 (binder->arena, KvsqlAstExpr);

  self->kind = KVSQL_AST_LITERAL;
  self->span = span;
  self->value = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
  return self;
}

/* CAST (x AS NUMERIC(p, s)) is numeric (CAST (x AS DECIMAL), p, s), and so are the others. */
static KvsqlExpr *
bind_limited (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlType type,
              const KvsqlTypeLimit *limit, GError **error)
{
  static const struct
  {
    const gchar *name;
    guint n_numbers;
  } functions[] = {
    [KVSQL_LIMIT_LENGTH] = { "varchar", 1 },      [KVSQL_LIMIT_BLANKS] = { "bpchar", 1 },
    [KVSQL_LIMIT_DIGITS] = { "numeric", 2 },      [KVSQL_LIMIT_SMALL] = { "int2", 0 },
    [KVSQL_LIMIT_TIMESTAMP] = { "timestamp", 1 }, [KVSQL_LIMIT_TIME] = { "time", 1 },
    [KVSQL_LIMIT_ZONE] = { "timestamp", 1 },
  };
  KvsqlAstExpr *call = kvsql_arena_new0 (binder->arena, KvsqlAstExpr);
  KvsqlAstExpr *cast = kvsql_arena_copy (binder->arena, expr, sizeof *expr);
  KvsqlExpr *self;

  cast->cast_type.text = kvsql_type_get_name (type);
  call->kind = KVSQL_AST_FUNCTION;
  call->span = call->op_span = expr->span;
  call->name = (KvsqlName){ .span = expr->span, .text = functions[limit->kind].name };
  call->n_children = 1 + functions[limit->kind].n_numbers;
  call->children = kvsql_arena_array (binder->arena, KvsqlAstExpr *, 3);
  call->children[0] = cast;
  call->children[1] = make_number (binder, limit->size, expr->span);
  call->children[2] = make_number (binder, limit->scale, expr->span);
  self = kvsql_expr_bind (binder, kvsql_type_limit_is_checked (limit) ? call : cast, error);
  if (self != NULL)
    self->limit = *limit;
  return self;
}

static KvsqlExpr *
bind_cast (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *operand, *self;
  KvsqlTypeLimit limit;
  KvsqlType type;

  if (has_interval_fields (&expr->cast_type))
    return bind_interval_fields (binder, expr, error);
  if (!kvsql_type_limit_find (expr->cast_type.text, &type, &limit, error))
    {
      (void)kvsql_error_at (error, expr->cast_type.span);
      return NULL;
    }
  if (limit.kind != KVSQL_LIMIT_NONE)
    {
      kvsql_binder_note_limited_place (binder, expr->children[0], type, &limit);
      return bind_limited (binder, expr, type, &limit, error);
    }
  if (!kvsql_type_from_name (expr->cast_type.text, &type))
    {
      if (g_ascii_strcasecmp (expr->cast_type.text, "SIGNED") != 0)
        {
          no_such_type (&expr->cast_type, error);
          return NULL;
        }
      type = KVSQL_TYPE_BIGINT; /* MySQL's */
    }
  kvsql_binder_note_place (binder, expr->children[0], type);
  if (expr->children[0]->kind == KVSQL_AST_ARRAY && kvsql_type_is_list (type))
    return kvsql_expr_bind_array (binder, expr->children[0], kvsql_type_get_element (type), error);
  operand = kvsql_expr_bind (binder, expr->children[0], error);
  if (operand == NULL)
    return NULL;
  if (!kvsql_cast_is_possible (operand->type, type))
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->span, "cannot cast %s to %s",
                       kvsql_type_get_name (operand->type), kvsql_type_get_name (type));
      return NULL;
    }
  self = kvsql_expr_new (binder, KVSQL_EXPR_CAST, type, expr->span, 1);
  self->children[0] = operand;
  return kvsql_expr_fold (binder, self, error);
}

/* ---- subqueries */

/* The planner binds it, unless it has replaced it (core/plan/subquery.h). */
static KvsqlExpr *
bind_subquery (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  if (binder->bind_subquery != NULL)
    return binder->bind_subquery (binder, expr, error);
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->span, "a subquery is not possible here");
  kvsql_error_hint (error, "It is possible in SELECT, UPDATE, DELETE and INSERT … SELECT.");
  return NULL;
}

/* ---- calls */

static KvsqlExpr *
reject_aggregate (const KvsqlAstExpr *expr, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span, "%s are not allowed here",
                   kvsql_aggregate_is_grouping (expr->name.text) ? "grouping operations"
                                                                 : "aggregate functions");
  kvsql_error_hint (error, "They are allowed in the list of SELECT, in HAVING and in ORDER BY; "
                           "groups are filtered by HAVING.");
  return NULL;
}

/* The planner resolves OVER where it is possible (core/plan/window.h). */
static KvsqlExpr *
reject_window (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span, "window functions are not allowed in %s",
                   binder->clause == NULL ? "this place" : binder->clause);
  kvsql_error_sqlstate (error, "42P20");
  kvsql_error_hint (error, "They are computed after WHERE, GROUP BY and HAVING: put the query into "
                           "FROM, and use its column around it.");
  return NULL;
}

static KvsqlExpr *
require_over (const KvsqlAstExpr *expr, const gchar *name, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                   "window function %s requires an OVER clause", name);
  kvsql_error_sqlstate (error, "42809");
  kvsql_error_hint (error, "Write %s (…) OVER (PARTITION BY … ORDER BY …).", name);
  return NULL;
}

/* Parts of a call that only aggregates have. Some of them are children, as arguments are. */
static gboolean
check_no_aggregate (const KvsqlAstExpr *expr, const gchar *name, GError **error)
{
  const gchar *near;

  if (!expr->is_star && !expr->is_distinct && expr->n_order == 0 && !expr->has_filter)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span, "%s is not an aggregate function", name);
  near = kvsql_function_suggest (name);
  return near != NULL && kvsql_aggregate_find (near) != NULL
         && kvsql_error_hint (error, "Did you mean %s?", near);
}

static KvsqlExpr *
bind_function (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  g_autofree gchar *name = g_ascii_strdown (expr->name.text, -1);
  KvsqlExpr *special = NULL, **arguments;
  KvsqlWindowFunction window;

  if (expr->has_over)
    return reject_window (binder, expr, error);
  if (kvsql_window_function_find (name, &window))
    return require_over (expr, name, error);
  if (kvsql_aggregate_find (name) != NULL || kvsql_aggregate_is_grouping (name))
    return reject_aggregate (expr, error);
  if (!check_no_aggregate (expr, name, error)
      || !kvsql_expr_bind_special (binder, expr, &special, error))
    return NULL;
  if (special != NULL)
    return special;
  arguments = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);
  if (arguments == NULL)
    return NULL;
  return kvsql_expr_call (binder, name, arguments, expr->n_children, expr->span, expr->name.span,
                          error);
}

static KvsqlExpr *
bind_subscript (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr **operands = kvsql_expr_bind_children (binder, expr, 0, FALSE, error);

  return operands == NULL
             ? NULL
             : kvsql_expr_call (binder, "[]", operands, 2, expr->span, expr->span, error);
}

static KvsqlExpr *
reject_row (const KvsqlAstExpr *expr, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->span,
                   "a row of several values is not possible here");
  kvsql_error_hint (error,
                    "Rows can be compared, as in (a, b) = (1, 2), and be in IN and BETWEEN.");
  return NULL;
}

static KvsqlExpr *
bind_kind (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  KvsqlExpr *operand;

  switch (expr->kind)
    {
    case KVSQL_AST_LITERAL:
      return bind_value (binder, expr->value, TRUE, expr->span);
    case KVSQL_AST_PARAMETER:
      return bind_parameter (binder, expr, error);
    case KVSQL_AST_NAME:
      return bind_name (binder, expr, error);
    case KVSQL_AST_UNARY:
      return bind_unary (binder, expr, error);
    case KVSQL_AST_BINARY:
      if (kvsql_ast_has_subquery (expr))
        return bind_subquery (binder, expr, error);
      return bind_binary (binder, expr, error);
    case KVSQL_AST_IN:
      return expr->subquery != NULL ? bind_subquery (binder, expr, error)
                                    : kvsql_expr_bind_in (binder, expr, error);
    case KVSQL_AST_BETWEEN:
      return kvsql_expr_bind_between (binder, expr, error);
    case KVSQL_AST_LIKE:
    case KVSQL_AST_RLIKE:
      return kvsql_expr_bind_match (binder, expr, error);
    case KVSQL_AST_IS_NULL:
      operand = kvsql_expr_bind (binder, expr->children[0], error);
      return operand == NULL
                 ? NULL
                 : kvsql_expr_is_null (binder, operand, expr->is_negated, expr->span, error);
    case KVSQL_AST_FUNCTION:
      return bind_function (binder, expr, error);
    case KVSQL_AST_CAST:
      return bind_cast (binder, expr, error);
    case KVSQL_AST_CASE:
      return kvsql_expr_bind_case (binder, expr, error);
    case KVSQL_AST_SUBSCRIPT:
      return bind_subscript (binder, expr, error);
    case KVSQL_AST_IS_TRUTH:
      return kvsql_expr_bind_is_truth (binder, expr, error);
    case KVSQL_AST_IS_DISTINCT:
      return kvsql_expr_bind_is_distinct (binder, expr, error);
    case KVSQL_AST_QUANTIFIED:
      return expr->subquery != NULL ? bind_subquery (binder, expr, error)
                                    : kvsql_expr_bind_quantified (binder, expr, error);
    case KVSQL_AST_ARRAY:
      return kvsql_expr_bind_array (binder, expr, KVSQL_TYPE_NULL, error);
    case KVSQL_AST_ROW:
      return reject_row (expr, error);
    case KVSQL_AST_EXISTS:
    case KVSQL_AST_SUBQUERY:
      return bind_subquery (binder, expr, error);
    case KVSQL_AST_OUTER:
      return bind_outer (binder, expr);
    case KVSQL_AST_WINDOW:   /* a part of a call */
    case KVSQL_AST_GROUPING: /* a part of GROUP BY */
      g_assert_not_reached ();
    }
  return NULL;
}

/* A simpler form may have an operand twice, and so may that operand's form: without @bound, the
 * work would double with each level. */
static KvsqlExpr *
bind_form (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  g_autoptr (GHashTable) bound = NULL;
  KvsqlBinder inner = *binder;
  KvsqlAstExpr *simpler;

  if (!kvsql_expr_may_be_simpler (expr))
    return bind_kind (binder, expr, error);
  if (inner.bound == NULL)
    inner.bound = bound = g_hash_table_new (NULL, NULL);
  if (!kvsql_expr_rewrite (&inner, expr, &simpler, error))
    return NULL;
  return simpler == NULL ? bind_kind (&inner, expr, error)
                         : kvsql_expr_bind (&inner, simpler, error);
}

/* What the evaluation of a node relies on without a check: the number of its operands and their
 * types. */
static void
assert_bound (const KvsqlExpr *self)
{
  KvsqlExpr *const *children = self->children;

  switch (self->kind)
    {
    case KVSQL_EXPR_CONSTANT:
      g_assert (kvsql_value_is_null (&self->value) || self->value.type == self->type);
      break;
    case KVSQL_EXPR_CALL:
      g_assert (self->n_children == self->function->n_arguments);
      g_assert (self->function->rows == NULL || !self->function->takes_nulls);
      break;
    case KVSQL_EXPR_DISTINCT:
      g_assert (self->n_children == 2 && children[0]->type == children[1]->type);
      break;
    case KVSQL_EXPR_QUANTIFIED:
      g_assert (self->n_children == 2 && kvsql_type_is_list (children[1]->type));
      break;
    case KVSQL_EXPR_LIST:
      g_assert (kvsql_type_is_list (self->type));
      break;
    case KVSQL_EXPR_COMPARE:
      g_assert (self->n_children == 2 && children[0]->type == children[1]->type);
      g_assert (self->op >= KVSQL_OP_EQ && self->op <= KVSQL_OP_GE);
      break;
    case KVSQL_EXPR_AND:
    case KVSQL_EXPR_OR:
      g_assert (self->n_children >= 2);
      break;
    case KVSQL_EXPR_CAST:
      g_assert (self->n_children == 1);
      g_assert (self->is_assignment ? kvsql_cast_is_assignment (children[0]->type, self->type)
                                    : kvsql_cast_is_possible (children[0]->type, self->type));
      break;
    case KVSQL_EXPR_IN:
      g_assert (self->n_children == 1);
      g_assert (self->n_values == 0 || self->values[0].type == children[0]->type);
      break;
    case KVSQL_EXPR_LIKE:
      g_assert (self->n_children == 2 || self->n_children == 3);
      break;
    case KVSQL_EXPR_RLIKE:
      g_assert (self->n_children == 2);
      break;
    case KVSQL_EXPR_CASE:
      g_assert (self->n_children >= 3 && self->n_children % 2 == 1); /* the last one is ELSE */
      g_assert (self->type != KVSQL_TYPE_NULL);
      break;
    case KVSQL_EXPR_COALESCE:
    case KVSQL_EXPR_MINMAX:
      g_assert (self->n_children >= 1 && children[0]->type == self->type);
      break;
    default:
      break;
    }
}

/* Computes the size of a node. Its children have theirs already. */
static KvsqlExpr *
measure (KvsqlExpr *self, GError **error)
{
  gsize size = 1;

  if (self == NULL)
    return NULL;
  assert_bound (self);
  for (guint i = 0; i < self->n_children; i++)
    {
      if (self->children[i]->size == 0 && measure (self->children[i], error) == NULL)
        return NULL;
      size += self->children[i]->size;
    }
  if (size > KVSQL_EXPR_MAX_SIZE)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->span, "expression has more than %d parts",
                       KVSQL_EXPR_MAX_SIZE);
      return NULL;
    }
  self->size = size;
  return self;
}

KvsqlExpr *
kvsql_expr_bind (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  gboolean is_shared = binder->bound != NULL && expr->n_children > 0;
  KvsqlExpr *self = is_shared ? g_hash_table_lookup (binder->bound, expr) : NULL;

  if (!kvsql_interrupt_poll (error))
    return NULL;
  if (self != NULL)
    return self;
  if (binder->resolve != NULL && !binder->resolve (binder, expr, &self, error))
    return NULL;
  if (self == NULL)
    self = measure (bind_form (binder, expr, error), error);
  if (self != NULL)
    kvsql_expr_note_shown (self);
  if (self != NULL && is_shared)
    g_hash_table_insert (binder->bound, (gpointer)expr, self);
  return self;
}
