/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * same-expression.h: whether two expressions are written in the same way.
 */
#pragma once

#include "core/expr/binder.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* Whether two expressions are the same, as far as their texts show. */
gboolean kvsql_group_is_same (const KvsqlAstExpr *a, const KvsqlAstExpr *b,
                              const KvsqlBinder *binder);

G_END_DECLS
