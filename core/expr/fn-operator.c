/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-operator.c: + - * / % and || by PostgreSQL's rules: overflow of whole numbers is an error, and
 * their division truncates; reals fail if the result would be an infinity or be rounded to 0.
 */
#include "config.h"

#include "core/base/decimal.h"
#include "core/expr/cast.h"
#include "core/expr/function.h"

#include <math.h>

/* ---- columns of integers and reals
 *
 * EACH runs @body, which sees the row as i and says `bad` if it fails, for the rows wanted. */

#define EACH(body)                                                                                 \
  gboolean bad = FALSE;                                                                            \
  if (rows == NULL && !out->has_nulls)                                                             \
    for (guint i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        body;                                                                                      \
      }                                                                                            \
  else                                                                                             \
    for (guint k = 0; k < n; k++)                                                                  \
      {                                                                                            \
        guint i = rows != NULL ? rows[k] : k;                                                      \
        if (kvsql_vector_is_null (out, i))                                                         \
          continue;                                                                                \
        body;                                                                                      \
      }                                                                                            \
  return !bad

static inline gboolean
fits_int (gint64 value)
{
  return value == (gint32)value;
}

#define INTEGER_ROWS(name, builtin)                                                                \
  static gboolean int_##name##_rows (const KvsqlVector *const *arguments, const guint32 *rows,     \
                                     guint n, KvsqlVector *out)                                    \
  {                                                                                                \
    const gint64 *a = arguments[0]->integers, *b = arguments[1]->integers;                         \
    gint64 *r = out->integers;                                                                     \
    EACH (bad |= builtin (a[i], b[i], &r[i]); bad |= !fits_int (r[i]));                            \
  }                                                                                                \
  static gboolean bigint_##name##_rows (const KvsqlVector *const *arguments, const guint32 *rows,  \
                                        guint n, KvsqlVector *out)                                 \
  {                                                                                                \
    const gint64 *a = arguments[0]->integers, *b = arguments[1]->integers;                         \
    gint64 *r = out->integers;                                                                     \
    EACH (bad |= builtin (a[i], b[i], &r[i]));                                                     \
  }

INTEGER_ROWS (add, __builtin_add_overflow)
INTEGER_ROWS (subtract, __builtin_sub_overflow)
INTEGER_ROWS (multiply, __builtin_mul_overflow)

static inline gboolean
divide_fails (gint64 a, gint64 b)
{
  return b == 0 || (b == -1 && a == G_MININT64);
}

static gboolean
integer_divide_rows (const KvsqlVector *const *arguments, const guint32 *rows, guint n,
                     KvsqlVector *out)
{
  const gint64 *a = arguments[0]->integers, *b = arguments[1]->integers;
  gint64 *r = out->integers, limit = out->type == KVSQL_TYPE_INT ? G_MAXINT32 : G_MAXINT64;

  EACH (gboolean fails = divide_fails (a[i], b[i]); r[i] = fails ? 0 : a[i] / b[i];
        bad |= fails | (r[i] > limit));
}

static gboolean
integer_modulo_rows (const KvsqlVector *const *arguments, const guint32 *rows, guint n,
                     KvsqlVector *out)
{
  const gint64 *a = arguments[0]->integers, *b = arguments[1]->integers;
  gint64 *r = out->integers;

  EACH (bad |= b[i] == 0; r[i] = b[i] == 0 || b[i] == -1 ? 0 : a[i] % b[i]);
}

/* Whether finite operands have a result that is not finite. */
static inline gboolean
real_fails (gdouble a, gdouble b, gdouble r)
{
  return !isfinite (r) && isfinite (a) && isfinite (b);
}

#define REAL_ROWS(name, op, more)                                                                  \
  static gboolean name##_rows (const KvsqlVector *const *arguments, const guint32 *rows, guint n,  \
                               KvsqlVector *out)                                                   \
  {                                                                                                \
    const gdouble *a = arguments[0]->reals, *b = arguments[1]->reals;                              \
    gdouble *r = out->reals;                                                                       \
    EACH (r[i] = a[i] op b[i]; bad |= real_fails (a[i], b[i], r[i]) || (more));                    \
  }

REAL_ROWS (double_add, +, FALSE)
REAL_ROWS (double_subtract, -, FALSE)
REAL_ROWS (double_multiply, *, r[i] == 0 && a[i] != 0 && b[i] != 0)
REAL_ROWS (double_divide, /, b[i] == 0 || (r[i] == 0 && a[i] != 0 && !isinf (b[i])))

/* ---- one row */

static gboolean
integer_result (KvsqlType type, gboolean overflows, gint64 result, KvsqlValue *out, GError **error)
{
  *out = (KvsqlValue){ .type = type, .integer = result };
  if (!overflows && (type != KVSQL_TYPE_INT || fits_int (result)))
    return TRUE;
  kvsql_function_fail_as (error, "22003", "%s out of range", kvsql_type_get_name (type));
  return kvsql_error_hint (error, type == KVSQL_TYPE_INT
                                      ? "Write CAST (… AS BIGINT) to compute with 64 bits."
                                      : "Write CAST (… AS DECIMAL) to compute with any number of "
                                        "digits.");
}

#define INTEGER_ROW(name, type, builtin)                                                           \
  static gboolean name (const KvsqlFunctionCall *call, const KvsqlValue *arguments,                \
                        KvsqlValue *out, GError **error)                                           \
  {                                                                                                \
    gint64 result;                                                                                 \
    gboolean overflows = builtin (arguments[0].integer, arguments[1].integer, &result);            \
    return integer_result (type, overflows, result, out, error);                                   \
  }

INTEGER_ROW (int_add, KVSQL_TYPE_INT, __builtin_add_overflow)
INTEGER_ROW (int_subtract, KVSQL_TYPE_INT, __builtin_sub_overflow)
INTEGER_ROW (int_multiply, KVSQL_TYPE_INT, __builtin_mul_overflow)
INTEGER_ROW (bigint_add, KVSQL_TYPE_BIGINT, __builtin_add_overflow)
INTEGER_ROW (bigint_subtract, KVSQL_TYPE_BIGINT, __builtin_sub_overflow)
INTEGER_ROW (bigint_multiply, KVSQL_TYPE_BIGINT, __builtin_mul_overflow)

static gboolean
integer_divide (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  gint64 a = arguments[0].integer, b = arguments[1].integer;

  if (b == 0)
    return kvsql_fail_division_by_zero (error);
  return integer_result (arguments[0].type, divide_fails (a, b), divide_fails (a, b) ? 0 : a / b,
                         out, error);
}

static gboolean
integer_modulo (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  gint64 a = arguments[0].integer, b = arguments[1].integer;

  if (b == 0)
    return kvsql_fail_division_by_zero (error);
  return integer_result (arguments[0].type, FALSE, b == -1 ? 0 : a % b, out, error);
}

static gboolean
integer_negate (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  gint64 result;
  gboolean overflows = __builtin_sub_overflow ((gint64)0, arguments[0].integer, &result);

  return integer_result (arguments[0].type, overflows, result, out, error);
}

/* Rounds to a FLOAT if that is the type. Fails for the results for which PostgreSQL fails. */
static gboolean
real_result (const KvsqlValue *arguments, guint n, gdouble real, gboolean lost, KvsqlValue *out,
             GError **error)
{
  KvsqlType type = arguments[0].type;
  gboolean is_finite = TRUE;

  for (guint i = 0; i < n; i++)
    is_finite = is_finite && isfinite (arguments[i].real);
  if (type == KVSQL_TYPE_FLOAT)
    {
      lost = lost || (real != 0 && (gfloat)real == 0);
      real = (gfloat)real;
    }
  *out = (KvsqlValue){ .type = type, .real = real };
  if (is_finite && !isfinite (real))
    return kvsql_function_fail_as (error, "22003", "%s out of range: overflow",
                                   kvsql_type_get_name (type));
  if (lost)
    return kvsql_function_fail_as (error, "22003", "%s out of range: underflow",
                                   kvsql_type_get_name (type));
  return TRUE;
}

static gboolean
real_add (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  return real_result (arguments, 2, arguments[0].real + arguments[1].real, FALSE, out, error);
}

static gboolean
real_subtract (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return real_result (arguments, 2, arguments[0].real - arguments[1].real, FALSE, out, error);
}

static gboolean
real_multiply (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  gdouble a = arguments[0].real, b = arguments[1].real;

  return real_result (arguments, 2, a * b, a * b == 0 && a != 0 && b != 0, out, error);
}

static gboolean
real_divide (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  gdouble a = arguments[0].real, b = arguments[1].real;

  if (b == 0 && !isnan (a))
    return kvsql_fail_division_by_zero (error);
  return real_result (arguments, 2, a / b, a / b == 0 && a != 0 && !isinf (b), out, error);
}

static gboolean
real_negate (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  *out = (KvsqlValue){ .type = arguments[0].type, .real = -arguments[0].real };
  return TRUE;
}

/* ---- DECIMAL */

static gboolean
decimal_add (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_add (arguments[0].bytes, arguments[1].bytes, call->arena, &out->bytes,
                            error);
}

static gboolean
decimal_subtract (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_subtract (arguments[0].bytes, arguments[1].bytes, call->arena, &out->bytes,
                                 error);
}

static gboolean
decimal_multiply (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                  GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_multiply (arguments[0].bytes, arguments[1].bytes, call->arena, &out->bytes,
                                 error);
}

static gboolean
decimal_divide (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_divide (arguments[0].bytes, arguments[1].bytes, call->arena, &out->bytes,
                               error);
}

static gboolean
decimal_modulo (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_modulo (arguments[0].bytes, arguments[1].bytes, call->arena, &out->bytes,
                               error);
}

static gboolean
decimal_negate (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DECIMAL,
                       .bytes = kvsql_decimal_negate (arguments[0].bytes, call->arena) };
  return TRUE;
}

/* ---- times: days, milliseconds */

static gboolean
time_result (KvsqlType type, gboolean overflows, gint64 result, KvsqlValue *out, GError **error)
{
  *out = (KvsqlValue){ .type = type, .integer = result };
  return kvsql_cast_check_time (type, overflows ? G_MAXINT64 : result, error);
}

static gboolean
time_add (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  gboolean is_swapped = kvsql_type_is_number (arguments[0].type);
  gint64 result;
  gboolean overflows = __builtin_add_overflow (arguments[0].integer, arguments[1].integer, &result);

  return time_result (arguments[is_swapped].type, overflows, result, out, error);
}

static gboolean
time_subtract (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  gint64 result;
  gboolean overflows = __builtin_sub_overflow (arguments[0].integer, arguments[1].integer, &result);

  return time_result (arguments[0].type, overflows, result, out, error);
}

/* ---- || */

static gboolean
concatenate (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  KvsqlSlice a = arguments[0].bytes, b = arguments[1].bytes;
  guint8 *bytes = kvsql_function_allocate (call, a.size + b.size, error);

  if (bytes == NULL)
    return FALSE;
  if (a.size > 0)
    memcpy (bytes, a.data, a.size);
  if (b.size > 0)
    memcpy (bytes + a.size, b.data, b.size);
  *out = (KvsqlValue){ .type = arguments[0].type, .bytes = kvsql_slice (bytes, a.size + b.size) };
  return TRUE;
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("+", INT, INT, INT, int_add, int_add_rows),
  KVSQL_FUNCTION_2 ("+", BIGINT, BIGINT, BIGINT, bigint_add, bigint_add_rows),
  KVSQL_FUNCTION_2 ("+", DECIMAL, DECIMAL, DECIMAL, decimal_add, .digits = KVSQL_DIGITS_MOST),
  KVSQL_FUNCTION_2 ("+", FLOAT, FLOAT, FLOAT, real_add),
  KVSQL_FUNCTION_2 ("+", DOUBLE, DOUBLE, DOUBLE, real_add, double_add_rows),
  KVSQL_FUNCTION_2 ("+", DATE, BIGINT, DATE, time_add),
  KVSQL_FUNCTION_2 ("+", BIGINT, DATE, DATE, time_add),
  KVSQL_FUNCTION_2 ("+", TIMESTAMP, BIGINT, TIMESTAMP, time_add),
  KVSQL_FUNCTION_2 ("+", BIGINT, TIMESTAMP, TIMESTAMP, time_add),
  KVSQL_FUNCTION_2 ("-", INT, INT, INT, int_subtract, int_subtract_rows),
  KVSQL_FUNCTION_2 ("-", BIGINT, BIGINT, BIGINT, bigint_subtract, bigint_subtract_rows),
  KVSQL_FUNCTION_2 ("-", DECIMAL, DECIMAL, DECIMAL, decimal_subtract, .digits = KVSQL_DIGITS_MOST),
  KVSQL_FUNCTION_2 ("-", FLOAT, FLOAT, FLOAT, real_subtract),
  KVSQL_FUNCTION_2 ("-", DOUBLE, DOUBLE, DOUBLE, real_subtract, double_subtract_rows),
  KVSQL_FUNCTION_2 ("-", DATE, DATE, INT, int_subtract, int_subtract_rows),
  KVSQL_FUNCTION_2 ("-", DATE, BIGINT, DATE, time_subtract),
  KVSQL_FUNCTION_2 ("-", TIMESTAMP, BIGINT, TIMESTAMP, time_subtract),
  KVSQL_FUNCTION_2 ("*", INT, INT, INT, int_multiply, int_multiply_rows),
  KVSQL_FUNCTION_2 ("*", BIGINT, BIGINT, BIGINT, bigint_multiply, bigint_multiply_rows),
  KVSQL_FUNCTION_2 ("*", DECIMAL, DECIMAL, DECIMAL, decimal_multiply, .digits = KVSQL_DIGITS_SUM),
  KVSQL_FUNCTION_2 ("*", FLOAT, FLOAT, FLOAT, real_multiply),
  KVSQL_FUNCTION_2 ("*", DOUBLE, DOUBLE, DOUBLE, real_multiply, double_multiply_rows),
  KVSQL_FUNCTION_2 ("/", INT, INT, INT, integer_divide, integer_divide_rows),
  KVSQL_FUNCTION_2 ("/", BIGINT, BIGINT, BIGINT, integer_divide, integer_divide_rows),
  KVSQL_FUNCTION_2 ("/", DECIMAL, DECIMAL, DECIMAL, decimal_divide),
  KVSQL_FUNCTION_2 ("/", FLOAT, FLOAT, FLOAT, real_divide),
  KVSQL_FUNCTION_2 ("/", DOUBLE, DOUBLE, DOUBLE, real_divide, double_divide_rows),
  KVSQL_FUNCTION_2 ("%", INT, INT, INT, integer_modulo, integer_modulo_rows),
  KVSQL_FUNCTION_2 ("%", BIGINT, BIGINT, BIGINT, integer_modulo, integer_modulo_rows),
  KVSQL_FUNCTION_2 ("%", DECIMAL, DECIMAL, DECIMAL, decimal_modulo, .digits = KVSQL_DIGITS_MOST),
  KVSQL_FUNCTION_1 ("-", INT, INT, integer_negate),
  KVSQL_FUNCTION_1 ("-", BIGINT, BIGINT, integer_negate),
  KVSQL_FUNCTION_1 ("-", DECIMAL, DECIMAL, decimal_negate, NULL, TRUE, .digits = KVSQL_DIGITS_MOST),
  KVSQL_FUNCTION_1 ("-", FLOAT, FLOAT, real_negate, NULL, TRUE),
  KVSQL_FUNCTION_1 ("-", DOUBLE, DOUBLE, real_negate, NULL, TRUE),
  KVSQL_FUNCTION_2 ("||", STRING, STRING, STRING, concatenate),
  KVSQL_FUNCTION_2 ("||", BYTES, BYTES, BYTES, concatenate),
};

const KvsqlFunctionFamily kvsql_functions_operator = { functions, G_N_ELEMENTS (functions) };
