/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bulk-rows.h: rows kept column by column, and their way into a relation.
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
void _kvsql_bulk_rows_clear (KvsqlBulkRows *self); /* frees all; init() begins anew */

void _kvsql_bulk_rows_empty (KvsqlBulkRows *self); /* as after init() */

/* How many rows the longest column has. */
gsize _kvsql_bulk_rows_count (const KvsqlBulkRows *self);

/* Whether they can be sent: columns of equal length, each of one kind. @names are theirs. */
gboolean _kvsql_bulk_rows_check (const KvsqlBulkRows *self, gchar **names, GError **error);

/* Where to. */
typedef struct
{
  KvsqlConnection *connection;
  gchar *relation;
  gchar **names;
} KvsqlBulkTarget;

/**
 * _kvsql_bulk_rows_insert:
 * @out_written: how many tuples kvsqld says were written
 *
 * Sends rows that were checked, in as many requests as their size asks for. Those that kvsqld has
 * acknowledged are gone from @self, also after an error.
 */
gboolean _kvsql_bulk_rows_insert (KvsqlBulkRows *self, const KvsqlBulkTarget *target,
                                  gint64 *out_written, GCancellable *cancellable, GError **error);

/* The same, but the answer to the last request is still to come, and its rows are still in @self.
 * NULL, if there are rows: an error, or none because of @after: see _kvsql_connection_begin(). With
 * @after the rows must be few. */
KvsqlPending *_kvsql_bulk_rows_begin (KvsqlBulkRows *self, const KvsqlBulkTarget *target,
                                      const KvsqlPending *after, gint64 *out_written,
                                      GCancellable *cancellable, GError **error);
/* Whether they are one small request, which finds room on the way while kvsqld is busy. */
gboolean _kvsql_bulk_rows_are_few (const KvsqlBulkRows *self);
/* The first @n are acknowledged. */
void _kvsql_bulk_rows_drop (KvsqlBulkRows *self, gsize n);

G_END_DECLS
