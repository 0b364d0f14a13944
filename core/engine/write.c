/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write.c: see write.h.
 */
#include "config.h"

#include "core/engine/write.h"

#include "core/engine/insert.h"
#include "core/write/delete.h"
#include "core/write/old-tuples.h"
#include "core/write/update.h"

KvsqlWritePlan *
kvsql_execution_plan_write (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                            GError **error)
{
  const KvsqlStoreCapabilities *capabilities = kvsql_execution_get_capabilities (self);

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_INSERT:
      return kvsql_insert_plan_make (self->catalog, &statement->insert, &self->binder, error);
    case KVSQL_STATEMENT_UPDATE:
      return kvsql_update_plan_make (self->catalog, &statement->update, &self->binder, capabilities,
                                     error);
    default:
      return kvsql_remove_plan_make (self->catalog, &statement->delete_, &self->binder,
                                     capabilities, error);
    }
}

/* A DELETE of all tuples that the plan finds: in large batches, and reading only what the layouts
 * require. */
static gboolean
is_plain_delete (const KvsqlWritePlan *plan)
{
  return plan->kind == KVSQL_STATEMENT_DELETE && plan->limit == KVSQL_NO_LIMIT
         && plan->n_returning == 0 && plan->timestamp == 0;
}

static gboolean
change (const KvsqlExecution *self, KvsqlWritePlan *plan, const KvsqlSelectLimits *limits,
        KvsqlReturning *returning, KvsqlCalls *calls, guint64 *out_n, GError **error)
{
  if (is_plain_delete (plan) && calls != NULL)
    return kvsql_delete_explain (self->engine, plan->find, limits, self->call, calls, error);
  if (is_plain_delete (plan) && !kvsql_entry_needs_compare_and_set (plan->entry, self->engine))
    return kvsql_delete_run (self->engine, plan->find, limits, self->call, out_n, error);
  return kvsql_update_run (self->engine, plan, limits, self->call, returning, calls, out_n, error);
}

gboolean
kvsql_execute_write (const KvsqlExecution *self, KvsqlWritePlan *plan,
                     const KvsqlAstStatement *statement, KvsqlReturning *returning,
                     KvsqlCalls *calls, guint64 *out_n, GError **error)
{
  KvsqlSelectLimits limits = self->limits;
  guint64 n_undecodable = 0;

  *out_n = 0;
  if (plan->kind == KVSQL_STATEMENT_INSERT)
    return kvsql_execute_insert (self, plan, &statement->insert, returning, calls, out_n, error);
  /* Tuples that are found are read again under locks, so the search should not run far ahead. */
  limits.n_workers = 0;
  limits.undecodable = calls == NULL ? &n_undecodable : NULL;
  if (!change (self, plan, &limits, returning, calls, out_n, error))
    return FALSE;
  if (calls == NULL)
    self->skipped (plan->find->best->schema, n_undecodable, NULL, 0, self->data);
  return TRUE;
}
