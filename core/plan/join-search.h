/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-search.h: the cheapest order of the joins of a graph.
 *
 * Up to KVSQL_JOIN_MOST_EXACT inputs, all orders are compared, by dynamic programming over
 * connected subgraphs (DPhyp: Moerkotte and Neumann, "Dynamic Programming Strikes Back", SIGMOD
 * 2008). Beyond, the pair with the smallest result is joined first, again and again (GOO: Fegaras,
 * "A New Heuristic for Optimizing Large Queries", DEXA 1998).
 */
#pragma once

#include "core/plan/access-path.h"
#include "core/plan/join-graph.h"

G_BEGIN_DECLS

#define KVSQL_JOIN_MOST_EXACT 10

/* Some inputs, joined. */
typedef struct _KvsqlPartialJoin KvsqlPartialJoin;
struct _KvsqlPartialJoin
{
  KvsqlInputSet inputs;
  guint input;                           /* the number of the only one */
  const KvsqlPartialJoin *probe, *build; /* NULL: it is one input */
  gdouble rows, cost;
  const gdouble *other_costs;  /* nullable: by method, of those that cost more; of the best order */
  gboolean is_looked_up;       /* the build side is looked up by key */
  gboolean is_merged;          /* both sides come in the order of the keys */
  guint order_leaf;            /* the relation in whose order the rows come; G_MAXUINT: none */
  const KvsqlAccessPath *path; /* nullable: by which it is read */
  gboolean has_first;          /* the relation that is scanned is among the inputs */
  gboolean is_first_looked_up; /* that one is looked up, so that another one has to be scanned */
};

/**
 * KvsqlJoinMake:
 * @rows: of all trees of these inputs; negative: not known yet
 * @out: its inputs, and nothing else, are set
 *
 * Sets the sides, the rows and the cost of the cheapest join of the pair. FALSE: there is none.
 */
typedef gboolean (*KvsqlJoinMake) (const KvsqlPartialJoin *a, const KvsqlPartialJoin *b,
                                   const KvsqlJoinPair *pair, gdouble rows, gpointer data,
                                   KvsqlPartialJoin *out);

typedef struct
{
  const KvsqlJoinGraph *graph;
  KvsqlPartialJoin *inputs; /* by number */
  KvsqlJoinMake make;
  gpointer data;
  KvsqlArena *arena;
} KvsqlJoinSearch;

/* NULL: no join of all inputs can be made, or the search was interrupted. It lives in the arena. */
const KvsqlPartialJoin *kvsql_join_search_run (const KvsqlJoinSearch *self);

/* The steps of KvsqlJoinSearch, for tests. */
const KvsqlPartialJoin *kvsql_join_search_greedy (const KvsqlJoinSearch *self);

G_END_DECLS
