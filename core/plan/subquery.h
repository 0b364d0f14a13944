/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.h: replaces each IN (SELECT …) of a statement by the list of its values, and each EXISTS
 * by TRUE or FALSE. Subqueries that use attributes of the statement around them stay, as conjuncts
 * of WHERE and ON; those of an UPDATE or DELETE become a list of the keys that it writes.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

typedef struct _KvsqlCatalog KvsqlCatalog;     /* core/catalog/catalog.h */
typedef struct _KvsqlNameScope KvsqlNameScope; /* core/plan/correlation.h */

/* Runs subqueries. */
typedef struct
{
  KvsqlArena *arena; /* of the copies of the tree, and of the literals */
  const KvsqlCatalog *catalog;
  gpointer data;
  /* Adds the values of the first @n columns of @select to @out, row by row, as literals
   * (kvsql_subquery_make_literal()). @in: the IN or EXISTS that it is run for; an IN must have no
   * more columns. */
  gboolean (*run) (const KvsqlSelect *select, guint n, const KvsqlAstExpr *in, GPtrArray *out,
                   gpointer data, GError **error);
  const KvsqlSelect *verified; /* nullable: a SELECT … WITH VERIFIED around the next subqueries; set
                                  by subquery.c */
  const KvsqlNameScope *scope; /* nullable: the statements around; set by subquery.c */
} KvsqlSubqueryRunner;

/* FALSE if @statement certainly has no subqueries. */
gboolean kvsql_subqueries_are_possible (const KvsqlAstStatement *statement);

/* Returns: @statement, or a copy without subqueries; NULL on error */
const KvsqlAstStatement *kvsql_subqueries_replace (const KvsqlSubqueryRunner *self,
                                                   const KvsqlAstStatement *statement,
                                                   GError **error);

/* A literal with this value and its type. */
KvsqlAstExpr *kvsql_subquery_make_literal (const KvsqlValue *value, KvsqlSpan span,
                                           KvsqlArena *arena);

G_END_DECLS
