/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * page.c: see page.h.
 *
 * Fields and their order are those of kvsql.thrift. The value of a NULL in a list is sent as zero
 * or as empty, not as the bytes that happen to be in the vector.
 */
#include "config.h"

#include "daemon/rpc/page.h"

#include "kvsql_rpc_kvsql_types.h"

#define CHUNK 256 /* rows that are copied at a time to clear the values of NULLs */

/* Types are sent as numbers. */
G_STATIC_ASSERT ((int)KVSQL_TYPE_NULL == KVSQL_RPC_SQL_TYPE_NULL_TYPE);
G_STATIC_ASSERT ((int)KVSQL_TYPE_STRING == KVSQL_RPC_SQL_TYPE_STRING);
G_STATIC_ASSERT ((int)KVSQL_TYPE_BYTES == KVSQL_RPC_SQL_TYPE_BYTES);
G_STATIC_ASSERT ((int)KVSQL_TYPE_BOOLEAN == KVSQL_RPC_SQL_TYPE_BOOLEAN);
G_STATIC_ASSERT ((int)KVSQL_TYPE_INT == KVSQL_RPC_SQL_TYPE_INT);
G_STATIC_ASSERT ((int)KVSQL_TYPE_BIGINT == KVSQL_RPC_SQL_TYPE_BIGINT);
G_STATIC_ASSERT ((int)KVSQL_TYPE_FLOAT == KVSQL_RPC_SQL_TYPE_FLOAT);
G_STATIC_ASSERT ((int)KVSQL_TYPE_DOUBLE == KVSQL_RPC_SQL_TYPE_DOUBLE);
G_STATIC_ASSERT ((int)KVSQL_TYPE_DECIMAL == KVSQL_RPC_SQL_TYPE_DECIMAL);
G_STATIC_ASSERT ((int)KVSQL_TYPE_DATE == KVSQL_RPC_SQL_TYPE_DATE);
G_STATIC_ASSERT ((int)KVSQL_TYPE_TIMESTAMP == KVSQL_RPC_SQL_TYPE_TIMESTAMP);
G_STATIC_ASSERT ((int)KVSQL_TYPE_TIME == KVSQL_RPC_SQL_TYPE_TIME);
G_STATIC_ASSERT ((int)KVSQL_TYPE_INTERVAL == KVSQL_RPC_SQL_TYPE_INTERVAL);
G_STATIC_ASSERT ((int)KVSQL_TYPE_UUID == KVSQL_RPC_SQL_TYPE_UUID);
G_STATIC_ASSERT ((int)KVSQL_TYPE_JSON == KVSQL_RPC_SQL_TYPE_JSON);
G_STATIC_ASSERT ((int)KVSQL_TYPE_JSONB == KVSQL_RPC_SQL_TYPE_JSONB);

static gboolean
begin_field (ThriftProtocol *protocol, const gchar *name, ThriftType type, gint16 id,
             GError **error)
{
  return thrift_protocol_write_field_begin (protocol, name, type, id, error) >= 0;
}

static gboolean
end_struct (ThriftProtocol *protocol, GError **error)
{
  return thrift_protocol_write_field_stop (protocol, error) >= 0
         && thrift_protocol_write_struct_end (protocol, error) >= 0;
}

/* ---- one column */

static gboolean
write_booleans (KvsqlProtocol *protocol, const KvsqlVector *vector, guint n, GError **error)
{
  guint8 chunk[CHUNK];

  if (!vector->has_nulls)
    return kvsql_protocol_write_bools (protocol, vector->booleans, n, error);
  for (guint begin = 0; begin < n; begin += CHUNK)
    {
      guint size = MIN (CHUNK, n - begin);

      for (guint i = 0; i < size; i++)
        chunk[i] = kvsql_vector_is_null (vector, begin + i) ? 0 : vector->booleans[begin + i];
      if (!kvsql_protocol_write_bools (protocol, chunk, size, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_integers (KvsqlProtocol *protocol, const KvsqlVector *vector, guint n, GError **error)
{
  gint64 chunk[CHUNK];

  if (!vector->has_nulls)
    return kvsql_protocol_write_int64s (protocol, vector->integers, n, error);
  for (guint begin = 0; begin < n; begin += CHUNK)
    {
      guint size = MIN (CHUNK, n - begin);

      for (guint i = 0; i < size; i++)
        chunk[i] = kvsql_vector_is_null (vector, begin + i) ? 0 : vector->integers[begin + i];
      if (!kvsql_protocol_write_int64s (protocol, chunk, size, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_reals (KvsqlProtocol *protocol, const KvsqlVector *vector, guint n, GError **error)
{
  gdouble chunk[CHUNK];

  if (!vector->has_nulls)
    return kvsql_protocol_write_doubles (protocol, vector->reals, n, error);
  for (guint begin = 0; begin < n; begin += CHUNK)
    {
      guint size = MIN (CHUNK, n - begin);

      for (guint i = 0; i < size; i++)
        chunk[i] = kvsql_vector_is_null (vector, begin + i) ? 0 : vector->reals[begin + i];
      if (!kvsql_protocol_write_doubles (protocol, chunk, size, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_slices (KvsqlProtocol *protocol, const KvsqlVector *vector, guint n, GError **error)
{
  KvsqlSlice chunk[CHUNK];

  if (!vector->has_nulls)
    return kvsql_protocol_write_slices (protocol, vector->slices, n, error);
  for (guint begin = 0; begin < n; begin += CHUNK)
    {
      guint size = MIN (CHUNK, n - begin);

      for (guint i = 0; i < size; i++)
        chunk[i] = kvsql_vector_is_null (vector, begin + i) ? KVSQL_SLICE_EMPTY
                                                            : vector->slices[begin + i];
      if (!kvsql_protocol_write_slices (protocol, chunk, size, error))
        return FALSE;
    }
  return TRUE;
}

/* How the values of a class are sent: the field of Column and the type of its elements. */
typedef struct
{
  const gchar *field;
  gint16 id;
  ThriftType element;
  gboolean (*write) (KvsqlProtocol *protocol, const KvsqlVector *vector, guint n, GError **error);
} ColumnForm;

/* NULL for KVSQL_CLASS_NONE, which has no values. */
static const ColumnForm *
form_of_type (KvsqlType type)
{
  static const ColumnForm forms[] = {
    [KVSQL_CLASS_BOOLEAN] = { "b", 2, T_BOOL, write_booleans },
    [KVSQL_CLASS_INTEGER] = { "i", 3, T_I64, write_integers },
    [KVSQL_CLASS_REAL] = { "d", 4, T_DOUBLE, write_reals },
    [KVSQL_CLASS_SLICE] = { "s", 5, T_STRING, write_slices },
  };
  static const ColumnForm bytes = { "x", 6, T_STRING, write_slices };
  const ColumnForm *form = type == KVSQL_TYPE_BYTES ? &bytes : &forms[kvsql_type_get_class (type)];

  return form->write != NULL ? form : NULL;
}

static gboolean
write_values (ThriftProtocol *protocol, const KvsqlVector *vector, const ColumnForm *form, guint n,
              GError **error)
{
  return (!vector->has_nulls
          || (begin_field (protocol, "nulls", T_STRING, 1, error)
              && kvsql_protocol_write_bytes (KVSQL_PROTOCOL (protocol),
                                             kvsql_slice (vector->nulls, (n + 7) / 8), error)))
         && begin_field (protocol, form->field, T_LIST, form->id, error)
         && thrift_protocol_write_list_begin (protocol, form->element, n, error) >= 0
         && form->write (KVSQL_PROTOCOL (protocol), vector, n, error);
}

/* A column whose type is that of a bare NULL has no list. */
static gboolean
write_only_nulls (ThriftProtocol *protocol, guint n, GError **error)
{
  gsize size = (n + 7) / 8;
  g_autofree guint8 *nulls = g_malloc (MAX (size, 1));

  memset (nulls, 0xff, size);
  return begin_field (protocol, "nulls", T_STRING, 1, error)
         && kvsql_protocol_write_bytes (KVSQL_PROTOCOL (protocol), kvsql_slice (nulls, size),
                                        error);
}

static gboolean
write_column (ThriftProtocol *protocol, const KvsqlVector *vector, guint n, GError **error)
{
  const ColumnForm *form = form_of_type (vector->type);

  return thrift_protocol_write_struct_begin (protocol, "Column", error) >= 0
         && (form != NULL ? write_values (protocol, vector, form, n, error)
                          : write_only_nulls (protocol, n, error))
         && end_struct (protocol, error);
}

/* ---- the page */

static gboolean
write_columns (ThriftProtocol *protocol, const KvsqlBatch *rows, GError **error)
{
  guint n_columns = rows != NULL ? rows->n_columns : 0;

  if (!begin_field (protocol, "columns", T_LIST, 2, error)
      || thrift_protocol_write_list_begin (protocol, T_STRUCT, n_columns, error) < 0)
    return FALSE;
  for (guint i = 0; i < n_columns; i++)
    if (!write_column (protocol, &rows->columns[i], rows->n_rows, error))
      return FALSE;
  return thrift_protocol_write_list_end (protocol, error) >= 0;
}

/* All kinds of maps are one type to clients, and so are all kinds of lists. */
static KvsqlRpcSqlType
wire_type (KvsqlType type)
{
  if (kvsql_type_is_list (type))
    return KVSQL_RPC_SQL_TYPE_LIST;
  return kvsql_type_is_map (type) ? KVSQL_RPC_SQL_TYPE_MAP : (KvsqlRpcSqlType)type;
}

static gboolean
write_text (ThriftProtocol *protocol, const gchar *name, gint16 id, const gchar *text,
            GError **error)
{
  return begin_field (protocol, name, T_STRING, id, error)
         && kvsql_protocol_write_bytes (KVSQL_PROTOCOL (protocol), kvsql_slice_from_text (text),
                                        error);
}

static gboolean
write_info (ThriftProtocol *protocol, const KvsqlResultColumn *column, GError **error)
{
  return thrift_protocol_write_struct_begin (protocol, "ColumnInfo", error) >= 0
         && write_text (protocol, "name", 1, column->name, error)
         && begin_field (protocol, "type", T_I32, 2, error)
         && thrift_protocol_write_i32 (protocol, (gint32)wire_type (column->type), error) >= 0
         && begin_field (protocol, "nullable", T_BOOL, 3, error)
         && thrift_protocol_write_bool (protocol, column->is_nullable, error) >= 0
         && (column->relation == NULL
             || write_text (protocol, "relation", 4, column->relation, error))
         && end_struct (protocol, error);
}

static gboolean
write_infos (ThriftProtocol *protocol, const KvsqlResultPage *page, GError **error)
{
  if (!begin_field (protocol, "info", T_LIST, 4, error)
      || thrift_protocol_write_list_begin (protocol, T_STRUCT, page->n_columns, error) < 0)
    return FALSE;
  for (guint i = 0; i < page->n_columns; i++)
    if (!write_info (protocol, &page->columns[i], error))
      return FALSE;
  return thrift_protocol_write_list_end (protocol, error) >= 0;
}

static gboolean
write_warnings (ThriftProtocol *protocol, const GPtrArray *warnings, GError **error)
{
  if (!begin_field (protocol, "warnings", T_LIST, 6, error)
      || thrift_protocol_write_list_begin (protocol, T_STRING, warnings->len, error) < 0)
    return FALSE;
  for (guint i = 0; i < warnings->len; i++)
    if (thrift_protocol_write_string (protocol, g_ptr_array_index (warnings, i), error) < 0)
      return FALSE;
  return thrift_protocol_write_list_end (protocol, error) >= 0;
}

static gboolean
write_cursor (ThriftProtocol *protocol, GBytes *cursor, GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (cursor, &size);

  return begin_field (protocol, "cursor", T_STRING, 3, error)
         && kvsql_protocol_write_bytes (KVSQL_PROTOCOL (protocol), kvsql_slice (data, size), error);
}

static gboolean
write_done (ThriftProtocol *protocol, gdouble done, GError **error)
{
  return begin_field (protocol, "done", T_DOUBLE, 7, error)
         && thrift_protocol_write_double (protocol, done, error) >= 0;
}

static gboolean
write_page (ThriftProtocol *protocol, const KvsqlResultPage *page, GError **error)
{
  gint32 n_rows = page->rows != NULL ? (gint32)page->rows->n_rows : 0;

  return thrift_protocol_write_struct_begin (protocol, "Page", error) >= 0
         && begin_field (protocol, "nrows", T_I32, 1, error)
         && thrift_protocol_write_i32 (protocol, n_rows, error) >= 0
         && write_columns (protocol, page->rows, error)
         && (page->cursor == NULL || write_cursor (protocol, page->cursor, error))
         && (page->columns == NULL || write_infos (protocol, page, error))
         && (page->affected < 0
             || (begin_field (protocol, "affected", T_I64, 5, error)
                 && thrift_protocol_write_i64 (protocol, page->affected, error) >= 0))
         && (page->warnings == NULL || page->warnings->len == 0
             || write_warnings (protocol, page->warnings, error))
         && (page->done < 0 || write_done (protocol, page->done, error))
         && end_struct (protocol, error);
}

gboolean
kvsqld_rpc_page_write (const KvsqlResultPage *page, KvsqlProtocol *protocol, GError **error)
{
  return write_page (THRIFT_PROTOCOL (protocol), page, error);
}

GPtrArray *
kvsqld_rpc_column_infos (const KvsqlResultColumn *columns, guint n_columns)
{
  GPtrArray *infos = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_columns; i++)
    {
      GObject *info = g_object_new (KVSQL_RPC_TYPE_COLUMN_INFO, "name", columns[i].name, "type",
                                    (gint)wire_type (columns[i].type), "nullable",
                                    columns[i].is_nullable, NULL);

      if (columns[i].relation != NULL)
        g_object_set (info, "relation", columns[i].relation, NULL);
      g_ptr_array_add (infos, info);
    }
  return infos;
}
