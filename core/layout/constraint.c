/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * constraint.c: interval sets.
 */
#include "config.h"

#include "core/layout/constraint.h"

/* Order of lower bounds: a missing one first, then by value, closed before open. */
static gint
compare_lows (const KvsqlInterval *a, const KvsqlInterval *b)
{
  gint order;

  if (!a->has_low || !b->has_low)
    return (a->has_low != 0) - (b->has_low != 0);
  order = kvsql_value_compare (&a->low, &b->low);
  return order != 0 ? order : (a->low_is_open != 0) - (b->low_is_open != 0);
}

static gint
compare_highs (const KvsqlInterval *a, const KvsqlInterval *b)
{
  gint order;

  if (!a->has_high || !b->has_high)
    return (b->has_high != 0) - (a->has_high != 0);
  order = kvsql_value_compare (&a->high, &b->high);
  return order != 0 ? order : (b->high_is_open != 0) - (a->high_is_open != 0);
}

static gboolean
is_empty (const KvsqlInterval *self)
{
  gint order;

  if (!self->has_low || !self->has_high)
    return FALSE;
  order = kvsql_value_compare (&self->low, &self->high);
  return order > 0 || (order == 0 && (self->low_is_open || self->high_is_open));
}

static KvsqlInterval
intersection (const KvsqlInterval *a, const KvsqlInterval *b)
{
  const KvsqlInterval *low = compare_lows (a, b) >= 0 ? a : b;
  const KvsqlInterval *high = compare_highs (a, b) <= 0 ? a : b;

  return (KvsqlInterval){
    .low = low->low,
    .has_low = low->has_low,
    .low_is_open = low->low_is_open,
    .high = high->high,
    .has_high = high->has_high,
    .high_is_open = high->high_is_open,
  };
}

gboolean
kvsql_constraint_admits (const KvsqlConstraint *self, const KvsqlValue *value)
{
  if (!self->is_constrained)
    return TRUE;
  if (kvsql_value_is_null (value))
    return self->allows_null;
  for (guint i = 0; i < self->n_intervals; i++)
    {
      const KvsqlInterval *interval = &self->intervals[i];
      gint low = interval->has_low ? kvsql_value_compare (value, &interval->low) : 1;
      gint high = interval->has_high ? kvsql_value_compare (value, &interval->high) : -1;
      if ((low > 0 || (low == 0 && !interval->low_is_open))
          && (high < 0 || (high == 0 && !interval->high_is_open)))
        return TRUE;
    }
  return FALSE;
}

void
kvsql_constraint_intersect (KvsqlConstraint *a, const KvsqlConstraint *b, KvsqlArena *arena)
{
  KvsqlInterval *result;
  guint n = 0, i = 0, j = 0;

  if (!b->is_constrained)
    return;
  if (!a->is_constrained)
    {
      *a = *b;
      return;
    }
  /* Both lists ascend: a merge gives at most n + m pieces. */
  result = kvsql_arena_array (arena, KvsqlInterval, a->n_intervals + b->n_intervals + 1);
  while (i < a->n_intervals && j < b->n_intervals)
    {
      KvsqlInterval piece = intersection (&a->intervals[i], &b->intervals[j]);
      if (!is_empty (&piece))
        result[n++] = piece;
      if (compare_highs (&a->intervals[i], &b->intervals[j]) <= 0)
        i++;
      else
        j++;
    }
  a->intervals = result;
  a->n_intervals = n;
  a->allows_null = a->allows_null && b->allows_null;
}
