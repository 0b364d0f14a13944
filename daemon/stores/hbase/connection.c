/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.c: see connection.h. Non-blocking socket, absolute deadlines; HTTP goes through
 * http.h.
 *
 * recv() and send() are called directly: GSocket's functions would allocate an error each time
 * there is nothing to read yet, which is before almost every reply.
 */
#include "config.h"

#include "daemon/stores/hbase/connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "daemon/stores/hbase/address.h"
#include "daemon/stores/hbase/rtt.h"

#define SMALLEST_RECEIVE ((gsize)64 << 10)
/* Most answers arrive in this time. Only after it the call's cancellable is watched. */
#define UNWATCHED_US (20 * G_TIME_SPAN_MILLISECOND)

#define LONG_ANSWER_US (5 * G_TIME_SPAN_MILLISECOND)

struct _KvsqldT2Connection
{
  const KvsqldT2Endpoint *endpoint;
  KvsqldT2Settings settings;
  GSocket *socket;
  KvsqldT2Http *http; /* nullable: messages are sent over the socket directly */
  gint64 used_us;
  guint64 serial;
  guint n_scanners;
  gboolean is_watching; /* the file descriptor of the call's cancellable is in use */

  /* State of the running request. */
  const KvsqlCall *call;
  gint64 limit_us;
  gint64 begun_us;
  gboolean is_sent;    /* to its last byte */
  gboolean is_drained; /* the last read took all there was: wait before the next one */
  gboolean is_closed;  /* the gateway has closed the connection */
};

/* ---- time */

static gint64
earlier (gint64 limit_us, const KvsqlCall *call)
{
  return call->deadline_us > 0 ? MIN (limit_us, call->deadline_us) : limit_us;
}

/* The caller's time is over, or the call was cancelled. */
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

/* A cancellable's file descriptor is created for its first user and closed with its last. Those two
 * system calls are avoided for most requests, and for each part of a long answer. */
static void
watch (KvsqldT2Connection *self, const KvsqlCall *call)
{
  GPollFD descriptor;

  if (!self->is_watching)
    self->is_watching = g_cancellable_make_pollfd (call->cancellable, &descriptor);
}

static void
stop_watching (KvsqldT2Connection *self, const KvsqlCall *call)
{
  if (self->is_watching)
    g_cancellable_release_fd (call->cancellable);
  self->is_watching = FALSE;
}

/* Waits for the socket. FALSE: *@out_reason is set, unless the caller gave up. */
static gboolean
wait_for (KvsqldT2Connection *self, GIOCondition condition, gint64 limit_us, const KvsqlCall *call,
          gchar **out_reason)
{
  gint64 left;

  /* poll() counts milliseconds and may return a little early. */
  while ((left = limit_us - g_get_monotonic_time ()) > 0)
    {
      gint64 wait_us = self->is_watching ? left : MIN (left, UNWATCHED_US);
      g_autoptr (GError) failure = NULL;

      if (g_cancellable_set_error_if_cancelled (call->cancellable, &failure)
          || (!g_socket_condition_timed_wait (self->socket, condition, MAX (wait_us, 1000),
                                              self->is_watching ? call->cancellable : NULL,
                                              &failure)
              && !g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_TIMED_OUT)))
        {
          *out_reason = g_strdup (failure->message);
          return FALSE;
        }
      if (failure == NULL)
        return TRUE;
      watch (self, call);
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

/* Tries the addresses of a name one after the other, until one answers. */
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

static guint64
new_serial (void)
{
  static GMutex lock;
  static guint64 last;
  guint64 serial;

  g_mutex_lock (&lock);
  serial = ++last;
  g_mutex_unlock (&lock);
  return serial;
}

static void
speak_http (KvsqldT2Connection *self)
{
  const KvsqldT2HttpPeer peer = {
    .host = self->endpoint->host,
    .port = self->endpoint->port,
    .address = self->endpoint->address,
    .is_tls = self->settings.transport.carrier == KVSQLD_T2_HTTPS,
    .options = self->settings.http,
    .socket = self->socket,
  };

  self->http = kvsqld_t2_http_new (&peer);
}

KvsqldT2Connection *
kvsqld_t2_connection_open (const KvsqldT2Endpoint *endpoint, const KvsqldT2Settings *settings,
                           const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqldT2Connection) self = g_new0 (KvsqldT2Connection, 1);
  g_autofree gchar *reason = NULL;
  gboolean is_connected;

  self->serial = new_serial ();
  self->endpoint = endpoint;
  self->settings = *settings;
  is_connected = connect_to_any (self, call, &reason);
  stop_watching (self, call);
  if (is_connected)
    {
      self->used_us = g_get_monotonic_time ();
      if (settings->transport.carrier != KVSQLD_T2_SOCKET)
        speak_http (self);
      return g_steal_pointer (&self);
    }
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
  kvsqld_t2_http_free (self->http);
  g_clear_object (&self->socket);
  g_free (self);
}

guint64
kvsqld_t2_connection_get_serial (const KvsqldT2Connection *self)
{
  return self->serial;
}

KvsqldT2Transport
kvsqld_t2_connection_get_transport (const KvsqldT2Connection *self)
{
  return self->settings.transport;
}

guint
kvsqld_t2_connection_get_n_scanners (const KvsqldT2Connection *self)
{
  return self->n_scanners;
}

void
kvsqld_t2_connection_add_scanners (KvsqldT2Connection *self, gint n)
{
  self->n_scanners = (guint)MAX ((gint)self->n_scanners + n, 0);
}

gint64
kvsqld_t2_connection_get_used (const KvsqldT2Connection *self)
{
  return self->used_us;
}

gboolean
kvsqld_t2_connection_is_usable (const KvsqldT2Connection *self)
{
  guint8 byte;

  if (self->http != NULL)
    return kvsqld_t2_http_is_usable (self->http);
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

      if (self->is_drained && !wait_for (self, G_IO_IN, self->limit_us, self->call, &reason))
        return fail_call (self, reason, error);
      make_room (buffer, buffer->size + 1);
      n = recv (fd, buffer->data + buffer->size, buffer->capacity - buffer->size, MSG_DONTWAIT);
      self->is_drained = n < 0; /* more may follow immediately */
      if (n > 0)
        buffer->size += (gsize)n;
      else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
        {
          self->is_closed = TRUE;
          return fail_call (self, n == 0 ? "it closed the connection" : g_strerror (errno), error);
        }
    }
  return TRUE;
}

static gboolean
fill_from_http (gpointer source, KvsqlBuffer *buffer, gsize size, GError **error)
{
  KvsqldT2Connection *self = source;
  g_autoptr (GError) failure = NULL;

  if (kvsqld_t2_http_fill (self->http, buffer, size, self->limit_us, self->call->cancellable,
                           &failure))
    return TRUE;
  if (caller_gave_up (self->call))
    return fail_for_caller (self->endpoint, self->call, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Converts the failure for the caller: a write that was sent may have been done, whatever broke
 * afterwards. */
static void
convert_failure (KvsqldT2Connection *self, const KvsqldT2Method *method, GError **failure)
{
  GError *converted = NULL;

  if (self->is_sent && method->effect != KVSQLD_T2_READS)
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

static gboolean
receive (KvsqldT2Connection *self, const KvsqldT2Method *method, const KvsqldT2Writer *request,
         KvsqldT2Reply *reply, GError **error)
{
  self->is_sent = TRUE;
  return kvsqld_t2_reply_read (reply, self->settings.transport, method, request->sequence, fill,
                               self, error);
}

static gboolean
round_trip (KvsqldT2Connection *self, const KvsqldT2Method *method, const KvsqldT2Writer *request,
            KvsqldT2Reply *reply, GError **error)
{
  if (!send_all (self, kvsql_buffer_slice (&request->bytes), error))
    return FALSE;
  self->is_drained = TRUE; /* there can be no answer yet */
  return receive (self, method, request, reply, error);
}

static gboolean
round_trip_by_http (KvsqldT2Connection *self, const KvsqldT2Method *method,
                    const KvsqldT2Writer *request, KvsqldT2Reply *reply, GError **error)
{
  gboolean is_answered;

  kvsqld_t2_http_begin (self->http, kvsql_buffer_slice (&request->bytes));
  is_answered = kvsqld_t2_reply_read (reply, self->settings.transport, method, request->sequence,
                                      fill_from_http, self, error);
  self->is_sent = kvsqld_t2_http_may_be_done (self->http);
  self->is_closed = kvsqld_t2_http_is_refused (self->http);
  if (is_answered)
    kvsqld_t2_http_end (self->http);
  return is_answered;
}

/* The answer spent at least the smallest round-trip time on the network. This is queried only if
 * the answer took long enough to matter. */
static gint64
count_served (const KvsqldT2Connection *self, gint64 answered_us)
{
  gint64 took_us = answered_us - self->begun_us;

  if (took_us > LONG_ANSWER_US)
    took_us -= kvsqld_t2_min_rtt (g_socket_get_fd (self->socket));
  return MAX (took_us, 0);
}

typedef gboolean (*Step) (KvsqldT2Connection *self, const KvsqldT2Method *method,
                          const KvsqldT2Writer *request, KvsqldT2Reply *reply, GError **error);

static gboolean
run (KvsqldT2Connection *self, Step step, const KvsqldT2Method *method,
     const KvsqldT2Writer *request, gint64 limit_us, const KvsqlCall *call, KvsqldT2Reply *reply,
     GError **error)
{
  GError *failure = NULL;
  gboolean is_answered;

  self->call = call;
  self->limit_us = earlier (limit_us, call);
  self->begun_us = g_get_monotonic_time ();
  self->is_sent = FALSE;
  self->is_drained = FALSE;
  self->is_closed = FALSE;
  is_answered = step (self, method, request, reply, &failure);
  stop_watching (self, call);
  if (is_answered)
    {
      self->used_us = g_get_monotonic_time ();
      reply->served_us = count_served (self, self->used_us);
      return TRUE;
    }
  convert_failure (self, method, &failure);
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
kvsqld_t2_connection_call (KvsqldT2Connection *self, const KvsqldT2Method *method,
                           const KvsqldT2Writer *request, gint64 limit_us, const KvsqlCall *call,
                           KvsqldT2Reply *reply, GError **error)
{
  return run (self, self->http != NULL ? round_trip_by_http : round_trip, method, request, limit_us,
              call, reply, error);
}

gboolean
kvsqld_t2_connection_can_ask (const KvsqldT2Connection *self)
{
  return self->http == NULL;
}

gboolean
kvsqld_t2_connection_ask (KvsqldT2Connection *self, const KvsqldT2Writer *request)
{
  KvsqlSlice bytes = kvsql_buffer_slice (&request->bytes);

  return send (g_socket_get_fd (self->socket), bytes.data, bytes.size, MSG_NOSIGNAL | MSG_DONTWAIT)
         == (gssize)bytes.size;
}

gboolean
kvsqld_t2_connection_await (KvsqldT2Connection *self, const KvsqldT2Method *method,
                            const KvsqldT2Writer *request, gint64 limit_us, const KvsqlCall *call,
                            KvsqldT2Reply *reply, GError **error)
{
  return run (self, receive, method, request, limit_us, call, reply, error);
}

/* ---- probing */

/* Recognizes the protocol of an answer that is not Thrift. */
static KvsqldT2ProbeResult
recognise (const KvsqldT2Connection *self, KvsqlSlice answer)
{
  static const guint8 tls_alert[] = { 0x15, 0x03 };

  if (self->http == NULL && kvsql_slice_has_prefix (answer, KVSQL_SLICE_LITERAL ("HTTP/")))
    return KVSQLD_T2_PROBE_HTTP;
  if (self->http == NULL
      && kvsql_slice_has_prefix (answer, kvsql_slice (tls_alert, sizeof tls_alert)))
    return KVSQLD_T2_PROBE_TLS;
  return self->is_closed ? KVSQLD_T2_PROBE_CLOSED : KVSQLD_T2_PROBE_FAILED;
}

KvsqldT2ProbeResult
kvsqld_t2_connection_probe (KvsqldT2Connection *self, const KvsqlCall *call, GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };
  gint64 limit_us = g_get_monotonic_time ()
                    + MIN (self->settings.reply_timeout_us, self->settings.connect_timeout_us);

  kvsqld_t2_writer_init (&request, self->settings.transport);
  kvsqld_t2_write_plain (&request, &kvsqld_t2_get_server_type);
  /* Any answer, also "unknown method" of an older server, proves that the server understood the
   * request. */
  if (kvsqld_t2_connection_call (self, &kvsqld_t2_get_server_type, &request, limit_us, call, &reply,
                                 error))
    return KVSQLD_T2_PROBE_PASSED;
  return recognise (self, kvsql_buffer_slice (&reply.bytes));
}
