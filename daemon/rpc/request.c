/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * request.c: arguments of Thrift as what the service takes.
 */
#include "config.h"

#include "daemon/rpc/request.h"

#include "daemon/rpc/server.h"

#define MAX_REQUEST_ID 200

gboolean
kvsqld_rpc_refuse (GError **error, const gchar *format, ...)
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
    return kvsqld_rpc_refuse (error, "argument \"%s\" is missing", name);
  return g_utf8_validate (text, -1, NULL)
         || kvsqld_rpc_refuse (error, "argument \"%s\" is not UTF-8", name);
}

static gboolean
check_request_id (const gchar *id, GError **error)
{
  if (id != NULL && strlen (id) > MAX_REQUEST_ID)
    return kvsqld_rpc_refuse (error, "requestId is longer than %d bytes", MAX_REQUEST_ID);
  return id == NULL || kvsqld_rpc_check_text ("requestId", id, error);
}

gboolean
kvsqld_rpc_accept_options (const KvsqldRpcOptions *options, KvsqldRequest *out, GError **error)
{
  *out = (KvsqldRequest){ .cancellable = kvsqld_rpc_get_current_cancellable (),
                          .peer = kvsqld_rpc_get_current_peer (),
                          .session = kvsqld_rpc_get_current_session () };
  if (options->max_rows < 0 || options->max_bytes < 0 || options->timeout_ms < 0
      || options->max_scan_rows < 0)
    return kvsqld_rpc_refuse (error, "a negative bound in the options");
  if (!check_request_id (options->request_id, error))
    return FALSE;
  out->max_rows = (guint)options->max_rows;
  out->max_bytes = (gsize)options->max_bytes;
  out->timeout_ms = options->timeout_ms;
  out->max_scan_rows = (guint64)options->max_scan_rows;
  out->is_read_only = options->is_read_only;
  out->wants_progress = options->wants_progress;
  out->knows_columns = options->knows_columns;
  out->follows = options->follows;
  out->request_id = options->request_id;
  return TRUE;
}

gboolean
kvsqld_rpc_read_options (const KvsqlRpcQueryOptions *options, KvsqldRequest *out, GError **error)
{
  KvsqldRpcOptions taken = { 0 };

  if (options != NULL)
    taken = (KvsqldRpcOptions){ .max_rows = options->maxRows,
                                .max_bytes = options->maxBytes,
                                .timeout_ms = options->timeoutMs,
                                .max_scan_rows = options->maxScanRows,
                                .is_read_only = options->readOnly,
                                .wants_progress = options->progress,
                                .knows_columns = options->knowsColumns,
                                .follows = options->follows,
                                .request_id = options->requestId };
  return kvsqld_rpc_accept_options (&taken, out, error);
}

/* ---- parameters */

static gboolean
read_parameter (const KvsqlRpcValue *value, guint number, KvsqlValue *out, GError **error)
{
  guint n_members = value->__isset_b + value->__isset_i + value->__isset_d + value->__isset_s
                    + value->__isset_x;

  *out = KVSQL_VALUE_NULL;
  if (n_members > 1)
    return kvsqld_rpc_refuse (error, "parameter %u has %u members set", number, n_members);
  if (value->__isset_b)
    *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = value->b != 0 };
  else if (value->__isset_i)
    *out = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = value->i };
  else if (value->__isset_d)
    *out = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = value->d };
  else if (value->__isset_s)
    {
      if (!g_utf8_validate (value->s, -1, NULL))
        return kvsqld_rpc_refuse (error, "parameter %u is not UTF-8", number);
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
