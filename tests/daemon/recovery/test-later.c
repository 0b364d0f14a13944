/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-later.c: work after the answer: together, once, and never more than there is room for.
 */
#include "config.h"

#include "daemon/recovery/later.h"

/* More than wait for a thread, and than wait in the queue. */
#define MANY 2000

typedef struct
{
  GMutex mutex;
  GCond changed;
  guint n_calls, n_done, n_refused, largest;
  guint done[MANY]; /* how often */
  gboolean is_stuck;
} World;

static World world;

static void
set_up (World *unused, gconstpointer data)
{
  world = (World){ 0 };
  g_mutex_init (&world.mutex);
  g_cond_init (&world.changed);
}

static void
tear_down (World *unused, gconstpointer data)
{
  g_mutex_clear (&world.mutex);
  g_cond_clear (&world.changed);
}

static void
count (gpointer *work, guint n)
{
  g_mutex_lock (&world.mutex);
  while (world.is_stuck)
    g_cond_wait (&world.changed, &world.mutex);
  world.n_calls++;
  world.n_done += n;
  world.largest = MAX (world.largest, n);
  for (guint i = 0; i < n; i++)
    world.done[GPOINTER_TO_UINT (work[i])]++;
  g_mutex_unlock (&world.mutex);
}

/* The same, as another function: its work is never mixed with that of count(). */
static void
count_odd (gpointer *work, guint n)
{
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (GPOINTER_TO_UINT (work[i]) % 2, ==, 1);
  count (work, n);
}

static void
assert_done_once (guint n)
{
  g_assert_cmpuint (world.n_done, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (world.done[i], ==, 1);
}

/* What is pushed at the same time is done by fewer calls than there is work. */
static void
test_together (World *unused, gconstpointer data)
{
  KvsqldLater *later = kvsqld_later_new ();

  for (guint i = 0; i < 20; i++)
    g_assert_true (kvsqld_later_push (i % 2 == 1 ? count_odd : count, GUINT_TO_POINTER (i), later));
  kvsqld_later_free (later);
  assert_done_once (20);
  g_assert_cmpuint (world.n_calls, <, 20);
}

/* Work does not wait for more of it for ever, nor for the end. */
static void
test_alone (World *unused, gconstpointer data)
{
  g_autoptr (KvsqldLater) later = kvsqld_later_new ();
  guint n_done = 0;

  g_assert_true (kvsqld_later_push (count, GUINT_TO_POINTER (0), later));
  while (n_done == 0)
    {
      g_usleep (1000);
      g_mutex_lock (&world.mutex);
      n_done = world.n_done;
      g_mutex_unlock (&world.mutex);
    }
}

/* If work gets stuck, the queue fills, and what does not fit is the caller's. */
static void
test_bound (World *unused, gconstpointer data)
{
  KvsqldLater *later = kvsqld_later_new ();
  guint n = 0;

  world.is_stuck = TRUE;
  while (n < MANY && kvsqld_later_push (count, GUINT_TO_POINTER (n), later))
    n++;
  g_assert_cmpuint (n, <, MANY);
  g_mutex_lock (&world.mutex);
  world.is_stuck = FALSE;
  g_cond_broadcast (&world.changed);
  g_mutex_unlock (&world.mutex);
  kvsqld_later_free (later);
  assert_done_once (n);
  g_assert_cmpuint (world.largest, >, 1);
}

/* Pushes itself again, until there is no room. */
static void
count_and_push (gpointer *work, guint n)
{
  KvsqldLater *later = work[0];

  g_mutex_lock (&world.mutex);
  world.n_calls++;
  world.n_done += n;
  g_mutex_unlock (&world.mutex);
  if (!kvsqld_later_push (count_and_push, later, later))
    {
      g_mutex_lock (&world.mutex);
      world.n_refused++;
      g_mutex_unlock (&world.mutex);
    }
}

/* What is done at the end can push no more. */
static void
test_end (World *unused, gconstpointer data)
{
  KvsqldLater *later = kvsqld_later_new ();

  g_assert_true (kvsqld_later_push (count_and_push, later, later));
  kvsqld_later_free (later);
  g_assert_cmpuint (world.n_done, >, 0);
  g_assert_cmpuint (world.n_refused, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add ("/later/" path, World, NULL, set_up, function, tear_down)
  ADD ("together", test_together);
  ADD ("alone", test_alone);
  ADD ("bound", test_bound);
  ADD ("end", test_end);
#undef ADD
  return g_test_run ();
}
