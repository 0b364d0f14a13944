/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shortest-digits.c: see shortest-digits.h.
 */
#include "config.h"

#include "core/base/shortest-digits.h"

#include <float.h>
#include <string.h>

/* Fewer than 15 digits (a float: 6) are tried only for numbers that have not that precision: all
 * others of so few digits are found with 15, and zeros at the end. */
static guint
least_precision (gdouble value, gboolean is_float, guint n_least)
{
  if (value < (is_float ? FLT_MIN : DBL_MIN))
    return n_least - 1;
  return is_float ? FLT_DIG - 1 : DBL_DIG - 1;
}

static gboolean
reads_back (const gchar *text, gdouble value, gboolean is_float)
{
  gdouble back = g_ascii_strtod (text, NULL);

  return is_float ? (gfloat)back == (gfloat)value : back == value;
}

guint
kvsql_shortest_digits (gdouble value, gboolean is_float, guint n_least,
                       gchar digits[KVSQL_SHORTEST_DIGITS_MAX], gint *exponent)
{
  guint most = is_float ? FLT_DECIMAL_DIG - 1 : DBL_DECIMAL_DIG - 1, n = 0;
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint precision = least_precision (value, is_float, n_least); precision <= most; precision++)
    {
      const gchar format[]
          = { '%', '.', (gchar)('0' + precision / 10), (gchar)('0' + precision % 10), 'e', '\0' };

      g_ascii_formatd (text, sizeof text, format, value);
      if (reads_back (text, value, is_float))
        break;
    }
  for (const gchar *at = text; *at != 'e'; at++)
    if (*at != '.')
      digits[n++] = *at;
  *exponent = (gint)g_ascii_strtoll (strchr (text, 'e') + 1, NULL, 10);
  while (n > 1 && digits[n - 1] == '0')
    n--;
  return n;
}
