/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-result.h: the rows of a statement's result.
 *
 * Rows arrive in pages; a page has a vector for each column. Read row by row:
 *
 *   while (kvsql_result_next (result, &error))
 *     use (kvsql_result_get_string (result, 0), kvsql_result_get_int64 (result, 1));
 *   if (error != NULL) …
 *
 * or page by page, with whole vectors:
 *
 *   do
 *     use (kvsql_result_get_int64_column (result, 0, &n), n);
 *   while (kvsql_result_next_page (result, NULL, &error));
 *
 * A new result has its first page. The others are fetched, one page ahead of the reader. A result
 * holds a reference to its connection. Its last unref closes the unread rest.
 *
 * Ownership: texts, bytes and vectors belong to the result and are valid until the next row
 * (kvsql_result_get_text()) or the next page (the others). Threads: a result belongs to one thread
 * at a time.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_RESULT (kvsql_result_get_type ())
G_DECLARE_FINAL_TYPE (KvsqlResult, kvsql_result, KVSQL, RESULT, GObject)

/* ---- columns and facts of the result */

/**
 * kvsql_result_get_n_columns:
 * @self: a result
 *
 * Returns: the number of columns; 0 for a statement that returns no rows
 */
guint kvsql_result_get_n_columns (KvsqlResult *self);

/**
 * kvsql_result_get_column_name:
 * @self: a result
 * @column: from 0
 *
 * Returns: (transfer none): the name of the column
 */
const gchar *kvsql_result_get_column_name (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_column_type:
 * @self: a result
 * @column: from 0
 *
 * Returns: the type of the column
 */
KvsqlColumnType kvsql_result_get_column_type (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_column_nullable:
 * @self: a result
 * @column: from 0
 *
 * Returns: whether the column may contain NULLs
 */
gboolean kvsql_result_get_column_nullable (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_column_relation:
 * @self: a result
 * @column: from 0
 *
 * Returns: (transfer none) (nullable): the relation of the attribute, %NULL for an expression
 */
const gchar *kvsql_result_get_column_relation (KvsqlResult *self, guint column);

/**
 * kvsql_result_find_column:
 * @self: a result
 * @name: the name of a column; case is ignored if there is no exact match
 *
 * Returns: its number, or -1
 */
gint kvsql_result_find_column (KvsqlResult *self, const gchar *name);

/**
 * kvsql_result_get_affected:
 * @self: a result
 *
 * Returns: the number of tuples written or deleted, or -1 if the statement does not write
 */
gint64 kvsql_result_get_affected (KvsqlResult *self);

/**
 * kvsql_result_get_warnings:
 * @self: a result
 *
 * Returns: (transfer none) (array zero-terminated=1): the warnings of kvsqld about the pages so
 * far; a text that begins with "note: " is only information
 */
const gchar *const *kvsql_result_get_warnings (KvsqlResult *self);

/* ---- row by row */

/**
 * kvsql_result_next:
 * @self: a result
 * @error: return location; not set at the end
 *
 * Goes to the next row, and fetches a page if necessary. Before the first call there is no current
 * row.
 *
 * Returns: %FALSE at the end, and on an error
 */
gboolean kvsql_result_next (KvsqlResult *self, GError **error);

/**
 * kvsql_result_is_null:
 * @self: a result
 * @column: from 0
 *
 * Returns: whether the column is NULL in the current row
 */
gboolean kvsql_result_is_null (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_boolean:
 * @self: a result
 * @column: from 0
 *
 * Returns: the value; %FALSE for NULL and for a column of another type
 */
gboolean kvsql_result_get_boolean (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_int64:
 * @self: a result
 * @column: from 0
 *
 * For INT, BIGINT, DATE, TIMESTAMP and BOOLEAN.
 *
 * Returns: the value; 0 for NULL and for a column of another type
 */
gint64 kvsql_result_get_int64 (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_double:
 * @self: a result
 * @column: from 0
 *
 * For FLOAT, DOUBLE, and, rounded, for INT, BIGINT and DECIMAL.
 *
 * Returns: the value; 0 for NULL and for a column of another type
 */
gdouble kvsql_result_get_double (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_string:
 * @self: a result
 * @column: from 0
 *
 * For STRING, DECIMAL, MAP and LIST.
 *
 * Returns: (transfer none) (nullable): the text, ending with NUL; %NULL for NULL and for a column
 * of another type
 */
const gchar *kvsql_result_get_string (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_bytes:
 * @self: a result
 * @column: from 0
 * @out_size: (out): number of bytes
 *
 * For BYTES, and for all types of kvsql_result_get_string().
 *
 * Returns: (transfer none) (array length=out_size) (element-type guint8) (nullable): the bytes;
 *   %NULL for NULL and for a column of another type
 */
const guint8 *kvsql_result_get_bytes (KvsqlResult *self, guint column, gsize *out_size);

/**
 * kvsql_result_get_text:
 * @self: a result
 * @column: from 0
 *
 * A value of any type, as text that kvsqld reads back: 2024-02-29, 2024-02-29T12:00:00.000Z,
 * x'00ff', true, 0.1.
 *
 * Returns: (transfer none) (nullable): the text, until the next row; %NULL for NULL
 */
const gchar *kvsql_result_get_text (KvsqlResult *self, guint column);

/* ---- page by page */

/**
 * kvsql_result_next_page:
 * @self: a result
 * @cancellable: (nullable): a #GCancellable
 * @error: return location; not set at the end
 *
 * Leaves the current page, with the rows that were not read, and fetches the next one.
 * kvsql_result_next() then begins with its first row. A page may have no rows.
 *
 * Returns: %FALSE at the end, and on an error
 */
gboolean kvsql_result_next_page (KvsqlResult *self, GCancellable *cancellable, GError **error);

/**
 * kvsql_result_next_page_async:
 * @self: a result
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_result_next_page(). Do not use the result before the call has
 * finished.
 */
void kvsql_result_next_page_async (KvsqlResult *self, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);

/**
 * kvsql_result_next_page_finish:
 * @self: a result
 * @result: the argument of the callback
 * @error: return location; not set at the end
 *
 * Returns: as kvsql_result_next_page()
 */
gboolean kvsql_result_next_page_finish (KvsqlResult *self, GAsyncResult *result, GError **error);

/**
 * kvsql_result_is_last_page:
 * @self: a result
 *
 * Returns: whether there are no more pages to fetch; kvsql_result_next() then never blocks
 */
gboolean kvsql_result_is_last_page (KvsqlResult *self);

/**
 * kvsql_result_get_cursor:
 * @self: a result
 *
 * The position after this page, for kvsql_statement_resume(). It can be stored for any time, and is
 * valid for any connection to a kvsqld of the same registry as long as the definitions do not
 * change.
 *
 * Returns: (transfer none) (nullable): opaque bytes, until the next page; %NULL for the last page
 */
GBytes *kvsql_result_get_cursor (KvsqlResult *self);

/**
 * kvsql_result_get_progress:
 * @self: a result
 *
 * An estimate: kvsqld assumes that keys are evenly distributed between the first and the last.
 * Sorted, grouped and joined rows arrive after everything was read.
 *
 * Returns: the part of the result up to the end of this page, 0 to 1; -1 if it is unknown, or
 *   kvsql_connection_set_progress() was not called
 */
gdouble kvsql_result_get_progress (KvsqlResult *self);

/**
 * kvsql_result_get_n_page_rows:
 * @self: a result
 *
 * Returns: the number of rows of the current page
 */
guint kvsql_result_get_n_page_rows (KvsqlResult *self);

/**
 * kvsql_result_get_null_column:
 * @self: a result
 * @column: from 0
 * @out_n_bytes: (out): bytes of the bitmap
 *
 * Returns: (transfer none) (array length=out_n_bytes) (nullable): the page's bitmap, least
 * significant bit first: a set bit is a NULL; %NULL if no row is NULL
 */
const guint8 *kvsql_result_get_null_column (KvsqlResult *self, guint column, gsize *out_n_bytes);

/**
 * kvsql_result_get_boolean_column:
 * @self: a result
 * @column: from 0
 * @out_n_rows: (out): rows of the page
 *
 * Rows that are NULL have an arbitrary value in this and the other vectors.
 *
 * Returns: (transfer none) (array length=out_n_rows) (nullable): 0 or 1 for each row; %NULL if the
 * column is not boolean, or has only NULLs
 */
const guint8 *kvsql_result_get_boolean_column (KvsqlResult *self, guint column, gsize *out_n_rows);

/**
 * kvsql_result_get_int64_column:
 * @self: a result
 * @column: from 0
 * @out_n_rows: (out): rows of the page
 *
 * Returns: (transfer none) (array length=out_n_rows) (nullable): the values of INT, BIGINT, DATE,
 * TIMESTAMP
 */
const gint64 *kvsql_result_get_int64_column (KvsqlResult *self, guint column, gsize *out_n_rows);

/**
 * kvsql_result_get_double_column:
 * @self: a result
 * @column: from 0
 * @out_n_rows: (out): rows of the page
 *
 * Returns: (transfer none) (array length=out_n_rows) (nullable): the values of FLOAT, DOUBLE
 */
const gdouble *kvsql_result_get_double_column (KvsqlResult *self, guint column, gsize *out_n_rows);

/**
 * kvsql_result_get_bytes_column:
 * @self: a result
 * @column: from 0
 * @out_offsets: (out) (transfer none) (array length=out_n_offsets): where each value begins; one
 * more than rows
 * @out_n_offsets: (out): number of offsets
 *
 * Row r begins at `bytes + offsets[r]` and has `offsets[r + 1] - offsets[r] - 1` bytes, followed by
 * a NUL byte.
 *
 * Returns: (transfer none) (nullable): the bytes of all rows of STRING, BYTES, DECIMAL, MAP, LIST
 */
const gchar *kvsql_result_get_bytes_column (KvsqlResult *self, guint column,
                                            const guint32 **out_offsets, gsize *out_n_offsets);

G_END_DECLS
