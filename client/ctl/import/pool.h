/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool.h: threads that send batches, each on a connection of its own.
 *
 * Batches are sent in any order and returned in the order in which they were given. Of several rows
 * with one key the last one in the file wins: so a row whose key is in an unfinished batch has to
 * wait until that batch is returned.
 *
 * Threads: all functions are for the one thread that made the pool.
 */
#pragma once

#include "client/ctl/import/batch.h"

G_BEGIN_DECLS

typedef struct _KvsqlctlPool KvsqlctlPool;

/* Starts @n_jobs threads. A batch whose outcome is unknown is sent again for @retry_ms. */
KvsqlctlPool *kvsqlctl_pool_new (Kvsqlctl *ctl, guint n_jobs, guint retry_ms, GError **error);
/* Waits for running requests; accepts NULL. */
void kvsqlctl_pool_free (KvsqlctlPool *self);

/* Whether another batch may be given now. */
gboolean kvsqlctl_pool_has_room (KvsqlctlPool *self);
gboolean kvsqlctl_pool_is_empty (KvsqlctlPool *self);

/* Takes @batch. */
void kvsqlctl_pool_give (KvsqlctlPool *self, KvsqlctlBatch *batch);

/**
 * kvsqlctl_pool_take:
 * @self: a pool
 * @wait_ms: the longest time to wait
 * @error: return location; set after a batch could not be sent, and again at each later call
 *
 * Returns: (transfer full) (nullable): the oldest batch, if it is done
 */
KvsqlctlBatch *kvsqlctl_pool_take (KvsqlctlPool *self, guint wait_ms, GError **error);

/* Cancels running requests, with any outcome: kvsqlctl_pool_take() then fails. */
void kvsqlctl_pool_cancel (KvsqlctlPool *self);

/* Whether an unfinished batch has a row with this key. */
gboolean kvsqlctl_pool_has_key (KvsqlctlPool *self, guint64 key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlPool, kvsqlctl_pool_free)

G_END_DECLS
