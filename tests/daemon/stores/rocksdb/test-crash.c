/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-crash.c: a process is killed while it writes; all acknowledged writes exist
 * afterwards.
 *
 * The program starts itself as the writer. Each of the writer's threads writes numbered batches, of
 * two rows in two tables, and reports the number of each finished batch in one write to a pipe. The
 * parent kills it at some moment, opens the store, and checks that every reported batch exists and
 * that no batch exists by half.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/stores/stores.h"
#include "tests/contract/files.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define N_ROUNDS 10 /* KVSQL_TEST_KILLS=200 for more */
#define N_WRITERS 2
#define MOST_BATCHES 1000000

typedef struct
{
  guint32 writer;
  guint32 number;
} Report;

typedef struct
{
  KvsqlStore *store;
  guint32 number;
  guint32 first;
} Writer;

static gboolean
write_batch (KvsqlStore *store, guint32 writer, guint32 number)
{
  guint8 row[8], value[8];
  const gint64 timestamp = g_get_real_time () / 1000;

  kvsql_put_be32 (row, writer);
  kvsql_put_be32 (row + 4, number);
  kvsql_put_be64 (value, (guint64)number * 3);

  const KvsqlMutation puts[] = {
    { KVSQL_MUTATION_PUT, S ("left"), { row, 8 }, S ("f"), S (""), { value, 8 }, timestamp },
    { KVSQL_MUTATION_PUT, S ("right"), { row, 8 }, S ("f"), S (""), { value, 8 }, timestamp },
  };

  return kvsql_store_apply (store, puts, 2, NULL, NULL);
}

static gpointer
write_until_killed (gpointer data)
{
  Writer *self = data;

  for (guint32 number = self->first; number < MOST_BATCHES; number++)
    {
      Report report = { self->number, number };

      if (!write_batch (self->store, self->number, number)
          || write (STDOUT_FILENO, &report, sizeof report) != sizeof report)
        break;
    }
  return NULL;
}

/* The child: writes until it is killed. */
static int
run_writers (const gchar *url, guint32 first)
{
  g_autoptr (KvsqlStore) store = kvsqld_store_open (url, NULL);
  Writer writers[N_WRITERS];
  GThread *threads[N_WRITERS];

  if (store == NULL)
    return 1;
  for (guint32 i = 0; i < N_WRITERS; i++)
    {
      writers[i] = (Writer){ store, i, first };
      threads[i] = g_thread_new ("writer", write_until_killed, &writers[i]);
    }
  for (guint i = 0; i < N_WRITERS; i++)
    g_thread_join (threads[i]);
  return 0;
}

/* Reads reports into @last until there are @enough of them, kills the writer and reads the rest. */
static void
watch_and_kill (GPid pid, gint output, guint enough, guint32 *last)
{
  Report report;
  guint n = 0;

  while (read (output, &report, sizeof report) == sizeof report)
    {
      g_assert_cmpuint (report.writer, <, N_WRITERS);
      last[report.writer] = MAX (last[report.writer], report.number + 1);
      if (++n == enough)
        g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
    }
  g_assert_cmpuint (n, >=, enough);
}

static guint
count_cells (KvsqlStore *store, KvsqlSlice table, GHashTable *seen)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec = { .table = table, .ranges = &everything, .n_ranges = 1 };
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, NULL, NULL);
  const KvsqlRows *rows = NULL;
  guint n = 0;

  while (kvsql_scan_next (scan, NULL, &rows, NULL) && rows->n_rows > 0)
    for (guint i = 0; i < rows->n_rows; i++, n++)
      {
        guint64 *key = g_new (guint64, 1);

        g_assert_cmpuint (rows->rows[i].key.size, ==, 8);
        *key = kvsql_get_be64 (rows->rows[i].key.data);
        g_assert_cmpuint (kvsql_get_be64 (rows->cells[i].value.data), ==, (*key & G_MAXUINT32) * 3);
        g_hash_table_add (seen, key);
      }
  return n;
}

static void
check_store (const gchar *url, const guint32 *last)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlStore) store = kvsqld_store_open (url, &error);
  guint n_left, n_right;

  g_assert_no_error (error);
  n_left = count_cells (store, S ("left"), seen);
  n_right = count_cells (store, S ("right"), seen);
  g_assert_cmpuint (n_left, ==, n_right);
  g_assert_cmpuint (g_hash_table_size (seen), ==, n_left);
  for (guint64 writer = 0; writer < N_WRITERS; writer++)
    for (guint64 number = 0; number < last[writer]; number++)
      {
        guint64 key = writer << 32 | number;

        if (!g_hash_table_contains (seen, &key))
          g_error ("writer %u lost batch %u", (guint)writer, (guint)number);
      }
}

static gchar *own_path;

static guint
n_rounds (void)
{
  const gchar *wanted = g_getenv ("KVSQL_TEST_KILLS");

  return wanted != NULL ? (guint)g_ascii_strtoull (wanted, NULL, 10) : N_ROUNDS;
}

static void
test_kill (gconstpointer data)
{
  const gchar *options = data;
  const guint rounds = n_rounds ();
  g_autofree gchar *directory = g_dir_make_tmp ("kvsql-crash-XXXXXX", NULL);
  g_autofree gchar *url = g_strdup_printf ("rocksdb://%s/db?%s", directory, options);
  guint32 last[N_WRITERS] = { 0 };

  for (guint round = 0; round < rounds; round++)
    {
      /* Batches continue after the slower writer, so that those of the faster one are written
       * again. */
      g_autofree gchar *first = g_strdup_printf ("%u", MIN (last[0], last[1]));
      gchar *arguments[] = { own_path, (gchar *)"--write", url, first, NULL };
      g_autoptr (GError) error = NULL;
      gint output, status;
      GPid pid;

      g_spawn_async_with_pipes (NULL, arguments, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
                                NULL, &output, NULL, &error);
      g_assert_no_error (error);
      watch_and_kill (pid, output, 20 + 137 * (round % 7), last);
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
      g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
      g_spawn_close_pid (pid);
      close (output);
      check_store (url, last);
    }
  kvsql_test_remove_directory (directory);
}

int
main (int argc, char **argv)
{
  gint status;

  if (argc == 4 && strcmp (argv[1], "--write") == 0)
    return run_writers (argv[2], (guint32)g_ascii_strtoull (argv[3], NULL, 10));

  g_test_init (&argc, &argv, NULL);
  own_path = g_file_read_link ("/proc/self/exe", NULL);
  g_assert_nonnull (own_path);
  g_test_add_data_func ("/rocksdb/crash/acknowledged-is-kept", "sync=false", test_kill);
  g_test_add_data_func ("/rocksdb/crash/acknowledged-is-kept-with-sync", "sync=true", test_kill);
  g_test_add_data_func ("/rocksdb/crash/acknowledged-is-kept-with-interval", "sync=interval:3",
                        test_kill);
  status = g_test_run ();
  g_free (own_path);
  return status;
}
