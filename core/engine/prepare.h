/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prepare.h: checks a statement that is executed later, with parameters.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

/**
 * kvsql_execute_prepare:
 * @out_columns: (out) (nullable): of the rows that the statement returns; in the binder's arena
 *
 * Plans the statement and its subqueries without values of the parameters, and runs nothing.
 */
gboolean kvsql_execute_prepare (const KvsqlExecution *execution, const KvsqlAstStatement *statement,
                                KvsqlResultColumn **out_columns, guint *out_n_columns,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
