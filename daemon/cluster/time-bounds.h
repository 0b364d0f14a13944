/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * time-bounds.h: a clock that is known within two bounds.
 *
 * The distance between the bounds grows with the time since the last comparison, because the rates
 * of two quartz clocks differ. Each comparison makes it smaller, because both intervals contain the
 * true time (Marzullo's intersection, for two sources).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 at_us; /* g_get_monotonic_time() at which the clock was within the bounds */
  gint64 earliest_us;
  gint64 latest_us;
} KvsqldTimeBounds;

/* The bounds of a clock that was read, in whole milliseconds, at some moment from @began_us to
 * @ended_us. */
KvsqldTimeBounds kvsqld_time_bounds_of_reading (gint64 clock_ms, gint64 began_us, gint64 ended_us);

/* The bounds at a later moment. */
KvsqldTimeBounds kvsqld_time_bounds_at (const KvsqldTimeBounds *self, gint64 monotonic_us);

/* The intersection at the later of the two moments. FALSE: it is empty. */
gboolean kvsqld_time_bounds_intersect (const KvsqldTimeBounds *self, const KvsqldTimeBounds *other,
                                       KvsqldTimeBounds *out);

G_END_DECLS
