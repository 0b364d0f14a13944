/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * path-choice.h: chooses how a SELECT or DELETE reads its relation.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* Chooses the best access path for self->entry, self->dnf and self->needed, and builds the tree of
 * operators. @using_schema: the schema to use; if it or its text is NULL, the planner chooses. */
gboolean kvsql_select_plan_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                                   const KvsqlName *using_schema, const KvsqlBinder *binder,
                                   const KvsqlStoreCapabilities *capabilities,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Makes @self read the schema of that name, as the plan of an earlier page did. FALSE: the
 * statement cannot read it. */
gboolean kvsql_select_plan_use_schema (KvsqlSelectPlan *self, KvsqlSlice schema, KvsqlArena *arena);

G_END_DECLS
