/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table.c: parses CREATE TABLE and CREATE INDEX.
 */
#include "config.h"

#include "tests/slt/table.h"

#include <string.h>

static void
column_free (gpointer data)
{
  SltColumn *self = data;

  g_free (self->name);
  g_free (self);
}

void
slt_index_free (SltIndex *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_strfreev (self->columns);
  g_free (self->is_descending);
  g_free (self);
}

void
slt_table_free (SltTable *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->indexes);
  g_free (self);
}

const SltColumn *
slt_table_find (const SltTable *self, const gchar *name)
{
  for (guint i = 0; i < self->columns->len; i++)
    {
      const SltColumn *column = self->columns->pdata[i];
      if (g_ascii_strcasecmp (column->name, name) == 0)
        return column;
    }
  return NULL;
}

static gboolean
refuse (const SltWords *words, GError **error)
{
  g_set_error (error, KVSQL_ERROR, KVSQL_ERROR_UNSUPPORTED, "the runner cannot translate: %s",
               words->sql);
  return FALSE;
}

/* ---- CREATE TABLE */

static gboolean
find_type (const SltWords *words, guint at, KvsqlType *out)
{
  static const struct
  {
    const gchar *name;
    KvsqlType type;
  } types[] = { { "INTEGER", KVSQL_TYPE_INT },    { "INT", KVSQL_TYPE_INT },
                { "FLOAT", KVSQL_TYPE_DOUBLE },   { "REAL", KVSQL_TYPE_DOUBLE },
                { "DOUBLE", KVSQL_TYPE_DOUBLE },  { "TEXT", KVSQL_TYPE_STRING },
                { "VARCHAR", KVSQL_TYPE_STRING }, { "CHAR", KVSQL_TYPE_STRING } };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (slt_words_is (words, at, types[i].name))
      {
        *out = types[i].type;
        return TRUE;
      }
  return FALSE;
}

static void
add_column (SltTable *self, gchar *name, KvsqlType type)
{
  SltColumn *column = g_new0 (SltColumn, 1);

  column->name = name;
  column->type = type;
  g_ptr_array_add (self->columns, column);
}

/* PRIMARY KEY (a, b) */
static gboolean
read_key (SltTable *self, const SltWords *words, guint from, guint to)
{
  for (guint i = from; i < to; i++)
    if (slt_words_is_name (words, i))
      {
        g_autofree gchar *name = slt_words_dup (words, i);
        SltColumn *column = (SltColumn *)slt_table_find (self, name);
        if (column == NULL)
          return FALSE;
        column->is_key = TRUE;
      }
  return TRUE;
}

/* A part between commas: a column or a constraint. */
static gboolean
read_part (SltTable *self, const SltWords *words, guint from, guint to)
{
  KvsqlType type;
  SltColumn *column;

  if (slt_words_are (words, from, "PRIMARY", "KEY", NULL))
    return read_key (self, words, from + 2, to);
  if (slt_words_is (words, from, "UNIQUE"))
    return TRUE;
  if (!slt_words_is_name (words, from) || !find_type (words, from + 1, &type))
    return FALSE;
  add_column (self, slt_words_dup (words, from), type);
  column = self->columns->pdata[self->columns->len - 1];
  for (guint i = from + 2; i < to; i++)
    column->is_key = column->is_key || slt_words_are (words, i, "PRIMARY", "KEY", NULL);
  return TRUE;
}

static gboolean
read_columns (SltTable *self, const SltWords *words, guint from)
{
  guint start = from;

  for (guint i = from; i < slt_words_count (words); i++)
    {
      const SltWord *word = slt_words_get (words, i);
      gboolean is_end = word->depth == 0 && *word->text == ')';
      if (!is_end && (word->depth != 1 || *word->text != ','))
        continue;
      if (!read_part (self, words, start, i))
        return FALSE;
      start = i + 1;
      if (is_end)
        return TRUE;
    }
  return FALSE;
}

/* A table without PRIMARY KEY gets a slt_row. */
static void
ensure_key (SltTable *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (((SltColumn *)self->columns->pdata[i])->is_key)
      return;
  add_column (self, g_strdup (SLT_ROW), KVSQL_TYPE_BIGINT);
  g_ptr_array_insert (self->columns, 0,
                      g_ptr_array_steal_index (self->columns, self->columns->len - 1));
  ((SltColumn *)self->columns->pdata[0])->is_key = TRUE;
  self->has_row = TRUE;
}

SltTable *
slt_table_parse (const SltWords *words, GError **error)
{
  g_autoptr (SltTable) self = g_new0 (SltTable, 1);

  self->name = slt_words_dup (words, 2);
  self->columns = g_ptr_array_new_with_free_func (column_free);
  self->indexes = g_ptr_array_new_with_free_func ((GDestroyNotify)slt_index_free);
  if (!slt_words_is_name (words, 2) || !slt_words_is (words, 3, "(")
      || !read_columns (self, words, 4))
    {
      refuse (words, error);
      return NULL;
    }
  ensure_key (self);
  return g_steal_pointer (&self);
}

/* ---- CREATE [UNIQUE] INDEX name ON table (column [ASC|DESC], …) */

SltIndex *
slt_index_parse (const SltWords *words, gchar **out_table, GError **error)
{
  guint at = slt_words_is (words, 1, "UNIQUE") ? 3 : 2;
  g_autoptr (SltIndex) self = g_new0 (SltIndex, 1);
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  guint n = slt_words_count (words), i = at + 4;

  self->name = slt_words_dup (words, at);
  self->is_descending = g_new0 (gboolean, n);
  if (!slt_words_is (words, at + 1, "ON") || !slt_words_is (words, at + 3, "("))
    {
      refuse (words, error);
      return NULL;
    }
  for (; i < n && !slt_words_is (words, i, ")"); i++)
    {
      g_ptr_array_add (columns, slt_words_dup (words, i));
      if (slt_words_is (words, i + 1, "ASC") || slt_words_is (words, i + 1, "DESC"))
        self->is_descending[columns->len - 1] = slt_words_is (words, ++i, "DESC");
      if (slt_words_is (words, i + 1, ","))
        i++;
    }
  g_ptr_array_add (columns, NULL);
  self->columns = (gchar **)g_ptr_array_steal (columns, NULL);
  *out_table = slt_words_dup (words, at + 2);
  return g_steal_pointer (&self);
}

gchar *
slt_table_define (const SltTable *self)
{
  GString *sql = g_string_new (NULL);

  g_string_append_printf (sql, "DEFINE RELATION %s {", self->name);
  for (guint i = 0; i < self->columns->len; i++)
    {
      const SltColumn *column = self->columns->pdata[i];
      g_string_append_printf (sql, "%s %s %s%s", i > 0 ? "," : "", column->name,
                              kvsql_type_get_name (column->type), column->is_key ? " KEY" : "");
    }
  g_string_append (sql, " }");
  return g_string_free (sql, FALSE);
}
