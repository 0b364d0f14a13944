/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * query-push.h: conditions about the rows of a query move into it, where they give key ranges.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/**
 * kvsql_query_push:
 * @set: a derived table, whose query is not planned yet
 * @condition: (nullable): about its columns
 *
 * Returns: what is left to be checked on its rows; %NULL if @condition is, else a predicate
 */
const KvsqlPredicate *kvsql_query_push (KvsqlSetPlan *set, const KvsqlPredicate *condition,
                                        const KvsqlBinder *binder);

G_END_DECLS
