/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-private.h: shared by join.c, join-build.c and join-merge.c.
 */
#pragma once

#include "core/exec/join-partitions.h"
#include "core/exec/join-table.h"
#include "core/exec/join.h"
#include "core/expr/evaluate.h"
#include "core/plan/join-tree.h"
#include "core/scan/predicate-filter.h"

G_BEGIN_DECLS

typedef struct _KvsqlJoinMerge KvsqlJoinMerge;

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
  KvsqlJoinMerge *merge;           /* nullable: a merge join that was not given up */
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

KvsqlJoinTable *_kvsql_join_new_table (const KvsqlJoinSource *self);

/* ---- join-build.c */

/* Reads the build side into the table. What does not fit goes to partitions, and so does the probe
 * side then; there is no table until _kvsql_join_advance(). */
gboolean _kvsql_join_load (KvsqlJoinSource *self, const KvsqlCall *call,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Reads the tuples that may be partners of the rows of the slice. */
gboolean _kvsql_join_look_up (KvsqlJoinSource *self, const KvsqlCall *call,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Gives up a merge: what is left of both sides goes to partitions. @build: the rows that were read,
 * but are not in the table */
gboolean _kvsql_join_spill_rest (KvsqlJoinSource *self, KvsqlRowSlice build, const KvsqlCall *call,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Of partitions: loads the next chunk of the build side, and begins a pass over the probe side. */
gboolean _kvsql_join_advance (KvsqlJoinSource *self, const KvsqlCall *call, gboolean *out_any,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- join-merge.c */

KvsqlJoinMerge *_kvsql_join_merge_new (const KvsqlJoinNode *node);
void _kvsql_join_merge_free (KvsqlJoinMerge *self); /* accepts NULL */
/* The slice of the probe side has changed. */
void _kvsql_join_merge_begin_slice (KvsqlJoinSource *join);
/* Finds the partners of further rows of the slice, whose earlier pairs were all given.
 * *out_is_full: they do not fit into memory, see _kvsql_join_spill_rest(). */
gboolean _kvsql_join_merge_find_groups (KvsqlJoinSource *join, const KvsqlCall *call,
                                        gboolean *out_is_full,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Up to which row of the slice partners are known. */
guint _kvsql_join_merge_get_n_ready (const KvsqlJoinSource *join);
/* The partners of row join->next of the slice, in the table. */
guint32 _kvsql_join_merge_first (const KvsqlJoinSource *join);
guint32 _kvsql_join_merge_next (const KvsqlJoinSource *join, guint32 last);
/* The rows of the build side that were read, but are not in the table. */
KvsqlRowSlice _kvsql_join_merge_take_build (KvsqlJoinSource *join);
/* Whether no further row of the probe side can have a partner. */
gboolean _kvsql_join_merge_is_over (const KvsqlJoinSource *join);

G_END_DECLS
