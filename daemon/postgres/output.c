/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * output.c: see output.h.
 */
#include "config.h"

#include "daemon/postgres/output.h"

#define FULL_BYTES (32 * 1024)
#define KEPT_BYTES (256 * 1024) /* a buffer that has become larger is freed after it was sent */

void
kvsqld_pg_output_clear (KvsqldPgOutput *self)
{
  kvsql_buffer_clear (&self->buffer);
  kvsql_buffer_clear (&self->unsent);
  g_clear_error (&self->error);
}

static void
send_buffer (KvsqldPgOutput *self)
{
  const KvsqlSlice bytes = kvsql_buffer_slice (&self->buffer);
  gsize sent;

  if (self->error == NULL && !kvsql_transport_send (self->transport, bytes, &sent, &self->error))
    kvsql_buffer_append (&self->unsent, bytes.data + sent, bytes.size - sent);
  self->buffer.size = 0;
  if (self->buffer.capacity > KEPT_BYTES)
    kvsql_buffer_clear (&self->buffer);
}

void
kvsqld_pg_output_begin (KvsqldPgOutput *self, gchar type)
{
  kvsql_buffer_append_byte (&self->buffer, (guint8)type);
  self->length_at = self->buffer.size;
  kvsqld_pg_put_int32 (&self->buffer, 0);
}

void
kvsqld_pg_output_end (KvsqldPgOutput *self)
{
  kvsql_put_be32 (self->buffer.data + self->length_at,
                  (guint32)(self->buffer.size - self->length_at));
  if (self->buffer.size >= FULL_BYTES)
    send_buffer (self);
}

void
kvsqld_pg_output_put_empty (KvsqldPgOutput *self, gchar type)
{
  kvsqld_pg_output_begin (self, type);
  kvsqld_pg_output_end (self);
}

void
kvsqld_pg_put_int16 (KvsqlBuffer *out, guint16 value)
{
  guint16 bytes = GUINT16_TO_BE (value);

  kvsql_buffer_append (out, &bytes, sizeof bytes);
}

void
kvsqld_pg_put_int32 (KvsqlBuffer *out, guint32 value)
{
  kvsql_put_be32 (kvsql_buffer_extend (out, 4), value);
}

void
kvsqld_pg_put_int64 (KvsqlBuffer *out, guint64 value)
{
  kvsql_put_be64 (kvsql_buffer_extend (out, 8), value);
}

void
kvsqld_pg_put_text (KvsqlBuffer *out, const gchar *text)
{
  g_autofree gchar *valid = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);
  const gchar *put = valid != NULL ? valid : text;

  kvsql_buffer_append (out, put, strlen (put) + 1);
}

void
kvsqld_pg_output_resume (KvsqldPgOutput *self)
{
  g_clear_error (&self->error);
  kvsql_buffer_clear (&self->buffer);
  self->buffer = self->unsent;
  self->unsent = (KvsqlBuffer){ 0 };
}

gboolean
kvsqld_pg_output_flush (KvsqldPgOutput *self, GError **error)
{
  if (self->buffer.size > 0)
    send_buffer (self);
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}
