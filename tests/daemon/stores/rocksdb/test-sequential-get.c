/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-sequential-get.c: many rows by key, adjacent or not, equal the single gets.
 */
#include "config.h"

#include <rocksdb/c.h>

#include "daemon/stores/stores.h"
#include "tests/contract/files.h"
#include "tests/harness/assert.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define N_ROWS 4000
#define DELETED_FROM 1000 /* a range of tombstones over which no search for a row should step */
#define DELETED_TO 2000
#define MOST_DELETIONS 100 /* over which a sequential get may step */
#define THIN_FROM 3000     /* here every second row has no second cell */

static KvsqlStore *store; /* for all tests, which only read */

static const KvsqlColumn columns[] = { { S ("f"), S ("a"), FALSE }, { S ("f"), S ("c"), FALSE } };

static KvsqlSlice
row_key (KvsqlArena *arena, guint number)
{
  return kvsql_slice_from_text (kvsql_arena_printf (arena, "%06u", number));
}

static void
apply (KvsqlMutation *mutations, guint n)
{
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_apply (store, mutations, n, NULL, &error), error);
}

static void
put_row (KvsqlArena *arena, guint number)
{
  KvsqlSlice row = row_key (arena, number), value = row_key (arena, number * 7);
  KvsqlMutation puts[] = {
    { KVSQL_MUTATION_PUT, S ("t"), row, S ("f"), S ("a"), value, 1 },
    { KVSQL_MUTATION_PUT, S ("t"), row, S ("f"), S ("b"), S ("not wanted"), 1 },
    { KVSQL_MUTATION_PUT, S ("t"), row, S ("f"), S ("c"), row, 1 },
  };

  apply (puts, number >= THIN_FROM && number % 2 == 1 ? 2 : 3);
}

static void
fill (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < N_ROWS; i++)
    put_row (arena, i * 2); /* rows with odd numbers do not exist */
  for (guint i = DELETED_FROM; i < DELETED_TO; i++)
    {
      KvsqlMutation gone = { .kind = KVSQL_MUTATION_DELETE_ROW,
                             .table = S ("t"),
                             .row = row_key (arena, i * 2),
                             .timestamp = 2 };
      apply (&gone, 1);
    }
}

static KvsqlRows
get (const KvsqlSlice *keys, guint n, guint n_columns, KvsqlArena *arena)
{
  g_autoptr (GError) error = NULL;
  KvsqlRows rows = { 0 };

  assert_done (kvsql_store_multi_get (store, S ("t"), keys, n, columns, n_columns, NULL, arena,
                                      &rows, &error),
               error);
  return rows;
}

static void
assert_same_row (const KvsqlRows *rows, guint row, const KvsqlRows *expected)
{
  const KvsqlRow *found = &rows->rows[row], *wanted = &expected->rows[0];

  g_assert_true (kvsql_slice_equal (found->key, wanted->key));
  g_assert_cmpuint (found->n_cells, ==, wanted->n_cells);
  for (guint c = 0; c < found->n_cells; c++)
    {
      const KvsqlCell *cell = &rows->cells[found->first_cell + c], *other = &expected->cells[c];

      g_assert_true (kvsql_slice_equal (cell->family, other->family));
      g_assert_true (kvsql_slice_equal (cell->qualifier, other->qualifier));
      g_assert_true (kvsql_slice_equal (cell->value, other->value));
      g_assert_cmpint (cell->timestamp, ==, other->timestamp);
    }
}

/* The requested rows: @n of them, each @step after the one before. */
typedef struct
{
  const gchar *name;
  guint first;
  gint step;
  guint n;
  guint n_found;
  guint n_in_sequence; /* of the found ones */
} Case;

static const Case cases[] = {
  { "adjacent", 100, 2, 300, 300, 300 },
  { "every-second-is-there", 100, 1, 300, 150, 150 },
  { "none-is-there", 101, 2, 300, 0, 0 },
  { "far-from-each-other", 0, 40, 40, 40, 0 },
  { "into-deleted-rows", DELETED_FROM * 2 - 100, 2, 300, 50, 50 },
  { "out-of-deleted-rows", DELETED_TO * 2 - 100, 2, 300, 250, 0 },
  { "across-the-end", N_ROWS * 2 - 100, 2, 300, 50, 50 },
  { "after-the-end", N_ROWS * 2, 2, 300, 0, 0 },
  { "thin", THIN_FROM * 2, 2, 300, 300, 300 },
  { "descending", 800, -2, 300, 300, 0 },
  { "the-same-again-and-again", 100, 0, 40, 40, 0 },
  { "few", 100, 2, 3, 3, 0 },
};

static void
test_case (gconstpointer data)
{
  const Case *one = data;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, one->n);

  for (guint i = 0; i < one->n; i++)
    keys[i] = row_key (arena, (guint)((gint)one->first + one->step * (gint)i));
  for (guint n_columns = 1; n_columns <= G_N_ELEMENTS (columns); n_columns++)
    {
      KvsqlRows rows = get (keys, one->n, n_columns, arena);
      guint n_found = 0;

      g_assert_cmpuint (rows.n_rows, ==, one->n);
      for (guint i = 0; i < one->n; i++)
        {
          KvsqlRows alone = get (&keys[i], 1, n_columns, arena);

          assert_same_row (&rows, i, &alone);
          n_found += rows.rows[i].n_cells > 0;
        }
      g_assert_cmpuint (n_found, ==, one->n_found);
    }
}

/* The keys that were stepped over to get the rows, by RocksDB's counters of this thread. */
static guint64
count (const Case *one, int metric)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  rocksdb_perfcontext_t *perf = rocksdb_perfcontext_create ();
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, one->n);
  guint64 n;

  for (guint i = 0; i < one->n; i++)
    keys[i] = row_key (arena, (guint)((gint)one->first + one->step * (gint)i));
  rocksdb_set_perf_level (rocksdb_enable_count);
  rocksdb_perfcontext_reset (perf);
  get (keys, one->n, 1, arena);
  n = rocksdb_perfcontext_metric (perf, metric);
  rocksdb_set_perf_level (rocksdb_disable);
  rocksdb_perfcontext_destroy (perf);
  return n;
}

/* Adjacent rows are found by stepping over two unwanted cells each; a sequential get that finds
 * nothing gives up. */
static void
test_steps (gconstpointer data)
{
  const Case *one = data;
  guint64 steps = count (one, rocksdb_internal_key_skipped_count);

  g_assert_cmpuint (steps + 1, >=, one->n_in_sequence);
  g_assert_cmpuint (steps, <=, 3 * one->n_in_sequence + 8 + MOST_DELETIONS);
}

static void
test_deletions (gconstpointer data)
{
  g_assert_cmpuint (count (data, rocksdb_internal_delete_skipped_count), <=, MOST_DELETIONS);
}

static void
add_cases (const gchar *what, GTestDataFunc func)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *path
          = g_strdup_printf ("/rocksdb/sequential-get/%s/%s", what, cases[i].name);

      g_test_add_data_func (path, &cases[i], func);
    }
}

int
main (int argc, char **argv)
{
  g_autofree gchar *directory = NULL, *url = NULL;
  g_autoptr (GError) error = NULL;
  gint status;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("kvsql-sequential-get-XXXXXX", &error);
  g_assert_no_error (error);
  url = g_strdup_printf ("rocksdb://%s/db?sync=false&cache_mb=8", directory);
  store = kvsqld_store_open (url, &error);
  g_assert_no_error (error);
  fill ();
  add_cases ("rows", test_case);
  add_cases ("steps", test_steps);
  add_cases ("deletions", test_deletions);
  status = g_test_run ();
  kvsql_store_close (store);
  kvsql_test_remove_directory (directory);
  return status;
}
