/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-channel.c: libkvsql and servers that do not answer, cannot be found, or disappear; and
 * several threads on one channel.
 */
#include "config.h"

#include "client/kvsql.h"
#include "core/base/error.h"
#include "tests/client/client-fixture.h"

#include <dlfcn.h>
#include <netdb.h>

/* ---- channels that break */

static void
test_reconnect_idle (ClientFixture *fixture, gconstpointer data)
{
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
  test_server_drop_connections (fixture->server);
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
  g_assert_cmpuint (test_server_count (fixture->server, "connect"), ==, 2);
  g_assert_cmpuint (test_server_count (fixture->server, "query"), ==, 2);
}

static void
test_fetch_over_new_line (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  kvsql_connection_set_page_size (fixture->connection, 10, 0);
  result = client_fixture_query (fixture, "ROWS 35", NULL);
  for (; kvsql_result_next (result, &error); n++)
    if (n == 15)
      test_server_drop_connections (fixture->server);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 35);
}

/* It may have been executed: it must not be repeated, and the caller must know. */
static void
test_lost_answer (ClientFixture *fixture, gconstpointer data)
{
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
  client_fixture_fail (fixture, "DROP", KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME);
  g_assert_cmpuint (test_server_count (fixture->server, "query"), ==, 2);
  g_assert_false (kvsql_connection_is_open (fixture->connection));
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
}

static void
test_lost_answer_read_only (ClientFixture *fixture, gconstpointer data)
{
  kvsql_connection_set_read_only (fixture->connection, TRUE);
  g_object_unref (client_fixture_query (fixture, "ROWS 1", NULL));
  client_fixture_fail (fixture, "DROP", KVSQL_CLIENT_ERROR_UNAVAILABLE);
  g_assert_cmpuint (test_server_count (fixture->server, "query"), ==, 3);
}

static void
test_timeout (ClientFixture *fixture, gconstpointer data)
{
  gint64 start = g_get_monotonic_time ();

  kvsql_connection_set_timeout (fixture->connection, 50);
  client_fixture_fail (fixture, "HANG", KVSQL_CLIENT_ERROR_DEADLINE);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 1000000);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 10000000);
  g_assert_false (kvsql_connection_is_open (fixture->connection));
  kvsql_connection_set_timeout (fixture->connection, 30000);
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (50000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancel (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);

  g_assert_null (kvsql_connection_query (fixture->connection, "HANG", NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  g_clear_error (&error);
  g_assert_null (kvsql_connection_query (fixture->connection, "WRITE", NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
}

static guint16
closed_port (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_socket_listener_close (listener);
  return port;
}

/* Replaces the C library's function for GLib, too. "slow.example" takes longer than any test waits
 * for it; the IPv4 address of "both.example" comes later than the other one. */
int
getaddrinfo (const char *node, const char *service, const struct addrinfo *hints,
             struct addrinfo **result)
{
  int (*original) (const char *, const char *, const struct addrinfo *, struct addrinfo **)
      = dlsym (RTLD_NEXT, "getaddrinfo");

  if (g_strcmp0 (node, "slow.example") == 0)
    g_usleep (20 * G_USEC_PER_SEC);
  if (g_strcmp0 (node, "both.example") == 0)
    {
      gboolean is_late = hints->ai_family == AF_INET;

      g_usleep (is_late ? 300000 : 0);
      return original (is_late ? "127.0.0.1" : "::1", service, hints, result);
    }
  return original (node, service, hints, result);
}

static void
test_slow_resolver (void)
{
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new ("kvsql://slow.example:1", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  GThread *thread;

  kvsql_connection_set_timeout (connection, 50);
  g_assert_false (kvsql_connection_open (connection, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);
  g_assert_cmpstr (error->message, ==,
                   "could not reach kvsqld at \"slow.example:1\": "
                   "the host name was not resolved in time");
  g_clear_error (&error);
  kvsql_connection_set_timeout (connection, 30000);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_false (kvsql_connection_open (connection, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 15 * G_USEC_PER_SEC);
}

/* The second address is not known yet when the first one has failed. */
static void
test_late_address (void)
{
  g_autofree gchar *uri = g_strdup_printf ("kvsql://both.example:%u", closed_port ());
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (uri, NULL);
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();

  g_assert_false (kvsql_connection_open (connection, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 300000);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 9 * G_USEC_PER_SEC);
}

static void
test_unreachable (void)
{
  g_autofree gchar *uri = g_strdup_printf ("kvsql://127.0.0.1:%u", closed_port ());
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (uri, NULL);
  g_autoptr (KvsqlConnection) nowhere = kvsql_connection_new ("kvsql+unix:///nonexistent/s", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsql_connection_open (connection, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);
  g_assert_true (kvsql_client_error_is_retryable (error));
  g_clear_error (&error);
  g_assert_false (kvsql_connection_open (nowhere, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);
}

static void
test_failover (ClientFixture *fixture, gconstpointer data)
{
  g_autofree gchar *uri = g_strdup_printf ("kvsql://127.0.0.1:%u,127.0.0.1:%u", closed_port (),
                                           test_server_get_port (fixture->server));
  g_autofree gchar *expected
      = g_strdup_printf ("127.0.0.1:%u", test_server_get_port (fixture->server));
  g_autofree gchar *peer = NULL;
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (uri, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (kvsql_connection_open (connection, NULL, &error));
  g_assert_no_error (error);
  peer = kvsql_connection_get_peer (connection);
  g_assert_cmpstr (peer, ==, expected);
}

/* The server does not speak the protocol: the call must fail with a clear error, and not hang. */
static gpointer
greet_wrongly (gpointer data)
{
  g_autoptr (GSocketConnection) stream = g_socket_listener_accept (data, NULL, NULL, NULL);

  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (stream)),
                             "HTTP/1.1 400 Bad Request\r\n\r\n", 28, NULL, NULL, NULL);
  g_io_stream_close (G_IO_STREAM (stream), NULL, NULL);
  return NULL;
}

static void
test_not_kvsqld (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autofree gchar *uri = g_strdup_printf (
      "kvsql://127.0.0.1:%u", g_socket_listener_add_any_inet_port (listener, NULL, NULL));
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (uri, NULL);
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("wrong", greet_wrongly, listener);

  g_assert_false (kvsql_connection_open (connection, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNAVAILABLE);
  g_assert_nonnull (strstr (error->message, "no kvsqld answers"));
  g_thread_join (thread);
}

/* ---- many at once */

static gpointer
query_many (gpointer data)
{
  ClientFixture *fixture = data;

  for (gint64 i = 1; i <= 50; i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("ROWS %" G_GINT64_FORMAT, i);
      g_autoptr (KvsqlResult) result = client_fixture_query (fixture, sql, NULL);

      g_assert_cmpuint (kvsql_result_get_n_page_rows (result), ==, i);
    }
  return NULL;
}

static void
test_threads (ClientFixture *fixture, gconstpointer data)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("query", query_many, fixture);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (test_server_count (fixture->server, "connect"), ==, 1);
  g_assert_cmpuint (test_server_count (fixture->server, "query"), ==, 200);
}

/* A call that waits for its turn can be cancelled, without an effect on the running call. */
G_GNUC_UNUSED static void
test_cancel_waiting (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) first = g_cancellable_new ();
  g_autoptr (GCancellable) second = g_cancellable_new ();
  GThread *cancel_first, *cancel_second;
  G_GNUC_UNUSED g_autoptr (GAsyncResult) outcome = NULL;
  g_autoptr (GError) error = NULL;

  kvsql_connection_query_async (fixture->connection, "HANG", NULL, first, NULL, NULL);
  cancel_second = g_thread_new ("second", cancel_soon, second);
  g_assert_null (kvsql_connection_query (fixture->connection, "HANG", NULL, second, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (cancel_second);
  cancel_first = g_thread_new ("first", cancel_soon, first);
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
  g_thread_join (cancel_first);
  /* The task of the first call holds a reference until its callback could have run. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

#define ADD(path, function)                                                                        \
  g_test_add ("/client/" path, ClientFixture, NULL, client_fixture_set_up, function,               \
              client_fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* ThreadSanitizer does not see how GLib initializes these once for all threads. */
  kvsql_error_quark ();
  kvsql_client_error_quark ();
  ADD ("channel/reopens-when-idle-one-died", test_reconnect_idle);
  ADD ("channel/fetches-over-new-one", test_fetch_over_new_line);
  ADD ("channel/lost-answer-is-not-repeated", test_lost_answer);
  ADD ("channel/lost-answer-read-only", test_lost_answer_read_only);
  ADD ("channel/timeout", test_timeout);
  ADD ("channel/cancel", test_cancel);
  g_test_add_func ("/client/channel/unreachable", test_unreachable);
  g_test_add_func ("/client/channel/slow-resolver", test_slow_resolver);
  g_test_add_func ("/client/channel/late-address", test_late_address);
  ADD ("channel/failover", test_failover);
  g_test_add_func ("/client/channel/not-kvsqld", test_not_kvsqld);
  ADD ("threads/take-turns", test_threads);
/* How GTask passes its result between threads is hidden in GIO. */
#ifndef __SANITIZE_THREAD__
  ADD ("threads/cancel-while-waiting", test_cancel_waiting);
#endif
  return g_test_run ();
}
