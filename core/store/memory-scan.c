/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * memory-scan.c: scans of the store in memory.
 *
 * A scan keeps only the key of its last row, and looks it up again for every batch. So concurrent
 * changes of the trees do not affect it.
 */
#include "config.h"

#include "core/store/filter.h"
#include "core/store/memory-tree.h"

#define BATCH_ROWS 1024
#define BATCH_BYTES (1024 * 1024)
#define ROWS_BETWEEN_CHECKS 1024

typedef struct
{
  KvsqlScan base;
  KvsqlArena *kept; /* owns what @spec points to */
  KvsqlScanSpec spec;
  guint range;          /* index of the current range */
  gboolean has_last;    /* a row of the current range was seen */
  KvsqlBuffer last_key; /* that row */
  guint64 n_rows;
  KvsqlArena *arena;
  KvsqlRowsBuilder rows;
} Scan;

static void
copy_spec (Scan *self, const KvsqlScanSpec *spec)
{
  KvsqlRowRange *ranges = kvsql_arena_array (self->kept, KvsqlRowRange, spec->n_ranges);
  KvsqlColumn *columns = kvsql_arena_array (self->kept, KvsqlColumn, spec->n_columns);

  for (guint i = 0; i < spec->n_ranges; i++)
    ranges[i] = (KvsqlRowRange){ kvsql_slice_dup (self->kept, spec->ranges[i].start),
                                 kvsql_slice_dup (self->kept, spec->ranges[i].stop) };
  for (guint i = 0; i < spec->n_columns; i++)
    columns[i] = (KvsqlColumn){ kvsql_slice_dup (self->kept, spec->columns[i].family),
                                kvsql_slice_dup (self->kept, spec->columns[i].qualifier),
                                spec->columns[i].whole_family };
  self->spec = *spec;
  self->spec.table = kvsql_slice_dup (self->kept, spec->table);
  self->spec.ranges = ranges;
  self->spec.columns = columns;
  self->spec.filter = kvsql_filter_dup (spec->filter, self->kept);
  if (spec->batch_rows == 0)
    self->spec.batch_rows = BATCH_ROWS;
}

KvsqlScan *
kvsql_memory_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec, const KvsqlCall *call,
                        GError **error)
{
  Scan *self = g_new0 (Scan, 1);

  self->kept = kvsql_arena_new ();
  self->arena = kvsql_arena_new ();
  kvsql_rows_builder_init (&self->rows, self->arena);
  copy_spec (self, spec);
  return &self->base;
}

void
kvsql_memory_scan_close (KvsqlScan *scan)
{
  Scan *self = (Scan *)scan;

  kvsql_rows_builder_clear (&self->rows);
  kvsql_buffer_clear (&self->last_key);
  kvsql_arena_free (self->arena);
  kvsql_arena_free (self->kept);
  g_free (self);
}

static GTreeNode *
first_below (GTree *rows, KvsqlSlice limit)
{
  GTreeNode *node = g_tree_lower_bound (rows, &limit);

  return node == NULL ? g_tree_node_last (rows) : g_tree_node_previous (node);
}

/* The next row of the current range, or NULL at its end. */
static GTreeNode *
next_in_range (Scan *self, GTree *rows, const KvsqlRowRange *range)
{
  KvsqlSlice last = kvsql_buffer_slice (&self->last_key);
  GTreeNode *node;

  if (!self->spec.is_reversed)
    {
      node = self->has_last ? g_tree_upper_bound (rows, &last)
                            : g_tree_lower_bound (rows, &range->start);
      if (node != NULL && range->stop.size > 0
          && kvsql_memory_compare_keys (g_tree_node_key (node), &range->stop, NULL) >= 0)
        return NULL;
      return node;
    }
  if (self->has_last)
    node = first_below (rows, last);
  else
    node = range->stop.size == 0 ? g_tree_node_last (rows) : first_below (rows, range->stop);
  return node != NULL
                 && kvsql_memory_compare_keys (g_tree_node_key (node), &range->start, NULL) >= 0
             ? node
             : NULL;
}

static KvsqlMemoryRow *
next_row (Scan *self, KvsqlMemoryTable *table)
{
  for (; self->range < self->spec.n_ranges; self->range++, self->has_last = FALSE)
    {
      guint n = self->spec.is_reversed ? self->spec.n_ranges - 1 - self->range : self->range;
      GTreeNode *node = next_in_range (self, table->rows, &self->spec.ranges[n]);

      if (node != NULL)
        {
          KvsqlMemoryRow *row = g_tree_node_value (node);

          self->last_key.size = 0;
          kvsql_buffer_append_slice (&self->last_key, row->key);
          self->has_last = TRUE;
          return row;
        }
    }
  return NULL;
}

/* FALSE if the row is omitted. */
static gboolean
add_row (Scan *self, const KvsqlMemoryRow *row)
{
  const KvsqlRowsMark mark = kvsql_rows_builder_get_mark (&self->rows);
  const KvsqlRows *rows = &self->rows.rows;

  if (!kvsql_memory_copy_row (&self->rows, row, self->spec.columns, self->spec.n_columns,
                              &self->spec.times))
    return FALSE;
  if (self->spec.filter != NULL
      && !kvsql_filter_admits (self->spec.filter, &rows->cells[mark.n_cells],
                               rows->n_cells - mark.n_cells))
    {
      kvsql_rows_builder_return_to (&self->rows, &mark);
      return FALSE;
    }
  for (guint c = mark.n_cells; self->spec.keys_only && c < rows->n_cells; c++)
    rows->cells[c].value.size = 0;
  return TRUE;
}

static gboolean
fill_batch (Scan *self, const KvsqlCall *call, GError **error)
{
  KvsqlMemoryTable *table
      = kvsql_memory_find_table (((KvsqlMemoryStore *)self->base.store)->tables, self->spec.table);
  guint n_seen = 0;

  while (table != NULL && self->rows.rows.n_rows < self->spec.batch_rows
         && self->rows.n_bytes < BATCH_BYTES
         && (self->spec.row_limit == 0 || self->n_rows < self->spec.row_limit))
    {
      KvsqlMemoryRow *row = next_row (self, table);

      if (row == NULL)
        break;
      if (++n_seen % ROWS_BETWEEN_CHECKS == 0 && !kvsql_call_check (call, error))
        return FALSE;
      if (add_row (self, row))
        self->n_rows++;
    }
  return TRUE;
}

gboolean
kvsql_memory_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                        GError **error)
{
  Scan *self = (Scan *)scan;
  KvsqlMemoryStore *store = (KvsqlMemoryStore *)scan->store;
  gboolean ok;

  kvsql_rows_builder_reset (&self->rows);
  g_rw_lock_reader_lock (&store->lock);
  ok = fill_batch (self, call, error);
  g_rw_lock_reader_unlock (&store->lock);
  if (ok)
    *out_rows = &self->rows.rows;
  return ok;
}

/* ---- parts of a range */

static GTreeNode *
next_before (GTreeNode *node, KvsqlSlice stop)
{
  return node == NULL
                 || (stop.size > 0
                     && kvsql_memory_compare_keys (g_tree_node_key (node), &stop, NULL) >= 0)
             ? NULL
             : node;
}

/* A GTree has no count of the rows in a range: a first pass counts them, a second one chooses. */
static guint
choose_rows (GTree *rows, const KvsqlRowRange *range, guint n_wanted, KvsqlArena *arena,
             KvsqlSlice *keys)
{
  GTreeNode *first = next_before (g_tree_lower_bound (rows, &range->start), range->stop);
  guint64 n_rows = 0, at = 0;
  guint n = 0;

  for (GTreeNode *node = first; node != NULL; n_rows++)
    node = next_before (g_tree_node_next (node), range->stop);
  for (GTreeNode *node = first; node != NULL && n < n_wanted; at++)
    {
      if (at > 0 && at >= n_rows * (n + 1) / (n_wanted + 1))
        keys[n++] = kvsql_slice_dup (arena, *(const KvsqlSlice *)g_tree_node_key (node));
      node = next_before (g_tree_node_next (node), range->stop);
    }
  return n;
}

gboolean
kvsql_memory_split_points (KvsqlStore *base, KvsqlSlice name, const KvsqlRowRange *range,
                           guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                           KvsqlSlice **out_keys, guint *out_n_keys, GError **error)
{
  KvsqlMemoryStore *store = (KvsqlMemoryStore *)base;
  KvsqlMemoryTable *table;

  *out_keys = kvsql_arena_array (arena, KvsqlSlice, n_wanted);
  g_rw_lock_reader_lock (&store->lock);
  table = kvsql_memory_find_table (store->tables, name);
  *out_n_keys = table == NULL ? 0 : choose_rows (table->rows, range, n_wanted, arena, *out_keys);
  g_rw_lock_reader_unlock (&store->lock);
  return TRUE;
}
