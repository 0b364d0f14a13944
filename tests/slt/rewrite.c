/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rewrite.c: adapts statements of the suite to kvsql: adds a key in every tuple, a schema.
 */
#include "config.h"

#include "tests/slt/table.h"

#include <string.h>

/* A text to insert before a word. */
typedef struct
{
  gsize offset;
  gsize skipped; /* bytes of the statement that it replaces */
  gchar *text;
} Edit;

typedef struct
{
  const SltWords *words;
  SltLookup lookup;
  gpointer data;
  GArray *edits; /* Edit */
} Rewriter;

static void
clear_edit (gpointer data)
{
  g_free (((Edit *)data)->text);
}

/* Replaces @n words, from word @i on, by @text. */
static void
add_edit (Rewriter *self, guint i, guint n, gchar *text)
{
  gsize offset = slt_words_offset (self->words, i);
  const SltWord *last = n == 0 ? NULL : slt_words_get (self->words, i + n - 1);
  Edit edit = { .offset = offset, .text = text };

  if (last != NULL)
    edit.skipped = (gsize)(last->text - self->words->sql) + last->size - offset;
  g_array_append_val (self->edits, edit);
}

static gint
compare_edits (gconstpointer a, gconstpointer b)
{
  gsize x = ((const Edit *)a)->offset, y = ((const Edit *)b)->offset;

  return x < y ? -1 : x > y;
}

static gchar *
apply (const gchar *sql, GArray *edits)
{
  GString *out = g_string_new (NULL);
  gsize at = 0;

  g_array_sort (edits, compare_edits);
  for (guint i = 0; i < edits->len; i++)
    {
      const Edit *edit = &g_array_index (edits, Edit, i);
      g_string_append_len (out, sql + at, (gssize)(edit->offset - at));
      g_string_append (out, edit->text);
      at = edit->offset + edit->skipped;
    }
  g_string_append (out, sql + at);
  return g_string_free (out, FALSE);
}

/* Whether a clause that can follow FROM begins here. */
static gboolean
is_clause (const SltWords *words, guint i)
{
  static const gchar *const clauses[]
      = { "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION", "EXCEPT", ";" };

  for (guint c = 0; c < G_N_ELEMENTS (clauses); c++)
    if (slt_words_is (words, i, clauses[c]))
      return TRUE;
  return i >= slt_words_count (words);
}

/* The FROM of the SELECT at @select; the end if there is none. */
static guint
find_from (const SltWords *words, guint select)
{
  guint n = slt_words_count (words), depth = slt_words_get (words, select)->depth;

  for (guint i = select + 1; i < n; i++)
    {
      const SltWord *word = slt_words_get (words, i);
      if (word->depth < depth)
        return n;
      if (word->depth == depth && slt_words_is (words, i, "FROM"))
        return i;
    }
  return n;
}

/* The first word after the FROM clause at @from, or after a SELECT without FROM. */
static guint
find_end (const SltWords *words, guint from)
{
  guint depth = slt_words_get (words, from)->depth;

  for (guint i = from + 1; i < slt_words_count (words); i++)
    {
      guint here = slt_words_get (words, i)->depth;
      if (here < depth || (here == depth && is_clause (words, i)))
        return i;
    }
  return slt_words_count (words);
}

static SltTable *
table_at (Rewriter *self, guint i)
{
  g_autofree gchar *name = slt_words_dup (self->words, i);

  return self->lookup (self->data, name);
}

/* The word after the relation at @i and its alias. */
static guint
end_of_source (const SltWords *words, guint i)
{
  static const gchar *const joins[] = { "CROSS", "INNER", "JOIN", "LEFT", "NATURAL", "ON" };

  i++;
  if (slt_words_is (words, i, "AS"))
    return i + 2;
  for (guint j = 0; j < G_N_ELEMENTS (joins); j++)
    if (slt_words_is (words, i, joins[j]))
      return i;
  return slt_words_is_name (words, i) && !is_clause (words, i) ? i + 1 : i;
}

/* The next relation of the FROM clause that ends at @end, from word @i on; @end if there is none.
 * Parentheses can be around joins. */
static guint
find_source (const SltWords *words, guint i, guint end)
{
  static const gchar *const before[] = { "FROM", ",", "JOIN" };

  for (; i < end; i++)
    {
      guint last = i - 1;

      while (slt_words_is (words, last, "("))
        last--;
      for (guint b = 0; b < G_N_ELEMENTS (before); b++)
        if (slt_words_is (words, last, before[b]) && !slt_words_is (words, i, "("))
          return i;
    }
  return end;
}

/* The columns of all relations of the FROM clause; NULL if `*` gives the same. */
static gchar *
write_columns (Rewriter *self, guint from)
{
  const SltWords *words = self->words;
  guint end = find_end (words, from);
  gboolean has_row = FALSE;
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = find_source (words, from + 1, end); i < end;
       i = find_source (words, end_of_source (words, i), end))
    {
      const SltTable *table = table_at (self, i);
      g_autofree gchar *alias = slt_words_dup (words, end_of_source (words, i) - 1);

      if (table == NULL)
        return NULL;
      has_row |= table->has_row;
      for (guint c = table->has_row ? 1 : 0; c < table->columns->len; c++)
        g_string_append_printf (out, "%s%s.%s", out->len > 0 ? ", " : "", alias,
                                ((SltColumn *)table->columns->pdata[c])->name);
    }
  return has_row ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}

/* Expands the `*` of tables that have a slt_row. */
static void
rewrite_select (Rewriter *self, guint select)
{
  guint from = find_from (self->words, select), i = select + 1;
  gchar *columns;

  if (from == slt_words_count (self->words))
    return;
  if (slt_words_is (self->words, i, "ALL") || slt_words_is (self->words, i, "DISTINCT"))
    i++;
  if (slt_words_is (self->words, i, "*") && (columns = write_columns (self, from)) != NULL)
    add_edit (self, i, 1, columns);
}

/* INSERT INTO t [(…)] VALUES (…), … with a slt_row as the first value. REPLACE and INSERT OR
 * REPLACE become INSERT. */
static void
rewrite_insert (Rewriter *self)
{
  gboolean replaces = slt_words_is (self->words, 0, "REPLACE");
  guint into = replaces ? 1 : slt_words_are (self->words, 1, "OR", "REPLACE", NULL) ? 3 : 1;
  SltTable *table = table_at (self, into + 1);
  guint i = into + 2, n = slt_words_count (self->words);

  if (into != 1 || replaces)
    add_edit (self, 0, into, g_strdup ("INSERT"));
  if (table == NULL || !table->has_row)
    return;
  if (slt_words_is (self->words, i, "("))
    add_edit (self, i, 1, g_strdup ("(" SLT_ROW ", "));
  for (; i < n && !slt_words_is (self->words, i, "VALUES"); i++)
    ;
  for (; i < n; i++)
    if (slt_words_get (self->words, i)->depth == 0 && slt_words_is (self->words, i, "("))
      add_edit (self, i, 1, g_strdup_printf ("(%" G_GINT64_FORMAT ", ", ++table->last_row));
}

gchar *
slt_rewrite (const gchar *sql, SltLookup lookup, gpointer data)
{
  g_auto (SltWords) words = { 0 };
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (Edit));
  Rewriter self = { .words = &words, .lookup = lookup, .data = data, .edits = edits };

  g_array_set_clear_func (edits, clear_edit);
  slt_words_init (&words, sql);
  if (slt_words_is (&words, 0, "INSERT") || slt_words_is (&words, 0, "REPLACE"))
    rewrite_insert (&self);
  for (guint i = 0; i < slt_words_count (&words); i++)
    if (slt_words_is (&words, i, "SELECT"))
      rewrite_select (&self, i);
  return apply (sql, edits);
}

gchar *
slt_use_schemas (const gchar *sql, SltPick pick, gpointer data)
{
  g_auto (SltWords) words = { 0 };
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (Edit));
  Rewriter self = { .words = &words, .edits = edits };
  guint from, end;

  g_array_set_clear_func (edits, clear_edit);
  slt_words_init (&words, sql);
  from = find_from (&words, 0);
  if (from == slt_words_count (&words))
    return g_strdup (sql);
  end = find_end (&words, from);
  for (guint i = find_source (&words, from + 1, end); i < end;
       i = find_source (&words, end_of_source (&words, i), end))
    {
      g_autofree gchar *name = slt_words_dup (&words, i);
      const gchar *schema = pick (data, name);

      if (schema != NULL)
        add_edit (&self, end_of_source (&words, i), 0,
                  g_strdup_printf (" USING SCHEMA %s ", schema));
    }
  return apply (sql, edits);
}

gchar *
slt_main_table (const gchar *sql)
{
  g_auto (SltWords) words = { 0 };
  guint from;

  slt_words_init (&words, sql);
  if (!slt_words_is (&words, 0, "SELECT"))
    return NULL;
  from = find_from (&words, 0);
  return slt_words_is_name (&words, from + 1) ? slt_words_dup (&words, from + 1) : NULL;
}
