/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prefetch.h: the next page of a result, fetched while the last one is being read.
 */
#pragma once

#include "client/connection-private.h"
#include "client/page.h"

G_BEGIN_DECLS

typedef struct _KvsqlPrefetch KvsqlPrefetch;

KvsqlPrefetch *_kvsql_prefetch_start (KvsqlConnection *connection, GBytes *cursor);

/**
 * _kvsql_prefetch_finish:
 * @out: a cleared page
 *
 * Waits for the page. After a cancelled wait it can be waited for again; after anything else @self
 * is used up, and only to be freed.
 */
gboolean _kvsql_prefetch_finish (KvsqlPrefetch *self, KvsqlPage *out, GCancellable *cancellable,
                                 GError **error);

/* Never waits: a page that is still under way is thrown away when it comes. Accepts NULL. */
void _kvsql_prefetch_free (KvsqlPrefetch *self);

G_END_DECLS
