/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * options.c: a table of schema options, one line for each.
 */
#include "config.h"

#include "core/catalog/options.h"

#include "core/sql/options.h"

typedef gboolean (*Reader) (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                            GError **error);

static gboolean
read_create_tables (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                    GError **error)
{
  if (option->value.type != KVSQL_TYPE_BOOLEAN)
    return kvsql_option_fail (option, "true or false", error);
  out->create_tables = option->value.boolean;
  return TRUE;
}

/* One of the words, in any case. *@out is the word in capitals. */
static gboolean
read_known (const KvsqlOption *option, const gchar *const *known, const gchar *wanted,
            const gchar **out, GError **error)
{
  if (option->value.type == KVSQL_TYPE_STRING)
    for (guint i = 0; known[i] != NULL; i++)
      if (option->value.bytes.size == strlen (known[i])
          && g_ascii_strncasecmp ((const gchar *)option->value.bytes.data, known[i],
                                  strlen (known[i]))
                 == 0)
        {
          *out = known[i];
          return TRUE;
        }
  return kvsql_option_fail (option, wanted, error);
}

static gboolean
read_compression (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                  GError **error)
{
  static const gchar *const known[] = { "NONE", "GZ", "SNAPPY", "LZ4", "ZSTD", NULL };

  return read_known (option, known, "NONE, GZ, SNAPPY, LZ4 or ZSTD", &out->compression, error);
}

static gboolean
read_bloom (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  static const gchar *const known[] = { "NONE", "ROW", "ROWCOL", NULL };

  return read_known (option, known, "NONE, ROW or ROWCOL", &out->bloom, error);
}

static gboolean
read_block_encoding (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                     GError **error)
{
  static const gchar *const known[]
      = { "NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1", NULL };

  return read_known (option, known, "NONE, PREFIX, DIFF, FAST_DIFF or ROW_INDEX_V1",
                     &out->block_encoding, error);
}

static gboolean
read_versions (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
               GError **error)
{
  if (option->value.type != KVSQL_TYPE_BIGINT || option->value.integer < 1
      || option->value.integer > G_MAXINT32)
    return kvsql_option_fail (option, "a number of versions", error);
  out->versions = (gint)option->value.integer;
  return TRUE;
}

static gboolean
read_ttl (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  if (option->value.type != KVSQL_TYPE_BIGINT || option->value.integer < 1
      || option->value.integer > G_MAXINT32)
    return kvsql_option_fail (option, "a number of seconds", error);
  out->ttl_seconds = option->value.integer;
  return TRUE;
}

static gboolean
read_marker (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  if ((option->value.type != KVSQL_TYPE_BYTES && option->value.type != KVSQL_TYPE_STRING)
      || option->value.bytes.size == 0)
    return kvsql_option_fail (option, "the bytes of a qualifier, as in x'00'", error);
  out->marker = kvsql_slice_dup (arena, option->value.bytes);
  return TRUE;
}

static gboolean
read_marker_value (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                   GError **error)
{
  if ((option->value.type != KVSQL_TYPE_BYTES && option->value.type != KVSQL_TYPE_STRING)
      || option->value.bytes.size == 0)
    return kvsql_option_fail (option, "the bytes of the marker's value, as in 'x'", error);
  out->marker_value = kvsql_slice_dup (arena, option->value.bytes);
  return TRUE;
}

/* Bytes in the notation of EXPLAIN: two backslashes are one, and \x00 is a byte. FALSE for other
 * escapes. */
static gboolean
read_bytes (const guint8 *text, gsize size, KvsqlArena *arena, KvsqlSlice *out)
{
  guint8 *bytes = kvsql_arena_array (arena, guint8, size);
  gsize n = 0;

  for (gsize i = 0; i < size; i++)
    if (text[i] != '\\')
      bytes[n++] = text[i];
    else if (i + 1 < size && text[i + 1] == '\\')
      bytes[n++] = text[++i];
    else if (i + 3 < size && text[i + 1] == 'x' && g_ascii_isxdigit (text[i + 2])
             && g_ascii_isxdigit (text[i + 3]))
      {
        bytes[n++] = g_ascii_xdigit_value (text[i + 2]) << 4 | g_ascii_xdigit_value (text[i + 3]);
        i += 3;
      }
    else
      return FALSE;
  *out = kvsql_slice (bytes, n);
  return TRUE;
}

/* 'b,m,\xff': the start keys of all regions but the first. */
static gboolean
read_splits (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  KvsqlSlice rest;

  if (option->value.type != KVSQL_TYPE_STRING || option->value.bytes.size == 0)
    return kvsql_option_fail (option, "row keys joined by commas, as in 'g,n,t'", error);
  rest = option->value.bytes;
  out->splits = kvsql_arena_array (arena, KvsqlSlice, rest.size + 1);
  for (;;)
    {
      const guint8 *comma = memchr (rest.data, ',', rest.size);
      gsize size = comma == NULL ? rest.size : (gsize)(comma - rest.data);
      if (size == 0)
        return kvsql_option_fail (option, "row keys that are not empty", error);
      if (!read_bytes (rest.data, size, arena, &out->splits[out->n_splits++]))
        return kvsql_option_fail (option, "a byte as \\x00, and \\\\ for a backslash", error);
      if (comma == NULL)
        return TRUE;
      rest = kvsql_slice (comma + 1, rest.size - size - 1);
    }
}

static const gchar *const roles[] = { "read and write", "read", "write", "shadow" };

const gchar *
kvsql_schema_role_get_name (KvsqlSchemaRole role)
{
  return roles[role];
}

static gboolean
read_role (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  for (guint i = KVSQL_ROLE_READ; i <= KVSQL_ROLE_SHADOW; i++)
    if (kvsql_option_is_word (option, roles[i]))
      {
        out->role = (KvsqlSchemaRole)i;
        return TRUE;
      }
  return kvsql_option_fail (option, "read, write or shadow", error);
}

static const gchar *const states[] = { "readable", "deleting", "building", "rebuilding" };

const gchar *
kvsql_schema_state_get_name (KvsqlSchemaState state)
{
  return states[state];
}

static gboolean
read_state (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  for (guint i = KVSQL_STATE_DELETING; i <= KVSQL_STATE_REBUILDING; i++)
    if (kvsql_option_is_word (option, states[i]))
      {
        out->state = (KvsqlSchemaState)i;
        return TRUE;
      }
  kvsql_option_fail (option, "building, rebuilding or deleting", error);
  return kvsql_error_hint (error, "Leave it out: kvsql finds out whether a schema has to be "
                                  "filled, and BACKFILL SCHEMA does that.");
}

static gboolean
read_undecodable (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                  GError **error)
{
  out->fails_undecodable = kvsql_option_is_word (option, "fail");
  return out->fails_undecodable || kvsql_option_is_word (option, "skip")
         || kvsql_option_fail (option, "skip or fail", error);
}

static const struct
{
  const gchar *name;
  Reader read;
} options[] = {
  { "create_tables", read_create_tables },
  { "compression", read_compression },
  { "bloom", read_bloom },
  { "block_encoding", read_block_encoding },
  { "versions", read_versions },
  { "ttl", read_ttl },
  { "marker", read_marker },
  { "marker_value", read_marker_value },
  { "splits", read_splits },
  { "role", read_role },
  { "state", read_state },
  { "undecodable", read_undecodable },
  { "unparsable", read_undecodable }, /* the older name */
};

static Reader
find (const KvsqlOption *option, GError **error)
{
  const gchar *names[G_N_ELEMENTS (options)];
  const gchar *near;

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      if (g_ascii_strcasecmp (option->name.text, options[i].name) == 0)
        return options[i].read;
      names[i] = options[i].name;
    }
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, option->span,
                   "schema option \"%s\" does not exist", option->name.text);
  near = kvsql_suggest (option->name.text, names, G_N_ELEMENTS (names));
  if (near != NULL)
    kvsql_error_hint (error, "Did you mean \"%s\"?", near);
  else
    kvsql_error_hint (error,
                      "Options are create_tables, compression, bloom, block_encoding, versions, "
                      "ttl, splits, marker, marker_value, role, undecodable and state.");
  return NULL;
}

gboolean
kvsql_schema_options_read (const KvsqlDefineSchema *definition, KvsqlArena *arena,
                           KvsqlSchemaOptions *out, GError **error)
{
  gboolean has_create_tables = FALSE;
  const KvsqlOption *marker_value = NULL;

  *out = (KvsqlSchemaOptions){ .create_tables = TRUE };
  for (guint i = 0; i < definition->options.n; i++)
    {
      const KvsqlOption *option = &definition->options.items[i];
      Reader read;

      read = find (option, error);
      if (read == NULL)
        return FALSE;
      for (guint j = 0; j < i; j++)
        if (find (&definition->options.items[j], NULL) == read)
          return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, option->span,
                                  "option \"%s\" is given twice", option->name.text);
      if (!read (option, arena, out, error))
        return FALSE;
      has_create_tables = has_create_tables || read == read_create_tables;
      if (read == read_marker_value)
        marker_value = option;
      if (read == read_role && definition->is_primary && out->role > KVSQL_ROLE_READ)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, option->span,
                                "the primary schema is read, so it cannot have role = %s",
                                roles[out->role])
               || kvsql_error_hint (error, "Other schemas can; the primary may have role = read.");
    }
  if (out->state != KVSQL_STATE_READABLE
      && (definition->is_primary || out->role == KVSQL_ROLE_READ))
    return kvsql_error_set (
        error, KVSQL_ERROR_DEFINITION, definition->name.span,
        "schema \"%s\" is %s, so it cannot have state = %s", definition->name.text,
        definition->is_primary ? "the primary" : "only read", states[out->state]);
  if (marker_value != NULL && out->marker.data == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, marker_value->span,
                            "marker_value needs a marker")
           || kvsql_error_hint (error, "Write marker = 'qualifier', marker_value = 'value'.");
  /* a schema that is only read does not create tables by default */
  if (out->role == KVSQL_ROLE_READ && !has_create_tables)
    out->create_tables = FALSE;
  return TRUE;
}
