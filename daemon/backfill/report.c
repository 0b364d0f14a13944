/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.c: see report.h.
 */
#include "config.h"

#include "daemon/backfill/report.h"
#include "daemon/cluster/definitions.h"

/* ---- speed */

/* Tuples per second, of the job. */
static gdouble
get_rate (const KvsqldBackfillState *self)
{
  gdouble seconds = self->elapsed_us / (gdouble)G_TIME_SPAN_SECOND;

  return seconds > 0 ? (self->n_tuples - self->n_before) / seconds : 0;
}

/* < 0: not known. */
static gdouble
get_seconds_left (const KvsqldBackfillState *self)
{
  gdouble seconds = self->elapsed_us / (gdouble)G_TIME_SPAN_SECOND;

  if (self->first_share < 0 || self->share <= self->first_share)
    return -1;
  return seconds * (1 - self->share) / (self->share - self->first_share);
}

/* ---- pages of BACKFILL */

static KvsqlResultPage *
new_page (void)
{
  static const gchar *const names[]
      = { "schema", "state", "tuples", "share", "tuples a second", "seconds left" };

  return kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
}

static void
add_row (KvsqlResultPage *page, const gchar *schema, const KvsqldBackfillState *state)
{
  gdouble seconds = get_seconds_left (state);
  g_autofree gchar *tuples = g_strdup_printf ("%" G_GUINT64_FORMAT, state->n_tuples);
  g_autofree gchar *share = NULL, *rate = NULL, *left = NULL;

  if (!state->is_running)
    share = g_strdup ("100 %");
  else if (state->share >= 0)
    share = g_strdup_printf ("%.0f %%", 100 * state->share);
  if (state->n_tuples > state->n_before)
    rate = g_strdup_printf ("%.0f", get_rate (state));
  if (!state->is_running)
    left = g_strdup ("0");
  else if (seconds >= 0)
    left = g_strdup_printf ("%.0f", seconds);
  kvsql_result_page_add_row (page, (const gchar *[]){ schema,
                                                      state->is_running ? state->phase : "readable",
                                                      tuples, share, rate, left });
}

KvsqlResultPage *
kvsqld_backfill_report_job (const gchar *schema, const KvsqldBackfillState *state,
                            gboolean *has_noted)
{
  KvsqlResultPage *page = new_page ();

  add_row (page, schema, state);
  if (*has_noted || state->n_before == 0)
    return page;
  *has_noted = TRUE;
  kvsql_result_page_note (page,
                          "an earlier BACKFILL had put %" G_GUINT64_FORMAT
                          " tuples, and this one continues after them",
                          state->n_before);
  return page;
}

KvsqlResultPage *
kvsqld_backfill_report_nothing_to_do (const gchar *schema)
{
  KvsqlResultPage *page = new_page ();

  kvsql_result_page_add_row (page,
                             (const gchar *[]){ schema, "readable", "0", "100 %", NULL, "0" });
  kvsql_result_page_note (page, "schema \"%s\" is readable already, nothing was done", schema);
  return page;
}

/* ---- SHOW and DESCRIBE */

gchar *
kvsqld_backfills_describe_state (KvsqldBackfills *self, const KvsqlSchema *schema)
{
  g_autofree gchar *name = kvsql_name_fold (schema->name, schema->is_quoted);
  KvsqldBackfillState state;
  gchar *text = NULL;

  if (kvsqld_backfills_wait (self, name, 0, &state))
    {
      if (state.is_running)
        text = state.share < 0 ? g_strdup_printf ("building, %s", state.phase)
                               : g_strdup_printf ("building %.0f %%", 100 * state.share);
      kvsqld_backfill_state_clear (&state);
    }
  return text != NULL ? text : g_strdup ("building, needs BACKFILL");
}

/* A job of this daemon. */
static gchar *
describe_running (const KvsqldBackfillState *state)
{
  GString *text = g_string_new (state->phase);
  g_autofree gchar *since = kvsql_time_text (state->since_ms);
  gdouble rate = get_rate (state), seconds = get_seconds_left (state);

  g_string_append_printf (text, ", %" G_GUINT64_FORMAT " tuples put", state->n_tuples);
  if (state->share >= 0)
    g_string_append_printf (text, ", %.0f %% of the relation", 100 * state->share);
  if (rate > 0)
    g_string_append_printf (text, ", %.0f tuples a second", rate);
  if (seconds >= 0)
    g_string_append_printf (text, ", %.0f s left", seconds);
  g_string_append_printf (text, ", since %s", since);
  return g_string_free (text, FALSE);
}

gchar *
kvsqld_backfills_describe_job (KvsqldBackfills *self, const KvsqlCatalog *catalog,
                               const KvsqlSchema *schema)
{
  g_autofree gchar *folded = kvsql_name_fold (schema->name, schema->is_quoted);
  KvsqldBackfillState state = { 0 };
  gchar *text = NULL;
  gint64 noted_ms;
  guint64 n;

  if (kvsql_schema_is_filled (schema))
    return NULL;
  kvsqld_backfills_wait (self, folded, 0, &state);
  if (state.is_running)
    text = describe_running (&state);
  else if (kvsqld_backfill_get_noted (catalog, folded, &n, &noted_ms))
    {
      g_autofree gchar *noted = kvsql_time_text (noted_ms);
      text = g_strdup_printf (
          "no job of this daemon; %" G_GUINT64_FORMAT " tuples put when noted at %s", n, noted);
    }
  kvsqld_backfill_state_clear (&state);
  return text;
}
