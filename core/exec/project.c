/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * project.c: evaluates the outputs, after a condition if there is one.
 *
 * Without a condition a row of the output is a row of the input. So only rows that are asked for
 * are computed, and the input knows their positions.
 */
#include "config.h"

#include "core/base/memory.h"
#include "core/exec/project.h"

typedef struct
{
  KvsqlRowSource base;
  KvsqlEvaluator *condition; /* nullable */
  KvsqlEvaluator *exprs;
  guint32 *selection;
  guint capacity;
} Project;

static void
project_free (KvsqlRowSource *source)
{
  Project *self = (Project *)source;

  kvsql_evaluator_free (self->condition);
  kvsql_evaluator_free (self->exprs);
  g_free (self->selection);
  g_free (self);
}

/* ---- with a condition */

/* The rows for which the condition is TRUE. */
static gboolean
select_rows (Project *self, KvsqlRowSlice *inout, GError **error)
{
  KvsqlBatch *truths;
  guint n = 0;

  if (!kvsql_evaluator_run (self->condition, inout->batch, kvsql_row_slice_get_selection (inout),
                            inout->n, &truths, error))
    return FALSE;
  if (inout->n > self->capacity)
    {
      self->capacity = inout->n;
      self->selection = g_renew (guint32, self->selection, self->capacity);
    }
  for (guint i = 0; i < inout->n; i++)
    {
      self->selection[n] = inout->rows[i];
      n += !kvsql_vector_is_null (&truths->columns[0], i) && truths->columns[0].booleans[i];
    }
  inout->rows = self->selection;
  inout->n = n;
  return TRUE;
}

/* ---- the operator */

static gboolean
project_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
              KvsqlRowSlice *out, GError **error)
{
  Project *self = (Project *)source;
  KvsqlRowSlice input;
  KvsqlBatch *output;

  if (!kvsql_row_source_poll (self->base.input, demand, call, &input, error)
      || (self->condition != NULL && input.n > 0 && !select_rows (self, &input, error))
      || !kvsql_evaluator_run (self->exprs, input.batch, kvsql_row_slice_get_selection (&input),
                               input.n, &output, error))
    return FALSE;
  kvsql_row_slice_set_batch (out, output);
  out->is_end = input.is_end;
  return TRUE;
}

static gboolean
project_skip (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
              KvsqlRowSlice *out, GError **error)
{
  return kvsql_row_source_skip (source->input, demand, call, out, error);
}

static gboolean
project_get_positions (KvsqlRowSource *source, guint first, guint n, KvsqlScanPosition *out)
{
  return kvsql_row_source_get_positions (source->input, first, n, out);
}

static const KvsqlRowSourceClass project_class = { .next = project_next,
                                                   .free = project_free,
                                                   .skip = project_skip,
                                                   .get_positions = project_get_positions,
                                                   .shares_values = TRUE };
static const KvsqlRowSourceClass condition_class
    = { .next = project_next, .free = project_free, .shares_values = TRUE };

KvsqlRowSource *
kvsql_project_new (KvsqlRowSource *input, KvsqlExpr *const *exprs, guint n_exprs,
                   KvsqlExpr *condition)
{
  Project *self = kvsql_new0 (Project);

  self->base.klass = condition == NULL ? &project_class : &condition_class;
  self->base.input = input;
  self->condition = condition == NULL ? NULL : kvsql_evaluator_new (&condition, 1);
  self->exprs = kvsql_evaluator_new (exprs, n_exprs);
  return &self->base;
}
