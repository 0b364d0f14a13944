/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-json.c: explains a plan as JSON.
 */
#include "config.h"

#include "core/plan/estimate.h"
#include "core/plan/explain-private.h"
#include "core/plan/explain.h"

/* The estimated number of rows of the result, from statistics of all tuples; negative: unknown. */
static gdouble
estimate_answer (const KvsqlSelectPlan *plan)
{
  const KvsqlStatistics *statistics = plan->dnf.statistics;
  KvsqlAttributeSet all = { 0 };
  gdouble rows = 0;

  if (statistics == NULL || !statistics->is_complete || !plan->dnf.is_exact || plan->groups != NULL
      || plan->is_distinct || plan->n_distinct_on > 0 || plan->join != NULL)
    return -1;
  for (guint a = 0; a < statistics->n_attributes; a++)
    kvsql_attribute_set_add (&all, a);
  for (guint i = 0; i < plan->dnf.n_disjuncts; i++)
    rows += statistics->n_tuples
            * kvsql_estimate_known_share (statistics, &plan->dnf.disjuncts[i], &all);
  rows = MIN (rows, statistics->n_tuples) - (gdouble)plan->offset;
  return CLAMP (rows, 0, (gdouble)plan->limit);
}

void
kvsql_explain_add_plan (const KvsqlSelectPlan *plan, JsonBuilder *builder)
{
  gdouble answer_rows = estimate_answer (plan);

  kvsql_explain_add_nodes (plan, builder);
  if (answer_rows >= 0)
    kvsql_explain_add_number (builder, "answer_rows", answer_rows);
  kvsql_explain_add_subqueries (plan, builder);
  kvsql_explain_add_paths (plan, builder);
}

gchar *
kvsql_explain_json (const KvsqlSelectPlan *plan, const gchar *verb)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  kvsql_explain_add_string (builder, "statement", verb);
  kvsql_explain_add_plan (plan, builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}
