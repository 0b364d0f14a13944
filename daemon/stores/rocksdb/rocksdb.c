/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb.c: the store in an embedded RocksDB: open, close and the table of its functions.
 *
 * One entry of RocksDB is one cell (key.h). All writes of a call are one batch, and the
 * write-ahead log is always on. See store.h for the files.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"
#include "daemon/stores/stores.h"

#define MAX_ROW_BYTES 32767 /* as in HBase, so that all rows can be moved there */
#define MAX_VALUE_BYTES (64 * 1024 * 1024)
#define REQUEST_COST 10 /* cost of a seek, in steps of an iterator */

static void
close_store (KvsqlStore *store)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;

  kvsqld_rocksdb_sync_stop (self);
  if (self->db != NULL)
    {
      char *cause = NULL;

      rocksdb_flush_wal (self->db, 1, &cause);
      rocksdb_free (cause);
      rocksdb_column_family_handle_destroy (self->cells);
      rocksdb_close (self->db);
      rocksdb_readoptions_destroy (self->read_options);
      rocksdb_writeoptions_destroy (self->write_options);
    }
  kvsqld_rocksdb_tombstones_clear (self);
  kvsqld_rocksdb_space_clear (self);
  kvsqld_rocksdb_rows_clear (self);
  kvsqld_rocksdb_clock_clear (self);
  kvsqld_rocksdb_tables_clear (self);
  g_mutex_clear (&self->last_error.lock);
  g_free (self->last_error.text);
  g_free (self->path);
  g_free (self);
}

static gboolean
ping (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  g_autoptr (rocksdb_pinnableslice_t) found = NULL;
  char *cause = NULL;

  found = rocksdb_get_pinned (self->db, self->read_options, "", 0, &cause);
  return kvsqld_rocksdb_check (cause, "read store \"rocksdb\"", error);
}

/* Also to its sorted files, so that what is read afterwards is not read from memory alone. */
static gboolean
flush (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  char *cause = NULL;

  rocksdb_flush_wal (self->db, 1, &cause);
  if (cause == NULL)
    {
      rocksdb_flushoptions_t *options = rocksdb_flushoptions_create ();

      rocksdb_flush_cf (self->db, options, self->cells, &cause);
      rocksdb_flushoptions_destroy (options);
    }
  return kvsqld_rocksdb_check (cause, "flush store \"rocksdb\"", error);
}

static const KvsqlStoreClass rocksdb_class = {
  .version = KVSQL_STORE_VERSION,
  .name = "rocksdb",
  .close = close_store,
  .ping = ping,
  .open_scan = kvsqld_rocksdb_open_scan,
  .scan_next = kvsqld_rocksdb_scan_next,
  .scan_close = kvsqld_rocksdb_scan_close,
  .multi_get = kvsqld_rocksdb_multi_get,
  .apply = kvsqld_rocksdb_apply,
  .check_and_apply = kvsqld_rocksdb_check_and_apply,
  .increment = kvsqld_rocksdb_increment,
  .list_tables = kvsqld_rocksdb_list_tables,
  .ensure_table = kvsqld_rocksdb_ensure_table,
  .drop_table = kvsqld_rocksdb_drop_table,
  .flush = flush,
  .split_points = kvsqld_rocksdb_split_points,
  .checkpoint = kvsqld_rocksdb_checkpoint,
  .report = kvsqld_rocksdb_report,
};

static KvsqldRocksdbStore *
new_store (void)
{
  KvsqldRocksdbStore *self = g_new0 (KvsqldRocksdbStore, 1);

  self->base.klass = &rocksdb_class;
  self->base.capabilities = (KvsqlStoreCapabilities){
    .flags = KVSQL_STORE_REVERSE_SCAN | KVSQL_STORE_ATOMIC_BATCH | KVSQL_STORE_IMPLICIT_TABLES
             | KVSQL_STORE_ONE_VERSION,
    .filters = KVSQL_FILTER_VALUES,
    .max_row_bytes = MAX_ROW_BYTES,
    .max_value_bytes = MAX_VALUE_BYTES,
    .costs = KVSQL_USUAL_STORE_COSTS (REQUEST_COST),
  };
  kvsqld_rocksdb_tombstones_init (self);
  kvsqld_rocksdb_space_init (self);
  kvsqld_rocksdb_sync_init (self);
  g_mutex_init (&self->last_error.lock);
  kvsqld_rocksdb_rows_init (self);
  kvsqld_rocksdb_tables_init (self);
  kvsqld_rocksdb_clock_init (self);
  return self;
}

KvsqlStore *
kvsqld_rocksdb_store_open (const gchar *url, GError **error)
{
  g_auto (KvsqldRocksdbOptions) options = { 0 };
  KvsqldRocksdbStore *self;

  if (!kvsqld_rocksdb_options_parse (url, &options, error))
    return NULL;
  self = new_store ();
  if (kvsqld_rocksdb_open (self, &options, error) && kvsqld_rocksdb_tables_load (self, error)
      && kvsqld_rocksdb_clock_load (self, error))
    {
      self->base.capabilities.newest_timestamp = MAX (self->clock.newest, 0);
      return &self->base;
    }
  close_store (&self->base);
  return NULL;
}
