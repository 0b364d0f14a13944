/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * partial-aggregate.c: maps the rows of a batch to group numbers, and then updates one aggregate
 * after the other.
 *
 * The values that identify a group are stored as columns. So emitting groups copies columns, and
 * combining reads a batch of names. A DISTINCT aggregate has a table of (group, value) of its own,
 * and adds the rows that are new in that table.
 */
#include "config.h"

#include "core/exec/partial-aggregate.h"
#include "core/exec/group-table.h"
#include "core/exec/grouping.h"

#define FIRST_GROUPS 64

struct _KvsqlPartialAggregate
{
  const KvsqlAggregation *plan;
  KvsqlKeyPart *parts;
  KvsqlRowKeys keys;
  KvsqlGroupTable *table;
  KvsqlBatch *names; /* of the groups, by number */
  KvsqlArena *names_arena;
  guint32 *groups;   /* by row of the batch */
  guint32 *numbers;  /* the rows to add: 0, 1, … or fewer */
  guint32 *new_rows; /* rows that are new to a DISTINCT, or whose groups do not exist */
  guint32 *filtered; /* rows that FILTER keeps */
  guint capacity;    /* of the four */

  KvsqlAccumulator **accumulators;
  KvsqlGroupTable **distinct; /* by aggregate; NULL: not DISTINCT */
  KvsqlBuffer distinct_key;
  KvsqlRowKeys distinct_keys;
  KvsqlRowKeys distinct_pairs;
  KvsqlKeyPart distinct_parts[2];
};

static void
clear_groups (KvsqlPartialAggregate *self)
{
  for (guint i = 0; i < self->plan->n_aggregates; i++)
    {
      g_clear_pointer (&self->accumulators[i], kvsql_accumulator_free);
      g_clear_pointer (&self->distinct[i], kvsql_group_table_free);
    }
  g_clear_pointer (&self->table, kvsql_group_table_free);
  g_clear_pointer (&self->names, kvsql_batch_free);
  g_clear_pointer (&self->names_arena, kvsql_arena_free);
}

/* Groups without rows can be emitted, too. */
static void
reserve_states (KvsqlPartialAggregate *self)
{
  for (guint i = 0; i < self->plan->n_aggregates; i++)
    kvsql_accumulator_reserve (self->accumulators[i], kvsql_partial_aggregate_get_n_groups (self));
}

static void
begin_groups (KvsqlPartialAggregate *self)
{
  self->table = kvsql_group_table_new ();
  self->names = kvsql_batch_new (self->plan->types, self->plan->n_groups, FIRST_GROUPS);
  self->names_arena = kvsql_arena_new ();
  for (guint i = 0; i < self->plan->n_aggregates; i++)
    {
      const KvsqlAggregate *aggregate = &self->plan->aggregates[i];

      self->accumulators[i] = kvsql_accumulator_new (aggregate);
      self->distinct[i] = aggregate->is_distinct ? kvsql_group_table_new () : NULL;
    }
  reserve_states (self);
}

KvsqlPartialAggregate *
kvsql_partial_aggregate_new (const KvsqlAggregation *aggregation)
{
  KvsqlPartialAggregate *self = g_new0 (KvsqlPartialAggregate, 1);

  self->plan = aggregation;
  self->parts = kvsql_grouping_parts (aggregation->n_groups);
  kvsql_row_keys_init (&self->keys, self->parts, aggregation->n_groups);
  kvsql_row_keys_init (&self->distinct_keys, self->distinct_parts, 1);
  kvsql_row_keys_init (&self->distinct_pairs, self->distinct_parts, 2);
  self->accumulators = g_new0 (KvsqlAccumulator *, aggregation->n_aggregates);
  self->distinct = g_new0 (KvsqlGroupTable *, aggregation->n_aggregates);
  begin_groups (self);
  return self;
}

void
kvsql_partial_aggregate_free (KvsqlPartialAggregate *self)
{
  if (self == NULL)
    return;
  clear_groups (self);
  kvsql_row_keys_clear (&self->keys);
  kvsql_row_keys_clear (&self->distinct_keys);
  kvsql_row_keys_clear (&self->distinct_pairs);
  kvsql_buffer_clear (&self->distinct_key);
  g_free (self->accumulators);
  g_free (self->distinct);
  g_free (self->parts);
  g_free (self->groups);
  g_free (self->numbers);
  g_free (self->new_rows);
  g_free (self->filtered);
  g_free (self);
}

void
kvsql_partial_aggregate_reset (KvsqlPartialAggregate *self)
{
  clear_groups (self);
  begin_groups (self);
}

guint32
kvsql_partial_aggregate_get_n_groups (const KvsqlPartialAggregate *self)
{
  return self->plan->n_groups == 0 ? 1 : kvsql_group_table_get_n (self->table);
}

gsize
kvsql_partial_aggregate_get_size (const KvsqlPartialAggregate *self)
{
  gsize size = kvsql_group_table_get_size (self->table) + kvsql_arena_get_size (self->names_arena)
               + self->names->capacity * self->plan->n_groups * 8;

  for (guint i = 0; i < self->plan->n_aggregates; i++)
    {
      size += kvsql_accumulator_get_size (self->accumulators[i]);
      if (self->distinct[i] != NULL)
        size += kvsql_group_table_get_size (self->distinct[i]);
    }
  return size;
}

/* ---- rows to groups */

static void
reserve_rows (KvsqlPartialAggregate *self, guint n)
{
  if (n <= self->capacity)
    return;
  self->capacity = MAX (n, KVSQL_BATCH_ROWS);
  g_free (self->groups);
  g_free (self->numbers);
  g_free (self->new_rows);
  g_free (self->filtered);
  self->groups = g_new0 (guint32, self->capacity);
  self->numbers = g_new (guint32, self->capacity);
  self->new_rows = g_new (guint32, self->capacity);
  self->filtered = g_new (guint32, self->capacity);
}

void
kvsql_partial_aggregate_read_keys (KvsqlPartialAggregate *self, const KvsqlBatch *batch)
{
  reserve_rows (self, batch->n_rows);
  kvsql_row_keys_run (&self->keys, batch);
}

KvsqlSlice
kvsql_partial_aggregate_get_key (const KvsqlPartialAggregate *self, guint row)
{
  return kvsql_row_keys_get (&self->keys, row);
}

/* Consecutive rows often have the same group: if the order of the table or of a sort is that of the
 * groups. */
static inline gboolean
has_key_of_row_before (const KvsqlPartialAggregate *self, guint row)
{
  KvsqlSlice key = kvsql_row_keys_get (&self->keys, row),
             before = kvsql_row_keys_get (&self->keys, row - 1);

  return key.size == before.size && kvsql_same_bytes (key.data, before.data, key.size);
}

/* Sets the group numbers of rows @from to @to. Without columns to group by all rows are in group
 * 0. */
static void
find_groups (KvsqlPartialAggregate *self, const KvsqlBatch *batch, guint from, guint to)
{
  for (guint row = from; row < to && self->plan->n_groups > 0; row++)
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

/* Of @rows, those for which the condition of FILTER is true. */
static guint
filter_rows (KvsqlPartialAggregate *self, const KvsqlVector *condition, const guint32 *rows,
             guint n)
{
  guint n_kept = 0;

  if (condition->type == KVSQL_TYPE_NULL)
    return 0;
  for (guint i = 0; i < n; i++)
    {
      self->filtered[n_kept] = rows[i];
      n_kept += !kvsql_vector_is_null (condition, rows[i]) && condition->booleans[rows[i]];
    }
  return n_kept;
}

/* Of @rows, those whose value, or pair of values, is not NULL and new in its group. @rows may be
 * self->filtered. */
static guint
find_new_values (KvsqlPartialAggregate *self, guint aggregate, const KvsqlBatch *batch,
                 const guint32 *rows, guint n)
{
  const KvsqlAggregate *call = &self->plan->aggregates[aggregate];
  const KvsqlVector *values = &batch->columns[call->column];
  gboolean takes_nulls = kvsql_aggregate_takes_nulls (call->function);
  KvsqlRowKeys *keys = call->has_second ? &self->distinct_pairs : &self->distinct_keys;
  guint n_new = 0;

  self->distinct_parts[0] = (KvsqlKeyPart){ .column = call->column };
  self->distinct_parts[1] = (KvsqlKeyPart){ .column = call->second };
  kvsql_row_keys_run (keys, batch);
  for (guint i = 0; i < n; i++)
    {
      guint32 row = rows[i];
      gboolean is_new;

      if (!takes_nulls && (values->type == KVSQL_TYPE_NULL || kvsql_vector_is_null (values, row)))
        continue;
      self->distinct_key.size = 0;
      kvsql_buffer_append (&self->distinct_key, &self->groups[row], sizeof (guint32));
      kvsql_buffer_append_slice (&self->distinct_key, kvsql_row_keys_get (keys, row));
      kvsql_group_table_add (self->distinct[aggregate], kvsql_buffer_slice (&self->distinct_key),
                             &is_new);
      if (is_new)
        self->new_rows[n_new++] = row;
    }
  return n_new;
}

static gboolean
accumulate (KvsqlPartialAggregate *self, const KvsqlBatch *batch, const guint32 *rows, guint n,
            GError **error)
{
  g_assert (n <= self->capacity); /* the arrays by row: read_keys() was called for the batch */
  reserve_states (self);
  for (guint i = 0; i < self->plan->n_aggregates; i++)
    {
      const KvsqlAggregate *aggregate = &self->plan->aggregates[i];
      const guint32 *taken = rows;
      guint n_taken = n;

      if (aggregate->has_filter)
        {
          n_taken = filter_rows (self, &batch->columns[aggregate->filter], taken, n_taken);
          taken = self->filtered;
        }
      if (aggregate->is_distinct)
        {
          n_taken = find_new_values (self, i, batch, taken, n_taken);
          taken = self->new_rows;
        }
      if (!kvsql_accumulator_add (self->accumulators[i], batch, taken, self->groups, n_taken,
                                  error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_partial_aggregate_add_rows (KvsqlPartialAggregate *self, const KvsqlBatch *batch, guint from,
                                  guint to, GError **error)
{
  g_assert (from <= to && to <= batch->n_rows && batch->n_rows <= self->capacity);
  find_groups (self, batch, from, to);
  for (guint row = from; row < to; row++)
    self->numbers[row - from] = row;
  return accumulate (self, batch, self->numbers, to - from, error);
}

void
kvsql_partial_aggregate_add_groups (KvsqlPartialAggregate *self, const KvsqlBatch *batch)
{
  kvsql_partial_aggregate_read_keys (self, batch);
  find_groups (self, batch, 0, batch->n_rows);
  reserve_states (self);
}

gboolean
kvsql_partial_aggregate_add_to_existing (KvsqlPartialAggregate *self, const KvsqlBatch *batch,
                                         const guint32 **out_others, guint *out_n, GError **error)
{
  guint n_known = 0, n_others = 0;

  for (guint row = 0; row < batch->n_rows; row++)
    if (kvsql_group_table_find (self->table, kvsql_row_keys_get (&self->keys, row),
                                &self->groups[row]))
      self->numbers[n_known++] = row;
  if (!accumulate (self, batch, self->numbers, n_known, error))
    return FALSE;
  for (guint row = 0, known = 0; row < batch->n_rows; row++)
    if (known < n_known && self->numbers[known] == row)
      known++;
    else
      self->new_rows[n_others++] = row;
  *out_others = self->new_rows;
  *out_n = n_others;
  return TRUE;
}

/* ---- groups */

gboolean
kvsql_partial_aggregate_can_combine (const KvsqlAggregation *aggregation)
{
  for (guint i = 0; i < aggregation->n_aggregates; i++)
    if (aggregation->aggregates[i].is_distinct)
      return FALSE;
  return TRUE;
}

gboolean
kvsql_partial_aggregate_combine (KvsqlPartialAggregate *self, KvsqlPartialAggregate *from,
                                 GError **error)
{
  guint n = kvsql_partial_aggregate_get_n_groups (from);

  g_assert (from != self && kvsql_partial_aggregate_can_combine (self->plan));
  reserve_rows (self, n);
  if (self->plan->n_groups == 0)
    self->groups[0] = 0;
  else
    {
      kvsql_row_keys_run (&self->keys, from->names);
      find_groups (self, from->names, 0, n);
    }
  reserve_states (self);
  for (guint i = 0; i < self->plan->n_aggregates; i++)
    if (!kvsql_accumulator_merge (self->accumulators[i], from->accumulators[i], self->groups,
                                  error))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_partial_aggregate_emit (const KvsqlPartialAggregate *self, guint32 group, KvsqlArena *arena,
                              KvsqlBatch *out, guint row, GError **error)
{
  for (guint c = 0; c < self->plan->n_groups; c++)
    {
      KvsqlValue value = kvsql_vector_get (&self->names->columns[c], group);

      kvsql_vector_set (&out->columns[c], row, &value);
    }
  for (guint i = 0; i < self->plan->n_aggregates; i++)
    {
      KvsqlValue value;

      if (!kvsql_accumulator_get (self->accumulators[i], group, arena, &value, error))
        return FALSE;
      kvsql_vector_set (&out->columns[self->plan->n_groups + i], row, &value);
    }
  return TRUE;
}
