/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-text.c: see json-text.h.
 */
#include "config.h"

#include "core/infer/json-text.h"

#include <json-glib/json-glib.h>

#include "core/base/interrupt.h"

#define MAX_NAMED 8

static gboolean
looks_like_json (KvsqlSlice text)
{
  gsize first = 0, last = text.size;

  while (first < last && g_ascii_isspace ((gchar)text.data[first]))
    first++;
  while (last > first && g_ascii_isspace ((gchar)text.data[last - 1]))
    last--;
  return last - first >= 2
         && ((text.data[first] == '{' && text.data[last - 1] == '}')
             || (text.data[first] == '[' && text.data[last - 1] == ']'));
}

/* Counts the members of an object. FALSE: the text is no JSON. */
static gboolean
parse (JsonParser *parser, KvsqlSlice text, GHashTable *counts, GPtrArray *names)
{
  JsonNode *root;
  g_autoptr (GList) members = NULL;

  if (text.size > KVSQL_INFER_MAX_DOCUMENT)
    return TRUE;
  if (!g_utf8_validate ((const gchar *)text.data, (gssize)text.size, NULL)
      || !json_parser_load_from_data (parser, (const gchar *)text.data, (gssize)text.size, NULL))
    return FALSE;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return TRUE;
  members = json_object_get_members (json_node_get_object (root));
  for (const GList *member = members; member != NULL; member = member->next)
    {
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, member->data));
      gchar *name = g_strdup (member->data);

      if (count == 0)
        g_ptr_array_add (names, name);
      g_hash_table_insert (counts, count == 0 ? g_strdup (name) : name,
                           GUINT_TO_POINTER (count + 1));
    }
  return TRUE;
}

static const gchar *
describe (KvsqlArena *arena, GHashTable *counts, const GPtrArray *names, guint n_documents)
{
  g_autoptr (GString) out = g_string_new ("JSON documents, kept as text");

  for (guint i = 0; i < MIN (names->len, MAX_NAMED); i++)
    {
      const gchar *name = names->pdata[i];
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, name));

      g_string_append (out, i == 0 ? "; members: " : ", ");
      kvsql_append_readable (out, kvsql_slice_from_text (name));
      if (count < n_documents)
        g_string_append_printf (out, " (in %u of %u)", count, n_documents);
    }
  if (names->len > MAX_NAMED)
    g_string_append (out, ", …");
  return kvsql_arena_strdup (arena, out->str);
}

const gchar *
kvsql_infer_describe_json (KvsqlArena *arena, const KvsqlSlice *values, guint n)
{
  g_autoptr (JsonParser) parser = NULL;
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint n_documents = 0;

  for (guint i = 0; i < n; i++)
    if (values[i].size > 0 && !looks_like_json (values[i]))
      return NULL;
  parser = json_parser_new ();
  for (guint i = 0; i < n && kvsql_interrupt_spend (8); i++)
    if (values[i].size > 0)
      {
        if (!parse (parser, values[i], counts, names))
          return NULL;
        n_documents++;
      }
  return n_documents > 0 ? describe (arena, counts, names, n_documents) : NULL;
}
