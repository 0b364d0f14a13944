/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copy-out.h: the messages of COPY TO STDOUT.
 */
#pragma once

#include "daemon/postgres/rows.h"

G_BEGIN_DECLS

typedef struct _KvsqlCopy KvsqlCopy; /* core/sql/ast-copy.h */

/* Zeroed at first. */
typedef struct
{
  const KvsqlCopy *copy; /* NULL: rows are no COPY */
  gboolean has_header; /* that of the binary format was written, in the message of the first row */
} KvsqldPgCopyOut;

/* CopyOutResponse, and the line of HEADER. An attribute of FORCE_QUOTE that is no column is an
 * error. */
gboolean kvsqld_pg_copy_out_begin (KvsqldPgOutput *out, const KvsqlCopy *copy,
                                   const KvsqlResultColumn *columns, guint n_columns,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A message for each row; the other arguments as those of kvsqld_pg_put_rows(). */
gboolean kvsqld_pg_copy_out_rows (KvsqldPgOutput *out, KvsqldPgCopyOut *self,
                                  const KvsqlBatch *rows, guint first, guint n,
                                  const KvsqlResultColumn *described,
                                  const KvsqldPgType *const *sent,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The trailer, and CopyDone. */
void kvsqld_pg_copy_out_end (KvsqldPgOutput *out, KvsqldPgCopyOut *self);

/* The answer that begins a COPY: the formats of its columns. @type: KVSQLD_PG_COPY_IN or _OUT */
void kvsqld_pg_copy_put_formats (KvsqldPgOutput *out, gchar type, const KvsqlCopy *copy,
                                 guint n_columns);

G_END_DECLS
