/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * unnest.h: EXISTS and IN with a correlated subquery as semi and anti joins.
 *
 * A conjunct of WHERE, or of ON of an inner join, that is [NOT] EXISTS (SELECT …) or
 * [NOT] IN (SELECT …) becomes a join with the FROM of the subquery. The WHERE of the subquery is
 * its condition (core/plan/bind-join.h). Subqueries of subqueries become joins, too.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Whether @expr, with a subquery, can become a join of the FROM of @around. */
gboolean kvsql_unnest_is_possible (const KvsqlAstExpr *expr, const KvsqlSelect *around);

/* Returns: @select, or a copy whose FROM has these joins. @select has a FROM. Subqueries that are
 * evaluated stay. */
const KvsqlSelect *kvsql_select_unnest (const KvsqlSelect *select, KvsqlArena *arena);

G_END_DECLS
