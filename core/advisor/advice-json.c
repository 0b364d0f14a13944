/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advice-json.c: the advice for programs. docs/advisor.md describes the members.
 */
#include "config.h"

#include "core/advisor/advice.h"

#include <json-glib/json-glib.h>

static void
add_string (JsonBuilder *builder, const gchar *name, const gchar *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_number (JsonBuilder *builder, const gchar *name, gdouble value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

static void
add_attribute (JsonBuilder *builder, const KvsqlRelation *relation, guint attribute)
{
  json_builder_add_string_value (builder, relation->attributes[attribute].name);
}

static void
add_schema (const KvsqlAdvice *self, const KvsqlAdvisedSchema *schema, JsonBuilder *builder)
{
  const KvsqlRelation *relation
      = self->problem->workload->relations[schema->design->relation].relation;

  json_builder_begin_object (builder);
  add_string (builder, "relation", relation->name);
  add_string (builder, "name", schema->name);
  json_builder_set_member_name (builder, "row");
  json_builder_begin_array (builder);
  for (guint i = 0; i < schema->design->n_row; i++)
    add_attribute (builder, relation, schema->design->row[i]);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "value");
  json_builder_begin_array (builder);
  for (gint a = -1; (a = kvsql_attribute_set_next (&schema->design->value, a)) >= 0;)
    add_attribute (builder, relation, (guint)a);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "primary");
  json_builder_add_boolean_value (builder, schema->is_primary);
  json_builder_set_member_name (builder, "statements");
  json_builder_begin_array (builder);
  for (guint i = 0; i < schema->n_statements; i++)
    json_builder_add_int_value (builder, schema->statements[i]);
  json_builder_end_array (builder);
  add_number (builder, "bytes", schema->size);
  json_builder_end_object (builder);
}

static void
add_statement (const KvsqlAdvisedStatement *statement, JsonBuilder *builder)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "number");
  json_builder_add_int_value (builder, statement->statement->number);
  add_number (builder, "weight", statement->statement->weight);
  add_number (builder, "cost", statement->cost);
  add_string (builder, "plan", statement->plan);
  json_builder_end_object (builder);
}

gchar *
kvsql_advice_to_json (const KvsqlAdvice *self, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  add_number (builder, "cost", self->selection->cost);
  add_number (builder, "bytes", self->selection->size);
  add_number (builder, "gap", self->gap);
  json_builder_set_member_name (builder, "schemas");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->n_schemas; i++)
    add_schema (self, &self->schemas[i], builder);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "statements");
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->n_statements; i++)
    add_statement (&self->statements[i], builder);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}
