/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * progress.c: the progress of filling a schema, stored in the registry.
 *
 * It is an entry of the schema's name, which is changed like a definition: at the epoch that the
 * change was decided on. So it is removed with the schema, and a job whose schema was defined again
 * in the meantime learns of that. The entry is one line of words:
 *
 *     id=… definitions=… walk=primary tuples=12000 since=… noted=… table=6974656d row=2b0001
 *
 * If the primary was cut into parts, there is a word for each part that is not done: the number and
 * the name of its table, its first row, the row after its last one, and the last row that is done:
 *
 *     part=0:6974656d:2b00:2b80:2b0001 part=0:6974656d:2b80::
 *
 * A daemon that does not know such words begins at the start, which does no harm.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "daemon/backfill/backfill-private.h"

/* ---- text */

static void
print_part (const KvsqldPartProgress *self, GString *out)
{
  g_autofree gchar *table = kvsql_hex (self->rows.name), *start = kvsql_hex (self->rows.rows.start);
  g_autofree gchar *stop = kvsql_hex (self->rows.rows.stop);
  g_autofree gchar *row = self->position.has_row ? kvsql_hex (self->position.row) : g_strdup ("");

  g_string_append_printf (out, " part=%u:%s:%s:%s:%s", self->rows.table, table, start, stop, row);
}

gchar *
kvsqld_backfill_progress_print (const KvsqldBackfillProgress *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text,
                          "id=%s definitions=%s walk=%s tuples=%" G_GUINT64_FORMAT
                          " since=%" G_GINT64_FORMAT " noted=%" G_GINT64_FORMAT,
                          self->id, self->definitions, self->is_sweeping ? "schema" : "primary",
                          self->n_tuples, self->since_ms, self->noted_ms);
  if (self->position.has_row)
    {
      g_autofree gchar *table = kvsql_hex (self->position.table);
      g_autofree gchar *row = kvsql_hex (self->position.row);
      g_string_append_printf (text, " table=%s row=%s", table, row);
    }
  for (guint i = 0; i < self->n_parts; i++)
    print_part (&self->parts[i], text);
  return g_string_free (text, FALSE);
}

/* The value of a word; NULL: there is no such word. */
static const gchar *
find_word (gchar **words, const gchar *name)
{
  gsize n = strlen (name);

  for (guint i = 0; words[i] != NULL; i++)
    if (strncmp (words[i], name, n) == 0 && words[i][n] == '=')
      return words[i] + n + 1;
  return NULL;
}

static gboolean
parse_number (gchar **words, const gchar *name, gint64 *out)
{
  const gchar *word = find_word (words, name);

  return word != NULL && g_ascii_string_to_signed (word, 10, 0, G_MAXINT64, out, NULL);
}

static gboolean
parse_word (gchar **words, const gchar *name, gchar *out, gsize size)
{
  const gchar *word = find_word (words, name);

  return word != NULL && g_strlcpy (out, word, size) < size;
}

/* @word: nullable */
static gboolean
parse_hex (const gchar *word, KvsqlArena *arena, KvsqlSlice *out)
{
  gsize size = word == NULL ? 0 : strlen (word) / 2;
  guint8 *bytes;

  if (word == NULL || strlen (word) % 2 != 0)
    return FALSE;
  bytes = kvsql_arena_array (arena, guint8, size + 1);
  for (gsize i = 0; i < 2 * size; i++)
    {
      if (!g_ascii_isxdigit (word[i]))
        return FALSE;
      bytes[i / 2] = (guint8)(bytes[i / 2] << 4 | g_ascii_xdigit_value (word[i]));
    }
  *out = kvsql_slice (bytes, size);
  return TRUE;
}

static gboolean
parse_bytes (gchar **words, const gchar *name, KvsqlArena *arena, KvsqlSlice *out)
{
  return parse_hex (find_word (words, name), arena, out);
}

static gboolean
parse_part (const gchar *text, KvsqlArena *arena, KvsqldPartProgress *out)
{
  g_auto (GStrv) fields = g_strsplit (text, ":", -1);
  guint64 table;

  *out = (KvsqldPartProgress){ .rows = { .is_part = TRUE } };
  if (g_strv_length (fields) != 5
      || !g_ascii_string_to_unsigned (fields[0], 10, 0, G_MAXUINT32, &table, NULL)
      || !parse_hex (fields[1], arena, &out->rows.name)
      || !parse_hex (fields[2], arena, &out->rows.rows.start)
      || !parse_hex (fields[3], arena, &out->rows.rows.stop)
      || !parse_hex (fields[4], arena, &out->position.row))
    return FALSE;
  out->rows.table = (guint32)table;
  if (out->position.row.size == 0)
    return TRUE;
  out->position.has_row = TRUE;
  out->position.table = out->rows.name;
  out->position.n_done_in_row = G_MAXUINT32;
  return TRUE;
}

static gboolean
parse_parts (gchar **words, KvsqlArena *arena, KvsqldBackfillProgress *out)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_has_prefix (words[i], "part=")
        && !parse_part (words[i] + strlen ("part="), arena,
                        KVSQL_ARENA_ADD (arena, out->parts, out->n_parts)))
      return FALSE;
  return TRUE;
}

gboolean
kvsqld_backfill_progress_parse (const gchar *text, KvsqlArena *arena, KvsqldBackfillProgress *out)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  const gchar *walk = find_word (words, "walk");
  gint64 n_tuples;

  *out = (KvsqldBackfillProgress){ 0 };
  if (!parse_word (words, "id", out->id, sizeof out->id)
      || !parse_word (words, "definitions", out->definitions, sizeof out->definitions)
      || !parse_number (words, "tuples", &n_tuples)
      || !parse_number (words, "since", &out->since_ms)
      || !parse_number (words, "noted", &out->noted_ms) || walk == NULL
      || !parse_parts (words, arena, out))
    return FALSE;
  out->n_tuples = (guint64)n_tuples;
  out->is_sweeping = strcmp (walk, "schema") == 0;
  if (find_word (words, "row") == NULL)
    return TRUE;
  out->position.has_row = TRUE;
  out->position.n_done_in_row = G_MAXUINT32;
  return parse_bytes (words, "table", arena, &out->position.table)
         && parse_bytes (words, "row", arena, &out->position.row);
}

KvsqldBackfillProgress *
kvsqld_backfill_progress_dup (const KvsqldBackfillProgress *self, KvsqlArena *arena)
{
  KvsqldBackfillProgress *copy = kvsql_arena_array (arena, KvsqldBackfillProgress, 1);

  *copy = *self;
  copy->position = kvsql_scan_position_dup (&self->position, arena);
  copy->parts = kvsql_arena_array (arena, KvsqldPartProgress, self->n_parts);
  for (guint i = 0; i < self->n_parts; i++)
    copy->parts[i] = kvsqld_part_progress_dup (&self->parts[i], arena);
  return copy;
}

/* ---- the progress of a schema */

static gboolean
set_conflict (const gchar *schema, GError **error)
{
  return kvsql_error_set (
      error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE,
      "schema \"%s\" was defined again, or filled by another daemon, in the meantime", schema);
}

static gboolean
is_being_filled (const KvsqlSchema *schema)
{
  return schema->options.state == KVSQL_STATE_BUILDING
         || schema->options.state == KVSQL_STATE_REBUILDING;
}

/* FALSE: there is none. */
static gboolean
look_up (const KvsqlCatalog *catalog, const gchar *schema, KvsqlArena *arena,
         KvsqldBackfillProgress *out)
{
  const gchar *text = g_hash_table_lookup (catalog->notes, schema);

  return text != NULL && kvsqld_backfill_progress_parse (text, arena, out);
}

/* Hashes what decides which tuples there are, their order, and how they are stored. */
static void
hash_definitions (const KvsqlCatalogEntry *entry, const KvsqlSchema *schema,
                  KvsqldBackfillProgress *out)
{
  const gchar *texts[] = { entry->relation->text, entry->schemas[0]->text, schema->text };
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_checksum_update (checksum, (const guchar *)texts[i], (gssize)strlen (texts[i]) + 1);
  g_strlcpy (out->definitions, g_checksum_get_string (checksum), sizeof out->definitions);
}

static gint64
now_ms (void)
{
  return g_get_real_time () / 1000;
}

static gboolean
commit (KvsqldDefinitions *definitions, const KvsqlCatalog *catalog, const gchar *schema,
        const KvsqldBackfillProgress *self, const KvsqlCall *call, GError **error)
{
  g_autofree gchar *text = kvsqld_backfill_progress_print (self);
  KvsqlDefinitionChange change
      = { .kind = KVSQL_DEFINITION_BACKFILL, .name = schema, .text = text };

  return kvsqld_definitions_commit (definitions, catalog, &change, 1, NULL, call, error);
}

gboolean
kvsqld_backfill_progress_open (KvsqldDefinitions *definitions, const gchar *name,
                               const KvsqlCall *call, KvsqlArena *arena,
                               KvsqldBackfillProgress *out, GError **error)
{
  for (;;)
    {
      g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions);
      KvsqldBackfillProgress fresh = { .since_ms = now_ms () };
      g_autofree gchar *id = g_uuid_string_random ();
      g_autoptr (GError) local = NULL;
      const KvsqlCatalogEntry *entry;
      const KvsqlSchema *schema = kvsqld_backfill_find (catalog, name, &entry, error);

      if (schema == NULL || (!is_being_filled (schema) && !set_conflict (name, error)))
        return FALSE;
      hash_definitions (entry, schema, &fresh);
      if (look_up (catalog, name, arena, out) && strcmp (out->definitions, fresh.definitions) == 0)
        return TRUE;
      g_strlcpy (fresh.id, id, sizeof fresh.id);
      fresh.noted_ms = fresh.since_ms;
      if (!kvsql_call_check (call, error))
        return FALSE;
      if (!commit (definitions, catalog, name, &fresh, call, &local)
          && !g_error_matches (local, KVSQL_ERROR, KVSQL_ERROR_CONFLICT))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
    }
}

gboolean
kvsqld_backfill_progress_note (KvsqldDefinitions *definitions, const gchar *schema,
                               const KvsqldBackfillProgress *self, const KvsqlCall *call,
                               GError **error)
{
  KvsqldBackfillProgress mine = *self, known;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  mine.noted_ms = now_ms ();
  for (;;)
    {
      g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions);
      g_autoptr (GError) local = NULL;

      if (!kvsqld_backfill_progress_check (self, catalog, schema, error)
          || !kvsql_call_check (call, error))
        return FALSE;
      if (look_up (catalog, schema, arena, &known)
          && (known.is_sweeping > mine.is_sweeping
              || (known.is_sweeping == mine.is_sweeping && known.n_tuples > mine.n_tuples)))
        return TRUE;
      if (commit (definitions, catalog, schema, &mine, call, &local))
        return TRUE;
      if (!g_error_matches (local, KVSQL_ERROR, KVSQL_ERROR_CONFLICT))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
    }
}

gboolean
kvsqld_backfill_progress_check (const KvsqldBackfillProgress *self, const KvsqlCatalog *catalog,
                                const gchar *name, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldBackfillProgress known;
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema = kvsqld_backfill_find (catalog, name, &entry, error);

  if (schema == NULL)
    return FALSE;
  return (is_being_filled (schema) && look_up (catalog, name, arena, &known)
          && strcmp (known.id, self->id) == 0)
         || set_conflict (schema->name, error);
}

gboolean
kvsqld_backfill_get_noted (const KvsqlCatalog *catalog, const gchar *schema, guint64 *out_n_tuples,
                           gint64 *out_noted_ms)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldBackfillProgress known;

  if (!look_up (catalog, schema, arena, &known))
    return FALSE;
  *out_n_tuples = known.n_tuples;
  *out_noted_ms = known.noted_ms;
  return TRUE;
}
