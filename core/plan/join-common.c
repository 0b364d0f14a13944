/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-common.c: equalities that all branches of an OR have: (a = b AND x) OR (a = b AND y) implies
 * a = b, by which rows find their partners. The OR stays.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/join-tree.h"
#include "core/plan/predicate.h"

static gboolean
is_equality (const KvsqlPredicate *self)
{
  return self->kind == KVSQL_PREDICATE_ATTRIBUTES && self->op == KVSQL_OP_EQ;
}

static gboolean
is_same (const KvsqlPredicate *a, const KvsqlPredicate *b)
{
  return is_equality (a)
         && ((a->attribute == b->attribute && a->other == b->other)
             || (a->attribute == b->other && a->other == b->attribute));
}

/* Whether @self implies @equality. */
static gboolean
implies (const KvsqlPredicate *self, const KvsqlPredicate *equality)
{
  gboolean is_or = self->kind == KVSQL_PREDICATE_OR;

  if (!is_or && self->kind != KVSQL_PREDICATE_AND)
    return is_same (self, equality);
  for (guint i = 0; i < self->n_children && kvsql_interrupt_tick (); i++)
    if (implies (self->children[i], equality) != is_or)
      return !is_or;
  return is_or && self->n_children > 0;
}

static gboolean
is_known (const KvsqlJoinTree *self, const KvsqlPredicate *equality)
{
  for (guint i = 0; i < self->n_conditions && kvsql_interrupt_tick (); i++)
    if (is_same (self->conditions[i], equality))
      return TRUE;
  return FALSE;
}

/* Adds the equalities of @branch, which may be of an OR in it, that @condition implies. */
static void
add_common (KvsqlJoinTree *self, const KvsqlPredicate *condition, const KvsqlPredicate *branch,
            KvsqlArena *arena)
{
  if (is_equality (branch))
    {
      if (!is_known (self, branch) && implies (condition, branch))
        *KVSQL_ARENA_ADD (arena, self->conditions, self->n_conditions) = (KvsqlPredicate *)branch;
      return;
    }
  if (branch->kind == KVSQL_PREDICATE_AND)
    for (guint i = 0; i < branch->n_children && kvsql_interrupt_tick (); i++)
      add_common (self, condition, branch->children[i], arena);
  else if (branch->kind == KVSQL_PREDICATE_OR && branch->n_children > 0)
    add_common (self, condition, branch->children[0], arena);
}

void
kvsql_join_add_common (KvsqlJoinTree *self, KvsqlArena *arena)
{
  guint n = self->n_conditions;

  for (guint i = 0; i < self->n_children; i++)
    kvsql_join_add_common (self->children[i], arena);
  if (self->kind == KVSQL_JOIN_TREE_LEAF || n > KVSQL_JOIN_MOST_CONDITIONS)
    return;
  for (guint i = 0; i < n && kvsql_interrupt_tick (); i++)
    if (self->conditions[i]->kind == KVSQL_PREDICATE_OR)
      add_common (self, self->conditions[i], self->conditions[i], arena);
}
