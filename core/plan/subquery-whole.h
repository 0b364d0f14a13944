/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery-whole.h: a subquery that compares its columns with outer values, for all of them.
 *
 * (SELECT max (y) FROM r WHERE r.k = o.k AND z > 1) becomes SELECT max (y), r.k FROM r WHERE z > 1
 * GROUP BY r.k. An aggregate has a row also where there are no tuples: that one is computed apart.
 */
#pragma once

#include "core/expr/subquery.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* @subquery: with its select, in which @n_outer names were replaced.
 * Returns: (nullable): NULL: there is no such form. Its types are not checked. */
KvsqlSubqueryWhole *kvsql_subquery_whole_new (const KvsqlSubquery *subquery, guint n_outer,
                                              KvsqlArena *arena);

G_END_DECLS
