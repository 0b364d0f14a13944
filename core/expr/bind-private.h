/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-private.h: what the files of the binder share.
 */
#pragma once

#include "core/expr/binder.h"
#include "core/expr/function.h"

G_BEGIN_DECLS

KvsqlExpr *kvsql_expr_new (const KvsqlBinder *binder, KvsqlExprKind kind, KvsqlType type,
                           KvsqlSpan span, guint n_children);

/* Computes @self at once if all it needs is constant. Passes NULL on. */
KvsqlExpr *kvsql_expr_fold (const KvsqlBinder *binder, KvsqlExpr *self, GError **error);

/* Gives @expr the type @type by an implicit conversion; the caller knows that there is one. A
 * constant is read as the type. NULL with an error if its text is none of that type. */
KvsqlExpr *kvsql_expr_coerce (const KvsqlBinder *binder, KvsqlExpr *expr, KvsqlType type,
                              GError **error);

/* An untyped text is a STRING from now on. */
KvsqlExpr *kvsql_expr_settle (const KvsqlBinder *binder, KvsqlExpr *expr);

/* Chooses the overload of @name for the arguments, converts them and folds. NULL with an error. */
KvsqlExpr *kvsql_expr_call (const KvsqlBinder *binder, const gchar *name, KvsqlExpr **arguments,
                            guint n_arguments, KvsqlSpan span, KvsqlSpan name_span, GError **error);

/* The one type of all of @exprs, which are converted in place; @what names the clause. */
gboolean kvsql_expr_unify (const KvsqlBinder *binder, KvsqlExpr **exprs, guint n, const gchar *what,
                           KvsqlType *out_type, GError **error);

/* COALESCE and the like, now (): what looks like a function and is none. *out is NULL if @expr is
 * nothing of that kind. */
gboolean kvsql_expr_bind_special (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                  KvsqlExpr **out, GError **error);

/* The constant NULL, without a type. */
KvsqlExpr *kvsql_expr_null (const KvsqlBinder *binder, KvsqlSpan span);

KvsqlExpr *kvsql_expr_is_null (const KvsqlBinder *binder, KvsqlExpr *operand, gboolean is_negated,
                               KvsqlSpan span, GError **error);

/* Binds each child of @expr from @first on; an array from the arena, or NULL. */
KvsqlExpr **kvsql_expr_bind_children (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                      guint first, gboolean is_lazy, GError **error);

G_END_DECLS
