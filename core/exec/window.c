/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window.c: computes all calls for a chunk of rows, row by row, and gives the chunk.
 *
 * The columns of the input are given where they are kept, without a copy.
 */
#include "config.h"

#include "core/exec/window.h"

#include "core/exec/window-call.h"

typedef struct
{
  KvsqlRowSource base;
  const KvsqlWindow *window;
  KvsqlWindowRows *rows;
  KvsqlWindowCurrent current;
  KvsqlWindowEvaluator **calls;
  KvsqlKeyPart *order;
  guint64 next_row;
  KvsqlBatch *results; /* one column for each call */
  KvsqlArena *arena;
  KvsqlBatch given; /* the columns of a chunk, and the results */
} Window;

static void
window_free (KvsqlRowSource *source)
{
  Window *self = (Window *)source;

  for (guint i = 0; i < self->window->n_calls; i++)
    kvsql_window_evaluator_free (self->calls[i]);
  g_free (self->calls);
  g_free (self->order);
  g_free (self->given.columns);
  kvsql_window_rows_free (self->rows);
  kvsql_batch_free (self->results);
  kvsql_arena_free (self->arena);
  g_free (self);
}

/* ---- rows */

static gboolean
compute_row (Window *self, guint at, GError **error)
{
  if (!kvsql_window_current_move (&self->current, self->next_row + at, error))
    return FALSE;
  for (guint i = 0; i < self->window->n_calls; i++)
    {
      KvsqlValue value;

      if (!kvsql_window_evaluator_compute (self->calls[i], &self->current, self->arena, &value,
                                           error))
        return FALSE;
      kvsql_vector_set (&self->results->columns[i], at, &value);
    }
  return TRUE;
}

static guint64
find_first_needed (const Window *self)
{
  guint64 first = self->current.row;

  for (guint i = 0; i < self->window->n_calls; i++)
    first = MIN (first, kvsql_window_evaluator_get_first (self->calls[i], &self->current));
  return first;
}

/* The columns of the chunk that begins with @row, and the results. */
static gboolean
set_given (Window *self, guint64 row, guint n, GError **error)
{
  const KvsqlBatch *chunk;
  const KvsqlWindowPlace *places;

  if (!kvsql_window_rows_get (self->rows, row, &chunk, &places, error))
    return FALSE;
  memcpy (self->given.columns, chunk->columns, chunk->n_columns * sizeof (KvsqlVector));
  for (guint i = 0; i < self->window->n_calls; i++)
    self->given.columns[self->window->calls[i].column] = self->results->columns[i];
  self->given.n_rows = self->given.capacity = n;
  return TRUE;
}

static gboolean
window_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
             KvsqlRowSlice *out, GError **error)
{
  Window *self = (Window *)source;
  guint64 first = self->next_row;
  gboolean is_full;
  guint n;

  kvsql_arena_reset (self->arena);
  kvsql_batch_reset (self->results);
  kvsql_window_rows_set_input (self->rows, self->base.input, call);
  if (first > 0)
    kvsql_window_rows_drop (self->rows, find_first_needed (self));
  if (!kvsql_window_rows_read (self->rows, first + KVSQL_BATCH_ROWS - 1, &is_full, error))
    return FALSE;
  n = (guint)MIN (KVSQL_BATCH_ROWS, kvsql_window_rows_get_n_known (self->rows) - first);
  kvsql_window_rows_pin (self->rows, first);
  for (guint i = 0; i < self->window->n_calls; i++)
    kvsql_window_evaluator_begin_batch (self->calls[i]);
  for (guint i = 0; i < n; i++)
    if ((i % 64 == 0 && !kvsql_call_check (call, error)) || !compute_row (self, i, error))
      return FALSE;
  if (n > 0 && !set_given (self, first, n, error))
    return FALSE;
  self->given.n_rows = n;
  self->next_row += n;
  kvsql_row_slice_set_batch (out, &self->given);
  return TRUE;
}

static const KvsqlRowSourceClass window_class
    = { .next = window_next, .free = window_free, .shares_values = TRUE };

/* ---- the operator */

static KvsqlKeyPart *
parts_of (const KvsqlSortKey *keys, guint n)
{
  KvsqlKeyPart *parts = g_new (KvsqlKeyPart, n + 1);

  for (guint i = 0; i < n; i++)
    parts[i] = (KvsqlKeyPart){ keys[i].column, keys[i].is_descending, keys[i].nulls_first };
  return parts;
}

static void
make_results (Window *self)
{
  const KvsqlWindow *window = self->window;
  g_autofree KvsqlType *types = g_new (KvsqlType, window->n_calls + 1);

  for (guint i = 0; i < window->n_calls; i++)
    types[i] = window->calls[i].type;
  self->results = kvsql_batch_new (types, window->n_calls, KVSQL_BATCH_ROWS);
}

KvsqlRowSource *
kvsql_window_new (KvsqlRowSource *input, const KvsqlType *types, guint n_types,
                  const KvsqlWindow *window, const KvsqlSortLimits *limits)
{
  Window *self = g_new0 (Window, 1);
  g_autofree KvsqlKeyPart *partition = parts_of (window->partition, window->n_partition);

  self->base.klass = &window_class;
  self->base.input = input;
  self->window = window;
  self->order = parts_of (window->order, window->n_order);
  self->rows = kvsql_window_rows_new (types, n_types, partition, window->n_partition, self->order,
                                      window->n_order, limits);
  self->current.rows = self->rows;
  self->current.has_order = window->n_order > 0;
  self->calls = g_new (KvsqlWindowEvaluator *, window->n_calls + 1);
  for (guint i = 0; i < window->n_calls; i++)
    self->calls[i]
        = kvsql_window_evaluator_new (&window->calls[i], window->n_order > 0 ? self->order : NULL);
  make_results (self);
  self->arena = kvsql_arena_new ();
  self->given.n_columns = n_types;
  self->given.columns = g_new0 (KvsqlVector, n_types + 1);
  return &self->base;
}
