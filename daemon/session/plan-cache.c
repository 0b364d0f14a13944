/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * plan-cache.c: a bounded table from texts to plans. It is emptied when it is full, and when the
 * definitions change.
 */
#include "config.h"

#include "daemon/session/plan-cache.h"
#include "core/base/hash.h"
#include "core/base/interrupt.h"

#define MAX_PLANS 500
/* The most memory of a plan with its statement and text; with MAX_PLANS it limits the cache. */
#define MAX_PLAN_BYTES (64 * 1024)
#define N_SEEN 4096

struct _KvsqldPlanCache
{
  GMutex mutex;
  KvsqlCatalog *catalog; /* of all plans; nullable while there are none */
  GHashTable *plans;     /* KvsqlSlice * (in the plan) -> KvsqldPlan */
  guint32 seen[N_SEEN];  /* hashes of texts; a collision only caches a plan that is not needed */
};

/* ---- plans */

KvsqldPlan *
kvsqld_plan_new (KvsqlArena *arena, KvsqlCatalog *catalog, KvsqlSlice sql,
                 const KvsqlAstStatement *statement, KvsqldParsed *parsed,
                 const KvsqlSelectPlan *plan, const KvsqlPointPlan *point)
{
  KvsqldPlan *self = g_new0 (KvsqldPlan, 1);

  *self = (KvsqldPlan){ .ref_count = 1,
                        .arena = arena,
                        .catalog = kvsql_catalog_ref (catalog),
                        .sql = sql,
                        .statement = statement,
                        .parsed = parsed == NULL ? NULL : kvsqld_parsed_ref (parsed),
                        .plan = plan,
                        .point = point };
  return self;
}

KvsqldPlan *
kvsqld_plan_ref (KvsqldPlan *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
kvsqld_plan_unref (KvsqldPlan *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->ref_count))
    return;
  kvsql_arena_free (self->arena);
  kvsql_catalog_unref (self->catalog);
  kvsqld_parsed_unref (self->parsed);
  g_free (self);
}

/* ---- cacheable statements */

static gboolean
is_plain (const KvsqlAstExpr *expr)
{
  if (expr == NULL)
    return TRUE;
  switch (expr->kind)
    {
    case KVSQL_AST_LITERAL:
    case KVSQL_AST_PARAMETER:
    case KVSQL_AST_NAME:
    case KVSQL_AST_UNARY:
    case KVSQL_AST_BINARY:
    case KVSQL_AST_IN:
    case KVSQL_AST_BETWEEN:
    case KVSQL_AST_LIKE:
    case KVSQL_AST_IS_NULL:
      break;
    default:
      return FALSE;
    }
  for (guint i = 0; i < expr->n_children && kvsql_interrupt_tick (); i++)
    if (!is_plain (expr->children[i]))
      return FALSE;
  return expr->subquery == NULL;
}

static gboolean
is_plain_join (const KvsqlJoin *join)
{
  return join == NULL
         || (is_plain (join->on) && is_plain_join (join->left) && is_plain_join (join->right));
}

static gboolean
has_query (const KvsqlSelect *select)
{
  for (guint i = 0; i <= select->n_joined; i++)
    if (kvsql_select_get_source (select, i)->query != NULL)
      return TRUE;
  return FALSE;
}

gboolean
kvsqld_plan_is_cacheable (const KvsqlAstStatement *statement)
{
  const KvsqlSelect *select = &statement->select;

  if (statement->kind != KVSQL_STATEMENT_SELECT || select->set != NULL || select->rows != NULL
      || has_query (select) || select->n_group_by > 0 || select->having != NULL
      || !is_plain_join (select->join) || !is_plain (select->where) || !is_plain (select->limit)
      || !is_plain (select->offset))
    return FALSE;
  for (guint i = 0; i < select->n_distinct_on; i++)
    if (!is_plain (select->distinct_on[i]))
      return FALSE;
  for (guint i = 0; i < select->n_items; i++)
    if (!is_plain (select->items[i].expr))
      return FALSE;
  for (guint i = 0; i < select->n_order_by; i++)
    if (!is_plain (select->order_by[i].expr))
      return FALSE;
  return TRUE;
}

/* ---- the table */

static GHashTable *
new_plans (void)
{
  return g_hash_table_new_full (kvsql_slice_hash_func, kvsql_slice_equal_func, NULL,
                                (GDestroyNotify)kvsqld_plan_unref);
}

KvsqldPlanCache *
kvsqld_plan_cache_new (void)
{
  KvsqldPlanCache *self = g_new0 (KvsqldPlanCache, 1);

  g_mutex_init (&self->mutex);
  self->plans = new_plans ();
  return self;
}

void
kvsqld_plan_cache_free (KvsqldPlanCache *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->plans);
  kvsql_catalog_unref (self->catalog);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

KvsqldPlan *
kvsqld_plan_cache_find (KvsqldPlanCache *self, KvsqlSlice sql, KvsqlCatalog *catalog)
{
  KvsqldPlan *plan = NULL;

  g_mutex_lock (&self->mutex);
  if (self->catalog == catalog)
    plan = g_hash_table_lookup (self->plans, &sql);
  if (plan != NULL)
    kvsqld_plan_ref (plan);
  g_mutex_unlock (&self->mutex);
  return plan;
}

gboolean
kvsqld_plan_cache_wants (KvsqldPlanCache *self, KvsqlSlice sql)
{
  guint32 hash = (guint32)kvsql_slice_hash (sql);
  guint32 *seen = &self->seen[hash % N_SEEN];
  gboolean was_seen;

  g_mutex_lock (&self->mutex);
  was_seen = *seen == hash;
  *seen = hash;
  g_mutex_unlock (&self->mutex);
  return was_seen;
}

void
kvsqld_plan_cache_put (KvsqldPlanCache *self, KvsqldPlan *plan)
{
  g_autoptr (GHashTable) old_plans = NULL;
  KvsqlCatalog *old_catalog = NULL;

  if (kvsql_arena_get_size (plan->arena)
          + (plan->parsed == NULL ? 0 : kvsql_arena_get_size (plan->parsed->arena))
      > MAX_PLAN_BYTES)
    return;
  g_mutex_lock (&self->mutex);
  if (self->catalog != plan->catalog || g_hash_table_size (self->plans) >= MAX_PLANS)
    {
      old_plans = self->plans; /* freed outside the lock */
      old_catalog = self->catalog;
      self->plans = new_plans ();
      self->catalog = kvsql_catalog_ref (plan->catalog);
    }
  g_hash_table_replace (self->plans, &plan->sql, kvsqld_plan_ref (plan));
  g_mutex_unlock (&self->mutex);
  kvsql_catalog_unref (old_catalog);
}

guint
kvsqld_plan_cache_get_size (KvsqldPlanCache *self)
{
  guint size;

  g_mutex_lock (&self->mutex);
  size = g_hash_table_size (self->plans);
  g_mutex_unlock (&self->mutex);
  return size;
}
