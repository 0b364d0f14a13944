/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * memory.c: the simplest store that fulfils the contract of store.h: trees under one lock.
 */
#include "config.h"

#include "core/store/memory.h"

#include "core/store/memory-tree.h"

#define MAX_ROW_BYTES 32767 /* as in HBase, so that tests on this store use valid keys */
#define MAX_VALUE_BYTES (64 * 1024 * 1024)

static gboolean
memory_apply (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows, const KvsqlCall *call,
              GError **error)
{
  KvsqlMemoryStore *self = (KvsqlMemoryStore *)store;

  g_rw_lock_writer_lock (&self->lock);
  kvsql_memory_apply (self->tables, rows, n_rows);
  g_rw_lock_writer_unlock (&self->lock);
  return TRUE;
}

static gboolean
memory_check_and_apply (KvsqlStore *store, const KvsqlCheck *check, const KvsqlCellMutation *cells,
                        guint n_cells, const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  const KvsqlRowMutation row
      = { .table = check->table, .row = check->row, .cells = cells, .n_cells = n_cells };
  KvsqlMemoryStore *self = (KvsqlMemoryStore *)store;
  gboolean holds;
  KvsqlMemoryCell *cell;

  g_rw_lock_writer_lock (&self->lock);
  cell = kvsql_memory_find_cell (self->tables, check->table, check->row, check->family,
                                 check->qualifier);
  if (check->kind == KVSQL_CHECK_ABSENT)
    holds = cell == NULL;
  else
    holds = cell != NULL && kvsql_slice_equal (cell->value, check->value);
  if (holds)
    kvsql_memory_apply (self->tables, &row, 1);
  g_rw_lock_writer_unlock (&self->lock);
  *out_applied = holds;
  return TRUE;
}

/* The sum wraps around, as in HBase. The cell gets a timestamp newer than the existing one. */
static gboolean
increment_locked (KvsqlMemoryStore *self, const KvsqlRowMutation *row, KvsqlCellMutation *put,
                  gint64 amount, gint64 *out_value, GError **error)
{
  KvsqlMemoryCell *cell
      = kvsql_memory_find_cell (self->tables, row->table, row->row, put->family, put->qualifier);
  guint64 sum = amount;
  guint8 bytes[8];

  if (cell != NULL && cell->value.size != sizeof bytes)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "cell is not a counter: it holds %" G_GSIZE_FORMAT " bytes, not 8",
                            cell->value.size);
  if (cell != NULL)
    {
      sum += kvsql_get_be64 (cell->value.data);
      put->timestamp = MAX (put->timestamp, cell->timestamp);
    }
  kvsql_put_be64 (bytes, sum);
  put->value = kvsql_slice (bytes, sizeof bytes);
  kvsql_memory_apply (self->tables, row, 1);
  *out_value = (gint64)sum;
  return TRUE;
}

static gboolean
memory_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
                  KvsqlSlice qualifier, gint64 amount, const KvsqlCall *call, gint64 *out_value,
                  GError **error)
{
  KvsqlMemoryStore *self = (KvsqlMemoryStore *)store;
  KvsqlCellMutation put = { .kind = KVSQL_MUTATION_PUT,
                            .family = family,
                            .qualifier = qualifier,
                            .timestamp = g_get_real_time () / 1000 };
  const KvsqlRowMutation change = { .table = table, .row = row, .cells = &put, .n_cells = 1 };
  gboolean ok;

  g_rw_lock_writer_lock (&self->lock);
  ok = increment_locked (self, &change, &put, amount, out_value, error);
  g_rw_lock_writer_unlock (&self->lock);
  return ok;
}

static gboolean
memory_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                  const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                  KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  KvsqlMemoryStore *self = (KvsqlMemoryStore *)store;
  KvsqlRowsBuilder rows;

  kvsql_rows_builder_init (&rows, arena);
  g_rw_lock_reader_lock (&self->lock);
  for (guint i = 0; i < n_keys; i++)
    {
      KvsqlMemoryRow *row = kvsql_memory_find_row (self->tables, table, keys[i]);

      if (row == NULL || !kvsql_memory_copy_row (&rows, row, columns, n_columns, NULL))
        kvsql_rows_builder_add_row (&rows, kvsql_rows_builder_copy (&rows, keys[i]));
    }
  g_rw_lock_reader_unlock (&self->lock);
  *out_rows = kvsql_rows_builder_finish (&rows);
  kvsql_rows_builder_clear (&rows);
  return TRUE;
}

static GPtrArray *
memory_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call, GError **error)
{
  KvsqlMemoryStore *self = (KvsqlMemoryStore *)store;
  GPtrArray *names = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);

  g_rw_lock_reader_lock (&self->lock);
  for (GTreeNode *node = g_tree_lower_bound (self->tables, &prefix); node;
       node = g_tree_node_next (node))
    {
      const KvsqlSlice *name = g_tree_node_key (node);

      if (!kvsql_slice_has_prefix (*name, prefix))
        break;
      g_ptr_array_add (names, g_bytes_new (name->data, name->size));
    }
  g_rw_lock_reader_unlock (&self->lock);
  return names;
}

static gboolean
memory_ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec, const KvsqlCall *call,
                     gboolean *out_created, GError **error)
{
  KvsqlMemoryStore *self = (KvsqlMemoryStore *)store;
  gboolean is_new;

  g_rw_lock_writer_lock (&self->lock);
  is_new = kvsql_memory_find_table (self->tables, spec->name) == NULL;
  kvsql_memory_make_table (self->tables, spec->name);
  g_rw_lock_writer_unlock (&self->lock);
  if (out_created != NULL)
    *out_created = is_new;
  return TRUE;
}

static gboolean
memory_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call, GError **error)
{
  KvsqlMemoryStore *self = (KvsqlMemoryStore *)store;
  g_autofree gchar *readable = NULL;
  gboolean found;

  g_rw_lock_writer_lock (&self->lock);
  found = g_tree_remove (self->tables, &name);
  g_rw_lock_writer_unlock (&self->lock);
  if (found)
    return TRUE;
  readable = kvsql_readable (name);
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "table \"%s\" does not exist",
                   readable);
  return kvsql_error_hint (error, "A table is made by its first write.");
}

static gboolean
memory_ping (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  return TRUE;
}

static gboolean
memory_flush (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  return TRUE;
}

static void
memory_close (KvsqlStore *store)
{
  KvsqlMemoryStore *self = (KvsqlMemoryStore *)store;

  g_tree_unref (self->tables);
  g_rw_lock_clear (&self->lock);
  g_free (self);
}

static const KvsqlStoreClass memory_class = {
  .version = KVSQL_STORE_VERSION,
  .name = "memory",
  .close = memory_close,
  .ping = memory_ping,
  .open_scan = kvsql_memory_open_scan,
  .scan_next = kvsql_memory_scan_next,
  .scan_close = kvsql_memory_scan_close,
  .multi_get = memory_multi_get,
  .apply = memory_apply,
  .check_and_apply = memory_check_and_apply,
  .increment = memory_increment,
  .list_tables = memory_list_tables,
  .ensure_table = memory_ensure_table,
  .drop_table = memory_drop_table,
  .flush = memory_flush,
  .split_points = kvsql_memory_split_points,
};

KvsqlStore *
kvsql_memory_store_new (void)
{
  KvsqlMemoryStore *self = g_new0 (KvsqlMemoryStore, 1);

  self->base.klass = &memory_class;
  self->base.capabilities = (KvsqlStoreCapabilities){
    .flags = KVSQL_STORE_REVERSE_SCAN | KVSQL_STORE_ATOMIC_BATCH | KVSQL_STORE_IMPLICIT_TABLES
             | KVSQL_STORE_ONE_VERSION,
    .filters = KVSQL_FILTER_VALUES | KVSQL_FILTER_KEYS_ONLY,
    .max_row_bytes = MAX_ROW_BYTES,
    .max_value_bytes = MAX_VALUE_BYTES,
    .costs = KVSQL_USUAL_STORE_COSTS (1),
  };
  g_rw_lock_init (&self->lock);
  self->tables = kvsql_memory_tables_new ();
  return &self->base;
}
