/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copy.h: copies a statement, so that the copy can be changed.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Copies a query, or a statement that reads or writes tuples, or an EXPLAIN of one; for other
 * statements returns @self. Values and names are shared with the original. Nodes that it shares
 * itself, as a query of WITH that is used twice, are copied once. */
KvsqlSelect *kvsql_select_copy (const KvsqlSelect *self, KvsqlArena *arena);
const KvsqlAstStatement *kvsql_statement_copy (const KvsqlAstStatement *self, KvsqlArena *arena);

G_END_DECLS
