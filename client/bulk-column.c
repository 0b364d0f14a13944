/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bulk-column.c: the values of one attribute, row by row, in the form of the wire.
 */
#include "config.h"

#include "client/bulk-column.h"

void
_kvsql_bulk_column_clear (KvsqlBulkColumn *self)
{
  kvsql_buffer_clear (&self->nulls);
  kvsql_buffer_clear (&self->values);
  kvsql_buffer_clear (&self->ends);
  *self = (KvsqlBulkColumn){ .kind = KVSQL_CELLS_NONE };
}

gsize
_kvsql_bulk_size_of_kind (KvsqlCellKind kind)
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

static inline gsize
end_of (const KvsqlBulkColumn *self, gsize row)
{
  return ((const gsize *)(gpointer)self->ends.data)[row];
}

static inline gsize
start_of (const KvsqlBulkColumn *self, gsize row)
{
  return row == 0 ? 0 : end_of (self, row - 1);
}

KvsqlSlice
_kvsql_bulk_column_get_bytes (const KvsqlBulkColumn *self, gsize row)
{
  gsize start = start_of (self, row);

  return kvsql_slice (self->values.data + start, end_of (self, row) - start);
}

/* ---- appending */

/* A NULL gets a placeholder value, so that row and value numbers agree. */
static void
append_placeholder (KvsqlBulkColumn *self)
{
  static const guint8 zeros[8];
  gsize end = self->values.size;

  kvsql_buffer_append (&self->values, zeros, _kvsql_bulk_size_of_kind (self->kind));
  if (self->kind == KVSQL_CELLS_TEXT || self->kind == KVSQL_CELLS_BYTES)
    kvsql_buffer_append (&self->ends, &end, sizeof end);
}

/* Sets the kind at the first value that is not NULL. */
static void
set_kind (KvsqlBulkColumn *self, KvsqlCellKind kind)
{
  self->kind = kind;
  for (gsize i = 0; i < self->n_rows; i++)
    append_placeholder (self);
}

/* Marks each of the last @n rows as NULL or not NULL. */
static void
mark_nulls (KvsqlBulkColumn *self, gboolean is_null, gsize n)
{
  if (self->n_nulls > 0 && n > 0)
    memset (kvsql_buffer_extend (&self->nulls, n), is_null, n);
}

/* Adds @n rows, whose values the caller appends next. FALSE: the column has another kind. */
static gboolean
extend (KvsqlBulkColumn *self, KvsqlCellKind kind, gsize n)
{
  if (self->kind == KVSQL_CELLS_NONE)
    set_kind (self, kind);
  if (self->kind != kind)
    {
      self->is_mixed = TRUE;
      return FALSE;
    }
  self->n_rows += n;
  mark_nulls (self, FALSE, n);
  return TRUE;
}

void
_kvsql_bulk_column_append_null (KvsqlBulkColumn *self)
{
  /* no NULL before: the earlier rows have no marks */
  if (self->n_nulls++ == 0)
    mark_nulls (self, FALSE, self->n_rows);
  self->n_rows++;
  mark_nulls (self, TRUE, 1);
  if (self->kind != KVSQL_CELLS_NONE)
    append_placeholder (self);
}

void
_kvsql_bulk_column_append_fixed (KvsqlBulkColumn *self, KvsqlCellKind kind, gconstpointer values,
                                 gsize n)
{
  gsize size = n * _kvsql_bulk_size_of_kind (kind);

  g_return_if_fail (size <= G_MAXUINT32 / 2 - self->values.size);
  if (extend (self, kind, n) && n > 0)
    kvsql_buffer_append (&self->values, values, size);
}

void
_kvsql_bulk_column_append_variable (KvsqlBulkColumn *self, KvsqlCellKind kind, gconstpointer bytes,
                                    gsize size)
{
  gsize end;

  g_return_if_fail (size <= G_MAXUINT32 / 2 - self->values.size);
  if (!extend (self, kind, 1))
    return;
  kvsql_buffer_append (&self->values, bytes, size);
  end = self->values.size;
  kvsql_buffer_append (&self->ends, &end, sizeof end);
}

static void
join_row (KvsqlBulkColumn *self, const KvsqlBulkColumn *other, gsize row)
{
  gsize size = _kvsql_bulk_size_of_kind (other->kind);

  if (other->n_nulls > 0 && other->nulls.data[row])
    _kvsql_bulk_column_append_null (self);
  else if (size > 0)
    _kvsql_bulk_column_append_fixed (self, other->kind, other->values.data + row * size, 1);
  else
    {
      KvsqlSlice bytes = _kvsql_bulk_column_get_bytes (other, row);

      _kvsql_bulk_column_append_variable (self, other->kind, bytes.data, bytes.size);
    }
}

void
_kvsql_bulk_column_join (KvsqlBulkColumn *self, const KvsqlBulkColumn *other)
{
  for (gsize i = 0; i < other->n_rows; i++)
    join_row (self, other, i);
  self->is_mixed |= other->is_mixed;
}

/* ---- removing rows */

static void
drop_bytes (KvsqlBuffer *buffer, gsize n)
{
  if (n == 0)
    return;
  buffer->size -= n;
  memmove (buffer->data, buffer->data + n, buffer->size);
}

/* Drops the marks if no NULL is left. */
static void
drop_nulls (KvsqlBulkColumn *self, gsize n)
{
  if (self->n_nulls == 0)
    return;
  for (gsize i = 0; i < n; i++)
    self->n_nulls -= self->nulls.data[i];
  drop_bytes (&self->nulls, self->n_nulls == 0 ? self->nulls.size : n);
}

void
_kvsql_bulk_column_drop (KvsqlBulkColumn *self, gsize n)
{
  gsize bytes = _kvsql_bulk_size_of_kind (self->kind) * n;

  if (self->ends.size > 0)
    {
      gsize *ends;

      bytes = start_of (self, n);
      drop_bytes (&self->ends, n * sizeof (gsize));
      ends = (gsize *)(gpointer)self->ends.data;
      for (gsize i = 0; i < self->ends.size / sizeof (gsize); i++)
        ends[i] -= bytes;
    }
  drop_nulls (self, n);
  drop_bytes (&self->values, bytes);
  self->n_rows -= n;
}
