/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-http.c: HTTP faults that HBase's own server does not produce: proxies that refuse,
 * logins, answers that are cut or are not Thrift, connections that are not kept. Real gateways with
 * HTTP and TLS: test-tls.c and the contract.
 */
#include "config.h"

#include "daemon/stores/hbase/t2-requests.h"
#include "daemon/stores/stores.h"
#include "tests/harness/assert.h"

#include <glib/gstdio.h>

#define S(text) KVSQL_SLICE_LITERAL (text)
#define THRIFT "Content-Type: application/x-thrift\r\n"
/* A call that must not wait for an answer returns before this, however slow the machine is. */
#define PROMPT_US (10 * G_USEC_PER_SEC)

/* ---- a web server that answers probes correctly, and other requests by a script */

#define ANSWER_RIGHT NULL
#define ANSWER_CLOSE "" /* no answer: it closes the connection */
#define ANSWER_NEVER "never"

typedef struct
{
  GSocketListener *listener;
  guint16 port;
  GThread *thread;
  GPtrArray *visits; /* of GThread*, the thread's own */
  const gchar *answer;
  gboolean is_for_probes;
  const gchar *more_head; /* of right answers */
  GCancellable *ended;
  gint n_connections;
  gint n_requests; /* without probes */
  GMutex lock;
  gchar *last_head;
} Web;

static void
write_right_answer (Web *web, const gchar *name, guint32 sequence, GOutputStream *output)
{
  g_auto (KvsqldT2Writer) writer = { 0 };
  g_autofree gchar *head = NULL;

  kvsqld_t2_writer_init (&writer, (KvsqldT2Transport){ 0 });
  kvsqld_t2_writer_begin (&writer, KVSQLD_T2_REPLY, name, sequence);
  if (strcmp (name, "getThriftServerType") == 0)
    kvsqld_t2_writer_i32_field (&writer, 0, 2);
  else if (strcmp (name, "get") == 0)
    {
      kvsqld_t2_writer_struct_field (&writer, 0);
      kvsqld_t2_writer_list_field (&writer, 2, KVSQLD_T2_STRUCT, 0);
      kvsqld_t2_writer_struct_end (&writer);
    }
  kvsqld_t2_writer_end (&writer);
  head = g_strdup_printf ("HTTP/1.1 200 OK\r\n" THRIFT "%sTransfer-Encoding: chunked\r\n\r\n%x\r\n",
                          web->more_head, (guint)writer.bytes.size);
  g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL);
  g_output_stream_write_all (output, writer.bytes.data, writer.bytes.size, NULL, NULL, NULL);
  g_output_stream_write_all (output, "\r\n0\r\n\r\n", 7, NULL, NULL, NULL);
}

/* Reads the head, and the length of the body after it; NULL at the end. */
static gchar *
read_head (GDataInputStream *input, gsize *out_size)
{
  GString *head = g_string_new (NULL);

  *out_size = 0;
  for (;;)
    {
      g_autofree gchar *line = g_data_input_stream_read_line (input, NULL, NULL, NULL);

      if (line == NULL)
        {
          g_string_free (head, TRUE);
          return NULL;
        }
      g_strchomp (line);
      if (*line == '\0')
        return g_string_free (head, FALSE);
      if (g_str_has_prefix (line, "Content-Length: "))
        *out_size = strtoul (line + strlen ("Content-Length: "), NULL, 10);
      g_string_append_printf (head, "%s\n", line);
    }
}

static gboolean
answer_one (Web *web, GDataInputStream *input, GOutputStream *output)
{
  gsize size, name_size;
  g_autofree gchar *head = read_head (input, &size);
  g_autofree guint8 *body = NULL;
  g_autofree gchar *name = NULL;
  gboolean is_probe;

  if (head == NULL)
    return FALSE;
  body = g_malloc (size);
  if (size < 12 || !g_input_stream_read_all (G_INPUT_STREAM (input), body, size, NULL, NULL, NULL))
    return FALSE;
  g_mutex_lock (&web->lock);
  g_free (web->last_head);
  web->last_head = g_steal_pointer (&head);
  g_mutex_unlock (&web->lock);

  name_size = kvsql_get_be32 (body + 4);
  name = g_strndup ((const gchar *)body + 8, name_size);
  is_probe = strcmp (name, "getThriftServerType") == 0;
  if (!is_probe)
    g_atomic_int_inc (&web->n_requests);
  if (web->answer == ANSWER_RIGHT || (is_probe && !web->is_for_probes))
    {
      write_right_answer (web, name, kvsql_get_be32 (body + 8 + name_size), output);
      return strstr (web->more_head, "close") == NULL;
    }
  while (strcmp (web->answer, ANSWER_NEVER) == 0 && !g_cancellable_is_cancelled (web->ended))
    g_usleep (1000);
  g_output_stream_write_all (output, web->answer, strlen (web->answer), NULL, NULL, NULL);
  return FALSE;
}

typedef struct
{
  Web *web;
  GSocketConnection *connection;
} Visit;

static gpointer
serve (gpointer data)
{
  g_autofree Visit *visit = data;
  g_autoptr (GSocketConnection) connection = visit->connection;
  g_autoptr (GDataInputStream) input
      = g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (connection)));

  while (answer_one (visit->web, input, g_io_stream_get_output_stream (G_IO_STREAM (connection))))
    ;
  g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
  return NULL;
}

static gpointer
accept_visitors (gpointer data)
{
  Web *web = data;
  GSocketConnection *connection;

  while ((connection = g_socket_listener_accept (web->listener, NULL, web->ended, NULL)))
    {
      Visit *visit = g_new0 (Visit, 1);

      g_atomic_int_inc (&web->n_connections);
      visit->web = web;
      visit->connection = connection;
      g_ptr_array_add (web->visits, g_thread_new ("visit", serve, visit));
    }
  return NULL;
}

static Web *
web_start (const gchar *answer)
{
  Web *web = g_new0 (Web, 1);

  web->answer = answer;
  web->more_head = "";
  web->ended = g_cancellable_new ();
  web->visits = g_ptr_array_new ();
  web->listener = g_socket_listener_new ();
  web->port = g_socket_listener_add_any_inet_port (web->listener, NULL, NULL);
  g_mutex_init (&web->lock);
  web->thread = g_thread_new ("web", accept_visitors, web);
  return web;
}

static void
web_stop (Web *web)
{
  g_cancellable_cancel (web->ended);
  g_thread_join (web->thread);
  for (guint i = 0; i < web->visits->len; i++)
    g_thread_join (web->visits->pdata[i]);
  g_ptr_array_unref (web->visits);
  g_object_unref (web->listener);
  g_object_unref (web->ended);
  g_mutex_clear (&web->lock);
  g_free (web->last_head);
  g_free (web);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Web, web_stop)

static KvsqlStore *
open_store (const Web *web, const gchar *settings)
{
  g_autofree gchar *url
      = g_strdup_printf ("hbase://localhost:%u?transport=http%s", web->port, settings);
  g_autoptr (GError) error = NULL;
  KvsqlStore *store = kvsqld_store_open (url, &error);

  g_assert_no_error (error);
  return store;
}

static gboolean
increment (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  gint64 value;

  return kvsql_store_increment (store, S ("t"), S ("r"), S ("f"), S ("q"), 1, call, &value, error);
}

/* ---- the tests */

static void
test_statuses (void)
{
  static const struct
  {
    const gchar *status;
    const gchar *hint;
  } cases[] = {
    { "401 Unauthorized", "auth_file=FILE" },
    { "403 Forbidden", "auth_file=" },
    { "404 Not Found", "path=/PATH" },
    { "405 Method Not Allowed", "path=/PATH" },
    { "418 Teapot", "Is it a Thrift2 server" },
    { "413 Content Too Large", "limit of the proxy" },
    { "500 Internal Server Error", "log says why" },
    { "503 Service Unavailable", "overloaded" },
    { "302 Found", "Is it a Thrift2 server" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *answer = g_strdup_printf (
          "HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nOh.\n",
          cases[i].status);
      g_autofree gchar *expected = g_strdup_printf ("answers HTTP %.3s", cases[i].status);
      g_autoptr (Web) web = web_start (answer);
      g_autoptr (KvsqlStore) store = NULL;
      g_autoptr (GError) error = NULL;

      web->is_for_probes = TRUE;
      store = open_store (web, "");
      g_assert_false (kvsql_store_ping (store, NULL, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
      g_test_message ("%s (%s)", error->message, kvsql_error_get_hint (error));
      g_assert_nonnull (strstr (error->message, expected));
      g_assert_nonnull (strstr (kvsql_error_get_hint (error), cases[i].hint));
    }
}

/* A request that was sent and not refused may have been done; it is sent once. */
static void
test_changes (void)
{
  static const struct
  {
    const gchar *answer;
    KvsqlErrorCode code;
    gint n_requests;
  } cases[] = {
    { ANSWER_CLOSE, KVSQL_ERROR_UNKNOWN_OUTCOME, 1 },
    { "HTTP/1.1 200 OK\r\n", KVSQL_ERROR_UNKNOWN_OUTCOME, 1 },
    { "HTTP/1.1 200 OK\r\n" THRIFT "Content-Length: 400\r\n\r\n\x80", KVSQL_ERROR_UNKNOWN_OUTCOME,
      1 },
    { "HTTP/1.1 200 OK\r\n" THRIFT "Content-Length: 0\r\n\r\n", KVSQL_ERROR_UNKNOWN_OUTCOME, 1 },
    { "HTTP/1.1 200 OK\r\n" THRIFT "Content-Length: 4\r\n\r\nHuh?", KVSQL_ERROR_UNKNOWN_OUTCOME,
      1 },
    { "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nHuh?",
      KVSQL_ERROR_UNKNOWN_OUTCOME, 1 },
    { "HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n", KVSQL_ERROR_UNKNOWN_OUTCOME, 1 },
    { "HTTP/1.1 504 Late\r\nContent-Length: 0\r\n\r\n", KVSQL_ERROR_UNKNOWN_OUTCOME, 1 },
    { "\x15\x03\x01\x02", KVSQL_ERROR_UNKNOWN_OUTCOME, 1 },
    { "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", KVSQL_ERROR_UNAVAILABLE, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Web) web = web_start (cases[i].answer);
      g_autoptr (KvsqlStore) store = open_store (web, "");
      g_autoptr (GError) error = NULL;

      g_assert_false (increment (store, NULL, &error));
      g_test_message ("%s", error->message);
      g_assert_cmpint (error->code, ==, (gint)cases[i].code);
      g_assert_cmpint (g_atomic_int_get (&web->n_requests), ==, cases[i].n_requests);
    }
}

/* The same on a connection that has served a request before: libcurl by itself would send it
 * again. */
static void
test_kept_connection_breaks (void)
{
  g_autoptr (Web) web = web_start (ANSWER_RIGHT);
  g_autoptr (KvsqlStore) store = open_store (web, "");
  g_autoptr (GError) error = NULL;

  g_assert_true (kvsql_store_ping (store, NULL, NULL));
  web->answer = ANSWER_CLOSE;
  g_assert_false (increment (store, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_assert_cmpint (g_atomic_int_get (&web->n_requests), ==, 2);
}

static void
test_keep_alive (void)
{
  g_autoptr (Web) web = web_start (ANSWER_RIGHT);
  g_autoptr (KvsqlStore) store = open_store (web, "");

  for (guint i = 0; i < 100; i++)
    g_assert_true (kvsql_store_ping (store, NULL, NULL));
  g_assert_cmpint (g_atomic_int_get (&web->n_connections), ==, 1);
}

static void
test_not_kept (void)
{
  g_autoptr (Web) web = web_start (ANSWER_RIGHT);
  g_autoptr (KvsqlStore) store = NULL;
  g_autoptr (GError) error = NULL;

  web->more_head = "Connection: close\r\n";
  store = open_store (web, "");
  for (guint i = 0; i < 10; i++)
    {
      assert_done (kvsql_store_ping (store, NULL, &error), error);
    }
  g_assert_cmpint (g_atomic_int_get (&web->n_connections), >=, 10);
}

static void
test_page_of_text (void)
{
  g_autoptr (Web) web
      = web_start ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nHello");
  g_autoptr (KvsqlStore) store = NULL;
  g_autoptr (GError) error = NULL;

  web->is_for_probes = TRUE;
  store = open_store (web, "");
  g_assert_false (kvsql_store_ping (store, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "answers with a page of text"));
}

/* ---- time */

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (G_USEC_PER_SEC / 10);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (void)
{
  g_autoptr (Web) web = web_start (ANSWER_NEVER);
  g_autoptr (KvsqlStore) store = open_store (web, "");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const KvsqlCall call = { .cancellable = cancellable };
  gint64 begun_us = g_get_monotonic_time ();
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsql_store_ping (store, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpint (g_get_monotonic_time () - begun_us, <, PROMPT_US);
  g_thread_join (thread);
  g_cancellable_cancel (web->ended);
}

static void
test_deadline (void)
{
  g_autoptr (Web) web = web_start (ANSWER_NEVER);
  g_autoptr (KvsqlStore) store = open_store (web, "");
  gint64 begun_us = g_get_monotonic_time ();
  const KvsqlCall call = { .deadline_us = begun_us + G_USEC_PER_SEC / 5 };
  g_autoptr (GError) error = NULL;

  g_assert_false (increment (store, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_assert_cmpint (g_get_monotonic_time () - begun_us, >=, G_USEC_PER_SEC / 5);
  g_assert_cmpint (g_get_monotonic_time () - begun_us, <, PROMPT_US);
  g_cancellable_cancel (web->ended);
}

/* ---- the wanted columns */

static gchar *
write_login (const gchar *text, gint mode)
{
  g_autofree gchar *folder = g_dir_make_tmp ("kvsql-XXXXXX", NULL);
  gchar *path = g_build_filename (folder, "login", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
  return path;
}

static void
remove_login (const gchar *path)
{
  g_autofree gchar *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_login_and_path (void)
{
  g_autoptr (Web) web = web_start (ANSWER_RIGHT);
  g_autofree gchar *path = write_login ("basic:ann:secret\n", 0600);
  g_autofree gchar *settings = g_strdup_printf ("&path=/a/proxy&auth_file=%s", path);
  g_autoptr (KvsqlStore) store = open_store (web, settings);

  g_assert_true (kvsql_store_ping (store, NULL, NULL));
  g_assert_true (g_str_has_prefix (web->last_head, "POST /a/proxy HTTP/1.1\n"));
  g_assert_nonnull (strstr (web->last_head, "Authorization: Basic YW5uOnNlY3JldA==\n"));
  g_assert_nonnull (strstr (web->last_head, "Content-Type: application/x-thrift\n"));
  g_assert_nonnull (strstr (web->last_head, "Host: localhost:"));
  remove_login (path);
}

static void
test_bad_logins (void)
{
  static const struct
  {
    const gchar *text;
    gint mode;
    const gchar *message;
  } cases[] = {
    { "basic:ann:secret", 0604, "is readable by others" },
    { "ann:secret", 0600, "has no user and password" },
    { "basic:secret", 0600, "has no user and password" },
    { "basic:ann:secret\r\nX-Evil: 1", 0600, "has no user and password" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *path = write_login (cases[i].text, cases[i].mode);
      g_autofree gchar *url = g_strdup_printf ("hbase://localhost?auth_file=%s", path);
      g_autoptr (GError) error = NULL;

      g_assert_null (kvsqld_hbase_store_open (url, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_null (strstr (error->message, "secret"));
      remove_login (path);
    }
}

/* Reported at the start, not at the first request. */
static void
test_missing_files (void)
{
  static const struct
  {
    const gchar *query;
    const gchar *message;
  } cases[] = {
    { "tls_ca=/no/ca.pem", "tls_ca \"/no/ca.pem\" of the store's URL cannot be read: No such" },
    { "tls_cert=/no/cert.pem", "tls_cert \"/no/cert.pem\"" },
    { "auth_file=/no/login", "the store's auth_file cannot be read" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *url = g_strdup_printf ("hbase://localhost?%s", cases[i].query);
      g_autoptr (GError) error = NULL;

      g_assert_null (kvsqld_hbase_store_open (url, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* Proxies of the environment are ignored. */
  g_setenv ("http_proxy", "http://127.0.0.1:1", TRUE);
  g_test_add_func ("/hbase/http/statuses", test_statuses);
  g_test_add_func ("/hbase/http/changes", test_changes);
  g_test_add_func ("/hbase/http/kept-connection-breaks", test_kept_connection_breaks);
  g_test_add_func ("/hbase/http/keep-alive", test_keep_alive);
  g_test_add_func ("/hbase/http/not-kept", test_not_kept);
  g_test_add_func ("/hbase/http/page-of-text", test_page_of_text);
  g_test_add_func ("/hbase/http/cancel", test_cancel);
  g_test_add_func ("/hbase/http/deadline", test_deadline);
  g_test_add_func ("/hbase/http/login-and-path", test_login_and_path);
  g_test_add_func ("/hbase/http/bad-logins", test_bad_logins);
  g_test_add_func ("/hbase/http/missing-files", test_missing_files);
  return g_test_run ();
}
