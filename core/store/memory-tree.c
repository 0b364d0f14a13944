/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * memory-tree.c: a tree of tables of trees of rows of trees of cells, and the application of
 * mutations.
 */
#include "config.h"

#include "core/store/memory-tree.h"

gint
kvsql_memory_compare_keys (gconstpointer a, gconstpointer b, gpointer user_data)
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

static KvsqlMemoryCell *
cell_new (const KvsqlCellMutation *put)
{
  KvsqlMemoryCell *self = g_malloc (sizeof (KvsqlMemoryCell) + put->family.size
                                    + put->qualifier.size + put->value.size);
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
  KvsqlMemoryRow *self = data;

  g_tree_unref (self->cells);
  g_free (self);
}

static void
table_free (gpointer data)
{
  KvsqlMemoryTable *self = data;

  g_tree_unref (self->rows);
  g_free (self);
}

static KvsqlMemoryRow *
row_new (KvsqlSlice key)
{
  KvsqlMemoryRow *self = g_malloc (sizeof (KvsqlMemoryRow) + key.size);

  memcpy (self->bytes, key.data, key.size);
  self->key = kvsql_slice (self->bytes, key.size);
  self->cells = g_tree_new_full (compare_cells, NULL, NULL, g_free);
  return self;
}

static KvsqlMemoryTable *
table_new (KvsqlSlice name)
{
  KvsqlMemoryTable *self = g_malloc (sizeof (KvsqlMemoryTable) + name.size);

  memcpy (self->bytes, name.data, name.size);
  self->name = kvsql_slice (self->bytes, name.size);
  self->rows = g_tree_new_full (kvsql_memory_compare_keys, NULL, NULL, row_free);
  return self;
}

KvsqlMemoryTable *
kvsql_memory_find_table (GTree *tables, KvsqlSlice name)
{
  return g_tree_lookup (tables, &name);
}

KvsqlMemoryRow *
kvsql_memory_find_row (GTree *tables, KvsqlSlice table_name, KvsqlSlice key)
{
  KvsqlMemoryTable *table = kvsql_memory_find_table (tables, table_name);

  return table == NULL ? NULL : g_tree_lookup (table->rows, &key);
}

KvsqlMemoryCell *
kvsql_memory_find_cell (GTree *tables, KvsqlSlice table_name, KvsqlSlice key, KvsqlSlice family,
                        KvsqlSlice qualifier)
{
  KvsqlMemoryRow *row = kvsql_memory_find_row (tables, table_name, key);
  const KvsqlSlice column[] = { family, qualifier };

  return row == NULL ? NULL : g_tree_lookup (row->cells, column);
}

KvsqlMemoryTable *
kvsql_memory_make_table (GTree *tables, KvsqlSlice name)
{
  KvsqlMemoryTable *table = kvsql_memory_find_table (tables, name);

  if (table == NULL)
    {
      table = table_new (name);
      g_tree_insert (tables, &table->name, table);
    }
  return table;
}

/* @family and @qualifier have the same layout in a mutation as in a cell, so that a pointer to the
 * mutation's family is a key of the tree of cells. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (KvsqlCellMutation, qualifier)
                 == G_STRUCT_OFFSET (KvsqlCellMutation, family) + sizeof (KvsqlSlice));

static void
put_cell (KvsqlMemoryRow *row, const KvsqlCellMutation *put)
{
  KvsqlMemoryCell *cell = g_tree_lookup (row->cells, &put->family);

  if (cell != NULL && cell->timestamp > put->timestamp)
    return;
  cell = cell_new (put);
  g_tree_replace (row->cells, &cell->family, cell);
}

static void
delete_cell (KvsqlMemoryRow *row, const KvsqlCellMutation *mutation)
{
  KvsqlMemoryCell *cell = g_tree_lookup (row->cells, &mutation->family);

  if (cell != NULL && cell->timestamp <= mutation->timestamp)
    g_tree_remove (row->cells, &mutation->family);
}

static void
delete_cells (KvsqlMemoryRow *row, gint64 timestamp)
{
  g_autoptr (GPtrArray) old = g_ptr_array_new ();

  for (GTreeNode *node = g_tree_node_first (row->cells); node; node = g_tree_node_next (node))
    if (((KvsqlMemoryCell *)g_tree_node_value (node))->timestamp <= timestamp)
      g_ptr_array_add (old, g_tree_node_key (node));
  for (guint i = 0; i < old->len; i++)
    g_tree_remove (row->cells, old->pdata[i]);
}

static KvsqlMemoryRow *
make_row (KvsqlMemoryTable *table, KvsqlSlice key)
{
  KvsqlMemoryRow *row = row_new (key);

  g_tree_insert (table->rows, &row->key, row);
  return row;
}

/* A row without cells does not exist. @table: NULL if it does not exist. Returns the table. */
static KvsqlMemoryTable *
apply_row (GTree *tables, KvsqlMemoryTable *table, const KvsqlRowMutation *mutation)
{
  KvsqlMemoryRow *row = table == NULL ? NULL : g_tree_lookup (table->rows, &mutation->row);

  for (guint i = 0; i < mutation->n_cells; i++)
    {
      const KvsqlCellMutation *cell = &mutation->cells[i];

      if (cell->kind == KVSQL_MUTATION_PUT)
        {
          if (table == NULL)
            table = kvsql_memory_make_table (tables, mutation->table);
          if (row == NULL)
            row = make_row (table, mutation->row);
          put_cell (row, cell);
        }
      else if (row != NULL && cell->kind == KVSQL_MUTATION_DELETE)
        delete_cell (row, cell);
      else if (row != NULL)
        delete_cells (row, cell->timestamp);
    }
  if (row != NULL && g_tree_nnodes (row->cells) == 0)
    g_tree_remove (table->rows, &mutation->row);
  return table;
}

void
kvsql_memory_apply (GTree *tables, const KvsqlRowMutation *rows, guint n_rows)
{
  KvsqlMemoryTable *table = NULL;

  for (guint i = 0; i < n_rows; i++)
    {
      if (table == NULL || !kvsql_slice_equal (rows[i].table, table->name))
        table = kvsql_memory_find_table (tables, rows[i].table);
      table = apply_row (tables, table, &rows[i]);
    }
}

static gboolean
is_wanted (const KvsqlMemoryCell *cell, const KvsqlColumn *columns, guint n_columns)
{
  for (guint i = 0; i < n_columns; i++)
    if (kvsql_slice_equal (columns[i].family, cell->family)
        && (columns[i].whole_family || kvsql_slice_equal (columns[i].qualifier, cell->qualifier)))
      return TRUE;
  return n_columns == 0;
}

static void
copy_bytes (KvsqlRowsBuilder *out, const KvsqlMemoryCell *cell, KvsqlCell *copy)
{
  guint8 *at
      = kvsql_rows_builder_alloc (out, cell->family.size + cell->qualifier.size + cell->value.size);

  copy->family = kvsql_slice (at, cell->family.size);
  kvsql_copy_bytes (at, cell->family.data, cell->family.size);
  at += cell->family.size;
  copy->qualifier = kvsql_slice (at, cell->qualifier.size);
  kvsql_copy_bytes (at, cell->qualifier.data, cell->qualifier.size);
  at += cell->qualifier.size;
  copy->value = kvsql_slice (at, cell->value.size);
  kvsql_copy_bytes (at, cell->value.data, cell->value.size);
}

gboolean
kvsql_memory_copy_row (KvsqlRowsBuilder *out, const KvsqlMemoryRow *row, const KvsqlColumn *columns,
                       guint n_columns, const KvsqlTimeRange *times)
{
  gboolean is_begun = FALSE;

  for (GTreeNode *node = g_tree_node_first (row->cells); node; node = g_tree_node_next (node))
    {
      const KvsqlMemoryCell *cell = g_tree_node_value (node);
      KvsqlCell copy = { .timestamp = cell->timestamp };

      if (!is_wanted (cell, columns, n_columns)
          || (times != NULL && !kvsql_time_range_has (times, cell->timestamp)))
        continue;
      if (!is_begun)
        kvsql_rows_builder_add_row (out, kvsql_rows_builder_copy (out, row->key));
      is_begun = TRUE;
      copy_bytes (out, cell, &copy);
      kvsql_rows_builder_add_cell (out, &copy);
    }
  return is_begun;
}

GTree *
kvsql_memory_tables_new (void)
{
  return g_tree_new_full (kvsql_memory_compare_keys, NULL, NULL, table_free);
}
