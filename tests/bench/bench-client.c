/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-client.c: what a program that uses libkvsql waits for, command by command.
 *
 *   bench-client URI ROWS
 */
#include "config.h"

#include <kvsql.h>

#include "tests/bench/events.h"

#define BATCH_ROWS 1000

typedef struct
{
  KvsqlConnection *connection;
  guint64 n_rows;
  KvsqlStatement *statement; /* the last one prepared, and its text */
  gchar *statement_text;
  volatile guint64 sink; /* so that nothing read is left unread */
} Client;

static gint64
fail (const GError *error)
{
  fprintf (stderr, "bench-client: %s\n", error->message);
  return -1;
}

/* ---- reading */

/* Looks at every value of a page, as a program would that sums it up. */
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

/* Prepared once, however often it runs. */
static gint64
execute (Client *self, const gchar *sql, KvsqlParams *params)
{
  GError *error = NULL;
  KvsqlResult *result;

  if (g_strcmp0 (self->statement_text, sql) != 0)
    {
      g_clear_object (&self->statement);
      g_free (self->statement_text);
      self->statement_text = g_strdup (sql);
      self->statement = kvsql_connection_prepare (self->connection, sql, NULL, &error);
      if (self->statement == NULL)
        return consume (self, NULL, error);
    }
  result = kvsql_statement_execute (self->statement, params, NULL, &error);
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

/* Somewhere in the table; not in order, and the same for every program. */
static void
make_some_event (const Client *self, guint64 number, Event *out)
{
  event_make (number * 7919 % self->n_rows, out);
}

static void
day_text (gint32 day, gchar *out, gsize size)
{
  GDate date;

  g_date_clear (&date, 1);
  g_date_set_julian (&date, (guint32)day + 719163); /* 1970-01-01 */
  g_date_strftime (out, size, "%Y-%m-%d", &date);
}

static gint64
run_query (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autofree gchar *sql = NULL;
  gchar day[16];
  Event event;

  make_some_event (self, number, &event);
  day_text (event.day, day, sizeof day);
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

  make_some_event (self, number, &event);
  day_text (event.day, day, sizeof day);
  kvsql_params_add_string (params, NULL, event.cust);
  kvsql_params_add_string (params, NULL, day);
  kvsql_params_add_int64 (params, NULL, event.id);
  return execute (self, sql, params);
}

static gint64
run_range (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autoptr (KvsqlParams) params = kvsql_params_new ();
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM %s WHERE cust = ?", table);
  Event event;

  make_some_event (self, number * EVENTS_PER_CUSTOMER, &event);
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

/* ---- writing */

static gint64
run_bulk (gpointer context, const gchar *table, guint64 number)
{
  static const gchar *const columns[] = { "cust", "day", "id", "price", "qty", "note", NULL };
  Client *self = context;
  g_autoptr (KvsqlBulk) bulk = kvsql_bulk_new (self->connection, table, columns);
  g_autoptr (GError) error = NULL;
  gint64 written;

  for (guint i = 0; i < BATCH_ROWS; i++)
    {
      Event event;
      event_make (number * BATCH_ROWS + i, &event);
      kvsql_bulk_append_string (bulk, 0, event.cust);
      kvsql_bulk_append_int64 (bulk, 1, event.day);
      kvsql_bulk_append_int64 (bulk, 2, event.id);
      kvsql_bulk_append_double (bulk, 3, event.price);
      kvsql_bulk_append_int64 (bulk, 4, event.qty);
      kvsql_bulk_append_string (bulk, 5, event.note);
    }
  written = kvsql_bulk_insert (bulk, NULL, &error);
  return written >= 0 ? written : fail (error);
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
  day_text (event.day, day, sizeof day);
  kvsql_params_add_string (params, NULL, event.cust);
  kvsql_params_add_string (params, NULL, day);
  kvsql_params_add_int64 (params, NULL, event.id);
  kvsql_params_add_double (params, NULL, event.price);
  kvsql_params_add_int64 (params, NULL, event.qty);
  kvsql_params_add_string (params, NULL, event.note);
  return execute (self, sql, params) < 0 ? -1 : 1;
}

int
main (int argc, char **argv)
{
  static const BenchCommand commands[] = {
    { "hello", run_hello }, { "query", run_query },   { "execute", run_execute },
    { "range", run_range }, { "scan", run_scan },     { "filter", run_filter },
    { "bulk", run_bulk },   { "insert", run_insert },
  };
  g_autoptr (GError) error = NULL;
  Client self = { 0 };
  int status;

  if (argc != 3)
    {
      fprintf (stderr, "usage: bench-client URI ROWS\n");
      return 2;
    }
  self.n_rows = g_ascii_strtoull (argv[2], NULL, 10);
  self.connection = kvsql_connection_new (argv[1], &error);
  if (self.connection == NULL || !kvsql_connection_open (self.connection, NULL, &error))
    return fail (error) < 0;
  status = bench_serve (commands, G_N_ELEMENTS (commands), &self);
  g_clear_object (&self.statement);
  g_free (self.statement_text);
  g_object_unref (self.connection);
  return status;
}
