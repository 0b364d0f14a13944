/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-order.c: the order of inner joins, and the method and the sides of each join.
 *
 * The relations of an inner join are added one by one to the first: next comes the smallest one
 * that an equality connects with those that are joined already; one without an equality comes last.
 * The smaller side is kept in memory, unless the statement uses the order of the scan.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/join-plan.h"
#include "core/plan/join-tree.h"
#include "core/plan/lookup-plan.h"

#include <math.h>

/* The share of the pairs that a condition other than an equality is taken to admit. */
#define OTHER_CONDITION_SHARE 0.3
/* The largest estimate: products of many relations would be infinite. */
#define MOST_ROWS 1e18

KvsqlJoinMethod kvsql_join_forced_method;

typedef struct
{
  const KvsqlSelectPlan *plan;
  const KvsqlSchema **using_schemas; /* by relation; NULL: any */
  const KvsqlStoreCapabilities *capabilities;
  KvsqlArena *arena;
  gboolean uses_order; /* of the scan */
} Ordering;

static KvsqlJoinNode *make_node (Ordering *self, const KvsqlJoinTree *tree);

/* ---- one join */

/* Whether equal values have equal bytes. */
static gboolean
is_exact (KvsqlType a, KvsqlType b)
{
  return a == b && kvsql_type_get_class (a) != KVSQL_CLASS_REAL && a != KVSQL_TYPE_DECIMAL;
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

static void
estimate (KvsqlJoinNode *node)
{
  gdouble probe = node->probe->rows, build = node->build->rows;

  /* an equality is taken to be that of a key and of its references */
  node->rows = node->n_keys > 0 ? MAX (probe, build) : probe * build;
  if (node->n_keys == 0 && node->residual != NULL)
    node->rows *= OTHER_CONDITION_SHARE;
  if (node->is_semi || node->is_anti)
    node->rows = node->is_semi && node->n_keys > 0 ? MIN (probe, build) : probe;
  if (node->keeps_probe)
    node->rows = MAX (node->rows, probe);
  if (node->keeps_build)
    node->rows = MAX (node->rows, build);
  node->rows = MIN (node->rows, MOST_ROWS);
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

/* The cost of the reads for @rows rows of the outer side. */
static gdouble
cost_of_lookups (const Ordering *self, const KvsqlAccessPath *path, guint n_attributes,
                 gdouble rows)
{
  gdouble request_cost = self->capabilities->request_cost;
  gdouble each = MAX (path->cost - path->requests * request_cost, 0) + KVSQL_GET_COST;

  return rows * each
         + ceil (rows / kvsql_lookup_plan_get_most (n_attributes)) * path->requests * request_cost;
}

/* Makes it a lookup join if its build side can be read by key and that costs less than a scan. */
static gboolean
try_lookup (Ordering *self, KvsqlJoinNode *node)
{
  KvsqlJoinPart *part;
  KvsqlSelectPlan *lookup;
  guint *attributes = kvsql_arena_array (self->arena, guint, node->n_keys + 1);
  guint *keys = kvsql_arena_array (self->arena, guint, node->n_keys + 1), n;

  if (node->build->probe != NULL || node->build->has_first || node->keeps_build
      || kvsql_join_forced_method == KVSQL_JOIN_METHOD_HASH)
    return FALSE;
  part = &self->plan->join->parts[node->build->leaf - 1];
  if (part->query != NULL)
    return FALSE;
  n = choose_looked_up (self, node, part, attributes, keys);
  if (n == 0)
    return FALSE;
  lookup = kvsql_lookup_plan_new (part->plan, attributes, n, self->using_schemas[node->build->leaf],
                                  self->capabilities, self->arena);
  if (lookup == NULL
      || (kvsql_join_forced_method != KVSQL_JOIN_METHOD_LOOKUP
          && cost_of_lookups (self, lookup->best, n, node->probe->rows) >= part->plan->best->cost))
    return FALSE;
  part->plan = lookup;
  part->is_looked_up = TRUE;
  node->looked_up = attributes;
  node->lookup_keys = keys;
  node->n_looked_up = n;
  node->rows = node->probe->rows * MAX (lookup->best->rows, node->keeps_probe ? 1 : 0);
  if (node->is_semi || node->is_anti)
    node->rows = node->is_anti ? node->probe->rows : MIN (node->rows, node->probe->rows);
  node->rows = MIN (node->rows, MOST_ROWS);
  return TRUE;
}

/* ---- both sides */

/* A side of a join, and whether its rows without a partner are given, too. */
typedef struct
{
  const KvsqlJoinNode *node;
  gboolean is_kept;
} Side;

static KvsqlJoinNode *
new_join (Ordering *self, const Side *probe, const Side *build, KvsqlPredicate *const *conditions,
          guint n)
{
  KvsqlJoinNode *node = kvsql_arena_new0 (self->arena, KvsqlJoinNode);

  node->probe = probe->node;
  node->build = build->node;
  node->keeps_probe = probe->is_kept;
  node->keeps_build = build->is_kept;
  node->has_first = probe->node->has_first || build->node->has_first;
  node->columns = probe->node->columns;
  kvsql_attribute_set_add_all (&node->columns, &build->node->columns);
  set_conditions (self, node, conditions, n);
  estimate (node);
  return node;
}

/* A lookup join into the larger side, or into the other one; else the smaller side is kept. */
static KvsqlJoinNode *
join_pair (Ordering *self, const Side *a, const Side *b, KvsqlPredicate *const *conditions, guint n)
{
  const Side *larger = a->node->rows < b->node->rows ? b : a, *smaller = larger == a ? b : a;
  KvsqlJoinNode *node = new_join (self, smaller, larger, conditions, n);

  if (!try_lookup (self, node))
    {
      node = new_join (self, larger, smaller, conditions, n);
      if (!try_lookup (self, node) && self->uses_order && smaller->node->has_first)
        node = new_join (self, smaller, larger, conditions, n);
    }
  node->number = self->plan->join->n_joins++;
  return node;
}

/* The build side's rows are only looked for, so it is children[1]. The order of the scan stays. */
static KvsqlJoinNode *
make_semi (Ordering *self, const KvsqlJoinTree *tree)
{
  KvsqlJoinNode *node = kvsql_arena_new0 (self->arena, KvsqlJoinNode);

  node->probe = make_node (self, tree->children[0]);
  node->build = make_node (self, tree->children[1]);
  node->is_semi = tree->kind == KVSQL_JOIN_TREE_SEMI;
  node->is_anti = !node->is_semi;
  node->has_first = node->probe->has_first;
  node->columns = node->probe->columns;
  set_conditions (self, node, tree->conditions, tree->n_conditions);
  estimate (node);
  (void)try_lookup (self, node);
  node->number = self->plan->join->n_joins++;
  return node;
}

/* ---- inner joins of several */

typedef struct
{
  KvsqlPredicate *predicate;
  KvsqlAttributeSet columns; /* that it has */
} Condition;

typedef struct
{
  KvsqlJoinNode **nodes; /* NULL: joined already */
  guint n_nodes;
  Condition *conditions; /* that are not checked yet */
  guint n_conditions;
} Group;

static Group
new_group (Ordering *self, const KvsqlJoinTree *tree)
{
  Group group = { .n_nodes = tree->n_children };

  group.nodes = kvsql_arena_array (self->arena, KvsqlJoinNode *, group.n_nodes);
  for (guint i = 0; i < group.n_nodes; i++)
    group.nodes[i] = make_node (self, tree->children[i]);
  group.conditions = kvsql_arena_array (self->arena, Condition, tree->n_conditions);
  for (guint i = 0; i < tree->n_conditions && kvsql_interrupt_tick (); i++)
    group.conditions[group.n_conditions++]
        = (Condition){ tree->conditions[i], kvsql_predicate_get_columns (tree->conditions[i]) };
  return group;
}

/* The columns that equalities connect with those of @joined. */
static KvsqlAttributeSet
find_connected (const Ordering *self, const Group *group, const KvsqlJoinNode *joined)
{
  KvsqlAttributeSet connected = { 0 };

  for (guint i = 0; i < group->n_conditions && kvsql_interrupt_tick (); i++)
    if (is_equality (self, group->conditions[i].predicate)
        && kvsql_attribute_set_intersects (&group->conditions[i].columns, &joined->columns))
      kvsql_attribute_set_add_all (&connected, &group->conditions[i].columns);
  return connected;
}

static guint
choose_first (const Group *group)
{
  for (guint i = 0; i < group->n_nodes; i++)
    if (group->nodes[i]->has_first)
      return i;
  return 0;
}

static guint
choose_next (const Ordering *self, const Group *group, const KvsqlJoinNode *joined)
{
  KvsqlAttributeSet connected = find_connected (self, group, joined);
  guint best = G_MAXUINT;
  gboolean is_best_connected = FALSE;

  for (guint i = 0; i < group->n_nodes; i++)
    {
      gboolean is_connected;

      if (group->nodes[i] == NULL)
        continue;
      is_connected = kvsql_attribute_set_intersects (&group->nodes[i]->columns, &connected);
      if (best == G_MAXUINT || is_connected > is_best_connected
          || (is_connected == is_best_connected
              && group->nodes[i]->rows < group->nodes[best]->rows))
        {
          best = i;
          is_best_connected = is_connected;
        }
    }
  return best;
}

/* Takes the conditions that can be checked on rows with these columns. Those that can fail are
 * checked last. */
static guint
take_conditions (Group *group, const KvsqlAttributeSet *columns, gboolean is_last,
                 KvsqlPredicate **out)
{
  guint n = 0, n_left = 0;

  for (guint i = 0; i < group->n_conditions && kvsql_interrupt_tick (); i++)
    {
      const Condition *condition = &group->conditions[i];

      if ((condition->predicate->can_fail && !is_last)
          || !kvsql_attribute_set_contains (columns, &condition->columns))
        group->conditions[n_left++] = *condition;
      else
        out[n++] = condition->predicate;
    }
  group->n_conditions = n_left;
  return n;
}

static KvsqlJoinNode *
make_inner (Ordering *self, const KvsqlJoinTree *tree)
{
  Group group = new_group (self, tree);
  KvsqlPredicate **taken = kvsql_arena_array (self->arena, KvsqlPredicate *, tree->n_conditions);
  guint at = choose_first (&group);
  KvsqlJoinNode *joined = group.nodes[at];

  group.nodes[at] = NULL;
  for (guint i = 1; i < group.n_nodes; i++)
    {
      KvsqlJoinNode *next;
      KvsqlAttributeSet columns = joined->columns;
      guint n;

      at = choose_next (self, &group, joined);
      next = group.nodes[at];
      group.nodes[at] = NULL;
      kvsql_attribute_set_add_all (&columns, &next->columns);
      n = take_conditions (&group, &columns, i + 1 == group.n_nodes, taken);
      joined = join_pair (self, &(Side){ joined, FALSE }, &(Side){ next, FALSE }, taken, n);
    }
  return joined;
}

/* ---- the tree */

static gdouble
estimate_leaf (const KvsqlSelectPlan *plan, guint leaf)
{
  const KvsqlJoinPart *part = leaf == 0 ? NULL : &plan->join->parts[leaf - 1];

  if (part != NULL)
    return part->query != NULL ? kvsql_select_plan_estimate_rows (part->query)
                               : part->plan->best->rows;
  return plan->set != NULL ? kvsql_select_plan_estimate_rows (plan->set->operands[0].plan)
                           : plan->best->rows;
}

static KvsqlJoinNode *
make_leaf (const Ordering *self, const KvsqlJoinTree *tree)
{
  const KvsqlSelectPlan *plan = self->plan;
  KvsqlJoinNode *node = kvsql_arena_new0 (self->arena, KvsqlJoinNode);

  node->leaf = tree->leaf;
  node->has_first = tree->leaf == 0;
  node->columns = tree->columns;
  for (guint i = 0; i < G_N_ELEMENTS (node->columns.bits); i++)
    node->columns.bits[i] &= plan->join->needed.bits[i];
  node->rows = estimate_leaf (plan, tree->leaf);
  return node;
}

static KvsqlJoinNode *
make_node (Ordering *self, const KvsqlJoinTree *tree)
{
  KvsqlJoinNode *node, *a, *b;

  if (tree->kind == KVSQL_JOIN_TREE_LEAF)
    return make_leaf (self, tree);
  if (tree->kind == KVSQL_JOIN_TREE_INNER)
    node = make_inner (self, tree);
  else if (kvsql_join_tree_is_semi (tree))
    node = make_semi (self, tree);
  else
    {
      a = make_node (self, tree->children[0]);
      b = make_node (self, tree->children[1]);
      node = join_pair (self, &(Side){ a, TRUE }, &(Side){ b, tree->kind == KVSQL_JOIN_TREE_FULL },
                        tree->conditions, tree->n_conditions);
    }
  node->merged = tree->merged;
  node->n_merged = tree->n_merged;
  for (guint i = 0; i < tree->n_merged; i++)
    kvsql_attribute_set_add (&node->columns, tree->merged[i].column);
  return node;
}

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
  for (guint i = 1; i <= plan->join->n_parts; i++)
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
  const KvsqlJoinTree *tree = self->join->tree;

  ordering.using_schemas = kvsql_arena_array (arena, const KvsqlSchema *, self->join->n_parts + 1);
  if (!find_schemas (self, catalog, select, ordering.using_schemas, error))
    return FALSE;
  self->join->root = make_node (&ordering, tree->n_children == 1 ? tree->children[0] : tree);
  set_filter (self, tree, arena);
  return kvsql_interrupt_poll (error); /* else conditions may be missing */
}
