/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shell-table.c: see the header.
 *
 * The shell breaks lines where the terminal ends, also in words and in quotes. So an end of line in
 * braces is nothing.
 */
#include "config.h"

#include "client/ctl/adopt/shell-table.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define HINT                                                                                       \
  "Give what describe 'TABLE' of the HBase shell prints, or the schema of its REST gateway."
#define MAX_DEPTH 8

typedef struct
{
  const gchar *text;
  gsize size;
  gsize at;
  guint depth;
  GPtrArray *tables;
  KvsqlctlTextError *error;
} Parser;

/* ---- structures */

static GHashTable *
new_attributes (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
free_family (gpointer data)
{
  KvsqlctlShellFamily *self = data;

  g_free (self->name);
  g_hash_table_unref (self->attributes);
  g_free (self);
}

static void
free_table (gpointer data)
{
  KvsqlctlShellTable *self = data;

  g_free (self->name);
  g_hash_table_unref (self->attributes);
  g_ptr_array_unref (self->families);
  g_free (self);
}

static KvsqlctlShellTable *
add_table (GPtrArray *tables, const gchar *name, gsize size)
{
  KvsqlctlShellTable *self = g_new0 (KvsqlctlShellTable, 1);

  self->name = g_strndup (name, size);
  self->attributes = new_attributes ();
  self->families = g_ptr_array_new_with_free_func (free_family);
  g_ptr_array_add (tables, self);
  return self;
}

/* Takes @attributes. */
static void
add_family (KvsqlctlShellTable *table, const gchar *name, GHashTable *attributes)
{
  KvsqlctlShellFamily *self = g_new0 (KvsqlctlShellFamily, 1);

  self->name = g_strdup (name);
  self->attributes = attributes;
  g_ptr_array_add (table->families, self);
}

/* ---- what is in braces */

static gboolean
fail (Parser *self, const gchar *expected)
{
  return kvsqlctl_text_error_set (self->error, self->at, 1, HINT, "expected %s", expected);
}

/* The next character; NUL: the end. */
static gchar
peek (Parser *self)
{
  while (self->at < self->size && (self->text[self->at] == '\n' || self->text[self->at] == '\r'))
    self->at++;
  return self->at < self->size ? self->text[self->at] : '\0';
}

static gchar
skip_blanks (Parser *self)
{
  while (peek (self) == ' ' || peek (self) == '\t')
    self->at++;
  return peek (self);
}

static gboolean
expect (Parser *self, const gchar *sign)
{
  skip_blanks (self);
  for (const gchar *c = sign; *c != '\0'; c++)
    {
      g_autofree gchar *expected = NULL;

      if (peek (self) == *c)
        {
          self->at++;
          continue;
        }
      expected = g_strdup_printf ("\"%s\"", sign);
      return fail (self, expected);
    }
  return TRUE;
}

/* A word, or a text in quotes. (transfer full) (nullable) */
static gchar *
read_word (Parser *self)
{
  gchar quote = skip_blanks (self);
  GString *out = g_string_new (NULL);

  if (quote == '\'' || quote == '"')
    {
      self->at++;
      for (; peek (self) != quote && peek (self) != '\0'; self->at++)
        g_string_append_c (out, peek (self));
      if (peek (self) == quote)
        {
          self->at++;
          return g_string_free (out, FALSE);
        }
      fail (self, "the end of a quote");
    }
  else
    {
      for (; g_ascii_isalnum (peek (self)) || (peek (self) != '\0' && strchr ("_.-$", peek (self)));
           self->at++)
        g_string_append_c (out, peek (self));
      if (out->len > 0)
        return g_string_free (out, FALSE);
      fail (self, "a word or a text in quotes");
    }
  g_string_free (out, TRUE);
  return NULL;
}

static gboolean read_braces (Parser *self, GHashTable *out);

static gboolean
read_member (Parser *self, GHashTable *out)
{
  g_autofree gchar *key = read_word (self), *value = NULL;

  if (key == NULL || !expect (self, "=>"))
    return FALSE;
  if (skip_blanks (self) == '{')
    {
      g_hash_table_insert (out, g_steal_pointer (&key), g_strdup ("{}"));
      return read_braces (self, out);
    }
  value = read_word (self);
  if (value == NULL)
    return FALSE;
  g_hash_table_insert (out, g_steal_pointer (&key), g_steal_pointer (&value));
  return TRUE;
}

/* {KEY => 'value', KEY => {…}} */
static gboolean
read_braces (Parser *self, GHashTable *out)
{
  if (self->depth == MAX_DEPTH)
    return fail (self, "fewer braces in one another");
  self->depth++;
  self->at++;
  while (skip_blanks (self) != '}')
    {
      if (!read_member (self, out))
        return FALSE;
      if (skip_blanks (self) == ',')
        self->at++;
      else if (peek (self) != '}')
        return fail (self, "\",\" or \"}\"");
    }
  self->at++;
  self->depth--;
  return TRUE;
}

/* ---- the text */

static KvsqlctlShellTable *
last_table (const Parser *self)
{
  return self->tables->len > 0 ? self->tables->pdata[self->tables->len - 1] : NULL;
}

/* The attributes of the last table, or a family of it. */
static gboolean
read_part (Parser *self)
{
  g_autoptr (GHashTable) attributes = new_attributes ();
  KvsqlctlShellTable *table = last_table (self);
  const gchar *name;

  if (table == NULL)
    return fail (self, "the line \"Table … is ENABLED\" before this");
  if (!read_braces (self, attributes))
    return FALSE;
  name = g_hash_table_lookup (attributes, "NAME");
  if (name != NULL)
    add_family (table, name, g_steal_pointer (&attributes));
  else if (g_hash_table_contains (attributes, "TABLE_ATTRIBUTES"))
    {
      g_hash_table_unref (table->attributes);
      table->attributes = g_steal_pointer (&attributes);
    }
  return TRUE;
}

/* A line "Table NAME is ENABLED". */
static void
note_table (Parser *self, const gchar *line, gsize size)
{
  static const gchar head[] = "Table ", enabled[] = " is ENABLED", disabled[] = " is DISABLED";
  const gchar *name = line + strlen (head), *end;

  if (size <= strlen (head) || strncmp (line, head, strlen (head)) != 0)
    return;
  size -= strlen (head);
  end = g_strstr_len (name, (gssize)size, enabled);
  if (end != NULL)
    add_table (self->tables, name, (gsize)(end - name));
  else if ((end = g_strstr_len (name, (gssize)size, disabled)) != NULL)
    add_table (self->tables, name, (gsize)(end - name))->is_disabled = TRUE;
}

static gboolean
read_text (Parser *self)
{
  while (self->at < self->size)
    {
      const gchar *line = self->text + self->at;
      gsize size = self->size - self->at;
      const gchar *end = memchr (line, '\n', size), *brace;

      size = end != NULL ? (gsize)(end - line) : size;
      note_table (self, line, size);
      brace = memchr (line, '{', size);
      if (brace != NULL)
        {
          self->at = (gsize)(brace - self->text);
          if (!read_part (self))
            return FALSE;
        }
      else
        self->at += size + 1;
    }
  return TRUE;
}

/* ---- JSON */

static GHashTable *
read_members (JsonObject *object)
{
  GHashTable *out = new_attributes ();
  g_autoptr (GList) names = json_object_get_members (object);

  for (GList *at = names; at != NULL; at = at->next)
    {
      JsonNode *node = json_object_get_member (object, at->data);
      g_auto (GValue) value = G_VALUE_INIT, text = G_VALUE_INIT;

      if (!JSON_NODE_HOLDS_VALUE (node))
        continue;
      json_node_get_value (node, &value);
      g_value_init (&text, G_TYPE_STRING);
      if (g_value_transform (&value, &text))
        g_hash_table_insert (out, g_strdup (at->data), g_value_dup_string (&text));
    }
  return out;
}

static void
read_families (KvsqlctlShellTable *table, JsonArray *array)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      g_autoptr (GHashTable) attributes = NULL;
      const gchar *name;

      if (!JSON_NODE_HOLDS_OBJECT (node))
        continue;
      attributes = read_members (json_node_get_object (node));
      name = g_hash_table_lookup (attributes, "name");
      if (name != NULL)
        add_family (table, name, g_steal_pointer (&attributes));
    }
}

/* json-glib calls itself for each bracket. */
static gboolean
is_flat (const gchar *text, gsize size)
{
  gboolean is_quoted = FALSE;
  guint depth = 0;

  for (gsize i = 0; i < size && depth <= MAX_DEPTH; i++)
    if (text[i] == '"')
      is_quoted = !is_quoted;
    else if (is_quoted)
      i += text[i] == '\\';
    else if (text[i] == '{' || text[i] == '[')
      depth++;
    else if ((text[i] == '}' || text[i] == ']') && depth > 0)
      depth--;
  return depth <= MAX_DEPTH;
}

static gboolean
read_json (Parser *self)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *object;
  JsonNode *families;
  KvsqlctlShellTable *table;
  const gchar *name;

  if (!is_flat (self->text, self->size)
      || !json_parser_load_from_data (parser, self->text, (gssize)self->size, NULL))
    return kvsqlctl_text_error_set (self->error, 0, 1, HINT,
                                    "the text begins as JSON, and is none");
  if (!JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    return fail (self, "an object");
  object = json_node_get_object (json_parser_get_root (parser));
  families = json_object_get_member (object, "ColumnSchema");
  name = json_object_get_string_member_with_default (object, "name", NULL);
  if (name == NULL || families == NULL || !JSON_NODE_HOLDS_ARRAY (families))
    return fail (self, "an object with \"name\" and \"ColumnSchema\"");
  table = add_table (self->tables, name, strlen (name));
  g_hash_table_unref (table->attributes);
  table->attributes = read_members (object);
  read_families (table, json_node_get_array (families));
  return TRUE;
}

static gboolean
is_json (const gchar *text, gsize size)
{
  gsize at = 0;

  while (at < size && g_ascii_isspace (text[at]))
    at++;
  if (at >= size || text[at] != '{')
    return FALSE;
  do
    at++;
  while (at < size && g_ascii_isspace (text[at]));
  return at < size && (text[at] == '"' || text[at] == '}');
}

GPtrArray *
kvsqlctl_shell_tables_parse (const gchar *text, gsize size, KvsqlctlTextError *error)
{
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func (free_table);
  Parser self = { .text = text, .size = size, .tables = tables, .error = error };
  const gchar *end = NULL;

  if (!g_utf8_validate_len (text, size, &end))
    {
      kvsqlctl_text_error_set (error, (gsize)(end - text), 1, HINT, "not a text in UTF-8");
      return NULL;
    }
  return (is_json (text, size) ? read_json (&self) : read_text (&self)) ? g_steal_pointer (&tables)
                                                                        : NULL;
}
