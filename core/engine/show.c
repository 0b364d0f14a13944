/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show.c: see show.h.
 */
#include "config.h"

#include "core/engine/show.h"

#include "core/catalog/restore.h"
#include "core/engine/describe.h"
#include "core/engine/infer.h"
#include "core/engine/show-roles.h"
#include "core/engine/show-tables.h"
#include "core/engine/show-views.h"

/* ---- SHOW RELATIONS, SCHEMAS */

static KvsqlResultPage *
show_relations (const KvsqlExecution *execution, GError **error)
{
  static const gchar *const names[]
      = { "relation", "attributes", "key", "primary schema", "schemas", "comment" };
  KvsqlResultPage *page;

  if (!kvsql_catalog_check_known (execution->catalog, error))
    return NULL;
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  for (guint i = 0; i < execution->catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = execution->catalog->entries->pdata[i];
      g_autofree gchar *n_attributes = g_strdup_printf ("%u", entry->relation->n_attributes);
      g_autofree gchar *n_schemas = g_strdup_printf ("%u", entry->n_schemas);
      g_autoptr (GString) key = NULL;
      gboolean has_primary = entry->n_schemas > 0 && entry->schemas[0]->is_primary;

      if (!kvsql_authority_sees (&execution->authority, entry))
        continue;
      key = g_string_new (NULL);
      for (guint a = 0; a < entry->relation->n_attributes; a++)
        if (entry->relation->attributes[a].is_key)
          g_string_append_printf (key, "%s%s", key->len > 0 ? ", " : "",
                                  entry->relation->attributes[a].name);
      const gchar *row[] = { entry->relation->name,
                             n_attributes,
                             key->str,
                             has_primary ? entry->schemas[0]->name : NULL,
                             n_schemas,
                             entry->relation->comment ?: "" };
      kvsql_result_page_add_row (page, row);
    }
  return page;
}

static void
add_schema_row (const KvsqlExecution *execution, KvsqlResultPage *page, const KvsqlSchema *schema)
{
  g_autofree gchar *state = kvsql_execution_describe_state (execution, schema);
  g_autofree gchar *table = kvsql_schema_field_text (schema, KVSQL_FIELD_TABLE);
  g_autofree gchar *row_key = kvsql_schema_field_text (schema, KVSQL_FIELD_ROW);
  const gchar *row[]
      = { schema->name, schema->relation->name, schema->is_primary ? "yes" : "no", table, row_key,
          state,        schema->comment ?: "" };

  kvsql_result_page_add_row (page, row);
}

static KvsqlResultPage *
show_schemas (const KvsqlExecution *execution, const KvsqlName *relation, GError **error)
{
  static const gchar *const names[]
      = { "schema", "relation", "primary", "table", "row", "state", "comment" };
  const KvsqlCatalogEntry *only = NULL;
  KvsqlResultPage *page;

  if (!kvsql_catalog_check_known (execution->catalog, error))
    return NULL;
  if (relation->text != NULL
      && (only = kvsql_catalog_find (execution->catalog, relation, error)) == NULL)
    return NULL;
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  for (guint i = 0; i < execution->catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = execution->catalog->entries->pdata[i];

      if ((only != NULL && only != entry) || !kvsql_authority_sees (&execution->authority, entry))
        continue;
      for (guint j = 0; j < entry->n_schemas; j++)
        add_schema_row (execution, page, entry->schemas[j]);
    }
  return page;
}

/* ---- SHOW CREATE */

static KvsqlResultPage *
show_create (const KvsqlExecution *execution, const KvsqlName *name, GError **error)
{
  static const gchar *const names[] = { "definition" };
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (execution->catalog, name);
  const KvsqlSchema *schema
      = entry == NULL ? kvsql_catalog_lookup_schema (execution->catalog, name) : NULL;
  const KvsqlView *view = kvsql_catalog_lookup_view (execution->catalog, name);
  g_autofree gchar *relation = NULL;
  KvsqlResultPage *page;

  if (entry == NULL && view != NULL)
    return kvsql_execute_show_create_view (view);
  if (entry == NULL && schema == NULL)
    {
      kvsql_catalog_fail_unknown (execution->catalog, name, error);
      return NULL;
    }
  page = kvsql_result_page_new_table (names, 1);
  if (schema != NULL)
    {
      kvsql_result_page_add_row (page, &schema->text);
      return page;
    }
  relation = kvsql_definition_as_written (entry->relation->text);
  kvsql_result_page_add_row (page, (const gchar *const *)&relation);
  for (guint i = 0; i < entry->n_schemas; i++)
    kvsql_result_page_add_row (page, (const gchar *const *)&entry->schemas[i]->text);
  return page;
}

KvsqlResultPage *
kvsql_execute_show (const KvsqlExecution *execution, const KvsqlShow *show, GError **error)
{
  switch (show->what)
    {
    case KVSQL_SHOW_RELATIONS:
      return show_relations (execution, error);
    case KVSQL_SHOW_ROLES:
      return kvsql_execute_show_roles (execution, error);
    case KVSQL_SHOW_VIEWS:
      return kvsql_execute_show_views (execution, error);
    case KVSQL_SHOW_GRANTS:
      return kvsql_execute_show_grants (execution, show, error);
    case KVSQL_SHOW_TABLES:
      return kvsql_execute_show_tables (execution, show->pattern, error);
    case KVSQL_SHOW_SCHEMAS:
      return show_schemas (execution, &show->name, error);
    default:
      if (show->name.is_store_table)
        return kvsql_execute_infer (execution, &show->name, (guint64)show->limit, error);
      return show_create (execution, &show->name, error);
    }
}
