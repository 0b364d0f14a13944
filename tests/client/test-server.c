/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-server.c: a server of the service Sql inside a test.
 */
#include "config.h"

#include "tests/client/test-server.h"

#include <string.h>

#include "idl/wire/detect.h"
#include "idl/wire/protocol.h"
#include "idl/wire/thrift-setup.h"
#include "kvsql_rpc_sql.h"

struct _TestServer
{
  GSocketListener *listener;
  GCancellable *stop;
  GThread *thread;
  guint16 port;

  GMutex lock; /* guards the members below */
  GCond stopped;
  gboolean is_stopping;
  GPtrArray *connections; /* GIOStream */
  GPtrArray *threads;
  GHashTable *counts;
  GString *inserted;
  guint largest_insert;
  guint n_to_refuse; /* the number of next insertRows to reject */
  gboolean is_held;  /* insertRows wait */
  GCond released;
};

/* The connection whose call this thread answers. */
static GPrivate current_stream;

static void
count (TestServer *self, const gchar *what)
{
  g_mutex_lock (&self->lock);
  g_hash_table_replace (
      self->counts, g_strdup (what),
      GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, what)) + 1));
  g_mutex_unlock (&self->lock);
}

/* ---- the handler */

typedef struct
{
  KvsqlRpcSqlHandler parent;
  TestServer *server;
  GPtrArray *statements; /* gchar, id is index + 1; of one connection, as in kvsqld */
  gboolean has_failed;   /* outcome of its last insertRows */
} TestHandler;

typedef struct
{
  KvsqlRpcSqlHandlerClass parent;
} TestHandlerClass;

GType test_handler_get_type (void);
G_DEFINE_TYPE (TestHandler, test_handler, KVSQL_RPC_TYPE_SQL_HANDLER)

static gboolean
fail (KvsqlRpcSqlError **err, gint32 code, const gchar *message)
{
  *err = g_object_new (KVSQL_RPC_TYPE_SQL_ERROR, NULL);
  g_object_set (*err, "code", code, "message", message, NULL);
  return FALSE;
}

static void
add_column_info (GPtrArray *columns, const gchar *name, gint32 type)
{
  KvsqlRpcColumnInfo *info = g_object_new (KVSQL_RPC_TYPE_COLUMN_INFO, NULL);

  g_object_set (info, "name", name, "type", type, "nullable", TRUE, "relation", "r", NULL);
  g_ptr_array_add (columns, info);
}

static void
add_info (KvsqlRpcPage *page, const gchar *name, gint32 type)
{
  add_column_info (page->info, name, type);
  page->__isset_info = TRUE;
}

static KvsqlRpcColumn *
add_column (KvsqlRpcPage *page)
{
  KvsqlRpcColumn *column = g_object_new (KVSQL_RPC_TYPE_COLUMN, NULL);

  g_ptr_array_add (page->columns, column);
  return column;
}

static void
set_null (KvsqlRpcColumn *column, guint row, guint n_rows)
{
  if (!column->__isset_nulls)
    {
      column->nulls = g_byte_array_new ();
      g_byte_array_set_size (column->nulls, (n_rows + 7) / 8);
      memset (column->nulls->data, 0, column->nulls->len);
      column->__isset_nulls = TRUE;
    }
  column->nulls->data[row / 8] |= (guint8)(1 << row % 8);
}

static void
add_integer (KvsqlRpcColumn *column, gint64 value)
{
  g_array_append_val (column->i, value);
  column->__isset_i = TRUE;
}

static void
add_real (KvsqlRpcColumn *column, gdouble value)
{
  g_array_append_val (column->d, value);
  column->__isset_d = TRUE;
}

static void
add_boolean (KvsqlRpcColumn *column, gboolean value)
{
  g_array_append_val (column->b, value);
  column->__isset_b = TRUE;
}

static void
add_text (KvsqlRpcColumn *column, const gchar *value)
{
  g_ptr_array_add (column->s, g_strdup (value));
  column->__isset_s = TRUE;
}

static void
add_bytes (KvsqlRpcColumn *column, gconstpointer bytes, guint size)
{
  g_ptr_array_add (column->x, g_byte_array_append (g_byte_array_new (), bytes, size));
  column->__isset_x = TRUE;
}

static void
answer_rows (KvsqlRpcPage *page, gint64 from, gint64 total, const KvsqlRpcQueryOptions *options)
{
  gint64 most = options->__isset_maxRows ? options->maxRows : 1000;
  guint n = (guint)MIN (total - from, most);
  KvsqlRpcColumn *numbers = add_column (page);
  KvsqlRpcColumn *names = add_column (page);
  KvsqlRpcColumn *evens = add_column (page);

  page->nrows = (gint32)n;
  for (guint row = 0; row < n; row++)
    {
      g_autofree gchar *name = g_strdup_printf ("row %" G_GINT64_FORMAT, from + row);

      add_integer (numbers, from + row);
      add_text (names, (from + row) % 3 == 2 ? "" : name);
      if ((from + row) % 3 == 2)
        set_null (names, row, n);
      add_boolean (evens, (from + row) % 2 == 0);
    }
  if (from + n < total)
    {
      g_autofree gchar *cursor
          = g_strdup_printf ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, from + n, total);
      page->cursor = g_byte_array_append (g_byte_array_new (), (const guint8 *)cursor,
                                          (guint)strlen (cursor));
      page->__isset_cursor = TRUE;
    }
  if (options->progress)
    g_object_set (page, "done", (gdouble)(from + n) / (gdouble)total, NULL);
}

static void
answer_types (KvsqlRpcPage *page)
{
  static const gchar *const names[]
      = { "null",    "string", "bytes",     "boolean", "int",  "bigint", "float",   "double",
          "decimal", "date",   "timestamp", "map",     "list", "time",   "interval" };

  page->nrows = 2;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gint32 type
          = i <= KVSQL_RPC_SQL_TYPE_LIST ? (gint32)i : (gint32)i - 13 + KVSQL_RPC_SQL_TYPE_TIME;
      KvsqlRpcColumn *column = add_column (page);

      add_info (page, names[i], type);
      set_null (column, 1, 2);
      switch (type)
        {
        case KVSQL_RPC_SQL_TYPE_NULL_TYPE:
          set_null (column, 0, 2);
          break;
        case KVSQL_RPC_SQL_TYPE_BYTES:
          add_bytes (column, "a\0\xff", 3);
          add_bytes (column, "", 0);
          break;
        case KVSQL_RPC_SQL_TYPE_BOOLEAN:
          add_boolean (column, TRUE);
          add_boolean (column, FALSE);
          break;
        case KVSQL_RPC_SQL_TYPE_INT:
        case KVSQL_RPC_SQL_TYPE_BIGINT:
        case KVSQL_RPC_SQL_TYPE_DATE:
        case KVSQL_RPC_SQL_TYPE_TIMESTAMP:
        case KVSQL_RPC_SQL_TYPE_TIME:
          add_integer (column, type == KVSQL_RPC_SQL_TYPE_DATE   ? 19782
                               : type == KVSQL_RPC_SQL_TYPE_TIME ? 45296700
                                                                 : -1);
          add_integer (column, 0);
          break;
        case KVSQL_RPC_SQL_TYPE_FLOAT:
        case KVSQL_RPC_SQL_TYPE_DOUBLE:
          add_real (column, type == KVSQL_RPC_SQL_TYPE_FLOAT ? (gdouble)0.1f : 0.1);
          add_real (column, 0);
          break;
        case KVSQL_RPC_SQL_TYPE_DECIMAL:
          add_text (column, "12.50");
          add_text (column, "");
          break;
        default:
          add_text (column, "h\xc3\xa9");
          add_text (column, "");
        }
    }
}

static gchar *
text_of (KvsqlRpcValue *value)
{
  if (value->__isset_b)
    return g_strdup_printf ("b:%d", value->b);
  if (value->__isset_i)
    return g_strdup_printf ("i:%" G_GINT64_FORMAT, value->i);
  if (value->__isset_d)
    return g_strdup_printf ("d:%g", value->d);
  if (value->__isset_s)
    return g_strdup_printf ("s:%s", value->s);
  if (value->__isset_x)
    return g_strdup_printf ("x:%u", value->x->len);
  return g_strdup ("null");
}

static void
answer_echo (KvsqlRpcPage *page, const GPtrArray *params)
{
  page->nrows = 1;
  for (guint i = 0; i < params->len; i++)
    {
      g_autofree gchar *text = text_of (g_ptr_array_index (params, i));

      add_info (page, "value", KVSQL_RPC_SQL_TYPE_STRING);
      add_text (add_column (page), text);
    }
}

static void
answer_bad (KvsqlRpcPage *page, const gchar *how)
{
  KvsqlRpcColumn *column = add_column (page);

  page->nrows = 2;
  add_info (page, "a", KVSQL_RPC_SQL_TYPE_STRING);
  if (g_str_equal (how, "kind"))
    {
      add_integer (column, 1);
      add_integer (column, 2);
      return;
    }
  if (g_str_equal (how, "columns"))
    add_info (page, "b", KVSQL_RPC_SQL_TYPE_STRING);
  if (g_str_equal (how, "bitmap"))
    set_null (column, 9, 10);
  if (g_str_equal (how, "empty"))
    {
      set_null (column, 1, 2);
      return;
    }
  add_text (column, g_str_equal (how, "utf8") ? "\xff" : "fine");
  if (!g_str_equal (how, "length"))
    add_text (column, "fine");
}

static void
add_rows_info (GPtrArray *columns)
{
  add_column_info (columns, "n", KVSQL_RPC_SQL_TYPE_BIGINT);
  add_column_info (columns, "name", KVSQL_RPC_SQL_TYPE_STRING);
  add_column_info (columns, "even", KVSQL_RPC_SQL_TYPE_BOOLEAN);
}

/* As if the definitions had changed while the client was not connected. */
static void
add_prepared_info (TestServer *self, GPtrArray *columns)
{
  g_autofree gchar *name = g_strdup_printf ("prepared%u", test_server_count (self, "prepare"));

  add_column_info (columns, name, KVSQL_RPC_SQL_TYPE_STRING);
}

static void
answer_prepared (TestServer *self, KvsqlRpcPage *page, const KvsqlRpcQueryOptions *options)
{
  page->nrows = 1;
  add_text (add_column (page), "value");
  if (options->knowsColumns)
    return;
  add_prepared_info (self, page->info);
  page->__isset_info = TRUE;
}

static void
wait_for_stop (TestServer *self)
{
  g_mutex_lock (&self->lock);
  while (!self->is_stopping)
    g_cond_wait (&self->stopped, &self->lock);
  g_mutex_unlock (&self->lock);
}

static gboolean
fail_fully (KvsqlRpcSqlError **err)
{
  fail (err, KVSQL_RPC_ERROR_CODE_UNKNOWN_NAME, "attribute \"agee\" does not exist");
  g_object_set (*err, "sqlstate", "42703", "position", 7, "length", 4, "detail",
                "Relation \"user\" has 3 attributes.", "hint", "Did you mean \"age\"?", "retryable",
                FALSE, NULL);
  return FALSE;
}

static gboolean
answer (TestHandler *self, KvsqlRpcPage *page, const gchar *sql, const GPtrArray *params,
        const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **err)
{
  if (g_str_has_prefix (sql, "ROWS "))
    {
      if (options->knowsColumns)
        count (self->server, "known columns");
      else
        add_rows_info (page->info);
      page->__isset_info = !options->knowsColumns;
      answer_rows (page, 0, g_ascii_strtoll (sql + 5, NULL, 10), options);
    }
  else if (g_str_equal (sql, "PREPARED"))
    answer_prepared (self->server, page, options);
  else if (g_str_equal (sql, "TYPES"))
    answer_types (page);
  else if (g_str_has_prefix (sql, "ECHO"))
    answer_echo (page, params);
  else if (g_str_has_prefix (sql, "BAD "))
    answer_bad (page, sql + 4);
  else if (g_str_equal (sql, "WRITE"))
    {
      g_object_set (page, "affected", G_GINT64_CONSTANT (3), NULL);
      g_ptr_array_add (page->warnings, g_strdup ("first"));
      g_ptr_array_add (page->warnings, g_strdup ("second"));
      page->__isset_warnings = TRUE;
    }
  else if (g_str_equal (sql, "DROP"))
    g_io_stream_close (g_private_get (&current_stream), NULL, NULL);
  else if (g_str_equal (sql, "HANG"))
    wait_for_stop (self->server);
  else if (g_str_has_prefix (sql, "CODE "))
    return fail (err, (gint32)g_ascii_strtoll (sql + 5, NULL, 10), "a code");
  else
    return fail_fully (err);
  return TRUE;
}

static gboolean
handle_hello (KvsqlRpcSqlIf *iface, KvsqlRpcServerInfo **info, const gint32 version,
              const gchar *client, KvsqlRpcSqlError **err, GError **error)
{
  count (((TestHandler *)iface)->server, "hello");
  g_object_set (*info, "apiVersion", 1, "version", "0.0-test", "store", "memory:", "registry",
                "local:///nowhere", "epoch", G_GINT64_CONSTANT (7), "definitionsWritable", TRUE,
                NULL);
  return TRUE;
}

static gboolean
handle_query (KvsqlRpcSqlIf *iface, KvsqlRpcPage **page, const gchar *sql, const GPtrArray *params,
              const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **err, GError **error)
{
  TestHandler *self = (TestHandler *)iface;

  count (self->server, "query");
  return answer (self, *page, sql, params, options, err);
}

static gboolean
handle_prepare (KvsqlRpcSqlIf *iface, KvsqlRpcStatement **statement, const gchar *sql,
                KvsqlRpcSqlError **err, GError **error)
{
  TestHandler *self = (TestHandler *)iface;
  g_auto (GStrv) words = g_strsplit (sql, " ", -1);

  count (self->server, "prepare");
  if (g_str_equal (sql, "FAIL"))
    return fail_fully (err);
  g_ptr_array_add (self->statements, g_strdup (sql));
  g_object_set (*statement, "id", (gint64)self->statements->len, NULL);
  if (g_str_has_prefix (sql, "ROWS "))
    add_rows_info ((*statement)->columns);
  else if (g_str_equal (sql, "PREPARED"))
    add_prepared_info (self->server, (*statement)->columns);
  /* ECHO :a :b ? has three parameters. */
  for (guint i = 1; words[0] != NULL && words[i] != NULL; i++)
    if (words[i][0] == ':' || words[i][0] == '?')
      {
        KvsqlRpcParameter *parameter = g_object_new (KVSQL_RPC_TYPE_PARAMETER, NULL);

        g_object_set (parameter, "type", KVSQL_RPC_SQL_TYPE_INT, NULL);
        if (words[i][0] == ':')
          g_object_set (parameter, "name", words[i] + 1, NULL);
        g_ptr_array_add ((*statement)->parameters, parameter);
      }
  return TRUE;
}

static gboolean
handle_execute (KvsqlRpcSqlIf *iface, KvsqlRpcPage **page, const gint64 id, const GPtrArray *params,
                const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **err, GError **error)
{
  TestHandler *self = (TestHandler *)iface;

  count (self->server, "execute");
  if (id < 1 || id > self->statements->len)
    return fail (err, KVSQL_RPC_ERROR_CODE_BAD_STATEMENT_ID, "no such statement");
  return answer (self, *page, g_ptr_array_index (self->statements, id - 1), params, options, err);
}

static gboolean
handle_close_statement (KvsqlRpcSqlIf *iface, const gint64 id, KvsqlRpcSqlError **err,
                        GError **error)
{
  count (((TestHandler *)iface)->server, "closeStatement");
  return TRUE;
}

static gboolean
handle_fetch (KvsqlRpcSqlIf *iface, KvsqlRpcPage **page, const GByteArray *cursor,
              const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **err, GError **error)
{
  g_autofree gchar *text = g_strndup ((const gchar *)cursor->data, cursor->len);
  gchar *colon = strchr (text, ':');

  count (((TestHandler *)iface)->server, "fetch");
  if (colon == NULL)
    return fail (err, KVSQL_RPC_ERROR_CODE_BAD_CURSOR, "bad cursor");
  answer_rows (*page, g_ascii_strtoll (text, NULL, 10), g_ascii_strtoll (colon + 1, NULL, 10),
               options);
  return TRUE;
}

/* ROWS n, divided into parts of the same size. */
static gboolean
handle_partition (KvsqlRpcSqlIf *iface, GPtrArray **cursors, const gchar *sql,
                  const GPtrArray *params, const gint32 parts, const KvsqlRpcQueryOptions *options,
                  KvsqlRpcSqlError **err, GError **error)
{
  gint64 n_rows = g_str_has_prefix (sql, "ROWS ") ? g_ascii_strtoll (sql + 5, NULL, 10) : 0;

  count (((TestHandler *)iface)->server, "partition");
  if (n_rows == 0)
    return fail_fully (err);
  for (gint32 i = 0; i < parts; i++)
    {
      g_autofree gchar *text = g_strdup_printf ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT,
                                                n_rows * i / parts, n_rows * (i + 1) / parts);

      g_ptr_array_add (*cursors, g_byte_array_append (g_byte_array_new (), (const guint8 *)text,
                                                      (guint)strlen (text)));
    }
  return TRUE;
}

static gboolean
handle_close_cursor (KvsqlRpcSqlIf *iface, const GByteArray *cursor, KvsqlRpcSqlError **err,
                     GError **error)
{
  count (((TestHandler *)iface)->server, "closeCursor");
  return TRUE;
}

static void
append_cell (GString *out, KvsqlRpcColumn *column, guint row)
{
  if (column->__isset_nulls && (column->nulls->data[row / 8] >> row % 8 & 1) != 0)
    g_string_append (out, "NULL");
  else if (column->__isset_i)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, g_array_index (column->i, gint64, row));
  else if (column->__isset_d)
    g_string_append_printf (out, "%g", g_array_index (column->d, gdouble, row));
  else if (column->__isset_b)
    g_string_append (out, g_array_index (column->b, gboolean, row) ? "true" : "false");
  else if (column->__isset_s)
    g_string_append (out, g_ptr_array_index (column->s, row));
  else if (column->__isset_x)
    g_string_append_printf (out, "x%u", ((GByteArray *)g_ptr_array_index (column->x, row))->len);
}

static gboolean
may_insert (TestServer *self)
{
  gboolean may;

  g_mutex_lock (&self->lock);
  while (self->is_held && !self->is_stopping)
    g_cond_wait (&self->released, &self->lock);
  may = self->n_to_refuse == 0;
  if (!may)
    self->n_to_refuse--;
  g_mutex_unlock (&self->lock);
  return may;
}

static gboolean
handle_insert_rows (KvsqlRpcSqlIf *iface, gint64 *written, const gchar *relation,
                    const GPtrArray *columns, const gint32 n_rows, const GPtrArray *data,
                    const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **err, GError **error)
{
  TestHandler *handler = (TestHandler *)iface;
  TestServer *server = handler->server;

  count (server, "insertRows");
  if (!g_str_equal (relation, "r"))
    return fail_fully (err);
  if (options->follows && handler->has_failed)
    return fail (err, KVSQL_RPC_ERROR_CODE_CONFLICT, "after a failure");
  handler->has_failed = !may_insert (server);
  if (handler->has_failed)
    return fail (err, KVSQL_RPC_ERROR_CODE_LIMIT, "too much");
  g_mutex_lock (&server->lock);
  g_string_truncate (server->inserted, 0);
  server->largest_insert = MAX (server->largest_insert, (guint)n_rows);
  for (guint row = 0; row < (guint)n_rows; row++)
    for (guint i = 0; i < data->len; i++)
      {
        append_cell (server->inserted, g_ptr_array_index (data, i), row);
        if (i + 1 < data->len || row + 1 < (guint)n_rows)
          g_string_append_c (server->inserted, i + 1 < data->len ? ',' : '|');
      }
  g_mutex_unlock (&server->lock);
  *written = n_rows;
  return TRUE;
}

static gboolean
handle_explain (KvsqlRpcSqlIf *iface, KvsqlRpcPlan **plan, const gchar *sql,
                const GPtrArray *params, const gboolean analyze,
                const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **err, GError **error)
{
  g_autofree gchar *text = g_strdup_printf ("plan of %s, analyze %d%s%s", sql, analyze,
                                            options->readOnly ? ", read-only" : "",
                                            options->verifiedReads ? ", verified" : "");

  g_object_set (*plan, "text", text, "json", "{}", NULL);
  return TRUE;
}

static void
test_handler_init (TestHandler *self)
{
  self->statements = g_ptr_array_new_with_free_func (g_free);
}

static void
test_handler_finalize (GObject *object)
{
  g_ptr_array_unref (((TestHandler *)object)->statements);
  G_OBJECT_CLASS (test_handler_parent_class)->finalize (object);
}

static void
test_handler_class_init (TestHandlerClass *class)
{
  KvsqlRpcSqlHandlerClass *handler = (KvsqlRpcSqlHandlerClass *)class;

  G_OBJECT_CLASS (class)->finalize = test_handler_finalize;
  handler->hello = handle_hello;
  handler->query = handle_query;
  handler->prepare = handle_prepare;
  handler->execute = handle_execute;
  handler->close_statement = handle_close_statement;
  handler->fetch = handle_fetch;
  handler->partition = handle_partition;
  handler->close_cursor = handle_close_cursor;
  handler->insert_rows = handle_insert_rows;
  handler->explain = handle_explain;
}

/* ---- the server */

typedef struct
{
  TestServer *server;
  GIOStream *stream;
} Connection;

static gpointer
serve (gpointer data)
{
  g_autofree Connection *connection = data;
  g_autoptr (GIOStream) stream = connection->stream;
  g_autoptr (KvsqlTransport) transport
      = kvsql_transport_new (stream, FALSE, KVSQL_TRANSPORT_MAX_MESSAGE);
  g_autoptr (GError) error = NULL;
  g_autoptr (GObject) protocol = NULL;
  KvsqlWireFormat format;

  kvsql_transport_set_cancellable (transport, connection->server->stop);
  if (kvsql_transport_wait (transport, NULL) > 0)
    protocol = (GObject *)kvsql_protocol_accept (transport, &format, NULL);
  if (protocol != NULL)
    {
      TestHandler *handler = g_object_new (test_handler_get_type (), NULL);
      g_autoptr (GObject) processor
          = g_object_new (KVSQL_RPC_TYPE_SQL_PROCESSOR, "handler", handler, NULL);

      handler->server = connection->server;
      g_private_set (&current_stream, stream);
      while (kvsql_transport_wait (transport, NULL) > 0
             && thrift_processor_process (THRIFT_PROCESSOR (processor), THRIFT_PROTOCOL (protocol),
                                          THRIFT_PROTOCOL (protocol), &error))
        ;
      g_object_unref (handler);
    }
  g_io_stream_close (stream, NULL, NULL);
  return NULL;
}

static gpointer
accept_all (gpointer data)
{
  TestServer *self = data;
  GSocketConnection *stream;

  while ((stream = g_socket_listener_accept (self->listener, NULL, self->stop, NULL)) != NULL)
    {
      Connection *connection = g_new0 (Connection, 1);

      count (self, "connect");
      connection->server = self;
      connection->stream = G_IO_STREAM (stream);
      g_mutex_lock (&self->lock);
      g_ptr_array_add (self->connections, g_object_ref (stream));
      g_ptr_array_add (self->threads, g_thread_new ("serve", serve, connection));
      g_mutex_unlock (&self->lock);
    }
  return NULL;
}

TestServer *
test_server_new (void)
{
  TestServer *self = g_new0 (TestServer, 1);

  kvsql_thrift_setup ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->stopped);
  g_cond_init (&self->released);
  self->stop = g_cancellable_new ();
  self->connections = g_ptr_array_new_with_free_func (g_object_unref);
  self->threads = g_ptr_array_new ();
  self->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->inserted = g_string_new (NULL);
  self->listener = g_socket_listener_new ();
  self->port = g_socket_listener_add_any_inet_port (self->listener, NULL, NULL);
  g_assert_cmpuint (self->port, !=, 0);
  self->thread = g_thread_new ("accept", accept_all, self);
  return self;
}

void
test_server_free (TestServer *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->is_stopping = TRUE;
  g_cond_broadcast (&self->stopped);
  g_cond_broadcast (&self->released);
  g_mutex_unlock (&self->lock);
  g_cancellable_cancel (self->stop);
  g_thread_join (self->thread);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (g_ptr_array_index (self->threads, i));
  g_socket_listener_close (self->listener);
  g_object_unref (self->listener);
  g_object_unref (self->stop);
  g_ptr_array_unref (self->connections);
  g_ptr_array_unref (self->threads);
  g_hash_table_unref (self->counts);
  g_string_free (self->inserted, TRUE);
  g_cond_clear (&self->stopped);
  g_cond_clear (&self->released);
  g_mutex_clear (&self->lock);
  g_free (self);
}

guint16
test_server_get_port (TestServer *self)
{
  return self->port;
}

gchar *
test_server_uri (TestServer *self, const gchar *options)
{
  return g_strdup_printf ("kvsql://127.0.0.1:%u%s", self->port, options);
}

void
test_server_drop_connections (TestServer *self)
{
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->connections->len; i++)
    g_socket_shutdown (g_socket_connection_get_socket (g_ptr_array_index (self->connections, i)),
                       TRUE, TRUE, NULL);
  g_ptr_array_set_size (self->connections, 0);
  g_mutex_unlock (&self->lock);
}

guint
test_server_count (TestServer *self, const gchar *what)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, what));
  g_mutex_unlock (&self->lock);
  return n;
}

gchar *
test_server_inserted (TestServer *self)
{
  gchar *text;

  g_mutex_lock (&self->lock);
  text = g_strdup (self->inserted->str);
  g_mutex_unlock (&self->lock);
  return text;
}

guint
test_server_largest_insert (TestServer *self)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = self->largest_insert;
  g_mutex_unlock (&self->lock);
  return n;
}

void
test_server_refuse_inserts (TestServer *self, guint n)
{
  g_mutex_lock (&self->lock);
  self->n_to_refuse = n;
  g_mutex_unlock (&self->lock);
}

static void
hold_inserts (TestServer *self, gboolean is_held)
{
  g_mutex_lock (&self->lock);
  self->is_held = is_held;
  g_cond_broadcast (&self->released);
  g_mutex_unlock (&self->lock);
}

void
test_server_hold_inserts (TestServer *self)
{
  hold_inserts (self, TRUE);
}

void
test_server_release_inserts (TestServer *self)
{
  hold_inserts (self, FALSE);
}
