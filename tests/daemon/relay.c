/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * relay.c: see relay.h. A thread accepts, and each connection has a thread for either direction.
 */
#include "config.h"

#include "tests/daemon/relay.h"

struct _Relay
{
  gchar *server;
  guint16 port;
  GThread *acceptor; /* of the current listener */
  GSocketListener *listener;
  GCancellable *stop; /* the acceptor */
  GMutex mutex;
  GCond changed;
  RelayMode mode;
  GPtrArray *connections; /* GSocketConnection: both ends */
  guint n_threads;
};

typedef struct
{
  Relay *relay;
  GSocketConnection *from;
  GSocketConnection *to;
} Pump;

static void
cut (GSocketConnection *connection)
{
  g_socket_shutdown (g_socket_connection_get_socket (connection), TRUE, TRUE, NULL);
}

/* Waits while nothing may pass; FALSE: it is over. */
static gboolean
may_pass (Relay *self)
{
  gboolean result;

  g_mutex_lock (&self->mutex);
  while (self->mode == RELAY_HANG)
    g_cond_wait (&self->changed, &self->mutex);
  result = self->mode == RELAY_PASS;
  g_mutex_unlock (&self->mutex);
  return result;
}

static gpointer
pump (gpointer data)
{
  Pump *self = data;
  GInputStream *input = g_io_stream_get_input_stream (G_IO_STREAM (self->from));
  GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (self->to));
  guint8 buffer[16384];
  gssize size;

  while ((size = g_input_stream_read (input, buffer, sizeof buffer, NULL, NULL)) > 0
         && may_pass (self->relay)
         && g_output_stream_write_all (output, buffer, (gsize)size, NULL, NULL, NULL))
    ;
  cut (self->from);
  cut (self->to);
  g_mutex_lock (&self->relay->mutex);
  self->relay->n_threads--;
  g_cond_broadcast (&self->relay->changed);
  g_mutex_unlock (&self->relay->mutex);
  g_object_unref (self->from);
  g_object_unref (self->to);
  g_free (self);
  return NULL;
}

static void
start_pump (Relay *relay, GSocketConnection *from, GSocketConnection *to)
{
  Pump *self = g_new (Pump, 1);

  *self = (Pump){ relay, g_object_ref (from), g_object_ref (to) };
  relay->n_threads++;
  g_thread_unref (g_thread_new ("pump", pump, self));
}

static gpointer
accept_all (gpointer data)
{
  Relay *self = data;
  g_autoptr (GSocketClient) client = g_socket_client_new ();

  for (;;)
    {
      g_autoptr (GSocketConnection) near
          = g_socket_listener_accept (self->listener, NULL, self->stop, NULL);
      g_autoptr (GSocketConnection) far = NULL;

      if (near == NULL)
        return NULL;
      far = g_socket_client_connect_to_host (client, self->server, 0, NULL, NULL);
      g_mutex_lock (&self->mutex);
      if (far == NULL || self->mode == RELAY_DOWN)
        cut (near);
      else
        {
          start_pump (self, near, far);
          start_pump (self, far, near);
          g_ptr_array_add (self->connections, g_steal_pointer (&near));
          g_ptr_array_add (self->connections, g_steal_pointer (&far));
        }
      g_mutex_unlock (&self->mutex);
    }
}

static void
start_listening (Relay *self)
{
  g_autoptr (GSocketAddress) address
      = g_inet_socket_address_new_from_string ("127.0.0.1", self->port);
  g_autoptr (GSocketAddress) bound = NULL;
  g_autoptr (GError) error = NULL;

  self->listener = g_socket_listener_new ();
  g_socket_listener_add_address (self->listener, address, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_TCP, NULL, &bound, &error);
  g_assert_no_error (error);
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
  self->stop = g_cancellable_new ();
  self->acceptor = g_thread_new ("accept", accept_all, self);
}

static void
stop_listening (Relay *self)
{
  if (self->listener == NULL)
    return;
  g_cancellable_cancel (self->stop);
  g_thread_join (self->acceptor);
  g_socket_listener_close (self->listener);
  g_clear_object (&self->listener);
  g_clear_object (&self->stop);
}

static void
cut_all (Relay *self)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->connections->len; i++)
    cut (self->connections->pdata[i]);
  g_ptr_array_set_size (self->connections, 0);
  while (self->n_threads > 0)
    g_cond_wait (&self->changed, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

Relay *
relay_new (const gchar *server)
{
  Relay *self = g_new0 (Relay, 1);

  self->server = g_strdup (server);
  self->connections = g_ptr_array_new_with_free_func (g_object_unref);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  start_listening (self);
  return self;
}

void
relay_free (Relay *self)
{
  relay_set_mode (self, RELAY_DOWN);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_ptr_array_unref (self->connections);
  g_free (self->server);
  g_free (self);
}

guint16
relay_get_port (Relay *self)
{
  return self->port;
}

void
relay_set_mode (Relay *self, RelayMode mode)
{
  g_mutex_lock (&self->mutex);
  self->mode = mode;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  if (mode == RELAY_DOWN)
    {
      stop_listening (self);
      cut_all (self);
    }
  else if (self->listener == NULL)
    start_listening (self);
}
