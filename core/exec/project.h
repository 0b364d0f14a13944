/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * project.h: rows to other rows: what is computed from them, for those that satisfy a condition.
 */
#pragma once

#include "core/exec/step.h"
#include "core/expr/evaluate.h"

G_BEGIN_DECLS

/* @input: (transfer full); @condition: (nullable): a BOOLEAN. Expressions must outlive the step,
 * the array need not. */
KvsqlStep *kvsql_project_new (KvsqlStep *input, KvsqlExpr *const *exprs, guint n_exprs,
                              KvsqlExpr *condition);

G_END_DECLS
