/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * batch.h: builds a write batch in the format of RocksDB's memory and log.
 *
 *   batch  = 0 (8 bytes) | number of records (4 bytes, little-endian) | records
 *   record = 01 | key | value           put
 *          | 00 | key                   deletion
 *          | 0F | first key | end       deletion of a range
 *
 * Before each key and value is its size: a varint, seven bits in a byte, the lowest first.
 * RocksDB's own functions produce the same bytes, but cost a call and six appends to a string for
 * each cell.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

/* Start with zeroed memory ({0}), end with kvsqld_rocksdb_batch_clear(). */
typedef struct
{
  KvsqlBuffer bytes;
  guint32 n_records;
} KvsqldRocksdbBatch;

void kvsqld_rocksdb_batch_clear (KvsqldRocksdbBatch *self);
/* Allocates room for @size bytes of keys and values, which may be an estimate. */
void kvsqld_rocksdb_batch_reserve (KvsqldRocksdbBatch *self, guint n_records, gsize size);
/* Writes the timestamp before the value. */
void kvsqld_rocksdb_batch_put (KvsqldRocksdbBatch *self, KvsqlSlice key, gint64 timestamp,
                               KvsqlSlice value);
void kvsqld_rocksdb_batch_delete (KvsqldRocksdbBatch *self, KvsqlSlice key);
void kvsqld_rocksdb_batch_delete_range (KvsqldRocksdbBatch *self, KvsqlSlice first, KvsqlSlice end);
/* Returns the bytes for rocksdb_writebatch_create_from(). */
KvsqlSlice kvsqld_rocksdb_batch_finish (KvsqldRocksdbBatch *self);

G_END_DECLS
