/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.h: replaces each IN (SELECT …) of a statement by the list of its values, each EXISTS by
 * TRUE or FALSE, and each (SELECT …) by its value. Subqueries that use attributes of the statement
 * around them stay: conjuncts of WHERE and ON become joins (core/plan/unnest.h), all others are
 * evaluated (core/plan/bind-subquery.h). The WHERE of an UPDATE or DELETE that has some becomes a
 * list of the keys that it writes.
 */
#pragma once

#include "core/plan/subquery-runner.h"

G_BEGIN_DECLS

/* FALSE if @statement certainly has no subqueries. */
gboolean kvsql_subqueries_are_possible (const KvsqlAstStatement *statement);

/* Returns: @statement, or a copy without subqueries; NULL on error */
const KvsqlAstStatement *kvsql_subqueries_replace (const KvsqlSubqueryRunner *self,
                                                   const KvsqlAstStatement *statement,
                                                   GError **error);

G_END_DECLS
