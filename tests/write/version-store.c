/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * version-store.c: see the header.
 */
#include "config.h"

#include "tests/write/version-store.h"

#include "core/store/rows.h"

/* Turns of a daemon that does nothing. */
#define LONGEST_STOP 300

typedef struct
{
  gchar *table;
  GBytes *row, *family, *qualifier;
  gint64 put, marker; /* newest of each; 0: none */
  GBytes *value;      /* of the newest put */
} Cell;

/* A row that is written later. */
typedef struct
{
  gconstpointer from; /* the store */
  gboolean is_checked;
  KvsqlCheck check;
  KvsqlRowMutation row;
} Late;

struct _VersionCells
{
  GRand *random;
  Turns *turns;
  GPtrArray *cells; /* Cell, in order */
  KvsqlArena *arena;
  GArray *late;  /* Late */
  guint once_in; /* a late request arrives once in so many times; 0: in every second one */
};

typedef struct
{
  KvsqlStore store;
  VersionCells *cells;
  VersionFaults faults;
  gboolean is_dead;
} VersionStore;

/* ---- cells */

static KvsqlSlice
slice_of (GBytes *bytes)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);

  return kvsql_slice (data, size);
}

static GBytes *
bytes_of (KvsqlSlice slice)
{
  return g_bytes_new (slice.data, slice.size);
}

static void
cell_free (gpointer data)
{
  Cell *self = data;

  g_free (self->table);
  g_bytes_unref (self->row);
  g_bytes_unref (self->family);
  g_bytes_unref (self->qualifier);
  g_clear_pointer (&self->value, g_bytes_unref);
  g_free (self);
}

static gint
compare_cells (gconstpointer a, gconstpointer b)
{
  const Cell *x = *(Cell *const *)a, *y = *(Cell *const *)b;
  gint order = g_strcmp0 (x->table, y->table);

  if (order == 0)
    order = kvsql_slice_compare (slice_of (x->row), slice_of (y->row));
  if (order == 0)
    order = kvsql_slice_compare (slice_of (x->family), slice_of (y->family));
  return order != 0 ? order
                    : kvsql_slice_compare (slice_of (x->qualifier), slice_of (y->qualifier));
}

static gboolean
is_of_row (const Cell *self, KvsqlSlice table, KvsqlSlice row)
{
  return kvsql_slice_equal (kvsql_slice_from_text (self->table), table)
         && kvsql_slice_equal (slice_of (self->row), row);
}

static Cell *
obtain_cell (VersionCells *self, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
             KvsqlSlice qualifier)
{
  Cell *cell;

  for (guint i = 0; i < self->cells->len; i++)
    {
      cell = self->cells->pdata[i];
      if (is_of_row (cell, table, row) && kvsql_slice_equal (slice_of (cell->family), family)
          && kvsql_slice_equal (slice_of (cell->qualifier), qualifier))
        return cell;
    }
  cell = g_new0 (Cell, 1);
  cell->table = g_strndup ((const gchar *)table.data, table.size);
  cell->row = bytes_of (row);
  cell->family = bytes_of (family);
  cell->qualifier = bytes_of (qualifier);
  g_ptr_array_add (self->cells, cell);
  g_ptr_array_sort (self->cells, compare_cells);
  return cell;
}

static gboolean
is_visible (const Cell *self)
{
  return self->put > self->marker;
}

static void
write_row (VersionCells *self, const KvsqlRowMutation *row)
{
  for (guint i = 0; i < row->n_cells; i++)
    {
      const KvsqlCellMutation *mutation = &row->cells[i];
      Cell *cell = obtain_cell (self, row->table, row->row, mutation->family, mutation->qualifier);

      if (mutation->kind == KVSQL_MUTATION_DELETE)
        cell->marker = MAX (cell->marker, mutation->timestamp);
      else if (mutation->timestamp >= cell->put)
        {
          cell->put = mutation->timestamp;
          g_clear_pointer (&cell->value, g_bytes_unref);
          cell->value = bytes_of (mutation->value);
        }
    }
}

static gboolean
holds (VersionCells *self, const KvsqlCheck *check)
{
  const Cell *cell = obtain_cell (self, check->table, check->row, check->family, check->qualifier);

  if (check->kind == KVSQL_CHECK_ABSENT)
    return !is_visible (cell);
  return is_visible (cell) && kvsql_slice_equal (slice_of (cell->value), check->value);
}

VersionCells *
version_cells_new (GRand *random, Turns *turns)
{
  VersionCells *self = g_new0 (VersionCells, 1);

  self->random = random;
  self->turns = turns;
  self->cells = g_ptr_array_new_with_free_func (cell_free);
  self->arena = kvsql_arena_new ();
  self->late = g_array_new (FALSE, FALSE, sizeof (Late));
  return self;
}

void
version_cells_set_lateness (VersionCells *self, guint once_in)
{
  self->once_in = once_in;
}

void
version_cells_free (VersionCells *self)
{
  g_ptr_array_unref (self->cells);
  g_array_unref (self->late);
  kvsql_arena_free (self->arena);
  g_free (self);
}

void
version_cells_print (VersionCells *self, const gchar *table, GString *out)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      const Cell *cell = self->cells->pdata[i];

      if (!is_visible (cell) || g_strcmp0 (cell->table, table) != 0)
        continue;
      kvsql_append_readable (out, slice_of (cell->row));
      g_string_append_c (out, ' ');
      kvsql_append_readable (out, slice_of (cell->qualifier));
      g_string_append_c (out, ' ');
      kvsql_append_readable (out, slice_of (cell->value));
      g_string_append_c (out, '\n');
    }
}

void
version_cells_compact (VersionCells *self, gint64 before)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      Cell *cell = self->cells->pdata[i];

      if (cell->marker >= before)
        continue;
      if (!is_visible (cell))
        cell->put = 0;
      cell->marker = 0;
    }
}

/* ---- requests that are late */

static void
deliver (VersionCells *self, guint index)
{
  const Late late = g_array_index (self->late, Late, index);

  g_array_remove_index_fast (self->late, index);
  if (!late.is_checked || holds (self, &late.check))
    write_row (self, &late.row);
}

void
version_cells_deliver (VersionCells *self)
{
  while (self->late->len > 0)
    deliver (self, (guint)g_rand_int_range (self->random, 0, (gint32)self->late->len));
}

static void
put_off (VersionStore *store, const KvsqlCheck *check, const KvsqlRowMutation *row)
{
  VersionCells *self = store->cells;
  KvsqlCellMutation *cells = kvsql_arena_array (self->arena, KvsqlCellMutation, row->n_cells);
  Late late = { .from = store, .is_checked = check != NULL };

  for (guint i = 0; i < row->n_cells; i++)
    {
      cells[i] = row->cells[i];
      cells[i].family = kvsql_slice_dup (self->arena, cells[i].family);
      cells[i].qualifier = kvsql_slice_dup (self->arena, cells[i].qualifier);
      cells[i].value = kvsql_slice_dup (self->arena, cells[i].value);
    }
  late.row = (KvsqlRowMutation){ .table = kvsql_slice_dup (self->arena, row->table),
                                 .row = kvsql_slice_dup (self->arena, row->row),
                                 .cells = cells,
                                 .n_cells = row->n_cells };
  if (check != NULL)
    {
      late.check = *check;
      late.check.table = late.row.table;
      late.check.row = late.row.row;
      late.check.family = kvsql_slice_dup (self->arena, check->family);
      late.check.qualifier = kvsql_slice_dup (self->arena, check->qualifier);
      late.check.value = kvsql_slice_dup (self->arena, check->value);
    }
  g_array_append_val (self->late, late);
}

/* ---- faults */

static gboolean
happens (const VersionStore *self, guint once_in)
{
  return once_in > 0 && g_rand_int_range (self->cells->random, 0, (gint32)once_in) == 0;
}

static gboolean
fail_unknown (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE, "no answer");
}

static gboolean
arrives (const VersionCells *cells)
{
  return cells->once_in > 0 ? g_rand_int_range (cells->random, 0, (gint32)cells->once_in) == 0
                            : g_rand_boolean (cells->random);
}

/* FALSE: the daemon is dead, or becomes so now. */
static gboolean
begin (VersionStore *self, GError **error)
{
  VersionCells *cells = self->cells;

  turns_wait (cells->turns);
  if (happens (self, self->faults.stopped))
    for (gint n = g_rand_int_range (cells->random, 0, LONGEST_STOP); n > 0; n--)
      turns_wait (cells->turns);
  if (cells->late->len > 0 && arrives (cells))
    deliver (self->cells, 0);
  self->is_dead = self->is_dead || happens (self, self->faults.death);
  return !self->is_dead
         || kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "the daemon is dead");
}

/* Writes a row, if @check (nullable) holds, unless a fault prevents that. */
static gboolean
write_row_with_faults (VersionStore *self, const KvsqlCheck *check, const KvsqlRowMutation *row,
                       gboolean *out_applied, GError **error)
{
  if (!begin (self, error))
    return FALSE;
  if (happens (self, self->faults.refused))
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "no gateway");
  if (happens (self, self->faults.late))
    {
      put_off (self, check, row);
      return fail_unknown (error);
    }
  *out_applied = check == NULL || holds (self->cells, check);
  if (*out_applied)
    write_row (self->cells, row);
  return !happens (self, self->faults.lost) || fail_unknown (error);
}

/* ---- the store */

static void
store_close (KvsqlStore *store)
{
  g_free (store);
}

static gboolean
is_wanted (const Cell *cell, const KvsqlColumn *columns, guint n_columns)
{
  for (guint i = 0; i < n_columns; i++)
    if (kvsql_slice_equal (slice_of (cell->family), columns[i].family)
        && (columns[i].whole_family
            || kvsql_slice_equal (slice_of (cell->qualifier), columns[i].qualifier)))
      return TRUE;
  return n_columns == 0;
}

/* Adds the visible cells of a row. Returns their number. */
static guint
add_row (VersionCells *cells, KvsqlSlice table, KvsqlSlice row, const KvsqlColumn *columns,
         guint n_columns, KvsqlRowsBuilder *out)
{
  guint n = 0;

  kvsql_rows_builder_add_row (out, kvsql_rows_builder_copy (out, row));
  for (guint i = 0; i < cells->cells->len; i++)
    {
      const Cell *from = cells->cells->pdata[i];
      KvsqlCell cell;

      if (!is_of_row (from, table, row) || !is_visible (from)
          || !is_wanted (from, columns, n_columns))
        continue;
      cell = (KvsqlCell){
        .family = kvsql_rows_builder_copy (out, slice_of (from->family)),
        .qualifier = kvsql_rows_builder_copy (out, slice_of (from->qualifier)),
        .value = kvsql_rows_builder_copy (out, slice_of (from->value)),
        .timestamp = from->put,
      };
      kvsql_rows_builder_add_cell (out, &cell);
      n++;
    }
  return n;
}

static gboolean
multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
           const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call, KvsqlArena *arena,
           KvsqlRows *out_rows, GError **error)
{
  VersionStore *self = (VersionStore *)store;
  KvsqlRowsBuilder builder;

  kvsql_rows_builder_init (&builder, arena);
  for (guint i = 0; i < n_keys; i++)
    {
      if (!begin (self, error))
        {
          kvsql_rows_builder_clear (&builder);
          return FALSE;
        }
      add_row (self->cells, table, keys[i], columns, n_columns, &builder);
    }
  *out_rows = kvsql_rows_builder_finish (&builder);
  kvsql_rows_builder_clear (&builder);
  return TRUE;
}

/* All rows of a table, in one batch. */
typedef struct
{
  KvsqlScan scan;
  KvsqlArena *arena;
  gchar *table;
  gboolean is_done;
  KvsqlRows rows;
} Scan;

static KvsqlScan *
open_scan (KvsqlStore *store, const KvsqlScanSpec *spec, const KvsqlCall *call, GError **error)
{
  Scan *self = g_new0 (Scan, 1);

  self->scan.store = store;
  self->arena = kvsql_arena_new ();
  self->table = g_strndup ((const gchar *)spec->table.data, spec->table.size);
  return &self->scan;
}

static void
scan_close (KvsqlScan *scan)
{
  Scan *self = (Scan *)scan;

  kvsql_arena_free (self->arena);
  g_free (self->table);
  g_free (self);
}

static gboolean
scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows, GError **error)
{
  Scan *self = (Scan *)scan;
  VersionStore *store = (VersionStore *)scan->store;
  KvsqlSlice table = kvsql_slice_from_text (self->table), row = KVSQL_SLICE_EMPTY;
  KvsqlRowsBuilder builder;

  if (!begin (store, error))
    return FALSE;
  kvsql_rows_builder_init (&builder, self->arena);
  for (guint i = 0; i < store->cells->cells->len && !self->is_done; i++)
    {
      const Cell *cell = store->cells->cells->pdata[i];
      KvsqlRowsMark mark = kvsql_rows_builder_get_mark (&builder);

      if (is_of_row (cell, table, row) || !is_of_row (cell, table, slice_of (cell->row)))
        continue;
      row = slice_of (cell->row);
      if (add_row (store->cells, table, row, NULL, 0, &builder) == 0)
        kvsql_rows_builder_return_to (&builder, &mark);
    }
  self->is_done = TRUE;
  self->rows = kvsql_rows_builder_finish (&builder);
  kvsql_rows_builder_clear (&builder);
  *out_rows = &self->rows;
  return TRUE;
}

static gboolean
apply (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows, const KvsqlCall *call,
       GError **error)
{
  VersionStore *self = (VersionStore *)store;
  gboolean ignored;

  for (guint i = 0; i < n_rows; i++)
    if (!write_row_with_faults (self, NULL, &rows[i], &ignored, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_and_apply (KvsqlStore *store, const KvsqlCheck *check, const KvsqlCellMutation *cells,
                 guint n_cells, const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  const KvsqlRowMutation row
      = { .table = check->table, .row = check->row, .cells = cells, .n_cells = n_cells };

  return write_row_with_faults ((VersionStore *)store, check, &row, out_applied, error);
}

/* One after the other, in any order. */
static gboolean
run_tasks (KvsqlStore *store, guint n, KvsqlStoreTask task, gpointer data, GError **error)
{
  const VersionCells *cells = ((VersionStore *)store)->cells;
  g_autofree guint *order = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    {
      guint at = (guint)g_rand_int_range (cells->random, 0, (gint32)i + 1);

      order[i] = order[at];
      order[at] = i;
    }
  for (guint i = 0; i < n; i++)
    if (!task (data, order[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec, const KvsqlCall *call,
              gboolean *out_created, GError **error)
{
  return TRUE;
}

static const KvsqlStoreClass version_class = {
  .version = KVSQL_STORE_VERSION,
  .name = "version",
  .close = store_close,
  .open_scan = open_scan,
  .scan_next = scan_next,
  .scan_close = scan_close,
  .multi_get = multi_get,
  .apply = apply,
  .check_and_apply = check_and_apply,
  .run_tasks = run_tasks,
  .ensure_table = ensure_table,
};

KvsqlStore *
version_store_new (VersionCells *cells, VersionFaults faults)
{
  VersionStore *self = g_new0 (VersionStore, 1);

  self->store.klass = &version_class;
  self->store.capabilities.max_row_bytes = 32767;
  self->store.capabilities.max_value_bytes = 10 * 1024 * 1024;
  self->cells = cells;
  self->faults = faults;
  return &self->store;
}

gboolean
version_store_is_dead (KvsqlStore *store)
{
  return ((VersionStore *)store)->is_dead;
}

gboolean
version_store_is_silent (KvsqlStore *store)
{
  const VersionCells *cells = ((VersionStore *)store)->cells;

  for (guint i = 0; i < cells->late->len; i++)
    if (g_array_index (cells->late, Late, i).from == store)
      return FALSE;
  return TRUE;
}
