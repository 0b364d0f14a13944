/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * findings-json.c: what a trial has found, for programs. docs/advisor.md describes the members.
 */
#include "config.h"

#include "client/ctl/verify/findings.h"

#include <json-glib/json-glib.h>
#include <math.h>

static void
append_text (const gchar *text, GString *out)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);
  JsonNode *node = json_node_init_string (json_node_alloc (), valid);
  g_autofree gchar *json = json_to_string (node, FALSE);

  json_node_unref (node);
  g_string_append (out, json);
}

static void
append_number (gdouble number, GString *out)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, isfinite (number) ? g_ascii_dtostr (text, sizeof text, number) : "null");
}

static void
append_value (const gchar *name, gdouble number, GString *out)
{
  g_string_append_printf (out, ", \"%s\": ", name);
  append_number (number, out);
}

static void
append_side (const gchar *name, const KvsqlctlMeasured *measured, GString *out)
{
  g_string_append_printf (out, ",\n       \"%s\": {\"predicted\": ", name);
  append_number (measured->predicted, out);
  append_value ("median_ms", measured->median, out);
  append_value ("p95_ms", measured->p95, out);
  g_string_append_c (out, '}');
}

static void
append_finding (const KvsqlctlFinding *finding, GString *out)
{
  const KvsqlctlTried *tried = finding->tried;

  g_string_append_printf (out, "      {\"number\": %u", tried->statement->number);
  append_value ("weight", tried->statement->weight, out);
  g_string_append (out, ", \"statement\": ");
  append_text (tried->statement->text, out);
  if (!finding->is_measured)
    {
      g_string_append (out, ", \"left_out\": ");
      append_text (tried->reason != NULL ? tried->reason : "it was not executed", out);
      g_string_append_c (out, '}');
      return;
    }
  g_string_append_printf (out, ",\n       \"executions\": %u, \"failed\": %u, \"different\": %u",
                          finding->n, tried->n_failed, tried->n_differences);
  append_value ("rows", (gdouble)tried->n_rows / finding->n, out);
  append_side ("today", &finding->sides[0], out);
  append_side ("advised", &finding->sides[1], out);
  g_string_append_c (out, '}');
}

static void
append_relations (const KvsqlctlFindings *self, GString *out)
{
  const KvsqlctlReplay *replay = self->replay;
  gboolean is_first = TRUE;

  g_string_append (out, ",\n    \"relations\": [");
  for (guint i = 0; i < replay->trial->n_relations; i++)
    {
      if (!replay->trial->relations[i].is_used)
        continue;
      g_string_append (out, is_first ? "{\"relation\": " : ", {\"relation\": ");
      append_text (replay->trial->relations[i].name, out);
      g_string_append_printf (out, ", \"tuples\": %" G_GUINT64_FORMAT "}",
                              kvsqlctl_sample_get_n_rows (replay->copies->items[i].sample));
      is_first = FALSE;
    }
  g_string_append_c (out, ']');
}

static void
append_total (const gchar *name, const gdouble *sums, GString *out)
{
  g_string_append_printf (out, ",\n    \"%s\": {\"today\": ", name);
  append_number (sums[0], out);
  append_value ("advised", sums[1], out);
  g_string_append_c (out, '}');
}

static void
append_texts (const gchar *name, const gchar *const *texts, guint n, GString *out)
{
  g_string_append_printf (out, ",\n    \"%s\": [", name);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      append_text (texts[i], out);
    }
  g_string_append_c (out, ']');
}

gchar *
kvsqlctl_findings_to_json (const KvsqlctlFindings *self)
{
  const gchar **notes = self->replay->trial->notes;
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "{\n    \"seed\": %u, \"rounds\": %u", self->seed,
                          self->replay->n_rounds);
  append_value ("sample", self->share, out);
  g_string_append_printf (out, ", \"unit\": \"%s\"", self->is_in_ms ? "ms" : "rows");
  append_relations (self, out);
  g_string_append (out, ",\n    \"statements\": [\n");
  for (guint i = 0; i < self->replay->trial->n_statements; i++)
    {
      g_string_append (out, i > 0 ? ",\n" : "");
      append_finding (&self->items[i], out);
    }
  g_string_append (out, "\n    ]");
  append_total ("predicted", self->predicted, out);
  append_total ("measured_ms", self->measured, out);
  append_value ("rank_correlation", self->correlation, out);
  append_texts ("differences", (const gchar *const *)self->differences->pdata,
                self->differences->len, out);
  append_texts ("notes", notes, notes != NULL ? g_strv_length ((gchar **)notes) : 0, out);
  g_string_append_printf (out, ",\n    \"better\": %s\n  }",
                          kvsqlctl_findings_are_better (self) ? "true" : "false");
  return g_string_free (out, FALSE);
}
