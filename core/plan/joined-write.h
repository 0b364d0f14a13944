/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * joined-write.h: the tuples that UPDATE … FROM and DELETE … USING write.
 *
 * The relation that is written and those that are read are one FROM, and its plan is that of a
 * SELECT DISTINCT ON the KEY: a tuple with several partners is written once, with one of them. SET
 * and RETURNING use columns of this FROM. The first ones are the attributes of the tuple.
 */
#pragma once

#include "core/plan/select-bind.h"

G_BEGIN_DECLS

typedef struct _KvsqlJoinedWrite
{
  const KvsqlSelectPlan *bound; /* FROM, and conditions with subqueries */
  KvsqlPredicate *recheck;      /* conditions without subqueries, over all columns. A tuple that was
                                   changed in the meantime has to satisfy them, too. */
  KvsqlAttributeSet compared;   /* attributes of the tuple that conditions with subqueries use. They
                                   have to be as they were found. */
} KvsqlJoinedWrite;

/* Binds FROM and WHERE. @from: of the statement. @where: (nullable): conditions without subqueries;
 * the others are those of @from. The result lives in the arena of @outer. */
KvsqlJoinedWrite *kvsql_joined_write_bind (const KvsqlBinding *binding, const KvsqlSelect *from,
                                           const KvsqlAstExpr *where, const KvsqlBinder *outer,
                                           GError **error);

/* The names that the other clauses can use. */
const KvsqlBinder *kvsql_joined_write_get_binder (const KvsqlJoinedWrite *self);

/* The plan. Its items are the KEY, and the columns of FROM that are @used by other clauses, or are
 * needed when a tuple is read again. */
KvsqlSelectPlan *kvsql_joined_write_plan (const KvsqlJoinedWrite *self, const KvsqlBinding *binding,
                                          const KvsqlSelect *from, const KvsqlAstExpr *where,
                                          const KvsqlAttributeSet *used, const KvsqlBinder *outer,
                                          GError **error);

/* Whether the attributes that have to be as they were found are so. */
gboolean kvsql_joined_write_is_same (const KvsqlJoinedWrite *self, const KvsqlValue *found,
                                     const KvsqlValue *tuple);

G_END_DECLS
