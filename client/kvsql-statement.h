/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-statement.h: a prepared statement.
 *
 * It holds a reference to its connection, and prepares itself again after the connection was opened
 * again. After the last unref, the next call on the connection closes it in kvsqld.
 *
 * Threads: as for the connection.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_STATEMENT (kvsql_statement_get_type ())
G_DECLARE_FINAL_TYPE (KvsqlStatement, kvsql_statement, KVSQL, STATEMENT, GObject)

/**
 * kvsql_statement_get_sql:
 * @self: a statement
 *
 * Returns: (transfer none): its text
 */
const gchar *kvsql_statement_get_sql (KvsqlStatement *self);

/**
 * kvsql_statement_get_n_parameters:
 * @self: a statement
 *
 * Returns: the number of its parameters
 */
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
 * Returns: the type with which it is compared or stored; %KVSQL_COLUMN_TYPE_NULL if any type is
 * valid
 */
KvsqlColumnType kvsql_statement_get_parameter_type (KvsqlStatement *self, guint index);

/**
 * kvsql_statement_get_n_columns:
 * @self: a statement
 *
 * Returns: the number of columns of its result; 0 if it returns no rows
 */
guint kvsql_statement_get_n_columns (KvsqlStatement *self);

/**
 * kvsql_statement_get_column_name:
 * @self: a statement
 * @column: from 0
 *
 * Returns: (transfer none): the name of a column of its result
 */
const gchar *kvsql_statement_get_column_name (KvsqlStatement *self, guint column);

/**
 * kvsql_statement_get_column_type:
 * @self: a statement
 * @column: from 0
 *
 * Returns: the type of a column of its result
 */
KvsqlColumnType kvsql_statement_get_column_type (KvsqlStatement *self, guint column);

/**
 * kvsql_statement_execute:
 * @self: a statement
 * @params: (nullable): a value for each of its `?` or `:name`, and no other values
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Returns: (transfer full): the result, or %NULL with @error set
 */
KvsqlResult *kvsql_statement_execute (KvsqlStatement *self, KvsqlParams *params,
                                      GCancellable *cancellable, GError **error);

/**
 * kvsql_statement_execute_async:
 * @self: a statement
 * @params: (nullable): a value for each of its `?` or `:name`, and no other values; must not
 *   change until the call has finished
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_statement_execute().
 */
void kvsql_statement_execute_async (KvsqlStatement *self, KvsqlParams *params,
                                    GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);

/**
 * kvsql_statement_execute_finish:
 * @self: a statement
 * @result: the argument of the callback
 * @error: return location, or %NULL
 *
 * Returns: (transfer full): as kvsql_statement_execute()
 */
KvsqlResult *kvsql_statement_execute_finish (KvsqlStatement *self, GAsyncResult *result,
                                             GError **error);

/**
 * kvsql_statement_resume:
 * @self: a statement
 * @cursor: a cursor of kvsql_result_get_cursor() for a result of the same statement text, or of
 *   kvsql_statement_partition(), possibly from another process
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Continues a result after that page, with the same parameters. Rows of one relation in key order
 * continue after the key of the last row, whatever was written in the meantime. If rows are sorted,
 * grouped or joined, or several tuples share a row of the store, the cursor counts rows to skip,
 * which is correct only if these rows have not changed.
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
 * @n_parts: the approximate number of parts, 1 or more
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Divides a result into parts of about the same size that several connections or processes can read
 * in parallel. Start each part with kvsql_statement_resume() and read it like any result. Read one
 * after the other, the parts contain the rows of kvsql_statement_execute(), each row once and in
 * the same order.
 *
 * Rows of one relation can be divided, with any WHERE. Not divisible are results for which ORDER
 * BY, GROUP BY, DISTINCT, LIMIT, OFFSET, a join or a subquery needs all rows, and tuples that are
 * scattered over rows of the store.
 *
 * Returns: (transfer full) (element-type GBytes): a cursor for each part, in order; an empty array
 * if
 *   the result is not divisible; %NULL with @error set:
 *   %KVSQL_CLIENT_ERROR_UNSUPPORTED if kvsqld is older than this function
 */
GPtrArray *kvsql_statement_partition (KvsqlStatement *self, KvsqlParams *params, guint n_parts,
                                      GCancellable *cancellable, GError **error);

G_END_DECLS
