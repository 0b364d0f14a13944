/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pushdown.c: pushes filters and time ranges down to the store.
 *
 * A filter consists of byte ranges of VALUE, which come from the same function as the ranges of row
 * keys. An element guarantees that its byte ranges include all forms of a value. A filter decides
 * about whole rows, so a row must be one tuple. Nothing is pushed down if a cell that fits no
 * layout is an error (undecodable = fail).
 *
 * A time range is pushed down only if a tuple is one cell. If a tuple had several cells, the range
 * could remove some of them, and an attribute would be NULL that was never written as NULL. A row
 * must also be one tuple, because the position of a cursor counts the tuples in a row, and that
 * count must not depend on the range. A lower bound is always safe, since either the newest version
 * of a cell is in the range or no version is. An upper bound is not safe if the store keeps older
 * versions (KVSQL_STORE_ONE_VERSION): the store would return the newest version within the range,
 * which is not the current value of the cell.
 */
#include "config.h"

#include "core/layout/encoding/scalar.h"
#include "core/layout/constrain.h"
#include "core/layout/element-classes.h"
#include "core/plan/pushdown.h"

#include "core/plan/row-ranges.h"
#include "core/plan/statistics-share.h"
#include "core/store/filter.h"

/* Limits of a filter. Each comparison costs the store something for each row. */
#define MAX_RANGES 16
#define MAX_CLAUSES 16
#define MAX_COMPARISONS 64
/* A filter that passes more than this share of the rows (by estimate) costs more than it saves
 * (docs/performance.md). */
#define WORTHWHILE_SHARE 0.25

/* With undecodable = fail, the scan has to see each cell in its ranges. */
static gboolean
is_one_cell_a_row (const KvsqlSchema *schema)
{
  KvsqlSlice family, qualifier;

  return kvsql_schema_has_one_cell (schema) && schema->is_row_whole
         && !schema->options.fails_undecodable
         && kvsql_cell_get_column (&schema->cells[0], &family, &qualifier);
}

/* The bounding range of all values that the DNF admits; FALSE if it has no bound. */
static gboolean
get_bounding_range (const KvsqlDnf *dnf, guint attribute, gint64 *out_first, gint64 *out_last)
{
  *out_first = G_MAXINT64;
  *out_last = G_MININT64;
  for (guint b = 0; b < dnf->n_disjuncts; b++)
    {
      const KvsqlConstraint *constraint = &dnf->disjuncts[b].constraints[attribute];

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

/* Reads by key are few rows, for which pushdown does not pay. */
static gboolean
has_scan (const KvsqlAccessPath *self)
{
  for (guint t = 0; t < self->n_tables; t++)
    for (guint r = 0; r < self->tables[t].n_ranges; r++)
      if (!kvsql_row_range_is_point (&self->tables[t].ranges[r]))
        return TRUE;
  return FALSE;
}

static void
push_down_times (KvsqlAccessPath *self, const KvsqlDnf *dnf,
                 const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena)
{
  gint attribute = self->schema->timestamp_attribute;
  gint64 first, last;

  if (attribute < 0 || !is_one_cell_a_row (self->schema)
      || !get_bounding_range (dnf, attribute, &first, &last) || last < 0)
    return;
  self->times.min = MAX (first, 0);
  if ((capabilities->flags & KVSQL_STORE_ONE_VERSION) != 0 && last < G_MAXINT64)
    self->times.max = last + 1;
}

/* ---- values */

typedef struct
{
  KvsqlAccessPath *path;
  KvsqlArena *arena;
  guint n_attributes;
  guint n_comparisons;     /* so far in the filter */
  KvsqlAttributeSet asked; /* attributes whose constraints are used */
} Filter;

static gboolean
reads_column (const KvsqlAccessPath *self, KvsqlSlice family, KvsqlSlice qualifier)
{
  for (guint i = 0; i < self->n_columns; i++)
    if (kvsql_slice_equal (self->columns[i].family, family)
        && (self->columns[i].whole_family
            || kvsql_slice_equal (self->columns[i].qualifier, qualifier)))
      return TRUE;
  return FALSE;
}

/* Many ranges are replaced by their bounding range. */
static void
set_ranges (Filter *self, const KvsqlByteRanges *ranges, KvsqlFilterTerm *out)
{
  KvsqlRowRanges all = { 0 };

  kvsql_row_ranges_add (&all, ranges, self->arena);
  kvsql_row_ranges_merge (&all, self->arena);
  if (all.n > MAX_RANGES)
    {
      all.ranges[0].stop = all.ranges[all.n - 1].stop;
      all.n = 1;
    }
  out->n_ranges = all.n;
  out->ranges = all.ranges;
}

/* Whether the value contains a constrained attribute. */
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

/* Whether the term only requires that the cell exists, which is true for all tuples. */
static gboolean
is_useless (const Filter *self, const KvsqlFilterTerm *term)
{
  return self->path->schema->n_cells == 1 && term->n_ranges == 1 && term->ranges[0].start.size == 0
         && term->ranges[0].stop.size == 0;
}

/* Makes a term from @constraints on the value of a cell. FALSE: it would filter nothing. @out_none:
 * no value satisfies the constraints. */
static gboolean
make_term (Filter *self, const KvsqlCellLayout *cell, const KvsqlConstraint *constraints,
           KvsqlFilterTerm *out, gboolean *out_none)
{
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = self->arena };
  KvsqlDelimiter end = { .kind = KVSQL_DELIMITER_END };
  KvsqlByteRanges ranges = { 0 };

  if (!is_asked (self, cell->fields[KVSQL_FIELD_VALUE], constraints)
      || !kvsql_cell_get_column (cell, &out->family, &out->qualifier)
      || !reads_column (self->path, out->family, out->qualifier))
    return FALSE;
  kvsql_sequence_constrain (cell->fields[KVSQL_FIELD_VALUE], &constrainer, end, &ranges);
  if (ranges.is_open)
    return FALSE;
  *out_none = ranges.n_ranges == 0;
  set_ranges (self, &ranges, out);
  self->n_comparisons += 2 * out->n_ranges;
  return !is_useless (self, out);
}

/* The constraints that the value of a cell can be tested for; NULL: none. If a tuple has several
 * cells, these are the constraints on the attributes that are NULL if the cell is absent or
 * undecodable, unless NULL satisfies them. */
static const KvsqlConstraint *
constraints_of_cell (Filter *self, const KvsqlDisjunct *disjunct, const KvsqlCellLayout *cell)
{
  KvsqlConstraint *own = NULL;

  if (self->path->schema->n_cells == 1)
    return disjunct->constraints;
  for (gint a = -1; (a = kvsql_attribute_set_next (&cell->optional, a)) >= 0;)
    {
      if (!disjunct->constraints[a].is_constrained || disjunct->constraints[a].allows_null)
        continue;
      if (own == NULL)
        own = kvsql_arena_array (self->arena, KvsqlConstraint, self->n_attributes);
      own[a] = disjunct->constraints[a];
    }
  return own;
}

/* FALSE: the store cannot check this disjunct. A clause without terms: no row satisfies the
 * disjunct. */
static gboolean
make_clause (Filter *self, const KvsqlDisjunct *disjunct, KvsqlFilterClause *out)
{
  const KvsqlSchema *schema = self->path->schema;
  KvsqlFilterTerm *terms = kvsql_arena_array (self->arena, KvsqlFilterTerm, schema->n_cells);
  guint n = 0;

  for (guint c = 0; c < schema->n_cells; c++)
    {
      const KvsqlConstraint *constraints = constraints_of_cell (self, disjunct, &schema->cells[c]);
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

/* The share of all tuples that satisfies a disjunct's constraint on one attribute; a guess without
 * statistics. */
static gdouble
get_share (const KvsqlDnf *dnf, guint disjunct, guint attribute)
{
  const KvsqlConstraint *constraint = &dnf->disjuncts[disjunct].constraints[attribute];
  gdouble share = 0;

  if (!constraint->is_constrained)
    return 1;
  if (dnf->statistics != NULL)
    return kvsql_statistics_get_share (dnf->statistics, attribute, constraint);
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

/* Whether the filter rejects enough tuples to pay for its evaluation in the store. */
static gboolean
is_selective (const Filter *self, const KvsqlDnf *dnf)
{
  gdouble share = 0;

  for (guint b = 0; b < dnf->n_disjuncts; b++)
    {
      gdouble product = 1;

      for (guint a = 0; a < self->n_attributes; a++)
        if (kvsql_attribute_set_has (&self->asked, a))
          product *= get_share (dnf, b, a);
      share += product;
    }
  return share <= WORTHWHILE_SHARE;
}

/* HBase reads a family that the filter does not name only for rows that pass the filter. */
static gboolean
names_every_family (const KvsqlFilter *filter, const KvsqlAccessPath *path)
{
  for (guint i = 0; i < path->n_columns; i++)
    if (!kvsql_filter_names_family (filter, path->columns[i].family))
      return FALSE;
  return path->n_columns > 0;
}

static void
push_down_values (KvsqlAccessPath *path, const KvsqlDnf *dnf, KvsqlArena *arena)
{
  const KvsqlSchema *schema = path->schema;
  Filter self = { .path = path, .arena = arena };
  KvsqlFilter filter = { 0 };
  KvsqlFilterClause *clauses;

  self.n_attributes = schema->relation->n_attributes;
  if (path->is_exact || path->n_columns == 0 || schema->options.fails_undecodable
      || !schema->is_row_whole || dnf->n_disjuncts > MAX_CLAUSES)
    return;
  clauses = kvsql_arena_array (arena, KvsqlFilterClause, dnf->n_disjuncts);
  for (guint b = 0; b < dnf->n_disjuncts; b++)
    {
      if (!make_clause (&self, &dnf->disjuncts[b], &clauses[filter.n_clauses])
          || self.n_comparisons > MAX_COMPARISONS)
        return;
      filter.n_clauses += clauses[filter.n_clauses].n_terms > 0;
    }
  filter.clauses = clauses;
  if (filter.n_clauses > 0 && names_every_family (&filter, path) && is_selective (&self, dnf))
    path->filter = kvsql_arena_copy (arena, &filter, sizeof filter);
  /* if a tuple is one cell, only this cell need be read, which makes the filter cheapest */
  if (path->filter != NULL && schema->n_cells == 1)
    {
      const KvsqlColumn column
          = { .family = clauses[0].terms[0].family, .qualifier = clauses[0].terms[0].qualifier };

      path->columns = kvsql_arena_copy (arena, &column, sizeof column);
      path->n_columns = 1;
    }
}

/* ---- keys only */

/* A cell that fits no layout is not a tuple. So its value has to be read, unless the layout accepts
 * all values. */
static gboolean
takes_any_value (const KvsqlCellLayout *cell, const KvsqlAttributeSet *needed)
{
  const KvsqlSequence *value = cell->fields[KVSQL_FIELD_VALUE];
  const KvsqlElement *element = value->n_elements == 1 ? value->elements[0] : NULL;

  return cell->derived == NULL && cell->each == NULL && element != NULL
         && element->klass == &kvsql_element_attribute && element->type == KVSQL_TYPE_BYTES
         && !kvsql_attribute_set_has (needed, element->attribute);
}

static void
push_down_keys_only (KvsqlAccessPath *self, const KvsqlAttributeSet *needed)
{
  const KvsqlSchema *schema = self->schema;
  KvsqlSlice family, qualifier;

  if (self->filter != NULL || !kvsql_attribute_set_is_empty (&schema->map_attributes))
    return;
  for (guint c = 0; c < schema->n_cells; c++)
    if (!takes_any_value (&schema->cells[c], needed)
        && (!kvsql_cell_get_column (&schema->cells[c], &family, &qualifier) || self->n_columns == 0
            || reads_column (self, family, qualifier)))
      return;
  self->keys_only = TRUE;
}

void
kvsql_access_path_push_down (KvsqlAccessPath *self, const KvsqlDnf *dnf,
                             const KvsqlAttributeSet *needed,
                             const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena)
{
  if (!has_scan (self))
    return;
  push_down_times (self, dnf, capabilities, arena);
  if ((capabilities->filters & KVSQL_FILTER_VALUES) != 0)
    push_down_values (self, dnf, arena);
  if ((capabilities->filters & KVSQL_FILTER_KEYS_ONLY) != 0)
    push_down_keys_only (self, needed);
}

void
kvsql_access_path_push_down_until (KvsqlAccessPath *self, gint64 timestamp,
                                   const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena)
{
  if (self->schema->is_primary && has_scan (self)
      && (capabilities->flags & KVSQL_STORE_ONE_VERSION) != 0 && is_one_cell_a_row (self->schema))
    self->times.max = timestamp + 1;
}
