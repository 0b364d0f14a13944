/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * expand-views.h: the name of a view in FROM becomes its query, and that of a sequence its row.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/**
 * kvsql_views_expand:
 *
 * Replaces views that FROM names by queries in FROM, and views that these name. With all of them
 * written out, the statement keeps the limits of a text.
 *
 * Returns: @statement if it names no view, or a copy in @arena; %NULL: an error
 */
const KvsqlAstStatement *kvsql_views_expand (const KvsqlCatalog *catalog,
                                             const KvsqlAstStatement *statement, KvsqlArena *arena,
                                             GError **error);

/* Whether that is needed for a statement that has no subqueries. */
gboolean kvsql_statement_may_be_expanded (const KvsqlCatalog *catalog,
                                          const KvsqlAstStatement *statement);

/* The same for the query of a view that is defined, whose name it cannot use. @self: (nullable):
 * the view that it replaces */
const KvsqlSelect *kvsql_view_expand (const KvsqlCatalog *catalog, const KvsqlView *self,
                                      const KvsqlSelect *query, KvsqlArena *arena, GError **error);

/* An error in the query of a view: says of which view, at the place that names it, and returns
 * FALSE. For other sources it only returns FALSE. */
gboolean kvsql_source_locate_error (const KvsqlSource *source,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
