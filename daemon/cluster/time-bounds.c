/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * time-bounds.c: arithmetic on two bounds.
 */
#include "config.h"

#include "daemon/cluster/time-bounds.h"

/* The most that two monotonic clocks may differ by in a second: 200 microseconds, several times as
 * much as quartz clocks and disciplined clocks do. */
#define DRIFT_PPM 200

static gint64
drift (gint64 elapsed_us)
{
  return elapsed_us * DRIFT_PPM / 1000000 + 1;
}

KvsqldTimeBounds
kvsqld_time_bounds_of_reading (gint64 clock_ms, gint64 began_us, gint64 ended_us)
{
  gint64 elapsed_us = ended_us - began_us;

  return (KvsqldTimeBounds){ .at_us = ended_us,
                             .earliest_us = clock_ms * 1000,
                             .latest_us = (clock_ms + 1) * 1000 + elapsed_us + drift (elapsed_us) };
}

KvsqldTimeBounds
kvsqld_time_bounds_at (const KvsqldTimeBounds *self, gint64 monotonic_us)
{
  gint64 elapsed_us = MAX (monotonic_us - self->at_us, 0);
  gint64 doubt_us = elapsed_us == 0 ? 0 : drift (elapsed_us);

  return (KvsqldTimeBounds){ .at_us = self->at_us + elapsed_us,
                             .earliest_us = self->earliest_us + elapsed_us - doubt_us,
                             .latest_us = self->latest_us + elapsed_us + doubt_us };
}

gboolean
kvsqld_time_bounds_intersect (const KvsqldTimeBounds *self, const KvsqldTimeBounds *other,
                              KvsqldTimeBounds *out)
{
  gint64 at_us = MAX (self->at_us, other->at_us);
  KvsqldTimeBounds a = kvsqld_time_bounds_at (self, at_us);
  KvsqldTimeBounds b = kvsqld_time_bounds_at (other, at_us);

  if (a.earliest_us > b.latest_us || b.earliest_us > a.latest_us)
    return FALSE;
  *out = (KvsqldTimeBounds){ .at_us = at_us,
                             .earliest_us = MAX (a.earliest_us, b.earliest_us),
                             .latest_us = MIN (a.latest_us, b.latest_us) };
  return TRUE;
}
