/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * constraint.c: interval sets.
 */
#include "config.h"

#include "core/layout/ranges/constraint.h"

#include "core/base/interrupt.h"
#include "core/base/sort.h"

/* The order of lower bounds: no bound first, then by value, closed before open. */
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

/* Intersects two nonempty intervals. @highs: the result of comparing their upper bounds. FALSE: the
 * intersection is empty. */
static gboolean
intersect_two (const KvsqlInterval *a, const KvsqlInterval *b, gint highs, KvsqlInterval *out)
{
  const KvsqlInterval *low = compare_lows (a, b) >= 0 ? a : b;
  const KvsqlInterval *high = highs <= 0 ? a : b;

  *out = (KvsqlInterval){
    .low = low->low,
    .has_low = low->has_low,
    .low_is_open = low->low_is_open,
    .high = high->high,
    .has_high = high->has_high,
    .high_is_open = high->high_is_open,
  };
  return low == high || !is_empty (out);
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

/* ---- AND */

/* The number of the first @n intervals that end at or before the end of @whole. @list ascends. */
static guint
count_ended (const KvsqlInterval *list, guint n, const KvsqlInterval *whole)
{
  guint low = 0, step = 1; /* the first @low intervals end there */

  while (low + step <= n && compare_highs (&list[low + step - 1], whole) <= 0)
    {
      low += step;
      step *= 2;
    }
  while ((step /= 2) > 0)
    if (low + step <= n && compare_highs (&list[low + step - 1], whole) <= 0)
      low += step;
  return low;
}

/* Appends the intervals of @list from *@at on that are inside @whole. The interval before *@at
 * overlaps @whole and ends inside it. */
static guint
append_run (const KvsqlConstraint *list, guint *at, const KvsqlInterval *whole, KvsqlInterval *out)
{
  const KvsqlInterval *rest = &list->intervals[*at];
  guint n = count_ended (rest, list->n_intervals - *at, whole);

  if (n > 0)
    memcpy (out, rest, n * sizeof *out);
  *at += n;
  return n;
}

/* Merges two ascending lists, which gives at most n + m - 1 intervals, and returns their number.
 * Intervals between two bounds of the other list are copied as a run, since the terms of an AND are
 * often sorted. */
static guint
intersect (const KvsqlConstraint *a, const KvsqlConstraint *b, KvsqlInterval *out)
{
  guint n = 0, i = 0, j = 0;

  while (i < a->n_intervals && j < b->n_intervals && kvsql_interrupt_tick ())
    {
      const KvsqlInterval *one = &a->intervals[i], *other = &b->intervals[j];
      gint highs = compare_highs (one, other);
      gboolean has_common = intersect_two (one, other, highs, &out[n]);

      n += has_common;
      if (highs <= 0)
        i++;
      else
        j++;
      if (has_common)
        n += highs <= 0 ? append_run (a, &i, other, &out[n]) : append_run (b, &j, one, &out[n]);
    }
  g_assert (n == 0 || n < a->n_intervals + b->n_intervals); /* the size of @out */
  return n;
}

/* A value that ends with both also ends with the longer one, which says more. */
static KvsqlSlice
longer_ending (const KvsqlConstraint *a, const KvsqlConstraint *b)
{
  return a->ending.size >= b->ending.size ? a->ending : b->ending;
}

void
kvsql_constraint_intersect (KvsqlConstraint *a, const KvsqlConstraint *b, KvsqlArena *arena)
{
  KvsqlInterval *result;

  if (!b->is_constrained)
    return;
  if (!a->is_constrained)
    {
      *a = *b;
      return;
    }
  result = kvsql_arena_array (arena, KvsqlInterval, a->n_intervals + b->n_intervals + 1);
  a->n_intervals = intersect (a, b, result);
  a->intervals = result;
  a->allows_null = a->allows_null && b->allows_null;
  a->ending = longer_ending (a, b);
}

static gsize
count_intervals (const KvsqlConstraint *constraints, guint n)
{
  gsize sum = 0;

  g_assert (n > 0);
  for (guint i = 0; i < n; i++)
    {
      g_assert (constraints[i].is_constrained); /* else its intervals are undefined */
      sum += constraints[i].n_intervals;
    }
  return sum;
}

/* Merges pairs in each round, alternating between two arrays. */
KvsqlConstraint
kvsql_constraint_intersect_all (const KvsqlConstraint *constraints, guint n, KvsqlArena *arena)
{
  gsize room = count_intervals (constraints, n);
  KvsqlConstraint *left;
  KvsqlInterval *from = NULL, *to = NULL;

  if (n == 1)
    return constraints[0];
  left = kvsql_arena_copy (arena, constraints, n * sizeof *left);
  for (; n > 1; n = (n + 1) / 2)
    {
      KvsqlInterval *out, *swap = from;

      if (to == NULL)
        to = kvsql_arena_alloc (arena, room * sizeof *to);
      out = to;
      for (guint i = 0; i < n; i += 2)
        {
          KvsqlConstraint one = left[i];

          one.intervals = out;
          if (i + 1 == n)
            memcpy (out, left[i].intervals, left[i].n_intervals * sizeof *out);
          else
            {
              one.n_intervals = intersect (&left[i], &left[i + 1], out);
              one.allows_null = left[i].allows_null && left[i + 1].allows_null;
              one.ending = longer_ending (&left[i], &left[i + 1]);
            }
          out += one.n_intervals;
          left[i / 2] = one;
        }
      from = to;
      to = swap;
    }
  return left[0];
}

/* ---- OR */

static gint
compare_begins (gconstpointer a, gconstpointer b)
{
  return compare_lows (a, b);
}

/* Whether @b, which does not begin before @a, overlaps @a or is adjacent to it. */
static gboolean
touches (const KvsqlInterval *a, const KvsqlInterval *b)
{
  gint order;

  if (!a->has_high || !b->has_low)
    return TRUE;
  order = kvsql_value_compare (&b->low, &a->high);
  return order < 0 || (order == 0 && !(a->high_is_open && b->low_is_open));
}

/* An alternative may have another ending. So the union of several has none. */
KvsqlConstraint
kvsql_constraint_unite_all (const KvsqlConstraint *constraints, guint n, KvsqlArena *arena)
{
  KvsqlConstraint result = { .is_constrained = TRUE };
  gsize n_all = 0;

  if (n == 1)
    return constraints[0];
  result.intervals
      = kvsql_arena_alloc (arena, count_intervals (constraints, n) * sizeof *result.intervals);
  for (guint i = 0; i < n; i++)
    {
      memcpy (result.intervals + n_all, constraints[i].intervals,
              constraints[i].n_intervals * sizeof *result.intervals);
      n_all += constraints[i].n_intervals;
      result.allows_null = result.allows_null || constraints[i].allows_null;
    }
  kvsql_sort (result.intervals, n_all, sizeof *result.intervals, compare_begins, arena);
  for (gsize i = 0; i < n_all && kvsql_interrupt_tick (); i++)
    {
      KvsqlInterval *last = &result.intervals[result.n_intervals], *next = &result.intervals[i];

      if (result.n_intervals == 0 || !touches (--last, next))
        result.intervals[result.n_intervals++] = *next;
      else if (compare_highs (last, next) < 0)
        {
          last->high = next->high;
          last->has_high = next->has_high;
          last->high_is_open = next->high_is_open;
        }
    }
  return result;
}
