/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-cache.h: caches the plans of repeated statements, by their exact text.
 *
 * A cached plan holds everything that it was made from. It is valid for one snapshot of the
 * definitions, which has the statistics, too. It is immutable, so all threads may run it at the
 * same time. The plan of a statement with parameters is a pattern for all values
 * (core/plan/point-plan.h).
 */
#pragma once

#include "core/plan/point-plan.h"
#include "daemon/session/statements.h"

G_BEGIN_DECLS

typedef struct
{
  gint ref_count;
  KvsqlArena *arena; /* of all members below */
  KvsqlCatalog *catalog;
  KvsqlSlice sql;
  const KvsqlAstStatement *statement;
  KvsqldParsed *parsed; /* nullable: owns the statement if @arena does not */
  const KvsqlSelectPlan *plan;
  const KvsqlPointPlan *point; /* nullable: the pattern; @plan is for one execution's values */
  guint64 allowed;             /* atomic: who may execute it, for the service; 0: not known */
  guint64 fingerprint;         /* atomic: of @statement; 0: not known */
} KvsqldPlan;

/* @arena: (transfer full); @parsed: (nullable); @point: (nullable) */
KvsqldPlan *kvsqld_plan_new (KvsqlArena *arena, KvsqlCatalog *catalog, KvsqlSlice sql,
                             const KvsqlAstStatement *statement, KvsqldParsed *parsed,
                             const KvsqlSelectPlan *plan, const KvsqlPointPlan *point);
KvsqldPlan *kvsqld_plan_ref (KvsqldPlan *self);
void kvsqld_plan_unref (KvsqldPlan *self); /* accepts NULL */

/* Whether the plan of a statement depends only on its text and its parameters: the statement calls
 * no function whose result may change from one execution to the next. */
gboolean kvsqld_plan_is_cacheable (const KvsqlAstStatement *statement);

typedef struct _KvsqldPlanCache KvsqldPlanCache;

/* All functions may be called by all threads. */
KvsqldPlanCache *kvsqld_plan_cache_new (void);
void kvsqld_plan_cache_free (KvsqldPlanCache *self); /* accepts NULL */

/* (transfer full) (nullable): the plan of this text on this snapshot. */
KvsqldPlan *kvsqld_plan_cache_find (KvsqldPlanCache *self, KvsqlSlice sql, KvsqlCatalog *catalog);
/* TRUE if the text was asked for before. The plan of a statement that comes once is not worth
 * caching. */
gboolean kvsqld_plan_cache_wants (KvsqldPlanCache *self, KvsqlSlice sql);
void kvsqld_plan_cache_put (KvsqldPlanCache *self, KvsqldPlan *plan);
guint kvsqld_plan_cache_get_size (KvsqldPlanCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPlanCache, kvsqld_plan_cache_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPlan, kvsqld_plan_unref)

G_END_DECLS
