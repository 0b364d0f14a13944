/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-transport.c: messages over real sockets: deadlines, limits, peers that disconnect.
 */
#include "config.h"

#include <sys/socket.h>

#include "idl/wire/transport-private.h"
#include "tests/wire/wire-fixture.h"

#define MESSAGE "\x80\x01\0\x01\0\0\0\x01m\0\0\0\x07\0"
#define MESSAGE_SIZE (sizeof (MESSAGE) - 1)
#define MS G_TIME_SPAN_MILLISECOND

typedef struct
{
  KvsqlByteBudget budget;
  KvsqlTransport *transport;
  KvsqlProtocol *protocol;
  GSocket *peer;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GSocketConnection) connection = NULL;
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  socket = g_socket_new_from_fd (fds[0], NULL);
  self->peer = g_socket_new_from_fd (fds[1], NULL);
  connection = g_socket_connection_factory_create_connection (socket);
  self->budget = (KvsqlByteBudget){ .limit = 64 * 1024 * 1024 };
  self->transport
      = kvsql_transport_new (G_IO_STREAM (connection), data != NULL, KVSQL_TRANSPORT_MAX_MESSAGE);
  kvsql_transport_set_budget (self->transport, &self->budget);
  self->protocol = kvsql_protocol_new (self->transport, FALSE);
}

/* The first waits spin. */
static void
set_up_spinning (Fixture *self, gconstpointer data)
{
  set_up (self, data);
  kvsql_transport_set_spin (self->transport, KVSQL_SPIN_MAX_US);
  self->transport->io.spin.credit = 100;
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_object_unref (self->protocol);
  g_object_unref (self->transport);
  g_clear_object (&self->peer);
  g_assert_cmpuint (kvsql_byte_budget_get_used (&self->budget), ==, 0);
}

static void
send_bytes (Fixture *self, gconstpointer bytes, gsize size)
{
  g_assert_cmpint (g_socket_send (self->peer, bytes, size, NULL, NULL), ==, (gssize)size);
}

static gboolean
read_message (Fixture *self, GError **error)
{
  g_autofree gchar *name = NULL;
  ThriftMessageType type;
  gint32 sequence_id;

  return thrift_protocol_read_message_begin (THRIFT_PROTOCOL (self->protocol), &name, &type,
                                             &sequence_id, error)
             >= 0
         && thrift_protocol_skip (THRIFT_PROTOCOL (self->protocol), T_STRUCT, error) >= 0
         && thrift_protocol_read_message_end (THRIFT_PROTOCOL (self->protocol), error) >= 0;
}

static void
test_several_messages (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  send_bytes (self, MESSAGE MESSAGE "\x80", 2 * MESSAGE_SIZE + 1);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (kvsql_transport_wait (self->transport, &error), >, 0);
      g_assert_true (read_message (self, &error));
      g_assert_no_error (error);
    }
  send_bytes (self, &MESSAGE[1], MESSAGE_SIZE - 1);
  g_assert_true (read_message (self, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (kvsql_transport_get_bytes_in (self->transport), ==, 3 * MESSAGE_SIZE);
}

#define N_PINGS 2000

/* Answers at once, or late: one wait in eight blocks. */
static gpointer
send_pings (gpointer data)
{
  Fixture *self = data;
  gchar answer;

  for (guint i = 0; i < N_PINGS; i++)
    {
      if (i % 8 == 0)
        g_usleep (i % 64 == 0 ? 2000 : 100);
      send_bytes (self, MESSAGE, MESSAGE_SIZE);
      g_assert_cmpint (g_socket_receive (self->peer, &answer, 1, NULL, NULL), ==, 1);
    }
  return NULL;
}

static void
test_ping_pong (Fixture *self, gconstpointer data)
{
  GThread *thread = g_thread_new ("peer", send_pings, self);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_PINGS; i++)
    {
      kvsql_transport_set_deadline (self->transport, g_get_monotonic_time () + 10000 * MS);
      g_assert_cmpint (kvsql_transport_wait (self->transport, &error), ==, MESSAGE_SIZE);
      g_assert_true (read_message (self, &error));
      g_assert_no_error (error);
      g_assert_true (thrift_transport_write (THRIFT_TRANSPORT (self->transport), ".", 1, &error));
      g_assert_true (thrift_transport_flush (THRIFT_TRANSPORT (self->transport), &error));
    }
  g_thread_join (thread);
}

static void
test_closed_between (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_socket_close (self->peer, NULL);
  g_assert_cmpint (kvsql_transport_wait (self->transport, &error), ==, 0);
  g_assert_no_error (error);
}

static void
test_closed_within (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  send_bytes (self, MESSAGE, 5);
  g_socket_close (self->peer, NULL);
  g_assert_false (read_message (self, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
}

static void
test_read_deadline (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  send_bytes (self, MESSAGE, 5);
  kvsql_transport_set_deadline (self->transport, g_get_monotonic_time () + 30 * MS);
  g_assert_false (read_message (self, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
}

static void
test_wait_deadline (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  kvsql_transport_set_deadline (self->transport, g_get_monotonic_time () + 30 * MS);
  g_assert_cmpint (kvsql_transport_wait (self->transport, &error), ==, -1);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
}

/* The caller compares the time with the deadline, to find out whose deadline has passed. */
static void
test_wait_no_shorter (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 20; i++)
    {
      gint64 deadline_us = g_get_monotonic_time () + 2 * MS + 97 * i;
      g_autoptr (GError) error = NULL;

      kvsql_transport_set_deadline (self->transport, deadline_us);
      g_assert_cmpint (kvsql_transport_wait (self->transport, &error), ==, -1);
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
      g_assert_cmpint (g_get_monotonic_time (), >=, deadline_us);
    }
}

/* Every read succeeds, the message never ends. */
static gpointer
drip (gpointer data)
{
  GSocket *peer = data;

  while (g_socket_send (peer, "\0", 1, NULL, NULL) == 1)
    g_usleep (2 * MS);
  return NULL;
}

static void
test_drip_feeder (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GThread *thread;

  send_bytes (self, "\0\1\0\0", 4);
  thread = g_thread_new ("drip", drip, self->peer);
  kvsql_transport_set_deadline (self->transport, g_get_monotonic_time () + 60 * MS);
  g_assert_false (read_message (self, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  thrift_transport_close (THRIFT_TRANSPORT (self->transport), NULL);
  g_thread_join (thread);
}

static gboolean
write_big (Fixture *self, gsize size, GError **error)
{
  g_autofree gchar *text = g_strnfill (size, 'x');

  wire_begin_call (THRIFT_PROTOCOL (self->protocol), "big");
  return kvsql_protocol_write_bytes (self->protocol, kvsql_slice (text, size), error)
         && thrift_transport_flush (THRIFT_TRANSPORT (self->transport), error);
}

static void
test_write_deadline (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  kvsql_transport_set_write_timeout (self->transport, 30 * MS);
  g_assert_false (write_big (self, 8 * 1024 * 1024, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
}

static void
test_write_to_closed (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_socket_close (self->peer, NULL);
  g_assert_false (write_big (self, 8 * 1024 * 1024, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
}

static gpointer
read_all (gpointer data)
{
  static gchar buffer[65536];
  gsize total = 0;
  gssize n;

  while ((n = g_socket_receive (data, buffer, sizeof buffer, NULL, NULL)) > 0)
    total += (gsize)n;
  return GSIZE_TO_POINTER (total);
}

static void
test_write_big (Fixture *self, gconstpointer data)
{
  GThread *thread = g_thread_new ("reader", read_all, self->peer);
  g_autoptr (GError) error = NULL;
  gsize total;

  g_assert_true (write_big (self, 8 * 1024 * 1024, &error));
  g_assert_no_error (error);
  thrift_transport_close (THRIFT_TRANSPORT (self->transport), NULL);
  total = GPOINTER_TO_SIZE (g_thread_join (thread));
  g_assert_cmpuint (total, >, 8 * 1024 * 1024);
  g_assert_cmpuint (total, ==, kvsql_transport_get_bytes_out (self->transport));
}

static gpointer
cancel (gpointer data)
{
  g_usleep (20 * MS);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancel (Fixture *self, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel, cancellable);

  kvsql_transport_set_cancellable (self->transport, cancellable);
  g_assert_cmpint (kvsql_transport_wait (self->transport, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
}

static void
test_announced_is_not_allocated (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  send_bytes (self, "\1\0\0\0" MESSAGE, 4 + MESSAGE_SIZE);
  kvsql_transport_set_deadline (self->transport, g_get_monotonic_time () + 30 * MS);
  g_assert_false (read_message (self, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpuint (kvsql_byte_budget_get_used (&self->budget), <, 64 * 1024);
}

static void
test_budget (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->budget.limit = 32 * 1024;
  g_assert_false (write_big (self, 64 * 1024, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

/* When the budget is used up, small messages are still possible. */
static void
test_budget_is_taken (Fixture *self, gconstpointer data)
{
  GThread *thread = g_thread_new ("reader", read_all, self->peer);
  g_autoptr (GError) error = NULL;

  self->budget.used = self->budget.limit;
  send_bytes (self, "\0\0\0\x0e" MESSAGE, 4 + MESSAGE_SIZE);
  g_assert_true (write_big (self, 8 * 1024, &error));
  g_assert_no_error (error);
  g_assert_cmpint (kvsql_transport_wait (self->transport, &error), >, 0);
  g_assert_no_error (error);
  g_assert_false (write_big (self, 64 * 1024, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  thrift_transport_close (THRIFT_TRANSPORT (self->transport), NULL);
  g_thread_join (thread);
  self->budget.used -= self->budget.limit;
}

static void
test_idle_releases (Fixture *self, gconstpointer data)
{
  GThread *thread = g_thread_new ("reader", read_all, self->peer);
  g_autoptr (GError) error = NULL;

  g_assert_true (write_big (self, 1024 * 1024, &error));
  g_assert_cmpuint (kvsql_byte_budget_get_used (&self->budget), >, 1024 * 1024);
  kvsql_transport_release_buffers (self->transport);
  g_assert_cmpuint (kvsql_byte_budget_get_used (&self->budget), <, 64 * 1024);
  kvsql_transport_set_deadline (self->transport, g_get_monotonic_time () + 20 * MS);
  g_assert_cmpint (kvsql_transport_wait (self->transport, &error), ==, -1);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  kvsql_transport_set_deadline (self->transport, g_get_monotonic_time () + 20000 * MS);
  g_assert_true (write_big (self, 1024 * 1024, NULL));
  thrift_transport_close (THRIFT_TRANSPORT (self->transport), NULL);
  g_thread_join (thread);
}

/* ---- detection */

static const struct
{
  const gchar *bytes;
  gsize size;
  gint result;
  const gchar *name;
} detections[] = {
  { "", 0, 1, NULL },
  { "\x82", 1, 0, "compact" },
  { "\x80", 1, 2, NULL },
  { "\x80\x01", 2, 0, "binary" },
  { "\x80\x02", 2, -1, NULL },
  { "\0", 1, 4, NULL },
  { "\0\0\1\0", 4, 5, NULL },
  { "\0\0\1\0\x80", 5, 0, "framed binary" },
  { "\0\0\1\0\x82", 5, 0, "framed compact" },
  { "\0\0\1\0\x16", 5, -1, NULL },
  { "\0\0\0\0", 4, -1, NULL },
  { "GET ", 4, -1, NULL },
  { "\x16\x03\x01\x02", 4, -1, NULL }, /* TLS */
};

static void
test_detect (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (detections); i++)
    {
      g_autoptr (GError) error = NULL;
      KvsqlWireFormat format;
      gint result = kvsql_wire_format_detect (kvsql_slice (detections[i].bytes, detections[i].size),
                                              KVSQL_TRANSPORT_MAX_MESSAGE, &format, &error);

      g_assert_cmpint (result, ==, detections[i].result);
      g_assert_cmpint (error != NULL, ==, result < 0);
      if (result == 0)
        g_assert_cmpstr (kvsql_wire_format_get_name (format), ==, detections[i].name);
    }
}

#define ADD(path, framed, function)                                                                \
  g_test_add ("/wire/transport/" path, Fixture, framed, set_up, function, tear_down)
#define ADD_BOTH(path, framed, function)                                                           \
  ADD (path, framed, function);                                                                    \
  g_test_add ("/wire/transport/spinning/" path, Fixture, framed, set_up_spinning, function,        \
              tear_down)
#define FRAMED GINT_TO_POINTER (1)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  kvsql_thrift_setup ();
  ADD_BOTH ("several-messages", NULL, test_several_messages);
  ADD_BOTH ("closed/between-messages", NULL, test_closed_between);
  ADD_BOTH ("closed/within-a-message", NULL, test_closed_within);
  ADD_BOTH ("deadline/read", NULL, test_read_deadline);
  ADD_BOTH ("deadline/wait", NULL, test_wait_deadline);
  ADD_BOTH ("deadline/wait-no-shorter", NULL, test_wait_no_shorter);
  ADD_BOTH ("deadline/drip-feeder", FRAMED, test_drip_feeder);
  ADD ("deadline/write", NULL, test_write_deadline);
  ADD ("write/to-a-closed-peer", NULL, test_write_to_closed);
  ADD ("write/larger-than-the-socket-buffer", FRAMED, test_write_big);
  ADD_BOTH ("ping-pong", NULL, test_ping_pong);
  ADD_BOTH ("cancel", NULL, test_cancel);
  ADD ("memory/announced-is-not-allocated", FRAMED, test_announced_is_not_allocated);
  ADD ("memory/budget", NULL, test_budget);
  ADD ("memory/budget-is-taken", NULL, test_budget_is_taken);
  ADD ("memory/idle-releases-buffers", NULL, test_idle_releases);
  g_test_add_func ("/wire/detect", test_detect);
  return g_test_run ();
}
