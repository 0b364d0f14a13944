/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * blind-schema.c: see the header.
 */
#include "config.h"

#include "core/catalog/blind-schema.h"

#include "core/sql/ast-definition.h"
#include "core/sql/printer.h"

static gboolean
is_other (const KvsqlRelation *relation, const KvsqlName *name)
{
  guint attribute;

  return name->text != NULL && kvsql_relation_find (relation, name, &attribute, NULL)
         && !relation->attributes[attribute].is_key;
}

static const KvsqlName *
find_in_names (const KvsqlRelation *relation, const KvsqlLayoutNode *node)
{
  for (guint i = 0; i < node->n_arguments; i++)
    if (node->arguments[i].kind == KVSQL_ARGUMENT_NAME
        && is_other (relation, &node->arguments[i].name))
      return &node->arguments[i].name;
  for (guint i = 0; i < node->n_listed; i++)
    if (is_other (relation, &node->listed[i]))
      return &node->listed[i];
  return NULL;
}

/* The first attribute of the layout that is not KEY. (nullable) */
static const KvsqlName *
find_other (const KvsqlRelation *relation, const KvsqlLayoutSequence *layout)
{
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      const KvsqlName *found = NULL;

      if (node->kind == KVSQL_LAYOUT_ATTRIBUTE && is_other (relation, &node->name))
        return &node->name;
      if (node->kind == KVSQL_LAYOUT_ELEMENT)
        found = find_in_names (relation, node);
      if (found == NULL && node->has_inner)
        found = find_other (relation, &node->inner);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
fail (const KvsqlSchema *self, KvsqlSpan span, const gchar *place, const gchar *attribute,
      GError **error)
{
  const KvsqlRelation *relation = self->relation;

  kvsql_error_set (
      error, KVSQL_ERROR_DEFINITION, span,
      "%s of schema \"%s\" depends on \"%s\", which is not KEY, and writes of relation "
      "\"%s\" are blind",
      place, self->name, attribute, relation->name);
  return kvsql_error_hint (error,
                           "Blind writes do not read the tuple that they replace, so the KEY alone "
                           "has to say where its cells are. Leave the attribute out of the cell "
                           "keys, or use checked writes: ALTER RELATION %s WITH (writes = "
                           "checked).",
                           relation->name);
}

/* The name of an attribute of the cell keys that is not KEY. */
static const gchar *
name_other (const KvsqlSchema *self)
{
  const KvsqlRelation *relation = self->relation;

  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&self->cell_key_attributes, a) && !relation->attributes[a].is_key)
      return relation->attributes[a].name;
  g_return_val_if_reached ("");
}

gboolean
kvsql_schema_check_blind (const KvsqlSchema *self, const KvsqlDefineSchema *definition,
                          GError **error)
{
  if (self->relation->mode != KVSQL_WRITES_BLIND || self->is_located_by_key)
    return TRUE;
  for (guint field = 0; field < KVSQL_FIELD_VALUE; field++)
    {
      const KvsqlName *other = find_other (self->relation, &definition->fields[field]);

      if (other != NULL)
        return fail (self, other->span, kvsql_field_get_name (field), other->text, error);
    }
  for (guint i = 0; i < definition->n_lines; i++)
    {
      const KvsqlName *other = find_other (self->relation, &definition->lines[i].column);

      if (other != NULL)
        return fail (self, other->span, "a column", other->text, error);
    }
  return fail (self, definition->name.span, "a cell key", name_other (self), error);
}
