/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-names.h: a copy of an expression with other names, for definitions that hold expressions.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Changes the qualifier and name of a node of kind NAME. */
typedef gboolean (*KvsqlNameMapper) (KvsqlAstExpr *name, gpointer data, GError **error);

/**
 * kvsql_ast_map_names:
 * @map: (nullable): called for each name of a column. FALSE with an error ends the copy
 *
 * The copy lives in @arena, and borrows texts and values of @self. No other name of it is in double
 * quotes, so its text means the same in DEFINE. An expression with subqueries or windows is an
 * error, as definitions have none. Returns: (nullable): %NULL with an error
 */
KvsqlAstExpr *kvsql_ast_map_names (const KvsqlAstExpr *self, KvsqlNameMapper map, gpointer data,
                                   KvsqlArena *arena, GError **error);

G_END_DECLS
