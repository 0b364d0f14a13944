/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lateral-join.h: each row of the probe side, with the rows that a query in FROM gives for it.
 */
#pragma once

#include "core/exec/join.h"

G_BEGIN_DECLS

/* As kvsql_join_new(), for a node that is lateral. The operator of its build side is not asked. */
KvsqlRowSource *kvsql_lateral_join_new (const KvsqlSelectPlan *plan, const KvsqlJoinNode *node,
                                        const KvsqlJoinSetup *setup);

G_END_DECLS
