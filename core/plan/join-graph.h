/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-graph.h: which joins of a FROM may be done in which order.
 *
 * The inputs of joins are numbered. Each condition that needs several of them is an operator, and a
 * hyperedge of the graph. Operators other than inner joins cannot be exchanged freely. Which ones
 * can is found by the detection of conflicts CD-C (Moerkotte, Fender and Eich, "On the Correct and
 * Complete Enumeration of the Core Search Space", SIGMOD 2013).
 *
 * Nothing here knows what the inputs are, or what a join costs.
 */
#pragma once

#include "core/base/arena.h"
#include "core/plan/join-tree.h"

G_BEGIN_DECLS

/* Inputs by number. Each has an attribute at least, so there are as many at most. */
typedef KvsqlAttributeSet KvsqlInputSet;

/* The operator may be applied to a set that has one of @if_any only if it has @then_all, too. */
typedef struct
{
  KvsqlInputSet if_any, then_all;
} KvsqlJoinRule;

typedef struct
{
  KvsqlJoinTreeKind kind;    /* no leaf */
  KvsqlInputSet left, right; /* all inputs below its sides, in the tree as it was written */
  KvsqlInputSet used;        /* by the condition; empty: a cross join */
  KvsqlInputSet refused;     /* the condition is not true if all columns of one of them are NULL */

  /* of kvsql_join_graph_find_conflicts() */
  KvsqlInputSet needed_left, needed_right; /* that have to be on its sides */
  KvsqlJoinRule *rules;
  guint n_rules;
} KvsqlJoinOperator;

/* Two sets of inputs that the tree, as it was written, joins. */
typedef struct
{
  KvsqlInputSet left, right;
} KvsqlJoinStep;

typedef struct
{
  guint n_inputs;
  KvsqlJoinOperator *operators;
  guint n_operators;
  KvsqlJoinStep *steps; /* those of operands before theirs */
  guint n_steps;
} KvsqlJoinGraph;

/* A way to join two sets of inputs. */
typedef struct
{
  KvsqlJoinTreeKind kind;
  gboolean is_swapped; /* the second set is the left side */
  guint *operators;    /* that are applied; there is room for all */
  guint n_operators;
} KvsqlJoinPair;

/* Sets what the operators need, and their rules. */
void kvsql_join_graph_find_conflicts (KvsqlJoinGraph *self, KvsqlArena *arena);

/* Whether the sets, which are disjoint and each joined already, may be joined. @out->operators is
 * the caller's. */
gboolean kvsql_join_graph_match (const KvsqlJoinGraph *self, const KvsqlInputSet *a,
                                 const KvsqlInputSet *b, KvsqlJoinPair *out);

G_END_DECLS
