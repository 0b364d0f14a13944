/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * correlation.h: whether a subquery uses attributes of a statement around it, and where it may.
 *
 * A name belongs to the innermost FROM that has it, as in PostgreSQL.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/schema/attribute-set.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* A FROM, and those around it. */
typedef struct _KvsqlNameScope KvsqlNameScope;
struct _KvsqlNameScope
{
  const KvsqlSelect *select;
  const KvsqlNameScope *outer; /* nullable */
};

/* @outer: (nullable): the statements around @select */
gboolean kvsql_select_is_correlated (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                                     const KvsqlNameScope *outer);
/* Adds the attributes of the only relation of @outer that @expr, an EXISTS or IN, uses. */
void kvsql_subquery_collect_outer (const KvsqlCatalog *catalog, const KvsqlAstExpr *expr,
                                   const KvsqlNameScope *outer, KvsqlAttributeSet *out);

/* ---- places where such a subquery is not possible, and what to write in its place */

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
