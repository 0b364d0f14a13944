/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-rocksdb-scan.c: compares a scan of packed rows through the store with RocksDB's own
 * iterator.
 *
 *   bench-rocksdb-scan [ROWS]
 *
 * Both read the same database, one after the other, several times; the best run of
 * each counts, in processor time of the thread. Not a test: it prints figures and always succeeds.
 */
#include "config.h"

#include <rocksdb/c.h>
#include <time.h>

#include "daemon/stores/rocksdb/store.h"
#include "daemon/stores/stores.h"
#include "tests/contract/files.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define DEFAULT_ROWS 1000000
#define ROWS_PER_WRITE 1000
#define RUNS 5
#define GETS 100000

/* A row key of about 25 bytes with one value of about 30, as in a packed schema. */
static void
put_rows (KvsqlStore *store, guint first, guint n)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlMutation *puts = kvsql_arena_array (arena, KvsqlMutation, n);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      guint number = first + i;
      gchar *row = kvsql_arena_printf (arena, "customer%08u-%08u", number / 100, number);
      gchar *value = kvsql_arena_printf (arena, "a note of %u, priced %u", number, number % 997);

      puts[i] = (KvsqlMutation){ KVSQL_MUTATION_PUT,
                                 S ("bench"),
                                 kvsql_slice_from_text (row),
                                 S ("f"),
                                 S (""),
                                 kvsql_slice_from_text (value),
                                 1 };
    }
  if (!kvsql_store_apply (store, puts, n, NULL, &error))
    g_error ("%s", error->message);
}

/* Processor time of this thread, which a busy machine affects little. */
static gint64
cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gdouble
seconds_since (gint64 start)
{
  return (gdouble)(cpu_time () - start) / G_USEC_PER_SEC;
}

/* Reads all entries, and some bytes of each. */
static gdouble
raw_rows_per_second (KvsqlStore *store, guint64 *out_sum)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  gint64 start = cpu_time ();
  g_autoptr (rocksdb_readoptions_t) options = rocksdb_readoptions_create ();
  g_autoptr (rocksdb_iterator_t) iterator = rocksdb_create_iterator (self->db, options);
  guint64 n = 0, sum = 0;

  for (rocksdb_iter_seek (iterator, "\0\0\0\1", 4); rocksdb_iter_valid (iterator);
       rocksdb_iter_next (iterator), n++)
    {
      KvsqlSlice key = kvsqld_rocksdb_iterator_key (iterator);
      KvsqlSlice value = kvsqld_rocksdb_iterator_value (iterator);

      sum += key.size + value.size + key.data[key.size - 3] + value.data[value.size - 1];
    }
  *out_sum = sum;
  return (gdouble)n / seconds_since (start);
}

static gdouble
scan_rows_per_second (KvsqlStore *store, const KvsqlColumn *columns, guint n_columns,
                      gboolean is_reversed, guint64 *out_sum)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec = { .table = S ("bench"),
                               .ranges = &everything,
                               .n_ranges = 1,
                               .columns = columns,
                               .n_columns = n_columns,
                               .is_reversed = is_reversed };
  gint64 start = cpu_time ();
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, NULL, NULL);
  const KvsqlRows *rows = NULL;
  guint64 n = 0, sum = 0;

  while (kvsql_scan_next (scan, NULL, &rows, NULL) && rows->n_rows > 0)
    for (guint i = 0; i < rows->n_rows; i++, n++)
      {
        KvsqlSlice key = rows->rows[i].key, value = rows->cells[rows->rows[i].first_cell].value;

        sum += key.size + value.size + key.data[key.size - 1] + value.data[value.size - 1];
      }
  *out_sum = sum;
  return (gdouble)n / seconds_since (start);
}

static gdouble
gets_per_second (KvsqlStore *store, guint n_rows, const KvsqlColumn *columns, guint n_columns)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gint64 start = cpu_time ();
  guint64 number = 1;

  for (guint i = 0; i < GETS; i++)
    {
      gchar row[40];
      KvsqlRows rows;
      KvsqlSlice key;

      number = (number * 48271) % 2147483647;
      g_snprintf (row, sizeof row, "customer%08u-%08u", (guint)(number % n_rows) / 100,
                  (guint)(number % n_rows));
      key = kvsql_slice_from_text (row);
      if (!kvsql_store_multi_get (store, S ("bench"), &key, 1, columns, n_columns, NULL, arena,
                                  &rows, NULL)
          || rows.n_cells != 1)
        g_error ("row \"%s\" is missing", row);
      kvsql_arena_reset (arena);
    }
  return GETS / seconds_since (start);
}

static void
measure (KvsqlStore *store, guint n_rows)
{
  const KvsqlColumn packed = { S ("f"), KVSQL_SLICE_EMPTY, FALSE };
  gdouble raw = 0, scan = 0, filtered = 0, reversed = 0;
  guint64 sum;

  for (guint run = 0; run < RUNS; run++)
    {
      raw = MAX (raw, raw_rows_per_second (store, &sum));
      scan = MAX (scan, scan_rows_per_second (store, NULL, 0, FALSE, &sum));
      filtered = MAX (filtered, scan_rows_per_second (store, &packed, 1, FALSE, &sum));
      reversed = MAX (reversed, scan_rows_per_second (store, NULL, 0, TRUE, &sum));
    }
  g_print ("raw iterator   %6.2f M rows/s\n", raw / 1e6);
  g_print ("scan           %6.2f M rows/s  %.2f of raw\n", scan / 1e6, scan / raw);
  g_print ("scan, column   %6.2f M rows/s  %.2f of raw\n", filtered / 1e6, filtered / raw);
  g_print ("scan, reversed %6.2f M rows/s  %.2f of raw\n", reversed / 1e6, reversed / raw);
  g_print ("get, column    %6.0f k rows/s\n", gets_per_second (store, n_rows, &packed, 1) / 1e3);
  g_print ("get, row       %6.0f k rows/s\n", gets_per_second (store, n_rows, NULL, 0) / 1e3);
}

int
main (int argc, char **argv)
{
  guint n_rows = argc > 1 ? (guint)g_ascii_strtoull (argv[1], NULL, 10) : DEFAULT_ROWS;
  g_autofree gchar *directory = g_dir_make_tmp ("kvsql-bench-XXXXXX", NULL);
  g_autofree gchar *url = g_strdup_printf ("rocksdb://%s/db?sync=false&cache_mb=512", directory);
  g_autoptr (GError) error = NULL;
  KvsqlStore *store = kvsqld_rocksdb_store_open (url, &error);
  gint64 start = cpu_time ();

  if (store == NULL)
    g_error ("%s", error->message);
  n_rows = MAX (n_rows / ROWS_PER_WRITE, 1) * ROWS_PER_WRITE;
  for (guint i = 0; i < n_rows; i += ROWS_PER_WRITE)
    put_rows (store, i, ROWS_PER_WRITE);
  g_print ("write          %6.0f k rows/s, %u a call\n", n_rows / seconds_since (start) / 1e3,
           ROWS_PER_WRITE);
  rocksdb_compact_range (((KvsqldRocksdbStore *)store)->db, NULL, 0, NULL, 0);
  measure (store, n_rows);
  kvsql_store_close (store);
  kvsql_test_remove_directory (directory);
  return 0;
}
