/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * turns.c: see the header.
 */
#include "config.h"

#include "tests/write/turns.h"

#define MAX_THREADS 8
#define NO_TURN -1

typedef struct
{
  Turns *turns;
  TurnsFunc func;
  gpointer data;
  GThread *thread;
  GCond cond;
  gboolean is_done;
} Runner;

struct _Turns
{
  GRand *random;
  GMutex mutex;
  GCond cond; /* no thread runs */
  gint turn;  /* number of the runner that may run */
  guint time;
  guint n;
  Runner runners[MAX_THREADS];
};

Turns *
turns_new (GRand *random)
{
  Turns *self = g_new0 (Turns, 1);

  self->random = random;
  self->turn = NO_TURN;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  return self;
}

void
turns_free (Turns *self)
{
  for (guint i = 0; i < self->n; i++)
    g_cond_clear (&self->runners[i].cond);
  g_cond_clear (&self->cond);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
turns_add (Turns *self, TurnsFunc func, gpointer data)
{
  Runner *runner = &self->runners[self->n++];

  g_assert_cmpuint (self->n, <=, MAX_THREADS);
  *runner = (Runner){ .turns = self, .func = func, .data = data };
  g_cond_init (&runner->cond);
}

static void
await_turn (Turns *self, Runner *runner)
{
  while (self->turn != runner - self->runners)
    g_cond_wait (&runner->cond, &self->mutex);
}

static void
end_turn (Turns *self)
{
  self->turn = NO_TURN;
  g_cond_signal (&self->cond);
}

static gpointer
run (gpointer data)
{
  Runner *runner = data;
  Turns *self = runner->turns;

  g_mutex_lock (&self->mutex);
  await_turn (self, runner);
  g_mutex_unlock (&self->mutex);
  runner->func (runner->data);
  g_mutex_lock (&self->mutex);
  runner->is_done = TRUE;
  end_turn (self);
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/* NULL: all are done. */
static Runner *
choose (Turns *self)
{
  guint n = 0, at;

  for (guint i = 0; i < self->n; i++)
    n += !self->runners[i].is_done;
  if (n == 0)
    return NULL;
  at = (guint)g_rand_int_range (self->random, 0, (gint32)n);
  for (guint i = 0;; i++)
    if (!self->runners[i].is_done && at-- == 0)
      return &self->runners[i];
}

void
turns_run (Turns *self)
{
  Runner *runner;

  for (guint i = 0; i < self->n; i++)
    self->runners[i].thread = g_thread_new ("turns", run, &self->runners[i]);
  g_mutex_lock (&self->mutex);
  while ((runner = choose (self)) != NULL)
    {
      self->time++;
      self->turn = (gint)(runner - self->runners);
      g_cond_signal (&runner->cond);
      while (self->turn != NO_TURN)
        g_cond_wait (&self->cond, &self->mutex);
    }
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < self->n; i++)
    g_thread_join (self->runners[i].thread);
}

void
turns_wait (Turns *self)
{
  Runner *runner;

  g_mutex_lock (&self->mutex);
  if (self->turn != NO_TURN)
    {
      runner = &self->runners[self->turn];
      end_turn (self);
      await_turn (self, runner);
    }
  g_mutex_unlock (&self->mutex);
}

guint
turns_get_time (const Turns *self)
{
  return self->time;
}
