/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service.c: processes a request: context, parsing, dispatch.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "core/base/interrupt.h"
#include "daemon/log/redact.h"
#include "core/engine/backup.h"
#include "core/engine/explain.h"
#include "core/engine/prepare.h"
#include "core/engine/definitions.h"
#include "daemon/backfill/report.h"
#include "daemon/service/service-private.h"

#define DEFAULT_PAGE_ROWS 5000
#define DEFAULT_PAGE_BYTES (1024 * 1024)
#define MAX_PAGE_BYTES (8 * 1024 * 1024)
#define MAX_PAGE_ROWS 1000000
#define SWEEP_SECONDS 5
#define MAX_AHEAD_BYTES (8 * 1024 * 1024)
#define DEFAULT_SORT_DISK_BYTES (G_GUINT64_CONSTANT (8) << 30)

/* ---- construction */

static void
fill_defaults (const KvsqldServiceLimits *given, KvsqldServiceLimits *out)
{
  static const KvsqldServiceLimits nothing = { 0 };

  *out = given == NULL ? nothing : *given;
  if (given == NULL)
    out->sort_disk_bytes = DEFAULT_SORT_DISK_BYTES;
#define DEFAULT(field, value) out->field = out->field == 0 ? (value) : out->field
  DEFAULT (page_rows, DEFAULT_PAGE_ROWS);
  DEFAULT (page_bytes, DEFAULT_PAGE_BYTES);
  DEFAULT (request_timeout_ms, 60 * 1000);
  DEFAULT (sort_bytes, 64 * 1024 * 1024);
  DEFAULT (max_statements, 10000);
  DEFAULT (max_session_statements, 1000);
  DEFAULT (max_cursors, 200);
  DEFAULT (cursor_idle_s, 60);
  DEFAULT (timestamp_lease_s, 3600);
  DEFAULT (max_statement_bytes, KVSQL_MAX_STATEMENT_BYTES);
  DEFAULT (max_running_statements, 1000);
  DEFAULT (max_statement_memory, 256 * 1024 * 1024);
  DEFAULT (max_memory, (gsize)2 * 1024 * 1024 * 1024);
  DEFAULT (scan_workers, g_get_num_processors ());
  DEFAULT (scan_serial_rows, 16384);
#undef DEFAULT
  out->page_bytes = MIN (out->page_bytes, MAX_PAGE_BYTES);
  out->page_rows = MIN (out->page_rows, MAX_PAGE_ROWS);
  out->sort_bytes = MIN (out->sort_bytes, out->max_statement_memory / 2);
}

void
kvsqld_service_set_limits (KvsqldService *self, const KvsqldServiceLimits *limits)
{
  KvsqldServiceLimits filled;

  fill_defaults (limits, &filled);
  g_mutex_lock (&self->mutex);
  self->limits = filled;
  g_mutex_unlock (&self->mutex);
  /* a statement uses one worker less, so it never has all of them */
  kvsqld_worker_pool_set_size (self->workers, MAX (filled.scan_workers, g_get_num_processors ()));
}

static gboolean
sweep (gpointer user_data)
{
  KvsqldService *self = user_data;
  gint64 idle_us;

  g_mutex_lock (&self->mutex);
  idle_us = self->limits.cursor_idle_s * G_TIME_SPAN_SECOND;
  g_mutex_unlock (&self->mutex);
  kvsqld_cursors_sweep (self->cursors, idle_us);
  kvsqld_trim_if_worth (&self->trim);
  return G_SOURCE_CONTINUE;
}

/* Removes the prepared statements of a session that ends. */
static void
on_session_ended (gint64 session_id, gpointer user_data)
{
  KvsqldService *self = user_data;

  kvsqld_statements_end_session (self->statements, session_id);
}

static GSource *
new_sweeper (KvsqldService *self)
{
  GSource *source = g_timeout_source_new_seconds (SWEEP_SECONDS);

  kvsqld_trim_if_worth (&self->trim);
  g_source_set_callback (source, sweep, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

/* In a store that other daemons may write to, timestamps need the common clock. */
static void
use_common_clock (KvsqldService *self)
{
  if ((self->store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0)
    return;
  self->clock = kvsqld_clock_new (kvsqld_definitions_get_registry (self->definitions),
                                  self->limits.timestamp_lease_s);
  kvsql_engine_set_time (self->engine, kvsqld_clock_read, kvsqld_clock_stamp, self->clock);
}

KvsqldService *
kvsqld_service_new (KvsqlStore *store, const gchar *store_url, const gchar *registry_url,
                    const KvsqldServiceLimits *limits, GError **error)
{
  KvsqldService *self = g_new0 (KvsqldService, 1);

  g_mutex_init (&self->mutex);
  self->store = store;
  self->engine = kvsql_engine_new (store);
  self->cursors = kvsqld_cursors_new ();
  self->plans = kvsqld_plan_cache_new ();
  self->activity = kvsqld_activity_new ();
  self->workers = kvsqld_worker_pool_new ();
  self->account = kvsql_account_new (NULL);
  self->statements = kvsqld_statements_new ();
  kvsqld_activity_set_ended (self->activity, on_session_ended, self);
  self->store_url = g_strdup (store_url);
  self->registry_url = kvsqld_redact_urls (registry_url);
  self->started_us = g_get_monotonic_time ();
  self->undecodable = kvsqld_undecodable_counts_new ();
  kvsqld_service_set_limits (self, limits);
  self->definitions = kvsqld_definitions_new (registry_url, error);
  if (self->definitions == NULL)
    {
      kvsqld_service_free (self);
      return NULL;
    }
  use_common_clock (self);
  self->backfills = kvsqld_backfills_new (self->engine, self->definitions);
  self->sweeper = new_sweeper (self);
  return self;
}

void
kvsqld_service_free (KvsqldService *self)
{
  if (self == NULL)
    return;
  if (self->sweeper != NULL)
    {
      g_source_destroy (self->sweeper);
      g_source_unref (self->sweeper);
    }
  kvsqld_backfills_free (self->backfills);
  kvsqld_cursors_free (self->cursors);     /* before the store that their scans read */
  kvsqld_worker_pool_free (self->workers); /* after the cursors that submit jobs */
  kvsqld_plan_cache_free (self->plans);
  kvsqld_activity_free (self->activity);
  kvsql_account_unref (self->account);
  kvsqld_statements_free (self->statements);
  kvsqld_clock_free (self->clock);
  kvsqld_definitions_free (self->definitions);
  kvsql_engine_free (self->engine);
  kvsql_store_close (self->store);
  kvsqld_undecodable_counts_free (self->undecodable);
  g_clear_pointer (&self->statistics, g_hash_table_unref);
  g_free (self->store_url);
  g_free (self->registry_url);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
kvsqld_service_get_status (KvsqldService *self, KvsqldStatus *out)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);

  *out = (KvsqldStatus){
    .store_url = self->store_url,
    .registry_url = self->registry_url,
    .epoch = MAX (catalog->epoch, 0),
  };
  out->last_error
      = kvsqld_definitions_describe_last_error (self->definitions, &out->definitions_writable);
}

/* If a deadline passed long ago, the activity is stuck. */
static gboolean
is_stuck (gint64 deadline_us, gint64 grace_us)
{
  return deadline_us != 0 && g_get_monotonic_time () > deadline_us + grace_us;
}

const gchar *
kvsqld_service_find_stuck (KvsqldService *self, gint64 grace_us)
{
  if (is_stuck (kvsqld_activity_get_first_deadline (self->activity), grace_us))
    return "a statement";
  if (is_stuck (kvsqld_definitions_get_load_deadline (self->definitions), grace_us))
    return "reading the definitions";
  return NULL;
}

KvsqldActivity *
kvsqld_service_get_activity (KvsqldService *self)
{
  return self->activity;
}

/* ---- a request */

static gboolean
check_call (gconstpointer data, GError **error)
{
  return kvsql_call_check (data, error);
}

void
kvsqld_context_begin (KvsqldContext *self, KvsqldService *service, const KvsqldRequest *request,
                      KvsqlSlice sql)
{
  static const KvsqldRequest plain = { 0 };
  gint64 timeout_ms;

  *self = (KvsqldContext){ .service = service, .request = request == NULL ? &plain : request };
  g_mutex_lock (&service->mutex);
  self->limits = service->limits;
  if (service->statistics != NULL)
    self->statistics = g_hash_table_ref (service->statistics);
  g_mutex_unlock (&service->mutex);
  timeout_ms = self->request->timeout_ms > 0
                   ? MIN (self->request->timeout_ms, self->limits.request_timeout_ms)
                   : self->limits.request_timeout_ms;
  self->began_us = g_get_monotonic_time ();
  kvsql_count_add (&service->n_running, 1);
  self->text = sql;
  self->account = kvsql_account_new (service->account);
  self->previous_account = kvsql_account_enter (self->account);
  self->usage = (KvsqlUsage){ .account = self->account,
                              .max_bytes = self->limits.max_statement_memory,
                              .all = service->account,
                              .max_all_bytes = self->limits.max_memory,
                              .retained_bytes = kvsqld_statements_get_bytes (service->statements),
                              .n_sharers = &service->n_running };
  if (self->request->session != NULL)
    self->killable = kvsqld_session_begin (self->request->session, sql, &self->usage,
                                           self->began_us + timeout_ms * 1000, &self->id);
  if (kvsql_account_get_used (service->account) > self->limits.max_memory)
    kvsqld_cursors_sweep (service->cursors, 0);
  self->call = (KvsqlCall){
    .deadline_us = self->began_us + timeout_ms * 1000,
    .cancellable = self->killable != NULL ? self->killable : self->request->cancellable,
    .usage = &self->usage,
  };
  kvsql_interrupt_enter (&self->interrupt, check_call, &self->call);
  self->catalog = kvsqld_definitions_enter (service->definitions);
  self->arena = kvsql_arena_new ();
  self->now = g_get_real_time () / 1000;
}

/* Adds the killer to the error of a statement that was interrupted. */
static void
set_killer_in_error (const gchar *killer, GError **error)
{
  g_autofree gchar *detail = NULL;

  if (g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    g_prefix_error (error, "killed by %s: ", killer);
  if (!g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE))
    return;
  detail = g_strdup (kvsql_error_get_detail (*error));
  g_clear_error (error);
  kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE, "killed by %s", killer);
  if (detail != NULL)
    kvsql_error_detail (error, "%s", detail);
}

static void
set_timeout_message (const KvsqldContext *self, GError **error)
{
  if (!g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE)
      || g_get_monotonic_time () < self->call.deadline_us || kvsql_error_get_hint (*error) != NULL)
    return;
  kvsql_error_hint (
      error,
      "It had %" G_GINT64_FORMAT " ms; the daemon's configuration allows %" G_GINT64_FORMAT
      " (request_timeout_ms).",
      (self->call.deadline_us - self->began_us) / 1000, self->limits.request_timeout_ms);
}

static void
count_outcome (const KvsqldContext *self, gboolean is_killed, const GError *error)
{
  KvsqldOutcome outcome = kvsqld_outcome_of_error (error);

  if (is_killed && outcome == KVSQLD_OUTCOME_TIMEOUT)
    outcome = KVSQLD_OUTCOME_KILLED;
  kvsqld_metrics_note (&self->service->metrics, self->kind, outcome,
                       g_get_monotonic_time () - self->began_us);
}

void
kvsqld_context_end (KvsqldContext *self, gboolean ok, GError **error)
{
  gboolean is_killed = FALSE;

  kvsql_interrupt_leave (&self->interrupt);
  if (!ok && error != NULL && *error != NULL)
    set_timeout_message (self, error);
  if (self->killable != NULL)
    {
      g_autofree gchar *killer = kvsqld_session_finish (self->request->session, ok);

      if (killer != NULL && !ok && error != NULL && *error != NULL)
        set_killer_in_error (killer, error);
      is_killed = killer != NULL;
    }
  count_outcome (self, is_killed, ok || error == NULL ? NULL : *error);
  kvsqld_context_log_if_slow (self, error == NULL ? NULL : *error);
  kvsql_count_add (&self->service->n_running, -1);
  g_clear_object (&self->killable);
  kvsql_arena_free (self->arena);
  g_clear_pointer (&self->undecodable, kvsqld_undecodable_cells_free);
  kvsqld_definitions_leave (self->service->definitions, self->catalog);
  g_clear_pointer (&self->statistics, g_hash_table_unref);
  g_clear_pointer (&self->kept, kvsqld_plan_unref);
  kvsql_account_enter (self->previous_account);
  g_clear_pointer (&self->account, kvsql_account_unref);
}

static gint64
session_of (const KvsqldRequest *request)
{
  return request != NULL && request->session != NULL ? kvsqld_session_get_id (request->session) : 0;
}

gint64
kvsqld_context_get_session (const KvsqldContext *self)
{
  return session_of (self->request);
}

KvsqlPageBounds
kvsqld_context_get_page_bounds (const KvsqldContext *self)
{
  const KvsqldRequest *request = self->request;

  return (KvsqlPageBounds){ .max_rows = request->max_rows > 0
                                            ? MIN (request->max_rows, MAX_PAGE_ROWS)
                                            : self->limits.page_rows,
                            .max_bytes = request->max_bytes > 0
                                             ? MIN (request->max_bytes, MAX_PAGE_BYTES)
                                             : self->limits.page_bytes };
}

void
kvsqld_context_adopt_account (KvsqldContext *self, KvsqlAccount *account)
{
  KvsqlAccount *own = self->account;

  self->account = kvsql_account_ref (account);
  self->usage.account = account;
  kvsql_account_enter (account);
  kvsql_account_unref (own);
}

gboolean
kvsqld_context_admit (const KvsqldContext *self, GError **error)
{
  if (kvsql_count_get (&self->service->n_running) <= self->limits.max_running_statements)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE, "%u statements run already",
                   self->limits.max_running_statements);
  return kvsql_error_hint (error,
                           "Repeat it later, or raise max_running_statements in the daemon's "
                           "configuration; SHOW STATEMENTS says what runs.");
}

void
kvsqld_context_pause (KvsqldContext *self)
{
  kvsqld_definitions_leave (self->service->definitions, g_steal_pointer (&self->catalog));
}

void
kvsqld_context_resume (KvsqldContext *self)
{
  self->catalog = kvsqld_definitions_enter (self->service->definitions);
}

KvsqlBinder
kvsqld_context_get_binder (const KvsqldContext *self)
{
  return (KvsqlBinder){ .parameters = self->parameters,
                        .n_parameters = self->n_parameters,
                        .statistics = self->statistics,
                        .now = self->now,
                        .arena = self->arena };
}

KvsqlSelectLimits
kvsqld_context_get_select_limits (const KvsqldContext *self)
{
  guint64 asked = self->request->max_scan_rows, most = self->limits.max_scan_rows;

  return (KvsqlSelectLimits){ .max_scan_rows = asked == 0  ? most
                                               : most == 0 ? asked
                                                           : MIN (asked, most),
                              .sort_bytes = self->limits.sort_bytes,
                              .sort_directory = self->limits.sort_directory,
                              .sort_disk_bytes = self->limits.sort_disk_bytes,
                              .workers = self->service->workers,
                              .n_workers = self->limits.scan_workers - 1,
                              .serial_rows = self->limits.scan_serial_rows,
                              .ahead_bytes
                              = MIN (MAX_AHEAD_BYTES, self->limits.max_statement_memory / 8),
                              .expected_rows
                              = self->parsed == NULL ? 0 : kvsqld_parsed_get_rows (self->parsed) };
}

static void
note_skipped (const KvsqlSchema *schema, guint64 n, const gchar *const *samples, guint n_samples,
              gpointer data)
{
  KvsqldContext *self = data;

  kvsqld_undecodable_counts_add (self->service->undecodable, schema->name, n, samples, n_samples);
  kvsqld_undecodable_cells_add (&self->undecodable, schema, n);
}

static GPtrArray *
list_history (const gchar *name, gpointer data, GError **error)
{
  const KvsqldContext *self = data;

  return kvsqld_definitions_list_history (self->service->definitions, name, &self->call, error);
}

static gboolean
copy_definitions (const gchar *folder, gint64 *out_epoch, gpointer data, GError **error)
{
  const KvsqldContext *self = data;
  g_autoptr (KvsqldSnapshot) snapshot
      = kvsqld_definitions_load (self->service->definitions, &self->call, error);

  if (snapshot == NULL || (folder != NULL && !kvsqld_snapshot_export (snapshot, folder, error)))
    return FALSE;
  *out_epoch = snapshot->epoch;
  return TRUE;
}

static gchar *
describe_filling (const KvsqlSchema *schema, gpointer data)
{
  const KvsqldContext *self = data;

  return kvsqld_backfills_describe_state (self->service->backfills, schema);
}

KvsqlExecution
kvsqld_context_get_execution (KvsqldContext *self)
{
  return (KvsqlExecution){ .engine = self->service->engine,
                           .catalog = self->catalog,
                           .binder = kvsqld_context_get_binder (self),
                           .limits = kvsqld_context_get_select_limits (self),
                           .call = &self->call,
                           .data = self,
                           .skipped = note_skipped,
                           .list_history = list_history,
                           .copy_definitions = copy_definitions,
                           .describe_filling = describe_filling };
}

gboolean
kvsqld_context_run_subqueries (KvsqldContext *self, GError **error)
{
  KvsqlExecution execution;
  const KvsqlAstStatement *statement;

  if (!kvsql_subqueries_are_possible (self->statement))
    return kvsql_interrupt_poll (error);
  execution = kvsqld_context_get_execution (self);
  statement = kvsql_execute_subqueries (&execution, self->statement, error);
  if (statement == NULL)
    return FALSE;
  self->statement = statement;
  return TRUE;
}

static KvsqlResultPage *
run_backup (KvsqldContext *context, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);

  return kvsql_execute_backup (&execution, context->statement, context->limits.backup_directory,
                               error);
}

static const struct
{
  KvsqlResultPage *(*run) (KvsqldContext *context, GError **error);
  gboolean writes;
} kinds[] = {
  [KVSQL_STATEMENT_DEFINE_RELATION] = { kvsqld_run_definition, TRUE },
  [KVSQL_STATEMENT_DEFINE_SCHEMA] = { kvsqld_run_definition, TRUE },
  [KVSQL_STATEMENT_DROP] = { kvsqld_run_definition, TRUE },
  [KVSQL_STATEMENT_SHOW] = { kvsqld_run_show, FALSE },
  [KVSQL_STATEMENT_DESCRIBE] = { kvsqld_run_describe, FALSE },
  [KVSQL_STATEMENT_INSERT] = { kvsqld_run_write, TRUE },
  [KVSQL_STATEMENT_SELECT] = { kvsqld_run_select, FALSE },
  [KVSQL_STATEMENT_UPDATE] = { kvsqld_run_write, TRUE },
  [KVSQL_STATEMENT_DELETE] = { kvsqld_run_write, TRUE },
  [KVSQL_STATEMENT_EXPLAIN] = { kvsqld_run_explain, FALSE },
  [KVSQL_STATEMENT_ALTER] = { kvsqld_run_definition, TRUE },
  [KVSQL_STATEMENT_COMMENT] = { kvsqld_run_definition, TRUE },
  [KVSQL_STATEMENT_ANALYZE] = { kvsqld_run_analyze, FALSE },
  [KVSQL_STATEMENT_BACKUP] = { run_backup, TRUE },
  [KVSQL_STATEMENT_BACKFILL] = { kvsqld_run_backfill, TRUE },
  [KVSQL_STATEMENT_VERIFY] = { kvsqld_run_verify, FALSE },
  [KVSQL_STATEMENT_REPAIR] = { kvsqld_run_verify, TRUE },
  [KVSQL_STATEMENT_KILL] = { kvsqld_run_kill, FALSE },
  [KVSQL_STATEMENT_RESTORE] = { kvsqld_run_definition, TRUE },
};

static gboolean
check_parameters (const KvsqldContext *self, GError **error)
{
  if (self->n_parameters == self->statement->n_parameters)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                          "the statement has %u parameters, but %u were given",
                          self->statement->n_parameters, self->n_parameters);
}

gboolean
kvsqld_context_may_execute (const KvsqldContext *self, const KvsqlAstStatement *statement,
                            GError **error)
{
  return !self->request->is_read_only || !kinds[statement->kind].writes
         || kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, statement->span,
                             "the request is read-only, and this statement writes");
}

KvsqlResultPage *
kvsqld_context_run (KvsqldContext *self, GError **error)
{
  gboolean writes = kinds[self->statement->kind].writes;
  KvsqlResultPage *page;

  /* now, because the statement may move to its cursor */
  self->kind = kvsqld_request_kind_of_statement (self->statement->kind);
  if (!kvsqld_context_may_execute (self, self->statement, error) || !check_parameters (self, error)
      || (self->statement->kind != KVSQL_STATEMENT_SHOW
          && self->statement->kind != KVSQL_STATEMENT_KILL && !kvsqld_context_admit (self, error))
      || !kvsql_statement_check_comments (self->statement, error)
      || !kvsql_call_check (&self->call, error) || !kvsqld_context_run_subqueries (self, error))
    return NULL;
  page = kinds[self->statement->kind].run (self, error);
  /* a result that was cut short; what was written stays written */
  if (page != NULL && !writes && !kvsql_interrupt_poll (error))
    g_clear_pointer (&page, kvsql_result_page_free);
  if (page != NULL && page->affected > 0)
    kvsql_count_add (&self->service->metrics.n_tuples_changed, page->affected);
  if (page != NULL)
    kvsqld_undecodable_cells_note (self->undecodable, page);
  return page;
}

static gboolean
check_size (const KvsqldContext *context, KvsqlSlice sql, GError **error)
{
  if (sql.size <= context->limits.max_statement_bytes)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                          "the statement has %" G_GSIZE_FORMAT
                          " bytes, more than the limit of %" G_GSIZE_FORMAT,
                          sql.size, context->limits.max_statement_bytes)
         || kvsql_error_hint (error,
                              "Send rows by insertRows, or as parameters of a prepared statement.");
}

/* Parses the text. Text and AST are in the context's arena. */
static gboolean
parse (KvsqldContext *context, KvsqlSlice sql, GError **error)
{
  if (!check_size (context, sql, error))
    return FALSE;
  context->sql = kvsql_slice_dup (context->arena, sql);
  context->statement = kvsql_parser_parse (context->sql, context->arena, error);
  return context->statement != NULL;
}

static void
copy_parameters (KvsqldContext *context, const KvsqlValue *parameters, guint n_parameters)
{
  KvsqlValue *kept = kvsql_arena_array (context->arena, KvsqlValue, n_parameters);

  for (guint i = 0; i < n_parameters; i++)
    kept[i] = kvsql_value_dup (&parameters[i], context->arena);
  context->parameters = kept;
  context->n_parameters = n_parameters;
}

/* Uses the cached plan of this text; then there is nothing to parse. */
static gboolean
find_plan (KvsqldContext *context, KvsqlSlice sql)
{
  KvsqldPlanCache *plans = context->service->plans;
  KvsqldMetrics *metrics = &context->service->metrics;

  context->kept = kvsqld_plan_cache_find (plans, sql, context->catalog, context->statistics);
  kvsql_count_add (context->kept != NULL ? &metrics->n_plans_found : &metrics->n_plans_missed, 1);
  if (context->kept == NULL)
    {
      context->caches_plan = kvsqld_plan_cache_wants (plans, sql);
      return FALSE;
    }
  context->sql = context->kept->sql;
  context->statement = context->kept->statement;
  return TRUE;
}

KvsqlResultPage *
kvsqld_service_query (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                      const KvsqlValue *parameters, guint n_parameters, GError **error)
{
  KvsqlResultPage *page = NULL;
  KvsqldContext context;

  kvsqld_context_begin (&context, self, request, sql);
  if (find_plan (&context, sql) || parse (&context, sql, error))
    {
      context.caches_plan = context.caches_plan && kvsqld_plan_is_cacheable (context.statement);
      copy_parameters (&context, parameters, n_parameters);
      page = kvsqld_context_run (&context, error);
    }
  kvsqld_context_end (&context, page != NULL, error);
  return page;
}

GPtrArray *
kvsqld_service_partition (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                          const KvsqlValue *parameters, guint n_parameters, guint n_wanted,
                          GError **error)
{
  GPtrArray *cursors = NULL;
  KvsqldContext context;

  kvsqld_context_begin (&context, self, request, sql);
  copy_parameters (&context, parameters, n_parameters);
  if (parse (&context, sql, error) && check_parameters (&context, error)
      && kvsql_call_check (&context.call, error))
    cursors = kvsqld_context_partition (&context, n_wanted, error);
  kvsqld_context_end (&context, cursors != NULL, error);
  return cursors;
}

/* ---- prepared statements */

/* Checks the statement, and describes it. The statement is stored with its subqueries, which are
 * run at each execution. */
static KvsqldPrepared *
prepare (KvsqldContext *context, GError **error)
{
  const KvsqlAstStatement *statement = context->statement;
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  KvsqlResultColumn *columns;
  guint n_columns;

  if (!kvsql_execute_prepare (&execution, statement, &columns, &n_columns, error))
    return NULL;
  return kvsqld_prepared_new (statement->parameter_names, statement->n_parameters, columns,
                              n_columns);
}

/* What is held between requests may take half of max_memory, so that running statements have the
 * other half. Prepared statements have half of that. */
static KvsqldStatementBounds
statement_bounds (const KvsqldServiceLimits *limits)
{
  return (KvsqldStatementBounds){ .max = limits->max_statements,
                                  .max_of_session = limits->max_session_statements,
                                  .max_bytes = limits->max_memory / KVSQLD_PREPARED_PART,
                                  .max_bytes_of_session
                                  = limits->max_memory / KVSQLD_SESSION_PART };
}

/* Moves the statement from the context into the session. The session's account holds only the
 * tree. */
static gint64
store_prepared (KvsqldContext *context, const KvsqldPrepared *prepared, GError **error)
{
  const KvsqldStatementBounds bounds = statement_bounds (&context->limits);
  g_autoptr (KvsqldParsed) parsed
      = kvsqld_parsed_new (g_steal_pointer (&context->arena), context->sql, context->statement,
                           prepared->columns, prepared->n_columns);

  return kvsqld_statements_add (context->service->statements, kvsqld_context_get_session (context),
                                parsed, kvsql_account_get_used (context->account), &bounds, error);
}

KvsqldPrepared *
kvsqld_service_prepare (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                        GError **error)
{
  g_autoptr (KvsqldPrepared) prepared = NULL;
  KvsqldContext context;
  gboolean ok;

  kvsqld_context_begin (&context, self, request, sql);
  context.kind = KVSQLD_REQUEST_PREPARE;
  if (parse (&context, sql, error))
    prepared = prepare (&context, error);
  if (prepared != NULL && kvsql_call_check (&context.call, error))
    prepared->id = store_prepared (&context, prepared, error);
  ok = prepared != NULL && prepared->id != 0;
  kvsqld_context_end (&context, ok, error);
  return ok ? g_steal_pointer (&prepared) : NULL;
}

KvsqlResultPage *
kvsqld_service_execute (KvsqldService *self, const KvsqldRequest *request, gint64 statement_id,
                        const KvsqlValue *parameters, guint n_parameters, GError **error)
{
  g_autoptr (KvsqldParsed) parsed
      = kvsqld_statements_find (self->statements, session_of (request), statement_id, error);
  KvsqlResultPage *page;
  KvsqldContext context;

  if (parsed == NULL)
    return NULL;
  kvsqld_context_begin (&context, self, request, parsed->sql);
  context.parsed = parsed;
  if (!kvsqld_plan_is_cacheable (parsed->statement) || !find_plan (&context, parsed->sql))
    {
      context.sql = parsed->sql;
      context.statement = parsed->statement;
    }
  copy_parameters (&context, parameters, n_parameters);
  page = kvsqld_context_run (&context, error);
  kvsqld_context_end (&context, page != NULL, error);
  return page;
}

gboolean
kvsqld_service_close_statement (KvsqldService *self, const KvsqldRequest *request,
                                gint64 statement_id, GError **error)
{
  return kvsqld_statements_remove (self->statements, session_of (request), statement_id, error);
}

/* ---- EXPLAIN by call */

gboolean
kvsqld_service_explain (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                        const KvsqlValue *parameters, guint n_parameters, gboolean is_analyze,
                        gchar **out_text, gchar **out_json, GError **error)
{
  KvsqldContext context;
  gboolean ok;

  kvsqld_context_begin (&context, self, request, sql);
  copy_parameters (&context, parameters, n_parameters);
  ok = parse (&context, sql, error) && check_parameters (&context, error)
       && (!is_analyze || kvsqld_context_admit (&context, error))
       && kvsqld_context_run_subqueries (&context, error);
  if (ok)
    {
      const KvsqlAstStatement *statement = context.statement->kind == KVSQL_STATEMENT_EXPLAIN
                                               ? context.statement->explain.statement
                                               : context.statement;
      const KvsqlExecution execution = kvsqld_context_get_execution (&context);
      gint64 affected = -1;

      ok = kvsql_explain_statement (&execution, statement, out_text, out_json, error)
           && (!is_analyze
               || (kvsqld_context_may_execute (&context, statement, error)
                   && kvsql_explain_analyze (&execution, statement, out_text, out_json, &affected,
                                             error)))
           && kvsql_interrupt_poll (error);
      if (affected > 0)
        kvsql_count_add (&self->metrics.n_tuples_changed, affected);
    }
  kvsqld_context_end (&context, ok, error);
  return ok;
}
