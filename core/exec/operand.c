/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * operand.c: see operand.h.
 */
#include "config.h"

#include "core/exec/operand.h"

#include "core/expr/evaluate.h"

typedef struct
{
  KvsqlRowSource base;
  const KvsqlSetOperand *operand;
  guint number; /* in the operation */
  KvsqlOperandOpener opener;
  gboolean is_computed; /* rows are converted, or have to be dense */
  KvsqlRowSource *rows; /* NULL: not open */
  KvsqlEvaluator *columns;
  KvsqlVector *vectors; /* of @view */
  KvsqlBatch view;      /* the columns of a batch in the order of the items */
  KvsqlBatch *no_rows;
} Operand;

static void
operand_free (KvsqlRowSource *source)
{
  Operand *self = (Operand *)source;

  kvsql_evaluator_free (self->columns);
  kvsql_batch_free (self->no_rows);
  g_free (self->vectors);
  g_free (self);
}

static void
open_rows (Operand *self)
{
  const KvsqlSelectPlan *plan = self->operand->plan;

  self->rows = self->opener.open (self->opener.data, self->number);
  if (self->is_computed)
    self->columns = kvsql_evaluator_new (self->operand->columns, plan->n_items);
  self->vectors = g_new (KvsqlVector, plan->n_items + 1);
}

static void
close_rows (Operand *self)
{
  self->opener.close (self->opener.data, self->number);
  g_clear_pointer (&self->columns, kvsql_evaluator_free);
}

static gboolean
give_no_rows (Operand *self, gboolean is_end, KvsqlRowSlice *out)
{
  kvsql_row_slice_set_batch (out, self->no_rows);
  out->is_end = is_end;
  if (is_end)
    close_rows (self);
  return TRUE;
}

/* The batch of @slice with its columns in order. */
static const KvsqlBatch *
get_columns (Operand *self, const KvsqlRowSlice *slice)
{
  guint n = self->operand->plan->n_items;

  if (slice->columns == NULL || slice->batch == NULL)
    return slice->batch;
  for (guint i = 0; i < n; i++)
    self->vectors[i] = slice->batch->columns[slice->columns[i]];
  self->view = (KvsqlBatch){ .n_rows = slice->batch->n_rows,
                             .capacity = slice->batch->capacity,
                             .n_columns = n,
                             .columns = self->vectors };
  return &self->view;
}

static gboolean
operand_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
              KvsqlRowSlice *out, GError **error)
{
  Operand *self = (Operand *)source;
  KvsqlRowSlice slice;
  KvsqlBatch *batch;

  if (self->rows == NULL)
    open_rows (self);
  if (!kvsql_row_source_poll (self->rows, demand, call, &slice, error))
    return FALSE;
  if (slice.n == 0)
    return give_no_rows (self, slice.is_end, out);
  if (slice.columns != NULL)
    {
      slice.batch = get_columns (self, &slice);
      slice.columns = NULL;
      slice.chunk = NULL; /* its columns are in another order */
    }
  *out = slice;
  if (!self->is_computed)
    return TRUE;
  if (!kvsql_evaluator_run (self->columns, slice.batch, kvsql_row_slice_get_selection (&slice),
                            slice.n, &batch, error))
    return FALSE;
  *out = (KvsqlRowSlice){ 0 };
  kvsql_row_slice_set_batch (out, batch);
  return TRUE;
}

static gboolean
operand_skip (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
              KvsqlRowSlice *out, GError **error)
{
  Operand *self = (Operand *)source;

  if (self->rows == NULL)
    open_rows (self);
  if (!kvsql_row_source_skip (self->rows, demand, call, out, error))
    return FALSE;
  if (out->is_end)
    {
      close_rows (self);
      *out = (KvsqlRowSlice){ .is_end = TRUE };
    }
  return TRUE;
}

static KvsqlBatch *
new_batch (const KvsqlSetOperand *operand)
{
  guint n = operand->plan->n_items;
  g_autofree KvsqlType *types = g_new (KvsqlType, n + 1);

  for (guint i = 0; i < n; i++)
    types[i] = operand->columns[i]->type;
  return kvsql_batch_new (types, n, 1);
}

static const KvsqlRowSourceClass operand_class
    = { .next = operand_next, .free = operand_free, .skip = operand_skip };

KvsqlRowSource *
kvsql_operand_new (const KvsqlSetPlan *set, guint number, const KvsqlOperandOpener *opener,
                   gboolean is_dense)
{
  Operand *self = g_new0 (Operand, 1);

  self->base.klass = &operand_class;
  self->operand = &set->operands[number];
  self->number = number;
  self->opener = *opener;
  self->is_computed = is_dense || self->operand->is_converted;
  self->no_rows = new_batch (self->operand);
  return &self->base;
}
