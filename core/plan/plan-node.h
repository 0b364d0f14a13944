/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-node.h: a node in the tree of a plan's operators.
 *
 * core/exec makes one operator of each node, and EXPLAIN prints them. What an operator has to know
 * (ranges, predicate, groups, …) is in the plan that the tree belongs to. A tree has at most one
 * node of a kind, and is immutable.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The plan that a tree belongs to (select-plan.h). */
typedef struct _KvsqlSelectPlan KvsqlSelectPlan;

typedef enum
{
  KVSQL_NODE_ONE_ROW,        /* without FROM */
  KVSQL_NODE_VALUES,         /* plan->values */
  KVSQL_NODE_FUNCTION,       /* plan->function */
  KVSQL_NODE_SET,            /* plan->set: the rows of its operands, which have own trees */
  KVSQL_NODE_TABLE_SCAN,     /* tuples of plan->entry by plan->best, or index entries */
  KVSQL_NODE_ENTRY_FILTER,   /* what index entries can decide of the predicate */
  KVSQL_NODE_INDEX_LOOKUP,   /* the tuples of index entries, from plan->best->lookup_schema */
  KVSQL_NODE_VERIFY,         /* the current tuples, from their anchors */
  KVSQL_NODE_SCANNED_FILTER, /* the conditions on the first relation of several */
  KVSQL_NODE_SCANNED_ONCE,   /* KEYS_ONCE of the first relation of several */
  KVSQL_NODE_JOIN,           /* plan->join->root: the input is its relation 0. The other relations
                                have plans with trees of their own. */
  KVSQL_NODE_FILTER,         /* WHERE */
  KVSQL_NODE_KEYS_ONCE,      /* of a verified read: each tuple, by its KEY */
  KVSQL_NODE_PROJECT,        /* what is computed for each tuple: the outputs, or the inputs of
                                groups */
  KVSQL_NODE_GATHER,         /* reads the input in parallel, if there is much to read */
  KVSQL_NODE_AGGREGATE,      /* GROUP BY and aggregates */
  KVSQL_NODE_GROUP_PROJECT,  /* HAVING, and the outputs of each group, or the inputs of windows */
  KVSQL_NODE_WINDOW,         /* the results of all calls with OVER, and the sorts for them */
  KVSQL_NODE_WINDOW_PROJECT, /* the outputs of each row */
  KVSQL_NODE_DISTINCT,
  KVSQL_NODE_SORT,
  KVSQL_NODE_FIRST_OF_EACH, /* DISTINCT ON: the first row of those with equal values */
  KVSQL_NODE_LIMIT,         /* OFFSET and LIMIT; also the root if there is neither */
  KVSQL_N_NODE_KINDS
} KvsqlNodeKind;

/* In EXPLAIN ANALYZE: "table scan". */
const gchar *kvsql_node_kind_get_name (KvsqlNodeKind kind);

typedef struct _KvsqlPlanNode KvsqlPlanNode;

struct _KvsqlPlanNode
{
  KvsqlNodeKind kind;
  const KvsqlPlanNode *input; /* NULL: a leaf */
};

G_END_DECLS
