/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-result.h: the rows that a statement gives.
 *
 * Rows come in pages, each a vector per column. Read them row by row:
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
 * The first page is there from the start; the others are fetched, one ahead of what is read.
 * A result keeps its connection alive; the last reference gives up what is unread.
 *
 * Ownership: texts, bytes and vectors belong to the result and live until the next row
 * (kvsql_result_get_text()) or the next page (the others).
 * Threads: a result belongs to one thread at a time.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_RESULT (kvsql_result_get_type ())
G_DECLARE_FINAL_TYPE (KvsqlResult, kvsql_result, KVSQL, RESULT, GObject)

/* ---- what kind of result it is */

/**
 * kvsql_result_get_n_columns:
 * @self: a result
 *
 * Returns: how many columns; 0 for a statement that gives no rows
 */
guint kvsql_result_get_n_columns (KvsqlResult *self);
const gchar *kvsql_result_get_column_name (KvsqlResult *self, guint column);
KvsqlColumnType kvsql_result_get_column_type (KvsqlResult *self, guint column);
gboolean kvsql_result_get_column_nullable (KvsqlResult *self, guint column);

/**
 * kvsql_result_get_column_relation:
 * @self: a result
 * @column: from 0
 *
 * Returns: (transfer none) (nullable): the relation whose attribute it is, %NULL for an expression
 */
const gchar *kvsql_result_get_column_relation (KvsqlResult *self, guint column);

/**
 * kvsql_result_find_column:
 * @self: a result
 * @name: its name; case is disregarded if there is no exact match
 *
 * Returns: its number, or -1
 */
gint kvsql_result_find_column (KvsqlResult *self, const gchar *name);

/**
 * kvsql_result_get_affected:
 * @self: a result
 *
 * Returns: how many tuples were written or deleted, or -1 if that means nothing here
 */
gint64 kvsql_result_get_affected (KvsqlResult *self);

/**
 * kvsql_result_get_warnings:
 * @self: a result
 *
 * Returns: (transfer none) (array zero-terminated=1): what kvsqld wants known about the pages so
 * far; what begins with "note: " is only told
 */
const gchar *const *kvsql_result_get_warnings (KvsqlResult *self);

/* ---- row by row */

/**
 * kvsql_result_next:
 * @self: a result
 * @error: return location; set if it is not the end
 *
 * Goes to the next row, fetching a page where that is needed. Before the first call there is no
 * row.
 *
 * Returns: %FALSE at the end, and on an error
 */
gboolean kvsql_result_next (KvsqlResult *self, GError **error);

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
 * @out_size: (out): how many bytes
 *
 * For BYTES, and for whatever kvsql_result_get_string() serves.
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
 * Any type as text that kvsqld reads back: 2024-02-29, 2024-02-29T12:00:00.000Z, x'00ff', true,
 * 0.1.
 *
 * Returns: (transfer none) (nullable): the text, until the next row; %NULL for NULL
 */
const gchar *kvsql_result_get_text (KvsqlResult *self, guint column);

/* ---- page by page */

/**
 * kvsql_result_next_page:
 * @self: a result
 * @cancellable: (nullable): a #GCancellable
 * @error: return location; set if it is not the end
 *
 * Leaves the page, rows not yet read included, and fetches the next. kvsql_result_next() then
 * begins with its first row. A page may have no rows.
 *
 * Returns: %FALSE at the end, and on an error
 */
gboolean kvsql_result_next_page (KvsqlResult *self, GCancellable *cancellable, GError **error);
void kvsql_result_next_page_async (KvsqlResult *self, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);
gboolean kvsql_result_next_page_finish (KvsqlResult *self, GAsyncResult *result, GError **error);

/**
 * kvsql_result_is_last_page:
 * @self: a result
 *
 * Returns: whether there is nothing left to fetch, so that kvsql_result_next() never blocks
 */
gboolean kvsql_result_is_last_page (KvsqlResult *self);

/**
 * kvsql_result_get_cursor:
 * @self: a result
 *
 * For kvsql_statement_resume(): what comes behind this page. It may be kept as long as one likes,
 * and is good for any connection to a kvsqld of the same registry, while the definitions stay the
 * same.
 *
 * Returns: (transfer none) (nullable): opaque bytes, until the next page; %NULL if this is the last
 */
GBytes *kvsql_result_get_cursor (KvsqlResult *self);

/**
 * kvsql_result_get_progress:
 * @self: a result
 *
 * A guess: kvsqld takes keys to lie evenly between the first and the last. Sorted, grouped and
 * joined rows come when all is read.
 *
 * Returns: how much of the result ends with this page, 0 to 1; -1 if that is not known, or
 *   kvsql_connection_set_progress() has not asked for it
 */
gdouble kvsql_result_get_progress (KvsqlResult *self);

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
 * Rows that are NULL have some value in this and the other vectors.
 *
 * Returns: (transfer none) (array length=out_n_rows) (nullable): 0 or 1 for each row; %NULL if the
 * column is not made of booleans, or of NULLs only
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
 * @out_n_offsets: (out): how many offsets
 *
 * Row r lies at `bytes + offsets[r]`, has `offsets[r + 1] - offsets[r] - 1` bytes, and a NUL behind
 * them.
 *
 * Returns: (transfer none) (nullable): the bytes of all rows of STRING, BYTES, DECIMAL, MAP, LIST
 */
const gchar *kvsql_result_get_bytes_column (KvsqlResult *self, guint column,
                                            const guint32 **out_offsets, gsize *out_n_offsets);

G_END_DECLS
