/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.c: detects the format of one peer and answers its requests, one after the other.
 *
 * The header of a message is read here, not by the generated process(), so that every deadline
 * starts at the right time and generated code sees only calls.
 */
#include "config.h"

#include "daemon/rpc/connection.h"

#include <thrift/c_glib/thrift_application_exception.h>

#include "core/base/error.h"
#include "daemon/rpc/failure.h"
#include "idl/wire/detect.h"
#include "kvsql_rpc_sql.h"

/* Memory for the elements of a request, in units of the largest message. Requests are trusted less
 * than replies: ten million elements of one byte take seconds to read, and no client needs them. */
#define ELEMENTS_MEMORY_FACTOR 4

void
kvsqld_rpc_connection_end (KvsqldRpcConnection *self)
{
  g_clear_object (&self->protocol);
  g_clear_pointer (&self->login, kvsqld_login_free);
}

/* What a request may need grows with the log-in. */
static void
note_handshake (KvsqldRpcConnection *self)
{
  if (self->base.is_established)
    return;
  kvsqld_connection_note_handshake (&self->base);
  kvsql_protocol_set_max_memory (
      self->protocol, (guint64)ELEMENTS_MEMORY_FACTOR
                          * kvsql_transport_get_max_message (self->base.entry.transport));
}

/* A client of the other kind would be told that its frame is too large. */
static gboolean
begins_with_tls (const KvsqldRpcConnection *self)
{
  static const guint8 handshake[] = { 0x16, 0x03 };
  const KvsqlSlice bytes = kvsql_transport_get_received (self->base.entry.transport);

  return bytes.size >= sizeof handshake && memcmp (bytes.data, handshake, sizeof handshake) == 0;
}

static gboolean
detect_format (KvsqldRpcConnection *self, GError **error)
{
  KvsqlWireFormat format;

  if (begins_with_tls (self))
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                            "the client speaks TLS, and this address does not");
  self->protocol = kvsql_protocol_accept (self->base.entry.transport, &format, error);
  if (self->protocol == NULL)
    return FALSE;
  kvsql_protocol_set_deferred (self->protocol, TRUE);
  note_handshake (self);
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

/* ---- requests that are refused */

/* Reads the whole request before the answer: closing a socket with unread bytes resets the
 * connection, and the answer would be lost. */
static gboolean
answer_failure (ThriftProtocol *protocol, const gchar *method, gint32 sequence_id,
                const GError *failure, GError **error)
{
  return thrift_protocol_skip (protocol, T_STRUCT, error) >= 0
         && thrift_protocol_read_message_end (protocol, error) >= 0
         && write_failure (protocol, method, sequence_id, failure, error);
}

static gboolean
refuse_before_login (ThriftProtocol *protocol, const gchar *method, gint32 sequence_id,
                     GError **error)
{
  g_autoptr (GError) failure = NULL;

  kvsql_error_set (&failure, KVSQL_ERROR_AUTHENTICATION, KVSQL_SPAN_NONE,
                   "this address of kvsqld requires a log-in");
  kvsql_error_hint (&failure, "Give the name of a role, and its password.");
  return answer_failure (protocol, method, sequence_id, failure, error);
}

static gboolean
may_call (const KvsqldRpcConnection *self, const gchar *method)
{
  return kvsqld_identity_is_complete (&self->base.identity)
         || g_str_equal (method, "beginAuthentication")
         || g_str_equal (method, "finishAuthentication");
}

/* ---- a connection that was refused */

static gboolean
refuse_request (KvsqldRpcConnection *self, GError **error)
{
  ThriftProtocol *protocol = THRIFT_PROTOCOL (self->protocol);
  g_autofree gchar *method = NULL;
  g_autoptr (GError) failure = NULL;
  ThriftMessageType type;
  gint32 sequence_id;

  kvsqld_connection_explain_refusal (&self->base, &failure);
  return thrift_protocol_read_message_begin (protocol, &method, &type, &sequence_id, error) >= 0
         && type == T_CALL && answer_failure (protocol, method, sequence_id, failure, error);
}

void
kvsqld_rpc_connection_refuse (KvsqldRpcConnection *self)
{
  g_autoptr (GError) unheard = NULL; /* no request, or a malformed one: refused all the same */

  kvsqld_connection_begin_refusal (&self->base);
  if (kvsql_transport_wait (self->base.entry.transport, &unheard) > 0
      && detect_format (self, &unheard))
    refuse_request (self, &unheard);
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
      && kvsql_transport_has_unsent (self->base.entry.transport)
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
  if (!may_call (self, method))
    ok = refuse_before_login (protocol, method, sequence_id, &cause);
  else if (g_hash_table_contains (self->processor->process_map, method))
    ok = dispatch (self, method, sequence_id, &cause);
  else
    ok = answer_unknown (protocol, method, sequence_id, &cause);
  if (ok)
    return TRUE;
  explain_failure (self, method, sequence_id, cause);
  g_propagate_error (error, cause);
  return FALSE;
}

KvsqldConnectionOutcome
kvsqld_rpc_connection_serve (KvsqldRpcConnection *self, GError **error)
{
  KvsqldConnectionOutcome outcome;

  while (kvsqld_connection_wait (&self->base, &outcome, error))
    {
      /* The handshake timeout runs until the format is known. */
      if (self->protocol == NULL && !detect_format (self, error))
        return KVSQLD_CONNECTION_FAILED;
      kvsqld_connection_start_clock (&self->base, self->base.limits.request_timeout_ms);
      if (!serve_request (self, error))
        return KVSQLD_CONNECTION_FAILED;
      if (self->is_over)
        return KVSQLD_CONNECTION_ENDED;
      note_handshake (self);
    }
  return outcome;
}
