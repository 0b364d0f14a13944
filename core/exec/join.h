/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join.h: joins two inputs: a hash join, or a nested loop if no equality finds partners.
 *
 * The rows of the build side are read first and kept in memory (join-table.h). Then the rows of the
 * probe side are read, and given with each partner, in their order. Rows of the build side without
 * a partner, if they are asked for, come last. If the rows of the build side do not fit into
 * memory, both sides are written to temporary files (join-partitions.h), and the rows are sorted
 * into that order again where it matters.
 *
 * All rows have the numbering of columns of the whole plan, and only the columns of their node.
 */
#pragma once

#include "core/exec/limits.h"
#include "core/exec/narrow.h"
#include "core/exec/row-source.h"
#include "core/exec/sort.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* For tests: the most bytes that a join keeps in memory; 0: those of its limits. */
extern gsize kvsql_join_forced_bytes;

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
  KvsqlSortLimits limits;  /* of the rows that are kept */
  gboolean keeps_order;    /* the order of the rows matters, also of those that do not fit */
  KvsqlNarrow *narrow;     /* nullable: of the relation whose scan is narrowed */
  KvsqlJoinCounts *counts; /* nullable; must outlive the operator */
} KvsqlJoinSetup;

/* @node: a join of @plan. Both must outlive the operator, and so must the rows that it does not
 * own. It owns the side that has the scan of the first relation: its input. */
KvsqlRowSource *kvsql_join_new (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node,
                                const KvsqlJoinSetup *setup);

G_END_DECLS
