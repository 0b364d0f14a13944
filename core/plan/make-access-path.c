/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * make-access-path.c: intersects the constraints of a query with the layouts of one schema.
 *
 * The result is the tables, the row ranges and the columns to read. Each disjunct of the predicate
 * is intersected with each cell of the schema; keys that are the same in all cells are computed
 * once. All ranges of a table are then merged, so that no row is read twice.
 */
#include "config.h"

#include "core/plan/make-access-path.h"
#include "core/base/interrupt.h"
#include "core/layout/constrain.h"
#include "core/layout/each.h"
#include "core/layout/element.h"
#include "core/layout/map-cells.h"
#include "core/layout/others-key.h"
#include "core/plan/cells.h"
#include "core/plan/estimate.h"
#include "core/plan/pushdown.h"
#include "core/plan/row-width.h"

#define MAX_COLUMNS 64

typedef struct
{
  KvsqlSlice table;
  KvsqlRowRanges *ranges; /* in the arena */
} TableRanges;

typedef struct
{
  KvsqlAccessPath *path;
  const KvsqlSchema *schema;
  KvsqlArena *arena;
  GArray *tables;  /* TableRanges */
  GArray *columns; /* KvsqlColumn */
  gboolean columns_are_open;
  gdouble rows;
  const KvsqlStatistics *statistics; /* nullable */
  gboolean *is_read;                 /* by cell of the schema */
  guint n_read;
  const KvsqlMapKeys **map_keys; /* by cell: the entries to read of its map; NULL: all */
  gboolean has_map_keys;
} Maker;

/* ---- tables */

static KvsqlRowRanges *
ranges_of_table (Maker *maker, KvsqlSlice table)
{
  TableRanges entry = { .table = table };

  for (guint i = 0; i < maker->tables->len; i++)
    {
      TableRanges *known = &g_array_index (maker->tables, TableRanges, i);
      if (kvsql_slice_equal (known->table, table))
        return known->ranges;
    }
  entry.ranges = kvsql_arena_new0 (maker->arena, KvsqlRowRanges);
  g_array_append_val (maker->tables, entry);
  return entry.ranges;
}

/* Extends @names to all table names in @ranges. */
static void
widen_names (KvsqlRowRange *names, const KvsqlByteRanges *ranges, gboolean is_first,
             KvsqlArena *arena)
{
  if (ranges->is_open)
    {
      *names = (KvsqlRowRange){ 0 };
      return;
    }
  for (guint i = 0; i < ranges->n_ranges; i++)
    {
      const KvsqlByteRange *range = &ranges->ranges[i];
      KvsqlSlice stop = KVSQL_SLICE_EMPTY;

      if (range->is_point)
        stop = kvsql_row_key_next (range->low, arena);
      else if (range->has_high)
        stop = range->high;
      if (is_first || kvsql_slice_compare (range->low, names->start) < 0)
        names->start = range->low;
      if (is_first || stop.size == 0
          || (names->stop.size > 0 && kvsql_slice_compare (stop, names->stop) > 0))
        names->stop = stop;
      is_first = FALSE;
    }
}

static void
keep_common_prefix (KvsqlAccessPath *path, const KvsqlByteRanges *ranges, KvsqlArena *arena)
{
  gboolean is_first = !path->has_open_table;

  widen_names (&path->table_names, ranges, is_first, arena);
  if (ranges->is_open)
    path->table_prefix = KVSQL_SLICE_EMPTY;

  path->has_open_table = TRUE;
  for (guint i = 0; i < ranges->n_ranges; i++)
    {
      const KvsqlByteRange *range = &ranges->ranges[i];
      gsize size = 0;
      /* all names in the range begin with the common prefix of low and high; the last byte of high
       * may be greater by one */
      if (range->is_point)
        size = range->low.size;
      else if (range->has_high)
        while (size < range->low.size && size + 1 < range->high.size
               && range->low.data[size] == range->high.data[size])
          size++;
      if (!range->is_point && range->has_high && size + 1 == range->high.size
          && size < range->low.size && range->low.data[size] + 1 == range->high.data[size])
        size++;
      if (is_first)
        path->table_prefix = kvsql_slice (range->low.data, size);
      is_first = FALSE;
      path->table_prefix.size = MIN (path->table_prefix.size, size);
      while (!kvsql_slice_has_prefix (range->low, path->table_prefix))
        path->table_prefix.size--;
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

/* A family name that is made from values may not be valid in any store. */
static gboolean
can_be_family (KvsqlSlice family)
{
  return family.size > 0 && memchr (family.data, '\0', family.size) == NULL
         && memchr (family.data, ':', family.size) == NULL;
}

static void
drop_impossible_families (KvsqlByteRanges *families)
{
  guint n = 0;

  for (guint i = 0; i < families->n_ranges; i++)
    if (can_be_family (families->ranges[i].low))
      families->ranges[n++] = families->ranges[i];
  families->n_ranges = n;
}

static void
constrain_field (const KvsqlCellLayout *cell, KvsqlField field, const KvsqlConstrainer *constrainer,
                 KvsqlByteRanges *out)
{
  KvsqlDelimiter end = { .kind = KVSQL_DELIMITER_END };

  kvsql_sequence_constrain (cell->fields[field], constrainer, end, out);
}

static void
constrain_family (const KvsqlCellLayout *cell, const KvsqlConstrainer *constrainer,
                  KvsqlByteRanges *out)
{
  constrain_field (cell, KVSQL_FIELD_FAMILY, constrainer, out);
  if (kvsql_byte_ranges_are_points (out))
    drop_impossible_families (out);
}

/* Whether a tuple is one cell with a known cell key, which the store can get without a scan. */
static gboolean
is_one_known_cell (const Maker *maker, const KvsqlByteRanges *rows)
{
  return maker->schema->n_cells == 1 && kvsql_byte_ranges_are_points (rows)
         && !maker->schema->options.fails_undecodable;
}

/* Asks for exact columns only if the predicate fixes attributes in QUALIFIER, if not all cells are
 * needed, or for single cells. Else the whole family is read: to check a constant qualifier is
 * cheaper than to ask for it. FALSE: no cell can satisfy the predicate. */
static gboolean
add_columns (Maker *maker, const KvsqlCellLayout *cell, const KvsqlConstrainer *constrainer,
             const KvsqlByteRanges *families, const KvsqlByteRanges *rows)
{
  KvsqlByteRanges qualifiers;
  KvsqlAttributeSet attributes = { 0 };
  gboolean are_fixed;

  if (!kvsql_byte_ranges_are_points (families))
    {
      maker->columns_are_open = TRUE;
      return TRUE;
    }
  kvsql_sequence_collect_attributes (cell->fields[KVSQL_FIELD_QUALIFIER], &attributes);
  if (cell->each != NULL
      && cell->each->qualifier != NULL) /* the qualifiers of other tuples follow */
    {
      for (guint i = 0; i < families->n_ranges; i++)
        add_column (maker,
                    (KvsqlColumn){ .family = families->ranges[i].low, .whole_family = TRUE });
      return families->n_ranges > 0;
    }
  are_fixed = maker->n_read < maker->schema->n_cells || maker->has_map_keys
              || is_one_known_cell (maker, rows)
              || !kvsql_attribute_set_contains (&(KvsqlAttributeSet){ 0 }, &attributes);
  if (are_fixed)
    {
      constrain_field (cell, KVSQL_FIELD_QUALIFIER, constrainer, &qualifiers);
      are_fixed = kvsql_byte_ranges_are_points (&qualifiers) && qualifiers.n_ranges <= MAX_COLUMNS;
    }
  for (guint i = 0; i < families->n_ranges; i++)
    {
      KvsqlSlice family = families->ranges[i].low;
      if (!are_fixed)
        add_column (maker, (KvsqlColumn){ .family = family, .whole_family = TRUE });
      for (guint j = 0; are_fixed && j < qualifiers.n_ranges; j++)
        add_column (maker,
                    (KvsqlColumn){ .family = family, .qualifier = qualifiers.ranges[j].low });
    }
  return families->n_ranges > 0;
}

/* ---- exactness */

static gboolean
is_decided_by (const KvsqlDisjunct *disjunct, const KvsqlAttributeSet *bounded, guint n_attributes)
{
  for (guint a = 0; a < n_attributes; a++)
    if (disjunct->constraints[a].is_constrained && !kvsql_attribute_set_has (bounded, a))
      return FALSE;
  return TRUE;
}

/* What a disjunct says about the keys of a cell. It is shared by all cells with the same layout. */
typedef struct
{
  KvsqlByteRanges tables, rows, families;
  gboolean has_keys, has_families; /* computed */
  gboolean is_empty;               /* no such rows exist */
  gboolean is_added;               /* to the ranges of the tables */
  gdouble n_rows;
} Keys;

static void
estimate_keys (Maker *maker, const KvsqlDisjunct *disjunct, const KvsqlCellLayout *cell,
               const KvsqlConstrainer *constrainer, Keys *keys)
{
  KvsqlAccessPath *path = maker->path;
  KvsqlAttributeSet bounded = { 0 };
  gboolean is_exact;
  gdouble share
      = kvsql_estimate_sequence (cell->fields[KVSQL_FIELD_ROW], constrainer, &bounded, &is_exact);

  path->n_fixed = MAX (path->n_fixed, keys->rows.n_fixed);
  path->is_exact = path->is_exact && is_exact
                   && is_decided_by (disjunct, &bounded, maker->schema->relation->n_attributes);
  kvsql_attribute_set_add_all (&path->bounded, &bounded);
  if (maker->statistics != NULL)
    share = kvsql_estimate_known_share (maker->statistics, disjunct, &bounded);
  if (keys->rows.n_ranges > 0 && keys->rows.ranges[0].is_point)
    keys->n_rows = keys->rows.n_ranges;
  else
    {
      keys->n_rows = MAX (kvsql_estimate_table_rows (maker->statistics) * share, 1.0);
      path->is_assumed = path->is_assumed || kvsql_estimate_is_assumed (maker->statistics);
    }
}

static void
add_row_ranges (Maker *maker, KvsqlRowRanges *out, const KvsqlByteRanges *ranges)
{
  if (kvsql_row_ranges_add (out, ranges, maker->arena))
    maker->path->is_full_scan = TRUE;
}

static void
add_keys (Maker *maker, const Keys *keys)
{
  if (kvsql_byte_ranges_are_points (&keys->tables))
    {
      for (guint i = 0; i < keys->tables.n_ranges; i++)
        if (keys->tables.ranges[i].low.size > 0) /* table names are not empty */
          add_row_ranges (maker, ranges_of_table (maker, keys->tables.ranges[i].low), &keys->rows);
    }
  else
    {
      keep_common_prefix (maker->path, &keys->tables, maker->arena);
      add_row_ranges (maker, ranges_of_table (maker, KVSQL_SLICE_EMPTY), &keys->rows);
    }
}

static void
intersect_constraints (Maker *maker, const KvsqlDisjunct *disjunct,
                       const KvsqlConstraint *constraints, const KvsqlCellLayout *cell, Keys *keys)
{
  KvsqlConstrainer constrainer = { .constraints = constraints, .arena = maker->arena };

  if (!keys->has_keys)
    {
      constrain_field (cell, KVSQL_FIELD_TABLE, &constrainer, &keys->tables);
      constrain_field (cell, KVSQL_FIELD_ROW, &constrainer, &keys->rows);
      keys->is_empty = (!keys->tables.is_open && keys->tables.n_ranges == 0)
                       || (!keys->rows.is_open && keys->rows.n_ranges == 0);
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
      estimate_keys (maker, disjunct, cell, &constrainer, keys);
      keys->is_added = keys->has_keys;
    }
  maker->rows += keys->n_rows;
}

static void
add_point (KvsqlConstraint *out, KvsqlType type, KvsqlSlice bytes)
{
  KvsqlValue key = { .type = type, .bytes = bytes };

  out->intervals[out->n_intervals++]
      = (KvsqlInterval){ .low = key, .high = key, .has_low = TRUE, .has_high = TRUE };
}

static void
allow_points (const Maker *maker, guint n, KvsqlConstraint *out)
{
  *out = (KvsqlConstraint){ .is_constrained = TRUE,
                            .intervals = kvsql_arena_array (maker->arena, KvsqlInterval, n) };
}

/* For a map, adds the columns of the wanted entries. Of OTHERS, a key that is not a column has no
 * entry. */
static void
constrain_map_key (const Maker *maker, const KvsqlCellLayout *cell, const KvsqlMapKeys *wanted,
                   KvsqlConstraint *constraints)
{
  KvsqlConstraint *key = &constraints[cell->first_column + KVSQL_MAP_KEY];
  KvsqlConstraint *family = &constraints[cell->first_column + KVSQL_MAP_FAMILY];

  allow_points (maker, wanted->n_keys, key);
  if (cell->is_others)
    allow_points (maker, wanted->n_keys, family);
  for (guint i = 0; i < wanted->n_keys; i++)
    {
      KvsqlSlice family_bytes, qualifier;

      if (!cell->is_others)
        add_point (key, KVSQL_TYPE_STRING, wanted->keys[i]);
      else if (kvsql_others_key_parse (wanted->keys[i], maker->arena, &family_bytes, &qualifier))
        {
          add_point (family, KVSQL_TYPE_BYTES, family_bytes);
          add_point (key, KVSQL_TYPE_BYTES, qualifier);
        }
    }
}

/* Whether the cell may be absent in a tuple that satisfies the disjunct, although what the cell
 * holds is constrained. */
static gboolean
is_open_to_null (const KvsqlDisjunct *disjunct, const KvsqlCellLayout *cell)
{
  gboolean is_constrained = FALSE;

  for (gint a = -1; (a = kvsql_attribute_set_next (&cell->optional, a)) >= 0;)
    {
      if (!disjunct->constraints[a].is_constrained)
        continue;
      if (!disjunct->constraints[a].allows_null)
        return FALSE;
      is_constrained = TRUE;
    }
  return is_constrained;
}

/* @keys: computed for other cells, or empty */
static void
intersect_cell (Maker *maker, const KvsqlDisjunct *disjunct, guint index, Keys *keys)
{
  const KvsqlCellLayout *cell = &maker->schema->cells[index];
  gboolean is_open = is_open_to_null (disjunct, cell);
  guint n_attributes = maker->schema->relation->n_attributes;
  KvsqlConstraint *constraints;
  Keys own_keys = { 0 };

  if (!is_open && cell->map_attribute < 0)
    {
      intersect_constraints (maker, disjunct, disjunct->constraints, cell, keys);
      return;
    }
  constraints = kvsql_arena_array (maker->arena, KvsqlConstraint, cell->relation->n_attributes);
  memcpy (constraints, disjunct->constraints, n_attributes * sizeof (KvsqlConstraint));
  if (cell->map_attribute >= 0 && maker->map_keys[index] != NULL)
    constrain_map_key (maker, cell, maker->map_keys[index], constraints);
  /* A tuple without this cell has NULL there. If NULL satisfies the predicate, all cells have to be
   * read. */
  for (gint a = -1; is_open && (a = kvsql_attribute_set_next (&cell->optional, a)) >= 0;)
    constraints[a].is_constrained = FALSE;
  intersect_constraints (maker, disjunct, constraints, cell, is_open ? &own_keys : keys);
}

/* Whether a NOT NULL attribute is constrained to NULL. */
static gboolean
is_impossible (const KvsqlDisjunct *disjunct, const KvsqlRelation *relation)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    if (disjunct->constraints[a].is_constrained && disjunct->constraints[a].n_intervals == 0
        && relation->attributes[a].is_not_null)
      return TRUE;
  return FALSE;
}

static void
intersect_disjunct (Maker *maker, const KvsqlDisjunct *disjunct)
{
  Keys keys = { 0 };

  if (is_impossible (disjunct, maker->schema->relation))
    return;
  for (guint c = 0; c < maker->schema->n_cells && kvsql_interrupt_tick (); c++)
    if (maker->is_read[c])
      intersect_cell (maker, disjunct, c, &keys);
}

/* If one disjunct leaves TABLE open, all listed tables are read, with the ranges of all
 * disjuncts. */
static void
gather_open_table (Maker *maker)
{
  KvsqlRowRanges *all = ranges_of_table (maker, KVSQL_SLICE_EMPTY);

  for (guint i = maker->tables->len; i-- > 0;)
    {
      TableRanges *table = &g_array_index (maker->tables, TableRanges, i);
      if (table->ranges == all)
        continue;
      for (guint r = 0; r < table->ranges->n; r++)
        kvsql_row_ranges_append (all, table->ranges->ranges[r], maker->arena);
      g_array_remove_index (maker->tables, i);
      maker->path->table_prefix = KVSQL_SLICE_EMPTY;
      maker->path->table_names = (KvsqlRowRange){ 0 };
    }
}

static void
finish_tables (Maker *maker)
{
  KvsqlAccessPath *path = maker->path;

  if (path->has_open_table)
    gather_open_table (maker);
  g_assert (!path->has_open_table || maker->tables->len == 1);
  path->tables = kvsql_arena_array (maker->arena, KvsqlPlanTable, maker->tables->len + 1);
  for (guint i = 0; i < maker->tables->len; i++)
    {
      TableRanges *table = &g_array_index (maker->tables, TableRanges, i);
      KvsqlPlanTable *out = &path->tables[path->n_tables];

      kvsql_row_ranges_merge (table->ranges, maker->arena);
      out->table = table->table;
      out->n_ranges = table->ranges->n;
      out->ranges = table->ranges->ranges;
      path->requests += path->has_open_table && out->table.size == 0 ? 10.0 : 1.0;
      path->requests += out->n_ranges > 1 ? (out->n_ranges - 1) * 0.2 : 0;
      if (out->n_ranges > 0)
        path->n_tables++;
    }
  if (!maker->columns_are_open)
    {
      path->n_columns = maker->columns->len;
      path->columns = kvsql_arena_copy (maker->arena, maker->columns->data,
                                        maker->columns->len * sizeof (KvsqlColumn));
    }
}

/* The entries that the query uses; NULL: all of them. */
static const KvsqlMapKeys *
wanted_keys (const Maker *maker, const KvsqlDnf *dnf, guint cell)
{
  gint map = maker->schema->cells[cell].map_attribute;

  if (map < 0 || !maker->is_read[cell] || dnf->map_keys == NULL || dnf->map_keys[map].is_whole
      || dnf->map_keys[map].n_keys == 0)
    return NULL;
  return &dnf->map_keys[map];
}

/* Whether a cell is read that all tuples have; one of many entries is none. */
static gboolean
reads_certain_cell (const Maker *maker)
{
  for (guint c = 0; c < maker->schema->n_cells; c++)
    if (maker->is_read[c] && maker->schema->cells[c].map_attribute < 0
        && kvsql_cell_is_certain (&maker->schema->cells[c]))
      return TRUE;
  return FALSE;
}

/* Reads only some entries of a map, if that does not miss tuples: either the predicate requires one
 * of these entries, or a cell is read that all tuples have. */
static void
choose_map_keys (Maker *maker, const KvsqlDnf *dnf)
{
  gboolean is_certain = reads_certain_cell (maker);
  gboolean is_strict = FALSE;

  maker->map_keys = kvsql_arena_array (maker->arena, const KvsqlMapKeys *, maker->schema->n_cells);
  for (guint c = 0; c < maker->schema->n_cells; c++)
    is_strict = is_strict
                || (wanted_keys (maker, dnf, c) != NULL && wanted_keys (maker, dnf, c)->is_strict);
  for (guint c = 0; c < maker->schema->n_cells; c++)
    {
      const KvsqlMapKeys *wanted = wanted_keys (maker, dnf, c);

      if (wanted == NULL || !(is_certain || is_strict))
        continue;
      maker->map_keys[c] = wanted;
      maker->has_map_keys = TRUE;
    }
  /* a marker is read only to find tuples without the entries */
  for (guint c = 0; c < maker->schema->n_cells && is_strict; c++)
    if (maker->schema->cells[c].is_marker && maker->is_read[c])
      {
        maker->is_read[c] = FALSE;
        maker->n_read--;
      }
}

void
kvsql_access_path_make (const KvsqlSchema *schema, const KvsqlDnf *dnf,
                        const KvsqlAttributeSet *needed, const KvsqlStoreCapabilities *capabilities,
                        KvsqlArena *arena, KvsqlAccessPath *out)
{
  Maker maker = { .path = out, .schema = schema, .arena = arena, .statistics = dnf->statistics };

  *out = (KvsqlAccessPath){
    .schema = schema, .is_usable = TRUE, .missing_attribute = -1, .is_exact = dnf->is_exact
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
  choose_map_keys (&maker, dnf);
  g_assert (maker.n_read > 0); /* the estimate is divided by it */
  out->n_cells = maker.n_read;
  maker.tables = g_array_new (FALSE, FALSE, sizeof (TableRanges));
  maker.columns = g_array_new (FALSE, FALSE, sizeof (KvsqlColumn));
  for (guint b = 0; b < dnf->n_disjuncts && kvsql_interrupt_tick (); b++)
    intersect_disjunct (&maker, &dnf->disjuncts[b]);
  finish_tables (&maker);
  g_array_unref (maker.tables);
  g_array_unref (maker.columns);
  kvsql_access_path_push_down (out, dnf, needed, capabilities, arena);

  if (capabilities->costs.byte > 0)
    out->row_bytes = kvsql_estimate_row_bytes (schema, dnf->statistics, maker.is_read);
  /* each cell of a fan-out was counted as a row; a cell costs less */
  kvsql_access_path_estimate (
      out, MIN (maker.rows / maker.n_read, kvsql_estimate_table_rows (dnf->statistics)),
      capabilities);
}
