/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-pushdown.c: what the store leaves out of a scan changes no answer, on every store there is
 * (HBase: if KVSQL_TEST_HBASE_URL is set).
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"

#define T "1709208000000" /* 2024-02-29T12:00:00Z */

static void
assert_plan_has (ServiceFixture *fixture, const gchar *sql, const gchar *expected)
{
  g_autofree gchar *plan = service_fixture_run (fixture, sql);

  if (strstr (plan, expected) == NULL)
    g_error ("%s\ndoes not contain: %s\nbut is:\n%s", sql, expected, plan);
}

static void
assert_plan_lacks (ServiceFixture *fixture, const gchar *sql, const gchar *unexpected)
{
  g_autofree gchar *plan = service_fixture_run (fixture, sql);

  if (strstr (plan, unexpected) != NULL)
    g_error ("%s\ncontains: %s\n%s", sql, unexpected, plan);
}

/* ---- time ranges */

/* "a" was written twice: what it was before is not what it is. */
static void
define_noted (ServiceFixture *fixture)
{
  service_fixture_script (
      fixture, "DEFINE RELATION w { k STRING KEY, v INT } WITH (writes = plain);"
               "DEFINE PRIMARY SCHEMA w_cells FOR w { TABLE 't', ROW k, FAMILY 'f', VALUE v };"
               "DEFINE RELATION r { k STRING KEY, v INT, at TIMESTAMP } WITH (writes = plain);"
               "DEFINE PRIMARY SCHEMA look FOR r { TABLE 't', ROW k, FAMILY 'f', VALUE v, "
               "TIMESTAMP at } WITH (role = read);"
               "INSERT INTO w VALUES ('a', 1) USING TIMESTAMP 1709208000000;"
               "INSERT INTO w VALUES ('b', 2) USING TIMESTAMP 1709208000100;"
               "INSERT INTO w VALUES ('c', 3) USING TIMESTAMP 1709208000200;"
               "INSERT INTO w VALUES ('a', 4) USING TIMESTAMP 1709208000300");
}

static void
test_times (ServiceFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const gchar *where;
    const gchar *expected;
  } cases[] = {
    { "at >= '2024-02-29T12:00:00.200Z'", "a|4\nc|3" },
    { "at > '2024-02-29T12:00:00.200Z'", "a|4" },
    { "at > '2024-02-29T12:00:00.300Z'", "" },
    { "at = '2024-02-29T12:00:00.100Z'", "b|2" },
    { "at < '2024-02-29T12:00:00.100Z'", "" },
    { "at <= '2024-02-29T12:00:00.200Z'", "b|2\nc|3" },
    { "at BETWEEN '2024-02-29T12:00:00.100Z' AND '2024-02-29T12:00:00.250Z'", "b|2\nc|3" },
    { "at IN ('2024-02-29T12:00:00.000Z', '2024-02-29T12:00:00.200Z')", "c|3" },
    { "at < '2024-02-29T12:00:00.150Z' OR at > '2024-02-29T12:00:00.250Z'", "a|4\nb|2" },
    { "at > '2024-02-29T12:00:00.150Z' OR v = 2", "a|4\nb|2\nc|3" },
    { "at <> '2024-02-29T12:00:00.200Z'", "a|4\nb|2" },
    { "at > '1960-01-01T00:00:00Z'", "a|4\nb|2\nc|3" },
    { "at < '1960-01-01T00:00:00Z'", "" },
    { "at IS NULL", "" },
    { "at IS NOT NULL AND k >= 'b'", "b|2\nc|3" },
    { "k IN ('a', 'b') AND at > '2024-02-29T12:00:00.200Z'", "a|4" },
    { "at = '9999-12-31T23:59:59.999Z'", "" },
  };

  define_noted (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *sql
          = g_strdup_printf ("SELECT k, v FROM r WHERE %s ORDER BY k", cases[i].where);
      service_fixture_assert (fixture, sql, cases[i].expected);
    }
}

static void
test_times_plan (ServiceFixture *fixture, gconstpointer data)
{
  const gchar *from = "only cells from 2024-02-29T12:00:00.000Z";
  const gchar *both = "only cells from 2024-02-29T12:00:00.000Z up to 2024-02-29T12:00:01.000Z";
  const gchar *between = "SELECT * FROM r WHERE at BETWEEN '2024-02-29T12:00:00Z' AND "
                         "'2024-02-29T12:00:01Z'";
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", between, NULL);
  g_autofree gchar *calls = g_strconcat ("EXPLAIN (CALLS) ", between, NULL);

  define_noted (fixture);
  assert_plan_has (fixture, explain, fixture->is_shared ? from : both);
  assert_plan_has (fixture, calls, ", not older than " T);
  (fixture->is_shared ? assert_plan_lacks : assert_plan_has) (fixture, calls,
                                                              ", older than 1709208001001");
  (fixture->is_shared ? assert_plan_lacks : assert_plan_has) (fixture, explain, "up to 2024");
  /* rows by key are few, and a tuple of several cells, or a row of several tuples, could change */
  assert_plan_lacks (fixture,
                     "EXPLAIN SELECT * FROM r WHERE at > '2024-02-29T12:00:00Z' AND k = 'a'",
                     "only cells");
  service_fixture_script (
      fixture, "DEFINE RELATION wide { k STRING KEY, q STRING KEY, v INT, at TIMESTAMP } WITH "
               "(writes = plain);"
               "DEFINE PRIMARY SCHEMA wide_t FOR wide { TABLE 'u', ROW k, FAMILY 'f', QUALIFIER q, "
               "VALUE v, TIMESTAMP at } WITH (role = read);"
               "DEFINE RELATION strict { k STRING KEY, v INT, at TIMESTAMP } WITH (writes = plain);"
               "DEFINE PRIMARY SCHEMA strict_t FOR strict { TABLE 'u', ROW k, FAMILY 'f', VALUE v, "
               "TIMESTAMP at } WITH (role = read, undecodable = fail);");
  assert_plan_lacks (fixture, "EXPLAIN SELECT * FROM wide WHERE at > '2024-02-29T12:00:00Z'",
                     "only cells");
  assert_plan_lacks (fixture, "EXPLAIN SELECT * FROM strict WHERE at > '2024-02-29T12:00:00Z'",
                     "only cells");
}

/* ---- DELETE as of a time */

/* Counted are the tuples of which the primary loses something; of the others no schema does. */
static void
check_delete (ServiceFixture *fixture, const gchar *layout, gboolean loses_cells)
{
  service_fixture_script (
      fixture, "DEFINE RELATION d { k INT KEY, s STRING, v INT, w INT } WITH (writes = plain)");
  service_fixture_script (fixture, layout);
  service_fixture_script (fixture, "INSERT INTO d VALUES (1, 's', 10, 100) USING TIMESTAMP 1000;"
                                   "INSERT INTO d VALUES (2, 's', 20, 200) USING TIMESTAMP 2000;"
                                   "INSERT INTO d VALUES (3, 's', 30, 300) USING TIMESTAMP 1000;"
                                   "UPDATE d SET v = 31 WHERE k = 3 USING TIMESTAMP 2000");
  service_fixture_assert (fixture, "DELETE FROM d USING TIMESTAMP 999", "0 affected");
  service_fixture_assert (fixture, "SELECT * FROM d ORDER BY k",
                          "1|s|10|100\n2|s|20|200\n3|s|31|300");
  service_fixture_assert (fixture, "DELETE FROM d WHERE k <> 3 USING TIMESTAMP 1500", "1 affected");
  service_fixture_assert (fixture, "SELECT k FROM d ORDER BY k", "2\n3");
  service_fixture_assert (fixture, "DELETE FROM d WHERE k = 3 USING TIMESTAMP 1500",
                          loses_cells ? "1 affected" : "0 affected");
  service_fixture_assert (fixture, "SELECT v FROM d WHERE k = 3", "31");
  service_fixture_assert (fixture, "SELECT w FROM d WHERE k = 3", loses_cells ? "NULL" : "300");
  service_fixture_assert (fixture, "DELETE FROM d LIMIT 5 USING TIMESTAMP 2000 RETURNING k",
                          "2\n3\n2 affected");
  service_fixture_assert (fixture, "SELECT k FROM d", "");
}

static void
test_delete_packed (ServiceFixture *fixture, gconstpointer data)
{
  check_delete (fixture,
                "DEFINE PRIMARY SCHEMA d_packed FOR d { TABLE 'd', ROW k, FAMILY 'f', VALUE "
                "ordered{s}:ordered{v}:ordered{w} };"
                "DEFINE SCHEMA d_cells FOR d { TABLE 'e', ROW k, FAMILY 'f', QUALIFIER "
                "attr_name[k], VALUE attr_value[k] }",
                FALSE);
}

static void
test_delete_cells (ServiceFixture *fixture, gconstpointer data)
{
  check_delete (fixture,
                "DEFINE PRIMARY SCHEMA d_cells FOR d { TABLE 'e', ROW k, FAMILY 'f', QUALIFIER "
                "attr_name[k], VALUE attr_value[k] };",
                TRUE);
}

static void
test_delete_plan (ServiceFixture *fixture, gconstpointer data)
{
  const gchar *sql = "EXPLAIN DELETE FROM d WHERE v > 5 USING TIMESTAMP " T;

  service_fixture_script (fixture,
                          "DEFINE RELATION d { k INT KEY, v INT } WITH (writes = plain);"
                          "DEFINE PRIMARY SCHEMA d_t FOR d { TABLE 'd', ROW k, FAMILY 'f', VALUE "
                          "v };");
  (fixture->is_shared ? assert_plan_lacks : assert_plan_has) (
      fixture, sql, "only cells up to 2024-02-29T12:00:00.000Z");
}

/* ---- filters */

/* Typed attributes over cells that a relation of bytes wrote: also values that we would write
 * otherwise, and some that fit no layout. */
static void
define_values (ServiceFixture *fixture)
{
  service_fixture_script (
      fixture,
      "DEFINE RELATION raw { k STRING KEY, b BYTES, d BYTES, n BYTES, r BYTES, s BYTES } WITH "
      "(writes = plain);"
      "DEFINE PRIMARY SCHEMA raw_c FOR raw { TABLE 'c', ROW k, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
      "DEFINE RELATION t { k STRING KEY, b BOOLEAN, d DECIMAL, n INT, r DOUBLE, s STRING } WITH "
      "(writes = plain);"
      "DEFINE PRIMARY SCHEMA t_c FOR t { TABLE 'c', ROW k, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] } WITH (role = read, marker = x'00');"
      "DEFINE RELATION raw1 { k STRING KEY, v BYTES } WITH (writes = plain);"
      "DEFINE PRIMARY SCHEMA raw1_p FOR raw1 { TABLE 'p', ROW k, FAMILY 'f', QUALIFIER 'q''', "
      "VALUE v };"
      "DEFINE RELATION p { k STRING KEY, n INT, s STRING } WITH (writes = plain);"
      "DEFINE PRIMARY SCHEMA p_p FOR p { TABLE 'p', ROW k, FAMILY 'f', QUALIFIER 'q''', "
      "VALUE n:null('-'){s} } WITH (role = read);"
      "DEFINE RELATION l { k STRING KEY, b BOOLEAN } WITH (writes = plain);"
      "DEFINE PRIMARY SCHEMA l_p FOR l { TABLE 'p', ROW k, FAMILY 'f', QUALIFIER 'q''', "
      "VALUE b } WITH (role = read);"
      "DEFINE RELATION f { k STRING KEY, r DOUBLE } WITH (writes = plain);"
      "DEFINE PRIMARY SCHEMA f_p FOR f { TABLE 'p', ROW k, FAMILY 'f', QUALIFIER 'q''', "
      "VALUE r } WITH (role = read);"
      "INSERT INTO raw VALUES "
      "('a', x'00', x'000000000a', x'00000001', x'3ff0000000000000', 'x'),"
      "('b', x'ff', x'0000000164', x'ffffffff', x'7ff8000000000000', ''),"
      "('c', x'02', x'000000ff', x'80000000', x'fff8000000000001', 'it''s'),"
      "('d', x'0000', x'00', x'000001', x'bff0000000000000', x'ff'),"
      "('e', NULL, NULL, NULL, NULL, NULL),"
      "('f', x'01', x'0000000105', x'7fffffff', x'8000000000000000', x'c3a400'),"
      "('g', NULL, x'000000000a', x'00000005', x'0000000000000000', 'xy'),"
      "('h', x'ff', NULL, NULL, x'7ff0000000000001', '(a AND b)'),"
      "('i', x'00', x'0000000005', x'00000001', NULL, NULL);"
      "INSERT INTO raw1 VALUES ('a', x'00000001'), ('b', x'000000012d'), ('c', x'0000000178'),"
      "('d', x'0000000278'), ('e', x'ffffffff7879'), ('f', x'00'), ('g', x'ff'), ('h', x'02'),"
      "('i', x'fff8000000000001'), ('j', x'3ff0000000000000'), ('k', x'7ff8000000000000'),"
      "('l', x'8000000000000000'), ('m', x'')");
}

static void
test_filters (ServiceFixture *fixture, gconstpointer data)
{
  static const gchar *const predicates[] = {
    "t WHERE b",
    "t WHERE NOT b",
    "t WHERE b IS NULL",
    "t WHERE b IS NOT NULL",
    "t WHERE d = 1",
    "t WHERE d > 0.5",
    "t WHERE d IN (1, 0.5)",
    "t WHERE n = 1",
    "t WHERE n < 1",
    "t WHERE n <> 1",
    "t WHERE n IN (1, -1)",
    "t WHERE n >= -1 AND n < 5",
    "t WHERE r > 0",
    "t WHERE r = 0",
    "t WHERE r = 'NaN'",
    "t WHERE r <= 1",
    "t WHERE r < 0",
    "t WHERE r <> 'NaN'",
    "t WHERE s = ''",
    "t WHERE s = 'it''s'",
    "t WHERE s LIKE 'x%'",
    "t WHERE s > 'x'",
    "t WHERE s < 'x'",
    "t WHERE s LIKE '(a AND%'",
    "t WHERE s IS NULL",
    "t WHERE s IS NOT NULL",
    "t WHERE n = 1 AND s = 'x'",
    "t WHERE n = 1 OR s = 'xy'",
    "t WHERE n = 1 OR s IS NULL",
    "t WHERE (n = 1 AND b) OR r = 1",
    "t WHERE n = 1 OR n IS NULL",
    "t WHERE k > 'b' AND n = 1",
    "t WHERE n = 1 AND n = 2",
    "t WHERE n + d > 1 AND s >= ''",
    "t WHERE n = 1 OR k = 'c'",
    "p WHERE n = 1",
    "p WHERE n < 0",
    "p WHERE n = 1 AND s = 'x'",
    "p WHERE s = 'x'",
    "p WHERE n = 1 AND s IS NULL",
    "p WHERE n = 1 AND (s IS NULL OR s = 'x')",
    "p WHERE n = 1 AND s IS NOT NULL",
    "p WHERE n IN (1, 2) AND s = 'x'",
    "l WHERE b",
    "l WHERE NOT b",
    "l WHERE b IS NULL",
    "f WHERE r = 'NaN'",
    "f WHERE r > 0",
    "f WHERE r = 0",
    "f WHERE r <> 0",
    "f WHERE r < 1",
  };
  KvsqlStoreCapabilities *capabilities;
  guint filters, n_filtered = 0;

  define_values (fixture);
  capabilities = &fixture->service->store->capabilities;
  filters = capabilities->filters;
  for (guint i = 0; i < G_N_ELEMENTS (predicates); i++)
    for (guint reversed = 0; reversed < 2; reversed++)
      {
        g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM %s ORDER BY k%s", predicates[i],
                                                 reversed ? " DESC" : "");
        g_autofree gchar *explain = g_strconcat ("EXPLAIN ", sql, NULL);
        g_autofree gchar *again = g_strconcat (sql, " LIMIT 1000", NULL);
        g_autofree gchar *plain = NULL, *filtered = NULL, *plan = NULL;

        capabilities->filters = 0;
        plain = service_fixture_run (fixture, sql);
        capabilities->filters = KVSQL_FILTER_VALUES | KVSQL_FILTER_KEYS_ONLY;
        plan = service_fixture_run (fixture, explain);
        n_filtered += strstr (plan, "the store filters") != NULL;
        /* a text of its own: plans are kept with their texts */
        filtered = service_fixture_run (fixture, again);
        g_assert_cmpstr (filtered, ==, plain);
      }
  g_assert_cmpuint (n_filtered, >=, 40);
  capabilities->filters = filters;
}

/* By hand, not by ourselves. */
static void
test_filter_answers (ServiceFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const gchar *sql;
    const gchar *expected;
  } cases[] = {
    { "SELECT k FROM t WHERE b ORDER BY k", "b\nc\nf\nh" },
    { "SELECT k FROM t WHERE NOT b ORDER BY k", "a\ni" },
    { "SELECT k FROM t WHERE n = 1 ORDER BY k", "a\ni" },
    { "SELECT k FROM t WHERE n < 0 ORDER BY k", "b\nc" },
    { "SELECT k FROM t WHERE n = 1 OR n IS NULL ORDER BY k", "a\nd\ne\nh\ni" },
    { "SELECT k FROM t WHERE r = 'NaN' ORDER BY k", "b\nc\nh" },
    { "SELECT k FROM t WHERE r = 0 ORDER BY k", "f\ng" },
    { "SELECT k FROM t WHERE s = 'it''s'", "c" },
    { "SELECT k FROM t WHERE s IS NULL ORDER BY k", "d\ne\nf\ni" },
    { "SELECT k FROM p WHERE n = 1 ORDER BY k", "a\nb\nc" },
    { "SELECT k FROM p WHERE n = 1 AND s IS NULL", "b" },
    { "SELECT k FROM f WHERE r = 'NaN' ORDER BY k", "i\nk" },
    { "SELECT k FROM f WHERE r = 0", "l" },
  };

  define_values (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    service_fixture_assert (fixture, cases[i].sql, cases[i].expected);
}

/* A row in which all cells are other than asked for is not looked at. */
static void
test_filter_saves (ServiceFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) insert = g_string_new ("INSERT INTO w VALUES ");

  service_fixture_script (
      fixture,
      "DEFINE RELATION w { k INT KEY, v INT NOT NULL, b BYTES NOT NULL } WITH (writes = plain);"
      "DEFINE PRIMARY SCHEMA w_c FOR w { TABLE 'w', ROW k, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] };"
      "DEFINE RELATION o { k INT KEY, b BYTES } WITH (writes = plain);"
      "DEFINE PRIMARY SCHEMA o_c FOR o { TABLE 'o', ROW k, FAMILY 'f', VALUE b };"
      "INSERT INTO o VALUES (1, x'00'), (2, x'01')");
  for (guint i = 0; i < 500; i++)
    g_string_append_printf (insert, "%s(%u, %u, 'x')", i > 0 ? ", " : "", i, i % 100);
  service_fixture_script (fixture, insert->str);
  if (fixture->service->store->capabilities.filters & KVSQL_FILTER_VALUES)
    assert_plan_has (fixture, "EXPLAIN ANALYZE SELECT * FROM w WHERE v = 42", " 5 rows");
  service_fixture_assert (fixture, "SELECT count(*) FROM w WHERE v = 42", "5");
  service_fixture_assert (fixture, "SELECT count(*) FROM o", "2");
  if (fixture->service->store->capabilities.filters & KVSQL_FILTER_KEYS_ONLY)
    assert_plan_has (fixture, "EXPLAIN SELECT k FROM o", "the store leaves out the values");
  assert_plan_lacks (fixture, "EXPLAIN SELECT * FROM o", "the store leaves out the values");
  assert_plan_lacks (fixture, "EXPLAIN SELECT k FROM w", "the store leaves out the values");
}

int
main (int argc, char **argv)
{
  static const ServiceFixtureTest tests[] = {
    { "times/answers", test_times },
    { "times/plans", test_times_plan },
    { "filter/changes-no-answer", test_filters },
    { "filter/answers", test_filter_answers },
    { "filter/saves", test_filter_saves },
    { "delete-as-of/one-cell", test_delete_packed },
    { "delete-as-of/a-cell-an-attribute", test_delete_cells },
    { "delete-as-of/plan", test_delete_plan },
  };

  g_test_init (&argc, &argv, NULL);
  service_fixture_add_tests ("/pushdown", NULL, tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/pushdown", "rocksdb", tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/pushdown", "hbase", tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
