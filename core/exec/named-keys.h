/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * named-keys.h: predicates that name the keys of the tuples they are about.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/**
 * kvsql_named_keys:
 * @may_filter: the predicate may say more than the keys
 *
 * Returns: (nullable) (array length=out_n): tuples of which only the KEY attributes are set, each
 * key once, in @arena; %NULL if the predicate leaves a part of the key open, or names very many.
 */
const KvsqlValue **kvsql_named_keys (const KvsqlSelectPlan *plan, gboolean may_filter,
                                     KvsqlArena *arena, guint *out_n);

G_END_DECLS
