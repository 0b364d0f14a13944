/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * evaluate-private.h: the evaluation of a node with given operands, for batches and tuples.
 */
#pragma once

#include "core/expr/evaluate.h"
#include "core/expr/function.h"
#include "core/sql/operator.h"

G_BEGIN_DECLS

/* Evaluates a CALL, CAST, IN, LIKE, RLIKE, COMPARE, DISTINCT, QUANTIFIED, LIST or MINMAX with the
 * operands @arguments, by SQL's rules for NULL. An error has a position. */
gboolean kvsql_expr_apply (const KvsqlExpr *self, const KvsqlValue *arguments, KvsqlArena *arena,
                           KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
