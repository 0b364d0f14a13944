/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-rules.h: the DEFAULT expressions and CHECK constraints of a relation, bound for a statement.
 *
 * Every statement that makes tuples has them: now () is the time of the statement.
 */
#pragma once

#include "core/expr/binder.h"
#include "core/schema/relation.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlRelation *relation;
  KvsqlExpr **defaults;      /* by attribute; NULL: its default_value */
  KvsqlExpr **checks;        /* as those of the relation */
  KvsqlAttributeSet checked; /* the attributes that checks use */
} KvsqlRowRules;

/* The rules live in the binder's arena, and borrow the relation. Of the binder, only the time and
 * the parameters' state are used. NULL with an error that has no position. */
const KvsqlRowRules *kvsql_row_rules_bind (const KvsqlBinder *binder, const KvsqlRelation *relation,
                                           GError **error);

/* The same for one expression as it is written, with its positions in the statement. */
KvsqlExpr *kvsql_row_rules_bind_default (const KvsqlBinder *binder, const KvsqlAttribute *attribute,
                                         const KvsqlAstExpr *expr, GError **error);
KvsqlExpr *kvsql_row_rules_bind_check (const KvsqlBinder *binder, const KvsqlRelation *relation,
                                       const KvsqlAstExpr *expr, GError **error);

/* Whether each tuple needs a value of its own for the attribute. */
gboolean kvsql_row_rules_is_volatile (const KvsqlRowRules *self, guint attribute);

/* The value of an attribute that is not given, converted. Errors: that of the expression; a KEY or
 * NOT NULL attribute without a value. */
gboolean kvsql_row_rules_get_default (const KvsqlRowRules *self, guint attribute, KvsqlArena *arena,
                                      KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* SQLSTATE 23514 if a check is false for the tuple. The values are in the error's detail only. */
gboolean kvsql_row_rules_check (const KvsqlRowRules *self, const KvsqlValue *tuple,
                                KvsqlArena *arena, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
