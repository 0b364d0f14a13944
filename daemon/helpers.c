/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * helpers.c: a queue, and threads that take from its head and put what goes on at its tail.
 */
#include "config.h"

#include "daemon/helpers.h"

typedef struct
{
  KvsqlHelpFunc func;
  gpointer data;
  GDestroyNotify destroy;
} Work;

typedef struct
{
  KvsqlHelpers base;
  GMutex mutex;
  GCond changed;
  GQueue queue; /* Work */
  GPtrArray *threads;
  guint n_wanted;
  guint n_idle;
  gboolean is_ending;
  KvsqldHelpersReport report;
} Helpers;

static void
work_free (Work *self)
{
  self->destroy (self->data);
  g_free (self);
}

/* NULL: this thread, the @number-th, is to end. */
static Work *
wait_for_work (Helpers *self, guint number)
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
  Helpers *helpers;
  guint number;
} Seat;

static gpointer
run (gpointer data)
{
  g_autofree Seat *seat = data;
  Helpers *self = seat->helpers;
  Work *work;

  g_mutex_lock (&self->mutex);
  while ((work = wait_for_work (self, seat->number)) != NULL)
    {
      gboolean has_more;

      g_mutex_unlock (&self->mutex);
      kvsql_count_add (&self->report.n_busy, 1);
      kvsql_count_add (&self->report.n_turns, 1);
      has_more = work->func (work->data);
      kvsql_count_add (&self->report.n_busy, -1);
      if (!has_more)
        g_clear_pointer (&work, work_free);
      g_mutex_lock (&self->mutex);
      if (work != NULL)
        g_queue_push_tail (&self->queue, work);
    }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

static void
start_thread (Helpers *self)
{
  Seat *seat = g_new (Seat, 1);

  *seat = (Seat){ self, self->threads->len };
  g_ptr_array_add (self->threads, g_thread_new ("helper", run, seat));
  kvsql_count_add (&self->report.n_threads, 1);
}

static void
ask (KvsqlHelpers *base, KvsqlHelpFunc func, gpointer data, GDestroyNotify destroy)
{
  Helpers *self = (Helpers *)base;
  Work *work = g_new (Work, 1);

  *work = (Work){ func, data, destroy };
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->queue, work);
  if (self->queue.length > self->n_idle && self->threads->len < self->n_wanted)
    start_thread (self);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

static const KvsqlHelpersClass helpers_class = { ask };

KvsqlHelpers *
kvsqld_helpers_new (void)
{
  Helpers *self = g_new0 (Helpers, 1);

  self->base.klass = &helpers_class;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->threads = g_ptr_array_new ();
  return &self->base;
}

void
kvsqld_helpers_free (KvsqlHelpers *base)
{
  Helpers *self = (Helpers *)base;

  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->is_ending = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (self->threads->pdata[i]);
  g_ptr_array_unref (self->threads);
  g_queue_clear_full (&self->queue, (GDestroyNotify)work_free);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
kvsqld_helpers_set_n (KvsqlHelpers *base, guint n)
{
  Helpers *self = (Helpers *)base;

  g_mutex_lock (&self->mutex);
  self->n_wanted = n;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

void
kvsqld_helpers_report (KvsqlHelpers *base, KvsqldHelpersReport *out)
{
  Helpers *self = (Helpers *)base;

  *out = (KvsqldHelpersReport){ .n_threads = kvsql_count_get (&self->report.n_threads),
                                .n_busy = kvsql_count_get (&self->report.n_busy),
                                .n_turns = kvsql_count_get (&self->report.n_turns) };
}
