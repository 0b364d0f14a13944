/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * requests.c: the requests of service.h, except those with cursors (read.c).
 */
#include "config.h"

#include "core/engine/explain.h"
#include "core/engine/insert.h"
#include "core/engine/prepare.h"
#include "core/engine/rights.h"
#include "core/engine/show-views.h"
#include "core/sql/parser.h"
#include "daemon/service/service-private.h"

/* ---- text to tree */

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

/* Uses the cached plan of this text; then there is nothing to parse. The plans of the cache are
 * those of the text alone. */
static gboolean
find_plan (KvsqldContext *context, KvsqlSlice sql)
{
  KvsqldPlanCache *plans = context->service->plans;
  KvsqldMetrics *metrics = &context->service->metrics;

  if (context->is_verified)
    return FALSE;
  context->kept = kvsqld_plan_cache_find (plans, sql, context->catalog);
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

/* ---- statements as text */

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
  if (parse (&context, sql, error) && kvsqld_context_is_allowed (&context, context.statement, error)
      && kvsqld_context_check_parameters (&context, error)
      && kvsql_call_check (&context.call, error))
    {
      kvsqld_context_note_shape (&context, context.statement);
      cursors = kvsqld_context_partition (&context, n_wanted, error);
    }
  kvsqld_context_end (&context, cursors != NULL, error);
  return cursors;
}

/* ---- prepared statements */

/* Gives the engine the declared types of parameters, and where it notes the types of their
 * places. */
static void
declare_types (const KvsqldContext *context, KvsqlExecution *execution)
{
  const KvsqldRequest *request = context->request;
  guint n = context->statement->n_parameters;
  KvsqlType *declared = kvsql_arena_array (context->arena, KvsqlType, n);
  KvsqlType *types = kvsql_arena_array (context->arena, KvsqlType, n);

  for (guint i = 0; i < n; i++)
    {
      declared[i] = i < request->n_parameter_types ? request->parameter_types[i] : KVSQL_TYPE_NULL;
      types[i] = KVSQL_TYPE_NULL;
    }
  execution->binder.declared_types = declared;
  execution->binder.place_types = types;
  execution->binder.place_limits = kvsql_arena_array (context->arena, KvsqlLimitKind, n);
}

/* Checks the statement, and moves it from the context. It keeps its subqueries, which are run at
 * each execution. */
static KvsqldParsed *
check_statement (KvsqldContext *context, GError **error)
{
  KvsqlExecution execution = kvsqld_context_get_execution (context);
  KvsqlResultColumn *columns;
  KvsqldParsed *parsed;
  guint n_columns;

  if (context->request->wants_types)
    declare_types (context, &execution);
  if (!kvsql_execute_prepare (&execution, context->statement, &columns, &n_columns, error))
    return NULL;
  parsed = kvsqld_parsed_new (g_steal_pointer (&context->arena), context->sql, context->statement,
                              columns, n_columns, kvsqld_plan_is_cacheable (context->statement));
  parsed->parameter_types = execution.binder.place_types;
  parsed->parameter_limits = execution.binder.place_limits;
  return parsed;
}

static KvsqldStatementBounds
statement_bounds (const KvsqldServiceLimits *limits)
{
  return (KvsqldStatementBounds){ .max = limits->max_statements,
                                  .max_of_session = limits->max_session_statements,
                                  .max_bytes = limits->max_memory / KVSQLD_PREPARED_PART,
                                  .max_bytes_of_session
                                  = limits->max_memory / KVSQLD_SESSION_PART };
}

/* The session's account holds only the tree. Returns the id, or 0. */
static gint64
store_prepared (KvsqldContext *context, KvsqldParsed *parsed, GError **error)
{
  const KvsqldStatementBounds bounds = statement_bounds (&context->limits);

  return kvsqld_statements_add (context->service->statements, kvsqld_context_get_session (context),
                                parsed, kvsql_account_get_used (context->account), &bounds, error);
}

KvsqldPrepared *
kvsqld_service_prepare (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                        GError **error)
{
  g_autoptr (KvsqldParsed) parsed = NULL;
  KvsqldContext context;
  gint64 id = 0;

  kvsqld_context_begin (&context, self, request, sql);
  context.kind = KVSQLD_REQUEST_PREPARE;
  if (parse (&context, sql, error)
      && kvsqld_context_is_allowed (&context, context.statement, error))
    parsed = check_statement (&context, error);
  if (parsed != NULL && kvsql_call_check (&context.call, error))
    id = store_prepared (&context, parsed, error);
  kvsqld_context_end (&context, id != 0, error);
  return id != 0 ? kvsqld_prepared_new (id, parsed) : NULL;
}

KvsqlResultPage *
kvsqld_service_execute (KvsqldService *self, const KvsqldRequest *request, gint64 statement_id,
                        const KvsqlValue *parameters, guint n_parameters, GError **error)
{
  g_autoptr (KvsqldParsed) parsed = kvsqld_statements_find (
      self->statements, kvsqld_request_get_session (request), statement_id, error);
  KvsqlResultPage *page;
  KvsqldContext context;

  if (parsed == NULL)
    return NULL;
  kvsqld_context_begin (&context, self, request, parsed->sql);
  context.parsed = parsed;
  if (!parsed->is_cacheable || !find_plan (&context, parsed->sql))
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
  return kvsqld_statements_remove (self->statements, kvsqld_request_get_session (request),
                                   statement_id, error);
}

/* ---- log-ins */

/* Other reasons to refuse the role are those of its first statement. */
gboolean
kvsqld_service_join_role (KvsqldService *self, const KvsqldRequest *request, GError **error)
{
  g_autoptr (GError) failure = NULL;
  KvsqldContext context;
  gboolean ok;

  kvsqld_context_begin (&context, self, request, KVSQL_SLICE_EMPTY);
  ok = kvsqld_context_is_allowed (&context, NULL, &failure)
       || !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  kvsqld_context_end (&context, ok, &failure);
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&failure));
  return ok;
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
  ok = parse (&context, sql, error)
       && kvsqld_context_is_allowed (&context, context.statement, error)
       && kvsqld_context_check_parameters (&context, error)
       && kvsqld_context_admit (&context, error)
       && (!is_analyze || kvsqld_context_await_writes (&context, context.statement, error))
       && kvsqld_context_run_subqueries (&context, error);
  if (ok)
    {
      const KvsqlAstStatement *statement = context.statement->kind == KVSQL_STATEMENT_EXPLAIN
                                               ? context.statement->explain.statement
                                               : context.statement;
      const KvsqlExecution execution = kvsqld_context_get_execution (&context);
      gint64 affected = -1;

      ok = kvsql_explain_statement (&execution, statement, !is_analyze, out_text, out_json, error)
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

/* ---- definitions */

gboolean
kvsqld_known_definitions_have_view (const KvsqldKnownDefinitions *self, const KvsqlView *view)
{
  return kvsql_execution_may_read_view (self->execution, view);
}

gint64
kvsqld_known_definitions_count_tuples (const KvsqldKnownDefinitions *self,
                                       const KvsqlRelation *relation)
{
  const KvsqlStatistics *found = kvsql_statistics_set_find (self->catalog->statistics, relation);

  return found != NULL ? (gint64)found->n_tuples : -1;
}

const KvsqlResultColumn *
kvsqld_known_definitions_list_view_columns (const KvsqldKnownDefinitions *self,
                                            const KvsqlView *view, guint *out_n)
{
  return kvsql_execution_list_view_columns (self->execution, view, out_n, NULL);
}

gboolean
kvsqld_service_read_definitions (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                                 KvsqldReadDefinitions read, gpointer data, GError **error)
{
  KvsqldContext context;
  gboolean ok;

  kvsqld_context_begin (&context, self, request, sql);
  ok = kvsqld_context_is_allowed (&context, NULL, error) && kvsqld_context_admit (&context, error)
       && kvsql_catalog_check_known (context.catalog, error);
  if (ok)
    {
      const KvsqlExecution execution = kvsqld_context_get_execution (&context);
      const KvsqldKnownDefinitions definitions = { .catalog = context.catalog,
                                                   .authority = &context.authority,
                                                   .execution = &execution };

      ok = read (&definitions, data, error);
    }
  kvsqld_context_end (&context, ok, error);
  return ok;
}

/* ---- insert by columns */

/* An INSERT without values, in the context's arena: what is checked before rows are inserted. */
static KvsqlAstStatement *
make_insert (const KvsqldContext *context, const gchar *relation, const gchar *const *attributes,
             guint n)
{
  KvsqlAstStatement *insert = kvsql_arena_new0 (context->arena, KvsqlAstStatement);

  insert->kind = KVSQL_STATEMENT_INSERT;
  insert->insert.relation = (KvsqlName){ .text = relation };
  insert->insert.attributes = kvsql_arena_array (context->arena, KvsqlName, n);
  insert->insert.n_attributes = n;
  for (guint i = 0; i < n; i++)
    insert->insert.attributes[i] = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = attributes[i] };
  return insert;
}

static gboolean
may_insert (KvsqldContext *context, const KvsqlAstStatement *insert, GError **error)
{
  context->kind = KVSQLD_REQUEST_INSERT;
  if (context->request->is_read_only)
    return kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, KVSQL_SPAN_NONE,
                            "the request is read-only, and insertRows writes");
  return kvsqld_context_is_allowed (context, insert, error) && kvsqld_context_admit (context, error)
         && kvsqld_definitions_may_write (context->service->definitions, context->catalog, error)
         && kvsqld_context_await_writes (context, insert, error);
}

gboolean
kvsqld_service_describe_rows (KvsqldService *self, const KvsqldRequest *request,
                              const gchar *relation, const gchar *const *attributes, guint n,
                              KvsqlArena *arena, KvsqlResultColumn **out_columns, guint *out_n,
                              GError **error)
{
  g_autofree gchar *text = g_strconcat ("INSERT INTO ", relation, NULL);
  const KvsqlAstStatement *insert;
  KvsqldContext context;
  gboolean ok;

  kvsqld_context_begin (&context, self, request, kvsql_slice_from_text (text));
  insert = make_insert (&context, relation, attributes, n);
  ok = may_insert (&context, insert, error);
  if (ok)
    {
      const KvsqlExecution execution = kvsqld_context_get_execution (&context);

      ok = kvsql_describe_insert_columns (&execution, &insert->insert, arena, out_columns, out_n,
                                          error);
    }
  kvsqld_context_end (&context, ok, error);
  return ok;
}

gboolean
kvsqld_service_insert_rows (KvsqldService *self, const KvsqldRequest *request,
                            const gchar *relation, const gchar *const *attributes,
                            const KvsqlBatch *data, gint64 *out_affected, GError **error)
{
  g_autofree gchar *text = g_strconcat ("INSERT INTO ", relation, NULL);
  const KvsqlAstStatement *insert;
  KvsqldContext context;
  guint64 n_written = 0;
  gboolean ok;

  kvsqld_context_begin (&context, self, request, kvsql_slice_from_text (text));
  insert = make_insert (&context, relation, attributes, data->n_columns);
  ok = may_insert (&context, insert, error);
  if (ok)
    {
      const KvsqlExecution execution = kvsqld_context_get_execution (&context);

      kvsqld_context_note_inserted (&context, insert, data->n_columns);
      ok = kvsql_execute_insert_columns (&execution, relation, attributes, data, &n_written, error);
    }
  *out_affected = ok ? data->n_rows : (gint64)n_written;
  kvsql_count_add (&self->metrics.n_tuples_changed, *out_affected);
  context.n_rows = *out_affected;
  kvsqld_context_end (&context, ok, error);
  return ok;
}
