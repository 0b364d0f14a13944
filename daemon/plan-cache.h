/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-cache.h: plans of statements that come again word for word.
 *
 * A plan is kept with what it was made from, and is good for one snapshot of the definitions and
 * of the statistics. It is immutable: all threads may run it at once.
 */
#pragma once

#include "core/plan/select-plan.h"

G_BEGIN_DECLS

typedef struct
{
  gint ref_count;
  KvsqlArena *arena; /* of all below */
  KvsqlCatalog *catalog;
  GHashTable *statistics; /* nullable */
  KvsqlSlice sql;
  const KvsqlStatement *statement;
  const KvsqlSelectPlan *plan;
} KvsqldPlan;

/* @arena: (transfer full) */
KvsqldPlan *kvsqld_plan_new (KvsqlArena *arena, KvsqlCatalog *catalog, GHashTable *statistics,
                             KvsqlSlice sql, const KvsqlStatement *statement,
                             const KvsqlSelectPlan *plan);
KvsqldPlan *kvsqld_plan_ref (KvsqldPlan *self);
void kvsqld_plan_unref (KvsqldPlan *self); /* accepts NULL */

/* Whether the plan of a statement depends on nothing but its text: it has no parameters, and calls
 * nothing that might differ from one time to the next. */
gboolean kvsqld_plan_can_be_kept (const KvsqlStatement *statement);

typedef struct _KvsqldPlanCache KvsqldPlanCache;

/* All functions may be called by all threads. */
KvsqldPlanCache *kvsqld_plan_cache_new (void);
void kvsqld_plan_cache_free (KvsqldPlanCache *self); /* accepts NULL */

/* (transfer full) (nullable): a plan of this text on these snapshots. */
KvsqldPlan *kvsqld_plan_cache_find (KvsqldPlanCache *self, KvsqlSlice sql, KvsqlCatalog *catalog,
                                    GHashTable *statistics);
/* TRUE for a text that was asked for before: what comes once is not worth keeping. */
gboolean kvsqld_plan_cache_wants (KvsqldPlanCache *self, KvsqlSlice sql);
void kvsqld_plan_cache_put (KvsqldPlanCache *self, KvsqldPlan *plan);
guint kvsqld_plan_cache_get_size (KvsqldPlanCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPlanCache, kvsqld_plan_cache_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPlan, kvsqld_plan_unref)

G_END_DECLS
