/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-update.c: UPDATE and DELETE, and the rows of RETURNING.
 */
#include "config.h"

#include "core/exec/delete.h"
#include "core/exec/update.h"
#include "daemon/service-private.h"

#define MAX_RETURNING_BYTES (8 * 1024 * 1024)

/* ---- RETURNING */

KvsqldColumn *
kvsqld_columns_of_returning (const KvsqlWritePlan *plan)
{
  const KvsqlRelation *relation = plan->entry->relation;
  KvsqldColumn *columns = g_new0 (KvsqldColumn, plan->n_returning);

  for (guint i = 0; i < plan->n_returning; i++)
    {
      const KvsqlExpr *expr = plan->returning[i];
      columns[i].name = g_strdup (plan->returning_names[i]);
      columns[i].type = expr->type;
      columns[i].is_nullable
          = expr->kind != KVSQL_EXPR_COLUMN || !relation->attributes[expr->column].is_not_null;
      if (expr->kind == KVSQL_EXPR_COLUMN)
        columns[i].relation = g_strdup (relation->name);
    }
  return columns;
}

void
kvsqld_returning_begin (KvsqlReturning *self, const KvsqlWritePlan *plan)
{
  kvsql_returning_init (self, plan, MAX_RETURNING_BYTES);
}

KvsqldPage *
kvsqld_returning_end (KvsqlReturning *self, gint64 affected)
{
  KvsqldPage *page = kvsqld_page_new_empty (affected);

  if (self->plan->n_returning > 0)
    {
      page->n_columns = self->plan->n_returning;
      page->columns = kvsqld_columns_of_returning (self->plan);
      page->rows = g_steal_pointer (&self->rows);
      page->arena = g_steal_pointer (&self->arena);
    }
  kvsql_returning_clear (self);
  return page;
}

/* ---- plans */

KvsqlWritePlan *
kvsqld_plan_update (KvsqldTask *task, const KvsqlStatement *statement, gboolean is_prepare,
                    GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  const KvsqlStoreCapabilities *capabilities = &task->service->store->capabilities;

  binder.is_prepare = is_prepare;
  if (statement->kind == KVSQL_STATEMENT_UPDATE)
    return kvsql_update_plan_make (task->catalog, &statement->update, &binder, capabilities, error);
  return kvsql_remove_plan_make (task->catalog, &statement->delete_, &binder, capabilities, error);
}

/* Whatever just goes, in great numbers and with as little reading as its layouts need. */
static gboolean
is_plain_delete (const KvsqlWritePlan *plan)
{
  return plan->kind == KVSQL_STATEMENT_DELETE && plan->limit == KVSQL_NO_LIMIT
         && plan->n_returning == 0 && plan->timestamp == 0;
}

/* ---- running */

/* What is found is read again under locks, so it had better not be found long before. */
static KvsqlSelectLimits
limits_of_search (const KvsqldTask *task)
{
  KvsqlSelectLimits limits = kvsqld_task_get_select_limits (task);

  limits.n_helpers = 0;
  return limits;
}

KvsqldPage *
kvsqld_run_update (KvsqldTask *task, GError **error)
{
  KvsqlSelectLimits limits = limits_of_search (task);
  KvsqlEngine *engine = task->service->engine;
  KvsqlWritePlan *plan = kvsqld_plan_update (task, task->statement, FALSE, error);
  KvsqlReturning returning;
  guint64 n;

  if (plan == NULL)
    return NULL;
  if (is_plain_delete (plan) && !kvsql_entry_must_exchange (plan->entry, engine))
    return kvsql_delete_run (engine, plan->find, &limits, &task->call, &n, error)
               ? kvsqld_page_new_empty (n)
               : NULL;
  kvsqld_returning_begin (&returning, plan);
  if (kvsql_update_run (engine, plan, &limits, &task->call, &returning, NULL, &n, error))
    return kvsqld_returning_end (&returning, n);
  kvsql_returning_clear (&returning);
  return NULL;
}

gboolean
kvsqld_explain_update_calls (KvsqldTask *task, const KvsqlStatement *statement, KvsqlCalls *calls,
                             GError **error)
{
  KvsqlSelectLimits limits = limits_of_search (task);
  KvsqlEngine *engine = task->service->engine;
  KvsqlWritePlan *plan = kvsqld_plan_update (task, statement, FALSE, error);
  guint64 unused;

  if (plan == NULL)
    return FALSE;
  if (is_plain_delete (plan))
    return kvsql_delete_explain (engine, plan->find, &limits, &task->call, calls, error);
  return kvsql_update_run (engine, plan, &limits, &task->call, NULL, calls, &unused, error);
}
