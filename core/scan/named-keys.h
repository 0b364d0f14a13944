/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * named-keys.h: keys that a predicate names.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/**
 * kvsql_named_keys:
 * @may_filter: the predicate may have conditions on other attributes, too
 *
 * Returns: (nullable) (array length=out_n): tuples with only the KEY attributes set, each key once,
 * in @arena. %NULL if the predicate leaves a part of the key open, or names very many keys.
 */
const KvsqlValue **kvsql_named_keys (const KvsqlSelectPlan *plan, gboolean may_filter,
                                     KvsqlArena *arena, guint *out_n);

G_END_DECLS
