/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * evaluate-private.h: what evaluating a batch and a tuple share: nodes on values that are known.
 */
#pragma once

#include "core/expr/evaluate.h"
#include "core/expr/function.h"
#include "core/sql/operator.h"

G_BEGIN_DECLS

/* A CALL, CAST, IN, LIKE, RLIKE, COMPARE or EXTREME of operands in @arguments; NULL operands give
 * what they have to. An error has its place. */
gboolean kvsql_expr_apply (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlArena *arena,
                           KvsqlValue *out, GError **error);

G_END_DECLS
