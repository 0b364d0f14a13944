/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-exact.c: functions of whole numbers and of digits, as in PostgreSQL.
 */
#include "config.h"

#include "core/base/decimal.h"
#include "core/base/interrupt.h"
#include "core/expr/function.h"

#include <math.h>

static gboolean
set_integer (gint64 integer, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = integer };
  return TRUE;
}

static gboolean
fail_range (KvsqlType type, GError **error)
{
  return kvsql_function_fail_as (error, "22003", "%s out of range", kvsql_type_get_name (type));
}

/* ---- divisors */

static guint64
magnitude (gint64 value)
{
  return value < 0 ? -(guint64)value : (guint64)value;
}

static guint64
common_divisor (guint64 a, guint64 b)
{
  while (b != 0)
    {
      guint64 rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

static gboolean
integer_gcd (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  KvsqlType type = arguments[0].type;
  guint64 divisor
      = common_divisor (magnitude (arguments[0].integer), magnitude (arguments[1].integer));

  if (divisor > G_MAXINT64 || !kvsql_type_has_integer (type, (gint64)divisor))
    return fail_range (type, error);
  *out = (KvsqlValue){ .type = type, .integer = (gint64)divisor };
  return TRUE;
}

static gboolean
integer_lcm (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  KvsqlType type = arguments[0].type;
  guint64 a = magnitude (arguments[0].integer), b = magnitude (arguments[1].integer), multiple = 0;

  if (a != 0 && b != 0
      && (__builtin_mul_overflow (a / common_divisor (a, b), b, &multiple) || multiple > G_MAXINT64
          || !kvsql_type_has_integer (type, (gint64)multiple)))
    return fail_range (type, error);
  *out = (KvsqlValue){ .type = type, .integer = (gint64)multiple };
  return TRUE;
}

static gboolean
factorial (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  KvsqlSlice product = KVSQL_SLICE_LITERAL ("1");

  if (arguments[0].integer < 0)
    return kvsql_function_fail_as (error, "22003", "factorial of a negative number is undefined");
  for (gint64 i = 2; i <= arguments[0].integer; i++) /* ends when there are too many digits */
    if (!kvsql_interrupt_poll (error)
        || !kvsql_decimal_multiply (product, kvsql_decimal_from_int64 (i, call->arena), call->arena,
                                    &product, error))
      return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DECIMAL, .bytes = product };
  return TRUE;
}

/* ---- digits */

/* The quotient without its fraction. */
static gboolean
whole_quotient (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  KvsqlSlice rest, whole;

  return kvsql_decimal_modulo (a, b, arena, &rest, error)
         && kvsql_decimal_subtract (a, rest, arena, &whole, error)
         && kvsql_decimal_divide (whole, b, arena, &whole, error)
         && kvsql_decimal_round (whole, 0, KVSQL_ROUND_TRUNCATE, arena, out, error);
}

static gboolean
decimal_div (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return whole_quotient (arguments[0].bytes, arguments[1].bytes, call->arena, &out->bytes, error);
}

/* Zeros at the end of a DECIMAL have no meaning, so that scale and min_scale are the same. */
static gboolean
decimal_scale (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  KvsqlSlice value = arguments[0].bytes;
  const guint8 *point = memchr (value.data, '.', value.size);

  return set_integer (point == NULL ? 0 : (value.data + value.size) - point - 1, out);
}

static gboolean
decimal_same (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  *out = arguments[0];
  return TRUE;
}

static KvsqlSlice
decimal_magnitude (KvsqlSlice value, KvsqlArena *arena)
{
  return value.data[0] == '-' ? kvsql_decimal_negate (value, arena) : value;
}

/* Euclid's algorithm, on numbers with fractions, too. */
static gboolean
find_decimal_gcd (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlSlice *out,
                  GError **error)
{
  KvsqlSlice a = arguments[0].bytes, b = arguments[1].bytes, rest;

  while (kvsql_decimal_compare (b, KVSQL_SLICE_LITERAL ("0")) != 0)
    {
      if (!kvsql_interrupt_poll (error) || !kvsql_decimal_modulo (a, b, call->arena, &rest, error))
        return FALSE;
      a = b;
      b = rest;
    }
  *out = decimal_magnitude (a, call->arena);
  return TRUE;
}

static gboolean
decimal_gcd (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return find_decimal_gcd (call, arguments, &out->bytes, error);
}

static gboolean
decimal_lcm (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  KvsqlSlice divisor, quotient;

  if (!find_decimal_gcd (call, arguments, &divisor, error))
    return FALSE;
  out->type = KVSQL_TYPE_DECIMAL;
  if (kvsql_decimal_compare (divisor, KVSQL_SLICE_LITERAL ("0")) == 0)
    {
      out->bytes = divisor;
      return TRUE;
    }
  return whole_quotient (decimal_magnitude (arguments[0].bytes, call->arena), divisor, call->arena,
                         &quotient, error)
         && kvsql_decimal_multiply (quotient, decimal_magnitude (arguments[1].bytes, call->arena),
                                    call->arena, &out->bytes, error);
}

/* ---- buckets */

static gboolean
check_count (gint64 count, GError **error)
{
  return count > 0 || kvsql_function_fail_as (error, "2201G", "count must be greater than zero");
}

static gboolean
fail_empty (GError **error)
{
  return kvsql_function_fail_as (error, "2201G", "lower bound cannot equal upper bound");
}

static gboolean
set_bucket (gint64 bucket, KvsqlValue *out, GError **error)
{
  return kvsql_type_has_integer (KVSQL_TYPE_INT, bucket) ? set_integer (bucket, out)
                                                         : fail_range (KVSQL_TYPE_INT, error);
}

/* Buckets from 1 to count, of equal width, from the first bound to the second; 0 and count + 1 are
 * outside. */
static gboolean
real_width_bucket (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  gdouble value = arguments[0].real, first = arguments[1].real, last = arguments[2].real, part;
  gint64 count = arguments[3].integer;

  if (!check_count (count, error))
    return FALSE;
  if (isnan (value) || isnan (first) || isnan (last))
    return kvsql_function_fail (error, "operand, lower bound, and upper bound cannot be NaN");
  if (isinf (first) || isinf (last))
    return kvsql_function_fail (error, "lower and upper bounds must be finite");
  if (first == last)
    return fail_empty (error);
  if (first < last ? value < first : value > first)
    return set_bucket (0, out, error);
  if (first < last ? value >= last : value <= last)
    return set_bucket (count + 1, out, error);
  if (isinf (last - first)) /* halves are apart by no more than the largest number */
    part = (value / 2 - first / 2) / (last / 2 - first / 2);
  else
    part = (value - first) / (last - first);
  return set_bucket (MIN ((gint64)(count * part) + 1, count), out, error);
}

static gboolean
decimal_width_bucket (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                      GError **error)
{
  KvsqlSlice value = arguments[0].bytes, first = arguments[1].bytes, last = arguments[2].bytes;
  gint64 count = arguments[3].integer, bucket = 0;
  gint direction = kvsql_decimal_compare (first, last);
  gint from_first = kvsql_decimal_compare (value, first),
       from_last = kvsql_decimal_compare (value, last);

  if (!check_count (count, error))
    return FALSE;
  if (direction == 0)
    return fail_empty (error);
  if (direction < 0 ? from_first < 0 : from_first > 0)
    return set_bucket (0, out, error);
  if (direction < 0 ? from_last >= 0 : from_last <= 0)
    return set_bucket (count + 1, out, error);
  if (!kvsql_decimal_subtract (value, first, call->arena, &value, error)
      || !kvsql_decimal_subtract (last, first, call->arena, &last, error)
      || !kvsql_decimal_multiply (value, kvsql_decimal_from_int64 (count, call->arena), call->arena,
                                  &value, error)
      || !whole_quotient (value, last, call->arena, &value, error))
    return FALSE;
  if (!kvsql_decimal_to_int64 (value, &bucket, NULL))
    return fail_range (KVSQL_TYPE_INT, error);
  return set_bucket (bucket + 1, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("gcd", INT, INT, INT, integer_gcd),
  KVSQL_FUNCTION_2 ("gcd", BIGINT, BIGINT, BIGINT, integer_gcd),
  KVSQL_FUNCTION_2 ("gcd", DECIMAL, DECIMAL, DECIMAL, decimal_gcd),
  KVSQL_FUNCTION_2 ("lcm", DECIMAL, DECIMAL, DECIMAL, decimal_lcm),
  KVSQL_FUNCTION_2 ("lcm", INT, INT, INT, integer_lcm),
  KVSQL_FUNCTION_2 ("lcm", BIGINT, BIGINT, BIGINT, integer_lcm),
  KVSQL_FUNCTION_1 ("factorial", BIGINT, DECIMAL, factorial),
  KVSQL_FUNCTION_2 ("div", DECIMAL, DECIMAL, DECIMAL, decimal_div),
  KVSQL_FUNCTION_1 ("scale", DECIMAL, INT, decimal_scale, NULL, TRUE),
  KVSQL_FUNCTION_1 ("min_scale", DECIMAL, INT, decimal_scale, NULL, TRUE),
  KVSQL_FUNCTION_1 ("trim_scale", DECIMAL, DECIMAL, decimal_same, NULL, TRUE),
  KVSQL_FUNCTION_4 ("width_bucket", DOUBLE, DOUBLE, DOUBLE, INT, INT, real_width_bucket),
  KVSQL_FUNCTION_4 ("width_bucket", DECIMAL, DECIMAL, DECIMAL, INT, INT, decimal_width_bucket),
};

const KvsqlFunctionFamily kvsql_functions_exact = { functions, G_N_ELEMENTS (functions) };
