/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain.c: explains a plan as text: what is read, and why; what is done with the tuples; and
 * which access paths were not chosen.
 */
#include "config.h"

#include "core/plan/explain.h"
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
    return g_strdup ("USING SCHEMA asks for another");
  if (path->is_full_scan && !plan->best->is_full_scan)
    return g_strdup (
        "it would read the whole table: no predicate bounds the first bytes of its keys");
  if (path->cost > plan->best->cost && path->lookup_schema != NULL)
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

static void
append_others (const KvsqlSelectPlan *plan, GString *out)
{
  gboolean has_others = FALSE;

  for (guint i = 0; i < plan->n_paths; i++)
    {
      const KvsqlAccessPath *path = &plan->paths[i];
      g_autofree gchar *reason = NULL;

      if (path == plan->best)
        continue;
      if (!has_others)
        g_string_append (out, "Not chosen:\n");
      has_others = TRUE;
      reason = kvsql_explain_reason_against (plan, path);
      g_string_append_printf (out, "  schema %s", path->schema->name);
      if (path->is_usable)
        {
          g_string_append (out, " (");
          kvsql_explain_append_estimate (path, out);
          g_string_append_c (out, ')');
        }
      g_string_append_printf (out, ": %s\n", reason);
      if (path->is_usable)
        kvsql_explain_append_reads (path, "    ", out);
    }
}

void
kvsql_explain_text (const KvsqlSelectPlan *plan, const gchar *verb, GString *out)
{
  kvsql_explain_append_nodes (plan, verb, out);
  append_others (plan, out);
}
