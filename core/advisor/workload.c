/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload.c: see workload.h.
 */
#include "config.h"

#include "core/advisor/workload.h"

#include "core/catalog/schema.h"

void
kvsql_workload_merge (KvsqlWorkload *self, gboolean by_text)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->n_statements; i++)
    {
      KvsqlWorkloadStatement *statement = &self->statements[i];
      g_autoptr (GString) key = g_string_new (NULL);
      gpointer first;

      g_string_printf (key, "%u %d %g ", statement->relation, statement->is_fresh, statement->slo);
      kvsql_shape_append_key (&statement->shape, key);
      g_string_append (key, by_text ? statement->text : "");
      statement->first = i;
      if (g_hash_table_lookup_extended (known, key->str, NULL, &first))
        statement->first = GPOINTER_TO_UINT (first);
      else
        g_hash_table_insert (known, g_strdup (key->str), GUINT_TO_POINTER (i));
      statement->total = 0;
      self->statements[statement->first].total += statement->weight;
    }
}

void
kvsql_workload_free (KvsqlWorkload *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_relations; i++)
    {
      kvsql_relation_unref (self->relations[i].relation);
      if (self->relations[i].statistics != NULL)
        self->relations[i].free_statistics (self->relations[i].statistics);
    }
  for (guint i = 0; i < self->n_schemas; i++)
    kvsql_schema_unref (self->schemas[i].schema);
  kvsql_arena_free (self->arena);
  g_free (self);
}
