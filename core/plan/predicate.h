/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * predicate.h: a bound WHERE clause.
 *
 * Names are attributes, constants have the type of the attribute, and NOT is pushed into the
 * leaves. Without NOT, a row satisfies the predicate exactly if it does with each unknown leaf
 * taken as false. So code after the binder needs no three-valued logic.
 *
 * An EXPRESSION is a leaf that has to be computed. It gives no ranges, is evaluated only for rows
 * that the other leaves admit, and may fail.
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
  KVSQL_PREDICATE_EXPRESSION, /* expr, of type BOOLEAN: for all other conditions */
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
  gboolean has_expression; /* this node or a node below it is an EXPRESSION */
  gboolean can_fail;       /* evaluation can fail, for example with a division by zero */
  KvsqlPredicate **children;
  guint n_children;
};

/* Adds the attributes that the predicate reads. */
void kvsql_predicate_collect (const KvsqlPredicate *self, KvsqlAttributeSet *out);

/* The attributes that it has. */
static inline KvsqlAttributeSet
kvsql_predicate_get_columns (const KvsqlPredicate *predicate)
{
  KvsqlAttributeSet columns = { 0 };

  kvsql_predicate_collect (predicate, &columns);
  return columns;
}

/* Returns a weaker predicate that reads only @attributes: each tuple that satisfies @predicate
 * satisfies it. NULL if there is nothing to check. */
const KvsqlPredicate *kvsql_predicate_weaken (const KvsqlPredicate *predicate,
                                              const KvsqlAttributeSet *attributes,
                                              KvsqlArena *arena);

/* All of @predicates (array length=n) as one predicate; NULL: there are none. */
KvsqlPredicate *kvsql_predicate_unite (KvsqlPredicate *const *predicates, guint n,
                                       KvsqlArena *arena);

/* @a AND @b, without what is always true. */
const KvsqlPredicate *kvsql_predicate_and (const KvsqlPredicate *a, const KvsqlPredicate *b,
                                           KvsqlArena *arena);

/* A copy whose attribute a is attribute a + @first of @self. */
const KvsqlPredicate *kvsql_predicate_shift (const KvsqlPredicate *self, guint first,
                                             KvsqlArena *arena);

/* A copy with @columns[a] in place of attribute a: a column, if another leaf than an EXPRESSION has
 * the attribute. */
KvsqlPredicate *kvsql_predicate_replace_columns (const KvsqlPredicate *self,
                                                 KvsqlExpr *const *columns, KvsqlArena *arena);

/* Whether it is a leaf about `attribute`. */
static inline gboolean
kvsql_predicate_has_attribute (const KvsqlPredicate *self)
{
  return self->kind >= KVSQL_PREDICATE_COMPARE && self->kind <= KVSQL_PREDICATE_IS_NULL;
}

G_END_DECLS
