/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definitions-file.c: prints and parses the local registry's file.
 *
 *     kvsql-definitions 1
 *     epoch 42
 *     writes 1
 *     relation user 7
 *     <TAB>first line of the text
 *     <TAB>second line
 *     end 1
 *
 * Words at the start of a line belong to the format. Everything after a tab is the entry's text, so
 * a text needs no escaping and no length. Without "end" the file was cut short. The third line is
 * the write protocol; it is missing if no daemons share a store.
 */
#include "config.h"

#include "daemon/registry/definitions-file.h"

#include <string.h>

#include "daemon/registry/history.h"
#include "daemon/registry/registry-private.h"

#define FIRST_LINE "kvsql-definitions 1"

static void
print_entry (GString *text, const KvsqldEntry *entry)
{
  g_autofree gchar *name = _kvsqld_registry_escape (entry->name);

  g_string_append_printf (text, "%s %s %" G_GINT64_FORMAT "\n",
                          _kvsqld_entry_kind_name (entry->kind), name, entry->version);
  _kvsqld_block_print (text, entry->text);
}

GString *
_kvsqld_definitions_print (const KvsqldSnapshot *snapshot)
{
  GString *text = g_string_new (FIRST_LINE "\n");

  g_string_append_printf (text, "epoch %" G_GINT64_FORMAT "\n", snapshot->epoch);
  if (snapshot->protocol.number != 0)
    {
      g_autofree gchar *protocol = _kvsqld_write_protocol_print (&snapshot->protocol);

      g_string_append_printf (text, "%s\n", protocol);
    }
  for (guint i = 0; i < snapshot->n_entries; i++)
    print_entry (text, &snapshot->entries[i]);
  g_string_append_printf (text, "end %u\n", snapshot->n_entries);
  return text;
}

typedef struct
{
  const gchar *path;
  gchar **lines;
  guint line; /* the next one, from 0 */
  GArray *entries;
  GHashTable *names; /* "kind name", to find duplicates */
  gint64 epoch;
  KvsqldWriteProtocol protocol;
} Parser;

static void
entry_clear (gpointer data)
{
  KvsqldEntry *entry = data;

  g_free (entry->name);
  g_free (entry->text);
}

static void
parser_clear (Parser *self)
{
  g_strfreev (self->lines);
  g_array_unref (self->entries);
  g_hash_table_unref (self->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parser, parser_clear)

static gboolean
damaged (const Parser *self, const gchar *reason, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "definitions file \"%s\" is damaged at line %u: %s", self->path, self->line + 1,
                   reason);
  return kvsql_error_hint (error, "Correct that line, or bring the file back from a backup.");
}

static gboolean
parse_number (const gchar *word, gint64 *out_number)
{
  return word != NULL && g_ascii_string_to_signed (word, 10, 0, G_MAXINT64, out_number, NULL);
}

/* The lines after tabs; at least one. */
static gchar *
parse_text (Parser *self, GError **error)
{
  gchar **line = self->lines + self->line;
  gchar *text = _kvsqld_block_parse (&line);

  self->line = (guint)(line - self->lines);
  if (text == NULL)
    damaged (self, "the text of a definition is missing", error);
  return text;
}

static gboolean
parse_entry (Parser *self, KvsqlDefinitionKind kind, gchar **words, GError **error)
{
  KvsqldEntry entry = { .kind = kind };
  g_autofree gchar *name = NULL;
  g_autofree gchar *text = NULL;

  if (g_strv_length (words) != 3 || !parse_number (words[2], &entry.version))
    return damaged (self, "expected a name and a version", error);
  name = _kvsqld_registry_unescape (words[1]);
  if (name == NULL)
    return damaged (self, "that is no escaped name", error);
  if (!g_hash_table_add (self->names, g_strdup_printf ("%d %s", kind, name)))
    return damaged (self, "that name occurs twice", error);
  self->line++;
  text = parse_text (self, error);
  if (text == NULL)
    return FALSE;

  entry.name = g_steal_pointer (&name);
  entry.text = g_steal_pointer (&text);
  g_array_append_val (self->entries, entry);
  return TRUE;
}

static gboolean
parse_end (Parser *self, gchar **words, GError **error)
{
  gint64 n_entries;

  if (g_strv_length (words) != 2 || !parse_number (words[1], &n_entries)
      || n_entries != self->entries->len)
    return damaged (self, "the number of definitions is another", error);
  self->line++;
  for (; self->lines[self->line] != NULL; self->line++)
    if (self->lines[self->line][0] != '\0')
      return damaged (self, "there are bytes after the end", error);
  return TRUE;
}

static gboolean
parse_head (Parser *self, GError **error)
{
  g_auto (GStrv) words = NULL;

  if (g_strcmp0 (self->lines[0], FIRST_LINE) != 0)
    return damaged (self, "expected \"" FIRST_LINE "\"", error);
  self->line = 1;
  words = g_strsplit (self->lines[1] != NULL ? self->lines[1] : "", " ", 3);
  if (g_strv_length (words) != 2 || strcmp (words[0], "epoch") != 0
      || !parse_number (words[1], &self->epoch))
    return damaged (self, "expected \"epoch\" and a number", error);
  self->line = 2;
  if (self->lines[2] != NULL && _kvsqld_write_protocol_parse (self->lines[2], &self->protocol))
    self->line = 3;
  return TRUE;
}

/* KVSQL_N_DEFINITION_KINDS: none. */
static guint
find_kind (const gchar *word)
{
  guint kind = 0;

  while (kind < KVSQL_N_DEFINITION_KINDS && g_strcmp0 (word, _kvsqld_entry_kind_name (kind)) != 0)
    kind++;
  return kind;
}

/* Entries up to the end line. */
static gboolean
parse_body (Parser *self, GError **error)
{
  while (self->lines[self->line] != NULL)
    {
      g_auto (GStrv) words = g_strsplit (self->lines[self->line], " ", 4);
      guint kind = find_kind (words[0]);

      if (g_strcmp0 (words[0], "end") == 0)
        return parse_end (self, words, error);
      if (kind < KVSQL_N_DEFINITION_KINDS)
        {
          if (!parse_entry (self, kind, words, error))
            return FALSE;
        }
      else if (words[0] == NULL || words[0][0] == '#')
        self->line++;
      else
        return damaged (
            self,
            "expected \"relation\", \"schema\", \"backfill\", \"role\", \"rights\" or \"end\"",
            error);
    }
  return damaged (self, "the end is missing", error);
}

KvsqldSnapshot *
_kvsqld_definitions_parse (const gchar *text, gsize n_bytes, const gchar *path, GError **error)
{
  g_auto (Parser) parser = { .path = path };
  KvsqldSnapshot *snapshot;

  parser.entries = g_array_new (FALSE, FALSE, sizeof (KvsqldEntry));
  g_array_set_clear_func (parser.entries, entry_clear);
  parser.names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (memchr (text, '\0', n_bytes) != NULL || !g_utf8_validate (text, n_bytes, NULL))
    {
      parser.lines = g_new0 (gchar *, 1);
      damaged (&parser, "the file is not UTF-8 text", error);
      return NULL;
    }
  /* g_strsplit() calls strstr() for each line, which with AddressSanitizer reads all of the rest */
  parser.lines = g_strsplit_set (text, "\n", -1);
  if (!parse_head (&parser, error) || !parse_body (&parser, error))
    return NULL;

  snapshot = kvsqld_snapshot_new (parser.epoch, 0);
  g_free (snapshot->entries);
  snapshot->protocol = parser.protocol;
  snapshot->n_entries = parser.entries->len;
  g_array_set_clear_func (parser.entries, NULL);
  snapshot->entries = (KvsqldEntry *)g_array_steal (parser.entries, NULL);
  return snapshot;
}
