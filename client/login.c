/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * login.c: the two calls of a log-in.
 */
#include "config.h"

#include "client/login.h"

#include "client/error-private.h"
#include "core/scram/client.h"

#define MECHANISM "SCRAM-SHA-256"

typedef struct
{
  const gchar *mechanism; /* NULL: of the second call */
  const gchar *message;
  gchar *answer;
} LoginCall;

static gboolean
write_login (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  const LoginCall *call = data;
  const KvsqlSlice message = kvsql_slice_from_text (call->message);

  return call->mechanism == NULL ? _kvsql_message_put_bytes (protocol, 1, message, error)
                                 : _kvsql_message_put_text (protocol, 1, call->mechanism, error)
                                       && _kvsql_message_put_bytes (protocol, 2, message, error);
}

static gboolean
read_login (KvsqlProtocol *protocol, gpointer data, GError **error)
{
  LoginCall *call = data;
  gpointer bytes = NULL;
  guint32 size = 0;

  if (thrift_protocol_read_binary (THRIFT_PROTOCOL (protocol), &bytes, &size, error) < 0)
    return FALSE;
  g_free (call->answer);
  call->answer = g_strndup (bytes, size);
  g_free (bytes);
  return TRUE;
}

static KvsqlMessageOutcome
exchange (KvsqlChannel *channel, LoginCall *data, gint64 deadline, GCancellable *cancellable,
          GError **error)
{
  const gchar *name = data->mechanism != NULL ? "beginAuthentication" : "finishAuthentication";
  KvsqlMessageCall call = { name, FALSE, write_login, T_STRING, read_login, data };

  return _kvsql_channel_call (channel, &call, deadline, cancellable, error);
}

/* The server is not the one that has the verifier of this password. */
static KvsqlMessageOutcome
fail (const GError *cause, GError **error)
{
  _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_UNAVAILABLE, "%s", cause->message);
  return KVSQL_MESSAGE_LOST;
}

KvsqlMessageOutcome
_kvsql_login (KvsqlChannel *channel, const gchar *user, const gchar *password, gint64 deadline,
              GCancellable *cancellable, GError **error)
{
  g_autoptr (KvsqlScramClient) scram = kvsql_scram_client_new (user, password, NULL);
  g_autoptr (GError) cause = NULL;
  LoginCall first = { .mechanism = MECHANISM, .message = kvsql_scram_client_first (scram) };
  LoginCall final = { 0 };
  KvsqlMessageOutcome outcome = exchange (channel, &first, deadline, cancellable, error);
  g_autofree gchar *challenge = first.answer, *proof = NULL, *signature = NULL;

  if (outcome != KVSQL_MESSAGE_DONE)
    return outcome;
  proof = kvsql_scram_client_answer (scram, kvsql_slice_from_text (challenge), &cause);
  if (proof == NULL)
    return fail (cause, error);
  final.message = proof;
  outcome = exchange (channel, &final, deadline, cancellable, error);
  signature = final.answer;
  if (outcome == KVSQL_MESSAGE_DONE
      && !kvsql_scram_client_check (scram, kvsql_slice_from_text (signature), &cause))
    return fail (cause, error);
  return outcome;
}
