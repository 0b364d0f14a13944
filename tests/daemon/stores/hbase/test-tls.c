/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-tls.c: gateways of a real HBase in HTTP mode, with TLS and without: detection, trust,
 * the errors if the two ends use different transports, and kept connections. The contract and
 * test-scans run over them too, if KVSQL_TEST_HBASE_URL is the URL of such a gateway.
 *
 * KVSQL_TEST_HBASE_DIR is the directory of an HBase that tests/live/hbase started,
 * KVSQL_TEST_HBASE_URL its output; without them the tests are skipped.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "daemon/stores/stores.h"
#include "tests/harness/assert.h"
#include "tests/harness/live-gateway.h"
#include "tests/harness/relay.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define TABLE S ("kvsql-tls")
#define N_ROWS 3000
#define VALUE_BYTES 1000

/* Started once for all tests, because starting takes most of the time. */
static LiveGateway plain, secure, elsewhere;
static gchar *ca_file;

static KvsqlStore *open_store (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

static KvsqlStore *
open_store (const gchar *format, ...)
{
  g_autofree gchar *rest = NULL;
  g_autofree gchar *url = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlStore *store;
  va_list arguments;

  va_start (arguments, format);
  rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  url = g_strconcat ("hbase://", rest, NULL);
  store = kvsqld_store_open (url, &error);
  g_assert_no_error (error);
  return store;
}

static KvsqlStore *
open_secure (const gchar *authority)
{
  return open_store ("%s?transport=https&tls_ca=%s", authority, ca_file);
}

/* ---- trust and transports */

static void
look_for_transport (const KvsqlFact *fact, gpointer data)
{
  if (strcmp (fact->name, "transport") == 0)
    *(gchar **)data = g_strdup (fact->text);
}

static void
assert_works (KvsqlStore *store, const gchar *transport)
{
  g_autofree gchar *found = NULL;
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_ping (store, NULL, &error), error);
  kvsql_store_report (store, look_for_transport, &found);
  g_assert_cmpstr (found, ==, transport);
}

/* @message and @hint are parts of the error's. */
static void
assert_refused (KvsqlStore *store, const gchar *message, const gchar *hint)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (kvsql_store_ping (store, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_test_message ("%s (%s)", error->message, kvsql_error_get_hint (error));
  g_assert_nonnull (strstr (error->message, message));
  g_assert_nonnull (strstr (kvsql_error_get_hint (error), hint));
}

static void
test_found (void)
{
  g_autoptr (KvsqlStore) http = open_store ("%s", plain.address);
  g_autoptr (KvsqlStore) https = open_store ("%s?tls_ca=%s", secure.address, ca_file);

  assert_works (http, "transport=http");
  assert_works (https, "transport=https");
}

/* After TLS was detected nothing is sent without it. */
static void
test_unknown_authority (void)
{
  g_autoptr (KvsqlStore) by_itself = open_store ("%s", secure.address);
  g_autoptr (KvsqlStore) said = open_store ("%s?transport=https", secure.address);
  g_autoptr (KvsqlStore) unverified = open_store ("%s?tls_verify=none", secure.address);

  assert_refused (by_itself, "is not accepted", "tls_ca=FILE");
  assert_refused (said, "is not accepted", "tls_ca=FILE");
  assert_works (unverified, "transport=https");
}

static void
test_other_authority (void)
{
  g_autofree gchar *folder = g_dir_make_tmp ("kvsql-XXXXXX", NULL);
  g_autofree gchar *empty = g_build_filename (folder, "empty.pem", NULL);
  g_autoptr (KvsqlStore) no_certificate = NULL;

  g_assert_true (g_file_set_contents (empty, "none\n", -1, NULL));
  no_certificate = open_store ("%s?tls_ca=%s", secure.address, empty);
  assert_refused (no_certificate, "no TLS with", "tls_ca in the store's URL must name");
  g_assert_cmpint (g_remove (empty), ==, 0);
  g_assert_cmpint (g_remove (folder), ==, 0);
}

static void
test_wrong_host (void)
{
  g_autoptr (KvsqlStore) full = open_secure (elsewhere.address);
  g_autoptr (KvsqlStore) by_authority
      = open_store ("%s?tls_verify=ca&tls_ca=%s", elsewhere.address, ca_file);

  assert_refused (full, "is not accepted", "tls_verify=ca");
  assert_works (by_authority, "transport=https");
}

static void
test_expired (void)
{
  g_auto (LiveGateway) old = { 0 };
  g_autoptr (KvsqlStore) store = NULL;

  live_gateway_start (&old, "--tls", "--expired");
  store = open_secure (old.address);
  assert_refused (store, "expired", "valid now");
}

static void
test_wrong_transport (void)
{
  g_autofree gchar *bare = live_gateway_first ();
  const struct
  {
    const gchar *address, *settings, *spoken;
  } cases[] = {
    { secure.address, "transport=http", "It speaks transport=https" },
    { secure.address, "framed=false&protocol=binary", "It speaks transport=https" },
    { secure.address, "framed=true&protocol=compact", "It speaks transport=https" },
    { plain.address, "transport=https", "It speaks transport=http:" },
    { plain.address, "framed=true&protocol=binary", "It speaks transport=http:" },
    { bare, "transport=http&timeout_ms=3000", "It speaks framed=false&protocol=binary" },
    { bare, "transport=https&timeout_ms=3000", "It speaks framed=false&protocol=binary" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlStore) store = open_store ("%s?%s", cases[i].address, cases[i].settings);

      g_test_message ("%s", cases[i].settings);
      assert_refused (store, cases[i].address, cases[i].spoken);
    }
}

/* ---- data */

static void
put_rows (KvsqlStore *store)
{
  g_autofree KvsqlMutation *puts = g_new0 (KvsqlMutation, N_ROWS);
  g_autofree gchar *value = g_strnfill (VALUE_BYTES, 'v');
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlSlice family = S ("f");
  const KvsqlTableSpec spec = { .name = TABLE, .families = &family, .n_families = 1 };
  g_autoptr (GError) error = NULL;

  ignore_result (kvsql_store_drop_table (store, TABLE, NULL, NULL));
  assert_done (kvsql_store_ensure_table (store, &spec, NULL, NULL, &error), error);
  for (guint i = 0; i < N_ROWS; i++)
    puts[i] = (KvsqlMutation){
      .kind = KVSQL_MUTATION_PUT,
      .table = TABLE,
      .row = kvsql_slice_from_text (kvsql_arena_printf (arena, "%05u", i)),
      .family = S ("f"),
      .qualifier = S ("q"),
      .value = kvsql_slice (value, VALUE_BYTES),
      .timestamp = 1,
    };
  assert_done (kvsql_store_apply (store, puts, N_ROWS, NULL, &error), error);
}

/* Expects all rows, each once and in order; calls @disturb after the first batch. */
static void
assert_rows (KvsqlStore *store, guint batch_rows, void (*disturb) (gpointer data), gpointer data)
{
  const KvsqlRowRange all = { 0 };
  const KvsqlScanSpec spec
      = { .table = TABLE, .ranges = &all, .n_ranges = 1, .batch_rows = batch_rows };
  const KvsqlRows *rows = NULL;
  g_autoptr (GError) error = NULL;
  KvsqlScan *scan = kvsql_store_open_scan (store, &spec, NULL, &error);
  guint n_seen = 0;

  g_assert_no_error (error);
  do
    {
      assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
      for (guint i = 0; i < rows->n_rows; i++, n_seen++)
        {
          g_autofree gchar *key = g_strdup_printf ("%05u", n_seen);

          g_assert_cmpmem (rows->rows[i].key.data, rows->rows[i].key.size, key, 5);
          g_assert_cmpuint (rows->cells[rows->rows[i].first_cell].value.size, ==, VALUE_BYTES);
        }
      if (disturb != NULL && rows->n_rows > 0)
        {
          disturb (data);
          disturb = NULL;
        }
    }
  while (rows->n_rows > 0);
  g_assert_cmpuint (n_seen, ==, N_ROWS);
  kvsql_scan_close (scan);
}

/* Two megabytes in a page, and one connection for all requests. */
static void
test_big_replies_by_one_connection (void)
{
  Relay *relay = relay_new (secure.address);
  g_autofree gchar *address = g_strdup_printf ("127.0.0.1:%u", relay_get_port (relay));

  {
    g_autoptr (KvsqlStore) store = open_secure (address);

    for (guint i = 0; i < 3; i++)
      assert_rows (store, 0, NULL, NULL);
    for (guint i = 0; i < 50; i++)
      assert_works (store, "transport=https");
    g_assert_cmpuint (relay_get_n_connections (relay), <=, 2);
  }
  relay_free (relay);
}

static void
test_cut_replies (void)
{
  Relay *relay = relay_new (secure.address);
  g_autofree gchar *pair
      = g_strdup_printf ("127.0.0.1:%u,%s", relay_get_port (relay), secure.address);

  {
    g_autoptr (KvsqlStore) store = open_secure (pair);

    for (guint i = 0; i < 5; i++)
      {
        relay_cut_replies (relay, (guint32)g_test_rand_int (), 400000);
        assert_rows (store, 200, NULL, NULL);
      }
    g_assert_cmpuint (relay_get_n_cuts (relay), >, 0);
  }
  relay_free (relay);
}

static void
kill_secure (gpointer data)
{
  live_gateway_signal (&secure, SIGKILL);
}

/* The last test: the gateway is not started again. */
static void
test_gateway_killed (void)
{
  g_autoptr (KvsqlStore) store
      = open_store ("%s,%s?tls_verify=ca&tls_ca=%s", secure.address, elsewhere.address, ca_file);

  assert_rows (store, 200, kill_secure, NULL);
}

static void
skip (void)
{
  g_test_skip ("KVSQL_TEST_HBASE_URL and KVSQL_TEST_HBASE_DIR are not set: no HBase to test with");
}

int
main (int argc, char **argv)
{
  g_autofree gchar *first = NULL;
  KvsqlStore *store;
  gint status;

  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("KVSQL_TEST_HBASE_URL") == NULL || live_hbase_folder () == NULL)
    {
      g_test_add_func ("/hbase/tls", skip);
      return g_test_run ();
    }
  live_gateway_start (&plain, "--http", NULL);
  live_gateway_start (&secure, "--tls", NULL);
  live_gateway_start (&elsewhere, "--tls", "--host=elsewhere.example");
  first = live_gateway_first ();
  ca_file = g_build_filename (live_hbase_folder (), "tls", "ca.pem", NULL);
  store = live_store_open (first);
  put_rows (store);
  g_test_add_func ("/hbase/tls/found", test_found);
  g_test_add_func ("/hbase/tls/unknown-authority", test_unknown_authority);
  g_test_add_func ("/hbase/tls/other-authority", test_other_authority);
  g_test_add_func ("/hbase/tls/wrong-host", test_wrong_host);
  g_test_add_func ("/hbase/tls/expired", test_expired);
  g_test_add_func ("/hbase/tls/wrong-transport", test_wrong_transport);
  g_test_add_func ("/hbase/tls/big-replies-by-one-connection", test_big_replies_by_one_connection);
  g_test_add_func ("/hbase/tls/cut-replies", test_cut_replies);
  g_test_add_func ("/hbase/tls/gateway-killed", test_gateway_killed);
  status = g_test_run ();
  ignore_result (kvsql_store_drop_table (store, TABLE, NULL, NULL));
  kvsql_store_close (store);
  live_gateway_stop (&elsewhere);
  live_gateway_stop (&plain);
  live_gateway_stop (&secure);
  g_free (ca_file);
  return status;
}
