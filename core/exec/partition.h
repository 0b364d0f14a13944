/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * partition.h: the parts of a SELECT's scan, to be read beside each other.
 */
#pragma once

#include "core/exec/tuple-scan.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/**
 * kvsql_select_cut:
 * @position: (nullable): only what lies behind it
 * @n_wanted: how many parts, >= 1; of many tables each is one at least
 * @arena: owns the parts and their bytes
 * @out_n_parts: (out): 0 if the scan can only be read as a whole
 *
 * Parts that give, one behind the other, the tuples that the scan of @plan gives, in its order.
 * The position, if it is still there to go on from, lies in the first one.
 */
gboolean kvsql_select_cut (const KvsqlSelectPlan *plan, KvsqlStore *store,
                           const KvsqlScanPosition *position, guint n_wanted, const KvsqlCall *call,
                           KvsqlArena *arena, KvsqlScanPart **out_parts, guint *out_n_parts,
                           GError **error);
/* Whether it could: each tuple has one row of the store, and nothing is skipped. */
gboolean kvsql_select_can_be_cut (const KvsqlSelectPlan *plan);

/**
 * kvsql_select_partition:
 * @out_n_parts: (out): 0 if the answer can only be given as a whole
 *
 * Parts that give, one behind the other, the rows that @plan gives, in its order: each comes in one
 * of them. That is for plans whose rows are those of a scan, tuple by tuple, and whose tuples lie
 * in one row of the store each.
 */
gboolean kvsql_select_partition (const KvsqlSelectPlan *plan, KvsqlStore *store, guint n_wanted,
                                 const KvsqlCall *call, KvsqlArena *arena,
                                 KvsqlScanPart **out_parts, guint *out_n_parts, GError **error);

G_END_DECLS
