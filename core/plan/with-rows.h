/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * with-rows.h: queries of WITH that are run before the statement, and become VALUES.
 *
 * These are queries of WITH RECURSIVE, and those whose uses have to see the same rows: a query that
 * is used several times and is AS MATERIALIZED, or has a volatile function.
 */
#pragma once

#include "core/plan/subquery-runner.h"

G_BEGIN_DECLS

/* Whether the query of a source in FROM is one of these. @is_inside: the source is in a subquery,
 * which may run several times */
gboolean kvsql_with_needs_rows (const KvsqlSelect *query, gboolean is_inside);

/**
 * kvsql_with_rows_run:
 * @query: @written, without subqueries that run first (core/plan/subquery.c)
 * @most_rows: of a recursive query: it may end when it has given so many
 *
 * Returns: a SELECT that gives its rows; %NULL: an error
 */
KvsqlSelect *kvsql_with_rows_run (const KvsqlSubqueryRunner *runner, const KvsqlSelect *written,
                                  const KvsqlSelect *query, guint64 most_rows, GError **error);

G_END_DECLS
