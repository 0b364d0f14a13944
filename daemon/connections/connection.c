/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.c: see connection.h.
 */
#include "config.h"

#include "daemon/connections/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include "core/base/error.h"

/* After this time without a request a connection is idle and gives its thread back. */
#define IDLE_AFTER_US G_TIME_SPAN_SECOND
/* And in a handshake of TLS, whose next message comes at once if the client is honest. */
#define IDLE_IN_HANDSHAKE_US (20 * G_TIME_SPAN_MILLISECOND)
/* Of a message before a log-in, with room for those of SCRAM. */
#define MAX_LOGIN_BYTES 16384

/* Finds out who the peer is, and which places it may have. */
static void
identify (KvsqldConnection *self)
{
  g_autoptr (GSocketAddress) address = g_socket_get_remote_address (self->entry.socket, NULL);
  g_autoptr (GCredentials) credentials = NULL;
  uid_t user;

  self->identity.user_id = -1;
  if (address != NULL && G_IS_INET_SOCKET_ADDRESS (address))
    {
      self->peer = g_inet_address_to_string (
          g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)));
      return;
    }
  self->entry.place.is_local = TRUE;
  credentials = g_socket_get_credentials (self->entry.socket, NULL);
  user = credentials != NULL ? g_credentials_get_unix_user (credentials, NULL) : (uid_t)-1;
  self->entry.place.is_operator = user == 0 || user == geteuid ();
  if (user != (uid_t)-1)
    self->identity.user_id = user;
  self->identity.is_operator
      = self->entry.place.is_operator && self->identity.auth == KVSQLD_AUTH_PEER;
  self->peer = user != (uid_t)-1 ? g_strdup_printf ("user %u", (guint)user) : g_strdup ("unknown");
}

gboolean
kvsqld_connection_is_encrypted (const KvsqldConnection *self)
{
  return kvsql_transport_get_tls (self->entry.transport) != NULL;
}

void
kvsqld_connection_encrypt (KvsqldConnection *self)
{
  kvsql_transport_start_tls (self->entry.transport,
                             kvsql_tls_new_server (self->encryption->credentials,
                                                   self->front_end->alpn, self->asks_certificate,
                                                   g_socket_get_fd (self->entry.socket)));
}

static gint64
deadline_after (gint64 timeout_ms)
{
  return g_get_monotonic_time () + timeout_ms * G_TIME_SPAN_MILLISECOND;
}

KvsqldConnection *
kvsqld_connection_new (KvsqldFrontEnd *front_end, GSocket *socket, const KvsqldEntrance *entrance,
                       KvsqldConnectionSet *set, const KvsqldConnectionLimits *limits,
                       KvsqlByteBudget *budget)
{
  KvsqldConnection *self = g_malloc0 (front_end->connection_size);
  g_autoptr (GSocketConnection) stream = g_socket_connection_factory_create_connection (socket);

  self->front_end = front_end;
  self->set = set;
  self->entry.socket = g_object_ref (socket);
  self->identity.auth = entrance->auth;
  self->tls = entrance->tls;
  self->asks_certificate = entrance->asks_certificate;
  self->encryption = kvsqld_encryption_ref (entrance->encryption);
  self->handshake_deadline_us = deadline_after (limits->handshake_timeout_ms);
  identify (self);
  self->entry.place.owner = &self->entry;
  self->entry.place.peer = self->peer;
  self->entry.cancellable = g_cancellable_new ();
  self->limits = *limits;
  self->idle_entry
      = (KvsqldIdleEntry){ .fd = g_socket_get_fd (socket), .cancellable = self->entry.cancellable };
  self->entry.transport
      = kvsql_transport_new (G_IO_STREAM (stream), FALSE, limits->max_message_bytes);
  if (!kvsqld_identity_is_complete (&self->identity))
    kvsql_transport_set_max_message (self->entry.transport, MAX_LOGIN_BYTES);
  kvsql_transport_set_budget (self->entry.transport, budget);
  kvsql_transport_set_spin (self->entry.transport, (guint)MAX (limits->spin_us, 0));
  kvsql_transport_set_cancellable (self->entry.transport, self->entry.cancellable);
  kvsql_transport_set_write_timeout (self->entry.transport,
                                     limits->write_timeout_ms * G_TIME_SPAN_MILLISECOND);
  if (g_socket_get_family (socket) != G_SOCKET_FAMILY_UNIX)
    {
      g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);
      g_socket_set_keepalive (socket, TRUE);
    }
  if (self->tls != KVSQLD_TLS_OFF && !front_end->begins_plain)
    kvsqld_connection_encrypt (self);
  return self;
}

void
kvsqld_connection_free (KvsqldConnection *self)
{
  g_object_unref (self->entry.transport); /* before the socket: TLS says goodbye */
  g_socket_close (self->entry.socket, NULL);
  g_object_unref (self->entry.cancellable);
  g_object_unref (self->entry.socket);
  kvsqld_identity_clear (&self->identity);
  kvsqld_encryption_unref (self->encryption);
  g_free (self->peer);
  g_free (self);
}

void
kvsqld_connection_start_clock (KvsqldConnection *self, gint64 timeout_ms)
{
  gint64 deadline = deadline_after (timeout_ms);

  kvsql_transport_set_deadline (self->entry.transport,
                                self->is_established ? deadline
                                                     : MIN (deadline, self->handshake_deadline_us));
}

void
kvsqld_connection_note_handshake (KvsqldConnection *self)
{
  if (self->is_established || !kvsqld_identity_is_complete (&self->identity))
    return;
  self->is_established = TRUE;
  kvsql_transport_set_max_message (self->entry.transport, self->limits.max_message_bytes);
}

/* ---- refusal */

void
kvsqld_connection_begin_refusal (KvsqldConnection *self)
{
  kvsql_transport_set_deadline (self->entry.transport, self->idle_entry.deadline_us);
  kvsql_transport_set_write_timeout (self->entry.transport, 0);
}

/* A user has only its number, as in the log: where connections are refused there may be many, and
 * each look for a name may block a thread. */
void
kvsqld_connection_explain_refusal (const KvsqldConnection *self, GError **error)
{
  if (g_str_equal (self->entry.refused_for, "max_connections"))
    kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE, "too many connections");
  else
    kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE, "too many connections of %s",
                     self->peer);
  kvsql_error_hint (error,
                    "Close some, try again later, or raise %s in the daemon's configuration.",
                    self->entry.refused_for);
}

/* ---- the wait for a request */

static gboolean
is_told_to_end (KvsqldConnection *self)
{
  return !kvsqld_connection_set_note_waiting (self->set, &self->entry)
         || (self->entry.session != NULL && kvsqld_session_is_ended (self->entry.session));
}

/* The outcome of a wait until @deadline without a request. @cause: the error of the wait, NULL if
 * the peer has closed the connection. */
static KvsqldConnectionOutcome
outcome_of_wait (const KvsqldConnection *self, gint64 deadline, const GError *cause)
{
  if (cause == NULL || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return KVSQLD_CONNECTION_ENDED;
  if (!g_error_matches (cause, KVSQL_ERROR, KVSQL_ERROR_DEADLINE))
    return KVSQLD_CONNECTION_FAILED;
  if (deadline < self->idle_entry.deadline_us)
    return KVSQLD_CONNECTION_IDLE;
  return self->is_established ? KVSQLD_CONNECTION_ENDED : KVSQLD_CONNECTION_FAILED;
}

static gint64
get_wait_us (const KvsqldConnection *self)
{
  const KvsqlTls *tls = kvsql_transport_get_tls (self->entry.transport);

  return tls != NULL && !kvsql_tls_is_established (tls) ? IDLE_IN_HANDSHAKE_US : IDLE_AFTER_US;
}

/* The role that the certificate names. The handshake of TLS has verified the certificate. */
static gboolean
identify_by_certificate (KvsqldConnection *self, GError **error)
{
  g_autofree gchar *name = NULL;

  if (self->identity.auth != KVSQLD_AUTH_CERT || self->identity.role != NULL
      || !kvsqld_connection_is_encrypted (self))
    return TRUE;
  name = kvsql_tls_get_peer_name (kvsql_transport_get_tls (self->entry.transport));
  if (name == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                            "the client's certificate has no common name, or several");
  self->identity.role = g_strdup (kvsqld_encryption_get_role (self->encryption, name));
  return TRUE;
}

/* A request, or a part of the handshake, has begun to arrive. */
static gboolean
begin_request (KvsqldConnection *self, KvsqldConnectionOutcome *out_outcome, GError **error)
{
  self->idle_entry.deadline_us = 0;
  if (!self->is_established)
    kvsql_transport_set_deadline (self->entry.transport, self->handshake_deadline_us);
  if (!identify_by_certificate (self, error))
    {
      *out_outcome = KVSQLD_CONNECTION_FAILED;
      return FALSE;
    }
  return kvsqld_connection_set_note_busy (self->set, &self->entry);
}

gboolean
kvsqld_connection_wait (KvsqldConnection *self, KvsqldConnectionOutcome *out_outcome,
                        GError **error)
{
  gint64 now = g_get_monotonic_time (), deadline;
  g_autoptr (GError) cause = NULL;

  *out_outcome = KVSQLD_CONNECTION_ENDED;
  if (is_told_to_end (self))
    return FALSE;
  if (self->idle_entry.deadline_us == 0)
    self->idle_entry.deadline_us = self->is_established
                                       ? deadline_after (self->limits.idle_timeout_ms)
                                       : self->handshake_deadline_us;
  deadline = MIN (self->idle_entry.deadline_us, now + get_wait_us (self));
  kvsql_transport_set_deadline (self->entry.transport, deadline);
  if (kvsql_transport_wait (self->entry.transport, &cause) > 0)
    return begin_request (self, out_outcome, error);
  *out_outcome = outcome_of_wait (self, deadline, cause);
  if (*out_outcome == KVSQLD_CONNECTION_FAILED)
    g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}
