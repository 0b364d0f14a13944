/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * metrics-text.c: prints all numbers of the daemon in the Prometheus text format.
 *
 * Lines of one metric follow its HELP and TYPE. Facts that a store reports become metrics with the
 * names of the facts.
 */
#include "config.h"

#include "daemon/monitor/metrics-text.h"

#include "daemon/service/service-private.h"

#include <string.h>

#define MAX_LABEL 32 /* of a text; longer texts are no label that distinguishes states */

typedef enum
{
  COUNTER,
  GAUGE,
  HISTOGRAM,
} MetricType;

typedef enum
{
  BUILD_INFO,
  START_TIME,
  RESIDENT,
  CONNECTIONS,
  CONNECTIONS_ACCEPTED,
  CONNECTIONS_REFUSED,
  CONNECTIONS_DISPLACED,
  CONNECTIONS_DROPPED,
  REQUESTS,
  RECEIVED,
  SENT,
  IN_FLIGHT,
  STATEMENTS,
  DURATIONS,
  RUNNING,
  WAITING,
  SLOW,
  ROWS,
  PAGES,
  TUPLES,
  MEMORY,
  PLANS,
  PLANS_FOUND,
  PLANS_MISSED,
  SHAPES,
  SHAPES_EVICTED,
  PREPARED,
  CURSORS,
  WORKERS_BUSY,
  WORKER_ROUNDS,
  REGISTRY_UP,
  WRITABLE,
  EPOCH,
  RELATIONS,
  UNFIT,
  TUPLES_WRITABLE,
  UNFINISHED,
  UNFINISHED_AGE,
  FINISHED,
  ANCHORS_REMOVED,
  ANCHOR_PASSES,
  STORE_CALLS,
  STORE_ERRORS,
  STORE_ROWS,
  STORE_MUTATIONS,
  N_METRICS,
} MetricId;

typedef struct
{
  const gchar *name;
  MetricType type;
  const gchar *help;
} Metric;

static const Metric metrics[N_METRICS] = {
  [BUILD_INFO] = { "kvsqld_build_info", GAUGE, "Always 1; the labels say what runs" },
  [START_TIME]
  = { "process_start_time_seconds", GAUGE, "When the daemon started, in seconds of UNIX time" },
  [RESIDENT] = { "process_resident_memory_bytes", GAUGE, "Memory of the process, in RAM" },
  [CONNECTIONS] = { "kvsqld_connections", GAUGE, "Connections that are open" },
  [CONNECTIONS_ACCEPTED] = { "kvsqld_connections_accepted_total", COUNTER, "Connections let in" },
  [CONNECTIONS_REFUSED] = { "kvsqld_connections_refused_total", COUNTER,
                            "Connections refused by max_connections or max_connections_per_peer" },
  [CONNECTIONS_DISPLACED] = { "kvsqld_connections_displaced_total", COUNTER,
                              "Idle connections closed because all places were taken" },
  [CONNECTIONS_DROPPED] = { "kvsqld_connections_dropped_total", COUNTER,
                            "Connections ended by an error, the client's or ours" },
  [REQUESTS] = { "kvsqld_requests_total", COUNTER, "Requests of any kind" },
  [RECEIVED] = { "kvsqld_received_bytes_total", COUNTER, "Bytes received from clients" },
  [SENT] = { "kvsqld_sent_bytes_total", COUNTER, "Bytes sent to clients" },
  [IN_FLIGHT] = { "kvsqld_in_flight_bytes", GAUGE, "Bytes of requests and replies that are held" },
  [STATEMENTS] = { "kvsqld_statements_total", COUNTER, "Statements that ended, by outcome" },
  [DURATIONS] = { "kvsqld_statement_duration_seconds", HISTOGRAM, "How long statements took" },
  [RUNNING] = { "kvsqld_running_statements", GAUGE, "Statements that run now" },
  [WAITING] = { "kvsqld_waiting_statements", GAUGE, "Of them, those that wait for a turn" },
  [SLOW] = { "kvsqld_slow_statements_total", COUNTER, "Statements over slow_statement_ms" },
  [ROWS] = { "kvsqld_result_rows_total", COUNTER, "Rows given to clients" },
  [PAGES] = { "kvsqld_pages_total", COUNTER, "Pages of results given to clients" },
  [TUPLES] = { "kvsqld_tuples_changed_total", COUNTER, "Tuples written or deleted" },
  [MEMORY] = { "kvsqld_statement_memory_bytes", GAUGE,
               "Memory of all statements and kept scans, as max_memory counts it" },
  [PLANS] = { "kvsqld_kept_plans", GAUGE, "Plans kept for statements that come again" },
  [PLANS_FOUND]
  = { "kvsqld_kept_plans_used_total", COUNTER, "Statements that were run by a kept plan" },
  [PLANS_MISSED]
  = { "kvsqld_kept_plans_missed_total", COUNTER, "Statements without parameters that had none" },
  [SHAPES] = { "kvsqld_statement_shapes", GAUGE, "Shapes of statements that are counted" },
  [SHAPES_EVICTED] = { "kvsqld_statement_shapes_evicted_total", COUNTER,
                       "Shapes that were evicted because there were too many" },
  [PREPARED] = { "kvsqld_prepared_statements", GAUGE, "Prepared statements" },
  [CURSORS] = { "kvsqld_warm_cursors", GAUGE, "Scans kept between the pages of results" },
  [WORKERS_BUSY] = { "kvsqld_helpers_busy", GAUGE, "Threads that read parts of long scans now" },
  [WORKER_ROUNDS]
  = { "kvsqld_helper_turns_total", COUNTER,
      "Parts of long scans that were read by other threads than the connection's own" },
  [REGISTRY_UP] = { "kvsqld_registry_up", GAUGE, "1 if the registry answers" },
  [WRITABLE] = { "kvsqld_definitions_writable", GAUGE, "1 if definitions can be changed" },
  [EPOCH] = { "kvsqld_definitions_epoch", GAUGE, "Epoch of the definitions that are served" },
  [RELATIONS] = { "kvsqld_relations", GAUGE, "Relations that are defined" },
  [UNFIT] = { "kvsqld_unfit_cells_total", COUNTER, "Cells that scans met and that fit no layout" },
  [TUPLES_WRITABLE] = { "kvsqld_tuples_writable", GAUGE,
                        "0 if this daemon writes nothing because of the write protocol" },
  [UNFINISHED] = { "kvsqld_unfinished_statements", GAUGE,
                   "Statements of daemons that ended in the middle, or do not know the outcome" },
  [UNFINISHED_AGE] = { "kvsqld_unfinished_statement_age_seconds", GAUGE,
                       "How long ago the oldest unfinished statement began" },
  [FINISHED]
  = { "kvsqld_tuples_finished_total", COUNTER, "Tuples whose write was finished here for others" },
  [ANCHORS_REMOVED] = { "kvsqld_anchors_removed_total", COUNTER,
                        "Anchors of deleted tuples and undefined relations, removed here" },
  [ANCHOR_PASSES]
  = { "kvsqld_anchor_cleanups_total", COUNTER, "Passes over all anchors that were completed here" },
  [STORE_CALLS]
  = { "kvsqld_store_call_duration_seconds", HISTOGRAM, "How long calls of the store took" },
  [STORE_ERRORS] = { "kvsqld_store_errors_total", COUNTER, "Calls of the store that failed" },
  [STORE_ROWS] = { "kvsqld_store_rows_read_total", COUNTER, "Rows read from the store" },
  [STORE_MUTATIONS] = { "kvsqld_store_mutations_total", COUNTER, "Cells put and deleted" },
};

static const gchar *const kind_names[KVSQLD_N_REQUEST_KINDS]
    = { "other", "select", "insert", "update", "delete", "define", "maintain", "fetch", "prepare" };
static const gchar *const outcome_names[KVSQLD_N_OUTCOMES]
    = { "ok", "refused", "limit", "timeout", "killed", "unavailable", "unknown", "failed" };

/* ---- lines */

static void
begin (GString *out, const gchar *name, MetricType type, const gchar *help)
{
  static const gchar *const types[] = { "counter", "gauge", "histogram" };

  g_string_append_printf (out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, types[type]);
}

static void
print (GString *out, MetricId id, gint64 value)
{
  begin (out, metrics[id].name, metrics[id].type, metrics[id].help);
  g_string_append_printf (out, "%s %" G_GINT64_FORMAT "\n", metrics[id].name, value);
}

static void
append_seconds (GString *out, gint64 us)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_formatd (text, sizeof text, "%.10g", (gdouble)us / 1e6));
}

static void
append_label (GString *out, const gchar *text, gsize size)
{
  for (const gchar *at = text; at < text + size && *at != '\0'; at++)
    if (*at == '\n')
      g_string_append (out, "\\n");
    else
      g_string_append_printf (out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
}

static void
print_histogram (GString *out, const gchar *name, const gchar *label, const gchar *value,
                 const KvsqlHistogram *histogram)
{
  gint64 n = 0;

  for (guint i = 0; i <= KVSQL_N_BUCKETS; i++)
    {
      n += kvsql_count_get (&histogram->buckets[i]);
      g_string_append_printf (out, "%s_bucket{%s=\"%s\",le=\"", name, label, value);
      if (i < KVSQL_N_BUCKETS)
        append_seconds (out, kvsql_bucket_bounds_us[i]);
      else
        g_string_append (out, "+Inf");
      g_string_append_printf (out, "\"} %" G_GINT64_FORMAT "\n", n);
    }
  g_string_append_printf (out, "%s_sum{%s=\"%s\"} ", name, label, value);
  append_seconds (out, kvsql_count_get (&histogram->sum_us));
  g_string_append_printf (out, "\n%s_count{%s=\"%s\"} %" G_GINT64_FORMAT "\n", name, label, value,
                          n);
}

/* ---- the parts */

static void
print_process (GString *out, const KvsqldService *service)
{
  gint64 age_us = g_get_monotonic_time () - service->started_us;

  begin (out, metrics[BUILD_INFO].name, GAUGE, metrics[BUILD_INFO].help);
  g_string_append_printf (out, "%s{version=\"%s\",store=\"%s\"} 1\n", metrics[BUILD_INFO].name,
                          KVSQL_VERSION, service->store->klass->name);
  print (out, START_TIME, (g_get_real_time () - age_us) / G_TIME_SPAN_SECOND);
  print (out, RESIDENT, kvsqld_metrics_get_resident_bytes ());
}

static void
print_connections (GString *out, const KvsqldConnectionStatus *rpc)
{
  print (out, CONNECTIONS, rpc->n_connections);
  print (out, CONNECTIONS_ACCEPTED, (gint64)rpc->n_accepted);
  print (out, CONNECTIONS_REFUSED, (gint64)rpc->n_refused);
  print (out, CONNECTIONS_DISPLACED, (gint64)rpc->n_displaced);
  print (out, CONNECTIONS_DROPPED, (gint64)rpc->n_dropped);
  print (out, REQUESTS, (gint64)rpc->n_requests);
  print (out, RECEIVED, (gint64)rpc->bytes_in);
  print (out, SENT, (gint64)rpc->bytes_out);
  print (out, IN_FLIGHT, (gint64)rpc->bytes_in_flight);
}

static void
print_statements (GString *out, const KvsqldService *service)
{
  const KvsqldMetrics *counted = &service->metrics;
  const Metric *statements = &metrics[STATEMENTS], *durations = &metrics[DURATIONS];
  KvsqldWorkerPoolReport workers;

  begin (out, statements->name, COUNTER, statements->help);
  for (guint w = 0; w < KVSQLD_N_REQUEST_KINDS; w++)
    for (guint o = 0; o < KVSQLD_N_OUTCOMES; o++)
      g_string_append_printf (out, "%s{kind=\"%s\",outcome=\"%s\"} %" G_GINT64_FORMAT "\n",
                              statements->name, kind_names[w], outcome_names[o],
                              kvsql_count_get (&counted->n_statements[w][o]));
  begin (out, durations->name, HISTOGRAM, durations->help);
  for (guint w = 0; w < KVSQLD_N_REQUEST_KINDS; w++)
    print_histogram (out, durations->name, "kind", kind_names[w], &counted->durations[w]);
  print (out, RUNNING, kvsql_count_get (&service->n_running));
  print (out, WAITING, kvsqld_turns_count_waiting (service->turns));
  print (out, SLOW, kvsql_count_get (&counted->n_slow));
  print (out, ROWS, kvsql_count_get (&counted->n_rows_given));
  print (out, PAGES, kvsql_count_get (&counted->n_pages));
  print (out, TUPLES, kvsql_count_get (&counted->n_tuples_changed));
  print (out, MEMORY, (gint64)kvsql_account_get_used (service->account));
  print (out, PLANS, kvsqld_plan_cache_get_size (service->plans));
  print (out, PLANS_FOUND, kvsql_count_get (&counted->n_plans_found));
  print (out, PLANS_MISSED, kvsql_count_get (&counted->n_plans_missed));
  print (out, SHAPES, kvsqld_statement_statistics_get_size (service->shapes));
  print (out, SHAPES_EVICTED, kvsqld_statement_statistics_get_n_evicted (service->shapes));
  print (out, PREPARED, kvsqld_statements_get_size (service->statements));
  print (out, CURSORS, kvsqld_cursors_get_size (service->cursors, NULL));
  kvsqld_worker_pool_report (service->workers, &workers);
  print (out, WORKERS_BUSY, workers.n_busy);
  print (out, WORKER_ROUNDS, workers.n_rounds);
}

static void
print_definitions (GString *out, KvsqldService *service)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (service->definitions);
  KvsqldStatus status;

  kvsqld_service_get_status (service, &status);
  print (out, REGISTRY_UP, status.last_error == NULL);
  print (out, WRITABLE, status.definitions_writable);
  print (out, EPOCH, status.epoch);
  print (out, RELATIONS, catalog->entries->len);
  print (out, UNFIT, (gint64)kvsqld_undecodable_counts_sum (service->undecodable));
  print (out, TUPLES_WRITABLE, status.writes_refused == NULL);
  kvsqld_status_clear (&status);
}

static void
print_recovery (GString *out, KvsqldService *service)
{
  KvsqldRecoveryStatus status;
  gint64 age_ms;

  if (service->recovery == NULL)
    return;
  kvsqld_recovery_get_status (service->recovery, &status);
  age_ms = status.n_left > 0 ? g_get_real_time () / 1000 - status.oldest_ms : 0;
  if (status.is_known)
    {
      print (out, UNFINISHED, status.n_left);
      print (out, UNFINISHED_AGE, MAX (0, age_ms) / 1000);
    }
  print (out, FINISHED, (gint64)status.n_finished);
  g_free (status.last_error);
}

static void
print_cleanup (GString *out, KvsqldService *service)
{
  KvsqldAnchorCleanupStatus status;

  if (service->cleanup == NULL)
    return;
  kvsqld_anchor_cleanup_get_status (service->cleanup, &status);
  print (out, ANCHORS_REMOVED, (gint64)(status.n_dead + status.n_orphaned));
  print (out, ANCHOR_PASSES, (gint64)status.n_passes);
  g_free (status.last_error);
}

static void
print_store (GString *out, const KvsqlStoreUsage *usage)
{
  begin (out, metrics[STORE_CALLS].name, HISTOGRAM, metrics[STORE_CALLS].help);
  for (guint i = 0; i < KVSQL_N_STORE_CALLS; i++)
    print_histogram (out, metrics[STORE_CALLS].name, "call",
                     kvsql_store_call_get_name ((KvsqlStoreCallKind)i), &usage->durations[i]);
  begin (out, metrics[STORE_ERRORS].name, COUNTER, metrics[STORE_ERRORS].help);
  for (guint i = 0; i < KVSQL_N_STORE_CALLS; i++)
    g_string_append_printf (
        out, "%s{call=\"%s\"} %" G_GINT64_FORMAT "\n", metrics[STORE_ERRORS].name,
        kvsql_store_call_get_name ((KvsqlStoreCallKind)i), kvsql_count_get (&usage->n_errors[i]));
  print (out, STORE_ROWS, kvsql_count_get (&usage->n_rows_read));
  print (out, STORE_MUTATIONS, kvsql_count_get (&usage->n_mutations));
}

/* ---- facts of a store: reported item by item, and printed metric by metric */

typedef struct
{
  GPtrArray *names;    /* of metrics, in the order of their first report */
  GHashTable *by_name; /* name -> GString of its lines */
} Facts;

/* kvsqld_store_gateway_connections_in_use; a counter ends in _total. */
static gchar *
name_fact (const KvsqlFact *fact)
{
  g_autofree gchar *words = g_strconcat ("kvsqld_store_", fact->group == NULL ? "" : fact->group,
                                         fact->group == NULL ? "" : "_", fact->name,
                                         fact->kind == KVSQL_FACT_COUNTER ? "_total" : "", NULL);

  return g_strcanon (g_steal_pointer (&words), G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_", '_');
}

static void
add_fact (const KvsqlFact *fact, gpointer data)
{
  g_autofree gchar *name = name_fact (fact);
  gboolean is_text = fact->kind == KVSQL_FACT_TEXT;
  Facts *self = data;
  GString *lines = g_hash_table_lookup (self->by_name, name);

  if (is_text && g_str_has_suffix (fact->name, "error")) /* a message */
    return;
  if (lines == NULL)
    {
      lines = g_string_new (NULL);
      begin (lines, name, fact->kind == KVSQL_FACT_COUNTER ? COUNTER : GAUGE, fact->name);
      g_hash_table_insert (self->by_name, g_strdup (name), lines);
      g_ptr_array_add (self->names, g_strdup (name));
    }
  g_string_append (lines, name);
  if (fact->group != NULL || is_text)
    g_string_append_c (lines, '{');
  if (fact->group != NULL)
    {
      g_string_append_printf (lines, "%s=\"", fact->group);
      append_label (lines, fact->item, strlen (fact->item));
      g_string_append (lines, is_text ? "\"," : "\"");
    }
  if (is_text)
    {
      g_string_append (lines, "is=\"");
      append_label (lines, fact->text, MIN (strcspn (fact->text, ":"), MAX_LABEL));
      g_string_append_c (lines, '"');
    }
  if (fact->group != NULL || is_text)
    g_string_append_c (lines, '}');
  g_string_append_printf (lines, " %" G_GINT64_FORMAT "\n", is_text ? 1 : fact->number);
}

static void
free_lines (gpointer lines)
{
  g_string_free (lines, TRUE);
}

static void
print_facts (GString *out, KvsqlStore *store)
{
  Facts facts = { .names = g_ptr_array_new_with_free_func (g_free),
                  .by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_lines) };

  kvsql_store_report (store, add_fact, &facts);
  for (guint i = 0; i < facts.names->len; i++)
    {
      const GString *lines = g_hash_table_lookup (facts.by_name, facts.names->pdata[i]);

      g_string_append_len (out, lines->str, (gssize)lines->len);
    }
  g_hash_table_unref (facts.by_name);
  g_ptr_array_unref (facts.names);
}

gchar *
kvsqld_metrics_print (KvsqldService *service, const KvsqldConnectionStatus *rpc)
{
  GString *out = g_string_new (NULL);

  print_process (out, service);
  print_connections (out, rpc);
  print_statements (out, service);
  print_recovery (out, service);
  print_cleanup (out, service);
  print_definitions (out, service);
  print_store (out, &service->store->usage);
  print_facts (out, service->store);
  return g_string_free (out, FALSE);
}
