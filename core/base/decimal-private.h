/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal-private.h: what reading and arithmetic of decimals share.
 */
#pragma once

#include "core/base/decimal.h"

G_BEGIN_DECLS

/* The number is (-1)^negative * digits * 10^-scale. */
typedef struct
{
  gboolean is_negative;
  const gchar *digits; /* "" for 0 */
  gsize n_digits;
  gint64 scale; /* may be negative: digits followed by zeros */
} KvsqlDecimalParts;

/* Writes sign, digits and point without needless zeros. */
KvsqlSlice kvsql_decimal_canonical (const KvsqlDecimalParts *parts, KvsqlArena *arena);

/* Of canonical text: sign, digits before the point, digits after it. */
typedef struct
{
  gboolean is_negative;
  const gchar *whole, *fraction;
  gsize n_whole, n_fraction;
} KvsqlDecimalSplit;

KvsqlDecimalSplit kvsql_decimal_split (KvsqlSlice self);

G_END_DECLS
