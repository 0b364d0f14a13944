/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * transport.c: transports the bytes of Thrift messages over a stream, with or without frames.
 *
 * All reads are non-blocking. They wait on the socket for the time that is left until an absolute
 * deadline: with a timeout for each read, a peer that sends one byte now and then could occupy a
 * thread for ever. Writes do the same against a peer that does not read.
 */
#include "config.h"

#include "idl/wire/transport-private.h"

#define FIRST_READ_CAPACITY 8192
#define FIRST_WRITE_CAPACITY 4096
#define FRAME_HEADER 4

G_DEFINE_FINAL_TYPE (KvsqlTransport, kvsql_transport, THRIFT_TYPE_TRANSPORT)

static gboolean
set_io_error (GError *cause, const gchar *doing, GError **error)
{
  if (cause->domain == KVSQL_ERROR || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, cause);
      return FALSE;
    }
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE, "time ran out while %s", doing);
  else
    kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                     "connection lost while %s: %s", doing, cause->message);
  g_error_free (cause);
  return FALSE;
}

static gboolean
check_time (gint64 deadline, GError **error)
{
  if (deadline == 0 || g_get_monotonic_time () < deadline)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "deadline passed");
  return FALSE;
}

/* ---- reading */

static gboolean
resize_read (KvsqlTransport *self, gsize capacity, GError **error)
{
  if (capacity > self->read_capacity
      && !kvsql_byte_budget_reserve (self->budget, capacity - self->read_capacity, capacity))
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "too many bytes of requests and replies are under way");
  if (capacity < self->read_capacity)
    kvsql_byte_budget_release (self->budget, self->read_capacity - capacity);
  self->read_data = g_realloc (self->read_data, capacity);
  self->read_capacity = capacity;
  return TRUE;
}

/* Makes room for more bytes: drops the consumed ones, or else doubles the buffer, so that memory
 * grows with what has arrived. */
static gboolean
make_room (KvsqlTransport *self, GError **error)
{
  if (self->read_capacity == 0)
    return resize_read (self, FIRST_READ_CAPACITY, error);
  if (self->read_end < self->read_capacity)
    return TRUE;
  if (self->read_at < self->read_capacity / 2)
    return resize_read (self, self->read_capacity * 2, error);

  memmove (self->read_data, self->read_data + self->read_at, self->read_end - self->read_at);
  self->read_end -= self->read_at;
  self->read_limit -= self->read_at;
  self->read_at = 0;
  return TRUE;
}

static gssize
receive_ready (KvsqlTransport *self, gint64 deadline, GError **error)
{
  guint8 *room = self->read_data + self->read_end;
  gsize size = self->read_capacity - self->read_end;

  if (self->io.socket != NULL)
    return _kvsql_socket_io_receive (&self->io, room, size, deadline, error);
  if (!check_time (deadline, error))
    return -1;
  return g_input_stream_read (g_io_stream_get_input_stream (self->stream), room, size,
                              self->io.cancellable, error);
}

/* Appends the bytes that have arrived. Returns their number, 0 at the end of the stream, -1 on
 * error (of GIO). */
static gssize
receive (KvsqlTransport *self, gint64 deadline, GError **error)
{
  gssize n = receive_ready (self, deadline, error);

  if (n > 0)
    {
      self->read_end += (gsize)n;
      self->bytes_in += (guint64)n;
    }
  return n;
}

static gboolean
receive_more (KvsqlTransport *self, GError **error)
{
  GError *cause = NULL;
  gssize n;

  if (self->stream == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "message is truncated");
  if (!make_room (self, error))
    return FALSE;
  n = receive (self, self->deadline, &cause);
  if (n < 0)
    return set_io_error (cause, "reading a message", error);
  if (n == 0)
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                            "connection was closed within a message");
  return TRUE;
}

/* The slow path of view and take. */
gboolean
_kvsql_transport_fill (KvsqlTransport *self, gsize offset, gsize size, GError **error)
{
  gsize left = _kvsql_transport_left (self);

  if (offset > left || size > left - offset)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "message ends before %" G_GSIZE_FORMAT " bytes that it announces",
                            size);
  while (self->read_end - self->read_at < offset + size)
    if (!receive_more (self, error))
      return FALSE;
  return TRUE;
}

static gboolean
load_frame (KvsqlTransport *self, GError **error)
{
  guint32 size;

  self->read_limit = self->read_at + FRAME_HEADER;
  if (!_kvsql_transport_fill (self, 0, FRAME_HEADER, error))
    return FALSE;
  size = kvsql_get_be32 (self->read_data + self->read_at);
  if (size == 0)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "frame is empty");
  if (size > self->max_message)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "frame of %u bytes is larger than the limit of %u bytes", size,
                            self->max_message);
  self->read_at += FRAME_HEADER;
  self->read_limit = self->read_at + size;
  return _kvsql_transport_fill (self, 0, size, error);
}

gboolean
_kvsql_transport_begin_read (KvsqlTransport *self, GError **error)
{
  if (self->framed)
    return load_frame (self, error);
  self->read_limit = self->read_at + self->max_message;
  return TRUE;
}

gboolean
_kvsql_transport_end_read (KvsqlTransport *self, GError **error)
{
  gsize left = _kvsql_transport_left (self);

  self->read_limit = self->read_at;
  if (self->framed && left > 0)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "frame holds %" G_GSIZE_FORMAT " bytes after its message", left);
  return TRUE;
}

/* Releases the buffers' memory, but keeps the smallest buffer reserved, so that a connection that
 * gets a request again can read and answer it. */
static void
release_buffer (KvsqlByteBudget *budget, guint8 **data, gsize *capacity, gsize first_capacity)
{
  if (*capacity > first_capacity)
    {
      kvsql_byte_budget_release (budget, *capacity - first_capacity);
      *capacity = first_capacity;
    }
  g_clear_pointer (data, g_free);
}

void
kvsql_transport_release_buffers (KvsqlTransport *self)
{
  g_return_if_fail (KVSQL_IS_TRANSPORT (self));
  g_return_if_fail (self->stream != NULL && self->read_end == self->read_at);

  release_buffer (self->budget, &self->read_data, &self->read_capacity, FIRST_READ_CAPACITY);
  release_buffer (self->budget, &self->write_data, &self->write_capacity, FIRST_WRITE_CAPACITY);
}

gssize
kvsql_transport_wait (KvsqlTransport *self, GError **error)
{
  GError *cause = NULL;
  gssize n;

  g_return_val_if_fail (KVSQL_IS_TRANSPORT (self), -1);

  if (self->read_end > self->read_at)
    return (gssize)(self->read_end - self->read_at);
  if (self->stream == NULL)
    return 0;
  self->read_at = self->read_end = self->read_limit = 0;
  if (self->read_data == NULL && self->read_capacity > 0)
    self->read_data = g_malloc (self->read_capacity);
  if (!make_room (self, error))
    return -1;
  n = receive (self, self->deadline, &cause);
  if (n < 0)
    set_io_error (cause, "waiting for a message", error);
  return n;
}

gboolean
kvsql_transport_peek (KvsqlTransport *self, gsize size, KvsqlSlice *out, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_TRANSPORT (self), FALSE);

  while (self->read_end - self->read_at < size)
    if (!receive_more (self, error))
      return FALSE;
  *out = kvsql_slice (self->read_data + self->read_at, self->read_end - self->read_at);
  return TRUE;
}

KvsqlSlice
kvsql_transport_get_received (const KvsqlTransport *self)
{
  return kvsql_slice (self->read_data + self->read_at, self->read_end - self->read_at);
}

void
kvsql_transport_skip (KvsqlTransport *self, gsize size)
{
  g_return_if_fail (size <= self->read_end - self->read_at);

  self->read_at += size;
  self->read_limit = MAX (self->read_limit, self->read_at);
}

/* ---- writing */

static gsize
header_size (const KvsqlTransport *self)
{
  return self->framed ? FRAME_HEADER : 0;
}

guint8 *
_kvsql_transport_grow (KvsqlTransport *self, gsize size, GError **error)
{
  gsize limit = self->memory_out + header_size (self) + self->max_message;
  gsize capacity = MAX (self->write_capacity, FIRST_WRITE_CAPACITY);

  if (self->write_end > limit || size > limit - self->write_end)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "message would be larger than the limit of %u bytes", self->max_message);
      return NULL;
    }
  while (capacity < self->write_end + size)
    capacity *= 2;
  if (!kvsql_byte_budget_reserve (self->budget, capacity - self->write_capacity, capacity))
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "too many bytes of requests and replies are under way");
      return NULL;
    }
  self->write_data = g_realloc (self->write_data, capacity);
  self->write_capacity = capacity;
  self->write_end += size;
  return self->write_data + self->write_end - size;
}

gboolean
_kvsql_transport_begin_write (KvsqlTransport *self, GError **error)
{
  self->write_end = self->memory_out;
  if (self->write_data == NULL && _kvsql_transport_grow (self, 0, error) == NULL)
    return FALSE;
  return _kvsql_transport_put (self, header_size (self), error) != NULL;
}

gboolean
kvsql_transport_has_unsent (KvsqlTransport *self)
{
  return self->write_end > self->memory_out;
}

static gssize
send_some (KvsqlTransport *self, const guint8 *data, gsize size, gint64 deadline, GError **error)
{
  if (self->io.socket != NULL)
    return _kvsql_socket_io_send (&self->io, data, size, deadline, error);
  if (!check_time (deadline, error))
    return -1;
  return g_output_stream_write (g_io_stream_get_output_stream (self->stream), data, size,
                                self->io.cancellable, error);
}

/* @out_sent: also after a failure */
static gboolean
send_all (KvsqlTransport *self, const guint8 *data, gsize size, gsize *out_sent, GError **error)
{
  gint64 deadline
      = self->write_timeout != 0 ? g_get_monotonic_time () + self->write_timeout : self->deadline;

  *out_sent = 0;
  while (size > 0)
    {
      GError *cause = NULL;
      gssize n = send_some (self, data, size, deadline, &cause);

      if (n < 0)
        return set_io_error (cause, "writing a message", error);
      data += n;
      size -= (gsize)n;
      *out_sent += (gsize)n;
      self->bytes_out += (guint64)n;
    }
  return TRUE;
}

gboolean
kvsql_transport_send (KvsqlTransport *self, KvsqlSlice bytes, gsize *out_sent, GError **error)
{
  gsize unused;

  g_return_val_if_fail (self->stream != NULL, FALSE);

  return send_all (self, bytes.data, bytes.size, out_sent != NULL ? out_sent : &unused, error);
}

static gboolean
transport_flush (ThriftTransport *transport, GError **error)
{
  KvsqlTransport *self = KVSQL_TRANSPORT (transport);
  gsize size = self->write_end - self->memory_out;
  guint8 *message = self->write_data + self->memory_out;
  gsize unused;

  if (size == 0)
    return TRUE;
  /* The capacity is a power of two and may be greater than the limit. */
  if (size - header_size (self) > self->max_message)
    {
      self->write_end = self->memory_out;
      return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                              "message of %" G_GSIZE_FORMAT
                              " bytes is larger than the limit of %u bytes",
                              size - header_size (self), self->max_message);
    }
  if (self->framed)
    kvsql_put_be32 (message, (guint32)(size - FRAME_HEADER));
  if (self->stream == NULL)
    {
      self->memory_out = self->write_end;
      self->bytes_out += size;
      return TRUE;
    }
  self->write_end = 0;
  return send_all (self, message, size, &unused, error);
}

/* ---- the rest of ThriftTransport, for code without kvsql's protocols */

static gboolean
transport_is_open (ThriftTransport *transport)
{
  KvsqlTransport *self = KVSQL_TRANSPORT (transport);

  return self->stream == NULL || !g_io_stream_is_closed (self->stream);
}

static gboolean
transport_open (ThriftTransport *transport, GError **error)
{
  return TRUE;
}

static gboolean
transport_close (ThriftTransport *transport, GError **error)
{
  KvsqlTransport *self = KVSQL_TRANSPORT (transport);

  return self->stream == NULL || g_io_stream_close (self->stream, NULL, error);
}

static gboolean
transport_peek (ThriftTransport *transport, GError **error)
{
  return kvsql_transport_wait (KVSQL_TRANSPORT (transport), error) > 0;
}

static gint32
transport_read (ThriftTransport *transport, gpointer buffer, guint32 size, GError **error)
{
  KvsqlTransport *self = KVSQL_TRANSPORT (transport);
  const guint8 *at;

  if (size > G_MAXINT32
      || (_kvsql_transport_left (self) == 0 && !_kvsql_transport_begin_read (self, error)))
    return -1;
  at = _kvsql_transport_take (self, size, error);
  if (at == NULL)
    return -1;
  if (size > 0)
    memcpy (buffer, at, size);
  return (gint32)size;
}

static gboolean
transport_write (ThriftTransport *transport, const gpointer buffer, const guint32 size,
                 GError **error)
{
  KvsqlTransport *self = KVSQL_TRANSPORT (transport);
  guint8 *at;

  if (!kvsql_transport_has_unsent (self) && !_kvsql_transport_begin_write (self, error))
    return FALSE;
  at = _kvsql_transport_put (self, size, error);
  if (at == NULL)
    return FALSE;
  if (size > 0)
    memcpy (at, buffer, size);
  return TRUE;
}

/* Messages are ended by the protocol. */
static gboolean
transport_end (ThriftTransport *transport, GError **error)
{
  return TRUE;
}

static gboolean
transport_check_available (ThriftTransport *transport, glong size, GError **error)
{
  KvsqlTransport *self = KVSQL_TRANSPORT (transport);

  return (size >= 0 && (gsize)size <= _kvsql_transport_left (self))
         || kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                             "container is larger than its message");
}

static void
free_read_data (KvsqlTransport *self)
{
  if (self->read_capacity > 0)
    g_free (self->read_data);
  kvsql_byte_budget_release (self->budget, self->read_capacity);
  self->read_data = NULL;
  self->read_capacity = 0;
}

static void
transport_finalize (GObject *object)
{
  KvsqlTransport *self = KVSQL_TRANSPORT (object);

  free_read_data (self);
  kvsql_byte_budget_release (self->budget, self->write_capacity);
  g_free (self->write_data);
  _kvsql_socket_io_clear (&self->io);
  g_clear_object (&self->stream);
  G_OBJECT_CLASS (kvsql_transport_parent_class)->finalize (object);
}

static void
kvsql_transport_init (KvsqlTransport *self)
{
}

static void
kvsql_transport_class_init (KvsqlTransportClass *klass)
{
  ThriftTransportClass *transport = THRIFT_TRANSPORT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = transport_finalize;
  transport->is_open = transport_is_open;
  transport->open = transport_open;
  transport->close = transport_close;
  transport->peek = transport_peek;
  transport->read = transport_read;
  transport->read_all = transport_read;
  transport->read_end = transport_end;
  transport->write = transport_write;
  transport->write_end = transport_end;
  transport->flush = transport_flush;
  transport->checkReadBytesAvailable = transport_check_available;
}

/* ---- creation and setters */

KvsqlTransport *
kvsql_transport_new_memory (gboolean framed, guint32 max_message)
{
  KvsqlTransport *self = g_object_new (KVSQL_TYPE_TRANSPORT, NULL);

  self->framed = framed;
  self->max_message = max_message;
  return self;
}

KvsqlTransport *
kvsql_transport_new (GIOStream *stream, gboolean framed, guint32 max_message)
{
  KvsqlTransport *self;

  g_return_val_if_fail (G_IS_IO_STREAM (stream), NULL);

  self = kvsql_transport_new_memory (framed, max_message);
  self->stream = g_object_ref (stream);
  if (G_IS_SOCKET_CONNECTION (stream))
    self->io.socket = g_object_ref (g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream)));
  return self;
}

void
kvsql_transport_set_memory (KvsqlTransport *self, KvsqlSlice bytes)
{
  g_return_if_fail (self->stream == NULL);

  free_read_data (self);
  self->read_data = bytes.data != NULL ? (guint8 *)bytes.data : (guint8 *)"";
  self->read_at = self->read_limit = 0;
  self->read_end = bytes.size;
  self->bytes_in += bytes.size;
}

KvsqlSlice
kvsql_transport_get_memory (KvsqlTransport *self)
{
  return kvsql_slice (self->write_data, self->memory_out);
}

void
kvsql_transport_set_framed (KvsqlTransport *self, gboolean framed)
{
  self->framed = framed;
}

guint32
kvsql_transport_get_max_message (KvsqlTransport *self)
{
  return self->max_message;
}

void
kvsql_transport_set_max_message (KvsqlTransport *self, guint32 max_message)
{
  self->max_message = max_message;
}

void
kvsql_transport_set_deadline (KvsqlTransport *self, gint64 deadline)
{
  self->deadline = deadline;
}

void
kvsql_transport_set_write_timeout (KvsqlTransport *self, gint64 timeout_us)
{
  self->write_timeout = timeout_us;
}

void
kvsql_transport_set_cancellable (KvsqlTransport *self, GCancellable *cancellable)
{
  _kvsql_socket_io_set_cancellable (&self->io, cancellable);
}

void
kvsql_transport_set_spin (KvsqlTransport *self, guint limit_us)
{
  g_return_if_fail (KVSQL_IS_TRANSPORT (self));
  self->io.spin.limit_us = limit_us;
}

void
kvsql_transport_set_budget (KvsqlTransport *self, KvsqlByteBudget *budget)
{
  g_return_if_fail (self->read_capacity == 0 && self->write_capacity == 0);

  self->budget = budget;
}

void
kvsql_transport_start_tls (KvsqlTransport *self, KvsqlTls *tls)
{
  g_return_if_fail (self->io.socket != NULL && self->io.tls == NULL);
  g_return_if_fail (self->read_end == self->read_at);

  self->io.tls = tls;
  self->io.is_drained = FALSE;
}

KvsqlTls *
kvsql_transport_get_tls (const KvsqlTransport *self)
{
  return self->io.tls;
}

gboolean
kvsql_transport_has_met_tls (const KvsqlTransport *self)
{
  static const guint8 alert[] = { 0x15, 0x03 };

  return self->io.tls == NULL && self->bytes_in == self->read_end && self->read_end >= sizeof alert
         && memcmp (self->read_data, alert, sizeof alert) == 0;
}

gboolean
kvsql_transport_shake_hands (KvsqlTransport *self, GError **error)
{
  GError *cause = NULL;

  return _kvsql_socket_io_shake_hands (&self->io, self->deadline, &cause)
         || set_io_error (cause, "setting up TLS", error);
}

guint64
kvsql_transport_get_bytes_in (KvsqlTransport *self)
{
  return self->bytes_in;
}

guint64
kvsql_transport_get_bytes_out (KvsqlTransport *self)
{
  return self->bytes_out;
}
