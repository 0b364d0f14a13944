/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * boxes.c: disjunctive normal form over intervals.
 *
 * Alternatives on one attribute become one set of intervals, so that a = 1 OR a = 2 OR … is one
 * box.
 */
#include "config.h"

#include "core/plan/boxes.h"

#include <stdlib.h>

typedef struct
{
  guint n_attributes;
  KvsqlArena *arena;
} Maker;

static KvsqlBoxes
everything (const Maker *maker, gboolean is_exact)
{
  KvsqlBoxes result = { .n_boxes = 1, .is_exact = is_exact };

  result.boxes = kvsql_arena_array (maker->arena, KvsqlBox, 1);
  result.boxes[0].constraints
      = kvsql_arena_array (maker->arena, KvsqlConstraint, maker->n_attributes);
  return result;
}

static KvsqlBoxes
one_constraint (const Maker *maker, guint attribute, KvsqlInterval *intervals, guint n_intervals,
                gboolean allows_null)
{
  KvsqlBoxes result = everything (maker, TRUE);

  result.boxes[0].constraints[attribute] = (KvsqlConstraint){ .is_constrained = TRUE,
                                                              .allows_null = allows_null,
                                                              .intervals = intervals,
                                                              .n_intervals = n_intervals };
  return result;
}

static KvsqlInterval
point (KvsqlValue value)
{
  return (KvsqlInterval){ .low = value, .high = value, .has_low = TRUE, .has_high = TRUE };
}

static KvsqlBoxes
from_compare (const Maker *maker, const KvsqlPredicate *predicate)
{
  KvsqlInterval *intervals = kvsql_arena_array (maker->arena, KvsqlInterval, 2);
  guint n = 1;

  switch (predicate->op)
    {
    case KVSQL_OP_EQ:
      intervals[0] = point (predicate->value);
      break;
    case KVSQL_OP_NE:
      intervals[0]
          = (KvsqlInterval){ .high = predicate->value, .has_high = TRUE, .high_is_open = TRUE };
      intervals[1]
          = (KvsqlInterval){ .low = predicate->value, .has_low = TRUE, .low_is_open = TRUE };
      n = 2;
      break;
    case KVSQL_OP_LT:
    case KVSQL_OP_LE:
      intervals[0] = (KvsqlInterval){ .high = predicate->value,
                                      .has_high = TRUE,
                                      .high_is_open = predicate->op == KVSQL_OP_LT };
      break;
    default:
      intervals[0] = (KvsqlInterval){ .low = predicate->value,
                                      .has_low = TRUE,
                                      .low_is_open = predicate->op == KVSQL_OP_GT };
      break;
    }
  return one_constraint (maker, predicate->attribute, intervals, n, FALSE);
}

static KvsqlBoxes
from_in (const Maker *maker, const KvsqlPredicate *predicate)
{
  KvsqlInterval *intervals
      = kvsql_arena_array (maker->arena, KvsqlInterval, predicate->n_values + 1);

  if (!predicate->is_negated)
    {
      for (guint i = 0; i < predicate->n_values; i++)
        intervals[i] = point (predicate->values[i]);
      return one_constraint (maker, predicate->attribute, intervals, predicate->n_values, FALSE);
    }
  for (guint i = 0; i <= predicate->n_values; i++)
    {
      if (i > 0)
        intervals[i].low = predicate->values[i - 1];
      if (i < predicate->n_values)
        intervals[i].high = predicate->values[i];
      intervals[i].has_low = intervals[i].low_is_open = i > 0;
      intervals[i].has_high = intervals[i].high_is_open = i < predicate->n_values;
    }
  return one_constraint (maker, predicate->attribute, intervals, predicate->n_values + 1, FALSE);
}

static KvsqlBoxes
from_like (const Maker *maker, const KvsqlPredicate *predicate)
{
  KvsqlInterval *interval = kvsql_arena_array (maker->arena, KvsqlInterval, 1);
  const KvsqlLike *like = predicate->like;
  KvsqlType type = like->is_bytes ? KVSQL_TYPE_BYTES : KVSQL_TYPE_STRING;
  KvsqlBoxes result;

  if (!predicate->is_negated && like->prefix_size > 0)
    {
      KvsqlSlice prefix = kvsql_slice (like->bytes, like->prefix_size), after;
      interval->low = (KvsqlValue){ .type = type, .bytes = prefix };
      interval->has_low = TRUE;
      interval->has_high = interval->high_is_open
          = kvsql_slice_successor (maker->arena, prefix, &after);
      if (interval->has_high)
        interval->high = (KvsqlValue){ .type = type, .bytes = after };
    }
  result = one_constraint (maker, predicate->attribute, interval, 1, FALSE);
  result.is_exact = !predicate->is_negated && like->is_prefix;
  return result;
}

static KvsqlBoxes
from_is_null (const Maker *maker, const KvsqlPredicate *predicate)
{
  KvsqlInterval *interval = kvsql_arena_array (maker->arena, KvsqlInterval, 1);

  return one_constraint (maker, predicate->attribute, interval, predicate->is_negated ? 1 : 0,
                         !predicate->is_negated);
}

/* ---- AND */

static gboolean
box_intersect (const Maker *maker, const KvsqlBox *a, const KvsqlBox *b, KvsqlBox *out)
{
  out->constraints = kvsql_arena_copy (maker->arena, a->constraints,
                                       maker->n_attributes * sizeof (KvsqlConstraint));
  for (guint i = 0; i < maker->n_attributes; i++)
    {
      if (!b->constraints[i].is_constrained)
        continue;
      kvsql_constraint_intersect (&out->constraints[i], &b->constraints[i], maker->arena);
      if (kvsql_constraint_is_empty (&out->constraints[i]))
        return FALSE;
    }
  return TRUE;
}

static KvsqlBoxes
both (const Maker *maker, KvsqlBoxes a, KvsqlBoxes b)
{
  KvsqlBoxes result = { .is_exact = a.is_exact && b.is_exact };

  if ((gsize)a.n_boxes * b.n_boxes > KVSQL_MAX_BOXES)
    {
      /* keep the side that says more in fewer boxes; the other is checked on the rows */
      result = a.n_boxes <= b.n_boxes ? a : b;
      result.is_exact = FALSE;
      return result;
    }
  result.boxes = kvsql_arena_array (maker->arena, KvsqlBox, a.n_boxes * b.n_boxes + 1);
  for (guint i = 0; i < a.n_boxes; i++)
    for (guint j = 0; j < b.n_boxes; j++)
      if (box_intersect (maker, &a.boxes[i], &b.boxes[j], &result.boxes[result.n_boxes]))
        result.n_boxes++;
  return result;
}

/* ---- OR */

/* The one attribute that a box constrains, or -1. */
static gint
only_attribute (const Maker *maker, const KvsqlBox *box)
{
  gint found = -1;

  for (guint i = 0; i < maker->n_attributes; i++)
    if (box->constraints[i].is_constrained)
      {
        if (found >= 0)
          return -1;
        found = i;
      }
  return found;
}

static int
compare_intervals (const void *x, const void *y)
{
  const KvsqlInterval *a = x, *b = y;
  gint order;

  if (!a->has_low || !b->has_low)
    return (a->has_low != 0) - (b->has_low != 0);
  order = kvsql_value_compare (&a->low, &b->low);
  return order != 0 ? order : (a->low_is_open != 0) - (b->low_is_open != 0);
}

/* Whether @b, which begins no earlier, begins inside @a or right after it. */
static gboolean
touches (const KvsqlInterval *a, const KvsqlInterval *b)
{
  gint order;

  if (!a->has_high || !b->has_low)
    return TRUE;
  order = kvsql_value_compare (&b->low, &a->high);
  return order < 0 || (order == 0 && !(a->high_is_open && b->low_is_open));
}

static void
extend (KvsqlInterval *a, const KvsqlInterval *b)
{
  gint order;

  if (!a->has_high)
    return;
  order = b->has_high ? kvsql_value_compare (&b->high, &a->high) : 1;
  if (order > 0)
    {
      a->high = b->high;
      a->has_high = b->has_high;
      a->high_is_open = b->high_is_open;
    }
  else if (order == 0)
    a->high_is_open = a->high_is_open && b->high_is_open;
}

static void
constraint_unite (const Maker *maker, KvsqlConstraint *a, const KvsqlConstraint *b)
{
  guint n = a->n_intervals + b->n_intervals, kept = 0;
  KvsqlInterval *all = kvsql_arena_array (maker->arena, KvsqlInterval, n + 1);

  memcpy (all, a->intervals, a->n_intervals * sizeof *all);
  memcpy (all + a->n_intervals, b->intervals, b->n_intervals * sizeof *all);
  qsort (all, n, sizeof *all, compare_intervals);
  for (guint i = 0; i < n; i++)
    {
      if (kept > 0 && touches (&all[kept - 1], &all[i]))
        extend (&all[kept - 1], &all[i]);
      else
        all[kept++] = all[i];
    }
  a->intervals = all;
  a->n_intervals = kept;
  a->allows_null = a->allows_null || b->allows_null;
}

static KvsqlBoxes
either (const Maker *maker, KvsqlBoxes a, KvsqlBoxes b)
{
  KvsqlBoxes result = { .is_exact = a.is_exact && b.is_exact };
  gint attribute;

  if (a.n_boxes == 0 || b.n_boxes == 0)
    {
      KvsqlBoxes other = a.n_boxes == 0 ? b : a;
      other.is_exact = result.is_exact;
      return other;
    }
  attribute = only_attribute (maker, &a.boxes[0]);
  if (a.n_boxes == 1 && b.n_boxes == 1 && attribute >= 0
      && attribute == only_attribute (maker, &b.boxes[0]))
    {
      constraint_unite (maker, &a.boxes[0].constraints[attribute],
                        &b.boxes[0].constraints[attribute]);
      a.is_exact = result.is_exact;
      return a;
    }
  if (a.n_boxes + b.n_boxes > KVSQL_MAX_BOXES)
    return everything (maker, FALSE);
  result.boxes = kvsql_arena_array (maker->arena, KvsqlBox, a.n_boxes + b.n_boxes);
  memcpy (result.boxes, a.boxes, a.n_boxes * sizeof (KvsqlBox));
  memcpy (result.boxes + a.n_boxes, b.boxes, b.n_boxes * sizeof (KvsqlBox));
  result.n_boxes = a.n_boxes + b.n_boxes;
  return result;
}

/* ---- the tree */

static KvsqlBoxes
make (const Maker *maker, const KvsqlPredicate *predicate)
{
  KvsqlBoxes result;

  switch (predicate->kind)
    {
    case KVSQL_PREDICATE_CONSTANT:
      result = everything (maker, TRUE);
      result.n_boxes = predicate->truth ? 1 : 0;
      return result;
    case KVSQL_PREDICATE_COMPARE:
      return from_compare (maker, predicate);
    case KVSQL_PREDICATE_IN:
      return from_in (maker, predicate);
    case KVSQL_PREDICATE_LIKE:
      return from_like (maker, predicate);
    case KVSQL_PREDICATE_IS_NULL:
      return from_is_null (maker, predicate);
    case KVSQL_PREDICATE_ATTRIBUTES:
    case KVSQL_PREDICATE_EXPRESSION:
      return everything (maker, FALSE);
    case KVSQL_PREDICATE_AND:
    case KVSQL_PREDICATE_OR:
      break;
    }
  result = make (maker, predicate->children[0]);
  for (guint i = 1; i < predicate->n_children; i++)
    {
      KvsqlBoxes next = make (maker, predicate->children[i]);
      result = predicate->kind == KVSQL_PREDICATE_AND ? both (maker, result, next)
                                                      : either (maker, result, next);
    }
  return result;
}

void
kvsql_boxes_from_predicate (const KvsqlPredicate *predicate, guint n_attributes, KvsqlArena *arena,
                            KvsqlBoxes *out)
{
  Maker maker = { .n_attributes = n_attributes, .arena = arena };

  *out = make (&maker, predicate);
}
