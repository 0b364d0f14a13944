/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * partial-aggregate.h: the groups of some rows, in memory, that can be combined with groups of
 * other rows.
 *
 * Groups are numbered in the order in which they first appear. Combining keeps that order: new
 * groups of the other aggregate come after the existing ones, in their own order. So several
 * threads can aggregate consecutive pieces, and combining them in the order of the pieces gives the
 * same result as one aggregate over all rows.
 *
 * Threads: belongs to one at a time.
 */
#pragma once

#include "core/base/vector.h"
#include "core/expr/aggregate.h"
#include "core/plan/group-set.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlType *types; /* of the columns: those of the input, with the marks after the groups */
  guint n_inputs;
  guint n_groups;            /* the first columns: what to group by */
  const KvsqlGroupSet *sets; /* rows of the input become rows of each set: grouping-sets.h */
  guint n_sets;              /* 0: the rows are grouped as they are */
  guint n_marks;             /* of n_groups: the last ones, which the input does not have */
  const KvsqlAggregate *aggregates;
  guint n_aggregates;
} KvsqlAggregation;

typedef struct _KvsqlPartialAggregate KvsqlPartialAggregate;

/* @aggregation must outlive it. Without columns to group by there is one group, even without
 * rows. */
KvsqlPartialAggregate *kvsql_partial_aggregate_new (const KvsqlAggregation *aggregation);
void kvsql_partial_aggregate_free (KvsqlPartialAggregate *self); /* accepts NULL */
/* Makes it empty again. */
void kvsql_partial_aggregate_reset (KvsqlPartialAggregate *self);

guint32 kvsql_partial_aggregate_get_n_groups (const KvsqlPartialAggregate *self);
gsize kvsql_partial_aggregate_get_size (const KvsqlPartialAggregate *self); /* bytes of memory */

/* ---- rows, a batch at a time */

/* Computes the keys of @batch's rows, and forgets those of the last batch. To be called before the
 * functions below are called for the batch. */
void kvsql_partial_aggregate_read_keys (KvsqlPartialAggregate *self, const KvsqlBatch *batch);
/* Rows of one group have equal keys. memcmp() gives the order of the columns to group by. */
KvsqlSlice kvsql_partial_aggregate_get_key (const KvsqlPartialAggregate *self, guint row);
/* Adds rows @from to @to - 1. Fails if a sum is out of range. */
gboolean kvsql_partial_aggregate_add_rows (KvsqlPartialAggregate *self, const KvsqlBatch *batch,
                                           guint from, guint to,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Makes groups of the rows, without adding the rows to them. */
void kvsql_partial_aggregate_add_groups (KvsqlPartialAggregate *self, const KvsqlBatch *batch);
/* Adds all rows of existing groups. *out_others: the @out_n other rows, valid until the next
 * call. */
gboolean kvsql_partial_aggregate_add_to_existing (KvsqlPartialAggregate *self,
                                                  const KvsqlBatch *batch,
                                                  const guint32 **out_others, guint *out_n,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- groups */

/* Whether partial aggregates can be combined: not with a DISTINCT aggregate. */
gboolean kvsql_partial_aggregate_can_combine (const KvsqlAggregation *aggregation);
/* Adds the groups of @from, which must have the same aggregation and may only be freed afterwards.
 * Fails if a sum is out of range. */
gboolean kvsql_partial_aggregate_combine (KvsqlPartialAggregate *self, KvsqlPartialAggregate *from,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Writes a group into row @row of @out: the columns to group by, then the aggregates. Bytes are in
 * @arena, or valid as long as the groups. */
gboolean kvsql_partial_aggregate_emit (const KvsqlPartialAggregate *self, guint32 group,
                                       KvsqlArena *arena, KvsqlBatch *out, guint row,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlPartialAggregate, kvsql_partial_aggregate_free)

G_END_DECLS
