/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * predicate.h: a bound WHERE clause.
 *
 * Names are attributes, constants have the attribute's type, and NOT has been pushed into the
 * leaves. With no NOT left, a row satisfies the predicate exactly when it does with every unknown
 * leaf taken as false: three-valued logic needs no third value below this point.
 *
 * Whatever has to be computed is an EXPRESSION. It gives no ranges, is evaluated only for rows that
 * the rest leaves open, and may fail.
 */
#pragma once

#include "core/expr/expr.h"
#include "core/schema/relation.h"
#include "core/sql/operator.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_PREDICATE_CONSTANT,   /* truth */
  KVSQL_PREDICATE_COMPARE,    /* attribute op value */
  KVSQL_PREDICATE_ATTRIBUTES, /* attribute op other */
  KVSQL_PREDICATE_IN,         /* attribute [NOT] IN values, sorted and distinct */
  KVSQL_PREDICATE_LIKE,       /* attribute [NOT] LIKE like */
  KVSQL_PREDICATE_IS_NULL,    /* attribute IS [NOT] NULL */
  KVSQL_PREDICATE_EXPRESSION, /* expr, of type BOOLEAN: what the others cannot say */
  KVSQL_PREDICATE_AND,
  KVSQL_PREDICATE_OR,
} KvsqlPredicateKind;

typedef struct _KvsqlPredicate KvsqlPredicate;
struct _KvsqlPredicate
{
  KvsqlPredicateKind kind;
  KvsqlSpan span;
  gboolean truth;
  gboolean is_negated;
  guint attribute;
  guint other;
  KvsqlOperator op; /* EQ, NE, LT, LE, GT, GE */
  KvsqlValue value;
  KvsqlValue *values;
  guint n_values;
  const KvsqlLike *like;
  KvsqlExpr *expr;
  gboolean has_expression; /* it or what is in it is an EXPRESSION */
  gboolean can_fail;       /* with an error, as a division by zero */
  KvsqlPredicate **children;
  guint n_children;
};

G_END_DECLS
