/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * project.h: computes expressions of rows that satisfy a condition.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/expr/evaluate.h"

G_BEGIN_DECLS

/* @input: (transfer full); @condition: (nullable): a BOOLEAN. The expressions must outlive the row
 * source, the array need not. Skipped rows are not computed, if there is no condition. */
KvsqlRowSource *kvsql_project_new (KvsqlRowSource *input, KvsqlExpr *const *exprs, guint n_exprs,
                                   KvsqlExpr *condition);

G_END_DECLS
