/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * client-fixture.c: see client-fixture.h.
 */
#include "config.h"

#include "tests/client/client-fixture.h"

KvsqlConnection *
client_fixture_connect (TestServer *server, const gchar *options)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *uri = test_server_uri (server, options);
  KvsqlConnection *connection = kvsql_connection_new (uri, &error);

  g_assert_no_error (error);
  return connection;
}

void
client_fixture_set_up (ClientFixture *fixture, gconstpointer data)
{
  fixture->server = test_server_new ();
  fixture->connection = client_fixture_connect (fixture->server, data != NULL ? data : "");
}

void
client_fixture_tear_down (ClientFixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->connection);
  test_server_free (fixture->server);
}

void
client_fixture_keep_result (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

void
client_fixture_run_until (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

KvsqlResult *
client_fixture_query (ClientFixture *fixture, const gchar *sql, KvsqlParams *params)
{
  g_autoptr (GError) error = NULL;
  KvsqlResult *result = kvsql_connection_query (fixture->connection, sql, params, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
  return result;
}

void
client_fixture_fail (ClientFixture *fixture, const gchar *sql, KvsqlClientError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (kvsql_connection_query (fixture->connection, sql, NULL, NULL, &error));
  g_assert_error (error, KVSQL_CLIENT_ERROR, (gint)code);
}
