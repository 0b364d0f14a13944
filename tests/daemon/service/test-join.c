/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-join.c: compares FROM with several relations with nested loops over the same numbers.
 */
#include "config.h"

#include "core/plan/join-plan.h"
#include "tests/harness/service-fixture.h"
#include "tests/size.h"

#define N_A 37
#define N_B 29
#define N_C 3

static const gchar *const stores[] = { NULL, "rocksdb" };

static void
define (ServiceFixture *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  service_fixture_script (
      self,
      "DEFINE RELATION a { k INT KEY, x INT };"
      "DEFINE PRIMARY SCHEMA a1 FOR a { TABLE 'a', ROW ordered{k}, FAMILY 'f', VALUE ordered{x} };"
      "DEFINE RELATION b { k INT KEY, y INT };"
      "DEFINE PRIMARY SCHEMA b1 FOR b { TABLE 'b', ROW desc{k}, FAMILY 'f', VALUE ordered{y} };"
      "DEFINE RELATION c { z INT KEY };"
      "DEFINE PRIMARY SCHEMA c1 FOR c { TABLE 'c', ROW ordered{z}, FAMILY 'f', VALUE '' };");
  for (guint i = 0; i < N_A; i++)
    g_string_append_printf (sql, "%s(%u, %u)", i == 0 ? "INSERT INTO a VALUES " : ", ", i, i % 5);
  for (guint i = 0; i < N_B; i++)
    g_string_append_printf (sql, "%s(%u, %u)", i == 0 ? "; INSERT INTO b VALUES " : ", ", i, i % 7);
  for (guint i = 0; i < N_C; i++)
    g_string_append_printf (sql, "%s(%u)", i == 0 ? "; INSERT INTO c VALUES " : ", ", i);
  service_fixture_script (self, sql->str);
}

static gboolean
is_wanted (guint a, guint b, guint c)
{
  return a % 5 == b % 7 && a + c > b && (b < 20 || c == 1);
}

#define WANTED "x = y AND a.k + z > b.k AND (b.k < 20 OR z = 1)"

/* The order of the first relation is kept; the others may have any order. */
static void
test_rows (gconstpointer store)
{
  g_autoptr (GString) expected = g_string_new (NULL);
  ServiceFixture self;

  service_fixture_open (&self, store);
  define (&self);
  for (guint a = 0; a < N_A; a++)
    for (guint b = 0; b < N_B; b++)
      for (guint c = 0; c < N_C; c++)
        if (is_wanted (a, b, c))
          g_string_append_printf (expected, "%s%u|%u|%u", expected->len > 0 ? "\n" : "", a, b, c);
  service_fixture_assert (
      &self, "SELECT a.k, b.k, z FROM a, b CROSS JOIN c WHERE " WANTED " ORDER BY a.k, b.k, z",
      expected->str);
  service_fixture_assert (
      &self, "SELECT a.k, b.k, z FROM c JOIN b ON z >= 0 JOIN a ON " WANTED " ORDER BY 1, 2, 3",
      expected->str);
  service_fixture_close (&self);
}

static void
test_groups (gconstpointer store)
{
  g_autoptr (GString) expected = g_string_new (NULL);
  ServiceFixture self;

  service_fixture_open (&self, store);
  define (&self);
  for (guint c = 0; c < N_C; c++)
    {
      guint n = 0, sum = 0;
      for (guint a = 0; a < N_A; a++)
        for (guint b = 0; b < N_B; b++)
          if (is_wanted (a, b, c))
            {
              n++;
              sum += a * b;
            }
      g_string_append_printf (expected, "%s%u|%u|%u", c > 0 ? "\n" : "", c, n, sum);
    }
  service_fixture_assert (&self,
                          "SELECT z, count(*), sum(a.k * b.k) FROM a, b, c WHERE " WANTED
                          " GROUP BY z ORDER BY z",
                          expected->str);
  service_fixture_close (&self);
}

/* Page by page, each from a cursor that is not cached. */
static void
test_cold_pages (gconstpointer store)
{
  const gchar *sql = "SELECT a.k, b.k FROM a, b WHERE x = y LIMIT 100 OFFSET 3";
  g_autofree gchar *whole = NULL, *paged = NULL;
  ServiceFixture self;
  guint n_pages;

  service_fixture_open (&self, store);
  define (&self);
  whole = service_fixture_run (&self, sql);
  paged = service_fixture_run_pages (&self, sql, 7, TRUE, &n_pages);
  g_assert_cmpuint (n_pages, ==, 15);
  g_assert_cmpstr (paged, ==, whole);
  service_fixture_close (&self);
}

/* Key ranges for each relation, from the conditions on it alone and what the equality implies. */
static void
test_ranges (void)
{
  g_autofree gchar *plan = NULL;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  plan = service_fixture_run (
      &self, "EXPLAIN ANALYZE SELECT * FROM a JOIN b ON a.k = b.k WHERE a.k IN (3, 4) AND b.k < 5");
  g_assert_nonnull (strstr (plan, "read: 4 rows"));
  service_fixture_close (&self);
}

static void
test_memory (void)
{
  const KvsqldServiceLimits tight = { .page_rows = 100, .page_bytes = 1 << 20, .sort_bytes = 256 };
  g_autoptr (GError) error = NULL;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  kvsqld_service_set_limits (self.service, &tight);
  error = service_fixture_fail (&self, "SELECT count(*) FROM c, a");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  service_fixture_close (&self);
}

/* The cross join is read to its end before the relation is written. */
static void
test_into_itself (void)
{
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  service_fixture_script (&self, "INSERT INTO c SELECT a.k * 100 + z FROM a, c WHERE a.k > 0");
  service_fixture_assert (&self, "SELECT count(*), max(z) FROM c", "111|3602");
  service_fixture_close (&self);
}

/* ---- methods */

#define N_STATEMENTS test_size (400, 120)

static const gchar *
choose (GRand *random, const gchar *const *words, guint n)
{
  return words[g_rand_int_range (random, 0, n)];
}

static void
append_condition (GRand *random, const gchar *left, const gchar *right, GString *out)
{
  static const gchar *const left_names[] = { "k", "x", "s" }, *const right_names[]
                                                              = { "k", "y", "s" };
  static const gchar *const operators[] = { "=", "=", "=", "<", "<>" };
  guint which = g_rand_int_range (random, 0, 3);
  /* only texts are compared with texts */
  const gchar *a = left_names[which],
              *b = right_names[which == 2 ? 2 : g_rand_int_range (random, 0, 2)];

  g_string_append_printf (out, "%s.%s %s %s.%s", left, a,
                          choose (random, operators, G_N_ELEMENTS (operators)), right, b);
  if (g_rand_int_range (random, 0, 3) == 0)
    g_string_append_printf (out, " AND %s.y > %d", right, g_rand_int_range (random, 0, 4));
  if (g_rand_int_range (random, 0, 4) == 0)
    g_string_append_printf (out, " AND %s.k = %s.y", left, right);
}

static gchar *
random_join (GRand *random)
{
  static const gchar *const joins[] = { "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN" };
  GString *out = g_string_new ("SELECT l.k, r.k, t.k, r.s, t.x FROM l ");

  g_string_append_printf (out, "%s r ON ", choose (random, joins, G_N_ELEMENTS (joins)));
  append_condition (random, "l", "r", out);
  g_string_append_printf (out, " %s r AS t ON ", choose (random, joins, G_N_ELEMENTS (joins)));
  append_condition (random, g_rand_boolean (random) ? "l" : "r", "t", out);
  if (g_rand_boolean (random))
    g_string_append_printf (out, " WHERE l.x < %d", g_rand_int_range (random, 0, 5));
  g_string_append (out, " ORDER BY 1, 2, 3");
  return g_string_free (out, FALSE);
}

static void
define_methods (ServiceFixture *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  service_fixture_script (
      self, "DEFINE RELATION l { k INT KEY, x INT, s STRING };"
            "DEFINE PRIMARY SCHEMA l1 FOR l { TABLE 'l', ROW k, FAMILY 'f', QUALIFIER "
            "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
            "DEFINE RELATION r { k INT KEY, x INT, y INT, s STRING };"
            "DEFINE PRIMARY SCHEMA r1 FOR r { TABLE 'r', ROW ordered{k}, FAMILY 'f', QUALIFIER "
            "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
            "DEFINE SCHEMA r_y FOR r { TABLE 'r_y', ROW ordered{y}:ordered{k}, FAMILY 'f' };"
            "DEFINE SCHEMA r_s FOR r { TABLE 'r_s', ROW suffix('-'){null('~'){s}}:k:ordered{y}, "
            "FAMILY 'f' };");
  for (guint i = 0; i < 30; i++)
    g_string_append_printf (sql,
                            "INSERT INTO l VALUES (%u, %s, '%c');"
                            "INSERT INTO r VALUES (%u, %u, %s, %s);",
                            i,
                            i % 7 == 0   ? "NULL"
                            : i % 3 == 0 ? "3"
                                         : "1",
                            'a' + i % 4, i * 2, i % 5,
                            i % 6 == 0   ? "NULL"
                            : i % 2 == 0 ? "2"
                                         : "7",
                            i % 5 == 0   ? "NULL"
                            : i % 3 == 0 ? "'a'"
                                         : "'c'");
  service_fixture_script (self, sql->str);
}

/* Each method gives the same rows. */
static void
test_methods (gconstpointer store)
{
  static const gchar *const names[]
      = { NULL, "lookup join", "hash join", "nested loop", "merge join" };
  guint32 seed = g_test_rand_int ();
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint n_used[G_N_ELEMENTS (names)] = { 0 };
  ServiceFixture self;

  service_fixture_open (&self, store);
  define_methods (&self);
  for (guint i = 0; i < N_STATEMENTS; i++)
    {
      g_autofree gchar *sql = random_join (random), *explain = g_strconcat ("EXPLAIN ", sql, NULL);
      g_autofree gchar *expected = service_fixture_run (&self, sql);

      for (guint method = KVSQL_JOIN_METHOD_LOOKUP; method < G_N_ELEMENTS (names); method++)
        {
          g_autofree gchar *got = NULL, *plan = NULL,
                           *other = g_strdup_printf ("%s -- %u", sql, method);

          kvsql_join_forced_method = method;
          got = service_fixture_run (&self, other);
          plan = service_fixture_run (&self, explain);
          kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
          n_used[method] += strstr (plan, names[method]) != NULL;
          if (g_strcmp0 (got, expected) != 0)
            g_test_message ("seed %u, %s: %s", seed, names[method], sql);
          g_assert_cmpstr (got, ==, expected);
        }
    }
  for (guint method = KVSQL_JOIN_METHOD_LOOKUP; method < G_N_ELEMENTS (names); method++)
    g_assert_cmpuint (n_used[method], >, N_STATEMENTS / 20);
  service_fixture_close (&self);
}

/* A condition of some disjuncts does not make a lookup of many keys a full scan. */
static void
test_disjuncts (void)
{
  g_autofree gchar *plan = NULL;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define_methods (&self);
  service_fixture_script (&self, "INSERT INTO l SELECT a.k * 100 + b.k + 100, 2, 'z' FROM l AS a, "
                                 "l AS b");
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_LOOKUP;
  plan = service_fixture_run (
      &self, "EXPLAIN ANALYZE SELECT l.k FROM l JOIN r ON r.k = l.k AND r.y = l.x WHERE l.k > 99 "
             "AND (r.x = 1 AND r.s = 'a' OR r.x = 2 AND r.s = 'c' OR r.x = 3)");
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
  g_assert_nonnull (strstr (plan, "lookup join with r"));
  if (strstr (plan, "read: 900 rows") == NULL) /* r has none of these keys */
    g_error ("%s", plan);
  service_fixture_close (&self);
}

/* A range of the key on the outer side, which holds for the inner side, too. */
static void
test_range_of_key (void)
{
  static const gchar *const conditions[] = { "l.k > 1", "l.k < 9 AND l.k > 1", "l.k <> 1" };
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define_methods (&self);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_LOOKUP;
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    {
      g_autofree gchar *sql = g_strdup_printf (
          "EXPLAIN SELECT l.k FROM l JOIN r ON r.k = l.k WHERE %s", conditions[i]);
      g_autofree gchar *plan = service_fixture_run (&self, sql);

      if (strstr (plan, "lookup join with r") == NULL)
        g_error ("%s: %s", conditions[i], plan);
    }
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
  service_fixture_close (&self);
}

static void
assert_explained (ServiceFixture *self, const gchar *options, const gchar *text)
{
  g_autofree gchar *sql = g_strdup_printf (
      "EXPLAIN %s SELECT r.y FROM l LEFT JOIN r ON r.k = l.x LEFT JOIN r AS t ON TRUE "
      "WHERE l.k = 3",
      options);
  g_autofree gchar *plan = service_fixture_run (self, sql);

  if (strstr (plan, text) == NULL)
    g_error ("%s is not in %s", text, plan);
}

static void
test_explained (void)
{
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define_methods (&self);
  assert_explained (&self, "", "left lookup join with r on r.k = l.x");
  assert_explained (&self, "", "left nested loop with t");
  assert_explained (&self, "", "every pair is checked: no condition equates the two sides");
  assert_explained (&self, "(FORMAT JSON)", "\"lookup join\"");
  assert_explained (&self, "(FORMAT JSON)", "\"rows_of_a_key\"");
  assert_explained (&self, "(FORMAT DOT)", "lookup join\\nr.k = l.x");
  assert_explained (&self, "(FORMAT DOT)", "keys in schema r1");
  assert_explained (&self, "ANALYZE", "lookup join with r: 1 row; 0 rows kept in");
  service_fixture_close (&self);
}

/* The product of the estimates is more than a DOUBLE holds. */
static void
test_huge_estimate (void)
{
  g_autoptr (GString) sql = g_string_new ("EXPLAIN (FORMAT JSON) SELECT count(*) FROM c");
  g_autofree gchar *plan = NULL;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  for (guint i = 0; i < 100; i++)
    g_string_append_printf (sql, ", c AS c%u", i);
  plan = service_fixture_run (&self, sql->str);
  g_assert_nonnull (strstr (plan, "\"cross join\""));
  service_fixture_close (&self);
}

/* ---- the order of joins */

#define N_LARGE 3000

/* Two large relations and a small one. */
static void
define_sizes (ServiceFixture *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  service_fixture_script (
      self, "DEFINE RELATION one { k INT KEY, x INT };"
            "DEFINE PRIMARY SCHEMA one_1 FOR one { TABLE 'one', ROW ordered{k}, FAMILY 'f', VALUE "
            "ordered{x} };"
            "DEFINE RELATION two { k INT KEY, x INT };"
            "DEFINE PRIMARY SCHEMA two_1 FOR two { TABLE 'two', ROW ordered{k}, FAMILY 'f', VALUE "
            "ordered{x} };"
            "DEFINE RELATION few { k INT KEY, x INT };"
            "DEFINE PRIMARY SCHEMA few_1 FOR few { TABLE 'few', ROW ordered{k}, FAMILY 'f', VALUE "
            "ordered{x} };"
            "INSERT INTO few VALUES (1, 7), (2, 9), (3, 9)");
  for (guint i = 0; i < N_LARGE; i++)
    g_string_append_printf (sql,
                            "%sINSERT INTO one VALUES (%u, %u); INSERT INTO two VALUES (%u, %u)",
                            i > 0 ? ";" : "", i, i, i, N_LARGE - 1 - i);
  service_fixture_script (self, sql->str);
}

/* The text has large by large by small: the small one is read, and the others are looked up. */
static void
test_order (void)
{
  static const gchar sql[]
      = "SELECT few.k, two.k, one.k FROM one, two, few WHERE one.k = two.x AND "
        "two.k = few.x";
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ANALYZE ", sql, NULL), *plan = NULL;
  g_autofree gchar *sorted = g_strconcat (sql, " ORDER BY 1", NULL);
  const gchar *first, *second;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define_sizes (&self);
  service_fixture_script (&self, "ANALYZE one; ANALYZE two; ANALYZE few");
  plan = service_fixture_run (&self, explain);
  g_assert_true (g_str_has_prefix (plan, "Select from relation few,"));
  first = strstr (plan, "lookup join with two");
  second = strstr (plan, "lookup join with one");
  g_assert_true (first != NULL && second > first);
  g_assert_nonnull (strstr (plan, "order of the 3 relations: the cheapest of all"));
  g_assert_nonnull (strstr (plan, "lookup join with one: 3 rows"));
  g_assert_nonnull (strstr (plan, "bytes; about 3 rows were estimated"));
  service_fixture_assert (&self, sorted, "1|7|2992\n2|9|2990\n3|9|2990");
  service_fixture_assert (&self,
                          "SELECT * FROM one, two, few WHERE one.k = two.x AND two.k = few.x "
                          "AND few.k = 1",
                          "2992|2992|7|2992|1|7");
  service_fixture_close (&self);
}

/* Page by page, each from a cursor that is not cached, where another relation is scanned. */
static void
test_order_cold_pages (gconstpointer store)
{
  const gchar *sql = "SELECT few.k, one.k FROM one JOIN few ON one.k = few.x "
                     "WHERE few.k IN (1, 2, 3) LIMIT 3";
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", sql, NULL), *plan = NULL;
  g_autofree gchar *whole = NULL, *paged = NULL;
  ServiceFixture self;
  guint n_pages;

  service_fixture_open (&self, store);
  define_sizes (&self);
  plan = service_fixture_run (&self, explain);
  g_assert_true (g_str_has_prefix (plan, "Select from relation few,"));
  whole = service_fixture_run (&self, sql);
  paged = service_fixture_run_pages (&self, sql, 1, TRUE, &n_pages);
  g_assert_cmpuint (n_pages, >=, 3);
  g_assert_cmpstr (paged, ==, whole);
  service_fixture_close (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      const gchar *name = stores[i] == NULL ? "memory" : stores[i];
      g_autofree gchar *rows = g_strdup_printf ("/product/%s/rows", name);
      g_autofree gchar *methods = g_strdup_printf ("/product/%s/methods", name);
      g_autofree gchar *groups = g_strdup_printf ("/product/%s/groups", name);

      g_test_add_data_func (methods, stores[i], test_methods);
      g_test_add_data_func (rows, stores[i], test_rows);
      g_test_add_data_func (groups, stores[i], test_groups);
    }
  g_test_add_data_func ("/product/rocksdb/cold-pages", "rocksdb", test_cold_pages);
  g_test_add_data_func ("/product/rocksdb/order-cold-pages", "rocksdb", test_order_cold_pages);
  g_test_add_func ("/product/order", test_order);
  g_test_add_func ("/product/ranges", test_ranges);
  g_test_add_func ("/product/disjuncts", test_disjuncts);
  g_test_add_func ("/product/range-of-key", test_range_of_key);
  g_test_add_func ("/product/huge-estimate", test_huge_estimate);
  g_test_add_func ("/product/explained", test_explained);
  g_test_add_func ("/product/memory-is-bounded", test_memory);
  g_test_add_func ("/product/into-itself", test_into_itself);
  return g_test_run ();
}
