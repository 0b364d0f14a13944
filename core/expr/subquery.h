/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.h: subqueries that are evaluated as parts of an expression.
 *
 * The values that a subquery takes from the statement around it are its outer values. Its rows are
 * read for each distinct list of outer values, and kept. A subquery that compares its own columns
 * with the outer values may have a second form, which reads the rows for all outer values at once.
 * That form is read as soon as reading for single lists has cost as much: so both together cost at
 * most twice what the better one costs.
 *
 * Threads: rows are kept with the expression, so one thread at a time may evaluate it.
 */
#pragma once

#include "core/expr/expr.h"

G_BEGIN_DECLS

typedef struct _KvsqlSelect KvsqlSelect;         /* core/sql/ast.h */
typedef struct _KvsqlAstExpr KvsqlAstExpr;       /* core/sql/ast.h */
typedef struct _KvsqlSelectPlan KvsqlSelectPlan; /* core/plan/select-plan.h */
typedef struct _KvsqlSubqueryCache KvsqlSubqueryCache;

typedef enum
{
  KVSQL_SUBQUERY_SCALAR,  /* the only value of the only row; without a row NULL */
  KVSQL_SUBQUERY_EXISTS,  /* whether there is a row */
  KVSQL_SUBQUERY_COMPARE, /* operands op ANY (rows); is_all: ALL */
  KVSQL_SUBQUERY_ROW,     /* operands op the only row; without a row NULL */
  KVSQL_SUBQUERY_ROWS,    /* a lateral query in FROM: kvsql_subquery_get_rows() */
} KvsqlSubqueryKind;

/* All rows at once. */
typedef struct
{
  const KvsqlSelect *select; /* after the columns of the subquery (EXISTS: none) come those that are
                                compared with outer values, in their order */
  const KvsqlSelect
      *no_rows;        /* nullable: an aggregate, which has a row where there are no tuples */
  guint64 runs_before; /* for single lists of values */
} KvsqlSubqueryWhole;

struct _KvsqlSubquery
{
  KvsqlSubqueryKind kind;
  const KvsqlAstExpr *ast;
  const KvsqlSelect *select;
  const KvsqlType *types; /* of the outer values */
  guint n_arguments;
  KvsqlOperator op;
  gboolean is_all, is_negated;
  KvsqlExpr **columns; /* COMPARE, ROW: the columns, converted to the types of the operands */
  /* kvsql_expr_evaluate(), which calls this file */
  gboolean (*convert) (const KvsqlExpr *column, const KvsqlValue *row, KvsqlArena *arena,
                       KvsqlValue *out, GError **error);
  guint n_columns;                 /* EXISTS: 0 */
  KvsqlExpr *const *arguments;     /* the outer values, as expressions */
  const KvsqlSelectPlan *example;  /* a plan for some list of values */
  const KvsqlSubqueryWhole *whole; /* nullable */
  KvsqlArena *arena;               /* of the expression */
  KvsqlSubqueryCache *cache;       /* NULL: not evaluated yet */
};

/* How often a subquery was evaluated, and for how many lists of values it was run. */
typedef struct
{
  guint64 evaluated, run;
  gboolean is_whole;
} KvsqlSubqueryCounts;

KvsqlSubqueryCounts kvsql_subquery_get_counts (const KvsqlSubquery *self);

/**
 * kvsql_subquery_evaluate:
 * @self: an expression of kind SUBQUERY
 * @values: of its children: the outer values, then the operands
 *
 * Bytes of the result are in @arena.
 */
gboolean kvsql_subquery_evaluate (const KvsqlExpr *self, const KvsqlValue *values,
                                  KvsqlArena *arena, KvsqlValue *out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_subquery_get_rows:
 * @values: the outer values
 *
 * Returns: (array) (transfer none): the rows of a ROWS, one after the other, until it is called
 * again; not %NULL if there are none. %NULL: an error
 */
const KvsqlValue *kvsql_subquery_get_rows (KvsqlSubquery *self, const KvsqlValue *values,
                                           guint *out_n, GError **error);

/* FALSE with the error of a subquery that is a value and has several rows. */
gboolean kvsql_subquery_fail_several (KvsqlSpan span, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- who runs subqueries */

/* FALSE with an error: no more rows. @row: values that live until it returns */
typedef gboolean (*KvsqlSubqueryAdd) (const KvsqlValue *row, gpointer data, GError **error);

typedef struct _KvsqlSubqueryHost KvsqlSubqueryHost;
struct _KvsqlSubqueryHost
{
  /* Calls @add for each row of @select with these outer values. */
  gboolean (*run) (const KvsqlSelect *select, const KvsqlType *types, const KvsqlValue *values,
                   KvsqlSubqueryAdd add, gpointer add_data, gpointer data, GError **error);
  gpointer data;
  gsize max_bytes; /* of the rows that are kept for one subquery */
  KvsqlSubqueryHost *outer;
};

/* Sets the host of this thread until kvsql_subquery_host_leave(). The caller owns @self, which must
 * not move. */
void kvsql_subquery_host_enter (KvsqlSubqueryHost *self);
void kvsql_subquery_host_leave (KvsqlSubqueryHost *self);

G_END_DECLS
