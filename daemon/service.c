/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service.c: the life of a request: circumstances, parsing, dispatch.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "daemon/redact.h"
#include "daemon/service-private.h"

#define DEFAULT_PAGE_ROWS 5000
#define DEFAULT_PAGE_BYTES (1024 * 1024)
#define MAX_PAGE_BYTES (8 * 1024 * 1024)
#define MAX_PAGE_ROWS 1000000
#define SWEEP_SECONDS 10
#define MAX_AHEAD_BYTES (8 * 1024 * 1024)
#define DEFAULT_SORT_DISK_BYTES (G_GUINT64_CONSTANT (8) << 30)

/* ---- life */

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
  DEFAULT (max_cursors, 200);
  DEFAULT (cursor_idle_s, 60);
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
  /* a statement has one less, so it never has them all */
  kvsqld_helpers_set_n (self->helpers, MAX (filled.scan_workers, g_get_num_processors ()));
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
  return G_SOURCE_CONTINUE;
}

static GSource *
new_sweeper (KvsqldService *self)
{
  GSource *source = g_timeout_source_new_seconds (SWEEP_SECONDS);

  g_source_set_callback (source, sweep, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

static void
unparsable_free (gpointer data)
{
  KvsqldUnparsable *self = data;

  for (guint i = 0; i < KVSQL_MAX_SAMPLES; i++)
    g_free (self->samples[i]);
  g_free (self);
}

/* A store that others may write to orders writes by what their clocks say. */
static void
share_clock (KvsqldService *self)
{
  if ((self->store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0)
    return;
  self->clock = kvsqld_clock_new (kvsqld_definitions_get_registry (self->definitions));
  kvsql_engine_set_time (self->engine, kvsqld_clock_read, self->clock);
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
  self->helpers = kvsqld_helpers_new ();
  self->account = kvsql_account_new (NULL);
  self->statements = kvsqld_statements_new ();
  self->store_url = g_strdup (store_url);
  self->registry_url = kvsqld_redact_urls (registry_url);
  self->started_us = g_get_monotonic_time ();
  self->unparsable = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unparsable_free);
  kvsqld_service_set_limits (self, limits);
  self->definitions = kvsqld_definitions_new (registry_url, error);
  if (self->definitions == NULL)
    {
      kvsqld_service_free (self);
      return NULL;
    }
  share_clock (self);
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
  kvsqld_cursors_free (self->cursors); /* before the store that their scans read */
  kvsqld_helpers_free (self->helpers); /* after those who ask them */
  kvsqld_plan_cache_free (self->plans);
  kvsqld_activity_free (self->activity);
  kvsql_account_unref (self->account);
  kvsqld_statements_free (self->statements);
  kvsqld_clock_free (self->clock);
  kvsqld_definitions_free (self->definitions);
  kvsql_engine_free (self->engine);
  kvsql_store_close (self->store);
  g_hash_table_unref (self->unparsable);
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
  out->trouble
      = kvsqld_definitions_describe_trouble (self->definitions, &out->definitions_writable);
}

/* A deadline that is long past: who had to keep it is stuck. */
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

static void
keep_sample (KvsqldUnparsable *self, const gchar *sample)
{
  for (guint i = 0; i < KVSQL_MAX_SAMPLES; i++)
    if (g_strcmp0 (self->samples[i], sample) == 0)
      return;
  g_free (self->samples[self->next]);
  self->samples[self->next] = g_strdup (sample);
  self->next = (self->next + 1) % KVSQL_MAX_SAMPLES;
}

void
kvsqld_service_count_unparsable (KvsqldService *self, const KvsqlSchema *schema, guint64 n,
                                 const gchar *const *samples, guint n_samples)
{
  KvsqldUnparsable *known;

  if (n == 0)
    return;
  g_mutex_lock (&self->mutex);
  known = g_hash_table_lookup (self->unparsable, schema->name);
  if (known == NULL)
    {
      known = g_new0 (KvsqldUnparsable, 1);
      g_hash_table_insert (self->unparsable, g_strdup (schema->name), known);
    }
  known->count += n;
  for (guint i = 0; i < n_samples; i++)
    keep_sample (known, samples[i]);
  g_mutex_unlock (&self->mutex);
}

/* ---- a request */

void
kvsqld_task_begin (KvsqldTask *self, KvsqldService *service, const KvsqldRequest *request,
                   KvsqlSlice sql)
{
  static const KvsqldRequest plain = { 0 };
  gint64 timeout_ms;

  *self = (KvsqldTask){ .service = service, .request = request == NULL ? &plain : request };
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
  self->outer = kvsql_account_enter (self->account);
  self->usage = (KvsqlUsage){ .account = self->account,
                              .max_bytes = self->limits.max_statement_memory,
                              .all = service->account,
                              .max_all_bytes = self->limits.max_memory,
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
  self->catalog = kvsqld_definitions_enter (service->definitions);
  self->arena = kvsql_arena_new ();
  self->now = g_get_real_time () / 1000;
}

/* What was to end soon has ended with an error that does not know why. */
static void
blame (const gchar *killer, GError **error)
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
name_the_time_out (const KvsqldTask *self, GError **error)
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
count_outcome (const KvsqldTask *self, gboolean is_killed, const GError *error)
{
  KvsqldOutcome outcome = kvsqld_outcome_of_error (error);

  if (is_killed && outcome == KVSQLD_OUTCOME_TIMEOUT)
    outcome = KVSQLD_OUTCOME_KILLED;
  kvsqld_metrics_note (&self->service->metrics, self->work, outcome,
                       g_get_monotonic_time () - self->began_us);
}

void
kvsqld_task_end (KvsqldTask *self, gboolean ok, GError **error)
{
  gboolean is_killed = FALSE;

  if (!ok && error != NULL && *error != NULL)
    name_the_time_out (self, error);
  if (self->killable != NULL)
    {
      g_autofree gchar *killer = kvsqld_session_finish (self->request->session, ok);

      if (killer != NULL && !ok && error != NULL && *error != NULL)
        blame (killer, error);
      is_killed = killer != NULL;
    }
  count_outcome (self, is_killed, ok || error == NULL ? NULL : *error);
  kvsqld_task_log_if_slow (self, error == NULL ? NULL : *error);
  kvsql_count_add (&self->service->n_running, -1);
  g_clear_object (&self->killable);
  kvsql_arena_free (self->arena);
  kvsqld_definitions_leave (self->service->definitions, self->catalog);
  g_clear_pointer (&self->statistics, g_hash_table_unref);
  g_clear_pointer (&self->kept, kvsqld_plan_unref);
  kvsql_account_enter (self->outer);
  g_clear_pointer (&self->account, kvsql_account_unref);
}

void
kvsqld_task_adopt_account (KvsqldTask *self, KvsqlAccount *account)
{
  KvsqlAccount *own = self->account;

  self->account = kvsql_account_ref (account);
  self->usage.account = account;
  kvsql_account_enter (account);
  kvsql_account_unref (own);
}

gboolean
kvsqld_task_admit (const KvsqldTask *self, GError **error)
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
kvsqld_task_pause (KvsqldTask *self)
{
  kvsqld_definitions_leave (self->service->definitions, g_steal_pointer (&self->catalog));
}

void
kvsqld_task_resume (KvsqldTask *self)
{
  self->catalog = kvsqld_definitions_enter (self->service->definitions);
}

KvsqlBinder
kvsqld_task_get_binder (const KvsqldTask *self)
{
  return (KvsqlBinder){ .parameters = self->parameters,
                        .n_parameters = self->n_parameters,
                        .statistics = self->statistics,
                        .now = self->now,
                        .arena = self->arena };
}

KvsqlSelectLimits
kvsqld_task_get_select_limits (const KvsqldTask *self)
{
  guint64 asked = self->request->max_scan_rows, most = self->limits.max_scan_rows;

  return (KvsqlSelectLimits){ .max_scan_rows = asked == 0  ? most
                                               : most == 0 ? asked
                                                           : MIN (asked, most),
                              .counts = self->counts,
                              .sort_bytes = self->limits.sort_bytes,
                              .sort_directory = self->limits.sort_directory,
                              .sort_disk_bytes = self->limits.sort_disk_bytes,
                              .helpers = self->service->helpers,
                              .n_helpers = self->limits.scan_workers - 1,
                              .serial_rows = self->limits.scan_serial_rows,
                              .ahead_bytes
                              = MIN (MAX_AHEAD_BYTES, self->limits.max_statement_memory / 8),
                              .expected_rows
                              = self->parsed == NULL ? 0 : kvsqld_parsed_get_rows (self->parsed) };
}

static const struct
{
  KvsqldPage *(*run) (KvsqldTask *task, GError **error);
  gboolean writes;
} kinds[] = {
  [KVSQL_STATEMENT_DEFINE_RELATION] = { kvsqld_run_define_relation, TRUE },
  [KVSQL_STATEMENT_DEFINE_SCHEMA] = { kvsqld_run_define_schema, TRUE },
  [KVSQL_STATEMENT_DROP] = { kvsqld_run_drop, TRUE },
  [KVSQL_STATEMENT_SHOW] = { kvsqld_run_show, FALSE },
  [KVSQL_STATEMENT_DESCRIBE] = { kvsqld_run_describe, FALSE },
  [KVSQL_STATEMENT_INSERT] = { kvsqld_run_insert, TRUE },
  [KVSQL_STATEMENT_SELECT] = { kvsqld_run_select, FALSE },
  [KVSQL_STATEMENT_UPDATE] = { kvsqld_run_update, TRUE },
  [KVSQL_STATEMENT_DELETE] = { kvsqld_run_update, TRUE },
  [KVSQL_STATEMENT_EXPLAIN] = { kvsqld_run_explain, FALSE },
  [KVSQL_STATEMENT_ALTER] = { kvsqld_run_alter, TRUE },
  [KVSQL_STATEMENT_COMMENT] = { kvsqld_run_comment, TRUE },
  [KVSQL_STATEMENT_ANALYZE] = { kvsqld_run_analyze, FALSE },
  [KVSQL_STATEMENT_BACKUP] = { kvsqld_run_backup, TRUE },
  [KVSQL_STATEMENT_BACKFILL] = { kvsqld_run_backfill, TRUE },
  [KVSQL_STATEMENT_VERIFY] = { kvsqld_run_verify, FALSE },
  [KVSQL_STATEMENT_REPAIR] = { kvsqld_run_verify, TRUE },
  [KVSQL_STATEMENT_KILL] = { kvsqld_run_kill, FALSE },
  [KVSQL_STATEMENT_RESTORE] = { kvsqld_run_restore, TRUE },
};

static gboolean
check_parameters (const KvsqldTask *self, GError **error)
{
  if (self->n_parameters == self->statement->n_parameters)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                          "the statement has %u parameters, but %u were given",
                          self->statement->n_parameters, self->n_parameters);
}

KvsqldPage *
kvsqld_task_run (KvsqldTask *self, GError **error)
{
  KvsqldPage *page;

  /* Now: what the statement stands on may go with its cursor. */
  self->work = kvsqld_work_of_statement (self->statement->kind);
  if (self->request->is_read_only && kinds[self->statement->kind].writes)
    {
      kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, self->statement->span,
                       "the request is read-only, and this statement writes");
      return NULL;
    }
  if (!check_parameters (self, error)
      || (self->statement->kind != KVSQL_STATEMENT_SHOW
          && self->statement->kind != KVSQL_STATEMENT_KILL && !kvsqld_task_admit (self, error))
      || !kvsql_call_check (&self->call, error) || !kvsqld_task_run_subqueries (self, FALSE, error))
    return NULL;
  page = kinds[self->statement->kind].run (self, error);
  if (page != NULL && page->affected > 0)
    kvsql_count_add (&self->service->metrics.n_tuples_changed, page->affected);
  return page;
}

static gboolean
check_size (const KvsqldTask *task, KvsqlSlice sql, GError **error)
{
  if (sql.size <= task->limits.max_statement_bytes)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                          "the statement has %" G_GSIZE_FORMAT
                          " bytes, more than the limit of %" G_GSIZE_FORMAT,
                          sql.size, task->limits.max_statement_bytes)
         || kvsql_error_hint (error,
                              "Send rows by insertRows, or as parameters of a prepared statement.");
}

/* Text to AST, both in the task's arena. */
static gboolean
parse (KvsqldTask *task, KvsqlSlice sql, GError **error)
{
  if (!check_size (task, sql, error))
    return FALSE;
  task->sql = kvsql_slice_dup (task->arena, sql);
  task->statement = kvsql_parser_parse (task->sql, task->arena, error);
  return task->statement != NULL;
}

static void
keep_parameters (KvsqldTask *task, const KvsqlValue *parameters, guint n_parameters)
{
  KvsqlValue *kept = kvsql_arena_array (task->arena, KvsqlValue, n_parameters);

  for (guint i = 0; i < n_parameters; i++)
    kept[i] = kvsql_value_dup (&parameters[i], task->arena);
  task->parameters = kept;
  task->n_parameters = n_parameters;
}

/* The text was planned before: then there is nothing to parse. */
static gboolean
find_plan (KvsqldTask *task, KvsqlSlice sql)
{
  KvsqldPlanCache *plans = task->service->plans;
  KvsqldMetrics *metrics = &task->service->metrics;

  task->kept = kvsqld_plan_cache_find (plans, sql, task->catalog, task->statistics);
  kvsql_count_add (task->kept != NULL ? &metrics->n_plans_found : &metrics->n_plans_missed, 1);
  if (task->kept == NULL)
    {
      task->keeps_plan = kvsqld_plan_cache_wants (plans, sql);
      return FALSE;
    }
  task->sql = task->kept->sql;
  task->statement = task->kept->statement;
  return TRUE;
}

KvsqldPage *
kvsqld_service_query (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                      const KvsqlValue *parameters, guint n_parameters, GError **error)
{
  KvsqldPage *page = NULL;
  KvsqldTask task;

  kvsqld_task_begin (&task, self, request, sql);
  if (find_plan (&task, sql) || parse (&task, sql, error))
    {
      task.keeps_plan = task.keeps_plan && kvsqld_plan_can_be_kept (task.statement);
      keep_parameters (&task, parameters, n_parameters);
      page = kvsqld_task_run (&task, error);
    }
  kvsqld_task_end (&task, page != NULL, error);
  return page;
}

GPtrArray *
kvsqld_service_partition (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                          const KvsqlValue *parameters, guint n_parameters, guint n_wanted,
                          GError **error)
{
  GPtrArray *cursors = NULL;
  KvsqldTask task;

  kvsqld_task_begin (&task, self, request, sql);
  keep_parameters (&task, parameters, n_parameters);
  if (parse (&task, sql, error) && check_parameters (&task, error)
      && kvsql_call_check (&task.call, error))
    cursors = kvsqld_task_partition (&task, n_wanted, error);
  kvsqld_task_end (&task, cursors != NULL, error);
  return cursors;
}

/* ---- prepared statements */

/* What a statement gives back, and what is wrong with it. */
typedef struct
{
  const KvsqlSelectPlan *select;
  const KvsqlWritePlan *write;
} Plans;

static gboolean
plan_statement (KvsqldTask *task, Plans *out, GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);

  *out = (Plans){ 0 };
  switch (task->statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      binder.is_prepare = TRUE;
      out->select = kvsql_select_plan_make (task->catalog, &task->statement->select, &binder,
                                            &task->service->store->capabilities, error);
      return out->select != NULL;
    case KVSQL_STATEMENT_INSERT:
      out->write = kvsqld_plan_insert (task, task->statement, TRUE, error);
      return out->write != NULL;
    case KVSQL_STATEMENT_UPDATE:
    case KVSQL_STATEMENT_DELETE:
      out->write = kvsqld_plan_update (task, task->statement, TRUE, error);
      return out->write != NULL;
    default:
      return TRUE;
    }
}

/* What is kept is the statement with its subqueries, which are run anew each time. */
static gboolean
plan_prepared (KvsqldTask *task, Plans *out, GError **error)
{
  const KvsqlStatement *statement = task->statement;
  gboolean ok = kvsqld_task_run_subqueries (task, TRUE, error) && plan_statement (task, out, error);

  task->statement = statement;
  return ok;
}

static KvsqldPrepared *
describe_prepared (const KvsqldTask *task, const Plans *plans)
{
  KvsqldPrepared *prepared = g_new0 (KvsqldPrepared, 1);
  const KvsqlStatement *statement = task->statement;

  prepared->n_parameters = statement->n_parameters;
  prepared->parameter_names = g_new0 (gchar *, statement->n_parameters + 1);
  prepared->parameter_types = g_new0 (KvsqlType, statement->n_parameters + 1);
  for (guint i = 0; i < statement->n_parameters; i++)
    prepared->parameter_names[i] = g_strdup (statement->parameter_names[i]);
  if (plans->select != NULL)
    {
      prepared->n_columns = plans->select->n_items;
      prepared->columns = kvsqld_columns_of_plan (plans->select);
    }
  else if (plans->write != NULL)
    {
      prepared->n_columns = plans->write->n_returning;
      prepared->columns = kvsqld_columns_of_returning (plans->write);
    }
  return prepared;
}

KvsqldPrepared *
kvsqld_service_prepare (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                        GError **error)
{
  g_autoptr (KvsqldPrepared) prepared = NULL;
  g_autoptr (KvsqldParsed) parsed = NULL;
  KvsqldTask task;
  Plans plans;
  gint64 id = 0;

  kvsqld_task_begin (&task, self, request, sql);
  task.work = KVSQLD_WORK_PREPARE;
  if (parse (&task, sql, error) && plan_prepared (&task, &plans, error))
    {
      prepared = describe_prepared (&task, &plans);
      parsed = kvsqld_parsed_new (g_steal_pointer (&task.arena), task.sql, task.statement,
                                  prepared->columns, prepared->n_columns);
      id = kvsqld_statements_add (self->statements, parsed, task.limits.max_statements, error);
      prepared->id = id;
    }
  kvsqld_task_end (&task, id != 0, error);
  return id != 0 ? g_steal_pointer (&prepared) : NULL;
}

KvsqldPage *
kvsqld_service_execute (KvsqldService *self, const KvsqldRequest *request, gint64 statement_id,
                        const KvsqlValue *parameters, guint n_parameters, GError **error)
{
  g_autoptr (KvsqldParsed) parsed = kvsqld_statements_find (self->statements, statement_id, error);
  KvsqldPage *page;
  KvsqldTask task;

  if (parsed == NULL)
    return NULL;
  kvsqld_task_begin (&task, self, request, parsed->sql);
  task.parsed = parsed;
  if (!kvsqld_plan_can_be_kept (parsed->statement) || !find_plan (&task, parsed->sql))
    {
      task.sql = parsed->sql;
      task.statement = parsed->statement;
    }
  keep_parameters (&task, parameters, n_parameters);
  page = kvsqld_task_run (&task, error);
  kvsqld_task_end (&task, page != NULL, error);
  return page;
}

gboolean
kvsqld_service_close_statement (KvsqldService *self, gint64 statement_id, GError **error)
{
  return kvsqld_statements_remove (self->statements, statement_id, error);
}

/* ---- EXPLAIN by call */

gboolean
kvsqld_service_explain (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                        const KvsqlValue *parameters, guint n_parameters, gboolean is_analyze,
                        gchar **out_text, gchar **out_json, GError **error)
{
  KvsqldTask task;
  gboolean ok;

  kvsqld_task_begin (&task, self, request, sql);
  keep_parameters (&task, parameters, n_parameters);
  ok = parse (&task, sql, error) && kvsqld_task_run_subqueries (&task, FALSE, error);
  if (ok)
    {
      const KvsqlStatement *statement = task.statement->kind == KVSQL_STATEMENT_EXPLAIN
                                            ? task.statement->explain.statement
                                            : task.statement;
      ok = kvsqld_explain_statement (&task, statement, out_text, out_json, error);
      if (ok && is_analyze)
        ok = kvsqld_explain_actual (&task, statement, out_text, out_json, error);
    }
  kvsqld_task_end (&task, ok, error);
  return ok;
}
