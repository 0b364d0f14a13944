/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * transport.h: transports the bytes of Thrift messages over a stream, with or without frames.
 *
 * These replace the transports of thrift_c_glib, which move the rest of a frame at every read,
 * trust the sizes that a peer announces, and have no deadlines. The read buffer is contiguous and
 * grows with the bytes that have arrived, never with an announced size. Writes are collected until
 * the flush, which sends them at once and never raises SIGPIPE.
 *
 * Errors: KVSQL_ERROR_DEADLINE if the deadline has passed, KVSQL_ERROR_UNAVAILABLE if the peer is
 * gone, KVSQL_ERROR_LIMIT if a message is too large, KVSQL_ERROR_PROTOCOL for malformed bytes, and
 * G_IO_ERROR_CANCELLED, unchanged, for the cancellable. After an error the only sensible call is to
 * close.
 *
 * Threads: one thread at a time.
 */
#pragma once

#include <gio/gio.h>
#include <thrift/c_glib/thrift.h>
#include <thrift/c_glib/transport/thrift_transport.h>

#include "core/base/slice.h"
#include "idl/wire/byte-budget.h"
#include "idl/wire/tls.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_TRANSPORT (kvsql_transport_get_type ())
#define KVSQL_TRANSPORT(object)                                                                    \
  (G_TYPE_CHECK_INSTANCE_CAST ((object), KVSQL_TYPE_TRANSPORT, KvsqlTransport))
#define KVSQL_IS_TRANSPORT(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), KVSQL_TYPE_TRANSPORT))

typedef struct _KvsqlTransport KvsqlTransport;

GType kvsql_transport_get_type (void);

/* Bytes of one message, without the four bytes of the frame header. */
#define KVSQL_TRANSPORT_MAX_MESSAGE (16 * 1024 * 1024)

/**
 * kvsql_transport_new:
 * @stream: a #GSocketConnection; on other streams a blocking call ignores deadlines
 * @max_message: bytes of the largest message, in either direction
 *
 * Returns: (transfer full): a transport that holds a reference to @stream
 */
KvsqlTransport *kvsql_transport_new (GIOStream *stream, gboolean framed, guint32 max_message);

/**
 * kvsql_transport_new_memory:
 *
 * Reads the bytes of kvsql_transport_set_memory(), and keeps what is flushed. It behaves as if a
 * peer had sent all of its bytes and closed the connection. For tests and fuzzing.
 */
KvsqlTransport *kvsql_transport_new_memory (gboolean framed, guint32 max_message);

/* The caller keeps @bytes alive until the next call or the end of @self. */
void kvsql_transport_set_memory (KvsqlTransport *self, KvsqlSlice bytes);
/* The bytes that were flushed to memory, with frame headers; valid until the next write. */
KvsqlSlice kvsql_transport_get_memory (KvsqlTransport *self);

/* Call it before the first message is read or written. */
void kvsql_transport_set_framed (KvsqlTransport *self, gboolean framed);
guint32 kvsql_transport_get_max_message (KvsqlTransport *self);
/* From the next message on. To be called between two messages. */
void kvsql_transport_set_max_message (KvsqlTransport *self, guint32 max_message);

/* Reads and writes fail at this time of g_get_monotonic_time(); 0: never. */
void kvsql_transport_set_deadline (KvsqlTransport *self, gint64 deadline);
/* Each flush has a timeout of its own, in microseconds, instead of the deadline; 0: the
 * deadline. */
void kvsql_transport_set_write_timeout (KvsqlTransport *self, gint64 timeout_us);
void kvsql_transport_set_cancellable (KvsqlTransport *self,
                                      GCancellable *cancellable); /* nullable */
/* The longest spin before a wait for bytes blocks, in microseconds; 0, the default: never spin. See
 * spin.h. */
void kvsql_transport_set_spin (KvsqlTransport *self, guint limit_us);
/* Call it before the first message. @budget outlives the transport. */
void kvsql_transport_set_budget (KvsqlTransport *self, KvsqlByteBudget *budget);

/* From now on all bytes are encrypted. No byte may have been received that is not consumed. @tls:
 * (transfer full) */
void kvsql_transport_start_tls (KvsqlTransport *self, KvsqlTls *tls);
KvsqlTls *kvsql_transport_get_tls (const KvsqlTransport *self); /* nullable */
/* Whether the first bytes of the peer are an alert of TLS, which this side does not speak. */
gboolean kvsql_transport_has_met_tls (const KvsqlTransport *self);
/* Ends the handshake, by the deadline. Without this call the next read or write does that. */
gboolean kvsql_transport_shake_hands (KvsqlTransport *self,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_transport_wait:
 *
 * Waits for the first byte of the next message, until the deadline.
 *
 * Returns: the number of bytes that are there, 0 if the peer has closed the connection, -1 on error
 */
gssize kvsql_transport_wait (KvsqlTransport *self, GError **error);

/* Frees the buffers, between two messages. kvsql_transport_wait () allocates them again. */
void kvsql_transport_release_buffers (KvsqlTransport *self);

/**
 * kvsql_transport_peek:
 * @size: the number of bytes needed
 * @out: (out): at least @size bytes, not consumed; valid until the next call
 */
gboolean kvsql_transport_peek (KvsqlTransport *self, gsize size, KvsqlSlice *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The bytes that have arrived and are not consumed; valid until the next call that reads. For a
 * protocol that finds the ends of its messages itself, as the next two functions. */
KvsqlSlice kvsql_transport_get_received (const KvsqlTransport *self);
/* Consumes @size bytes of those. */
void kvsql_transport_skip (KvsqlTransport *self, gsize size);
/* Sends @bytes at once, without a frame. @out_sent: (nullable): how many, also after a failure */
gboolean kvsql_transport_send (KvsqlTransport *self, KvsqlSlice bytes, gsize *out_sent,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* TRUE: bytes of a message were written, but not flushed. */
gboolean kvsql_transport_has_unsent (KvsqlTransport *self);

guint64 kvsql_transport_get_bytes_in (KvsqlTransport *self);
guint64 kvsql_transport_get_bytes_out (KvsqlTransport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTransport, g_object_unref)

G_END_DECLS
