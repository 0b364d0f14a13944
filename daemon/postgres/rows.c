/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rows.c: see rows.h.
 */
#include "config.h"

#include "daemon/postgres/rows.h"

#include "daemon/postgres/type.h"

#define BINARY 1
#define NULL_SIZE ((guint32)-1)

static gboolean
is_binary (KvsqldPgFormats formats, guint column)
{
  if (formats.n_formats == 0)
    return FALSE;
  return formats.formats[formats.n_formats == 1 ? 0 : column] == BINARY;
}

gboolean
kvsqld_pg_formats_check (KvsqldPgFormats formats, guint n_columns, GError **error)
{
  if (formats.n_formats > 1 && formats.n_formats != n_columns)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "bind message has %u result formats but query has %u columns",
                            formats.n_formats, n_columns);
  for (guint i = 0; i < formats.n_formats; i++)
    if (formats.formats[i] > BINARY)
      {
        kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "unsupported format code: %u",
                         formats.formats[i]);
        return kvsql_error_sqlstate (error, "22023");
      }
  return TRUE;
}

void
kvsqld_pg_put_row_description (KvsqldPgOutput *out, const KvsqlResultColumn *columns,
                               guint n_columns, const KvsqldPgType *const *sent,
                               KvsqldPgFormats formats, gboolean is_explain)
{
  kvsqld_pg_output_begin (out, KVSQLD_PG_ROW_DESCRIPTION);
  kvsqld_pg_put_int16 (&out->buffer, (guint16)n_columns);
  for (guint i = 0; i < n_columns; i++)
    {
      const KvsqldPgType *type = sent != NULL ? sent[i] : kvsqld_pg_type_of_column (&columns[i]);

      kvsqld_pg_put_text (&out->buffer, is_explain && i == 0 ? "QUERY PLAN" : columns[i].name);
      kvsqld_pg_put_int32 (&out->buffer, columns[i].relation_number);
      kvsqld_pg_put_int16 (&out->buffer, (guint16)columns[i].attribute);
      kvsqld_pg_put_int32 (&out->buffer, type->oid);
      kvsqld_pg_put_int16 (&out->buffer, (guint16)type->size);
      kvsqld_pg_put_int32 (&out->buffer, (guint32)kvsqld_pg_modifier_of_column (&columns[i]));
      kvsqld_pg_put_int16 (&out->buffer, is_binary (formats, i));
    }
  kvsqld_pg_output_end (out);
}

/* ---- rows */

/* NULL: such values cannot be sent as described. */
static KvsqldPgWriter
find_writer (KvsqlType actual, const KvsqlResultColumn *described, gboolean binary)
{
  const KvsqldPgType *type = kvsqld_pg_type_of_column (described);
  gboolean is_wider = (described->type == KVSQL_TYPE_BIGINT && actual == KVSQL_TYPE_INT)
                      || (described->type == KVSQL_TYPE_DOUBLE && actual == KVSQL_TYPE_FLOAT);

  if (kvsql_type_get_class (actual) == KVSQL_CLASS_NONE || is_wider
      || kvsqld_pg_type_of (described->type)->oid == kvsqld_pg_type_of (actual)->oid)
    return binary ? type->write_binary : type->write_text;
  if (!binary || type->oid == KVSQLD_PG_TEXT)
    return kvsqld_pg_type_of (actual)->write_text;
  return NULL;
}

/* Values of the catalogue are what they were described as. */
static gboolean
find_sent_writers (const KvsqlBatch *rows, const KvsqldPgType *const *sent, KvsqldPgFormats formats,
                   KvsqldPgWriter *out, GError **error)
{
  for (guint i = 0; i < rows->n_columns; i++)
    {
      out[i] = is_binary (formats, i) ? sent[i]->write_binary : sent[i]->write_text;
      if (out[i] == NULL)
        return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                                "column %u has the type %u, whose binary format is not supported",
                                i + 1, (guint)sent[i]->oid)
               || kvsql_error_hint (error, "Ask for the text format.");
    }
  return TRUE;
}

static gboolean
find_writers (const KvsqlBatch *rows, const KvsqlResultColumn *described, KvsqldPgFormats formats,
              KvsqldPgWriter *out, GError **error)
{
  for (guint i = 0; i < rows->n_columns; i++)
    {
      KvsqlType actual = rows->columns[i].type;

      out[i] = find_writer (actual, &described[i], is_binary (formats, i));
      if (out[i] == NULL)
        return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                                "column %u is now %s, but was described as %s", i + 1,
                                kvsql_type_get_name (actual),
                                kvsql_type_get_name (described[i].type))
               || kvsql_error_hint (error, "Prepare the statement again.");
    }
  return TRUE;
}

gboolean
kvsqld_pg_find_writers (const KvsqlBatch *rows, const KvsqlResultColumn *described,
                        const KvsqldPgType *const *sent, KvsqldPgFormats formats,
                        KvsqldPgWriter *out, GError **error)
{
  return sent != NULL ? find_sent_writers (rows, sent, formats, out, error)
                      : find_writers (rows, described, formats, out, error);
}

void
kvsqld_pg_put_value (KvsqlBuffer *out, const KvsqlVector *column, guint row, KvsqldPgWriter write)
{
  gsize length_at = out->size;

  if (column->type == KVSQL_TYPE_NULL || kvsql_vector_is_null (column, row))
    {
      kvsqld_pg_put_int32 (out, NULL_SIZE);
      return;
    }
  kvsqld_pg_put_int32 (out, 0);
  write (out, column, row);
  kvsql_put_be32 (out->data + length_at, (guint32)(out->size - length_at - 4));
}

gboolean
kvsqld_pg_put_rows (KvsqldPgOutput *out, const KvsqlBatch *rows, guint first, guint n,
                    const KvsqlResultColumn *described, const KvsqldPgType *const *sent,
                    KvsqldPgFormats formats, GError **error)
{
  g_autofree KvsqldPgWriter *writers = g_new0 (KvsqldPgWriter, MAX (rows->n_columns, 1));

  if (!kvsqld_pg_find_writers (rows, described, sent, formats, writers, error))
    return FALSE;
  /* a client that is gone ends the statement */
  for (guint row = first; row < first + n && out->error == NULL; row++)
    {
      kvsqld_pg_output_begin (out, KVSQLD_PG_DATA_ROW);
      kvsqld_pg_put_int16 (&out->buffer, (guint16)rows->n_columns);
      for (guint i = 0; i < rows->n_columns; i++)
        kvsqld_pg_put_value (&out->buffer, &rows->columns[i], row, writers[i]);
      kvsqld_pg_output_end (out);
    }
  return TRUE;
}
