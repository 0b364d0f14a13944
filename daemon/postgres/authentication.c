/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * authentication.c: see authentication.h.
 */
#include "config.h"

#include "daemon/postgres/authentication.h"

#include "core/scram/scram.h"
#include "daemon/postgres/message.h"

#define MECHANISM KVSQL_SCRAM_MECHANISM
#define MECHANISM_PLUS KVSQL_SCRAM_MECHANISM_PLUS
#define MAX_MESSAGE_BYTES 10000

/* Requests of AuthenticationRequest. */
#define SASL 10
#define SASL_CONTINUE 11
#define SASL_FINAL 12

static KvsqldPgStartup
refuse (KvsqldPgSession *session, const GError *error)
{
  kvsqld_pg_report_error (&session->output, "FATAL", error, NULL);
  return KVSQLD_PG_STARTUP_REFUSED;
}

/* Sends the data of a request, which are text. */
static gboolean
send (KvsqldPgSession *session, guint32 request, const gchar *data, gsize size, GError **error)
{
  KvsqldPgOutput *out = &session->output;

  kvsqld_pg_output_begin (out, KVSQLD_PG_AUTHENTICATION);
  kvsqld_pg_put_int32 (&out->buffer, request);
  kvsql_buffer_append (&out->buffer, data, size);
  kvsqld_pg_output_end (out);
  return kvsqld_pg_output_flush (out, error);
}

/* A message of type p. It stays in the buffer of the transport until it is skipped. */
static gboolean
read_response (KvsqldPgSession *session, KvsqldPgMessage *out, GError **error)
{
  return kvsqld_pg_message_read (session->output.transport, MAX_MESSAGE_BYTES, out, error)
         && (out->type == 'p'
             || kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                                 "expected SASL response, got message type %d", (guint8)out->type));
}

/* SASLInitialResponse: the name of the mechanism, and its first message. */
static gboolean
parse_first (KvsqldPgMessage *message, gboolean offers_plus, gboolean *out_is_plus, KvsqlSlice *out,
             GError **error)
{
  const gchar *mechanism = kvsqld_pg_get_text (message);
  guint32 size = kvsqld_pg_get_int32 (message);

  *out_is_plus = offers_plus && strcmp (mechanism, MECHANISM_PLUS) == 0;
  if (!message->is_bad && !*out_is_plus && strcmp (mechanism, MECHANISM) != 0)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "client selected an invalid SASL authentication mechanism");
  *out = kvsqld_pg_get_bytes (message, size == G_MAXUINT32 ? 0 : size);
  return kvsqld_pg_message_check (message, error);
}

/* A list that ends with an empty name. */
static gboolean
send_mechanisms (KvsqldPgSession *session, gboolean offers_plus, GError **error)
{
  static const gchar list[] = MECHANISM "\0", list_with_plus[] = MECHANISM_PLUS "\0" MECHANISM "\0";

  return offers_plus ? send (session, SASL, list_with_plus, sizeof list_with_plus, error)
                     : send (session, SASL, list, sizeof list, error);
}

static gboolean
exchange_first (KvsqldPgSession *session, KvsqldLogin *login, GError **error)
{
  const KvsqlTls *tls = kvsql_transport_get_tls (session->output.transport);
  g_autoptr (GBytes) end_point = tls != NULL ? kvsql_tls_get_end_point (tls) : NULL;
  gboolean is_plus;
  KvsqldPgMessage message;
  const gchar *challenge;
  KvsqlSlice first;

  if (!send_mechanisms (session, end_point != NULL, error)
      || !read_response (session, &message, error)
      || !parse_first (&message, end_point != NULL, &is_plus, &first, error))
    return FALSE;
  if (end_point != NULL)
    kvsqld_login_set_binding (
        login, kvsql_slice (g_bytes_get_data (end_point, NULL), g_bytes_get_size (end_point)),
        is_plus);
  challenge = kvsqld_login_challenge (login, first, error);
  kvsql_transport_skip (session->output.transport, message.size);
  return challenge != NULL && send (session, SASL_CONTINUE, challenge, strlen (challenge), error);
}

static gboolean
exchange_final (KvsqldPgSession *session, KvsqldLogin *login, GError **error)
{
  KvsqldPgMessage message;
  g_autofree gchar *answer = NULL;

  if (!read_response (session, &message, error))
    return FALSE;
  answer = kvsqld_login_finish (login, kvsql_slice (message.at, (gsize)(message.end - message.at)),
                                session->identity, session->cancellable, error);
  kvsql_transport_skip (session->output.transport, message.size);
  return answer != NULL && send (session, SASL_FINAL, answer, strlen (answer), error);
}

/* A role that may not have another connection is refused now, as PostgreSQL does. */
static KvsqldPgStartup
join_role (KvsqldPgSession *session)
{
  const KvsqldRequest request = kvsqld_pg_session_get_request (session);
  g_autoptr (GError) cause = NULL;

  return kvsqld_service_join_role (session->service, &request, &cause) ? KVSQLD_PG_STARTUP_DONE
                                                                       : refuse (session, cause);
}

KvsqldPgStartup
kvsqld_pg_authenticate (KvsqldPgSession *session, GError **error)
{
  g_autoptr (KvsqldLogin) login = NULL;
  g_autoptr (GError) cause = NULL;

  if (session->identity->auth != KVSQLD_AUTH_SCRAM)
    return kvsqld_service_assume_role (session->service, session->identity, session->user, &cause)
               ? join_role (session)
               : refuse (session, cause);
  login = kvsqld_login_new (kvsqld_service_get_logins (session->service), session->peer,
                            session->user);
  if (exchange_first (session, login, &cause) && exchange_final (session, login, &cause))
    return join_role (session);
  if (g_error_matches (cause, KVSQL_ERROR, KVSQL_ERROR_AUTHENTICATION)
      || g_error_matches (cause, KVSQL_ERROR, KVSQL_ERROR_UNSUPPORTED))
    return refuse (session, cause);
  g_propagate_error (error, g_steal_pointer (&cause));
  return KVSQLD_PG_STARTUP_FAILED;
}
