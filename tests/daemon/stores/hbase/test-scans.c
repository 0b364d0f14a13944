/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-scans.c: whatever happens during a scan of a real HBase, each row is returned once, in
 * order and whole, and none is missing: replies are cut at random bytes, scanners expire, gateways
 * are killed and restarted with the same scanner id, regions are split, moved and merged. The next
 * page is requested ahead if it will be needed and no other caller has to wait for the connection.
 *
 * KVSQL_TEST_HBASE_DIR is the directory of an HBase that tests/live/hbase started,
 * KVSQL_TEST_HBASE_URL its output; without them the tests are skipped. With the URL of a gateway
 * that was started with --http or --tls, everything uses that.
 */
#include "config.h"

#include "core/store/filter.h"
#include "daemon/stores/stores.h"
#include "tests/harness/assert.h"
#include "tests/harness/live-gateway.h"
#include "tests/harness/relay.h"
#include "tests/size.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define TABLE S ("kvsql-scans")
#define N_ROWS 6000
#define LARGEST_CUT 150000
#define PAUSES_US (100 * G_TIME_SPAN_MILLISECOND)

/* ---- the table: rows 00000 … 05999; each has f:a = f:b = its number, and f:c 60 bytes long.
 * Every third row is newer than the others. */

static gint64
row_timestamp (guint number)
{
  return number % 3 == 0 ? 2000 : 1000;
}

static void
put_cell (GArray *puts, KvsqlArena *arena, guint number, KvsqlSlice qualifier, KvsqlSlice value)
{
  const KvsqlMutation put = {
    .kind = KVSQL_MUTATION_PUT,
    .table = TABLE,
    .row = kvsql_slice_from_text (kvsql_arena_printf (arena, "%05u", number)),
    .family = S ("f"),
    .qualifier = qualifier,
    .value = value,
    .timestamp = row_timestamp (number),
  };

  g_array_append_val (puts, put);
}

static void
make_table (KvsqlStore *store)
{
  const KvsqlSlice family = S ("f");
  const KvsqlSlice splits[] = { S ("03000"), S ("04500") };
  const KvsqlTableSpec spec
      = { .name = TABLE, .families = &family, .n_families = 1, .splits = splits, .n_splits = 2 };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  g_autofree gchar *filler = g_strnfill (60, 'c');
  g_autoptr (GError) error = NULL;

  ignore_result (kvsql_store_drop_table (store, TABLE, NULL, NULL));
  assert_done (kvsql_store_ensure_table (store, &spec, NULL, NULL, &error), error);
  for (guint i = 0; i < N_ROWS; i++)
    {
      KvsqlSlice number = kvsql_slice_from_text (kvsql_arena_printf (arena, "%05u", i));

      put_cell (puts, arena, i, S ("a"), number);
      put_cell (puts, arena, i, S ("b"), number);
      put_cell (puts, arena, i, S ("c"), kvsql_slice_from_text (filler));
    }
  assert_done (kvsql_store_apply (store, (KvsqlMutation *)puts->data, puts->len, NULL, &error),
               error);
}

/* ---- scans */

typedef struct
{
  const gchar *name;
  guint first, last;    /* rows from @first up to, not including, @last */
  guint every, in_each; /* of each @every rows, a range of the first @in_each; 0: one range */
  gboolean is_reversed;
  gboolean has_newer_only;
  gboolean has_filter; /* f:a below 03000 */
  gboolean has_one_column;
  guint limit;
  guint hint;
  guint batch_rows;
  guint64 expected;
  guint seconds; /* its deadline; 0: a minute */
} Kind;

static const Kind kinds[] = {
  { "all", 0, N_ROWS, .batch_rows = 0 },
  { "reversed", 0, N_ROWS, .is_reversed = TRUE },
  { "small-batches", 1000, 2500, .batch_rows = 100 },
  { "reversed-range", 17, 4711, .is_reversed = TRUE, .batch_rows = 300 },
  { "limit", 500, N_ROWS, .limit = 3333, .batch_rows = 500 },
  { "reversed-limit", 0, 5555, .is_reversed = TRUE, .limit = 2222, .batch_rows = 500 },
  { "newer-only", 0, N_ROWS, .has_newer_only = TRUE, .batch_rows = 200 },
  { "filter", 0, N_ROWS, .has_filter = TRUE, .has_one_column = TRUE, .batch_rows = 200 },
  { "one-column", 0, N_ROWS, .has_one_column = TRUE },
  { "ranges", 0, N_ROWS, .every = 10, .in_each = 3 },
  { "ranges-small-batches", 17, N_ROWS, .every = 15, .in_each = 5, .batch_rows = 100 },
  { "ranges-limit", 0, N_ROWS, .every = 10, .in_each = 3, .limit = 800, .batch_rows = 150 },
  { "ranges-reversed", 0, N_ROWS, .every = 100, .in_each = 3, .is_reversed = TRUE },
};

static gboolean
is_in (const Kind *kind, guint number)
{
  return number >= kind->first && number < kind->last
         && (kind->every == 0 || (number - kind->first) % kind->every < kind->in_each)
         && (!kind->has_newer_only || row_timestamp (number) >= 2000)
         && (!kind->has_filter || number < 3000);
}

/* The row after @number in the order of the scan; @number -1: the first one. */
static gint
next_row (const Kind *kind, gint number)
{
  gint step = kind->is_reversed ? -1 : 1;

  if (number < 0)
    number = kind->is_reversed ? N_ROWS : -1;
  do
    number += step;
  while (number >= 0 && number < N_ROWS && !is_in (kind, (guint)number));
  return number;
}

static void
add_range (GArray *ranges, guint first, guint last, KvsqlArena *arena)
{
  const KvsqlRowRange range = { kvsql_slice_from_text (kvsql_arena_printf (arena, "%05u", first)),
                                kvsql_slice_from_text (kvsql_arena_printf (arena, "%05u", last)) };

  g_array_append_val (ranges, range);
}

static KvsqlScan *
open_scan (KvsqlStore *store, const Kind *kind)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (KvsqlRowRange));
  const KvsqlRowRange admitted = { KVSQL_SLICE_EMPTY, S ("03000") };
  const KvsqlColumn column = { S ("f"), S ("a"), FALSE };
  const KvsqlFilterTerm term = { S ("f"), S ("a"), &admitted, 1 };
  const KvsqlFilterClause clause = { &term, 1 };
  const KvsqlFilter filter = { &clause, 1 };
  KvsqlScanSpec spec = {
    .table = TABLE,
    .columns = kind->has_one_column ? &column : NULL,
    .n_columns = kind->has_one_column ? 1 : 0,
    .times = { .min = kind->has_newer_only ? 2000 : 0 },
    .filter = kind->has_filter ? &filter : NULL,
    .is_reversed = kind->is_reversed,
    .row_limit = kind->limit,
    .row_hint = kind->hint,
    .expected_rows = kind->expected,
    .batch_rows = kind->batch_rows,
  };
  g_autoptr (GError) error = NULL;
  KvsqlScan *scan;

  if (kind->every == 0)
    add_range (ranges, kind->first, kind->last, arena);
  else
    for (guint i = kind->first; i < kind->last; i += kind->every)
      add_range (ranges, i, MIN (i + kind->in_each, kind->last), arena);
  spec.ranges = (KvsqlRowRange *)ranges->data;
  spec.n_ranges = ranges->len;
  scan = kvsql_store_open_scan (store, &spec, NULL, &error);
  g_assert_no_error (error);
  return scan;
}

static void
assert_row (const Kind *kind, const KvsqlRows *rows, const KvsqlRow *row, gint number)
{
  g_autofree gchar *key = g_strdup_printf ("%05d", number);
  const KvsqlCell *cells = rows->cells + row->first_cell;

  g_assert_cmpmem (row->key.data, row->key.size, key, 5);
  g_assert_cmpuint (row->n_cells, ==, kind->has_one_column ? 1 : 3);
  for (guint i = 0; i < MIN (row->n_cells, 2); i++)
    g_assert_cmpmem (cells[i].value.data, cells[i].value.size, key, 5);
}

typedef void (*Disturb) (gpointer data, guint n_batches);

/* Reads the whole scan; calls @disturb, if there is one, after each batch. */
static void
assert_scan (KvsqlStore *store, const Kind *kind, Disturb disturb, gpointer data)
{
  KvsqlCall call
      = { .deadline_us = g_get_monotonic_time () + (kind->seconds ?: 60) * G_USEC_PER_SEC };
  g_autoptr (KvsqlScan) scan = open_scan (store, kind);
  guint n_seen = 0, n_batches = 0;
  gint number = -1;
  const KvsqlRows *rows;

  do
    {
      g_autoptr (GError) error = NULL;

      assert_done (kvsql_scan_next (scan, &call, &rows, &error), error);
      for (guint i = 0; i < rows->n_rows; i++, n_seen++)
        {
          number = next_row (kind, number);
          assert_row (kind, rows, &rows->rows[i], number);
        }
      if (disturb != NULL)
        disturb (data, ++n_batches);
    }
  while (rows->n_rows > 0 && (kind->limit == 0 || n_seen < kind->limit));
  if (kind->limit > 0)
    g_assert_cmpuint (n_seen, >=, kind->limit);
  else
    g_assert_false (is_in (kind, (guint)next_row (kind, number)));
}

static gint64 get_counter (KvsqlStore *store, const gchar *name);

/* ---- the tests */

static void
test_cut_replies (void)
{
  g_autofree gchar *server = live_gateway_first ();
  Relay *first = relay_new (server), *second = relay_new (server);
  g_autofree gchar *pair = g_strdup_printf ("127.0.0.1:%u,127.0.0.1:%u", relay_get_port (first),
                                            relay_get_port (second));
  KvsqlStore *store = live_store_open (pair);
  guint n_rounds = test_size (2, 1);

  for (guint round = 0; round < n_rounds; round++)
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
      {
        guint32 seed = (guint32)g_test_rand_int ();

        relay_cut_replies (first, seed, LARGEST_CUT);
        relay_cut_replies (second, seed + 1, LARGEST_CUT);
        assert_scan (store, &kinds[i], NULL, NULL);
      }
  g_test_message ("%u cuts, %d scans resumed", relay_get_n_cuts (first) + relay_get_n_cuts (second),
                  (gint)get_counter (store, "scans resumed"));
  g_assert_cmpuint (relay_get_n_cuts (first) + relay_get_n_cuts (second), >, n_rounds);
  g_assert_cmpint (get_counter (store, "scans resumed"), >, 0);
  kvsql_store_close (store);
  relay_free (first);
  relay_free (second);
}

/* The server drops scanners that are not used for half a second. */
static void
outlast_scanner (gpointer data, guint n_batches)
{
  if (n_batches == 3)
    g_usleep (1500 * G_TIME_SPAN_MILLISECOND);
}

static void
test_expired_scanners (void)
{
  g_auto (LiveGateway) gateway = { 0 };
  g_autoptr (KvsqlStore) store = NULL;

  live_gateway_start (&gateway, "--set", "hbase.client.scanner.timeout.period=500");
  store = live_store_open (gateway.address);
  for (guint i = 2; i < 6; i++)
    assert_scan (store, &kinds[i], outlast_scanner, NULL);
  g_assert_cmpint (get_counter (store, "scans resumed"), >=, 4);
}

static void
kill_gateway (gpointer data, guint n_batches)
{
  if (n_batches == 3)
    live_gateway_signal (data, SIGKILL);
}

static void
assert_scan_by_two (const Kind *kind, Disturb disturb)
{
  g_autofree gchar *other = live_gateway_first ();
  const gchar *url = g_getenv ("KVSQL_TEST_HBASE_URL");
  const gchar *framed = strstr (url, "framed=true") != NULL ? "--framed" : NULL;
  const gchar *compact = strstr (url, "compact") != NULL ? "--compact" : NULL;
  g_auto (LiveGateway) gateway = { 0 };
  g_autofree gchar *pair = NULL;
  g_autoptr (KvsqlStore) store = NULL;

  live_gateway_start (&gateway, framed ?: compact, framed != NULL ? compact : NULL);
  pair = g_strdup_printf ("%s,%s", gateway.address, other);
  store = live_store_open (pair);
  assert_scan (store, kind, disturb, &gateway);
}

static void
test_gateway_killed (void)
{
  for (guint i = 2; i < 4; i++)
    assert_scan_by_two (&kinds[i], kill_gateway);
}

/* Its connections stay open, but nothing is answered any more. */
static void
stop_gateway (gpointer data, guint n_batches)
{
  if (n_batches == 3)
    live_gateway_signal (data, SIGSTOP);
}

static void
test_gateway_hangs (void)
{
  static const Kind within_ten_seconds = { "hurry", 0, N_ROWS, .batch_rows = 500, .seconds = 10 };

  assert_scan_by_two (&within_ten_seconds, stop_gateway);
}

/* As after a restart of the gateway, in which the scanner's id may mean another scanner. */
static void
restart_gateway (gpointer data, guint n_batches)
{
  if (n_batches != 3)
    return;
  relay_set_mode (data, RELAY_DOWN);
  relay_set_mode (data, RELAY_PASS);
}

static void
test_connection_lost_between_pages (void)
{
  g_autofree gchar *server = live_gateway_first ();
  Relay *relay = relay_new (server);
  g_autofree gchar *address = g_strdup_printf ("127.0.0.1:%u", relay_get_port (relay));
  KvsqlStore *store = live_store_open (address);

  for (guint i = 2; i < 6; i++)
    assert_scan (store, &kinds[i], restart_gateway, relay);
  g_assert_cmpint (get_counter (store, "scans resumed"), ==, 4);
  kvsql_store_close (store);
  relay_free (relay);
}

/* A server without a filter class reports that once, and gets no filters any more. */
static void
test_filter_refused (void)
{
  static const Kind filtered
      = { "filter", 0, 3000, .has_filter = TRUE, .has_one_column = TRUE, .batch_rows = 200 };
  g_autofree gchar *server = live_gateway_first ();
  Relay *relay = relay_new (server);
  g_autofree gchar *address = g_strdup_printf ("127.0.0.1:%u", relay_get_port (relay));
  KvsqlStore *store = live_store_open (address);

  assert_scan (store, &filtered, NULL, NULL);
  g_assert_cmpint (get_counter (store, "filters refused"), ==, 0);
  relay_replace (relay, "ValueFilter", "ValueFilteX");
  for (guint i = 0; i < 2; i++)
    {
      assert_scan (store, &filtered, NULL, NULL);
      g_assert_cmpint (get_counter (store, "filters refused"), ==, 1);
    }
  kvsql_store_close (store);
  relay_free (relay);
}

/* ---- many ranges */

static const Kind many_ranges
    = { "many-ranges", 0, N_ROWS, .every = 20, .in_each = 3, .expected = 900 };

/* 300 ranges in three regions are one request. */
static void
test_ranges_at_once (void)
{
  g_autofree gchar *server = live_gateway_first ();
  Relay *relay = relay_new (server);
  g_autofree gchar *address = g_strdup_printf ("127.0.0.1:%u", relay_get_port (relay));
  KvsqlStore *store = live_store_open (address);

  relay_count (relay, "getScannerResults");
  relay_count (relay, "openScanner");
  assert_scan (store, &many_ranges, NULL, NULL);
  g_assert_cmpuint (relay_get_n_counted (relay, "getScannerResults"), ==, 1);
  g_assert_cmpuint (relay_get_n_counted (relay, "openScanner"), ==, 0);
  g_assert_cmpint (get_counter (store, "filters refused"), ==, 0);
  kvsql_store_close (store);
  relay_free (relay);
}

static void
assert_ranges_one_by_one (const gchar *from, const gchar *to)
{
  g_autofree gchar *server = live_gateway_first ();
  Relay *relay = relay_new (server);
  g_autofree gchar *address = g_strdup_printf ("127.0.0.1:%u", relay_get_port (relay));
  KvsqlStore *store = live_store_open (address);

  relay_replace (relay, from, to);
  relay_count (relay, "getScannerResults");
  for (guint i = 0; i < 2; i++)
    {
      assert_scan (store, &many_ranges, NULL, NULL);
      g_assert_cmpint (get_counter (store, "filters refused"), ==, 1);
    }
  g_assert_cmpuint (relay_get_n_counted (relay, "getScannerResults"), >=, 300);
  kvsql_store_close (store);
  relay_free (relay);
}

static void
test_range_filter_refused (void)
{
  assert_ranges_one_by_one ("MultiRowRangeFilter", "MultiRowRangeFilteX");
}

/* As by a gateway that does not know such a filter: rows between the ranges come, too. The text is
 * the end of the first range. */
static void
test_range_filter_ignored (void)
{
  assert_ranges_one_by_one ("\x1a\x05"
                            "00003",
                            "\x1a\x05"
                            "05999");
}

/* ---- regions */

/* One command after each third batch. */
typedef struct
{
  LiveAdmin *admin;
  const gchar *const *commands;
} Commands;

static void
run_next_command (gpointer data, guint n_batches)
{
  Commands *self = data;
  g_autofree gchar *answer = NULL;

  if (n_batches % 3 != 0 || *self->commands == NULL)
    return;
  answer = live_admin_ask (self->admin, *self->commands++);
  g_assert_true (g_str_has_prefix (answer, "ok"));
}

static void
test_regions_change (void)
{
  static const gchar *const forward[] = { "split kvsql-scans 01700", "move kvsql-scans", NULL };
  static const gchar *const reversed[] = { "merge kvsql-scans", "move kvsql-scans", NULL };
  static const Kind slow[] = {
    { "forward", 0, N_ROWS, .batch_rows = 400 },
    { "reversed", 0, N_ROWS, .is_reversed = TRUE, .batch_rows = 400 },
  };
  g_autofree gchar *server = live_gateway_first ();
  g_autoptr (KvsqlStore) store = live_store_open (server);
  g_auto (LiveAdmin) admin = { 0 };
  g_autofree gchar *n_regions = NULL;
  Commands commands = { &admin, forward };

  live_admin_start (&admin);
  assert_scan (store, &slow[0], run_next_command, &commands);
  g_assert_null (*commands.commands);
  /* Through a framed gateway the table was created without splits, and regions of a split cannot be
   * merged so soon. */
  n_regions = live_admin_ask (&admin, "count kvsql-scans");
  commands.commands = strcmp (n_regions, "ok 4") == 0 ? reversed : &reversed[1];
  assert_scan (store, &slow[1], run_next_command, &commands);
  g_assert_null (*commands.commands);
}

/* ---- asking ahead */

#define ROWS "getScannerRows"
#define CLOSE "closeScanner"
#define AWAIT_US (60 * G_USEC_PER_SEC)
/* A call that does not wait for an answer returns before this, however slow the machine is. */
#define PROMPT_US (10 * G_USEC_PER_SEC)

typedef struct
{
  Relay *relay;
  KvsqlStore *store;
} Watched;

static void
watch (Watched *self, const gchar *settings)
{
  g_autofree gchar *server = live_gateway_first ();
  g_autofree gchar *authority = NULL;

  self->relay = relay_new (server);
  relay_count (self->relay, ROWS);
  relay_count (self->relay, CLOSE);
  authority = g_strdup_printf ("127.0.0.1:%u", relay_get_port (self->relay));
  self->store = live_store_open_with (authority, settings);
}

static void
stop_watching (Watched *self)
{
  kvsql_store_close (self->store);
  relay_free (self->relay);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Watched, stop_watching)

static void
await_requests (Watched *self, const gchar *name, guint n)
{
  gint64 limit_us = g_get_monotonic_time () + AWAIT_US;

  while (relay_get_n_counted (self->relay, name) < n && g_get_monotonic_time () < limit_us)
    g_usleep (1000);
  g_assert_cmpuint (relay_get_n_counted (self->relay, name), ==, n);
}

/* The number of returned rows; 0 at the end. */
static guint
read_batch (KvsqlScan *scan)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + AWAIT_US };
  g_autoptr (GError) error = NULL;
  const KvsqlRows *rows;

  assert_done (kvsql_scan_next (scan, &call, &rows, &error), error);
  return rows->n_rows;
}

/* Counts the requests of a scan that is closed after @n_batches or at its end. All of them have
 * passed the relay when the answer to closeScanner is here, because they use one connection. */
static guint
count_requests (Watched *self, const Kind *kind, guint n_batches)
{
  guint n_before = relay_get_n_counted (self->relay, ROWS);
  KvsqlScan *scan = open_scan (self->store, kind);

  for (guint i = 0; i < n_batches && read_batch (scan) > 0; i++)
    ;
  kvsql_scan_close (scan);
  g_assert_cmpuint (relay_get_n_connections (self->relay), ==, 1);
  return relay_get_n_counted (self->relay, ROWS) - n_before;
}

static const Kind small_batches = { "small-batches", 1000, 2500, .batch_rows = 100 };

static void
test_asks_ahead (void)
{
  g_auto (Watched) watched = { 0 };
  KvsqlScan *scan;

  watch (&watched, "");
  scan = open_scan (watched.store, &small_batches);
  /* The first page contains its own end; only after it a scanner is opened. */
  g_assert_cmpuint (read_batch (scan), ==, 100);
  g_assert_cmpuint (relay_get_n_counted (watched.relay, ROWS), ==, 0);
  for (guint i = 2; i <= 14; i++)
    {
      g_assert_cmpuint (read_batch (scan), ==, 100);
      await_requests (&watched, ROWS, i);
    }
  /* Rows after 02499 must be requested, but only once. */
  g_assert_cmpuint (read_batch (scan), ==, 100);
  await_requests (&watched, ROWS, 15);
  g_assert_cmpuint (read_batch (scan), ==, 0);
  kvsql_scan_close (scan);
  g_assert_cmpuint (relay_get_n_counted (watched.relay, ROWS), ==, 15);
  g_assert_cmpuint (relay_get_n_counted (watched.relay, CLOSE), ==, 1);
  g_assert_cmpuint (relay_get_n_connections (watched.relay), ==, 1);
}

static void
test_asks_for_no_more_than_wanted (void)
{
  static const struct
  {
    Kind kind;
    guint n_batches; /* after which it is closed; 0: at its end */
    guint n_requests;
  } cases[] = {
    { { "limit", 0, N_ROWS, .limit = 10, .batch_rows = 10 }, 0, 0 },
    { { "hint", 0, N_ROWS, .hint = 10, .batch_rows = 10 }, 1, 0 },
    { { "limit in a page", 0, N_ROWS, .limit = 250, .batch_rows = 100 }, 0, 2 },
    { { "limit at the end of a page", 0, N_ROWS, .limit = 300, .batch_rows = 100 }, 0, 2 },
    { { "hint in a page", 0, N_ROWS, .hint = 250, .batch_rows = 100 }, 3, 2 },
    { { "hint at the end of a page", 0, N_ROWS, .hint = 300, .batch_rows = 100 }, 3, 2 },
    { { "hint was wrong", 0, N_ROWS, .hint = 200, .batch_rows = 100 }, 4, 4 },
    { { "range within a page", 0, 250, .batch_rows = 100 }, 0, 2 },
    { { "nothing known", 0, N_ROWS, .batch_rows = 100 }, 3, 3 },
    { { "range of some pages", 0, 1000 }, 0, 2 },
    { { "the same, expected", 0, 1000, .expected = 900 }, 0, 0 },
    { { "many expected", 0, 1000, .expected = G_MAXUINT64 }, 0, 1 },
  };
  g_auto (Watched) watched = { 0 };

  watch (&watched, "");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].kind.name);
      g_assert_cmpuint (count_requests (&watched, &cases[i].kind, cases[i].n_batches ?: G_MAXUINT),
                        ==, cases[i].n_requests);
    }
}

static gint64 get_gateway_fact (KvsqlStore *store, const gchar *name);

/* The connection serves the next scan. */
static void
test_closed_while_asking (void)
{
  g_auto (Watched) watched = { 0 };

  watch (&watched, "");
  for (guint i = 1; i <= 10; i++)
    {
      g_assert_cmpuint (count_requests (&watched, &small_batches, 2), ==, 2);
      g_assert_cmpuint (relay_get_n_counted (watched.relay, CLOSE), ==, i);
      g_assert_cmpint (get_gateway_fact (watched.store, "connections in use"), ==, 0);
      g_assert_cmpint (get_gateway_fact (watched.store, "connections idle"), ==, 1);
    }
  assert_scan (watched.store, &small_batches, NULL, NULL);
  g_assert_cmpuint (relay_get_n_connections (watched.relay), ==, 1);
}

/* Waits until lost connections are counted as free, also that of the pool's own probe. */
static void
await_unused (Watched *self)
{
  gint64 limit_us = g_get_monotonic_time () + AWAIT_US;

  while (get_gateway_fact (self->store, "connections in use") > 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, limit_us);
      g_usleep (1000);
    }
}

/* No connection is in use, and a scan returns all its rows. */
static void
assert_healthy (Watched *self)
{
  relay_set_mode (self->relay, RELAY_PASS);
  await_unused (self);
  assert_scan (self->store, &small_batches, NULL, NULL);
  await_unused (self);
}

/* A scan whose second page has arrived; the request for the third page is not answered. */
static KvsqlScan *
leave_unanswered (Watched *self)
{
  KvsqlScan *scan = open_scan (self->store, &(Kind){ "large", 0, N_ROWS, .batch_rows = 100 });

  g_assert_cmpuint (read_batch (scan), ==, 100);
  relay_hang_at (self->relay, ROWS, 2);
  g_assert_cmpuint (read_batch (scan), ==, 100);
  await_requests (self, ROWS, 2);
  return scan;
}

/* Its connection is closed, without a long wait. */
static void
test_closed_without_answer (void)
{
  g_auto (Watched) watched = { 0 };
  gint64 begun_us;
  KvsqlScan *scan;

  watch (&watched, "");
  scan = leave_unanswered (&watched);
  g_assert_cmpint (get_gateway_fact (watched.store, "connections in use"), ==, 1);
  begun_us = g_get_monotonic_time ();
  kvsql_scan_close (scan);
  g_assert_cmpint (g_get_monotonic_time () - begun_us, <, PROMPT_US);
  g_assert_cmpint (get_gateway_fact (watched.store, "connections idle"), ==, 0);
  assert_healthy (&watched);
}

static void
test_deadline_while_asking (void)
{
  g_auto (Watched) watched = { 0 };
  g_autoptr (GError) error = NULL;
  const KvsqlRows *rows;
  KvsqlScan *scan;
  KvsqlCall call;

  watch (&watched, "");
  scan = leave_unanswered (&watched);
  call = (KvsqlCall){ .deadline_us = g_get_monotonic_time () + G_USEC_PER_SEC / 5 };
  g_assert_false (kvsql_scan_next (scan, &call, &rows, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpint (g_get_monotonic_time () - call.deadline_us, <, PROMPT_US);
  kvsql_scan_close (scan);
  assert_healthy (&watched);
}

static gpointer
cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancelled_while_asking (void)
{
  g_auto (Watched) watched = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const KvsqlCall call = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;
  const KvsqlRows *rows;
  KvsqlScan *scan;
  GThread *thread;

  watch (&watched, "");
  scan = leave_unanswered (&watched);
  thread = g_thread_new ("cancel", cancel, cancellable);
  g_assert_false (kvsql_scan_next (scan, &call, &rows, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_thread_join (thread);
  kvsql_scan_close (scan);
  assert_healthy (&watched);
  /* The gateway is not the cause. */
  g_assert_cmpint (get_gateway_fact (watched.store, "failures"), ==, 0);
}

/* The answer is cut, or the connection lost, after the page before it was returned. */
static void
test_lost_while_asking (void)
{
  static const Kind kind = { "large", 0, N_ROWS, .batch_rows = 100 };
  g_auto (Watched) watched = { 0 };
  guint n_seen = 200, n;
  KvsqlScan *scan;

  watch (&watched, "");
  scan = leave_unanswered (&watched);
  relay_set_mode (watched.relay, RELAY_DOWN);
  relay_set_mode (watched.relay, RELAY_PASS);
  while ((n = read_batch (scan)) > 0)
    n_seen += n;
  kvsql_scan_close (scan);
  g_assert_cmpuint (n_seen, ==, kind.last);
  g_assert_cmpint (get_counter (watched.store, "scans resumed"), ==, 1);
  assert_healthy (&watched);
}

/* As many scans as there are connections, in one thread, with other requests between their pages:
 * no caller waits for a connection that only waits for an answer. */
static void
assert_room (guint pool_size, gboolean is_asked_ahead)
{
  g_autofree gchar *settings = g_strdup_printf ("pool=%u", pool_size);
  g_autofree KvsqlScan **scans = g_new (KvsqlScan *, pool_size);
  g_auto (Watched) watched = { 0 };
  guint n_asked;

  watch (&watched, settings);
  for (guint i = 0; i < pool_size; i++)
    scans[i] = open_scan (watched.store, &small_batches);
  for (guint page = 0; page < 15; page++)
    for (guint i = 0; i < pool_size; i++)
      {
        const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + AWAIT_US / 4 };
        const KvsqlSlice key = S ("00017");
        g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
        g_autoptr (GError) error = NULL;
        KvsqlRows rows;

        g_assert_cmpuint (read_batch (scans[i]), ==, 100);
        assert_done (kvsql_store_multi_get (watched.store, TABLE, &key, 1, NULL, 0, &call, arena,
                                            &rows, &error),
                     error);
        n_asked = relay_get_n_counted (watched.relay, ROWS);
        if (!is_asked_ahead)
          g_assert_cmpuint (n_asked, ==, page > 0 ? (page - 1) * pool_size + i + 1 : 0);
      }
  for (guint i = 0; i < pool_size; i++)
    kvsql_scan_close (scans[i]);
  g_assert_cmpint (get_counter (watched.store, "scans resumed"), ==, 0);
  assert_healthy (&watched);
}

static void
test_leaves_room (void)
{
  assert_room (1, FALSE);
  assert_room (2, TRUE);
  assert_room (5, TRUE);
}

/* ---- counters */

typedef struct
{
  const gchar *name;
  gint64 number;
} Wanted;

static void
look_at_fact (const KvsqlFact *fact, gpointer data)
{
  Wanted *wanted = data;

  if (fact->group == NULL && strcmp (fact->name, wanted->name) == 0)
    wanted->number = fact->number;
}

static gint64
get_counter (KvsqlStore *store, const gchar *name)
{
  Wanted wanted = { name, -1 };

  kvsql_store_report (store, look_at_fact, &wanted);
  g_assert_cmpint (wanted.number, >=, 0);
  return wanted.number;
}

static void
look_at_gateway_fact (const KvsqlFact *fact, gpointer data)
{
  Wanted *wanted = data;

  if (g_strcmp0 (fact->group, "gateway") == 0 && strcmp (fact->name, wanted->name) == 0)
    wanted->number = fact->number;
}

/* Of the only gateway. */
static gint64
get_gateway_fact (KvsqlStore *store, const gchar *name)
{
  Wanted wanted = { name, -1 };

  kvsql_store_report (store, look_at_gateway_fact, &wanted);
  g_assert_cmpint (wanted.number, >=, 0);
  return wanted.number;
}

/* With HTTP no page is requested ahead. */
static void
add_tests_of_asking_ahead (void)
{
  g_test_add_func ("/hbase/scans/ahead/next-page", test_asks_ahead);
  g_test_add_func ("/hbase/scans/ahead/no-more-than-wanted", test_asks_for_no_more_than_wanted);
  g_test_add_func ("/hbase/scans/ahead/closed", test_closed_while_asking);
  g_test_add_func ("/hbase/scans/ahead/closed-without-answer", test_closed_without_answer);
  g_test_add_func ("/hbase/scans/ahead/deadline", test_deadline_while_asking);
  g_test_add_func ("/hbase/scans/ahead/cancelled", test_cancelled_while_asking);
  g_test_add_func ("/hbase/scans/ahead/connection-lost", test_lost_while_asking);
  g_test_add_func ("/hbase/scans/ahead/leaves-room", test_leaves_room);
}

static void
skip (void)
{
  g_test_skip ("no HBase: KVSQL_TEST_HBASE_DIR and KVSQL_TEST_HBASE_URL are not set");
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  if (live_hbase_folder () == NULL || g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    {
      g_test_add_func ("/hbase/scans", skip);
      return g_test_run ();
    }
  g_autofree gchar *first = live_gateway_first ();
  KvsqlStore *store = live_store_open (first);
  make_table (store);
  g_test_add_func ("/hbase/scans/cut-replies", test_cut_replies);
  g_test_add_func ("/hbase/scans/expired-scanners", test_expired_scanners);
  g_test_add_func ("/hbase/scans/gateway-killed", test_gateway_killed);
  g_test_add_func ("/hbase/scans/gateway-hangs", test_gateway_hangs);
  g_test_add_func ("/hbase/scans/connection-lost-between-pages",
                   test_connection_lost_between_pages);
  if (!live_gateway_is_tls ())
    {
      g_test_add_func ("/hbase/scans/filter-refused", test_filter_refused);
      g_test_add_func ("/hbase/scans/ranges/at-once", test_ranges_at_once);
      g_test_add_func ("/hbase/scans/ranges/filter-refused", test_range_filter_refused);
      g_test_add_func ("/hbase/scans/ranges/filter-ignored", test_range_filter_ignored);
    }
  if (!live_gateway_is_http ())
    add_tests_of_asking_ahead ();
  g_test_add_func ("/hbase/scans/regions-split-moved-and-merged", test_regions_change);
  status = g_test_run ();
  ignore_result (kvsql_store_drop_table (store, TABLE, NULL, NULL));
  kvsql_store_close (store);
  return status;
}
