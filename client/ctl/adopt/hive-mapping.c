/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-mapping.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/hive-mapping.h"

#include <string.h>

#define MAPPING "hbase.columns.mapping"
#define STORAGE "hbase.table.default.storage.type"
#define ANY ".*" /* at the end of a qualifier: it is what qualifiers begin with */

typedef struct
{
  const KvsqlctlHiveTable *table;
  const KvsqlctlHiveProperty *property;
  const gchar *entry; /* nullable: of the text of @property */
  gsize entry_size;
  gboolean has_patterns;
  gboolean is_binary; /* what has no storage of its own */
  KvsqlctlTextError *error;
} Parser;

static void
free_mapping (gpointer data)
{
  KvsqlctlHiveMapping *self = data;

  g_free (self->family);
  g_free (self->qualifier);
  g_free (self);
}

static gboolean G_GNUC_PRINTF (3, 4)
    fail (const Parser *self, const gchar *hint, const gchar *format, ...)
{
  const KvsqlctlHiveProperty *property = self->property;
  gboolean is_plain = property->length == strlen (property->value) + 2; /* without escapes */
  gboolean has_entry = self->entry != NULL && is_plain;
  g_autofree gchar *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return kvsqlctl_text_error_set (
      self->error,
      property->position + (has_entry ? 1 + (gsize)(self->entry - property->value) : 0),
      has_entry ? MAX (self->entry_size, 1) : property->length, hint, "%s", message);
}

/* ---- storage */

static gboolean
is_storage (const gchar *word)
{
  return strcmp (word, "-") == 0
         || (word[0] != '\0'
             && (g_str_has_prefix ("string", word) || g_str_has_prefix ("binary", word)));
}

/* Text has one form in Hive. */
static gboolean
is_binary (const Parser *self, const KvsqlctlHiveType *type, const gchar *word)
{
  if (type->category != KVSQLCTL_HIVE_SCALAR || strcmp (type->name, "string") == 0)
    return FALSE;
  return word == NULL || strcmp (word, "-") == 0 ? self->is_binary : word[0] == 'b';
}

/* @storage: (nullable): what is after '#' */
static gboolean
set_storage (const Parser *self, const KvsqlctlHiveColumn *column, const gchar *storage,
             KvsqlctlHiveMapping *out)
{
  gboolean is_map = column->type->category == KVSQLCTL_HIVE_MAP;
  g_auto (GStrv) words = storage != NULL ? g_strsplit (storage, ":", 3) : g_new0 (gchar *, 1);
  guint n = g_strv_length (words);

  for (guint i = 0; i < n; i++)
    if (!is_storage (words[i]))
      return fail (self, "A storage is #-, #string or #binary, or the first letters of them.",
                   "column \"%s\" has no storage \"#%s\"", column->name, storage);
  if (n > 0 && n != (is_map ? 2 : 1))
    return fail (self, is_map ? "A map has two, of its keys and its values: #s:b." : NULL,
                 "column \"%s\" is no %s, but has the storage \"#%s\"", column->name,
                 is_map ? "single value" : "map", storage);
  if (is_map)
    {
      out->is_key_binary = is_binary (self, kvsqlctl_hive_type_get_part (column->type, 0),
                                      n > 0 ? words[0] : NULL);
      out->is_binary = is_binary (self, kvsqlctl_hive_type_get_part (column->type, 1),
                                  n > 0 ? words[1] : NULL);
    }
  else
    out->is_binary = is_binary (self, column->type, n > 0 ? words[0] : NULL);
  return TRUE;
}

/* ---- places */

static gboolean
check_type (const Parser *self, const KvsqlctlHiveColumn *column,
            const KvsqlctlHiveMapping *mapping)
{
  const KvsqlctlHiveType *type = column->type;

  if (mapping->place == KVSQLCTL_HIVE_FAMILY
      && (type->category != KVSQLCTL_HIVE_MAP
          || kvsqlctl_hive_type_get_part (type, 0)->category != KVSQLCTL_HIVE_SCALAR))
    return fail (self, "A column of several cells is a map, such as map<string,int>.",
                 "column \"%s\" has several cells of family \"%s\", but is no map", column->name,
                 mapping->family);
  if (mapping->place == KVSQLCTL_HIVE_TIMESTAMP && strcmp (type->name, "timestamp") != 0
      && strcmp (type->name, "bigint") != 0)
    return fail (self, "The column of :timestamp is a bigint or a timestamp.",
                 "column \"%s\" is :timestamp, but is no time", column->name);
  return TRUE;
}

/* @where: what is before '#' */
static gboolean
set_place (const Parser *self, const gchar *where, KvsqlctlHiveMapping *out)
{
  const gchar *colon = strchr (where, ':');

  if (strcmp (where, ":key") == 0)
    out->place = KVSQLCTL_HIVE_KEY;
  else if (strcmp (where, ":timestamp") == 0)
    out->place = KVSQLCTL_HIVE_TIMESTAMP;
  else if (colon == NULL || strchr (colon + 1, ':') != NULL || colon == where)
    return fail (self,
                 "An entry is :key, :timestamp, family:qualifier, family:prefix.* or family:.",
                 "\"%s\" is no place of a column", where);
  else
    {
      gboolean has_pattern = self->has_patterns && g_str_has_suffix (colon + 1, ANY);
      gsize size = strlen (colon + 1) - (has_pattern ? strlen (ANY) : 0);

      out->place = has_pattern || size == 0 ? KVSQLCTL_HIVE_FAMILY : KVSQLCTL_HIVE_CELL;
      out->family = g_strndup (where, (gsize)(colon - where));
      out->qualifier = g_strndup (colon + 1, size);
    }
  return TRUE;
}

/* @entry: nullable: the key without an entry */
static gboolean
add_entry (const Parser *self, const gchar *entry, GPtrArray *out)
{
  const KvsqlctlHiveColumn *column = kvsqlctl_hive_table_get_column (self->table, out->len);
  KvsqlctlHiveMapping *mapping = g_new0 (KvsqlctlHiveMapping, 1);
  g_auto (GStrv) parts = g_strsplit (entry != NULL ? entry : ":key", "#", 3);

  g_ptr_array_add (out, mapping);
  if (g_strv_length (parts) > 2)
    return fail (self, "The storage is after the one '#' of an entry.",
                 "\"%s\" has more than one '#'", entry);
  return set_place (self, parts[0] != NULL ? parts[0] : "", mapping)
         && check_type (self, column, mapping)
         && set_storage (self, column, parts[0] != NULL ? parts[1] : NULL, mapping);
}

/* ---- the whole */

static gboolean
read_default_storage (Parser *self)
{
  const KvsqlctlHiveProperty *storage = kvsqlctl_hive_table_find (self->table, STORAGE);

  if (storage == NULL || storage->value[0] == '\0' || strcmp (storage->value, "string") == 0)
    return TRUE;
  self->is_binary = strcmp (storage->value, "binary") == 0;
  return self->is_binary
         || kvsqlctl_text_error_set (self->error, storage->position, storage->length,
                                     "It is string or binary.", STORAGE " is \"%s\"",
                                     storage->value);
}

static guint
count_places (const GPtrArray *mappings, KvsqlctlHivePlace place)
{
  guint n = 0;

  for (guint i = 0; i < mappings->len; i++)
    n += ((const KvsqlctlHiveMapping *)mappings->pdata[i])->place == place;
  return n;
}

/* As in Java, the text ends before its last commas. (transfer full) */
static gchar **
split_entries (const gchar *text)
{
  gchar **entries = g_strsplit (text, ",", -1);
  guint n = g_strv_length (entries);

  for (; n > 0 && entries[n - 1][0] == '\0'; n--)
    g_clear_pointer (&entries[n - 1], g_free);
  for (guint i = 0; i < n; i++)
    g_strstrip (entries[i]);
  return entries;
}

static gboolean
is_key_entry (const gchar *entry)
{
  return g_str_has_prefix (entry, ":key") && (entry[4] == '\0' || entry[4] == '#');
}

/* Entry after entry, for the positions of errors. */
static gboolean
add_each_entry (Parser *self, gchar **entries, GPtrArray *out)
{
  const gchar *at = self->property->value;

  for (; *entries != NULL; entries++)
    {
      const gchar *end = at + strcspn (at, ",");

      self->entry = at + strspn (at, " \t\r\n");
      self->entry_size = strlen (*entries);
      if (!add_entry (self, *entries, out))
        return FALSE;
      at = end + (*end == ',');
    }
  self->entry = NULL;
  return TRUE;
}

static gboolean
add_entries (Parser *self, gchar **entries, GPtrArray *out)
{
  guint n = g_strv_length (entries);
  gboolean has_key = FALSE;

  for (guint i = 0; i < n; i++)
    has_key = has_key || is_key_entry (entries[i]);
  if (n + !has_key != self->table->columns->len)
    return fail (self, "Each column has one entry, in the order of the columns.",
                 "the table has %u columns, and " MAPPING " has %u entries%s",
                 self->table->columns->len, n + !has_key,
                 has_key ? "" : ", with the key, which is the first one");
  if ((!has_key && !add_entry (self, NULL, out)) || !add_each_entry (self, entries, out))
    return FALSE;
  if (count_places (out, KVSQLCTL_HIVE_KEY) > 1)
    return fail (self, "A key of several parts is one column, a struct.",
                 MAPPING " has more than one :key");
  if (count_places (out, KVSQLCTL_HIVE_TIMESTAMP) > 1)
    return fail (self, NULL, MAPPING " has more than one :timestamp");
  return out->len > 1
         || fail (self, "Hive needs another column.", MAPPING " has the row key alone");
}

GPtrArray *
kvsqlctl_hive_mapping_parse (const KvsqlctlHiveTable *table, KvsqlctlTextError *error)
{
  g_autoptr (GPtrArray) mappings = g_ptr_array_new_with_free_func (free_mapping);
  Parser self
      = { .table = table, .property = kvsqlctl_hive_table_find (table, MAPPING), .error = error };
  const gchar *matching = kvsqlctl_hive_table_get (table, MAPPING ".regex.matching");
  g_auto (GStrv) entries = NULL;

  if (self.property == NULL)
    {
      kvsqlctl_text_error_set (error, table->position, table->length,
                               "It is in WITH SERDEPROPERTIES.", "table \"%s\" has no " MAPPING,
                               table->name);
      return NULL;
    }
  self.has_patterns = matching == NULL || g_ascii_strcasecmp (matching, "true") == 0;
  entries = split_entries (self.property->value);
  return read_default_storage (&self) && add_entries (&self, entries, mappings)
             ? g_steal_pointer (&mappings)
             : NULL;
}
