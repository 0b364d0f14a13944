/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-tree.c: conditions of a tree of joins.
 */
#include "config.h"

#include "core/plan/join-tree.h"

void
kvsql_join_tree_add (KvsqlJoinTree *self, KvsqlPredicate *predicate, KvsqlArena *arena)
{
  if (predicate->kind == KVSQL_PREDICATE_AND)
    for (guint i = 0; i < predicate->n_children; i++)
      kvsql_join_tree_add (self, predicate->children[i], arena);
  else if (predicate->kind != KVSQL_PREDICATE_CONSTANT || !predicate->truth)
    *KVSQL_ARENA_ADD (arena, self->conditions, self->n_conditions) = predicate;
}

KvsqlPredicate *
kvsql_join_conditions_unite (KvsqlPredicate *const *conditions, guint n, KvsqlArena *arena)
{
  KvsqlPredicate *both;

  if (n <= 1)
    return n == 0 ? NULL : conditions[0];
  both = kvsql_arena_new0 (arena, KvsqlPredicate);
  both->kind = KVSQL_PREDICATE_AND;
  both->span = conditions[0]->span;
  both->children = kvsql_arena_copy (arena, conditions, n * sizeof *conditions);
  both->n_children = n;
  for (guint i = 0; i < n; i++)
    {
      both->has_expression = both->has_expression || conditions[i]->has_expression;
      both->can_fail = both->can_fail || conditions[i]->can_fail;
    }
  return both;
}
