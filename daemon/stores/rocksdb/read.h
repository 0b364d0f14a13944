/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read.h: converts entries of RocksDB to rows and cells, for scans and gets.
 */
#pragma once

#include "core/store/rows.h"
#include "daemon/stores/rocksdb/store.h"

G_BEGIN_DECLS

/* A wanted column: it equals the part of a key after the row, or is a prefix of it. */
typedef struct
{
  KvsqlSlice bytes; /* family 00 qualifier, or family 00 */
  gboolean is_prefix;
} KvsqldRocksdbPattern;

/* Sorted; without duplicates and without patterns that another one includes. No patterns: every
 * column is wanted. */
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

/* The first wanted column after @column, or NULL. */
const KvsqldRocksdbPattern *kvsqld_rocksdb_columns_next (const KvsqldRocksdbColumns *self,
                                                         KvsqlSlice column);

/* Sets @error for an entry that this code did not write. Returns FALSE. */
gboolean kvsqld_rocksdb_damaged (GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Adds a cell to the last row of @out. Family and qualifier must live as long as @out's bytes. */
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

/* Like kvsqld_rocksdb_add_value(). @column: the part of the key after the row; copied unless the
 * same cell of the row before has the same column. */
gboolean kvsqld_rocksdb_read_cell (KvsqlRowsBuilder *out, KvsqlSlice column, KvsqlSlice value,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
