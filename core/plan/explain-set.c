/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-set.c: explains set operations: each operand with its plan, which is indented.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/explain-private.h"
#include "core/plan/explain.h"
#include "core/plan/set-plan.h"

#define INDENT "    "
/* No operand is added to a longer text: each level of nesting copies it. */
#define MAX_TEXT_BYTES (4 << 20)

static void
append_indented (const gchar *text, const gchar *indent, GString *out)
{
  while (*text != '\0' && kvsql_interrupt_spend (16))
    {
      const gchar *end = strchr (text, '\n') + 1;

      g_string_append_printf (out, "%s" INDENT, indent);
      g_string_append_len (out, text, end - text);
      text = end;
    }
}

static const gchar *
method_of (const KvsqlSetPlan *set)
{
  return set->kind == KVSQL_SET_UNION ? "one after the other"
                                      : "the rows of operand 2 are counted in memory";
}

/* A derived table. */
static void
append_derived (const KvsqlSelectPlan *plan, const gchar *verb, GString *out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_explain_text (plan->set->operands[0].plan, verb, text);
  g_string_append_printf (out, "%s from %s, the rows of this query:\n", verb,
                          kvsql_set_plan_get_derived (plan)->name);
  append_indented (text->str, "", out);
}

void
kvsql_explain_append_query (const KvsqlSelectPlan *plan, const gchar *indent, GString *out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (out->len > MAX_TEXT_BYTES)
    return;
  kvsql_explain_text (plan->set->operands[0].plan, "Select", text);
  g_string_append_printf (out, "%s%s is the rows of this query (about ", indent,
                          plan->relation->name);
  kvsql_explain_append_count (kvsql_select_plan_estimate_rows (plan), out);
  g_string_append (out, kvsql_select_plan_estimate_rows (plan) <= 1 ? " row):\n" : " rows):\n");
  append_indented (text->str, indent, out);
  if (plan->predicate->kind == KVSQL_PREDICATE_CONSTANT && plan->predicate->truth)
    return;
  g_string_append_printf (out, "%s  checked on each row: ", indent);
  kvsql_explain_append_predicate (plan->predicate, plan->relation, out);
  g_string_append_c (out, '\n');
}

void
kvsql_explain_append_set (const KvsqlSelectPlan *plan, const gchar *verb, GString *out)
{
  const KvsqlSetPlan *set = plan->set;

  if (kvsql_select_plan_is_derived (plan))
    {
      append_derived (plan, verb, out);
      return;
    }
  g_string_append_printf (out, "%s by %s of %u operands, %s\n", verb, kvsql_set_plan_get_name (set),
                          set->n_operands, method_of (set));
  for (guint i = 0; i < set->n_operands && out->len <= MAX_TEXT_BYTES; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      kvsql_explain_text (set->operands[i].plan, verb, text);
      g_string_append_printf (out, "  operand %u:\n", i + 1);
      append_indented (text->str, "", out);
    }
}

void
kvsql_explain_add_set (const KvsqlSelectPlan *plan, JsonBuilder *builder)
{
  const KvsqlSetPlan *set = plan->set;

  if (kvsql_select_plan_is_derived (plan))
    {
      kvsql_explain_add_string (builder, "derived", kvsql_set_plan_get_derived (plan)->name);
      json_builder_set_member_name (builder, "query");
      json_builder_begin_object (builder);
      kvsql_explain_add_plan (set->operands[0].plan, builder);
      json_builder_end_object (builder);
      return;
    }
  json_builder_set_member_name (builder, "set");
  json_builder_begin_object (builder);
  kvsql_explain_add_string (builder, "operator", kvsql_set_plan_get_name (set));
  json_builder_set_member_name (builder, "operands");
  json_builder_begin_array (builder);
  for (guint i = 0; i < set->n_operands; i++)
    {
      json_builder_begin_object (builder);
      kvsql_explain_add_plan (set->operands[i].plan, builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}
