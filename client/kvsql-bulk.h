/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-bulk.h: many tuples at once, column by column.
 *
 * Values are appended to each column; when all have the same length they are sent,
 * in as many requests as their size asks for. Each tuple is written as INSERT would.
 * A load of many rows sends some thousand at a time (kvsql_bulk_send()).
 *
 * Threads: a bulk belongs to one thread at a time, and to an asynchronous insert while that is
 * under way.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_BULK (kvsql_bulk_get_type ())
G_DECLARE_FINAL_TYPE (KvsqlBulk, kvsql_bulk, KVSQL, BULK, GObject)

/**
 * kvsql_bulk_new:
 * @connection: where to send to
 * @relation: name of a relation
 * @columns: (array zero-terminated=1): names of its attributes, at least one
 *
 * Returns: (transfer full): a bulk without rows
 */
KvsqlBulk *kvsql_bulk_new (KvsqlConnection *connection, const gchar *relation,
                           const gchar *const *columns);

/*
 * Append one value to @column (from 0). All values of a column are of one kind; one of another
 * kind makes the insert fail. Text serves for DECIMAL, DATE and TIMESTAMP too.
 */
void kvsql_bulk_append_null (KvsqlBulk *self, guint column);
void kvsql_bulk_append_boolean (KvsqlBulk *self, guint column, gboolean value);
void kvsql_bulk_append_int64 (KvsqlBulk *self, guint column, gint64 value);
void kvsql_bulk_append_double (KvsqlBulk *self, guint column, gdouble value);
void kvsql_bulk_append_string (KvsqlBulk *self, guint column, const gchar *value);

/**
 * kvsql_bulk_append_bytes:
 * @self: a bulk
 * @column: from 0
 * @value: (array length=size) (element-type guint8): bytes
 * @size: how many
 */
void kvsql_bulk_append_bytes (KvsqlBulk *self, guint column, gconstpointer value, gsize size);

/**
 * kvsql_bulk_append_text:
 * @self: a bulk
 * @column: from 0
 * @type: what @text is to be read as: the type of the attribute
 * @text: (array length=size): the text form of a value of @type, as kvsql_result_get_text() gives
 * it
 * @size: how many bytes it has
 * @error: return location, or %NULL
 *
 * For programs that take values as text, from a file or a form. DATE, TIMESTAMP, DECIMAL, MAP and
 * LIST travel as text and kvsqld reads them.
 *
 * Returns: %FALSE with @error set, and nothing appended, if @text is no value of @type
 */
gboolean kvsql_bulk_append_text (KvsqlBulk *self, guint column, KvsqlColumnType type,
                                 const gchar *text, gsize size, GError **error);

/**
 * kvsql_bulk_append_int64s:
 * @self: a bulk
 * @column: from 0
 * @values: (array length=n_values): values
 * @n_values: how many
 */
void kvsql_bulk_append_int64s (KvsqlBulk *self, guint column, const gint64 *values, gsize n_values);

/**
 * kvsql_bulk_append_doubles:
 * @self: a bulk
 * @column: from 0
 * @values: (array length=n_values): values
 * @n_values: how many
 */
void kvsql_bulk_append_doubles (KvsqlBulk *self, guint column, const gdouble *values,
                                gsize n_values);

/**
 * kvsql_bulk_get_n_rows:
 * @self: a bulk
 *
 * Returns: how many rows its longest column has: those that are not known to be written
 */
gsize kvsql_bulk_get_n_rows (KvsqlBulk *self);

/**
 * kvsql_bulk_clear:
 * @self: a bulk
 *
 * Takes all values away, and what they fixed about the columns. What was sent may still be written.
 */
void kvsql_bulk_clear (KvsqlBulk *self);

/**
 * kvsql_bulk_send:
 * @self: a bulk
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Sends all rows and does not wait for the answer, so that the bulk can be filled anew while kvsqld
 * writes. The answer to the sending before is waited for, and its error is told here. Then its rows
 * that were not acknowledged are back, in front of those that were appended since. Of these none
 * was written before those in front were: a few rows are sent before the answer has come, but
 * kvsqld writes nothing behind what failed. A wait that is cancelled loses nothing: what was sent
 * stays under way.
 *
 * End with kvsql_bulk_insert(), which waits for what is under way. Other calls of the connection
 * wait for it too. A bulk that is freed before waits for nothing, and what it has sent may be
 * written or not.
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
 * Sends all rows and waits until they are written, those of kvsql_bulk_send() too. Those that
 * kvsqld has acknowledged leave the bulk, so that after an error the rest can be sent again, or
 * looked at. The timeout holds for each request.
 *
 * Returns: how many tuples were written since the last insert that went well, or -1 with @error set
 */
gint64 kvsql_bulk_insert (KvsqlBulk *self, GCancellable *cancellable, GError **error);
void kvsql_bulk_insert_async (KvsqlBulk *self, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
gint64 kvsql_bulk_insert_finish (KvsqlBulk *self, GAsyncResult *result, GError **error);

G_END_DECLS
