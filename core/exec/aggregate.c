/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * aggregate.c: rows to group numbers, a batch at a time, and then aggregate after aggregate.
 *
 * The values that a group is named by are kept as columns, so that giving the groups out is copying
 * columns. A DISTINCT aggregate has a table of (group, value) of its own, and takes the rows that
 * are new there.
 */
#include "config.h"

#include <math.h>

#include "core/exec/aggregate.h"
#include "core/exec/group-table.h"
#include "core/exec/row-key.h"

typedef struct
{
  KvsqlStep base;
  KvsqlStep *input;
  guint n_groups; /* columns to group by */
  const KvsqlAggregate *aggregates;
  guint n_aggregates;
  gsize max_bytes;

  KvsqlKeyPart *parts;
  KvsqlRowKeys keys;
  KvsqlGroupTable *table;
  KvsqlBatch *names; /* of the groups, by number */
  KvsqlArena *names_arena;
  guint32 *groups; /* of the batch's rows */
  guint32 *fresh;  /* rows that began a group, or are new to a DISTINCT */
  guint n_fresh;
  guint capacity; /* of both */

  KvsqlAccumulator **accumulators;
  KvsqlGroupTable **distinct; /* by aggregate; NULL: it is not */
  KvsqlBuffer distinct_key;
  KvsqlRowKeys distinct_keys;
  KvsqlKeyPart distinct_part;

  gboolean is_gathered;
  guint32 next;
  KvsqlBatch *batch;
  KvsqlArena *batch_arena;
} Aggregate;

static void
aggregate_free (KvsqlStep *step)
{
  Aggregate *self = (Aggregate *)step;

  kvsql_step_free (self->input);
  kvsql_row_keys_clear (&self->keys);
  kvsql_row_keys_clear (&self->distinct_keys);
  kvsql_buffer_clear (&self->distinct_key);
  kvsql_group_table_free (self->table);
  kvsql_batch_free (self->names);
  kvsql_arena_free (self->names_arena);
  for (guint i = 0; i < self->n_aggregates; i++)
    {
      kvsql_accumulator_free (self->accumulators[i]);
      kvsql_group_table_free (self->distinct[i]);
    }
  g_free (self->accumulators);
  g_free (self->distinct);
  g_free (self->parts);
  g_free (self->groups);
  g_free (self->fresh);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->batch_arena);
  g_free (self);
}

/* ---- groups */

/* -0 and 0 are one group, whichever came first: it is called 0, and NaN by its usual bits. */
static void
normalise (KvsqlValue *value)
{
  if (kvsql_type_get_class (value->type) == KVSQL_CLASS_REAL)
    value->real = value->real == 0 ? 0.0 : isnan (value->real) ? NAN : value->real;
}

static void
name_group (KvsqlBatch *names, KvsqlArena *arena, const KvsqlBatch *batch, guint row)
{
  if (names->n_rows == names->capacity)
    kvsql_batch_reserve (names, names->capacity * 2);
  for (guint c = 0; c < names->n_columns; c++)
    {
      KvsqlValue value = kvsql_vector_get (&batch->columns[c], row);
      value = kvsql_value_dup (&value, arena);
      normalise (&value);
      kvsql_vector_set (&names->columns[c], names->n_rows, &value);
    }
  names->n_rows++;
}

static void
make_room (Aggregate *self, guint n_rows)
{
  if (n_rows <= self->capacity)
    return;
  self->capacity = MAX (n_rows, KVSQL_BATCH_ROWS);
  g_free (self->groups);
  self->groups = g_new0 (guint32, self->capacity);
  g_free (self->fresh);
  self->fresh = g_new (guint32, self->capacity);
}

/* Numbers the groups of the batch's rows; without columns to group by they stay 0. */
static void
find_groups (Aggregate *self, const KvsqlBatch *batch)
{
  make_room (self, batch->n_rows);
  if (self->n_groups == 0)
    return;
  kvsql_row_keys_run (&self->keys, batch);
  for (guint row = 0; row < batch->n_rows; row++)
    {
      gboolean is_new;
      self->groups[row]
          = kvsql_group_table_add (self->table, kvsql_row_keys_get (&self->keys, row), &is_new);
      if (is_new)
        name_group (self->names, self->names_arena, batch, row);
    }
}

/* ---- aggregates */

/* Rows whose value is not NULL and new in its group. */
static void
find_fresh (Aggregate *self, guint aggregate, const KvsqlBatch *batch)
{
  const KvsqlVector *values = &batch->columns[self->aggregates[aggregate].column];

  self->n_fresh = 0;
  self->distinct_part = (KvsqlKeyPart){ .column = self->aggregates[aggregate].column };
  kvsql_row_keys_run (&self->distinct_keys, batch);
  for (guint row = 0; row < batch->n_rows; row++)
    {
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
        self->fresh[self->n_fresh++] = row;
    }
}

static guint32
count_groups (const Aggregate *self)
{
  return self->n_groups == 0 ? 1 : kvsql_group_table_get_n (self->table);
}

static gboolean
accumulate (Aggregate *self, const KvsqlBatch *batch, GError **error)
{
  for (guint i = 0; i < self->n_aggregates; i++)
    {
      const KvsqlAggregate *aggregate = &self->aggregates[i];
      const KvsqlVector *values
          = aggregate->column == KVSQL_NO_COLUMN ? NULL : &batch->columns[aggregate->column];
      const guint32 *rows = NULL;
      guint n = batch->n_rows;

      if (aggregate->is_distinct)
        {
          find_fresh (self, i, batch);
          rows = self->fresh;
          n = self->n_fresh;
        }
      kvsql_accumulator_reserve (self->accumulators[i], count_groups (self));
      if (!kvsql_accumulator_add (self->accumulators[i], values, rows, self->groups, n, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- bounds */

static gsize
memory_used (const Aggregate *self)
{
  gsize size = kvsql_group_table_get_size (self->table) + kvsql_arena_get_size (self->names_arena)
               + self->names->capacity * self->n_groups * 8;

  for (guint i = 0; i < self->n_aggregates; i++)
    {
      size += kvsql_accumulator_get_size (self->accumulators[i]);
      if (self->distinct[i] != NULL)
        size += kvsql_group_table_get_size (self->distinct[i]);
    }
  return size;
}

static gboolean
check_memory (gsize used, gsize max_bytes, const gchar *what, GError **error)
{
  if (used <= max_bytes)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "%s needs more than %" G_GSIZE_FORMAT " MiB", what, max_bytes >> 20);
  return kvsql_error_hint (error, "Narrow the predicate, group by fewer different values, or raise "
                                  "sort_bytes in the daemon's configuration.");
}

/* ---- the step */

static gboolean
gather (Aggregate *self, const KvsqlCall *call, GError **error)
{
  const KvsqlBatch *batch;

  self->is_gathered = TRUE;
  for (guint i = 0; i < self->n_aggregates; i++)
    kvsql_accumulator_reserve (self->accumulators[i], count_groups (self));
  for (;;)
    {
      if (!kvsql_call_check (call, error) || !kvsql_step_next (self->input, call, &batch, error))
        return FALSE;
      if (batch->n_rows == 0)
        return TRUE;
      find_groups (self, batch);
      if (!accumulate (self, batch, error)
          || !check_memory (memory_used (self), self->max_bytes,
                            self->n_groups > 0 ? "GROUP BY" : "a DISTINCT aggregate", error))
        return FALSE;
    }
}

static gboolean
give_group (Aggregate *self, guint32 group, guint row, GError **error)
{
  KvsqlBatch *batch = self->batch;

  for (guint c = 0; c < self->n_groups; c++)
    {
      KvsqlValue value = kvsql_vector_get (&self->names->columns[c], group);
      kvsql_vector_set (&batch->columns[c], row, &value);
    }
  for (guint i = 0; i < self->n_aggregates; i++)
    {
      KvsqlValue value;
      if (!kvsql_accumulator_get (self->accumulators[i], group, self->batch_arena, &value, error))
        return FALSE;
      kvsql_vector_set (&batch->columns[self->n_groups + i], row, &value);
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

static KvsqlKeyPart *
all_parts (guint n_columns)
{
  KvsqlKeyPart *parts = g_new0 (KvsqlKeyPart, n_columns);

  for (guint c = 0; c < n_columns; c++)
    parts[c].column = c;
  return parts;
}

KvsqlStep *
kvsql_aggregate_new (KvsqlStep *input, const KvsqlType *types, guint n_groups,
                     const KvsqlAggregate *aggregates, guint n_aggregates, gsize max_bytes)
{
  Aggregate *self = g_new0 (Aggregate, 1);
  g_autofree KvsqlType *results = g_new (KvsqlType, n_groups + n_aggregates);

  self->base.klass = &aggregate_class;
  self->input = input;
  self->n_groups = n_groups;
  self->aggregates = aggregates;
  self->n_aggregates = n_aggregates;
  self->max_bytes = max_bytes;
  self->parts = all_parts (n_groups);
  kvsql_row_keys_init (&self->keys, self->parts, n_groups);
  kvsql_row_keys_init (&self->distinct_keys, &self->distinct_part, 1);
  self->table = kvsql_group_table_new ();
  self->names = kvsql_batch_new (types, n_groups, 64);
  self->names_arena = kvsql_arena_new ();
  self->accumulators = g_new0 (KvsqlAccumulator *, n_aggregates);
  self->distinct = g_new0 (KvsqlGroupTable *, n_aggregates);
  for (guint c = 0; c < n_groups; c++)
    results[c] = types[c];
  for (guint i = 0; i < n_aggregates; i++)
    {
      self->accumulators[i]
          = kvsql_accumulator_new (aggregates[i].function, aggregates[i].argument);
      self->distinct[i] = aggregates[i].is_distinct ? kvsql_group_table_new () : NULL;
      results[n_groups + i] = aggregates[i].type;
    }
  self->batch = kvsql_batch_new (results, n_groups + n_aggregates, KVSQL_BATCH_ROWS);
  self->batch_arena = kvsql_arena_new ();
  return &self->base;
}

/* ---- DISTINCT */

typedef struct
{
  KvsqlStep base;
  KvsqlStep *input;
  gsize max_bytes;
  KvsqlKeyPart *parts;
  KvsqlRowKeys keys;
  KvsqlGroupTable *table;
  KvsqlBatch *batch;
  KvsqlArena *arena;
} Distinct;

static void
distinct_free (KvsqlStep *step)
{
  Distinct *self = (Distinct *)step;

  kvsql_step_free (self->input);
  kvsql_row_keys_clear (&self->keys);
  g_free (self->parts);
  kvsql_group_table_free (self->table);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->arena);
  g_free (self);
}

static gboolean
distinct_next (KvsqlStep *step, const KvsqlCall *call, const KvsqlBatch **out_batch, GError **error)
{
  Distinct *self = (Distinct *)step;
  const KvsqlBatch *batch;

  kvsql_batch_reset (self->batch);
  kvsql_arena_reset (self->arena);
  *out_batch = self->batch;
  while (self->batch->n_rows == 0)
    {
      if (!kvsql_call_check (call, error) || !kvsql_step_next (self->input, call, &batch, error))
        return FALSE;
      if (batch->n_rows == 0)
        return TRUE;
      kvsql_row_keys_run (&self->keys, batch);
      for (guint row = 0; row < batch->n_rows; row++)
        {
          gboolean is_new;
          kvsql_group_table_add (self->table, kvsql_row_keys_get (&self->keys, row), &is_new);
          if (is_new)
            name_group (self->batch, self->arena, batch, row);
        }
      if (!check_memory (kvsql_group_table_get_size (self->table), self->max_bytes, "DISTINCT",
                         error))
        return FALSE;
    }
  return TRUE;
}

static const KvsqlStepClass distinct_class = { distinct_next, distinct_free };

KvsqlStep *
kvsql_distinct_new (KvsqlStep *input, const KvsqlType *types, guint n_columns, gsize max_bytes)
{
  Distinct *self = g_new0 (Distinct, 1);

  self->base.klass = &distinct_class;
  self->input = input;
  self->max_bytes = max_bytes;
  self->parts = all_parts (n_columns);
  kvsql_row_keys_init (&self->keys, self->parts, n_columns);
  self->table = kvsql_group_table_new ();
  self->batch = kvsql_batch_new (types, n_columns, KVSQL_BATCH_ROWS);
  self->arena = kvsql_arena_new ();
  return &self->base;
}
