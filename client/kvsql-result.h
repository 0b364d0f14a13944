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
 * A new result has its first page. When a quarter of it was read, or the second page was asked for,
 * the next page is fetched in the background, and so is each page after that. A result holds a
 * reference to its connection. After the last g_object_unref(), the next call on the connection
 * closes the unread rest in kvsqld.
 *
 * Columns are numbered from 0. A function that returns a value never blocks and never fails: for a
 * NULL, and for a column of another type, it returns 0, %FALSE or %NULL.
 *
 * Units: a DATE is a number of days since 1970-01-01, a TIMESTAMP a number of milliseconds since
 * 1970-01-01T00:00:00Z. Both may be negative.
 *
 * Ownership: texts, bytes and vectors belong to the result. They are valid until the next row
 * (kvsql_result_get_text()), until the next page (other values, vectors and the cursor), or as long
 * as the result (names of columns).
 *
 * Threads: a result belongs to one thread at a time. The page that is fetched in the background has
 * a turn on the connection like any other call.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

/**
 * KVSQL_TYPE_RESULT:
 *
 * The #GType of #KvsqlResult. KVSQL_RESULT() and KVSQL_IS_RESULT() are the usual cast and check.
 *
 * Since: 0.1
 */
#define KVSQL_TYPE_RESULT (kvsql_result_get_type ())

/**
 * kvsql_result_get_type:
 *
 * The function of the macro %KVSQL_TYPE_RESULT.
 *
 * Returns: the type
 *
 * Since: 0.1
 */
G_DECLARE_FINAL_TYPE (KvsqlResult, kvsql_result, KVSQL, RESULT, GObject)

/* ---- columns and facts of the result */

/**
 * kvsql_result_get_n_columns:
 * @self: a result
 *
 * Gives the number of columns.
 *
 * Returns: the number of columns; 0 for a statement that returns no rows
 *
 * Since: 0.1
 */
guint kvsql_result_get_n_columns (KvsqlResult *self);

/**
 * kvsql_result_get_column_name:
 * @self: a result
 * @column: from 0
 *
 * Gives the name of a column.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.1
 */
const gchar *kvsql_result_get_column_name (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_column_type:
 * @self: a result
 * @column: from 0
 *
 * Gives the type of a column. It may be a number that is not in #KvsqlColumnType.
 *
 * Returns: the type
 *
 * Since: 0.1
 */
KvsqlColumnType kvsql_result_get_column_type (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_column_nullable:
 * @self: a result
 * @column: from 0
 *
 * Says whether a column may contain NULLs.
 *
 * Returns: %TRUE if it may
 *
 * Since: 0.1
 */
gboolean kvsql_result_get_column_nullable (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_column_relation:
 * @self: a result
 * @column: from 0
 *
 * Gives the relation whose attribute the column is.
 *
 * Returns: (transfer none) (nullable): the name of the relation; %NULL for an expression
 *
 * Since: 0.1
 */
const gchar *kvsql_result_get_column_relation (KvsqlResult *self, guint column);

/**
 * kvsql_result_find_column:
 * @self: a result
 * @name: the name of a column
 *
 * Finds a column by its name. If no name is exactly equal, the case of ASCII letters is ignored. If
 * several columns have the name, it is the first of them.
 *
 * Returns: the number of the column, or -1
 *
 * Since: 0.1
 */
gint kvsql_result_find_column (KvsqlResult *self, const gchar *name);

/**
 * kvsql_result_get_affected:
 * @self: a result
 *
 * Gives the number of tuples that the statement has written or deleted.
 *
 * Returns: a number of tuples; -1 if the statement writes no tuples
 *
 * Since: 0.1
 */
gint64 kvsql_result_get_affected (KvsqlResult *self);

/**
 * kvsql_result_get_warnings:
 * @self: a result
 *
 * Gives the warnings of kvsqld about the pages so far. A text that begins with "note: " is only
 * information. The array is valid until the next page.
 *
 * Returns: (transfer none) (array zero-terminated=1): the warnings, which may be none
 *
 * Since: 0.1
 */
const gchar *const *kvsql_result_get_warnings (KvsqlResult *self);

/* ---- row by row */

/**
 * kvsql_result_next:
 * @self: a result
 * @error: return location; not set at the end
 *
 * Goes to the next row, and fetches a page if necessary. Before the first call there is no current
 * row. Blocks only if the next page has not arrived yet. It cannot be cancelled: see
 * kvsql_result_next_page() for a form that can.
 *
 * Errors: those of kvsql_result_next_page(). There is no current row then. The next call tries
 * again to fetch the page, so no row is lost.
 *
 * Returns: %TRUE if there is a row; %FALSE at the end, and with @error set on an error
 *
 * Since: 0.1
 */
gboolean kvsql_result_next (KvsqlResult *self, GError **error);

/**
 * kvsql_result_is_null:
 * @self: a result
 * @column: from 0
 *
 * Says whether a value of the current row is NULL.
 *
 * Returns: %TRUE for a NULL
 *
 * Since: 0.1
 */
gboolean kvsql_result_is_null (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_boolean:
 * @self: a result
 * @column: from 0
 *
 * Gives a BOOLEAN of the current row.
 *
 * Returns: the value; %FALSE for NULL and for a column of another type
 *
 * Since: 0.1
 */
gboolean kvsql_result_get_boolean (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_int64:
 * @self: a result
 * @column: from 0
 *
 * Gives an INT, BIGINT, DATE (days), TIMESTAMP (milliseconds) or BOOLEAN (0 or 1) of the current
 * row.
 *
 * Returns: the value; 0 for NULL and for a column of another type
 *
 * Since: 0.1
 */
gint64 kvsql_result_get_int64 (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_double:
 * @self: a result
 * @column: from 0
 *
 * Gives a FLOAT or DOUBLE of the current row, or, rounded to the nearest double, an INT, BIGINT,
 * DATE (days), TIMESTAMP (milliseconds) or DECIMAL.
 *
 * Returns: the value; 0 for NULL and for a column of another type
 *
 * Since: 0.1
 */
gdouble kvsql_result_get_double (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_string:
 * @self: a result
 * @column: from 0
 *
 * Gives a STRING, DECIMAL, MAP or LIST of the current row, as UTF-8.
 *
 * Returns: (transfer none) (nullable): the text, ending with NUL, until the next page; %NULL for
 * NULL and for a column of another type
 *
 * Since: 0.1
 */
const gchar *kvsql_result_get_string (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_bytes:
 * @self: a result
 * @column: from 0
 * @out_size: (out) (optional): number of bytes
 *
 * Gives BYTES of the current row, or the text of all types of kvsql_result_get_string(). A NUL byte
 * that is not counted follows the bytes.
 *
 * Returns: (transfer none) (array length=out_size) (element-type guint8) (nullable): the bytes,
 * until the next page; %NULL, with a size of 0, for NULL and for a column of another type
 *
 * Since: 0.1
 */
const guint8 *kvsql_result_get_bytes (KvsqlResult *self, guint column, gsize *out_size);

/**
 * kvsql_result_get_text:
 * @self: a result
 * @column: from 0
 *
 * Gives a value of any type of the current row, as text that kvsqld reads back: 2024-02-29,
 * 2024-02-29T12:00:00.000Z, x'00ff', true, 0.1. A date or time outside of the years 1 to 9999 is
 * the number that kvsql_result_get_int64() returns.
 *
 * Returns: (transfer none) (nullable): the text, until the next row; %NULL for NULL
 *
 * Since: 0.1
 */
const gchar *kvsql_result_get_text (KvsqlResult *self, guint column);

/* ---- page by page */

/**
 * kvsql_result_next_page:
 * @self: a result
 * @cancellable: (nullable): a #GCancellable
 * @error: return location; not set at the end
 *
 * Leaves the current page, with the rows that were not read, and fetches the next one. Blocks only
 * if that has not arrived yet. kvsql_result_next() then begins with its first row. A page may have
 * no rows. At the end and after an error the current page stays.
 *
 * Errors: those of a call, and those of the statement. %KVSQL_CLIENT_ERROR_BAD_CURSOR if a
 * definition has changed: run the statement again. After another error, and after a cancelled wait,
 * the function can be called again.
 *
 * Returns: %TRUE if there is a page; %FALSE at the end, and with @error set on an error
 *
 * Since: 0.1
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
 *
 * Since: 0.1
 */
void kvsql_result_next_page_async (KvsqlResult *self, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);

/**
 * kvsql_result_next_page_finish:
 * @self: a result
 * @result: the argument of the callback
 * @error: return location; not set at the end
 *
 * Ends kvsql_result_next_page_async(). Errors: those of kvsql_result_next_page().
 *
 * Returns: %TRUE if there is a page; %FALSE at the end, and with @error set on an error
 *
 * Since: 0.1
 */
gboolean kvsql_result_next_page_finish (KvsqlResult *self, GAsyncResult *result, GError **error);

/**
 * kvsql_result_is_last_page:
 * @self: a result
 *
 * Says whether there are no more pages to fetch. kvsql_result_next() then never blocks.
 *
 * Returns: %TRUE for the last page
 *
 * Since: 0.1
 */
gboolean kvsql_result_is_last_page (KvsqlResult *self);

/**
 * kvsql_result_get_cursor:
 * @self: a result
 *
 * Gives the position after this page, for kvsql_statement_resume(). Its bytes can be stored for any
 * time, and are valid for any connection to a kvsqld of the same registry as long as the
 * definitions do not change. They contain the statement and the values of its parameters. The
 * cursor of a statement of more than 64 KiB does not: it is valid only while kvsqld keeps it in
 * memory.
 *
 * Returns: (transfer none) (nullable): opaque bytes, until the next page; %NULL for the last page
 *
 * Since: 0.1
 */
GBytes *kvsql_result_get_cursor (KvsqlResult *self);

/**
 * kvsql_result_get_progress:
 * @self: a result
 *
 * Estimates how much of the result was fetched. kvsqld assumes that keys are evenly distributed
 * between the first and the last. Sorted, grouped and joined rows arrive after everything was read.
 *
 * Returns: the part of the result up to the end of this page, 0 to 1; 1 for the last page; -1 if it
 * is unknown, or if kvsql_connection_set_progress() was not called
 *
 * Since: 0.1
 */
gdouble kvsql_result_get_progress (KvsqlResult *self);

/**
 * kvsql_result_get_n_page_rows:
 * @self: a result
 *
 * Gives the number of rows of the current page.
 *
 * Returns: a number of rows
 *
 * Since: 0.1
 */
guint kvsql_result_get_n_page_rows (KvsqlResult *self);

/**
 * kvsql_result_get_null_column:
 * @self: a result
 * @column: from 0
 * @out_n_bytes: (out) (optional): bytes of the bitmap: a bit for each row, rounded up
 *
 * Gives the NULLs of a column on this page, as a bitmap. Row r is bit r % 8, from the least
 * significant, of byte r / 8. A set bit is a NULL.
 *
 * Returns: (transfer none) (array length=out_n_bytes) (nullable): the bitmap, until the next page;
 * %NULL if no row is NULL
 *
 * Since: 0.1
 */
const guint8 *kvsql_result_get_null_column (KvsqlResult *self, guint column, gsize *out_n_bytes);

/**
 * kvsql_result_get_boolean_column:
 * @self: a result
 * @column: from 0
 * @out_n_rows: (out) (optional): rows of the page
 *
 * Gives the BOOLEANs of a column on this page. Rows that are NULL have an arbitrary value in this
 * and the other vectors.
 *
 * Returns: (transfer none) (array length=out_n_rows) (nullable): 0 or 1 for each row, until the
 * next page; %NULL, with 0 rows, for a column of another type, and
 * possibly for one with only NULLs
 *
 * Since: 0.1
 */
const guint8 *kvsql_result_get_boolean_column (KvsqlResult *self, guint column, gsize *out_n_rows);

/**
 * kvsql_result_get_int64_column:
 * @self: a result
 * @column: from 0
 * @out_n_rows: (out) (optional): rows of the page
 *
 * Gives the values of a column on this page, for INT, BIGINT, DATE (days) and TIMESTAMP
 * (milliseconds).
 *
 * Returns: (transfer none) (array length=out_n_rows) (nullable): a value for each row, until the
 * next page; %NULL, with 0 rows, for a column of another type, and
 * possibly for one with only NULLs
 *
 * Since: 0.1
 */
const gint64 *kvsql_result_get_int64_column (KvsqlResult *self, guint column, gsize *out_n_rows);

/**
 * kvsql_result_get_double_column:
 * @self: a result
 * @column: from 0
 * @out_n_rows: (out) (optional): rows of the page
 *
 * Gives the values of a column on this page, for FLOAT and DOUBLE.
 *
 * Returns: (transfer none) (array length=out_n_rows) (nullable): a value for each row, until the
 * next page; %NULL, with 0 rows, for a column of another type, and
 * possibly for one with only NULLs
 *
 * Since: 0.1
 */
const gdouble *kvsql_result_get_double_column (KvsqlResult *self, guint column, gsize *out_n_rows);

/**
 * kvsql_result_get_bytes_column:
 * @self: a result
 * @column: from 0
 * @out_offsets: (out) (optional) (transfer none) (array length=out_n_offsets): where each value
 * begins; one more than rows
 * @out_n_offsets: (out) (optional): number of offsets
 *
 * Gives the values of a column on this page, for STRING, BYTES, DECIMAL, MAP, LIST, UUID, JSON and
 * JSONB. Row r begins at `bytes + offsets[r]` and has `offsets[r + 1] - offsets[r] - 1` bytes,
 * followed by a NUL byte.
 *
 * Returns: (transfer none) (nullable): the bytes of all rows, until the next page; %NULL, with 0
 * offsets, for a column of another type, and possibly for one with only NULLs
 *
 * Since: 0.1
 */
const gchar *kvsql_result_get_bytes_column (KvsqlResult *self, guint column,
                                            const guint32 **out_offsets, gsize *out_n_offsets);

G_END_DECLS
