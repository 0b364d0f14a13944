/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * periodic.c: see the header.
 */
#include "config.h"

#include "daemon/cluster/periodic.h"

struct _KvsqldPeriodic
{
  gint64 period_us;
  gboolean at_once;
  KvsqldPeriodicFunc func;
  gpointer data;
  GCancellable *stop;
  GThread *thread;

  GMutex mutex; /* protects what follows; a leaf */
  GCond stopping;
  gboolean is_stopping;
};

/* FALSE: the thread has to end. */
static gboolean
wait_a_period (KvsqldPeriodic *self)
{
  gint64 until_us = g_get_monotonic_time () + self->period_us;
  gboolean goes_on;

  g_mutex_lock (&self->mutex);
  while (!self->is_stopping && g_cond_wait_until (&self->stopping, &self->mutex, until_us))
    ;
  goes_on = !self->is_stopping;
  g_mutex_unlock (&self->mutex);
  return goes_on;
}

static gpointer
run (gpointer data)
{
  KvsqldPeriodic *self = data;

  if (self->at_once)
    self->func (self->stop, self->data);
  while (wait_a_period (self))
    self->func (self->stop, self->data);
  return NULL;
}

KvsqldPeriodic *
kvsqld_periodic_new (const gchar *name, gint64 period_us, gboolean at_once, KvsqldPeriodicFunc func,
                     gpointer data)
{
  KvsqldPeriodic *self = g_new0 (KvsqldPeriodic, 1);

  self->period_us = period_us;
  self->at_once = at_once;
  self->func = func;
  self->data = data;
  self->stop = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->stopping);
  /* lives as long as the daemon; its calls may block, so no pool of threads is used */
  self->thread = g_thread_new (name, run, self);
  return self;
}

void
kvsqld_periodic_free (KvsqldPeriodic *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->is_stopping = TRUE;
  g_cond_broadcast (&self->stopping);
  g_mutex_unlock (&self->mutex);
  g_cancellable_cancel (self->stop);
  g_thread_join (self->thread);
  g_object_unref (self->stop);
  g_cond_clear (&self->stopping);
  g_mutex_clear (&self->mutex);
  g_free (self);
}
