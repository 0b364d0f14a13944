/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * options.c: one line a schema option.
 */
#include "config.h"

#include "core/catalog/options.h"

typedef gboolean (*Reader) (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                            GError **error);

static gboolean
wrong (const KvsqlOption *option, const gchar *wanted, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, option->span, "option \"%s\" needs %s",
                          option->name.text, wanted);
}

static gboolean
read_create_tables (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                    GError **error)
{
  if (option->value.type != KVSQL_TYPE_BOOLEAN)
    return wrong (option, "true or false", error);
  out->create_tables = option->value.boolean;
  return TRUE;
}

static gboolean
read_compression (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                  GError **error)
{
  static const gchar *const known[] = { "NONE", "GZ", "SNAPPY", "LZ4", "ZSTD" };

  if (option->value.type == KVSQL_TYPE_STRING)
    for (guint i = 0; i < G_N_ELEMENTS (known); i++)
      if (option->value.bytes.size == strlen (known[i])
          && g_ascii_strncasecmp ((const gchar *)option->value.bytes.data, known[i],
                                  strlen (known[i]))
                 == 0)
        {
          out->compression = known[i];
          return TRUE;
        }
  return wrong (option, "NONE, GZ, SNAPPY, LZ4 or ZSTD", error);
}

static gboolean
read_ttl (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  if (option->value.type != KVSQL_TYPE_BIGINT || option->value.integer < 1
      || option->value.integer > G_MAXINT32)
    return wrong (option, "a number of seconds", error);
  out->ttl_seconds = option->value.integer;
  return TRUE;
}

static gboolean
read_marker (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  if ((option->value.type != KVSQL_TYPE_BYTES && option->value.type != KVSQL_TYPE_STRING)
      || option->value.bytes.size == 0)
    return wrong (option, "the bytes of a qualifier, as in x'00'", error);
  out->marker = kvsql_slice_dup (arena, option->value.bytes);
  return TRUE;
}

/* 'b,m,x': the first keys of all regions but the first. */
static gboolean
read_splits (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  KvsqlSlice rest;

  if (option->value.type != KVSQL_TYPE_STRING || option->value.bytes.size == 0)
    return wrong (option, "row keys joined by commas, as in 'g,n,t'", error);
  rest = option->value.bytes;
  out->splits = kvsql_arena_array (arena, KvsqlSlice, rest.size + 1);
  for (;;)
    {
      const guint8 *comma = memchr (rest.data, ',', rest.size);
      gsize size = comma == NULL ? rest.size : (gsize)(comma - rest.data);
      if (size == 0)
        return wrong (option, "row keys that are not empty", error);
      out->splits[out->n_splits++] = kvsql_slice_dup (arena, kvsql_slice (rest.data, size));
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
is_word (const KvsqlOption *option, const gchar *word)
{
  return option->value.type == KVSQL_TYPE_STRING && option->value.bytes.size == strlen (word)
         && g_ascii_strncasecmp ((const gchar *)option->value.bytes.data, word, strlen (word)) == 0;
}

static gboolean
read_role (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out, GError **error)
{
  for (guint i = KVSQL_ROLE_READ; i <= KVSQL_ROLE_SHADOW; i++)
    if (is_word (option, roles[i]))
      {
        out->role = (KvsqlSchemaRole)i;
        return TRUE;
      }
  return wrong (option, "read, write or shadow", error);
}

static gboolean
read_unparsable (const KvsqlOption *option, KvsqlArena *arena, KvsqlSchemaOptions *out,
                 GError **error)
{
  out->fails_unparsable = is_word (option, "fail");
  return out->fails_unparsable || is_word (option, "skip") || wrong (option, "skip or fail", error);
}

static const struct
{
  const gchar *name;
  Reader read;
} options[] = {
  { "create_tables", read_create_tables },
  { "compression", read_compression },
  { "ttl", read_ttl },
  { "marker", read_marker },
  { "splits", read_splits },
  { "role", read_role },
  { "unparsable", read_unparsable },
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
                      "Options are create_tables, compression, ttl, splits, marker, role and "
                      "unparsable.");
  return NULL;
}

gboolean
kvsql_schema_options_read (const KvsqlDefineSchema *definition, KvsqlArena *arena,
                           KvsqlSchemaOptions *out, GError **error)
{
  gboolean has_create_tables = FALSE;

  *out = (KvsqlSchemaOptions){ .create_tables = TRUE };
  for (guint i = 0; i < definition->n_options; i++)
    {
      const KvsqlOption *option = &definition->options[i];
      Reader read;

      for (guint j = 0; j < i; j++)
        if (g_ascii_strcasecmp (definition->options[j].name.text, option->name.text) == 0)
          return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, option->span,
                                  "option \"%s\" is given twice", option->name.text);
      read = find (option, error);
      if (read == NULL || !read (option, arena, out, error))
        return FALSE;
      has_create_tables = has_create_tables || read == read_create_tables;
      if (read == read_role && definition->is_primary && out->role > KVSQL_ROLE_READ)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, option->span,
                                "the primary schema is read, so it cannot have role = %s",
                                roles[out->role])
               || kvsql_error_hint (error, "Other schemas can; the primary may have role = read.");
    }
  /* who only reads does not make tables, unless told to */
  if (out->role == KVSQL_ROLE_READ && !has_create_tables)
    out->create_tables = FALSE;
  return TRUE;
}
