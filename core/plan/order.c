/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * order.c: the elements of ROW, from the front, against the keys of ORDER BY.
 *
 * An element whose attributes the predicate fixes is the same in every row that counts and is
 * passed over. Each other one must be that of the next key and sort as its values do. All keys one
 * way or all the other: the first decides whether the scan runs backwards. It does not matter how
 * many ranges there are, since they are read in the order of their bytes.
 */
#include "config.h"

#include "core/plan/order.h"

#include <math.h>

/* Where a predicate has to be checked, so many tuples are taken to be read for one that is given
 * out. */
#define ROWS_PER_MATCH 10.0
/* What sorting a tuple costs, in units of reading a row. */
#define SORT_COST 0.5

typedef struct
{
  const KvsqlCandidate *candidate;
  const KvsqlBoxes *boxes;
  const KvsqlSortKey *keys;
  guint n_keys;
  gboolean can_reverse;
  KvsqlArena *arena;

  guint next_key;
  gboolean has_direction;
  gboolean is_reversed;
  gboolean is_loose;         /* equal values of the last key are not side by side */
  KvsqlAttributeSet settled; /* fixed, or sorted by */
} Walk;

/* ---- what the predicate says of an attribute */

static gboolean
is_one_value (const KvsqlConstraint *constraint)
{
  if (!constraint->is_constrained)
    return FALSE;
  return constraint->allows_null
             ? constraint->n_intervals == 0
             : constraint->n_intervals == 1 && kvsql_interval_is_point (&constraint->intervals[0]);
}

static gboolean
is_fixed (const KvsqlBoxes *boxes, guint attribute)
{
  const KvsqlConstraint *first = &boxes->boxes[0].constraints[attribute];

  if (!is_one_value (first))
    return FALSE;
  for (guint b = 1; b < boxes->n_boxes; b++)
    {
      const KvsqlConstraint *other = &boxes->boxes[b].constraints[attribute];
      if (!is_one_value (other) || other->n_intervals != first->n_intervals
          || (first->n_intervals == 1
              && kvsql_value_compare (&first->intervals[0].low, &other->intervals[0].low) != 0))
        return FALSE;
    }
  return TRUE;
}

static gboolean
excludes_null (const KvsqlBoxes *boxes, guint attribute)
{
  for (guint b = 0; b < boxes->n_boxes; b++)
    if (!boxes->boxes[b].constraints[attribute].is_constrained
        || boxes->boxes[b].constraints[attribute].allows_null)
      return FALSE;
  return TRUE;
}

/* ---- elements */

/* Whether the element has bytes for a NULL of @attribute. */
static gboolean
can_hold_null (const Walk *walk, const KvsqlElement *element, guint attribute)
{
  KvsqlConstraint constraints[KVSQL_MAX_ATTRIBUTES] = { 0 };
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = walk->arena };
  KvsqlFollow follow = { .kind = KVSQL_FOLLOW_UNKNOWN };
  KvsqlPieces pieces = { 0 };

  constraints[attribute] = (KvsqlConstraint){ .is_constrained = TRUE, .allows_null = TRUE };
  element->klass->constrain (element, &constrainer, follow, &pieces);
  return pieces.is_open || pieces.n_pieces > 0;
}

static void
collect (const KvsqlElement *element, KvsqlAttributeSet *out)
{
  if (element->inner != NULL)
    kvsql_sequence_collect_attributes (element->inner, out);
  else if (element->attribute >= 0)
    kvsql_attribute_set_add (out, element->attribute);
}

/* Whether every tuple that counts has the same bytes there. */
static gboolean
is_same_everywhere (const Walk *walk, const KvsqlElement *element)
{
  KvsqlFollow follow = { .kind = KVSQL_FOLLOW_UNKNOWN };
  KvsqlSlice bytes = { 0 };
  gboolean is_first = TRUE;

  for (guint b = 0; b < walk->boxes->n_boxes; b++)
    {
      KvsqlConstrainer constrainer
          = { .constraints = walk->boxes->boxes[b].constraints, .arena = walk->arena };
      KvsqlPieces pieces = { 0 };

      element->klass->constrain (element, &constrainer, follow, &pieces);
      if (!pieces.is_open && pieces.n_pieces == 0)
        continue; /* nothing satisfies this box */
      if (pieces.is_open || pieces.n_pieces > 1 || !pieces.pieces[0].is_point
          || (!is_first && !kvsql_slice_equal (bytes, pieces.pieces[0].low)))
        return FALSE;
      bytes = pieces.pieces[0].low;
      is_first = FALSE;
    }
  return TRUE;
}

/* The one attribute in a set, or -1. */
static gint
only_attribute (const KvsqlAttributeSet *attributes, guint n_attributes)
{
  gint found = -1;

  for (guint a = 0; a < n_attributes; a++)
    if (kvsql_attribute_set_has (attributes, a))
      {
        if (found >= 0)
          return -1;
        found = a;
      }
  return found;
}

/* Keys that the predicate makes the same for all tuples, or that came before. */
static void
skip_settled_keys (Walk *walk)
{
  while (walk->next_key < walk->n_keys
         && (is_fixed (walk->boxes, walk->keys[walk->next_key].attribute)
             || kvsql_attribute_set_has (&walk->settled, walk->keys[walk->next_key].attribute)))
    walk->next_key++;
}

/* Whether the element puts the tuples into the order of the next key. */
static gboolean
take_key (Walk *walk, const KvsqlElement *element, KvsqlByteOrder order, gint attribute)
{
  const KvsqlSortKey *key = &walk->keys[walk->next_key];
  gboolean is_reversed;

  if (order.order == KVSQL_ORDER_NONE || (gint)key->attribute != attribute || walk->is_loose)
    return FALSE;
  is_reversed = (order.order == KVSQL_ORDER_DESCENDING) != (key->is_descending != FALSE);
  if (walk->has_direction ? is_reversed != walk->is_reversed : is_reversed && !walk->can_reverse)
    return FALSE;
  if ((order.nulls_first != FALSE) != (is_reversed != (key->is_descending != FALSE))
      && !walk->candidate->schema->relation->attributes[attribute].is_not_null
      && !excludes_null (walk->boxes, attribute) && can_hold_null (walk, element, attribute))
    return FALSE;
  walk->has_direction = TRUE;
  walk->is_reversed = is_reversed;
  walk->is_loose = order.is_loose;
  walk->next_key++;
  return TRUE;
}

/* FALSE: the rows are in no further order. */
static gboolean
walk_field (Walk *walk, const KvsqlSequence *field)
{
  guint n_attributes = walk->candidate->schema->relation->n_attributes;

  for (guint i = 0; i < field->n_elements && walk->next_key < walk->n_keys; i++)
    {
      const KvsqlElement *element = field->elements[i];
      KvsqlAttributeSet attributes = { 0 };
      gint attribute;

      collect (element, &attributes);
      attribute = only_attribute (&attributes, n_attributes);
      if (!is_same_everywhere (walk, element)
          && !(attribute >= 0 && kvsql_attribute_set_has (&walk->settled, attribute))
          && !take_key (walk, element, kvsql_sequence_byte_order (field, i), attribute))
        return FALSE;
      kvsql_attribute_set_add_all (&walk->settled, &attributes);
      skip_settled_keys (walk);
    }
  return TRUE;
}

static gboolean
is_one_tuple_settled (const Walk *walk)
{
  KvsqlAttributeSet keys = walk->candidate->schema->relation->keys;

  for (guint a = 0; a < walk->candidate->schema->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&keys, a) && is_fixed (walk->boxes, a))
      kvsql_attribute_set_remove (&keys, a);
  return kvsql_attribute_set_contains (&walk->settled, &keys) && !walk->is_loose;
}

gboolean
kvsql_candidate_gives_order (const KvsqlCandidate *candidate, const KvsqlBoxes *boxes,
                             const KvsqlSortKey *keys, guint n_keys, gboolean can_reverse,
                             gboolean *out_is_reversed)
{
  const KvsqlSchema *schema = candidate->schema;
  const KvsqlCellLayout *cell = &schema->cells[0];
  Walk walk = { .candidate = candidate,
                .boxes = boxes,
                .keys = keys,
                .n_keys = n_keys,
                .can_reverse = can_reverse };
  g_autoptr (KvsqlArena) arena = NULL;
  KvsqlSlice family;

  *out_is_reversed = FALSE;
  if (candidate->n_tables == 0 || boxes->n_boxes == 0)
    return TRUE;
  skip_settled_keys (&walk);
  if (walk.next_key == n_keys)
    return TRUE;
  if (candidate->has_open_table || candidate->n_tables > 1 || !schema->is_row_local)
    return FALSE;
  walk.arena = arena = kvsql_arena_new ();
  if (walk_field (&walk, cell->fields[KVSQL_FIELD_ROW]) && walk.next_key < n_keys
      && !walk.is_reversed && !schema->is_row_whole && schema->n_cells == 1)
    {
      /* tuples that share a row come in the order of their qualifiers, forwards always */
      walk.can_reverse = FALSE;
      if (kvsql_sequence_get_constant (cell->fields[KVSQL_FIELD_FAMILY], arena, &family))
        walk_field (&walk, cell->fields[KVSQL_FIELD_QUALIFIER]);
    }
  *out_is_reversed = walk.is_reversed;
  return walk.next_key == n_keys || is_one_tuple_settled (&walk);
}

/* ---- what it costs */

void
kvsql_candidate_apply_order (KvsqlCandidate *self, const KvsqlBoxes *boxes,
                             const KvsqlSortKey *keys, guint n_keys, guint64 limit,
                             const KvsqlStoreCapabilities *capabilities)
{
  gboolean can_reverse = (capabilities->flags & KVSQL_STORE_REVERSE_SCAN) != 0;
  gdouble wanted = limit == KVSQL_NO_LIMIT ? INFINITY : (gdouble)limit;

  self->gives_order
      = kvsql_candidate_gives_order (self, boxes, keys, n_keys, can_reverse, &self->is_reversed);
  if (!self->gives_order)
    {
      self->is_reversed = FALSE;
      self->cost += self->rows * SORT_COST;
      return;
    }
  if (!self->is_proved)
    wanted *= ROWS_PER_MATCH;
  if (wanted < self->rows)
    kvsql_candidate_estimate (self, wanted, capabilities);
}
