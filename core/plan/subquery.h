/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.h: replaces each IN (SELECT …) of a statement by the list of its values.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Runs subqueries. */
typedef struct
{
  KvsqlArena *arena; /* of the copies of the tree, and of the literals */
  gpointer data;
  /* Adds the values of the only column of @select to @out, as literals
   * (kvsql_subquery_make_literal()). @select has no subqueries. @in: the whole IN. */
  gboolean (*run) (const KvsqlSelect *select, const KvsqlAstExpr *in, GPtrArray *out, gpointer data,
                   GError **error);
  const KvsqlSelect *verified; /* nullable: a SELECT … WITH VERIFIED around the next subqueries; set
                                  by subquery.c */
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
