/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parser.h: parses text to an AST, by recursive descent.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

#define KVSQL_MAX_STATEMENT_BYTES (4 * 1024 * 1024)
#define KVSQL_MAX_DEPTH 200
#define KVSQL_MAX_PARAMETERS 65535
/* Items of a SELECT list, GROUP BY, ORDER BY, RETURNING or SET: PostgreSQL's limit. */
#define KVSQL_MAX_ITEMS 1664

/**
 * kvsql_parser_parse:
 * @text: one statement, with or without a final ';', not necessarily NUL-terminated
 * @arena: owns every node of the result
 * @error: %KVSQL_ERROR_SYNTAX with a position and, if possible, a hint; %KVSQL_ERROR_UNSUPPORTED
 *   for SQL that this version does not have; or the error of an interruption
 *   (core/base/interrupt.h)
 *
 * Reentrant: parsers share no state. Never reads past @text; invalid UTF-8 is an error, in comments
 * too.
 *
 * Returns: (transfer none) (nullable): the statement, alive as long as @arena
 */
KvsqlAstStatement *kvsql_parser_parse (KvsqlSlice text, KvsqlArena *arena,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_parser_parse_definition:
 *
 * As kvsql_parser_parse(), for the canonical text in a registry: accepts only DEFINE RELATION and
 * DEFINE SCHEMA.
 */
KvsqlAstStatement *kvsql_parser_parse_definition (KvsqlSlice text, KvsqlArena *arena,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_sql_split:
 * @text: many statements
 * @offset: (inout): the start position; after the call, the start of the next statement
 * @out_statement: (out): the statement without its ';'
 *
 * Splits a script at every ';' outside of strings, back-quotes and comments. Parts that consist of
 * blanks and comments are skipped. Returns: %FALSE at the end. *@out_complete: whether a ';' ended
 * the statement.
 */
gboolean kvsql_sql_split (KvsqlSlice text, gsize *offset, KvsqlSlice *out_statement,
                          gboolean *out_complete);

G_END_DECLS
