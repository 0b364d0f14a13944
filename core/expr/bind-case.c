/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-case.c: CASE: its conditions and results, without the branches that are never taken.
 */
#include "config.h"

#include "core/expr/bind-private.h"

static KvsqlExpr *
bind_when (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlExpr *operand,
           const KvsqlAstExpr *when, GError **error)
{
  KvsqlExpr *value;

  if (operand == NULL)
    return kvsql_expr_bind_boolean (binder, when, "CASE WHEN", error);
  value = kvsql_expr_bind (binder, when, error);
  return kvsql_expr_compare (binder, KVSQL_OP_EQ, operand, value, when->span, when->span, error);
}

/* Drops branches whose condition is a constant but not TRUE, and branches after a condition that is
 * TRUE. */
static KvsqlExpr *
finish_case (const KvsqlBinder *binder, KvsqlExpr *self, GError **error)
{
  guint kept = 0, n = self->n_children - 1;
  KvsqlExpr *otherwise = self->children[n];

  for (guint i = 0; i < n; i += 2)
    {
      KvsqlExpr *when = self->children[i], *then = self->children[i + 1];

      g_assert (when->type == KVSQL_TYPE_BOOLEAN && then->type == self->type);
      if (kvsql_expr_is_constant (when) && !kvsql_expr_is_truth (when, TRUE))
        continue;
      if (kvsql_expr_is_truth (when, TRUE))
        {
          otherwise = then;
          break;
        }
      self->children[kept++] = when;
      self->children[kept++] = then;
    }
  if (kept > 0)
    {
      self->children[kept++] = otherwise;
      self->n_children = kept;
      return self;
    }
  /* it was not folded as a branch, but is always computed now */
  return kvsql_expr_fold (binder, otherwise, error);
}

KvsqlExpr *
kvsql_expr_bind_case (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error)
{
  guint from = expr->has_operand ? 1 : 0, n = expr->n_children - from - (expr->has_else ? 1 : 0);
  KvsqlExpr *self = kvsql_expr_new (binder, KVSQL_EXPR_CASE, KVSQL_TYPE_NULL, expr->span, n + 1);
  KvsqlExpr **results = kvsql_arena_array (binder->arena, KvsqlExpr *, n / 2 + 1);
  KvsqlExpr *operand = NULL;
  KvsqlBinder inner = *binder;

  if (expr->has_operand)
    {
      operand = kvsql_expr_default_to_string (binder,
                                              kvsql_expr_bind (binder, expr->children[0], error));
      if (operand == NULL)
        return NULL;
    }
  inner.is_lazy = TRUE;
  for (guint i = 0; i < n; i += 2)
    {
      self->children[i] = bind_when (&inner, expr, operand, expr->children[from + i], error);
      results[i / 2] = self->children[i] == NULL
                           ? NULL
                           : kvsql_expr_bind (&inner, expr->children[from + i + 1], error);
      if (results[i / 2] == NULL)
        return NULL;
    }
  results[n / 2] = expr->has_else ? kvsql_expr_bind (&inner, expr->children[from + n], error)
                                  : kvsql_expr_null (binder, expr->span);
  if (results[n / 2] == NULL
      || !kvsql_expr_unify (binder, results, n / 2 + 1, "CASE", &self->type, error))
    return NULL;
  if (self->type == KVSQL_TYPE_NULL)
    return kvsql_expr_null (binder, expr->span);
  for (guint i = 0; i < n; i += 2)
    self->children[i + 1] = results[i / 2];
  self->children[n] = results[n / 2];
  return finish_case (binder, self, error);
}
