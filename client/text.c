/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text.c: the text form of values.
 */
#include "config.h"

#include "client/text.h"
#include "core/base/civil-date.h"

#include <math.h>
#include <string.h>

static gboolean
has_date (gint64 days)
{
  return days >= KVSQL_DATE_MIN && days <= KVSQL_DATE_MAX;
}

void
_kvsql_text_append_date (GString *out, gint64 days)
{
  if (has_date (days))
    kvsql_date_append_text (days, out);
  else
    g_string_append_printf (out, "%" G_GINT64_FORMAT, days);
}

void
_kvsql_text_append_timestamp (GString *out, gint64 milliseconds)
{
  if (has_date (kvsql_day_of_time (milliseconds)))
    kvsql_time_append_text (milliseconds, out);
  else
    g_string_append_printf (out, "%" G_GINT64_FORMAT, milliseconds);
}

void
_kvsql_text_append_clock (GString *out, gint64 milliseconds)
{
  if (milliseconds >= 0 && milliseconds <= KVSQL_MS_PER_DAY)
    kvsql_clock_append_text (milliseconds, out);
  else
    g_string_append_printf (out, "%" G_GINT64_FORMAT, milliseconds);
}

void
_kvsql_text_append_double (GString *out, gdouble value, gboolean is_float)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];
  gint enough = is_float ? 9 : 17;

  if (isnan (value))
    g_string_append (out, "NaN");
  else if (isinf (value))
    g_string_append (out, value > 0 ? "Infinity" : "-Infinity");
  else
    {
      for (gint digits = is_float ? 6 : 15; digits <= enough; digits++)
        {
          gchar format[] = "%.00g";
          gdouble back;

          format[2] = (gchar)('0' + digits / 10);
          format[3] = (gchar)('0' + digits % 10);
          back = g_ascii_strtod (g_ascii_formatd (text, sizeof text, format, value), NULL);
          if (is_float ? (gfloat)back == (gfloat)value : back == value)
            break;
        }
      g_string_append (out, text);
    }
}

void
_kvsql_text_append_bytes (GString *out, gconstpointer bytes, gsize size)
{
  static const gchar digits[] = "0123456789abcdef";
  const guint8 *at = bytes;

  g_string_append (out, "x'");
  for (gsize i = 0; i < size; i++)
    {
      g_string_append_c (out, digits[at[i] >> 4]);
      g_string_append_c (out, digits[at[i] & 15]);
    }
  g_string_append_c (out, '\'');
}

static gboolean
is_word (const gchar *text, gsize size, const gchar *word)
{
  return strlen (word) == size && g_ascii_strncasecmp (text, word, size) == 0;
}

gboolean
_kvsql_text_parse_boolean (const gchar *text, gsize size, gboolean *out)
{
  *out = is_word (text, size, "true") || is_word (text, size, "t");
  return *out || is_word (text, size, "false") || is_word (text, size, "f");
}

gboolean
_kvsql_text_parse_int64 (const gchar *text, gsize size, gint64 *out)
{
  gboolean is_negative = size > 0 && text[0] == '-';
  guint64 limit = (guint64)G_MAXINT64 + is_negative, value = 0;
  gsize at = size > 0 && (is_negative || text[0] == '+');

  if (at == size)
    return FALSE;
  for (; at < size; at++)
    {
      guint digit = (guint)(text[at] - '0');

      if (digit > 9 || value > (limit - digit) / 10)
        return FALSE;
      value = value * 10 + digit;
    }
  *out = is_negative ? (gint64)(0 - value) : (gint64)value;
  return TRUE;
}

gboolean
_kvsql_text_parse_double (const gchar *text, gsize size, gdouble *out)
{
  gchar small[64];
  g_autofree gchar *large = NULL;
  const gchar *copy = small;
  gchar *end = NULL;

  if (size < sizeof small)
    {
      memcpy (small, text, size);
      small[size] = '\0';
    }
  else
    copy = large = g_strndup (text, size);
  /* strtod() would also skip blanks and accept hexadecimal numbers. */
  if (size == 0 || g_ascii_isspace (*copy) || strpbrk (copy, "xX") != NULL)
    return FALSE;
  *out = g_ascii_strtod (copy, &end);
  return end == copy + size;
}

GByteArray *
_kvsql_text_parse_bytes (const gchar *text)
{
  gsize size = strlen (text);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (size < 3 || g_ascii_tolower (text[0]) != 'x' || text[1] != '\'' || text[size - 1] != '\'')
    return g_byte_array_append (g_steal_pointer (&bytes), (const guint8 *)text, (guint)size);
  if (size % 2 == 0)
    return NULL;
  for (gsize i = 2; i < size - 1; i += 2)
    {
      gint high = g_ascii_xdigit_value (text[i]), low = g_ascii_xdigit_value (text[i + 1]);
      guint8 byte;

      if (high < 0 || low < 0)
        return NULL;
      byte = (guint8)(high << 4 | low);
      g_byte_array_append (bytes, &byte, 1);
    }
  return g_steal_pointer (&bytes);
}
