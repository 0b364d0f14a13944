/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * constrain.c: intersects intervals one by one if two elements depend on the same attribute.
 *
 * In hash(2){k}:k the bytes of both elements depend on k. If the constraint k IN (1, 2) was applied
 * to both at once, each hash would be combined with each k; half of those keys cannot exist. So for
 * the attributes of derived elements and parts, each interval is intersected by itself, and the
 * resulting byte ranges are collected.
 *
 * An interval that begins or ends within a bucket{…} (or a day …) is first cut at the border of the
 * bucket. The remaining part is in one bucket, so the element after the bucket can bound keys too.
 */
#include "config.h"

#include "core/layout/constrain.h"

#include "core/layout/element.h"
#include "core/layout/intersect.h"

/* ---- cutting */

/* The number of elements of the attribute in @sequence. @out_part: the first of its parts that has
 * units. */
static guint
count_elements (const KvsqlSequence *sequence, gint attribute, const KvsqlElement **out_part)
{
  guint n = 0;

  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];
      if (element->is_derived)
        continue;
      if (element->is_part && element->attribute == attribute && *out_part == NULL
          && element->klass->unit != NULL)
        *out_part = element;
      if (!element->is_part && element->inner != NULL)
        n += count_elements (element->inner, attribute, out_part);
      else
        n += element->attribute == attribute;
    }
  return n;
}

static void
add_interval (KvsqlConstraint *out, const KvsqlInterval *whole, gboolean has_low, gint64 low,
              gboolean has_high, gint64 high)
{
  KvsqlInterval *interval = &out->intervals[out->n_intervals++];
  KvsqlType type = whole->has_low ? whole->low.type : whole->high.type;

  *interval = (KvsqlInterval){
    .low = { .type = type, .integer = low },
    .high = { .type = type, .integer = high },
    .has_low = has_low,
    .has_high = has_high,
  };
}

/* Cuts an interval into an incomplete first and last unit, and the complete units between them. */
static void
cut_interval (const KvsqlInterval *interval, const KvsqlElement *part, KvsqlConstraint *out)
{
  gint64 low = interval->low.integer, high = interval->high.integer;
  gint64 first = 0, last_of_first = 0, first_of_last = 0, last = 0;
  gboolean has_low = interval->has_low, has_high = interval->has_high;

  if ((has_low
       && (__builtin_add_overflow (low, interval->low_is_open != 0, &low)
           || !part->klass->unit (part, low, &first, &last_of_first)
           || last_of_first == G_MAXINT64))
      || (has_high
          && (__builtin_sub_overflow (high, interval->high_is_open != 0, &high)
              || !part->klass->unit (part, high, &first_of_last, &last)
              || first_of_last == G_MININT64))
      || (has_low && has_high && high <= last_of_first))
    {
      out->intervals[out->n_intervals++] = *interval;
      return;
    }
  if (has_low && low != first)
    {
      add_interval (out, interval, TRUE, low, TRUE, last_of_first);
      if (last_of_first == G_MAXINT64)
        return;
      low = last_of_first + 1;
    }
  if (has_high && high != last)
    {
      if (has_low ? low < first_of_last : first_of_last > G_MININT64)
        add_interval (out, interval, has_low, low, TRUE, first_of_last - 1);
      add_interval (out, interval, TRUE, first_of_last, TRUE, high);
      return;
    }
  if (!has_low || !has_high || low <= high)
    add_interval (out, interval, has_low, low, has_high, high);
}

/* The constraints with the intervals cut; the original ones if there is nothing to cut. */
static const KvsqlConstraint *
cut (const KvsqlSequence *self, const KvsqlConstrainer *constrainer)
{
  KvsqlConstraint *result = NULL;

  for (guint a = 0; a < self->n_attributes; a++)
    {
      const KvsqlConstraint *constraint = &constrainer->constraints[a];
      KvsqlConstraint made = *constraint;
      const KvsqlElement *part = NULL;

      if (!constraint->is_constrained || !kvsql_attribute_set_has (&self->derived_from, a)
          || constraint->n_intervals > KVSQL_MAX_BYTE_RANGES / 3)
        continue;
      if (count_elements (self, a, &part) < 2 || part == NULL)
        continue;
      made.intervals
          = kvsql_arena_array (constrainer->arena, KvsqlInterval, constraint->n_intervals * 3 + 1);
      made.n_intervals = 0;
      for (guint i = 0; i < constraint->n_intervals; i++)
        cut_interval (&constraint->intervals[i], part, &made);
      g_assert (made.n_intervals <= constraint->n_intervals * 3); /* there is room for these */
      if (result == NULL)
        result = kvsql_arena_copy (constrainer->arena, constrainer->constraints,
                                   self->n_attributes * sizeof (KvsqlConstraint));
      result[a] = made;
    }
  return result != NULL ? result : constrainer->constraints;
}

/* ---- splitting */

typedef struct
{
  guint attribute;
  guint n; /* intervals, and one more if NULL is admitted */
  guint at;
} Wheel;

static guint
count_choices (const KvsqlConstraint *constraint)
{
  return constraint->is_constrained ? constraint->n_intervals + (constraint->allows_null != 0) : 1;
}

/* Chooses the attributes whose intervals are taken one by one. Returns their number; 0 if none need
 * it, or if there are too many combinations. */
static guint
make_wheels (const KvsqlSequence *self, const KvsqlConstraint *constraints, Wheel *wheels)
{
  gsize product = 1;
  guint n = 0;

  for (guint a = 0; a < self->n_attributes; a++)
    {
      guint choices;
      if (!kvsql_attribute_set_has (&self->derived_from, a))
        continue;
      choices = count_choices (&constraints[a]);
      product *= choices;
      if (product == 0 || product > KVSQL_MAX_BYTE_RANGES)
        return 0;
      if (choices > 1)
        wheels[n++] = (Wheel){ .attribute = a, .n = choices };
    }
  return n;
}

static void
choose (const Wheel *wheel, const KvsqlConstraint *all, KvsqlConstraint *out)
{
  const KvsqlConstraint *constraint = &all[wheel->attribute];
  gboolean is_null = wheel->at == constraint->n_intervals;

  out[wheel->attribute] = (KvsqlConstraint){
    .is_constrained = TRUE,
    .allows_null = is_null,
    .intervals = is_null ? NULL : &constraint->intervals[wheel->at],
    .n_intervals = !is_null,
  };
}

static gboolean
turn (Wheel *wheels, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (++wheels[i].at < wheels[i].n)
        return TRUE;
      wheels[i].at = 0;
    }
  return FALSE;
}

/* FALSE: the ranges are unbounded, or too many. */
static gboolean
add_all (KvsqlByteRanges *out, guint *capacity, const KvsqlByteRanges *ranges, KvsqlArena *arena)
{
  guint n = out->n_ranges + ranges->n_ranges;

  if (ranges->is_open || n > KVSQL_MAX_BYTE_RANGES)
    return FALSE;
  if (n > *capacity)
    {
      KvsqlByteRange *larger = kvsql_arena_array (arena, KvsqlByteRange, n * 2);
      if (out->n_ranges > 0)
        memcpy (larger, out->ranges, out->n_ranges * sizeof (KvsqlByteRange));
      out->ranges = larger;
      *capacity = n * 2;
    }
  if (ranges->n_ranges > 0)
    memcpy (out->ranges + out->n_ranges, ranges->ranges,
            ranges->n_ranges * sizeof (KvsqlByteRange));
  out->n_ranges = n;
  return TRUE;
}

static gboolean
constrain_split (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                 KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  Wheel wheels[KVSQL_MAX_ATTRIBUTES];
  const KvsqlConstraint *all = cut (self, constrainer);
  guint n = make_wheels (self, all, wheels), capacity = 0;
  KvsqlConstrainer one = *constrainer;
  KvsqlConstraint *constraints;

  if (n == 0)
    return FALSE;
  constraints
      = kvsql_arena_copy (constrainer->arena, all, self->n_attributes * sizeof (KvsqlConstraint));
  one.constraints = constraints;
  *out = (KvsqlByteRanges){ .is_fan_out = TRUE, .n_fixed = G_MAXUINT };
  do
    {
      KvsqlByteRanges ranges;
      for (guint i = 0; i < n; i++)
        choose (&wheels[i], all, constraints);
      kvsql_sequence_intersect (self, &one, delimiter, &ranges);
      if (!add_all (out, &capacity, &ranges, constrainer->arena))
        return FALSE;
      out->is_fan_out = out->is_fan_out && ranges.is_fan_out;
      out->n_fixed = MIN (out->n_fixed, ranges.n_fixed);
    }
  while (turn (wheels, n));
  kvsql_byte_ranges_sort (out);
  return TRUE;
}

void
kvsql_sequence_constrain (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                          KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  KvsqlAttributeSet none = { 0 };

  if (kvsql_attribute_set_contains (&none, &self->derived_from)
      || !constrain_split (self, constrainer, delimiter, out))
    kvsql_sequence_intersect (self, constrainer, delimiter, out);
}
