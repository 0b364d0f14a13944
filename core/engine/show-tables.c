/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-tables.c: see show-tables.h.
 */
#include "config.h"

#include "core/engine/show-tables.h"

#include "core/catalog/store-table.h"
#include "core/scan/store-tables.h"
#include "core/scan/table-sample.h"

/* SHOW TABLES reads from each table that it shows. */
#define MAX_TABLES 1000

/* DESCRIBE TABLE has the first ones. */
#define MAX_COLUMNS 100
#define MAX_REGIONS 100

/* All that is known of a table. */
typedef struct
{
  KvsqlSlice name;
  KvsqlTableDescription description;
  KvsqlTableSample sample;
} Table;

static gboolean
table_read (Table *self, const KvsqlExecution *execution, GError **error)
{
  KvsqlStore *store = kvsql_execution_get_store (execution);

  return kvsql_table_sample_read (&self->sample, store, self->name, execution->call, error)
         && kvsql_store_describe_table (store, self->name, execution->call, self->sample.arena,
                                        &self->description, error);
}

static void
table_clear (Table *self)
{
  kvsql_table_sample_clear (&self->sample);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Table, table_clear)

/* ---- what one cell of the answer has; each (transfer full) */

static void
append_listed (GString *out, KvsqlSlice name)
{
  if (out->len > 0)
    g_string_append (out, ", ");
  kvsql_append_readable (out, name);
}

/* A store whose tables have no list of families has those that the rows have. */
static gchar *
dup_families (const Table *self)
{
  const GArray *columns = self->sample.columns;
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->description.n_families; i++)
    append_listed (out, self->description.families[i]);
  for (guint i = 0; i < columns->len && self->description.n_families == 0; i++)
    {
      KvsqlSlice family = g_array_index (columns, KvsqlSampledColumn, i).family;

      if (i == 0
          || !kvsql_slice_equal (family, g_array_index (columns, KvsqlSampledColumn, i - 1).family))
        append_listed (out, family);
    }
  return g_string_free (out, FALSE);
}

static gchar *
dup_schemas (const Table *self, const KvsqlCatalog *catalog)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      for (guint s = 0; s < entry->n_schemas; s++)
        if (kvsql_schema_may_use_table (entry->schemas[s], self->name))
          append_listed (out, kvsql_slice_from_text (entry->schemas[s]->name));
    }
  return g_string_free (out, FALSE);
}

/* ---- SHOW TABLES */

static gboolean
add_table (KvsqlResultPage *page, const KvsqlExecution *execution, KvsqlSlice name, GError **error)
{
  g_auto (Table) table = { .name = name };
  g_autofree gchar *readable = kvsql_readable (name);
  g_autofree gchar *families = NULL, *regions = NULL, *rows = NULL, *schemas = NULL;

  if (!table_read (&table, execution, error))
    return FALSE;
  families = dup_families (&table);
  rows = kvsql_table_sample_describe_rows (&table.sample);
  schemas = dup_schemas (&table, execution->catalog);
  if (table.description.n_regions > 0)
    regions = g_strdup_printf ("%u", table.description.n_regions);
  const gchar *row[] = { readable, families, regions, rows, schemas };
  kvsql_result_page_add_row (page, row);
  return TRUE;
}

KvsqlResultPage *
kvsql_execute_show_tables (const KvsqlExecution *execution, const gchar *pattern, GError **error)
{
  static const gchar *const columns[] = { "table", "families", "regions", "rows", "schemas" };
  g_autoptr (KvsqlResultPage) page = kvsql_result_page_new_table (columns, G_N_ELEMENTS (columns));
  KvsqlSlice *names;
  guint n, n_seen = 0;

  if (!kvsql_find_store_tables (kvsql_execution_get_store (execution), pattern, execution->call,
                                execution->binder.arena, &names, &n, error))
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      if (!kvsql_authority_may_define (&execution->authority, execution->catalog, &names[i]))
        continue;
      if (++n_seen > MAX_TABLES)
        continue;
      if (!add_table (page, execution, names[i], error))
        return NULL;
    }
  if (n_seen > MAX_TABLES)
    kvsql_result_page_note (page, "there are %u tables: the first %u are shown; use LIKE", n_seen,
                            MAX_TABLES);
  return g_steal_pointer (&page);
}

/* ---- DESCRIBE TABLE */

static void
add_columns (KvsqlResultPage *page, const Table *self)
{
  const GArray *columns = self->sample.columns;
  const gchar *all = self->sample.has_more_rows ? "the first " : "";

  for (guint i = 0; i < MIN (columns->len, MAX_COLUMNS); i++)
    {
      const KvsqlSampledColumn *column = &g_array_index (columns, KvsqlSampledColumn, i);
      g_autoptr (GString) name = g_string_new (NULL);
      g_autofree gchar *note
          = g_strdup_printf ("in %u of %s%u rows", column->n_rows, all, self->sample.n_rows);

      kvsql_append_readable (name, column->family);
      g_string_append_c (name, ':');
      kvsql_append_readable (name, column->qualifier);
      kvsql_result_page_add_row (page, (const gchar *[]){ "COLUMN", name->str, note });
    }
  if (columns->len > MAX_COLUMNS || self->sample.has_more_columns)
    kvsql_result_page_note (page, "these rows have more than %u columns: the first are shown",
                            MIN (columns->len, MAX_COLUMNS));
}

static void
add_regions (KvsqlResultPage *page, const Table *self)
{
  const KvsqlTableDescription *description = &self->description;

  for (guint i = 0; i < MIN (description->n_regions, MAX_REGIONS); i++)
    {
      g_autofree gchar *start = kvsql_readable (description->region_starts[i]);
      g_autofree gchar *row = g_strdup_printf ("from \"%s\"", start);

      kvsql_result_page_add_row (page, (const gchar *[]){ "REGION", row, "" });
    }
  if (description->n_regions > MAX_REGIONS)
    kvsql_result_page_note (page, "the table has %u regions: the first %u are shown",
                            description->n_regions, MAX_REGIONS);
}

static void
add_schemas (KvsqlResultPage *page, const Table *self, const KvsqlCatalog *catalog)
{
  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];
      g_autofree gchar *note = g_strdup_printf ("of relation %s", entry->relation->name);

      for (guint s = 0; s < entry->n_schemas; s++)
        if (kvsql_schema_may_use_table (entry->schemas[s], self->name))
          kvsql_result_page_add_row (page,
                                     (const gchar *[]){ "SCHEMA", entry->schemas[s]->name, note });
    }
}

KvsqlResultPage *
kvsql_execute_describe_table (const KvsqlExecution *execution, const KvsqlName *name,
                              GError **error)
{
  static const gchar *const columns[] = { "part", "name", "note" };
  const KvsqlCatalogEntry *entry = kvsql_catalog_find_store_table (execution->catalog, name, error);
  g_autoptr (KvsqlResultPage) page = NULL;
  g_auto (Table) table = { 0 };
  g_autofree gchar *readable = NULL, *families = NULL, *rows = NULL;

  if (entry == NULL)
    return NULL;
  table.name = entry->schemas[0]->table;
  if (!kvsql_check_store_table (entry, kvsql_execution_get_store (execution), execution->call,
                                error)
      || !table_read (&table, execution, error))
    return NULL;
  page = kvsql_result_page_new_table (columns, G_N_ELEMENTS (columns));
  readable = kvsql_readable (table.name);
  families = dup_families (&table);
  rows = kvsql_table_sample_describe_rows (&table.sample);
  kvsql_result_page_add_row (page, (const gchar *[]){ "TABLE", readable, "" });
  kvsql_result_page_add_row (page, (const gchar *[]){ "ROWS", rows, "" });
  kvsql_result_page_add_row (page, (const gchar *[]){ "FAMILIES", families, "" });
  add_columns (page, &table);
  add_regions (page, &table);
  add_schemas (page, &table, execution->catalog);
  return g_steal_pointer (&page);
}
