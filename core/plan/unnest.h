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

/* Returns: @select, or a copy whose FROM has these joins; NULL with an error if a subquery has what
 * no join can express. @select has a FROM. */
const KvsqlSelect *kvsql_select_unnest (const KvsqlSelect *select, KvsqlArena *arena,
                                        GError **error);

/* Returns: the conjuncts of @where that are no such subquery; NULL: there are none.
 * @out: (element-type KvsqlAstExpr): gets the others, which are EXISTS or IN, without their NOT */
KvsqlAstExpr *kvsql_unnest_cut (KvsqlAstExpr *where, KvsqlArena *arena, GPtrArray *out);

G_END_DECLS
