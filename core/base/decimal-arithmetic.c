/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal-arithmetic.c: sums, products and quotients of decimals.
 *
 * Numbers of up to 18 digits, which are nearly all, are added and multiplied as 128-bit integers;
 * the rest goes through GMP. A number is an integer and a scale: unscaled * 10^-scale.
 */
#include "config.h"

#include "core/base/decimal-private.h"

static gboolean
too_many_digits (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                          "DECIMAL has more than %d digits", KVSQL_DECIMAL_MAX_DIGITS)
         || kvsql_error_sqlstate (error, "22003");
}

/* ---- small numbers */

static __int128
raised (gint64 unscaled, guint by)
{
  __int128 result = unscaled;

  for (; by > 0; by--)
    result *= 10;
  return result;
}

/* ---- large ones */

typedef struct
{
  mpz_t unscaled;
  gsize scale;
} Large;

static void
large_init (Large *self, KvsqlSlice text)
{
  KvsqlDecimalSplit parts = kvsql_decimal_split (text);
  gchar digits[2 * KVSQL_DECIMAL_MAX_DIGITS + 3];

  g_assert (parts.n_whole + parts.n_fraction < sizeof digits);
  memcpy (digits, parts.whole, parts.n_whole);
  if (parts.n_fraction > 0)
    memcpy (digits + parts.n_whole, parts.fraction, parts.n_fraction);
  digits[parts.n_whole + parts.n_fraction] = '\0';
  mpz_init_set_str (self->unscaled, digits, 10);
  if (parts.is_negative)
    mpz_neg (self->unscaled, self->unscaled);
  self->scale = parts.n_fraction;
}

static void
large_clear (Large *self)
{
  mpz_clear (self->unscaled);
}

static void
multiply_by_power (mpz_t number, gsize exponent)
{
  mpz_t power;

  mpz_init (power);
  mpz_ui_pow_ui (power, 10, exponent);
  mpz_mul (number, number, power);
  mpz_clear (power);
}

/* Converts both to the larger scale. */
static void
large_align (Large *a, Large *b)
{
  Large *lower = a->scale < b->scale ? a : b, *higher = lower == a ? b : a;

  multiply_by_power (lower->unscaled, higher->scale - lower->scale);
  lower->scale = higher->scale;
}

/* Clears @self. */
static gboolean
large_finish (Large *self, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  g_autofree gchar *digits = g_malloc (mpz_sizeinbase (self->unscaled, 10) + 2);
  KvsqlDecimalParts parts = { .is_negative = mpz_sgn (self->unscaled) < 0, .scale = self->scale };
  KvsqlSlice result;

  mpz_abs (self->unscaled, self->unscaled);
  mpz_get_str (digits, 10, self->unscaled);
  parts.digits = digits;
  parts.n_digits = mpz_sgn (self->unscaled) == 0 ? 0 : strlen (digits);
  large_clear (self);
  while (parts.n_digits > 0 && parts.scale > 0 && digits[parts.n_digits - 1] == '0')
    parts.n_digits--, parts.scale--;
  if (parts.n_digits > 0
      && (parts.n_digits > KVSQL_DECIMAL_MAX_DIGITS || parts.scale > KVSQL_DECIMAL_MAX_DIGITS))
    return too_many_digits (error);
  result = kvsql_decimal_canonical (&parts, arena);
  *out = result;
  return TRUE;
}

gboolean
kvsql_decimal_from_mpz (const mpz_t number, gint64 scale, KvsqlArena *arena, KvsqlSlice *out,
                        GError **error)
{
  Large large = { .scale = (gsize)scale };

  mpz_init_set (large.unscaled, number);
  return large_finish (&large, arena, out, error);
}

/* ---- sums and products */

static gboolean
sum (KvsqlSlice a, KvsqlSlice b, gboolean is_difference, KvsqlArena *arena, KvsqlSlice *out,
     GError **error)
{
  KvsqlDecimalSmall x, y;
  Large left, right;

  if (kvsql_decimal_small_from (a, &x) && kvsql_decimal_small_from (b, &y))
    {
      guint scale = MAX (x.scale, y.scale);
      __int128 p = raised (x.unscaled, scale - x.scale), q = raised (y.unscaled, scale - y.scale);
      *out = kvsql_decimal_from_wide (is_difference ? p - q : p + q, scale, arena);
      return TRUE;
    }
  large_init (&left, a);
  large_init (&right, b);
  large_align (&left, &right);
  if (is_difference)
    mpz_sub (left.unscaled, left.unscaled, right.unscaled);
  else
    mpz_add (left.unscaled, left.unscaled, right.unscaled);
  large_clear (&right);
  return large_finish (&left, arena, out, error);
}

gboolean
kvsql_decimal_add (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  return sum (a, b, FALSE, arena, out, error);
}

gboolean
kvsql_decimal_subtract (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                        GError **error)
{
  return sum (a, b, TRUE, arena, out, error);
}

gboolean
kvsql_decimal_multiply (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                        GError **error)
{
  KvsqlDecimalSmall x, y;
  Large left, right;

  if (kvsql_decimal_small_from (a, &x) && kvsql_decimal_small_from (b, &y))
    {
      *out = kvsql_decimal_from_wide ((__int128)x.unscaled * y.unscaled, x.scale + y.scale, arena);
      return TRUE;
    }
  large_init (&left, a);
  large_init (&right, b);
  mpz_mul (left.unscaled, left.unscaled, right.unscaled);
  left.scale += right.scale;
  large_clear (&right);
  return large_finish (&left, arena, out, error);
}

KvsqlSlice
kvsql_decimal_negate (KvsqlSlice self, KvsqlArena *arena)
{
  guint8 *text;

  if (self.size > 0 && self.data[0] == '-')
    return kvsql_slice (self.data + 1, self.size - 1);
  if (kvsql_slice_equal (self, KVSQL_SLICE_LITERAL ("0")))
    return self;
  text = kvsql_arena_alloc (arena, self.size + 1);
  text[0] = '-';
  memcpy (text + 1, self.data, self.size);
  return kvsql_slice (text, self.size + 1);
}

KvsqlSlice
kvsql_decimal_from_int64 (gint64 value, KvsqlArena *arena)
{
  return kvsql_decimal_from_wide (value, 0, arena);
}

/* ---- quotients */

static gint
digit_at (const KvsqlDecimalSplit *parts, gint exponent)
{
  if (exponent >= 0)
    return (gsize)exponent < parts->n_whole ? parts->whole[parts->n_whole - 1 - exponent] - '0' : 0;
  return (gsize)(-exponent - 1) < parts->n_fraction ? parts->fraction[-exponent - 1] - '0' : 0;
}

static gint
group_at (const KvsqlDecimalSplit *parts, gint weight)
{
  gint group = 0;

  for (gint i = 3; i >= 0; i--)
    group = group * 10 + digit_at (parts, weight * 4 + i);
  return group;
}

KvsqlDecimalLeading
kvsql_decimal_get_leading (KvsqlSlice self)
{
  KvsqlDecimalSplit parts = kvsql_decimal_split (self);
  KvsqlDecimalLeading result = { 0 };
  gint exponent = (gint)parts.n_whole - 1, lowest = -(gint)parts.n_fraction;

  while (exponent >= lowest && digit_at (&parts, exponent) == 0)
    exponent--;
  if (exponent < lowest)
    return result;
  result.weight = exponent >= 0 ? exponent / 4 : -((3 - exponent) / 4);
  result.first = group_at (&parts, result.weight);
  result.second = group_at (&parts, result.weight - 1);
  for (gint i = result.weight * 4 - 1; i >= lowest && !result.has_second; i--)
    result.has_second = digit_at (&parts, i) != 0;
  return result;
}

/* Digits after the point, as PostgreSQL's select_div_scale (). */
static gint
quotient_scale (KvsqlSlice a, KvsqlSlice b, gint64 least_scale)
{
  KvsqlDecimalLeading x = kvsql_decimal_get_leading (a), y = kvsql_decimal_get_leading (b);
  gint weight = x.weight - y.weight - (x.first <= y.first);
  gint scale = MAX (16 - weight * 4, 0);

  scale = MAX (scale, (gint)CLAMP (least_scale, 0, KVSQL_DECIMAL_MAX_DIGITS));
  scale = MAX (scale, (gint)kvsql_decimal_split (a).n_fraction);
  scale = MAX (scale, (gint)kvsql_decimal_split (b).n_fraction);
  return MIN (scale, KVSQL_DECIMAL_MAX_DIGITS - MAX (0, 4 * (weight + 1)));
}

/* number / divisor, rounded. */
static void
divide_rounded (mpz_t number, const mpz_t divisor, KvsqlRounding rounding)
{
  gint sign = mpz_sgn (number) * mpz_sgn (divisor);
  mpz_t rest;

  mpz_init (rest);
  mpz_tdiv_qr (number, rest, number, divisor);
  if (mpz_sgn (rest) != 0)
    {
      mpz_mul_2exp (rest, rest, 1);
      if (rounding == KVSQL_ROUND_HALF_UP ? mpz_cmpabs (rest, divisor) >= 0
                                          : (rounding == KVSQL_ROUND_FLOOR && sign < 0)
                                                || (rounding == KVSQL_ROUND_CEILING && sign > 0))
        {
          if (sign < 0)
            mpz_sub_ui (number, number, 1);
          else
            mpz_add_ui (number, number, 1);
        }
    }
  mpz_clear (rest);
}

gboolean
kvsql_decimal_divide_to (KvsqlSlice a, KvsqlSlice b, gint64 least_scale, KvsqlArena *arena,
                         KvsqlSlice *out, GError **error)
{
  gint scale;
  Large left, right;

  if (kvsql_slice_equal (b, KVSQL_SLICE_LITERAL ("0")))
    return kvsql_fail_division_by_zero (error);
  scale = MAX (quotient_scale (a, b, least_scale), 0);
  large_init (&left, a);
  large_init (&right, b);
  large_align (&left, &right);
  multiply_by_power (left.unscaled, scale);
  divide_rounded (left.unscaled, right.unscaled, KVSQL_ROUND_HALF_UP);
  left.scale = scale;
  large_clear (&right);
  return large_finish (&left, arena, out, error);
}

gboolean
kvsql_decimal_divide (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                      GError **error)
{
  return kvsql_decimal_divide_to (a, b, 0, arena, out, error);
}

gboolean
kvsql_decimal_modulo (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                      GError **error)
{
  Large left, right;

  if (kvsql_slice_equal (b, KVSQL_SLICE_LITERAL ("0")))
    return kvsql_fail_division_by_zero (error);
  large_init (&left, a);
  large_init (&right, b);
  large_align (&left, &right);
  mpz_tdiv_r (left.unscaled, left.unscaled, right.unscaled);
  large_clear (&right);
  return large_finish (&left, arena, out, error);
}

gboolean
kvsql_decimal_round (KvsqlSlice self, gint64 places, KvsqlRounding rounding, KvsqlArena *arena,
                     KvsqlSlice *out, GError **error)
{
  Large number;
  mpz_t unit;

  places = CLAMP (places, -KVSQL_DECIMAL_MAX_DIGITS - 1, KVSQL_DECIMAL_MAX_DIGITS);
  if (places >= (gint64)kvsql_decimal_split (self).n_fraction)
    {
      *out = self;
      return TRUE;
    }
  large_init (&number, self);
  mpz_init (unit);
  mpz_ui_pow_ui (unit, 10, number.scale - places);
  divide_rounded (number.unscaled, unit, rounding);
  mpz_clear (unit);
  if (places < 0)
    multiply_by_power (number.unscaled, -places);
  number.scale = MAX (places, 0);
  return large_finish (&number, arena, out, error);
}

/* @scale: the number of digits after the point, rounded half up */
static gboolean
root_to (KvsqlSlice self, gint scale, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  Large number;
  gint64 missing;

  large_init (&number, self);
  missing = 2 * (gint64)(scale + 1) - number.scale;
  if (missing < 0) /* digits that cannot decide the rounding */
    {
      mpz_t power;
      mpz_init (power);
      mpz_ui_pow_ui (power, 10, (gulong)-missing);
      mpz_tdiv_q (number.unscaled, number.unscaled, power);
      mpz_clear (power);
    }
  else
    multiply_by_power (number.unscaled, missing);
  mpz_sqrt (number.unscaled, number.unscaled);
  mpz_add_ui (number.unscaled, number.unscaled, 5);
  mpz_tdiv_q_ui (number.unscaled, number.unscaled, 10);
  number.scale = scale;
  return large_finish (&number, arena, out, error);
}

gboolean
kvsql_decimal_sqrt (KvsqlSlice self, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  KvsqlDecimalSplit parts = kvsql_decimal_split (self);
  gint weight = kvsql_decimal_get_leading (self).weight, scale;

  if (parts.is_negative)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "cannot take square root of a negative number")
           || kvsql_error_sqlstate (error, "2201F");
  /* at least 16 significant digits, and one more for rounding */
  weight = (weight + 1) * 2 - 1;
  scale = CLAMP (16 - weight, (gint)parts.n_fraction, KVSQL_DECIMAL_MAX_DIGITS / 2);
  return root_to (self, scale, arena, out, error);
}

gboolean
kvsql_decimal_divide_root (KvsqlSlice a, KvsqlSlice b, KvsqlArena *arena, KvsqlSlice *out,
                           GError **error)
{
  gint scale = MAX (quotient_scale (a, b, 0), 0);

  return kvsql_decimal_divide (a, b, arena, out, error)
         && root_to (*out, MIN (scale, KVSQL_DECIMAL_MAX_DIGITS / 2), arena, out, error);
}
