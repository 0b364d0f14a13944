/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-bulk.c: many tuples at once, column by column.
 *
 * Columns are kept as the wire wants them. An insert sends them in pieces of bounded
 * size; `n_sent` counts the rows that kvsqld has acknowledged, and the vectors are only
 * cut at the end.
 */
#include "config.h"

#include "client/kvsql.h"

#include "client/error-private.h"
#include "client/page.h"
#include "client/service.h"
#include "client/text.h"

/* What one request should not much exceed; a single row may. */
#define MAX_REQUEST_BYTES (4 * 1024 * 1024)
#define MAX_REQUEST_ROWS 10000

typedef struct
{
  KvsqlCellKind kind; /* NONE: nothing but NULLs so far */
  gboolean is_mixed;
  gsize n_rows;
  gsize n_nulls;
  KvsqlBuffer nulls;  /* a byte for each row, once there is a NULL; empty before */
  KvsqlBuffer values; /* gint64, gdouble or guint8 each; the bytes of TEXT and BYTES */
  KvsqlBuffer ends;   /* gsize: where each row of TEXT and BYTES ends in values */
} Column;

struct _KvsqlBulk
{
  GObject parent;

  KvsqlConnection *connection;
  gchar *relation;
  gchar **names;
  guint n_columns;
  Column *columns;
};

G_DEFINE_FINAL_TYPE (KvsqlBulk, kvsql_bulk, G_TYPE_OBJECT)

static void
column_clear (Column *column)
{
  kvsql_buffer_clear (&column->nulls);
  kvsql_buffer_clear (&column->values);
  kvsql_buffer_clear (&column->ends);
  *column = (Column){ .kind = KVSQL_CELLS_NONE };
}

static inline gsize
end_of (const Column *column, gsize row)
{
  return ((const gsize *)(gpointer)column->ends.data)[row];
}

static void
kvsql_bulk_init (KvsqlBulk *self)
{
}

static void
kvsql_bulk_finalize (GObject *object)
{
  KvsqlBulk *self = KVSQL_BULK (object);

  for (guint i = 0; i < self->n_columns; i++)
    column_clear (&self->columns[i]);
  g_free (self->columns);
  g_free (self->relation);
  g_strfreev (self->names);
  g_clear_object (&self->connection);
  G_OBJECT_CLASS (kvsql_bulk_parent_class)->finalize (object);
}

static void
kvsql_bulk_class_init (KvsqlBulkClass *class)
{
  G_OBJECT_CLASS (class)->finalize = kvsql_bulk_finalize;
}

KvsqlBulk *
kvsql_bulk_new (KvsqlConnection *connection, const gchar *relation, const gchar *const *columns)
{
  KvsqlBulk *self;

  g_return_val_if_fail (KVSQL_IS_CONNECTION (connection), NULL);
  g_return_val_if_fail (relation != NULL, NULL);
  g_return_val_if_fail (columns != NULL && columns[0] != NULL, NULL);

  self = g_object_new (KVSQL_TYPE_BULK, NULL);
  self->connection = g_object_ref (connection);
  self->relation = g_strdup (relation);
  self->names = g_strdupv ((gchar **)columns);
  self->n_columns = g_strv_length (self->names);
  self->columns = g_new0 (Column, self->n_columns);
  return self;
}

void
kvsql_bulk_clear (KvsqlBulk *self)
{
  g_return_if_fail (KVSQL_IS_BULK (self));
  for (guint i = 0; i < self->n_columns; i++)
    column_clear (&self->columns[i]);
}

gsize
kvsql_bulk_get_n_rows (KvsqlBulk *self)
{
  gsize n_rows = 0;

  g_return_val_if_fail (KVSQL_IS_BULK (self), 0);
  for (guint i = 0; i < self->n_columns; i++)
    n_rows = MAX (n_rows, self->columns[i].n_rows);
  return n_rows;
}

/* ---- filling */

static gsize
size_of_value (KvsqlCellKind kind)
{
  switch (kind)
    {
    case KVSQL_CELLS_BOOLEAN:
      return 1;
    case KVSQL_CELLS_INT64:
    case KVSQL_CELLS_DOUBLE:
      return 8;
    default:
      return 0;
    }
}

/* A place holder for a NULL, so that rows and values stay in step. */
static void
append_place_holder (Column *column)
{
  static const guint8 zeros[8];
  gsize end = column->values.size;

  kvsql_buffer_append (&column->values, zeros, size_of_value (column->kind));
  if (column->kind == KVSQL_CELLS_TEXT || column->kind == KVSQL_CELLS_BYTES)
    kvsql_buffer_append (&column->ends, &end, sizeof end);
}

/* NULLs that came before the first value had no kind yet. */
static void
fix_kind (Column *column, KvsqlCellKind kind)
{
  column->kind = kind;
  for (gsize i = 0; i < column->n_rows; i++)
    append_place_holder (column);
}

/* Whether each of the last @n rows is NULL. */
static void
note_nulls (Column *column, gboolean is_null, gsize n)
{
  if (column->n_nulls > 0 && n > 0)
    memset (kvsql_buffer_extend (&column->nulls, n), is_null, n);
}

/* The column, ready for @n more values of @kind; NULL if it is of another kind, or too large. */
static Column *
column_for (KvsqlBulk *self, guint index, KvsqlCellKind kind, gsize n, gsize size)
{
  Column *column;

  g_return_val_if_fail (KVSQL_IS_BULK (self), NULL);
  g_return_val_if_fail (index < self->n_columns, NULL);

  column = &self->columns[index];
  g_return_val_if_fail (size <= G_MAXUINT32 / 2 - column->values.size, NULL);
  if (column->kind == KVSQL_CELLS_NONE)
    fix_kind (column, kind);
  if (column->kind != kind)
    {
      column->is_mixed = TRUE;
      return NULL;
    }
  column->n_rows += n;
  note_nulls (column, FALSE, n);
  return column;
}

void
kvsql_bulk_append_null (KvsqlBulk *self, guint column)
{
  Column *at;

  g_return_if_fail (KVSQL_IS_BULK (self));
  g_return_if_fail (column < self->n_columns);

  at = &self->columns[column];
  /* those before were not noted */
  if (at->n_nulls++ == 0)
    note_nulls (at, FALSE, at->n_rows);
  at->n_rows++;
  note_nulls (at, TRUE, 1);
  if (at->kind != KVSQL_CELLS_NONE)
    append_place_holder (at);
}

static void
append_fixed (KvsqlBulk *self, guint column, KvsqlCellKind kind, gconstpointer values, gsize n)
{
  gsize size = n * size_of_value (kind);
  Column *at = column_for (self, column, kind, n, size);

  if (at != NULL && n > 0)
    kvsql_buffer_append (&at->values, values, size);
}

static void
append_variable (KvsqlBulk *self, guint column, KvsqlCellKind kind, gconstpointer bytes, gsize size)
{
  Column *at = column_for (self, column, kind, 1, size);
  gsize end;

  if (at == NULL)
    return;
  kvsql_buffer_append (&at->values, bytes, size);
  end = at->values.size;
  kvsql_buffer_append (&at->ends, &end, sizeof end);
}

void
kvsql_bulk_append_boolean (KvsqlBulk *self, guint column, gboolean value)
{
  guint8 byte = value != FALSE;

  append_fixed (self, column, KVSQL_CELLS_BOOLEAN, &byte, 1);
}

void
kvsql_bulk_append_int64 (KvsqlBulk *self, guint column, gint64 value)
{
  append_fixed (self, column, KVSQL_CELLS_INT64, &value, 1);
}

void
kvsql_bulk_append_double (KvsqlBulk *self, guint column, gdouble value)
{
  append_fixed (self, column, KVSQL_CELLS_DOUBLE, &value, 1);
}

void
kvsql_bulk_append_int64s (KvsqlBulk *self, guint column, const gint64 *values, gsize n_values)
{
  g_return_if_fail (values != NULL || n_values == 0);
  append_fixed (self, column, KVSQL_CELLS_INT64, values, n_values);
}

void
kvsql_bulk_append_doubles (KvsqlBulk *self, guint column, const gdouble *values, gsize n_values)
{
  g_return_if_fail (values != NULL || n_values == 0);
  append_fixed (self, column, KVSQL_CELLS_DOUBLE, values, n_values);
}

void
kvsql_bulk_append_string (KvsqlBulk *self, guint column, const gchar *value)
{
  g_return_if_fail (value != NULL);
  append_variable (self, column, KVSQL_CELLS_TEXT, value, strlen (value));
}

void
kvsql_bulk_append_bytes (KvsqlBulk *self, guint column, gconstpointer value, gsize size)
{
  g_return_if_fail (value != NULL || size == 0);
  append_variable (self, column, KVSQL_CELLS_BYTES, value, size);
}

static gboolean
append_text_bytes (KvsqlBulk *self, guint column, const gchar *text, gsize size)
{
  g_autofree gchar *copy = g_strndup (text, size);
  g_autoptr (GByteArray) bytes = _kvsql_text_parse_bytes (copy);

  if (bytes != NULL)
    kvsql_bulk_append_bytes (self, column, bytes->data, bytes->len);
  return bytes != NULL;
}

static gboolean
append_text (KvsqlBulk *self, guint column, KvsqlColumnType type, const gchar *text, gsize size)
{
  gboolean is_true;
  gint64 integer;
  gdouble real;

  switch (type)
    {
    case KVSQL_COLUMN_TYPE_BOOLEAN:
      if (!_kvsql_text_parse_boolean (text, size, &is_true))
        return FALSE;
      kvsql_bulk_append_boolean (self, column, is_true);
      return TRUE;
    case KVSQL_COLUMN_TYPE_INT:
    case KVSQL_COLUMN_TYPE_BIGINT:
      if (!_kvsql_text_parse_int64 (text, size, &integer))
        return FALSE;
      kvsql_bulk_append_int64 (self, column, integer);
      return TRUE;
    case KVSQL_COLUMN_TYPE_FLOAT:
    case KVSQL_COLUMN_TYPE_DOUBLE:
      if (!_kvsql_text_parse_double (text, size, &real))
        return FALSE;
      kvsql_bulk_append_double (self, column, real);
      return TRUE;
    case KVSQL_COLUMN_TYPE_BYTES:
      return append_text_bytes (self, column, text, size);
    default:
      append_variable (self, column, KVSQL_CELLS_TEXT, text, size);
      return TRUE;
    }
}

gboolean
kvsql_bulk_append_text (KvsqlBulk *self, guint column, KvsqlColumnType type, const gchar *text,
                        gsize size, GError **error)
{
  g_return_val_if_fail (KVSQL_IS_BULK (self), FALSE);
  g_return_val_if_fail (column < self->n_columns, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  if (!g_utf8_validate_len (text, size, NULL))
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_VALUE,
                                    memchr (text, '\0', size) != NULL ? "text with a NUL byte"
                                                                      : "text that is not UTF-8");
  if (append_text (self, column, type, text, size))
    return TRUE;
  return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_VALUE, "\"%.*s\" is not a value of %s",
                                  (gint)MIN (size, 200), text, kvsql_column_type_get_name (type));
}

/* ---- sending */

/* Rows from .. to of a bulk, as a list<Column>. */
typedef struct
{
  KvsqlBulk *bulk;
  gsize from;
  gsize to;
} Piece;

static gsize
start_of (const Column *column, gsize row)
{
  return row == 0 ? 0 : end_of (column, row - 1);
}

static gboolean
write_nulls (KvsqlProtocol *protocol, const Column *column, const Piece *piece, GError **error)
{
  gsize n = piece->to - piece->from;
  gsize size = (n + 7) / 8;
  g_autofree guint8 *bitmap = NULL;

  if (column->n_nulls == 0)
    return TRUE;
  bitmap = g_malloc0 (MAX (size, 1));
  for (gsize i = 0; i < n; i++)
    bitmap[i / 8] |= (guint8)(column->nulls.data[piece->from + i] << (i % 8));
  return _kvsql_message_put_bytes (protocol, 1, kvsql_slice (bitmap, size), error);
}

static gboolean
write_slices (KvsqlProtocol *protocol, const Column *column, const Piece *piece, GError **error)
{
  gsize n = piece->to - piece->from;
  g_autofree KvsqlSlice *slices = g_new (KvsqlSlice, n);

  for (gsize i = 0; i < n; i++)
    {
      gsize start = start_of (column, piece->from + i);

      slices[i]
          = kvsql_slice (column->values.data + start, end_of (column, piece->from + i) - start);
    }
  return kvsql_protocol_write_slice_list (protocol, slices, (guint32)n, error);
}

static gboolean
write_values (KvsqlProtocol *protocol, const Column *column, const Piece *piece, GError **error)
{
  guint32 n = (guint32)(piece->to - piece->from);
  gint16 id = (gint16)(column->kind - KVSQL_CELLS_BOOLEAN + 2); /* b, i, d, s, x are 2 to 6 */

  if (column->kind == KVSQL_CELLS_NONE)
    return TRUE;
  if (!_kvsql_message_put_header (protocol, id, T_LIST, error))
    return FALSE;
  switch (column->kind)
    {
    case KVSQL_CELLS_BOOLEAN:
      return kvsql_protocol_write_bool_list (protocol, column->values.data + piece->from, n, error);
    case KVSQL_CELLS_INT64:
      return kvsql_protocol_write_int64_list (
          protocol, (const gint64 *)(gpointer)column->values.data + piece->from, n, error);
    case KVSQL_CELLS_DOUBLE:
      return kvsql_protocol_write_double_list (
          protocol, (const gdouble *)(gpointer)column->values.data + piece->from, n, error);
    default:
      return write_slices (protocol, column, piece, error);
    }
}

static gboolean
write_piece (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  const Piece *piece = data;
  KvsqlBulk *self = piece->bulk;

  if (thrift_protocol_write_list_begin (THRIFT_PROTOCOL (protocol), T_STRUCT, self->n_columns,
                                        error)
      < 0)
    return FALSE;
  for (guint i = 0; i < self->n_columns; i++)
    if (!_kvsql_message_put_struct_begin (protocol, error)
        || !write_nulls (protocol, &self->columns[i], piece, error)
        || !write_values (protocol, &self->columns[i], piece, error)
        || !_kvsql_message_put_struct_end (protocol, error))
      return FALSE;
  return TRUE;
}

static gsize
size_of_row (KvsqlBulk *self, gsize row)
{
  gsize size = 0;

  for (guint i = 0; i < self->n_columns; i++)
    {
      const Column *column = &self->columns[i];

      if (column->ends.size > 0)
        size += 4 + end_of (column, row) - start_of (column, row);
      else
        size += size_of_value (column->kind);
    }
  return size;
}

static gsize
end_of_piece (KvsqlBulk *self, gsize from, gsize n_rows)
{
  gsize to = from, size = 0;

  while (to < n_rows && to - from < MAX_REQUEST_ROWS)
    {
      size += size_of_row (self, to);
      if (to > from && size > MAX_REQUEST_BYTES)
        break;
      to++;
    }
  return to;
}

static gboolean
check_columns (KvsqlBulk *self, GError **error)
{
  for (guint i = 0; i < self->n_columns; i++)
    {
      Column *column = &self->columns[i];

      if (column->is_mixed)
        return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                                        "column \"%s\" was given values of different kinds",
                                        self->names[i]);
      if (column->n_rows != self->columns[0].n_rows)
        return _kvsql_client_error_set (
            error, KVSQL_CLIENT_ERROR_INVALID,
            "column \"%s\" has %" G_GSIZE_FORMAT " rows, column \"%s\" has %" G_GSIZE_FORMAT,
            self->names[i], column->n_rows, self->names[0], self->columns[0].n_rows);
      if (column->kind == KVSQL_CELLS_TEXT
          && !g_utf8_validate_len ((const gchar *)column->values.data, column->values.size, NULL))
        return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_VALUE,
                                        "column \"%s\" has text that is not UTF-8", self->names[i]);
    }
  return TRUE;
}

static void
drop_bytes (KvsqlBuffer *buffer, gsize n)
{
  if (n == 0)
    return;
  buffer->size -= n;
  memmove (buffer->data, buffer->data + n, buffer->size);
}

/* Where no NULL is left none is noted any more. */
static void
drop_nulls (Column *column, gsize n)
{
  if (column->n_nulls == 0)
    return;
  for (gsize i = 0; i < n; i++)
    column->n_nulls -= column->nulls.data[i];
  drop_bytes (&column->nulls, column->n_nulls == 0 ? column->nulls.size : n);
}

static void
drop_rows (Column *column, gsize n)
{
  gsize bytes = size_of_value (column->kind) * n;

  if (column->ends.size > 0)
    {
      gsize *ends;

      bytes = start_of (column, n);
      drop_bytes (&column->ends, n * sizeof (gsize));
      ends = (gsize *)(gpointer)column->ends.data;
      for (gsize i = 0; i < column->ends.size / sizeof (gsize); i++)
        ends[i] -= bytes;
    }
  drop_nulls (column, n);
  drop_bytes (&column->values, bytes);
  column->n_rows -= n;
}

gint64
kvsql_bulk_insert (KvsqlBulk *self, GCancellable *cancellable, GError **error)
{
  gsize n_rows, n_sent = 0;
  gint64 total = 0;
  gboolean ok = TRUE;

  g_return_val_if_fail (KVSQL_IS_BULK (self), -1);
  g_return_val_if_fail (error == NULL || *error == NULL, -1);

  if (!check_columns (self, error))
    return -1;
  n_rows = self->columns[0].n_rows;
  while (ok && n_sent < n_rows)
    {
      Piece piece = { self, n_sent, end_of_piece (self, n_sent, n_rows) };
      gint64 written = 0;

      ok = _kvsql_service_insert_rows (
          self->connection, self->relation, (const gchar *const *)self->names,
          (gint32)(piece.to - piece.from), write_piece, &piece, &written, cancellable, error);
      if (ok)
        {
          n_sent = piece.to;
          total += written;
        }
    }
  for (guint i = 0; n_sent > 0 && i < self->n_columns; i++)
    drop_rows (&self->columns[i], n_sent);
  return ok ? total : -1;
}

static void
insert_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  gint64 written = kvsql_bulk_insert (source, cancellable, &error);

  if (written < 0)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_memdup2 (&written, sizeof written), g_free);
}

void
kvsql_bulk_insert_async (KvsqlBulk *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (KVSQL_IS_BULK (self));
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, kvsql_bulk_insert_async);
  g_task_run_in_thread (task, insert_in_thread);
}

gint64
kvsql_bulk_insert_finish (KvsqlBulk *self, GAsyncResult *result, GError **error)
{
  g_autofree gint64 *written = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), -1);
  written = g_task_propagate_pointer (G_TASK (result), error);
  return written != NULL ? *written : -1;
}
