/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-protocol.c: the bytes of a connection, from the detection of the format to the handler.
 *
 * Calls of methods of the service go through the generated processor to a handler that does
 * nothing, or their arguments are read as kvsqld reads them. Arguments of other methods are read as
 * columns, in bulk.
 */
#include "config.h"

#include "daemon/rpc/arguments.h"
#include "idl/wire/detect.h"
#include "idl/wire/thrift-setup.h"
#include "kvsql_rpc_sql.h"

#define MAX_MESSAGE (1024 * 1024)
#define MAX_MEMORY (8 * 1024 * 1024)
#define MAX_MESSAGES 16

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* ---- a handler that does nothing */

typedef KvsqlRpcSqlHandler NullHandler;
typedef KvsqlRpcSqlHandlerClass NullHandlerClass;
GType null_handler_get_type (void);
G_DEFINE_TYPE (NullHandler, null_handler, KVSQL_RPC_TYPE_SQL_HANDLER)

static gboolean
null_hello (KvsqlRpcSqlIf *iface, KvsqlRpcServerInfo **info, const gint32 version,
            const gchar *client, KvsqlRpcSqlError **failure, GError **error)
{
  return TRUE;
}

static gboolean
null_prepare (KvsqlRpcSqlIf *iface, KvsqlRpcStatement **statement, const gchar *sql,
              KvsqlRpcSqlError **failure, GError **error)
{
  return TRUE;
}

static gboolean
null_close_statement (KvsqlRpcSqlIf *iface, const gint64 id, KvsqlRpcSqlError **failure,
                      GError **error)
{
  return TRUE;
}

static gboolean
null_close_cursor (KvsqlRpcSqlIf *iface, const GByteArray *cursor, KvsqlRpcSqlError **failure,
                   GError **error)
{
  *failure = g_object_new (KVSQL_RPC_TYPE_SQL_ERROR, "code", 1, "message", "no", NULL);
  return FALSE;
}

static gboolean
null_explain (KvsqlRpcSqlIf *iface, KvsqlRpcPlan **plan, const gchar *sql,
              const GPtrArray *parameters, const gboolean analyze,
              const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **failure, GError **error)
{
  return TRUE;
}

static void
null_handler_init (NullHandler *self)
{
}

static void
null_handler_class_init (NullHandlerClass *klass)
{
  klass->hello = null_hello;
  klass->prepare = null_prepare;
  klass->close_statement = null_close_statement;
  klass->close_cursor = null_close_cursor;
  klass->explain = null_explain;
}

static KvsqlRpcSqlProcessor *
get_processor (void)
{
  static KvsqlRpcSqlProcessor *processor;

  if (processor == NULL)
    {
      kvsql_thrift_setup ();
      processor = g_object_new (KVSQL_RPC_TYPE_SQL_PROCESSOR, "handler",
                                g_object_new (null_handler_get_type (), NULL), NULL);
    }
  return processor;
}

static volatile guint8 sum; /* the sum of bytes that must be readable */

/* ---- arguments that are read by hand */

static const struct
{
  const gchar *name;
  KvsqldRpcArgument arguments[KVSQLD_RPC_MAX_ARGUMENTS];
} by_hand[] = {
  { "query", { KVSQLD_RPC_SQL, KVSQLD_RPC_PARAMETERS, KVSQLD_RPC_OPTIONS } },
  { "execute", { KVSQLD_RPC_STATEMENT_ID, KVSQLD_RPC_PARAMETERS, KVSQLD_RPC_OPTIONS } },
  { "fetch", { KVSQLD_RPC_CURSOR, KVSQLD_RPC_OPTIONS } },
  { "insertRows",
    { KVSQLD_RPC_RELATION, KVSQLD_RPC_NAMES, KVSQLD_RPC_N_ROWS, KVSQLD_RPC_ROWS,
      KVSQLD_RPC_OPTIONS } },
};

static void
look_at (KvsqlSlice bytes)
{
  for (gsize i = 0; i < bytes.size; i++)
    sum ^= bytes.data[i];
}

static void
look_at_value (const KvsqlValue *value)
{
  GString *text = g_string_new (NULL);

  kvsql_value_append_literal (value, text);
  g_string_free (text, TRUE);
}

static void
look_at_arguments (const KvsqldRpcArguments *arguments)
{
  look_at (arguments->sql);
  look_at (arguments->cursor);
  for (guint i = 0; i < arguments->n_parameters; i++)
    look_at_value (&arguments->parameters[i]);
  for (guint i = 0; i < arguments->rows.n_columns; i++)
    {
      const KvsqlVector *column = &arguments->rows.columns[i];

      look_at (kvsql_slice_from_text (arguments->attributes[i]));
      for (guint row = 0; row < arguments->rows.n_rows; row++)
        if (!kvsql_vector_is_null (column, row))
          {
            KvsqlValue value = kvsql_vector_get (column, row);

            look_at_value (&value);
          }
    }
}

static gboolean
read_arguments (KvsqlProtocol *protocol, const KvsqldRpcArgument *kinds)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) refusal = NULL;
  KvsqldRpcArguments arguments;

  if (!kvsqld_rpc_arguments_read (protocol, kinds, arena, &arguments, &refusal, NULL))
    return FALSE;
  if (refusal == NULL)
    look_at_arguments (&arguments);
  return TRUE;
}

/* ---- columns in bulk */

static gboolean
read_slices (KvsqlProtocol *protocol, guint32 n)
{
  g_autofree KvsqlSlice *slices = g_new (KvsqlSlice, n);

  if (!kvsql_protocol_read_slice_list (protocol, slices, n, NULL))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    look_at (slices[i]);
  return TRUE;
}

/* The number of the field determines the type of its elements. */
static gboolean
read_column (KvsqlProtocol *protocol, gint16 id)
{
  static const ThriftType elements[] = { T_BOOL, T_I64, T_DOUBLE, T_STRING };
  guint which = (guint)id % G_N_ELEMENTS (elements);
  g_autofree gpointer values = NULL;
  guint32 n;

  if (!kvsql_protocol_read_list_size (protocol, elements[which], &n, NULL))
    return FALSE;
  values = g_malloc ((gsize)n * 8);
  switch (elements[which])
    {
    case T_BOOL:
      return kvsql_protocol_read_bool_list (protocol, values, n, NULL);
    case T_I64:
      return kvsql_protocol_read_int64_list (protocol, values, n, NULL);
    case T_DOUBLE:
      return kvsql_protocol_read_double_list (protocol, values, n, NULL);
    default:
      return read_slices (protocol, n);
    }
}

static gboolean
read_field (KvsqlProtocol *protocol, ThriftType type, gint16 id)
{
  KvsqlSlice bytes;

  if (type == T_LIST)
    return read_column (protocol, id);
  if (type == T_STRING)
    return kvsql_protocol_read_bytes (protocol, &bytes, NULL);
  return thrift_protocol_skip (THRIFT_PROTOCOL (protocol), type, NULL) >= 0;
}

static gboolean
read_columns (KvsqlProtocol *self)
{
  ThriftProtocol *protocol = THRIFT_PROTOCOL (self);
  ThriftType type;
  gchar *name;
  gint16 id;

  kvsql_protocol_set_deferred (self, FALSE);
  if (thrift_protocol_read_struct_begin (protocol, &name, NULL) < 0)
    return FALSE;
  for (;;)
    {
      if (thrift_protocol_read_field_begin (protocol, &name, &type, &id, NULL) < 0)
        return FALSE;
      if (type == T_STOP)
        break;
      if (!read_field (self, type, id))
        return FALSE;
    }
  return thrift_protocol_read_struct_end (protocol, NULL) >= 0
         && thrift_protocol_read_message_end (protocol, NULL) >= 0;
}

/* ---- a connection */

static gboolean
serve_message (KvsqlProtocol *self)
{
  ThriftDispatchProcessor *processor = THRIFT_DISPATCH_PROCESSOR (get_processor ());
  ThriftProtocol *protocol = THRIFT_PROTOCOL (self);
  g_autofree gchar *name = NULL;
  g_autoptr (GError) error = NULL;
  ThriftMessageType type;
  gint32 sequence_id;

  kvsql_protocol_set_deferred (self, TRUE);
  if (thrift_protocol_read_message_begin (protocol, &name, &type, &sequence_id, &error) < 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (by_hand); i++)
    if (strcmp (name, by_hand[i].name) == 0)
      return read_arguments (self, by_hand[i].arguments);
  if (!g_hash_table_contains (get_processor ()->process_map, name))
    return read_columns (self);
  return THRIFT_DISPATCH_PROCESSOR_GET_CLASS (processor)->dispatch_call (
      processor, protocol, protocol, g_strdup (name), sequence_id, &error);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree guint8 *exact = g_memdup2 (data, size);
  g_autoptr (KvsqlTransport) transport = NULL;
  g_autoptr (KvsqlProtocol) protocol = NULL;
  KvsqlWireFormat format;

  get_processor ();
  transport = kvsql_transport_new_memory (FALSE, MAX_MESSAGE);
  kvsql_transport_set_memory (transport, kvsql_slice (exact, size));
  protocol = kvsql_protocol_accept (transport, &format, NULL);
  if (protocol == NULL)
    return 0;
  kvsql_protocol_set_max_memory (protocol, MAX_MEMORY);
  for (guint i = 0; i < MAX_MESSAGES && kvsql_transport_wait (transport, NULL) > 0; i++)
    if (!serve_message (protocol))
      break;
  return 0;
}
