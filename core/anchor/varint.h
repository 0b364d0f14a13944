/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * varint.h: numbers in as few bytes as they need, and a reader of unchecked bytes.
 *
 * A varint has 7 bits in a byte, the lowest first. All bytes but the last have the highest bit.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_VARINT_MAX_BYTES 5

/* Returns the number of bytes. */
static inline gsize
kvsql_varint_write (guint8 *at, guint32 number)
{
  gsize n = 0;

  for (; number >= 0x80; number >>= 7)
    at[n++] = (guint8)(number | 0x80);
  at[n++] = (guint8)number;
  return n;
}

static inline void
kvsql_append_varint (KvsqlBuffer *out, guint32 number)
{
  guint8 bytes[KVSQL_VARINT_MAX_BYTES];

  kvsql_buffer_append (out, bytes, kvsql_varint_write (bytes, number));
}

/* A size as varint, and as many bytes. */
static inline void
kvsql_append_sized (KvsqlBuffer *out, KvsqlSlice bytes)
{
  kvsql_append_varint (out, (guint32)bytes.size);
  kvsql_buffer_append_slice (out, bytes);
}

/* These functions take bytes from the start of @rest. FALSE: they are not there. */
static inline gboolean
kvsql_take_bytes (KvsqlSlice *rest, gsize size, KvsqlSlice *out)
{
  if (rest->size < size)
    return FALSE;
  *out = kvsql_slice (rest->data, size);
  *rest = kvsql_slice (rest->data + size, rest->size - size);
  return TRUE;
}

static inline gboolean
kvsql_take_byte (KvsqlSlice *rest, guint8 *out)
{
  KvsqlSlice byte;

  if (!kvsql_take_bytes (rest, 1, &byte))
    return FALSE;
  *out = *byte.data;
  return TRUE;
}

static inline gboolean
kvsql_take_be64 (KvsqlSlice *rest, guint64 *out)
{
  KvsqlSlice bytes;

  if (!kvsql_take_bytes (rest, 8, &bytes))
    return FALSE;
  *out = kvsql_get_be64 (bytes.data);
  return TRUE;
}

static inline gboolean
kvsql_take_varint (KvsqlSlice *rest, guint32 *out)
{
  guint64 number = 0;
  guint8 byte;

  for (guint i = 0; i < KVSQL_VARINT_MAX_BYTES; i++)
    {
      if (!kvsql_take_byte (rest, &byte))
        return FALSE;
      number |= (guint64)(byte & 0x7f) << (7 * i);
      if ((byte & 0x80) != 0)
        continue;
      *out = (guint32)number;
      return number <= G_MAXUINT32;
    }
  return FALSE;
}

static inline gboolean
kvsql_take_sized (KvsqlSlice *rest, KvsqlSlice *out)
{
  guint32 size;

  return kvsql_take_varint (rest, &size) && kvsql_take_bytes (rest, size, out);
}

G_END_DECLS
