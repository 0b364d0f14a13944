/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-key.h: how a cell's address becomes one key of RocksDB.
 *
 *   key = table (4 bytes, big-endian) | row, each 00 as 00 FF | 00 01 | family | 00 | qualifier
 *
 * so that the order of keys is that of (table, row, family, qualifier): the end of a
 * row, 00 01, is less than a zero byte in it, 00 FF, and than any other byte, and a
 * family contains no zero byte. A row's cells are the keys that begin with its
 * prefix (all up to 00 01), and no prefix begins another.
 *
 *   value = timestamp (8 bytes, big-endian) | bytes
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQLD_ROCKSDB_TABLE_BYTES 4
#define KVSQLD_ROCKSDB_TIMESTAMP_BYTES 8

/* All these append to @out. */
void kvsqld_rocksdb_key_add_table (KvsqlBuffer *out, guint32 table);
/* Table and row: the prefix of the row's cells. */
void kvsqld_rocksdb_key_add_row (KvsqlBuffer *out, guint32 table, KvsqlSlice row);
void kvsqld_rocksdb_key_add_column (KvsqlBuffer *out, KvsqlSlice family, KvsqlSlice qualifier);

/* Makes a row's prefix the first key behind the row's cells. */
static inline void
kvsqld_rocksdb_key_pass_row (KvsqlBuffer *prefix)
{
  prefix->data[prefix->size - 1]++;
}

/* How long the row's prefix is with which these bytes begin; 0: no row ends in them. */
gsize kvsqld_rocksdb_key_find_row (KvsqlSlice key);

/* The first @key bytes of a key say the first @row bytes of its row. */
typedef struct
{
  gsize key;
  gsize row;
} KvsqldRocksdbKeyPlace;

#define KVSQLD_ROCKSDB_KEY_START ((KvsqldRocksdbKeyPlace){ KVSQLD_ROCKSDB_TABLE_BYTES, 0 })

/**
 * kvsqld_rocksdb_key_read_on:
 * @key: no shorter than @stretch says
 * @row: room for all of @key; what @stretch says stands there
 * @stretch: (inout): where to go on from; then where the last stretch without zero bytes begins:
 * any key that is the same up to there says the same row up to there
 * @out_end: (out): where the row's prefix and the row end
 *
 * Returns: %FALSE if no row ends in these bytes
 */
gboolean kvsqld_rocksdb_key_read_on (KvsqlSlice key, guint8 *row, KvsqldRocksdbKeyPlace *stretch,
                                     KvsqldRocksdbKeyPlace *out_end);

/* Writes the row to @at, which has room for all of @key, and says where its prefix ends. FALSE: no
 * row ends in these bytes. */
gboolean kvsqld_rocksdb_key_read_row (KvsqlSlice key, guint8 *at, gsize *out_row_size,
                                      gsize *out_row_end);

G_END_DECLS
