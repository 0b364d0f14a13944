/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.c: one interval at a time where two elements depend on one attribute.
 *
 * In hash(2){k}:k the bytes of both elements follow from k. Laid over both at once, k IN (1, 2)
 * would give each hash with each k; half of those keys cannot exist. So what derived elements
 * and parts depend on is taken interval by interval, and the pieces are put together again. An
 * interval that begins or ends within a bucket{…} (or a day …) is cut at the bucket's end before
 * that: the part that is left is one bucket, behind which the other element can bound keys too.
 */
#include "config.h"

#include "core/layout/split.h"

#include <stdlib.h>

/* ---- pieces in order */

static int
compare_pieces (const void *x, const void *y)
{
  const KvsqlPiece *a = x, *b = y;
  gint order = kvsql_slice_compare (a->low, b->low);

  return order != 0 ? order : (b->is_point != 0) - (a->is_point != 0);
}

/* What @next adds to @last, which begins before it or with it. FALSE: they are apart. */
static gboolean
merge (KvsqlPiece *last, const KvsqlPiece *next)
{
  gboolean is_exact = last->is_exact && next->is_exact;

  if (last->is_point)
    {
      if (!kvsql_slice_equal (last->low, next->low))
        return FALSE;
      *last = *next;
    }
  else
    {
      if (last->has_high && kvsql_slice_compare (next->low, last->high) >= 0)
        return FALSE;
      if (!next->is_point && last->has_high
          && (!next->has_high || kvsql_slice_compare (next->high, last->high) > 0))
        {
          last->has_high = next->has_high;
          last->high = next->high;
        }
    }
  last->is_exact = is_exact;
  return TRUE;
}

void
kvsql_pieces_sort (KvsqlPieces *self)
{
  guint n = 0;

  if (self->n_pieces == 0)
    return;
  qsort (self->pieces, self->n_pieces, sizeof (KvsqlPiece), compare_pieces);
  for (guint i = 1; i < self->n_pieces; i++)
    if (!merge (&self->pieces[n], &self->pieces[i]))
      self->pieces[++n] = self->pieces[i];
  self->n_pieces = n + 1;
}

/* ---- cutting */

/* How often the attribute stands in @sequence, and the first of its parts that has units. */
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

/* A first and a last unit that are not full, and the full ones between them. */
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

/* The constraints with all that is to be cut in pieces; those given if there is nothing. */
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
          || constraint->n_intervals > KVSQL_MAX_PIECES / 3)
        continue;
      if (count_elements (self, a, &part) < 2 || part == NULL)
        continue;
      made.intervals
          = kvsql_arena_array (constrainer->arena, KvsqlInterval, constraint->n_intervals * 3 + 1);
      made.n_intervals = 0;
      for (guint i = 0; i < constraint->n_intervals; i++)
        cut_interval (&constraint->intervals[i], part, &made);
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
  guint n; /* intervals, and NULL as one more */
  guint at;
} Wheel;

static guint
count_choices (const KvsqlConstraint *constraint)
{
  return constraint->is_constrained ? constraint->n_intervals + (constraint->allows_null != 0) : 1;
}

/* The attributes to take apart; 0 if there is nothing to gain, or too much to do. */
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
      if (product == 0 || product > KVSQL_MAX_PIECES)
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

/* FALSE: open, or too many. */
static gboolean
add_all (KvsqlPieces *out, guint *capacity, const KvsqlPieces *pieces, KvsqlArena *arena)
{
  guint n = out->n_pieces + pieces->n_pieces;

  if (pieces->is_open || n > KVSQL_MAX_PIECES)
    return FALSE;
  if (n > *capacity)
    {
      KvsqlPiece *larger = kvsql_arena_array (arena, KvsqlPiece, n * 2);
      if (out->n_pieces > 0)
        memcpy (larger, out->pieces, out->n_pieces * sizeof (KvsqlPiece));
      out->pieces = larger;
      *capacity = n * 2;
    }
  if (pieces->n_pieces > 0)
    memcpy (out->pieces + out->n_pieces, pieces->pieces, pieces->n_pieces * sizeof (KvsqlPiece));
  out->n_pieces = n;
  return TRUE;
}

static gboolean
constrain_split (const KvsqlSequence *self, const KvsqlConstrainer *constrainer, KvsqlFollow follow,
                 KvsqlPieces *out)
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
  *out = (KvsqlPieces){ .is_fan_out = TRUE, .n_fixed = G_MAXUINT };
  do
    {
      KvsqlPieces pieces;
      for (guint i = 0; i < n; i++)
        choose (&wheels[i], all, constraints);
      kvsql_sequence_constrain_box (self, &one, follow, &pieces);
      if (!add_all (out, &capacity, &pieces, constrainer->arena))
        return FALSE;
      out->is_fan_out = out->is_fan_out && pieces.is_fan_out;
      out->n_fixed = MIN (out->n_fixed, pieces.n_fixed);
    }
  while (turn (wheels, n));
  kvsql_pieces_sort (out);
  return TRUE;
}

void
kvsql_sequence_constrain (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                          KvsqlFollow follow, KvsqlPieces *out)
{
  KvsqlAttributeSet none = { 0 };

  if (kvsql_attribute_set_contains (&none, &self->derived_from)
      || !constrain_split (self, constrainer, follow, out))
    kvsql_sequence_constrain_box (self, constrainer, follow, out);
}
