/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dispatcher.h: runs the requests of one write in parallel.
 *
 * A request waits for HBase most of its time. A writer with several requests, in any order, runs
 * them in its own thread and in idle threads of the pool. It needs none of the pool's threads.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqldHbaseDispatcher KvsqldHbaseDispatcher;

KvsqldHbaseDispatcher *kvsqld_hbase_dispatcher_new (void);
void
kvsqld_hbase_dispatcher_free (KvsqldHbaseDispatcher *self); /* accepts NULL; no run may be active */

/* Makes request number @index; several threads may call it at the same time. */
typedef gboolean (*KvsqldHbaseSend) (gpointer data, guint index, GError **error);

/**
 * kvsqld_hbase_dispatcher_run:
 * @out_n_done: the number of requests that succeeded
 * @error: of one failed request; of one with %KVSQL_ERROR_UNKNOWN_OUTCOME if there is any
 *
 * Makes the requests 0 to @n - 1. After a failure no further request is started.
 */
gboolean kvsqld_hbase_dispatcher_run (KvsqldHbaseDispatcher *self, guint n, KvsqldHbaseSend send,
                                      gpointer data, guint *out_n_done,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
