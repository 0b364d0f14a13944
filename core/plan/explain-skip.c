/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-skip.c: what a candidate skips over, or could.
 */
#include "config.h"

#include "core/plan/explain-private.h"

static void
append_attributes (const KvsqlSkip *skip, guint index, const KvsqlRelation *relation, GString *out)
{
  KvsqlSequence one = { .elements = skip->row->elements + index, .n_elements = 1 };
  KvsqlAttributeSet attributes = { 0 };
  const gchar *separator = "";

  kvsql_sequence_collect_attributes (&one, &attributes);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&attributes, a))
      {
        g_string_append_printf (out, "%s%s", separator, relation->attributes[a].name);
        separator = ", ";
      }
}

/* As in the layout, where it is not the attribute itself. */
static void
append_element (const KvsqlSkip *skip, guint index, const KvsqlRelation *relation, GString *out)
{
  const KvsqlElement *element = skip->row->elements[index];
  gboolean is_made = element->is_derived || element->is_part;

  if (is_made)
    g_string_append_printf (out, "%s{", element->klass->name);
  append_attributes (skip, index, relation, out);
  if (is_made)
    g_string_append_c (out, '}');
}

void
kvsql_explain_skip_over (const KvsqlCandidate *candidate, const KvsqlSkip *skip, GString *out)
{
  const gchar *separator = "";

  for (guint i = 0; i < skip->n_front; i++)
    if (skip->is_open[i])
      {
        g_string_append (out, separator);
        append_element (skip, i, candidate->schema->relation, out);
        separator = ", ";
      }
}

static void
append_bound (KvsqlSlice bytes, GString *out)
{
  g_string_append (out, "\"…");
  kvsql_append_readable (out, bytes);
  g_string_append_c (out, '"');
}

static void
append_behind (const KvsqlRowRange *range, GString *out)
{
  if (kvsql_row_range_is_point (range))
    {
      g_string_append (out, "row ");
      append_bound (range->start, out);
      return;
    }
  g_string_append (out, "rows from ");
  if (range->start.size == 0)
    g_string_append (out, "the first");
  else
    append_bound (range->start, out);
  if (range->stop.size == 0)
    {
      g_string_append (out, " to the last");
      return;
    }
  g_string_append (out, " up to, not including, ");
  append_bound (range->stop, out);
}

void
kvsql_explain_skip_text (const KvsqlCandidate *candidate, const gchar *indent, GString *out)
{
  const KvsqlSkip *skip = candidate->skip;

  g_string_append_printf (out, "%s  of these, behind each ", indent);
  kvsql_explain_skip_over (candidate, skip, out);
  g_string_append_printf (out, " (about %.0f, found by seeking):\n", skip->n_fronts);
  for (guint i = 0; i < MIN (skip->n_behind, KVSQL_EXPLAIN_RANGES_SHOWN); i++)
    {
      g_string_append_printf (out, "%s    ", indent);
      append_behind (&skip->behind[i], out);
      g_string_append_c (out, '\n');
    }
  if (skip->n_behind > KVSQL_EXPLAIN_RANGES_SHOWN)
    g_string_append_printf (out, "%s    and %u more ranges\n", indent,
                            skip->n_behind - KVSQL_EXPLAIN_RANGES_SHOWN);
}

void
kvsql_explain_other_way (const KvsqlCandidate *candidate, GString *out)
{
  if (candidate->skip != NULL)
    {
      g_string_append_printf (out, "  reading all of these would cost ");
      kvsql_explain_append_count (candidate->other_cost, out);
      g_string_append_c (out, '\n');
    }
  if (candidate->other_skip == NULL || !candidate->is_full_scan)
    return;
  g_string_append (out, "  not skipping from one ");
  kvsql_explain_skip_over (candidate, candidate->other_skip, out);
  if (candidate->other_skip->is_known)
    {
      g_string_append (out, " to the next: that would cost ");
      kvsql_explain_append_count (candidate->other_cost, out);
      g_string_append_c (out, '\n');
    }
  else
    g_string_append_printf (out, " to the next: ANALYZE %s would tell whether that is cheaper\n",
                            candidate->schema->relation->name);
}

/* ---- JSON */

static void
add_hex (JsonBuilder *builder, const gchar *name, KvsqlSlice bytes)
{
  g_autofree gchar *hex = kvsql_hex (bytes);

  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, hex);
}

void
kvsql_explain_skip_json (const KvsqlCandidate *candidate, JsonBuilder *builder)
{
  const KvsqlSkip *skip = candidate->skip != NULL ? candidate->skip : candidate->other_skip;
  gboolean is_taken = candidate->skip != NULL;

  if (skip == NULL)
    return;
  json_builder_set_member_name (builder, is_taken ? "skip" : "skip_not_taken");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "over");
  json_builder_begin_array (builder);
  for (guint i = 0; i < skip->n_front; i++)
    if (skip->is_open[i])
      {
        g_autoptr (GString) text = g_string_new (NULL);
        append_element (skip, i, candidate->schema->relation, text);
        json_builder_add_string_value (builder, text->str);
      }
  json_builder_end_array (builder);
  if (skip->is_known)
    {
      json_builder_set_member_name (builder, "values");
      json_builder_add_double_value (builder, skip->n_fronts);
      json_builder_set_member_name (builder, is_taken ? "cost_without" : "cost");
      json_builder_add_double_value (builder, candidate->other_cost);
    }
  json_builder_set_member_name (builder, "behind");
  json_builder_begin_array (builder);
  for (guint i = 0; i < skip->n_behind; i++)
    {
      json_builder_begin_object (builder);
      add_hex (builder, "start", skip->behind[i].start);
      add_hex (builder, "stop", skip->behind[i].stop);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}
