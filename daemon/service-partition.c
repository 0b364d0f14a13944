/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-partition.c: a SELECT as cursors that can be read beside each other.
 *
 * Nothing is kept of them: a cursor is a token, which says from where to where it reads.
 */
#include "config.h"

#include "core/exec/partition.h"
#include "daemon/service-private.h"

#define MAX_PARTS 1000

static GPtrArray *
seal_parts (KvsqldTask *task, const KvsqlSelectPlan *plan, const KvsqlScanPart *parts, guint n)
{
  g_autoptr (GBytes) key = kvsqld_definitions_get_secret (task->service->definitions, &task->call);
  GPtrArray *cursors = g_ptr_array_new_full (n, (GDestroyNotify)g_bytes_unref);
  KvsqldCursorToken token = {
    .page = 1, /* 0 would be any page of a cursor that is kept warm */
    .now = task->now,
    .schema = kvsql_slice_from_text (plan->chosen->schema->name),
    .sql = task->sql,
    .parameters = (KvsqlValue *)task->parameters,
    .n_parameters = task->n_parameters,
  };

  kvsqld_definitions_hash (plan, token.definitions);
  for (guint i = 0; i < n; i++)
    {
      kvsqld_cursor_token_new_id (token.id);
      token.position.part = parts[i];
      g_ptr_array_add (cursors, kvsqld_cursor_token_seal (&token, key));
    }
  return cursors;
}

/* What a subquery gives may differ each time that a token's statement is planned again. */
static gboolean
run_subqueries (KvsqldTask *task, gboolean *out_any, GError **error)
{
  const KvsqlStatement *statement = task->statement;
  gboolean ok = kvsqld_task_run_subqueries (task, FALSE, error);

  *out_any = task->statement != statement;
  return ok;
}

GPtrArray *
kvsqld_task_partition (KvsqldTask *self, guint n_wanted, GError **error)
{
  const KvsqlSelectPlan *plan;
  KvsqlScanPart *parts = NULL;
  KvsqlBinder binder;
  gboolean has_subqueries;
  guint n = 0;

  if (self->statement->kind != KVSQL_STATEMENT_SELECT || self->sql.size > KVSQLD_MAX_TOKEN_SQL)
    return g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  if (!run_subqueries (self, &has_subqueries, error))
    return NULL;
  binder = kvsqld_task_get_binder (self);
  plan = kvsql_select_plan_make (self->catalog, &self->statement->select, &binder,
                                 &self->service->store->capabilities, error);
  if (plan == NULL
      || (!has_subqueries
          && !kvsql_select_partition (plan, self->service->store, CLAMP (n_wanted, 1, MAX_PARTS),
                                      &self->call, self->arena, &parts, &n, error)))
    return NULL;
  return n > 0 ? seal_parts (self, plan, parts, n)
               : g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
}
