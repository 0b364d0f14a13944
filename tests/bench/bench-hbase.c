/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-hbase.c: the same workloads with HBase's Thrift2 service, written by hand (thrift2.h).
 *
 *   bench-hbase PORT binary|compact ROWS
 *
 * Reads the tables that kvsqld wrote, "packed" and "cells".
 */
#include "config.h"

#include <stdio.h>

#include "tests/bench/events.h"
#include "tests/bench/program.h"
#include "tests/bench/thrift2.h"

#define PAGE_ROWS 2000 /* of long scans: 1,000 to 5,000 are as quick */

typedef struct
{
  guint16 port;
  gboolean is_compact;
  guint64 n_rows;
} Server;

typedef struct
{
  Thrift2 *thrift;
  guint64 n_rows;
} Client;

typedef struct
{
  guint8 bytes[64];
  gsize size;
} Key;

static Thrift2Bytes
bytes_of_key (const Key *key)
{
  return (Thrift2Bytes){ key->bytes, key->size };
}

static void
make_key (guint64 number, Key *out)
{
  Event event;

  event_make (number, &event);
  out->size = event_row (&event, out->bytes);
}

/* The lower bound of all keys of a customer; with @end the upper bound. */
static void
make_customer (guint64 number, gchar end, Key *out)
{
  Event event;

  event_make (number, &event);
  out->size = strlen (event.cust);
  memcpy (out->bytes, event.cust, out->size);
  out->bytes[out->size++] = (guint8)end;
}

/* ---- reading */

static gint64
run_get (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  Key key;

  make_key (event_some (number, self->n_rows), &key);
  return thrift2_get (self->thrift, table, bytes_of_key (&key));
}

static gint64
run_multi_get (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  Thrift2Bytes rows[EVENTS_IN];
  Key keys[EVENTS_IN];
  guint64 first = event_some_group (number, self->n_rows);

  for (guint i = 0; i < EVENTS_IN; i++)
    {
      make_key (first + i, &keys[i]);
      rows[i] = bytes_of_key (&keys[i]);
    }
  return thrift2_get_multiple (self->thrift, table, rows, EVENTS_IN);
}

static gint64
run_range (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  guint64 first = event_some (number * EVENTS_PER_CUSTOMER, self->n_rows);
  Key start, stop;

  make_customer (first, '-', &start);
  make_customer (first, '.', &stop);
  const Thrift2Scan scan = { .start = bytes_of_key (&start),
                             .stop = bytes_of_key (&stop),
                             .caching = EVENTS_PER_CUSTOMER,
                             .limit = EVENTS_PER_CUSTOMER };
  return thrift2_scan_once (self->thrift, table, &scan, EVENTS_PER_CUSTOMER);
}

static gint64
run_scan (gpointer context, const gchar *table, guint64 number)
{
  const Thrift2Scan scan = { 0 };
  Client *self = context;

  return thrift2_scan (self->thrift, table, &scan, PAGE_ROWS);
}

/* Scans one of EVENTS_PARTS parts of the table. */
static gint64
scan_part (Client *self, const gchar *table, guint64 number, Thrift2Bytes filter)
{
  guint64 part = number % EVENTS_PARTS;
  guint64 begin = event_part_begin (part, self->n_rows);
  guint64 end = event_part_begin (part + 1, self->n_rows);
  Key start, stop;

  if (begin == end)
    return 0;
  make_customer (begin, '-', &start);
  make_customer (end - 1, '.', &stop);
  const Thrift2Scan scan
      = { .start = bytes_of_key (&start), .stop = bytes_of_key (&stop), .filter = filter };
  return thrift2_scan (self->thrift, table, &scan, PAGE_ROWS);
}

static gint64
run_scan_part (gpointer context, const gchar *table, guint64 number)
{
  return scan_part (context, table, number, (Thrift2Bytes){ 0 });
}

/* For five cells only: a filter needs a separate cell. */
static gint64
run_filter (gpointer context, const gchar *table, guint64 number)
{
  static const guint8 filter[]
      = "SingleColumnValueFilter('f','qty',=,'binary:\0\0\0\x2a',true,true)";
  const Thrift2Scan scan = { .filter = { filter, sizeof filter - 1 } };
  Client *self = context;

  return thrift2_scan (self->thrift, table, &scan, PAGE_ROWS);
}

static gint64
run_keys (gpointer context, const gchar *table, guint64 number)
{
  static const guint8 filter[] = "FirstKeyOnlyFilter() AND KeyOnlyFilter()";
  const Thrift2Scan scan = { .filter = { filter, sizeof filter - 1 } };
  Client *self = context;

  return thrift2_scan (self->thrift, table, &scan, PAGE_ROWS);
}

/* ---- writing */

static void
make_put (guint64 number, Thrift2Put *out)
{
  Event event;

  event_make (number, &event);
  out->row_size = event_row (&event, out->row);
  out->n_cells = 1;
  out->cells[0].qualifier = "e";
  out->cells[0].size = event_value (&event, out->cells[0].value);
}

static gint64
run_put (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  Thrift2Put put;

  make_put (number, &put);
  return thrift2_put (self->thrift, table, &put);
}

static gint64
run_check_and_put (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  Thrift2Put put;

  make_put (number, &put);
  return thrift2_check_and_put (self->thrift, table, &put);
}

static gint64
run_bulk (gpointer context, const gchar *table, guint64 number)
{
  Client *self = context;
  g_autofree Thrift2Put *puts = g_new (Thrift2Put, EVENTS_BATCH);

  for (guint i = 0; i < EVENTS_BATCH; i++)
    make_put (number * EVENTS_BATCH + i, &puts[i]);
  return thrift2_put_multiple (self->thrift, table, puts, EVENTS_BATCH);
}

/* ---- connections */

static gpointer
connect_client (gpointer data)
{
  const Server *server = data;
  Thrift2 *thrift = thrift2_open (server->port, server->is_compact);
  Client *self;

  if (thrift == NULL)
    return NULL;
  self = g_new0 (Client, 1);
  self->thrift = thrift;
  self->n_rows = server->n_rows;
  return self;
}

static void
disconnect_client (gpointer context)
{
  Client *self = context;

  thrift2_close (self->thrift);
  g_free (self);
}

int
main (int argc, char **argv)
{
  static const BenchCommand commands[] = {
    { "get", run_get },
    { "multi-get", run_multi_get },
    { "range", run_range },
    { "scan", run_scan },
    { "scan-part", run_scan_part },
    { "filter", run_filter },
    { "keys", run_keys },
    { "put", run_put },
    { "check-and-put", run_check_and_put },
    { "bulk", run_bulk },
  };
  Server server = { 0 };
  const BenchProgram program = {
    .commands = commands,
    .n_commands = G_N_ELEMENTS (commands),
    .connect = connect_client,
    .disconnect = disconnect_client,
    .data = &server,
  };

  g_set_prgname ("bench-hbase");
  if (argc != 4)
    {
      fprintf (stderr, "usage: bench-hbase PORT binary|compact ROWS\n");
      return 2;
    }
  server = (Server){ (guint16)g_ascii_strtoull (argv[1], NULL, 10),
                     strcmp (argv[2], "compact") == 0, g_ascii_strtoull (argv[3], NULL, 10) };
  return bench_serve (&program);
}
