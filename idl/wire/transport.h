/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * transport.h: bytes of Thrift messages over a stream, framed or not.
 *
 * Used instead of the transports of thrift_c_glib, which move the rest of a frame at
 * every read, believe what a peer announces and know no deadline. The read buffer is
 * contiguous and grows with the bytes that have arrived, never with an announced size.
 * Writes are collected until the flush, which sends them at once and never raises SIGPIPE.
 *
 * Errors: KVSQL_ERROR_DEADLINE when the time is up, KVSQL_ERROR_UNAVAILABLE when the peer is
 * gone, KVSQL_ERROR_LIMIT when a message is too large, KVSQL_ERROR_PROTOCOL for nonsense, and
 * G_IO_ERROR_CANCELLED, unchanged, for the cancellable. After an error only closing is sensible.
 *
 * Threads: one thread at a time.
 */
#pragma once

#include <gio/gio.h>
#include <thrift/c_glib/thrift.h>
#include <thrift/c_glib/transport/thrift_transport.h>

#include "core/base/slice.h"
#include "idl/wire/byte-budget.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_TRANSPORT (kvsql_transport_get_type ())
#define KVSQL_TRANSPORT(object)                                                                    \
  (G_TYPE_CHECK_INSTANCE_CAST ((object), KVSQL_TYPE_TRANSPORT, KvsqlTransport))
#define KVSQL_IS_TRANSPORT(object) (G_TYPE_CHECK_INSTANCE_TYPE ((object), KVSQL_TYPE_TRANSPORT))

typedef struct _KvsqlTransport KvsqlTransport;

GType kvsql_transport_get_type (void);

/* Bytes of one message, without the four of the frame header. */
#define KVSQL_TRANSPORT_MAX_MESSAGE (16 * 1024 * 1024)

/**
 * kvsql_transport_new:
 * @stream: a #GSocketConnection; on other streams deadlines are not kept while a call blocks
 * @max_message: bytes of the largest message, either way
 *
 * Returns: (transfer full): a transport that holds a reference to @stream
 */
KvsqlTransport *kvsql_transport_new (GIOStream *stream, gboolean framed, guint32 max_message);

/**
 * kvsql_transport_new_memory:
 *
 * Reads what kvsql_transport_set_memory() gives it and keeps what is flushed. Like a peer that
 * has sent all of its bytes and closed. For tests and fuzzing.
 */
KvsqlTransport *kvsql_transport_new_memory (gboolean framed, guint32 max_message);

/* @bytes stay the caller's and must live until the next call or the end of @self. */
void kvsql_transport_set_memory (KvsqlTransport *self, KvsqlSlice bytes);
/* What was flushed to memory, with frame headers; valid until the next write. */
KvsqlSlice kvsql_transport_get_memory (KvsqlTransport *self);

/* Before the first message is read or written. */
void kvsql_transport_set_framed (KvsqlTransport *self, gboolean framed);
gboolean kvsql_transport_get_framed (KvsqlTransport *self);
guint32 kvsql_transport_get_max_message (KvsqlTransport *self);

/* Time by g_get_monotonic_time() at which reads and writes fail; 0: never. */
void kvsql_transport_set_deadline (KvsqlTransport *self, gint64 deadline);
/* Each flush has this many microseconds of its own instead of the deadline; 0: the deadline. */
void kvsql_transport_set_write_timeout (KvsqlTransport *self, gint64 timeout_us);
void kvsql_transport_set_cancellable (KvsqlTransport *self,
                                      GCancellable *cancellable); /* nullable */
/* How long a wait for bytes may be spent awake, if they came soon before; 0: not at all, as before
 * it is called. See spin.h. */
void kvsql_transport_set_spin (KvsqlTransport *self, guint limit_us);
/* Before the first message. @budget outlives the transport. */
void kvsql_transport_set_budget (KvsqlTransport *self, KvsqlByteBudget *budget);

/**
 * kvsql_transport_wait:
 *
 * Waits for the first byte of the next message, until the deadline.
 *
 * Returns: the number of bytes that are there, 0 if the peer has closed the connection, -1 on error
 */
gssize kvsql_transport_wait (KvsqlTransport *self, GError **error);

/* Between two messages: frees the buffers. kvsql_transport_wait () has them again. */
void kvsql_transport_give_back (KvsqlTransport *self);

/**
 * kvsql_transport_peek:
 * @size: how many bytes are wanted
 * @out: (out): at least @size bytes, not consumed; valid until the next call
 */
gboolean kvsql_transport_peek (KvsqlTransport *self, gsize size, KvsqlSlice *out, GError **error);

/* TRUE if bytes of a message were written and not flushed. */
gboolean kvsql_transport_has_unsent (KvsqlTransport *self);

guint64 kvsql_transport_get_bytes_in (KvsqlTransport *self);
guint64 kvsql_transport_get_bytes_out (KvsqlTransport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTransport, g_object_unref)

G_END_DECLS
