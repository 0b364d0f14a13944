/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * call.c: one call of the service: sends the request and reads the answer.
 */
#include "config.h"

#include "client/message.h"

#include <thrift/c_glib/thrift_application_exception.h>

#include "client/error-private.h"

static const KvsqlMessageField error_fields[] = {
  { 1, T_I32, G_STRUCT_OFFSET (KvsqlServerError, code), TRUE },
  { 2, T_STRING, G_STRUCT_OFFSET (KvsqlServerError, message), TRUE },
  { 3, T_STRING, G_STRUCT_OFFSET (KvsqlServerError, sqlstate), FALSE },
  { 4, T_I32, G_STRUCT_OFFSET (KvsqlServerError, position), FALSE },
  { 5, T_I32, G_STRUCT_OFFSET (KvsqlServerError, length), FALSE },
  { 6, T_STRING, G_STRUCT_OFFSET (KvsqlServerError, detail), FALSE },
  { 7, T_STRING, G_STRUCT_OFFSET (KvsqlServerError, hint), FALSE },
  { 8, T_BOOL, G_STRUCT_OFFSET (KvsqlServerError, retryable), FALSE },
};

typedef struct
{
  gchar *message;
  gint32 type;
} ApplicationException;

static const KvsqlMessageField exception_fields[] = {
  { 1, T_STRING, G_STRUCT_OFFSET (ApplicationException, message), FALSE },
  { 2, T_I32, G_STRUCT_OFFSET (ApplicationException, type), FALSE },
};

static gboolean
write_request (const KvsqlMessageCall *call, KvsqlProtocol *protocol, gint32 sequence,
               GError **error)
{
  ThriftProtocol *thrift = THRIFT_PROTOCOL (protocol);

  return thrift_protocol_write_message_begin (thrift, call->name, T_CALL, sequence, error) >= 0
         && _kvsql_message_put_struct_begin (protocol, error)
         && (call->write == NULL || call->write (protocol, call->data, error))
         && _kvsql_message_put_struct_end (protocol, error)
         && thrift_protocol_write_message_end (thrift, error) >= 0;
}

gboolean
_kvsql_call_send (const KvsqlMessageCall *call, KvsqlProtocol *protocol, gint32 sequence,
                  GError **error)
{
  g_autoptr (GError) cause = NULL;
  ThriftTransport *transport = THRIFT_TRANSPORT (kvsql_protocol_get_transport (protocol));

  return (write_request (call, protocol, sequence, &cause)
          && thrift_transport_write_end (transport, &cause)
          && thrift_transport_flush (transport, &cause))
         || _kvsql_client_error_propagate (error, g_steal_pointer (&cause));
}

/* The answer of a Thrift server that could not dispatch the call. */
static gboolean
read_exception (KvsqlProtocol *protocol, GError **out_refusal, GError **error)
{
  ApplicationException exception = { 0 };
  gboolean ok = _kvsql_message_read_struct (protocol, exception_fields,
                                            G_N_ELEMENTS (exception_fields), &exception, error);

  if (ok)
    _kvsql_client_error_set (out_refusal,
                             exception.type == THRIFT_APPLICATION_EXCEPTION_ERROR_UNKNOWN_METHOD
                                 ? KVSQL_CLIENT_ERROR_UNSUPPORTED
                                 : KVSQL_CLIENT_ERROR_PROTOCOL,
                             "kvsqld refused the call: %s",
                             exception.message != NULL ? exception.message : "no reason given");
  g_free (exception.message);
  return ok;
}

static gboolean
read_refusal (KvsqlProtocol *protocol, GError **out_refusal, GError **error)
{
  g_auto (KvsqlServerError) refusal = { .position = -1 };

  if (!_kvsql_message_read_struct (protocol, error_fields, G_N_ELEMENTS (error_fields), &refusal,
                                   error))
    return FALSE;
  g_clear_error (out_refusal);
  _kvsql_client_error_set_from_server (out_refusal, &refusal);
  return TRUE;
}

/* The struct of results: field 0 is the value, field 1 the exception of the method. */
static gboolean
read_result (const KvsqlMessageCall *call, KvsqlProtocol *protocol, GError **out_refusal,
             GError **error)
{
  gboolean has_value = call->read == NULL;
  gboolean ok;
  ThriftType type;
  gint16 id;

  if (!_kvsql_message_enter (protocol, error)
      || !_kvsql_message_next_field (protocol, &id, &type, error))
    return FALSE;
  while (type != T_STOP)
    {
      if (id == 0 && !has_value && type == call->answer_type)
        ok = has_value = call->read (protocol, call->data, error);
      else if (id == 1 && type == T_STRUCT)
        ok = read_refusal (protocol, out_refusal, error);
      else
        ok = _kvsql_message_skip (protocol, type, error);
      if (!ok || !_kvsql_message_next_field (protocol, &id, &type, error))
        return FALSE;
    }
  if (!has_value && *out_refusal == NULL)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_PROTOCOL,
                                    "kvsqld answered \"%s\" with neither a value nor an error",
                                    call->name);
  return _kvsql_message_leave (protocol, error);
}

static gboolean
read_header (const KvsqlMessageCall *call, KvsqlProtocol *protocol, gint32 sequence,
             ThriftMessageType *out_type, GError **error)
{
  g_autofree gchar *name = NULL;
  gint32 their_sequence = 0;

  if (thrift_protocol_read_message_begin (THRIFT_PROTOCOL (protocol), &name, out_type,
                                          &their_sequence, error)
      < 0)
    return FALSE;
  /* A server that could not read the method's name answers with an exception under another name. */
  if (*out_type == T_EXCEPTION)
    return TRUE;
  if (*out_type != T_REPLY || their_sequence != sequence || g_strcmp0 (name, call->name) != 0)
    return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_PROTOCOL,
                                    "the answer is not one to \"%s\"", call->name);
  return TRUE;
}

static gboolean
receive (const KvsqlMessageCall *call, KvsqlProtocol *protocol, gint32 sequence,
         GError **out_refusal, GError **error)
{
  g_autoptr (GError) cause = NULL;
  ThriftProtocol *thrift = THRIFT_PROTOCOL (protocol);
  ThriftMessageType type = T_REPLY;

  return (read_header (call, protocol, sequence, &type, &cause)
          && (type == T_EXCEPTION ? read_exception (protocol, out_refusal, &cause)
                                  : read_result (call, protocol, out_refusal, &cause))
          && thrift_protocol_read_message_end (thrift, &cause) >= 0
          && thrift_transport_read_end (thrift->transport, &cause))
         || _kvsql_client_error_propagate (error, g_steal_pointer (&cause));
}

KvsqlMessageOutcome
_kvsql_call_receive (const KvsqlMessageCall *call, KvsqlProtocol *protocol, gint32 sequence,
                     GError **error)
{
  g_autoptr (GError) refusal = NULL;

  if (!receive (call, protocol, sequence, &refusal, error))
    return KVSQL_MESSAGE_LOST;
  if (refusal == NULL)
    return KVSQL_MESSAGE_DONE;
  g_propagate_error (error, g_steal_pointer (&refusal));
  return KVSQL_MESSAGE_REFUSED;
}
