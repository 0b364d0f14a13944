/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bind.h: from AST expressions to predicates and values of a relation.
 */
#pragma once

#include "core/base/vector.h"
#include "core/expr/binder.h"
#include "core/plan/predicate.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Returns NULL on error. For a NULL @expr, the result is the predicate that is always true. */
KvsqlPredicate *kvsql_bind_predicate (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                      GError **error);

/* The value of a literal, of a parameter, or of an expression without names. */
gboolean kvsql_bind_constant (const KvsqlBinder *binder, const KvsqlAstExpr *expr, KvsqlValue *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same, converted to a value that @attribute can store. */
gboolean kvsql_bind_assignment (const KvsqlBinder *binder, const KvsqlAstExpr *expr,
                                guint attribute, KvsqlValue *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Converts one value to a value that the attribute can store: checks the range, NULL and UTF-8. In
 * KEY attributes, -0 and NaN get one form. */
gboolean kvsql_bind_convert (const KvsqlRelation *relation, guint attribute,
                             const KvsqlValue *value, KvsqlArena *arena, KvsqlValue *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for row @row of @column. Cheap if the value needs no conversion. */
gboolean kvsql_bind_convert_row (const KvsqlRelation *relation, guint attribute,
                                 const KvsqlVector *column, guint row, KvsqlArena *arena,
                                 KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for @n rows from @first on; the values in @out are @stride apart. FALSE is not an error:
 * some value needs a conversion, and the contents of @out are undefined. */
gboolean kvsql_bind_take_rows (const KvsqlRelation *relation, guint attribute,
                               const KvsqlVector *column, guint first, guint n, KvsqlValue *out,
                               guint stride);

/* LIMIT and OFFSET: a whole number >= 0. A NULL @expr gives @absent. */
gboolean kvsql_bind_count (const KvsqlBinder *binder, const KvsqlAstExpr *expr, const gchar *what,
                           guint64 absent, guint64 *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
