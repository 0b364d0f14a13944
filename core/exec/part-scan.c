/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * part-scan.c: copies the rows of operators into chunks, or aggregates them.
 */
#include "config.h"

#include "core/exec/part-scan.h"
#include "core/exec/grouping-sets.h"
#include "core/exec/result-builder.h"

#define FIRST_CAPACITY 256
/* A chunk also ends after this many tuples or index entries, if few of them satisfy the predicate,
 * so that its thread can look for other work. */
#define MAX_TUPLES_READ (32 * KVSQL_BATCH_ROWS)

/* The position after a tuple, within its table. */
typedef struct
{
  KvsqlSlice row;
  guint32 n_done;
} KvsqlPlace;

struct _KvsqlPartScan
{
  const KvsqlPartOutput *output;
  KvsqlSlice table;
  KvsqlRowSource *rows;
  KvsqlRunCounts counts;
  KvsqlRunCounts counts_before; /* the counts up to the last chunk */
  gboolean is_at_end;
  guint n_last_rows;            /* of the last chunk: estimate of the rows of the next one */
  KvsqlSetRows *sets;           /* NULL: rows are not aggregated */
  KvsqlScanPosition *positions; /* of the rows that are being added; NULL: not asked for */
};

KvsqlPartScan *
kvsql_part_scan_new (const KvsqlPartOutput *output, const KvsqlScanPart *part,
                     const KvsqlScanPosition *position)
{
  KvsqlPartScan *self = g_new0 (KvsqlPartScan, 1);

  self->output = output;
  self->table = part->name;
  self->rows = output->open (output, part, position, &self->counts);
  if (output->aggregation != NULL)
    self->sets = kvsql_set_rows_new (output->aggregation);
  if (output->wants_positions)
    self->positions = g_new (KvsqlScanPosition, KVSQL_BATCH_ROWS);
  return self;
}

void
kvsql_part_scan_free (KvsqlPartScan *self)
{
  if (self == NULL)
    return;
  kvsql_row_source_free (self->rows);
  kvsql_set_rows_free (self->sets);
  g_free (self->positions);
  g_free (self);
}

void
kvsql_part_scan_get_counts (const KvsqlPartScan *self, KvsqlAssemblerCounts *out)
{
  *out = (KvsqlAssemblerCounts){ 0 };
  kvsql_row_source_add_counts (self->rows, out);
}

/* ---- chunks */

static KvsqlPartChunk *
chunk_new (const KvsqlPartScan *self, gboolean is_aggregated)
{
  const KvsqlPartOutput *output = self->output;
  KvsqlPartChunk *chunk = g_new0 (KvsqlPartChunk, 1);

  chunk->rows = kvsql_batch_new (output->types, output->n_columns,
                                 is_aggregated ? 1 : MAX (FIRST_CAPACITY, self->n_last_rows));
  if (is_aggregated)
    chunk->groups = kvsql_partial_aggregate_new (output->aggregation);
  chunk->arena = kvsql_arena_new ();
  chunk->place_arena = kvsql_arena_new ();
  chunk->table = self->table;
  if (output->wants_positions)
    chunk->places = g_array_new (FALSE, FALSE, sizeof (KvsqlPlace));
  return chunk;
}

void
kvsql_part_chunk_free (KvsqlPartChunk *self)
{
  if (self == NULL)
    return;
  kvsql_batch_free (self->rows);
  kvsql_partial_aggregate_free (self->groups);
  kvsql_arena_free (self->arena);
  kvsql_arena_free (self->place_arena);
  g_clear_pointer (&self->places, g_array_unref);
  g_free (self);
}

void
kvsql_part_chunk_get_position (const KvsqlPartChunk *self, guint row, KvsqlScanPosition *out)
{
  const KvsqlPlace *place = &g_array_index (self->places, KvsqlPlace, row);

  g_assert (row < self->places->len);
  *out = (KvsqlScanPosition){
    .has_row = TRUE, .table = self->table, .row = place->row, .n_done_in_row = place->n_done
  };
}

/* All rows' bytes in one block. */
static void
add_places (KvsqlPartScan *self, guint n, KvsqlPartChunk *chunk)
{
  guint first = chunk->places->len;
  KvsqlPlace *places;
  gsize size = 0;
  guint8 *at;

  g_array_set_size (chunk->places, first + n);
  places = &g_array_index (chunk->places, KvsqlPlace, first);
  g_assert (n <= KVSQL_BATCH_ROWS && first + n == chunk->rows->n_rows); /* a place for each row */
  if (!kvsql_row_source_get_positions (self->rows, 0, n, self->positions))
    g_assert_not_reached ();
  for (guint i = 0; i < n; i++)
    {
      places[i] = (KvsqlPlace){ self->positions[i].row, self->positions[i].n_done_in_row };
      size += places[i].row.size;
    }
  at = kvsql_arena_alloc (chunk->place_arena, size);
  for (guint i = 0; i < n; i++)
    {
      kvsql_copy_bytes (at, places[i].row.data, places[i].row.size);
      places[i].row.data = at;
      at += places[i].row.size;
    }
}

static void
append_rows (KvsqlPartScan *self, gsize max_bytes, KvsqlRowSlice *slice, KvsqlPartChunk *chunk)
{
  kvsql_row_source_keep (
      self->rows,
      kvsql_row_slice_count_fitting (slice, chunk->rows->n_columns, max_bytes - chunk->n_bytes),
      slice);
  chunk->n_bytes += kvsql_result_builder_append (chunk->rows, slice->batch, slice->columns,
                                                 slice->rows, slice->n, chunk->arena);
  if (chunk->places != NULL)
    add_places (self, slice->n, chunk);
}

static gboolean
aggregate_rows (KvsqlPartScan *self, const KvsqlRowSlice *slice, const KvsqlCall *call,
                KvsqlPartChunk *chunk, GError **error)
{
  const KvsqlBatch *rows;

  g_assert (slice->n == slice->batch->n_rows && slice->columns == NULL);
  kvsql_set_rows_begin (self->sets, slice->batch);
  while ((rows = kvsql_set_rows_next (self->sets)) != NULL)
    {
      kvsql_partial_aggregate_read_keys (chunk->groups, rows);
      if (!kvsql_call_check (call, error)
          || !kvsql_partial_aggregate_add_rows (chunk->groups, rows, 0, rows->n_rows, error))
        return FALSE;
    }
  chunk->n_bytes = kvsql_partial_aggregate_get_size (chunk->groups);
  return TRUE;
}

static KvsqlRowDemand
get_demand (const KvsqlChunkShape *shape, const KvsqlPartChunk *chunk)
{
  KvsqlRowDemand demand = kvsql_row_demand_all;

  if (chunk->groups != NULL)
    return demand;
  g_assert (chunk->rows->n_rows < shape->max_rows && chunk->n_bytes < shape->max_bytes);
  demand.max_rows = shape->max_rows - chunk->rows->n_rows;
  /* large values: check the size more often than once for each batch */
  demand.max_copied = (guint)MAX (1, (shape->max_bytes - chunk->n_bytes) / 4096);
  return demand;
}

/* An index entry that is dropped becomes no tuple. */
static guint64
count_read (const KvsqlRunCounts *counts)
{
  return counts->tuples + counts->index_entries;
}

static gboolean
fill (KvsqlPartScan *self, const KvsqlChunkShape *shape, const KvsqlCall *call,
      KvsqlPartChunk *chunk, GError **error)
{
  while (chunk->rows->n_rows < shape->max_rows && chunk->n_bytes < shape->max_bytes
         && !self->is_at_end)
    {
      KvsqlRowDemand demand = get_demand (shape, chunk);
      KvsqlRowSlice slice;

      if (count_read (&self->counts) - count_read (&self->counts_before) >= MAX_TUPLES_READ
          && kvsql_row_source_is_drained (self->rows))
        return TRUE;
      if (!kvsql_call_check (call, error)
          || !kvsql_row_source_poll (self->rows, &demand, call, &slice, error))
        return FALSE;
      self->is_at_end = slice.is_end;
      if (slice.n == 0)
        continue;
      if (chunk->groups == NULL)
        append_rows (self, shape->max_bytes, &slice, chunk);
      else if (!aggregate_rows (self, &slice, call, chunk, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_part_scan_next (KvsqlPartScan *self, const KvsqlChunkShape *shape, const KvsqlCall *call,
                      KvsqlPartChunk **out_chunk, gboolean *out_is_at_end, GError **error)
{
  g_autoptr (KvsqlPartChunk) chunk = chunk_new (self, shape->is_aggregated);

  if (!fill (self, shape, call, chunk, error))
    return FALSE;
  chunk->counts = self->counts;
  kvsql_run_counts_subtract (&chunk->counts, &self->counts_before);
  self->counts_before = self->counts;
  self->n_last_rows = chunk->rows->n_rows;
  *out_is_at_end = self->is_at_end;
  *out_chunk = g_steal_pointer (&chunk);
  return TRUE;
}
