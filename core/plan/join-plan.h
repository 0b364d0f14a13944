/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-plan.h: the plan of a FROM of several relations.
 *
 * The first relation is scanned as a relation alone would be, with its conditions. Each other
 * relation has a plan of its own, with the conditions that are about it alone. A query in FROM is
 * such a relation, and may be the first one. The joins are a tree of KvsqlJoinNode.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* For tests: the method of each join that it is possible for. */
extern KvsqlJoinMethod kvsql_join_forced_method;

/* Binds FROM. Sets @self->join and @self->relation, and adds all relations to @binder. @queries: by
 * source: derived tables; NULL: relations */
gboolean kvsql_join_plan_bind (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                               const KvsqlSelect *select, KvsqlSelectPlan *const *queries,
                               KvsqlBinder *binder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Adds the columns that the conditions of joins use. */
void kvsql_join_plan_collect (const KvsqlJoinPlan *self, KvsqlAttributeSet *out);

/* Moves @self->predicate into the tree of joins, and plans the relations other than the first; the
 * caller plans the queries among them.
 * Reduces @self->needed and @self->dnf to the first relation. */
gboolean kvsql_join_plan_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                                 const KvsqlSelect *select, const KvsqlBinder *binder,
                                 const KvsqlStoreCapabilities *capabilities,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The relation that is scanned, as one that another relation's rows look up; NULL: it is a query.
 */
KvsqlJoinPart *kvsql_join_plan_make_first (const KvsqlSelectPlan *self, KvsqlArena *arena);

/* Scans relation @leaf in place of the first one, which @first is then, and changes places with it
 * in the numbering of relations. */
gboolean kvsql_join_plan_scan (KvsqlSelectPlan *self, guint leaf, const KvsqlJoinPart *first,
                               const KvsqlCatalog *catalog, const KvsqlSelect *select,
                               const KvsqlStoreCapabilities *capabilities,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Chooses the order of joins and their methods. The access paths of all relations are chosen. */
gboolean kvsql_join_plan_order (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                                const KvsqlSelect *select,
                                const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
