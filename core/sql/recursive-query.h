/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * recursive-query.h: the form of a query of WITH RECURSIVE.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* If @query names itself, it has to be a UNION whose last operand does so once, where PostgreSQL
 * allows it. */
gboolean kvsql_recursive_query_check (const KvsqlSelect *query,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
