/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-live.c: tests that need a real HBase, in addition to the contract: gateways that are
 * killed, stopped or use another transport, scanners that expire, requests at the limits.
 *
 * KVSQL_TEST_HBASE_DIR is the directory of an HBase that tests/live/hbase started,
 * KVSQL_TEST_HBASE_URL its output; without them the tests are skipped.
 */
#include "config.h"

#include "daemon/stores/stores.h"
#include "tests/harness/assert.h"
#include "tests/harness/live-gateway.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define N_ROWS 3000

/* ---- a store and a table for each test */

static KvsqlStore *open_store (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

static KvsqlStore *
open_store (const gchar *format, ...)
{
  g_autofree gchar *url = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlStore *store;
  va_list arguments;

  va_start (arguments, format);
  url = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  store = kvsqld_store_open (url, &error);
  g_assert_no_error (error);
  return store;
}

static void
make_table (KvsqlStore *store, KvsqlSlice name)
{
  const KvsqlSlice family = S ("f");
  const KvsqlTableSpec spec = { .name = name, .families = &family, .n_families = 1 };
  g_autoptr (GError) error = NULL;

  ignore_result (kvsql_store_drop_table (store, name, NULL, NULL));
  assert_done (kvsql_store_ensure_table (store, &spec, NULL, NULL, &error), error);
}

static void
drop_table (KvsqlStore *store, KvsqlSlice name)
{
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_drop_table (store, name, NULL, &error), error);
}

/* Rows 00000, 00001 …, each with one value of @value_size bytes. */
static gboolean
put_rows (KvsqlStore *store, KvsqlSlice table, guint n, gsize value_size, GError **error)
{
  g_autofree KvsqlMutation *puts = g_new0 (KvsqlMutation, n);
  g_autofree gchar *value = g_strnfill (value_size, 'v');
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < n; i++)
    puts[i] = (KvsqlMutation){
      .kind = KVSQL_MUTATION_PUT,
      .table = table,
      .row = kvsql_slice_from_text (kvsql_arena_printf (arena, "%05u", i)),
      .family = S ("f"),
      .qualifier = S ("q"),
      .value = kvsql_slice (value, value_size),
      .timestamp = 1,
    };
  return kvsql_store_apply (store, puts, n, NULL, error);
}

static KvsqlScan *
open_scan (KvsqlStore *store, KvsqlSlice table, gboolean is_reversed, guint batch_rows)
{
  const KvsqlRowRange all = { 0 };
  const KvsqlScanSpec spec = { .table = table,
                               .ranges = &all,
                               .n_ranges = 1,
                               .is_reversed = is_reversed,
                               .batch_rows = batch_rows };

  return kvsql_store_open_scan (store, &spec, NULL, NULL);
}

/* Reads a batch; every row must be the next one. */
static void
assert_batch (KvsqlScan *scan, gboolean is_reversed, guint *n_seen)
{
  const KvsqlRows *rows = NULL;
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
  for (guint i = 0; i < rows->n_rows; i++)
    {
      guint number = is_reversed ? N_ROWS - 1 - *n_seen : *n_seen;
      g_autofree gchar *key = g_strdup_printf ("%05u", number);

      g_assert_cmpmem (rows->rows[i].key.data, rows->rows[i].key.size, key, 5);
      (*n_seen)++;
    }
}

static void
assert_rest (KvsqlScan *scan, gboolean is_reversed, guint n_seen)
{
  guint before;

  do
    {
      before = n_seen;
      assert_batch (scan, is_reversed, &n_seen);
    }
  while (n_seen > before);
  g_assert_cmpuint (n_seen, ==, N_ROWS);
}

/* ---- the tests */

static void
look_for_transport (const KvsqlFact *fact, gpointer data)
{
  if (strcmp (fact->name, "transport") == 0)
    *(gchar **)data = g_strdup (fact->text);
}

/* The transport need not be configured. */
static void
test_found_transport (const LiveGateway *gateway, const gchar *expected)
{
  g_autoptr (KvsqlStore) store = open_store ("hbase://%s", gateway->address);
  g_autofree gchar *found = NULL;
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_ping (store, NULL, &error), error);
  kvsql_store_report (store, look_for_transport, &found);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_wrong_transport (void)
{
  static const gchar *const settings[]
      = { "framed=false&protocol=binary", "framed=true&protocol=binary",
          "framed=false&protocol=compact", "framed=true&protocol=compact" };
  static const gchar *const options[][2] = {
    { NULL, NULL }, { "--selector", NULL }, { "--compact", NULL }, { "--framed", "--compact" }
  };

  for (guint server = 0; server < G_N_ELEMENTS (options); server++)
    {
      g_auto (LiveGateway) gateway = { 0 };
      g_autofree gchar *right = g_strdup_printf ("It speaks %s:", settings[server]);

      live_gateway_start (&gateway, options[server][0], options[server][1]);
      for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
        {
          g_autoptr (KvsqlStore) store = open_store ("hbase://%s?%s&timeout_ms=%d", gateway.address,
                                                     settings[i], i == server ? 30000 : 1000);
          g_autoptr (GError) error = NULL;

          if (i == server)
            {
              assert_done (kvsql_store_ping (store, NULL, &error), error);
              continue;
            }
          g_assert_false (kvsql_store_ping (store, NULL, &error));
          g_test_message ("%s (%s)", error->message, settings[i]);
          g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
          g_assert_nonnull (strstr (kvsql_error_get_hint (error), right));
        }
      test_found_transport (&gateway, settings[server]);
    }
}

/* The scanners are lost with their gateway; new ones continue from the same row. */
static void
test_gateway_killed_during_scans (void)
{
  g_auto (LiveGateway) first = { 0 };
  g_auto (LiveGateway) second = { 0 };
  g_autoptr (KvsqlStore) store = NULL;
  g_autoptr (KvsqlScan) forward = NULL;
  g_autoptr (KvsqlScan) reversed = NULL;
  guint n_forward = 0, n_reversed = 0;

  live_gateway_start (&first, NULL, NULL);
  live_gateway_start (&second, NULL, NULL);
  store = open_store ("hbase://%s,%s", first.address, second.address);
  make_table (store, S ("kvsql-live-killed"));
  g_assert_true (put_rows (store, S ("kvsql-live-killed"), N_ROWS, 10, NULL));
  forward = open_scan (store, S ("kvsql-live-killed"), FALSE, 100);
  reversed = open_scan (store, S ("kvsql-live-killed"), TRUE, 100);
  for (guint i = 0; i < 3; i++)
    {
      assert_batch (forward, FALSE, &n_forward);
      assert_batch (reversed, TRUE, &n_reversed);
    }
  live_gateway_signal (&first, SIGKILL);
  assert_rest (forward, FALSE, n_forward);
  assert_rest (reversed, TRUE, n_reversed);
  drop_table (store, S ("kvsql-live-killed"));
}

static void
test_scanner_expires (void)
{
  g_auto (LiveGateway) gateway = { 0 };
  g_autoptr (KvsqlStore) store = NULL;
  g_autoptr (KvsqlScan) scan = NULL;
  guint n_seen = 0;

  live_gateway_start (&gateway, "--set", "hbase.client.scanner.timeout.period=500");
  store = open_store ("%s", gateway.url);
  make_table (store, S ("kvsql-live-expired"));
  g_assert_true (put_rows (store, S ("kvsql-live-expired"), N_ROWS, 10, NULL));
  scan = open_scan (store, S ("kvsql-live-expired"), FALSE, 1000);
  assert_batch (scan, FALSE, &n_seen);
  g_usleep (1500 * 1000);
  assert_rest (scan, FALSE, n_seen);
  drop_table (store, S ("kvsql-live-expired"));
}

/* SIGSTOP: connections stay open, but nothing is answered. */
static void
test_gateway_stopped (void)
{
  g_auto (LiveGateway) gateway = { 0 };
  g_autoptr (KvsqlStore) store = NULL;
  g_autoptr (GError) error = NULL;
  const KvsqlMutation put
      = { KVSQL_MUTATION_PUT, S ("kvsql-live-stopped"), S ("r"), S ("f"), S ("q"), S ("v"), 1 };
  KvsqlCall call;

  live_gateway_start (&gateway, NULL, NULL);
  store = open_store ("%s", gateway.url);
  make_table (store, S ("kvsql-live-stopped"));
  live_gateway_signal (&gateway, SIGSTOP);
  call = (KvsqlCall){ .deadline_us = g_get_monotonic_time () + 300 * 1000 };
  g_assert_false (kvsql_store_apply (store, &put, 1, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_clear_error (&error);
  call = (KvsqlCall){ .deadline_us = g_get_monotonic_time () + 300 * 1000 };
  g_assert_false (kvsql_store_ping (store, &call, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_clear_error (&error);
  live_gateway_signal (&gateway, SIGCONT);
  g_assert_true (kvsql_store_apply (store, &put, 1, NULL, &error));
  g_assert_no_error (error);
  drop_table (store, S ("kvsql-live-stopped"));
}

static KvsqlMutation
put_large (KvsqlSlice qualifier, KvsqlSlice value)
{
  return (KvsqlMutation){
    KVSQL_MUTATION_PUT, S ("kvsql-live-large"), S ("r"), S ("f"), qualifier, value, 1
  };
}

/* A framed server closes the connection at 2 MiB: batches are divided, a row that is too large is
 * rejected here. */
static void
test_framed_limit (void)
{
  g_auto (LiveGateway) gateway = { 0 };
  g_autoptr (KvsqlStore) store = NULL;
  g_autofree gchar *bytes = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlMutation puts[2];
  KvsqlSlice large;

  live_gateway_start (&gateway, "--framed", "--compact");
  store = open_store ("%s", gateway.url);
  make_table (store, S ("kvsql-live-large"));
  put_rows (store, S ("kvsql-live-large"), N_ROWS, 2000, &error);
  g_assert_no_error (error);

  large.size = store->capabilities.max_value_bytes;
  large.data = (guint8 *)(bytes = g_strnfill (large.size, 'l'));
  puts[0] = put_large (S ("a"), large);
  puts[1] = put_large (S ("b"), large);
  assert_done (kvsql_store_apply (store, puts, 1, NULL, &error), error);
  g_assert_false (kvsql_store_apply (store, puts, 2, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_nonnull (kvsql_error_get_hint (error));
  drop_table (store, S ("kvsql-live-large"));
}

static void
test_largest_value (void)
{
  g_autoptr (KvsqlStore) store = open_store ("%s", g_getenv ("KVSQL_TEST_HBASE_URL"));
  g_autofree gchar *bytes = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlMutation put;

  make_table (store, S ("kvsql-live-large"));
  bytes = g_strnfill (store->capabilities.max_value_bytes, 'l');
  put = put_large (S ("a"), kvsql_slice (bytes, store->capabilities.max_value_bytes));
  assert_done (kvsql_store_apply (store, &put, 1, NULL, &error), error);
  drop_table (store, S ("kvsql-live-large"));
}

static void
test_missing_family (void)
{
  g_autoptr (KvsqlStore) store = open_store ("%s", g_getenv ("KVSQL_TEST_HBASE_URL"));
  const KvsqlMutation put
      = { KVSQL_MUTATION_PUT, S ("kvsql-live-family"), S ("r"), S ("zz"), S ("q"), S ("v"), 1 };
  const KvsqlColumn column = { S ("zz"), KVSQL_SLICE_EMPTY, TRUE };
  const KvsqlSlice key = S ("r");
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) write_error = NULL;
  g_autoptr (GError) read_error = NULL;
  KvsqlRows rows;
  const gchar *expected
      = "column family \"zz\" does not exist in table \"kvsql-live-family\" of the store";

  make_table (store, S ("kvsql-live-family"));
  g_assert_false (kvsql_store_apply (store, &put, 1, NULL, &write_error));
  g_assert_cmpstr (write_error->message, ==, expected);
  g_assert_error (write_error, KVSQL_ERROR, KVSQL_ERROR_STORE);
  g_assert_nonnull (
      strstr (kvsql_error_get_hint (write_error), "alter 'kvsql-live-family', NAME => 'zz'"));
  g_assert_false (kvsql_store_multi_get (store, put.table, &key, 1, &column, 1, NULL, arena, &rows,
                                         &read_error));
  g_assert_cmpstr (read_error->message, ==, expected);
  drop_table (store, S ("kvsql-live-family"));
}

static void
assert_described (LiveAdmin *admin, const gchar *table, const gchar *wanted)
{
  g_autofree gchar *command = g_strdup_printf ("describe %s", table);
  g_autofree gchar *answer = live_admin_ask (admin, command);

  g_assert_nonnull (strstr (answer, wanted));
}

/* All options reach HBase; an existing table does not change. */
static void
test_table_with_everything (void)
{
  g_autoptr (KvsqlStore) store = open_store ("%s", g_getenv ("KVSQL_TEST_HBASE_URL"));
  const KvsqlSlice families[] = { S ("f"), S ("g") };
  const KvsqlSlice splits[] = { S ("01000"), S ("02000") };
  KvsqlTableSpec spec = { .name = S ("kvsql-live-split"),
                          .families = families,
                          .n_families = 2,
                          .splits = splits,
                          .n_splits = 2,
                          .compression = "gz",
                          .bloom = "ROWCOL",
                          .block_encoding = "FAST_DIFF",
                          .versions = 3,
                          .ttl_seconds = 86400 };
  g_auto (LiveAdmin) admin = { 0 };
  g_autofree gchar *n_regions = NULL;
  G_GNUC_UNUSED g_autoptr (KvsqlScan) scan = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_created = FALSE;

  ignore_result (kvsql_store_drop_table (store, spec.name, NULL, NULL));
  g_assert_true (kvsql_store_ensure_table (store, &spec, NULL, &is_created, &error));
  g_assert_true (is_created);
  live_admin_start (&admin);
  assert_described (&admin, "kvsql-live-split", "COMPRESSION => 'GZ'");
  assert_described (&admin, "kvsql-live-split", "BLOOMFILTER => 'ROWCOL'");
  assert_described (&admin, "kvsql-live-split", "DATA_BLOCK_ENCODING => 'FAST_DIFF'");
  assert_described (&admin, "kvsql-live-split", "VERSIONS => '3'");
  assert_described (&admin, "kvsql-live-split", "TTL => '86400");
  n_regions = live_admin_ask (&admin, "count kvsql-live-split");
  g_assert_cmpstr (n_regions, ==, "ok 3");
  spec.bloom = "NONE";
  spec.versions = 1;
  g_assert_true (kvsql_store_ensure_table (store, &spec, NULL, &is_created, &error));
  g_assert_false (is_created);
  assert_described (&admin, "kvsql-live-split", "BLOOMFILTER => 'ROWCOL'");
  assert_described (&admin, "kvsql-live-split", "VERSIONS => '3'");
  g_assert_true (put_rows (store, spec.name, 0, 1, NULL));
  spec.name = S ("kvsql live");
  g_assert_false (kvsql_store_ensure_table (store, &spec, NULL, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
  drop_table (store, S ("kvsql-live-split"));
}

/* ---- a table that two clients make */

#define N_MAKERS 3

static gpointer
make_and_put (gpointer data)
{
  const gchar *name = data;
  g_autoptr (KvsqlStore) store = open_store ("%s", g_getenv ("KVSQL_TEST_HBASE_URL"));
  const KvsqlSlice family = S ("f");
  const KvsqlTableSpec spec
      = { .name = kvsql_slice_from_text (name), .families = &family, .n_families = 1 };
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_ensure_table (store, &spec, NULL, NULL, &error), error);
  assert_done (put_rows (store, spec.name, 1, 1, &error), error);
  return NULL;
}

/* A client that did not make it can use it at once, too. */
static void
test_two_makers (void)
{
  g_autoptr (KvsqlStore) store = open_store ("%s", g_getenv ("KVSQL_TEST_HBASE_URL"));

  for (guint i = 0; i < 4; i++)
    {
      g_autofree gchar *name = g_strdup_printf ("kvsql-live-makers-%u", i);
      GThread *threads[N_MAKERS];

      ignore_result (kvsql_store_drop_table (store, kvsql_slice_from_text (name), NULL, NULL));
      for (guint t = 0; t < N_MAKERS; t++)
        threads[t] = g_thread_new ("maker", make_and_put, name);
      for (guint t = 0; t < N_MAKERS; t++)
        g_thread_join (threads[t]);
      drop_table (store, kvsql_slice_from_text (name));
    }
}

static void
skip (void)
{
  g_test_skip ("no HBase: KVSQL_TEST_HBASE_DIR and KVSQL_TEST_HBASE_URL are not set");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (live_hbase_folder () == NULL || g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    {
      g_test_add_func ("/hbase/live", skip);
      return g_test_run ();
    }
  g_test_add_func ("/hbase/live/wrong-transport", test_wrong_transport);
  g_test_add_func ("/hbase/live/gateway-killed-during-scans", test_gateway_killed_during_scans);
  g_test_add_func ("/hbase/live/scanner-expires", test_scanner_expires);
  g_test_add_func ("/hbase/live/gateway-stopped", test_gateway_stopped);
  g_test_add_func ("/hbase/live/framed-limit", test_framed_limit);
  g_test_add_func ("/hbase/live/largest-value", test_largest_value);
  g_test_add_func ("/hbase/live/missing-family", test_missing_family);
  g_test_add_func ("/hbase/live/table-with-everything", test_table_with_everything);
  g_test_add_func ("/hbase/live/two-makers", test_two_makers);
  return g_test_run ();
}
