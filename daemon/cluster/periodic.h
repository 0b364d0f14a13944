/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * periodic.h: a thread that does something again and again, as long as the daemon runs.
 *
 * Threads: the function is called by a thread of its own, one call at a time. It may block. At the
 * end @stop is cancelled, and the end waits for the call.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef void (*KvsqldPeriodicFunc) (GCancellable *stop, gpointer data);

typedef struct _KvsqldPeriodic KvsqldPeriodic;

/* @name: of the thread; @at_once: the first call does not wait. A period begins when the call
 * before it has returned. */
KvsqldPeriodic *kvsqld_periodic_new (const gchar *name, gint64 period_us, gboolean at_once,
                                     KvsqldPeriodicFunc func, gpointer data);
void kvsqld_periodic_free (KvsqldPeriodic *self); /* accepts NULL */

G_END_DECLS
