/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-private.h: shared by join.c and join-build.c.
 */
#pragma once

#include "core/exec/join-partitions.h"
#include "core/exec/join-table.h"
#include "core/exec/join.h"
#include "core/expr/evaluate.h"
#include "core/plan/join-tree.h"
#include "core/scan/predicate-filter.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 probe[KVSQL_BATCH_ROWS]; /* KVSQL_NO_ROW: none */
  guint32 build[KVSQL_BATCH_ROWS];
  guint n;
} KvsqlJoinPairs;

typedef struct
{
  KvsqlRowSource base;
  const KvsqlSelectPlan *plan;
  const KvsqlJoinNode *node;
  KvsqlJoinSetup setup;
  KvsqlJoinTable *table;           /* NULL: the build side was not read yet */
  KvsqlJoinPartitions *partitions; /* NULL: all rows of the build side are in the table */
  GArray *sequences;               /* of guint64: of the rows of the table, if there are partitions
                                      and the rows are given in order */
  guint64 n_spilled;               /* bytes that are counted already */
  KvsqlRowSource *sorted;          /* nullable: restores the order of the rows after that */
  guint8 *has_partner;             /* by row of the table, if those without one are given */
  guint32 next_lonely;             /* the next row of the table that may have none */

  KvsqlRowSlice slice;      /* of the probe side */
  guint next;               /* the row of @slice whose pairs are chosen next */
  gboolean is_row_begun;    /* some of its pairs were chosen */
  guint32 candidate;        /* the build row of its next pair */
  gboolean has_row_matched; /* of the row whose pairs are checked next */
  const KvsqlVector **keys; /* of the probe side */

  KvsqlJoinPairs pairs, kept;
  KvsqlBatch *checked; /* nullable: the columns that the residual condition reads */
  KvsqlPredicateFilter *filter;
  KvsqlBatch *batch;
  KvsqlEvaluator **merged; /* of each merged column */
} KvsqlJoinSource;

/* The column of @slice's batch that is column @i of an input. */
static inline guint
_kvsql_join_column_of (const KvsqlRowSlice *slice, const KvsqlJoinInput *input, guint i)
{
  return slice->columns != NULL ? slice->columns[input->sources[i]] : input->sources[i];
}

/* Only rows of the probe side are given. */
static inline gboolean
_kvsql_join_is_semi (const KvsqlJoinSource *self)
{
  return self->node->is_semi || self->node->is_anti;
}

/* Reads the build side into the table. What does not fit goes to partitions, and so does the probe
 * side then; there is no table until _kvsql_join_advance(). */
gboolean _kvsql_join_load (KvsqlJoinSource *self, const KvsqlCall *call,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Reads the tuples that may be partners of the rows of the slice. */
gboolean _kvsql_join_look_up (KvsqlJoinSource *self, const KvsqlCall *call,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Of partitions: loads the next chunk of the build side, and begins a pass over the probe side. */
gboolean _kvsql_join_advance (KvsqlJoinSource *self, const KvsqlCall *call, gboolean *out_any,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
