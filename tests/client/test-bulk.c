/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-bulk.c: rows that are inserted by column, in as many messages as it takes.
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

/* What was appended last arrives so. */
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

/* NULLs are noted from the first one on, and no longer once those that were noted are sent. */
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

/* Those of pieces that are still to be sent stay where they are. */
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
  g_assert_cmpstr (inserted, ==, "10000,NULL,NULL|10001,0.5,NULL"); /* the second piece */
}

static void
test_bulk_refused (ClientFixture *fixture, gconstpointer data)
{
  static const gchar *const columns[] = { "a", NULL };
  g_autoptr (KvsqlBulk) mixed = kvsql_bulk_new (fixture->connection, "r", columns);
  g_autoptr (KvsqlBulk) uneven = bulk_new (fixture);
  g_autoptr (KvsqlBulk) unknown = kvsql_bulk_new (fixture->connection, "nobody", columns);
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
  /* ThreadSanitizer can't see how GLib makes these once for all threads. */
  kvsql_error_quark ();
  kvsql_client_error_quark ();
  ADD ("compact/bulk", "?protocol=compact&framed=false", test_bulk);
  ADD ("bulk/columns", NULL, test_bulk);
  ADD ("bulk/in-pieces", NULL, test_bulk_in_pieces);
  ADD ("bulk/nulls", NULL, test_bulk_nulls);
  ADD ("bulk/nulls-in-pieces", NULL, test_bulk_nulls_in_pieces);
  ADD ("bulk/refused", NULL, test_bulk_refused);
/* How GTask hands its result from thread to thread is hidden in GIO. */
#ifndef __SANITIZE_THREAD__
  ADD ("async/bulk", NULL, test_bulk_async);
#endif
  return g_test_run ();
}
