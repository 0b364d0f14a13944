/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind.c: names to attributes, constants to the attribute's type, NOT into the leaves.
 *
 * A constant that the attribute's type cannot hold exactly moves the comparison to the nearest
 * value it can hold: for an INT, n < 2.5 is n <= 2 and n = 2.5 is never true. So everything
 * below compares values of one type.
 */
#include "config.h"

#include "core/base/decimal.h"
#include "core/plan/bind.h"
#include "core/sql/printer.h"

#include <math.h>
#include <stdlib.h>

static KvsqlPredicate *bind (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                             gboolean is_negated, GError **error);

/* ---- making predicates */

static KvsqlPredicate *
make (const KvsqlBinder *binder, KvsqlPredicateKind kind, KvsqlSpan span)
{
  KvsqlPredicate *self = kvsql_arena_new0 (binder->arena, KvsqlPredicate);

  self->kind = kind;
  self->span = span;
  return self;
}

static KvsqlPredicate *
make_constant (const KvsqlBinder *binder, gboolean truth, KvsqlSpan span)
{
  KvsqlPredicate *self = make (binder, KVSQL_PREDICATE_CONSTANT, span);

  self->truth = truth;
  return self;
}

static KvsqlPredicate *
make_is_null (const KvsqlBinder *binder, guint attribute, gboolean is_negated, KvsqlSpan span)
{
  KvsqlPredicate *self = make (binder, KVSQL_PREDICATE_IS_NULL, span);

  self->attribute = attribute;
  self->is_negated = is_negated;
  return self;
}

static KvsqlPredicate *
make_compare (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, KvsqlValue value,
              KvsqlSpan span)
{
  KvsqlPredicate *self = make (binder, KVSQL_PREDICATE_COMPARE, span);

  self->attribute = attribute;
  self->op = op;
  self->value = value;
  return self;
}

static KvsqlPredicate *
make_pair (const KvsqlBinder *binder, KvsqlPredicateKind kind, KvsqlPredicate *a, KvsqlPredicate *b,
           KvsqlSpan span)
{
  KvsqlPredicate *self = make (binder, kind, span);

  if (a == NULL || b == NULL)
    return NULL;
  self->children = kvsql_arena_array (binder->arena, KvsqlPredicate *, 2);
  self->children[0] = a;
  self->children[1] = b;
  self->n_children = 2;
  return self;
}

static KvsqlOperator
negated_operator (KvsqlOperator op)
{
  switch (op)
    {
    case KVSQL_OP_EQ:
      return KVSQL_OP_NE;
    case KVSQL_OP_NE:
      return KVSQL_OP_EQ;
    case KVSQL_OP_LT:
      return KVSQL_OP_GE;
    case KVSQL_OP_LE:
      return KVSQL_OP_GT;
    case KVSQL_OP_GT:
      return KVSQL_OP_LE;
    default:
      return KVSQL_OP_LT;
    }
}

static KvsqlOperator
mirrored_operator (KvsqlOperator op)
{
  switch (op)
    {
    case KVSQL_OP_LT:
      return KVSQL_OP_GT;
    case KVSQL_OP_LE:
      return KVSQL_OP_GE;
    case KVSQL_OP_GT:
      return KVSQL_OP_LT;
    case KVSQL_OP_GE:
      return KVSQL_OP_LE;
    default:
      return op;
    }
}

/* ---- constants */

static gboolean
is_constant (const KvsqlAstExpr *expr)
{
  if (expr->kind == KVSQL_AST_CAST
      || (expr->kind == KVSQL_AST_UNARY && expr->op == KVSQL_OP_NEGATE))
    return is_constant (expr->children[0]);
  return expr->kind == KVSQL_AST_LITERAL || expr->kind == KVSQL_AST_PARAMETER;
}

static gboolean
unsupported (const KvsqlAstExpr *expr, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->span,
                   "this kind of expression is not supported yet");
  return kvsql_error_hint (
      error,
      "Compare attributes with literals or parameters, and join comparisons with AND, OR and NOT.");
}

static gboolean
negate (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlValue *value, GError **error)
{
  switch (value->type)
    {
    case KVSQL_TYPE_NULL:
      return TRUE;
    case KVSQL_TYPE_BIGINT:
      if (value->integer == G_MININT64)
        return kvsql_error_set (error, KVSQL_ERROR_VALUE, expr->span, "number out of range");
      value->integer = -value->integer;
      return TRUE;
    case KVSQL_TYPE_DOUBLE:
      value->real = -value->real;
      return TRUE;
    case KVSQL_TYPE_DECIMAL:
      {
        gchar *text = kvsql_arena_printf (binder->arena, "-%.*s", (gint)value->bytes.size,
                                          (const gchar *)value->bytes.data);
        gboolean was_negative = text[1] == '-';
        return kvsql_decimal_parse (kvsql_slice_from_text (text + 2 * was_negative), binder->arena,
                                    &value->bytes, error);
      }
    default:
      return kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->op_span,
                              "operator does not exist: - %s", kvsql_type_get_name (value->type));
    }
}

/* CAST ('…' AS type), and DATE '…' */
static gboolean
bind_cast (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlValue *out, GError **error)
{
  KvsqlValue value;
  KvsqlType type;

  if (!kvsql_type_from_name (expr->cast_type.text, &type))
    return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, expr->cast_type.span,
                            "type \"%s\" does not exist", expr->cast_type.text);
  if (!kvsql_bind_constant (binder, expr->children[0], &value, error))
    return FALSE;
  if (!kvsql_value_convert (&value, type, binder->arena, out, error))
    return kvsql_error_at (error, expr->children[0]->span);
  /* constants have the wide types only, as literals do */
  if (out->type == KVSQL_TYPE_INT)
    out->type = KVSQL_TYPE_BIGINT;
  else if (out->type == KVSQL_TYPE_FLOAT)
    out->type = KVSQL_TYPE_DOUBLE;
  return TRUE;
}

gboolean
kvsql_bind_constant (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlValue *out,
                     GError **error)
{
  switch (expr->kind)
    {
    case KVSQL_AST_LITERAL:
      *out = expr->value;
      return TRUE;
    case KVSQL_AST_PARAMETER:
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
    case KVSQL_AST_CAST:
      return is_constant (expr) ? bind_cast (binder, expr, out, error) : unsupported (expr, error);
    case KVSQL_AST_UNARY:
      if (expr->op == KVSQL_OP_NEGATE && is_constant (expr->children[0]))
        return kvsql_bind_constant (binder, expr->children[0], out, error)
               && negate (binder, expr, out, error);
      return unsupported (expr, error);
    case KVSQL_AST_NAME:
      kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                       "a value is needed here, not the name \"%s\"", expr->name.text);
      return kvsql_error_hint (error, "Put text in quotes: '%s'.", expr->name.text);
    default:
      return unsupported (expr, error);
    }
}

gboolean
kvsql_bind_convert (const KvsqlRelation *relation, guint attribute, const KvsqlValue *value,
                    KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  const KvsqlAttribute *target = &relation->attributes[attribute];
  gboolean is_time = target->type == KVSQL_TYPE_DATE || target->type == KVSQL_TYPE_TIMESTAMP;

  if (is_time && value->type == KVSQL_TYPE_BIGINT)
    *out = (KvsqlValue){ .type = target->type, .integer = value->integer };
  else if (!kvsql_value_convert (value, target->type, arena, out, error))
    {
      g_prefix_error (error, "attribute \"%s\": ", target->name);
      return FALSE;
    }
  if (is_time && out->type != KVSQL_TYPE_NULL)
    {
      gint64 unit = target->type == KVSQL_TYPE_DATE ? 1 : KVSQL_MS_PER_DAY;
      if (out->integer < KVSQL_DATE_MIN * unit || out->integer >= (KVSQL_DATE_MAX + 1LL) * unit)
        return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                                "attribute \"%s\": %s out of range", target->name,
                                kvsql_type_get_name (target->type))
               || kvsql_error_hint (error, "Years run from 0001 to 9999.");
    }
  if (out->type == KVSQL_TYPE_NULL && target->is_not_null)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "NULL in attribute \"%s\", which is %s", target->name,
                            target->is_key ? "KEY" : "NOT NULL");
  if (out->type == KVSQL_TYPE_STRING
      && !g_utf8_validate_len ((const gchar *)out->bytes.data, out->bytes.size, NULL))
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "attribute \"%s\": invalid UTF-8", target->name)
           || kvsql_error_hint (error,
                                "STRING is UTF-8 without NUL bytes; use BYTES for anything else.");
  if (kvsql_type_get_class (out->type) == KVSQL_CLASS_REAL)
    {
      /* what compares equal is one key, in one form */
      if (isnan (out->real))
        out->real = NAN;
      else if (target->is_key && out->real == 0)
        out->real = 0.0;
    }
  return TRUE;
}

gboolean
kvsql_bind_assignment (const KvsqlBinder *binder, const KvsqlAstExpr *expr, guint attribute,
                       KvsqlValue *out, GError **error)
{
  KvsqlValue value;

  if (!kvsql_bind_constant (binder, expr, &value, error))
    return FALSE;
  if (binder->is_prepare && expr->kind == KVSQL_AST_PARAMETER)
    {
      *out = KVSQL_VALUE_NULL;
      return TRUE;
    }
  if (!kvsql_bind_convert (binder->relation, attribute, &value, binder->arena, out, error))
    return kvsql_error_at (error, expr->span);
  return TRUE;
}

gboolean
kvsql_bind_count (const KvsqlBinder *binder, const KvsqlAstExpr *expr, const gchar *what,
                  guint64 absent, guint64 *out, GError **error)
{
  KvsqlValue value, count;

  *out = absent;
  if (expr == NULL)
    return TRUE;
  if (!kvsql_bind_constant (binder, expr, &value, error))
    return FALSE;
  if (kvsql_value_is_null (&value))
    return TRUE;
  if (!kvsql_value_convert (&value, KVSQL_TYPE_BIGINT, binder->arena, &count, error))
    return kvsql_error_at (error, expr->span);
  if (count.integer < 0)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, expr->span, "%s must not be negative", what);
  *out = count.integer;
  return TRUE;
}

gboolean
kvsql_bind_attribute (const KvsqlBinder *binder, const KvsqlAstExpr *expr, guint *out_attribute,
                      GError **error)
{
  if (expr->kind != KVSQL_AST_NAME)
    return unsupported (expr, error);
  return kvsql_relation_find (binder->relation, &expr->name, out_attribute, error);
}

/* ---- attribute against constant */

static gboolean
cannot_compare (const KvsqlBinder *binder, guint attribute, KvsqlOperator op,
                const KvsqlValue *value, KvsqlSpan span, GError **error)
{
  const KvsqlAttribute *a = &binder->relation->attributes[attribute];

  kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "operator does not exist: %s %s %s",
                   kvsql_type_get_name (a->type), kvsql_operator_get_text (op),
                   kvsql_type_get_name (value->type));
  if (a->type == KVSQL_TYPE_STRING && kvsql_type_is_number (value->type))
    kvsql_error_hint (error, "Attribute \"%s\" is a STRING: put the value in quotes.", a->name);
  return FALSE;
}

/* The comparison is true for every value but NULL, or for none. */
static KvsqlPredicate *
all_or_none (const KvsqlBinder *binder, guint attribute, gboolean all, KvsqlSpan span)
{
  return all ? make_is_null (binder, attribute, TRUE, span) : make_constant (binder, FALSE, span);
}

/* The constant lies between @below and the next value of the type. */
static KvsqlPredicate *
compare_between (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, KvsqlValue below,
                 KvsqlSpan span)
{
  switch (op)
    {
    case KVSQL_OP_LT:
    case KVSQL_OP_LE:
      return make_compare (binder, attribute, KVSQL_OP_LE, below, span);
    case KVSQL_OP_GT:
    case KVSQL_OP_GE:
      return make_compare (binder, attribute, KVSQL_OP_GT, below, span);
    default:
      return all_or_none (binder, attribute, op == KVSQL_OP_NE, span);
    }
}

/* The constant lies above (or below) everything that the type can hold. */
static KvsqlPredicate *
compare_outside (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, gboolean is_above,
                 KvsqlSpan span)
{
  return all_or_none (binder, attribute, kvsql_operator_admits (op, is_above ? -1 : 1), span);
}

static KvsqlPredicate *
compare_integer (const KvsqlBinder *binder, guint attribute, KvsqlOperator op,
                 const KvsqlValue *value, KvsqlSpan span)
{
  KvsqlType type = binder->relation->attributes[attribute].type;
  gint64 min = type == KVSQL_TYPE_INT ? G_MININT32 : G_MININT64,
         max = type == KVSQL_TYPE_INT ? G_MAXINT32 : G_MAXINT64;
  KvsqlValue below = { .type = type };
  gboolean is_exact = TRUE;

  if (value->type == KVSQL_TYPE_DOUBLE)
    {
      gdouble floored = floor (value->real);
      if (isnan (value->real) || floored >= 9223372036854775808.0)
        return compare_outside (binder, attribute, op, TRUE, span);
      if (floored < -9223372036854775808.0)
        return compare_outside (binder, attribute, op, FALSE, span);
      below.integer = (gint64)floored;
      is_exact = floored == value->real;
    }
  else if (value->type == KVSQL_TYPE_DECIMAL)
    {
      gboolean is_negative = value->bytes.data[0] == '-';
      if (!kvsql_decimal_to_int64 (value->bytes, &below.integer, &is_exact))
        return compare_outside (binder, attribute, op, !is_negative, span);
      if (!is_exact)
        {
          gchar rounded[32];
          g_snprintf (rounded, sizeof rounded, "%" G_GINT64_FORMAT, below.integer);
          if (kvsql_decimal_compare (kvsql_slice_from_text (rounded), value->bytes) > 0)
            below.integer--;
        }
    }
  else
    below.integer = value->integer;
  if (below.integer > max || (below.integer == max && !is_exact))
    return compare_outside (binder, attribute, op, TRUE, span);
  if (below.integer < min)
    return compare_outside (binder, attribute, op, FALSE, span);
  return is_exact ? make_compare (binder, attribute, op, below, span)
                  : compare_between (binder, attribute, op, below, span);
}

static KvsqlPredicate *
compare_real (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, const KvsqlValue *value,
              KvsqlSpan span)
{
  KvsqlType type = binder->relation->attributes[attribute].type;
  gdouble real = value->type == KVSQL_TYPE_BIGINT    ? (gdouble)value->integer
                 : value->type == KVSQL_TYPE_DECIMAL ? kvsql_decimal_to_double (value->bytes)
                                                     : value->real;
  gfloat narrow = (gfloat)real;

  if (type == KVSQL_TYPE_DOUBLE || isnan (real) || narrow == real)
    return make_compare (binder, attribute, op, (KvsqlValue){ .type = type, .real = real }, span);
  /* a FLOAT never equals a DOUBLE that it cannot hold */
  if (narrow > real)
    narrow = nextafterf (narrow, -INFINITY);
  return compare_between (binder, attribute, op, (KvsqlValue){ .type = type, .real = narrow },
                          span);
}

static KvsqlPredicate *
compare_decimal (const KvsqlBinder *binder, guint attribute, KvsqlOperator op,
                 const KvsqlValue *value, KvsqlSpan span, GError **error)
{
  KvsqlValue decimal;

  if (value->type == KVSQL_TYPE_DOUBLE && (isnan (value->real) || isinf (value->real)))
    return compare_outside (binder, attribute, op, !(value->real < 0), span);
  if (!kvsql_value_convert (value, KVSQL_TYPE_DECIMAL, binder->arena, &decimal, error))
    return NULL;
  return make_compare (binder, attribute, op, decimal, span);
}

static KvsqlPredicate *
compare_date_with_time (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, gint64 ms,
                        KvsqlSpan span)
{
  gint64 rest = ((ms % KVSQL_MS_PER_DAY) + KVSQL_MS_PER_DAY) % KVSQL_MS_PER_DAY;
  KvsqlValue below = { .type = KVSQL_TYPE_DATE, .integer = (ms - rest) / KVSQL_MS_PER_DAY };

  return rest == 0 ? make_compare (binder, attribute, op, below, span)
                   : compare_between (binder, attribute, op, below, span);
}

/* Days or milliseconds; those beyond the calendar have no text that sorts, and no tuple has them.
 */
static KvsqlPredicate *
compare_time (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, gint64 integer,
              KvsqlSpan span)
{
  KvsqlType type = binder->relation->attributes[attribute].type;
  gint64 unit = type == KVSQL_TYPE_DATE ? 1 : KVSQL_MS_PER_DAY;

  if (integer < KVSQL_DATE_MIN * unit)
    return compare_outside (binder, attribute, op, FALSE, span);
  if (integer >= (KVSQL_DATE_MAX + 1LL) * unit)
    return compare_outside (binder, attribute, op, TRUE, span);
  return make_compare (binder, attribute, op, (KvsqlValue){ .type = type, .integer = integer },
                       span);
}

static KvsqlPredicate *
compare_constant (const KvsqlBinder *binder, guint attribute, KvsqlOperator op,
                  const KvsqlValue *value, KvsqlSpan value_span, KvsqlSpan span, GError **error)
{
  KvsqlType type = binder->relation->attributes[attribute].type;
  KvsqlValue converted = *value;

  if (kvsql_value_is_null (value))
    return make_constant (binder, FALSE, span);
  if (value->type == KVSQL_TYPE_STRING && type != KVSQL_TYPE_STRING)
    {
      if (!kvsql_value_parse (type, value->bytes, binder->arena, &converted, error))
        {
          g_prefix_error (error,
                          "attribute \"%s\": ", binder->relation->attributes[attribute].name);
          kvsql_error_at (error, value_span);
          return NULL;
        }
      return type == KVSQL_TYPE_TIMESTAMP
                 ? compare_time (binder, attribute, op, converted.integer, span)
                 : make_compare (binder, attribute, op, converted, span);
    }
  if (value->type == KVSQL_TYPE_DATE && type == KVSQL_TYPE_TIMESTAMP)
    return compare_time (binder, attribute, op, value->integer * KVSQL_MS_PER_DAY, span);
  if (value->type == KVSQL_TYPE_TIMESTAMP && type == KVSQL_TYPE_DATE)
    return compare_date_with_time (binder, attribute, op, value->integer, span);
  if (kvsql_type_is_number (value->type))
    switch (type)
      {
      case KVSQL_TYPE_INT:
      case KVSQL_TYPE_BIGINT:
        return compare_integer (binder, attribute, op, value, span);
      case KVSQL_TYPE_FLOAT:
      case KVSQL_TYPE_DOUBLE:
        return compare_real (binder, attribute, op, value, span);
      case KVSQL_TYPE_DECIMAL:
        return compare_decimal (binder, attribute, op, value, span, error);
      case KVSQL_TYPE_DATE:
      case KVSQL_TYPE_TIMESTAMP:
        if (value->type == KVSQL_TYPE_BIGINT)
          return compare_time (binder, attribute, op, value->integer, span);
        break;
      default:
        break;
      }
  else if (value->type == type)
    return make_compare (binder, attribute, op, converted, span);
  cannot_compare (binder, attribute, op, value, span, error);
  return NULL;
}

/* ---- constant against constant */

static KvsqlPredicate *
compare_constants (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op,
                   GError **error)
{
  KvsqlValue a, b, x, y;

  if (!kvsql_bind_constant (binder, expr->children[0], &a, error)
      || !kvsql_bind_constant (binder, expr->children[1], &b, error))
    return NULL;
  if (kvsql_value_is_null (&a) || kvsql_value_is_null (&b))
    return make_constant (binder, FALSE, expr->span);
  if (a.type != b.type)
    {
      KvsqlType type = a.type == KVSQL_TYPE_STRING   ? b.type
                       : b.type == KVSQL_TYPE_STRING ? a.type
                       : a.type == KVSQL_TYPE_DOUBLE || b.type == KVSQL_TYPE_DOUBLE
                           ? KVSQL_TYPE_DOUBLE
                           : KVSQL_TYPE_DECIMAL;
      if (!kvsql_value_convert (&a, type, binder->arena, &x, error)
          || !kvsql_value_convert (&b, type, binder->arena, &y, error))
        {
          kvsql_error_at (error, expr->span);
          return NULL;
        }
    }
  else
    {
      x = a;
      y = b;
    }
  return make_constant (binder, kvsql_operator_admits (op, kvsql_value_compare (&x, &y)),
                        expr->span);
}

/* ---- leaves */

static gboolean
comparable (KvsqlType a, KvsqlType b)
{
  return a == b || (kvsql_type_is_number (a) && kvsql_type_is_number (b))
         || ((a == KVSQL_TYPE_DATE || a == KVSQL_TYPE_TIMESTAMP)
             && (b == KVSQL_TYPE_DATE || b == KVSQL_TYPE_TIMESTAMP));
}

static KvsqlPredicate *
compare_attributes (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op,
                    GError **error)
{
  KvsqlPredicate *self = make (binder, KVSQL_PREDICATE_ATTRIBUTES, expr->span);
  const KvsqlAttribute *attributes = binder->relation->attributes;

  if (!kvsql_relation_find (binder->relation, &expr->children[0]->name, &self->attribute, error)
      || !kvsql_relation_find (binder->relation, &expr->children[1]->name, &self->other, error))
    return NULL;
  if (!comparable (attributes[self->attribute].type, attributes[self->other].type))
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->op_span, "operator does not exist: %s %s %s",
                       kvsql_type_get_name (attributes[self->attribute].type),
                       kvsql_operator_get_text (op),
                       kvsql_type_get_name (attributes[self->other].type));
      return NULL;
    }
  self->op = op;
  return self;
}

static KvsqlPredicate *
bind_comparison (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
                 GError **error)
{
  KvsqlOperator op = is_negated ? negated_operator (expr->op) : expr->op;
  const KvsqlAstExpr *left = expr->children[0], *right = expr->children[1];
  KvsqlValue value;
  guint attribute;

  if (is_constant (left) && is_constant (right))
    return compare_constants (binder, expr, op, error);
  if (left->kind == KVSQL_AST_NAME && right->kind == KVSQL_AST_NAME)
    return compare_attributes (binder, expr, op, error);
  if (is_constant (left))
    {
      const KvsqlAstExpr *swapped = left;
      left = right;
      right = swapped;
      op = mirrored_operator (op);
    }
  if (!kvsql_bind_attribute (binder, left, &attribute, error)
      || !kvsql_bind_constant (binder, right, &value, error))
    return NULL;
  return compare_constant (binder, attribute, op, &value, right->span, expr->span, error);
}

static int
compare_values (const void *a, const void *b)
{
  return kvsql_value_compare (a, b);
}

/* Sorts and removes repeats; an IN of one value is an equality. */
static KvsqlPredicate *
finish_in (const KvsqlBinder *binder, KvsqlPredicate *self)
{
  guint n = 0;

  qsort (self->values, self->n_values, sizeof (KvsqlValue), compare_values);
  for (guint i = 0; i < self->n_values; i++)
    if (n == 0 || kvsql_value_compare (&self->values[n - 1], &self->values[i]) != 0)
      self->values[n++] = self->values[i];
  self->n_values = n;
  if (n == 0)
    return all_or_none (binder, self->attribute, self->is_negated, self->span);
  if (n == 1)
    return make_compare (binder, self->attribute, self->is_negated ? KVSQL_OP_NE : KVSQL_OP_EQ,
                         self->values[0], self->span);
  return self;
}

static KvsqlPredicate *
bind_in (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated, GError **error)
{
  KvsqlPredicate *self = make (binder, KVSQL_PREDICATE_IN, expr->span);
  gboolean has_null = FALSE;

  if (!kvsql_bind_attribute (binder, expr->children[0], &self->attribute, error))
    return NULL;
  self->is_negated = is_negated != expr->is_negated;
  self->values = kvsql_arena_array (binder->arena, KvsqlValue, expr->n_children);
  for (guint i = 1; i < expr->n_children; i++)
    {
      KvsqlValue value;
      KvsqlPredicate *equal;

      if (!kvsql_bind_constant (binder, expr->children[i], &value, error))
        return NULL;
      if (kvsql_value_is_null (&value))
        {
          has_null = TRUE;
          continue;
        }
      equal = compare_constant (binder, self->attribute, KVSQL_OP_EQ, &value,
                                expr->children[i]->span, expr->children[i]->span, error);
      if (equal == NULL)
        return NULL;
      if (equal->kind == KVSQL_PREDICATE_COMPARE) /* else nothing equals it */
        self->values[self->n_values++] = equal->value;
    }
  /* x NOT IN (…, NULL) is never true */
  if (self->is_negated && has_null)
    return make_constant (binder, FALSE, expr->span);
  return finish_in (binder, self);
}

static KvsqlPredicate *
bind_between (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
              GError **error)
{
  KvsqlAstExpr *low_children[2] = { expr->children[0], expr->children[1] };
  KvsqlAstExpr *high_children[2] = { expr->children[0], expr->children[2] };
  KvsqlAstExpr low = { .kind = KVSQL_AST_BINARY,
                       .span = expr->span,
                       .op_span = expr->op_span,
                       .op = KVSQL_OP_GE,
                       .children = low_children,
                       .n_children = 2 };
  KvsqlAstExpr high = low;

  KvsqlPredicate *above, *below;

  high.op = KVSQL_OP_LE;
  high.children = high_children;
  is_negated = is_negated != expr->is_negated;
  above = bind_comparison (binder, &low, is_negated, error);
  below = above == NULL ? NULL : bind_comparison (binder, &high, is_negated, error);
  return make_pair (binder, is_negated ? KVSQL_PREDICATE_OR : KVSQL_PREDICATE_AND, above, below,
                    expr->span);
}

static gboolean
bind_escape (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gint *out_escape, GError **error)
{
  KvsqlValue escape;

  *out_escape = '\\';
  if (expr->n_children < 3)
    return TRUE;
  if (!kvsql_bind_constant (binder, expr->children[2], &escape, error))
    return FALSE;
  if (escape.type != KVSQL_TYPE_STRING || escape.bytes.size > 1)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, expr->children[2]->span,
                            "ESCAPE needs one character or none");
  *out_escape = escape.bytes.size == 0 ? -1 : escape.bytes.data[0];
  return TRUE;
}

static KvsqlPredicate *
bind_like (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated, GError **error)
{
  KvsqlPredicate *self = make (binder, KVSQL_PREDICATE_LIKE, expr->span);
  KvsqlType type;
  KvsqlValue pattern;
  gint escape;

  if (!kvsql_bind_attribute (binder, expr->children[0], &self->attribute, error)
      || !kvsql_bind_constant (binder, expr->children[1], &pattern, error)
      || !bind_escape (binder, expr, &escape, error))
    return NULL;
  type = binder->relation->attributes[self->attribute].type;
  if (kvsql_value_is_null (&pattern))
    return make_constant (binder, FALSE, expr->span);
  if ((type != KVSQL_TYPE_STRING && type != KVSQL_TYPE_BYTES)
      || (pattern.type != KVSQL_TYPE_STRING && pattern.type != KVSQL_TYPE_BYTES))
    {
      kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->span, "operator does not exist: %s LIKE %s",
                       kvsql_type_get_name (type), kvsql_type_get_name (pattern.type));
      kvsql_error_hint (error, "LIKE compares STRING or BYTES with a text pattern.");
      return NULL;
    }
  self->is_negated = is_negated != expr->is_negated;
  self->like
      = kvsql_like_compile (pattern.bytes, escape, type == KVSQL_TYPE_BYTES, binder->arena, error);
  if (self->like == NULL)
    {
      kvsql_error_at (error, expr->children[1]->span);
      return NULL;
    }
  if (self->like->is_exact)
    return make_compare (
        binder, self->attribute, self->is_negated ? KVSQL_OP_NE : KVSQL_OP_EQ,
        (KvsqlValue){ .type = type, .bytes = kvsql_slice (self->like->bytes, self->like->size) },
        expr->span);
  return self;
}

static KvsqlPredicate *
bind_is_null (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
              GError **error)
{
  KvsqlValue value;
  guint attribute;

  is_negated = is_negated != expr->is_negated;
  if (is_constant (expr->children[0]))
    return kvsql_bind_constant (binder, expr->children[0], &value, error) ? make_constant (
               binder, (kvsql_value_is_null (&value) != FALSE) != is_negated, expr->span)
                                                                          : NULL;
  if (!kvsql_bind_attribute (binder, expr->children[0], &attribute, error))
    return NULL;
  return make_is_null (binder, attribute, is_negated, expr->span);
}

/* An attribute or a constant where a truth value is wanted. */
static KvsqlPredicate *
bind_truth (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
            GError **error)
{
  KvsqlValue value;
  guint attribute;
  KvsqlType type;

  if (is_constant (expr))
    {
      if (!kvsql_bind_constant (binder, expr, &value, error))
        return NULL;
      if (kvsql_value_is_null (&value))
        return make_constant (binder, FALSE, expr->span);
      type = value.type;
      if (type == KVSQL_TYPE_BOOLEAN)
        return make_constant (binder, (value.boolean != FALSE) != is_negated, expr->span);
    }
  else
    {
      if (!kvsql_bind_attribute (binder, expr, &attribute, error))
        return NULL;
      type = binder->relation->attributes[attribute].type;
      if (type == KVSQL_TYPE_BOOLEAN)
        return make_compare (binder, attribute, KVSQL_OP_EQ,
                             (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = !is_negated },
                             expr->span);
    }
  kvsql_error_set (error, KVSQL_ERROR_TYPE, expr->span, "argument of WHERE must be BOOLEAN, not %s",
                   kvsql_type_get_name (type));
  return NULL;
}

/* ---- AND, OR, NOT */

/* Appends the operands of a chain of the same connective, so that a AND b AND c is one node. */
static gboolean
collect (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlOperator op, gboolean is_negated,
         GPtrArray *out, GError **error)
{
  KvsqlPredicate *leaf;

  if (expr->kind == KVSQL_AST_BINARY && expr->op == op)
    return collect (binder, expr->children[0], op, is_negated, out, error)
           && collect (binder, expr->children[1], op, is_negated, out, error);
  leaf = bind (binder, expr, is_negated, error);
  if (leaf == NULL)
    return FALSE;
  g_ptr_array_add (out, leaf);
  return TRUE;
}

static KvsqlPredicate *
bind_connective (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated,
                 GError **error)
{
  g_autoptr (GPtrArray) children = g_ptr_array_new ();
  gboolean is_and = (expr->op == KVSQL_OP_AND) != is_negated;
  KvsqlPredicate *self
      = make (binder, is_and ? KVSQL_PREDICATE_AND : KVSQL_PREDICATE_OR, expr->span);

  if (!collect (binder, expr, expr->op, is_negated, children, error))
    return NULL;
  self->children
      = kvsql_arena_copy (binder->arena, children->pdata, children->len * sizeof (gpointer));
  self->n_children = children->len;
  return self;
}

static KvsqlPredicate *
bind (const KvsqlBinder *binder, const KvsqlAstExpr *expr, gboolean is_negated, GError **error)
{
  switch (expr->kind)
    {
    case KVSQL_AST_UNARY:
      if (expr->op == KVSQL_OP_NOT)
        return bind (binder, expr->children[0], !is_negated, error);
      return bind_truth (binder, expr, is_negated, error);
    case KVSQL_AST_BINARY:
      if (expr->op == KVSQL_OP_AND || expr->op == KVSQL_OP_OR)
        return bind_connective (binder, expr, is_negated, error);
      if (expr->op >= KVSQL_OP_EQ && expr->op <= KVSQL_OP_GE)
        return bind_comparison (binder, expr, is_negated, error);
      unsupported (expr, error);
      return NULL;
    case KVSQL_AST_IN:
      return bind_in (binder, expr, is_negated, error);
    case KVSQL_AST_BETWEEN:
      return bind_between (binder, expr, is_negated, error);
    case KVSQL_AST_LIKE:
      return bind_like (binder, expr, is_negated, error);
    case KVSQL_AST_IS_NULL:
      return bind_is_null (binder, expr, is_negated, error);
    case KVSQL_AST_LITERAL:
    case KVSQL_AST_PARAMETER:
    case KVSQL_AST_NAME:
      return bind_truth (binder, expr, is_negated, error);
    default:
      unsupported (expr, error);
      return NULL;
    }
}

KvsqlPredicate *
kvsql_bind_predicate (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  return expr == NULL ? make_constant (binder, TRUE, KVSQL_SPAN_NONE)
                      : bind (binder, expr, FALSE, error);
}

void
kvsql_predicate_collect (const KvsqlPredicate *self, KvsqlAttributeSet *out)
{
  for (guint i = 0; i < self->n_children; i++)
    kvsql_predicate_collect (self->children[i], out);
  if (self->kind >= KVSQL_PREDICATE_COMPARE && self->kind <= KVSQL_PREDICATE_IS_NULL)
    kvsql_attribute_set_add (out, self->attribute);
  if (self->kind == KVSQL_PREDICATE_ATTRIBUTES)
    kvsql_attribute_set_add (out, self->other);
}
