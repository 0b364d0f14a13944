/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.c: one peer: which format it speaks, and its requests one after the other.
 *
 * The header of a message is read here rather than by the generated process(), so that every
 * deadline starts where it should, and nothing of the generated code sees a message that is no
 * call.
 */
#include "config.h"

#include <thrift/c_glib/thrift_application_exception.h>

#include "core/base/error.h"
#include "daemon/rpc/server-private.h"

/* What the elements of a request may take in memory, in units of the largest message. Requests are
 * less trusted than replies: ten million one-byte elements take seconds to read, and nobody sends
 * them. */
#define ELEMENTS_MEMORY_FACTOR 4

/* From then on it is idle, and has no thread. */
#define IDLE_AFTER_US G_TIME_SPAN_SECOND

static void
start_clock (KvsqldRpcConnection *self, gint64 timeout_ms)
{
  kvsql_transport_set_deadline (self->transport,
                                g_get_monotonic_time () + timeout_ms * G_TIME_SPAN_MILLISECOND);
}

/* ---- replies that generated code does not make */

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

/* As the generated code does it, but that leaks the name when the message is cut short. */
static gboolean
answer_unknown (ThriftProtocol *protocol, const gchar *method, gint32 sequence_id, GError **error)
{
  g_autofree gchar *message = g_strdup_printf ("Invalid method name: '%s'", method);

  return thrift_protocol_skip (protocol, T_STRUCT, error) >= 0
         && thrift_protocol_read_message_end (protocol, error) >= 0
         && write_exception (protocol, method, sequence_id,
                             THRIFT_APPLICATION_EXCEPTION_ERROR_UNKNOWN_METHOD, message, error);
}

/* ---- requests */

static gboolean
dispatch (KvsqldRpcConnection *self, const gchar *method, gint32 sequence_id, GError **error)
{
  ThriftDispatchProcessor *processor = _kvsqld_rpc_server_get_processor (self->server);
  ThriftProtocol *protocol = THRIFT_PROTOCOL (self->protocol);
  GError *cause = NULL;

  if (THRIFT_DISPATCH_PROCESSOR_GET_CLASS (processor)->dispatch_call (
          processor, protocol, protocol, g_strdup (method), sequence_id, &cause)
      && cause == NULL)
    return TRUE;

  /* A reply that got too large: nothing of it was sent yet. */
  if (g_error_matches (cause, KVSQL_ERROR, KVSQL_ERROR_LIMIT)
      && kvsql_transport_has_unsent (self->transport)
      && write_exception (protocol, method, sequence_id,
                          THRIFT_APPLICATION_EXCEPTION_ERROR_INTERNAL_ERROR, cause->message, NULL))
    {
      g_error_free (cause);
      return TRUE;
    }
  if (cause == NULL)
    kvsql_error_set (&cause, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE, "call failed without an error");
  g_propagate_error (error, cause);
  return FALSE;
}

/* The peer learns why, if it still listens; the connection ends nonetheless. */
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
                            "message of type %d is no call", type);
  if (_kvsqld_rpc_server_knows (self->server, method))
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
  return !_kvsqld_rpc_server_note_waiting (self->server, self)
         || (self->session != NULL && kvsqld_session_is_ended (self->session));
}

/* Of a wait until @deadline that brought no request; @cause: why, NULL where the peer has left. */
static KvsqldRpcOutcome
outcome_of_wait (const KvsqldRpcConnection *self, gint64 deadline, const GError *cause)
{
  if (cause == NULL || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return KVSQLD_RPC_ENDED;
  if (self->protocol == NULL || !g_error_matches (cause, KVSQL_ERROR, KVSQL_ERROR_DEADLINE))
    return KVSQLD_RPC_FAILED;
  return deadline < self->guest.deadline_us ? KVSQLD_RPC_IDLE : KVSQLD_RPC_ENDED;
}

/* Waits for the next request; *out_outcome is set if there is none. */
static gboolean
wait_for_request (KvsqldRpcConnection *self, KvsqldRpcOutcome *out_outcome, GError **error)
{
  gint64 now = g_get_monotonic_time (), deadline;
  g_autoptr (GError) cause = NULL;

  *out_outcome = KVSQLD_RPC_ENDED;
  if (is_told_to_end (self))
    return FALSE;
  if (self->guest.deadline_us == 0)
    self->guest.deadline_us = now
                              + (self->protocol == NULL ? self->limits.handshake_timeout_ms
                                                        : self->limits.idle_timeout_ms)
                                    * G_TIME_SPAN_MILLISECOND;
  deadline = self->protocol == NULL ? self->guest.deadline_us
                                    : MIN (self->guest.deadline_us, now + IDLE_AFTER_US);
  kvsql_transport_set_deadline (self->transport, deadline);
  if (kvsql_transport_wait (self->transport, &cause) > 0)
    {
      self->guest.deadline_us = 0;
      return _kvsqld_rpc_server_note_busy (self->server, self);
    }
  *out_outcome = outcome_of_wait (self, deadline, cause);
  if (*out_outcome == KVSQLD_RPC_FAILED)
    g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

static gboolean
detect_format (KvsqldRpcConnection *self, GError **error)
{
  KvsqlWireFormat format;

  self->protocol = kvsql_protocol_accept (self->transport, &format, error);
  if (self->protocol == NULL)
    return FALSE;
  kvsql_protocol_set_deferred (self->protocol, TRUE);
  kvsql_protocol_set_max_memory (self->protocol,
                                 (guint64)ELEMENTS_MEMORY_FACTOR
                                     * kvsql_transport_get_max_message (self->transport));
  return TRUE;
}

KvsqldRpcOutcome
_kvsqld_rpc_connection_serve (KvsqldRpcConnection *self, GError **error)
{
  KvsqldRpcOutcome outcome;

  while (wait_for_request (self, &outcome, error))
    {
      /* The handshake's clock runs until the format is known. */
      if (self->protocol == NULL && !detect_format (self, error))
        return KVSQLD_RPC_FAILED;
      start_clock (self, self->limits.request_timeout_ms);
      if (!serve_request (self, error))
        return KVSQLD_RPC_FAILED;
    }
  return outcome;
}
