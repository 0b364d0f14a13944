/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function-source.c: see the header.
 *
 * A series keeps its present value only. Lists and JSON are split when the first row is asked for:
 * they are values, which are bounded.
 */
#include "config.h"

#include "core/exec/function-source.h"

#include "core/base/collection.h"
#include "core/expr/evaluate.h"
#include "core/expr/series.h"

typedef struct
{
  KvsqlValue *values;
  guint n;
} List;

typedef struct
{
  KvsqlRowSource base;
  const KvsqlFunctionPlan *plan;
  KvsqlBatch *batch;
  KvsqlArena *arena;   /* of the arguments and lists */
  KvsqlArena *rows[2]; /* of the values of the last batch, and of the one before */
  KvsqlValue *arguments;
  gboolean is_begun, is_end;
  gint64 n_given;
  KvsqlValue next, step; /* of a series */
  gint sign;
  List *lists;    /* by argument */
  gpointer state; /* of a function of the table */
  guint n_rows;   /* of lists, or of such a function */
} Source;

static void
source_free (KvsqlRowSource *source)
{
  Source *self = (Source *)source;

  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->arena);
  kvsql_arena_free (self->rows[0]);
  kvsql_arena_free (self->rows[1]);
  g_free (self);
}

/* ---- the beginning */

static gboolean
begin_series (Source *self, GError **error)
{
  const KvsqlFunctionPlan *plan = self->plan;

  for (guint i = 0; i < plan->n_arguments; i++)
    self->is_end = self->is_end || kvsql_value_is_null (&self->arguments[i]);
  if (self->is_end)
    return TRUE;
  self->next = self->arguments[0];
  self->step = plan->n_arguments == 3 ? self->arguments[2]
                                      : kvsql_series_get_default_step (plan->series, self->arena);
  self->sign = plan->series->get_sign (&self->step);
  return self->sign != 0
         || kvsql_error_set (error, KVSQL_ERROR_VALUE, plan->arguments[2]->span,
                             "step size cannot equal zero")
         || kvsql_error_sqlstate (error, "22023");
}

static void
begin_lists (Source *self)
{
  guint n = self->plan->n_arguments;

  self->lists = kvsql_arena_array (self->arena, List, n);
  for (guint i = 0; i < n; i++)
    {
      const KvsqlValue *value = &self->arguments[i];

      if (!kvsql_value_is_null (value))
        kvsql_list_split (self->plan->arguments[i]->type, value->bytes, self->arena,
                          &self->lists[i].values, &self->lists[i].n);
      self->n_rows = MAX (self->n_rows, self->lists[i].n);
    }
}

/* A NULL gives no rows. */
static gboolean
begin_row_function (Source *self, GError **error)
{
  const KvsqlFunctionPlan *plan = self->plan;

  for (guint i = 0; i < plan->n_arguments; i++)
    if (kvsql_value_is_null (&self->arguments[i]))
      return TRUE;
  return plan->row_function->begin (plan->row_function, self->arguments, plan->n_arguments,
                                    self->arena, &self->state, &self->n_rows, error)
         || kvsql_error_at (error, plan->arguments[0]->span);
}

static gboolean
begin (Source *self, GError **error)
{
  guint n = self->plan->n_arguments;

  self->is_begun = TRUE;
  self->arguments = kvsql_arena_array (self->arena, KvsqlValue, n);
  for (guint i = 0; i < n; i++)
    if (!kvsql_expr_evaluate (self->plan->arguments[i], NULL, self->arena, &self->arguments[i],
                              error))
      return kvsql_error_at (error, self->plan->arguments[i]->span);
  if (self->plan->series != NULL)
    return begin_series (self, error);
  if (self->plan->row_function != NULL)
    return begin_row_function (self, error);
  begin_lists (self);
  return TRUE;
}

/* ---- rows */

/* The next value of the series lives as long as the batch that has the one before. */
static gboolean
fill_series (Source *self, guint row, GError **error)
{
  const KvsqlValue present = self->next;
  gint order = kvsql_value_compare (&present, &self->arguments[1]);

  if (self->is_end || order * self->sign > 0)
    {
      self->is_end = TRUE;
      return TRUE;
    }
  kvsql_vector_set (&self->batch->columns[0], row, &present);
  self->batch->n_rows++;
  return self->plan->series->add (&present, &self->step, self->rows[0], &self->next, &self->is_end,
                                  error);
}

static void
fill_row_function (Source *self, guint row)
{
  const KvsqlRowFunction *function = self->plan->row_function;
  KvsqlValue values[KVSQL_ROW_FUNCTION_MAX_COLUMNS];

  function->get (function, self->state, (guint)self->n_given, values);
  for (guint i = 0; i < function->n_columns; i++)
    kvsql_vector_set (&self->batch->columns[i], row, &values[i]);
  self->batch->n_rows++;
}

static void
fill_lists (Source *self, guint row)
{
  for (guint i = 0; i < self->plan->n_arguments; i++)
    {
      const List *list = &self->lists[i];

      kvsql_vector_set (&self->batch->columns[i], row,
                        self->n_given < list->n ? &list->values[self->n_given] : &KVSQL_VALUE_NULL);
    }
  self->batch->n_rows++;
}

static gboolean
fill_row (Source *self, guint row, GError **error)
{
  guint before = self->batch->n_rows;

  self->is_end = self->is_end || (self->plan->series == NULL && self->n_given >= self->n_rows);
  if (self->is_end)
    return TRUE;
  if (self->plan->series != NULL)
    {
      if (!fill_series (self, row, error))
        return FALSE;
    }
  else if (self->plan->row_function != NULL)
    fill_row_function (self, row);
  else
    fill_lists (self, row);
  if (self->batch->n_rows == before)
    return TRUE;
  self->n_given++;
  if (self->plan->has_ordinality)
    {
      const KvsqlValue number = { .type = KVSQL_TYPE_BIGINT, .integer = self->n_given };

      kvsql_vector_set (&self->batch->columns[self->plan->n_columns], row, &number);
    }
  return TRUE;
}

static gboolean
source_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
             KvsqlRowSlice *out, GError **error)
{
  Source *self = (Source *)source;
  KvsqlArena *oldest = self->rows[1];
  guint n = MIN (KVSQL_BATCH_ROWS, MAX (demand->max_rows, 1));

  if (!kvsql_call_check (call, error) || (!self->is_begun && !begin (self, error)))
    return FALSE;
  kvsql_arena_reset (oldest);
  self->rows[1] = self->rows[0];
  self->rows[0] = oldest;
  kvsql_batch_reset (self->batch);
  for (guint row = 0; row < n && !self->is_end; row++)
    if (!fill_row (self, row, error))
      return FALSE;
  kvsql_row_slice_set_batch (out, self->batch);
  return TRUE;
}

static const KvsqlRowSourceClass source_class = { .next = source_next, .free = source_free };

KvsqlRowSource *
kvsql_function_source_new (const KvsqlFunctionPlan *plan)
{
  Source *self = g_new0 (Source, 1);

  self->base.klass = &source_class;
  self->plan = plan;
  self->batch = kvsql_batch_new (plan->types, plan->n_columns + (plan->has_ordinality ? 1 : 0),
                                 KVSQL_BATCH_ROWS);
  self->arena = kvsql_arena_new ();
  self->rows[0] = kvsql_arena_new ();
  self->rows[1] = kvsql_arena_new ();
  return &self->base;
}
