/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * clock.h: the clock that all daemons of a registry share.
 *
 * The clocks of their machines may differ by minutes, and a store without a clock of its own orders
 * writes by what they say. So it is the registry's clock that counts (that of ZooKeeper's leader):
 * each daemon compares its monotonic clock with it, a few times a second while it writes, and knows
 * it between two bounds (time-bounds.h) that are a round trip apart.
 *
 * The common time is the registry's clock plus an offset, which is kept in the registry. When the
 * registry's clock jumps, or another server becomes leader, a daemon that knows the common time
 * changes the offset, by compare-and-set, so that the common time goes on. The registry also holds
 * a ceiling that no daemon's time has passed: a daemon that finds nobody else begins there if the
 * clock has been set back meanwhile.
 *
 * Without the registry the bounds drift apart by 0.4 ms a second. A daemon that has never reached
 * it goes by its machine's clock.
 *
 * Threads: one of its own compares; kvsqld_clock_read() from any thread.
 */
#pragma once

#include "daemon/registry/registry.h"

G_BEGIN_DECLS

typedef struct _KvsqldClock KvsqldClock;

/* @registry is borrowed. */
KvsqldClock *kvsqld_clock_new (KvsqldRegistry *registry);
void kvsqld_clock_free (KvsqldClock *self); /* accepts NULL */

/* A KvsqlTimeFunc (core/exec/engine.h). Waits once, a few seconds at most, until this daemon may
 * give out times. */
void kvsqld_clock_read (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer clock);

typedef struct
{
  gboolean is_known;     /* it has been compared at least once */
  gint64 ahead_us;       /* of this machine's clock */
  gint64 uncertainty_us; /* between the bounds */
  gint64 age_us;         /* since it was compared last */
  guint n_others;        /* daemons that share it */
  gchar *trouble;        /* (transfer full) (nullable): why it could not be compared */
} KvsqldClockStatus;

void kvsqld_clock_get_status (KvsqldClock *self, KvsqldClockStatus *out);

G_END_DECLS
