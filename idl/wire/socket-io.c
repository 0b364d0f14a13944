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
  g_clear_pointer (&self->tls, kvsql_tls_free);
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

/* The next two: -1 without an error: wait for *out_wants. */

static gssize
receive_ready (KvsqlSocketIo *self, guint8 *room, gsize size, GIOCondition *out_wants,
               GError **error)
{
  *out_wants = G_IO_IN;
  if (self->tls != NULL)
    return _kvsql_tls_receive (self->tls, room, size, out_wants, error);
  return check_transfer (recv (g_socket_get_fd (self->socket), room, size, MSG_DONTWAIT), error);
}

static gssize
send_ready (KvsqlSocketIo *self, const guint8 *data, gsize size, GIOCondition *out_wants,
            GError **error)
{
  *out_wants = G_IO_OUT;
  if (self->tls != NULL)
    return _kvsql_tls_send (self->tls, data, size, out_wants, error);
  return check_transfer (
      send (g_socket_get_fd (self->socket), data, size, MSG_DONTWAIT | MSG_NOSIGNAL), error);
}

/* Returns -1 without an error if no byte has arrived. */
static gssize
receive_spinning (KvsqlSocketIo *self, guint8 *room, gsize size, gint64 deadline, GError **error)
{
  GIOCondition wants;
  GError *cause = NULL;
  gssize n = -1;

  if (!make_ready (self, 0, deadline, error) || !_kvsql_spin_begin (&self->spin))
    return -1;
  do
    n = receive_ready (self, room, size, &wants, &cause);
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
  gboolean must_wait = self->is_drained;
  /* TLS may hold bytes that the socket does not have any more */
  GIOCondition condition = must_wait && self->tls == NULL ? G_IO_IN : 0;
  GError *cause = NULL;
  gssize n = must_wait ? receive_spinning (self, room, size, deadline, &cause) : -1;

  if (n < 0 && cause == NULL)
    {
      while (n < 0 && cause == NULL)
        if (make_ready (self, condition, deadline, &cause))
          n = receive_ready (self, room, size, &condition, &cause);
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
  GIOCondition condition = 0;
  GError *cause = NULL;
  gssize n = -1;

  while (n < 0 && cause == NULL)
    if (make_ready (self, condition, deadline, &cause))
      n = send_ready (self, data, size, &condition, &cause);
  if (cause != NULL)
    g_propagate_error (error, cause);
  return n;
}

gboolean
_kvsql_socket_io_shake_hands (KvsqlSocketIo *self, gint64 deadline, GError **error)
{
  GIOCondition condition = 0;
  GError *cause = NULL;
  gboolean is_over = FALSE;

  while (!is_over && cause == NULL)
    if (make_ready (self, condition, deadline, &cause))
      is_over = _kvsql_tls_shake_hands (self->tls, &condition, &cause);
  if (cause != NULL)
    g_propagate_error (error, cause);
  return is_over;
}
