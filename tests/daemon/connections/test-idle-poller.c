/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-idle-poller.c: an entry is returned once, for each of the three reasons.
 */
#include "config.h"

#include <sys/socket.h>
#include <unistd.h>

#include "daemon/connections/idle-poller.h"

#define MS G_TIME_SPAN_MILLISECOND
#define FOR_EVER G_MAXINT64

typedef struct
{
  KvsqldIdleEntry entry; /* first */
  gint peer;             /* the other end; -1: closed */
  gint n_out;
} Waiter;

static void
take (KvsqldIdleEntry *entry, gpointer user_data)
{
  g_atomic_int_inc (&((Waiter *)entry)->n_out);
}

static void
waiter_init (Waiter *self, gint64 deadline_us)
{
  gint ends[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, ends), ==, 0);
  *self = (Waiter){ .entry = { ends[0], deadline_us, g_cancellable_new () }, .peer = ends[1] };
}

static void
waiter_clear (Waiter *self)
{
  close (self->entry.fd);
  if (self->peer >= 0)
    close (self->peer);
  g_object_unref (self->entry.cancellable);
}

static void
wait_out (Waiter *self, gint n)
{
  gint64 deadline = g_get_monotonic_time () + 20000 * MS;

  while (g_atomic_int_get (&self->n_out) < n && g_get_monotonic_time () < deadline)
    g_usleep (MS);
  g_assert_cmpint (g_atomic_int_get (&self->n_out), ==, n);
}

static void
test_reasons (void)
{
  KvsqldIdlePoller *poller = kvsqld_idle_poller_new (take, NULL);
  Waiter written, closed, late, cancelled;

  waiter_init (&written, FOR_EVER);
  waiter_init (&closed, FOR_EVER);
  waiter_init (&late, g_get_monotonic_time () + 20 * MS);
  waiter_init (&cancelled, FOR_EVER);
  g_assert_true (kvsqld_idle_poller_add (poller, &written.entry));
  g_assert_true (kvsqld_idle_poller_add (poller, &closed.entry));
  g_assert_true (kvsqld_idle_poller_add (poller, &late.entry));
  g_assert_true (kvsqld_idle_poller_add (poller, &cancelled.entry));
  wait_out (&late, 1);
  g_assert_cmpuint (kvsqld_idle_poller_count (poller), ==, 3);
  g_assert_cmpint (g_atomic_int_get (&written.n_out), ==, 0);

  g_assert_cmpint (write (written.peer, "x", 1), ==, 1);
  wait_out (&written, 1);
  close (closed.peer);
  closed.peer = -1;
  wait_out (&closed, 1);
  g_cancellable_cancel (cancelled.entry.cancellable);
  kvsqld_idle_poller_poll (poller);
  wait_out (&cancelled, 1);

  g_assert_cmpuint (kvsqld_idle_poller_count (poller), ==, 0);
  kvsqld_idle_poller_free (poller);
  waiter_clear (&written);
  waiter_clear (&closed);
  waiter_clear (&late);
  waiter_clear (&cancelled);
}

/* The byte has arrived before the entry is added, and is still unread when it is added again. */
static void
test_added_again (void)
{
  KvsqldIdlePoller *poller = kvsqld_idle_poller_new (take, NULL);
  Waiter waiter;

  waiter_init (&waiter, FOR_EVER);
  g_assert_cmpint (write (waiter.peer, "x", 1), ==, 1);
  for (gint i = 1; i <= 1000; i++)
    {
      g_assert_true (kvsqld_idle_poller_add (poller, &waiter.entry));
      wait_out (&waiter, i);
    }
  kvsqld_idle_poller_free (poller);
  waiter_clear (&waiter);
}

static void
test_refused (void)
{
  KvsqldIdlePoller *poller = kvsqld_idle_poller_new (take, NULL);
  Waiter waiter = { .entry = { -1, FOR_EVER, NULL }, .peer = -1 };

  g_assert_false (kvsqld_idle_poller_add (poller, &waiter.entry));
  g_assert_cmpuint (kvsqld_idle_poller_count (poller), ==, 0);
  kvsqld_idle_poller_free (poller);
}

/* ---- crowds */

#define N_VISITORS 400
#define N_DOORS 4

typedef struct
{
  KvsqldIdlePoller *poller;
  Waiter *waiters;
  guint first;
} Door;

static gpointer
let_in (gpointer data)
{
  Door *self = data;

  for (guint i = self->first; i < N_VISITORS; i += N_DOORS)
    {
      Waiter *waiter = &self->waiters[i];

      g_assert_true (kvsqld_idle_poller_add (self->poller, &waiter->entry));
      if (i % 3 == 0)
        g_cancellable_cancel (waiter->entry.cancellable);
      if (i % 2 == 0)
        g_assert_cmpint (write (waiter->peer, "x", 1), ==, 1);
    }
  return NULL;
}

/* Entries that are cancelled and written to at the same time are returned once. */
static void
test_crowd (void)
{
  KvsqldIdlePoller *poller = kvsqld_idle_poller_new (take, NULL);
  Waiter *waiters = g_new (Waiter, N_VISITORS);
  Door doors[N_DOORS];
  GThread *threads[N_DOORS];

  for (guint i = 0; i < N_VISITORS; i++)
    waiter_init (&waiters[i], g_get_monotonic_time () + (i % 7) * 100 * MS);
  for (guint d = 0; d < N_DOORS; d++)
    {
      doors[d] = (Door){ poller, waiters, d };
      threads[d] = g_thread_new ("door", let_in, &doors[d]);
    }
  for (guint d = 0; d < N_DOORS; d++)
    g_thread_join (threads[d]);
  for (guint i = 0; i < N_VISITORS; i++)
    wait_out (&waiters[i], 1);
  g_assert_cmpuint (kvsqld_idle_poller_count (poller), ==, 0);
  kvsqld_idle_poller_free (poller);
  for (guint i = 0; i < N_VISITORS; i++)
    waiter_clear (&waiters[i]);
  g_free (waiters);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/idle-poller/reasons", test_reasons);
  g_test_add_func ("/daemon/idle-poller/added-again", test_added_again);
  g_test_add_func ("/daemon/idle-poller/refused", test_refused);
  g_test_add_func ("/daemon/idle-poller/crowd", test_crowd);
  return g_test_run ();
}
