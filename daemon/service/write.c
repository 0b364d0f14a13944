/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write.c: INSERT, UPDATE and DELETE, and insert by columns.
 */
#include "config.h"

#include "core/engine/insert.h"
#include "core/engine/write.h"
#include "daemon/service/service-private.h"

#define MAX_RETURNING_BYTES (8 * 1024 * 1024)

KvsqlResultColumn *
kvsqld_columns_of_returning (const KvsqlWritePlan *plan)
{
  const KvsqlRelation *relation = plan->entry->relation;
  KvsqlResultColumn *columns = g_new0 (KvsqlResultColumn, plan->n_returning);

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

static KvsqlResultPage *
returning_end (KvsqlReturning *self, gint64 affected)
{
  KvsqlResultPage *page = kvsql_result_page_new_empty (affected);

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

KvsqlResultPage *
kvsqld_run_write (KvsqldContext *context, GError **error)
{
  KvsqlExecution execution = kvsqld_context_get_execution (context);
  KvsqlWritePlan *plan = kvsql_execution_plan_write (&execution, context->statement, error);
  KvsqlReturning returning;
  guint64 n;

  if (plan == NULL)
    return NULL;
  kvsql_returning_init (&returning, plan, MAX_RETURNING_BYTES);
  if (kvsql_execute_write (&execution, plan, context->statement, &returning, NULL, &n, error))
    return returning_end (&returning, n);
  kvsql_returning_clear (&returning);
  return NULL;
}

gboolean
kvsqld_service_insert_rows (KvsqldService *self, const KvsqldRequest *request,
                            const gchar *relation, const gchar *const *attributes,
                            const KvsqlBatch *data, gint64 *out_affected, GError **error)
{
  g_autofree gchar *text = g_strconcat ("INSERT INTO ", relation, NULL);
  KvsqldContext context;
  gboolean ok = FALSE;

  kvsqld_context_begin (&context, self, request, kvsql_slice_from_text (text));
  context.kind = KVSQLD_REQUEST_INSERT;
  if (context.request->is_read_only)
    kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, KVSQL_SPAN_NONE,
                     "the request is read-only, and insertRows writes");
  else if (kvsqld_context_admit (&context, error))
    {
      KvsqlExecution execution = kvsqld_context_get_execution (&context);
      ok = kvsql_execute_insert_columns (&execution, relation, attributes, data, error);
    }
  if (ok)
    {
      *out_affected = data->n_rows;
      kvsql_count_add (&self->metrics.n_tuples_changed, data->n_rows);
    }
  kvsqld_context_end (&context, ok, error);
  return ok;
}
