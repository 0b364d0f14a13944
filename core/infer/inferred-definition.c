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
  g_free (self->cells);
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
  gboolean has_row = g_str_equal (self->row, other->row);
  gboolean has_cells = g_str_equal (self->cells, other->cells);

  if (has_row && has_cells)
    return NULL;
  return g_strdup (has_cells ? "another ROW"
                   : has_row ? "other cells"
                             : "another ROW, other cells");
}
