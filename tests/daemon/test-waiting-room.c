/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-waiting-room.c: who waits comes out once, for each of the three reasons.
 */
#include "config.h"

#include <sys/socket.h>
#include <unistd.h>

#include "daemon/rpc/waiting-room.h"

#define MS G_TIME_SPAN_MILLISECOND
#define FOR_EVER G_MAXINT64

typedef struct
{
  KvsqldGuest guest; /* first */
  gint peer;         /* the other end; -1: closed */
  gint n_out;
} Visitor;

static void
take (KvsqldGuest *guest, gpointer user_data)
{
  g_atomic_int_inc (&((Visitor *)guest)->n_out);
}

static void
visitor_init (Visitor *self, gint64 deadline_us)
{
  gint ends[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, ends), ==, 0);
  *self = (Visitor){ .guest = { ends[0], deadline_us, g_cancellable_new () }, .peer = ends[1] };
}

static void
visitor_clear (Visitor *self)
{
  close (self->guest.fd);
  if (self->peer >= 0)
    close (self->peer);
  g_object_unref (self->guest.cancellable);
}

static void
wait_out (Visitor *self, gint n)
{
  gint64 deadline = g_get_monotonic_time () + 20000 * MS;

  while (g_atomic_int_get (&self->n_out) < n && g_get_monotonic_time () < deadline)
    g_usleep (MS);
  g_assert_cmpint (g_atomic_int_get (&self->n_out), ==, n);
}

static void
test_reasons (void)
{
  KvsqldWaitingRoom *room = kvsqld_waiting_room_new (take, NULL);
  Visitor written, closed, late, cancelled;

  visitor_init (&written, FOR_EVER);
  visitor_init (&closed, FOR_EVER);
  visitor_init (&late, g_get_monotonic_time () + 20 * MS);
  visitor_init (&cancelled, FOR_EVER);
  g_assert_true (kvsqld_waiting_room_enter (room, &written.guest));
  g_assert_true (kvsqld_waiting_room_enter (room, &closed.guest));
  g_assert_true (kvsqld_waiting_room_enter (room, &late.guest));
  g_assert_true (kvsqld_waiting_room_enter (room, &cancelled.guest));
  wait_out (&late, 1);
  g_assert_cmpuint (kvsqld_waiting_room_count (room), ==, 3);
  g_assert_cmpint (g_atomic_int_get (&written.n_out), ==, 0);

  g_assert_cmpint (write (written.peer, "x", 1), ==, 1);
  wait_out (&written, 1);
  close (closed.peer);
  closed.peer = -1;
  wait_out (&closed, 1);
  g_cancellable_cancel (cancelled.guest.cancellable);
  kvsqld_waiting_room_look (room);
  wait_out (&cancelled, 1);

  g_assert_cmpuint (kvsqld_waiting_room_count (room), ==, 0);
  kvsqld_waiting_room_free (room);
  visitor_clear (&written);
  visitor_clear (&closed);
  visitor_clear (&late);
  visitor_clear (&cancelled);
}

/* The byte is there already, and still there when the visitor comes back. */
static void
test_comes_back (void)
{
  KvsqldWaitingRoom *room = kvsqld_waiting_room_new (take, NULL);
  Visitor visitor;

  visitor_init (&visitor, FOR_EVER);
  g_assert_cmpint (write (visitor.peer, "x", 1), ==, 1);
  for (gint i = 1; i <= 1000; i++)
    {
      g_assert_true (kvsqld_waiting_room_enter (room, &visitor.guest));
      wait_out (&visitor, i);
    }
  kvsqld_waiting_room_free (room);
  visitor_clear (&visitor);
}

static void
test_refused (void)
{
  KvsqldWaitingRoom *room = kvsqld_waiting_room_new (take, NULL);
  Visitor visitor = { .guest = { -1, FOR_EVER, NULL }, .peer = -1 };

  g_assert_false (kvsqld_waiting_room_enter (room, &visitor.guest));
  g_assert_cmpuint (kvsqld_waiting_room_count (room), ==, 0);
  kvsqld_waiting_room_free (room);
}

/* ---- crowds */

#define N_VISITORS 400
#define N_DOORS 4

typedef struct
{
  KvsqldWaitingRoom *room;
  Visitor *visitors;
  guint first;
} Door;

static gpointer
let_in (gpointer data)
{
  Door *self = data;

  for (guint i = self->first; i < N_VISITORS; i += N_DOORS)
    {
      Visitor *visitor = &self->visitors[i];

      g_assert_true (kvsqld_waiting_room_enter (self->room, &visitor->guest));
      if (i % 3 == 0)
        g_cancellable_cancel (visitor->guest.cancellable);
      if (i % 2 == 0)
        g_assert_cmpint (write (visitor->peer, "x", 1), ==, 1);
    }
  return NULL;
}

/* Cancelled and written to at once, they come out once. */
static void
test_crowd (void)
{
  KvsqldWaitingRoom *room = kvsqld_waiting_room_new (take, NULL);
  Visitor *visitors = g_new (Visitor, N_VISITORS);
  Door doors[N_DOORS];
  GThread *threads[N_DOORS];

  for (guint i = 0; i < N_VISITORS; i++)
    visitor_init (&visitors[i], g_get_monotonic_time () + (i % 7) * 100 * MS);
  for (guint d = 0; d < N_DOORS; d++)
    {
      doors[d] = (Door){ room, visitors, d };
      threads[d] = g_thread_new ("door", let_in, &doors[d]);
    }
  for (guint d = 0; d < N_DOORS; d++)
    g_thread_join (threads[d]);
  for (guint i = 0; i < N_VISITORS; i++)
    wait_out (&visitors[i], 1);
  g_assert_cmpuint (kvsqld_waiting_room_count (room), ==, 0);
  kvsqld_waiting_room_free (room);
  for (guint i = 0; i < N_VISITORS; i++)
    visitor_clear (&visitors[i]);
  g_free (visitors);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/waiting-room/reasons", test_reasons);
  g_test_add_func ("/daemon/waiting-room/comes-back", test_comes_back);
  g_test_add_func ("/daemon/waiting-room/refused", test_refused);
  g_test_add_func ("/daemon/waiting-room/crowd", test_crowd);
  return g_test_run ();
}
