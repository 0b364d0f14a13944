/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * accumulate-minmax.c: MIN and MAX.
 */
#include "config.h"

#include "core/base/decimal.h"
#include "core/base/duration.h"
#include "core/expr/aggregate-private.h"

#include <math.h>

/* ---- integers, times, BOOLEAN */

typedef struct
{
  gint64 value;
  gboolean has_value;
} Integer;

static inline void
take_integer (Integer *state, gint64 value, gboolean is_maximum)
{
  if (!state->has_value || (is_maximum ? value > state->value : value < state->value))
    *state = (Integer){ value, TRUE };
}

static gboolean
integer_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
             const guint32 *groups, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      guint row;
      Integer *state
          = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Integer), &row);

      if (state != NULL)
        take_integer (state,
                      values->type == KVSQL_TYPE_BOOLEAN ? values->booleans[row]
                                                         : values->integers[row],
                      self->is_maximum);
    }
  return TRUE;
}

static gboolean
integer_merge (KvsqlAccumulator *self, gpointer state, gpointer other, GError **error)
{
  const Integer *from = other;

  if (from->has_value)
    take_integer (state, from->value, self->is_maximum);
  return TRUE;
}

static gboolean
integer_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
             GError **error)
{
  const Integer *state = opaque;

  *out = KVSQL_VALUE_NULL;
  if (!state->has_value)
    return TRUE;
  out->type = self->type;
  if (self->type == KVSQL_TYPE_BOOLEAN)
    out->boolean = state->value != 0;
  else
    out->integer = state->value;
  return TRUE;
}

const KvsqlAccumulatorClass kvsql_accumulator_minmax_integer
    = { sizeof (Integer), integer_add, integer_merge, integer_get, NULL, NULL };

/* ---- reals: NaN is the greatest; of 0 and -0, which are equal, MIN takes -0 and MAX 0 */

typedef struct
{
  gdouble value;
  gboolean has_value;
} Real;

static gboolean
is_less (gdouble a, gdouble b)
{
  if (isnan (a) || isnan (b))
    return !isnan (a);
  return a < b || (a == b && signbit (a) && !signbit (b));
}

static inline void
take_real (Real *state, gdouble value, gboolean is_maximum)
{
  if (!state->has_value
      || (is_maximum ? is_less (state->value, value) : is_less (value, state->value)))
    *state = (Real){ value, TRUE };
}

static gboolean
real_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
          const guint32 *groups, guint n, GError **error)
{
  gboolean is_maximum = self->is_maximum;

  for (guint i = 0; i < n; i++)
    {
      guint row;
      Real *state = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Real), &row);

      if (state != NULL)
        take_real (state, values->reals[row], is_maximum);
    }
  return TRUE;
}

static gboolean
real_merge (KvsqlAccumulator *self, gpointer state, gpointer other, GError **error)
{
  const Real *from = other;

  if (from->has_value)
    take_real (state, from->value, self->is_maximum);
  return TRUE;
}

static gboolean
real_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
          GError **error)
{
  const Real *state = opaque;

  *out = state->has_value ? (KvsqlValue){ .type = self->type, .real = state->value }
                          : KVSQL_VALUE_NULL;
  return TRUE;
}

const KvsqlAccumulatorClass kvsql_accumulator_minmax_real
    = { sizeof (Real), real_add, real_merge, real_get, NULL, NULL };

/* ---- text, bytes, DECIMAL: a copy of the best so far */

typedef struct
{
  guint8 *data;
  gsize size;
  gsize capacity;
  gboolean has_value;
} Slice;

static void
keep_slice (KvsqlAccumulator *self, Slice *state, KvsqlSlice value)
{
  if (value.size > state->capacity || state->data == NULL)
    {
      gsize capacity = MAX (value.size + value.size / 2, 16);
      self->extra_bytes += capacity - state->capacity;
      g_free (state->data);
      state->data = g_malloc (capacity);
      state->capacity = capacity;
    }
  if (value.size > 0)
    memcpy (state->data, value.data, value.size);
  state->size = value.size;
  state->has_value = TRUE;
}

/* Of equal intervals, the text decides, so that the order of the values does not. */
static gint
compare_intervals (KvsqlSlice a, KvsqlSlice b)
{
  gint order = kvsql_duration_compare_texts (a, b);

  return order != 0 ? order : kvsql_slice_compare (a, b);
}

static void
take_slice (KvsqlAccumulator *self, Slice *state, KvsqlSlice value)
{
  KvsqlSlice best = kvsql_slice (state->data, state->size);
  gint order = 0;

  if (state->has_value)
    order = self->type == KVSQL_TYPE_INTERVAL ? compare_intervals (value, best)
                                              : kvsql_type_compare_slices (self->type, value, best);
  if (!state->has_value || (self->is_maximum ? order > 0 : order < 0))
    keep_slice (self, state, value);
}

static gboolean
slice_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
           const guint32 *groups, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      guint row;
      Slice *state = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Slice), &row);

      if (state != NULL)
        take_slice (self, state, values->slices[row]);
    }
  return TRUE;
}

static gboolean
slice_merge (KvsqlAccumulator *self, gpointer state, gpointer other, GError **error)
{
  const Slice *from = other;

  if (from->has_value)
    take_slice (self, state, kvsql_slice (from->data, from->size));
  return TRUE;
}

static gboolean
slice_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
           GError **error)
{
  const Slice *state = opaque;

  *out = KVSQL_VALUE_NULL;
  if (!state->has_value)
    return TRUE;
  out->type = self->type;
  out->bytes = kvsql_slice_dup (arena, kvsql_slice (state->data, state->size));
  return TRUE;
}

static void
slice_clear (gpointer opaque)
{
  Slice *state = opaque;

  g_free (state->data);
}

const KvsqlAccumulatorClass kvsql_accumulator_minmax_slice
    = { sizeof (Slice), slice_add, slice_merge, slice_get, slice_clear, NULL };
