/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verifier.c: what a server stores of a password: made, printed and parsed.
 */
#include "config.h"

#include "core/scram/scram.h"

#include <string.h>

void
kvsql_scram_verifier_make (const gchar *password, const guint8 *salt, gsize salt_size,
                           guint iterations, KvsqlScramVerifier *out)
{
  guint8 salted[KVSQL_SCRAM_KEY_BYTES], client_key[KVSQL_SCRAM_KEY_BYTES];

  g_assert (salt_size <= sizeof out->salt && iterations > 0);
  *out = (KvsqlScramVerifier){ .iterations = iterations, .salt_size = salt_size };
  memcpy (out->salt, salt, salt_size);
  kvsql_scram_salt_password (password, salt, salt_size, iterations, salted);
  kvsql_scram_client_key (salted, client_key);
  kvsql_scram_hash (client_key, sizeof client_key, out->stored_key);
  kvsql_scram_server_key (salted, out->server_key);
}

gchar *
kvsql_scram_verifier_new (const gchar *password)
{
  KvsqlScramVerifier verifier;
  guint8 salt[KVSQL_SCRAM_SALT_BYTES];

  kvsql_scram_random (salt, sizeof salt);
  kvsql_scram_verifier_make (password, salt, sizeof salt, KVSQL_SCRAM_ITERATIONS, &verifier);
  return kvsql_scram_verifier_print (&verifier);
}

gchar *
kvsql_scram_verifier_print (const KvsqlScramVerifier *self)
{
  g_autofree gchar *salt = g_base64_encode (self->salt, self->salt_size);
  g_autofree gchar *stored = g_base64_encode (self->stored_key, sizeof self->stored_key);
  g_autofree gchar *server = g_base64_encode (self->server_key, sizeof self->server_key);

  return g_strdup_printf (KVSQL_SCRAM_MECHANISM "$%u:%s$%s:%s", self->iterations, salt, stored,
                          server);
}

/* Base64 without white space: what g_base64_decode() skips or guesses is refused by comparing. */
static gboolean
decode (const gchar *text, guint8 *out, gsize least, gsize most, gsize *out_size)
{
  gsize size = 0;
  g_autofree guint8 *bytes = g_base64_decode (text, &size);
  g_autofree gchar *again = g_base64_encode (bytes, size);

  if (size < least || size > most || strcmp (again, text) != 0)
    return FALSE;
  memcpy (out, bytes, size);
  *out_size = size;
  return TRUE;
}

gboolean
kvsql_scram_verifier_parse (const gchar *text, KvsqlScramVerifier *out)
{
  static const gchar prefix[] = KVSQL_SCRAM_MECHANISM "$";
  g_auto (GStrv) parts = NULL;
  KvsqlScramVerifier verifier = { 0 };
  guint64 iterations;
  gsize size;

  if (!g_str_has_prefix (text, prefix) || strlen (text) > 1000)
    return FALSE;
  text += strlen (prefix);
  parts = g_strsplit_set (text, ":$", -1);
  if (g_strv_length (parts) != 4 || text[strlen (parts[0])] != ':'
      || text[strlen (parts[0]) + 1 + strlen (parts[1])] != '$'
      || !g_ascii_string_to_unsigned (parts[0], 10, 1, KVSQL_SCRAM_MAX_ITERATIONS, &iterations,
                                      NULL))
    return FALSE;
  verifier.iterations = (guint)iterations;
  if (text[strlen (parts[0]) + strlen (parts[1]) + strlen (parts[2]) + 2] != ':'
      || !decode (parts[1], verifier.salt, 1, sizeof verifier.salt, &verifier.salt_size)
      || !decode (parts[2], verifier.stored_key, KVSQL_SCRAM_KEY_BYTES, KVSQL_SCRAM_KEY_BYTES,
                  &size)
      || !decode (parts[3], verifier.server_key, KVSQL_SCRAM_KEY_BYTES, KVSQL_SCRAM_KEY_BYTES,
                  &size))
    return FALSE;
  *out = verifier;
  return TRUE;
}
