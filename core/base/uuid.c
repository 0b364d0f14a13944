/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * uuid.c: forms of UUIDs.
 */
#include "config.h"

#include "core/base/uuid.h"

static const gchar digits[] = "0123456789abcdef";

static gboolean
is_dash_at (gsize i)
{
  return i == 8 || i == 13 || i == 18 || i == 23;
}

gboolean
kvsql_uuid_parse (KvsqlSlice text, guint8 *out_bytes)
{
  const guint8 *at = text.data, *end = text.data + text.size;
  gboolean has_braces = text.size >= 2 && at[0] == '{' && end[-1] == '}';

  if (has_braces)
    {
      at++;
      end--;
    }
  for (guint i = 0; i < KVSQL_UUID_BYTES; i++)
    {
      gint high, low;

      if (end - at < 2 || (high = g_ascii_xdigit_value ((gchar)at[0])) < 0
          || (low = g_ascii_xdigit_value ((gchar)at[1])) < 0)
        return FALSE;
      out_bytes[i] = (guint8)(high << 4 | low);
      at += 2;
      if (at < end && *at == '-' && i % 2 == 1 && i + 1 < KVSQL_UUID_BYTES)
        at++;
    }
  return at == end;
}

gboolean
kvsql_uuid_read (KvsqlSlice text, guint8 *out_bytes)
{
  guint8 again[KVSQL_UUID_TEXT];

  if (text.size != KVSQL_UUID_TEXT || !kvsql_uuid_parse (text, out_bytes))
    return FALSE;
  kvsql_uuid_write (out_bytes, again);
  return memcmp (again, text.data, KVSQL_UUID_TEXT) == 0;
}

void
kvsql_uuid_write (const guint8 *bytes, guint8 *out_text)
{
  guint n = 0;

  for (gsize i = 0; i < KVSQL_UUID_TEXT; i++)
    if (is_dash_at (i))
      out_text[i] = '-';
    else
      {
        out_text[i] = (guint8)digits[n % 2 == 0 ? bytes[n / 2] >> 4 : bytes[n / 2] & 15];
        n++;
      }
}

KvsqlSlice
kvsql_uuid_to_text (const guint8 *bytes, KvsqlArena *arena)
{
  guint8 *text = kvsql_arena_alloc (arena, KVSQL_UUID_TEXT);

  kvsql_uuid_write (bytes, text);
  return kvsql_slice (text, KVSQL_UUID_TEXT);
}
