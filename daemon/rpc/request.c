/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * request.c: see request.h.
 */
#include "config.h"

#include "daemon/rpc/request.h"

#include "daemon/rpc/server.h"

#define MAX_REQUEST_ID 200

gboolean
kvsqld_rpc_reject (GError **error, const gchar *format, ...)
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
    return kvsqld_rpc_reject (error, "argument \"%s\" is missing", name);
  return g_utf8_validate (text, -1, NULL)
         || kvsqld_rpc_reject (error, "argument \"%s\" is not UTF-8", name);
}

static gboolean
check_request_id (const gchar *id, GError **error)
{
  if (id != NULL && strlen (id) > MAX_REQUEST_ID)
    return kvsqld_rpc_reject (error, "requestId is longer than %d bytes", MAX_REQUEST_ID);
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
    return kvsqld_rpc_reject (error, "a negative bound in the options");
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
