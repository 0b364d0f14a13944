/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * centesimal.c: converts decimal text to digits of base 100.
 */
#include "config.h"

#include "core/layout/encoding/centesimal.h"

/* 0.DIGITS * 10^point; the first and the last digit are not 0. */
typedef struct
{
  guint8 digits[KVSQL_DECIMAL_MAX_DIGITS * 2 + 4]; /* numbers, not characters */
  guint n_digits;
  gint point;
} Places;

static void
take_apart (KvsqlSlice text, gsize i, Places *out)
{
  gboolean is_fraction = FALSE;

  out->n_digits = 0;
  out->point = 0;
  for (; i < text.size && out->n_digits < sizeof out->digits - 2; i++)
    {
      if (text.data[i] == '.')
        {
          is_fraction = TRUE;
          continue;
        }
      if (out->n_digits == 0 && text.data[i] == '0')
        {
          out->point -= is_fraction;
          continue;
        }
      out->digits[out->n_digits++] = text.data[i] - '0';
      out->point += !is_fraction;
    }
  while (out->n_digits > 0 && out->digits[out->n_digits - 1] == 0)
    out->n_digits--;
}

/* The pair of digits @i; a missing digit is 0, also after the last digit. */
static guint
digit_at (const Places *places, guint lead, guint i)
{
  return i < lead || i - lead >= places->n_digits ? 0 : places->digits[i - lead];
}

void
kvsql_centesimal_read (KvsqlSlice text, KvsqlCentesimal *out)
{
  Places places;
  guint lead;

  out->is_negative = text.size > 0 && text.data[0] == '-';
  take_apart (text, out->is_negative, &places);
  out->n_places = places.n_digits;
  out->n_digits = 0;
  out->exponent = places.point > 0 ? (places.point + 1) / 2 : -(-places.point / 2);
  if (places.n_digits == 0)
    return;
  lead = out->exponent * 2 - places.point;
  for (guint i = 0; i < lead + places.n_digits && out->n_digits < sizeof out->digits; i += 2)
    out->digits[out->n_digits++]
        = digit_at (&places, lead, i) * 10 + digit_at (&places, lead, i + 1);
}
