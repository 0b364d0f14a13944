/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * probe.c: see probe.h.
 */
#include "config.h"

#include "core/maintain/probe.h"

#include "core/plan/make-access-path.h"
#include "core/scan/undecodable-cells.h"
#include "core/scan/table-scan.h"

typedef struct
{
  const KvsqlProbeLimits *limits;
  KvsqlUndecodableCells *cells; /* decodes them */
  KvsqlProbe *out;
} Probe;

void
kvsql_probe_clear (KvsqlProbe *self)
{
  g_clear_pointer (&self->sample, g_free);
}

static void
set_sample (Probe *self, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell,
            gboolean is_undecodable)
{
  KvsqlProbe *out = self->out;

  if (out->sample != NULL && (out->is_undecodable || !is_undecodable))
    return;
  g_free (out->sample);
  out->sample = kvsql_undecodable_cells_describe (self->cells, table, row, cell);
  out->is_undecodable = is_undecodable;
}

static void
probe_row (Probe *self, KvsqlSlice table, const KvsqlRows *rows, const KvsqlRow *row)
{
  guint n[KVSQL_CELL_UNKNOWN + 1] = { 0 };

  for (guint c = 0; c < row->n_cells; c++)
    {
      const KvsqlCell *cell = &rows->cells[row->first_cell + c];
      KvsqlCellOwner owner
          = kvsql_undecodable_cells_find_owner (self->cells, table, row->key, cell);

      n[owner]++;
      if (owner == KVSQL_CELL_UNDECODABLE || owner == KVSQL_CELL_UNKNOWN)
        set_sample (self, table, row->key, cell, owner == KVSQL_CELL_UNDECODABLE);
    }
  self->out->n_rows++;
  self->out->n_cells += row->n_cells;
  self->out->n_own_rows += n[KVSQL_CELL_OWN] > 0;
  self->out->n_own_cells += n[KVSQL_CELL_OWN];
  self->out->n_other_rows += n[KVSQL_CELL_OF_ANOTHER] == row->n_cells;
  self->out->n_undecodable += n[KVSQL_CELL_UNDECODABLE];
}

static gboolean
is_enough (const Probe *self)
{
  const KvsqlProbeLimits *limits = self->limits;

  return (limits->max_rows > 0 && self->out->n_rows >= limits->max_rows)
         || (limits->max_cells > 0 && self->out->n_cells >= limits->max_cells)
         || (limits->stops_at_own && self->out->n_own_rows > 0);
}

static gboolean
probe_tables (Probe *self, KvsqlTableScan *scan, const KvsqlCall *call, GError **error)
{
  const KvsqlRows *rows;
  KvsqlSlice table;

  for (;;)
    {
      if (!kvsql_call_check (call, error)
          || !kvsql_table_scan_next_rows (scan, call, &table, &rows, error))
        return FALSE;
      if (rows == NULL)
        return TRUE;
      for (guint i = 0; i < rows->n_rows; i++)
        {
          self->out->has_more = is_enough (self);
          if (self->out->has_more)
            return TRUE;
          probe_row (self, table, rows, &rows->rows[i]);
        }
    }
}

/* Plans a scan of everything. */
static void
make_path (KvsqlStore *store, const KvsqlSchema *schema, KvsqlArena *arena, KvsqlAccessPath *out)
{
  KvsqlConstraint *none = kvsql_arena_array (arena, KvsqlConstraint, KVSQL_MAX_ATTRIBUTES);
  KvsqlDisjunct *disjunct = kvsql_arena_array (arena, KvsqlDisjunct, 1);
  KvsqlDnf everything = { .disjuncts = disjunct, .n_disjuncts = 1 };

  *disjunct = (KvsqlDisjunct){ .constraints = none };
  kvsql_access_path_make (schema, &everything, &schema->holds, &store->capabilities, arena, out);
}

/* ---- outside the key range */

/* Adds the key range of a schema in @table. TRUE: it has no bound. */
static gboolean
add_ranges (KvsqlStore *store, const KvsqlSchema *schema, KvsqlSlice table, KvsqlArena *arena,
            KvsqlRowRanges *out)
{
  KvsqlAccessPath path;

  make_path (store, schema, arena, &path);
  for (guint t = 0; t < path.n_tables; t++)
    {
      const KvsqlPlanTable *one = &path.tables[t];

      if (path.has_open_table ? kvsql_schema_may_use_table (schema, table)
                              : kvsql_slice_equal (one->table, table))
        for (guint r = 0; r < one->n_ranges; r++)
          kvsql_row_ranges_append (out, one->ranges[r], arena);
    }
  return path.is_full_scan;
}

/* Replaces the ranges of a path by the rows that belong to no schema. A neighbour whose key range
 * has no bound owns no row by that range: its rows are read, and recognized by their cells. FALSE:
 * there is nothing to read. */
static gboolean
read_outside (KvsqlStore *store, const KvsqlSchema *schema, KvsqlArena *arena,
              KvsqlAccessPath *path)
{
  KvsqlRowRanges taken = { 0 }, outside;

  if (!schema->has_constant_table)
    return FALSE;
  add_ranges (store, schema, schema->table, arena, &taken);
  for (guint i = 0; i < schema->neighbours->len; i++)
    {
      guint n = taken.n;

      if (add_ranges (store, schema->neighbours->pdata[i], schema->table, arena, &taken))
        taken.n = n;
    }
  kvsql_row_ranges_merge (&taken, arena);
  kvsql_row_ranges_invert (&taken, &outside, arena);
  path->tables[0].ranges = outside.ranges;
  path->tables[0].n_ranges = outside.n;
  return outside.n > 0;
}

gboolean
kvsql_probe_run (KvsqlStore *store, const KvsqlSchema *schema, const KvsqlProbeLimits *limits,
                 const KvsqlCall *call, KvsqlProbe *out, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlUndecodableCells) cells = kvsql_undecodable_cells_new (schema);
  g_autoptr (KvsqlTableScan) scan = NULL;
  Probe self = { .limits = limits, .cells = cells, .out = out };
  KvsqlAccessPath path;

  *out = (KvsqlProbe){ 0 };
  make_path (store, schema, arena, &path);
  if (limits->is_outside && !read_outside (store, schema, arena, &path))
    return TRUE;
  /* one more row shows whether there are more */
  scan = kvsql_table_scan_new (store, &path, &schema->holds, NULL,
                               MAX (limits->max_rows, limits->max_cells) + 1, 0);
  kvsql_table_scan_allow_missing_tables (scan);
  if (limits->has_all_columns)
    kvsql_table_scan_read_all_columns (scan);
  if (probe_tables (&self, scan, call, error))
    return TRUE;
  kvsql_probe_clear (out);
  *out = (KvsqlProbe){ 0 };
  return FALSE;
}

/* ---- one column */

static gchar *
find_in_rows (KvsqlUndecodableCells *cells, guint layout, KvsqlSlice table, const KvsqlRows *rows)
{
  for (guint i = 0; i < rows->n_rows; i++)
    for (guint c = 0; c < rows->rows[i].n_cells; c++)
      {
        const KvsqlCell *cell = &rows->cells[rows->rows[i].first_cell + c];

        if (kvsql_undecodable_cells_has_address (cells, layout, table, rows->rows[i].key, cell))
          return kvsql_undecodable_cells_print_cell (table, rows->rows[i].key, cell);
      }
  return NULL;
}

gboolean
kvsql_probe_find_cell (KvsqlStore *store, const KvsqlSchema *schema, guint layout,
                       const KvsqlCall *call, gchar **out_cell, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlUndecodableCells) cells = kvsql_undecodable_cells_new (schema);
  g_autoptr (KvsqlTableScan) scan = NULL;
  KvsqlAccessPath path;
  KvsqlColumn column = { 0 };
  const KvsqlRows *rows;
  KvsqlSlice table;

  *out_cell = NULL;
  make_path (store, schema, arena, &path);
  if (kvsql_cell_get_column (&schema->cells[layout], &column.family, &column.qualifier))
    {
      path.columns = &column;
      path.n_columns = 1;
    }
  scan = kvsql_table_scan_new (store, &path, &schema->holds, NULL, 0, 0);
  kvsql_table_scan_allow_missing_tables (scan);
  while (*out_cell == NULL)
    {
      if (!kvsql_call_check (call, error)
          || !kvsql_table_scan_next_rows (scan, call, &table, &rows, error))
        return FALSE;
      if (rows == NULL)
        return TRUE;
      *out_cell = find_in_rows (cells, layout, table, rows);
    }
  return TRUE;
}
