/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-cache.h: plans of statements that come again word for word.
 *
 * A plan is kept with what it was made from, and is good for one snapshot of the definitions and
 * of the statistics. It is immutable: all threads may run it at once. Of a statement with
 * parameters it is a pattern, for all values (core/plan/point-plan.h).
 */
#pragma once

#include "core/plan/point-plan.h"
#include "daemon/statements.h"

G_BEGIN_DECLS

typedef struct
{
  gint ref_count;
  KvsqlArena *arena; /* of all below */
  KvsqlCatalog *catalog;
  GHashTable *statistics; /* nullable */
  KvsqlSlice sql;
  const KvsqlStatement *statement;
  KvsqldParsed *parsed; /* nullable: owns the statement if @arena does not */
  const KvsqlSelectPlan *plan;
  const KvsqlPointPlan *point; /* nullable: @plan is for one run's values, and this for others */
} KvsqldPlan;

/* @arena: (transfer full); @parsed: (nullable); @point: (nullable) */
KvsqldPlan *kvsqld_plan_new (KvsqlArena *arena, KvsqlCatalog *catalog, GHashTable *statistics,
                             KvsqlSlice sql, const KvsqlStatement *statement, KvsqldParsed *parsed,
                             const KvsqlSelectPlan *plan, const KvsqlPointPlan *point);
KvsqldPlan *kvsqld_plan_ref (KvsqldPlan *self);
void kvsqld_plan_unref (KvsqldPlan *self); /* accepts NULL */

/* Whether the plan of a statement depends on nothing but its text and its parameters: it calls
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
