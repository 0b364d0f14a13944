/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.h: a predicate over a batch.
 */
#pragma once

#include "core/base/vector.h"
#include "core/plan/predicate.h"

G_BEGIN_DECLS

typedef struct _KvsqlFilter KvsqlFilter;

/* @predicate must outlive it. */
KvsqlFilter *kvsql_filter_new (const KvsqlPredicate *predicate);
void kvsql_filter_free (KvsqlFilter *self); /* accepts NULL */

/* Indices of the rows that satisfy the predicate, ascending. The array is the filter's own, until
 * the next call. Columns are by attribute. */
const guint32 *kvsql_filter_run (KvsqlFilter *self, const KvsqlBatch *batch, guint *out_n);

/* One tuple, by attribute. */
gboolean kvsql_predicate_admits (const KvsqlPredicate *predicate, const KvsqlValue *tuple);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlFilter, kvsql_filter_free)

G_END_DECLS
