/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-planner.h: plans a SELECT or a DELETE.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* The plan lives in the arena of @binder. */
KvsqlSelectPlan *kvsql_select_plan_make (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                                         const KvsqlBinder *binder,
                                         const KvsqlStoreCapabilities *capabilities,
                                         GError **error);

typedef struct _KvsqlBinding KvsqlBinding; /* select-bind.h */

/* Chooses the access paths, joins and operators of a plan that was bound. */
gboolean kvsql_select_plan_choose_all (const KvsqlBinding *binding, KvsqlSelectPlan *plan,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The tuples that a DELETE removes, with all their attributes. */
KvsqlSelectPlan *kvsql_delete_plan_make (const KvsqlCatalog *catalog, const KvsqlDelete *statement,
                                         const KvsqlBinder *binder,
                                         const KvsqlStoreCapabilities *capabilities,
                                         GError **error);

G_END_DECLS
