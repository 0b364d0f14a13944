/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write.c: writes. Each call locks its rows and is one atomic batch.
 */
#include "config.h"

#include "core/base/hash.h"
#include "daemon/stores/rocksdb/store.h"

#define COUNTER_BYTES 8
#define MAX_ROW_LOCKS 32 /* a call that needs more locks all rows at once */

/* The set of row locks that a call needs. */
typedef struct
{
  guint64 bits[KVSQLD_ROCKSDB_ROW_LOCKS / 64];
  guint n;
} RowLocks;

void
kvsqld_rocksdb_rows_init (KvsqldRocksdbStore *self)
{
  kvsqld_fair_lock_init (&self->rows.all);
  for (guint i = 0; i < KVSQLD_ROCKSDB_ROW_LOCKS; i++)
    g_rw_lock_init (&self->rows.some[i]);
}

void
kvsqld_rocksdb_rows_clear (KvsqldRocksdbStore *self)
{
  for (guint i = 0; i < KVSQLD_ROCKSDB_ROW_LOCKS; i++)
    g_rw_lock_clear (&self->rows.some[i]);
  kvsqld_fair_lock_clear (&self->rows.all);
}

static gboolean
needs (const RowLocks *self, guint lock)
{
  return self->bits[lock / 64] >> (lock % 64) & 1;
}

static void
need_lock (RowLocks *self, KvsqlSlice table, KvsqlSlice row)
{
  guint lock = kvsql_hash (kvsql_slice_hash (table), row.data, row.size) % KVSQLD_ROCKSDB_ROW_LOCKS;

  if (needs (self, lock))
    return;
  self->bits[lock / 64] |= G_GUINT64_CONSTANT (1) << (lock % 64);
  self->n++;
}

static void
lock_rows (KvsqldRocksdbStore *self, const RowLocks *locks)
{
  if (locks->n > MAX_ROW_LOCKS)
    {
      kvsqld_fair_lock_acquire (&self->rows.all);
      return;
    }
  kvsqld_fair_lock_acquire_shared (&self->rows.all);
  for (guint i = 0; i < KVSQLD_ROCKSDB_ROW_LOCKS; i++)
    if (needs (locks, i))
      g_rw_lock_writer_lock (&self->rows.some[i]);
}

static void
unlock_rows (KvsqldRocksdbStore *self, const RowLocks *locks)
{
  if (locks->n > MAX_ROW_LOCKS)
    {
      kvsqld_fair_lock_release (&self->rows.all);
      return;
    }
  for (guint i = 0; i < KVSQLD_ROCKSDB_ROW_LOCKS; i++)
    if (needs (locks, i))
      g_rw_lock_writer_unlock (&self->rows.some[i]);
  kvsqld_fair_lock_release_shared (&self->rows.all);
}

/* Locks the tables and the rows. */
static gboolean
begin (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows, guint n_rows, RowLocks *locks,
       GError **error)
{
  for (guint i = 0; i < n_rows && locks->n <= MAX_ROW_LOCKS; i++)
    need_lock (locks, rows[i].table, rows[i].row);
  if (!kvsqld_rocksdb_space_check_for (self, rows, n_rows, error))
    return FALSE;
  if (!kvsqld_rocksdb_tables_lock_for (self, rows, n_rows, error))
    return FALSE;
  lock_rows (self, locks);
  return TRUE;
}

static void
end (KvsqldRocksdbStore *self, const RowLocks *locks)
{
  unlock_rows (self, locks);
  kvsqld_fair_lock_release_shared (&self->tables.lock);
}

/* Converts the mutations; NULL without an error if they change nothing. */
static rocksdb_writebatch_t *
make_batch (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows, guint n_rows, GError **error)
{
  g_auto (KvsqldRocksdbBatch) batch = { 0 };
  KvsqlSlice bytes;

  if (!kvsqld_rocksdb_edit (self, rows, n_rows, &batch, error) || batch.n_records == 0)
    return NULL;
  bytes = kvsqld_rocksdb_batch_finish (&batch);
  return rocksdb_writebatch_create_from ((const char *)bytes.data, bytes.size);
}

static gboolean
write_locked (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows, guint n_rows, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (rocksdb_writebatch_t) batch = make_batch (self, rows, n_rows, &failure);
  char *cause = NULL;

  if (batch == NULL && failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (batch == NULL)
    return TRUE;
  /* this thread's counters are not read, and each comparison in the memtable would be counted */
  rocksdb_set_perf_level (rocksdb_disable);
  rocksdb_write (self->db, self->write_options, batch, &cause);
  return kvsqld_rocksdb_check_write (self, cause, error);
}

gboolean
kvsqld_rocksdb_apply (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows,
                      const KvsqlCall *call, GError **error)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  RowLocks locks = { 0 };
  gboolean ok;

  if (!begin (self, rows, n_rows, &locks, error))
    return FALSE;
  ok = kvsql_call_check (call, error) && write_locked (self, rows, n_rows, error);
  end (self, &locks);
  return ok;
}

/* Reads the cell's entry; NULL without an error if there is none. */
static rocksdb_pinnableslice_t *
get_cell (KvsqldRocksdbStore *self, KvsqlSlice table_name, KvsqlSlice row, KvsqlSlice family,
          KvsqlSlice qualifier, GError **error)
{
  guint32 table = kvsqld_rocksdb_tables_find_locked (self, table_name);
  rocksdb_pinnableslice_t *cell;
  KvsqlBuffer key = { 0 };
  char *cause = NULL;

  if (table == 0)
    return NULL;
  kvsqld_rocksdb_key_add_row (&key, table, row);
  kvsqld_rocksdb_key_add_column (&key, family, qualifier);
  cell
      = rocksdb_get_pinned (self->db, self->read_options, (const char *)key.data, key.size, &cause);
  kvsql_buffer_clear (&key);
  return kvsqld_rocksdb_check (cause, "read store \"rocksdb\"", error) ? cell : NULL;
}

static KvsqlSlice
entry_of (const rocksdb_pinnableslice_t *cell)
{
  size_t size;
  const char *data = rocksdb_pinnableslice_value (cell, &size);

  return kvsql_slice (data, size);
}

static gboolean
check_locked (KvsqldRocksdbStore *self, const KvsqlCheck *check, gboolean *out_holds,
              GError **error)
{
  g_autoptr (rocksdb_pinnableslice_t) cell = NULL;
  GError *failure = NULL;
  KvsqlSlice entry;

  cell = get_cell (self, check->table, check->row, check->family, check->qualifier, &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (check->kind == KVSQL_CHECK_ABSENT || cell == NULL)
    {
      *out_holds = check->kind == KVSQL_CHECK_ABSENT && cell == NULL;
      return TRUE;
    }
  entry = entry_of (cell);
  *out_holds = entry.size == KVSQLD_ROCKSDB_TIMESTAMP_BYTES + check->value.size
               && memcmp (entry.data + KVSQLD_ROCKSDB_TIMESTAMP_BYTES, check->value.data,
                          check->value.size)
                      == 0;
  return TRUE;
}

gboolean
kvsqld_rocksdb_check_and_apply (KvsqlStore *store, const KvsqlCheck *check,
                                const KvsqlCellMutation *cells, guint n_cells,
                                const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  const KvsqlRowMutation row
      = { .table = check->table, .row = check->row, .cells = cells, .n_cells = n_cells };
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  RowLocks locks = { 0 };
  gboolean holds = FALSE, ok;

  if (!begin (self, &row, 1, &locks, error))
    return FALSE;
  ok = kvsql_call_check (call, error) && check_locked (self, check, &holds, error)
       && (!holds || write_locked (self, &row, 1, error));
  end (self, &locks);
  if (ok)
    *out_applied = holds;
  return ok;
}

/* The sum wraps around, as in HBase. The cell gets a timestamp that makes it the newest. */
static gboolean
increment_locked (KvsqldRocksdbStore *self, const KvsqlRowMutation *row, KvsqlCellMutation *put,
                  gint64 amount, gint64 *out_value, GError **error)
{
  g_autoptr (rocksdb_pinnableslice_t) cell = NULL;
  GError *failure = NULL;
  guint8 bytes[COUNTER_BYTES];
  guint64 sum = (guint64)amount;

  cell = get_cell (self, row->table, row->row, put->family, put->qualifier, &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (cell != NULL)
    {
      KvsqlSlice entry = entry_of (cell);

      if (entry.size != KVSQLD_ROCKSDB_TIMESTAMP_BYTES + COUNTER_BYTES)
        return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                                "cell is not a counter: it holds %" G_GSIZE_FORMAT " bytes, not %d",
                                entry.size - MIN (entry.size, KVSQLD_ROCKSDB_TIMESTAMP_BYTES),
                                COUNTER_BYTES);
      put->timestamp = MAX (put->timestamp, (gint64)kvsql_get_be64 (entry.data));
      sum += kvsql_get_be64 (entry.data + KVSQLD_ROCKSDB_TIMESTAMP_BYTES);
    }
  kvsql_put_be64 (bytes, sum);
  put->value = kvsql_slice (bytes, sizeof bytes);
  if (!write_locked (self, row, 1, error))
    return FALSE;
  *out_value = (gint64)sum;
  return TRUE;
}

gboolean
kvsqld_rocksdb_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
                          KvsqlSlice qualifier, gint64 amount, const KvsqlCall *call,
                          gint64 *out_value, GError **error)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  KvsqlCellMutation put = { .kind = KVSQL_MUTATION_PUT,
                            .family = family,
                            .qualifier = qualifier,
                            .timestamp = g_get_real_time () / 1000 };
  const KvsqlRowMutation change = { .table = table, .row = row, .cells = &put, .n_cells = 1 };
  RowLocks locks = { 0 };
  gboolean ok;

  if (!begin (self, &change, 1, &locks, error))
    return FALSE;
  ok = kvsql_call_check (call, error)
       && increment_locked (self, &change, &put, amount, out_value, error);
  end (self, &locks);
  return ok;
}
