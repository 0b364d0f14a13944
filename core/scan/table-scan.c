/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table-scan.c: reads table after table, range after range, and assembles tuples from the rows.
 *
 * If all ranges of a table are single rows, they are read by key, some at a time.
 */
#include "config.h"

#include "core/base/memory.h"
#include "core/scan/skip-scan.h"
#include "core/scan/table-scan.h"
#include "core/store/key-space.h"
#include "core/store/split.h"

struct _KvsqlTableScan
{
  KvsqlStore *store;
  const KvsqlAccessPath *path;
  KvsqlAssembler *assembler;
  KvsqlArena *arena;
  guint64 row_hint;
  guint64 expected_rows;

  guint64 max_rows;
  KvsqlRunCounts own_counts;
  KvsqlRunCounts *counts; /* @own_counts, or the watcher's */
  KvsqlReadCounts *reads; /* the part of @counts that this scan adds to */

  KvsqlPlanTable *tables; /* NULL until the first call, because open tables have to be listed */
  guint n_tables;
  guint table;
  KvsqlScan *scan;         /* of tables[table] */
  KvsqlSkipScan *skipping; /* instead of @scan, if the access path has a skip scan */
  KvsqlArena *got;         /* of rows of tables[table] that were read by key; NULL: none yet */
  KvsqlRows got_rows;
  guint next_key;
  gboolean has_rows;
  gboolean is_at_end;

  gboolean missing_is_empty;  /* tables and families */
  gboolean reads_all_columns; /* not only those of the access path */

  KvsqlScanPosition resume;
  KvsqlScanPart part;

  KvsqlRowRange *bounding_ranges; /* of each table, independent of the position */
  gint ended_table;               /* whose first and last row are known; -1: none */
  KvsqlSlice first_row, last_row;
};

static gboolean
has_constant_family (const KvsqlSchema *schema)
{
  for (guint c = 0; c < schema->n_cells; c++)
    if (!schema->cells[c].fields[KVSQL_FIELD_FAMILY]->is_constant)
      return FALSE;
  return TRUE;
}

KvsqlTableScan *
kvsql_table_scan_new (KvsqlStore *store, const KvsqlAccessPath *path,
                      const KvsqlAttributeSet *wanted, const KvsqlScanPosition *position,
                      guint64 row_hint, gsize max_bytes)
{
  KvsqlTableScan *self = kvsql_new0 (KvsqlTableScan);

  self->store = store;
  self->path = path;
  self->assembler = kvsql_assembler_new (path->schema, wanted, max_bytes);
  self->arena = kvsql_arena_new ();
  self->row_hint = row_hint;
  self->ended_table = -1;
  kvsql_table_scan_watch (self, 0, NULL);
  self->missing_is_empty = !path->schema->has_constant_table || !has_constant_family (path->schema);
  if (position != NULL && position->has_row)
    {
      self->resume = *position;
      self->resume.table = kvsql_slice_dup (self->arena, position->table);
      self->resume.row = kvsql_slice_dup (self->arena, position->row);
    }
  return self;
}

void
kvsql_table_scan_free (KvsqlTableScan *self)
{
  if (self == NULL)
    return;
  kvsql_scan_close (self->scan);
  kvsql_skip_scan_free (self->skipping);
  kvsql_assembler_free (self->assembler);
  kvsql_arena_free (self->arena);
  kvsql_arena_free (self->got);
  g_free (self);
}

void
kvsql_table_scan_expect (KvsqlTableScan *self, guint64 rows)
{
  self->expected_rows = rows;
}

void
kvsql_table_scan_restrict (KvsqlTableScan *self, const KvsqlScanPart *part)
{
  g_assert (self->tables == NULL); /* the part is cut out when the tables are listed */
  self->part = *part;
}

void
kvsql_table_scan_allow_missing_tables (KvsqlTableScan *self)
{
  self->missing_is_empty = TRUE;
}

void
kvsql_table_scan_read_all_columns (KvsqlTableScan *self)
{
  self->reads_all_columns = TRUE;
}

void
kvsql_table_scan_watch (KvsqlTableScan *self, guint64 max_rows, KvsqlRunCounts *counts)
{
  self->max_rows = max_rows;
  self->counts = counts != NULL ? counts : &self->own_counts;
  self->reads = &self->counts->scan;
}

void
kvsql_table_scan_watch_lookup (KvsqlTableScan *self, guint64 max_rows, KvsqlRunCounts *counts)
{
  self->max_rows = max_rows;
  self->counts = counts;
  self->reads = &counts->lookup;
}

void
kvsql_table_scan_get_counts (const KvsqlTableScan *self, KvsqlAssemblerCounts *out)
{
  kvsql_assembler_get_counts (self->assembler, out);
}

/* ---- tables */

static gboolean
has_name (const KvsqlRowRange *names, KvsqlSlice name)
{
  return kvsql_slice_compare (name, names->start) >= 0
         && (names->stop.size == 0 || kvsql_slice_compare (name, names->stop) < 0);
}

/* The call, with the schema that is read as its tag. */
static KvsqlCall
tag_call (const KvsqlTableScan *self, const KvsqlCall *call)
{
  KvsqlCall tagged = call == NULL ? (KvsqlCall){ 0 } : *call;

  tagged.tag = self->path->schema;
  return tagged;
}

static gboolean
list_open_table (KvsqlTableScan *self, const KvsqlCall *call, GError **error)
{
  const KvsqlAccessPath *path = self->path;
  const KvsqlCall tagged = tag_call (self, call);
  g_autoptr (GPtrArray) names
      = kvsql_store_list_tables (self->store, path->table_prefix, &tagged, error);

  g_assert (path->n_tables <= 1); /* its ranges are those of each listed table */
  if (names == NULL)
    return FALSE;
  self->tables = kvsql_arena_array (self->arena, KvsqlPlanTable, names->len + 1);
  for (guint i = 0; i < names->len && path->n_tables > 0; i++)
    {
      gsize size;
      gconstpointer data = g_bytes_get_data (names->pdata[i], &size);
      if (!has_name (&path->table_names, kvsql_slice (data, size))
          || !kvsql_assembler_accepts_table (self->assembler, kvsql_slice (data, size)))
        continue;
      self->tables[self->n_tables] = path->tables[0];
      self->tables[self->n_tables++].table
          = kvsql_slice_dup (self->arena, kvsql_slice (data, size));
    }
  return TRUE;
}

/* Cuts off what lies before the row of the position. FALSE if nothing is left. */
static gboolean
cut_range (KvsqlTableScan *self, KvsqlRowRange *range)
{
  KvsqlSlice row = self->resume.row;

  if (!self->path->is_reversed)
    {
      if (range->stop.size > 0 && kvsql_slice_compare (range->stop, row) <= 0)
        return FALSE;
      if (kvsql_slice_compare (range->start, row) < 0)
        range->start = row;
      return TRUE;
    }
  if (kvsql_slice_compare (range->start, row) > 0)
    return FALSE;
  if (range->stop.size == 0 || kvsql_slice_compare (range->stop, row) > 0)
    {
      guint8 *after = kvsql_arena_alloc0 (self->arena, row.size + 1);
      memcpy (after, row.data, row.size);
      range->stop = kvsql_slice (after, row.size + 1);
    }
  return TRUE;
}

/* Cuts the range to @bounds. FALSE if nothing is left. */
static gboolean
clip (KvsqlRowRange *range, const KvsqlRowRange *bounds)
{
  if (kvsql_slice_compare (range->start, bounds->start) < 0)
    range->start = bounds->start;
  if (bounds->stop.size > 0
      && (range->stop.size == 0 || kvsql_slice_compare (range->stop, bounds->stop) > 0))
    range->stop = bounds->stop;
  return range->stop.size == 0 || kvsql_slice_compare (range->start, range->stop) < 0;
}

static gboolean
is_of_part (const KvsqlTableScan *self, guint table)
{
  return kvsql_slice_equal (self->tables[table].table, self->part.name)
         && (self->path->has_open_table || table == self->part.table);
}

/* Restricts the scan to the part's table, if it still exists, and to the part's rows. */
static void
trim_to_part (KvsqlTableScan *self)
{
  KvsqlPlanTable *table;
  KvsqlRowRange *ranges;
  guint n = 0, found = 0;

  if (!self->part.is_part)
    return;
  while (found < self->n_tables && !is_of_part (self, found))
    found++;
  self->n_tables = found < self->n_tables ? 1 : 0;
  if (self->n_tables == 0)
    return;
  table = &self->tables[0];
  *table = self->tables[found];
  ranges = kvsql_arena_array (self->arena, KvsqlRowRange, table->n_ranges + 1);
  for (guint i = 0; i < table->n_ranges; i++)
    {
      ranges[n] = table->ranges[i];
      n += clip (&ranges[n], &self->part.rows);
    }
  table->ranges = ranges;
  table->n_ranges = n;
}

static void
set_bounding_ranges (KvsqlTableScan *self)
{
  self->bounding_ranges = kvsql_arena_array (self->arena, KvsqlRowRange, self->n_tables + 1);
  for (guint i = 0; i < self->n_tables; i++)
    if (self->tables[i].n_ranges > 0)
      self->bounding_ranges[i]
          = (KvsqlRowRange){ self->tables[i].ranges[0].start,
                             self->tables[i].ranges[self->tables[i].n_ranges - 1].stop };
}

/* A table may be read in several parts, one after the other. */
static gboolean
is_before_position (const KvsqlTableScan *self, const KvsqlPlanTable *table)
{
  KvsqlSlice row = self->resume.row, stop;

  /* listed tables ascend, and the table of the position may be gone by now */
  if (self->path->has_open_table)
    return kvsql_slice_compare (table->table, self->resume.table) < 0;
  if (!kvsql_slice_equal (table->table, self->resume.table) || table->n_ranges == 0)
    return TRUE;
  stop = table->ranges[table->n_ranges - 1].stop;
  return kvsql_slice_compare (row, table->ranges[0].start) < 0
         || (stop.size > 0 && kvsql_slice_compare (row, stop) >= 0);
}

/* Cuts off what lies before the position. */
static void
trim_to_position (KvsqlTableScan *self)
{
  KvsqlPlanTable *table;
  KvsqlRowRange *ranges;
  guint n = 0;

  if (!self->resume.has_row)
    return;
  while (self->table < self->n_tables && is_before_position (self, &self->tables[self->table]))
    self->tables[self->table++].n_ranges = 0;
  if (self->table == self->n_tables
      || !kvsql_slice_equal (self->tables[self->table].table, self->resume.table))
    {
      self->resume.has_row = FALSE;
      return;
    }
  table = &self->tables[self->table];
  ranges = kvsql_arena_array (self->arena, KvsqlRowRange, table->n_ranges + 1);
  for (guint i = 0; i < table->n_ranges; i++)
    {
      ranges[n] = table->ranges[i];
      n += cut_range (self, &ranges[n]);
    }
  table->ranges = ranges;
  table->n_ranges = n;
}

static gboolean
prepare_tables (KvsqlTableScan *self, const KvsqlCall *call, GError **error)
{
  if (self->tables != NULL)
    return TRUE;
  if (self->path->has_open_table)
    {
      if (!list_open_table (self, call, error))
        return FALSE;
    }
  else
    {
      self->n_tables = self->path->n_tables;
      self->tables = kvsql_arena_array (self->arena, KvsqlPlanTable, self->n_tables + 1);
      memcpy (self->tables, self->path->tables, self->n_tables * sizeof (KvsqlPlanTable));
    }
  trim_to_part (self);
  set_bounding_ranges (self);
  trim_to_position (self);
  return TRUE;
}

gboolean
kvsql_table_scan_get_tables (KvsqlTableScan *self, const KvsqlCall *call,
                             const KvsqlPlanTable **out_tables, guint *out_n_tables, GError **error)
{
  if (!prepare_tables (self, call, error))
    return FALSE;
  *out_tables = self->tables;
  *out_n_tables = self->n_tables;
  return TRUE;
}

static guint
batch_rows (const KvsqlTableScan *self)
{
  guint64 rows = KVSQL_BATCH_ROWS;

  if (self->row_hint > 0)
    rows = MIN (rows, self->row_hint);
  if (self->max_rows > 0)
    rows = MIN (rows,
                self->max_rows + 1); /* reading one row too many is enough to exceed the limit */
  return (guint)rows;
}

static KvsqlScanSpec
describe_scan (const KvsqlTableScan *self)
{
  const KvsqlPlanTable *table = &self->tables[self->table];

  return (KvsqlScanSpec){
    .table = table->table,
    .ranges = table->ranges,
    .n_ranges = table->n_ranges,
    .columns = self->path->columns,
    .n_columns = self->reads_all_columns ? 0 : self->path->n_columns,
    .times = self->path->times,
    /* with a limit all rows have to be counted, so none may be filtered out by the store */
    .filter = self->max_rows == 0 && !self->reads_all_columns ? self->path->filter : NULL,
    .keys_only = self->path->keys_only,
    .is_reversed = self->path->is_reversed,
    .row_hint = self->max_rows > 0 ? self->max_rows + 1 : self->row_hint,
    .expected_rows = self->expected_rows,
    .batch_rows = batch_rows (self),
  };
}

static gboolean
has_only_points (const KvsqlPlanTable *table)
{
  for (guint i = 0; i < table->n_ranges; i++)
    if (!kvsql_row_range_is_point (&table->ranges[i]))
      return FALSE;
  return TRUE;
}

/* All keys, unless the statement will probably end earlier. */
static guint
keys_per_get (const KvsqlTableScan *self)
{
  return self->row_hint == 0 ? KVSQL_NAMED_ROWS_PER_GET
                             : CLAMP (self->row_hint, KVSQL_ROWS_PER_GET, KVSQL_NAMED_ROWS_PER_GET);
}

/* The next rows of a table that is read by key; none at its end. */
static gboolean
get_rows (KvsqlTableScan *self, const KvsqlCall *call, const KvsqlRows **out_rows, GError **error)
{
  const KvsqlPlanTable *table = &self->tables[self->table];
  KvsqlSlice keys[KVSQL_NAMED_ROWS_PER_GET];
  guint n = MIN (table->n_ranges - self->next_key, keys_per_get (self));
  gint64 started_us = g_get_monotonic_time ();

  g_assert (self->next_key <= table->n_ranges && n <= G_N_ELEMENTS (keys));
  if (self->got == NULL)
    self->got = kvsql_arena_new ();
  kvsql_arena_reset (self->got);
  self->got_rows = (KvsqlRows){ 0 };
  for (guint i = 0; i < n; i++)
    {
      guint at = self->next_key + i;
      keys[i] = table->ranges[self->path->is_reversed ? table->n_ranges - 1 - at : at].start;
    }
  self->reads->requests += n > 0;
  if (n > 0
      && !kvsql_store_multi_get (self->store, table->table, keys, n, self->path->columns,
                                 self->reads_all_columns ? 0 : self->path->n_columns, call,
                                 self->got, &self->got_rows, error))
    return FALSE;
  kvsql_read_counts_add (self->reads, &self->got_rows, g_get_monotonic_time () - started_us);
  self->next_key += n;
  *out_rows = &self->got_rows;
  return TRUE;
}

/* Reads until there are rows, or until the end. */
static gboolean
skip_to_rows (KvsqlTableScan *self, const KvsqlCall *call, const KvsqlRows **out_rows,
              GError **error)
{
  gboolean is_at_end = FALSE;

  if (self->skipping == NULL)
    {
      KvsqlScanSpec spec = describe_scan (self);
      self->skipping = kvsql_skip_scan_new (self->store, &spec, self->path->skip, self->reads);
    }
  do
    if (!kvsql_skip_scan_next (self->skipping, call, out_rows, &is_at_end, error)
        || !kvsql_run_counts_check (self->counts, self->max_rows, error))
      return FALSE;
  while ((*out_rows)->n_rows == 0 && !is_at_end);
  return TRUE;
}

static gboolean
scan_rows (KvsqlTableScan *self, const KvsqlCall *call, const KvsqlRows **out_rows, GError **error)
{
  gint64 started_us = g_get_monotonic_time ();

  self->reads->requests++;
  if (self->scan == NULL)
    {
      KvsqlScanSpec spec = describe_scan (self);
      self->scan = kvsql_store_open_scan (self->store, &spec, call, error);
    }
  if (self->scan == NULL || !kvsql_scan_next (self->scan, call, out_rows, error))
    return FALSE;
  kvsql_read_counts_add (self->reads, *out_rows, g_get_monotonic_time () - started_us);
  return TRUE;
}

static gboolean
read_rows (KvsqlTableScan *self, const KvsqlCall *call, const KvsqlRows **out_rows, GError **error)
{
  const KvsqlCall tagged = tag_call (self, call);

  if (self->path->skip != NULL)
    return skip_to_rows (self, &tagged, out_rows, error);
  if (self->scan == NULL && (self->next_key > 0 || has_only_points (&self->tables[self->table])))
    return get_rows (self, &tagged, out_rows, error);
  return scan_rows (self, &tagged, out_rows, error);
}

static void
close_table (KvsqlTableScan *self)
{
  g_clear_pointer (&self->scan, kvsql_scan_close);
  g_clear_pointer (&self->skipping, kvsql_skip_scan_free);
}

/* As read_rows(), but a table or family that does not exist yet counts as empty. */
static gboolean
read_what_exists (KvsqlTableScan *self, const KvsqlCall *call, const KvsqlRows **out_rows,
                  GError **error)
{
  static const KvsqlRows no_rows = { 0 };
  gboolean is_begun = self->scan != NULL || self->skipping != NULL || self->next_key > 0;
  g_autoptr (GError) failure = NULL;

  if (read_rows (self, call, out_rows, &failure))
    return TRUE;
  if (!is_begun && self->missing_is_empty && self->path->n_columns > 0 && !self->reads_all_columns
      && g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_STORE))
    {
      /* If one of the wanted families does not exist, a store may read none of them. */
      self->reads_all_columns = TRUE;
      close_table (self);
      g_clear_error (&failure);
      if (read_rows (self, call, out_rows, &failure))
        return TRUE;
    }
  if (!is_begun && self->missing_is_empty
      && g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_STORE)
      && kvsql_store_lacks_table (self->store, self->tables[self->table].table, call))
    {
      *out_rows = &no_rows;
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Rows of the store; NULL at the end of all tables. */
static gboolean
fetch_rows (KvsqlTableScan *self, const KvsqlCall *call, const KvsqlRows **out_rows, GError **error)
{
  const KvsqlRows *rows;

  *out_rows = NULL;
  while (self->table < self->n_tables)
    {
      if (self->tables[self->table].n_ranges == 0)
        {
          self->table++;
          continue;
        }
      if (!read_what_exists (self, call, &rows, error))
        return FALSE;
      if (!kvsql_run_counts_check (self->counts, self->max_rows, error))
        return FALSE;
      if (rows->n_rows > 0)
        {
          *out_rows = rows;
          return TRUE;
        }
      close_table (self);
      self->table++;
      self->next_key = 0;
      self->resume.has_row = FALSE;
    }
  return TRUE;
}

/* Removes tuples of the resumed row that were emitted before the position. */
static void
drop_done (KvsqlTableScan *self, KvsqlBatch *batch)
{
  guint32 keep[KVSQL_BATCH_ROWS];
  guint n = 0;
  KvsqlSlice row;
  guint32 ordinal;

  g_assert (batch->n_rows <= G_N_ELEMENTS (keep));
  for (guint i = 0; i < batch->n_rows; i++)
    {
      if (kvsql_assembler_get_origin (self->assembler, i, &row, &ordinal)
          && kvsql_slice_equal (row, self->resume.row) && ordinal < self->resume.n_done_in_row)
        continue;
      keep[n++] = i;
    }
  if (n < batch->n_rows)
    {
      kvsql_assembler_drop (self->assembler, batch->n_rows - n);
      kvsql_batch_compact (batch, keep, n);
    }
}

gboolean
kvsql_table_scan_next (KvsqlTableScan *self, const KvsqlCall *call, KvsqlBatch **out_batch,
                       GError **error)
{
  KvsqlBatch *batch = kvsql_assembler_get_batch (self->assembler);

  kvsql_assembler_reset_batch (self->assembler);
  if (!prepare_tables (self, call, error))
    return FALSE;
  while (batch->n_rows == 0 && !self->is_at_end)
    {
      gboolean rows_done = FALSE;

      if (!self->has_rows)
        {
          const KvsqlRows *rows;

          if (!fetch_rows (self, call, &rows, error))
            return FALSE;
          self->has_rows = rows != NULL;
          if (self->has_rows)
            kvsql_assembler_set_rows (self->assembler, self->tables[self->table].table, rows);
          else
            {
              self->is_at_end = !kvsql_assembler_flush (self->assembler);
              break;
            }
        }
      if (!kvsql_assembler_run (self->assembler, &rows_done, error))
        return FALSE;
      self->has_rows = !rows_done;
      if (self->resume.has_row && batch->n_rows > 0)
        drop_done (self, batch);
      if (batch->n_rows == 0)
        kvsql_assembler_reset_batch (self->assembler);
    }
  g_assert (batch->n_rows > 0 || self->is_at_end); /* callers stop at the first empty batch */
  *out_batch = batch;
  return TRUE;
}

gint64
kvsql_table_scan_get_oldest (const KvsqlTableScan *self, guint tuple)
{
  return kvsql_assembler_get_oldest (self->assembler, tuple);
}

gboolean
kvsql_table_scan_next_rows (KvsqlTableScan *self, const KvsqlCall *call, KvsqlSlice *out_table,
                            const KvsqlRows **out_rows, GError **error)
{
  if (!prepare_tables (self, call, error) || !fetch_rows (self, call, out_rows, error))
    return FALSE;
  if (*out_rows != NULL)
    *out_table = self->tables[self->table].table;
  return TRUE;
}

gboolean
kvsql_table_scan_get_position (KvsqlTableScan *self, guint tuple, KvsqlScanPosition *out)
{
  guint32 ordinal;

  if (!kvsql_assembler_get_origin (self->assembler, tuple, &out->row, &ordinal))
    return FALSE;
  g_assert (self->table < self->n_tables); /* of the rows that the tuple is from */
  out->has_row = TRUE;
  out->table = self->tables[self->table].table;
  out->n_done_in_row = ordinal + 1;
  return TRUE;
}

/* Finds the first and the last row of the current table, independent of what was read. */
static gboolean
find_ends (KvsqlTableScan *self, const KvsqlCall *call)
{
  const KvsqlRowRange *bounding_range = &self->bounding_ranges[self->table];
  KvsqlSlice table = self->tables[self->table].table;
  gboolean found = self->ended_table == (gint)self->table;

  if (found)
    return TRUE;
  if (!kvsql_find_row (self->store, table, bounding_range, FALSE, call, self->arena,
                       &self->first_row, &found, NULL)
      || !found
      || !kvsql_find_row (self->store, table, bounding_range, TRUE, call, self->arena,
                          &self->last_row, &found, NULL)
      || !found)
    return FALSE;
  self->ended_table = (gint)self->table;
  return TRUE;
}

/* Positions come in the order of the scan. */
static gboolean
go_to_table (KvsqlTableScan *self, KvsqlSlice name)
{
  while (self->table < self->n_tables && !kvsql_slice_equal (self->tables[self->table].table, name))
    self->table++;
  return self->table < self->n_tables;
}

gdouble
kvsql_table_scan_guess_done (KvsqlTableScan *self, const KvsqlScanPosition *position,
                             const KvsqlCall *call)
{
  gdouble done;

  if (!(self->store->capabilities.flags & KVSQL_STORE_REVERSE_SCAN) || !position->has_row
      || !go_to_table (self, position->table) || !find_ends (self, call))
    return -1;
  done = kvsql_key_get_progress (self->first_row, self->last_row, position->row);
  if (self->path->is_reversed)
    done = 1 - done;
  return (self->table + done) / self->n_tables;
}

void
kvsql_table_scan_stop (KvsqlTableScan *self)
{
  close_table (self);
  self->is_at_end = TRUE;
}

gint64
kvsql_table_scan_get_newest (const KvsqlTableScan *self, guint tuple)
{
  return kvsql_assembler_get_newest (self->assembler, tuple);
}
