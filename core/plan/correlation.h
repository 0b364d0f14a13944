/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * correlation.h: whether a subquery uses attributes of a statement around it.
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

/* What a query in FROM, source @number of @select, sees: @around; a lateral one, the sources before
 * it, too. @left, @scope: to be filled */
const KvsqlNameScope *kvsql_source_get_scope (const KvsqlSelect *select, guint number,
                                              const KvsqlNameScope *around, KvsqlSelect *left,
                                              KvsqlNameScope *scope);

/* @outer: (nullable): the statements around @select */
gboolean kvsql_select_is_correlated (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                                     const KvsqlNameScope *outer);
/* Whether @expr, in @scope, uses attributes of @outer or of a statement around that. @outer:
 * (nullable): around @scope */
gboolean kvsql_expr_uses_outer (const KvsqlCatalog *catalog, const KvsqlAstExpr *expr,
                                const KvsqlNameScope *scope, const KvsqlNameScope *outer);
/* Adds the attributes of the only relation of @outer that @expr, a condition there, uses. */
void kvsql_subquery_collect_outer (const KvsqlCatalog *catalog, const KvsqlAstExpr *expr,
                                   const KvsqlNameScope *outer, KvsqlAttributeSet *out);

/* Whether the FROM of @select has an attribute or a relation that @name, a NAME, may be. */
gboolean kvsql_scope_has (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                          const KvsqlAstExpr *name);
/* Whether @expr is the alias of an item of @self. */
gboolean kvsql_select_has_output (const KvsqlSelect *self, const KvsqlAstExpr *expr);

G_END_DECLS
