/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server.c: see server.h.
 *
 * Its thread is the main thread, and each connection has one while it is not idle.
 */
#include "config.h"

#include <poll.h>

#include "daemon/log/log-rate.h"
#include "daemon/log/log.h"
#include "core/base/error.h"
#include "daemon/connections/connection.h"
#include "daemon/connections/listener.h"
#include "daemon/connections/server.h"
#include "daemon/net/peer-name.h"
#include "idl/wire/spin.h"

#define DEFAULT_UNIX_MODE 0660
#define DRAIN_STEP_MS 10
/* Interval of checks whether the peers of running requests are still connected. */
#define WATCH_MS 250
/* The time that a handler has to react to its cancellable. */
#define CANCEL_GRACE_MS 5000
/* Threads that are kept for connections that are sometimes idle. */
#define SPARE_THREADS 16
/* A refused connection gets the reason as the answer to its first request, if that arrives within
 * this time. */
#define REFUSAL_MS 2000

/* The connections of a listener belong to one front end. */
typedef struct
{
  KvsqldServer *server;
  KvsqldFrontEnd *front_end;
  KvsqldListener *listener;
  KvsqldEntrance entrance; /* without .encryption, which may change */
} Listener;

struct _KvsqldServer
{
  GPtrArray *listeners; /* Listener */
  GSource *watch;
  GThreadPool *pool;
  KvsqldIdlePoller *idle; /* nullable: then idle connections keep their threads */
  KvsqldLogRate refused, displaced, dropped; /* log lines about connections */
  KvsqlByteBudget budget;
  KvsqldActivity *activity;     /* nullable */
  KvsqldEncryption *encryption; /* nullable: no listener has TLS */
  KvsqldConnectionLimits limits;
  KvsqldConnectionSet *connections;
};

void
kvsqld_server_set_activity (KvsqldServer *self, KvsqldActivity *activity)
{
  self->activity = activity;
}

void
kvsqld_server_set_encryption (KvsqldServer *self, KvsqldEncryption *encryption)
{
  kvsqld_encryption_unref (self->encryption);
  self->encryption = encryption;
}

/* ---- a connection's life */

/* In the main loop, so a user has only its number: a look for its name may block. */
static void
log_refusal (KvsqldServer *self, const KvsqldConnection *connection)
{
  KvsqldLogFields fields = { .peer = connection->peer };
  g_autofree gchar *note = NULL;

  if (kvsqld_log_rate_admit (&self->refused, g_get_monotonic_time (), &note))
    kvsqld_log (G_LOG_LEVEL_MESSAGE, &fields, "connection of %s refused: %s is reached%s",
                connection->peer, connection->entry.refused_for, note);
}

/* Ends the connection that lost its place. In the main loop. */
static void
displace (KvsqldServer *self, GCancellable *displaced)
{
  g_autofree gchar *note = NULL;

  if (kvsqld_log_rate_admit (&self->displaced, g_get_monotonic_time (), &note))
    kvsqld_log (G_LOG_LEVEL_INFO, NULL,
                "an idle connection was closed, because all places are taken%s", note);
  g_cancellable_cancel (displaced);
  if (self->idle != NULL)
    kvsqld_idle_poller_poll (self->idle);
}

/* In the thread of the connection, which may wait for the table of users. */
static void
log_drop (KvsqldServer *self, const KvsqldConnection *connection, const GError *error)
{
  g_autofree gchar *note = NULL, *peer = NULL;

  if (!kvsqld_log_rate_admit (&self->dropped, g_get_monotonic_time (), &note))
    return;
  peer = kvsqld_peer_name (connection->peer);
  kvsqld_log (G_LOG_LEVEL_INFO, &(KvsqldLogFields){ .peer = peer },
              "connection of %s dropped: %s%s", peer, error->message, note);
}

/* Once the connection has left the set and the counts, the server may be freed. */
static void
end_connection (KvsqldServer *self, KvsqldConnection *connection, const GError *error)
{
  if (error != NULL)
    log_drop (self, connection, error);
  connection->front_end->end (connection);
  /* Before the session ends: admission asks the owners of places what they run. */
  kvsqld_connection_set_remove (self->connections, &connection->entry, error == NULL);
  g_clear_pointer (&connection->entry.session, kvsqld_session_end);
  kvsqld_connection_free (connection);
  kvsqld_connection_set_note_ended (self->connections);
}

/* TRUE: the connection was passed to the idle poller, and this thread must not use it any more. */
static gboolean
become_idle (KvsqldServer *self, KvsqldConnection *connection)
{
  kvsql_transport_release_buffers (connection->entry.transport);
  return self->idle != NULL && kvsqld_idle_poller_add (self->idle, &connection->idle_entry);
}

/* Runs in the thread of a connection, until that is idle or ends. */
static void
serve (gpointer data, gpointer user_data)
{
  KvsqldConnection *connection = data;
  KvsqldServer *self = user_data;
  g_autoptr (GError) error = NULL;
  KvsqldConnectionOutcome outcome;

  if (connection->entry.refused_for != NULL)
    {
      connection->front_end->refuse (connection);
      end_connection (self, connection, NULL);
      return;
    }
  do
    {
      outcome = connection->front_end->serve (connection, &error);
      if (outcome == KVSQLD_CONNECTION_IDLE && become_idle (self, connection))
        return;
    }
  while (outcome == KVSQLD_CONNECTION_IDLE);
  end_connection (self, connection, error);
}

static void
assign_thread (KvsqldServer *self, KvsqldConnection *connection)
{
  g_autoptr (GError) error = NULL;

  if (!g_thread_pool_push (self->pool, connection, &error))
    g_info ("no thread for a connection yet: %s", error->message); /* it stays in the queue */
}

/* Bytes have arrived or the connection must end: its new thread finds out which. */
static void
on_idle_entry (KvsqldIdleEntry *entry, gpointer user_data)
{
  assign_thread (user_data, (KvsqldConnection *)((guint8 *)entry
                                                 - G_STRUCT_OFFSET (KvsqldConnection, idle_entry)));
}

/* The refusal is sent as the answer to the first request, because only then the peer's format is
 * known. */
static void
await_refusal (KvsqldServer *self, KvsqldConnection *connection)
{
  connection->idle_entry.deadline_us
      = g_get_monotonic_time () + REFUSAL_MS * G_TIME_SPAN_MILLISECOND;
  if (!kvsqld_idle_poller_add (self->idle, &connection->idle_entry))
    assign_thread (self, connection);
}

static void
on_accepted (GSocket *socket, gpointer user_data)
{
  const Listener *listener = user_data;
  KvsqldServer *self = listener->server;
  const KvsqldEntrance entrance = { .auth = listener->entrance.auth,
                                    .tls = listener->entrance.tls,
                                    .asks_certificate = listener->entrance.asks_certificate,
                                    .encryption = self->encryption };
  KvsqldConnection *connection = kvsqld_connection_new (
      listener->front_end, socket, &entrance, self->connections, &self->limits, &self->budget);
  g_autoptr (GCancellable) displaced = NULL;
  gboolean is_admitted = kvsqld_connection_set_add (self->connections, &connection->entry,
                                                    &self->limits, self->idle != NULL, &displaced);

  if (displaced != NULL)
    displace (self, displaced);
  if (connection->entry.refused_for != NULL)
    log_refusal (self, connection);
  if (!is_admitted)
    {
      kvsqld_connection_free (connection);
      return;
    }
  if (connection->entry.refused_for != NULL)
    {
      await_refusal (self, connection);
      return;
    }
  /* Not in the connection's thread, so that sessions are numbered in the order of their arrival. */
  if (self->activity != NULL)
    connection->entry.session
        = kvsqld_session_new (self->activity, connection->peer, connection->entry.cancellable);
  assign_thread (self, connection);
}

/* ---- limits and listeners */

#define DEFAULT(field, value)                                                                      \
  if (out->field == 0)                                                                             \
  out->field = (value)

static void
complete_limits (const KvsqldConnectionLimits *limits, KvsqldConnectionLimits *out)
{
  *out = limits != NULL ? *limits : (KvsqldConnectionLimits){ 0 };
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
kvsqld_server_set_limits (KvsqldServer *self, const KvsqldConnectionLimits *limits)
{
  complete_limits (limits, &self->limits);
  g_atomic_pointer_set (&self->budget.limit, self->limits.max_bytes_in_flight);
}

static void
listener_free (gpointer data)
{
  Listener *self = data;

  kvsqld_listener_free (self->listener);
  g_free (self);
}

KvsqldServer *
kvsqld_server_new (const KvsqldConnectionLimits *limits)
{
  KvsqldServer *self = g_new0 (KvsqldServer, 1);

  self->listeners = g_ptr_array_new_with_free_func (listener_free);
  self->connections = kvsqld_connection_set_new ();
  self->pool = g_thread_pool_new (serve, self, -1, FALSE, NULL);
  g_thread_pool_set_max_unused_threads (SPARE_THREADS);
  self->idle = kvsqld_idle_poller_new (on_idle_entry, self);
  kvsqld_server_set_limits (self, limits);
  return self;
}

/* @listener: (transfer full) */
static void
add_listener (KvsqldServer *self, KvsqldFrontEnd *front_end, const KvsqldEntrance *entrance,
              KvsqldListener *listener)
{
  Listener *added = g_new0 (Listener, 1);

  *added = (Listener){
    .server = self, .front_end = front_end, .listener = listener, .entrance = *entrance
  };
  g_ptr_array_add (self->listeners, added);
}

gboolean
kvsqld_server_listen (KvsqldServer *self, KvsqldFrontEnd *front_end, const gchar *address,
                      guint unix_mode, GError **error)
{
  g_autoptr (KvsqldListenAddress) parsed = kvsqld_listen_address_parse (address, error);
  g_autoptr (GPtrArray) listeners
      = parsed == NULL
            ? NULL
            : kvsqld_listener_open (address, unix_mode != 0 ? unix_mode : DEFAULT_UNIX_MODE, error);

  KvsqldEntrance entrance;

  if (listeners == NULL)
    return FALSE;
  entrance = (KvsqldEntrance){ .auth = parsed->auth,
                               .tls = parsed->tls,
                               .asks_certificate = parsed->asks_certificate };
  while (listeners->len > 0)
    add_listener (self, front_end, &entrance, g_ptr_array_steal_index (listeners, 0));
  return TRUE;
}

gboolean
kvsqld_server_listen_fd (KvsqldServer *self, KvsqldFrontEnd *front_end, gint fd, const gchar *auth,
                         KvsqldTlsMode tls, GError **error)
{
  g_autoptr (KvsqldListener) listener = kvsqld_listener_new_from_fd (fd, error);
  gboolean is_unix;
  KvsqldEntrance entrance = { .auth = KVSQLD_AUTH_PEER };

  if (listener == NULL)
    return FALSE;
  is_unix = g_str_has_prefix (kvsqld_listener_get_address (listener), "unix:");
  if ((auth[0] != '\0' && !kvsqld_auth_parse (auth, &entrance.auth))
      || (!is_unix && entrance.auth == KVSQLD_AUTH_PEER))
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "the socket %s of the service manager needs \"inherited_auth\" in group "
                       "[kvsqld]",
                       kvsqld_listener_get_address (listener));
      return kvsql_error_hint (error, "Write scram, cert or none.");
    }
  if (is_unix && entrance.auth == KVSQLD_AUTH_CERT)
    entrance.auth = KVSQLD_AUTH_PEER;
  if (!is_unix)
    entrance.tls = tls;
  entrance.asks_certificate = entrance.auth == KVSQLD_AUTH_CERT;
  add_listener (self, front_end, &entrance, g_steal_pointer (&listener));
  return TRUE;
}

static Listener *
get_listener (const KvsqldServer *self, guint i)
{
  return g_ptr_array_index (self->listeners, i);
}

gchar **
kvsqld_server_get_addresses (KvsqldServer *self)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  gchar **addresses;

  for (guint i = 0; i < self->listeners->len; i++)
    g_strv_builder_add (builder, kvsqld_listener_get_address (get_listener (self, i)->listener));
  addresses = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return addresses;
}

/* ---- peers that disconnect during their request */

static gboolean
is_busy_without_peer (const KvsqldConnectionEntry *entry)
{
  struct pollfd fd = { .fd = g_socket_get_fd (entry->socket), .events = POLLRDHUP };

  return entry->is_busy && poll (&fd, 1, 0) == 1;
}

/* A thread that runs a request does not watch its socket. This does it for all, at an interval. */
static gboolean
on_watch (gpointer user_data)
{
  KvsqldServer *self = user_data;

  kvsqld_connection_set_cancel (self->connections, is_busy_without_peer);
  return G_SOURCE_CONTINUE;
}

void
kvsqld_server_start (KvsqldServer *self)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  self->watch = g_timeout_source_new (WATCH_MS);
  g_source_set_callback (self->watch, on_watch, self, NULL);
  g_source_attach (self->watch, context);
  for (guint i = 0; i < self->listeners->len; i++)
    kvsqld_listener_start (get_listener (self, i)->listener, on_accepted, get_listener (self, i));
}

/* ---- the end */

static gboolean
is_waiting (const KvsqldConnectionEntry *entry)
{
  return !entry->is_busy;
}

static gboolean
is_open (G_GNUC_UNUSED const KvsqldConnectionEntry *entry)
{
  return TRUE;
}

static void
cancel (KvsqldServer *self, gboolean (*is_chosen) (const KvsqldConnectionEntry *entry))
{
  kvsqld_connection_set_cancel (self->connections, is_chosen);
  if (self->idle != NULL)
    kvsqld_idle_poller_poll (self->idle);
}

static gboolean
wait_for_end (KvsqldServer *self, gint64 grace_ms)
{
  gint64 deadline = g_get_monotonic_time () + grace_ms * G_TIME_SPAN_MILLISECOND;
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  gboolean is_over = FALSE;

  while (!is_over && g_get_monotonic_time () < deadline)
    {
      gint64 step = g_get_monotonic_time () + DRAIN_STEP_MS * G_TIME_SPAN_MILLISECOND;

      is_over = kvsqld_connection_set_await_end (self->connections, MIN (step, deadline));
      while (!is_over && g_main_context_iteration (context, FALSE))
        continue;
    }
  return is_over;
}

gboolean
kvsqld_server_drain (KvsqldServer *self, gint64 grace_ms)
{
  g_ptr_array_set_size (self->listeners, 0);
  kvsqld_connection_set_stop (self->connections);
  cancel (self, is_waiting);
  if (wait_for_end (self, MAX (grace_ms, 1)))
    return TRUE;
  cancel (self, is_open);
  return wait_for_end (self, CANCEL_GRACE_MS);
}

void
kvsqld_server_free (KvsqldServer *self)
{
  if (self == NULL)
    return;
  if (!kvsqld_server_drain (self, 0))
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
  /* Waits for the threads, which may still use the set. */
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_ptr_array_unref (self->listeners);
  kvsqld_connection_set_free (self->connections);
  kvsqld_encryption_unref (self->encryption);
  g_free (self);
}

void
kvsqld_server_get_status (KvsqldServer *self, KvsqldConnectionStatus *out)
{
  kvsqld_connection_set_get_status (self->connections, out);
  out->n_idle = self->idle != NULL ? kvsqld_idle_poller_count (self->idle) : 0;
  out->bytes_in_flight = kvsql_byte_budget_get_used (&self->budget);
}
