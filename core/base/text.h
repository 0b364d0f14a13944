/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text.h: checks that bytes are text: UTF-8 without NUL.
 *
 * Most text is short ASCII, which is checked inline, eight bytes at a time. For text that ends with
 * a separator, one function finds the end and checks the text in one pass.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_BYTES_EACH G_GUINT64_CONSTANT (0x0101010101010101)
#define KVSQL_BYTES_HIGH G_GUINT64_CONSTANT (0x8080808080808080)

/* The high bit of each byte that is zero. Bits above the lowest set one may be wrong. */
static inline guint64
kvsql_text_zeros (guint64 word)
{
  return (word - KVSQL_BYTES_EACH) & ~word & KVSQL_BYTES_HIGH;
}

/* The same for bytes that are zero or above 7f. */
static inline guint64
kvsql_text_odd (guint64 word)
{
  return kvsql_text_zeros (word) | (word & KVSQL_BYTES_HIGH);
}

/* Some high bit is set if and only if a byte is zero, above 7f, or the byte that @others repeats
 * eight times. */
static inline guint64
kvsql_text_unwanted (guint64 word, guint64 others)
{
  return word | (word - KVSQL_BYTES_EACH) | ((word ^ others) - KVSQL_BYTES_EACH);
}

/* Whether the bytes are ASCII without NUL and without @other. The last word may overlap the one
 * before. */
static inline gboolean
kvsql_text_is_plain (KvsqlSlice bytes, guint8 other)
{
  const guint64 others = (other > 0x7f ? 0 : other) * KVSQL_BYTES_EACH;
  const guint8 *at = bytes.data, *end = bytes.data + bytes.size;
  guint64 odd = 0;
  guint32 first, last;

  if (bytes.size >= 8)
    {
      for (; end - at > 8; at += 8)
        odd |= kvsql_text_unwanted (kvsql_get_le64 (at), others);
      odd |= kvsql_text_unwanted (kvsql_get_le64 (end - 8), others);
    }
  else if (bytes.size >= 4)
    {
      memcpy (&first, at, 4);
      memcpy (&last, end - 4, 4);
      odd = kvsql_text_unwanted ((guint64)first << 32 | last, others);
    }
  else
    for (; at < end; at++)
      if (*at == 0 || *at > 0x7f || *at == other)
        return FALSE;
  return (odd & KVSQL_BYTES_HIGH) == 0;
}

static inline gboolean
kvsql_text_is_ascii (KvsqlSlice bytes)
{
  return kvsql_text_is_plain (bytes, 0);
}

static inline gboolean
kvsql_text_is_valid (KvsqlSlice bytes)
{
  return kvsql_text_is_ascii (bytes)
         || g_utf8_validate_len ((const gchar *)bytes.data, bytes.size, NULL);
}

/**
 * kvsql_text_is_valid_to:
 * @out_size: (out): the position of the first @separator
 *
 * Returns: whether there is a separator, and the bytes before it are text.
 */
static inline gboolean
kvsql_text_is_valid_to (KvsqlSlice bytes, guint8 separator, gsize *out_size)
{
  const guint8 *at = bytes.data, *end = bytes.data + bytes.size;
  guint64 odd = 0, found = 0;

  for (; end - at >= 8 && found == 0; at += 8)
    {
      guint64 word = kvsql_get_le64 (at);

      found = kvsql_text_zeros (word ^ separator * KVSQL_BYTES_EACH);
      /* only bytes before the separator count, if the word has one: their bits are below its own */
      odd |= kvsql_text_odd (word) & (found - 1) & ~found;
    }
  if (found != 0)
    at += __builtin_ctzll (found) / 8 - 8;
  else
    {
      for (; at < end && *at != separator; at++)
        odd |= *at == 0 || *at > 0x7f;
      if (at == end)
        return FALSE;
    }
  *out_size = (gsize)(at - bytes.data);
  return odd == 0 || g_utf8_validate_len ((const gchar *)bytes.data, *out_size, NULL);
}

G_END_DECLS
