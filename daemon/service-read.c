/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-read.c: SELECT and its cursors.
 *
 * A cursor's token says how to go on from nothing; the run itself is kept warm beside it. Asking
 * twice for a page gives the page twice: the second time from the token.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "daemon/service-private.h"

/* A statement longer than this is not put into tokens: its cursors live only as long as they stay
 * warm. */
#define MAX_TOKEN_SQL (64 * 1024)
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

/* ---- tokens */

static void
new_cursor_id (guint8 *id)
{
  for (guint i = 0; i < KVSQLD_CURSOR_ID_BYTES; i += 4)
    {
      guint32 word = g_random_int ();
      memcpy (id + i, &word, 4);
    }
}

static GBytes *
seal_token (KvsqldTask *task, const KvsqldCursor *cursor)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GBytes) key = kvsqld_definitions_get_secret (task->service->definitions, &task->call);
  KvsqldCursorToken token = {
    .page = cursor->page,
    .schema = kvsql_slice_from_text (cursor->plan->chosen->schema->name),
    .sql = cursor->sql.size <= MAX_TOKEN_SQL ? cursor->sql : KVSQL_SLICE_EMPTY,
    .parameters = (KvsqlValue *)cursor->parameters,
    .n_parameters = cursor->sql.size <= MAX_TOKEN_SQL ? cursor->n_parameters : 0,
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
  if (is_first)
    page->columns = kvsqld_columns_of_plan (cursor->plan);
  if (has_more)
    {
      cursor->page++;
      page->cursor = seal_token (task, cursor);
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
  KvsqldCursor *cursor = g_new0 (KvsqldCursor, 1);
  KvsqlSelectLimits limits = kvsqld_task_get_select_limits (task);

  cursor->arena = g_steal_pointer (&task->arena);
  cursor->catalog = kvsql_catalog_ref (task->catalog);
  cursor->kept = g_steal_pointer (&task->kept);
  cursor->parsed = task->parsed == NULL ? NULL : kvsqld_parsed_ref (task->parsed);
  cursor->sql = task->sql;
  cursor->parameters = task->parameters;
  cursor->n_parameters = task->n_parameters;
  cursor->plan = plan;
  cursor->run = kvsql_select_run_new (plan, task->service->store, &limits, position);
  return cursor;
}

/* Text, statement and plan leave the task for the cache. */
static void
keep_plan (KvsqldTask *task, const KvsqlSelectPlan *plan)
{
  if (!task->keeps_plan)
    return;
  task->kept = kvsqld_plan_new (g_steal_pointer (&task->arena), task->catalog, task->statistics,
                                task->sql, task->statement, plan);
  task->arena = kvsql_arena_new ();
  kvsqld_plan_cache_put (task->service->plans, task->kept);
}

static const KvsqlSelectPlan *
get_plan (KvsqldTask *task, GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  const KvsqlSelectPlan *plan;

  if (task->kept != NULL)
    return task->kept->plan;
  plan = kvsql_select_plan_make (task->catalog, &task->statement->select, &binder,
                                 &task->service->store->capabilities, error);
  if (plan != NULL)
    keep_plan (task, plan);
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
  new_cursor_id (cursor->id);
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

KvsqldPage *
kvsqld_service_fetch (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sealed,
                      GError **error)
{
  g_autoptr (GBytes) key = NULL;
  KvsqldPage *page = NULL;
  KvsqldCursorToken token;
  KvsqldTask task;

  kvsqld_task_begin (&task, self, request);
  key = kvsqld_definitions_get_secret (self->definitions, &task.call);
  sealed = kvsql_slice_dup (task.arena, sealed);
  if (kvsqld_cursor_token_open (sealed, key, task.arena, &token, error))
    {
      KvsqldCursor *cursor = kvsqld_cursors_take (self->cursors, token.id, token.page);
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
        page = give_page (&task, cursor, FALSE, error);
    }
  kvsqld_task_end (&task);
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
