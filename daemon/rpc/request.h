/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * request.h: converts arguments of Thrift to arguments of the service.
 *
 * The wire has checked that a message is well formed. Here it is checked against the rules of
 * kvsql.thrift. Errors: KVSQL_ERROR_PROTOCOL. Results borrow from the arguments and the arena where
 * possible, and live as long as these.
 */
#pragma once

#include <thrift/c_glib/thrift.h>

#include "daemon/service/service.h"
#include "kvsql_rpc_kvsql_types.h"

G_BEGIN_DECLS

/* Sets the error for a request that breaks a rule. Returns FALSE. */
gboolean kvsqld_rpc_reject (GError **error, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

/* The options of a request; zero if absent. */
typedef struct
{
  gint32 max_rows;
  gint32 max_bytes;
  gint32 timeout_ms;
  gint64 max_scan_rows;
  gboolean is_read_only;
  gboolean wants_progress;
  gboolean knows_columns;
  gboolean follows;
  gboolean is_verified;
  KvsqlSlice request_id; /* followed by a NUL byte; .data NULL if absent; borrowed by the request */
} KvsqldRpcOptions;

/* Combines the options with what is known of the connection. */
gboolean kvsqld_rpc_accept_options (const KvsqldRpcOptions *options, KvsqldRequest *out,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Checks that @text is present, and UTF-8 without U+0000; @name is the name of the argument. */
gboolean kvsqld_rpc_check_text (const gchar *name, KvsqlSlice text,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for a statement: U+0000 in it is KVSQL_ERROR_SYNTAX with its position. */
gboolean kvsqld_rpc_check_sql (KvsqlSlice sql, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
