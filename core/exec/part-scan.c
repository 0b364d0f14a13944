/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * part-scan.c: scan, filter and outputs of some rows, like select.c for all rows.
 */
#include "config.h"

#include "core/scan/predicate-filter.h"
#include "core/exec/result-builder.h"
#include "core/exec/part-scan.h"
#include "core/expr/evaluate.h"

#define FIRST_CAPACITY 256
/* A chunk also ends after this many tuples, if few of them satisfy the predicate, so that its
 * thread can look for other work. */
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
  KvsqlTableScan *scan;
  KvsqlPredicateFilter *filter;
  KvsqlEvaluator *exprs; /* NULL: outputs are attributes */
  KvsqlRunCounts counts;
  KvsqlRunCounts counts_before; /* the counts up to the last chunk */

  KvsqlBatch *batch; /* of the scan */
  const guint32 *selection;
  guint n_selected;
  guint next; /* row of the selection */
  gboolean is_at_end;
  guint n_last_rows; /* of the last chunk: estimate of the rows of the next one */
  guint32 *numbers;  /* 0, 1, … */
};

KvsqlPartScan *
kvsql_part_scan_new (const KvsqlPartOutput *output, const KvsqlScanPart *part,
                     const KvsqlScanPosition *position)
{
  KvsqlPartScan *self = g_new0 (KvsqlPartScan, 1);
  const KvsqlSelectPlan *plan = output->plan;

  self->output = output;
  self->table = part->name;
  self->scan = kvsql_table_scan_new (output->store, plan->best, &plan->needed, position, 0,
                                     output->sort_bytes);
  kvsql_table_scan_watch (self->scan, output->max_scan_rows, &self->counts);
  kvsql_table_scan_expect (self->scan, G_MAXUINT64);
  kvsql_table_scan_restrict (self->scan, part);
  self->filter = kvsql_predicate_filter_new (plan->predicate);
  if (output->exprs != NULL)
    self->exprs = kvsql_evaluator_new (output->exprs, output->n_columns);
  self->numbers = g_new (guint32, KVSQL_BATCH_ROWS);
  for (guint i = 0; i < KVSQL_BATCH_ROWS; i++)
    self->numbers[i] = i;
  return self;
}

void
kvsql_part_scan_free (KvsqlPartScan *self)
{
  if (self == NULL)
    return;
  kvsql_table_scan_free (self->scan);
  kvsql_predicate_filter_free (self->filter);
  kvsql_evaluator_free (self->exprs);
  g_free (self->numbers);
  g_free (self);
}

void
kvsql_part_scan_get_counts (const KvsqlPartScan *self, KvsqlAssemblerCounts *out)
{
  kvsql_table_scan_get_counts (self->scan, out);
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
  for (guint i = 0; i < n; i++)
    {
      KvsqlScanPosition position = { 0 };

      if (!kvsql_table_scan_get_position (self->scan, self->selection[self->next + i], &position))
        g_assert_not_reached ();
      places[i] = (KvsqlPlace){ position.row, position.n_done_in_row };
      size += position.row.size;
    }
  at = kvsql_arena_alloc (chunk->place_arena, size);
  for (guint i = 0; i < n; i++)
    {
      kvsql_copy_bytes (at, places[i].row.data, places[i].row.size);
      places[i].row.data = at;
      at += places[i].row.size;
    }
}

static gboolean
append_rows (KvsqlPartScan *self, guint n, KvsqlPartChunk *chunk, GError **error)
{
  KvsqlBatch *output;

  if (self->exprs == NULL)
    chunk->n_bytes
        += kvsql_result_builder_append (chunk->rows, self->batch, self->output->plan->items,
                                        self->selection + self->next, n, chunk->arena);
  else if (kvsql_evaluator_run (self->exprs, self->batch, self->selection + self->next, n, &output,
                                error))
    chunk->n_bytes
        += kvsql_result_builder_append (chunk->rows, output, NULL, self->numbers, n, chunk->arena);
  else
    return FALSE;
  if (chunk->places != NULL)
    add_places (self, n, chunk);
  self->next += n;
  return TRUE;
}

/* Aggregates the rest of the selection. */
static gboolean
aggregate_rows (KvsqlPartScan *self, KvsqlPartChunk *chunk, GError **error)
{
  KvsqlBatch *output;

  if (!kvsql_evaluator_run (self->exprs, self->batch, self->selection + self->next,
                            self->n_selected - self->next, &output, error))
    return FALSE;
  kvsql_partial_aggregate_read_keys (chunk->groups, output);
  if (!kvsql_partial_aggregate_add_rows (chunk->groups, output, 0, output->n_rows, error))
    return FALSE;
  chunk->n_bytes = kvsql_partial_aggregate_get_size (chunk->groups);
  self->next = self->n_selected;
  return TRUE;
}

static gboolean
read_batch (KvsqlPartScan *self, const KvsqlCall *call, GError **error)
{
  if (!kvsql_table_scan_next (self->scan, call, &self->batch, error))
    return FALSE;
  self->next = self->n_selected = 0;
  self->is_at_end = self->batch->n_rows == 0;
  if (!kvsql_predicate_filter_run (self->filter, self->batch, &self->selection, &self->n_selected,
                                   error))
    return FALSE;
  self->counts.matched += self->n_selected;
  return TRUE;
}

static gboolean
fill (KvsqlPartScan *self, const KvsqlChunkShape *shape, const KvsqlCall *call,
      KvsqlPartChunk *chunk, GError **error)
{
  while (chunk->rows->n_rows < shape->max_rows && chunk->n_bytes < shape->max_bytes)
    {
      guint n;

      if (self->next == self->n_selected)
        {
          if (self->is_at_end
              || self->counts.tuples - self->counts_before.tuples >= MAX_TUPLES_READ)
            return TRUE;
          if (!kvsql_call_check (call, error) || !read_batch (self, call, error))
            return FALSE;
          continue;
        }
      if (chunk->groups != NULL)
        {
          if (!aggregate_rows (self, chunk, error))
            return FALSE;
          continue;
        }
      n = MIN (self->n_selected - self->next, shape->max_rows - chunk->rows->n_rows);
      /* large values: check the size more often than once for each batch */
      n = MIN (n, MAX (1, (shape->max_bytes - chunk->n_bytes) / 4096));
      if (!append_rows (self, n, chunk, error))
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
  *out_is_at_end = self->is_at_end && self->next == self->n_selected;
  *out_chunk = g_steal_pointer (&chunk);
  return TRUE;
}
