/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * example.c: a program that uses kvsql. Build and run it so:
 *
 *   cc -o example example.c $(pkg-config --cflags --libs kvsql)
 *   ./example kvsql+unix:///run/kvsql/kvsqld.sock
 */
#include <kvsql.h>
#include <stdio.h>

/* Runs a statement whose rows are of no interest. */
static gboolean
run (KvsqlConnection *connection, const gchar *sql, GError **error)
{
  g_autoptr (KvsqlResult) result = kvsql_connection_query (connection, sql, NULL, NULL, error);

  return result != NULL;
}

/* A relation, and a schema that says how its tuples lie in the store. */
static gboolean
define (KvsqlConnection *connection, GError **error)
{
  return run (connection,
              "DEFINE RELATION IF NOT EXISTS visit { site STRING KEY, day DATE KEY, hits BIGINT }",
              error)
         && run (connection,
                 "DEFINE PRIMARY SCHEMA IF NOT EXISTS visit_by_site FOR visit {"
                 " TABLE 'visit', ROW suffix('/'){site}:text{day},"
                 " FAMILY 'f', QUALIFIER 'hits', VALUE hits }",
                 error);
}

/* A prepared statement, run with other values each time. */
static gboolean
insert (KvsqlConnection *connection, GError **error)
{
  static const gchar *const days[] = { "2024-02-28", "2024-02-29", "2024-03-01" };
  g_autoptr (KvsqlStatement) statement = kvsql_connection_prepare (
      connection, "INSERT INTO visit (site, day, hits) VALUES (:site, :day, :hits)", NULL, error);

  for (guint i = 0; statement != NULL && i < G_N_ELEMENTS (days); i++)
    {
      g_autoptr (KvsqlParams) params = kvsql_params_new ();
      g_autoptr (KvsqlResult) result = NULL;

      kvsql_params_add_string (params, "site", "example.org");
      kvsql_params_add_string (params, "day", days[i]);
      kvsql_params_add_int64 (params, "hits", 100 * (i + 1));
      result = kvsql_statement_execute (statement, params, NULL, error);
      if (result == NULL)
        return FALSE;
    }
  return statement != NULL;
}

/* Many tuples at once, column by column. */
static gboolean
insert_many (KvsqlConnection *connection, GError **error)
{
  static const gchar *const columns[] = { "site", "day", "hits", NULL };
  g_autoptr (KvsqlBulk) bulk = kvsql_bulk_new (connection, "visit", columns);

  for (gint64 i = 0; i < 1000; i++)
    {
      kvsql_bulk_append_string (bulk, 0, "example.com");
      kvsql_bulk_append_int64 (bulk, 1, 19000 + i); /* days since 1970-01-01 */
      kvsql_bulk_append_int64 (bulk, 2, i);
    }
  return kvsql_bulk_insert (bulk, NULL, error) >= 0;
}

/* Rows one by one; pages of them are fetched when they are needed. */
static gboolean
print (KvsqlConnection *connection, GError **error)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) cause = NULL;

  kvsql_params_add_string (params, NULL, "example.org");
  result = kvsql_connection_query (connection, "SELECT day, hits FROM visit WHERE site = ?", params,
                                   NULL, error);
  if (result == NULL)
    return FALSE;
  while (kvsql_result_next (result, &cause))
    printf ("%s %" G_GINT64_FORMAT "\n", kvsql_result_get_text (result, 0),
            kvsql_result_get_int64 (result, 1));
  if (cause == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (argc > 1 ? argv[1] : NULL, &error);

  if (connection != NULL && define (connection, &error) && insert (connection, &error)
      && insert_many (connection, &error) && print (connection, &error))
    return 0;

  fprintf (stderr, "%s\n", error->message);
  if (kvsql_client_error_get_hint (error) != NULL)
    fprintf (stderr, "%s\n", kvsql_client_error_get_hint (error));
  return 1;
}
