/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuples.c: see tuples.h.
 */
#include "config.h"

#include "daemon/postgres/copy/tuples.h"

#define SIGNATURE_BYTES 11
#define HAS_OIDS (1u << 16)
#define NULL_SIZE ((guint32)-1)

const guint8 kvsqld_pg_tuples_header[KVSQLD_PG_TUPLES_HEADER_BYTES]
    = { 'P', 'G', 'C', 'O', 'P', 'Y', '\n', 0xff, '\r', '\n' };

static KvsqldPgTupleState
fail (GError **error, const gchar *text)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "%s", text);
  kvsql_error_sqlstate (error, "22P04");
  return KVSQLD_PG_TUPLE_BAD;
}

/* The header: a signature, flags, and an extension that is skipped. */
static KvsqldPgTupleState
read_header (KvsqldPgTuples *self, KvsqlSlice bytes, gboolean is_last, gsize *out_used,
             GError **error)
{
  guint32 flags, size;

  if (memcmp (bytes.data, kvsqld_pg_tuples_header, MIN (bytes.size, SIGNATURE_BYTES)) != 0
      || (is_last && bytes.size < SIGNATURE_BYTES))
    return fail (error, "COPY file signature not recognized");
  if (bytes.size < KVSQLD_PG_TUPLES_HEADER_BYTES)
    return is_last ? fail (error, "invalid COPY file header (missing length)")
                   : KVSQLD_PG_TUPLE_PART;
  flags = kvsql_get_be32 (bytes.data + SIGNATURE_BYTES);
  size = kvsql_get_be32 (bytes.data + SIGNATURE_BYTES + 4);
  if ((flags & HAS_OIDS) != 0)
    return fail (error, "invalid COPY file header (WITH OIDS)");
  if (flags >> 16 != 0)
    return fail (error, "unrecognized critical flags in COPY file header");
  if (size > G_MAXINT32)
    return fail (error, "invalid COPY file header (missing length)");
  if (bytes.size - KVSQLD_PG_TUPLES_HEADER_BYTES < size)
    return is_last ? fail (error, "invalid COPY file header (wrong length)") : KVSQLD_PG_TUPLE_PART;
  self->has_header = TRUE;
  *out_used = KVSQLD_PG_TUPLES_HEADER_BYTES + (gsize)size;
  return KVSQLD_PG_TUPLE_WHOLE;
}

static KvsqldPgTupleState
read_fields (KvsqldPgTuples *self, KvsqlSlice bytes, gboolean is_last, gsize *out_used,
             KvsqldPgField *out, GError **error)
{
  const guint8 *at = bytes.data + 2, *end = bytes.data + bytes.size;

  for (guint i = 0; i < self->n_fields; i++)
    {
      guint32 size;

      self->field = i + 1;
      if (end - at < 4)
        return is_last ? fail (error, "unexpected EOF in COPY data") : KVSQLD_PG_TUPLE_PART;
      size = kvsql_get_be32 (at);
      at += 4;
      out[i].is_null = size == NULL_SIZE;
      if (out[i].is_null)
        continue;
      if (size > G_MAXINT32)
        return fail (error, "invalid field size");
      if ((gsize)(end - at) < size)
        return is_last ? fail (error, "unexpected EOF in COPY data") : KVSQLD_PG_TUPLE_PART;
      out[i].bytes = kvsql_slice (at, size);
      at += size;
    }
  self->field = 0;
  self->is_inside = FALSE;
  *out_used += (gsize)(at - bytes.data);
  return KVSQLD_PG_TUPLE_WHOLE;
}

static KvsqldPgTupleState
read_tuple (KvsqldPgTuples *self, KvsqlSlice bytes, gboolean is_last, gsize *out_used,
            KvsqldPgField *out, GError **error)
{
  guint n;

  if (!self->is_inside)
    self->number++;
  self->is_inside = TRUE;
  if (bytes.size < 2)
    return !is_last          ? KVSQLD_PG_TUPLE_PART
           : bytes.size == 0 ? KVSQLD_PG_TUPLE_NONE
                             : fail (error, "unexpected EOF in COPY data");
  n = (guint)bytes.data[0] << 8 | bytes.data[1];
  if (n == KVSQLD_PG_TUPLES_TRAILER)
    {
      self->is_done = TRUE;
      *out_used += 2;
      return bytes.size == 2 ? KVSQLD_PG_TUPLE_NONE
                             : fail (error, "received copy data after EOF marker");
    }
  if (n == self->n_fields)
    return read_fields (self, bytes, is_last, out_used, out, error);
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "row field count is %d, expected %u",
                   (gint)(gint16)n, self->n_fields);
  kvsql_error_sqlstate (error, "22P04");
  return KVSQLD_PG_TUPLE_BAD;
}

KvsqldPgTupleState
kvsqld_pg_tuples_next (KvsqldPgTuples *self, KvsqlSlice bytes, gboolean is_last, gsize *out_used,
                       KvsqldPgField *out, GError **error)
{
  KvsqldPgTupleState state;

  *out_used = 0;
  if (bytes.data == NULL)
    bytes.data = (const guint8 *)"";
  if (self->is_done)
    return bytes.size == 0 ? KVSQLD_PG_TUPLE_NONE
                           : fail (error, "received copy data after EOF marker");
  if (!self->has_header)
    {
      state = read_header (self, bytes, is_last, out_used, error);
      if (state != KVSQLD_PG_TUPLE_WHOLE)
        return state;
      bytes = kvsql_slice (bytes.data + *out_used, bytes.size - *out_used);
    }
  return read_tuple (self, bytes, is_last, out_used, out, error);
}
