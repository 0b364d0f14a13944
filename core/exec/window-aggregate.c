/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-aggregate.c: from frame to frame, rows that come in are added, and rows that go out are
 * removed.
 *
 * A frame is up to three spans, whose bounds only move forwards, so each row is added and removed
 * three times at most: the time is linear. If the aggregate cannot remove values, and a row goes
 * out, the frame is aggregated again; the time is then the sum of the sizes of the frames.
 */
#include "config.h"

#include "core/exec/window-aggregate.h"

#include "core/base/interrupt.h"

struct _KvsqlWindowAggregate
{
  const KvsqlAggregate *call;
  KvsqlAccumulator *accumulator;
  gboolean has_partition;
  guint64 partition;
  KvsqlRowSpan spans[KVSQL_FRAME_SPANS]; /* what is in the accumulator */
  gboolean has_result;                   /* of these spans */
  KvsqlValue result;
  guint32 filtered[KVSQL_BATCH_ROWS];
};

/* All rows belong to group 0. */
static const guint32 groups[KVSQL_BATCH_ROWS];

KvsqlWindowAggregate *
kvsql_window_aggregate_new (const KvsqlAggregate *call)
{
  KvsqlWindowAggregate *self = g_new0 (KvsqlWindowAggregate, 1);

  self->call = call;
  self->accumulator = kvsql_accumulator_new (call);
  kvsql_accumulator_reserve (self->accumulator, 1);
  return self;
}

void
kvsql_window_aggregate_free (KvsqlWindowAggregate *self)
{
  if (self == NULL)
    return;
  kvsql_accumulator_free (self->accumulator);
  g_free (self);
}

void
kvsql_window_aggregate_forget_result (KvsqlWindowAggregate *self)
{
  self->has_result = FALSE;
}

guint64
kvsql_window_aggregate_get_first (const KvsqlWindowAggregate *self)
{
  return self->spans[0].from;
}

/* ---- rows */

static const guint32 *
filter_rows (KvsqlWindowAggregate *self, const KvsqlBatch *batch, const guint32 *rows,
             guint *inout_n)
{
  const KvsqlVector *condition = &batch->columns[self->call->filter];
  guint n = 0;

  for (guint i = 0; i < *inout_n; i++)
    {
      self->filtered[n] = rows[i];
      n += !kvsql_vector_is_null (condition, rows[i]) && condition->booleans[rows[i]];
    }
  *inout_n = n;
  return self->filtered;
}

/* Adds or removes rows @from to @to, not including @to. */
static gboolean
change (KvsqlWindowAggregate *self, KvsqlWindowRows *source, guint64 from, guint64 to,
        gboolean is_removed, GError **error)
{
  while (from < to)
    {
      guint first = from % KVSQL_BATCH_ROWS, n = MIN (KVSQL_BATCH_ROWS - first, to - from);
      const guint32 *rows = kvsql_row_numbers () + first;
      const KvsqlBatch *batch;
      const KvsqlWindowPlace *places;

      if (!kvsql_interrupt_poll (error)
          || !kvsql_window_rows_get (source, from, &batch, &places, error))
        return FALSE;
      from += n;
      if (self->call->has_filter)
        rows = filter_rows (self, batch, rows, &n);
      if (!(is_removed ? kvsql_accumulator_remove (self->accumulator, batch, rows, groups, n, error)
                       : kvsql_accumulator_add (self->accumulator, batch, rows, groups, n, error)))
        return FALSE;
    }
  return TRUE;
}

/* ---- spans */

/* Whether rows go out. */
static gboolean
loses_rows (const KvsqlRowSpan *before, const KvsqlRowSpan *after)
{
  return before->from < before->to && after->from > before->from;
}

static gboolean
move_span (KvsqlWindowAggregate *self, KvsqlWindowRows *rows, KvsqlRowSpan *inout,
           const KvsqlRowSpan *to, GError **error)
{
  KvsqlRowSpan before = *inout;

  g_assert (to->from >= before.from && to->to >= before.to);
  *inout = *to;
  return change (self, rows, before.from, MIN (before.to, to->from), TRUE, error)
         && change (self, rows, MAX (before.to, to->from), to->to, FALSE, error);
}

static void
begin_partition (KvsqlWindowAggregate *self, guint64 partition)
{
  kvsql_accumulator_reset (self->accumulator);
  self->has_partition = TRUE;
  self->partition = partition;
  for (guint i = 0; i < KVSQL_FRAME_SPANS; i++)
    self->spans[i] = (KvsqlRowSpan){ partition, partition };
  self->has_result = FALSE;
}

static gboolean
move_spans (KvsqlWindowAggregate *self, const KvsqlWindowFrame *frame, KvsqlWindowCurrent *current,
            GError **error)
{
  gboolean loses = FALSE;

  for (guint i = 0; i < KVSQL_FRAME_SPANS; i++)
    {
      loses = loses || loses_rows (&self->spans[i], &frame->spans[i]);
      self->has_result = self->has_result && self->spans[i].from == frame->spans[i].from
                         && self->spans[i].to == frame->spans[i].to;
    }
  if (loses && !kvsql_accumulator_can_remove (self->accumulator))
    {
      begin_partition (self, self->partition);
      for (guint i = 0; i < KVSQL_FRAME_SPANS; i++)
        self->spans[i] = (KvsqlRowSpan){ frame->spans[i].from, frame->spans[i].from };
    }
  for (guint i = 0; i < KVSQL_FRAME_SPANS; i++)
    if (!move_span (self, current->rows, &self->spans[i], &frame->spans[i], error))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_window_aggregate_compute (KvsqlWindowAggregate *self, const KvsqlWindowFrame *frame,
                                KvsqlWindowCurrent *current, KvsqlArena *arena, KvsqlValue *out,
                                GError **error)
{
  if (!self->has_partition || self->partition != current->place.partition)
    begin_partition (self, current->place.partition);
  if (!move_spans (self, frame, current, error))
    return FALSE;
  if (!self->has_result
      && !kvsql_accumulator_get (self->accumulator, 0, arena, &self->result, error))
    return FALSE;
  self->has_result = TRUE;
  *out = self->result;
  return TRUE;
}
