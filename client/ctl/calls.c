/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calls.c: shows requests to the store as rows.
 *
 * EXPLAIN (CALLS, FORMAT JSON) returns the requests with their bytes in hex. Here they become rows
 * with readable bytes, one row for each cell.
 */
#include "config.h"

#include "client/ctl/calls.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "client/ctl/terminal/writer.h"

/* The shown fields of a call, and of each of its cells. */
static const struct
{
  const gchar *name;
  gboolean is_of_cell;
  gboolean is_hex;
} fields[] = {
  { "op", FALSE, FALSE },   { "schema", FALSE, FALSE },  { "table", FALSE, TRUE },
  { "row", FALSE, TRUE },   { "start", FALSE, TRUE },    { "stop", FALSE, TRUE },
  { "family", TRUE, TRUE }, { "qualifier", TRUE, TRUE }, { "value", TRUE, TRUE },
};

#define N_FIELDS G_N_ELEMENTS (fields)

/* Printable ASCII as it is, other bytes as \xNN. NULL if the text is not hex. */
static gchar *
readable (const gchar *hex)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (; hex[0] != '\0'; hex += 2)
    {
      gint high = g_ascii_xdigit_value (hex[0]);
      gint low = high < 0 ? -1 : g_ascii_xdigit_value (hex[1]);
      gint byte = high << 4 | low;

      if (high < 0 || low < 0)
        return NULL;
      if (byte == '\\')
        g_string_append (out, "\\\\");
      else if (byte >= 0x20 && byte < 0x7f)
        g_string_append_c (out, (gchar)byte);
      else
        g_string_append_printf (out, "\\x%02x", (guint)byte);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gchar *
field_text (JsonObject *object, guint field)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, fields[field].name) : NULL;
  const gchar *text = node != NULL && json_node_get_value_type (node) == G_TYPE_STRING
                          ? json_node_get_string (node)
                          : NULL;

  return text != NULL && fields[field].is_hex ? readable (text) : g_strdup (text);
}

static void
add_row (GPtrArray *cells, JsonObject *call, JsonObject *cell)
{
  for (guint i = 0; i < N_FIELDS; i++)
    g_ptr_array_add (cells, field_text (fields[i].is_of_cell ? cell : call, i));
}

static void
add_call (GPtrArray *cells, JsonObject *call)
{
  JsonNode *node = json_object_get_member (call, "cells");
  JsonArray *array
      = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = array != NULL ? json_array_get_length (array) : 0;

  for (guint i = 0; i < n; i++)
    {
      JsonNode *cell = json_array_get_element (array, i);

      add_row (cells, call, JSON_NODE_HOLDS_OBJECT (cell) ? json_node_get_object (cell) : NULL);
    }
  if (n == 0)
    add_row (cells, call, NULL);
}

static gboolean
read_calls (GPtrArray *cells, const gchar *json, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root, *calls;

  if (!json_parser_load_from_data (parser, json, -1, error))
    return FALSE;
  root = json_parser_get_root (parser);
  calls = root != NULL && JSON_NODE_HOLDS_OBJECT (root)
              ? json_object_get_member (json_node_get_object (root), "calls")
              : NULL;
  if (calls == NULL || !JSON_NODE_HOLDS_ARRAY (calls))
    {
      g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_PROTOCOL,
                   "kvsqld's description of the calls has no list of calls");
      return FALSE;
    }
  for (guint i = 0; i < json_array_get_length (json_node_get_array (calls)); i++)
    {
      JsonNode *call = json_array_get_element (json_node_get_array (calls), i);

      if (JSON_NODE_HOLDS_OBJECT (call))
        add_call (cells, json_node_get_object (call));
    }
  return TRUE;
}

/* Tables omit columns without values; the formats for programs always contain all columns. */
static gboolean
is_shown (Kvsqlctl *ctl, const GPtrArray *cells, guint field)
{
  if (ctl->format != KVSQLCTL_FORMAT_TABLE && ctl->format != KVSQLCTL_FORMAT_VERTICAL)
    return TRUE;
  for (guint i = field; i < cells->len; i += N_FIELDS)
    if (g_ptr_array_index (cells, i) != NULL)
      return TRUE;
  return FALSE;
}

void
kvsqlctl_calls_show (const GPtrArray *self, Kvsqlctl *ctl)
{
  KvsqlctlColumn columns[N_FIELDS];
  const gchar *texts[N_FIELDS];
  guint shown[N_FIELDS], n = 0;
  KvsqlctlWriter *writer;

  for (guint i = 0; i < N_FIELDS; i++)
    if (is_shown (ctl, self, i))
      {
        columns[n] = (KvsqlctlColumn){ fields[i].name, KVSQL_COLUMN_TYPE_STRING };
        shown[n++] = i;
      }
  if (n == 0)
    {
      puts ("(no calls)");
      return;
    }
  writer = kvsqlctl_writer_begin (ctl->format, stdout, ctl->colour_out, columns, n);
  for (guint at = 0; at < self->len; at += N_FIELDS)
    {
      for (guint i = 0; i < n; i++)
        texts[i] = g_ptr_array_index (self, at + shown[i]);
      kvsqlctl_writer_row (writer, texts);
    }
  kvsqlctl_writer_end (writer, TRUE);
}

/* The answer of kvsqld, valid as long as @result; NULL with @error set. */
static const gchar *
get_json (KvsqlResult *result, GError **error)
{
  g_autoptr (GError) cause = NULL;
  const gchar *json = NULL;

  if (kvsql_result_get_n_columns (result) > 0 && kvsql_result_next (result, &cause))
    json = kvsql_result_get_text (result, 0);
  if (cause != NULL)
    g_propagate_error (error, g_steal_pointer (&cause));
  else if (json == NULL)
    g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_PROTOCOL,
                 "kvsqld gave no description of the calls");
  return json;
}

GPtrArray *
kvsqlctl_calls_new (void)
{
  return g_ptr_array_new_with_free_func (g_free);
}

gboolean
kvsqlctl_calls_add (GPtrArray *self, KvsqlResult *result, GError **error)
{
  const gchar *json = get_json (result, error);

  return json != NULL && read_calls (self, json, error);
}

gboolean
kvsqlctl_show_calls (Kvsqlctl *ctl, KvsqlResult *result, GError **error)
{
  g_autoptr (GPtrArray) cells = kvsqlctl_calls_new ();
  const gchar *json = get_json (result, error);

  if (json == NULL || !read_calls (cells, json, error))
    return FALSE;
  if (ctl->format == KVSQLCTL_FORMAT_JSON)
    puts (json);
  else
    kvsqlctl_calls_show (cells, ctl);
  return TRUE;
}
