/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-number.c: functions of numbers, as in PostgreSQL.
 */
#include "config.h"

#include "core/expr/function.h"

#include <math.h>

#include "core/base/decimal.h"

static gboolean
set_decimal (KvsqlSlice decimal, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DECIMAL, .bytes = decimal };
  return TRUE;
}

/* ---- sign */

static gboolean
integer_abs (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  gint64 value = arguments[0].integer,
         least = arguments[0].type == KVSQL_TYPE_INT ? G_MININT32 : G_MININT64;

  if (value == least)
    return kvsql_function_fail_as (error, "22003", "%s out of range",
                                   kvsql_type_get_name (arguments[0].type));
  *out = (KvsqlValue){ .type = arguments[0].type, .integer = ABS (value) };
  return TRUE;
}

static gboolean
real_abs (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  *out = (KvsqlValue){ .type = arguments[0].type, .real = fabs (arguments[0].real) };
  return TRUE;
}

static gboolean
is_negative (KvsqlSlice decimal)
{
  return decimal.size > 0 && decimal.data[0] == '-';
}

static gboolean
decimal_abs (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  KvsqlSlice value = arguments[0].bytes;

  return set_decimal (is_negative (value) ? kvsql_decimal_negate (value, call->arena) : value, out);
}

static gboolean
real_sign (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  gdouble value = arguments[0].real;

  *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE,
                       .real = isnan (value) ? value : (value > 0) - (value < 0) };
  return TRUE;
}

static gboolean
decimal_sign (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  KvsqlSlice value = arguments[0].bytes;

  return set_decimal (is_negative (value)                       ? KVSQL_SLICE_LITERAL ("-1")
                      : value.size == 1 && value.data[0] == '0' ? KVSQL_SLICE_LITERAL ("0")
                                                                : KVSQL_SLICE_LITERAL ("1"),
                      out);
}

/* ---- rounding */

#define REAL_FUNCTION(name, c_function)                                                            \
  static gboolean real_##name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,         \
                               KvsqlValue *out, GError **error)                                    \
  {                                                                                                \
    *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = c_function (arguments[0].real) };      \
    return TRUE;                                                                                   \
  }

REAL_FUNCTION (round, rint)
REAL_FUNCTION (trunc, trunc)
REAL_FUNCTION (floor, floor)
REAL_FUNCTION (ceil, ceil)

#define DECIMAL_ROUNDING(name, rounding)                                                           \
  static gboolean decimal_##name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,      \
                                  KvsqlValue *out, GError **error)                                 \
  {                                                                                                \
    out->type = KVSQL_TYPE_DECIMAL;                                                                \
    return kvsql_decimal_round (arguments[0].bytes, 0, rounding, call->arena, &out->bytes, error); \
  }

DECIMAL_ROUNDING (round, KVSQL_ROUND_HALF_UP)
DECIMAL_ROUNDING (trunc, KVSQL_ROUND_TRUNCATE)
DECIMAL_ROUNDING (floor, KVSQL_ROUND_FLOOR)
DECIMAL_ROUNDING (ceil, KVSQL_ROUND_CEILING)

static gboolean
decimal_round_to (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_round (arguments[0].bytes, arguments[1].integer, KVSQL_ROUND_HALF_UP,
                              call->arena, &out->bytes, error);
}

static gboolean
decimal_trunc_to (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_round (arguments[0].bytes, arguments[1].integer, KVSQL_ROUND_TRUNCATE,
                              call->arena, &out->bytes, error);
}

/* ---- remainders */

static gboolean
integer_mod (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  gint64 a = arguments[0].integer, b = arguments[1].integer;

  if (b == 0)
    return kvsql_fail_division_by_zero (error);
  *out = (KvsqlValue){ .type = arguments[0].type, .integer = b == -1 ? 0 : a % b };
  return TRUE;
}

static gboolean
decimal_mod (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_modulo (arguments[0].bytes, arguments[1].bytes, call->arena, &out->bytes,
                               error);
}

/* ---- roots, powers and logarithms */

/* @is_finite: the arguments are finite, so that an infinite result is an overflow. @lost: the
 * result underflowed to 0. */
static gboolean
set_real (gdouble real, gboolean is_finite, gboolean lost, KvsqlValue *out, GError **error)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = real };
  if (is_finite && !isfinite (real))
    return kvsql_function_fail_as (error, "22003", "DOUBLE out of range: overflow");
  if (lost)
    return kvsql_function_fail_as (error, "22003", "DOUBLE out of range: underflow");
  return TRUE;
}

static gboolean
real_sqrt (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  if (arguments[0].real < 0)
    return kvsql_function_fail_as (error, "2201F", "cannot take square root of a negative number");
  return set_real (sqrt (arguments[0].real), FALSE, FALSE, out, error);
}

#define DECIMAL_FUNCTION_1(name)                                                                   \
  static gboolean decimal_##name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,      \
                                  KvsqlValue *out, GError **error)                                 \
  {                                                                                                \
    out->type = KVSQL_TYPE_DECIMAL;                                                                \
    return kvsql_decimal_##name (arguments[0].bytes, call->arena, &out->bytes, error);             \
  }

#define DECIMAL_FUNCTION_2(name)                                                                   \
  static gboolean decimal_##name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,      \
                                  KvsqlValue *out, GError **error)                                 \
  {                                                                                                \
    out->type = KVSQL_TYPE_DECIMAL;                                                                \
    return kvsql_decimal_##name (arguments[0].bytes, arguments[1].bytes, call->arena, &out->bytes, \
                                 error);                                                           \
  }

DECIMAL_FUNCTION_1 (sqrt)
DECIMAL_FUNCTION_1 (exp)
DECIMAL_FUNCTION_1 (ln)
DECIMAL_FUNCTION_2 (log)
DECIMAL_FUNCTION_2 (power)

static gboolean
decimal_log10 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_log (KVSQL_SLICE_LITERAL ("10"), arguments[0].bytes, call->arena,
                            &out->bytes, error);
}

static gboolean
real_cbrt (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  gdouble root = cbrt (arguments[0].real), whole = rint (root);

  /* exact if possible, also with an inexact C library */
  return set_real (whole * whole * whole == arguments[0].real ? whole : root, FALSE, FALSE, out,
                   error);
}

static gboolean
real_power (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  gdouble a = arguments[0].real, b = arguments[1].real, result;

  if (a == 0 && b < 0)
    return kvsql_function_fail_as (error, "2201F", "zero raised to a negative power is undefined");
  if (a < 0 && isfinite (a) && isfinite (b) && floor (b) != b)
    return kvsql_function_fail_as (
        error, "2201F", "a negative number raised to a non-integer power yields a complex result");
  result = pow (a, b);
  return set_real (result, isfinite (a) && isfinite (b),
                   result == 0 && a != 0 && isfinite (a) && isfinite (b), out, error);
}

static gboolean
real_exp (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  gdouble a = arguments[0].real, result = exp (a);

  return set_real (result, isfinite (a), result == 0 && isfinite (a), out, error);
}

static gboolean
check_logarithm (gdouble value, GError **error)
{
  if (value == 0)
    return kvsql_function_fail_as (error, "2201E", "cannot take logarithm of zero");
  if (value < 0)
    return kvsql_function_fail_as (error, "2201E", "cannot take logarithm of a negative number");
  return TRUE;
}

static gboolean
real_ln (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  return check_logarithm (arguments[0].real, error)
         && set_real (log (arguments[0].real), FALSE, FALSE, out, error);
}

static gboolean
real_log10 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return check_logarithm (arguments[0].real, error)
         && set_real (log10 (arguments[0].real), FALSE, FALSE, out, error);
}

/* log (base, value) */
static gboolean
real_log_base (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  if (!check_logarithm (arguments[0].real, error) || !check_logarithm (arguments[1].real, error))
    return FALSE;
  if (arguments[0].real == 1)
    return kvsql_fail_division_by_zero (error);
  return set_real (log (arguments[1].real) / log (arguments[0].real), FALSE, FALSE, out, error);
}

/* ---- angles */

#define ANGLE_FUNCTION(name, is_outside)                                                           \
  static gboolean real_##name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,         \
                               KvsqlValue *out, GError **error)                                    \
  {                                                                                                \
    gdouble a = arguments[0].real;                                                                 \
    if (is_outside)                                                                                \
      return kvsql_function_fail_as (error, "22003", "input is out of range");                     \
    return set_real (name (a), FALSE, FALSE, out, error);                                          \
  }

ANGLE_FUNCTION (sin, isinf (a))
ANGLE_FUNCTION (cos, isinf (a))
ANGLE_FUNCTION (tan, isinf (a))
ANGLE_FUNCTION (asin, a<-1 || a> 1)
ANGLE_FUNCTION (acos, a<-1 || a> 1)
ANGLE_FUNCTION (atan, FALSE)

ANGLE_FUNCTION (sinh, FALSE)
ANGLE_FUNCTION (cosh, FALSE)
ANGLE_FUNCTION (tanh, FALSE)
ANGLE_FUNCTION (asinh, FALSE)
ANGLE_FUNCTION (acosh, a < 1)
ANGLE_FUNCTION (atanh, a<-1 || a> 1)

static gboolean
real_cot (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  if (isinf (arguments[0].real))
    return kvsql_function_fail_as (error, "22003", "input is out of range");
  return set_real (1 / tan (arguments[0].real), FALSE, FALSE, out, error);
}

static gboolean
real_random (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  return set_real (g_random_double (), FALSE, FALSE, out, error);
}

static gboolean
real_atan2 (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return set_real (atan2 (arguments[0].real, arguments[1].real), FALSE, FALSE, out, error);
}

static gboolean
real_degrees (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return set_real (arguments[0].real * (180 / G_PI), isfinite (arguments[0].real), FALSE, out,
                   error);
}

static gboolean
real_radians (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return set_real (arguments[0].real * (G_PI / 180), FALSE, FALSE, out, error);
}

static gboolean
real_pi (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  return set_real (G_PI, FALSE, FALSE, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_1 ("abs", INT, INT, integer_abs),
  KVSQL_FUNCTION_1 ("abs", BIGINT, BIGINT, integer_abs),
  KVSQL_FUNCTION_1 ("abs", DECIMAL, DECIMAL, decimal_abs, NULL, TRUE, .digits = KVSQL_DIGITS_MOST),
  KVSQL_FUNCTION_1 ("abs", FLOAT, FLOAT, real_abs, NULL, TRUE),
  KVSQL_FUNCTION_1 ("abs", DOUBLE, DOUBLE, real_abs, NULL, TRUE),
  KVSQL_FUNCTION_1 ("sign", DECIMAL, DECIMAL, decimal_sign, NULL, TRUE),
  KVSQL_FUNCTION_1 ("sign", DOUBLE, DOUBLE, real_sign, NULL, TRUE),
  KVSQL_FUNCTION_1 ("round", DECIMAL, DECIMAL, decimal_round),
  KVSQL_FUNCTION_1 ("round", DOUBLE, DOUBLE, real_round, NULL, TRUE),
  KVSQL_FUNCTION_2 ("round", DECIMAL, BIGINT, DECIMAL, decimal_round_to,
                    .digits = KVSQL_DIGITS_GIVEN),
  KVSQL_FUNCTION_1 ("trunc", DECIMAL, DECIMAL, decimal_trunc),
  KVSQL_FUNCTION_1 ("trunc", DOUBLE, DOUBLE, real_trunc, NULL, TRUE),
  KVSQL_FUNCTION_2 ("trunc", DECIMAL, BIGINT, DECIMAL, decimal_trunc_to,
                    .digits = KVSQL_DIGITS_GIVEN),
  KVSQL_FUNCTION_1 ("floor", DECIMAL, DECIMAL, decimal_floor),
  KVSQL_FUNCTION_1 ("floor", DOUBLE, DOUBLE, real_floor, NULL, TRUE),
  KVSQL_FUNCTION_1 ("ceil", DECIMAL, DECIMAL, decimal_ceil),
  KVSQL_FUNCTION_1 ("ceil", DOUBLE, DOUBLE, real_ceil, NULL, TRUE),
  KVSQL_FUNCTION_1 ("ceiling", DECIMAL, DECIMAL, decimal_ceil),
  KVSQL_FUNCTION_1 ("ceiling", DOUBLE, DOUBLE, real_ceil, NULL, TRUE),
  KVSQL_FUNCTION_2 ("mod", INT, INT, INT, integer_mod),
  KVSQL_FUNCTION_2 ("mod", BIGINT, BIGINT, BIGINT, integer_mod),
  KVSQL_FUNCTION_2 ("mod", DECIMAL, DECIMAL, DECIMAL, decimal_mod, .digits = KVSQL_DIGITS_MOST),
  KVSQL_FUNCTION_1 ("sqrt", DECIMAL, DECIMAL, decimal_sqrt),
  KVSQL_FUNCTION_1 ("sqrt", DOUBLE, DOUBLE, real_sqrt),
  KVSQL_FUNCTION_1 ("cbrt", DOUBLE, DOUBLE, real_cbrt, NULL, TRUE),
  KVSQL_FUNCTION_2 ("power", DECIMAL, DECIMAL, DECIMAL, decimal_power),
  KVSQL_FUNCTION_2 ("power", DOUBLE, DOUBLE, DOUBLE, real_power),
  KVSQL_FUNCTION_2 ("^", DECIMAL, DECIMAL, DECIMAL, decimal_power),
  KVSQL_FUNCTION_2 ("^", DOUBLE, DOUBLE, DOUBLE, real_power),
  KVSQL_FUNCTION_2 ("pow", DECIMAL, DECIMAL, DECIMAL, decimal_power),
  KVSQL_FUNCTION_2 ("pow", DOUBLE, DOUBLE, DOUBLE, real_power),
  KVSQL_FUNCTION_1 ("exp", DECIMAL, DECIMAL, decimal_exp),
  KVSQL_FUNCTION_1 ("exp", DOUBLE, DOUBLE, real_exp),
  KVSQL_FUNCTION_1 ("ln", DECIMAL, DECIMAL, decimal_ln),
  KVSQL_FUNCTION_1 ("ln", DOUBLE, DOUBLE, real_ln),
  KVSQL_FUNCTION_1 ("log", DECIMAL, DECIMAL, decimal_log10),
  KVSQL_FUNCTION_1 ("log", DOUBLE, DOUBLE, real_log10),
  KVSQL_FUNCTION_1 ("log10", DECIMAL, DECIMAL, decimal_log10),
  KVSQL_FUNCTION_1 ("log10", DOUBLE, DOUBLE, real_log10),
  KVSQL_FUNCTION_2 ("log", DECIMAL, DECIMAL, DECIMAL, decimal_log),
  KVSQL_FUNCTION_2 ("log", DOUBLE, DOUBLE, DOUBLE, real_log_base),
  KVSQL_FUNCTION_1 ("sin", DOUBLE, DOUBLE, real_sin),
  KVSQL_FUNCTION_1 ("cos", DOUBLE, DOUBLE, real_cos),
  KVSQL_FUNCTION_1 ("tan", DOUBLE, DOUBLE, real_tan),
  KVSQL_FUNCTION_1 ("asin", DOUBLE, DOUBLE, real_asin),
  KVSQL_FUNCTION_1 ("acos", DOUBLE, DOUBLE, real_acos),
  KVSQL_FUNCTION_1 ("atan", DOUBLE, DOUBLE, real_atan),
  KVSQL_FUNCTION_2 ("atan2", DOUBLE, DOUBLE, DOUBLE, real_atan2),
  KVSQL_FUNCTION_1 ("cot", DOUBLE, DOUBLE, real_cot),
  KVSQL_FUNCTION_1 ("sinh", DOUBLE, DOUBLE, real_sinh),
  KVSQL_FUNCTION_1 ("cosh", DOUBLE, DOUBLE, real_cosh),
  KVSQL_FUNCTION_1 ("tanh", DOUBLE, DOUBLE, real_tanh),
  KVSQL_FUNCTION_1 ("asinh", DOUBLE, DOUBLE, real_asinh),
  KVSQL_FUNCTION_1 ("acosh", DOUBLE, DOUBLE, real_acosh),
  KVSQL_FUNCTION_1 ("atanh", DOUBLE, DOUBLE, real_atanh),
  KVSQL_FUNCTION_0 ("random", DOUBLE, real_random, .is_volatile = TRUE),
  KVSQL_FUNCTION_1 ("degrees", DOUBLE, DOUBLE, real_degrees),
  KVSQL_FUNCTION_1 ("radians", DOUBLE, DOUBLE, real_radians, NULL, TRUE),
  KVSQL_FUNCTION_0 ("pi", DOUBLE, real_pi, NULL, TRUE),
};

const KvsqlFunctionFamily kvsql_functions_number = { functions, G_N_ELEMENTS (functions) };
