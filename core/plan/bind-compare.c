/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-compare.c: compares an attribute with a constant.
 *
 * If the type of the attribute cannot represent the constant exactly, the constant becomes the
 * nearest value of the type: for an INT, n < 2.5 becomes n <= 2, and n = 2.5 is never true. So the
 * values of a predicate always have the type of the attribute.
 */
#include "config.h"

#include "core/plan/bind-private.h"
#include "core/expr/cast.h"

#include "core/base/conversion.h"
#include "core/base/decimal.h"
#include "core/sql/printer.h"

#include <math.h>

static gboolean
cannot_compare (const KvsqlBinder *binder, guint attribute, KvsqlOperator op,
                const KvsqlValue *value, KvsqlSpan span, GError **error)
{
  const KvsqlAttribute *a = &binder->relation->attributes[attribute];

  kvsql_error_set (error, KVSQL_ERROR_TYPE, span, "operator does not exist: %s %s %s",
                   kvsql_type_get_name (a->type), kvsql_operator_get_text (op),
                   kvsql_type_get_name (value->type));
  if (a->type == KVSQL_TYPE_JSON)
    return kvsql_error_sqlstate (error, "42883") || kvsql_error_hint (error, KVSQL_CAST_JSON_HINT);
  if (a->type == KVSQL_TYPE_STRING && kvsql_type_is_number (value->type))
    kvsql_error_hint (error, "Attribute \"%s\" is a STRING: put the value in single quotes.",
                      a->name);
  return FALSE;
}

/* The constant is between @below and the next value of the type. */
static KvsqlPredicate *
compare_between (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, KvsqlValue below,
                 KvsqlSpan span)
{
  switch (op)
    {
    case KVSQL_OP_LT:
    case KVSQL_OP_LE:
      return kvsql_predicate_new_compare (binder, attribute, KVSQL_OP_LE, below, span);
    case KVSQL_OP_GT:
    case KVSQL_OP_GE:
      return kvsql_predicate_new_compare (binder, attribute, KVSQL_OP_GT, below, span);
    default:
      return kvsql_predicate_new_all_or_none (binder, attribute, op == KVSQL_OP_NE, span);
    }
}

/* The constant is above (or below) all values of the type. */
static KvsqlPredicate *
compare_outside (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, gboolean is_above,
                 KvsqlSpan span)
{
  return kvsql_predicate_new_all_or_none (binder, attribute,
                                          kvsql_operator_admits (op, is_above ? -1 : 1), span);
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
  return is_exact ? kvsql_predicate_new_compare (binder, attribute, op, below, span)
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
    return kvsql_predicate_new_compare (binder, attribute, op,
                                        (KvsqlValue){ .type = type, .real = real }, span);
  /* a FLOAT never equals a DOUBLE that it cannot represent */
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
  return kvsql_predicate_new_compare (binder, attribute, op, decimal, span);
}

static KvsqlPredicate *
compare_date_with_time (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, gint64 ms,
                        KvsqlSpan span)
{
  gint64 rest = ((ms % KVSQL_MS_PER_DAY) + KVSQL_MS_PER_DAY) % KVSQL_MS_PER_DAY;
  KvsqlValue below = { .type = KVSQL_TYPE_DATE, .integer = (ms - rest) / KVSQL_MS_PER_DAY };

  return rest == 0 ? kvsql_predicate_new_compare (binder, attribute, op, below, span)
                   : compare_between (binder, attribute, op, below, span);
}

/* Days or milliseconds. Times outside of the calendar have no text that sorts, and no tuple
 * contains them. */
static KvsqlPredicate *
compare_time (const KvsqlBinder *binder, guint attribute, KvsqlOperator op, gint64 integer,
              KvsqlSpan span)
{
  KvsqlType type = binder->relation->attributes[attribute].type;

  if (!kvsql_type_has_integer (type, integer))
    return compare_outside (binder, attribute, op, integer > 0, span);
  return kvsql_predicate_new_compare (binder, attribute, op,
                                      (KvsqlValue){ .type = type, .integer = integer }, span);
}

KvsqlPredicate *
kvsql_bind_compare (const KvsqlBinder *binder, guint attribute, KvsqlOperator op,
                    const KvsqlValue *value, KvsqlSpan value_span, KvsqlSpan span, GError **error)
{
  KvsqlType type = binder->relation->attributes[attribute].type;
  KvsqlValue converted = *value;

  if (kvsql_value_is_null (value))
    return kvsql_predicate_new_constant (binder, FALSE, span);
  if (type == KVSQL_TYPE_JSON)
    {
      cannot_compare (binder, attribute, op, value, span, error);
      return NULL;
    }
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
                 : kvsql_predicate_new_compare (binder, attribute, op, converted, span);
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
      case KVSQL_TYPE_TIME:
        if (value->type == KVSQL_TYPE_BIGINT)
          return compare_time (binder, attribute, op, value->integer, span);
        break;
      default:
        break;
      }
  else if (value->type == type && kvsql_type_is_time (type))
    return compare_time (binder, attribute, op, value->integer, span);
  else if (value->type == type)
    return kvsql_predicate_new_compare (binder, attribute, op, converted, span);
  cannot_compare (binder, attribute, op, value, span, error);
  return NULL;
}
