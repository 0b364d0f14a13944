/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * accumulate-moments.c: variances, and regression of pairs.
 *
 * Exact numbers have exact sums, so their variance does not depend on the order of the values, and
 * has PostgreSQL's digits. Reals are accumulated as in PostgreSQL (Youngs and Cramer, "Some Results
 * Relevant to Choice of Sum and Sum-of-Product Algorithms", 1971): the last digits depend on the
 * order.
 */
#include "config.h"

#include "core/base/decimal-sum.h"
#include "core/base/interrupt.h"
#include "core/expr/aggregate-private.h"

#include <math.h>

/* What a KvsqlDecimalSum takes, about. */
#define SUM_BYTES 128

/* ---- variance of exact numbers */

typedef struct
{
  KvsqlDecimalSum *sum, *squares; /* NULL: no values */
  gint64 count;
} Exact;

static void
exact_begin (KvsqlAccumulator *self, Exact *state)
{
  if (state->sum != NULL)
    return;
  state->sum = kvsql_decimal_sum_new ();
  state->squares = kvsql_decimal_sum_new ();
  self->extra_bytes += 2 * SUM_BYTES;
}

static gboolean
exact_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
           const guint32 *groups, guint n, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gboolean is_decimal = values->type == KVSQL_TYPE_DECIMAL;

  for (guint i = 0; i < n; i++)
    {
      guint row;
      Exact *state = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Exact), &row);
      KvsqlSlice value, square;

      if (state == NULL)
        continue;
      kvsql_arena_reset (arena);
      value = is_decimal ? values->slices[row]
                         : kvsql_decimal_from_int64 (values->integers[row], arena);
      if (!kvsql_interrupt_poll (error)
          || !kvsql_decimal_multiply (value, value, arena, &square, error))
        return FALSE;
      exact_begin (self, state);
      state->count += kvsql_accumulator_get_sign (self);
      if (self->is_removing)
        {
          kvsql_decimal_sum_subtract (state->sum, value);
          kvsql_decimal_sum_subtract (state->squares, square);
          continue;
        }
      kvsql_decimal_sum_add (state->sum, value);
      kvsql_decimal_sum_add (state->squares, square);
    }
  return TRUE;
}

static gboolean
exact_merge (KvsqlAccumulator *self, gpointer opaque, gpointer other, GError **error)
{
  Exact *state = opaque, *from = other;

  if (from->count == 0)
    return TRUE;
  exact_begin (self, state);
  kvsql_decimal_sum_merge (state->sum, from->sum);
  kvsql_decimal_sum_merge (state->squares, from->squares);
  state->count += from->count;
  return TRUE;
}

/* (n * squares - sum²) / (n * n), or n * (n - 1) of a sample. */
static gboolean
exact_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
           GError **error)
{
  const Exact *state = opaque;
  KvsqlSlice sum, squares, count, divisor;

  *out = KVSQL_VALUE_NULL;
  if (state->count == 0 || (self->is_sample && state->count == 1))
    return TRUE;
  count = kvsql_decimal_from_int64 (state->count, arena);
  divisor = kvsql_decimal_from_int64 (state->count - (self->is_sample != FALSE), arena);
  if (!kvsql_decimal_sum_get (state->sum, arena, &sum, error)
      || !kvsql_decimal_sum_get (state->squares, arena, &squares, error)
      || !kvsql_decimal_multiply (sum, sum, arena, &sum, error)
      || !kvsql_decimal_multiply (squares, count, arena, &squares, error)
      || !kvsql_decimal_subtract (squares, sum, arena, &sum, error)
      || !kvsql_decimal_multiply (divisor, count, arena, &divisor, error))
    return FALSE;
  out->type = KVSQL_TYPE_DECIMAL;
  return self->is_root ? kvsql_decimal_divide_root (sum, divisor, arena, &out->bytes, error)
                       : kvsql_decimal_divide (sum, divisor, arena, &out->bytes, error);
}

static void
exact_clear (gpointer opaque)
{
  Exact *state = opaque;

  kvsql_decimal_sum_free (state->sum);
  kvsql_decimal_sum_free (state->squares);
}

const KvsqlAccumulatorClass kvsql_accumulator_variance_exact
    = { sizeof (Exact), exact_add, exact_merge, exact_get, exact_clear, NULL, TRUE };

/* ---- sums of real pairs */

typedef struct
{
  gdouble n, sx, sxx, sy, syy, sxy;
} Pairs;

static gboolean
fail_overflow (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                          "DOUBLE out of range: overflow")
         || kvsql_error_sqlstate (error, "22003");
}

/* Finite values with sums that are not finite are out of range; an infinite value makes them NaN.
 */
static gboolean
check_sums (Pairs *state, gboolean is_finite, GError **error)
{
  gboolean overflows = isinf (state->sx) || isinf (state->sxx) || isinf (state->sy)
                       || isinf (state->syy) || isinf (state->sxy);

  if (!overflows)
    return TRUE;
  if (is_finite)
    return fail_overflow (error);
  if (isinf (state->sxx))
    state->sxx = NAN;
  if (isinf (state->syy))
    state->syy = NAN;
  if (isinf (state->sxy))
    state->sxy = NAN;
  return TRUE;
}

static gboolean
add_pair (Pairs *state, gdouble x, gdouble y, GError **error)
{
  gboolean is_finite = isfinite (x) && isfinite (y) && isfinite (state->sx) && isfinite (state->sy);

  state->n++;
  state->sx += x;
  state->sy += y;
  if (state->n > 1)
    {
      gdouble dx = x * state->n - state->sx, dy = y * state->n - state->sy,
              scale = 1 / (state->n * (state->n - 1));
      state->sxx += dx * dx * scale;
      state->syy += dy * dy * scale;
      state->sxy += dx * dy * scale;
      return check_sums (state, is_finite, error);
    }
  if (!isfinite (x))
    state->sxx = state->sxy = NAN;
  if (!isfinite (y))
    state->syy = state->sxy = NAN;
  return TRUE;
}

static gboolean
pairs_merge (KvsqlAccumulator *self, gpointer opaque, gpointer other, GError **error)
{
  Pairs *state = opaque;
  const Pairs *from = other;
  gboolean is_finite
      = isfinite (state->sx) && isfinite (from->sx) && isfinite (state->sy) && isfinite (from->sy);
  gdouble n = state->n + from->n, dx, dy, scale;

  if (from->n == 0)
    return TRUE;
  if (state->n == 0)
    {
      *state = *from;
      return TRUE;
    }
  dx = state->sx / state->n - from->sx / from->n;
  dy = state->sy / state->n - from->sy / from->n;
  scale = state->n * from->n / n;
  state->n = n;
  state->sx += from->sx;
  state->sy += from->sy;
  state->sxx += from->sxx + dx * dx * scale;
  state->syy += from->syy + dy * dy * scale;
  state->sxy += from->sxy + dx * dy * scale;
  return check_sums (state, is_finite, error);
}

/* ---- variance of reals */

static gboolean
real_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
          const guint32 *groups, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      guint row;
      Pairs *state = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Pairs), &row);

      if (state != NULL && !add_pair (state, values->reals[row], 0, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
real_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
          GError **error)
{
  const Pairs *state = opaque;
  gdouble variance, divisor = state->n - (self->is_sample != FALSE);

  *out = KVSQL_VALUE_NULL;
  if (divisor < 1)
    return TRUE;
  variance = state->sxx / divisor;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE,
                       .real = self->is_root ? sqrt (variance) : variance };
  return TRUE;
}

const KvsqlAccumulatorClass kvsql_accumulator_variance_real
    = { sizeof (Pairs), real_add, pairs_merge, real_get, NULL, NULL };

/* ---- pairs: the first argument is y, the second is x */

static gboolean
pairs_add (KvsqlAccumulator *self, const KvsqlBatch *batch, const guint32 *rows,
           const guint32 *groups, guint n, GError **error)
{
  const KvsqlVector *ys = &batch->columns[self->call.column],
                    *xs = &batch->columns[self->call.second];
  Pairs *states = self->states;

  if (xs->type == KVSQL_TYPE_NULL || ys->type == KVSQL_TYPE_NULL)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      guint row = rows == NULL ? i : rows[i];
      if (!kvsql_vector_is_null (xs, row) && !kvsql_vector_is_null (ys, row)
          && !add_pair (&states[groups[row]], xs->reals[row], ys->reals[row], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_real (gboolean is_null, gdouble real, KvsqlValue *out)
{
  *out = is_null ? KVSQL_VALUE_NULL : (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = real };
  return TRUE;
}

static gboolean
pairs_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
           GError **error)
{
  const Pairs *s = opaque;

  switch (self->regression)
    {
    case KVSQL_REGRESSION_COUNT:
      *out = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = (gint64)s->n };
      return TRUE;
    case KVSQL_REGRESSION_SXX:
      return take_real (s->n < 1, s->sxx, out);
    case KVSQL_REGRESSION_SYY:
      return take_real (s->n < 1, s->syy, out);
    case KVSQL_REGRESSION_SXY:
      return take_real (s->n < 1, s->sxy, out);
    case KVSQL_REGRESSION_AVGX:
      return take_real (s->n < 1, s->sx / s->n, out);
    case KVSQL_REGRESSION_AVGY:
      return take_real (s->n < 1, s->sy / s->n, out);
    case KVSQL_REGRESSION_COVAR_POP:
      return take_real (s->n < 1, s->sxy / s->n, out);
    case KVSQL_REGRESSION_COVAR_SAMP:
      return take_real (s->n < 2, s->sxy / (s->n - 1), out);
    case KVSQL_REGRESSION_CORR:
      return take_real (s->n < 1 || s->sxx == 0 || s->syy == 0, s->sxy / sqrt (s->sxx * s->syy),
                        out);
    case KVSQL_REGRESSION_R2:
      return take_real (s->n < 1 || s->sxx == 0,
                        s->syy == 0 ? 1 : (s->sxy * s->sxy) / (s->sxx * s->syy), out);
    case KVSQL_REGRESSION_SLOPE:
      return take_real (s->n < 1 || s->sxx == 0, s->sxy / s->sxx, out);
    case KVSQL_REGRESSION_INTERCEPT:
      return take_real (s->n < 1 || s->sxx == 0, (s->sy - s->sx * s->sxy / s->sxx) / s->n, out);
    }
  return TRUE;
}

const KvsqlAccumulatorClass kvsql_accumulator_regression
    = { sizeof (Pairs), NULL, pairs_merge, pairs_get, NULL, pairs_add };
