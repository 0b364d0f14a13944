/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * evaluate.h: evaluates expressions for a batch or for one tuple.
 *
 * Errors (overflow, division by zero, …) are KVSQL_ERROR_VALUE with the position of the operation
 * that failed. CASE, AND, OR and COALESCE evaluate a branch only for the rows that need it, so a
 * branch that is not needed does not fail.
 */
#pragma once

#include "core/base/vector.h"
#include "core/expr/expr.h"

G_BEGIN_DECLS

typedef struct _KvsqlEvaluator KvsqlEvaluator;

/* The expressions must outlive the evaluator; the array need not. Threads: one at a time. */
KvsqlEvaluator *kvsql_evaluator_new (KvsqlExpr *const *exprs, guint n_exprs);
/* The same for an evaluator that exists together with others. @n_nodes: the nodes of the
 * expressions of all of them (KvsqlExpr.size). The more nodes, the fewer rows are computed at a
 * time, which limits the memory. */
KvsqlEvaluator *kvsql_evaluator_new_sized (KvsqlExpr *const *exprs, guint n_exprs, gsize n_nodes);
void kvsql_evaluator_free (KvsqlEvaluator *self); /* accepts NULL */

/**
 * kvsql_evaluator_run:
 * @input: columns by their number in the expressions; nullable if the expressions use none
 * @selection: (nullable) (array length=n): the rows to evaluate, or all @n of @input
 * @out: (out) (transfer none): one dense column an expression, @n rows
 *
 * The result must not be changed. It lives until the next run, or until @input changes: a column
 * that is a column of the input may share its memory, and so may bytes. Nothing is allocated for
 * each value; bytes are allocated in an arena that each run resets.
 */
gboolean kvsql_evaluator_run (KvsqlEvaluator *self, const KvsqlBatch *input,
                              const guint32 *selection, guint n, KvsqlBatch **out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Evaluates for one tuple, an array by column (nullable if the expression uses none). Bytes of the
 * result are in @arena, the tuple or the expression. */
gboolean kvsql_expr_evaluate (const KvsqlExpr *self, const KvsqlValue *tuple, KvsqlArena *arena,
                              KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlEvaluator, kvsql_evaluator_free)

G_END_DECLS
