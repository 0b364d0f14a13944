/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.c: see subquery.h.
 */
#include "config.h"

#include "core/engine/subquery.h"

#define ROWS_PER_PAGE 1000
#define BYTES_PER_PAGE (1024 * 1024)

static gboolean
too_many (const KvsqlExecution *execution, KvsqlSpan span, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, span,
                   "the subquery gives more than %" G_GSIZE_FORMAT " MiB of values",
                   execution->limits.sort_bytes >> 20);
  return kvsql_error_hint (error, "Narrow the predicate of the subquery, or raise sort_bytes in "
                                  "the daemon's configuration.");
}

/* Adds the values of the result's first @n columns to @out as literals. */
static gboolean
collect_values (const KvsqlExecution *execution, const KvsqlSelectPlan *plan, guint n,
                KvsqlSpan span, GPtrArray *out, GError **error)
{
  KvsqlArena *literals = execution->binder.arena;
  g_autoptr (KvsqlSelectRun) run = kvsql_select_run_new (
      plan, kvsql_execution_get_store (execution), &execution->limits, NULL);
  gsize before = kvsql_arena_get_size (literals);
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (KvsqlBatch) page = NULL;

      if (!kvsql_select_run_page (run, ROWS_PER_PAGE, BYTES_PER_PAGE, execution->call, arena, &page,
                                  &has_more, error))
        return FALSE;
      for (guint row = 0; row < page->n_rows; row++)
        for (guint column = 0; column < n; column++)
          {
            KvsqlValue value = kvsql_vector_get (&page->columns[column], row);
            g_ptr_array_add (out, kvsql_subquery_make_literal (&value, span, literals));
          }
      if (kvsql_arena_get_size (literals) - before > execution->limits.sort_bytes)
        return too_many (execution, span, error);
    }
  kvsql_execution_note_skipped (execution, plan, run, 0);
  return TRUE;
}

static gboolean
run_subquery (const KvsqlSelect *select, guint n, const KvsqlAstExpr *in, GPtrArray *out,
              gpointer data, GError **error)
{
  const KvsqlExecution *self = data;
  const KvsqlSelectPlan *plan = kvsql_execution_plan_select (self, select, error);

  if (plan == NULL)
    return FALSE;
  if (plan->n_items != n && in->kind == KVSQL_AST_IN)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID,
                            in->subquery->n_items > 0 ? in->subquery->items[0].span : in->span,
                            "a subquery of IN gives one column, not %u", plan->n_items);
  if (!self->binder.is_prepare)
    return collect_values (self, plan, n, in->span, out, error);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (out,
                     kvsql_subquery_make_literal (&KVSQL_VALUE_NULL, in->span, self->binder.arena));
  return TRUE;
}

const KvsqlAstStatement *
kvsql_execute_subqueries (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                          GError **error)
{
  KvsqlSubqueryRunner runner = { .arena = self->binder.arena,
                                 .catalog = self->catalog,
                                 .data = (gpointer)self,
                                 .run = run_subquery };

  return kvsql_subqueries_replace (&runner, statement, error);
}
