/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * digest.h: the hash functions of hash{…} and salt{…}.
 *
 * Pure functions of bytes, which other programs can compute: md5, sha1, sha256, sha512; crc32 as in
 * zlib and java.util.zip; murmur3, the 32-bit variant with seed 0; java, which is Arrays.hashCode
 * (byte[]), the salt of Phoenix; java_string, which is String.hashCode () of the bytes as UTF-8,
 * and java_mask, which is the same without its sign bit. 32-bit hashes are 4 bytes big-endian.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_DIGEST_MAX_SIZE 64

typedef enum
{
  KVSQL_DIGEST_MD5,
  KVSQL_DIGEST_SHA1,
  KVSQL_DIGEST_SHA256,
  KVSQL_DIGEST_SHA512,
  KVSQL_DIGEST_CRC32,
  KVSQL_DIGEST_MURMUR3,
  KVSQL_DIGEST_JAVA,
  KVSQL_DIGEST_JAVA_STRING,
  KVSQL_DIGEST_JAVA_MASK,
} KvsqlDigest;

gboolean kvsql_digest_find (const gchar *name, KvsqlDigest *out);
/* All names, NULL-terminated. */
const gchar *const *kvsql_digest_list (void);
gsize kvsql_digest_get_size (KvsqlDigest digest);
/* Writes kvsql_digest_get_size() bytes. */
void kvsql_digest_compute (KvsqlDigest digest, KvsqlSlice bytes, guint8 *out);

/* Reduces a hash to a number below @n: its first 4 bytes, unsigned and big-endian, modulo @n. For
 * java and java_string: the absolute value of the signed number, modulo @n. */
guint kvsql_digest_reduce (KvsqlDigest digest, const guint8 *hash, guint n);

G_END_DECLS
