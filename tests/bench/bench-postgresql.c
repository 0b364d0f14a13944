/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-postgresql.c: the same workloads with PostgreSQL, as in an optimized program: statements
 * prepared once, binary values in both directions, long results row by row.
 *
 *   bench-postgresql CONNINFO ROWS
 *   bench-postgresql --create CONNINFO
 *
 * Bulk inserts are one statement with the values of 1,000 rows (bulk), and COPY of as many (copy);
 * each is a transaction.
 */
#include "config.h"

#include <libpq-fe.h>
#include <stdio.h>

#include "tests/bench/events.h"
#include "tests/bench/program.h"

#define N_COLUMNS 6
#define DAYS_BEFORE_2000 10957 /* PostgreSQL's dates are relative to 2000-01-01 */

typedef struct
{
  const gchar *conninfo;
  guint64 n_rows;
} Server;

/* Values of a statement, in binary. */
typedef struct
{
  guint8 bytes[EVENTS_BATCH * N_COLUMNS * 16];
  const char *values[EVENTS_BATCH * N_COLUMNS];
  int lengths[EVENTS_BATCH * N_COLUMNS], formats[EVENTS_BATCH * N_COLUMNS];
  gsize size;
  int n;
} Values;

typedef struct
{
  PGconn *connection;
  guint64 n_rows;
  GHashTable *statements;        /* text -> name of the prepared statement */
  Values values;                 /* of the next statement */
  gchar *bulk_table, *bulk_text; /* the last one, which is cached */
  guint64 sink;
} Client;

static gint64
fail (Client *self)
{
  return bench_fail (PQerrorMessage (self->connection));
}

/* ---- values */

static Values *
clear_values (Client *self)
{
  self->values.n = 0;
  self->values.size = 0;
  return &self->values;
}

static void
add_value (Values *self, const guint8 *value, gsize size)
{
  memcpy (self->bytes + self->size, value, size);
  self->values[self->n] = (const char *)self->bytes + self->size;
  self->lengths[self->n] = (int)size;
  self->formats[self->n++] = 1;
  self->size += size;
}

static void
add_number (Values *self, guint64 number, gsize size)
{
  guint8 bytes[8];

  add_value (self, bytes, event_put_big_endian (bytes, number, size));
}

static void
add_text (Values *self, const gchar *text)
{
  add_value (self, (const guint8 *)text, strlen (text));
}

static void
add_day (Values *self, gint32 day)
{
  add_number (self, (guint64)(day - DAYS_BEFORE_2000), 4);
}

static void
add_event (Values *self, const Event *event)
{
  guint64 bits;

  memcpy (&bits, &event->price, 8);
  add_text (self, event->cust);
  add_day (self, event->day);
  add_number (self, (guint64)event->id, 8);
  add_number (self, bits, 8);
  add_number (self, (guint64)event->qty, 4);
  add_text (self, event->note);
}

/* ---- statements */

static const gchar *
prepare (Client *self, const gchar *sql)
{
  const gchar *name = g_hash_table_lookup (self->statements, sql);
  PGresult *result;

  if (name != NULL)
    return name;
  name = g_strdup_printf ("s%u", g_hash_table_size (self->statements));
  g_hash_table_insert (self->statements, g_strdup (sql), (gchar *)name);
  result = PQprepare (self->connection, name, sql, 0, NULL);
  if (PQresultStatus (result) != PGRES_COMMAND_OK)
    name = NULL;
  PQclear (result);
  return name;
}

/* Reads every value, as a program that sums them. */
static void
consume (Client *self, const PGresult *result)
{
  int n_rows = PQntuples (result), n_columns = PQnfields (result);

  for (int row = 0; row < n_rows; row++)
    for (int column = 0; column < n_columns; column++)
      if (!PQgetisnull (result, row, column))
        self->sink += (guint64)PQgetlength (result, row, column)
                      + (guchar)*PQgetvalue (result, row, column);
}

static gint64
execute (Client *self, const gchar *sql, const Values *values)
{
  const gchar *name = prepare (self, sql);
  PGresult *result;
  ExecStatusType status;
  gint64 rows;

  if (name == NULL)
    return fail (self);
  result = PQexecPrepared (self->connection, name, values->n, values->values, values->lengths,
                           values->formats, 1);
  status = PQresultStatus (result);
  rows = status == PGRES_COMMAND_OK ? g_ascii_strtoll (PQcmdTuples (result), NULL, 10)
                                    : PQntuples (result);
  consume (self, result);
  PQclear (result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? rows : fail (self);
}

/* Row by row: the client never holds the whole result. */
static gint64
stream (Client *self, const gchar *sql)
{
  const gchar *name = prepare (self, sql);
  gint64 rows = 0;
  gboolean is_fine = TRUE;
  PGresult *result;

  if (name == NULL || !PQsendQueryPrepared (self->connection, name, 0, NULL, NULL, NULL, 1)
      || !PQsetSingleRowMode (self->connection))
    return fail (self);
  while ((result = PQgetResult (self->connection)) != NULL)
    {
      ExecStatusType status = PQresultStatus (result);

      is_fine = is_fine && (status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK);
      rows += PQntuples (result);
      consume (self, result);
      PQclear (result);
    }
  return is_fine ? rows : fail (self);
}

/* ---- reading */

static gint64
run_execute (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autofree gchar *sql = g_strdup_printf (
      "SELECT * FROM %s WHERE cust = $1::text AND day = $2::date AND id = $3::bigint", table);
  Values *values = clear_values (self);
  Event event;

  event_make (event_some (number, self->n_rows), &event);
  add_text (values, event.cust);
  add_day (values, event.day);
  add_number (values, (guint64)event.id, 8);
  return execute (self, sql, values);
}

static gint64
run_in (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autoptr (GString) sql = g_string_new ("SELECT * FROM ");
  Values *values = clear_values (self);
  guint64 first = event_some_group (number, self->n_rows);
  Event event;

  event_make (first, &event);
  add_text (values, event.cust);
  add_day (values, event.day);
  g_string_append_printf (sql, "%s WHERE cust = $1::text AND day = $2::date AND id IN (", table);
  for (guint i = 0; i < EVENTS_IN; i++)
    {
      g_string_append_printf (sql, "%s$%u::bigint", i > 0 ? ", " : "", i + 3);
      add_number (values, first + i, 8);
    }
  g_string_append_c (sql, ')');
  return execute (self, sql->str, values);
}

static gint64
run_range (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM %s WHERE cust = $1::text", table);
  Values *values = clear_values (self);
  Event event;

  event_make (event_some (number * EVENTS_PER_CUSTOMER, self->n_rows), &event);
  add_text (values, event.cust);
  return execute (self, sql, values);
}

static gint64
run_scan (gpointer context, const gchar *table, guint64 number)
{
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM %s", table);

  return stream (context, sql);
}

static gint64
run_group (gpointer context, const gchar *table, guint64 number)
{
  g_autofree gchar *sql
      = g_strdup_printf ("SELECT day, count(*), sum(qty) FROM %s GROUP BY day", table);

  return stream (context, sql);
}

static gint64
run_filter (gpointer context, const gchar *table, guint64 number)
{
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM %s WHERE qty = %d", table, EVENTS_QTY);

  return stream (context, sql);
}

/* ---- writing */

static gint64
run_insert (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autofree gchar *sql = g_strdup_printf (
      "INSERT INTO %s VALUES ($1::text, $2::date, $3::bigint, $4::float8, $5::int, $6::text)",
      table);
  Values *values = clear_values (self);
  Event event;

  event_make (number, &event);
  add_event (values, &event);
  return execute (self, sql, values);
}

static const gchar *
bulk_text (Client *self, const gchar *table)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO ");

  if (g_strcmp0 (self->bulk_table, table) == 0)
    return self->bulk_text;
  g_string_append_printf (sql, "%s VALUES ", table);
  for (guint i = 0; i < EVENTS_BATCH; i++)
    {
      guint n = i * N_COLUMNS;

      g_string_append_printf (
          sql, "%s($%u::text, $%u::date, $%u::bigint, $%u::float8, $%u::int, $%u::text)",
          i > 0 ? ", " : "", n + 1, n + 2, n + 3, n + 4, n + 5, n + 6);
    }
  g_free (self->bulk_table);
  g_free (self->bulk_text);
  self->bulk_table = g_strdup (table);
  self->bulk_text = g_strdup (sql->str);
  return self->bulk_text;
}

static gint64
run_bulk (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  Values *values = clear_values (self);
  Event event;

  for (guint i = 0; i < EVENTS_BATCH; i++)
    {
      event_make (number * EVENTS_BATCH + i, &event);
      add_event (values, &event);
    }
  return execute (self, bulk_text (self, table), values);
}

/* COPY's binary format: the number of fields, then each field after its length. */
static void
add_copied (GByteArray *bytes, Values *values, const Event *event)
{
  guint8 number[8];

  add_event (values, event);
  g_byte_array_append (bytes, number, (guint)event_put_big_endian (number, N_COLUMNS, 2));
  for (int i = 0; i < values->n; i++)
    {
      g_byte_array_append (bytes, number,
                           (guint)event_put_big_endian (number, (guint64)values->lengths[i], 4));
      g_byte_array_append (bytes, (const guint8 *)values->values[i], (guint)values->lengths[i]);
    }
}

static gboolean
expect (Client *self, PGresult *result, ExecStatusType wanted)
{
  gboolean is_fine = PQresultStatus (result) == wanted;

  PQclear (result);
  return is_fine || fail (self) >= 0;
}

static gint64
run_copy (gpointer context, const gchar *table, guint64 number)
{
  static const guint8 head[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0", end[] = { 0xff, 0xff };
  Client *self = context;
  g_autofree gchar *sql = g_strdup_printf ("COPY %s FROM STDIN (FORMAT binary)", table);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Event event;

  g_byte_array_append (bytes, head, 19);
  for (guint i = 0; i < EVENTS_BATCH; i++)
    {
      event_make (number * EVENTS_BATCH + i, &event);
      add_copied (bytes, clear_values (self), &event);
    }
  g_byte_array_append (bytes, end, sizeof end);
  if (!expect (self, PQexec (self->connection, sql), PGRES_COPY_IN))
    return -1;
  if (PQputCopyData (self->connection, (const char *)bytes->data, (int)bytes->len) != 1
      || PQputCopyEnd (self->connection, NULL) != 1)
    return fail (self);
  if (!expect (self, PQgetResult (self->connection), PGRES_COMMAND_OK))
    return -1;
  PQclear (PQgetResult (self->connection));
  return EVENTS_BATCH;
}

/* ---- connections */

static void
disconnect_client (gpointer context)
{
  Client *self = context;

  g_hash_table_unref (self->statements);
  g_free (self->bulk_table);
  g_free (self->bulk_text);
  PQfinish (self->connection);
  g_free (self);
}

static gpointer
connect_client (gpointer data)
{
  const Server *server = data;
  Client *self = g_new0 (Client, 1);

  self->statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->n_rows = server->n_rows;
  self->connection = PQconnectdb (server->conninfo);
  if (PQstatus (self->connection) == CONNECTION_OK)
    return self;
  fail (self);
  disconnect_client (self);
  return NULL;
}

/* The key is ordered by bytes, as in kvsqld. */
static int
create (const gchar *conninfo)
{
  static const gchar *const tables[] = { "packed", "written", "copied", "synced" };
  Server server = { conninfo, 1 };
  Client *self = connect_client (&server);
  gboolean is_fine = self != NULL;

  for (guint i = 0; is_fine && i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree gchar *sql
          = g_strdup_printf ("CREATE TABLE %s (cust text COLLATE \"C\", day date, id bigint, price "
                             "float8, qty int, note text, PRIMARY KEY (cust, day, id))",
                             tables[i]);
      is_fine = expect (self, PQexec (self->connection, sql), PGRES_COMMAND_OK);
    }
  if (self != NULL)
    disconnect_client (self);
  return is_fine ? 0 : 1;
}

int
main (int argc, char **argv)
{
  static const BenchCommand commands[] = {
    { "execute", run_execute }, { "in", run_in },       { "range", run_range },
    { "scan", run_scan },       { "group", run_group }, { "filter", run_filter },
    { "insert", run_insert },   { "bulk", run_bulk },   { "copy", run_copy },
  };
  Server server = { argv[1], argc == 3 ? g_ascii_strtoull (argv[2], NULL, 10) : 0 };
  const BenchProgram program = {
    .commands = commands,
    .n_commands = G_N_ELEMENTS (commands),
    .connect = connect_client,
    .disconnect = disconnect_client,
    .data = &server,
  };

  g_set_prgname ("bench-postgresql");
  if (argc == 3 && strcmp (argv[1], "--create") == 0)
    return create (argv[2]);
  if (server.n_rows == 0)
    {
      fprintf (stderr, "usage: bench-postgresql CONNINFO ROWS\n");
      return 2;
    }
  return bench_serve (&program);
}
