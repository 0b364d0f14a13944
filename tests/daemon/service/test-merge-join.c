/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-merge-join.c: merge joins give the rows of hash joins, also where a key has too many rows
 * for the memory, and are chosen where both sides have the order of their keys.
 */
#include "config.h"

#include "core/plan/join-plan.h"
#include "tests/harness/service-fixture.h"

#define N_ROWS 400

static const gchar *const stores[] = { NULL, "rocksdb" };

typedef struct
{
  const gchar *from;  /* FROM and WHERE */
  const gchar *order; /* of the merge, in EXPLAIN */
} Case;

/* g repeats on both sides, and a quarter of the rows have one value. x is the same with NULLs. The
 * integers of k are bare: the negative ones come last in the store. */
static const Case cases[] = {
  { "l JOIN r ON l.k = r.k", "l.k" },
  { "l LEFT JOIN r ON l.k = r.k", "l.k" },
  { "l RIGHT JOIN r ON l.k = r.k", "r.k" },
  { "l JOIN r ON l.g = r.g", "l.g" },
  { "l LEFT JOIN r ON l.g = r.g", "l.g" },
  { "l RIGHT JOIN r ON l.g = r.g", "r.g" },
  { "l JOIN r ON l.g = r.g AND l.k = r.k", "l.g, l.k" },
  { "l JOIN r ON l.g = r.g AND l.k + r.k < 400", "l.g" },
  { "l LEFT JOIN r ON l.g = r.g AND l.k + r.k < 400", "l.g" },
  { "l LEFT JOIN r ON l.g = r.g AND r.k < 100 WHERE l.k < 200", "l.g" },
  { "l JOIN r ON l.g = r.g AND l.x = r.x", "l.g" },
  { "l JOIN r ON l.x = r.x WHERE l.x IS NOT NULL AND r.x IS NOT NULL", "l.x" },
  { "l JOIN r ON l.t = r.t", "l.t" },
  { "l JOIN r ON l.g = r.k JOIN l AS m ON m.g = l.g", "l.g" },
};

/* The rows of l that EXISTS and NOT EXISTS leave. */
static const gchar *const conditions[] = {
  "SELECT 1 FROM r WHERE r.k = l.k",
  "SELECT 1 FROM r WHERE r.g = l.g",
  "SELECT 1 FROM r WHERE r.g = l.g AND r.k + l.k < 300",
};

static void
append_tuples (const gchar *relation, guint factor, GString *sql)
{
  for (guint i = 0; i < N_ROWS; i++)
    {
      gint k = (gint)i * (gint)factor - 100, g = i % 4 == 0 ? 7 : (gint)(i * factor) % 90 - 40;
      g_autofree gchar *x = i % 5 == 0 ? g_strdup ("NULL") : g_strdup_printf ("%d", g);

      if (i == 0)
        g_string_append_printf (sql, "INSERT INTO %s VALUES ", relation);
      g_string_append_printf (sql, "%s(%d, %d, %s, 't%d')", i == 0 ? "" : ", ", k, g, x, g);
    }
  g_string_append_c (sql, ';');
}

static void
define (ServiceFixture *self)
{
  g_autoptr (GString) l = g_string_new (NULL), r = g_string_new (NULL);

  for (guint i = 0; i < 2; i++)
    {
      const gchar *name = i == 0 ? "l" : "r";
      g_autofree gchar *sql = g_strdup_printf (
          "DEFINE RELATION %s { k INT KEY, g INT NOT NULL, x INT, t STRING NOT NULL };"
          "DEFINE PRIMARY SCHEMA %s_k FOR %s { TABLE '%s', ROW k, FAMILY 'f', QUALIFIER "
          "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
          "DEFINE SCHEMA %s_g FOR %s { TABLE '%s_g', ROW ordered{g}:ordered{k}, FAMILY 'f' };"
          "DEFINE SCHEMA %s_x FOR %s { TABLE '%s_x', ROW ordered{x}:ordered{k}, FAMILY 'f' };"
          "DEFINE SCHEMA %s_t FOR %s { TABLE '%s_t', ROW suffix(x'00'){t}:ordered{k}, FAMILY 'f' }",
          name, name, name, name, name, name, name, name, name, name, name, name, name);

      service_fixture_script (self, sql);
    }
  append_tuples ("l", 1, l);
  append_tuples ("r", 3, r);
  service_fixture_script (self, l->str);
  service_fixture_script (self, r->str);
}

/* The rows by @method, in @bytes of memory (0: the default). */
static gchar *
run (ServiceFixture *self, const gchar *sql, KvsqlJoinMethod method, gsize bytes)
{
  const KvsqldServiceLimits tight = { .sort_bytes = bytes, .sort_disk_bytes = 64 << 20 };
  g_autofree gchar *other = g_strdup_printf ("%s -- %u", sql, method);
  gchar *rows;

  kvsql_join_forced_method = method;
  kvsqld_service_set_limits (self->service, bytes == 0 ? NULL : &tight);
  rows = service_fixture_run (self, other);
  kvsqld_service_set_limits (self->service, NULL);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
  return rows;
}

static void
assert_same (ServiceFixture *self, const gchar *sql, const gchar *part)
{
  static const gsize sizes[] = { 0, 6000, 20000 };
  g_autofree gchar *expected = run (self, sql, KVSQL_JOIN_METHOD_HASH, 0);
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", sql, NULL),
                   *plan = run (self, explain, KVSQL_JOIN_METHOD_MERGE, 0);

  if (strstr (plan, part) == NULL)
    g_error ("%s is not in %s", part, plan);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree gchar *got = run (self, sql, KVSQL_JOIN_METHOD_MERGE, sizes[i]);

      if (g_strcmp0 (got, expected) != 0)
        g_error ("%s in %" G_GSIZE_FORMAT " bytes:\n%s\nexpected\n%s", sql, sizes[i], got,
                 expected);
    }
}

static void
test_kinds (gconstpointer store)
{
  ServiceFixture self;

  service_fixture_open (&self, store);
  define (&self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *sql
          = g_strdup_printf ("SELECT l.k, l.x, r.k, r.t FROM %s ORDER BY 1, 3, 2", cases[i].from),
          *part = g_strdup_printf ("both sides come in the order of %s\n", cases[i].order);

      assert_same (&self, sql, part);
    }
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    for (guint is_not = 0; is_not < 2; is_not++)
      {
        g_autofree gchar *sql
            = g_strdup_printf ("SELECT l.k FROM l WHERE %s EXISTS (%s) ORDER BY 1",
                               is_not ? "NOT" : "", conditions[i]);

        assert_same (&self, sql, is_not ? "merge anti join" : "merge semi join");
      }
  service_fixture_close (&self);
}

/* Without ORDER BY, rows come in the order of the probe side, in pages that several daemons give.
 */
static void
test_cold_pages (void)
{
  static const gchar sql[] = "SELECT l.k, r.k, r.t FROM l LEFT JOIN r ON l.g = r.g";
  const KvsqldServiceLimits tight = { .sort_bytes = 6000, .sort_disk_bytes = 64 << 20 };
  g_autofree gchar *whole = NULL, *paged = NULL;
  ServiceFixture self;
  guint n_pages;

  service_fixture_open (&self, "rocksdb");
  define (&self);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_MERGE;
  whole = service_fixture_run (&self, sql);
  kvsqld_service_set_limits (self.service, &tight);
  paged = service_fixture_run_pages (&self, sql, 2000, TRUE, &n_pages);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
  g_assert_cmpuint (n_pages, >, 3);
  g_assert_cmpstr (paged, ==, whole);
  service_fixture_close (&self);
}

static void
assert_plan (ServiceFixture *self, const gchar *from, gboolean is_merge)
{
  static const gchar part[] = "both sides come in the order of";
  g_autofree gchar *sql = g_strconcat ("EXPLAIN SELECT * FROM ", from, NULL),
                   *plan = service_fixture_run (self, sql);

  if ((strstr (plan, part) != NULL) != is_merge)
    g_error ("%s: %s", from, plan);
}

/* It costs less than to keep many rows, but not less than to keep few. */
static void
test_choice (void)
{
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  assert_plan (&self, "l JOIN r ON l.k = r.k", TRUE);
  assert_plan (&self, "l JOIN r ON l.k = r.k WHERE r.k IN (1, 2, 3)", FALSE);
  assert_plan (&self, "l FULL JOIN r ON l.k = r.k", FALSE);
  /* a NULL comes before all values, and ORDER BY would have it last */
  assert_plan (&self, "l LEFT JOIN r ON l.x = r.x", FALSE);
  assert_plan (&self, "l JOIN r USING SCHEMA r_g ON l.k = r.k", FALSE);
  assert_plan (&self, "l JOIN r ON l.k = r.k WITH VERIFIED", TRUE);
  assert_plan (&self, "l JOIN r ON l.g = r.g WITH VERIFIED", FALSE);
  service_fixture_close (&self);
}

/* Few rows are kept. A key that has too many goes to a temporary file. */
static void
test_work (void)
{
  static const gchar large[]
      = "EXPLAIN ANALYZE SELECT l.k, r.k, r.x, r.t FROM l JOIN r ON l.g = r.g";
  g_autofree gchar *plan = NULL, *spilled = NULL;
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_MERGE;
  plan = service_fixture_run (&self, "EXPLAIN ANALYZE SELECT count(*) FROM l JOIN r ON l.k = r.k");
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
  /* a third of the keys of l are of r, too */
  if (strstr (plan, "merge join with r: 134 rows; 134 rows kept") == NULL)
    g_error ("%s", plan);
  spilled = run (&self, large, KVSQL_JOIN_METHOD_MERGE, 6000);
  if (strstr (spilled, "merge join") == NULL || strstr (spilled, "in temporary files") == NULL)
    g_error ("%s", spilled);
  service_fixture_close (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      g_autofree gchar *path
          = g_strdup_printf ("/merge-join/kinds/%s", stores[i] == NULL ? "memory" : stores[i]);

      g_test_add_data_func (path, stores[i], test_kinds);
    }
  g_test_add_func ("/merge-join/cold-pages", test_cold_pages);
  g_test_add_func ("/merge-join/choice", test_choice);
  g_test_add_func ("/merge-join/work", test_work);
  return g_test_run ();
}
