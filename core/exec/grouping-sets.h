/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grouping-sets.h: the rows of a batch as rows of each grouping set.
 *
 * In a set, the grouping expressions that it lacks are NULL, and the marks are constants. So the
 * rows of all sets can be grouped together, in one pass. Nothing is copied: the other columns are
 * those of the batch.
 */
#pragma once

#include "core/exec/partial-aggregate.h"

G_BEGIN_DECLS

typedef struct _KvsqlSetRows KvsqlSetRows;

/* @aggregation must outlive it. */
KvsqlSetRows *kvsql_set_rows_new (const KvsqlAggregation *aggregation);
void kvsql_set_rows_free (KvsqlSetRows *self); /* accepts NULL */

/* Begins with the first set. @batch must live until the last set was given. */
void kvsql_set_rows_begin (KvsqlSetRows *self, const KvsqlBatch *batch);
/* Forgets the batch. */
void kvsql_set_rows_stop (KvsqlSetRows *self);
/* All rows in the next set, which live until the next call. NULL: there are no more sets. Without
 * sets, the batch is given once as it is. */
const KvsqlBatch *kvsql_set_rows_next (KvsqlSetRows *self);

/* Makes the groups that sets without expressions have even without rows. */
void kvsql_set_rows_add_empty (KvsqlSetRows *self, KvsqlPartialAggregate *groups);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSetRows, kvsql_set_rows_free)

G_END_DECLS
