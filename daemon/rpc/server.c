/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server.c: Thrift's side of the daemon: who may connect, and how it all ends.
 *
 * The lock guards counts and the set of connections; no call that blocks is made with it.
 */
#include "config.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

#include "daemon/log.h"
#include "daemon/rpc/listener.h"
#include "daemon/rpc/server-private.h"
#include "idl/wire/spin.h"
#include "idl/wire/thrift-setup.h"
#include "kvsql_rpc_sql.h"

#define DEFAULT_UNIX_MODE 0660
#define DRAIN_STEP_MS 10
/* How often it is looked whether the peers of running requests are still there. */
#define WATCH_MS 250
/* How long a handler may take to notice its cancellable. */
#define CANCEL_GRACE_MS 5000
/* Threads that are kept for connections that are idle now and then. */
#define SPARE_THREADS 16
#define REFUSALS_LOGGED_EVERY_US (10 * G_TIME_SPAN_SECOND)

struct _KvsqldRpcServer
{
  KvsqlRpcSqlProcessor *processor;
  GPtrArray *listeners; /* of KvsqldListener */
  GSource *watch;
  GThreadPool *pool;
  KvsqldWaitingRoom *idle; /* nullable: connections then keep their threads */
  gint64 refusal_logged_us;
  KvsqlByteBudget budget;
  KvsqldActivity *activity; /* nullable */

  GMutex lock;
  GCond ended;
  gboolean is_stopping;
  KvsqldRpcLimits limits;
  GHashTable *connections; /* set of KvsqldRpcConnection */
  GHashTable *peers;       /* name -> number of connections */
  KvsqldRpcStatus totals;
};

static GPrivate current = G_PRIVATE_INIT (NULL); /* the connection that the thread serves */

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

/* ---- what connections ask for */

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

KvsqlByteBudget *
_kvsqld_rpc_server_get_budget (KvsqldRpcServer *self)
{
  return &self->budget;
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
    }
  add_bytes (self, connection);
  return !self->is_stopping;
}

/* Data may have come in the moment at which the connection was told to end. */
gboolean
_kvsqld_rpc_server_note_busy (KvsqldRpcServer *self, KvsqldRpcConnection *connection)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->is_stopping)
    return FALSE;
  connection->is_busy = TRUE;
  self->totals.n_busy++;
  self->totals.n_requests++;
  return TRUE;
}

/* ---- a connection's life */

static gchar *
name_peer (GSocket *socket)
{
  g_autoptr (GSocketAddress) address = g_socket_get_remote_address (socket, NULL);
  g_autoptr (GCredentials) credentials = NULL;

  if (address != NULL && G_IS_INET_SOCKET_ADDRESS (address))
    return g_inet_address_to_string (
        g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)));
  credentials = g_socket_get_credentials (socket, NULL);
  return credentials != NULL
             ? g_strdup_printf ("user %u", (guint)g_credentials_get_unix_user (credentials, NULL))
             : g_strdup ("unknown");
}

static KvsqldRpcConnection *
connection_new (KvsqldRpcServer *server, GSocket *socket)
{
  KvsqldRpcConnection *self = g_new0 (KvsqldRpcConnection, 1);
  g_autoptr (GSocketConnection) stream = g_socket_connection_factory_create_connection (socket);

  self->server = server;
  self->socket = g_object_ref (socket);
  self->peer = name_peer (socket);
  self->cancellable = g_cancellable_new ();
  self->limits = server->limits;
  self->guest = (KvsqldGuest){ .fd = g_socket_get_fd (socket), .cancellable = self->cancellable };
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

static guint
count_peer (KvsqldRpcServer *self, const gchar *peer, gint change)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->peers, peer)) + (guint)change;

  if (n == 0)
    g_hash_table_remove (self->peers, peer);
  else
    g_hash_table_insert (self->peers, g_strdup (peer), GUINT_TO_POINTER (n));
  return n;
}

/* With the lock. The setting that keeps the connection out; NULL: none does. */
static const gchar *
find_obstacle (KvsqldRpcServer *self, const KvsqldRpcConnection *connection)
{
  if (g_hash_table_size (self->connections) >= self->limits.max_connections)
    return "max_connections";
  if (GPOINTER_TO_UINT (g_hash_table_lookup (self->peers, connection->peer))
      >= self->limits.max_connections_per_peer)
    return "max_connections_per_peer";
  return NULL;
}

/* The peer learns nothing: which format it speaks is not known yet. Main loop. */
static void
log_refusal (KvsqldRpcServer *self, const KvsqldRpcConnection *connection, const gchar *setting)
{
  KvsqldLogFields fields = { .peer = connection->peer };
  gint64 now = g_get_monotonic_time ();

  if (self->refusal_logged_us != 0 && now - self->refusal_logged_us < REFUSALS_LOGGED_EVERY_US)
    return;
  self->refusal_logged_us = now;
  kvsqld_log (G_LOG_LEVEL_MESSAGE, &fields,
              "connections are refused, the latest of %s: %s is reached", connection->peer,
              setting);
}

/* With the lock. */
static gboolean
admit (KvsqldRpcServer *self, KvsqldRpcConnection *connection, const gchar **out_obstacle)
{
  *out_obstacle = self->is_stopping ? NULL : find_obstacle (self, connection);
  if (self->is_stopping || *out_obstacle != NULL)
    {
      self->totals.n_refused++;
      return FALSE;
    }
  self->totals.n_accepted++;
  g_hash_table_add (self->connections, connection);
  count_peer (self, connection->peer, 1);
  return TRUE;
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
  count_peer (self, connection->peer, -1);
  g_hash_table_remove (self->connections, connection);
}

/* Once a connection has left the set the server may be gone. */
static void
end_connection (KvsqldRpcServer *self, KvsqldRpcConnection *connection, const GError *error)
{
  g_clear_pointer (&connection->session, kvsqld_session_end);
  if (error != NULL)
    g_info ("connection of %s dropped: %s", connection->peer, error->message);
  forget (self, connection, error == NULL);
  connection_free (connection);
  g_mutex_lock (&self->lock);
  self->totals.n_connections--;
  g_cond_broadcast (&self->ended);
  g_mutex_unlock (&self->lock);
}

/* TRUE: the connection is no longer this thread's. */
static gboolean
rest (KvsqldRpcServer *self, KvsqldRpcConnection *connection)
{
  kvsql_transport_give_back (connection->transport);
  return self->idle != NULL && kvsqld_waiting_room_enter (self->idle, &connection->guest);
}

/* The thread of a connection, until it is idle or ends. */
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
      outcome = _kvsqld_rpc_connection_serve (connection, &error);
      g_private_set (&current, NULL);
      if (outcome == KVSQLD_RPC_IDLE && rest (self, connection))
        return;
    }
  while (outcome == KVSQLD_RPC_IDLE);
  end_connection (self, connection, error);
}

static void
give_thread (KvsqldRpcServer *self, KvsqldRpcConnection *connection)
{
  g_autoptr (GError) error = NULL;

  if (!g_thread_pool_push (self->pool, connection, &error))
    g_info ("no thread for a connection yet: %s", error->message); /* it is queued nonetheless */
}

/* Something has come, or it is to end: a thread finds out which. */
static void
on_awake (KvsqldGuest *guest, gpointer user_data)
{
  give_thread (user_data, (KvsqldRpcConnection *)((guint8 *)guest
                                                  - G_STRUCT_OFFSET (KvsqldRpcConnection, guest)));
}

static void
on_accepted (GSocket *socket, gpointer user_data)
{
  KvsqldRpcServer *self = user_data;
  KvsqldRpcConnection *connection = connection_new (self, socket);
  const gchar *obstacle;
  gboolean is_admitted;

  g_mutex_lock (&self->lock);
  is_admitted = admit (self, connection, &obstacle);
  if (is_admitted)
    self->totals.n_connections++;
  g_mutex_unlock (&self->lock);

  if (obstacle != NULL)
    log_refusal (self, connection, obstacle);
  if (!is_admitted)
    {
      connection_free (connection);
      return;
    }
  /* Here, and not in its thread: sessions are numbered in the order in which they came. */
  if (self->activity != NULL)
    connection->session
        = kvsqld_session_new (self->activity, connection->peer, connection->cancellable);
  give_thread (self, connection);
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
  self->peers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->pool = g_thread_pool_new (serve, self, -1, FALSE, NULL);
  g_thread_pool_set_max_unused_threads (SPARE_THREADS);
  self->idle = kvsqld_waiting_room_new (on_awake, self);
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

/* ---- peers that leave while their request runs */

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

/* A thread that runs a request does not look at its socket; this does, now and then. */
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
  /* Not with the lock: cancelling runs callbacks. */
  cancel_all (cancellables);
  if (self->idle != NULL)
    kvsqld_waiting_room_look (self->idle);
}

static gboolean
wait_for_end (KvsqldRpcServer *self, gint64 patience_ms)
{
  gint64 deadline = g_get_monotonic_time () + patience_ms * G_TIME_SPAN_MILLISECOND;
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
kvsqld_rpc_server_drain (KvsqldRpcServer *self, gint64 patience_ms)
{
  g_ptr_array_set_size (self->listeners, 0);
  cancel_connections (self, FALSE);
  if (wait_for_end (self, MAX (patience_ms, 1)))
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
      g_warning ("a request does not end; its connection is left behind");
      return;
    }
  if (self->watch != NULL)
    {
      g_source_destroy (self->watch);
      g_source_unref (self->watch);
    }
  kvsqld_waiting_room_free (self->idle);
  /* Waits for the threads, which may still hold the lock. */
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_ptr_array_unref (self->listeners);
  g_hash_table_unref (self->connections);
  g_hash_table_unref (self->peers);
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
  out->n_idle = self->idle != NULL ? kvsqld_waiting_room_count (self->idle) : 0;
  out->bytes_in_flight = kvsql_byte_budget_get_used (&self->budget);
}
