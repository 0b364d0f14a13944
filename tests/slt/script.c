/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * script.c: see the header. Splits the text in place.
 */
#include "config.h"

#include "tests/slt/script.h"

#include <string.h>

typedef struct
{
  gchar *at; /* NULL: the end */
  guint line;
} Reader;

static void
record_free (gpointer data)
{
  SltRecord *self = data;

  g_clear_pointer (&self->only, g_ptr_array_unref);
  g_clear_pointer (&self->skip, g_ptr_array_unref);
  g_clear_pointer (&self->expected, g_ptr_array_unref);
  g_free (self);
}

/* The next line without its end; NULL: there is none. */
static gchar *
next_line (Reader *self)
{
  gchar *line = self->at, *end;

  if (line == NULL || *line == '\0')
    return NULL;
  end = strchr (line, '\n');
  self->at = end == NULL ? NULL : end + 1;
  self->line++;
  if (end != NULL)
    *end = '\0';
  if (g_str_has_suffix (line, "\r"))
    line[strlen (line) - 1] = '\0';
  return line;
}

/* The lines up to a blank one or "----", as one text. */
static gchar *
read_sql (Reader *self, gboolean *out_has_values)
{
  gchar *sql = self->at, *line, *last = NULL;

  *out_has_values = FALSE;
  while ((line = next_line (self)) != NULL && *line != '\0')
    {
      if (g_str_equal (line, "----"))
        {
          *out_has_values = TRUE;
          break;
        }
      if (last != NULL)
        last[strlen (last)] = '\n';
      last = line;
    }
  return last == NULL ? NULL : sql;
}

static gboolean
is_hash (const gchar *line, SltRecord *record)
{
  gchar *end;
  guint64 n = g_ascii_strtoull (line, &end, 10);

  if (end == line || !g_str_has_prefix (end, " values hashing to "))
    return FALSE;
  record->n_hashed = (guint)n;
  record->hash = end + strlen (" values hashing to ");
  return TRUE;
}

static void
read_values (Reader *self, SltRecord *record)
{
  gchar *line;

  record->expected = g_ptr_array_new ();
  while ((line = next_line (self)) != NULL && *line != '\0')
    if (record->expected->len > 0 || !is_hash (line, record))
      g_ptr_array_add (record->expected, line);
}

/* Removes the next word from @rest. NULL if there is none, or a comment. */
static gchar *
next_word (gchar **rest)
{
  gchar *word = *rest, *end;

  while (*word == ' ' || *word == '\t')
    word++;
  if (*word == '\0' || *word == '#')
    return NULL;
  end = word + strcspn (word, " \t");
  *rest = *end == '\0' ? end : end + 1;
  *end = '\0';
  return word;
}

static gboolean
read_query (Reader *reader, gchar *rest, SltRecord *record)
{
  gboolean has_values;
  const gchar *sort;

  record->kind = SLT_QUERY;
  record->types = next_word (&rest);
  sort = next_word (&rest);
  if (sort != NULL && g_str_equal (sort, "rowsort"))
    record->sort = SLT_ROWSORT;
  else if (sort != NULL && g_str_equal (sort, "valuesort"))
    record->sort = SLT_VALUESORT;
  else if (sort != NULL && !g_str_equal (sort, "nosort"))
    return FALSE;
  record->label = next_word (&rest);
  record->sql = read_sql (reader, &has_values);
  if (has_values)
    read_values (reader, record);
  else
    record->expected = g_ptr_array_new ();
  return record->types != NULL && record->sql != NULL;
}

static gboolean
read_statement (Reader *reader, gchar *rest, SltRecord *record)
{
  const gchar *outcome = next_word (&rest);
  gboolean has_values;

  record->kind = SLT_STATEMENT;
  record->is_error = outcome != NULL && g_str_equal (outcome, "error");
  record->sql = read_sql (reader, &has_values);
  return outcome != NULL && record->sql != NULL;
}

static void
add_condition (GPtrArray **list, gchar *database)
{
  if (*list == NULL)
    *list = g_ptr_array_new ();
  g_ptr_array_add (*list, database);
}

typedef enum
{
  NOTHING, /* the line has no effect, or belongs to the record below */
  DONE,
  WRONG,
} Outcome;

static Outcome
read_line (Reader *reader, gchar *line, SltRecord *record)
{
  gchar *rest = line, *word = next_word (&rest);

  if (word == NULL || g_str_equal (word, "hash-threshold"))
    return NOTHING; /* whether expected values are hashed follows from the values */
  record->line = reader->line;
  if (g_str_equal (word, "onlyif") || g_str_equal (word, "skipif"))
    {
      gchar *database = next_word (&rest);
      if (database == NULL)
        return WRONG;
      add_condition (*word == 'o' ? &record->only : &record->skip, database);
      return NOTHING;
    }
  if (g_str_equal (word, "halt"))
    {
      record->kind = SLT_HALT;
      return DONE;
    }
  if (g_str_equal (word, "statement"))
    return read_statement (reader, rest, record) ? DONE : WRONG;
  if (g_str_equal (word, "query"))
    return read_query (reader, rest, record) ? DONE : WRONG;
  return WRONG;
}

SltScript *
slt_script_load (const gchar *path, GError **error)
{
  g_autoptr (SltScript) self = g_new0 (SltScript, 1);
  SltRecord *record = g_new0 (SltRecord, 1);
  Reader reader = { 0 };
  gchar *line;

  self->records = g_ptr_array_new_with_free_func (record_free);
  if (!g_file_get_contents (path, &self->text, NULL, error))
    {
      record_free (record);
      return NULL;
    }
  reader.at = self->text;
  while ((line = next_line (&reader)) != NULL)
    {
      Outcome outcome = read_line (&reader, line, record);
      if (outcome == WRONG)
        {
          g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s:%u: no record begins like this",
                       path, reader.line);
          record_free (record);
          return NULL;
        }
      if (outcome == DONE)
        {
          g_ptr_array_add (self->records, record);
          record = g_new0 (SltRecord, 1);
        }
    }
  record_free (record);
  return g_steal_pointer (&self);
}

void
slt_script_free (SltScript *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_free (self->text);
  g_free (self);
}

static gboolean
names (const GPtrArray *list, const gchar *database)
{
  return list != NULL
         && g_ptr_array_find_with_equal_func ((GPtrArray *)list, database, g_str_equal, NULL);
}

gboolean
slt_record_is_for (const SltRecord *self, const gchar *database)
{
  return (self->only == NULL || names (self->only, database)) && !names (self->skip, database);
}
