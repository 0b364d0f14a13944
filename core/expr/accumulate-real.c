/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * accumulate-real.c: exact SUM and AVG of reals.
 *
 * A sum is a list of non-overlapping numbers (Shewchuk, "Adaptive Precision Floating-Point
 * Arithmetic and Fast Robust Geometric Predicates", 1997), and is rounded once. So it does not
 * depend on the order of the values, which differs between layouts.
 */
#include "config.h"

#include "core/expr/aggregate-private.h"

#include <float.h>
#include <math.h>

#define FEW 4

typedef struct
{
  guint n_parts;
  guint capacity; /* of @many; 0: they are in @few */
  union
  {
    gdouble few[FEW]; /* ascending in magnitude */
    gdouble *many;
  };
  gint64 count;
  /* the numbers of values that are not finite */
  gint64 n_nan;
  gint64 n_infinite[2]; /* positive, negative */
} Exact;

static gdouble *
parts_of (Exact *state)
{
  return state->capacity == 0 ? state->few : state->many;
}

static void
push (KvsqlAccumulator *self, Exact *state, gdouble part)
{
  if (state->n_parts == MAX (state->capacity, FEW))
    {
      guint capacity = state->n_parts * 2;
      gdouble *many = g_new (gdouble, capacity);
      memcpy (many, parts_of (state), state->n_parts * sizeof (gdouble));
      if (state->capacity > 0)
        g_free (state->many);
      self->extra_bytes += (capacity - state->capacity) * sizeof (gdouble);
      state->many = many;
      state->capacity = capacity;
    }
  parts_of (state)[state->n_parts++] = part;
}

/* FALSE if the sum is too large. */
static gboolean
add_exactly (KvsqlAccumulator *self, Exact *state, gdouble value)
{
  gdouble *parts = parts_of (state);
  guint n_parts = state->n_parts, kept = 0;

  for (guint i = 0; i < n_parts; i++)
    {
      volatile gdouble sum, larger, rest;
      gdouble part = parts[i];

      if (fabs (value) < fabs (part))
        {
          gdouble held = value;
          value = part;
          part = held;
        }
      sum = value + part;
      larger = sum - value;
      rest = part - larger;
      if (rest != 0)
        parts[kept++] = rest;
      value = sum;
    }
  state->n_parts = kept;
  if (!isfinite (value))
    return FALSE;
  if (value != 0)
    push (self, state, value);
  return TRUE;
}

static gboolean
exact_overflows (const KvsqlAccumulator *self, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "%s out of range in %s",
                          kvsql_type_get_name (self->type), self->is_average ? "avg" : "sum")
         || kvsql_error_sqlstate (error, "22003");
}

static gboolean
exact_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
           const guint32 *groups, guint n, GError **error)
{
  gint sign = kvsql_accumulator_get_sign (self);
  gboolean overflows = FALSE;

  for (guint i = 0; i < n; i++)
    {
      guint row;
      Exact *state = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Exact), &row);

      if (state == NULL)
        continue;
      gdouble value = values->reals[row];

      state->count += sign;
      if (isfinite (value))
        overflows |= !add_exactly (self, state, sign * value);
      else if (isnan (value))
        state->n_nan += sign;
      else
        state->n_infinite[value < 0] += sign;
    }
  return !overflows || exact_overflows (self, error);
}

static gboolean
exact_merge (KvsqlAccumulator *self, gpointer opaque, gpointer other, GError **error)
{
  Exact *state = opaque, *from = other;
  const gdouble *parts = parts_of (from);
  gboolean overflows = FALSE;

  for (guint i = 0; i < from->n_parts; i++)
    overflows |= !add_exactly (self, state, parts[i]);
  state->count += from->count;
  state->n_nan += from->n_nan;
  state->n_infinite[0] += from->n_infinite[0];
  state->n_infinite[1] += from->n_infinite[1];
  return !overflows || exact_overflows (self, error);
}

/* The sum of the parts, rounded half to even. */
static gdouble
round_once (const Exact *state)
{
  const gdouble *parts = state->capacity == 0 ? state->few : state->many;
  guint n = state->n_parts;
  volatile gdouble sum = 0, rest = 0;

  if (n > 0)
    sum = parts[--n];
  while (n > 0)
    {
      gdouble before = sum, part = parts[--n];
      volatile gdouble added;

      sum = before + part;
      added = sum - before;
      rest = part - added;
      if (rest != 0)
        break;
    }
  /* a tie was rounded without the lower parts: now they decide */
  if (n > 0 && ((rest < 0 && parts[n - 1] < 0) || (rest > 0 && parts[n - 1] > 0)))
    {
      volatile gdouble twice = rest * 2, next = sum + twice, difference = next - sum;
      if (difference == twice)
        sum = next;
    }
  return sum;
}

/* With values that are not finite, the others do not matter. */
static gdouble
sum_of (const Exact *state)
{
  if (state->n_nan > 0 || (state->n_infinite[0] > 0 && state->n_infinite[1] > 0))
    return NAN;
  if (state->n_infinite[0] > 0)
    return INFINITY;
  return state->n_infinite[1] > 0 ? -INFINITY : round_once (state);
}

static gboolean
exact_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
           GError **error)
{
  const Exact *state = opaque;
  gdouble sum;

  *out = KVSQL_VALUE_NULL;
  if (state->count == 0)
    return TRUE;
  sum = sum_of (state);
  if (self->is_average)
    sum /= (gdouble)state->count;
  if (self->type == KVSQL_TYPE_FLOAT)
    {
      if (isfinite (sum) && !isfinite ((gfloat)sum))
        return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                                "FLOAT out of range in sum")
               || kvsql_error_sqlstate (error, "22003");
      sum = (gfloat)sum;
    }
  *out = (KvsqlValue){ .type = self->type, .real = sum };
  return TRUE;
}

static void
exact_clear (gpointer opaque)
{
  Exact *state = opaque;

  if (state->capacity > 0)
    g_free (state->many);
}

const KvsqlAccumulatorClass kvsql_accumulator_sum_real
    = { sizeof (Exact), exact_add, exact_merge, exact_get, exact_clear, NULL, TRUE };
