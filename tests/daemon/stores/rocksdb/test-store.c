/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-store.c: RocksDB in addition to the contract: URLs, directories, and the state after
 * a restart.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <rocksdb/c.h>

#include "daemon/stores/stores.h"
#include "tests/contract/files.h"
#include "tests/harness/assert.h"
#include "tests/size.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

static gchar *directory; /* of all tests of this program */

static gchar *
url_of (const gchar *name)
{
  return g_strdup_printf ("rocksdb://%s/%s?sync=false&cache_mb=8", directory, name);
}

static KvsqlStore *
open_store (const gchar *url)
{
  g_autoptr (GError) error = NULL;
  KvsqlStore *store = kvsqld_store_open (url, &error);

  g_assert_no_error (error);
  g_assert_nonnull (store);
  return store;
}

static KvsqlMutation
mutation (KvsqlMutationKind kind, const gchar *table, const gchar *row, const gchar *value,
          gint64 timestamp)
{
  KvsqlMutation result = { .kind = kind,
                           .table = kvsql_slice_from_text (table),
                           .row = kvsql_slice_from_text (row),
                           .value = kvsql_slice_from_text (value),
                           .timestamp = timestamp };

  if (kind != KVSQL_MUTATION_DELETE_ROW)
    {
      result.family = S ("f");
      result.qualifier = S ("q");
    }
  return result;
}

static void
apply (KvsqlStore *store, KvsqlMutation mutation)
{
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_apply (store, &mutation, 1, NULL, &error), error);
}

static void
put (KvsqlStore *store, const gchar *table, const gchar *row, const gchar *value, gint64 timestamp)
{
  apply (store, mutation (KVSQL_MUTATION_PUT, table, row, value, timestamp));
}

/* A thread that reads the start of a table. */
typedef struct
{
  KvsqlStore *store;
  gint is_stopped;
} Taker;

/* "row=value@timestamp row=…", read by a scan. */
static gchar *
content (KvsqlStore *store, const gchar *table)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec
      = { .table = kvsql_slice_from_text (table), .ranges = &everything, .n_ranges = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, NULL, &error);
  GString *out = g_string_new (NULL);
  const KvsqlRows *rows = NULL;

  g_assert_no_error (error);
  while (kvsql_scan_next (scan, NULL, &rows, &error) && rows->n_rows > 0)
    for (guint i = 0; i < rows->n_cells; i++)
      {
        g_string_append (out, out->len > 0 ? " " : "");
        kvsql_append_readable (out, rows->rows[i].key);
        g_string_append_c (out, '=');
        kvsql_append_readable (out, rows->cells[i].value);
        g_string_append_printf (out, "@%" G_GINT64_FORMAT, rows->cells[i].timestamp);
      }
  g_assert_no_error (error);
  return g_string_free (out, FALSE);
}

static void
assert_content (KvsqlStore *store, const gchar *table, const gchar *expected)
{
  g_autofree gchar *found = content (store, table);

  g_assert_cmpstr (found, ==, expected);
}

static void
assert_not_opened (const gchar *url, KvsqlErrorCode code, const gchar *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (kvsqld_store_open (url, &error));
  g_assert_error (error, KVSQL_ERROR, (gint)code);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_nonnull (kvsql_error_get_hint (error));
}

static void
test_bad_urls (void)
{
  static const struct
  {
    const gchar *url;
    const gchar *message;
  } cases[] = {
    { "", "store URL \"\" is not known" },
    { "rocksdb", "store URL \"rocksdb\" is not known" },
    { "nosuch:", "store URL \"nosuch:\" is not known" },
    { "memory:x", "store URL \"memory:x\" is not valid" },
    { "rocksdb:", "store URL \"rocksdb:\" is not valid" },
    { "rocksdb:///", "store URL \"rocksdb:///\" is not valid" },
    { "rocksdb://host/dir", "store URL \"rocksdb://host/dir\" is not valid" },
    { "rocksdb:relative", "store URL \"rocksdb:relative\" is not valid" },
    { "rocksdb:///d#x", "store URL \"rocksdb:///d#x\" is not valid" },
    { "rocksdb:///d?nope=1",
      "option \"nope=1\" of store URL \"rocksdb:///d?nope=1\" is not known" },
    { "rocksdb:///d?sync=maybe",
      "option \"sync=maybe\" of store URL \"rocksdb:///d?sync=maybe\" is not known" },
    { "rocksdb:///d?sync=interval:0",
      "option \"sync=interval:0\" of store URL \"rocksdb:///d?sync=interval:0\" is not known" },
    { "rocksdb:///d?sync=interval:60001",
      "option \"sync=interval:60001\" of store URL \"rocksdb:///d?sync=interval:60001\" is not "
      "known" },
    { "rocksdb:///d?min_free_mb=1048577",
      "option \"min_free_mb=1048577\" of store URL \"rocksdb:///d?min_free_mb=1048577\" is not "
      "known" },
    { "rocksdb:///d?cache_mb=0",
      "option \"cache_mb=0\" of store URL \"rocksdb:///d?cache_mb=0\" is not known" },
    { "rocksdb:///d?cache_mb=-5",
      "option \"cache_mb=-5\" of store URL \"rocksdb:///d?cache_mb=-5\" is not known" },
    { "rocksdb:///d?sync=true&cache_mb=9x",
      "option \"cache_mb=9x\" of store URL \"rocksdb:///d?sync=true&cache_mb=9x\" is not known" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_not_opened (cases[i].url, KVSQL_ERROR_INVALID, cases[i].message);
}

/* An option without a value is invalid; a path may need percent signs. */
static void
test_good_urls (void)
{
  g_autofree gchar *url = g_strdup_printf ("rocksdb://%s/with%%20space?sync=true", directory);
  g_autofree gchar *path = g_build_filename (directory, "with space", NULL);
  G_GNUC_UNUSED g_autoptr (KvsqlStore) memory = open_store ("memory:");
  g_autoptr (KvsqlStore) store = open_store (url);
  GStatBuf status;

  put (store, "t", "r", "v", 1);
  assert_content (store, "t", "r=v@1");
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
}

static void
test_locked (void)
{
  g_autofree gchar *url = url_of ("locked");
  g_autofree gchar *message = g_strdup_printf (
      "could not open store \"rocksdb\" in \"%s/locked\": directory is in use", directory);
  g_autoptr (KvsqlStore) store = open_store (url);

  assert_not_opened (url, KVSQL_ERROR_STORE, message);
  put (store, "t", "r", "v", 1);
  assert_content (store, "t", "r=v@1");
}

static void
test_not_a_directory (void)
{
  g_autofree gchar *file = g_build_filename (directory, "file", NULL);
  g_autofree gchar *url = url_of ("file/below");
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_assert_null (kvsqld_store_open (url, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
}

static void
test_foreign_database (void)
{
  g_autofree gchar *path = g_build_filename (directory, "foreign", NULL);
  g_autofree gchar *url = url_of ("foreign");
  g_autofree gchar *message
      = g_strdup_printf ("directory \"%s\" holds a database of another program or version", path);
  rocksdb_options_t *options = rocksdb_options_create ();
  rocksdb_writeoptions_t *write_options = rocksdb_writeoptions_create ();
  char *cause = NULL;
  rocksdb_t *db;

  rocksdb_options_set_create_if_missing (options, 1);
  db = rocksdb_open (options, path, &cause);
  g_assert_null (cause);
  rocksdb_put (db, write_options, "key", 3, "value", 5, &cause);
  g_assert_null (cause);
  rocksdb_close (db);
  rocksdb_options_destroy (options);
  rocksdb_writeoptions_destroy (write_options);
  assert_not_opened (url, KVSQL_ERROR_STORE, message);
}

static void
test_reopen (void)
{
  g_autofree gchar *url = url_of ("reopen");

  for (gint64 i = 0; i < 3; i++)
    {
      g_autoptr (KvsqlStore) store = open_store (url);
      g_autofree gchar *value = g_strdup_printf ("%d", (gint)i);

      if (i > 0)
        assert_content (store, "a", i == 1 ? "r=0@1" : "r=1@2");
      put (store, "a", "r", value, i + 1);
      put (store, i == 0 ? "b" : "c", "s", value, i + 1);
    }
  {
    g_autoptr (KvsqlStore) store = open_store (url);
    g_autoptr (GPtrArray) names = kvsql_store_list_tables (store, S (""), NULL, NULL);

    assert_content (store, "a", "r=2@3");
    assert_content (store, "b", "s=0@1");
    assert_content (store, "c", "s=2@3");
    g_assert_cmpuint (names->len, ==, 3);
  }
}

/* After a restart, too, an older put stays invisible, and a newer cell survives a delete. */
static void
test_timestamps_after_reopening (void)
{
  g_autofree gchar *url = url_of ("timestamps");

  {
    g_autoptr (KvsqlStore) store = open_store (url);

    put (store, "t", "r", "new", 1000000);
    put (store, "t", "s", "new", 500000);
  }
  {
    g_autoptr (KvsqlStore) store = open_store (url);

    put (store, "t", "r", "old", 999999);
    apply (store, mutation (KVSQL_MUTATION_DELETE, "t", "s", "", 499999));
    apply (store, mutation (KVSQL_MUTATION_DELETE_ROW, "t", "s", "", 499999));
    assert_content (store, "t", "r=new@1000000 s=new@500000");
    put (store, "t", "r", "newer", 1000001);
    apply (store, mutation (KVSQL_MUTATION_DELETE_ROW, "t", "s", "", 500000));
    assert_content (store, "t", "r=newer@1000001");
  }
}

static void
test_largest_timestamp (void)
{
  g_autofree gchar *url = url_of ("largest");

  {
    g_autoptr (KvsqlStore) store = open_store (url);

    put (store, "t", "r", "last", G_MAXINT64);
  }
  {
    g_autoptr (KvsqlStore) store = open_store (url);

    put (store, "t", "r", "old", G_MAXINT64 - 1);
    assert_content (store, "t", "r=last@9223372036854775807");
    put (store, "t", "r", "again", G_MAXINT64);
    assert_content (store, "t", "r=again@9223372036854775807");
  }
}

/* A dropped table's cells never reappear under the id of a new one. */
static void
test_ids_are_not_reused (void)
{
  g_autofree gchar *url = url_of ("ids");

  {
    g_autoptr (KvsqlStore) store = open_store (url);

    put (store, "old", "r", "v", 1);
    g_assert_true (kvsql_store_drop_table (store, S ("old"), NULL, NULL));
  }
  {
    g_autoptr (KvsqlStore) store = open_store (url);
    g_autoptr (GPtrArray) names = kvsql_store_list_tables (store, S (""), NULL, NULL);

    g_assert_cmpuint (names->len, ==, 0);
    put (store, "new", "s", "v", 1);
    assert_content (store, "new", "s=v@1");
    assert_content (store, "old", "");
  }
}

/* A scan reads the state of the store at its start. */
static void
test_scan_is_a_snapshot (void)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec
      = { .table = S ("t"), .ranges = &everything, .n_ranges = 1, .batch_rows = 1 };
  g_autofree gchar *url = url_of ("snapshot");
  g_autoptr (KvsqlStore) store = open_store (url);
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *rows = NULL;

  put (store, "t", "a", "old", 1);
  put (store, "t", "c", "old", 1);
  scan = kvsql_store_open_scan (store, &spec, NULL, NULL);
  g_assert_true (kvsql_scan_next (scan, NULL, &rows, NULL));
  put (store, "t", "b", "new", 2);
  put (store, "t", "c", "new", 2);
  g_assert_true (kvsql_scan_next (scan, NULL, &rows, NULL));
  g_assert_cmpmem (rows->rows[0].key.data, rows->rows[0].key.size, "c", 1);
  g_assert_cmpmem (rows->cells[0].value.data, rows->cells[0].value.size, "old", 3);
  assert_content (store, "t", "a=old@1 b=new@2 c=new@2");
}

/* ---- filters of files */

#define N_FILTERED 1000

/* Short rows of bytes that keys escape, so that many share a prefix; every second one is put. */
static KvsqlSlice
some_row (KvsqlArena *arena, guint number)
{
  static const guint8 bytes[] = { 0x00, 0x01, 0x02, 0xff };
  KvsqlBuffer row = { 0 };
  KvsqlSlice copy;

  for (guint left = number + 1; left > 0; left = (left - 1) / 4)
    kvsql_buffer_append_byte (&row, bytes[(left - 1) % 4]);
  copy = kvsql_slice_dup (arena, kvsql_buffer_slice (&row));
  kvsql_buffer_clear (&row);
  return copy;
}

static void
put_some_rows (KvsqlStore *store)
{
  static const gchar *const qualifiers[] = { "", "a", "b" };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < N_FILTERED; i += 2)
    for (guint c = 0; c <= i % G_N_ELEMENTS (qualifiers); c++)
      apply (store, (KvsqlMutation){ .kind = KVSQL_MUTATION_PUT,
                                     .table = S ("t"),
                                     .row = some_row (arena, i),
                                     .family = S ("f"),
                                     .qualifier = kvsql_slice_from_text (qualifiers[c]),
                                     .value = S ("v"),
                                     .timestamp = 1 });
}

/* Gets every row, existing or not. Returns the number of reads that a filter avoided. */
static guint64
get_some_rows (KvsqlStore *store, const KvsqlColumn *columns, guint n_columns)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  rocksdb_perfcontext_t *perf = rocksdb_perfcontext_create ();
  guint64 n_spared;

  rocksdb_set_perf_level (rocksdb_enable_count);
  rocksdb_perfcontext_reset (perf);
  for (guint i = 0; i < N_FILTERED; i++)
    {
      KvsqlSlice key = some_row (arena, i);
      guint expected = i % 2 > 0 ? 0 : n_columns == 1 && !columns->whole_family ? 1 : i % 3 + 1;
      KvsqlRows rows;

      g_assert_true (kvsql_store_multi_get (store, S ("t"), &key, 1, columns, n_columns, NULL,
                                            arena, &rows, NULL));
      g_assert_cmpuint (rows.n_cells, ==, expected);
    }
  n_spared = rocksdb_perfcontext_metric (perf, rocksdb_bloom_sst_miss_count);
  rocksdb_set_perf_level (rocksdb_disable);
  rocksdb_perfcontext_destroy (perf);
  return n_spared;
}

/* Rows that do not exist cost no read of a file, by row and by column, and existing ones are
 * found. */
static void
test_filters (void)
{
  static const KvsqlColumn family = { { (const guint8 *)"f", 1 }, { NULL, 0 }, TRUE };
  static const KvsqlColumn column = { { (const guint8 *)"f", 1 }, { NULL, 0 }, FALSE };
  g_autofree gchar *url = url_of ("filters");
  g_autoptr (KvsqlStore) store = open_store (url);

  put_some_rows (store);
  g_clear_pointer (&store, kvsql_store_close);
  store = open_store (url); /* writes a file */
  g_assert_cmpuint (get_some_rows (store, NULL, 0), >, N_FILTERED / 2 * 9 / 10);
  g_assert_cmpuint (get_some_rows (store, &family, 1), >, N_FILTERED / 2 * 9 / 10);
  g_assert_cmpuint (get_some_rows (store, &column, 1), >, N_FILTERED / 2 * 9 / 10);
}

/* Rewrites the database as an old version did, with a filter of cells instead of rows. */
static void
rewrite_with_filters_of_cells (const gchar *path)
{
  rocksdb_options_t *options = rocksdb_options_create ();
  rocksdb_block_based_table_options_t *blocks = rocksdb_block_based_options_create ();
  char *cause = NULL;
  rocksdb_t *db;

  rocksdb_block_based_options_set_filter_policy (blocks,
                                                 rocksdb_filterpolicy_create_bloom_full (10));
  rocksdb_options_set_block_based_table_factory (options, blocks);
  rocksdb_options_set_compression (options, rocksdb_no_compression);
  db = rocksdb_open (options, path, &cause);
  g_assert_cmpstr (cause, ==, NULL);
  rocksdb_compact_range (db, NULL, 0, NULL, 0);
  rocksdb_close (db);
  rocksdb_block_based_options_destroy (blocks);
  rocksdb_options_destroy (options);
}

/* Files of old versions are read without a filter. */
static void
test_filters_of_before (void)
{
  static const KvsqlColumn column = { { (const guint8 *)"f", 1 }, { NULL, 0 }, FALSE };
  g_autofree gchar *url = url_of ("filters-of-before");
  g_autofree gchar *path = g_build_filename (directory, "filters-of-before", NULL);
  g_autoptr (KvsqlStore) store = open_store (url);

  put_some_rows (store);
  g_clear_pointer (&store, kvsql_store_close);
  rewrite_with_filters_of_cells (path);
  store = open_store (url);
  g_assert_cmpuint (get_some_rows (store, NULL, 0), ==, 0);
  g_assert_cmpuint (get_some_rows (store, &column, 1), ==, 0);
}

/* ---- tombstone ranges */

#define N_TOMBSTONES 6000
#define N_ROUNDS 8
#define N_LOOKS 10
#define SOON_US (60 * G_TIME_SPAN_SECOND)

/* Puts or deletes N_TOMBSTONES rows from @first on. */
static void
change_rows (KvsqlStore *store, guint first, KvsqlMutationKind kind)
{
  for (guint i = first; i < first + N_TOMBSTONES; i++)
    {
      g_autofree gchar *row = g_strdup_printf ("%05u", i);

      apply (store, mutation (kind, "t", row, "v", 1));
    }
}

/* The first row, and the number of tombstones that were stepped over to find it. */
static gchar *
first_row (KvsqlStore *store, gboolean is_reversed, guint64 *out_skipped)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec = { .table = S ("t"),
                               .ranges = &everything,
                               .n_ranges = 1,
                               .row_limit = 1,
                               .is_reversed = is_reversed };
  rocksdb_perfcontext_t *perf = rocksdb_perfcontext_create ();
  guint64 before = rocksdb_perfcontext_metric (perf, rocksdb_internal_delete_skipped_count);
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, NULL, NULL);
  const KvsqlRows *rows = NULL;

  *out_skipped = rocksdb_perfcontext_metric (perf, rocksdb_internal_delete_skipped_count) - before;
  rocksdb_perfcontext_destroy (perf);
  g_assert_true (kvsql_scan_next (scan, NULL, &rows, NULL));
  if (rows->n_rows == 0)
    return NULL;
  return g_strndup ((const gchar *)rows->rows[0].key.data, rows->rows[0].key.size);
}

static void
assert_first_soon (KvsqlStore *store, gboolean is_reversed, const gchar *expected)
{
  gint64 end_us = g_get_monotonic_time () + SOON_US;
  guint64 n_skipped;

  do
    {
      g_autofree gchar *row = first_row (store, is_reversed, &n_skipped);

      g_assert_cmpstr (row, ==, expected);
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
    }
  while (n_skipped > 0);
}

/* A scan that has stepped over many tombstones covers them for later scans, from either end. */
static void
test_tombstones (void)
{
  g_autofree gchar *url = url_of ("tombstones");
  g_autoptr (KvsqlStore) store = open_store (url);
  g_autoptr (KvsqlScan) before = NULL;
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec = { .table = S ("t"), .ranges = &everything, .n_ranges = 1 };
  const KvsqlRows *rows = NULL;
  guint n_rows = 0;

  change_rows (store, 0, KVSQL_MUTATION_PUT);
  put (store, "t", "10000", "first", 1);
  put (store, "t", "10001", "last", 1);
  change_rows (store, 20000, KVSQL_MUTATION_PUT);
  before = kvsql_store_open_scan (store, &spec, NULL, NULL);
  change_rows (store, 0, KVSQL_MUTATION_DELETE);
  change_rows (store, 20000, KVSQL_MUTATION_DELETE);
  assert_first_soon (store, FALSE, "10000");
  assert_first_soon (store, TRUE, "10001");

  /* only the deleted rows are gone, and later ones are visible */
  assert_content (store, "t", "10000=first@1 10001=last@1");
  put (store, "t", "00007", "later", 1);
  assert_content (store, "t", "00007=later@1 10000=first@1 10001=last@1");
  while (kvsql_scan_next (before, NULL, &rows, NULL) && rows->n_rows > 0)
    n_rows += rows->n_rows;
  g_assert_cmpuint (n_rows, ==, 2 * N_TOMBSTONES + 2);
  g_clear_pointer (&before, kvsql_scan_close);

  apply (store, mutation (KVSQL_MUTATION_DELETE, "t", "00007", "", 1));
  apply (store, mutation (KVSQL_MUTATION_DELETE, "t", "10000", "", 1));
  apply (store, mutation (KVSQL_MUTATION_DELETE, "t", "10001", "", 1));
  g_clear_pointer (&store, kvsql_store_close);
  store = open_store (url);
  assert_content (store, "t", "");
}

static gpointer
scan_until_stopped (gpointer data)
{
  Taker *self = data;
  guint64 n_skipped;

  while (!g_atomic_int_get (&self->is_stopped))
    g_free (first_row (self->store, FALSE, &n_skipped));
  return NULL;
}

/* Puts a row into the covered range, checks that it exists, and removes it again. */
static gpointer
keep_until_stopped (gpointer data)
{
  const KvsqlColumn column = { S ("f"), S ("q"), FALSE };
  Taker *self = data;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; !g_atomic_int_get (&self->is_stopped); i++)
    {
      g_autofree gchar *row = g_strdup_printf ("%05ux", i * 7919 % N_TOMBSTONES);
      KvsqlSlice key = kvsql_slice_from_text (row);
      KvsqlRows rows;

      put (self->store, "t", row, "kept", 1);
      for (guint looks = 0; looks < N_LOOKS; looks++)
        {
          g_assert_true (kvsql_store_multi_get (self->store, S ("t"), &key, 1, &column, 1, NULL,
                                                arena, &rows, NULL));
          g_assert_cmpuint (rows.n_cells, ==, 1);
          kvsql_arena_reset (arena);
        }
      apply (self->store, mutation (KVSQL_MUTATION_DELETE, "t", row, "", 1));
    }
  return NULL;
}

/* A row that is put into a range while that is being covered is not deleted. */
static void
test_tombstones_under_load (void)
{
  g_autofree gchar *url = url_of ("tombstones-under-load");
  g_autoptr (KvsqlStore) store = open_store (url);
  Taker taker = { store, 0 };
  GThread *threads[] = { g_thread_new ("taker", scan_until_stopped, &taker),
                         g_thread_new ("keeper", keep_until_stopped, &taker) };

  for (guint round = 0; round < test_size (N_ROUNDS, 2); round++)
    {
      change_rows (store, 0, KVSQL_MUTATION_PUT);
      change_rows (store, 0, KVSQL_MUTATION_DELETE);
    }
  g_atomic_int_set (&taker.is_stopped, 1);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  assert_content (store, "t", "");
}

#define N_WRITERS 4
#define N_TABLES 30

typedef struct
{
  KvsqlStore *store;
  gchar row[2];
  gint *is_stopped;
} Writer;

static gpointer
write_until_stopped (gpointer data)
{
  Writer *self = data;

  for (gint64 i = 1; !g_atomic_int_get (self->is_stopped); i++)
    put (self->store, "busy", self->row, "v", i);
  return NULL;
}

/* Tables are created and dropped while others write without a pause: each operation must finish. */
static void
test_tables_under_load (void)
{
  g_autofree gchar *url = url_of ("load");
  g_autoptr (KvsqlStore) store = open_store (url);
  Writer writers[N_WRITERS];
  GThread *threads[N_WRITERS];
  gint is_stopped = 0;

  for (guint i = 0; i < N_WRITERS; i++)
    {
      writers[i] = (Writer){ store, { (gchar)('a' + i), '\0' }, &is_stopped };
      threads[i] = g_thread_new ("writer", write_until_stopped, &writers[i]);
    }
  for (guint i = 0; i < N_TABLES; i++)
    {
      put (store, "passing", "r", "v", 1);
      g_assert_true (kvsql_store_drop_table (store, S ("passing"), NULL, NULL));
    }
  g_atomic_int_set (&is_stopped, 1);
  for (guint i = 0; i < N_WRITERS; i++)
    g_thread_join (threads[i]);
}

/* ---- deleted rows */

#define N_DELETED 2000

/* The start of a queue is full of deleted rows: getting one of them must not cost more than getting
 * one that exists. */
static void
test_get_deleted (void)
{
  g_autofree gchar *url = url_of ("deleted");
  g_autoptr (KvsqlStore) store = open_store (url);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  const KvsqlSlice keys[] = { S ("0000"), S ("0700"), S ("1400"), S ("z") };
  KvsqlRows rows;
  rocksdb_perfcontext_t *perf;

  put (store, "t", "z", "last", 1);
  for (guint i = 0; i < N_DELETED; i++)
    {
      g_autofree gchar *row = g_strdup_printf ("%04u", i);
      put (store, "t", row, "v", 1);
      apply (store, mutation (KVSQL_MUTATION_DELETE_ROW, "t", row, "", 2));
    }

  rocksdb_set_perf_level (rocksdb_enable_count);
  perf = rocksdb_perfcontext_create ();
  rocksdb_perfcontext_reset (perf);
  g_assert_true (kvsql_store_multi_get (store, S ("t"), keys, G_N_ELEMENTS (keys), NULL, 0, NULL,
                                        arena, &rows, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (rocksdb_perfcontext_metric (perf, rocksdb_internal_delete_skipped_count), <=,
                    G_N_ELEMENTS (keys));
  rocksdb_perfcontext_destroy (perf);
  rocksdb_set_perf_level (rocksdb_disable);

  g_assert_cmpuint (rows.n_rows, ==, G_N_ELEMENTS (keys));
  g_assert_cmpuint (rows.n_cells, ==, 1);
  g_assert_cmpuint (rows.rows[3].n_cells, ==, 1);
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("kvsql-rocksdb-XXXXXX", NULL);
  g_test_add_func ("/rocksdb/url/bad", test_bad_urls);
  g_test_add_func ("/rocksdb/url/good", test_good_urls);
  g_test_add_func ("/rocksdb/open/locked", test_locked);
  g_test_add_func ("/rocksdb/open/not-a-directory", test_not_a_directory);
  g_test_add_func ("/rocksdb/open/foreign-database", test_foreign_database);
  g_test_add_func ("/rocksdb/reopen/content", test_reopen);
  g_test_add_func ("/rocksdb/reopen/timestamps", test_timestamps_after_reopening);
  g_test_add_func ("/rocksdb/reopen/largest-timestamp", test_largest_timestamp);
  g_test_add_func ("/rocksdb/reopen/ids-are-not-reused", test_ids_are_not_reused);
  g_test_add_func ("/rocksdb/get/deleted-rows", test_get_deleted);
  g_test_add_func ("/rocksdb/get/filters", test_filters);
  g_test_add_func ("/rocksdb/get/filters-of-old-versions", test_filters_of_before);
  g_test_add_func ("/rocksdb/scan/tombstones", test_tombstones);
  g_test_add_func ("/rocksdb/scan/tombstones-under-load", test_tombstones_under_load);
  g_test_add_func ("/rocksdb/scan/snapshot", test_scan_is_a_snapshot);
  g_test_add_func ("/rocksdb/tables/made-and-dropped-under-load", test_tables_under_load);
  status = g_test_run ();
  kvsql_test_remove_directory (directory);
  g_free (directory);
  return status;
}
