/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-tables.h: SHOW TABLES and DESCRIBE TABLE: the tables of the store, defined or not.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* One row for each table whose name matches @pattern, a pattern of LIKE (nullable: all). Reads at
 * most the first 1,001 rows of each, without values. */
KvsqlResultPage *kvsql_execute_show_tables (const KvsqlExecution *execution, const gchar *pattern,
                                            GError **error);
/* @name: with is_store_table */
KvsqlResultPage *kvsql_execute_describe_table (const KvsqlExecution *execution,
                                               const KvsqlName *name, GError **error);

G_END_DECLS
