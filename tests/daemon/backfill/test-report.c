/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-report.c: the row of BACKFILL for each state of a job.
 */
#include "config.h"

#include "daemon/backfill/report.h"

/* The only row of the page, and its notes. */
static void
assert_reports (const KvsqldBackfillState *state, gboolean has_noted, const gchar *expected)
{
  gboolean now_noted = has_noted;
  g_autoptr (KvsqlResultPage) page = kvsqld_backfill_report_job ("s", state, &now_noted);
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_cmpuint (page->rows->n_rows, ==, 1);
  for (guint i = 0; i < page->n_columns; i++)
    {
      KvsqlValue value = kvsql_vector_get (&page->rows->columns[i], 0);

      g_string_append (out, i > 0 ? "|" : "");
      kvsql_value_append_text (&value, out);
    }
  for (guint i = 0; page->warnings != NULL && i < page->warnings->len; i++)
    g_string_append_printf (out, "\n%s", (const gchar *)page->warnings->pdata[i]);
  g_assert_cmpstr (out->str, ==, expected);
  g_assert_cmpint (now_noted, ==, has_noted || state->n_before > 0);
}

static void
test_job (void)
{
  KvsqldBackfillState state
      = { .is_running = TRUE, .phase = "waits", .share = -1, .first_share = -1 };

  assert_reports (&state, FALSE, "s|waits|0|NULL|NULL|NULL");
  state = (KvsqldBackfillState){ .is_running = TRUE,
                                 .phase = "fills",
                                 .n_before = 100,
                                 .n_tuples = 400,
                                 .first_share = 0.25,
                                 .share = 0.5,
                                 .elapsed_us = 10 * G_TIME_SPAN_SECOND };
  assert_reports (&state, FALSE,
                  "s|fills|400|50 %|30|20\n"
                  "note: an earlier BACKFILL had put 100 tuples, and this one continues after "
                  "them");
  assert_reports (&state, TRUE, "s|fills|400|50 %|30|20");
  state.is_running = FALSE;
  state.share = 1;
  assert_reports (&state, TRUE, "s|readable|400|100 %|30|0");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/backfill-report/job", test_job);
  return g_test_run ();
}
