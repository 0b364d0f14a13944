/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind-private.h: shared by the files of the binder.
 */
#pragma once

#include "core/expr/binder.h"
#include "core/expr/function.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

KvsqlExpr *kvsql_expr_new (const KvsqlBinder *binder, KvsqlExprKind kind, KvsqlType type,
                           KvsqlSpan span, guint n_children);

/* Constant folding: computes @self if all its operands are constant. NULL returns NULL. */
KvsqlExpr *kvsql_expr_fold (const KvsqlBinder *binder, KvsqlExpr *self, GError **error);

/* Converts @expr to @type implicitly. The caller has checked that there is such a conversion. A
 * constant is parsed as the type. NULL with an error if its text is not valid for the type. */
KvsqlExpr *kvsql_expr_coerce (const KvsqlBinder *binder, KvsqlExpr *expr, KvsqlType type,
                              GError **error);

/* Makes an untyped text a STRING. */
KvsqlExpr *kvsql_expr_default_to_string (const KvsqlBinder *binder, KvsqlExpr *expr);

/* Chooses the overload of @name for the arguments, converts them and folds constants. NULL with an
 * error. */
KvsqlExpr *kvsql_expr_call (const KvsqlBinder *binder, const gchar *name, KvsqlExpr **arguments,
                            guint n_arguments, KvsqlSpan span, KvsqlSpan name_span, GError **error);

/* Binds forms with the syntax of a function and rules of their own: COALESCE and the like, now ().
 * *out is NULL if @expr is another form. */
/* bind-json.c */
KvsqlExpr *kvsql_expr_bind_json_build (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                       GError **error);
KvsqlExpr *kvsql_expr_bind_json_extract (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                         GError **error);
KvsqlExpr *kvsql_expr_bind_to_json (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                    GError **error);
gboolean kvsql_expr_bind_special (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                  KvsqlExpr **out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* AND or OR of BOOLEANs: one node, without the constants that do not decide the result. */
KvsqlExpr *kvsql_expr_connect (const KvsqlBinder *binder, KvsqlExprKind kind, KvsqlExpr **operands,
                               guint n, KvsqlSpan span);
/* Whether @self is the constant @truth. */
gboolean kvsql_expr_is_truth (const KvsqlExpr *self, gboolean truth);

/* One kind of AST expression each. An IN has no subquery. */
KvsqlExpr *kvsql_expr_bind_comparison (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                       GError **error);
KvsqlExpr *kvsql_expr_bind_is_distinct (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                        GError **error);
KvsqlExpr *kvsql_expr_bind_is_truth (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                     GError **error);
KvsqlExpr *kvsql_expr_bind_in (const KvsqlBinder *binder, const KvsqlAstExpr *expr, GError **error);
KvsqlExpr *kvsql_expr_bind_between (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                    GError **error);
KvsqlExpr *kvsql_expr_bind_match (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                  GError **error);
KvsqlExpr *kvsql_expr_bind_case (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                 GError **error);

/* Converts two operands in place to the type in which they are compared. */
gboolean kvsql_expr_prepare_comparison (const KvsqlBinder *binder, const gchar *op,
                                        KvsqlExpr **operands, KvsqlSpan op_span,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ARRAY […] as a list of @element (NULL: of the common type of its elements), and op ANY or ALL
 * over a list that is not known now. */
KvsqlExpr *kvsql_expr_bind_array (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                  KvsqlType element, GError **error);
KvsqlExpr *kvsql_expr_bind_quantified (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                       GError **error);

/* The relation of FROM that is called so. *out: NULL: the only one. */
gboolean kvsql_binder_find_relation (const KvsqlBinder *binder, const KvsqlName *qualifier,
                                     const KvsqlBinderRelation **out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The constant NULL, without a type. */
KvsqlExpr *kvsql_expr_null (const KvsqlBinder *binder, KvsqlSpan span);

KvsqlExpr *kvsql_expr_is_null (const KvsqlBinder *binder, KvsqlExpr *operand, gboolean is_negated,
                               KvsqlSpan span, GError **error);

/* Binds the children of @expr, starting with @first. Returns an array in the arena, or NULL with an
 * error. */
KvsqlExpr **kvsql_expr_bind_children (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                      guint first, gboolean is_lazy, GError **error);

G_END_DECLS
