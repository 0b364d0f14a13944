/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * timestamps.c: which time a write carries.
 *
 * What counts is the order of writes to one key. Within the daemon its stripe remembers the newest.
 * Between daemons the clock that they share is known only to lie between two bounds. A write takes
 * the later one, and is written once the earlier one has come to it: whoever begins to write after
 * it could be seen takes a time that is no less. (Google's Spanner, OSDI 2012, waits after the
 * write; but its readers ask for a time, and ours see what is there.)
 */
#include "config.h"

#include "core/exec/engine-private.h"

/* Cells from the future, which others may have written, cannot be waited for; nor can a clock that
 * has not been compared for hours. */
#define LONGEST_WAIT_US (2500 * 1000)
/* The clock may become known better meanwhile. */
#define STEP_US (10 * 1000)

void
kvsql_engine_set_time (KvsqlEngine *self, KvsqlTimeFunc func, gpointer data)
{
  self->time = func;
  self->time_data = data;
}

gboolean
kvsql_engine_has_others (const KvsqlEngine *self)
{
  gint64 earliest_us, latest_us;

  if (self->time == NULL)
    return FALSE;
  self->time (&earliest_us, &latest_us, self->time_data);
  return earliest_us != G_MAXINT64;
}

static gint64
now (const KvsqlEngine *self)
{
  gint64 earliest_us, latest_us;

  if (self->time == NULL)
    return g_get_real_time () / 1000;
  self->time (&earliest_us, &latest_us, self->time_data);
  return latest_us / 1000;
}

/* Until no daemon's clock is behind @timestamp any more. */
static void
await (const KvsqlEngine *self, gint64 timestamp)
{
  gint64 earliest_us, latest_us, left_us;

  if (self->time == NULL)
    return;
  for (;;)
    {
      self->time (&earliest_us, &latest_us, self->time_data);
      left_us = earliest_us >= timestamp * 1000 ? 0 : timestamp * 1000 - earliest_us;
      if (left_us == 0 || left_us > LONGEST_WAIT_US)
        return;
      g_usleep ((gulong)MIN (left_us, STEP_US));
    }
}

gint64
kvsql_engine_next_timestamp_after (KvsqlEngine *self, const KvsqlKeyLocks *locks, gboolean deletes,
                                   gint64 newest)
{
  /* a put of another daemon may have this millisecond, too */
  gint64 clock = now (self) + (deletes && self->time != NULL ? 1 : 0);
  gint64 result = kvsql_engine_advance_newest (self, locks, clock, newest, deletes);

  await (self, result);
  return result;
}

gint64
kvsql_engine_next_timestamp (KvsqlEngine *self, const KvsqlKeyLocks *locks, gboolean deletes)
{
  return kvsql_engine_next_timestamp_after (self, locks, deletes, 0);
}
