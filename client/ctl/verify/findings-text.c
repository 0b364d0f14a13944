/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * findings-text.c: what a trial has found, for people.
 */
#include "config.h"

#include "client/ctl/verify/findings.h"

#include <math.h>

/* Of a statement. */
#define SHOWN_CHARACTERS 90

static void
append_ratio (GString *out, gdouble before, gdouble after)
{
  if (before > 0)
    g_string_append_printf (out, " (%.3g times)", after / before);
  g_string_append_c (out, '\n');
}

/* On one line, and cut. */
static void
append_statement_text (const gchar *text, GString *out)
{
  g_autofree gchar *line = g_strdelimit (g_strdup (text), "\r\n\t", ' ');

  if (g_utf8_strlen (line, -1) <= SHOWN_CHARACTERS)
    {
      g_string_append_printf (out, "%s\n", line);
      return;
    }
  *g_utf8_offset_to_pointer (line, SHOWN_CHARACTERS - 2) = '\0';
  g_string_append_printf (out, "%s …\n", line);
}

static void
append_finding (const KvsqlctlFindings *self, const KvsqlctlFinding *finding, GString *out)
{
  const KvsqlTrialStatement *statement = finding->tried->statement;
  const KvsqlctlMeasured *today = &finding->sides[0], *advised = &finding->sides[1];
  const gchar *unit = self->is_in_ms ? " ms" : "";

  g_string_append_printf (out, "%4u: ", statement->number);
  append_statement_text (statement->text, out);
  if (!finding->is_measured)
    {
      g_string_append_printf (out, "      left out: %s\n",
                              finding->tried->reason != NULL ? finding->tried->reason
                                                             : "it was not executed");
      return;
    }
  g_string_append_printf (out, "      weight %.6g, %u executions, %.4g rows each",
                          statement->weight, finding->n,
                          (gdouble)finding->tried->n_rows / finding->n);
  if (finding->tried->n_failed > 0)
    g_string_append_printf (out, ", %u others failed", finding->tried->n_failed);
  if (finding->tried->n_differences > 0)
    g_string_append_printf (out, ", %u different answers", finding->tried->n_differences);
  g_string_append_printf (out, "\n      predicted %.6g%s, advised %.6g%s", today->predicted, unit,
                          advised->predicted, unit);
  append_ratio (out, today->predicted, advised->predicted);
  g_string_append_printf (out, "      measured  %.4g ms, advised %.4g ms", today->median,
                          advised->median);
  append_ratio (out, today->median, advised->median);
  g_string_append_printf (out, "      95 of 100 within %.4g ms, advised %.4g ms\n", today->p95,
                          advised->p95);
}

static void
append_copies (const KvsqlctlFindings *self, GString *out)
{
  const KvsqlctlReplay *replay = self->replay;

  for (guint i = 0; i < replay->trial->n_relations; i++)
    if (replay->trial->relations[i].is_used)
      g_string_append_printf (out, "  %s: %" G_GUINT64_FORMAT " tuples\n",
                              replay->trial->relations[i].name,
                              kvsqlctl_sample_get_n_rows (replay->copies->items[i].sample));
  if (self->share < 1)
    g_string_append_printf (out,
                            "  This is a sample of %.4g %%. Predictions and times are those of "
                            "the sample, not of all tuples.\n",
                            self->share * 100);
  for (guint i = 0; replay->trial->notes != NULL && replay->trial->notes[i] != NULL; i++)
    g_string_append_printf (out, "  %s\n", replay->trial->notes[i]);
}

static void
append_totals (const KvsqlctlFindings *self, GString *out)
{
  g_string_append (out, "All statements, each by its weight\n");
  g_string_append_printf (out, "  predicted %.6g%s, advised %.6g%s", self->predicted[0],
                          self->is_in_ms ? " ms" : "", self->predicted[1],
                          self->is_in_ms ? " ms" : "");
  append_ratio (out, self->predicted[0], self->predicted[1]);
  g_string_append_printf (out, "  measured  %.4g ms, advised %.4g ms", self->measured[0],
                          self->measured[1]);
  append_ratio (out, self->measured[0], self->measured[1]);
  if (isnan (self->correlation))
    g_string_append (out, "  rank correlation of predicted and measured: not known\n");
  else
    g_string_append_printf (out, "  rank correlation of predicted and measured: %.3f\n",
                            self->correlation);
}

static void
append_differences (const KvsqlctlFindings *self, GString *out)
{
  if (self->differences->len == 0)
    {
      g_string_append (out, "All answers are the same, and so are all tuples at the end.\n");
      return;
    }
  g_string_append (out, "Answers differ\n");
  for (guint i = 0; i < self->differences->len; i++)
    g_string_append_printf (out, "  %s\n", (const gchar *)self->differences->pdata[i]);
}

gchar *
kvsqlctl_findings_to_text (const KvsqlctlFindings *self)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "Tried on copies, with --seed %u, %u rounds\n", self->seed,
                          self->replay->n_rounds);
  append_copies (self, out);
  g_string_append (out, "Statements today, and as advised\n");
  for (guint i = 0; i < self->replay->trial->n_statements; i++)
    append_finding (self, &self->items[i], out);
  append_totals (self, out);
  append_differences (self, out);
  return g_string_free (out, FALSE);
}
