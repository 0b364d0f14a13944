/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * worker-pool.c: GLib's thread pool, whose jobs are queued again after a round.
 */
#include "config.h"

#include "daemon/session/worker-pool.h"

typedef struct
{
  KvsqlJobFunc func;
  gpointer data;
  GDestroyNotify destroy;
} Job;

/* GLib loses an item that a thread takes while the pool is freed. So the items of @threads are
 * only calls for a thread: each one takes the first of @jobs. */
typedef struct
{
  KvsqlWorkerPool base;
  GThreadPool *threads;
  GMutex mutex; /* guards jobs and is_ending */
  GQueue jobs;  /* of Job: those that wait for a thread */
  gboolean is_ending;
  KvsqldWorkerPoolReport report;
} WorkerPool;

static void
job_free (gpointer data)
{
  Job *self = data;

  self->destroy (self->data);
  g_free (self);
}

/* FALSE: the pool ends, and the caller still owns the job. If the system has no thread left, the
 * job waits for the threads that there are. */
static gboolean
enqueue (WorkerPool *self, Job *job)
{
  gboolean is_ending;

  g_mutex_lock (&self->mutex);
  is_ending = self->is_ending;
  if (!is_ending)
    {
      g_queue_push_tail (&self->jobs, job);
      g_thread_pool_push (self->threads, self, NULL);
    }
  g_mutex_unlock (&self->mutex);
  return !is_ending;
}

static Job *
take_job (WorkerPool *self)
{
  Job *job;

  g_mutex_lock (&self->mutex);
  job = self->is_ending ? NULL : g_queue_pop_head (&self->jobs);
  g_mutex_unlock (&self->mutex);
  return job;
}

/* Whether no other job waits for a thread, and the pool does not end. */
static gboolean
is_alone (WorkerPool *self)
{
  gboolean result;

  g_mutex_lock (&self->mutex);
  result = !self->is_ending && g_queue_is_empty (&self->jobs);
  g_mutex_unlock (&self->mutex);
  return result;
}

/* A job that no other job waits for keeps its thread: to queue it would start a second one. */
static void
run (gpointer data, G_GNUC_UNUSED gpointer user_data)
{
  WorkerPool *self = data;
  Job *job = take_job (self);
  gboolean has_more;

  if (job == NULL)
    return;
  kvsql_count_add (&self->report.n_busy, 1);
  do
    {
      kvsql_count_add (&self->report.n_rounds, 1);
      has_more = job->func (job->data);
    }
  while (has_more && is_alone (self));
  kvsql_count_add (&self->report.n_busy, -1);
  if (!has_more || !enqueue (self, job))
    job_free (job);
}

static void
submit (KvsqlWorkerPool *base, KvsqlJobFunc func, gpointer data, GDestroyNotify destroy)
{
  WorkerPool *self = (WorkerPool *)base;
  Job *job = g_new (Job, 1);

  *job = (Job){ func, data, destroy };
  if (!enqueue (self, job))
    job_free (job);
}

static const KvsqlWorkerPoolClass worker_pool_class = { submit };

KvsqlWorkerPool *
kvsqld_worker_pool_new (void)
{
  WorkerPool *self = g_new0 (WorkerPool, 1);

  self->base.klass = &worker_pool_class;
  g_mutex_init (&self->mutex);
  self->threads = g_thread_pool_new (run, NULL, 0, FALSE, NULL);
  return &self->base;
}

void
kvsqld_worker_pool_free (KvsqlWorkerPool *base)
{
  WorkerPool *self = (WorkerPool *)base;

  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  g_mutex_unlock (&self->mutex);
  g_thread_pool_free (self->threads, TRUE, TRUE);
  g_queue_clear_full (&self->jobs, job_free);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
kvsqld_worker_pool_set_size (KvsqlWorkerPool *base, guint n)
{
  WorkerPool *self = (WorkerPool *)base;

  g_thread_pool_set_max_threads (self->threads, (gint)n, NULL);
}

void
kvsqld_worker_pool_report (KvsqlWorkerPool *base, KvsqldWorkerPoolReport *out)
{
  WorkerPool *self = (WorkerPool *)base;

  *out = (KvsqldWorkerPoolReport){ .n_busy = kvsql_count_get (&self->report.n_busy),
                                   .n_rounds = kvsql_count_get (&self->report.n_rounds) };
}
