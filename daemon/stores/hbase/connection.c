/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.c: non-blocking socket, absolute deadlines.
 *
 * recv() and send() are called directly: GSocket's own would allocate an error each
 * time there is nothing to read yet, which is before almost every reply.
 */
#include "config.h"

#include "daemon/stores/hbase/connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "daemon/stores/hbase/address.h"

#define SMALLEST_RECEIVE ((gsize)64 << 10)

struct _KvsqldT2Connection
{
  const KvsqldT2Endpoint *endpoint;
  KvsqldT2Settings settings;
  GSocket *socket;

  /* Of the request under way. */
  const KvsqlCall *call;
  gint64 limit_us;
  gboolean is_sent;     /* to its last byte */
  gboolean is_answered; /* a byte has come back */
};

/* ---- time */

static gint64
earlier (gint64 limit_us, const KvsqlCall *call)
{
  return call->deadline_us > 0 ? MIN (limit_us, call->deadline_us) : limit_us;
}

/* The caller's time has run out, or he has lost interest. */
static gboolean
caller_gave_up (const KvsqlCall *call)
{
  return (call->deadline_us > 0 && g_get_monotonic_time () >= call->deadline_us)
         || g_cancellable_is_cancelled (call->cancellable);
}

static gboolean
fail_for_caller (const KvsqldT2Endpoint *endpoint, const KvsqlCall *call, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                          g_cancellable_is_cancelled (call->cancellable)
                              ? "the request to HBase at %s was cancelled"
                              : "HBase at %s did not answer before the deadline",
                          endpoint->address);
}

/* Waits for the socket; FALSE with *@out_reason set, if it is not the caller who gave up. */
static gboolean
wait_for (KvsqldT2Connection *self, GIOCondition condition, gint64 limit_us, const KvsqlCall *call,
          gchar **out_reason)
{
  gint64 left;

  /* poll() counts milliseconds and may wake a little early. */
  while ((left = limit_us - g_get_monotonic_time ()) > 0)
    {
      g_autoptr (GError) failure = NULL;

      if (g_socket_condition_timed_wait (self->socket, condition, MAX (left, 1000),
                                         call->cancellable, &failure))
        return TRUE;
      if (!g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
        {
          *out_reason = g_strdup (failure->message);
          return FALSE;
        }
    }
  *out_reason = g_strdup ("no answer in time");
  return FALSE;
}

/* ---- connecting */

static gboolean
fail_to_reach (const KvsqldT2Endpoint *endpoint, const gchar *reason, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                          "could not reach HBase's Thrift server at %s: %s", endpoint->address,
                          reason);
}

static GSocket *
new_socket (GSocketAddress *address, GError **error)
{
  GSocket *made = g_socket_new (g_socket_address_get_family (address), G_SOCKET_TYPE_STREAM,
                                G_SOCKET_PROTOCOL_TCP, error);

  if (made == NULL)
    return NULL;
  g_socket_set_blocking (made, FALSE);
  g_socket_set_keepalive (made, TRUE);
  g_socket_set_option (made, IPPROTO_TCP, TCP_NODELAY, 1, NULL);
  return made;
}

/* FALSE with *@out_reason set. */
static gboolean
connect_to (KvsqldT2Connection *self, GSocketAddress *address, gint64 limit_us,
            const KvsqlCall *call, gchar **out_reason)
{
  g_autoptr (GError) failure = NULL;

  g_clear_object (&self->socket);
  self->socket = new_socket (address, &failure);
  if (self->socket != NULL)
    {
      if (g_socket_connect (self->socket, address, NULL, &failure))
        return TRUE;
      if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_PENDING))
        {
          g_clear_error (&failure);
          if (!wait_for (self, G_IO_OUT, limit_us, call, out_reason))
            return FALSE;
          if (g_socket_check_connect_result (self->socket, &failure))
            return TRUE;
        }
    }
  *out_reason = g_strdup (failure->message);
  return FALSE;
}

/* A name's addresses, one after the other, until one answers. */
static gboolean
connect_to_any (KvsqldT2Connection *self, const KvsqlCall *call, gchar **out_reason)
{
  gint64 limit_us = earlier (g_get_monotonic_time () + self->settings.connect_timeout_us, call);
  g_autoptr (GSocketConnectable) target
      = g_network_address_new (self->endpoint->host, self->endpoint->port);
  g_autoptr (GSocketAddressEnumerator) addresses = g_socket_connectable_enumerate (target);

  while (!caller_gave_up (call))
    {
      g_autoptr (GError) failure = NULL;
      g_autoptr (GSocketAddress) address
          = kvsqld_t2_next_address (addresses, limit_us, call->cancellable, &failure);

      if (address == NULL)
        {
          if (failure != NULL && *out_reason == NULL)
            *out_reason = g_strdup (failure->message);
          return FALSE;
        }
      g_clear_pointer (out_reason, g_free);
      if (connect_to (self, address, limit_us, call, out_reason))
        return TRUE;
    }
  return FALSE;
}

KvsqldT2Connection *
kvsqld_t2_connection_open (const KvsqldT2Endpoint *endpoint, const KvsqldT2Settings *settings,
                           const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqldT2Connection) self = g_new0 (KvsqldT2Connection, 1);
  g_autofree gchar *reason = NULL;

  self->endpoint = endpoint;
  self->settings = *settings;
  if (connect_to_any (self, call, &reason))
    return g_steal_pointer (&self);
  if (caller_gave_up (call))
    fail_for_caller (endpoint, call, error);
  else
    fail_to_reach (endpoint, reason != NULL ? reason : "it has no address", error);
  return NULL;
}

void
kvsqld_t2_connection_free (KvsqldT2Connection *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->socket);
  g_free (self);
}

gboolean
kvsqld_t2_connection_is_usable (const KvsqldT2Connection *self)
{
  guint8 byte;

  return recv (g_socket_get_fd (self->socket), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0
         && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* ---- one request */

static gboolean
fail_call (KvsqldT2Connection *self, const gchar *reason, GError **error)
{
  if (caller_gave_up (self->call))
    return fail_for_caller (self->endpoint, self->call, error);
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                          "lost the connection to HBase's Thrift server at %s: %s",
                          self->endpoint->address, reason);
}

static gboolean
send_all (KvsqldT2Connection *self, KvsqlSlice bytes, GError **error)
{
  gint fd = g_socket_get_fd (self->socket);
  gsize sent = 0;

  while (sent < bytes.size)
    {
      gssize n = send (fd, bytes.data + sent, bytes.size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      g_autofree gchar *reason = NULL;

      if (n >= 0)
        sent += (gsize)n;
      else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        return fail_call (self, g_strerror (errno), error);
      else if (!wait_for (self, G_IO_OUT, self->limit_us, self->call, &reason))
        return fail_call (self, reason, error);
    }
  return TRUE;
}

static void
make_room (KvsqlBuffer *buffer, gsize size)
{
  gsize wanted = MAX (size, buffer->size + SMALLEST_RECEIVE / 4);
  gsize have = buffer->size;

  if (wanted <= buffer->capacity)
    return;
  wanted = MAX (wanted, MAX (buffer->capacity * 2, SMALLEST_RECEIVE));
  kvsql_buffer_extend (buffer, wanted - have);
  buffer->size = have;
}

static gboolean
fill (gpointer source, KvsqlBuffer *buffer, gsize size, GError **error)
{
  KvsqldT2Connection *self = source;
  gint fd = g_socket_get_fd (self->socket);

  while (buffer->size < size)
    {
      g_autofree gchar *reason = NULL;
      gssize n;

      make_room (buffer, buffer->size + 1);
      n = recv (fd, buffer->data + buffer->size, buffer->capacity - buffer->size, MSG_DONTWAIT);
      if (n > 0)
        {
          buffer->size += (gsize)n;
          self->is_answered = TRUE;
        }
      else if (n == 0)
        return fail_call (self, "it closed the connection", error);
      else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        return fail_call (self, g_strerror (errno), error);
      else if (!wait_for (self, G_IO_IN, self->limit_us, self->call, &reason))
        return fail_call (self, reason, error);
    }
  return TRUE;
}

/* What the caller must know: a write that was sent may have been done, whatever broke then. */
static void
convert_failure (KvsqldT2Connection *self, const KvsqldT2Method *method, GError **failure)
{
  GError *converted = NULL;

  if (self->is_sent && method->is_write)
    {
      kvsql_error_set (&converted, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                       "the write may or may not have been done: %s", (*failure)->message);
      kvsql_error_hint (&converted, "Read the data before you repeat the statement.");
    }
  else if (g_error_matches (*failure, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL))
    kvsql_error_set (&converted, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "%s (%s)",
                     (*failure)->message, self->endpoint->address);
  if (converted == NULL)
    return;
  g_error_free (*failure);
  *failure = converted;
}

gboolean
kvsqld_t2_connection_call (KvsqldT2Connection *self, const KvsqldT2Method *method,
                           const KvsqldT2Writer *request, const KvsqlCall *call,
                           KvsqldT2Reply *reply, GError **error)
{
  GError *failure = NULL;

  self->call = call;
  self->limit_us = earlier (g_get_monotonic_time () + self->settings.reply_timeout_us, call);
  if (request->is_patient && call->deadline_us != 0)
    self->limit_us = call->deadline_us;
  self->is_sent = FALSE;
  self->is_answered = FALSE;
  if (send_all (self, kvsql_buffer_slice (&request->bytes), &failure))
    {
      self->is_sent = TRUE;
      if (kvsqld_t2_reply_read (reply, self->settings.transport, method, request->sequence, fill,
                                self, &failure))
        return TRUE;
    }
  convert_failure (self, method, &failure);
  g_propagate_error (error, failure);
  return FALSE;
}

/* ---- probing */

static void
hint_transport (KvsqldT2Connection *self, GError **error)
{
  const gchar *framed = self->settings.transport.is_framed ? "true" : "false";
  const gchar *protocol = self->settings.transport.is_compact ? "compact" : "binary";

  if (g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE))
    return;
  kvsql_error_hint (error,
                    "Check framed=%s and protocol=%s in the store's URL: the server speaks framed "
                    "with -f or -threadedselector, compact with -c, else neither.",
                    framed, protocol);
}

gboolean
kvsqld_t2_connection_probe (KvsqldT2Connection *self, const KvsqlCall *call, GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };
  gint64 usual = self->settings.reply_timeout_us;
  GError *failure = NULL;
  gboolean is_answered;

  kvsqld_t2_writer_init (&request, self->settings.transport);
  kvsqld_t2_write_plain (&request, &kvsqld_t2_get_server_type);
  self->settings.reply_timeout_us = MIN (usual, self->settings.connect_timeout_us);
  /* Whatever it answers, an older server's "unknown method" too, it understood the question. */
  is_answered = kvsqld_t2_connection_call (self, &kvsqld_t2_get_server_type, &request, call, &reply,
                                           &failure);
  self->settings.reply_timeout_us = usual;
  if (is_answered)
    return TRUE;
  hint_transport (self, &failure);
  g_propagate_error (error, failure);
  return FALSE;
}
