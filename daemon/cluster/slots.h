/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slots.h: holds this daemon's slot, and gives its timestamps.
 *
 * The table of slots (slot-table.h) is an entry of the registry, changed by compare-and-set. A slot
 * belongs to its daemon until the daemon releases it when it ends, or until the lease has passed
 * since the end of its session. A daemon that cannot reach the registry continues for the time of
 * the lease. Then it gives no timestamps until it has reached the registry again. The other daemons
 * measure the lease by their own monotonic clocks, so no wall clock matters. If the holder was a
 * process of this machine that has ended, its slot is free at once.
 *
 * Threads: one thread calls kvsqld_slots_step() and _release(); the other functions may be called
 * by any thread.
 */
#pragma once

#include "daemon/registry/registry.h"

G_BEGIN_DECLS

typedef struct _KvsqldSlots KvsqldSlots;

#define KVSQLD_DEFAULT_LEASE_S 3600

/* @registry is borrowed. @lease_s: 0: the default. */
KvsqldSlots *kvsqld_slots_new (KvsqldRegistry *registry, gint64 lease_s);
void kvsqld_slots_free (KvsqldSlots *self); /* accepts NULL */

/* Whether this daemon may get a slot. */
typedef gboolean (*KvsqldReadyFunc) (gpointer data, const KvsqlCall *call, GError **error);

/* Is asked before a slot is acquired after one was lost. While this daemon was without one, no
 * other daemon has waited for its statements, and they may know older definitions than all others
 * by now. NULL: always ready. */
void kvsqld_slots_set_ready (KvsqldSlots *self, KvsqldReadyFunc ready, gpointer data);

/**
 * kvsqld_slots_step:
 * @daemons: (element-type KvsqldPeer): the live daemons
 * @looked_us: the monotonic time before @daemons were read
 * @latest_ms: upper bound of the common time in all daemons; 0: not known yet
 * @out_n_holders: other daemons that hold a slot, dead ones included
 *
 * Reads the table, and makes the next step: acquires a slot, renews it, goes by another number of
 * slots, or frees the slots of dead daemons. To be called a few times in a lease.
 *
 * Returns: FALSE on error. *out_is_done is FALSE if there is more to do soon.
 */
gboolean kvsqld_slots_step (KvsqldSlots *self, const GPtrArray *daemons, gint64 looked_us,
                            gint64 latest_ms, const KvsqlCall *call, guint *out_n_holders,
                            gboolean *out_is_done, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The id of this daemon in the log of writes (holders.h). */
guint64 kvsqld_slots_get_daemon_id (const KvsqldSlots *self);
/* The longest time between two calls of kvsqld_slots_step(). */
gint64 kvsqld_slots_get_period (const KvsqldSlots *self);

/* Releases the slot, if the registry can be reached. */
void kvsqld_slots_release (KvsqldSlots *self, const KvsqlCall *call);

/**
 * kvsqld_slots_next_timestamp:
 * @latest_ms: the time; if the timestamp is far after it, no other daemon has to begin after it
 *
 * The smallest timestamp, at least @at_least, of this daemon alone. The same for the same
 * @at_least: the caller has to increase it.
 *
 * Returns: 0 on error: KVSQL_ERROR_UNAVAILABLE if there is no slot now.
 */
gint64 kvsqld_slots_next_timestamp (KvsqldSlots *self, gint64 at_least, gint64 latest_ms,
                                    GError **error);
gboolean kvsqld_slots_is_held (KvsqldSlots *self);

/* As text: "slot 0 of 2, confirmed 0.3 s ago", or why there is none. (transfer full) */
gchar *kvsqld_slots_describe (KvsqldSlots *self);

G_END_DECLS
