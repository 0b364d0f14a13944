/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain.c: explains a plan as text: what is read, and why; what is done with the tuples; and
 * which access paths were not chosen.
 */
#include "config.h"

#include "core/plan/explain.h"
#include "core/plan/explain-private.h"

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
  kvsql_explain_append_subqueries (plan, out);
  append_others (plan, out);
}
