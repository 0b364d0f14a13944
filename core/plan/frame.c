/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * frame.c: checks a frame clause, and computes its offsets.
 */
#include "config.h"

#include "core/plan/frame.h"

#include "core/base/duration.h"

#include <math.h>

const KvsqlFrame kvsql_frame_default
    = { .mode = KVSQL_FRAME_RANGE, .start = KVSQL_BOUND_FIRST, .end = KVSQL_BOUND_CURRENT };

static const gchar *
mode_word (KvsqlFrameMode mode)
{
  static const gchar *const words[] = {
    [KVSQL_FRAME_RANGE] = "RANGE", [KVSQL_FRAME_ROWS] = "ROWS", [KVSQL_FRAME_GROUPS] = "GROUPS"
  };

  return words[mode];
}

/* ---- the clause */

static gboolean
has_offset (const KvsqlAstWindow *window)
{
  return kvsql_frame_bound_has_offset (window->start) || kvsql_frame_bound_has_offset (window->end);
}

static gboolean
check_order (const KvsqlAstExpr *expr, GError **error)
{
  const KvsqlAstWindow *window = expr->window;
  gboolean is_range = window->mode == KVSQL_FRAME_RANGE && has_offset (window);

  if (is_range ? expr->n_order == 1 : window->mode != KVSQL_FRAME_GROUPS || expr->n_order > 0)
    return TRUE;
  kvsql_error_set (
      error, KVSQL_ERROR_INVALID, window->frame_span, "%s",
      is_range ? "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column"
               : "GROUPS mode requires an ORDER BY clause");
  return kvsql_error_sqlstate (error, "42P20");
}

/* The type of the offsets. *out is KVSQL_TYPE_INTERVAL also for DATE, whose offsets may be numbers
 * of days. */
static gboolean
find_type (const KvsqlAstWindow *window, KvsqlType order, KvsqlType *out, GError **error)
{
  *out = KVSQL_TYPE_BIGINT;
  if (window->mode != KVSQL_FRAME_RANGE || !has_offset (window))
    return TRUE;
  switch (order)
    {
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
      return TRUE;
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIMESTAMP:
    case KVSQL_TYPE_TIME:
    case KVSQL_TYPE_INTERVAL:
      *out = KVSQL_TYPE_INTERVAL;
      return TRUE;
    case KVSQL_TYPE_DECIMAL:
      *out = KVSQL_TYPE_DECIMAL;
      return TRUE;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      *out = KVSQL_TYPE_DOUBLE;
      return TRUE;
    default:
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, window->frame_span,
                       "RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s",
                       kvsql_type_get_name (order));
      return kvsql_error_hint (error,
                               "It is for numbers, and for times and INTERVAL with an INTERVAL.");
    }
}

/* ---- offsets */

/* Of a time of day, only the time of the interval counts. */
static gboolean
is_negative_interval (KvsqlSlice text, KvsqlType order)
{
  KvsqlDuration duration = kvsql_duration_from_text (text);

  return order == KVSQL_TYPE_TIME ? duration.us < 0 : kvsql_duration_get_total (&duration) < 0;
}

static gboolean
check_offset (const KvsqlValue *value, KvsqlType order, KvsqlSpan span, gboolean is_start,
              GError **error)
{
  const gchar *which = is_start ? "starting" : "ending";
  gboolean is_null = kvsql_value_is_null (value);
  gboolean is_negative
      = !is_null
        && (value->type == KVSQL_TYPE_DOUBLE     ? value->real < 0 || isnan (value->real)
            : value->type == KVSQL_TYPE_DECIMAL  ? value->bytes.data[0] == '-'
            : value->type == KVSQL_TYPE_INTERVAL ? is_negative_interval (value->bytes, order)
                                                 : value->integer < 0);

  if (!is_null && !is_negative)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_VALUE, span, "frame %s offset must not be %s", which,
                   is_null ? "null" : "negative");
  return kvsql_error_sqlstate (error, is_null ? "22004" : "22013");
}

static gboolean
check_offset_type (const KvsqlExpr *expr, KvsqlType order, KvsqlType wanted, GError **error)
{
  gboolean is_exact = wanted == KVSQL_TYPE_BIGINT;
  gboolean is_other = wanted == KVSQL_TYPE_INTERVAL
                          ? expr->type != KVSQL_TYPE_INTERVAL
                          : kvsql_type_is_number (expr->type) && is_exact
                                && kvsql_type_get_class (expr->type) != KVSQL_CLASS_INTEGER;

  if (expr->is_untyped || expr->type == KVSQL_TYPE_NULL || !is_other)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->span,
                   "RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s and "
                   "offset type %s",
                   kvsql_type_get_name (order), kvsql_type_get_name (expr->type));
  return kvsql_error_hint (error, "Cast the offset value to an appropriate type.");
}

static gboolean
bind_offset (const KvsqlBinder *binder, const KvsqlAstExpr *ast, const KvsqlAstWindow *window,
             KvsqlType order, KvsqlType type, gboolean is_start, KvsqlValue *out, GError **error)
{
  KvsqlExpr *expr = kvsql_expr_bind (binder, ast, error);

  if (expr != NULL && order == KVSQL_TYPE_DATE && window->mode == KVSQL_FRAME_RANGE
      && (expr->type == KVSQL_TYPE_INT || expr->type == KVSQL_TYPE_BIGINT))
    type = KVSQL_TYPE_BIGINT; /* days */
  kvsql_binder_note_place (binder, ast, type);
  if (expr == NULL
      || (window->mode == KVSQL_FRAME_RANGE && !check_offset_type (expr, order, type, error)))
    return FALSE;
  expr = kvsql_expr_convert (binder, expr, type, error);
  if (expr == NULL)
    return FALSE;
  if (!kvsql_expr_is_constant (expr))
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, ast->span,
                       "argument of %s must not contain variables", mode_word (window->mode));
      return kvsql_error_sqlstate (error, "42P10");
    }
  *out = expr->value;
  if (binder->is_prepare) /* a parameter has no value yet */
    return TRUE;
  return check_offset (out, order, ast->span, is_start, error);
}

gboolean
kvsql_frame_bind (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlType order,
                  KvsqlFrame *out, GError **error)
{
  const KvsqlAstWindow *window = expr->window;
  KvsqlAstExpr *const *offset = expr->children + window->n_partition + expr->n_order;
  KvsqlType type;

  *out = kvsql_frame_default;
  if (!window->has_frame)
    return TRUE;
  *out = (KvsqlFrame){
    .mode = window->mode, .start = window->start, .end = window->end, .exclusion = window->exclusion
  };
  if (!check_order (expr, error) || !find_type (window, order, &type, error))
    return FALSE;
  if (kvsql_frame_bound_has_offset (window->start)
      && !bind_offset (binder, *offset++, window, order, type, TRUE, &out->start_offset, error))
    return FALSE;
  return !kvsql_frame_bound_has_offset (window->end)
         || bind_offset (binder, *offset, window, order, type, FALSE, &out->end_offset, error);
}
