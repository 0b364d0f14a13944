/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-server.c: the server with the generated processor and a test handler, over real sockets:
 * formats, limits, deadlines, and how it ends.
 *
 * With --serve it is a program that other tests attack: it prints its address and serves until its
 * standard input ends.
 */
#include "config.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "daemon/connections/listener.h"
#include "daemon/connections/server.h"
#include "daemon/rpc/front-end.h"
#include "idl/wire/detect.h"
#include "idl/wire/thrift-setup.h"
#include "tests/harness/assert.h"
#include "kvsql_rpc_sql.h"

#define MS G_TIME_SPAN_MILLISECOND
#define CALL "\x80\x01\0\x01\0\0\0\x06nosuch\0\0\0\x07\0"
#define BYTES(literal) literal, sizeof (literal) - 1

/* ---- a handler: "echo TEXT", "block" until cancelled, "pause", "big" */

typedef KvsqlRpcSqlHandler TestHandler;
typedef KvsqlRpcSqlHandlerClass TestHandlerClass;
GType test_handler_get_type (void);
G_DEFINE_TYPE (TestHandler, test_handler, KVSQL_RPC_TYPE_SQL_HANDLER)

static gint n_blocked;
static gint n_paused; /* only grows, so that a late reader sees it, too */

static gboolean
test_handler_hello (KvsqlRpcSqlIf *iface, KvsqlRpcServerInfo **info, const gint32 version,
                    const gchar *client, KvsqlRpcSqlError **failure, GError **error)
{
  g_object_set (*info, "apiVersion", version, "version", "test", "store", client, "registry", "",
                NULL);
  return TRUE;
}

static void
block (void)
{
  GCancellable *cancellable = kvsqld_rpc_get_current_cancellable ();

  g_atomic_int_inc (&n_blocked);
  while (!g_cancellable_is_cancelled (cancellable))
    g_usleep (MS);
  g_atomic_int_add (&n_blocked, -1);
}

static gboolean
test_handler_query (KvsqlRpcSqlIf *iface, KvsqlRpcPage **page, const gchar *sql,
                    const GPtrArray *parameters, const KvsqlRpcQueryOptions *options,
                    KvsqlRpcSqlError **failure, GError **error)
{
  if (g_strcmp0 (sql, "fail") == 0)
    {
      *failure = g_object_new (KVSQL_RPC_TYPE_SQL_ERROR, "code", 2, "message", "no", NULL);
      return FALSE;
    }
  if (g_strcmp0 (sql, "block") == 0)
    block ();
  else if (g_strcmp0 (sql, "pause") == 0)
    {
      g_atomic_int_inc (&n_paused);
      g_usleep (50 * MS);
    }
  else if (g_strcmp0 (sql, "big") == 0)
    g_ptr_array_add ((*page)->warnings, g_strnfill (200000, 'x'));
  else
    g_ptr_array_add ((*page)->warnings, g_strdup (sql));
  (*page)->__isset_warnings = TRUE;
  return TRUE;
}

static gboolean
test_handler_insert (KvsqlRpcSqlIf *iface, gint64 *affected, const gchar *relation,
                     const GPtrArray *columns, const gint32 n_rows, const GPtrArray *data,
                     const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **failure,
                     GError **error)
{
  *affected = n_rows;
  return TRUE;
}

/* All other methods return nothing, so that any request may be sent. */
static gboolean
test_handler_prepare (KvsqlRpcSqlIf *iface, KvsqlRpcStatement **statement, const gchar *sql,
                      KvsqlRpcSqlError **failure, GError **error)
{
  return TRUE;
}

static gboolean
test_handler_execute (KvsqlRpcSqlIf *iface, KvsqlRpcPage **page, const gint64 id,
                      const GPtrArray *parameters, const KvsqlRpcQueryOptions *options,
                      KvsqlRpcSqlError **failure, GError **error)
{
  return TRUE;
}

static gboolean
test_handler_close_statement (KvsqlRpcSqlIf *iface, const gint64 id, KvsqlRpcSqlError **failure,
                              GError **error)
{
  return TRUE;
}

static gboolean
test_handler_fetch (KvsqlRpcSqlIf *iface, KvsqlRpcPage **page, const GByteArray *cursor,
                    const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **failure, GError **error)
{
  return TRUE;
}

static gboolean
test_handler_close_cursor (KvsqlRpcSqlIf *iface, const GByteArray *cursor,
                           KvsqlRpcSqlError **failure, GError **error)
{
  return TRUE;
}

static gboolean
test_handler_explain (KvsqlRpcSqlIf *iface, KvsqlRpcPlan **plan, const gchar *sql,
                      const GPtrArray *parameters, const gboolean analyze,
                      const KvsqlRpcQueryOptions *options, KvsqlRpcSqlError **failure,
                      GError **error)
{
  return TRUE;
}

static void
test_handler_init (TestHandler *self)
{
}

static void
test_handler_class_init (TestHandlerClass *klass)
{
  klass->hello = test_handler_hello;
  klass->query = test_handler_query;
  klass->insert_rows = test_handler_insert;
  klass->prepare = test_handler_prepare;
  klass->execute = test_handler_execute;
  klass->close_statement = test_handler_close_statement;
  klass->fetch = test_handler_fetch;
  klass->close_cursor = test_handler_close_cursor;
  klass->explain = test_handler_explain;
}

/* ---- the server in a thread of its own, as it blocks and the test does */

typedef struct
{
  KvsqldConnectionLimits limits;
  gchar *address; /* to listen on */
  gint fd;        /* used instead if it is not 0 */

  GThread *thread;
  GMainContext *context;
  GMainLoop *loop;
  KvsqldServer *server;
  gchar **addresses;
  gint is_ready;
  gint64 grace_ms;
  gboolean has_drained;
} Fixture;

static gboolean
set_ready (gpointer data)
{
  g_atomic_int_set (&((Fixture *)data)->is_ready, 1);
  return G_SOURCE_REMOVE;
}

static gpointer
run_server (gpointer data)
{
  Fixture *self = data;
  g_autoptr (GObject) handler = g_object_new (test_handler_get_type (), NULL);
  g_autoptr (GObject) processor = NULL;
  g_autoptr (GError) error = NULL;
  KvsqldFrontEnd *front_end;
  GSource *ready = g_idle_source_new ();

  g_main_context_push_thread_default (self->context);
  processor = g_object_new (KVSQL_RPC_TYPE_SQL_PROCESSOR, "handler", handler, NULL);
  front_end = kvsqld_rpc_front_end_new ((KvsqlRpcSqlProcessor *)processor);
  self->server = kvsqld_server_new (&self->limits);
  if (self->fd != 0)
    assert_done (
        kvsqld_server_listen_fd (self->server, front_end, self->fd, "none", KVSQLD_TLS_OFF, &error),
        error);
  else
    assert_done (kvsqld_server_listen (self->server, front_end, self->address, 0, &error), error);
  self->addresses = kvsqld_server_get_addresses (self->server);
  kvsqld_server_start (self->server);
  g_source_set_callback (ready, set_ready, self, NULL);
  g_source_attach (ready, self->context);
  g_source_unref (ready);
  g_main_loop_run (self->loop);
  self->has_drained = kvsqld_server_drain (self->server, self->grace_ms);
  kvsqld_server_free (self->server);
  kvsqld_rpc_front_end_free (front_end);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

static void
start (Fixture *self)
{
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->thread = g_thread_new ("server", run_server, self);
  while (!g_atomic_int_get (&self->is_ready))
    g_usleep (MS);
}

static void
stop (Fixture *self)
{
  g_main_loop_quit (self->loop);
  g_thread_join (g_steal_pointer (&self->thread));
}

static void
set_up (Fixture *self, gconstpointer data)
{
  self->address = g_strdup ("tcp://127.0.0.1:0?auth=none");
  self->grace_ms = 10000;
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  if (self->thread != NULL)
    {
      stop (self);
      g_assert_true (self->has_drained);
    }
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_strfreev (self->addresses);
  g_free (self->address);
}

/* ---- a client */

typedef struct
{
  GSocketConnection *connection;
  KvsqlTransport *transport;
  KvsqlProtocol *protocol;
  KvsqlRpcSqlIf *sql;
} Client;

static GSocketConnection *
try_connect (const gchar *address)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketAddress) path = NULL;

  if (g_str_has_prefix (address, "unix://"))
    {
      path = g_unix_socket_address_new (address + strlen ("unix://"));
      return g_socket_client_connect (client, G_SOCKET_CONNECTABLE (path), NULL, NULL);
    }
  return g_socket_client_connect_to_host (client, address + strlen ("tcp://"), 0, NULL, NULL);
}

static void
client_open (Client *self, const gchar *address, gboolean framed, gboolean compact)
{
  self->connection = try_connect (address);
  g_assert_nonnull (self->connection);
  self->transport
      = kvsql_transport_new (G_IO_STREAM (self->connection), framed, KVSQL_TRANSPORT_MAX_MESSAGE);
  kvsql_transport_set_deadline (self->transport, g_get_monotonic_time () + 20000 * MS);
  self->protocol = kvsql_protocol_new (self->transport, compact);
  self->sql = g_object_new (KVSQL_RPC_TYPE_SQL_CLIENT, "input_protocol", self->protocol,
                            "output_protocol", self->protocol, NULL);
}

static void
client_close (Client *self)
{
  thrift_transport_close (THRIFT_TRANSPORT (self->transport), NULL);
  g_object_unref (self->sql);
  g_object_unref (self->protocol);
  g_object_unref (self->transport);
  g_object_unref (self->connection);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Client, client_close)

static gboolean
query (Client *self, const gchar *sql, gchar **out, GError **error)
{
  g_autoptr (GPtrArray) parameters = g_ptr_array_new ();
  g_autoptr (GObject) options = g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, NULL);
  g_autoptr (GObject) page = g_object_new (KVSQL_RPC_TYPE_PAGE, NULL);
  KvsqlRpcPage *result = (KvsqlRpcPage *)page;
  KvsqlRpcSqlError *failure = NULL;

  if (!kvsql_rpc_sql_client_query (self->sql, &result, sql, parameters,
                                   (KvsqlRpcQueryOptions *)options, &failure, error))
    {
      g_clear_object (&failure);
      return FALSE;
    }
  if (out != NULL)
    *out = g_strdup (result->warnings->len > 0 ? g_ptr_array_index (result->warnings, 0) : "");
  return TRUE;
}

static void
expect_echo (Client *client, const gchar *text)
{
  g_autofree gchar *answer = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (query (client, text, &answer, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (answer, ==, text);
}

/* Expects that the connection ends, after at least @least bytes. */
static void
expect_end (GSocketConnection *connection)
{
  GInputStream *input = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  gchar buffer[4096];

  while (g_input_stream_read (input, buffer, sizeof buffer, NULL, NULL) > 0)
    continue;
}

static void
send_bytes (GSocketConnection *connection, gconstpointer bytes, gsize size)
{
  g_assert_true (g_output_stream_write_all (
      g_io_stream_get_output_stream (G_IO_STREAM (connection)), bytes, size, NULL, NULL, NULL));
}

static KvsqldConnectionStatus
get_status (Fixture *self)
{
  KvsqldConnectionStatus status;

  kvsqld_server_get_status (self->server, &status);
  return status;
}

static void
wait_for_connections (Fixture *self, guint n)
{
  while (get_status (self).n_connections != n)
    g_usleep (MS);
}

static void
wait_for_idle (Fixture *self, guint n)
{
  while (get_status (self).n_idle != n)
    g_usleep (MS);
}

/* ---- tests */

static void
test_formats (Fixture *self, gconstpointer data)
{
  start (self);
  for (guint i = 0; i < 4; i++)
    {
      g_auto (Client) client = { 0 };

      client_open (&client, self->addresses[0], i & 1, i >> 1);
      expect_echo (&client, "one");
      expect_echo (&client, "two");
    }
  wait_for_connections (self, 0);
  /* a connection's buffers are freed after its place */
  while (get_status (self).bytes_in_flight != 0)
    g_usleep (MS);
  g_assert_cmpuint (get_status (self).n_requests, ==, 8);
  g_assert_cmpuint (get_status (self).n_dropped, ==, 0);
  g_assert_cmpuint (get_status (self).bytes_in, >, 8 * 20);
}

static void
test_failures (Fixture *self, gconstpointer data)
{
  g_auto (Client) client = { 0 };
  g_autoptr (GError) error = NULL;

  start (self);
  client_open (&client, self->addresses[0], TRUE, FALSE);
  g_assert_false (query (&client, "fail", NULL, &error));
  expect_echo (&client, "still there");
}

static void
test_unknown_method (Fixture *self, gconstpointer data)
{
  g_autoptr (GSocketConnection) connection = NULL;
  gchar buffer[14];
  gsize n;

  start (self);
  connection = try_connect (self->addresses[0]);
  for (guint i = 0; i < 2; i++)
    {
      gchar rest[512];

      send_bytes (connection, BYTES (CALL));
      g_input_stream_read_all (g_io_stream_get_input_stream (G_IO_STREAM (connection)), buffer,
                               sizeof buffer, &n, NULL, NULL);
      g_assert_cmpmem (buffer, n, "\x80\x01\0\x03\0\0\0\x06nosuch", 14);
      g_assert_cmpint (g_input_stream_read (g_io_stream_get_input_stream (G_IO_STREAM (connection)),
                                            rest, sizeof rest, NULL, NULL),
                       >, 0);
    }
}

static const struct
{
  const gchar *bytes;
  gsize size;
} refused[] = {
  { BYTES ("GET / HTTP/1.0\r\n\r\n") },
  { BYTES ("\0\0\0\0") },
  { BYTES ("\xff\xff\xff\xff") },
  { BYTES ("\x80\x01\0\x02\0\0\0\x05query\0\0\0\x07\0") }, /* a reply */
  { BYTES ("\x80\x01\0\x04\0\0\0\x05query\0\0\0\x07\0") }, /* oneway */
  { BYTES (
      "\x80\x01\0\x01\0\0\0\x05query\0\0\0\x07\x0b\0\x01\x7f\xff\xff\xff") }, /* a long string */
  { BYTES ("\x82\x21\x07\x05query\x18\xff\xff\xff\xff\x07") },
};

static void
test_refused (Fixture *self, gconstpointer data)
{
  g_auto (Client) client = { 0 };

  start (self);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GSocketConnection) connection = try_connect (self->addresses[0]);

      send_bytes (connection, refused[i].bytes, refused[i].size);
      expect_end (connection);
    }
  wait_for_connections (self, 0);
  g_assert_cmpuint (get_status (self).n_dropped, ==, G_N_ELEMENTS (refused));
  client_open (&client, self->addresses[0], FALSE, FALSE);
  expect_echo (&client, "alive");
}

static gpointer
run_client (gpointer data)
{
  g_auto (Client) client = { 0 };

  client_open (&client, data, TRUE, TRUE);
  for (guint i = 0; i < 50; i++)
    expect_echo (&client, "text");
  return NULL;
}

static void
test_many (Fixture *self, gconstpointer data)
{
  GThread *threads[20];

  start (self);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("client", run_client, self->addresses[0]);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  wait_for_connections (self, 0);
  g_assert_cmpuint (get_status (self).n_requests, ==, 20 * 50);
}

static void
check_bound (Fixture *self)
{
  GSocketConnection *held[2];

  self->limits.handshake_timeout_ms = 600 * 1000;
  self->limits.full_idle_timeout_ms = 600 * 1000;
  start (self);
  for (guint i = 0; i < 2; i++)
    held[i] = try_connect (self->addresses[0]);
  wait_for_connections (self, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GSocketConnection) connection = try_connect (self->addresses[0]);

      expect_end (connection);
    }
  g_assert_cmpuint (get_status (self).n_refused, ==, 2);
  g_object_unref (held[0]);
  wait_for_connections (self, 1);
  run_client (self->addresses[0]);
  g_object_unref (held[1]);
}

static void
test_max_connections (Fixture *self, gconstpointer data)
{
  self->limits.max_connections = 2;
  check_bound (self);
}

static void
test_max_connections_per_peer (Fixture *self, gconstpointer data)
{
  self->limits.max_connections_per_peer = 2;
  check_bound (self);
}

/* The server answers the first request of a connection that it refuses. */
static void
expect_refusal (Fixture *self, gboolean framed, gboolean compact, const gchar *message,
                const gchar *setting)
{
  g_auto (Client) client = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GObject) info = g_object_new (KVSQL_RPC_TYPE_SERVER_INFO, NULL);
  KvsqlRpcServerInfo *out = (KvsqlRpcServerInfo *)info;
  KvsqlRpcSqlError *failure = NULL;

  client_open (&client, self->addresses[0], framed, compact);
  g_assert_false (kvsql_rpc_sql_client_hello (client.sql, &out, 1, "late", &failure, &error));
  g_assert_nonnull (failure);
  g_assert_cmpint (failure->code, ==, KVSQL_RPC_ERROR_CODE_LIMIT);
  g_assert_cmpstr (failure->message, ==, message);
  g_assert_cmpstr (failure->sqlstate, ==, "54000");
  g_assert_nonnull (strstr (failure->hint, setting));
  g_object_unref (failure);
}

/* A silent connection keeps its place, however slow the machine is. */
static void
hold_places (Fixture *self)
{
  self->limits.handshake_timeout_ms = 600 * 1000;
  self->limits.full_idle_timeout_ms = 600 * 1000;
}

static void
test_refusal_is_told (Fixture *self, gconstpointer data)
{
  g_autoptr (GSocketConnection) held = NULL;

  hold_places (self);
  self->limits.max_connections = 1;
  start (self);
  held = try_connect (self->addresses[0]);
  wait_for_connections (self, 1);
  for (guint i = 0; i < 4; i++)
    expect_refusal (self, i & 1, i >> 1, "too many connections", "raise max_connections in");
  g_assert_cmpuint (get_status (self).n_refused, ==, 4);
  g_assert_cmpuint (get_status (self).n_connections, ==, 1);
  g_assert_cmpuint (get_status (self).n_dropped, ==, 0);
}

static void
test_refusal_of_a_peer_is_told (Fixture *self, gconstpointer data)
{
  g_autoptr (GSocketConnection) held = NULL;

  hold_places (self);
  self->limits.max_connections_per_peer = 1;
  start (self);
  held = try_connect (self->addresses[0]);
  wait_for_connections (self, 1);
  expect_refusal (self, TRUE, TRUE, "too many connections of 127.0.0.1",
                  "raise max_connections_per_peer in");
}

/* The reply to a request is too large for a message: the client gets an error that says so. */
static void
test_reply_is_too_large (Fixture *self, gconstpointer data)
{
  g_auto (Client) client = { 0 };
  g_autoptr (GPtrArray) parameters = g_ptr_array_new ();
  g_autoptr (GObject) options = g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, NULL);
  g_autoptr (GObject) page = g_object_new (KVSQL_RPC_TYPE_PAGE, NULL);
  KvsqlRpcPage *result = (KvsqlRpcPage *)page;
  KvsqlRpcSqlError *failure = NULL;
  g_autoptr (GError) error = NULL;

  self->limits.max_message_bytes = 100000;
  start (self);
  client_open (&client, self->addresses[0], TRUE, FALSE);
  g_assert_false (kvsql_rpc_sql_client_query (client.sql, &result, "big", parameters,
                                              (KvsqlRpcQueryOptions *)options, &failure, &error));
  g_assert_nonnull (failure);
  g_assert_cmpint (failure->code, ==, KVSQL_RPC_ERROR_CODE_LIMIT);
  g_assert_nonnull (strstr (failure->message, "limit"));
  g_clear_error (&error);
  g_object_unref (failure);
  expect_echo (&client, "alive");
}

/* Only a bounded number of refused connections get an answer: the others are closed. */
static void
test_rejections_are_bounded (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) silent = g_ptr_array_new_with_free_func (g_object_unref);

  hold_places (self);
  self->limits.max_connections = 1;
  start (self);
  for (guint i = 0; i < 400; i++)
    g_ptr_array_add (silent, try_connect (self->addresses[0]));
  while (get_status (self).n_refused < 399)
    g_usleep (MS);
  for (guint i = 1; i < silent->len; i++)
    expect_end (silent->pdata[i]);
  g_assert_cmpuint (get_status (self).n_connections, ==, 1);
}

/* If no place is free, an idle connection loses its own. */
static void
test_idle_gives_place (Fixture *self, gconstpointer data)
{
  g_auto (Client) idle = { 0 };
  g_auto (Client) busy = { 0 };

  self->limits.max_connections = 1;
  self->limits.full_idle_timeout_ms = 1;
  start (self);
  client_open (&idle, self->addresses[0], TRUE, FALSE);
  expect_echo (&idle, "first");
  g_usleep (2 * MS);
  client_open (&busy, self->addresses[0], TRUE, FALSE);
  expect_echo (&busy, "second");
  expect_end (idle.connection);
  g_assert_cmpuint (get_status (self).n_displaced, ==, 1);
  g_assert_cmpuint (get_status (self).n_refused, ==, 0);
}

/* @bytes: what the peer sends before it stops. */
static void
check_deadline (Fixture *self, gconstpointer bytes, gsize size)
{
  g_autoptr (GSocketConnection) connection = NULL;

  start (self);
  connection = try_connect (self->addresses[0]);
  send_bytes (connection, bytes, size);
  expect_end (connection);
}

static void
test_handshake_deadline (Fixture *self, gconstpointer data)
{
  self->limits.handshake_timeout_ms = 30;
  check_deadline (self, "\x80", 1);
  wait_for_connections (self, 0);
  g_assert_cmpuint (get_status (self).n_dropped, ==, 1);
}

static void
test_request_deadline (Fixture *self, gconstpointer data)
{
  self->limits.request_timeout_ms = 30;
  check_deadline (self, CALL, 12);
  wait_for_connections (self, 0);
  g_assert_cmpuint (get_status (self).n_dropped, ==, 1);
}

static void
test_idle_deadline (Fixture *self, gconstpointer data)
{
  self->limits.idle_timeout_ms = 30;
  check_deadline (self, BYTES (CALL));
  wait_for_connections (self, 0);
  g_assert_cmpuint (get_status (self).n_dropped, ==, 0);
}

static void
test_drip_feeder (Fixture *self, gconstpointer data)
{
  g_autoptr (GSocketConnection) connection = NULL;
  gint64 begin = g_get_monotonic_time ();

  self->limits.request_timeout_ms = 60;
  start (self);
  connection = try_connect (self->addresses[0]);
  send_bytes (connection,
              BYTES ("\0\1\0\0\x80\x01\0\x01\0\0\0\x06nosuch\0\0\0\x07\x0b\0\x09\0\0\xff\0"));
  while (g_output_stream_write (g_io_stream_get_output_stream (G_IO_STREAM (connection)), "x", 1,
                                NULL, NULL)
             == 1
         && g_get_monotonic_time () - begin < 10000 * MS)
    g_usleep (3 * MS);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 10000 * MS);
}

/* ---- the end */

static gpointer
run_query (gpointer data)
{
  g_auto (Client) client = { 0 };
  g_autofree gchar *answer = NULL;
  const gchar *const *address_and_sql = data;

  client_open (&client, address_and_sql[0], TRUE, FALSE);
  return GINT_TO_POINTER (query (&client, address_and_sql[1], &answer, NULL));
}

static gboolean
stop_while (Fixture *self, const gchar *sql)
{
  const gchar *address_and_sql[] = { self->addresses[0], sql };
  gint n_before = g_atomic_int_get (&n_paused);
  GThread *thread = g_thread_new ("client", run_query, address_and_sql);

  while (g_atomic_int_get (&n_blocked) == 0 && g_atomic_int_get (&n_paused) == n_before)
    g_usleep (MS);
  stop (self);
  return GPOINTER_TO_INT (g_thread_join (thread));
}

static void
test_drain_finishes (Fixture *self, gconstpointer data)
{
  g_autoptr (GSocketConnection) waiting = NULL;

  start (self);
  waiting = try_connect (self->addresses[0]);
  wait_for_connections (self, 1);
  g_assert_true (stop_while (self, "pause"));
  g_assert_true (self->has_drained);
  expect_end (waiting);
  g_assert_null (try_connect (self->addresses[0]));
}

static void
test_drain_grace_period_ends (Fixture *self, gconstpointer data)
{
  self->grace_ms = 20;
  start (self);
  g_assert_false (stop_while (self, "block"));
  g_assert_true (self->has_drained);
}

/* ---- connections without a thread */

static void
test_idle_asks_again (Fixture *self, gconstpointer data)
{
  g_auto (Client) first = { 0 }, second = { 0 };

  start (self);
  client_open (&first, self->addresses[0], TRUE, FALSE);
  client_open (&second, self->addresses[0], FALSE, TRUE);
  for (guint i = 0; i < 2; i++)
    {
      expect_echo (&first, "first");
      expect_echo (&second, "second");
      wait_for_idle (self, 2);
    }
  g_assert_cmpuint (get_status (self).n_requests, ==, 4);
  g_assert_cmpuint (get_status (self).n_connections, ==, 2);
}

static void
test_idle_peer_leaves (Fixture *self, gconstpointer data)
{
  start (self);
  {
    g_auto (Client) client = { 0 };

    client_open (&client, self->addresses[0], TRUE, FALSE);
    expect_echo (&client, "here");
    wait_for_idle (self, 1);
  }
  wait_for_connections (self, 0);
  g_assert_cmpuint (get_status (self).n_dropped, ==, 0);
}

static void
test_idle_for_too_long (Fixture *self, gconstpointer data)
{
  g_auto (Client) client = { 0 };

  self->limits.idle_timeout_ms = 2000;
  start (self);
  client_open (&client, self->addresses[0], TRUE, FALSE);
  expect_echo (&client, "here");
  wait_for_idle (self, 1);
  wait_for_connections (self, 0);
  g_assert_cmpuint (get_status (self).n_dropped, ==, 0);
}

static void
test_idle_at_the_end (Fixture *self, gconstpointer data)
{
  g_auto (Client) client = { 0 };

  start (self);
  client_open (&client, self->addresses[0], TRUE, FALSE);
  expect_echo (&client, "here");
  wait_for_idle (self, 1);
  stop (self);
  g_assert_true (self->has_drained);
  expect_end (client.connection);
}

static void
test_peer_leaves (Fixture *self, gconstpointer data)
{
  g_autoptr (GSocketConnection) connection = NULL;

  start (self);
  connection = try_connect (self->addresses[0]);
  send_bytes (connection, BYTES ("\x80\x01\0\x01\0\0\0\x05query\0\0\0\x07\x0b\0\x01\0\0\0\x05"
                                 "block\0"));
  while (g_atomic_int_get (&n_blocked) == 0)
    g_usleep (MS);
  g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
  wait_for_connections (self, 0);
  g_assert_cmpint (g_atomic_int_get (&n_blocked), ==, 0);
}

/* ---- the address */

static void
test_localhost (Fixture *self, gconstpointer data)
{
  g_free (self->address);
  self->address = g_strdup ("tcp://localhost:0?auth=none");
  start (self);
  for (guint i = 0; self->addresses[i] != NULL; i++)
    run_client (self->addresses[i]);
  g_assert_null (strstr (self->addresses[0], ":0"));
}

static void
test_dual_stack (Fixture *self, gconstpointer data)
{
  g_autofree gchar *address = NULL;

  g_free (self->address);
  self->address = g_strdup ("tcp://[::]:0?auth=none&allow_insecure=true");
  start (self);
  g_assert_cmpuint (g_strv_length (self->addresses), ==, 1);
  address = g_strdup_printf ("tcp://127.0.0.1%s", strrchr (self->addresses[0], ':'));
  run_client (address);
}

static void
test_inherited (Fixture *self, gconstpointer data)
{
  g_autoptr (GInetAddress) host = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (host, 0);
  g_autoptr (GSocket) socket
      = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL);

  g_assert_true (g_socket_bind (socket, address, TRUE, NULL));
  g_assert_true (g_socket_listen (socket, NULL));
  self->fd = dup (g_socket_get_fd (socket));
  start (self);
  run_client (self->addresses[0]);
}

static void
test_unix (Fixture *self, gconstpointer data)
{
  g_autofree gchar *folder = g_dir_make_tmp ("kvsql-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "socket", NULL);
  g_autoptr (GPtrArray) second = NULL;
  g_autoptr (GError) error = NULL;
  GStatBuf status;

  g_free (self->address);
  self->address = g_strconcat ("unix://", path, NULL);
  start (self);
  g_assert_cmpstr (self->addresses[0], ==, self->address);
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0660);
  run_client (self->address);
  second = kvsqld_listener_open (self->address, 0600, &error);
  g_assert_null (second);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  stop (self);
  g_assert_cmpint (g_stat (path, &status), !=, 0);
  g_rmdir (folder);
}

static void
test_unix_obstacles (void)
{
  g_autofree gchar *folder = g_dir_make_tmp ("kvsql-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "socket", NULL);
  g_autofree gchar *address = g_strconcat ("unix://", path, NULL);
  g_autoptr (GSocketAddress) stale_address = g_unix_socket_address_new (path);
  g_autoptr (GSocket) stale
      = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL);
  g_autoptr (GPtrArray) listeners = NULL;
  g_autoptr (GError) error = NULL;

  /* A regular file must not be removed. */
  g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
  g_assert_null (kvsqld_listener_open (address, 0600, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  g_clear_error (&error);
  g_unlink (path);

  /* A socket on which no process listens is removed. */
  g_assert_true (g_socket_bind (stale, stale_address, FALSE, NULL));
  g_socket_close (stale, NULL);
  listeners = kvsqld_listener_open (address, 0600, &error);
  g_assert_no_error (error);
  g_assert_nonnull (listeners);
  g_clear_pointer (&listeners, g_ptr_array_unref);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static int
serve (void)
{
  Fixture self = { .address = g_strdup ("tcp://127.0.0.1:0?auth=none"), .grace_ms = 1000 };

  self.limits.request_timeout_ms = self.limits.handshake_timeout_ms = 500;
  start (&self);
  g_print ("%s\n", self.addresses[0]);
  fflush (stdout);
  while (getchar () != EOF)
    continue;
  tear_down (&self, NULL);
  return 0;
}

#define ADD(path, function)                                                                        \
  g_test_add ("/daemon/rpc/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  kvsql_thrift_setup ();
  if (argc == 2 && g_str_equal (argv[1], "--serve"))
    return serve ();
  g_test_init (&argc, &argv, NULL);
  ADD ("formats", test_formats);
  ADD ("failures", test_failures);
  ADD ("unknown-method", test_unknown_method);
  ADD ("refused", test_refused);
  ADD ("many-clients", test_many);
  ADD ("bounds/connections", test_max_connections);
  ADD ("bounds/connections-of-a-peer", test_max_connections_per_peer);
  ADD ("bounds/refusal-has-a-reason", test_refusal_is_told);
  ADD ("bounds/refusal-of-a-peer-has-a-reason", test_refusal_of_a_peer_is_told);
  ADD ("bounds/reply-is-too-large", test_reply_is_too_large);
  ADD ("bounds/rejections-are-bounded", test_rejections_are_bounded);
  ADD ("bounds/idle-loses-place", test_idle_gives_place);
  ADD ("deadline/handshake", test_handshake_deadline);
  ADD ("deadline/request", test_request_deadline);
  ADD ("deadline/idle", test_idle_deadline);
  ADD ("deadline/drip-feeder", test_drip_feeder);
  ADD ("idle/next-request", test_idle_asks_again);
  ADD ("idle/peer-leaves", test_idle_peer_leaves);
  ADD ("idle/for-too-long", test_idle_for_too_long);
  ADD ("idle/at-the-end", test_idle_at_the_end);
  ADD ("drain/finishes-requests", test_drain_finishes);
  ADD ("drain/grace-period-ends", test_drain_grace_period_ends);
  ADD ("peer-leaves", test_peer_leaves);
  ADD ("listen/localhost", test_localhost);
  ADD ("listen/dual-stack", test_dual_stack);
  ADD ("listen/inherited", test_inherited);
  ADD ("listen/unix", test_unix);
  g_test_add_func ("/daemon/rpc/listen/unix-obstacles", test_unix_obstacles);
  return g_test_run ();
}
