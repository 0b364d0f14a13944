/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * request.c: arguments of Thrift as what the service takes.
 */
#include "config.h"

#include "daemon/rpc/request.h"

#include "daemon/rpc/server.h"

#define MAX_REQUEST_ID 200

static gboolean refuse (GError **error, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const gchar *format, ...)
{
  g_autofree gchar *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "%s", message);
}

gboolean
kvsqld_rpc_check_text (const gchar *name, const gchar *text, GError **error)
{
  if (text == NULL)
    return refuse (error, "argument \"%s\" is missing", name);
  return g_utf8_validate (text, -1, NULL) || refuse (error, "argument \"%s\" is not UTF-8", name);
}

static gboolean
check_request_id (const gchar *id, GError **error)
{
  if (id != NULL && strlen (id) > MAX_REQUEST_ID)
    return refuse (error, "requestId is longer than %d bytes", MAX_REQUEST_ID);
  return id == NULL || kvsqld_rpc_check_text ("requestId", id, error);
}

gboolean
kvsqld_rpc_read_options (const KvsqlRpcQueryOptions *options, KvsqldRequest *out, GError **error)
{
  *out = (KvsqldRequest){ .cancellable = kvsqld_rpc_get_current_cancellable () };
  if (options == NULL)
    return TRUE;
  if (options->maxRows < 0 || options->maxBytes < 0 || options->timeoutMs < 0
      || options->maxScanRows < 0)
    return refuse (error, "a negative bound in the options");
  if (!check_request_id (options->requestId, error))
    return FALSE;
  out->max_rows = (guint)options->maxRows;
  out->max_bytes = (gsize)options->maxBytes;
  out->timeout_ms = options->timeoutMs;
  out->max_scan_rows = (guint64)options->maxScanRows;
  out->is_read_only = options->readOnly;
  out->request_id = options->requestId;
  return TRUE;
}

/* ---- parameters */

static gboolean
read_parameter (const KvsqlRpcValue *value, guint number, KvsqlValue *out, GError **error)
{
  guint n_members = value->__isset_b + value->__isset_i + value->__isset_d + value->__isset_s
                    + value->__isset_x;

  *out = KVSQL_VALUE_NULL;
  if (n_members > 1)
    return refuse (error, "parameter %u has %u members set", number, n_members);
  if (value->__isset_b)
    *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = value->b != 0 };
  else if (value->__isset_i)
    *out = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = value->i };
  else if (value->__isset_d)
    *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = value->d };
  else if (value->__isset_s)
    {
      if (!g_utf8_validate (value->s, -1, NULL))
        return refuse (error, "parameter %u is not UTF-8", number);
      *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (value->s) };
    }
  else if (value->__isset_x)
    *out = (KvsqlValue){ .type = KVSQL_TYPE_BYTES,
                         .bytes = kvsql_slice (value->x->data, value->x->len) };
  return TRUE;
}

gboolean
kvsqld_rpc_read_parameters (const GPtrArray *values, KvsqlArena *arena, KvsqlValue **out,
                            GError **error)
{
  KvsqlValue *parameters = kvsql_arena_array (arena, KvsqlValue, values->len);

  for (guint i = 0; i < values->len; i++)
    if (!read_parameter (g_ptr_array_index (values, i), i + 1, &parameters[i], error))
      return FALSE;
  *out = parameters;
  return TRUE;
}

/* ---- columns */

static gboolean
is_all_null (const KvsqlVector *vector, guint n_rows)
{
  for (guint i = 0; i < n_rows; i++)
    if (!kvsql_vector_is_null (vector, i))
      return FALSE;
  return TRUE;
}

static void
read_booleans (const GArray *values, KvsqlArena *arena, KvsqlVector *out)
{
  out->type = KVSQL_TYPE_BOOLEAN;
  out->booleans = kvsql_arena_array (arena, guint8, values->len);
  for (guint i = 0; i < values->len; i++)
    out->booleans[i] = g_array_index (values, gboolean, i) != FALSE;
}

static gboolean
read_strings (const GPtrArray *values, KvsqlArena *arena, KvsqlVector *out)
{
  out->type = KVSQL_TYPE_STRING;
  out->slices = kvsql_arena_array (arena, KvsqlSlice, values->len);
  for (guint i = 0; i < values->len; i++)
    {
      out->slices[i] = kvsql_slice_from_text (g_ptr_array_index (values, i));
      if (!g_utf8_validate ((const gchar *)out->slices[i].data, (gssize)out->slices[i].size, NULL))
        return FALSE;
    }
  return TRUE;
}

static void
read_binaries (const GPtrArray *values, KvsqlArena *arena, KvsqlVector *out)
{
  out->type = KVSQL_TYPE_BYTES;
  out->slices = kvsql_arena_array (arena, KvsqlSlice, values->len);
  for (guint i = 0; i < values->len; i++)
    {
      const GByteArray *bytes = g_ptr_array_index (values, i);

      out->slices[i] = kvsql_slice (bytes->data, bytes->len);
    }
}

static gboolean
read_nulls (const KvsqlRpcColumn *column, guint number, guint n_rows, KvsqlVector *out,
            GError **error)
{
  if (!column->__isset_nulls)
    return TRUE;
  if (column->nulls->len != (n_rows + 7) / 8)
    return refuse (error, "column %u has %u bytes of nulls for %u rows", number, column->nulls->len,
                   n_rows);
  out->nulls = column->nulls->data;
  for (guint i = 0; i < column->nulls->len && !out->has_nulls; i++)
    out->has_nulls = column->nulls->data[i] != 0;
  return TRUE;
}

/* The one list that is set, and its length. */
static gboolean
read_list (const KvsqlRpcColumn *column, guint number, KvsqlArena *arena, KvsqlVector *out,
           guint *out_n, GError **error)
{
  if (column->__isset_b)
    {
      read_booleans (column->b, arena, out);
      *out_n = column->b->len;
    }
  else if (column->__isset_i)
    {
      out->type = KVSQL_TYPE_BIGINT;
      out->data = column->i->data;
      *out_n = column->i->len;
    }
  else if (column->__isset_d)
    {
      out->type = KVSQL_TYPE_DOUBLE;
      out->data = column->d->data;
      *out_n = column->d->len;
    }
  else if (column->__isset_s)
    {
      *out_n = column->s->len;
      if (!read_strings (column->s, arena, out))
        return refuse (error, "column %u holds a string that is not UTF-8", number);
    }
  else
    {
      read_binaries (column->x, arena, out);
      *out_n = column->x->len;
    }
  return TRUE;
}

static gboolean
read_column (const KvsqlRpcColumn *column, guint number, guint n_rows, KvsqlArena *arena,
             KvsqlVector *out, GError **error)
{
  guint n_lists = column->__isset_b + column->__isset_i + column->__isset_d + column->__isset_s
                  + column->__isset_x;
  guint n = 0;

  if (n_lists > 1)
    return refuse (error, "column %u has %u lists set", number, n_lists);
  if (!read_nulls (column, number, n_rows, out, error))
    return FALSE;
  if (n_lists == 0)
    return is_all_null (out, n_rows) || refuse (error, "column %u has no values", number);
  if (!read_list (column, number, arena, out, &n, error))
    return FALSE;
  return n == n_rows || refuse (error, "column %u has %u values for %u rows", number, n, n_rows);
}

gboolean
kvsqld_rpc_read_columns (const GPtrArray *columns, gint32 n_rows, KvsqlArena *arena,
                         KvsqlBatch *out, GError **error)
{
  if (n_rows < 0)
    return refuse (error, "nrows is negative");
  if (columns->len == 0)
    return refuse (error, "no columns");
  *out = (KvsqlBatch){
    .n_rows = (guint)n_rows,
    .capacity = (guint)n_rows,
    .n_columns = columns->len,
    .columns = kvsql_arena_array (arena, KvsqlVector, columns->len),
  };
  for (guint i = 0; i < columns->len; i++)
    if (!read_column (g_ptr_array_index (columns, i), i + 1, (guint)n_rows, arena, &out->columns[i],
                      error))
      return FALSE;
  return TRUE;
}

const gchar *const *
kvsqld_rpc_read_names (const gchar *name, const GPtrArray *names, KvsqlArena *arena, GError **error)
{
  const gchar **array = kvsql_arena_array (arena, const gchar *, names->len + 1);

  for (guint i = 0; i < names->len; i++)
    {
      array[i] = g_ptr_array_index (names, i);
      if (!kvsqld_rpc_check_text (name, array[i], error))
        return NULL;
    }
  return array;
}
