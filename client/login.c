/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * login.c: the two calls of a log-in.
 */
#include "config.h"

#include "client/login.h"

#include "client/error-private.h"
#include "core/scram/client.h"

#define MECHANISM "SCRAM-SHA-256"
/* Of an answer of a server that has not proved itself. Those of kvsqld have some hundred bytes. */
#define MAX_ANSWER_BYTES 16384

#define HINT_NO_KVSQLD "The peer is no kvsqld, or a false one. Check the host and the port."

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
  call->answer = bytes != NULL ? g_strndup (bytes, size) : g_strdup ("");
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

static KvsqlMessageOutcome
fail (const GError *cause, const gchar *hint, GError **error)
{
  _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_UNAVAILABLE, "%s", cause->message);
  _kvsql_client_error_hint (error, "%s", hint);
  return KVSQL_MESSAGE_LOST;
}

/* Answers that kvsqld does not give: too long, or no messages of Thrift. */
static void
explain_answer (KvsqlMessageOutcome outcome, GError **error)
{
  if (outcome != KVSQL_MESSAGE_LOST || error == NULL || *error == NULL
      || (!g_error_matches (*error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_LIMIT)
          && !g_error_matches (*error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_PROTOCOL)))
    return;
  g_prefix_error (error, "no log-in: ");
  _kvsql_client_error_recode (*error, KVSQL_CLIENT_ERROR_UNAVAILABLE);
  _kvsql_client_error_hint (error, HINT_NO_KVSQLD);
}

static KvsqlMessageOutcome
log_in (KvsqlChannel *channel, const gchar *user, const gchar *password, gint64 deadline,
        GCancellable *cancellable, GError **error)
{
  g_autoptr (KvsqlScramClient) scram = kvsql_scram_client_new (user, password, NULL);
  g_autoptr (GError) cause = NULL;
  LoginCall first = { .mechanism = MECHANISM, .message = kvsql_scram_client_first (scram) };
  LoginCall final = { 0 };
  KvsqlMessageOutcome outcome = exchange (channel, &first, deadline, cancellable, error);
  g_autofree gchar *challenge = first.answer, *proof = NULL, *signature = NULL;

  if (outcome != KVSQL_MESSAGE_DONE)
    {
      explain_answer (outcome, error);
      return outcome;
    }
  proof = kvsql_scram_client_answer (scram, kvsql_slice_from_text (challenge), &cause);
  if (proof == NULL)
    return fail (cause, HINT_NO_KVSQLD, error);
  final.message = proof;
  outcome = exchange (channel, &final, deadline, cancellable, error);
  signature = final.answer;
  explain_answer (outcome, error);
  if (outcome == KVSQL_MESSAGE_DONE
      && !kvsql_scram_client_check (scram, kvsql_slice_from_text (signature), &cause))
    return fail (cause,
                 "The server accepts the password without knowing it, so it may want to learn what "
                 "you send: do not use it. Check the host; kvsqls:// checks its certificate.",
                 error);
  return outcome;
}

KvsqlMessageOutcome
_kvsql_login (KvsqlChannel *channel, const gchar *user, const gchar *password, gint64 deadline,
              GCancellable *cancellable, GError **error)
{
  KvsqlMessageOutcome outcome;

  _kvsql_channel_set_max_answer (channel, MAX_ANSWER_BYTES);
  outcome = log_in (channel, user, password, deadline, cancellable, error);
  _kvsql_channel_set_max_answer (channel, 0);
  return outcome;
}
