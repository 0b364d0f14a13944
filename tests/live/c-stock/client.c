/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * client.c: a C program that uses only the output of `thrift --gen c_glib kvsql.thrift` and the
 * stock transports and protocols of Thrift c_glib, to show that clients of kvsqld do not need
 * libkvsql.
 *
 * client HOST PORT framed|unframed binary|compact: prints TAP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thrift/c_glib/protocol/thrift_binary_protocol.h>
#include <thrift/c_glib/protocol/thrift_compact_protocol.h>
#include <thrift/c_glib/transport/thrift_buffered_transport.h>
#include <thrift/c_glib/transport/thrift_framed_transport.h>
#include <thrift/c_glib/transport/thrift_socket.h>

#include "kvsql_rpc_kvsql_types.h"
#include "kvsql_rpc_sql.h"

#define N_ROWS 25

typedef struct
{
  ThriftSocket *socket;
  ThriftTransport *transport;
  ThriftProtocol *protocol;
  KvsqlRpcSqlIf *sql;
  gchar *relation;
} Client;

static guint n_tests, n_failures;

static void
report (gboolean is_good, const gchar *path, const gchar *detail)
{
  n_tests++;
  if (!is_good)
    {
      n_failures++;
      printf ("# %s\n", detail != NULL ? detail : "(no detail)");
    }
  printf ("%sok %u %s\n", is_good ? "" : "not ", n_tests, path);
  fflush (stdout);
}

static gboolean
client_open (Client *self, const gchar *host, guint port, gboolean is_framed, gboolean is_compact,
             GError **error)
{
  self->socket = g_object_new (THRIFT_TYPE_SOCKET, "hostname", host, "port", port, NULL);
  self->transport
      = g_object_new (is_framed ? THRIFT_TYPE_FRAMED_TRANSPORT : THRIFT_TYPE_BUFFERED_TRANSPORT,
                      "transport", self->socket, NULL);
  self->protocol
      = g_object_new (is_compact ? THRIFT_TYPE_COMPACT_PROTOCOL : THRIFT_TYPE_BINARY_PROTOCOL,
                      "transport", self->transport, NULL);
  self->sql = g_object_new (KVSQL_RPC_TYPE_SQL_CLIENT, "input_protocol", self->protocol,
                            "output_protocol", self->protocol, NULL);
  return thrift_transport_open (self->transport, error);
}

static void
client_close (Client *self)
{
  thrift_transport_close (self->transport, NULL);
  g_object_unref (self->sql);
  g_object_unref (self->protocol);
  g_object_unref (self->transport);
  g_object_unref (self->socket);
  g_free (self->relation);
}

static GPtrArray *
no_parameters (void)
{
  return g_ptr_array_new_with_free_func (g_object_unref);
}

static void
add_text (GPtrArray *parameters, const gchar *text)
{
  g_ptr_array_add (parameters, g_object_new (KVSQL_RPC_TYPE_VALUE, "s", text, NULL));
}

static void
add_number (GPtrArray *parameters, gint64 number)
{
  g_ptr_array_add (parameters, g_object_new (KVSQL_RPC_TYPE_VALUE, "i", number, NULL));
}

/* Takes ownership of @sql and @parameters. On failure NULL, with the message in @out_problem, and a
 * SqlError of the daemon in @out_error if that is not NULL. */
static KvsqlRpcPage *
query (Client *self, gchar *sql, GPtrArray *parameters, gint max_rows, KvsqlRpcSqlError **out_error,
       gchar **out_problem)
{
  KvsqlRpcQueryOptions *options = g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, NULL);
  KvsqlRpcPage *page = g_object_new (KVSQL_RPC_TYPE_PAGE, NULL);
  KvsqlRpcSqlError *failure = NULL;
  GError *error = NULL;

  if (max_rows > 0)
    g_object_set (options, "maxRows", max_rows, NULL);
  if (!kvsql_rpc_sql_if_query (self->sql, &page, sql, parameters, options, &failure, &error)
      || failure != NULL)
    {
      *out_problem = g_strdup_printf ("%s: %s", sql,
                                      failure != NULL ? failure->message
                                      : error != NULL ? error->message
                                                      : "failed without an error");
      g_clear_object (&page);
    }
  if (out_error != NULL)
    *out_error = g_steal_pointer (&failure);
  g_clear_object (&failure);
  g_clear_error (&error);
  g_object_unref (options);
  g_ptr_array_unref (parameters);
  g_free (sql);
  return page;
}

static void
test_hello (Client *self)
{
  KvsqlRpcServerInfo *info = g_object_new (KVSQL_RPC_TYPE_SERVER_INFO, NULL);
  KvsqlRpcSqlError *failure = NULL;
  GError *error = NULL;
  const gboolean is_good = kvsql_rpc_sql_if_hello (self->sql, &info, 1, "c-stock", &failure, &error)
                           && failure == NULL && info->apiVersion == 1 && info->version != NULL;

  report (is_good, "/c-stock/hello", error != NULL ? error->message : NULL);
  g_clear_error (&error);
  g_clear_object (&failure);
  g_object_unref (info);
}

static void
test_define (Client *self)
{
  gchar *problem = NULL;
  KvsqlRpcPage *relation = query (
      self, g_strdup_printf ("DEFINE RELATION %s { k STRING KEY, n BIGINT }", self->relation),
      no_parameters (), 0, NULL, &problem);
  KvsqlRpcPage *schema = NULL;

  if (relation != NULL)
    schema = query (self,
                    g_strdup_printf ("DEFINE PRIMARY SCHEMA %s_p FOR %s { TABLE '%s', ROW k,"
                                     " FAMILY 'f', QUALIFIER 'n', VALUE n }",
                                     self->relation, self->relation, self->relation),
                    no_parameters (), 0, NULL, &problem);
  report (schema != NULL, "/c-stock/define", problem);
  g_clear_object (&relation);
  g_clear_object (&schema);
  g_free (problem);
}

static void
test_insert (Client *self)
{
  gchar *problem = NULL;
  gint64 n_affected = 0;

  for (guint i = 0; i < N_ROWS && problem == NULL; i++)
    {
      GPtrArray *parameters = no_parameters ();
      g_autofree gchar *key = g_strdup_printf ("k%02u", i);
      KvsqlRpcPage *page;

      add_text (parameters, key);
      add_number (parameters, (gint64)i * G_GINT64_CONSTANT (10000000000));
      page = query (self, g_strdup_printf ("INSERT INTO %s (k, n) VALUES (?, ?)", self->relation),
                    parameters, 0, NULL, &problem);
      n_affected += page != NULL ? page->affected : 0;
      g_clear_object (&page);
    }
  report (n_affected == N_ROWS, "/c-stock/insert", problem);
  g_free (problem);
}

static void
test_select (Client *self)
{
  gchar *problem = NULL;
  GPtrArray *parameters = no_parameters ();
  KvsqlRpcPage *page;
  gboolean is_good = FALSE;

  add_text (parameters, "k07");
  page = query (self, g_strdup_printf ("SELECT k, n FROM %s WHERE k = ?", self->relation),
                parameters, 0, NULL, &problem);
  if (page != NULL && page->nrows == 1 && page->columns->len == 2)
    {
      const KvsqlRpcColumn *keys = g_ptr_array_index (page->columns, 0);
      const KvsqlRpcColumn *numbers = g_ptr_array_index (page->columns, 1);

      is_good = keys->s != NULL && keys->s->len == 1 && numbers->i != NULL && numbers->i->len == 1
                && strcmp (g_ptr_array_index (keys->s, 0), "k07") == 0
                && g_array_index (numbers->i, gint64, 0) == G_GINT64_CONSTANT (70000000000);
    }
  report (is_good, "/c-stock/select", problem);
  g_clear_object (&page);
  g_free (problem);
}

static void
test_pages (Client *self)
{
  gchar *problem = NULL;
  gint n_rows = 0, n_pages = 0;
  KvsqlRpcPage *page = query (self, g_strdup_printf ("SELECT k FROM %s", self->relation),
                              no_parameters (), 10, NULL, &problem);

  while (page != NULL && n_pages < 10)
    {
      KvsqlRpcQueryOptions *options
          = g_object_new (KVSQL_RPC_TYPE_QUERY_OPTIONS, "maxRows", 10, NULL);
      KvsqlRpcPage *next = g_object_new (KVSQL_RPC_TYPE_PAGE, NULL);
      KvsqlRpcSqlError *failure = NULL;

      n_rows += page->nrows;
      n_pages++;
      if (!page->__isset_cursor
          || !kvsql_rpc_sql_if_fetch (self->sql, &next, page->cursor, options, &failure, NULL)
          || failure != NULL)
        g_clear_object (&next);
      g_clear_object (&failure);
      g_object_unref (options);
      g_object_unref (page);
      page = next;
    }
  report (n_rows == N_ROWS && n_pages >= 3, "/c-stock/pages", problem);
  g_clear_object (&page);
  g_free (problem);
}

static void
test_error (Client *self)
{
  gchar *problem = NULL;
  KvsqlRpcSqlError *failure = NULL;
  KvsqlRpcPage *page = query (self, g_strdup_printf ("SELECT nn FROM %s", self->relation),
                              no_parameters (), 0, &failure, &problem);
  const gboolean is_good = page == NULL && failure != NULL
                           && failure->code == KVSQL_RPC_ERROR_CODE_UNKNOWN_NAME
                           && failure->__isset_position && failure->position == 7;

  report (is_good, "/c-stock/error", problem);
  g_clear_object (&failure);
  g_clear_object (&page);
  g_free (problem);
  test_hello (self); /* the connection is still usable */
}

int
main (int argc, char **argv)
{
  Client client = { NULL };
  GError *error = NULL;

  if (argc != 5)
    {
      fprintf (stderr, "usage: client HOST PORT framed|unframed binary|compact\n");
      return 2;
    }
  client.relation = g_strdup_printf ("c_stock_%s_%s", argv[3], argv[4]);
  if (!client_open (&client, argv[1], (guint)atoi (argv[2]), strcmp (argv[3], "framed") == 0,
                    strcmp (argv[4], "compact") == 0, &error))
    {
      printf ("Bail out! %s\n", error->message);
      return 1;
    }
  test_hello (&client);
  test_define (&client);
  test_insert (&client);
  test_select (&client);
  test_pages (&client);
  test_error (&client);
  printf ("1..%u\n", n_tests);
  client_close (&client);
  return n_failures > 0;
}
