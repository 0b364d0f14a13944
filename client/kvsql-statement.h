/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-statement.h: a statement that kvsqld keeps ready.
 *
 * It keeps its connection alive, and prepares itself again when the connection was
 * opened anew. The last reference gives it up in kvsqld at the connection's next call.
 *
 * Threads: as the connection's.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_STATEMENT (kvsql_statement_get_type ())
G_DECLARE_FINAL_TYPE (KvsqlStatement, kvsql_statement, KVSQL, STATEMENT, GObject)

const gchar *kvsql_statement_get_sql (KvsqlStatement *self);

guint kvsql_statement_get_n_parameters (KvsqlStatement *self);

/**
 * kvsql_statement_get_parameter_name:
 * @self: a statement
 * @index: from 0
 *
 * Returns: (transfer none) (nullable): the name without its colon, %NULL for a `?`
 */
const gchar *kvsql_statement_get_parameter_name (KvsqlStatement *self, guint index);

/**
 * kvsql_statement_get_parameter_type:
 * @self: a statement
 * @index: from 0
 *
 * Returns: what it is compared with or stored as; %KVSQL_COLUMN_TYPE_NULL if any type will do
 */
KvsqlColumnType kvsql_statement_get_parameter_type (KvsqlStatement *self, guint index);

/**
 * kvsql_statement_get_n_columns:
 * @self: a statement
 *
 * Returns: how many columns its result has; 0 if it returns no rows
 */
guint kvsql_statement_get_n_columns (KvsqlStatement *self);
const gchar *kvsql_statement_get_column_name (KvsqlStatement *self, guint column);
KvsqlColumnType kvsql_statement_get_column_type (KvsqlStatement *self, guint column);

/**
 * kvsql_statement_execute:
 * @self: a statement
 * @params: (nullable): values of its `?` or `:name`; each must be there, and no other
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Returns: (transfer full): the result, or %NULL with @error set
 */
KvsqlResult *kvsql_statement_execute (KvsqlStatement *self, KvsqlParams *params,
                                      GCancellable *cancellable, GError **error);
void kvsql_statement_execute_async (KvsqlStatement *self, KvsqlParams *params,
                                    GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);
KvsqlResult *kvsql_statement_execute_finish (KvsqlStatement *self, GAsyncResult *result,
                                             GError **error);

/**
 * kvsql_statement_resume:
 * @self: a statement
 * @cursor: what kvsql_result_get_cursor() gave for a result of the same text, or
 *   kvsql_statement_partition(), perhaps in another process
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Goes on behind that page, with the parameters of that result. Rows of one relation in the order
 * of its keys go on behind the key of the last one, whatever was written in between. Where rows are
 * sorted, grouped or joined, or several tuples share a row of the store, some are counted and
 * passed over, which is right only if these have not changed.
 *
 * Returns: (transfer full): the rest of the result, or %NULL with @error set:
 *   %KVSQL_CLIENT_ERROR_BAD_CURSOR if the definitions have changed
 */
KvsqlResult *kvsql_statement_resume (KvsqlStatement *self, GBytes *cursor,
                                     GCancellable *cancellable, GError **error);

/**
 * kvsql_statement_partition:
 * @self: a SELECT
 * @params: (nullable): values of its `?` or `:name`
 * @n_parts: about how many parts are wanted, 1 or more
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Cuts a result in parts of about the same size, to be read beside each other, by several
 * connections or several processes: each begins with kvsql_statement_resume(), and can be gone on
 * with as any result. One behind the other they give what kvsql_statement_execute() gives, each row
 * once and in the same order.
 *
 * Rows of one relation, whatever their WHERE, can be cut, unless ORDER BY, GROUP BY, DISTINCT,
 * LIMIT, OFFSET, a join or a subquery has to see all of them, or tuples are scattered over rows of
 * the store.
 *
 * Returns: (transfer full) (element-type GBytes): a cursor for each part, in order; none if the
 *   result can only be had as a whole; %NULL with @error set:
 *   %KVSQL_CLIENT_ERROR_UNSUPPORTED if kvsqld is older than this function
 */
GPtrArray *kvsql_statement_partition (KvsqlStatement *self, KvsqlParams *params, guint n_parts,
                                      GCancellable *cancellable, GError **error);

G_END_DECLS
