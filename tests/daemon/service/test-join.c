/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-join.c: compares FROM with several relations with nested loops over the same numbers.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

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
  g_autoptr (GString) paged = g_string_new (NULL);
  g_autofree gchar *whole = NULL;
  KvsqldRequest request = { .max_rows = 7 };
  g_autoptr (GError) error = NULL;
  ServiceFixture self;
  KvsqlResultPage *page;
  guint n_pages = 1;

  service_fixture_open (&self, store);
  define (&self);
  whole = service_fixture_run (&self, sql);
  page
      = kvsqld_service_query (self.service, &request, kvsql_slice_from_text (sql), NULL, 0, &error);
  g_assert_no_error (error);
  while (TRUE)
    {
      g_autoptr (KvsqlResultPage) this = page;
      gsize size;
      gconstpointer data;

      service_fixture_append_page (this, paged);
      if (this->cursor == NULL)
        break;
      data = g_bytes_get_data (this->cursor, &size);
      service_fixture_reopen (&self);
      page = kvsqld_service_fetch (self.service, &request, kvsql_slice (data, size), &error);
      g_assert_no_error (error);
      n_pages++;
    }
  g_assert_cmpuint (n_pages, ==, 15);
  if (paged->len > 0 && paged->str[paged->len - 1] == '\n')
    g_string_truncate (paged, paged->len - 1);
  g_assert_cmpstr (paged->str, ==, whole);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      const gchar *name = stores[i] == NULL ? "memory" : stores[i];
      g_autofree gchar *rows = g_strdup_printf ("/product/%s/rows", name);
      g_autofree gchar *groups = g_strdup_printf ("/product/%s/groups", name);

      g_test_add_data_func (rows, stores[i], test_rows);
      g_test_add_data_func (groups, stores[i], test_groups);
    }
  g_test_add_data_func ("/product/rocksdb/cold-pages", "rocksdb", test_cold_pages);
  g_test_add_func ("/product/ranges", test_ranges);
  g_test_add_func ("/product/memory-is-bounded", test_memory);
  g_test_add_func ("/product/into-itself", test_into_itself);
  return g_test_run ();
}
