/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * accumulate-sum.c: SUM and AVG of exact numbers.
 *
 * INT is summed as BIGINT. BIGINT, and integers of an AVG, are summed in 128 bits, which is enough
 * for any possible number of values. DECIMAL is summed as a GMP integer and a scale.
 */
#include "config.h"

#include "core/base/decimal-sum.h"
#include "core/expr/aggregate-private.h"

/* ---- INT */

typedef struct
{
  gint64 sum;
  gint64 count;
} Small;

static gboolean
small_overflows (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "BIGINT out of range in sum")
         || kvsql_error_sqlstate (error, "22003");
}

static gboolean
small_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
           const guint32 *groups, guint n, GError **error)
{
  gint sign = kvsql_accumulator_get_sign (self);
  gboolean overflows = FALSE;

  for (guint i = 0; i < n; i++)
    {
      guint row;
      Small *state = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Small), &row);

      if (state == NULL)
        continue;
      /* an INT has a negation in 64 bits */
      overflows |= __builtin_add_overflow (state->sum, sign * values->integers[row], &state->sum);
      state->count += sign;
    }
  return !overflows || small_overflows (error);
}

static gboolean
small_merge (KvsqlAccumulator *self, gpointer opaque, gpointer other, GError **error)
{
  Small *state = opaque;
  const Small *from = other;

  gint64 sum; /* gcc 12 reads an operand again after it has written the result over it */

  state->count += from->count;
  if (__builtin_add_overflow (state->sum, from->sum, &sum))
    return small_overflows (error);
  state->sum = sum;
  return TRUE;
}

static gboolean
small_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
           GError **error)
{
  const Small *state = opaque;

  *out = state->count > 0 ? (KvsqlValue){ .type = self->type, .integer = state->sum }
                          : KVSQL_VALUE_NULL;
  return TRUE;
}

const KvsqlAccumulatorClass kvsql_accumulator_sum_small
    = { sizeof (Small), small_add, small_merge, small_get, NULL, NULL, TRUE };

/* ---- integers to DECIMAL */

typedef struct
{
  __int128 sum;
  gint64 count;
} Wide;

static gboolean
wide_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
          const guint32 *groups, guint n, GError **error)
{
  gint sign = kvsql_accumulator_get_sign (self);

  for (guint i = 0; i < n; i++)
    {
      guint row;
      Wide *state = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Wide), &row);

      if (state == NULL)
        continue;
      state->sum += (__int128)values->integers[row] * sign;
      state->count += sign;
    }
  return TRUE;
}

static gboolean
wide_merge (KvsqlAccumulator *self, gpointer opaque, gpointer other, GError **error)
{
  Wide *state = opaque;
  const Wide *from = other;

  state->sum += from->sum;
  state->count += from->count;
  return TRUE;
}

static gboolean
finish_sum (const KvsqlAccumulator *self, KvsqlSlice sum, gint64 count, KvsqlArena *arena,
            KvsqlValue *out, GError **error)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DECIMAL, .bytes = sum };
  return !self->is_average || kvsql_decimal_average (sum, count, arena, &out->bytes, error);
}

static KvsqlSlice
wide_text (__int128 number, KvsqlArena *arena)
{
  unsigned __int128 rest = number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;
  gchar digits[48];
  guint at = sizeof digits;

  do
    digits[--at] = (gchar)('0' + (gint)(rest % 10));
  while ((rest /= 10) > 0);
  if (number < 0)
    digits[--at] = '-';
  return kvsql_slice_dup (arena, kvsql_slice (digits + at, sizeof digits - at));
}

static gboolean
wide_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
          GError **error)
{
  const Wide *state = opaque;

  *out = KVSQL_VALUE_NULL;
  return state->count == 0
         || finish_sum (self, wide_text (state->sum, arena), state->count, arena, out, error);
}

const KvsqlAccumulatorClass kvsql_accumulator_sum_wide
    = { sizeof (Wide), wide_add, wide_merge, wide_get, NULL, NULL, TRUE };

/* ---- DECIMAL */

/* The approximate memory of a GMP number. */
#define DECIMAL_COST 128

typedef struct
{
  KvsqlDecimalSum *sum; /* NULL: there was no value yet */
  gint64 count;
} Decimal;

static gboolean
decimal_add (KvsqlAccumulator *self, const KvsqlVector *values, const guint32 *rows,
             const guint32 *groups, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      guint row;
      Decimal *state
          = kvsql_accumulator_find (self, values, rows, groups, i, sizeof (Decimal), &row);

      if (state == NULL)
        continue;
      if (state->sum == NULL)
        {
          state->sum = kvsql_decimal_sum_new ();
          self->extra_bytes += DECIMAL_COST;
        }
      state->count += kvsql_accumulator_get_sign (self);
      if (self->is_removing)
        kvsql_decimal_sum_subtract (state->sum, values->slices[row]);
      else
        kvsql_decimal_sum_add (state->sum, values->slices[row]);
    }
  return TRUE;
}

static gboolean
decimal_merge (KvsqlAccumulator *self, gpointer opaque, gpointer other, GError **error)
{
  Decimal *state = opaque, *from = other;

  if (from->count == 0)
    return TRUE;
  if (state->sum == NULL)
    {
      *state = *from;
      *from = (Decimal){ 0 };
      self->extra_bytes += DECIMAL_COST;
      return TRUE;
    }
  kvsql_decimal_sum_merge (state->sum, from->sum);
  state->count += from->count;
  return TRUE;
}

static gboolean
decimal_get (const KvsqlAccumulator *self, gconstpointer opaque, KvsqlArena *arena, KvsqlValue *out,
             GError **error)
{
  const Decimal *state = opaque;

  *out = KVSQL_VALUE_NULL;
  if (state->count == 0)
    return TRUE;
  out->type = KVSQL_TYPE_DECIMAL;
  if (self->is_average)
    return kvsql_decimal_sum_get_average (state->sum, state->count, arena, &out->bytes, error);
  return kvsql_decimal_sum_get (state->sum, arena, &out->bytes, error);
}

static void
decimal_clear (gpointer opaque)
{
  Decimal *state = opaque;

  kvsql_decimal_sum_free (state->sum);
}

const KvsqlAccumulatorClass kvsql_accumulator_sum_decimal
    = { sizeof (Decimal), decimal_add, decimal_merge, decimal_get, decimal_clear, NULL, TRUE };
