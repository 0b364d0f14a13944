/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * handler.c: see handler.h.
 *
 * Each method checks and converts its arguments, calls the service, and converts the answer. A
 * method that returns FALSE has set @failure. The GError of generated code is never set, because it
 * would reach the peer as a TApplicationException.
 */
#include "config.h"

#include "daemon/rpc/handler.h"

#include "daemon/rpc/failure.h"
#include "daemon/rpc/front-end.h"
#include "daemon/rpc/request.h"
#include "idl/wire/thrift-setup.h"
#include "kvsql_rpc_sql.h"

typedef struct
{
  KvsqlRpcSqlHandler parent;

  KvsqldService *service;
} KvsqldRpcHandler;

typedef struct
{
  KvsqlRpcSqlHandlerClass parent;
} KvsqldRpcHandlerClass;

GType kvsqld_rpc_handler_get_type (void);
G_DEFINE_TYPE (KvsqldRpcHandler, kvsqld_rpc_handler, KVSQL_RPC_TYPE_SQL_HANDLER)

static KvsqldService *
service_of (KvsqlRpcSqlIf *iface)
{
  return ((KvsqldRpcHandler *)iface)->service;
}

/* Takes @cause. Returns FALSE, so that the method can `return` it. */
static gboolean
fail (KvsqlRpcSqlError **failure, GError *cause)
{
  *failure = kvsqld_rpc_failure_new (cause);
  g_error_free (cause);
  return FALSE;
}

static gboolean
handle_close_statement (KvsqlRpcSqlIf *iface, const gint64 id, KvsqlRpcSqlError **failure,
                        GError **error)
{
  const KvsqldRpcOptions none = { 0 };
  GError *cause = NULL;
  KvsqldRequest request;

  return (kvsqld_rpc_accept_options (&none, &request, &cause)
          && kvsqld_service_close_statement (service_of (iface), &request, id, &cause))
         || fail (failure, cause);
}

/* An absent cursor is treated like an empty one: neither is valid. */
static KvsqlSlice
slice_of_cursor (const GByteArray *cursor)
{
  return cursor != NULL ? kvsql_slice (cursor->data, cursor->len) : KVSQL_SLICE_EMPTY;
}

static gboolean
handle_close_cursor (KvsqlRpcSqlIf *iface, const GByteArray *cursor, KvsqlRpcSqlError **failure,
                     GError **error)
{
  GError *cause = NULL;

  return kvsqld_service_close_cursor (service_of (iface), slice_of_cursor (cursor), &cause)
         || fail (failure, cause);
}

/* ---- log-in */

/* The arguments are read by generated code, so they may be missing. */
static KvsqlSlice
slice_of_message (const GByteArray *message)
{
  return message != NULL ? kvsql_slice (message->data, message->len) : KVSQL_SLICE_EMPTY;
}

static GByteArray *
bytes_of_text (const gchar *text)
{
  GByteArray *bytes = g_byte_array_new ();

  return g_byte_array_append (bytes, (const guint8 *)text, (guint)strlen (text));
}

/* A log-in that fails ends the connection: each connection has one attempt. */
static gboolean
fail_login (KvsqlRpcSqlError **failure, GError *cause)
{
  kvsqld_rpc_end_current ();
  return fail (failure, cause);
}

static gboolean
handle_begin_authentication (KvsqlRpcSqlIf *iface, GByteArray **out, const gchar *mechanism,
                             const GByteArray *message, KvsqlRpcSqlError **failure, GError **error)
{
  KvsqldLogin **login = kvsqld_rpc_get_current_login ();
  const gchar *peer = kvsqld_rpc_get_current_peer (), *challenge = NULL;
  GError *cause = NULL;

  if (g_strcmp0 (mechanism, "SCRAM-SHA-256") != 0)
    kvsql_error_set (&cause, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                     "the mechanism of a log-in is SCRAM-SHA-256");
  else if (*login != NULL)
    kvsql_error_set (&cause, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "a log-in has begun already");
  else
    {
      *login = kvsqld_login_new (kvsqld_service_get_logins (service_of (iface)), peer, NULL);
      challenge = kvsqld_login_challenge (*login, slice_of_message (message), &cause);
    }
  if (challenge == NULL)
    return fail_login (failure, cause);
  *out = bytes_of_text (challenge);
  return TRUE;
}

static gboolean
handle_finish_authentication (KvsqlRpcSqlIf *iface, GByteArray **out, const GByteArray *message,
                              KvsqlRpcSqlError **failure, GError **error)
{
  g_autoptr (KvsqldLogin) login = g_steal_pointer (kvsqld_rpc_get_current_login ());
  g_autofree gchar *answer = NULL;
  GError *cause = NULL;

  if (login == NULL)
    kvsql_error_set (&cause, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE, "no log-in has begun");
  else
    answer = kvsqld_login_finish (login, slice_of_message (message),
                                  kvsqld_rpc_get_current_identity (),
                                  kvsqld_rpc_get_current_cancellable (), &cause);
  if (answer == NULL)
    return fail_login (failure, cause);
  *out = bytes_of_text (answer);
  return TRUE;
}

static void
kvsqld_rpc_handler_init (KvsqldRpcHandler *self)
{
}

static void
kvsqld_rpc_handler_class_init (KvsqldRpcHandlerClass *klass)
{
  KvsqlRpcSqlHandlerClass *handler = &klass->parent;

  handler->close_statement = handle_close_statement;
  handler->close_cursor = handle_close_cursor;
  handler->begin_authentication = handle_begin_authentication;
  handler->finish_authentication = handle_finish_authentication;
}

KvsqlRpcSqlHandler *
kvsqld_rpc_handler_new (KvsqldService *service)
{
  KvsqldRpcHandler *self;

  kvsql_thrift_setup ();
  self = g_object_new (kvsqld_rpc_handler_get_type (), NULL);
  self->service = service;
  return &self->parent;
}
