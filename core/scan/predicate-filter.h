/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * predicate-filter.h: applies a predicate to a batch.
 */
#pragma once

#include "core/base/vector.h"
#include "core/plan/predicate.h"

G_BEGIN_DECLS

typedef struct _KvsqlPredicateFilter KvsqlPredicateFilter;

/* @predicate must outlive it. */
KvsqlPredicateFilter *kvsql_predicate_filter_new (const KvsqlPredicate *predicate);
void kvsql_predicate_filter_free (KvsqlPredicateFilter *self); /* accepts NULL */

/**
 * kvsql_predicate_filter_run:
 * @out_rows: (out) (array length=out_n): the rows that satisfy the predicate, ascending; the
 *   filter's own, until the next call
 *
 * Columns are by attribute. Expressions are evaluated only for the rows that the rest of the
 * predicate leaves open; FALSE if one of them fails.
 */
gboolean kvsql_predicate_filter_run (KvsqlPredicateFilter *self, const KvsqlBatch *batch,
                                     const guint32 **out_rows, guint *out_n,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* One tuple, by attribute. @arena is for what expressions need meanwhile. */
gboolean kvsql_predicate_admits (const KvsqlPredicate *predicate, const KvsqlValue *tuple,
                                 KvsqlArena *arena, gboolean *out_admits,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlPredicateFilter, kvsql_predicate_filter_free)

G_END_DECLS
