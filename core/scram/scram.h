/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scram.h: SCRAM-SHA-256 (RFC 5802, RFC 7677): keys, and the verifier that a server stores.
 *
 * A verifier has the text of PostgreSQL's: SCRAM-SHA-256$ITERATIONS:SALT$STORED_KEY:SERVER_KEY.
 * A server that has it can check a password, and cannot log in with it.
 *
 * Threads: pure functions.
 */
#pragma once

#include "core/base/error.h"

G_BEGIN_DECLS

#define KVSQL_SCRAM_MECHANISM "SCRAM-SHA-256"
/* With channel binding: the log-in counts on this connection of TLS only. */
#define KVSQL_SCRAM_MECHANISM_PLUS "SCRAM-SHA-256-PLUS"
#define KVSQL_SCRAM_KEY_BYTES 32
#define KVSQL_SCRAM_SALT_BYTES 16 /* of a new verifier, as PostgreSQL's */
#define KVSQL_SCRAM_MAX_SALT_BYTES 64
#define KVSQL_SCRAM_ITERATIONS 4096
/* Beyond it a log-in would take seconds, on the server's side or on the client's. */
#define KVSQL_SCRAM_MAX_ITERATIONS 1000000
#define KVSQL_SCRAM_MAX_PASSWORD_BYTES 1024

typedef struct
{
  guint iterations;
  guint8 salt[KVSQL_SCRAM_MAX_SALT_BYTES];
  gsize salt_size;
  guint8 stored_key[KVSQL_SCRAM_KEY_BYTES];
  guint8 server_key[KVSQL_SCRAM_KEY_BYTES];
} KvsqlScramVerifier;

void kvsql_scram_hmac (const guint8 *key, gsize key_size, gconstpointer data, gsize size,
                       guint8 out[KVSQL_SCRAM_KEY_BYTES]);
void kvsql_scram_hash (gconstpointer data, gsize size, guint8 out[KVSQL_SCRAM_KEY_BYTES]);
/* PBKDF2 with one block: SaltedPassword. @iterations: at least 1 */
void kvsql_scram_salt_password (const gchar *password, const guint8 *salt, gsize salt_size,
                                guint iterations, guint8 out[KVSQL_SCRAM_KEY_BYTES]);
void kvsql_scram_client_key (const guint8 salted[KVSQL_SCRAM_KEY_BYTES],
                             guint8 out[KVSQL_SCRAM_KEY_BYTES]);
void kvsql_scram_server_key (const guint8 salted[KVSQL_SCRAM_KEY_BYTES],
                             guint8 out[KVSQL_SCRAM_KEY_BYTES]);
/* In a time that does not depend on the contents. */
gboolean kvsql_scram_is_equal (const guint8 *left, const guint8 *right, gsize size);

/* Random bytes of the system. */
void kvsql_scram_random (guint8 *out, gsize size);
/* (transfer full): printable, of 24 characters, as PostgreSQL's */
gchar *kvsql_scram_nonce_new (void);

/* The verifier of a password that kvsql_scram_password_check() accepts. */
void kvsql_scram_verifier_make (const gchar *password, const guint8 *salt, gsize salt_size,
                                guint iterations, KvsqlScramVerifier *out);
/* FALSE: the text is not a verifier. */
gboolean kvsql_scram_verifier_parse (const gchar *text, KvsqlScramVerifier *out);
gchar *kvsql_scram_verifier_print (const KvsqlScramVerifier *self); /* (transfer full) */
/* (transfer full): the text of a verifier with a random salt */
gchar *kvsql_scram_verifier_new (const gchar *password);

/**
 * kvsql_scram_password_check:
 *
 * SASLprep (RFC 4013) normalizes a password before it is hashed. Passwords that it could change
 * are refused: all others are hashed as they are, as every client does. Refused, too, are empty
 * ones and those with control characters of ASCII.
 *
 * Returns: %FALSE with KVSQL_ERROR_UNSUPPORTED or KVSQL_ERROR_INVALID, without the password
 */
gboolean kvsql_scram_password_check (const gchar *password,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
