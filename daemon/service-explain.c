/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-explain.c: EXPLAIN: the plan in words, as JSON, or as the requests it means.
 */
#include "config.h"

#include "core/exec/update.h"
#include "core/plan/explain-dot.h"
#include "core/plan/explain.h"
#include "daemon/service-private.h"

#include <json-glib/json-glib.h>

/* ---- the requests */

static gboolean
no_plan (const KvsqlStatement *statement, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, statement->span,
                   "this statement has no plan to explain");
  return kvsql_error_hint (error, "EXPLAIN works for SELECT, INSERT, UPDATE and DELETE.");
}

void
kvsqld_calls_add_select (KvsqlCalls *calls, const KvsqlSelectPlan *plan)
{
  for (guint i = plan->product == NULL ? 0 : plan->product->n_parts; i > 0; i--)
    kvsql_calls_add_reads (calls, plan->product->parts[i - 1].plan->chosen);
  if (plan->entry != NULL)
    kvsql_calls_add_reads (calls, plan->chosen);
}

static gboolean
collect_calls (KvsqldTask *task, const KvsqlStatement *statement, KvsqlCalls *calls, GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  const KvsqlStoreCapabilities *capabilities = &task->service->store->capabilities;
  const KvsqlSelectPlan *plan;

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      plan = kvsql_select_plan_make (task->catalog, &statement->select, &binder, capabilities,
                                     error);
      if (plan != NULL)
        kvsqld_calls_add_select (calls, plan);
      return plan != NULL;
    case KVSQL_STATEMENT_INSERT:
      return kvsqld_explain_insert_calls (task, statement, calls, error);
    case KVSQL_STATEMENT_UPDATE:
    case KVSQL_STATEMENT_DELETE:
      return kvsqld_explain_update_calls (task, statement, calls, error);
    default:
      return no_plan (statement, error);
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
append_number (JsonObject *call, const gchar *member, const gchar *words, GString *out)
{
  if (json_object_has_member (call, member))
    g_string_append_printf (out, "%s %" G_GINT64_FORMAT, words,
                            json_object_get_int_member (call, member));
}

static void
append_behind (JsonArray *behind, GString *out)
{
  for (guint i = 0; i < json_array_get_length (behind); i++)
    {
      JsonObject *range = json_array_get_object_element (behind, i);

      g_string_append (out, "    of each front from \"…");
      append_bytes (range, "start", out);
      g_string_append (out, "\" up to, not including, \"…");
      append_bytes (range, "stop", out);
      g_string_append (out, "\"\n");
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
  if (json_object_has_member (call, "filter"))
    g_string_append (out, ", filtered by the store");
  if (json_object_has_member (call, "keys_only"))
    g_string_append (out, ", without values");
  append_number (call, "min_timestamp", ", not older than", out);
  append_number (call, "max_timestamp", ", older than", out);
  g_string_append_c (out, '\n');
  if (json_object_has_member (call, "behind"))
    append_behind (json_object_get_array_member (call, "behind"), out);
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

/* @json with one more member. */
static gchar *
with_member (gchar *json, const gchar *name, const gchar *value)
{
  g_autoptr (JsonNode) root = json_from_string (json, NULL);

  g_free (json);
  json_object_set_string_member (json_node_get_object (root), name, value);
  return json_to_string (root, FALSE);
}

static void
explain_plan (const KvsqlSelectPlan *plan, const gchar *verb, const gchar *head, gchar **out_text,
              gchar **out_json)
{
  GString *text = g_string_new (head);

  kvsql_explain_text (plan, verb, text);
  *out_text = g_string_free (text, FALSE);
  *out_json = kvsql_explain_json (plan, verb);
}

/* How an UPDATE or DELETE changes what it finds. */
static const gchar *
way_of_change (const KvsqldTask *task, const KvsqlWritePlan *plan, const gchar **out_word)
{
  const KvsqlStoreCapabilities *capabilities = &task->service->store->capabilities;
  guint attribute;
  gint64 amount;

  if (kvsql_update_is_counter (plan, capabilities, &attribute, &amount))
    {
      *out_word = "increment";
      return "the store's own increment of one cell";
    }
  *out_word = "read-modify-write";
  return kvsql_write_plan_moves_keys (plan)
             ? "read again and moved under the locks of both keys, one tuple at a time"
             : "read again and written under the lock of its key";
}

static gboolean
explain_change (KvsqldTask *task, const KvsqlStatement *statement, gchar **out_text,
                gchar **out_json, GError **error)
{
  gboolean is_update = statement->kind == KVSQL_STATEMENT_UPDATE;
  const KvsqlWritePlan *plan = kvsqld_plan_update (task, statement, FALSE, error);
  const gchar *way, *word;
  GString *text;

  if (plan == NULL)
    return FALSE;
  explain_plan (plan->find, is_update ? "Update" : "Delete", "", out_text, out_json);
  if (!is_update)
    return TRUE;
  way = way_of_change (task, plan, &word);
  text = g_string_new (*out_text);
  g_string_append_printf (text, "Change: %s\n", way);
  g_free (*out_text);
  *out_text = g_string_free (text, FALSE);
  *out_json = with_member (*out_json, "change", word);
  return TRUE;
}

static const gchar *
conflict_text (const KvsqlInsert *insert)
{
  switch (insert->on_conflict)
    {
    case KVSQL_CONFLICT_NOTHING:
      return ", where no tuple has the key";
    case KVSQL_CONFLICT_UPDATE:
      return ", or update the tuple that has the key";
    default:
      return "";
    }
}

static gboolean
explain_insert (KvsqldTask *task, const KvsqlStatement *statement, gchar **out_text,
                gchar **out_json, GError **error)
{
  const KvsqlInsert *insert = &statement->insert;
  g_autofree gchar *json = NULL, *head = NULL;

  if (insert->select != NULL)
    {
      KvsqlBinder binder = kvsqld_task_get_binder (task);
      const KvsqlWritePlan *write = kvsqld_plan_insert (task, statement, FALSE, error);
      const KvsqlSelectPlan *plan;

      if (write == NULL)
        return FALSE;
      plan = kvsql_select_plan_make (task->catalog, insert->select, &binder,
                                     &task->service->store->capabilities, error);
      if (plan == NULL)
        return FALSE;
      head = g_strdup_printf ("Insert into relation %s%s, %s, what is selected:\n",
                              insert->relation.text, conflict_text (insert),
                              kvsqld_reads_from (plan, write->entry) ? "once all of it is read"
                                                                     : "1,000 tuples at a time");
      explain_plan (plan, "Select", head, out_text, out_json);
      *out_json = with_member (*out_json, "insert_into", insert->relation.text);
      return TRUE;
    }
  json = calls_json (task, statement, error);
  if (json == NULL)
    return FALSE;
  head = g_strdup_printf ("Insert %u tuple%s into relation %s%s", insert->n_rows,
                          insert->n_rows == 1 ? "" : "s", insert->relation.text,
                          conflict_text (insert));
  *out_text = calls_text (head, json);
  *out_json = g_steal_pointer (&json);
  return TRUE;
}

gboolean
kvsqld_explain_statement (KvsqldTask *task, const KvsqlStatement *statement, gchar **out_text,
                          gchar **out_json, GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  const KvsqlSelectPlan *plan;

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_INSERT:
      return explain_insert (task, statement, out_text, out_json, error);
    case KVSQL_STATEMENT_UPDATE:
    case KVSQL_STATEMENT_DELETE:
      return explain_change (task, statement, out_text, out_json, error);
    case KVSQL_STATEMENT_SELECT:
      plan = kvsql_select_plan_make (task->catalog, &statement->select, &binder,
                                     &task->service->store->capabilities, error);
      if (plan != NULL)
        explain_plan (plan, "Select", "", out_text, out_json);
      return plan != NULL;
    default:
      return no_plan (statement, error);
    }
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

  if (explain->has_calls && explain->is_analyze)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, task->statement->span,
                       "ANALYZE and CALLS exclude each other");
      kvsql_error_hint (error, "CALLS shows the requests without making them.");
      return NULL;
    }
  if (explain->has_calls)
    {
      json = calls_json (task, explain->statement, error);
      if (json == NULL)
        return NULL;
      if (explain->format == KVSQL_EXPLAIN_JSON)
        return page_of_lines ("calls", json, TRUE);
      text = explain->format == KVSQL_EXPLAIN_DOT ? kvsql_explain_dot (json)
                                                  : calls_text ("Requests", json);
      return page_of_lines ("calls", text, FALSE);
    }
  if (!kvsqld_explain_statement (task, explain->statement, &text, &json, error)
      || (explain->is_analyze
          && !kvsqld_explain_actual (task, explain->statement, &text, &json, error)))
    return NULL;
  if (explain->format == KVSQL_EXPLAIN_DOT)
    {
      g_autofree gchar *dot = kvsql_explain_dot (json);
      return page_of_lines ("plan", dot, FALSE);
    }
  return explain->format == KVSQL_EXPLAIN_JSON ? page_of_lines ("plan", json, TRUE)
                                               : page_of_lines ("plan", text, FALSE);
}
