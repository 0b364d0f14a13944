/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-nodes.c: makes the nodes of the plan, after the order was chosen.
 */
#include "config.h"

#include "core/plan/join-order-private.h"

#include "core/base/interrupt.h"
#include "core/plan/lookup-plan.h"

/* ---- conditions */

/* Whether the condition is such an equality between the two sides. */
static gboolean
get_key (const KvsqlJoinOrdering *self, const KvsqlPredicate *condition, const KvsqlJoinNode *probe,
         const KvsqlJoinNode *build, KvsqlJoinKey *out)
{
  const KvsqlAttribute *attributes = self->plan->relation->attributes;
  guint a = condition->attribute, b = condition->other;

  if (!_kvsql_join_is_equality (self, condition))
    return FALSE;
  out->is_exact = _kvsql_join_is_exact (attributes[a].type, attributes[b].type);
  out->probe = kvsql_attribute_set_has (&probe->columns, a) ? a : b;
  out->build = out->probe == a ? b : a;
  return kvsql_attribute_set_has (&probe->columns, out->probe)
         && kvsql_attribute_set_has (&build->columns, out->build);
}

static void
set_conditions (KvsqlJoinOrdering *self, KvsqlJoinNode *node, KvsqlPredicate *const *conditions,
                guint n)
{
  KvsqlPredicate **residual = kvsql_arena_array (self->arena, KvsqlPredicate *, n);
  KvsqlJoinKey key;
  guint n_residual = 0;

  node->keys = kvsql_arena_array (self->arena, KvsqlJoinKey, n);
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    {
      gboolean is_key = get_key (self, conditions[i], node->probe, node->build, &key)
                        && kvsql_join_forced_method != KVSQL_JOIN_METHOD_NESTED_LOOP;

      if (is_key)
        node->keys[node->n_keys++] = key;
      if (!is_key || !key.is_exact)
        residual[n_residual++] = conditions[i];
    }
  node->on = kvsql_predicate_unite (conditions, n, self->arena);
  node->residual = kvsql_predicate_unite (residual, n_residual, self->arena);
}

/* ---- merge joins */

/* The keys of the merge come first. All others are checked. */
static void
reorder_conditions (KvsqlJoinOrdering *self, KvsqlJoinNode *node, KvsqlPredicate *const *conditions,
                    guint n, const KvsqlJoinMergeKeys *keys)
{
  KvsqlPredicate **ordered = kvsql_arena_array (self->arena, KvsqlPredicate *, n);
  const KvsqlPredicate *on = node->on;
  guint n_ordered = keys->n;

  memcpy (ordered, keys->conditions, keys->n * sizeof *ordered);
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    {
      gboolean is_merged = FALSE;

      for (guint k = 0; k < keys->n; k++)
        is_merged = is_merged || conditions[i] == keys->conditions[k];
      if (!is_merged)
        ordered[n_ordered++] = conditions[i];
    }
  node->n_keys = 0;
  set_conditions (self, node, ordered, n_ordered);
  node->on = on;
  node->residual = kvsql_predicate_unite (ordered + keys->n, n_ordered - keys->n, self->arena);
}

/* What the search found may be gone, if another relation is scanned: then it is a hash join. */
static void
set_merge (KvsqlJoinOrdering *self, KvsqlJoinNode *node, KvsqlPredicate *const *conditions, guint n)
{
  const KvsqlJoinSortedSide sides[] = { _kvsql_join_get_sorted_side (self, node->probe),
                                        _kvsql_join_get_sorted_side (self, node->build) };
  KvsqlJoinMergeKeys keys;

  if (!_kvsql_join_find_merge_keys (self, conditions, n, sides, &keys))
    return;
  reorder_conditions (self, node, conditions, n, &keys);
  if (node->n_keys < keys.n) /* interrupted */
    return;
  node->n_merge_keys = keys.n;
  _kvsql_join_use_merge_keys (self, &keys, sides);
}

/* ---- narrower scans */

/* The relation from which the order of the node's rows is. Of its rows, those that the join drops
 * need not be read. */
static guint
find_probed_leaf (const KvsqlJoinNode *node)
{
  while (node->probe != NULL)
    {
      if (node->lateral != NULL)
        return G_MAXUINT;
      node = node->probe;
    }
  return node->leaf;
}

static guint
attribute_of (const KvsqlJoinOrdering *self, guint leaf, guint column)
{
  return leaf == 0 ? column - self->plan->join->first
                   : kvsql_join_part_get_attribute (&self->plan->join->parts[leaf - 1], column);
}

/* A hash join that drops rows of the probe side without a partner. */
static void
set_narrowing (const KvsqlJoinOrdering *self, KvsqlJoinNode *node)
{
  guint leaf = find_probed_leaf (node->probe);
  const KvsqlSelectPlan *plan = leaf == G_MAXUINT ? NULL : _kvsql_join_get_plan (self, leaf);

  if (plan == NULL || node->keeps_probe || node->is_anti || node->n_looked_up > 0
      || node->n_merge_keys > 0)
    return;
  for (guint k = 0; k < node->n_keys && !node->narrows && kvsql_interrupt_tick (); k++)
    {
      const KvsqlJoinKey *key = &node->keys[k];

      if (!key->is_exact || self->leaves[key->probe] != leaf)
        continue;
      node->narrowing_key = k;
      node->narrowed_leaf = leaf;
      node->narrowed_attribute = attribute_of (self, leaf, key->probe);
      node->narrows = kvsql_lookup_plan_can_narrow (plan, node->narrowed_attribute,
                                                    self->capabilities, self->arena);
    }
}

/* ---- lookup joins */

/* Keys of one type whose equal values have equal bytes. */
static guint
choose_looked_up (const KvsqlJoinOrdering *self, const KvsqlJoinNode *node,
                  const KvsqlJoinPart *part, guint *attributes, guint *keys)
{
  const KvsqlAttribute *all = self->plan->relation->attributes;
  guint n = 0;

  for (guint k = 0; k < node->n_keys; k++)
    {
      const KvsqlJoinKey *key = &node->keys[k];
      gboolean is_new = key->is_exact && all[key->probe].type == all[key->build].type;

      for (guint i = 0; i < n; i++)
        is_new = is_new && attributes[i] != kvsql_join_part_get_attribute (part, key->build);
      if (!is_new)
        continue;
      attributes[n] = kvsql_join_part_get_attribute (part, key->build);
      keys[n++] = k;
    }
  return n;
}

/* ---- nodes */

static KvsqlJoinNode *
make_leaf (const KvsqlJoinOrdering *self, const KvsqlJoinTree *tree,
           const KvsqlPartialJoin *partial)
{
  const KvsqlSelectPlan *plan = self->plan;
  KvsqlJoinNode *node = kvsql_arena_new0 (self->arena, KvsqlJoinNode);

  node->leaf = tree->leaf;
  node->has_first = tree->leaf == 0;
  node->columns = tree->columns;
  for (guint i = 0; i < G_N_ELEMENTS (node->columns.bits); i++)
    node->columns.bits[i] &= plan->join->needed.bits[i];
  node->rows = partial->rows;
  node->cost = partial->cost;
  return node;
}

static void
set_lookup (KvsqlJoinOrdering *self, KvsqlJoinNode *node)
{
  KvsqlJoinPart *part = &self->plan->join->parts[node->build->leaf - 1];
  KvsqlAttributeSet attributes = { 0 };

  node->looked_up = kvsql_arena_array (self->arena, guint, node->n_keys + 1);
  node->lookup_keys = kvsql_arena_array (self->arena, guint, node->n_keys + 1);
  node->n_looked_up = choose_looked_up (self, node, part, node->looked_up, node->lookup_keys);
  for (guint i = 0; i < node->n_looked_up; i++)
    kvsql_attribute_set_add (&attributes, node->looked_up[i]);
  if (node->n_looked_up == 0) /* interrupted */
    return;
  part->plan = _kvsql_join_find_lookup (self, node->build->leaf, &attributes);
  part->is_looked_up = TRUE;
  g_assert (part->plan != NULL || !kvsql_interrupt_tick ());
}

/* The conditions of the operators that the join applies, and those that the last join checks. */
static KvsqlPredicate **
collect_conditions (const KvsqlJoinProblem *self, const KvsqlPartialJoin *join,
                    const KvsqlJoinPair *pair, guint *out_n)
{
  KvsqlArena *arena = self->ordering->arena;
  guint n = join == self->best ? self->n_late : 0;
  KvsqlPredicate **conditions;

  for (guint i = 0; i < pair->n_operators; i++)
    n += self->operators[pair->operators[i]].n;
  conditions = kvsql_arena_array (arena, KvsqlPredicate *, n);
  *out_n = 0;
  for (guint i = 0; i < pair->n_operators; i++)
    for (guint c = 0; c < self->operators[pair->operators[i]].n; c++)
      conditions[(*out_n)++] = self->operators[pair->operators[i]].conditions[c];
  for (guint i = 0; i < self->n_late && join == self->best; i++)
    conditions[(*out_n)++] = self->late[i];
  return conditions;
}

static KvsqlJoinMethod
get_method (const KvsqlJoinNode *node)
{
  if (node->n_looked_up > 0)
    return KVSQL_JOIN_METHOD_LOOKUP;
  if (node->n_merge_keys > 0)
    return KVSQL_JOIN_METHOD_MERGE;
  return node->n_keys > 0 ? KVSQL_JOIN_METHOD_HASH : KVSQL_JOIN_METHOD_NESTED_LOOP;
}

static KvsqlJoinNode *
make_node (KvsqlJoinProblem *self, const KvsqlPartialJoin *join)
{
  KvsqlJoinOrdering *ordering = self->ordering;
  const KvsqlJoinProblemInput *input = &self->inputs[join->input];
  KvsqlPredicate **conditions;
  KvsqlJoinNode *node;
  KvsqlJoinPair pair;
  guint n;

  if (join->probe == NULL)
    return input->inner != NULL ? _kvsql_join_make_nodes (input->inner)
                                : make_leaf (ordering, input->tree, join);
  pair = _kvsql_join_match (self, join);
  node = kvsql_arena_new0 (ordering->arena, KvsqlJoinNode);
  memcpy (node->other_costs, join->other_costs, sizeof node->other_costs);
  node->probe = make_node (self, join->probe);
  node->build = make_node (self, join->build);
  node->keeps_probe = pair.kind == KVSQL_JOIN_TREE_FULL
                      || (pair.kind == KVSQL_JOIN_TREE_LEFT && !pair.is_swapped);
  node->keeps_build
      = pair.kind == KVSQL_JOIN_TREE_FULL || (pair.kind == KVSQL_JOIN_TREE_LEFT && pair.is_swapped);
  node->is_semi = pair.kind == KVSQL_JOIN_TREE_SEMI;
  node->is_anti = pair.kind == KVSQL_JOIN_TREE_ANTI;
  node->has_first = node->probe->has_first || node->build->has_first;
  node->columns = node->probe->columns;
  if (!node->is_semi && !node->is_anti)
    kvsql_attribute_set_add_all (&node->columns, &node->build->columns);
  conditions = collect_conditions (self, join, &pair, &n);
  set_conditions (ordering, node, conditions, n);
  node->rows = join->rows;
  node->cost = join->cost;
  if (join->is_looked_up)
    set_lookup (ordering, node);
  if (join->is_merged)
    set_merge (ordering, node, conditions, n);
  node->other_costs[get_method (node)] = 0;
  set_narrowing (ordering, node);
  node->number = ordering->plan->join->n_joins++;
  return node;
}

/* What the query gives for a row of the probe side is joined to it. The order of the scan stays. */
static KvsqlJoinNode *
make_lateral (const KvsqlJoinProblem *self, KvsqlJoinNode *probe)
{
  const KvsqlJoinOrdering *ordering = self->ordering;
  const KvsqlJoinTree *query = self->tree->children[1];
  const KvsqlPartialJoin rows
      = { .rows = _kvsql_join_estimate_query (ordering->plan, query->leaf) };
  KvsqlJoinNode *node = kvsql_arena_new0 (ordering->arena, KvsqlJoinNode);

  node->probe = probe;
  node->build = make_leaf (ordering, query, &rows);
  node->lateral = ordering->plan->join->parts[query->leaf - 1].query->lateral;
  node->keeps_probe = self->tree->kind == KVSQL_JOIN_TREE_LEFT_LATERAL;
  node->has_first = probe->has_first;
  node->columns = probe->columns;
  kvsql_attribute_set_add_all (&node->columns, &node->build->columns);
  node->on = node->residual
      = kvsql_predicate_unite (self->tree->conditions, self->tree->n_conditions, ordering->arena);
  node->rows = self->best->rows;
  node->cost = self->best->cost;
  node->number = ordering->plan->join->n_joins++;
  return node;
}

KvsqlJoinNode *
_kvsql_join_make_nodes (KvsqlJoinProblem *self)
{
  KvsqlJoinNode *node = make_node (self, self->best);

  if (kvsql_join_tree_is_lateral (self->tree))
    node = make_lateral (self, node);
  node->merged = self->tree->merged;
  node->n_merged = self->tree->n_merged;
  for (guint i = 0; i < self->tree->n_merged; i++)
    kvsql_attribute_set_add (&node->columns, self->tree->merged[i].column);
  return node;
}
