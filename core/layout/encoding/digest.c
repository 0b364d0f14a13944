/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * digest.c: GLib's checksums, zlib's crc32, murmur3 and the hashes of Java.
 */
#include "config.h"

#include "core/layout/encoding/digest.h"

#include <zlib.h>

static const gchar *const names[] = { "md5",     "sha1", "sha256",      "sha512",    "crc32",
                                      "murmur3", "java", "java_string", "java_mask", NULL };

static const gsize sizes[] = { 16, 20, 32, 64, 4, 4, 4, 4, 4 };

static const GChecksumType checksums[]
    = { G_CHECKSUM_MD5, G_CHECKSUM_SHA1, G_CHECKSUM_SHA256, G_CHECKSUM_SHA512 };

gboolean
kvsql_digest_find (const gchar *name, KvsqlDigest *out)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (g_ascii_strcasecmp (names[i], name) == 0)
      {
        *out = (KvsqlDigest)i;
        return TRUE;
      }
  return FALSE;
}

const gchar *const *
kvsql_digest_list (void)
{
  return names;
}

gsize
kvsql_digest_get_size (KvsqlDigest digest)
{
  return sizes[digest];
}

static guint32
rotate (guint32 x, guint n)
{
  return x << n | x >> (32 - n);
}

static guint32
murmur3_scramble (guint32 block)
{
  return rotate (block * 0xcc9e2d51u, 15) * 0x1b873593u;
}

static guint32
murmur3 (KvsqlSlice bytes)
{
  guint32 hash = 0, tail = 0;
  gsize whole = bytes.size & ~(gsize)3;

  for (gsize i = 0; i < whole; i += 4)
    {
      guint32 block;
      memcpy (&block, bytes.data + i, 4);
      hash = rotate (hash ^ murmur3_scramble (GUINT32_FROM_LE (block)), 13) * 5 + 0xe6546b64u;
    }
  for (gsize i = bytes.size; i > whole; i--)
    tail = tail << 8 | bytes.data[i - 1];
  hash ^= murmur3_scramble (tail);
  hash ^= (guint32)bytes.size;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

static guint32
java (KvsqlSlice bytes)
{
  guint32 hash = 1;

  for (gsize i = 0; i < bytes.size; i++)
    hash = 31 * hash + (guint32)(gint8)bytes.data[i];
  return hash;
}

/* Over the UTF-16 code units of the text. A byte that is not UTF-8 counts as one unit. */
static guint32
java_string (KvsqlSlice bytes)
{
  guint32 hash = 0;

  for (gsize i = 0; i < bytes.size;)
    {
      const gchar *at = (const gchar *)bytes.data + i;
      gunichar c = bytes.data[i];

      if (c >= 0x80)
        c = g_utf8_get_char_validated (at, (gssize)(bytes.size - i));
      if (c > 0x10ffff)
        {
          hash = 31 * hash + bytes.data[i++];
          continue;
        }
      if (c >= 0x10000)
        hash = 31 * hash + (0xd800 + ((c - 0x10000) >> 10));
      hash = 31 * hash + (c >= 0x10000 ? 0xdc00 + ((c - 0x10000) & 0x3ff) : c);
      i += (gsize)g_unichar_to_utf8 (c, NULL);
    }
  return hash;
}

static void
checksum (GChecksumType type, gsize size, KvsqlSlice bytes, guint8 *out)
{
  g_autoptr (GChecksum) state = g_checksum_new (type);

  if (bytes.size > 0)
    g_checksum_update (state, bytes.data, bytes.size);
  g_checksum_get_digest (state, out, &size);
}

void
kvsql_digest_compute (KvsqlDigest digest, KvsqlSlice bytes, guint8 *out)
{
  switch (digest)
    {
    case KVSQL_DIGEST_CRC32:
      kvsql_put_be32 (
          out, (guint32)crc32_z (0, bytes.size > 0 ? bytes.data : (const guint8 *)"", bytes.size));
      break;
    case KVSQL_DIGEST_MURMUR3:
      kvsql_put_be32 (out, murmur3 (bytes));
      break;
    case KVSQL_DIGEST_JAVA:
      kvsql_put_be32 (out, java (bytes));
      break;
    case KVSQL_DIGEST_JAVA_STRING:
      kvsql_put_be32 (out, java_string (bytes));
      break;
    case KVSQL_DIGEST_JAVA_MASK:
      kvsql_put_be32 (out, java_string (bytes) & G_MAXINT32);
      break;
    default:
      checksum (checksums[digest], sizes[digest], bytes, out);
      break;
    }
}

guint
kvsql_digest_reduce (KvsqlDigest digest, const guint8 *hash, guint n)
{
  guint32 number = kvsql_get_be32 (hash);

  if (digest == KVSQL_DIGEST_JAVA || digest == KVSQL_DIGEST_JAVA_STRING)
    return (guint)ABS ((gint64)(gint32)number % (gint64)n);
  return number % n;
}
