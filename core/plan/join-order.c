/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-order.c: the order of joins, and the method and the sides of each join, by cost.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/join-estimate.h"
#include "core/plan/join-order-private.h"
#include "core/plan/plan-tree.h"

#include <math.h>

/* The cost of a comparison of a sort. */
#define SORT_COST 0.05

/* ---- the search */

static void solve (KvsqlJoinProblem *self);

/* The rows of the query are made again for each row of the other side. */
static void
add_lateral (const KvsqlJoinProblem *self, KvsqlPartialJoin *out)
{
  gdouble rows = _kvsql_join_estimate_query (self->ordering->plan, self->tree->children[1]->leaf);

  out->cost += out->rows * rows;
  out->rows *= MAX (rows, 1);
}

static void
set_partial (const KvsqlJoinProblem *self, guint number, KvsqlPartialJoin *out)
{
  const KvsqlJoinProblemInput *input = &self->inputs[number];
  const KvsqlJoinOrdering *ordering = self->ordering;
  const KvsqlSelectPlan *plan;

  if (input->inner != NULL)
    {
      solve (input->inner);
      if (input->inner->best != NULL) /* else the search was interrupted */
        *out = *input->inner->best;
      out->inputs = (KvsqlInputSet){ 0 };
      out->probe = out->build = NULL;
    }
  else
    {
      plan = _kvsql_join_get_plan (ordering, input->tree->leaf);
      out->rows = plan != NULL ? kvsql_join_estimate_tuples (plan)
                               : _kvsql_join_estimate_query (ordering->plan, input->tree->leaf);
      out->cost = plan != NULL ? plan->best->cost : out->rows;
      out->order_leaf = plan != NULL ? input->tree->leaf : G_MAXUINT;
      out->path = plan != NULL ? plan->best : NULL;
      out->has_first = input->tree->leaf == 0;
    }
  if (kvsql_join_tree_is_lateral (self->tree))
    add_lateral (self, out);
  out->input = number;
  kvsql_attribute_set_add (&out->inputs, number);
}

static void
solve (KvsqlJoinProblem *self)
{
  KvsqlArena *arena = self->ordering->arena;
  KvsqlJoinSearch search
      = { .graph = &self->graph, .make = _kvsql_join_make_partial, .data = self };

  search.arena = arena;
  search.inputs = kvsql_arena_array (arena, KvsqlPartialJoin, self->n_inputs);
  for (guint i = 0; i < self->n_inputs; i++)
    set_partial (self, i, &search.inputs[i]);
  self->best = kvsql_join_search_run (&search);
}

/* ---- the relation that is scanned */

/* A relation that is read as a whole, preferably the one whose rows come first. 0: there is none.
 */
static guint
find_scanned (const KvsqlJoinProblem *self, const KvsqlPartialJoin *join)
{
  const KvsqlJoinProblemInput *input = &self->inputs[join->input];
  KvsqlJoinPair pair;
  guint leaf;

  if (join->probe == NULL && input->inner != NULL)
    return find_scanned (input->inner, input->inner->best);
  if (join->probe == NULL)
    {
      const KvsqlJoinPart *part = _kvsql_join_get_part (self->ordering, input->tree->leaf);

      return part == NULL || part->query != NULL || part->attributes != NULL ? 0
                                                                             : input->tree->leaf;
    }
  leaf = find_scanned (self, join->probe);
  if (leaf > 0 || join->is_looked_up)
    return leaf;
  pair = _kvsql_join_match (self, join);
  return pair.kind == KVSQL_JOIN_TREE_SEMI || pair.kind == KVSQL_JOIN_TREE_ANTI
             ? 0
             : find_scanned (self, join->build);
}

/* ---- the plan */

/* Above outer joins, conditions of WHERE are left. Those of inner joins are checked there. */
static void
set_filter (KvsqlSelectPlan *plan, const KvsqlJoinTree *tree, KvsqlArena *arena)
{
  KvsqlPredicate *truth = kvsql_arena_new0 (arena, KvsqlPredicate);

  truth->kind = KVSQL_PREDICATE_CONSTANT;
  truth->truth = TRUE;
  plan->predicate = truth;
  if (tree->n_children == 1 && tree->n_conditions > 0)
    plan->predicate = kvsql_predicate_unite (tree->conditions, tree->n_conditions, arena);
}

/* The schemas of USING SCHEMA, which exist: the plans of the relations were made. */
static gboolean
find_schemas (const KvsqlSelectPlan *plan, const KvsqlCatalog *catalog, const KvsqlSelect *select,
              const KvsqlSchema **out, GError **error)
{
  for (guint i = 0; i <= plan->join->n_parts; i++)
    {
      const KvsqlName *name = &kvsql_select_get_source (select, i)->using_schema;

      if (name->text == NULL)
        continue;
      out[i] = kvsql_catalog_find_schema (catalog, name, error);
      if (out[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

static guint *
find_leaves (const KvsqlSelectPlan *plan, KvsqlArena *arena)
{
  guint *leaves = kvsql_arena_array (arena, guint, KVSQL_MAX_ATTRIBUTES);

  for (guint c = 0; c < KVSQL_MAX_ATTRIBUTES; c++)
    leaves[c] = G_MAXUINT;
  for (guint i = 0; i <= plan->join->n_parts; i++)
    {
      const KvsqlBinderRelation *one = &plan->join->relations[i];

      for (guint a = 0; a < one->relation->n_attributes; a++)
        leaves[one->first + a] = i;
    }
  return leaves;
}

static KvsqlJoinProblem *
solve_tree (KvsqlJoinOrdering *self, const KvsqlJoinTree *tree)
{
  KvsqlJoinProblem *problem = _kvsql_join_problem_new (self, tree);

  solve (problem);
  return problem;
}

/* Without the order of the scan, the rows have to be sorted, but joins are free. With a LIMIT, not
 * all rows are read. */
static KvsqlJoinProblem *
choose_sort (KvsqlJoinOrdering *self, const KvsqlJoinTree *tree)
{
  KvsqlJoinProblem *ordered = solve_tree (self, tree), *sorted;
  gdouble rows;

  if (!self->uses_order || self->plan->limit != KVSQL_NO_LIMIT || ordered->best == NULL)
    return ordered;
  self->uses_order = FALSE;
  self->can_look_up_first = !self->plan->scans_first;
  sorted = solve_tree (self, tree);
  if (sorted->best == NULL)
    return sorted;
  rows = MAX (sorted->best->rows, 2);
  if (sorted->best->cost + rows * log2 (rows) * SORT_COST >= ordered->best->cost)
    {
      self->uses_order = TRUE;
      self->can_look_up_first = FALSE;
      return ordered;
    }
  self->plan->sorts_tuples = FALSE;
  self->plan->root = kvsql_plan_tree_new (self->plan, self->arena);
  return sorted;
}

static void
swap_scanned (KvsqlJoinOrdering *self, guint leaf)
{
  const KvsqlSchema *schema = self->using_schemas[0];
  KvsqlJoinLookups lookups = self->lookups[0];

  self->using_schemas[0] = self->using_schemas[leaf];
  self->using_schemas[leaf] = schema;
  self->lookups[0] = self->lookups[leaf];
  self->lookups[leaf] = lookups;
  self->orders[0] = self->orders[leaf] = (KvsqlJoinOrders){ 0 };
  for (guint c = 0; c < KVSQL_MAX_ATTRIBUTES; c++)
    if (self->leaves[c] == 0 || self->leaves[c] == leaf)
      self->leaves[c] = self->leaves[c] == 0 ? leaf : 0;
}

gboolean
kvsql_join_plan_order (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                       const KvsqlSelect *select, const KvsqlStoreCapabilities *capabilities,
                       KvsqlArena *arena, GError **error)
{
  KvsqlJoinOrdering ordering
      = { .plan = self,
          .capabilities = capabilities,
          .arena = arena,
          .uses_order = self->n_sort > 0 && self->sorts_tuples && !kvsql_select_plan_sorts (self) };
  const KvsqlJoinTree *tree = self->join->tree,
                      *joins = tree->n_children == 1 ? tree->children[0] : tree;
  guint n = self->join->n_parts + 1;
  KvsqlJoinProblem *problem;
  guint scanned = 0;

  ordering.using_schemas = kvsql_arena_array (arena, const KvsqlSchema *, n);
  ordering.lookups = kvsql_arena_array (arena, KvsqlJoinLookups, n);
  ordering.orders = kvsql_arena_array (arena, KvsqlJoinOrders, n);
  ordering.leaves = find_leaves (self, arena);
  ordering.first = kvsql_join_plan_make_first (self, arena);
  ordering.can_look_up_first = ordering.first != NULL && !ordering.uses_order && !self->scans_first;
  if (!find_schemas (self, catalog, select, ordering.using_schemas, error))
    return FALSE;
  problem = choose_sort (&ordering, joins);
  if (problem->best != NULL && problem->best->is_first_looked_up)
    {
      scanned = find_scanned (problem, problem->best);
      if (scanned == 0)
        {
          ordering.can_look_up_first = FALSE;
          problem = solve_tree (&ordering, joins);
        }
    }
  if (!kvsql_interrupt_check (error)) /* else joins or conditions may be missing */
    return FALSE;
  g_assert (problem->best != NULL);
  _kvsql_join_compare_methods (problem);
  if (scanned > 0)
    {
      swap_scanned (&ordering, scanned);
      if (!kvsql_join_plan_scan (self, scanned, ordering.first, catalog, select, capabilities,
                                 error))
        return FALSE;
    }
  self->join->root = _kvsql_join_make_nodes (problem);
  set_filter (self, tree, arena);
  return kvsql_interrupt_poll (error);
}
