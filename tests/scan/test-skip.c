/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-skip.c: skip scans: results, reads, and foreign rows.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#include <json-glib/json-glib.h>

#define S(text) KVSQL_SLICE_LITERAL (text)

#define N_REGIONS 5
#define N_DAYS 400

static const gchar *const stores[] = { "memory:", "rocksdb", "hbase" };

/* Regions 'a', 'bb', 'ccc' …, each with all days; v is the number of the region. */
static void
insert_visits (ServiceFixture *self, guint first_region, guint n_regions, guint n_days)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO visit VALUES ");

  for (guint r = first_region; r < first_region + n_regions; r++)
    for (guint day = 0; day < n_days; day++)
      {
        g_autofree gchar *region = g_strnfill (1 + r % 100, 'a' + r % 26);
        g_string_append_printf (sql, "%s('%s', %u, %u, %u)", sql->len > 26 ? ", " : "", region, day,
                                r, r);
      }
  service_fixture_script (self, sql->str);
}

static void
open_service (ServiceFixture *self, const gchar *store)
{
  service_fixture_open (self, store);
  service_fixture_script (
      self, "DEFINE RELATION visit { region STRING KEY, day INT KEY, id INT KEY, v INT };"
            "DEFINE PRIMARY SCHEMA visits FOR visit { TABLE 'visits', ROW "
            "size{region}:ordered{day}:id, FAMILY 'f', VALUE v };"
            "DEFINE SCHEMA by_v FOR visit { TABLE 'by_v', ROW v:ordered{day}:size{region}:id, "
            "FAMILY 'f' }");
  insert_visits (self, 0, N_REGIONS, N_DAYS);
}

static gchar *
explain (ServiceFixture *self, const gchar *sql)
{
  g_autofree gchar *text = g_strconcat ("EXPLAIN ", sql, NULL);

  return service_fixture_run (self, text);
}

static void
assert_skips (ServiceFixture *self, const gchar *sql, const gchar *over)
{
  g_autofree gchar *plan = explain (self, sql);
  g_autofree gchar *what
      = over == NULL ? NULL : g_strdup_printf ("of these, after each %s (about ", over);

  if (over == NULL ? strstr (plan, "found by seeking") != NULL : strstr (plan, what) == NULL)
    g_error ("%s: not as expected in\n%s", over == NULL ? "no skip" : what, plan);
}

/* What was read. */
typedef struct
{
  gint64 rows, seeks, answer;
} Reads;

static Reads
measure (ServiceFixture *self, const gchar *sql)
{
  g_autofree gchar *text = NULL, *json = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *actual, *read;
  Reads result = { 0 };

  assert_done (kvsqld_service_explain (self->service, NULL, kvsql_slice_from_text (sql), NULL, 0,
                                       TRUE, &text, &json, &error),
               error);
  root = json_from_string (json, NULL);
  actual = json_object_get_object_member (json_node_get_object (root), "actual");
  read = json_object_get_object_member (actual, "read");
  result.rows = json_object_get_int_member (read, "rows");
  result.seeks = json_object_get_int_member_with_default (read, "seeks", 0);
  result.answer = json_object_get_int_member (actual, "rows");
  if (result.seeks > 0)
    g_assert_nonnull (strstr (text, "  skipped by: "));
  return result;
}

static void
assert_tight (ServiceFixture *self, const gchar *sql, guint n_fronts)
{
  guint window = kvsql_skip_plan_get_window (&self->service->store->capabilities);
  Reads reads = measure (self, sql);

  /* a window for each key prefix, and one that finds the end; the rest of each key prefix once */
  g_assert_cmpint (reads.rows, <=, reads.answer + n_fronts * window);
  g_assert_cmpint (reads.seeks, <=, 2 * n_fronts + 1);
  g_assert_cmpint (reads.seeks, >=, n_fronts);
}

/* ---- results and reads */

static void
test_answers (gconstpointer store)
{
  ServiceFixture fixture;

  open_service (&fixture, store);
  assert_skips (&fixture, "SELECT * FROM visit USING SCHEMA visits WHERE day = 7", NULL);
  service_fixture_script (&fixture, "ANALYZE visit");
  assert_skips (&fixture, "SELECT * FROM visit USING SCHEMA visits WHERE day = 7", "region");
  service_fixture_assert (&fixture, "SELECT * FROM visit USING SCHEMA visits WHERE day = 7",
                          "a|7|0|0\nbb|7|1|1\nccc|7|2|2\ndddd|7|3|3\neeeee|7|4|4");
  service_fixture_assert (
      &fixture,
      "SELECT region, day FROM visit USING SCHEMA visits WHERE day IN (399, 0, 7) "
      "AND region > 'ccc'",
      "dddd|0\ndddd|7\ndddd|399\neeeee|0\neeeee|7\neeeee|399");
  service_fixture_assert (&fixture,
                          "SELECT count(*), min(day), max(day) FROM visit USING SCHEMA visits "
                          "WHERE day > 390 AND day <> 395",
                          "40|391|399");
  service_fixture_assert (
      &fixture, "SELECT count(*) FROM visit USING SCHEMA visits WHERE day = 3 OR day = 5 AND v > 2",
      "7");
  service_fixture_assert (&fixture, "SELECT * FROM visit USING SCHEMA visits WHERE day = 400", "");
  service_fixture_close (&fixture);
}

static void
test_reads (gconstpointer store)
{
  static const gchar *const predicates[] = {
    "day = 7",  "day = 0",   "day = 399",          "day BETWEEN 100 AND 110",
    "day < 5",  "day > 395", "day IN (1, 3, 200)", "day = 7 AND id = 3",
    "day = -1", "day = 400",
  };
  ServiceFixture fixture;

  open_service (&fixture, store);
  service_fixture_script (&fixture, "ANALYZE visit");
  for (guint i = 0; i < G_N_ELEMENTS (predicates); i++)
    {
      g_autofree gchar *sql
          = g_strconcat ("SELECT * FROM visit USING SCHEMA visits WHERE ", predicates[i], NULL);
      assert_skips (&fixture, sql, "region");
      assert_tight (&fixture, sql, N_REGIONS);
    }
  /* a LIMIT ends the scan early */
  g_assert_cmpint (measure (&fixture, "SELECT * FROM visit USING SCHEMA visits WHERE day = 7 "
                                      "LIMIT 1")
                       .seeks,
                   <=, 2);
  service_fixture_close (&fixture);
}

static void
test_order (gconstpointer store)
{
  ServiceFixture fixture;

  open_service (&fixture, store);
  service_fixture_script (
      &fixture, "DEFINE RELATION n { a INT KEY, b INT KEY };"
                "DEFINE PRIMARY SCHEMA n1 FOR n { TABLE 'n1', ROW a:b, FAMILY 'f' };"
                "DEFINE RELATION o { a INT KEY, b INT KEY };"
                "DEFINE PRIMARY SCHEMA o1 FOR o { TABLE 'o1', ROW ordered{a}:b, FAMILY 'f' }");
  for (gint a = -2; a < 2; a++)
    {
      g_autoptr (GString) values = g_string_new (NULL);
      g_autofree gchar *sql = NULL;
      for (guint b = 0; b < 300; b++)
        g_string_append_printf (values, "%s(%d, %u)", b > 0 ? ", " : "", a, b);
      sql = g_strdup_printf ("INSERT INTO n VALUES %s; INSERT INTO o VALUES %s", values->str,
                             values->str);
      service_fixture_script (&fixture, sql);
    }
  service_fixture_script (&fixture, "ANALYZE n; ANALYZE o");
  for (guint i = 0; i < 2; i++)
    {
      g_autofree gchar *up = g_strdup_printf (
          "SELECT a, b FROM %c WHERE b IN (5, 299) ORDER BY a, b LIMIT 5", "no"[i]);
      g_autofree gchar *down
          = g_strdup_printf ("SELECT a, b FROM %c WHERE b = 5 ORDER BY a DESC LIMIT 3", "no"[i]);
      g_autofree gchar *plan = explain (&fixture, down);

      assert_skips (&fixture, up, "a");
      assert_skips (&fixture, down, "a");
      g_assert_nonnull (strstr (plan, "read backwards"));
      service_fixture_assert (&fixture, up, "-2|5\n-2|299\n-1|5\n-1|299\n0|5");
      service_fixture_assert (&fixture, down, "1|5\n0|5\n-1|5");
    }
  /* the key prefix may be restricted, too */
  assert_skips (&fixture, "SELECT * FROM o WHERE a >= 0 AND b = 9", "a");
  assert_tight (&fixture, "SELECT * FROM o WHERE a >= 0 AND b = 9", 2);
  service_fixture_close (&fixture);
}

/* ---- other kinds of key prefixes */

static void
test_without_statistics (gconstpointer store)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, store);
  service_fixture_script (
      &fixture, "DEFINE RELATION w { is_open BOOLEAN KEY, k INT KEY, v INT };"
                "DEFINE PRIMARY SCHEMA w1 FOR w { TABLE 'w1', ROW is_open:k, FAMILY 'f', VALUE v };"
                "DEFINE SCHEMA w2 FOR w { TABLE 'w2', ROW hash(crc32, 1){v}:k:is_open, FAMILY "
                "'f', VALUE v }");
  for (guint i = 0; i < 200; i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("INSERT INTO w VALUES (%s, %u, %u)",
                                               i % 3 == 0 ? "TRUE" : "FALSE", i / 2, i % 7);
      service_fixture_script (&fixture, sql);
    }
  /* the type limits the number of key prefixes */
  assert_skips (&fixture, "SELECT * FROM w USING SCHEMA w1 WHERE k = 33", "is_open");
  service_fixture_assert (&fixture, "SELECT * FROM w USING SCHEMA w1 WHERE k = 33",
                          "false|33|4\ntrue|33|3");
  assert_tight (&fixture, "SELECT * FROM w USING SCHEMA w1 WHERE k = 33", 2);
  if (g_str_equal (store, "hbase"))
    {
      service_fixture_close (&fixture);
      return;
    }
  assert_skips (&fixture, "SELECT * FROM w USING SCHEMA w2 WHERE k = 33", "hash{v}");
  service_fixture_assert (&fixture, "SELECT * FROM w USING SCHEMA w2 WHERE k = 33 ORDER BY v",
                          "true|33|3\nfalse|33|4");
  assert_tight (&fixture, "SELECT * FROM w USING SCHEMA w2 WHERE k = 33", 7);
  service_fixture_close (&fixture);
}

/* 0xff 0xff … has no successor, and no row may come after it. */
static void
test_last_front (gconstpointer store)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, store);
  service_fixture_script (&fixture,
                          "DEFINE RELATION e { a INT KEY, b INT KEY };"
                          "DEFINE PRIMARY SCHEMA e1 FOR e { TABLE 'e1', ROW a:b, FAMILY 'f' }");
  for (gint a = -1; a < 2; a++)
    for (guint b = 0; b < 200; b++)
      {
        g_autofree gchar *sql = g_strdup_printf ("INSERT INTO e VALUES (%d, %u)", a, b);
        service_fixture_script (&fixture, sql);
      }
  service_fixture_script (&fixture, "ANALYZE e");
  if (!g_str_equal (store, "hbase"))
    assert_skips (&fixture, "SELECT * FROM e WHERE b = 77", "a");
  service_fixture_assert (&fixture, "SELECT * FROM e WHERE b = 77", "0|77\n1|77\n-1|77");
  service_fixture_assert (&fixture, "SELECT * FROM e WHERE b >= 199 ORDER BY a DESC",
                          "1|199\n0|199\n-1|199");
  service_fixture_close (&fixture);
}

static void
test_fetch (gconstpointer store)
{
  ServiceFixture fixture;

  open_service (&fixture, store);
  service_fixture_script (
      &fixture, "DEFINE RELATION p { k INT KEY, kind INT, at INT, note STRING };"
                "DEFINE PRIMARY SCHEMA p1 FOR p { TABLE 'p1', ROW k, FAMILY 'f', VALUE "
                "kind:at:note };"
                "DEFINE SCHEMA p2 FOR p { TABLE 'p2', ROW kind:ordered{at}:k, FAMILY 'f' }");
  for (guint i = 0; i < 300; i++)
    {
      g_autofree gchar *sql
          = g_strdup_printf ("INSERT INTO p VALUES (%u, %u, %u, 'note %u')", i, i % 2, i / 2, i);
      service_fixture_script (&fixture, sql);
    }
  service_fixture_script (&fixture, "ANALYZE p");
  if (!g_str_equal (store, "hbase"))
    assert_skips (&fixture, "SELECT note FROM p WHERE at = 60", "kind");
  service_fixture_assert (&fixture, "SELECT note FROM p USING SCHEMA p2 WHERE at = 60",
                          "note 120\nnote 121");
  service_fixture_assert (&fixture, "UPDATE p SET note = 'x' WHERE at = 60 RETURNING k",
                          "120\n121\n2 affected");
  service_fixture_script (&fixture, "DELETE FROM p WHERE at BETWEEN 59 AND 60 AND note = 'x'");
  service_fixture_assert (&fixture, "SELECT k FROM p WHERE at BETWEEN 59 AND 60", "118\n119");
  service_fixture_close (&fixture);
}

/* ---- foreign rows */

static void
put (ServiceFixture *self, KvsqlSlice row)
{
  KvsqlMutation mutation = { .kind = KVSQL_MUTATION_PUT,
                             .table = S ("visits"),
                             .row = row,
                             .family = S ("f"),
                             .qualifier = S (""),
                             .value = S ("v"),
                             .timestamp = g_get_real_time () / 1000 };
  g_autoptr (GError) error = NULL;

  g_assert_true (kvsql_store_apply (self->service->store, &mutation, 1, NULL, &error));
  g_assert_no_error (error);
}

static gint64
count_undecodable (ServiceFixture *self)
{
  g_autofree gchar *status = service_fixture_run (self, "SHOW STATUS");
  const gchar *line = strstr (status, "cells that fit no layout, schema visits|");

  return line == NULL ? 0 : g_ascii_strtoll (strchr (line, '|') + 1, NULL, 10);
}

/* Rows without a key prefix are skipped one by one, and counted. Of rows with a key prefix only
 * those with the wanted suffix are seen. */
static void
test_foreign_rows (gconstpointer store)
{
  static const gchar sql[] = "SELECT region FROM visit USING SCHEMA visits WHERE day = 7";
  ServiceFixture fixture;
  guint8 key[4] = { 0xff, 'x', 0, 0 };

  open_service (&fixture, store);
  service_fixture_script (&fixture, "ANALYZE visit");
  put (&fixture, S ("\x01")); /* a region of one byte that does not exist */
  put (&fixture, S ("\x02"
                    "b"));
  for (guint i = 0; i < 100; i++)
    {
      key[2] = i;
      put (&fixture, kvsql_slice (key, sizeof key));
    }
  put (&fixture, S ("\x01"
                    "a"
                    "\x7f")); /* begins with region 'a', but has another suffix */
  service_fixture_assert (&fixture, sql, "a\nbb\nccc\ndddd\neeeee");
  g_assert_cmpint (count_undecodable (&fixture), ==, 102);
  assert_skips (&fixture, sql, "region");
  service_fixture_close (&fixture);
}

/* The estimate was a few regions, and now there are many. The scan must not make a seek for each of
 * them. */
static void
test_wrong_estimate (gconstpointer store)
{
  static const gchar sql[] = "SELECT * FROM visit USING SCHEMA visits WHERE day = 1";
  ServiceFixture fixture;
  Reads reads;

  open_service (&fixture, store);
  service_fixture_script (&fixture, "ANALYZE visit");
  insert_visits (&fixture, N_REGIONS, 1300, 2);
  assert_skips (&fixture, sql, "region");
  reads = measure (&fixture, sql);
  g_assert_cmpint (reads.answer, ==, N_REGIONS + 1300);
  g_assert_cmpint (reads.seeks, <, 60);
  service_fixture_close (&fixture);
}

static void
test_row_limit (gconstpointer store)
{
  KvsqldServiceLimits limits = { .max_scan_rows = 100 };
  ServiceFixture fixture;
  g_autoptr (GError) error = NULL;

  open_service (&fixture, store);
  service_fixture_script (&fixture, "ANALYZE visit");
  kvsqld_service_set_limits (fixture.service, &limits);
  service_fixture_assert (&fixture, "SELECT count(*) FROM visit USING SCHEMA visits WHERE day = 7",
                          "5");
  error = service_fixture_fail (
      &fixture, "SELECT count(*) FROM visit USING SCHEMA visits WHERE day BETWEEN 7 AND 50");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  service_fixture_close (&fixture);
}

/* ---- a store that does not keep to the ranges */

static const KvsqlStoreClass *right_class;

static KvsqlScan *
open_scan_of_all (KvsqlStore *store, const KvsqlScanSpec *spec, const KvsqlCall *call,
                  GError **error)
{
  static const KvsqlRowRange all = { 0 };
  KvsqlScanSpec wrong = *spec;

  wrong.ranges = &all;
  wrong.n_ranges = 1;
  return right_class->open_scan (store, &wrong, call, error);
}

/* The scan fails. Else it would read the first window again and again. */
static void
test_wrong_rows (void)
{
  ServiceFixture fixture;
  KvsqlStoreClass wrong_class;

  open_service (&fixture, "memory:");
  service_fixture_script (&fixture, "ANALYZE visit");
  right_class = fixture.service->store->klass;
  wrong_class = *right_class;
  wrong_class.open_scan = open_scan_of_all;
  fixture.service->store->klass = &wrong_class;
  service_fixture_assert_fails (&fixture, "SELECT * FROM visit USING SCHEMA visits WHERE day = 500",
                                KVSQL_ERROR_STORE,
                                "the store returned a row that is not in the range of the scan");
  fixture.service->store->klass = right_class;
  service_fixture_close (&fixture);
}

/* ---- cursors */

static void
forget_statistics (ServiceFixture *self)
{
  KvsqldDefinitions *definitions = self->service->definitions;
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions);
  const KvsqlDefinitionChange change = { .kind = KVSQL_DEFINITION_STATISTICS, .name = "visit" };
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + G_TIME_SPAN_MINUTE };
  g_autoptr (GError) error = NULL;
  gboolean ok = kvsqld_definitions_commit (definitions, catalog, &change, 1, NULL, &call, &error);

  g_assert_no_error (error);
  g_assert_true (ok);
}

static void
read_in_pages (ServiceFixture *self, const gchar *sql, gboolean is_cold, gboolean restarts,
               GString *out)
{
  KvsqldRequest request = { .max_rows = 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->service, &request, kvsql_slice_from_text (sql), NULL, 0, &error);

  for (;;)
    {
      g_autoptr (GBytes) cursor = NULL;
      gconstpointer data;
      gsize size;

      g_assert_no_error (error);
      service_fixture_append_page (page, out);
      if (page->cursor == NULL)
        return;
      cursor = g_bytes_ref (page->cursor);
      data = g_bytes_get_data (cursor, &size);
      g_clear_pointer (&page, kvsql_result_page_free);
      if (is_cold)
        ignore_result (
            kvsqld_service_close_cursor (self->service, kvsql_slice (data, size), &error));
      if (restarts) /* without statistics, the plan that resumes is a full scan */
        {
          forget_statistics (self);
          service_fixture_reopen (self);
        }
      page = kvsqld_service_fetch (self->service, &request, kvsql_slice (data, size), &error);
    }
}

static void
test_cursors (gconstpointer store)
{
  static const gchar *const orders[] = { "", " ORDER BY region, day", " ORDER BY day, region" };
  ServiceFixture fixture;

  open_service (&fixture, store);
  service_fixture_script (&fixture, "ANALYZE visit");
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autofree gchar *sql = g_strconcat ("SELECT region, day FROM visit USING SCHEMA visits "
                                           "WHERE day IN (0, 1, 2, 90, 91, 399)",
                                           orders[i], NULL);
      g_autofree gchar *whole = service_fixture_run (&fixture, sql);
      g_autoptr (GString) warm = g_string_new (NULL), cold = g_string_new (NULL);

      assert_skips (&fixture, sql, "region");
      read_in_pages (&fixture, sql, FALSE, FALSE, warm);
      read_in_pages (&fixture, sql, TRUE, FALSE, cold);
      g_assert_cmpstr (warm->str, ==, whole);
      g_assert_cmpstr (cold->str, ==, whole);
      if (g_str_equal (store, "rocksdb"))
        {
          g_autoptr (GString) restarted = g_string_new (NULL);
          read_in_pages (&fixture, sql, FALSE, TRUE, restarted);
          g_assert_cmpstr (restarted->str, ==, whole);
          assert_skips (&fixture, sql, NULL);
          service_fixture_script (&fixture, "ANALYZE visit");
        }
    }
  service_fixture_close (&fixture);
}

/* ---- */

static void
add (const gchar *name, GTestDataFunc test)
{
  g_autofree gchar *hbase_url = service_fixture_hbase_url ();

  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      g_autofree gchar *path = g_strdup_printf ("/exec/skip/%s/%s", name, stores[i]);
      if (hbase_url != NULL || !g_str_equal (stores[i], "hbase"))
        g_test_add_data_func (path, stores[i], test);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("answers", test_answers);
  add ("reads", test_reads);
  add ("order", test_order);
  add ("without-statistics", test_without_statistics);
  add ("last-front", test_last_front);
  add ("fetch", test_fetch);
  add ("foreign-rows", test_foreign_rows);
  add ("wrong-estimate", test_wrong_estimate);
  add ("row-limit", test_row_limit);
  add ("cursors", test_cursors);
  g_test_add_func ("/exec/skip/wrong-rows", test_wrong_rows);
  return g_test_run ();
}
