/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prepare.c: see prepare.h.
 */
#include "config.h"

#include "core/engine/prepare.h"

#include "core/base/interrupt.h"
#include "core/engine/select.h"
#include "core/engine/subquery.h"
#include "core/engine/write.h"

static gboolean
plan_select (const KvsqlExecution *self, const KvsqlSelect *select, KvsqlResultColumn **out_columns,
             guint *out_n_columns, GError **error)
{
  const KvsqlSelectPlan *plan = kvsql_execution_plan_select (self, select, error);

  if (plan == NULL)
    return FALSE;
  *out_n_columns = plan->n_items;
  *out_columns = kvsql_columns_of_select (plan, self->binder.arena);
  return TRUE;
}

static gboolean
plan_write (const KvsqlExecution *self, const KvsqlAstStatement *statement,
            KvsqlResultColumn **out_columns, guint *out_n_columns, GError **error)
{
  const KvsqlWritePlan *plan = kvsql_execution_plan_write (self, statement, error);

  if (plan == NULL)
    return FALSE;
  *out_n_columns = plan->n_returning;
  *out_columns = kvsql_columns_of_returning (plan, self->binder.arena);
  return TRUE;
}

gboolean
kvsql_execute_prepare (const KvsqlExecution *execution, const KvsqlAstStatement *statement,
                       KvsqlResultColumn **out_columns, guint *out_n_columns, GError **error)
{
  KvsqlExecution self = *execution;

  self.binder.is_prepare = TRUE;
  *out_columns = NULL;
  *out_n_columns = 0;
  if (!kvsql_interrupt_poll (error)
      || (statement = kvsql_execute_subqueries (&self, statement, error)) == NULL)
    return FALSE;
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      return plan_select (&self, &statement->select, out_columns, out_n_columns, error);
    case KVSQL_STATEMENT_INSERT:
    case KVSQL_STATEMENT_UPDATE:
    case KVSQL_STATEMENT_DELETE:
      return plan_write (&self, statement, out_columns, out_n_columns, error);
    default:
      return TRUE;
    }
}
