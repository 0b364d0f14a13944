/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-plan.c: from FROM and WHERE to one plan for each relation.
 */
#include "config.h"

#include "core/plan/join-plan.h"

#include "core/plan/bind-join.h"
#include "core/plan/bind-private.h"
#include "core/plan/bind-semi.h"
#include "core/plan/bind-subquery.h"
#include "core/plan/path-choice.h"
#include "core/plan/query-flatten.h"

static void
add_column (guint column, gpointer set)
{
  kvsql_attribute_set_add (set, column);
}

/* The columns that a lateral query uses. */
static void
add_arguments (const KvsqlSubquery *query, KvsqlAttributeSet *out)
{
  for (guint i = 0; i < query->n_arguments; i++)
    kvsql_expr_foreach_column (query->arguments[i], add_column, out);
}

gboolean
kvsql_join_plan_bind (KvsqlSelectPlan *self, const KvsqlCatalog *catalog, const KvsqlSelect *select,
                      KvsqlSelectPlan *const *queries, KvsqlBinder *binder, GError **error)
{
  KvsqlJoinPlan *join = kvsql_arena_new0 (binder->arena, KvsqlJoinPlan);
  KvsqlBoundFrom from;

  if (!kvsql_from_bind (catalog, select, queries, binder, &from, error))
    return FALSE;
  join->relations = from.relations;
  join->tree = from.tree;
  join->parts = kvsql_arena_array (binder->arena, KvsqlJoinPart, from.n_relations);
  for (guint i = 1; i < from.n_relations; i++)
    {
      KvsqlJoinPart *part = &join->parts[join->n_parts++];

      part->entry = from.entries[i];
      part->query = queries[i];
      part->first = from.relations[i].first;
      part->name = kvsql_binder_relation_name (&from.relations[i]);
      if (part->query != NULL && part->query->lateral != NULL)
        add_arguments (part->query->lateral, &self->needed);
    }
  self->join = join;
  self->relation = from.relation;
  return TRUE;
}

/* ---- conditions */

/* A filter with the conditions of WHERE, above all joins. */
static KvsqlJoinTree *
add_where (KvsqlJoinTree *tree, KvsqlPredicate *where, KvsqlArena *arena)
{
  KvsqlJoinTree *self = kvsql_arena_new0 (arena, KvsqlJoinTree);

  self->kind = KVSQL_JOIN_TREE_INNER;
  self->children = kvsql_arena_array (arena, KvsqlJoinTree *, 1);
  self->children[0] = tree;
  self->n_children = 1;
  self->columns = tree->columns;
  kvsql_join_tree_add (self, where, arena);
  return self;
}

static void
collect (const KvsqlJoinTree *self, KvsqlAttributeSet *out)
{
  for (guint i = 0; i < self->n_conditions; i++)
    kvsql_predicate_collect (self->conditions[i], out);
  for (guint i = 0; i < self->n_children; i++)
    collect (self->children[i], out);
}

void
kvsql_join_plan_collect (const KvsqlJoinPlan *self, KvsqlAttributeSet *out)
{
  collect (self->tree, out);
}

static const KvsqlJoinTree *
find_leaf (const KvsqlJoinTree *self, guint leaf)
{
  if (self->kind == KVSQL_JOIN_TREE_LEAF)
    return self->leaf == leaf ? self : NULL;
  for (guint i = 0; i < self->n_children; i++)
    {
      const KvsqlJoinTree *found = find_leaf (self->children[i], leaf);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static const KvsqlPredicate *
conditions_of_leaf (const KvsqlJoinTree *tree, guint leaf, KvsqlArena *arena)
{
  const KvsqlJoinTree *self = find_leaf (tree, leaf);

  g_assert (self != NULL);
  return kvsql_predicate_unite (self->conditions, self->n_conditions, arena);
}

/* Whether rows of the join may have NULL in place of a tuple of the relation, or may not be in its
 * order. */
static gboolean
is_optional (const KvsqlJoinTree *self, guint leaf)
{
  if (self->kind == KVSQL_JOIN_TREE_LEAF)
    return FALSE;
  if (self->kind == KVSQL_JOIN_TREE_FULL
      || (self->kind == KVSQL_JOIN_TREE_LEFT && find_leaf (self->children[0], leaf) == NULL))
    return find_leaf (self, leaf) != NULL;
  for (guint i = 0; i < self->n_children; i++)
    if (is_optional (self->children[i], leaf))
      return TRUE;
  return FALSE;
}

/* ---- other relations */

static KvsqlAttributeSet
cut_attributes (const KvsqlAttributeSet *all, guint first, guint n)
{
  KvsqlAttributeSet cut = { 0 };

  for (guint a = 0; a < n; a++)
    if (kvsql_attribute_set_has (all, first + a))
      kvsql_attribute_set_add (&cut, a);
  return cut;
}

static void
set_condition (KvsqlSelectPlan *self, const KvsqlJoinPart *part, const KvsqlBinder *binder)
{
  self->predicate = part->condition != NULL
                        ? kvsql_predicate_shift (part->condition, part->first, binder->arena)
                        : kvsql_predicate_new_constant (binder, TRUE, KVSQL_SPAN_NONE);
}

static void
set_items (KvsqlSelectPlan *self, KvsqlArena *arena)
{
  guint n = self->relation->n_attributes;

  self->items = kvsql_arena_array (arena, guint, n);
  for (guint a = 0; a < n; a++)
    if (kvsql_attribute_set_has (&self->needed, a))
      self->items[self->n_items++] = a;
}

static KvsqlSelectPlan *
plan_part (const KvsqlSelectPlan *whole, const KvsqlJoinPart *part, const KvsqlBinder *binder)
{
  KvsqlSelectPlan *self = kvsql_arena_new0 (binder->arena, KvsqlSelectPlan);
  guint n = part->entry->relation->n_attributes;

  self->entry = part->entry;
  self->relation = part->entry->relation;
  set_condition (self, part, binder);
  kvsql_dnf_from_predicate (self->predicate, n, binder->arena, &self->dnf);
  self->dnf.statistics = kvsql_statistics_set_find (binder->statistics, self->relation);
  self->limit = KVSQL_NO_LIMIT;
  self->is_verified = whole->is_verified;
  self->needed = cut_attributes (&whole->needed, part->first, n);
  /* at least one attribute has to show that the tuple exists */
  kvsql_attribute_set_add_all (&self->needed, &self->relation->keys);
  set_items (self, binder->arena);
  return self;
}

static KvsqlSelectPlan *
plan_query (const KvsqlSelectPlan *whole, const KvsqlJoinPart *part, const KvsqlBinder *binder)
{
  KvsqlSelectPlan *self = part->query;

  set_condition (self, part, binder);
  self->needed = cut_attributes (&whole->needed, part->first, self->relation->n_attributes);
  if (kvsql_attribute_set_next (&self->needed, -1) < 0)
    kvsql_attribute_set_add (&self->needed, 0); /* rows without columns cannot be kept */
  set_items (self, binder->arena);
  return self;
}

/* ---- queries that only select */

/* The columns that are needed have to be attributes. */
static gboolean
can_merge (const KvsqlSelectPlan *whole, const KvsqlJoinPart *part)
{
  const KvsqlSelectPlan *query = part->query->set->operands[0].plan;
  KvsqlAttributeSet needed = cut_attributes (&whole->needed, part->first, query->n_items);

  if (part->query->lateral != NULL || !kvsql_query_is_simple (query) || query->join != NULL
      || query->is_verified != whole->is_verified || query->select->from.using_schema.text != NULL)
    return FALSE;
  for (gint c = kvsql_attribute_set_next (&needed, -1); c >= 0;
       c = kvsql_attribute_set_next (&needed, c))
    if (query->items[c] == KVSQL_NO_ATTRIBUTE)
      return FALSE;
  return TRUE;
}

/* The relation takes the place of the query, so that rows can be looked up in it. */
static KvsqlSelectPlan *
merge_query (const KvsqlSelectPlan *whole, KvsqlJoinPart *part, const KvsqlBinder *binder)
{
  const KvsqlSelectPlan *query = part->query->set->operands[0].plan;
  KvsqlSelectPlan *self = kvsql_arena_new0 (binder->arena, KvsqlSelectPlan);
  KvsqlAttributeSet needed = cut_attributes (&whole->needed, part->first, query->n_items);
  const KvsqlPredicate *own;

  set_condition (self, part, binder);
  own = kvsql_predicate_replace_columns (self->predicate, query->outputs, binder->arena);
  self->predicate = kvsql_predicate_and (query->predicate, own, binder->arena);
  self->entry = part->entry = query->entry;
  self->relation = query->relation;
  kvsql_dnf_from_predicate (self->predicate, self->relation->n_attributes, binder->arena,
                            &self->dnf);
  self->dnf.statistics = kvsql_statistics_set_find (binder->statistics, self->relation);
  self->limit = KVSQL_NO_LIMIT;
  self->is_verified = whole->is_verified;
  for (gint c = kvsql_attribute_set_next (&needed, -1); c >= 0;
       c = kvsql_attribute_set_next (&needed, c))
    kvsql_attribute_set_add (&self->needed, query->items[c]);
  kvsql_predicate_collect (self->predicate, &self->needed);
  kvsql_attribute_set_add_all (&self->needed, &self->relation->keys);
  set_items (self, binder->arena);
  part->attributes = query->items;
  part->query = NULL;
  return self;
}

/* Queries that were merged have no rows of their own. */
static void
number_queries (KvsqlSelectPlan *self)
{
  guint n = self->set == NULL ? 0 : self->set->n_numbers;

  for (guint i = 0; i < self->join->n_parts; i++)
    {
      KvsqlJoinPart *part = &self->join->parts[i];

      part->first_number = n;
      n += part->query == NULL ? 0 : part->query->set->n_numbers;
    }
}

static KvsqlSelectPlan *
make_part (KvsqlSelectPlan *self, KvsqlJoinPart *part, const KvsqlBinder *binder)
{
  if (part->query == NULL)
    return plan_part (self, part, binder);
  return can_merge (self, part) ? merge_query (self, part, binder)
                                : plan_query (self, part, binder);
}

static gboolean
plan_parts (KvsqlSelectPlan *self, const KvsqlCatalog *catalog, const KvsqlSelect *select,
            const KvsqlBinder *binder, const KvsqlStoreCapabilities *capabilities, GError **error)
{
  for (guint i = 0; i < self->join->n_parts; i++)
    {
      KvsqlJoinPart *part = &self->join->parts[i];
      KvsqlSelectPlan *plan;

      part->condition = conditions_of_leaf (self->join->tree, i + 1, binder->arena);
      part->plan = plan = make_part (self, part, binder);
      if (part->query == NULL
          && !kvsql_select_plan_choose (plan, catalog, &select->joined[i].using_schema, binder,
                                        capabilities, error))
        return FALSE;
    }
  number_queries (self);
  return TRUE;
}

gboolean
kvsql_join_plan_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                        const KvsqlSelect *select, const KvsqlBinder *binder,
                        const KvsqlStoreCapabilities *capabilities, GError **error)
{
  KvsqlJoinPlan *join = self->join;
  KvsqlArena *arena = binder->arena;
  const KvsqlRelation *first = join->relations[0].relation;
  const KvsqlPredicate *scanned;

  join->tree = add_where (join->tree, (KvsqlPredicate *)self->predicate, arena);
  kvsql_join_reduce_outer (join->tree);
  kvsql_join_flatten (join->tree, arena);
  kvsql_join_add_common (join->tree, arena);
  kvsql_join_add_implied (join->tree, self->relation, arena);
  kvsql_join_push_down (join->tree, self->relation, arena);
  collect (join->tree, &self->needed);
  if (!plan_parts (self, catalog, select, binder, capabilities, error))
    return FALSE;
  join->scanned = scanned = conditions_of_leaf (join->tree, 0, arena);
  if (scanned == NULL)
    scanned = kvsql_predicate_new_constant (binder, TRUE, KVSQL_SPAN_NONE);
  if (self->entry != NULL)
    {
      kvsql_dnf_from_predicate (scanned, first->n_attributes, arena, &self->dnf);
      self->dnf.statistics = kvsql_statistics_set_find (binder->statistics, first);
      self->dnf.is_exact = FALSE;
    }
  join->needed = self->needed;
  self->needed = cut_attributes (&self->needed, 0, first->n_attributes);
  self->sorts_tuples = self->sorts_tuples && !is_optional (join->tree, 0);
  return TRUE;
}

/* ---- another relation is scanned */

KvsqlJoinPart *
kvsql_join_plan_make_first (const KvsqlSelectPlan *self, KvsqlArena *arena)
{
  KvsqlJoinPart *first;
  KvsqlSelectPlan *plan;

  if (self->entry == NULL)
    return NULL;
  first = kvsql_arena_new0 (arena, KvsqlJoinPart);
  first->entry = self->entry;
  first->name = kvsql_binder_relation_name (&self->join->relations[0]);
  first->condition = self->join->scanned;
  first->plan = plan = plan_part (self, first, self->binder);
  plan->paths = self->paths;
  plan->n_paths = self->n_paths;
  plan->best = self->best;
  return first;
}

static void
swap_leaves (KvsqlJoinTree *self, guint leaf)
{
  if (self->kind == KVSQL_JOIN_TREE_LEAF && (self->leaf == 0 || self->leaf == leaf))
    self->leaf = self->leaf == 0 ? leaf : 0;
  for (guint i = 0; i < self->n_children; i++)
    swap_leaves (self->children[i], leaf);
}

static void
swap_relations (KvsqlJoinPlan *self, guint leaf, KvsqlArena *arena)
{
  KvsqlBinderRelation *relations
      = kvsql_arena_copy (arena, self->relations,
                          (self->n_parts + 1) * sizeof *relations); /* others are the binder's */

  relations[0] = self->relations[leaf];
  relations[leaf] = self->relations[0];
  self->relations = relations;
  swap_leaves (self->tree, leaf);
}

gboolean
kvsql_join_plan_scan (KvsqlSelectPlan *self, guint leaf, const KvsqlJoinPart *first,
                      const KvsqlCatalog *catalog, const KvsqlSelect *select,
                      const KvsqlStoreCapabilities *capabilities, GError **error)
{
  KvsqlJoinPlan *join = self->join;
  KvsqlJoinPart *part = &join->parts[leaf - 1];
  const KvsqlJoinPart scanned = *part;

  g_assert (scanned.query == NULL && scanned.attributes == NULL);
  swap_relations (join, leaf, self->binder->arena);
  *part = *first;
  part->first_number = scanned.first_number;
  self->entry = scanned.entry;
  join->first = scanned.first;
  join->scanned = scanned.condition;
  join->shifted = scanned.plan->predicate;
  self->needed = scanned.plan->needed; /* with its KEY */
  self->dnf = scanned.plan->dnf;
  self->dnf.is_exact = FALSE;
  self->sorts_tuples = FALSE;
  self->best = NULL;
  return kvsql_select_plan_choose (self, catalog, &select->joined[leaf - 1].using_schema,
                                   self->binder, capabilities, error);
}
