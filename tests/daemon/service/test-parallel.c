/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-parallel.c: a long scan that is read in parallel parts gives the same result as one thread,
 * on every store (HBase: if KVSQL_TEST_HBASE_URL is set).
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define N_TUPLES 3000
#define S(text) KVSQL_SLICE_LITERAL (text)

/* The same tuples in all layouts that are read in different ways. */
static void
define (ServiceFixture *fixture)
{
  service_fixture_script (
      fixture,
      "DEFINE RELATION r { a INT KEY, b INT KEY, v STRING, w INT, x DOUBLE };"
      "DEFINE PRIMARY SCHEMA r_rows FOR r { TABLE 'rows', ROW ordered{a}:ordered{b}, FAMILY 'f', "
      "QUALIFIER '', VALUE w:x:null('-'){v} };"
      "DEFINE SCHEMA r_by_w FOR r { TABLE 'by_w', ROW w:a:b, FAMILY 'f', QUALIFIER '', VALUE '' };"
      "DEFINE RELATION wide { a INT KEY, b INT KEY, v STRING, w INT, x DOUBLE };"
      "DEFINE PRIMARY SCHEMA wide_rows FOR wide { TABLE 'wide', ROW a, FAMILY 'f', QUALIFIER b, "
      "VALUE w:x:null('-'){v} };"
      "DEFINE RELATION cells { a INT KEY, b INT KEY, v STRING, w INT, x DOUBLE };"
      "DEFINE PRIMARY SCHEMA cells_rows FOR cells { TABLE 'cells', ROW a:b, FAMILY 'f', "
      "QUALIFIER attr_name[a, b], VALUE attr_value[a, b] };"
      "DEFINE RELATION days { a INT KEY, b INT KEY, v STRING, w INT, x DOUBLE };"
      "DEFINE PRIMARY SCHEMA days_tables FOR days { TABLE 'day_':text{a}, ROW b, FAMILY 'f', "
      "QUALIFIER '', VALUE w:x:null('-'){v} }");
}

static void
fill (ServiceFixture *fixture, const gchar *relation)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_append_printf (sql, "INSERT INTO %s VALUES ", relation);
  for (gint i = 0; i < N_TUPLES; i++)
    g_string_append_printf (sql, "%s(%d, %d, %s, %d, %d.%d)", i > 0 ? ", " : "", i % 16, i - 100,
                            i % 7 == 0 ? "NULL"
                            : i % 2    ? "'odd'"
                                       : "'an even value'",
                            i % 20, i, i % 10);
  g_free (service_fixture_run (fixture, sql->str));
}

static void
set_up (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_open (fixture, store_url);
  define (fixture);
  fill (fixture, "r");
  fill (fixture, "wide");
  fill (fixture, "cells");
  fill (fixture, "days");
}

static const KvsqldServiceLimits alone = { .scan_workers = 1, .sort_disk_bytes = 1 << 30 };
static const KvsqldServiceLimits together
    = { .scan_workers = 4, .scan_serial_rows = 40, .page_rows = 170, .sort_disk_bytes = 1 << 30 };

static const struct
{
  const gchar *sql;
  gboolean is_cut;
} statements[] = {
  { "SELECT * FROM r", TRUE },
  { "SELECT b, v FROM r WHERE a BETWEEN 2 AND 12", TRUE },
  { "SELECT b + 1, upper(v) FROM r WHERE w % 3 = 1", TRUE },
  { "SELECT * FROM r WHERE v LIKE '%even%' AND x > 1000", TRUE },
  { "SELECT * FROM r ORDER BY a, b", TRUE },
  { "SELECT a, b FROM r ORDER BY a DESC, b DESC", TRUE },
  { "SELECT a, b, w FROM r ORDER BY w, v DESC", TRUE },
  { "SELECT a, b FROM r OFFSET 700", TRUE },
  { "SELECT a, b FROM r ORDER BY a, b LIMIT 700 OFFSET 30", FALSE },
  { "SELECT w, v FROM r ORDER BY v, w LIMIT 7 OFFSET 30", TRUE },
  { "SELECT count(*) FROM r", TRUE },
  { "SELECT count(v), sum(w), avg(x), min(v), max(x), sum(x) FROM r", TRUE },
  { "SELECT count(*), sum(x) FROM r WHERE w = 7", TRUE },
  { "SELECT w, count(*), sum(x), min(b) FROM r GROUP BY w", TRUE },
  { "SELECT a, count(DISTINCT v), count(DISTINCT w) FROM r GROUP BY a HAVING max(b) > 2890", TRUE },
  { "SELECT b % 500, sum(x) FROM r GROUP BY b % 500", TRUE },
  { "SELECT a, b / 64, max(v), avg(w) FROM r GROUP BY a, b / 64", TRUE },
  { "SELECT DISTINCT w, v FROM r", TRUE },
  { "SELECT * FROM wide", TRUE },
  { "SELECT a, sum(w) FROM wide GROUP BY a", TRUE },
  { "SELECT * FROM wide WHERE b % 3 = 0", TRUE },
  { "SELECT * FROM cells", TRUE },
  { "SELECT v, count(*) FROM cells GROUP BY v", TRUE },
  { "SELECT * FROM days", TRUE },
  { "SELECT a, count(*) FROM days WHERE b > 50 GROUP BY a", TRUE },
  { "SELECT a, b, x FROM r USING SCHEMA r_by_w WHERE w BETWEEN 3 AND 9", TRUE },
  /* the other relation is scanned in parallel */
  { "SELECT count(*) FROM r, days WHERE r.a = 1 AND r.a = days.a AND r.b = days.b", TRUE },
  /* not worth cutting */
  { "SELECT v FROM r WHERE a = 3 AND b = 3", FALSE },
  { "SELECT v FROM r LIMIT 3", FALSE },
  { "SELECT a, b FROM r LIMIT 7 OFFSET 2500", FALSE },
};

static gboolean
is_cut (ServiceFixture *fixture, const gchar *sql)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ANALYZE ", sql, NULL);
  g_autofree gchar *text = service_fixture_run (fixture, explain);

  return strstr (text, " side by side") != NULL;
}

/* The rows of each operator, as EXPLAIN ANALYZE says them. (transfer full) */
static gchar *
count_rows (ServiceFixture *fixture, const gchar *sql)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ANALYZE ", sql, NULL);
  g_autofree gchar *text = service_fixture_run (fixture, explain);
  const gchar *begin = strstr (text, "rows of each operator: ");

  g_assert_nonnull (begin);
  return g_strndup (begin, strcspn (begin, "\n"));
}

static void
test_answers (ServiceFixture *fixture, gconstpointer store_url)
{
  KvsqldServiceLimits limits = together;

  if (g_strcmp0 (store_url, "hbase") == 0)
    limits.scan_serial_rows = 400; /* finding each cut is a request */
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      g_autofree gchar *expected = NULL, *got = NULL, *expected_rows = NULL, *rows = NULL;

      kvsqld_service_set_limits (fixture->service, &alone);
      expected = service_fixture_run (fixture, statements[i].sql);
      expected_rows = count_rows (fixture, statements[i].sql);
      g_assert_false (is_cut (fixture, statements[i].sql));
      kvsqld_service_set_limits (fixture->service, &limits);
      got = service_fixture_run (fixture, statements[i].sql);
      if (!g_str_equal (got, expected))
        g_error ("%s\ngives\n%s\nbut alone\n%s", statements[i].sql, got, expected);
      rows = count_rows (fixture, statements[i].sql);
      /* a part may be read further than a LIMIT needs */
      if (strstr (statements[i].sql, "LIMIT") == NULL)
        g_assert_cmpstr (rows, ==, expected_rows);
    }
}

/* The first page is enough to see it. */
static void
test_cut (ServiceFixture *fixture, gconstpointer store_url)
{
  kvsqld_service_set_limits (fixture->service, &together);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    if (is_cut (fixture, statements[i].sql) != statements[i].is_cut)
      g_error ("%s\nis %scut", statements[i].sql, statements[i].is_cut ? "not " : "");
}

static GBytes *
fetch (ServiceFixture *fixture, GBytes *cursor, GString *out)
{
  const KvsqldRequest request = { .wants_progress = TRUE };
  g_autoptr (GError) error = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (cursor, &size);
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_fetch (fixture->service, &request, kvsql_slice (data, size), &error);

  g_assert_no_error (error);
  service_fixture_append_page (page, out);
  return page->cursor == NULL ? NULL : g_bytes_ref (page->cursor);
}

/* Each page from another daemon, after any row of a chunk. */
static void
test_other_daemons_go_on (ServiceFixture *fixture, gconstpointer store_url)
{
  KvsqldServiceLimits limits = together;

  limits.page_rows = 301;
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      g_autofree gchar *expected = NULL;
      g_autoptr (GString) got = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page = NULL;
      GBytes *cursor;

      kvsqld_service_set_limits (fixture->service, &alone);
      expected = service_fixture_run (fixture, statements[i].sql);
      kvsqld_service_set_limits (fixture->service, &limits);
      page = kvsqld_service_query (fixture->service, NULL,
                                   kvsql_slice_from_text (statements[i].sql), NULL, 0, &error);
      g_assert_no_error (error);
      service_fixture_append_page (page, got);
      cursor = page->cursor == NULL ? NULL : g_bytes_ref (page->cursor);
      while (cursor != NULL)
        {
          g_autoptr (GBytes) last = cursor;

          kvsqld_cursors_sweep (fixture->service->cursors, 0);
          cursor = fetch (fixture, last, got);
        }
      g_assert_cmpstr (got->str, ==, expected);
    }
}

/* Pages of one row, of some chunks, of a part of a chunk, of everything. */
static void
test_page_sizes (ServiceFixture *fixture, gconstpointer store_url)
{
  static const guint sizes[] = { 1, 33, 700, 5000 };
  static const gchar *const asked[] = { "SELECT * FROM r", "SELECT a, b, x + 1 FROM r WHERE w = 3",
                                        "SELECT a, b FROM wide OFFSET 333" };

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    {
      g_autofree gchar *expected = NULL;

      kvsqld_service_set_limits (fixture->service, &alone);
      expected = service_fixture_run (fixture, asked[i]);
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
        {
          KvsqldServiceLimits limits = together;
          g_autofree gchar *got = NULL;

          limits.page_rows = sizes[s];
          kvsqld_service_set_limits (fixture->service, &limits);
          got = service_fixture_run (fixture, asked[i]);
          g_assert_cmpstr (got, ==, expected);
        }
    }
}

/* Groups that workers have aggregated, and that do not fit into memory together: all rows are read
 * again, and sorted. With little memory, it is full before workers begin. */
static void
test_more_groups_than_memory (ServiceFixture *fixture, gconstpointer store_url)
{
  static const gchar *const grouped[]
      = { "SELECT a, b / 64, count(*), sum(x), min(v) FROM r GROUP BY a, b / 64 ORDER BY 1, 2",
          "SELECT a, b, count(*), sum(x), grouping(a, b) FROM r GROUP BY ROLLUP (a, b) "
          "ORDER BY 5, 1, 2",
          "SELECT a, b / 64, w, count(*), sum(x), grouping(a, w, b / 64) FROM r "
          "GROUP BY CUBE (a, b / 64, w), () ORDER BY 6, 1, 2, 3" };

  for (guint i = 0; i < G_N_ELEMENTS (grouped); i++)
    {
      g_autofree gchar *expected = NULL;

      kvsqld_service_set_limits (fixture->service, &alone);
      expected = service_fixture_run (fixture, grouped[i]);
      for (gsize kib = 4; kib <= 256; kib *= 2)
        {
          KvsqldServiceLimits limits = together;
          g_autofree gchar *got = NULL;

          limits.sort_bytes = kib << 10;
          kvsqld_service_set_limits (fixture->service, &limits);
          got = service_fixture_run (fixture, grouped[i]);
          g_assert_cmpstr (got, ==, expected);
        }
    }
}

/* Like one thread: first the rows before the error, then the error. */
static void
test_errors (ServiceFixture *fixture, gconstpointer store_url)
{
  static const gchar *const failing[]
      = { "SELECT a, 1 / (b - 1500) FROM r", "SELECT sum(1 / (b - 1500)) FROM r" };

  for (guint i = 0; i < G_N_ELEMENTS (failing); i++)
    {
      KvsqldServiceLimits limits = together;
      g_autoptr (GError) expected = NULL;
      g_autoptr (GError) got = NULL;

      limits.page_rows = 10000;
      limits.scan_workers = 1;
      kvsqld_service_set_limits (fixture->service, &limits);
      expected = service_fixture_fail (fixture, failing[i]);
      limits.scan_workers = 4;
      kvsqld_service_set_limits (fixture->service, &limits);
      got = service_fixture_fail (fixture, failing[i]);
      g_assert_cmpstr (got->message, ==, expected->message);
      g_assert_cmpint (got->code, ==, expected->code);
    }
}

static void
test_max_scan_rows (ServiceFixture *fixture, gconstpointer store_url)
{
  KvsqldServiceLimits limits = together;

  limits.max_scan_rows = N_TUPLES;
  kvsqld_service_set_limits (fixture->service, &limits);
  service_fixture_assert (fixture, "SELECT count(*) FROM r", G_STRINGIFY (N_TUPLES));
  limits.max_scan_rows = N_TUPLES - 1;
  kvsqld_service_set_limits (fixture->service, &limits);
  service_fixture_assert_fails (fixture, "SELECT count(*) FROM r", KVSQL_ERROR_LIMIT,
                                "the statement would read more than 2999 rows");
}

static KvsqlResultPage *
first_page (ServiceFixture *fixture, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  KvsqlResultPage *page
      = kvsqld_service_query (fixture->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_nonnull (page->cursor);
  return page;
}

static void
test_closed_early (ServiceFixture *fixture, gconstpointer store_url)
{
  kvsqld_service_set_limits (fixture->service, &together);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (KvsqlResultPage) page = first_page (fixture, "SELECT * FROM r");
      g_autoptr (GError) error = NULL;
      gsize size;
      const guint8 *data = g_bytes_get_data (page->cursor, &size);

      assert_done (kvsqld_service_close_cursor (fixture->service, kvsql_slice (data, size), &error),
                   error);
    }
  g_assert_cmpuint (kvsqld_cursors_get_size (fixture->service->cursors, NULL), ==, 0);
}

static void
test_cancelled (ServiceFixture *fixture, gconstpointer store_url)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  KvsqldRequest request = { .cancellable = cancellable };
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (KvsqlResultPage) next = NULL;
  g_autoptr (GError) error = NULL;
  const guint8 *data;
  gsize size;

  kvsqld_service_set_limits (fixture->service, &together);
  page = first_page (fixture, "SELECT * FROM r");
  g_cancellable_cancel (cancellable);
  data = g_bytes_get_data (page->cursor, &size);
  /* rows that were read ahead may still be returned */
  for (guint i = 0; i < N_TUPLES && error == NULL; i++)
    {
      g_clear_pointer (&next, kvsql_result_page_free);
      next = kvsqld_service_query (fixture->service, &request, S ("SELECT sum(w) FROM r"), NULL, 0,
                                   &error);
    }
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  /* other statements continue */
  g_clear_pointer (&next, kvsql_result_page_free);
  next = kvsqld_service_fetch (fixture->service, NULL, kvsql_slice (data, size), NULL);
  g_assert_nonnull (next);
}

/* Between two fetches rows are read ahead, but no more than there is room for. */
static void
test_reads_ahead (ServiceFixture *fixture, gconstpointer store_url)
{
  KvsqldServiceLimits limits = together;
  g_autoptr (KvsqlResultPage) page = NULL;
  gint64 end_us = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  KvsqldWorkerPoolReport report;
  gsize used;

  limits.scan_serial_rows = 1;
  limits.page_rows = 20;
  limits.max_statement_memory = 1 << 20; /* an eighth of it is for reading ahead */
  kvsqld_service_set_limits (fixture->service, &limits);
  used = kvsql_account_get_used (fixture->service->account);
  page = first_page (fixture, "SELECT *, v || v || v || v FROM r");
  do
    {
      kvsqld_worker_pool_report (fixture->service->workers, &report);
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_thread_yield ();
    }
  while (report.n_rounds == 0 || report.n_busy > 0);
  g_assert_cmpuint (kvsql_account_get_used (fixture->service->account) - used, <, 2 << 20);
}

typedef struct
{
  ServiceFixture *fixture;
  const gchar *sql;
  const gchar *expected;
} Asker;

static gpointer
ask_often (gpointer data)
{
  const Asker *self = data;

  for (guint i = 0; i < 10; i++)
    {
      g_autofree gchar *got = service_fixture_run (self->fixture, self->sql);

      g_assert_cmpstr (got, ==, self->expected);
    }
  return NULL;
}

/* More statements than workers: each gets some help, and each one ends. */
static void
test_several_at_once (ServiceFixture *fixture, gconstpointer store_url)
{
  GThread *threads[6];
  Asker askers[6];
  gchar *expected[6];

  kvsqld_service_set_limits (fixture->service, &alone);
  for (guint i = 0; i < 6; i++)
    {
      expected[i] = service_fixture_run (fixture, statements[i * 3].sql);
      askers[i] = (Asker){ fixture, statements[i * 3].sql, expected[i] };
    }
  kvsqld_service_set_limits (fixture->service, &together);
  for (guint i = 0; i < 6; i++)
    threads[i] = g_thread_new ("asker", ask_often, &askers[i]);
  for (guint i = 0; i < 6; i++)
    {
      g_thread_join (threads[i]);
      g_free (expected[i]);
    }
}

static const struct
{
  const gchar *name;
  void (*test) (ServiceFixture *fixture, gconstpointer store_url);
} tests[] = {
  { "answers", test_answers },
  { "cut", test_cut },
  { "other-daemons-go-on", test_other_daemons_go_on },
  { "page-sizes", test_page_sizes },
  { "more-groups-than-memory", test_more_groups_than_memory },
  { "errors", test_errors },
  { "max-scan-rows", test_max_scan_rows },
  { "closed-early", test_closed_early },
  { "cancelled", test_cancelled },
  { "reads-ahead", test_reads_ahead },
  { "several-at-once", test_several_at_once },
};

int
main (int argc, char **argv)
{
  static const gchar *const stores[] = { "memory", "rocksdb" };

  g_test_init (&argc, &argv, NULL);
  for (guint s = 0; s < G_N_ELEMENTS (stores); s++)
    for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
      {
        g_autofree gchar *path = g_strdup_printf ("/parallel/%s/%s", stores[s], tests[i].name);

        g_test_add (path, ServiceFixture, s == 0 ? NULL : stores[s], set_up, tests[i].test,
                    service_fixture_tear_down);
      }
  /* requests take long there */
  if (g_getenv ("KVSQL_TEST_HBASE_URL") != NULL)
    g_test_add ("/parallel/hbase/answers", ServiceFixture, "hbase", set_up, test_answers,
                service_fixture_tear_down);
  return g_test_run ();
}
