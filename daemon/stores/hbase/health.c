/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * health.c: the state transitions, and the times between probes.
 */
#include "config.h"

#include "daemon/stores/hbase/health.h"

/* Doubles with each consecutive failure, up to this many times: 32 s. */
#define BACK_OFF_US (G_USEC_PER_SEC / 4)
#define MAX_DOUBLINGS 7
/* For a stalled gateway: 4 s. No statement is sent to it that could show its recovery sooner. But
 * each probe may occupy a thread of the gateway until its HBase client gives up. */
#define MAX_STALLED_DOUBLINGS 4
/* After this many consecutive requests without an answer, only a read from HBase proves
 * recovery. */
#define MAX_UNANSWERED 3
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
  self->n_unanswered = 0;
  if (self->state == KVSQLD_T2_SUSPECT || self->state == KVSQLD_T2_STALLED)
    self->state = KVSQLD_T2_HEALTHY;
  if (self->allowance < UNLIMITED)
    self->allowance++;
}

/* Half to one and a half times the backoff. */
static gint64
next_probe (const KvsqldT2Health *self, gint64 now_us, guint32 random, guint max_doublings)
{
  gint64 pause = BACK_OFF_US << MIN (self->n_in_a_row, max_doublings);

  return now_us + pause / 2 + pause * (random % 1024) / 1024;
}

void
kvsqld_t2_health_fail (KvsqldT2Health *self, gint64 now_us, const GError *error)
{
  self->n_requests++;
  self->n_unanswered++;
  note (self, error);
  if (self->state != KVSQLD_T2_HEALTHY)
    return;
  self->state = KVSQLD_T2_SUSPECT;
  self->probe_us = now_us;
}

void
kvsqld_t2_health_fail_probe (KvsqldT2Health *self, gint64 begun_us, gint64 now_us, guint32 random,
                             const GError *error)
{
  note (self, error);
  self->state = KVSQLD_T2_FAULTY;
  self->tried_us = begun_us;
  self->probe_us = next_probe (self, now_us, random, MAX_DOUBLINGS);
}

static void
limit_allowance (KvsqldT2Health *self, gint64 now_us)
{
  self->allowance = 1;
  self->since_us = now_us;
}

void
kvsqld_t2_health_pass_probe (KvsqldT2Health *self, gint64 now_us)
{
  gboolean is_back = self->state == KVSQLD_T2_FAULTY;

  self->is_verified = TRUE;
  if (is_back)
    limit_allowance (self, now_us);
  if (!kvsqld_t2_health_must_read (self))
    {
      self->state = KVSQLD_T2_HEALTHY;
      return;
    }
  if (!is_back)
    return;
  self->state = KVSQLD_T2_SUSPECT;
  self->probe_us = now_us;
}

gboolean
kvsqld_t2_health_must_read (const KvsqldT2Health *self)
{
  return self->n_unanswered >= MAX_UNANSWERED;
}

void
kvsqld_t2_health_fail_read (KvsqldT2Health *self, gint64 now_us, guint32 random,
                            const GError *error)
{
  /* Another request was answered while the probe waited. */
  if (!kvsqld_t2_health_must_read (self))
    return;
  note (self, error);
  self->state = KVSQLD_T2_STALLED;
  self->tried_us = now_us;
  self->probe_us = next_probe (self, now_us, random, MAX_STALLED_DOUBLINGS);
}

void
kvsqld_t2_health_pass_read (KvsqldT2Health *self, gint64 now_us)
{
  if (self->state == KVSQLD_T2_STALLED)
    limit_allowance (self, now_us);
  self->n_unanswered = 0;
  self->n_in_a_row = 0;
  self->is_verified = TRUE;
  self->state = KVSQLD_T2_HEALTHY;
}

/* Time alone raises it, too, because the first answer may take long. */
guint
kvsqld_t2_health_get_allowance (const KvsqldT2Health *self, gint64 now_us)
{
  gint64 steps = (now_us - self->since_us) / KVSQLD_T2_ALLOWANCE_STEP_US;

  return self->allowance + (guint)CLAMP (steps, 0, UNLIMITED);
}

const gchar *
kvsqld_t2_health_get_name (const KvsqldT2Health *self)
{
  static const gchar *const names[] = { "healthy", "suspect", "stalled", "broken" };

  return names[self->state];
}
