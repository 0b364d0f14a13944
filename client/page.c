/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * page.c: reads a page of a result from the wire into vectors.
 *
 * A column costs a few allocations, whatever its number of rows. Checks what the wire's protocol
 * cannot know: all columns have the page's number of rows, bitmaps have the right size, text is
 * UTF-8.
 */
#include "config.h"

#include "client/page.h"

#include <string.h>

#include "client/error-private.h"
#include "client/message.h"

static gboolean
refuse (GError **error, const gchar *what)
{
  return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_PROTOCOL, "kvsqld sent a bad page: %s",
                                  what);
}

static void
cells_clear (gpointer data)
{
  KvsqlCells *self = data;

  g_free (self->nulls);
  g_free (self->any);
  g_free (self->offsets);
}

static void
column_info_clear (gpointer data)
{
  KvsqlColumnInfo *self = data;

  g_free (self->name);
  g_free (self->relation);
}

void
_kvsql_page_clear (KvsqlPage *self)
{
  g_clear_pointer (&self->columns, g_array_unref);
  g_clear_pointer (&self->info, g_array_unref);
  g_clear_pointer (&self->cursor, g_bytes_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  self->n_rows = 0;
  self->affected = -1;
}

/* ---- column infos */

static const KvsqlMessageField info_fields[] = {
  { 1, T_STRING, G_STRUCT_OFFSET (KvsqlColumnInfo, name), TRUE },
  { 2, T_I32, G_STRUCT_OFFSET (KvsqlColumnInfo, type), TRUE },
  { 3, T_BOOL, G_STRUCT_OFFSET (KvsqlColumnInfo, is_nullable), FALSE },
  { 4, T_STRING, G_STRUCT_OFFSET (KvsqlColumnInfo, relation), FALSE },
};

GArray *
_kvsql_column_infos_new (void)
{
  GArray *infos = g_array_new (FALSE, TRUE, sizeof (KvsqlColumnInfo));

  g_array_set_clear_func (infos, column_info_clear);
  return infos;
}

gboolean
_kvsql_column_infos_read (KvsqlProtocol *protocol, GArray *out, GError **error)
{
  return _kvsql_message_read_structs (protocol, info_fields, G_N_ELEMENTS (info_fields), out,
                                      error);
}

/* ---- vectors */

static gboolean
read_nulls (KvsqlProtocol *protocol, KvsqlCells *cells, GError **error)
{
  KvsqlSlice bitmap;

  if (!kvsql_protocol_read_bytes (protocol, &bitmap, error))
    return FALSE;
  cells->nulls = g_memdup2 (bitmap.data, bitmap.size);
  cells->nulls_size = bitmap.size;
  return TRUE;
}

/* Copies all rows into one block, each with a NUL after it, so that a row is a C string in
 * place. */
static gboolean
copy_slices (KvsqlCells *cells, const KvsqlSlice *slices, guint32 n, GError **error)
{
  gsize total = 0;
  gchar *at;

  for (guint32 i = 0; i < n; i++)
    total += slices[i].size + 1;
  if (total > G_MAXUINT32)
    return refuse (error, "a column is too large");

  cells->offsets = g_new (guint32, (gsize)n + 1);
  cells->bytes = at = g_malloc (MAX (total, 1));
  for (guint32 i = 0; i < n; i++)
    {
      cells->offsets[i] = (guint32)(at - cells->bytes);
      if (slices[i].size > 0)
        memcpy (at, slices[i].data, slices[i].size);
      at += slices[i].size;
      *at++ = '\0';
    }
  cells->offsets[n] = (guint32)(at - cells->bytes);
  return TRUE;
}

static gboolean
is_ascii (const gchar *bytes, gsize size)
{
  guchar all = 0;

  for (gsize i = 0; i < size; i++)
    all |= (guchar)bytes[i];
  return all < 0x80;
}

static gboolean
check_utf8 (const KvsqlCells *cells, GError **error)
{
  if (is_ascii (cells->bytes, cells->offsets[cells->n_rows]))
    return TRUE;
  for (guint32 i = 0; i < cells->n_rows; i++)
    {
      const gchar *at = cells->bytes + cells->offsets[i];
      const gchar *end = cells->bytes + cells->offsets[i + 1] - 1;

      /* g_utf8_validate() stops at a NUL, which text may contain. */
      while (at < end && !g_utf8_validate_len (at, (gsize)(end - at), &at))
        {
          if (*at != '\0')
            return refuse (error, "text is not UTF-8");
          at++;
        }
    }
  return TRUE;
}

static gboolean
read_slices (KvsqlProtocol *protocol, KvsqlCells *cells, guint32 n, GError **error)
{
  g_autofree KvsqlSlice *slices = g_new (KvsqlSlice, n);

  return kvsql_protocol_read_slice_list (protocol, slices, n, error)
         && copy_slices (cells, slices, n, error)
         && (cells->kind != KVSQL_CELLS_TEXT || check_utf8 (cells, error));
}

static gboolean
read_cells (KvsqlProtocol *protocol, KvsqlCells *cells, KvsqlCellKind kind, ThriftType element,
            GError **error)
{
  guint32 n;

  if (cells->kind != KVSQL_CELLS_NONE)
    return refuse (error, "a column has more than one list");
  if (!kvsql_protocol_read_list_size (protocol, element, &n, error))
    return FALSE;
  cells->kind = kind;
  cells->n_rows = n;
  switch (kind)
    {
    case KVSQL_CELLS_BOOLEAN:
      cells->booleans = g_new (guint8, n);
      return kvsql_protocol_read_bool_list (protocol, cells->booleans, n, error);
    case KVSQL_CELLS_INT64:
      cells->integers = g_new (gint64, n);
      return kvsql_protocol_read_int64_list (protocol, cells->integers, n, error);
    case KVSQL_CELLS_DOUBLE:
      cells->reals = g_new (gdouble, n);
      return kvsql_protocol_read_double_list (protocol, cells->reals, n, error);
    default:
      return read_slices (protocol, cells, n, error);
    }
}

static gboolean
read_column_field (KvsqlProtocol *protocol, KvsqlCells *cells, gint16 id, ThriftType type,
                   GError **error)
{
  static const struct
  {
    KvsqlCellKind kind;
    ThriftType element;
  } lists[] = {
    [2] = { KVSQL_CELLS_BOOLEAN, T_BOOL },  [3] = { KVSQL_CELLS_INT64, T_I64 },
    [4] = { KVSQL_CELLS_DOUBLE, T_DOUBLE }, [5] = { KVSQL_CELLS_TEXT, T_STRING },
    [6] = { KVSQL_CELLS_BYTES, T_STRING },
  };

  if (id == 1 && type == T_STRING)
    return read_nulls (protocol, cells, error);
  if (id >= 2 && id < (gint16)G_N_ELEMENTS (lists) && type == T_LIST)
    return read_cells (protocol, cells, lists[id].kind, lists[id].element, error);
  return _kvsql_message_skip (protocol, type, error);
}

static gboolean
read_column (KvsqlProtocol *protocol, KvsqlCells *cells, GError **error)
{
  ThriftType type;
  gint16 id;

  if (!_kvsql_message_enter (protocol, error)
      || !_kvsql_message_next_field (protocol, &id, &type, error))
    return FALSE;
  while (type != T_STOP)
    {
      if (!read_column_field (protocol, cells, id, type, error)
          || !_kvsql_message_next_field (protocol, &id, &type, error))
        return FALSE;
    }
  return _kvsql_message_leave (protocol, error);
}

static gboolean
read_columns (KvsqlProtocol *protocol, KvsqlPage *page, GError **error)
{
  ThriftType element;
  guint32 n;

  if (thrift_protocol_read_list_begin (THRIFT_PROTOCOL (protocol), &element, &n, error) < 0)
    return FALSE;
  if (n > 0 && element != T_STRUCT)
    return refuse (error, "columns are not structs");
  for (guint32 i = 0; i < n; i++)
    {
      g_array_set_size (page->columns, i + 1);
      if (!read_column (protocol, &g_array_index (page->columns, KvsqlCells, i), error))
        return FALSE;
    }
  return thrift_protocol_read_list_end (THRIFT_PROTOCOL (protocol), error) >= 0;
}

static gboolean
read_warnings (KvsqlProtocol *protocol, KvsqlPage *page, GError **error)
{
  ThriftType element;
  guint32 n;

  if (thrift_protocol_read_list_begin (THRIFT_PROTOCOL (protocol), &element, &n, error) < 0)
    return FALSE;
  if (n > 0 && element != T_STRING)
    return refuse (error, "warnings are not texts");
  for (guint32 i = 0; i < n; i++)
    {
      gchar *text = NULL;

      if (thrift_protocol_read_string (THRIFT_PROTOCOL (protocol), &text, error) < 0)
        return FALSE;
      g_ptr_array_add (page->warnings, g_utf8_make_valid (text, -1));
      g_free (text);
    }
  return thrift_protocol_read_list_end (THRIFT_PROTOCOL (protocol), error) >= 0;
}

static gboolean
read_cursor (KvsqlProtocol *protocol, KvsqlPage *page, GError **error)
{
  KvsqlSlice cursor;

  if (!kvsql_protocol_read_bytes (protocol, &cursor, error))
    return FALSE;
  page->cursor = g_bytes_new (cursor.data, cursor.size);
  return TRUE;
}

static gboolean
read_page_field (KvsqlProtocol *protocol, KvsqlPage *page, gint16 id, ThriftType type,
                 GError **error)
{
  if (id == 1 && type == T_I32)
    return thrift_protocol_read_i32 (THRIFT_PROTOCOL (protocol), &page->n_rows, error) >= 0;
  if (id == 2 && type == T_LIST)
    return read_columns (protocol, page, error);
  if (id == 3 && type == T_STRING)
    return read_cursor (protocol, page, error);
  if (id == 4 && type == T_LIST)
    {
      page->info = _kvsql_column_infos_new ();
      return _kvsql_column_infos_read (protocol, page->info, error);
    }
  if (id == 5 && type == T_I64)
    return thrift_protocol_read_i64 (THRIFT_PROTOCOL (protocol), &page->affected, error) >= 0;
  if (id == 6 && type == T_LIST)
    {
      page->warnings = g_ptr_array_new_with_free_func (g_free);
      return read_warnings (protocol, page, error);
    }
  if (id == 7 && type == T_DOUBLE)
    return thrift_protocol_read_double (THRIFT_PROTOCOL (protocol), &page->done, error) >= 0;
  return _kvsql_message_skip (protocol, type, error);
}

/* ---- facts of the page */

static gboolean
all_are_null (const KvsqlCells *cells, guint32 n_rows)
{
  for (guint32 row = 0; row < n_rows; row++)
    if (cells->nulls == NULL || (cells->nulls[row >> 3] >> (row & 7) & 1) == 0)
      return FALSE;
  return TRUE;
}

static gboolean
check_column (KvsqlCells *cells, guint32 n_rows, GError **error)
{
  if (cells->nulls_size != 0 && cells->nulls_size != ((gsize)n_rows + 7) / 8)
    return refuse (error, "a bitmap of NULLs has another size than its column");
  if (cells->nulls_size == 0)
    g_clear_pointer (&cells->nulls, g_free);
  if (cells->kind == KVSQL_CELLS_NONE)
    {
      cells->n_rows = n_rows;
      return all_are_null (cells, n_rows) || refuse (error, "a column has no values");
    }
  return cells->n_rows == n_rows || refuse (error, "a column has another length than its page");
}

static gboolean
check_page (KvsqlPage *page, GError **error)
{
  if (page->n_rows < 0)
    return refuse (error, "it has a negative number of rows");
  if (page->n_rows > 0 && page->columns->len == 0)
    return refuse (error, "it has rows and no columns");
  for (guint i = 0; i < page->columns->len; i++)
    if (!check_column (&g_array_index (page->columns, KvsqlCells, i), (guint32)page->n_rows, error))
      return FALSE;
  return TRUE;
}

gboolean
_kvsql_page_read (KvsqlProtocol *protocol, KvsqlPage *out, GError **error)
{
  ThriftType type;
  gint16 id;

  out->columns = g_array_new (FALSE, TRUE, sizeof (KvsqlCells));
  g_array_set_clear_func (out->columns, cells_clear);
  if (!_kvsql_message_enter (protocol, error)
      || !_kvsql_message_next_field (protocol, &id, &type, error))
    return FALSE;
  while (type != T_STOP)
    {
      if (!read_page_field (protocol, out, id, type, error)
          || !_kvsql_message_next_field (protocol, &id, &type, error))
        return FALSE;
    }
  return _kvsql_message_leave (protocol, error) && check_page (out, error);
}

static KvsqlCellKind
kind_of_type (gint32 type)
{
  switch (type)
    {
    case KVSQL_COLUMN_TYPE_STRING:
    case KVSQL_COLUMN_TYPE_DECIMAL:
    case KVSQL_COLUMN_TYPE_MAP:
    case KVSQL_COLUMN_TYPE_LIST:
    case KVSQL_COLUMN_TYPE_INTERVAL:
    case KVSQL_COLUMN_TYPE_UUID:
    case KVSQL_COLUMN_TYPE_JSON:
    case KVSQL_COLUMN_TYPE_JSONB:
      return KVSQL_CELLS_TEXT;
    case KVSQL_COLUMN_TYPE_BYTES:
      return KVSQL_CELLS_BYTES;
    case KVSQL_COLUMN_TYPE_BOOLEAN:
      return KVSQL_CELLS_BOOLEAN;
    case KVSQL_COLUMN_TYPE_INT:
    case KVSQL_COLUMN_TYPE_BIGINT:
    case KVSQL_COLUMN_TYPE_DATE:
    case KVSQL_COLUMN_TYPE_TIMESTAMP:
    case KVSQL_COLUMN_TYPE_TIME:
      return KVSQL_CELLS_INT64;
    case KVSQL_COLUMN_TYPE_FLOAT:
    case KVSQL_COLUMN_TYPE_DOUBLE:
      return KVSQL_CELLS_DOUBLE;
    default:
      return KVSQL_CELLS_NONE;
    }
}

gboolean
_kvsql_page_check_types (const KvsqlPage *self, const GArray *info, GError **error)
{
  /* A statement that only writes may omit the columns. */
  if (self->columns->len != info->len && !(self->columns->len == 0 && self->n_rows == 0))
    return refuse (error, "it has another number of columns than announced");
  for (guint i = 0; i < self->columns->len; i++)
    {
      KvsqlCellKind expected = kind_of_type (g_array_index (info, KvsqlColumnInfo, i).type);
      KvsqlCellKind kind = g_array_index (self->columns, KvsqlCells, i).kind;

      if (expected != KVSQL_CELLS_NONE && kind != KVSQL_CELLS_NONE && kind != expected)
        return refuse (error, "a column is not of the type that was announced");
    }
  return TRUE;
}
