/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read.c: SELECT and its cursors.
 *
 * A cursor's token has all data to resume the SELECT. Its run is cached in addition. A page that is
 * asked for twice is returned twice: the second time from the token.
 */
#include "config.h"

#include "core/base/memory.h"
#include "core/engine/select.h"
#include "core/plan/path-choice.h"
#include "core/sql/parser.h"
#include "daemon/service/service-private.h"

/* ---- one page */

/* Puts @cursor (transfer full) into the cache. A cursor that leaves the cache is resumed from its
 * token. */
static void
store_cursor (KvsqldContext *context, KvsqldCursor *cursor)
{
  const KvsqldCursorBounds bounds
      = { .max = context->limits.max_cursors,
          .max_bytes = context->limits.max_memory / KVSQLD_CURSORS_PART,
          .max_bytes_of_session = context->limits.max_memory / KVSQLD_SESSION_PART };

  cursor->session = kvsqld_context_get_session (context);
  kvsqld_cursors_put (context->service->cursors, cursor, &bounds);
}

/* Whether the client has the columns from prepare already, and they are still right: types may
 * depend on parameters, and on definitions that have changed. */
static gboolean
knows_columns (const KvsqldContext *context, const KvsqldCursor *cursor)
{
  const KvsqldParsed *parsed = cursor->parsed;

  return context->request->knows_columns && parsed != NULL
         && kvsql_select_plan_has_columns (cursor->plan, parsed->columns, parsed->n_columns);
}

/* @cursor (transfer full) has another page. */
static void
keep (KvsqldContext *context, KvsqldCursor *cursor, KvsqlResultPage *page)
{
  g_autoptr (GBytes) key
      = kvsqld_definitions_get_secret (context->service->definitions, &context->call);

  if (cursor->page++ == 0) /* most results have one page, and need no id */
    kvsqld_cursor_token_new_id (cursor->id);
  page->cursor = kvsqld_cursor_seal (cursor, key);
  if (context->request->wants_progress)
    page->done = kvsql_select_run_guess_done (cursor->run, &context->call);
  store_cursor (context, cursor);
}

/* The next page of @cursor, which is then cached or freed. */
static KvsqlResultPage *
next_page (KvsqldContext *context, KvsqldCursor *cursor_in, gboolean is_first, GError **error)
{
  g_autoptr (KvsqldCursor) cursor = cursor_in;
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  gboolean has_more;
  g_autoptr (KvsqlResultPage) page = NULL;

  context->takes_turns = TRUE;
  page = kvsql_execute_select_page (&execution, cursor->plan, cursor->run,
                                    kvsqld_context_get_page_bounds (context), &has_more, error);

  if (page == NULL)
    return NULL;
  kvsqld_undecodable_cells_move (&cursor->undecodable, g_steal_pointer (&context->undecodable));
  if (cursor->parsed != NULL)
    kvsqld_parsed_note_rows (cursor->parsed, kvsql_select_run_get_n_rows (cursor->run));
  if (!kvsqld_cursor_count_page (cursor, page, context->limits.max_result_rows,
                                 context->limits.max_result_bytes, error)
      || !kvsqld_context_check_role_rows (context, cursor->n_rows, error))
    return NULL;
  kvsql_count_add (&context->service->metrics.n_pages, 1);
  kvsql_count_add (&context->service->metrics.n_rows_given, page->rows->n_rows);
  if (is_first && !knows_columns (context, cursor))
    page->columns = kvsql_columns_of_select (cursor->plan, page->arena);
  if (has_more)
    keep (context, g_steal_pointer (&cursor), page);
  else
    kvsqld_undecodable_cells_note (cursor->undecodable, page);
  return g_steal_pointer (&page);
}

/* Who may get the next page from the run: the one that got the first. Others begin again, with
 * their own rights. */
static const gchar *
get_reader (const KvsqldContext *context)
{
  return context->authority.is_limited ? kvsql_authority_get_name (&context->authority) : "";
}

/* Moves everything that the run refers to from the context into a cursor. */
static KvsqldCursor *
cursor_from_context (KvsqldContext *context, const KvsqlSelectPlan *plan,
                     const KvsqlSelectPosition *position)
{
  KvsqldCursor *cursor = kvsql_new0 (KvsqldCursor);
  KvsqlSelectLimits limits = kvsqld_context_get_select_limits (context);

  cursor->arena = g_steal_pointer (&context->arena);
  cursor->account = kvsql_account_ref (context->account);
  cursor->shape = kvsqld_shape_ref (context->shape);
  cursor->catalog = kvsql_catalog_ref (context->catalog);
  cursor->kept = g_steal_pointer (&context->kept);
  cursor->parsed = context->parsed == NULL ? NULL : kvsqld_parsed_ref (context->parsed);
  cursor->sql = context->sql;
  cursor->parameters = context->parameters;
  cursor->n_parameters = context->n_parameters;
  cursor->now = context->now;
  cursor->plan = plan;
  cursor->role = kvsql_arena_strdup (cursor->arena, get_reader (context));
  cursor->run = kvsql_select_run_new (plan, context->service->store, &limits, position);
  return cursor;
}

/* Moves text, statement and plan from the context into the cache. */
static void
cache_plan (KvsqldContext *context, const KvsqlSelectPlan *plan, const KvsqlPointPlan *point)
{
  context->kept = kvsqld_plan_new (g_steal_pointer (&context->arena), context->catalog,
                                   context->sql, context->statement, context->parsed, plan, point);
  context->arena = kvsql_arena_new ();
  kvsqld_plan_cache_put (context->service->plans, context->kept);
}

/* NULL: there is none, or not for these parameters. */
static const KvsqlSelectPlan *
find_cached (const KvsqldContext *context, const KvsqlBinder *binder)
{
  if (context->kept == NULL || context->checks_attributes)
    return NULL;
  return context->kept->point == NULL ? context->kept->plan
                                      : kvsql_point_plan_fill (context->kept->point, binder);
}

static const KvsqlSelectPlan *
get_plan (KvsqldContext *context, GError **error)
{
  const KvsqlSelect *select = &context->statement->select;
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  const KvsqlSelectPlan *plan = find_cached (context, &execution.binder);
  const KvsqlPointPlan *point = NULL;

  if (plan != NULL)
    return plan;
  plan = kvsql_execution_plan_select (&execution, select, error);
  if (plan == NULL || !context->caches_plan || context->checks_attributes)
    return plan;
  if (context->n_parameters > 0)
    point = kvsql_point_plan_new (plan, select, &execution.binder);
  if (context->n_parameters == 0 || point != NULL)
    cache_plan (context, plan, point);
  return plan;
}

KvsqlResultPage *
kvsqld_run_select (KvsqldContext *context, GError **error)
{
  const KvsqlSelectPlan *plan;

  context->takes_turns = TRUE;
  plan = get_plan (context, error);
  return plan == NULL ? NULL
                      : next_page (context, cursor_from_context (context, plan, NULL), TRUE, error);
}

/* ---- fetch */

/* Plans the token's statement again, on the schema of the first run. */
static const KvsqlSelectPlan *
plan_again (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  KvsqlSelectPlan *plan
      = kvsql_execution_plan_select (&execution, &context->statement->select, error);

  if (plan == NULL)
    return NULL;
  if (!kvsql_select_plan_use_schema (plan, token->schema, context->arena))
    {
      kvsqld_cursor_fail_changed (error);
      return NULL;
    }
  return kvsqld_cursor_token_check_definitions (token, plan, error) ? plan : NULL;
}

static gboolean
parse_again (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  if (token->sql.size == 0)
    return kvsqld_cursor_fail (
        "this cursor is no longer kept",
        "Its statement was too long to be carried in the cursor; run it again.", error);
  context->sql = token->sql;
  context->statement = kvsql_parser_parse (token->sql, context->arena, error);
  return context->statement != NULL;
}

/* Without the keys that were returned, a tuple could be returned again: also one that only an
 * earlier run has skipped or sorted. */
static gboolean
check_begins_again (const KvsqlSelectPlan *plan, const KvsqlSelectPosition *position,
                    GError **error)
{
  gboolean is_begun = position->scan.has_row || position->n_emitted > 0;
  gboolean can_resume = position->scan.has_row && !kvsql_select_plan_remembers_keys (plan);

  return !kvsql_select_plan_has_verified (plan) || !is_begun || can_resume
         || kvsqld_cursor_fail (
             "this cursor is no longer kept",
             "kvsqld remembered which tuples this verified read has returned, "
             "so only that daemon could go on, once for each page; run it again.",
             error);
}

static KvsqldCursor *
begin_again (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  const KvsqlSelectPlan *plan;
  KvsqldCursor *cursor;

  if (context->statement->kind != KVSQL_STATEMENT_SELECT)
    {
      kvsqld_cursor_fail ("this is not a cursor of a SELECT", "Run the statement again.", error);
      return NULL;
    }
  context->parameters = token->parameters;
  context->n_parameters = token->n_parameters;
  if (token->now != 0)
    context->now = token->now;
  context->is_verified = token->is_verified;
  if (!kvsqld_context_run_subqueries (context, error))
    return NULL;
  plan = plan_again (context, token, error);
  if (plan == NULL || !check_begins_again (plan, &token->position, error))
    return NULL;
  cursor = cursor_from_context (context, plan, &token->position);
  memcpy (cursor->id, token->id, sizeof cursor->id);
  cursor->page = token->page;
  cursor->n_rows = token->position.n_emitted;
  /* without a row to resume from, the scan starts again */
  if (token->position.scan.has_row)
    kvsqld_undecodable_cells_resume (&cursor->undecodable, plan->best->schema,
                                     token->n_undecodable);
  return cursor;
}

/* A copy for display, because the arena may move to the cursor before the context ends. */
static guint8 *
show_text (KvsqldContext *context, KvsqlSlice sql)
{
  guint8 *text = g_memdup2 (sql.data, sql.size);

  context->text = kvsql_slice (text, sql.size);
  if (context->killable != NULL)
    kvsqld_session_set_text (context->request->session, context->text);
  return text;
}

KvsqlResultPage *
kvsqld_service_fetch (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sealed,
                      GError **error)
{
  g_autoptr (GBytes) key = NULL;
  g_autofree guint8 *text = NULL;
  KvsqlResultPage *page = NULL;
  KvsqldCursorToken token;
  KvsqldContext context;

  kvsqld_context_begin (&context, self, request, KVSQL_SLICE_EMPTY);
  context.kind = KVSQLD_REQUEST_FETCH;
  key = kvsqld_definitions_get_secret (self->definitions, &context.call);
  sealed = kvsql_slice_dup (context.arena, sealed);
  if (kvsqld_context_is_allowed (&context, NULL, error) && kvsqld_context_admit (&context, error)
      && kvsqld_cursor_token_open (sealed, key, context.arena, &token, error))
    {
      KvsqldCursor *cursor = kvsqld_cursors_take (self->cursors, token.id, token.page);
      gboolean is_stale
          = cursor != NULL && !kvsqld_cursor_check_definitions (cursor, context.catalog, error);
      /* the client has got no page of a part yet, and so no columns */
      gboolean is_first = token.position.part.is_part && token.page == KVSQLD_FIRST_PAGE_OF_PART;

      if (cursor != NULL && !is_stale && context.authority.is_limited
          && !g_str_equal (cursor->role, get_reader (&context)))
        kvsqld_cursor_free (g_steal_pointer (&cursor));
      if (is_stale)
        kvsqld_cursor_free (g_steal_pointer (&cursor));
      text = show_text (&context, token.sql);
      if (!is_stale && cursor == NULL && parse_again (&context, &token, error)
          && kvsqld_context_is_allowed (&context, context.statement, error)
          && kvsqld_context_may_execute (&context, context.statement, error))
        {
          kvsqld_context_note_shape (&context, context.statement);
          if (context.statement->kind == KVSQL_STATEMENT_BACKFILL)
            page = kvsqld_fetch_backfill (&context, &token, error);
          else if (context.statement->kind == KVSQL_STATEMENT_VERIFY
                   || context.statement->kind == KVSQL_STATEMENT_REPAIR)
            page = kvsqld_fetch_verify (&context, &token, error);
          else if (context.statement->kind == KVSQL_STATEMENT_SHOW)
            page = kvsqld_fetch_history (&context, &token, error);
          else
            cursor = begin_again (&context, &token, error);
        }
      if (cursor != NULL)
        {
          kvsqld_context_adopt_account (&context, cursor->account);
          if (context.shape == NULL)
            context.shape = kvsqld_shape_ref (cursor->shape);
          page = next_page (&context, cursor, is_first, error);
          context.n_rows = page != NULL ? page->rows->n_rows : 0;
        }
    }
  kvsqld_context_end (&context, page != NULL, error);
  return page;
}

gboolean
kvsqld_service_close_cursor (KvsqldService *self, KvsqlSlice sealed, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCall call = { .deadline_us = g_get_monotonic_time () + G_TIME_SPAN_SECOND };
  g_autoptr (GBytes) key = kvsqld_definitions_get_secret (self->definitions, &call);
  KvsqldCursorToken token;

  if (!kvsqld_cursor_token_open (sealed, key, arena, &token, error))
    return FALSE;
  kvsqld_cursor_free (kvsqld_cursors_take (self->cursors, token.id, 0));
  return TRUE;
}
