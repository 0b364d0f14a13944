/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stalls.h: detects times at which a processor was not available.
 *
 * The host of a virtual machine sometimes runs other machines on its processors, for milliseconds.
 * Measurements during such a stall say nothing about the program. A thread on each processor, with
 * the highest priority, repeatedly sleeps for a millisecond. If it wakes late, no thread could run
 * there. cyclictest finds delays in the same way. The priority needs CAP_SYS_NICE.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _Stalls Stalls;

Stalls *stalls_watch (void);
/* Stops the threads; called once. FALSE if the priority was not allowed: there are no results. */
gboolean stalls_stop (Stalls *self);
/* After stalls_stop (): whether there was one between two times of g_get_monotonic_time (). */
gboolean stalls_overlap (const Stalls *self, gint64 begin_us, gint64 end_us);
/* After stalls_stop (): how many, and how long together, over all processors. */
guint stalls_count (const Stalls *self);
gint64 stalls_total_us (const Stalls *self);
void stalls_free (Stalls *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stalls, stalls_free)

G_END_DECLS
