/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * request.c: see request.h.
 */
#include "config.h"

#include "daemon/rpc/request.h"

#include "daemon/rpc/front-end.h"

#include <string.h>

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

/* The first NUL byte; NULL if there is none. */
static const guint8 *
find_nul (KvsqlSlice text)
{
  return text.size > 0 ? memchr (text.data, 0, text.size) : NULL;
}

gboolean
kvsqld_rpc_check_text (const gchar *name, KvsqlSlice text, GError **error)
{
  if (text.data == NULL)
    return kvsqld_rpc_reject (error, "argument \"%s\" is missing", name);
  if (find_nul (text) != NULL)
    return kvsqld_rpc_reject (error, "argument \"%s\" holds U+0000, which is in no text", name);
  return g_utf8_validate_len ((const gchar *)text.data, text.size, NULL)
         || kvsqld_rpc_reject (error, "argument \"%s\" is not UTF-8", name);
}

gboolean
kvsqld_rpc_check_sql (KvsqlSlice sql, GError **error)
{
  const guint8 *nul = find_nul (sql);

  if (nul == NULL)
    return kvsqld_rpc_check_text ("sql", sql, error);
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, (KvsqlSpan){ (gint32)(nul - sql.data), 1 },
                   "the statement holds U+0000, which is in no text");
  return kvsql_error_hint (error, "Write bytes as x'00ff', or as a parameter of type BYTES.");
}

static gboolean
check_request_id (KvsqlSlice id, GError **error)
{
  if (id.size > MAX_REQUEST_ID)
    return kvsqld_rpc_reject (error, "requestId is longer than %d bytes", MAX_REQUEST_ID);
  return id.data == NULL || kvsqld_rpc_check_text ("requestId", id, error);
}

gboolean
kvsqld_rpc_accept_options (const KvsqldRpcOptions *options, KvsqldRequest *out, GError **error)
{
  *out = (KvsqldRequest){ .cancellable = kvsqld_rpc_get_current_cancellable (),
                          .peer = kvsqld_rpc_get_current_peer (),
                          .session = kvsqld_rpc_get_current_session (),
                          .identity = kvsqld_rpc_get_current_identity () };
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
  out->is_verified = options->is_verified;
  out->request_id = (const gchar *)options->request_id.data;
  return TRUE;
}
