/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-tree.h: FROM and WHERE as a tree of joins, before methods and schemas are chosen.
 *
 * The attributes of all relations are columns of one numbering, and the merged columns that a join
 * computes follow them. A column keeps its number in the whole tree. Conditions are conjuncts: a
 * row has to satisfy all of them.
 */
#pragma once

#include "core/base/arena.h"
#include "core/schema/attribute-set.h"

G_BEGIN_DECLS

typedef struct _KvsqlExpr KvsqlExpr;           /* core/expr/expr.h */
typedef struct _KvsqlPredicate KvsqlPredicate; /* core/plan/predicate.h */
typedef struct _KvsqlRelation KvsqlRelation;   /* core/schema/relation.h */

typedef enum
{
  KVSQL_JOIN_TREE_LEAF,  /* one relation */
  KVSQL_JOIN_TREE_INNER, /* any number of children; one child: a filter */
  KVSQL_JOIN_TREE_LEFT,  /* children[0], each row at least once, with children[1] */
  KVSQL_JOIN_TREE_FULL,  /* each row of both children at least once */
  KVSQL_JOIN_TREE_SEMI,  /* each row of children[0] that has a partner in children[1], once */
  KVSQL_JOIN_TREE_ANTI,  /* each row of children[0] that has none, once */
  /* children[0], each row with what children[1], a query, gives for it; at least once */
  KVSQL_JOIN_TREE_LATERAL,
  KVSQL_JOIN_TREE_LEFT_LATERAL,
} KvsqlJoinTreeKind;

/* A column of USING or NATURAL whose value is not simply that of one side. */
typedef struct _KvsqlMergedColumn
{
  guint column;
  KvsqlExpr *expr;
} KvsqlMergedColumn;

typedef struct _KvsqlJoinTree KvsqlJoinTree;
struct _KvsqlJoinTree
{
  KvsqlJoinTreeKind kind;
  guint leaf; /* the number of the relation in FROM */
  KvsqlJoinTree **children;
  guint n_children;
  KvsqlPredicate *
      *conditions; /* of ON; of WHERE; of a leaf: those that its tuples have to satisfy */
  guint n_conditions;
  KvsqlMergedColumn *merged; /* computed from the rows of the join */
  guint n_merged;
  KvsqlAttributeSet columns; /* that its rows have */
};

/* Whether its rows are those of children[0] alone. */
static inline gboolean
kvsql_join_tree_is_semi (const KvsqlJoinTree *self)
{
  return self->kind == KVSQL_JOIN_TREE_SEMI || self->kind == KVSQL_JOIN_TREE_ANTI;
}

static inline gboolean
kvsql_join_tree_is_lateral (const KvsqlJoinTree *self)
{
  return self->kind == KVSQL_JOIN_TREE_LATERAL || self->kind == KVSQL_JOIN_TREE_LEFT_LATERAL;
}

/* ---- rewrites; each keeps the rows of the tree */

/* Of a node with more conditions, nothing is derived: the work grows with their square. */
#define KVSQL_JOIN_MOST_CONDITIONS 256

/* Outer joins whose additional rows a condition above refuses become inner or left joins. */
void kvsql_join_reduce_outer (KvsqlJoinTree *self);
/* Inner joins of inner joins become one node. */
void kvsql_join_flatten (KvsqlJoinTree *self, KvsqlArena *arena);
/* (a = b AND x) OR (a = b AND y) gives a = b. */
void kvsql_join_add_common (KvsqlJoinTree *self, KvsqlArena *arena);
/* a = b AND a < 5 gives b < 5. */
void kvsql_join_add_implied (KvsqlJoinTree *self, const KvsqlRelation *relation, KvsqlArena *arena);
/* Moves conditions down to the relations that they are about. */
void kvsql_join_push_down (KvsqlJoinTree *self, const KvsqlRelation *relation, KvsqlArena *arena);

/* Whether the condition is not true where all of @columns are NULL. */
gboolean kvsql_join_refuses (const KvsqlPredicate *condition, const KvsqlAttributeSet *columns);

/* The condition for @to in place of its only attribute @from, which has the same type; NULL if it
 * has another attribute, or may fail. */
KvsqlPredicate *kvsql_join_translate (const KvsqlPredicate *condition, guint from, guint to,
                                      KvsqlArena *arena);

G_END_DECLS
