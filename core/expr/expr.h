/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * expr.h: typed expressions.
 *
 * An expression is a tree in an arena, and immutable: any thread may evaluate it. The binder has
 * converted operands to the types of their operators, so that the evaluation needs no type checks.
 * Logic is SQL's three-valued logic.
 */
#pragma once

#include "core/expr/function.h"
#include "core/expr/like.h"
#include "core/schema/type-limit.h"
#include "core/sql/operator.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_EXPR_CONSTANT, /* value */
  KVSQL_EXPR_COLUMN,   /* column of the input; in plain queries an attribute's index */
  KVSQL_EXPR_CALL,     /* function (children…); arithmetic operators are functions, too */
  KVSQL_EXPR_CAST,     /* children[0] as type; is_assignment: by the rules of assignment */
  KVSQL_EXPR_COMPARE,  /* children[0] op children[1], of one type */
  KVSQL_EXPR_AND,      /* children…; each only for rows that the ones before did not decide */
  KVSQL_EXPR_OR,       /* the same */
  KVSQL_EXPR_NOT,      /* children[0] */
  KVSQL_EXPR_IS_NULL,  /* children[0] IS [NOT] NULL */
  KVSQL_EXPR_IN,       /* children[0] [NOT] IN values, sorted, distinct and of its type; has_null */
  KVSQL_EXPR_LIKE,     /* children[0] [NOT] LIKE like, or children[1] [ESCAPE children[2]] */
  KVSQL_EXPR_RLIKE,    /* children[0] [NOT] RLIKE children[1] */
  KVSQL_EXPR_CASE,     /* children: (when, then)…, else */
  KVSQL_EXPR_COALESCE, /* the first of children that is not NULL */
  KVSQL_EXPR_DISTINCT, /* children[0] IS DISTINCT FROM children[1], of one type; is_negated: IS NOT
                          … */
  KVSQL_EXPR_QUANTIFIED, /* children[0] op ANY (children[1]), a LIST whose elements convert to the
                            type of children[0]; is_all: ALL */
  KVSQL_EXPR_LIST,       /* the LIST of children, which have the type of its elements */
  KVSQL_EXPR_SUBQUERY,   /* subquery; children: its outer values, then the operands of IN or ANY */
  KVSQL_EXPR_MINMAX,     /* GREATEST or LEAST (op GT, LT) of those children that are not NULL */
} KvsqlExprKind;

typedef struct _KvsqlExpr KvsqlExpr;
typedef struct _KvsqlSubquery KvsqlSubquery; /* core/expr/subquery.h */
struct _KvsqlExpr
{
  KvsqlExprKind kind;
  KvsqlType type; /* NULL: an untyped NULL */
  KvsqlSpan span;
  KvsqlOperator op;
  gboolean is_negated;    /* IS_NULL, IN, LIKE, RLIKE, DISTINCT */
  gboolean is_caseless;   /* LIKE: children[0] is in lower case, and the pattern is compared so */
  gboolean is_all;        /* QUANTIFIED */
  gboolean is_untyped;    /* CONSTANT: NULL or text whose context determines its type */
  gboolean is_implicit;   /* CAST: added by the binder */
  gboolean is_assignment; /* CAST */
  gboolean has_null;      /* IN */
  guint column;
  const gchar *name; /* COLUMN; CAST by assignment: of the attribute, or NULL */
  KvsqlValue value;  /* CONSTANT */
  guint parameter;   /* CONSTANT, in prepare: the number of the parameter, from 1; else 0 */
  KvsqlValue *values;
  guint n_values;
  const KvsqlLike *like; /* LIKE with a constant pattern */
  const KvsqlFunction *function;
  KvsqlSubquery *subquery;
  KvsqlExpr **children;
  guint n_children;
  guint size;           /* the number of nodes; a node with two parents counts twice */
  KvsqlTypeLimit limit; /* of a CAST to NUMERIC(p, s) and the like: how its values are shown */
};

/* The limit of KvsqlExpr.size. An operand that is needed twice is shared (nullif (a, b) is CASE
 * WHEN a = b …), so the size can double with each level of nesting. */
#define KVSQL_EXPR_MAX_SIZE 100000

static inline gboolean
kvsql_expr_is_constant (const KvsqlExpr *self)
{
  return self->kind == KVSQL_EXPR_CONSTANT;
}

/* Calls @each with every column that the expression uses, once or more often. */
void kvsql_expr_foreach_column (const KvsqlExpr *self, void (*each) (guint column, gpointer data),
                                gpointer data);

/* A copy whose column c is column c + @first of @self. */
KvsqlExpr *kvsql_expr_shift (const KvsqlExpr *self, guint first, KvsqlArena *arena);

/* A copy with @columns[c] in place of column c. */
KvsqlExpr *kvsql_expr_replace_columns (const KvsqlExpr *self, KvsqlExpr *const *columns,
                                       KvsqlArena *arena);

/* Whether an evaluation could fail. */
gboolean kvsql_expr_can_fail (const KvsqlExpr *self);

/* Whether each evaluation may have another result. */
gboolean kvsql_expr_is_volatile (const KvsqlExpr *self);

/* The expression as SQL, without the conversions that the binder added. */
void kvsql_expr_append_text (const KvsqlExpr *self, GString *out);

G_END_DECLS
