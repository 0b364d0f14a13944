/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * infer.h: SHOW CREATE TABLE 't': a definition for a table of the store that has none.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* @name: with is_store_table. @max_rows: to read; 0: the default. Nothing is written or defined. */
KvsqlResultPage *kvsql_execute_infer (const KvsqlExecution *execution, const KvsqlName *name,
                                      guint64 max_rows, GError **error);

G_END_DECLS
