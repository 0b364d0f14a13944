/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-decimal.c: decimal numbers in the form of Phoenix (and Oracle's NUMBER).
 *
 * A number is (-1)^s * 0.M * 100^E. M consists of digits of base 100; the first and the last are
 * not zero. The first byte shows the sign and E, so that the bytes sort as numbers do:
 *
 *   63-E  101-M  66 | 80 | C0+E  1+M
 *
 * The 66 at the end of a negative number is omitted after 20 digits. No byte is 00, so a 00 can end
 * the number in a key. Without it, the bytes do not show where the number ends.
 */
#include "config.h"

#include "core/layout/encoding/centesimal.h"
#include "core/layout/encoding/phoenix.h"

#define ZERO 0x80
#define POSITIVE_BASE 0xc0
#define NEGATIVE_BASE 0x3f
#define NEGATIVE_END 0x66
#define MAX_DIGITS 20 /* of base 100 */
/* No number that fits begins with this byte. */
#define ABOVE_ALL 0xff
#define BELOW_ALL 0x01
#define LEAST_POSITIVE 0x81
#define GREATEST_NEGATIVE 0x7f

static gboolean
fits (const KvsqlCentesimal *number)
{
  return number->n_digits == 0
         || (number->n_places <= KVSQL_PHOENIX_MAX_DIGITS
             && number->exponent >= KVSQL_PHOENIX_MIN_EXPONENT
             && number->exponent <= KVSQL_PHOENIX_MAX_EXPONENT);
}

gboolean
kvsql_phoenix_decimal_fits (KvsqlSlice text)
{
  KvsqlCentesimal number;

  kvsql_centesimal_read (text, &number);
  return fits (&number);
}

/* A negative number is less than its own truncation. So a negative number with too many digits gets
 * bytes directly below those of its truncation to MAX_DIGITS digits. */
static void
append_long_negative (const KvsqlCentesimal *number, KvsqlBuffer *out)
{
  for (guint i = 0; i < MAX_DIGITS; i++)
    kvsql_buffer_append_byte (out, 101 - number->digits[i] - (i == MAX_DIGITS - 1));
  kvsql_buffer_append_byte (out, ABOVE_ALL);
}

void
kvsql_phoenix_decimal_append (KvsqlSlice text, KvsqlBuffer *out)
{
  KvsqlCentesimal number;

  kvsql_centesimal_read (text, &number);
  if (number.n_digits == 0)
    {
      kvsql_buffer_append_byte (out, ZERO);
      return;
    }
  if (number.exponent > KVSQL_PHOENIX_MAX_EXPONENT || number.exponent < KVSQL_PHOENIX_MIN_EXPONENT)
    {
      gboolean is_large = number.exponent > 0;
      kvsql_buffer_append_byte (out, number.is_negative ? (is_large ? BELOW_ALL : GREATEST_NEGATIVE)
                                                        : (is_large ? ABOVE_ALL : LEAST_POSITIVE));
      return;
    }
  kvsql_buffer_append_byte (out, number.is_negative ? NEGATIVE_BASE - number.exponent
                                                    : POSITIVE_BASE + number.exponent);
  if (number.is_negative && number.n_digits > MAX_DIGITS)
    {
      append_long_negative (&number, out);
      return;
    }
  for (guint i = 0; i < number.n_digits; i++)
    kvsql_buffer_append_byte (out,
                              number.is_negative ? 101 - number.digits[i] : 1 + number.digits[i]);
  if (number.is_negative && number.n_digits < MAX_DIGITS)
    kvsql_buffer_append_byte (out, NEGATIVE_END);
}

/* Reads the number, also if the encoder would write another form. */
static gboolean
read_number (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out)
{
  gchar text[2 * MAX_DIGITS + 32];
  gboolean is_negative = bytes.data[0] < ZERO;
  gint exponent = is_negative ? NEGATIVE_BASE - bytes.data[0] : bytes.data[0] - POSITIVE_BASE;
  gint n = g_snprintf (text, sizeof text, "%s.", is_negative ? "-" : "");

  if (bytes.data[bytes.size - 1] == NEGATIVE_END && is_negative)
    bytes.size--;
  if (bytes.size < 2 || bytes.size > MAX_DIGITS + 1)
    return FALSE;
  for (gsize i = 1; i < bytes.size; i++)
    {
      gint digit = is_negative ? 101 - bytes.data[i] : bytes.data[i] - 1;
      if (digit < 0 || digit > 99)
        return FALSE;
      n += g_snprintf (text + n, sizeof text - n, "%02d", digit);
    }
  n += g_snprintf (text + n, sizeof text - n, "e%d", 2 * exponent);
  return kvsql_decimal_parse (kvsql_slice (text, n), arena, out, NULL);
}

gboolean
kvsql_phoenix_decimal_read (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out)
{
  KvsqlBuffer again = { 0 };
  gboolean is_same;

  if (bytes.size == 1 && bytes.data[0] == ZERO)
    {
      *out = KVSQL_SLICE_LITERAL ("0");
      return TRUE;
    }
  if (bytes.size < 2 || !read_number (bytes, arena, out) || !kvsql_phoenix_decimal_fits (*out))
    return FALSE;
  kvsql_phoenix_decimal_append (*out, &again);
  is_same = kvsql_slice_equal (kvsql_buffer_slice (&again), bytes);
  kvsql_buffer_clear (&again);
  return is_same;
}
