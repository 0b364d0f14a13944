/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read.c: converts an entry to a cell of a batch of rows. A row is copied once; a column
 * only if it differs from that of the row before.
 */
#include "config.h"

#include "daemon/stores/rocksdb/read.h"

static gint
compare_patterns (gconstpointer a, gconstpointer b)
{
  const KvsqldRocksdbPattern *left = a, *right = b;
  gint order = kvsql_slice_compare (left->bytes, right->bytes);

  /* Of two patterns with the same bytes, the prefix includes the other and comes first. */
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

#define NO_CELL G_MAXUINT

/* The index of the cell at the same position of the row before, or NO_CELL. Rows of one relation
 * mostly have the same columns: then these are stored once for a batch and not decoded again. */
static inline guint
cell_above (const KvsqlRows *rows)
{
  const KvsqlRow *row;
  guint n;

  if (rows->n_rows < 2)
    return NO_CELL;
  row = &rows->rows[rows->n_rows - 2];
  n = rows->rows[rows->n_rows - 1].n_cells;
  return n < row->n_cells ? row->first_cell + n : NO_CELL;
}

/* Family and qualifier of a cell are adjacent in memory, with a zero byte in between. */
static inline gboolean
has_column (const KvsqlCell *cell, KvsqlSlice column)
{
  return cell->family.size + 1 + cell->qualifier.size == column.size
         && memcmp (cell->family.data, column.data, column.size) == 0;
}

static gboolean
copy_column (KvsqlRowsBuilder *out, KvsqlSlice column, KvsqlCell *cell)
{
  const guint8 *zero = memchr (column.data, 0, column.size);
  gsize family_size = (gsize)(zero - column.data);
  KvsqlSlice copy;

  if (zero == NULL)
    return FALSE;
  copy = kvsql_rows_builder_copy (out, column);
  cell->family = kvsql_slice (copy.data, family_size);
  cell->qualifier = kvsql_slice (copy.data + family_size + 1, column.size - family_size - 1);
  return TRUE;
}

gboolean
kvsqld_rocksdb_read_cell (KvsqlRowsBuilder *out, KvsqlSlice column, KvsqlSlice value,
                          GError **error)
{
  guint above = cell_above (&out->rows);
  KvsqlCell cell;

  if (above != NO_CELL && has_column (&out->rows.cells[above], column))
    cell = out->rows.cells[above];
  else if (!copy_column (out, column, &cell))
    return kvsqld_rocksdb_damaged (error);
  return kvsqld_rocksdb_add_value (out, cell.family, cell.qualifier, value, error);
}
