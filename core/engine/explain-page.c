/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-page.c: EXPLAIN, as a page.
 */
#include "config.h"

#include "core/engine/explain.h"
#include "core/plan/explain-dot.h"

static KvsqlResultPage *
page_of_lines (const gchar *name, const gchar *text, gboolean is_one_row)
{
  const gchar *const names[] = { name };
  KvsqlResultPage *page = kvsql_result_page_new_table (names, 1);
  g_auto (GStrv) lines = NULL;

  if (is_one_row)
    {
      kvsql_result_page_add_row (page, &text);
      return page;
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i + 1] != NULL || lines[i][0] != '\0')
      kvsql_result_page_add_row (page, (const gchar *const *)&lines[i]);
  return page;
}

/* @execution has the catalog that the plans are for. */
static KvsqlResultPage *
explain_page (const KvsqlExecution *execution, const KvsqlAstStatement *statement,
              gint64 *out_affected, GError **error)
{
  const KvsqlExplain *explain = &statement->explain;
  /* ANALYZE counts itself, and a schema that does not exist has nothing to count */
  gboolean counts = !explain->is_analyze && explain->n_schemas == 0;
  g_autofree gchar *text = NULL, *json = NULL;
  gchar **out_json;

  if (explain->has_calls && explain->is_analyze)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, statement->span,
                       "ANALYZE and CALLS exclude each other");
      kvsql_error_hint (error, "CALLS shows the requests without making them.");
      return NULL;
    }
  if (explain->has_calls)
    {
      json = kvsql_explain_calls_json (execution, explain->statement, error);
      if (json == NULL)
        return NULL;
      if (explain->format == KVSQL_EXPLAIN_JSON)
        return page_of_lines ("calls", json, TRUE);
      text = explain->format == KVSQL_EXPLAIN_DOT ? kvsql_explain_dot (json)
                                                  : kvsql_explain_calls_text ("Requests", json);
      return page_of_lines ("calls", text, FALSE);
    }
  out_json = explain->format == KVSQL_EXPLAIN_TEXT ? NULL : &json;
  if (!kvsql_explain_statement (execution, explain->statement, counts, &text, out_json, error)
      || (explain->is_analyze
          && !kvsql_explain_analyze (execution, explain->statement, &text, out_json, out_affected,
                                     error)))
    return NULL;
  if (explain->format == KVSQL_EXPLAIN_DOT)
    {
      g_autofree gchar *dot = kvsql_explain_dot (json);
      return page_of_lines ("plan", dot, FALSE);
    }
  return explain->format == KVSQL_EXPLAIN_JSON ? page_of_lines ("plan", json, TRUE)
                                               : page_of_lines ("plan", text, FALSE);
}

KvsqlResultPage *
kvsql_execute_explain (const KvsqlExecution *execution, const KvsqlAstStatement *statement,
                       gint64 *out_affected, GError **error)
{
  g_autoptr (KvsqlCatalog) catalog = NULL;
  KvsqlExecution supposed = *execution;

  *out_affected = -1;
  catalog = kvsql_explain_suppose (execution, &statement->explain, error);
  if (catalog == NULL)
    return NULL;
  supposed.catalog = catalog;
  return explain_page (&supposed, statement, out_affected, error);
}
