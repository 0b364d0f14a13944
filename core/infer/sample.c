/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sample.c: see sample.h.
 */
#include "config.h"

#include "core/infer/sample.h"

#define N_PARTS 8
#define MAX_BYTES (16 << 20)

typedef struct
{
  KvsqlInferSample *sample;
  KvsqlStore *store;
  KvsqlSlice table;
  const KvsqlCall *call;
  GArray *rows, *cells; /* of KvsqlRow, KvsqlCell */
  gsize n_bytes;
} Reader;

static KvsqlSlice
keep (Reader *self, KvsqlSlice bytes)
{
  self->n_bytes += bytes.size;
  return kvsql_slice_dup (self->sample->arena, bytes);
}

static void
keep_row (Reader *self, const KvsqlRows *rows, const KvsqlRow *row)
{
  const KvsqlRow kept = { keep (self, row->key), self->cells->len, row->n_cells };

  for (guint i = 0; i < row->n_cells; i++)
    {
      const KvsqlCell *cell = &rows->cells[row->first_cell + i];
      const KvsqlCell copy = { keep (self, cell->family), keep (self, cell->qualifier),
                               keep (self, cell->value), cell->timestamp };

      g_array_append_val (self->cells, copy);
    }
  g_array_append_val (self->rows, kept);
}

static gboolean
is_full (const Reader *self, guint max_rows)
{
  return self->rows->len >= max_rows || self->n_bytes >= MAX_BYTES;
}

/* Up to @max_rows rows in all. */
static gboolean
read_part (Reader *self, const KvsqlRowRange *range, guint max_rows, GError **error)
{
  const KvsqlScanSpec spec = { .table = self->table,
                               .ranges = range,
                               .n_ranges = 1,
                               .row_limit = max_rows - self->rows->len,
                               .row_hint = max_rows - self->rows->len };
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (self->store, &spec, self->call, error);
  const KvsqlRows *rows;

  if (scan == NULL)
    return FALSE;
  do
    {
      if (!kvsql_scan_next (scan, self->call, &rows, error))
        return FALSE;
      for (guint i = 0; i < rows->n_rows && !is_full (self, max_rows); i++)
        keep_row (self, rows, &rows->rows[i]);
      self->sample->is_whole
          = self->sample->is_whole && (rows->n_rows == 0 || !is_full (self, max_rows));
    }
  while (rows->n_rows > 0 && !is_full (self, max_rows));
  return TRUE;
}

static gboolean
read_parts (Reader *self, guint max_rows, GError **error)
{
  const KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  KvsqlSlice *keys;
  guint n;

  if (!kvsql_store_split_points (self->store, self->table, &all, N_PARTS - 1, self->call,
                                 self->sample->arena, &keys, &n, error))
    return FALSE;
  self->sample->is_whole = TRUE;
  for (guint i = 0; i <= n; i++)
    {
      const KvsqlRowRange part
          = { i > 0 ? keys[i - 1] : KVSQL_SLICE_EMPTY, i < n ? keys[i] : KVSQL_SLICE_EMPTY };
      guint end = MAX (1, (guint)((guint64)max_rows * (i + 1) / (n + 1)));

      if (end > self->rows->len && self->n_bytes < MAX_BYTES
          && !read_part (self, &part, end, error))
        return FALSE;
    }
  return TRUE;
}

static gpointer
copy_array (const GArray *array, gsize element_size, KvsqlArena *arena)
{
  gpointer copy = kvsql_arena_alloc (arena, array->len * element_size);

  if (array->len > 0)
    memcpy (copy, array->data, array->len * element_size);
  return copy;
}

gboolean
kvsql_infer_sample_read (KvsqlInferSample *self, KvsqlStore *store, KvsqlSlice table,
                         guint max_rows, const KvsqlCall *call, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (KvsqlRow));
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (KvsqlCell));
  Reader reader = { self, store, table, call, rows, cells, 0 };

  *self = (KvsqlInferSample){ .arena = kvsql_arena_new () };
  if (!read_parts (&reader, max_rows, error))
    return FALSE;
  self->rows = (KvsqlRows){
    .n_rows = rows->len,
    .rows = copy_array (rows, sizeof (KvsqlRow), self->arena),
    .n_cells = cells->len,
    .cells = copy_array (cells, sizeof (KvsqlCell), self->arena),
  };
  return TRUE;
}

void
kvsql_infer_sample_clear (KvsqlInferSample *self)
{
  g_clear_pointer (&self->arena, kvsql_arena_free);
}
