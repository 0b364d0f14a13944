/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.h: runs the subqueries of a statement (core/plan/subquery.h).
 */
#pragma once

#include "core/engine/execution.h"
#include "core/plan/bind-subquery.h"
#include "core/plan/subquery.h"

G_BEGIN_DECLS

/**
 * kvsql_execute_subqueries:
 *
 * Runs each IN (SELECT …). With binder.is_prepare, only checks whether it can run.
 *
 * Returns: @statement, or a copy in the binder's arena with lists of values instead; NULL on error
 */
const KvsqlAstStatement *kvsql_execute_subqueries (const KvsqlExecution *self,
                                                   const KvsqlAstStatement *statement,
                                                   GError **error);

/* Runs the subqueries of expressions that this thread evaluates, until kvsql_subquery_host_leave().
 * @self and @host must live as long. */
void kvsql_execution_enter_subqueries (const KvsqlExecution *self, KvsqlSubqueryHost *host);

G_END_DECLS
