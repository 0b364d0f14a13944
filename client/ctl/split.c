/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.c: splits a text into statements.
 *
 * Parses only as much of the language as is necessary to find each ';' that ends a statement.
 */
#include "config.h"

#include "client/ctl/split.h"

#include <string.h>

/* Returns the position after the quoted text that begins with @quote at @at. A doubled quote counts
 * as the end and the start of another quoted text, with the same effect. */
static gsize
skip_quoted (const gchar *text, gsize size, gsize at, gboolean *out_closed)
{
  const gchar *close = memchr (text + at + 1, text[at], size - at - 1);

  *out_closed = close != NULL;
  return close != NULL ? (gsize)(close - text) + 1 : size;
}

/* The same for E'…', where a backslash takes the next character. */
static gsize
skip_escaped (const gchar *text, gsize size, gsize at, gboolean *out_closed)
{
  for (at++; at < size; at++)
    {
      if (text[at] == '\\' || (text[at] == '\'' && at + 1 < size && text[at + 1] == '\''))
        at++;
      else if (text[at] == '\'')
        break;
    }
  *out_closed = at < size;
  return MIN (at + 1, size);
}

/* Whether the quote at @at is that of E'…': the E is no end of a word. */
static gboolean
is_escaped (const gchar *text, gsize from, gsize at)
{
  return text[at] == '\'' && at > from && (text[at - 1] | 0x20) == 'e'
         && (at == from + 1 || !(g_ascii_isalnum (text[at - 2]) || text[at - 2] == '_'));
}

static gsize
skip_line (const gchar *text, gsize size, gsize at)
{
  const gchar *end = memchr (text + at, '\n', size - at);

  return end != NULL ? (gsize)(end - text) + 1 : size;
}

static gsize
skip_block (const gchar *text, gsize size, gsize at, gboolean *out_closed)
{
  for (at += 2; at + 1 < size; at++)
    if (text[at] == '*' && text[at + 1] == '/')
      {
        *out_closed = TRUE;
        return at + 2;
      }
  *out_closed = FALSE;
  return size;
}

static gboolean
starts (const gchar *text, gsize size, gsize at, const gchar *what)
{
  return size - at >= 2 && memcmp (text + at, what, 2) == 0;
}

/* Returns the position after a comment or a blank; @at if there is neither. */
static gsize
skip_blank (const gchar *text, gsize size, gsize at, gboolean *out_closed)
{
  *out_closed = TRUE;
  if (starts (text, size, at, "--"))
    return skip_line (text, size, at);
  if (starts (text, size, at, "/*"))
    return skip_block (text, size, at, out_closed);
  return g_ascii_isspace (text[at]) ? at + 1 : at;
}

static gsize
skip_blanks (const gchar *text, gsize size, gsize at, gboolean *out_closed)
{
  gsize before;

  *out_closed = TRUE;
  do
    {
      before = at;
      if (at < size)
        at = skip_blank (text, size, at, out_closed);
    }
  while (at != before);
  return at;
}

gboolean
kvsqlctl_split (const gchar *text, gsize size, gsize from, KvsqlctlPiece *out)
{
  gboolean is_closed;
  gsize at = skip_blanks (text, size, from, &is_closed);

  while (at < size && text[at] == ';')
    at = skip_blanks (text, size, at + 1, &is_closed);
  *out = (KvsqlctlPiece){ .start = at, .end = at, .next = size, .is_in_text = !is_closed };
  if (at >= size)
    return FALSE;

  while (at < size && text[at] != ';')
    {
      gsize next = skip_blank (text, size, at, &is_closed);

      if (next == at && is_escaped (text, out->start, at))
        next = skip_escaped (text, size, at, &is_closed);
      else if (next == at && strchr ("'\"`", text[at]) != NULL && text[at] != '\0')
        next = skip_quoted (text, size, at, &is_closed);
      else if (next == at)
        next = at + 1;
      at = next;
    }
  out->is_closed = at < size;
  out->is_in_text = !is_closed;
  out->end = at;
  out->next = at < size ? at + 1 : size;
  return TRUE;
}

gboolean
kvsqlctl_begins_with (const gchar *text, gsize size, const gchar *word)
{
  gboolean is_closed;
  gsize at = skip_blanks (text, size, 0, &is_closed);
  gsize length = strlen (word);

  return size - at >= length && g_ascii_strncasecmp (text + at, word, length) == 0
         && (size - at == length
             || (!g_ascii_isalnum (text[at + length]) && text[at + length] != '_'));
}

static gboolean
is_word_part (gchar byte)
{
  return g_ascii_isalnum (byte) || byte == '_';
}

guint
kvsqlctl_count_lines (const gchar *text, gsize size)
{
  guint n = 0;

  for (gsize i = 0; i < size; i++)
    n += text[i] == '\n';
  return n;
}

gboolean
kvsqlctl_is_definition (const gchar *text, gsize size)
{
  static const gchar *const words[] = { "DEFINE", "ALTER", "COMMENT", "BACKUP" };
  gboolean is_closed;
  gsize at = skip_blanks (text, size, 0, &is_closed);

  /* EXPLAIN, ANALYZE and the options in parentheses */
  while (at < size
         && (kvsqlctl_begins_with (text + at, size - at, "EXPLAIN")
             || kvsqlctl_begins_with (text + at, size - at, "ANALYZE") || text[at] == '('))
    {
      if (text[at] == '(')
        while (at < size && text[at++] != ')')
          ;
      else
        at += strlen ("EXPLAIN");
      at = skip_blanks (text, size, at, &is_closed);
    }
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (kvsqlctl_begins_with (text + at, size - at, words[i]))
      return TRUE;
  return FALSE;
}

gboolean
kvsqlctl_find_double_quoted (const gchar *text, gsize size, gsize *at, gsize *out_start)
{
  gsize now = *at;

  while (now < size)
    {
      gboolean is_closed, is_bytes;
      gsize start = now;

      now = skip_blank (text, size, start, &is_closed);
      if (now > start)
        continue;
      if (strchr ("'\"`", text[start]) == NULL || text[start] == '\0')
        {
          now = start + 1;
          continue;
        }
      if (is_escaped (text, 0, start))
        {
          now = skip_escaped (text, size, start, &is_closed);
          continue;
        }
      /* a doubled quote ends one quoted text and starts another */
      do
        now = skip_quoted (text, size, now, &is_closed);
      while (is_closed && now < size && text[now] == text[start]);
      is_bytes = start > 0 && (text[start - 1] | 0x20) == 'x'
                 && (start < 2 || !is_word_part (text[start - 2]));
      if (text[start] != '"' || is_bytes)
        continue;
      *out_start = start;
      *at = now;
      return TRUE;
    }
  *at = now;
  return FALSE;
}
