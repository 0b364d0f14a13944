/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-skip.c: explains a skip scan, or one that was rejected.
 */
#include "config.h"

#include "core/plan/explain-private.h"

#include "core/layout/element.h"

static void
append_attributes (const KvsqlSkipPlan *skip, guint index, const KvsqlRelation *relation,
                   GString *out)
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

/* The text of the layout, unless the element is a bare attribute. */
static void
append_element (const KvsqlSkipPlan *skip, guint index, const KvsqlRelation *relation, GString *out)
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
kvsql_explain_skip_over (const KvsqlAccessPath *path, const KvsqlSkipPlan *skip, GString *out)
{
  const gchar *separator = "";

  for (guint i = 0; i < skip->n_prefix; i++)
    if (skip->is_open[i])
      {
        g_string_append (out, separator);
        append_element (skip, i, path->schema->relation, out);
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
append_suffix (const KvsqlRowRange *range, GString *out)
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
kvsql_explain_skip_text (const KvsqlAccessPath *path, const gchar *indent, GString *out)
{
  const KvsqlSkipPlan *skip = path->skip;

  g_string_append_printf (out, "%s  of these, after each ", indent);
  kvsql_explain_skip_over (path, skip, out);
  g_string_append_printf (out, " (about %.0f, found by seeking):\n", skip->n_prefixes);
  for (guint i = 0; i < MIN (skip->n_suffixes, KVSQL_EXPLAIN_RANGES_SHOWN); i++)
    {
      g_string_append_printf (out, "%s    ", indent);
      append_suffix (&skip->suffixes[i], out);
      g_string_append_c (out, '\n');
    }
  if (skip->n_suffixes > KVSQL_EXPLAIN_RANGES_SHOWN)
    g_string_append_printf (out, "%s    and %u more ranges\n", indent,
                            skip->n_suffixes - KVSQL_EXPLAIN_RANGES_SHOWN);
}

void
kvsql_explain_other_way (const KvsqlAccessPath *path, GString *out)
{
  if (path->skip != NULL)
    {
      g_string_append_printf (out, "  reading all of these would cost ");
      kvsql_explain_append_count (path->other_cost, out);
      g_string_append_c (out, '\n');
    }
  if (path->other_skip == NULL || !path->is_full_scan)
    return;
  g_string_append (out, "  not skipping from one ");
  kvsql_explain_skip_over (path, path->other_skip, out);
  if (path->other_skip->is_known)
    {
      g_string_append (out, " to the next: that would cost ");
      kvsql_explain_append_count (path->other_cost, out);
      g_string_append_c (out, '\n');
    }
  else
    g_string_append_printf (out, " to the next: ANALYZE %s would tell whether that is cheaper\n",
                            path->schema->relation->name);
}

/* ---- JSON */

void
kvsql_explain_skip_json (const KvsqlAccessPath *path, JsonBuilder *builder)
{
  const KvsqlSkipPlan *skip = path->skip != NULL ? path->skip : path->other_skip;
  gboolean is_taken = path->skip != NULL;

  if (skip == NULL)
    return;
  json_builder_set_member_name (builder, is_taken ? "skip" : "skip_not_taken");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "over");
  json_builder_begin_array (builder);
  for (guint i = 0; i < skip->n_prefix; i++)
    if (skip->is_open[i])
      {
        g_autoptr (GString) text = g_string_new (NULL);
        append_element (skip, i, path->schema->relation, text);
        json_builder_add_string_value (builder, text->str);
      }
  json_builder_end_array (builder);
  if (skip->is_known)
    {
      kvsql_explain_add_number (builder, "values", skip->n_prefixes);
      kvsql_explain_add_number (builder, is_taken ? "cost_without" : "cost", path->other_cost);
    }
  json_builder_set_member_name (builder, "behind");
  json_builder_begin_array (builder);
  for (guint i = 0; i < skip->n_suffixes; i++)
    {
      json_builder_begin_object (builder);
      kvsql_explain_add_hex (builder, "start", skip->suffixes[i].start);
      kvsql_explain_add_hex (builder, "stop", skip->suffixes[i].stop);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}
