/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * collection.c: canonical JSON of maps and lists. json-glib reads any text; the reader of json.h,
 * which builds no objects, takes canonical lists apart.
 */
#include "config.h"

#include "core/base/collection.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/json.h"

static gboolean
invalid (KvsqlType type, KvsqlSlice text, GError **error)
{
  g_autofree gchar *shown = kvsql_readable (kvsql_slice (text.data, MIN (text.size, 60)));

  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "invalid %s \"%s\"",
                   kvsql_type_get_name (type), shown);
  kvsql_error_sqlstate (error, "22P02");
  return kvsql_error_hint (error, kvsql_type_is_map (type)
                                      ? "Write a map as a JSON object: '{\"a\": 1, \"b\": 2}'."
                                      : "Write a list as a JSON array: '[1, 2]'.");
}

/* Whether the text begins with a bracket and has one level of brackets outside of strings.
 * json-glib would recurse for more, and elements are scalars anyway. For "1{}" json-glib would
 * return the first value and leak the second. *out_n: an upper bound of the number of elements. */
static gboolean
is_flat (KvsqlSlice text, gsize *out_n)
{
  gboolean in_string = FALSE, has_begun = FALSE;

  *out_n = 1;

  for (gsize i = 0; i < text.size; i++)
    {
      guint8 c = text.data[i];

      if (in_string && c == '\\')
        i++;
      else if (c == '"')
        in_string = !in_string;
      else if (!in_string && c == ',')
        ++*out_n;
      else if (!in_string && (c == '[' || c == '{') && has_begun)
        return FALSE;
      has_begun = has_begun || !g_ascii_isspace (c);
    }
  return TRUE;
}

/* Collects the members of an object while it is parsed, to find duplicates: json-glib keeps only
 * the last member of a key. */
typedef struct
{
  guint n;
  gchar *twice; /* the first duplicate key */
} Members;

static void
note_member (JsonParser *parser, JsonObject *object, const gchar *name, gpointer data)
{
  Members *self = data;

  if (++self->n > json_object_get_size (object) && self->twice == NULL)
    self->twice = g_strdup (name);
}

/* @out_twice: (transfer full) (nullable): a key that an object has twice. Returns: (transfer full)
 * (nullable): NULL also if there is such a key. */
static JsonNode *
parse_any (KvsqlSlice text, gchar **out_twice)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  Members members = { 0 };
  JsonNode *root;
  gsize n;

  *out_twice = NULL;
  g_signal_connect (parser, "object-member", G_CALLBACK (note_member), &members);
  if (text.size == 0 || memchr (text.data, 0, text.size) != NULL || !is_flat (text, &n)
      || !g_utf8_validate_len ((const gchar *)text.data, text.size, NULL)
      || !json_parser_load_from_data (parser, (const gchar *)text.data, text.size, NULL))
    {
      g_free (members.twice);
      return NULL;
    }
  root = json_parser_get_root (parser);
  *out_twice = members.twice;
  return root == NULL || members.twice != NULL ? NULL : json_node_ref (root);
}

static gboolean
has_shape (KvsqlType type, JsonNode *root)
{
  return kvsql_type_is_map (type) ? JSON_NODE_HOLDS_OBJECT (root) : JSON_NODE_HOLDS_ARRAY (root);
}

/* (transfer full) (nullable): a map's object, a list's array */
static JsonNode *
parse_json (KvsqlType type, KvsqlSlice text)
{
  g_autofree gchar *twice = NULL;
  g_autoptr (JsonNode) root = parse_any (text, &twice);

  return root == NULL || !has_shape (type, root) ? NULL : g_steal_pointer (&root);
}

/* ---- elements */

static gboolean
is_text_element (KvsqlType type)
{
  return kvsql_type_get_class (type) == KVSQL_CLASS_SLICE || kvsql_type_is_time (type);
}

static gboolean
element_from_json (KvsqlType type, JsonNode *node, KvsqlArena *arena, KvsqlValue *out,
                   GError **error)
{
  GType held = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  gchar buffer[G_ASCII_DTOSTR_BUF_SIZE];
  const gchar *text = NULL;

  if (JSON_NODE_HOLDS_NULL (node))
    {
      *out = KVSQL_VALUE_NULL;
      return TRUE;
    }
  if (held == G_TYPE_STRING)
    text = json_node_get_string (node);
  else if (held == G_TYPE_BOOLEAN && type == KVSQL_TYPE_BOOLEAN)
    text = json_node_get_boolean (node) ? "true" : "false";
  else if (held == G_TYPE_INT64 && kvsql_type_is_number (type))
    {
      g_snprintf (buffer, sizeof buffer, "%" G_GINT64_FORMAT, json_node_get_int (node));
      text = buffer;
    }
  else if (held == G_TYPE_DOUBLE && kvsql_type_is_number (type))
    text = g_ascii_dtostr (buffer, sizeof buffer, json_node_get_double (node));
  if (text == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "an element is no %s",
                            kvsql_type_get_name (type));
  return kvsql_value_parse_scalar (type, kvsql_slice_from_text (text), arena, out, error);
}

/* Escapes only the characters that JSON requires to be escaped. */
static void
append_string (const gchar *text, gsize size, GString *out)
{
  g_string_append_c (out, '"');
  for (gsize i = 0; i < size; i++)
    if (text[i] == '"' || text[i] == '\\')
      g_string_append_printf (out, "\\%c", text[i]);
    else if ((guchar)text[i] < 0x20)
      g_string_append_printf (out, "\\u%04x", (guint)text[i]);
    else
      g_string_append_c (out, text[i]);
  g_string_append_c (out, '"');
}

static void
append_element (const KvsqlValue *value, GString *out)
{
  g_autoptr (GString) text = NULL;

  if (kvsql_value_is_null (value))
    g_string_append (out, "null");
  else if (kvsql_type_get_class (value->type) == KVSQL_CLASS_REAL && value->real == 0
           && signbit (value->real))
    g_string_append (out, "-0.0"); /* -0 would be read as a whole number, which has no such zero */
  else if (!is_text_element (value->type)
           && !(kvsql_type_get_class (value->type) == KVSQL_CLASS_REAL && !isfinite (value->real)))
    kvsql_value_append_text (value, out);
  else
    {
      text = g_string_new (NULL);
      kvsql_value_append_text (value, text);
      append_string (text->str, text->len, out);
    }
}

static gboolean
append_from_json (KvsqlType type, JsonNode *node, KvsqlArena *arena, GString *out, GError **error)
{
  KvsqlValue value;

  if (!element_from_json (type, node, arena, &value, error))
    return FALSE;
  append_element (&value, out);
  return TRUE;
}

/* ---- the whole */

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar *const *)a, *(const gchar *const *)b);
}

static gboolean
append_map (KvsqlType type, JsonObject *object, KvsqlArena *arena, GString *out, GError **error)
{
  g_autoptr (GList) members = json_object_get_members (object);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (GList *at = members; at != NULL; at = at->next)
    g_ptr_array_add (names, at->data);
  g_ptr_array_sort (names, compare_texts);
  g_string_append_c (out, '{');
  for (guint i = 0; i < names->len; i++)
    {
      const gchar *name = names->pdata[i];

      if (i > 0)
        g_string_append_c (out, ',');
      append_string (name, strlen (name), out);
      g_string_append_c (out, ':');
      if (!append_from_json (kvsql_type_get_element (type), json_object_get_member (object, name),
                             arena, out, error))
        {
          g_prefix_error (error, "under \"%s\": ", name);
          return FALSE;
        }
    }
  g_string_append_c (out, '}');
  return TRUE;
}

static gboolean
append_list (KvsqlType type, JsonArray *array, KvsqlArena *arena, GString *out, GError **error)
{
  g_string_append_c (out, '[');
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      if (!append_from_json (kvsql_type_get_element (type), json_array_get_element (array, i),
                             arena, out, error))
        {
          g_prefix_error (error, "element %u: ", i + 1);
          return FALSE;
        }
    }
  g_string_append_c (out, ']');
  return TRUE;
}

gboolean
kvsql_collection_check_size (KvsqlType type, gsize n, GError **error)
{
  return n <= KVSQL_COLLECTION_MAX_ELEMENTS
         || kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                             "%s with more than %d elements", kvsql_type_get_name (type),
                             KVSQL_COLLECTION_MAX_ELEMENTS);
}

/* Checked before json-glib builds a tree, as no deadline interrupts that. */
static gboolean
check_size (KvsqlType type, KvsqlSlice text, GError **error)
{
  gsize n;

  return !is_flat (text, &n) || kvsql_collection_check_size (type, n, error);
}

static guint
size_of (JsonNode *root)
{
  return JSON_NODE_HOLDS_OBJECT (root) ? json_object_get_size (json_node_get_object (root))
                                       : json_array_get_length (json_node_get_array (root));
}

static gboolean
fail_duplicate_key (KvsqlType type, const gchar *key, GError **error)
{
  g_autofree gchar *shown
      = kvsql_readable (kvsql_slice ((const guint8 *)key, MIN (strlen (key), 60)));

  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "invalid %s: the key \"%s\" is given twice", kvsql_type_get_name (type), shown);
  return kvsql_error_hint (error, "A map has each key once.");
}

gboolean
kvsql_collection_parse (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlSlice *out,
                        GError **error)
{
  g_autofree gchar *twice = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GString) canonical = g_string_new (NULL);
  gboolean ok;

  if (!check_size (type, text, error))
    return FALSE;
  root = parse_any (text, &twice);
  if (twice != NULL && kvsql_type_is_map (type))
    return fail_duplicate_key (type, twice, error);
  if (root == NULL || !has_shape (type, root))
    return invalid (type, text, error);
  ok = kvsql_type_is_map (type)
           ? append_map (type, json_node_get_object (root), arena, canonical, error)
           : append_list (type, json_node_get_array (root), arena, canonical, error);
  if (!ok)
    {
      g_prefix_error (error, "invalid %s: ", kvsql_type_get_name (type));
      return FALSE;
    }
  *out = kvsql_slice_dup (arena, kvsql_slice (canonical->str, canonical->len));
  return TRUE;
}

/* ---- one value */

void
kvsql_value_append_json (const KvsqlValue *self, GString *out)
{
  if (kvsql_type_is_collection (self->type))
    g_string_append_len (out, (const gchar *)self->bytes.data, self->bytes.size);
  else
    append_element (self, out);
}

gboolean
kvsql_value_parse_json (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlValue *out)
{
  g_autofree gchar *twice = NULL;
  g_autoptr (JsonNode) root = NULL;

  if (text.size == 4 && memcmp (text.data, "null", 4) == 0)
    {
      *out = KVSQL_VALUE_NULL;
      return TRUE;
    }
  if (kvsql_type_is_collection (type))
    {
      out->type = type;
      return kvsql_collection_parse (type, text, arena, &out->bytes, NULL);
    }
  root = parse_any (text, &twice);
  return root != NULL && element_from_json (type, root, arena, out, NULL);
}

/* ---- elements */

/* A missing node is NULL. */
static void
take_element (KvsqlType type, JsonNode *node, KvsqlArena *arena, KvsqlValue *out)
{
  if (node == NULL || !element_from_json (kvsql_type_get_element (type), node, arena, out, NULL))
    *out = KVSQL_VALUE_NULL;
}

void
kvsql_map_split (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlMapEntry **out_entries,
                 guint *out_n)
{
  g_autoptr (JsonNode) root = parse_json (type, text);
  JsonObject *object = root == NULL ? NULL : json_node_get_object (root);
  guint n = object == NULL ? 0 : json_object_get_size (object);
  g_autoptr (GList) names = n == 0 ? NULL : json_object_get_members (object);
  KvsqlMapEntry *entries = kvsql_arena_array (arena, KvsqlMapEntry, n + 1), *next = entries;

  for (GList *at = names; at != NULL; at = at->next, next++)
    {
      next->key = kvsql_slice_dup (arena, kvsql_slice_from_text (at->data));
      take_element (type, json_object_get_member (object, at->data), arena, &next->value);
    }
  *out_entries = entries;
  *out_n = n;
}

static int
compare_entries (const void *a, const void *b)
{
  return kvsql_slice_compare (((const KvsqlMapEntry *)a)->key, ((const KvsqlMapEntry *)b)->key);
}

KvsqlSlice
kvsql_map_join (KvsqlMapEntry *entries, guint n, KvsqlArena *arena)
{
  g_autoptr (GString) text = g_string_new ("{");

  qsort (entries, n, sizeof *entries, compare_entries);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0 && kvsql_slice_equal (entries[i].key, entries[i - 1].key))
        continue;
      if (i > 0)
        g_string_append_c (text, ',');
      append_string ((const gchar *)entries[i].key.data, entries[i].key.size, text);
      g_string_append_c (text, ':');
      append_element (&entries[i].value, text);
    }
  g_string_append_c (text, '}');
  return kvsql_slice_dup (arena, kvsql_slice (text->str, text->len));
}

void
kvsql_map_get (KvsqlType type, KvsqlSlice text, KvsqlSlice key, KvsqlArena *arena, KvsqlValue *out)
{
  g_autoptr (JsonNode) root = parse_json (type, text);
  /* An empty slice may have no data. Keys contain no zero byte. */
  g_autofree gchar *name
      = key.size > 0 ? g_strndup ((const gchar *)key.data, key.size) : g_strdup ("");
  gboolean can_be_there = root != NULL && strlen (name) == key.size;

  take_element (type,
                can_be_there ? json_object_get_member (json_node_get_object (root), name) : NULL,
                arena, out);
}

/* The items of a canonical list. */
static KvsqlJson
read_list (KvsqlSlice text, KvsqlArena *arena)
{
  KvsqlJson list;

  if (kvsql_json_read (text, arena, &list, NULL) && list.kind == KVSQL_JSON_ARRAY)
    return list;
  return (KvsqlJson){ .kind = KVSQL_JSON_ARRAY };
}

/* An item that is no value of the list's type is NULL. */
static void
take_item (KvsqlType list, const KvsqlJson *item, KvsqlArena *arena, KvsqlValue *out)
{
  KvsqlType type = kvsql_type_get_element (list);
  KvsqlSlice text = KVSQL_SLICE_EMPTY;
  gboolean fits = FALSE;

  if (item->kind == KVSQL_JSON_BOOLEAN)
    {
      fits = type == KVSQL_TYPE_BOOLEAN;
      text = item->n ? KVSQL_SLICE_LITERAL ("true") : KVSQL_SLICE_LITERAL ("false");
    }
  else if (item->kind == KVSQL_JSON_STRING || item->kind == KVSQL_JSON_NUMBER)
    {
      fits = item->kind == KVSQL_JSON_STRING || kvsql_type_is_number (type);
      text = item->string;
    }
  if (!fits || !kvsql_value_parse_scalar (type, text, arena, out, NULL))
    *out = KVSQL_VALUE_NULL;
}

void
kvsql_list_get (KvsqlType type, KvsqlSlice text, gint64 index, KvsqlArena *arena, KvsqlValue *out)
{
  KvsqlJson list = read_list (text, arena);

  if (index >= 1 && index <= list.n)
    take_item (type, &list.items[index - 1], arena, out);
  else
    *out = KVSQL_VALUE_NULL;
}

void
kvsql_list_split (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlValue **out,
                  guint *out_n)
{
  KvsqlJson list = read_list (text, arena);

  *out = kvsql_arena_array (arena, KvsqlValue, list.n + 1);
  *out_n = list.n;
  for (guint i = 0; i < list.n; i++)
    take_item (type, &list.items[i], arena, &(*out)[i]);
}

KvsqlSlice
kvsql_list_join (const KvsqlValue *values, guint n, KvsqlArena *arena)
{
  g_autoptr (GString) text = g_string_new ("[");

  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      append_element (&values[i], text);
    }
  g_string_append_c (text, ']');
  return kvsql_slice_dup (arena, kvsql_slice (text->str, text->len));
}

gint64
kvsql_collection_get_size (KvsqlType type, KvsqlSlice text)
{
  g_autoptr (JsonNode) root = parse_json (type, text);

  return root == NULL ? 0 : size_of (root);
}
