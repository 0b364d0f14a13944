/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal-function.c: exponentials, logarithms and powers of decimals.
 *
 * The number of digits follows PostgreSQL's rule (numeric.c of version 15): at least 16 significant
 * ones, and after the point at least as many as the arguments have. MPFR computes the value with a
 * known error. If both ends of that interval round to the same decimal, that is the result.
 * Otherwise the precision is doubled (Ziv's strategy). For a value exactly in the middle of two
 * decimals, this would never end: with MAX_GUARD_BITS the value counts as exactly in the middle,
 * and is rounded away from zero.
 */
#include "config.h"

#include "core/base/decimal-private.h"

#include <math.h>
#include <mpfr.h>

#define MIN_SIGNIFICANT 16
#define FIRST_GUARD_BITS 40
#define MAX_GUARD_BITS 640
#define BITS_PER_DIGIT 3.3219280948873626
#define LOG10_E 0.434294481903252
#define LN_10 2.302585092994046

typedef struct
{
  KvsqlSlice a;
  KvsqlSlice b;             /* of functions of two arguments */
  gboolean has_fixed_scale; /* the scale does not depend on the size of the result */
  gint scale;               /* digits of the result after the point */
  glong whole_bits;         /* the result is below 2^whole_bits */
  glong condition_bits;     /* the bits of precision that the computation loses */
} Task;

/* Computes a value with an error below 2^-@n_bits. @out has the precision that this needs. */
typedef void (*Compute) (const Task *task, glong n_bits, mpfr_t out);

static gboolean
out_of_range (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                          "DECIMAL has more than %d digits", KVSQL_DECIMAL_MAX_DIGITS)
         || kvsql_error_sqlstate (error, "22003");
}

static void
free_caches (gpointer unused)
{
  mpfr_free_cache ();
}

/* MPFR caches constants for each thread. They are freed at the end of the thread. */
static GPrivate caches = G_PRIVATE_INIT (free_caches);

static void
set_decimal (mpfr_t out, KvsqlSlice decimal)
{
  g_autofree gchar *text = g_strndup ((const gchar *)decimal.data, decimal.size);

  mpfr_set_str (out, text, 10, MPFR_RNDN);
}

/* |value| * 10^scale + offset, rounded half up. The unit of @offset is 2^-@shift. */
static void
round_scaled (mpz_t out, const mpfr_t value, gint scale, gint offset, glong shift)
{
  mpfr_prec_t precision = mpfr_get_prec (value) + (mpfr_prec_t)(scale * BITS_PER_DIGIT) + 64;
  mpfr_t scaled, part;
  mpz_t power;

  mpz_init (power);
  mpz_ui_pow_ui (power, 10, (gulong)scale);
  mpfr_init2 (scaled, precision);
  mpfr_init2 (part, 64);
  mpfr_mul_z (scaled, value, power, MPFR_RNDN);
  mpfr_abs (scaled, scaled, MPFR_RNDN);
  mpfr_set_si_2exp (part, offset, -shift, MPFR_RNDN);
  mpfr_add (scaled, scaled, part, MPFR_RNDN);
  mpfr_set_d (part, 0.5, MPFR_RNDN);
  mpfr_add (scaled, scaled, part, MPFR_RNDN);
  mpfr_get_z (out, scaled, MPFR_RNDD);
  mpfr_clear (scaled);
  mpfr_clear (part);
  mpz_clear (power);
}

static gboolean
compute (const Task *task, Compute function, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  gboolean is_known = FALSE, is_negative = FALSE, ok;
  mpz_t low, high;

  g_private_set (&caches, GINT_TO_POINTER (TRUE));
  mpz_init (low);
  mpz_init (high);
  for (glong guard = FIRST_GUARD_BITS; !is_known && guard <= MAX_GUARD_BITS; guard *= 2)
    {
      glong n_bits = (glong)(task->scale * BITS_PER_DIGIT) + 2 + guard;
      mpfr_t value;

      mpfr_init2 (value, MAX (n_bits + task->whole_bits + task->condition_bits, 64));
      function (task, n_bits, value);
      is_negative = mpfr_sgn (value) < 0;
      round_scaled (low, value, task->scale, -1, guard);
      round_scaled (high, value, task->scale, 1, guard);
      is_known = mpz_cmp (low, high) == 0;
      mpfr_clear (value);
    }
  if (is_negative)
    mpz_neg (high, high);
  ok = kvsql_decimal_from_mpz (high, task->scale, arena, out, error);
  mpz_clear (low);
  mpz_clear (high);
  return ok;
}

/* ---- how many digits */

static gint
fraction_of (KvsqlSlice decimal)
{
  return (gint)kvsql_decimal_split (decimal).n_fraction;
}

/* @weight: of the result's first digit. Fails if the result has too many digits before the point.
 */
static gboolean
choose_scale (Task *task, gint weight, GError **error)
{
  gint most = KVSQL_DECIMAL_MAX_DIGITS - MAX (weight + 1, 0);
  gint least = MAX (fraction_of (task->a), task->b.size > 0 ? fraction_of (task->b) : 0);

  task->scale
      = CLAMP (MIN_SIGNIFICANT - (task->has_fixed_scale ? 0 : weight), 0, KVSQL_DECIMAL_MAX_DIGITS);
  task->scale = MIN (MAX (task->scale, least), most);
  task->whole_bits = (glong)(MAX (weight + 2, 0) * BITS_PER_DIGIT) + 1;
  return task->scale >= 0 || out_of_range (error);
}

static gdouble
log10_of (const KvsqlDecimalLeading *self)
{
  return log10 (self->first * 10000.0 + self->second) + (self->weight - 1) * 4;
}

/* PostgreSQL's estimate_ln_dweight (): the decimal weight of the logarithm of a positive number. */
static gint
weight_of_logarithm (KvsqlSlice decimal, KvsqlArena *arena)
{
  KvsqlDecimalLeading leading = kvsql_decimal_get_leading (decimal);
  KvsqlSlice difference;
  gint64 digits;
  gint weight;

  if (kvsql_decimal_compare (decimal, KVSQL_SLICE_LITERAL ("0.9")) >= 0
      && kvsql_decimal_compare (decimal, KVSQL_SLICE_LITERAL ("1.1")) <= 0)
    {
      if (!kvsql_decimal_subtract (decimal, KVSQL_SLICE_LITERAL ("1"), arena, &difference, NULL))
        return 0;
      leading = kvsql_decimal_get_leading (difference);
      return leading.first == 0 ? 0 : leading.weight * 4 + (gint)log10 (leading.first);
    }
  digits = leading.first;
  weight = leading.weight * 4;
  if (leading.has_second)
    {
      digits = digits * 10000 + leading.second;
      weight -= 4;
    }
  return (gint)log10 (fabs (log ((gdouble)digits) + weight * LN_10));
}

static glong
bits_of (gint n_digits)
{
  return (glong)(ABS (n_digits) * BITS_PER_DIGIT) + 4;
}

/* ---- the functions */

static void
compute_exp (const Task *task, glong n_bits, mpfr_t out)
{
  mpfr_t a;

  mpfr_init2 (a, mpfr_get_prec (out));
  set_decimal (a, task->a);
  mpfr_exp (out, a, MPFR_RNDN);
  mpfr_clear (a);
}

gboolean
kvsql_decimal_exp (KvsqlSlice self, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  Task task = { .a = self, .condition_bits = 48 };
  gdouble weight = CLAMP (kvsql_decimal_to_double (self) * LOG10_E, -2000, 2000);

  if (weight >= KVSQL_DECIMAL_MAX_DIGITS)
    return out_of_range (error);
  return choose_scale (&task, (gint)weight, error)
         && compute (&task, compute_exp, arena, out, error);
}

static gboolean
check_logarithm (KvsqlSlice decimal, GError **error)
{
  if (kvsql_slice_equal (decimal, KVSQL_SLICE_LITERAL ("0")))
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "cannot take logarithm of zero")
           || kvsql_error_sqlstate (error, "2201E");
  if (decimal.data[0] == '-')
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "cannot take logarithm of a negative number")
           || kvsql_error_sqlstate (error, "2201E");
  return TRUE;
}

static void
compute_ln (const Task *task, glong n_bits, mpfr_t out)
{
  mpfr_t a;

  mpfr_init2 (a, mpfr_get_prec (out));
  set_decimal (a, task->a);
  mpfr_log (out, a, MPFR_RNDN);
  mpfr_clear (a);
}

gboolean
kvsql_decimal_ln (KvsqlSlice self, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  Task task = { .a = self, .condition_bits = 32 };

  return check_logarithm (self, error)
         && choose_scale (&task, weight_of_logarithm (self, arena), error)
         && compute (&task, compute_ln, arena, out, error);
}

static void
compute_log (const Task *task, glong n_bits, mpfr_t out)
{
  mpfr_t base;

  mpfr_init2 (base, mpfr_get_prec (out));
  set_decimal (base, task->a);
  mpfr_log (base, base, MPFR_RNDN);
  set_decimal (out, task->b);
  mpfr_log (out, out, MPFR_RNDN);
  mpfr_div (out, out, base, MPFR_RNDN);
  mpfr_clear (base);
}

gboolean
kvsql_decimal_log (KvsqlSlice base, KvsqlSlice self, KvsqlArena *arena, KvsqlSlice *out,
                   GError **error)
{
  Task task = { .a = base, .b = self };
  gint of_base, of_self;

  if (!check_logarithm (base, error) || !check_logarithm (self, error))
    return FALSE;
  if (kvsql_slice_equal (base, KVSQL_SLICE_LITERAL ("1")))
    return kvsql_fail_division_by_zero (error);
  of_base = weight_of_logarithm (base, arena);
  of_self = weight_of_logarithm (self, arena);
  /* The logarithm of a base close to 1 is close to 0, and errors are divided by it. */
  task.condition_bits = 2 * bits_of (of_base) + bits_of (of_self) + 32;
  return choose_scale (&task, of_self - of_base, error)
         && compute (&task, compute_log, arena, out, error);
}

static void
compute_power (const Task *task, glong n_bits, mpfr_t out)
{
  mpfr_t a, b;

  mpfr_init2 (a, mpfr_get_prec (out));
  mpfr_init2 (b, mpfr_get_prec (out));
  set_decimal (a, task->a);
  set_decimal (b, task->b);
  mpfr_pow (out, a, b, MPFR_RNDN);
  mpfr_clear (a);
  mpfr_clear (b);
}

/* log10 of a power, precise enough to choose a scale; as in PostgreSQL for whole exponents. */
static gdouble
weight_of_power (KvsqlSlice magnitude, KvsqlSlice exponent, gboolean is_whole)
{
  KvsqlDecimalLeading leading = kvsql_decimal_get_leading (magnitude);
  mpfr_t base, power;
  gdouble weight;

  if (is_whole)
    return kvsql_decimal_to_double (exponent) * log10_of (&leading);
  /* Close to 1, a double has lost the digits that determine the logarithm. */
  mpfr_init2 (base, (mpfr_prec_t)(magnitude.size * BITS_PER_DIGIT) + 64);
  mpfr_init2 (power, 64);
  set_decimal (base, magnitude);
  set_decimal (power, exponent);
  mpfr_log10 (base, base, MPFR_RNDN);
  mpfr_mul (power, power, base, MPFR_RNDN);
  weight = mpfr_get_d (power, MPFR_RNDN);
  mpfr_clear (base);
  mpfr_clear (power);
  return weight;
}

/* The special cases, which need no computation. FALSE: it is not a special case. */
static gboolean
power_is_plain (KvsqlSlice base, KvsqlSlice exponent, KvsqlArena *arena, KvsqlSlice *out,
                gboolean *out_ok, GError **error)
{
  KvsqlSlice zero = KVSQL_SLICE_LITERAL ("0"), one = KVSQL_SLICE_LITERAL ("1");

  *out_ok = TRUE;
  if (kvsql_slice_equal (exponent, zero) || kvsql_slice_equal (base, one))
    *out = one;
  else if (kvsql_slice_equal (base, zero) && exponent.data[0] == '-')
    *out_ok = kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                               "zero raised to a negative power is undefined")
              || kvsql_error_sqlstate (error, "2201F");
  else if (kvsql_slice_equal (base, zero))
    *out = zero;
  else if (base.data[0] == '-' && kvsql_decimal_split (exponent).n_fraction > 0)
    *out_ok = kvsql_error_set (
                  error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                  "a negative number raised to a non-integer power yields a complex result")
              || kvsql_error_sqlstate (error, "2201F");
  else
    return FALSE;
  return TRUE;
}

gboolean
kvsql_decimal_power (KvsqlSlice base, KvsqlSlice exponent, KvsqlArena *arena, KvsqlSlice *out,
                     GError **error)
{
  KvsqlDecimalSplit parts = kvsql_decimal_split (exponent);
  gboolean is_whole, ok;
  Task task = { .a = base, .b = exponent };
  KvsqlSlice magnitude = base;
  gdouble weight;
  gint64 whole;

  if (power_is_plain (base, exponent, arena, out, &ok, error))
    return ok;
  if (base.data[0] == '-')
    magnitude = kvsql_slice (base.data + 1, base.size - 1);
  is_whole = kvsql_decimal_to_int64 (exponent, &whole, &ok) && ok && whole == (gint32)whole;
  task.has_fixed_scale = is_whole;
  weight = weight_of_power (magnitude, exponent, is_whole);
  if (weight >= KVSQL_DECIMAL_MAX_DIGITS)
    return out_of_range (error);
  if (weight + 1 < -KVSQL_DECIMAL_MAX_DIGITS)
    {
      *out = KVSQL_SLICE_LITERAL ("0");
      return TRUE;
    }
  /* an error of the base grows with the exponent */
  task.condition_bits = bits_of ((gint)parts.n_whole) + 64;
  return choose_scale (&task, (gint)weight, error)
         && compute (&task, compute_power, arena, out, error);
}
