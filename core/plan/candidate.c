/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * candidate.c: constraints laid over the fields of a schema give tables, row ranges and columns.
 *
 * Each box is laid over each cell of the schema, once over keys that are the same in all cells; all
 * ranges of a table are then merged, so that no row is read twice.
 */
#include "config.h"

#include "core/plan/candidate.h"
#include "core/plan/cells.h"
#include "core/plan/estimate.h"
#include "core/plan/store-side.h"

#include <math.h>

#define MAX_COLUMNS 64

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
  const KvsqlMapKeys *map_keys; /* nullable: all that is read of the map with cells for entries */
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

/* From the least name to the greatest. */
static void
widen_names (KvsqlRowRange *names, const KvsqlPieces *pieces, gboolean is_first, KvsqlArena *arena)
{
  if (pieces->is_open)
    {
      *names = (KvsqlRowRange){ 0 };
      return;
    }
  for (guint i = 0; i < pieces->n_pieces; i++)
    {
      const KvsqlPiece *piece = &pieces->pieces[i];
      KvsqlSlice stop = KVSQL_SLICE_EMPTY;

      if (piece->is_point)
        stop = kvsql_row_key_next (piece->low, arena);
      else if (piece->has_high)
        stop = piece->high;
      if (is_first || kvsql_slice_compare (piece->low, names->start) < 0)
        names->start = piece->low;
      if (is_first || stop.size == 0
          || (names->stop.size > 0 && kvsql_slice_compare (stop, names->stop) > 0))
        names->stop = stop;
      is_first = FALSE;
    }
}

static void
keep_common_prefix (KvsqlCandidate *candidate, const KvsqlPieces *pieces, KvsqlArena *arena)
{
  gboolean is_first = !candidate->has_open_table;

  widen_names (&candidate->table_names, pieces, is_first, arena);
  if (pieces->is_open)
    candidate->table_prefix = KVSQL_SLICE_EMPTY;

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
  if (kvsql_pieces_are_points (out))
    drop_impossible_families (out);
}

/* Whether a tuple is one cell whose address is known: a store finds that without a search. */
static gboolean
is_one_known_cell (const Maker *maker, const KvsqlPieces *rows)
{
  return maker->schema->n_cells == 1 && kvsql_pieces_are_points (rows)
         && !maker->schema->options.fails_unparsable;
}

/* Exact columns only where the predicate fixes attributes in QUALIFIER, or not all cells are
 * needed; else a constant qualifier is cheaper to check than to ask for, but in single rows. FALSE:
 * no cell can be what the predicate asks for. */
static gboolean
add_columns (Maker *maker, const KvsqlCellLayout *cell, const KvsqlConstrainer *constrainer,
             const KvsqlPieces *families, const KvsqlPieces *rows)
{
  KvsqlPieces qualifiers;
  KvsqlAttributeSet attributes = { 0 };
  gboolean are_fixed;

  if (!kvsql_pieces_are_points (families))
    {
      maker->columns_are_open = TRUE;
      return TRUE;
    }
  kvsql_sequence_collect_attributes (cell->fields[KVSQL_FIELD_QUALIFIER], &attributes);
  are_fixed = maker->n_read < maker->schema->n_cells || maker->map_keys != NULL
              || is_one_known_cell (maker, rows)
              || !kvsql_attribute_set_contains (&(KvsqlAttributeSet){ 0 }, &attributes);
  if (are_fixed)
    {
      constrain_field (cell, KVSQL_FIELD_QUALIFIER, constrainer, &qualifiers);
      are_fixed = kvsql_pieces_are_points (&qualifiers) && qualifiers.n_pieces <= MAX_COLUMNS;
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

/* ---- proof */

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
  gdouble share
      = kvsql_estimate_sequence (cell->fields[KVSQL_FIELD_ROW], constrainer, &bounded, &is_exact);

  candidate->n_fixed = MAX (candidate->n_fixed, keys->rows.n_fixed);
  candidate->is_proved = candidate->is_proved && is_exact
                         && is_proved_by (box, &bounded, maker->schema->relation->n_attributes);
  kvsql_attribute_set_add_all (&candidate->bounded, &bounded);
  if (maker->statistics != NULL)
    share = kvsql_estimate_known_share (maker->statistics, box, &bounded);
  if (keys->rows.n_pieces > 0 && keys->rows.pieces[0].is_point)
    keys->n_rows = keys->rows.n_pieces;
  else
    keys->n_rows = MAX (kvsql_estimate_table_rows (maker->statistics) * share, 1.0);
}

static void
add_row_ranges (Maker *maker, GArray *out, const KvsqlPieces *pieces)
{
  if (kvsql_row_ranges_add (out, pieces, maker->arena))
    maker->candidate->is_full_scan = TRUE;
}

static void
add_keys (Maker *maker, const Keys *keys)
{
  if (kvsql_pieces_are_points (&keys->tables))
    {
      for (guint i = 0; i < keys->tables.n_pieces; i++)
        if (keys->tables.pieces[i].low.size > 0) /* no table has no name */
          add_row_ranges (maker, ranges_of_table (maker, keys->tables.pieces[i].low), &keys->rows);
    }
  else
    {
      keep_common_prefix (maker->candidate, &keys->tables, maker->arena);
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
  if (keys->is_empty || !add_columns (maker, cell, &constrainer, &keys->families, &keys->rows))
    return;
  if (!keys->is_added)
    {
      add_keys (maker, keys);
      estimate_keys (maker, box, cell, &constrainer, keys);
      keys->is_added = keys->has_keys;
    }
  maker->rows += keys->n_rows;
}

/* Of a map, the cells of the entries that are wanted. */
static void
constrain_map_key (const Maker *maker, KvsqlConstraint *out)
{
  const KvsqlMapKeys *wanted = maker->map_keys;

  if (wanted == NULL)
    return;
  *out = (KvsqlConstraint){ .is_constrained = TRUE,
                            .intervals
                            = kvsql_arena_array (maker->arena, KvsqlInterval, wanted->n_keys),
                            .n_intervals = wanted->n_keys };
  for (guint i = 0; i < wanted->n_keys; i++)
    {
      KvsqlValue key = { .type = KVSQL_TYPE_STRING, .bytes = wanted->keys[i] };
      out->intervals[i]
          = (KvsqlInterval){ .low = key, .high = key, .has_low = TRUE, .has_high = TRUE };
    }
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
  if (cell->is_map)
    constrain_map_key (maker, &constraints[n_attributes + KVSQL_MAP_KEY]);
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
      maker->candidate->table_names = (KvsqlRowRange){ 0 };
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

      kvsql_row_ranges_merge (table->ranges);
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

/* A few entries of a map do where tuples are found without the others: by an entry that the
 * predicate asks for, or by the marker. */
static void
choose_map_keys (Maker *maker, const KvsqlBoxes *boxes)
{
  gint map = maker->schema->map_attribute;
  gint marker = -1;

  if (map < 0 || boxes->map_keys == NULL || boxes->map_keys[map].is_whole
      || boxes->map_keys[map].n_keys == 0)
    return;
  for (guint c = 0; c < maker->schema->n_cells; c++)
    if (maker->schema->cells[c].is_marker)
      marker = c;
  if (marker < 0 && !boxes->map_keys[map].is_strict)
    return;
  maker->map_keys = &boxes->map_keys[map];
  if (marker < 0)
    return;
  maker->n_read += !maker->map_keys->is_strict - maker->is_read[marker];
  maker->is_read[marker] = !maker->map_keys->is_strict;
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
  maker.n_read = kvsql_schema_choose_cells (schema, needed, maker.is_read);
  choose_map_keys (&maker, boxes);
  out->n_cells = maker.n_read;
  maker.tables = g_array_new (FALSE, FALSE, sizeof (TableRanges));
  maker.columns = g_array_new (FALSE, FALSE, sizeof (KvsqlColumn));
  for (guint b = 0; b < boxes->n_boxes; b++)
    lay_box (&maker, &boxes->boxes[b]);
  finish_tables (&maker);
  g_array_unref (maker.tables);
  g_array_unref (maker.columns);
  kvsql_candidate_narrow (out, boxes, needed, capabilities, arena);

  /* each cell of a fan-out was counted; a cell costs less than a row */
  kvsql_candidate_estimate (
      out, MIN (maker.rows / maker.n_read, kvsql_estimate_table_rows (boxes->statistics)),
      capabilities);
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
  if (self->skip != NULL)
    self->cost += kvsql_skip_get_cost (self->skip, rows, capabilities);
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
