/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * t2-reply.c: decodes a reply to rows, numbers, names or an exception.
 */
#include "config.h"

#include "daemon/stores/hbase/t2-reply.h"

/* Field numbers of HBase's Thrift2 IDL. */
enum
{
  RESULT_SUCCESS = 0,
  RESULT_IO_ERROR = 1,
  RESULT_ILLEGAL_ARGUMENT = 2,
  EXCEPTION_MESSAGE = 1,
  TRESULT_ROW = 1,
  TRESULT_COLUMN_VALUES = 2,
  TCOLUMN_VALUE_FAMILY = 1,
  TCOLUMN_VALUE_QUALIFIER = 2,
  TCOLUMN_VALUE_VALUE = 3,
  TCOLUMN_VALUE_TIMESTAMP = 4,
  TCOLUMN_VALUE_TYPE = 6,
  TTABLE_NAME_NAMESPACE = 1,
  TTABLE_NAME_QUALIFIER = 2,
  TTABLE_DESCRIPTOR_COLUMNS = 2,
  TCOLUMN_FAMILY_NAME = 1,
  REGION_LOCATION_INFO = 2,
  REGION_INFO_START = 3,
};

#define DEFAULT_NAMESPACE KVSQL_SLICE_LITERAL ("default")

void
kvsqld_t2_reply_clear (KvsqldT2Reply *self)
{
  kvsql_buffer_clear (&self->bytes);
  g_clear_pointer (&self->rows.rows, g_free);
  g_clear_pointer (&self->rows.cells, g_free);
  g_clear_pointer (&self->names, g_free);
  g_clear_pointer (&self->types, g_byte_array_unref);
}

static void
reply_reset (KvsqldT2Reply *self)
{
  self->status = KVSQLD_T2_OK;
  self->message = KVSQL_SLICE_EMPTY;
  self->boolean = FALSE;
  self->number = 0;
  self->rows.n_rows = 0;
  self->rows.n_cells = 0;
  self->n_names = 0;
  if (self->types != NULL)
    g_byte_array_set_size (self->types, 0);
}

static KvsqlRow *
add_row (KvsqldT2Reply *self)
{
  KvsqlRow *row;

  if (self->rows.n_rows == self->rows_capacity)
    {
      self->rows_capacity = MAX (64, self->rows_capacity * 2);
      self->rows.rows = g_renew (KvsqlRow, self->rows.rows, self->rows_capacity);
    }
  row = &self->rows.rows[self->rows.n_rows++];
  *row = (KvsqlRow){ .first_cell = self->rows.n_cells };
  return row;
}

static KvsqlCell *
add_cell (KvsqldT2Reply *self)
{
  KvsqlCell *cell;

  if (self->rows.n_cells == self->cells_capacity)
    {
      self->cells_capacity = MAX (256, self->cells_capacity * 2);
      self->rows.cells = g_renew (KvsqlCell, self->rows.cells, self->cells_capacity);
    }
  cell = &self->rows.cells[self->rows.n_cells++];
  *cell = (KvsqlCell){ 0 };
  if (self->types != NULL)
    g_byte_array_append (self->types, (const guint8 *)"", 1);
  return cell;
}

static KvsqldT2Name *
add_name (KvsqldT2Reply *self)
{
  KvsqldT2Name *name;

  if (self->n_names == self->names_capacity)
    {
      self->names_capacity = MAX (16, self->names_capacity * 2);
      self->names = g_renew (KvsqldT2Name, self->names, self->names_capacity);
    }
  name = &self->names[self->n_names++];
  *name = (KvsqldT2Name){ 0 };
  return name;
}

static gboolean
is_field (const KvsqldT2Field *field, gint id, KvsqldT2Type type)
{
  return field->id == id && field->type == type;
}

static void
read_cell (KvsqldT2Reply *self, KvsqldT2Reader *reader)
{
  KvsqlCell *cell = add_cell (self);
  KvsqldT2Field field = KVSQLD_T2_FIELD_FIRST;

  while (kvsqld_t2_reader_field (reader, &field))
    {
      if (is_field (&field, TCOLUMN_VALUE_FAMILY, KVSQLD_T2_STRING))
        cell->family = kvsqld_t2_reader_binary (reader);
      else if (is_field (&field, TCOLUMN_VALUE_QUALIFIER, KVSQLD_T2_STRING))
        cell->qualifier = kvsqld_t2_reader_binary (reader);
      else if (is_field (&field, TCOLUMN_VALUE_VALUE, KVSQLD_T2_STRING))
        cell->value = kvsqld_t2_reader_binary (reader);
      else if (is_field (&field, TCOLUMN_VALUE_TIMESTAMP, KVSQLD_T2_I64))
        cell->timestamp = kvsqld_t2_reader_i64 (reader);
      else if (G_UNLIKELY (self->types != NULL)
               && is_field (&field, TCOLUMN_VALUE_TYPE, KVSQLD_T2_BYTE))
        self->types->data[self->rows.n_cells - 1] = kvsqld_t2_reader_byte (reader);
      else
        kvsqld_t2_reader_skip (reader, &field);
    }
}

/* Opens a list of structs. Returns 0 and fails if its elements are of another type. */
static guint
read_struct_list (KvsqldT2Reader *reader)
{
  KvsqldT2Type element;
  guint n = kvsqld_t2_reader_list (reader, &element);

  if (n == 0 || element == KVSQLD_T2_STRUCT)
    return n;
  kvsqld_t2_reader_fail (reader, "a list of the wrong type");
  return 0;
}

static void
read_row (KvsqldT2Reply *self, KvsqldT2Reader *reader)
{
  KvsqldT2Field field = KVSQLD_T2_FIELD_FIRST;
  guint index = self->rows.n_rows;

  add_row (self);
  while (kvsqld_t2_reader_field (reader, &field))
    {
      if (is_field (&field, TRESULT_ROW, KVSQLD_T2_STRING))
        self->rows.rows[index].key = kvsqld_t2_reader_binary (reader);
      else if (is_field (&field, TRESULT_COLUMN_VALUES, KVSQLD_T2_LIST))
        {
          guint n = read_struct_list (reader);

          for (guint i = 0; i < n && !kvsqld_t2_reader_has_failed (reader); i++)
            read_cell (self, reader);
        }
      else
        kvsqld_t2_reader_skip (reader, &field);
    }
  self->rows.rows[index].n_cells = self->rows.n_cells - self->rows.rows[index].first_cell;
}

static void
read_rows (KvsqldT2Reply *self, KvsqldT2Reader *reader)
{
  guint n = read_struct_list (reader);

  for (guint i = 0; i < n && !kvsqld_t2_reader_has_failed (reader); i++)
    read_row (self, reader);
}

static void
read_count (KvsqldT2Reply *self, KvsqldT2Reader *reader)
{
  KvsqldT2Type element;
  guint n = kvsqld_t2_reader_list (reader, &element);

  for (guint i = 0; i < n && !kvsqld_t2_reader_has_failed (reader); i++)
    kvsqld_t2_reader_skip_element (reader, element);
  self->number = (gint32)n;
}

static void
read_table_names (KvsqldT2Reply *self, KvsqldT2Reader *reader)
{
  guint n = read_struct_list (reader);

  for (guint i = 0; i < n && !kvsqld_t2_reader_has_failed (reader); i++)
    {
      KvsqldT2Name *name = add_name (self);
      KvsqldT2Field field = KVSQLD_T2_FIELD_FIRST;

      while (kvsqld_t2_reader_field (reader, &field))
        {
          if (is_field (&field, TTABLE_NAME_NAMESPACE, KVSQLD_T2_STRING))
            name->namespace_name = kvsqld_t2_reader_binary (reader);
          else if (is_field (&field, TTABLE_NAME_QUALIFIER, KVSQLD_T2_STRING))
            name->name = kvsqld_t2_reader_binary (reader);
          else
            kvsqld_t2_reader_skip (reader, &field);
        }
    }
}

static void
read_family (KvsqldT2Reply *self, KvsqldT2Reader *reader)
{
  KvsqldT2Name *name = add_name (self);
  KvsqldT2Field field = KVSQLD_T2_FIELD_FIRST;

  while (kvsqld_t2_reader_field (reader, &field))
    {
      if (is_field (&field, TCOLUMN_FAMILY_NAME, KVSQLD_T2_STRING))
        name->name = kvsqld_t2_reader_binary (reader);
      else
        kvsqld_t2_reader_skip (reader, &field);
    }
}

static void
read_families (KvsqldT2Reply *self, KvsqldT2Reader *reader)
{
  KvsqldT2Field field = KVSQLD_T2_FIELD_FIRST;

  while (kvsqld_t2_reader_field (reader, &field))
    {
      if (is_field (&field, TTABLE_DESCRIPTOR_COLUMNS, KVSQLD_T2_LIST))
        {
          guint n = read_struct_list (reader);

          for (guint i = 0; i < n && !kvsqld_t2_reader_has_failed (reader); i++)
            read_family (self, reader);
        }
      else
        kvsqld_t2_reader_skip (reader, &field);
    }
}

static void
read_region (KvsqldT2Reply *self, KvsqldT2Reader *reader)
{
  KvsqldT2Name *name = add_name (self);
  KvsqldT2Field field = KVSQLD_T2_FIELD_FIRST, inner;

  while (kvsqld_t2_reader_field (reader, &field))
    {
      if (!is_field (&field, REGION_LOCATION_INFO, KVSQLD_T2_STRUCT))
        {
          kvsqld_t2_reader_skip (reader, &field);
          continue;
        }
      inner = KVSQLD_T2_FIELD_FIRST;
      while (kvsqld_t2_reader_field (reader, &inner))
        if (is_field (&inner, REGION_INFO_START, KVSQLD_T2_STRING))
          name->name = kvsqld_t2_reader_binary (reader);
        else
          kvsqld_t2_reader_skip (reader, &inner);
    }
}

static void
read_regions (KvsqldT2Reply *self, KvsqldT2Reader *reader)
{
  guint n = read_struct_list (reader);

  for (guint i = 0; i < n && !kvsqld_t2_reader_has_failed (reader); i++)
    read_region (self, reader);
}

static void
read_exception (KvsqldT2Reply *self, KvsqldT2Reader *reader, KvsqldT2Status status)
{
  KvsqldT2Field field = KVSQLD_T2_FIELD_FIRST;

  self->status = status;
  while (kvsqld_t2_reader_field (reader, &field))
    {
      if (is_field (&field, EXCEPTION_MESSAGE, KVSQLD_T2_STRING))
        self->message = kvsqld_t2_reader_binary (reader);
      else
        kvsqld_t2_reader_skip (reader, &field);
    }
}

/* The type of field 0 for each kind of result. */
static const KvsqldT2Type success_types[] = {
  [KVSQLD_T2_RETURNS_NOTHING] = KVSQLD_T2_STOP,     [KVSQLD_T2_RETURNS_BOOLEAN] = KVSQLD_T2_BOOL,
  [KVSQLD_T2_RETURNS_NUMBER] = KVSQLD_T2_I32,       [KVSQLD_T2_RETURNS_ROW] = KVSQLD_T2_STRUCT,
  [KVSQLD_T2_RETURNS_ROWS] = KVSQLD_T2_LIST,        [KVSQLD_T2_RETURNS_COUNT] = KVSQLD_T2_LIST,
  [KVSQLD_T2_RETURNS_TABLE_NAMES] = KVSQLD_T2_LIST, [KVSQLD_T2_RETURNS_FAMILIES] = KVSQLD_T2_STRUCT,
  [KVSQLD_T2_RETURNS_REGIONS] = KVSQLD_T2_LIST,
};

static void
read_success (KvsqldT2Reply *self, KvsqldT2Reader *reader, KvsqldT2Returns returns,
              const KvsqldT2Field *field)
{
  switch (returns)
    {
    case KVSQLD_T2_RETURNS_NOTHING:
      break;
    case KVSQLD_T2_RETURNS_BOOLEAN:
      self->boolean = kvsqld_t2_reader_bool (reader, field);
      break;
    case KVSQLD_T2_RETURNS_NUMBER:
      self->number = kvsqld_t2_reader_i32 (reader);
      break;
    case KVSQLD_T2_RETURNS_ROW:
      read_row (self, reader);
      break;
    case KVSQLD_T2_RETURNS_ROWS:
      read_rows (self, reader);
      break;
    case KVSQLD_T2_RETURNS_COUNT:
      read_count (self, reader);
      break;
    case KVSQLD_T2_RETURNS_TABLE_NAMES:
      read_table_names (self, reader);
      break;
    case KVSQLD_T2_RETURNS_FAMILIES:
      read_families (self, reader);
      break;
    case KVSQLD_T2_RETURNS_REGIONS:
      read_regions (self, reader);
      break;
    }
}

static void
read_result (KvsqldT2Reply *self, KvsqldT2Reader *reader, KvsqldT2Returns returns)
{
  KvsqldT2Field field = KVSQLD_T2_FIELD_FIRST;
  gboolean has_success = returns == KVSQLD_T2_RETURNS_NOTHING;

  while (kvsqld_t2_reader_field (reader, &field))
    {
      if (is_field (&field, RESULT_SUCCESS, success_types[returns]) && !has_success)
        {
          has_success = TRUE;
          read_success (self, reader, returns, &field);
        }
      else if (is_field (&field, RESULT_IO_ERROR, KVSQLD_T2_STRUCT))
        read_exception (self, reader, KVSQLD_T2_IO_ERROR);
      else if (is_field (&field, RESULT_ILLEGAL_ARGUMENT, KVSQLD_T2_STRUCT))
        read_exception (self, reader, KVSQLD_T2_ILLEGAL_ARGUMENT);
      else
        kvsqld_t2_reader_skip (reader, &field);
    }
  if (!has_success && self->status == KVSQLD_T2_OK)
    kvsqld_t2_reader_fail (reader, "no result");
}

static void
settle (KvsqldT2Reply *self)
{
  kvsqld_t2_settle (&self->message, &self->bytes);
  for (guint i = 0; i < self->rows.n_rows; i++)
    kvsqld_t2_settle (&self->rows.rows[i].key, &self->bytes);
  for (guint i = 0; i < self->rows.n_cells; i++)
    {
      kvsqld_t2_settle (&self->rows.cells[i].family, &self->bytes);
      kvsqld_t2_settle (&self->rows.cells[i].qualifier, &self->bytes);
      kvsqld_t2_settle (&self->rows.cells[i].value, &self->bytes);
    }
  for (guint i = 0; i < self->n_names; i++)
    {
      KvsqldT2Name *name = &self->names[i];

      kvsqld_t2_settle (&name->namespace_name, &self->bytes);
      kvsqld_t2_settle (&name->name, &self->bytes);
      if (kvsql_slice_equal (name->namespace_name, DEFAULT_NAMESPACE))
        name->namespace_name = KVSQL_SLICE_EMPTY;
    }
}

/* A late reply to an earlier request must never be taken for the answer to this one. */
static void
check_header (KvsqldT2Reader *reader, KvsqlSlice name, guint32 got, const gchar *method,
              guint32 sequence)
{
  if (kvsqld_t2_reader_has_failed (reader))
    return;
  kvsqld_t2_settle (&name, reader->buffer);
  if (got != sequence || !kvsql_slice_equal (name, kvsql_slice_from_text (method)))
    kvsqld_t2_reader_fail (reader, "the answer to another request");
}

gboolean
kvsqld_t2_reply_read (KvsqldT2Reply *self, KvsqldT2Transport transport,
                      const KvsqldT2Method *method, guint32 sequence, KvsqldT2Fill fill,
                      gpointer source, GError **error)
{
  KvsqldT2Reader reader;
  KvsqldT2MessageType type = 0;
  KvsqlSlice name = KVSQL_SLICE_EMPTY;
  guint32 got = 0;

  reply_reset (self);
  kvsqld_t2_reader_init (&reader, transport, &self->bytes, fill, source);
  kvsqld_t2_reader_message (&reader, &type, &name, &got);
  check_header (&reader, name, got, method->name, sequence);
  if (type == KVSQLD_T2_EXCEPTION)
    read_exception (self, &reader, KVSQLD_T2_APPLICATION_ERROR);
  else if (type == KVSQLD_T2_REPLY)
    read_result (self, &reader, method->returns);
  else
    kvsqld_t2_reader_fail (&reader, "no reply");
  kvsqld_t2_reader_end (&reader);

  if (kvsqld_t2_reader_has_failed (&reader))
    {
      reply_reset (self);
      g_propagate_error (error, reader.failure);
      return FALSE;
    }
  settle (self);
  return TRUE;
}
