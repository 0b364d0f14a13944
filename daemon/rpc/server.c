/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server.c: see server.h.
 *
 * The lock guards counts and the set of connections. No blocking call is made with the lock held.
 */
#include "config.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

#include "daemon/log/log-rate.h"
#include "daemon/log/log.h"
#include "daemon/rpc/listener.h"
#include "daemon/rpc/server-private.h"
#include "idl/wire/spin.h"
#include "idl/wire/thrift-setup.h"
#include "kvsql_rpc_sql.h"

#define DEFAULT_UNIX_MODE 0660
#define DRAIN_STEP_MS 10
/* Interval of checks whether the peers of running requests are still connected. */
#define WATCH_MS 250
/* The time that a handler has to react to its cancellable. */
#define CANCEL_GRACE_MS 5000
/* Threads that are kept for connections that are sometimes idle. */
#define SPARE_THREADS 16
/* A refused connection gets the reason as the answer to its first request. This is the largest
 * number of such connections, and the longest time that one may take; others are closed at once. */
#define MAX_REFUSED 256
#define REFUSAL_MS 2000

struct _KvsqldRpcServer
{
  KvsqlRpcSqlProcessor *processor;
  GPtrArray *listeners; /* KvsqldListener */
  GSource *watch;
  GThreadPool *pool;
  KvsqldIdlePoller *idle; /* nullable: then idle connections keep their threads */
  KvsqldLogRate refused, displaced, dropped; /* log lines about connections */
  KvsqlByteBudget budget;
  KvsqldActivity *activity; /* nullable */

  GMutex lock;
  GCond ended;
  gboolean is_stopping;
  KvsqldRpcLimits limits;
  GHashTable *connections; /* set of KvsqldRpcConnection */
  guint n_refused;         /* of them without a place */
  KvsqldAdmission *admission;
  KvsqldRpcStatus totals;
};

static GPrivate current = G_PRIVATE_INIT (NULL); /* the connection that this thread serves */

GCancellable *
kvsqld_rpc_get_current_cancellable (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL ? connection->cancellable : NULL;
}

const gchar *
kvsqld_rpc_get_current_peer (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL ? connection->peer : NULL;
}

KvsqldSession *
kvsqld_rpc_get_current_session (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL ? connection->session : NULL;
}

gboolean
kvsqld_rpc_has_failed (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL && connection->has_failed;
}

void
kvsqld_rpc_note_outcome (gboolean has_failed)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  if (connection != NULL)
    connection->has_failed = has_failed;
}

void
kvsqld_rpc_server_set_activity (KvsqldRpcServer *self, KvsqldActivity *activity)
{
  self->activity = activity;
}

/* ---- functions for connections */

ThriftDispatchProcessor *
_kvsqld_rpc_server_get_processor (KvsqldRpcServer *self)
{
  return THRIFT_DISPATCH_PROCESSOR (self->processor);
}

gboolean
_kvsqld_rpc_server_knows (KvsqldRpcServer *self, const gchar *method)
{
  return g_hash_table_contains (self->processor->process_map, method);
}

static void
add_bytes (KvsqldRpcServer *self, KvsqldRpcConnection *connection)
{
  guint64 bytes_in = kvsql_transport_get_bytes_in (connection->transport);
  guint64 bytes_out = kvsql_transport_get_bytes_out (connection->transport);

  self->totals.bytes_in += bytes_in - connection->bytes_in;
  self->totals.bytes_out += bytes_out - connection->bytes_out;
  connection->bytes_in = bytes_in;
  connection->bytes_out = bytes_out;
}

gboolean
_kvsqld_rpc_server_note_waiting (KvsqldRpcServer *self, KvsqldRpcConnection *connection)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (connection->is_busy)
    {
      connection->is_busy = FALSE;
      self->totals.n_busy--;
      kvsqld_admission_touch (self->admission, &connection->place, g_get_monotonic_time ());
    }
  add_bytes (self, connection);
  return !self->is_stopping && connection->place.is_held;
}

/* A request may arrive at the moment at which the connection is told to end or loses its place. */
gboolean
_kvsqld_rpc_server_note_busy (KvsqldRpcServer *self, KvsqldRpcConnection *connection)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->is_stopping || !connection->place.is_held)
    return FALSE;
  connection->is_busy = TRUE;
  self->totals.n_busy++;
  self->totals.n_requests++;
  return TRUE;
}

/* ---- a connection's life */

/* Finds out who the peer is, and which places it may have. */
static void
identify (KvsqldRpcConnection *self)
{
  g_autoptr (GSocketAddress) address = g_socket_get_remote_address (self->socket, NULL);
  g_autoptr (GCredentials) credentials = NULL;
  uid_t user;

  if (address != NULL && G_IS_INET_SOCKET_ADDRESS (address))
    {
      self->peer = g_inet_address_to_string (
          g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)));
      return;
    }
  self->place.is_local = TRUE;
  credentials = g_socket_get_credentials (self->socket, NULL);
  user = credentials != NULL ? g_credentials_get_unix_user (credentials, NULL) : (uid_t)-1;
  self->place.is_operator = user == 0 || user == geteuid ();
  self->peer = user != (uid_t)-1 ? g_strdup_printf ("user %u", (guint)user) : g_strdup ("unknown");
}

static KvsqldRpcConnection *
connection_new (KvsqldRpcServer *server, GSocket *socket)
{
  KvsqldRpcConnection *self = g_new0 (KvsqldRpcConnection, 1);
  g_autoptr (GSocketConnection) stream = g_socket_connection_factory_create_connection (socket);

  self->server = server;
  self->socket = g_object_ref (socket);
  identify (self);
  self->place.owner = self;
  self->place.peer = self->peer;
  self->cancellable = g_cancellable_new ();
  self->limits = server->limits;
  self->idle_entry
      = (KvsqldIdleEntry){ .fd = g_socket_get_fd (socket), .cancellable = self->cancellable };
  self->transport
      = kvsql_transport_new (G_IO_STREAM (stream), FALSE, server->limits.max_message_bytes);
  kvsql_transport_set_budget (self->transport, &server->budget);
  kvsql_transport_set_spin (self->transport, (guint)MAX (self->limits.spin_us, 0));
  kvsql_transport_set_cancellable (self->transport, self->cancellable);
  kvsql_transport_set_write_timeout (self->transport,
                                     server->limits.write_timeout_ms * G_TIME_SPAN_MILLISECOND);
  if (g_socket_get_family (socket) != G_SOCKET_FAMILY_UNIX)
    {
      g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);
      g_socket_set_keepalive (socket, TRUE);
    }
  return self;
}

static void
connection_free (KvsqldRpcConnection *self)
{
  thrift_transport_close (THRIFT_TRANSPORT (self->transport), NULL);
  g_clear_object (&self->protocol);
  g_object_unref (self->transport);
  g_object_unref (self->cancellable);
  g_object_unref (self->socket);
  g_free (self->peer);
  g_free (self);
}

static gboolean
is_running (gpointer owner)
{
  KvsqldRpcConnection *connection = owner;

  return connection->session != NULL ? kvsqld_session_is_running (connection->session)
                                     : connection->is_busy;
}

/* With the lock held. NULL: it got a place. @out_displaced: (transfer full) (nullable): cancels the
 * connection that lost its place. */
static const gchar *
find_place (KvsqldRpcServer *self, KvsqldRpcConnection *connection, GCancellable **out_displaced)
{
  const KvsqldAdmissionBounds bounds
      = { .max = self->limits.max_connections,
          .max_of_peer = self->limits.max_connections_per_peer,
          .reserved = self->limits.reserved_connections,
          .idle_us = self->limits.full_idle_timeout_ms * G_TIME_SPAN_MILLISECOND,
          .is_running = is_running };
  KvsqldPlace *displaced;
  const gchar *obstacle = kvsqld_admission_enter (self->admission, &connection->place, &bounds,
                                                  g_get_monotonic_time (), &displaced);

  *out_displaced = NULL;
  if (displaced != NULL)
    {
      *out_displaced = g_object_ref (((KvsqldRpcConnection *)displaced->owner)->cancellable);
      self->totals.n_displaced++;
    }
  return obstacle;
}

/* With the lock held. FALSE: close the connection at once. */
static gboolean
admit (KvsqldRpcServer *self, KvsqldRpcConnection *connection, GCancellable **out_displaced)
{
  *out_displaced = NULL;
  if (self->is_stopping)
    return FALSE;
  connection->refused_for = find_place (self, connection, out_displaced);
  if (connection->refused_for == NULL)
    self->totals.n_accepted++;
  else
    {
      self->totals.n_refused++;
      if (self->idle == NULL || self->n_refused >= MAX_REFUSED)
        return FALSE;
      self->n_refused++;
    }
  g_hash_table_add (self->connections, connection);
  return TRUE;
}

/* In the main loop. */
static void
log_refusal (KvsqldRpcServer *self, const KvsqldRpcConnection *connection)
{
  KvsqldLogFields fields = { .peer = connection->peer };
  g_autofree gchar *note = NULL;

  if (kvsqld_log_rate_admit (&self->refused, g_get_monotonic_time (), &note))
    kvsqld_log (G_LOG_LEVEL_MESSAGE, &fields, "connection of %s refused: %s is reached%s",
                connection->peer, connection->refused_for, note);
}

/* Ends the connection that lost its place. In the main loop. */
static void
displace (KvsqldRpcServer *self, GCancellable *displaced)
{
  g_autofree gchar *note = NULL;

  if (kvsqld_log_rate_admit (&self->displaced, g_get_monotonic_time (), &note))
    kvsqld_log (G_LOG_LEVEL_INFO, NULL,
                "an idle connection was closed, because all places are taken%s", note);
  g_cancellable_cancel (displaced);
  if (self->idle != NULL)
    kvsqld_idle_poller_poll (self->idle);
}

static void
forget (KvsqldRpcServer *self, KvsqldRpcConnection *connection, gboolean is_clean)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  add_bytes (self, connection);
  if (connection->is_busy)
    self->totals.n_busy--;
  if (!is_clean)
    self->totals.n_dropped++;
  kvsqld_admission_leave (self->admission, &connection->place);
  if (connection->refused_for != NULL)
    self->n_refused--;
  g_hash_table_remove (self->connections, connection);
}

static void
log_drop (KvsqldRpcServer *self, const KvsqldRpcConnection *connection, const GError *error)
{
  KvsqldLogFields fields = { .peer = connection->peer };
  g_autofree gchar *note = NULL;

  if (kvsqld_log_rate_admit (&self->dropped, g_get_monotonic_time (), &note))
    kvsqld_log (G_LOG_LEVEL_INFO, &fields, "connection of %s dropped: %s%s", connection->peer,
                error->message, note);
}

/* Once the connection has left the set and the counts, the server may be freed. */
static void
end_connection (KvsqldRpcServer *self, KvsqldRpcConnection *connection, const GError *error)
{
  if (error != NULL)
    log_drop (self, connection, error);
  /* Before the session ends: admission asks the owners of places what they run. */
  forget (self, connection, error == NULL);
  g_clear_pointer (&connection->session, kvsqld_session_end);
  connection_free (connection);
  g_mutex_lock (&self->lock);
  self->totals.n_connections--;
  g_cond_broadcast (&self->ended);
  g_mutex_unlock (&self->lock);
}

/* TRUE: the connection was passed to the idle poller, and this thread must not use it any more. */
static gboolean
become_idle (KvsqldRpcServer *self, KvsqldRpcConnection *connection)
{
  kvsql_transport_release_buffers (connection->transport);
  return self->idle != NULL && kvsqld_idle_poller_add (self->idle, &connection->idle_entry);
}

/* Runs in the thread of a connection, until that is idle or ends. */
static void
serve (gpointer data, gpointer user_data)
{
  KvsqldRpcConnection *connection = data;
  KvsqldRpcServer *self = user_data;
  g_autoptr (GError) error = NULL;
  KvsqldRpcOutcome outcome;

  do
    {
      g_private_set (&current, connection);
      outcome = connection->refused_for != NULL ? _kvsqld_rpc_connection_refuse (connection, &error)
                                                : _kvsqld_rpc_connection_serve (connection, &error);
      g_private_set (&current, NULL);
      if (outcome == KVSQLD_RPC_IDLE && become_idle (self, connection))
        return;
    }
  while (outcome == KVSQLD_RPC_IDLE);
  end_connection (self, connection, error);
}

static void
assign_thread (KvsqldRpcServer *self, KvsqldRpcConnection *connection)
{
  g_autoptr (GError) error = NULL;

  if (!g_thread_pool_push (self->pool, connection, &error))
    g_info ("no thread for a connection yet: %s", error->message); /* it stays in the queue */
}

/* Bytes have arrived or the connection must end: its new thread finds out which. */
static void
on_idle_entry (KvsqldIdleEntry *entry, gpointer user_data)
{
  assign_thread (
      user_data,
      (KvsqldRpcConnection *)((guint8 *)entry - G_STRUCT_OFFSET (KvsqldRpcConnection, idle_entry)));
}

/* The refusal is sent as the answer to the first request, because only then the peer's format is
 * known. */
static void
await_refusal (KvsqldRpcServer *self, KvsqldRpcConnection *connection)
{
  connection->idle_entry.deadline_us
      = g_get_monotonic_time () + REFUSAL_MS * G_TIME_SPAN_MILLISECOND;
  if (!kvsqld_idle_poller_add (self->idle, &connection->idle_entry))
    assign_thread (self, connection);
}

static void
on_accepted (GSocket *socket, gpointer user_data)
{
  KvsqldRpcServer *self = user_data;
  KvsqldRpcConnection *connection = connection_new (self, socket);
  g_autoptr (GCancellable) displaced = NULL;
  gboolean is_admitted;

  g_mutex_lock (&self->lock);
  is_admitted = admit (self, connection, &displaced);
  if (is_admitted)
    self->totals.n_connections++;
  g_mutex_unlock (&self->lock);

  if (displaced != NULL)
    displace (self, displaced);
  if (connection->refused_for != NULL)
    log_refusal (self, connection);
  if (!is_admitted)
    {
      connection_free (connection);
      return;
    }
  if (connection->refused_for != NULL)
    {
      await_refusal (self, connection);
      return;
    }
  /* Not in the connection's thread, so that sessions are numbered in the order of their arrival. */
  if (self->activity != NULL)
    connection->session
        = kvsqld_session_new (self->activity, connection->peer, connection->cancellable);
  assign_thread (self, connection);
}

/* ---- limits and listeners */

#define DEFAULT(field, value)                                                                      \
  if (out->field == 0)                                                                             \
  out->field = (value)

static void
complete_limits (const KvsqldRpcLimits *limits, KvsqldRpcLimits *out)
{
  *out = limits != NULL ? *limits : (KvsqldRpcLimits){ 0 };
  DEFAULT (max_connections, 1000);
  DEFAULT (max_connections_per_peer, 500);
  DEFAULT (reserved_connections, 16);
  DEFAULT (full_idle_timeout_ms, 10 * 1000);
  DEFAULT (max_message_bytes, KVSQL_TRANSPORT_MAX_MESSAGE);
  DEFAULT (max_bytes_in_flight, 512 * 1024 * 1024);
  DEFAULT (handshake_timeout_ms, 10 * 1000);
  DEFAULT (request_timeout_ms, 30 * 1000);
  DEFAULT (write_timeout_ms, 60 * 1000);
  DEFAULT (idle_timeout_ms, 30 * 60 * 1000);
  DEFAULT (spin_us, KVSQL_SPIN_DEFAULT_US);
}

void
kvsqld_rpc_server_set_limits (KvsqldRpcServer *self, const KvsqldRpcLimits *limits)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  complete_limits (limits, &self->limits);
  g_atomic_pointer_set (&self->budget.limit, self->limits.max_bytes_in_flight);
}

KvsqldRpcServer *
kvsqld_rpc_server_new (struct _KvsqlRpcSqlProcessor *processor, const KvsqldRpcLimits *limits)
{
  KvsqldRpcServer *self = g_new0 (KvsqldRpcServer, 1);

  kvsql_thrift_setup ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->ended);
  self->processor = g_object_ref (processor);
  self->listeners = g_ptr_array_new_with_free_func ((GDestroyNotify)kvsqld_listener_free);
  self->connections = g_hash_table_new (NULL, NULL);
  self->admission = kvsqld_admission_new ();
  self->pool = g_thread_pool_new (serve, self, -1, FALSE, NULL);
  g_thread_pool_set_max_unused_threads (SPARE_THREADS);
  self->idle = kvsqld_idle_poller_new (on_idle_entry, self);
  kvsqld_rpc_server_set_limits (self, limits);
  return self;
}

gboolean
kvsqld_rpc_server_listen (KvsqldRpcServer *self, const gchar *address, guint unix_mode,
                          GError **error)
{
  g_autoptr (GPtrArray) listeners
      = kvsqld_listener_open (address, unix_mode != 0 ? unix_mode : DEFAULT_UNIX_MODE, error);

  if (listeners == NULL)
    return FALSE;
  g_ptr_array_extend_and_steal (self->listeners, g_steal_pointer (&listeners));
  return TRUE;
}

gboolean
kvsqld_rpc_server_listen_fd (KvsqldRpcServer *self, gint fd, GError **error)
{
  KvsqldListener *listener = kvsqld_listener_new_from_fd (fd, error);

  if (listener == NULL)
    return FALSE;
  g_ptr_array_add (self->listeners, listener);
  return TRUE;
}

gchar **
kvsqld_rpc_server_get_addresses (KvsqldRpcServer *self)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  gchar **addresses;

  for (guint i = 0; i < self->listeners->len; i++)
    g_strv_builder_add (builder,
                        kvsqld_listener_get_address (g_ptr_array_index (self->listeners, i)));
  addresses = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return addresses;
}

/* ---- peers that disconnect during their request */

static void
cancel_all (GPtrArray *cancellables)
{
  for (guint i = 0; i < cancellables->len; i++)
    g_cancellable_cancel (g_ptr_array_index (cancellables, i));
}

static gboolean
is_gone (GSocket *socket)
{
  struct pollfd fd = { .fd = g_socket_get_fd (socket), .events = POLLRDHUP };

  return poll (&fd, 1, 0) == 1;
}

/* A thread that runs a request does not watch its socket. This does it for all, at an interval. */
static gboolean
on_watch (gpointer user_data)
{
  KvsqldRpcServer *self = user_data;
  g_autoptr (GPtrArray) gone = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer key;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->connections);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      KvsqldRpcConnection *connection = key;

      if (connection->is_busy && is_gone (connection->socket))
        g_ptr_array_add (gone, g_object_ref (connection->cancellable));
    }
  g_mutex_unlock (&self->lock);
  cancel_all (gone);
  return G_SOURCE_CONTINUE;
}

void
kvsqld_rpc_server_start (KvsqldRpcServer *self)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  self->watch = g_timeout_source_new (WATCH_MS);
  g_source_set_callback (self->watch, on_watch, self, NULL);
  g_source_attach (self->watch, context);
  for (guint i = 0; i < self->listeners->len; i++)
    kvsqld_listener_start (g_ptr_array_index (self->listeners, i), on_accepted, self);
}

/* ---- the end */

static void
cancel_connections (KvsqldRpcServer *self, gboolean busy_too)
{
  g_autoptr (GPtrArray) cancellables = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer key;

  g_mutex_lock (&self->lock);
  self->is_stopping = TRUE;
  g_hash_table_iter_init (&iter, self->connections);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      KvsqldRpcConnection *connection = key;

      if (busy_too || !connection->is_busy)
        g_ptr_array_add (cancellables, g_object_ref (connection->cancellable));
    }
  g_mutex_unlock (&self->lock);
  /* Without the lock: cancelling runs callbacks. */
  cancel_all (cancellables);
  if (self->idle != NULL)
    kvsqld_idle_poller_poll (self->idle);
}

static gboolean
wait_for_end (KvsqldRpcServer *self, gint64 grace_ms)
{
  gint64 deadline = g_get_monotonic_time () + grace_ms * G_TIME_SPAN_MILLISECOND;
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  gboolean is_over = FALSE;

  while (!is_over && g_get_monotonic_time () < deadline)
    {
      gint64 step = g_get_monotonic_time () + DRAIN_STEP_MS * G_TIME_SPAN_MILLISECOND;

      g_mutex_lock (&self->lock);
      if (self->totals.n_connections > 0)
        g_cond_wait_until (&self->ended, &self->lock, MIN (step, deadline));
      is_over = self->totals.n_connections == 0;
      g_mutex_unlock (&self->lock);
      while (!is_over && g_main_context_iteration (context, FALSE))
        continue;
    }
  return is_over;
}

gboolean
kvsqld_rpc_server_drain (KvsqldRpcServer *self, gint64 grace_ms)
{
  g_ptr_array_set_size (self->listeners, 0);
  cancel_connections (self, FALSE);
  if (wait_for_end (self, MAX (grace_ms, 1)))
    return TRUE;
  cancel_connections (self, TRUE);
  return wait_for_end (self, CANCEL_GRACE_MS);
}

void
kvsqld_rpc_server_free (KvsqldRpcServer *self)
{
  if (self == NULL)
    return;
  if (!kvsqld_rpc_server_drain (self, 0))
    {
      g_warning ("a request does not end; its connection is not closed");
      return;
    }
  if (self->watch != NULL)
    {
      g_source_destroy (self->watch);
      g_source_unref (self->watch);
    }
  kvsqld_idle_poller_free (self->idle);
  /* Waits for the threads, which may still hold the lock. */
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_ptr_array_unref (self->listeners);
  g_hash_table_unref (self->connections);
  kvsqld_admission_free (self->admission);
  g_object_unref (self->processor);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->ended);
  g_free (self);
}

void
kvsqld_rpc_server_get_status (KvsqldRpcServer *self, KvsqldRpcStatus *out)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  *out = self->totals;
  out->n_connections = kvsqld_admission_count (self->admission);
  out->n_idle = self->idle != NULL ? kvsqld_idle_poller_count (self->idle) : 0;
  out->bytes_in_flight = kvsql_byte_budget_get_used (&self->budget);
}
