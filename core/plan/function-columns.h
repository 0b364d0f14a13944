/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function-columns.h: the names of the columns of a function in FROM, which follow from its text.
 */
#pragma once

#include "core/schema/relation.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Without the number of the row. @query: a function in FROM. */
guint kvsql_function_columns_count (const KvsqlSelect *query);
/* @i: from 0. */
const gchar *kvsql_function_columns_get (const KvsqlSelect *query, guint i,
                                         gboolean *out_is_quoted);
/* Whether a column, or the number of the row, is called so. */
gboolean kvsql_function_columns_have (const KvsqlSelect *query, const KvsqlName *name);

G_END_DECLS
