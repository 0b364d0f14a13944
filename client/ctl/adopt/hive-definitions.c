/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-definitions.c: see the header.
 *
 * Each column of Hive is a line of CELLS, or the row key. The fields of a struct are attributes,
 * with the separators of Hive between them. An array or a map in one cell is the text that Hive
 * writes, as several tuples or cells it would be another table.
 */
#include "config.h"

#include "client/ctl/adopt/hive-definitions.h"

#include <string.h>

#include "client/ctl/adopt/hive-mapping.h"
#include "client/ctl/adopt/hive-qualifiers.h"
#include "client/ctl/adopt/hive-separators.h"
#include "client/ctl/adopt/hive-values.h"
#include "client/ctl/execute.h"
#include "client/ctl/names.h"

#define DEFAULT_COMMENT "from deserializer" /* of a column that has none */
#define ESCAPE "escape.delim"
#define MAX_ATTRIBUTES 256 /* of a relation */
#define COLUMN_LEVEL 1     /* of separators */
#define ENTRY_LEVEL 3      /* in a value of a map of several cells */

typedef struct
{
  const KvsqlctlHiveTable *table;
  GPtrArray *mappings;
  KvsqlctlHiveForm form;
  KvsqlctlHiveSeparators separators;
  GHashTable *names;   /* of columns and attributes */
  GString *attributes; /* of the relation */
  guint n_attributes;
  GString *row;
  GString *cells;
  guint n_cells;
  gchar *timestamp; /* nullable: the quoted attribute */
  KvsqlctlDefinition *out;
} Definer;

/* ---- names */

gchar *
kvsqlctl_hive_get_relation (const KvsqlctlHiveTable *table)
{
  return strcmp (table->database, "default") == 0
             ? g_strdup (table->name)
             : g_strdup_printf ("%s_%s", table->database, table->name);
}

/* The table in HBase. (transfer full) */
static gchar *
get_store_name (const KvsqlctlHiveTable *table)
{
  const gchar *name = kvsqlctl_hive_table_get (table, "hbase.table.name");

  if (name != NULL)
    return g_strdup (name);
  return strcmp (table->database, "default") == 0 ? g_strdup (table->name)
                                                  : kvsqlctl_hive_table_get_full_name (table);
}

/* The names of columns stay. FALSE: one is there twice. */
static gboolean
reserve_names (Definer *self, KvsqlctlTextError *error)
{
  for (guint i = 0; i < self->table->columns->len; i++)
    {
      const gchar *name = kvsqlctl_hive_table_get_column (self->table, i)->name;

      if (!g_hash_table_add (self->names, g_strdup (name)))
        return kvsqlctl_text_error_set (error, self->table->position, self->table->length, NULL,
                                        "table \"%s\" has two columns \"%s\"", self->table->name,
                                        name);
    }
  return TRUE;
}

/* The name of an attribute for a field of a struct: that of the field, or with the column before
 * it. (transfer full) */
static gchar *
pick_name (Definer *self, const gchar *column, const gchar *field, gboolean is_short)
{
  g_autofree gchar *joined = g_strdup_printf ("%s_%s", column, field);
  g_autofree gchar *name
      = g_strdup (is_short && !g_hash_table_contains (self->names, field) ? field : joined);

  for (guint i = 2; g_hash_table_contains (self->names, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s_%u", joined, i);
    }
  g_hash_table_add (self->names, g_strdup (name));
  return g_steal_pointer (&name);
}

/* ---- attributes */

/* @check, @comment: nullable */
static void
add_attribute (Definer *self, const gchar *quoted, const gchar *type, gboolean is_key,
               const gchar *check, const gchar *comment)
{
  g_string_append_printf (self->attributes, "%s\n    %s %s%s", self->n_attributes > 0 ? "," : "",
                          quoted, type, is_key ? " KEY" : "");
  if (check != NULL)
    g_string_append_printf (self->attributes, " CHECK (%s)", check);
  if (comment != NULL && comment[0] != '\0' && strcmp (comment, DEFAULT_COMMENT) != 0)
    {
      g_autofree gchar *text = kvsqlctl_quote_text (comment);
      g_string_append_printf (self->attributes, " COMMENT %s", text);
    }
  self->n_attributes++;
}

static void
note_once (Definer *self, const gchar *note)
{
  for (guint i = 0; i < self->out->notes->len; i++)
    if (strcmp (self->out->notes->pdata[i], note) == 0)
      return;
  kvsqlctl_definition_note (self->out, "%s", note);
}

static void
note_value (Definer *self, const KvsqlctlHiveType *type)
{
  g_autofree gchar *note = kvsqlctl_hive_value_get_note (type);

  if (note != NULL)
    note_once (self, note);
}

/* ---- the bytes of a value */

/* What is being written. */
typedef struct
{
  const KvsqlctlHiveColumn *column;
  KvsqlctlHiveUse use;
  gboolean is_binary;
  GString *out;
} Writing;

/* @end: nullable: the separator after it */
static void
append_part (Writing *writing, const gchar *layout, const gchar *end)
{
  if (writing->out->len > 0)
    g_string_append_c (writing->out, ':');
  if (end != NULL)
    g_string_append_printf (writing->out, "suffix(%s){%s}", end, layout);
  else
    g_string_append (writing->out, layout);
}

/* FALSE: Hive has no such form. */
static gboolean
write_scalar (Definer *self, Writing *writing, const KvsqlctlHiveType *type, const gchar *name,
              const gchar *end)
{
  g_autofree gchar *quoted = kvsqlctl_quote_name (name);
  g_autofree gchar *layout
      = kvsqlctl_hive_value_write (type, writing->is_binary, writing->use, &self->form, quoted);
  g_autofree gchar *attribute_type = kvsqlctl_hive_value_get_type (type, writing->use);
  g_autofree gchar *check
      = writing->is_binary ? NULL : kvsqlctl_hive_value_get_check (type, quoted);

  if (layout == NULL)
    return FALSE;
  add_attribute (self, quoted, attribute_type, writing->use == KVSQLCTL_HIVE_IN_KEY, check,
                 writing->column->comment);
  append_part (writing, layout, end);
  note_value (self, type);
  return TRUE;
}

static void
note_text (Definer *self, const gchar *name, const KvsqlctlHiveType *type, guint level)
{
  g_autofree gchar *description = kvsqlctl_hive_type_describe (type);
  guint n = kvsqlctl_hive_type_count_levels (type);
  g_autofree gchar *separators = kvsqlctl_hive_separators_list (&self->separators, level, n);

  kvsqlctl_definition_note (self->out, "%s is %s: its text, with the separator%s %s", name,
                            description, n > 1 ? "s" : "", separators);
}

/* The text of an array or a map, as one attribute. */
static void
write_text (Definer *self, Writing *writing, const KvsqlctlHiveType *type, const gchar *name,
            guint level, const gchar *end)
{
  gboolean is_text = kvsqlctl_hive_separators_are_text (&self->separators, level,
                                                        kvsqlctl_hive_type_count_levels (type));
  g_autofree gchar *quoted = kvsqlctl_quote_name (name);
  g_autofree gchar *null = kvsqlctl_quote_text (self->form.null_text);
  g_autofree gchar *layout = writing->use == KVSQLCTL_HIVE_IN_KEY
                                 ? g_strdup (quoted)
                                 : g_strdup_printf ("null(%s){%s}", null, quoted);

  add_attribute (self, quoted, is_text ? "STRING" : "BYTES", writing->use == KVSQLCTL_HIVE_IN_KEY,
                 NULL, writing->column->comment);
  append_part (writing, layout, end);
  note_text (self, name, type, level);
}

static gboolean write_value (Definer *self, Writing *writing, const KvsqlctlHiveType *type,
                             const gchar *name, guint level, const gchar *end);

static gboolean
write_struct (Definer *self, Writing *writing, const KvsqlctlHiveType *type, const gchar *name,
              guint level, const gchar *end)
{
  g_autofree gchar *separator = kvsqlctl_hive_separators_write (&self->separators, level);
  gboolean is_short = writing->use == KVSQLCTL_HIVE_IN_KEY;

  for (guint i = 0; i < type->parts->len; i++)
    {
      g_autofree gchar *field = pick_name (self, name, type->names->pdata[i], is_short);

      if (writing->use == KVSQLCTL_HIVE_IN_CELL)
        writing->use = KVSQLCTL_HIVE_IN_FIELD;
      if (!write_value (self, writing, kvsqlctl_hive_type_get_part (type, i), field, level + 1,
                        i + 1 < type->parts->len ? separator : end))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_value (Definer *self, Writing *writing, const KvsqlctlHiveType *type, const gchar *name,
             guint level, const gchar *end)
{
  if (type->category == KVSQLCTL_HIVE_SCALAR)
    return write_scalar (self, writing, type, name, end);
  if (type->category == KVSQLCTL_HIVE_STRUCT)
    return write_struct (self, writing, type, name, level, end);
  write_text (self, writing, type, name, level, end);
  return TRUE;
}

static gboolean
has_union (const KvsqlctlHiveType *type)
{
  if (type->category == KVSQLCTL_HIVE_UNION)
    return TRUE;
  for (guint i = 0; i < type->parts->len; i++)
    if (has_union (type->parts->pdata[i]))
      return TRUE;
  return FALSE;
}

/* Why the value cannot be written or read; NULL: it can. (transfer full) */
static gchar *
why_impossible (const KvsqlctlHiveType *type, gboolean is_binary, guint level)
{
  g_autofree gchar *name = kvsqlctl_hive_type_describe (type);

  if (has_union (type))
    return g_strdup_printf ("it is %s, which Hive does not write to HBase", name);
  if (level + kvsqlctl_hive_type_count_levels (type) > KVSQLCTL_HIVE_LEVELS)
    return g_strdup_printf ("it is %s, which needs more than %d separators", name,
                            KVSQLCTL_HIVE_LEVELS - 1);
  if (is_binary && type->category == KVSQLCTL_HIVE_SCALAR)
    {
      const KvsqlctlHiveForm form = { .null_text = "" };
      g_autofree gchar *layout
          = kvsqlctl_hive_value_write (type, TRUE, KVSQLCTL_HIVE_IN_KEY, &form, "a");

      if (layout == NULL)
        return g_strdup_printf ("Hive has no binary form of %s, and can neither read nor write it",
                                name);
    }
  return NULL;
}

/* ---- columns */

/* A column in Avro, or of a class of Java, is its bytes. */
static gboolean
is_serialized (const Definer *self, const KvsqlctlHiveMapping *mapping)
{
  g_autofree gchar *name
      = mapping->qualifier[0] != '\0'
            ? g_strdup_printf ("%s.%s.serialization.type", mapping->family, mapping->qualifier)
            : g_strdup_printf ("%s.serialization.type", mapping->family);

  return kvsqlctl_hive_table_find (self->table, name) != NULL;
}

static void
add_cell (Definer *self, const gchar *family, const gchar *qualifier, const gchar *value)
{
  g_autofree gchar *quoted = kvsqlctl_quote_text (family);

  g_string_append_printf (self->cells, "%s\n    %s:%s = %s", self->n_cells > 0 ? "," : "", quoted,
                          qualifier, value);
  self->n_cells++;
}

static void
leave_out (Definer *self, const gchar *column, const gchar *reason)
{
  kvsqlctl_definition_note (self->out, "column %s is left out: %s", column, reason);
}

/* Another column has the cell. */
static gboolean
is_repeated (const Definer *self, guint place)
{
  const KvsqlctlHiveMapping *mapping = self->mappings->pdata[place];

  for (guint i = 0; i < place; i++)
    {
      const KvsqlctlHiveMapping *other = self->mappings->pdata[i];

      if (other->place == KVSQLCTL_HIVE_CELL && strcmp (other->family, mapping->family) == 0
          && strcmp (other->qualifier, mapping->qualifier) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
define_cell (Definer *self, guint place)
{
  const KvsqlctlHiveColumn *column = kvsqlctl_hive_table_get_column (self->table, place);
  const KvsqlctlHiveMapping *mapping = self->mappings->pdata[place];
  g_autoptr (GString) value = g_string_new (NULL);
  Writing writing = { column, KVSQLCTL_HIVE_IN_CELL, mapping->is_binary, value };
  g_autofree gchar *qualifier = kvsqlctl_quote_text (mapping->qualifier);
  g_autofree gchar *quoted = kvsqlctl_quote_name (column->name);

  if (is_serialized (self, mapping))
    {
      add_attribute (self, quoted, "BYTES", FALSE, NULL, column->comment);
      g_string_append (value, quoted);
      kvsqlctl_definition_note (self->out, "column %s is in a form of Java: its bytes",
                                column->name);
    }
  else if (!write_value (self, &writing, column->type, column->name, COLUMN_LEVEL, NULL))
    return;
  add_cell (self, mapping->family, qualifier, value->str);
}

/* The type of the values of a map, and their layout. */
static void
write_entry (Definer *self, const KvsqlctlHiveColumn *column, const KvsqlctlHiveMapping *mapping,
             gchar **out_type, gchar **out_layout)
{
  const KvsqlctlHiveType *type = kvsqlctl_hive_type_get_part (column->type, 1);
  g_autofree gchar *quoted = kvsqlctl_quote_name (column->name);
  g_autofree gchar *value = g_strdup_printf ("map_value(%s)", quoted);

  if (is_serialized (self, mapping))
    {
      *out_type = g_strdup ("BYTES");
      *out_layout = g_steal_pointer (&value);
      kvsqlctl_definition_note (self->out, "the values of %s are in a form of Java: their bytes",
                                column->name);
    }
  else if (type->category == KVSQLCTL_HIVE_SCALAR)
    {
      *out_type = kvsqlctl_hive_value_get_type (type, KVSQLCTL_HIVE_IN_MAP);
      *out_layout = kvsqlctl_hive_value_write (type, mapping->is_binary, KVSQLCTL_HIVE_IN_MAP,
                                               &self->form, value);
      note_value (self, type);
    }
  else
    {
      g_autofree gchar *name = g_strdup_printf ("a value of %s", column->name);

      *out_type
          = g_strdup (kvsqlctl_hive_separators_are_text (&self->separators, ENTRY_LEVEL,
                                                         kvsqlctl_hive_type_count_levels (type))
                          ? "STRING"
                          : "BYTES");
      *out_layout = g_steal_pointer (&value);
      note_text (self, name, type, ENTRY_LEVEL);
    }
}

static void
define_map (Definer *self, guint place)
{
  const KvsqlctlHiveColumn *column = kvsqlctl_hive_table_get_column (self->table, place);
  const KvsqlctlHiveMapping *mapping = self->mappings->pdata[place];
  const KvsqlctlHiveType *keys = kvsqlctl_hive_type_get_part (column->type, 0);
  const gchar *hide = kvsqlctl_hive_table_get (self->table, "hbase.columns.mapping.prefix.hide");
  g_autofree gchar *quoted = kvsqlctl_quote_name (column->name);
  g_autofree gchar *key = g_strdup_printf ("map_key(%s)", quoted);
  g_autofree gchar *type = NULL, *layout = NULL, *map = NULL, *qualifier = NULL;
  const gchar *reason = NULL;
  gboolean is_narrower;

  qualifier = kvsqlctl_hive_qualifiers_write (
      self->mappings, place, hide != NULL && g_ascii_strcasecmp (hide, "true") == 0, key, &reason,
      &is_narrower);
  if (qualifier == NULL)
    {
      leave_out (self, column->name, reason);
      return;
    }
  write_entry (self, column, mapping, &type, &layout);
  map = g_strdup_printf ("MAP<STRING, %s>", type);
  add_attribute (self, quoted, map, FALSE, NULL, column->comment);
  add_cell (self, mapping->family, qualifier, layout);
  if (is_narrower)
    kvsqlctl_definition_note (
        self->out, "map %s is without the cells that other columns have, which Hive shows in it",
        column->name);
  if (strcmp (keys->name, "string") != 0)
    {
      g_autofree gchar *name = kvsqlctl_hive_type_describe (keys);
      kvsqlctl_definition_note (self->out, "the keys of map %s are the text of %s", column->name,
                                name);
    }
}

/* The class of Java that makes keys; NULL: there is none. */
static const gchar *
get_key_class (const KvsqlctlHiveTable *table)
{
  const gchar *name = kvsqlctl_hive_table_get (table, "hbase.composite.key.class");

  return name != NULL ? name : kvsqlctl_hive_table_get (table, "hbase.composite.key.factory");
}

static void
define_key (Definer *self, guint place)
{
  const KvsqlctlHiveColumn *column = kvsqlctl_hive_table_get_column (self->table, place);
  const KvsqlctlHiveMapping *mapping = self->mappings->pdata[place];
  const gchar *class_name = get_key_class (self->table);
  Writing writing = { column, KVSQLCTL_HIVE_IN_KEY, mapping->is_binary, self->row };

  if (class_name != NULL)
    {
      g_autofree gchar *quoted = kvsqlctl_quote_name (column->name);

      add_attribute (self, quoted, "BYTES", TRUE, NULL, column->comment);
      g_string_append (self->row, quoted);
      kvsqlctl_definition_note (
          self->out,
          "the key is made by %s, a class of Java: %s is its bytes; kvsqlctl infer "
          "may find its parts",
          class_name, column->name);
    }
  else if (!write_value (self, &writing, column->type, column->name, COLUMN_LEVEL, NULL))
    g_string_truncate (self->row, 0);
}

/* ---- tables */

/* Why a column is left out; NULL: it is not. (transfer full) */
static gchar *
why_left_out (const Definer *self, guint place)
{
  const KvsqlctlHiveColumn *column = kvsqlctl_hive_table_get_column (self->table, place);
  const KvsqlctlHiveMapping *mapping = self->mappings->pdata[place];

  if (mapping->place == KVSQLCTL_HIVE_KEY)
    return get_key_class (self->table) != NULL
               ? NULL
               : why_impossible (column->type, mapping->is_binary, COLUMN_LEVEL);
  if (mapping->place == KVSQLCTL_HIVE_CELL && is_repeated (self, place))
    return g_strdup ("another column has the same cell");
  if (mapping->place == KVSQLCTL_HIVE_TIMESTAMP || is_serialized (self, mapping))
    return NULL;
  if (mapping->place == KVSQLCTL_HIVE_CELL)
    return why_impossible (column->type, mapping->is_binary, COLUMN_LEVEL);
  if (mapping->is_key_binary)
    return g_strdup ("its keys are not text");
  return why_impossible (kvsqlctl_hive_type_get_part (column->type, 1), mapping->is_binary,
                         ENTRY_LEVEL);
}

static void
define_column (Definer *self, guint place)
{
  const KvsqlctlHiveMapping *mapping = self->mappings->pdata[place];
  g_autofree gchar *reason = why_left_out (self, place);

  if (reason != NULL && mapping->place != KVSQLCTL_HIVE_KEY)
    leave_out (self, kvsqlctl_hive_table_get_column (self->table, place)->name, reason);
  else if (reason != NULL)
    kvsqlctl_definition_note (self->out, "not possible: of the key: %s", reason);
  else if (mapping->place == KVSQLCTL_HIVE_KEY)
    define_key (self, place);
  else if (mapping->place == KVSQLCTL_HIVE_CELL)
    define_cell (self, place);
  else if (mapping->place == KVSQLCTL_HIVE_FAMILY)
    define_map (self, place);
}

/* Why Hive would not read what kvsql writes, or would hide it; NULL: neither. (transfer full) */
static gchar *
why_not_writable (const Definer *self)
{
  const gchar *time = kvsqlctl_hive_table_get (self->table, "hbase.put.timestamp");

  if (get_key_class (self->table) != NULL)
    return g_strdup ("a class of Java makes the keys");
  if (kvsqlctl_hive_table_find (self->table, ESCAPE) != NULL)
    return g_strdup ("Hive writes text with escapes");
  if (time != NULL && g_ascii_strtoll (time, NULL, 10) >= 0)
    return g_strdup (
        "all that Hive writes has the time of hbase.put.timestamp, and would be hidden");
  for (guint i = 0; i < self->mappings->len; i++)
    {
      const KvsqlctlHiveMapping *mapping = self->mappings->pdata[i];
      g_autofree gchar *reason = why_left_out (self, i);

      if (mapping->place == KVSQLCTL_HIVE_TIMESTAMP)
        return g_strdup ("a column is the time of the cells, too");
      if (reason != NULL && mapping->place != KVSQLCTL_HIVE_KEY)
        return g_strdup_printf ("a DELETE would leave the cells of column %s",
                                kvsqlctl_hive_table_get_column (self->table, i)->name);
    }
  return NULL;
}

/* A tuple is the cell of one column. */
static gboolean
has_one_cell (const Definer *self)
{
  guint n = 0;

  for (guint i = 0; i < self->mappings->len; i++)
    {
      KvsqlctlHivePlace place = ((const KvsqlctlHiveMapping *)self->mappings->pdata[i])->place;

      n += place == KVSQLCTL_HIVE_CELL ? 1 : place == KVSQLCTL_HIVE_FAMILY ? 2 : 0;
    }
  return n == 1 && self->n_cells == 1;
}

/* The time of the cells is an attribute if a row has one cell. */
static void
define_timestamp (Definer *self)
{
  for (guint i = 0; i < self->mappings->len; i++)
    {
      const KvsqlctlHiveMapping *mapping = self->mappings->pdata[i];
      const KvsqlctlHiveColumn *column = kvsqlctl_hive_table_get_column (self->table, i);

      if (mapping->place != KVSQLCTL_HIVE_TIMESTAMP)
        continue;
      if (has_one_cell (self))
        {
          self->timestamp = kvsqlctl_quote_name (column->name);
          add_attribute (self, self->timestamp, "TIMESTAMP", FALSE, NULL, column->comment);
        }
      else
        leave_out (self, column->name,
                   "the time of the cells is an attribute only if a row has one");
    }
}

static void
add_statements (Definer *self)
{
  g_autofree gchar *name = kvsqlctl_hive_get_relation (self->table);
  g_autofree gchar *schema_name = g_strconcat (name, "_hive", NULL);
  g_autofree gchar *relation = kvsqlctl_quote_name (name);
  g_autofree gchar *schema = kvsqlctl_quote_name (schema_name);
  g_autofree gchar *store_name = get_store_name (self->table);
  g_autofree gchar *table = kvsqlctl_quote_text (store_name);
  g_autofree gchar *comment
      = self->table->comment != NULL ? kvsqlctl_quote_text (self->table->comment) : NULL;

  kvsqlctl_definition_take (
      self->out, g_strdup_printf ("DEFINE RELATION %s {%s }\n  WITH (writes = plain)%s%s", relation,
                                  self->attributes->str, comment != NULL ? " COMMENT " : "",
                                  comment != NULL ? comment : ""));
  kvsqlctl_definition_take (
      self->out,
      g_strdup_printf ("DEFINE PRIMARY SCHEMA %s FOR %s\n  { TABLE %s,\n    ROW %s,\n    CELLS {%s "
                       "}%s%s }\n  WITH (%screate_tables = false)",
                       schema, relation, table, self->row->str, self->cells->str,
                       self->timestamp != NULL ? ",\n    TIMESTAMP " : "",
                       self->timestamp != NULL ? self->timestamp : "",
                       self->form.is_writable ? "" : "role = read, "));
}

static void
define_columns (Definer *self)
{
  if (self->form.is_writable)
    {
      g_autofree gchar *reason = why_not_writable (self);

      self->form.is_writable = reason == NULL;
      if (reason != NULL)
        kvsqlctl_definition_note (self->out, "only for reading: %s", reason);
    }
  if (kvsqlctl_hive_table_find (self->table, ESCAPE) != NULL)
    kvsqlctl_definition_note (self->out, "text is with the escapes of Hive (ESCAPED BY)");
  for (guint i = 0; i < self->mappings->len; i++)
    define_column (self, i);
  define_timestamp (self);
  if (self->row->len == 0)
    return;
  if (self->n_cells == 0)
    kvsqlctl_definition_note (self->out, "not possible: no column is left");
  else if (self->n_attributes > MAX_ATTRIBUTES)
    kvsqlctl_definition_note (self->out, "not possible: it has more than %d attributes",
                              MAX_ATTRIBUTES);
  else
    add_statements (self);
}

static void
definer_clear (Definer *self)
{
  g_clear_pointer (&self->mappings, g_ptr_array_unref);
  g_hash_table_unref (self->names);
  g_string_free (self->attributes, TRUE);
  g_string_free (self->row, TRUE);
  g_string_free (self->cells, TRUE);
  g_free (self->timestamp);
}

static gboolean
define (Definer *self, KvsqlctlTextError *error)
{
  const gchar *null_text = kvsqlctl_hive_table_get (self->table, "serialization.null.format");

  if (self->table->columns->len == 0 || self->table->is_partitioned)
    {
      kvsqlctl_definition_note (self->out, "not possible: %s",
                                self->table->is_partitioned
                                    ? "it is partitioned"
                                    : "it has no list of columns; SHOW CREATE TABLE prints it");
      return TRUE;
    }
  self->form.null_text = null_text != NULL ? null_text : "\\N";
  kvsqlctl_hive_separators_init (&self->separators, self->table);
  self->mappings = kvsqlctl_hive_mapping_parse (self->table, error);
  if (self->mappings == NULL || !reserve_names (self, error))
    return FALSE;
  define_columns (self);
  return TRUE;
}

KvsqlctlDefinition *
kvsqlctl_hive_define (const KvsqlctlHiveTable *table, gboolean is_writable,
                      KvsqlctlTextError *error)
{
  g_autoptr (KvsqlctlDefinition) out = kvsqlctl_definition_new ();
  Definer self = { .table = table, .out = out, .form = { .is_writable = is_writable } };
  gboolean ok;

  self.names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self.attributes = g_string_new (NULL);
  self.row = g_string_new (NULL);
  self.cells = g_string_new (NULL);
  ok = define (&self, error);
  definer_clear (&self);
  return ok ? g_steal_pointer (&out) : NULL;
}
