/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-value.c: expressions that must be constant: values to store, LIMIT and OFFSET.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/base/text.h"
#include "core/expr/cast.h"
#include "core/plan/bind.h"

#include <math.h>

gboolean
kvsql_bind_constant (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlValue *out,
                     GError **error)
{
  KvsqlBinder inner = *binder;
  KvsqlExpr *bound;

  if (expr->kind == KVSQL_AST_LITERAL)
    {
      *out = expr->value;
      return TRUE;
    }
  if (expr->kind == KVSQL_AST_PARAMETER)
    return kvsql_binder_get_parameter (binder, expr, out, error);
  inner.relation = NULL; /* no names */
  bound = kvsql_expr_bind (&inner, expr, error);
  if (bound == NULL)
    return FALSE;
  if (!kvsql_expr_is_constant (bound))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, expr->span,
                            "a constant expression is needed here");
  *out = bound->value;
  return TRUE;
}

gboolean
kvsql_bind_convert (const KvsqlRelation *relation, guint attribute, const KvsqlValue *value,
                    KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  const KvsqlAttribute *target = &relation->attributes[attribute];
  gboolean is_time = kvsql_type_is_time (target->type);

  if (is_time && (value->type == KVSQL_TYPE_BIGINT || value->type == KVSQL_TYPE_INT))
    *out = (KvsqlValue){ .type = target->type, .integer = value->integer };
  else if (!kvsql_value_convert (value, target->type, arena, out, error))
    {
      g_prefix_error (error, "attribute \"%s\": ", target->name);
      return FALSE;
    }
  if (is_time && out->type != KVSQL_TYPE_NULL
      && !kvsql_cast_check_time (target->type, out->integer, error))
    {
      g_prefix_error (error, "attribute \"%s\": ", target->name);
      return FALSE;
    }
  if (!kvsql_type_limit_apply (&target->limit, out, arena, error))
    {
      g_prefix_error (error, "attribute \"%s\": ", target->name);
      return FALSE;
    }
  if (out->type == KVSQL_TYPE_NULL && target->is_not_null)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "NULL in attribute \"%s\", which is %s", target->name,
                            target->is_key ? "KEY" : "NOT NULL")
           || kvsql_error_sqlstate (error, "23502");
  if (out->type == KVSQL_TYPE_STRING && !kvsql_text_is_valid (out->bytes))
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "attribute \"%s\": invalid UTF-8", target->name)
           || kvsql_error_hint (error,
                                "STRING is UTF-8 without NUL bytes; use BYTES for anything else.");
  if (kvsql_type_get_class (out->type) == KVSQL_CLASS_REAL)
    {
      /* values that compare as equal must be one key, so they need one form */
      if (isnan (out->real))
        out->real = NAN;
      else if (target->is_key && out->real == 0)
        out->real = 0.0;
    }
  return TRUE;
}

/* Integers are BIGINT, whatever the type of the attribute is. */
static inline gboolean
is_integer_of (KvsqlType type, gint64 integer)
{
  switch (type)
    {
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIMESTAMP:
    case KVSQL_TYPE_TIME:
      return kvsql_type_has_integer (type, integer);
    default:
      return FALSE;
    }
}

/* NaN has one form, and zero has one form in a KEY. */
static inline gboolean
is_real_as_stored (gboolean is_key, gdouble real)
{
  return !isnan (real) && !(is_key && real == 0);
}

/* Copies a value that needs no conversion. FALSE is not an error: use kvsql_bind_convert(). */
static inline gboolean
take_as_it_is (const KvsqlAttribute *target, const KvsqlVector *column, guint row, KvsqlValue *out)
{
  if (kvsql_vector_is_null (column, row) || kvsql_type_limit_is_checked (&target->limit))
    return FALSE;
  switch (column->type)
    {
    case KVSQL_TYPE_STRING:
      out->bytes = column->slices[row];
      if (target->type != KVSQL_TYPE_STRING || !kvsql_text_is_ascii (out->bytes))
        return FALSE;
      break;
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
      out->integer = column->integers[row];
      if (!is_integer_of (target->type, out->integer))
        return FALSE;
      break;
    case KVSQL_TYPE_DOUBLE:
      out->real = column->reals[row];
      if (target->type != KVSQL_TYPE_DOUBLE || !is_real_as_stored (target->is_key, out->real))
        return FALSE;
      break;
    default:
      return FALSE;
    }
  out->type = target->type;
  return TRUE;
}

gboolean
kvsql_bind_convert_row (const KvsqlRelation *relation, guint attribute, const KvsqlVector *column,
                        guint row, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  KvsqlValue value;

  if (take_as_it_is (&relation->attributes[attribute], column, row, out))
    return TRUE;
  value = kvsql_vector_get (column, row);
  return kvsql_bind_convert (relation, attribute, &value, arena, out, error);
}

/* ---- columns of values */

static gboolean
take_texts (const KvsqlSlice *texts, guint n, KvsqlValue *out, guint stride)
{
  for (guint i = 0; i < n; i++, out += stride)
    {
      if (!kvsql_text_is_ascii (texts[i]))
        return FALSE;
      *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = texts[i] };
    }
  return TRUE;
}

static gboolean
take_integers (KvsqlType type, const gint64 *integers, guint n, KvsqlValue *out, guint stride)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < n; i++, out += stride)
    {
      out->type = type;
      out->integer = integers[i];
      ok = is_integer_of (type, integers[i]) && ok;
    }
  return ok;
}

static gboolean
take_reals (gboolean is_key, const gdouble *reals, guint n, KvsqlValue *out, guint stride)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < n; i++, out += stride)
    {
      out->type = KVSQL_TYPE_DOUBLE;
      out->real = reals[i];
      ok = is_real_as_stored (is_key, reals[i]) && ok;
    }
  return ok;
}

gboolean
kvsql_bind_take_rows (const KvsqlRelation *relation, guint attribute, const KvsqlVector *column,
                      guint first, guint n, KvsqlValue *out, guint stride)
{
  const KvsqlAttribute *target = &relation->attributes[attribute];

  if (column->has_nulls || kvsql_type_limit_is_checked (&target->limit))
    return FALSE;
  switch (column->type)
    {
    case KVSQL_TYPE_STRING:
      return target->type == KVSQL_TYPE_STRING
             && take_texts (column->slices + first, n, out, stride);
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
      return take_integers (target->type, column->integers + first, n, out, stride);
    case KVSQL_TYPE_DOUBLE:
      return target->type == KVSQL_TYPE_DOUBLE
             && take_reals (target->is_key, column->reals + first, n, out, stride);
    default:
      return FALSE;
    }
}

gboolean
kvsql_bind_assignment (const KvsqlBinder *binder, const KvsqlAstExpr *expr, guint attribute,
                       KvsqlValue *out, GError **error)
{
  const KvsqlAttribute *target = &binder->relation->attributes[attribute];
  KvsqlValue value;

  kvsql_binder_note_limited_place (binder, expr, target->type, &target->limit);
  if (!kvsql_bind_constant (binder, expr, &value, error))
    return FALSE;
  /* in PREPARE the value of a parameter is unknown, so NULL is not an error yet */
  if (binder->is_prepare && kvsql_value_is_null (&value) && expr->kind != KVSQL_AST_LITERAL)
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
  kvsql_binder_note_place (binder, expr, KVSQL_TYPE_BIGINT);
  if (!kvsql_bind_constant (binder, expr, &value, error))
    return FALSE;
  if (kvsql_value_is_null (&value))
    return TRUE;
  if (!kvsql_value_convert (&value, KVSQL_TYPE_BIGINT, binder->arena, &count, error))
    return kvsql_error_at (error, expr->span);
  if (count.integer < 0)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, expr->span, "%s must not be negative", what)
           || kvsql_error_sqlstate (error, strcmp (what, "LIMIT") == 0 ? "2201W" : "2201X");
  *out = count.integer;
  return TRUE;
}
