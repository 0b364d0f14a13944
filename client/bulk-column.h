/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bulk-column.h: the values of one attribute, row by row, in the form of the wire.
 *
 * Threads: one at a time.
 */
#pragma once

#include "client/page.h"

G_BEGIN_DECLS

/* Start with zeroed memory ({0}). */
typedef struct
{
  KvsqlCellKind kind; /* NONE: only NULLs so far */
  gboolean is_mixed;  /* values of several kinds were appended: it cannot be sent */
  gsize n_rows;
  gsize n_nulls;
  KvsqlBuffer nulls;  /* one byte for each row; empty as long as there is no NULL */
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
/* Appends all rows of @other, which does not change. */
void _kvsql_bulk_column_join (KvsqlBulkColumn *self, const KvsqlBulkColumn *other);

/* Removes the first @n rows. The kind and the allocated memory stay. */
void _kvsql_bulk_column_drop (KvsqlBulkColumn *self, gsize n);

/* The size of a value of this kind in bytes; 0 for TEXT and BYTES. */
gsize _kvsql_bulk_size_of_kind (KvsqlCellKind kind);

/* A row of TEXT or BYTES. */
KvsqlSlice _kvsql_bulk_column_get_bytes (const KvsqlBulkColumn *self, gsize row);

G_END_DECLS
