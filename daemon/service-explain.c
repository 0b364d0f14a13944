/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-explain.c: EXPLAIN: the plan in words, as JSON, or as the requests it means.
 */
#include "config.h"

#include "core/exec/delete.h"
#include "core/exec/insert.h"
#include "core/plan/explain.h"
#include "daemon/service-private.h"

#include <json-glib/json-glib.h>

/* ---- the requests */

static gboolean
collect_calls (KvsqldTask *task, const KvsqlStatement *statement, KvsqlCalls *calls, GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  KvsqlSelectLimits limits = kvsqld_task_get_select_limits (task);
  const KvsqlStoreCapabilities *capabilities = &task->service->store->capabilities;
  const KvsqlSelectPlan *plan;
  const KvsqlCatalogEntry *entry;
  const KvsqlValue **tuples;

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      plan = kvsql_select_plan_make (task->catalog, &statement->select, &binder, capabilities,
                                     error);
      if (plan != NULL)
        kvsql_calls_add_reads (calls, plan->chosen);
      return plan != NULL;
    case KVSQL_STATEMENT_INSERT:
      tuples = kvsqld_bind_insert (task, &statement->insert, &entry, error);
      return tuples != NULL
             && kvsql_insert_explain (task->service->engine, entry, tuples,
                                      statement->insert.n_rows, &task->call, calls, error);
    case KVSQL_STATEMENT_DELETE:
      plan = kvsql_delete_plan_make (task->catalog, &statement->delete_, &binder, capabilities,
                                     error);
      return plan != NULL
             && kvsql_delete_explain (task->service->engine, plan, &limits, &task->call, calls,
                                      error);
    default:
      return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, statement->span,
                              "this statement has no plan to explain")
             || kvsql_error_hint (error, "EXPLAIN works for SELECT, INSERT and DELETE.");
    }
}

static gchar *
calls_json (KvsqldTask *task, const KvsqlStatement *statement, GError **error)
{
  g_autoptr (KvsqlCalls) calls = kvsql_calls_new ();

  return collect_calls (task, statement, calls, error) ? kvsql_calls_to_json (calls) : NULL;
}

/* ---- the requests in words, made from the JSON that programs get */

static void
append_bytes (JsonObject *object, const gchar *member, GString *out)
{
  const gchar *hex = json_object_get_string_member (object, member);

  for (; hex[0] != '\0'; hex += 2)
    {
      guint8 byte = g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]);
      kvsql_append_readable (out, kvsql_slice (&byte, 1));
    }
}

static void
append_cells (JsonArray *cells, GString *out)
{
  for (guint i = 0; i < json_array_get_length (cells); i++)
    {
      JsonObject *cell = json_array_get_object_element (cells, i);

      g_string_append (out, "    ");
      append_bytes (cell, "family", out);
      g_string_append_c (out, ':');
      if (json_object_has_member (cell, "qualifier"))
        append_bytes (cell, "qualifier", out);
      else
        g_string_append_c (out, '*');
      if (json_object_has_member (cell, "value"))
        {
          g_string_append (out, " = ");
          append_bytes (cell, "value", out);
        }
      g_string_append_c (out, '\n');
    }
}

static void
append_call (JsonObject *call, GString *out)
{
  g_string_append_printf (out, "  %s on schema %s, table \"",
                          json_object_get_string_member (call, "op"),
                          json_object_get_string_member (call, "schema"));
  append_bytes (call, "table", out);
  g_string_append_c (out, '"');
  if (json_object_has_member (call, "row"))
    {
      g_string_append (out, ", row \"");
      append_bytes (call, "row", out);
      g_string_append_c (out, '"');
    }
  if (json_object_has_member (call, "start"))
    {
      g_string_append (out, ", from \"");
      append_bytes (call, "start", out);
      g_string_append (out, "\" up to, not including, \"");
      append_bytes (call, "stop", out);
      g_string_append_c (out, '"');
    }
  g_string_append_c (out, '\n');
  if (json_object_has_member (call, "cells"))
    append_cells (json_object_get_array_member (call, "cells"), out);
}

static gchar *
calls_text (const gchar *head, const gchar *json)
{
  g_autoptr (JsonNode) root = json_from_string (json, NULL);
  JsonArray *calls = json_object_get_array_member (json_node_get_object (root), "calls");
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%s\n", head);
  for (guint i = 0; i < json_array_get_length (calls); i++)
    append_call (json_array_get_object_element (calls, i), out);
  return g_string_free (out, FALSE);
}

/* ---- plans */

gboolean
kvsqld_explain_statement (KvsqldTask *task, const KvsqlStatement *statement, gchar **out_text,
                          gchar **out_json, GError **error)
{
  gboolean is_delete = statement->kind == KVSQL_STATEMENT_DELETE;
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  const KvsqlStoreCapabilities *capabilities = &task->service->store->capabilities;
  const gchar *verb = is_delete ? "Delete" : "Select";
  const KvsqlSelectPlan *plan;
  GString *text;

  if (statement->kind != KVSQL_STATEMENT_SELECT && !is_delete)
    {
      g_autofree gchar *json = calls_json (task, statement, error);
      g_autofree gchar *head = NULL;
      if (json == NULL)
        return FALSE;
      head = g_strdup_printf ("Insert %u tuple%s into relation %s", statement->insert.n_rows,
                              statement->insert.n_rows == 1 ? "" : "s",
                              statement->insert.relation.text);
      *out_text = calls_text (head, json);
      *out_json = g_steal_pointer (&json);
      return TRUE;
    }
  if (is_delete)
    plan
        = kvsql_delete_plan_make (task->catalog, &statement->delete_, &binder, capabilities, error);
  else
    plan = kvsql_select_plan_make (task->catalog, &statement->select, &binder, capabilities, error);
  if (plan == NULL)
    return FALSE;
  text = g_string_new (NULL);
  kvsql_explain_text (plan, verb, text);
  *out_text = g_string_free (text, FALSE);
  *out_json = kvsql_explain_json (plan, verb);
  return TRUE;
}

static KvsqldPage *
page_of_lines (const gchar *name, const gchar *text, gboolean is_one_row)
{
  const gchar *const names[] = { name };
  KvsqldPage *page = kvsqld_page_new_table (names, 1);
  g_auto (GStrv) lines = NULL;

  if (is_one_row)
    {
      kvsqld_page_add_row (page, &text);
      return page;
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i + 1] != NULL || lines[i][0] != '\0')
      kvsqld_page_add_row (page, (const gchar *const *)&lines[i]);
  return page;
}

KvsqldPage *
kvsqld_run_explain (KvsqldTask *task, GError **error)
{
  const KvsqlExplain *explain = &task->statement->explain;
  g_autofree gchar *text = NULL, *json = NULL;

  if (explain->is_analyze || explain->format == KVSQL_EXPLAIN_DOT)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, task->statement->span,
                       "%s is not supported yet",
                       explain->is_analyze ? "EXPLAIN ANALYZE" : "EXPLAIN (FORMAT DOT)");
      return NULL;
    }
  if (explain->has_calls)
    {
      json = calls_json (task, explain->statement, error);
      if (json == NULL)
        return NULL;
      if (explain->format == KVSQL_EXPLAIN_JSON)
        return page_of_lines ("calls", json, TRUE);
      text = calls_text ("Requests", json);
      return page_of_lines ("calls", text, FALSE);
    }
  if (!kvsqld_explain_statement (task, explain->statement, &text, &json, error))
    return NULL;
  return explain->format == KVSQL_EXPLAIN_JSON ? page_of_lines ("plan", json, TRUE)
                                               : page_of_lines ("plan", text, FALSE);
}
