/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-join.c: explains the joins of a plan, as text and as JSON.
 *
 * The text follows the rows: first a side of a join, then the join with the other side. The side of
 * the scan comes first.
 */
#include "config.h"

#include "core/plan/explain-private.h"
#include "core/plan/explain.h"
#include "core/plan/lookup-plan.h"

#include <math.h>

#define INDENT "  "

static const gchar *
name_of (const KvsqlSelectPlan *plan, guint leaf)
{
  return kvsql_binder_relation_name (&plan->join->relations[leaf]);
}

static void
append_names (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, GString *out)
{
  if (node->probe == NULL)
    {
      g_string_append (out, name_of (plan, node->leaf));
      return;
    }
  append_names (plan, node->probe, out);
  g_string_append (out, " and ");
  append_names (plan, node->build, out);
}

/* The side of a join that is told first. */
static const KvsqlJoinNode *
first_side (const KvsqlJoinNode *node)
{
  return node->build->has_first ? node->build : node->probe;
}

static const gchar *
method_of (const KvsqlJoinNode *node)
{
  if (node->lateral != NULL)
    return "lateral join";
  if (node->n_looked_up > 0)
    return node->is_semi ? "lookup semi join" : node->is_anti ? "lookup anti join" : "lookup join";
  if (node->n_merge_keys > 0)
    return node->is_semi ? "merge semi join" : node->is_anti ? "merge anti join" : "merge join";
  if (node->n_keys > 0)
    return node->is_semi ? "hash semi join" : node->is_anti ? "hash anti join" : "hash join";
  if (node->is_semi || node->is_anti)
    return node->is_semi ? "nested loop semi join" : "nested loop anti join";
  return node->on == NULL && !node->keeps_probe && !node->keeps_build ? "cross join"
                                                                      : "nested loop";
}

/* Of the side that is told first. */
static const gchar *
kind_of (const KvsqlJoinNode *node)
{
  gboolean keeps_first = first_side (node) == node->probe ? node->keeps_probe : node->keeps_build,
           keeps_other = first_side (node) == node->probe ? node->keeps_build : node->keeps_probe;

  if (node->is_semi || node->is_anti) /* the method says it */
    return "inner";
  if (keeps_first)
    return keeps_other ? "full" : "left";
  return keeps_other ? "right" : "inner";
}

/* How the order of the joins was found. */
static const gchar *
order_of (const KvsqlSelectPlan *plan)
{
  return plan->join->is_greedy ? "the smallest result first" : "the cheapest of all";
}

static const gchar *const method_names[KVSQL_N_JOIN_METHODS] = {
  [KVSQL_JOIN_METHOD_LOOKUP] = "lookup join",
  [KVSQL_JOIN_METHOD_HASH] = "hash join",
  [KVSQL_JOIN_METHOD_NESTED_LOOP] = "nested loop",
  [KVSQL_JOIN_METHOD_MERGE] = "merge join",
};

/* ---- text */

/* In microseconds; 0: not measured. */
static gdouble
get_unit (const KvsqlSelectPlan *plan)
{
  return plan->best != NULL ? plan->best->unit_us : 0;
}

/* The methods that cost more. */
static void
append_other_methods (const KvsqlJoinNode *node, const gchar *indent, GString *out)
{
  gboolean is_first = TRUE;

  for (guint m = 0; m < KVSQL_N_JOIN_METHODS; m++)
    {
      if (node->other_costs[m] == 0)
        continue;
      if (is_first)
        g_string_append_printf (out, "%snot chosen: ", indent);
      g_string_append_printf (out, "%s%s (cost ", is_first ? "" : ", ", method_names[m]);
      kvsql_explain_append_count (ceil (node->other_costs[m]), out);
      g_string_append_c (out, ')');
      is_first = FALSE;
    }
  if (!is_first)
    g_string_append_c (out, '\n');
}

static void
append_leaf (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, const gchar *indent,
             GString *out)
{
  const KvsqlJoinPart *part = &plan->join->parts[node->leaf - 1];
  g_autofree gchar *inner = g_strconcat (indent, INDENT, NULL);

  if (part->query != NULL)
    {
      if (part->query->lateral == NULL) /* else its plan is told among the subqueries */
        kvsql_explain_append_query (part->query, indent, out);
      return;
    }
  g_string_append_printf (out, "%s%s is read from schema %s (", indent, part->name,
                          part->plan->best->schema->name);
  kvsql_explain_append_estimate (part->plan->best, out);
  g_string_append (out, part->is_looked_up ? " for each key)\n" : ")\n");
  if (!part->is_looked_up) /* else the ranges and the filter depend on the keys */
    {
      kvsql_explain_append_reads (part->plan->best, inner, out);
      kvsql_explain_append_entry_filter (part->plan->best, out);
    }
  kvsql_explain_append_lookup (part->plan->best, out);
  if (part->condition == NULL && part->attributes == NULL)
    return;
  if (part->attributes != NULL && part->plan->predicate->kind == KVSQL_PREDICATE_CONSTANT
      && part->plan->predicate->truth)
    return;
  g_string_append_printf (out, "%s%s", inner,
                          part->plan->best->is_exact && !plan->is_verified && !part->is_looked_up
                              ? "implied by the ranges: "
                              : "checked on each tuple: ");
  if (part->attributes != NULL) /* its conditions and those of the query are one */
    kvsql_explain_append_predicate (part->plan->predicate, part->plan->relation, out);
  else
    kvsql_explain_append_predicate (part->condition, plan->relation, out);
  g_string_append_c (out, '\n');
}

/* The keys, and how many of them are read at once. */
static void
append_lookup (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, GString *out)
{
  const KvsqlRelation *relation = plan->join->parts[node->build->leaf - 1].entry->relation;

  for (guint i = 0; i < node->n_looked_up; i++)
    g_string_append_printf (out, "%s%s", i == 0 ? "; keys of " : ", ",
                            relation->attributes[node->looked_up[i]].name);
  g_string_append_printf (out, " of up to %u rows are read at once\n",
                          kvsql_lookup_plan_get_most (node->n_looked_up));
}

/* The columns of the probe side in whose order both sides come. */
static void
append_order (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, GString *out)
{
  g_string_append (out, "; both sides come in the order of ");
  for (guint k = 0; k < node->n_merge_keys; k++)
    g_string_append_printf (out, "%s%s", k == 0 ? "" : ", ",
                            plan->relation->attributes[node->keys[k].probe].name);
  g_string_append_c (out, '\n');
}

/* For which values the query is run. More about it is told among the subqueries. */
static void
append_lateral (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, GString *out)
{
  g_string_append_printf (out, "; %s is run once for each distinct ",
                          name_of (plan, node->build->leaf));
  kvsql_explain_append_values (node->lateral, out);
  g_string_append_c (out, '\n');
}

static void
append_side (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, const gchar *indent,
             GString *out)
{
  const KvsqlJoinNode *first, *other;
  g_autofree gchar *inner = g_strconcat (indent, INDENT, NULL);
  const gchar *kind;

  if (node->probe == NULL)
    {
      if (node->leaf > 0) /* the scan of the first relation is told already */
        append_leaf (plan, node, indent, out);
      return;
    }
  first = first_side (node);
  other = first == node->probe ? node->build : node->probe;
  kind = kind_of (node);
  append_side (plan, first, indent, out);
  g_string_append_printf (out, "%s%s%s%s with ", indent, g_str_equal (kind, "inner") ? "" : kind,
                          g_str_equal (kind, "inner") ? "" : " ", method_of (node));
  append_names (plan, other, out);
  if (node->on != NULL)
    {
      g_string_append (out, " on ");
      kvsql_explain_append_predicate (node->on, plan->relation, out);
    }
  g_string_append (out, " (cost ");
  kvsql_explain_append_count (ceil (node->cost), out);
  kvsql_explain_append_time (node->cost, get_unit (plan), out);
  g_string_append (out, ", about ");
  kvsql_explain_append_count (node->rows, out);
  g_string_append (out, node->rows <= 1 ? " row)" : " rows)");
  if (node->n_looked_up > 0)
    append_lookup (plan, node, out);
  else if (node->lateral != NULL)
    append_lateral (plan, node, out);
  else if (node->n_merge_keys > 0)
    append_order (plan, node, out);
  else
    {
      g_string_append (out, "; ");
      append_names (plan, node->build, out);
      g_string_append (out, " kept in memory");
      if (node->narrows)
        g_string_append_printf (
            out, ", and the values of %s narrow the ranges of %s",
            plan->relation->attributes[node->keys[node->narrowing_key].build].name,
            name_of (plan, node->narrowed_leaf));
      g_string_append_c (out, '\n');
    }
  if (g_str_has_prefix (method_of (node), "nested loop"))
    g_string_append_printf (out, "%severy pair is checked: no condition equates the two sides\n",
                            inner);
  append_other_methods (node, inner, out);
  append_side (plan, other, inner, out);
}

void
kvsql_explain_append_join (const KvsqlSelectPlan *plan, GString *out)
{
  append_side (plan, plan->join->root, INDENT, out);
  if (plan->join->n_joins > 1)
    g_string_append_printf (out, "  order of the %u relations: %s\n", plan->join->n_parts + 1,
                            order_of (plan));
}

/* ---- JSON */

static void
add_keeps (const KvsqlJoinNode *node, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "keeps");
  json_builder_begin_array (builder);
  if (node->keeps_probe)
    json_builder_add_string_value (builder, "probe");
  if (node->keeps_build)
    json_builder_add_string_value (builder, "build");
  json_builder_end_array (builder);
}

static void
add_condition (const KvsqlSelectPlan *plan, const gchar *name, const KvsqlPredicate *condition,
               JsonBuilder *builder)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (condition == NULL || (condition->kind == KVSQL_PREDICATE_CONSTANT && condition->truth))
    return;
  kvsql_explain_append_predicate (condition, plan->relation, text);
  kvsql_explain_add_string (builder, name, text->str);
}

static void
add_looked_up (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, JsonBuilder *builder)
{
  const KvsqlRelation *relation = plan->join->parts[node->build->leaf - 1].entry->relation;

  json_builder_set_member_name (builder, "keys");
  json_builder_begin_array (builder);
  for (guint i = 0; i < node->n_looked_up; i++)
    json_builder_add_string_value (builder, relation->attributes[node->looked_up[i]].name);
  json_builder_end_array (builder);
  kvsql_explain_add_integer (builder, "rows_at_once",
                             kvsql_lookup_plan_get_most (node->n_looked_up));
}

static void
add_order (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "order");
  json_builder_begin_array (builder);
  for (guint k = 0; k < node->n_merge_keys; k++)
    json_builder_add_string_value (builder, plan->relation->attributes[node->keys[k].probe].name);
  json_builder_end_array (builder);
}

/* By name: the cost of each method that costs more. */
static void
add_other_methods (const KvsqlJoinNode *node, JsonBuilder *builder)
{
  gboolean is_begun = FALSE;

  for (guint m = 0; m < KVSQL_N_JOIN_METHODS; m++)
    {
      if (node->other_costs[m] == 0)
        continue;
      if (!is_begun)
        {
          json_builder_set_member_name (builder, "not_chosen");
          json_builder_begin_object (builder);
        }
      kvsql_explain_add_number (builder, method_names[m], node->other_costs[m]);
      is_begun = TRUE;
    }
  if (is_begun)
    json_builder_end_object (builder);
}

static void
add_leaf (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node, JsonBuilder *builder)
{
  const KvsqlJoinPart *part = node->leaf == 0 ? NULL : &plan->join->parts[node->leaf - 1];

  if (part != NULL && part->query != NULL)
    {
      kvsql_explain_add_string (builder, "name", part->name);
      if (part->query->lateral != NULL)
        {
          g_autoptr (GString) values = g_string_new (NULL);

          kvsql_explain_append_values (part->query->lateral, values);
          kvsql_explain_add_string (builder, "run_for_each", values->str);
          return;
        }
      add_condition (part->query, "checked", part->query->predicate, builder);
      kvsql_explain_add_set (part->query, builder);
      return;
    }
  if (part != NULL || plan->entry != NULL)
    kvsql_explain_add_string (builder, "relation",
                              part == NULL ? plan->entry->relation->name
                                           : part->entry->relation->name);
  kvsql_explain_add_string (builder, "name", name_of (plan, node->leaf));
  if (part != NULL && part->attributes != NULL)
    add_condition (part->plan, "checked", part->plan->predicate, builder);
  else
    add_condition (plan, "checked", part == NULL ? plan->join->scanned : part->condition, builder);
  if (part == NULL) /* its schemas are those of the statement */
    return;
  kvsql_explain_add_string (builder, "schema", part->plan->best->schema->name);
  if (part->is_looked_up) /* the ranges depend on the keys */
    kvsql_explain_add_number (builder, "rows_of_a_key", part->plan->best->rows);
  else
    kvsql_explain_add_paths (part->plan, builder);
}

static void
add_side (const KvsqlSelectPlan *plan, const gchar *name, const KvsqlJoinNode *node,
          JsonBuilder *builder)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  if (node->probe == NULL)
    add_leaf (plan, node, builder);
  else
    {
      kvsql_explain_add_string (builder, "method", method_of (node));
      add_keeps (node, builder);
      add_condition (plan, "on", node->on, builder);
      if (node->n_looked_up > 0)
        add_looked_up (plan, node, builder);
      if (node->n_merge_keys > 0)
        add_order (plan, node, builder);
      if (node->narrows)
        kvsql_explain_add_string (
            builder, "narrows",
            plan->relation->attributes[node->keys[node->narrowing_key].probe].name);
      kvsql_explain_add_number (builder, "rows", node->rows);
      kvsql_explain_add_number (builder, "cost", node->cost);
      if (get_unit (plan) > 0)
        kvsql_explain_add_number (builder, "cost_ms", node->cost * get_unit (plan) / 1000);
      kvsql_explain_add_integer (builder, "number", node->number);
      add_other_methods (node, builder);
      add_side (plan, "probe", node->probe, builder);
      add_side (plan, "build", node->build, builder);
    }
  json_builder_end_object (builder);
}

void
kvsql_explain_add_join (const KvsqlSelectPlan *plan, JsonBuilder *builder)
{
  add_side (plan, "join", plan->join->root, builder);
  kvsql_explain_add_string (builder, "order_of_joins", order_of (plan));
}

/* ---- what was measured */

void
kvsql_explain_append_join_name (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node,
                                GString *out)
{
  const KvsqlJoinNode *first = first_side (node);

  g_string_append_printf (out, "%s with ", method_of (node));
  append_names (plan, first == node->probe ? node->build : node->probe, out);
}

void
kvsql_explain_append_join_estimate (const KvsqlJoinNode *node, GString *out)
{
  g_string_append (out, "; about ");
  kvsql_explain_append_count (node->rows, out);
  g_string_append (out, node->rows <= 1 ? " row was estimated" : " rows were estimated");
}
