/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * estimate.c: shares of a table, and numbers of different keys.
 */
#include "config.h"

#include "core/layout/front.h"
#include "core/plan/estimate.h"

#include <math.h>

gboolean
kvsql_pieces_are_points (const KvsqlPieces *pieces)
{
  for (guint i = 0; i < pieces->n_pieces; i++)
    if (!pieces->pieces[i].is_point)
      return FALSE;
  return !pieces->is_open;
}

/* ---- shares */

/* Walks as kvsql_sequence_constrain() does. */
gdouble
kvsql_estimate_sequence (const KvsqlSequence *sequence, const KvsqlConstrainer *constrainer,
                         KvsqlAttributeSet *bounded, gboolean *out_is_exact)
{
  gdouble result = 1;

  *out_is_exact = TRUE;
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];
      KvsqlFollow follow
          = { .kind = i + 1 == sequence->n_elements ? KVSQL_FOLLOW_END : KVSQL_FOLLOW_UNKNOWN };
      KvsqlAttributeSet attributes = { 0 };
      KvsqlPieces pieces = { 0 };

      if (element->klass == &kvsql_element_constant)
        continue;
      if (i + 1 < sequence->n_elements && sequence->elements[i + 1]->constant.size > 0)
        follow = (KvsqlFollow){ .kind = KVSQL_FOLLOW_BYTES,
                                .bytes = sequence->elements[i + 1]->constant };
      element->klass->constrain (element, constrainer, follow, &pieces);
      if (pieces.is_open)
        return result;
      /* it bounds no attribute by itself, and some other element holds those it is made from */
      if (element->is_derived)
        continue;
      if (element->inner != NULL)
        kvsql_sequence_collect_attributes (element->inner, &attributes);
      else
        kvsql_attribute_set_add (&attributes, element->attribute);
      kvsql_attribute_set_add_all (bounded, &attributes);
      for (guint p = 0; p < pieces.n_pieces; p++)
        *out_is_exact = *out_is_exact && pieces.pieces[p].is_exact;
      if (!kvsql_pieces_are_points (&pieces))
        {
          /* a range around several values may stop short of the last */
          *out_is_exact = *out_is_exact && (element->inner == NULL || element->attribute >= 0);
          return result * 0.1 * pieces.n_pieces;
        }
      *out_is_exact = *out_is_exact
                      && (i + 1 == sequence->n_elements || kvsql_element_ends_for_sure (element));
      result *= 0.01 * pieces.n_pieces;
    }
  return result;
}

gdouble
kvsql_estimate_table_rows (const KvsqlStatistics *statistics)
{
  return statistics == NULL        ? KVSQL_ASSUMED_ROWS
         : statistics->is_complete ? statistics->n_tuples
                                   : MAX (statistics->n_tuples, KVSQL_ASSUMED_ROWS);
}

gdouble
kvsql_estimate_known_share (const KvsqlStatistics *statistics, const KvsqlBox *box,
                            const KvsqlAttributeSet *bounded)
{
  gdouble share = 1;

  for (guint a = 0; a < statistics->n_attributes; a++)
    if (kvsql_attribute_set_has (bounded, a))
      share *= kvsql_statistics_get_share (statistics, a, &box->constraints[a]);
  return share;
}

/* ---- fronts */

/* Of one attribute in the tuples of a box. */
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

/* The units of a part between the least and the greatest value of the sample. */
static gdouble
count_units (const KvsqlElement *element, const KvsqlStatistics *statistics)
{
  const KvsqlAttributeStatistics *known = &statistics->attributes[element->attribute];
  gint64 first, last;

  if (known->n_values == 0 || element->klass->unit == NULL
      || element->klass == &kvsql_element_offset
      || !element->klass->unit (element, known->values[0].integer, &first, &last))
    return INFINITY;
  return ((gdouble)known->values[known->n_values - 1].integer - (gdouble)first)
             / ((gdouble)last - (gdouble)first + 1)
         + 1;
}

/* What the element's type and layout allow, whatever there is. */
static gdouble
count_possible (const KvsqlElement *element, const KvsqlConstrainer *constrainer)
{
  KvsqlFollow follow = { .kind = KVSQL_FOLLOW_UNKNOWN };
  KvsqlPieces pieces = { 0 };
  gdouble n = INFINITY;

  if (element->klass == &kvsql_element_constant)
    return 1;
  element->klass->constrain (element, constrainer, follow, &pieces);
  if (kvsql_pieces_are_points (&pieces))
    n = pieces.n_pieces;
  if (element->attribute >= 0 && element->type == KVSQL_TYPE_BOOLEAN)
    n = MIN (n, 2 + (element->holds_null != FALSE));
  if (element->klass == &kvsql_element_offset)
    n = MIN (n, element->step);
  return element->fixed_size >= 0 ? MIN (n, pow (256, element->fixed_size)) : n;
}

gdouble
kvsql_estimate_fronts (const KvsqlSequence *sequence, guint n_elements,
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
