/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.h: replaces each IN (SELECT …) of a statement by the list of its values, each EXISTS by
 * TRUE or FALSE, and each (SELECT …) by its value. Subqueries that use attributes of the statement
 * around them stay: conjuncts of WHERE and ON become joins (core/plan/unnest.h), all others are
 * evaluated (core/plan/bind-subquery.h). The WHERE of an UPDATE or DELETE that has some becomes a
 * list of the keys that it writes.
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
   * (kvsql_subquery_make_literal()). @in: the expression that it is run for; unless that is an
   * EXISTS, @select must have no more columns. @out_types: (nullable) (array length=n) */
  gboolean (*run) (const KvsqlSelect *select, guint n, const KvsqlAstExpr *in, GPtrArray *out,
                   KvsqlType *out_types, gpointer data, GError **error);
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
