/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * processor.c: see processor.h.
 */
#include "config.h"

#include "daemon/rpc/processor.h"

#include "daemon/rpc/arguments.h"
#include "daemon/rpc/failure.h"
#include "daemon/rpc/handler.h"
#include "daemon/rpc/page.h"
#include "daemon/rpc/request.h"
#include "daemon/rpc/front-end.h"

#define API_VERSION 1

/* Field numbers of a result. */
#define SUCCESS 0
#define FAILURE 1

typedef struct
{
  KvsqlRpcSqlProcessor parent;

  KvsqldService *service;
} KvsqldRpcProcessor;

typedef struct
{
  KvsqlRpcSqlProcessorClass parent;
} KvsqldRpcProcessorClass;

GType kvsqld_rpc_processor_get_type (void);
G_DEFINE_TYPE (KvsqldRpcProcessor, kvsqld_rpc_processor, KVSQL_RPC_TYPE_SQL_PROCESSOR)

/* ---- methods */

/* The answer of a method. */
typedef struct
{
  KvsqlResultPage *page;
  gint64 affected;
  GPtrArray *cursors;
  gchar *text;
  gchar *json;
  KvsqldPrepared *prepared;
  KvsqldStatus status;
} Answer;

static void
answer_clear (Answer *self)
{
  kvsql_result_page_free (self->page);
  g_clear_pointer (&self->cursors, g_ptr_array_unref);
  g_free (self->text);
  g_free (self->json);
  kvsqld_prepared_free (self->prepared);
  kvsqld_status_clear (&self->status);
}

/* A name that is not text is not shown. */
static gboolean
hello (KvsqldService *service, const KvsqldRpcArguments *arguments, Answer *out, GError **error)
{
  KvsqldSession *session = kvsqld_rpc_get_current_session ();

  if (session != NULL && kvsqld_rpc_check_text ("clientName", arguments->client, NULL))
    kvsqld_session_set_client (session, (const gchar *)arguments->client.data);
  kvsqld_service_get_status (service, &out->status);
  return TRUE;
}

static gboolean
prepare (KvsqldService *service, const KvsqldRpcArguments *arguments, Answer *out, GError **error)
{
  out->prepared = kvsqld_service_prepare (service, &arguments->request, arguments->sql, error);
  return out->prepared != NULL;
}

static gboolean
query (KvsqldService *service, const KvsqldRpcArguments *arguments, Answer *out, GError **error)
{
  out->page = kvsqld_service_query (service, &arguments->request, arguments->sql,
                                    arguments->parameters, arguments->n_parameters, error);
  return out->page != NULL;
}

static gboolean
execute (KvsqldService *service, const KvsqldRpcArguments *arguments, Answer *out, GError **error)
{
  out->page = kvsqld_service_execute (service, &arguments->request, arguments->statement_id,
                                      arguments->parameters, arguments->n_parameters, error);
  return out->page != NULL;
}

static gboolean
fetch (KvsqldService *service, const KvsqldRpcArguments *arguments, Answer *out, GError **error)
{
  out->page = kvsqld_service_fetch (service, &arguments->request, arguments->cursor, error);
  return out->page != NULL;
}

static gboolean
insert_rows (KvsqldService *service, const KvsqldRpcArguments *arguments, Answer *out,
             GError **error)
{
  return kvsqld_service_insert_rows (service, &arguments->request, arguments->relation,
                                     arguments->attributes, &arguments->rows, &out->affected,
                                     error);
}

static gboolean
partition (KvsqldService *service, const KvsqldRpcArguments *arguments, Answer *out, GError **error)
{
  if (arguments->n_parts < 1)
    return kvsqld_rpc_reject (error, "argument \"parts\" is below 1");
  out->cursors = kvsqld_service_partition (service, &arguments->request, arguments->sql,
                                           arguments->parameters, arguments->n_parameters,
                                           (guint)arguments->n_parts, error);
  return out->cursors != NULL;
}

static gboolean
explain (KvsqldService *service, const KvsqldRpcArguments *arguments, Answer *out, GError **error)
{
  return kvsqld_service_explain (service, &arguments->request, arguments->sql,
                                 arguments->parameters, arguments->n_parameters,
                                 arguments->is_analyze, &out->text, &out->json, error);
}

static gboolean
write_page (const Answer *self, ThriftProtocol *protocol, GError **error)
{
  return thrift_protocol_write_field_begin (protocol, "success", T_STRUCT, SUCCESS, error) >= 0
         && kvsqld_rpc_page_write (self->page, KVSQL_PROTOCOL (protocol), error);
}

static gboolean
write_affected (const Answer *self, ThriftProtocol *protocol, GError **error)
{
  return thrift_protocol_write_field_begin (protocol, "success", T_I64, SUCCESS, error) >= 0
         && thrift_protocol_write_i64 (protocol, self->affected, error) >= 0;
}

static gboolean
write_cursors (const Answer *self, ThriftProtocol *protocol, GError **error)
{
  if (thrift_protocol_write_field_begin (protocol, "success", T_LIST, SUCCESS, error) < 0
      || thrift_protocol_write_list_begin (protocol, T_STRING, (gint32)self->cursors->len, error)
             < 0)
    return FALSE;
  for (guint i = 0; i < self->cursors->len; i++)
    {
      gsize size;
      gconstpointer data = g_bytes_get_data (self->cursors->pdata[i], &size);

      if (thrift_protocol_write_binary (protocol, (gpointer)data, (guint32)size, error) < 0)
        return FALSE;
    }
  return thrift_protocol_write_list_end (protocol, error) >= 0;
}

static gboolean
write_object (GObject *object, ThriftProtocol *protocol, GError **error)
{
  return thrift_protocol_write_field_begin (protocol, "success", T_STRUCT, SUCCESS, error) >= 0
         && thrift_struct_write (THRIFT_STRUCT (object), protocol, error) >= 0;
}

static gboolean
write_server_info (const Answer *self, ThriftProtocol *protocol, GError **error)
{
  const KvsqldStatus *status = &self->status;
  g_autoptr (GObject) info = g_object_new (
      KVSQL_RPC_TYPE_SERVER_INFO, "apiVersion", API_VERSION, "version", KVSQL_VERSION, "store",
      status->store_url, "registry", status->registry_url, "epoch", status->epoch,
      "definitionsWritable", status->definitions_writable, NULL);

  if (status->last_error != NULL || status->writes_refused != NULL)
    g_object_set (info, "message", status->last_error ?: status->writes_refused, NULL);
  return write_object (info, protocol, error);
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
write_statement (const Answer *self, ThriftProtocol *protocol, GError **error)
{
  const KvsqldPrepared *prepared = self->prepared;
  g_autoptr (GPtrArray) infos = kvsqld_rpc_column_infos (prepared->columns, prepared->n_columns);
  g_autoptr (GObject) statement
      = g_object_new (KVSQL_RPC_TYPE_STATEMENT, "id", prepared->id, "columns", infos, NULL);

  set_parameters (KVSQL_RPC_STATEMENT (statement), prepared);
  return write_object (statement, protocol, error);
}

static gboolean
write_plan (const Answer *self, ThriftProtocol *protocol, GError **error)
{
  g_autoptr (GObject) plan
      = g_object_new (KVSQL_RPC_TYPE_PLAN, "text", self->text, "json", self->json, NULL);

  return write_object (plan, protocol, error);
}

typedef struct
{
  const gchar *name;
  KvsqldRpcArgument arguments[KVSQLD_RPC_MAX_ARGUMENTS];
  gboolean (*answer) (KvsqldService *service, const KvsqldRpcArguments *arguments, Answer *out,
                      GError **error);
  gboolean (*write) (const Answer *answer, ThriftProtocol *protocol, GError **error);
  gboolean is_setup; /* QueryOptions.follows does not look at its outcome */
} Method;

static const Method methods[] = {
  { "hello", { KVSQLD_RPC_ABSENT, KVSQLD_RPC_CLIENT }, hello, write_server_info, .is_setup = TRUE },
  { "prepare", { KVSQLD_RPC_SQL }, prepare, write_statement, .is_setup = TRUE },
  { "query", { KVSQLD_RPC_SQL, KVSQLD_RPC_PARAMETERS, KVSQLD_RPC_OPTIONS }, query, write_page },
  { "execute",
    { KVSQLD_RPC_STATEMENT_ID, KVSQLD_RPC_PARAMETERS, KVSQLD_RPC_OPTIONS },
    execute,
    write_page },
  { "fetch", { KVSQLD_RPC_CURSOR, KVSQLD_RPC_OPTIONS }, fetch, write_page },
  { "insertRows",
    { KVSQLD_RPC_RELATION, KVSQLD_RPC_NAMES, KVSQLD_RPC_N_ROWS, KVSQLD_RPC_ROWS,
      KVSQLD_RPC_OPTIONS },
    insert_rows,
    write_affected },
  { "partition",
    { KVSQLD_RPC_SQL, KVSQLD_RPC_PARAMETERS, KVSQLD_RPC_N_PARTS, KVSQLD_RPC_OPTIONS },
    partition,
    write_cursors },
  { "explain",
    { KVSQLD_RPC_SQL, KVSQLD_RPC_PARAMETERS, KVSQLD_RPC_IS_ANALYZE, KVSQLD_RPC_OPTIONS },
    explain,
    write_plan },
};

static const Method *
find_method (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (strcmp (methods[i].name, name) == 0)
      return &methods[i];
  return NULL;
}

/* ---- replies */

static gboolean
write_failure (const GError *failure, ThriftProtocol *protocol, GError **error)
{
  g_autoptr (GObject) thrown = (GObject *)kvsqld_rpc_failure_new (failure);

  return thrift_protocol_write_field_begin (protocol, "err", T_STRUCT, FAILURE, error) >= 0
         && thrift_struct_write (THRIFT_STRUCT (thrown), protocol, error) >= 0;
}

/* @answer is ignored if there is a @failure. */
static gboolean
reply (const Method *method, gint32 sequence_id, const Answer *answer, const GError *failure,
       ThriftProtocol *protocol, GError **error)
{
  ThriftTransport *transport
      = THRIFT_TRANSPORT (kvsql_protocol_get_transport (KVSQL_PROTOCOL (protocol)));

  return thrift_protocol_write_message_begin (protocol, method->name, T_REPLY, sequence_id, error)
             >= 0
         && thrift_protocol_write_struct_begin (protocol, "result", error) >= 0
         && (failure == NULL ? method->write (answer, protocol, error)
                             : write_failure (failure, protocol, error))
         && thrift_protocol_write_field_stop (protocol, error) >= 0
         && thrift_protocol_write_struct_end (protocol, error) >= 0
         && thrift_protocol_write_message_end (protocol, error) >= 0
         && thrift_transport_write_end (transport, error)
         && thrift_transport_flush (transport, error);
}

/* A client that sends requests ahead learns too late of a failed one. Requests with `follows` are
 * skipped after a failure. */
static gboolean
may_be_done (const KvsqldRequest *request, GError **error)
{
  if (!request->follows || !kvsqld_rpc_has_failed ())
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE,
                   "nothing was done, because the request before it failed");
  kvsql_error_hint (error, "Send that one again first.");
  return FALSE;
}

static gboolean
answer (KvsqldRpcProcessor *self, const Method *method, gint32 sequence_id,
        ThriftProtocol *protocol, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) failure = NULL;
  KvsqldRpcArguments arguments;
  Answer answer = { 0 };
  gboolean ok;

  if (!kvsqld_rpc_arguments_read (KVSQL_PROTOCOL (protocol), method->arguments, arena, &arguments,
                                  &failure, error))
    return FALSE;
  if (failure == NULL && may_be_done (&arguments.request, &failure))
    method->answer (self->service, &arguments, &answer, &failure);
  if (!method->is_setup)
    kvsqld_rpc_note_outcome (failure != NULL);
  ok = reply (method, sequence_id, &answer, failure, protocol, error);
  answer_clear (&answer);
  return ok;
}

static gboolean
dispatch_call (ThriftDispatchProcessor *processor, ThriftProtocol *input, ThriftProtocol *output,
               gchar *name, gint32 sequence_id, GError **error)
{
  const Method *method = find_method (name);

  if (method == NULL)
    return THRIFT_DISPATCH_PROCESSOR_CLASS (kvsqld_rpc_processor_parent_class)
        ->dispatch_call (processor, input, output, name, sequence_id, error);
  g_free (name);
  return answer ((KvsqldRpcProcessor *)processor, method, sequence_id, input, error);
}

static void
kvsqld_rpc_processor_init (KvsqldRpcProcessor *self)
{
}

static void
kvsqld_rpc_processor_class_init (KvsqldRpcProcessorClass *klass)
{
  THRIFT_DISPATCH_PROCESSOR_CLASS (klass)->dispatch_call = dispatch_call;
}

KvsqlRpcSqlProcessor *
kvsqld_rpc_processor_new (KvsqldService *service)
{
  g_autoptr (GObject) handler = (GObject *)kvsqld_rpc_handler_new (service);
  KvsqldRpcProcessor *self
      = g_object_new (kvsqld_rpc_processor_get_type (), "handler", handler, NULL);

  self->service = service;
  return &self->parent;
}
