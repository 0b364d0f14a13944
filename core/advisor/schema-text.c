/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * schema-text.c: a design as the text of DEFINE SCHEMA.
 *
 * The layout is the one that CREATE TABLE and CREATE INDEX choose: row keys and values of other
 * schemas are OrderedBytes; one with all attributes has a cell for each, so that an UPDATE writes
 * only what it changes.
 */
#include "config.h"

#include "core/advisor/schema-text.h"

#include "core/catalog/compile-schema.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

#define MARKER "x'00'"

static void
append_name (const KvsqlRelation *relation, guint attribute, GString *out)
{
  const KvsqlName name = { .text = relation->attributes[attribute].name,
                           .is_quoted = relation->attributes[attribute].is_quoted };

  kvsql_print_name (&name, out);
}

static void
append_ordered (const KvsqlRelation *relation, guint attribute, gboolean is_first, GString *out)
{
  g_string_append (out, is_first ? "ordered{" : ":ordered{");
  append_name (relation, attribute, out);
  g_string_append_c (out, '}');
}

/* Whether there is a value that has no element in the middle of a layout. */
static gboolean
has_open_value (const KvsqlRelation *relation, const KvsqlAttributeSet *value)
{
  for (gint a = -1; (a = kvsql_attribute_set_next (value, a)) >= 0;)
    if (kvsql_type_is_collection (relation->attributes[a].type)
        || kvsql_type_is_json (relation->attributes[a].type))
      return TRUE;
  return FALSE;
}

/* A cell for each attribute. */
static void
append_cells (const KvsqlRelation *relation, const KvsqlDesign *design, GString *out)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (gint a = -1; (a = kvsql_attribute_set_next (&relation->all, a)) >= 0;)
    if (!kvsql_attribute_set_has (&design->value, (guint)a))
      {
        g_string_append (names, names->len > 0 ? ", " : "");
        append_name (relation, (guint)a, names);
      }
  g_string_append_printf (
      out, ", QUALIFIER attr_name[%s], VALUE attr_value[%s] } WITH (marker = " MARKER ")",
      names->str, names->str);
}

/* One cell with all values. */
static void
append_packed (const KvsqlRelation *relation, const KvsqlDesign *design, GString *out)
{
  gboolean is_first = TRUE;

  g_string_append (out, ", VALUE ");
  for (gint a = -1; (a = kvsql_attribute_set_next (&design->value, a)) >= 0; is_first = FALSE)
    append_ordered (relation, (guint)a, is_first, out);
  g_string_append (out, " }");
}

/* The definition of a schema that exists, by another name, or in another role. */
static gchar *
rename_given (const KvsqlWorkloadSchema *given, const gchar *name, gboolean is_primary)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAstStatement *ast
      = kvsql_parser_parse_definition (kvsql_slice_from_text (given->text), arena, NULL);
  GString *out = g_string_new (NULL);

  g_assert (ast != NULL); /* it was parsed when the workload was read */
  ast->define_schema.name.text = name;
  ast->define_schema.is_primary = is_primary;
  kvsql_print_statement (ast, out);
  return g_string_free (out, FALSE);
}

gchar *
kvsql_design_to_text (const KvsqlDesign *design, const KvsqlRelation *relation, const gchar *name,
                      gboolean is_primary)
{
  const KvsqlName schema_name = { .text = name };
  const KvsqlName relation_name = { .text = relation->name, .is_quoted = relation->is_quoted };
  GString *out;

  if (design->given != NULL)
    return rename_given (design->given, name, is_primary);
  out = g_string_new (is_primary ? "DEFINE PRIMARY SCHEMA " : "DEFINE SCHEMA ");
  kvsql_print_name (&schema_name, out);
  g_string_append (out, " FOR ");
  kvsql_print_name (&relation_name, out);
  g_string_append_printf (out, " { TABLE '%s', ROW ", name);
  for (guint i = 0; i < design->n_row; i++)
    append_ordered (relation, design->row[i], i == 0, out);
  g_string_append (out, ", FAMILY 'f'");
  if (kvsql_attribute_set_next (&design->value, -1) < 0)
    g_string_append (out, " }");
  else if (is_primary || design->is_whole || has_open_value (relation, &design->value))
    append_cells (relation, design, out);
  else
    append_packed (relation, design, out);
  return g_string_free (out, FALSE);
}

KvsqlSchema *
kvsql_design_prove (const gchar *text, KvsqlRelation *relation, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (text), arena, error);

  return statement != NULL ? kvsql_schema_new (&statement->define_schema, relation, error) : NULL;
}
