/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rows-step.c: batches out of one large batch, and back.
 */
#include "config.h"

#include "tests/exec/rows-step.h"

typedef struct
{
  KvsqlStep base;
  const KvsqlBatch *rows;
  guint next;
  guint batch_rows;
  KvsqlBatch *batch;
} RowsStep;

static gboolean
rows_next (KvsqlStep *step, const KvsqlCall *call, const KvsqlBatch **out_batch, GError **error)
{
  RowsStep *self = (RowsStep *)step;

  kvsql_batch_reset (self->batch);
  for (; self->batch->n_rows < self->batch_rows && self->next < self->rows->n_rows; self->next++)
    {
      for (guint c = 0; c < self->rows->n_columns; c++)
        {
          KvsqlValue value = kvsql_vector_get (&self->rows->columns[c], self->next);
          kvsql_vector_set (&self->batch->columns[c], self->batch->n_rows, &value);
        }
      self->batch->n_rows++;
    }
  *out_batch = self->batch;
  return TRUE;
}

static void
rows_free (KvsqlStep *step)
{
  RowsStep *self = (RowsStep *)step;

  kvsql_batch_free (self->batch);
  g_free (self);
}

static const KvsqlStepClass rows_class = { rows_next, rows_free };

static KvsqlBatch *
batch_like (const KvsqlBatch *rows, guint capacity)
{
  g_autofree KvsqlType *types = g_new (KvsqlType, rows->n_columns);

  for (guint c = 0; c < rows->n_columns; c++)
    types[c] = rows->columns[c].type;
  return kvsql_batch_new (types, rows->n_columns, capacity);
}

KvsqlStep *
rows_step_new (const KvsqlBatch *rows, guint batch_rows)
{
  RowsStep *self = g_new0 (RowsStep, 1);

  self->base.klass = &rows_class;
  self->rows = rows;
  self->batch_rows = batch_rows;
  self->batch = batch_like (rows, batch_rows);
  return &self->base;
}

KvsqlBatch *
rows_of_step (KvsqlStep *step, KvsqlArena *arena, GError **error)
{
  g_autoptr (KvsqlStep) owned = step;
  g_autoptr (KvsqlBatch) all = NULL;
  const KvsqlBatch *batch;

  for (;;)
    {
      if (!kvsql_step_next (step, NULL, &batch, error))
        return NULL;
      if (all == NULL)
        all = batch_like (batch, 64);
      if (batch->n_rows == 0)
        return g_steal_pointer (&all);
      for (guint row = 0; row < batch->n_rows; row++)
        {
          if (all->n_rows == all->capacity)
            kvsql_batch_reserve (all, all->capacity * 2);
          for (guint c = 0; c < batch->n_columns; c++)
            {
              KvsqlValue value = kvsql_vector_get (&batch->columns[c], row);
              value = kvsql_value_dup (&value, arena);
              kvsql_vector_set (&all->columns[c], all->n_rows, &value);
            }
          all->n_rows++;
        }
    }
}
