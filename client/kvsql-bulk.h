/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-bulk.h: inserts many tuples at once, column by column.
 *
 * Append values to each column. When all columns have the same length, the rows can be sent;
 * libkvsql splits them into as many requests as their size requires: at most 10,000 rows and about
 * 4 MiB each. Each tuple is written as by a plain INSERT: it replaces the tuple of its key. So it
 * does no harm to send the same rows again. To load many rows, send some thousand rows at a time
 * (kvsql_bulk_send()).
 *
 * Kinds: the kinds of values are boolean, integer, double, text and bytes. All values of a column
 * must have the same kind, or be NULL. kvsqld converts them to the type of the attribute, as the
 * values of parameters, see kvsql-params.h. Columns are numbered from 0, in the order of
 * kvsql_bulk_new().
 *
 * Memory: a bulk copies its values. A column holds less than 2 GiB: a value beyond that is not
 * appended, and a critical message is logged.
 *
 * Threads: a bulk belongs to one thread at a time, and to an asynchronous insert until that is
 * finished.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

/**
 * KVSQL_TYPE_BULK:
 *
 * The #GType of #KvsqlBulk. KVSQL_BULK() and KVSQL_IS_BULK() are the usual cast and check.
 *
 * Since: 0.1
 */
#define KVSQL_TYPE_BULK (kvsql_bulk_get_type ())

/**
 * kvsql_bulk_get_type:
 *
 * The function of the macro %KVSQL_TYPE_BULK.
 *
 * Returns: the type
 *
 * Since: 0.1
 */
G_DECLARE_FINAL_TYPE (KvsqlBulk, kvsql_bulk, KVSQL, BULK, GObject)

/**
 * kvsql_bulk_new:
 * @connection: the connection to send over
 * @relation: name of a relation
 * @columns: (array zero-terminated=1): names of its attributes, at least one
 *
 * Makes a bulk without rows. It holds a reference to the connection. The names are not checked
 * before rows are sent. An attribute that is not named gets its DEFAULT or NULL.
 *
 * Returns: (transfer full): a bulk
 *
 * Since: 0.1
 */
KvsqlBulk *kvsql_bulk_new (KvsqlConnection *connection, const gchar *relation,
                           const gchar *const *columns);

/**
 * kvsql_bulk_append_null:
 * @self: a bulk
 * @column: from 0
 *
 * Appends a NULL to a column of any kind.
 *
 * Since: 0.1
 */
void kvsql_bulk_append_null (KvsqlBulk *self, guint column);

/**
 * kvsql_bulk_append_boolean:
 * @self: a bulk
 * @column: from 0
 * @value: a boolean
 *
 * Appends a boolean to a column.
 *
 * Since: 0.1
 */
void kvsql_bulk_append_boolean (KvsqlBulk *self, guint column, gboolean value);

/**
 * kvsql_bulk_append_int64:
 * @self: a bulk
 * @column: from 0
 * @value: an integer; days since 1970-01-01 for DATE, milliseconds since then for TIMESTAMP
 *
 * Appends an integer to a column.
 *
 * Since: 0.1
 */
void kvsql_bulk_append_int64 (KvsqlBulk *self, guint column, gint64 value);

/**
 * kvsql_bulk_append_double:
 * @self: a bulk
 * @column: from 0
 * @value: a number
 *
 * Appends a double to a column.
 *
 * Since: 0.1
 */
void kvsql_bulk_append_double (KvsqlBulk *self, guint column, gdouble value);

/**
 * kvsql_bulk_append_string:
 * @self: a bulk
 * @column: from 0
 * @value: UTF-8 text; use kvsql_bulk_append_null() for a NULL
 *
 * Appends a text to a column. It is checked when rows are sent: text that is not UTF-8 is
 * %KVSQL_CLIENT_ERROR_VALUE then.
 *
 * Since: 0.1
 */
void kvsql_bulk_append_string (KvsqlBulk *self, guint column, const gchar *value);

/**
 * kvsql_bulk_append_bytes:
 * @self: a bulk
 * @column: from 0
 * @value: (array length=size) (element-type guint8) (nullable): bytes; %NULL with a size of 0 is
 * the empty value, not NULL
 * @size: number of bytes
 *
 * Appends bytes to a column.
 *
 * Since: 0.1
 */
void kvsql_bulk_append_bytes (KvsqlBulk *self, guint column, gconstpointer value, gsize size);

/**
 * kvsql_bulk_append_text:
 * @self: a bulk
 * @column: from 0
 * @type: the type of the attribute, as which @text is read
 * @text: (array length=size): the text form of a value of @type, as kvsql_result_get_text() returns
 * it
 * @size: number of bytes of @text
 * @error: return location, or %NULL
 *
 * Appends a value that the program has as text, from a file or a form. BOOLEAN is true, t, false or
 * f. BYTES is x'00ff', or the bytes of any other text. DATE, TIMESTAMP, DECIMAL, MAP, LIST, UUID,
 * JSON and JSONB are sent as text and read by kvsqld, as is the text for a type that is not in
 * #KvsqlColumnType.
 *
 * Errors: %KVSQL_CLIENT_ERROR_VALUE if @text is not a value of @type, is not UTF-8, or has a NUL
 * byte. Nothing is appended then.
 *
 * Returns: %TRUE, or %FALSE with @error set
 *
 * Since: 0.1
 */
gboolean kvsql_bulk_append_text (KvsqlBulk *self, guint column, KvsqlColumnType type,
                                 const gchar *text, gsize size, GError **error);

/**
 * kvsql_bulk_append_int64s:
 * @self: a bulk
 * @column: from 0
 * @values: (array length=n_values): values
 * @n_values: number of values, 0 or more
 *
 * Appends several integers to a column, one for each row.
 *
 * Since: 0.1
 */
void kvsql_bulk_append_int64s (KvsqlBulk *self, guint column, const gint64 *values, gsize n_values);

/**
 * kvsql_bulk_append_doubles:
 * @self: a bulk
 * @column: from 0
 * @values: (array length=n_values): values
 * @n_values: number of values, 0 or more
 *
 * Appends several doubles to a column, one for each row.
 *
 * Since: 0.1
 */
void kvsql_bulk_append_doubles (KvsqlBulk *self, guint column, const gdouble *values,
                                gsize n_values);

/**
 * kvsql_bulk_get_n_rows:
 * @self: a bulk
 *
 * Gives the number of rows that are not known to be written: the rows of the longest column, and
 * the rows that were sent and are not acknowledged yet.
 *
 * Returns: a number of rows
 *
 * Since: 0.1
 */
gsize kvsql_bulk_get_n_rows (KvsqlBulk *self);

/**
 * kvsql_bulk_clear:
 * @self: a bulk
 *
 * Removes all values, and the kinds of the columns. Rows that were already sent may still be
 * written. Their errors are not reported.
 *
 * Since: 0.1
 */
void kvsql_bulk_clear (KvsqlBulk *self);

/**
 * kvsql_bulk_send:
 * @self: a bulk
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Sends all rows and does not wait for the answer, so that the bulk can be filled again while
 * kvsqld writes. Before that, it waits for the answer to the previous send and reports its error.
 * Blocks. If the rows need several requests, it waits for the answers to all but the last one.
 *
 * After an error all rows without an acknowledgement are in the bulk again, before the rows that
 * were appended later. Of the later rows none is written if an earlier one failed: a small request
 * may be sent before the answer to the previous one has arrived, but kvsqld skips it if the
 * previous one failed. A cancelled wait loses nothing: the rows that were sent are still being
 * written.
 *
 * Finish with kvsql_bulk_insert(), which waits for all answers. Other calls on the connection wait
 * for them too. Freeing a bulk does not wait: the rows that it has sent may be written or not.
 *
 * Errors: those of kvsql_bulk_insert().
 *
 * Returns: %TRUE if the rows were sent; %FALSE with @error set
 *
 * Since: 0.1
 */
gboolean kvsql_bulk_send (KvsqlBulk *self, GCancellable *cancellable, GError **error);

/**
 * kvsql_bulk_insert:
 * @self: a bulk
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Sends all rows and waits until they are written, those of kvsql_bulk_send() too. Blocks. The
 * timeout applies to each request. Rows that kvsqld has acknowledged are removed from the bulk, so
 * after an error the caller can send the other rows again, or look at them. Of the request that
 * failed, some rows may have been written: kvsql_client_error_get_detail() can say how many.
 *
 * Errors: those of a call. %KVSQL_CLIENT_ERROR_INVALID, before anything is sent, if columns have
 * different lengths or a column has values of different kinds. %KVSQL_CLIENT_ERROR_VALUE for text
 * that is not UTF-8, and for a value that the attribute or a layout cannot have.
 * %KVSQL_CLIENT_ERROR_UNKNOWN_NAME for the relation and its attributes,
 * %KVSQL_CLIENT_ERROR_TYPE for a value that cannot be converted, %KVSQL_CLIENT_ERROR_READ_ONLY on a
 * read-only connection, %KVSQL_CLIENT_ERROR_STORE of the store.
 *
 * Returns: the number of tuples written since the last successful insert, or -1 with @error set
 *
 * Since: 0.1
 */
gint64 kvsql_bulk_insert (KvsqlBulk *self, GCancellable *cancellable, GError **error);

/**
 * kvsql_bulk_insert_async:
 * @self: a bulk; do not use it before the call has finished
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_bulk_insert().
 *
 * Since: 0.1
 */
void kvsql_bulk_insert_async (KvsqlBulk *self, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);

/**
 * kvsql_bulk_insert_finish:
 * @self: a bulk
 * @result: the argument of the callback
 * @error: return location, or %NULL
 *
 * Ends kvsql_bulk_insert_async(). Errors: those of kvsql_bulk_insert().
 *
 * Returns: the number of tuples written since the last successful insert, or -1 with @error set
 *
 * Since: 0.1
 */
gint64 kvsql_bulk_insert_finish (KvsqlBulk *self, GAsyncResult *result, GError **error);

G_END_DECLS
