/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * daemon.c: starts the parts in order, reacts to signals, and stops the parts in reverse.
 */
#include "config.h"

#include "daemon/daemon.h"

#include <glib-unix.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "daemon/configuration.h"
#include "daemon/connections/server.h"
#include "daemon/log/audit.h"
#include "daemon/log/log.h"
#include "daemon/metrics/trim.h"
#include "daemon/monitor/metrics-http.h"
#include "daemon/monitor/metrics-text.h"
#include "daemon/log/redact.h"
#include "daemon/postgres/address.h"
#include "daemon/postgres/front-end.h"
#include "daemon/rpc/front-end.h"
#include "daemon/rpc/processor.h"
#include "daemon/service/service.h"
#include "daemon/stores/stores.h"
#include "daemon/systemd.h"

#define STATUS_INTERVAL_S 5
/* A certificate that expires so soon is worth a warning. */
#define SOON_S (14 * 86400)

/* File descriptors of the store, the registry and the metrics. */
#define OTHER_DESCRIPTORS 1024

/* An activity ends soon after its deadline. If it does not, it is stuck, and the service manager is
 * to restart the daemon. */
#define STUCK_AFTER_US (60 * G_TIME_SPAN_SECOND)

typedef struct
{
  KvsqldFlags flags;
  KvsqldConfig *config;
  KvsqldService *service;
  KvsqldFrontEnd *thrift, *postgres;
  KvsqldServer *server;
  KvsqldMetricsHttp *metrics; /* nullable */
  GMainLoop *loop;
  gchar *last_error; /* as last logged */
  gboolean is_stopping;
} Daemon;

/* ---- limits: from the configuration to the parts */

static KvsqldServiceLimits
service_limits (const KvsqldConfig *config)
{
  return (KvsqldServiceLimits){
    .page_rows = (guint)config->page_rows,
    .page_bytes = (gsize)config->page_bytes,
    .request_timeout_ms = config->request_timeout_ms,
    .sort_bytes = (gsize)config->sort_bytes,
    /* a statement may still use it after the configuration has changed */
    .sort_directory
    = config->sort_directory[0] == '\0' ? NULL : g_intern_string (config->sort_directory),
    .backup_directory
    = config->backup_directory[0] == '\0' ? NULL : g_intern_string (config->backup_directory),
    .sort_disk_bytes = (guint64)config->sort_disk_bytes,
    .max_scan_rows = (guint64)config->max_scan_rows,
    .scan_workers = (guint)config->scan_workers,
    .scan_serial_rows = (guint64)config->scan_serial_rows,
    .max_statements = (guint)config->max_prepared_statements,
    .max_session_statements = (guint)config->max_session_statements,
    .max_statement_shapes = (guint)config->max_statement_shapes,
    .max_cursors = (guint)config->max_cursors,
    .cursor_idle_s = (guint)config->cursor_idle_s,
    .timestamp_lease_s = config->timestamp_lease_s,
    .late_request_s = config->late_request_s,
    .delete_grace_s = config->delete_grace_s,
    .anchor_cleanup_interval_s = config->anchor_cleanup_interval_s,
    .max_statement_bytes = (gsize)config->max_statement_bytes,
    .max_running_statements = (guint)config->max_running_statements,
    .max_statement_memory = (gsize)config->max_statement_memory,
    .max_memory = (gsize)config->max_memory,
    .max_result_rows = (guint64)config->max_result_rows,
    .max_result_bytes = (guint64)config->max_result_bytes,
    .slow_statement_ms = config->slow_statement_ms,
  };
}

static KvsqldConnectionLimits
connection_limits (const KvsqldConfig *config)
{
  return (KvsqldConnectionLimits){
    .max_connections = (guint)config->max_connections,
    .max_connections_per_peer = (guint)config->max_connections_per_peer,
    .reserved_connections = (guint)config->reserved_connections,
    .full_idle_timeout_ms = config->full_idle_timeout_s * 1000,
    .max_message_bytes = (guint32)config->max_message_bytes,
    .max_bytes_in_flight = (gsize)config->max_bytes_in_flight,
    .handshake_timeout_ms = config->handshake_timeout_ms,
    .request_timeout_ms = config->read_timeout_ms,
    .write_timeout_ms = config->write_timeout_ms,
    .idle_timeout_ms = config->idle_timeout_s * 1000,
    .spin_us = config->spin_us > 0 ? (gint)config->spin_us : -1,
  };
}

/* Without a free descriptor no client can connect, not even the operator. */
static void
raise_descriptor_limit (const KvsqldConfig *config)
{
  const rlim_t wanted
      = (rlim_t)(config->max_connections + config->reserved_connections + OTHER_DESCRIPTORS);
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
    return;
  limit.rlim_cur = MIN (limit.rlim_max, wanted);
  setrlimit (RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < wanted)
    kvsqld_log (G_LOG_LEVEL_WARNING, NULL,
                "only %" G_GUINT64_FORMAT " files may be open: too few for max_connections, which "
                "may need %" G_GUINT64_FORMAT,
                (guint64)limit.rlim_cur, (guint64)wanted);
}

/* Without a certificate no address has TLS. */
static gboolean
load_encryption (Daemon *self, GError **error)
{
  const KvsqldConfig *config = self->config;
  const KvsqlTlsFiles files
      = { .certificate = config->tls_certificate,
          .key = config->tls_key[0] != '\0' ? config->tls_key : NULL,
          .ca = config->tls_client_ca[0] != '\0' ? config->tls_client_ca : NULL,
          .needs_tls_1_3 = g_str_equal (config->tls_min_version, "1.3") };
  KvsqldEncryption *encryption;
  gint64 left_s;

  if (config->tls_certificate[0] == '\0')
    return TRUE;
  encryption = kvsqld_encryption_load (&files, config->tls_roles, error);
  if (encryption == NULL)
    return FALSE;
  left_s = kvsql_tls_credentials_get_end_s (encryption->credentials)
           - g_get_real_time () / G_TIME_SPAN_SECOND;
  if (left_s <= 0)
    kvsqld_log (G_LOG_LEVEL_WARNING, NULL, "the certificate \"%s\" has expired: clients refuse it",
                config->tls_certificate);
  else if (left_s < SOON_S)
    kvsqld_log (G_LOG_LEVEL_WARNING, NULL,
                "the certificate \"%s\" expires in less than %" G_GINT64_FORMAT " days",
                config->tls_certificate, left_s / 86400 + 1);
  kvsqld_server_set_encryption (self->server, encryption);
  return TRUE;
}

static KvsqldMetricsFiles
metrics_files (const KvsqldConfig *config)
{
  return (KvsqldMetricsFiles){
    .certificate = config->tls_certificate,
    .key = config->tls_key[0] != '\0' ? config->tls_key : config->tls_certificate,
  };
}

/* A certificate that is no good does not replace one that is. */
static void
reload_encryption (Daemon *self)
{
  static const KvsqldLogFields failed = { .message_id = KVSQLD_MESSAGE_RELOAD_FAILED };
  const KvsqldMetricsFiles files = metrics_files (self->config);
  g_autoptr (GError) error = NULL;

  if (!load_encryption (self, &error)
      || (self->metrics != NULL && !kvsqld_metrics_http_renew (self->metrics, &files, &error)))
    kvsqld_log_error (G_LOG_LEVEL_WARNING, &failed, "the certificate is not read again", error);
}

static void
apply_config (Daemon *self)
{
  const KvsqldServiceLimits for_service = service_limits (self->config);
  const KvsqldConnectionLimits for_connections = connection_limits (self->config);
  GLogLevelFlags level = G_LOG_LEVEL_INFO;

  if (kvsqld_log_parse_level (self->config->log_level, &level, NULL))
    kvsqld_log_set_level (level);
  kvsqld_audit_set_enabled (g_str_equal (self->config->audit, "on"));
  raise_descriptor_limit (self->config);
  kvsqld_service_set_limits (self->service, &for_service);
  kvsqld_server_set_limits (self->server, &for_connections);
  reload_encryption (self);
}

/* ---- status */

/* Logs once when the daemon becomes degraded, and once when it has recovered. Both happen without a
 * request. */
static void
log_degradation (Daemon *self, const gchar *last_error)
{
  static const KvsqldLogFields away = { .message_id = KVSQLD_MESSAGE_DEGRADED };
  static const KvsqldLogFields back = { .message_id = KVSQLD_MESSAGE_RECOVERED };

  if (g_strcmp0 (last_error, self->last_error) == 0)
    return;
  if (last_error != NULL)
    kvsqld_log (G_LOG_LEVEL_WARNING, &away, "degraded: %s", last_error);
  else
    kvsqld_log (G_LOG_LEVEL_MESSAGE, &back, "all is well again");
  g_free (self->last_error);
  self->last_error = g_strdup (last_error);
}

static gboolean
refresh_status (gpointer user_data)
{
  Daemon *self = user_data;
  KvsqldConnectionStatus rpc = { 0 };
  KvsqldStatus service = { 0 };
  const gchar *problem;

  kvsqld_server_get_status (self->server, &rpc);
  kvsqld_service_get_status (self->service, &service);
  problem = service.last_error != NULL ? service.last_error : service.writes_refused;
  kvsqld_systemd_status ("%u connections, %" G_GUINT64_FORMAT
                         " requests served, definitions of epoch %" G_GINT64_FORMAT "%s%s",
                         rpc.n_connections, rpc.n_requests, service.epoch,
                         problem != NULL ? "; " : "", problem != NULL ? problem : "");
  log_degradation (self, problem);
  kvsqld_status_clear (&service);
  return G_SOURCE_CONTINUE;
}

/* ---- signals */

static gboolean
on_reload (gpointer user_data)
{
  static const KvsqldLogFields done = { .message_id = KVSQLD_MESSAGE_RELOADED };
  static const KvsqldLogFields failed = { .message_id = KVSQLD_MESSAGE_RELOAD_FAILED };
  Daemon *self = user_data;
  g_autoptr (KvsqldConfig) config = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) changes = NULL;

  kvsqld_systemd_reloading ();
  config = kvsqld_config_load (&self->flags, &error);
  if (config == NULL)
    {
      kvsqld_log_error (G_LOG_LEVEL_WARNING, &failed, "configuration not read again", error);
      kvsqld_systemd_ready ();
      return G_SOURCE_CONTINUE;
    }

  changes = kvsqld_config_changes (self->config, config);
  for (guint i = 0; changes[i] != NULL; i++)
    kvsqld_log (G_LOG_LEVEL_WARNING, &done, "the change of %s takes effect after a restart",
                changes[i]);
  kvsqld_config_free (self->config);
  self->config = g_steal_pointer (&config);
  apply_config (self);
  kvsqld_log (G_LOG_LEVEL_MESSAGE, &done, "configuration read again");
  kvsqld_systemd_ready ();
  return G_SOURCE_CONTINUE;
}

/* The first signal ends the loop; run_loop() then waits for running requests. A second signal ends
 * the process at once. */
static gboolean
on_stop (gpointer user_data)
{
  Daemon *self = user_data;

  if (self->is_stopping)
    {
      kvsqld_log (G_LOG_LEVEL_WARNING, NULL, "second request to stop: ending at once");
      _exit (KVSQLD_EXIT_FAILED);
    }
  self->is_stopping = TRUE;
  g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

/* ---- start and stop */

static gboolean
listen_for_postgres (Daemon *self, GError **error)
{
  for (guint i = 0; self->config->postgres_listen[i] != NULL; i++)
    {
      g_autofree gchar *address
          = kvsqld_pg_address_complete (self->config->postgres_listen[i], error);

      if (address == NULL
          || !kvsqld_server_listen (self->server, self->postgres, address,
                                    (guint)self->config->socket_mode, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
listen_on_all (Daemon *self, GError **error)
{
  g_autoptr (GArray) inherited = kvsqld_systemd_sockets (error);

  if (inherited == NULL)
    return FALSE;
  for (guint i = 0; i < inherited->len; i++)
    if (!kvsqld_server_listen_fd (self->server, self->thrift, g_array_index (inherited, gint, i),
                                  self->config->inherited_auth,
                                  kvsqld_config_inherits_tls (self->config) ? KVSQLD_TLS_REQUIRED
                                                                            : KVSQLD_TLS_OFF,
                                  error))
      return FALSE;
  if (inherited->len > 0)
    return TRUE;

  for (guint i = 0; self->config->listen[i] != NULL; i++)
    if (!kvsqld_server_listen (self->server, self->thrift, self->config->listen[i],
                               (guint)self->config->socket_mode, error))
      return FALSE;
  return TRUE;
}

/* In the thread of the HTTP server. */
static gchar *
print_metrics (gpointer data)
{
  Daemon *self = data;
  KvsqldConnectionStatus rpc = { 0 };

  kvsqld_server_get_status (self->server, &rpc);
  return kvsqld_metrics_print (self->service, &rpc);
}

static gboolean
start_metrics (Daemon *self, GError **error)
{
  KvsqldMetricsFiles files;

  if (self->config->metrics_listen[0] == '\0')
    return TRUE;
  files = metrics_files (self->config);
  self->metrics
      = kvsqld_metrics_http_new (self->config->metrics_listen, &files, print_metrics, self, error);
  return self->metrics != NULL;
}

static gboolean
start (Daemon *self, GError **error)
{
  const KvsqldServiceLimits for_service = service_limits (self->config);
  const KvsqldConnectionLimits for_connections = connection_limits (self->config);
  g_autofree gchar *store_url = kvsqld_redact_urls (self->config->store);
  g_autoptr (KvsqlStore) store = kvsqld_store_open (self->config->store, error);
  struct _KvsqlRpcSqlProcessor *processor;

  if (store == NULL)
    return FALSE;
  raise_descriptor_limit (self->config);
  self->service = kvsqld_service_new (g_steal_pointer (&store), store_url, self->config->registry,
                                      &for_service, error);
  if (self->service == NULL)
    return FALSE;
  processor = kvsqld_rpc_processor_new (self->service);
  self->thrift = kvsqld_rpc_front_end_new (processor);
  self->postgres = kvsqld_pg_front_end_new (self->service);
  self->server = kvsqld_server_new (&for_connections);
  kvsqld_server_set_activity (self->server, kvsqld_service_get_activity (self->service));
  g_object_unref (processor);
  if (!load_encryption (self, error) || !listen_on_all (self, error)
      || !listen_for_postgres (self, error) || !start_metrics (self, error))
    return FALSE;
  kvsqld_server_start (self->server);
  if (kvsqld_config_has_log_in (self->config))
    kvsqld_service_watch_exposure (self->service);
  return TRUE;
}

/* Standard output is for the program that started the daemon on port 0. */
static void
announce (Daemon *self)
{
  static const KvsqldLogFields fields = { .message_id = KVSQLD_MESSAGE_STARTED };
  g_auto (GStrv) addresses = kvsqld_server_get_addresses (self->server);
  g_autofree gchar *all = g_strjoinv (", ", addresses);
  g_autofree gchar *store = kvsqld_redact_urls (self->config->store);
  g_autofree gchar *registry = kvsqld_redact_urls (self->config->registry);

  for (guint i = 0; addresses[i] != NULL; i++)
    printf ("listening on %s\n", addresses[i]);
  fflush (stdout);
  kvsqld_log (G_LOG_LEVEL_MESSAGE, &fields, "kvsqld %s is ready: store %s, registry %s, on %s",
              KVSQL_VERSION, store, registry, all);
  if (self->metrics != NULL)
    kvsqld_log (G_LOG_LEVEL_MESSAGE, NULL, "metrics are at %s",
                kvsqld_metrics_http_get_url (self->metrics));
  kvsqld_systemd_ready ();
}

static gboolean
is_well (gpointer data)
{
  Daemon *self = data;
  const gchar *stuck = kvsqld_service_find_stuck (self->service, STUCK_AFTER_US);

  if (stuck != NULL)
    kvsqld_log (G_LOG_LEVEL_CRITICAL, NULL,
                "%s still runs long after its deadline: the watchdog gets no message", stuck);
  return stuck == NULL;
}

/* FALSE if requests still run in threads that cannot be ended. */
static gboolean
run_loop (Daemon *self)
{
  static const KvsqldLogFields fields = { .message_id = KVSQLD_MESSAGE_STOPPING };
  const guint watchdog = kvsqld_systemd_watchdog_start (is_well, self);
  const guint status = g_timeout_add_seconds (STATUS_INTERVAL_S, refresh_status, self);
  gboolean is_drained;

  refresh_status (self);
  g_main_loop_run (self->loop);

  kvsqld_systemd_stopping ();
  kvsqld_log (G_LOG_LEVEL_MESSAGE, &fields,
              "stopping: waiting for requests, %" G_GINT64_FORMAT " s at most",
              self->config->drain_timeout_s);
  is_drained = kvsqld_server_drain (self->server, self->config->drain_timeout_s * 1000);
  g_source_remove (status);
  if (watchdog != 0)
    g_source_remove (watchdog);
  return is_drained;
}

static gint
start_and_run (Daemon *self)
{
  static const KvsqldLogFields failed = { .message_id = KVSQLD_MESSAGE_START_FAILED };
  g_autoptr (GError) error = NULL;

  if (!start (self, &error))
    {
      kvsqld_log_error (G_LOG_LEVEL_CRITICAL, &failed, "could not start", error);
      return KVSQLD_EXIT_FAILED;
    }
  announce (self);
  if (!run_loop (self))
    {
      /* a thread still uses what would be freed; nothing that was acknowledged is lost */
      kvsqld_log (G_LOG_LEVEL_WARNING, NULL, "some requests did not end; leaving them");
      _exit (KVSQLD_EXIT_FAILED);
    }
  kvsqld_log (G_LOG_LEVEL_MESSAGE, NULL, "stopped");
  return KVSQLD_EXIT_OK;
}

static void
init_log (const KvsqldConfig *config)
{
  KvsqldLogTarget target = KVSQLD_LOG_TARGET_AUTO;
  GLogLevelFlags level = G_LOG_LEVEL_INFO;

  if (kvsqld_log_parse_target (config->log_target, &target, NULL)
      && kvsqld_log_parse_level (config->log_level, &level, NULL))
    kvsqld_log_init (target, level);
  else
    g_assert_not_reached (); /* the configuration was checked before */
  kvsqld_audit_set_enabled (g_str_equal (config->audit, "on"));
}

static gint
serve (Daemon *self)
{
  gint status;

  init_log (self->config);
  signal (SIGPIPE, SIG_IGN);
  self->loop = g_main_loop_new (NULL, FALSE);
  /* before anything is announced, because a client may then signal the daemon at once */
  const guint signals[] = {
    g_unix_signal_add (SIGHUP, on_reload, self),
    g_unix_signal_add (SIGTERM, on_stop, self),
    g_unix_signal_add (SIGINT, on_stop, self),
  };

  status = start_and_run (self);

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_source_remove (signals[i]);
  g_clear_pointer (&self->metrics, kvsqld_metrics_http_free);
  g_clear_pointer (&self->server, kvsqld_server_free);
  g_clear_pointer (&self->thrift, kvsqld_rpc_front_end_free);
  g_clear_pointer (&self->postgres, kvsqld_pg_front_end_free);
  g_clear_pointer (&self->service, kvsqld_service_free);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_free (self->last_error);
  return status;
}

/* ---- the command line */

static gint
refuse (const GError *error)
{
  const gchar *hint = kvsql_error_get_hint (error);

  fprintf (stderr, "kvsqld: %s\n", error->message);
  if (hint != NULL)
    fprintf (stderr, "hint: %s\n", hint);
  return KVSQLD_EXIT_USAGE;
}

gint
kvsqld_daemon_main (gint argc, gchar **argv)
{
  Daemon self = { { NULL } };
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  gint status = KVSQLD_EXIT_OK;

  setlocale (LC_CTYPE, "");
  kvsqld_trim_configure ();
  kvsql_hash_randomize ();
  if (!kvsqld_flags_parse (&self.flags, &argc, &argv, &error))
    status = refuse (error);
  else if (self.flags.show_version)
    printf ("kvsqld %s\n", KVSQL_VERSION);
  else if ((self.config = kvsqld_config_load (&self.flags, &error)) == NULL)
    status = refuse (error);
  else if (self.flags.check_config)
    {
      text = kvsqld_config_to_text (self.config);
      fputs (text, stdout);
    }
  else
    status = serve (&self);

  kvsqld_config_free (self.config);
  kvsqld_flags_clear (&self.flags);
  return status;
}
