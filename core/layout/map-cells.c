/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-cells.c: finds map_key, map_value and OTHERS, and replaces them by attributes.
 */
#include "config.h"

#include "core/layout/map-cells.h"

#include "core/base/interrupt.h"

static gboolean
is_named (const KvsqlLayoutNode *node, const gchar *name)
{
  return node->kind == KVSQL_LAYOUT_ELEMENT && g_ascii_strcasecmp (node->name.text, name) == 0;
}

static gboolean
resolve (KvsqlMapCells *self, const KvsqlLayoutNode *node, GError **error)
{
  const KvsqlAttribute *attribute;
  guint a;

  if (node->n_arguments != 1 || node->arguments[0].kind != KVSQL_ARGUMENT_NAME || node->has_list
      || node->has_inner)
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                       "%s takes the name of one attribute in ( )", node->name.text);
      return kvsql_error_hint (error, "Write it as %s(m).", node->name.text);
    }
  if (!kvsql_relation_find (self->relation, &node->arguments[0].name, &a, error))
    return FALSE;
  attribute = &self->relation->attributes[a];
  if (!kvsql_type_is_map (attribute->type))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[0].span,
                            "%s is for a MAP<STRING, T>, and \"%s\" is %s", node->name.text,
                            attribute->name, kvsql_type_get_name (attribute->type));
  if (self->attribute >= 0 && self->attribute != (gint)a)
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[0].span,
                       "one cell cannot be for the entries of two maps");
      return kvsql_error_hint (error, "Give the other one a line of CELLS, or hold it as json{%s}.",
                               attribute->name);
    }
  self->attribute = a;
  return TRUE;
}

static gboolean
find (KvsqlMapCells *self, const KvsqlLayoutSequence *layout, GError **error)
{
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      gboolean is_key = is_named (node, "map_key"), is_value = is_named (node, "map_value");

      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if ((is_key || is_value) && !resolve (self, node, error))
        return FALSE;
      if (is_key && self->key_node == NULL)
        self->key_node = node;
      if (is_value && self->value_node == NULL)
        self->value_node = node;
      if (!is_key && !is_value && node->has_inner && !find (self, &node->inner, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_map_cells_find (const KvsqlLayoutSequence *layouts, const KvsqlRelation *relation,
                      KvsqlMapCells *out, GError **error)
{
  KvsqlMapCells self = { .relation = relation, .attribute = -1 };
  const gchar *name;

  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    if (!find (&self, &layouts[field], error))
      return FALSE;
  if (self.attribute >= 0)
    self.span = (self.key_node != NULL ? self.key_node : self.value_node)->span;
  *out = self;
  if (self.attribute < 0)
    return TRUE;
  name = relation->attributes[self.attribute].name;
  if (self.value_node == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self.key_node->span,
                            "map_key(%s) needs a map_value(%s)", name, name)
           || kvsql_error_hint (
               error, "Usually QUALIFIER map_key(%s) goes with VALUE map_value(%s).", name, name);
  if (self.key_node == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self.value_node->span,
                            "map_value(%s) needs a map_key(%s)", name, name)
           || kvsql_error_hint (error, "Without it the entries could not be distinguished.");
  return TRUE;
}

gboolean
kvsql_map_cells_find_others (const KvsqlName *name, const KvsqlRelation *relation,
                             KvsqlMapCells *out, GError **error)
{
  const KvsqlAttribute *attribute;
  guint a;

  if (!kvsql_relation_find (relation, name, &a, error))
    return FALSE;
  attribute = &relation->attributes[a];
  if (!kvsql_type_is_map (attribute->type)
      || kvsql_type_get_element (attribute->type) != KVSQL_TYPE_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, name->span,
                            "OTHERS is for a MAP<STRING, BYTES>, and \"%s\" is %s", attribute->name,
                            kvsql_type_get_name (attribute->type));
  *out = (KvsqlMapCells){
    .relation = relation, .attribute = a, .span = name->span, .is_others = TRUE
  };
  return TRUE;
}

static const gchar *
column_name (const KvsqlMapCells *self, guint column, KvsqlArena *arena)
{
  static const gchar *const names[] = {
    [KVSQL_MAP_KEY] = "map_key", [KVSQL_MAP_VALUE] = "map_value", [KVSQL_MAP_FAMILY] = "family"
  };
  g_autofree gchar *name
      = g_strdup_printf ("%s(%s)", names[column], self->relation->attributes[self->attribute].name);

  return kvsql_arena_strdup (arena, name);
}

static guint
count_columns (const KvsqlMapCells *self)
{
  return self->is_others ? KVSQL_MAP_FAMILY + 1 : KVSQL_MAP_VALUE + 1;
}

static void
add_column (const KvsqlMapCells *self, guint column, KvsqlRelation *out, KvsqlArena *arena)
{
  const gchar *name = column_name (self, column, arena);
  KvsqlType type = self->relation->attributes[self->attribute].type;

  if (column == KVSQL_MAP_VALUE)
    type = kvsql_type_get_element (type);
  else
    type = self->is_others ? KVSQL_TYPE_BYTES : KVSQL_TYPE_STRING;
  out->attributes[out->n_attributes++] = (KvsqlAttribute){
    .name = name,
    .name_hash = kvsql_name_hash (name),
    .is_quoted = TRUE,
    .type = type,
    .is_not_null = TRUE,
  };
}

const KvsqlRelation *
kvsql_map_cells_add_columns (KvsqlMapCells *const *maps, guint n, const KvsqlRelation *relation,
                             KvsqlArena *arena, GError **error)
{
  guint n_columns = 0;
  KvsqlRelation *result;

  if (n == 0)
    return relation;
  for (guint i = 0; i < n; i++)
    {
      n_columns += count_columns (maps[i]);
      if (relation->n_attributes + n_columns <= KVSQL_MAX_ATTRIBUTES)
        continue;
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, maps[i]->span,
                       "cells for the entries of a map need a relation of at most %d attributes",
                       KVSQL_MAX_ATTRIBUTES - (gint)n_columns);
      return NULL;
    }
  result = kvsql_arena_copy (arena, relation, sizeof *result);
  result->attributes
      = kvsql_arena_array (arena, KvsqlAttribute, relation->n_attributes + n_columns);
  memcpy (result->attributes, relation->attributes,
          relation->n_attributes * sizeof (KvsqlAttribute));
  for (guint i = 0; i < n; i++)
    {
      maps[i]->first_column = result->n_attributes;
      for (guint column = 0; column < count_columns (maps[i]); column++)
        add_column (maps[i], column, result, arena);
    }
  g_assert (result->n_attributes == relation->n_attributes + n_columns);
  return result;
}

static KvsqlLayoutNode
column_node (const KvsqlMapCells *self, guint column, KvsqlSpan span, KvsqlArena *arena)
{
  return (KvsqlLayoutNode){
    .kind = KVSQL_LAYOUT_ATTRIBUTE,
    .span = span,
    .name = { .span = span, .text = column_name (self, column, arena), .is_quoted = TRUE },
  };
}

KvsqlLayoutSequence
kvsql_map_cells_others_layout (const KvsqlMapCells *self, KvsqlField field, KvsqlArena *arena)
{
  static const guint columns[KVSQL_N_FIELDS] = { [KVSQL_FIELD_FAMILY] = KVSQL_MAP_FAMILY,
                                                 [KVSQL_FIELD_QUALIFIER] = KVSQL_MAP_KEY,
                                                 [KVSQL_FIELD_VALUE] = KVSQL_MAP_VALUE };
  KvsqlLayoutNode node = column_node (self, columns[field], self->span, arena);

  g_assert (field >= KVSQL_FIELD_FAMILY);
  return (KvsqlLayoutSequence){ .span = self->span,
                                .nodes = kvsql_arena_copy (arena, &node, sizeof node),
                                .n_nodes = 1 };
}

gboolean
kvsql_map_cells_is_key (KvsqlSlice key)
{
  return memchr (key.data, 0, key.size) == NULL
         && g_utf8_validate_len ((const gchar *)key.data, key.size, NULL);
}

KvsqlLayoutSequence
kvsql_map_cells_expand (const KvsqlMapCells *self, const KvsqlLayoutSequence *layout,
                        KvsqlArena *arena)
{
  KvsqlLayoutSequence copy = *layout;

  copy.nodes = kvsql_arena_array (arena, KvsqlLayoutNode, layout->n_nodes);
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      gboolean is_key = is_named (node, "map_key");

      copy.nodes[i] = *node;
      if (is_key || is_named (node, "map_value"))
        copy.nodes[i]
            = column_node (self, is_key ? KVSQL_MAP_KEY : KVSQL_MAP_VALUE, node->span, arena);
      else if (node->has_inner)
        copy.nodes[i].inner = kvsql_map_cells_expand (self, &node->inner, arena);
    }
  return copy;
}
