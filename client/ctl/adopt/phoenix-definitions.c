/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-definitions.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/phoenix-definitions.h"

#include <string.h>

#include "client/ctl/adopt/phoenix-types.h"
#include "client/ctl/execute.h"
#include "client/ctl/names.h"

/* The cell without a column that each row has, and its values. */
#define EMPTY_CELL "'_0'"
#define ENCODED_EMPTY_CELL "x'00000000'"
#define EMPTY_VALUE "'x'"
#define INDEX_EMPTY_VALUE "x'01'" /* the row of the index is complete */
/* In an uncovered index Phoenix looks at the row of the table in any case. */
#define UNCOVERED_EMPTY_VALUE "x'02'"

/* Of the cell that holds all columns of a family. */
#define ROW_CELL "'1'"

/* Of the cells whose columns have types that kvsql has not. */
#define OTHERS "other_cells"

/* A table, with what its indexes are defined by. */
typedef struct
{
  const GPtrArray *catalog;
  const KvsqlctlPhoenixTable *table;
  gchar *relation;        /* quoted */
  GHashTable *attributes; /* column, quoted name */
  KvsqlctlDefinition *out;
  gboolean is_writable;
} Definer;

/* ---- names */

/* schema_table, or the name in Phoenix if another table has this one. (transfer full) */
static gchar *
relation_name (const GPtrArray *catalog, const KvsqlctlPhoenixTable *table)
{
  g_autofree gchar *joined = table->schema[0] == '\0'
                                 ? g_strdup (table->name)
                                 : g_strdup_printf ("%s_%s", table->schema, table->name);

  for (guint i = 0; i < catalog->len; i++)
    {
      const KvsqlctlPhoenixTable *other = catalog->pdata[i];

      if (table->schema[0] != '\0' && other->schema[0] == '\0' && strcmp (other->name, joined) == 0)
        return kvsqlctl_phoenix_table_get_full_name (table);
    }
  return g_steal_pointer (&joined);
}

static gchar *
quote_relation (const GPtrArray *catalog, const KvsqlctlPhoenixTable *table, const gchar *suffix)
{
  g_autofree gchar *name = relation_name (catalog, table);
  g_autofree gchar *whole = g_strconcat (name, suffix, NULL);

  return kvsqlctl_quote_name (whole);
}

static guint
count_columns (const KvsqlctlPhoenixTable *table, const gchar *name)
{
  guint n = 0;

  for (guint i = 0; i < table->columns->len; i++)
    n += g_ascii_strcasecmp (((KvsqlctlPhoenixColumn *)table->columns->pdata[i])->name, name) == 0;
  return n;
}

/* One cell of all columns would lose those without a type here. */
static const KvsqlctlPhoenixType *
type_of (const KvsqlctlPhoenixTable *table, const KvsqlctlPhoenixColumn *column)
{
  const KvsqlctlPhoenixType *type = kvsqlctl_phoenix_type_find (column->type);

  return type == NULL && table->storage == KVSQLCTL_PHOENIX_ONE_CELL && column->key_place == 0
             ? &kvsqlctl_phoenix_unknown_type
             : type;
}

/* The same name in several families is family_name. */
static void
name_attributes (Definer *self)
{
  for (guint i = 0; i < self->table->columns->len; i++)
    {
      KvsqlctlPhoenixColumn *column = self->table->columns->pdata[i];
      g_autofree gchar *name
          = column->family != NULL && count_columns (self->table, column->name) > 1
                ? g_strdup_printf ("%s_%s", column->family, column->name)
                : g_strdup (column->name);

      g_hash_table_insert (self->attributes, column, kvsqlctl_quote_name (name));
    }
}

/* ---- keys */

static gint
compare_key_places (gconstpointer a, gconstpointer b)
{
  const KvsqlctlPhoenixColumn *first = *(KvsqlctlPhoenixColumn *const *)a;
  const KvsqlctlPhoenixColumn *second = *(KvsqlctlPhoenixColumn *const *)b;

  return first->key_place < second->key_place ? -1 : first->key_place > second->key_place;
}

/* (transfer container): in the order of the key */
static GPtrArray *
key_columns (const KvsqlctlPhoenixTable *table)
{
  GPtrArray *key = g_ptr_array_new ();

  for (guint i = 0; i < table->columns->len; i++)
    if (((KvsqlctlPhoenixColumn *)table->columns->pdata[i])->key_place > 0)
      g_ptr_array_add (key, table->columns->pdata[i]);
  g_ptr_array_sort (key, compare_key_places);
  return key;
}

/* The column of the data table that a column of an index is of: its name has the family and ':'
 * before it. NULL: it is an expression. */
static KvsqlctlPhoenixColumn *
data_column (const Definer *self, const KvsqlctlPhoenixColumn *column)
{
  const gchar *colon = strchr (column->name, ':');

  for (guint i = 0; colon != NULL && i < self->table->columns->len; i++)
    {
      KvsqlctlPhoenixColumn *other = self->table->columns->pdata[i];
      const gchar *family = other->family != NULL ? other->family : "";

      if (strcmp (other->name, colon + 1) == 0 && strlen (family) == (gsize)(colon - column->name)
          && strncmp (family, column->name, (gsize)(colon - column->name)) == 0)
        return other;
    }
  return NULL;
}

/* The column of the data table, of a column of @table, which is that or an index of it. */
static const KvsqlctlPhoenixColumn *
base_of (const Definer *self, const KvsqlctlPhoenixTable *table,
         const KvsqlctlPhoenixColumn *column)
{
  return table == self->table ? column : data_column (self, column);
}

/* FALSE and the reason, if the column cannot be in a key. *out_reason: (transfer full) */
static gboolean
check_key_column (const Definer *self, const KvsqlctlPhoenixTable *table,
                  const KvsqlctlPhoenixColumn *column, gchar **out_reason)
{
  const KvsqlctlPhoenixColumn *base = base_of (self, table, column);
  gboolean descends = kvsqlctl_phoenix_column_descends (column);
  const KvsqlctlPhoenixType *type;
  g_autofree gchar *name = NULL;

  if (base == NULL)
    {
      *out_reason = g_strdup_printf ("%s in its key is an expression", column->name);
      return FALSE;
    }
  type = kvsqlctl_phoenix_type_find_in_index (base->type, column->type);
  if (type != NULL && !type->cannot_be_key && !(type->cannot_descend && descends))
    return TRUE;
  name = kvsqlctl_phoenix_type_describe (column->type);
  *out_reason
      = g_strdup_printf ("column %s of its key is %s%s%s", base->name, name,
                         descends ? " DESC" : "", base->type != column->type ? " there" : "");
  return FALSE;
}

/* Whether Phoenix ends the values with a byte 0, which none of them has. */
static gboolean
ends_with_zero (const Definer *self, const KvsqlctlPhoenixTable *table,
                const KvsqlctlPhoenixColumn *column)
{
  return !kvsqlctl_phoenix_column_descends (column)
         && kvsqlctl_phoenix_type_ends_with_zero (base_of (self, table, column)->type,
                                                  column->type);
}

/* Whether Phoenix leaves the column out at the end of a key while it is NULL, and kvsql has a form
 * for NULL: a KEY has the '' of a VARCHAR. */
static gboolean
may_be_left_out (const Definer *self, const KvsqlctlPhoenixTable *table,
                 const KvsqlctlPhoenixColumn *column)
{
  const KvsqlctlPhoenixColumn *base = base_of (self, table, column);

  return column->is_nullable && ends_with_zero (self, table, column)
         && (base->key_place == 0 || kvsqlctl_phoenix_type_is_text (base->type));
}

static const KvsqlctlPhoenixType *
type_in_key (const Definer *self, const KvsqlctlPhoenixTable *table,
             const KvsqlctlPhoenixColumn *column)
{
  return kvsqlctl_phoenix_type_find_in_index (base_of (self, table, column)->type, column->type);
}

/* The number of last columns that Phoenix leaves out while they are NULL. Never are all columns of
 * the table's own key. */
static guint
count_trailing (const Definer *self, const KvsqlctlPhoenixTable *table, const GPtrArray *key)
{
  g_autoptr (GPtrArray) own = key_columns (self->table);
  const KvsqlctlPhoenixColumn *before = key->pdata[key->len - 1];
  guint n = 0, n_own = 0;

  while (n + 1 < key->len && may_be_left_out (self, table, before))
    {
      n_own += base_of (self, table, before)->key_place > 0;
      if (n_own >= own->len)
        break;
      n++;
      before = key->pdata[key->len - 1 - n];
    }
  /* its end would not be found */
  return type_in_key (self, table, before)->is_open && !kvsqlctl_phoenix_column_descends (before)
                 && !ends_with_zero (self, table, before)
             ? 0
             : n;
}

/* phoenix{A}:optional(x'00'){phoenix{B}:optional(x'00'){phoenix{C}}} */
static gchar *
join_key (const Definer *self, const KvsqlctlPhoenixTable *table, const GPtrArray *key)
{
  guint first = key->len - count_trailing (self, table, key);
  g_autoptr (GString) braces = g_string_new (NULL);
  GString *row = g_string_new (NULL);

  for (guint i = 0; i < key->len; i++)
    {
      const KvsqlctlPhoenixColumn *column = key->pdata[i];
      const KvsqlctlPhoenixColumn *base = base_of (self, table, column);
      gboolean is_optional = i >= first && ends_with_zero (self, table, key->pdata[i - 1]);
      g_autofree gchar *part = kvsqlctl_phoenix_type_key (
          kvsqlctl_phoenix_type_find_in_index (base->type, column->type), column, base->size,
          g_hash_table_lookup (self->attributes, base), base->key_place == 0 && column->is_nullable,
          i + 1 >= first);

      g_string_append_printf (row, "%s%s%s", i > 0 ? ":" : "",
                              is_optional ? "optional(x'00'){" : "", part);
      g_string_append (braces, is_optional ? "}" : "");
    }
  g_string_append (row, braces->str);
  return g_string_free (row, FALSE);
}

/* *out_reason: (nullable) (transfer full): why it is not possible. */
static gchar *
write_row (const Definer *self, const KvsqlctlPhoenixTable *table, gchar **out_reason)
{
  g_autoptr (GPtrArray) key = key_columns (table);
  g_autofree gchar *row = NULL;

  if (key->len == 0)
    {
      *out_reason = g_strdup ("it has no key");
      return NULL;
    }
  for (guint i = 0; i < key->len; i++)
    if (!check_key_column (self, table, key->pdata[i], out_reason))
      return NULL;
  row = join_key (self, table, key);
  if (table->salt_buckets == 0)
    return g_steal_pointer (&row);
  return g_strdup_printf ("salt(%d, java){%s}:%s", table->salt_buckets, row, row);
}

/* ---- cells */

static gchar *
quote_qualifier (const KvsqlctlPhoenixColumn *column)
{
  gsize size = 0;
  const guint8 *bytes
      = column->qualifier != NULL ? g_bytes_get_data (column->qualifier, &size) : NULL;
  GString *out;

  if (size == 0 || (size == strlen (column->name) && memcmp (bytes, column->name, size) == 0))
    return kvsqlctl_quote_text (column->name);
  out = g_string_new ("x'");
  for (gsize i = 0; i < size; i++)
    g_string_append_printf (out, "%02x", bytes[i]);
  g_string_append_c (out, '\'');
  return g_string_free (out, FALSE);
}

/* The family of the empty cell is the first one of the table. */
static const gchar *
first_family (const KvsqlctlPhoenixTable *table)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (((KvsqlctlPhoenixColumn *)table->columns->pdata[i])->family != NULL)
      return ((KvsqlctlPhoenixColumn *)table->columns->pdata[i])->family;
  return table->default_family != NULL ? table->default_family : "0";
}

static void
append_cell (GString *out, const gchar *family, const gchar *qualifier, const gchar *value)
{
  g_autofree gchar *quoted = kvsqlctl_quote_text (family);

  g_string_append_printf (out, "%s\n    %s:%s = %s", out->len > 0 ? "," : "", quoted, qualifier,
                          value);
}

/* The cell that holds all columns of the family, of which the first one is column @first. */
static void
append_row_cell (const Definer *self, const KvsqlctlPhoenixTable *table, guint first, GString *out)
{
  const gchar *family = ((KvsqlctlPhoenixColumn *)table->columns->pdata[first])->family;
  g_autoptr (GString) row = g_string_new (NULL);

  for (guint i = first; i < table->columns->len; i++)
    {
      const KvsqlctlPhoenixColumn *column = table->columns->pdata[i];
      const KvsqlctlPhoenixColumn *base = base_of (self, table, column);
      g_autofree gchar *value = NULL;

      if (column->key_place > 0 || base == NULL || g_strcmp0 (column->family, family) != 0)
        continue;
      value = kvsqlctl_phoenix_type_value (type_of (table, column), column,
                                           g_hash_table_lookup (self->attributes, base));
      g_string_append_printf (row, "%sphoenix_column(%u){%s}", row->len > 0 ? ":\n      " : "",
                              kvsqlctl_phoenix_column_get_number (column), value);
    }
  append_cell (out, family, ROW_CELL, row->str);
}

static gboolean
is_first_of_family (const KvsqlctlPhoenixTable *table, guint place)
{
  const gchar *family = ((KvsqlctlPhoenixColumn *)table->columns->pdata[place])->family;

  for (guint i = 0; i < place; i++)
    if (g_strcmp0 (((KvsqlctlPhoenixColumn *)table->columns->pdata[i])->family, family) == 0)
      return FALSE;
  return family != NULL;
}

/* Phoenix leaves the cell of an included column in an index when the column becomes NULL, and
 * passes over cells that are older than the empty cell. kvsql would read them. */
static gboolean
has_included_columns (const KvsqlctlPhoenixTable *index)
{
  for (guint i = 0; i < index->columns->len; i++)
    if (((KvsqlctlPhoenixColumn *)index->columns->pdata[i])->key_place == 0)
      return TRUE;
  return FALSE;
}

static const gchar *
empty_value (const KvsqlctlPhoenixTable *table)
{
  if (table->kind != KVSQLCTL_PHOENIX_INDEX)
    return EMPTY_VALUE;
  return table->index_type == KVSQLCTL_PHOENIX_UNCOVERED_INDEX ? UNCOVERED_EMPTY_VALUE
                                                               : INDEX_EMPTY_VALUE;
}

/* *out_has_others: cells of columns whose types kvsql has not are in an attribute. */
static gchar *
write_cells (const Definer *self, const KvsqlctlPhoenixTable *table, gboolean allows_others,
             gboolean *out_has_others)
{
  gboolean is_index = table->kind == KVSQLCTL_PHOENIX_INDEX;
  g_autoptr (GString) cells = g_string_new (NULL);

  *out_has_others = FALSE;
  for (guint i = 0; i < table->columns->len; i++)
    {
      const KvsqlctlPhoenixColumn *column = table->columns->pdata[i];
      const KvsqlctlPhoenixType *type = type_of (table, column);
      const KvsqlctlPhoenixColumn *base = base_of (self, table, column);
      g_autofree gchar *qualifier = NULL, *value = NULL;

      if (column->key_place > 0 || (is_index && !self->is_writable))
        continue;
      if (table->storage == KVSQLCTL_PHOENIX_ONE_CELL)
        {
          if (is_first_of_family (table, i))
            append_row_cell (self, table, i, cells);
          continue;
        }
      if (type == NULL || base == NULL)
        {
          *out_has_others = allows_others;
          continue;
        }
      qualifier = quote_qualifier (column);
      value = kvsqlctl_phoenix_type_value (type, column,
                                           g_hash_table_lookup (self->attributes, base));
      append_cell (cells, column->family, qualifier, value);
    }
  if (table->view_type != KVSQLCTL_PHOENIX_MAPPED_VIEW)
    append_cell (cells, first_family (table),
                 table->encoding != 0 ? ENCODED_EMPTY_CELL : EMPTY_CELL, empty_value (table));
  if (*out_has_others)
    g_string_append (cells, ",\n    OTHERS = " OTHERS);
  return g_string_free (g_steal_pointer (&cells), FALSE);
}

/* ---- statements */

static const gchar *
role_of (const Definer *self, const KvsqlctlPhoenixTable *table)
{
  if (!self->is_writable)
    return "role = read, ";
  return table->kind == KVSQLCTL_PHOENIX_INDEX && has_included_columns (table) ? "role = write, "
                                                                               : "";
}

static void
add_schema (Definer *self, const KvsqlctlPhoenixTable *table, const gchar *row, const gchar *cells)
{
  gboolean is_primary = table == self->table;
  g_autofree gchar *store_name = kvsqlctl_phoenix_table_get_store_name (table);
  g_autofree gchar *quoted = kvsqlctl_quote_text (store_name);
  g_autofree gchar *name = quote_relation (self->catalog, table, is_primary ? "_PK" : "");

  kvsqlctl_definition_take (
      self->out,
      g_strdup_printf (
          "DEFINE%s SCHEMA %s FOR %s\n  { TABLE %s,\n    ROW %s,\n    CELLS {%s } }\n  WITH "
          "(%screate_tables = false)",
          is_primary ? " PRIMARY" : "", name, self->relation, quoted, row, cells,
          role_of (self, table)));
}

/* @place: nullable: what holds the bytes */
static void
note_unknown_type (Definer *self, const KvsqlctlPhoenixColumn *column, const gchar *place)
{
  g_autofree gchar *type = kvsqlctl_phoenix_type_describe (column->type);

  if (place != NULL)
    kvsqlctl_definition_note (self->out, "column %s is %s: its bytes are in %s", column->name, type,
                              place);
  else
    kvsqlctl_definition_note (self->out, "column %s is %s, and is left out", column->name, type);
}

static void
add_relation (Definer *self, gboolean has_others)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < self->table->columns->len; i++)
    {
      const KvsqlctlPhoenixColumn *column = self->table->columns->pdata[i];
      const KvsqlctlPhoenixType *type = type_of (self->table, column);

      if (kvsqlctl_phoenix_type_find (column->type) == NULL)
        note_unknown_type (self, column,
                           type != NULL ? "its attribute"
                           : has_others ? "the attribute " OTHERS
                                        : NULL);
      if (type == NULL)
        continue;
      g_string_append_printf (list, "%s\n    %s %s%s", list->len > 0 ? "," : "",
                              (const gchar *)g_hash_table_lookup (self->attributes, column),
                              type->type, column->key_place > 0 ? " KEY" : "");
    }
  if (has_others)
    g_string_append (list, ",\n    " OTHERS " MAP<STRING, BYTES>");
  kvsqlctl_definition_take (self->out,
                            g_strdup_printf ("DEFINE RELATION %s {%s }\n  WITH (writes = plain)",
                                             self->relation, list->str));
}

/* ---- indexes */

static gboolean
is_index_of (const KvsqlctlPhoenixTable *self, const KvsqlctlPhoenixTable *table)
{
  return self->kind == KVSQLCTL_PHOENIX_INDEX && strcmp (self->schema, table->schema) == 0
         && strcmp (self->tenant, table->tenant) == 0
         && g_strcmp0 (self->data_table, table->name) == 0;
}

typedef struct
{
  const KvsqlctlPhoenixTable *table;
  gchar *row;
  gchar *reason; /* nullable: why it is not possible */
} Index;

static void
index_free (gpointer data)
{
  Index *self = data;

  g_free (self->row);
  g_free (self->reason);
  g_free (self);
}

static Index *
index_new (const Definer *self, const KvsqlctlPhoenixTable *table)
{
  Index *index = g_new0 (Index, 1);

  index->table = table;
  if (table->index_type == KVSQLCTL_PHOENIX_LOCAL_INDEX)
    index->reason = g_strdup ("it is a local index, in the table's own regions");
  else
    index->row = write_row (self, table, &index->reason);
  return index;
}

/* (element-type Index) */
static GPtrArray *
find_indexes (const Definer *self)
{
  GPtrArray *indexes = g_ptr_array_new_with_free_func (index_free);

  for (guint i = 0; i < self->catalog->len; i++)
    if (is_index_of (self->catalog->pdata[i], self->table))
      g_ptr_array_add (indexes, index_new (self, self->catalog->pdata[i]));
  return indexes;
}

static void
define_index (Definer *self, const Index *index)
{
  g_autofree gchar *cells = NULL;
  gboolean has_others;

  if (index->reason != NULL)
    {
      kvsqlctl_definition_note (self->out, "index %s is not possible: %s", index->table->name,
                                index->reason);
      return;
    }
  cells = write_cells (self, index->table, FALSE, &has_others);
  add_schema (self, index->table, index->row, cells);
  if (self->is_writable && !has_included_columns (index->table))
    kvsqlctl_definition_note (self->out,
                              "index %s is read after BACKFILL SCHEMA, which writes what is there",
                              index->table->name);
}

/* ---- tables */

static gboolean
has_local_index (const GPtrArray *indexes)
{
  for (guint i = 0; i < indexes->len; i++)
    if (((Index *)indexes->pdata[i])->table->index_type == KVSQLCTL_PHOENIX_LOCAL_INDEX)
      return TRUE;
  return FALSE;
}

static gboolean
has_unknown_columns (const KvsqlctlPhoenixTable *table)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (type_of (table, table->columns->pdata[i]) == NULL)
      return TRUE;
  return FALSE;
}

/* A view with columns of its own, whose cells are in the rows of the table. */
static gboolean
is_wider_view (const KvsqlctlPhoenixTable *self, const gchar *viewed)
{
  return self->kind == KVSQLCTL_PHOENIX_VIEW && self->columns->len > 0
         && g_strcmp0 (self->viewed_table, viewed) == 0;
}

/* Why Phoenix would not find what kvsql writes, or would find what kvsql has deleted; NULL:
 * neither.
 */
static const gchar *
why_not_writable (const Definer *self, const GPtrArray *indexes)
{
  g_autofree gchar *name = kvsqlctl_phoenix_table_get_full_name (self->table);

  for (guint i = 0; i < indexes->len; i++)
    {
      const Index *index = indexes->pdata[i];

      if (index->reason != NULL)
        return "an index would not be written";
      if (has_unknown_columns (index->table))
        return "an index includes a column whose type kvsql has not";
    }
  for (guint i = 0; i < self->table->columns->len; i++)
    if (((KvsqlctlPhoenixColumn *)self->table->columns->pdata[i])->is_row_timestamp)
      return "a ROW_TIMESTAMP is the time of the cells, too";
  for (guint i = 0; i < self->catalog->len; i++)
    if (is_wider_view (self->catalog->pdata[i], name))
      return "a view has columns of its own, which a DELETE would leave";
  return self->table->view_type == KVSQLCTL_PHOENIX_MAPPED_VIEW
             ? "it is a view of a table that Phoenix does not write"
             : NULL;
}

static void
note_null_keys (Definer *self)
{
  g_autoptr (GPtrArray) key = key_columns (self->table);

  for (guint i = 0; i < key->len; i++)
    {
      const KvsqlctlPhoenixColumn *column = key->pdata[i];

      if (column->is_nullable && key->len > 1 && !may_be_left_out (self, self->table, column))
        kvsqlctl_definition_note (
            self->out, "column %s of the key may be NULL: rows in which it is are left out",
            column->name);
    }
}

static void
define_table (Definer *self)
{
  g_autofree gchar *reason = NULL, *row = NULL, *cells = NULL;
  g_autoptr (GPtrArray) indexes = find_indexes (self);
  gboolean has_others;

  row = write_row (self, self->table, &reason);
  if (row == NULL)
    {
      kvsqlctl_definition_note (self->out, "not possible: %s", reason);
      return;
    }
  if (self->is_writable)
    {
      const gchar *why = why_not_writable (self, indexes);

      self->is_writable = why == NULL;
      if (why != NULL)
        kvsqlctl_definition_note (self->out, "only for reading: %s", why);
    }
  note_null_keys (self);
  /* with OTHERS, the rows of a local index could be taken for tuples */
  cells = write_cells (self, self->table, !has_local_index (indexes), &has_others);
  add_relation (self, has_others);
  add_schema (self, self->table, row, cells);
  for (guint i = 0; i < indexes->len; i++)
    define_index (self, indexes->pdata[i]);
}

/* ---- views */

static const KvsqlctlPhoenixTable *
find_viewed (const Definer *self)
{
  for (guint i = 0; i < self->catalog->len; i++)
    {
      const KvsqlctlPhoenixTable *other = self->catalog->pdata[i];
      g_autofree gchar *name = kvsqlctl_phoenix_table_get_full_name (other);

      if (other->kind == KVSQLCTL_PHOENIX_TABLE && g_strcmp0 (name, self->table->viewed_table) == 0)
        return other;
    }
  return NULL;
}

/* Phoenix keeps a view's statement as SELECT * FROM table [WHERE condition]. */
static void
define_view (Definer *self)
{
  const KvsqlctlPhoenixTable *viewed = find_viewed (self);
  const gchar *condition = self->table->view_statement != NULL
                               ? strstr (self->table->view_statement, " WHERE ")
                               : NULL;
  g_autofree gchar *relation = NULL;

  if (viewed == NULL)
    {
      kvsqlctl_definition_note (self->out,
                                "not possible: it is a view of a view, or its table is not known");
      return;
    }
  if (condition != NULL && strchr (condition, ';') != NULL) /* in a script, it could end there */
    {
      kvsqlctl_definition_note (self->out, "not possible: its condition has a semicolon");
      return;
    }
  for (guint i = 0; i < self->table->columns->len; i++)
    kvsqlctl_definition_note (self->out, "its own column %s is left out",
                              ((KvsqlctlPhoenixColumn *)self->table->columns->pdata[i])->name);
  relation = quote_relation (self->catalog, viewed, "");
  kvsqlctl_definition_take (self->out,
                            g_strdup_printf ("CREATE VIEW %s AS SELECT * FROM %s%s", self->relation,
                                             relation, condition != NULL ? condition : ""));
}

KvsqlctlDefinition *
kvsqlctl_phoenix_define (const GPtrArray *catalog, const KvsqlctlPhoenixTable *table,
                         gboolean is_writable)
{
  KvsqlctlDefinition *out = kvsqlctl_definition_new ();
  g_autoptr (GHashTable) attributes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autofree gchar *relation = quote_relation (catalog, table, "");
  Definer self = { .catalog = catalog,
                   .table = table,
                   .relation = relation,
                   .attributes = attributes,
                   .out = out,
                   .is_writable = is_writable };

  name_attributes (&self);
  if (table->tenant[0] != '\0')
    kvsqlctl_definition_note (self.out, "not possible: it is a view of the tenant %s",
                              table->tenant);
  else if (table->kind == KVSQLCTL_PHOENIX_VIEW && table->view_type != KVSQLCTL_PHOENIX_MAPPED_VIEW)
    define_view (&self);
  else
    define_table (&self);
  return out;
}
