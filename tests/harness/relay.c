/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * relay.c: see relay.h. A thread accepts, and each connection has a thread for either direction.
 */
#include "config.h"

#include "tests/harness/relay.h"

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
  GRand *chance;
  gsize largest_reply; /* 0: replies are not cut */
  guint n_cuts;
  gint n_accepted;
  const gchar *replaced; /* nullable */
  const gchar *replacement;
  GArray *counts; /* of Count */
};

typedef struct
{
  const gchar *text;
  guint n;
  guint hang_at; /* 0: never */
} Count;

typedef struct
{
  Relay *relay;
  GSocketConnection *from;
  GSocketConnection *to;
  gsize left; /* bytes until the connection is cut */
  gboolean is_to_server;
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

/* What is parted over two reads is not found. */
static void
replace (Relay *self, guint8 *bytes, gsize size)
{
  guint8 *found;

  g_mutex_lock (&self->mutex);
  while (self->replaced != NULL
         && (found = memmem (bytes, size, self->replaced, strlen (self->replaced))) != NULL)
    memcpy (found, self->replacement, strlen (self->replacement));
  g_mutex_unlock (&self->mutex);
}

/* As replace(). */
static void
count (Relay *self, const guint8 *bytes, gsize size)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->counts->len; i++)
    {
      Count *each = &g_array_index (self->counts, Count, i);
      gsize length = strlen (each->text);
      const guint8 *end = bytes + size;

      for (const guint8 *at = bytes;
           (at = memmem (at, (gsize)(end - at), each->text, length)) != NULL; at += length)
        if (++each->n == each->hang_at)
          self->mode = RELAY_HANG;
    }
  g_mutex_unlock (&self->mutex);
}

/* Passes bytes on; FALSE: the connection is over. */
static gboolean
pass_on (Pump *self, guint8 *bytes, gsize size)
{
  GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (self->to));
  gboolean is_cut = size >= self->left;
  gsize passed = MIN (size, self->left);

  self->left -= passed;
  if (!g_output_stream_write_all (output, bytes, passed, NULL, NULL, NULL) || !is_cut)
    return !is_cut;
  g_mutex_lock (&self->relay->mutex);
  self->relay->n_cuts++;
  g_mutex_unlock (&self->relay->mutex);
  return FALSE;
}

/* For the log of a test that fails: whether it was the server that ended a connection. Of the two
 * pumps of a connection the first one knows. */
static void
note_end (Pump *self, gssize size, const GError *error)
{
  g_mutex_lock (&self->relay->mutex);
  if (size <= 0 && !self->is_to_server && self->relay->mode == RELAY_PASS
      && g_object_get_data (G_OBJECT (self->from), "ended") == NULL)
    g_printerr ("# relay: the server ended a connection: %s\n",
                error != NULL ? error->message : "no more bytes");
  g_object_set_data (G_OBJECT (self->to), "ended", self->relay);
  g_mutex_unlock (&self->relay->mutex);
}

static gpointer
pump (gpointer data)
{
  Pump *self = data;
  g_autoptr (GError) error = NULL;
  GInputStream *input = g_io_stream_get_input_stream (G_IO_STREAM (self->from));
  guint8 buffer[16384];
  gssize size;

  while ((size = g_input_stream_read (input, buffer, sizeof buffer, NULL, &error)) > 0)
    {
      if (self->is_to_server)
        {
          replace (self->relay, buffer, (gsize)size);
          count (self->relay, buffer, (gsize)size);
        }
      if (!may_pass (self->relay) || !pass_on (self, buffer, (gsize)size))
        break;
    }
  note_end (self, size, error);
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
start_pump (Relay *relay, GSocketConnection *from, GSocketConnection *to, gsize left,
            gboolean is_to_server)
{
  Pump *self = g_new (Pump, 1);

  *self = (Pump){ relay, g_object_ref (from), g_object_ref (to), left, is_to_server };
  relay->n_threads++;
  g_thread_unref (g_thread_new ("pump", pump, self));
}

/* What a connection may bring back before it is cut. Lock held. */
static gsize
choose_length (Relay *self)
{
  if (self->largest_reply == 0)
    return G_MAXSIZE;
  return 1 + (gsize)(g_rand_double (self->chance) * (gdouble)self->largest_reply);
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
      g_autoptr (GError) error = NULL;

      if (near == NULL)
        return NULL;
      g_atomic_int_inc (&self->n_accepted);
      far = g_socket_client_connect_to_host (client, self->server, 0, NULL, &error);
      if (far == NULL)
        g_printerr ("# relay: %s\n", error->message);
      g_mutex_lock (&self->mutex);
      if (far == NULL || self->mode == RELAY_DOWN)
        cut (near);
      else
        {
          start_pump (self, near, far, G_MAXSIZE, TRUE);
          start_pump (self, far, near, choose_length (self), FALSE);
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
  self->chance = g_rand_new_with_seed (0);
  self->connections = g_ptr_array_new_with_free_func (g_object_unref);
  self->counts = g_array_new (FALSE, FALSE, sizeof (Count));
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
  g_array_unref (self->counts);
  g_rand_free (self->chance);
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

void
relay_cut_replies (Relay *self, guint32 seed, gsize largest)
{
  g_mutex_lock (&self->mutex);
  g_rand_set_seed (self->chance, seed);
  self->largest_reply = largest;
  g_mutex_unlock (&self->mutex);
}

guint
relay_get_n_cuts (Relay *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->n_cuts;
  g_mutex_unlock (&self->mutex);
  return n;
}

guint
relay_get_n_connections (Relay *self)
{
  return (guint)g_atomic_int_get (&self->n_accepted);
}

void
relay_replace (Relay *self, const gchar *from, const gchar *to)
{
  g_assert_cmpuint (strlen (from), ==, strlen (to));
  g_mutex_lock (&self->mutex);
  self->replaced = from;
  self->replacement = to;
  g_mutex_unlock (&self->mutex);
}

void
relay_count (Relay *self, const gchar *text)
{
  const Count count = { text, 0, 0 };

  g_mutex_lock (&self->mutex);
  g_array_append_val (self->counts, count);
  g_mutex_unlock (&self->mutex);
}

void
relay_hang_at (Relay *self, const gchar *text, guint n)
{
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->counts->len; i++)
    if (strcmp (g_array_index (self->counts, Count, i).text, text) == 0)
      g_array_index (self->counts, Count, i).hang_at = n;
  g_mutex_unlock (&self->mutex);
}

guint
relay_get_n_counted (Relay *self, const gchar *text)
{
  guint n = 0;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->counts->len; i++)
    if (strcmp (g_array_index (self->counts, Count, i).text, text) == 0)
      n = g_array_index (self->counts, Count, i).n;
  g_mutex_unlock (&self->mutex);
  return n;
}
