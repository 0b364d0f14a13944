/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rights.h: whether the authority of an execution may do what a statement asks for.
 *
 * A statement is checked before it is executed. Rights on whole relations are decided from its
 * tree. Where a role may read some attributes only, the names that the planner has resolved are
 * checked when a plan is made, and before it is run.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/**
 * kvsql_execution_check_rights:
 * @out_checks_attributes: for the execution; FALSE: all rights are known
 *
 * Returns: FALSE with KVSQL_ERROR_NOT_ALLOWED, or KVSQL_ERROR_UNKNOWN_NAME for a relation on which
 * it has no right
 */
gboolean kvsql_execution_check_rights (const KvsqlExecution *self,
                                       const KvsqlAstStatement *statement,
                                       gboolean *out_checks_attributes,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the role may select from a view: it sees no other ones. */
gboolean kvsql_execution_may_read_view (const KvsqlExecution *self, const KvsqlView *view);

G_END_DECLS
