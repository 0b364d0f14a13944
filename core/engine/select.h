/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select.h: the columns of a SELECT, and pages of its rows.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

/* The columns of the rows of @plan; n_items of them, in @arena. */
KvsqlResultColumn *kvsql_columns_of_select (const KvsqlSelectPlan *plan, KvsqlArena *arena);
/* Whether the rows of @plan have exactly these columns. */
gboolean kvsql_select_plan_has_columns (const KvsqlSelectPlan *plan,
                                        const KvsqlResultColumn *columns, guint n_columns);

/**
 * kvsql_execute_select_page:
 * @run: of @plan
 * @out_has_more: (out): there may be another page
 *
 * Reads the next page, without its columns. After an error the run may only be freed.
 */
KvsqlResultPage *kvsql_execute_select_page (const KvsqlExecution *self, const KvsqlSelectPlan *plan,
                                            KvsqlSelectRun *run, KvsqlPageBounds bounds,
                                            gboolean *out_has_more, GError **error);

G_END_DECLS
