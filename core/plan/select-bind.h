/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-bind.h: binds all clauses of a SELECT, and of the queries in it: names and types.
 *
 * What is read is chosen after that (select-planner.h), when it is known which conditions around a
 * query restrict it.
 */
#pragma once

#include "core/plan/bind-subquery.h"

G_BEGIN_DECLS

typedef struct _KvsqlBinding
{
  const KvsqlCatalog *catalog;
  const KvsqlStoreCapabilities *capabilities;
  KvsqlPlanFunc plan; /* of subqueries that are evaluated */
} KvsqlBinding;

/* A plan without access paths and operators; NULL: an error. It lives in the arena of @outer. */
KvsqlSelectPlan *kvsql_select_bind (const KvsqlBinding *self, const KvsqlSelect *select,
                                    const KvsqlBinder *outer, GError **error);

G_END_DECLS
