/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bulk-column.h: the values of one attribute, row after row, kept as the wire wants them.
 *
 * Threads: one at a time.
 */
#pragma once

#include "client/page.h"

G_BEGIN_DECLS

/* Starts zeroed ({0}). */
typedef struct
{
  KvsqlCellKind kind; /* NONE: nothing but NULLs so far */
  gboolean is_mixed;  /* given values of several kinds: of no use */
  gsize n_rows;
  gsize n_nulls;
  KvsqlBuffer nulls;  /* a byte for each row, once there is a NULL; empty before */
  KvsqlBuffer values; /* gint64, gdouble or guint8 each; the bytes of TEXT and BYTES */
  KvsqlBuffer ends;   /* gsize: where each row of TEXT and BYTES ends in values */
} KvsqlBulkColumn;

void _kvsql_bulk_column_clear (KvsqlBulkColumn *self);

void _kvsql_bulk_column_append_null (KvsqlBulkColumn *self);
/* @n values of BOOLEAN, INT64 or DOUBLE. */
void _kvsql_bulk_column_append_fixed (KvsqlBulkColumn *self, KvsqlCellKind kind,
                                      gconstpointer values, gsize n);
/* One value of TEXT or BYTES. */
void _kvsql_bulk_column_append_variable (KvsqlBulkColumn *self, KvsqlCellKind kind,
                                         gconstpointer bytes, gsize size);
/* All rows of @other, which stays as it is. */
void _kvsql_bulk_column_join (KvsqlBulkColumn *self, const KvsqlBulkColumn *other);

/* Takes the first @n rows away; the kind stays, and what was allocated. */
void _kvsql_bulk_column_drop (KvsqlBulkColumn *self, gsize n);

/* Bytes that a value of this kind has, 0 for TEXT and BYTES. */
gsize _kvsql_bulk_size_of_kind (KvsqlCellKind kind);

/* A row of TEXT or BYTES. */
KvsqlSlice _kvsql_bulk_column_get_bytes (const KvsqlBulkColumn *self, gsize row);

G_END_DECLS
