/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer.h: converts an AST to canonical text.
 *
 * parse (print (x)) equals x for every statement. The registry holds definitions in this form:
 * keywords in capitals, names as spelt, strings in '…', one blank between words.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

void kvsql_print_statement (const KvsqlAstStatement *statement, GString *out);
void kvsql_print_expression (const KvsqlAstExpr *expr, GString *out);
void kvsql_print_layout (const KvsqlLayoutSequence *layout, GString *out);
void kvsql_print_layout_node (const KvsqlLayoutNode *node, GString *out);
void kvsql_print_cell_line (const KvsqlCellLine *line, GString *out);
/* A name with its original quotes, or in back-quotes if it needs quotes. */
void kvsql_print_name (const KvsqlName *name, GString *out);

const gchar *kvsql_operator_get_text (KvsqlOperator op); /* "=", "AND", … */
const gchar *kvsql_right_get_name (KvsqlRight right);    /* "SELECT", … */
const gchar *kvsql_field_get_name (KvsqlField field);    /* "TABLE", "ROW", … */

G_END_DECLS
