/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * waiting-room.h: sockets that nothing comes from for long, watched by one thread for all.
 *
 * A thread that waits for the next request of a connection costs its stack and its share of the
 * allocator, some 50 KiB, which is most of what an idle connection takes. So it leaves the
 * connection here and goes. Who comes out is handed over, and is here no longer, when
 *
 *   - bytes have come, or the peer has closed the connection,
 *   - its deadline has passed, or
 *   - its cancellable is cancelled: noticed within a quarter of a second, or at the next
 *     kvsqld_waiting_room_look ().
 *
 * Threads: any may bring guests in; they are handed over by the room's own thread.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _KvsqldWaitingRoom KvsqldWaitingRoom;

/* Part of whatever waits, which has to live until it is handed over. */
typedef struct
{
  gint fd;
  gint64 deadline_us;        /* of g_get_monotonic_time () */
  GCancellable *cancellable; /* borrowed */
} KvsqldGuest;

typedef void (*KvsqldHandOver) (KvsqldGuest *guest, gpointer user_data);

/* NULL: the kernel has no room for it. */
KvsqldWaitingRoom *kvsqld_waiting_room_new (KvsqldHandOver hand_over, gpointer user_data);
/* It has to be empty. Accepts NULL. */
void kvsqld_waiting_room_free (KvsqldWaitingRoom *self);

/* From now on @guest may be handed over, by another thread: nothing of it may be touched any more.
 * FALSE: it could not be let in, and is as it was. */
gboolean kvsqld_waiting_room_enter (KvsqldWaitingRoom *self, KvsqldGuest *guest);
guint kvsqld_waiting_room_count (KvsqldWaitingRoom *self);
/* Looks at once who was cancelled. */
void kvsqld_waiting_room_look (KvsqldWaitingRoom *self);

G_END_DECLS
