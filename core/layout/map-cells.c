/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-cells.c: finds map_key and map_value, and replaces them by attributes.
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
                       "only one map of a schema can have a cell for each entry");
      return kvsql_error_hint (error, "Hold the other one in another schema, or as json{%s}.",
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
kvsql_map_cells_find (const KvsqlDefineSchema *definition, const KvsqlRelation *relation,
                      KvsqlMapCells *out, GError **error)
{
  KvsqlMapCells self = { .relation = relation, .attribute = -1 };
  const gchar *name;

  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    if (!find (&self, &definition->fields[field], error))
      return FALSE;
  *out = self;
  if (self.attribute < 0)
    return TRUE;
  name = relation->attributes[self.attribute].name;
  if (relation->n_attributes + KVSQL_MAP_COLUMNS > KVSQL_MAX_ATTRIBUTES)
    return kvsql_error_set (
        error, KVSQL_ERROR_LIMIT, (self.key_node != NULL ? self.key_node : self.value_node)->span,
        "cells for the entries of a map need a relation of at most %d attributes",
        KVSQL_MAX_ATTRIBUTES - KVSQL_MAP_COLUMNS);
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

static const gchar *
column_name (const KvsqlMapCells *self, guint column, KvsqlArena *arena)
{
  g_autofree gchar *name
      = g_strdup_printf ("%s(%s)", column == KVSQL_MAP_KEY ? "map_key" : "map_value",
                         self->relation->attributes[self->attribute].name);

  return kvsql_arena_strdup (arena, name);
}

const KvsqlRelation *
kvsql_map_cells_relation (const KvsqlMapCells *self, KvsqlArena *arena)
{
  guint n = self->relation->n_attributes;
  KvsqlType type = self->relation->attributes[self->attribute].type;
  KvsqlRelation *result = kvsql_arena_copy (arena, self->relation, sizeof *result);

  result->attributes = kvsql_arena_array (arena, KvsqlAttribute, n + KVSQL_MAP_COLUMNS);
  memcpy (result->attributes, self->relation->attributes, n * sizeof (KvsqlAttribute));
  for (guint column = 0; column < KVSQL_MAP_COLUMNS; column++)
    {
      const gchar *name = column_name (self, column, arena);
      result->attributes[n + column] = (KvsqlAttribute){
        .name = name,
        .name_hash = kvsql_name_hash (name),
        .is_quoted = TRUE,
        .type = column == KVSQL_MAP_KEY ? KVSQL_TYPE_STRING : kvsql_type_get_element (type),
        .is_not_null = TRUE,
      };
    }
  result->n_attributes = n + KVSQL_MAP_COLUMNS;
  g_assert (result->n_attributes <= KVSQL_MAX_ATTRIBUTES); /* as kvsql_map_cells_find() checks */
  return result;
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
        copy.nodes[i] = (KvsqlLayoutNode){
          .kind = KVSQL_LAYOUT_ATTRIBUTE,
          .span = node->span,
          .name = { .span = node->span,
                    .text = column_name (self, is_key ? KVSQL_MAP_KEY : KVSQL_MAP_VALUE, arena),
                    .is_quoted = TRUE },
        };
      else if (node->has_inner)
        copy.nodes[i].inner = kvsql_map_cells_expand (self, &node->inner, arena);
    }
  return copy;
}
