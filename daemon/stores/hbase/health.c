/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * health.c: the transitions, and the times between probes.
 */
#include "config.h"

#include "daemon/stores/hbase/health.h"

/* Doubles with each failure in a row, this many times at most: 32 s. */
#define BACK_OFF_US (G_USEC_PER_SEC / 4)
#define MAX_DOUBLINGS 7
/* So many requests in a row without an answer, and probes that succeed prove nothing. */
#define MAX_IN_A_ROW 3
#define UNLIMITED 1000

static void
note (KvsqldT2Health *self, const GError *error)
{
  self->is_verified = FALSE;
  self->n_failures++;
  self->n_in_a_row++;
  g_clear_error (&self->last_error);
  self->last_error = g_error_copy (error);
}

void
kvsqld_t2_health_init (KvsqldT2Health *self)
{
  *self = (KvsqldT2Health){ .allowance = UNLIMITED };
}

void
kvsqld_t2_health_clear (KvsqldT2Health *self)
{
  g_clear_error (&self->last_error);
}

void
kvsqld_t2_health_succeed (KvsqldT2Health *self)
{
  self->n_requests++;
  self->n_in_a_row = 0;
  if (self->state == KVSQLD_T2_SUSPECT)
    self->state = KVSQLD_T2_HEALTHY;
  if (self->allowance < UNLIMITED)
    self->allowance++;
}

/* Half to one and a half times the back-off. */
static gint64
next_probe (const KvsqldT2Health *self, gint64 now_us, guint32 random)
{
  gint64 pause = BACK_OFF_US << MIN (self->n_in_a_row, MAX_DOUBLINGS);

  return now_us + pause / 2 + pause * (random % 1024) / 1024;
}

void
kvsqld_t2_health_fail (KvsqldT2Health *self, gint64 now_us, const GError *error)
{
  self->n_requests++;
  note (self, error);
  if (self->state != KVSQLD_T2_HEALTHY)
    return;
  self->state = KVSQLD_T2_SUSPECT;
  self->probe_us = self->n_in_a_row < MAX_IN_A_ROW ? now_us : next_probe (self, now_us, 512);
}

void
kvsqld_t2_health_fail_probe (KvsqldT2Health *self, gint64 now_us, guint32 random,
                             const GError *error)
{
  note (self, error);
  self->state = KVSQLD_T2_FAULTY;
  self->tried_us = now_us;
  self->probe_us = next_probe (self, now_us, random);
}

void
kvsqld_t2_health_pass_probe (KvsqldT2Health *self, gint64 now_us)
{
  if (self->state == KVSQLD_T2_FAULTY)
    {
      self->allowance = 1;
      self->since_us = now_us;
    }
  self->state = KVSQLD_T2_HEALTHY;
  self->is_verified = TRUE;
}

/* Answers alone would not do: the first request may take long. */
guint
kvsqld_t2_health_get_allowance (const KvsqldT2Health *self, gint64 now_us)
{
  gint64 steps = (now_us - self->since_us) / KVSQLD_T2_ALLOWANCE_STEP_US;

  return self->allowance + (guint)CLAMP (steps, 0, UNLIMITED);
}

const gchar *
kvsqld_t2_health_get_name (const KvsqldT2Health *self)
{
  static const gchar *const names[] = { "healthy", "suspect", "broken" };

  return names[self->state];
}
