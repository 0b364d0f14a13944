/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * set-plan.h: the plan of UNION, INTERSECT or EXCEPT, from the plans of its operands.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/**
 * kvsql_set_plan_bind:
 * @self: gets all its fields, but the root of its operators
 * @select: a set operation
 * @operands: (array): one for each of @select; is_operand. Outputs without a type get one.
 * @binder: its relation becomes that of the columns
 *
 * Finds the types of the columns, which are converted, and binds ORDER BY, LIMIT and OFFSET.
 */
gboolean kvsql_set_plan_bind (KvsqlSelectPlan *self, const KvsqlSelect *select,
                              KvsqlSelectPlan *const *operands, KvsqlBinder *binder,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_set_plan_bind_derived:
 *
 * Makes @self, which has a binder, a plan over the rows of @query, as over the relation @source: an
 * operation with one operand. The caller binds the other clauses.
 */
gboolean kvsql_set_plan_bind_derived (KvsqlSelectPlan *self, KvsqlSelectPlan *query,
                                      const KvsqlSource *source,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The relation that the derived table at the beginning of FROM is. */
const KvsqlRelation *kvsql_set_plan_get_derived (const KvsqlSelectPlan *plan);

/* "UNION ALL". */
const gchar *kvsql_set_plan_get_name (const KvsqlSetPlan *self);

G_END_DECLS
