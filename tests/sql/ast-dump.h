/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ast-dump.h: every field of an AST as text, for comparing two of them and for golden files.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* One field a line, expressions as (kind child …). With spans, each node is followed by
 * @offset+length. */
void ast_dump_statement (const KvsqlStatement *statement, gboolean with_spans, GString *out);
gchar *ast_dump (const KvsqlStatement *statement);

G_END_DECLS
