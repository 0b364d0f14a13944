/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * import-pool.h: threads that send batches, each on a connection of its own.
 *
 * Batches are sent in any order and come back in the order in which they were given. Of rows with
 * one key the last of the file counts: a row whose key is under way in another batch has to
 * wait until that one is back.
 *
 * Threads: all functions are for the one thread that made the pool.
 */
#pragma once

#include "client/ctl/import-batch.h"

G_BEGIN_DECLS

typedef struct _KvsqlctlPool KvsqlctlPool;

/* @n_jobs threads; a batch whose outcome is unknown is sent again for @retry_ms. */
KvsqlctlPool *kvsqlctl_pool_new (Kvsqlctl *ctl, guint n_jobs, guint retry_ms, GError **error);
/* Waits for what is being sent; accepts NULL. */
void kvsqlctl_pool_free (KvsqlctlPool *self);

/* Whether another batch may be given now. */
gboolean kvsqlctl_pool_has_room (KvsqlctlPool *self);
gboolean kvsqlctl_pool_is_empty (KvsqlctlPool *self);

/* Takes @batch. */
void kvsqlctl_pool_give (KvsqlctlPool *self, KvsqlctlBatch *batch);

/**
 * kvsqlctl_pool_take:
 * @self: a pool
 * @wait_ms: how long to wait for it at most
 * @error: return location; set once a batch could not be sent, and again each time
 *
 * Returns: (transfer full) (nullable): the oldest batch, if it is done
 */
KvsqlctlBatch *kvsqlctl_pool_take (KvsqlctlPool *self, guint wait_ms, GError **error);

/* What is under way ends now, whatever becomes of it: kvsqlctl_pool_take() fails. */
void kvsqlctl_pool_cancel (KvsqlctlPool *self);

/* Whether a row with this key is under way. */
gboolean kvsqlctl_pool_has_key (KvsqlctlPool *self, guint64 key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlPool, kvsqlctl_pool_free)

G_END_DECLS
