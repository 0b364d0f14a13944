/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * select-plan.h: how a SELECT will be answered.
 *
 * Immutable once made; everything lives in the binder's arena, definitions in the catalog snapshot
 * that the caller holds.
 */
#pragma once

#include "core/plan/bind.h"
#include "core/plan/group.h"
#include "core/plan/order.h"

G_BEGIN_DECLS

typedef struct _KvsqlProduct KvsqlProduct;

/* scan, [product with others,] WHERE, [groups, HAVING,] outputs, [DISTINCT,] [order,] OFFSET, LIMIT
 */
typedef struct
{
  const KvsqlCatalogEntry *entry; /* of what is scanned: the first relation of FROM; NULL: there is
                                     no FROM, and nothing is scanned or chosen */
  const KvsqlRelation *relation;  /* what names mean: the entry's, or of all that FROM names */
  KvsqlProduct *product;          /* nullable (product.h) */
  const KvsqlPredicate *predicate;
  KvsqlBoxes boxes;
  KvsqlGroups *groups; /* NULL: a row of the answer is a tuple */
  guint *items;        /* in the order of the answer: the attribute it is, or KVSQL_NO_ATTRIBUTE */
  const gchar **item_names;
  gboolean *item_is_nullable;
  guint n_items;
  KvsqlExpr **outputs; /* the items, then what only the order needs; over tuples or groups. NULL:
                          the items are attributes, and no more is needed */
  guint n_outputs;
  gboolean is_distinct;
  KvsqlSortKey *sort;
  guint n_sort;
  gboolean sorts_tuples; /* all keys are attributes of tuples, so that a scan may give the order */
  guint64 limit;
  guint64 offset;
  KvsqlAttributeSet needed; /* of what is scanned, by all of it */
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

/* Whether rows have to be sorted: the scan does not give the order that is asked for. */
static inline gboolean
kvsql_select_plan_sorts (const KvsqlSelectPlan *self)
{
  return self->n_sort > 0 && !(self->sorts_tuples && self->chosen->gives_order);
}

/* Whether rows of the answer can be given out while tuples are read. */
gboolean kvsql_select_plan_is_streaming (const KvsqlSelectPlan *self);
/* Of an item. */
KvsqlType kvsql_select_plan_get_type (const KvsqlSelectPlan *self, guint item);
/* Whose attribute an item is; NULL: it is none. */
const KvsqlRelation *kvsql_select_plan_get_relation (const KvsqlSelectPlan *self, guint item);
/* Whether the answer is attributes of tuples, as they are. */
gboolean kvsql_select_plan_is_plain (const KvsqlSelectPlan *self);

/* Chooses the schema for self->entry, self->boxes and self->needed. @using_schema: nullable, or its
 * text NULL: the planner chooses */
gboolean kvsql_select_plan_choose (KvsqlSelectPlan *self, const KvsqlCatalog *catalog,
                                   const KvsqlName *using_schema, const KvsqlBinder *binder,
                                   const KvsqlStoreCapabilities *capabilities, GError **error);

/* The relation of a statement, with at least a primary schema. */
const KvsqlCatalogEntry *kvsql_plan_find_relation (const KvsqlCatalog *catalog,
                                                   const KvsqlName *name, GError **error);

G_END_DECLS
