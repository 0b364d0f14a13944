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
#include "core/plan/bind-insert.h"

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

/* VALUES are bound only when they are inserted. What is wrong with them is reported then. */
static gboolean
note_places (const KvsqlExecution *self, const KvsqlInsert *insert, const KvsqlRelation *relation,
             GError **error)
{
  const KvsqlBinder *binder = &self->binder;
  KvsqlBinder nameless = *binder;
  guint n_targets;
  guint *targets;

  if (binder->place_types == NULL)
    return TRUE;
  nameless.relation = NULL;
  targets = kvsql_bind_insert_targets (relation, insert->attributes, insert->n_attributes,
                                       binder->arena, &n_targets, error);
  for (guint i = 0; targets != NULL && i < insert->n_rows && kvsql_interrupt_tick (); i++)
    for (guint j = 0; j < MIN (insert->n_values, n_targets); j++)
      {
        const KvsqlAstExpr *value = insert->rows[i][j];
        const KvsqlAttribute *target = &relation->attributes[targets[j]];
        KvsqlExpr *expr = NULL;

        if (value == NULL || value->kind == KVSQL_AST_LITERAL)
          continue;
        kvsql_binder_note_limited_place (binder, value, target->type, &target->limit);
        if (value->kind != KVSQL_AST_PARAMETER)
          expr = kvsql_expr_bind (&nameless, value, NULL);
        if (expr != NULL)
          kvsql_expr_assign (&nameless, expr, target, NULL);
      }
  return targets != NULL;
}

static gboolean
plan_write (const KvsqlExecution *self, const KvsqlAstStatement *statement,
            KvsqlResultColumn **out_columns, guint *out_n_columns, GError **error)
{
  const KvsqlWritePlan *plan = kvsql_execution_plan_write (self, statement, error);

  if (plan == NULL
      || (statement->kind == KVSQL_STATEMENT_INSERT && statement->insert.select == NULL
          && !note_places (self, &statement->insert, plan->entry->relation, error)))
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
