/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cross-join-plan.h: a FROM of several relations: the cross join of the first with the others.
 *
 * The first relation is scanned as a relation alone would be. The tuples of the others are read
 * first and kept in memory. The key ranges of a relation come from the constraints on its own
 * attributes; the whole predicate is checked on each row of the cross join. The attributes of all
 * relations are columns of one numbering that begins with the first relation. So the cross join
 * keeps the order of the scan.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* Sets @self->cross_join and @self->relation, and adds all relations to @binder. */
gboolean kvsql_cross_join_plan_bind (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                                     const KvsqlSelect *select, KvsqlBinder *binder,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Plans the other relations. Reduces @self->needed and @self->dnf to the first relation. */
gboolean kvsql_cross_join_plan_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                                       const KvsqlSelect *select, const KvsqlBinder *binder,
                                       const KvsqlStoreCapabilities *capabilities,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
