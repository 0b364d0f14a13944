/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prefetch.h: fetches the next page of a result while the current one is read.
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
 * Waits for the page. After a cancelled wait it can be called again. After any other outcome @self
 * can only be freed.
 */
gboolean _kvsql_prefetch_finish (KvsqlPrefetch *self, KvsqlPage *out, GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Never waits: a page that arrives later is dropped. Accepts NULL. */
void _kvsql_prefetch_free (KvsqlPrefetch *self);

G_END_DECLS
