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
#include "daemon/rpc/page.h"
#include "daemon/rpc/request.h"
#include "daemon/rpc/server.h"
#include "idl/wire/thrift-setup.h"
#include "kvsql_rpc_sql.h"

#define API_VERSION 1

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
handle_hello (KvsqlRpcSqlIf *iface, KvsqlRpcServerInfo **out, const gint32 api_version,
              const gchar *client_name, KvsqlRpcSqlError **failure, GError **error)
{
  KvsqldSession *session = kvsqld_rpc_get_current_session ();
  KvsqldStatus status;

  if (session != NULL && client_name != NULL && g_utf8_validate (client_name, -1, NULL))
    kvsqld_session_set_client (session, client_name);
  kvsqld_service_get_status (service_of (iface), &status);
  g_object_set (*out, "apiVersion", API_VERSION, "version", KVSQL_VERSION, "store",
                status.store_url, "registry", status.registry_url, "epoch", status.epoch,
                "definitionsWritable", status.definitions_writable, NULL);
  if (status.last_error != NULL)
    g_object_set (*out, "message", status.last_error, NULL);
  g_free (status.last_error);
  return TRUE;
}

static void
set_parameters (KvsqlRpcStatement *self, const KvsqldPrepared *prepared)
{
  for (guint i = 0; i < prepared->n_parameters; i++)
    {
      GObject *parameter = g_object_new (KVSQL_RPC_TYPE_PARAMETER, "type",
                                         (gint)prepared->parameter_types[i], NULL);

      if (prepared->parameter_names[i] != NULL)
        g_object_set (parameter, "name", prepared->parameter_names[i], NULL);
      g_ptr_array_add (self->parameters, parameter);
    }
}

static gboolean
handle_prepare (KvsqlRpcSqlIf *iface, KvsqlRpcStatement **out, const gchar *sql,
                KvsqlRpcSqlError **failure, GError **error)
{
  g_autoptr (KvsqldPrepared) prepared = NULL;
  g_autoptr (GPtrArray) infos = NULL;
  GError *cause = NULL;
  KvsqldRequest request;

  if (kvsqld_rpc_check_text ("sql", sql, &cause)
      && kvsqld_rpc_read_options (NULL, &request, &cause))
    prepared = kvsqld_service_prepare (service_of (iface), &request, kvsql_slice_from_text (sql),
                                       &cause);
  if (prepared == NULL)
    return fail (failure, cause);
  infos = kvsqld_rpc_column_infos (prepared->columns, prepared->n_columns);
  g_object_set (*out, "id", prepared->id, "columns", infos, NULL);
  set_parameters (*out, prepared);
  return TRUE;
}

static gboolean
handle_close_statement (KvsqlRpcSqlIf *iface, const gint64 id, KvsqlRpcSqlError **failure,
                        GError **error)
{
  GError *cause = NULL;
  KvsqldRequest request;

  return (kvsqld_rpc_read_options (NULL, &request, &cause)
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

  handler->hello = handle_hello;
  handler->prepare = handle_prepare;
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
