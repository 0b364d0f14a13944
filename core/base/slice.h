/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slice.h: borrowed bytes (KvsqlSlice) and a buffer that grows (KvsqlBuffer).
 *
 * A slice owns nothing. The function that returns it documents its lifetime. Slices compare as
 * unsigned bytes; a prefix is less than a longer slice. This is the order of rows in every store.
 */
#pragma once

#include <glib.h>
#include <string.h>

#include "core/base/arena.h"

G_BEGIN_DECLS

typedef struct
{
  const guint8 *data; /* may be NULL when size is 0 */
  gsize size;
} KvsqlSlice;

#define KVSQL_SLICE_EMPTY ((KvsqlSlice){ NULL, 0 })
#define KVSQL_SLICE_LITERAL(text) ((KvsqlSlice){ (const guint8 *)(text), sizeof (text) - 1 })

static inline KvsqlSlice
kvsql_slice (gconstpointer data, gsize size)
{
  return (KvsqlSlice){ data, size };
}

static inline KvsqlSlice
kvsql_slice_from_text (const gchar *text)
{
  return (KvsqlSlice){ (const guint8 *)text, strlen (text) };
}

static inline gint
kvsql_slice_compare (KvsqlSlice a, KvsqlSlice b)
{
  gsize n = MIN (a.size, b.size);
  gint order = n > 0 ? memcmp (a.data, b.data, n) : 0;

  return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static inline gboolean
kvsql_slice_equal (KvsqlSlice a, KvsqlSlice b)
{
  return a.size == b.size
         && (a.data == b.data || a.size == 0 || memcmp (a.data, b.data, a.size) == 0);
}

static inline gboolean
kvsql_slice_has_prefix (KvsqlSlice a, KvsqlSlice prefix)
{
  return a.size >= prefix.size
         && (prefix.size == 0 || memcmp (a.data, prefix.data, prefix.size) == 0);
}

/* memcpy() without a function call for few bytes, as in most values: two moves, which may overlap.
 */
static inline void
kvsql_copy_bytes (guint8 *to, const guint8 *from, gsize n)
{
  if (n > 32)
    memcpy (to, from, n);
  else if (n >= 16)
    {
      guint8 first[16], last[16];

      memcpy (first, from, 16);
      memcpy (last, from + n - 16, 16);
      memcpy (to, first, 16);
      memcpy (to + n - 16, last, 16);
    }
  else if (n >= 8)
    {
      guint64 first, last;

      memcpy (&first, from, 8);
      memcpy (&last, from + n - 8, 8);
      memcpy (to, &first, 8);
      memcpy (to + n - 8, &last, 8);
    }
  else if (n >= 4)
    {
      guint32 first, last;

      memcpy (&first, from, 4);
      memcpy (&last, from + n - 4, 4);
      memcpy (to, &first, 4);
      memcpy (to + n - 4, &last, 4);
    }
  else
    while (n-- > 0)
      to[n] = from[n];
}

KvsqlSlice kvsql_slice_dup (KvsqlArena *arena, KvsqlSlice slice);
/* The concatenation of both. */
KvsqlSlice kvsql_slice_join (KvsqlArena *arena, KvsqlSlice a, KvsqlSlice b);

/**
 * kvsql_slice_successor:
 * @out: (out): the smallest bytes greater than all bytes with that prefix, in @arena
 *
 * Returns: %FALSE if there are none (@prefix is empty or all 0xFF): the range has no upper end.
 */
gboolean kvsql_slice_successor (KvsqlArena *arena, KvsqlSlice prefix, KvsqlSlice *out);

/* Bytes that grow. Initialize with {0}, free with kvsql_buffer_clear(). */
typedef struct
{
  guint8 *data;
  gsize size;
  gsize capacity;
} KvsqlBuffer;

void kvsql_buffer_clear (KvsqlBuffer *self);
/* Its bytes, in @arena; the buffer is cleared. */
KvsqlSlice kvsql_buffer_move (KvsqlBuffer *self, KvsqlArena *arena);
guint8 *kvsql_buffer_grow (KvsqlBuffer *self,
                           gsize size); /* the slow path of kvsql_buffer_extend() */

/* Adds @size bytes, which the caller fills. */
static inline guint8 *
kvsql_buffer_extend (KvsqlBuffer *self, gsize size)
{
  if (G_LIKELY (self->capacity - self->size >= size))
    {
      guint8 *at = self->data + self->size;
      self->size += size;
      return at;
    }
  return kvsql_buffer_grow (self, size);
}

static inline void
kvsql_buffer_append (KvsqlBuffer *self, gconstpointer data, gsize size)
{
  guint8 *at = kvsql_buffer_extend (self, size);

  if (size > 0)
    memcpy (at, data, size);
}

static inline void
kvsql_buffer_append_byte (KvsqlBuffer *self, guint8 byte)
{
  *kvsql_buffer_extend (self, 1) = byte;
}

static inline void
kvsql_buffer_append_slice (KvsqlBuffer *self, KvsqlSlice slice)
{
  kvsql_buffer_append (self, slice.data, slice.size);
}

static inline KvsqlSlice
kvsql_buffer_slice (const KvsqlBuffer *self)
{
  return kvsql_slice (self->data, self->size);
}

/* Readable text of bytes: printable ASCII as it is, the rest as \xNN, a backslash as \\. */
void kvsql_append_readable (GString *out, KvsqlSlice bytes);
gchar *kvsql_readable (KvsqlSlice bytes);
/* Lower-case hex, for programs. */
gchar *kvsql_hex (KvsqlSlice bytes);

/* Big-endian numbers. */
static inline void
kvsql_put_be16 (guint8 *at, guint16 value)
{
  value = GUINT16_TO_BE (value);
  memcpy (at, &value, 2);
}

static inline void
kvsql_put_be32 (guint8 *at, guint32 value)
{
  value = GUINT32_TO_BE (value);
  memcpy (at, &value, 4);
}

static inline void
kvsql_put_be64 (guint8 *at, guint64 value)
{
  value = GUINT64_TO_BE (value);
  memcpy (at, &value, 8);
}

static inline guint16
kvsql_get_be16 (const guint8 *at)
{
  guint16 value;

  memcpy (&value, at, 2);
  return GUINT16_FROM_BE (value);
}

static inline guint32
kvsql_get_be32 (const guint8 *at)
{
  guint32 value;

  memcpy (&value, at, 4);
  return GUINT32_FROM_BE (value);
}

static inline guint64
kvsql_get_be64 (const guint8 *at)
{
  guint64 value;

  memcpy (&value, at, 8);
  return GUINT64_FROM_BE (value);
}

static inline guint64
kvsql_get_le64 (const guint8 *at)
{
  guint64 value;

  memcpy (&value, at, 8);
  return GUINT64_FROM_LE (value);
}

/* memcmp() == 0 without a function call for eight bytes or more: compares words, the last of which
 * may overlap the one before. */
static inline gboolean
kvsql_same_bytes (const guint8 *a, const guint8 *b, gsize n)
{
  gsize i = 0;

  if (n < 8)
    return memcmp (a, b, n) == 0;
  for (; i + 8 < n; i += 8)
    if (kvsql_get_le64 (a + i) != kvsql_get_le64 (b + i))
      return FALSE;
  return kvsql_get_le64 (a + n - 8) == kvsql_get_le64 (b + n - 8);
}

G_END_DECLS
