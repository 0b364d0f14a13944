/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store-side.c: time ranges and filters of scans.
 *
 * A filter is made of the same pieces that bound row keys, of the bytes of values here; that an
 * element leaves no form of a value out of its pieces is its promise. It is about whole rows, so a
 * row must be one tuple. Nothing is asked for where a cell that fits no layout is an error.
 *
 * A time range may only be asked for where a tuple is one cell: of several cells it could take away
 * some, and leave a tuple with a NULL that was never written. A row is one tuple then, too: the
 * place where a cursor goes on counts the tuples of a row, which must not depend on the range. A
 * lower bound is right everywhere, since the newest version of a cell is in the range or none is.
 * An upper bound is not where older versions are kept (KVSQL_STORE_ONE_VERSION): the store would
 * give out the newest one within the range, which is not what the cell holds now.
 */
#include "config.h"

#include "core/layout/scalar.h"
#include "core/plan/store-side.h"

#include "core/plan/row-ranges.h"
#include "core/store/filter.h"

/* Of a filter: each costs the store something for every row. */
#define MAX_RANGES 16
#define MAX_CLAUSES 16
#define MAX_COMPARISONS 64
/* A filter that is thought to let more than this pass costs more than it saves
 * (docs/performance.md). */
#define WORTHWHILE_SHARE 0.25

/* With unparsable = fail every cell of the ranges has to be seen. */
static gboolean
is_one_cell_a_row (const KvsqlSchema *schema, KvsqlArena *arena)
{
  const KvsqlCellLayout *cell = &schema->cells[0];
  KvsqlSlice unused;

  return schema->n_cells == 1 && schema->map_attribute < 0 && schema->is_row_whole
         && !schema->options.fails_unparsable
         && kvsql_sequence_get_constant (cell->fields[KVSQL_FIELD_FAMILY], arena, &unused)
         && kvsql_sequence_get_constant (cell->fields[KVSQL_FIELD_QUALIFIER], arena, &unused);
}

/* The least range around all that the boxes allow; FALSE if that is everything. */
static gboolean
get_hull (const KvsqlBoxes *boxes, guint attribute, gint64 *out_first, gint64 *out_last)
{
  *out_first = G_MAXINT64;
  *out_last = G_MININT64;
  for (guint b = 0; b < boxes->n_boxes; b++)
    {
      const KvsqlConstraint *constraint = &boxes->boxes[b].constraints[attribute];

      if (!constraint->is_constrained)
        return FALSE;
      for (guint i = 0; i < constraint->n_intervals; i++)
        {
          gint64 first, last;

          if (!kvsql_scalar_clip (KVSQL_TYPE_TIMESTAMP, &constraint->intervals[i], &first, &last))
            continue;
          *out_first = MIN (*out_first, first);
          *out_last = MAX (*out_last, last);
        }
    }
  return *out_first <= *out_last;
}

/* Rows that are asked for by key are few. */
static gboolean
has_scan (const KvsqlCandidate *self)
{
  for (guint t = 0; t < self->n_tables; t++)
    for (guint r = 0; r < self->tables[t].n_ranges; r++)
      if (!kvsql_row_range_is_point (&self->tables[t].ranges[r]))
        return TRUE;
  return FALSE;
}

static void
narrow_times (KvsqlCandidate *self, const KvsqlBoxes *boxes,
              const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena)
{
  gint attribute = self->schema->timestamp_attribute;
  gint64 first, last;

  if (attribute < 0 || !is_one_cell_a_row (self->schema, arena)
      || !get_hull (boxes, attribute, &first, &last) || last < 0)
    return;
  self->times.min = MAX (first, 0);
  if ((capabilities->flags & KVSQL_STORE_ONE_VERSION) != 0 && last < G_MAXINT64)
    self->times.max = last + 1;
}

/* ---- values */

typedef struct
{
  KvsqlCandidate *candidate;
  KvsqlArena *arena;
  guint n_attributes;
  guint n_comparisons;     /* of the filter so far */
  KvsqlAttributeSet asked; /* attributes whose constraints it uses */
} Filter;

static gboolean
reads_column (const KvsqlCandidate *self, KvsqlSlice family, KvsqlSlice qualifier)
{
  for (guint i = 0; i < self->n_columns; i++)
    if (kvsql_slice_equal (self->columns[i].family, family)
        && (self->columns[i].whole_family
            || kvsql_slice_equal (self->columns[i].qualifier, qualifier)))
      return TRUE;
  return FALSE;
}

/* Many are as good as one around them all. */
static void
set_ranges (Filter *self, const KvsqlPieces *pieces, KvsqlFilterTerm *out)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (KvsqlRowRange));

  kvsql_row_ranges_add (ranges, pieces, self->arena);
  kvsql_row_ranges_merge (ranges);
  if (ranges->len > MAX_RANGES)
    {
      g_array_index (ranges, KvsqlRowRange, 0).stop
          = g_array_index (ranges, KvsqlRowRange, ranges->len - 1).stop;
      g_array_set_size (ranges, 1);
    }
  out->n_ranges = ranges->len;
  out->ranges = kvsql_arena_copy (self->arena, ranges->data, ranges->len * sizeof (KvsqlRowRange));
}

/* Whether the value holds anything that is constrained. */
static gboolean
is_asked (const Filter *self, const KvsqlSequence *value, const KvsqlConstraint *constraints)
{
  KvsqlAttributeSet attributes = { 0 };

  kvsql_sequence_collect_attributes (value, &attributes);
  for (guint a = 0; a < self->n_attributes; a++)
    if (kvsql_attribute_set_has (&attributes, a) && constraints[a].is_constrained)
      return TRUE;
  return FALSE;
}

/* That a cell exists says nothing where all tuples have it. */
static gboolean
is_useless (const Filter *self, const KvsqlFilterTerm *term)
{
  return self->candidate->schema->n_cells == 1 && term->n_ranges == 1
         && term->ranges[0].start.size == 0 && term->ranges[0].stop.size == 0;
}

/* What @constraints say of the value of a cell. TRUE if that is a term; *out_none: no value will
 * do. */
static gboolean
make_term (Filter *self, const KvsqlCellLayout *cell, const KvsqlConstraint *constraints,
           KvsqlFilterTerm *out, gboolean *out_none)
{
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = self->arena };
  KvsqlFollow end = { .kind = KVSQL_FOLLOW_END };
  KvsqlPieces pieces = { 0 };

  if (!is_asked (self, cell->fields[KVSQL_FIELD_VALUE], constraints)
      || !kvsql_sequence_get_constant (cell->fields[KVSQL_FIELD_FAMILY], self->arena, &out->family)
      || !kvsql_sequence_get_constant (cell->fields[KVSQL_FIELD_QUALIFIER], self->arena,
                                       &out->qualifier)
      || !reads_column (self->candidate, out->family, out->qualifier))
    return FALSE;
  kvsql_sequence_constrain (cell->fields[KVSQL_FIELD_VALUE], &constrainer, end, &pieces);
  if (pieces.is_open)
    return FALSE;
  *out_none = pieces.n_pieces == 0;
  set_ranges (self, &pieces, out);
  self->n_comparisons += 2 * out->n_ranges;
  return !is_useless (self, out);
}

/* The constraints that the value of a cell can be asked about. Of a tuple of several cells that is
 * the one on the cell's own attribute, unless NULL will do: a cell that is missing, or cannot be
 * read, is NULL. */
static const KvsqlConstraint *
constraints_of_cell (Filter *self, const KvsqlBox *box, const KvsqlCellLayout *cell)
{
  KvsqlConstraint *own;
  gint attribute = cell->fan_attribute;

  if (self->candidate->schema->n_cells == 1)
    return box->constraints;
  if (attribute < 0 || !box->constraints[attribute].is_constrained
      || box->constraints[attribute].allows_null)
    return NULL;
  own = kvsql_arena_array (self->arena, KvsqlConstraint, self->n_attributes);
  own[attribute] = box->constraints[attribute];
  return own;
}

/* FALSE: the box says nothing that the store could check. No terms: no row can be in the box. */
static gboolean
make_clause (Filter *self, const KvsqlBox *box, KvsqlFilterClause *out)
{
  const KvsqlSchema *schema = self->candidate->schema;
  KvsqlFilterTerm *terms = kvsql_arena_array (self->arena, KvsqlFilterTerm, schema->n_cells);
  guint n = 0;

  for (guint c = 0; c < schema->n_cells; c++)
    {
      const KvsqlConstraint *constraints = constraints_of_cell (self, box, &schema->cells[c]);
      gboolean is_none = FALSE;

      if (constraints == NULL
          || !make_term (self, &schema->cells[c], constraints, &terms[n], &is_none))
        continue;
      if (is_none)
        {
          *out = (KvsqlFilterClause){ 0 };
          return TRUE;
        }
      kvsql_sequence_collect_attributes (schema->cells[c].fields[KVSQL_FIELD_VALUE], &self->asked);
      n++;
    }
  *out = (KvsqlFilterClause){ terms, n };
  return n > 0;
}

/* The part of all tuples that a box leaves of one attribute; where nothing is known, a guess. */
static gdouble
get_share (const KvsqlBoxes *boxes, guint box, guint attribute)
{
  const KvsqlConstraint *constraint = &boxes->boxes[box].constraints[attribute];
  gdouble share = 0;

  if (!constraint->is_constrained)
    return 1;
  if (boxes->statistics != NULL)
    return kvsql_statistics_get_share (boxes->statistics, attribute, constraint);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      const KvsqlInterval *interval = &constraint->intervals[i];

      if (kvsql_interval_is_point (interval))
        share += 0.01;
      else if (interval->has_low && interval->has_high)
        share += 0.1;
      else
        share += interval->has_low || interval->has_high ? 1.0 / 3 : 1;
    }
  return MIN (share, 1);
}

/* Whether enough tuples are left out to pay for looking at each in the store. */
static gboolean
is_selective (const Filter *self, const KvsqlBoxes *boxes)
{
  gdouble share = 0;

  for (guint b = 0; b < boxes->n_boxes; b++)
    {
      gdouble product = 1;

      for (guint a = 0; a < self->n_attributes; a++)
        if (kvsql_attribute_set_has (&self->asked, a))
          product *= get_share (boxes, b, a);
      share += product;
    }
  return share <= WORTHWHILE_SHARE;
}

/* HBase reads families that the filter does not name only for the rows that pass. */
static gboolean
names_every_family (const KvsqlFilter *filter, const KvsqlCandidate *candidate)
{
  for (guint i = 0; i < candidate->n_columns; i++)
    if (!kvsql_filter_names_family (filter, candidate->columns[i].family))
      return FALSE;
  return candidate->n_columns > 0;
}

static void
narrow_values (KvsqlCandidate *candidate, const KvsqlBoxes *boxes, KvsqlArena *arena)
{
  const KvsqlSchema *schema = candidate->schema;
  Filter self = { .candidate = candidate, .arena = arena };
  KvsqlFilter filter = { 0 };
  KvsqlFilterClause *clauses;

  self.n_attributes = schema->relation->n_attributes;
  if (candidate->is_proved || candidate->n_columns == 0 || schema->options.fails_unparsable
      || schema->map_attribute >= 0 || !schema->is_row_whole || boxes->n_boxes > MAX_CLAUSES)
    return;
  clauses = kvsql_arena_array (arena, KvsqlFilterClause, boxes->n_boxes);
  for (guint b = 0; b < boxes->n_boxes; b++)
    {
      if (!make_clause (&self, &boxes->boxes[b], &clauses[filter.n_clauses])
          || self.n_comparisons > MAX_COMPARISONS)
        return;
      filter.n_clauses += clauses[filter.n_clauses].n_terms > 0;
    }
  filter.clauses = clauses;
  if (filter.n_clauses > 0 && names_every_family (&filter, candidate)
      && is_selective (&self, boxes))
    candidate->filter = kvsql_arena_copy (arena, &filter, sizeof filter);
  /* of a tuple that is one cell nothing else need be read, which is the cheapest to filter */
  if (candidate->filter != NULL && schema->n_cells == 1)
    {
      const KvsqlColumn column
          = { .family = clauses[0].terms[0].family, .qualifier = clauses[0].terms[0].qualifier };

      candidate->columns = kvsql_arena_copy (arena, &column, sizeof column);
      candidate->n_columns = 1;
    }
}

/* ---- no values at all */

/* A cell that fits no layout is no tuple; so its value has to be looked at, unless every value
 * fits. */
static gboolean
takes_any_value (const KvsqlCellLayout *cell, const KvsqlAttributeSet *needed)
{
  const KvsqlSequence *value = cell->fields[KVSQL_FIELD_VALUE];
  const KvsqlElement *element = value->n_elements == 1 ? value->elements[0] : NULL;

  return cell->derived == NULL && element != NULL && element->klass == &kvsql_element_attribute
         && element->type == KVSQL_TYPE_BYTES
         && !kvsql_attribute_set_has (needed, element->attribute);
}

static void
narrow_to_keys (KvsqlCandidate *self, const KvsqlAttributeSet *needed, KvsqlArena *arena)
{
  const KvsqlSchema *schema = self->schema;
  KvsqlSlice family, qualifier;

  if (self->filter != NULL || schema->map_attribute >= 0)
    return;
  for (guint c = 0; c < schema->n_cells; c++)
    if (!takes_any_value (&schema->cells[c], needed)
        && (!kvsql_sequence_get_constant (schema->cells[c].fields[KVSQL_FIELD_FAMILY], arena,
                                          &family)
            || !kvsql_sequence_get_constant (schema->cells[c].fields[KVSQL_FIELD_QUALIFIER], arena,
                                             &qualifier)
            || self->n_columns == 0 || reads_column (self, family, qualifier)))
      return;
  self->keys_only = TRUE;
}

void
kvsql_candidate_narrow (KvsqlCandidate *self, const KvsqlBoxes *boxes,
                        const KvsqlAttributeSet *needed, const KvsqlStoreCapabilities *capabilities,
                        KvsqlArena *arena)
{
  if (!has_scan (self))
    return;
  narrow_times (self, boxes, capabilities, arena);
  if ((capabilities->filters & KVSQL_FILTER_VALUES) != 0)
    narrow_values (self, boxes, arena);
  if ((capabilities->filters & KVSQL_FILTER_KEYS_ONLY) != 0)
    narrow_to_keys (self, needed, arena);
}

void
kvsql_candidate_narrow_until (KvsqlCandidate *self, gint64 timestamp,
                              const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena)
{
  if (self->schema->is_primary && has_scan (self)
      && (capabilities->flags & KVSQL_STORE_ONE_VERSION) != 0
      && is_one_cell_a_row (self->schema, arena))
    self->times.max = timestamp + 1;
}
