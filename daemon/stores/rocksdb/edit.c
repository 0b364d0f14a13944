/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * edit.c: converts mutations to a write batch that keeps the newest version of each cell.
 *
 * A mutation that is at least as new as all cells of the store, and as all mutations of its row
 * before it in the same call, is written without a comparison. If a call has one that is not, the
 * cells that it changes are compared one by one. The batch's changes to each cell are then
 * remembered in a table, because they are not in the database yet.
 *
 * Mutations arrive in the order of their rows, and the cells of a row are written in the order of
 * their keys. That makes the write faster, too: the memtable finds the position of a key from that
 * of the key before.
 */
#include "config.h"

#include "core/base/hash.h"
#include "daemon/stores/rocksdb/store.h"

#define CELLS_BEFORE_RANGE 256 /* the cells of a row after this many are deleted as a range */
#define MAX_SORTED_CELLS 64    /* a row with more is written in the order of its cells */
#define NO_CELL 0

/* A cell that the batch has changed. */
typedef struct
{
  KvsqlSlice key;
  gint64 timestamp; /* NO_CELL: deleted */
} Change;

typedef struct
{
  KvsqldRocksdbStore *store;
  KvsqldRocksdbBatch *batch;
  gint64 newest;       /* no cell in the database is newer */
  KvsqlArena *arena;   /* owner of @changes */
  GHashTable *changes; /* NULL: no comparison is necessary */
  KvsqlBuffer key;
} Edit;

static guint
hash_key (gconstpointer data)
{
  return kvsql_slice_hash_func (&((const Change *)data)->key);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_equal (((const Change *)a)->key, ((const Change *)b)->key);
}

static void
note_change (Edit *self, KvsqlSlice key, gint64 timestamp)
{
  const Change probe = { .key = key };
  Change *change;

  if (self->changes == NULL)
    return;
  change = g_hash_table_lookup (self->changes, &probe);
  if (change == NULL)
    {
      change = kvsql_arena_new0 (self->arena, Change);
      change->key = kvsql_slice_dup (self->arena, key);
      g_hash_table_add (self->changes, change);
    }
  change->timestamp = timestamp;
}

static gboolean
read_timestamp (Edit *self, KvsqlSlice key, gint64 *out_timestamp, GError **error)
{
  g_autoptr (rocksdb_pinnableslice_t) cell = NULL;
  char *cause = NULL;
  size_t size = 0;

  cell = rocksdb_get_pinned (self->store->db, self->store->read_options, (const char *)key.data,
                             key.size, &cause);
  if (!kvsqld_rocksdb_check (cause, "read store \"rocksdb\"", error))
    return FALSE;
  *out_timestamp = NO_CELL;
  if (cell != NULL)
    {
      const char *value = rocksdb_pinnableslice_value (cell, &size);

      if (size >= KVSQLD_ROCKSDB_TIMESTAMP_BYTES)
        *out_timestamp = (gint64)kvsql_get_be64 ((const guint8 *)value);
    }
  return TRUE;
}

/* Sets *out_replaced if no cell exists or the cell is no newer than @timestamp. */
static gboolean
is_replaced (Edit *self, KvsqlSlice key, gint64 timestamp, gboolean *out_replaced, GError **error)
{
  const Change probe = { .key = key };
  const Change *change = NULL;
  gint64 current;

  if (self->changes != NULL)
    change = g_hash_table_lookup (self->changes, &probe);
  if (change != NULL)
    current = change->timestamp;
  else if (timestamp >= self->newest)
    current = NO_CELL;
  else if (!read_timestamp (self, key, &current, error))
    return FALSE;
  *out_replaced = current <= timestamp;
  return TRUE;
}

static gboolean
put_cell (Edit *self, const KvsqlCellMutation *put, GError **error)
{
  KvsqlSlice key = kvsql_buffer_slice (&self->key);
  gboolean is_newest;

  if (!is_replaced (self, key, put->timestamp, &is_newest, error))
    return FALSE;
  if (!is_newest)
    return TRUE;
  kvsqld_rocksdb_batch_put (self->batch, key, put->timestamp, put->value);
  note_change (self, key, put->timestamp);
  return TRUE;
}

static gboolean
delete_cell (Edit *self, const KvsqlCellMutation *mutation, GError **error)
{
  KvsqlSlice key = kvsql_buffer_slice (&self->key);
  gboolean is_older;

  if (!is_replaced (self, key, mutation->timestamp, &is_older, error))
    return FALSE;
  if (!is_older)
    return TRUE;
  kvsqld_rocksdb_batch_delete (self->batch, key);
  note_change (self, key, NO_CELL);
  return TRUE;
}

/* The first key after the row bounds the iterator. Without it the iterator would step over deleted
 * rows up to another row. */
static rocksdb_iterator_t *
iterate_row (Edit *self, rocksdb_readoptions_t *options, KvsqlBuffer *row_stop)
{
  rocksdb_iterator_t *iterator;

  kvsql_buffer_append_slice (row_stop, kvsql_buffer_slice (&self->key));
  kvsqld_rocksdb_key_skip_row (row_stop);
  rocksdb_readoptions_set_prefix_same_as_start (options, 1);
  rocksdb_readoptions_set_iterate_upper_bound (options, (const char *)row_stop->data,
                                               row_stop->size);
  iterator = rocksdb_create_iterator (self->store->db, options);
  kvsqld_rocksdb_iterator_seek (iterator, kvsql_buffer_slice (&self->key));
  return iterator;
}

static gboolean
delete_stored_cells (Edit *self, gint64 timestamp, GError **error)
{
  g_auto (KvsqlBuffer) row_stop = { 0 };
  g_autoptr (rocksdb_readoptions_t) options = rocksdb_readoptions_create ();
  g_autoptr (rocksdb_iterator_t) iterator = iterate_row (self, options, &row_stop);
  char *cause = NULL;

  for (guint n = 0; rocksdb_iter_valid (iterator); rocksdb_iter_next (iterator), n++)
    {
      KvsqlSlice key = kvsqld_rocksdb_iterator_key (iterator);
      KvsqlSlice value = kvsqld_rocksdb_iterator_value (iterator);
      const Change probe = { .key = key };

      if (n == CELLS_BEFORE_RANGE && self->changes == NULL)
        {
          kvsqld_rocksdb_batch_delete_range (self->batch, key, kvsql_buffer_slice (&row_stop));
          break;
        }
      if (self->changes != NULL && g_hash_table_contains (self->changes, &probe))
        continue;
      if (value.size >= KVSQLD_ROCKSDB_TIMESTAMP_BYTES
          && (gint64)kvsql_get_be64 (value.data) > timestamp)
        continue;
      kvsqld_rocksdb_batch_delete (self->batch, key);
      note_change (self, key, NO_CELL);
    }
  rocksdb_iter_get_error (iterator, &cause);
  return kvsqld_rocksdb_check (cause, "read store \"rocksdb\"", error);
}

static gboolean
delete_row (Edit *self, const KvsqlCellMutation *mutation, GError **error)
{
  GHashTableIter changes;
  gpointer data;

  if (!delete_stored_cells (self, mutation->timestamp, error))
    return FALSE;
  if (self->changes == NULL)
    return TRUE;
  g_hash_table_iter_init (&changes, self->changes);
  while (g_hash_table_iter_next (&changes, &data, NULL))
    {
      Change *change = data;

      if (change->timestamp == NO_CELL || change->timestamp > mutation->timestamp
          || !kvsql_slice_has_prefix (change->key, kvsql_buffer_slice (&self->key)))
        continue;
      kvsqld_rocksdb_batch_delete (self->batch, change->key);
      change->timestamp = NO_CELL;
    }
  return TRUE;
}

static gint
compare_cells (const KvsqlCellMutation *a, const KvsqlCellMutation *b)
{
  gint order = kvsql_slice_compare (a->family, b->family);

  return order != 0 ? order : kvsql_slice_compare (a->qualifier, b->qualifier);
}

/* The cells in the order of their keys: two changes of one cell keep theirs. A deletion of the
 * whole row has to stay where it is. Most rows are in order, but for the marker. */
static void
order_cells (const KvsqlRowMutation *row, guint8 *out)
{
  gboolean is_sorted = row->n_cells <= MAX_SORTED_CELLS;

  for (guint i = 0; i < row->n_cells && is_sorted; i++)
    is_sorted = row->cells[i].kind != KVSQL_MUTATION_DELETE_ROW;
  for (guint i = 0; i < MIN (row->n_cells, MAX_SORTED_CELLS); i++)
    {
      guint to = i;

      for (; is_sorted && to > 0 && compare_cells (&row->cells[out[to - 1]], &row->cells[i]) > 0;
           to--)
        out[to] = out[to - 1];
      out[to] = (guint8)i;
    }
}

/* The key of the row is the prefix of the keys of its cells. */
static gboolean
edit_row (Edit *self, guint32 table, const KvsqlRowMutation *row, GError **error)
{
  guint8 order[MAX_SORTED_CELLS];
  gsize prefix;

  order_cells (row, order);
  self->key.size = 0;
  kvsqld_rocksdb_key_add_row (&self->key, table, row->row);
  prefix = self->key.size;
  for (guint i = 0; i < row->n_cells; i++)
    {
      const KvsqlCellMutation *cell = &row->cells[row->n_cells <= MAX_SORTED_CELLS ? order[i] : i];
      gboolean ok;

      self->key.size = prefix;
      if (cell->kind == KVSQL_MUTATION_DELETE_ROW)
        ok = delete_row (self, cell, error);
      else
        {
          kvsqld_rocksdb_key_add_column (&self->key, cell->family, cell->qualifier);
          ok = cell->kind == KVSQL_MUTATION_PUT ? put_cell (self, cell, error)
                                                : delete_cell (self, cell, error);
        }
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

/* Reserves the size of the batch, without the escapes of zero bytes in rows. */
static void
reserve (Edit *self, const KvsqlRowMutation *rows, guint n_rows)
{
  const gsize each = KVSQLD_ROCKSDB_TABLE_BYTES + 3 + KVSQLD_ROCKSDB_TIMESTAMP_BYTES;
  gsize size = 0;
  guint n_cells = 0;

  for (guint i = 0; i < n_rows; i++)
    {
      for (guint c = 0; c < rows[i].n_cells; c++)
        size += rows[i].cells[c].family.size + rows[i].cells[c].qualifier.size
                + rows[i].cells[c].value.size;
      size += rows[i].n_cells * (each + rows[i].row.size);
      n_cells += rows[i].n_cells;
    }
  kvsqld_rocksdb_batch_reserve (self->batch, n_cells, size);
}

static gint64
newest_put (const KvsqlRowMutation *rows, guint n_rows)
{
  gint64 newest = NO_CELL;

  for (guint i = 0; i < n_rows; i++)
    for (guint c = 0; c < rows[i].n_cells; c++)
      if (rows[i].cells[c].kind == KVSQL_MUTATION_PUT)
        newest = MAX (newest, rows[i].cells[c].timestamp);
  return newest;
}

/* @newest: of all cells in the database. */
static gboolean
needs_comparison (const KvsqlRowMutation *row, gint64 newest)
{
  for (guint c = 0; c < row->n_cells; c++)
    {
      /* A row's deletion finds its cells in the database, not the puts before it in this call. */
      if (row->cells[c].timestamp < newest
          || (c > 0 && row->cells[c].kind == KVSQL_MUTATION_DELETE_ROW))
        return TRUE;
      if (row->cells[c].kind == KVSQL_MUTATION_PUT)
        newest = row->cells[c].timestamp;
    }
  return FALSE;
}

static gboolean
edit_all (Edit *self, const KvsqlRowMutation *rows, guint n_rows, GError **error)
{
  KvsqlSlice name = KVSQL_SLICE_EMPTY;
  guint32 table = 0;

  for (guint i = 0; i < n_rows; i++)
    {
      if (!kvsql_slice_equal (rows[i].table, name))
        {
          name = rows[i].table;
          table = kvsqld_rocksdb_tables_find_locked (self->store, name);
        }
      /* Tables of puts exist; only deletions may refer to a table that does not. */
      if (table != 0 && !edit_row (self, table, &rows[i], error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsqld_rocksdb_edit (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows, guint n_rows,
                     KvsqldRocksdbBatch *batch, GError **error)
{
  Edit edit = { .store = self, .batch = batch };
  gboolean ok;

  if (!kvsqld_rocksdb_clock_raise (self, newest_put (rows, n_rows), &edit.newest, error))
    return FALSE;
  for (guint i = 0; i < n_rows && edit.changes == NULL; i++)
    if (needs_comparison (&rows[i], edit.newest))
      {
        edit.arena = kvsql_arena_new ();
        edit.changes = g_hash_table_new (hash_key, equal_keys);
      }
  reserve (&edit, rows, n_rows);
  ok = edit_all (&edit, rows, n_rows, error);
  g_clear_pointer (&edit.changes, g_hash_table_unref);
  kvsql_arena_free (edit.arena);
  kvsql_buffer_clear (&edit.key);
  return ok;
}
