/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-tree.h: the operators of a SELECT, as a tree.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* The tree of a plan whose access path was chosen. */
const KvsqlPlanNode *kvsql_plan_tree_new (const KvsqlSelectPlan *plan, KvsqlArena *arena);

/* The expressions of KVSQL_NODE_PROJECT. NULL: the tuple's attributes plan->items. */
KvsqlExpr *const *kvsql_plan_tree_get_tuple_exprs (const KvsqlSelectPlan *plan, guint *out_n);

/* Whether the scan can be read in parts: each tuple lies in one row of the store, there is no skip
 * scan, and no part has to know what another one has returned. */
gboolean kvsql_plan_tree_can_be_cut (const KvsqlSelectPlan *plan);

G_END_DECLS
