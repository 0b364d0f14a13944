/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * socket-io.h: reads and writes a socket with a deadline.
 *
 * GIO's streams allocate an error to say that no byte is there, and an eventfd for each wait to
 * watch the cancellable: a server that waits for a short request, reads it and answers makes six
 * system calls. This code uses poll(), recv() and send() directly.
 *
 * Errors are those of GIO, and of TLS. A deadline is a monotonic time in microseconds, 0 for none.
 */
#pragma once

#include <gio/gio.h>

#include "idl/wire/spin.h"
#include "idl/wire/tls.h"

G_BEGIN_DECLS

typedef struct
{
  GSocket *socket;           /* owned, and so is the cancellable */
  GCancellable *cancellable; /* nullable */
  gboolean has_cancel_fd;    /* we hold a file descriptor of the cancellable */
  gboolean is_drained;       /* the last read took all there was: the next read waits first */
  KvsqlSpin spin;            /* for waits after a drained read */
  KvsqlTls *tls;             /* nullable; owned: all bytes go through it */
} KvsqlSocketIo;

void _kvsql_socket_io_set_cancellable (KvsqlSocketIo *self, GCancellable *cancellable);
void _kvsql_socket_io_clear (KvsqlSocketIo *self);

/* Ends the handshake of TLS, without which the next two functions do that first. */
gboolean _kvsql_socket_io_shake_hands (KvsqlSocketIo *self, gint64 deadline,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Reads some bytes. Returns their number, 0 at the end of the stream, -1 on errors. A deadline that
 * has passed is an error even if bytes are there. */
gssize _kvsql_socket_io_receive (KvsqlSocketIo *self, guint8 *room, gsize size, gint64 deadline,
                                 GError **error);
gssize _kvsql_socket_io_send (KvsqlSocketIo *self, const guint8 *data, gsize size, gint64 deadline,
                              GError **error);

G_END_DECLS
