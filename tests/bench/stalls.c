/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stalls.c: see stalls.h.
 */
#define _GNU_SOURCE /* pthread_setaffinity_np () */
#include "config.h"

#include "tests/bench/stalls.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#define TICK_US 1000
#define LATE_US                                                                                    \
  500 /* a thread of this priority wakes within about 50 us on an available processor */

typedef struct
{
  gint64 begin_us, end_us;
} Stall;

typedef struct
{
  GThread *thread;
  guint processor;
  gboolean has_rank;
  GArray *stalls; /* of Stall, in order, disjoint */
  const gint *is_stopped;
} Watch;

struct _Stalls
{
  Watch *watches;
  guint n_watches;
  gint is_stopped;
};

static gboolean
take_rank (guint processor)
{
  const struct sched_param rank = { .sched_priority = sched_get_priority_max (SCHED_FIFO) / 2 };
  cpu_set_t only;

  CPU_ZERO (&only);
  CPU_SET (processor, &only);
  return pthread_setaffinity_np (pthread_self (), sizeof only, &only) == 0
         && pthread_setschedparam (pthread_self (), SCHED_FIFO, &rank) == 0;
}

static gpointer
watch (gpointer data)
{
  Watch *self = data;
  gint64 now = g_get_monotonic_time ();

  self->has_rank = take_rank (self->processor);
  while (self->has_rank && !g_atomic_int_get (self->is_stopped))
    {
      gint64 before = now, due = before + TICK_US;
      struct timespec until
          = { .tv_sec = due / G_USEC_PER_SEC, .tv_nsec = due % G_USEC_PER_SEC * 1000 };

      clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
      now = g_get_monotonic_time ();
      if (now > due + LATE_US)
        {
          Stall stall = { .begin_us = before, .end_us = now };

          g_array_append_val (self->stalls, stall);
        }
    }
  return NULL;
}

Stalls *
stalls_watch (void)
{
  Stalls *self = g_new0 (Stalls, 1);

  self->n_watches = g_get_num_processors ();
  self->watches = g_new0 (Watch, self->n_watches);
  for (guint i = 0; i < self->n_watches; i++)
    {
      Watch *one = &self->watches[i];

      *one = (Watch){ .processor = i,
                      .stalls = g_array_new (FALSE, FALSE, sizeof (Stall)),
                      .is_stopped = &self->is_stopped };
      one->thread = g_thread_new ("stalls", watch, one);
    }
  return self;
}

gboolean
stalls_stop (Stalls *self)
{
  gboolean were_seen = TRUE;

  g_atomic_int_set (&self->is_stopped, TRUE);
  for (guint i = 0; i < self->n_watches; i++)
    {
      g_thread_join (g_steal_pointer (&self->watches[i].thread));
      were_seen = were_seen && self->watches[i].has_rank;
    }
  return were_seen;
}

/* Whether one of a processor's ends after BEGIN_US and begins before END_US. */
static gboolean
overlaps (const GArray *stalls, gint64 begin_us, gint64 end_us)
{
  guint low = 0, high = stalls->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (stalls, Stall, middle).end_us <= begin_us)
        low = middle + 1;
      else
        high = middle;
    }
  return low < stalls->len && g_array_index (stalls, Stall, low).begin_us < end_us;
}

gboolean
stalls_overlap (const Stalls *self, gint64 begin_us, gint64 end_us)
{
  for (guint i = 0; i < self->n_watches; i++)
    if (overlaps (self->watches[i].stalls, begin_us, end_us))
      return TRUE;
  return FALSE;
}

guint
stalls_count (const Stalls *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n_watches; i++)
    n += self->watches[i].stalls->len;
  return n;
}

gint64
stalls_total_us (const Stalls *self)
{
  gint64 total = 0;

  for (guint i = 0; i < self->n_watches; i++)
    for (guint j = 0; j < self->watches[i].stalls->len; j++)
      {
        const Stall *stall = &g_array_index (self->watches[i].stalls, Stall, j);

        total += stall->end_us - stall->begin_us;
      }
  return total;
}

void
stalls_free (Stalls *self)
{
  for (guint i = 0; i < self->n_watches; i++)
    g_array_unref (self->watches[i].stalls);
  g_free (self->watches);
  g_free (self);
}
