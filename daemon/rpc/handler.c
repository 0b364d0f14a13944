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
