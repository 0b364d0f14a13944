/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-dispatcher.c: parallel requests: each is made once, and none after the end of its job.
 */
#include "config.h"

#include "core/base/error.h"
#include "daemon/stores/hbase/dispatcher.h"
#include "tests/harness/assert.h"

#define N_THREADS 24
#define N_WORKS 400
#define MOST 12
#define TIMEOUT_US (30 * G_USEC_PER_SEC)

/* Written to by requests; filled with 0xff when all must be finished. */
typedef struct
{
  gint n_made[MOST]; /* atomic */
  gint fails_at;     /* -1: none fails */
  gint code;
} Made;

static gboolean
make (gpointer data, guint index, GError **error)
{
  Made *made = data;

  g_assert_cmpint (g_atomic_int_add (&made->n_made[index], 1), ==, 0);
  if ((gint)index != made->fails_at)
    return TRUE;
  g_set_error (error, KVSQL_ERROR, made->code, "request %u", index);
  return FALSE;
}

static guint
count (const Made *made)
{
  guint n = 0;

  for (guint i = 0; i < MOST; i++)
    n += (guint)made->n_made[i];
  return n;
}

typedef struct
{
  KvsqldHbaseDispatcher *dispatcher;
  guint32 seed;
} Worker;

static void
check_work (KvsqldHbaseDispatcher *dispatcher, GRand *random)
{
  guint n = (guint)g_rand_int_range (random, 1, MOST + 1), n_done;
  Made made = { .fails_at
                = g_rand_int_range (random, 0, 3) == 0 ? g_rand_int_range (random, 0, (gint)n) : -1,
                .code = KVSQL_ERROR_STORE };
  g_autoptr (GError) error = NULL;
  gboolean ok = kvsqld_hbase_dispatcher_run (dispatcher, n, make, &made, &n_done, &error);

  if (made.fails_at < 0)
    {
      g_assert_no_error (error);
      g_assert_cmpuint (n_done, ==, n);
      g_assert_cmpuint (count (&made), ==, n);
    }
  else
    {
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
      g_assert_cmpuint (n_done, ==, count (&made) - 1);
    }
  g_assert_cmpint (ok, ==, made.fails_at < 0);
  memset (&made, 0xff, sizeof made); /* a request that is made now would be noticed */
}

static gpointer
work (gpointer data)
{
  Worker *self = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (self->seed);

  for (guint i = 0; i < N_WORKS; i++)
    check_work (self->dispatcher, random);
  return NULL;
}

static void
test_many (void)
{
  KvsqldHbaseDispatcher *dispatcher = kvsqld_hbase_dispatcher_new ();
  Worker workers[N_THREADS];
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    {
      workers[i] = (Worker){ dispatcher, (guint32)g_test_rand_int () };
      threads[i] = g_thread_new ("worker", work, &workers[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  kvsqld_hbase_dispatcher_free (dispatcher);
}

/* ---- in parallel */

typedef struct
{
  GMutex mutex;
  GCond changed;
  guint n_here;
} Meeting;

/* Waits until all requests have started. */
static gboolean
meet (gpointer data, guint index, GError **error)
{
  Meeting *meeting = data;
  gint64 limit_us = g_get_monotonic_time () + TIMEOUT_US;
  gboolean ok = TRUE;

  g_mutex_lock (&meeting->mutex);
  meeting->n_here++;
  g_cond_broadcast (&meeting->changed);
  while (ok && meeting->n_here < 4)
    ok = g_cond_wait_until (&meeting->changed, &meeting->mutex, limit_us);
  g_mutex_unlock (&meeting->mutex);
  if (!ok)
    g_set_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE, "request %u is alone", index);
  return ok;
}

static void
test_parallel (void)
{
  KvsqldHbaseDispatcher *dispatcher = kvsqld_hbase_dispatcher_new ();
  Meeting meeting = { 0 };
  g_autoptr (GError) error = NULL;
  guint n_done;

  assert_done (kvsqld_hbase_dispatcher_run (dispatcher, 4, meet, &meeting, &n_done, &error), error);
  g_assert_cmpuint (n_done, ==, 4);
  kvsqld_hbase_dispatcher_free (dispatcher);
}

/* ---- reported errors */

static gboolean
fail (gpointer data, guint index, GError **error)
{
  gint *n_here = data;

  /* all have started before the first one fails */
  g_atomic_int_inc (n_here);
  while (g_atomic_int_get (n_here) < 3)
    g_thread_yield ();
  g_set_error (error, KVSQL_ERROR,
               index == 1 ? KVSQL_ERROR_UNKNOWN_OUTCOME : KVSQL_ERROR_UNAVAILABLE, "request %u",
               index);
  return FALSE;
}

/* An unknown outcome is reported in preference to a certain failure. */
static void
test_failures (void)
{
  KvsqldHbaseDispatcher *dispatcher = kvsqld_hbase_dispatcher_new ();

  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (GError) error = NULL;
      gint n_here = 0;
      guint n_done;

      g_assert_false (kvsqld_hbase_dispatcher_run (dispatcher, 3, fail, &n_here, &n_done, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
      g_assert_cmpuint (n_done, ==, 0);
    }
  kvsqld_hbase_dispatcher_free (dispatcher);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/hbase-dispatcher/many", test_many);
  g_test_add_func ("/daemon/hbase-dispatcher/parallel", test_parallel);
  g_test_add_func ("/daemon/hbase-dispatcher/failures", test_failures);
  return g_test_run ();
}
