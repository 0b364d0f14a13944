/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery-place.h: the places of a statement where a subquery cannot use attributes of the
 * statement around it, and what to write in place of it.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name; /* as in "is not possible in …" */
  const gchar *hint;
} KvsqlSubqueryPlace;

extern const KvsqlSubqueryPlace kvsql_place_items, kvsql_place_having, kvsql_place_group_by,
    kvsql_place_order_by, kvsql_place_outer_on, kvsql_place_set, kvsql_place_returning,
    kvsql_place_conflict;

/* The place of the operands of @expr, which is at @place; NULL: a conjunct of WHERE or ON, where
 * all is possible. */
const KvsqlSubqueryPlace *kvsql_place_of_operands (const KvsqlAstExpr *expr,
                                                   const KvsqlSubqueryPlace *place);
/* FALSE with an error, unless @place is NULL. @expr: EXISTS or IN with a correlated subquery */
gboolean kvsql_place_check (const KvsqlSubqueryPlace *place, const KvsqlAstExpr *expr,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
