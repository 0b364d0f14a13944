/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-problem.c: makes a problem of a tree of joins: its inputs, and the operators between them.
 */
#include "config.h"

#include "core/plan/join-order-private.h"

#include "core/base/interrupt.h"

/* ---- a problem from the tree */

/* Of an inner join: whether the condition is checked on complete rows, by the last join. */
static gboolean
is_late (const KvsqlJoinTree *tree, const KvsqlPredicate *condition)
{
  KvsqlAttributeSet columns = kvsql_predicate_get_columns (condition);

  if (condition->can_fail)
    return TRUE;
  for (guint i = 0; i < tree->n_children; i++)
    if (kvsql_attribute_set_contains (&tree->children[i]->columns, &columns))
      return TRUE;
  return FALSE;
}

/* Whether no join may move into or out of the node. */
static gboolean
is_rigid (const KvsqlJoinTree *tree)
{
  for (guint i = 0; i < tree->n_conditions && kvsql_interrupt_tick (); i++)
    if (tree->kind == KVSQL_JOIN_TREE_INNER ? is_late (tree, tree->conditions[i])
                                            : tree->conditions[i]->can_fail)
      return TRUE;
  return FALSE;
}

static KvsqlInputSet collect (KvsqlJoinProblem *self, const KvsqlJoinTree *tree);

static KvsqlInputSet
add_input (KvsqlJoinProblem *self, const KvsqlJoinTree *tree)
{
  KvsqlInputSet set = { 0 };
  KvsqlJoinProblemInput *input;

  kvsql_attribute_set_add (&set, self->n_inputs);
  input = KVSQL_ARENA_ADD (self->ordering->arena, self->inputs, self->n_inputs);
  *input = (KvsqlJoinProblemInput){ .tree = tree };
  if (tree->kind != KVSQL_JOIN_TREE_LEAF)
    input->inner = _kvsql_join_problem_new (self->ordering, tree);
  return set;
}

static KvsqlInputSet
collect_child (KvsqlJoinProblem *self, const KvsqlJoinTree *child, gboolean is_parent_rigid)
{
  if (child->kind == KVSQL_JOIN_TREE_LEAF || is_parent_rigid || child->n_merged > 0
      || kvsql_join_tree_is_lateral (child) || is_rigid (child))
    return add_input (self, child);
  return collect (self, child);
}

static KvsqlInputSet
inputs_of_columns (const KvsqlJoinProblem *self, const KvsqlAttributeSet *columns)
{
  KvsqlInputSet inputs = { 0 };

  for (guint i = 0; i < self->n_inputs && kvsql_interrupt_tick (); i++)
    if (kvsql_attribute_set_intersects (&self->inputs[i].tree->columns, columns))
      kvsql_attribute_set_add (&inputs, i);
  return inputs;
}

static void
add_step (KvsqlJoinProblem *self, const KvsqlInputSet *left, const KvsqlInputSet *right)
{
  *KVSQL_ARENA_ADD (self->ordering->arena, self->graph.steps, self->graph.n_steps)
      = (KvsqlJoinStep){ *left, *right };
}

/* Adds an operator of the last step. */
static KvsqlJoinOperator *
add_operator (KvsqlJoinProblem *self, KvsqlJoinTreeKind kind)
{
  const KvsqlJoinStep *step = &self->graph.steps[self->graph.n_steps - 1];
  KvsqlArena *arena = self->ordering->arena;
  KvsqlJoinOperator *edge = KVSQL_ARENA_ADD (arena, self->graph.operators, self->graph.n_operators);

  *edge = (KvsqlJoinOperator){ .kind = kind, .left = step->left, .right = step->right };
  *KVSQL_ARENA_ADD (arena, self->operators, self->n_operators) = (KvsqlProblemOperator){ 0 };
  return edge;
}

static void
add_condition (KvsqlJoinProblem *self, KvsqlProblemOperator *edge, KvsqlPredicate *condition)
{
  *KVSQL_ARENA_ADD (self->ordering->arena, edge->conditions, edge->n) = condition;
}

/* The inputs one of which the condition refuses to be without. */
static void
add_refused (const KvsqlJoinProblem *self, const KvsqlPredicate *condition, KvsqlJoinOperator *edge)
{
  for (gint i = kvsql_attribute_set_next (&edge->used, -1); i >= 0;
       i = kvsql_attribute_set_next (&edge->used, i))
    if (kvsql_join_refuses (condition, &self->inputs[i].tree->columns))
      kvsql_attribute_set_add (&edge->refused, (guint)i);
}

/* A left, full, semi or anti join. */
static KvsqlInputSet
collect_pair (KvsqlJoinProblem *self, const KvsqlJoinTree *tree, gboolean is_tree_rigid)
{
  KvsqlInputSet left = collect_child (self, tree->children[0], is_tree_rigid),
                right = collect_child (self, tree->children[1], is_tree_rigid);
  KvsqlJoinOperator *edge;

  add_step (self, &left, &right);
  edge = add_operator (self, tree->kind);
  for (guint i = 0; i < tree->n_conditions && kvsql_interrupt_tick (); i++)
    {
      KvsqlAttributeSet columns = kvsql_predicate_get_columns (tree->conditions[i]);
      KvsqlInputSet used = inputs_of_columns (self, &columns);

      kvsql_attribute_set_add_all (&edge->used, &used);
      add_condition (self, &self->operators[self->n_operators - 1], tree->conditions[i]);
    }
  for (guint i = 0; i < tree->n_conditions && kvsql_interrupt_tick (); i++)
    add_refused (self, tree->conditions[i], edge);
  kvsql_attribute_set_add_all (&left, &right);
  return left;
}

/* The conditions of an inner join, and the children that are not joined yet. */
typedef struct
{
  KvsqlPredicate **conditions; /* NULL: it is in an operator */
  KvsqlInputSet *used;
  guint n_conditions;
  KvsqlInputSet *children;
  gboolean *is_joined;
  guint n_children;
} Inner;

/* The next child in the order of the text that a condition connects with what is joined. */
static guint
find_connected (const Inner *self, const KvsqlInputSet *joined)
{
  KvsqlInputSet reached = { 0 };

  for (guint i = 0; i < self->n_conditions && kvsql_interrupt_tick (); i++)
    if (self->conditions[i] != NULL && kvsql_attribute_set_intersects (&self->used[i], joined))
      kvsql_attribute_set_add_all (&reached, &self->used[i]);
  for (guint i = 0; i < self->n_children; i++)
    if (!self->is_joined[i] && kvsql_attribute_set_intersects (&self->children[i], &reached))
      return i;
  for (guint i = 0; i < self->n_children; i++)
    if (!self->is_joined[i])
      return i;
  g_assert_not_reached ();
}

/* Whether an operator of the last step has the same inputs; then the condition is a part of it. */
static gboolean
add_to_operator (KvsqlJoinProblem *self, guint first, const KvsqlInputSet *used,
                 KvsqlPredicate *condition)
{
  for (guint i = first; i < self->n_operators; i++)
    if (memcmp (&self->graph.operators[i].used, used, sizeof *used) == 0)
      {
        add_condition (self, &self->operators[i], condition);
        return TRUE;
      }
  return FALSE;
}

/* Makes operators of the conditions that the last step completes. Without one, it is a cross join.
 */
static void
add_operators (KvsqlJoinProblem *self, Inner *inner, const KvsqlInputSet *joined)
{
  guint first = self->n_operators;

  for (guint i = 0; i < inner->n_conditions && kvsql_interrupt_tick (); i++)
    {
      if (inner->conditions[i] == NULL || !kvsql_attribute_set_contains (joined, &inner->used[i]))
        continue;
      if (!add_to_operator (self, first, &inner->used[i], inner->conditions[i]))
        {
          add_operator (self, KVSQL_JOIN_TREE_INNER)->used = inner->used[i];
          add_condition (self, &self->operators[self->n_operators - 1], inner->conditions[i]);
        }
      inner->conditions[i] = NULL;
    }
  if (self->n_operators == first)
    (void)add_operator (self, KVSQL_JOIN_TREE_INNER);
}

static KvsqlInputSet
collect_inner (KvsqlJoinProblem *self, const KvsqlJoinTree *tree, gboolean is_tree_rigid)
{
  KvsqlArena *arena = self->ordering->arena;
  Inner inner = { .n_children = tree->n_children };
  KvsqlInputSet joined;

  inner.children = kvsql_arena_array (arena, KvsqlInputSet, tree->n_children);
  inner.is_joined = kvsql_arena_array (arena, gboolean, tree->n_children);
  inner.conditions = kvsql_arena_array (arena, KvsqlPredicate *, tree->n_conditions);
  inner.used = kvsql_arena_array (arena, KvsqlInputSet, tree->n_conditions);
  for (guint i = 0; i < tree->n_children; i++)
    inner.children[i] = collect_child (self, tree->children[i], is_tree_rigid);
  for (guint i = 0; i < tree->n_conditions && kvsql_interrupt_tick (); i++)
    {
      KvsqlAttributeSet columns = kvsql_predicate_get_columns (tree->conditions[i]);

      if (is_late (tree, tree->conditions[i]))
        {
          *KVSQL_ARENA_ADD (arena, self->late, self->n_late) = tree->conditions[i];
          continue;
        }
      inner.conditions[inner.n_conditions] = tree->conditions[i];
      inner.used[inner.n_conditions++] = inputs_of_columns (self, &columns);
    }
  joined = inner.children[0];
  inner.is_joined[0] = TRUE;
  for (guint i = 1; i < tree->n_children; i++)
    {
      guint next = find_connected (&inner, &joined);

      add_step (self, &joined, &inner.children[next]);
      inner.is_joined[next] = TRUE;
      kvsql_attribute_set_add_all (&joined, &inner.children[next]);
      add_operators (self, &inner, &joined);
    }
  return joined;
}

static KvsqlInputSet
collect (KvsqlJoinProblem *self, const KvsqlJoinTree *tree)
{
  gboolean is_tree_rigid = is_rigid (tree);

  if (tree->kind == KVSQL_JOIN_TREE_INNER)
    return collect_inner (self, tree, is_tree_rigid);
  return collect_pair (self, tree, is_tree_rigid);
}

KvsqlJoinProblem *
_kvsql_join_problem_new (KvsqlJoinOrdering *ordering, const KvsqlJoinTree *tree)
{
  KvsqlJoinProblem *self = kvsql_arena_new0 (ordering->arena, KvsqlJoinProblem);

  self->ordering = ordering;
  self->tree = tree;
  if (tree->kind == KVSQL_JOIN_TREE_LEAF)
    (void)add_input (self, tree);
  else if (kvsql_join_tree_is_lateral (tree))
    (void)add_input (self, tree->children[0]);
  else
    (void)collect (self, tree);
  self->graph.n_inputs = self->n_inputs;
  kvsql_join_graph_find_conflicts (&self->graph, ordering->arena);
  for (guint i = 0; i < self->n_operators; i++)
    _kvsql_join_estimate_operator (self, &self->operators[i], &self->graph.operators[i].used);
  ordering->plan->join->is_greedy
      = ordering->plan->join->is_greedy || self->n_inputs > KVSQL_JOIN_MOST_EXACT;
  return self;
}

KvsqlJoinPair
_kvsql_join_match (const KvsqlJoinProblem *self, const KvsqlPartialJoin *join)
{
  KvsqlJoinPair pair;

  pair.operators = kvsql_arena_array (self->ordering->arena, guint, self->n_operators);
  if (!kvsql_join_graph_match (&self->graph, &join->probe->inputs, &join->build->inputs, &pair))
    g_assert (!kvsql_interrupt_tick ());
  return pair;
}
