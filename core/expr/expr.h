/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * expr.h: typed expressions.
 *
 * A tree in an arena, never changed once it is made: any thread may evaluate it. Operands have been
 * converted to what their operator wants, so that no type is looked at twice. Three-valued logic is
 * SQL's; a NULL is a null, never a value.
 */
#pragma once

#include "core/expr/like.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

typedef struct _KvsqlFunction KvsqlFunction;

typedef enum
{
  KVSQL_EXPR_CONSTANT, /* value */
  KVSQL_EXPR_COLUMN,   /* column of the input; in plain queries an attribute's index */
  KVSQL_EXPR_CALL,     /* function (children…); operators are functions, too */
  KVSQL_EXPR_CAST,     /* children[0] as type; is_assignment: by the rules of assignment */
  KVSQL_EXPR_COMPARE,  /* children[0] op children[1], of one type */
  KVSQL_EXPR_AND,      /* children…; each only for the rows that the ones before leave open */
  KVSQL_EXPR_OR,       /* the same */
  KVSQL_EXPR_NOT,      /* children[0] */
  KVSQL_EXPR_IS_NULL,  /* children[0] IS [NOT] NULL */
  KVSQL_EXPR_IN,       /* children[0] [NOT] IN values, sorted, distinct and of its type; has_null */
  KVSQL_EXPR_LIKE,     /* children[0] [NOT] LIKE like, or children[1] [ESCAPE children[2]] */
  KVSQL_EXPR_RLIKE,    /* children[0] [NOT] RLIKE children[1] */
  KVSQL_EXPR_CASE,     /* children: (when, then)…, else */
  KVSQL_EXPR_COALESCE, /* the first of children that is not NULL */
  KVSQL_EXPR_EXTREME,  /* GREATEST or LEAST (op GT, LT) of those children that are not NULL */
} KvsqlExprKind;

typedef struct _KvsqlExpr KvsqlExpr;
struct _KvsqlExpr
{
  KvsqlExprKind kind;
  KvsqlType type; /* NULL: an untyped NULL */
  KvsqlSpan span;
  KvsqlOperator op;
  gboolean is_negated;    /* IS_NULL, IN, LIKE, RLIKE */
  gboolean is_untyped;    /* CONSTANT: NULL or text that takes whatever type is wanted */
  gboolean is_implicit;   /* CAST: the binder's, not the user's */
  gboolean is_assignment; /* CAST */
  gboolean has_null;      /* IN */
  guint column;
  const gchar *name; /* COLUMN; CAST by assignment: of the attribute, or NULL */
  KvsqlValue value;  /* CONSTANT */
  KvsqlValue *values;
  guint n_values;
  const KvsqlLike *like; /* LIKE with a constant pattern */
  const KvsqlFunction *function;
  KvsqlExpr **children;
  guint n_children;
  guint size; /* nodes, one that has two parents counted twice */
};

/* An operand that is needed twice (nullif (a, b) is CASE WHEN a = b …) is shared, so nesting could
 * square an expression's size again and again. */
#define KVSQL_EXPR_MAX_SIZE 100000

static inline gboolean
kvsql_expr_is_constant (const KvsqlExpr *self)
{
  return self->kind == KVSQL_EXPR_CONSTANT;
}

/* Calls @each with every column that the expression looks at, once or more often. */
void kvsql_expr_foreach_column (const KvsqlExpr *self, void (*each) (guint column, gpointer data),
                                gpointer data);

/* Whether an evaluation could give an error. */
gboolean kvsql_expr_can_fail (const KvsqlExpr *self);

/* As a user would write it; conversions that the binder added are left out. */
void kvsql_expr_append_text (const KvsqlExpr *self, GString *out);

G_END_DECLS
