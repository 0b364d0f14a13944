/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-space.c: converts row keys to numbers of mixed radix, and back.
 */
#include "config.h"

#include "core/store/key-space.h"

#include <string.h>

#define N_DIGITS 8 /* of 256 values each a number has 64 bits */

/* The alphabets of a position in the key, from small to large; each is in ascending order. After
 * the last one, all bytes. The alphabet of a position is never smaller than that of an earlier
 * position. */
static const gchar *const alphabets[] = { "0123456789", "0123456789abcdef", "0123456789ABCDEF" };

typedef struct
{
  gsize prefix; /* common to both ends */
  const gchar *letters[N_DIGITS];
  guint radix[N_DIGITS];
} KeySpace;

/* Bytes after the end are 0. */
static inline guint8
byte_at (KvsqlSlice key, gsize at)
{
  return at < key.size ? key.data[at] : 0;
}

static gboolean
has_letter (const gchar *letters, guint8 byte)
{
  return byte != 0 && strchr (letters, byte) != NULL;
}

static void
key_space_init (KeySpace *self, KvsqlSlice low, KvsqlSlice high)
{
  gsize common = MIN (low.size, high.size);
  guint first = 0;

  *self = (KeySpace){ 0 };
  while (self->prefix < common && low.data[self->prefix] == high.data[self->prefix])
    self->prefix++;
  for (guint i = 0; i < N_DIGITS; i++)
    {
      guint8 a = byte_at (low, self->prefix + i), b = byte_at (high, self->prefix + i);
      guint at = first;

      while (at < G_N_ELEMENTS (alphabets)
             && !(has_letter (alphabets[at], a) && has_letter (alphabets[at], b)))
        at++;
      self->radix[i] = 256;
      if (at == G_N_ELEMENTS (alphabets))
        continue;
      self->letters[i] = alphabets[at];
      self->radix[i] = (guint)strlen (alphabets[at]);
      first = at;
    }
}

/* The digit of a byte at a position. A byte that is not in the alphabet sorts before all keys with
 * the next letter (*@out_rest: 0), or after all letters (1). *@out_rest is -1 for a letter. */
static guint
digit_of (const KeySpace *self, guint place, guint8 byte, gint *out_rest)
{
  const gchar *letters = self->letters[place];
  guint digit = 0;

  *out_rest = -1;
  if (letters == NULL)
    return byte;
  while (digit < self->radix[place] && (guint8)letters[digit] < byte)
    digit++;
  if (digit == self->radix[place])
    {
      *out_rest = 1;
      return digit - 1;
    }
  if ((guint8)letters[digit] != byte)
    *out_rest = 0;
  return digit;
}

static guint64
number_of (const KeySpace *self, KvsqlSlice key)
{
  guint64 number = 0;
  gint rest = -1;

  for (guint i = 0; i < N_DIGITS; i++)
    {
      guint digit = rest == 0 ? 0 : self->radix[i] - 1;

      if (rest < 0)
        digit = digit_of (self, i, byte_at (key, self->prefix + i), &rest);
      number = number * self->radix[i] + digit;
    }
  return number;
}

static void
bytes_of (const KeySpace *self, guint64 number, guint8 *bytes)
{
  for (guint i = N_DIGITS; i-- > 0;)
    {
      guint digit = (guint)(number % self->radix[i]);

      bytes[i] = self->letters[i] == NULL ? (guint8)digit : (guint8)self->letters[i][digit];
      number /= self->radix[i];
    }
}

gdouble
kvsql_key_get_progress (KvsqlSlice low, KvsqlSlice high, KvsqlSlice key)
{
  KeySpace space;
  guint64 from, width;

  if (kvsql_slice_compare (key, low) <= 0)
    return 0;
  if (kvsql_slice_compare (key, high) >= 0)
    return 1;
  key_space_init (&space, low, high);
  from = number_of (&space, low);
  width = number_of (&space, high) - from;
  return width > 0 ? (gdouble)(number_of (&space, key) - from) / (gdouble)width : 0.5;
}

KvsqlSlice
kvsql_key_get_middle (KvsqlSlice low, KvsqlSlice high, KvsqlArena *arena)
{
  KeySpace space;
  guint64 from, to, between;
  guint8 bytes[N_DIGITS], *key;
  gsize size = 0;

  key_space_init (&space, low, high);
  from = number_of (&space, low);
  to = number_of (&space, high);
  between = from + (to - from) / 2;
  if (between == from)
    return high;
  bytes_of (&space, between, bytes);
  while (bytes[size] == byte_at (low, space.prefix + size))
    size++;
  size++;
  key = kvsql_arena_alloc (arena, space.prefix + size);
  if (space.prefix > 0)
    memcpy (key, low.data, space.prefix);
  memcpy (key + space.prefix, bytes, size);
  return kvsql_slice (key, space.prefix + size);
}
