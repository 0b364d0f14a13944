/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ast-dump.h: all fields of an AST as text, to compare two ASTs, and for golden files.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* One line for each field. Expressions are (kind child …). With spans, @offset+length follows each
 * node. */
void ast_dump_statement (const KvsqlAstStatement *statement, gboolean with_spans, GString *out);
gchar *ast_dump (const KvsqlAstStatement *statement);

G_END_DECLS
