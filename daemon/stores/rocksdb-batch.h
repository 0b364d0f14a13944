/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-batch.h: a write batch in the bytes that RocksDB keeps and logs it in.
 *
 *   batch  = 0 (8 bytes) | number of records (4 bytes, little-endian) | records
 *   record = 01 | key | value           put
 *          | 00 | key                   deletion
 *          | 0F | first key | end       deletion of a range
 *
 * Keys and values have their size before them, seven bits in a byte, the lowest first.
 * RocksDB's own functions come to the same, but take a call and six appends to a string for a cell.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

/* Starts zeroed ({0}), ends with kvsqld_rocksdb_batch_clear(). */
typedef struct
{
  KvsqlBuffer bytes;
  guint32 n_records;
} KvsqldRocksdbBatch;

void kvsqld_rocksdb_batch_clear (KvsqldRocksdbBatch *self);
/* For so many bytes of keys and values, which need not be exact. */
void kvsqld_rocksdb_batch_reserve (KvsqldRocksdbBatch *self, guint n_records, gsize size);
/* A cell's value has its timestamp before it. */
void kvsqld_rocksdb_batch_put (KvsqldRocksdbBatch *self, KvsqlSlice key, gint64 timestamp,
                               KvsqlSlice value);
void kvsqld_rocksdb_batch_delete (KvsqldRocksdbBatch *self, KvsqlSlice key);
void kvsqld_rocksdb_batch_delete_range (KvsqldRocksdbBatch *self, KvsqlSlice first, KvsqlSlice end);
/* What it comes to: for rocksdb_writebatch_create_from(). */
KvsqlSlice kvsqld_rocksdb_batch_finish (KvsqldRocksdbBatch *self);

G_END_DECLS
