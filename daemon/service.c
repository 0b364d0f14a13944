/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service.c: the life of a request: circumstances, parsing, dispatch.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "daemon/service-private.h"

#define DEFAULT_PAGE_ROWS 5000
#define DEFAULT_PAGE_BYTES (1024 * 1024)
#define MAX_PAGE_BYTES (8 * 1024 * 1024)
#define MAX_PAGE_ROWS 1000000
#define SWEEP_SECONDS 10
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
#undef DEFAULT
  out->page_bytes = MIN (out->page_bytes, MAX_PAGE_BYTES);
  out->page_rows = MIN (out->page_rows, MAX_PAGE_ROWS);
}

void
kvsqld_service_set_limits (KvsqldService *self, const KvsqldServiceLimits *limits)
{
  KvsqldServiceLimits filled;

  fill_defaults (limits, &filled);
  g_mutex_lock (&self->mutex);
  self->limits = filled;
  g_mutex_unlock (&self->mutex);
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
  self->statements = kvsqld_statements_new ();
  self->store_url = g_strdup (store_url);
  self->registry_url = g_strdup (registry_url);
  self->started_us = g_get_monotonic_time ();
  self->unparsable = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unparsable_free);
  kvsqld_service_set_limits (self, limits);
  self->definitions = kvsqld_definitions_new (registry_url, error);
  if (self->definitions == NULL)
    {
      kvsqld_service_free (self);
      return NULL;
    }
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
  kvsqld_plan_cache_free (self->plans);
  kvsqld_statements_free (self->statements);
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
    .definitions_writable = kvsqld_definitions_is_writable (self->definitions),
    .trouble = kvsqld_definitions_describe_trouble (self->definitions),
  };
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
kvsqld_task_begin (KvsqldTask *self, KvsqldService *service, const KvsqldRequest *request)
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
  self->call.deadline_us = g_get_monotonic_time () + timeout_ms * 1000;
  self->call.cancellable = self->request->cancellable;
  self->catalog = kvsqld_definitions_enter (service->definitions);
  self->arena = kvsql_arena_new ();
  self->now = g_get_real_time () / 1000;
}

void
kvsqld_task_end (KvsqldTask *self)
{
  kvsql_arena_free (self->arena);
  kvsqld_definitions_leave (self->service->definitions, self->catalog);
  g_clear_pointer (&self->statistics, g_hash_table_unref);
  g_clear_pointer (&self->kept, kvsqld_plan_unref);
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
                              .sort_disk_bytes = self->limits.sort_disk_bytes };
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
  [KVSQL_STATEMENT_BACKFILL] = { kvsqld_run_backfill, TRUE },
  [KVSQL_STATEMENT_VERIFY] = { kvsqld_run_verify, FALSE },
  [KVSQL_STATEMENT_REPAIR] = { kvsqld_run_verify, TRUE },
};

KvsqldPage *
kvsqld_task_run (KvsqldTask *self, GError **error)
{
  if (self->request->is_read_only && kinds[self->statement->kind].writes)
    {
      kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, self->statement->span,
                       "the request is read-only, and this statement writes");
      return NULL;
    }
  if (self->n_parameters != self->statement->n_parameters)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "the statement has %u parameters, but %u were given",
                       self->statement->n_parameters, self->n_parameters);
      return NULL;
    }
  if (!kvsql_call_check (&self->call, error) || !kvsqld_task_run_subqueries (self, FALSE, error))
    return NULL;
  return kinds[self->statement->kind].run (self, error);
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
find_plan (KvsqldTask *task, KvsqlSlice sql, guint n_parameters)
{
  KvsqldPlanCache *plans = task->service->plans;

  if (n_parameters > 0)
    return FALSE;
  task->kept = kvsqld_plan_cache_find (plans, sql, task->catalog, task->statistics);
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

  kvsqld_task_begin (&task, self, request);
  if (find_plan (&task, sql, n_parameters) || parse (&task, sql, error))
    {
      task.keeps_plan = task.keeps_plan && kvsqld_plan_can_be_kept (task.statement);
      keep_parameters (&task, parameters, n_parameters);
      page = kvsqld_task_run (&task, error);
    }
  kvsqld_task_end (&task);
  return page;
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
describe_prepared (KvsqldTask *task, gint64 id, const Plans *plans)
{
  KvsqldPrepared *prepared = g_new0 (KvsqldPrepared, 1);
  const KvsqlStatement *statement = task->statement;

  prepared->id = id;
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
  KvsqldPrepared *prepared = NULL;
  KvsqldTask task;
  Plans plans;

  kvsqld_task_begin (&task, self, request);
  if (parse (&task, sql, error) && plan_prepared (&task, &plans, error))
    {
      g_autoptr (KvsqldParsed) parsed = kvsqld_parsed_new (task.arena, task.sql, task.statement);
      gint64 id
          = kvsqld_statements_add (self->statements, parsed, task.limits.max_statements, error);
      if (id != 0)
        prepared = describe_prepared (&task, id, &plans);
      task.arena = NULL;
    }
  kvsqld_task_end (&task);
  return prepared;
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
  kvsqld_task_begin (&task, self, request);
  task.parsed = parsed;
  task.sql = parsed->sql;
  task.statement = parsed->statement;
  keep_parameters (&task, parameters, n_parameters);
  page = kvsqld_task_run (&task, error);
  kvsqld_task_end (&task);
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

  kvsqld_task_begin (&task, self, request);
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
  kvsqld_task_end (&task);
  return ok;
}
