/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-subquery.c: subqueries that are values or operands, and how often they are run.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

static const gchar *const stores[] = { NULL, "rocksdb" };

typedef struct
{
  const gchar *sql;
  const gchar *rows;
} Case;

/* o: (1, 1, 'a'), (2, 1, NULL), (3, NULL, 'b'), (4, 7, 'b')
 * i: (1, 1, 10, 'a'), (2, 1, 20, 'b'), (3, 2, NULL, 'b'), (4, NULL, 40, NULL) */
static const Case cases[] = {
  /* values */
  { "SELECT (SELECT max(y) FROM i), (SELECT 'x'), (SELECT k FROM i WHERE k > 9)", "40|x|NULL" },
  { "SELECT k, (SELECT count(*) FROM i WHERE i.x = o.x) FROM o ORDER BY k", "1|2 2|2 3|0 4|0" },
  { "SELECT k, (SELECT sum(y) FROM i WHERE i.x = o.x) FROM o ORDER BY k",
    "1|30 2|30 3|NULL 4|NULL" },
  { "SELECT k, (SELECT count(*) + 5 FROM i WHERE i.y > o.k * 15) FROM o ORDER BY k",
    "1|7 2|6 3|5 4|5" },
  { "SELECT k FROM o WHERE k = (SELECT min(k) + 1 FROM i)", "2" },
  { "SELECT k FROM o ORDER BY (SELECT count(*) FROM i WHERE i.x = o.x), k DESC", "4 3 2 1" },
  { "SELECT x, count(*) FROM o GROUP BY x HAVING count(*) = (SELECT count(*) FROM i WHERE i.x = "
    "o.x)",
    "1|2" },
  { "SELECT count(*), (SELECT count(*) FROM i WHERE i.x = o.x) AS n FROM o GROUP BY n ORDER BY n",
    "2|0 2|2" },
  { "SELECT k, CASE WHEN (SELECT max(y) FROM i WHERE i.x = o.x) > 15 THEN 'y' ELSE 'n' END FROM o "
    "ORDER BY k",
    "1|y 2|y 3|n 4|n" },
  { "SELECT o.k, i.k FROM o LEFT JOIN i ON i.k = (SELECT max(j.k) FROM i AS j WHERE j.x = o.x) "
    "ORDER BY o.k",
    "1|2 2|2 3|NULL 4|NULL" },
  { "SELECT k, (SELECT y FROM i WHERE i.x = o.x ORDER BY y DESC LIMIT 1) FROM o WHERE k < 3 ORDER "
    "BY k",
    "1|20 2|20" },
  { "SELECT k, (SELECT sum(y) FROM i WHERE i.k < (SELECT max(j.k) FROM i AS j WHERE j.x = o.x)) "
    "FROM o ORDER BY k",
    "1|10 2|10 3|NULL 4|NULL" },
  /* operands; NULL is neither true nor false */
  { "SELECT k FROM o WHERE k = 4 OR EXISTS (SELECT 1 FROM i WHERE i.x = o.x AND i.s = o.s)",
    "1 4" },
  { "SELECT k, x IN (SELECT x FROM i), x NOT IN (SELECT x FROM i WHERE x > 0) FROM o ORDER BY k",
    "1|true|false 2|true|false 3|NULL|NULL 4|NULL|true" },
  { "SELECT k, x IN (SELECT x FROM i WHERE i.s = o.s) FROM o ORDER BY k",
    "1|true 2|false 3|NULL 4|false" },
  { "SELECT k FROM o WHERE NOT (k = 1 OR x IN (SELECT i.x FROM i WHERE i.s = o.s)) ORDER BY k",
    "2 4" },
  /* ANY and ALL; ALL without rows is true */
  { "SELECT k FROM o WHERE k > ANY (SELECT i.k FROM i WHERE i.x = o.x) ORDER BY k", "2" },
  { "SELECT k FROM o WHERE k >= ALL (SELECT i.k FROM i WHERE i.x = o.x) ORDER BY k", "2 3 4" },
  { "SELECT k, k <> ANY (SELECT x FROM i), k = ALL (SELECT x FROM i) FROM o ORDER BY k",
    "1|true|false 2|true|false 3|true|false 4|true|false" },
  { "SELECT k, k < ALL (SELECT y FROM i), k > SOME (SELECT y FROM i) FROM o WHERE k = 1",
    "1|NULL|NULL" },
  /* rows */
  { "SELECT k FROM o WHERE (x, s) IN (SELECT x, s FROM i)", "1" },
  { "SELECT k, (k, s) NOT IN (SELECT x, s FROM i) FROM o ORDER BY k",
    "1|false 2|NULL 3|NULL 4|NULL" },
  { "SELECT k FROM o WHERE (x, s) = (SELECT x, s FROM i WHERE i.k = o.k)", "1" },
  { "SELECT k FROM o WHERE (k, s) > (SELECT 2, 'z')  ORDER BY k", "3 4" },
  /* a subquery around a NOT EXISTS that uses the statement around both */
  { "SELECT k FROM o WHERE NOT EXISTS (SELECT 1 FROM i WHERE i.x = 1 AND NOT EXISTS (SELECT 1 FROM "
    "o AS p WHERE p.x = i.x AND p.k = o.k)) ORDER BY k",
    "1 2" },
  /* what no row needs does not fail */
  { "SELECT k FROM o WHERE k > 9 AND x = (SELECT y FROM i)", "" },
  { "SELECT CASE WHEN k > 9 THEN (SELECT y FROM i WHERE i.x = o.x) END FROM o WHERE k < 2",
    "NULL" },
  { "SELECT q.n FROM (SELECT (SELECT count(*) FROM i WHERE i.x = o.x) AS n FROM o) AS q WHERE q.n "
    "> 0",
    "2 2" },
  { "SELECT (SELECT max(y) FROM i WHERE i.x = o.x) FROM o WHERE k = 1 UNION SELECT 5 ORDER BY 1",
    "5 20" },
};

static void
define (ServiceFixture *self)
{
  service_fixture_script (
      self,
      "DEFINE RELATION o { k INT KEY, x INT, s STRING };"
      "DEFINE PRIMARY SCHEMA o1 FOR o { TABLE 'o', ROW ordered{k}, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
      "DEFINE RELATION i { k INT KEY, x INT, y INT, s STRING };"
      "DEFINE PRIMARY SCHEMA i1 FOR i { TABLE 'i', ROW ordered{k}, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
      "INSERT INTO o VALUES (1, 1, 'a'), (2, 1, NULL), (3, NULL, 'b'), (4, 7, 'b');"
      "INSERT INTO i VALUES (1, 1, 10, 'a'), (2, 1, 20, 'b'), (3, 2, NULL, 'b'), (4, NULL, 40, "
      "NULL)");
}

static void
test_cases (gconstpointer data)
{
  ServiceFixture self;

  service_fixture_open (&self, data);
  define (&self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *got = service_fixture_run (&self, cases[i].sql);

      g_strdelimit (got, "\n", ' ');
      if (strcmp (got, cases[i].rows) != 0)
        g_error ("%s: %s, expected %s", cases[i].sql, got, cases[i].rows);
    }
  service_fixture_close (&self);
}

/* ---- how often it is run */

static void
assert_runs (ServiceFixture *self, const gchar *sql, const gchar *runs)
{
  g_autofree gchar *text = g_strconcat ("EXPLAIN ANALYZE ", sql, NULL);
  g_autofree gchar *got = service_fixture_run (self, text);

  if (strstr (got, runs) == NULL)
    g_error ("%s: %s, expected %s", sql, got, runs);
}

static void
test_runs (void)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO o VALUES ");
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  for (guint i = 100; i < 3000; i++)
    g_string_append_printf (sql, "%s(%u, %u, 'x')", i > 100 ? ", " : "", i, i % 50);
  service_fixture_script (&self, sql->str);
  /* an equality without a schema for it: read once, then at once */
  assert_runs (&self, "SELECT (SELECT count(*) FROM i WHERE i.x = o.x) FROM o",
               "evaluated 2904 times, run 1 time, then read at once");
  /* any other comparison: once for each of the values 0 to 49 and NULL */
  assert_runs (&self, "SELECT (SELECT count(*) FROM i WHERE i.x < o.x) FROM o",
               "evaluated 2904 times, run 51 times\n");
  assert_runs (&self, "SELECT x > ALL (SELECT y FROM i) FROM o",
               "evaluated 2904 times, run 1 time\n");
  /* a key is looked up */
  assert_runs (&self, "SELECT (SELECT y FROM i WHERE i.k = o.k) FROM o WHERE k < 4",
               "evaluated 3 times, run 3 times\n");
  service_fixture_close (&self);
}

/* Pages of a cursor, with what was kept and without. */
static void
test_pages (void)
{
  static const gchar sql[] = "SELECT k, (SELECT count(*) FROM i WHERE i.x = o.x) FROM o WHERE k > "
                             "ANY (SELECT i.k FROM i "
                             "WHERE i.k < o.k OR i.k = 1) OR k = 1 ORDER BY k";
  ServiceFixture self;

  service_fixture_open (&self, "rocksdb");
  define (&self);
  for (guint is_cold = 0; is_cold < 2; is_cold++)
    {
      guint n_pages;
      g_autofree gchar *got = service_fixture_run_pages (&self, sql, 1, is_cold != 0, &n_pages);

      g_assert_cmpstr (got, ==, "1|2\n2|2\n3|0\n4|0");
      g_assert_cmpuint (n_pages, >=, 4);
    }
  service_fixture_close (&self);
}

static void
test_writes (void)
{
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  service_fixture_script (
      &self,
      "INSERT INTO o (k, x) VALUES ((SELECT max(k) + 10 FROM i), (SELECT count(*) FROM o));"
      "UPDATE o SET s = (SELECT max(i.s) FROM i WHERE i.x = o.x) WHERE k = 4 OR EXISTS (SELECT 1 "
      "FROM i WHERE i.x = o.x);"
      "UPDATE o SET x = (SELECT max(x) + 1 FROM o) WHERE k = 1;"
      "DELETE FROM o WHERE k <= ALL (SELECT i.k FROM i WHERE i.k < 4) AND (k, x) IN (SELECT k, 8 "
      "FROM i)");
  service_fixture_assert (&self, "SELECT * FROM o ORDER BY k",
                          "2|1|b\n3|NULL|b\n4|7|NULL\n14|4|NULL");
  service_fixture_assert (
      &self,
      "DELETE FROM o WHERE k = (SELECT count(*) - 1 FROM o AS p WHERE p.k > o.k) RETURNING k, "
      "(SELECT max(y) FROM i WHERE i.x = o.x)",
      "2|20\n1 affected");
  service_fixture_close (&self);
}

/* Rows that are kept do not grow without a limit. */
static void
test_memory (void)
{
  const KvsqldServiceLimits limits
      = { .page_rows = 100, .page_bytes = 1 << 20, .sort_bytes = 1 << 20 };
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  service_fixture_script (&self, "INSERT INTO i SELECT k + 100, x, y, repeat ('x', 300000) FROM i");
  kvsqld_service_set_limits (self.service, &limits);
  service_fixture_assert_fails (
      &self, "SELECT k, s = ALL (SELECT s || i.k FROM i WHERE i.k > o.k LIMIT 99) FROM o",
      KVSQL_ERROR_LIMIT, "the subquery gives more than 1 MiB of values");
  service_fixture_close (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      g_autofree gchar *path
          = g_strdup_printf ("/subquery/%s/cases", stores[i] == NULL ? "memory" : stores[i]);
      g_test_add_data_func (path, stores[i], test_cases);
    }
  g_test_add_func ("/subquery/runs", test_runs);
  g_test_add_func ("/subquery/pages", test_pages);
  g_test_add_func ("/subquery/writes", test_writes);
  g_test_add_func ("/subquery/memory", test_memory);
  return g_test_run ();
}
