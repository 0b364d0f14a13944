/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-walk.h: wanted keys that lie beside each other, found by stepping from one to the next.
 *
 * A step costs a fifth of a search. Whether the next wanted key is near is not known before: a walk
 * that passes too many keys that nobody wants is lost, and the rest has to be searched for.
 */
#pragma once

#include "daemon/stores/rocksdb-store.h"

G_BEGIN_DECLS

typedef struct
{
  rocksdb_readoptions_t *options;
  rocksdb_iterator_t *iterator; /* of one state of the store; NULL: not begun */
  KvsqlBuffer bound;            /* the first key behind the last wanted one */
  gboolean is_at_found;         /* the iterator still stands at what was found last */
  guint n_found;
  guint n_passed; /* keys that nobody wants */
} KvsqldRocksdbWalk;

typedef enum
{
  KVSQLD_ROCKSDB_FOUND,
  KVSQLD_ROCKSDB_ABSENT,
  KVSQLD_ROCKSDB_LOST, /* whether the key is there, and why not, a search will tell */
} KvsqldRocksdbFinding;

/* Nothing behind @last will be asked for. */
void kvsqld_rocksdb_walk_init (KvsqldRocksdbWalk *self, KvsqlSlice last);
void kvsqld_rocksdb_walk_clear (KvsqldRocksdbWalk *self);

/* @key: not before the one that was asked for before. *out_value is set if it is found, and good
 * until the next call. After LOST the walk is over. */
KvsqldRocksdbFinding kvsqld_rocksdb_walk_to (KvsqldRocksdbWalk *self, KvsqldRocksdbStore *store,
                                             KvsqlSlice key,
                                             KvsqlSlice *out_value) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldRocksdbWalk, kvsqld_rocksdb_walk_clear)

G_END_DECLS
