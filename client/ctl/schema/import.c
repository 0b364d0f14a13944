/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * import.c: kvsqlctl schema import: makes the definitions of a file, all of them or none.
 *
 * The whole file is checked first: texts that are not definitions, syntax errors, names that exist
 * already with the same or another definition. If kvsqld rejects a definition nevertheless, those
 * that were made before it are dropped again.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/names.h"
#include "client/ctl/report.h"
#include "client/ctl/schema/verbs.h"
#include "client/ctl/split.h"

#define MAX_BYTES (64 * 1024 * 1024)

typedef struct
{
  KvsqlctlSource source;
  gchar *text;
  guint rank;  /* relations, then primary schemas, then others: each needs the ones before it */
  gchar *key;  /* "RELATION name" or "SCHEMA name", normalized */
  gchar *name; /* as in the file, for DROP */
  gboolean is_there;
} Definition;

static void
definition_free (gpointer data)
{
  Definition *self = data;

  g_free (self->text);
  g_free (self->key);
  g_free (self->name);
  g_free (self);
}

/* ---- the head of a definition */

static const gchar *
skip_blanks (const gchar *p)
{
  for (;;)
    {
      const gchar *end;

      p += strspn (p, " \t\r\n\v\f");
      if (g_str_has_prefix (p, "--"))
        p += strcspn (p, "\n");
      else if (g_str_has_prefix (p, "/*") && (end = strstr (p + 2, "*/")) != NULL)
        p = end + 2;
      else
        return p;
    }
}

/* Consumes the word if it is the next one. */
static gboolean
take (const gchar **p, const gchar *word)
{
  gsize size = strlen (word);
  const gchar *at = skip_blanks (*p);

  if (g_ascii_strncasecmp (at, word, size) != 0 || g_ascii_isalnum (at[size]) || at[size] == '_')
    return FALSE;
  *p = at + size;
  return TRUE;
}

/* Consumes a name and returns it unchanged. */
static gchar *
take_name (const gchar **p)
{
  const gchar *begin = skip_blanks (*p), *end = begin;

  if (*begin == '`')
    {
      for (end = strchr (begin + 1, '`'); end != NULL && end[1] == '`';)
        end = strchr (end + 2, '`');
      end = end != NULL ? end + 1 : begin;
    }
  else
    while (g_ascii_isalnum (*end) || *end == '_')
      end++;
  *p = end;
  return end > begin ? g_strndup (begin, (gsize)(end - begin)) : NULL;
}

/* Names with the same meaning get the same key: case is significant in back-quotes only, and a
 * quoted name in lower case equals the unquoted name. */
static gchar *
key_of (const gchar *kind, const gchar *name)
{
  g_autofree gchar *plain = NULL;

  if (*name != '`')
    plain = g_ascii_strdown (name, -1);
  else
    {
      g_auto (GStrv) parts = NULL;
      g_autofree gchar *inner = g_strndup (name + 1, strlen (name) - 2);

      parts = g_strsplit (inner, "``", -1);
      plain = g_strjoinv ("`", parts);
    }
  return g_strdup_printf ("%s %s", kind, plain);
}

/* FALSE: the text is not a definition. */
static gboolean
read_head (Definition *self)
{
  const gchar *p = self->text;
  gboolean is_primary, is_schema;

  if (!take (&p, "DEFINE"))
    return FALSE;
  is_primary = take (&p, "PRIMARY");
  is_schema = take (&p, "SCHEMA");
  if (!is_schema && (is_primary || !take (&p, "RELATION")))
    return FALSE;
  if (take (&p, "IF"))
    take (&p, "NOT"), take (&p, "EXISTS");
  self->rank = is_primary ? 1 : is_schema ? 2 : 0;
  self->name = take_name (&p);
  self->key = self->name != NULL ? key_of (is_schema ? "SCHEMA" : "RELATION", self->name) : NULL;
  return self->name != NULL;
}

/* Collapses blanks outside of quotes; texts that differ otherwise are different definitions. */
static gchar *
normalize (const gchar *text)
{
  GString *out = g_string_new (NULL);
  gchar quote = '\0';

  for (const gchar *p = skip_blanks (text); *p != '\0'; p++)
    {
      if (quote == '\0'
          && (g_ascii_isspace (*p) || g_str_has_prefix (p, "--") || g_str_has_prefix (p, "/*")))
        {
          p = skip_blanks (p) - 1;
          if (p[1] != '\0')
            g_string_append_c (out, ' ');
          continue;
        }
      if (quote != '\0' ? *p == quote : strchr ("'\"`", *p) != NULL)
        quote = quote != '\0' ? '\0' : *p;
      g_string_append_c (out, *p);
    }
  if (g_str_has_suffix (out->str, ";"))
    g_string_truncate (out, out->len - 1);
  return g_string_free (out, FALSE);
}

/* ---- the file */

static KvsqlctlStatus
fail (const Definition *self, const gchar *what)
{
  return kvsqlctl_fail ("%s:%u: %s; nothing was done", self->source.file, self->source.line, what);
}

static gint
compare_ranks (gconstpointer a, gconstpointer b)
{
  const Definition *left = *(Definition *const *)a, *right = *(Definition *const *)b;

  return left->rank != right->rank ? (left->rank < right->rank ? -1 : 1)
         : left->source.line != right->source.line
             ? (left->source.line < right->source.line ? -1 : 1)
             : 0;
}

static KvsqlctlStatus
read_definitions (const gchar *file, const gchar *text, gsize size, GPtrArray *definitions)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  KvsqlctlPiece piece = { 0 };

  while (kvsqlctl_split (text, size, piece.next, &piece))
    {
      Definition *self = g_new0 (Definition, 1);

      g_ptr_array_add (definitions, self);
      self->text = g_strndup (text + piece.start, piece.end - piece.start);
      self->source = (KvsqlctlSource){ .text = self->text,
                                       .size = piece.end - piece.start,
                                       .file = file,
                                       .line = 1 + kvsqlctl_count_lines (text, piece.start) };
      if (!read_head (self))
        return fail (self, "that is neither DEFINE RELATION nor DEFINE SCHEMA");
      if (!g_hash_table_add (seen, self->key))
        return fail (self, "that is defined twice in the file");
    }
  if (piece.is_in_text)
    return kvsqlctl_fail ("%s: a comment or a text has no end; nothing was done", file);
  g_ptr_array_sort (definitions, compare_ranks);
  return KVSQLCTL_DONE;
}

/* ---- existing definitions */

/* Key -> text of all relations and schemas in kvsqld. */
static GHashTable *
query_known (Kvsqlctl *ctl, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) relations = kvsqlctl_query_names (ctl, "SHOW RELATIONS", error);

  for (guint i = 0; relations != NULL && relations[i] != NULL; i++)
    {
      g_auto (GStrv) texts = kvsqlctl_query_definitions (ctl, relations[i], error);

      if (texts == NULL)
        return NULL;
      for (guint j = 0; texts[j] != NULL; j++)
        {
          Definition head = { .text = texts[j] };

          if (read_head (&head))
            g_hash_table_insert (known, g_steal_pointer (&head.key), normalize (texts[j]));
          g_free (head.name);
        }
    }
  return relations != NULL ? g_steal_pointer (&known) : NULL;
}

static void
report_different (Kvsqlctl *ctl, const Definition *self, gboolean is_kept)
{
  g_autofree gchar *text = g_strdup_printf ("%s:%u: %s exists already and is different",
                                            self->source.file, self->source.line, self->key);

  if (is_kept)
    kvsqlctl_report_warnings (ctl, (const gchar *const[]){ text, NULL });
  else
    kvsqlctl_fail ("%s", text);
}

/* Marks the definitions that exist already. FALSE: some are different, and not kept. */
static gboolean
compare_known (Kvsqlctl *ctl, const GPtrArray *definitions, GHashTable *known, gboolean is_kept)
{
  gboolean is_ok = TRUE;

  for (guint i = 0; i < definitions->len; i++)
    {
      Definition *self = definitions->pdata[i];
      const gchar *text = g_hash_table_lookup (known, self->key);
      g_autofree gchar *own = normalize (self->text);

      self->is_there = text != NULL;
      if (text != NULL && strcmp (text, own) != 0)
        {
          report_different (ctl, self, is_kept);
          is_ok = is_kept;
        }
    }
  return is_ok;
}

/* ---- the change */

static gboolean
run_statement (Kvsqlctl *ctl, const gchar *sql, GError **error)
{
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, error);

  if (result == NULL)
    return FALSE;
  kvsqlctl_report_warnings (ctl, kvsql_result_get_warnings (result));
  return TRUE;
}

/* Drops the first @n definitions, the last one first, except those that existed before. */
static void
drop_definitions (Kvsqlctl *ctl, const GPtrArray *definitions, guint n)
{
  guint n_dropped = 0;

  for (guint i = n; i > 0; i--)
    {
      const Definition *self = definitions->pdata[i - 1];
      g_autofree gchar *sql = g_strdup_printf ("DROP %s IF EXISTS %s",
                                               self->rank == 0 ? "RELATION" : "SCHEMA", self->name);
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResult) result = NULL;

      if (self->is_there)
        continue;
      result = kvsql_connection_query (ctl->connection, sql, NULL, NULL, &error);
      if (result == NULL)
        {
          kvsqlctl_fail ("%s stays defined: %s", self->key, error->message);
          return;
        }
      n_dropped++;
    }
  kvsqlctl_fail ("nothing was imported; %u definitions that were made were dropped again",
                 n_dropped);
}

/* Preparing a statement only parses it. */
static KvsqlctlStatus
check_syntax (Kvsqlctl *ctl, const GPtrArray *definitions)
{
  for (guint i = 0; i < definitions->len; i++)
    {
      const Definition *self = definitions->pdata[i];
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlStatement) statement
          = kvsql_connection_prepare (ctl->connection, self->text, ctl->cancellable, &error);

      if (statement == NULL)
        return kvsqlctl_report (ctl, error, &self->source);
    }
  return KVSQLCTL_DONE;
}

static KvsqlctlStatus
define_all (Kvsqlctl *ctl, const GPtrArray *definitions, gboolean is_dry)
{
  for (guint i = 0; i < definitions->len; i++)
    {
      const Definition *self = definitions->pdata[i];
      g_autoptr (GError) error = NULL;

      if (!self->is_there && !is_dry && !run_statement (ctl, self->text, &error))
        {
          KvsqlctlStatus status = kvsqlctl_report (ctl, error, &self->source);

          drop_definitions (ctl, definitions, i);
          return status;
        }
      printf ("%s: %s\n", self->key,
              self->is_there ? "exists already"
              : is_dry       ? "would be defined"
                             : "defined");
    }
  return KVSQLCTL_DONE;
}

static KvsqlctlStatus
import_definitions (Kvsqlctl *ctl, const GPtrArray *definitions,
                    const KvsqlctlSchemaImport *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) known = NULL;
  KvsqlctlStatus status = check_syntax (ctl, definitions);

  if (status != KVSQLCTL_DONE)
    return status;
  known = query_known (ctl, &error);
  if (known == NULL)
    return kvsqlctl_report (ctl, error, NULL);
  if (!compare_known (ctl, definitions, known, options->keep_different))
    return kvsqlctl_fail ("nothing was done; --keep-different imports the others");
  return define_all (ctl, definitions, options->dry_run);
}

KvsqlctlStatus
kvsqlctl_schema_import (Kvsqlctl *ctl, const gchar *file, const KvsqlctlSchemaImport *options)
{
  g_autoptr (GPtrArray) definitions = g_ptr_array_new_with_free_func (definition_free);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  gsize size;
  KvsqlctlStatus status;

  if (!g_file_get_contents (strcmp (file, "-") == 0 ? "/dev/stdin" : file, &text, &size, &error))
    return kvsqlctl_fail ("%s", error->message);
  if (size > MAX_BYTES || strlen (text) != size)
    return kvsqlctl_fail ("\"%s\" is not a text of definitions", file);
  status = read_definitions (strcmp (file, "-") == 0 ? "stdin" : file, text, size, definitions);
  return status == KVSQLCTL_DONE ? import_definitions (ctl, definitions, options) : status;
}
