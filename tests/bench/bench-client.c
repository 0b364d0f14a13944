/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-client.c: measures the calls of a program that uses libkvsql, command by command.
 *
 *   bench-client URI ROWS
 */
#include "config.h"

#include <kvsql.h>
#include <stdio.h>

#include "tests/bench/events.h"

#include "tests/bench/program.h"

typedef struct
{
  const gchar *uri;
  guint64 n_rows;
  GPtrArray *held; /* idle connections */
} Server;

typedef struct
{
  KvsqlConnection *connection;
  guint64 n_rows;
  Server *server;
  GHashTable *statements; /* text -> its prepared statement */
  GHashTable *bulks;      /* table -> its KvsqlBulk */
  volatile guint64 sink;  /* depends on all values, so that the compiler keeps their reads */
} Client;

static gint64
fail (const GError *error)
{
  return bench_fail (error->message);
}

/* ---- reading */

/* Reads every value of a page, as a program that sums them. */
static void
consume_page (Client *self, KvsqlResult *result)
{
  guint64 sum = 0;
  gdouble real = 0;

  for (guint c = 0; c < kvsql_result_get_n_columns (result); c++)
    {
      gsize n;
      switch (kvsql_result_get_column_type (result, c))
        {
        case KVSQL_COLUMN_TYPE_STRING:
          {
            const guint32 *offsets;
            const gchar *bytes = kvsql_result_get_bytes_column (result, c, &offsets, &n);
            for (gsize i = 0; i + 1 < n; i++)
              sum += offsets[i + 1] + (guchar)bytes[offsets[i]];
            break;
          }
        case KVSQL_COLUMN_TYPE_DOUBLE:
          {
            const gdouble *values = kvsql_result_get_double_column (result, c, &n);
            for (gsize i = 0; i < n; i++)
              real += values[i];
            break;
          }
        default:
          {
            const gint64 *values = kvsql_result_get_int64_column (result, c, &n);
            for (gsize i = 0; i < n; i++)
              sum += (guint64)values[i];
            break;
          }
        }
    }
  self->sink += sum + (guint64)real;
}

static gint64
consume (Client *self, KvsqlResult *taken, GError *error)
{
  g_autoptr (KvsqlResult) result = taken;
  g_autoptr (GError) cause = error;
  gint64 rows = 0;

  if (result == NULL)
    return fail (cause);
  do
    {
      rows += kvsql_result_get_n_page_rows (result);
      consume_page (self, result);
      if (kvsql_result_is_last_page (result))
        return rows;
    }
  while (kvsql_result_next_page (result, NULL, &cause));
  return cause == NULL ? rows : fail (cause);
}

static gint64
query (Client *self, const gchar *sql, KvsqlParams *params)
{
  GError *error = NULL;
  KvsqlResult *result = kvsql_connection_query (self->connection, sql, params, NULL, &error);

  return consume (self, result, error);
}

/* Prepares a statement once for all its runs. */
static KvsqlStatement *
prepare (Client *self, const gchar *sql, GError **error)
{
  KvsqlStatement *statement = g_hash_table_lookup (self->statements, sql);

  if (statement == NULL)
    {
      statement = kvsql_connection_prepare (self->connection, sql, NULL, error);
      if (statement != NULL)
        g_hash_table_insert (self->statements, g_strdup (sql), statement);
    }
  return statement;
}

static gint64
execute (Client *self, const gchar *sql, KvsqlParams *params)
{
  GError *error = NULL;
  KvsqlStatement *statement = prepare (self, sql, &error);
  KvsqlResult *result
      = statement == NULL ? NULL : kvsql_statement_execute (statement, params, NULL, &error);

  return consume (self, result, error);
}

static gint64
run_hello (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autoptr (GError) error = NULL;
  KvsqlServerInfo *info = kvsql_connection_get_server_info (self->connection, NULL, &error);

  if (info == NULL)
    return fail (error);
  kvsql_server_info_unref (info);
  return 1;
}

static gint64
run_query (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autofree gchar *sql = NULL;
  gchar day[16];
  Event event;

  event_make (event_some (number, self->n_rows), &event);
  event_day_text (event.day, day, sizeof day);
  sql = g_strdup_printf (
      "SELECT * FROM %s WHERE cust = '%s' AND day = '%s' AND id = %" G_GINT64_FORMAT, table,
      event.cust, day, event.id);
  return query (self, sql, NULL);
}

static gint64
run_execute (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autofree gchar *sql
      = g_strdup_printf ("SELECT * FROM %s WHERE cust = ? AND day = ? AND id = ?", table);
  gchar day[16];
  Event event;

  event_make (event_some (number, self->n_rows), &event);
  event_day_text (event.day, day, sizeof day);
  kvsql_params_add_string (params, NULL, event.cust);
  kvsql_params_add_string (params, NULL, day);
  kvsql_params_add_int64 (params, NULL, event.id);
  return execute (self, sql, params);
}

/* All tuples of a customer's day, by their whole keys. */
static gint64
run_in (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autoptr (GString) sql = g_string_new ("SELECT * FROM ");
  guint64 first = event_some_group (number, self->n_rows);
  gchar day[16];
  Event event;

  event_make (first, &event);
  event_day_text (event.day, day, sizeof day);
  kvsql_params_add_string (params, NULL, event.cust);
  kvsql_params_add_string (params, NULL, day);
  g_string_append_printf (sql, "%s WHERE cust = ? AND day = ? AND id IN (", table);
  for (guint i = 0; i < EVENTS_IN; i++)
    {
      g_string_append (sql, i > 0 ? ", ?" : "?");
      kvsql_params_add_int64 (params, NULL, (gint64)(first + i));
    }
  g_string_append_c (sql, ')');
  return execute (self, sql->str, params);
}

static gint64
run_range (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM %s WHERE cust = ?", table);
  Event event;

  event_make (event_some (number * EVENTS_PER_CUSTOMER, self->n_rows), &event);
  kvsql_params_add_string (params, NULL, event.cust);
  return execute (self, sql, params);
}

static gint64
run_scan (gpointer context, const gchar *table, guint64 number)
{
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM %s", table);

  return query (context, sql, NULL);
}

static gint64
run_filter (gpointer context, const gchar *table, guint64 number)
{
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM %s WHERE qty = %d", table, EVENTS_QTY);

  return query (context, sql, NULL);
}

/* One of the hundred days; a day is not a prefix of the key. */
static gint64
run_day (gpointer context, const gchar *table, guint64 number)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM %s WHERE day = ?", table);
  gchar day[16];

  event_day_text (EVENTS_FIRST_DAY + (gint32)(number % EVENTS_DAYS), day, sizeof day);
  kvsql_params_add_string (params, NULL, day);
  return execute (context, sql, params);
}

static gint64
run_group (gpointer context, const gchar *table, guint64 number)
{
  g_autofree gchar *sql
      = g_strdup_printf ("SELECT day, count(*), sum(qty) FROM %s GROUP BY day", table);

  return query (context, sql, NULL);
}

static gint64
run_count (gpointer context, const gchar *table, guint64 number)
{
  g_autofree gchar *sql = g_strdup_printf ("SELECT count(*) FROM %s", table);

  return query (context, sql, NULL);
}

/* ---- writing */

static KvsqlBulk *
bulk_for (Client *self, const gchar *table)
{
  static const gchar *const columns[] = { "cust", "day", "id", "price", "qty", "note", NULL };
  KvsqlBulk *bulk = g_hash_table_lookup (self->bulks, table);

  if (bulk == NULL)
    {
      bulk = kvsql_bulk_new (self->connection, table, columns);
      g_hash_table_insert (self->bulks, g_strdup (table), bulk);
    }
  return bulk;
}

/* The client makes the next batch while kvsqld writes this one. */
static gint64
run_bulk (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  KvsqlBulk *bulk = bulk_for (self, table);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < EVENTS_BATCH; i++)
    {
      Event event;
      event_make (number * EVENTS_BATCH + i, &event);
      kvsql_bulk_append_string (bulk, 0, event.cust);
      kvsql_bulk_append_int64 (bulk, 1, event.day);
      kvsql_bulk_append_int64 (bulk, 2, event.id);
      kvsql_bulk_append_double (bulk, 3, event.price);
      kvsql_bulk_append_int64 (bulk, 4, event.qty);
      kvsql_bulk_append_string (bulk, 5, event.note);
    }
  return kvsql_bulk_send (bulk, NULL, &error) ? 0 : fail (error);
}

static gint64
finish_bulks (gpointer context)
{
  Client *self = context;
  GHashTableIter iter;
  gpointer bulk;
  gint64 rows = 0;

  g_hash_table_iter_init (&iter, self->bulks);
  while (g_hash_table_iter_next (&iter, NULL, &bulk))
    {
      g_autoptr (GError) error = NULL;
      gint64 written = kvsql_bulk_insert (bulk, NULL, &error);

      if (written < 0)
        return fail (error);
      rows += written;
    }
  return rows;
}

static gint64
run_insert (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autofree gchar *sql = g_strdup_printf ("INSERT INTO %s VALUES (?, ?, ?, ?, ?, ?)", table);
  gchar day[16];
  Event event;

  event_make (number, &event);
  event_day_text (event.day, day, sizeof day);
  kvsql_params_add_string (params, NULL, event.cust);
  kvsql_params_add_string (params, NULL, day);
  kvsql_params_add_int64 (params, NULL, event.id);
  kvsql_params_add_double (params, NULL, event.price);
  kvsql_params_add_int64 (params, NULL, event.qty);
  kvsql_params_add_string (params, NULL, event.note);
  return execute (self, sql, params) < 0 ? -1 : 1;
}

/* ---- connections */

static void
disconnect_client (gpointer context)
{
  Client *self = context;

  g_hash_table_unref (self->statements);
  g_hash_table_unref (self->bulks);
  g_object_unref (self->connection);
  g_free (self);
}

static gpointer
connect_client (gpointer data)
{
  Server *server = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlConnection) connection = kvsql_connection_new (server->uri, &error);
  Client *self;

  if (connection == NULL || !kvsql_connection_open (connection, NULL, &error))
    {
      fail (error);
      return NULL;
    }
  self = g_new0 (Client, 1);
  self->connection = g_steal_pointer (&connection);
  self->n_rows = server->n_rows;
  self->server = server;
  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->bulks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  return self;
}

/* Opens idle connections, in addition to the busy ones. */
static gint64
run_hold (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context, *held = connect_client (self->server);

  if (held == NULL)
    return -1;
  g_ptr_array_add (self->server->held, held);
  return 1;
}

int
main (int argc, char **argv)
{
  static const BenchCommand commands[] = {
    { "hello", run_hello },   { "query", run_query }, { "execute", run_execute },
    { "in", run_in },         { "range", run_range }, { "scan", run_scan },
    { "filter", run_filter }, { "day", run_day },     { "group", run_group },
    { "count", run_count },   { "bulk", run_bulk },   { "insert", run_insert },
    { "hold", run_hold },
  };
  Server server = { argv[1], argc == 3 ? g_ascii_strtoull (argv[2], NULL, 10) : 0 };
  const BenchProgram program = {
    .commands = commands,
    .n_commands = G_N_ELEMENTS (commands),
    .connect = connect_client,
    .finish = finish_bulks,
    .disconnect = disconnect_client,
    .data = &server,
  };
  int status;

  g_set_prgname ("bench-client");
  if (server.n_rows == 0)
    {
      fprintf (stderr, "usage: bench-client URI ROWS\n");
      return 2;
    }
  server.held = g_ptr_array_new_with_free_func (disconnect_client);
  status = bench_serve (&program);
  g_ptr_array_unref (server.held);
  return status;
}
