/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-path-json.c: explains the access paths of a plan as JSON.
 */
#include "config.h"

#include "core/plan/explain-private.h"
#include "core/store/filter.h"

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
  kvsql_explain_add_boolean (builder, "chosen", path == plan->best);
  if (path != plan->best)
    {
      g_autofree gchar *reason = kvsql_explain_reason_against (plan, path);
      kvsql_explain_add_string (builder, "reason", reason);
    }
  if (path->is_usable)
    {
      kvsql_explain_add_number (builder, "cost", path->cost);
      if (path->unit_us > 0)
        kvsql_explain_add_number (builder, "cost_ms", path->cost * path->unit_us / 1000);
      kvsql_explain_add_number (builder, "rows", path->rows);
      if (path->is_assumed)
        kvsql_explain_add_boolean (builder, "rows_assumed", TRUE);
      kvsql_explain_add_number (builder, "requests", path->requests);
      kvsql_explain_add_boolean (builder, "full_scan", path->is_full_scan);
      add_tables (builder, path);
      if (path->filter != NULL)
        {
          g_autoptr (GString) text = g_string_new (NULL);
          kvsql_filter_append_text (path->filter, text);
          kvsql_explain_add_string (builder, "store_filter", text->str);
        }
      if (path->keys_only)
        kvsql_explain_add_boolean (builder, "keys_only", TRUE);
      if (path->schema->cells[0].each != NULL)
        kvsql_explain_add_boolean (builder, "several_tuples_a_cell", TRUE);
      if (path->times.min > 0)
        kvsql_explain_add_integer (builder, "min_timestamp", path->times.min);
      if (path->times.max > 0)
        kvsql_explain_add_integer (builder, "max_timestamp", path->times.max);
      kvsql_explain_skip_json (path, builder);
      if (path->is_verified)
        kvsql_explain_add_integer (builder, "anchors_per_request", KVSQL_ANCHORS_PER_GET);
      else if (path->lookup_schema != NULL)
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
