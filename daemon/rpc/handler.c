/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * handler.c: the generated handler, answered by the service.
 *
 * Each method checks and translates its arguments, asks the service, and translates the
 * answer. A handler that returns FALSE has set @failure; the GError of generated code, which
 * would reach the peer as a TApplicationException, is never set.
 */
#include "config.h"

#include "daemon/rpc/handler.h"

#include "daemon/rpc/failure.h"
#include "daemon/rpc/page.h"
#include "daemon/rpc/request.h"
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

/* Takes @cause. Returns FALSE, for the method to return. */
static gboolean
fail (KvsqlRpcSqlError **failure, GError *cause)
{
  *failure = kvsqld_rpc_failure_new (cause);
  g_error_free (cause);
  return FALSE;
}

/* Generated code has made an empty page; ours takes its place. */
static gboolean
answer_page (KvsqldPage *page, KvsqlRpcPage **out, KvsqlRpcSqlError **failure, GError *cause)
{
  if (page == NULL)
    return fail (failure, cause);
  g_clear_object (out);
  *out = kvsqld_rpc_page_new (page);
  return TRUE;
}

static gboolean
handle_hello (KvsqlRpcSqlIf *iface, KvsqlRpcServerInfo **out, const gint32 api_version,
              const gchar *client_name, KvsqlRpcSqlError **failure, GError **error)
{
  KvsqldStatus status;

  kvsqld_service_get_status (service_of (iface), &status);
  g_object_set (*out, "apiVersion", API_VERSION, "version", KVSQL_VERSION, "store",
                status.store_url, "registry", status.registry_url, "epoch", status.epoch,
                "definitionsWritable", status.definitions_writable, NULL);
  if (status.trouble != NULL)
    g_object_set (*out, "message", status.trouble, NULL);
  g_free (status.trouble);
  return TRUE;
}

static KvsqldPage *
query (KvsqldService *service, const gchar *sql, const GPtrArray *values,
       const KvsqlRpcQueryOptions *options, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldRequest request;
  KvsqlValue *parameters;

  if (!kvsqld_rpc_check_text ("sql", sql, error)
      || !kvsqld_rpc_read_options (options, &request, error)
      || !kvsqld_rpc_read_parameters (values, arena, &parameters, error))
    return NULL;
  return kvsqld_service_query (service, &request, kvsql_slice_from_text (sql), parameters,
                               values->len, error);
}

static gboolean
handle_query (KvsqlRpcSqlIf *iface, KvsqlRpcPage **out, const gchar *sql, const GPtrArray *values,
              const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **failure, GError **error)
{
  GError *cause = NULL;
  KvsqldPage *page = query (service_of (iface), sql, values, options, &cause);

  return answer_page (page, out, failure, cause);
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

static KvsqldPage *
execute (KvsqldService *service, gint64 id, const GPtrArray *values,
         const KvsqlRpcQueryOptions *options, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldRequest request;
  KvsqlValue *parameters;

  if (!kvsqld_rpc_read_options (options, &request, error)
      || !kvsqld_rpc_read_parameters (values, arena, &parameters, error))
    return NULL;
  return kvsqld_service_execute (service, &request, id, parameters, values->len, error);
}

static gboolean
handle_execute (KvsqlRpcSqlIf *iface, KvsqlRpcPage **out, const gint64 id, const GPtrArray *values,
                const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **failure, GError **error)
{
  GError *cause = NULL;
  KvsqldPage *page = execute (service_of (iface), id, values, options, &cause);

  return answer_page (page, out, failure, cause);
}

static gboolean
handle_close_statement (KvsqlRpcSqlIf *iface, const gint64 id, KvsqlRpcSqlError **failure,
                        GError **error)
{
  GError *cause = NULL;

  return kvsqld_service_close_statement (service_of (iface), id, &cause) || fail (failure, cause);
}

/* An absent cursor is as good as an empty one: it is not ours. */
static KvsqlSlice
slice_of_cursor (const GByteArray *cursor)
{
  return cursor != NULL ? kvsql_slice (cursor->data, cursor->len) : KVSQL_SLICE_EMPTY;
}

static gboolean
handle_fetch (KvsqlRpcSqlIf *iface, KvsqlRpcPage **out, const GByteArray *cursor,
              const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **failure, GError **error)
{
  KvsqldPage *page = NULL;
  GError *cause = NULL;
  KvsqldRequest request;

  if (kvsqld_rpc_read_options (options, &request, &cause))
    page = kvsqld_service_fetch (service_of (iface), &request, slice_of_cursor (cursor), &cause);
  return answer_page (page, out, failure, cause);
}

static gboolean
handle_close_cursor (KvsqlRpcSqlIf *iface, const GByteArray *cursor, KvsqlRpcSqlError **failure,
                     GError **error)
{
  GError *cause = NULL;

  return kvsqld_service_close_cursor (service_of (iface), slice_of_cursor (cursor), &cause)
         || fail (failure, cause);
}

static gboolean
insert (KvsqldService *service, const gchar *relation, const GPtrArray *names, gint32 n_rows,
        const GPtrArray *columns, const KvsqlRpcQueryOptions *options, gint64 *out, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const gchar *const *attributes;
  KvsqldRequest request;
  KvsqlBatch data;

  if (!kvsqld_rpc_check_text ("relation", relation, error)
      || !kvsqld_rpc_read_options (options, &request, error)
      || (attributes = kvsqld_rpc_read_names ("columns", names, arena, error)) == NULL
      || !kvsqld_rpc_read_columns (columns, n_rows, arena, &data, error))
    return FALSE;
  if (names->len != data.n_columns)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "there are %u names for %u columns", names->len, data.n_columns);
  return kvsqld_service_insert_rows (service, &request, relation, attributes, &data, out, error);
}

static gboolean
handle_insert_rows (KvsqlRpcSqlIf *iface, gint64 *out, const gchar *relation,
                    const GPtrArray *names, const gint32 n_rows, const GPtrArray *columns,
                    const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **failure, GError **error)
{
  GError *cause = NULL;

  return insert (service_of (iface), relation, names, n_rows, columns, options, out, &cause)
         || fail (failure, cause);
}

static gboolean
explain (KvsqldService *service, const gchar *sql, const GPtrArray *values, gboolean is_analyze,
         gchar **out_text, gchar **out_json, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldRequest request;
  KvsqlValue *parameters;

  return kvsqld_rpc_check_text ("sql", sql, error)
         && kvsqld_rpc_read_options (NULL, &request, error)
         && kvsqld_rpc_read_parameters (values, arena, &parameters, error)
         && kvsqld_service_explain (service, &request, kvsql_slice_from_text (sql), parameters,
                                    values->len, is_analyze, out_text, out_json, error);
}

static gboolean
handle_explain (KvsqlRpcSqlIf *iface, KvsqlRpcPlan **out, const gchar *sql, const GPtrArray *values,
                const gboolean is_analyze, KvsqlRpcSqlError **failure, GError **error)
{
  g_autofree gchar *text = NULL;
  g_autofree gchar *json = NULL;
  GError *cause = NULL;

  if (!explain (service_of (iface), sql, values, is_analyze, &text, &json, &cause))
    return fail (failure, cause);
  g_object_set (*out, "text", text, "json", json, NULL);
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

  handler->hello = handle_hello;
  handler->query = handle_query;
  handler->prepare = handle_prepare;
  handler->execute = handle_execute;
  handler->close_statement = handle_close_statement;
  handler->fetch = handle_fetch;
  handler->close_cursor = handle_close_cursor;
  handler->insert_rows = handle_insert_rows;
  handler->explain = handle_explain;
}

struct _KvsqlRpcSqlHandler *
kvsqld_rpc_handler_new (KvsqldService *service)
{
  KvsqldRpcHandler *self;

  kvsql_thrift_setup ();
  self = g_object_new (kvsqld_rpc_handler_get_type (), NULL);
  self->service = service;
  return &self->parent;
}
