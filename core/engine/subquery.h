/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.h: runs the subqueries of a statement (core/plan/subquery.h).
 */
#pragma once

#include "core/engine/execution.h"
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

G_END_DECLS
