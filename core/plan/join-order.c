/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-order.c: the order of joins, and the method and the sides of each join, by cost.
 *
 * The tree of joins becomes problems. The inputs of a problem are relations, and parts of the tree
 * that stay together: a part is a problem of its own if it computes merged columns, if it has a
 * condition that may fail or that is checked late, or if it is a lateral join. Operators between
 * the inputs make a graph (join-graph.h), in which the cheapest order is searched (join-search.h).
 * Last, the nodes of the plan are made.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/estimate.h"
#include "core/plan/join-cost.h"
#include "core/plan/join-estimate.h"
#include "core/plan/join-plan.h"
#include "core/plan/join-search.h"
#include "core/plan/join-tree.h"
#include "core/plan/lookup-plan.h"
#include "core/plan/plan-tree.h"

/* The cost of a comparison of a sort. */
#define SORT_COST 0.05
/* Of one relation, this many combinations of attributes are planned for lookups. */
#define MOST_LOOKUPS 32

KvsqlJoinMethod kvsql_join_forced_method;

/* A plan that looks a relation up by some of its attributes. */
typedef struct
{
  KvsqlAttributeSet attributes;
  KvsqlSelectPlan *plan; /* NULL: no schema has ranges for them */
} Lookup;

typedef struct
{
  Lookup *all;
  guint n;
} Lookups;

typedef struct
{
  KvsqlSelectPlan *plan;
  const KvsqlSchema **using_schemas; /* by relation; NULL: any */
  const KvsqlStoreCapabilities *capabilities;
  KvsqlArena *arena;
  gboolean uses_order;        /* of the scan, which has to be on the probe side */
  gboolean can_look_up_first; /* the relation that is scanned may be looked up: another one is
                                 scanned instead */
  KvsqlJoinPart *first;       /* nullable: that relation as one that is looked up */
  Lookups *lookups;           /* by relation */
  guint *leaves;              /* by column: its relation; G_MAXUINT: it is merged */
} Ordering;

typedef struct _Problem Problem;

typedef struct
{
  const KvsqlJoinTree *tree;
  Problem *inner; /* NULL: a relation */
} Input;

/* The conditions of an operator of the graph. */
typedef struct
{
  KvsqlPredicate **conditions;
  guint n;
  guint n_equalities;
  gdouble share; /* of the pairs that satisfy them */
} Operator;

struct _Problem
{
  Ordering *ordering;
  const KvsqlJoinTree *tree;
  Input *inputs;
  guint n_inputs;
  KvsqlJoinGraph graph;
  Operator *operators;
  guint n_operators;
  KvsqlPredicate **late; /* conditions that the last join checks */
  guint n_late;
  const KvsqlPartialJoin *best;
};

/* ---- one join */

/* Whether equal values have equal bytes. */
static gboolean
is_exact (KvsqlType a, KvsqlType b)
{
  return a == b && kvsql_type_has_one_form (a);
}

/* Whether it is an equality by which a hash finds partners. */
static gboolean
is_equality (const Ordering *self, const KvsqlPredicate *condition)
{
  const KvsqlAttribute *attributes = self->plan->relation->attributes;

  return condition->kind == KVSQL_PREDICATE_ATTRIBUTES && condition->op == KVSQL_OP_EQ
         && !kvsql_type_is_collection (attributes[condition->attribute].type)
         && !kvsql_type_is_collection (attributes[condition->other].type)
         && !kvsql_type_is_json (attributes[condition->attribute].type);
}

/* Whether the condition is such an equality between the two sides. */
static gboolean
get_key (const Ordering *self, const KvsqlPredicate *condition, const KvsqlJoinNode *probe,
         const KvsqlJoinNode *build, KvsqlJoinKey *out)
{
  const KvsqlAttribute *attributes = self->plan->relation->attributes;
  guint a = condition->attribute, b = condition->other;

  if (!is_equality (self, condition))
    return FALSE;
  out->is_exact = is_exact (attributes[a].type, attributes[b].type);
  out->probe = kvsql_attribute_set_has (&probe->columns, a) ? a : b;
  out->build = out->probe == a ? b : a;
  return kvsql_attribute_set_has (&probe->columns, out->probe)
         && kvsql_attribute_set_has (&build->columns, out->build);
}

static void
set_conditions (Ordering *self, KvsqlJoinNode *node, KvsqlPredicate *const *conditions, guint n)
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

/* ---- relations */

static const KvsqlJoinPart *
get_part (const Ordering *self, guint leaf)
{
  return leaf == 0 ? self->first : &self->plan->join->parts[leaf - 1];
}

/* The plan that reads the relation; NULL: it is a query. */
static const KvsqlSelectPlan *
get_plan (const Ordering *self, guint leaf)
{
  if (leaf == 0)
    return self->plan->entry != NULL ? self->plan : NULL;
  return self->plan->join->parts[leaf - 1].query != NULL ? NULL
                                                         : self->plan->join->parts[leaf - 1].plan;
}

static gdouble
estimate_query (const KvsqlSelectPlan *plan, guint leaf)
{
  return kvsql_select_plan_estimate_rows (leaf == 0 ? plan->set->operands[0].plan
                                                    : plan->join->parts[leaf - 1].query);
}

/* ---- lookup joins */

/* Keys of one type whose equal values have equal bytes. */
static guint
choose_looked_up (const Ordering *self, const KvsqlJoinNode *node, const KvsqlJoinPart *part,
                  guint *attributes, guint *keys)
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

static KvsqlSelectPlan *
make_lookup (const Ordering *self, guint leaf, const KvsqlAttributeSet *attributes)
{
  const KvsqlJoinPart *part = get_part (self, leaf);
  guint *list = kvsql_arena_array (self->arena, guint, KVSQL_MAX_ATTRIBUTES), n = 0;

  for (gint a = kvsql_attribute_set_next (attributes, -1); a >= 0;
       a = kvsql_attribute_set_next (attributes, a))
    list[n++] = (guint)a;
  return kvsql_lookup_plan_new (part->plan, list, n, self->using_schemas[leaf], self->capabilities,
                                self->arena);
}

/* The plan that looks the relation up by the attributes; NULL: there is none. */
static KvsqlSelectPlan *
find_lookup (const Ordering *self, guint leaf, const KvsqlAttributeSet *attributes)
{
  Lookups *known = &self->lookups[leaf];
  Lookup *added;

  for (guint i = 0; i < known->n; i++)
    if (memcmp (&known->all[i].attributes, attributes, sizeof *attributes) == 0)
      return known->all[i].plan;
  if (known->n == MOST_LOOKUPS)
    return NULL;
  added = KVSQL_ARENA_ADD (self->arena, known->all, known->n);
  *added = (Lookup){ *attributes, make_lookup (self, leaf, attributes) };
  return added->plan;
}

/* ---- estimates of conditions */

/* Distinct values of a column. @out_is_known: (nullable) */
static gdouble
estimate_distinct (const Ordering *self, guint column, gboolean *out_is_known)
{
  guint leaf = self->leaves[column];
  const KvsqlSelectPlan *plan = leaf == G_MAXUINT ? NULL : get_plan (self, leaf);

  if (plan != NULL)
    return kvsql_join_estimate_distinct (
        plan, leaf == 0 ? column : kvsql_join_part_get_attribute (get_part (self, leaf), column),
        out_is_known);
  if (out_is_known != NULL)
    *out_is_known = FALSE;
  return leaf == G_MAXUINT ? 1 : MAX (estimate_query (self->plan, leaf), 1);
}

/* Tuples of values that are looked up may repeat. Only if it is known is that relied on. */
static gdouble
estimate_looked_up (const Ordering *self, guint column)
{
  gboolean is_known;
  gdouble distinct = estimate_distinct (self, column, &is_known);

  return is_known ? distinct : INFINITY;
}

/* Whether the equalities have all attributes of the KEY of the relation. */
static gboolean
equates_key (const Ordering *self, const Operator *edge, guint leaf)
{
  const KvsqlSelectPlan *plan = get_plan (self, leaf);
  KvsqlAttributeSet equated = { 0 };

  if (plan == NULL)
    return FALSE;
  for (guint i = 0; i < edge->n && kvsql_interrupt_tick (); i++)
    if (is_equality (self, edge->conditions[i]))
      {
        guint columns[] = { edge->conditions[i]->attribute, edge->conditions[i]->other };

        for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
          if (self->leaves[columns[c]] == leaf)
            kvsql_attribute_set_add (&equated,
                                     columns[c] - self->plan->join->relations[leaf].first);
      }
  return get_part (self, leaf)->attributes == NULL
         && kvsql_attribute_set_contains (&equated, &plan->entry->relation->keys);
}

static void
estimate_operator (const Problem *self, Operator *edge, const KvsqlInputSet *used)
{
  const Ordering *ordering = self->ordering;

  gdouble equal = 1, rest = 1, tuples = 0;

  for (guint i = 0; i < edge->n && kvsql_interrupt_tick (); i++)
    if (is_equality (ordering, edge->conditions[i]))
      {
        edge->n_equalities++;
        equal /= MAX (estimate_distinct (ordering, edge->conditions[i]->attribute, NULL),
                      estimate_distinct (ordering, edge->conditions[i]->other, NULL));
      }
    else
      rest *= KVSQL_JOIN_OTHER_SHARE;
  for (gint i = kvsql_attribute_set_next (used, -1); i >= 0 && edge->n_equalities > 0;
       i = kvsql_attribute_set_next (used, i))
    {
      const Input *input = &self->inputs[i];

      if (input->inner == NULL && equates_key (ordering, edge, input->tree->leaf))
        tuples = MAX (tuples, kvsql_estimate_table_rows (
                                  get_plan (ordering, input->tree->leaf)->dnf.statistics));
    }
  edge->share = (tuples > 0 ? 1 / MAX (tuples, 1) : equal) * rest; /* at most one has the KEY */
}

/* ---- a problem from the tree */

static Problem *new_problem (Ordering *ordering, const KvsqlJoinTree *tree);

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

static KvsqlInputSet collect (Problem *self, const KvsqlJoinTree *tree);

static KvsqlInputSet
add_input (Problem *self, const KvsqlJoinTree *tree)
{
  KvsqlInputSet set = { 0 };
  Input *input;

  kvsql_attribute_set_add (&set, self->n_inputs);
  input = KVSQL_ARENA_ADD (self->ordering->arena, self->inputs, self->n_inputs);
  *input = (Input){ .tree = tree };
  if (tree->kind != KVSQL_JOIN_TREE_LEAF)
    input->inner = new_problem (self->ordering, tree);
  return set;
}

static KvsqlInputSet
collect_child (Problem *self, const KvsqlJoinTree *child, gboolean is_parent_rigid)
{
  if (child->kind == KVSQL_JOIN_TREE_LEAF || is_parent_rigid || child->n_merged > 0
      || kvsql_join_tree_is_lateral (child) || is_rigid (child))
    return add_input (self, child);
  return collect (self, child);
}

static KvsqlInputSet
inputs_of_columns (const Problem *self, const KvsqlAttributeSet *columns)
{
  KvsqlInputSet inputs = { 0 };

  for (guint i = 0; i < self->n_inputs && kvsql_interrupt_tick (); i++)
    if (kvsql_attribute_set_intersects (&self->inputs[i].tree->columns, columns))
      kvsql_attribute_set_add (&inputs, i);
  return inputs;
}

static void
add_step (Problem *self, const KvsqlInputSet *left, const KvsqlInputSet *right)
{
  *KVSQL_ARENA_ADD (self->ordering->arena, self->graph.steps, self->graph.n_steps)
      = (KvsqlJoinStep){ *left, *right };
}

/* Adds an operator of the last step. */
static KvsqlJoinOperator *
add_operator (Problem *self, KvsqlJoinTreeKind kind)
{
  const KvsqlJoinStep *step = &self->graph.steps[self->graph.n_steps - 1];
  KvsqlArena *arena = self->ordering->arena;
  KvsqlJoinOperator *edge = KVSQL_ARENA_ADD (arena, self->graph.operators, self->graph.n_operators);

  *edge = (KvsqlJoinOperator){ .kind = kind, .left = step->left, .right = step->right };
  *KVSQL_ARENA_ADD (arena, self->operators, self->n_operators) = (Operator){ 0 };
  return edge;
}

static void
add_condition (Problem *self, Operator *edge, KvsqlPredicate *condition)
{
  *KVSQL_ARENA_ADD (self->ordering->arena, edge->conditions, edge->n) = condition;
}

/* The inputs one of which the condition refuses to be without. */
static void
add_refused (const Problem *self, const KvsqlPredicate *condition, KvsqlJoinOperator *edge)
{
  for (gint i = kvsql_attribute_set_next (&edge->used, -1); i >= 0;
       i = kvsql_attribute_set_next (&edge->used, i))
    if (kvsql_join_refuses (condition, &self->inputs[i].tree->columns))
      kvsql_attribute_set_add (&edge->refused, (guint)i);
}

/* A left, full, semi or anti join. */
static KvsqlInputSet
collect_pair (Problem *self, const KvsqlJoinTree *tree, gboolean is_tree_rigid)
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
add_to_operator (Problem *self, guint first, const KvsqlInputSet *used, KvsqlPredicate *condition)
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
add_operators (Problem *self, Inner *inner, const KvsqlInputSet *joined)
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
collect_inner (Problem *self, const KvsqlJoinTree *tree, gboolean is_tree_rigid)
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
collect (Problem *self, const KvsqlJoinTree *tree)
{
  gboolean is_tree_rigid = is_rigid (tree);

  if (tree->kind == KVSQL_JOIN_TREE_INNER)
    return collect_inner (self, tree, is_tree_rigid);
  return collect_pair (self, tree, is_tree_rigid);
}

/* ---- the cost of joins */

/* The cheapest way to join two sides of which one is the probe side. */
typedef struct
{
  const Problem *problem;
  const KvsqlJoinPair *pair;
  const KvsqlPartialJoin *probe, *build;
  gboolean keeps_build;
  gdouble rows;
} Choice;

static guint
count_equalities (const Choice *self)
{
  guint n = 0;

  if (kvsql_join_forced_method == KVSQL_JOIN_METHOD_NESTED_LOOP)
    return 0;
  for (guint i = 0; i < self->pair->n_operators; i++)
    n += self->problem->operators[self->pair->operators[i]].n_equalities;
  return n;
}

/* The attributes of the build side by which it can be looked up. @out_distinct: estimated values of
 * the other side. */
static KvsqlAttributeSet
collect_looked_up (const Choice *self, guint leaf, gdouble *out_distinct)
{
  const Ordering *ordering = self->problem->ordering;
  const KvsqlAttribute *all = ordering->plan->relation->attributes;
  KvsqlAttributeSet attributes = { 0 };

  *out_distinct = 1;
  for (guint i = 0; i < self->pair->n_operators; i++)
    {
      const Operator *edge = &self->problem->operators[self->pair->operators[i]];

      for (guint c = 0; c < edge->n && kvsql_interrupt_tick (); c++)
        {
          guint a = edge->conditions[c]->attribute, b = edge->conditions[c]->other;

          if (!is_equality (ordering, edge->conditions[c])
              || (ordering->leaves[a] == leaf) == (ordering->leaves[b] == leaf)
              || !is_exact (all[a].type, all[b].type))
            continue;
          if (ordering->leaves[a] == leaf)
            {
              a = b;
              b = edge->conditions[c]->attribute;
            }
          kvsql_attribute_set_add (&attributes,
                                   kvsql_join_part_get_attribute (get_part (ordering, leaf), b));
          *out_distinct *= estimate_looked_up (ordering, a);
        }
    }
  return attributes;
}

/* Whether the build side may be looked up at all. */
static gboolean
can_look_up (const Choice *self)
{
  const Ordering *ordering = self->problem->ordering;
  const Input *input = &self->problem->inputs[self->build->input];
  const KvsqlJoinPart *part;

  if (self->build->probe != NULL || input->inner != NULL || self->keeps_build
      || kvsql_join_forced_method == KVSQL_JOIN_METHOD_HASH
      || kvsql_join_forced_method == KVSQL_JOIN_METHOD_NESTED_LOOP
      || (self->build->has_first && !ordering->can_look_up_first))
    return FALSE;
  part = get_part (ordering, input->tree->leaf);
  return part != NULL && part->query == NULL;
}

static gboolean
cost_lookup (const Choice *self, gdouble *out)
{
  const Ordering *ordering = self->problem->ordering;
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
  lookup = find_lookup (ordering, leaf, &attributes);
  if (lookup == NULL)
    return FALSE;
  for (gint a = kvsql_attribute_set_next (&attributes, -1); a >= 0;
       a = kvsql_attribute_set_next (&attributes, a))
    n++;
  *out = kvsql_join_cost_lookup (lookup->best, n, self->probe->rows, distinct, self->rows,
                                 ordering->capabilities->request_cost);
  return TRUE;
}

/* Sets @out to this join if it is cheaper. */
static void
offer (const Choice *self, gboolean is_looked_up, gdouble cost, KvsqlPartialJoin *out)
{
  if (out->probe != NULL && cost >= out->cost)
    return;
  out->probe = self->probe;
  out->build = self->build;
  out->cost = cost;
  out->rows = self->rows;
  out->is_looked_up = is_looked_up;
  out->has_first = self->probe->has_first || self->build->has_first;
  out->is_first_looked_up = self->probe->is_first_looked_up || self->build->is_first_looked_up
                            || (is_looked_up && self->build->has_first);
}

/* Compares the methods. A new one is added here. */
static void
offer_methods (const Choice *self, KvsqlPartialJoin *out)
{
  gdouble sides = self->probe->cost + self->build->cost, cost;

  if (cost_lookup (self, &cost))
    {
      gboolean is_forced = kvsql_join_forced_method == KVSQL_JOIN_METHOD_LOOKUP;

      offer (self, TRUE, is_forced ? 0 : self->probe->cost + cost, out);
    }
  cost = count_equalities (self) > 0
             ? kvsql_join_cost_hash (self->probe->rows, self->build->rows, self->rows)
             : kvsql_join_cost_nested_loop (self->probe->rows, self->build->rows, self->rows);
  offer (self, FALSE, sides + cost, out);
}

static gboolean
make_partial (const KvsqlPartialJoin *a, const KvsqlPartialJoin *b, const KvsqlJoinPair *pair,
              gdouble rows, gpointer data, KvsqlPartialJoin *out)
{
  const Problem *problem = data;
  const KvsqlPartialJoin *left = pair->is_swapped ? b : a, *sides[] = { a, b };
  gboolean is_full = pair->kind == KVSQL_JOIN_TREE_FULL,
           is_left = pair->kind == KVSQL_JOIN_TREE_LEFT,
           is_semi = pair->kind == KVSQL_JOIN_TREE_SEMI || pair->kind == KVSQL_JOIN_TREE_ANTI;
  gdouble share = 1;

  for (guint i = 0; i < pair->n_operators; i++)
    share *= problem->operators[pair->operators[i]].share;
  if (rows < 0)
    rows = kvsql_join_estimate_rows (pair->kind, left->rows, (left == a ? b : a)->rows, share);
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      Choice choice = { problem,
                        pair,
                        sides[i],
                        sides[1 - i],
                        .keeps_build = is_full || (is_left && sides[1 - i] == left),
                        .rows = rows };

      if ((is_semi && choice.probe != left)
          || (problem->ordering->uses_order && choice.build->has_first))
        continue;
      offer_methods (&choice, out);
    }
  return out->probe != NULL;
}

/* ---- the search */

static void solve (Problem *self);

/* The rows of the query are made again for each row of the other side. */
static void
add_lateral (const Problem *self, KvsqlPartialJoin *out)
{
  gdouble rows = estimate_query (self->ordering->plan, self->tree->children[1]->leaf);

  out->cost += out->rows * rows;
  out->rows *= MAX (rows, 1);
}

static void
set_partial (const Problem *self, guint number, KvsqlPartialJoin *out)
{
  const Input *input = &self->inputs[number];
  const Ordering *ordering = self->ordering;
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
      plan = get_plan (ordering, input->tree->leaf);
      out->rows = plan != NULL ? kvsql_join_estimate_tuples (plan)
                               : estimate_query (ordering->plan, input->tree->leaf);
      out->cost = plan != NULL ? plan->best->cost : out->rows;
      out->has_first = input->tree->leaf == 0;
    }
  if (kvsql_join_tree_is_lateral (self->tree))
    add_lateral (self, out);
  out->input = number;
  kvsql_attribute_set_add (&out->inputs, number);
}

static void
solve (Problem *self)
{
  KvsqlArena *arena = self->ordering->arena;
  KvsqlJoinSearch search = { .graph = &self->graph, .make = make_partial, .data = self };

  search.arena = arena;
  search.inputs = kvsql_arena_array (arena, KvsqlPartialJoin, self->n_inputs);
  for (guint i = 0; i < self->n_inputs; i++)
    set_partial (self, i, &search.inputs[i]);
  self->best = kvsql_join_search_run (&search);
}

static Problem *
new_problem (Ordering *ordering, const KvsqlJoinTree *tree)
{
  Problem *self = kvsql_arena_new0 (ordering->arena, Problem);

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
    estimate_operator (self, &self->operators[i], &self->graph.operators[i].used);
  ordering->plan->join->is_greedy
      = ordering->plan->join->is_greedy || self->n_inputs > KVSQL_JOIN_MOST_EXACT;
  return self;
}

/* ---- the relation that is scanned */

static KvsqlJoinPair
match (const Problem *self, const KvsqlPartialJoin *join)
{
  KvsqlJoinPair pair;

  pair.operators = kvsql_arena_array (self->ordering->arena, guint, self->n_operators);
  if (!kvsql_join_graph_match (&self->graph, &join->probe->inputs, &join->build->inputs, &pair))
    g_assert (!kvsql_interrupt_tick ());
  return pair;
}

/* A relation that is read as a whole, preferably the one whose rows come first. 0: there is none.
 */
static guint
find_scanned (const Problem *self, const KvsqlPartialJoin *join)
{
  const Input *input = &self->inputs[join->input];
  KvsqlJoinPair pair;
  guint leaf;

  if (join->probe == NULL && input->inner != NULL)
    return find_scanned (input->inner, input->inner->best);
  if (join->probe == NULL)
    {
      const KvsqlJoinPart *part = get_part (self->ordering, input->tree->leaf);

      return part == NULL || part->query != NULL || part->attributes != NULL ? 0
                                                                             : input->tree->leaf;
    }
  leaf = find_scanned (self, join->probe);
  if (leaf > 0 || join->is_looked_up)
    return leaf;
  pair = match (self, join);
  return pair.kind == KVSQL_JOIN_TREE_SEMI || pair.kind == KVSQL_JOIN_TREE_ANTI
             ? 0
             : find_scanned (self, join->build);
}

/* ---- nodes */

static KvsqlJoinNode *make_problem (Problem *self);

static KvsqlJoinNode *
make_leaf (const Ordering *self, const KvsqlJoinTree *tree, const KvsqlPartialJoin *partial)
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
set_lookup (Ordering *self, KvsqlJoinNode *node)
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
  part->plan = find_lookup (self, node->build->leaf, &attributes);
  part->is_looked_up = TRUE;
  g_assert (part->plan != NULL || !kvsql_interrupt_tick ());
}

/* The conditions of the operators that the join applies, and those that the last join checks. */
static KvsqlPredicate **
collect_conditions (const Problem *self, const KvsqlPartialJoin *join, const KvsqlJoinPair *pair,
                    guint *out_n)
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

static KvsqlJoinNode *
make_node (Problem *self, const KvsqlPartialJoin *join)
{
  Ordering *ordering = self->ordering;
  const Input *input = &self->inputs[join->input];
  KvsqlPredicate **conditions;
  KvsqlJoinNode *node;
  KvsqlJoinPair pair;
  guint n;

  if (join->probe == NULL)
    return input->inner != NULL ? make_problem (input->inner)
                                : make_leaf (ordering, input->tree, join);
  pair = match (self, join);
  node = kvsql_arena_new0 (ordering->arena, KvsqlJoinNode);
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
  node->number = ordering->plan->join->n_joins++;
  return node;
}

/* What the query gives for a row of the probe side is joined to it. The order of the scan stays. */
static KvsqlJoinNode *
make_lateral (const Problem *self, KvsqlJoinNode *probe)
{
  const Ordering *ordering = self->ordering;
  const KvsqlJoinTree *query = self->tree->children[1];
  const KvsqlPartialJoin rows = { .rows = estimate_query (ordering->plan, query->leaf) };
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

static KvsqlJoinNode *
make_problem (Problem *self)
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

static Problem *
solve_tree (Ordering *self, const KvsqlJoinTree *tree)
{
  Problem *problem = new_problem (self, tree);

  solve (problem);
  return problem;
}

/* Without the order of the scan, the rows have to be sorted, but joins are free. With a LIMIT, not
 * all rows are read. */
static Problem *
choose_sort (Ordering *self, const KvsqlJoinTree *tree)
{
  Problem *ordered = solve_tree (self, tree), *sorted;
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
swap_scanned (Ordering *self, guint leaf)
{
  const KvsqlSchema *schema = self->using_schemas[0];
  Lookups lookups = self->lookups[0];

  self->using_schemas[0] = self->using_schemas[leaf];
  self->using_schemas[leaf] = schema;
  self->lookups[0] = self->lookups[leaf];
  self->lookups[leaf] = lookups;
}

gboolean
kvsql_join_plan_order (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                       const KvsqlSelect *select, const KvsqlStoreCapabilities *capabilities,
                       KvsqlArena *arena, GError **error)
{
  Ordering ordering
      = { .plan = self,
          .capabilities = capabilities,
          .arena = arena,
          .uses_order = self->n_sort > 0 && self->sorts_tuples && !kvsql_select_plan_sorts (self) };
  const KvsqlJoinTree *tree = self->join->tree,
                      *joins = tree->n_children == 1 ? tree->children[0] : tree;
  guint n = self->join->n_parts + 1;
  Problem *problem;
  guint scanned = 0;

  ordering.using_schemas = kvsql_arena_array (arena, const KvsqlSchema *, n);
  ordering.lookups = kvsql_arena_array (arena, Lookups, n);
  ordering.leaves = find_leaves (self, arena);
  ordering.first = kvsql_join_plan_make_first (self, arena);
  ordering.can_look_up_first = ordering.first != NULL && !ordering.uses_order && !self->scans_first;
  if (!find_schemas (self, catalog, select, ordering.using_schemas, error))
    return FALSE;
  problem = choose_sort (&ordering, joins);
  if (problem->best != NULL && problem->best->is_first_looked_up)
    {
      scanned = find_scanned (problem, problem->best);
      ordering.can_look_up_first = FALSE;
      if (scanned == 0)
        problem = solve_tree (&ordering, joins);
    }
  if (!kvsql_interrupt_check (error)) /* else joins or conditions may be missing */
    return FALSE;
  g_assert (problem->best != NULL);
  if (scanned > 0)
    {
      swap_scanned (&ordering, scanned);
      if (!kvsql_join_plan_scan (self, scanned, ordering.first, catalog, select, capabilities,
                                 error))
        return FALSE;
    }
  self->join->root = make_problem (problem);
  set_filter (self, tree, arena);
  return kvsql_interrupt_poll (error);
}
