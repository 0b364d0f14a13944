/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write.h: plans and executes INSERT, UPDATE and DELETE.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"
#include "core/write/returning.h"

G_BEGIN_DECLS

/* The plan of an INSERT, UPDATE or DELETE, in the binder's arena. */
KvsqlWritePlan *kvsql_execution_plan_write (const KvsqlExecution *self,
                                            const KvsqlAstStatement *statement, GError **error);

/**
 * kvsql_execute_write:
 * @plan: of @statement
 * @returning: (nullable): collects the rows of RETURNING
 * @out_n: (out): tuples that were certainly written or deleted, also when the call fails
 */
gboolean kvsql_execute_write (const KvsqlExecution *self, KvsqlWritePlan *plan,
                              const KvsqlAstStatement *statement, KvsqlReturning *returning,
                              guint64 *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the statement is a DELETE of all tuples that the plan finds: in large batches, and
 * reading only what the layouts require. */
gboolean kvsql_write_plan_is_plain_delete (const KvsqlWritePlan *plan);

/* Plans and executes the statement. The page has the rows of RETURNING. */
KvsqlResultPage *kvsql_execute_write_page (const KvsqlExecution *self,
                                           const KvsqlAstStatement *statement, GError **error);

/* The columns of the rows of RETURNING, in @arena. */
KvsqlResultColumn *kvsql_columns_of_returning (const KvsqlWritePlan *plan, KvsqlArena *arena);

G_END_DECLS
