/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-plan-cache.c: repeated statements are planned once, and never run with old definitions.
 */
#include "config.h"

#include "core/sql/parser.h"

#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

static void
open_service (ServiceFixture *self)
{
  service_fixture_open (self, NULL);
  service_fixture_script (
      self, "DEFINE RELATION r { k INT KEY, v STRING };"
            "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 'r', ROW k, FAMILY 'f', VALUE v };"
            "INSERT INTO r VALUES (1, 'a'), (2, 'b'), (3, 'c')");
}

static guint
count_plans (ServiceFixture *self)
{
  return kvsqld_plan_cache_get_size (self->service->plans);
}

static void
test_repeated (void)
{
  static const gchar sql[] = "SELECT v FROM r WHERE k = 2";
  ServiceFixture fixture;

  open_service (&fixture);
  service_fixture_assert (&fixture, sql, "b");
  g_assert_cmpuint (count_plans (&fixture), ==, 0);
  for (guint i = 0; i < 3; i++)
    {
      service_fixture_assert (&fixture, sql, "b");
      g_assert_cmpuint (count_plans (&fixture), ==, 1);
    }
  service_fixture_script (&fixture, "INSERT INTO r VALUES (2, 'B')");
  service_fixture_assert (&fixture, sql, "B");
  service_fixture_assert (&fixture, "SELECT v FROM r WHERE k = 3", "c");
  service_fixture_close (&fixture);
}

static void
test_definitions (void)
{
  static const gchar sql[] = "SELECT * FROM r WHERE k > 1 ORDER BY k";
  ServiceFixture fixture;
  g_autoptr (GError) error = NULL;

  open_service (&fixture);
  for (guint i = 0; i < 3; i++)
    service_fixture_assert (&fixture, sql, "2|b\n3|c");
  service_fixture_script (&fixture, "ANALYZE r");
  for (guint i = 0; i < 3; i++)
    service_fixture_assert (&fixture, sql, "2|b\n3|c");
  service_fixture_script (
      &fixture, "DROP SCHEMA r_k; DROP RELATION r; DEFINE RELATION r { k BIGINT KEY, w INT };"
                "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 'other', ROW k, FAMILY 'f', VALUE w };"
                "INSERT INTO r VALUES (7, 70)");
  for (guint i = 0; i < 3; i++)
    service_fixture_assert (&fixture, sql, "7|70");
  service_fixture_script (&fixture, "DROP SCHEMA r_k; DROP RELATION r");
  error = service_fixture_fail (&fixture, sql);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME);
  service_fixture_close (&fixture);
}

/* The statement has one page, however small pages are; also from a cached plan. */
static void
test_without_from (void)
{
  KvsqldRequest request = { .max_rows = 1 };
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint round = 0; round < 4; round++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
          fixture.service, &request,
          kvsql_slice_from_text (round % 2 == 0 ? "SELECT 1, 'a'" : "SELECT sum (3)"), NULL, 0,
          &error);

      g_assert_no_error (error);
      g_assert_cmpuint (page->rows->n_rows, ==, 1);
      g_assert_null (page->cursor);
    }
  service_fixture_close (&fixture);
}

/* A cursor of a cached plan, from the cache and from its token, while the plan cache is emptied. */
static void
test_cursors (void)
{
  static const gchar sql[] = "SELECT k FROM r WHERE k >= 1";
  KvsqldRequest request = { .max_rows = 1 };
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint round = 0; round < 6; round++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page
          = kvsqld_service_query (fixture.service, &request, S (sql), NULL, 0, &error);
      guint n = 0;

      for (;;)
        {
          g_autoptr (GBytes) cursor = NULL;
          KvsqlSlice token;

          g_assert_no_error (error);
          n += page->rows->n_rows;
          if (page->cursor == NULL)
            break;
          cursor = g_bytes_ref (page->cursor);
          token = kvsql_slice (g_bytes_get_data (cursor, NULL), g_bytes_get_size (cursor));
          if (round % 2 == 0)
            ignore_result (kvsqld_service_close_cursor (fixture.service, token, &error));
          if (round == 3)
            service_fixture_script (&fixture, "ANALYZE r; SELECT k FROM r; SELECT k FROM r");
          kvsql_result_page_free (page);
          page = kvsqld_service_fetch (fixture.service, &request, token, &error);
        }
      g_assert_cmpuint (n, ==, 3);
    }
  service_fixture_close (&fixture);
}

static void
test_not_kept (void)
{
  static const gchar *const statements[] = {
    "SELECT k FROM r WHERE k IN (SELECT k FROM r WHERE v = 'a')",
    "SELECT now () FROM r",
    "SELECT k FROM r WHERE v < CAST (CURRENT_DATE AS STRING)",
    "SELECT count(*) FROM r",
    "INSERT INTO r VALUES (1, 'a')",
    "EXPLAIN SELECT k FROM r",
  };
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    for (guint n = 0; n < 3; n++)
      service_fixture_script (&fixture, statements[i]);
  g_assert_cmpuint (count_plans (&fixture), ==, 0);
  service_fixture_close (&fixture);
}

/* A plan is cached the second time, but never more plans than there is room for. */
static void
test_bound (void)
{
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint i = 0; i < 1200; i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("SELECT v FROM r WHERE k = %u", i % 600);
      for (guint n = 0; n < 2; n++)
        service_fixture_assert (&fixture, sql,
                                i % 600 == 1   ? "a"
                                : i % 600 == 2 ? "b"
                                : i % 600 == 3 ? "c"
                                               : "");
      g_assert_cmpuint (count_plans (&fixture), <=, 500);
    }
  g_assert_cmpuint (count_plans (&fixture), >, 10);
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/plan-cache/repeated", test_repeated);
  g_test_add_func ("/daemon/plan-cache/definitions", test_definitions);
  g_test_add_func ("/daemon/plan-cache/cursors", test_cursors);
  g_test_add_func ("/daemon/plan-cache/without-from", test_without_from);
  g_test_add_func ("/daemon/plan-cache/not-kept", test_not_kept);
  g_test_add_func ("/daemon/plan-cache/bound", test_bound);
  return g_test_run ();
}
