/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal-private.h: shared by the parser and the arithmetic of decimals.
 */
#pragma once

#include "core/base/decimal.h"

#include <gmp.h>

G_BEGIN_DECLS

/* The number is (-1)^negative * digits * 10^-scale. */
typedef struct
{
  gboolean is_negative;
  const gchar *digits; /* "" for 0 */
  gsize n_digits;
  gint64 scale; /* may be negative: digits followed by zeros */
} KvsqlDecimalParts;

/* Writes sign, digits and point, without redundant zeros. */
KvsqlSlice kvsql_decimal_canonical (const KvsqlDecimalParts *parts, KvsqlArena *arena);

/* The parts of canonical text: sign, digits before the point, digits after it. */
typedef struct
{
  gboolean is_negative;
  const gchar *whole, *fraction;
  gsize n_whole, n_fraction;
} KvsqlDecimalSplit;

KvsqlDecimalSplit kvsql_decimal_split (KvsqlSlice self);

/* unscaled * 10^-scale */
#define KVSQL_DECIMAL_SMALL_DIGITS 18

typedef struct
{
  gint64 unscaled; /* less than 10^18 */
  guint scale;     /* at most 18 */
} KvsqlDecimalSmall;

/* FALSE: canonical @text has more digits. */
gboolean kvsql_decimal_small_from (KvsqlSlice text, KvsqlDecimalSmall *out);
/* @unscaled * 10^-@scale */
KvsqlSlice kvsql_decimal_from_wide (__int128 unscaled, gint64 scale, KvsqlArena *arena);

/* The first two digits of a number in PostgreSQL's base 10,000, and the weight of the first one.
 * All are 0 for zero. */
typedef struct
{
  gint weight;
  gint first;
  gint second;
  gboolean has_second; /* a digit other than 0 follows the first */
} KvsqlDecimalLeading;

KvsqlDecimalLeading kvsql_decimal_get_leading (KvsqlSlice self);

/* Converts @number * 10^-@scale. Fails beyond KVSQL_DECIMAL_MAX_DIGITS. */
gboolean kvsql_decimal_from_mpz (const mpz_t number, gint64 scale, KvsqlArena *arena,
                                 KvsqlSlice *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* As kvsql_decimal_divide(), with at least @least_scale digits after the point. */
gboolean kvsql_decimal_divide_to (KvsqlSlice a, KvsqlSlice b, gint64 least_scale, KvsqlArena *arena,
                                  KvsqlSlice *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
