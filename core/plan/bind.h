/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind.h: from AST expressions to predicates and values of a relation.
 */
#pragma once

#include "core/base/vector.h"
#include "core/expr/binder.h"
#include "core/plan/predicate.h"

G_BEGIN_DECLS

/* NULL @expr gives the predicate that is always true. Returns NULL on error. */
KvsqlPredicate *kvsql_bind_predicate (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                      GError **error);

/* A literal or parameter as it stands, or what an expression without names computes. */
gboolean kvsql_bind_constant (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlValue *out,
                              GError **error);

/* The same, converted for storing in @attribute. */
gboolean kvsql_bind_assignment (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                guint attribute, KvsqlValue *out, GError **error);
/* Converts one value for storing: checks range, NULL, UTF-8; one form for -0 and NaN in KEY
 * attributes. */
gboolean kvsql_bind_convert (const KvsqlRelation *relation, guint attribute,
                             const KvsqlValue *value, KvsqlArena *arena, KvsqlValue *out,
                             GError **error);
/* The same, of row @row of @column: what needs no conversion costs little. */
gboolean kvsql_bind_convert_row (const KvsqlRelation *relation, guint attribute,
                                 const KvsqlVector *column, guint row, KvsqlArena *arena,
                                 KvsqlValue *out, GError **error);

/* The same, of @n rows from @first on, the values @stride apart. FALSE says nothing: not all of
 * them are stored as they come, and no value is to be looked at. */
gboolean kvsql_bind_take_rows (const KvsqlRelation *relation, guint attribute,
                               const KvsqlVector *column, guint first, guint n, KvsqlValue *out,
                               guint stride);

/* LIMIT and OFFSET: a whole number >= 0; NULL gives @absent. */
gboolean kvsql_bind_count (const KvsqlBinder *binder, const KvsqlAstExpr *expr, const gchar *what,
                           guint64 absent, guint64 *out, GError **error);

/* An expression that is just an attribute. */
gboolean kvsql_bind_attribute (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                               guint *out_attribute, GError **error);

/* The attributes a predicate looks at. */
void kvsql_predicate_collect (const KvsqlPredicate *self, KvsqlAttributeSet *out);

G_END_DECLS
