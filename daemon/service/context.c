/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * context.c: the context of a request: its time, its memory, its limits, and the callbacks of the
 * engine.
 */
#include "config.h"

#include "core/engine/sequence-use.h"
#include "core/plan/expand-views.h"
#include "core/plan/row-items.h"
#include "daemon/backfill/report.h"
#include "daemon/service/service-private.h"

#define MAX_AHEAD_BYTES (8 * 1024 * 1024)

/* ---- begin and end */

static gboolean
check_call (gconstpointer data, GError **error)
{
  KvsqldContext *self = (KvsqldContext *)data;

  return kvsql_call_check (&self->call, error)
         && (!self->takes_turns
             || kvsqld_turn_check (&self->turn, &self->call, g_get_monotonic_time (), error));
}

/* A statement calls nextval () for each of its tuples, so the answer is kept. */
static gboolean
may_use (KvsqldContext *self, const gchar *name, guint rights, GError **error)
{
  if (!self->authority.is_limited
      || (self->used_rights == rights && g_strcmp0 (self->used_sequence, name) == 0))
    return TRUE;
  if (!kvsql_authority_may_use_sequence (&self->authority, self->catalog, name, rights, error))
    return FALSE;
  g_free (self->used_sequence);
  self->used_sequence = g_strdup (name);
  self->used_rights = rights;
  return TRUE;
}

static gboolean
next_number (gpointer context, const gchar *name, gint64 *out, GError **error)
{
  KvsqldContext *self = context;

  if (!may_use (self, name, KVSQL_RIGHT_USAGE | KVSQL_RIGHT_UPDATE, error))
    return FALSE;
  if (self->request->is_read_only)
    return kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, KVSQL_SPAN_NONE,
                            "the request is read-only, and nextval () writes");
  return kvsqld_sequences_next (self->service->sequences, kvsqld_context_get_session (self), name,
                                &self->call, out, error);
}

static gboolean
current_number (gpointer context, const gchar *name, gint64 *out, GError **error)
{
  KvsqldContext *self = context;

  if (name != NULL && !may_use (self, name, KVSQL_RIGHT_USAGE | KVSQL_RIGHT_SELECT, error))
    return FALSE;
  return kvsqld_sequences_current (self->service->sequences, kvsqld_context_get_session (self),
                                   name, out, error);
}

static gboolean
set_number (gpointer context, const gchar *name, gint64 value, gboolean is_called, GError **error)
{
  KvsqldContext *self = context;

  if (!may_use (self, name, KVSQL_RIGHT_UPDATE, error))
    return FALSE;
  if (self->request->is_read_only)
    return kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, KVSQL_SPAN_NONE,
                            "the request is read-only, and setval () writes");
  return kvsqld_sequences_set (self->service->sequences, kvsqld_context_get_session (self), name,
                               value, is_called, &self->call, error);
}

void
kvsqld_context_begin (KvsqldContext *self, KvsqldService *service, const KvsqldRequest *request,
                      KvsqlSlice sql)
{
  static const KvsqldRequest plain = { 0 };
  gint64 timeout_ms;

  *self = (KvsqldContext){ .service = service, .request = request == NULL ? &plain : request };
  self->is_verified = self->request->is_verified;
  g_mutex_lock (&service->mutex);
  self->limits = service->limits;
  g_mutex_unlock (&service->mutex);
  timeout_ms = self->request->timeout_ms > 0
                   ? MIN (self->request->timeout_ms, self->limits.request_timeout_ms)
                   : self->limits.request_timeout_ms;
  self->began_us = g_get_monotonic_time ();
  kvsqld_turn_begin (&self->turn, service->turns, self->began_us);
  kvsql_count_add (&service->n_running, 1);
  self->text = sql;
  self->account = kvsql_account_new (service->account);
  self->previous_account = kvsql_account_enter (self->account);
  self->usage = (KvsqlUsage){ .account = self->account,
                              .max_bytes = self->limits.max_statement_memory,
                              .all = service->account,
                              .max_all_bytes = self->limits.max_memory,
                              .retained_bytes = kvsqld_statements_get_bytes (service->statements)
                                                + kvsql_account_get_used (service->holdings),
                              .n_sharers = &service->n_running,
                              .n_written = self->request->n_written };
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
  kvsql_interrupt_enter (&self->interrupt, check_call, self);
  self->source = (KvsqlSequenceSource){ .next = next_number,
                                        .current = current_number,
                                        .set = set_number,
                                        .fold = kvsql_number_sequence_fold_argument,
                                        .data = self };
  self->previous_source = kvsql_sequence_source_enter (&self->source);
  self->catalog = kvsqld_definitions_enter (service->definitions);
  self->arena = kvsql_arena_new ();
  self->began_ms = g_get_real_time () / 1000;
  self->now = self->began_ms;
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

/* A role that may read a part of the attributes only does not find the others in errors. */
static void
hide_values (GError **error)
{
  const gchar *sqlstate = kvsql_error_get_sqlstate (*error);

  if (g_strcmp0 (sqlstate, "23514") == 0)
    kvsql_error_detail (error, "The role may not read the whole row, so it is not shown.");
  if (!g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_DUPLICATE_KEY))
    return;
  g_free ((*error)->message);
  (*error)->message = g_strdup ("there is a tuple with the same key already");
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
count_outcome (const KvsqldContext *self, gboolean is_killed, gint64 duration_us,
               const GError *error)
{
  KvsqldOutcome outcome = kvsqld_outcome_of_error (error);

  if (is_killed && outcome == KVSQLD_OUTCOME_TIMEOUT)
    outcome = KVSQLD_OUTCOME_KILLED;
  kvsqld_metrics_note (&self->service->metrics, self->kind, outcome, duration_us);
}

void
kvsqld_context_end (KvsqldContext *self, gboolean ok, GError **error)
{
  gboolean is_killed = FALSE;
  gint64 now_us;

  kvsql_sequence_source_enter (self->previous_source);
  kvsql_interrupt_leave (&self->interrupt);
  kvsqld_turn_end (&self->turn);
  if (!ok && error != NULL && *error != NULL)
    set_timeout_message (self, error);
  if (self->killable != NULL)
    {
      g_autofree gchar *killer = kvsqld_session_finish (self->request->session, ok);

      if (killer != NULL && !ok && error != NULL && *error != NULL)
        set_killer_in_error (killer, error);
      is_killed = killer != NULL;
    }
  if (!ok && self->checks_attributes && error != NULL && *error != NULL)
    hide_values (error);
  now_us = g_get_monotonic_time ();
  count_outcome (self, is_killed, now_us - self->began_us, ok || error == NULL ? NULL : *error);
  if (self->shape != NULL)
    kvsqld_context_count_shape (self, ok, now_us - self->began_us);
  kvsqld_context_log_if_slow (self, now_us, error == NULL ? NULL : *error);
  kvsqld_context_audit (self, ok || error == NULL ? NULL : *error);
  kvsql_count_add (&self->service->n_running, -1);
  kvsqld_context_leave_role (self);
  g_clear_object (&self->killable);
  g_free (self->used_sequence);
  kvsql_arena_free (self->arena);
  g_clear_pointer (&self->undecodable, kvsqld_undecodable_cells_free);
  kvsqld_definitions_leave (self->service->definitions, self->catalog);
  g_clear_pointer (&self->kept, kvsqld_plan_unref);
  kvsql_account_enter (self->previous_account);
  g_clear_pointer (&self->account, kvsql_account_unref);
  kvsqld_trim_after_free (&self->service->trim, kvsql_account_get_freed (self->service->account));
}

/* ---- limits */

gint64
kvsqld_request_get_session (const KvsqldRequest *request)
{
  return request != NULL && request->session != NULL ? kvsqld_session_get_id (request->session) : 0;
}

gint64
kvsqld_context_get_session (const KvsqldContext *self)
{
  return kvsqld_request_get_session (self->request);
}

KvsqlPageBounds
kvsqld_context_get_page_bounds (const KvsqldContext *self)
{
  const KvsqldRequest *request = self->request;

  return (KvsqlPageBounds){ .max_rows = request->max_rows > 0
                                            ? MIN (request->max_rows, KVSQLD_MAX_PAGE_ROWS)
                                            : self->limits.page_rows,
                            .max_bytes = request->max_bytes > 0
                                             ? MIN (request->max_bytes, KVSQLD_MAX_PAGE_BYTES)
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
  if (!kvsqld_context_check_role_statements (self, error))
    return FALSE;
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
  const KvsqlRole *role = self->authority.role;

  /* it ends with its catalog */
  self->role = role != NULL ? kvsql_arena_strdup (self->arena, role->name) : NULL;
  self->authority.role = self->authority.login = NULL;
  kvsqld_definitions_leave (self->service->definitions, g_steal_pointer (&self->catalog));
}

void
kvsqld_context_resume (KvsqldContext *self)
{
  self->catalog = kvsqld_definitions_enter (self->service->definitions);
  /* a role that was dropped in the meantime has no rights */
  self->authority.role
      = self->role != NULL ? kvsql_catalog_find_role (self->catalog, self->role) : NULL;
  self->authority.is_limited
      = self->authority.is_limited || (self->role != NULL && self->authority.role == NULL);
}

void
kvsqld_context_begin_undo (KvsqldContext *self, KvsqldUndo *undo, gint64 time_us)
{
  undo->call = self->call;
  self->call.deadline_us = g_get_monotonic_time () + time_us;
  self->call.cancellable = NULL;
  /* the outer one does not forget that it was interrupted */
  kvsql_interrupt_enter (&undo->interrupt, check_call, self);
}

void
kvsqld_context_end_undo (KvsqldContext *self, KvsqldUndo *undo)
{
  kvsql_interrupt_leave (&undo->interrupt);
  self->call = undo->call;
}

/* ---- what the engine needs */

static const gchar *
get_user (const KvsqldContext *self, const KvsqlRole *role)
{
  const KvsqldIdentity *identity = self->request->identity;

  return role != NULL ? role->name : identity != NULL ? identity->user : NULL;
}

KvsqlBinder
kvsqld_context_get_binder (const KvsqldContext *self)
{
  return (KvsqlBinder){ .parameters = self->parameters,
                        .n_parameters = self->n_parameters,
                        .statistics = self->catalog->statistics,
                        .now = self->now,
                        .user = get_user (self, self->authority.role),
                        .session_user = get_user (self, self->authority.login),
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
  const KvsqlStore *store = self->service->store;
  const KvsqlStoreCosts *measured = kvsql_catalog_find_costs (self->catalog, store->klass->name);

  self->capabilities = store->capabilities;
  if (measured != NULL)
    self->capabilities.costs = *measured;
  return (KvsqlExecution){ .storage = self->service->storage,
                           .catalog = self->catalog,
                           .binder = kvsqld_context_get_binder (self),
                           .authority = self->authority,
                           .checks_attributes = self->checks_attributes,
                           .limits = kvsqld_context_get_select_limits (self),
                           .is_verified = self->is_verified,
                           .capabilities = &self->capabilities,
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

  /* a statement with a cached plan has none */
  if (self->kept != NULL
      || (!kvsql_statement_may_be_expanded (self->catalog, self->statement)
          && !kvsql_row_items_are_possible (self->statement)))
    return kvsql_interrupt_poll (error);
  execution = kvsqld_context_get_execution (self);
  statement = kvsql_execute_subqueries (&execution, self->statement, error);
  if (statement == NULL)
    return FALSE;
  /* what the subqueries of a view have given is true for this execution only */
  self->caches_plan = self->caches_plan && statement == self->statement;
  self->statement = statement;
  if (self->audited == KVSQLD_AUDIT_NOTHING)
    kvsqld_context_note_audited (self); /* a view may read a table of the store */
  return TRUE;
}
