/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequential-get.h: finds wanted keys that are adjacent, by stepping from one to the next.
 *
 * A step of an iterator costs a fifth of a point lookup. It is not known in advance how near the
 * next wanted key is. If too many unwanted keys were stepped over, the sequential get gives up, and
 * the caller looks up the remaining keys one by one.
 */
#pragma once

#include "daemon/stores/rocksdb/store.h"

G_BEGIN_DECLS

typedef struct
{
  rocksdb_readoptions_t *options;
  rocksdb_iterator_t *iterator; /* reads one state of the store; NULL: not started */
  KvsqlBuffer bound;            /* the first key after the last wanted one */
  gboolean is_at_found;         /* the iterator is still at the last found key */
  guint n_found;
  guint n_passed; /* unwanted keys that were stepped over */
} KvsqldRocksdbSequentialGet;

typedef enum
{
  KVSQLD_ROCKSDB_FOUND,
  KVSQLD_ROCKSDB_ABSENT,
  KVSQLD_ROCKSDB_LOST, /* gave up: whether the key exists is unknown */
} KvsqldRocksdbFinding;

/* @last: the greatest key that will be looked for. */
void kvsqld_rocksdb_sequential_get_init (KvsqldRocksdbSequentialGet *self, KvsqlSlice last);
void kvsqld_rocksdb_sequential_get_clear (KvsqldRocksdbSequentialGet *self);

/* Looks for @key, which must not be less than the one before. *out_value is set if it is found, and
 * valid until the next call. After LOST there must be no more calls. */
KvsqldRocksdbFinding
kvsqld_rocksdb_sequential_get_find (KvsqldRocksdbSequentialGet *self, KvsqldRocksdbStore *store,
                                    KvsqlSlice key,
                                    KvsqlSlice *out_value) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldRocksdbSequentialGet, kvsqld_rocksdb_sequential_get_clear)

G_END_DECLS
