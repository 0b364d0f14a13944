/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slice.c: the functions that are not inline.
 */
#include "config.h"

#include "core/base/slice.h"

#include "core/base/interrupt.h"

KvsqlSlice
kvsql_slice_dup (KvsqlArena *arena, KvsqlSlice slice)
{
  return kvsql_slice (kvsql_arena_copy (arena, slice.data, slice.size), slice.size);
}

KvsqlSlice
kvsql_slice_join (KvsqlArena *arena, KvsqlSlice a, KvsqlSlice b)
{
  guint8 *bytes = kvsql_arena_alloc (arena, a.size + b.size + 1);

  if (a.size > 0)
    memcpy (bytes, a.data, a.size);
  if (b.size > 0)
    memcpy (bytes + a.size, b.data, b.size);
  return kvsql_slice (bytes, a.size + b.size);
}

gboolean
kvsql_slice_successor (KvsqlArena *arena, KvsqlSlice prefix, KvsqlSlice *out)
{
  gsize size = prefix.size;
  guint8 *bytes;

  while (size > 0 && prefix.data[size - 1] == 0xff)
    size--;
  if (size == 0)
    return FALSE;
  bytes = kvsql_arena_copy (arena, prefix.data, size);
  bytes[size - 1]++;
  *out = kvsql_slice (bytes, size);
  return TRUE;
}

void
kvsql_buffer_clear (KvsqlBuffer *self)
{
  g_free (self->data);
  *self = (KvsqlBuffer){ 0 };
}

KvsqlSlice
kvsql_buffer_move (KvsqlBuffer *self, KvsqlArena *arena)
{
  KvsqlSlice bytes = kvsql_slice_dup (arena, kvsql_buffer_slice (self));

  kvsql_buffer_clear (self);
  return bytes;
}

guint8 *
kvsql_buffer_grow (KvsqlBuffer *self, gsize size)
{
  guint8 *at;

  g_assert (size <= G_MAXSIZE / 4 - self->size);
  self->capacity = MAX (self->capacity * 2, self->size + size + 64);
  self->data = g_realloc (self->data, self->capacity);
  at = self->data + self->size;
  self->size += size;
  return at;
}

void
kvsql_append_readable (GString *out, KvsqlSlice bytes)
{
  for (gsize i = 0; i < bytes.size && kvsql_interrupt_tick_byte (i); i++)
    {
      guint8 byte = bytes.data[i];

      if (byte == '\\')
        g_string_append (out, "\\\\");
      else if (byte >= 0x20 && byte < 0x7f)
        g_string_append_c (out, byte);
      else
        g_string_append_printf (out, "\\x%02x", byte);
    }
}

gchar *
kvsql_readable (KvsqlSlice bytes)
{
  GString *out = g_string_new (NULL);

  kvsql_append_readable (out, bytes);
  return g_string_free (out, FALSE);
}

gchar *
kvsql_hex (KvsqlSlice bytes)
{
  static const gchar digits[] = "0123456789abcdef";
  gchar *out = g_malloc (bytes.size * 2 + 1);

  for (gsize i = 0; i < bytes.size; i++)
    {
      out[2 * i] = digits[bytes.data[i] >> 4];
      out[2 * i + 1] = digits[bytes.data[i] & 15];
    }
  out[bytes.size * 2] = '\0';
  return out;
}
