/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-lexer.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/hive-lexer.h"

#include <string.h>

/* ---- the frame of beeline */

static gboolean
is_frame (const gchar *line, gsize size)
{
  return size >= 2 && line[0] == '+' && line[1] == '-';
}

/* Replaces one line of the frame by blanks, or its bars. */
static void
clear_frame (gchar *line, gsize size)
{
  while (size > 0 && g_ascii_isspace (line[size - 1]))
    size--;
  if (is_frame (line, size))
    memset (line, ' ', size);
  else if (size > 1 && line[0] == '|')
    line[0] = line[size - 1] = ' ';
}

/* A text has the frame if one of its lines is +--…. */
static void
remove_frame (gchar *text, gsize size)
{
  gboolean has_frame = is_frame (text, size);

  for (gsize i = 0; i < size && !has_frame; i++)
    has_frame = text[i] == '\n' && is_frame (text + i + 1, size - i - 1);
  for (gsize i = 0; i < size && has_frame;)
    {
      const gchar *end = memchr (text + i, '\n', size - i);
      gsize length = end != NULL ? (gsize)(end - text) - i : size - i;

      clear_frame (text + i, length);
      i += length + 1;
    }
}

/* ---- texts in quotes */

/* \u0001: four digits. Returns the length; 0: it is none, or the character is NUL. */
static gsize
read_unicode (const gchar *at, gsize size, GString *out)
{
  gunichar character = 0;

  if (size < 6 || at[1] != 'u')
    return 0;
  for (gsize i = 2; i < 6; i++)
    {
      if (!g_ascii_isxdigit (at[i]))
        return 0;
      character = character << 4 | (gunichar)g_ascii_xdigit_value (at[i]);
    }
  if (character == 0 || !g_unichar_validate (character))
    return 0;
  g_string_append_unichar (out, character);
  return 6;
}

/* \001: three octal digits, as Hive takes them. Returns the length; 0: it is none, or it is NUL. */
static gsize
read_octal (const gchar *at, gsize size, GString *out)
{
  guint value;

  if (size < 4 || at[1] < '0' || at[1] > '1' || at[2] < '0' || at[2] > '7' || at[3] < '0'
      || at[3] > '7')
    return 0;
  value = (guint)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
  if (value == 0)
    return 0;
  g_string_append_unichar (out, value);
  return 4;
}

/* @at: a backslash that is not the last byte. Returns the length of the escape. */
static gsize
read_escape (const gchar *at, gsize size, GString *out)
{
  static const gchar letters[] = "bnrtZ", meanings[] = "\b\n\r\t\x1a";
  gsize length = read_unicode (at, size, out);
  const gchar *letter;

  if (length == 0)
    length = read_octal (at, size, out);
  if (length > 0)
    return length;
  letter = strchr (letters, at[1]);
  if (at[1] == '%' || at[1] == '_') /* stay as they are, for LIKE */
    g_string_append_c (out, '\\');
  g_string_append_c (out, letter != NULL ? meanings[letter - letters] : at[1]);
  return 2;
}

/* Returns the position after the closing quote; 0: there is none. */
static gsize
read_text (const KvsqlctlHiveTokens *self, gsize start, GString *out)
{
  gchar quote = self->text[start];

  for (gsize i = start + 1; i < self->size;)
    if (self->text[i] == quote)
      return i + 1;
    else if (self->text[i] == '\\' && i + 1 < self->size)
      i += read_escape (self->text + i, self->size - i, out);
    else
      g_string_append_c (out, self->text[i++]);
  return 0;
}

/* A back-quote in a name is two. Returns the position after the closing one; 0: there is none. */
static gsize
read_quoted (const KvsqlctlHiveTokens *self, gsize start, GString *out)
{
  for (gsize i = start + 1; i < self->size; i++)
    {
      if (self->text[i] == '`')
        {
          if (i + 1 >= self->size || self->text[i + 1] != '`')
            return i + 1;
          i++;
        }
      g_string_append_c (out, self->text[i]);
    }
  return 0;
}

/* ---- tokens */

static gboolean
is_word (gchar c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$' || (guchar)c >= 0x80;
}

/* Skips blanks and comments. FALSE: a comment does not end. */
static gboolean
skip_blanks (const KvsqlctlHiveTokens *self, gsize *at)
{
  while (*at < self->size)
    {
      const gchar *text = self->text + *at;
      gsize left = self->size - *at;
      const gchar *end;

      if (g_ascii_isspace (*text))
        ++*at;
      else if (left >= 2 && text[0] == '-' && text[1] == '-')
        {
          end = memchr (text, '\n', left);
          *at = end != NULL ? (gsize)(end - self->text) : self->size;
        }
      else if (left >= 2 && text[0] == '/' && text[1] == '*')
        {
          end = g_strstr_len (text + 2, (gssize)left - 2, "*/");
          if (end == NULL)
            return FALSE;
          *at = (gsize)(end - self->text) + 2;
        }
      else
        break;
    }
  return TRUE;
}

/* Takes @value. */
static void
add_token (KvsqlctlHiveTokens *self, KvsqlctlHiveTokenKind kind, gsize start, gsize end,
           GString *value)
{
  const KvsqlctlHiveToken *last
      = self->tokens->len > 0 ? kvsqlctl_hive_tokens_at (self, self->tokens->len - 1) : NULL;
  KvsqlctlHiveToken token
      = { kind, start, end, last != NULL ? last->line : 1, g_string_free (value, FALSE) };

  for (gsize i = last != NULL ? last->start : 0; i < start; i++)
    token.line += self->text[i] == '\n';
  g_array_append_val (self->tokens, token);
}

/* The token at @start. Returns the position after it; 0: quotes are not closed. */
static gsize
read_token (KvsqlctlHiveTokens *self, gsize start)
{
  gchar c = self->text[start];
  GString *value = g_string_new (NULL);
  KvsqlctlHiveTokenKind kind = KVSQLCTL_HIVE_SIGN;
  gsize end = start + 1;

  if (c == '\'' || c == '"')
    {
      kind = KVSQLCTL_HIVE_TEXT;
      end = read_text (self, start, value);
    }
  else if (c == '`')
    {
      kind = KVSQLCTL_HIVE_QUOTED;
      end = read_quoted (self, start, value);
    }
  else if (is_word (c))
    {
      kind = KVSQLCTL_HIVE_WORD;
      while (end < self->size && is_word (self->text[end]))
        end++;
      g_string_append_len (value, self->text + start, (gssize)(end - start));
    }
  else
    g_string_append_c (value, c);
  if (end == 0)
    g_string_free (value, TRUE);
  else
    add_token (self, kind, start, end, value);
  return end;
}

static void
clear_token (gpointer data)
{
  g_free (((KvsqlctlHiveToken *)data)->value);
}

static gboolean
split (KvsqlctlHiveTokens *self, KvsqlctlTextError *error)
{
  gsize at = 0, end;

  while (TRUE)
    {
      if (!skip_blanks (self, &at))
        return kvsqlctl_text_error_set (error, at, 2, "A comment ends with */.",
                                        "comment is not closed");
      if (at >= self->size)
        break;
      end = read_token (self, at);
      if (end == 0)
        return kvsqlctl_text_error_set (
            error, at, 1, "A quote in a text has a backslash before it, and one in a name is two.",
            "quote is not closed");
      at = end;
    }
  add_token (self, KVSQLCTL_HIVE_END, self->size, self->size, g_string_new (NULL));
  return TRUE;
}

gboolean
kvsqlctl_hive_tokens_init (KvsqlctlHiveTokens *self, const gchar *text, gsize size,
                           KvsqlctlTextError *error)
{
  const gchar *end = NULL;

  *self = (KvsqlctlHiveTokens){ .size = size };
  self->tokens = g_array_new (FALSE, FALSE, sizeof (KvsqlctlHiveToken));
  g_array_set_clear_func (self->tokens, clear_token);
  if (!g_utf8_validate_len (text, size, &end))
    return kvsqlctl_text_error_set (error, (gsize)(end - text), 1, "Give the text of Hive's DDL.",
                                    "not a text in UTF-8");
  self->text = g_strndup (text, size);
  remove_frame (self->text, size);
  return split (self, error);
}

void
kvsqlctl_hive_tokens_clear (KvsqlctlHiveTokens *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->tokens, g_array_unref);
}
