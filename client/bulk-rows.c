/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bulk-rows.c: rows of a bulk, stored by column, and the requests that insert them.
 *
 * Rows are sent in requests of bounded size. The vectors are cut only at the end.
 */
#include "config.h"

#include "client/bulk-rows.h"

#include "client/error-private.h"
#include "client/service.h"

/* The bound of one request. A single row may be larger. */
#define MAX_REQUEST_BYTES (4 * 1024 * 1024)
#define MAX_REQUEST_ROWS 10000
/* Rows that are sent ahead of an answer should fit into the buffers of a socket. */
#define MAX_AHEAD_BYTES (128 * 1024)

void
_kvsql_bulk_rows_init (KvsqlBulkRows *self, guint n_columns)
{
  *self = (KvsqlBulkRows){ g_new0 (KvsqlBulkColumn, n_columns), n_columns };
}

void
_kvsql_bulk_rows_empty (KvsqlBulkRows *self)
{
  for (guint i = 0; i < self->n_columns; i++)
    _kvsql_bulk_column_clear (&self->columns[i]);
}

void
_kvsql_bulk_rows_clear (KvsqlBulkRows *self)
{
  _kvsql_bulk_rows_empty (self);
  g_clear_pointer (&self->columns, g_free);
  self->n_columns = 0;
}

gsize
_kvsql_bulk_rows_count (const KvsqlBulkRows *self)
{
  gsize n_rows = 0;

  for (guint i = 0; i < self->n_columns; i++)
    n_rows = MAX (n_rows, self->columns[i].n_rows);
  return n_rows;
}

gboolean
_kvsql_bulk_rows_check (const KvsqlBulkRows *self, gchar **names, GError **error)
{
  for (guint i = 0; i < self->n_columns; i++)
    {
      const KvsqlBulkColumn *column = &self->columns[i];

      if (column->is_mixed)
        return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                                        "column \"%s\" was given values of different kinds",
                                        names[i]);
      if (column->n_rows != self->columns[0].n_rows)
        return _kvsql_client_error_set (
            error, KVSQL_CLIENT_ERROR_INVALID,
            "column \"%s\" has %" G_GSIZE_FORMAT " rows, column \"%s\" has %" G_GSIZE_FORMAT,
            names[i], column->n_rows, names[0], self->columns[0].n_rows);
      if (column->kind == KVSQL_CELLS_TEXT
          && !g_utf8_validate_len ((const gchar *)column->values.data, column->values.size, NULL))
        return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_VALUE,
                                        "column \"%s\" has text that is not UTF-8", names[i]);
    }
  return TRUE;
}

/* ---- sending */

/* The rows from .. to, as a list<Column>. */
typedef struct
{
  const KvsqlBulkRows *rows;
  gsize from;
  gsize to;
} Piece;

static gboolean
write_nulls (KvsqlProtocol *protocol, const KvsqlBulkColumn *column, const Piece *piece,
             GError **error)
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
write_slices (KvsqlProtocol *protocol, const KvsqlBulkColumn *column, const Piece *piece,
              GError **error)
{
  gsize n = piece->to - piece->from;
  g_autofree KvsqlSlice *slices = g_new (KvsqlSlice, n);

  for (gsize i = 0; i < n; i++)
    slices[i] = _kvsql_bulk_column_get_bytes (column, piece->from + i);
  return kvsql_protocol_write_slice_list (protocol, slices, (guint32)n, error);
}

static gboolean
write_values (KvsqlProtocol *protocol, const KvsqlBulkColumn *column, const Piece *piece,
              GError **error)
{
  guint32 n = (guint32)(piece->to - piece->from);
  gint16 id = (gint16)(column->kind - KVSQL_CELLS_BOOLEAN
                       + 2); /* fields b, i, d, s and x have ids 2 to 6 */

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
  const KvsqlBulkRows *self = piece->rows;

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
size_of_row (const KvsqlBulkRows *self, gsize row)
{
  gsize size = 0;

  for (guint i = 0; i < self->n_columns; i++)
    {
      const KvsqlBulkColumn *column = &self->columns[i];

      if (column->ends.size > 0)
        size += 4 + _kvsql_bulk_column_get_bytes (column, row).size;
      else
        size += _kvsql_bulk_size_of_kind (column->kind);
    }
  return size;
}

/* The sum of size_of_row() over all rows. */
static gsize
size_of_all (const KvsqlBulkRows *self)
{
  gsize size = 0;

  for (guint i = 0; i < self->n_columns; i++)
    {
      const KvsqlBulkColumn *column = &self->columns[i];

      size += column->values.size + (column->ends.size > 0 ? 4 * column->n_rows : 0);
    }
  return size;
}

/* Mostly all rows fit into one request. This is checked first, without a loop over the rows: kvsqld
 * is idle meanwhile. */
static gsize
end_of_request (const KvsqlBulkRows *self, gsize from, gsize n_rows)
{
  gsize to = from, size = 0;

  if (n_rows - from <= MAX_REQUEST_ROWS && size_of_all (self) <= MAX_REQUEST_BYTES)
    return n_rows;
  while (to < n_rows && to - from < MAX_REQUEST_ROWS)
    {
      size += size_of_row (self, to);
      if (to > from && size > MAX_REQUEST_BYTES)
        break;
      to++;
    }
  return to;
}

gboolean
_kvsql_bulk_rows_are_few (const KvsqlBulkRows *self)
{
  return _kvsql_bulk_rows_count (self) <= MAX_REQUEST_ROWS && size_of_all (self) <= MAX_AHEAD_BYTES;
}

void
_kvsql_bulk_rows_drop (KvsqlBulkRows *self, gsize n)
{
  for (guint i = 0; n > 0 && i < self->n_columns; i++)
    _kvsql_bulk_column_drop (&self->columns[i], n);
}

/* Sends all requests that end before row @to, and drops the acknowledged rows. */
static gboolean
insert_requests (KvsqlBulkRows *self, const KvsqlBulkTarget *target, gsize to, gint64 *out_written,
                 GCancellable *cancellable, GError **error)
{
  gsize n_sent = 0;
  gboolean ok = TRUE;

  *out_written = 0;
  while (ok && n_sent < to)
    {
      Piece piece = { self, n_sent, end_of_request (self, n_sent, to) };
      gint64 written = 0;

      ok = _kvsql_service_insert_rows (
          target->connection, target->relation, (const gchar *const *)target->names,
          (gint32)(piece.to - piece.from), write_piece, &piece, &written, cancellable, error);
      if (ok)
        {
          n_sent = piece.to;
          *out_written += written;
        }
    }
  _kvsql_bulk_rows_drop (self, n_sent);
  return ok;
}

gboolean
_kvsql_bulk_rows_insert (KvsqlBulkRows *self, const KvsqlBulkTarget *target, gint64 *out_written,
                         GCancellable *cancellable, GError **error)
{
  return insert_requests (self, target, _kvsql_bulk_rows_count (self), out_written, cancellable,
                          error);
}

/* The first row of the last request. */
static gsize
start_of_last_request (const KvsqlBulkRows *self, gsize n_rows)
{
  gsize from = 0, to;

  while ((to = end_of_request (self, from, n_rows)) < n_rows)
    from = to;
  return from;
}

KvsqlPending *
_kvsql_bulk_rows_begin (KvsqlBulkRows *self, const KvsqlBulkTarget *target,
                        const KvsqlPending *after, gint64 *out_written, GCancellable *cancellable,
                        GError **error)
{
  gsize n_rows = _kvsql_bulk_rows_count (self);
  Piece piece = { self, 0, 0 };

  if (!insert_requests (self, target, start_of_last_request (self, n_rows), out_written,
                        cancellable, error))
    return NULL;
  piece.to = _kvsql_bulk_rows_count (self);
  if (piece.to == 0)
    return NULL;
  return _kvsql_service_begin_insert_rows (target->connection, target->relation,
                                           (const gchar *const *)target->names, (gint32)piece.to,
                                           write_piece, &piece, after, cancellable, error);
}
