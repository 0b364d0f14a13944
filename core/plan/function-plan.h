/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function-plan.h: the rows of a function in FROM, in place of those of a relation.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* Whether there is a function of rows with this name, in any case. */
gboolean kvsql_function_plan_knows (const gchar *name);

/* @select: a function in FROM. Makes @self a plan over its rows; @binder gets its columns. */
gboolean kvsql_function_plan_bind (KvsqlSelectPlan *self, const KvsqlSelect *select,
                                   KvsqlBinder *binder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
