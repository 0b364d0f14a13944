/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fault-store.c: counts calls, lets one of them fail, and forwards all others.
 */
#include "config.h"

#include "tests/contract/fault-store.h"

typedef struct
{
  KvsqlStore base;
  KvsqlStore *inner;
  gint n_calls;
  gint fails_at; /* 0: never */
  KvsqlFaultWhen when;
  KvsqlErrorCode code;
} FaultStore;

typedef struct
{
  KvsqlScan base;
  KvsqlScan *inner;
} FaultScan;

/* Counts a call. FALSE with an error set if it is the one that fails. */
static gboolean
begin (FaultStore *self, gboolean *out_fails, GError **error)
{
  gint number = g_atomic_int_add (&self->n_calls, 1) + 1;

  *out_fails = number == g_atomic_int_get (&self->fails_at);
  if (!*out_fails || self->when == KVSQL_FAULT_AFTER)
    return TRUE;
  return kvsql_error_set (error, self->code, KVSQL_SPAN_NONE, "call %d was made to fail", number);
}

static gboolean
end (FaultStore *self, gboolean fails, gboolean ok, GError **error)
{
  if (!ok || !fails)
    return ok;
  return kvsql_error_set (error, self->code, KVSQL_SPAN_NONE, "call was made to fail afterwards");
}

/* The body of a call: EXPRESSION is the same call on the inner store. */
#define PASS_ON(store, EXPRESSION)                                                                 \
  FaultStore *self = (FaultStore *)(store);                                                        \
  gboolean fails;                                                                                  \
                                                                                                   \
  return begin (self, &fails, error) && end (self, fails, (EXPRESSION), error)

static gboolean
fault_ping (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  PASS_ON (store, kvsql_store_ping (self->inner, call, error));
}

static KvsqlScan *
fault_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec, const KvsqlCall *call,
                 GError **error)
{
  FaultStore *self = (FaultStore *)store;
  g_autoptr (KvsqlScan) inner = NULL;
  FaultScan *scan;
  gboolean fails;

  if (!begin (self, &fails, error))
    return NULL;
  inner = kvsql_store_open_scan (self->inner, spec, call, error);
  if (!end (self, fails, inner != NULL, error))
    return NULL;
  scan = g_new0 (FaultScan, 1);
  scan->inner = g_steal_pointer (&inner);
  return &scan->base;
}

static gboolean
fault_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows, GError **error)
{
  PASS_ON (scan->store, kvsql_scan_next (((FaultScan *)scan)->inner, call, out_rows, error));
}

static void
fault_scan_close (KvsqlScan *scan)
{
  kvsql_scan_close (((FaultScan *)scan)->inner);
  g_free (scan);
}

static gboolean
fault_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                 const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                 KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  PASS_ON (store, kvsql_store_multi_get (self->inner, table, keys, n_keys, columns, n_columns, call,
                                         arena, out_rows, error));
}

static gboolean
fault_apply (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows, const KvsqlCall *call,
             GError **error)
{
  PASS_ON (store, kvsql_store_apply_rows (self->inner, rows, n_rows, call, error));
}

static gboolean
fault_check_and_apply (KvsqlStore *store, const KvsqlCheck *check, const KvsqlCellMutation *cells,
                       guint n_cells, const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  PASS_ON (store, kvsql_store_check_and_apply (self->inner, check, cells, n_cells, call,
                                               out_applied, error));
}

static gboolean
fault_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
                 KvsqlSlice qualifier, gint64 amount, const KvsqlCall *call, gint64 *out_value,
                 GError **error)
{
  PASS_ON (store, kvsql_store_increment (self->inner, table, row, family, qualifier, amount, call,
                                         out_value, error));
}

static GPtrArray *
fault_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call, GError **error)
{
  FaultStore *self = (FaultStore *)store;
  g_autoptr (GPtrArray) names = NULL;
  gboolean fails;

  if (!begin (self, &fails, error))
    return NULL;
  names = kvsql_store_list_tables (self->inner, prefix, call, error);
  return end (self, fails, names != NULL, error) ? g_steal_pointer (&names) : NULL;
}

static gboolean
fault_describe_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call, KvsqlArena *arena,
                      KvsqlTableDescription *out, GError **error)
{
  PASS_ON (store, kvsql_store_describe_table (self->inner, name, call, arena, out, error));
}

static gboolean
fault_ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec, const KvsqlCall *call,
                    gboolean *out_created, GError **error)
{
  PASS_ON (store, kvsql_store_ensure_table (self->inner, spec, call, out_created, error));
}

static gboolean
fault_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call, GError **error)
{
  PASS_ON (store, kvsql_store_drop_table (self->inner, name, call, error));
}

static gboolean
fault_flush (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  PASS_ON (store, kvsql_store_flush (self->inner, call, error));
}

static gboolean
fault_split_points (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range, guint n_wanted,
                    const KvsqlCall *call, KvsqlArena *arena, KvsqlSlice **out_keys,
                    guint *out_n_keys, GError **error)
{
  PASS_ON (store, kvsql_store_split_points (self->inner, table, range, n_wanted, call, arena,
                                            out_keys, out_n_keys, error));
}

static void
fault_report (KvsqlStore *store, KvsqlFactFunc func, gpointer data)
{
  kvsql_store_report (((FaultStore *)store)->inner, func, data);
}

static void
fault_close (KvsqlStore *store)
{
  FaultStore *self = (FaultStore *)store;

  kvsql_store_close (self->inner);
  g_free (self);
}

static const KvsqlStoreClass fault_class = {
  .version = KVSQL_STORE_VERSION,
  .name = "fault",
  .close = fault_close,
  .ping = fault_ping,
  .open_scan = fault_open_scan,
  .scan_next = fault_scan_next,
  .scan_close = fault_scan_close,
  .multi_get = fault_multi_get,
  .apply = fault_apply,
  .check_and_apply = fault_check_and_apply,
  .increment = fault_increment,
  .list_tables = fault_list_tables,
  .describe_table = fault_describe_table,
  .ensure_table = fault_ensure_table,
  .drop_table = fault_drop_table,
  .flush = fault_flush,
  .report = fault_report,
  .split_points = fault_split_points,
};

KvsqlStore *
kvsql_fault_store_new (KvsqlStore *inner)
{
  FaultStore *self = g_new0 (FaultStore, 1);

  self->base.klass = &fault_class;
  self->base.capabilities = inner->capabilities;
  self->inner = inner;
  return &self->base;
}

void
kvsql_fault_store_arm (KvsqlStore *store, guint n, KvsqlFaultWhen when, KvsqlErrorCode code)
{
  FaultStore *self = (FaultStore *)store;

  self->when = when;
  self->code = code;
  g_atomic_int_set (&self->n_calls, 0);
  g_atomic_int_set (&self->fails_at, (gint)n);
}

guint
kvsql_fault_store_get_calls (KvsqlStore *store)
{
  return (guint)g_atomic_int_get (&((FaultStore *)store)->n_calls);
}
