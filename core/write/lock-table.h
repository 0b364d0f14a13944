/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lock-table.h: the keys that are locked now.
 *
 * A set of key hashes, protected by one mutex. A caller acquires several keys in ascending order,
 * and holds the first ones while it waits for the others. So there is no deadlock, and callers that
 * need one key cannot starve a caller that needs many.
 *
 * Threads: all functions except init and clear may be called by any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GMutex mutex;
  GCond released;
  guint64 *slots; /* open addressing, linear probing; 0: free */
  guint n_slots;  /* a power of two */
  guint n_held;
  guint n_waiting; /* threads */
} KvsqlLockTable;

void kvsql_lock_table_init (KvsqlLockTable *self);
void kvsql_lock_table_clear (KvsqlLockTable *self);

/* @keys: ascending, distinct, none of them 0. Waits until the caller holds all. */
void kvsql_lock_table_acquire (KvsqlLockTable *self, const guint64 *keys, guint n);
/* FALSE, without waiting, if another caller holds the key. */
gboolean kvsql_lock_table_try (KvsqlLockTable *self, guint64 key) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_lock_table_release (KvsqlLockTable *self, const guint64 *keys, guint n);

G_END_DECLS
