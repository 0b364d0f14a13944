/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-push.c: conditions move down to the relations that they are about, where they give key
 * ranges.
 *
 * A condition above an inner join may move to the side that has its attributes. Above a left join
 * it may move only to the side all of whose rows are kept; a condition of ON only to the other
 * side. Of an OR over several relations, what it implies for one of them moves, and the whole
 * stays. A condition that can fail stays, since it is computed only for rows that satisfy the
 * others.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/join-tree.h"
#include "core/plan/predicate.h"
#include "core/schema/relation.h"

static void
add (KvsqlJoinTree *self, const KvsqlPredicate *condition, KvsqlArena *arena)
{
  *KVSQL_ARENA_ADD (arena, self->conditions, self->n_conditions) = (KvsqlPredicate *)condition;
}

/* A condition, and the columns that it has. */
typedef struct
{
  const KvsqlPredicate *predicate;
  KvsqlAttributeSet columns;
  gboolean is_one_of_few; /* of its node: what it implies is worth its time */
} Moved;

static Moved
moved (const KvsqlPredicate *predicate, const KvsqlJoinTree *from)
{
  return (Moved){ predicate, kvsql_predicate_get_columns (predicate),
                  from->n_conditions <= KVSQL_JOIN_MOST_CONDITIONS };
}

/* Columns that do not exist below the node, as it merges them. */
static gboolean
uses_merged (const KvsqlJoinTree *self, const KvsqlAttributeSet *columns)
{
  for (guint i = 0; i < self->n_merged; i++)
    if (kvsql_attribute_set_has (columns, self->merged[i].column))
      return TRUE;
  return FALSE;
}

/* ON a = b: what is known of a, on the side that is kept, holds for the b that match it. */
static void
add_implied_by_on (KvsqlJoinTree *self, const KvsqlPredicate *condition,
                   const KvsqlRelation *relation, KvsqlArena *arena)
{
  for (guint i = 0; i < self->n_conditions && kvsql_interrupt_tick (); i++)
    {
      const KvsqlPredicate *on = self->conditions[i];
      KvsqlPredicate *implied = NULL;

      if (on->kind != KVSQL_PREDICATE_ATTRIBUTES || on->op != KVSQL_OP_EQ
          || relation->attributes[on->attribute].type != relation->attributes[on->other].type)
        continue;
      if (kvsql_attribute_set_has (&self->children[1]->columns, on->other))
        implied = kvsql_join_translate (condition, on->attribute, on->other, arena);
      else if (kvsql_attribute_set_has (&self->children[1]->columns, on->attribute))
        implied = kvsql_join_translate (condition, on->other, on->attribute, arena);
      if (implied != NULL)
        add (self, implied, arena);
    }
}

/* Whether @self or a node below it takes over the condition, whose columns @self has. */
static gboolean
take (KvsqlJoinTree *self, const Moved *condition, const KvsqlRelation *relation, KvsqlArena *arena)
{
  if (condition->predicate->can_fail || uses_merged (self, &condition->columns))
    return FALSE;
  if (self->kind == KVSQL_JOIN_TREE_LEAF || self->kind == KVSQL_JOIN_TREE_INNER)
    {
      add (self, condition->predicate, arena);
      return TRUE;
    }
  if (self->kind == KVSQL_JOIN_TREE_FULL
      || !kvsql_attribute_set_contains (&self->children[0]->columns, &condition->columns)
      || !take (self->children[0], condition, relation, arena))
    return FALSE;
  if (condition->is_one_of_few)
    add_implied_by_on (self, condition->predicate, relation, arena);
  return TRUE;
}

/* Gives children from @first on what the condition, an OR, implies for each of them. */
static void
give_implied (KvsqlJoinTree *self, guint first, const KvsqlPredicate *condition,
              const KvsqlRelation *relation, KvsqlArena *arena)
{
  for (guint i = first; i < self->n_children && kvsql_interrupt_tick (); i++)
    {
      const KvsqlPredicate *weaker
          = kvsql_predicate_weaken (condition, &self->children[i]->columns, arena);

      if (weaker != NULL)
        {
          const Moved implied = moved (weaker, self);

          (void)take (self->children[i], &implied, relation, arena);
        }
    }
}

/* Gives the condition, or what it implies, to children from @first on. Returns whether a child has
 * taken it over. */
static gboolean
give (KvsqlJoinTree *self, guint first, const KvsqlPredicate *predicate,
      const KvsqlRelation *relation, KvsqlArena *arena)
{
  const Moved condition = moved (predicate, self);

  for (guint i = first; i < self->n_children; i++)
    if (kvsql_attribute_set_contains (&self->children[i]->columns, &condition.columns))
      return take (self->children[i], &condition, relation, arena);
  if (predicate->kind == KVSQL_PREDICATE_OR)
    give_implied (self, first, predicate, relation, arena);
  return FALSE;
}

void
kvsql_join_push_down (KvsqlJoinTree *self, const KvsqlRelation *relation, KvsqlArena *arena)
{
  gboolean is_outer = self->kind == KVSQL_JOIN_TREE_LEFT || self->kind == KVSQL_JOIN_TREE_ANTI;
  guint n = 0;

  /* the rows of a lateral query are checked by the join */
  if (self->kind != KVSQL_JOIN_TREE_LEAF && self->kind != KVSQL_JOIN_TREE_FULL
      && !kvsql_join_tree_is_lateral (self))
    {
      for (guint i = 0; i < self->n_conditions && kvsql_interrupt_tick (); i++)
        if (!give (self, is_outer ? 1 : 0, self->conditions[i], relation, arena))
          self->conditions[n++] = self->conditions[i];
      self->n_conditions = n;
    }
  for (guint i = 0; i < self->n_children; i++)
    kvsql_join_push_down (self->children[i], relation, arena);
}
