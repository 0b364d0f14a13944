/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lock-table.h: the keys that are locked now.
 *
 * A set of key hashes, protected by one mutex. A caller acquires several keys in ascending order,
 * and holds the first ones while it waits for the others. So there is no deadlock, and callers that
 * need one key cannot starve a caller that needs many. A key goes from its holder to the caller
 * that has waited longest, so that no newcomer gets it first.
 *
 * Threads: all functions except init and clear may be called by any thread.
 */
#pragma once

#include "core/store/call.h"

G_BEGIN_DECLS

typedef struct
{
  GMutex mutex;
  guint64 *slots; /* open addressing, linear probing; 0: free */
  guint n_slots;  /* a power of two */
  guint n_held;
  GQueue waiting; /* of callers, the one that has waited longest first */
} KvsqlLockTable;

void kvsql_lock_table_init (KvsqlLockTable *self);
void kvsql_lock_table_clear (KvsqlLockTable *self);

/* @keys: ascending, distinct, none of them 0. Waits until the caller holds all, or @call (nullable)
 * has to end: then it holds none. */
gboolean kvsql_lock_table_acquire (KvsqlLockTable *self, const guint64 *keys, guint n,
                                   const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE, without waiting, if another caller holds the key. */
gboolean kvsql_lock_table_try (KvsqlLockTable *self, guint64 key) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_lock_table_release (KvsqlLockTable *self, const guint64 *keys, guint n);

G_END_DECLS
