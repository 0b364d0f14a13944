/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * project.c: evaluates the outputs, after a condition if there is one.
 */
#include "config.h"

#include "core/exec/project.h"

typedef struct
{
  KvsqlRowSource base;
  KvsqlRowSource *input;
  KvsqlEvaluator *condition; /* nullable */
  KvsqlEvaluator *exprs;
  guint32 *selection;
  guint capacity;
} Project;

static void
project_free (KvsqlRowSource *source)
{
  Project *self = (Project *)source;

  kvsql_row_source_free (self->input);
  kvsql_evaluator_free (self->condition);
  kvsql_evaluator_free (self->exprs);
  g_free (self->selection);
  g_free (self);
}

/* The rows for which the condition is TRUE. */
static gboolean
select_rows (Project *self, const KvsqlBatch *input, guint *out_n, GError **error)
{
  KvsqlBatch *truths;
  guint n = 0;

  if (!kvsql_evaluator_run (self->condition, input, NULL, input->n_rows, &truths, error))
    return FALSE;
  if (input->n_rows > self->capacity)
    {
      self->capacity = input->n_rows;
      self->selection = g_renew (guint32, self->selection, self->capacity);
    }
  for (guint row = 0; row < input->n_rows; row++)
    {
      self->selection[n] = row;
      n += !kvsql_vector_is_null (&truths->columns[0], row) && truths->columns[0].booleans[row];
    }
  *out_n = n;
  return TRUE;
}

static gboolean
project_next (KvsqlRowSource *source, const KvsqlCall *call, const KvsqlBatch **out_batch,
              GError **error)
{
  Project *self = (Project *)source;
  const KvsqlBatch *input;
  KvsqlBatch *output;
  guint n;

  do
    {
      if (!kvsql_row_source_next (self->input, call, &input, error))
        return FALSE;
      n = input->n_rows;
      if (self->condition != NULL && n > 0 && !select_rows (self, input, &n, error))
        return FALSE;
    }
  while (n == 0 && input->n_rows > 0);
  if (!kvsql_evaluator_run (self->exprs, input, self->condition == NULL ? NULL : self->selection, n,
                            &output, error))
    return FALSE;
  *out_batch = output;
  return TRUE;
}

static const KvsqlRowSourceClass project_class = { project_next, project_free };

KvsqlRowSource *
kvsql_project_new (KvsqlRowSource *input, KvsqlExpr *const *exprs, guint n_exprs,
                   KvsqlExpr *condition)
{
  Project *self = g_new0 (Project, 1);

  self->base.klass = &project_class;
  self->input = input;
  self->condition = condition == NULL ? NULL : kvsql_evaluator_new (&condition, 1);
  self->exprs = kvsql_evaluator_new (exprs, n_exprs);
  return &self->base;
}
