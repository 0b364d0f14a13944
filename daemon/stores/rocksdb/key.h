/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key.h: the encoding of a cell key as one key of RocksDB.
 *
 *   key = table (4 bytes, big-endian) | row, each 00 as 00 FF | 00 01 | family | 00 | qualifier
 *
 * The order of keys is that of (table, row, family, qualifier): the end of a row, 00 01, is less
 * than a zero byte in the row, 00 FF, and than any other byte; a family contains no zero byte. The
 * cells of a row are the keys that begin with the row's prefix (everything up to 00 01). No prefix
 * begins another.
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

/* Changes a row's prefix to the first key after the row's cells. */
static inline void
kvsqld_rocksdb_key_skip_row (KvsqlBuffer *prefix)
{
  prefix->data[prefix->size - 1]++;
}

/* The size of the row's prefix at the start of @key; 0: no row ends in it. */
gsize kvsqld_rocksdb_key_find_row (KvsqlSlice key);

/* A pair of positions: the first @key bytes of a key encode the first @row bytes of its row. */
typedef struct
{
  gsize key;
  gsize row;
} KvsqldRocksdbKeyPlace;

#define KVSQLD_ROCKSDB_KEY_START ((KvsqldRocksdbKeyPlace){ KVSQLD_ROCKSDB_TABLE_BYTES, 0 })

/**
 * kvsqld_rocksdb_key_read_on:
 * @key: at least as long as @run_start
 * @row: has room for all of @key; the bytes before @run_start are already decoded
 * @run_start: (inout): where to start; afterwards the start of the last run without zero bytes.
 * Keys that are equal up to there have rows that are equal up to there
 * @out_end: (out): the end of the row's prefix, and of the row
 *
 * Returns: %FALSE if no row ends in these bytes
 */
gboolean kvsqld_rocksdb_key_read_on (KvsqlSlice key, guint8 *row, KvsqldRocksdbKeyPlace *run_start,
                                     KvsqldRocksdbKeyPlace *out_end);

/* Decodes the row into @at, which has room for all of @key. *out_row_end is the size of its prefix.
 * FALSE: no row ends in these bytes. */
gboolean kvsqld_rocksdb_key_read_row (KvsqlSlice key, guint8 *at, gsize *out_row_size,
                                      gsize *out_row_end);

G_END_DECLS
