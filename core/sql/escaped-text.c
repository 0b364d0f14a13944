/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * escaped-text.c: see the header.
 */
#include "config.h"

#include "core/sql/escaped-text.h"

#include "core/base/interrupt.h"

gboolean
kvsql_escaped_text_skip (const guint8 *text, gsize size, gsize *offset)
{
  for (gsize at = *offset + 1; at < size; at++)
    {
      if (text[at] == '\\' || (text[at] == '\'' && at + 1 < size && text[at + 1] == '\''))
        at++;
      else if (text[at] == '\'')
        {
          *offset = at + 1;
          return TRUE;
        }
    }
  return FALSE;
}

/* At most @n digits of @base from @at on. Returns: how many there are. */
static gsize
read_digits (KvsqlSlice text, gsize at, gsize n, guint base, guint32 *out)
{
  gsize i = 0;

  *out = 0;
  for (; i < n && at + i < text.size; i++)
    {
      gint digit = g_ascii_xdigit_value ((gchar)text.data[at + i]);

      if (digit < 0 || (guint)digit >= base)
        break;
      *out = *out * base + (guint)digit;
    }
  return i;
}

/* \uXXXX or \UXXXXXXXX at @at, and the other half of a surrogate pair. *out_next: after it */
static const gchar *
read_code_point (KvsqlSlice text, gsize at, guint32 *out, gsize *out_next)
{
  gsize n = text.data[at + 1] == 'u' ? 4 : 8;
  guint32 low;

  *out_next = at + 2 + read_digits (text, at + 2, n, 16, out);
  if (*out_next != at + 2 + n)
    return n == 4 ? "\\u takes four hexadecimal digits" : "\\U takes eight hexadecimal digits";
  if (*out >= 0xd800 && *out < 0xdc00 && n == 4 && *out_next + 6 <= text.size
      && text.data[*out_next] == '\\' && text.data[*out_next + 1] == 'u'
      && read_digits (text, *out_next + 2, 4, 16, &low) == 4 && low >= 0xdc00 && low < 0xe000)
    {
      *out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
      *out_next += 6;
    }
  if (*out == 0)
    return "U+0000 is in no text";
  return g_unichar_validate (*out) ? NULL : "there is no such character";
}

/* The escape at @at, of one byte. */
static guint8
read_byte (KvsqlSlice text, gsize at, gsize *out_next)
{
  static const gchar letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
  const guint8 letter = text.data[at + 1];
  const gchar *known = letter != '\0' ? strchr (letters, letter) : NULL;
  guint32 value;
  gsize n;

  *out_next = at + 2;
  if (known != NULL)
    return (guint8)meanings[known - letters];
  n = read_digits (text, at + 1, 3, 8, &value);
  if (n > 0)
    {
      *out_next = at + 1 + n;
      return (guint8)value;
    }
  n = letter == 'x' ? read_digits (text, at + 2, 2, 16, &value) : 0;
  *out_next += n;
  return n > 0 ? (guint8)value : letter;
}

const gchar *
kvsql_escaped_text_read (KvsqlSlice inside, guint8 *out, gsize *out_size, gsize *out_at,
                         gsize *out_length)
{
  g_autofree guint8 *own = out == NULL ? g_malloc (inside.size + 1) : NULL;
  guint8 *to = out != NULL ? out : own;
  gsize next;

  *out_size = 0;
  for (gsize at = 0; at < inside.size && kvsql_interrupt_tick_byte (at); at = next)
    {
      const gchar *wrong = NULL;
      guint32 point;

      next = at + 1;
      if (inside.data[at] == '\'')
        next = at + 2;
      if (inside.data[at] != '\\' || next == inside.size)
        {
          to[(*out_size)++] = inside.data[at];
          continue;
        }
      if (inside.data[next] != 'u' && inside.data[next] != 'U')
        {
          to[*out_size] = read_byte (inside, at, &next);
          wrong = to[(*out_size)++] == '\0' ? "U+0000 is in no text" : NULL;
        }
      else
        {
          wrong = read_code_point (inside, at, &point, &next);
          if (wrong == NULL)
            *out_size += (gsize)g_unichar_to_utf8 (point, (gchar *)to + *out_size);
        }
      if (wrong != NULL)
        {
          *out_at = at;
          *out_length = next - at;
          return wrong;
        }
    }
  if (g_utf8_validate_len ((const gchar *)to, *out_size, NULL))
    return NULL;
  *out_at = 0;
  *out_length = inside.size;
  return "its bytes are no UTF-8";
}
