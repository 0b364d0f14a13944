/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * client.h: the client's side of one log-in by SCRAM-SHA-256.
 *
 * kvsql_scram_client_first(), _answer() and _check() are called in this order, each once.
 *
 * Threads: one at a time.
 */
#pragma once

#include "core/base/slice.h"
#include "core/scram/scram.h"

G_BEGIN_DECLS

typedef struct _KvsqlScramClient KvsqlScramClient;

/* @nonce: (nullable): NULL: a random one, for all but tests */
KvsqlScramClient *kvsql_scram_client_new (const gchar *user, const gchar *password,
                                          const gchar *nonce);
/* Accepts NULL. The password is overwritten. */
void kvsql_scram_client_free (KvsqlScramClient *self);

/* The first message, borrowed. */
const gchar *kvsql_scram_client_first (KvsqlScramClient *self);
/* The answer to the server's challenge (transfer full); NULL with KVSQL_ERROR_PROTOCOL. */
gchar *kvsql_scram_client_answer (KvsqlScramClient *self, KvsqlSlice challenge, GError **error);
/* FALSE with KVSQL_ERROR_PROTOCOL if the server does not know the verifier of the password. */
gboolean kvsql_scram_client_check (KvsqlScramClient *self, KvsqlSlice final,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlScramClient, kvsql_scram_client_free)

G_END_DECLS
