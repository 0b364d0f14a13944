/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-semi.h: binds semi and anti joins, whose conditions are those of a subquery.
 */
#pragma once

#include "core/plan/bind.h"
#include "core/plan/join-tree.h"

G_BEGIN_DECLS

typedef struct _KvsqlJoin KvsqlJoin; /* core/sql/ast.h */

/* Conditions that wait for the join that has all of their columns. */
typedef struct
{
  KvsqlPredicate **conditions;
  guint n;
} KvsqlBoundSemi;

/* Adds the conjuncts of @predicate to the conditions. */
void kvsql_join_tree_add (KvsqlJoinTree *self, KvsqlPredicate *predicate, KvsqlArena *arena);

/* Moves conditions with columns of neither side from @self to @raised. Returns TRUE. */
gboolean kvsql_semi_raise (KvsqlJoinTree *self, const KvsqlJoinTree *left,
                           const KvsqlJoinTree *right, KvsqlBoundSemi *raised, KvsqlArena *arena);
/* FALSE with an error: a condition below an outer join cannot be raised above it. */
gboolean kvsql_semi_reject_outer (KvsqlSpan span, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_semi_bind:
 * @inner: the names of the subquery; its outer binder has those of @left
 * @join: of the planner (core/plan/unnest.h)
 *
 * Fills @out, the tree of the join. A semi join below another one whose conditions are also about
 * the statement around both becomes an inner join: only whether there are rows matters there.
 */
gboolean kvsql_semi_bind (const KvsqlBinder *inner, const KvsqlJoin *join, KvsqlJoinTree *left,
                          KvsqlJoinTree *right, KvsqlBoundSemi *raised, KvsqlJoinTree *out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
