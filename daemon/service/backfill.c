/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.c: BACKFILL SCHEMA: starts a job of the daemon, and returns a row about it each
 * second.
 *
 * The cursor carries the statement, and whether the user was told that the job continues an earlier
 * one. A fetch asks for the job's progress. A daemon that has no such job starts one.
 */
#include "config.h"

#include "core/plan/bind.h"
#include "core/plan/find-relation.h"
#include "daemon/service/service-private.h"

#define ROW_US G_TIME_SPAN_SECOND

static const gchar *const names[]
    = { "schema", "state", "tuples", "share", "tuples a second", "seconds left" };

/* A schema can be defined before its primary. */
static gboolean
has_primary (KvsqldContext *context, const KvsqlSchema *schema, KvsqlSpan span, GError **error)
{
  KvsqlName relation
      = { .text = schema->relation->name, .is_quoted = schema->relation->is_quoted, .span = span };

  return kvsql_plan_find_relation (context->catalog, &relation, error) != NULL;
}

static gboolean
check_schema (const KvsqlSchema *schema, const KvsqlName *name, GError **error)
{
  if (!schema->is_primary && schema->options.role != KVSQL_ROLE_READ)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span, "schema \"%s\" is %s",
                          schema->name,
                          schema->is_primary ? "the primary, which others are filled from"
                                             : "only read, so it cannot be filled");
}

/* ---- rows */

gdouble
kvsqld_backfill_state_get_rate (const KvsqldBackfillState *self)
{
  gdouble seconds = self->elapsed_us / (gdouble)G_TIME_SPAN_SECOND;

  return seconds > 0 ? (self->n_tuples - self->n_before) / seconds : 0;
}

gdouble
kvsqld_backfill_state_get_seconds_left (const KvsqldBackfillState *self)
{
  gdouble seconds = self->elapsed_us / (gdouble)G_TIME_SPAN_SECOND;

  if (self->first_share < 0 || self->share <= self->first_share)
    return -1;
  return seconds * (1 - self->share) / (self->share - self->first_share);
}

static void
add_row (KvsqlResultPage *page, const gchar *schema, const KvsqldBackfillState *state)
{
  gdouble seconds = kvsqld_backfill_state_get_seconds_left (state);
  g_autofree gchar *tuples = g_strdup_printf ("%" G_GUINT64_FORMAT, state->n_tuples);
  g_autofree gchar *share = NULL, *rate = NULL, *left = NULL;

  if (!state->is_running)
    share = g_strdup ("100 %");
  else if (state->share >= 0)
    share = g_strdup_printf ("%.0f %%", 100 * state->share);
  if (state->n_tuples > state->n_before)
    rate = g_strdup_printf ("%.0f", kvsqld_backfill_state_get_rate (state));
  if (!state->is_running)
    left = g_strdup ("0");
  else if (seconds >= 0)
    left = g_strdup_printf ("%.0f", seconds);
  kvsql_result_page_add_row (page, (const gchar *[]){ schema,
                                                      state->is_running ? state->phase : "readable",
                                                      tuples, share, rate, left });
}

/* Once, as soon as it is known. */
static void
warn_of_resumption (KvsqlResultPage *page, const KvsqldBackfillState *state, gboolean *has_warned)
{
  if (*has_warned || state->n_before == 0)
    return;
  *has_warned = TRUE;
  kvsql_result_page_note (page,
                          "an earlier BACKFILL had put %" G_GUINT64_FORMAT
                          " tuples, and this one continues after them",
                          state->n_before);
}

static GBytes *
seal (KvsqldContext *context, gboolean has_warned)
{
  KvsqlValue *value = kvsql_arena_array (context->arena, KvsqlValue, 1);

  *value = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = has_warned };
  return kvsqld_seal_statement (context, NULL, value, 1);
}

/* The next row, after a second or when the job has ended. */
static KvsqlResultPage *
next_row_page (KvsqldContext *context, const gchar *name, const gchar *display, gboolean has_warned,
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
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  add_row (page, display, &state);
  warn_of_resumption (page, &state, &has_warned);
  if (state.is_running)
    page->cursor = seal (context, has_warned);
  return g_steal_pointer (&page);
}

static KvsqlResultPage *
nothing_to_do (const KvsqlSchema *schema)
{
  KvsqlResultPage *page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));

  kvsql_result_page_add_row (
      page, (const gchar *[]){ schema->name, "readable", "0", "100 %", NULL, "0" });
  kvsql_result_page_note (page, "schema \"%s\" is readable already, nothing was done",
                          schema->name);
  return page;
}

KvsqlResultPage *
kvsqld_run_backfill (KvsqldContext *context, GError **error)
{
  const KvsqlName *name = &context->statement->maintain.schema;
  const KvsqlSchema *schema = kvsql_catalog_find_schema (context->catalog, name, error);
  const gchar *folded, *display;

  if (schema == NULL || !check_schema (schema, name, error)
      || !has_primary (context, schema, name->span, error))
    return NULL;
  if (kvsql_schema_is_filled (schema))
    return nothing_to_do (schema);
  folded = kvsql_name_fold_in_arena (context->arena, schema->name, schema->is_quoted);
  display = kvsql_arena_strdup (context->arena, schema->name);
  kvsqld_backfills_start (context->service->backfills, folded);
  return next_row_page (context, folded, display, FALSE, error);
}

/* A page after the first. */
KvsqlResultPage *
kvsqld_fetch_backfill (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  gboolean has_warned = token->n_parameters == 1 && token->parameters[0].boolean;
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
          page = nothing_to_do (schema);
          kvsql_result_page_forget_columns (page);
          return page;
        }
      kvsqld_backfills_start (context->service->backfills, folded);
    }
  else
    kvsqld_backfill_state_clear (&state);
  page = next_row_page (context, folded, display, has_warned, error);
  if (page != NULL)
    kvsql_result_page_forget_columns (page);
  return page;
}
