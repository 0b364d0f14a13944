/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-json.c: explains a plan as JSON.
 */
#include "config.h"

#include "core/plan/estimate.h"
#include "core/plan/explain-private.h"
#include "core/plan/explain.h"
#include "core/store/filter.h"

void
kvsql_explain_add_string (JsonBuilder *builder, const gchar *name, const gchar *text)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

void
kvsql_explain_add_integer (JsonBuilder *builder, const gchar *name, guint64 number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64)number);
}

void
kvsql_explain_add_hex (JsonBuilder *builder, const gchar *name, KvsqlSlice bytes)
{
  g_autofree gchar *hex = kvsql_hex (bytes);

  kvsql_explain_add_string (builder, name, hex);
}

static void
add_number (JsonBuilder *builder, const gchar *name, gdouble number)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, number);
}

static void
add_boolean (JsonBuilder *builder, const gchar *name, gboolean truth)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, truth);
}

static void
add_tables (JsonBuilder *builder, const KvsqlAccessPath *path)
{
  json_builder_set_member_name (builder, "tables");
  json_builder_begin_array (builder);
  for (guint t = 0; t < path->n_tables; t++)
    {
      json_builder_begin_object (builder);
      kvsql_explain_add_hex (builder, path->has_open_table ? "table_prefix" : "table",
                             path->has_open_table ? path->table_prefix : path->tables[t].table);
      json_builder_set_member_name (builder, "ranges");
      json_builder_begin_array (builder);
      for (guint r = 0; r < path->tables[t].n_ranges; r++)
        {
          json_builder_begin_object (builder);
          kvsql_explain_add_hex (builder, "start", path->tables[t].ranges[r].start);
          kvsql_explain_add_hex (builder, "stop", path->tables[t].ranges[r].stop);
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_fetch (JsonBuilder *builder, const KvsqlAccessPath *path)
{
  const KvsqlRelation *relation = path->schema->relation;

  json_builder_set_member_name (builder, "fetch");
  json_builder_begin_object (builder);
  kvsql_explain_add_string (builder, "schema", path->lookup_schema->name);
  json_builder_set_member_name (builder, "attributes");
  json_builder_begin_array (builder);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&path->looked_up, a))
      json_builder_add_string_value (builder, relation->attributes[a].name);
  json_builder_end_array (builder);
  if (path->index_predicate != NULL)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      kvsql_explain_append_predicate (path->index_predicate, relation, text);
      kvsql_explain_add_string (builder, "checked_before", text->str);
    }
  json_builder_end_object (builder);
}

static void
add_path (JsonBuilder *builder, const KvsqlSelectPlan *plan, const KvsqlAccessPath *path)
{
  json_builder_begin_object (builder);
  kvsql_explain_add_string (builder, "schema", path->schema->name);
  add_boolean (builder, "chosen", path == plan->best);
  if (path != plan->best)
    {
      g_autofree gchar *reason = kvsql_explain_reason_against (plan, path);
      kvsql_explain_add_string (builder, "reason", reason);
    }
  if (path->is_usable)
    {
      add_number (builder, "cost", path->cost);
      add_number (builder, "rows", path->rows);
      if (path->is_assumed)
        add_boolean (builder, "rows_assumed", TRUE);
      add_number (builder, "requests", path->requests);
      add_boolean (builder, "full_scan", path->is_full_scan);
      add_tables (builder, path);
      if (path->filter != NULL)
        {
          g_autoptr (GString) text = g_string_new (NULL);
          kvsql_filter_append_text (path->filter, text);
          kvsql_explain_add_string (builder, "store_filter", text->str);
        }
      if (path->keys_only)
        add_boolean (builder, "keys_only", TRUE);
      if (path->times.min > 0)
        kvsql_explain_add_integer (builder, "min_timestamp", path->times.min);
      if (path->times.max > 0)
        kvsql_explain_add_integer (builder, "max_timestamp", path->times.max);
      kvsql_explain_skip_json (path, builder);
      if (path->lookup_schema != NULL)
        add_fetch (builder, path);
    }
  json_builder_end_object (builder);
}

void
kvsql_explain_add_paths (const KvsqlSelectPlan *plan, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "candidates");
  json_builder_begin_array (builder);
  for (guint i = 0; i < plan->n_paths; i++)
    add_path (builder, plan, &plan->paths[i]);
  json_builder_end_array (builder);
}

/* The estimated number of rows of the result, from statistics of all tuples; negative: unknown. */
static gdouble
estimate_answer (const KvsqlSelectPlan *plan)
{
  const KvsqlStatistics *statistics = plan->dnf.statistics;
  KvsqlAttributeSet all = { 0 };
  gdouble rows = 0;

  if (statistics == NULL || !statistics->is_complete || !plan->dnf.is_exact || plan->groups != NULL
      || plan->is_distinct || plan->cross_join != NULL)
    return -1;
  for (guint a = 0; a < statistics->n_attributes; a++)
    kvsql_attribute_set_add (&all, a);
  for (guint i = 0; i < plan->dnf.n_disjuncts; i++)
    rows += statistics->n_tuples
            * kvsql_estimate_known_share (statistics, &plan->dnf.disjuncts[i], &all);
  rows = MIN (rows, statistics->n_tuples) - (gdouble)plan->offset;
  return CLAMP (rows, 0, (gdouble)plan->limit);
}

gchar *
kvsql_explain_json (const KvsqlSelectPlan *plan, const gchar *verb)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  gdouble answer_rows = estimate_answer (plan);

  json_builder_begin_object (builder);
  kvsql_explain_add_string (builder, "statement", verb);
  kvsql_explain_add_nodes (plan, builder);
  if (answer_rows >= 0)
    add_number (builder, "answer_rows", answer_rows);
  kvsql_explain_add_paths (plan, builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}
