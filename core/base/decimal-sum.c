/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal-sum.c: a GMP integer, one of 128 bits, and their scale.
 *
 * Small values are added to the integer of 128 bits. When it is full, it is added to the other one.
 */
#include "config.h"

#include "core/base/decimal-private.h"
#include "core/base/decimal-sum.h"

struct _KvsqlDecimalSum
{
  mpz_t sum;
  mpz_t added;
  __int128 narrow;
  gint64 scale; /* of sum and narrow: (sum + narrow) * 10^-scale */
};

KvsqlDecimalSum *
kvsql_decimal_sum_new (void)
{
  KvsqlDecimalSum *self = g_new0 (KvsqlDecimalSum, 1);

  mpz_init (self->sum);
  mpz_init (self->added);
  return self;
}

void
kvsql_decimal_sum_free (KvsqlDecimalSum *self)
{
  if (self == NULL)
    return;
  mpz_clear (self->sum);
  mpz_clear (self->added);
  g_free (self);
}

/* Reads the digits of canonical text without its point. Returns: the number of digits after it. */
static gint64
read_decimal (KvsqlSlice text, mpz_t out)
{
  gchar digits[KVSQL_DECIMAL_MAX_DIGITS * 2 + 4];
  const guint8 *point = memchr (text.data, '.', text.size);
  gsize n_before = point == NULL ? text.size : (gsize)(point - text.data);
  gsize n_after = point == NULL ? 0 : text.size - n_before - 1;

  g_assert (n_before + n_after < sizeof digits); /* no DECIMAL has more digits on either side */
  memcpy (digits, text.data, n_before);
  if (n_after > 0)
    memcpy (digits + n_before, point + 1, n_after);
  digits[n_before + n_after] = '\0';
  mpz_set_str (out, digits, 10);
  return (gint64)n_after;
}

static void
multiply_by_power (mpz_t number, gint64 exponent)
{
  mpz_t factor;

  if (exponent <= 0)
    return;
  mpz_init (factor);
  mpz_ui_pow_ui (factor, 10, (gulong)exponent);
  mpz_mul (number, number, factor);
  mpz_clear (factor);
}

/* Adds @wide to @number. */
static void
add_wide (mpz_t number, __int128 wide)
{
  unsigned __int128 magnitude = wide < 0 ? -(unsigned __int128)wide : (unsigned __int128)wide;
  guint64 halves[2] = { (guint64)(magnitude >> 64), (guint64)magnitude };
  mpz_t added;

  mpz_init (added);
  mpz_import (added, G_N_ELEMENTS (halves), 1, sizeof halves[0], 0, 0, halves);
  if (wide < 0)
    mpz_sub (number, number, added);
  else
    mpz_add (number, number, added);
  mpz_clear (added);
}

/* Makes self->narrow 0. */
static void
widen (KvsqlDecimalSum *self)
{
  if (self->narrow == 0)
    return;
  add_wide (self->sum, self->narrow);
  self->narrow = 0;
}

/* Makes the scale at least @scale. */
static void
rescale (KvsqlDecimalSum *self, gint64 scale)
{
  if (scale <= self->scale)
    return;
  widen (self);
  multiply_by_power (self->sum, scale - self->scale);
  self->scale = scale;
}

/* Adds self->added * 10^-@scale. */
static void
add (KvsqlDecimalSum *self, gint64 scale)
{
  rescale (self, scale);
  multiply_by_power (self->added, self->scale - scale);
  mpz_add (self->sum, self->sum, self->added);
}

/* Adds @number * @sign, unless its digits or those of the sum are too many. */
static gboolean
add_small (KvsqlDecimalSum *self, const KvsqlDecimalSmall *number, gint sign)
{
  __int128 value = number->unscaled * sign, sum;

  rescale (self, number->scale);
  if (self->scale - number->scale > KVSQL_DECIMAL_SMALL_DIGITS)
    return FALSE;
  for (gint64 i = number->scale; i < self->scale; i++)
    value *= 10; /* below 10^36 */
  if (__builtin_add_overflow (self->narrow, value, &sum))
    {
      widen (self);
      sum = value;
    }
  self->narrow = sum;
  return TRUE;
}

void
kvsql_decimal_sum_add (KvsqlDecimalSum *self, KvsqlSlice value)
{
  KvsqlDecimalSmall small;

  if (!kvsql_decimal_small_from (value, &small) || !add_small (self, &small, 1))
    add (self, read_decimal (value, self->added));
}

void
kvsql_decimal_sum_subtract (KvsqlDecimalSum *self, KvsqlSlice value)
{
  KvsqlDecimalSmall small;
  gint64 scale;

  if (kvsql_decimal_small_from (value, &small) && add_small (self, &small, -1))
    return;
  scale = read_decimal (value, self->added);
  mpz_neg (self->added, self->added);
  add (self, scale);
}

void
kvsql_decimal_sum_merge (KvsqlDecimalSum *self, const KvsqlDecimalSum *from)
{
  mpz_set (self->added, from->sum);
  add_wide (self->added, from->narrow);
  add (self, from->scale);
}

/* Sets @out to @number * 10^-@scale. */
static gboolean
get_decimal (const mpz_t number, gint64 scale, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  g_autofree gchar *digits = g_malloc (mpz_sizeinbase (number, 10) + 2);
  g_autofree gchar *text = NULL;

  mpz_get_str (digits, 10, number);
  text = g_strdup_printf ("%se%" G_GINT64_FORMAT, digits, -scale);
  return kvsql_decimal_parse (kvsql_slice_from_text (text), arena, out, error);
}

gboolean
kvsql_decimal_sum_get (const KvsqlDecimalSum *self, KvsqlArena *arena, KvsqlSlice *out,
                       GError **error)
{
  gboolean is_done;
  mpz_t sum;

  if (mpz_sgn (self->sum) == 0)
    {
      *out = kvsql_decimal_from_wide (self->narrow, self->scale, arena);
      return TRUE;
    }
  mpz_init_set (sum, self->sum);
  add_wide (sum, self->narrow);
  is_done = get_decimal (sum, self->scale, arena, out, error);
  mpz_clear (sum);
  return is_done;
}

gboolean
kvsql_decimal_average (KvsqlSlice sum, gint64 count, KvsqlArena *arena, KvsqlSlice *out,
                       GError **error)
{
  return kvsql_decimal_divide (sum, kvsql_decimal_from_int64 (count, arena), arena, out, error);
}

gboolean
kvsql_decimal_sum_get_average (const KvsqlDecimalSum *self, gint64 count, KvsqlArena *arena,
                               KvsqlSlice *out, GError **error)
{
  KvsqlSlice sum;

  return kvsql_decimal_sum_get (self, arena, &sum, error)
         && kvsql_decimal_divide_to (sum, kvsql_decimal_from_int64 (count, arena), self->scale,
                                     arena, out, error);
}
