/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-dot.c: converts the JSON of a plan to a digraph. Tables are at the bottom, the result is
 * at the top, and schemas that were not chosen are next to them.
 */
#include "config.h"

#include "core/base/interrupt.h"
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
  for (gsize i = 0; *text != '\0' && kvsql_interrupt_tick_byte (i); text++, i++)
    {
      if (*text == '"' || *text == '\\')
        g_string_append_c (out, '\\');
      if (*text == '\n')
        g_string_append (out, "\\n");
      else
        g_string_append_c (out, *text);
    }
}

/* Returns the number of the node. */
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

/* Adds a node with an edge from @from. */
static guint
add_after (Graph *self, guint from, const gchar *label, const gchar *attributes)
{
  guint node = add_node (self, label, attributes);

  add_edge (self, from, node);
  return node;
}

static gchar *
readable_from_hex (const gchar *hex)
{
  GString *out = g_string_new (NULL);

  for (gsize i = 0; g_ascii_isxdigit (hex[0]) && g_ascii_isxdigit (hex[1]); hex += 2, i++)
    {
      guint8 byte;

      if (!kvsql_interrupt_tick_byte (i))
        break;
      byte = g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]);
      kvsql_append_readable (out, kvsql_slice (&byte, 1));
    }
  return g_string_free (out, FALSE);
}

/* ---- scan */

static void
append_estimate (JsonObject *path, GString *out)
{
  gboolean is_assumed = json_object_has_member (path, "rows_assumed");

  g_string_append_printf (out, "\ncost %.0f, %s%.0f rows%s",
                          json_object_get_double_member (path, "cost"), is_assumed ? "" : "about ",
                          json_object_get_double_member (path, "rows"),
                          is_assumed ? " assumed" : "");
  if (json_object_get_boolean_member (path, "full_scan"))
    g_string_append (out, "\nfull scan");
}

static void
append_skip (JsonObject *path, GString *out)
{
  JsonObject *skip;
  JsonArray *over;

  if (!json_object_has_member (path, "skip"))
    return;
  skip = json_object_get_object_member (path, "skip");
  over = json_object_get_array_member (skip, "over");
  g_string_append (out, "\nskipping over ");
  for (guint i = 0; i < json_array_get_length (over); i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "",
                            json_array_get_string_element (over, i));
  g_string_append_printf (out, ", about %.0f", json_object_get_double_member (skip, "values"));
}

static void
add_tables (Graph *self, JsonObject *path, guint scan)
{
  JsonArray *tables = json_object_get_array_member (path, "tables");

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
add_scan (Graph *self, JsonObject *path)
{
  g_autoptr (GString) label = g_string_new (NULL);
  guint scan;

  g_string_append_printf (label, "scan of schema %s", get_string (path, "schema"));
  append_estimate (path, label);
  append_skip (path, label);
  scan = add_node (self, label->str, "");
  add_tables (self, path, scan);
  return scan;
}

static guint
add_fetch (Graph *self, JsonObject *fetch, guint from)
{
  g_autoptr (GString) label = g_string_new ("fetch ");
  JsonArray *attributes = json_object_get_array_member (fetch, "attributes");

  if (json_object_has_member (fetch, "checked_before"))
    from = add_after (self, from, get_string (fetch, "checked_before"), ", shape=diamond");
  for (guint i = 0; i < json_array_get_length (attributes); i++)
    g_string_append_printf (label, "%s%s", i > 0 ? ", " : "",
                            json_array_get_string_element (attributes, i));
  g_string_append_printf (label, "\nfrom schema %s", get_string (fetch, "schema"));
  return add_after (self, from, label->str, "");
}

static void
add_loser (Graph *self, JsonObject *path)
{
  g_autofree gchar *label
      = g_strdup_printf ("schema %s\n%s", get_string (path, "schema"), get_string (path, "reason"));

  add_node (self, label, ", style=dashed, color=gray, fontcolor=gray");
}

/* ---- operators after the scan */

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
          label, "%s %s%s", i > 0 ? "," : "",
          get_string (key, json_object_has_member (key, "attribute") ? "attribute" : "expression"),
          json_object_get_boolean_member_with_default (key, "descending", FALSE) ? " desc" : "");
    }
  return add_after (self, from, label->str, "");
}

static void
append_strings (JsonArray *strings, const gchar *before, GString *out)
{
  for (guint i = 0; i < json_array_get_length (strings) && kvsql_interrupt_tick (); i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : before,
                            json_array_get_string_element (strings, i));
}

/* A node for each sort, with the calls over its windows. */
static guint
add_windows (Graph *self, JsonObject *plan, guint from)
{
  JsonArray *windows = json_object_get_array_member (plan, "windows");

  for (guint i = 0; i < json_array_get_length (windows); i++)
    {
      JsonObject *window = json_array_get_object_element (windows, i);
      g_autoptr (GString) label = g_string_new ("window");

      append_strings (json_object_get_array_member (window, "calls"), "\n", label);
      if (json_object_has_member (window, "sorted"))
        g_string_append_printf (label, "\nsorted by %s", get_string (window, "sorted"));
      if (json_object_has_member (window, "read_in_order"))
        g_string_append_printf (label, "\nread in the order of %s",
                                get_string (window, "read_in_order"));
      from = add_after (self, from, label->str, "");
    }
  return from;
}

static guint
add_distinct_on (Graph *self, JsonObject *plan, guint from)
{
  g_autoptr (GString) label = g_string_new ("the first row of each");

  append_strings (json_object_get_array_member (plan, "distinct_on"), " ", label);
  return add_after (self, from, label->str, "");
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
        from = add_after (self, from, label, "");
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
  add_after (self, from, label->str, ", shape=oval");
}

/* Adds the schema that was chosen; the others get no edges. Returns the last node of the chain. */
static guint
add_paths (Graph *self, JsonArray *paths)
{
  guint last = 0;

  for (guint i = 0; i < json_array_get_length (paths); i++)
    {
      JsonObject *path = json_array_get_object_element (paths, i);

      if (!json_object_get_boolean_member (path, "chosen"))
        {
          add_loser (self, path);
          continue;
        }
      last = add_scan (self, path);
      if (json_object_has_member (path, "anchors_per_request"))
        last = add_after (self, last, "compare with anchors", "");
      if (json_object_has_member (path, "fetch"))
        last = add_fetch (self, json_object_get_object_member (path, "fetch"), last);
    }
  return last;
}

static guint
add_looked_up (Graph *self, JsonObject *leaf)
{
  g_autofree gchar *label = g_strdup_printf ("keys in schema %s", get_string (leaf, "schema"));

  return add_node (self, label, "");
}

static guint add_rows (Graph *self, JsonObject *plan);

static guint
add_checked (Graph *self, JsonObject *plan, guint from)
{
  const gchar *condition = get_string (plan, "checked");

  return *condition == '\0' || g_str_equal (condition, "TRUE")
             ? from
             : add_after (self, from, condition, ", shape=diamond");
}

/* A query that is joined, and what is checked on its rows. */
static guint
add_query (Graph *self, JsonObject *leaf)
{
  guint last = add_rows (self, json_object_get_object_member (leaf, "query"));

  return add_checked (self, leaf, last);
}

/* A query that is run for rows of the other side. Its plan is one of the subqueries. */
static guint
add_lateral (Graph *self, JsonObject *leaf)
{
  g_autofree gchar *label = g_strdup_printf ("%s\nfor each %s", get_string (leaf, "name"),
                                             get_string (leaf, "run_for_each"));

  return add_node (self, label, ", style=rounded");
}

/* @first: the node of the relation that is scanned */
static guint
add_join (Graph *self, JsonObject *join, guint first)
{
  g_autofree gchar *label = NULL;
  guint probe, build, node;

  if (json_object_has_member (join, "query"))
    return add_query (self, join);
  if (json_object_has_member (join, "run_for_each"))
    return add_lateral (self, join);
  if (json_object_has_member (join, "candidates"))
    return add_paths (self, json_object_get_array_member (join, "candidates"));
  if (!json_object_has_member (join, "method"))
    return json_object_has_member (join, "schema") ? add_looked_up (self, join) : first;
  probe = add_join (self, json_object_get_object_member (join, "probe"), first);
  build = add_join (self, json_object_get_object_member (join, "build"), first);
  label = json_object_has_member (join, "on")
              ? g_strdup_printf ("%s\n%s", get_string (join, "method"), get_string (join, "on"))
              : g_strdup (get_string (join, "method"));
  node = add_after (self, probe, label, ", shape=trapezium");
  add_edge (self, build, node);
  return node;
}

static guint
add_set (Graph *self, JsonObject *set)
{
  JsonArray *operands = json_object_get_array_member (set, "operands");
  g_autofree guint *last = g_new (guint, json_array_get_length (operands));
  guint node;

  for (guint i = 0; i < json_array_get_length (operands); i++)
    last[i] = add_rows (self, json_array_get_object_element (operands, i));
  node = add_node (self, get_string (set, "operator"), ", shape=trapezium");
  for (guint i = 0; i < json_array_get_length (operands); i++)
    add_edge (self, last[i], node);
  return node;
}

static guint
add_source (Graph *self, JsonObject *plan)
{
  if (json_object_has_member (plan, "query"))
    return add_rows (self, json_object_get_object_member (plan, "query"));
  if (json_object_has_member (plan, "set"))
    return add_set (self, json_object_get_object_member (plan, "set"));
  if (json_object_has_member (plan, "relation"))
    return add_paths (self, json_object_get_array_member (plan, "candidates"));
  if (json_object_has_member (plan, "values"))
    return add_node (self, "VALUES", "");
  if (json_object_has_member (plan, "function"))
    return add_node (self, get_string (plan, "function"), "");
  return add_node (self, "one row", "");
}

/* The plans of subqueries that are evaluated, with edges to @node, which uses their rows. */
static void
add_subqueries (Graph *self, JsonArray *subqueries, guint node)
{
  for (guint i = 0; i < json_array_get_length (subqueries) && kvsql_interrupt_tick (); i++)
    {
      JsonObject *subquery = json_array_get_object_element (subqueries, i);
      const gchar *values = get_string (subquery, "run_for_each");
      g_autofree gchar *label = *values == '\0' ? g_strdup ("subquery\nrun once")
                                                : g_strdup_printf ("subquery\nfor each %s", values);
      guint last = add_rows (self, json_object_get_object_member (subquery, "plan"));

      last = add_after (self, last, label, ", style=rounded");
      g_string_append_printf (self->out, "  n%u -> n%u [style=dashed];\n", last, node);
    }
}

/* Returns the last node of the chain. */
static guint
add_rows (Graph *self, JsonObject *plan)
{
  guint last = add_source (self, plan);

  if (json_object_has_member (plan, "join"))
    last = add_join (self, json_object_get_object_member (plan, "join"), last);
  last = add_checked (self, plan, last);
  if (json_object_has_member (plan, "windows"))
    last = add_windows (self, plan, last);
  if (json_object_has_member (plan, "distinct"))
    last = add_after (self, last, "each row once", "");
  if (json_object_has_member (plan, "sort"))
    last = add_sort (self, plan, last);
  if (json_object_has_member (plan, "distinct_on"))
    last = add_distinct_on (self, plan, last);
  last = add_numbers (self, plan, last);
  if (json_object_has_member (plan, "subqueries"))
    add_subqueries (self, json_object_get_array_member (plan, "subqueries"), last);
  return last;
}

static void
add_calls (Graph *self, JsonArray *calls)
{
  for (guint i = 0; i < json_array_get_length (calls); i++)
    {
      JsonObject *call = json_array_get_object_element (calls, i);
      g_autofree gchar *row = readable_from_hex (get_string (call, "row"));
      g_autofree gchar *table = readable_from_hex (get_string (call, "table"));
      gboolean has_schema = json_object_has_member (call, "schema");
      g_autofree gchar *label
          = g_strdup_printf ("%s %s\n%s", get_string (call, "op"),
                             has_schema ? get_string (call, "schema") : table, row);
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
    add_answer (&graph, object, add_rows (&graph, object));
  else
    add_calls (&graph, json_object_get_array_member (object, "calls"));
  g_string_append (graph.out, "}\n");
  return g_string_free (graph.out, FALSE);
}
