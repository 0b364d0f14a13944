/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-history.c: see show-history.h.
 */
#include "config.h"

#include "core/engine/show-history.h"

#include "core/catalog/restore.h"
#include "core/catalog/stored-definition.h"

enum
{
  COLUMN_VERSION,
  COLUMN_AT,
  COLUMN_NAME,
  COLUMN_KIND,
  COLUMN_CHANGE,
  COLUMN_BY,
  COLUMN_DAEMON,
  COLUMN_STATEMENT,
  COLUMN_DEFINITION, /* only if one name was asked for, because it is long */
  N_COLUMNS,
};

static void
add_record (KvsqlResultPage *page, const KvsqlDefinitionRecord *record)
{
  static const gchar *const kinds[KVSQL_N_DEFINITION_KINDS] = {
    [KVSQL_DEFINITION_RELATION] = "relation", [KVSQL_DEFINITION_SCHEMA] = "schema",
    [KVSQL_DEFINITION_ROLE] = "role",         [KVSQL_DEFINITION_VIEW] = "view",
    [KVSQL_DEFINITION_RIGHTS] = "rights",     [KVSQL_DEFINITION_SEQUENCE_RIGHTS] = "sequence rights"
  };
  g_autofree gchar *version = g_strdup_printf ("%" G_GINT64_FORMAT, record->epoch);
  g_autofree gchar *at = record->at_ms > 0 ? kvsql_time_text (record->at_ms) : NULL;
  g_autofree gchar *definition
      = record->text != NULL ? kvsql_definition_as_written (record->text) : NULL;
  const gchar *row[N_COLUMNS] = {
    [COLUMN_VERSION] = version,
    [COLUMN_AT] = at,
    [COLUMN_NAME] = record->name,
    [COLUMN_KIND] = kinds[record->kind],
    [COLUMN_CHANGE] = record->text == NULL ? "dropped"
                      : at == NULL         ? "known"
                                           : "defined",
    [COLUMN_BY] = record->by ?: "",
    [COLUMN_DAEMON] = record->daemon ?: "",
    [COLUMN_STATEMENT] = record->statement ?: "",
    [COLUMN_DEFINITION] = definition,
  };

  kvsql_result_page_add_row (page, row);
}

static guint
find_place (const GPtrArray *records, const KvsqlHistoryPlace *place)
{
  guint i = 0;
  gint64 n = 0;

  while (i < records->len
         && ((const KvsqlDefinitionRecord *)records->pdata[i])->epoch < place->version)
    i++;
  while (i < records->len && n < place->n_emitted
         && ((const KvsqlDefinitionRecord *)records->pdata[i])->epoch == place->version)
    {
      i++;
      n++;
    }
  return i;
}

static void
pass (KvsqlHistoryPlace *place, gint64 version)
{
  if (place->version != version)
    *place = (KvsqlHistoryPlace){ .version = version };
  place->n_emitted++;
}

/* FALSE: the page is full, and place is the start of the next one. */
static gboolean
add_records (KvsqlResultPage *page, const GPtrArray *records, KvsqlPageBounds bounds,
             KvsqlHistoryPlace *place)
{
  for (guint i = find_place (records, place); i < records->len; i++)
    {
      const KvsqlDefinitionRecord *record = records->pdata[i];

      if (page->rows->n_rows > 0
          && (page->rows->n_rows >= bounds.max_rows
              || kvsql_arena_get_size (page->arena) >= bounds.max_bytes))
        return FALSE;
      add_record (page, record);
      pass (place, record->epoch);
    }
  return TRUE;
}

KvsqlResultPage *
kvsql_execute_show_history (const KvsqlExecution *execution, const KvsqlName *name,
                            KvsqlPageBounds bounds, KvsqlHistoryPlace *place,
                            gboolean *out_has_more, GError **error)
{
  static const gchar *const names[N_COLUMNS] = {
    [COLUMN_VERSION] = "version",
    [COLUMN_AT] = "at",
    [COLUMN_NAME] = "name",
    [COLUMN_KIND] = "kind",
    [COLUMN_CHANGE] = "change",
    [COLUMN_BY] = "by",
    [COLUMN_DAEMON] = "daemon",
    [COLUMN_STATEMENT] = "statement",
    [COLUMN_DEFINITION] = "definition",
  };
  g_autofree gchar *folded
      = name->text != NULL ? kvsql_catalog_fold_name (execution->catalog, name) : NULL;
  g_autoptr (GPtrArray) records = kvsql_execution_list_history (execution, folded, error);
  KvsqlResultPage *page;

  if (records == NULL)
    return NULL;
  page = kvsql_result_page_new_table (names, folded != NULL ? N_COLUMNS : COLUMN_DEFINITION);
  *out_has_more = !add_records (page, records, bounds, place);
  return page;
}
