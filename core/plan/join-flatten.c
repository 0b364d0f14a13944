/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-flatten.c: inner joins of inner joins become one node, whose order is free.
 */
#include "config.h"

#include "core/plan/join-tree.h"

/* Merged columns are computed from the rows of their own join. */
static gboolean
is_part_of_inner (const KvsqlJoinTree *child)
{
  return child->kind == KVSQL_JOIN_TREE_INNER && child->n_merged == 0;
}

/* Conditions of an inner join below semi joins rise to the conditions above them: what both imply
 * is found there, and conditions move down again (join-push.c). */
static void
raise_conditions (KvsqlJoinTree *self, KvsqlJoinTree *child, KvsqlArena *arena)
{
  if (!kvsql_join_tree_is_semi (child))
    return;
  while (kvsql_join_tree_is_semi (child))
    child = child->children[0];
  if (!is_part_of_inner (child))
    return;
  for (guint c = 0; c < child->n_conditions; c++)
    *KVSQL_ARENA_ADD (arena, self->conditions, self->n_conditions) = child->conditions[c];
  child->n_conditions = 0;
}

void
kvsql_join_flatten (KvsqlJoinTree *self, KvsqlArena *arena)
{
  KvsqlJoinTree **children = self->children;
  KvsqlPredicate **conditions = self->conditions;
  guint n_children = self->n_children, n_conditions = self->n_conditions;

  for (guint i = 0; i < n_children; i++)
    kvsql_join_flatten (children[i], arena);
  if (self->kind != KVSQL_JOIN_TREE_INNER)
    return;
  self->children = NULL;
  self->conditions = NULL;
  self->n_children = self->n_conditions = 0;
  for (guint i = 0; i < n_children; i++)
    {
      KvsqlJoinTree *child = children[i];

      if (!is_part_of_inner (child))
        {
          *KVSQL_ARENA_ADD (arena, self->children, self->n_children) = child;
          raise_conditions (self, child, arena);
          continue;
        }
      for (guint c = 0; c < child->n_children; c++)
        *KVSQL_ARENA_ADD (arena, self->children, self->n_children) = child->children[c];
      for (guint c = 0; c < child->n_conditions; c++)
        *KVSQL_ARENA_ADD (arena, self->conditions, self->n_conditions) = child->conditions[c];
    }
  for (guint c = 0; c < n_conditions; c++)
    *KVSQL_ARENA_ADD (arena, self->conditions, self->n_conditions) = conditions[c];
}
