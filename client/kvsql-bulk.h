/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-bulk.h: inserts many tuples at once, column by column.
 *
 * Append values to each column. When all columns have the same length, the rows can be sent;
 * libkvsql splits them into as many requests as their size requires. Each tuple is written as by
 * INSERT. To load many rows, send some thousand rows at a time (kvsql_bulk_send()).
 *
 * Threads: a bulk belongs to one thread at a time, and to an asynchronous insert until that is
 * finished.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_BULK (kvsql_bulk_get_type ())
G_DECLARE_FINAL_TYPE (KvsqlBulk, kvsql_bulk, KVSQL, BULK, GObject)

/**
 * kvsql_bulk_new:
 * @connection: the connection to send over
 * @relation: name of a relation
 * @columns: (array zero-terminated=1): names of its attributes, at least one
 *
 * Returns: (transfer full): a bulk without rows
 */
KvsqlBulk *kvsql_bulk_new (KvsqlConnection *connection, const gchar *relation,
                           const gchar *const *columns);

/**
 * kvsql_bulk_append_null:
 * @self: a bulk
 * @column: from 0
 *
 * Appends a NULL to the column. See kvsql_bulk_append_string() for the kinds of values.
 */
void kvsql_bulk_append_null (KvsqlBulk *self, guint column);

/**
 * kvsql_bulk_append_boolean:
 * @self: a bulk
 * @column: from 0
 * @value: a boolean
 *
 * Appends a value to the column.
 */
void kvsql_bulk_append_boolean (KvsqlBulk *self, guint column, gboolean value);

/**
 * kvsql_bulk_append_int64:
 * @self: a bulk
 * @column: from 0
 * @value: an integer, for INT, BIGINT, DATE (days since 1970-01-01) and TIMESTAMP (milliseconds
 *   since then)
 *
 * Appends a value to the column.
 */
void kvsql_bulk_append_int64 (KvsqlBulk *self, guint column, gint64 value);

/**
 * kvsql_bulk_append_double:
 * @self: a bulk
 * @column: from 0
 * @value: a number
 *
 * Appends a value to the column.
 */
void kvsql_bulk_append_double (KvsqlBulk *self, guint column, gdouble value);

/**
 * kvsql_bulk_append_string:
 * @self: a bulk
 * @column: from 0
 * @value: UTF-8 text
 *
 * Appends a value to the column. All values of a column must have the same kind, or the insert
 * fails. Text is valid for STRING, DECIMAL, DATE and TIMESTAMP.
 */
void kvsql_bulk_append_string (KvsqlBulk *self, guint column, const gchar *value);

/**
 * kvsql_bulk_append_bytes:
 * @self: a bulk
 * @column: from 0
 * @value: (array length=size) (element-type guint8): bytes
 * @size: number of bytes
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
 * For programs that get their values as text, from a file or a form. DATE, TIMESTAMP, DECIMAL, MAP
 * and LIST are sent as text and read by kvsqld.
 *
 * Returns: %FALSE with @error set, and nothing appended, if @text is not a value of @type
 */
gboolean kvsql_bulk_append_text (KvsqlBulk *self, guint column, KvsqlColumnType type,
                                 const gchar *text, gsize size, GError **error);

/**
 * kvsql_bulk_append_int64s:
 * @self: a bulk
 * @column: from 0
 * @values: (array length=n_values): values
 * @n_values: number of values
 */
void kvsql_bulk_append_int64s (KvsqlBulk *self, guint column, const gint64 *values, gsize n_values);

/**
 * kvsql_bulk_append_doubles:
 * @self: a bulk
 * @column: from 0
 * @values: (array length=n_values): values
 * @n_values: number of values
 */
void kvsql_bulk_append_doubles (KvsqlBulk *self, guint column, const gdouble *values,
                                gsize n_values);

/**
 * kvsql_bulk_get_n_rows:
 * @self: a bulk
 *
 * Returns: the number of rows of its longest column, and of sent rows that are not acknowledged
 * yet: those that are not known to be written
 */
gsize kvsql_bulk_get_n_rows (KvsqlBulk *self);

/**
 * kvsql_bulk_clear:
 * @self: a bulk
 *
 * Removes all values, and the kinds of the columns. Rows that were already sent may still be
 * written.
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
 * After an error all rows without an acknowledgement are in the bulk again, before the rows that
 * were appended later. Of the later rows none is written if an earlier one failed: a small request
 * may be sent before the answer to the previous one has arrived, but kvsqld skips it if the
 * previous one failed. A cancelled wait loses nothing: the rows that were sent are still being
 * written.
 *
 * Finish with kvsql_bulk_insert(), which waits for all answers. Other calls on the connection wait
 * for them too. Freeing a bulk does not wait: the rows that it has sent may be written or not.
 *
 * Returns: %FALSE with @error set
 */
gboolean kvsql_bulk_send (KvsqlBulk *self, GCancellable *cancellable, GError **error);

/**
 * kvsql_bulk_insert:
 * @self: a bulk
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Sends all rows and waits until they are written, those of kvsql_bulk_send() too. Rows that kvsqld
 * has acknowledged are removed from the bulk, so after an error the caller can send the other rows
 * again, or look at them. The timeout applies to each request.
 *
 * Returns: the number of tuples written since the last successful insert, or -1 with @error set
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
 */
void kvsql_bulk_insert_async (KvsqlBulk *self, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);

/**
 * kvsql_bulk_insert_finish:
 * @self: a bulk
 * @result: the argument of the callback
 * @error: return location, or %NULL
 *
 * Returns: as kvsql_bulk_insert()
 */
gint64 kvsql_bulk_insert_finish (KvsqlBulk *self, GAsyncResult *result, GError **error);

G_END_DECLS
