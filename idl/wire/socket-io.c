/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * socket-io.c: see socket-io.h.
 */
#include "config.h"

#include "idl/wire/socket-io.h"

#include <errno.h>
#include <sys/socket.h>

void
_kvsql_socket_io_set_cancellable (KvsqlSocketIo *self, GCancellable *cancellable)
{
  if (self->cancellable == cancellable)
    return;
  if (self->has_cancel_fd)
    g_cancellable_release_fd (self->cancellable);
  g_set_object (&self->cancellable, cancellable);
  self->has_cancel_fd = cancellable != NULL && g_cancellable_get_fd (cancellable) >= 0;
}

void
_kvsql_socket_io_clear (KvsqlSocketIo *self)
{
  _kvsql_socket_io_set_cancellable (self, NULL);
  g_clear_object (&self->socket);
}

/* Fails if the deadline has passed. With @condition, also waits until the socket is ready for
 * it. */
static gboolean
make_ready (const KvsqlSocketIo *self, GIOCondition condition, gint64 deadline, GError **error)
{
  gint64 left = deadline != 0 ? deadline - g_get_monotonic_time () : -1;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (deadline != 0 && left <= 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "deadline passed");
      return FALSE;
    }
  /* GLib rounds a wait down to whole milliseconds, but the wait must not end before its
   * deadline. */
  return condition == 0
         || g_socket_condition_timed_wait (self->socket, condition,
                                           left < 0 ? left : left + G_TIME_SPAN_MILLISECOND - 1,
                                           self->cancellable, error);
}

/* Returns -1 without an error if the socket is not ready. */
static gssize
check_transfer (gssize n, GError **error)
{
  if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
    g_set_error_literal (error, G_IO_ERROR, (gint)g_io_error_from_errno (errno),
                         g_strerror (errno));
  return n;
}

/* Returns -1 without an error if no byte has arrived. */
static gssize
receive_spinning (KvsqlSocketIo *self, guint8 *room, gsize size, gint64 deadline, GError **error)
{
  gint fd = g_socket_get_fd (self->socket);
  GError *cause = NULL;
  gssize n = -1;

  if (!make_ready (self, 0, deadline, error) || !_kvsql_spin_begin (&self->spin))
    return -1;
  do
    n = check_transfer (recv (fd, room, size, MSG_DONTWAIT), &cause);
  while (n < 0 && cause == NULL && _kvsql_spin_goes_on (&self->spin));
  _kvsql_spin_end (&self->spin, n >= 0 || cause != NULL);
  if (cause != NULL)
    g_propagate_error (error, cause);
  return n;
}

gssize
_kvsql_socket_io_receive (KvsqlSocketIo *self, guint8 *room, gsize size, gint64 deadline,
                          GError **error)
{
  gint fd = g_socket_get_fd (self->socket);
  gboolean must_wait = self->is_drained;
  GIOCondition condition = must_wait ? G_IO_IN : 0;
  GError *cause = NULL;
  gssize n = must_wait ? receive_spinning (self, room, size, deadline, &cause) : -1;

  if (n < 0 && cause == NULL)
    {
      for (; n < 0 && cause == NULL; condition = G_IO_IN)
        if (make_ready (self, condition, deadline, &cause))
          n = check_transfer (recv (fd, room, size, MSG_DONTWAIT), &cause);
      if (must_wait)
        _kvsql_spin_end_block (&self->spin);
    }
  self->is_drained = n >= 0 && (gsize)n < size;
  if (cause != NULL)
    g_propagate_error (error, cause);
  return n;
}

gssize
_kvsql_socket_io_send (KvsqlSocketIo *self, const guint8 *data, gsize size, gint64 deadline,
                       GError **error)
{
  gint fd = g_socket_get_fd (self->socket);
  GIOCondition condition = 0;
  GError *cause = NULL;
  gssize n = -1;

  for (; n < 0 && cause == NULL; condition = G_IO_OUT)
    if (make_ready (self, condition, deadline, &cause))
      n = check_transfer (send (fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL), &cause);
  if (cause != NULL)
    g_propagate_error (error, cause);
  return n;
}
