/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grouping-sets.c: see the header.
 */
#include "config.h"

#include "core/exec/grouping-sets.h"

struct _KvsqlSetRows
{
  const KvsqlAggregation *plan;
  const KvsqlBatch *batch; /* NULL: none */
  guint next;              /* the set to give next */
  KvsqlBatch *own;         /* NULLs for each grouping expression, and the marks */
  KvsqlBatch rows;         /* what is given: columns of the batch, and of @own */
};

KvsqlSetRows *
kvsql_set_rows_new (const KvsqlAggregation *aggregation)
{
  KvsqlSetRows *self = g_new0 (KvsqlSetRows, 1);

  self->plan = aggregation;
  self->rows.n_columns = aggregation->n_inputs;
  self->rows.columns = g_new0 (KvsqlVector, aggregation->n_inputs + 1);
  return self;
}

void
kvsql_set_rows_free (KvsqlSetRows *self)
{
  if (self == NULL)
    return;
  kvsql_batch_free (self->own);
  g_free (self->rows.columns);
  g_free (self);
}

/* Makes room for @n rows, and sets the NULLs. */
static void
reserve (KvsqlSetRows *self, guint n)
{
  guint n_by = self->plan->n_groups - self->plan->n_marks;

  if (self->own != NULL && self->own->capacity >= n)
    return;
  kvsql_batch_free (self->own);
  self->own = kvsql_batch_new (self->plan->types, self->plan->n_groups, MAX (n, KVSQL_BATCH_ROWS));
  for (guint c = 0; c < n_by; c++)
    {
      KvsqlVector *column = &self->own->columns[c];

      for (guint row = 0; row < self->own->capacity; row++)
        kvsql_vector_set (column, row, &KVSQL_VALUE_NULL);
    }
}

void
kvsql_set_rows_begin (KvsqlSetRows *self, const KvsqlBatch *batch)
{
  g_assert (self->batch == NULL && batch->n_columns + self->plan->n_marks == self->plan->n_inputs);
  if (self->plan->n_sets > 0)
    reserve (self, batch->n_rows);
  self->batch = batch;
  self->next = 0;
}

void
kvsql_set_rows_stop (KvsqlSetRows *self)
{
  self->batch = NULL;
}

/* The columns of the next set. */
static const KvsqlBatch *
make_rows (KvsqlSetRows *self, const KvsqlGroupSet *set)
{
  guint n_groups = self->plan->n_groups, n_marks = self->plan->n_marks;
  guint n_by = n_groups - n_marks;

  for (guint c = 0; c < n_by; c++)
    self->rows.columns[c] = set->has[c] ? self->batch->columns[c] : self->own->columns[c];
  for (guint m = 0; m < n_marks; m++)
    {
      KvsqlVector *column = &self->own->columns[n_by + m];

      for (guint row = 0; row < self->batch->n_rows; row++)
        column->integers[row] = set->marks[m];
      self->rows.columns[n_by + m] = *column;
    }
  for (guint c = n_groups; c < self->plan->n_inputs; c++)
    self->rows.columns[c] = self->batch->columns[c - n_marks];
  self->rows.n_rows = self->batch->n_rows;
  self->rows.capacity = self->batch->capacity;
  return &self->rows;
}

const KvsqlBatch *
kvsql_set_rows_next (KvsqlSetRows *self)
{
  const KvsqlBatch *batch = self->batch;

  if (batch == NULL)
    return NULL;
  if (self->plan->n_sets > 0 && self->next < self->plan->n_sets)
    return make_rows (self, &self->plan->sets[self->next++]);
  self->batch = NULL;
  return self->plan->n_sets > 0 ? NULL : batch;
}

/* ---- groups without rows */

static gboolean
is_empty (const KvsqlSetRows *self, const KvsqlGroupSet *set)
{
  return memchr (set->has, 1, self->plan->n_groups - self->plan->n_marks) == NULL;
}

void
kvsql_set_rows_add_empty (KvsqlSetRows *self, KvsqlPartialAggregate *groups)
{
  const KvsqlAggregation *plan = self->plan;
  guint n_by = plan->n_groups - plan->n_marks;
  g_autofree KvsqlType *types = g_new (KvsqlType, plan->n_inputs);
  g_autoptr (KvsqlBatch) row = NULL;

  for (guint c = 0; c < plan->n_inputs; c++)
    types[c] = KVSQL_TYPE_NULL; /* not looked at, other than what to group by */
  for (guint c = 0; c < n_by; c++)
    types[c] = plan->types[c];
  row = kvsql_batch_new (types, plan->n_inputs - plan->n_marks, 1);
  row->n_rows = 1;
  g_assert (self->batch == NULL);
  for (guint s = 0; s < plan->n_sets; s++)
    {
      if (!is_empty (self, &plan->sets[s]))
        continue;
      reserve (self, 1);
      self->batch = row;
      kvsql_partial_aggregate_add_groups (groups, make_rows (self, &plan->sets[s]));
    }
  self->batch = NULL;
}
