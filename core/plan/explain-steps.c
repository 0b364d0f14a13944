/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-steps.c: explains the operators after the scan.
 */
#include "config.h"

#include "core/plan/explain-private.h"

static gchar *
text_of (const KvsqlExpr *expr)
{
  GString *text = g_string_new (NULL);

  kvsql_expr_append_text (expr, text);
  return g_string_free (text, FALSE);
}

static void
append_groups (const KvsqlGroups *groups, GString *out)
{
  g_string_append (out, groups->n_groups == 0 ? "  all tuples are one group" : "  grouped by ");
  for (guint i = 0; i < groups->n_groups; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      kvsql_expr_append_text (groups->inputs[i], out);
    }
  for (guint i = 0; i < groups->n_aggregates; i++)
    g_string_append_printf (out, "%s%s", i == 0 ? ": " : ", ", groups->texts[i]);
  g_string_append_c (out, '\n');
  if (groups->having == NULL)
    return;
  g_string_append (out, "  checked on each group: ");
  kvsql_expr_append_text (groups->having, out);
  g_string_append_c (out, '\n');
}

static const gchar *
order_text (const KvsqlSelectPlan *plan)
{
  if (kvsql_select_plan_sorts (plan))
    return "  sorted by ";
  return plan->best->is_reversed ? "  read backwards, in the order of " : "  read in the order of ";
}

void
kvsql_explain_steps_text (const KvsqlSelectPlan *plan, GString *out)
{
  if (plan->groups != NULL)
    append_groups (plan->groups, out);
  if (plan->is_distinct)
    g_string_append (out, "  each row once\n");
  for (guint i = 0; i < plan->n_sort; i++)
    {
      g_string_append (out, i == 0 ? order_text (plan) : ", ");
      kvsql_expr_append_text (plan->outputs[plan->sort[i].column], out);
      if (plan->sort[i].nulls_first != plan->sort[i].is_descending)
        g_string_append (out, plan->sort[i].nulls_first ? " (NULL first)" : " (NULL last)");
      g_string_append_printf (out, "%s%s", plan->sort[i].is_descending ? " descending" : "",
                              i + 1 == plan->n_sort ? "\n" : "");
    }
}

/* ---- JSON */

static void
add_text (JsonBuilder *builder, const KvsqlExpr *expr)
{
  g_autofree gchar *text = text_of (expr);

  json_builder_add_string_value (builder, text);
}

static void
add_groups (JsonBuilder *builder, const KvsqlGroups *groups)
{
  json_builder_set_member_name (builder, "group_by");
  json_builder_begin_array (builder);
  for (guint i = 0; i < groups->n_groups; i++)
    add_text (builder, groups->inputs[i]);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "aggregates");
  json_builder_begin_array (builder);
  for (guint i = 0; i < groups->n_aggregates; i++)
    json_builder_add_string_value (builder, groups->texts[i]);
  json_builder_end_array (builder);
  if (groups->having == NULL)
    return;
  json_builder_set_member_name (builder, "having");
  add_text (builder, groups->having);
}

static void
add_sort_key (JsonBuilder *builder, const KvsqlSelectPlan *plan, const KvsqlSortKey *key)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder,
                                key->attribute == KVSQL_NO_ATTRIBUTE ? "expression" : "attribute");
  add_text (builder, plan->outputs[key->column]);
  json_builder_set_member_name (builder, "descending");
  json_builder_add_boolean_value (builder, key->is_descending);
  json_builder_set_member_name (builder, "nulls_first");
  json_builder_add_boolean_value (builder, key->nulls_first);
  json_builder_end_object (builder);
}

void
kvsql_explain_steps_json (const KvsqlSelectPlan *plan, JsonBuilder *builder)
{
  if (plan->groups != NULL)
    add_groups (builder, plan->groups);
  if (plan->is_distinct)
    {
      json_builder_set_member_name (builder, "distinct");
      json_builder_add_boolean_value (builder, TRUE);
    }
  if (plan->n_sort == 0)
    return;
  json_builder_set_member_name (builder, "order");
  json_builder_add_string_value (builder, kvsql_select_plan_sorts (plan) ? "sorted"
                                          : plan->best->is_reversed      ? "reverse scan"
                                                                         : "scan");
  json_builder_set_member_name (builder, "sort");
  json_builder_begin_array (builder);
  for (guint i = 0; i < plan->n_sort; i++)
    add_sort_key (builder, plan, &plan->sort[i]);
  json_builder_end_array (builder);
}
