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
    kvsql_error_hint (error, "Options are create_tables, compression, ttl, splits and marker.");
  return NULL;
}

gboolean
kvsql_schema_options_read (const KvsqlDefineSchema *definition, KvsqlArena *arena,
                           KvsqlSchemaOptions *out, GError **error)
{
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
    }
  return TRUE;
}
