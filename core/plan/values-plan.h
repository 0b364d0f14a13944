/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * values-plan.h: the rows of VALUES, in place of those of a relation.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* @select: VALUES. Makes @self a plan over its rows, whose columns are called column1, column2 and
 * so on; @binder gets them. The caller binds the clauses after VALUES. */
gboolean kvsql_values_plan_bind (KvsqlSelectPlan *self, const KvsqlSelect *select,
                                 KvsqlBinder *binder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether all values are known, so that none has to be computed. */
gboolean kvsql_values_plan_is_constant (const KvsqlValuesPlan *self);

G_END_DECLS
