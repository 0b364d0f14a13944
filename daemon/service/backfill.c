/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.c: BACKFILL SCHEMA: starts a job of the daemon, and returns a row about it each
 * second.
 *
 * The cursor carries the statement, and whether the user was told that the job continues an earlier
 * one. A fetch asks for the job's progress. A daemon that has no such job starts one.
 */
#include "config.h"

#include "core/engine/backfill.h"
#include "daemon/backfill/report.h"
#include "daemon/service/service-private.h"

#define ROW_US G_TIME_SPAN_SECOND
/* Between two looks whether a statement that waits for a job has ended. */
#define POLL_US (100 * G_TIME_SPAN_MILLISECOND)

gboolean
kvsqld_fill_schema (KvsqldContext *context, const gchar *schema, gint64 until_us,
                    KvsqldBackfillState *out)
{
  KvsqldBackfills *backfills = context->service->backfills;
  gboolean is_known = TRUE;

  kvsqld_context_pause (context);
  kvsqld_backfills_start (backfills, schema);
  do
    {
      gint64 now = g_get_monotonic_time ();

      kvsqld_backfill_state_clear (out);
      is_known = kvsqld_backfills_wait (backfills, schema, MIN (now + POLL_US, until_us), out);
    }
  while (is_known && out->is_running && g_get_monotonic_time () < until_us
         && kvsql_call_check (&context->call, NULL));
  kvsqld_context_resume (context);
  return !is_known || !out->is_running;
}

static GBytes *
seal (KvsqldContext *context, gboolean has_noted)
{
  KvsqlValue *value = kvsql_arena_array (context->arena, KvsqlValue, 1);

  *value = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = has_noted };
  return kvsqld_seal_statement (context, NULL, value, 1);
}

/* The next row, after a second or when the job has ended. */
static KvsqlResultPage *
next_row_page (KvsqldContext *context, const gchar *name, const gchar *display, gboolean has_noted,
               GError **error)
{
  KvsqldBackfills *backfills = context->service->backfills;
  gint64 until_us = MIN (g_get_monotonic_time () + ROW_US, context->call.deadline_us);
  g_autoptr (KvsqlResultPage) page = NULL;
  KvsqldBackfillState state;
  gboolean is_known;

  kvsqld_context_pause (context);
  is_known = kvsqld_backfills_wait (backfills, name, until_us, &state);
  kvsqld_context_resume (context);
  if (!is_known)
    {
      kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                       "schema \"%s\" is not being filled", display);
      return NULL;
    }
  if (state.error != NULL)
    {
      kvsql_error_hint (
          &state.error,
          "Say BACKFILL SCHEMA %s again after you have corrected that: it continues from there.",
          display);
      g_propagate_error (error, state.error);
      return NULL;
    }
  page = kvsqld_backfill_report_job (display, &state, &has_noted);
  if (state.is_running)
    page->cursor = seal (context, has_noted);
  return g_steal_pointer (&page);
}

KvsqlResultPage *
kvsqld_run_backfill (KvsqldContext *context, GError **error)
{
  const KvsqlName *name = &context->statement->maintain.schema;
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  const KvsqlSchema *schema = kvsql_execution_find_fillable (&execution, name, error);
  const gchar *folded, *display;

  if (schema == NULL)
    return NULL;
  if (kvsql_schema_is_filled (schema))
    return kvsqld_backfill_report_nothing_to_do (schema->name);
  folded = kvsql_name_fold_in_arena (context->arena, schema->name, schema->is_quoted);
  display = kvsql_arena_strdup (context->arena, schema->name);
  kvsqld_backfills_start (context->service->backfills, folded);
  return next_row_page (context, folded, display, FALSE, error);
}

/* A page after the first. */
KvsqlResultPage *
kvsqld_fetch_backfill (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  gboolean has_noted = token->n_parameters == 1 && token->parameters[0].boolean;
  const KvsqlName *name = &context->statement->maintain.schema;
  const KvsqlSchema *schema = kvsql_catalog_find_schema (context->catalog, name, error);
  const gchar *folded, *display;
  KvsqldBackfillState state;
  KvsqlResultPage *page;

  if (schema == NULL)
    return NULL;
  folded = kvsql_name_fold_in_arena (context->arena, schema->name, schema->is_quoted);
  display = kvsql_arena_strdup (context->arena, schema->name);
  if (!kvsqld_backfills_wait (context->service->backfills, folded, 0, &state))
    {
      if (kvsql_schema_is_filled (schema))
        {
          page = kvsqld_backfill_report_nothing_to_do (schema->name);
          page->columns = NULL;
          return page;
        }
      kvsqld_backfills_start (context->service->backfills, folded);
    }
  else
    kvsqld_backfill_state_clear (&state);
  page = next_row_page (context, folded, display, has_noted, error);
  if (page != NULL)
    page->columns = NULL;
  return page;
}
