/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * time-bounds.h: a clock that is known between two bounds.
 *
 * The distance grows with the time since the last comparison, because quartzes differ, and shrinks
 * with each comparison: what both say is true (Marzullo's intersection, for two sources).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 at_us; /* g_get_monotonic_time() when the clock was between the two */
  gint64 earliest_us;
  gint64 latest_us;
} KvsqldTimeBounds;

/* A clock that was read, in whole milliseconds, at some moment from @began_us to @ended_us. */
KvsqldTimeBounds kvsqld_time_bounds_of_reading (gint64 clock_ms, gint64 began_us, gint64 ended_us);

/* The same at another moment, not before. */
KvsqldTimeBounds kvsqld_time_bounds_at (const KvsqldTimeBounds *self, gint64 monotonic_us);

/* What both say at the later of their moments. FALSE: they contradict each other. */
gboolean kvsqld_time_bounds_intersect (const KvsqldTimeBounds *self, const KvsqldTimeBounds *other,
                                       KvsqldTimeBounds *out);

G_END_DECLS
