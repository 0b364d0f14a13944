/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal-bytes.c: HBase's bytes of decimals. Numbers with many digits are converted through GMP.
 */
#include "config.h"

#include "core/base/decimal-private.h"

static void
append_small (const KvsqlDecimalSmall *number, KvsqlBuffer *out)
{
  gsize n_bytes = 1;
  guint8 *at;

  while (n_bytes < 8 && number->unscaled >> (n_bytes * 8 - 1) != (number->unscaled < 0 ? -1 : 0))
    n_bytes++;
  at = kvsql_buffer_extend (out, 4 + n_bytes);
  kvsql_put_be32 (at, number->scale);
  for (gsize i = 0; i < n_bytes; i++)
    at[4 + i] = (guint8)(number->unscaled >> ((n_bytes - 1 - i) * 8));
}

/* @unscaled: big-endian two's complement of at most 8 bytes */
static KvsqlSlice
from_few_bytes (KvsqlSlice unscaled, gint64 scale, KvsqlArena *arena)
{
  guint64 bits = unscaled.data[0] & 0x80 ? G_MAXUINT64 : 0;

  for (gsize i = 0; i < unscaled.size; i++)
    bits = bits << 8 | unscaled.data[i];
  return kvsql_decimal_from_wide ((gint64)bits, scale, arena);
}

void
kvsql_decimal_append_bytes (KvsqlSlice self, KvsqlBuffer *out)
{
  KvsqlDecimalSmall small;
  KvsqlDecimalSplit parts;
  g_autofree gchar *digits = NULL;
  gsize n_bytes;
  guint8 *at;
  mpz_t number;

  if (kvsql_decimal_small_from (self, &small))
    {
      append_small (&small, out);
      return;
    }
  parts = kvsql_decimal_split (self);
  digits = g_malloc (parts.n_whole + parts.n_fraction + 1);
  memcpy (digits, parts.whole, parts.n_whole);
  if (parts.n_fraction > 0)
    memcpy (digits + parts.n_whole, parts.fraction, parts.n_fraction);
  digits[parts.n_whole + parts.n_fraction] = '\0';
  mpz_init_set_str (number, digits, 10);
  /* Two's complement of -m is the bits of m - 1, inverted: the length follows from m - 1. */
  if (parts.is_negative)
    mpz_sub_ui (number, number, 1);
  n_bytes = mpz_sgn (number) == 0 ? 1 : mpz_sizeinbase (number, 2) / 8 + 1;
  at = kvsql_buffer_extend (out, 4 + n_bytes);
  kvsql_put_be32 (at, (guint32)parts.n_fraction);
  memset (at + 4, 0, n_bytes);
  if (mpz_sgn (number) != 0)
    {
      gsize used = (mpz_sizeinbase (number, 2) + 7) / 8;
      mpz_export (at + 4 + n_bytes - used, NULL, 1, 1, 1, 0, number);
    }
  if (parts.is_negative)
    for (gsize i = 0; i < n_bytes; i++)
      at[4 + i] = ~at[4 + i];
  mpz_clear (number);
}

gboolean
kvsql_decimal_from_bytes (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out)
{
  KvsqlDecimalParts parts = { 0 };
  gboolean fits;
  gchar *digits;
  mpz_t number;

  if (bytes.size < 5 || bytes.size > 4 + KVSQL_DECIMAL_MAX_DIGITS / 2)
    return FALSE;
  parts.scale = (gint32)kvsql_get_be32 (bytes.data);
  if (ABS (parts.scale) > KVSQL_DECIMAL_MAX_DIGITS)
    return FALSE;
  /* few bytes have few digits, so the limits hold unless zeros follow them */
  if (bytes.size <= 12 && parts.scale >= 0)
    {
      *out = from_few_bytes (kvsql_slice (bytes.data + 4, bytes.size - 4), parts.scale, arena);
      return TRUE;
    }
  mpz_init (number);
  mpz_import (number, bytes.size - 4, 1, 1, 1, 0, bytes.data + 4);
  if (bytes.data[4] & 0x80)
    {
      mpz_t modulus;
      mpz_init_set_ui (modulus, 1);
      mpz_mul_2exp (modulus, modulus, (bytes.size - 4) * 8);
      mpz_sub (number, modulus, number);
      mpz_clear (modulus);
      parts.is_negative = TRUE;
    }
  digits = kvsql_arena_alloc (arena, mpz_sizeinbase (number, 10) + 2);
  mpz_get_str (digits, 10, number);
  parts.digits = digits;
  parts.n_digits = mpz_sgn (number) == 0 ? 0 : strlen (digits);
  mpz_clear (number);
  fits = (gint64)parts.n_digits - parts.scale <= KVSQL_DECIMAL_MAX_DIGITS
         && parts.n_digits <= KVSQL_DECIMAL_MAX_DIGITS;
  if (fits)
    *out = kvsql_decimal_canonical (&parts, arena);
  return fits;
}
