/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * accumulate-interval.c: SUM and AVG of INTERVAL, and of TIME, which counts as an INTERVAL.
 *
 * The three parts are summed apart, and only the result must fit.
 */
#include "config.h"

#include "core/base/duration.h"
#include "core/expr/aggregate-private.h"

typedef struct
{
  gint64 months, days;
  __int128 us;
  gint64 count;
} Interval;

static gboolean
interval_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
              const guint32 *groups, guint n, GError **error)
{
  gint sign = kvsql_accumulator_get_sign (self);

  for (guint i = 0; i < n; i++)
    {
      guint row;
      Interval *state
          = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Interval), &row);
      KvsqlDuration value = { 0 };

      if (state == NULL)
        continue;
      if (values->type == KVSQL_TYPE_TIME)
        value.us = values->integers[row] * 1000;
      else
        value = kvsql_duration_from_text (values->slices[row]);
      state->months += (gint64)value.months * sign;
      state->days += (gint64)value.days * sign;
      state->us += (__int128)value.us * sign;
      state->count += sign;
    }
  return TRUE;
}

static gboolean
interval_merge (KvsqlAccumulator *self, gpointer opaque, gpointer other, GError **error)
{
  Interval *state = opaque;
  const Interval *from = other;

  state->months += from->months;
  state->days += from->days;
  state->us += from->us;
  state->count += from->count;
  return TRUE;
}

static gboolean
interval_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena,
              KvsqlValue *out, GError **error)
{
  const Interval *state = opaque;
  KvsqlDuration sum = { (gint32)state->months, (gint32)state->days, (gint64)state->us };

  *out = KVSQL_VALUE_NULL;
  if (state->count == 0)
    return TRUE;
  if (sum.months != state->months || sum.days != state->days || sum.us != state->us)
    return kvsql_duration_fail_range (error);
  if (self->is_average && !kvsql_duration_divide (&sum, (gdouble)state->count, &sum, error))
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INTERVAL, .bytes = kvsql_duration_to_text (&sum, arena) };
  return TRUE;
}

const KvsqlAccumulatorClass kvsql_accumulator_sum_interval
    = { sizeof (Interval), interval_add, interval_merge, interval_get, NULL, NULL, TRUE };
