/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-calls.c: EXPLAIN (CALLS): the requests of a statement, as JSON and as text.
 *
 * Those of a SELECT come from its plan. A write is executed on a store that records the requests
 * and writes nothing (recording-store.h).
 */
#include "config.h"

#include "core/engine/explain.h"

#include "core/base/interrupt.h"
#include "core/write/recording-store.h"
#include "core/engine/write.h"
#include "core/write/blind-write.h"
#include "core/write/current-tuples.h"
#include "core/write/delete.h"
#include "core/write/write-log.h"

#include <json-glib/json-glib.h>

/* ---- the requests */

gboolean
kvsql_explain_no_plan (const KvsqlAstStatement *statement, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, statement->span,
                   "this statement has no plan to explain");
  return kvsql_error_hint (error, "EXPLAIN works for SELECT, INSERT, UPDATE and DELETE.");
}

static void
note_nothing (const KvsqlSchema *schema, guint64 n, const gchar *const *samples, guint n_samples,
              gpointer data)
{
}

/* ---- plain and blind writes */

static gboolean
record_plain (const KvsqlExecution *recorded, KvsqlWritePlan *plan,
              const KvsqlAstStatement *statement, KvsqlCalls *calls, GError **error)
{
  const KvsqlStoreCapabilities *capabilities = kvsql_execution_get_capabilities (recorded);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlValue **keys = NULL;
  guint64 unused;
  guint n_keys;

  if (kvsql_write_plan_is_plain_delete (plan))
    keys = kvsql_delete_named_keys (plan->find, arena, &n_keys);
  if (keys == NULL)
    return kvsql_execute_write (recorded, plan, statement, NULL, &unused, error);
  /* explained as if all of these tuples existed */
  if ((capabilities->flags & KVSQL_STORE_ATOMIC_BATCH) == 0)
    kvsql_calls_begin_step (calls);
  kvsql_calls_add_reads (calls, plan->find->best);
  return kvsql_delete_by_keys (recorded->storage, plan->find, keys, n_keys, recorded->call, error);
}

/* ---- writes with a log */

typedef struct
{
  KvsqlWorkFunc run;
  gpointer work;
} Later;

/* The keys are locked until the statement ends. */
static gboolean
keep_for_later (KvsqlWorkFunc run, gpointer work, gpointer data)
{
  const Later later = { .run = run, .work = work };

  g_array_append_val ((GArray *)data, later);
  return TRUE;
}

/* Also after an error: the work has to be freed. */
static void
record_later (const GArray *work, KvsqlCalls *calls)
{
  kvsql_calls_set_answered (calls);
  for (guint i = 0; i < work->len; i++)
    {
      Later later = g_array_index (work, Later, i);

      later.run (&later.work, 1); /* may add some */
    }
}

static gboolean
record_logged (const KvsqlExecution *recorded, guint64 daemon_id, KvsqlWritePlan *plan,
               const KvsqlAstStatement *statement, KvsqlCalls *calls, GError **error)
{
  g_autoptr (KvsqlWriteLog) log
      = kvsql_write_log_new (kvsql_execution_get_store (recorded), daemon_id);
  g_autoptr (GArray) later = g_array_new (FALSE, FALSE, sizeof (Later));
  guint64 unused;
  gboolean ok;

  kvsql_storage_set_log (recorded->storage, log);
  kvsql_storage_set_later (recorded->storage, keep_for_later, later);
  ok = plan->entry->relation->mode == KVSQL_WRITES_CHECKED
           ? kvsql_execute_write (recorded, plan, statement, NULL, &unused, error)
           : record_plain (recorded, plan, statement, calls, error);
  record_later (later, calls);
  return ok;
}

static gboolean
has_log (const KvsqlCatalogEntry *entry, const KvsqlStoreCapabilities *capabilities)
{
  return kvsql_entry_is_checked (entry, capabilities)
         || (kvsql_entry_is_blind (entry, capabilities) && kvsql_entry_needs_intents (entry));
}

/* Tuples are neither locked nor get a timestamp of the daemon: other statements must not wait for
 * an EXPLAIN. */
static gboolean
collect_writes (const KvsqlExecution *self, const KvsqlAstStatement *statement, KvsqlCalls *calls,
                GError **error)
{
  KvsqlWritePlan *plan = kvsql_execution_plan_write (self, statement, error);
  const KvsqlWriteLog *log = kvsql_storage_get_log (self->storage);
  g_autoptr (KvsqlStore) store = NULL;
  g_autoptr (KvsqlStorage) storage = NULL;
  KvsqlExecution recorded = *self;
  gboolean is_logged;

  if (plan == NULL)
    return FALSE;
  is_logged = has_log (plan->entry, kvsql_execution_get_capabilities (self));
  store = kvsql_recording_store_new (kvsql_execution_get_store (self), calls, is_logged);
  recorded.storage = storage = kvsql_storage_new (store);
  kvsql_key_forecast_copy (kvsql_storage_get_forecast (self->storage),
                           kvsql_storage_get_forecast (storage));
  recorded.capabilities = NULL;
  recorded.limits.n_workers = 0;
  recorded.skipped = note_nothing;
  return is_logged
             ? record_logged (&recorded, log != NULL ? kvsql_write_log_get_daemon_id (log) : 0,
                              plan, statement, calls, error)
             : record_plain (&recorded, plan, statement, calls, error);
}

static gboolean
collect_calls (const KvsqlExecution *self, const KvsqlAstStatement *statement, KvsqlCalls *calls,
               GError **error)
{
  const KvsqlSelectPlan *plan;

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      plan = kvsql_execution_plan_select (self, &statement->select, error);
      if (plan != NULL)
        kvsql_calls_add_select (calls, plan);
      return plan != NULL;
    case KVSQL_STATEMENT_INSERT:
    case KVSQL_STATEMENT_UPDATE:
    case KVSQL_STATEMENT_DELETE:
      return collect_writes (self, statement, calls, error);
    default:
      return kvsql_explain_no_plan (statement, error);
    }
}

gchar *
kvsql_explain_calls_json (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                          GError **error)
{
  g_autoptr (KvsqlCalls) calls = kvsql_calls_new ();

  return collect_calls (self, statement, calls, error) ? kvsql_calls_to_json (calls, error) : NULL;
}

/* ---- the requests as text, made from their JSON */

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
append_suffix_ranges (JsonArray *ranges, GString *out)
{
  for (guint i = 0; i < json_array_get_length (ranges); i++)
    {
      JsonObject *range = json_array_get_object_element (ranges, i);

      g_string_append (out, "    of each key prefix from \"…");
      append_bytes (range, "start", out);
      g_string_append (out, "\" up to, not including, \"…");
      append_bytes (range, "stop", out);
      g_string_append (out, "\"\n");
    }
}

/* The condition of a compare-and-set. */
static void
append_check (JsonObject *check, GString *out)
{
  gboolean has_value = json_object_has_member (check, "value");

  g_string_append (out, has_value ? "    if " : "    if there is no ");
  append_bytes (check, "family", out);
  g_string_append_c (out, ':');
  append_bytes (check, "qualifier", out);
  if (has_value)
    {
      g_string_append (out, " = ");
      append_bytes (check, "value", out);
    }
  g_string_append_c (out, '\n');
}

/* @step: inout: of the call before */
static void
append_step (JsonObject *call, gint64 *step, GString *out)
{
  gint64 next = json_object_get_int_member_with_default (call, "step", 0);

  if (next == *step)
    return;
  *step = next;
  g_string_append_printf (out, "step %" G_GINT64_FORMAT "%s\n", next,
                          json_object_has_member (call, "answered") ? ", after the answer" : "");
}

static void
append_call (JsonObject *call, GString *out)
{
  g_string_append_printf (out, "  %s on ", json_object_get_string_member (call, "op"));
  if (json_object_has_member (call, "schema"))
    g_string_append_printf (out, "schema %s, ", json_object_get_string_member (call, "schema"));
  g_string_append (out, "table \"");
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
    append_suffix_ranges (json_object_get_array_member (call, "behind"), out);
  if (json_object_has_member (call, "check"))
    append_check (json_object_get_object_member (call, "check"), out);
  if (json_object_has_member (call, "cells"))
    append_cells (json_object_get_array_member (call, "cells"), out);
}

gchar *
kvsql_explain_calls_text (const gchar *head, const gchar *json)
{
  g_autoptr (JsonNode) root = json_from_string (json, NULL);
  JsonArray *calls = json_object_get_array_member (json_node_get_object (root), "calls");
  GString *out = g_string_new (NULL);
  gint64 step = 0;

  g_string_append_printf (out, "%s\n", head);
  for (guint i = 0; i < json_array_get_length (calls) && kvsql_interrupt_spend (64); i++)
    {
      append_step (json_array_get_object_element (calls, i), &step, out);
      append_call (json_array_get_object_element (calls, i), out);
    }
  return g_string_free (out, FALSE);
}
