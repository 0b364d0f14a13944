/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spin.c: see spin.h.
 *
 * A wait spins if the connection has at least SPIN_CREDIT. Each short wait earns one credit: a spin
 * that was successful up to MAX_CREDIT, a short block up to SPIN_CREDIT. A fruitless spin costs
 * LOST_CREDIT, a long block costs one. So one fruitless spin among many good ones changes nothing;
 * a connection on which all spins are fruitless, but all blocks are short, spins about every fifth
 * wait.
 */
#include "config.h"

#include "idl/wire/spin.h"

#include <sched.h>

#define SPIN_CREDIT 4
#define MAX_CREDIT 16
#define LOST_CREDIT 4
/* Includes the time to go to sleep and to be woken. */
#define SHORT_BLOCK_US 200
/* sched_yield() takes longer only if another thread wants the processor. */
#define MAX_YIELD_US 5

static gint n_spinning;

static gint
max_spinning (void)
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
  if (self->credit < SPIN_CREDIT)
    return FALSE;
  if (g_atomic_int_add (&n_spinning, 1) < max_spinning ())
    return TRUE;
  g_atomic_int_add (&n_spinning, -1);
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
  if (self->now_us - before > MAX_YIELD_US)
    self->now_us = self->began_us + self->limit_us; /* poll once more, then stop */
  return TRUE;
}

void
_kvsql_spin_end (KvsqlSpin *self, gboolean has_arrived)
{
  g_atomic_int_add (&n_spinning, -1);
  self->credit
      = has_arrived ? MIN (self->credit + 1, MAX_CREDIT) : MAX (self->credit - LOST_CREDIT, 0);
}

void
_kvsql_spin_end_block (KvsqlSpin *self)
{
  if (self->limit_us == 0)
    return;
  if (g_get_monotonic_time () - self->began_us > SHORT_BLOCK_US)
    self->credit = MAX (self->credit - 1, 0);
  else
    self->credit = MIN (self->credit + 1, SPIN_CREDIT);
}
