/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write.c: see write.h.
 */
#include "config.h"

#include "core/engine/write.h"

#include "core/engine/insert.h"
#include "core/engine/subquery.h"
#include "core/engine/write-mode.h"
#include "core/expr/uses.h"
#include "core/write/current-tuples.h"
#include "core/write/delete.h"
#include "core/write/old-tuples.h"
#include "core/write/update.h"

/* Of the rows of RETURNING, which are one page. */
#define MAX_RETURNING_BYTES (8 * 1024 * 1024)

static KvsqlWritePlan *
plan_write (const KvsqlExecution *self, const KvsqlAstStatement *statement,
            const KvsqlBinder *binder, GError **error)
{
  const KvsqlStoreCapabilities *capabilities = kvsql_execution_get_capabilities (self);

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_INSERT:
      return kvsql_insert_plan_make (self->catalog, &statement->insert, binder, capabilities,
                                     error);
    case KVSQL_STATEMENT_UPDATE:
      return kvsql_update_plan_make (self->catalog, &statement->update, binder, capabilities,
                                     error);
    default:
      return kvsql_remove_plan_make (self->catalog, &statement->delete_, binder, capabilities,
                                     error);
    }
}

KvsqlWritePlan *
kvsql_execution_plan_write (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                            GError **error)
{
  KvsqlBinder binder = self->binder;
  KvsqlUses uses = { 0 };
  KvsqlWritePlan *plan;

  binder.uses = self->checks_attributes ? &uses : NULL;
  plan = plan_write (self, statement, &binder, error);
  return plan != NULL
                 && (!self->checks_attributes || kvsql_execution_check_uses (self, &uses, error))
             ? plan
             : NULL;
}

gboolean
kvsql_write_plan_is_plain_delete (const KvsqlWritePlan *plan)
{
  return plan->kind == KVSQL_STATEMENT_DELETE && plan->joined == NULL
         && plan->limit == KVSQL_NO_LIMIT && plan->n_returning == 0 && plan->timestamp == 0;
}

static gboolean
change (const KvsqlExecution *self, KvsqlWritePlan *plan, const KvsqlSelectLimits *limits,
        KvsqlReturning *returning, guint64 *out_n, GError **error)
{
  if (kvsql_write_plan_is_plain_delete (plan)
      && !kvsql_entry_needs_compare_and_set (plan->entry, self->storage)
      && !kvsql_entry_is_checked (plan->entry, kvsql_execution_get_capabilities (self)))
    return kvsql_delete_run (self->storage, plan->find, limits, self->call, out_n, error);
  return kvsql_update_run (self->storage, plan, limits, self->call, returning, out_n, error);
}

static gboolean
execute (const KvsqlExecution *self, KvsqlWritePlan *plan, const KvsqlAstStatement *statement,
         KvsqlReturning *returning, guint64 *out_n, GError **error)
{
  KvsqlSelectLimits limits = self->limits;
  guint64 n_undecodable = 0;

  *out_n = 0;
  if (plan->entry->relation->writes == KVSQL_WRITES_PAUSED)
    return kvsql_fail_paused (plan->entry->relation, error);
  if (plan->kind == KVSQL_STATEMENT_INSERT)
    return kvsql_execute_insert (self, plan, &statement->insert, returning, out_n, error);
  /* Tuples that are found are read again under locks, so the search should not run far ahead. */
  limits.n_workers = 0;
  limits.undecodable = &n_undecodable;
  if (!change (self, plan, &limits, returning, out_n, error))
    return FALSE;
  self->skipped (plan->find->best->schema, n_undecodable, NULL, 0, self->data);
  return TRUE;
}

gboolean
kvsql_execute_write (const KvsqlExecution *self, KvsqlWritePlan *plan,
                     const KvsqlAstStatement *statement, KvsqlReturning *returning, guint64 *out_n,
                     GError **error)
{
  KvsqlSubqueryHost host;
  gboolean ok;

  kvsql_execution_enter_subqueries (self, &host);
  ok = execute (self, plan, statement, returning, out_n, error);
  kvsql_subquery_host_leave (&host);
  return ok;
}

KvsqlResultColumn *
kvsql_columns_of_returning (const KvsqlWritePlan *plan, KvsqlArena *arena)
{
  KvsqlResultColumn *columns = kvsql_arena_array (arena, KvsqlResultColumn, plan->n_returning);

  for (guint i = 0; i < plan->n_returning; i++)
    {
      const KvsqlExpr *expr = plan->returning[i];
      const KvsqlRelation *relation = NULL;
      const KvsqlAttribute *attribute
          = expr->kind == KVSQL_EXPR_COLUMN
                ? kvsql_write_plan_get_attribute (plan, expr->column, &relation)
                : NULL;
      gboolean is_written = relation == plan->entry->relation;

      /* an outer join may give NULL for other relations */
      columns[i] = (KvsqlResultColumn){
        .name = kvsql_arena_strdup (arena, plan->returning_names[i]),
        .type = expr->type,
        .is_nullable = !is_written || !attribute->is_not_null,
        .relation = attribute != NULL && !relation->is_derived
                        ? kvsql_arena_strdup (arena, relation->name)
                        : NULL,
        .relation_number = attribute != NULL ? relation->number : 0,
        .attribute = attribute != NULL ? (guint)(attribute - relation->attributes) + 1 : 0,
        .limit = attribute != NULL ? attribute->limit : (KvsqlTypeLimit){ 0 },
      };
    }
  return columns;
}

static KvsqlResultPage *
returning_end (KvsqlReturning *self, gint64 affected)
{
  KvsqlResultPage *page = kvsql_result_page_new_empty (affected);

  if (self->plan->n_returning > 0)
    {
      page->n_columns = self->plan->n_returning;
      page->rows = g_steal_pointer (&self->rows);
      page->arena = g_steal_pointer (&self->arena);
      page->columns = kvsql_columns_of_returning (self->plan, page->arena);
      for (guint i = 0; i < page->n_columns; i++)
        kvsql_result_show_digits (page->rows, i, &page->columns[i].limit, page->arena);
    }
  kvsql_returning_clear (self);
  return page;
}

KvsqlResultPage *
kvsql_execute_write_page (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                          GError **error)
{
  KvsqlWritePlan *plan = kvsql_execution_plan_write (self, statement, error);
  KvsqlReturning returning;
  guint64 n;

  if (plan == NULL)
    return NULL;
  kvsql_returning_init (&returning, plan, MAX_RETURNING_BYTES);
  if (kvsql_execute_write (self, plan, statement, &returning, &n, error))
    return returning_end (&returning, n);
  kvsql_returning_clear (&returning);
  return NULL;
}
