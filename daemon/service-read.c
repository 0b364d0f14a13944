/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-read.c: SELECT and its cursors.
 *
 * A cursor's token says how to go on from nothing; the run itself is kept warm beside it. Asking
 * twice for a page gives the page twice: the second time from the token.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "core/base/memory.h"
#include "daemon/service-private.h"

#define MAX_PAGE_BYTES (8 * 1024 * 1024)

KvsqldColumn *
kvsqld_columns_of_plan (const KvsqlSelectPlan *plan)
{
  KvsqldColumn *columns = g_new0 (KvsqldColumn, plan->n_items);

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

/* Whether the plan's columns are those that prepare told of: types may depend on parameters, and on
 * definitions that have changed. */
static gboolean
are_as_told (const KvsqldParsed *parsed, const KvsqlSelectPlan *plan)
{
  if (parsed == NULL || plan->n_items != parsed->n_columns)
    return FALSE;
  for (guint i = 0; i < plan->n_items; i++)
    {
      const KvsqldColumn *told = &parsed->columns[i];
      const KvsqlRelation *relation = kvsql_select_plan_get_relation (plan, i);

      if (told->type != kvsql_select_plan_get_type (plan, i)
          || told->is_nullable != plan->item_is_nullable[i]
          || strcmp (told->name, plan->item_names[i]) != 0
          || g_strcmp0 (told->relation, relation != NULL ? relation->name : NULL) != 0)
        return FALSE;
    }
  return TRUE;
}

/* ---- tokens */

static GBytes *
seal_token (KvsqldTask *task, const KvsqldCursor *cursor)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GBytes) key = kvsqld_definitions_get_secret (task->service->definitions, &task->call);
  KvsqldCursorToken token = {
    .page = cursor->page,
    .now = cursor->now,
    .schema = kvsql_slice_from_text (cursor->plan->chosen->schema->name),
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
kvsqld_seal_statement (KvsqldTask *task, const KvsqlScanPosition *position, KvsqlValue *values,
                       guint n_values)
{
  g_autoptr (GBytes) key = kvsqld_definitions_get_secret (task->service->definitions, &task->call);
  KvsqldCursorToken token = { .sql = task->sql, .parameters = values, .n_parameters = n_values };

  if (position != NULL)
    token.position.scan = *position;
  return kvsqld_cursor_token_seal (&token, key);
}

/* ---- one page */

static void
count_unparsable (KvsqldTask *task, const KvsqldCursor *cursor, guint64 before)
{
  const KvsqlProduct *product = cursor->plan->product;
  KvsqlAssemblerCounts counts;

  if (cursor->plan->entry == NULL)
    return;
  kvsql_select_run_get_counts (cursor->run, &counts);
  kvsqld_service_count_unparsable (task->service, cursor->plan->chosen->schema,
                                   counts.unparsable - before, counts.samples, counts.n_samples);
  for (guint i = 0; product != NULL && i < product->n_parts; i++)
    if (kvsql_select_run_take_joined_counts (cursor->run, i, &counts))
      kvsqld_service_count_unparsable (task->service, product->parts[i].plan->chosen->schema,
                                       counts.unparsable, counts.samples, counts.n_samples);
}

/* What the result has by now, against the bounds of results. */
static gboolean
check_result (const KvsqldTask *task, KvsqldCursor *cursor, const KvsqldPage *page, GError **error)
{
  guint64 most_rows = task->limits.max_result_rows, most_bytes = task->limits.max_result_bytes;

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

/* The next page of @cursor, which is kept warm or freed. */
static KvsqldPage *
give_page (KvsqldTask *task, KvsqldCursor *taken, gboolean is_first, GError **error)
{
  g_autoptr (KvsqldCursor) cursor = taken;
  g_autoptr (KvsqldPage) page = kvsqld_page_new_empty (-1);
  guint max_rows = task->request->max_rows > 0 ? MIN (task->request->max_rows, 1000000)
                                               : task->limits.page_rows;
  gsize max_bytes = task->request->max_bytes > 0 ? MIN (task->request->max_bytes, MAX_PAGE_BYTES)
                                                 : task->limits.page_bytes;
  KvsqlAssemblerCounts before;
  gboolean has_more;

  page->arena = kvsql_arena_new ();
  page->n_columns = cursor->plan->n_items;
  kvsql_select_run_get_counts (cursor->run, &before);
  if (!kvsql_select_run_page (cursor->run, max_rows, max_bytes, &task->call, page->arena,
                              &page->rows, &has_more, error))
    return NULL;
  count_unparsable (task, cursor, before.unparsable);
  if (cursor->parsed != NULL)
    kvsqld_parsed_note_rows (cursor->parsed, kvsql_select_run_get_n_rows (cursor->run));
  if (!check_result (task, cursor, page, error))
    return NULL;
  kvsql_count_add (&task->service->metrics.n_pages, 1);
  kvsql_count_add (&task->service->metrics.n_rows_given, page->rows->n_rows);
  if (is_first && !(task->request->knows_columns && are_as_told (cursor->parsed, cursor->plan)))
    page->columns = kvsqld_columns_of_plan (cursor->plan);
  if (has_more)
    {
      cursor->page++;
      page->cursor = seal_token (task, cursor);
      if (task->request->wants_progress)
        page->done = kvsql_select_run_guess_done (cursor->run, &task->call);
      kvsqld_cursors_put (task->service->cursors, g_steal_pointer (&cursor),
                          task->limits.max_cursors);
    }
  return g_steal_pointer (&page);
}

/* Moves what the run stands on from the task into a cursor. */
static KvsqldCursor *
cursor_from_task (KvsqldTask *task, const KvsqlSelectPlan *plan,
                  const KvsqlSelectPosition *position)
{
  KvsqldCursor *cursor = kvsql_new0 (KvsqldCursor);
  KvsqlSelectLimits limits = kvsqld_task_get_select_limits (task);

  cursor->arena = g_steal_pointer (&task->arena);
  cursor->account = kvsql_account_ref (task->account);
  cursor->catalog = kvsql_catalog_ref (task->catalog);
  cursor->kept = g_steal_pointer (&task->kept);
  cursor->parsed = task->parsed == NULL ? NULL : kvsqld_parsed_ref (task->parsed);
  cursor->sql = task->sql;
  cursor->parameters = task->parameters;
  cursor->n_parameters = task->n_parameters;
  cursor->now = task->now;
  cursor->plan = plan;
  cursor->run = kvsql_select_run_new (plan, task->service->store, &limits, position);
  return cursor;
}

/* Text, statement and plan leave the task for the cache. */
static void
keep_plan (KvsqldTask *task, const KvsqlSelectPlan *plan, const KvsqlPointPlan *point)
{
  task->kept = kvsqld_plan_new (g_steal_pointer (&task->arena), task->catalog, task->statistics,
                                task->sql, task->statement, task->parsed, plan, point);
  task->arena = kvsql_arena_new ();
  kvsqld_plan_cache_put (task->service->plans, task->kept);
}

/* NULL: there is none, or not for these parameters. */
static const KvsqlSelectPlan *
find_kept (const KvsqldTask *task, const KvsqlBinder *binder)
{
  if (task->kept == NULL)
    return NULL;
  return task->kept->point == NULL ? task->kept->plan
                                   : kvsql_point_plan_fill (task->kept->point, binder);
}

static const KvsqlSelectPlan *
get_plan (KvsqldTask *task, GError **error)
{
  const KvsqlSelect *select = &task->statement->select;
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  const KvsqlSelectPlan *plan = find_kept (task, &binder);
  const KvsqlPointPlan *point = NULL;

  if (plan != NULL)
    return plan;
  plan = kvsql_select_plan_make (task->catalog, select, &binder,
                                 &task->service->store->capabilities, error);
  if (plan == NULL || !task->keeps_plan)
    return plan;
  if (task->n_parameters > 0)
    point = kvsql_point_plan_new (plan, select, &binder);
  if (task->n_parameters == 0 || point != NULL)
    keep_plan (task, plan, point);
  return plan;
}

KvsqldPage *
kvsqld_run_select (KvsqldTask *task, GError **error)
{
  const KvsqlSelectPlan *plan = get_plan (task, error);
  KvsqldCursor *cursor;

  if (plan == NULL)
    return NULL;
  cursor = cursor_from_task (task, plan, NULL);
  kvsqld_cursor_token_new_id (cursor->id);
  cursor->page = 0;
  return give_page (task, cursor, TRUE, error);
}

/* ---- fetch */

static gboolean
bad_cursor (const gchar *why, const gchar *hint, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE, "%s", why);
  return kvsql_error_hint (error, "%s", hint);
}

/* Plans the token's statement again, on the schema that it was run on. */
static const KvsqlSelectPlan *
plan_again (KvsqldTask *task, const KvsqldCursorToken *token, GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  guint8 definitions[KVSQLD_HASH_BYTES];
  KvsqlSelectPlan *plan;

  plan = kvsql_select_plan_make (task->catalog, &task->statement->select, &binder,
                                 &task->service->store->capabilities, error);
  if (plan == NULL)
    return NULL;
  for (guint i = 0; i < plan->n_candidates; i++)
    {
      const KvsqlCandidate *candidate = &plan->candidates[i];
      if (!candidate->is_usable
          || !kvsql_slice_equal (token->schema, kvsql_slice_from_text (candidate->schema->name)))
        continue;
      plan->chosen = candidate;
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
parse_again (KvsqldTask *task, const KvsqldCursorToken *token, GError **error)
{
  if (token->sql.size == 0)
    return bad_cursor ("this cursor is no longer kept",
                       "Its statement was too long to be carried in the cursor; run it again.",
                       error);
  task->sql = token->sql;
  task->statement = kvsql_parser_parse (token->sql, task->arena, error);
  return task->statement != NULL;
}

static KvsqldCursor *
begin_again (KvsqldTask *task, const KvsqldCursorToken *token, GError **error)
{
  const KvsqlSelectPlan *plan;
  KvsqldCursor *cursor;

  if (task->statement->kind != KVSQL_STATEMENT_SELECT)
    {
      bad_cursor ("this is not a cursor of a SELECT", "Run the statement again.", error);
      return NULL;
    }
  task->parameters = token->parameters;
  task->n_parameters = token->n_parameters;
  if (token->now != 0)
    task->now = token->now;
  if (!kvsqld_task_run_subqueries (task, FALSE, error))
    return NULL;
  plan = plan_again (task, token, error);
  if (plan == NULL)
    return NULL;
  cursor = cursor_from_task (task, plan, &token->position);
  memcpy (cursor->id, token->id, sizeof cursor->id);
  cursor->page = token->page;
  return cursor;
}

/* The arena may go with the cursor before the task ends: a copy is shown. */
static guint8 *
show_text (KvsqldTask *task, KvsqlSlice sql)
{
  guint8 *text = g_memdup2 (sql.data, sql.size);

  task->text = kvsql_slice (text, sql.size);
  if (task->killable != NULL)
    kvsqld_session_set_text (task->request->session, task->text);
  return text;
}

KvsqldPage *
kvsqld_service_fetch (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sealed,
                      GError **error)
{
  g_autoptr (GBytes) key = NULL;
  g_autofree guint8 *text = NULL;
  KvsqldPage *page = NULL;
  KvsqldCursorToken token;
  KvsqldTask task;

  kvsqld_task_begin (&task, self, request, KVSQL_SLICE_EMPTY);
  task.work = KVSQLD_WORK_FETCH;
  key = kvsqld_definitions_get_secret (self->definitions, &task.call);
  sealed = kvsql_slice_dup (task.arena, sealed);
  if (kvsqld_task_admit (&task, error)
      && kvsqld_cursor_token_open (sealed, key, task.arena, &token, error))
    {
      KvsqldCursor *cursor = kvsqld_cursors_take (self->cursors, token.id, token.page);

      text = show_text (&task, token.sql);
      if (cursor == NULL && parse_again (&task, &token, error))
        {
          if (task.statement->kind == KVSQL_STATEMENT_BACKFILL)
            page = kvsqld_fetch_backfill (&task, &token, error);
          else if (task.statement->kind == KVSQL_STATEMENT_VERIFY
                   || task.statement->kind == KVSQL_STATEMENT_REPAIR)
            page = kvsqld_fetch_verify (&task, &token, error);
          else
            cursor = begin_again (&task, &token, error);
        }
      if (cursor != NULL)
        {
          kvsqld_task_adopt_account (&task, cursor->account);
          page = give_page (&task, cursor, FALSE, error);
        }
    }
  kvsqld_task_end (&task, page != NULL, error);
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
