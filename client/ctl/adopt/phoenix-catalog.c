/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-catalog.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/phoenix-catalog.h"

#include <string.h>

#define N_PARTS 5 /* of a row key: tenant, schema, table, column, family */
#define LINK_TO_VIEWED_TABLE 2

/* With and without mapping of schemas to namespaces. */
static const gchar *const catalogs[] = { "SYSTEM.CATALOG", "SYSTEM:CATALOG" };

static void
column_free (gpointer data)
{
  KvsqlctlPhoenixColumn *self = data;

  g_free (self->family);
  g_free (self->name);
  g_clear_pointer (&self->qualifier, g_bytes_unref);
  g_free (self);
}

static void
table_free (gpointer data)
{
  KvsqlctlPhoenixTable *self = data;

  g_free (self->tenant);
  g_free (self->schema);
  g_free (self->name);
  g_free (self->default_family);
  g_free (self->data_table);
  g_free (self->viewed_table);
  g_free (self->view_statement);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

/* ---- values of the catalogue's cells */

typedef enum
{
  INTEGER, /* big-endian with the sign inverted, also of SMALLINT and TINYINT */
  BYTE,    /* BOOLEAN, CHAR (1) and UNSIGNED_TINYINT */
  TEXT,
  BYTES,
} FieldType;

/* A column of the catalogue. */
typedef struct
{
  const gchar *name;
  FieldType type;
  gsize offset; /* in the structure of the row */
} Field;

#define COLUMN(name, type, member)                                                                 \
  {                                                                                                \
    name, type, G_STRUCT_OFFSET (KvsqlctlPhoenixColumn, member)                                    \
  }
#define TABLE(name, type, member)                                                                  \
  {                                                                                                \
    name, type, G_STRUCT_OFFSET (KvsqlctlPhoenixTable, member)                                     \
  }
/* clang-format off */
static const Field fields_of_column[] = {
  COLUMN ("COLUMN_QUALIFIER", BYTES, qualifier),
  COLUMN ("COLUMN_SIZE", INTEGER, size),
  COLUMN ("DATA_TYPE", INTEGER, type),
  COLUMN ("IS_ROW_TIMESTAMP", BYTE, is_row_timestamp),
  COLUMN ("KEY_SEQ", INTEGER, key_place),
  COLUMN ("NULLABLE", INTEGER, is_nullable),
  COLUMN ("ORDINAL_POSITION", INTEGER, position),
  COLUMN ("SORT_ORDER", INTEGER, sort_order),
};
static const Field fields_of_table[] = {
  TABLE ("DATA_TABLE_NAME", TEXT, data_table),
  TABLE ("DEFAULT_COLUMN_FAMILY", TEXT, default_family),
  TABLE ("ENCODING_SCHEME", INTEGER, encoding),
  TABLE ("IMMUTABLE_STORAGE_SCHEME", INTEGER, storage),
  TABLE ("INDEX_TYPE", BYTE, index_type),
  TABLE ("IS_NAMESPACE_MAPPED", BYTE, has_namespace),
  TABLE ("SALT_BUCKETS", INTEGER, salt_buckets),
  TABLE ("TABLE_TYPE", BYTE, kind),
  TABLE ("VIEW_STATEMENT", TEXT, view_statement),
  TABLE ("VIEW_TYPE", BYTE, view_type),
};
/* clang-format on */
#undef COLUMN
#undef TABLE

static gint
read_integer (const guint8 *bytes, gsize size)
{
  gint64 value = 0;

  if (size == 0 || size > 4)
    return 0;
  for (gsize i = 0; i < size; i++)
    value = value << 8 | bytes[i];
  return (gint)(value - ((gint64)1 << (8 * size - 1)));
}

static gint
read_byte (const guint8 *bytes, gsize size)
{
  return size == 1 ? bytes[0] : 0;
}

static gchar *
read_text (const guint8 *bytes, gsize size)
{
  return g_utf8_make_valid ((const gchar *)bytes, (gssize)size);
}

/* A row has each column once. */
static void
set_field (const Field *fields, guint n, gpointer row, const gchar *name, const guint8 *bytes,
           gsize size)
{
  for (guint i = 0; i < n; i++)
    {
      gpointer member = G_STRUCT_MEMBER_P (row, fields[i].offset);

      if (strcmp (fields[i].name, name) != 0)
        continue;
      switch (fields[i].type)
        {
        case INTEGER:
          *(gint *)member = read_integer (bytes, size);
          break;
        case BYTE:
          *(gint *)member = read_byte (bytes, size);
          break;
        case TEXT:
          g_free (*(gchar **)member);
          *(gchar **)member = read_text (bytes, size);
          break;
        default:
          g_clear_pointer ((GBytes **)member, g_bytes_unref);
          *(GBytes **)member = g_bytes_new (bytes, size);
          break;
        }
    }
}

/* ---- rows */

typedef struct
{
  GPtrArray *tables;
  KvsqlctlPhoenixTable *table;   /* the last one; nullable */
  KvsqlctlPhoenixColumn *column; /* of the last row; nullable: it is none of a column */
  gchar *parts[N_PARTS];         /* of the last row */
  gboolean is_head, is_link;     /* the last row */
} Reader;

static void
reader_clear (Reader *self)
{
  for (guint i = 0; i < N_PARTS; i++)
    g_clear_pointer (&self->parts[i], g_free);
}

/* Separators at the end of a key are left out. */
static void
split_key (Reader *self, const guint8 *bytes, gsize size)
{
  const guint8 *end = bytes + size;

  reader_clear (self);
  for (guint i = 0; i < N_PARTS; i++)
    {
      const guint8 *zero
          = bytes < end && i + 1 < N_PARTS ? memchr (bytes, 0, (gsize)(end - bytes)) : NULL;
      const guint8 *stop = zero != NULL ? zero : end;

      self->parts[i] = read_text (bytes, (gsize)(stop - bytes));
      bytes = zero != NULL ? zero + 1 : end;
    }
}

static void
begin_row (Reader *self, const guint8 *bytes, gsize size)
{
  const gchar *column, *family;

  split_key (self, bytes, size);
  column = self->parts[3];
  family = self->parts[4];
  self->column = NULL;
  self->is_head = column[0] == '\0' && family[0] == '\0';
  self->is_link = column[0] == '\0' && family[0] != '\0';
  if (self->is_head)
    {
      self->table = g_new0 (KvsqlctlPhoenixTable, 1);
      self->table->tenant = g_strdup (self->parts[0]);
      self->table->schema = g_strdup (self->parts[1]);
      self->table->name = g_strdup (self->parts[2]);
      self->table->columns = g_ptr_array_new_with_free_func (column_free);
      g_ptr_array_add (self->tables, self->table);
    }
  else if (self->table != NULL && column[0] != '\0')
    {
      self->column = g_new0 (KvsqlctlPhoenixColumn, 1);
      self->column->name = g_strdup (column);
      self->column->family = family[0] != '\0' ? g_strdup (family) : NULL;
      g_ptr_array_add (self->table->columns, self->column);
    }
}

/* The name of the other table is where a column has its family. */
static void
set_link (Reader *self, const gchar *name, const guint8 *bytes, gsize size)
{
  if (self->table == NULL || strcmp (name, "LINK_TYPE") != 0
      || read_byte (bytes, size) != LINK_TO_VIEWED_TABLE)
    return;
  g_free (self->table->viewed_table);
  self->table->viewed_table = g_strdelimit (g_strdup (self->parts[4]), ":", '.');
}

static gint
compare_positions (gconstpointer a, gconstpointer b)
{
  const KvsqlctlPhoenixColumn *first = *(KvsqlctlPhoenixColumn *const *)a;
  const KvsqlctlPhoenixColumn *second = *(KvsqlctlPhoenixColumn *const *)b;

  return first->position < second->position ? -1 : first->position > second->position;
}

/* Cells of one row follow one another. */
static GPtrArray *
read_rows (KvsqlResult *result, GError **error)
{
  Reader self = { .tables = g_ptr_array_new_with_free_func (table_free) };
  g_autoptr (GBytes) last = NULL;
  g_autoptr (GError) cause = NULL;

  while (kvsql_result_next (result, &cause))
    {
      gsize row_size, name_size, size;
      const guint8 *row = kvsql_result_get_bytes (result, 0, &row_size);
      const guint8 *name = kvsql_result_get_bytes (result, 1, &name_size);
      const guint8 *value = kvsql_result_get_bytes (result, 2, &size);
      g_autofree gchar *column_name = read_text (name, name_size);
      g_autoptr (GBytes) key = g_bytes_new (row, row_size);

      if (last == NULL || !g_bytes_equal (last, key))
        {
          begin_row (&self, row, row_size);
          g_clear_pointer (&last, g_bytes_unref);
          last = g_bytes_ref (key);
        }
      if (self.is_link)
        set_link (&self, column_name, value, size);
      else if (self.column != NULL)
        set_field (fields_of_column, G_N_ELEMENTS (fields_of_column), self.column, column_name,
                   value, size);
      else if (self.is_head)
        set_field (fields_of_table, G_N_ELEMENTS (fields_of_table), self.table, column_name, value,
                   size);
    }
  reader_clear (&self);
  if (cause != NULL)
    {
      g_ptr_array_unref (self.tables);
      g_propagate_error (error, g_steal_pointer (&cause));
      return NULL;
    }
  for (guint i = 0; i < self.tables->len; i++)
    g_ptr_array_sort (((KvsqlctlPhoenixTable *)self.tables->pdata[i])->columns, compare_positions);
  return self.tables;
}

GPtrArray *
kvsqlctl_phoenix_read_catalog (Kvsqlctl *ctl, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (catalogs); i++)
    {
      g_autofree gchar *sql
          = g_strdup_printf ("SELECT row, qualifier, value FROM TABLE '%s'", catalogs[i]);
      g_autoptr (GError) cause = NULL;
      g_autoptr (KvsqlResult) result
          = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, &cause);

      if (result != NULL)
        return read_rows (result, error);
      if (!g_error_matches (cause, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_NAME))
        {
          g_propagate_error (error, g_steal_pointer (&cause));
          return NULL;
        }
    }
  g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_NAME,
               "the store has no table %s or %s: no Apache Phoenix has used it", catalogs[0],
               catalogs[1]);
  return NULL;
}

/* ---- names */

static gchar *
join_name (const KvsqlctlPhoenixTable *self, gchar separator)
{
  return self->schema[0] == '\0' ? g_strdup (self->name)
                                 : g_strdup_printf ("%s%c%s", self->schema, separator, self->name);
}

guint
kvsqlctl_phoenix_column_get_number (const KvsqlctlPhoenixColumn *self)
{
  gsize size = 0;
  const guint8 *bytes = self->qualifier != NULL ? g_bytes_get_data (self->qualifier, &size) : NULL;
  guint number = 0;

  if (size > 4)
    return 0;
  for (gsize i = 0; i < size; i++)
    number = number << 8 | bytes[i];
  return size == 1 || size == 2 ? number ^ 1U << (8 * size - 1) : number;
}

gchar *
kvsqlctl_phoenix_table_get_store_name (const KvsqlctlPhoenixTable *self)
{
  return join_name (self, self->has_namespace ? ':' : '.');
}

gchar *
kvsqlctl_phoenix_table_get_full_name (const KvsqlctlPhoenixTable *self)
{
  return join_name (self, '.');
}
