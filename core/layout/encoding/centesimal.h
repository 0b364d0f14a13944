/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * centesimal.h: a decimal number in digits of base 100, as in the sortable forms of DECIMAL.
 */
#pragma once

#include "core/base/decimal.h"

G_BEGIN_DECLS

/* 0.DIGITS * 100^exponent, where neither the first nor the last digit is 0. */
typedef struct
{
  gboolean is_negative;
  gint exponent;
  guint n_digits; /* 0: the number is 0 */
  guint n_places; /* significant decimal digits */
  guint8 digits[KVSQL_DECIMAL_MAX_DIGITS + 2];
} KvsqlCentesimal;

/* @text is canonical. */
void kvsql_centesimal_read (KvsqlSlice text, KvsqlCentesimal *out);

G_END_DECLS
