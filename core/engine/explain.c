/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain.c: see explain.h.
 */
#include "config.h"

#include "core/engine/explain.h"

#include "core/base/interrupt.h"
#include "core/engine/insert.h"
#include "core/engine/write.h"
#include "core/plan/explain.h"
#include "core/scan/table-scan.h"
#include "core/write/update.h"

#include <json-glib/json-glib.h>

#define MAX_TEXT_BYTES (2 << 20)
/* The most tuples that EXPLAIN counts. After MAX_COUNT_US it reads no further batch. */
#define MAX_COUNTED 1000
#define MAX_COUNT_US G_TIME_SPAN_SECOND
/* The longest wait for a batch. It is not shorter, because a store of which an answer is missing at
 * a deadline is taken for broken: the HBase store then closes connections that others use. */
#define MAX_ANSWER_US (5 * G_TIME_SPAN_SECOND)

/* ---- plans */

/* Adds one member to *json. */
static void
add_node (gchar **json, const gchar *name, JsonNode *value, gboolean is_pretty)
{
  g_autoptr (JsonNode) root = json_from_string (*json, NULL);

  g_free (*json);
  json_object_set_member (json_node_get_object (root), name, value);
  *json = json_to_string (root, is_pretty);
}

/* @json: (nullable) */
static void
add_member (gchar **json, const gchar *name, const gchar *value)
{
  if (json != NULL)
    add_node (json, name, json_node_init_string (json_node_alloc (), value), FALSE);
}

/* @json: (nullable) */
static void
add_count (gchar **json, const gchar *name, guint n)
{
  if (json != NULL)
    add_node (json, name, json_node_init_int (json_node_alloc (), n), TRUE);
}

static gboolean
check_size (const GString *text, GError **error)
{
  if (text->len <= MAX_TEXT_BYTES)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the plan has more than the 2 MiB of text that EXPLAIN shows");
  return kvsql_error_hint (error, "Explain it with shorter values.");
}

/* ---- the number of tuples, without statistics */

/* Reads up to MAX_COUNTED + 1 of the tuples in the ranges of @plan. FALSE if that takes too long.
 */
static gboolean
count_tuples (const KvsqlExecution *self, const KvsqlSelectPlan *plan, guint *out_n)
{
  gint64 began_us = g_get_monotonic_time (), longest_us = began_us + MAX_ANSWER_US;
  KvsqlAccessPath path = *plan->best;
  KvsqlCall call = *self->call;
  g_autoptr (KvsqlTableScan) scan = NULL;
  KvsqlBatch *batch;

  path.filter = NULL;
  call.deadline_us = call.deadline_us > 0 ? MIN (call.deadline_us, longest_us) : longest_us;
  scan = kvsql_table_scan_new (kvsql_execution_get_store (self), &path,
                               kvsql_select_plan_get_scanned (plan), NULL, MAX_COUNTED + 1,
                               self->limits.sort_bytes);
  kvsql_table_scan_watch (scan, self->limits.max_scan_rows, NULL);
  *out_n = 0;
  do
    {
      if (!kvsql_table_scan_next (scan, &call, &batch, NULL))
        return FALSE;
      *out_n += batch->n_rows;
      if (batch->n_rows == 0 || *out_n > MAX_COUNTED)
        return TRUE;
    }
  while (g_get_monotonic_time () < began_us + MAX_COUNT_US);
  return FALSE;
}

/* Counts what the planner has only assumed; the plan stays as it is. FALSE: nothing to say, also if
 * the store does not answer in time, or has no such table. */
static gboolean
count_assumed (const KvsqlExecution *self, const KvsqlSelectPlan *plan, guint *out_n)
{
  const KvsqlAccessPath *path = plan->best;

  return path != NULL && path->is_assumed && !path->has_open_table && path->skip == NULL
         && count_tuples (self, plan, out_n);
}

static void
append_counted (const KvsqlSelectPlan *plan, guint n, GString *text)
{
  g_string_append_printf (text, "Counted in the ranges of schema %s: ", plan->best->schema->name);
  if (n > MAX_COUNTED)
    g_string_append (text, "more than 1,000 tuples\n");
  else
    g_string_append_printf (text, "%u tuple%s\n", n, n == 1 ? "" : "s");
}

/* What a plan is for. */
typedef struct
{
  const gchar *text; /* before the plan */
  const gchar *verb;
  gboolean counts; /* the tuples whose number is assumed */
} Head;

/* The bound is for the time: the library for JSON cannot be interrupted. A text that was
 * interrupted is short, whatever the plan is. */
static gboolean
explain_plan (const KvsqlExecution *self, const KvsqlSelectPlan *plan, const Head *head,
              gchar **out_text, gchar **out_json, GError **error)
{
  GString *text = g_string_new (head->text);
  guint n;
  gboolean is_counted = head->counts && count_assumed (self, plan, &n);

  kvsql_explain_text (plan, head->verb, text);
  if (is_counted)
    append_counted (plan, n, text);
  if (!kvsql_interrupt_check (error) || !check_size (text, error))
    {
      g_string_free (text, TRUE);
      return FALSE;
    }
  *out_text = g_string_free (text, FALSE);
  if (out_json != NULL)
    *out_json = kvsql_explain_json (plan, head->verb);
  if (is_counted && n <= MAX_COUNTED)
    add_count (out_json, "rows_counted", n);
  return TRUE;
}

/* How an UPDATE or DELETE changes the tuples. */
static const gchar *
method_of_change (const KvsqlExecution *self, const KvsqlWritePlan *plan, const gchar **out_word)
{
  const KvsqlStoreCapabilities *capabilities = kvsql_execution_get_capabilities (self);
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
explain_change (const KvsqlExecution *self, const KvsqlAstStatement *statement, gboolean counts,
                gchar **out_text, gchar **out_json, GError **error)
{
  gboolean is_update = statement->kind == KVSQL_STATEMENT_UPDATE;
  const KvsqlWritePlan *plan = kvsql_execution_plan_write (self, statement, error);
  const Head head = { "", is_update ? "Update" : "Delete", counts };
  const gchar *way, *word;
  GString *text;

  if (plan == NULL)
    return FALSE;
  if (!explain_plan (self, plan->find, &head, out_text, out_json, error))
    return FALSE;
  if (!is_update)
    return TRUE;
  way = method_of_change (self, plan, &word);
  text = g_string_new (*out_text);
  g_string_append_printf (text, "Change: %s\n", way);
  g_free (*out_text);
  *out_text = g_string_free (text, FALSE);
  add_member (out_json, "change", word);
  return TRUE;
}

static const gchar *
conflict_text (const KvsqlWritePlan *plan)
{
  switch (plan->on_conflict)
    {
    case KVSQL_CONFLICT_FAIL:
      return ", if no tuple has the key";
    case KVSQL_CONFLICT_NOTHING:
      return ", where no tuple has the key";
    case KVSQL_CONFLICT_UPDATE:
      return ", or update the tuple that has the key";
    default:
      return "";
    }
}

static gboolean
explain_insert (const KvsqlExecution *self, const KvsqlAstStatement *statement, gboolean counts,
                gchar **out_text, gchar **out_json, GError **error)
{
  const KvsqlInsert *insert = &statement->insert;
  const KvsqlWritePlan *write = kvsql_execution_plan_write (self, statement, error);
  g_autofree gchar *json = NULL, *head = NULL;

  if (write == NULL)
    return FALSE;
  if (insert->select != NULL)
    {
      const KvsqlSelectPlan *plan;

      plan = kvsql_execution_plan_select (self, insert->select, error);
      if (plan == NULL)
        return FALSE;
      head = g_strdup_printf ("Insert into relation %s%s, %s, what is selected:\n",
                              insert->relation.text, conflict_text (write),
                              kvsql_select_plan_reads (plan, write->entry)
                                  ? "once all of it is read"
                                  : "1,000 tuples at a time");
      if (!explain_plan (self, plan, &(const Head){ head, "Select", counts }, out_text, out_json,
                         error))
        return FALSE;
      add_member (out_json, "insert_into", insert->relation.text);
      return TRUE;
    }
  json = kvsql_explain_calls_json (self, statement, error);
  if (json == NULL)
    return FALSE;
  head = g_strdup_printf ("Insert %u tuple%s into relation %s%s", insert->n_rows,
                          insert->n_rows == 1 ? "" : "s", insert->relation.text,
                          conflict_text (write));
  *out_text = kvsql_explain_calls_text (head, json);
  if (out_json != NULL)
    *out_json = g_steal_pointer (&json);
  return TRUE;
}

gboolean
kvsql_explain_statement (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                         gboolean counts, gchar **out_text, gchar **out_json, GError **error)
{
  const Head head = { "", "Select", counts };
  const KvsqlSelectPlan *plan;

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_INSERT:
      return explain_insert (self, statement, counts, out_text, out_json, error);
    case KVSQL_STATEMENT_UPDATE:
    case KVSQL_STATEMENT_DELETE:
      return explain_change (self, statement, counts, out_text, out_json, error);
    case KVSQL_STATEMENT_SELECT:
      plan = kvsql_execution_plan_select (self, &statement->select, error);
      return plan != NULL && explain_plan (self, plan, &head, out_text, out_json, error);
    default:
      return kvsql_explain_no_plan (statement, error);
    }
}
