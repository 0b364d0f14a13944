/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-set.c: UNION, INTERSECT and EXCEPT: pages, memory, limits, prepared statements.
 */
#include "config.h"

#include "core/sql/parser.h"
#include "tests/harness/service-fixture.h"

#define N_ROWS 60

/* a has k from 0 up to N_ROWS, b every third of them; x is k % 7 in both. */
static void
define (ServiceFixture *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  service_fixture_script (
      self,
      "DEFINE RELATION a { k INT KEY, x INT };"
      "DEFINE PRIMARY SCHEMA a1 FOR a { TABLE 'a', ROW ordered{k}, FAMILY 'f', VALUE ordered{x} };"
      "DEFINE RELATION b { k BIGINT KEY, x DOUBLE };"
      "DEFINE PRIMARY SCHEMA b1 FOR b { TABLE 'b', ROW desc{k}, FAMILY 'f', VALUE x };");
  for (guint i = 0; i < N_ROWS; i++)
    g_string_append_printf (sql, "%s(%u, %u)", i == 0 ? "INSERT INTO a VALUES " : ", ", i, i % 7);
  for (guint i = 0; i < N_ROWS; i += 3)
    g_string_append_printf (sql, "%s(%u, %u)", i == 0 ? "; INSERT INTO b VALUES " : ", ", i, i % 7);
  service_fixture_script (self, sql->str);
}

/* ---- pages */

static const gchar *const paged[] = {
  "SELECT k, x FROM a UNION ALL SELECT k, x FROM b",
  "SELECT k, x FROM a UNION ALL SELECT k, x FROM b LIMIT 70 OFFSET 5",
  "SELECT x FROM a UNION SELECT k FROM b",
  "SELECT a.k, y.n FROM a JOIN (SELECT x, count(*) AS n FROM b GROUP BY x) AS y ON y.x = a.x",
  "SELECT y.n, a.k FROM (SELECT x, count(*) FROM b GROUP BY x) AS y (x, n) JOIN a USING (x)",
  "VALUES (1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, 14), (15, 16), (17, 18)",
  "SELECT n, k FROM (SELECT k * 2, x FROM a) AS y (n, k) LIMIT 70 OFFSET 5",
  "SELECT k FROM a EXCEPT ALL SELECT k FROM b",
  "SELECT x FROM a INTERSECT SELECT k FROM b ORDER BY 1 DESC",
  "(SELECT k FROM a ORDER BY k DESC LIMIT 20) UNION ALL SELECT k FROM b EXCEPT ALL SELECT 3",
};

/* Pages from runs that are kept, and from cursors that another daemon continues. */
static void
test_pages (void)
{
  ServiceFixture self;

  service_fixture_open (&self, "rocksdb");
  define (&self);
  for (guint i = 0; i < G_N_ELEMENTS (paged); i++)
    {
      g_autofree gchar *whole = service_fixture_run (&self, paged[i]), *warm = NULL, *cold = NULL;
      guint n_warm, n_cold;

      warm = service_fixture_run_pages (&self, paged[i], 7, FALSE, &n_warm);
      cold = service_fixture_run_pages (&self, paged[i], 7, TRUE, &n_cold);
      g_assert_cmpuint (n_warm, >=, 1);
      g_assert_cmpuint (n_cold, ==, n_warm);
      g_assert_cmpstr (warm, ==, whole);
      g_assert_cmpstr (cold, ==, whole);
    }
  service_fixture_close (&self);
}

/* A cursor ends with a definition that an operand uses. */
static void
test_changed_definition (void)
{
  KvsqldRequest request = { .max_rows = 7 };
  g_autoptr (KvsqlResultPage) page = NULL, next = NULL;
  g_autoptr (GError) error = NULL;
  ServiceFixture self;
  gsize size;
  gconstpointer data;

  service_fixture_open (&self, NULL);
  define (&self);
  page = kvsqld_service_query (self.service, &request,
                               kvsql_slice_from_text ("SELECT 1 UNION ALL SELECT k FROM a"), NULL,
                               0, &error);
  g_assert_no_error (error);
  service_fixture_script (&self, "ALTER RELATION a RENAME x TO y");
  data = g_bytes_get_data (page->cursor, &size);
  next = kvsqld_service_fetch (self.service, &request, kvsql_slice (data, size), &error);
  g_assert_null (next);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_CURSOR);
  service_fixture_close (&self);
}

/* ---- memory */

#define COUNTED(word) "SELECT k, x FROM a " word " SELECT k, x FROM b ORDER BY 1, 2"

static void
test_memory (void)
{
  static const gchar *const statements[]
      = { COUNTED ("UNION"),
          COUNTED ("INTERSECT"),
          COUNTED ("INTERSECT ALL"),
          COUNTED ("EXCEPT"),
          COUNTED ("EXCEPT ALL"),
          COUNTED ("UNION ALL"),
          "SELECT x FROM a EXCEPT ALL SELECT x FROM b ORDER BY 1" };
  KvsqldServiceLimits tight
      = { .page_rows = 100, .page_bytes = 1 << 20, .sort_bytes = 256, .sort_disk_bytes = 1 << 20 };
  gchar *whole[G_N_ELEMENTS (statements)];
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    whole[i] = service_fixture_run (&self, statements[i]);
  kvsqld_service_set_limits (self.service, &tight);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      service_fixture_assert (&self, statements[i], whole[i]);
      g_free (whole[i]);
    }
  tight.sort_disk_bytes = 0;
  kvsqld_service_set_limits (self.service, &tight);
  service_fixture_assert_fails (&self, "SELECT k FROM a EXCEPT ALL SELECT k FROM b",
                                KVSQL_ERROR_LIMIT, "EXCEPT needs more than 0 MiB");
  service_fixture_close (&self);
}

/* ---- limits */

static gchar *
chain (const gchar *word, guint n_operands)
{
  GString *sql = g_string_new ("SELECT 0");

  for (guint i = 1; i < n_operands; i++)
    g_string_append_printf (sql, " %s SELECT %u", word, i);
  return g_string_free (sql, FALSE);
}

static void
test_many_operands (void)
{
  g_autofree gchar *most = chain ("UNION ALL", KVSQL_MAX_ITEMS),
                   *too_many = chain ("UNION ALL", KVSQL_MAX_ITEMS + 1),
                   *deepest = chain ("EXCEPT", 100), *too_deep = chain ("EXCEPT", 300);
  g_autofree gchar *got = NULL;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  got = service_fixture_run (&self, most);
  g_assert_true (g_str_has_suffix (got, "\n1662\n1663"));
  service_fixture_assert (&self, deepest, "0");
  service_fixture_assert_fails (&self, too_many, KVSQL_ERROR_LIMIT,
                                "UNION has more than 1664 items");
  service_fixture_assert_fails (&self, too_deep, KVSQL_ERROR_LIMIT,
                                "query is nested more than 200 levels deep");
  service_fixture_close (&self);
}

/* The names of "*" are looked for once, not once for each "*". */
static void
test_stars_in_stars (void)
{
  g_autoptr (GString) sql = g_string_new ("SELECT k FROM a WHERE EXISTS (SELECT 1 FROM ");
  ServiceFixture self;

  for (guint i = 0; i < 60; i++)
    g_string_append (sql, "(SELECT *, * FROM ");
  g_string_append (sql, "b");
  for (guint i = 0; i < 60; i++)
    g_string_append (sql, ") AS y");
  g_string_append (sql, " WHERE z = 1)");
  service_fixture_open (&self, NULL);
  define (&self);
  service_fixture_assert_fails (&self, sql->str, KVSQL_ERROR_LIMIT,
                                "a query in FROM has more than 256 columns");
  service_fixture_close (&self);
}

/* No more is read than is asked for. */
static void
test_limit_stops_reading (void)
{
  g_autofree gchar *plan = NULL;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  plan = service_fixture_run (
      &self, "EXPLAIN ANALYZE SELECT 1 UNION ALL (SELECT k FROM a UNION ALL SELECT k FROM b) "
             "UNION ALL SELECT k FROM b LIMIT 2");
  g_assert_nonnull (strstr (plan, "\n  operand 1: 1 row\n  operand 2: 1 row\n  operand 2.1: 1 row\n"
                                  "  operand 2.2: 0 rows\n  operand 3: 0 rows\n"));
  service_fixture_close (&self);
}

/* The rows of queries that are joined are counted, too. */
static void
test_counts_of_queries (void)
{
  g_autofree gchar *plan = NULL;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  plan = service_fixture_run (
      &self, "EXPLAIN ANALYZE SELECT * FROM (SELECT 1 AS n UNION ALL SELECT 2) AS y "
             "JOIN (SELECT x, count(*) AS n FROM b GROUP BY x) AS z ON z.x = y.n, (VALUES (1)) w");
  g_assert_nonnull (strstr (plan, "\n  query in FROM 1: 2 rows\n  operand 1.1: 1 row\n"
                                  "  operand 1.2: 1 row\n  query in FROM z 1: 7 rows\n"
                                  "  query in FROM w 1: 1 row\n"));
  service_fixture_close (&self);
}

/* What the queries of WITH have together is limited as the text of a statement is. */
static void
test_with_is_limited (void)
{
  g_autoptr (GString) sql = g_string_new ("WITH x0 AS (SELECT 1 AS a)");
  ServiceFixture self;

  for (guint i = 1; i < 30; i++)
    g_string_append_printf (sql, ", x%u AS (SELECT y.a FROM x%u AS y JOIN x%u AS z ON y.a = z.a)",
                            i, i - 1, i - 1);
  g_string_append (sql, " SELECT a FROM x29");
  service_fixture_open (&self, NULL);
  service_fixture_assert_fails (&self, sql->str, KVSQL_ERROR_LIMIT,
                                "with its WITH queries written out, the statement is longer "
                                "than 4194304 bytes");
  service_fixture_close (&self);
}

static void
test_with_writes (void)
{
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  service_fixture_script (&self, "WITH y AS (VALUES (1), (2)) DELETE FROM a "
                                 "WHERE k IN (SELECT column1 FROM y)");
  service_fixture_assert (&self, "SELECT k FROM a WHERE k < 4", "0\n3");
  service_fixture_script (&self, "INSERT INTO a WITH y (k) AS (SELECT k + 1 FROM a WHERE k = 0) "
                                 "SELECT k, 70 FROM y");
  service_fixture_script (&self, "WITH y AS (SELECT k FROM a WHERE x = 70) UPDATE a SET x = 71 "
                                 "WHERE EXISTS (SELECT 1 FROM y WHERE y.k = a.k)");
  service_fixture_assert (&self, "SELECT k, x FROM a WHERE k < 3", "0|0\n1|71");
  service_fixture_close (&self);
}

/* ---- parameters */

static KvsqlType
type_when_prepared (ServiceFixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldPrepared) prepared
      = kvsqld_service_prepare (self->service, NULL, kvsql_slice_from_text (sql), &error);

  g_assert_no_error (error);
  g_assert_cmpuint (prepared->n_columns, ==, 1);
  return prepared->columns[0].type;
}

static void
test_parameters (void)
{
  const KvsqlValue seven = { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text ("7") };
  g_autoptr (GString) rows = g_string_new (NULL);
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GError) error = NULL;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  g_assert_cmpint (type_when_prepared (&self, "SELECT ? UNION ALL SELECT x FROM b"), ==,
                   KVSQL_TYPE_DOUBLE);
  g_assert_cmpint (type_when_prepared (&self, "SELECT x FROM a EXCEPT SELECT ?"), ==,
                   KVSQL_TYPE_INT);
  g_assert_cmpint (type_when_prepared (&self, "SELECT ? UNION SELECT ?"), ==, KVSQL_TYPE_STRING);
  page = kvsqld_service_query (
      self.service, NULL, kvsql_slice_from_text ("SELECT x FROM a WHERE k = 1 UNION ALL SELECT ?"),
      &seven, 1, &error);
  g_assert_no_error (error);
  service_fixture_append_page (page, rows);
  g_assert_cmpstr (rows->str, ==, "1\n7");
  g_assert_cmpint (page->columns[0].type, ==, KVSQL_TYPE_INT);
  service_fixture_close (&self);
}

/* ---- INSERT */

/* All is read before the relation is written. */
static void
test_into_itself (void)
{
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  service_fixture_script (&self, "INSERT INTO a (k, x) (SELECT k + 100, x FROM a) UNION ALL "
                                 "SELECT k + 200, 1 FROM b EXCEPT SELECT 100, 0");
  service_fixture_assert (&self, "SELECT count(*), min(k), max(k) FROM a WHERE k >= 100",
                          "79|101|257");
  service_fixture_close (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/set/pages", test_pages);
  g_test_add_func ("/set/changed-definition", test_changed_definition);
  g_test_add_func ("/set/memory-is-bounded", test_memory);
  g_test_add_func ("/set/many-operands", test_many_operands);
  g_test_add_func ("/set/stars-in-stars", test_stars_in_stars);
  g_test_add_func ("/set/limit-stops-reading", test_limit_stops_reading);
  g_test_add_func ("/set/counts-of-queries", test_counts_of_queries);
  g_test_add_func ("/set/with-is-limited", test_with_is_limited);
  g_test_add_func ("/set/with-writes", test_with_writes);
  g_test_add_func ("/set/parameters", test_parameters);
  g_test_add_func ("/set/into-itself", test_into_itself);
  return g_test_run ();
}
