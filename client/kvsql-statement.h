/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-statement.h: a prepared statement.
 *
 * A statement holds a reference to its connection. In kvsqld it ends with the socket. libkvsql
 * prepares it again at the next execution. After the last g_object_unref(), the next call on the
 * connection closes it in kvsqld.
 *
 * Threads: as for the connection: several threads may use a statement, and their calls take turns.
 * Parameters and columns are those of the first prepare, and never change.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

/**
 * KVSQL_TYPE_STATEMENT:
 *
 * The #GType of #KvsqlStatement. KVSQL_STATEMENT() and KVSQL_IS_STATEMENT() are the usual cast and
 * check.
 *
 * Since: 0.1
 */
#define KVSQL_TYPE_STATEMENT (kvsql_statement_get_type ())

/**
 * kvsql_statement_get_type:
 *
 * The function of the macro %KVSQL_TYPE_STATEMENT.
 *
 * Returns: the type
 *
 * Since: 0.1
 */
G_DECLARE_FINAL_TYPE (KvsqlStatement, kvsql_statement, KVSQL, STATEMENT, GObject)

/**
 * kvsql_statement_get_sql:
 * @self: a statement
 *
 * Gives the text that was prepared.
 *
 * Returns: (transfer none): the text
 *
 * Since: 0.1
 */
const gchar *kvsql_statement_get_sql (KvsqlStatement *self);

/**
 * kvsql_statement_get_n_parameters:
 * @self: a statement
 *
 * Gives the number of parameters. A name that is written twice is one parameter.
 *
 * Returns: the number of parameters
 *
 * Since: 0.1
 */
guint kvsql_statement_get_n_parameters (KvsqlStatement *self);

/**
 * kvsql_statement_get_parameter_name:
 * @self: a statement
 * @index: number of a parameter, from 0
 *
 * Gives the name of a parameter.
 *
 * Returns: (transfer none) (nullable): the name without its colon; %NULL for a `?`
 *
 * Since: 0.1
 */
const gchar *kvsql_statement_get_parameter_name (KvsqlStatement *self, guint index);

/**
 * kvsql_statement_get_parameter_type:
 * @self: a statement
 * @index: number of a parameter, from 0
 *
 * Gives the type as which a parameter is compared or stored, for kvsql_params_add_text(). kvsqld
 * 0.1 does not say it: it converts each value to the type of its place.
 *
 * Returns: the type; %KVSQL_COLUMN_TYPE_NULL if kvsqld accepts any type
 *
 * Since: 0.1
 */
KvsqlColumnType kvsql_statement_get_parameter_type (KvsqlStatement *self, guint index);

/**
 * kvsql_statement_get_n_columns:
 * @self: a statement
 *
 * Gives the number of columns of the result. It is known for SELECT, INSERT, UPDATE and DELETE. For
 * the other statements ask the result, by kvsql_result_get_n_columns().
 *
 * Returns: the number of columns; 0 if the statement returns no rows, and for other statements
 *
 * Since: 0.1
 */
guint kvsql_statement_get_n_columns (KvsqlStatement *self);

/**
 * kvsql_statement_get_column_name:
 * @self: a statement
 * @column: from 0
 *
 * Gives the name of a column of the result.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const gchar *kvsql_statement_get_column_name (KvsqlStatement *self, guint column);

/**
 * kvsql_statement_get_column_type:
 * @self: a statement
 * @column: from 0
 *
 * Gives the type of a column of the result. The type that a result has may be another one: it can
 * depend on the values of the parameters, see kvsql_result_get_column_type().
 *
 * Returns: the type
 *
 * Since: 0.1
 */
KvsqlColumnType kvsql_statement_get_column_type (KvsqlStatement *self, guint column);

/**
 * kvsql_statement_execute:
 * @self: a statement
 * @params: (nullable): a value for each of its `?` or `:name`, and no other values
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL; has the position in the statement
 *
 * Runs the statement and reads the first page of its result. Blocks. If kvsqld does not know the
 * statement any more, it is prepared again and executed, which are two more calls.
 *
 * Errors: those of kvsql_connection_query(). %KVSQL_CLIENT_ERROR_INVALID if a value is missing, or
 * is for no parameter. %KVSQL_CLIENT_ERROR_CONFLICT if the statement has another number of
 * parameters than at its first prepare.
 *
 * Returns: (transfer full): the result, or %NULL with @error set
 *
 * Since: 0.1
 */
KvsqlResult *kvsql_statement_execute (KvsqlStatement *self, KvsqlParams *params,
                                      GCancellable *cancellable, GError **error);

/**
 * kvsql_statement_execute_async:
 * @self: a statement
 * @params: (nullable): a value for each of its `?` or `:name`, and no other values; must not
 * change until the call has finished
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_statement_execute().
 *
 * Since: 0.1
 */
void kvsql_statement_execute_async (KvsqlStatement *self, KvsqlParams *params,
                                    GCancellable *cancellable, GAsyncReadyCallback callback,
                                    gpointer user_data);

/**
 * kvsql_statement_execute_finish:
 * @self: a statement
 * @result: the argument of the callback
 * @error: return location, or %NULL; has the position in the statement
 *
 * Ends kvsql_statement_execute_async(). Errors: those of kvsql_statement_execute().
 *
 * Returns: (transfer full): the result, or %NULL with @error set
 *
 * Since: 0.1
 */
KvsqlResult *kvsql_statement_execute_finish (KvsqlStatement *self, GAsyncResult *result,
                                             GError **error);

/**
 * kvsql_statement_resume:
 * @self: a statement
 * @cursor: a cursor of kvsql_result_get_cursor() for a result of the same statement text, or of
 * kvsql_statement_partition(), possibly from another process
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Continues a result after the page of the cursor, with the same parameters. Blocks. Rows of one
 * relation in key order continue after the key of the last row, whatever was written in the
 * meantime. If rows are sorted, grouped or joined, or several tuples share a row of the store, the
 * cursor counts rows to skip, which is correct only if these rows have not changed.
 *
 * Errors: those of a call. %KVSQL_CLIENT_ERROR_BAD_CURSOR if the definitions have changed, or if
 * the bytes are not a cursor of this registry: run the statement again.
 *
 * Returns: (transfer full): the rest of the result, or %NULL with @error set
 *
 * Since: 0.1
 */
KvsqlResult *kvsql_statement_resume (KvsqlStatement *self, GBytes *cursor,
                                     GCancellable *cancellable, GError **error);

/**
 * kvsql_statement_partition:
 * @self: a SELECT
 * @params: (nullable): values of its `?` or `:name`
 * @n_parts: the approximate number of parts, 1 or more; kvsqld makes about 1,000 at most
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Divides a result into parts of about the same size that several connections or processes can read
 * in parallel. Blocks. Start each part with kvsql_statement_resume() and read it like any result.
 * Read one after the other, the parts contain the rows of kvsql_statement_execute(), each row once
 * and in the same order.
 *
 * Rows of one relation can be divided, with any WHERE. Not divisible are results for which ORDER
 * BY, GROUP BY, DISTINCT, LIMIT, OFFSET, a join or a subquery needs all rows, and tuples that are
 * scattered over rows of the store.
 *
 * Errors: those of kvsql_statement_execute(). %KVSQL_CLIENT_ERROR_UNSUPPORTED if kvsqld is older
 * than this function.
 *
 * Returns: (transfer full) (element-type GBytes): a cursor for each part, in order; an empty array
 * if the result is not divisible; %NULL with @error set. The array frees its cursors.
 *
 * Since: 0.1
 */
GPtrArray *kvsql_statement_partition (KvsqlStatement *self, KvsqlParams *params, guint n_parts,
                                      GCancellable *cancellable, GError **error);

G_END_DECLS
