/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read.c: SELECT and its cursors.
 *
 * A cursor's token has all data to resume the SELECT. Its run is cached in addition. A page that is
 * asked for twice is returned twice: the second time from the token.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "core/base/memory.h"
#include "core/plan/path-choice.h"
#include "core/plan/select-planner.h"
#include "daemon/service/service-private.h"

KvsqlResultColumn *
kvsqld_columns_of_plan (const KvsqlSelectPlan *plan)
{
  KvsqlResultColumn *columns = g_new0 (KvsqlResultColumn, plan->n_items);

  for (guint i = 0; i < plan->n_items; i++)
    {
      const KvsqlRelation *relation = kvsql_select_plan_get_relation (plan, i);
      columns[i].name = g_strdup (plan->item_names[i]);
      columns[i].type = kvsql_select_plan_get_type (plan, i);
      columns[i].is_nullable = plan->item_is_nullable[i];
      columns[i].relation = relation != NULL ? g_strdup (relation->name) : NULL;
    }
  return columns;
}

/* Whether the plan's columns are those that prepare returned: types may depend on parameters, and
 * on definitions that have changed. */
static gboolean
are_columns_unchanged (const KvsqldParsed *parsed, const KvsqlSelectPlan *plan)
{
  if (parsed == NULL || plan->n_items != parsed->n_columns)
    return FALSE;
  for (guint i = 0; i < plan->n_items; i++)
    {
      const KvsqlResultColumn *expected = &parsed->columns[i];
      const KvsqlRelation *relation = kvsql_select_plan_get_relation (plan, i);

      if (expected->type != kvsql_select_plan_get_type (plan, i)
          || expected->is_nullable != plan->item_is_nullable[i]
          || strcmp (expected->name, plan->item_names[i]) != 0
          || g_strcmp0 (expected->relation, relation != NULL ? relation->name : NULL) != 0)
        return FALSE;
    }
  return TRUE;
}

/* ---- tokens */

static GBytes *
seal_token (KvsqldContext *context, const KvsqldCursor *cursor)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GBytes) key
      = kvsqld_definitions_get_secret (context->service->definitions, &context->call);
  KvsqldCursorToken token = {
    .page = cursor->page,
    .n_undecodable = kvsqld_undecodable_cells_count (cursor->undecodable),
    .now = cursor->now,
    .schema = kvsql_slice_from_text (cursor->plan->best->schema->name),
    .sql = cursor->sql.size <= KVSQLD_MAX_TOKEN_SQL ? cursor->sql : KVSQL_SLICE_EMPTY,
    .parameters = (KvsqlValue *)cursor->parameters,
    .n_parameters = cursor->sql.size <= KVSQLD_MAX_TOKEN_SQL ? cursor->n_parameters : 0,
  };

  memcpy (token.id, cursor->id, sizeof token.id);
  kvsqld_definitions_hash (cursor->plan, token.definitions);
  kvsql_select_run_get_position (cursor->run, arena, &token.position);
  return kvsqld_cursor_token_seal (&token, key);
}

GBytes *
kvsqld_seal_statement (KvsqldContext *context, const KvsqlScanPosition *position,
                       KvsqlValue *values, guint n_values)
{
  g_autoptr (GBytes) key
      = kvsqld_definitions_get_secret (context->service->definitions, &context->call);
  KvsqldCursorToken token = { .sql = context->sql, .parameters = values, .n_parameters = n_values };

  if (position != NULL)
    token.position.scan = *position;
  return kvsqld_cursor_token_seal (&token, key);
}

/* ---- one page */

/* Checks the size of the result so far against the limits. */
static gboolean
check_result (const KvsqldContext *context, KvsqldCursor *cursor, const KvsqlResultPage *page,
              GError **error)
{
  guint64 most_rows = context->limits.max_result_rows,
          most_bytes = context->limits.max_result_bytes;

  cursor->n_rows += page->rows->n_rows;
  cursor->n_bytes += kvsql_arena_get_size (page->arena)
                     + (guint64)page->rows->n_rows * page->rows->n_columns * sizeof (gint64);
  if (most_rows > 0 && cursor->n_rows > most_rows)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the result has more than %" G_GUINT64_FORMAT " rows", most_rows);
      return kvsql_error_hint (error,
                               "Use LIMIT, narrow the predicate, or raise max_result_rows in "
                               "the daemon's configuration.");
    }
  if (most_bytes > 0 && cursor->n_bytes > most_bytes)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the result has more than %" G_GUINT64_FORMAT " bytes", most_bytes);
      return kvsql_error_hint (error,
                               "Use LIMIT, narrow the predicate, or raise max_result_bytes in "
                               "the daemon's configuration.");
    }
  return TRUE;
}

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

/* The next page of @cursor, which is then cached or freed. */
static KvsqlResultPage *
next_page (KvsqldContext *context, KvsqldCursor *cursor_in, gboolean is_first, GError **error)
{
  g_autoptr (KvsqldCursor) cursor = cursor_in;
  g_autoptr (KvsqlResultPage) page = kvsql_result_page_new_empty (-1);
  const KvsqldPageBounds bounds = kvsqld_context_get_page_bounds (context);
  KvsqlAssemblerCounts before;
  gboolean has_more;

  page->arena = kvsql_arena_new ();
  page->n_columns = cursor->plan->n_items;
  kvsql_select_run_get_counts (cursor->run, &before);
  if (!kvsql_select_run_page (cursor->run, bounds.max_rows, bounds.max_bytes, &context->call,
                              page->arena, &page->rows, &has_more, error))
    return NULL;
  kvsqld_context_note_skipped (context, cursor->plan, cursor->run, before.undecodable);
  kvsqld_undecodable_cells_move (&cursor->undecodable, g_steal_pointer (&context->undecodable));
  if (cursor->parsed != NULL)
    kvsqld_parsed_note_rows (cursor->parsed, kvsql_select_run_get_n_rows (cursor->run));
  if (!check_result (context, cursor, page, error))
    return NULL;
  kvsql_count_add (&context->service->metrics.n_pages, 1);
  kvsql_count_add (&context->service->metrics.n_rows_given, page->rows->n_rows);
  if (is_first
      && !(context->request->knows_columns && are_columns_unchanged (cursor->parsed, cursor->plan)))
    page->columns = kvsqld_columns_of_plan (cursor->plan);
  if (!has_more)
    kvsqld_undecodable_cells_note (cursor->undecodable, page);
  else
    {
      cursor->page++;
      page->cursor = seal_token (context, cursor);
      if (context->request->wants_progress)
        page->done = kvsql_select_run_guess_done (cursor->run, &context->call);
      store_cursor (context, g_steal_pointer (&cursor));
    }
  return g_steal_pointer (&page);
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
  cursor->catalog = kvsql_catalog_ref (context->catalog);
  cursor->kept = g_steal_pointer (&context->kept);
  cursor->parsed = context->parsed == NULL ? NULL : kvsqld_parsed_ref (context->parsed);
  cursor->sql = context->sql;
  cursor->parameters = context->parameters;
  cursor->n_parameters = context->n_parameters;
  cursor->now = context->now;
  cursor->plan = plan;
  cursor->run = kvsql_select_run_new (plan, context->service->store, &limits, position);
  return cursor;
}

/* Moves text, statement and plan from the context into the cache. */
static void
cache_plan (KvsqldContext *context, const KvsqlSelectPlan *plan, const KvsqlPointPlan *point)
{
  context->kept
      = kvsqld_plan_new (g_steal_pointer (&context->arena), context->catalog, context->statistics,
                         context->sql, context->statement, context->parsed, plan, point);
  context->arena = kvsql_arena_new ();
  kvsqld_plan_cache_put (context->service->plans, context->kept);
}

/* NULL: there is none, or not for these parameters. */
static const KvsqlSelectPlan *
find_cached (const KvsqldContext *context, const KvsqlBinder *binder)
{
  if (context->kept == NULL)
    return NULL;
  return context->kept->point == NULL ? context->kept->plan
                                      : kvsql_point_plan_fill (context->kept->point, binder);
}

static const KvsqlSelectPlan *
get_plan (KvsqldContext *context, GError **error)
{
  const KvsqlSelect *select = &context->statement->select;
  KvsqlBinder binder = kvsqld_context_get_binder (context);
  const KvsqlSelectPlan *plan = find_cached (context, &binder);
  const KvsqlPointPlan *point = NULL;

  if (plan != NULL)
    return plan;
  plan = kvsql_select_plan_make (context->catalog, select, &binder,
                                 &context->service->store->capabilities, error);
  if (plan == NULL || !context->caches_plan)
    return plan;
  if (context->n_parameters > 0)
    point = kvsql_point_plan_new (plan, select, &binder);
  if (context->n_parameters == 0 || point != NULL)
    cache_plan (context, plan, point);
  return plan;
}

KvsqlResultPage *
kvsqld_run_select (KvsqldContext *context, GError **error)
{
  const KvsqlSelectPlan *plan = get_plan (context, error);
  KvsqldCursor *cursor;

  if (plan == NULL)
    return NULL;
  cursor = cursor_from_context (context, plan, NULL);
  kvsqld_cursor_token_new_id (cursor->id);
  cursor->page = 0;
  return next_page (context, cursor, TRUE, error);
}

/* ---- fetch */

static gboolean
bad_cursor (const gchar *why, const gchar *hint, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE, "%s", why);
  return kvsql_error_hint (error, "%s", hint);
}

/* Whether a cached cursor is valid for the present definitions. */
static gboolean
check_definitions (const KvsqldContext *context, const KvsqldCursor *cursor, GError **error)
{
  return cursor->catalog->epoch == context->catalog->epoch
         || kvsqld_definitions_hold (cursor->plan, context->catalog)
         || bad_cursor ("the definitions that this cursor depends on have changed",
                        "Run the statement again.", error);
}

/* Plans the token's statement again, on the schema of the first run. */
static const KvsqlSelectPlan *
plan_again (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  KvsqlBinder binder = kvsqld_context_get_binder (context);
  guint8 definitions[KVSQLD_HASH_BYTES];
  KvsqlSelectPlan *plan;

  plan = kvsql_select_plan_make (context->catalog, &context->statement->select, &binder,
                                 &context->service->store->capabilities, error);
  if (plan == NULL)
    return NULL;
  for (guint i = 0; i < plan->n_paths; i++)
    {
      const KvsqlAccessPath *path = &plan->paths[i];
      if (!path->is_usable
          || !kvsql_slice_equal (token->schema, kvsql_slice_from_text (path->schema->name)))
        continue;
      kvsql_select_plan_use (plan, path, context->arena);
      kvsqld_definitions_hash (plan, definitions);
      if (memcmp (definitions, token->definitions, sizeof definitions) == 0)
        return plan;
      break;
    }
  bad_cursor ("the definitions that this cursor depends on have changed",
              "Run the statement again.", error);
  return NULL;
}

static gboolean
parse_again (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  if (token->sql.size == 0)
    return bad_cursor ("this cursor is no longer kept",
                       "Its statement was too long to be carried in the cursor; run it again.",
                       error);
  context->sql = token->sql;
  context->statement = kvsql_parser_parse (token->sql, context->arena, error);
  return context->statement != NULL;
}

static KvsqldCursor *
begin_again (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  const KvsqlSelectPlan *plan;
  KvsqldCursor *cursor;

  if (context->statement->kind != KVSQL_STATEMENT_SELECT)
    {
      bad_cursor ("this is not a cursor of a SELECT", "Run the statement again.", error);
      return NULL;
    }
  context->parameters = token->parameters;
  context->n_parameters = token->n_parameters;
  if (token->now != 0)
    context->now = token->now;
  if (!kvsqld_context_run_subqueries (context, FALSE, error))
    return NULL;
  plan = plan_again (context, token, error);
  if (plan == NULL)
    return NULL;
  cursor = cursor_from_context (context, plan, &token->position);
  memcpy (cursor->id, token->id, sizeof cursor->id);
  cursor->page = token->page;
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
  if (kvsqld_context_admit (&context, error)
      && kvsqld_cursor_token_open (sealed, key, context.arena, &token, error))
    {
      KvsqldCursor *cursor = kvsqld_cursors_take (self->cursors, token.id, token.page);
      gboolean is_stale = cursor != NULL && !check_definitions (&context, cursor, error);
      /* the client has got no page of a part yet, and so no columns */
      gboolean is_first = token.position.part.is_part && token.page == KVSQLD_FIRST_PAGE_OF_PART;

      if (is_stale)
        kvsqld_cursor_free (g_steal_pointer (&cursor));
      text = show_text (&context, token.sql);
      if (!is_stale && cursor == NULL && parse_again (&context, &token, error))
        {
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
          page = next_page (&context, cursor, is_first, error);
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
