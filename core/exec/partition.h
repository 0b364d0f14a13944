/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * partition.h: cuts a SELECT's scan into parts that can be read in parallel.
 */
#pragma once

#include "core/scan/table-scan.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/**
 * kvsql_select_cut:
 * @position: (nullable): only what comes after it
 * @n_wanted: how many parts, at least 1; each of several tables is at least one part
 * @arena: owns the parts and their bytes
 * @out_n_parts: (out): 0 if the scan can only be read as a whole
 *
 * The parts together, in their order, give the tuples of the scan of @plan in its order. The
 * position, if a scan can still resume from it, lies in the first part.
 */
gboolean kvsql_select_cut (const KvsqlSelectPlan *plan, KvsqlStore *store,
                           const KvsqlScanPosition *position, guint n_wanted, const KvsqlCall *call,
                           KvsqlArena *arena, KvsqlScanPart **out_parts, guint *out_n_parts,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_select_partition:
 * @out_n_parts: (out): 0 if the result cannot be divided
 *
 * The parts together, in their order, give the rows of @plan in its order. Each row is in one part.
 * Only for plans whose rows are those of a scan, tuple by tuple, and whose tuples lie in one row of
 * the store each.
 */
gboolean kvsql_select_partition (const KvsqlSelectPlan *plan, KvsqlStore *store, guint n_wanted,
                                 const KvsqlCall *call, KvsqlArena *arena,
                                 KvsqlScanPart **out_parts, guint *out_n_parts,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
