/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * order.c: compares the elements of ROW, from the left, with the sort keys of ORDER BY.
 *
 * An element whose attributes have one fixed value in all wanted rows is skipped. Each other
 * element must hold the attribute of the next sort key, and its bytes must sort as the values do.
 * The first such element decides whether the scan runs backwards; all later elements must agree.
 * The number of ranges does not matter, since ranges are read in the order of their bytes.
 *
 * A verified read may replace a tuple by a newer one with the same KEY. So only attributes of the
 * KEY have the order of the scan. Fixed values do not matter there either: a newer tuple that has
 * others does not satisfy the predicate.
 */
#include "config.h"

#include "core/plan/order.h"
#include "core/plan/statistics-share.h"
#include "core/base/interrupt.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"

#include <math.h>

/* Without statistics: the assumed share of tuples that satisfies a constraint on an attribute, for
 * a value and for a range. */
#define SHARE_OF_VALUE 0.01
#define SHARE_OF_RANGE 0.1
/* The assumed share for conditions that are not in the DNF. */
#define SHARE_OF_REST 0.1
/* The cost of sorting one tuple, in units of reading one row. */
#define SORT_COST 0.5

typedef struct
{
  const KvsqlAccessPath *path;
  const KvsqlDnf *dnf;
  const KvsqlSortKey *keys;
  guint n_keys;
  gboolean can_reverse;
  gboolean can_split; /* false within a row */
  KvsqlArena *arena;

  guint next_key;
  gboolean has_direction;
  KvsqlScanOrder order;
  KvsqlBuffer prefix;        /* the bytes with which all rows begin, up to the first sort key */
  gboolean is_loose;         /* equal values of the last sort key are not adjacent */
  KvsqlAttributeSet settled; /* attributes that are fixed, or that are sorted by already */
} Walk;

/* ---- constraints on an attribute */

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
is_fixed (const KvsqlDnf *dnf, guint attribute)
{
  const KvsqlConstraint *first = &dnf->disjuncts[0].constraints[attribute];

  if (!is_one_value (first))
    return FALSE;
  for (guint b = 1; b < dnf->n_disjuncts; b++)
    {
      const KvsqlConstraint *other = &dnf->disjuncts[b].constraints[attribute];
      if (!is_one_value (other) || other->n_intervals != first->n_intervals
          || (first->n_intervals == 1
              && kvsql_value_compare (&first->intervals[0].low, &other->intervals[0].low) != 0))
        return FALSE;
    }
  return TRUE;
}

static gboolean
excludes_null (const KvsqlDnf *dnf, guint attribute)
{
  for (guint b = 0; b < dnf->n_disjuncts; b++)
    if (!dnf->disjuncts[b].constraints[attribute].is_constrained
        || dnf->disjuncts[b].constraints[attribute].allows_null)
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
  KvsqlDelimiter delimiter = { .kind = KVSQL_DELIMITER_UNKNOWN };
  KvsqlByteRanges ranges = { 0 };

  constraints[attribute] = (KvsqlConstraint){ .is_constrained = TRUE, .allows_null = TRUE };
  element->klass->constrain (element, &constrainer, delimiter, &ranges);
  return ranges.is_open || ranges.n_ranges > 0;
}

static void
collect (const KvsqlElement *element, KvsqlAttributeSet *out)
{
  if (element->inner != NULL)
    kvsql_sequence_collect_attributes (element->inner, out);
  else if (element->attribute >= 0)
    kvsql_attribute_set_add (out, element->attribute);
}

/* Whether all wanted tuples have the same bytes in this element. */
static gboolean
is_same_everywhere (const Walk *walk, const KvsqlElement *element, KvsqlSlice *out)
{
  const KvsqlSchema *schema = walk->path->schema;
  KvsqlDelimiter delimiter = { .kind = KVSQL_DELIMITER_UNKNOWN };
  KvsqlSlice bytes = { 0 };
  gboolean is_first = TRUE;

  *out = KVSQL_SLICE_EMPTY;

  for (guint b = 0; b < walk->dnf->n_disjuncts; b++)
    {
      KvsqlConstrainer constrainer = {
        .constraints
        = kvsql_disjunct_get_constraints (&walk->dnf->disjuncts[b], schema->relation->n_attributes,
                                          &schema->cells[0], walk->arena),
        .arena = walk->arena,
      };
      KvsqlByteRanges ranges = { 0 };

      element->klass->constrain (element, &constrainer, delimiter, &ranges);
      if (!ranges.is_open && ranges.n_ranges == 0)
        continue; /* no row satisfies this disjunct */
      if (ranges.is_open || ranges.n_ranges > 1 || !ranges.ranges[0].is_point
          || (!is_first && !kvsql_slice_equal (bytes, ranges.ranges[0].low)))
        return FALSE;
      bytes = *out = ranges.ranges[0].low;
      is_first = FALSE;
    }
  return TRUE;
}

/* The only byte range of an element for the values of @interval. */
static gboolean
find_range (const Walk *walk, const KvsqlElement *element, guint attribute, KvsqlInterval *interval,
            KvsqlByteRange *out)
{
  KvsqlConstraint constraints[KVSQL_MAX_ATTRIBUTES] = { 0 };
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = walk->arena };
  KvsqlByteRanges ranges = { 0 };

  constraints[attribute]
      = (KvsqlConstraint){ .is_constrained = TRUE, .intervals = interval, .n_intervals = 1 };
  element->klass->constrain (element, &constrainer,
                             (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_UNKNOWN }, &ranges);
  if (ranges.is_open || ranges.n_ranges != 1)
    return FALSE;
  *out = ranges.ranges[0];
  return TRUE;
}

/* Finds where the bytes of negative numbers begin. The byte range of all other numbers must end
 * before that. It may not: an element may return a range that is too wide. */
static gboolean
find_split (Walk *walk, const KvsqlElement *element, guint attribute)
{
  KvsqlType type = walk->path->schema->relation->attributes[attribute].type;
  KvsqlInterval negative = { .high = { .type = type }, .has_high = TRUE, .high_is_open = TRUE };
  KvsqlInterval others = { .low = { .type = type }, .has_low = TRUE };
  KvsqlByteRange before, after;

  if (!find_range (walk, element, attribute, &others, &before)
      || !find_range (walk, element, attribute, &negative, &after) || !before.has_high
      || kvsql_slice_compare (before.high, after.low) > 0)
    return FALSE;
  kvsql_buffer_append_slice (&walk->prefix, after.low);
  walk->order.has_split = TRUE;
  walk->order.split = kvsql_slice_dup (walk->arena, kvsql_buffer_slice (&walk->prefix));
  return TRUE;
}

/* The only attribute in a set, or -1. */
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

/* Skips sort keys that are fixed by the predicate, or that came before. */
static void
skip_settled_keys (Walk *walk)
{
  while (walk->next_key < walk->n_keys
         && (is_fixed (walk->dnf, walk->keys[walk->next_key].attribute)
             || kvsql_attribute_set_has (&walk->settled, walk->keys[walk->next_key].attribute)))
    walk->next_key++;
}

/* For the first sort key, a number that sorts only among values of the same sign is still in order
 * if the rows are read in two parts, first the negative numbers. */
static KvsqlByteOrder
order_of (Walk *walk, const KvsqlSequence *field, guint index, gint attribute)
{
  KvsqlByteOrder order = kvsql_sequence_byte_order (field, index);

  if (order.order == KVSQL_ORDER_NONE && order.order_by_sign != KVSQL_ORDER_NONE && attribute >= 0
      && walk->can_split && !walk->has_direction
      && !can_hold_null (walk, field->elements[index], attribute)
      && find_split (walk, field->elements[index], attribute))
    order.order = order.order_by_sign;
  return order;
}

/* Whether the element sorts the tuples by the next sort key. */
static gboolean
take_key (Walk *walk, const KvsqlElement *element, KvsqlByteOrder order, gint attribute)
{
  const KvsqlSortKey *key = &walk->keys[walk->next_key];
  gboolean is_reversed;

  if (walk->path->is_verified
      && !kvsql_attribute_set_has (&walk->path->schema->relation->keys, key->attribute))
    return FALSE;
  if (order.order == KVSQL_ORDER_NONE || (gint)key->attribute != attribute || walk->is_loose)
    return FALSE;
  is_reversed = (order.order == KVSQL_ORDER_DESCENDING) != (key->is_descending != FALSE);
  if (walk->has_direction ? is_reversed != walk->order.is_reversed
                          : is_reversed && !walk->can_reverse)
    return FALSE;
  if ((order.nulls_first != FALSE) != (is_reversed != (key->nulls_first != FALSE))
      && !walk->path->schema->relation->attributes[attribute].is_not_null
      && !excludes_null (walk->dnf, attribute) && can_hold_null (walk, element, attribute))
    return FALSE;
  walk->has_direction = TRUE;
  walk->order.is_reversed = is_reversed;
  walk->is_loose = order.is_loose;
  walk->next_key++;
  return TRUE;
}

/* FALSE: the rows are not sorted any further. */
static gboolean
walk_field (Walk *walk, const KvsqlSequence *field)
{
  guint n_attributes = walk->path->schema->relation->n_attributes;

  for (guint i = 0; i < field->n_elements && walk->next_key < walk->n_keys; i++)
    {
      const KvsqlElement *element = field->elements[i];
      KvsqlAttributeSet attributes = { 0 };
      KvsqlSlice bytes;
      gint attribute;

      collect (element, &attributes);
      attribute = only_attribute (&attributes, n_attributes);
      if (is_same_everywhere (walk, element, &bytes))
        {
          kvsql_buffer_append_slice (&walk->prefix, bytes);
          continue;
        }
      if (!(attribute >= 0 && kvsql_attribute_set_has (&walk->settled, attribute))
          && !take_key (walk, element, order_of (walk, field, i, attribute), attribute))
        return FALSE;
      kvsql_attribute_set_add_all (&walk->settled, &attributes);
      skip_settled_keys (walk);
    }
  return TRUE;
}

static gboolean
is_one_tuple_settled (const Walk *walk)
{
  KvsqlAttributeSet keys = walk->path->schema->relation->keys;

  for (guint a = 0; a < walk->path->schema->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&keys, a) && is_fixed (walk->dnf, a))
      kvsql_attribute_set_remove (&keys, a);
  return kvsql_attribute_set_contains (&walk->settled, &keys) && !walk->is_loose;
}

static gboolean
walk_rows (Walk *walk)
{
  const KvsqlSchema *schema = walk->path->schema;
  const KvsqlCellLayout *cell = &schema->cells[0];

  skip_settled_keys (walk);
  if (walk->next_key == walk->n_keys)
    return TRUE;
  if (walk->path->has_open_table || walk->path->n_tables > 1 || !schema->is_row_local)
    return FALSE;
  if (walk_field (walk, cell->fields[KVSQL_FIELD_ROW]) && walk->next_key < walk->n_keys
      && !walk->order.is_reversed && !schema->is_row_whole && kvsql_schema_has_one_cell (schema)
      && cell->fields[KVSQL_FIELD_FAMILY]->is_constant && cell->each == NULL)
    {
      /* tuples in the same row come in the order of their qualifiers, always forwards */
      walk->can_reverse = walk->can_split = FALSE;
      walk_field (walk, cell->fields[KVSQL_FIELD_QUALIFIER]);
    }
  return walk->next_key == walk->n_keys || is_one_tuple_settled (walk);
}

gboolean
kvsql_access_path_gives_order (const KvsqlAccessPath *path, const KvsqlDnf *dnf,
                               const KvsqlSortKey *keys, guint n_keys, gboolean can_reverse,
                               KvsqlArena *arena, KvsqlScanOrder *out)
{
  Walk walk = { .path = path,
                .dnf = dnf,
                .keys = keys,
                .n_keys = n_keys,
                .can_reverse = can_reverse,
                .can_split = TRUE,
                .arena = arena };
  gboolean gives_order = path->n_tables == 0 || dnf->n_disjuncts == 0 || walk_rows (&walk);

  kvsql_buffer_clear (&walk.prefix);
  *out = gives_order ? walk.order : (KvsqlScanOrder){ 0 };
  return gives_order;
}

/* ---- reading in two parts */

/* The ranges of @table before @split, or from @split on. */
static KvsqlPlanTable
cut_table (const KvsqlPlanTable *table, KvsqlSlice split, gboolean is_before, KvsqlArena *arena)
{
  KvsqlPlanTable result = { .table = table->table };

  result.ranges = kvsql_arena_array (arena, KvsqlRowRange, table->n_ranges);
  for (guint i = 0; i < table->n_ranges; i++)
    {
      KvsqlRowRange range = table->ranges[i];
      if (is_before && (range.stop.size == 0 || kvsql_slice_compare (range.stop, split) > 0))
        range.stop = split;
      if (!is_before && kvsql_slice_compare (range.start, split) < 0)
        range.start = split;
      if (range.stop.size == 0 || kvsql_slice_compare (range.start, range.stop) < 0)
        result.ranges[result.n_ranges++] = range;
    }
  return result;
}

void
kvsql_access_path_split (KvsqlAccessPath *self, const KvsqlScanOrder *order, KvsqlArena *arena)
{
  KvsqlPlanTable *tables = kvsql_arena_array (arena, KvsqlPlanTable, 2);
  guint n = 0;

  g_assert (self->n_tables == 1 && !self->has_open_table); /* see walk_rows() */
  for (guint i = 0; i < 2; i++)
    {
      tables[n] = cut_table (&self->tables[0], order->split, (i > 0) != order->is_reversed, arena);
      n += tables[n].n_ranges > 0;
    }
  self->requests += n - 1.0;
  self->tables = tables;
  self->n_tables = n;
}

/* ---- cost */

static gdouble
guess_share (const KvsqlConstraint *constraint)
{
  gdouble share = constraint->allows_null ? SHARE_OF_VALUE : 0;

  for (guint i = 0; i < constraint->n_intervals; i++)
    share += kvsql_interval_is_point (&constraint->intervals[i]) ? SHARE_OF_VALUE : SHARE_OF_RANGE;
  return MIN (share, 1);
}

/* The share of the tuples read that satisfy the predicate: of the constraints that the ranges do
 * not decide. */
static gdouble
matching_share (const KvsqlAccessPath *self, const KvsqlDnf *dnf)
{
  gdouble best = 0;

  if (self->is_exact)
    return 1;
  for (guint b = 0; b < dnf->n_disjuncts && kvsql_interrupt_tick (); b++)
    {
      gdouble share = dnf->is_exact ? 1 : SHARE_OF_REST;
      for (guint a = 0; a < self->schema->relation->n_attributes; a++)
        {
          const KvsqlConstraint *constraint = &dnf->disjuncts[b].constraints[a];
          if (constraint->is_constrained && !kvsql_attribute_set_has (&self->bounded, a))
            share *= dnf->statistics == NULL
                         ? guess_share (constraint)
                         : kvsql_statistics_get_share (dnf->statistics, a, constraint);
        }
      best = MAX (best, share);
    }
  return MAX (best, 1e-9);
}

void
kvsql_access_path_apply_order (KvsqlAccessPath *self, const KvsqlDnf *dnf, const KvsqlSortKey *keys,
                               guint n_keys, guint64 limit,
                               const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena)
{
  gboolean can_reverse = (capabilities->flags & KVSQL_STORE_REVERSE_SCAN) != 0;
  gdouble wanted = limit == KVSQL_NO_LIMIT ? INFINITY : (gdouble)limit;
  KvsqlScanOrder order;

  for (guint i = 0; i < n_keys; i++)
    g_assert (keys[i].attribute < self->schema->relation->n_attributes);
  self->gives_order
      = kvsql_access_path_gives_order (self, dnf, keys, n_keys, can_reverse, arena, &order);
  self->is_reversed = order.is_reversed;
  if (!self->gives_order)
    {
      self->cost += self->rows * SORT_COST;
      return;
    }
  if (order.has_split)
    kvsql_access_path_split (self, &order, arena);
  kvsql_access_path_estimate (self, MIN (wanted / matching_share (self, dnf), self->rows),
                              capabilities);
}
