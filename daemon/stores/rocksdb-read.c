/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-read.c: an entry is copied once, key and value in one piece, and never looked at again.
 */
#include "config.h"

#include "daemon/stores/rocksdb-read.h"

static gint
compare_patterns (gconstpointer a, gconstpointer b)
{
  const KvsqldRocksdbPattern *left = a, *right = b;
  gint order = kvsql_slice_compare (left->bytes, right->bytes);

  /* Of two with the same bytes, the prefix covers the other and has to come first. */
  return order != 0 ? order : (right->is_prefix - left->is_prefix);
}

static gboolean
is_covered (const KvsqldRocksdbPattern *pattern, const KvsqldRocksdbPattern *before)
{
  return before->is_prefix ? kvsql_slice_has_prefix (pattern->bytes, before->bytes)
                           : kvsql_slice_equal (pattern->bytes, before->bytes);
}

void
kvsqld_rocksdb_columns_init (KvsqldRocksdbColumns *self, const KvsqlColumn *columns,
                             guint n_columns, KvsqlArena *arena)
{
  KvsqldRocksdbPattern *patterns = kvsql_arena_array (arena, KvsqldRocksdbPattern, n_columns);
  guint n = 0;

  for (guint i = 0; i < n_columns; i++)
    {
      g_auto (KvsqlBuffer) bytes = { 0 };

      kvsqld_rocksdb_key_add_column (&bytes, columns[i].family, columns[i].qualifier);
      patterns[i].bytes = kvsql_slice_dup (arena, kvsql_buffer_slice (&bytes));
      patterns[i].is_prefix = columns[i].whole_family;
    }
  if (n_columns > 0)
    qsort (patterns, n_columns, sizeof *patterns, compare_patterns);
  for (guint i = 0; i < n_columns; i++)
    if (n == 0 || !is_covered (&patterns[i], &patterns[n - 1]))
      patterns[n++] = patterns[i];

  *self = (KvsqldRocksdbColumns){ patterns, n, FALSE };
  for (guint i = 0; i < n; i++)
    self->has_prefixes |= patterns[i].is_prefix;
}

const KvsqldRocksdbPattern *
kvsqld_rocksdb_columns_next (const KvsqldRocksdbColumns *self, KvsqlSlice column)
{
  for (guint i = 0; i < self->n_patterns; i++)
    if (kvsql_slice_compare (self->patterns[i].bytes, column) > 0)
      return &self->patterns[i];
  return NULL;
}

gboolean
kvsqld_rocksdb_damaged (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "an entry of store \"rocksdb\" is damaged");
}

/* @at has room for the value without its timestamp. */
static void
add_cell (KvsqlRowsBuilder *out, KvsqlSlice column, gsize family_size, KvsqlSlice value, guint8 *at)
{
  gsize value_size = value.size - KVSQLD_ROCKSDB_TIMESTAMP_BYTES;
  const KvsqlCell cell = { { column.data, family_size },
                           { column.data + family_size + 1, column.size - family_size - 1 },
                           { at, value_size },
                           (gint64)kvsql_get_be64 (value.data) };

  memcpy (at, value.data + KVSQLD_ROCKSDB_TIMESTAMP_BYTES, value_size);
  kvsql_rows_builder_add_cell (out, &cell);
}

gboolean
kvsqld_rocksdb_read_first_cell (KvsqlRowsBuilder *out, KvsqlSlice key,
                                const KvsqldRocksdbKey *parts, KvsqlSlice value,
                                KvsqlSlice *out_prefix, GError **error)
{
  gsize row_size = kvsqld_rocksdb_key_row_size (parts);
  KvsqlSlice row, column;
  guint8 *copy;

  if (value.size < KVSQLD_ROCKSDB_TIMESTAMP_BYTES)
    return kvsqld_rocksdb_damaged (error);
  copy = kvsql_rows_builder_alloc (out, key.size + value.size - KVSQLD_ROCKSDB_TIMESTAMP_BYTES);
  memcpy (copy, key.data, key.size);
  row = kvsql_slice (copy + KVSQLD_ROCKSDB_TABLE_BYTES, row_size);
  if (G_UNLIKELY (parts->n_zeros > 0))
    {
      guint8 *unescaped = kvsql_rows_builder_alloc (out, row_size);

      kvsqld_rocksdb_key_copy_row (key, parts, unescaped);
      row.data = unescaped;
    }
  column = kvsql_slice (copy + parts->row_end, key.size - parts->row_end);
  kvsql_rows_builder_add_row (out, row);
  add_cell (out, column, parts->family_end - parts->row_end, value, copy + key.size);
  *out_prefix = kvsql_slice (copy, parts->row_end);
  return TRUE;
}

gboolean
kvsqld_rocksdb_read_cell (KvsqlRowsBuilder *out, KvsqlSlice column, KvsqlSlice value,
                          GError **error)
{
  const guint8 *zero = memchr (column.data, 0, column.size);
  guint8 *copy;

  if (zero == NULL || value.size < KVSQLD_ROCKSDB_TIMESTAMP_BYTES)
    return kvsqld_rocksdb_damaged (error);
  copy = kvsql_rows_builder_alloc (out, column.size + value.size - KVSQLD_ROCKSDB_TIMESTAMP_BYTES);
  memcpy (copy, column.data, column.size);
  add_cell (out, kvsql_slice (copy, column.size), (gsize)(zero - column.data), value,
            copy + column.size);
  return TRUE;
}
