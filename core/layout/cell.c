/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cell.c: expands the lines of a schema to cells, and compiles their fields.
 */
#include "config.h"

#include "core/layout/cell.h"

#include "core/base/interrupt.h"
#include "core/layout/el-phoenix.h"
#include "core/layout/el-tsdb.h"
#include "core/layout/compile-sequence.h"
#include "core/layout/each.h"
#include "core/layout/element-classes.h"
#include "core/layout/encoding/phoenix.h"
#include "core/layout/fan-cells.h"
#include "core/layout/map-cells.h"
#include "core/layout/sequence.h"
#include "core/sql/ast-definition.h"
#include "core/sql/printer.h"

static gboolean
compile_cell (const KvsqlLayoutSequence *layouts, const KvsqlRelation *relation, KvsqlArena *arena,
              KvsqlCellLayout *out, GError **error)
{
  KvsqlLayoutCompiler compiler
      = { .arena = arena,
          .relation = relation,
          .slots = kvsql_arena_array (arena, KvsqlElement *, KVSQL_MAX_SLOTS) };

  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    {
      compiler.is_cell_key = field != KVSQL_FIELD_VALUE;
      compiler.field = field;
      out->fields[field] = kvsql_sequence_compile (&compiler, &layouts[field], error);
      if (out->fields[field] == NULL)
        return FALSE;
    }
  kvsql_phoenix_forbid_empty (out->fields[KVSQL_FIELD_ROW]);
  if (!kvsql_tsdb_resolve (out->fields, error)
      || !kvsql_derived_resolve (&compiler, out->fields, &out->derived, error))
    return FALSE;
  out->attributes = compiler.placed;
  out->relation = relation;
  out->fan_attribute = out->map_attribute = -1;
  return TRUE;
}

static gboolean
check_field (const KvsqlCellLayout *cell, const KvsqlDefineSchema *definition, KvsqlField field,
             GError **error)
{
  KvsqlSpan span = definition->n_lines > 0 && field == KVSQL_FIELD_FAMILY
                       ? cell->span
                       : definition->fields[field].span;

  if (cell->fields[field]->n_elements > 0)
    return TRUE;
  return kvsql_error_set (
      error, KVSQL_ERROR_DEFINITION, span.offset >= 0 ? span : definition->name.span,
      "%s of schema \"%s\" is empty", kvsql_field_get_name (field), definition->name.text);
}

/* Checks the marker. It has its own qualifier and value; its other fields are those of the schema,
 * so they must not depend on the attribute of a cell. */
static gboolean
check_marker (const KvsqlDefineSchema *definition, const KvsqlRelation *relation, GError **error)
{
  KvsqlFanCells inside = { .relation = relation };

  for (guint field = 0; field < KVSQL_FIELD_QUALIFIER; field++)
    {
      const KvsqlLayoutNode *node;

      if (!kvsql_fan_cells_find (&inside, &definition->fields[field], error))
        return FALSE;
      node = inside.name_node != NULL ? inside.name_node : inside.value_node;
      if (node == NULL)
        continue;
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                       "%s is not possible in %s of a schema with a marker", node->name.text,
                       kvsql_field_get_name (field));
      return kvsql_error_hint (error,
                               "The marker is one more cell next to those of the attributes: keep "
                               "attr_name in QUALIFIER, and attr_value there or in VALUE.");
    }
  return TRUE;
}

/* The marker must hold the attributes that each cell repeats, since it may be the only cell of a
 * tuple. */
static gboolean
check_marker_holds (const KvsqlCellLayout *cells, guint n_cells, const KvsqlCellLayout *marker,
                    const KvsqlRelation *relation, const KvsqlDefineSchema *definition,
                    GError **error)
{
  for (guint c = 0; c < n_cells; c++)
    for (guint a = 0;
         a < relation->n_attributes && !kvsql_attribute_set_is_empty (&cells[c].optional); a++)
      if (kvsql_attribute_set_has (&cells[c].attributes, a)
          && !kvsql_attribute_set_has (&cells[c].optional, a)
          && !kvsql_attribute_set_has (&marker->attributes, a))
        {
          kvsql_error_set (error, KVSQL_ERROR_DEFINITION, definition->name.span,
                           "the marker of schema \"%s\" would not hold attribute \"%s\"",
                           definition->name.text, relation->attributes[a].name);
          return kvsql_error_hint (
              error, "A tuple may be nothing but its marker, which has TABLE, ROW and FAMILY of "
                     "the schema: put the attribute there, or let attr_value hold it.");
        }
  return TRUE;
}

static gboolean
compile_marker (const KvsqlDefineSchema *definition, const KvsqlRelation *relation,
                KvsqlSlice marker, KvsqlSlice marker_value, KvsqlArena *arena, KvsqlCellLayout *out,
                GError **error)
{
  KvsqlLayoutNode qualifier
      = { .kind = KVSQL_LAYOUT_CONSTANT, .span = definition->name.span, .constant = marker };
  KvsqlLayoutNode value
      = { .kind = KVSQL_LAYOUT_CONSTANT, .span = definition->name.span, .constant = marker_value };
  KvsqlLayoutSequence layouts[KVSQL_N_FIELDS];

  memcpy (layouts, definition->fields, sizeof layouts);
  layouts[KVSQL_FIELD_QUALIFIER]
      = (KvsqlLayoutSequence){ .span = definition->name.span, .nodes = &qualifier, .n_nodes = 1 };
  layouts[KVSQL_FIELD_VALUE] = (KvsqlLayoutSequence){ .span = definition->name.span,
                                                      .nodes = &value,
                                                      .n_nodes = marker_value.size > 0 };
  out->is_marker = TRUE;
  return compile_cell (layouts, relation, arena, out, error);
}

/* ---- entries of a map */

/* The key of an entry distinguishes the cells of a tuple, so it must be in QUALIFIER. VALUE belongs
 * to the entry alone. */
static gboolean
check_map_places (const KvsqlMapCells *map, const KvsqlCellLayout *cell, GError **error)
{
  const gchar *name = map->relation->attributes[map->attribute].name;
  guint n = map->first_column;

  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    {
      KvsqlAttributeSet held = { 0 };

      kvsql_sequence_collect_attributes (cell->fields[field], &held);
      if (kvsql_attribute_set_has (&held, n + KVSQL_MAP_KEY) != (field == KVSQL_FIELD_QUALIFIER))
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, map->span,
                                "map_key is possible in QUALIFIER only")
               || kvsql_error_hint (error, "Write QUALIFIER map_key(%s).", name);
      if (kvsql_attribute_set_has (&held, n + KVSQL_MAP_VALUE) != (field == KVSQL_FIELD_VALUE))
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, map->value_node->span,
                                "map_value is possible in VALUE only")
               || kvsql_error_hint (error, "Write VALUE map_value(%s).", name);
      kvsql_attribute_set_remove (&held, n + KVSQL_MAP_VALUE);
      if (field == KVSQL_FIELD_VALUE
          && !kvsql_attribute_set_contains (&(KvsqlAttributeSet){ 0 }, &held))
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, map->value_node->span,
                                "VALUE cannot have an attribute next to map_value")
               || kvsql_error_hint (error,
                                    "Every entry would repeat it. Put it into ROW, or hold "
                                    "the map as json{%s}.",
                                    name);
    }
  return TRUE;
}

/* The cell of an entry must hold its key and its value completely. */
static gboolean
check_map_is_held (const KvsqlMapCells *map, const KvsqlCellLayout *cell, GError **error)
{
  const gchar *name = map->relation->attributes[map->attribute].name;
  guint n = map->first_column;
  KvsqlAttributeSet held = { 0 };

  if (kvsql_attribute_set_has (&cell->attributes, map->attribute))
    return kvsql_error_set (
               error, KVSQL_ERROR_DEFINITION, map->span,
               "a map with a cell for each entry cannot be anywhere else in the schema")
           || kvsql_error_hint (error, "Leave out map_key and map_value, or the other place of %s.",
                                name);
  kvsql_cell_collect_held (cell, KVSQL_N_FIELDS, &held);
  if (!kvsql_attribute_set_has (&held, n + KVSQL_MAP_KEY)
      || !kvsql_attribute_set_has (&held, n + KVSQL_MAP_VALUE)
      || (cell->derived != NULL
          && (kvsql_attribute_set_has (&cell->derived->sources, n + KVSQL_MAP_KEY)
              || kvsql_attribute_set_has (&cell->derived->sources, n + KVSQL_MAP_VALUE))))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, map->span,
                            "the cells of a map hold whole keys and values, and nothing can be "
                            "derived from them")
           || kvsql_error_hint (error, "Hold map_key(%s) and map_value(%s) themselves.", name,
                                name);
  return TRUE;
}

static gboolean
compile_map (const KvsqlMapCells *map, const KvsqlLayoutSequence *layouts,
             const KvsqlRelation *with_entries, KvsqlArena *arena, KvsqlCellLayout *out,
             GError **error)
{
  KvsqlLayoutSequence expanded[KVSQL_N_FIELDS];

  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    expanded[field] = kvsql_map_cells_expand (map, &layouts[field], arena);
  if (!compile_cell (expanded, with_entries, arena, out, error)
      || !check_map_places (map, out, error) || !check_map_is_held (map, out, error))
    return FALSE;
  for (guint a = map->relation->n_attributes; a < with_entries->n_attributes; a++)
    kvsql_attribute_set_remove (&out->attributes, a);
  kvsql_attribute_set_add (&out->attributes, map->attribute);
  kvsql_attribute_set_add (&out->optional, map->attribute);
  out->map_attribute = map->attribute;
  out->first_column = map->first_column;
  out->is_others = map->is_others;
  return TRUE;
}

/* ---- lines */

typedef struct
{
  KvsqlSpan span;
  KvsqlLayoutSequence fields[KVSQL_N_FIELDS];
  KvsqlFanCells fan; /* name_node NULL: none */
  KvsqlMapCells map;
  KvsqlEachPlaces each; /* value.node NULL: none */
} Line;

typedef struct
{
  const KvsqlDefineSchema *definition;
  const KvsqlRelation *relation;
  const KvsqlRelation *with_entries; /* of all maps */
  KvsqlArena *arena;
  Line *lines;
  guint n_lines;
  KvsqlCellLayout *cells;
  guint n_cells;
  guint max_cells;
} Lines;

static gboolean
check_one_fan_out (const Line *line, GError **error)
{
  if (line->fan.name_node == NULL || line->map.attribute < 0)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, line->map.span,
                          "one cell cannot have both map_key and attr_name")
         || kvsql_error_hint (error,
                              "Let TABLE, ROW and FAMILY hold all attributes but the map, or give "
                              "the map a line of CELLS.");
}

static gboolean
find_fan_outs (Line *line, const KvsqlRelation *relation, GError **error)
{
  line->fan.relation = relation;
  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    if (!kvsql_fan_cells_find (&line->fan, &line->fields[field], error))
      return FALSE;
  return kvsql_fan_cells_check (&line->fan, error)
         && kvsql_map_cells_find (line->fields, relation, &line->map, error)
         && kvsql_each_find (line->fields, &line->each, error) && check_one_fan_out (line, error);
}

/* The first element of the column is the family, the others are the qualifier. */
static void
set_column (Line *line, const KvsqlCellLine *written)
{
  const KvsqlLayoutSequence *column = &written->column;

  line->fields[KVSQL_FIELD_FAMILY] = (KvsqlLayoutSequence){ .span = column->nodes[0].span,
                                                            .nodes = column->nodes,
                                                            .n_nodes = 1 };
  line->fields[KVSQL_FIELD_QUALIFIER] = (KvsqlLayoutSequence){ .span = column->span,
                                                               .nodes = column->nodes + 1,
                                                               .n_nodes = column->n_nodes - 1 };
  line->fields[KVSQL_FIELD_VALUE] = written->value;
}

static gboolean
read_line (Lines *self, Line *line, const KvsqlCellLine *written, GError **error)
{
  line->span = written->span;
  memcpy (line->fields, self->definition->fields, sizeof line->fields);
  if (written->others.text == NULL)
    {
      set_column (line, written);
      return find_fan_outs (line, self->relation, error);
    }
  line->fan.relation = self->relation;
  return kvsql_map_cells_find_others (&written->others, self->relation, &line->map, error);
}

static gboolean
read_lines (Lines *self, GError **error)
{
  const KvsqlDefineSchema *definition = self->definition;

  if (definition->n_lines > KVSQL_MAX_ATTRIBUTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, definition->lines[KVSQL_MAX_ATTRIBUTES].span,
                            "a schema has at most %d lines of CELLS", KVSQL_MAX_ATTRIBUTES);
  self->n_lines = MAX (definition->n_lines, 1);
  self->lines = kvsql_arena_array (self->arena, Line, self->n_lines);
  for (guint i = 0; i < definition->n_lines; i++)
    if (!read_line (self, &self->lines[i], &definition->lines[i], error))
      return FALSE;
  if (definition->n_lines > 0)
    return TRUE;
  self->lines[0].span = definition->fields[KVSQL_FIELD_QUALIFIER].span;
  memcpy (self->lines[0].fields, definition->fields, sizeof definition->fields);
  return find_fan_outs (&self->lines[0], self->relation, error);
}

/* Gives the entries of each map their columns. */
static gboolean
add_columns (Lines *self, GError **error)
{
  KvsqlMapCells **maps = kvsql_arena_array (self->arena, KvsqlMapCells *, self->n_lines);
  guint n = 0;

  for (guint i = 0; i < self->n_lines; i++)
    {
      KvsqlMapCells *map = &self->lines[i].map;

      for (guint j = 0; j < n && map->attribute >= 0; j++)
        {
          if (maps[j]->is_others && map->is_others)
            return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, map->span,
                                    "OTHERS is given twice");
          if (maps[j]->attribute == map->attribute)
            return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, map->span,
                                    "the entries of map \"%s\" have cells in another line already",
                                    self->relation->attributes[map->attribute].name);
        }
      if (map->attribute >= 0)
        maps[n++] = map;
    }
  self->with_entries = kvsql_map_cells_add_columns (maps, n, self->relation, self->arena, error);
  if (self->with_entries == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    for (guint field = KVSQL_FIELD_FAMILY; field < KVSQL_N_FIELDS && maps[i]->is_others; field++)
      {
        Line *line = (Line *)((guint8 *)maps[i] - G_STRUCT_OFFSET (Line, map));
        line->fields[field] = kvsql_map_cells_others_layout (maps[i], field, self->arena);
      }
  return TRUE;
}

/* A cell with a layout of its own is absent if what only its value holds is NULL; if the value
 * holds nothing, what only its column holds. */
static void
find_optional (KvsqlCellLayout *cell)
{
  KvsqlAttributeSet rest = cell->attributes, row = { 0 }, value = { 0 };

  kvsql_cell_collect_held (cell, KVSQL_FIELD_ROW + 1, &row);
  kvsql_attribute_set_add_all (&row, &cell->relation->keys);
  kvsql_attribute_set_remove_all (&rest, &row);
  kvsql_sequence_collect_attributes (cell->fields[KVSQL_FIELD_VALUE], &value);
  kvsql_attribute_set_keep_all (&value, &rest);
  cell->optional = kvsql_attribute_set_is_empty (&value) ? rest : value;
  cell->is_marker = kvsql_attribute_set_is_empty (&cell->optional);
}

static gboolean
make_room (Lines *self, GError **error)
{
  for (guint i = 0; i < self->n_lines; i++)
    {
      self->max_cells += self->lines[i].fan.name_node != NULL ? self->relation->n_attributes : 1;
      if (self->max_cells > KVSQL_MAX_ATTRIBUTES)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->lines[i].span,
                                "a tuple of schema \"%s\" could have more than %d cells",
                                self->definition->name.text, KVSQL_MAX_ATTRIBUTES);
    }
  self->max_cells++; /* a marker */
  self->cells = kvsql_arena_array (self->arena, KvsqlCellLayout, self->max_cells);
  return TRUE;
}

static KvsqlCellLayout *
next_cell (Lines *self)
{
  g_assert (self->n_cells < self->max_cells);
  return &self->cells[self->n_cells++];
}

static gboolean
compile_fan (Lines *self, const Line *line, GError **error)
{
  for (guint a = 0; a < self->relation->n_attributes; a++)
    {
      KvsqlLayoutSequence layouts[KVSQL_N_FIELDS];
      KvsqlCellLayout *cell;

      if (kvsql_attribute_set_has (&line->fan.listed, a))
        continue;
      cell = next_cell (self);
      for (guint field = 0; field < KVSQL_N_FIELDS; field++)
        layouts[field] = kvsql_fan_cells_expand (&line->fields[field],
                                                 &self->relation->attributes[a], self->arena);
      if (!compile_cell (layouts, self->relation, self->arena, cell, error))
        return FALSE;
      cell->line = (guint)(line - self->lines);
      cell->span = line->span;
      cell->fan_attribute = (gint)a;
      kvsql_attribute_set_add (&cell->optional, a);
    }
  return TRUE;
}

/* A cell of each{…} holds whole tuples. */
static gboolean
check_each_alone (const Lines *self, const Line *line, GError **error)
{
  const KvsqlSpan span = line->each.value.node->span;

  if (self->n_lines > 1)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span,
                            "a schema with each{…} has one line of CELLS")
           || kvsql_error_hint (error, "Put all attributes into its cell.");
  if (line->fan.name_node != NULL || line->map.attribute >= 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span,
                            "one cell cannot have both each and %s",
                            line->fan.name_node != NULL ? "attr_name" : "map_key")
           || kvsql_error_hint (error,
                                "A cell of each{…} holds whole tuples: name the attributes.");
  return TRUE;
}

static gboolean
compile_each (const Lines *self, const Line *line, KvsqlCellLayout *cell, GError **error)
{
  KvsqlLayoutSequence layouts[KVSQL_N_FIELDS];

  memcpy (layouts, line->fields, sizeof layouts);
  if (!kvsql_each_flatten (&line->each, layouts, self->arena, error)
      || !compile_cell (layouts, self->relation, self->arena, cell, error))
    return FALSE;
  cell->each = kvsql_each_compile (&line->each, line->fields, cell->fields, self->relation,
                                   self->arena, error);
  return cell->each != NULL;
}

static gboolean
compile_line (Lines *self, const Line *line, GError **error)
{
  KvsqlCellLayout *cell;

  if (line->each.value.node != NULL && !check_each_alone (self, line, error))
    return FALSE;
  if (line->fan.name_node != NULL)
    return compile_fan (self, line, error);
  cell = next_cell (self);
  if (line->map.attribute >= 0)
    {
      if (!compile_map (&line->map, line->fields, self->with_entries, self->arena, cell, error))
        return FALSE;
    }
  else if (line->each.value.node != NULL
               ? !compile_each (self, line, cell, error)
               : !compile_cell (line->fields, self->relation, self->arena, cell, error))
    return FALSE;
  cell->line = (guint)(line - self->lines);
  cell->span = line->span;
  if (line->map.attribute < 0 && line->each.value.node == NULL && self->definition->n_lines > 0)
    find_optional (cell);
  return TRUE;
}

/* ---- all cells together */

static void
find_own (KvsqlCellLayout *cells, guint n_cells)
{
  KvsqlAttributeSet every = cells[0].attributes;

  for (guint c = 1; c < n_cells; c++)
    kvsql_attribute_set_keep_all (&every, &cells[c].attributes);
  for (guint c = 0; c < n_cells; c++)
    {
      cells[c].own = cells[c].attributes;
      kvsql_attribute_set_remove_all (&cells[c].own, &every);
      kvsql_attribute_set_add_all (&cells[c].own, &cells[c].optional);
    }
}

/* Each attribute has one cell that is there whenever the attribute has a value; or all cells hold
 * it. */
static gboolean
check_own (const Lines *self, GError **error)
{
  KvsqlAttributeSet placed = { 0 };

  for (guint c = 0; c < self->n_cells; c++)
    {
      KvsqlAttributeSet twice = placed;
      gint a;

      kvsql_attribute_set_keep_all (&twice, &self->cells[c].optional);
      a = kvsql_attribute_set_next (&twice, -1);
      if (a >= 0)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->cells[c].span,
                                "attribute \"%s\" is in another line of CELLS already",
                                self->relation->attributes[a].name)
               || kvsql_error_hint (error, "Two cells could have two values for it.");
      kvsql_attribute_set_add_all (&placed, &self->cells[c].optional);
    }
  for (guint c = 0; c < self->n_cells; c++)
    {
      KvsqlAttributeSet lost = self->cells[c].own;
      gint a;

      kvsql_attribute_set_remove_all (&lost, &placed);
      a = kvsql_attribute_set_next (&lost, -1);
      if (a >= 0)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->cells[c].span,
                                "attribute \"%s\" would be lost in a tuple without this cell",
                                self->relation->attributes[a].name)
               || kvsql_error_hint (
                   error, "Put it into ROW or into every line, or give it a line of its own.");
    }
  return TRUE;
}

/* Points of OpenTSDB have another end if there are several. */
static gboolean
check_points (const KvsqlCellLayout *cell, GError **error)
{
  const KvsqlSequence *value = cell->fields[KVSQL_FIELD_VALUE];

  if (!kvsql_tsdb_is_value (value) || (cell->each != NULL && cell->each->qualifier != NULL))
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, value->elements[0]->span,
                          "tsdb_value is possible in each{…} only")
         || kvsql_error_hint (error, "Write QUALIFIER each{tsdb_offset{at}}, VALUE "
                                     "each{tsdb_value{v}}. A cell of one point is one, too.");
}

static gboolean
is_same_family (const KvsqlCellLayout *a, const KvsqlCellLayout *b)
{
  const KvsqlSequence *x = a->fields[KVSQL_FIELD_FAMILY], *y = b->fields[KVSQL_FIELD_FAMILY];

  return x->is_constant && y->is_constant && kvsql_slice_equal (x->constant, y->constant);
}

/* Whether all cells have the same layout in the field. */
static gboolean
is_common (const Lines *self, KvsqlField field)
{
  gboolean is_common = TRUE;

  if (self->definition->n_lines == 0)
    is_common = !kvsql_fan_cells_are_in (&self->definition->fields[field])
                && (field < KVSQL_FIELD_QUALIFIER || !self->cells[self->n_cells - 1].is_marker);
  else if (field >= KVSQL_FIELD_QUALIFIER)
    is_common = self->n_cells == 1;
  for (guint c = 1;
       c < self->n_cells && field == KVSQL_FIELD_FAMILY && self->definition->n_lines > 0; c++)
    is_common = is_common && is_same_family (&self->cells[0], &self->cells[c]);
  /* the number of parts depends on the other elements of the cell that hold the attribute */
  for (guint c = 0; c < self->n_cells && is_common; c++)
    is_common = !kvsql_attribute_set_intersects (&self->cells[0].fields[field]->derived_from,
                                                 &self->cells[c].own);
  return is_common;
}

static gboolean
add_marker (Lines *self, KvsqlSlice marker, KvsqlSlice marker_value, GError **error)
{
  KvsqlCellLayout *out = next_cell (self);

  if (self->definition->n_lines > 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION,
                            self->definition->fields[KVSQL_FIELD_FAMILY].span,
                            "a schema has either CELLS or a marker")
           || kvsql_error_hint (error, "Write the marker as a line with a constant value, as in "
                                       "'f':x'00' = ''.");
  if (self->lines[0].each.value.node != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->lines[0].each.value.node->span,
                            "a schema has either each{…} or a marker")
           || kvsql_error_hint (error, "The elements of a cell show which tuples exist.");
  if (!check_marker (self->definition, self->relation, error)
      || !compile_marker (self->definition, self->relation, marker, marker_value, self->arena, out,
                          error)
      || !check_marker_holds (self->cells, self->n_cells - 1, out, self->relation, self->definition,
                              error))
    return FALSE;
  out->span = self->lines[0].span;
  return TRUE;
}

gboolean
kvsql_cell_layouts_compile (const KvsqlDefineSchema *definition, const KvsqlRelation *relation,
                            KvsqlSlice marker, KvsqlSlice marker_value, KvsqlArena *arena,
                            KvsqlCellLayout **out_cells, guint *out_n_cells, GError **error)
{
  Lines self = { .definition = definition, .relation = relation, .arena = arena };

  if (!read_lines (&self, error) || !add_columns (&self, error) || !make_room (&self, error))
    return FALSE;
  for (guint i = 0; i < self.n_lines; i++)
    if (!compile_line (&self, &self.lines[i], error))
      return FALSE;
  if (marker.data != NULL && !add_marker (&self, marker, marker_value, error))
    return FALSE;
  for (guint c = 0; c < self.n_cells; c++)
    if (!check_field (&self.cells[c], definition, KVSQL_FIELD_TABLE, error)
        || !check_field (&self.cells[c], definition, KVSQL_FIELD_ROW, error)
        || !check_field (&self.cells[c], definition, KVSQL_FIELD_FAMILY, error)
        || !check_points (&self.cells[c], error))
      return FALSE;
  find_own (self.cells, self.n_cells);
  if (definition->n_lines > 0 && !check_own (&self, error))
    return FALSE;
  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    {
      gboolean all = is_common (&self, field);
      for (guint c = 0; c < self.n_cells; c++)
        self.cells[c].is_common[field] = all;
    }
  *out_cells = self.cells;
  *out_n_cells = self.n_cells;
  return kvsql_interrupt_check (error);
}

const KvsqlRelation *
kvsql_cell_layouts_get_columns (const KvsqlCellLayout *cells, guint n_cells)
{
  const KvsqlRelation *widest = cells[0].relation;

  for (guint c = 1; c < n_cells; c++)
    if (cells[c].relation->n_attributes > widest->n_attributes)
      widest = cells[c].relation;
  return widest;
}

/* ---- */

gboolean
kvsql_cell_is_absent (const KvsqlCellLayout *self, const KvsqlValue *tuple)
{
  gint a = kvsql_attribute_set_next (&self->optional, -1);

  if (a < 0)
    return FALSE;
  for (; a >= 0; a = kvsql_attribute_set_next (&self->optional, a))
    if (!kvsql_value_is_null (&tuple[a]))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_cell_is_certain (const KvsqlCellLayout *self)
{
  gint a = kvsql_attribute_set_next (&self->optional, -1);

  if (a < 0)
    return TRUE;
  for (; a >= 0; a = kvsql_attribute_set_next (&self->optional, a))
    if (self->relation->attributes[a].is_not_null)
      return TRUE;
  return FALSE;
}

gboolean
kvsql_cell_decode_column (const KvsqlCellLayout *self, KvsqlSlice family, KvsqlSlice qualifier,
                          KvsqlDecoder *decoder)
{
  return kvsql_sequence_decode (self->fields[KVSQL_FIELD_FAMILY], family, decoder)
         && kvsql_sequence_decode (self->fields[KVSQL_FIELD_QUALIFIER], qualifier, decoder)
         && (self->map_attribute < 0 || self->is_others
             || kvsql_map_cells_is_key (
                 decoder->batch->columns[self->first_column + KVSQL_MAP_KEY].slices[decoder->row]));
}

gboolean
kvsql_cell_layouts_have_name (const KvsqlCellLayout *cells, guint n_cells, KvsqlSlice family,
                              KvsqlSlice qualifier, KvsqlDecoder *decoder)
{
  for (guint c = 0; c < n_cells; c++)
    if (!cells[c].is_others && kvsql_cell_decode_column (&cells[c], family, qualifier, decoder))
      return TRUE;
  return FALSE;
}

void
kvsql_cell_collect_held (const KvsqlCellLayout *self, guint n_fields, KvsqlAttributeSet *out)
{
  kvsql_derived_collect_held (self->derived, self->fields, n_fields, out);
}

gboolean
kvsql_cell_get_column (const KvsqlCellLayout *self, KvsqlSlice *out_family,
                       KvsqlSlice *out_qualifier)
{
  const KvsqlSequence *family = self->fields[KVSQL_FIELD_FAMILY];
  const KvsqlSequence *qualifier = self->fields[KVSQL_FIELD_QUALIFIER];

  *out_family = family->constant;
  *out_qualifier = qualifier->constant;
  return family->is_constant && qualifier->is_constant;
}
