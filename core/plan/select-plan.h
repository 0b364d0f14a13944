/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-plan.h: how a SELECT will be answered.
 *
 * Immutable once made; everything lives in the binder's arena, definitions in the catalog snapshot
 * that the caller holds.
 */
#pragma once

#include "core/plan/bind.h"
#include "core/plan/order.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlCatalogEntry *entry;
  const KvsqlPredicate *predicate;
  KvsqlBoxes boxes;
  guint *items; /* attributes, in the order of the answer */
  const gchar **item_names;
  guint n_items;
  KvsqlSortKey *sort;
  guint n_sort;
  guint64 limit;
  guint64 offset;
  KvsqlAttributeSet needed; /* by items, predicate and order */
  KvsqlCandidate *candidates;
  guint n_candidates;
  const KvsqlCandidate *chosen;
} KvsqlSelectPlan;

KvsqlSelectPlan *kvsql_select_plan_make (const KvsqlCatalog *catalog, const KvsqlSelect *select,
                                         const KvsqlBinder *binder,
                                         const KvsqlStoreCapabilities *capabilities,
                                         GError **error);

/* The tuples that a DELETE is about, with all their attributes. */
KvsqlSelectPlan *kvsql_delete_plan_make (const KvsqlCatalog *catalog, const KvsqlDelete *statement,
                                         const KvsqlBinder *binder,
                                         const KvsqlStoreCapabilities *capabilities,
                                         GError **error);

/* Whether tuples have to be sorted: the scan does not give the order that is asked for. */
static inline gboolean
kvsql_select_plan_sorts (const KvsqlSelectPlan *self)
{
  return self->n_sort > 0 && !self->chosen->gives_order;
}

/* The relation of a statement, with at least a primary schema. */
const KvsqlCatalogEntry *kvsql_plan_find_relation (const KvsqlCatalog *catalog,
                                                   const KvsqlName *name, GError **error);

G_END_DECLS
