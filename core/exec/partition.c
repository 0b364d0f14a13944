/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * partition.c: which plans can be cut, and how.
 */
#include "config.h"

#include "core/exec/partition.h"

#include "core/plan/plan-tree.h"
#include "core/scan/scan-cut.h"

gboolean
kvsql_select_cut (const KvsqlSelectPlan *plan, KvsqlStore *store, const KvsqlScanPosition *position,
                  guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                  KvsqlScanPart **out_parts, guint *out_n_parts, GError **error)
{
  *out_n_parts = 0;
  return !kvsql_plan_tree_can_be_cut (plan)
         || kvsql_scan_cut (store, plan->best, kvsql_select_plan_get_scanned (plan), position,
                            n_wanted, call, arena, out_parts, out_n_parts, error);
}

gboolean
kvsql_select_partition (const KvsqlSelectPlan *plan, KvsqlStore *store, guint n_wanted,
                        const KvsqlCall *call, KvsqlArena *arena, KvsqlScanPart **out_parts,
                        guint *out_n_parts, GError **error)
{
  *out_n_parts = 0;
  return !kvsql_select_plan_is_streaming (plan) || plan->limit != KVSQL_NO_LIMIT
         || plan->offset != 0
         || kvsql_select_cut (plan, store, NULL, n_wanted, call, arena, out_parts, out_n_parts,
                              error);
}
