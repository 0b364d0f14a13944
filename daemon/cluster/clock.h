/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * clock.h: the common clock of all daemons of a registry.
 *
 * The clocks of their machines may differ by minutes, and a store without a clock of its own orders
 * writes by the timestamps that the daemons give. So the registry's clock is the reference (that of
 * ZooKeeper's leader). Each daemon compares its monotonic clock with it, a few times a second while
 * it writes, and so knows the reference within two bounds (time-bounds.h) that are a round trip
 * apart.
 *
 * The common time is the registry's clock plus an offset, which is stored in the registry. When the
 * registry's clock jumps, or another server becomes leader, a daemon that knows the common time
 * changes the offset, by compare-and-set, so that the common time continues. The registry also
 * stores a ceiling that no daemon's time has passed. A daemon that finds no other daemon begins
 * there, if the clock has been set back in the meantime.
 *
 * Without the registry the bounds drift apart by 0.4 ms each second. A daemon that has never
 * reached the registry uses its machine's clock.
 *
 * The thread of the clock also renews this daemon's slot (slots.h), so that no two daemons use the
 * same timestamp.
 *
 * Threads: a thread of its own compares. kvsqld_clock_read() and _stamp() may be called by any
 * thread.
 */
#pragma once

#include "daemon/cluster/slots.h"

G_BEGIN_DECLS

typedef struct _KvsqldClock KvsqldClock;

/* @registry is borrowed. @lease_s: of the slot; 0: the default. */
KvsqldClock *kvsqld_clock_new (KvsqldRegistry *registry, gint64 lease_s);
void kvsqld_clock_free (KvsqldClock *self); /* accepts NULL */

/* See kvsqld_slots_set_ready(). */
void kvsqld_clock_set_ready (KvsqldClock *self, KvsqldReadyFunc ready, gpointer data);

/* A KvsqlTimeFunc (core/write/storage.h). The first call waits, a few seconds at most, until this
 * daemon may use timestamps. */
void kvsqld_clock_read (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer clock);

/* A KvsqlStampFunc. */
gint64 kvsqld_clock_stamp (gint64 at_least, gpointer clock, GError **error);

/* The id of this daemon in the log of writes (holders.h). */
guint64 kvsqld_clock_get_daemon_id (const KvsqldClock *self);

typedef struct
{
  gboolean is_known;     /* it has been compared at least once */
  gint64 ahead_us;       /* of the machine's clock */
  gint64 uncertainty_us; /* between the bounds */
  gint64 age_us;         /* since the last comparison */
  guint n_others;        /* other daemons with this clock */
  gchar *slot;           /* (transfer full): this daemon's slot, or why there is none */
  gchar *last_error;     /* (transfer full) (nullable): why the comparison failed */
} KvsqldClockStatus;

void kvsqld_clock_get_status (KvsqldClock *self, KvsqldClockStatus *out);

G_END_DECLS
