/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ordered-decimal.c: decimal numbers in the variable-length form of OrderedBytes.
 *
 * A number is (-1)^s * 0.M * 100^E. M consists of digits of base 100; the first and the last are
 * not zero. The first byte shows the sign and how E is stored, so that the bytes sort as numbers
 * do:
 *
 *   08 ~E ~M | 13-E ~M | 14 e ~M | 15 | 16 ~e M | 17+E M | 22 E M        (e is -E)
 *   E > 10     1..10     E <= 0    0    E <= 0    1..10    E > 10
 *
 * Each digit x of M is the byte 2x + 1, the last digit is 2x, and ~ is the complement of all bits.
 * E and e are varints of SQLite4; one or two bytes of them are sufficient here.
 */
#include "config.h"

#include "core/layout/encoding/centesimal.h"
#include "core/layout/encoding/ordered.h"

#define NEGATIVE_LARGE 0x08
#define NEGATIVE_MEDIUM 0x13
#define NEGATIVE_SMALL 0x14
#define ZERO 0x15
#define POSITIVE_SMALL 0x16
#define POSITIVE_MEDIUM 0x17
#define POSITIVE_LARGE 0x22

#define MAX_MEDIUM 10 /* the greatest E in the first byte */

/* ---- encoding */

static void
append_varint (guint number, guint8 mask, KvsqlBuffer *out)
{
  if (number > 240)
    {
      kvsql_buffer_append_byte (out, ((number - 240) / 256 + 241) ^ mask);
      number = (number - 240) % 256;
    }
  kvsql_buffer_append_byte (out, number ^ mask);
}

static void
append_head (const KvsqlCentesimal *number, KvsqlBuffer *out)
{
  guint8 mask = number->is_negative ? 0xff : 0;
  gint exponent = number->exponent;

  if (exponent > MAX_MEDIUM)
    {
      kvsql_buffer_append_byte (out, number->is_negative ? NEGATIVE_LARGE : POSITIVE_LARGE);
      append_varint (exponent, mask, out);
    }
  else if (exponent > 0)
    kvsql_buffer_append_byte (out, number->is_negative ? NEGATIVE_MEDIUM - exponent
                                                       : POSITIVE_MEDIUM + exponent);
  else
    {
      kvsql_buffer_append_byte (out, number->is_negative ? NEGATIVE_SMALL : POSITIVE_SMALL);
      append_varint (-exponent, ~mask, out);
    }
}

void
kvsql_ordered_decimal_append (KvsqlSlice text, KvsqlBuffer *out)
{
  KvsqlCentesimal number;

  kvsql_centesimal_read (text, &number);
  if (number.n_digits == 0)
    {
      kvsql_buffer_append_byte (out, ZERO);
      return;
    }
  append_head (&number, out);
  for (guint i = 0; i < number.n_digits; i++)
    kvsql_buffer_append_byte (out, (2 * number.digits[i] + (i + 1 < number.n_digits))
                                       ^ (number.is_negative ? 0xff : 0));
}

gboolean
kvsql_ordered_decimal_fits (KvsqlSlice text)
{
  KvsqlCentesimal number;

  kvsql_centesimal_read (text, &number);
  return number.n_places <= KVSQL_ORDERED_MAX_DIGITS
         && number.exponent <= KVSQL_ORDERED_MAX_EXPONENT;
}

/* ---- decoding */

typedef struct
{
  gboolean is_negative;
  gint exponent;
  gsize head_size;
} Head;

/* FALSE if there are too few bytes, or if the encoder would write the number in another form. */
static gboolean
read_varint (KvsqlSlice bytes, guint8 mask, guint *out, gsize *inout_size)
{
  guint first, second;

  if (bytes.size <= *inout_size)
    return FALSE;
  first = bytes.data[(*inout_size)++] ^ mask;
  *out = first;
  if (first <= 240)
    return TRUE;
  if (first > 248 || bytes.size <= *inout_size)
    return FALSE;
  second = bytes.data[(*inout_size)++] ^ mask;
  *out = (first - 241) * 256 + second + 240;
  return *out > 240;
}

static gboolean
read_head (KvsqlSlice bytes, Head *out)
{
  guint8 mask, first;
  guint number;

  if (bytes.size == 0)
    return FALSE;
  first = bytes.data[0];
  out->is_negative = first < ZERO;
  out->head_size = 1;
  mask = out->is_negative ? 0xff : 0;
  if (first == POSITIVE_LARGE || first == NEGATIVE_LARGE)
    {
      out->exponent = 0;
      if (!read_varint (bytes, mask, &number, &out->head_size) || number <= MAX_MEDIUM)
        return FALSE;
      out->exponent = number;
      return number <= KVSQL_ORDERED_MAX_EXPONENT;
    }
  if (first == POSITIVE_SMALL || first == NEGATIVE_SMALL)
    {
      if (!read_varint (bytes, ~mask, &number, &out->head_size))
        return FALSE;
      out->exponent = -(gint)number;
      return number <= KVSQL_DECIMAL_MAX_DIGITS;
    }
  out->exponent = out->is_negative ? NEGATIVE_MEDIUM - first : first - POSITIVE_MEDIUM;
  return out->exponent >= 1 && out->exponent <= MAX_MEDIUM;
}

gssize
kvsql_ordered_decimal_get_length (KvsqlSlice bytes)
{
  Head head;

  if (bytes.size > 0 && bytes.data[0] == ZERO)
    return 1;
  if (!read_head (bytes, &head))
    return -1;
  for (gsize i = head.head_size; i < bytes.size; i++)
    if (((bytes.data[i] & 1) != 0) == head.is_negative)
      return i + 1;
  return -1;
}

/* The digits as text; -1 if this is not the shortest form. */
static gint
read_digits (KvsqlSlice bytes, const Head *head, gchar *text)
{
  guint8 mask = head->is_negative ? 0xff : 0;
  gsize n = bytes.size - head->head_size;
  gint n_significant;

  if (n < 1 || n > KVSQL_ORDERED_MAX_DIGITS / 2 + 2)
    return -1;
  for (gsize i = 0; i < n; i++)
    {
      guint byte = bytes.data[head->head_size + i] ^ mask;
      if (byte > 199 || (byte & 1) != (i + 1 < n))
        return -1;
      text[2 * i] = '0' + byte / 2 / 10;
      text[2 * i + 1] = '0' + byte / 2 % 10;
    }
  if ((text[0] == '0' && text[1] == '0') || (text[2 * n - 2] == '0' && text[2 * n - 1] == '0'))
    return -1;
  n_significant = 2 * n - (text[0] == '0') - (text[2 * n - 1] == '0');
  return n_significant <= KVSQL_ORDERED_MAX_DIGITS ? (gint)(2 * n) : -1;
}

gboolean
kvsql_ordered_decimal_read (KvsqlSlice bytes, KvsqlArena *arena, KvsqlSlice *out)
{
  gchar digits[KVSQL_ORDERED_MAX_DIGITS + 8], text[KVSQL_ORDERED_MAX_DIGITS + 32];
  Head head;
  gint n;

  if (bytes.size == 1 && bytes.data[0] == ZERO)
    {
      *out = KVSQL_SLICE_LITERAL ("0");
      return TRUE;
    }
  if (!read_head (bytes, &head))
    return FALSE;
  n = read_digits (bytes, &head, digits);
  if (n < 0)
    return FALSE;
  n = g_snprintf (text, sizeof text, "%s.%.*se%d", head.is_negative ? "-" : "", n, digits,
                  2 * head.exponent);
  return kvsql_decimal_parse (kvsql_slice (text, n), arena, out, NULL);
}
