/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advice-json.c: the advice for programs. docs/advisor.md describes the members.
 *
 * JSON-GLib writes 1e17 as 1e+17.0, which is no JSON, and a number of bytes with ".0". So numbers
 * are written here, and only texts by it.
 */
#include "config.h"

#include "core/advisor/advice.h"

#include <json-glib/json-glib.h>
#include <math.h>

/* Whole numbers below it are exact, and written without an exponent. */
#define WHOLE 9007199254740992.0

static void
append_text (const gchar *text, GString *out)
{
  JsonNode *node = json_node_init_string (json_node_alloc (), text);
  g_autofree gchar *json = json_to_string (node, FALSE);

  json_node_unref (node);
  g_string_append (out, json);
}

static void
append_number (gdouble number, GString *out)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  if (floor (number) == number && fabs (number) < WHOLE)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64)number);
  else
    g_string_append (out, g_ascii_dtostr (text, sizeof text, number));
}

static void
append_name (const gchar *indent, const gchar *name, GString *out)
{
  g_string_append_printf (out, "%s\"%s\": ", indent, name);
}

static void
append_string (const gchar *indent, const gchar *name, const gchar *text, GString *out)
{
  append_name (indent, name, out);
  append_text (text, out);
}

static void
append_value (const gchar *indent, const gchar *name, gdouble number, GString *out)
{
  append_name (indent, name, out);
  append_number (number, out);
}

/* ---- schemas */

static void
append_row (const KvsqlDesign *design, const KvsqlRelation *relation, GString *out)
{
  append_name (", ", "row", out);
  for (guint i = 0; i < design->n_row; i++)
    {
      g_string_append (out, i == 0 ? "[" : ", ");
      append_text (relation->attributes[design->row[i]].name, out);
    }
  append_name ("],\n     ", "value", out);
  g_string_append_c (out, '[');
  for (gint a = -1, n = 0; (a = kvsql_attribute_set_next (&design->value, a)) >= 0; n++)
    {
      g_string_append (out, n == 0 ? "" : ", ");
      append_text (relation->attributes[a].name, out);
    }
  g_string_append_c (out, ']');
}

static void
append_schema (const KvsqlAdvice *self, const KvsqlAdvisedSchema *schema, GString *out)
{
  const KvsqlRelation *relation
      = self->problem->workload->relations[schema->design->relation].relation;
  g_autofree gchar *definition
      = schema->design->given == NULL ? kvsql_advice_define (self, schema, NULL) : NULL;

  append_string ("    {", "relation", relation->name, out);
  append_string (", ", "name", schema->name, out);
  append_row (schema->design, relation, out);
  append_name (",\n     ", "primary", out);
  g_string_append (out, schema->is_primary ? "true" : "false");
  append_name (", ", "statements", out);
  g_string_append_c (out, '[');
  for (guint i = 0; i < schema->n_statements; i++)
    g_string_append_printf (out, "%s%u", i > 0 ? ", " : "", schema->statements[i]);
  g_string_append_c (out, ']');
  if (schema->design->given != NULL)
    g_string_append (out, ", \"exists\": true");
  append_value (", ", "bytes", schema->size, out);
  append_value (", ", "upkeep", self->problem->choice.items[schema->item].cost, out);
  if (schema->without < INFINITY)
    append_value (", ", "without", schema->without, out);
  if (definition != NULL)
    append_string (",\n     ", "definition", definition, out);
  g_string_append_c (out, '}');
}

/* ---- statements */

static void
append_statement (const KvsqlAdvice *self, const KvsqlAdvisedStatement *statement, GString *out)
{
  gdouble ms = kvsql_advice_get_ms (self, statement->cost);

  append_value ("    {", "number", statement->statement->number, out);
  append_value (", ", "weight", statement->statement->weight, out);
  append_value (", ", "cost", statement->cost, out);
  append_value (", ", "read_cost", statement->read_cost, out);
  if (ms > 0)
    append_value (", ", "cost_ms", ms, out);
  append_string (",\n     ", "plan", statement->plan, out);
  if (statement->statement->slo > 0)
    g_string_append (out,
                     statement->misses_slo ? ", \"misses_slo\": true" : ", \"misses_slo\": false");
  g_string_append_c (out, '}');
}

/* Schemas that exist and are not advised. */
static void
append_unused (const KvsqlAdvice *self, GString *out)
{
  const KvsqlWorkload *workload = self->problem->workload;

  append_name (",\n  ", "unused", out);
  g_string_append_c (out, '[');
  for (guint i = 0, n = 0; i < workload->n_schemas; i++)
    if (!kvsql_advice_has_given (self, &workload->schemas[i]))
      {
        g_string_append (out, n++ > 0 ? ", " : "");
        append_text (workload->schemas[i].name, out);
      }
  g_string_append_c (out, ']');
}

static void
append_curve (const KvsqlCurve *curve, GString *out)
{
  append_name (",\n  ", "curve", out);
  for (guint i = 0; i < curve->n; i++)
    {
      g_string_append (out, i == 0 ? "[\n" : ",\n");
      append_value ("    {", "bytes", curve->points[i].bytes, out);
      append_value (", ", "cost", curve->points[i].cost, out);
      append_value (", ", "gap", curve->points[i].gap, out);
      g_string_append_c (out, '}');
    }
  g_string_append (out, "\n  ]");
}

gchar *
kvsql_advice_to_json (const KvsqlAdvice *self, GError **error)
{
  GString *out = g_string_new ("{\n");

  append_value ("  ", "cost", self->cost, out);
  append_value (",\n  ", "bytes", self->selection->size, out);
  append_value (",\n  ", "gap", self->gap, out);
  append_name (",\n  ", "schemas", out);
  for (guint i = 0; i < self->n_schemas; i++)
    {
      g_string_append (out, i == 0 ? "[\n" : ",\n");
      append_schema (self, &self->schemas[i], out);
    }
  append_name ("\n  ],\n  ", "statements", out);
  for (guint i = 0; i < self->n_statements; i++)
    {
      g_string_append (out, i == 0 ? "[\n" : ",\n");
      append_statement (self, &self->statements[i], out);
    }
  g_string_append (out, "\n  ]");
  if (self->problem->workload->n_schemas > 0)
    append_unused (self, out);
  if (self->curve.n > 0)
    append_curve (&self->curve, out);
  g_string_append (out, "\n}\n");
  return g_string_free (out, FALSE);
}
