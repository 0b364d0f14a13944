/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fingerprint.h: the shape of a statement that reads or writes tuples, as a number.
 *
 * Statements have one shape if they differ only in their constants, in the number of rows after
 * VALUES, or a little in the number of constants after IN. normalize.h prints a shape.
 *
 * Threads: any.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* A list of n constants after IN counts as the next power of two, up to this. */
#define KVSQL_MAX_SHAPE_LIST 16

/* Nodes of a statement that are looked at. Statements that differ only after them have one shape.
 */
#define KVSQL_MAX_SHAPE_NODES 2000

/**
 * kvsql_statement_fingerprint:
 * @seed: a random number, so that a client cannot choose statements that collide
 * @out_is_whole: (optional): FALSE if the statement has more than %KVSQL_MAX_SHAPE_NODES nodes
 *
 * Returns: the same number for statements of one shape; 0 if it is neither SELECT, INSERT, UPDATE
 *   nor DELETE
 */
guint64 kvsql_statement_fingerprint (const KvsqlAstStatement *statement, guint64 seed,
                                     gboolean *out_is_whole);

/* ---- for normalize.c */

/* Whether an expression of ORDER BY, GROUP BY or DISTINCT ON is the number of a column. */
gboolean kvsql_shape_is_ordinal (const KvsqlAstExpr *expr);
/* How many constants are shown of a list after IN; 0: it does not have constants only. */
guint kvsql_shape_list_length (const KvsqlAstExpr *in);

G_END_DECLS
