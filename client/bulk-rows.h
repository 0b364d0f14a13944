/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bulk-rows.h: rows of a bulk, stored by column, and the requests that insert them.
 *
 * Threads: one at a time.
 */
#pragma once

#include "client/bulk-column.h"
#include "client/connection-private.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlBulkColumn *columns;
  guint n_columns;
} KvsqlBulkRows;

void _kvsql_bulk_rows_init (KvsqlBulkRows *self, guint n_columns);
void _kvsql_bulk_rows_clear (KvsqlBulkRows *self); /* frees all memory; init() may follow */

void _kvsql_bulk_rows_empty (KvsqlBulkRows *self); /* as after init() */

/* The number of rows of the longest column. */
gsize _kvsql_bulk_rows_count (const KvsqlBulkRows *self);

/* Checks that the rows can be sent: all columns have the same length, and each has one kind of
 * values. @names are the columns' names. */
gboolean _kvsql_bulk_rows_check (const KvsqlBulkRows *self, gchar **names,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Destination of the rows. */
typedef struct
{
  KvsqlConnection *connection;
  gchar *relation;
  gchar **names;
} KvsqlBulkTarget;

/**
 * _kvsql_bulk_rows_insert:
 * @out_written: the number of tuples that kvsqld has written
 *
 * Sends checked rows, in as many requests as their size requires. Rows that kvsqld has acknowledged
 * are removed from @self, also after an error.
 */
gboolean _kvsql_bulk_rows_insert (KvsqlBulkRows *self, const KvsqlBulkTarget *target,
                                  gint64 *out_written, GCancellable *cancellable,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same, but does not wait for the answer to the last request, whose rows stay in @self. NULL
 * means an error; or, without an error, that @after forbids it: see _kvsql_connection_begin(). With
 * @after the rows must be few. */
KvsqlPending *_kvsql_bulk_rows_begin (KvsqlBulkRows *self, const KvsqlBulkTarget *target,
                                      const KvsqlPending *after, gint64 *out_written,
                                      GCancellable *cancellable, GError **error);
/* Whether the rows are one small request, which fits into the socket's buffers while kvsqld is
 * busy. */
gboolean _kvsql_bulk_rows_are_few (const KvsqlBulkRows *self);
/* Removes the first @n rows after they are acknowledged. */
void _kvsql_bulk_rows_drop (KvsqlBulkRows *self, gsize n);

G_END_DECLS
