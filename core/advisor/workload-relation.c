/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload-relation.c: finds the relation of a name.
 */
#include "config.h"

#include "core/advisor/workload-private.h"

guint
kvsql_workload_find_relation (const KvsqlWorkload *self, const KvsqlName *name, GError **error)
{
  g_autofree const gchar **names = g_new0 (const gchar *, self->n_relations + 1);
  const gchar *suggestion;

  for (guint i = 0; i < self->n_relations; i++)
    {
      const KvsqlRelation *relation = self->relations[i].relation;

      names[i] = relation->name;
      if (kvsql_name_means (name, relation->name, relation->is_quoted))
        return i;
    }
  suggestion = kvsql_suggest (name->text, names, self->n_relations);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "relation \"%s\" does not exist",
                   name->text);
  if (suggestion != NULL)
    kvsql_error_hint (error, "Did you mean \"%s\"?", suggestion);
  return G_MAXUINT;
}
