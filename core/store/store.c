/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store.c: the checks of arguments and deadlines, and the accounting, for all stores.
 *
 * A store is never called with an empty row, a family that is invalid in HBase, or ranges that are
 * not in order, so that no implementation has to check for them.
 */
#include "config.h"

#include "core/store/store.h"

/* Accounts for a call that began at @began_us. Returns @ok. */
static gboolean
note_call (KvsqlStore *self, KvsqlStoreCallKind kind, const KvsqlCall *call, gint64 began_us,
           const KvsqlRows *rows, gboolean ok)
{
  gint64 n_rows = rows == NULL ? 0 : rows->n_rows;

  kvsql_histogram_add (&self->usage.durations[kind], g_get_monotonic_time () - began_us);
  if (!ok)
    kvsql_count_add (&self->usage.n_errors[kind], 1);
  if (n_rows > 0)
    kvsql_count_add (&self->usage.n_rows_read, n_rows);
  if (call != NULL && call->usage != NULL)
    {
      kvsql_count_add (&call->usage->n_calls, 1);
      if (n_rows > 0)
        {
          kvsql_count_add (&call->usage->n_rows, n_rows);
          kvsql_count_add (&call->usage->n_cells, rows->n_cells);
        }
    }
  return ok;
}

static gboolean
check_table (KvsqlSlice table, GError **error)
{
  if (table.size == 0)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "table name is empty");
  return TRUE;
}

static gboolean
check_row (const KvsqlStore *self, KvsqlSlice row, GError **error)
{
  if (row.size == 0)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "row key is empty");
  if (row.size > self->capabilities.max_row_bytes)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "row key of %" G_GSIZE_FORMAT " bytes is too long", row.size);
      return kvsql_error_hint (error,
                               "Store \"%s\" takes row keys of up to %" G_GSIZE_FORMAT " bytes.",
                               self->klass->name, self->capabilities.max_row_bytes);
    }
  return TRUE;
}

static gboolean
check_family (KvsqlSlice family, GError **error)
{
  g_autofree gchar *readable = NULL;

  if (family.size == 0)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "family is empty");
  if (memchr (family.data, '\0', family.size) == NULL
      && memchr (family.data, ':', family.size) == NULL)
    return TRUE;
  readable = kvsql_readable (family);
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "family \"%s\" is not valid",
                   readable);
  return kvsql_error_hint (error, "A family contains neither ':' nor a zero byte.");
}

static gboolean
check_columns (const KvsqlColumn *columns, guint n_columns, GError **error)
{
  for (guint i = 0; i < n_columns; i++)
    {
      if (!check_family (columns[i].family, error))
        return FALSE;
      if (columns[i].whole_family && columns[i].qualifier.size > 0)
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                                "column %u asks for a whole family and a qualifier", i);
    }
  return TRUE;
}

static gboolean
check_ranges (const KvsqlRowRange *ranges, guint n_ranges, GError **error)
{
  for (guint i = 0; i < n_ranges; i++)
    {
      gboolean is_open = ranges[i].stop.size == 0;

      if (!is_open && kvsql_slice_compare (ranges[i].start, ranges[i].stop) >= 0)
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                                "row range %u is empty", i);
      if (i + 1 < n_ranges
          && (is_open || kvsql_slice_compare (ranges[i].stop, ranges[i + 1].start) > 0))
        return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                                "row ranges %u and %u overlap or are out of order", i, i + 1);
    }
  return TRUE;
}

static gboolean
check_value (const KvsqlStore *self, KvsqlSlice value, GError **error)
{
  if (value.size <= self->capabilities.max_value_bytes)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "value of %" G_GSIZE_FORMAT " bytes is too long", value.size);
  return kvsql_error_hint (error, "Store \"%s\" takes values of up to %" G_GSIZE_FORMAT " bytes.",
                           self->klass->name, self->capabilities.max_value_bytes);
}

/* @checked: (inout): the last family that was valid, as most calls name one family many times */
static gboolean
check_new_family (KvsqlSlice family, KvsqlSlice *checked, GError **error)
{
  if (family.size > 0 && family.size == checked->size && family.data == checked->data)
    return TRUE;
  *checked = family;
  return check_family (family, error);
}

static gboolean
check_cell (const KvsqlStore *self, const KvsqlCellMutation *cell, KvsqlSlice *family,
            GError **error)
{
  if (cell->timestamp < 1)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "timestamp %" G_GINT64_FORMAT " is below 1", cell->timestamp);
  switch (cell->kind)
    {
    case KVSQL_MUTATION_PUT:
      return check_new_family (cell->family, family, error)
             && check_value (self, cell->value, error);
    case KVSQL_MUTATION_DELETE:
      return check_new_family (cell->family, family, error);
    case KVSQL_MUTATION_DELETE_ROW:
      if (cell->family.size == 0 && cell->qualifier.size == 0)
        return TRUE;
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                              "the deletion of a row names a column");
    default:
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                              "mutation is of unknown kind %d", (gint)cell->kind);
    }
}

static gboolean
check_cells (const KvsqlStore *self, const KvsqlCellMutation *cells, guint n_cells,
             KvsqlSlice *family, GError **error)
{
  for (guint i = 0; i < n_cells; i++)
    if (!check_cell (self, &cells[i], family, error))
      return FALSE;
  return TRUE;
}

/* *out_n: the number of cells. */
static gboolean
check_rows (const KvsqlStore *self, const KvsqlRowMutation *rows, guint n_rows, guint *out_n,
            GError **error)
{
  KvsqlSlice family = KVSQL_SLICE_EMPTY;

  *out_n = 0;
  for (guint i = 0; i < n_rows; i++)
    {
      if (!check_table (rows[i].table, error) || !check_row (self, rows[i].row, error)
          || !check_cells (self, rows[i].cells, rows[i].n_cells, &family, error))
        return FALSE;
      *out_n += rows[i].n_cells;
    }
  return TRUE;
}

static gboolean
check_order (const KvsqlRowMutation *rows, guint n_rows, GError **error)
{
  for (guint i = 1; i < n_rows; i++)
    if (kvsql_row_mutation_compare (&rows[i - 1], &rows[i]) >= 0)
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                              "the rows %u and %u of a write are not in order", i - 1, i);
  return TRUE;
}

static gboolean
check_condition (const KvsqlStore *self, const KvsqlCheck *check, const KvsqlCellMutation *cells,
                 guint n_cells, GError **error)
{
  KvsqlSlice family = KVSQL_SLICE_EMPTY;

  if (!check_table (check->table, error) || !check_row (self, check->row, error)
      || !check_family (check->family, error))
    return FALSE;
  if (check->kind != KVSQL_CHECK_ABSENT && check->kind != KVSQL_CHECK_EQUAL)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "check is of unknown kind %d", (gint)check->kind);
  if (check->kind == KVSQL_CHECK_EQUAL && check->value.size == 0)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "a check can't compare with an empty value");
  if (n_cells == 0)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "a check comes without a mutation");
  return check_cells (self, cells, n_cells, &family, error);
}

void
kvsql_store_close (KvsqlStore *self)
{
  if (self != NULL)
    self->klass->close (self);
}

gboolean
kvsql_store_ping (KvsqlStore *self, const KvsqlCall *call, GError **error)
{
  gint64 began_us = g_get_monotonic_time ();

  return kvsql_call_check (call, error)
         && note_call (self, KVSQL_STORE_CALL_OTHER, call, began_us, NULL,
                       self->klass->ping (self, call, error));
}

KvsqlScan *
kvsql_store_open_scan (KvsqlStore *self, const KvsqlScanSpec *spec, const KvsqlCall *call,
                       GError **error)
{
  gint64 began_us = g_get_monotonic_time ();
  KvsqlScan *scan;

  if (!check_table (spec->table, error) || !check_ranges (spec->ranges, spec->n_ranges, error)
      || !check_columns (spec->columns, spec->n_columns, error))
    return NULL;
  if (spec->is_reversed && !(self->capabilities.flags & KVSQL_STORE_REVERSE_SCAN))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                       "store \"%s\" can't scan backwards", self->klass->name);
      return NULL;
    }
  for (guint i = 0; spec->filter != NULL && i < MAX (spec->n_columns, 1); i++)
    if (spec->n_columns == 0 || !kvsql_filter_names_family (spec->filter, spec->columns[i].family))
      {
        kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                         "the filter of a scan does not name every family that is read");
        return NULL;
      }
  if (spec->times.min < 0 || spec->times.max < 0
      || (spec->times.max > 0 && spec->times.max <= spec->times.min))
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "time range is empty");
      return NULL;
    }
  if (spec->times.max > 0 && !(self->capabilities.flags & KVSQL_STORE_ONE_VERSION))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                       "a scan of store \"%s\" up to some time would bring up older versions",
                       self->klass->name);
      return NULL;
    }
  if (!kvsql_call_check (call, error))
    return NULL;

  scan = self->klass->open_scan (self, spec, call, error);
  if (note_call (self, KVSQL_STORE_CALL_SCAN, call, began_us, NULL, scan != NULL))
    scan->store = self;
  return scan;
}

gboolean
kvsql_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows, GError **error)
{
  gint64 began_us = g_get_monotonic_time ();
  gboolean ok;

  if (!kvsql_call_check (call, error))
    return FALSE;
  ok = scan->store->klass->scan_next (scan, call, out_rows, error);
  return note_call (scan->store, KVSQL_STORE_CALL_SCAN, call, began_us, ok ? *out_rows : NULL, ok);
}

void
kvsql_scan_close (KvsqlScan *scan)
{
  if (scan != NULL)
    scan->store->klass->scan_close (scan);
}

static gboolean
can_be_a_row (const KvsqlStore *self, KvsqlSlice key)
{
  return key.size > 0 && key.size <= self->capabilities.max_row_bytes;
}

static gboolean
multi_get (KvsqlStore *self, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
           const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call, KvsqlArena *arena,
           KvsqlRows *out_rows, GError **error)
{
  gint64 began_us = g_get_monotonic_time ();
  gboolean ok = self->klass->multi_get (self, table, keys, n_keys, columns, n_columns, call, arena,
                                        out_rows, error);

  return note_call (self, KVSQL_STORE_CALL_GET, call, began_us, ok ? out_rows : NULL, ok);
}

/* For keys of which some cannot exist, so that a store might reject them: reads the others only. */
static gboolean
multi_get_possible (KvsqlStore *self, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                    const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                    KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  KvsqlSlice *possible = kvsql_arena_array (arena, KvsqlSlice, n_keys);
  KvsqlRow *rows = kvsql_arena_array (arena, KvsqlRow, n_keys);
  KvsqlRows found = { 0 };
  guint n_possible = 0;

  for (guint i = 0; i < n_keys; i++)
    if (can_be_a_row (self, keys[i]))
      possible[n_possible++] = keys[i];
  if (n_possible > 0
      && !multi_get (self, table, possible, n_possible, columns, n_columns, call, arena, &found,
                     error))
    return FALSE;

  for (guint i = 0, next = 0; i < n_keys; i++)
    if (can_be_a_row (self, keys[i]))
      rows[i] = found.rows[next++];
    else
      rows[i].key = kvsql_slice_dup (arena, keys[i]);
  *out_rows = (KvsqlRows){ n_keys, rows, found.n_cells, found.cells };
  return TRUE;
}

gboolean
kvsql_store_multi_get (KvsqlStore *self, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                       const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                       KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  if (!check_table (table, error) || !check_columns (columns, n_columns, error)
      || !kvsql_call_check (call, error))
    return FALSE;
  for (guint i = 0; i < n_keys; i++)
    if (!can_be_a_row (self, keys[i]))
      return multi_get_possible (self, table, keys, n_keys, columns, n_columns, call, arena,
                                 out_rows, error);
  if (n_keys == 0)
    {
      *out_rows = (KvsqlRows){ 0 };
      return TRUE;
    }
  return multi_get (self, table, keys, n_keys, columns, n_columns, call, arena, out_rows, error);
}

static gboolean
apply (KvsqlStore *self, const KvsqlRowMutation *rows, guint n_rows, const KvsqlCall *call,
       GError **error)
{
  gint64 began_us = g_get_monotonic_time ();
  guint n_cells;

  if (!check_rows (self, rows, n_rows, &n_cells, error) || !kvsql_call_check (call, error))
    return FALSE;
  if (n_rows == 0)
    return TRUE;
  kvsql_count_add (&self->usage.n_mutations, n_cells);
  return note_call (self, KVSQL_STORE_CALL_WRITE, call, began_us, NULL,
                    self->klass->apply (self, rows, n_rows, call, error));
}

gboolean
kvsql_store_apply_rows (KvsqlStore *self, const KvsqlRowMutation *rows, guint n_rows,
                        const KvsqlCall *call, GError **error)
{
  return check_order (rows, n_rows, error) && apply (self, rows, n_rows, call, error);
}

gboolean
kvsql_store_apply (KvsqlStore *self, const KvsqlMutation *mutations, guint n_mutations,
                   const KvsqlCall *call, GError **error)
{
  g_auto (KvsqlMutationRows) rows;

  kvsql_mutation_rows_init (&rows, mutations, n_mutations);
  return apply (self, rows.rows, rows.n_rows, call, error);
}

gboolean
kvsql_store_check (KvsqlStore *self, const KvsqlMutation *mutations, guint n_mutations,
                   GError **error)
{
  g_auto (KvsqlMutationRows) rows;
  guint n_cells;

  kvsql_mutation_rows_init (&rows, mutations, n_mutations);
  if (!check_rows (self, rows.rows, rows.n_rows, &n_cells, error))
    return FALSE;
  for (guint i = 0; self->klass->check_row != NULL && i < rows.n_rows; i++)
    if (!self->klass->check_row (self, &rows.rows[i], error))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_store_check_and_apply (KvsqlStore *self, const KvsqlCheck *check,
                             const KvsqlCellMutation *cells, guint n_cells, const KvsqlCall *call,
                             gboolean *out_applied, GError **error)
{
  gint64 began_us = g_get_monotonic_time ();

  if (!check_condition (self, check, cells, n_cells, error) || !kvsql_call_check (call, error))
    return FALSE;
  kvsql_count_add (&self->usage.n_mutations, n_cells);
  return note_call (
      self, KVSQL_STORE_CALL_WRITE, call, began_us, NULL,
      self->klass->check_and_apply (self, check, cells, n_cells, call, out_applied, error));
}

gboolean
kvsql_store_increment (KvsqlStore *self, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
                       KvsqlSlice qualifier, gint64 amount, const KvsqlCall *call,
                       gint64 *out_value, GError **error)
{
  gint64 began_us = g_get_monotonic_time ();

  if (!check_table (table, error) || !check_row (self, row, error) || !check_family (family, error)
      || !kvsql_call_check (call, error))
    return FALSE;
  kvsql_count_add (&self->usage.n_mutations, 1);
  return note_call (
      self, KVSQL_STORE_CALL_WRITE, call, began_us, NULL,
      self->klass->increment (self, table, row, family, qualifier, amount, call, out_value, error));
}

/* Tasks whose memory belongs to the caller's account, whichever threads run them. */
typedef struct
{
  KvsqlStoreTask task;
  gpointer data;
  KvsqlAccount *account;
} Tasks;

static gboolean
run_task (gpointer data, guint index, GError **error)
{
  const Tasks *self = data;
  KvsqlAccount *before = kvsql_account_enter (self->account);
  gboolean ok = self->task (self->data, index, error);

  kvsql_account_enter (before);
  return ok;
}

gboolean
kvsql_store_run_tasks (KvsqlStore *self, guint n, KvsqlStoreTask task, gpointer data,
                       GError **error)
{
  Tasks tasks = { .task = task, .data = data, .account = kvsql_account_get_current () };

  if (self->klass->run_tasks != NULL && n > 1)
    return self->klass->run_tasks (self, n, run_task, &tasks, error);
  for (guint i = 0; i < n; i++)
    if (!task (data, i, error))
      return FALSE;
  return TRUE;
}

GPtrArray *
kvsql_store_list_tables (KvsqlStore *self, KvsqlSlice prefix, const KvsqlCall *call, GError **error)
{
  return kvsql_call_check (call, error) ? self->klass->list_tables (self, prefix, call, error)
                                        : NULL;
}

gboolean
kvsql_store_describe_table (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call,
                            KvsqlArena *arena, KvsqlTableDescription *out, GError **error)
{
  *out = (KvsqlTableDescription){ 0 };
  return kvsql_call_check (call, error)
         && (self->klass->describe_table == NULL
             || self->klass->describe_table (self, name, call, arena, out, error));
}

gboolean
kvsql_store_lacks_table (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call)
{
  g_autoptr (GPtrArray) names = kvsql_store_list_tables (self, name, call, NULL);

  for (guint i = 0; names != NULL && i < names->len; i++)
    if (g_bytes_get_size (names->pdata[i]) == name.size)
      return FALSE;
  return names != NULL;
}

gboolean
kvsql_store_ensure_table (KvsqlStore *self, const KvsqlTableSpec *spec, const KvsqlCall *call,
                          gboolean *out_created, GError **error)
{
  gint64 began_us = g_get_monotonic_time ();

  if (!check_table (spec->name, error))
    return FALSE;
  if (spec->n_families == 0)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "a table needs a family");
  for (guint i = 0; i < spec->n_families; i++)
    if (!check_family (spec->families[i], error))
      return FALSE;
  return kvsql_call_check (call, error)
         && note_call (self, KVSQL_STORE_CALL_OTHER, call, began_us, NULL,
                       self->klass->ensure_table (self, spec, call, out_created, error));
}

gboolean
kvsql_store_drop_table (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call, GError **error)
{
  return check_table (name, error) && kvsql_call_check (call, error)
         && self->klass->drop_table (self, name, call, error);
}

gboolean
kvsql_store_flush (KvsqlStore *self, const KvsqlCall *call, GError **error)
{
  return kvsql_call_check (call, error) && self->klass->flush (self, call, error);
}

gboolean
kvsql_store_checkpoint (KvsqlStore *self, const gchar *directory, const KvsqlCall *call,
                        GError **error)
{
  if (self->klass->checkpoint != NULL)
    return kvsql_call_check (call, error) && self->klass->checkpoint (self, directory, call, error);
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                   "store \"%s\" has no backups of its own", self->klass->name);
  return kvsql_error_hint (error, "HBase makes snapshots of its tables: see Backup in "
                                  "docs/operations.md. What is in memory has no copy.");
}

void
kvsql_store_report (KvsqlStore *self, KvsqlFactFunc func, gpointer data)
{
  if (self->klass->report != NULL)
    self->klass->report (self, func, data);
}

gboolean
kvsql_store_split_points (KvsqlStore *self, KvsqlSlice table, const KvsqlRowRange *range,
                          guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                          KvsqlSlice **out_keys, guint *out_n_keys, GError **error)
{
  *out_keys = NULL;
  *out_n_keys = 0;
  if (!check_table (table, error) || !check_ranges (range, 1, error)
      || !kvsql_call_check (call, error))
    return FALSE;
  if (n_wanted == 0)
    return TRUE;
  return self->klass->split_points (self, table, range, n_wanted, call, arena, out_keys, out_n_keys,
                                    error);
}
