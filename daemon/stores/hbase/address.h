/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * address.h: looks up the addresses of a host name, with a time limit.
 *
 * Threads: an enumerator belongs to one thread; the calling thread's main context is not used.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * kvsqld_t2_next_address:
 * @limit_us: when to give up, by g_get_monotonic_time()
 * @cancellable: (nullable): gives up at once
 *
 * Returns: (transfer full) (nullable): the next address; %NULL without @error: there are no more
 */
GSocketAddress *kvsqld_t2_next_address (GSocketAddressEnumerator *addresses, gint64 limit_us,
                                        GCancellable *cancellable, GError **error);

G_END_DECLS
