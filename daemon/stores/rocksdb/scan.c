/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scan.c: scans. One iterator steps or seeks through all ranges, forwards or backwards.
 *
 * A scan reads the state of the store at the time it was opened. Between two batches the iterator
 * is at the first entry of the next row.
 *
 * Most entries are the single cell of a new row, in the column in which every row begins, and their
 * keys have the same shape as the key before. For these there is a fast path (take_same_shape()),
 * which neither decodes the key nor compares the column.
 */
#include "config.h"

#include "core/store/filter.h"
#include "daemon/stores/rocksdb/key-reader.h"
#include "daemon/stores/rocksdb/read.h"

#define BATCH_ROWS 1024
#define BATCH_BYTES (1024 * 1024)
#define ENTRIES_BETWEEN_CHECKS 1024
#define MISSES_BEFORE_SEEK 16 /* so many unwanted cells are skipped by stepping, then by a seek */
#define LONG_SCAN_READAHEAD (1024 * 1024)
#define MIN_SKIPPED_TO_COVER                                                                       \
  2000 /* tombstones before a range's first cell; more are covered by a range tombstone */

typedef struct
{
  KvsqlSlice start; /* both are keys: rows from here … */
  KvsqlSlice stop;  /* … to before this */
} KeyRange;

/* The column with which rows of this batch mostly begin. It is known to be wanted and is already
 * copied. */
typedef struct
{
  gboolean is_known;
  KvsqlSlice family;
  KvsqlSlice qualifier;
  gsize size;         /* of the part of a key after the row */
  guint64 last_bytes; /* of that part, if it is short */
} FirstColumn;

typedef struct
{
  KvsqlScan base;
  KvsqldRocksdbStore *store;
  guint32 table;
  KvsqlArena *kept; /* owns ranges and columns */
  KeyRange *ranges; /* ascending */
  guint n_ranges;
  guint range; /* index of the current range, in the direction of the scan */
  KvsqldRocksdbColumns columns;
  KvsqlTimeRange times;
  const KvsqlFilter *filter; /* nullable */
  gboolean is_reversed;
  gboolean is_plain; /* within a range a cell is selected only by its column */
  guint64 row_limit;
  guint batch_rows;

  rocksdb_readoptions_t *options;
  rocksdb_iterator_t *iterator; /* NULL: the table does not exist, or there are no ranges */
  gboolean is_done;
  guint64 n_rows;     /* returned so far, without the current batch */
  guint n_entries;    /* since the last check of the deadline */
  guint n_misses;     /* consecutive unwanted cells */
  KvsqlBuffer missed; /* the prefix of a row that had many of them */

  KvsqlArena *arena;
  KvsqlRowsBuilder rows;
  gboolean is_in_row;
  KvsqlRowsMark row_mark;        /* position before the current row, if there is a filter */
  KvsqldRocksdbKeyReader reader; /* its last key is the first key of the current row */
  FirstColumn first_column;
} Scan;

static KvsqlSlice
row_bound (Scan *self, guint32 table, KvsqlSlice row)
{
  g_auto (KvsqlBuffer) key = { 0 };

  kvsqld_rocksdb_key_add_row (&key, table, row);
  return kvsql_slice_dup (self->kept, kvsql_buffer_slice (&key));
}

static KvsqlSlice
table_bound (Scan *self, guint32 table)
{
  guint8 *bytes = kvsql_arena_alloc (self->kept, KVSQLD_ROCKSDB_TABLE_BYTES);

  kvsql_put_be32 (bytes, table);
  return kvsql_slice (bytes, KVSQLD_ROCKSDB_TABLE_BYTES);
}

static void
set_ranges (Scan *self, guint32 table, const KvsqlScanSpec *spec)
{
  self->n_ranges = spec->n_ranges;
  self->ranges = kvsql_arena_array (self->kept, KeyRange, spec->n_ranges);
  for (guint i = 0; i < spec->n_ranges; i++)
    {
      KvsqlSlice start = spec->ranges[i].start, stop = spec->ranges[i].stop;

      self->ranges[i].start
          = start.size > 0 ? row_bound (self, table, start) : table_bound (self, table);
      self->ranges[i].stop
          = stop.size > 0 ? row_bound (self, table, stop) : table_bound (self, table + 1);
    }
}

static const KeyRange *
current_range (const Scan *self)
{
  return &self->ranges[self->is_reversed ? self->n_ranges - 1 - self->range : self->range];
}

/* Covers the tombstones between the start of the scan's first range and its first cell. */
static void
cover_tombstones (Scan *self)
{
  const KeyRange *range = current_range (self);
  gboolean has_cell = rocksdb_iter_valid (self->iterator);
  KvsqlSlice key = has_cell ? kvsqld_rocksdb_iterator_key (self->iterator) : KVSQL_SLICE_EMPTY;
  g_auto (KvsqlBuffer) next_key = { 0 };

  if (has_cell && !self->is_reversed)
    kvsqld_rocksdb_cover_tombstones (self->store, self->table, range->start, key);
  else if (has_cell)
    {
      kvsql_buffer_append_slice (&next_key, key);
      kvsql_buffer_append_byte (&next_key, 0);
      kvsqld_rocksdb_cover_tombstones (self->store, self->table, kvsql_buffer_slice (&next_key),
                                       range->stop);
    }
  else
    kvsqld_rocksdb_cover_tombstones (self->store, self->table, range->start, range->stop);
}

static void
seek_range (Scan *self)
{
  const KeyRange *range = current_range (self);
  guint64 begin = kvsqld_rocksdb_skipped_begin ();

  /* No key equals a stop: a stop is the prefix of a row, and a key is longer. */
  if (self->is_reversed)
    rocksdb_iter_seek_for_prev (self->iterator, (const char *)range->stop.data, range->stop.size);
  else
    kvsqld_rocksdb_iterator_seek (self->iterator, range->start);
  if (kvsqld_rocksdb_skipped_end (begin) >= MIN_SKIPPED_TO_COVER)
    cover_tombstones (self);
}

static void
open_iterator (Scan *self, KvsqldRocksdbStore *store, const KvsqlScanSpec *spec)
{
  KvsqlSlice first = self->ranges[0].start, last = self->ranges[self->n_ranges - 1].stop;

  self->options = rocksdb_readoptions_create ();
  rocksdb_readoptions_set_total_order_seek (self->options, 1);
  rocksdb_readoptions_set_iterate_lower_bound (self->options, (const char *)first.data, first.size);
  rocksdb_readoptions_set_iterate_upper_bound (self->options, (const char *)last.data, last.size);
  if (spec->row_limit == 0 && first.size == KVSQLD_ROCKSDB_TABLE_BYTES
      && last.size == KVSQLD_ROCKSDB_TABLE_BYTES && self->n_ranges == 1)
    rocksdb_readoptions_set_readahead_size (self->options, LONG_SCAN_READAHEAD);
  self->iterator = rocksdb_create_iterator (store->db, self->options);
  seek_range (self);
}

KvsqlScan *
kvsqld_rocksdb_open_scan (KvsqlStore *base, const KvsqlScanSpec *spec, const KvsqlCall *call,
                          GError **error)
{
  KvsqldRocksdbStore *store = (KvsqldRocksdbStore *)base;
  guint32 table = kvsqld_rocksdb_tables_find (store, spec->table);
  Scan *self = g_new0 (Scan, 1);

  self->store = store;
  self->table = table;
  self->kept = kvsql_arena_new ();
  self->arena = kvsql_arena_new ();
  kvsql_rows_builder_init (&self->rows, self->arena);
  kvsqld_rocksdb_columns_init (&self->columns, spec->columns, spec->n_columns, self->kept);
  self->times = spec->times;
  self->filter = kvsql_filter_dup (spec->filter, self->kept);
  self->is_reversed = spec->is_reversed;
  self->row_limit = spec->row_limit;
  self->batch_rows = spec->batch_rows > 0 ? spec->batch_rows : BATCH_ROWS;
  self->is_plain
      = spec->n_ranges == 1 && self->filter == NULL && self->times.min == 0 && self->times.max == 0;
  if (table == 0 || spec->n_ranges == 0)
    self->is_done = TRUE;
  else
    {
      set_ranges (self, table, spec);
      open_iterator (self, store, spec);
    }
  return &self->base;
}

void
kvsqld_rocksdb_scan_close (KvsqlScan *base)
{
  Scan *self = (Scan *)base;

  if (self->iterator != NULL)
    {
      rocksdb_iter_destroy (self->iterator);
      rocksdb_readoptions_destroy (self->options);
    }
  kvsql_rows_builder_clear (&self->rows);
  kvsql_buffer_clear (&self->missed);
  kvsqld_rocksdb_key_reader_clear (&self->reader);
  kvsql_arena_free (self->arena);
  kvsql_arena_free (self->kept);
  g_free (self);
}

static inline void
advance (Scan *self)
{
  if (self->is_reversed)
    rocksdb_iter_prev (self->iterator);
  else
    rocksdb_iter_next (self->iterator);
}

/* A reversed scan reads the cells of a row last first: reverses them. */
static void
reverse_cells (Scan *self, const KvsqlRow *row)
{
  for (guint low = row->first_cell, high = low + row->n_cells - 1; low < high; low++, high--)
    {
      KvsqlCell cell = self->rows.rows.cells[low];

      self->rows.rows.cells[low] = self->rows.rows.cells[high];
      self->rows.rows.cells[high] = cell;
    }
}

static inline void
end_row (Scan *self)
{
  const KvsqlRow *row;

  if (!self->is_in_row)
    return;
  self->is_in_row = FALSE;
  row = &self->rows.rows.rows[self->rows.rows.n_rows - 1];
  if (G_UNLIKELY (self->filter != NULL)
      && !kvsql_filter_admits (self->filter, &self->rows.rows.cells[row->first_cell], row->n_cells))
    {
      kvsql_rows_builder_return_to (&self->rows, &self->row_mark);
      self->first_column.is_known = FALSE; /* it may have been copied with the dropped row */
      return;
    }
  if (G_UNLIKELY (self->is_reversed))
    reverse_cells (self, row);
}

static gboolean
is_full (const Scan *self)
{
  return self->rows.rows.n_rows >= self->batch_rows
         || (self->rows.n_bytes >= BATCH_BYTES && self->rows.rows.n_rows > 0);
}

static gboolean
is_at_limit (const Scan *self)
{
  return self->row_limit > 0 && self->n_rows + self->rows.rows.n_rows >= self->row_limit;
}

/* Whether @key, which is within the outermost bounds, is after the current range. */
static gboolean
is_after_range (const Scan *self, KvsqlSlice key)
{
  const KeyRange *range = current_range (self);

  return self->is_reversed ? kvsql_slice_compare (key, range->start) < 0
                           : kvsql_slice_compare (key, range->stop) >= 0;
}

/* Whether @key is before the current range, so that a seek is necessary to reach it. */
static gboolean
is_before_range (const Scan *self, KvsqlSlice key)
{
  const KeyRange *range = current_range (self);

  return self->is_reversed ? kvsql_slice_compare (key, range->stop) >= 0
                           : kvsql_slice_compare (key, range->start) < 0;
}

/* TRUE: @key is in a range. FALSE: the iterator was moved, or the scan is finished. */
static gboolean
enter_range (Scan *self, KvsqlSlice key)
{
  if (self->n_ranges == 1)
    return TRUE;
  while (is_after_range (self, key))
    {
      if (++self->range == self->n_ranges)
        {
          self->is_done = TRUE;
          return FALSE;
        }
      if (is_before_range (self, key))
        {
          seek_range (self);
          return FALSE;
        }
    }
  return TRUE;
}

/* Seeks to the next wanted column of the row, or to the next row. */
static void
seek_next_column (Scan *self, KvsqlSlice key, gsize row_end)
{
  KvsqlSlice column = kvsql_slice (key.data + row_end, key.size - row_end);
  const KvsqldRocksdbPattern *next = kvsqld_rocksdb_columns_next (&self->columns, column);
  g_auto (KvsqlBuffer) target = { 0 };

  g_assert (row_end > 0);
  kvsql_buffer_append (&target, key.data, row_end);
  if (next != NULL)
    kvsql_buffer_append_slice (&target, next->bytes);
  else
    kvsqld_rocksdb_key_skip_row (&target);
  kvsqld_rocksdb_iterator_seek (self->iterator, kvsql_buffer_slice (&target));
}

/* Skips an unwanted cell: by a step, or by a seek if a row had many of them. */
static void
skip_cell (Scan *self, KvsqlSlice key, gsize row_end)
{
  KvsqlSlice prefix = kvsql_slice (key.data, row_end);

  if (self->is_reversed || ++self->n_misses < MISSES_BEFORE_SEEK)
    {
      advance (self);
      return;
    }
  self->n_misses = 0;
  if (kvsql_slice_has_prefix (key, kvsql_buffer_slice (&self->missed)) && self->missed.size > 0)
    {
      seek_next_column (self, key, row_end);
      return;
    }
  self->missed.size = 0;
  kvsql_buffer_append_slice (&self->missed, prefix);
  advance (self);
}

/* Whether the timestamp of the iterator's entry is in the wanted time range. */
static inline gboolean
is_in_times (const Scan *self)
{
  KvsqlSlice value;

  if (self->times.min == 0 && self->times.max == 0)
    return TRUE;
  value = kvsqld_rocksdb_iterator_value (self->iterator);
  return value.size < KVSQLD_ROCKSDB_TIMESTAMP_BYTES /* damaged: reported when it is read */
         || kvsql_time_range_has (&self->times, (gint64)kvsql_get_be64 (value.data));
}

/* The last @n bytes of @key, at most eight, as a number. */
static inline guint64
last_bytes (KvsqlSlice key, gsize n)
{
  return kvsql_get_le64 (key.data + key.size - 8) >> (64 - 8 * n);
}

static inline gboolean
has_short_end (KvsqlSlice key, gsize n)
{
  return n > 0 && n <= 8 && key.size >= 8;
}

/* Whether the column of @key is @first. */
static inline gboolean
is_first_column (const FirstColumn *first, KvsqlSlice key, gsize row_end)
{
  gsize size = key.size - row_end;

  if (!first->is_known || size != first->size)
    return FALSE;
  return has_short_end (key, size)
             ? last_bytes (key, size) == first->last_bytes
             : size > 0 && memcmp (key.data + row_end, first->family.data, size) == 0;
}

/* Remembers the column of the cell that was added last, which is the first cell of its row. */
static void
set_first_column (Scan *self, KvsqlSlice key, gsize row_end)
{
  const KvsqlCell *cell = &self->rows.rows.cells[self->rows.rows.n_cells - 1];
  gsize size = key.size - row_end;

  self->first_column
      = (FirstColumn){ .is_known = TRUE,
                       .family = cell->family,
                       .qualifier = cell->qualifier,
                       .size = size,
                       .last_bytes = has_short_end (key, size) ? last_bytes (key, size) : 0 };
}

/* Handles the first cell of another row, or of a row without a wanted cell so far. @n_same: the
 * number of bytes that @key has in common with the last such cell's key. */
static inline gboolean
take_other_row (Scan *self, KvsqlSlice key, gsize n_same, GError **error)
{
  const FirstColumn *first = &self->first_column;
  KvsqlSlice column, value;
  gboolean is_first;
  gsize row_end;

  if (!kvsqld_rocksdb_key_reader_read (&self->reader, key, n_same))
    return kvsqld_rocksdb_damaged (error);
  row_end = self->reader.end.key;
  column = kvsql_slice (key.data + row_end, key.size - row_end);
  is_first = is_first_column (first, key, row_end);
  if (!is_first && !kvsqld_rocksdb_columns_match (&self->columns, column))
    {
      skip_cell (self, key, row_end);
      return TRUE;
    }
  self->n_misses = 0;
  if (!is_in_times (self))
    {
      advance (self);
      return TRUE;
    }
  self->is_in_row = TRUE;
  if (self->filter != NULL)
    self->row_mark = kvsql_rows_builder_get_mark (&self->rows);
  kvsql_rows_builder_add_row (
      &self->rows,
      kvsql_rows_builder_copy (&self->rows, kvsqld_rocksdb_key_reader_row (&self->reader)));
  value = kvsqld_rocksdb_iterator_value (self->iterator);
  if (is_first)
    {
      if (!kvsqld_rocksdb_add_value (&self->rows, first->family, first->qualifier, value, error))
        return FALSE;
    }
  else
    {
      if (!kvsqld_rocksdb_read_cell (&self->rows, column, value, error))
        return FALSE;
      set_first_column (self, key, row_end);
    }
  advance (self);
  return TRUE;
}

static gboolean
take_same_row (Scan *self, KvsqlSlice key, GError **error)
{
  gsize row_end = self->reader.end.key;
  KvsqlSlice column = kvsql_slice (key.data + row_end, key.size - row_end);

  if (self->columns.n_patterns > 0 && !kvsqld_rocksdb_columns_match (&self->columns, column))
    {
      skip_cell (self, key, row_end);
      return TRUE;
    }
  self->n_misses = 0;
  if (is_in_times (self)
      && !kvsqld_rocksdb_read_cell (&self->rows, column,
                                    kvsqld_rocksdb_iterator_value (self->iterator), error))
    return FALSE;
  advance (self);
  return TRUE;
}

/* Handles the iterator's entry. *out_more is FALSE when the batch is complete. */
static gboolean
take_entry (Scan *self, gboolean *out_more, GError **error)
{
  KvsqlSlice key = kvsqld_rocksdb_iterator_key (self->iterator);
  gsize n_same = kvsqld_rocksdb_key_reader_compare (&self->reader, key);

  *out_more = TRUE;
  if (self->is_in_row && n_same >= self->reader.end.key)
    return take_same_row (self, key, error);

  end_row (self);
  self->is_done = is_at_limit (self);
  if (self->is_done || is_full (self))
    {
      *out_more = FALSE;
      return TRUE;
    }
  if (enter_range (self, key))
    return take_other_row (self, key, n_same, error);
  *out_more = !self->is_done;
  return TRUE;
}

static inline gboolean
check_call (Scan *self, const KvsqlCall *call, GError **error)
{
  if (++self->n_entries < ENTRIES_BETWEEN_CHECKS)
    return TRUE;
  self->n_entries = 0;
  return kvsql_call_check (call, error);
}

/* ---- rows of one cell each, whose keys have the same shape */

/* Whether a run of such rows may start: this row and the one before it have one cell each, in the
 * first column. */
static gboolean
may_have_same_shape (const Scan *self)
{
  const KvsqlRows *rows = &self->rows.rows;
  const KvsqldRocksdbKeyReader *reader = &self->reader;

  return self->is_plain && self->is_in_row && rows->n_rows >= 2
         && rows->rows[rows->n_rows - 1].n_cells == 1 && rows->rows[rows->n_rows - 2].n_cells == 1
         && is_first_column (&self->first_column, kvsql_buffer_slice (&reader->key),
                             reader->end.key);
}

/* Adds the row of the iterator's entry, with one cell, in the first column. */
static inline gboolean
add_same_shape (Scan *self, KvsqlSlice key, GError **error)
{
  const KvsqldRocksdbKeyReader *reader = &self->reader;
  const FirstColumn *first = &self->first_column;
  KvsqlSlice value = kvsqld_rocksdb_iterator_value (self->iterator);
  gsize row_size = reader->end.row, value_size = value.size - KVSQLD_ROCKSDB_TIMESTAMP_BYTES;
  KvsqlCell *cell;
  guint8 *at;

  if (G_UNLIKELY (value.size < KVSQLD_ROCKSDB_TIMESTAMP_BYTES))
    return kvsqld_rocksdb_damaged (error);
  at = kvsql_rows_builder_alloc (&self->rows, row_size + value_size);
  kvsqld_rocksdb_key_reader_write_same_shape (reader, key, at);
  kvsql_copy_bytes (at + row_size, value.data + KVSQLD_ROCKSDB_TIMESTAMP_BYTES, value_size);
  cell = kvsql_rows_builder_add_row_of_one (&self->rows, kvsql_slice (at, row_size));
  cell->family = first->family;
  cell->qualifier = first->qualifier;
  cell->value = kvsql_slice (at + row_size, value_size);
  cell->timestamp = (gint64)kvsql_get_be64 (value.data);
  return TRUE;
}

/* The number of rows that this batch can still take. */
static guint
count_room (const Scan *self)
{
  guint room = self->batch_rows - MIN (self->rows.rows.n_rows, self->batch_rows);

  if (self->row_limit == 0)
    return room;
  return (guint)MIN (room, self->row_limit - self->n_rows - self->rows.rows.n_rows);
}

/* Adds rows as long as the keys have the same shape and the batch has room. The last row may still
 * get more cells. */
static gboolean
take_same_shape (Scan *self, const KvsqlCall *call, GError **error)
{
  const KvsqlRows *rows = &self->rows.rows;
  guint n_before = rows->n_rows;
  gboolean ok = TRUE;

  for (guint room = is_at_limit (self) ? 0 : count_room (self);
       room > 0 && self->rows.n_bytes < BATCH_BYTES && rocksdb_iter_valid (self->iterator); room--)
    {
      KvsqlSlice key = kvsqld_rocksdb_iterator_key (self->iterator);

      if (!kvsqld_rocksdb_key_reader_has_same_shape (&self->reader, key))
        break;
      ok = check_call (self, call, error) && add_same_shape (self, key, error);
      if (!ok)
        break;
      advance (self);
    }
  if (rows->n_rows > n_before)
    kvsqld_rocksdb_key_reader_go_to_same_shape (&self->reader, rows->rows[rows->n_rows - 1].key);
  return ok;
}

static gboolean
fill_batch (Scan *self, const KvsqlCall *call, GError **error)
{
  gboolean more = TRUE;
  char *cause = NULL;

  while (more && rocksdb_iter_valid (self->iterator))
    if (!check_call (self, call, error) || !take_entry (self, &more, error)
        || (may_have_same_shape (self) && !take_same_shape (self, call, error)))
      return FALSE;
  end_row (self);
  if (!more)
    return TRUE;
  /* The iterator's bounds are the outermost bounds of the ranges: this is the end of the last
   * range. */
  self->is_done = TRUE;
  rocksdb_iter_get_error (self->iterator, &cause);
  return kvsqld_rocksdb_check (cause, "scan store \"rocksdb\"", error);
}

gboolean
kvsqld_rocksdb_scan_next (KvsqlScan *base, const KvsqlCall *call, const KvsqlRows **out_rows,
                          GError **error)
{
  Scan *self = (Scan *)base;

  kvsqld_rocksdb_count_nothing (); /* a scan may continue in another thread than the one that opened
                                      it */
  kvsql_rows_builder_reset (&self->rows);
  self->first_column.is_known = FALSE;
  self->is_in_row = FALSE;
  if (!self->is_done && !fill_batch (self, call, error))
    {
      self->is_done = TRUE;
      return FALSE;
    }
  self->n_rows += self->rows.rows.n_rows;
  *out_rows = &self->rows.rows;
  return TRUE;
}
