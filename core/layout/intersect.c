/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * intersect.c: walks over the elements of a sequence from the left. Points are multiplied with the
 * points of the next element. The first range or unconstrained element ends the walk.
 */
#include "config.h"

#include "core/layout/intersect.h"

#include "core/base/interrupt.h"
#include "core/layout/element-classes.h"

static KvsqlSlice
joined (KvsqlArena *arena, KvsqlSlice a, KvsqlSlice b)
{
  return b.size == 0 ? a : kvsql_slice_join (arena, a, b);
}

static KvsqlDelimiter
delimiter_after (const KvsqlSequence *self, guint index, KvsqlDelimiter outer)
{
  const KvsqlElement *next;

  if (index + 1 == self->n_elements)
    return outer;
  next = self->elements[index + 1];
  if (next->constant.size > 0)
    return (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_BYTES,
                             .bytes = next->constant,
                             .least = self->elements[index]->least_byte };
  return (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_UNKNOWN };
}

/* Makes the ranges of all bytes that begin with a point of @prefixes, restricted by @last (NULL:
 * unrestricted). At the end of the sequence (@is_end), points stay points. */
static void
finish_with_ranges (const KvsqlByteRanges *prefixes, const KvsqlByteRanges *last, gboolean is_end,
                    const KvsqlConstrainer *constrainer, KvsqlByteRanges *out)
{
  KvsqlArena *arena = constrainer->arena;
  guint n_last = last == NULL ? 1 : last->n_ranges;

  kvsql_byte_ranges_init (out, constrainer, prefixes->n_ranges * n_last);
  for (guint i = 0; i < prefixes->n_ranges; i++)
    for (guint j = 0; j < n_last; j++)
      {
        const KvsqlByteRange *range = last == NULL ? NULL : &last->ranges[j];
        KvsqlSlice prefix = prefixes->ranges[i].low;
        KvsqlSlice low = range == NULL ? prefix : joined (arena, prefix, range->low);
        KvsqlSlice high = KVSQL_SLICE_EMPTY;
        gboolean has_high;

        if (is_end && range != NULL && range->is_point)
          {
            kvsql_byte_ranges_add_point (out, low);
            out->ranges[out->n_ranges - 1].is_exact
                = prefixes->ranges[i].is_exact && range->is_exact;
            continue;
          }
        if (range != NULL && !range->is_point && range->has_high)
          {
            high = joined (arena, prefix, range->high);
            has_high = TRUE;
          }
        else
          has_high = kvsql_slice_successor (arena, range != NULL && range->is_point ? low : prefix,
                                            &high);
        /* after a range, later elements are not considered */
        kvsql_byte_ranges_add_range (out, low, has_high, high,
                                     prefixes->ranges[i].is_exact && range != NULL
                                         && range->is_exact);
      }
}

static gboolean
all_points (const KvsqlByteRanges *ranges)
{
  for (guint i = 0; i < ranges->n_ranges; i++)
    if (!ranges->ranges[i].is_point)
      return FALSE;
  return TRUE;
}

static void
multiply_points (KvsqlByteRanges *prefixes, const KvsqlByteRanges *next,
                 const KvsqlConstrainer *constrainer)
{
  KvsqlByteRanges product;

  kvsql_byte_ranges_init (&product, constrainer, prefixes->n_ranges * next->n_ranges);
  product.n_fixed = prefixes->n_fixed + 1;
  for (guint i = 0; i < prefixes->n_ranges; i++)
    for (guint j = 0; j < next->n_ranges; j++)
      {
        const KvsqlByteRange *a = &prefixes->ranges[i], *b = &next->ranges[j];
        kvsql_byte_ranges_add_point (&product, joined (constrainer->arena, a->low, b->low));
        product.ranges[product.n_ranges - 1].is_exact = a->is_exact && b->is_exact;
      }
  *prefixes = product;
}

/* Whether @element depends on another attribute than @first. (If both depend on one attribute,
 * constrain.c has already cut its intervals.) */
static gboolean
is_about_others (const KvsqlElement *element, const KvsqlElement *first)
{
  KvsqlAttributeSet mine = { 0 }, others = { 0 };
  KvsqlSequence sequence
      = { .elements = (KvsqlElement *[]){ (KvsqlElement *)first }, .n_elements = 1 };

  kvsql_sequence_collect_attributes (&sequence, &mine);
  sequence.elements = (KvsqlElement *[]){ (KvsqlElement *)element };
  kvsql_sequence_collect_attributes (&sequence, &others);
  return !kvsql_attribute_set_contains (&mine, &others);
}

/* Whether an element after @index bounds the keys further. */
static gboolean
is_bounded_after (const KvsqlSequence *self, guint index, const KvsqlConstrainer *constrainer,
                  KvsqlDelimiter delimiter)
{
  for (guint i = index + 1; i < self->n_elements; i++)
    {
      const KvsqlElement *element = self->elements[i];
      KvsqlByteRanges ranges = { 0 };

      if (element->klass == &kvsql_element_constant
          || !is_about_others (element, self->elements[index]))
        continue;
      element->klass->constrain (element, constrainer, delimiter_after (self, i, delimiter),
                                 &ranges);
      if (ranges.is_open || !ranges.is_fan_out)
        return !ranges.is_open;
    }
  return FALSE;
}

/* The byte ranges of one element. A range with few values is taken as points if the elements after
 * it can then bound the keys too. */
static void
constrain_element (const KvsqlSequence *self, guint index, const KvsqlConstrainer *constrainer,
                   KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  const KvsqlElement *element = self->elements[index];

  *out = (KvsqlByteRanges){ 0 };
  element->klass->constrain (element, constrainer, delimiter_after (self, index, delimiter), out);
  if (out->as_points != NULL
      && (out->is_open
          || (!all_points (out)
              && (constrainer->wants_points
                  || is_bounded_after (self, index, constrainer, delimiter)))))
    *out = *out->as_points;
}

void
kvsql_sequence_intersect (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                          KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  KvsqlByteRanges prefixes, before_fan = { 0 };
  gint fan = -1; /* the first fan-out after which no element bounds the keys so far */

  kvsql_byte_ranges_init (&prefixes, constrainer, 1);
  kvsql_byte_ranges_add_point (&prefixes, KVSQL_SLICE_EMPTY);
  for (guint i = 0; i < self->n_elements; i++)
    {
      KvsqlByteRanges ranges;
      guint n_fixed = prefixes.n_fixed;

      constrain_element (self, i, constrainer, delimiter, &ranges);
      if (!kvsql_interrupt_spend (1 + (gint)(ranges.n_ranges / 4)))
        ranges.is_open = TRUE;
      if (!ranges.is_open && ranges.n_ranges == 0)
        {
          *out = (KvsqlByteRanges){ 0 };
          return;
        }
      if (ranges.is_open || (gsize)prefixes.n_ranges * ranges.n_ranges > KVSQL_MAX_BYTE_RANGES)
        {
          finish_with_ranges (fan >= 0 ? &before_fan : &prefixes, NULL, FALSE, constrainer, out);
          out->is_open = fan >= 0 ? fan == 0 : i == 0;
          out->n_fixed = fan >= 0 ? before_fan.n_fixed : n_fixed;
          return;
        }
      if (ranges.is_fan_out && fan < 0)
        {
          before_fan = prefixes;
          fan = i;
        }
      else if (!ranges.is_fan_out && self->elements[i]->klass != &kvsql_element_constant)
        fan = -1;
      if (!all_points (&ranges))
        {
          finish_with_ranges (&prefixes, &ranges, i + 1 == self->n_elements, constrainer, out);
          out->n_fixed = n_fixed;
          return;
        }
      multiply_points (&prefixes, &ranges, constrainer);
    }
  *out = prefixes;
  out->is_fan_out = fan == 0;
}
