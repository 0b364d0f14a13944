/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-nodes.c: explains the operators of a plan, one function for each kind, as text and as
 * JSON.
 */
#include "config.h"

#include "core/plan/select-plan.h"
#include "core/plan/explain-private.h"

#define MAX_SETS 16 /* that are written out */

/* A node, and what is known of its plan. */
typedef struct
{
  const KvsqlSelectPlan *plan;
  const gchar *verb;
} Explained;

/* ---- text */

static void
append_one_row (const Explained *self, GString *out)
{
  g_string_append_printf (out, "%s without a relation: one row, and nothing is read\n", self->verb);
}

static void
append_values (const Explained *self, GString *out)
{
  g_string_append_printf (out, "%s the %u row%s of VALUES\n", self->verb,
                          self->plan->values->n_rows, self->plan->values->n_rows == 1 ? "" : "s");
}

static void
append_function (const Explained *self, GString *out)
{
  gdouble rows = self->plan->function->rows;

  g_string_append_printf (out, "%s what %s gives (about ", self->verb, self->plan->function->name);
  kvsql_explain_append_count (rows, out);
  g_string_append (out, rows <= 1 ? " row)\n" : " rows)\n");
}

static void
append_set (const Explained *self, GString *out)
{
  kvsql_explain_append_set (self->plan, self->verb, out);
}

static void
append_table_scan (const Explained *self, GString *out)
{
  const KvsqlSelectPlan *plan = self->plan;

  g_string_append_printf (out, "%s from relation %s, read from schema %s (", self->verb,
                          plan->entry->relation->name, plan->best->schema->name);
  kvsql_explain_append_estimate (plan->best, out);
  g_string_append (out, ")\n");
  kvsql_explain_append_reads (plan->best, "  ", out);
  kvsql_explain_other_way (plan->best, out);
}

static void
append_entry_filter (const Explained *self, GString *out)
{
  kvsql_explain_append_entry_filter (self->plan->best, out);
}

static void
append_index_lookup (const Explained *self, GString *out)
{
  kvsql_explain_append_lookup (self->plan->best, out);
}

/* What is checked on the first relation of several. */
static void
append_scanned_filter (const Explained *self, GString *out)
{
  g_string_append (out, "  checked on each tuple: ");
  kvsql_explain_append_predicate (self->plan->join->scanned, self->plan->relation, out);
  g_string_append_c (out, '\n');
}

static void
append_join (const Explained *self, GString *out)
{
  kvsql_explain_append_join (self->plan, out);
}

static void
append_keys_once (const Explained *self, GString *out)
{
  g_string_append (out, "  each tuple once: the keys of those returned are kept in memory\n");
}

/* A verified read finds other tuples than those of the ranges. */
static gboolean
is_implied (const KvsqlSelectPlan *plan)
{
  return plan->entry != NULL && plan->best->is_exact && !plan->is_verified;
}

static const gchar *
check_text (const KvsqlSelectPlan *plan)
{
  if (plan->entry == NULL)
    return "  checked: ";
  if (is_implied (plan))
    return "  implied by the ranges: ";
  return plan->join != NULL ? "  checked on each row: " : "  checked on each tuple: ";
}

static void
append_filter (const Explained *self, GString *out)
{
  const KvsqlPredicate *predicate = self->plan->predicate;

  if (predicate->kind == KVSQL_PREDICATE_CONSTANT && predicate->truth)
    return;
  g_string_append (out, check_text (self->plan));
  kvsql_explain_append_predicate (predicate, self->plan->relation, out);
  g_string_append_c (out, '\n');
}

/* The grouping expressions of a set. @set: NULL: all of them */
static void
append_groups (const KvsqlGroups *groups, const KvsqlGroupSet *set, GString *out)
{
  guint n = 0;

  for (guint i = 0; i < groups->n_groups - groups->n_marks; i++)
    {
      if (set != NULL && !set->has[i])
        continue;
      g_string_append (out, n++ > 0 ? ", " : "");
      kvsql_expr_append_text (groups->inputs[i], out);
    }
}

static void
append_sets (const KvsqlGroups *groups, GString *out)
{
  guint n = MIN (groups->n_sets, MAX_SETS);

  g_string_append_printf (out, "  grouped by %u sets: ", groups->n_sets);
  for (guint s = 0; s < n; s++)
    {
      g_string_append (out, s > 0 ? ", (" : "(");
      append_groups (groups, &groups->sets[s], out);
      g_string_append_c (out, ')');
    }
  if (n < groups->n_sets)
    g_string_append_printf (out, " and %u more", groups->n_sets - n);
}

static void
append_aggregate (const Explained *self, GString *out)
{
  const KvsqlGroups *groups = self->plan->groups;

  if (groups->n_sets > 0)
    append_sets (groups, out);
  else
    {
      g_string_append (out, groups->n_groups == 0 ? "  all tuples are one group" : "  grouped by ");
      append_groups (groups, NULL, out);
    }
  for (guint i = 0; i < groups->n_aggregates; i++)
    g_string_append_printf (out, "%s%s", i == 0 ? ": " : ", ", groups->texts[i]);
  g_string_append_c (out, '\n');
}

static void
append_group_project (const Explained *self, GString *out)
{
  const KvsqlExpr *having = self->plan->groups->having;

  if (having == NULL)
    return;
  g_string_append (out, "  checked on each group: ");
  kvsql_expr_append_text (having, out);
  g_string_append_c (out, '\n');
}

static void
append_keys (const KvsqlSelectPlan *plan, const KvsqlSortKey *keys, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? "" : ", ");
      kvsql_expr_append_text (plan->windows->inputs[keys[i].column], out);
      if (!keys[i].nulls_first != !keys[i].is_descending)
        g_string_append (out, keys[i].nulls_first ? " (NULL first)" : " (NULL last)");
      g_string_append (out, keys[i].is_descending ? " descending" : "");
    }
}

/* Whether the rows have the order of a window without a sort for it. */
static gboolean
is_read_in_order (const KvsqlSelectPlan *plan, guint number)
{
  return number == 0 && plan->windows->windows[0].n_sort > 0
         && kvsql_select_plan_scans_for_window (plan);
}

static void
append_window (const Explained *self, GString *out)
{
  const KvsqlWindows *windows = self->plan->windows;

  for (guint i = 0; i < windows->n_windows; i++)
    {
      const KvsqlWindow *window = &windows->windows[i];

      if (window->n_sort > 0)
        {
          g_string_append (out, !is_read_in_order (self->plan, i) ? "  sorted for windows by "
                                : self->plan->best->is_reversed
                                    ? "  read backwards, in the order of windows by "
                                    : "  read in the order of windows by ");
          append_keys (self->plan, window->sort, window->n_sort, out);
          g_string_append_c (out, '\n');
        }
      g_string_append (out, "  window: ");
      for (guint k = 0; k < window->n_calls; k++)
        g_string_append_printf (out, "%s%s", k == 0 ? "" : ", ", window->calls[k].text);
      g_string_append_c (out, '\n');
    }
}

static void
append_distinct (const Explained *self, GString *out)
{
  g_string_append (out, "  each row once\n");
}

static void
append_sort_keys (const KvsqlSelectPlan *plan, const gchar *title, GString *out)
{
  for (guint i = 0; i < plan->n_sort; i++)
    {
      g_string_append (out, i == 0 ? title : ", ");
      kvsql_expr_append_text (plan->outputs[plan->sort[i].column], out);
      if (plan->sort[i].nulls_first != plan->sort[i].is_descending)
        g_string_append (out, plan->sort[i].nulls_first ? " (NULL first)" : " (NULL last)");
      g_string_append_printf (out, "%s%s", plan->sort[i].is_descending ? " descending" : "",
                              i + 1 == plan->n_sort ? "\n" : "");
    }
}

static void
append_sort (const Explained *self, GString *out)
{
  append_sort_keys (self->plan, "  sorted by ", out);
}

static void
append_first_of_each (const Explained *self, GString *out)
{
  const KvsqlSelectPlan *plan = self->plan;

  for (guint i = 0; i < plan->n_distinct_on; i++)
    {
      g_string_append (out, i == 0 ? "  the first row of each " : ", ");
      kvsql_expr_append_text (plan->outputs[plan->distinct_on[i]], out);
    }
  g_string_append_c (out, '\n');
}

static const gchar *
name_of_row (const KvsqlSelectPlan *plan)
{
  return plan->set != NULL || plan->values != NULL || plan->function != NULL ? "row" : "tuple";
}

/* Without a relation there is one row in any case. */
static gboolean
has_limit (const KvsqlSelectPlan *plan)
{
  return plan->limit != KVSQL_NO_LIMIT
         && (plan->entry != NULL || plan->set != NULL || plan->values != NULL
             || plan->function != NULL);
}

static void
append_limit (const Explained *self, GString *out)
{
  const KvsqlSelectPlan *plan = self->plan;

  /* an order that no operator makes is that of the rows that come here */
  if (plan->n_sort > 0 && !kvsql_select_plan_sorts (plan) && plan->windows != NULL)
    append_sort_keys (plan, "  the windows give the order of ", out);
  else if (plan->n_sort > 0 && !kvsql_select_plan_sorts (plan))
    append_sort_keys (plan,
                      plan->best->is_reversed ? "  read backwards, in the order of "
                                              : "  read in the order of ",
                      out);
  if (plan->offset == 1)
    g_string_append_printf (out, "  the first %s is skipped\n", name_of_row (plan));
  else if (plan->offset > 0)
    g_string_append_printf (out, "  the first %" G_GUINT64_FORMAT " %ss are skipped\n",
                            plan->offset, name_of_row (plan));
  if (has_limit (plan))
    g_string_append_printf (out, "  stops after %" G_GUINT64_FORMAT " %s%s\n", plan->limit,
                            name_of_row (plan), plan->limit == 1 ? "" : "s");
}

/* ---- JSON */

static gchar *
text_of (const KvsqlExpr *expr)
{
  GString *text = g_string_new (NULL);

  kvsql_expr_append_text (expr, text);
  return g_string_free (text, FALSE);
}

static void
add_text (JsonBuilder *builder, const KvsqlExpr *expr)
{
  g_autofree gchar *text = text_of (expr);

  json_builder_add_string_value (builder, text);
}

static void
add_table_scan (const Explained *self, JsonBuilder *builder)
{
  kvsql_explain_add_string (builder, "relation", self->plan->entry->relation->name);
  kvsql_explain_add_string (builder, "schema", self->plan->best->schema->name);
}

static void
add_values (const Explained *self, JsonBuilder *builder)
{
  kvsql_explain_add_integer (builder, "values", self->plan->values->n_rows);
}

static void
add_function (const Explained *self, JsonBuilder *builder)
{
  kvsql_explain_add_string (builder, "function", self->plan->function->name);
  kvsql_explain_add_number (builder, "rows", self->plan->function->rows);
}

static void
add_set (const Explained *self, JsonBuilder *builder)
{
  kvsql_explain_add_set (self->plan, builder);
}

static void
add_join (const Explained *self, JsonBuilder *builder)
{
  kvsql_explain_add_join (self->plan, builder);
}

static void
add_verify (const Explained *self, JsonBuilder *builder)
{
  kvsql_explain_add_boolean (builder, "verified", TRUE);
}

static void
add_keys_once (const Explained *self, JsonBuilder *builder)
{
  kvsql_explain_add_boolean (builder, "remembers_keys", TRUE);
}

static void
add_filter (const Explained *self, JsonBuilder *builder)
{
  g_autoptr (GString) predicate = g_string_new (NULL);

  kvsql_explain_append_predicate (self->plan->predicate, self->plan->relation, predicate);
  kvsql_explain_add_string (builder, is_implied (self->plan) ? "proved" : "checked",
                            predicate->str);
}

static void
add_groups (const KvsqlGroups *groups, const KvsqlGroupSet *set, JsonBuilder *builder)
{
  json_builder_begin_array (builder);
  for (guint i = 0; i < groups->n_groups - groups->n_marks; i++)
    if (set == NULL || set->has[i])
      add_text (builder, groups->inputs[i]);
  json_builder_end_array (builder);
}

static void
add_aggregate (const Explained *self, JsonBuilder *builder)
{
  const KvsqlGroups *groups = self->plan->groups;

  json_builder_set_member_name (builder, "group_by");
  add_groups (groups, NULL, builder);
  if (groups->n_sets > 0)
    {
      json_builder_set_member_name (builder, "grouping_set_count");
      json_builder_add_int_value (builder, groups->n_sets);
      json_builder_set_member_name (builder, "grouping_sets");
      json_builder_begin_array (builder);
      for (guint s = 0; s < MIN (groups->n_sets, MAX_SETS); s++)
        add_groups (groups, &groups->sets[s], builder);
      json_builder_end_array (builder);
    }
  json_builder_set_member_name (builder, "aggregates");
  json_builder_begin_array (builder);
  for (guint i = 0; i < groups->n_aggregates; i++)
    json_builder_add_string_value (builder, groups->texts[i]);
  json_builder_end_array (builder);
}

static void
add_group_project (const Explained *self, JsonBuilder *builder)
{
  if (self->plan->groups->having == NULL)
    return;
  json_builder_set_member_name (builder, "having");
  add_text (builder, self->plan->groups->having);
}

static void
add_window (const Explained *self, JsonBuilder *builder)
{
  const KvsqlWindows *windows = self->plan->windows;

  json_builder_set_member_name (builder, "windows");
  json_builder_begin_array (builder);
  for (guint i = 0; i < windows->n_windows; i++)
    {
      const KvsqlWindow *window = &windows->windows[i];
      g_autoptr (GString) keys = g_string_new (NULL);

      json_builder_begin_object (builder);
      append_keys (self->plan, window->sort, window->n_sort, keys);
      if (window->n_sort > 0)
        kvsql_explain_add_string (
            builder, is_read_in_order (self->plan, i) ? "read_in_order" : "sorted", keys->str);
      json_builder_set_member_name (builder, "calls");
      json_builder_begin_array (builder);
      for (guint k = 0; k < window->n_calls; k++)
        json_builder_add_string_value (builder, window->calls[k].text);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_distinct (const Explained *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "distinct");
  json_builder_add_boolean_value (builder, TRUE);
}

static void
add_first_of_each (const Explained *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "distinct_on");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->plan->n_distinct_on; i++)
    add_text (builder, self->plan->outputs[self->plan->distinct_on[i]]);
  json_builder_end_array (builder);
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

static void
add_order (const KvsqlSelectPlan *plan, const gchar *maker, JsonBuilder *builder)
{
  kvsql_explain_add_string (builder, "order", maker);
  json_builder_set_member_name (builder, "sort");
  json_builder_begin_array (builder);
  for (guint i = 0; i < plan->n_sort; i++)
    add_sort_key (builder, plan, &plan->sort[i]);
  json_builder_end_array (builder);
}

static void
add_sort (const Explained *self, JsonBuilder *builder)
{
  add_order (self->plan, "sorted", builder);
}

static void
add_limit (const Explained *self, JsonBuilder *builder)
{
  const KvsqlSelectPlan *plan = self->plan;

  if (plan->n_sort > 0 && !kvsql_select_plan_sorts (plan) && plan->windows != NULL)
    add_order (plan, "windows", builder);
  else if (plan->n_sort > 0 && !kvsql_select_plan_sorts (plan))
    add_order (plan, plan->best->is_reversed ? "reverse scan" : "scan", builder);
  if (has_limit (plan))
    kvsql_explain_add_integer (builder, "limit", plan->limit);
  if (plan->offset > 0)
    kvsql_explain_add_integer (builder, "offset", plan->offset);
}

/* ---- the tree */

/* A kind without a function has nothing to say. */
static const struct
{
  void (*append) (const Explained *self, GString *out);
  void (*add) (const Explained *self, JsonBuilder *builder);
} kinds[] = {
  [KVSQL_NODE_ONE_ROW] = { append_one_row, NULL },
  [KVSQL_NODE_VALUES] = { append_values, add_values },
  [KVSQL_NODE_FUNCTION] = { append_function, add_function },
  [KVSQL_NODE_SET] = { append_set, add_set },
  [KVSQL_NODE_TABLE_SCAN] = { append_table_scan, add_table_scan },
  [KVSQL_NODE_ENTRY_FILTER] = { append_entry_filter, NULL },
  [KVSQL_NODE_INDEX_LOOKUP] = { append_index_lookup, NULL },
  [KVSQL_NODE_VERIFY] = { append_index_lookup, add_verify },
  [KVSQL_NODE_SCANNED_FILTER] = { append_scanned_filter, NULL },
  [KVSQL_NODE_SCANNED_ONCE] = { append_keys_once, add_keys_once },
  [KVSQL_NODE_JOIN] = { append_join, add_join },
  [KVSQL_NODE_FILTER] = { append_filter, add_filter },
  [KVSQL_NODE_KEYS_ONCE] = { append_keys_once, add_keys_once },
  [KVSQL_NODE_PROJECT] = { NULL, NULL },
  [KVSQL_NODE_GATHER] = { NULL, NULL },
  [KVSQL_NODE_AGGREGATE] = { append_aggregate, add_aggregate },
  [KVSQL_NODE_GROUP_PROJECT] = { append_group_project, add_group_project },
  [KVSQL_NODE_WINDOW] = { append_window, add_window },
  [KVSQL_NODE_WINDOW_PROJECT] = { NULL, NULL },
  [KVSQL_NODE_DISTINCT] = { append_distinct, add_distinct },
  [KVSQL_NODE_SORT] = { append_sort, add_sort },
  [KVSQL_NODE_FIRST_OF_EACH] = { append_first_of_each, add_first_of_each },
  [KVSQL_NODE_LIMIT] = { append_limit, add_limit },
};

static void
append_node (const Explained *self, const KvsqlPlanNode *node, GString *out)
{
  if (node->input != NULL)
    append_node (self, node->input, out);
  if (kinds[node->kind].append != NULL)
    kinds[node->kind].append (self, out);
}

static void
add_node (const Explained *self, const KvsqlPlanNode *node, JsonBuilder *builder)
{
  if (node->input != NULL)
    add_node (self, node->input, builder);
  if (kinds[node->kind].add != NULL)
    kinds[node->kind].add (self, builder);
}

void
kvsql_explain_append_nodes (const KvsqlSelectPlan *plan, const gchar *verb, GString *out)
{
  const Explained self = { plan, verb };

  append_node (&self, plan->root, out);
}

void
kvsql_explain_add_nodes (const KvsqlSelectPlan *plan, JsonBuilder *builder)
{
  const Explained self = { plan, NULL };

  add_node (&self, plan->root, builder);
}
