/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-read.h: entries of RocksDB become rows and cells; used by scans and gets.
 */
#pragma once

#include "core/store/rows.h"
#include "daemon/stores/rocksdb-store.h"

G_BEGIN_DECLS

/* A wanted column as it begins or makes up the part of a key behind the row. */
typedef struct
{
  KvsqlSlice bytes; /* family 00 qualifier, or family 00 */
  gboolean is_prefix;
} KvsqldRocksdbPattern;

/* Ascending, none twice and none covered by another. No patterns: every column is wanted. */
typedef struct
{
  KvsqldRocksdbPattern *patterns;
  guint n_patterns;
  gboolean has_prefixes;
} KvsqldRocksdbColumns;

void kvsqld_rocksdb_columns_init (KvsqldRocksdbColumns *self, const KvsqlColumn *columns,
                                  guint n_columns, KvsqlArena *arena);

static inline gboolean
kvsqld_rocksdb_pattern_matches (const KvsqldRocksdbPattern *self, KvsqlSlice column)
{
  return self->is_prefix ? kvsql_slice_has_prefix (column, self->bytes)
                         : kvsql_slice_equal (column, self->bytes);
}

static inline gboolean
kvsqld_rocksdb_columns_match (const KvsqldRocksdbColumns *self, KvsqlSlice column)
{
  for (guint i = 0; i < self->n_patterns; i++)
    if (kvsqld_rocksdb_pattern_matches (&self->patterns[i], column))
      return TRUE;
  return self->n_patterns == 0;
}

/* The first wanted column behind @column, or NULL. */
const KvsqldRocksdbPattern *kvsqld_rocksdb_columns_next (const KvsqldRocksdbColumns *self,
                                                         KvsqlSlice column);

/* Sets @error and returns FALSE: bytes that are not ours. */
gboolean kvsqld_rocksdb_damaged (GError **error);

/* Adds a cell to the last row of @out. Family and qualifier live as long as @out's bytes. */
static inline gboolean
kvsqld_rocksdb_add_value (KvsqlRowsBuilder *out, KvsqlSlice family, KvsqlSlice qualifier,
                          KvsqlSlice value, GError **error)
{
  KvsqlCell cell = { .family = family, .qualifier = qualifier };

  if (G_UNLIKELY (value.size < KVSQLD_ROCKSDB_TIMESTAMP_BYTES))
    return kvsqld_rocksdb_damaged (error);
  cell.timestamp = (gint64)kvsql_get_be64 (value.data);
  cell.value
      = kvsql_rows_builder_copy (out, kvsql_slice (value.data + KVSQLD_ROCKSDB_TIMESTAMP_BYTES,
                                                   value.size - KVSQLD_ROCKSDB_TIMESTAMP_BYTES));
  kvsql_rows_builder_add_cell (out, &cell);
  return TRUE;
}

/* As kvsqld_rocksdb_add_value(). @column: the part of the key behind the row, copied unless
 * it is what the same cell of the row before had. */
gboolean kvsqld_rocksdb_read_cell (KvsqlRowsBuilder *out, KvsqlSlice column, KvsqlSlice value,
                                   GError **error);

G_END_DECLS
