/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * worker-pool.c: see worker-pool.h.
 */
#include "config.h"

#include "daemon/session/worker-pool.h"

typedef struct
{
  KvsqlJobFunc func;
  gpointer data;
  GDestroyNotify destroy;
} Job;

typedef struct
{
  KvsqlWorkerPool base;
  GMutex mutex;
  GCond changed;
  GQueue queue; /* Job */
  GPtrArray *threads;
  guint n_wanted;
  guint n_idle;
  gboolean is_ending;
  KvsqldWorkerPoolReport report;
} WorkerPool;

static void
job_free (Job *self)
{
  self->destroy (self->data);
  g_free (self);
}

/* NULL: the pool ends and with it this thread, whose number is @number. */
static Job *
wait_for_job (WorkerPool *self, guint number)
{
  while (!self->is_ending && (g_queue_is_empty (&self->queue) || number >= self->n_wanted))
    {
      gboolean is_idle = number < self->n_wanted;

      self->n_idle += is_idle;
      g_cond_wait (&self->changed, &self->mutex);
      self->n_idle -= is_idle;
    }
  return self->is_ending ? NULL : g_queue_pop_head (&self->queue);
}

typedef struct
{
  WorkerPool *pool;
  guint number;
} Worker;

static gpointer
run (gpointer data)
{
  g_autofree Worker *worker = data;
  WorkerPool *self = worker->pool;
  Job *job;

  g_mutex_lock (&self->mutex);
  while ((job = wait_for_job (self, worker->number)) != NULL)
    {
      gboolean has_more;

      g_mutex_unlock (&self->mutex);
      kvsql_count_add (&self->report.n_busy, 1);
      kvsql_count_add (&self->report.n_rounds, 1);
      has_more = job->func (job->data);
      kvsql_count_add (&self->report.n_busy, -1);
      if (!has_more)
        g_clear_pointer (&job, job_free);
      g_mutex_lock (&self->mutex);
      if (job != NULL)
        g_queue_push_tail (&self->queue, job);
    }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

static void
start_thread (WorkerPool *self)
{
  Worker *worker = g_new (Worker, 1);

  *worker = (Worker){ self, self->threads->len };
  g_ptr_array_add (self->threads, g_thread_new ("worker", run, worker));
  kvsql_count_add (&self->report.n_threads, 1);
}

static void
submit (KvsqlWorkerPool *base, KvsqlJobFunc func, gpointer data, GDestroyNotify destroy)
{
  WorkerPool *self = (WorkerPool *)base;
  Job *job = g_new (Job, 1);

  *job = (Job){ func, data, destroy };
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->queue, job);
  if (self->queue.length > self->n_idle && self->threads->len < self->n_wanted)
    start_thread (self);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static const KvsqlWorkerPoolClass worker_pool_class = { submit };

KvsqlWorkerPool *
kvsqld_worker_pool_new (void)
{
  WorkerPool *self = g_new0 (WorkerPool, 1);

  self->base.klass = &worker_pool_class;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->threads = g_ptr_array_new ();
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
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (self->threads->pdata[i]);
  g_ptr_array_unref (self->threads);
  g_queue_clear_full (&self->queue, (GDestroyNotify)job_free);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
kvsqld_worker_pool_set_size (KvsqlWorkerPool *base, guint n)
{
  WorkerPool *self = (WorkerPool *)base;

  g_mutex_lock (&self->mutex);
  self->n_wanted = n;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

void
kvsqld_worker_pool_report (KvsqlWorkerPool *base, KvsqldWorkerPoolReport *out)
{
  WorkerPool *self = (WorkerPool *)base;

  *out = (KvsqldWorkerPoolReport){ .n_threads = kvsql_count_get (&self->report.n_threads),
                                   .n_busy = kvsql_count_get (&self->report.n_busy),
                                   .n_rounds = kvsql_count_get (&self->report.n_rounds) };
}
