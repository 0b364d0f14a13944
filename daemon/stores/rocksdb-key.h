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

/* Where the parts of a key are. */
typedef struct
{
  gsize row_end;    /* how long the row's prefix is */
  gsize family_end; /* where the zero byte behind the family is */
  gsize n_zeros;    /* zero bytes in the row: it is shorter by these when unescaped */
} KvsqldRocksdbKey;

/* FALSE: these bytes are no key of ours. */
gboolean kvsqld_rocksdb_key_parse (KvsqlSlice key, KvsqldRocksdbKey *out);

static inline gsize
kvsqld_rocksdb_key_row_size (const KvsqldRocksdbKey *self)
{
  return self->row_end - 2 - KVSQLD_ROCKSDB_TABLE_BYTES - self->n_zeros;
}

/* Writes the row, of kvsqld_rocksdb_key_row_size() bytes, to @at. */
void kvsqld_rocksdb_key_copy_row (KvsqlSlice key, const KvsqldRocksdbKey *parts, guint8 *at);

G_END_DECLS
