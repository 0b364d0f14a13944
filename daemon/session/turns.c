/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * turns.c: see the header.
 */
#include "config.h"

#include "daemon/session/turns.h"

#include <pthread.h>

/* More than one, as some of them wait for their store. */
#define TURNS_PER_PROCESSOR 2
#define QUANTUM_US (20 * G_TIME_SPAN_MILLISECOND)
/* Then a turn ends if its statement waits for something most of the time. */
#define LONGEST_TURN_US (3 * QUANTUM_US)
#define LEAST_SHARE 4 /* of that time that it computes otherwise: a quarter */
/* A statement that has taken so long asks for its first turn. */
#define SHORT_US (2 * G_TIME_SPAN_MILLISECOND)
/* Between two looks at the clock of the thread. */
#define LOOK_US (5 * G_TIME_SPAN_MILLISECOND)
/* How late a statement that waits finds out that it was cancelled. */
#define WAIT_US (50 * G_TIME_SPAN_MILLISECOND)

struct _KvsqldTurns
{
  GMutex mutex;
  guint n_max;
  GQueue first;   /* of KvsqldTurn: those that wait for their first turn, the oldest at the head */
  GQueue further; /* those that wait for another one */
  gboolean was_first;
  GQueue running; /* those that have a turn; the one that ends first at the head */
};

KvsqldTurns *
kvsqld_turns_new (guint n_max)
{
  KvsqldTurns *self = g_new0 (KvsqldTurns, 1);

  g_mutex_init (&self->mutex);
  self->n_max = n_max > 0 ? n_max : TURNS_PER_PROCESSOR * g_get_num_processors ();
  return self;
}

void
kvsqld_turns_free (KvsqldTurns *self)
{
  if (self == NULL)
    return;
  g_mutex_clear (&self->mutex);
  g_free (self);
}

guint
kvsqld_turns_count_waiting (KvsqldTurns *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->first.length + self->further.length;
  g_mutex_unlock (&self->mutex);
  return n;
}

/* ---- under the lock */

static void
release (KvsqldTurn *self)
{
  if (self->ends_us != 0)
    g_queue_unlink (&self->turns->running, &self->link);
  self->ends_us = 0;
}

static gint64
get_cpu_us (clockid_t clock)
{
  struct timespec time;

  if (clock_gettime (clock, &time) != 0)
    return 0;
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* One that computes will ask for its next turn soon. */
static gboolean
computes (const KvsqldTurn *self, gint64 now_us)
{
  return get_cpu_us (self->clock) - self->cpu_us >= (now_us - self->began_us) / LEAST_SHARE;
}

static void
release_late (KvsqldTurns *self, gint64 now_us)
{
  while (self->running.head != NULL)
    {
      KvsqldTurn *first = self->running.head->data;
      gboolean goes_on;

      if (first->ends_us > now_us)
        return;
      goes_on = computes (first, now_us);
      release (first);
      if (!goes_on)
        continue;
      first->ends_us = now_us + LONGEST_TURN_US;
      g_queue_push_tail_link (&self->running, &first->link);
    }
}

static GQueue *
choose_queue (KvsqldTurns *self)
{
  self->was_first = self->further.head == NULL || (self->first.head != NULL && !self->was_first);
  return self->was_first ? &self->first : &self->further;
}

static void
grant (KvsqldTurns *self, gint64 now_us)
{
  release_late (self, now_us);
  while (self->running.length < self->n_max)
    {
      KvsqldTurn *turn;
      GList *link = g_queue_pop_head_link (choose_queue (self));

      if (link == NULL)
        return;
      turn = link->data;
      turn->began_us = now_us;
      turn->ends_us = now_us + LONGEST_TURN_US;
      turn->is_waiting = FALSE;
      g_queue_push_tail_link (&self->running, link);
      g_cond_signal (&turn->cond);
    }
}

/* Those that wait notice a turn that ends late, as its own statement does not look. */
static gint64
next_look (const KvsqldTurns *self, gint64 now_us)
{
  const KvsqldTurn *first = self->running.head != NULL ? self->running.head->data : NULL;

  return first != NULL ? MIN (first->ends_us, now_us + WAIT_US) : now_us + WAIT_US;
}

static gboolean
await_turn (KvsqldTurn *self, const KvsqlCall *call, gint64 now_us, GError **error)
{
  KvsqldTurns *turns = self->turns;
  GQueue *queue = self->has_asked ? &turns->further : &turns->first;

  self->is_waiting = TRUE;
  g_queue_push_tail_link (queue, &self->link);
  grant (turns, now_us);
  while (self->is_waiting)
    {
      if (!kvsql_call_check (call, error))
        {
          g_queue_unlink (queue, &self->link);
          return FALSE;
        }
      g_cond_wait_until (&self->cond, &turns->mutex, next_look (turns, now_us));
      now_us = g_get_monotonic_time ();
      grant (turns, now_us);
    }
  return TRUE;
}

/* ---- a statement */

void
kvsqld_turn_begin (KvsqldTurn *self, KvsqldTurns *turns, gint64 now_us)
{
  *self = (KvsqldTurn){ .turns = turns, .looked_us = now_us };
  self->link.data = self;
}

gboolean
kvsqld_turn_check (KvsqldTurn *self, const KvsqlCall *call, gint64 now_us, GError **error)
{
  gboolean ok;
  gint64 cpu_us;

  if (now_us - self->looked_us < (self->has_asked ? LOOK_US : SHORT_US)
      || (!self->has_asked && pthread_getcpuclockid (pthread_self (), &self->clock) != 0))
    return TRUE;
  self->looked_us = now_us;
  cpu_us = get_cpu_us (CLOCK_THREAD_CPUTIME_ID);
  if (self->has_asked && cpu_us - self->cpu_us < QUANTUM_US)
    return TRUE;
  g_mutex_lock (&self->turns->mutex);
  release (self);
  self->cpu_us = cpu_us;
  ok = await_turn (self, call, now_us, error);
  g_mutex_unlock (&self->turns->mutex);
  self->has_asked = TRUE;
  return ok;
}

void
kvsqld_turn_end (KvsqldTurn *self)
{
  if (!self->has_asked)
    return;
  g_mutex_lock (&self->turns->mutex);
  release (self);
  grant (self->turns, g_get_monotonic_time ());
  g_mutex_unlock (&self->turns->mutex);
  g_cond_clear (&self->cond);
}
