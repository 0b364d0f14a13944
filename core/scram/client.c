/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * client.c: see client.h.
 */
#include "config.h"

#include "core/scram/client.h"

#include <string.h>

#define GS2_HEADER "n,,"

struct _KvsqlScramClient
{
  gchar *password;
  gchar *nonce;
  gchar *first; /* with the GS2 header */
  guint8 server_signature[KVSQL_SCRAM_KEY_BYTES];
};

/* A comma is "=2C", an equals sign "=3D". */
static gchar *
encode_name (const gchar *name)
{
  GString *text = g_string_new (NULL);

  for (; *name != '\0'; name++)
    if (*name == ',' || *name == '=')
      g_string_append (text, *name == ',' ? "=2C" : "=3D");
    else
      g_string_append_c (text, *name);
  return g_string_free (text, FALSE);
}

KvsqlScramClient *
kvsql_scram_client_new (const gchar *user, const gchar *password, const gchar *nonce)
{
  KvsqlScramClient *self = g_new0 (KvsqlScramClient, 1);
  g_autofree gchar *name = encode_name (user);

  self->password = g_strdup (password);
  self->nonce = nonce != NULL ? g_strdup (nonce) : kvsql_scram_nonce_new ();
  self->first = g_strconcat (GS2_HEADER "n=", name, ",r=", self->nonce, NULL);
  return self;
}

void
kvsql_scram_client_free (KvsqlScramClient *self)
{
  if (self == NULL)
    return;
  explicit_bzero (self->password, strlen (self->password));
  g_free (self->password);
  g_free (self->nonce);
  g_free (self->first);
  g_free (self);
}

const gchar *
kvsql_scram_client_first (KvsqlScramClient *self)
{
  return self->first;
}

static gboolean
malformed (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                          "the server's SCRAM message is malformed");
}

/* The nonce begins with that of the client, and goes on: it is no replayed challenge. */
static gboolean
check_challenge (const KvsqlScramClient *self, gchar **parts, guint64 *out_iterations)
{
  return g_strv_length (parts) >= 3 && g_str_has_prefix (parts[0], "r=")
         && g_str_has_prefix (parts[0] + 2, self->nonce)
         && strlen (parts[0] + 2) > strlen (self->nonce) && g_str_has_prefix (parts[1], "s=")
         && g_str_has_prefix (parts[2], "i=")
         && g_ascii_string_to_unsigned (parts[2] + 2, 10, 1, KVSQL_SCRAM_MAX_ITERATIONS,
                                        out_iterations, NULL);
}

static gchar *
prove (KvsqlScramClient *self, const guint8 *salted, const gchar *challenge, const gchar *nonce)
{
  g_autofree gchar *header = g_base64_encode ((const guchar *)GS2_HEADER, strlen (GS2_HEADER));
  g_autofree gchar *without_proof = g_strconcat ("c=", header, ",r=", nonce, NULL);
  g_autofree gchar *auth_message
      = g_strconcat (self->first + strlen (GS2_HEADER), ",", challenge, ",", without_proof, NULL);
  guint8 key[KVSQL_SCRAM_KEY_BYTES], stored[KVSQL_SCRAM_KEY_BYTES], sign[KVSQL_SCRAM_KEY_BYTES];
  g_autofree gchar *proof = NULL;

  kvsql_scram_server_key (salted, key);
  kvsql_scram_hmac (key, sizeof key, auth_message, strlen (auth_message), self->server_signature);
  kvsql_scram_client_key (salted, key);
  kvsql_scram_hash (key, sizeof key, stored);
  kvsql_scram_hmac (stored, sizeof stored, auth_message, strlen (auth_message), sign);
  for (guint i = 0; i < sizeof key; i++)
    key[i] ^= sign[i];
  proof = g_base64_encode (key, sizeof key);
  return g_strconcat (without_proof, ",p=", proof, NULL);
}

gchar *
kvsql_scram_client_answer (KvsqlScramClient *self, KvsqlSlice challenge, GError **error)
{
  g_autofree gchar *text = g_strndup ((const gchar *)challenge.data, challenge.size);
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  guint8 salted[KVSQL_SCRAM_KEY_BYTES];
  g_autofree guint8 *salt = NULL;
  guint64 iterations;
  gsize salt_size;

  if (!check_challenge (self, parts, &iterations))
    {
      malformed (error);
      return NULL;
    }
  salt = g_base64_decode (parts[1] + 2, &salt_size);
  if (salt_size == 0)
    {
      malformed (error);
      return NULL;
    }
  kvsql_scram_salt_password (self->password, salt, salt_size, (guint)iterations, salted);
  return prove (self, salted, text, parts[0] + 2);
}

gboolean
kvsql_scram_client_check (KvsqlScramClient *self, KvsqlSlice final, GError **error)
{
  g_autofree gchar *text = g_strndup ((const gchar *) final.data, final.size);
  g_autofree gchar *signature
      = g_base64_encode (self->server_signature, sizeof self->server_signature);
  g_autofree gchar *expected = g_strconcat ("v=", signature, NULL);

  return (strlen (text) == strlen (expected)
          && kvsql_scram_is_equal ((const guint8 *)text, (const guint8 *)expected,
                                   strlen (expected)))
         || kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                             "the server does not know the password's verifier: it is another one");
}
