/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * batch-source.c: divides one large batch into batches, and puts batches together.
 */
#include "config.h"

#include "tests/exec/batch-source.h"

typedef struct
{
  KvsqlRowSource base;
  const KvsqlBatch *rows;
  guint next;
  guint batch_rows;
  KvsqlBatch *batch;
} BatchSource;

static gboolean
rows_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
           KvsqlRowSlice *out, GError **error)
{
  BatchSource *self = (BatchSource *)source;

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
  kvsql_row_slice_set_batch (out, self->batch);
  return TRUE;
}

static void
rows_free (KvsqlRowSource *source)
{
  BatchSource *self = (BatchSource *)source;

  kvsql_batch_free (self->batch);
  g_free (self);
}

static const KvsqlRowSourceClass rows_class = { .next = rows_next, .free = rows_free };

static KvsqlBatch *
batch_like (const KvsqlBatch *rows, guint capacity)
{
  g_autofree KvsqlType *types = g_new (KvsqlType, rows->n_columns);

  for (guint c = 0; c < rows->n_columns; c++)
    types[c] = rows->columns[c].type;
  return kvsql_batch_new (types, rows->n_columns, capacity);
}

KvsqlRowSource *
batch_source_new (const KvsqlBatch *rows, guint batch_rows)
{
  BatchSource *self = g_new0 (BatchSource, 1);

  self->base.klass = &rows_class;
  self->rows = rows;
  self->batch_rows = batch_rows;
  self->batch = batch_like (rows, batch_rows);
  return &self->base;
}

KvsqlBatch *
batch_of_source (KvsqlRowSource *source, KvsqlArena *arena, GError **error)
{
  g_autoptr (KvsqlRowSource) owned = source;
  g_autoptr (KvsqlBatch) all = NULL;
  const KvsqlBatch *batch;

  for (;;)
    {
      if (!kvsql_row_source_next_batch (source, NULL, &batch, error))
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
