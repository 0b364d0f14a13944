/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-items.h: binds the select list, GROUP BY, HAVING and ORDER BY of a SELECT.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* Sets all fields of @self that depend on these clauses. @binder: over the tuples of the relation;
 * must live as long as @self. */
gboolean kvsql_select_items_bind (KvsqlSelectPlan *self, const KvsqlSelect *select,
                                  const KvsqlBinder *binder,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Binds ORDER BY alone, for plans whose items are attributes. @self->items must be set. */
gboolean kvsql_select_order_bind (KvsqlSelectPlan *self, const KvsqlOrderItem *items, guint n_items,
                                  const KvsqlBinder *binder,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
