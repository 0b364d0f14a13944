/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history.c: see history.h.
 */
#include "config.h"

#include "daemon/registry/history.h"

#include <string.h>

#include "daemon/registry/registry-private.h"

/* ---- blocks of lines ---- */

void
_kvsqld_block_print (GString *out, const gchar *text)
{
  g_string_append_c (out, '\t');
  for (const gchar *p = text; *p != '\0'; p++)
    {
      g_string_append_c (out, *p);
      if (*p == '\n')
        g_string_append_c (out, '\t');
    }
  g_string_append_c (out, '\n');
}

gchar *
_kvsqld_block_parse (gchar ***line)
{
  g_autoptr (GString) text = NULL;

  for (; **line != NULL && (**line)[0] == '\t'; (*line)++)
    {
      if (text == NULL)
        text = g_string_new (NULL);
      else
        g_string_append_c (text, '\n');
      g_string_append (text, **line + 1);
    }
  return text != NULL ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* ---- one record ---- */

gboolean
_kvsqld_history_wants (KvsqlDefinitionKind kind)
{
  return kind == KVSQL_DEFINITION_RELATION || kind == KVSQL_DEFINITION_SCHEMA
         || kind == KVSQL_DEFINITION_ROLE || kind == KVSQL_DEFINITION_VIEW
         || kind == KVSQL_DEFINITION_RIGHTS || kind == KVSQL_DEFINITION_SEQUENCE_RIGHTS;
}

/* A word of the first lines, which goes to the end of its line. */
static gchar *
one_line (const gchar *text)
{
  return g_strdelimit (g_strdup (text), "\r\n", ' ');
}

static gchar *
cut_statement (const gchar *text)
{
  const gchar *end;

  if (strlen (text) <= KVSQLD_STATEMENT_MAX_BYTES)
    return g_strdup (text);
  end = g_utf8_find_prev_char (text, text + KVSQLD_STATEMENT_MAX_BYTES - strlen ("…") + 1);
  return g_strdup_printf ("%.*s…", (gint)(end - text), text);
}

KvsqlDefinitionRecord *
_kvsqld_record_new (const KvsqlDefinitionChange *change, const KvsqldAuthor *author, gint64 epoch)
{
  KvsqlDefinitionRecord *self = g_new0 (KvsqlDefinitionRecord, 1);

  self->kind = change->kind;
  self->name = g_strdup (change->name);
  self->epoch = epoch;
  self->at_ms = author->at_ms;
  self->by = one_line (author->by);
  self->daemon = one_line (author->daemon);
  self->statement = cut_statement (author->statement);
  self->text = g_strdup (change->history_text != NULL ? change->history_text : change->text);
  return self;
}

KvsqlDefinitionRecord *
_kvsqld_record_new_first (KvsqlDefinitionKind kind, const gchar *name, const gchar *text,
                          gint64 epoch)
{
  const KvsqldAuthor unknown = { .by = "", .daemon = "", .statement = "" };
  const KvsqlDefinitionChange change = { .kind = kind, .name = name, .text = text };

  return _kvsqld_record_new (&change, &unknown, epoch);
}

gsize
_kvsqld_record_frame_bytes (const KvsqldAuthor *author)
{
  return 64 + strlen (author->by) + strlen (author->daemon)
         + 2 * MIN (strlen (author->statement), KVSQLD_STATEMENT_MAX_BYTES);
}

gchar *
_kvsqld_record_print (const KvsqlDefinitionRecord *self)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "at %" G_GINT64_FORMAT "\nby %s\ndaemon %s\nstatement\n",
                          self->at_ms, self->by, self->daemon);
  _kvsqld_block_print (out, self->statement);
  if (self->text != NULL)
    {
      g_string_append (out, "text\n");
      _kvsqld_block_print (out, self->text);
    }
  return g_string_free (out, FALSE);
}

/* The rest of the line after @word, if the line begins with it; then moves to the next line. */
static const gchar *
take (gchar ***line, const gchar *word)
{
  const gchar *text = **line;

  if (text == NULL || !g_str_has_prefix (text, word))
    return NULL;
  (*line)++;
  return text + strlen (word);
}

gboolean
_kvsqld_record_parse (KvsqlDefinitionRecord *self, const gchar *text)
{
  g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
  gchar **line = lines;
  const gchar *at = take (&line, "at "), *by = take (&line, "by "),
              *daemon = take (&line, "daemon ");

  if (at == NULL || by == NULL || daemon == NULL
      || !g_ascii_string_to_signed (at, 10, 0, G_MAXINT64, &self->at_ms, NULL)
      || take (&line, "statement") == NULL)
    return FALSE;
  self->by = g_strdup (by);
  self->daemon = g_strdup (daemon);
  self->statement = _kvsqld_block_parse (&line);
  if (self->statement != NULL && take (&line, "text") != NULL
      && (self->text = _kvsqld_block_parse (&line)) == NULL)
    return FALSE;
  return self->statement != NULL && *line != NULL && **line == '\0';
}

gint
_kvsqld_record_compare (gconstpointer a, gconstpointer b)
{
  const KvsqlDefinitionRecord *left = *(const KvsqlDefinitionRecord *const *)a;
  const KvsqlDefinitionRecord *right = *(const KvsqlDefinitionRecord *const *)b;

  if (left->epoch != right->epoch)
    return left->epoch < right->epoch ? -1 : 1;
  if (left->kind != right->kind)
    return left->kind < right->kind ? -1 : 1;
  return strcmp (left->name, right->name);
}

/* ---- limits ---- */

static gchar *
key_of (const KvsqlDefinitionRecord *record)
{
  return g_strdup_printf ("%d %s", record->kind, record->name);
}

GPtrArray *
_kvsqld_history_find_surplus (const GPtrArray *records)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *surplus = g_ptr_array_new ();
  guint n_kept = 0;

  for (guint i = records->len; i > 0; i--)
    {
      KvsqlDefinitionRecord *record = records->pdata[i - 1];
      gchar *key = key_of (record);
      guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key));

      g_hash_table_replace (counts, key, GUINT_TO_POINTER (n + 1));
      if (n >= KVSQL_HISTORY_PER_NAME || n_kept >= KVSQL_HISTORY_TOTAL)
        g_ptr_array_add (surplus, record);
      else
        n_kept++;
    }
  return surplus;
}

gboolean
_kvsqld_history_has (const GPtrArray *records, KvsqlDefinitionKind kind, const gchar *name)
{
  for (guint i = 0; i < records->len; i++)
    {
      const KvsqlDefinitionRecord *record = records->pdata[i];

      if (record->kind == kind && strcmp (record->name, name) == 0)
        return TRUE;
    }
  return FALSE;
}
