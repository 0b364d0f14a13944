/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-plan.h: the plan of a SELECT.
 *
 * A plan is immutable after it was made. It lives in the arena of the binder. Definitions are in
 * the catalog snapshot that the caller holds.
 */
#pragma once

#include "core/plan/bind.h"
#include "core/plan/group.h"
#include "core/plan/order.h"
#include "core/plan/plan-tree.h"

G_BEGIN_DECLS

typedef struct _KvsqlCrossJoinPlan KvsqlCrossJoinPlan;

struct _KvsqlSelectPlan
{
  const KvsqlCatalogEntry *entry; /* of the first relation in FROM, which is scanned; NULL: no FROM,
                                     and no scan and no access path */
  const KvsqlRelation *relation;  /* of the names: of the entry, or of all of FROM */
  KvsqlCrossJoinPlan *cross_join; /* nullable (cross-join-plan.h) */
  const KvsqlPredicate *predicate;
  KvsqlDnf dnf;
  KvsqlGroups *groups; /* NULL: each row of the result is one tuple */
  guint *items; /* the columns of the result: the attribute, or KVSQL_NO_ATTRIBUTE for a computed
                   column */
  const gchar **item_names;
  gboolean *item_is_nullable;
  guint n_items;
  KvsqlExpr **outputs; /* the items, then columns that only ORDER BY needs; over tuples or groups.
                          NULL: all items are attributes, and ORDER BY needs no other columns */
  guint n_outputs;
  gboolean is_distinct;
  KvsqlSortKey *sort;
  guint n_sort;
  gboolean sorts_tuples; /* all sort keys are attributes, so the scan may return the order */
  guint64 limit;
  guint64 offset;
  KvsqlAttributeSet needed; /* attributes that the scan has to read */
  KvsqlAccessPath *paths;
  guint n_paths;
  const KvsqlAccessPath *best;
  const KvsqlPlanNode *root; /* the operators */
};

KvsqlSelectPlan *kvsql_select_plan_make (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                                         const KvsqlBinder *binder,
                                         const KvsqlStoreCapabilities *capabilities,
                                         GError **error);

/* The tuples that a DELETE removes, with all their attributes. */
KvsqlSelectPlan *kvsql_delete_plan_make (const KvsqlCatalog *catalog, const KvsqlDelete *statement,
                                         const KvsqlBinder *binder,
                                         const KvsqlStoreCapabilities *capabilities,
                                         GError **error);

/* Whether rows have to be sorted: the scan does not return the order of ORDER BY. */
static inline gboolean
kvsql_select_plan_sorts (const KvsqlSelectPlan *self)
{
  return self->n_sort > 0 && !(self->sorts_tuples && self->best->gives_order);
}

/* Whether rows can be returned while the scan still reads tuples. */
gboolean kvsql_select_plan_is_streaming (const KvsqlSelectPlan *self);
/* The type of an item. */
KvsqlType kvsql_select_plan_get_type (const KvsqlSelectPlan *self, guint item);
/* The relation of an item; NULL if the item is not an attribute. */
const KvsqlRelation *kvsql_select_plan_get_relation (const KvsqlSelectPlan *self, guint item);
/* Whether all items are attributes of tuples, unchanged. */
gboolean kvsql_select_plan_is_plain (const KvsqlSelectPlan *self);

/* Chooses the best access path for self->entry, self->dnf and self->needed, and builds the tree.
 * @using_schema: the schema to use; if it or its text is NULL, the planner chooses. */
gboolean kvsql_select_plan_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                                   const KvsqlName *using_schema, const KvsqlBinder *binder,
                                   const KvsqlStoreCapabilities *capabilities,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Takes another path of self->paths, which is usable. */
void kvsql_select_plan_use (KvsqlSelectPlan *self, const KvsqlAccessPath *path, KvsqlArena *arena);

/* The relation of a statement. Fails if it has no primary schema. */
const KvsqlCatalogEntry *kvsql_plan_find_relation (const KvsqlCatalog *catalog,
                                                   const KvsqlName *name, GError **error);

G_END_DECLS
