/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join.h: joins two inputs: a hash join, or a nested loop if no equality finds partners.
 *
 * The rows of the build side are read first and kept in memory (join-table.h). Then the rows of the
 * probe side are read, and given with each partner, in their order. Rows of the build side without
 * a partner, if they are asked for, come last.
 *
 * All rows have the numbering of columns of the whole plan, and only the columns of their node.
 */
#pragma once

#include "core/exec/limits.h"
#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* One side of a join. */
typedef struct
{
  KvsqlRowSource *rows;
  guint *sources; /* (transfer full): which columns of @rows are carried */
  guint *targets; /* (transfer full): their numbers in the plan */
  guint n;
  gboolean is_owned; /* the operator frees @rows */
} KvsqlJoinInput;

typedef struct
{
  KvsqlJoinInput probe, build;
  gsize max_bytes;         /* of the rows that are kept; KVSQL_ERROR_LIMIT beyond */
  KvsqlJoinCounts *counts; /* nullable; must outlive the operator */
} KvsqlJoinSetup;

/* @node: a join of @plan. Both must outlive the operator, and so must the rows that it does not
 * own. It owns the side that has the scan of the first relation: its input. */
KvsqlRowSource *kvsql_join_new (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node,
                                const KvsqlJoinSetup *setup);

G_END_DECLS
