/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dispatch.c: runs a statement by its kind.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/engine/backup.h"
#include "core/engine/definitions.h"
#include "core/engine/describe.h"
#include "core/engine/explain.h"
#include "core/engine/write.h"
#include "daemon/service/service-private.h"

/* ---- statements that the engine executes alone */

static KvsqlResultPage *
run_describe (KvsqldContext *context, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);

  return kvsql_execute_describe (&execution, &context->statement->describe.name, error);
}

static KvsqlResultPage *
run_write (KvsqldContext *context, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);

  return kvsql_execute_write_page (&execution, context->statement, error);
}

static KvsqlResultPage *
run_explain (KvsqldContext *context, GError **error)
{
  const KvsqlExplain *explain = &context->statement->explain;
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  gint64 affected;
  KvsqlResultPage *page;

  if (explain->is_analyze && !kvsqld_context_may_execute (context, explain->statement, error))
    return NULL;
  page = kvsql_execute_explain (&execution, context->statement, &affected, error);
  if (affected > 0)
    kvsql_count_add (&context->service->metrics.n_tuples_changed, affected);
  return page;
}

static KvsqlResultPage *
run_backup (KvsqldContext *context, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);

  return kvsql_execute_backup (&execution, context->statement, context->limits.backup_directory,
                               error);
}

static KvsqlResultPage *
run_alter (KvsqldContext *context, GError **error)
{
  return context->statement->alter.what == KVSQL_ALTER_ADD_KEY ? kvsqld_run_add_key (context, error)
                                                               : kvsqld_run_alter (context, error);
}

/* The front end of PostgreSQL's protocol makes INSERT and SELECT of it. */
static KvsqlResultPage *
run_copy (KvsqldContext *context, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, context->statement->span,
                   "COPY needs PostgreSQL's protocol");
  kvsql_error_hint (error, "Use psql or another client of PostgreSQL; or kvsqlctl import and "
                           "kvsqlctl export.");
  return NULL;
}

/* ---- all kinds */

static KvsqlResultPage *(*const kinds[]) (KvsqldContext *context, GError **error) = {
  [KVSQL_STATEMENT_DEFINE_RELATION] = kvsqld_run_definition,
  [KVSQL_STATEMENT_DEFINE_SCHEMA] = kvsqld_run_definition,
  [KVSQL_STATEMENT_DROP] = kvsqld_run_definition,
  [KVSQL_STATEMENT_SHOW] = kvsqld_run_show,
  [KVSQL_STATEMENT_DESCRIBE] = run_describe,
  [KVSQL_STATEMENT_INSERT] = run_write,
  [KVSQL_STATEMENT_SELECT] = kvsqld_run_select,
  [KVSQL_STATEMENT_UPDATE] = run_write,
  [KVSQL_STATEMENT_DELETE] = run_write,
  [KVSQL_STATEMENT_TRUNCATE] = kvsqld_run_truncate,
  [KVSQL_STATEMENT_EXPLAIN] = run_explain,
  [KVSQL_STATEMENT_ALTER] = run_alter,
  [KVSQL_STATEMENT_COMMENT] = kvsqld_run_definition,
  [KVSQL_STATEMENT_ANALYZE] = kvsqld_run_analyze,
  [KVSQL_STATEMENT_BACKUP] = run_backup,
  [KVSQL_STATEMENT_BACKFILL] = kvsqld_run_backfill,
  [KVSQL_STATEMENT_VERIFY] = kvsqld_run_verify,
  [KVSQL_STATEMENT_REPAIR] = kvsqld_run_verify,
  [KVSQL_STATEMENT_KILL] = kvsqld_run_kill,
  [KVSQL_STATEMENT_COPY] = run_copy,
  [KVSQL_STATEMENT_RESTORE] = kvsqld_run_definition,
  [KVSQL_STATEMENT_CREATE_TABLE] = kvsqld_run_create_table,
  [KVSQL_STATEMENT_CREATE_INDEX] = kvsqld_run_create_index,
  [KVSQL_STATEMENT_CREATE_VIEW] = kvsqld_run_definition,
  [KVSQL_STATEMENT_CREATE_SEQUENCE] = kvsqld_run_definition,
  [KVSQL_STATEMENT_ROLE] = kvsqld_run_definition,
  [KVSQL_STATEMENT_GRANT] = kvsqld_run_definition,
  [KVSQL_STATEMENT_SET_ROLE] = kvsqld_run_set_role,
  [KVSQL_STATEMENT_RESET] = kvsqld_run_reset,
  [KVSQL_STATEMENT_CALIBRATE] = kvsqld_run_calibrate,
};

gboolean
kvsqld_context_check_parameters (const KvsqldContext *self, GError **error)
{
  if (self->n_parameters == self->statement->n_parameters)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                          "the statement has %u parameters, but %u were given",
                          self->statement->n_parameters, self->n_parameters);
}

KvsqlResultPage *
kvsqld_context_run (KvsqldContext *self, GError **error)
{
  gboolean writes = kvsqld_statement_get_effect (self->statement) != KVSQLD_CHANGES_NOTHING;
  KvsqlResultPage *page;

  /* now, because the statement may move to its cursor */
  self->kind = kvsqld_request_kind_of_statement (self->statement->kind);
  kvsqld_context_note_audited (self);
  if (!kvsqld_context_is_allowed (self, self->statement, error))
    return NULL;
  kvsqld_context_note_shape (self, self->statement);
  if (!kvsqld_context_may_execute (self, self->statement, error)
      || !kvsqld_context_check_parameters (self, error)
      || (self->statement->kind != KVSQL_STATEMENT_SHOW
          && self->statement->kind != KVSQL_STATEMENT_KILL && !kvsqld_context_admit (self, error))
      || !kvsql_statement_check_comments (self->statement, error)
      || !kvsql_call_check (&self->call, error)
      || !kvsqld_context_await_writes (self, self->statement, error)
      || !kvsqld_context_run_subqueries (self, error))
    return NULL;
  page = kinds[self->statement->kind](self, error);
  /* a result that was cut short; what was written stays written */
  if (page != NULL && !writes && !kvsql_interrupt_poll (error))
    g_clear_pointer (&page, kvsql_result_page_free);
  if (page != NULL && page->affected > 0)
    kvsql_count_add (&self->service->metrics.n_tuples_changed, page->affected);
  if (page != NULL)
    self->n_rows = page->affected < 0 && page->rows != NULL ? page->rows->n_rows : page->affected;
  if (page != NULL)
    kvsqld_undecodable_cells_note (self->undecodable, page);
  return page;
}
