/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * recording-store.c: see the header.
 */
#include "config.h"

#include "core/write/recording-store.h"

#include "core/catalog/schema.h"

typedef struct
{
  KvsqlStore base;
  KvsqlStoreClass klass; /* with the name of @inner, for messages */
  KvsqlStore *inner;
  KvsqlCalls *calls;
} RecordingStore;

typedef struct
{
  KvsqlScan base;
  KvsqlScan *inner;
} RecordingScan;

static const gchar *
name_of_schema (gconstpointer tag)
{
  return ((const KvsqlSchema *)tag)->name;
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
    kvsql_calls_add_scan (self->calls, name_of_schema (call->tag), spec);
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

static gboolean
recording_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                     const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                     KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  RecordingStore *self = (RecordingStore *)store;
  const KvsqlCall inner = inner_call (call);

  if (!kvsql_store_multi_get (self->inner, table, keys, n_keys, columns, n_columns, &inner, arena,
                              out_rows, error))
    return FALSE;
  if (is_recorded (call))
    kvsql_calls_add_gets (self->calls, name_of_schema (call->tag), table, keys, n_keys, columns,
                          n_columns);
  return kvsql_calls_check (self->calls, error);
}

static GPtrArray *
recording_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call, GError **error)
{
  RecordingStore *self = (RecordingStore *)store;
  const KvsqlCall inner = inner_call (call);

  if (is_recorded (call))
    kvsql_calls_add_list (self->calls, name_of_schema (call->tag), prefix);
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

static gboolean
recording_apply (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows,
                 const KvsqlCall *call, GError **error)
{
  RecordingStore *self = (RecordingStore *)store;

  for (guint i = 0; i < n_rows; i++)
    kvsql_calls_add_row (self->calls, &rows[i], name_of_schema);
  return kvsql_calls_check (self->calls, error);
}

static gboolean
recording_check_and_apply (KvsqlStore *store, const KvsqlCheck *check,
                           const KvsqlCellMutation *cells, guint n_cells, const KvsqlCall *call,
                           gboolean *out_applied, GError **error)
{
  const KvsqlRowMutation row
      = { .table = check->table, .row = check->row, .cells = cells, .n_cells = n_cells };

  *out_applied = TRUE;
  return recording_apply (store, &row, 1, call, error);
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

static const KvsqlStoreClass recording_class = {
  .version = KVSQL_STORE_VERSION,
  .close = (void (*) (KvsqlStore *))g_free,
  .ping = recording_ping,
  .open_scan = recording_open_scan,
  .scan_next = recording_scan_next,
  .scan_close = recording_scan_close,
  .multi_get = recording_multi_get,
  .apply = recording_apply,
  .check_and_apply = recording_check_and_apply,
  .increment = recording_increment,
  .list_tables = recording_list_tables,
  .ensure_table = recording_ensure_table,
  .drop_table = recording_drop_table,
  .flush = recording_flush,
  .split_points = recording_split_points,
};

KvsqlStore *
kvsql_recording_store_new (KvsqlStore *inner, KvsqlCalls *calls)
{
  RecordingStore *self = g_new0 (RecordingStore, 1);

  self->klass = recording_class;
  self->klass.name = inner->klass->name;
  self->base.klass = &self->klass;
  self->base.capabilities = inner->capabilities;
  self->base.capabilities.flags
      |= KVSQL_STORE_ATOMIC_BATCH | KVSQL_STORE_IMPLICIT_TABLES | KVSQL_STORE_DRY;
  self->inner = inner;
  self->calls = calls;
  return &self->base;
}
