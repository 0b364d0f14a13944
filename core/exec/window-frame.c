/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-frame.c: both bounds only move forwards within a partition.
 *
 * RANGE with an offset compares as PostgreSQL does: NULL is a peer of NULL only, NaN of NaN, and
 * integers do not overflow.
 */
#include "config.h"

#include "core/exec/window-frame.h"

#include "core/base/decimal.h"
#include "core/base/duration.h"
#include "core/base/interrupt.h"

#include <math.h>

/* A bound of the current row that is found by a comparison with each row that it passes. */
typedef struct
{
  const KvsqlWindowFrame *frame;
  guint64 group;      /* GROUPS: that of the first row after the bound */
  gboolean is_end;    /* of the frame */
  gboolean is_null;   /* RANGE: the current value */
  gboolean is_less;   /* RANGE: rows up to the limit are in the frame, else rows from it on */
  gboolean is_open;   /* RANGE: all numbers are in the frame: infinity - infinity */
  __int128 integer;   /* RANGE: the limit, by its type */
  gdouble real, base; /* base: the current value */
  KvsqlSlice decimal;
} Bound;

void
kvsql_window_frame_init (KvsqlWindowFrame *self, const KvsqlFrame *frame, const KvsqlKeyPart *order)
{
  *self = (KvsqlWindowFrame){ .frame = frame, .arena = kvsql_arena_new () };
  if (order != NULL)
    self->order = *order;
}

void
kvsql_window_frame_clear (KvsqlWindowFrame *self)
{
  g_clear_pointer (&self->arena, kvsql_arena_free);
}

/* ---- RANGE with an offset */

static __int128
total_of (KvsqlSlice interval)
{
  KvsqlDuration duration = kvsql_duration_from_text (interval);

  return kvsql_duration_get_total (&duration);
}

static gint
order_of (__int128 a, __int128 b)
{
  return (a > b) - (a < b);
}

static gboolean
is_in_range (const Bound *bound, const KvsqlVector *values, guint index)
{
  gdouble real;
  gint order;

  switch (kvsql_type_get_class (values->type))
    {
    case KVSQL_CLASS_INTEGER:
      return bound->is_less ? values->integers[index] <= bound->integer
                            : values->integers[index] >= bound->integer;
    case KVSQL_CLASS_REAL:
      real = values->reals[index];
      if (isnan (real))
        return isnan (bound->base) || !bound->is_less;
      if (isnan (bound->base))
        return bound->is_less;
      return bound->is_open || (bound->is_less ? real <= bound->real : real >= bound->real);
    default:
      order = values->type == KVSQL_TYPE_INTERVAL
                  ? order_of (total_of (values->slices[index]), bound->integer)
                  : kvsql_decimal_compare (values->slices[index], bound->decimal);
      return bound->is_less ? order <= 0 : order >= 0;
    }
}

/* Whether the bound moves past the row. */
static gboolean
passes_value (const Bound *bound, const KvsqlBatch *batch, guint index)
{
  const KvsqlVector *values = &batch->columns[bound->frame->order.column];
  gboolean is_null = kvsql_vector_is_null (values, index);

  if (is_null == bound->is_null && is_null)
    return bound->is_end;
  if (is_null != bound->is_null)
    /* the row is before the current one if it is the NULL, and NULLs are first */
    return is_null == (bound->frame->order.nulls_first != FALSE);
  return is_in_range (bound, values, index) == (bound->is_end != FALSE);
}

/* The limit of a time is a time, as the months before it have different lengths. */
static gboolean
move_by_interval (Bound *out, const KvsqlVector *values, guint index, KvsqlSlice offset,
                  gboolean is_subtracted, GError **error)
{
  KvsqlDuration by = kvsql_duration_from_text (offset);
  gint64 unit = values->type == KVSQL_TYPE_DATE ? KVSQL_MS_PER_DAY : 1, ms;

  if (is_subtracted && !kvsql_duration_negate (&by, &by, error))
    return FALSE;
  if (values->type == KVSQL_TYPE_INTERVAL)
    out->integer = total_of (values->slices[index]) + kvsql_duration_get_total (&by);
  else if (values->type == KVSQL_TYPE_TIME)
    out->integer = (__int128)values->integers[index] + kvsql_us_to_ms (by.us);
  else if (kvsql_duration_move_time (&by, values->integers[index] * unit, &ms))
    /* of days, those that are not after the limit, or not before it */
    out->integer = unit == 1      ? ms
                   : out->is_less ? kvsql_day_of_time (ms)
                                  : -(__int128)kvsql_day_of_time (-ms);
  else
    return kvsql_duration_fail_range (error);
  return TRUE;
}

static gboolean
compute_limit (Bound *out, const KvsqlVector *values, guint index, const KvsqlValue *offset,
               gboolean is_subtracted, KvsqlArena *arena, GError **error)
{
  if (offset->type == KVSQL_TYPE_INTERVAL)
    return move_by_interval (out, values, index, offset->bytes, is_subtracted, error);
  switch (kvsql_type_get_class (values->type))
    {
    case KVSQL_CLASS_INTEGER:
      out->integer = values->integers[index] + (__int128)offset->integer * (is_subtracted ? -1 : 1);
      return TRUE;
    case KVSQL_CLASS_REAL:
      out->base = values->reals[index];
      out->real = out->base + (is_subtracted ? -offset->real : offset->real);
      out->is_open = isinf (offset->real) && isinf (out->base)
                     && (is_subtracted ? out->base > 0 : out->base < 0);
      return TRUE;
    default:
      return is_subtracted ? kvsql_decimal_subtract (values->slices[index], offset->bytes, arena,
                                                     &out->decimal, error)
                           : kvsql_decimal_add (values->slices[index], offset->bytes, arena,
                                                &out->decimal, error);
    }
}

static gboolean
find_limit (const KvsqlWindowFrame *self, KvsqlWindowCurrent *current, KvsqlFrameBound kind,
            const KvsqlValue *offset, Bound *out, GError **error)
{
  guint index = current->row % KVSQL_BATCH_ROWS;
  const KvsqlBatch *batch;
  const KvsqlWindowPlace *places;
  const KvsqlVector *values;

  if (!kvsql_window_rows_get (current->rows, current->row, &batch, &places, error))
    return FALSE;
  values = &batch->columns[self->order.column];
  out->is_null = kvsql_vector_is_null (values, index);
  out->is_less = (out->is_end != FALSE) != (self->order.is_descending != FALSE);
  return out->is_null
         || compute_limit (out, values, index, offset,
                           (kind == KVSQL_BOUND_PRECEDING) != (self->order.is_descending != FALSE),
                           self->arena, error);
}

/* ---- bounds that pass rows */

static gboolean
passes (const Bound *bound, const KvsqlBatch *batch, const KvsqlWindowPlace *places, guint index)
{
  return bound->frame->frame->mode == KVSQL_FRAME_GROUPS ? places[index].group < bound->group
                                                         : passes_value (bound, batch, index);
}

/* Moves *inout forwards to the first row that the bound does not pass, or to the end. */
static gboolean
advance (const Bound *bound, KvsqlWindowCurrent *current, guint64 *inout, GError **error)
{
  for (;;)
    {
      const KvsqlBatch *batch;
      const KvsqlWindowPlace *places;
      guint index = *inout % KVSQL_BATCH_ROWS;
      gboolean any;

      if (!kvsql_interrupt_poll (error)
          || !kvsql_window_rows_read (current->rows, *inout, &any, error))
        return FALSE;
      if (!any)
        return TRUE;
      if (!kvsql_window_rows_get (current->rows, *inout, &batch, &places, error))
        return FALSE;
      if (places[index].partition != current->place.partition
          || !passes (bound, batch, places, index))
        return TRUE;
      ++*inout;
    }
}

/* GROUPS: the first group that the bound does not pass. */
static guint64
find_group (guint64 group, KvsqlFrameBound kind, guint64 offset, gboolean is_end)
{
  if (kind == KVSQL_BOUND_FOLLOWING)
    return group + offset + (is_end ? 1 : 0);
  return group + (is_end ? 1 : 0) < offset ? 0 : group + (is_end ? 1 : 0) - offset;
}

static gboolean
move_by_offset (KvsqlWindowFrame *self, KvsqlWindowCurrent *current, gboolean is_end,
                guint64 *inout, GError **error)
{
  KvsqlFrameBound kind = is_end ? self->frame->end : self->frame->start;
  const KvsqlValue *offset = is_end ? &self->frame->end_offset : &self->frame->start_offset;
  Bound bound = { .frame = self, .is_end = is_end };

  if (self->frame->mode == KVSQL_FRAME_GROUPS)
    bound.group = find_group (current->place.group, kind, offset->integer, is_end);
  else if (!find_limit (self, current, kind, offset, &bound, error))
    return FALSE;
  return advance (&bound, current, inout, error);
}

/* ROWS: the row that is @offset rows away, or after it, but within the partition. */
static gboolean
find_row (KvsqlWindowCurrent *current, KvsqlFrameBound kind, guint64 offset, gboolean is_end,
          guint64 *out, GError **error)
{
  guint64 row = current->row + (is_end ? 1 : 0);
  gboolean is_inside;

  if (kind == KVSQL_BOUND_PRECEDING)
    {
      *out = row - current->place.partition < offset ? current->place.partition : row - offset;
      return TRUE;
    }
  *out = row + offset;
  if (offset == 0)
    return TRUE;
  if (!kvsql_window_current_has (current, *out - 1, &is_inside, error))
    return FALSE;
  return is_inside || kvsql_window_current_find_end (current, out, error);
}

/* ---- the frame */

static gboolean
move_bound (KvsqlWindowFrame *self, KvsqlWindowCurrent *current, gboolean is_end, guint64 *inout,
            GError **error)
{
  const KvsqlFrame *frame = self->frame;
  KvsqlFrameBound kind = is_end ? frame->end : frame->start;
  const KvsqlValue *offset = is_end ? &frame->end_offset : &frame->start_offset;

  switch (kind)
    {
    case KVSQL_BOUND_FIRST:
      *inout = current->place.partition;
      return TRUE;
    case KVSQL_BOUND_LAST:
      return kvsql_window_current_find_end (current, inout, error);
    case KVSQL_BOUND_CURRENT:
      if (frame->mode != KVSQL_FRAME_ROWS && is_end)
        return kvsql_window_current_find_peers_end (current, inout, error);
      *inout = frame->mode != KVSQL_FRAME_ROWS ? current->place.peers
                                               : current->row + (is_end ? 1 : 0);
      return TRUE;
    default:
      return frame->mode == KVSQL_FRAME_ROWS
                 ? find_row (current, kind, offset->integer, is_end, inout, error)
                 : move_by_offset (self, current, is_end, inout, error);
    }
}

/* Divides the frame at the rows that are excluded. */
static gboolean
exclude (KvsqlWindowFrame *self, KvsqlWindowCurrent *current, GError **error)
{
  KvsqlFrameExclusion exclusion = self->frame->exclusion;
  guint64 start = self->start, end = MAX (self->start, self->end), from = end, to = end, row = end;

  if (exclusion == KVSQL_EXCLUDE_ROW)
    {
      from = current->row;
      to = from + 1;
    }
  else if (exclusion != KVSQL_EXCLUDE_NOTHING)
    {
      from = current->place.peers;
      if (!kvsql_window_current_find_peers_end (current, &to, error))
        return FALSE;
    }
  from = CLAMP (from, start, end);
  to = CLAMP (to, start, end);
  row = CLAMP (current->row, start, end);
  self->spans[0] = (KvsqlRowSpan){ start, from };
  self->spans[1] = (KvsqlRowSpan){ row, row };
  self->spans[2] = (KvsqlRowSpan){ to, end };
  if (exclusion == KVSQL_EXCLUDE_TIES && row == current->row && row < end)
    self->spans[1].to = row + 1;
  return TRUE;
}

gboolean
kvsql_window_frame_move (KvsqlWindowFrame *self, KvsqlWindowCurrent *current, GError **error)
{
  if (!self->has_partition || self->partition != current->place.partition)
    {
      self->has_partition = TRUE;
      self->partition = self->start = self->end = current->place.partition;
    }
  kvsql_arena_reset (self->arena);
  return move_bound (self, current, FALSE, &self->start, error)
         && move_bound (self, current, TRUE, &self->end, error) && exclude (self, current, error);
}
