/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * senders.c: a pool of threads, and works that they join.
 */
#include "config.h"

#include "core/base/error.h"
#include "daemon/stores/hbase/senders.h"

/* Of one write, beside its own thread: it is not to take all connections from the others. */
#define MOST_HELPERS 3
#define MOST_THREADS 16

struct _KvsqldHbaseSenders
{
  GThreadPool *threads;
};

/* Kept until the last helper has seen that nothing is left of it. */
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
} Work;

static void
work_unref (Work *self)
{
  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

/* (transfer full) */
static void
keep_failure (Work *self, GError *failure)
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
make_all (Work *self)
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
        keep_failure (self, failure);
    }
}

static void
help (gpointer data, gpointer unused)
{
  Work *work = data;

  g_mutex_lock (&work->mutex);
  make_all (work);
  if (work->n_under_way == 0)
    g_cond_signal (&work->changed);
  g_mutex_unlock (&work->mutex);
  work_unref (work);
}

KvsqldHbaseSenders *
kvsqld_hbase_senders_new (void)
{
  KvsqldHbaseSenders *self = g_new0 (KvsqldHbaseSenders, 1);

  self->threads = g_thread_pool_new (help, NULL, MOST_THREADS, FALSE, NULL);
  return self;
}

void
kvsqld_hbase_senders_free (KvsqldHbaseSenders *self)
{
  if (self == NULL)
    return;
  g_thread_pool_free (self->threads, FALSE, TRUE);
  g_free (self);
}

gboolean
kvsqld_hbase_senders_run (KvsqldHbaseSenders *self, guint n, KvsqldHbaseSend send, gpointer data,
                          guint *out_n_done, GError **error)
{
  Work *work;
  gboolean ok;

  *out_n_done = 0;
  if (n == 1)
    {
      ok = send (data, 0, error);
      *out_n_done = ok ? 1 : 0;
      return ok;
    }
  work = g_new0 (Work, 1);
  *work = (Work){ .ref_count = 1, .n = n, .send = send, .data = data };
  g_mutex_init (&work->mutex);
  g_cond_init (&work->changed);
  for (guint i = 1; i < n && i <= MOST_HELPERS; i++)
    {
      g_atomic_int_inc (&work->ref_count);
      g_thread_pool_push (self->threads, work, NULL); /* without a thread it waits in a queue */
    }
  g_mutex_lock (&work->mutex);
  make_all (work);
  while (work->n_under_way > 0)
    g_cond_wait (&work->changed, &work->mutex);
  work->next = n; /* whoever comes late finds nothing */
  ok = work->failure == NULL;
  *out_n_done = work->n_done;
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&work->failure));
  g_mutex_unlock (&work->mutex);
  work_unref (work);
  return ok;
}
