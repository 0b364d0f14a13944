/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * candidate.c: constraints laid over the fields of a schema give tables, row ranges and columns.
 *
 * Each box is laid over each cell of the schema, once over keys that are the same in all cells; all
 * ranges of a table are then merged, so that no row is read twice. Without statistics the estimate
 * knows no data: every fixed part of a key is taken to divide the table by a hundred, a bounded one
 * by ten.
 */
#include "config.h"

#include "core/plan/candidate.h"
#include "core/plan/cells.h"

#include <math.h>
#include <stdlib.h>

#define MAX_COLUMNS 64

gboolean
kvsql_row_range_is_point (const KvsqlRowRange *range)
{
  return range->stop.size == range->start.size + 1 && range->stop.data[range->start.size] == 0
         && kvsql_slice_has_prefix (range->stop, range->start);
}

typedef struct
{
  KvsqlSlice table;
  GArray *ranges; /* KvsqlRowRange */
} TableRanges;

typedef struct
{
  KvsqlCandidate *candidate;
  const KvsqlSchema *schema;
  KvsqlArena *arena;
  GArray *tables;  /* TableRanges */
  GArray *columns; /* KvsqlColumn */
  gboolean columns_are_open;
  gdouble rows;
  const KvsqlStatistics *statistics; /* nullable */
  gboolean *is_read;                 /* by cell of the schema */
  guint n_read;
} Maker;

/* ---- tables */

static GArray *
ranges_of_table (Maker *maker, KvsqlSlice table)
{
  TableRanges entry = { .table = table };

  for (guint i = 0; i < maker->tables->len; i++)
    {
      TableRanges *known = &g_array_index (maker->tables, TableRanges, i);
      if (kvsql_slice_equal (known->table, table))
        return known->ranges;
    }
  entry.ranges = g_array_new (FALSE, FALSE, sizeof (KvsqlRowRange));
  g_array_append_val (maker->tables, entry);
  return entry.ranges;
}

/* Names of tables, or FALSE if they are open. */
static gboolean
fixed_tables (const KvsqlPieces *pieces)
{
  for (guint i = 0; i < pieces->n_pieces; i++)
    if (!pieces->pieces[i].is_point)
      return FALSE;
  return !pieces->is_open;
}

static void
keep_common_prefix (KvsqlCandidate *candidate, const KvsqlPieces *pieces)
{
  gboolean is_first = !candidate->has_open_table;

  candidate->has_open_table = TRUE;
  for (guint i = 0; i < pieces->n_pieces; i++)
    {
      const KvsqlPiece *piece = &pieces->pieces[i];
      gsize size = 0;
      /* every name in the range begins with what low and high share (the last byte of high may be
       * one more) */
      if (piece->is_point)
        size = piece->low.size;
      else if (piece->has_high)
        while (size < piece->low.size && size + 1 < piece->high.size
               && piece->low.data[size] == piece->high.data[size])
          size++;
      if (!piece->is_point && piece->has_high && size + 1 == piece->high.size
          && size < piece->low.size && piece->low.data[size] + 1 == piece->high.data[size])
        size++;
      if (is_first)
        candidate->table_prefix = kvsql_slice (piece->low.data, size);
      is_first = FALSE;
      candidate->table_prefix.size = MIN (candidate->table_prefix.size, size);
      while (!kvsql_slice_has_prefix (piece->low, candidate->table_prefix))
        candidate->table_prefix.size--;
    }
}

/* ---- rows */

static void
add_row_ranges (Maker *maker, GArray *out, const KvsqlPieces *pieces)
{
  for (guint i = 0; i < pieces->n_pieces; i++)
    {
      const KvsqlPiece *piece = &pieces->pieces[i];
      KvsqlRowRange range = { .start = piece->low };

      if (piece->is_point)
        {
          guint8 *stop = kvsql_arena_alloc (maker->arena, piece->low.size + 1);
          if (piece->low.size > 0)
            memcpy (stop, piece->low.data, piece->low.size);
          stop[piece->low.size] = 0;
          range.stop = kvsql_slice (stop, piece->low.size + 1);
        }
      else if (piece->has_high)
        range.stop = piece->high;
      if (range.stop.size == 0 && range.start.size == 0)
        maker->candidate->is_full_scan = TRUE;
      if (range.stop.size == 0 || kvsql_slice_compare (range.start, range.stop) < 0)
        g_array_append_val (out, range);
    }
}

static int
compare_ranges (const void *x, const void *y)
{
  const KvsqlRowRange *a = x, *b = y;

  return kvsql_slice_compare (a->start, b->start);
}

static void
merge_ranges (GArray *ranges)
{
  guint kept = 0;

  if (ranges->len > 1)
    qsort (ranges->data, ranges->len, sizeof (KvsqlRowRange), compare_ranges);
  for (guint i = 0; i < ranges->len; i++)
    {
      KvsqlRowRange *range = &g_array_index (ranges, KvsqlRowRange, i);
      KvsqlRowRange *last = kept > 0 ? &g_array_index (ranges, KvsqlRowRange, kept - 1) : NULL;

      /* Touching points stay apart: "a" and "a\0" are two keys to get. */
      if (last != NULL && last->stop.size == 0)
        continue;
      if (last != NULL
          && (kvsql_slice_compare (range->start, last->stop) < 0
              || (kvsql_slice_equal (range->start, last->stop)
                  && !(kvsql_row_range_is_point (last) && kvsql_row_range_is_point (range)))))
        {
          if (range->stop.size == 0 || kvsql_slice_compare (range->stop, last->stop) > 0)
            last->stop = range->stop;
        }
      else
        g_array_index (ranges, KvsqlRowRange, kept++) = *range;
    }
  g_array_set_size (ranges, kept);
}

/* ---- columns */

static void
add_column (Maker *maker, KvsqlColumn column)
{
  for (guint i = 0; i < maker->columns->len; i++)
    {
      KvsqlColumn *known = &g_array_index (maker->columns, KvsqlColumn, i);
      if (!kvsql_slice_equal (known->family, column.family))
        continue;
      if (known->whole_family
          || (!column.whole_family && kvsql_slice_equal (known->qualifier, column.qualifier)))
        return;
      if (column.whole_family)
        {
          g_array_remove_index (maker->columns, i--);
          continue;
        }
    }
  if (maker->columns->len >= MAX_COLUMNS)
    maker->columns_are_open = TRUE;
  else
    g_array_append_val (maker->columns, column);
}

/* A family made from values may be one that no store has. */
static gboolean
can_be_family (KvsqlSlice family)
{
  return family.size > 0 && memchr (family.data, '\0', family.size) == NULL
         && memchr (family.data, ':', family.size) == NULL;
}

static void
drop_impossible_families (KvsqlPieces *families)
{
  guint n = 0;

  for (guint i = 0; i < families->n_pieces; i++)
    if (can_be_family (families->pieces[i].low))
      families->pieces[n++] = families->pieces[i];
  families->n_pieces = n;
}

static void
constrain_field (const KvsqlCellLayout *cell, KvsqlField field, const KvsqlConstrainer *constrainer,
                 KvsqlPieces *out)
{
  KvsqlFollow end = { .kind = KVSQL_FOLLOW_END };

  kvsql_sequence_constrain (cell->fields[field], constrainer, end, out);
}

static void
constrain_family (const KvsqlCellLayout *cell, const KvsqlConstrainer *constrainer,
                  KvsqlPieces *out)
{
  constrain_field (cell, KVSQL_FIELD_FAMILY, constrainer, out);
  if (fixed_tables (out))
    drop_impossible_families (out);
}

/* Exact columns only where the predicate fixes attributes in QUALIFIER, or not all cells are
 * needed; else a constant qualifier is cheaper to check than to ask for. FALSE: no cell can be what
 * the predicate asks for. */
static gboolean
add_columns (Maker *maker, const KvsqlCellLayout *cell, const KvsqlConstrainer *constrainer,
             const KvsqlPieces *families)
{
  KvsqlPieces qualifiers;
  KvsqlAttributeSet attributes = { 0 };
  gboolean are_fixed;

  if (!fixed_tables (families))
    {
      maker->columns_are_open = TRUE;
      return TRUE;
    }
  kvsql_sequence_collect_attributes (cell->fields[KVSQL_FIELD_QUALIFIER], &attributes);
  are_fixed = maker->n_read < maker->schema->n_cells
              || !kvsql_attribute_set_contains (&(KvsqlAttributeSet){ 0 }, &attributes);
  if (are_fixed)
    {
      constrain_field (cell, KVSQL_FIELD_QUALIFIER, constrainer, &qualifiers);
      are_fixed = fixed_tables (&qualifiers) && qualifiers.n_pieces <= MAX_COLUMNS;
    }
  for (guint i = 0; i < families->n_pieces; i++)
    {
      KvsqlSlice family = families->pieces[i].low;
      if (!are_fixed)
        add_column (maker, (KvsqlColumn){ .family = family, .whole_family = TRUE });
      for (guint j = 0; are_fixed && j < qualifiers.n_pieces; j++)
        add_column (maker,
                    (KvsqlColumn){ .family = family, .qualifier = qualifiers.pieces[j].low });
    }
  return families->n_pieces > 0;
}

/* ---- estimates and proof */

/* Whether what begins with the bytes of a value is that value, and none that is longer. */
static gboolean
ends_for_sure (const KvsqlElement *element)
{
  return element->fixed_size >= 0 || element->is_prefix_free
         || (element->is_restricted && element->attribute >= 0);
}

/* Attributes in @sequence up to where the front is bounded. Walks as kvsql_sequence_constrain()
 * does. */
static gdouble
selectivity (const KvsqlSequence *sequence, const KvsqlConstrainer *constrainer,
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
      if (!fixed_tables (&pieces))
        {
          /* a range around several values may stop short of the last */
          *out_is_exact = *out_is_exact && (element->inner == NULL || element->attribute >= 0);
          return result * 0.1 * pieces.n_pieces;
        }
      *out_is_exact = *out_is_exact && (i + 1 == sequence->n_elements || ends_for_sure (element));
      result *= 0.01 * pieces.n_pieces;
    }
  return result;
}

static gdouble
get_table_rows (const KvsqlStatistics *statistics)
{
  return statistics == NULL        ? KVSQL_ASSUMED_ROWS
         : statistics->is_complete ? statistics->n_tuples
                                   : MAX (statistics->n_tuples, KVSQL_ASSUMED_ROWS);
}

/* As if attributes knew nothing of each other. */
static gdouble
known_share (const KvsqlStatistics *statistics, const KvsqlBox *box,
             const KvsqlAttributeSet *bounded)
{
  gdouble share = 1;

  for (guint a = 0; a < statistics->n_attributes; a++)
    if (kvsql_attribute_set_has (bounded, a))
      share *= kvsql_statistics_get_share (statistics, a, &box->constraints[a]);
  return share;
}

static gboolean
is_proved_by (const KvsqlBox *box, const KvsqlAttributeSet *bounded, guint n_attributes)
{
  for (guint a = 0; a < n_attributes; a++)
    if (box->constraints[a].is_constrained && !kvsql_attribute_set_has (bounded, a))
      return FALSE;
  return TRUE;
}

/* What a box says of the keys of a cell: of all cells, where they are laid out alike. */
typedef struct
{
  KvsqlPieces tables, rows, families;
  gboolean has_keys, has_families; /* known */
  gboolean is_empty;               /* there are no such rows */
  gboolean is_added;               /* to the tables' ranges */
  gdouble n_rows;
} Keys;

static void
estimate_keys (Maker *maker, const KvsqlBox *box, const KvsqlCellLayout *cell,
               const KvsqlConstrainer *constrainer, Keys *keys)
{
  KvsqlCandidate *candidate = maker->candidate;
  KvsqlAttributeSet bounded = { 0 };
  gboolean is_exact;
  gdouble share = selectivity (cell->fields[KVSQL_FIELD_ROW], constrainer, &bounded, &is_exact);

  candidate->n_fixed = MAX (candidate->n_fixed, keys->rows.n_fixed);
  candidate->is_proved = candidate->is_proved && is_exact
                         && is_proved_by (box, &bounded, maker->schema->relation->n_attributes);
  kvsql_attribute_set_add_all (&candidate->bounded, &bounded);
  if (maker->statistics != NULL)
    share = known_share (maker->statistics, box, &bounded);
  if (keys->rows.n_pieces > 0 && keys->rows.pieces[0].is_point)
    keys->n_rows = keys->rows.n_pieces;
  else
    keys->n_rows = MAX (get_table_rows (maker->statistics) * share, 1.0);
}

static void
add_keys (Maker *maker, const Keys *keys)
{
  if (fixed_tables (&keys->tables))
    {
      for (guint i = 0; i < keys->tables.n_pieces; i++)
        if (keys->tables.pieces[i].low.size > 0) /* no table has no name */
          add_row_ranges (maker, ranges_of_table (maker, keys->tables.pieces[i].low), &keys->rows);
    }
  else
    {
      keep_common_prefix (maker->candidate, &keys->tables);
      add_row_ranges (maker, ranges_of_table (maker, KVSQL_SLICE_EMPTY), &keys->rows);
    }
}

static void
lay_over_cell (Maker *maker, const KvsqlBox *box, const KvsqlConstraint *constraints,
               const KvsqlCellLayout *cell, Keys *keys)
{
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = maker->arena };

  if (!keys->has_keys)
    {
      constrain_field (cell, KVSQL_FIELD_TABLE, &constrainer, &keys->tables);
      constrain_field (cell, KVSQL_FIELD_ROW, &constrainer, &keys->rows);
      keys->is_empty = (!keys->tables.is_open && keys->tables.n_pieces == 0)
                       || (!keys->rows.is_open && keys->rows.n_pieces == 0);
      keys->has_keys = cell->is_common[KVSQL_FIELD_TABLE] && cell->is_common[KVSQL_FIELD_ROW];
    }
  if (!keys->has_families && !keys->is_empty)
    {
      constrain_family (cell, &constrainer, &keys->families);
      keys->has_families = cell->is_common[KVSQL_FIELD_FAMILY];
    }
  if (keys->is_empty || !add_columns (maker, cell, &constrainer, &keys->families))
    return;
  if (!keys->is_added)
    {
      add_keys (maker, keys);
      estimate_keys (maker, box, cell, &constrainer, keys);
      keys->is_added = keys->has_keys;
    }
  maker->rows += keys->n_rows;
}

/* @keys: what is known from other cells */
static void
lay_box_over_cell (Maker *maker, const KvsqlBox *box, const KvsqlCellLayout *cell, Keys *keys)
{
  const KvsqlConstraint *own
      = cell->fan_attribute < 0 ? NULL : &box->constraints[cell->fan_attribute];
  gboolean is_open = own != NULL && own->is_constrained && own->allows_null;
  guint n_attributes = maker->schema->relation->n_attributes;
  KvsqlConstraint *constraints;
  Keys own_keys = { 0 };

  if (!is_open && !cell->is_map)
    {
      lay_over_cell (maker, box, box->constraints, cell, keys);
      return;
    }
  constraints = kvsql_arena_array (maker->arena, KvsqlConstraint, cell->relation->n_attributes);
  memcpy (constraints, box->constraints, n_attributes * sizeof (KvsqlConstraint));
  /* A tuple without this cell has NULL there: where NULL is wanted, every cell has to be seen. */
  if (is_open)
    constraints[cell->fan_attribute].is_constrained = FALSE;
  lay_over_cell (maker, box, constraints, cell, is_open ? &own_keys : keys);
}

/* Nothing can be NULL where NULL is all that is left. */
static gboolean
is_impossible (const KvsqlBox *box, const KvsqlRelation *relation)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    if (box->constraints[a].is_constrained && box->constraints[a].n_intervals == 0
        && relation->attributes[a].is_not_null)
      return TRUE;
  return FALSE;
}

static void
lay_box (Maker *maker, const KvsqlBox *box)
{
  Keys keys = { 0 };

  if (is_impossible (box, maker->schema->relation))
    return;
  for (guint c = 0; c < maker->schema->n_cells; c++)
    if (maker->is_read[c])
      lay_box_over_cell (maker, box, &maker->schema->cells[c], &keys);
}

/* Where one box leaves TABLE open, every table listed is read with the ranges of all boxes. */
static void
gather_open_table (Maker *maker)
{
  GArray *all = ranges_of_table (maker, KVSQL_SLICE_EMPTY);

  for (guint i = maker->tables->len; i-- > 0;)
    {
      TableRanges *table = &g_array_index (maker->tables, TableRanges, i);
      if (table->ranges == all)
        continue;
      g_array_append_vals (all, table->ranges->data, table->ranges->len);
      g_array_unref (table->ranges);
      g_array_remove_index (maker->tables, i);
      maker->candidate->table_prefix = KVSQL_SLICE_EMPTY;
    }
}

static void
finish_tables (Maker *maker)
{
  KvsqlCandidate *candidate = maker->candidate;

  if (candidate->has_open_table)
    gather_open_table (maker);
  candidate->tables = kvsql_arena_array (maker->arena, KvsqlPlanTable, maker->tables->len + 1);
  for (guint i = 0; i < maker->tables->len; i++)
    {
      TableRanges *table = &g_array_index (maker->tables, TableRanges, i);
      KvsqlPlanTable *out = &candidate->tables[candidate->n_tables];

      merge_ranges (table->ranges);
      out->table = table->table;
      out->n_ranges = table->ranges->len;
      out->ranges = kvsql_arena_copy (maker->arena, table->ranges->data,
                                      table->ranges->len * sizeof (KvsqlRowRange));
      candidate->requests += candidate->has_open_table && out->table.size == 0 ? 10.0 : 1.0;
      candidate->requests += out->n_ranges > 1 ? (out->n_ranges - 1) * 0.2 : 0;
      if (out->n_ranges > 0)
        candidate->n_tables++;
      g_array_unref (table->ranges);
    }
  if (!maker->columns_are_open)
    {
      candidate->n_columns = maker->columns->len;
      candidate->columns = kvsql_arena_copy (maker->arena, maker->columns->data,
                                             maker->columns->len * sizeof (KvsqlColumn));
    }
}

void
kvsql_candidate_make (const KvsqlSchema *schema, const KvsqlBoxes *boxes,
                      const KvsqlAttributeSet *needed, const KvsqlStoreCapabilities *capabilities,
                      KvsqlArena *arena, KvsqlCandidate *out)
{
  Maker maker
      = { .candidate = out, .schema = schema, .arena = arena, .statistics = boxes->statistics };

  *out = (KvsqlCandidate){
    .schema = schema, .is_usable = TRUE, .missing_attribute = -1, .is_proved = boxes->is_exact
  };
  for (guint a = 0; a < schema->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (needed, a) && !kvsql_attribute_set_has (&schema->holds, a))
      {
        out->is_usable = FALSE;
        out->missing_attribute = a;
        return;
      }
  maker.is_read = kvsql_arena_array (arena, gboolean, schema->n_cells);
  out->n_cells = maker.n_read = kvsql_schema_choose_cells (schema, needed, maker.is_read);
  maker.tables = g_array_new (FALSE, FALSE, sizeof (TableRanges));
  maker.columns = g_array_new (FALSE, FALSE, sizeof (KvsqlColumn));
  for (guint b = 0; b < boxes->n_boxes; b++)
    lay_box (&maker, &boxes->boxes[b]);
  finish_tables (&maker);
  g_array_unref (maker.tables);
  g_array_unref (maker.columns);

  /* each cell of a fan-out was counted; a cell costs less than a row */
  kvsql_candidate_estimate (
      out, MIN (maker.rows / maker.n_read, get_table_rows (boxes->statistics)), capabilities);
}

void
kvsql_candidate_estimate (KvsqlCandidate *self, gdouble rows,
                          const KvsqlStoreCapabilities *capabilities)
{
  gdouble requests = self->requests;

  self->rows = rows;
  self->cost = rows * (1.0 + 0.25 * (self->n_cells - 1));
  if (self->fetch_schema != NULL)
    {
      requests += ceil (rows / KVSQL_ROWS_PER_GET);
      self->cost += rows * KVSQL_GET_COST;
    }
  self->cost += requests * capabilities->request_cost;
}

gint
kvsql_candidate_compare (const KvsqlCandidate *a, const KvsqlCandidate *b)
{
  if (fabs (a->cost - b->cost) > 1e-9 * (a->cost + b->cost))
    return a->cost < b->cost ? -1 : 1;
  if (a->n_fixed != b->n_fixed)
    return a->n_fixed > b->n_fixed ? -1 : 1;
  return (b->schema->is_primary != 0) - (a->schema->is_primary != 0);
}
