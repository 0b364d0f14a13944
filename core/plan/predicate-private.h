/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * predicate-private.h: the constructors of predicates, for the binder.
 */
#pragma once

#include "core/expr/binder.h"
#include "core/plan/predicate.h"

G_BEGIN_DECLS

KvsqlPredicate *kvsql_predicate_new (const KvsqlBinder *binder, KvsqlPredicateKind kind,
                                     KvsqlSpan span);
KvsqlPredicate *kvsql_predicate_new_constant (const KvsqlBinder *binder, gboolean truth,
                                              KvsqlSpan span);
KvsqlPredicate *kvsql_predicate_new_is_null (const KvsqlBinder *binder, guint attribute,
                                             gboolean is_negated, KvsqlSpan span);
KvsqlPredicate *kvsql_predicate_new_compare (const KvsqlBinder *binder, guint attribute,
                                             KvsqlOperator op, KvsqlValue value, KvsqlSpan span);
/* NULL if @a or @b is NULL. */
KvsqlPredicate *kvsql_predicate_new_pair (const KvsqlBinder *binder, KvsqlPredicateKind kind,
                                          KvsqlPredicate *a, KvsqlPredicate *b, KvsqlSpan span);
/* A comparison that is true for each value except NULL, or for no value. */
KvsqlPredicate *kvsql_predicate_new_all_or_none (const KvsqlBinder *binder, guint attribute,
                                                 gboolean all, KvsqlSpan span);

G_END_DECLS
