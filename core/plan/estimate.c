/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * estimate.c: estimates the share of a table that is read, and the number of different key
 * prefixes.
 */
#include "config.h"

#include "core/layout/key-prefix.h"
#include "core/layout/constrain.h"
#include "core/layout/element-classes.h"
#include "core/plan/estimate.h"
#include "core/plan/statistics-share.h"

#include <math.h>

gboolean
kvsql_byte_ranges_are_points (const KvsqlByteRanges *ranges)
{
  for (guint i = 0; i < ranges->n_ranges; i++)
    if (!ranges->ranges[i].is_point)
      return FALSE;
  return !ranges->is_open;
}

/* ---- shares */

/* Visits the elements in the same way as kvsql_sequence_constrain(). */
gdouble
kvsql_estimate_sequence (const KvsqlSequence *sequence, const KvsqlConstrainer *constrainer,
                         KvsqlAttributeSet *bounded, gboolean *out_is_exact)
{
  gdouble result = 1;

  *out_is_exact = TRUE;
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];
      KvsqlDelimiter delimiter
          = { .kind
              = i + 1 == sequence->n_elements ? KVSQL_DELIMITER_END : KVSQL_DELIMITER_UNKNOWN };
      KvsqlAttributeSet attributes = { 0 };
      KvsqlByteRanges ranges = { 0 };

      if (element->klass == &kvsql_element_constant)
        continue;
      if (i + 1 < sequence->n_elements && sequence->elements[i + 1]->constant.size > 0)
        delimiter = (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_BYTES,
                                      .bytes = sequence->elements[i + 1]->constant };
      element->klass->constrain (element, constrainer, delimiter, &ranges);
      if (ranges.is_open)
        return result;
      /* a derived element bounds no attribute; other elements hold the attributes that it is
       * computed from */
      if (element->is_derived)
        continue;
      if (element->inner != NULL)
        kvsql_sequence_collect_attributes (element->inner, &attributes);
      else
        kvsql_attribute_set_add (&attributes, element->attribute);
      kvsql_attribute_set_add_all (bounded, &attributes);
      for (guint p = 0; p < ranges.n_ranges; p++)
        *out_is_exact = *out_is_exact && ranges.ranges[p].is_exact;
      if (!kvsql_byte_ranges_are_points (&ranges))
        {
          /* a range for an element with inner elements may include values beyond the last one */
          *out_is_exact = *out_is_exact && (element->inner == NULL || element->attribute >= 0);
          return result * 0.1 * ranges.n_ranges;
        }
      *out_is_exact = *out_is_exact
                      && (i + 1 == sequence->n_elements || kvsql_element_ends_for_sure (element));
      result *= 0.01 * ranges.n_ranges;
    }
  return result;
}

gboolean
kvsql_estimate_is_assumed (const KvsqlStatistics *statistics)
{
  return statistics == NULL
         || (!statistics->is_complete && statistics->n_tuples < KVSQL_ASSUMED_ROWS);
}

gdouble
kvsql_estimate_table_rows (const KvsqlStatistics *statistics)
{
  return kvsql_estimate_is_assumed (statistics) ? KVSQL_ASSUMED_ROWS : statistics->n_tuples;
}

gdouble
kvsql_estimate_known_share (const KvsqlStatistics *statistics, const KvsqlDisjunct *disjunct,
                            const KvsqlAttributeSet *bounded)
{
  gdouble share = 1;

  for (guint a = 0; a < statistics->n_attributes; a++)
    if (kvsql_attribute_set_has (bounded, a))
      share *= kvsql_statistics_get_share (statistics, a, &disjunct->constraints[a]);
  return share;
}

/* ---- key prefixes */

/* Distinct values of one attribute in the tuples of a disjunct. */
static gdouble
count_values (const KvsqlStatistics *statistics, guint attribute, const KvsqlConstraint *constraint)
{
  const KvsqlAttributeStatistics *known = &statistics->attributes[attribute];
  gdouble n = known->distinct + (known->n_nulls > 0);

  return MAX (n * kvsql_statistics_get_share (statistics, attribute, constraint), 1);
}

static gdouble
count_all_values (const KvsqlStatistics *statistics, const KvsqlAttributeSet *attributes,
                  const KvsqlConstrainer *constrainer)
{
  gdouble n = 1;

  for (guint a = 0; a < statistics->n_attributes; a++)
    if (kvsql_attribute_set_has (attributes, a))
      n *= count_values (statistics, a, &constrainer->constraints[a]);
  return n;
}

/* The number of units of a part between the least and the greatest value in the sample. */
static gdouble
count_units (const KvsqlElement *element, const KvsqlStatistics *statistics)
{
  const KvsqlAttributeStatistics *known = &statistics->attributes[element->attribute];
  gint64 first, last;

  if (known->n_steps == 0 || element->klass->unit == NULL || element->klass == &kvsql_element_offset
      || !element->klass->unit (element, known->steps[0].value.integer, &first, &last))
    return INFINITY;
  return ((gdouble)known->steps[known->n_steps - 1].value.integer - (gdouble)first)
             / ((gdouble)last - (gdouble)first + 1)
         + 1;
}

/* The number of values that the type and the layout of the element allow, independent of data. */
static gdouble
count_possible (const KvsqlElement *element, const KvsqlConstrainer *constrainer)
{
  KvsqlDelimiter delimiter = { .kind = KVSQL_DELIMITER_UNKNOWN };
  KvsqlByteRanges ranges = { 0 };
  gdouble n = INFINITY;

  if (element->klass == &kvsql_element_constant)
    return 1;
  element->klass->constrain (element, constrainer, delimiter, &ranges);
  if (kvsql_byte_ranges_are_points (&ranges))
    n = ranges.n_ranges;
  if (element->attribute >= 0 && element->type == KVSQL_TYPE_BOOLEAN)
    n = MIN (n, 2 + (element->holds_null != FALSE));
  if (element->klass == &kvsql_element_offset)
    n = MIN (n, element->step);
  return element->fixed_size >= 0 ? MIN (n, pow (256, element->fixed_size)) : n;
}

gdouble
kvsql_estimate_key_prefixes (const KvsqlSequence *sequence, guint n_elements,
                             const KvsqlConstrainer *constrainer, const KvsqlStatistics *statistics)
{
  KvsqlAttributeSet all = { 0 };
  gdouble n = 1;

  for (guint i = 0; i < n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];
      KvsqlSequence one = { .elements = sequence->elements + i, .n_elements = 1 };
      KvsqlAttributeSet attributes = { 0 };
      gdouble possible = count_possible (element, constrainer);

      kvsql_sequence_collect_attributes (&one, &attributes);
      kvsql_attribute_set_add_all (&all, &attributes);
      if (statistics != NULL && element->klass != &kvsql_element_constant)
        possible = MIN (possible, count_all_values (statistics, &attributes, constrainer));
      if (statistics != NULL && element->is_part)
        possible = MIN (possible, count_units (element, statistics));
      n *= possible;
    }
  return statistics == NULL ? n : MIN (n, count_all_values (statistics, &all, constrainer));
}
