/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-plan.h: the plan of a SELECT.
 *
 * A plan is immutable after it was made. It lives in the arena of the binder. Definitions are in
 * the catalog snapshot that the caller holds.
 */
#pragma once

#include "core/plan/bind.h"
#include "core/plan/function-rows.h"
#include "core/plan/group.h"
#include "core/plan/order.h"
#include "core/plan/plan-node.h"
#include "core/plan/window.h"

G_BEGIN_DECLS

/* A relation other than the first, or a query in FROM. */
typedef struct
{
  const KvsqlCatalogEntry *entry; /* NULL: a query */
  KvsqlSelectPlan *query;         /* nullable: of a query: a derived table, which @plan reads */
  guint *attributes; /* nullable: of a query that was merged into the join: for each of its columns,
                        the attribute of @entry */
  const gchar *name; /* its alias, or the name of the relation */
  guint first;       /* the column of its first attribute */
  const KvsqlSelectPlan *plan; /* reads the attributes plan->items of its tuples, in any order */
  gboolean is_looked_up;       /* @plan is a pattern (lookup-plan.h) */
  const KvsqlPredicate *condition; /* nullable: plan->predicate with the columns of the join */
  guint first_number; /* of a query: of its operands, in the counts of EXPLAIN ANALYZE */
} KvsqlJoinPart;

/* The attribute of @entry that a column of the join is. */
static inline guint
kvsql_join_part_get_attribute (const KvsqlJoinPart *self, guint column)
{
  guint c = column - self->first;

  return self->attributes == NULL ? c : self->attributes[c];
}

/* How a join finds partners. */
typedef enum
{
  KVSQL_JOIN_METHOD_CHEAPEST, /* for tests: not forced */
  KVSQL_JOIN_METHOD_LOOKUP,
  KVSQL_JOIN_METHOD_HASH,
  KVSQL_JOIN_METHOD_NESTED_LOOP,
  KVSQL_JOIN_METHOD_MERGE,
  KVSQL_N_JOIN_METHODS,
} KvsqlJoinMethod;

/* An equality that finds the partners of a row. */
typedef struct
{
  guint probe, build; /* columns */
  gboolean is_exact; /* of one type whose equal values have equal bytes: no other check is needed */
} KvsqlJoinKey;

/* How rows are joined: a relation, or a join of two nodes. The rows of the build side are kept in
 * memory. The rows of the probe side are read once, and give the order. */
typedef struct _KvsqlJoinNode KvsqlJoinNode;
struct _KvsqlJoinNode
{
  guint leaf; /* of a relation: its number in FROM; 0 is the relation that is scanned */
  const KvsqlJoinNode *probe, *build; /* NULL: a relation */
  gboolean keeps_probe, keeps_build;  /* rows of this side are given without a partner, too */
  gboolean is_semi, is_anti; /* only rows of the probe side are given: those with a partner, or
                                those without one */
  KvsqlJoinKey *keys;        /* a hash join; n_keys 0: a nested loop */
  guint n_keys;
  guint n_merge_keys; /* a merge join: both sides come in the order of the first keys, the first
                         one most important; the other keys are checked */
  guint *looked_up;   /* nullable: a lookup join: attributes of the build side, which is a relation.
                         Its tuples are read for some rows of the probe side at a time. */
  guint *lookup_keys; /* for each of them, the number of its key */
  guint n_looked_up;
  gboolean narrows; /* the values of a key narrow the ranges of a relation on the probe side */
  guint narrowing_key, narrowed_leaf, narrowed_attribute;
  struct _KvsqlSubquery *lateral; /* nullable: gives the rows of the build side, a query */
  const KvsqlPredicate *on;       /* nullable: all conditions */
  const KvsqlPredicate *residual; /* nullable: what the keys do not decide */
  const struct _KvsqlMergedColumn *merged;
  guint n_merged;
  KvsqlAttributeSet columns; /* that its rows have */
  gboolean has_first;        /* it, or a node below it, is the relation that is scanned */
  guint number;              /* of a join, among all joins */
  gdouble rows;              /* estimated */
  gdouble cost;              /* of all below it, too */
  gdouble other_costs[KVSQL_N_JOIN_METHODS]; /* by method: the same, with the cheaper side as the
                                                build side; 0: not compared, or chosen */
};

typedef struct
{
  KvsqlBinderRelation *relations; /* of all relations, including the first */
  KvsqlJoinPart *parts;
  guint n_parts;
  guint first; /* the column of the first attribute of the relation that is scanned */
  const KvsqlPredicate *scanned; /* nullable: the conditions on that relation alone */
  const KvsqlPredicate *shifted; /* nullable: with its attributes, if @first is not 0 */
  struct _KvsqlJoinTree *tree;   /* of the planner */
  KvsqlAttributeSet needed;      /* columns that the statement uses */
  const KvsqlJoinNode *root;
  guint n_joins;
  gboolean is_greedy; /* not all orders of joins were compared */
} KvsqlJoinPlan;

/* The conditions on the relation that is scanned, about its attributes; NULL: there are none. */
static inline const KvsqlPredicate *
kvsql_join_plan_get_scanned (const KvsqlJoinPlan *self)
{
  return self->shifted != NULL ? self->shifted : self->scanned;
}

/* An operand of a set operation. */
typedef struct
{
  KvsqlSelectPlan *plan;
  KvsqlExpr **columns;   /* its items, with the types of the operation */
  gboolean is_converted; /* some items have other types */
  guint number; /* among all operands of the operation, counting those of operands after theirs */
} KvsqlSetOperand;

/* A set operation: its rows come from other plans. Without `is_all`, the plan is_distinct. With one
 * operand, it is a derived table, and the plan has all clauses of a SELECT. */
typedef struct
{
  KvsqlSetKind kind;
  gboolean is_all;
  KvsqlSetOperand *operands; /* INTERSECT and EXCEPT: two */
  guint n_operands;
  guint n_numbers;      /* the operands, those of operands included */
  gboolean is_verified; /* some operand is a verified read */
} KvsqlSetPlan;

/* The subqueries that expressions of a plan evaluate (core/expr/subquery.h). */
typedef struct
{
  KvsqlSubquery **all;
  guint n;
} KvsqlSubqueryList;
/* VALUES */
typedef struct
{
  KvsqlExpr ***columns; /* columns[j][i]: of row i; without names */
  guint n_columns;
  guint n_rows;
} KvsqlValuesPlan;

struct _KvsqlSelectPlan
{
  const KvsqlSelect *select; /* of the planner; what was bound */
  const KvsqlBinder *binder; /* of the planner; with all names of FROM */
  const KvsqlCatalogEntry
      *entry;                    /* of the first relation in FROM, which is scanned; NULL: no FROM,
                                    or a set operation, or a derived table: no scan and no access path */
  const KvsqlRelation *relation; /* of the names: of the entry, or of all of FROM; of the columns of
                                    a set operation */
  KvsqlSetPlan *set;             /* nullable */
  KvsqlValuesPlan *values;       /* nullable: no scan and no set operation */
  KvsqlFunctionPlan *function;   /* nullable: the same */
  struct _KvsqlSubquery *lateral; /* nullable: of a query in FROM that uses columns of the sources
                                     before it: runs it for their values. Its plan is an example. */
  gboolean is_fenced;  /* conditions and other queries stay out: WITH … AS MATERIALIZED */
  gboolean is_operand; /* of a set operation, which gives a type to outputs that are untyped */
  KvsqlJoinPlan *join; /* nullable: FROM has several relations */
  const KvsqlPredicate *predicate;
  KvsqlDnf dnf;
  KvsqlGroups *groups;   /* NULL: each row of the result is one tuple */
  KvsqlWindows *windows; /* nullable */
  guint *items; /* the columns of the result: the attribute, or KVSQL_NO_ATTRIBUTE for a computed
                   column */
  const gchar **item_names;
  gboolean *item_is_nullable;
  guint n_items;
  KvsqlExpr **outputs; /* the items, then columns that only ORDER BY needs; over tuples or groups,
                          or over the rows of windows.
                          NULL: all items are attributes, and ORDER BY needs no other columns */
  guint n_outputs;
  gboolean is_distinct;
  guint *distinct_on; /* of DISTINCT ON: outputs, by which the rows are sorted first */
  guint n_distinct_on;
  KvsqlSortKey *sort;
  guint n_sort;
  gboolean scans_first;  /* the first relation of FROM is not looked up: it is written */
  gboolean sorts_tuples; /* all sort keys are attributes, so the scan may return the order */
  guint64 limit;
  guint64 offset;
  gboolean is_verified; /* tuples are compared with their anchors (core/scan/verified-tuples.h) */
  KvsqlAttributeSet needed; /* attributes that the scan has to read */
  KvsqlAccessPath *paths;
  guint n_paths;
  const KvsqlAccessPath *best;
  const KvsqlPlanNode *root;           /* the operators */
  const KvsqlSubqueryList *subqueries; /* nullable */
};

/* Whether rows have to be sorted: the scan does not return the order of ORDER BY. */
static inline gboolean
kvsql_select_plan_sorts (const KvsqlSelectPlan *self)
{
  if (self->windows != NULL && self->windows->gives_order)
    return FALSE;
  return self->n_sort > 0 && !(self->sorts_tuples && self->best->gives_order);
}

/* Whether the scan returns the order that the first window needs. */
static inline gboolean
kvsql_select_plan_scans_for_window (const KvsqlSelectPlan *self)
{
  return self->windows->sorts_tuples && self->join == NULL && self->best->gives_order;
}

/* Whether FROM begins with a derived table. */
static inline gboolean
kvsql_select_plan_is_derived (const KvsqlSelectPlan *self)
{
  return self->set != NULL && self->set->n_operands == 1;
}

/* Whether a part of the plan is a verified read. */
gboolean kvsql_select_plan_has_verified (const KvsqlSelectPlan *self);
/* The operands of set operations and queries in FROM that are counted one by one. */
guint kvsql_select_plan_count_operands (const KvsqlSelectPlan *self);
/* Estimated rows of the result. */
gdouble kvsql_select_plan_estimate_rows (const KvsqlSelectPlan *self);

/* Whether rows can be returned while the scan still reads tuples. */
gboolean kvsql_select_plan_is_streaming (const KvsqlSelectPlan *self);
/* Whether a verified read has to remember which keys it has returned. A schema that is not located
 * by the KEY alone may have a tuple twice while it changes. */
gboolean kvsql_select_plan_remembers_keys (const KvsqlSelectPlan *self);
/* The type of an item. */
KvsqlType kvsql_select_plan_get_type (const KvsqlSelectPlan *self, guint item);
/* The attributes that the table scan gives: the needed ones, or those of the entries of an index.
 */
const KvsqlAttributeSet *kvsql_select_plan_get_scanned (const KvsqlSelectPlan *self);
/* The relation of an item, and which of its attributes it is; NULL if it is none. */
const KvsqlRelation *kvsql_select_plan_get_relation (const KvsqlSelectPlan *self, guint item,
                                                     guint *out_attribute);
/* The limit of the type of the attribute that an item is. */
KvsqlTypeLimit kvsql_select_plan_get_limit (const KvsqlSelectPlan *self, guint item);
/* What is computed for each tuple: the inputs of groups or windows, or the outputs. */
KvsqlExpr *const *kvsql_select_plan_get_tuple_exprs (const KvsqlSelectPlan *self, guint *out_n);
/* Whether all items are attributes of tuples, unchanged. */
gboolean kvsql_select_plan_is_plain (const KvsqlSelectPlan *self);

G_END_DECLS
