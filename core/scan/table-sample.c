/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table-sample.c: see table-sample.h.
 */
#include "config.h"

#include "core/scan/table-sample.h"

#include "core/base/hash.h"

typedef struct
{
  KvsqlTableSample *sample;
  GHashTable *seen; /* KvsqlSampledColumn -> itself, in the arena */
} Reader;

static guint
hash_column (gconstpointer column)
{
  const KvsqlSampledColumn *self = column;

  return kvsql_slice_hash_func (&self->family) * 31 + kvsql_slice_hash_func (&self->qualifier);
}

static gboolean
is_same_column (gconstpointer a, gconstpointer b)
{
  const KvsqlSampledColumn *one = a, *other = b;

  return kvsql_slice_equal (one->family, other->family)
         && kvsql_slice_equal (one->qualifier, other->qualifier);
}

static gint
compare_columns (gconstpointer a, gconstpointer b)
{
  const KvsqlSampledColumn *one = a, *other = b;
  gint order = kvsql_slice_compare (one->family, other->family);

  return order != 0 ? order : kvsql_slice_compare (one->qualifier, other->qualifier);
}

static void
count_cell (Reader *self, const KvsqlCell *cell)
{
  KvsqlArena *arena = self->sample->arena;
  const KvsqlSampledColumn key = { cell->family, cell->qualifier, 0 };
  KvsqlSampledColumn *column = g_hash_table_lookup (self->seen, &key);

  if (column == NULL && g_hash_table_size (self->seen) >= KVSQL_SAMPLE_COLUMNS)
    {
      self->sample->has_more_columns = TRUE;
      return;
    }
  if (column == NULL)
    {
      column = kvsql_arena_new0 (arena, KvsqlSampledColumn);
      column->family = kvsql_slice_dup (arena, cell->family);
      column->qualifier = kvsql_slice_dup (arena, cell->qualifier);
      g_hash_table_add (self->seen, column);
    }
  column->n_rows++;
}

/* FALSE: enough was read. */
static gboolean
count_rows (Reader *self, const KvsqlRows *rows)
{
  for (guint i = 0; i < rows->n_rows; i++)
    {
      const KvsqlRow *row = &rows->rows[i];

      self->sample->has_more_rows = self->sample->n_rows == KVSQL_SAMPLE_ROWS;
      if (self->sample->has_more_rows)
        return FALSE;
      self->sample->n_rows++;
      for (guint c = 0; c < row->n_cells; c++)
        count_cell (self, &rows->cells[row->first_cell + c]);
    }
  return rows->n_rows > 0;
}

static gboolean
read_rows (Reader *self, KvsqlStore *store, KvsqlSlice table, const KvsqlCall *call, GError **error)
{
  const KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  const KvsqlScanSpec spec = { .table = table,
                               .ranges = &all,
                               .n_ranges = 1,
                               .keys_only = TRUE,
                               .row_limit = KVSQL_SAMPLE_ROWS + 1 };
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, call, error);
  const KvsqlRows *rows;

  if (scan == NULL)
    return FALSE;
  do
    if (!kvsql_scan_next (scan, call, &rows, error))
      return FALSE;
  while (count_rows (self, rows));
  return TRUE;
}

gboolean
kvsql_table_sample_read (KvsqlTableSample *self, KvsqlStore *store, KvsqlSlice table,
                         const KvsqlCall *call, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (hash_column, is_same_column);
  Reader reader = { self, seen };
  GHashTableIter iter;
  gpointer column;

  *self = (KvsqlTableSample){ .columns = g_array_new (FALSE, FALSE, sizeof (KvsqlSampledColumn)),
                              .arena = kvsql_arena_new () };
  if (!read_rows (&reader, store, table, call, error))
    return FALSE;
  g_hash_table_iter_init (&iter, seen);
  while (g_hash_table_iter_next (&iter, &column, NULL))
    g_array_append_vals (self->columns, column, 1);
  g_array_sort (self->columns, compare_columns);
  return TRUE;
}

void
kvsql_table_sample_clear (KvsqlTableSample *self)
{
  g_clear_pointer (&self->columns, g_array_unref);
  g_clear_pointer (&self->arena, kvsql_arena_free);
}

gchar *
kvsql_table_sample_describe_rows (const KvsqlTableSample *self)
{
  return self->has_more_rows ? g_strdup ("more than 1,000") : g_strdup_printf ("%u", self->n_rows);
}
