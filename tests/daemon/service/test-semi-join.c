/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-semi-join.c: EXISTS and IN with correlated subqueries, by each method of a join.
 */
#include "config.h"

#include "core/plan/join-plan.h"
#include "tests/harness/service-fixture.h"

static const gchar *const stores[] = { NULL, "rocksdb" };

/* By method: the join in EXPLAIN. */
static const gchar *const names[] = {
  [KVSQL_JOIN_METHOD_LOOKUP] = "lookup",
  [KVSQL_JOIN_METHOD_HASH] = "hash",
  [KVSQL_JOIN_METHOD_NESTED_LOOP] = "nested loop",
};

typedef struct
{
  const gchar *condition;
  const gchar *join; /* its kind in EXPLAIN; "": not a join of one relation */
  const gchar *keys; /* of the rows of l */
} Case;

/* l: (1, 1, 'a'), (2, 1, NULL), (3, NULL, 'a'), (4, 2, 'b'), (5, 9, 'b')
 * r: (1, 1, 'a'), (2, 1, 'b'), (3, NULL, 'b'), (4, 2, NULL), (9, 5, 'c') */
static const Case cases[] = {
  { "EXISTS (SELECT 1 FROM r WHERE r.k = l.x)", "semi join", "1 2 4 5" },
  { "NOT EXISTS (SELECT 1 FROM r WHERE r.k = l.x)", "anti join", "3" },
  { "EXISTS (SELECT 1 FROM r WHERE r.k = l.x AND r.y < l.k)", "semi join", "2 4" },
  { "NOT EXISTS (SELECT 1 FROM r WHERE r.k = l.x AND r.y < l.k)", "anti join", "1 3 5" },
  { "l.s IN (SELECT r.s FROM r WHERE r.k = l.x)", "semi join", "1 4" },
  { "l.x IN (SELECT y FROM r WHERE r.k = l.k)", "semi join", "1 2 4" },
  /* a NULL of r.y or of l.x makes it unknown; without a row it is true */
  { "l.x NOT IN (SELECT y FROM r WHERE r.k = l.k)", "anti join", "5" },
  { "NOT l.x IN (SELECT y FROM r WHERE r.k = l.k)", "anti join", "5" },
  { "l.k > 1 AND EXISTS (SELECT 1 FROM r WHERE r.k = l.x) AND l.s = 'b'", "semi join", "4 5" },
  { "EXISTS (SELECT 1 FROM r WHERE r.k = l.x AND NOT EXISTS (SELECT 1 FROM l AS m WHERE m.k = "
    "r.y))",
    "anti join", "" },
  { "EXISTS (SELECT 1 FROM r WHERE r.k = l.x AND EXISTS (SELECT 1 FROM l AS m WHERE m.k = r.y AND "
    "m.s = l.s))",
    "", "1 5" },
  { "EXISTS (SELECT 1 FROM r WHERE r.k = l.x LIMIT 1)", "semi join", "1 2 4 5" },
  /* conditions about l wait for its join, above the anti join of the same query */
  { "EXISTS (SELECT 1 FROM r WHERE EXISTS (SELECT 1 FROM l AS m WHERE m.k = r.y AND m.s = l.s) AND "
    "NOT EXISTS (SELECT 1 FROM l AS n WHERE n.x = r.k AND n.s = 'b'))",
    "", "1 3" },
  { "EXISTS (SELECT 1 FROM r JOIN l AS m ON m.k = r.y AND m.s = l.s WHERE NOT EXISTS (SELECT 1 "
    "FROM l AS n WHERE n.x = r.k AND n.s = 'b'))",
    "", "1 3" },
};

static void
define (ServiceFixture *self)
{
  service_fixture_script (
      self,
      "DEFINE RELATION l { k INT KEY, x INT, s STRING };"
      "DEFINE PRIMARY SCHEMA l1 FOR l { TABLE 'l', ROW ordered{k}, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
      "DEFINE RELATION r { k INT KEY, y INT, s STRING };"
      "DEFINE PRIMARY SCHEMA r1 FOR r { TABLE 'r', ROW ordered{k}, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
      "INSERT INTO l VALUES (1, 1, 'a'), (2, 1, NULL), (3, NULL, 'a'), (4, 2, 'b'), (5, 9, 'b');"
      "INSERT INTO r VALUES (1, 1, 'a'), (2, 1, 'b'), (3, NULL, 'b'), (4, 2, NULL), (9, 5, 'c')");
}

static void
assert_case (ServiceFixture *self, const Case *one, KvsqlJoinMethod method)
{
  /* another text for each method, so that no plan is cached */
  g_autofree gchar *sql
      = g_strdup_printf ("SELECT l.k FROM l WHERE %s ORDER BY l.k -- %u", one->condition, method);
  g_autofree gchar *explain = g_strconcat ("EXPLAIN (FORMAT JSON) ", sql, NULL);
  g_autofree gchar *join = g_strconcat (names[method], " ", one->join, NULL);
  g_autofree gchar *rows = NULL, *plan = NULL;

  kvsql_join_forced_method = method;
  rows = service_fixture_run (self, sql);
  plan = service_fixture_run (self, explain);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
  g_strdelimit (rows, "\n", ' ');
  if (g_strcmp0 (rows, one->keys) != 0 || (*one->join != 0 && strstr (plan, join) == NULL))
    g_error ("%s, %s: %s, expected %s; %s", sql, join, rows, one->keys, plan);
}

static void
test_methods (gconstpointer store)
{
  ServiceFixture self;

  service_fixture_open (&self, store);
  define (&self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint method = KVSQL_JOIN_METHOD_LOOKUP; method < G_N_ELEMENTS (names); method++)
      assert_case (&self, &cases[i], method);
  service_fixture_close (&self);
}

/* More partners than a batch has rows, of which only the last satisfies the rest. */
static void
test_many_partners (void)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO r VALUES ");
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  for (guint i = 100; i < 5000; i++)
    g_string_append_printf (sql, "%s(%u, 9, 'x')", i > 100 ? ", " : "", i);
  service_fixture_script (&self, sql->str);
  service_fixture_assert (
      &self, "SELECT k FROM l WHERE EXISTS (SELECT 1 FROM r WHERE y = x AND r.k > 4990)", "5");
  service_fixture_assert (
      &self, "SELECT k FROM l WHERE EXISTS (SELECT 1 FROM r WHERE y = x AND r.k + l.k > 5003)",
      "5");
  service_fixture_assert (
      &self,
      "SELECT k FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE y = x AND r.k + l.k > 5003) ORDER "
      "BY k",
      "1\n2\n3\n4");
  service_fixture_close (&self);
}

/* EXISTS without correlation runs first, and is possible anywhere. */
static void
test_without_correlation (void)
{
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  service_fixture_assert (
      &self,
      "SELECT EXISTS (SELECT * FROM r WHERE k > 9), NOT EXISTS (SELECT 1 FROM r WHERE k > 9)",
      "false|true");
  service_fixture_assert (
      &self,
      "SELECT k FROM l WHERE k = 1 OR EXISTS (SELECT y, count(*) FROM r GROUP BY y HAVING "
      "count(*) > 2)",
      "1");
  service_fixture_script (&self, "DELETE FROM l WHERE EXISTS (SELECT 1 FROM r) AND k < 5");
  service_fixture_assert (&self, "SELECT k FROM l", "5");
  service_fixture_close (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      const gchar *name = stores[i] == NULL ? "memory" : stores[i];
      g_autofree gchar *methods = g_strdup_printf ("/semi-join/%s/methods", name);

      g_test_add_data_func (methods, stores[i], test_methods);
    }
  g_test_add_func ("/semi-join/many-partners", test_many_partners);
  g_test_add_func ("/semi-join/without-correlation", test_without_correlation);
  return g_test_run ();
}
