/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * query-flatten.h: a SELECT from a simple query becomes a SELECT from what the query reads.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* Whether the query only selects, and gives each row that it reads once or not at all, in any
 * order. */
gboolean kvsql_query_is_simple (const KvsqlSelectPlan *query);

/* @self: bound, from one query. Its expressions get the expressions of the query in place of the
 * columns. Stays as it is if the query is not simple, or if an expression would be computed more
 * often than before. */
void kvsql_query_flatten (KvsqlSelectPlan *self, KvsqlArena *arena);

G_END_DECLS
