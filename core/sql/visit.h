/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * visit.h: visits all parts of a query or statement.
 */
#pragma once

#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Each function is nullable, and may change what it gets, but not its children. A query of WITH is
 * visited for each use. */
typedef struct
{
  void (*select) (KvsqlSelect *self, gpointer data);
  void (*source) (KvsqlSource *self, gpointer data);
  void (*after_source) (KvsqlSource *self, gpointer data); /* after its query */
  void (*join) (KvsqlJoin *self, gpointer data);           /* not of relations */
  void (*expr) (KvsqlAstExpr *self, gpointer data);
  gpointer data;
} KvsqlAstVisitor;

/* Ends early, and silently, if the statement is interrupted. */
void kvsql_select_visit (KvsqlSelect *self, const KvsqlAstVisitor *visitor);

/* All queries and expressions of a statement that reads or writes tuples, or of an EXPLAIN. */
void kvsql_statement_visit (KvsqlAstStatement *self, const KvsqlAstVisitor *visitor);

/* Takes all positions out of a query whose text is not that of the statement. */
void kvsql_select_clear_spans (KvsqlSelect *self);

G_END_DECLS
