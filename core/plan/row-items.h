/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-items.h: functions of rows among the items of a SELECT.
 *
 *   SELECT id, unnest (list) FROM r
 *   SELECT id, u.u FROM r CROSS JOIN LATERAL unnest (list) AS u (u)
 *
 * are the same: each row of FROM is given as often as the function has rows.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Whether an item of this SELECT has one. */
gboolean kvsql_row_items_are_in (const KvsqlSelect *select);

/* Whether there may be some: fast, and exact for a SELECT without subqueries. */
gboolean kvsql_row_items_are_possible (const KvsqlAstStatement *statement);

/* Moves them to FROM, in the statement and its subqueries. Returns: @statement if it has none, or a
 * copy in @arena; NULL: an error */
const KvsqlAstStatement *kvsql_row_items_move (const KvsqlAstStatement *statement,
                                               KvsqlArena *arena, GError **error);

G_END_DECLS
