/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-worker-pool.c: rounds in turn, several threads, more threads later, and the end of a pool.
 */
#include "config.h"

#include "daemon/session/worker-pool.h"

#define N_ROUNDS 5
#define MOST_JOBS 4
#define N_IDLE_ENDS 2000
#define DEADLINE_US (60 * G_TIME_SPAN_SECOND)

/* What the jobs of a test share. */
typedef struct
{
  GMutex mutex;
  GCond changed;
  GString *order; /* the names of the jobs, one for each round */
  gboolean may_begin;
  guint n_running;
  guint n_to_meet; /* a round waits for that many */
  guint n_destroyed;
} Shared;

typedef struct
{
  Shared *shared;
  gchar name;
  guint n_left; /* rounds */
} TestJob;

static void
shared_init (Shared *self)
{
  *self = (Shared){ .order = g_string_new (NULL) };
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
}

static void
shared_clear (Shared *self)
{
  g_string_free (self->order, TRUE);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
}

/* With the mutex held. */
static void
wait_until (Shared *self, gint64 until_us)
{
  g_assert_true (g_cond_wait_until (&self->changed, &self->mutex, until_us));
}

static gboolean
run_round (gpointer data)
{
  TestJob *self = data;
  Shared *shared = self->shared;
  gint64 until_us = g_get_monotonic_time () + DEADLINE_US;
  gboolean has_more;

  g_mutex_lock (&shared->mutex);
  shared->n_running++;
  g_cond_broadcast (&shared->changed);
  while (!shared->may_begin || shared->n_running < shared->n_to_meet)
    wait_until (shared, until_us);
  g_string_append_c (shared->order, self->name);
  has_more = --self->n_left > 0;
  g_cond_broadcast (&shared->changed);
  g_mutex_unlock (&shared->mutex);
  return has_more;
}

static void
destroy (gpointer data)
{
  TestJob *self = data;

  g_mutex_lock (&self->shared->mutex);
  self->shared->n_destroyed++;
  g_cond_broadcast (&self->shared->changed);
  g_mutex_unlock (&self->shared->mutex);
}

static void
submit_all (KvsqlWorkerPool *pool, Shared *shared, TestJob *jobs, guint n, guint n_rounds)
{
  for (guint i = 0; i < n; i++)
    {
      jobs[i] = (TestJob){ shared, (gchar)('a' + i), n_rounds };
      kvsql_worker_pool_submit (pool, run_round, &jobs[i], destroy);
    }
}

static void
begin (Shared *self)
{
  g_mutex_lock (&self->mutex);
  self->may_begin = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static void
wait_for_destroyed (Shared *self, guint n)
{
  gint64 until_us = g_get_monotonic_time () + DEADLINE_US;

  g_mutex_lock (&self->mutex);
  while (self->n_destroyed < n)
    wait_until (self, until_us);
  g_mutex_unlock (&self->mutex);
}

/* One thread gives each job a round in turn. */
static void
test_rounds (void)
{
  KvsqlWorkerPool *pool = kvsqld_worker_pool_new ();
  KvsqldWorkerPoolReport report;
  TestJob jobs[3];
  Shared shared;

  shared_init (&shared);
  kvsqld_worker_pool_set_size (pool, 1);
  submit_all (pool, &shared, jobs, G_N_ELEMENTS (jobs), N_ROUNDS);
  begin (&shared);
  wait_for_destroyed (&shared, G_N_ELEMENTS (jobs));
  g_assert_cmpstr (shared.order->str, ==, "abcabcabcabcabc");
  kvsqld_worker_pool_report (pool, &report);
  g_assert_cmpint (report.n_rounds, ==, 15);
  g_assert_cmpint (report.n_busy, ==, 0);
  kvsqld_worker_pool_free (pool);
  g_assert_cmpuint (shared.n_destroyed, ==, G_N_ELEMENTS (jobs));
  shared_clear (&shared);
}

/* No round ends before all jobs are running, each in a thread of its own. */
static void
test_threads (void)
{
  KvsqlWorkerPool *pool = kvsqld_worker_pool_new ();
  TestJob jobs[MOST_JOBS];
  Shared shared;

  shared_init (&shared);
  shared.n_to_meet = MOST_JOBS;
  kvsqld_worker_pool_set_size (pool, 1);
  submit_all (pool, &shared, jobs, MOST_JOBS, 1);
  begin (&shared);
  kvsqld_worker_pool_set_size (pool, MOST_JOBS); /* also for jobs that are waiting */
  wait_for_destroyed (&shared, MOST_JOBS);
  kvsqld_worker_pool_free (pool);
  shared_clear (&shared);
}

/* The round that runs is waited for; a job with more rounds, and one without any, are dropped. */
static void
test_end (void)
{
  KvsqlWorkerPool *pool = kvsqld_worker_pool_new ();
  gint64 until_us = g_get_monotonic_time () + DEADLINE_US;
  TestJob jobs[MOST_JOBS];
  Shared shared;
  gsize n_rounds;

  shared_init (&shared);
  kvsqld_worker_pool_set_size (pool, 2);
  submit_all (pool, &shared, jobs, MOST_JOBS, G_MAXUINT);
  begin (&shared);
  g_mutex_lock (&shared.mutex);
  while (shared.order->len < 20)
    wait_until (&shared, until_us);
  g_mutex_unlock (&shared.mutex);
  kvsqld_worker_pool_free (pool);
  g_mutex_lock (&shared.mutex);
  g_assert_cmpuint (shared.n_destroyed, ==, MOST_JOBS);
  n_rounds = shared.order->len;
  g_assert_cmpuint (n_rounds, ==, shared.n_running);
  g_mutex_unlock (&shared.mutex);
  shared_clear (&shared);
}

/* A job that is alone runs all its rounds, and ends with the pool too. */
static void
test_alone (void)
{
  KvsqlWorkerPool *pool = kvsqld_worker_pool_new ();
  gint64 until_us = g_get_monotonic_time () + DEADLINE_US;
  TestJob job;
  Shared shared;

  shared_init (&shared);
  kvsqld_worker_pool_set_size (pool, 2);
  submit_all (pool, &shared, &job, 1, N_ROUNDS);
  begin (&shared);
  wait_for_destroyed (&shared, 1);
  g_assert_cmpstr (shared.order->str, ==, "aaaaa");
  submit_all (pool, &shared, &job, 1, G_MAXUINT);
  g_mutex_lock (&shared.mutex);
  while (shared.order->len < 20)
    wait_until (&shared, until_us);
  g_mutex_unlock (&shared.mutex);
  kvsqld_worker_pool_free (pool);
  g_assert_cmpuint (shared.n_destroyed, ==, 2);
  shared_clear (&shared);
}

/* The pool ends while a thread that waits for jobs gets one. */
static void
test_end_of_idle (void)
{
  Shared shared;
  TestJob jobs[2];

  shared_init (&shared);
  for (guint i = 0; i < N_IDLE_ENDS; i++)
    {
      KvsqlWorkerPool *pool = kvsqld_worker_pool_new ();

      kvsqld_worker_pool_set_size (pool, 1);
      begin (&shared);
      submit_all (pool, &shared, &jobs[0], 1, 1);
      wait_for_destroyed (&shared, 2 * i + 1);
      submit_all (pool, &shared, &jobs[1], 1, 1);
      kvsqld_worker_pool_free (pool);
      g_assert_cmpuint (shared.n_destroyed, ==, 2 * i + 2);
    }
  shared_clear (&shared);
}

static void
test_no_jobs (void)
{
  KvsqlWorkerPool *pool = kvsqld_worker_pool_new ();

  kvsqld_worker_pool_free (pool);
  pool = kvsqld_worker_pool_new ();
  kvsqld_worker_pool_set_size (pool, 3);
  kvsqld_worker_pool_free (pool);
  kvsqld_worker_pool_free (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/worker-pool/rounds", test_rounds);
  g_test_add_func ("/session/worker-pool/threads", test_threads);
  g_test_add_func ("/session/worker-pool/end", test_end);
  g_test_add_func ("/session/worker-pool/alone", test_alone);
  g_test_add_func ("/session/worker-pool/end-of-idle", test_end_of_idle);
  g_test_add_func ("/session/worker-pool/no-jobs", test_no_jobs);
  return g_test_run ();
}
