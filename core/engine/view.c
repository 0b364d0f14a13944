/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * view.c: CREATE VIEW, DROP VIEW and SHOW VIEWS.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/engine/definitions-private.h"
#include "core/engine/prepare.h"
#include "core/engine/rights.h"
#include "core/engine/show-views.h"
#include "core/plan/expand-views.h"

/* Of the text, which is in every copy of the definitions, and in their history. */
#define MAX_VIEW_BYTES 100000

static const gchar *
name_of (const KvsqlView *view)
{
  return view->definition->name.text;
}

/* ---- columns */

/* The columns of a query, under the names that the definition gives. NULL: an error */
static KvsqlResultColumn *
find_columns (const KvsqlExecution *execution, const KvsqlCreateView *definition,
              const KvsqlView *replaced, guint *out_n, GError **error)
{
  KvsqlArena *arena = execution->binder.arena;
  const KvsqlSelect *query
      = kvsql_view_expand (execution->catalog, replaced, definition->query, arena, error);
  KvsqlAstStatement statement = { .kind = KVSQL_STATEMENT_SELECT };
  KvsqlResultColumn *columns;

  if (query == NULL)
    return NULL;
  statement.select = *query;
  if (!kvsql_execute_prepare (execution, &statement, &columns, out_n, error))
    return NULL;
  if (definition->n_columns > *out_n)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, definition->columns[*out_n].span,
                       "view \"%s\" has %u names of columns, and its query gives %u columns",
                       definition->name.text, definition->n_columns, *out_n);
      return NULL;
    }
  for (guint i = 0; i < definition->n_columns; i++)
    columns[i].name = definition->columns[i].text;
  return columns;
}

static gboolean
reject_same_names (const KvsqlCreateView *definition, const KvsqlResultColumn *columns, guint n,
                   GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    {
      if (g_hash_table_add (seen, g_ascii_strdown (columns[i].name, -1)))
        continue;
      kvsql_error_set (
          error, KVSQL_ERROR_INVALID,
          i < definition->n_columns ? definition->columns[i].span : definition->name.span,
          "view \"%s\" would have two columns \"%s\"", definition->name.text, columns[i].name);
      kvsql_error_sqlstate (error, "42701");
      return kvsql_error_hint (error,
                               "Name them: CREATE VIEW %s (a, b, …) AS, or with AS in the query.",
                               definition->name.text);
    }
  return TRUE;
}

/* Other views and programs may use its columns: they stay, and new ones come after them. */
static gboolean
check_replacement (const KvsqlExecution *execution, const KvsqlView *old,
                   const KvsqlCreateView *definition, const KvsqlResultColumn *columns, guint n,
                   GError **error)
{
  KvsqlSpan span = definition->name.span;
  guint n_old;
  const KvsqlResultColumn *before = find_columns (execution, old->definition, NULL, &n_old, NULL);

  if (before == NULL) /* it cannot be used any more */
    return kvsql_interrupt_poll (error);
  for (guint i = 0; i < n_old; i++)
    {
      if (i < n && g_ascii_strcasecmp (before[i].name, columns[i].name) == 0
          && before[i].type == columns[i].type)
        continue;
      if (i >= n)
        kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                         "column \"%s\" cannot be dropped from view \"%s\"", before[i].name,
                         name_of (old));
      else if (g_ascii_strcasecmp (before[i].name, columns[i].name) != 0)
        kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                         "column \"%s\" of view \"%s\" cannot become \"%s\"", before[i].name,
                         name_of (old), columns[i].name);
      else
        kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                         "column \"%s\" of view \"%s\" is %s, and cannot become %s", before[i].name,
                         name_of (old), kvsql_type_get_name (before[i].type),
                         kvsql_type_get_name (columns[i].type));
      kvsql_error_sqlstate (error, "42P16");
      return kvsql_error_hint (error, "DROP VIEW %s first.", name_of (old));
    }
  return TRUE;
}

/* ---- CREATE VIEW, DROP VIEW */

static gboolean
check_names (const KvsqlDecision *self, const KvsqlCreateView *create, const KvsqlView *old,
             GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (self->execution->catalog, &create->name);

  if (entry != NULL && create->is_replacement)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, create->name.span,
                       "\"%s\" is a relation, not a view", entry->relation->name);
      return kvsql_error_sqlstate (error, "42809");
    }
  if (entry != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, create->name.span,
                            "relation \"%s\" exists already", entry->relation->name)
           || kvsql_error_hint (error, "Relations and views share their names.");
  if (old != NULL && !create->is_replacement)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, create->name.span,
                            "view \"%s\" exists already", name_of (old))
           || kvsql_error_hint (error,
                                "Look at it with SHOW CREATE %s, or use CREATE OR REPLACE "
                                "VIEW.",
                                name_of (old));
  return create->query_text.size <= MAX_VIEW_BYTES
         || kvsql_error_set (error, KVSQL_ERROR_LIMIT, create->name.span,
                             "the query of view \"%s\" is longer than %d bytes", create->name.text,
                             MAX_VIEW_BYTES);
}

gboolean
kvsql_decide_create_view (KvsqlDecision *self, const KvsqlCreateView *create, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  const KvsqlView *old = kvsql_catalog_lookup_view (catalog, &create->name);
  KvsqlCreateView definition = *create;
  const KvsqlResultColumn *columns;
  g_autofree gchar *text = NULL;
  guint n;

  if (!kvsql_catalog_check_known (catalog, error) || !check_names (self, create, old, error))
    return FALSE;
  columns = find_columns (self->execution, create, old, &n, error);
  if (columns == NULL || !reject_same_names (create, columns, n, error)
      || (old != NULL && !check_replacement (self->execution, old, create, columns, n, error)))
    return FALSE;
  if (old != NULL)
    definition.name = old->definition->name;
  text = kvsql_view_print (&definition);
  if (old == NULL || strcmp (old->text, text) != 0)
    kvsql_decision_add (self, KVSQL_DEFINITION_VIEW, definition.name.text,
                        definition.name.is_quoted, text);
  return TRUE;
}

gboolean
kvsql_decide_drop_view (KvsqlDecision *self, const KvsqlDrop *drop, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  const KvsqlView *view = kvsql_catalog_lookup_view (catalog, &drop->name);
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (catalog, &drop->name);

  if (!kvsql_catalog_check_known (catalog, error))
    return FALSE;
  if (entry != NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, drop->name.span,
                       "\"%s\" is a relation, not a view", entry->relation->name);
      kvsql_error_sqlstate (error, "42809");
      return kvsql_error_hint (error, "Use DROP RELATION to remove a relation.");
    }
  if (view == NULL && drop->if_exists)
    {
      kvsql_result_page_note (self->page, "view \"%s\" does not exist, nothing was done",
                              drop->name.text);
      return TRUE;
    }
  if (view == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, drop->name.span,
                            "view \"%s\" does not exist", drop->name.text);
  if (!kvsql_decision_drop_readers (self, NULL, view, drop, error))
    return FALSE;
  kvsql_decision_add (self, KVSQL_DEFINITION_VIEW, name_of (view), view->definition->name.is_quoted,
                      NULL);
  return TRUE;
}

/* ---- SHOW VIEWS, DESCRIBE */

KvsqlResultPage *
kvsql_execute_show_views (const KvsqlExecution *execution, GError **error)
{
  static const gchar *const names[] = { "view", "reads", "definition" };
  const GPtrArray *views = execution->catalog->views;
  KvsqlResultPage *page;

  if (!kvsql_catalog_check_known (execution->catalog, error))
    return NULL;
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  for (guint i = 0; i < views->len; i++)
    {
      const KvsqlView *view = views->pdata[i];
      g_autoptr (GString) uses = g_string_new (NULL);

      if (!kvsql_execution_may_read_view (execution, view))
        continue;
      for (guint j = 0; j < view->uses->len; j++)
        g_string_append_printf (uses, "%s%s", j > 0 ? ", " : "",
                                ((const KvsqlName *)view->uses->pdata[j])->text);
      kvsql_result_page_add_row (page, (const gchar *[]){ name_of (view), uses->str, view->text });
    }
  return page;
}

KvsqlResultPage *
kvsql_execute_show_create_view (const KvsqlView *view)
{
  static const gchar *const names[] = { "definition" };
  KvsqlResultPage *page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));

  kvsql_result_page_add_row (page, (const gchar *const *)&view->text);
  return page;
}

const KvsqlResultColumn *
kvsql_execution_list_view_columns (const KvsqlExecution *execution, const KvsqlView *view,
                                   guint *out_n, GError **error)
{
  return find_columns (execution, view->definition, NULL, out_n, error);
}

KvsqlResultPage *
kvsql_execute_describe_view (const KvsqlExecution *execution, const KvsqlView *view, GError **error)
{
  static const gchar *const names[] = { "column", "type", "null", "relation" };
  guint n;
  const KvsqlResultColumn *columns = find_columns (execution, view->definition, NULL, &n, error);
  KvsqlResultPage *page;

  if (columns == NULL)
    return NULL;
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  for (guint i = 0; i < n; i++)
    kvsql_result_page_add_row (
        page, (const gchar *[]){ columns[i].name, kvsql_type_get_name (columns[i].type),
                                 columns[i].is_nullable ? "yes" : "no", columns[i].relation });
  return page;
}
