/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-tree.c: puts the operators of a SELECT in order.
 */
#include "config.h"

#include "core/plan/plan-tree.h"

const gchar *
kvsql_node_kind_get_name (KvsqlNodeKind kind)
{
  static const gchar *const names[KVSQL_N_NODE_KINDS] = {
    [KVSQL_NODE_ONE_ROW] = "one row",
    [KVSQL_NODE_VALUES] = "values",
    [KVSQL_NODE_FUNCTION] = "function",
    [KVSQL_NODE_SET] = "queries",
    [KVSQL_NODE_TABLE_SCAN] = "table scan",
    [KVSQL_NODE_ENTRY_FILTER] = "filter of entries",
    [KVSQL_NODE_INDEX_LOOKUP] = "index lookup",
    [KVSQL_NODE_VERIFY] = "verify",
    [KVSQL_NODE_SCANNED_FILTER] = "filter of the first relation",
    [KVSQL_NODE_SCANNED_ONCE] = "each key of the first relation once",
    [KVSQL_NODE_JOIN] = "join",
    [KVSQL_NODE_FILTER] = "filter",
    [KVSQL_NODE_KEYS_ONCE] = "each key once",
    [KVSQL_NODE_PROJECT] = "project",
    [KVSQL_NODE_GATHER] = "gather",
    [KVSQL_NODE_AGGREGATE] = "aggregate",
    [KVSQL_NODE_GROUP_PROJECT] = "project of groups",
    [KVSQL_NODE_WINDOW] = "windows",
    [KVSQL_NODE_WINDOW_PROJECT] = "project of windows",
    [KVSQL_NODE_DISTINCT] = "distinct",
    [KVSQL_NODE_SORT] = "sort",
    [KVSQL_NODE_FIRST_OF_EACH] = "first of each",
    [KVSQL_NODE_LIMIT] = "limit",
  };

  g_assert (kind < KVSQL_N_NODE_KINDS);
  return names[kind];
}

static const KvsqlPlanNode *
add (KvsqlNodeKind kind, const KvsqlPlanNode *input, KvsqlArena *arena)
{
  KvsqlPlanNode *self = kvsql_arena_new0 (arena, KvsqlPlanNode);

  /* The kinds are declared in the order of the operators, and a tree has one of each at most. */
  g_assert (input == NULL ? kind <= KVSQL_NODE_TABLE_SCAN : kind > input->kind);
  self->kind = kind;
  self->input = input;
  return self;
}

static const KvsqlPlanNode *
add_scan (const KvsqlSelectPlan *plan, KvsqlArena *arena)
{
  const KvsqlPlanNode *node;

  if (plan->set != NULL)
    return add (KVSQL_NODE_SET, NULL, arena);
  if (plan->function != NULL)
    return add (KVSQL_NODE_FUNCTION, NULL, arena);
  if (plan->entry == NULL)
    return add (plan->values != NULL ? KVSQL_NODE_VALUES : KVSQL_NODE_ONE_ROW, NULL, arena);
  /* Only an index lookup checks again what the filter of the entries admits. An entry that it
   * rejects is of a tuple that does not satisfy the predicate either, or that is changing. */
  g_assert (plan->best->index_predicate == NULL || plan->best->lookup_schema != NULL);
  node = add (KVSQL_NODE_TABLE_SCAN, NULL, arena);
  if (plan->best->index_predicate != NULL)
    node = add (KVSQL_NODE_ENTRY_FILTER, node, arena);
  /* an anchor has the whole tuple */
  if (plan->best->is_verified)
    node = add (KVSQL_NODE_VERIFY, node, arena);
  else if (plan->best->lookup_schema != NULL)
    node = add (KVSQL_NODE_INDEX_LOOKUP, node, arena);
  return node;
}

static gboolean
is_always_true (const KvsqlPredicate *predicate)
{
  return predicate->kind == KVSQL_PREDICATE_CONSTANT && predicate->truth;
}

static const KvsqlPlanNode *
add_source (const KvsqlSelectPlan *plan, KvsqlArena *arena)
{
  const KvsqlPlanNode *node = add_scan (plan, arena);

  if (plan->join == NULL)
    return node;
  if (plan->join->scanned != NULL && !is_always_true (plan->join->scanned))
    node = add (KVSQL_NODE_SCANNED_FILTER, node, arena);
  /* before the join: with one version a tuple may have a partner, and with another one none */
  if (kvsql_select_plan_remembers_keys (plan))
    node = add (KVSQL_NODE_SCANNED_ONCE, node, arena);
  return add (KVSQL_NODE_JOIN, node, arena);
}

/* A single row is not worth a gather. */
static gboolean
is_one_row (const KvsqlAccessPath *path)
{
  return !path->has_open_table && path->n_tables == 1 && path->tables[0].n_ranges == 1
         && kvsql_row_range_is_point (&path->tables[0].ranges[0]);
}

const KvsqlPlanNode *
kvsql_plan_tree_new (const KvsqlSelectPlan *plan, KvsqlArena *arena)
{
  const KvsqlPlanNode *node = add_source (plan, arena);

  g_assert (plan->entry != NULL || plan->best == NULL);
  g_assert (plan->join == NULL || (plan->entry != NULL) != (plan->set != NULL));
  g_assert (plan->best == NULL || plan->best->is_usable);
  g_assert ((plan->groups == NULL && plan->windows == NULL)
            || plan->outputs != NULL); /* no item is an attribute of a tuple */
  g_assert (plan->outputs == NULL || plan->n_outputs >= plan->n_items);
  g_assert (plan->best == NULL || !plan->is_verified == !plan->best->is_verified);
  if (plan->set == NULL || kvsql_select_plan_is_derived (plan))
    node = add (KVSQL_NODE_FILTER, node, arena);
  if (plan->entry != NULL && plan->join == NULL && kvsql_select_plan_remembers_keys (plan))
    node = add (KVSQL_NODE_KEYS_ONCE, node, arena);
  node = add (KVSQL_NODE_PROJECT, node, arena);
  if (kvsql_plan_tree_can_be_cut (plan) && !is_one_row (plan->best))
    node = add (KVSQL_NODE_GATHER, node, arena);
  if (plan->groups != NULL)
    {
      node = add (KVSQL_NODE_AGGREGATE, node, arena);
      node = add (KVSQL_NODE_GROUP_PROJECT, node, arena);
    }
  if (plan->windows != NULL)
    {
      node = add (KVSQL_NODE_WINDOW, node, arena);
      node = add (KVSQL_NODE_WINDOW_PROJECT, node, arena);
    }
  if (plan->is_distinct)
    node = add (KVSQL_NODE_DISTINCT, node, arena);
  if (kvsql_select_plan_sorts (plan))
    node = add (KVSQL_NODE_SORT, node, arena);
  if (plan->n_distinct_on > 0)
    node = add (KVSQL_NODE_FIRST_OF_EACH, node, arena);
  return add (KVSQL_NODE_LIMIT, node, arena);
}

KvsqlExpr *const *
kvsql_plan_tree_get_tuple_exprs (const KvsqlSelectPlan *plan, guint *out_n)
{
  gboolean is_streaming = kvsql_select_plan_is_streaming (plan);

  *out_n = plan->n_items;
  if (!is_streaming)
    return kvsql_select_plan_get_tuple_exprs (plan, out_n);
  return kvsql_select_plan_is_plain (plan) ? NULL : plan->outputs;
}

gboolean
kvsql_plan_tree_can_be_cut (const KvsqlSelectPlan *plan)
{
  /* the rows of a subquery are kept for one thread */
  return plan->entry != NULL && plan->join == NULL && plan->best->skip == NULL
         && (plan->subqueries == NULL || plan->subqueries->n == 0)
         && !kvsql_select_plan_remembers_keys (plan)
         && kvsql_schema_has_tuple_rows (plan->best->schema);
}
