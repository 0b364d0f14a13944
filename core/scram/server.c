/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server.c: see server.h.
 */
#include "config.h"

#include "core/scram/server.h"

#include <string.h>

#define BOUND_FLAG "p=tls-server-end-point"

typedef enum
{
  EXPECTS_FIRST,
  EXPECTS_CHALLENGE,
  EXPECTS_FINAL,
  IS_OVER,
} State;

struct _KvsqlScramServer
{
  State state;
  gchar *gs2_header;   /* "n,,", "y,," or "p=tls-server-end-point,," */
  GByteArray *binding; /* nullable: channel binding is offered */
  gboolean is_bound;   /* and chosen */
  gchar *first_bare;   /* the client's first message after it */
  gchar *client_nonce; /* part of it */
  gchar *nonce;        /* of both sides */
  gchar *challenge;
  KvsqlScramVerifier verifier;
};

KvsqlScramServer *
kvsql_scram_server_new (void)
{
  return g_new0 (KvsqlScramServer, 1);
}

void
kvsql_scram_server_free (KvsqlScramServer *self)
{
  if (self == NULL)
    return;
  g_free (self->gs2_header);
  g_clear_pointer (&self->binding, g_byte_array_unref);
  g_free (self->first_bare);
  g_free (self->client_nonce);
  g_free (self->nonce);
  g_free (self->challenge);
  g_free (self);
}

void
kvsql_scram_server_set_binding (KvsqlScramServer *self, KvsqlSlice end_point, gboolean is_chosen)
{
  g_return_if_fail (self->state == EXPECTS_FIRST && self->binding == NULL);

  self->binding = g_byte_array_append (g_byte_array_new (), end_point.data, (guint)end_point.size);
  self->is_bound = is_chosen;
}

static gboolean
malformed (GError **error, const gchar *detail)
{
  kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "malformed SCRAM message");
  return kvsql_error_detail (error, "%s", detail);
}

static gchar *
take_text (KvsqlSlice message, GError **error)
{
  if (message.size > KVSQL_SCRAM_MAX_MESSAGE_BYTES)
    {
      malformed (error, "The message is too long.");
      return NULL;
    }
  if (message.size == 0 || memchr (message.data, '\0', message.size) != NULL
      || !g_utf8_validate ((const gchar *)message.data, (gssize)message.size, NULL))
    {
      malformed (error, "The message is not UTF-8 text.");
      return NULL;
    }
  return g_strndup ((const gchar *)message.data, message.size);
}

/* ---- the client's first message: gs2-header "n=" name ",r=" nonce [",…"] */

/* The length of the flag of channel binding: n, y, or p= and a name. 0 with an error. */
static gsize
read_flag (const KvsqlScramServer *self, const gchar *text, GError **error)
{
  if (text[0] == 'p' && self->binding == NULL)
    kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                     "SCRAM channel binding is not supported without TLS");
  else if (self->is_bound != (text[0] == 'p'))
    malformed (error, "The channel-binding flag is not that of the mechanism.");
  else if (text[0] == 'p')
    {
      if (g_str_has_prefix (text, BOUND_FLAG ","))
        return strlen (BOUND_FLAG);
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                       "the only channel binding is tls-server-end-point");
    }
  else if ((text[0] != 'n' && text[0] != 'y') || text[1] != ',')
    malformed (error, "The channel-binding flag is neither \"n\" nor \"y\".");
  else if (text[0] == 'y' && self->binding != NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_AUTHENTICATION, KVSQL_SPAN_NONE,
                       "SCRAM channel binding negotiation error");
      kvsql_error_detail (error, "The client supports SCRAM channel binding but thinks the server "
                                 "does not. However, this server does support channel binding.");
    }
  else
    return 1;
  return 0;
}

/* The flag, without an identity to act for: the name that is authenticated is the one that acts. */
static gboolean
read_gs2_header (KvsqlScramServer *self, const gchar *text, const gchar **out_rest, GError **error)
{
  const gsize flag = read_flag (self, text, error);

  if (flag == 0)
    return FALSE;
  if (text[flag + 1] != ',')
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                            "an authorization identity is not supported");
  self->gs2_header = g_strndup (text, flag + 2);
  *out_rest = text + flag + 2;
  return TRUE;
}

/* "=2C" is a comma, "=3D" an equals sign; no other "=" may occur. NULL: malformed. */
static gchar *
decode_name (const gchar *text)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (*text != '=')
      g_string_append_c (name, *text);
    else if (g_str_has_prefix (text, "=2C") || g_str_has_prefix (text, "=3D"))
      {
        g_string_append_c (name, text[1] == '2' ? ',' : '=');
        text += 2;
      }
    else
      return NULL;
  return g_string_free (g_steal_pointer (&name), FALSE);
}

static gboolean
is_nonce (const gchar *text)
{
  for (const gchar *at = text; *at != '\0'; at++)
    if (*at < 0x21 || *at > 0x7e || *at == ',')
      return FALSE;
  return text[0] != '\0';
}

static gboolean
read_bare (KvsqlScramServer *self, const gchar *text, gchar **out_user, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autofree gchar *user = NULL;

  if (g_str_has_prefix (text, "m="))
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                            "client requires an unsupported SCRAM extension");
  if (g_strv_length (parts) < 2 || !g_str_has_prefix (parts[0], "n=")
      || !g_str_has_prefix (parts[1], "r="))
    return malformed (error, "The first message has no name and nonce.");
  user = decode_name (parts[0] + 2);
  if (user == NULL)
    return malformed (error, "The name is not escaped as SCRAM demands.");
  if (!is_nonce (parts[1] + 2))
    return malformed (error, "The nonce has characters that are not printable.");
  self->first_bare = g_strdup (text);
  self->client_nonce = g_strdup (parts[1] + 2);
  *out_user = g_steal_pointer (&user);
  return TRUE;
}

gboolean
kvsql_scram_server_read_first (KvsqlScramServer *self, KvsqlSlice message, gchar **out_user,
                               GError **error)
{
  g_autofree gchar *text = NULL;
  const gchar *rest = NULL;

  if (self->state != EXPECTS_FIRST)
    return malformed (error, "The first message was sent twice.");
  self->state = IS_OVER;
  text = take_text (message, error);
  if (text == NULL || !read_gs2_header (self, text, &rest, error)
      || !read_bare (self, rest, out_user, error))
    return FALSE;
  self->state = EXPECTS_CHALLENGE;
  return TRUE;
}

const gchar *
kvsql_scram_server_challenge (KvsqlScramServer *self, const KvsqlScramVerifier *verifier,
                              const gchar *nonce)
{
  g_autofree gchar *own = nonce != NULL ? g_strdup (nonce) : kvsql_scram_nonce_new ();
  g_autofree gchar *salt = g_base64_encode (verifier->salt, verifier->salt_size);

  g_return_val_if_fail (self->state == EXPECTS_CHALLENGE, NULL);

  self->state = EXPECTS_FINAL;
  self->verifier = *verifier;
  self->nonce = g_strconcat (self->client_nonce, own, NULL);
  self->challenge = g_strdup_printf ("r=%s,s=%s,i=%u", self->nonce, salt, verifier->iterations);
  return self->challenge;
}

/* ---- the client's final message: "c=" gs2-header ",r=" nonce [",…"] ",p=" proof */

/* Whether the proof is the client key, hidden by what only the holder of the stored key can
 * compute. */
static gboolean
is_right_proof (const KvsqlScramServer *self, const gchar *auth_message, const guint8 *proof)
{
  guint8 key[KVSQL_SCRAM_KEY_BYTES], hash[KVSQL_SCRAM_KEY_BYTES];

  kvsql_scram_hmac (self->verifier.stored_key, sizeof self->verifier.stored_key, auth_message,
                    strlen (auth_message), key);
  for (guint i = 0; i < sizeof key; i++)
    key[i] ^= proof[i];
  kvsql_scram_hash (key, sizeof key, hash);
  return kvsql_scram_is_equal (hash, self->verifier.stored_key, sizeof hash);
}

static gchar *
make_final (const KvsqlScramServer *self, const gchar *auth_message)
{
  guint8 signature[KVSQL_SCRAM_KEY_BYTES];
  g_autofree gchar *text = NULL;

  kvsql_scram_hmac (self->verifier.server_key, sizeof self->verifier.server_key, auth_message,
                    strlen (auth_message), signature);
  text = g_base64_encode (signature, sizeof signature);
  return g_strconcat ("v=", text, NULL);
}

/* The header of the first message, and the data of the channel, in base64. */
static gchar *
expected_binding (const KvsqlScramServer *self)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *)self->gs2_header, (guint)strlen (self->gs2_header));
  if (self->is_bound)
    g_byte_array_append (bytes, self->binding->data, self->binding->len);
  return g_base64_encode (bytes->data, bytes->len);
}

/* The channel binding repeats the header of the first message: it was not changed on the way. With
 * the data of the channel, no other server is between the client and this one. */
static gboolean
check_final (const KvsqlScramServer *self, gchar **parts, guint8 *proof, GError **error)
{
  const gchar *last = parts[MAX (g_strv_length (parts), 1) - 1];
  g_autofree gchar *binding = expected_binding (self);
  g_autofree guint8 *bytes = NULL;
  g_autofree gchar *again = NULL;
  gsize size;

  if (g_strv_length (parts) < 3 || !g_str_has_prefix (parts[0], "c=")
      || !g_str_has_prefix (parts[1], "r=") || !g_str_has_prefix (last, "p="))
    return malformed (error, "The final message has no channel binding, nonce and proof.");
  if (strcmp (parts[0] + 2, binding) != 0 && self->is_bound)
    return kvsql_error_set (error, KVSQL_ERROR_AUTHENTICATION, KVSQL_SPAN_NONE,
                            "SCRAM channel binding check failed");
  if (strcmp (parts[0] + 2, binding) != 0)
    return malformed (error, "The channel binding is not that of the first message.");
  if (strcmp (parts[1] + 2, self->nonce) != 0)
    return malformed (error, "The nonce is not that of the challenge.");
  bytes = g_base64_decode (last + 2, &size);
  again = g_base64_encode (bytes, size);
  if (size != KVSQL_SCRAM_KEY_BYTES || strcmp (again, last + 2) != 0)
    return malformed (error, "The proof is not 32 bytes in base64.");
  memcpy (proof, bytes, size);
  return TRUE;
}

gboolean
kvsql_scram_server_read_final (KvsqlScramServer *self, KvsqlSlice message, gboolean *out_is_right,
                               gchar **out_message, GError **error)
{
  g_autofree gchar *text = NULL, *without_proof = NULL, *auth_message = NULL;
  g_auto (GStrv) parts = NULL;
  guint8 proof[KVSQL_SCRAM_KEY_BYTES];

  *out_is_right = FALSE;
  *out_message = NULL;
  if (self->state != EXPECTS_FINAL)
    return malformed (error, "The final message was sent without a challenge.");
  self->state = IS_OVER;
  text = take_text (message, error);
  if (text == NULL)
    return FALSE;
  parts = g_strsplit (text, ",", -1);
  if (!check_final (self, parts, proof, error))
    return FALSE;
  without_proof = g_strndup (text, (gsize)(strrchr (text, ',') - text));
  auth_message = g_strconcat (self->first_bare, ",", self->challenge, ",", without_proof, NULL);
  *out_is_right = is_right_proof (self, auth_message, proof);
  if (*out_is_right)
    *out_message = make_final (self, auth_message);
  return TRUE;
}

void
kvsql_scram_mock_verifier (const gchar *user, const guint8 *secret, gsize secret_size,
                           KvsqlScramVerifier *out)
{
  guint8 bytes[KVSQL_SCRAM_KEY_BYTES];

  *out = (KvsqlScramVerifier){ .iterations = KVSQL_SCRAM_ITERATIONS,
                               .salt_size = KVSQL_SCRAM_SALT_BYTES };
  kvsql_scram_hmac (secret, secret_size, user, strlen (user), bytes);
  memcpy (out->salt, bytes, out->salt_size);
  /* random: the hash of no key that anyone knows */
  kvsql_scram_random (out->stored_key, sizeof out->stored_key);
  kvsql_scram_random (out->server_key, sizeof out->server_key);
}
