/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gather.c: gives the rows of the input until its scan has proved to be long. Then the rest of the
 * scan is cut into parts, which workers and the caller read in parallel (parallel.h).
 */
#include "config.h"

#include "core/exec/gather.h"

#include "core/base/memory.h"
#include "core/exec/parallel.h"
#include "core/exec/partition.h"
#include "core/exec/table-source.h"

/* Tuples in a part, about: enough to be worth opening a scan, and few enough to be buffered. */
#define PART_TUPLES 32768
#define MAX_PARTS 256
/* If the number of tuples is not known. */
#define DEFAULT_PARTS 16
/* A statement with a LIMIT up to this reads a long scan without workers. */
#define SMALL_LIMIT 100000

typedef struct
{
  KvsqlRowSource base;
  KvsqlRowSource *table;
  KvsqlPartOutput output;
  const KvsqlSelectLimits *limits;
  gboolean is_aggregating;

  guint64 next_cut;        /* after so many tuples the scan may be cut; 0: never */
  KvsqlParallel *parallel; /* reads the rest of the scan; NULL: there is none, or not yet */
  KvsqlPartChunk *chunk;   /* the last one of @parallel */
  KvsqlBatch *no_rows;     /* after the last chunk */
  guint page_rows;         /* the size of chunks that was asked for last */
  gsize page_bytes;
} Gather;

static void
forget_parts (Gather *self)
{
  g_clear_pointer (&self->chunk, kvsql_part_chunk_free);
  g_clear_pointer (&self->parallel, kvsql_parallel_free);
  g_clear_pointer (&self->no_rows, kvsql_batch_free);
}

static void
gather_free (KvsqlRowSource *source)
{
  Gather *self = (Gather *)source;

  forget_parts (self);
  g_free (self->output.types);
  g_free (self);
}

/* ---- cutting */

/* Whether the scan has proved to be long and is worth cutting. All rows before the cut have been
 * given. */
static gboolean
is_long (const Gather *self, const KvsqlRowDemand *demand)
{
  return self->next_cut > 0 && kvsql_table_source_get_n_read (self->table) >= self->next_cut
         && demand->max_in_total >= SMALL_LIMIT && kvsql_row_source_is_drained (self->base.input);
}

/* The number of parts for the rest after @position. */
static guint
count_parts (Gather *self, const KvsqlScanPosition *position, const KvsqlCall *call)
{
  gdouble done = kvsql_table_source_guess_done (self->table, position, call);
  gdouble left
      = (gdouble)kvsql_table_source_get_n_read (self->table) * (1 - done) / MAX (done, 1e-9);

  if (done < 0)
    return DEFAULT_PARTS;
  return (guint)CLAMP (left / (gdouble)MIN (PART_TUPLES, self->limits->serial_rows), 1, MAX_PARTS);
}

static void
set_chunks (Gather *self, const KvsqlRowDemand *demand)
{
  if (self->page_rows == demand->page_rows && self->page_bytes == demand->page_bytes)
    return;
  self->page_rows = demand->page_rows;
  self->page_bytes = demand->page_bytes;
  kvsql_parallel_set_chunks (self->parallel, self->page_rows, self->page_bytes);
}

/* Leaves the rest after the last batch to workers and this thread. */
static gboolean
cut_rest (Gather *self, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlParallelLimits limits = { .workers = self->limits->workers,
                                       .n_workers = self->limits->n_workers,
                                       .buffer_bytes = self->limits->ahead_bytes };
  KvsqlScanPosition position;
  KvsqlScanPart *parts;
  guint n_wanted, n_parts;

  self->next_cut = 0;
  if (!kvsql_table_source_get_end (self->table, &position))
    return TRUE;
  n_wanted = count_parts (self, &position, call);
  if (!kvsql_select_cut (self->output.plan, self->output.store, &position, n_wanted, call, arena,
                         &parts, &n_parts, error))
    return FALSE;
  if (n_parts == 0)
    return TRUE;
  self->parallel = kvsql_parallel_new (&self->output, parts, n_parts, &position, &limits, call,
                                       self->limits->counts);
  self->page_rows = 0;
  kvsql_parallel_set_aggregating (self->parallel, self->is_aggregating);
  self->no_rows = kvsql_batch_new (self->output.types, self->output.n_columns, 1);
  self->limits->counts->scan.rows--; /* the last row is read again, to resume after its tuple */
  kvsql_table_source_stop (self->table);
  return TRUE;
}

/* ---- the operator */

static gboolean
next_chunk (Gather *self, const KvsqlCall *call, KvsqlRowSlice *out, GError **error)
{
  g_clear_pointer (&self->chunk, kvsql_part_chunk_free);
  if (!kvsql_parallel_next (self->parallel, call, &self->chunk, error))
    return FALSE;
  kvsql_row_slice_set_batch (out, self->chunk == NULL ? self->no_rows : self->chunk->rows);
  out->chunk = self->chunk;
  out->is_end = self->chunk == NULL;
  return TRUE;
}

static gboolean
gather_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
             KvsqlRowSlice *out, GError **error)
{
  Gather *self = (Gather *)source;

  if (self->parallel == NULL && is_long (self, demand) && !cut_rest (self, call, error))
    return FALSE;
  if (self->parallel == NULL)
    return kvsql_row_source_poll (self->base.input, demand, call, out, error);
  set_chunks (self, demand);
  return next_chunk (self, call, out, error);
}

static gboolean
gather_skip (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
             KvsqlRowSlice *out, GError **error)
{
  Gather *self = (Gather *)source;

  if (self->parallel == NULL && is_long (self, demand) && !cut_rest (self, call, error))
    return FALSE;
  return self->parallel == NULL ? kvsql_row_source_skip (self->base.input, demand, call, out, error)
                                : kvsql_row_source_skip_read (source, demand, call, out, error);
}

static gboolean
gather_get_positions (KvsqlRowSource *source, guint first, guint n, KvsqlScanPosition *out)
{
  Gather *self = (Gather *)source;

  if (self->parallel == NULL)
    return kvsql_row_source_get_positions (self->base.input, first, n, out);
  g_assert (self->chunk != NULL);
  for (guint i = 0; i < n; i++)
    kvsql_part_chunk_get_position (self->chunk, first + i, &out[i]);
  return TRUE;
}

static void
gather_add_counts (const KvsqlRowSource *source, KvsqlAssemblerCounts *inout)
{
  const Gather *self = (const Gather *)source;
  KvsqlAssemblerCounts counts;

  if (self->parallel == NULL)
    return;
  kvsql_parallel_get_counts (self->parallel, &counts);
  kvsql_assembler_counts_add (inout, &counts);
}

static const KvsqlRowSourceClass gather_class = { .next = gather_next,
                                                  .free = gather_free,
                                                  .skip = gather_skip,
                                                  .get_positions = gather_get_positions,
                                                  .add_counts = gather_add_counts };

KvsqlRowSource *
kvsql_gather_new (KvsqlRowSource *input, KvsqlRowSource *table, const KvsqlPartOutput *output,
                  const KvsqlSelectLimits *limits)
{
  Gather *self = kvsql_new0 (Gather);

  self->base.klass = &gather_class;
  self->base.input = input;
  self->table = table;
  self->output = *output;
  self->limits = limits;
  self->next_cut = MAX (self->limits->serial_rows, 1);
  return &self->base;
}

/* ---- aggregating */

void
kvsql_gather_begin_aggregating (KvsqlRowSource *source, const KvsqlAggregation *aggregation)
{
  Gather *self = (Gather *)source;

  self->output.aggregation = aggregation;
  self->is_aggregating = TRUE;
}

void
kvsql_gather_end_aggregating (KvsqlRowSource *source)
{
  Gather *self = (Gather *)source;

  self->is_aggregating = FALSE;
  if (self->parallel != NULL)
    kvsql_parallel_set_aggregating (self->parallel, FALSE);
}

gboolean
kvsql_gather_has_groups (KvsqlRowSource *source)
{
  Gather *self = (Gather *)source;

  return self->parallel != NULL && kvsql_parallel_has_groups (self->parallel);
}

void
kvsql_gather_restart (KvsqlRowSource *source)
{
  Gather *self = (Gather *)source;

  forget_parts (self);
  kvsql_gather_end_aggregating (source);
  *self->limits->counts = (KvsqlRunCounts){ .operators = self->limits->counts->operators };
  for (KvsqlRowSource *below = source; below != NULL; below = below->input)
    kvsql_row_source_reset (below);
  kvsql_table_source_restart (self->table);
  self->next_cut = MAX (self->limits->serial_rows, 1);
}
