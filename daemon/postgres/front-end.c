/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * front-end.c: the functions that the server calls: a connection from its start to its end.
 */
#include "config.h"

#include "daemon/postgres/front-end.h"

#include "daemon/log/log-rate.h"
#include "daemon/log/log.h"
#include "daemon/postgres/authentication.h"
#include "daemon/postgres/catalogue/catalogue.h"
#include "daemon/postgres/copy-in.h"
#include "daemon/postgres/extended.h"
#include "daemon/postgres/portal.h"
#include "daemon/postgres/query.h"
#include "daemon/postgres/startup.h"

typedef struct
{
  KvsqldFrontEnd parent;
  KvsqldService *service;
  KvsqldPgCancels *cancels;
  KvsqldPgCatalogue *catalogue;
  KvsqldLogRate unsent, unsent_refused; /* log lines about connections */
} KvsqldPgFrontEnd;

typedef struct
{
  KvsqldConnection base;
  KvsqldPgSession session;
  gboolean is_begun; /* the session was set up */
} KvsqldPgConnection;

static KvsqldPgFrontEnd *
front_end_of (const KvsqldPgConnection *self)
{
  return (KvsqldPgFrontEnd *)self->base.front_end;
}

/* ---- the session */

static void
begin (KvsqldPgConnection *self)
{
  KvsqldPgSession *session = &self->session;

  if (self->is_begun)
    return;
  self->is_begun = TRUE;
  session->service = front_end_of (self)->service;
  session->holding = kvsqld_service_new_holding (session->service);
  session->activity = self->base.entry.session;
  session->cancellable = self->base.entry.cancellable;
  session->peer = self->base.peer;
  session->identity = &self->base.identity;
  session->output.transport = self->base.entry.transport;
  session->settings = kvsqld_pg_settings_new ();
  session->catalogue = front_end_of (self)->catalogue;
  kvsqld_pg_block_init (&session->block);
  /* names are in the arenas of what they name */
  session->statements = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                               (GDestroyNotify)kvsqld_pg_statement_unref);
  session->portals = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                            (GDestroyNotify)kvsqld_pg_portal_unref);
  session->held = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                         (GDestroyNotify)kvsqld_pg_portal_unref);
}

static void
end (KvsqldConnection *connection)
{
  KvsqldPgConnection *self = (KvsqldPgConnection *)connection;
  KvsqldPgSession *session = &self->session;

  if (!self->is_begun)
    return;
  if (session->cancel.process_id != 0)
    kvsqld_pg_cancels_remove (front_end_of (self)->cancels, &session->cancel);
  kvsqld_pg_copy_in_free (session->copy_in);
  g_hash_table_unref (session->portals);
  g_hash_table_unref (session->held);
  g_hash_table_unref (session->statements);
  kvsqld_pg_block_clear (&session->block);
  kvsqld_pg_settings_free (session->settings);
  kvsqld_pg_output_clear (&session->output);
  g_free (session->user);
  g_free (session->database);
  g_free (session->role_at_block);
  kvsql_account_unref (session->holding);
}

/* ---- the end of a connection */

/* The time for last words to a client that does not read. Less than what the end of the daemon
 * waits for connections that it has cancelled. */
#define LAST_WORDS_MS 1000

/* Sends the answers. @rate: of the log lines @what, if the client does not take them. */
static void
send_last (KvsqldPgConnection *self, KvsqldLogRate *rate, const gchar *what)
{
  KvsqldLogFields fields = { .peer = self->base.peer };
  g_autoptr (GError) error = NULL;
  g_autofree gchar *note = NULL;

  if (kvsqld_pg_output_flush (&self->session.output, &error))
    return;
  if (kvsqld_log_rate_admit (rate, g_get_monotonic_time (), &note))
    kvsqld_log (G_LOG_LEVEL_INFO, &fields, "%s of %s was not sent: %s%s", what, self->base.peer,
                error->message, note);
}

/* Tells the client why its connection ends. The connection may have been cancelled. */
static void
tell_end (KvsqldPgConnection *self, const GError *reason)
{
  KvsqlTransport *transport = self->base.entry.transport;

  kvsql_transport_set_cancellable (transport, NULL);
  kvsql_transport_set_write_timeout (transport, LAST_WORDS_MS * G_TIME_SPAN_MILLISECOND);
  if (self->session.output.error != NULL)
    kvsqld_pg_output_resume (&self->session.output);
  kvsqld_pg_report_error (&self->session.output, "FATAL", reason, NULL);
  send_last (self, &front_end_of (self)->unsent, "the last message to the connection");
}

/* No request has come in time; or the daemon stops, or an operator has ended the session. */
static void
tell_why_no_request (KvsqldPgConnection *self)
{
  gint64 deadline = self->base.idle_entry.deadline_us;
  gboolean is_idle = deadline != 0 && deadline <= g_get_monotonic_time ();
  g_autoptr (GError) reason = NULL;

  kvsql_error_set (&reason, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "terminating connection due to %s",
                   is_idle ? "idle-session timeout" : "administrator command");
  kvsql_error_sqlstate (&reason, is_idle ? "57P05" : "57P01");
  tell_end (self, reason);
}

static void
refuse (KvsqldConnection *connection)
{
  KvsqldPgConnection *self = (KvsqldPgConnection *)connection;
  g_autoptr (GError) reason = NULL, unheard = NULL;
  KvsqldPgStartup startup;

  begin (self);
  kvsqld_connection_begin_refusal (connection);
  do
    startup = kvsqld_pg_startup_read (&self->session, connection, front_end_of (self)->cancels,
                                      &unheard);
  while (startup == KVSQLD_PG_STARTUP_ENCRYPTED);
  if (startup != KVSQLD_PG_STARTUP_DONE)
    return;
  kvsqld_connection_explain_refusal (connection, &reason);
  kvsql_error_sqlstate (&reason, "53300");
  tell_end (self, reason);
}

/* ---- messages */

static void
handle_query (KvsqldPgSession *session, KvsqldPgMessage *message)
{
  const gchar *text = kvsqld_pg_get_text (message);
  g_autoptr (GError) error = NULL;

  if (session->skips_to_sync)
    return;
  if (kvsqld_pg_message_check (message, &error))
    {
      kvsqld_pg_query (session, kvsql_slice_from_text (text));
      return;
    }
  kvsqld_pg_session_fail (session, error, NULL);
  kvsqld_pg_session_put_ready (session);
}

static void
refuse_call (KvsqldPgSession *session)
{
  g_autoptr (GError) error = NULL;

  if (session->skips_to_sync)
    return;
  kvsql_error_set (&error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                   "function calls by message are not supported");
  kvsqld_pg_session_fail (session, error, NULL);
  kvsqld_pg_session_put_ready (session);
}

/* While COPY reads its data. Flush and Sync are ignored, as in PostgreSQL: clients send them with
 * the statement. FALSE as for handle(). */
static gboolean
handle_copy (KvsqldPgConnection *self, KvsqldPgMessage *message, GError **error)
{
  switch (message->type)
    {
    case 'd':
    case 'c':
    case 'f':
      kvsqld_pg_query_copy (&self->session, message);
      return TRUE;
    case 'H':
    case 'S':
      return TRUE;
    case 'X':
      return FALSE;
    default:
      return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                              "unexpected message type 0x%02X during COPY from stdin",
                              (guint8)message->type);
    }
}

/* FALSE: the connection ends. @error is set if that is not the client's wish. */
static gboolean
handle (KvsqldPgConnection *self, KvsqldPgMessage *message, GError **error)
{
  KvsqldPgSession *session = &self->session;

  if (session->copy_in != NULL)
    return handle_copy (self, message, error);
  switch (message->type)
    {
    case 'Q':
      handle_query (session, message);
      return TRUE;
    case 'X':
      return FALSE;
    case 'H':
      return kvsqld_pg_output_flush (&session->output, error);
    case 'd': /* of a COPY that has failed: ignored, as in PostgreSQL */
    case 'c':
    case 'f':
      return TRUE;
    case 'F':
      refuse_call (session);
      return TRUE;
    default:
      return kvsqld_pg_extended (session, message)
             || kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                                 "invalid frontend message type %d", (guint8)message->type);
    }
}

static gboolean
has_received (const KvsqldPgConnection *self)
{
  return kvsql_transport_get_received (self->base.entry.transport).size > 0;
}

/* Answers the messages that have arrived, up to ReadyForQuery, where the connection can end. Waits
 * for the rest of a message that has arrived in part. Answers are sent before each wait. */
static gboolean
serve_messages (KvsqldPgConnection *self, GError **error)
{
  KvsqlTransport *transport = self->base.entry.transport;
  KvsqldPgMessage message;

  if (self->session.copy_in == NULL) /* COPY is answered since it has begun */
    kvsqld_pg_session_begin_answers (&self->session);
  self->session.is_ready = FALSE;
  while (has_received (self) && !self->session.is_ready)
    {
      if (!kvsqld_pg_message_has_arrived (transport)
          && !kvsqld_pg_output_flush (&self->session.output, error))
        return FALSE;
      kvsqld_connection_start_clock (&self->base, self->base.limits.request_timeout_ms);
      if (!kvsqld_pg_message_read (transport, self->base.limits.max_message_bytes, &message, error)
          || !handle (self, &message, error))
        return FALSE;
      kvsql_transport_skip (transport, message.size);
      if (self->session.output.error != NULL)
        break;
    }
  if (has_received (self) && self->session.output.error == NULL)
    return TRUE;
  return kvsqld_pg_output_flush (&self->session.output, error);
}

static gboolean
is_peers_fault (const GError *error)
{
  return g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL)
         || g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

static KvsqldConnectionOutcome
fail (KvsqldPgConnection *self, GError **error)
{
  if (error != NULL && *error != NULL && is_peers_fault (*error))
    {
      kvsql_error_sqlstate (error, "08P01");
      tell_end (self, *error);
    }
  else if (g_cancellable_is_cancelled (self->session.cancellable))
    tell_why_no_request (self);
  return error != NULL && *error != NULL ? KVSQLD_CONNECTION_FAILED : KVSQLD_CONNECTION_ENDED;
}

/* FALSE: the connection ends. */
static gboolean
start_up (KvsqldPgConnection *self, GError **error)
{
  KvsqldPgSession *session = &self->session;
  KvsqldPgCancels *cancels = front_end_of (self)->cancels;
  KvsqldPgStartup startup;

  startup = kvsqld_pg_startup_read (session, &self->base, cancels, error);
  if (startup == KVSQLD_PG_STARTUP_DONE)
    startup = kvsqld_pg_authenticate (session, error);
  switch (startup)
    {
    case KVSQLD_PG_STARTUP_DONE:
      break;
    case KVSQLD_PG_STARTUP_ENCRYPTED: /* the handshake is part of the next wait */
      return TRUE;
    case KVSQLD_PG_STARTUP_REFUSED:
      send_last (self, &front_end_of (self)->unsent_refused, "the refusal of the connection");
      return FALSE;
    default:
      return FALSE;
    }
  kvsqld_pg_session_note_client (session);
  kvsqld_pg_cancels_add (cancels, &session->cancel, session->activity);
  kvsqld_pg_startup_answer (session);
  kvsqld_connection_note_handshake (&self->base);
  return kvsqld_pg_output_flush (&session->output, error);
}

static KvsqldConnectionOutcome
serve_until_idle (KvsqldPgConnection *self, GError **error)
{
  KvsqldConnection *connection = &self->base;
  KvsqldConnectionOutcome outcome;

  while (kvsqld_connection_wait (connection, &outcome, error))
    if (connection->is_established ? !serve_messages (self, error) : !start_up (self, error))
      return fail (self, error);
  if (outcome == KVSQLD_CONNECTION_IDLE)
    kvsql_buffer_clear (&self->session.output.buffer);
  else if (outcome == KVSQLD_CONNECTION_ENDED && connection->is_established)
    tell_why_no_request (self);
  return outcome;
}

static KvsqldConnectionOutcome
serve (KvsqldConnection *connection, GError **error)
{
  KvsqldPgConnection *self = (KvsqldPgConnection *)connection;
  KvsqldConnectionOutcome outcome;

  begin (self);
  kvsql_account_enter (self->session.holding);
  outcome = serve_until_idle (self, error);
  kvsql_account_enter (NULL);
  return outcome;
}

/* ---- the front end */

KvsqldFrontEnd *
kvsqld_pg_front_end_new (KvsqldService *service)
{
  KvsqldPgFrontEnd *self = g_new0 (KvsqldPgFrontEnd, 1);

  self->parent = (KvsqldFrontEnd){ .alpn = "postgresql",
                                   .begins_plain = TRUE,
                                   .connection_size = sizeof (KvsqldPgConnection),
                                   .serve = serve,
                                   .refuse = refuse,
                                   .end = end };
  self->service = service;
  self->cancels = kvsqld_pg_cancels_new ();
  self->catalogue = kvsqld_pg_catalogue_new ();
  return &self->parent;
}

void
kvsqld_pg_front_end_free (KvsqldFrontEnd *front_end)
{
  KvsqldPgFrontEnd *self = (KvsqldPgFrontEnd *)front_end;

  if (self == NULL)
    return;
  kvsqld_pg_cancels_free (self->cancels);
  kvsqld_pg_catalogue_free (self->catalogue);
  g_free (self);
}
