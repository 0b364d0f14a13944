/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cross-join.c: one row for each tuple of the scan and each combination of the others.
 *
 * Combinations are numbered like the digits of a number: the last relation's tuples change fastest.
 */
#include "config.h"

#include "core/exec/cross-join.h"

#include "core/exec/result-builder.h"

/* Rows of another relation that are copied at once. */
#define ROWS_AT_ONCE 1000

/* Another relation's tuples, in memory. */
typedef struct
{
  KvsqlRowSource *rows;
  KvsqlBatch *tuples; /* columns as the items of its plan */
  guint64 stride;     /* combinations between two tuples */
} Part;

typedef struct
{
  KvsqlRowSource base;
  const KvsqlSelectPlan *plan;
  gsize max_bytes;
  KvsqlArena *arena; /* of the parts' bytes */
  Part *parts;
  guint n_parts;
  gboolean is_loaded;
  guint64 n_combinations;

  KvsqlRowSlice tuples; /* of the first relation */
  guint next;           /* row of @tuples */
  guint64 combination;

  KvsqlBatch *batch;
  guint32 rows[KVSQL_BATCH_ROWS]; /* the tuples for the column that is being filled */
  guint32 first_rows[KVSQL_BATCH_ROWS];
  guint64 combinations[KVSQL_BATCH_ROWS];
} CrossJoin;

static KvsqlBatch *
new_batch (const KvsqlSelectPlan *plan)
{
  const KvsqlCrossJoinPlan *cross_join = plan->cross_join;
  g_autofree KvsqlType *types = g_new0 (KvsqlType, plan->relation->n_attributes);

  for (guint a = 0; a < plan->entry->relation->n_attributes; a++)
    types[a] = kvsql_attribute_set_has (&plan->needed, a) ? plan->relation->attributes[a].type
                                                          : KVSQL_TYPE_NULL;
  for (guint p = 0; p < cross_join->n_parts; p++)
    for (guint i = 0; i < cross_join->parts[p].plan->n_items; i++)
      {
        guint column = cross_join->parts[p].first + cross_join->parts[p].plan->items[i];
        types[column] = plan->relation->attributes[column].type;
      }
  return kvsql_batch_new (types, plan->relation->n_attributes, KVSQL_BATCH_ROWS);
}

static void
cross_join_free (KvsqlRowSource *source)
{
  CrossJoin *self = (CrossJoin *)source;

  for (guint p = 0; p < self->n_parts; p++)
    kvsql_batch_free (self->parts[p].tuples);
  g_free (self->parts);
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->arena);
  g_free (self);
}

/* ---- the other relations */

static gboolean
too_large (const CrossJoin *self, const KvsqlCrossJoinPart *part, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the relations joined to \"%s\" need more than %" G_GSIZE_FORMAT
                   " MiB of memory, with \"%s\"",
                   self->plan->entry->relation->name, self->max_bytes >> 20,
                   part->entry->relation->name);
  return kvsql_error_hint (error, "Put the largest relation first in FROM, narrow what is read of "
                                  "the others, or raise sort_bytes in the daemon's "
                                  "configuration.");
}

static gsize
size_of (const CrossJoin *self)
{
  gsize size = kvsql_arena_get_size (self->arena);

  for (guint p = 0; p < self->n_parts; p++)
    if (self->parts[p].tuples != NULL)
      size += (gsize)self->parts[p].tuples->capacity * self->parts[p].tuples->n_columns * 16;
  return size;
}

static gboolean
load_part (CrossJoin *self, guint number, const KvsqlCall *call, GError **error)
{
  const KvsqlCrossJoinPart *planned = &self->plan->cross_join->parts[number];
  Part *part = &self->parts[number];
  g_autofree KvsqlType *types = g_new (KvsqlType, planned->plan->n_items);
  KvsqlRowDemand demand = kvsql_row_demand_all;
  KvsqlRowSlice slice;

  demand.max_copied = ROWS_AT_ONCE;
  for (guint i = 0; i < planned->plan->n_items; i++)
    types[i] = kvsql_select_plan_get_type (planned->plan, i);
  part->tuples = kvsql_batch_new (types, planned->plan->n_items, 16);
  do
    {
      if (!kvsql_row_source_next (part->rows, &demand, call, &slice, error))
        return FALSE;
      if (slice.n > 0)
        kvsql_result_builder_append (part->tuples, slice.batch, slice.columns, slice.rows, slice.n,
                                     self->arena);
      if (size_of (self) > self->max_bytes)
        return too_large (self, planned, error);
    }
  while (!slice.is_end);
  return TRUE;
}

static gboolean
load (CrossJoin *self, const KvsqlCall *call, GError **error)
{
  guint n = self->n_parts;

  self->n_combinations = 1;
  for (guint p = n; p > 0; p--)
    {
      Part *part = &self->parts[p - 1];

      if (!load_part (self, p - 1, call, error))
        return FALSE;
      part->stride = self->n_combinations;
      if (__builtin_mul_overflow (self->n_combinations, (guint64)part->tuples->n_rows,
                                  &self->n_combinations))
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                                "the product of the relations has too many rows");
    }
  self->is_loaded = TRUE;
  return TRUE;
}

/* ---- rows */

/* Chooses the tuples of the next rows. */
static guint
choose_rows (CrossJoin *self)
{
  guint n = 0;

  while (n < KVSQL_BATCH_ROWS && self->next < self->tuples.n)
    {
      self->first_rows[n] = self->tuples.rows[self->next];
      self->combinations[n++] = self->combination++;
      if (self->combination == self->n_combinations)
        {
          self->combination = 0;
          self->next++;
        }
    }
  return n;
}

static void
fill_column (CrossJoin *self, guint column, const KvsqlVector *from, const guint32 *rows, guint n)
{
  KvsqlVector *to = &self->batch->columns[column];

  for (guint i = 0; i < n; i++)
    {
      KvsqlValue value = kvsql_vector_get (from, rows[i]);
      kvsql_vector_set (to, i, &value);
    }
}

static void
fill_part (CrossJoin *self, guint number, guint n)
{
  const KvsqlCrossJoinPart *planned = &self->plan->cross_join->parts[number];
  const Part *part = &self->parts[number];

  g_assert (n == 0 || (part->stride > 0 && part->tuples->n_rows > 0)); /* it is divided by them */
  for (guint i = 0; i < n; i++)
    self->rows[i] = (guint32)(self->combinations[i] / part->stride % part->tuples->n_rows);
  for (guint i = 0; i < planned->plan->n_items; i++)
    fill_column (self, planned->first + planned->plan->items[i], &part->tuples->columns[i],
                 self->rows, n);
}

static gboolean
next_tuples (CrossJoin *self, const KvsqlCall *call, GError **error)
{
  self->next = 0;
  return kvsql_row_source_next (self->base.input, &kvsql_row_demand_all, call, &self->tuples,
                                error);
}

static gboolean
cross_join_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
                 KvsqlRowSlice *out, GError **error)
{
  CrossJoin *self = (CrossJoin *)source;
  guint n;

  if (!kvsql_call_check (call, error) || (!self->is_loaded && !load (self, call, error)))
    return FALSE;
  kvsql_batch_reset (self->batch);
  if (self->n_combinations > 0)
    {
      if (self->next == self->tuples.n && !next_tuples (self, call, error))
        return FALSE;
      g_assert (self->next <= self->tuples.n && self->combination < self->n_combinations);
      n = choose_rows (self);
      for (guint a = 0; a < self->plan->entry->relation->n_attributes; a++)
        if (kvsql_attribute_set_has (&self->plan->needed, a))
          fill_column (self, a, &self->tuples.batch->columns[a], self->first_rows, n);
      for (guint p = 0; p < self->n_parts; p++)
        fill_part (self, p, n);
      self->batch->n_rows = n;
    }
  kvsql_row_slice_set_batch (out, self->batch);
  return TRUE;
}

static const KvsqlRowSourceClass cross_join_class
    = { .next = cross_join_next, .free = cross_join_free };

KvsqlRowSource *
kvsql_cross_join_new (const KvsqlSelectPlan *plan, KvsqlRowSource *input,
                      KvsqlRowSource *const *others, gsize max_bytes)
{
  CrossJoin *self = g_new0 (CrossJoin, 1);

  self->base.klass = &cross_join_class;
  self->base.input = input;
  self->plan = plan;
  self->max_bytes = max_bytes;
  self->arena = kvsql_arena_new ();
  self->n_parts = plan->cross_join->n_parts;
  self->parts = g_new0 (Part, self->n_parts);
  for (guint p = 0; p < self->n_parts; p++)
    self->parts[p].rows = others[p];
  self->batch = new_batch (plan);
  return &self->base;
}
