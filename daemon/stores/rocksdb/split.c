/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.c: divides a range of rows into parts of about the same size.
 *
 * RocksDB estimates the number of bytes between two keys from the indexes of its files. It does not
 * count memtables (the C interface lacks that flag). If these may hold more than the files, parts
 * are weighed by the numeric distance of their keys instead.
 */
#include "config.h"

#include "core/store/split.h"
#include "daemon/stores/rocksdb/store.h"

typedef struct
{
  KvsqldRocksdbStore *store;
  guint32 table;
  const KvsqlCall *call;
  rocksdb_iterator_t *iterator; /* one state of the store for the whole call */
} Rows;

static void
set_bound (const Rows *self, KvsqlSlice row, guint32 table, KvsqlBuffer *out)
{
  if (row.size > 0)
    kvsqld_rocksdb_key_add_row (out, self->table, row);
  else
    kvsqld_rocksdb_key_add_table (out, table);
}

static gboolean
copy_row (KvsqlSlice key, KvsqlArena *arena, KvsqlSlice *out_row, GError **error)
{
  guint8 *bytes = kvsql_arena_alloc (arena, key.size);
  gsize row_size, row_end;

  if (!kvsqld_rocksdb_key_read_row (key, bytes, &row_size, &row_end))
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                            "store \"rocksdb\" is damaged: a key is malformed");
  *out_row = kvsql_slice (bytes, row_size);
  return TRUE;
}

static gboolean
find (gpointer data, const KvsqlRowRange *range, gboolean is_last, KvsqlArena *arena,
      KvsqlSlice *out_row, gboolean *out_found, GError **error)
{
  Rows *self = data;
  g_auto (KvsqlBuffer) start = { 0 };
  g_auto (KvsqlBuffer) stop = { 0 };
  char *cause = NULL;
  KvsqlSlice key;

  *out_found = FALSE;
  if (!kvsql_call_check (self->call, error))
    return FALSE;
  set_bound (self, range->start, self->table, &start);
  set_bound (self, range->stop, self->table + 1, &stop);
  /* No key equals a stop: a stop is the prefix of a row. */
  if (is_last)
    rocksdb_iter_seek_for_prev (self->iterator, (const char *)stop.data, stop.size);
  else
    kvsqld_rocksdb_iterator_seek (self->iterator, kvsql_buffer_slice (&start));
  if (!rocksdb_iter_valid (self->iterator))
    {
      rocksdb_iter_get_error (self->iterator, &cause);
      return kvsqld_rocksdb_check (cause, "read store \"rocksdb\"", error);
    }
  key = kvsqld_rocksdb_iterator_key (self->iterator);
  *out_found = kvsql_slice_compare (key, kvsql_buffer_slice (&start)) >= 0
               && kvsql_slice_compare (key, kvsql_buffer_slice (&stop)) < 0;
  return !*out_found || copy_row (key, arena, out_row, error);
}

/* Bytes in files, without memtables. */
static gdouble
bytes_between (Rows *self, KvsqlSlice start, KvsqlSlice stop)
{
  const char *starts[] = { (const char *)start.data }, *stops[] = { (const char *)stop.data };
  const size_t start_sizes[] = { start.size }, stop_sizes[] = { stop.size };
  uint64_t bytes = 0;
  char *cause = NULL;

  rocksdb_approximate_sizes_cf (self->store->db, self->store->cells, 1, starts, start_sizes, stops,
                                stop_sizes, &bytes, &cause);
  rocksdb_free (cause);
  return (gdouble)bytes;
}

static gdouble
weigh (gpointer data, KvsqlSlice first, KvsqlSlice last)
{
  Rows *self = data;
  g_auto (KvsqlBuffer) start = { 0 };
  g_auto (KvsqlBuffer) stop = { 0 };

  kvsqld_rocksdb_key_add_row (&start, self->table, first);
  kvsqld_rocksdb_key_add_row (&stop, self->table, last);
  kvsqld_rocksdb_key_skip_row (&stop);
  return bytes_between (self, kvsql_buffer_slice (&start), kvsql_buffer_slice (&stop));
}

static gboolean
is_mostly_in_files (Rows *self, const KvsqlRowRange *range)
{
  g_auto (KvsqlBuffer) start = { 0 };
  g_auto (KvsqlBuffer) stop = { 0 };
  uint64_t in_memory = 0;

  set_bound (self, range->start, self->table, &start);
  set_bound (self, range->stop, self->table + 1, &stop);
  return rocksdb_property_int (self->store->db, "rocksdb.cur-size-all-mem-tables", &in_memory) == 0
         && bytes_between (self, kvsql_buffer_slice (&start), kvsql_buffer_slice (&stop))
                >= (gdouble)in_memory;
}

gboolean
kvsqld_rocksdb_split_points (KvsqlStore *base, KvsqlSlice table, const KvsqlRowRange *range,
                             guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                             KvsqlSlice **out_keys, guint *out_n_keys, GError **error)
{
  KvsqldRocksdbStore *store = (KvsqldRocksdbStore *)base;
  g_autoptr (rocksdb_readoptions_t) options = rocksdb_readoptions_create ();
  g_autoptr (rocksdb_iterator_t) iterator = NULL;
  Rows rows = { store, kvsqld_rocksdb_tables_find (store, table), call, NULL };
  KvsqlSplitter splitter = { &rows, find, NULL };

  if (rows.table == 0)
    return TRUE;
  rocksdb_readoptions_set_total_order_seek (options, 1);
  rows.iterator = iterator = rocksdb_create_iterator (store->db, options);
  if (is_mostly_in_files (&rows, range))
    splitter.weigh = weigh;
  return kvsql_split_by_seeking (&splitter, range, n_wanted, arena, out_keys, out_n_keys, error);
}
