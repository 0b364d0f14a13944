/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * inferred-definition.c: see inferred-definition.h.
 */
#include "config.h"

#include "core/infer/inferred-definition.h"

static void
relation_free (gpointer data)
{
  KvsqlInferredRelation *self = data;

  g_free (self->relation);
  g_free (self->schema);
  g_free (self);
}

void
kvsql_inferred_definition_free (gpointer data)
{
  KvsqlInferredDefinition *self = data;

  g_ptr_array_unref (self->relations);
  g_ptr_array_unref (self->notes);
  g_array_unref (self->left_out);
  g_free (self->row);
  g_free (self->qualifier);
  g_free (self->value);
  g_free (self);
}

GPtrArray *
kvsql_inferred_relations_new (void)
{
  return g_ptr_array_new_with_free_func (relation_free);
}

gchar *
kvsql_inferred_definition_compare (const KvsqlInferredDefinition *self,
                                   const KvsqlInferredDefinition *other)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const struct
  {
    const gchar *field, *mine, *others;
  } fields[] = { { "ROW", self->row, other->row },
                 { "QUALIFIER", self->qualifier, other->qualifier },
                 { "VALUE", self->value, other->value } };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (g_strcmp0 (fields[i].mine, fields[i].others) != 0)
      g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", fields[i].field);
  return g_string_free (g_steal_pointer (&out), FALSE);
}
