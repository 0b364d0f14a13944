/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statistics-share.c: see the header.
 *
 * A histogram is a sorted sample of which some values are kept, each with the number of equal and
 * of smaller values. So it has the common values, too. Between two steps, numbers and times are
 * taken to be evenly distributed; of other values half are taken to be on either side.
 */
#include "config.h"

#include "core/plan/statistics-share.h"

/* If there is no histogram: the share of a range with a bound. */
#define ASSUMED_RANGE 0.1

/* Where @bound is between the values of two steps: 0 … 1. */
static gdouble
get_position (const KvsqlValue *low, const KvsqlValue *high, const KvsqlValue *bound)
{
  gdouble position = 0.5;

  if (kvsql_type_get_class (low->type) == KVSQL_CLASS_INTEGER)
    position = ((gdouble)bound->integer - (gdouble)low->integer)
               / ((gdouble)high->integer - (gdouble)low->integer);
  else if (kvsql_type_get_class (low->type) == KVSQL_CLASS_REAL)
    position = (bound->real - low->real) / (high->real - low->real);
  return position > 0 && position < 1 ? position : 0.5;
}

/* The first step whose value is not below @bound. */
static guint
find_step (const KvsqlAttributeStatistics *self, const KvsqlValue *bound)
{
  guint low = 0, high = self->n_steps;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (kvsql_value_compare (&self->steps[middle].value, bound) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The sampled tuples whose values are below @bound, or up to it. */
static gdouble
count_below (const KvsqlAttributeStatistics *self, const KvsqlValue *bound, gboolean with_bound)
{
  guint at = find_step (self, bound);
  const KvsqlHistogramStep *after = &self->steps[at], *before = at > 0 ? after - 1 : NULL;
  gdouble before_and_equal = before == NULL ? 0 : before->below + before->equal;

  if (at == self->n_steps)
    return before_and_equal;
  if (kvsql_value_compare (&after->value, bound) == 0)
    return after->below + (with_bound ? after->equal : 0);
  if (before == NULL)
    return 0;
  return before_and_equal
         + (after->below - before_and_equal) * get_position (&before->value, &after->value, bound);
}

/* A sample says little about a rare value: it is taken to be one of the distinct values. */
static gdouble
share_of_point (const KvsqlStatistics *self, const KvsqlAttributeStatistics *attribute,
                const KvsqlValue *value)
{
  guint at = find_step (attribute, value);

  if (at < attribute->n_steps && attribute->steps[at].equal > 1
      && kvsql_value_compare (&attribute->steps[at].value, value) == 0)
    return (gdouble)attribute->steps[at].equal / self->n_sampled;
  return 1 / MAX (attribute->distinct, 1);
}

static gdouble
share_of_interval (const KvsqlStatistics *self, const KvsqlAttributeStatistics *attribute,
                   const KvsqlInterval *interval)
{
  gdouble from = 0, to = self->n_sampled - attribute->n_nulls;

  if (kvsql_interval_is_point (interval))
    return share_of_point (self, attribute, &interval->low);
  if (attribute->n_steps == 0)
    return to > 0 && (interval->has_low || interval->has_high) ? ASSUMED_RANGE
                                                               : MAX (to, 0.5) / self->n_sampled;
  if (interval->has_low)
    from = count_below (attribute, &interval->low, interval->low_is_open);
  if (interval->has_high)
    to = count_below (attribute, &interval->high, !interval->high_is_open);
  return MAX (to - from, 0.5) / self->n_sampled;
}

gdouble
kvsql_statistics_get_share (const KvsqlStatistics *self, guint attribute,
                            const KvsqlConstraint *constraint)
{
  const KvsqlAttributeStatistics *known = &self->attributes[attribute];
  gdouble share = 0;

  if (!constraint->is_constrained || self->n_sampled == 0)
    return 1;
  if (constraint->allows_null)
    share += (gdouble)known->n_nulls / self->n_sampled;
  for (guint i = 0; i < constraint->n_intervals; i++)
    share += share_of_interval (self, known, &constraint->intervals[i]);
  return MIN (share, 1);
}
