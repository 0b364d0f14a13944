/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal-small.c: decimals as integers of the processor and a scale.
 *
 * Nearly all numbers have at most 18 digits. So they need no GMP.
 */
#include "config.h"

#include "core/base/decimal-private.h"

#define TEN_TO_19 G_GUINT64_CONSTANT (10000000000000000000)

gboolean
kvsql_decimal_small_from (KvsqlSlice text, KvsqlDecimalSmall *out)
{
  const guint8 *p = text.data, *end = p + text.size, *point = end;
  gboolean is_negative = p < end && *p == '-';
  gint64 unscaled = 0;

  if (text.size > (gsize)KVSQL_DECIMAL_SMALL_DIGITS + is_negative)
    return FALSE;
  for (p += is_negative; p < end; p++)
    if (*p == '.')
      point = p + 1;
    else
      unscaled = unscaled * 10 + (*p - '0');
  *out = (KvsqlDecimalSmall){ is_negative ? -unscaled : unscaled, (guint)(end - point) };
  return TRUE;
}

/* Writes @number before @at, with at least @n_digits digits. Returns: where it begins. */
static gchar *
write_before (gchar *at, guint64 number, guint n_digits)
{
  gchar *least = at - n_digits;

  for (; number > 0; number /= 10)
    *--at = (gchar)('0' + number % 10);
  while (at > least)
    *--at = '0';
  return at;
}

KvsqlSlice
kvsql_decimal_from_wide (__int128 unscaled, gint64 scale, KvsqlArena *arena)
{
  gchar digits[40], *end = digits + sizeof digits, *at = end;
  KvsqlDecimalParts parts = { .is_negative = unscaled < 0, .scale = scale };
  unsigned __int128 rest
      = unscaled < 0 ? -(unsigned __int128)unscaled : (unsigned __int128)unscaled;

  /* a division of 128 bits costs as much as some ten of 64 bits */
  for (; rest > G_MAXUINT64; rest /= TEN_TO_19)
    at = write_before (at, (guint64)(rest % TEN_TO_19), 19);
  at = write_before (at, (guint64)rest, 0);
  parts.digits = at;
  parts.n_digits = end - at;
  if (parts.n_digits == 0)
    parts.scale = 0;
  return kvsql_decimal_canonical (&parts, arena);
}
