/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spin.c: hope grows where a sleep was short, and is lost where it was in vain to be awake.
 */
#include "config.h"

#include "idl/wire/spin.h"

#include <sched.h>

/* One of hope for each wait that was short, up to the most; and what it costs to be awake in vain.
 * So one such wait, of many, changes nothing, and where all are so every fifth is tried. */
#define LEAST_HOPE 4
#define MOST_HOPE 16
#define LOST_HOPE 4
/* To fall asleep and to be woken is part of a sleep. */
#define SHORT_SLEEP_US 200
/* A call that gives up the processor takes less, unless somebody wants it. */
#define LONGEST_YIELD_US 5

static gint n_awake;

static gint
most_awake (void)
{
  static gint most = -1;
  gint n = g_atomic_int_get (&most);

  if (n < 0)
    {
      n = (gint)g_get_num_processors () / 2;
      g_atomic_int_set (&most, n);
    }
  return n;
}

gboolean
_kvsql_spin_begin (KvsqlSpin *self)
{
  if (self->limit_us == 0)
    return FALSE;
  self->began_us = self->now_us = g_get_monotonic_time ();
  if (self->hope < LEAST_HOPE)
    return FALSE;
  if (g_atomic_int_add (&n_awake, 1) < most_awake ())
    return TRUE;
  g_atomic_int_add (&n_awake, -1);
  return FALSE;
}

gboolean
_kvsql_spin_goes_on (KvsqlSpin *self)
{
  gint64 before = self->now_us;

  if (before - self->began_us >= self->limit_us)
    return FALSE;
  sched_yield ();
  self->now_us = g_get_monotonic_time ();
  if (self->now_us - before > LONGEST_YIELD_US)
    self->now_us = self->began_us + self->limit_us; /* one last look */
  return TRUE;
}

void
_kvsql_spin_rest (KvsqlSpin *self, gboolean has_come)
{
  g_atomic_int_add (&n_awake, -1);
  self->hope = has_come ? MIN (self->hope + 1, MOST_HOPE) : MAX (self->hope - LOST_HOPE, 0);
}

void
_kvsql_spin_wake (KvsqlSpin *self)
{
  if (self->limit_us == 0)
    return;
  if (g_get_monotonic_time () - self->began_us > SHORT_SLEEP_US)
    self->hope = MAX (self->hope - 1, 0);
  else
    self->hope = MIN (self->hope + 1, LEAST_HOPE);
}
