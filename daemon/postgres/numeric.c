/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * numeric.c: see numeric.h.
 */
#include "config.h"

#include "daemon/postgres/numeric.h"

#define BASE_DIGITS 4 /* decimal digits in one digit to base 10,000 */
#define BASE 10000
#define HEADER_BYTES 8
#define NEGATIVE 0x4000
#define MAX_DIGITS 300 /* to base 10,000: more than KVSQL_DECIMAL_MAX_DIGITS decimal ones */
#define MAX_SCALE 16383

/* PostgreSQL's SQLSTATEs. */
#define TOO_SHORT "08P01"
#define MALFORMED "22P03"

static void
put_int16 (guint8 *at, gint value)
{
  at[0] = (guint8)((guint)value >> 8);
  at[1] = (guint8)value;
}

static gint
get_int16 (const guint8 *at)
{
  return (gint16)(at[0] << 8 | at[1]);
}

/* ---- writing */

/* The decimal digit of weight 10^@power in @whole.@fraction; 0 beyond both ends. */
static gint
digit_at (KvsqlSlice whole, KvsqlSlice fraction, gssize power)
{
  if (power >= 0)
    return power < (gssize)whole.size ? whole.data[(gssize)whole.size - 1 - power] - '0' : 0;
  return -1 - power < (gssize)fraction.size ? fraction.data[-1 - power] - '0' : 0;
}

/* The digit of weight 10,000^@weight. */
static gint
base_digit_at (KvsqlSlice whole, KvsqlSlice fraction, gssize weight)
{
  gint digit = 0;

  for (gint i = BASE_DIGITS - 1; i >= 0; i--)
    digit = digit * 10 + digit_at (whole, fraction, weight * BASE_DIGITS + i);
  return digit;
}

void
kvsqld_pg_numeric_write (KvsqlSlice text, KvsqlBuffer *out)
{
  gboolean is_negative = text.size > 0 && text.data[0] == '-';
  KvsqlSlice whole = kvsql_slice (text.data + is_negative, text.size - is_negative);
  const guint8 *point = memchr (whole.data, '.', whole.size);
  KvsqlSlice fraction = KVSQL_SLICE_EMPTY;
  gssize first, last;
  guint8 *at;

  if (point != NULL)
    {
      fraction = kvsql_slice (point + 1, whole.size - (gsize)(point + 1 - whole.data));
      whole.size = (gsize)(point - whole.data);
    }
  first = (gssize)((whole.size + BASE_DIGITS - 1) / BASE_DIGITS) - 1;
  last = -(gssize)((fraction.size + BASE_DIGITS - 1) / BASE_DIGITS);
  while (first >= last && base_digit_at (whole, fraction, first) == 0)
    first--;
  while (last <= first && base_digit_at (whole, fraction, last) == 0)
    last++;
  at = kvsql_buffer_extend (out, HEADER_BYTES + 2 * (gsize)MAX (first - last + 1, 0));
  put_int16 (at, (gint)MAX (first - last + 1, 0));
  put_int16 (at + 2, first >= last ? (gint)first : 0);
  put_int16 (at + 4, is_negative ? NEGATIVE : 0);
  put_int16 (at + 6, (gint)fraction.size);
  at += HEADER_BYTES;
  for (gssize weight = first; weight >= last; weight--, at += 2)
    put_int16 (at, base_digit_at (whole, fraction, weight));
}

/* ---- reading */

static gboolean
refuse (const gchar *what, const gchar *sqlstate, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "invalid numeric value: %s", what);
  return kvsql_error_sqlstate (error, sqlstate);
}

gboolean
kvsqld_pg_numeric_read (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint n, weight, sign, scale;

  if (bytes.size < HEADER_BYTES)
    return refuse ("its header is incomplete", TOO_SHORT, error);
  n = get_int16 (bytes.data);
  weight = get_int16 (bytes.data + 2);
  sign = get_int16 (bytes.data + 4);
  scale = get_int16 (bytes.data + 6);
  if (sign != 0 && sign != NEGATIVE)
    return refuse ("neither NaN nor infinity is a DECIMAL", "22003", error);
  if (n < 0 || bytes.size != HEADER_BYTES + 2 * (gsize)n)
    return refuse ("its length and its number of digits differ",
                   n > 0 && bytes.size < HEADER_BYTES + 2 * (gsize)n ? TOO_SHORT : MALFORMED,
                   error);
  if (n > MAX_DIGITS || weight > MAX_DIGITS || weight < -MAX_DIGITS || scale < 0
      || scale > MAX_SCALE)
    return refuse ("it has too many digits", MALFORMED, error);
  if (n == 0)
    {
      *out = KVSQL_SLICE_LITERAL ("0");
      return TRUE;
    }
  g_string_append (text, sign == NEGATIVE ? "-" : "");
  for (gint i = 0; i < n; i++)
    {
      gint digit = get_int16 (bytes.data + HEADER_BYTES + 2 * i);

      if (digit < 0 || digit >= BASE)
        return refuse ("a digit is not below 10,000", MALFORMED, error);
      g_string_append_printf (text, "%04d", digit);
    }
  g_string_append_printf (text, "e%d", (weight - n + 1) * BASE_DIGITS);
  *out = kvsql_slice_dup (arena, kvsql_slice (text->str, text->len));
  return TRUE;
}
