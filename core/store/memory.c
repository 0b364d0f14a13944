/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * memory.c: the simplest store that keeps every word of store.h.
 *
 * Trees of tables, of rows and of cells, under one lock. A scan keeps nothing but
 * the key of its last row, and looks it up again for every batch.
 */
#include "config.h"

#include "core/store/memory.h"

#include "core/store/rows.h"

#define MAX_ROW_BYTES 32767 /* as in HBase: what fits here fits there */
#define MAX_VALUE_BYTES (64 * 1024 * 1024)
#define BATCH_ROWS 1024
#define BATCH_BYTES (1024 * 1024)
#define ROWS_BETWEEN_CHECKS 1024

/* Each of these begins with its key, so that a slice or two find it in its tree. */
typedef struct
{
  KvsqlSlice family;
  KvsqlSlice qualifier;
  gint64 timestamp;
  KvsqlSlice value;
  guint8 bytes[];
} Cell;

typedef struct
{
  KvsqlSlice key;
  GTree *cells;
  guint8 bytes[];
} Row;

typedef struct
{
  KvsqlSlice name;
  GTree *rows;
  guint8 bytes[];
} Table;

typedef struct
{
  KvsqlStore base;
  GRWLock lock; /* of all below @tables */
  GTree *tables;
} MemoryStore;

typedef struct
{
  KvsqlScan base;
  KvsqlArena *kept; /* owns what @spec points to */
  KvsqlScanSpec spec;
  guint range;          /* how many ranges are done */
  gboolean has_last;    /* a row of the current range was seen */
  KvsqlBuffer last_key; /* that row */
  guint64 n_rows;
  KvsqlArena *arena;
  KvsqlRowsBuilder rows;
} MemoryScan;

static gint
compare_keys (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return kvsql_slice_compare (*(const KvsqlSlice *)a, *(const KvsqlSlice *)b);
}

static gint
compare_cells (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const KvsqlSlice *left = a, *right = b; /* family, qualifier */
  gint order = kvsql_slice_compare (left[0], right[0]);

  return order != 0 ? order : kvsql_slice_compare (left[1], right[1]);
}

static Cell *
cell_new (const KvsqlMutation *put)
{
  Cell *self = g_malloc (sizeof (Cell) + put->family.size + put->qualifier.size + put->value.size);
  guint8 *at = self->bytes;
  const KvsqlSlice *parts[] = { &put->family, &put->qualifier, &put->value };
  KvsqlSlice *copies[] = { &self->family, &self->qualifier, &self->value };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      *copies[i] = kvsql_slice (at, parts[i]->size);
      if (parts[i]->size > 0)
        memcpy (at, parts[i]->data, parts[i]->size);
      at += parts[i]->size;
    }
  self->timestamp = put->timestamp;
  return self;
}

static void
row_free (gpointer data)
{
  Row *self = data;

  g_tree_unref (self->cells);
  g_free (self);
}

static void
table_free (gpointer data)
{
  Table *self = data;

  g_tree_unref (self->rows);
  g_free (self);
}

static Row *
row_new (KvsqlSlice key)
{
  Row *self = g_malloc (sizeof (Row) + key.size);

  memcpy (self->bytes, key.data, key.size);
  self->key = kvsql_slice (self->bytes, key.size);
  self->cells = g_tree_new_full (compare_cells, NULL, NULL, g_free);
  return self;
}

static Table *
table_new (KvsqlSlice name)
{
  Table *self = g_malloc (sizeof (Table) + name.size);

  memcpy (self->bytes, name.data, name.size);
  self->name = kvsql_slice (self->bytes, name.size);
  self->rows = g_tree_new_full (compare_keys, NULL, NULL, row_free);
  return self;
}

static Table *
find_table (MemoryStore *self, KvsqlSlice name)
{
  return g_tree_lookup (self->tables, &name);
}

static Row *
find_row (MemoryStore *self, KvsqlSlice table_name, KvsqlSlice key)
{
  Table *table = find_table (self, table_name);

  return table == NULL ? NULL : g_tree_lookup (table->rows, &key);
}

static Cell *
find_cell (MemoryStore *self, KvsqlSlice table_name, KvsqlSlice key, KvsqlSlice family,
           KvsqlSlice qualifier)
{
  Row *row = find_row (self, table_name, key);
  const KvsqlSlice column[] = { family, qualifier };

  return row == NULL ? NULL : g_tree_lookup (row->cells, column);
}

static Table *
make_table (MemoryStore *self, KvsqlSlice name)
{
  Table *table = find_table (self, name);

  if (table == NULL)
    {
      table = table_new (name);
      g_tree_insert (self->tables, &table->name, table);
    }
  return table;
}

static void
put_cell (MemoryStore *self, const KvsqlMutation *put)
{
  Table *table = make_table (self, put->table);
  Row *row = g_tree_lookup (table->rows, &put->row);
  Cell *cell;

  if (row == NULL)
    {
      row = row_new (put->row);
      g_tree_insert (table->rows, &row->key, row);
    }
  cell = g_tree_lookup (row->cells, &put->family);
  if (cell != NULL && cell->timestamp > put->timestamp)
    return;
  cell = cell_new (put);
  g_tree_replace (row->cells, &cell->family, cell);
}

/* A row ends with its last cell. */
static void
drop_empty_row (MemoryStore *self, const KvsqlMutation *mutation, Row *row)
{
  if (g_tree_nnodes (row->cells) == 0)
    g_tree_remove (find_table (self, mutation->table)->rows, &mutation->row);
}

static void
delete_cell (MemoryStore *self, const KvsqlMutation *mutation)
{
  Row *row = find_row (self, mutation->table, mutation->row);
  Cell *cell = row == NULL ? NULL : g_tree_lookup (row->cells, &mutation->family);

  if (cell == NULL || cell->timestamp > mutation->timestamp)
    return;
  g_tree_remove (row->cells, &mutation->family);
  drop_empty_row (self, mutation, row);
}

static void
delete_row (MemoryStore *self, const KvsqlMutation *mutation)
{
  Row *row = find_row (self, mutation->table, mutation->row);
  g_autoptr (GPtrArray) old = g_ptr_array_new ();

  if (row == NULL)
    return;
  for (GTreeNode *node = g_tree_node_first (row->cells); node; node = g_tree_node_next (node))
    if (((Cell *)g_tree_node_value (node))->timestamp <= mutation->timestamp)
      g_ptr_array_add (old, g_tree_node_key (node));
  for (guint i = 0; i < old->len; i++)
    g_tree_remove (row->cells, old->pdata[i]);
  drop_empty_row (self, mutation, row);
}

/* @family and @qualifier follow each other in a mutation as in a cell: a pointer to one is a key.
 */
G_STATIC_ASSERT (G_STRUCT_OFFSET (KvsqlMutation, qualifier)
                 == G_STRUCT_OFFSET (KvsqlMutation, family) + sizeof (KvsqlSlice));

static void
apply_locked (MemoryStore *self, const KvsqlMutation *mutations, guint n_mutations)
{
  for (guint i = 0; i < n_mutations; i++)
    switch (mutations[i].kind)
      {
      case KVSQL_MUTATION_PUT:
        put_cell (self, &mutations[i]);
        break;
      case KVSQL_MUTATION_DELETE:
        delete_cell (self, &mutations[i]);
        break;
      case KVSQL_MUTATION_DELETE_ROW:
        delete_row (self, &mutations[i]);
        break;
      }
}

static gboolean
memory_apply (KvsqlStore *store, const KvsqlMutation *mutations, guint n_mutations,
              const KvsqlCall *call, GError **error)
{
  MemoryStore *self = (MemoryStore *)store;

  g_rw_lock_writer_lock (&self->lock);
  apply_locked (self, mutations, n_mutations);
  g_rw_lock_writer_unlock (&self->lock);
  return TRUE;
}

static gboolean
memory_check_and_apply (KvsqlStore *store, const KvsqlCheck *check, const KvsqlMutation *mutations,
                        guint n_mutations, const KvsqlCall *call, gboolean *out_applied,
                        GError **error)
{
  MemoryStore *self = (MemoryStore *)store;
  gboolean holds;
  Cell *cell;

  g_rw_lock_writer_lock (&self->lock);
  cell = find_cell (self, check->table, check->row, check->family, check->qualifier);
  if (check->kind == KVSQL_CHECK_ABSENT)
    holds = cell == NULL;
  else
    holds = cell != NULL && kvsql_slice_equal (cell->value, check->value);
  if (holds)
    apply_locked (self, mutations, n_mutations);
  g_rw_lock_writer_unlock (&self->lock);
  *out_applied = holds;
  return TRUE;
}

/* The sum wraps around, as in HBase. The cell gets a timestamp that makes it the newest. */
static gboolean
increment_locked (MemoryStore *self, KvsqlMutation *put, gint64 amount, gint64 *out_value,
                  GError **error)
{
  Cell *cell = find_cell (self, put->table, put->row, put->family, put->qualifier);
  guint64 sum = amount;
  guint8 bytes[8];

  if (cell != NULL && cell->value.size != sizeof bytes)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "cell is no counter: it holds %" G_GSIZE_FORMAT " bytes, not 8",
                            cell->value.size);
  if (cell != NULL)
    {
      sum += kvsql_get_be64 (cell->value.data);
      put->timestamp = MAX (put->timestamp, cell->timestamp);
    }
  kvsql_put_be64 (bytes, sum);
  put->value = kvsql_slice (bytes, sizeof bytes);
  put_cell (self, put);
  *out_value = (gint64)sum;
  return TRUE;
}

static gboolean
memory_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
                  KvsqlSlice qualifier, gint64 amount, const KvsqlCall *call, gint64 *out_value,
                  GError **error)
{
  MemoryStore *self = (MemoryStore *)store;
  KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT,
                        .table = table,
                        .row = row,
                        .family = family,
                        .qualifier = qualifier,
                        .timestamp = g_get_real_time () / 1000 };
  gboolean ok;

  g_rw_lock_writer_lock (&self->lock);
  ok = increment_locked (self, &put, amount, out_value, error);
  g_rw_lock_writer_unlock (&self->lock);
  return ok;
}

static gboolean
is_wanted (const Cell *cell, const KvsqlColumn *columns, guint n_columns)
{
  for (guint i = 0; i < n_columns; i++)
    if (kvsql_slice_equal (columns[i].family, cell->family)
        && (columns[i].whole_family || kvsql_slice_equal (columns[i].qualifier, cell->qualifier)))
      return TRUE;
  return n_columns == 0;
}

/* FALSE, and nothing added, if no cell of the row is wanted. */
static gboolean
copy_row (KvsqlRowsBuilder *out, const Row *row, const KvsqlColumn *columns, guint n_columns)
{
  gboolean is_begun = FALSE;

  for (GTreeNode *node = g_tree_node_first (row->cells); node; node = g_tree_node_next (node))
    {
      const Cell *cell = g_tree_node_value (node);
      KvsqlCell copy = { .timestamp = cell->timestamp };

      if (!is_wanted (cell, columns, n_columns))
        continue;
      if (!is_begun)
        kvsql_rows_builder_add_row (out, kvsql_rows_builder_copy (out, row->key));
      is_begun = TRUE;
      copy.family = kvsql_rows_builder_copy (out, cell->family);
      copy.qualifier = kvsql_rows_builder_copy (out, cell->qualifier);
      copy.value = kvsql_rows_builder_copy (out, cell->value);
      kvsql_rows_builder_add_cell (out, &copy);
    }
  return is_begun;
}

static gboolean
memory_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                  const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                  KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  MemoryStore *self = (MemoryStore *)store;
  KvsqlRowsBuilder rows;

  kvsql_rows_builder_init (&rows, arena);
  g_rw_lock_reader_lock (&self->lock);
  for (guint i = 0; i < n_keys; i++)
    {
      Row *row = find_row (self, table, keys[i]);

      if (row == NULL || !copy_row (&rows, row, columns, n_columns))
        kvsql_rows_builder_add_row (&rows, kvsql_rows_builder_copy (&rows, keys[i]));
    }
  g_rw_lock_reader_unlock (&self->lock);
  *out_rows = kvsql_rows_builder_finish (&rows);
  kvsql_rows_builder_clear (&rows);
  return TRUE;
}

static void
copy_spec (MemoryScan *self, const KvsqlScanSpec *spec)
{
  KvsqlRowRange *ranges = kvsql_arena_array (self->kept, KvsqlRowRange, spec->n_ranges);
  KvsqlColumn *columns = kvsql_arena_array (self->kept, KvsqlColumn, spec->n_columns);

  for (guint i = 0; i < spec->n_ranges; i++)
    ranges[i] = (KvsqlRowRange){ kvsql_slice_dup (self->kept, spec->ranges[i].start),
                                 kvsql_slice_dup (self->kept, spec->ranges[i].stop) };
  for (guint i = 0; i < spec->n_columns; i++)
    columns[i] = (KvsqlColumn){ kvsql_slice_dup (self->kept, spec->columns[i].family),
                                kvsql_slice_dup (self->kept, spec->columns[i].qualifier),
                                spec->columns[i].whole_family };
  self->spec = *spec;
  self->spec.table = kvsql_slice_dup (self->kept, spec->table);
  self->spec.ranges = ranges;
  self->spec.columns = columns;
  if (spec->batch_rows == 0)
    self->spec.batch_rows = BATCH_ROWS;
}

static KvsqlScan *
memory_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec, const KvsqlCall *call,
                  GError **error)
{
  MemoryScan *self = g_new0 (MemoryScan, 1);

  self->kept = kvsql_arena_new ();
  self->arena = kvsql_arena_new ();
  kvsql_rows_builder_init (&self->rows, self->arena);
  copy_spec (self, spec);
  return &self->base;
}

static void
memory_scan_close (KvsqlScan *scan)
{
  MemoryScan *self = (MemoryScan *)scan;

  kvsql_rows_builder_clear (&self->rows);
  kvsql_buffer_clear (&self->last_key);
  kvsql_arena_free (self->arena);
  kvsql_arena_free (self->kept);
  g_free (self);
}

static GTreeNode *
first_below (GTree *rows, KvsqlSlice limit)
{
  GTreeNode *node = g_tree_lower_bound (rows, &limit);

  return node == NULL ? g_tree_node_last (rows) : g_tree_node_previous (node);
}

/* The next row of the current range, or NULL at its end. */
static GTreeNode *
next_in_range (MemoryScan *self, GTree *rows, const KvsqlRowRange *range)
{
  KvsqlSlice last = kvsql_buffer_slice (&self->last_key);
  GTreeNode *node;

  if (!self->spec.is_reversed)
    {
      node = self->has_last ? g_tree_upper_bound (rows, &last)
                            : g_tree_lower_bound (rows, &range->start);
      if (node != NULL && range->stop.size > 0
          && compare_keys (g_tree_node_key (node), &range->stop, NULL) >= 0)
        return NULL;
      return node;
    }
  if (self->has_last)
    node = first_below (rows, last);
  else
    node = range->stop.size == 0 ? g_tree_node_last (rows) : first_below (rows, range->stop);
  return node != NULL && compare_keys (g_tree_node_key (node), &range->start, NULL) >= 0 ? node
                                                                                         : NULL;
}

static Row *
next_row (MemoryScan *self, Table *table)
{
  for (; self->range < self->spec.n_ranges; self->range++, self->has_last = FALSE)
    {
      guint n = self->spec.is_reversed ? self->spec.n_ranges - 1 - self->range : self->range;
      GTreeNode *node = next_in_range (self, table->rows, &self->spec.ranges[n]);

      if (node != NULL)
        {
          Row *row = g_tree_node_value (node);

          self->last_key.size = 0;
          kvsql_buffer_append_slice (&self->last_key, row->key);
          self->has_last = TRUE;
          return row;
        }
    }
  return NULL;
}

static gboolean
fill_batch (MemoryScan *self, const KvsqlCall *call, GError **error)
{
  Table *table = find_table ((MemoryStore *)self->base.store, self->spec.table);
  guint n_seen = 0;

  while (table != NULL && self->rows.rows.n_rows < self->spec.batch_rows
         && self->rows.n_bytes < BATCH_BYTES
         && (self->spec.row_limit == 0 || self->n_rows < self->spec.row_limit))
    {
      Row *row = next_row (self, table);

      if (row == NULL)
        break;
      if (++n_seen % ROWS_BETWEEN_CHECKS == 0 && !kvsql_call_check (call, error))
        return FALSE;
      if (copy_row (&self->rows, row, self->spec.columns, self->spec.n_columns))
        self->n_rows++;
    }
  return TRUE;
}

static gboolean
memory_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                  GError **error)
{
  MemoryScan *self = (MemoryScan *)scan;
  MemoryStore *store = (MemoryStore *)scan->store;
  gboolean ok;

  kvsql_rows_builder_reset (&self->rows);
  g_rw_lock_reader_lock (&store->lock);
  ok = fill_batch (self, call, error);
  g_rw_lock_reader_unlock (&store->lock);
  if (ok)
    *out_rows = &self->rows.rows;
  return ok;
}

static GPtrArray *
memory_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call, GError **error)
{
  MemoryStore *self = (MemoryStore *)store;
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
  MemoryStore *self = (MemoryStore *)store;
  gboolean is_new;

  g_rw_lock_writer_lock (&self->lock);
  is_new = find_table (self, spec->name) == NULL;
  make_table (self, spec->name);
  g_rw_lock_writer_unlock (&self->lock);
  if (out_created != NULL)
    *out_created = is_new;
  return TRUE;
}

static gboolean
memory_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call, GError **error)
{
  MemoryStore *self = (MemoryStore *)store;
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
  MemoryStore *self = (MemoryStore *)store;

  g_tree_unref (self->tables);
  g_rw_lock_clear (&self->lock);
  g_free (self);
}

static const KvsqlStoreClass memory_class = {
  .version = KVSQL_STORE_VERSION,
  .name = "memory",
  .close = memory_close,
  .ping = memory_ping,
  .open_scan = memory_open_scan,
  .scan_next = memory_scan_next,
  .scan_close = memory_scan_close,
  .multi_get = memory_multi_get,
  .apply = memory_apply,
  .check_and_apply = memory_check_and_apply,
  .increment = memory_increment,
  .list_tables = memory_list_tables,
  .ensure_table = memory_ensure_table,
  .drop_table = memory_drop_table,
  .flush = memory_flush,
};

KvsqlStore *
kvsql_memory_store_new (void)
{
  MemoryStore *self = g_new0 (MemoryStore, 1);

  self->base.klass = &memory_class;
  self->base.capabilities = (KvsqlStoreCapabilities){
    .flags = KVSQL_STORE_REVERSE_SCAN | KVSQL_STORE_ATOMIC_BATCH | KVSQL_STORE_IMPLICIT_TABLES,
    .max_row_bytes = MAX_ROW_BYTES,
    .max_value_bytes = MAX_VALUE_BYTES,
    .request_cost = 1,
  };
  g_rw_lock_init (&self->lock);
  self->tables = g_tree_new_full (compare_keys, NULL, NULL, table_free);
  return &self->base;
}
