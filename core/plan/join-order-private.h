/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-order-private.h: what the files that choose the order of joins share.
 *
 * The tree of joins becomes problems. The inputs of a problem are relations, and parts of the tree
 * that stay together: a part is a problem of its own if it computes merged columns, if it has a
 * condition that may fail or that is checked late, or if it is a lateral join. Operators between
 * the inputs make a graph (join-graph.h), in which the cheapest order is searched (join-search.h).
 * Last, the nodes of the plan are made.
 */
#pragma once

#include "core/plan/join-plan.h"
#include "core/plan/join-search.h"
#include "core/plan/join-tree.h"

G_BEGIN_DECLS

/* A plan that looks a relation up by some of its attributes. */
typedef struct
{
  KvsqlAttributeSet attributes;
  KvsqlSelectPlan *plan; /* NULL: no schema has ranges for them */
} KvsqlJoinLookup;

typedef struct
{
  KvsqlJoinLookup *all;
  guint n;
} KvsqlJoinLookups;

typedef struct _KvsqlJoinOrder KvsqlJoinOrder;

typedef struct
{
  KvsqlJoinOrder *all;
  guint n;
} KvsqlJoinOrders;

typedef struct
{
  KvsqlSelectPlan *plan;
  const KvsqlSchema **using_schemas; /* by relation; NULL: any */
  const KvsqlStoreCapabilities *capabilities;
  KvsqlArena *arena;
  gboolean uses_order;        /* of the scan, which has to be on the probe side */
  gboolean can_look_up_first; /* the relation that is scanned may be looked up: another one is
                                 scanned instead */
  KvsqlJoinPart *first;       /* nullable: that relation as one that is looked up */
  KvsqlJoinLookups *lookups;  /* by relation */
  KvsqlJoinOrders *orders;    /* by relation */
  guint *leaves;              /* by column: its relation; G_MAXUINT: it is merged */
} KvsqlJoinOrdering;

typedef struct _KvsqlJoinProblem KvsqlJoinProblem;

typedef struct
{
  const KvsqlJoinTree *tree;
  KvsqlJoinProblem *inner; /* NULL: a relation */
} KvsqlJoinProblemInput;

/* The conditions of an operator of the graph. */
typedef struct
{
  KvsqlPredicate **conditions;
  guint n;
  guint n_equalities;
  gdouble share; /* of the pairs that satisfy them */
} KvsqlProblemOperator;

struct _KvsqlJoinProblem
{
  KvsqlJoinOrdering *ordering;
  const KvsqlJoinTree *tree;
  KvsqlJoinProblemInput *inputs;
  guint n_inputs;
  KvsqlJoinGraph graph;
  KvsqlProblemOperator *operators;
  guint n_operators;
  KvsqlPredicate **late; /* conditions that the last join checks */
  guint n_late;
  const KvsqlPartialJoin *best;
};

/* ---- join-condition.c */

/* Whether equal values have equal bytes. */
gboolean _kvsql_join_is_exact (KvsqlType a, KvsqlType b);
/* Whether it is an equality by which a hash finds partners. */
gboolean _kvsql_join_is_equality (const KvsqlJoinOrdering *self, const KvsqlPredicate *condition);
const KvsqlJoinPart *_kvsql_join_get_part (const KvsqlJoinOrdering *self, guint leaf);
/* The plan that reads the relation; NULL: it is a query. */
const KvsqlSelectPlan *_kvsql_join_get_plan (const KvsqlJoinOrdering *self, guint leaf);
gdouble _kvsql_join_estimate_query (const KvsqlSelectPlan *plan, guint leaf);
/* Distinct values of a column. @out_is_known: (nullable) */
gdouble _kvsql_join_estimate_column (const KvsqlJoinOrdering *self, guint column,
                                     gboolean *out_is_known);
void _kvsql_join_estimate_operator (const KvsqlJoinProblem *self, KvsqlProblemOperator *edge,
                                    const KvsqlInputSet *used);

/* ---- join-problem.c */

KvsqlJoinProblem *_kvsql_join_problem_new (KvsqlJoinOrdering *ordering, const KvsqlJoinTree *tree);
/* How the sides of a join that was found are joined. */
KvsqlJoinPair _kvsql_join_match (const KvsqlJoinProblem *self, const KvsqlPartialJoin *join);

/* ---- join-method.c */

/* The plan that looks the relation up by the attributes; NULL: there is none. */
KvsqlSelectPlan *_kvsql_join_find_lookup (const KvsqlJoinOrdering *self, guint leaf,
                                          const KvsqlAttributeSet *attributes);
/* A KvsqlJoinMake; @data: the problem */
gboolean _kvsql_join_make_partial (const KvsqlPartialJoin *a, const KvsqlPartialJoin *b,
                                   const KvsqlJoinPair *pair, gdouble rows, gpointer data,
                                   KvsqlPartialJoin *out);

/* Sets other_costs of all joins of the best order. To be called before another relation is scanned,
 * which changes the numbers of relations. */
void _kvsql_join_compare_methods (KvsqlJoinProblem *self);

/* ---- join-sorted.c */

#define KVSQL_JOIN_MOST_MERGE_KEYS 4

/* Where the rows of a side have their order from. */
typedef struct
{
  guint leaf;                   /* G_MAXUINT: they have none */
  const KvsqlAccessPath *fixed; /* nullable: the path by which it is read; NULL: any */
} KvsqlJoinSortedSide;

/* What a merge join compares. By side: the probe side, the build side. */
typedef struct
{
  KvsqlPredicate *conditions[KVSQL_JOIN_MOST_MERGE_KEYS];
  guint attributes[2][KVSQL_JOIN_MOST_MERGE_KEYS];
  guint n;
  const KvsqlAccessPath *paths[2];
} KvsqlJoinMergeKeys;

/* Finds equalities among @conditions in whose order both sides can be read. */
gboolean _kvsql_join_find_merge_keys (const KvsqlJoinOrdering *self,
                                      KvsqlPredicate *const *conditions, guint n,
                                      const KvsqlJoinSortedSide sides[2], KvsqlJoinMergeKeys *out);
/* Whether a relation may be read by any path. */
gboolean _kvsql_join_is_path_free (const KvsqlJoinOrdering *self, guint leaf);
KvsqlJoinSortedSide _kvsql_join_get_sorted_side (const KvsqlJoinOrdering *self,
                                                 const KvsqlJoinNode *node);
/* Makes the plan read both sides in that order. */
void _kvsql_join_use_merge_keys (KvsqlJoinOrdering *self, const KvsqlJoinMergeKeys *keys,
                                 const KvsqlJoinSortedSide sides[2]);

/* ---- join-nodes.c */

/* The nodes of the plan, for the best order. */
KvsqlJoinNode *_kvsql_join_make_nodes (KvsqlJoinProblem *self);

G_END_DECLS
