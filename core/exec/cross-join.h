/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cross-join.h: the cross join of a scan with other relations, whose tuples are read first and kept
 * in memory.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/**
 * kvsql_cross_join_new:
 * @plan: has a cross join; must outlive the operator
 * @input: (transfer full): tuples of the first relation
 * @others: (array): for each other relation, rows with the items of its plan. They must outlive the
 *   operator.
 * @max_bytes: memory for the other relations' tuples; KVSQL_ERROR_LIMIT beyond
 *
 * Gives rows with a column for each attribute of all relations.
 */
KvsqlRowSource *kvsql_cross_join_new (const KvsqlSelectPlan *plan, KvsqlRowSource *input,
                                      KvsqlRowSource *const *others, gsize max_bytes);

G_END_DECLS
