/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * findings-json.c: what a trial has found, for programs.
 */
#include "config.h"

#include "client/ctl/verify/findings.h"

#include <math.h>

static void
add_text (JsonBuilder *builder, const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);

  json_builder_add_string_value (builder, valid);
}

/* JSON has no NaN: null. */
static void
add_number (JsonBuilder *builder, const gchar *name, gdouble number)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (number))
    json_builder_add_double_value (builder, number);
  else
    json_builder_add_null_value (builder);
}

static void
add_whole (JsonBuilder *builder, const gchar *name, guint64 number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64)number);
}

static void
add_side (JsonBuilder *builder, const gchar *name, const KvsqlctlMeasured *measured)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  add_number (builder, "predicted", measured->predicted);
  add_number (builder, "median_ms", measured->median);
  add_number (builder, "p95_ms", measured->p95);
  json_builder_end_object (builder);
}

static void
add_finding (JsonBuilder *builder, const KvsqlctlFinding *finding)
{
  const KvsqlctlTried *tried = finding->tried;

  json_builder_begin_object (builder);
  add_whole (builder, "number", tried->statement->number);
  add_number (builder, "weight", tried->statement->weight);
  json_builder_set_member_name (builder, "statement");
  add_text (builder, tried->statement->text);
  if (finding->is_measured)
    {
      add_whole (builder, "executions", finding->n);
      add_whole (builder, "failed", tried->n_failed);
      add_whole (builder, "different", tried->n_differences);
      add_number (builder, "rows", (gdouble)tried->n_rows / finding->n);
      add_side (builder, "today", &finding->sides[0]);
      add_side (builder, "advised", &finding->sides[1]);
    }
  else
    {
      json_builder_set_member_name (builder, "left_out");
      add_text (builder, tried->reason != NULL ? tried->reason : "it was not executed");
    }
  json_builder_end_object (builder);
}

static void
add_relations (JsonBuilder *builder, const KvsqlctlReplay *replay)
{
  json_builder_set_member_name (builder, "relations");
  json_builder_begin_array (builder);
  for (guint i = 0; i < replay->trial->n_relations; i++)
    {
      if (!replay->trial->relations[i].is_used)
        continue;
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "relation");
      add_text (builder, replay->trial->relations[i].name);
      add_whole (builder, "tuples", kvsqlctl_sample_get_n_rows (replay->copies->items[i].sample));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_total (JsonBuilder *builder, const gchar *name, const gdouble *sums)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  add_number (builder, "today", sums[0]);
  add_number (builder, "advised", sums[1]);
  json_builder_end_object (builder);
}

static void
add_texts (JsonBuilder *builder, const gchar *name, const gchar *const *texts, guint n)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    add_text (builder, texts[i]);
  json_builder_end_array (builder);
}

JsonNode *
kvsqlctl_findings_to_json (const KvsqlctlFindings *self)
{
  const gchar **notes = self->replay->trial->notes;
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_whole (builder, "seed", self->seed);
  add_whole (builder, "rounds", self->replay->n_rounds);
  add_number (builder, "sample", self->share);
  json_builder_set_member_name (builder, "unit");
  json_builder_add_string_value (builder, self->is_in_ms ? "ms" : "rows");
  add_relations (builder, self->replay);
  json_builder_set_member_name (builder, "statements");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->replay->trial->n_statements; i++)
    add_finding (builder, &self->items[i]);
  json_builder_end_array (builder);
  add_total (builder, "predicted", self->predicted);
  add_total (builder, "measured_ms", self->measured);
  add_number (builder, "rank_correlation", self->correlation);
  add_texts (builder, "differences", (const gchar *const *)self->differences->pdata,
             self->differences->len);
  add_texts (builder, "notes", notes, notes != NULL ? g_strv_length ((gchar **)notes) : 0);
  json_builder_set_member_name (builder, "better");
  json_builder_add_boolean_value (builder, kvsqlctl_findings_are_better (self));
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
