/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fan-cells.c: finds attr_name and attr_value, and replaces them by a constant and an attribute.
 */
#include "config.h"

#include "core/layout/fan-cells.h"

#include "core/base/interrupt.h"
#include "core/schema/relation.h"

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
is_bare_fan_out (const KvsqlFanCells *self, const KvsqlLayoutNode *node)
{
  guint unused;

  return node->kind == KVSQL_LAYOUT_ATTRIBUTE && !node->name.is_quoted
         && (g_ascii_strcasecmp (node->name.text, "attr_name") == 0
             || g_ascii_strcasecmp (node->name.text, "attr_value") == 0)
         && !kvsql_relation_find (self->relation, &node->name, &unused, NULL);
}

static gboolean
resolve_list (KvsqlFanCells *self, const KvsqlLayoutNode *node, GError **error)
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

gboolean
kvsql_fan_cells_find (KvsqlFanCells *self, const KvsqlLayoutSequence *layout, GError **error)
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
      if (!is_name && !is_value && node->has_inner
          && !kvsql_fan_cells_find (self, &node->inner, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_fan_cells_check (const KvsqlFanCells *self, GError **error)
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

KvsqlLayoutSequence
kvsql_fan_cells_expand (const KvsqlLayoutSequence *layout, const KvsqlAttribute *attribute,
                        KvsqlArena *arena)
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
                                   .constant = kvsql_slice_from_text (attribute->label) };
      else if (is_named (node, "attr_value"))
        *made = (KvsqlLayoutNode){
          .kind = KVSQL_LAYOUT_ATTRIBUTE,
          .span = node->span,
          .name = { .span = node->span, .text = attribute->name, .is_quoted = attribute->is_quoted }
        };
      else if (node->has_inner)
        made->inner = kvsql_fan_cells_expand (&node->inner, attribute, arena);
    }
  return copy;
}

gboolean
kvsql_fan_cells_are_in (const KvsqlLayoutSequence *layout)
{
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      if (is_named (node, "attr_name") || is_named (node, "attr_value")
          || (node->has_inner && kvsql_fan_cells_are_in (&node->inner)))
        return TRUE;
    }
  return FALSE;
}
