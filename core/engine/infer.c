/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * infer.c: see infer.h.
 */
#include "config.h"

#include "core/engine/infer.h"

#include "core/base/interrupt.h"
#include "core/catalog/store-table.h"
#include "core/infer/definition.h"
#include "core/infer/sample.h"
#include "core/maintain/probe.h"
#include "core/scan/store-tables.h"

#define DEFAULT_ROWS 2000
#define MAX_ROWS 100000

/* The last part of the table's name, as far as it can be a name, and unused. */
static gchar *
choose_name (const KvsqlExecution *execution, KvsqlSlice table)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree gchar *chosen = NULL;

  for (gsize i = 0; i < table.size; i++)
    if (table.data[i] == ':')
      g_string_truncate (name, 0);
    else if (g_ascii_isalnum ((gchar)table.data[i]))
      g_string_append_c (name, g_ascii_tolower ((gchar)table.data[i]));
    else if (name->len > 0 && name->str[name->len - 1] != '_')
      g_string_append_c (name, '_');
  if (name->len == 0 || g_ascii_isdigit (name->str[0]))
    g_string_prepend (name, "t_");
  chosen = g_strdup (name->str);
  for (guint i = 2;; i++)
    {
      const KvsqlName used = { .text = chosen };

      if (kvsql_catalog_lookup (execution->catalog, &used) == NULL)
        return g_steal_pointer (&chosen);
      g_free (chosen);
      chosen = g_strdup_printf ("%s_%u", name->str, i);
    }
}

/* Proves the definitions, and counts the rows that fit. NULL: they are wrong, as a note says. */
static gchar *
try_definition (const KvsqlExecution *execution, const KvsqlInferredDefinition *definition,
                guint max_rows, KvsqlResultPage *page, GError **error)
{
  const KvsqlProbeLimits limits = { .max_rows = max_rows, .max_cells = G_MAXUINT64 };
  g_autoptr (KvsqlCatalog) catalog = kvsql_catalog_new (0);
  g_auto (KvsqlProbe) probe = { 0 };
  const KvsqlCatalogEntry *entry;

  kvsql_catalog_add_definition (catalog, NULL, definition->relation);
  kvsql_catalog_add_definition (catalog, NULL, definition->schema);
  if (catalog->load_errors->len > 0)
    {
      kvsql_result_page_warn (page, "the definition is not possible as it is: %s",
                              (const gchar *)catalog->load_errors->pdata[0]);
      return g_strdup ("");
    }
  entry = catalog->entries->pdata[0];
  if (!kvsql_probe_run (kvsql_execution_get_store (execution), entry->schemas[0], &limits,
                        execution->call, &probe, error))
    return NULL;
  if (probe.sample != NULL)
    kvsql_result_page_note (page, "a cell that does not fit: %s", probe.sample);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " of the first %" G_GUINT64_FORMAT " rows fit",
                          probe.n_own_rows, probe.n_rows);
}

static KvsqlResultPage *
show (const KvsqlExecution *execution, const KvsqlInferredDefinition *definition,
      const KvsqlInferSample *sample, GError **error)
{
  static const gchar *const columns[] = { "definition", "note" };
  g_autoptr (KvsqlResultPage) page = kvsql_result_page_new_table (columns, G_N_ELEMENTS (columns));
  g_autofree gchar *read = g_strdup_printf ("a guess from %u rows%s", sample->rows.n_rows,
                                            sample->is_whole ? ", which are all" : "");
  g_autofree gchar *fit = try_definition (execution, definition, sample->rows.n_rows, page, error);

  if (fit == NULL)
    return NULL;
  kvsql_result_page_add_row (page, (const gchar *[]){ definition->relation, read });
  kvsql_result_page_add_row (page, (const gchar *[]){ definition->schema, fit });
  for (guint i = 0; i < definition->notes->len; i++)
    kvsql_result_page_note (page, "%s", (const gchar *)definition->notes->pdata[i]);
  return g_steal_pointer (&page);
}

KvsqlResultPage *
kvsql_execute_infer (const KvsqlExecution *execution, const KvsqlName *name, guint64 max_rows,
                     GError **error)
{
  KvsqlStore *store = kvsql_execution_get_store (execution);
  const KvsqlCatalogEntry *entry = kvsql_catalog_find_store_table (execution->catalog, name, error);
  g_auto (KvsqlInferSample) sample = { 0 };
  g_autoptr (KvsqlInferredDefinition) definition = NULL;
  g_autofree gchar *relation = NULL;
  KvsqlSlice table;

  if (entry == NULL || !kvsql_check_store_table (entry, store, execution->call, error))
    return NULL;
  table = entry->schemas[0]->table;
  if (!kvsql_infer_sample_read (&sample, store, table,
                                (guint)MIN (max_rows > 0 ? max_rows : DEFAULT_ROWS, MAX_ROWS),
                                execution->call, error))
    return NULL;
  if (sample.rows.n_rows == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                       "the table has no rows, so nothing can be said of its layout");
      return NULL;
    }
  relation = choose_name (execution, table);
  definition = kvsql_infer_definition (name->text + strlen ("TABLE "), relation, &sample.rows);
  if (kvsql_interrupt_check (error) && definition != NULL)
    return show (execution, definition, &sample, error);
  return NULL;
}
