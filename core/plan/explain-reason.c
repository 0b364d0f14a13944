/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-reason.c: explains why an access path was not chosen.
 */
#include "config.h"

#include "core/plan/explain-private.h"

gchar *
kvsql_explain_reason_against (const KvsqlSelectPlan *plan, const KvsqlAccessPath *path)
{
  if (!path->is_usable)
    return g_strdup_printf ("it does not hold attribute %s%s",
                            plan->entry->relation->attributes[path->missing_attribute].name,
                            plan->entry->n_schemas > 1 ? ", nor where the primary has it" : "");
  if (!kvsql_schema_is_filled (path->schema))
    return g_strdup_printf ("not readable yet: BACKFILL SCHEMA %s", path->schema->name);
  if (!kvsql_schema_is_readable (path->schema))
    return g_strdup_printf ("it is not read, having role = %s",
                            kvsql_schema_role_get_name (path->schema->options.role));
  if (kvsql_access_path_compare (path, plan->best) < 0)
    return plan->best->is_for_merge
               ? g_strdup_printf ("a merge join uses the order of %s", plan->best->schema->name)
               : g_strdup ("USING SCHEMA asks for another");
  if (path->is_full_scan && !plan->best->is_full_scan)
    return g_strdup (
        "it would read the whole table: no predicate bounds the first bytes of its keys");
  if (path->cost > plan->best->cost && path->lookup_schema != NULL && !path->is_verified)
    {
      g_autoptr (GString) names = g_string_new (NULL);
      kvsql_relation_append_names (plan->entry->relation, &path->looked_up, names);
      return g_strdup_printf ("it would have to fetch %s from schema %s, tuple by tuple",
                              names->str, path->lookup_schema->name);
    }
  if (path->cost > plan->best->cost && path->rows <= plan->best->rows)
    return path->n_cells > plan->best->n_cells ? g_strdup_printf (
               "as many rows, but a tuple takes up to %u cells there", path->n_cells)
                                               : g_strdup ("as many rows, but more requests");
  if (path->cost > plan->best->cost)
    return g_strdup ("it would read more");
  if (path->n_fixed < plan->best->n_fixed)
    return g_strdup ("as good, but fewer parts of its keys are fixed");
  return g_strdup_printf ("as good as %s, which comes first", plan->best->schema->name);
}
