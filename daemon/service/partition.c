/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * partition.c: divides a SELECT into cursors that can be read in parallel.
 *
 * The daemon stores nothing about them: a cursor is a token, which holds its range.
 */
#include "config.h"

#include "core/exec/partition.h"
#include "daemon/service/service-private.h"

#define MAX_PARTS 1000

static GPtrArray *
seal_parts (KvsqldContext *context, const KvsqlSelectPlan *plan, const KvsqlScanPart *parts,
            guint n)
{
  g_autoptr (GBytes) key
      = kvsqld_definitions_get_secret (context->service->definitions, &context->call);
  GPtrArray *cursors = g_ptr_array_new_full (n, (GDestroyNotify)g_bytes_unref);
  KvsqldCursorToken token = {
    .page = KVSQLD_FIRST_PAGE_OF_PART,
    .now = context->now,
    .schema = kvsql_slice_from_text (plan->best->schema->name),
    .is_verified = plan->is_verified,
    .sql = context->sql,
    .parameters = (KvsqlValue *)context->parameters,
    .n_parameters = context->n_parameters,
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

/* The result of a subquery may change between two plans of the token's statement. */
static gboolean
run_subqueries (KvsqldContext *context, gboolean *out_any, GError **error)
{
  const KvsqlAstStatement *statement = context->statement;
  gboolean ok = kvsqld_context_run_subqueries (context, error);

  *out_any = context->statement != statement;
  return ok;
}

GPtrArray *
kvsqld_context_partition (KvsqldContext *self, guint n_wanted, GError **error)
{
  const KvsqlSelectPlan *plan;
  const KvsqlExecution execution = kvsqld_context_get_execution (self);
  KvsqlScanPart *parts = NULL;
  gboolean has_subqueries;
  guint n = 0;

  if (self->statement->kind != KVSQL_STATEMENT_SELECT || self->sql.size > KVSQLD_MAX_TOKEN_SQL)
    return g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  if (!run_subqueries (self, &has_subqueries, error))
    return NULL;
  plan = kvsql_execution_plan_select (&execution, &self->statement->select, error);
  if (plan == NULL
      || (!has_subqueries
          && !kvsql_select_partition (plan, self->service->store, CLAMP (n_wanted, 1, MAX_PARTS),
                                      &self->call, self->arena, &parts, &n, error)))
    return NULL;
  return n > 0 ? seal_parts (self, plan, parts, n)
               : g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
}
