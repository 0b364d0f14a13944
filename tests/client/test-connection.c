/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-connection.c: libkvsql against a server that answers correctly or wrongly.
 */
#include "config.h"

#include "client/kvsql.h"
#include "core/base/error.h"
#include "tests/client/client-fixture.h"

#include <string.h>

/* ---- URIs */

static void
test_uri_accepted (void)
{
  static const gchar *const uris[]
      = { "kvsql://localhost",
          "kvsql://localhost:1234",
          "KVSQL://h/",
          "kvsql://a,b:2,c",
          "kvsql://[::1]:5797,127.0.0.1",
          "kvsql://h?protocol=compact",
          "kvsql+unix:///run/x",
          "unix:///run/x",
          "tcp://localhost:5797",
          "tcp://localhost:5797?auth=scram",
          "kvsql://user@h",
          "kvsql://user:a%3Ab%40@h:1,h:2",
          "kvsql://user:s3cret@ret@h:1",
          "kvsql://user:s3:/,cret@h",
          "kvsql://user:s3cret%3F%40%25%2F@h:1?framed=true",
          "kvsqls://h",
          "kvsqls://user:s3cret@h:1,g?ca=/a%20b&cert=c&key=k&verify=ca",
          "kvsqls://h?verify=none",
          "tcp://h:1?auth=cert&tls=required&client_cert=verify&ca=x",
          "kvsql+unix:///run/x?user=me",
          "kvsql+unix:/run/x",
          "kvsql+unix:",
          "kvsql+unix:///a%20b",
          "kvsql://h?protocol=binary&framed=false" };

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlConnection) connection = kvsql_connection_new (uris[i], &error);

      g_assert_no_error (error);
      g_assert_cmpstr (kvsql_connection_get_uri (connection), ==, uris[i]);
      g_assert_false (kvsql_connection_is_open (connection));
    }
}

static void
test_uri_refused (void)
{
  g_autofree gchar *long_path = g_strnfill (120, 'x');
  g_autofree gchar *long_uri = g_strconcat ("kvsql+unix:///", long_path, NULL);
  const gchar *const uris[] = { "",
                                "localhost:5797",
                                "http://localhost",
                                "kvsql://",
                                "kvsql:///path",
                                "kvsql://a,,b",
                                "kvsql://h:99999",
                                "kvsql://h:0",
                                "kvsql://@h",
                                "kvsql://u%zz@h",
                                "kvsql://u:p%zz@h",
                                "kvsql://user:s3cret@h:0",
                                "kvsql://user:s3cret@h?colour=red",
                                "kvsql://user:s3cret?x@h",
                                "kvsql://user:?s3cret@h:5797?framed=true",
                                "kvsql://user:s3cret@h?x@y",
                                "kvsql://user:s3cret%@h",
                                "kvsql://user:s3cret#@",
                                "kvsql://h?user=a@b",
                                "kvsql://h?ca=x",
                                "kvsql://h?verify=none",
                                "kvsqls://h?verify=no",
                                "kvsqls://h?ca=",
                                "kvsqls://h?key=x",
                                "kvsql+unix:///x?ca=y",
                                "kvsql+unix:///x?user=",
                                "kvsql://h?framed=maybe",
                                "kvsql://h?colour=red",
                                "kvsql+unix://relative",
                                "kvsql+unix:///a%00b",
                                long_uri };

  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", uris[i]);
      g_assert_null (kvsql_connection_new (uris[i], &error));
      g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_INVALID);
      g_assert_null (strstr (error->message, "s3cret"));
      g_assert_true (kvsql_client_error_get_hint (error) == NULL
                     || strstr (kvsql_client_error_get_hint (error), "s3cret") == NULL);
    }
}

/* ---- rows */

static void
test_pages (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gint64 n = 0;

  kvsql_connection_set_page_size (fixture->connection, 7, 0);
  result = client_fixture_query (fixture, "ROWS 100", NULL);
  g_assert_cmpuint (kvsql_result_get_n_columns (result), ==, 3);
  g_assert_cmpstr (kvsql_result_get_column_name (result, 1), ==, "name");
  g_assert_cmpint (kvsql_result_get_column_type (result, 0), ==, KVSQL_COLUMN_TYPE_BIGINT);
  g_assert_cmpstr (kvsql_result_get_column_relation (result, 0), ==, "r");
  g_assert_true (kvsql_result_get_column_nullable (result, 0));
  g_assert_cmpint (kvsql_result_find_column (result, "EVEN"), ==, 2);
  g_assert_cmpint (kvsql_result_find_column (result, "odd"), ==, -1);
  g_assert_cmpint (kvsql_result_get_affected (result), ==, -1);

  for (; kvsql_result_next (result, &error); n++)
    {
      g_autofree gchar *name = g_strdup_printf ("row %" G_GINT64_FORMAT, n);

      g_assert_cmpint (kvsql_result_get_int64 (result, 0), ==, n);
      g_assert_cmpint (kvsql_result_is_null (result, 1), ==, n % 3 == 2);
      g_assert_cmpstr (kvsql_result_get_string (result, 1), ==, n % 3 == 2 ? NULL : name);
      g_assert_cmpint (kvsql_result_get_boolean (result, 2), ==, n % 2 == 0);
    }
  g_assert_no_error (error);
  g_assert_cmpint (n, ==, 100);
  g_assert_false (kvsql_result_next (result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (test_server_count (fixture->server, "fetch"), ==, 14);
}

static void
test_vectors (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gint64 total = 0;
  guint pages = 0;

  kvsql_connection_set_page_size (fixture->connection, 40, 0);
  result = client_fixture_query (fixture, "ROWS 100", NULL);
  do
    {
      gsize n = 0, n_offsets = 0, n_nulls = 0;
      const guint32 *offsets;
      const gint64 *numbers = kvsql_result_get_int64_column (result, 0, &n);
      const gchar *names = kvsql_result_get_bytes_column (result, 1, &offsets, &n_offsets);
      const guint8 *nulls = kvsql_result_get_null_column (result, 1, &n_nulls);

      g_assert_cmpuint (n, ==, kvsql_result_get_n_page_rows (result));
      g_assert_cmpuint (n_offsets, ==, n + 1);
      g_assert_cmpuint (n_nulls, ==, (n + 7) / 8);
      g_assert_nonnull (nulls);
      g_assert_null (kvsql_result_get_double_column (result, 0, NULL));
      g_assert_true (g_str_has_prefix (names + offsets[0], "row ") || (nulls[0] & 1) != 0);
      for (gsize i = 0; i < n; i++)
        total += numbers[i];
      pages++;
    }
  while (kvsql_result_next_page (result, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (pages, ==, 3);
  g_assert_cmpint (total, ==, 4950);
}

static void
test_types (ClientFixture *fixture, gconstpointer data)
{
  static const gchar *const expected[] = { NULL,
                                           "h\xc3\xa9",
                                           "x'6100ff'",
                                           "true",
                                           "-1",
                                           "-1",
                                           "0.1",
                                           "0.1",
                                           "12.50",
                                           "2024-02-29",
                                           "1969-12-31T23:59:59.999Z",
                                           "h\xc3\xa9",
                                           "h\xc3\xa9",
                                           "12:34:56.7",
                                           "h\xc3\xa9" };
  g_autoptr (KvsqlResult) result = client_fixture_query (fixture, "TYPES", NULL);
  gsize size;

  g_assert_true (kvsql_result_next (result, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_cmpint (kvsql_result_get_column_type (result, i), ==,
                       i <= KVSQL_COLUMN_TYPE_LIST ? i : i - 13 + KVSQL_COLUMN_TYPE_TIME);
      g_assert_cmpstr (kvsql_result_get_text (result, i), ==, expected[i]);
    }
  g_assert_cmpmem (kvsql_result_get_bytes (result, 2, &size), size, "a\0\xff", 3);
  g_assert_cmpfloat (kvsql_result_get_double (result, 8), ==, 12.5);
  g_assert_cmpfloat (kvsql_result_get_double (result, 4), ==, -1.0);
  g_assert_cmpint (kvsql_result_get_int64 (result, 3), ==, 1);
  g_assert_cmpint (kvsql_result_get_int64 (result, 1), ==, 0);
  g_assert_null (kvsql_result_get_string (result, 2));
  g_assert_true (kvsql_result_next (result, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_true (kvsql_result_is_null (result, i));
      g_assert_null (kvsql_result_get_text (result, i));
    }
  g_assert_false (kvsql_result_next (result, NULL));
}

static void
test_empty (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlResult) result = client_fixture_query (fixture, "ROWS 0", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (kvsql_result_get_n_columns (result), ==, 3);
  g_assert_false (kvsql_result_next (result, &error));
  g_assert_no_error (error);
  g_assert_true (kvsql_result_is_last_page (result));
}

static void
test_write (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlResult) result = client_fixture_query (fixture, "WRITE", NULL);
  const gchar *const *warnings = kvsql_result_get_warnings (result);

  g_assert_cmpint (kvsql_result_get_affected (result), ==, 3);
  g_assert_cmpstr (warnings[0], ==, "first");
  g_assert_cmpstr (warnings[1], ==, "second");
  g_assert_null (warnings[2]);
  g_assert_cmpuint (kvsql_result_get_n_columns (result), ==, 0);
  g_assert_false (kvsql_result_next (result, NULL));
}

/* An unread cursor is closed in kvsqld when the connection is used again. */
static void
test_unread_cursor (ClientFixture *fixture, gconstpointer data)
{
  kvsql_connection_set_page_size (fixture->connection, 5, 0);
  g_object_unref (client_fixture_query (fixture, "ROWS 10", NULL));
  g_assert_cmpuint (test_server_count (fixture->server, "closeCursor"), ==, 0);
  g_object_unref (client_fixture_query (fixture, "ROWS 1", NULL));
  g_assert_cmpuint (test_server_count (fixture->server, "closeCursor"), ==, 1);
}

/* A page that is being fetched when the result is freed is dropped, and its cursor closed. */
static void
test_unread_prefetch (ClientFixture *fixture, gconstpointer data)
{
  KvsqlResult *result;

  kvsql_connection_set_page_size (fixture->connection, 5, 0);
  result = client_fixture_query (fixture, "ROWS 100", NULL);
  for (guint i = 0; i < 3; i++)
    g_assert_true (kvsql_result_next (result, NULL));
  g_object_unref (result);
  while (test_server_count (fixture->server, "closeCursor") == 0)
    g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
  g_assert_cmpuint (test_server_count (fixture->server, "closeCursor"), ==, 1);
  g_assert_cmpuint (test_server_count (fixture->server, "fetch"), ==, 1);
}

/* Another connection needs only the bytes of a cursor. */
static void
test_resume (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlConnection) other = client_fixture_connect (fixture->server, "");
  g_autoptr (KvsqlStatement) statement = NULL;
  g_autoptr (KvsqlResult) result = NULL, rest = NULL;
  g_autoptr (GBytes) cursor = NULL;
  g_autoptr (GBytes) nonsense = g_bytes_new_static ("x", 1);
  g_autoptr (GError) error = NULL;
  gint n = 40;

  kvsql_connection_set_page_size (fixture->connection, 40, 0);
  result = client_fixture_query (fixture, "ROWS 100", NULL);
  cursor = g_bytes_ref (kvsql_result_get_cursor (result));
  g_clear_object (&result);
  statement = kvsql_connection_prepare (other, "ROWS 100", NULL, &error);
  g_assert_no_error (error);
  rest = kvsql_statement_resume (statement, cursor, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kvsql_result_get_n_columns (rest), ==, 3);
  g_assert_cmpstr (kvsql_result_get_column_name (rest, 1), ==, "name");
  for (; kvsql_result_next (rest, &error); n++)
    g_assert_cmpint (kvsql_result_get_int64 (rest, 0), ==, n);
  g_assert_no_error (error);
  g_assert_cmpint (n, ==, 100);
  g_assert_null (kvsql_result_get_cursor (rest));
  g_assert_null (kvsql_statement_resume (statement, nonsense, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_BAD_CURSOR);
}

static void
test_partition (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlStatement) statement = NULL;
  g_autoptr (GPtrArray) cursors = NULL;
  g_autoptr (GError) error = NULL;
  const gdouble first_pages[] = { 7 / 33.0, 40 / 66.0, 73 / 100.0 };
  gint64 n = 0;

  kvsql_connection_set_page_size (fixture->connection, 7, 0);
  kvsql_connection_set_progress (fixture->connection, TRUE);
  statement = kvsql_connection_prepare (fixture->connection, "ROWS 100", NULL, &error);
  g_assert_no_error (error);
  cursors = kvsql_statement_partition (statement, NULL, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cursors->len, ==, 3);
  for (guint i = 0; i < cursors->len; i++)
    {
      g_autoptr (KvsqlResult) part
          = kvsql_statement_resume (statement, cursors->pdata[i], NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (kvsql_result_get_progress (part), ==, first_pages[i]);
      for (; kvsql_result_next (part, &error); n++)
        g_assert_cmpint (kvsql_result_get_int64 (part, 0), ==, n);
      g_assert_no_error (error);
      g_assert_cmpfloat (kvsql_result_get_progress (part), ==, 1);
    }
  g_assert_cmpint (n, ==, 100);
}

/* ---- parameters */

static void
add_one_of_each (KvsqlParams *params)
{
  kvsql_params_add_null (params, NULL);
  kvsql_params_add_boolean (params, NULL, TRUE);
  kvsql_params_add_int64 (params, NULL, G_MININT64);
  kvsql_params_add_double (params, NULL, 0.5);
  kvsql_params_add_string (params, NULL, "it's");
  kvsql_params_add_string (params, NULL, NULL);
  kvsql_params_add_bytes (params, NULL, "a\0b", 3);
  kvsql_params_add_bytes (params, NULL, NULL, 0);
}

static void
test_params_by_position (ClientFixture *fixture, gconstpointer data)
{
  static const gchar *const expected[]
      = { "null", "b:1", "i:-9223372036854775808", "d:0.5", "s:it's", "null", "x:3", "x:0" };
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autoptr (KvsqlResult) result = NULL;

  add_one_of_each (params);
  result = client_fixture_query (fixture, "ECHO", params);
  g_assert_true (kvsql_result_next (result, NULL));
  g_assert_cmpuint (kvsql_result_get_n_columns (result), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (kvsql_result_get_string (result, i), ==, expected[i]);
}

static void
test_params_by_name (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autoptr (KvsqlResult) result = NULL;

  kvsql_params_add_int64 (params, "b", 1);
  kvsql_params_add_int64 (params, "A", 7);
  kvsql_params_add_string (params, "B", "two");
  result = client_fixture_query (fixture, "ECHO :a :b", params);
  g_assert_true (kvsql_result_next (result, NULL));
  g_assert_cmpstr (kvsql_result_get_string (result, 0), ==, "i:7");
  g_assert_cmpstr (kvsql_result_get_string (result, 1), ==, "s:two");
}

static void
test_params_missing (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autoptr (GError) missing = NULL;
  g_autoptr (GError) unknown = NULL;

  kvsql_params_add_int64 (params, "a", 1);
  g_assert_null (
      kvsql_connection_query (fixture->connection, "ECHO :a :b", params, NULL, &missing));
  g_assert_error (missing, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_INVALID);
  g_assert_cmpstr (missing->message, ==, "no value was given for parameter \":b\"");
  kvsql_params_add_int64 (params, "c", 1);
  g_assert_null (kvsql_connection_query (fixture->connection, "ECHO :a", params, NULL, &unknown));
  g_assert_error (unknown, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_INVALID);
  g_assert_cmpstr (unknown->message, ==, "the statement has no parameter \":c\"");
}

static void
test_params_from_text (void)
{
  static const struct
  {
    KvsqlColumnType type;
    const gchar *text;
    gboolean ok;
  } cases[] = { { KVSQL_COLUMN_TYPE_INT, "-12", TRUE },
                { KVSQL_COLUMN_TYPE_INT, "1.5", FALSE },
                { KVSQL_COLUMN_TYPE_BIGINT, "", FALSE },
                { KVSQL_COLUMN_TYPE_BIGINT, "9223372036854775808", FALSE },
                { KVSQL_COLUMN_TYPE_DOUBLE, "1e300", TRUE },
                { KVSQL_COLUMN_TYPE_DOUBLE, "NaN", TRUE },
                { KVSQL_COLUMN_TYPE_DOUBLE, "0x10", FALSE },
                { KVSQL_COLUMN_TYPE_FLOAT, "1,5", FALSE },
                { KVSQL_COLUMN_TYPE_BOOLEAN, "TRUE", TRUE },
                { KVSQL_COLUMN_TYPE_BOOLEAN, "2", FALSE },
                { KVSQL_COLUMN_TYPE_BYTES, "x'00fF'", TRUE },
                { KVSQL_COLUMN_TYPE_BYTES, "x'0'", FALSE },
                { KVSQL_COLUMN_TYPE_BYTES, "x'zz'", FALSE },
                { KVSQL_COLUMN_TYPE_BYTES, "plain", TRUE },
                { KVSQL_COLUMN_TYPE_STRING, "", TRUE },
                { KVSQL_COLUMN_TYPE_STRING, "\xff", FALSE },
                { KVSQL_COLUMN_TYPE_DATE, "2024-02-29", TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlParams) params = kvsql_params_new ();
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (kvsql_params_add_text (params, NULL, cases[i].type, cases[i].text, &error),
                       ==, cases[i].ok);
      g_assert_cmpuint (kvsql_params_get_n_values (params), ==, cases[i].ok ? 1 : 0);
      if (!cases[i].ok)
        g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_VALUE);
    }
}

/* ---- prepared statements */

static void
test_prepared (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autoptr (KvsqlStatement) statement
      = kvsql_connection_prepare (fixture->connection, "ECHO :a ?", NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (kvsql_statement_get_n_parameters (statement), ==, 2);
  g_assert_cmpstr (kvsql_statement_get_parameter_name (statement, 0), ==, "a");
  g_assert_null (kvsql_statement_get_parameter_name (statement, 1));
  g_assert_cmpint (kvsql_statement_get_parameter_type (statement, 1), ==, KVSQL_COLUMN_TYPE_INT);
  g_assert_cmpstr (kvsql_statement_get_sql (statement), ==, "ECHO :a ?");
  kvsql_params_add_int64 (params, "a", 1);
  kvsql_params_add_int64 (params, NULL, 2);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (KvsqlResult) result = kvsql_statement_execute (statement, params, NULL, &error);

      g_assert_no_error (error);
      g_assert_true (kvsql_result_next (result, NULL));
      g_assert_cmpstr (kvsql_result_get_string (result, 1), ==, "i:2");
    }
  g_assert_cmpuint (test_server_count (fixture->server, "prepare"), ==, 1);
  g_clear_object (&statement);
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
  g_assert_cmpuint (test_server_count (fixture->server, "closeStatement"), ==, 1);
}

/* Frees a result that was not read to its end, and a statement. */
static void
leave_unread (KvsqlConnection *connection)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlStatement) statement = NULL;
  g_autoptr (KvsqlResult) result = NULL;

  kvsql_connection_set_page_size (connection, 5, 0);
  statement = kvsql_connection_prepare (connection, "ROWS 10", NULL, &error);
  g_assert_no_error (error);
  result = kvsql_statement_execute (statement, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* What the next call would close is closed by kvsql_connection_close() if there is no next call. */
static void
test_close_gives_up (ClientFixture *fixture, gconstpointer data)
{
  g_autofree gchar *uri = test_server_uri (fixture->server, "");
  g_autoptr (GError) error = NULL;
  KvsqlConnection *other = kvsql_connection_new (uri, &error);

  g_assert_no_error (error);
  leave_unread (fixture->connection);
  g_assert_cmpuint (test_server_count (fixture->server, "closeStatement"), ==, 0);
  kvsql_connection_close (fixture->connection);
  g_assert_cmpuint (test_server_count (fixture->server, "closeStatement"), ==, 1);
  g_assert_cmpuint (test_server_count (fixture->server, "closeCursor"), ==, 1);

  leave_unread (other);
  g_object_unref (other);
  g_assert_cmpuint (test_server_count (fixture->server, "closeStatement"), ==, 2);
  g_assert_cmpuint (test_server_count (fixture->server, "closeCursor"), ==, 2);
}

/* Another channel has its own statement ids: there, 1 is another client's statement. */
static void
test_prepared_after_reconnect (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlStatement) rows
      = kvsql_connection_prepare (fixture->connection, "ROWS 2", NULL, &error);
  g_autoptr (KvsqlStatement) other = NULL;
  g_autoptr (KvsqlResult) result = NULL;

  g_assert_no_error (error);
  kvsql_connection_close (fixture->connection);
  other = kvsql_connection_prepare (fixture->connection, "TYPES", NULL, &error);
  g_assert_no_error (error);
  result = kvsql_statement_execute (rows, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kvsql_result_get_n_columns (result), ==, 3);
  g_assert_cmpuint (test_server_count (fixture->server, "prepare"), ==, 3);
}

static void
assert_column (KvsqlStatement *statement, const gchar *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResult) result = kvsql_statement_execute (statement, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (kvsql_result_get_n_columns (result), ==, 1);
  g_assert_cmpstr (kvsql_result_get_column_name (result, 0), ==, name);
  g_assert_true (kvsql_result_next (result, NULL));
  g_assert_cmpstr (kvsql_result_get_string (result, 0), ==, "value");
}

/* The columns from prepare need not be sent with each answer. */
static void
test_known_columns (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlStatement) rows
      = kvsql_connection_prepare (fixture->connection, "ROWS 2", NULL, &error);
  g_autoptr (KvsqlStatement) changing = NULL;
  g_autoptr (KvsqlResult) result = NULL;

  g_assert_no_error (error);
  result = kvsql_statement_execute (rows, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (kvsql_result_get_column_name (result, 2), ==, "even");
  g_assert_cmpuint (test_server_count (fixture->server, "known columns"), ==, 1);

  changing = kvsql_connection_prepare (fixture->connection, "PREPARED", NULL, &error);
  g_assert_no_error (error);
  assert_column (changing, "prepared2");
  kvsql_connection_close (fixture->connection);
  assert_column (changing, "prepared3");
  assert_column (changing, "prepared3");
}

/* ---- errors */

static void
test_error_facts (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) copy = NULL;

  g_assert_null (kvsql_connection_query (fixture->connection, "FAIL", NULL, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_NAME);
  copy = g_error_copy (error);
  g_prefix_error (&copy, "while testing: ");
  g_assert_cmpstr (copy->message, ==, "while testing: attribute \"agee\" does not exist");
  g_assert_cmpint (kvsql_client_error_get_position (copy), ==, 7);
  g_assert_cmpint (kvsql_client_error_get_length (copy), ==, 4);
  g_assert_cmpstr (kvsql_client_error_get_hint (copy), ==, "Did you mean \"age\"?");
  g_assert_cmpstr (kvsql_client_error_get_detail (copy), ==, "Relation \"user\" has 3 attributes.");
  g_assert_cmpstr (kvsql_client_error_get_sqlstate (copy), ==, "42703");
  g_assert_false (kvsql_client_error_is_retryable (copy));
  /* The channel is usable afterwards. */
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
  g_assert_cmpuint (test_server_count (fixture->server, "connect"), ==, 1);
}

/* The codes of kvsql.thrift; those of a later kvsqld are INTERNAL. */
static void
test_error_codes (ClientFixture *fixture, gconstpointer data)
{
  for (guint code = KVSQL_CLIENT_ERROR_INTERNAL; code < 40; code++)
    {
      g_autofree gchar *sql = g_strdup_printf ("CODE %u", code);

      client_fixture_fail (fixture, sql,
                           code <= KVSQL_CLIENT_ERROR_AUTHENTICATION ? (KvsqlClientError)code
                                                                     : KVSQL_CLIENT_ERROR_INTERNAL);
    }
}

static void
test_error_of_others (void)
{
  g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "x");

  g_assert_cmpint (kvsql_client_error_get_position (error), ==, -1);
  g_assert_null (kvsql_client_error_get_hint (error));
  g_assert_null (kvsql_client_error_get_sqlstate (error));
  g_assert_false (kvsql_client_error_is_retryable (error));
}

static void
test_bad_pages (ClientFixture *fixture, gconstpointer data)
{
  static const gchar *const pages[]
      = { "BAD length", "BAD bitmap", "BAD kind", "BAD utf8", "BAD columns", "BAD empty" };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    client_fixture_fail (fixture, pages[i], KVSQL_CLIENT_ERROR_PROTOCOL);
  g_object_unref (client_fixture_query (fixture, "WRITE", NULL));
}

/* ---- asynchronous forms */

G_GNUC_UNUSED static void
test_async (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) opened = NULL;
  g_autoptr (GAsyncResult) queried = NULL;
  g_autoptr (GAsyncResult) paged = NULL;
  g_autoptr (GAsyncResult) ended = NULL;
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) error = NULL;

  kvsql_connection_open_async (fixture->connection, NULL, client_fixture_keep_result, &opened);
  client_fixture_run_until (&opened);
  g_assert_true (kvsql_connection_open_finish (fixture->connection, opened, &error));
  kvsql_connection_set_page_size (fixture->connection, 5, 0);
  kvsql_connection_query_async (fixture->connection, "ROWS 10", NULL, NULL,
                                client_fixture_keep_result, &queried);
  client_fixture_run_until (&queried);
  result = kvsql_connection_query_finish (fixture->connection, queried, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kvsql_result_get_n_page_rows (result), ==, 5);
  kvsql_result_next_page_async (result, NULL, client_fixture_keep_result, &paged);
  client_fixture_run_until (&paged);
  g_assert_true (kvsql_result_next_page_finish (result, paged, &error));
  kvsql_result_next_page_async (result, NULL, client_fixture_keep_result, &ended);
  client_fixture_run_until (&ended);
  g_assert_false (kvsql_result_next_page_finish (result, ended, &error));
  g_assert_no_error (error);
}

G_GNUC_UNUSED static void
test_async_prepared (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) prepared = NULL;
  g_autoptr (GAsyncResult) executed = NULL;
  g_autoptr (GAsyncResult) failed = NULL;
  g_autoptr (KvsqlStatement) statement = NULL;
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) error = NULL;

  kvsql_connection_prepare_async (fixture->connection, "ROWS 3", NULL, client_fixture_keep_result,
                                  &prepared);
  client_fixture_run_until (&prepared);
  statement = kvsql_connection_prepare_finish (fixture->connection, prepared, &error);
  g_assert_no_error (error);
  kvsql_statement_execute_async (statement, NULL, NULL, client_fixture_keep_result, &executed);
  client_fixture_run_until (&executed);
  result = kvsql_statement_execute_finish (statement, executed, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kvsql_result_get_n_page_rows (result), ==, 3);
  kvsql_connection_prepare_async (fixture->connection, "FAIL", NULL, client_fixture_keep_result,
                                  &failed);
  client_fixture_run_until (&failed);
  g_assert_null (kvsql_connection_prepare_finish (fixture->connection, failed, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_NAME);
}

/* The next call is a programming error: it logs a critical message with this condition, where "*"
 * is any text. */
static void
expect_critical (const gchar *condition)
{
  g_autofree gchar *pattern = g_strdup_printf ("*assertion '%s' failed*", condition);

  g_test_expect_message ("kvsql", G_LOG_LEVEL_CRITICAL, pattern);
}

/* Another function's result has another type, which the finish function must not return. */
G_GNUC_UNUSED static void
test_wrong_finish (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) prepared = NULL;
  g_autoptr (KvsqlStatement) statement = NULL;
  g_autoptr (GError) error = NULL;

  kvsql_connection_prepare_async (fixture->connection, "ROWS 1", NULL, client_fixture_keep_result,
                                  &prepared);
  client_fixture_run_until (&prepared);
  expect_critical ("g_async_result_is_tagged (result, kvsql_connection_query_async)");
  g_assert_null (kvsql_connection_query_finish (fixture->connection, prepared, &error));
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  statement = kvsql_connection_prepare_finish (fixture->connection, prepared, &error);
  g_assert_no_error (error);
}

/* ---- the rest */

/* A wrong argument is a critical message, and a value that means "nothing". */
static void
test_wrong_arguments (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "an older error");
  g_autoptr (KvsqlResult) result = NULL;

  expect_critical ("KVSQL_IS_CONNECTION (self)");
  g_assert_null (kvsql_connection_query (NULL, "ROWS 1", NULL, NULL, NULL));
  expect_critical ("sql != NULL");
  g_assert_null (kvsql_connection_query (fixture->connection, NULL, NULL, NULL, NULL));
  expect_critical ("error == NULL || *error == NULL");
  g_assert_null (kvsql_connection_query (fixture->connection, "ROWS 1", NULL, NULL, &error));
  expect_critical ("(flags & ~(KVSQL_EXPLAIN_JSON | KVSQL_EXPLAIN_ANALYZE)) == 0");
  g_assert_null (kvsql_connection_explain (fixture->connection, "ROWS 1", NULL,
                                           (KvsqlExplainFlags)(1 << 7), NULL, NULL));
  expect_critical ("text != NULL");
  g_assert_false (kvsql_params_add_text (params, NULL, KVSQL_COLUMN_TYPE_STRING, NULL, NULL));
  g_assert_cmpuint (kvsql_params_get_n_values (params), ==, 0);

  result = client_fixture_query (fixture, "ROWS 1", NULL);
  expect_critical ("column < self->info->len");
  g_assert_null (kvsql_result_get_column_name (result, kvsql_result_get_n_columns (result)));
  g_test_assert_expected_messages ();
}

static void
test_explain (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = kvsql_connection_explain (fixture->connection, "X", NULL,
                                                     KVSQL_EXPLAIN_ANALYZE, NULL, &error);
  g_autofree gchar *json
      = kvsql_connection_explain (fixture->connection, "X", NULL, KVSQL_EXPLAIN_JSON, NULL, &error);
  g_autofree gchar *read_only = NULL, *verified = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "plan of X, analyze 1");
  g_assert_cmpstr (json, ==, "{}");
  kvsql_connection_set_read_only (fixture->connection, TRUE);
  read_only = kvsql_connection_explain (fixture->connection, "X", NULL, KVSQL_EXPLAIN_ANALYZE, NULL,
                                        &error);
  g_assert_no_error (error);
  g_assert_cmpstr (read_only, ==, "plan of X, analyze 1, read-only");
  kvsql_connection_set_read_only (fixture->connection, FALSE);
  kvsql_connection_set_verified_reads (fixture->connection, TRUE);
  verified = kvsql_connection_explain (fixture->connection, "X", NULL, KVSQL_EXPLAIN_ANALYZE, NULL,
                                       &error);
  g_assert_no_error (error);
  g_assert_cmpstr (verified, ==, "plan of X, analyze 1, verified");
}

static void
test_server_info (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlServerInfo) info
      = kvsql_connection_get_server_info (fixture->connection, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (kvsql_server_info_get_api_version (info), ==, 1);
  g_assert_cmpstr (kvsql_server_info_get_version (info), ==, "0.0-test");
  g_assert_cmpstr (kvsql_server_info_get_store (info), ==, "memory:");
  g_assert_cmpstr (kvsql_server_info_get_registry (info), ==, "local:///nowhere");
  g_assert_cmpint (kvsql_server_info_get_epoch (info), ==, 7);
  g_assert_true (kvsql_server_info_get_definitions_writable (info));
  g_assert_null (kvsql_server_info_get_message (info));
}

#define ADD(path, options, function)                                                               \
  g_test_add ("/client/" path, ClientFixture, options, client_fixture_set_up, function,            \
              client_fixture_tear_down)

/* Tests that read pages run in each of the four formats. */
static void
add_formats (void)
{
  ADD ("binary-framed/pages", "?protocol=binary&framed=true", test_pages);
  ADD ("binary-framed/types", "?protocol=binary&framed=true", test_types);
  ADD ("binary/pages", "?protocol=binary&framed=false", test_pages);
  ADD ("binary/types", "?protocol=binary&framed=false", test_types);
  ADD ("compact-framed/pages", "?protocol=compact&framed=true", test_pages);
  ADD ("compact-framed/types", "?protocol=compact&framed=true", test_types);
  ADD ("compact/pages", "?protocol=compact&framed=false", test_pages);
  ADD ("compact/types", "?protocol=compact&framed=false", test_types);
  ADD ("compact/params", "?protocol=compact", test_params_by_position);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* ThreadSanitizer does not see how GLib initializes these once for all threads. */
  kvsql_error_quark ();
  kvsql_client_error_quark ();
  g_test_add_func ("/client/uri/accepted", test_uri_accepted);
  g_test_add_func ("/client/uri/refused", test_uri_refused);
  add_formats ();
  ADD ("rows/vectors", NULL, test_vectors);
  ADD ("rows/none", NULL, test_empty);
  ADD ("rows/affected-and-warnings", NULL, test_write);
  ADD ("rows/unread-cursor-is-closed", NULL, test_unread_cursor);
  ADD ("rows/unread-page-ahead-is-closed", NULL, test_unread_prefetch);
  ADD ("rows/resumed-elsewhere", NULL, test_resume);
  ADD ("rows/in-parts", NULL, test_partition);
  ADD ("rows/bad-pages-are-refused", NULL, test_bad_pages);
  ADD ("params/by-position", NULL, test_params_by_position);
  ADD ("params/by-name", NULL, test_params_by_name);
  ADD ("params/missing-or-unknown", NULL, test_params_missing);
  g_test_add_func ("/client/params/from-text", test_params_from_text);
  ADD ("prepared/executes-many-times", NULL, test_prepared);
  ADD ("prepared/survives-reconnect", NULL, test_prepared_after_reconnect);
  ADD ("prepared/closed-with-the-connection", NULL, test_close_gives_up);
  ADD ("prepared/known-columns", NULL, test_known_columns);
  ADD ("error/facts-survive-copying", NULL, test_error_facts);
  ADD ("error/codes", NULL, test_error_codes);
  g_test_add_func ("/client/error/of-other-domains", test_error_of_others);
  ADD ("error/wrong-arguments", NULL, test_wrong_arguments);
  ADD ("explain", NULL, test_explain);
  ADD ("server-info", NULL, test_server_info);
/* How GTask passes its result between threads is hidden in GIO. */
#ifndef __SANITIZE_THREAD__
  ADD ("async/query-and-pages", NULL, test_async);
  ADD ("async/prepare-and-execute", NULL, test_async_prepared);
  ADD ("async/wrong-finish", NULL, test_wrong_finish);
#endif
  return g_test_run ();
}
