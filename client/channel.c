/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * channel.c: one open socket connection to one kvsqld.
 *
 * GSocketClient's timeout is in seconds and restarts for each step, but a call has one deadline for
 * all steps. So this code tries the addresses of a host one after the other itself.
 */
#include "config.h"

#include "client/channel.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include "client/error-private.h"

#define QUEUE_FULL_PAUSE_US (5 * G_TIME_SPAN_MILLISECOND)

void
_kvsql_channel_free (KvsqlChannel *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->protocol);
  if (self->stream != NULL)
    g_io_stream_close (G_IO_STREAM (self->stream), NULL, NULL);
  g_clear_object (&self->stream);
  g_free (self->peer);
  g_free (self);
}

static gboolean
wait_connected (GSocket *socket, gint64 deadline, GCancellable *cancellable, GError **error)
{
  gint64 left = deadline - g_get_monotonic_time ();

  if (left <= 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "no answer in time");
      return FALSE;
    }
  return g_socket_condition_timed_wait (socket, G_IO_OUT, left, cancellable, error)
         && g_socket_check_connect_result (socket, error);
}

/* connect() to a UNIX socket whose queue is full fails at once and cannot be polled: try again. */
static gboolean
start_connect (GSocket *socket, GSocketAddress *address, gint64 deadline, GCancellable *cancellable,
               GError **error)
{
  while (TRUE)
    {
      g_autoptr (GError) cause = NULL;

      if (g_socket_connect (socket, address, cancellable, &cause))
        return TRUE;
      if (!g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)
          || g_get_monotonic_time () >= deadline)
        {
          g_propagate_error (error, g_steal_pointer (&cause));
          return FALSE;
        }
      g_usleep (QUEUE_FULL_PAUSE_US);
    }
}

static GSocket *
connect_address (GSocketAddress *address, gint64 deadline, GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (GError) cause = NULL;
  GSocketFamily family = g_socket_address_get_family (address);
  g_autoptr (GSocket) socket
      = g_socket_new (family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, error);

  if (socket == NULL)
    return NULL;
  g_socket_set_blocking (socket, FALSE);
  g_socket_set_keepalive (socket, TRUE);
  if (family != G_SOCKET_FAMILY_UNIX)
    g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);

  if (!start_connect (socket, address, deadline, cancellable, &cause))
    {
      if (!g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_PENDING))
        {
          g_propagate_error (error, g_steal_pointer (&cause));
          return NULL;
        }
      if (!wait_connected (socket, deadline, cancellable, error))
        return NULL;
    }
  return g_steal_pointer (&socket);
}

/* ---- addresses of a host */

/* The system's resolver has no deadline, and its functions cannot be interrupted. So it works in
 * threads of GLib. After the deadline those go on, and their results are dropped.
 *
 * GLib looks up IPv4 and IPv6 addresses at the same time, and may give the first ones before the
 * others are known. So all calls for one host have the same context and the same cancellable. */
typedef struct
{
  GSocketAddressEnumerator *addresses;
  GMainContext *context; /* NULL, and the next three: the host has no name to look up */
  GCancellable *stop;    /* ends the lookups */
  GSource *timer;        /* of the deadline */
  gboolean is_late;
  GCancellable *cancellable; /* nullable: the caller's */
  gulong handler;            /* of it */
  GAsyncResult *result;
} Lookup;

static void
lookup_done (GObject *source, GAsyncResult *result, gpointer data)
{
  ((Lookup *)data)->result = g_object_ref (result);
}

static gboolean
lookup_is_late (gpointer data)
{
  Lookup *self = data;

  self->is_late = TRUE;
  g_cancellable_cancel (self->stop);
  return G_SOURCE_REMOVE;
}

static void
stop_lookup (GCancellable *cancellable, GCancellable *stop)
{
  g_cancellable_cancel (stop);
}

static gboolean
has_name (GSocketConnectable *host)
{
  return G_IS_NETWORK_ADDRESS (host)
         && !g_hostname_is_ip_address (g_network_address_get_hostname (G_NETWORK_ADDRESS (host)));
}

static void
lookup_begin (Lookup *self, GSocketConnectable *host, gint64 deadline, GCancellable *cancellable)
{
  gint64 left_us = MAX (deadline - g_get_monotonic_time (), 0);

  *self
      = (Lookup){ .addresses = g_socket_connectable_enumerate (host), .cancellable = cancellable };
  if (!has_name (host))
    return;
  self->context = g_main_context_new ();
  self->stop = g_cancellable_new ();
  self->timer = g_timeout_source_new ((guint)MIN (left_us / 1000, G_MAXINT));
  g_source_set_callback (self->timer, lookup_is_late, self, NULL);
  g_source_attach (self->timer, self->context);
  if (cancellable != NULL)
    self->handler = g_cancellable_connect (cancellable, G_CALLBACK (stop_lookup), self->stop, NULL);
}

static void
lookup_end (Lookup *self)
{
  g_clear_object (&self->addresses);
  if (self->context == NULL)
    return;
  g_cancellable_disconnect (self->cancellable, self->handler);
  g_source_destroy (self->timer);
  g_source_unref (self->timer);
  g_main_context_unref (self->context);
  g_object_unref (self->stop);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lookup, lookup_end)

/* NULL without an error: there are no more. */
static GSocketAddress *
lookup_next (Lookup *self, GError **error)
{
  GSocketAddress *address;

  if (self->context == NULL)
    return g_socket_address_enumerator_next (self->addresses, self->cancellable, error);
  g_main_context_push_thread_default (self->context);
  g_socket_address_enumerator_next_async (self->addresses, self->stop, lookup_done, self);
  while (self->result == NULL)
    g_main_context_iteration (self->context, TRUE);
  g_main_context_pop_thread_default (self->context);
  address = g_socket_address_enumerator_next_finish (self->addresses, self->result, error);
  g_clear_object (&self->result);
  if (address == NULL && self->is_late)
    {
      g_clear_error (error);
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                           "the host name was not resolved in time");
    }
  return address;
}

/* ---- connecting */

/* Connects to the first address that answers. If none does, the error is that of the first address,
 * which the resolver prefers. */
static GSocket *
connect_host (GSocketConnectable *host, gint64 deadline, GCancellable *cancellable, GError **error)
{
  g_auto (Lookup) lookup = { NULL };
  g_autoptr (GError) first = NULL;

  lookup_begin (&lookup, host, deadline, cancellable);
  while (!g_cancellable_is_cancelled (cancellable))
    {
      g_autoptr (GError) cause = NULL;
      g_autoptr (GSocketAddress) address = lookup_next (&lookup, &cause);
      GSocket *socket;

      if (address == NULL)
        {
          if (first == NULL)
            first = g_steal_pointer (&cause);
          break;
        }
      socket = connect_address (address, deadline, cancellable, &cause);
      if (socket != NULL)
        return socket;
      if (first == NULL)
        first = g_steal_pointer (&cause);
    }
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_propagate_error (error, first != NULL ? g_steal_pointer (&first)
                                            : g_error_new (G_IO_ERROR, G_IO_ERROR_HOST_NOT_FOUND,
                                                           "host has no address"));
  return NULL;
}

static gboolean
set_unreachable (const gchar *name, GError *cause, GError **error)
{
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return _kvsql_client_error_propagate (error, cause);
  /* The system's texts begin with a capital letter; kvsql's do not. */
  if (g_ascii_islower (cause->message[0] != '\0' ? cause->message[1] : '\0'))
    cause->message[0] = g_ascii_tolower (cause->message[0]);
  /* This holds for every reason, a timeout included: no request was sent yet. */
  _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_UNAVAILABLE,
                           "could not reach kvsqld at \"%s\": %s", name, cause->message);
  g_error_free (cause);
  return FALSE;
}

/* ---- TLS */

/* The files are read for each connection: they may have been renewed. */
static gboolean
start_tls (const KvsqlUri *uri, guint host, GSocket *socket, KvsqlTransport *transport,
           GError **error)
{
  GSocketConnectable *address = g_ptr_array_index (uri->hosts, host);
  const KvsqlTlsFiles files = { .certificate = uri->certificate,
                                .key = uri->key,
                                .ca = uri->ca,
                                .trusts_system = uri->verify != KVSQL_TLS_VERIFY_NONE };
  g_autoptr (KvsqlTlsCredentials) credentials = kvsql_tls_credentials_load (&files, error);

  if (credentials == NULL)
    return FALSE;
  kvsql_transport_start_tls (
      transport, kvsql_tls_new_client (credentials, "kvsql",
                                       g_network_address_get_hostname (G_NETWORK_ADDRESS (address)),
                                       uri->verify, g_socket_get_fd (socket)));
  return kvsql_transport_shake_hands (transport, error);
}

static gboolean
encrypt (KvsqlChannel *self, const KvsqlUri *uri, guint host, GSocket *socket, gint64 deadline,
         GCancellable *cancellable, GError **error)
{
  KvsqlTransport *transport = kvsql_protocol_get_transport (self->protocol);
  gboolean is_encrypted;
  GError *cause = NULL;

  kvsql_transport_set_deadline (transport, deadline);
  kvsql_transport_set_cancellable (transport, cancellable);
  is_encrypted = start_tls (uri, host, socket, transport, &cause);
  kvsql_transport_set_cancellable (transport, NULL);
  if (is_encrypted)
    return TRUE;
  if (cause->domain == KVSQL_ERROR && cause->code != KVSQL_ERROR_INVALID)
    {
      cause->code = KVSQL_ERROR_UNAVAILABLE; /* no request was sent yet */
      g_prefix_error (&cause, "could not reach kvsqld at \"%s\": ", self->peer);
    }
  return _kvsql_client_error_propagate (error, cause);
}

KvsqlChannel *
_kvsql_channel_open (const KvsqlUri *uri, guint host, gint64 deadline, GCancellable *cancellable,
                     GError **error)
{
  const gchar *name = g_ptr_array_index (uri->names, host);
  g_autoptr (GError) cause = NULL;
  g_autoptr (GSocket) socket
      = connect_host (g_ptr_array_index (uri->hosts, host), deadline, cancellable, &cause);
  g_autoptr (KvsqlTransport) transport = NULL;
  g_autoptr (KvsqlChannel) self = NULL;

  if (socket == NULL)
    {
      set_unreachable (name, g_steal_pointer (&cause), error);
      return NULL;
    }
  self = g_new0 (KvsqlChannel, 1);
  self->stream = g_socket_connection_factory_create_connection (socket);
  self->peer = g_strdup (name);
  transport = kvsql_transport_new (G_IO_STREAM (self->stream), uri->is_framed,
                                   KVSQL_TRANSPORT_MAX_MESSAGE);
  kvsql_transport_set_spin (transport, uri->spin_us);
  self->protocol = kvsql_protocol_new (transport, uri->is_compact);
  if (uri->has_tls && !encrypt (self, uri, host, socket, deadline, cancellable, error))
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
_kvsql_channel_has_met_tls (KvsqlChannel *self)
{
  return kvsql_transport_has_met_tls (kvsql_protocol_get_transport (self->protocol));
}

void
_kvsql_channel_set_max_answer (KvsqlChannel *self, guint32 max_bytes)
{
  kvsql_transport_set_max_message (kvsql_protocol_get_transport (self->protocol),
                                   max_bytes != 0 ? max_bytes : KVSQL_TRANSPORT_MAX_MESSAGE);
}

gboolean
_kvsql_channel_is_stale (KvsqlChannel *self)
{
  return g_socket_condition_check (g_socket_connection_get_socket (self->stream),
                                   G_IO_IN | G_IO_HUP | G_IO_ERR)
         != 0;
}

static KvsqlTransport *
set_limits (KvsqlChannel *self, gint64 deadline, GCancellable *cancellable)
{
  KvsqlTransport *transport = kvsql_protocol_get_transport (self->protocol);

  kvsql_transport_set_deadline (transport, deadline);
  kvsql_transport_set_cancellable (transport, cancellable);
  return transport;
}

KvsqlMessageOutcome
_kvsql_channel_send (KvsqlChannel *self, const KvsqlMessageCall *call, gint64 deadline,
                     GCancellable *cancellable, GError **error)
{
  KvsqlTransport *transport = set_limits (self, deadline, cancellable);
  gboolean ok;

  self->sequence = self->sequence == G_MAXINT32 ? 1 : self->sequence + 1;
  ok = _kvsql_call_send (call, self->protocol, self->sequence, error);
  kvsql_transport_set_cancellable (transport, NULL);
  return ok ? KVSQL_MESSAGE_DONE : KVSQL_MESSAGE_UNSENT;
}

KvsqlMessageOutcome
_kvsql_channel_receive (KvsqlChannel *self, const KvsqlMessageCall *call, gint32 sequence,
                        gint64 deadline, GCancellable *cancellable, GError **error)
{
  KvsqlTransport *transport = set_limits (self, deadline, cancellable);
  KvsqlMessageOutcome outcome = _kvsql_call_receive (call, self->protocol, sequence, error);

  kvsql_transport_set_cancellable (transport, NULL);
  return outcome;
}

gssize
_kvsql_channel_wait (KvsqlChannel *self, gint64 deadline, GCancellable *cancellable, GError **error)
{
  KvsqlTransport *transport = set_limits (self, deadline, cancellable);
  GError *cause = NULL;
  gssize n = kvsql_transport_wait (transport, &cause);

  kvsql_transport_set_cancellable (transport, NULL);
  if (n < 0)
    _kvsql_client_error_propagate (error, cause);
  return n;
}

KvsqlMessageOutcome
_kvsql_channel_call (KvsqlChannel *self, const KvsqlMessageCall *call, gint64 deadline,
                     GCancellable *cancellable, GError **error)
{
  KvsqlMessageOutcome outcome = _kvsql_channel_send (self, call, deadline, cancellable, error);

  if (outcome == KVSQL_MESSAGE_DONE)
    outcome = _kvsql_channel_receive (self, call, self->sequence, deadline, cancellable, error);
  return outcome;
}
