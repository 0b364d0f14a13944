/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * recording-store.c: see the header.
 */
#include "config.h"

#include "core/write/recording-store.h"

#include "core/anchor/anchor.h"
#include "core/catalog/schema.h"
#include "core/store/memory.h"
#include "core/store/rows.h"

typedef struct
{
  KvsqlStore base;
  KvsqlStoreClass klass; /* with the name of @inner, for messages */
  KvsqlStore *inner;
  KvsqlCalls *calls;
  KvsqlStore *anchors; /* cells of anchors that were put; NULL: writes without a log */
  gboolean runs_tasks; /* they are one step */
} RecordingStore;

typedef struct
{
  KvsqlScan base;
  KvsqlScan *inner;
} RecordingScan;

static const gchar *
name_of_schema (gconstpointer tag)
{
  return tag != NULL ? ((const KvsqlSchema *)tag)->name : NULL;
}

static gboolean
has_anchors (const RecordingStore *self, KvsqlSlice table)
{
  return self->anchors != NULL && kvsql_slice_equal (table, KVSQL_ANCHOR_TABLE);
}

static void
begin_step (RecordingStore *self)
{
  if (self->anchors != NULL && !self->runs_tasks)
    kvsql_calls_begin_step (self->calls);
}

/* The call as the inner store gets it. The statement's usage has counted it already. */
static KvsqlCall
inner_call (const KvsqlCall *call)
{
  KvsqlCall inner = { 0 };

  if (call != NULL)
    {
      inner.deadline_us = call->deadline_us;
      inner.cancellable = call->cancellable;
    }
  return inner;
}

static gboolean
is_recorded (const KvsqlCall *call)
{
  return call != NULL && call->tag != NULL;
}

/* ---- reads */

static KvsqlScan *
recording_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec, const KvsqlCall *call,
                     GError **error)
{
  RecordingStore *self = (RecordingStore *)store;
  const KvsqlCall inner = inner_call (call);
  KvsqlScan *opened = kvsql_store_open_scan (self->inner, spec, &inner, error);
  RecordingScan *scan;

  if (opened == NULL)
    return NULL;
  if (is_recorded (call))
    {
      begin_step (self);
      kvsql_calls_add_scan (self->calls, name_of_schema (call->tag), spec);
    }
  scan = g_new0 (RecordingScan, 1);
  scan->inner = opened;
  return &scan->base;
}

static gboolean
recording_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                     GError **error)
{
  const KvsqlCall inner = inner_call (call);

  return kvsql_scan_next (((RecordingScan *)scan)->inner, &inner, out_rows, error);
}

static void
recording_scan_close (KvsqlScan *scan)
{
  kvsql_scan_close (((RecordingScan *)scan)->inner);
  g_free (scan);
}

/* ---- anchors */

static gboolean
has_cell (const KvsqlCell *cells, guint n, const KvsqlCell *cell)
{
  for (guint i = 0; i < n; i++)
    if (kvsql_slice_equal (cells[i].qualifier, cell->qualifier))
      return TRUE;
  return FALSE;
}

/* The cells of @newer, and those of @older that @newer does not have. */
static KvsqlRows
merge (const KvsqlRows *older, const KvsqlRows *newer, KvsqlArena *arena)
{
  KvsqlRowsBuilder builder;
  KvsqlRows result;

  kvsql_rows_builder_init (&builder, arena);
  for (guint i = 0; i < older->n_rows; i++)
    {
      const KvsqlRow *old = &older->rows[i], *new = &newer->rows[i];

      kvsql_rows_builder_add_row (&builder, old->key);
      for (guint c = 0; c < new->n_cells; c++)
        kvsql_rows_builder_add_cell (&builder, &newer->cells[new->first_cell + c]);
      for (guint c = 0; c < old->n_cells; c++)
        if (!has_cell (newer->cells + new->first_cell, new->n_cells,
                       &older->cells[old->first_cell + c]))
          kvsql_rows_builder_add_cell (&builder, &older->cells[old->first_cell + c]);
    }
  result = kvsql_rows_builder_finish (&builder);
  kvsql_rows_builder_clear (&builder);
  return result;
}

/* A table that does not exist yet has no anchors. */
static gboolean
get_anchors (RecordingStore *self, const KvsqlSlice *keys, guint n_keys, const KvsqlCall *call,
             KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  const KvsqlColumn family = { .family = KVSQL_ANCHOR_FAMILY, .whole_family = TRUE };
  g_autoptr (GError) failure = NULL;
  KvsqlRows older, newer;

  if (!kvsql_store_multi_get (self->anchors, KVSQL_ANCHOR_TABLE, keys, n_keys, &family, 1, NULL,
                              arena, &newer, error))
    return FALSE;
  if (kvsql_store_multi_get (self->inner, KVSQL_ANCHOR_TABLE, keys, n_keys, &family, 1, call, arena,
                             &older, &failure))
    {
      *out_rows = merge (&older, &newer, arena);
      return TRUE;
    }
  if (g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_STORE))
    {
      *out_rows = newer;
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* ---- reads of many rows */

static gboolean
recording_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                     const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                     KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  RecordingStore *self = (RecordingStore *)store;
  const KvsqlCall inner = inner_call (call);

  if (!(has_anchors (self, table)
            ? get_anchors (self, keys, n_keys, &inner, arena, out_rows, error)
            : kvsql_store_multi_get (self->inner, table, keys, n_keys, columns, n_columns, &inner,
                                     arena, out_rows, error)))
    return FALSE;
  if (is_recorded (call) || has_anchors (self, table))
    {
      begin_step (self);
      kvsql_calls_add_gets (self->calls, name_of_schema (call->tag), table, keys, n_keys, columns,
                            n_columns);
    }
  return kvsql_calls_check (self->calls, error);
}

static GPtrArray *
recording_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call, GError **error)
{
  RecordingStore *self = (RecordingStore *)store;
  const KvsqlCall inner = inner_call (call);

  if (is_recorded (call))
    {
      begin_step (self);
      kvsql_calls_add_list (self->calls, name_of_schema (call->tag), prefix);
    }
  return kvsql_store_list_tables (self->inner, prefix, &inner, error);
}

static gboolean
recording_split_points (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                        guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                        KvsqlSlice **out_keys, guint *out_n_keys, GError **error)
{
  RecordingStore *self = (RecordingStore *)store;
  const KvsqlCall inner = inner_call (call);

  return kvsql_store_split_points (self->inner, table, range, n_wanted, &inner, arena, out_keys,
                                   out_n_keys, error);
}

static gboolean
recording_ping (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  return kvsql_store_ping (((RecordingStore *)store)->inner, call, error);
}

/* ---- writes */

typedef enum
{
  ROW_PUTS,
  ROW_BOTH,
  ROW_DELETES,
  N_ROW_KINDS,
} RowKind;

static RowKind
kind_of_row (const KvsqlRowMutation *row)
{
  guint n_puts = 0;

  for (guint i = 0; i < row->n_cells; i++)
    n_puts += row->cells[i].kind == KVSQL_MUTATION_PUT;
  return n_puts == row->n_cells ? ROW_PUTS : n_puts == 0 ? ROW_DELETES : ROW_BOTH;
}

/* What a checked write puts is there before anything is deleted (checked-write.h), so these are
 * steps. */
static gboolean
record_in_steps (RecordingStore *self, const KvsqlRowMutation *rows, guint n_rows, GError **error)
{
  for (guint kind = 0; kind < N_ROW_KINDS; kind++)
    {
      gboolean has_begun = FALSE;

      for (guint i = 0; i < n_rows; i++)
        {
          if (kind_of_row (&rows[i]) != kind)
            continue;
          if (!has_begun)
            begin_step (self);
          has_begun = TRUE;
          kvsql_calls_add_row (self->calls, &rows[i], name_of_schema);
          if (has_anchors (self, rows[i].table)
              && !kvsql_store_apply_rows (self->anchors, &rows[i], 1, NULL, error))
            return FALSE;
        }
    }
  return kvsql_calls_check (self->calls, error);
}

static gboolean
recording_apply (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows,
                 const KvsqlCall *call, GError **error)
{
  RecordingStore *self = (RecordingStore *)store;

  if (self->anchors != NULL)
    return record_in_steps (self, rows, n_rows, error);
  for (guint i = 0; i < n_rows; i++)
    kvsql_calls_add_row (self->calls, &rows[i], name_of_schema);
  return kvsql_calls_check (self->calls, error);
}

static gboolean
recording_check_and_apply (KvsqlStore *store, const KvsqlCheck *check,
                           const KvsqlCellMutation *cells, guint n_cells, const KvsqlCall *call,
                           gboolean *out_applied, GError **error)
{
  RecordingStore *self = (RecordingStore *)store;
  const KvsqlRowMutation row
      = { .table = check->table, .row = check->row, .cells = cells, .n_cells = n_cells };

  *out_applied = TRUE;
  begin_step (self);
  kvsql_calls_add_check (self->calls, check, cells, n_cells);
  return kvsql_calls_check (self->calls, error)
         && (!has_anchors (self, check->table)
             || kvsql_store_apply_rows (self->anchors, &row, 1, NULL, error));
}

static gboolean
recording_run_tasks (KvsqlStore *store, guint n, KvsqlStoreTask task, gpointer data, GError **error)
{
  RecordingStore *self = (RecordingStore *)store;
  gboolean ok = TRUE;

  begin_step (self);
  self->runs_tasks = TRUE;
  for (guint i = 0; i < n && ok; i++)
    ok = task (data, i, error);
  self->runs_tasks = FALSE;
  return ok;
}

static gboolean
recording_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
                     KvsqlSlice qualifier, gint64 amount, const KvsqlCall *call, gint64 *out_value,
                     GError **error)
{
  RecordingStore *self = (RecordingStore *)store;
  const KvsqlColumn column = { .family = family, .qualifier = qualifier };

  kvsql_calls_add_increment (self->calls, name_of_schema (call->tag), table, row, &column, amount);
  *out_value = amount;
  return kvsql_calls_check (self->calls, error);
}

static gboolean
recording_ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec, const KvsqlCall *call,
                        gboolean *out_created, GError **error)
{
  if (out_created != NULL)
    *out_created = FALSE;
  return TRUE;
}

static gboolean
recording_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call, GError **error)
{
  return TRUE;
}

static gboolean
recording_flush (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  return TRUE;
}

/* ---- open and close */

static void
recording_close (KvsqlStore *store)
{
  kvsql_store_close (((RecordingStore *)store)->anchors);
  g_free (store);
}

static gboolean
recording_check_row (KvsqlStore *store, const KvsqlRowMutation *row, GError **error)
{
  KvsqlStore *inner = ((RecordingStore *)store)->inner;

  return inner->klass->check_row == NULL || inner->klass->check_row (inner, row, error);
}

static const KvsqlStoreClass recording_class = {
  .version = KVSQL_STORE_VERSION,
  .close = recording_close,
  .ping = recording_ping,
  .open_scan = recording_open_scan,
  .scan_next = recording_scan_next,
  .scan_close = recording_scan_close,
  .multi_get = recording_multi_get,
  .apply = recording_apply,
  .check_row = recording_check_row,
  .check_and_apply = recording_check_and_apply,
  .increment = recording_increment,
  .list_tables = recording_list_tables,
  .ensure_table = recording_ensure_table,
  .drop_table = recording_drop_table,
  .flush = recording_flush,
  .split_points = recording_split_points,
  .run_tasks = recording_run_tasks,
};

KvsqlStore *
kvsql_recording_store_new (KvsqlStore *inner, KvsqlCalls *calls, gboolean has_log)
{
  RecordingStore *self = g_new0 (RecordingStore, 1);

  self->klass = recording_class;
  self->klass.name = inner->klass->name;
  self->base.klass = &self->klass;
  self->base.capabilities = inner->capabilities;
  self->base.capabilities.flags |= KVSQL_STORE_IMPLICIT_TABLES | KVSQL_STORE_DRY;
  if (has_log)
    self->anchors = kvsql_memory_store_new ();
  else
    self->base.capabilities.flags |= KVSQL_STORE_ATOMIC_BATCH;
  self->inner = inner;
  self->calls = calls;
  return &self->base;
}
