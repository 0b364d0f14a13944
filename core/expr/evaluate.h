/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * evaluate.h: the values of expressions, a batch at a time or for one tuple.
 *
 * Errors (overflow, division by zero, …) are of KVSQL_ERROR_VALUE and carry the place of the
 * operation that failed. CASE, AND, OR and COALESCE compute a branch only for the rows that need
 * it, so what is not needed does not fail.
 */
#pragma once

#include "core/base/vector.h"
#include "core/expr/expr.h"

G_BEGIN_DECLS

typedef struct _KvsqlEvaluator KvsqlEvaluator;

/* The expressions must outlive it; the array need not. Used by one thread at a time. */
KvsqlEvaluator *kvsql_evaluator_new (KvsqlExpr *const *exprs, guint n_exprs);
/* The same with at most @n_nodes columns of memory in mind: that of all expressions that live
 * side by side (KvsqlExpr.size); the more there are, the fewer rows are computed at a time. */
KvsqlEvaluator *kvsql_evaluator_new_sized (KvsqlExpr *const *exprs, guint n_exprs, gsize n_nodes);
void kvsql_evaluator_free (KvsqlEvaluator *self); /* accepts NULL */

/**
 * kvsql_evaluator_run:
 * @input: columns by their number in the expressions; nullable if they look at none
 * @selection: (nullable) (array length=n): the rows wanted, or all @n of @input
 * @out: (out) (transfer none): one dense column an expression, @n rows
 *
 * The result is to be read only and lives until the next run, or until @input changes: a column
 * that is just an input's may lie in the input's memory, and so may bytes. Nothing is allocated
 * for each value; bytes come from an arena that is reset with each run.
 */
gboolean kvsql_evaluator_run (KvsqlEvaluator *self, const KvsqlBatch *input,
                              const guint32 *selection, guint n, KvsqlBatch **out, GError **error);

/* One tuple, by column (nullable if the expression looks at none). Bytes of the result are in
 * @arena, the tuple or the expression. */
gboolean kvsql_expr_evaluate (const KvsqlExpr *self, const KvsqlValue *tuple, KvsqlArena *arena,
                              KvsqlValue *out, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlEvaluator, kvsql_evaluator_free)

G_END_DECLS
