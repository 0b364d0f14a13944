/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-bulk.c: rows that are inserted by column, in as many messages as necessary.
 */
#include "config.h"

#include "core/base/error.h"
#include "tests/client/client-fixture.h"

static KvsqlBulk *
bulk_new (ClientFixture *fixture)
{
  static const gchar *const columns[] = { "a", "b", "c", NULL };

  return kvsql_bulk_new (fixture->connection, "r", columns);
}

static void
test_bulk (ClientFixture *fixture, gconstpointer data)
{
  static const gint64 numbers[] = { 2, 3 };
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *inserted = NULL;

  kvsql_bulk_append_int64 (bulk, 0, 1);
  kvsql_bulk_append_int64s (bulk, 0, numbers, 2);
  kvsql_bulk_append_null (bulk, 1);
  kvsql_bulk_append_string (bulk, 1, "two");
  kvsql_bulk_append_string (bulk, 1, "");
  for (guint i = 0; i < 3; i++)
    kvsql_bulk_append_null (bulk, 2);
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 3);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 3);
  g_assert_no_error (error);
  inserted = test_server_inserted (fixture->server);
  g_assert_cmpstr (inserted, ==, "1,NULL,NULL|2,two,NULL|3,,NULL");
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 0);
}

static void
test_bulk_in_pieces (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = g_strnfill (1000, 'x');
  g_autofree gchar *inserted = NULL;

  for (gint64 i = 0; i < 12000; i++)
    {
      kvsql_bulk_append_double (bulk, 0, i / 2.0);
      kvsql_bulk_append_boolean (bulk, 1, i % 2 == 0);
      kvsql_bulk_append_bytes (bulk, 2, text, i == 11999 ? 3 : 1000);
    }
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 12000);
  g_assert_no_error (error);
  g_assert_cmpuint (test_server_count (fixture->server, "insertRows"), ==, 3);
  g_assert_cmpuint (test_server_largest_insert (fixture->server), <, 5000);
  inserted = test_server_inserted (fixture->server);
  g_assert_true (g_str_has_suffix (inserted, "|5999.5,false,x3"));
}

/* Inserts the bulk and checks the rows that the server received. */
static void
check_inserted (ClientFixture *fixture, KvsqlBulk *bulk, const gchar *expected)
{
  g_autofree gchar *inserted = NULL;

  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, NULL), >, 0);
  inserted = test_server_inserted (fixture->server);
  g_assert_cmpstr (inserted, ==, expected);
}

static void
append_row (KvsqlBulk *bulk, gint64 a, const gchar *b)
{
  kvsql_bulk_append_int64 (bulk, 0, a);
  if (b != NULL)
    kvsql_bulk_append_string (bulk, 1, b);
  else
    kvsql_bulk_append_null (bulk, 1);
  kvsql_bulk_append_boolean (bulk, 2, TRUE);
}

/* The NULL marks exist from the first NULL on, and are dropped after the marked rows are sent. */
static void
test_bulk_nulls (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);

  append_row (bulk, 0, "");
  append_row (bulk, 1, NULL);
  append_row (bulk, 2, "x");
  check_inserted (fixture, bulk, "0,,true|1,NULL,true|2,x,true");
  append_row (bulk, 0, "y");
  append_row (bulk, 1, "");
  check_inserted (fixture, bulk, "0,y,true|1,,true");
  append_row (bulk, 0, "z");
  append_row (bulk, 1, "");
  append_row (bulk, 2, NULL);
  check_inserted (fixture, bulk, "0,z,true|1,,true|2,NULL,true");
}

/* The marks of rows that are not sent yet keep their positions. */
static void
test_bulk_nulls_in_pieces (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autofree gchar *inserted = NULL;

  for (gint64 i = 0; i < 10002; i++)
    {
      kvsql_bulk_append_int64 (bulk, 0, i);
      if (i == 5 || i == 10000)
        kvsql_bulk_append_null (bulk, 1);
      else
        kvsql_bulk_append_double (bulk, 1, 0.5);
      kvsql_bulk_append_null (bulk, 2);
    }
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, NULL), ==, 10002);
  inserted = test_server_inserted (fixture->server);
  g_assert_cmpstr (inserted, ==, "10000,NULL,NULL|10001,0.5,NULL"); /* the second request */
}

static void
test_bulk_refused (ClientFixture *fixture, gconstpointer data)
{
  static const gchar *const columns[] = { "a", NULL };
  g_autoptr (KvsqlBulk) mixed = kvsql_bulk_new (fixture->connection, "r", columns);
  g_autoptr (KvsqlBulk) uneven = bulk_new (fixture);
  g_autoptr (KvsqlBulk) unknown = kvsql_bulk_new (fixture->connection, "missing", columns);
  g_autoptr (GError) error = NULL;

  kvsql_bulk_append_int64 (mixed, 0, 1);
  kvsql_bulk_append_string (mixed, 0, "one");
  g_assert_cmpint (kvsql_bulk_insert (mixed, NULL, &error), ==, -1);
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_INVALID);
  g_clear_error (&error);
  kvsql_bulk_clear (mixed);
  g_assert_cmpint (kvsql_bulk_insert (mixed, NULL, &error), ==, 0);
  kvsql_bulk_append_int64 (uneven, 1, 1);
  g_assert_cmpint (kvsql_bulk_insert (uneven, NULL, &error), ==, -1);
  g_assert_cmpstr (error->message, ==, "column \"b\" has 1 rows, column \"a\" has 0");
  g_clear_error (&error);
  kvsql_bulk_append_int64 (unknown, 0, 1);
  g_assert_cmpint (kvsql_bulk_insert (unknown, NULL, &error), ==, -1);
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_NAME);
  g_assert_cmpuint (kvsql_bulk_get_n_rows (unknown), ==, 1);
}

static void
append_many (KvsqlBulk *bulk, gint64 from, gint64 to)
{
  for (gint64 i = from; i < to; i++)
    append_row (bulk, i, i % 2 == 0 ? "even" : NULL);
}

/* The rows of each send arrive once and in order; the last insert counts them all. */
static void
test_bulk_send (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *inserted = NULL;

  for (gint64 i = 0; i < 5; i++)
    {
      append_many (bulk, i * 2, i * 2 + 2);
      g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
      g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 2);
    }
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error)); /* no new rows: only waits */
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 0);
  inserted = test_server_inserted (fixture->server);
  g_assert_cmpstr (inserted, ==, "8,even,true|9,NULL,true");
  append_row (bulk, 10, "last");
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 11);
  g_assert_no_error (error);
  g_assert_cmpuint (test_server_count (fixture->server, "insertRows"), ==, 6);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 0);
}

/* Rows of a failed request are put back before the rows that were appended later, and are sent
 * again. */
static void
test_bulk_send_again (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *inserted = NULL;

  test_server_refuse_inserts (fixture->server, 1);
  append_row (bulk, 0, "x");
  append_row (bulk, 1, NULL);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  append_row (bulk, 2, "yz");
  append_row (bulk, 3, NULL);
  g_assert_false (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_LIMIT);
  g_clear_error (&error);
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 4);
  append_row (bulk, 4, "");
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 5);
  g_assert_no_error (error);
  inserted = test_server_inserted (fixture->server);
  g_assert_cmpstr (inserted, ==, "0,x,true|1,NULL,true|2,yz,true|3,NULL,true|4,,true");
}

/* When rows are put back, a column may have only NULLs so far, or values of another kind. */
static void
test_bulk_send_kinds (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *inserted = NULL;

  test_server_refuse_inserts (fixture->server, 2);
  for (guint i = 0; i < 3; i++)
    kvsql_bulk_append_null (bulk, i);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  append_row (bulk, 1, "b");
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, -1);
  g_clear_error (&error);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  kvsql_bulk_append_double (bulk, 0, 0.5); /* was BIGINT */
  kvsql_bulk_append_null (bulk, 1);
  kvsql_bulk_append_null (bulk, 2);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, -1);
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_LIMIT);
  g_clear_error (&error);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, -1);
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_INVALID);
  g_clear_error (&error);
  kvsql_bulk_clear (bulk);
  append_row (bulk, 7, "c");
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 1);
  inserted = test_server_inserted (fixture->server);
  g_assert_cmpstr (inserted, ==, "7,c,true");
}

/* A wait can be cancelled: the sent rows are still being written, and the new ones still in the
 * bulk. */
static void
test_bulk_send_cancelled (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancelled);
  test_server_hold_inserts (fixture->server);
  append_row (bulk, 1, "a");
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  append_row (bulk, 2, "b");
  g_assert_false (kvsql_bulk_send (bulk, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 2);
  test_server_release_inserts (fixture->server);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 2);
  g_assert_no_error (error);
}

/* A bulk may be freed before its requests are answered. */
static void
test_bulk_send_and_leave (ClientFixture *fixture, gconstpointer data)
{
  KvsqlBulk *bulk = bulk_new (fixture);

  test_server_hold_inserts (fixture->server);
  append_row (bulk, 1, "a");
  g_assert_true (kvsql_bulk_send (bulk, NULL, NULL));
  g_object_unref (bulk);
  test_server_release_inserts (fixture->server);
  while (test_server_count (fixture->server, "insertRows") == 0)
    g_usleep (1000);
}

/* The next call on the connection reads the answer; the bulk still gets it. */
static void
test_bulk_send_and_query (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) first = bulk_new (fixture), second = bulk_new (fixture);
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) error = NULL;

  append_many (first, 0, 3);
  g_assert_true (kvsql_bulk_send (first, NULL, &error));
  result = kvsql_connection_query (fixture->connection, "ROWS 5", NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (kvsql_connection_open (fixture->connection, NULL, &error));
  append_many (second, 0, 4);
  g_assert_true (kvsql_bulk_send (second, NULL, &error));
  append_many (first, 3, 5);
  g_assert_true (kvsql_bulk_send (first, NULL, &error));
  g_assert_true (kvsql_connection_open (fixture->connection, NULL, &error));
  g_assert_cmpint (kvsql_bulk_insert (second, NULL, &error), ==, 4);
  g_assert_cmpint (kvsql_bulk_insert (first, NULL, &error), ==, 5);
  g_assert_no_error (error);
  g_assert_cmpuint (test_server_count (fixture->server, "insertRows"), ==, 3);
  g_assert_cmpuint (test_server_count (fixture->server, "connect"), ==, 1);
}

/* The outcome is unknown: the rows are in the bulk again, and can be sent over another
 * connection. */
static void
test_bulk_send_lost (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;

  append_many (bulk, 0, 2);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  test_server_hold_inserts (fixture->server);
  append_many (bulk, 2, 4);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  test_server_drop_connections (fixture->server);
  append_many (bulk, 4, 6);
  g_assert_false (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME);
  g_assert_nonnull (kvsql_client_error_get_hint (error));
  g_clear_error (&error);
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 4);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  kvsql_connection_close (fixture->connection);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, -1);
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME);
  g_clear_error (&error);
  test_server_release_inserts (fixture->server);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 6);
  g_assert_no_error (error);
}

/* The timeout starts with the send; another call on the connection has its own timeout. */
static void
test_bulk_send_too_slow (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) error = NULL;

  test_server_hold_inserts (fixture->server);
  kvsql_connection_set_timeout (fixture->connection, 1000);
  append_many (bulk, 0, 2);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  kvsql_connection_set_timeout (fixture->connection, 1);
  result = kvsql_connection_query (fixture->connection, "ROWS 5", NULL, NULL, &error);
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_DEADLINE);
  g_assert_true (kvsql_connection_is_open (fixture->connection));
  g_clear_error (&error);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, -1);
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_DEADLINE);
  g_assert_false (kvsql_connection_is_open (fixture->connection));
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 2);
}

/* All requests but the last are acknowledged when it returns. */
static void
test_bulk_send_in_pieces (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;

  append_many (bulk, 0, 20005);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 5);
  test_server_refuse_inserts (fixture->server, 1);
  append_many (bulk, 20005, 30010);
  g_assert_false (kvsql_bulk_send (bulk, NULL, &error));
  g_clear_error (&error);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 30010);
  g_assert_no_error (error);
}

/* ---- requests sent before the answer to the one before */

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (50000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

/* Two sends of two rows each; the server holds the first. @timeout_ms: of the second. */
static void
send_two (ClientFixture *fixture, KvsqlBulk *bulk, guint timeout_ms)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread;

  test_server_hold_inserts (fixture->server);
  append_many (bulk, 0, 2);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  append_many (bulk, 2, 4);
  kvsql_connection_set_timeout (fixture->connection, timeout_ms);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_false (kvsql_bulk_send (bulk, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 4);
}

/* Rows that are being written are not sent again. */
static void
test_bulk_ahead (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;

  send_two (fixture, bulk, 10000);
  test_server_release_inserts (fixture->server);
  append_many (bulk, 4, 6);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 6);
  g_assert_no_error (error);
  g_assert_cmpuint (test_server_count (fixture->server, "insertRows"), ==, 3);
  g_assert_cmpuint (test_server_largest_insert (fixture->server), ==, 2);
}

/* After a failed request nothing is written, and all rows are put back in order. */
static void
test_bulk_ahead_of_failure (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree gchar *before = NULL, *inserted = NULL;

  test_server_refuse_inserts (fixture->server, 1);
  send_two (fixture, bulk, 10000);
  append_row (bulk, 4, "x");
  test_server_release_inserts (fixture->server);
  g_assert_false (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_LIMIT);
  g_clear_error (&error);
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 5);
  g_assert_true (kvsql_connection_open (fixture->connection, NULL, &error));
  before = test_server_inserted (fixture->server);
  g_assert_cmpstr (before, ==, "");
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 5);
  g_assert_no_error (error);
  inserted = test_server_inserted (fixture->server);
  g_assert_true (g_str_has_prefix (inserted, "0,"));
  g_assert_true (g_str_has_suffix (inserted, "|4,x,true"));
  g_assert_cmpuint (test_server_largest_insert (fixture->server), ==, 5);
}

/* If the channel is lost, both answers are lost. */
static void
test_bulk_ahead_lost (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;

  send_two (fixture, bulk, 10000);
  test_server_drop_connections (fixture->server);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, -1);
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME);
  g_clear_error (&error);
  g_assert_cmpuint (kvsql_bulk_get_n_rows (bulk), ==, 4);
  test_server_release_inserts (fixture->server);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 4);
  g_assert_no_error (error);
}

/* The second request waits in the server for the first one, and then has its full timeout. */
static void
test_bulk_ahead_has_time (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;

  send_two (fixture, bulk, 1);
  g_usleep (1200000); /* if its timeout started with the send, it would have failed a second ago */
  test_server_release_inserts (fixture->server);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 4);
  g_assert_no_error (error);
}

/* After another call has read the answer, the next request does not follow it. */
static void
test_bulk_not_ahead (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GError) error = NULL;

  test_server_refuse_inserts (fixture->server, 1);
  append_many (bulk, 0, 2);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_true (kvsql_connection_open (fixture->connection, NULL, &error));
  append_many (bulk, 2, 4);
  g_assert_false (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_LIMIT);
  g_clear_error (&error);
  g_assert_cmpuint (test_server_count (fixture->server, "insertRows"), ==, 1);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_true (kvsql_connection_open (fixture->connection, NULL, &error));
  append_many (bulk, 4, 6);
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 6);
  g_assert_cmpuint (test_server_count (fixture->server, "insertRows"), ==, 3);
}

/* Many rows are not sent ahead: they might not fit into the buffers, and then the send could not be
 * cancelled. */
static void
test_bulk_many_not_ahead (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = g_strnfill (1000000, 'x');
  GThread *thread;

  test_server_hold_inserts (fixture->server);
  append_row (bulk, 0, "a");
  g_assert_true (kvsql_bulk_send (bulk, NULL, &error));
  append_row (bulk, 1, text);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_false (kvsql_bulk_send (bulk, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_thread_join (thread);
  test_server_release_inserts (fixture->server);
  g_assert_cmpint (kvsql_bulk_insert (bulk, NULL, &error), ==, 2);
  g_assert_no_error (error);
  g_assert_cmpuint (test_server_count (fixture->server, "insertRows"), ==, 2);
}

G_GNUC_UNUSED static void
test_bulk_async (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlBulk) bulk = bulk_new (fixture);
  g_autoptr (GAsyncResult) inserted = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 3; i++)
    kvsql_bulk_append_int64 (bulk, i, i);
  kvsql_bulk_insert_async (bulk, NULL, client_fixture_keep_result, &inserted);
  client_fixture_run_until (&inserted);
  g_assert_cmpint (kvsql_bulk_insert_finish (bulk, inserted, &error), ==, 1);
  g_assert_no_error (error);
}

#define ADD(path, options, function)                                                               \
  g_test_add ("/client/" path, ClientFixture, options, client_fixture_set_up, function,            \
              client_fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* ThreadSanitizer does not see how GLib initializes these once for all threads. */
  kvsql_error_quark ();
  kvsql_client_error_quark ();
  ADD ("compact/bulk", "?protocol=compact&framed=false", test_bulk);
  ADD ("bulk/columns", NULL, test_bulk);
  ADD ("bulk/in-pieces", NULL, test_bulk_in_pieces);
  ADD ("bulk/nulls", NULL, test_bulk_nulls);
  ADD ("bulk/nulls-in-pieces", NULL, test_bulk_nulls_in_pieces);
  ADD ("bulk/refused", NULL, test_bulk_refused);
  ADD ("bulk/send", NULL, test_bulk_send);
  ADD ("bulk/send-again", NULL, test_bulk_send_again);
  ADD ("bulk/send-kinds", NULL, test_bulk_send_kinds);
  ADD ("bulk/send-cancelled", NULL, test_bulk_send_cancelled);
  ADD ("bulk/send-and-leave", NULL, test_bulk_send_and_leave);
  ADD ("bulk/send-and-query", NULL, test_bulk_send_and_query);
  ADD ("bulk/send-lost", NULL, test_bulk_send_lost);
  ADD ("bulk/send-too-slow", NULL, test_bulk_send_too_slow);
  ADD ("bulk/send-in-pieces", NULL, test_bulk_send_in_pieces);
  ADD ("bulk/ahead", NULL, test_bulk_ahead);
  ADD ("bulk/ahead-of-failure", NULL, test_bulk_ahead_of_failure);
  ADD ("bulk/ahead-lost", NULL, test_bulk_ahead_lost);
  ADD ("bulk/ahead-has-time", NULL, test_bulk_ahead_has_time);
  ADD ("bulk/not-ahead", NULL, test_bulk_not_ahead);
  ADD ("bulk/many-not-ahead", NULL, test_bulk_many_not_ahead);
/* How GTask passes its result between threads is hidden in GIO. */
#ifndef __SANITIZE_THREAD__
  ADD ("async/bulk", NULL, test_bulk_async);
#endif
  return g_test_run ();
}
