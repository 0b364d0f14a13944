/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.c: see subquery.h.
 */
#include "config.h"

#include "core/engine/subquery.h"

#include "core/base/interrupt.h"
#include "core/exec/row-key.h"
#include "core/plan/expand-views.h"
#include "core/plan/row-items.h"

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

/* A subquery of prepare gives one row of NULLs. */
static void
add_nulls (const KvsqlExecution *self, guint n, KvsqlSpan span, GPtrArray *out)
{
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (out,
                     kvsql_subquery_make_literal (&KVSQL_VALUE_NULL, span, self->binder.arena));
}

static gboolean
fail_columns (const KvsqlAstExpr *in, guint n_wanted, guint n, GError **error)
{
  KvsqlSpan span = kvsql_select_get_first_span (in->subquery);

  if (in->kind == KVSQL_AST_IN && n_wanted == 1)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                            "a subquery of IN gives one column, not %u", n);
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                          "this subquery must give %u column%s, not %u", n_wanted,
                          n_wanted == 1 ? "" : "s", n)
         || kvsql_error_sqlstate (error, "42601");
}

static KvsqlOutputType
type_of (const KvsqlSelectPlan *plan, guint item)
{
  return (KvsqlOutputType){
    .type = kvsql_select_plan_get_type (plan, item),
    .has_zone = kvsql_select_plan_get_limit (plan, item).kind == KVSQL_LIMIT_ZONE,
  };
}

static gboolean
run_subquery (const KvsqlSelect *select, guint n, const KvsqlAstExpr *in, GPtrArray *out,
              KvsqlOutputType *out_types, gpointer data, GError **error)
{
  const KvsqlExecution *self = data;
  const KvsqlSelectPlan *plan = kvsql_execution_plan_select (self, select, error);

  if (plan == NULL)
    return FALSE;
  if (plan->n_items != n && in->kind != KVSQL_AST_EXISTS)
    return fail_columns (in, n, plan->n_items, error);
  for (guint i = 0; out_types != NULL && i < n; i++)
    out_types[i] = type_of (plan, i);
  if (!self->binder.is_prepare)
    return collect_values (self, plan, n, in->span, out, error);
  add_nulls (self, n, in->span, out);
  return TRUE;
}

/* ---- queries of WITH */

static gboolean
describe_query (const KvsqlSelect *select, KvsqlColumns *out, gpointer data, GError **error)
{
  const KvsqlExecution *self = data;
  KvsqlArena *arena = self->binder.arena;
  const KvsqlSelectPlan *plan = kvsql_execution_plan_select (self, select, error);

  if (plan == NULL)
    return FALSE;
  out->n = plan->n_items;
  out->names = kvsql_arena_array (arena, const gchar *, plan->n_items);
  out->types = kvsql_arena_array (arena, KvsqlOutputType, plan->n_items);
  for (guint i = 0; i < plan->n_items; i++)
    {
      out->names[i] = plan->item_names[i];
      out->types[i] = type_of (plan, i);
    }
  return TRUE;
}

/* What is done with each page of a query. @arena: of the page */
typedef gboolean (*PageVisitor) (gconstpointer self, const KvsqlBatch *page, KvsqlArena *arena,
                                 GError **error);

static gboolean
run_pages (const KvsqlExecution *execution, const KvsqlSelectPlan *plan, PageVisitor visit,
           gconstpointer data, GError **error)
{
  g_autoptr (KvsqlSelectRun) run = kvsql_select_run_new (
      plan, kvsql_execution_get_store (execution), &execution->limits, NULL);
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (KvsqlBatch) page = NULL;

      if (!kvsql_select_run_page (run, ROWS_PER_PAGE, BYTES_PER_PAGE, execution->call, arena, &page,
                                  &has_more, error)
          || !visit (data, page, arena, error))
        return FALSE;
    }
  kvsql_execution_note_skipped (execution, plan, run, 0);
  return TRUE;
}

typedef struct
{
  const KvsqlExecution *execution;
  KvsqlArena *arena; /* of the literals */
  gsize before;      /* its size */
  KvsqlRowKeys *keys;
  GHashTable *known; /* nullable */
  GPtrArray *out;
} Collecting;

/* Whether the row is new. */
static gboolean
note_row (const Collecting *self, guint row)
{
  KvsqlSlice key, *copy;

  if (self->known == NULL)
    return TRUE;
  key = kvsql_row_keys_get (self->keys, row);
  if (g_hash_table_contains (self->known, &key))
    return FALSE;
  copy = kvsql_arena_new0 (self->arena, KvsqlSlice);
  *copy = kvsql_slice_dup (self->arena, key);
  g_hash_table_add (self->known, copy);
  return TRUE;
}

static gboolean
collect_page (gconstpointer data, const KvsqlBatch *page, G_GNUC_UNUSED KvsqlArena *arena,
              GError **error)
{
  const Collecting *self = data;

  if (self->known != NULL)
    kvsql_row_keys_run (self->keys, page);
  for (guint row = 0; row < page->n_rows; row++)
    for (guint c = 0; (c > 0 || note_row (self, row)) && c < page->n_columns; c++)
      {
        KvsqlValue value = kvsql_vector_get (&page->columns[c], row);

        g_ptr_array_add (self->out,
                         kvsql_subquery_make_literal (&value, KVSQL_SPAN_NONE, self->arena));
      }
  if (kvsql_arena_get_size (self->arena) - self->before <= self->execution->limits.sort_bytes)
    return kvsql_interrupt_poll (error);
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "a query of WITH gives more than %" G_GSIZE_FORMAT " MiB of values",
                   self->execution->limits.sort_bytes >> 20);
  return kvsql_error_hint (error, "It is kept in memory, for all its uses. Narrow it, or raise "
                                  "sort_bytes in the daemon's configuration.");
}

/* The plan is not needed after it was run: a recursive query has many. */
static gboolean
run_rows (const KvsqlSubqueryRunner *runner, const KvsqlSelect *select, guint n, GHashTable *known,
          GPtrArray *out, gpointer data, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlExecution self = *(const KvsqlExecution *)data;
  KvsqlKeyPart *parts = kvsql_arena_array (arena, KvsqlKeyPart, n);
  KvsqlRowKeys keys;
  const Collecting collecting = { .execution = &self,
                                  .arena = runner->arena,
                                  .before = kvsql_arena_get_size (runner->arena),
                                  .keys = &keys,
                                  .known = known,
                                  .out = out };
  const KvsqlSelectPlan *plan;
  gboolean ok;

  if (self.binder.is_prepare)
    return TRUE;
  for (guint i = 0; i < n; i++)
    parts[i] = (KvsqlKeyPart){ .column = i };
  self.binder.arena = arena;
  plan = kvsql_execution_plan_select (&self, select, error);
  if (plan == NULL)
    return FALSE;
  kvsql_row_keys_init (&keys, parts, n);
  ok = run_pages (&self, plan, collect_page, &collecting, error);
  kvsql_row_keys_clear (&keys);
  return ok;
}

/* ---- subqueries that are evaluated */

typedef struct
{
  KvsqlSubqueryAdd add;
  gpointer add_data;
} Rows;

static gboolean
add_rows (gconstpointer data, const KvsqlBatch *page, KvsqlArena *arena, GError **error)
{
  const Rows *self = data;
  KvsqlValue *row = kvsql_arena_array (arena, KvsqlValue, page->n_columns + 1);

  for (guint i = 0; i < page->n_rows; i++)
    {
      for (guint c = 0; c < page->n_columns; c++)
        row[c] = kvsql_vector_get (&page->columns[c], i);
      if (!self->add (row, self->add_data, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
run_for_values (const KvsqlSelect *select, const KvsqlType *types, const KvsqlValue *values,
                KvsqlSubqueryAdd add, gpointer add_data, gpointer data, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlExecution self = *(const KvsqlExecution *)data;
  const Rows rows = { add, add_data };
  const KvsqlSelectPlan *plan;

  self.binder.arena = arena;
  self.binder.outer_types = types;
  self.binder.outer_values = values;
  self.limits.counts = NULL;
  self.limits.joins = NULL;
  self.limits.operands = NULL;
  plan = kvsql_execution_plan_select (&self, select, error);
  return plan != NULL && run_pages (&self, plan, add_rows, &rows, error);
}

void
kvsql_execution_enter_subqueries (const KvsqlExecution *self, KvsqlSubqueryHost *host)
{
  *host = (KvsqlSubqueryHost){ .run = run_for_values,
                               .data = (gpointer)self,
                               .max_bytes = self->limits.sort_bytes };
  kvsql_subquery_host_enter (host);
}

const KvsqlAstStatement *
kvsql_execute_subqueries (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                          GError **error)
{
  KvsqlSubqueryRunner runner = { .arena = self->binder.arena,
                                 .catalog = self->catalog,
                                 .data = (gpointer)self,
                                 .run = run_subquery,
                                 .describe = describe_query,
                                 .run_rows = run_rows };
  g_autoptr (GHashTable) with_rows = g_hash_table_new (NULL, NULL);
  KvsqlSubqueryHost host;

  runner.with_rows = with_rows;

  kvsql_execution_enter_subqueries (self, &host);
  statement = kvsql_views_expand (self->catalog, statement, self->binder.arena, error);
  if (statement != NULL)
    statement = kvsql_row_items_move (statement, self->binder.arena, error);
  if (statement != NULL)
    statement = kvsql_subqueries_replace (&runner, statement, error);
  kvsql_subquery_host_leave (&host);
  return statement;
}
