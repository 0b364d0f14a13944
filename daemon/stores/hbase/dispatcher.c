/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dispatcher.c: see dispatcher.h.
 */
#include "config.h"

#include "core/base/error.h"
#include "daemon/stores/hbase/dispatcher.h"

/* In addition to the writer's own thread. One write must not take the connections of all others. */
#define MAX_WORKERS_PER_JOB 3
#define MAX_THREADS 16

struct _KvsqldHbaseDispatcher
{
  GThreadPool *threads;
};

/* The requests of one write. Workers that the thread pool starts late still read it: hence the
 * reference count. */
typedef struct
{
  gint ref_count;
  guint n;
  KvsqldHbaseSend send;
  gpointer data;
  GMutex mutex;
  GCond changed;
  guint next;
  guint n_under_way;
  guint n_done;
  GError *failure;
} Job;

static void
job_unref (Job *self)
{
  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* (transfer full) */
static void
record_failure (Job *self, GError *failure)
{
  if (self->failure != NULL && !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    {
      g_error_free (failure);
      return;
    }
  g_clear_error (&self->failure);
  self->failure = failure;
}

/* With the mutex held. */
static void
run_requests (Job *self)
{
  while (self->next < self->n && self->failure == NULL)
    {
      guint index = self->next++;
      GError *failure = NULL;
      gboolean ok;

      self->n_under_way++;
      g_mutex_unlock (&self->mutex);
      ok = self->send (self->data, index, &failure);
      g_mutex_lock (&self->mutex);
      self->n_under_way--;
      if (ok)
        self->n_done++;
      else
        record_failure (self, failure);
    }
}

static void
work (gpointer data, gpointer unused)
{
  Job *job = data;

  g_mutex_lock (&job->mutex);
  run_requests (job);
  if (job->n_under_way == 0)
    g_cond_signal (&job->changed);
  g_mutex_unlock (&job->mutex);
  job_unref (job);
}

KvsqldHbaseDispatcher *
kvsqld_hbase_dispatcher_new (void)
{
  KvsqldHbaseDispatcher *self = g_new0 (KvsqldHbaseDispatcher, 1);

  self->threads = g_thread_pool_new (work, NULL, MAX_THREADS, FALSE, NULL);
  return self;
}

void
kvsqld_hbase_dispatcher_free (KvsqldHbaseDispatcher *self)
{
  if (self == NULL)
    return;
  g_thread_pool_free (self->threads, FALSE, TRUE);
  g_free (self);
}

gboolean
kvsqld_hbase_dispatcher_run (KvsqldHbaseDispatcher *self, guint n, KvsqldHbaseSend send,
                             gpointer data, guint *out_n_done, GError **error)
{
  Job *job;
  gboolean ok;

  *out_n_done = 0;
  if (n == 1)
    {
      ok = send (data, 0, error);
      *out_n_done = ok ? 1 : 0;
      return ok;
    }
  job = g_new0 (Job, 1);
  *job = (Job){ .ref_count = 1, .n = n, .send = send, .data = data };
  g_mutex_init (&job->mutex);
  g_cond_init (&job->changed);
  for (guint i = 1; i < n && i <= MAX_WORKERS_PER_JOB; i++)
    {
      g_atomic_int_inc (&job->ref_count);
      g_thread_pool_push (self->threads, job, NULL); /* queued if no thread is free */
    }
  g_mutex_lock (&job->mutex);
  run_requests (job);
  while (job->n_under_way > 0)
    g_cond_wait (&job->changed, &job->mutex);
  job->next = n; /* a worker that starts late finds no request */
  ok = job->failure == NULL;
  *out_n_done = job->n_done;
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&job->failure));
  g_mutex_unlock (&job->mutex);
  job_unref (job);
  return ok;
}
