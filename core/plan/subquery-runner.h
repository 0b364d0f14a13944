/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery-runner.h: runs queries before the statement, and makes literals of their values.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

typedef struct _KvsqlCatalog KvsqlCatalog;     /* core/catalog/catalog.h */
typedef struct _KvsqlNameScope KvsqlNameScope; /* core/plan/correlation.h */

typedef struct
{
  KvsqlType type;
  gboolean has_zone; /* a TIMESTAMPTZ */
} KvsqlOutputType;

/* Those of a query. */
typedef struct
{
  guint n;
  const gchar **names;
  KvsqlOutputType *types;
} KvsqlColumns;

/* Runs subqueries. */
typedef struct _KvsqlSubqueryRunner KvsqlSubqueryRunner;
struct _KvsqlSubqueryRunner
{
  KvsqlArena *arena; /* of the copies of the tree, and of the literals */
  const KvsqlCatalog *catalog;
  gpointer data;
  /* Adds the values of the first @n columns of @select to @out, row by row, as literals
   * (kvsql_subquery_make_literal()). @in: the expression that it is run for; unless that is an
   * EXISTS, @select must have no more columns. @out_types: (nullable) (array length=n) */
  gboolean (*run) (const KvsqlSelect *select, guint n, const KvsqlAstExpr *in, GPtrArray *out,
                   KvsqlOutputType *out_types, gpointer data, GError **error);
  /* Plans @select, for its columns. Every type is known. */
  gboolean (*describe) (const KvsqlSelect *select, KvsqlColumns *out, gpointer data,
                        GError **error);
  /* Adds the rows of @select, which has @n columns, to @out, row by row, as literals in the arena.
   * @known: (nullable) (element-type KvsqlSlice): rows that are left out; gets the others */
  gboolean (*run_rows) (const KvsqlSubqueryRunner *self, const KvsqlSelect *select, guint n,
                        GHashTable *known, GPtrArray *out, gpointer data, GError **error);
  GHashTable *with_rows; /* query of WITH -> KvsqlSelect of its rows (core/plan/with-rows.h) */
  const KvsqlSelect *verified; /* nullable: a SELECT … WITH VERIFIED around the next subqueries; set
                                  by subquery.c */
  const KvsqlNameScope *scope; /* nullable: the statements around; set by subquery.c */
};

/* CAST (@literal AS @type), so that it is not taken for a position in ORDER BY, and a NULL has the
 * type. */
KvsqlAstExpr *kvsql_subquery_make_cast (KvsqlAstExpr *literal, KvsqlOutputType type,
                                        KvsqlArena *arena);
/* A literal with this value and its type. */
KvsqlAstExpr *kvsql_subquery_make_literal (const KvsqlValue *value, KvsqlSpan span,
                                           KvsqlArena *arena);

G_END_DECLS
