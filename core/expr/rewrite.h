/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rewrite.h: forms of expressions that simpler ones express.
 */
#pragma once

#include "core/expr/binder.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* These forms are comparisons of rows, BETWEEN SYMMETRIC, and ANY and ALL over a list that is
 * known. *out, in the arena, is NULL if @expr is another form. */
gboolean kvsql_expr_rewrite_form (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                  KvsqlAstExpr **out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE: @expr has no such form. */
static inline gboolean
kvsql_expr_may_be_simpler (const KvsqlAstExpr *expr)
{
  gboolean has_row
      = expr->n_children >= 2
        && (expr->children[0]->kind == KVSQL_AST_ROW || expr->children[1]->kind == KVSQL_AST_ROW);

  return (has_row || expr->is_symmetric || expr->kind == KVSQL_AST_QUANTIFIED)
         && !kvsql_ast_has_subquery (expr);
}

/* The same, without a call for what has never such a form. */
static inline gboolean
kvsql_expr_rewrite (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlAstExpr **out,
                    GError **error)
{
  *out = NULL;
  return !kvsql_expr_may_be_simpler (expr) || kvsql_expr_rewrite_form (binder, expr, out, error);
}

G_END_DECLS
