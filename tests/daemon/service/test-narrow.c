/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-narrow.c: the values that a hash join keeps narrow the scan of its other side.
 */
#include "config.h"

#include "core/plan/join-plan.h"
#include "tests/harness/service-fixture.h"

#define N_ROWS 4096

static const gchar *const stores[] = { NULL, "rocksdb" };

typedef struct
{
  const gchar *sql;
  gboolean is_narrowed;
  guint n_read; /* rows of all relations */
} Case;

/* r has k from 0 to 4095. few has 5 keys of r, and one that r does not have; many has 600, from
 * 1000 on. Without statistics, what is kept is the second relation, or the one that EXISTS reads.
 */
static const Case cases[] = {
  { "SELECT r.k, few.x FROM r JOIN few ON r.k = few.k", TRUE, 6 + 5 },
  { "SELECT few.k, few.x, r.v FROM r RIGHT JOIN few ON r.k = few.k", TRUE, 6 + 5 },
  { "SELECT r.k FROM r WHERE EXISTS (SELECT 1 FROM few WHERE few.k = r.k)", TRUE, 6 + 5 },
  { "SELECT r.k, few.x FROM r JOIN few ON r.k = few.k AND r.k + few.x > 30", TRUE, 6 + 5 },
  { "SELECT r.k, few.x FROM r JOIN few ON r.k = few.k WHERE r.k < 20", TRUE, 2 + 2 },
  { "SELECT r.k, many.x FROM r JOIN many ON r.k = many.k", TRUE, 600 + 600 },
  { "SELECT r.k, few.x, many.x FROM r LEFT JOIN many ON r.k = many.k JOIN few ON r.k = few.k", TRUE,
    6 + 5 + 2 }, /* many, which is joined last, has two of the keys */
  { "SELECT r.k, few.x FROM r LEFT JOIN few ON r.k = few.k", FALSE, 6 + N_ROWS },
  { "SELECT count(*) FROM r FULL JOIN few ON r.k = few.k", FALSE, 6 + N_ROWS },
  { "SELECT count(*) FROM r WHERE NOT EXISTS (SELECT 1 FROM few WHERE few.k = r.k)", FALSE,
    6 + N_ROWS },
  { "SELECT r.k FROM r JOIN few ON r.v = few.v", FALSE, 6 + N_ROWS },
};

static void
define (ServiceFixture *self)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO many VALUES ");

  service_fixture_fill (self, N_ROWS, "v");
  service_fixture_script (
      self,
      "DEFINE RELATION few { k INT KEY, x INT, v STRING };"
      "DEFINE PRIMARY SCHEMA few_k FOR few { TABLE 'few', ROW k, FAMILY 'f', VALUE text{x}:'-':v };"
      "DEFINE RELATION many { k INT KEY, x INT };"
      "DEFINE PRIMARY SCHEMA many_k FOR many { TABLE 'many', ROW k, FAMILY 'f', VALUE text{x} };"
      "INSERT INTO few VALUES (3, 1, 'a'), (17, 2, 'b'), (1000, 3, 'c'), (1003, 4, 'd'), (4000, 5, "
      "'e'), (5000, 6, 'f');");
  for (guint i = 0; i < 600; i++)
    g_string_append_printf (sql, "%s(%u, %u)", i == 0 ? "" : ", ", 1000 + i, i);
  service_fixture_script (self, sql->str);
  service_fixture_script (self, "ANALYZE r; ANALYZE few; ANALYZE many");
}

static guint
count_read (ServiceFixture *self, const gchar *sql)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ANALYZE ", sql, NULL),
                   *plan = service_fixture_run (self, explain);
  const gchar *read = strstr (plan, "  read: ");

  if (read == NULL)
    g_error ("%s", plan);
  return (guint)g_ascii_strtoull (read + strlen ("  read: "), NULL, 10);
}

static void
assert_case (ServiceFixture *self, const Case *one)
{
  g_autofree gchar *sql = g_strconcat (one->sql, " -- narrowed", NULL),
                   *explain = g_strconcat ("EXPLAIN ", sql, NULL), *expected = NULL, *got = NULL,
                   *plan = NULL;

  kvsql_join_forced_method = KVSQL_JOIN_METHOD_NESTED_LOOP;
  expected = service_fixture_run (self, one->sql);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_HASH;
  got = service_fixture_run (self, sql);
  plan = service_fixture_run (self, explain);
  g_assert_cmpstr (got, ==, expected);
  if ((strstr (plan, "narrow the ranges of r") != NULL) != one->is_narrowed)
    g_error ("%s: %s", sql, plan);
  if (count_read (self, sql) != one->n_read)
    g_error ("%s: %u rows were read; %s", sql, count_read (self, sql), plan);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
}

static void
test_ranges (gconstpointer store)
{
  ServiceFixture self;

  service_fixture_open (&self, store);
  define (&self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_case (&self, &cases[i]);
  service_fixture_close (&self);
}

/* The other side is not the first relation of FROM. */
static void
test_part (gconstpointer store)
{
  static const Case part
      = { "SELECT r.k, few.x FROM few JOIN r ON r.k = few.k ORDER BY 1", TRUE, 6 + 5 };
  ServiceFixture self;

  service_fixture_open (&self, store);
  define (&self);
  assert_case (&self, &part);
  service_fixture_close (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      const gchar *name = stores[i] == NULL ? "memory" : stores[i];
      g_autofree gchar *ranges = g_strdup_printf ("/narrow/ranges/%s", name),
                       *part = g_strdup_printf ("/narrow/part/%s", name);

      g_test_add_data_func (ranges, stores[i], test_ranges);
      g_test_add_data_func (part, stores[i], test_part);
    }
  return g_test_run ();
}
