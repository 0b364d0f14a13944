/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show.c: SHOW and KILL; the status of this daemon, and the other daemons.
 */
#include "config.h"

#include "core/engine/show.h"
#include "daemon/backfill/report.h"
#include "daemon/service/service-private.h"
#include "daemon/session/show-activity.h"

/* A daemon that has ended is noticed after 10 s, and its writes are finished in the next ones. */
#define LONG_UNFINISHED_S 60

/* ---- SHOW STATUS */

static void add_fact (KvsqlResultPage *page, const gchar *name, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

static void
add_fact (KvsqlResultPage *page, const gchar *name, const gchar *format, ...)
{
  g_autofree gchar *value = NULL;
  va_list args;

  va_start (args, format);
  value = g_strdup_vprintf (format, args);
  va_end (args);
  const gchar *row[] = { name, value };
  kvsql_result_page_add_row (page, row);
}

static void
add_undecodable (const gchar *schema, const KvsqldUndecodableCount *count, gpointer page)
{
  g_autofree gchar *name = g_strdup_printf ("cells that fit no layout, schema %s", schema);

  add_fact (page, name, "%" G_GUINT64_FORMAT, count->n);
  for (guint i = 0; i < KVSQL_MAX_SAMPLES; i++)
    if (count->samples[i] != NULL)
      add_fact (page, "such a cell", "%s", count->samples[i]);
}

static void
add_backfill (KvsqldContext *context, KvsqlResultPage *page, const KvsqlSchema *schema)
{
  g_autofree gchar *name = g_strdup_printf ("backfill of schema %s", schema->name);
  g_autofree gchar *job
      = kvsqld_backfills_describe_job (context->service->backfills, context->catalog, schema);

  if (job != NULL)
    add_fact (page, name, "%s", job);
}

static void
add_backfills (KvsqldContext *context, KvsqlResultPage *page)
{
  for (guint i = 0; i < context->catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = context->catalog->entries->pdata[i];
      for (guint j = 0; j < entry->n_schemas; j++)
        add_backfill (context, page, entry->schemas[j]);
    }
}

/* "gateway 10.0.0.1:9090, connections in use" */
static void
add_store_fact (const KvsqlFact *fact, gpointer page)
{
  g_autofree gchar *name = fact->group != NULL
                               ? g_strdup_printf ("%s %s, %s", fact->group, fact->item, fact->name)
                               : g_strdup_printf ("store: %s", fact->name);

  if (fact->kind == KVSQL_FACT_TEXT)
    add_fact (page, name, "%s", fact->text);
  else
    add_fact (page, name, "%" G_GINT64_FORMAT, fact->number);
}

/* The clock that timestamps come from, in a store without a clock of its own. */
static void
add_clock (KvsqldContext *context, KvsqlResultPage *page)
{
  KvsqldClockStatus status;

  if (context->service->clock == NULL)
    return;
  kvsqld_clock_get_status (context->service->clock, &status);
  if (status.is_known)
    {
      add_fact (page, "common clock",
                "%.1f ms %s this machine's, known to %.1f ms, compared %.1f s ago",
                ABS (status.ahead_us) / 1e3, status.ahead_us < 0 ? "behind" : "ahead of",
                status.uncertainty_us / 1e3, status.age_us / 1e6);
      add_fact (page, "other daemons", "%u", status.n_others);
    }
  else
    add_fact (page, "common clock", "not known, this machine's is used");
  add_fact (page, "timestamp slot", "%s", status.slot);
  if (status.last_error != NULL)
    add_fact (page, "common clock cannot be compared", "%s", status.last_error);
  g_free (status.slot);
  g_free (status.last_error);
}

static void
add_protocol (KvsqldContext *context, const gchar *refusal, KvsqlResultPage *page)
{
  const KvsqlCatalog *catalog = context->catalog;

  if (context->service->protocol == NULL)
    return;
  add_fact (page, "write protocol", "%u%s", catalog->write_protocol,
            catalog->is_protocol_announced ? ", announced" : "");
  add_fact (page, "this daemon may write", "%s%s",
            refusal == NULL ? "yes" : "no: ", refusal == NULL ? "" : refusal);
  if (refusal != NULL)
    kvsql_result_page_warn (page, "%s", refusal);
}

/* Writes that daemons have left. */
static void
add_recovery (KvsqldContext *context, KvsqlResultPage *page)
{
  KvsqldRecoveryStatus status;
  gint64 oldest_s;

  if (context->service->recovery == NULL)
    return;
  kvsqld_recovery_get_status (context->service->recovery, &status);
  oldest_s = MAX (0, g_get_real_time () / 1000 - status.oldest_ms) / 1000;
  if (status.is_known)
    add_fact (page, "unfinished statements", "%u", status.n_left);
  else
    add_fact (page, "unfinished statements", "not known yet");
  if (status.n_left > 0)
    add_fact (page, "oldest unfinished statement", "%" G_GINT64_FORMAT " s", oldest_s);
  if (status.n_left > 0 && oldest_s >= LONG_UNFINISHED_S)
    kvsql_result_page_warn (page,
                            "a statement has not been finished for %" G_GINT64_FORMAT
                            " s (%u in all): schemas may differ in its tuples",
                            oldest_s, status.n_left);
  add_fact (page, "finished statements that may still be late", "%u", status.n_watched);
  add_fact (page, "tuples finished for other statements", "%" G_GUINT64_FORMAT, status.n_finished);
  if (status.last_error != NULL)
    add_fact (page, "unfinished statements cannot be finished", "%s", status.last_error);
  g_free (status.last_error);
}

static gchar *
describe_cleanup (const KvsqlCatalog *catalog, const KvsqldAnchorCleanupStatus *status)
{
  const KvsqlCatalogEntry *entry;

  switch (status->state)
    {
    case KVSQLD_CLEANUP_OFF:
      return g_strdup ("off");
    case KVSQLD_CLEANUP_ELSEWHERE:
      return g_strdup ("left to another daemon");
    case KVSQLD_CLEANUP_RUNS:
      entry = kvsql_catalog_find_id (catalog, status->relation_id);
      return g_strdup_printf ("running, %u %% of relation \"%s\"", status->percent,
                              entry != NULL ? entry->relation->name : "(not defined)");
    default:
      return status->last_ms == 0
                 ? g_strdup ("not yet")
                 : g_strdup_printf ("completed %" G_GINT64_FORMAT " s ago",
                                    MAX (0, g_get_real_time () / 1000 - status->last_ms) / 1000);
    }
}

/* Anchors that no writer needs. */
static void
add_cleanup (KvsqldContext *context, KvsqlResultPage *page)
{
  KvsqldAnchorCleanupStatus status;
  g_autofree gchar *text = NULL;

  if (context->service->cleanup == NULL)
    return;
  kvsqld_anchor_cleanup_get_status (context->service->cleanup, &status);
  text = describe_cleanup (context->catalog, &status);
  add_fact (page, "anchor cleanup", "%s", text);
  add_fact (page, "anchors of deleted tuples removed", "%" G_GUINT64_FORMAT, status.n_dead);
  add_fact (page, "anchors of undefined relations removed", "%" G_GUINT64_FORMAT,
            status.n_orphaned);
  if (status.last_error != NULL)
    add_fact (page, "anchors cannot be removed", "%s", status.last_error);
  g_free (status.last_error);
}

/* Since the daemon started; the same numbers as the metrics. */
static void
add_counts (KvsqlResultPage *page, KvsqldService *service)
{
  const KvsqlStoreUsage *store = &service->store->usage;
  KvsqldTotals totals;

  kvsqld_metrics_sum (&service->metrics, store, &totals);
  add_fact (page, "memory, MiB", "%" G_GINT64_FORMAT, kvsqld_metrics_get_resident_bytes () >> 20);
  add_fact (page, "memory of statements, bytes", "%" G_GSIZE_FORMAT,
            kvsql_account_get_used (service->account));
  add_fact (page, "statements", "%" G_GINT64_FORMAT, totals.n_statements);
  add_fact (page, "failed statements", "%" G_GINT64_FORMAT, totals.n_failed);
  add_fact (page, "slow statements", "%" G_GINT64_FORMAT,
            kvsql_count_get (&service->metrics.n_slow));
  add_fact (page, "microseconds in statements", "%" G_GINT64_FORMAT, totals.statements_us);
  add_fact (page, "rows given", "%" G_GINT64_FORMAT,
            kvsql_count_get (&service->metrics.n_rows_given));
  add_fact (page, "store calls", "%" G_GINT64_FORMAT, totals.n_store_calls);
  add_fact (page, "failed store calls", "%" G_GINT64_FORMAT, totals.n_store_errors);
  add_fact (page, "microseconds in store calls", "%" G_GINT64_FORMAT, totals.store_us);
  add_fact (page, "store rows read", "%" G_GINT64_FORMAT, kvsql_count_get (&store->n_rows_read));
  add_fact (page, "store cells written", "%" G_GINT64_FORMAT,
            kvsql_count_get (&store->n_mutations));
}

static void
add_costs (KvsqlResultPage *page, const KvsqldContext *context)
{
  const KvsqlStoreCosts *costs
      = kvsql_catalog_find_costs (context->catalog, context->service->store->klass->name);
  g_autofree gchar *text = costs != NULL ? kvsql_store_costs_print (costs) : NULL;

  if (text != NULL)
    add_fact (page, "measured costs of the store", "%s", text);
}

static KvsqlResultPage *
show_status (KvsqldContext *context)
{
  static const gchar *const names[] = { "name", "value" };
  KvsqlResultPage *page = kvsql_result_page_new_table (names, 2);
  KvsqldService *service = context->service;
  g_autoptr (GError) error = NULL;
  KvsqldWorkerPoolReport workers;
  KvsqldStatus status;
  gsize cursor_bytes;
  guint n_running;
  KvsqlCall call = { .deadline_us = MIN (context->call.deadline_us,
                                         g_get_monotonic_time () + 2 * G_TIME_SPAN_SECOND),
                     .cancellable = context->call.cancellable };

  kvsqld_service_get_status (service, &status);
  add_fact (page, "version", "%s", KVSQL_VERSION);
  add_fact (page, "uptime", "%" G_GINT64_FORMAT " s",
            (g_get_monotonic_time () - service->started_us) / G_TIME_SPAN_SECOND);
  add_fact (page, "store", "%s", status.store_url);
  if (kvsql_store_ping (service->store, &call, &error))
    add_fact (page, "store answers", "yes");
  else
    add_fact (page, "store answers", "no: %s", error->message);
  kvsql_store_report (service->store, add_store_fact, page);
  add_fact (page, "registry", "%s", status.registry_url);
  add_fact (page, "registry answers", "%s%s", status.last_error == NULL ? "yes" : "no: ",
            status.last_error == NULL ? "" : status.last_error);
  add_fact (page, "definitions can be changed", "%s", status.definitions_writable ? "yes" : "no");
  add_fact (page, "epoch of the definitions", "%" G_GINT64_FORMAT, status.epoch);
  add_protocol (context, status.writes_refused, page);
  add_clock (context, page);
  add_recovery (context, page);
  add_cleanup (context, page);
  add_fact (page, "relations", "%u", context->catalog->entries->len);
  add_fact (page, "roles", "%u",
            context->catalog->roles == NULL ? 0 : g_hash_table_size (context->catalog->roles));
  add_fact (page, "failed log-ins", "%" G_GUINT64_FORMAT,
            kvsqld_logins_get_n_failed (service->logins));
  add_fact (page, "sessions", "%u", kvsqld_activity_count (service->activity, &n_running));
  add_fact (page, "running statements", "%u", n_running);
  add_fact (page, "statements that wait for a turn", "%u",
            kvsqld_turns_count_waiting (service->turns));
  add_counts (page, service);
  add_fact (page, "prepared statements", "%u", kvsqld_statements_get_size (service->statements));
  add_fact (page, "bytes of prepared statements", "%" G_GSIZE_FORMAT,
            kvsqld_statements_get_bytes (service->statements));
  add_fact (page, "relations with statistics", "%u",
            g_hash_table_size (context->catalog->statistics));
  add_costs (page, context);
  add_fact (page, "kept plans", "%u", kvsqld_plan_cache_get_size (service->plans));
  add_fact (page, "statement shapes", "%u, %" G_GINT64_FORMAT " evicted",
            kvsqld_statement_statistics_get_size (service->shapes),
            kvsqld_statement_statistics_get_n_evicted (service->shapes));
  add_fact (page, "warm cursors", "%u", kvsqld_cursors_get_size (service->cursors, &cursor_bytes));
  add_fact (page, "bytes of warm cursors", "%" G_GSIZE_FORMAT, cursor_bytes);
  kvsqld_worker_pool_report (service->workers, &workers);
  add_fact (page, "helpers of long scans",
            "%" G_GINT64_FORMAT " busy, %" G_GINT64_FORMAT " turns so far", workers.n_busy,
            workers.n_rounds);
  if (!context->authority.is_limited)
    {
      /* names of schemas, and cells */
      add_backfills (context, page);
      kvsqld_undecodable_counts_foreach (service->undecodable, add_undecodable, page);
    }
  kvsqld_status_clear (&status);
  return page;
}

/* ---- SHOW DAEMONS */

static KvsqlResultPage *
show_daemons (KvsqldContext *context, GError **error)
{
  static const gchar *const names[] = { "daemon", "epoch", "state" };
  g_autoptr (GPtrArray) daemons
      = kvsqld_definitions_list_daemons (context->service->definitions, &context->call, error);
  KvsqlResultPage *page;

  if (daemons == NULL)
    return NULL;
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  for (guint i = 0; i < daemons->len; i++)
    {
      const KvsqldPeer *peer = daemons->pdata[i];
      gint64 lag = context->catalog->epoch - peer->epoch;
      g_autofree gchar *epoch = g_strdup_printf ("%" G_GINT64_FORMAT, peer->epoch);
      g_autofree gchar *state
          = lag > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT " behind", lag) : g_strdup ("ok");
      const gchar *row[] = { peer->name, epoch, state };

      kvsql_result_page_add_row (page, row);
    }
  return page;
}

/* ---- sessions */

/* A role sees, and may end, its own sessions and those of roles of which it is a member. Those of
 * SUPERUSERs are theirs alone. */
static gboolean
is_visible (gint64 session, const gchar *role, gpointer data)
{
  const KvsqldContext *context = data;
  const KvsqlRole *other = role != NULL ? kvsql_catalog_find_role (context->catalog, role) : NULL;

  return !context->authority.is_limited || session == kvsqld_context_get_session (context)
         || (other != NULL && !other->is_admin
             && kvsql_authority_acts_as (&context->authority, role));
}

KvsqlResultPage *
kvsqld_run_show (KvsqldContext *context, GError **error)
{
  const KvsqlShow *show = &context->statement->show;
  const KvsqlExecution execution = kvsqld_context_get_execution (context);

  switch (show->what)
    {
    case KVSQL_SHOW_STATUS:
      return show_status (context);
    case KVSQL_SHOW_SESSIONS:
      return kvsqld_activity_show_sessions (context->service->activity, is_visible, context);
    case KVSQL_SHOW_STATEMENTS:
      return kvsqld_activity_show_statements (context->service->activity, is_visible, context);
    case KVSQL_SHOW_STATISTICS:
      return kvsqld_show_statement_statistics (context, error);
    case KVSQL_SHOW_DAEMONS:
      return show_daemons (context, error);
    case KVSQL_SHOW_HISTORY:
      return kvsqld_show_history (context, error);
    default:
      return kvsql_execute_show (&execution, show, error);
    }
}

KvsqlResultPage *
kvsqld_run_kill (KvsqldContext *context, GError **error)
{
  return kvsqld_activity_run_kill (context->service->activity, context->statement,
                                   context->request->session, is_visible, context, error);
}

/* ---- SET ROLE */

KvsqlResultPage *
kvsqld_run_set_role (KvsqldContext *context, GError **error)
{
  const KvsqlSetRole *statement = &context->statement->set_role;
  g_autofree gchar *name
      = statement->what == KVSQL_SET_ROLE_NAME ? kvsql_role_fold_name (&statement->name) : NULL;

  if (context->request->identity == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, context->statement->span,
                       "SET ROLE needs a session");
      return NULL;
    }
  if (!kvsqld_identity_set_role (context->request->identity, context->catalog, &context->authority,
                                 name, error))
    {
      (void)kvsql_error_at (error, statement->name.span);
      return NULL;
    }
  return kvsql_result_page_new_empty (-1);
}
