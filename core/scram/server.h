/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * server.h: the server's side of one log-in by SCRAM-SHA-256.
 *
 * The client sends its first message, gets a challenge, and answers with a proof. The calls are
 * made in this order, each once:
 *
 *     kvsql_scram_server_read_first()     which user, or ""
 *     kvsql_scram_server_challenge()      by the verifier of that user, or a mock one
 *     kvsql_scram_server_read_final()     whether the proof is right
 *
 * An unknown user gets a challenge by kvsql_scram_mock_verifier(), and fails where a wrong password
 * does.
 *
 * Channel binding is "tls-server-end-point" of RFC 5929. Where the server offers it, a client that
 * could use it and was told that there is none is refused: the offer was changed on its way.
 *
 * Threads: one at a time.
 */
#pragma once

#include "core/base/slice.h"
#include "core/scram/scram.h"

G_BEGIN_DECLS

typedef struct _KvsqlScramServer KvsqlScramServer;

#define KVSQL_SCRAM_MAX_MESSAGE_BYTES 4096

KvsqlScramServer *kvsql_scram_server_new (void);
void kvsql_scram_server_free (KvsqlScramServer *self); /* accepts NULL */

/* To be called first, where channel binding is offered. @end_point: the data that both sides know.
 * @is_chosen: by the client, with the mechanism */
void kvsql_scram_server_set_binding (KvsqlScramServer *self, KvsqlSlice end_point,
                                     gboolean is_chosen);
/* @out_user: (transfer full): as the client wrote it; clients of PostgreSQL leave it empty. FALSE
 * with KVSQL_ERROR_PROTOCOL or KVSQL_ERROR_UNSUPPORTED. */
gboolean kvsql_scram_server_read_first (KvsqlScramServer *self, KvsqlSlice message,
                                        gchar **out_user, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @nonce: (nullable): the server's part; NULL: a random one, for all but tests. Returns: (transfer
 * none): the message */
const gchar *kvsql_scram_server_challenge (KvsqlScramServer *self,
                                           const KvsqlScramVerifier *verifier, const gchar *nonce);
/* FALSE with KVSQL_ERROR_PROTOCOL for a bad message. @out_is_right: whether the proof is that of
 * the verifier; @out_message: (transfer full): the answer, only then */
gboolean kvsql_scram_server_read_final (KvsqlScramServer *self, KvsqlSlice message,
                                        gboolean *out_is_right, gchar **out_message,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A verifier that no password has, always the same for a name and a secret, so that a client cannot
 * find out whether the user exists. */
void kvsql_scram_mock_verifier (const gchar *user, const guint8 *secret, gsize secret_size,
                                KvsqlScramVerifier *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlScramServer, kvsql_scram_server_free)

G_END_DECLS
