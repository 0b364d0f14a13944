/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * address.h: the addresses of a host name, looked up no longer than the caller wants to wait.
 *
 * Threads: an enumerator belongs to one thread; the calling thread's main context is left alone.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * kvsqld_t2_next_address:
 * @limit_us: when to give up, in g_get_monotonic_time() terms
 * @cancellable: (nullable): gives up at once
 *
 * Returns: (transfer full) (nullable): the next address; NULL without @error: there are no more
 */
GSocketAddress *kvsqld_t2_next_address (GSocketAddressEnumerator *addresses, gint64 limit_us,
                                        GCancellable *cancellable, GError **error);

G_END_DECLS
