/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * normalize.h: the shape of a statement as text.
 *
 * Threads: any.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/**
 * kvsql_statement_normalize:
 * @statement: a SELECT, INSERT, UPDATE or DELETE; not changed
 * @arena: for a copy of the statement, which is not needed afterwards
 *
 * Every constant and every parameter becomes a parameter, $1, $2 and so on; numbers of columns in
 * ORDER BY, GROUP BY and DISTINCT ON stay. VALUES has one row, and a list of constants after IN
 * as many as its fingerprint says. The text has no value of the statement.
 *
 * Returns: (transfer full): text that can be parsed. Its fingerprint is that of @statement
 */
gchar *kvsql_statement_normalize (const KvsqlAstStatement *statement, KvsqlArena *arena);

G_END_DECLS
