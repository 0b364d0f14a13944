/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-backfill.c: BACKFILL SCHEMA: a job of the daemon, and a row for each second of it.
 *
 * The cursor carries the statement, and whether the user was told that the job goes on behind an
 * earlier one: whoever fetches asks how far the job is, and a daemon that has none begins one.
 */
#include "config.h"

#include "daemon/service-private.h"

#define ROW_US G_TIME_SPAN_SECOND

static const gchar *const names[]
    = { "schema", "state", "tuples", "share", "tuples a second", "seconds left" };

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
add_row (KvsqldPage *page, const gchar *schema, const KvsqldBackfillState *state)
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
  kvsqld_page_add_row (page,
                       (const gchar *[]){ schema, state->is_running ? state->phase : "readable",
                                          tuples, share, rate, left });
}

/* Once, as soon as it is known. */
static void
tell_resumption (KvsqldPage *page, const KvsqldBackfillState *state, gboolean *has_told)
{
  if (*has_told || state->n_before == 0)
    return;
  *has_told = TRUE;
  kvsqld_page_note (page,
                    "an earlier BACKFILL had put %" G_GUINT64_FORMAT
                    " tuples, and this one goes on behind them",
                    state->n_before);
}

static GBytes *
seal (KvsqldTask *task, gboolean has_told)
{
  KvsqlValue *value = kvsql_arena_array (task->arena, KvsqlValue, 1);

  *value = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = has_told };
  return kvsqld_seal_statement (task, NULL, value, 1);
}

/* The next row, after a second or when the job has ended. */
static KvsqldPage *
give_row (KvsqldTask *task, const gchar *name, const gchar *display, gboolean has_told,
          GError **error)
{
  KvsqldBackfills *backfills = task->service->backfills;
  gint64 until_us = MIN (g_get_monotonic_time () + ROW_US, task->call.deadline_us);
  g_autoptr (KvsqldPage) page = NULL;
  KvsqldBackfillState state;
  gboolean is_known;

  kvsqld_task_pause (task);
  is_known = kvsqld_backfills_wait (backfills, name, until_us, &state);
  kvsqld_task_resume (task);
  if (!is_known)
    {
      kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                       "schema \"%s\" is not being filled", display);
      return NULL;
    }
  if (state.error != NULL)
    {
      kvsql_error_hint (&state.error,
                        "Say BACKFILL SCHEMA %s again when that is mended: it goes on from there.",
                        display);
      g_propagate_error (error, state.error);
      return NULL;
    }
  page = kvsqld_page_new_table (names, G_N_ELEMENTS (names));
  add_row (page, display, &state);
  tell_resumption (page, &state, &has_told);
  if (state.is_running)
    page->cursor = seal (task, has_told);
  return g_steal_pointer (&page);
}

static KvsqldPage *
nothing_to_do (const KvsqlSchema *schema)
{
  KvsqldPage *page = kvsqld_page_new_table (names, G_N_ELEMENTS (names));

  kvsqld_page_add_row (page,
                       (const gchar *[]){ schema->name, "readable", "0", "100 %", NULL, "0" });
  kvsqld_page_note (page, "schema \"%s\" is readable already, nothing was done", schema->name);
  return page;
}

KvsqldPage *
kvsqld_run_backfill (KvsqldTask *task, GError **error)
{
  const KvsqlName *name = &task->statement->maintain.schema;
  const KvsqlSchema *schema = kvsql_catalog_find_schema (task->catalog, name, error);
  const gchar *folded, *display;

  if (schema == NULL || !check_schema (schema, name, error))
    return NULL;
  if (kvsql_schema_is_filled (schema))
    return nothing_to_do (schema);
  folded = kvsqld_task_fold_name (task, schema->name, schema->is_quoted);
  display = kvsql_arena_strdup (task->arena, schema->name);
  kvsqld_backfills_start (task->service->backfills, folded);
  return give_row (task, folded, display, FALSE, error);
}

/* A page that is not the first. */
KvsqldPage *
kvsqld_fetch_backfill (KvsqldTask *task, const KvsqldCursorToken *token, GError **error)
{
  gboolean has_told = token->n_parameters == 1 && token->parameters[0].boolean;
  const KvsqlName *name = &task->statement->maintain.schema;
  const KvsqlSchema *schema = kvsql_catalog_find_schema (task->catalog, name, error);
  const gchar *folded, *display;
  KvsqldBackfillState state;
  KvsqldPage *page;

  if (schema == NULL)
    return NULL;
  folded = kvsqld_task_fold_name (task, schema->name, schema->is_quoted);
  display = kvsql_arena_strdup (task->arena, schema->name);
  if (!kvsqld_backfills_wait (task->service->backfills, folded, 0, &state))
    {
      if (kvsql_schema_is_filled (schema))
        {
          page = nothing_to_do (schema);
          kvsqld_page_forget_columns (page);
          return page;
        }
      kvsqld_backfills_start (task->service->backfills, folded);
    }
  else
    kvsqld_backfill_state_clear (&state);
  page = give_row (task, folded, display, has_told, error);
  if (page != NULL)
    kvsqld_page_forget_columns (page);
  return page;
}
