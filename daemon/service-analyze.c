/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-analyze.c: EXPLAIN ANALYZE: a statement is run, and its plan told with what happened.
 */
#include "config.h"

#include "daemon/service-private.h"

#include <json-glib/json-glib.h>

#define ROWS_AT_ONCE 5000
#define BYTES_AT_ONCE (4 * 1024 * 1024)

typedef struct
{
  KvsqlRunCounts reads;
  guint64 n_rows;  /* of the answer */
  gint64 affected; /* tuples written; -1: none are */
  gint64 us;
} Actual;

/* ---- running */

/* All pages, one after the other; nothing is kept of them. */
static gboolean
run_select (KvsqldTask *task, const KvsqlStatement *statement, Actual *out, GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  KvsqlSelectLimits limits = kvsqld_task_get_select_limits (task);
  const KvsqlSelectPlan *plan = kvsql_select_plan_make (task->catalog, &statement->select, &binder,
                                                        &task->service->store->capabilities, error);
  g_autoptr (KvsqlSelectRun) run = NULL;
  gboolean has_more = TRUE;

  if (plan == NULL)
    return FALSE;
  run = kvsql_select_run_new (plan, task->service->store, &limits, NULL);
  while (has_more)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (KvsqlBatch) page = NULL;

      if (!kvsql_select_run_page (run, ROWS_AT_ONCE, BYTES_AT_ONCE, &task->call, arena, &page,
                                  &has_more, error))
        return FALSE;
      out->n_rows += page->n_rows;
    }
  return TRUE;
}

static gboolean
run_write (KvsqldTask *task, const KvsqlStatement *statement, Actual *out, GError **error)
{
  const KvsqlStatement *explain = task->statement;
  g_autoptr (KvsqldPage) page = NULL;

  task->statement = statement;
  page = kvsqld_task_run (task, error);
  task->statement = explain;
  if (page == NULL)
    return FALSE;
  out->affected = page->affected;
  out->n_rows = page->rows == NULL ? 0 : page->rows->n_rows;
  return TRUE;
}

/* ---- telling */

static void
append_reads (const KvsqlReadCounts *reads, GString *out)
{
  g_string_append_printf (out,
                          "%" G_GUINT64_FORMAT " row%s, %" G_GUINT64_FORMAT
                          " cells, %" G_GUINT64_FORMAT " bytes in %" G_GUINT64_FORMAT
                          " request%s, %.3f ms\n",
                          reads->rows, reads->rows == 1 ? "" : "s", reads->cells, reads->bytes,
                          reads->requests, reads->requests == 1 ? "" : "s", reads->us / 1e3);
}

static gchar *
add_to_text (const gchar *text, const Actual *actual)
{
  const KvsqlRunCounts *reads = &actual->reads;
  GString *out = g_string_new (text);

  g_string_append (out, "Actually:\n  read: ");
  append_reads (&reads->scan, out);
  if (reads->scan.seeks > 0)
    g_string_append_printf (out, "  skipped by: %" G_GUINT64_FORMAT " seek%s\n", reads->scan.seeks,
                            reads->scan.seeks == 1 ? "" : "s");
  if (reads->entries > 0)
    {
      g_string_append_printf (
          out, "  fetched for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " entries: ",
          reads->entries_kept, reads->entries);
      append_reads (&reads->fetch, out);
    }
  if (reads->parts > 0)
    g_string_append_printf (out, "  of that, in %" G_GUINT64_FORMAT " part%s side by side\n",
                            reads->parts, reads->parts == 1 ? "" : "s");
  g_string_append_printf (
      out, "  predicate: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " tuples satisfied it\n",
      reads->matched, reads->tuples);
  if (actual->affected >= 0)
    g_string_append_printf (out, "  wrote: %" G_GINT64_FORMAT " tuple%s\n", actual->affected,
                            actual->affected == 1 ? "" : "s");
  else
    g_string_append_printf (out, "  answer: %" G_GUINT64_FORMAT " row%s\n", actual->n_rows,
                            actual->n_rows == 1 ? "" : "s");
  g_string_append_printf (out, "  time: %.3f ms\n", actual->us / 1e3);
  return g_string_free (out, FALSE);
}

static JsonObject *
reads_to_json (const KvsqlReadCounts *reads)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "rows", (gint64)reads->rows);
  json_object_set_int_member (object, "cells", (gint64)reads->cells);
  json_object_set_int_member (object, "bytes", (gint64)reads->bytes);
  json_object_set_int_member (object, "requests", (gint64)reads->requests);
  if (reads->seeks > 0)
    json_object_set_int_member (object, "seeks", (gint64)reads->seeks);
  json_object_set_double_member (object, "ms", reads->us / 1e3);
  return object;
}

static gchar *
add_to_json (const gchar *json, const Actual *actual)
{
  g_autoptr (JsonNode) root = json_from_string (json, NULL);
  JsonObject *object = json_object_new ();

  json_object_set_object_member (object, "read", reads_to_json (&actual->reads.scan));
  if (actual->reads.entries > 0)
    {
      JsonObject *fetch = reads_to_json (&actual->reads.fetch);
      json_object_set_int_member (fetch, "entries", (gint64)actual->reads.entries);
      json_object_set_int_member (fetch, "entries_kept", (gint64)actual->reads.entries_kept);
      json_object_set_object_member (object, "fetch", fetch);
    }
  if (actual->reads.parts > 0)
    json_object_set_int_member (object, "parts", (gint64)actual->reads.parts);
  json_object_set_int_member (object, "tuples", (gint64)actual->reads.tuples);
  json_object_set_int_member (object, "matched", (gint64)actual->reads.matched);
  if (actual->affected >= 0)
    json_object_set_int_member (object, "affected", actual->affected);
  else
    json_object_set_int_member (object, "rows", (gint64)actual->n_rows);
  json_object_set_double_member (object, "ms", actual->us / 1e3);
  json_object_set_object_member (json_node_get_object (root), "actual", object);
  return json_to_string (root, TRUE);
}

gboolean
kvsqld_explain_actual (KvsqldTask *task, const KvsqlStatement *statement, gchar **text,
                       gchar **json, GError **error)
{
  Actual actual = { .affected = -1 };
  gint64 started_us = g_get_monotonic_time ();
  gchar *old_text = *text, *old_json = *json;
  gboolean ok;

  task->counts = &actual.reads;
  ok = statement->kind == KVSQL_STATEMENT_SELECT ? run_select (task, statement, &actual, error)
                                                 : run_write (task, statement, &actual, error);
  task->counts = NULL;
  if (!ok)
    return FALSE;
  actual.us = g_get_monotonic_time () - started_us;
  *text = add_to_text (old_text, &actual);
  *json = add_to_json (old_json, &actual);
  g_free (old_text);
  g_free (old_json);
  return TRUE;
}
