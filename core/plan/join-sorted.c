/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-sorted.c: access paths that have the order of the keys of a join, for merge joins.
 *
 * A relation may be read by another path than the cheapest one, unless the statement uses the order
 * of the first one. The rows of a join have the order of its probe side.
 */
#include "config.h"

#include "core/plan/join-order-private.h"

#include "core/base/interrupt.h"
#include "core/plan/order.h"
#include "core/plan/plan-tree.h"

/* Of one relation, this many orders are remembered. */
#define MOST_ORDERS 32

/* The path of a relation in an order. */
struct _KvsqlJoinOrder
{
  const KvsqlAccessPath *fixed; /* nullable: the path that is read in any case */
  guint attributes[KVSQL_JOIN_MOST_MERGE_KEYS];
  guint n;
  const KvsqlAccessPath *path; /* NULL: there is none */
  KvsqlScanOrder order;        /* how @fixed has to be read; of others, @path is read so */
};

static const KvsqlSelectPlan *
plan_of (const KvsqlJoinOrdering *self, guint leaf)
{
  return _kvsql_join_get_plan (self, leaf);
}

static guint
attribute_of (const KvsqlJoinOrdering *self, guint leaf, guint column)
{
  return leaf == 0 ? column - self->plan->join->first
                   : kvsql_join_part_get_attribute (&self->plan->join->parts[leaf - 1], column);
}

/* ---- paths */

static void
set_keys (const guint *attributes, guint n, KvsqlSortKey *out)
{
  for (guint i = 0; i < n; i++)
    out[i] = (KvsqlSortKey){ .attribute = attributes[i] };
}

/* Whether the path gives the order because ORDER BY begins with it. It may be read in two parts. */
static gboolean
is_order_by (const KvsqlJoinOrdering *self, guint leaf, const KvsqlAccessPath *path,
             const KvsqlSortKey *keys, guint n)
{
  const KvsqlSelectPlan *plan = self->plan;

  if (leaf > 0 || !self->uses_order || path != plan->best || plan->join->first > 0
      || n > plan->n_sort)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (plan->sort[i].attribute != keys[i].attribute || plan->sort[i].is_descending
        || plan->sort[i].nulls_first)
      return FALSE;
  return TRUE;
}

/* Whether a path that is read in any case has the order. The negative numbers of the first relation
 * may be read first, if the statement does not use its order. */
static gboolean
has_order (const KvsqlJoinOrdering *self, guint leaf, const KvsqlAccessPath *path,
           const KvsqlSortKey *keys, guint n, KvsqlScanOrder *out)
{
  *out = (KvsqlScanOrder){ 0 };
  if (is_order_by (self, leaf, path, keys, n))
    return TRUE;
  return !path->is_reversed
         && kvsql_access_path_gives_order (path, &plan_of (self, leaf)->dnf, keys, n, FALSE,
                                           self->arena, out)
         && (!out->has_split || leaf == 0);
}

/* The cheapest path of any schema. */
static const KvsqlAccessPath *
find_cheapest (const KvsqlJoinOrdering *self, guint leaf, const KvsqlSelectPlan *plan,
               const KvsqlSortKey *keys, guint n)
{
  const KvsqlAccessPath *best = NULL;
  KvsqlStoreCapabilities forwards = *self->capabilities;

  forwards.flags &= ~(guint)KVSQL_STORE_REVERSE_SCAN;
  for (guint i = 0; i < plan->n_paths && kvsql_interrupt_tick (); i++)
    {
      KvsqlAccessPath *path = &plan->paths[i];

      if (!path->is_usable
          || (self->using_schemas[leaf] != NULL ? path->schema != self->using_schemas[leaf]
                                                : !kvsql_schema_is_readable (path->schema)))
        continue;
      path = kvsql_arena_copy (self->arena, path, sizeof *path);
      kvsql_access_path_apply_order (path, &plan->dnf, keys, n, KVSQL_NO_LIMIT, &forwards,
                                     self->arena);
      if (path->gives_order && (best == NULL || kvsql_access_path_compare (path, best) < 0))
        best = path;
    }
  return best;
}

/* Whether it is a path that was made for these attributes, and maybe for others after them. */
static gboolean
is_made_for (const KvsqlJoinOrder *order, const KvsqlAccessPath *path, const guint *attributes,
             guint n)
{
  return order->path == path && order->n >= n
         && memcmp (order->attributes, attributes, n * sizeof *attributes) == 0;
}

static KvsqlJoinOrder *
add_order (const KvsqlJoinOrdering *self, guint leaf, const KvsqlAccessPath *fixed,
           const guint *attributes, guint n)
{
  KvsqlJoinOrders *known = &self->orders[leaf];
  KvsqlJoinOrder *added = KVSQL_ARENA_ADD (self->arena, known->all, known->n);

  *added = (KvsqlJoinOrder){ .fixed = fixed, .n = n };
  memcpy (added->attributes, attributes, n * sizeof *attributes);
  return added;
}

/* @fixed: (nullable): the path that is read in any case */
static const KvsqlJoinOrder *
find_order (const KvsqlJoinOrdering *self, guint leaf, const KvsqlAccessPath *fixed,
            const guint *attributes, guint n)
{
  KvsqlJoinOrders *known = &self->orders[leaf];
  KvsqlSortKey keys[KVSQL_JOIN_MOST_MERGE_KEYS];
  KvsqlJoinOrder *added;

  for (guint i = 0; i < known->n; i++)
    {
      const KvsqlJoinOrder *one = &known->all[i];

      if ((one->fixed == fixed && one->n == n
           && memcmp (one->attributes, attributes, n * sizeof *attributes) == 0)
          || (fixed != NULL && is_made_for (one, fixed, attributes, n)))
        return one;
    }
  if (known->n >= MOST_ORDERS)
    return NULL;
  set_keys (attributes, n, keys);
  added = add_order (self, leaf, fixed, attributes, n);
  if (fixed == NULL)
    added->path = find_cheapest (self, leaf, plan_of (self, leaf), keys, n);
  else if (has_order (self, leaf, fixed, keys, n, &added->order))
    added->path = fixed;
  return added;
}

/* NULL: there is none. */
static const KvsqlAccessPath *
find_path (const KvsqlJoinOrdering *self, guint leaf, const KvsqlAccessPath *fixed,
           const guint *attributes, guint n)
{
  const KvsqlJoinOrder *order = find_order (self, leaf, fixed, attributes, n);

  return order == NULL || (order->order.has_split && self->uses_order) ? NULL : order->path;
}

/* ---- keys */

/* Whether the columns are of the leaves from which the two sides have their order. */
static gboolean
orient (const KvsqlJoinOrdering *self, const KvsqlPredicate *condition,
        const KvsqlJoinSortedSide sides[2], guint out[2])
{
  const KvsqlAttribute *all = self->plan->relation->attributes;
  guint a, b;

  if (!_kvsql_join_is_equality (self, condition))
    return FALSE;
  a = condition->attribute;
  b = condition->other;
  if (!_kvsql_join_is_exact (all[a].type, all[b].type))
    return FALSE;
  out[0] = self->leaves[a] == sides[0].leaf ? a : b;
  out[1] = out[0] == a ? b : a;
  return self->leaves[out[0]] == sides[0].leaf && self->leaves[out[1]] == sides[1].leaf;
}

static gboolean
add_key (const KvsqlJoinOrdering *self, KvsqlPredicate *condition,
         const KvsqlJoinSortedSide sides[2], KvsqlJoinMergeKeys *inout)
{
  const KvsqlAccessPath *paths[2];
  guint columns[2];

  if (inout->n == KVSQL_JOIN_MOST_MERGE_KEYS || !orient (self, condition, sides, columns))
    return FALSE;
  for (guint side = 0; side < G_N_ELEMENTS (paths); side++)
    {
      guint attribute = attribute_of (self, sides[side].leaf, columns[side]);

      for (guint i = 0; i < inout->n; i++)
        if (inout->attributes[side][i] == attribute)
          return FALSE;
      inout->attributes[side][inout->n] = attribute;
      paths[side] = find_path (self, sides[side].leaf, sides[side].fixed, inout->attributes[side],
                               inout->n + 1);
      if (paths[side] == NULL)
        return FALSE;
    }
  memcpy (inout->paths, paths, sizeof paths);
  inout->conditions[inout->n++] = condition;
  return TRUE;
}

gboolean
_kvsql_join_find_merge_keys (const KvsqlJoinOrdering *self, KvsqlPredicate *const *conditions,
                             guint n, const KvsqlJoinSortedSide sides[2], KvsqlJoinMergeKeys *out)
{
  gboolean has_grown = TRUE;

  *out = (KvsqlJoinMergeKeys){ 0 };
  if (sides[0].leaf == G_MAXUINT || sides[1].leaf == G_MAXUINT
      || plan_of (self, sides[0].leaf) == NULL || plan_of (self, sides[1].leaf) == NULL)
    return FALSE;
  while (has_grown && kvsql_interrupt_tick ())
    {
      has_grown = FALSE;
      for (guint i = 0; i < n && !has_grown && kvsql_interrupt_tick (); i++)
        has_grown = add_key (self, conditions[i], sides, out);
    }
  return out->n > 0;
}

gboolean
_kvsql_join_is_path_free (const KvsqlJoinOrdering *self, guint leaf)
{
  return leaf > 0 || !self->uses_order;
}

/* ---- the plan */

KvsqlJoinSortedSide
_kvsql_join_get_sorted_side (const KvsqlJoinOrdering *self, const KvsqlJoinNode *node)
{
  const KvsqlSelectPlan *plan;

  if (node->probe == NULL && _kvsql_join_is_path_free (self, node->leaf)
      && plan_of (self, node->leaf) != NULL)
    return (KvsqlJoinSortedSide){ .leaf = node->leaf };
  for (; node->probe != NULL; node = node->probe)
    if (node->keeps_build)
      return (KvsqlJoinSortedSide){ .leaf = G_MAXUINT };
  plan = plan_of (self, node->leaf);
  return (KvsqlJoinSortedSide){ .leaf = plan == NULL ? G_MAXUINT : node->leaf,
                                .fixed = plan == NULL ? NULL : plan->best };
}

static void
use_path (KvsqlJoinOrdering *self, guint leaf, const KvsqlAccessPath *path, const guint *attributes,
          guint n)
{
  KvsqlSelectPlan *plan = self->plan;
  guint i = 0;

  if (leaf > 0)
    plan = kvsql_arena_copy (self->arena, self->plan->join->parts[leaf - 1].plan, sizeof *plan);
  plan->paths = kvsql_arena_copy (self->arena, plan->paths, plan->n_paths * sizeof *plan->paths);
  while (plan->paths[i].schema != path->schema)
    i++;
  plan->paths[i] = *path;
  plan->paths[i].is_for_merge = TRUE;
  plan->best = &plan->paths[i];
  if (plan->n_sort > 0) /* by ORDER BY, which the scan does not give then */
    plan->sorts_tuples = FALSE;
  plan->root = kvsql_plan_tree_new (plan, self->arena);
  if (leaf > 0)
    self->plan->join->parts[leaf - 1].plan = plan;
  add_order (self, leaf, plan->best, attributes, n)->path = plan->best;
}

/* Of the first relation, or of a join: the path stays, but for the negative numbers. */
static void
use_order (KvsqlJoinOrdering *self, const KvsqlJoinSortedSide *side, const guint *attributes,
           guint n)
{
  KvsqlJoinOrder order = *find_order (self, side->leaf, side->fixed, attributes, n);
  KvsqlAccessPath *path = (KvsqlAccessPath *)side->fixed;

  if (!order.order.has_split || path->n_tables > 1)
    return;
  g_assert (side->leaf == 0 && path == self->plan->best);
  kvsql_access_path_split (path, &order.order, self->arena);
}

void
_kvsql_join_use_merge_keys (KvsqlJoinOrdering *self, const KvsqlJoinMergeKeys *keys,
                            const KvsqlJoinSortedSide sides[2])
{
  for (guint side = 0; side < G_N_ELEMENTS (keys->paths); side++)
    if (sides[side].fixed == NULL)
      use_path (self, sides[side].leaf, keys->paths[side], keys->attributes[side], keys->n);
    else
      use_order (self, &sides[side], keys->attributes[side], keys->n);
}
