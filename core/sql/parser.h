/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser.h: text to AST, by recursive descent.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

#define KVSQL_MAX_STATEMENT_BYTES (4 * 1024 * 1024)
#define KVSQL_MAX_DEPTH 200
#define KVSQL_MAX_PARAMETERS 65535

/**
 * kvsql_parser_parse:
 * @text: one statement, with or without a final ';'; need not end with NUL
 * @arena: owns every node of the result
 * @error: %KVSQL_ERROR_SYNTAX with the place and, where one can be given, a hint;
 *   %KVSQL_ERROR_UNSUPPORTED for a statement of the language that this version does not have
 *
 * Reentrant: parsers share no state. Never reads past @text; invalid UTF-8 is an error, in comments
 * too.
 *
 * Returns: (transfer none) (nullable): the statement, alive as long as @arena
 */
KvsqlStatement *kvsql_parser_parse (KvsqlSlice text, KvsqlArena *arena,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_parser_parse_definition:
 *
 * As kvsql_parser_parse(), for the canonical text kept in a registry: only
 * DEFINE RELATION and DEFINE SCHEMA are accepted.
 */
KvsqlStatement *kvsql_parser_parse_definition (KvsqlSlice text, KvsqlArena *arena,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_sql_split:
 * @text: many statements
 * @offset: (inout): where to start; after the call, where the next statement starts
 * @out_statement: (out): the statement without its ';'
 *
 * Cuts a script at its ';', knowing strings, back-quotes and comments; pieces of blanks and
 * comments only are passed over. Returns: %FALSE at the end. *@out_complete tells whether a ';'
 * closed it.
 */
gboolean kvsql_sql_split (KvsqlSlice text, gsize *offset, KvsqlSlice *out_statement,
                          gboolean *out_complete);

G_END_DECLS
