/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-offsets.c: see the header.
 */
#include "config.h"

#include "core/layout/encoding/phoenix-offsets.h"

#define TRAILER_SIZE 9

/* What is subtracted from an offset of 2 bytes. */
static gint32
bias_of (KvsqlPhoenixOffsetsVersion version)
{
  return version == KVSQL_PHOENIX_ARRAY ? G_MAXINT16 : 0;
}

/* Phoenix decides by the last offset alone; the others are not greater. */
static gboolean
needs_wide (KvsqlPhoenixOffsetsVersion version, gint64 last)
{
  return version == KVSQL_PHOENIX_ARRAY ? last > 2 * G_MAXINT16
                                        : last < G_MININT16 || last > G_MAXINT16;
}

void
kvsql_phoenix_offsets_append (KvsqlPhoenixOffsetsVersion version, const gint32 *offsets, guint n,
                              gsize start, KvsqlBuffer *out)
{
  gboolean is_wide = needs_wide (version, offsets[n - 1]);
  guint32 position = (guint32)(out->size - start);
  gsize width = is_wide ? sizeof (gint32) : sizeof (gint16);
  guint8 *at = kvsql_buffer_extend (out, n * width + TRAILER_SIZE);

  for (guint i = 0; i < n; i++, at += width)
    if (is_wide)
      kvsql_put_be32 (at, (guint32)offsets[i]);
    else
      kvsql_put_be16 (at, (guint16)(offsets[i] - bias_of (version)));
  kvsql_put_be32 (at, position);
  kvsql_put_be32 (at + 4, is_wide ? -n : n);
  at[8] = (guint8)version;
}

gboolean
kvsql_phoenix_offsets_read (KvsqlPhoenixOffsetsVersion version, KvsqlSlice bytes,
                            KvsqlPhoenixOffsets *out)
{
  const guint8 *trailer;
  guint32 position, n;
  gsize width;

  if (bytes.size < TRAILER_SIZE || bytes.data[bytes.size - 1] != version)
    return FALSE;
  trailer = bytes.data + bytes.size - TRAILER_SIZE;
  position = kvsql_get_be32 (trailer);
  n = kvsql_get_be32 (trailer + 4);
  out->version = version;
  out->is_wide = (gint32)n < 0;
  out->n = out->is_wide ? -n : n;
  width = out->is_wide ? sizeof (gint32) : sizeof (gint16);
  if (out->n == 0 || position + out->n * width != bytes.size - TRAILER_SIZE)
    return FALSE;
  out->elements = kvsql_slice (bytes.data, position);
  out->offsets = bytes.data + position;
  return TRUE;
}

gint64
kvsql_phoenix_offsets_get (const KvsqlPhoenixOffsets *self, guint i)
{
  return self->is_wide ? (gint32)kvsql_get_be32 (self->offsets + i * sizeof (gint32))
                       : (gint16)kvsql_get_be16 (self->offsets + i * sizeof (gint16))
                             + bias_of (self->version);
}

gboolean
kvsql_phoenix_offsets_are_canonical (const KvsqlPhoenixOffsets *self)
{
  return self->is_wide == needs_wide (self->version, kvsql_phoenix_offsets_get (self, self->n - 1));
}
