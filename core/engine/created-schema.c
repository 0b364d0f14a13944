/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * created-schema.c: see created-schema.h.
 */
#include "config.h"

#include "core/engine/created-schema.h"

#include "core/sql/parser.h"
#include "core/sql/printer.h"

/* Tables with this prefix are kvsql's own. */
#define RESERVED_PREFIX "kvsql_"

gchar *
kvsql_unused_schema_name (const KvsqlCatalog *catalog, const gchar *stem)
{
  g_autofree gchar *text = g_strdup (stem);

  for (guint i = 1;; i++)
    {
      const KvsqlName name = { .text = text, .span = KVSQL_SPAN_NONE };

      if (kvsql_catalog_lookup_schema (catalog, &name) == NULL)
        return g_steal_pointer (&text);
      g_free (text);
      text = g_strdup_printf ("%s%u", stem, i);
    }
}

/* ---- tables */

static gboolean
is_table_of_a_schema (const KvsqlCatalog *catalog, KvsqlSlice table)
{
  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      for (guint s = 0; s < entry->n_schemas; s++)
        if (entry->schemas[s]->has_constant_table
            && kvsql_slice_equal (entry->schemas[s]->table, table))
          return TRUE;
    }
  return FALSE;
}

static gboolean
is_empty (KvsqlStore *store, KvsqlSlice table, const KvsqlCall *call, gboolean *out, GError **error)
{
  const KvsqlRowRange everything = { .start = KVSQL_SLICE_EMPTY, .stop = KVSQL_SLICE_EMPTY };
  const KvsqlScanSpec spec = {
    .table = table,
    .ranges = &everything,
    .n_ranges = 1,
    .keys_only = TRUE,
    .row_limit = 1,
  };
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, call, error);
  const KvsqlRows *rows;

  if (scan == NULL || !kvsql_scan_next (scan, call, &rows, error))
    return FALSE;
  *out = rows->n_rows == 0;
  return TRUE;
}

static gboolean
is_listed (const GPtrArray *tables, KvsqlSlice table)
{
  for (guint i = 0; i < tables->len; i++)
    {
      gsize size;
      gconstpointer data = g_bytes_get_data (tables->pdata[i], &size);

      if (kvsql_slice_equal (kvsql_slice (data, size), table))
        return TRUE;
    }
  return FALSE;
}

/* What every store takes: HBase wants letters, digits, "_", "-" and ".", the last two not first. */
static gchar *
make_table_name (const gchar *stem)
{
  GString *out = g_string_new (g_str_has_prefix (stem, RESERVED_PREFIX) ? "t_" : NULL);

  for (const gchar *at = stem; *at != '\0'; at++)
    g_string_append_c (
        out, g_ascii_isalnum (*at) || (out->len > 0 && strchr ("-.", *at) != NULL) ? *at : '_');
  return g_string_free (out, FALSE);
}

gchar *
kvsql_unused_table_name (const KvsqlExecution *execution, const gchar *stem, GError **error)
{
  KvsqlStore *store = kvsql_execution_get_store (execution);
  g_autofree gchar *first = make_table_name (stem);
  g_autofree gchar *name = g_strdup (first);
  g_autoptr (GPtrArray) tables
      = kvsql_store_list_tables (store, kvsql_slice_from_text (first), execution->call, error);

  for (guint i = 2; tables != NULL; i++)
    {
      KvsqlSlice table = kvsql_slice_from_text (name);
      gboolean is_unused = !is_listed (tables, table);

      if (!is_table_of_a_schema (execution->catalog, table))
        {
          if (!is_unused && !is_empty (store, table, execution->call, &is_unused, error))
            return NULL;
          if (is_unused)
            return g_steal_pointer (&name);
        }
      g_free (name);
      name = g_strdup_printf ("%s_%u", first, i);
    }
  return NULL;
}

/* ---- the text */

void
kvsql_append_attribute_name (const KvsqlAttribute *attribute, GString *out)
{
  const KvsqlName name = { .text = attribute->name, .is_quoted = attribute->is_quoted };

  kvsql_print_name (&name, out);
}

void
kvsql_append_ordered (const KvsqlAttribute *attribute, gboolean is_descending, GString *layout)
{
  g_string_append (layout, layout->len > 0 ? ":" : "");
  g_string_append (layout, is_descending ? "desc{ordered{" : "ordered{");
  kvsql_append_attribute_name (attribute, layout);
  g_string_append (layout, is_descending ? "}}" : "}");
}

gboolean
kvsql_decision_add_created_schema (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                   const gchar *text, gboolean warns, KvsqlSpan span,
                                   GError **error)
{
  KvsqlArena *arena = self->execution->binder.arena;
  const gchar *copy = kvsql_arena_strdup (arena, text);
  const KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (copy), arena, error);

  return (statement != NULL
          && kvsql_decision_add_schema (self, entry, &statement->define_schema, warns, error))
         || kvsql_error_move (error, span);
}
