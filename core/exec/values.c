/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * values.c: see values.h.
 *
 * Constants are put into batches. Rows with a value that has to be computed are given one by one,
 * as an evaluator keeps its result until the next run.
 */
#include "config.h"

#include "core/exec/values.h"

#include "core/expr/evaluate.h"
#include "core/plan/values-plan.h"

typedef struct
{
  KvsqlRowSource base;
  const KvsqlValuesPlan *plan;
  guint n_given;
  gboolean is_constant;
  KvsqlBatch *batch;
  KvsqlExpr **row;           /* of the evaluator */
  KvsqlEvaluator *evaluator; /* nullable: of the last row */
} Values;

static void
values_free (KvsqlRowSource *source)
{
  Values *self = (Values *)source;

  kvsql_evaluator_free (self->evaluator);
  kvsql_batch_free (self->batch);
  g_free (self->row);
  g_free (self);
}

static void
fill_batch (Values *self, guint n)
{
  kvsql_batch_reset (self->batch);
  kvsql_batch_reserve (self->batch, n);
  for (guint j = 0; j < self->plan->n_columns; j++)
    for (guint i = 0; i < n; i++)
      kvsql_vector_set (&self->batch->columns[j], i,
                        &self->plan->columns[j][self->n_given + i]->value);
  self->batch->n_rows = n;
}

static gboolean
compute_row (Values *self, KvsqlRowSlice *out, GError **error)
{
  KvsqlBatch *batch;

  for (guint j = 0; j < self->plan->n_columns; j++)
    self->row[j] = self->plan->columns[j][self->n_given];
  kvsql_evaluator_free (self->evaluator);
  self->evaluator = kvsql_evaluator_new (self->row, self->plan->n_columns);
  if (!kvsql_evaluator_run (self->evaluator, NULL, NULL, 1, &batch, error))
    return FALSE;
  kvsql_row_slice_set_batch (out, batch);
  self->n_given++;
  return TRUE;
}

static gboolean
values_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
             KvsqlRowSlice *out, GError **error)
{
  Values *self = (Values *)source;
  guint n = MIN (self->plan->n_rows - self->n_given, KVSQL_BATCH_ROWS);

  if (!kvsql_call_check (call, error))
    return FALSE;
  if (n > 0 && !self->is_constant)
    return compute_row (self, out, error);
  fill_batch (self, n);
  self->n_given += n;
  kvsql_row_slice_set_batch (out, self->batch);
  return TRUE;
}

static const KvsqlRowSourceClass values_class = { .next = values_next, .free = values_free };

KvsqlRowSource *
kvsql_values_new (const KvsqlSelectPlan *plan)
{
  guint n = plan->values->n_columns;
  g_autofree KvsqlType *types = g_new (KvsqlType, n);
  Values *self = g_new0 (Values, 1);

  for (guint j = 0; j < n; j++)
    types[j] = plan->relation->attributes[j].type;
  self->base.klass = &values_class;
  self->plan = plan->values;
  self->is_constant = kvsql_values_plan_is_constant (plan->values);
  self->batch = kvsql_batch_new (types, n, 1);
  self->row = g_new (KvsqlExpr *, n);
  return &self->base;
}
