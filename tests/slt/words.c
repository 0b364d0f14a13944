/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * words.c: see the header.
 */
#include "config.h"

#include "tests/slt/words.h"

#include <stdarg.h>
#include <string.h>

static gboolean
is_name_character (gchar c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.';
}

static gsize
measure (const gchar *text)
{
  gsize n = 1;

  if (*text == '\'' || *text == '"')
    {
      while (text[n] != '\0' && text[n] != *text)
        n++;
      return text[n] == '\0' ? n : n + 1;
    }
  if (text[0] == '-' && text[1] == '-')
    return strcspn (text, "\n");
  if (is_name_character (*text))
    while (is_name_character (text[n]))
      n++;
  return n;
}

void
slt_words_init (SltWords *self, const gchar *sql)
{
  guint depth = 0;

  self->sql = sql;
  self->words = g_array_new (FALSE, FALSE, sizeof (SltWord));
  for (const gchar *at = sql; *at != '\0';)
    {
      SltWord word = { .text = at, .size = measure (at) };
      at += word.size;
      if (g_ascii_isspace (*word.text) || (word.size > 1 && *word.text == '-'))
        continue;
      if (*word.text == ')' && depth > 0)
        depth--;
      word.depth = depth;
      if (*word.text == '(')
        depth++;
      g_array_append_val (self->words, word);
    }
}

void
slt_words_clear (SltWords *self)
{
  g_clear_pointer (&self->words, g_array_unref);
}

guint
slt_words_count (const SltWords *self)
{
  return self->words->len;
}

const SltWord *
slt_words_get (const SltWords *self, guint i)
{
  return i < self->words->len ? &g_array_index (self->words, SltWord, i) : NULL;
}

gboolean
slt_words_is (const SltWords *self, guint i, const gchar *text)
{
  const SltWord *word = slt_words_get (self, i);

  return word != NULL && word->size == strlen (text)
         && g_ascii_strncasecmp (word->text, text, word->size) == 0;
}

gboolean
slt_words_are (const SltWords *self, guint i, ...)
{
  gboolean are = TRUE;
  const gchar *text;
  va_list list;

  va_start (list, i);
  while (are && (text = va_arg (list, const gchar *)) != NULL)
    are = slt_words_is (self, i++, text);
  va_end (list);
  return are;
}

gboolean
slt_words_is_name (const SltWords *self, guint i)
{
  const SltWord *word = slt_words_get (self, i);

  return word != NULL && (g_ascii_isalpha (*word->text) || *word->text == '_');
}

gchar *
slt_words_dup (const SltWords *self, guint i)
{
  const SltWord *word = slt_words_get (self, i);

  return word == NULL ? g_strdup ("") : g_strndup (word->text, word->size);
}

gsize
slt_words_offset (const SltWords *self, guint i)
{
  const SltWord *word = slt_words_get (self, i);

  if (word != NULL)
    return (gsize)(word->text - self->sql);
  if (self->words->len == 0)
    return 0;
  word = slt_words_get (self, self->words->len - 1);
  return (gsize)(word->text - self->sql) + word->size;
}
