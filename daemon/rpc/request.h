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

/* The options and the connection's cancellable. @options may be NULL. */
gboolean kvsqld_rpc_read_options (const KvsqlRpcQueryOptions *options, KvsqldRequest *out,
                                  GError **error);

/* That @text is there and UTF-8; @name is the argument's. */
gboolean kvsqld_rpc_check_text (const gchar *name, const gchar *text, GError **error);

/* @values: (element-type KvsqlRpcValue); as many are set in @out, which belongs to @arena. */
gboolean kvsqld_rpc_read_parameters (const GPtrArray *values, KvsqlArena *arena, KvsqlValue **out,
                                     GError **error);

/**
 * kvsqld_rpc_read_columns:
 * @columns: (element-type KvsqlRpcColumn)
 * @n_rows: how long each must be
 * @out: (out caller-allocates): borrows from @columns and @arena; not to be freed
 */
gboolean kvsqld_rpc_read_columns (const GPtrArray *columns, gint32 n_rows, KvsqlArena *arena,
                                  KvsqlBatch *out, GError **error);

/* @names: (element-type utf8). Returns: (transfer none): NULL-terminated, of @arena */
const gchar *const *kvsqld_rpc_read_names (const gchar *name, const GPtrArray *names,
                                           KvsqlArena *arena, GError **error);

G_END_DECLS
