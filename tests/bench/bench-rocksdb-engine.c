/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-rocksdb-engine.c: measurements for the choice of RocksDB's settings.
 *
 *   bench-rocksdb-engine queue|sync|get [ROWS [DIR]]
 *
 * queue: the first 100 rows of a table are taken and deleted, until there are none.
 * sync:  one and many threads write single cells, under each sync policy.
 * get:   existing and missing rows by key, of one cell and of five.
 *
 * Not a test: it prints figures. DIR should be on a real disk.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"
#include "daemon/stores/stores.h"
#include "tests/contract/files.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define DEFAULT_ROWS 1000000
#define ROWS_PER_WRITE 1000
#define TAKEN_AT_ONCE 100
#define SECONDS_PER_POLICY 3
#define MOST_WRITERS 16
#define GETS 100000

static const gchar *const cells[] = { "day", "id", "note", "price", "qty" };

static KvsqlStore *
open_store (const gchar *folder, const gchar *name, const gchar *options)
{
  g_autofree gchar *url = g_strdup_printf ("rocksdb://%s/%s?%s", folder, name, options);
  g_autoptr (GError) error = NULL;
  KvsqlStore *store = kvsqld_store_open (url, &error);

  if (store == NULL)
    g_error ("%s", error->message);
  return store;
}

static gdouble
us_since (gint64 start_us)
{
  return (gdouble)(g_get_monotonic_time () - start_us);
}

static KvsqlSlice
row_of (KvsqlArena *arena, guint64 number)
{
  return kvsql_slice_from_text (kvsql_arena_printf (
      arena, "customer%08" G_GUINT64_FORMAT "-%08" G_GUINT64_FORMAT, number / 100, number));
}

/* @step: 2 omits every second number, for missing rows. */
static void
fill (KvsqlStore *store, KvsqlSlice table, guint n_rows, guint n_cells, guint step)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint first = 0; first < n_rows; first += ROWS_PER_WRITE)
    {
      KvsqlMutation *puts = kvsql_arena_array (arena, KvsqlMutation, ROWS_PER_WRITE * n_cells);
      guint n = 0;

      for (guint i = first; i < MIN (first + ROWS_PER_WRITE, n_rows); i++)
        for (guint c = 0; c < n_cells; c++)
          puts[n++] = (KvsqlMutation){ .kind = KVSQL_MUTATION_PUT,
                                       .table = table,
                                       .row = row_of (arena, (guint64)i * step),
                                       .family = S ("f"),
                                       .qualifier = n_cells == 1 ? KVSQL_SLICE_EMPTY
                                                                 : kvsql_slice_from_text (cells[c]),
                                       .value = S ("a note of thirty bytes or so.."),
                                       .timestamp = 1 };
      if (!kvsql_store_apply (store, puts, n, NULL, NULL))
        g_error ("could not fill");
      kvsql_arena_reset (arena);
    }
}

/* ---- the front of a queue */

/* Returns how many rows were taken. */
static guint
take (KvsqlStore *store, gdouble *out_scan_us)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec
      = { .table = S ("queue"), .ranges = &everything, .n_ranges = 1, .row_limit = TAKEN_AT_ONCE };
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, NULL, NULL);
  KvsqlMutation deletes[TAKEN_AT_ONCE];
  const KvsqlRows *rows = NULL;

  if (!kvsql_scan_next (scan, NULL, &rows, NULL))
    g_error ("could not scan");
  *out_scan_us = us_since (start_us);
  for (guint i = 0; i < rows->n_rows; i++)
    deletes[i] = (KvsqlMutation){ .kind = KVSQL_MUTATION_DELETE,
                                  .table = S ("queue"),
                                  .row = rows->rows[i].key,
                                  .family = S ("f"),
                                  .timestamp = 1 };
  if (rows->n_rows > 0 && !kvsql_store_apply (store, deletes, rows->n_rows, NULL, NULL))
    g_error ("could not delete");
  return rows->n_rows;
}

static void
measure_queue (const gchar *folder, guint n_rows)
{
  g_autoptr (KvsqlStore) store = open_store (folder, "queue", "sync=false");
  gint64 start_us = g_get_monotonic_time ();
  gdouble longest = 0, sum = 0, us;
  guint n_taken = 0, n_scans = 0, shown = 0, n;

  fill (store, S ("queue"), n_rows, 1, 1);
  g_print ("queue of %u rows, filled in %.1f s\n", n_rows, us_since (start_us) / 1e6);
  start_us = g_get_monotonic_time ();
  while ((n = take (store, &us)) > 0)
    {
      n_taken += n;
      n_scans++;
      sum += us;
      longest = MAX (longest, us);
      if (n_taken * 10ULL / n_rows > shown)
        {
          shown = (guint)(n_taken * 10ULL / n_rows);
          g_print ("  %3u %% taken: the first 100 in %7.0f us on average, %7.0f us at most\n",
                   shown * 10, sum / n_scans, longest);
          sum = longest = n_scans = 0;
        }
    }
  g_print ("  all in %.1f s; the empty front then takes %.0f us\n", us_since (start_us) / 1e6, us);
}

/* ---- sync policies */

typedef struct
{
  KvsqlStore *store;
  guint number;
  gint64 end_us;
  guint64 n_written;
} Writer;

static gpointer
write_single (gpointer data)
{
  Writer *self = data;

  while (g_get_monotonic_time () < self->end_us)
    {
      guint8 row[8];

      kvsql_put_be64 (row, (guint64)self->number << 40 | self->n_written);
      const KvsqlMutation put
          = { KVSQL_MUTATION_PUT, S ("t"), { row, 8 }, S ("f"), S (""), S ("some value"), 1 };

      if (!kvsql_store_apply (self->store, &put, 1, NULL, NULL))
        g_error ("could not write");
      self->n_written++;
    }
  return NULL;
}

static void
measure_policy (const gchar *folder, const gchar *policy, guint n_writers)
{
  g_autofree gchar *name = g_strdup_printf ("sync-%u", n_writers);
  g_autoptr (KvsqlStore) store = open_store (folder, name, policy);
  Writer writers[MOST_WRITERS];
  GThread *threads[MOST_WRITERS];
  guint64 n_written = 0;

  for (guint i = 0; i < n_writers; i++)
    {
      writers[i]
          = (Writer){ store, i, g_get_monotonic_time () + SECONDS_PER_POLICY * G_USEC_PER_SEC, 0 };
      threads[i] = g_thread_new ("writer", write_single, &writers[i]);
    }
  for (guint i = 0; i < n_writers; i++)
    {
      g_thread_join (threads[i]);
      n_written += writers[i].n_written;
    }
  g_print ("  %-17s %2u writer%s %8.0f writes/s\n", policy, n_writers,
           n_writers == 1 ? ": " : "s:", (gdouble)n_written / SECONDS_PER_POLICY);
}

static void
measure_sync (const gchar *folder)
{
  static const gchar *const policies[] = { "sync=true", "sync=interval:10", "sync=false" };

  g_print ("single cells:\n");
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      measure_policy (folder, policies[i], 1);
      measure_policy (folder, policies[i], MOST_WRITERS);
    }
}

/* ---- rows by key */

static void
measure_gets (KvsqlStore *store, KvsqlSlice table, guint n_rows, gboolean are_there,
              guint n_columns)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlColumn columns[G_N_ELEMENTS (cells)];
  guint64 number = 1, n_found = 0;
  gint64 start_us;

  for (guint i = 0; i < n_columns; i++)
    columns[i] = (KvsqlColumn){
      S ("f"), n_columns == 1 ? KVSQL_SLICE_EMPTY : kvsql_slice_from_text (cells[i]), FALSE
    };
  start_us = g_get_monotonic_time ();
  for (guint i = 0; i < GETS; i++)
    {
      KvsqlSlice key;
      KvsqlRows rows;

      number = (number * 48271) % 2147483647;
      key = row_of (arena, (number % n_rows) * 2 + !are_there);
      if (!kvsql_store_multi_get (store, table, &key, 1, columns, n_columns, NULL, arena, &rows,
                                  NULL))
        g_error ("could not get");
      n_found += rows.n_cells > 0;
      kvsql_arena_reset (arena);
    }
  g_print ("  %-7s %-13s %-7s %6.2f us\n", (const gchar *)table.data,
           n_columns == 0 ? "whole rows" : "named columns", are_there ? "hit" : "miss",
           us_since (start_us) / GETS);
  if (n_found != (are_there ? GETS : 0))
    g_error ("%" G_GUINT64_FORMAT " rows were found", n_found);
}

static void
measure_get (const gchar *folder, guint n_rows)
{
  g_autoptr (KvsqlStore) store = open_store (folder, "get", "sync=false&cache_mb=64");
  gint64 start_us = g_get_monotonic_time ();

  fill (store, S ("packed"), n_rows, 1, 2);
  fill (store, S ("five"), n_rows, G_N_ELEMENTS (cells), 2);
  g_print ("%u rows of one cell and of five, filled in %.1f s\n", n_rows,
           us_since (start_us) / 1e6);
  for (guint is_compacted = 0; is_compacted < 2; is_compacted++)
    {
      if (is_compacted)
        rocksdb_compact_range (((KvsqldRocksdbStore *)store)->db, NULL, 0, NULL, 0);
      g_print (" %s\n", is_compacted ? "compacted" : "as written");
      for (guint are_there = 0; are_there < 2; are_there++)
        {
          measure_gets (store, S ("packed"), n_rows, are_there, 0);
          measure_gets (store, S ("packed"), n_rows, are_there, 1);
          measure_gets (store, S ("five"), n_rows, are_there, 0);
          measure_gets (store, S ("five"), n_rows, are_there, G_N_ELEMENTS (cells));
        }
    }
}

int
main (int argc, char **argv)
{
  const gchar *part = argc > 1 ? argv[1] : "";
  guint n_rows = argc > 2 ? (guint)g_ascii_strtoull (argv[2], NULL, 10) : DEFAULT_ROWS;
  g_autofree gchar *template
      = g_build_filename (argc > 3 ? argv[3] : g_get_tmp_dir (), "kvsql-engine-XXXXXX", NULL);
  g_autofree gchar *folder = g_mkdtemp (g_strdup (template));

  if (folder == NULL)
    g_error ("could not make a folder");
  if (g_str_equal (part, "queue"))
    measure_queue (folder, n_rows);
  else if (g_str_equal (part, "sync"))
    measure_sync (folder);
  else if (g_str_equal (part, "get"))
    measure_get (folder, n_rows);
  else
    g_printerr ("usage: bench-rocksdb-engine queue|sync|get [ROWS [DIR]]\n");
  kvsql_test_remove_directory (folder);
  return 0;
}
