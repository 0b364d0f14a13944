/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-items.h: the list, GROUP BY, HAVING and ORDER BY of a SELECT, bound.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* Fills everything in @self that follows from these clauses. @binder: over the relation's tuples.
 * It may be kept. */
gboolean kvsql_select_items_bind (KvsqlSelectPlan *self, const KvsqlSelect *select,
                                  const KvsqlBinder *binder, GError **error);

/* For plans whose answer is attributes: ORDER BY alone. self->items are set. */
gboolean kvsql_select_order_bind (KvsqlSelectPlan *self, const KvsqlOrderItem *items, guint n_items,
                                  const KvsqlBinder *binder, GError **error);

G_END_DECLS
