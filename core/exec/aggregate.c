/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.c: rows to group numbers, a batch at a time, and then aggregate after aggregate.
 *
 * The values that a group is named by are kept as columns, so that giving the groups out is copying
 * columns. A DISTINCT aggregate has a table of (group, value) of its own, and takes the rows that
 * are new there.
 *
 * When the groups fill the memory no more are begun: rows of other groups are sorted by their
 * groups (sort.h, in temporary files). After the groups in memory those are given out, a few at a
 * time, since the rows of each come one after the other.
 */
#include "config.h"

#include "core/exec/aggregate.h"
#include "core/exec/group-table.h"
#include "core/exec/grouping.h"

typedef struct
{
  KvsqlStep base;
  KvsqlStep *input; /* the sort's, once there is one */
  KvsqlAggregation plan;
  KvsqlSortLimits limits;

  KvsqlKeyPart *parts;
  KvsqlRowKeys keys;
  KvsqlGroupTable *table;
  KvsqlBatch *names; /* of the groups, by number */
  KvsqlArena *names_arena;
  guint32 *groups;  /* of the batch's rows */
  guint32 *numbers; /* rows that are wanted: 0, 1, … or fewer */
  guint32 *fresh;   /* rows that are new to a DISTINCT */
  guint capacity;   /* of the three */

  KvsqlAccumulator **accumulators;
  KvsqlGroupTable **distinct; /* by aggregate; NULL: it is not */
  KvsqlBuffer distinct_key;
  KvsqlRowKeys distinct_keys;
  KvsqlKeyPart distinct_part;

  KvsqlStep *sort;    /* of rows whose groups had no room */
  KvsqlBatch *others; /* such rows, on their way there */
  KvsqlArena *others_arena;
  const KvsqlBatch *sorted; /* rows from there, from @next_sorted on still to be taken */
  guint next_sorted;
  KvsqlBuffer last_key;

  gsize full_bytes; /* what was used when no more groups were begun; 0: not yet */
  gboolean is_gathered;
  gboolean is_at_end; /* nothing comes after the groups that there are */
  guint32 next;       /* group to give out */
  KvsqlBatch *batch;
  KvsqlArena *batch_arena;
} Aggregate;

/* ---- groups in memory */

static void
clear_groups (Aggregate *self)
{
  for (guint i = 0; i < self->plan.n_aggregates; i++)
    {
      g_clear_pointer (&self->accumulators[i], kvsql_accumulator_free);
      g_clear_pointer (&self->distinct[i], kvsql_group_table_free);
    }
  g_clear_pointer (&self->table, kvsql_group_table_free);
  g_clear_pointer (&self->names, kvsql_batch_free);
  g_clear_pointer (&self->names_arena, kvsql_arena_free);
}

static void
begin_groups (Aggregate *self)
{
  self->table = kvsql_group_table_new ();
  self->names = kvsql_batch_new (self->plan.types, self->plan.n_groups, 64);
  self->names_arena = kvsql_arena_new ();
  for (guint i = 0; i < self->plan.n_aggregates; i++)
    {
      const KvsqlAggregate *aggregate = &self->plan.aggregates[i];
      self->accumulators[i] = kvsql_accumulator_new (aggregate->function, aggregate->argument);
      self->distinct[i] = aggregate->is_distinct ? kvsql_group_table_new () : NULL;
    }
  self->next = 0;
  self->full_bytes = 0;
}

static void
aggregate_free (KvsqlStep *step)
{
  Aggregate *self = (Aggregate *)step;

  kvsql_step_free (self->input);
  kvsql_step_free (self->sort);
  clear_groups (self);
  kvsql_row_keys_clear (&self->keys);
  kvsql_row_keys_clear (&self->distinct_keys);
  kvsql_buffer_clear (&self->distinct_key);
  kvsql_buffer_clear (&self->last_key);
  kvsql_batch_free (self->others);
  kvsql_arena_free (self->others_arena);
  g_free (self->accumulators);
  g_free (self->distinct);
  g_free (self->parts);
  g_free (self->plan.types);
  g_free (self->groups);
  g_free (self->numbers);
  g_free (self->fresh);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->batch_arena);
  g_free (self);
}

static guint32
count_groups (const Aggregate *self)
{
  return self->plan.n_groups == 0 ? 1 : kvsql_group_table_get_n (self->table);
}

static gsize
memory_used (const Aggregate *self)
{
  gsize size = kvsql_group_table_get_size (self->table) + kvsql_arena_get_size (self->names_arena)
               + self->names->capacity * self->plan.n_groups * 8;

  for (guint i = 0; i < self->plan.n_aggregates; i++)
    {
      size += kvsql_accumulator_get_size (self->accumulators[i]);
      if (self->distinct[i] != NULL)
        size += kvsql_group_table_get_size (self->distinct[i]);
    }
  return size;
}

static gboolean
out_of_memory (const Aggregate *self, GError **error)
{
  return kvsql_grouping_out_of_memory (
      &self->limits, self->plan.n_groups > 0 ? "GROUP BY" : "a DISTINCT aggregate", error);
}

/* A batch may bring more groups than there is memory for; but those that are there may not go on
 * growing. */
static gboolean
has_grown_too_large (Aggregate *self)
{
  gsize used = memory_used (self);

  if (self->full_bytes == 0)
    self->full_bytes = used;
  return used > self->full_bytes + self->limits.memory_bytes;
}

/* The batch's keys, and room for its rows. */
static void
take_batch (Aggregate *self, const KvsqlBatch *batch)
{
  if (batch->n_rows > self->capacity)
    {
      self->capacity = MAX (batch->n_rows, KVSQL_BATCH_ROWS);
      g_free (self->groups);
      g_free (self->numbers);
      g_free (self->fresh);
      self->groups = g_new0 (guint32, self->capacity);
      self->numbers = g_new (guint32, self->capacity);
      self->fresh = g_new (guint32, self->capacity);
    }
  kvsql_row_keys_run (&self->keys, batch);
}

/* Rows often come group by group: where a key's order is that of the table, or of a sort. */
static inline gboolean
has_key_of_row_before (const Aggregate *self, guint row)
{
  KvsqlSlice key = kvsql_row_keys_get (&self->keys, row),
             before = kvsql_row_keys_get (&self->keys, row - 1);

  return key.size == before.size && kvsql_same_bytes (key.data, before.data, key.size);
}

/* Numbers the groups of rows @from to @to; without columns to group by all are of group 0. */
static void
find_groups (Aggregate *self, const KvsqlBatch *batch, guint from, guint to)
{
  for (guint row = from; row < to && self->plan.n_groups > 0; row++)
    {
      gboolean is_new;

      if (row > from && has_key_of_row_before (self, row))
        {
          self->groups[row] = self->groups[row - 1];
          continue;
        }
      self->groups[row]
          = kvsql_group_table_add (self->table, kvsql_row_keys_get (&self->keys, row), &is_new);
      if (is_new)
        kvsql_grouping_add_name (self->names, self->names_arena, batch, row);
    }
}

/* ---- aggregates */

/* Of @rows, those whose value is not NULL and new in its group. */
static guint
find_fresh (Aggregate *self, guint aggregate, const KvsqlBatch *batch, const guint32 *rows, guint n)
{
  const KvsqlVector *values = &batch->columns[self->plan.aggregates[aggregate].column];
  guint n_fresh = 0;

  self->distinct_part = (KvsqlKeyPart){ .column = self->plan.aggregates[aggregate].column };
  kvsql_row_keys_run (&self->distinct_keys, batch);
  for (guint i = 0; i < n; i++)
    {
      guint32 row = rows[i];
      gboolean is_new;

      if (values->type == KVSQL_TYPE_NULL || kvsql_vector_is_null (values, row))
        continue;
      self->distinct_key.size = 0;
      kvsql_buffer_append (&self->distinct_key, &self->groups[row], sizeof (guint32));
      kvsql_buffer_append_slice (&self->distinct_key,
                                 kvsql_row_keys_get (&self->distinct_keys, row));
      kvsql_group_table_add (self->distinct[aggregate], kvsql_buffer_slice (&self->distinct_key),
                             &is_new);
      if (is_new)
        self->fresh[n_fresh++] = row;
    }
  return n_fresh;
}

static gboolean
accumulate (Aggregate *self, const KvsqlBatch *batch, const guint32 *rows, guint n, GError **error)
{
  for (guint i = 0; i < self->plan.n_aggregates; i++)
    {
      const KvsqlAggregate *aggregate = &self->plan.aggregates[i];
      const KvsqlVector *values
          = aggregate->column == KVSQL_NO_COLUMN ? NULL : &batch->columns[aggregate->column];
      const guint32 *taken = rows;
      guint n_taken = n;

      if (aggregate->is_distinct)
        {
          n_taken = find_fresh (self, i, batch, rows, n);
          taken = self->fresh;
        }
      kvsql_accumulator_reserve (self->accumulators[i], count_groups (self));
      if (!kvsql_accumulator_add (self->accumulators[i], values, taken, self->groups, n_taken,
                                  error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_rows (Aggregate *self, const KvsqlBatch *batch, guint from, guint to, GError **error)
{
  find_groups (self, batch, from, to);
  for (guint row = from; row < to; row++)
    self->numbers[row - from] = row;
  return accumulate (self, batch, self->numbers, to - from, error);
}

/* ---- rows of groups that there is no room for */

/* Rows of known groups go there; *out_batch is the others. */
static gboolean
next_others (gpointer data, KvsqlStep *input, const KvsqlCall *call, const KvsqlBatch **out_batch,
             GError **error)
{
  Aggregate *owner = data;
  const KvsqlBatch *batch;

  kvsql_batch_reset (owner->others);
  kvsql_arena_reset (owner->others_arena);
  do
    {
      guint n_known = 0;

      if (!kvsql_step_next (input, call, &batch, error))
        return FALSE;
      take_batch (owner, batch);
      for (guint row = 0; row < batch->n_rows; row++)
        if (kvsql_group_table_find (owner->table, kvsql_row_keys_get (&owner->keys, row),
                                    &owner->groups[row]))
          owner->numbers[n_known++] = row;
        else
          kvsql_grouping_add_row (owner->others, owner->others_arena, batch, row);
      if (!accumulate (owner, batch, owner->numbers, n_known, error))
        return FALSE;
      /* what is known of a group may grow, too: the values of a DISTINCT */
      if (has_grown_too_large (owner))
        return out_of_memory (owner, error);
    }
  while (batch->n_rows > 0 && owner->others->n_rows == 0);
  *out_batch = owner->others;
  return TRUE;
}

/* Reads all that is left; what comes of it is in self->sort. */
static gboolean
sort_the_rest (Aggregate *self, const KvsqlCall *call, GError **error)
{
  KvsqlStep *others = kvsql_grouping_rest_new (g_steal_pointer (&self->input), next_others, self);

  self->others = kvsql_batch_new (self->plan.types, self->plan.n_inputs, KVSQL_BATCH_ROWS);
  self->others_arena = kvsql_arena_new ();
  self->sort = kvsql_sort_new (others, self->plan.types, self->plan.n_inputs, self->parts,
                               self->plan.n_groups, G_MAXUINT64, &self->limits);
  self->next_sorted = 0;
  return kvsql_step_next (self->sort, call, &self->sorted, error);
}

/* ---- gathering */

static gboolean
gather (Aggregate *self, const KvsqlCall *call, GError **error)
{
  const KvsqlBatch *batch;

  self->is_gathered = TRUE;
  for (guint i = 0; i < self->plan.n_aggregates; i++)
    kvsql_accumulator_reserve (self->accumulators[i], count_groups (self));
  do
    {
      if (!kvsql_call_check (call, error) || !kvsql_step_next (self->input, call, &batch, error))
        return FALSE;
      take_batch (self, batch);
      if (!take_rows (self, batch, 0, batch->n_rows, error))
        return FALSE;
    }
  while (batch->n_rows > 0 && memory_used (self) <= self->limits.memory_bytes);
  if (batch->n_rows == 0)
    self->is_at_end = TRUE;
  else if (self->plan.n_groups == 0 || self->limits.disk_bytes == 0)
    return out_of_memory (self, error);
  else if (!sort_the_rest (self, call, error))
    return FALSE;
  return TRUE;
}

/* Where the group of the last row that was taken ends. */
static guint
end_of_last_group (const Aggregate *self)
{
  KvsqlSlice last = kvsql_buffer_slice (&self->last_key);
  guint row = self->next_sorted;

  while (row < self->sorted->n_rows
         && kvsql_slice_equal (kvsql_row_keys_get (&self->keys, row), last))
    row++;
  return row;
}

static gboolean
take_sorted_rows (Aggregate *self, guint to, GError **error)
{
  if (to == self->next_sorted)
    return TRUE;
  if (!take_rows (self, self->sorted, self->next_sorted, to, error))
    return FALSE;
  self->last_key.size = 0;
  kvsql_buffer_append_slice (&self->last_key, kvsql_row_keys_get (&self->keys, to - 1));
  self->next_sorted = to;
  return TRUE;
}

/* Some more groups, of sorted rows. Each ends before the next begins. */
static gboolean
gather_sorted (Aggregate *self, const KvsqlCall *call, GError **error)
{
  clear_groups (self);
  begin_groups (self);
  for (;;)
    {
      guint32 n_groups = count_groups (self);
      gboolean is_enough = n_groups >= KVSQL_BATCH_ROWS
                           || (n_groups > 0 && memory_used (self) > self->limits.memory_bytes / 2);
      guint to;

      if (self->next_sorted == self->sorted->n_rows)
        {
          if (!kvsql_call_check (call, error)
              || !kvsql_step_next (self->sort, call, &self->sorted, error))
            return FALSE;
          self->next_sorted = 0;
          self->is_at_end = self->sorted->n_rows == 0;
          if (self->is_at_end)
            return TRUE;
        }
      take_batch (self, self->sorted);
      to = is_enough ? end_of_last_group (self) : self->sorted->n_rows;
      if (!take_sorted_rows (self, to, error))
        return FALSE;
      if (is_enough && to < self->sorted->n_rows)
        return TRUE;
      if (is_enough && has_grown_too_large (self))
        return out_of_memory (self, error);
    }
}

/* ---- the step */

static gboolean
give_group (Aggregate *self, guint32 group, guint row, GError **error)
{
  KvsqlBatch *batch = self->batch;

  for (guint c = 0; c < self->plan.n_groups; c++)
    {
      KvsqlValue value = kvsql_vector_get (&self->names->columns[c], group);
      kvsql_vector_set (&batch->columns[c], row, &value);
    }
  for (guint i = 0; i < self->plan.n_aggregates; i++)
    {
      KvsqlValue value;
      if (!kvsql_accumulator_get (self->accumulators[i], group, self->batch_arena, &value, error))
        return FALSE;
      kvsql_vector_set (&batch->columns[self->plan.n_groups + i], row, &value);
    }
  return TRUE;
}

static gboolean
aggregate_next (KvsqlStep *step, const KvsqlCall *call, const KvsqlBatch **out_batch,
                GError **error)
{
  Aggregate *self = (Aggregate *)step;
  guint32 n;

  if (!self->is_gathered && !gather (self, call, error))
    return FALSE;
  if (self->next == count_groups (self) && !self->is_at_end && !gather_sorted (self, call, error))
    return FALSE;
  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->batch_arena);
  n = MIN (KVSQL_BATCH_ROWS, count_groups (self) - self->next);
  for (guint row = 0; row < n; row++)
    if (!give_group (self, self->next + row, row, error))
      return FALSE;
  self->next += n;
  self->batch->n_rows = n;
  *out_batch = self->batch;
  return TRUE;
}

static const KvsqlStepClass aggregate_class = { aggregate_next, aggregate_free };

KvsqlStep *
kvsql_aggregate_new (KvsqlStep *input, const KvsqlAggregation *aggregation,
                     const KvsqlSortLimits *limits)
{
  Aggregate *self = g_new0 (Aggregate, 1);
  guint n_groups = aggregation->n_groups, n_aggregates = aggregation->n_aggregates;
  g_autofree KvsqlType *results = g_new (KvsqlType, n_groups + n_aggregates);

  self->base.klass = &aggregate_class;
  self->input = input;
  self->plan = *aggregation;
  self->plan.types = g_memdup2 (aggregation->types, aggregation->n_inputs * sizeof (KvsqlType));
  self->limits = *limits;
  self->parts = kvsql_grouping_parts (n_groups);
  kvsql_row_keys_init (&self->keys, self->parts, n_groups);
  kvsql_row_keys_init (&self->distinct_keys, &self->distinct_part, 1);
  self->accumulators = g_new0 (KvsqlAccumulator *, n_aggregates);
  self->distinct = g_new0 (KvsqlGroupTable *, n_aggregates);
  begin_groups (self);
  for (guint c = 0; c < n_groups; c++)
    results[c] = aggregation->types[c];
  for (guint i = 0; i < n_aggregates; i++)
    results[n_groups + i] = aggregation->aggregates[i].type;
  self->batch = kvsql_batch_new (results, n_groups + n_aggregates, KVSQL_BATCH_ROWS);
  self->batch_arena = kvsql_arena_new ();
  return &self->base;
}
