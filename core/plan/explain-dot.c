/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-dot.c: the plan's JSON as a digraph: tables below, the answer on top, and beside them
 * the schemas that were not chosen.
 */
#include "config.h"

#include "core/base/slice.h"
#include "core/plan/explain-dot.h"

#include <json-glib/json-glib.h>

typedef struct
{
  GString *out;
  guint n_nodes;
} Graph;

static const gchar *
get_string (JsonObject *object, const gchar *member)
{
  return json_object_get_string_member_with_default (object, member, "");
}

static void
append_label (GString *out, const gchar *text)
{
  for (; *text != '\0'; text++)
    {
      if (*text == '"' || *text == '\\')
        g_string_append_c (out, '\\');
      if (*text == '\n')
        g_string_append (out, "\\n");
      else
        g_string_append_c (out, *text);
    }
}

/* Returns the node's number. */
static guint
add_node (Graph *self, const gchar *label, const gchar *attributes)
{
  g_string_append_printf (self->out, "  n%u [label=\"", self->n_nodes);
  append_label (self->out, label);
  g_string_append_printf (self->out, "\"%s];\n", attributes);
  return self->n_nodes++;
}

static void
add_edge (Graph *self, guint from, guint to)
{
  g_string_append_printf (self->out, "  n%u -> n%u;\n", from, to);
}

/* A node behind @from. */
static guint
add_behind (Graph *self, guint from, const gchar *label, const gchar *attributes)
{
  guint node = add_node (self, label, attributes);

  add_edge (self, from, node);
  return node;
}

static gchar *
readable_from_hex (const gchar *hex)
{
  GString *out = g_string_new (NULL);

  for (; g_ascii_isxdigit (hex[0]) && g_ascii_isxdigit (hex[1]); hex += 2)
    {
      guint8 byte = g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]);
      kvsql_append_readable (out, kvsql_slice (&byte, 1));
    }
  return g_string_free (out, FALSE);
}

/* ---- what is read */

static void
append_estimate (JsonObject *candidate, GString *out)
{
  g_string_append_printf (out, "\ncost %.0f, about %.0f rows",
                          json_object_get_double_member (candidate, "cost"),
                          json_object_get_double_member (candidate, "rows"));
  if (json_object_get_boolean_member (candidate, "full_scan"))
    g_string_append (out, "\nfull scan");
}

static void
append_skip (JsonObject *candidate, GString *out)
{
  JsonObject *skip;
  JsonArray *over;

  if (!json_object_has_member (candidate, "skip"))
    return;
  skip = json_object_get_object_member (candidate, "skip");
  over = json_object_get_array_member (skip, "over");
  g_string_append (out, "\nskipping over ");
  for (guint i = 0; i < json_array_get_length (over); i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "",
                            json_array_get_string_element (over, i));
  g_string_append_printf (out, ", about %.0f", json_object_get_double_member (skip, "values"));
}

static void
add_tables (Graph *self, JsonObject *candidate, guint scan)
{
  JsonArray *tables = json_object_get_array_member (candidate, "tables");

  for (guint t = 0; t < json_array_get_length (tables); t++)
    {
      JsonObject *table = json_array_get_object_element (tables, t);
      guint n = json_array_get_length (json_object_get_array_member (table, "ranges"));
      gboolean is_open = json_object_has_member (table, "table_prefix");
      g_autofree gchar *name
          = readable_from_hex (get_string (table, is_open ? "table_prefix" : "table"));
      g_autofree gchar *label
          = g_strdup_printf ("%s %s%s\n%u range%s", is_open ? "tables" : "table", name,
                             is_open ? "…" : "", n, n == 1 ? "" : "s");
      guint node = add_node (self, label, ", shape=cylinder");
      add_edge (self, node, scan);
    }
}

static guint
add_scan (Graph *self, JsonObject *candidate)
{
  g_autoptr (GString) label = g_string_new (NULL);
  guint scan;

  g_string_append_printf (label, "scan of schema %s", get_string (candidate, "schema"));
  append_estimate (candidate, label);
  append_skip (candidate, label);
  scan = add_node (self, label->str, "");
  add_tables (self, candidate, scan);
  return scan;
}

static guint
add_fetch (Graph *self, JsonObject *fetch, guint from)
{
  g_autoptr (GString) label = g_string_new ("fetch ");
  JsonArray *attributes = json_object_get_array_member (fetch, "attributes");

  if (json_object_has_member (fetch, "checked_before"))
    from = add_behind (self, from, get_string (fetch, "checked_before"), ", shape=diamond");
  for (guint i = 0; i < json_array_get_length (attributes); i++)
    g_string_append_printf (label, "%s%s", i > 0 ? ", " : "",
                            json_array_get_string_element (attributes, i));
  g_string_append_printf (label, "\nfrom schema %s", get_string (fetch, "schema"));
  return add_behind (self, from, label->str, "");
}

static void
add_loser (Graph *self, JsonObject *candidate)
{
  g_autofree gchar *label = g_strdup_printf ("schema %s\n%s", get_string (candidate, "schema"),
                                             get_string (candidate, "reason"));

  add_node (self, label, ", style=dashed, color=gray, fontcolor=gray");
}

/* ---- what happens then */

static guint
add_sort (Graph *self, JsonObject *plan, guint from)
{
  JsonArray *keys = json_object_get_array_member (plan, "sort");
  g_autoptr (GString) label = g_string_new (NULL);
  const gchar *order = get_string (plan, "order");

  g_string_append (label, g_str_equal (order, "scan") || g_str_equal (order, "reverse scan")
                              ? "in the order of"
                              : "sort by");
  for (guint i = 0; i < json_array_get_length (keys); i++)
    {
      JsonObject *key = json_array_get_object_element (keys, i);
      g_string_append_printf (
          label, "%s %s%s", i > 0 ? "," : "", get_string (key, "attribute"),
          json_object_get_boolean_member_with_default (key, "descending", FALSE) ? " desc" : "");
    }
  return add_behind (self, from, label->str, "");
}

static guint
add_numbers (Graph *self, JsonObject *plan, guint from)
{
  static const gchar *const members[] = { "offset", "limit" };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (json_object_has_member (plan, members[i]))
      {
        g_autofree gchar *label = g_strdup_printf ("%s %" G_GINT64_FORMAT, members[i],
                                                   json_object_get_int_member (plan, members[i]));
        from = add_behind (self, from, label, "");
      }
  return from;
}

static void
add_answer (Graph *self, JsonObject *plan, guint from)
{
  g_autoptr (GString) label = g_string_new (get_string (plan, "statement"));

  if (json_object_has_member (plan, "relation"))
    g_string_append_printf (label, " from %s", get_string (plan, "relation"));
  if (json_object_has_member (plan, "actual"))
    {
      JsonObject *actual = json_object_get_object_member (plan, "actual");
      JsonObject *read = json_object_get_object_member (actual, "read");
      g_string_append_printf (
          label, "\nread %" G_GINT64_FORMAT " rows, matched %" G_GINT64_FORMAT " tuples in %.3f ms",
          json_object_get_int_member (read, "rows"), json_object_get_int_member (actual, "matched"),
          json_object_get_double_member (actual, "ms"));
    }
  add_behind (self, from, label->str, ", shape=oval");
}

/* The schema that was chosen; the others are left where they are. Returns: the node behind it */
static guint
add_candidates (Graph *self, JsonArray *candidates)
{
  guint last = 0;

  for (guint i = 0; i < json_array_get_length (candidates); i++)
    {
      JsonObject *candidate = json_array_get_object_element (candidates, i);

      if (!json_object_get_boolean_member (candidate, "chosen"))
        {
          add_loser (self, candidate);
          continue;
        }
      last = add_scan (self, candidate);
      if (json_object_has_member (candidate, "fetch"))
        last = add_fetch (self, json_object_get_object_member (candidate, "fetch"), last);
    }
  return last;
}

static guint
add_product (Graph *self, JsonArray *others, guint last)
{
  guint product = add_behind (self, last, "with each of", ", shape=trapezium");

  for (guint i = 0; i < json_array_get_length (others); i++)
    {
      JsonObject *other = json_array_get_object_element (others, i);
      add_edge (self, add_candidates (self, json_object_get_array_member (other, "candidates")),
                product);
    }
  return product;
}

static void
add_plan (Graph *self, JsonObject *plan)
{
  guint last = json_object_has_member (plan, "relation")
                   ? add_candidates (self, json_object_get_array_member (plan, "candidates"))
                   : add_node (self, "one row", "");

  if (json_object_has_member (plan, "with_each_of"))
    last = add_product (self, json_object_get_array_member (plan, "with_each_of"), last);
  if (json_object_has_member (plan, "checked"))
    last = add_behind (self, last, get_string (plan, "checked"), ", shape=diamond");
  if (json_object_has_member (plan, "sort"))
    last = add_sort (self, plan, last);
  add_answer (self, plan, add_numbers (self, plan, last));
}

static void
add_calls (Graph *self, JsonArray *calls)
{
  for (guint i = 0; i < json_array_get_length (calls); i++)
    {
      JsonObject *call = json_array_get_object_element (calls, i);
      g_autofree gchar *row = readable_from_hex (get_string (call, "row"));
      g_autofree gchar *label = g_strdup_printf ("%s %s\n%s", get_string (call, "op"),
                                                 get_string (call, "schema"), row);
      guint node = add_node (self, label, "");
      if (node > 0)
        add_edge (self, node - 1, node);
    }
}

gchar *
kvsql_explain_dot (const gchar *json)
{
  g_autoptr (JsonNode) root = json_from_string (json, NULL);
  JsonObject *object = json_node_get_object (root);
  Graph graph = { .out = g_string_new ("digraph plan {\n  rankdir=BT;\n  node [shape=box];\n") };

  if (json_object_has_member (object, "candidates"))
    add_plan (&graph, object);
  else
    add_calls (&graph, json_object_get_array_member (object, "calls"));
  g_string_append (graph.out, "}\n");
  return g_string_free (graph.out, FALSE);
}
