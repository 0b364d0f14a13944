/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.c: detects the format of one peer and answers its requests, one after the other.
 *
 * The header of a message is read here, not by the generated process(), so that every deadline
 * starts at the right time and generated code sees only calls.
 */
#include "config.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <thrift/c_glib/thrift_application_exception.h>

#include "core/base/error.h"
#include "daemon/rpc/connection.h"
#include "daemon/rpc/failure.h"
#include "idl/wire/detect.h"
#include "kvsql_rpc_sql.h"

/* Memory for the elements of a request, in units of the largest message. Requests are trusted less
 * than replies: ten million elements of one byte take seconds to read, and no client needs them. */
#define ELEMENTS_MEMORY_FACTOR 4

/* After this time without a request a connection is idle and gives its thread back. */
#define IDLE_AFTER_US G_TIME_SPAN_SECOND

/* Finds out who the peer is, and which places it may have. */
static void
identify (KvsqldRpcConnection *self)
{
  g_autoptr (GSocketAddress) address = g_socket_get_remote_address (self->entry.socket, NULL);
  g_autoptr (GCredentials) credentials = NULL;
  uid_t user;

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
  self->peer = user != (uid_t)-1 ? g_strdup_printf ("user %u", (guint)user) : g_strdup ("unknown");
}

KvsqldRpcConnection *
kvsqld_rpc_connection_new (GSocket *socket, KvsqldConnectionSet *set,
                           struct _KvsqlRpcSqlProcessor *processor, const KvsqldRpcLimits *limits,
                           KvsqlByteBudget *budget)
{
  KvsqldRpcConnection *self = g_new0 (KvsqldRpcConnection, 1);
  g_autoptr (GSocketConnection) stream = g_socket_connection_factory_create_connection (socket);

  self->set = set;
  self->processor = processor;
  self->entry.socket = g_object_ref (socket);
  identify (self);
  self->entry.place.owner = &self->entry;
  self->entry.place.peer = self->peer;
  self->entry.cancellable = g_cancellable_new ();
  self->limits = *limits;
  self->idle_entry
      = (KvsqldIdleEntry){ .fd = g_socket_get_fd (socket), .cancellable = self->entry.cancellable };
  self->entry.transport
      = kvsql_transport_new (G_IO_STREAM (stream), FALSE, limits->max_message_bytes);
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
  return self;
}

void
kvsqld_rpc_connection_free (KvsqldRpcConnection *self)
{
  thrift_transport_close (THRIFT_TRANSPORT (self->entry.transport), NULL);
  g_clear_object (&self->protocol);
  g_object_unref (self->entry.transport);
  g_object_unref (self->entry.cancellable);
  g_object_unref (self->entry.socket);
  g_free (self->peer);
  g_free (self);
}

static void
start_clock (KvsqldRpcConnection *self, gint64 timeout_ms)
{
  kvsql_transport_set_deadline (self->entry.transport,
                                g_get_monotonic_time () + timeout_ms * G_TIME_SPAN_MILLISECOND);
}

static gboolean
detect_format (KvsqldRpcConnection *self, GError **error)
{
  KvsqlWireFormat format;

  self->protocol = kvsql_protocol_accept (self->entry.transport, &format, error);
  if (self->protocol == NULL)
    return FALSE;
  kvsql_protocol_set_deferred (self->protocol, TRUE);
  kvsql_protocol_set_max_memory (self->protocol,
                                 (guint64)ELEMENTS_MEMORY_FACTOR
                                     * kvsql_transport_get_max_message (self->entry.transport));
  return TRUE;
}

/* ---- replies that generated code cannot write */

static gboolean
write_exception (ThriftProtocol *protocol, const gchar *method, gint32 sequence_id, gint32 type,
                 const gchar *message, GError **error)
{
  ThriftTransport *transport
      = THRIFT_TRANSPORT (kvsql_protocol_get_transport (KVSQL_PROTOCOL (protocol)));

  return thrift_protocol_write_message_begin (protocol, method, T_EXCEPTION, sequence_id, error)
             >= 0
         && thrift_protocol_write_struct_begin (protocol, "TApplicationException", error) >= 0
         && thrift_protocol_write_field_begin (protocol, "message", T_STRING, 1, error) >= 0
         && thrift_protocol_write_string (protocol, message, error) >= 0
         && thrift_protocol_write_field_begin (protocol, "type", T_I32, 2, error) >= 0
         && thrift_protocol_write_i32 (protocol, type, error) >= 0
         && thrift_protocol_write_field_stop (protocol, error) >= 0
         && thrift_protocol_write_struct_end (protocol, error) >= 0
         && thrift_protocol_write_message_end (protocol, error) >= 0
         && thrift_transport_flush (transport, error);
}

/* Every method throws its exception as field 1. */
static gboolean
write_failure (ThriftProtocol *protocol, const gchar *method, gint32 sequence_id,
               const GError *failure, GError **error)
{
  ThriftTransport *transport
      = THRIFT_TRANSPORT (kvsql_protocol_get_transport (KVSQL_PROTOCOL (protocol)));
  g_autoptr (GObject) thrown = (GObject *)kvsqld_rpc_failure_new (failure);

  return thrift_protocol_write_message_begin (protocol, method, T_REPLY, sequence_id, error) >= 0
         && thrift_protocol_write_struct_begin (protocol, "result", error) >= 0
         && thrift_protocol_write_field_begin (protocol, "err", T_STRUCT, 1, error) >= 0
         && thrift_struct_write (THRIFT_STRUCT (thrown), protocol, error) >= 0
         && thrift_protocol_write_field_stop (protocol, error) >= 0
         && thrift_protocol_write_struct_end (protocol, error) >= 0
         && thrift_protocol_write_message_end (protocol, error) >= 0
         && thrift_transport_write_end (transport, error)
         && thrift_transport_flush (transport, error);
}

/* The generated code does the same, but leaks the name if the message is truncated. */
static gboolean
answer_unknown (ThriftProtocol *protocol, const gchar *method, gint32 sequence_id, GError **error)
{
  g_autofree gchar *message = g_strdup_printf ("Invalid method name: '%s'", method);

  return thrift_protocol_skip (protocol, T_STRUCT, error) >= 0
         && thrift_protocol_read_message_end (protocol, error) >= 0
         && write_exception (protocol, method, sequence_id,
                             THRIFT_APPLICATION_EXCEPTION_ERROR_UNKNOWN_METHOD, message, error);
}

/* ---- a connection that was refused */

static void
explain_refusal (const KvsqldRpcConnection *self, GError **error)
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

/* Reads the whole request before the answer: closing a socket with unread bytes resets the
 * connection, and the answer would be lost. */
static gboolean
refuse_request (KvsqldRpcConnection *self, GError **error)
{
  ThriftProtocol *protocol = THRIFT_PROTOCOL (self->protocol);
  g_autofree gchar *method = NULL;
  g_autoptr (GError) failure = NULL;
  ThriftMessageType type;
  gint32 sequence_id;

  explain_refusal (self, &failure);
  return thrift_protocol_read_message_begin (protocol, &method, &type, &sequence_id, error) >= 0
         && type == T_CALL && thrift_protocol_skip (protocol, T_STRUCT, error) >= 0
         && thrift_protocol_read_message_end (protocol, error) >= 0
         && write_failure (protocol, method, sequence_id, failure, error);
}

KvsqldRpcOutcome
kvsqld_rpc_connection_refuse (KvsqldRpcConnection *self, GError **error)
{
  g_autoptr (GError) unheard = NULL; /* no request, or a malformed one: refused all the same */

  kvsql_transport_set_deadline (self->entry.transport, self->idle_entry.deadline_us);
  kvsql_transport_set_write_timeout (self->entry.transport, 0);
  if (kvsql_transport_wait (self->entry.transport, &unheard) > 0 && detect_format (self, &unheard))
    refuse_request (self, &unheard);
  return KVSQLD_RPC_ENDED;
}

/* ---- requests */

static gboolean
dispatch (KvsqldRpcConnection *self, const gchar *method, gint32 sequence_id, GError **error)
{
  ThriftDispatchProcessor *processor = THRIFT_DISPATCH_PROCESSOR (self->processor);
  ThriftProtocol *protocol = THRIFT_PROTOCOL (self->protocol);
  GError *cause = NULL;

  if (THRIFT_DISPATCH_PROCESSOR_GET_CLASS (processor)->dispatch_call (
          processor, protocol, protocol, g_strdup (method), sequence_id, &cause)
      && cause == NULL)
    return TRUE;

  /* The reply was too large. None of its bytes was sent yet. */
  if (g_error_matches (cause, KVSQL_ERROR, KVSQL_ERROR_LIMIT)
      && kvsql_transport_has_unsent (self->entry.transport)
      && write_failure (protocol, method, sequence_id, cause, NULL))
    {
      g_error_free (cause);
      return TRUE;
    }
  if (cause == NULL)
    kvsql_error_set (&cause, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE, "call failed without an error");
  g_propagate_error (error, cause);
  return FALSE;
}

/* Sends the reason to the peer, if it still reads. The connection ends in any case. */
static void
explain_failure (KvsqldRpcConnection *self, const gchar *method, gint32 sequence_id,
                 const GError *cause)
{
  if (g_error_matches (cause, KVSQL_ERROR, KVSQL_ERROR_PROTOCOL))
    write_exception (THRIFT_PROTOCOL (self->protocol), method, sequence_id,
                     THRIFT_APPLICATION_EXCEPTION_ERROR_PROTOCOL_ERROR, cause->message, NULL);
}

static gboolean
serve_request (KvsqldRpcConnection *self, GError **error)
{
  ThriftProtocol *protocol = THRIFT_PROTOCOL (self->protocol);
  g_autofree gchar *method = NULL;
  GError *cause = NULL;
  ThriftMessageType type;
  gint32 sequence_id;
  gboolean ok;

  if (thrift_protocol_read_message_begin (protocol, &method, &type, &sequence_id, error) < 0)
    return FALSE;
  if (type != T_CALL)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "message of type %d is not a call", type);
  if (g_hash_table_contains (self->processor->process_map, method))
    ok = dispatch (self, method, sequence_id, &cause);
  else
    ok = answer_unknown (protocol, method, sequence_id, &cause);
  if (ok)
    return TRUE;
  explain_failure (self, method, sequence_id, cause);
  g_propagate_error (error, cause);
  return FALSE;
}

static gboolean
is_told_to_end (KvsqldRpcConnection *self)
{
  return !kvsqld_connection_set_note_waiting (self->set, &self->entry)
         || (self->entry.session != NULL && kvsqld_session_is_ended (self->entry.session));
}

/* The outcome of a wait until @deadline without a request. @cause: the error of the wait, NULL if
 * the peer has closed the connection. */
static KvsqldRpcOutcome
outcome_of_wait (const KvsqldRpcConnection *self, gint64 deadline, const GError *cause)
{
  if (cause == NULL || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return KVSQLD_RPC_ENDED;
  if (self->protocol == NULL || !g_error_matches (cause, KVSQL_ERROR, KVSQL_ERROR_DEADLINE))
    return KVSQLD_RPC_FAILED;
  return deadline < self->idle_entry.deadline_us ? KVSQLD_RPC_IDLE : KVSQLD_RPC_ENDED;
}

/* Waits for the next request. FALSE: there is none, and *out_outcome is set. */
static gboolean
wait_for_request (KvsqldRpcConnection *self, KvsqldRpcOutcome *out_outcome, GError **error)
{
  gint64 now = g_get_monotonic_time (), deadline;
  g_autoptr (GError) cause = NULL;

  *out_outcome = KVSQLD_RPC_ENDED;
  if (is_told_to_end (self))
    return FALSE;
  if (self->idle_entry.deadline_us == 0)
    self->idle_entry.deadline_us = now
                                   + (self->protocol == NULL ? self->limits.handshake_timeout_ms
                                                             : self->limits.idle_timeout_ms)
                                         * G_TIME_SPAN_MILLISECOND;
  deadline = self->protocol == NULL ? self->idle_entry.deadline_us
                                    : MIN (self->idle_entry.deadline_us, now + IDLE_AFTER_US);
  kvsql_transport_set_deadline (self->entry.transport, deadline);
  if (kvsql_transport_wait (self->entry.transport, &cause) > 0)
    {
      self->idle_entry.deadline_us = 0;
      return kvsqld_connection_set_note_busy (self->set, &self->entry);
    }
  *out_outcome = outcome_of_wait (self, deadline, cause);
  if (*out_outcome == KVSQLD_RPC_FAILED)
    g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

KvsqldRpcOutcome
kvsqld_rpc_connection_serve (KvsqldRpcConnection *self, GError **error)
{
  KvsqldRpcOutcome outcome;

  while (wait_for_request (self, &outcome, error))
    {
      /* The handshake timeout runs until the format is known. */
      if (self->protocol == NULL && !detect_format (self, error))
        return KVSQLD_RPC_FAILED;
      start_clock (self, self->limits.request_timeout_ms);
      if (!serve_request (self, error))
        return KVSQLD_RPC_FAILED;
    }
  return outcome;
}
