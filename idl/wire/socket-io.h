/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * socket-io.h: bytes through a socket, with a deadline.
 *
 * GIO's streams make an error to say that nothing is there, and for each wait an eventfd that a
 * cancellable can be heard by: a server that waits for a short request, reads it and answers makes
 * six system calls. Here it is poll(), recv() and send().
 *
 * Errors are of GIO. A deadline is a monotonic time in microseconds, 0 for none.
 */
#pragma once

#include <gio/gio.h>

#include "idl/wire/spin.h"

G_BEGIN_DECLS

typedef struct
{
  GSocket *socket;           /* owned, as the cancellable is */
  GCancellable *cancellable; /* nullable */
  gboolean has_cancel_fd;    /* of it, for as long as it is ours */
  gboolean is_drained;       /* the last read left nothing: the next one has to wait first */
  KvsqlSpin spin;            /* for such a wait */
} KvsqlSocketIo;

void _kvsql_socket_io_set_cancellable (KvsqlSocketIo *self, GCancellable *cancellable);
void _kvsql_socket_io_clear (KvsqlSocketIo *self);

/* Some bytes: how many, 0 at the end of the stream, -1 on errors. A deadline that has passed is one
 * even where there are bytes. */
gssize _kvsql_socket_io_receive (KvsqlSocketIo *self, guint8 *room, gsize size, gint64 deadline,
                                 GError **error);
gssize _kvsql_socket_io_send (KvsqlSocketIo *self, const guint8 *data, gsize size, gint64 deadline,
                              GError **error);

G_END_DECLS
