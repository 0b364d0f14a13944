/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service.c: construction, limits and status of the service.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "core/write/write-log.h"
#include "daemon/log/redact.h"
#include "daemon/service/service-private.h"

#define DEFAULT_PAGE_ROWS 5000
#define DEFAULT_PAGE_BYTES (1024 * 1024)
#define SWEEP_SECONDS 5
#define DEFAULT_STATEMENT_SHAPES 1000
#define DEFAULT_SORT_DISK_BYTES (G_GUINT64_CONSTANT (8) << 30)

static void
fill_defaults (const KvsqldServiceLimits *given, KvsqldServiceLimits *out)
{
  static const KvsqldServiceLimits nothing = { 0 };

  *out = given == NULL ? nothing : *given;
  if (given == NULL)
    {
      out->sort_disk_bytes = DEFAULT_SORT_DISK_BYTES;
      out->max_statement_shapes = DEFAULT_STATEMENT_SHAPES;
    }
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
  DEFAULT (late_request_s, 3600);
  DEFAULT (delete_grace_s, 86400);
  DEFAULT (max_statement_bytes, KVSQL_MAX_STATEMENT_BYTES);
  DEFAULT (max_running_statements, 1000);
  DEFAULT (max_statement_memory, 256 * 1024 * 1024);
  DEFAULT (max_memory, (gsize)2 * 1024 * 1024 * 1024);
  DEFAULT (scan_workers, g_get_num_processors ());
  DEFAULT (scan_serial_rows, 16384);
#undef DEFAULT
  out->page_bytes = MIN (out->page_bytes, KVSQLD_MAX_PAGE_BYTES);
  out->page_rows = MIN (out->page_rows, KVSQLD_MAX_PAGE_ROWS);
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
  kvsqld_statement_statistics_set_max (self->shapes, filled.max_statement_shapes);
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
  kvsqld_sequences_forget (self->sequences, session_id);
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

/* In a store that other daemons may write to, timestamps need the common clock, and what a daemon
 * leaves in the middle of a write is finished by another one. */
static void
join_others (KvsqldService *self)
{
  if ((self->store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0)
    return;
  self->clock = kvsqld_clock_new (kvsqld_definitions_get_registry (self->definitions),
                                  self->limits.timestamp_lease_s);
  kvsqld_clock_set_ready (self->clock, kvsqld_definitions_confirm, self->definitions);
  kvsql_storage_set_time (self->storage, kvsqld_clock_read, kvsqld_clock_stamp, self->clock);
  kvsql_storage_set_delete_grace (self->storage, self->limits.delete_grace_s * 1000);
  kvsql_storage_set_late (self->storage, self->limits.late_request_s * 1000);
  self->log = kvsql_write_log_new (self->store, kvsqld_clock_get_daemon_id (self->clock));
  kvsql_storage_set_log (self->storage, self->log);
  self->later = kvsqld_later_new ();
  kvsql_storage_set_later (self->storage, kvsqld_later_push, self->later);
  self->protocol = kvsqld_protocol_change_new (self->definitions);
  self->recovery
      = kvsqld_recovery_new (self->storage, self->definitions, self->limits.late_request_s);
  self->cleanup = kvsqld_anchor_cleanup_new (
      self->storage, self->definitions, kvsqld_clock_get_daemon_id (self->clock),
      &(KvsqldAnchorTimes){ .interval_s = self->limits.anchor_cleanup_interval_s,
                            .late_s = self->limits.late_request_s,
                            .grace_s = self->limits.delete_grace_s });
}

KvsqldService *
kvsqld_service_new (KvsqlStore *store, const gchar *store_url, const gchar *registry_url,
                    const KvsqldServiceLimits *limits, GError **error)
{
  KvsqldService *self = g_new0 (KvsqldService, 1);

  g_mutex_init (&self->mutex);
  kvsqld_trim_init (&self->trim);
  self->store = store;
  self->storage = kvsql_storage_new (store);
  self->cursors = kvsqld_cursors_new ();
  self->plans = kvsqld_plan_cache_new ();
  self->shapes = kvsqld_statement_statistics_new ();
  self->activity = kvsqld_activity_new ();
  self->workers = kvsqld_worker_pool_new ();
  self->turns = kvsqld_turns_new (0);
  self->account = kvsql_account_new (NULL);
  self->holdings = kvsql_account_new (self->account);
  self->roles = kvsqld_role_usages_new (self->account);
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
  self->sequences = kvsqld_sequences_new (self->definitions);
  self->logins = kvsqld_logins_new (self->definitions);
  join_others (self);
  self->backfills = kvsqld_backfills_new (self->storage, self->definitions, self->account);
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
  kvsqld_exposure_free (self->exposure);
  kvsqld_anchor_cleanup_free (self->cleanup);
  kvsqld_later_free (self->later);
  kvsqld_recovery_free (self->recovery);
  kvsqld_protocol_change_free (self->protocol);
  kvsqld_backfills_free (self->backfills);
  kvsqld_cursors_free (self->cursors); /* before the store that their scans read */
  kvsqld_turns_free (self->turns);
  kvsqld_worker_pool_free (self->workers); /* after the cursors that submit jobs */
  kvsqld_plan_cache_free (self->plans);
  kvsqld_statement_statistics_free (self->shapes); /* after the cursors that refer to shapes */
  kvsqld_activity_free (self->activity);
  kvsqld_sequences_free (self->sequences);
  kvsqld_logins_free (self->logins);
  kvsqld_role_usages_free (self->roles);
  kvsql_account_unref (self->holdings);
  kvsql_account_unref (self->account);
  kvsqld_statements_free (self->statements);
  kvsqld_clock_free (self->clock);
  kvsqld_definitions_free (self->definitions);
  kvsql_storage_free (self->storage);
  kvsql_write_log_free (self->log);
  kvsql_store_close (self->store);
  kvsqld_undecodable_counts_free (self->undecodable);
  g_free (self->store_url);
  g_free (self->registry_url);
  kvsqld_trim_clear (&self->trim);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
kvsqld_service_get_status (KvsqldService *self, KvsqldStatus *out)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);
  g_autoptr (GError) refusal = NULL;
  g_autofree gchar *change = NULL;

  *out = (KvsqldStatus){
    .store_url = self->store_url,
    .registry_url = self->registry_url,
    .epoch = MAX (catalog->epoch, 0),
  };
  out->last_error
      = kvsqld_definitions_describe_last_error (self->definitions, &out->definitions_writable);
  if (kvsqld_definitions_may_write (self->definitions, catalog, &refusal))
    return;
  out->definitions_writable = out->definitions_writable
                              && kvsqld_definitions_may_change (self->definitions, catalog, NULL);
  change = self->protocol != NULL ? kvsqld_protocol_change_describe (self->protocol) : NULL;
  out->writes_refused = g_strdup_printf ("%s%s%s", refusal->message, change != NULL ? ": " : "",
                                         change != NULL ? change : "");
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

KvsqldLogins *
kvsqld_service_get_logins (KvsqldService *self)
{
  return self->logins;
}

void
kvsqld_service_watch_exposure (KvsqldService *self)
{
  self->exposure = kvsqld_exposure_new (self->definitions);
}

gboolean
kvsqld_service_assume_role (KvsqldService *self, KvsqldIdentity *identity, const gchar *role,
                            GError **error)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);

  return kvsqld_identity_assume (identity, catalog, role, error);
}

KvsqldActivity *
kvsqld_service_get_activity (KvsqldService *self)
{
  return self->activity;
}
