/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sample.c: see sample.h.
 */
#include "config.h"

#include "core/infer/sample.h"

/* The table is divided into so many parts, and the beginnings of some of them are read. */
#define N_PARTS 16
#define MAX_PLACES 6
#define MIN_ROWS_OF_PARTS 8
#define MAX_BYTES (16 << 20) /* that are kept: one half of them from the start, as of the rows */
#define CELL_BYTES 32        /* that HBase sends with each cell */
/* A row may have very many cells: the first ones tell how many of them are a request's. */
#define N_PROBED 4
#define MAX_BATCH_ROWS 64
#define BATCH_BYTES (1 << 18)

typedef struct
{
  KvsqlInferSample *sample;
  KvsqlStore *store;
  KvsqlSlice table;
  const KvsqlCall *call;
  GArray *rows, *cells;   /* of KvsqlRow, KvsqlCell */
  gsize n_kept, max_kept; /* bytes: up to now, and at the end of this part */
} Reader;

static KvsqlSlice
keep (Reader *self, KvsqlSlice bytes)
{
  self->n_kept += bytes.size;
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
      self->n_kept += CELL_BYTES;
    }
  g_array_append_val (self->rows, kept);
}

static gboolean
is_full (const Reader *self, guint max_rows)
{
  return self->rows->len >= max_rows || self->n_kept >= self->max_kept;
}

static void
count_bytes (Reader *self, const KvsqlRows *rows)
{
  for (guint i = 0; i < rows->n_rows; i++)
    self->sample->n_bytes += rows->rows[i].key.size;
  for (guint i = 0; i < rows->n_cells; i++)
    self->sample->n_bytes
        += rows->cells[i].family.size + rows->cells[i].qualifier.size + rows->cells[i].value.size;
}

static guint
choose_batch (const Reader *self)
{
  gsize n_bytes = self->n_kept / MAX (self->rows->len, 1);

  return self->rows->len == 0 ? N_PROBED
                              : (guint)CLAMP (BATCH_BYTES / (n_bytes + 1), 1, MAX_BATCH_ROWS);
}

/* Up to @max_rows rows in all. *out_is_end: these are all rows of the range. */
static gboolean
read_range (Reader *self, KvsqlRowRange range, gboolean is_reversed, guint max_rows,
            gboolean *out_is_end, GError **error)
{
  const KvsqlScanSpec spec = { .table = self->table,
                               .ranges = &range,
                               .n_ranges = 1,
                               .is_reversed = is_reversed,
                               .row_limit = max_rows - self->rows->len + 1,
                               .row_hint = max_rows - self->rows->len,
                               .batch_rows = choose_batch (self) };
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *rows;

  *out_is_end = FALSE;
  if (is_full (self, max_rows))
    return TRUE;
  scan = kvsql_store_open_scan (self->store, &spec, self->call, error);
  if (scan == NULL)
    return FALSE;
  for (;;)
    {
      if (!kvsql_scan_next (scan, self->call, &rows, error))
        return FALSE;
      *out_is_end = rows->n_rows == 0;
      count_bytes (self, rows);
      for (guint i = 0; i < rows->n_rows; i++)
        {
          if (is_full (self, max_rows))
            return TRUE;
          keep_row (self, rows, &rows->rows[i]);
        }
      if (*out_is_end)
        return TRUE;
    }
}

/* After the last row that was read. */
static KvsqlSlice
next_key (const Reader *self)
{
  KvsqlSlice last = g_array_index (self->rows, KvsqlRow, self->rows->len - 1).key;

  return kvsql_slice_join (self->sample->arena, last, kvsql_slice ("", 1));
}

/* Some of the keys, in order, always the same for a table that is the same. */
static guint
choose_places (KvsqlSlice *keys, guint n)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (n);

  while (n > MAX_PLACES)
    {
      guint out = (guint)g_rand_int_range (random, 0, (gint32)n);

      memmove (&keys[out], &keys[out + 1], (n - out - 1) * sizeof *keys);
      n--;
    }
  return n;
}

static gboolean
read_between (Reader *self, KvsqlSlice start, guint max_rows, KvsqlSlice *out_start, GError **error)
{
  const KvsqlRowRange rest = { start, KVSQL_SLICE_EMPTY };
  guint n_before = self->rows->len, n;
  KvsqlSlice *keys;

  *out_start = start;
  if (!kvsql_store_split_points (self->store, self->table, &rest, N_PARTS - 1, self->call,
                                 self->sample->arena, &keys, &n, error))
    return FALSE;
  n = choose_places (keys, n);
  for (guint i = 0; i < n; i++)
    {
      const KvsqlRowRange part = { keys[i], i + 1 < n ? keys[i + 1] : KVSQL_SLICE_EMPTY };
      gboolean is_end;

      self->max_kept = MAX_BYTES / 2 + MAX_BYTES / 4 * (i + 1) / n;
      if (!read_range (self, part, FALSE, n_before + max_rows * (i + 1) / n, &is_end, error))
        return FALSE;
    }
  self->sample->n_places = n;
  self->sample->n_between = self->rows->len - n_before;
  if (self->sample->n_between > 0)
    *out_start = next_key (self);
  return TRUE;
}

static gboolean
read_end (Reader *self, KvsqlSlice start, guint max_rows, gboolean *out_is_end, GError **error)
{
  const KvsqlRowRange rest = { start, KVSQL_SLICE_EMPTY };
  guint n_before = self->rows->len;
  gboolean can_reverse = (self->store->capabilities.flags & KVSQL_STORE_REVERSE_SCAN) != 0;

  self->max_kept = MAX_BYTES;
  if (!read_range (self, rest, can_reverse, max_rows, out_is_end, error))
    return FALSE;
  if (can_reverse)
    self->sample->n_last = self->rows->len - n_before;
  else
    self->sample->n_first += self->rows->len - n_before;
  return TRUE;
}

static gboolean
read_start (Reader *self, guint max_rows, gboolean *out_is_end, GError **error)
{
  KvsqlRowRange range = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };

  if (!read_range (self, range, FALSE, MIN (max_rows, N_PROBED), out_is_end, error))
    return FALSE;
  if (*out_is_end || is_full (self, max_rows))
    return TRUE;
  range.start = next_key (self);
  return read_range (self, range, FALSE, max_rows, out_is_end, error);
}

static gboolean
read_parts (Reader *self, guint max_rows, GError **error)
{
  KvsqlInferSample *sample = self->sample;
  gboolean has_parts = max_rows >= MIN_ROWS_OF_PARTS;
  KvsqlSlice start;

  self->max_kept = has_parts ? MAX_BYTES / 2 : MAX_BYTES;
  if (!read_start (self, has_parts ? max_rows / 2 : max_rows, &sample->is_whole, error))
    return FALSE;
  sample->n_first = self->rows->len;
  if (sample->is_whole || !has_parts)
    return TRUE;
  if (!read_between (self, next_key (self), max_rows / 4, &start, error))
    return FALSE;
  if (!read_end (self, start, max_rows, &sample->is_whole, error))
    return FALSE;
  sample->is_whole = sample->is_whole && sample->n_between == 0;
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
  Reader reader = { self, store, table, call, rows, cells, 0, 0 };

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
