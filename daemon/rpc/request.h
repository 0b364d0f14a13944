/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * request.h: arguments of Thrift as what the service takes.
 *
 * The wire has checked that a message is well formed; here it is checked that it keeps the rules
 * of kvsql.thrift. Errors: KVSQL_ERROR_PROTOCOL. Nothing is copied that can be borrowed: results
 * live as long as the arguments and the arena.
 */
#pragma once

#include <thrift/c_glib/thrift.h>

#include "daemon/service.h"
#include "kvsql_rpc_kvsql_types.h"

G_BEGIN_DECLS

/* A request that breaks a rule. Returns FALSE. */
gboolean kvsqld_rpc_refuse (GError **error, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

/* Options as they came; zero where there are none. */
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
  const gchar *request_id; /* nullable; borrowed by the request */
} KvsqldRpcOptions;

/* The options and what the connection knows. */
gboolean kvsqld_rpc_accept_options (const KvsqldRpcOptions *options, KvsqldRequest *out,
                                    GError **error);
/* The same of the generated struct, which may be NULL. */
gboolean kvsqld_rpc_read_options (const KvsqlRpcQueryOptions *options, KvsqldRequest *out,
                                  GError **error);

/* That @text is there and UTF-8; @name is the argument's. */
gboolean kvsqld_rpc_check_text (const gchar *name, const gchar *text, GError **error);

/* @values: (element-type KvsqlRpcValue); as many are set in @out, which belongs to @arena. */
gboolean kvsqld_rpc_read_parameters (const GPtrArray *values, KvsqlArena *arena, KvsqlValue **out,
                                     GError **error);

G_END_DECLS
