/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * group-fold.h: groups in memory, into which rows are folded, and groups of other rows.
 *
 * Groups are numbered in the order in which they first appear; when others are merged, those that
 * are new come in the order they have there. So rows folded in pieces, by several threads, and
 * merged in the rows' order give what they give in one piece.
 *
 * Threads: it belongs to one at a time.
 */
#pragma once

#include "core/base/vector.h"
#include "core/expr/aggregate.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlType *types; /* of the input's columns */
  guint n_inputs;
  guint n_groups; /* the first columns: what to group by */
  const KvsqlAggregate *aggregates;
  guint n_aggregates;
} KvsqlAggregation;

typedef struct _KvsqlGroupFold KvsqlGroupFold;

/* @aggregation must outlive it. Without columns to group by there is one group, even of no rows. */
KvsqlGroupFold *kvsql_group_fold_new (const KvsqlAggregation *aggregation);
void kvsql_group_fold_free (KvsqlGroupFold *self); /* accepts NULL */
/* As it was when it was new. */
void kvsql_group_fold_reset (KvsqlGroupFold *self);

guint32 kvsql_group_fold_get_n (const KvsqlGroupFold *self);  /* groups */
gsize kvsql_group_fold_get_size (const KvsqlGroupFold *self); /* of its memory */

/* ---- rows, a batch at a time */

/* The keys of @batch's rows; those of the batch before are gone. To be called before what follows
 * is asked about its rows. */
void kvsql_group_fold_look (KvsqlGroupFold *self, const KvsqlBatch *batch);
/* What rows of one group have in common; memcmp() gives the order of the groups' columns. */
KvsqlSlice kvsql_group_fold_get_key (const KvsqlGroupFold *self, guint row);
/* Rows @from to @to - 1. Fails where a sum leaves its type. */
gboolean kvsql_group_fold_take (KvsqlGroupFold *self, const KvsqlBatch *batch, guint from, guint to,
                                GError **error);
/* All rows whose groups are there; *out_others is the @out_n that are not, good until the next
 * call. */
gboolean kvsql_group_fold_take_known (KvsqlGroupFold *self, const KvsqlBatch *batch,
                                      const guint32 **out_others, guint *out_n, GError **error);

/* ---- groups */

/* Whether what was folded apart can be merged: not with a DISTINCT aggregate. */
gboolean kvsql_group_fold_can_merge (const KvsqlAggregation *aggregation);
/* @from: of the same aggregation; of no more use then but to be freed. Fails where a sum leaves its
 * type. */
gboolean kvsql_group_fold_merge (KvsqlGroupFold *self, KvsqlGroupFold *from, GError **error);

/* Row @row of @out: the columns to group by, then the aggregates; bytes are in @arena, or good as
 * long as the groups are. */
gboolean kvsql_group_fold_give (const KvsqlGroupFold *self, guint32 group, KvsqlArena *arena,
                                KvsqlBatch *out, guint row, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlGroupFold, kvsql_group_fold_free)

G_END_DECLS
