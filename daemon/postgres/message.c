/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * message.c: see message.h.
 */
#include "config.h"

#include "daemon/postgres/message.h"

#define HEADER_BYTES 5 /* the type, then the length, which counts itself but not the type */
#define LENGTH_BYTES 4

gboolean
kvsqld_pg_message_has_arrived (KvsqlTransport *transport)
{
  KvsqlSlice received = kvsql_transport_get_received (transport);
  guint32 length;

  if (received.size < HEADER_BYTES)
    return FALSE;
  length = kvsql_get_be32 (received.data + 1);
  return length < LENGTH_BYTES || received.size - 1 >= length;
}

gboolean
kvsqld_pg_message_read (KvsqlTransport *transport, gsize max_bytes, KvsqldPgMessage *out,
                        GError **error)
{
  KvsqlSlice bytes;
  guint32 length;

  if (!kvsql_transport_peek (transport, HEADER_BYTES, &bytes, error))
    return FALSE;
  length = kvsql_get_be32 (bytes.data + 1);
  if (length < LENGTH_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "message of type 0x%02x has the length %u", bytes.data[0], length);
  if (length > max_bytes)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "message of %u bytes is larger than the limit of %" G_GSIZE_FORMAT
                            " bytes",
                            length, max_bytes);
  if (!kvsql_transport_peek (transport, (gsize)length + 1, &bytes, error))
    return FALSE;
  *out = (KvsqldPgMessage){ .type = (gchar)bytes.data[0],
                            .size = (gsize)length + 1,
                            .at = bytes.data + HEADER_BYTES,
                            .end = bytes.data + 1 + length };
  return TRUE;
}

/* ---- fields */

static const guint8 *
take (KvsqldPgMessage *self, gsize size)
{
  const guint8 *at = self->at;

  if (size > (gsize)(self->end - self->at))
    {
      self->is_bad = TRUE;
      self->at = self->end;
      return NULL;
    }
  self->at += size;
  return at;
}

guint16
kvsqld_pg_get_int16 (KvsqldPgMessage *self)
{
  const guint8 *at = take (self, 2);

  return at != NULL ? (guint16)(at[0] << 8 | at[1]) : 0;
}

guint32
kvsqld_pg_get_int32 (KvsqldPgMessage *self)
{
  const guint8 *at = take (self, 4);

  return at != NULL ? kvsql_get_be32 (at) : 0;
}

gchar
kvsqld_pg_get_byte (KvsqldPgMessage *self)
{
  const guint8 *at = take (self, 1);

  return at != NULL ? (gchar)*at : '\0';
}

const gchar *
kvsqld_pg_get_text (KvsqldPgMessage *self)
{
  gsize left = (gsize)(self->end - self->at);
  const guint8 *nul = left > 0 ? memchr (self->at, '\0', left) : NULL;

  if (nul == NULL)
    {
      take (self, left + 1);
      return "";
    }
  return (const gchar *)take (self, (gsize)(nul - self->at) + 1);
}

KvsqlSlice
kvsqld_pg_get_bytes (KvsqldPgMessage *self, gsize size)
{
  const guint8 *at = take (self, size);

  return at != NULL ? kvsql_slice (at, size) : KVSQL_SLICE_EMPTY;
}

gboolean
kvsqld_pg_message_check (const KvsqldPgMessage *self, GError **error)
{
  if (!self->is_bad && self->at == self->end)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "invalid message format");
}
