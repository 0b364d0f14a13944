/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rows.h: columns and rows of a result as RowDescription and DataRow.
 */
#pragma once

#include "daemon/postgres/output.h"
#include "daemon/postgres/type.h"
#include "daemon/service/service.h"

G_BEGIN_DECLS

/* The formats that a client asks for: none (text), one for all columns, or one for each. */
typedef struct
{
  const guint16 *formats; /* 0: text, 1: binary */
  guint n_formats;
} KvsqldPgFormats;

/* @sent: (nullable): how each column is sent, if not as its type; @is_explain: the first column is
 * called as in PostgreSQL */
void kvsqld_pg_put_row_description (KvsqldPgOutput *out, const KvsqlResultColumn *columns,
                                    guint n_columns, const KvsqldPgType *const *sent,
                                    KvsqldPgFormats formats, gboolean is_explain);

/* Whether there are as many formats as columns, and each is one of the two. */
gboolean kvsqld_pg_formats_check (KvsqldPgFormats formats, guint n_columns,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef void (*KvsqldPgWriter) (KvsqlBuffer *out, const KvsqlVector *column, guint row);

/* Finds the writer of each column of @rows; the other arguments as below. @out: of as many */
gboolean kvsqld_pg_find_writers (const KvsqlBatch *rows, const KvsqlResultColumn *described,
                                 const KvsqldPgType *const *sent, KvsqldPgFormats formats,
                                 KvsqldPgWriter *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The size of the value of a row, and the value, as in DataRow. */
void kvsqld_pg_put_value (KvsqlBuffer *out, const KvsqlVector *column, guint row,
                          KvsqldPgWriter write);

/**
 * kvsqld_pg_put_rows:
 * @described: the columns that the client was told; the rows may have other ones, if the
 *   definitions or the types of parameters have changed. An error if the values cannot be sent as
 *   described.
 * @sent: (nullable): as above
 */
gboolean kvsqld_pg_put_rows (KvsqldPgOutput *out, const KvsqlBatch *rows, guint first, guint n,
                             const KvsqlResultColumn *described, const KvsqldPgType *const *sent,
                             KvsqldPgFormats formats, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
