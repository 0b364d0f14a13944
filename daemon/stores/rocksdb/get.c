/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * get.c: reads rows by key.
 *
 * If the wanted columns are few and named, their cells are read by key: Bloom filters then answer
 * without a read if the cell does not exist. Many keys in ascending order are first read
 * sequentially (sequential-get.h), because the keys of an IN list are often adjacent. Whole
 * rows and families are read by one iterator that visits the rows in their order.
 */
#include "config.h"

#include "daemon/stores/rocksdb/read.h"
#include "daemon/stores/rocksdb/sequential-get.h"

#define MAX_COLUMNS_BY_KEY 8
#define CELLS_PER_REQUEST 256
#define MIN_SEQUENTIAL_CELLS 16 /* fewer cells are not worth an iterator */

typedef struct
{
  KvsqldRocksdbStore *store;
  guint32 table;
  const KvsqlSlice *keys;
  guint n_keys;
  const KvsqldRocksdbColumns *columns;
  const KvsqlCall *call;
  KvsqlArena *arena;
  KvsqlRowsBuilder rows;
} Get;

/* Cells of several rows that are read by one call of RocksDB. */
typedef struct
{
  const char *keys[CELLS_PER_REQUEST];
  size_t sizes[CELLS_PER_REQUEST];
  rocksdb_pinnableslice_t *cells[CELLS_PER_REQUEST];
  char *causes[CELLS_PER_REQUEST];
  guint n;
} Request;

static void
make_cell_key (const Get *self, KvsqlSlice row, const KvsqldRocksdbPattern *column,
               KvsqlBuffer *out)
{
  out->size = 0;
  kvsqld_rocksdb_key_add_row (out, self->table, row);
  kvsql_buffer_append_slice (out, column->bytes);
}

static void
add_cell_key (Get *self, Request *request, KvsqlSlice row, const KvsqldRocksdbPattern *column,
              KvsqlBuffer *scratch)
{
  make_cell_key (self, row, column, scratch);
  request->keys[request->n] = kvsql_arena_copy (self->arena, scratch->data, scratch->size);
  request->sizes[request->n] = scratch->size;
  request->n++;
}

static gboolean
add_found_rows (Get *self, const Request *request, const KvsqlSlice *keys, guint n_keys,
                GError **error)
{
  for (guint i = 0, cell = 0; i < n_keys; i++)
    {
      kvsql_rows_builder_add_row (&self->rows, kvsql_slice_dup (self->arena, keys[i]));
      for (guint c = 0; c < self->columns->n_patterns; c++, cell++)
        {
          size_t size;
          const char *value;

          if (request->cells[cell] == NULL)
            continue;
          value = rocksdb_pinnableslice_value (request->cells[cell], &size);
          if (!kvsqld_rocksdb_read_cell (&self->rows, self->columns->patterns[c].bytes,
                                         kvsql_slice (value, size), error))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_causes (const Request *request, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < request->n; i++)
    if (ok)
      ok = kvsqld_rocksdb_check (request->causes[i], "read store \"rocksdb\"", error);
    else
      rocksdb_free (request->causes[i]);
  return ok;
}

/* One request reads one state of the store, so that no row is read half-written. */
static gboolean
get_cells (Get *self, const KvsqlSlice *keys, guint n_keys, GError **error)
{
  g_auto (KvsqlBuffer) scratch = { 0 };
  g_autofree Request *request = g_new0 (Request, 1);
  gboolean ok;

  for (guint i = 0; i < n_keys; i++)
    for (guint c = 0; c < self->columns->n_patterns; c++)
      add_cell_key (self, request, keys[i], &self->columns->patterns[c], &scratch);
  rocksdb_batched_multi_get_cf (self->store->db, self->store->read_options, self->store->cells,
                                request->n, request->keys, request->sizes, request->cells,
                                request->causes, FALSE);
  ok = check_causes (request, error) && add_found_rows (self, request, keys, n_keys, error);
  for (guint i = 0; i < request->n; i++)
    rocksdb_pinnableslice_destroy (request->cells[i]);
  return ok;
}

/* The most frequent read of all. */
static gboolean
get_one_cell (Get *self, GError **error)
{
  const KvsqldRocksdbPattern *column = &self->columns->patterns[0];
  g_auto (KvsqlBuffer) key = { 0 };
  rocksdb_pinnableslice_t *cell;
  char *cause = NULL;
  size_t size;
  const char *value;
  gboolean ok = TRUE;

  kvsqld_rocksdb_key_add_row (&key, self->table, self->keys[0]);
  kvsql_buffer_append_slice (&key, column->bytes);
  cell = rocksdb_get_pinned_cf (self->store->db, self->store->read_options, self->store->cells,
                                (const char *)key.data, key.size, &cause);
  if (!kvsqld_rocksdb_check (cause, "read store \"rocksdb\"", error))
    return FALSE;
  kvsql_rows_builder_add_row (&self->rows, kvsql_slice_dup (self->arena, self->keys[0]));
  if (cell == NULL)
    return TRUE;
  value = rocksdb_pinnableslice_value (cell, &size);
  ok = kvsqld_rocksdb_read_cell (&self->rows, column->bytes, kvsql_slice (value, size), error);
  rocksdb_pinnableslice_destroy (cell);
  return ok;
}

/* Reads the next row sequentially. FALSE with *out_lost: the sequential get gave up before or in
 * it. */
static gboolean
get_row_in_sequence (Get *self, KvsqldRocksdbSequentialGet *sequence, KvsqlSlice row,
                     KvsqlBuffer *key, gboolean *out_lost, GError **error)
{
  gsize row_end;

  kvsql_rows_builder_add_row (&self->rows, kvsql_rows_builder_copy (&self->rows, row));
  make_cell_key (self, row, &self->columns->patterns[0], key);
  row_end = key->size - self->columns->patterns[0].bytes.size;
  for (guint c = 0; c < self->columns->n_patterns; c++)
    {
      KvsqlSlice column = self->columns->patterns[c].bytes, value;

      key->size = row_end;
      kvsql_buffer_append_slice (key, column);
      switch (kvsqld_rocksdb_sequential_get_find (sequence, self->store, kvsql_buffer_slice (key),
                                                  &value))
        {
        case KVSQLD_ROCKSDB_FOUND:
          if (!kvsqld_rocksdb_read_cell (&self->rows, column, value, error))
            return FALSE;
          break;
        case KVSQLD_ROCKSDB_ABSENT:
          break;
        case KVSQLD_ROCKSDB_LOST:
          *out_lost = TRUE;
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
can_get_in_sequence (const Get *self)
{
  if (self->n_keys * (gsize)self->columns->n_patterns < MIN_SEQUENTIAL_CELLS)
    return FALSE;
  for (guint i = 1; i < self->n_keys; i++)
    if (kvsql_slice_compare (self->keys[i - 1], self->keys[i]) >= 0)
      return FALSE;
  return TRUE;
}

/* *out_n: the number of rows that were read. */
static gboolean
get_in_sequence (Get *self, guint *out_n, GError **error)
{
  const KvsqldRocksdbColumns *columns = self->columns;
  g_auto (KvsqldRocksdbSequentialGet) sequence = { 0 };
  g_auto (KvsqlBuffer) key = { 0 };
  gboolean is_lost = FALSE;

  *out_n = 0;
  if (!can_get_in_sequence (self))
    return TRUE;
  make_cell_key (self, self->keys[self->n_keys - 1], &columns->patterns[columns->n_patterns - 1],
                 &key);
  kvsqld_rocksdb_sequential_get_init (&sequence, kvsql_buffer_slice (&key));
  for (; *out_n < self->n_keys; (*out_n)++)
    {
      KvsqlRowsMark mark = kvsql_rows_builder_get_mark (&self->rows);

      if (*out_n % CELLS_PER_REQUEST == 0 && !kvsql_call_check (self->call, error))
        return FALSE;
      if (get_row_in_sequence (self, &sequence, self->keys[*out_n], &key, &is_lost, error))
        continue;
      if (is_lost)
        kvsql_rows_builder_return_to (&self->rows, &mark);
      return is_lost;
    }
  return TRUE;
}

static gboolean
get_by_cells (Get *self, GError **error)
{
  guint step = CELLS_PER_REQUEST / self->columns->n_patterns, n_read;

  if (self->n_keys == 1 && self->columns->n_patterns == 1)
    return kvsql_call_check (self->call, error) && get_one_cell (self, error);
  if (!get_in_sequence (self, &n_read, error))
    return FALSE;
  for (guint i = n_read; i < self->n_keys; i += step)
    if (!kvsql_call_check (self->call, error)
        || !get_cells (self, self->keys + i, MIN (step, self->n_keys - i), error))
      return FALSE;
  return TRUE;
}

static gboolean
read_matches (Get *self, rocksdb_iterator_t *iterator, const KvsqldRocksdbPattern *pattern,
              KvsqlSlice prefix, GError **error)
{
  for (; rocksdb_iter_valid (iterator); rocksdb_iter_next (iterator))
    {
      KvsqlSlice key = kvsqld_rocksdb_iterator_key (iterator), column;

      if (!kvsql_slice_has_prefix (key, prefix))
        break;
      column = kvsql_slice (key.data + prefix.size, key.size - prefix.size);
      if (!kvsqld_rocksdb_pattern_matches (pattern, column))
        break;
      if (!kvsqld_rocksdb_read_cell (&self->rows, column, kvsqld_rocksdb_iterator_value (iterator),
                                     error))
        return FALSE;
    }
  return TRUE;
}

/* An iterator that visits the wanted rows one after the other. */
typedef struct
{
  rocksdb_readoptions_t *options;
  rocksdb_iterator_t *iterator; /* reads its bound from @options at every seek */
  KvsqlBuffer key;
  KvsqlBuffer row_stop; /* the first key after the row */
} Visit;

static void
visit_clear (Visit *self)
{
  g_clear_pointer (&self->iterator, rocksdb_iter_destroy);
  g_clear_pointer (&self->options, rocksdb_readoptions_destroy);
  kvsql_buffer_clear (&self->key);
  kvsql_buffer_clear (&self->row_stop);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Visit, visit_clear)

/* Without a bound, the search for a deleted row would step over all deleted rows after it, up to
 * one that exists. */
static void
visit_bound (Visit *self)
{
  self->row_stop.size = 0;
  kvsql_buffer_append_slice (&self->row_stop, kvsql_buffer_slice (&self->key));
  kvsqld_rocksdb_key_skip_row (&self->row_stop);
  rocksdb_readoptions_set_iterate_upper_bound (self->options, (const char *)self->row_stop.data,
                                               self->row_stop.size);
}

static gboolean
get_row (Get *self, Visit *visit, KvsqlSlice row, GError **error)
{
  static const KvsqldRocksdbPattern everything = { { NULL, 0 }, TRUE };
  const KvsqldRocksdbPattern *patterns = self->columns->patterns;
  guint n_patterns = self->columns->n_patterns;
  KvsqlBuffer *key = &visit->key;
  rocksdb_iterator_t *iterator;
  gsize prefix_size;

  key->size = 0;
  kvsqld_rocksdb_key_add_row (key, self->table, row);
  prefix_size = key->size;
  visit_bound (visit);
  if (visit->iterator == NULL)
    visit->iterator = rocksdb_create_iterator (self->store->db, visit->options);
  iterator = visit->iterator;
  if (n_patterns == 0)
    {
      patterns = &everything;
      n_patterns = 1;
    }

  kvsql_rows_builder_add_row (&self->rows, kvsql_slice_dup (self->arena, row));
  for (guint i = 0; i < n_patterns; i++)
    {
      key->size = prefix_size;
      kvsql_buffer_append_slice (key, patterns[i].bytes);
      /* Patterns are sorted: after one pattern the iterator may be at the next one already. */
      if (i == 0 || !rocksdb_iter_valid (iterator)
          || kvsql_slice_compare (kvsqld_rocksdb_iterator_key (iterator), kvsql_buffer_slice (key))
                 < 0)
        kvsqld_rocksdb_iterator_seek (iterator, kvsql_buffer_slice (key));
      if (!read_matches (self, iterator, &patterns[i], kvsql_slice (key->data, prefix_size), error))
        return FALSE;
    }
  return TRUE;
}

static gint
compare_indexes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const KvsqlSlice *keys = user_data;

  return kvsql_slice_compare (keys[*(const guint *)a], keys[*(const guint *)b]);
}

/* Returns the indexes of the keys in ascending order of the keys. */
static guint *
order_of_keys (const KvsqlSlice *keys, guint n_keys)
{
  guint *order = g_new (guint, n_keys);

  for (guint i = 0; i < n_keys; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint)n_keys, sizeof *order, compare_indexes, (gpointer)keys);
  return order;
}

/* Puts the rows, which were read in key order, into the caller's order. */
static void
restore_order (Get *self, const guint *order)
{
  g_autofree KvsqlRow *sorted = g_memdup2 (self->rows.rows.rows, self->n_keys * sizeof (KvsqlRow));

  for (guint i = 0; i < self->n_keys; i++)
    self->rows.rows.rows[order[i]] = sorted[i];
}

static gboolean
get_by_rows (Get *self, GError **error)
{
  g_autofree guint *order = order_of_keys (self->keys, self->n_keys);
  g_auto (Visit) visit = { .options = rocksdb_readoptions_create () };
  char *cause = NULL;

  rocksdb_readoptions_set_prefix_same_as_start (visit.options, 1);
  for (guint i = 0; i < self->n_keys; i++)
    if ((i % CELLS_PER_REQUEST == 0 && !kvsql_call_check (self->call, error))
        || !get_row (self, &visit, self->keys[order[i]], error))
      return FALSE;
  if (visit.iterator != NULL)
    rocksdb_iter_get_error (visit.iterator, &cause);
  if (!kvsqld_rocksdb_check (cause, "read store \"rocksdb\"", error))
    return FALSE;
  restore_order (self, order);
  return TRUE;
}

static gboolean
get_nothing (Get *self, GError **error)
{
  for (guint i = 0; i < self->n_keys; i++)
    kvsql_rows_builder_add_row (&self->rows, kvsql_slice_dup (self->arena, self->keys[i]));
  return TRUE;
}

gboolean
kvsqld_rocksdb_multi_get (KvsqlStore *base, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                          const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                          KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  KvsqldRocksdbStore *store = (KvsqldRocksdbStore *)base;
  KvsqldRocksdbColumns wanted;
  Get get
      = { store, kvsqld_rocksdb_tables_find (store, table), keys, n_keys, &wanted, call, arena };
  gboolean ok;

  kvsqld_rocksdb_count_nothing ();
  kvsql_rows_builder_init (&get.rows, arena);
  kvsqld_rocksdb_columns_init (&wanted, columns, n_columns, arena);
  if (get.table == 0)
    ok = get_nothing (&get, error);
  else if (wanted.n_patterns > 0 && wanted.n_patterns <= MAX_COLUMNS_BY_KEY && !wanted.has_prefixes)
    ok = get_by_cells (&get, error);
  else
    ok = get_by_rows (&get, error);
  if (ok)
    *out_rows = kvsql_rows_builder_finish (&get.rows);
  kvsql_rows_builder_clear (&get.rows);
  return ok;
}
