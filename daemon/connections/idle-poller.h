/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * idle-poller.h: one thread that waits for the next request on all idle connections.
 *
 * A thread that waits for one connection costs its stack and its share of the allocator, some 50
 * KiB, which is most of the memory of an idle connection. So the thread adds the connection to the
 * poller and ends. The poller removes an entry and passes it to the callback when
 *
 *   - bytes have arrived, or the peer has closed the connection,
 *   - its deadline has passed, or
 *   - its cancellable is cancelled: within a quarter of a second, or at the next
 *     kvsqld_idle_poller_poll ().
 *
 * Threads: any thread may add entries; the callback runs in the poller's own thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _KvsqldIdlePoller KvsqldIdlePoller;

/* A member of the connection, which must live until the callback. */
typedef struct
{
  gint fd;
  gint64 deadline_us;        /* by g_get_monotonic_time () */
  GCancellable *cancellable; /* borrowed */
} KvsqldIdleEntry;

typedef void (*KvsqldHandOver) (KvsqldIdleEntry *entry, gpointer user_data);

/* NULL: the kernel has no resources for it. */
KvsqldIdlePoller *kvsqld_idle_poller_new (KvsqldHandOver hand_over, gpointer user_data);
/* It must be empty. Accepts NULL. */
void kvsqld_idle_poller_free (KvsqldIdlePoller *self);

/* From this call on another thread may get @entry: the caller must not use its connection any more.
 * FALSE: not added; @entry is unchanged. */
gboolean kvsqld_idle_poller_add (KvsqldIdlePoller *self, KvsqldIdleEntry *entry);
guint kvsqld_idle_poller_count (KvsqldIdlePoller *self);
/* Looks for cancelled entries now. */
void kvsqld_idle_poller_poll (KvsqldIdlePoller *self);

G_END_DECLS
