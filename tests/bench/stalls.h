/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stalls.h: when the machine kept a processor from us.
 *
 * The host of a virtual machine runs others on its processors now and then, for milliseconds; what
 * is measured meanwhile says nothing about the program. A thread on each processor, before all
 * others in rank, sleeps for a millisecond again and again: where it wakes late, nothing ran there.
 * It is how cyclictest finds delays. Such a rank needs CAP_SYS_NICE.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _Stalls Stalls;

Stalls *stalls_watch (void);
/* Ends the watching, once. FALSE where the rank was not to be had: nothing was seen. */
gboolean stalls_stop (Stalls *self);
/* After stalls_stop (): whether there was one between two times of g_get_monotonic_time (). */
gboolean stalls_overlap (const Stalls *self, gint64 begin_us, gint64 end_us);
/* After stalls_stop (): how many, and how long together, over all processors. */
guint stalls_count (const Stalls *self);
gint64 stalls_total_us (const Stalls *self);
void stalls_free (Stalls *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stalls, stalls_free)

G_END_DECLS
