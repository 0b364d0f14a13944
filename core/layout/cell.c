/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cell.c: expands attr_name and attr_value, and compiles the fields of a schema.
 */
#include "config.h"

#include "core/layout/cell.h"

#include "core/base/interrupt.h"
#include "core/layout/el-phoenix.h"
#include "core/layout/compile-sequence.h"
#include "core/layout/element-classes.h"
#include "core/layout/encoding/phoenix.h"
#include "core/layout/map-cells.h"
#include "core/sql/ast-definition.h"
#include "core/sql/printer.h"

/* The arguments of attr_name[…] and attr_value[…] in one schema. */
typedef struct
{
  const KvsqlRelation *relation;
  const KvsqlLayoutNode *name_node; /* the first attr_name and the first attr_value, or NULL */
  const KvsqlLayoutNode *value_node;
  KvsqlAttributeSet listed;
} FanOut;

static gboolean
is_named (const KvsqlLayoutNode *node, const gchar *name)
{
  return node->kind == KVSQL_LAYOUT_ELEMENT && g_ascii_strcasecmp (node->name.text, name) == 0;
}

static gboolean
needs_list (const KvsqlLayoutNode *node, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span, "%s needs a list in [ ]",
                   node->name.text);
  return kvsql_error_hint (error, "List the attributes that are elsewhere, as in %s['k1','k2'].",
                           node->name.text);
}

/* attr_name without a list is a fan-out, unless the relation has an attribute with this name. */
static gboolean
is_bare_fan_out (const FanOut *self, const KvsqlLayoutNode *node)
{
  guint unused;

  return node->kind == KVSQL_LAYOUT_ATTRIBUTE && !node->name.is_quoted
         && (g_ascii_strcasecmp (node->name.text, "attr_name") == 0
             || g_ascii_strcasecmp (node->name.text, "attr_value") == 0)
         && !kvsql_relation_find (self->relation, &node->name, &unused, NULL);
}

static gboolean
resolve_list (FanOut *self, const KvsqlLayoutNode *node, GError **error)
{
  gboolean is_first = self->name_node == NULL && self->value_node == NULL;
  KvsqlAttributeSet listed = { 0 };
  guint attribute;

  if (!node->has_list || node->n_arguments > 0 || node->has_inner)
    return needs_list (node, error);
  for (guint i = 0; i < node->n_listed; i++)
    {
      if (!kvsql_relation_find (self->relation, &node->listed[i], &attribute, error))
        return FALSE;
      kvsql_attribute_set_add (&listed, attribute);
    }
  if (!is_first && memcmp (&listed, &self->listed, sizeof listed) != 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                            "attr_name and attr_value of one schema must list the same attributes");
  self->listed = listed;
  return TRUE;
}

static gboolean
find_fan_out (FanOut *self, const KvsqlLayoutSequence *layout, GError **error)
{
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      gboolean is_name = is_named (node, "attr_name"), is_value = is_named (node, "attr_value");

      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if (is_bare_fan_out (self, node))
        return needs_list (node, error);

      if ((is_name || is_value) && !resolve_list (self, node, error))
        return FALSE;
      if (is_name && self->name_node == NULL)
        self->name_node = node;
      if (is_value && self->value_node == NULL)
        self->value_node = node;
      if (!is_name && !is_value && node->has_inner && !find_fan_out (self, &node->inner, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_fan_out (const FanOut *self, GError **error)
{
  if (self->name_node != NULL && self->value_node == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->name_node->span,
                            "attr_name needs an attr_value with the same list")
           || kvsql_error_hint (error,
                                "Usually QUALIFIER attr_name[…] goes with VALUE attr_value[…].");
  if (self->value_node != NULL && self->name_node == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->value_node->span,
                            "attr_value needs an attr_name with the same list")
           || kvsql_error_hint (error, "Without it the values could not be distinguished.");
  if (self->name_node != NULL && kvsql_attribute_set_contains (&self->listed, &self->relation->all))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->name_node->span,
                            "attr_name lists every attribute, so nothing is left for it");
  return TRUE;
}

/* A copy of the layout for the cell of @attribute. */
static KvsqlLayoutSequence
expand (const KvsqlLayoutSequence *layout, const KvsqlAttribute *attribute, KvsqlArena *arena)
{
  KvsqlLayoutSequence copy = *layout;

  copy.nodes = kvsql_arena_array (arena, KvsqlLayoutNode, layout->n_nodes);
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      KvsqlLayoutNode *made = &copy.nodes[i];

      *made = *node;
      if (is_named (node, "attr_name"))
        *made = (KvsqlLayoutNode){ .kind = KVSQL_LAYOUT_CONSTANT,
                                   .span = node->span,
                                   .constant = kvsql_slice_from_text (attribute->name) };
      else if (is_named (node, "attr_value"))
        *made = (KvsqlLayoutNode){
          .kind = KVSQL_LAYOUT_ATTRIBUTE,
          .span = node->span,
          .name = { .span = node->span, .text = attribute->name, .is_quoted = attribute->is_quoted }
        };
      else if (node->has_inner)
        made->inner = expand (&node->inner, attribute, arena);
    }
  return copy;
}

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
  if (!kvsql_derived_resolve (&compiler, out->fields, &out->derived, error))
    return FALSE;
  out->attributes = compiler.placed;
  out->relation = relation;
  return TRUE;
}

static gboolean
check_field (const KvsqlCellLayout *cell, const KvsqlDefineSchema *definition, KvsqlField field,
             GError **error)
{
  KvsqlSpan span = definition->fields[field].span;

  if (cell->fields[field]->n_elements > 0)
    return TRUE;
  return kvsql_error_set (
      error, KVSQL_ERROR_DEFINITION, span.offset >= 0 ? span : definition->name.span,
      "%s of schema \"%s\" is empty", kvsql_field_get_name (field), definition->name.text);
}

/* Checks the marker. It has its own qualifier and value; its other fields are those of the schema,
 * so they must not depend on the attribute of a cell. */
static gboolean
check_marker (const FanOut *fan_out, const KvsqlDefineSchema *definition, GError **error)
{
  FanOut inside = { .relation = fan_out->relation };

  for (guint field = 0; field < KVSQL_FIELD_QUALIFIER; field++)
    {
      const KvsqlLayoutNode *node;

      if (!find_fan_out (&inside, &definition->fields[field], error))
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
    for (guint a = 0; a < relation->n_attributes && cells[c].fan_attribute >= 0; a++)
      if (kvsql_attribute_set_has (&cells[c].attributes, a) && (gint)a != cells[c].fan_attribute
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
  out->fan_attribute = -1;
  out->is_marker = TRUE;
  return compile_cell (layouts, relation, arena, out, error);
}

static gboolean
has_fan_out (const KvsqlLayoutSequence *layout)
{
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      if (is_named (node, "attr_name") || is_named (node, "attr_value")
          || (node->has_inner && has_fan_out (&node->inner)))
        return TRUE;
    }
  return FALSE;
}

static void
find_common_fields (const KvsqlDefineSchema *definition, KvsqlCellLayout *cells, guint n_cells)
{
  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    {
      const KvsqlSequence *sequence = cells[0].fields[field];
      gboolean is_common = !has_fan_out (&definition->fields[field])
                           && (field < KVSQL_FIELD_QUALIFIER || !cells[n_cells - 1].is_marker);

      /* the number of parts depends on the other elements of the cell that hold the attribute */
      for (guint c = 0; c < n_cells; c++)
        if (cells[c].fan_attribute >= 0)
          is_common = is_common
                      && !kvsql_attribute_set_has (&sequence->derived_from, cells[c].fan_attribute);
      for (guint c = 0; c < n_cells; c++)
        cells[c].is_common[field] = is_common;
    }
}

/* ---- entries of a map */

/* The key of an entry distinguishes the cells of a tuple, so it must be in QUALIFIER. VALUE belongs
 * to the entry alone. */
static gboolean
check_map_places (const KvsqlMapCells *map, const KvsqlCellLayout *cell, GError **error)
{
  const gchar *name = map->relation->attributes[map->attribute].name;
  guint n = map->relation->n_attributes;

  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    {
      KvsqlAttributeSet held = { 0 };

      kvsql_sequence_collect_attributes (cell->fields[field], &held);
      if (kvsql_attribute_set_has (&held, n + KVSQL_MAP_KEY) != (field == KVSQL_FIELD_QUALIFIER))
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, map->key_node->span,
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
  guint n = map->relation->n_attributes;
  KvsqlAttributeSet held = { 0 };

  if (kvsql_attribute_set_has (&cell->attributes, map->attribute))
    return kvsql_error_set (
               error, KVSQL_ERROR_DEFINITION, map->key_node->span,
               "a map with a cell for each entry cannot be anywhere else in the schema")
           || kvsql_error_hint (error, "Leave out map_key and map_value, or the other place of %s.",
                                name);
  kvsql_cell_collect_held (cell, KVSQL_N_FIELDS, &held);
  if (!kvsql_attribute_set_has (&held, n + KVSQL_MAP_KEY)
      || !kvsql_attribute_set_has (&held, n + KVSQL_MAP_VALUE)
      || (cell->derived != NULL
          && (kvsql_attribute_set_has (&cell->derived->sources, n + KVSQL_MAP_KEY)
              || kvsql_attribute_set_has (&cell->derived->sources, n + KVSQL_MAP_VALUE))))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, map->key_node->span,
                            "the cells of a map hold whole keys and values, and nothing can be "
                            "derived from them")
           || kvsql_error_hint (error, "Hold map_key(%s) and map_value(%s) themselves.", name,
                                name);
  return TRUE;
}

static gboolean
compile_map (const KvsqlMapCells *map, const KvsqlDefineSchema *definition, KvsqlArena *arena,
             KvsqlCellLayout *out, GError **error)
{
  guint n = map->relation->n_attributes;
  KvsqlLayoutSequence layouts[KVSQL_N_FIELDS];

  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    layouts[field] = kvsql_map_cells_expand (map, &definition->fields[field], arena);
  if (!compile_cell (layouts, kvsql_map_cells_relation (map, arena), arena, out, error)
      || !check_map_places (map, out, error) || !check_map_is_held (map, out, error))
    return FALSE;
  kvsql_attribute_set_remove (&out->attributes, n + KVSQL_MAP_KEY);
  kvsql_attribute_set_remove (&out->attributes, n + KVSQL_MAP_VALUE);
  kvsql_attribute_set_add (&out->attributes, map->attribute);
  out->fan_attribute = map->attribute;
  out->is_map = TRUE;
  return TRUE;
}

static gboolean
check_one_fan_out (const FanOut *fan_out, const KvsqlMapCells *map, GError **error)
{
  if (fan_out->name_node == NULL || map->attribute < 0)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, map->key_node->span,
                          "one schema cannot have both map_key and attr_name")
         || kvsql_error_hint (error,
                              "Let TABLE, ROW and FAMILY hold all attributes but the map, or "
                              "define two schemas.");
}

guint
kvsql_cell_layouts_count_columns (const KvsqlCellLayout *cells, guint n_cells)
{
  guint n = 0;

  for (guint c = 0; c < n_cells; c++)
    n = MAX (n, cells[c].relation->n_attributes);
  return n;
}

gboolean
kvsql_cell_layouts_compile (const KvsqlDefineSchema *definition, const KvsqlRelation *relation,
                            KvsqlSlice marker, KvsqlSlice marker_value, KvsqlArena *arena,
                            KvsqlCellLayout **out_cells, guint *out_n_cells, GError **error)
{
  FanOut fan_out = { .relation = relation };
  KvsqlMapCells map;
  KvsqlCellLayout *cells = kvsql_arena_array (arena, KvsqlCellLayout, relation->n_attributes + 2);
  guint n = 0;

  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    if (!find_fan_out (&fan_out, &definition->fields[field], error))
      return FALSE;
  if (!check_fan_out (&fan_out, error) || !kvsql_map_cells_find (definition, relation, &map, error)
      || !check_one_fan_out (&fan_out, &map, error))
    return FALSE;

  for (guint a = 0; a < relation->n_attributes && fan_out.name_node != NULL; a++)
    {
      KvsqlLayoutSequence layouts[KVSQL_N_FIELDS];
      if (kvsql_attribute_set_has (&fan_out.listed, a))
        continue;
      for (guint field = 0; field < KVSQL_N_FIELDS; field++)
        layouts[field] = expand (&definition->fields[field], &relation->attributes[a], arena);
      cells[n].fan_attribute = a;
      if (!compile_cell (layouts, relation, arena, &cells[n++], error))
        return FALSE;
    }
  if (map.attribute >= 0 && !compile_map (&map, definition, arena, &cells[n++], error))
    return FALSE;
  if (n == 0)
    {
      cells[n].fan_attribute = -1;
      if (!compile_cell (definition->fields, relation, arena, &cells[n++], error))
        return FALSE;
    }
  if (marker.data != NULL
      && (!check_marker (&fan_out, definition, error)
          || !compile_marker (definition, relation, marker, marker_value, arena, &cells[n], error)
          || !check_marker_holds (cells, n, &cells[n], relation, definition, error)))
    return FALSE;
  n += marker.data != NULL;
  if (!check_field (&cells[0], definition, KVSQL_FIELD_TABLE, error)
      || !check_field (&cells[0], definition, KVSQL_FIELD_ROW, error)
      || !check_field (&cells[0], definition, KVSQL_FIELD_FAMILY, error))
    return FALSE;
  find_common_fields (definition, cells, n);
  *out_cells = cells;
  *out_n_cells = n;
  return kvsql_interrupt_check (error);
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
