/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-same-shape.c: long runs of rows whose keys have the same shape, with exceptions
 * among them.
 *
 * The store in memory, which has no fast path for them, gives the expected rows.
 */
#include "config.h"

#include <rocksdb/c.h>

#include "core/store/memory.h"
#include "daemon/stores/rocksdb/key.h"
#include "daemon/stores/stores.h"
#include "tests/contract/files.h"
#include "tests/contract/kit.h"
#include "tests/harness/assert.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define N_ROWS 3000
#define DAMAGED_ROW 1500

static gchar *directory; /* of all tests of this program */

/* Increasing rows: a prefix and a number of eight bytes. Some have other cells, too, before the
 * usual one, after it, or instead of it; some end differently. */
static guint
make_row (KvsqlArena *arena, guint number, KvsqlMutation *puts)
{
  guint8 *row = kvsql_arena_alloc (arena, 24);
  const gchar *qualifier = number % 89 == 5 ? "g" : "e";
  guint n = 0;
  KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT,
                        .table = S ("t"),
                        .row = kvsql_slice (row, number % 113 == 7 ? 24 : 23),
                        .family = S ("f"),
                        .value = S ("another"),
                        .timestamp = 1 + number };

  memcpy (row, number < N_ROWS / 2 ? "customer-1-day" : "customer-2-day", 15);
  kvsql_put_be64 (row + 15, number);
  row[23] = (guint8)(number % 2);
  if (number % 97 == 3)
    {
      puts[n] = put;
      puts[n++].qualifier = S ("a");
    }
  puts[n] = put;
  puts[n].qualifier = kvsql_slice_from_text (qualifier);
  puts[n++].value = number % 31 == 0 ? KVSQL_SLICE_EMPTY
                                     : kvsql_slice_from_text (kvsql_arena_printf (
                                         arena, "%.*svalue %u", (gint)(number % 40),
                                         "a text that is longer than thirty-two bytes", number));
  if (number % 101 == 4)
    {
      puts[n] = put;
      puts[n++].qualifier = S ("z");
    }
  return n;
}

static void
fill (KvsqlStore *store)
{
  for (guint i = 0; i < N_ROWS; i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;
      KvsqlMutation puts[3];

      assert_done (kvsql_store_apply (store, puts, make_row (arena, i, puts), NULL, &error), error);
    }
}

static KvsqlStore *
open_store (const gchar *name)
{
  g_autofree gchar *url
      = g_strdup_printf ("rocksdb://%s/%s?sync=false&cache_mb=8", directory, name);
  g_autoptr (GError) error = NULL;
  KvsqlStore *store = kvsqld_store_open (url, &error);

  g_assert_no_error (error);
  return store;
}

typedef struct
{
  const gchar *name;
  const gchar *column; /* nullable: all */
  gboolean is_reversed;
  guint64 row_limit;
  guint batch_rows;
  KvsqlTimeRange times;
} Case;

static const Case cases[] = {
  { "all", NULL, FALSE, 0, 0, { 0, 0 } },
  { "one-column", "e", FALSE, 0, 0, { 0, 0 } },
  { "another-column", "z", FALSE, 0, 0, { 0, 0 } },
  { "backwards", NULL, TRUE, 0, 0, { 0, 0 } },
  { "backwards/one-column", "e", TRUE, 0, 0, { 0, 0 } },
  { "small-batches", NULL, FALSE, 0, 7, { 0, 0 } },
  { "batches-of-one", "e", FALSE, 0, 1, { 0, 0 } },
  { "limit", "e", FALSE, 500, 0, { 0, 0 } },
  { "limit/of-a-batch", NULL, FALSE, 64, 64, { 0, 0 } },
  { "limit/backwards", NULL, TRUE, 1030, 100, { 0, 0 } },
  { "of-a-time", "e", FALSE, 0, 0, { 700, 2100 } },
};

/* Everything in a batch's rows that a caller may read. */
static gchar *
read_all (KvsqlStore *store, const Case *one, GError **error)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  KvsqlColumn column = { .family = S ("f") };
  KvsqlScanSpec spec = { .table = S ("t"),
                         .ranges = &everything,
                         .n_ranges = 1,
                         .columns = &column,
                         .n_columns = one->column != NULL,
                         .times = one->times,
                         .is_reversed = one->is_reversed,
                         .row_limit = one->row_limit,
                         .batch_rows = one->batch_rows };
  g_autoptr (KvsqlScan) scan = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  const KvsqlRows *rows = NULL;
  guint64 n_rows = 0;

  if (one->column != NULL)
    column.qualifier = kvsql_slice_from_text (one->column);
  scan = kvsql_store_open_scan (store, &spec, NULL, error);
  do
    {
      if (!kvsql_scan_next (scan, NULL, &rows, error))
        return NULL;
      g_assert_true (one->batch_rows == 0 || rows->n_rows <= one->batch_rows);
      n_rows += rows->n_rows;
      contract_append_rows (out, rows);
    }
  while (rows->n_rows > 0);
  g_assert_true (one->row_limit == 0 || n_rows <= one->row_limit);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
test_case (gconstpointer data)
{
  g_autoptr (KvsqlStore) memory = kvsql_memory_store_new ();
  g_autofree gchar *name = g_strdup_printf ("case-%u", (guint)((const Case *)data - cases));
  g_autoptr (KvsqlStore) rocksdb = open_store (name);
  g_autofree gchar *expected = NULL, *found = NULL;
  g_autoptr (GError) error = NULL;

  fill (memory);
  fill (rocksdb);
  expected = read_all (memory, data, &error);
  g_assert_no_error (error);
  found = read_all (rocksdb, data, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpuint (strlen (found), >, 500);
}

/* Replaces a row by an entry that is too short for a timestamp. */
static void
damage (const gchar *path, KvsqlSlice row)
{
  KvsqlBuffer key = { 0 };
  rocksdb_options_t *options = rocksdb_options_create ();
  rocksdb_writeoptions_t *write_options = rocksdb_writeoptions_create ();
  char *cause = NULL;
  rocksdb_t *db = rocksdb_open (options, path, &cause);

  g_assert_cmpstr (cause, ==, NULL);
  kvsqld_rocksdb_key_add_row (&key, 1, row);
  kvsqld_rocksdb_key_add_column (&key, S ("f"), S ("e"));
  rocksdb_put (db, write_options, (const char *)key.data, key.size, "short", 5, &cause);
  g_assert_cmpstr (cause, ==, NULL);
  kvsql_buffer_clear (&key);
  rocksdb_close (db);
  rocksdb_writeoptions_destroy (write_options);
  rocksdb_options_destroy (options);
}

static void
test_damaged (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *path = g_build_filename (directory, "damaged", NULL), *found = NULL;
  g_autoptr (KvsqlStore) store = open_store ("damaged");
  g_autoptr (GError) error = NULL;
  KvsqlMutation puts[3];

  fill (store);
  g_clear_pointer (&store, kvsql_store_close);
  make_row (arena, DAMAGED_ROW, puts);
  damage (path, puts[0].row);
  store = open_store ("damaged");
  found = read_all (store, &cases[0], &error);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
  g_assert_cmpstr (error->message, ==, "an entry of store \"rocksdb\" is damaged");
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  gint status;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("kvsql-same-shape-XXXXXX", &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *path = g_strdup_printf ("/rocksdb/same-shape/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/rocksdb/same-shape/damaged", test_damaged);
  status = g_test_run ();
  kvsql_test_remove_directory (directory);
  g_free (directory);
  return status;
}
