/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-tree.h: the operators of a SELECT, as a tree.
 *
 * core/exec makes one operator of each node, and EXPLAIN prints them. What an operator has to know
 * (ranges, predicate, groups, …) is in the plan that the tree belongs to. Trees are immutable.
 */
#pragma once

#include "core/base/arena.h"
#include "core/expr/expr.h"

G_BEGIN_DECLS

typedef struct _KvsqlSelectPlan KvsqlSelectPlan;

typedef enum
{
  KVSQL_NODE_ONE_ROW,        /* without FROM */
  KVSQL_NODE_TABLE_SCAN,     /* tuples of plan->entry by plan->best */
  KVSQL_NODE_SCANNED_FILTER, /* the part of the predicate for the first relation of a cross join */
  KVSQL_NODE_CROSS_JOIN,     /* each tuple of the input with each combination of tuples of the
                                other relations, whose plans have trees of their own */
  KVSQL_NODE_FILTER,         /* WHERE */
  KVSQL_NODE_PROJECT,        /* what is computed for each tuple: the outputs, or the inputs of
                                groups */
  KVSQL_NODE_GATHER,         /* reads the input in parallel, if there is much to read */
  KVSQL_NODE_AGGREGATE,      /* GROUP BY and aggregates */
  KVSQL_NODE_GROUP_PROJECT,  /* HAVING, and the outputs of each group */
  KVSQL_NODE_DISTINCT,
  KVSQL_NODE_SORT,
  KVSQL_NODE_LIMIT, /* OFFSET and LIMIT; also the root if there is neither */
} KvsqlNodeKind;

typedef struct _KvsqlPlanNode KvsqlPlanNode;

struct _KvsqlPlanNode
{
  KvsqlNodeKind kind;
  const KvsqlPlanNode *input; /* NULL: a leaf */
};

/* The tree of a plan whose access path was chosen. */
const KvsqlPlanNode *kvsql_plan_tree_new (const KvsqlSelectPlan *plan, KvsqlArena *arena);

/* The expressions of KVSQL_NODE_PROJECT. NULL: the tuple's attributes plan->items. */
KvsqlExpr *const *kvsql_plan_tree_get_tuple_exprs (const KvsqlSelectPlan *plan, guint *out_n);

/* Whether the scan can be read in parts: each tuple lies in one row of the store, and there is no
 * skip scan. */
gboolean kvsql_plan_tree_can_be_cut (const KvsqlSelectPlan *plan);

G_END_DECLS
