/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-service.c: repeats one kind of request, without the wire, for callgrind.
 *
 *   bench-service STORE_URL FOLDER WHAT TABLE N
 *
 * The measurement is everything that measured() calls. tests/bench/instructions runs this program
 * and divides.
 */
#include "config.h"

#include <stdio.h>

#include "core/sql/parser.h"
#include "daemon/service/service.h"
#include "daemon/stores/stores.h"
#include "tests/bench/events.h"
#include "tests/bench/program.h"

#define N_ROWS 5000
#define BATCH_ROWS 1000
#define S(text) KVSQL_SLICE_LITERAL (text)

typedef struct
{
  KvsqldService *service;
  gint64 statement;
} Bench;

static void G_GNUC_NORETURN
give_up (const GError *error)
{
  fprintf (stderr, "bench-service: %s\n", error->message);
  exit (1);
}

/* Takes ownership of the page. Returns the number of rows of the whole result. */
static gint64
read_all (Bench *self, KvsqlResultPage *page, GError *error)
{
  gint64 rows = 0;

  for (;;)
    {
      KvsqlResultPage *next;
      gsize size;
      gconstpointer data;

      if (page == NULL)
        give_up (error);
      rows += page->rows == NULL ? 1 : page->rows->n_rows;
      if (page->cursor == NULL)
        break;
      data = g_bytes_get_data (page->cursor, &size);
      next = kvsqld_service_fetch (self->service, NULL, kvsql_slice (data, size), &error);
      kvsql_result_page_free (page);
      page = next;
    }
  kvsql_result_page_free (page);
  return rows;
}

static gint64
query (Bench *self, const gchar *sql)
{
  GError *error = NULL;
  KvsqlResultPage *page
      = kvsqld_service_query (self->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

  return read_all (self, page, error);
}

static gint64
execute (Bench *self, const KvsqlValue *values, guint n)
{
  GError *error = NULL;
  KvsqlResultPage *page
      = kvsqld_service_execute (self->service, NULL, self->statement, values, n, &error);

  return read_all (self, page, error);
}

static void
prepare (Bench *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldPrepared) prepared
      = kvsqld_service_prepare (self->service, NULL, kvsql_slice_from_text (sql), &error);

  if (prepared == NULL)
    give_up (error);
  self->statement = prepared->id;
}

static KvsqlValue
text_value (const gchar *text)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (text) };
}

static KvsqlValue
integer_value (gint64 integer)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = integer };
}

static gint64
run_point (gpointer context, const gchar *table, guint64 number)
{
  g_autofree gchar *sql = NULL;
  Event event;

  event_make (number * 7919 % N_ROWS, &event);
  sql = g_strdup_printf ("SELECT * FROM %s WHERE cust = '%s' AND day = '2024-10-%02d' AND id = "
                         "%" G_GINT64_FORMAT,
                         table, event.cust, 4 + (event.day - 20000) % 28, event.id);
  query (context, sql);
  return 1;
}

/* The same text each time, so that the plan cache is used. */
static gint64
run_cached (gpointer context, const gchar *table, guint64 number)
{
  return run_point (context, table, 1);
}

#define N_ALTERNATIVES 20

static gint64
run_or (gpointer context, const gchar *table, guint64 number)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_append_printf (sql, "SELECT * FROM %s WHERE ", table);
  for (guint i = 0; i < N_ALTERNATIVES; i++)
    {
      Event event;

      event_make ((number * N_ALTERNATIVES + i) * 7919 % N_ROWS, &event);
      g_string_append_printf (sql,
                              "%s(cust = '%s' AND day = '2024-10-%02d' AND id = "
                              "%" G_GINT64_FORMAT ")",
                              i == 0 ? "" : " OR ", event.cust, 4 + (event.day - 20000) % 28,
                              event.id);
    }
  query (context, sql->str);
  return 1;
}

static gint64
run_execute (gpointer context, const gchar *table, guint64 number)
{
  KvsqlValue values[3];
  Event event;

  event_make (number * 7919 % N_ROWS, &event);
  values[0] = text_value (event.cust);
  values[1] = integer_value (event.day);
  values[2] = integer_value (event.id);
  return execute (context, values, 3);
}

static gint64
run_range (gpointer context, const gchar *table, guint64 number)
{
  KvsqlValue value;
  Event event;

  event_make (number * BATCH_ROWS % N_ROWS, &event);
  value = text_value (event.cust);
  return execute (context, &value, 1);
}

static gint64
run_scan (gpointer context, const gchar *table, guint64 number)
{
  return execute (context, NULL, 0);
}

static gint64
run_insert (gpointer context, const gchar *table, guint64 number)
{
  KvsqlValue values[6];
  Event event;

  event_make (2 * N_ROWS + number, &event);
  values[0] = text_value (event.cust);
  values[1] = integer_value (event.day);
  values[2] = integer_value (event.id);
  values[3] = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = event.price };
  values[4] = integer_value (event.qty);
  values[5] = text_value (event.note);
  return execute (context, values, 6);
}

static gint64
insert_batch (Bench *self, const gchar *table, guint64 first)
{
  static const gchar *const names[] = { "cust", "day", "id", "price", "qty", "note" };
  static const KvsqlType types[] = { KVSQL_TYPE_STRING, KVSQL_TYPE_BIGINT, KVSQL_TYPE_BIGINT,
                                     KVSQL_TYPE_DOUBLE, KVSQL_TYPE_BIGINT, KVSQL_TYPE_STRING };
  g_autoptr (KvsqlBatch) data = kvsql_batch_new (types, G_N_ELEMENTS (types), BATCH_ROWS);
  g_autofree Event *events = g_new (Event, BATCH_ROWS);
  g_autoptr (GError) error = NULL;
  gint64 written;

  for (guint i = 0; i < BATCH_ROWS; i++)
    {
      Event *event = &events[i];
      event_make (first + i, event);
      data->columns[0].slices[i] = kvsql_slice_from_text (event->cust);
      data->columns[1].integers[i] = event->day;
      data->columns[2].integers[i] = event->id;
      data->columns[3].reals[i] = event->price;
      data->columns[4].integers[i] = event->qty;
      data->columns[5].slices[i] = kvsql_slice_from_text (event->note);
    }
  data->n_rows = BATCH_ROWS;
  if (!kvsqld_service_insert_rows (self->service, NULL, table, names, data, &written, &error))
    give_up (error);
  return written;
}

static gint64
run_bulk (gpointer context, const gchar *table, guint64 number)
{
  return insert_batch (context, table, 2 * N_ROWS + number * BATCH_ROWS);
}

/* ---- */

static const struct
{
  const gchar *name;
  BenchOperation run;
  const gchar *sql; /* of a prepared statement: the text after the relation */
} workloads[] = {
  { "point", run_point, NULL },
  { "cached", run_cached, NULL },
  { "or20", run_or, NULL },
  { "execute", run_execute, "WHERE cust = ? AND day = ? AND id = ?" },
  { "range", run_range, "WHERE cust = ?" },
  { "scan", run_scan, "" },
  { "filter", run_scan, "WHERE qty = 42" },
  { "insert", run_insert, "VALUES (?, ?, ?, ?, ?, ?)" },
  { "bulk", run_bulk, NULL },
};

/* ---- allocations are counted by functions that override those of the C library */

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *memory, size_t size);

static _Thread_local guint64 n_allocations;

void *
malloc (size_t size)
{
  n_allocations++;
  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  n_allocations++;
  return __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t size)
{
  n_allocations++;
  return __libc_realloc (memory, size);
}

/* The function that callgrind measures. */
gint64 measured (Bench *self, BenchOperation run, const gchar *table, guint64 first, guint n);

__attribute__ ((noinline)) gint64
measured (Bench *self, BenchOperation run, const gchar *table, guint64 first, guint n)
{
  gint64 rows = 0;

  for (guint i = 0; i < n; i++)
    rows += run (self, table, first + i);
  return rows;
}

static void
define (Bench *self)
{
  static const gchar *const statements[] = {
    "DEFINE RELATION packed { cust STRING KEY, day DATE KEY, id BIGINT KEY, price DOUBLE, qty INT, "
    "note STRING }",
    "DEFINE PRIMARY SCHEMA packed_s FOR packed { TABLE 'packed', ROW suffix('-'){cust}:day:id, "
    "FAMILY 'f', QUALIFIER 'e', VALUE price:qty:note }",
    "DEFINE RELATION cells { cust STRING KEY, day DATE KEY, id BIGINT KEY, price DOUBLE, qty INT, "
    "note STRING }",
    "DEFINE PRIMARY SCHEMA cells_s FOR cells { TABLE 'cells', ROW suffix('-'){cust}:day:id, FAMILY "
    "'f', QUALIFIER attr_name['cust'], VALUE attr_value['cust'] }",
  };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    query (self, statements[i]);
  for (guint64 first = 0; first < N_ROWS; first += BATCH_ROWS)
    {
      insert_batch (self, "packed", first);
      insert_batch (self, "cells", first);
    }
}

int
main (int argc, char **argv)
{
  g_autofree gchar *registry = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlStore *store;
  Bench self = { 0 };
  guint n, workload = 0;
  gint64 rows;

  if (argc != 6)
    {
      fprintf (stderr, "usage: bench-service STORE_URL FOLDER WHAT TABLE N\n");
      return 2;
    }
  registry = g_strdup_printf ("local://%s/registry", argv[2]);
  store = kvsqld_store_open (argv[1], &error);
  if (store != NULL)
    self.service = kvsqld_service_new (store, argv[1], registry, NULL, &error);
  if (self.service == NULL)
    give_up (error);
  define (&self);
  while (workload < G_N_ELEMENTS (workloads) && strcmp (workloads[workload].name, argv[3]) != 0)
    workload++;
  if (workload == G_N_ELEMENTS (workloads))
    return 2;
  if (workloads[workload].sql != NULL)
    {
      const gchar *verb = workloads[workload].run == run_insert ? "INSERT INTO" : "SELECT * FROM";
      g_autofree gchar *sql = g_strdup_printf ("%s %s %s", verb, argv[4], workloads[workload].sql);
      prepare (&self, sql);
    }
  n = (guint)g_ascii_strtoull (argv[5], NULL, 10);
  for (guint i = 0; i < 3; i++) /* warms caches; a plan is cached from the second time on */
    workloads[workload].run (&self, argv[4], n);
  n_allocations = 0;
  rows = measured (&self, workloads[workload].run, argv[4], 0, n);
  printf ("%" G_GINT64_FORMAT " %" G_GUINT64_FORMAT "\n", rows, n_allocations);
  kvsqld_service_free (self.service);
  return 0;
}
