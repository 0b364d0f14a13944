/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copy-out.c: see copy-out.h.
 */
#include "config.h"

#include "daemon/postgres/copy-out.h"

#include "daemon/postgres/copy-columns.h"
#include "daemon/postgres/copy/quote.h"
#include "daemon/postgres/copy/tuples.h"

void
kvsqld_pg_copy_put_formats (KvsqldPgOutput *out, gchar type, const KvsqlCopy *copy, guint n_columns)
{
  gboolean is_binary = copy->format == KVSQL_COPY_BINARY;

  kvsqld_pg_output_begin (out, type);
  kvsql_buffer_append_byte (&out->buffer, (guint8)is_binary);
  kvsqld_pg_put_int16 (&out->buffer, (guint16)n_columns);
  for (guint i = 0; i < n_columns; i++)
    kvsqld_pg_put_int16 (&out->buffer, (guint16)is_binary);
  kvsqld_pg_output_end (out);
}

/* ---- rows */

static void
put_text (KvsqlBuffer *out, const KvsqlCopy *copy, gboolean is_forced, gboolean is_alone,
          const gchar *text)
{
  gsize start = out->size;

  kvsql_buffer_append (out, text, strlen (text));
  kvsqld_pg_quote_field (copy, out, start, is_forced, is_alone);
}

static void
put_header (KvsqldPgOutput *out, const KvsqlCopy *copy, const KvsqlResultColumn *columns,
            guint n_columns)
{
  kvsqld_pg_output_begin (out, KVSQLD_PG_COPY_DATA);
  for (guint i = 0; i < n_columns; i++)
    {
      if (i > 0)
        kvsql_buffer_append_byte (&out->buffer, (guint8)copy->delimiter);
      put_text (&out->buffer, copy, FALSE, n_columns == 1, columns[i].name);
    }
  kvsql_buffer_append_byte (&out->buffer, '\n');
  kvsqld_pg_output_end (out);
}

gboolean
kvsqld_pg_copy_out_begin (KvsqldPgOutput *out, const KvsqlCopy *copy,
                          const KvsqlResultColumn *columns, guint n_columns, GError **error)
{
  g_autofree gboolean *is_forced = g_new (gboolean, MAX (n_columns, 1));

  if (!kvsqld_pg_copy_find_columns (copy, &copy->force_quote, "FORCE_QUOTE", columns, n_columns,
                                    is_forced, error))
    return FALSE;
  kvsqld_pg_copy_put_formats (out, KVSQLD_PG_COPY_OUT, copy, n_columns);
  if (copy->header != KVSQL_COPY_NO_HEADER)
    put_header (out, copy, columns, n_columns);
  return TRUE;
}

/* Clients expect the header in the message of the first row, or of the trailer. */
static void
begin_binary (KvsqldPgOutput *out, KvsqldPgCopyOut *self)
{
  kvsqld_pg_output_begin (out, KVSQLD_PG_COPY_DATA);
  if (!self->has_header)
    kvsql_buffer_append (&out->buffer, kvsqld_pg_tuples_header, KVSQLD_PG_TUPLES_HEADER_BYTES);
  self->has_header = TRUE;
}

static void
put_binary_row (KvsqlBuffer *out, const KvsqlBatch *rows, guint row, const KvsqldPgWriter *writers)
{
  kvsqld_pg_put_int16 (out, (guint16)rows->n_columns);
  for (guint i = 0; i < rows->n_columns; i++)
    kvsqld_pg_put_value (out, &rows->columns[i], row, writers[i]);
}

static void
put_text_row (KvsqlBuffer *out, const KvsqlCopy *copy, const KvsqlBatch *rows, guint row,
              const KvsqldPgWriter *writers, const gboolean *is_forced)
{
  gsize null_size = strlen (copy->null);

  for (guint i = 0; i < rows->n_columns; i++)
    {
      const KvsqlVector *column = &rows->columns[i];
      gsize start;

      if (i > 0)
        kvsql_buffer_append_byte (out, (guint8)copy->delimiter);
      start = out->size;
      if (column->type == KVSQL_TYPE_NULL || kvsql_vector_is_null (column, row))
        {
          kvsql_buffer_append (out, copy->null, null_size);
          continue;
        }
      writers[i](out, column, row);
      kvsqld_pg_quote_field (copy, out, start, is_forced[i], rows->n_columns == 1);
    }
  kvsql_buffer_append_byte (out, '\n');
}

gboolean
kvsqld_pg_copy_out_rows (KvsqldPgOutput *out, KvsqldPgCopyOut *self, const KvsqlBatch *rows,
                         guint first, guint n, const KvsqlResultColumn *described,
                         const KvsqldPgType *const *sent, GError **error)
{
  static const guint16 binary = 1;
  const KvsqlCopy *copy = self->copy;
  gboolean is_binary = copy->format == KVSQL_COPY_BINARY;
  g_autofree KvsqldPgWriter *writers = g_new0 (KvsqldPgWriter, MAX (rows->n_columns, 1));
  g_autofree gboolean *is_forced = g_new0 (gboolean, MAX (rows->n_columns, 1));

  if (!kvsqld_pg_find_writers (rows, described, sent, (KvsqldPgFormats){ &binary, is_binary },
                               writers, error)
      || !kvsqld_pg_copy_find_columns (copy, &copy->force_quote, "FORCE_QUOTE", described,
                                       rows->n_columns, is_forced, error))
    return FALSE;
  /* a client that is gone ends the statement */
  for (guint row = first; row < first + n && out->error == NULL; row++)
    {
      if (is_binary)
        {
          begin_binary (out, self);
          put_binary_row (&out->buffer, rows, row, writers);
        }
      else
        {
          kvsqld_pg_output_begin (out, KVSQLD_PG_COPY_DATA);
          put_text_row (&out->buffer, copy, rows, row, writers, is_forced);
        }
      kvsqld_pg_output_end (out);
    }
  return TRUE;
}

void
kvsqld_pg_copy_out_end (KvsqldPgOutput *out, KvsqldPgCopyOut *self)
{
  if (self->copy->format == KVSQL_COPY_BINARY)
    {
      begin_binary (out, self);
      kvsqld_pg_put_int16 (&out->buffer, KVSQLD_PG_TUPLES_TRAILER);
      kvsqld_pg_output_end (out);
    }
  kvsqld_pg_output_put_empty (out, KVSQLD_PG_COPY_DONE);
}
