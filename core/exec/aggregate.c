/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.c: aggregates all rows by group, and emits the groups.
 *
 * When the groups fill the memory, no new groups begin: rows of other groups are sorted by group
 * (sort.h, in temporary files). After the groups in memory, the sorted groups are aggregated and
 * emitted, a few at a time, because the rows of each group are consecutive.
 */
#include "config.h"

#include "core/exec/aggregate.h"
#include "core/exec/gather.h"
#include "core/exec/grouping-sets.h"
#include "core/exec/grouping.h"

/* Chunks are aggregated as long as a group of a chunk has at least this many rows on average. */
#define LEAST_ROWS_OF_GROUP 2

typedef struct
{
  KvsqlRowSource base;    /* its input is the sort, after that was made */
  KvsqlRowSource *gather; /* nullable: the input, if it may give groups */
  KvsqlAggregation plan;
  KvsqlSortLimits limits;
  KvsqlPartialAggregate *fold;
  KvsqlSetRows *sets; /* the rows that were read last, in each grouping set */

  KvsqlKeyPart *parts;
  KvsqlBatch *others; /* such rows, before they go to the sort */
  KvsqlArena *others_arena;
  const KvsqlBatch *sorted; /* rows of the sort; those from @next_sorted on are still to be added */
  guint next_sorted;
  KvsqlBuffer last_key;

  gsize full_bytes; /* memory in use when the last new group began; 0: new groups may begin */
  gboolean is_gathered;
  gboolean is_at_end; /* there are no groups after those in memory */
  guint32 next;       /* the group to emit next */
  KvsqlBatch *batch;
  KvsqlArena *batch_arena;
} Aggregate;

static void
aggregate_free (KvsqlRowSource *source)
{
  Aggregate *self = (Aggregate *)source;

  kvsql_partial_aggregate_free (self->fold);
  kvsql_set_rows_free (self->sets);
  kvsql_buffer_clear (&self->last_key);
  kvsql_batch_free (self->others);
  kvsql_arena_free (self->others_arena);
  g_free (self->parts);
  g_free (self->plan.types);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->batch_arena);
  g_free (self);
}

static gboolean
out_of_memory (const Aggregate *self, GError **error)
{
  gboolean has_distinct = FALSE;

  for (guint i = 0; i < self->plan.n_aggregates; i++)
    has_distinct = has_distinct || self->plan.aggregates[i].is_distinct;
  return kvsql_grouping_out_of_memory (&self->limits,
                                       self->plan.n_groups > 0 ? "GROUP BY"
                                       : has_distinct          ? "a DISTINCT aggregate"
                                                      : "an aggregate that keeps all values",
                                       error);
}

/* One batch may bring more groups than there is memory for. But the existing groups may not grow
 * without limit. */
static gboolean
has_grown_too_large (Aggregate *self)
{
  gsize used = kvsql_partial_aggregate_get_size (self->fold);

  if (self->full_bytes == 0)
    self->full_bytes = used;
  return used > self->full_bytes + self->limits.memory_bytes;
}

/* ---- the input */

static gboolean
is_full (const Aggregate *self)
{
  return kvsql_partial_aggregate_get_size (self->fold) > self->limits.memory_bytes;
}

/* If the groups fill the memory, rows are needed in place of groups, because only rows can be
 * sorted. If groups are on their way, all is read again. */
static void
ask_for_rows (Aggregate *self)
{
  if (self->gather == NULL || !is_full (self))
    return;
  kvsql_gather_end_aggregating (self->gather);
  if (!kvsql_gather_has_groups (self->gather))
    return;
  kvsql_set_rows_stop (self->sets);
  kvsql_partial_aggregate_reset (self->fold);
  kvsql_set_rows_add_empty (self->sets, self->fold);
  kvsql_gather_restart (self->gather);
}

/* Combines the groups of a chunk with those in memory. */
static gboolean
combine_groups (Aggregate *self, const KvsqlPartChunk *chunk, GError **error)
{
  gboolean is_small = kvsql_partial_aggregate_get_n_groups (chunk->groups)
                      <= chunk->counts.matched / LEAST_ROWS_OF_GROUP;

  if (!kvsql_partial_aggregate_combine (self->fold, chunk->groups, error))
    return FALSE;
  if (!is_small)
    kvsql_gather_end_aggregating (self->gather);
  ask_for_rows (self);
  return TRUE;
}

/* The next rows of @input. Groups that come before them are combined, before rows are sorted. */
static gboolean
read_rows (Aggregate *self, KvsqlRowSource *input, const KvsqlCall *call,
           const KvsqlBatch **out_batch, GError **error)
{
  KvsqlRowSlice slice;

  if (self->gather == NULL || self->others != NULL)
    return kvsql_row_source_next_batch (input, call, out_batch, error);
  do
    {
      if (!kvsql_row_source_poll (self->gather, &kvsql_row_demand_all, call, &slice, error)
          || (slice.chunk != NULL && slice.chunk->groups != NULL
              && !combine_groups (self, slice.chunk, error)))
        return FALSE;
    }
  while (slice.n == 0 && !slice.is_end);
  *out_batch = slice.batch;
  return TRUE;
}

/* The next rows, in a grouping set. An empty batch is the end. */
static gboolean
next_rows (Aggregate *self, KvsqlRowSource *input, const KvsqlCall *call,
           const KvsqlBatch **out_batch, GError **error)
{
  const KvsqlBatch *batch;

  *out_batch = kvsql_set_rows_next (self->sets);
  if (*out_batch != NULL)
    return kvsql_call_check (call, error);
  if (!read_rows (self, input, call, &batch, error))
    return FALSE;
  if (batch->n_rows > 0)
    kvsql_set_rows_begin (self->sets, batch);
  *out_batch = batch->n_rows > 0 ? kvsql_set_rows_next (self->sets) : batch;
  return TRUE;
}

/* ---- rows of groups that do not fit into memory */

/* Adds rows to existing groups. *out_batch: the other rows. */
static gboolean
next_others (gpointer data, KvsqlRowSource *input, const KvsqlCall *call,
             const KvsqlBatch **out_batch, GError **error)
{
  Aggregate *owner = data;
  const KvsqlBatch *batch;

  kvsql_batch_reset (owner->others);
  kvsql_arena_reset (owner->others_arena);
  do
    {
      const guint32 *others;
      guint n_others;

      if (!next_rows (owner, input, call, &batch, error))
        return FALSE;
      if (batch->n_rows == 0)
        break;
      kvsql_partial_aggregate_read_keys (owner->fold, batch);
      if (!kvsql_partial_aggregate_add_to_existing (owner->fold, batch, &others, &n_others, error))
        return FALSE;
      for (guint i = 0; i < n_others; i++)
        kvsql_grouping_add_row (owner->others, owner->others_arena, batch, others[i]);
      /* existing groups may grow, too: by the values of a DISTINCT */
      if (has_grown_too_large (owner))
        return out_of_memory (owner, error);
    }
  while (owner->others->n_rows == 0);
  *out_batch = owner->others;
  return TRUE;
}

/* Reads the rest of the input. The other rows are in self->sort then. */
static gboolean
sort_the_rest (Aggregate *self, const KvsqlCall *call, GError **error)
{
  KvsqlRowSource *others
      = kvsql_grouping_rest_new (g_steal_pointer (&self->base.input), next_others, self);

  g_assert (self->others == NULL && self->plan.n_groups > 0); /* at most once, and by a key */
  self->others = kvsql_batch_new (self->plan.types, self->plan.n_inputs, KVSQL_BATCH_ROWS);
  self->others_arena = kvsql_arena_new ();
  self->base.input = kvsql_sort_new (others, self->plan.types, self->plan.n_inputs, self->parts,
                                     self->plan.n_groups, G_MAXUINT64, &self->limits);
  self->next_sorted = 0;
  return kvsql_row_source_next_batch (self->base.input, call, &self->sorted, error);
}

/* ---- gathering */

static gboolean
gather (Aggregate *self, const KvsqlCall *call, GError **error)
{
  const KvsqlBatch *batch;
  guint n_rows;

  self->is_gathered = TRUE;
  kvsql_set_rows_add_empty (self->sets, self->fold);
  do
    {
      if (!kvsql_call_check (call, error)
          || !next_rows (self, self->base.input, call, &batch, error))
        return FALSE;
      n_rows = batch->n_rows;
      if (n_rows == 0)
        break;
      kvsql_partial_aggregate_read_keys (self->fold, batch);
      if (!kvsql_partial_aggregate_add_rows (self->fold, batch, 0, n_rows, error))
        return FALSE;
      ask_for_rows (self);
    }
  while (!is_full (self));
  if (n_rows == 0)
    self->is_at_end = TRUE;
  else if (self->plan.n_groups == 0 || self->limits.disk_bytes == 0)
    return out_of_memory (self, error);
  else if (!sort_the_rest (self, call, error))
    return FALSE;
  return TRUE;
}

/* The end of the group that the last added row belongs to. */
static guint
end_of_last_group (const Aggregate *self)
{
  KvsqlSlice last = kvsql_buffer_slice (&self->last_key);
  guint row = self->next_sorted;

  while (row < self->sorted->n_rows
         && kvsql_slice_equal (kvsql_partial_aggregate_get_key (self->fold, row), last))
    row++;
  return row;
}

static gboolean
add_sorted_rows (Aggregate *self, guint to, GError **error)
{
  if (to == self->next_sorted)
    return TRUE;
  if (!kvsql_partial_aggregate_add_rows (self->fold, self->sorted, self->next_sorted, to, error))
    return FALSE;
  self->last_key.size = 0;
  kvsql_buffer_append_slice (&self->last_key, kvsql_partial_aggregate_get_key (self->fold, to - 1));
  self->next_sorted = to;
  return TRUE;
}

/* Aggregates some more groups of sorted rows. Each group ends before the next begins. */
static gboolean
gather_sorted (Aggregate *self, const KvsqlCall *call, GError **error)
{
  kvsql_partial_aggregate_reset (self->fold);
  self->next = 0;
  self->full_bytes = 0;
  for (;;)
    {
      guint32 n_groups = kvsql_partial_aggregate_get_n_groups (self->fold);
      gboolean is_enough
          = n_groups >= KVSQL_BATCH_ROWS
            || (n_groups > 0
                && kvsql_partial_aggregate_get_size (self->fold) > self->limits.memory_bytes / 2);
      guint to;

      if (self->next_sorted == self->sorted->n_rows)
        {
          if (!kvsql_call_check (call, error)
              || !kvsql_row_source_next_batch (self->base.input, call, &self->sorted, error))
            return FALSE;
          self->next_sorted = 0;
          self->is_at_end = self->sorted->n_rows == 0;
          if (self->is_at_end)
            return TRUE;
        }
      kvsql_partial_aggregate_read_keys (self->fold, self->sorted);
      to = is_enough ? end_of_last_group (self) : self->sorted->n_rows;
      if (!add_sorted_rows (self, to, error))
        return FALSE;
      if (is_enough && to < self->sorted->n_rows)
        return TRUE;
      if (is_enough && has_grown_too_large (self))
        return out_of_memory (self, error);
    }
}

/* ---- the row source */

static gboolean
aggregate_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
                KvsqlRowSlice *out, GError **error)
{
  Aggregate *self = (Aggregate *)source;
  guint32 n;

  if (!self->is_gathered && !gather (self, call, error))
    return FALSE;
  if (self->next == kvsql_partial_aggregate_get_n_groups (self->fold) && !self->is_at_end
      && !gather_sorted (self, call, error))
    return FALSE;
  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->batch_arena);
  g_assert (self->next <= kvsql_partial_aggregate_get_n_groups (self->fold));
  n = MIN (KVSQL_BATCH_ROWS, kvsql_partial_aggregate_get_n_groups (self->fold) - self->next);
  for (guint row = 0; row < n; row++)
    if (!kvsql_partial_aggregate_emit (self->fold, self->next + row, self->batch_arena, self->batch,
                                       row, error))
      return FALSE;
  self->next += n;
  self->batch->n_rows = n;
  kvsql_row_slice_set_batch (out, self->batch);
  return TRUE;
}

static const KvsqlRowSourceClass aggregate_class
    = { .next = aggregate_next, .free = aggregate_free };

KvsqlRowSource *
kvsql_aggregate_new (KvsqlRowSource *input, const KvsqlAggregation *aggregation,
                     const KvsqlSortLimits *limits)
{
  Aggregate *self = g_new0 (Aggregate, 1);
  guint n_groups = aggregation->n_groups, n_aggregates = aggregation->n_aggregates;
  g_autofree KvsqlType *results = g_new (KvsqlType, n_groups + n_aggregates);

  self->base.klass = &aggregate_class;
  self->base.input = input;
  self->plan = *aggregation;
  self->plan.types = g_memdup2 (aggregation->types, aggregation->n_inputs * sizeof (KvsqlType));
  self->limits = *limits;
  self->parts = kvsql_grouping_parts (n_groups);
  self->fold = kvsql_partial_aggregate_new (&self->plan);
  self->sets = kvsql_set_rows_new (&self->plan);
  for (guint c = 0; c < n_groups; c++)
    results[c] = aggregation->types[c];
  for (guint i = 0; i < n_aggregates; i++)
    results[n_groups + i] = aggregation->aggregates[i].type;
  self->batch = kvsql_batch_new (results, n_groups + n_aggregates, KVSQL_BATCH_ROWS);
  self->batch_arena = kvsql_arena_new ();
  return &self->base;
}

KvsqlRowSource *
kvsql_aggregate_new_gathering (KvsqlRowSource *input, const KvsqlAggregation *aggregation,
                               const KvsqlSortLimits *limits)
{
  KvsqlRowSource *source = kvsql_aggregate_new (input, aggregation, limits);
  Aggregate *self = (Aggregate *)source;

  if (!kvsql_partial_aggregate_can_combine (aggregation))
    return source;
  self->gather = input;
  kvsql_gather_begin_aggregating (input, &self->plan);
  return source;
}
