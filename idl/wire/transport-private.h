/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * transport-private.h: the buffers of a transport, for the protocols.
 *
 * The fast paths are inline here, because a protocol takes and puts a few bytes at a time:
 *
 *   read_data:  consumed | at … end: received | room …      limit: end of the message
 */
#pragma once

#include "core/base/error.h"
#include "idl/wire/socket-io.h"
#include "idl/wire/transport.h"

G_BEGIN_DECLS

struct _KvsqlTransport
{
  ThriftTransport parent;

  GIOStream *stream; /* NULL: the transport reads from and writes to memory */
  KvsqlSocketIo io;  /* without a socket there is no wait with a deadline */
  gint64 deadline;
  gint64 write_timeout;
  gboolean framed;
  guint32 max_message;
  KvsqlByteBudget *budget;

  guint8 *read_data;
  gsize read_capacity; /* 0 if the memory is borrowed */
  gsize read_at;
  gsize read_end;
  gsize read_limit; /* without frames it may be greater than read_end */

  guint8 *write_data;
  gsize write_capacity;
  gsize write_end;
  gsize memory_out; /* number of bytes flushed to memory, at the start of write_data */

  guint64 bytes_in;
  guint64 bytes_out;
};

typedef struct
{
  ThriftTransportClass parent;
} KvsqlTransportClass;

/* Starts reading a message: reads the frame header and loads the frame; without frames, starts the
 * byte count of a message. */
gboolean _kvsql_transport_begin_read (KvsqlTransport *self,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Fails if the frame has bytes left. */
gboolean _kvsql_transport_end_read (KvsqlTransport *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Starts writing a message. Drops a message that was begun and not flushed. */
gboolean _kvsql_transport_begin_write (KvsqlTransport *self,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

gboolean _kvsql_transport_fill (KvsqlTransport *self, gsize offset, gsize size,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
guint8 *_kvsql_transport_grow (KvsqlTransport *self, gsize size, GError **error);

/* The number of bytes that the message may still contain. */
static inline gsize
_kvsql_transport_left (const KvsqlTransport *self)
{
  return self->read_limit - self->read_at;
}

/* Looks at @size bytes at @offset from the reading position without consuming them. Valid until the
 * next fill. */
static inline const guint8 *
_kvsql_transport_view (KvsqlTransport *self, gsize offset, gsize size, GError **error)
{
  gsize received = MIN (self->read_end, self->read_limit) - self->read_at;

  if (G_UNLIKELY (received < offset || received - offset < size)
      && !_kvsql_transport_fill (self, offset, size, error))
    return NULL;
  return self->read_data + self->read_at + offset;
}

static inline const guint8 *
_kvsql_transport_take (KvsqlTransport *self, gsize size, GError **error)
{
  const guint8 *at = _kvsql_transport_view (self, 0, size, error);

  if (G_LIKELY (at != NULL))
    self->read_at += size;
  return at;
}

/* Room for @size more bytes of the message, already counted as written; NULL if the message becomes
 * too large. */
static inline guint8 *
_kvsql_transport_put (KvsqlTransport *self, gsize size, GError **error)
{
  if (G_LIKELY (self->write_capacity - self->write_end >= size))
    {
      guint8 *at = self->write_data + self->write_end;
      self->write_end += size;
      return at;
    }
  return _kvsql_transport_grow (self, size, error);
}

G_END_DECLS
