/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-implied.c: what equalities of an inner join imply for other attributes.
 *
 * Attributes that are equal form a class. A condition on one attribute of a class holds for all of
 * them. Only attributes of one type are in a class: a constant has the type of its attribute.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/join-tree.h"
#include "core/plan/predicate.h"
#include "core/schema/relation.h"

/* The size of a condition, in operands, beyond which it is not copied for other attributes: there
 * may be as many copies as attributes. */
#define MAX_OPERANDS 1000

/* ---- classes */

static guint
find_class (guint *parents, guint column)
{
  while (parents[column] != column)
    column = parents[column] = parents[parents[column]];
  return column;
}

static gboolean
is_equality (const KvsqlPredicate *condition, const KvsqlRelation *relation)
{
  return condition->kind == KVSQL_PREDICATE_ATTRIBUTES && condition->op == KVSQL_OP_EQ
         && relation->attributes[condition->attribute].type
                == relation->attributes[condition->other].type;
}

static void
make_classes (const KvsqlJoinTree *self, const KvsqlRelation *relation, guint *parents)
{
  for (guint i = 0; i < relation->n_attributes; i++)
    parents[i] = i;
  for (guint i = 0; i < self->n_conditions; i++)
    if (is_equality (self->conditions[i], relation))
      parents[find_class (parents, self->conditions[i]->attribute)]
          = find_class (parents, self->conditions[i]->other);
}

/* ---- conditions */

/* Not IS NULL, which an equality decides, and no expression, which may fail. */
static gboolean
is_translatable (const KvsqlPredicate *self)
{
  switch (self->kind)
    {
    case KVSQL_PREDICATE_COMPARE:
    case KVSQL_PREDICATE_LIKE:
      return TRUE;
    case KVSQL_PREDICATE_IN:
      return !self->is_negated;
    case KVSQL_PREDICATE_AND:
    case KVSQL_PREDICATE_OR:
      for (guint i = 0; i < self->n_children; i++)
        if (!is_translatable (self->children[i]))
          return FALSE;
      return TRUE;
    default:
      return FALSE;
    }
}

/* Counts operands down from @most. FALSE: there are more. */
static gboolean
is_small (const KvsqlPredicate *self, guint *most)
{
  if (self->n_children > *most)
    return FALSE;
  *most -= self->n_children;
  for (guint i = 0; i < self->n_children; i++)
    if (!is_small (self->children[i], most))
      return FALSE;
  return TRUE;
}

static KvsqlPredicate *
copy_for (const KvsqlPredicate *self, guint to, KvsqlArena *arena)
{
  KvsqlPredicate *copy = kvsql_arena_copy (arena, self, sizeof *self);

  copy->attribute = to;
  copy->children = kvsql_arena_array (arena, KvsqlPredicate *, self->n_children);
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    copy->children[i] = copy_for (self->children[i], to, arena);
  return copy;
}

KvsqlPredicate *
kvsql_join_translate (const KvsqlPredicate *condition, guint from, guint to, KvsqlArena *arena)
{
  KvsqlAttributeSet columns;
  guint most = MAX_OPERANDS;

  if (!is_small (condition, &most) || !is_translatable (condition))
    return NULL;
  columns = kvsql_predicate_get_columns (condition);
  if (kvsql_attribute_set_next (&columns, -1) != (gint)from
      || kvsql_attribute_set_next (&columns, (gint)from) >= 0)
    return NULL;
  return copy_for (condition, to, arena);
}

/* Whether the same comparison is among the conditions. */
static gboolean
is_known (const KvsqlJoinTree *self, const KvsqlPredicate *condition)
{
  if (condition->kind != KVSQL_PREDICATE_COMPARE)
    return FALSE;
  for (guint i = 0; i < self->n_conditions && kvsql_interrupt_tick (); i++)
    {
      const KvsqlPredicate *known = self->conditions[i];

      if (known->kind == KVSQL_PREDICATE_COMPARE && known->attribute == condition->attribute
          && known->op == condition->op
          && kvsql_value_compare (&known->value, &condition->value) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Adds what the condition implies for the attributes of its class. */
static void
add_implied_by (KvsqlJoinTree *self, const KvsqlPredicate *condition, guint *parents,
                guint n_attributes, KvsqlArena *arena)
{
  KvsqlAttributeSet columns = kvsql_predicate_get_columns (condition);
  gint from = kvsql_attribute_set_next (&columns, -1);

  for (guint to = 0; from >= 0 && to < n_attributes && kvsql_interrupt_tick (); to++)
    if ((gint)to != from && find_class (parents, to) == find_class (parents, (guint)from))
      {
        KvsqlPredicate *implied = kvsql_join_translate (condition, (guint)from, to, arena);

        if (implied != NULL && !is_known (self, implied))
          *KVSQL_ARENA_ADD (arena, self->conditions, self->n_conditions) = implied;
      }
}

void
kvsql_join_add_implied (KvsqlJoinTree *self, const KvsqlRelation *relation, KvsqlArena *arena)
{
  guint n = self->n_conditions;
  guint *parents;

  for (guint i = 0; i < self->n_children; i++)
    kvsql_join_add_implied (self->children[i], relation, arena);
  if ((self->kind != KVSQL_JOIN_TREE_INNER && self->kind != KVSQL_JOIN_TREE_SEMI)
      || n > KVSQL_JOIN_MOST_CONDITIONS)
    return;
  parents = kvsql_arena_array (arena, guint, relation->n_attributes);
  make_classes (self, relation, parents);
  for (guint i = 0; i < n; i++)
    add_implied_by (self, self->conditions[i], parents, relation->n_attributes, arena);
}
