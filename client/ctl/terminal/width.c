/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * width.c: see width.h.
 */
#include "config.h"

#include "client/ctl/terminal/width.h"

#include <string.h>

static guint
width_of (gunichar character)
{
  if (g_unichar_iszerowidth (character))
    return 0;
  return g_unichar_iswide (character) ? 2 : 1;
}

guint
kvsqlctl_width (const gchar *text)
{
  guint width = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    width += width_of (g_utf8_get_char (text));
  return width;
}

/* FALSE also for characters that change the writing direction. */
static gboolean
is_harmless (gunichar character)
{
  GUnicodeType type = g_unichar_type (character);

  return type != G_UNICODE_CONTROL && type != G_UNICODE_FORMAT && type != G_UNICODE_LINE_SEPARATOR
         && type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

static void
append_escaped (GString *out, const gchar *bytes, gsize size)
{
  for (gsize i = 0; i < size; i++)
    {
      if (bytes[i] == '\n')
        g_string_append (out, "\\n");
      else if (bytes[i] == '\t')
        g_string_append (out, "\\t");
      else if (bytes[i] == '\r')
        g_string_append (out, "\\r");
      else
        g_string_append_printf (out, "\\x%02x", (guchar)bytes[i]);
    }
}

static void
append_text (GString *out, const gchar *text, gsize size, gboolean keep_lines)
{
  const gchar *end = text + size;

  while (text < end)
    {
      gunichar character = g_utf8_get_char_validated (text, end - text);
      gboolean is_valid = character != (gunichar)-1 && character != (gunichar)-2;
      gsize length = is_valid ? (gsize)g_unichar_to_utf8 (character, NULL) : 1;

      if (is_valid && (is_harmless (character) || (keep_lines && character == '\n')))
        g_string_append_len (out, text, (gssize)length);
      else
        append_escaped (out, text, length);
      text += length;
    }
}

void
kvsqlctl_append_printable (GString *out, const gchar *text, gsize size)
{
  append_text (out, text, size, FALSE);
}

void
kvsqlctl_append_printable_lines (GString *out, const gchar *text, gsize size)
{
  append_text (out, text, size, TRUE);
}

void
kvsqlctl_keep_start (GString *text, guint columns)
{
  const gchar *at = text->str;
  guint width = 0;

  if (kvsqlctl_width (text->str) <= columns)
    return;
  for (; width + width_of (g_utf8_get_char (at)) < columns; at = g_utf8_next_char (at))
    width += width_of (g_utf8_get_char (at));
  g_string_truncate (text, (gsize)(at - text->str));
  if (columns > 0)
    g_string_append (text, "…");
}

void
kvsqlctl_keep_end (GString *text, guint columns)
{
  const gchar *at = text->str;
  guint width = kvsqlctl_width (text->str);

  if (width <= columns)
    return;
  for (; width >= columns && *at != '\0'; at = g_utf8_next_char (at))
    width -= width_of (g_utf8_get_char (at));
  g_string_erase (text, 0, at - text->str);
  if (columns > 0)
    g_string_prepend (text, "…");
}
