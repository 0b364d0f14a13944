/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * others-key.c: see the header.
 */
#include "config.h"

#include "core/layout/others-key.h"

KvsqlSlice
kvsql_others_key_print (KvsqlSlice family, KvsqlSlice qualifier, KvsqlArena *arena)
{
  g_autoptr (GString) key = g_string_sized_new (family.size + 1 + qualifier.size);

  kvsql_append_readable (key, family);
  g_string_append_c (key, ':');
  kvsql_append_readable (key, qualifier);
  return kvsql_slice_dup (arena, kvsql_slice (key->str, key->len));
}

/* The digit's value; -1: not a digit in small letters. */
static gint
hex_digit (guint8 byte)
{
  return g_ascii_isupper (byte) ? -1 : g_ascii_xdigit_value ((gchar)byte);
}

/* The byte at @at, which moves after it; -1: kvsql_append_readable() does not print that. */
static gint
take_byte (KvsqlSlice text, gsize *at)
{
  const guint8 *next = text.data + *at;
  gsize left = text.size - *at;
  gint high, low, byte;

  if (next[0] != '\\')
    {
      *at += 1;
      return next[0] >= 0x20 && next[0] < 0x7f ? next[0] : -1;
    }
  if (left >= 2 && next[1] == '\\')
    {
      *at += 2;
      return '\\';
    }
  if (left < 4 || next[1] != 'x')
    return -1;
  high = hex_digit (next[2]);
  low = hex_digit (next[3]);
  byte = high * 16 + low;
  *at += 4;
  return high < 0 || low < 0 || (byte >= 0x20 && byte < 0x7f) ? -1 : byte;
}

gboolean
kvsql_others_key_parse (KvsqlSlice key, KvsqlArena *arena, KvsqlSlice *out_family,
                        KvsqlSlice *out_qualifier)
{
  guint8 *bytes = kvsql_arena_alloc (arena, key.size + 1);
  gssize colon = -1;
  gsize n = 0;

  for (gsize at = 0; at < key.size;)
    {
      gboolean is_colon = key.data[at] == ':';
      gint byte = take_byte (key, &at);

      if (byte < 0)
        return FALSE;
      if (is_colon && colon < 0)
        colon = (gssize)n;
      else
        bytes[n++] = (guint8)byte;
    }
  if (colon <= 0)
    return FALSE;
  *out_family = kvsql_slice (bytes, (gsize)colon);
  *out_qualifier = kvsql_slice (bytes + colon, n - (gsize)colon);
  return TRUE;
}
