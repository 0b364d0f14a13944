/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-method.c: what a join of two sides costs, by each method.
 */
#include "config.h"

#include "core/plan/join-order-private.h"

#include "core/base/interrupt.h"
#include "core/plan/join-cost.h"
#include "core/plan/join-estimate.h"
#include "core/plan/lookup-plan.h"

/* Of one relation, this many combinations of attributes are planned for lookups. */
#define MOST_LOOKUPS 32

KvsqlJoinMethod kvsql_join_forced_method;

/* ---- lookups */

static KvsqlSelectPlan *
make_lookup (const KvsqlJoinOrdering *self, guint leaf, const KvsqlAttributeSet *attributes)
{
  const KvsqlJoinPart *part = _kvsql_join_get_part (self, leaf);
  guint *list = kvsql_arena_array (self->arena, guint, KVSQL_MAX_ATTRIBUTES), n = 0;

  for (gint a = kvsql_attribute_set_next (attributes, -1); a >= 0;
       a = kvsql_attribute_set_next (attributes, a))
    list[n++] = (guint)a;
  return kvsql_lookup_plan_new (part->plan, list, n, self->using_schemas[leaf], self->capabilities,
                                self->arena);
}

/* The plan that looks the relation up by the attributes; NULL: there is none. */
KvsqlSelectPlan *
_kvsql_join_find_lookup (const KvsqlJoinOrdering *self, guint leaf,
                         const KvsqlAttributeSet *attributes)
{
  KvsqlJoinLookups *known = &self->lookups[leaf];
  KvsqlJoinLookup *added;

  for (guint i = 0; i < known->n; i++)
    if (memcmp (&known->all[i].attributes, attributes, sizeof *attributes) == 0)
      return known->all[i].plan;
  if (known->n == MOST_LOOKUPS)
    return NULL;
  added = KVSQL_ARENA_ADD (self->arena, known->all, known->n);
  *added = (KvsqlJoinLookup){ *attributes, make_lookup (self, leaf, attributes) };
  return added->plan;
}

/* Tuples of values that are looked up may repeat. Only if it is known is that relied on. */
static gdouble
estimate_looked_up (const KvsqlJoinOrdering *self, guint column)
{
  gboolean is_known;
  gdouble distinct = _kvsql_join_estimate_column (self, column, &is_known);

  return is_known ? distinct : INFINITY;
}

/* ---- the cost of joins */

/* The cheapest way to join two sides of which one is the probe side. */
typedef struct
{
  const KvsqlJoinProblem *problem;
  const KvsqlJoinPair *pair;
  const KvsqlPartialJoin *probe, *build;
  gboolean keeps_build;
  guint n_equalities;
  gdouble rows;
} Choice;

static guint
count_equalities (const KvsqlJoinProblem *problem, const KvsqlJoinPair *pair)
{
  guint n = 0;

  if (kvsql_join_forced_method == KVSQL_JOIN_METHOD_NESTED_LOOP)
    return 0;
  for (guint i = 0; i < pair->n_operators; i++)
    n += problem->operators[pair->operators[i]].n_equalities;
  return n;
}

/* The attributes of the build side by which it can be looked up. @out_distinct: estimated values of
 * the other side. */
static KvsqlAttributeSet
collect_looked_up (const Choice *self, guint leaf, gdouble *out_distinct)
{
  const KvsqlJoinOrdering *ordering = self->problem->ordering;
  const KvsqlAttribute *all = ordering->plan->relation->attributes;
  KvsqlAttributeSet attributes = { 0 };

  *out_distinct = 1;
  for (guint i = 0; i < self->pair->n_operators; i++)
    {
      const KvsqlProblemOperator *edge = &self->problem->operators[self->pair->operators[i]];

      for (guint c = 0; c < edge->n && kvsql_interrupt_tick (); c++)
        {
          guint a = edge->conditions[c]->attribute, b = edge->conditions[c]->other;

          if (!_kvsql_join_is_equality (ordering, edge->conditions[c])
              || (ordering->leaves[a] == leaf) == (ordering->leaves[b] == leaf)
              || !_kvsql_join_is_exact (all[a].type, all[b].type))
            continue;
          if (ordering->leaves[a] == leaf)
            {
              a = b;
              b = edge->conditions[c]->attribute;
            }
          kvsql_attribute_set_add (&attributes, kvsql_join_part_get_attribute (
                                                    _kvsql_join_get_part (ordering, leaf), b));
          *out_distinct *= estimate_looked_up (ordering, a);
        }
    }
  return attributes;
}

/* Whether the build side may be looked up at all. */
static gboolean
can_look_up (const Choice *self)
{
  const KvsqlJoinOrdering *ordering = self->problem->ordering;
  const KvsqlJoinProblemInput *input = &self->problem->inputs[self->build->input];
  const KvsqlJoinPart *part;

  if (self->build->probe != NULL || input->inner != NULL || self->keeps_build
      || kvsql_join_forced_method == KVSQL_JOIN_METHOD_HASH
      || kvsql_join_forced_method == KVSQL_JOIN_METHOD_NESTED_LOOP
      || kvsql_join_forced_method == KVSQL_JOIN_METHOD_MERGE
      || (self->build->has_first && !ordering->can_look_up_first))
    return FALSE;
  part = _kvsql_join_get_part (ordering, input->tree->leaf);
  return part != NULL && part->query == NULL;
}

static gboolean
cost_lookup (const Choice *self, gdouble *out)
{
  const KvsqlJoinOrdering *ordering = self->problem->ordering;
  KvsqlAttributeSet attributes;
  const KvsqlSelectPlan *lookup;
  gdouble distinct;
  guint leaf, n = 0;

  if (!can_look_up (self))
    return FALSE;
  leaf = self->problem->inputs[self->build->input].tree->leaf;
  attributes = collect_looked_up (self, leaf, &distinct);
  if (kvsql_attribute_set_is_empty (&attributes))
    return FALSE;
  lookup = _kvsql_join_find_lookup (ordering, leaf, &attributes);
  if (lookup == NULL)
    return FALSE;
  for (gint a = kvsql_attribute_set_next (&attributes, -1); a >= 0;
       a = kvsql_attribute_set_next (&attributes, a))
    n++;
  *out = kvsql_join_cost_lookup (lookup->best, n, self->probe->rows, distinct, self->rows,
                                 &ordering->capabilities->costs);
  return TRUE;
}

/* ---- merge joins */

static KvsqlJoinSortedSide
sorted_side_of (const Choice *self, const KvsqlPartialJoin *side)
{
  gboolean is_free = side->probe == NULL && self->problem->inputs[side->input].inner == NULL
                     && _kvsql_join_is_path_free (self->problem->ordering, side->order_leaf);

  return (KvsqlJoinSortedSide){ .leaf = side->order_leaf, .fixed = is_free ? NULL : side->path };
}

/* Pairs that have the same keys, but do not satisfy the other equalities. */
static gdouble
estimate_rejected (const Choice *self, const KvsqlJoinMergeKeys *keys)
{
  const KvsqlJoinOrdering *ordering = self->problem->ordering;
  gdouble pairs = self->probe->rows * self->build->rows;

  if (keys->n == self->n_equalities)
    return 0;
  for (guint i = 0; i < keys->n; i++)
    pairs /= MAX (_kvsql_join_estimate_column (ordering, keys->conditions[i]->attribute, NULL),
                  _kvsql_join_estimate_column (ordering, keys->conditions[i]->other, NULL));
  return MAX (pairs - self->rows, 0);
}

/* Whether a condition compares the relations from which the sides have their order. */
static gboolean
is_about (const KvsqlJoinOrdering *self, const KvsqlProblemOperator *edge,
          const KvsqlJoinSortedSide sides[2])
{
  for (guint i = 0; i < edge->n; i++)
    {
      const KvsqlPredicate *one = edge->conditions[i];
      guint a, b;

      if (one->kind != KVSQL_PREDICATE_ATTRIBUTES)
        continue;
      a = self->leaves[one->attribute];
      b = self->leaves[one->other];
      if ((a == sides[0].leaf && b == sides[1].leaf) || (a == sides[1].leaf && b == sides[0].leaf))
        return TRUE;
    }
  return FALSE;
}

static gboolean
cost_merge (const Choice *self, KvsqlJoinMergeKeys *out_keys, gdouble *out)
{
  const KvsqlPartialJoin *partials[] = { self->probe, self->build };
  const KvsqlJoinSortedSide sides[]
      = { sorted_side_of (self, self->probe), sorted_side_of (self, self->build) };
  gboolean is_found = FALSE;

  if (self->keeps_build || sides[0].leaf == G_MAXUINT || sides[1].leaf == G_MAXUINT
      || (kvsql_join_forced_method != KVSQL_JOIN_METHOD_CHEAPEST
          && kvsql_join_forced_method != KVSQL_JOIN_METHOD_MERGE))
    return FALSE;
  for (guint i = 0; i < self->pair->n_operators && !is_found; i++)
    {
      const KvsqlProblemOperator *edge = &self->problem->operators[self->pair->operators[i]];

      is_found = edge->n_equalities > 0 && is_about (self->problem->ordering, edge, sides)
                 && _kvsql_join_find_merge_keys (self->problem->ordering, edge->conditions, edge->n,
                                                 sides, out_keys);
    }
  if (!is_found)
    return FALSE;
  *out = self->probe->cost + self->build->cost
         + kvsql_join_cost_merge (self->probe->rows, self->build->rows, self->rows)
         + estimate_rejected (self, out_keys) * KVSQL_JOIN_PAIR_COST;
  for (guint side = 0; side < G_N_ELEMENTS (sides); side++)
    if (sides[side].fixed == NULL)
      *out += out_keys->paths[side]->cost - partials[side]->path->cost;
  return TRUE;
}

/* ---- the cheapest method */

/* Sets @out to this join if it is cheaper. @keys: (nullable): of a merge join */
static void
offer (const Choice *self, gboolean is_looked_up, const KvsqlJoinMergeKeys *keys, gdouble cost,
       KvsqlPartialJoin *out)
{
  if (out->probe != NULL && cost >= out->cost)
    return;
  out->probe = self->probe;
  out->build = self->build;
  out->cost = cost;
  out->rows = self->rows;
  out->is_looked_up = is_looked_up;
  out->is_merged = keys != NULL;
  out->order_leaf = self->keeps_build ? G_MAXUINT : self->probe->order_leaf;
  out->path = keys != NULL ? keys->paths[0] : self->probe->path;
  out->has_first = self->probe->has_first || self->build->has_first;
  out->is_first_looked_up = self->probe->is_first_looked_up || self->build->is_first_looked_up
                            || (is_looked_up && self->build->has_first);
}

/* The cost of the sides included; negative: it is not possible. A new method is added here, and
 * where it is offered. */
static gdouble
cost_method (const Choice *self, KvsqlJoinMethod method, KvsqlJoinMergeKeys *out_keys)
{
  gdouble sides = self->probe->cost + self->build->cost, cost;
  gboolean has_keys = self->n_equalities > 0;

  switch (method)
    {
    case KVSQL_JOIN_METHOD_LOOKUP:
      return cost_lookup (self, &cost) ? self->probe->cost + cost : -1;
    case KVSQL_JOIN_METHOD_MERGE:
      return cost_merge (self, out_keys, &cost) ? cost : -1;
    case KVSQL_JOIN_METHOD_HASH:
      return !has_keys
                 ? -1
                 : sides + kvsql_join_cost_hash (self->probe->rows, self->build->rows, self->rows);
    default:
      return has_keys ? -1
                      : sides
                            + kvsql_join_cost_nested_loop (self->probe->rows, self->build->rows,
                                                           self->rows);
    }
}

static const KvsqlJoinMethod methods[] = { KVSQL_JOIN_METHOD_LOOKUP, KVSQL_JOIN_METHOD_MERGE,
                                           KVSQL_JOIN_METHOD_HASH, KVSQL_JOIN_METHOD_NESTED_LOOP };

static void
offer_methods (const Choice *self, KvsqlPartialJoin *out)
{
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      KvsqlJoinMethod method = methods[i];
      KvsqlJoinMergeKeys keys;
      gdouble cost = cost_method (self, method, &keys);
      gboolean is_forced
          = method == kvsql_join_forced_method
            && (method == KVSQL_JOIN_METHOD_LOOKUP || method == KVSQL_JOIN_METHOD_MERGE);

      if (cost >= 0)
        offer (self, method == KVSQL_JOIN_METHOD_LOOKUP,
               method == KVSQL_JOIN_METHOD_MERGE ? &keys : NULL, is_forced ? 0 : cost, out);
    }
}

/* ---- both sides */

/* Whether the first side can be the probe side. */
static gboolean
init_choice (const KvsqlJoinProblem *problem, const KvsqlJoinPair *pair,
             const KvsqlPartialJoin *probe, const KvsqlPartialJoin *build, gboolean is_probe_left,
             guint n_equalities, gdouble rows, Choice *out)
{
  gboolean is_full = pair->kind == KVSQL_JOIN_TREE_FULL,
           is_left = pair->kind == KVSQL_JOIN_TREE_LEFT,
           is_semi = pair->kind == KVSQL_JOIN_TREE_SEMI || pair->kind == KVSQL_JOIN_TREE_ANTI;

  *out = (Choice){ .problem = problem,
                   .pair = pair,
                   .probe = probe,
                   .build = build,
                   .keeps_build = is_full || (is_left && !is_probe_left),
                   .n_equalities = n_equalities,
                   .rows = rows };
  return (!is_semi || is_probe_left) && !(problem->ordering->uses_order && build->has_first);
}

gboolean
_kvsql_join_make_partial (const KvsqlPartialJoin *a, const KvsqlPartialJoin *b,
                          const KvsqlJoinPair *pair, gdouble rows, gpointer data,
                          KvsqlPartialJoin *out)
{
  const KvsqlJoinProblem *problem = data;
  const KvsqlPartialJoin *left = pair->is_swapped ? b : a;
  guint n_equalities = count_equalities (problem, pair);
  gdouble share = 1;
  Choice choice;

  for (guint i = 0; i < pair->n_operators; i++)
    share *= problem->operators[pair->operators[i]].share;
  if (rows < 0)
    rows = kvsql_join_estimate_rows (pair->kind, left->rows, (left == a ? b : a)->rows, share);
  if (init_choice (problem, pair, a, b, left == a, n_equalities, rows, &choice))
    offer_methods (&choice, out);
  if (init_choice (problem, pair, b, a, left == b, n_equalities, rows, &choice))
    offer_methods (&choice, out);
  return out->probe != NULL;
}

/* By method: the cost of the join if it is possible; else 0. */
static gdouble *
compare_methods (const KvsqlJoinProblem *self, const KvsqlPartialJoin *join)
{
  const KvsqlPartialJoin *sides[] = { join->probe, join->build };
  KvsqlJoinPair pair = _kvsql_join_match (self, join);
  guint n_equalities = count_equalities (self, &pair);
  gdouble *costs = kvsql_arena_array (self->ordering->arena, gdouble, KVSQL_N_JOIN_METHODS);

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      gboolean is_left = (i == 0) != (pair.is_swapped != FALSE);
      Choice choice;

      if (!init_choice (self, &pair, sides[i], sides[1 - i], is_left, n_equalities, join->rows,
                        &choice))
        continue;
      for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
        {
          KvsqlJoinMergeKeys keys;
          gdouble cost = cost_method (&choice, methods[m], &keys), *best = &costs[methods[m]];

          if (cost > 0 && (*best == 0 || cost < *best))
            *best = cost;
        }
    }
  return costs;
}

static void
compare_below (KvsqlJoinProblem *self, const KvsqlPartialJoin *join)
{
  if (join->probe == NULL)
    {
      if (self->inputs[join->input].inner != NULL)
        _kvsql_join_compare_methods (self->inputs[join->input].inner);
      return;
    }
  ((KvsqlPartialJoin *)join)->other_costs = compare_methods (self, join);
  compare_below (self, join->probe);
  compare_below (self, join->build);
}

void
_kvsql_join_compare_methods (KvsqlJoinProblem *self)
{
  compare_below (self, self->best);
}
