/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scram.c: keys of SCRAM-SHA-256.
 */
#include "config.h"

#include "core/scram/scram.h"

#include <string.h>
#include <sys/random.h>

#define NONCE_BYTES 18 /* 24 characters of base64 */

void
kvsql_scram_hmac (const guint8 *key, gsize key_size, gconstpointer data, gsize size,
                  guint8 out[KVSQL_SCRAM_KEY_BYTES])
{
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, key, key_size);
  gsize out_size = KVSQL_SCRAM_KEY_BYTES;

  g_hmac_update (hmac, data, (gssize)size);
  g_hmac_get_digest (hmac, out, &out_size);
  g_hmac_unref (hmac);
}

void
kvsql_scram_hash (gconstpointer data, gsize size, guint8 out[KVSQL_SCRAM_KEY_BYTES])
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize out_size = KVSQL_SCRAM_KEY_BYTES;

  g_checksum_update (checksum, data, (gssize)size);
  g_checksum_get_digest (checksum, out, &out_size);
}

/* The key's two blocks are hashed once, and copied for each iteration: g_hmac_copy() does that. */
void
kvsql_scram_salt_password (const gchar *password, const guint8 *salt, gsize salt_size,
                           guint iterations, guint8 out[KVSQL_SCRAM_KEY_BYTES])
{
  static const guint8 first_block[4] = { 0, 0, 0, 1 };
  GHmac *keyed = g_hmac_new (G_CHECKSUM_SHA256, (const guint8 *)password, strlen (password));
  guint8 last[KVSQL_SCRAM_KEY_BYTES];
  gsize size = sizeof last;
  GHmac *hmac = g_hmac_copy (keyed);

  g_hmac_update (hmac, salt, (gssize)salt_size);
  g_hmac_update (hmac, first_block, sizeof first_block);
  g_hmac_get_digest (hmac, last, &size);
  g_hmac_unref (hmac);
  memcpy (out, last, sizeof last);
  for (guint i = 1; i < iterations; i++)
    {
      hmac = g_hmac_copy (keyed);
      g_hmac_update (hmac, last, sizeof last);
      size = sizeof last;
      g_hmac_get_digest (hmac, last, &size);
      g_hmac_unref (hmac);
      for (guint b = 0; b < sizeof last; b++)
        out[b] ^= last[b];
    }
  g_hmac_unref (keyed);
}

void
kvsql_scram_client_key (const guint8 salted[KVSQL_SCRAM_KEY_BYTES],
                        guint8 out[KVSQL_SCRAM_KEY_BYTES])
{
  kvsql_scram_hmac (salted, KVSQL_SCRAM_KEY_BYTES, "Client Key", strlen ("Client Key"), out);
}

void
kvsql_scram_server_key (const guint8 salted[KVSQL_SCRAM_KEY_BYTES],
                        guint8 out[KVSQL_SCRAM_KEY_BYTES])
{
  kvsql_scram_hmac (salted, KVSQL_SCRAM_KEY_BYTES, "Server Key", strlen ("Server Key"), out);
}

gboolean
kvsql_scram_is_equal (const guint8 *left, const guint8 *right, gsize size)
{
  volatile guint8 difference = 0;

  for (gsize i = 0; i < size; i++)
    difference |= left[i] ^ right[i];
  return difference == 0;
}

void
kvsql_scram_random (guint8 *out, gsize size)
{
  while (size > 0)
    {
      gssize n = getrandom (out, size, 0);

      if (n > 0)
        {
          out += n;
          size -= (gsize)n;
        }
    }
}

gchar *
kvsql_scram_nonce_new (void)
{
  guint8 bytes[NONCE_BYTES];

  kvsql_scram_random (bytes, sizeof bytes);
  return g_base64_encode (bytes, sizeof bytes);
}
