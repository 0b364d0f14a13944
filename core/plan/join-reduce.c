/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-reduce.c: outer joins become inner joins where a condition above refuses their NULLs.
 *
 * A condition refuses a column if it is not true where the column is NULL. A row without a partner
 * has NULL in all columns of the other side. So one refused column of that side is enough, whether
 * it is refused by WHERE, by an inner join above, or by ON of an outer join on whose optional side
 * the join is (Galindo-Legaria and Rosenthal, Outerjoin Simplification, 1997).
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/join-tree.h"
#include "core/plan/predicate.h"
#include "core/schema/relation.h"

/* ---- refused columns */

/* The columns that a condition without AND and OR refuses. */
static KvsqlAttributeSet
refused_by (const KvsqlPredicate *self)
{
  KvsqlAttributeSet refused = { 0 };

  switch (self->kind)
    {
    case KVSQL_PREDICATE_CONSTANT:
      if (!self->truth)
        memset (&refused, 0xff, sizeof refused);
      break;
    case KVSQL_PREDICATE_ATTRIBUTES:
      kvsql_attribute_set_add (&refused, self->other);
      kvsql_attribute_set_add (&refused, self->attribute);
      break;
    case KVSQL_PREDICATE_COMPARE:
    case KVSQL_PREDICATE_IN:
    case KVSQL_PREDICATE_LIKE:
      kvsql_attribute_set_add (&refused, self->attribute);
      break;
    case KVSQL_PREDICATE_IS_NULL:
      if (self->is_negated)
        kvsql_attribute_set_add (&refused, self->attribute);
      break;
    default: /* what an expression makes of NULL is not known */
      break;
    }
  return refused;
}

/* Of an OR, each operand may refuse another column. */
gboolean
kvsql_join_refuses (const KvsqlPredicate *self, const KvsqlAttributeSet *columns)
{
  KvsqlAttributeSet refused;

  if (self->kind == KVSQL_PREDICATE_AND || self->kind == KVSQL_PREDICATE_OR)
    {
      gboolean is_and = self->kind == KVSQL_PREDICATE_AND;

      for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
        if (kvsql_join_refuses (self->children[i], columns) == is_and)
          return is_and;
      return !is_and;
    }
  refused = refused_by (self);
  return kvsql_attribute_set_intersects (&refused, columns);
}

/* ---- the tree */

/* The conditions above a node. */
typedef struct _Above Above;
struct _Above
{
  const KvsqlJoinTree *node; /* its conditions hold for each row */
  const Above *next;
};

static gboolean
is_refused (const Above *above, const KvsqlJoinTree *side)
{
  for (; above != NULL; above = above->next)
    for (guint i = 0; i < above->node->n_conditions && kvsql_interrupt_tick (); i++)
      if (kvsql_join_refuses (above->node->conditions[i], &side->columns))
        return TRUE;
  return FALSE;
}

static void
swap_children (KvsqlJoinTree *self)
{
  KvsqlJoinTree *first = self->children[0];

  self->children[0] = self->children[1];
  self->children[1] = first;
}

static void
reduce_node (KvsqlJoinTree *self, const Above *above)
{
  gboolean refuses_left, refuses_right;

  if (self->kind != KVSQL_JOIN_TREE_LEFT && self->kind != KVSQL_JOIN_TREE_FULL)
    return;
  refuses_right = is_refused (above, self->children[1]);
  if (self->kind == KVSQL_JOIN_TREE_LEFT)
    {
      self->kind = refuses_right ? KVSQL_JOIN_TREE_INNER : KVSQL_JOIN_TREE_LEFT;
      return;
    }
  refuses_left = is_refused (above, self->children[0]);
  if (refuses_left && refuses_right)
    self->kind = KVSQL_JOIN_TREE_INNER;
  else if (refuses_left || refuses_right)
    self->kind = KVSQL_JOIN_TREE_LEFT;
  /* the rows of children[1] without a partner are refused if the left side's NULLs are */
  if (self->kind == KVSQL_JOIN_TREE_LEFT && refuses_right)
    swap_children (self);
}

static void
reduce (KvsqlJoinTree *self, const Above *above)
{
  const Above own = { self, above }, only_own = { self, NULL };

  reduce_node (self, above);
  if (self->kind == KVSQL_JOIN_TREE_INNER)
    for (guint i = 0; i < self->n_children; i++)
      reduce (self->children[i], &own);
  else if (kvsql_join_tree_is_lateral (self))
    reduce (self->children[0], above);
  else if (self->kind == KVSQL_JOIN_TREE_LEFT || kvsql_join_tree_is_semi (self))
    {
      reduce (self->children[0], self->kind == KVSQL_JOIN_TREE_SEMI ? &own : above);
      reduce (self->children[1], &only_own);
    }
  else if (self->kind == KVSQL_JOIN_TREE_FULL)
    for (guint i = 0; i < self->n_children; i++)
      reduce (self->children[i], NULL);
}

void
kvsql_join_reduce_outer (KvsqlJoinTree *self)
{
  reduce (self, NULL);
}
