/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-select.c: the columns of a SELECT, its pages, and the schema that a later page reads.
 */
#include "config.h"

#include "core/engine/select.h"
#include "core/engine/write.h"
#include "core/plan/path-choice.h"
#include "tests/engine/engine-fixture.h"

static const gchar *const definitions[]
    = { "DEFINE RELATION r { k STRING KEY, v BIGINT }",
        "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW k, FAMILY 'f', QUALIFIER 'v', VALUE v }",
        "DEFINE SCHEMA s FOR r { TABLE 's', ROW ordered{v}:k, FAMILY 'f', VALUE '' }", NULL };

static void
open_with_rows (EngineFixture *self)
{
  engine_fixture_open (self, definitions);
  engine_fixture_write (self, "INSERT INTO r VALUES ('a', 1), ('b', 2), ('c', 3)");
}

static KvsqlSelectRun *
run_of (const EngineFixture *self, const KvsqlSelectPlan *plan)
{
  return kvsql_select_run_new (plan, self->store, &self->execution.limits, NULL);
}

static void
test_columns (void)
{
  EngineFixture fixture;
  KvsqlSelectPlan *plan, *other;
  KvsqlResultColumn *columns;
  g_autofree gchar *names = NULL;

  open_with_rows (&fixture);
  plan = engine_fixture_plan (&fixture, "SELECT k, v, v + 1 AS n FROM r");
  columns = kvsql_columns_of_select (plan, fixture.arena);
  names = engine_fixture_names (columns, plan->n_items);
  g_assert_cmpstr (names, ==, "k|v|n");
  g_assert_cmpint (columns[0].type, ==, KVSQL_TYPE_STRING);
  g_assert_false (columns[0].is_nullable);
  g_assert_true (columns[1].is_nullable);
  g_assert_cmpstr (columns[1].relation, ==, "r");
  g_assert_cmpstr (columns[2].relation, ==, NULL);

  g_assert_true (kvsql_select_plan_has_columns (plan, columns, plan->n_items));
  g_assert_false (kvsql_select_plan_has_columns (plan, columns, plan->n_items - 1));
  other = engine_fixture_plan (&fixture, "SELECT k, v, v + 1 AS m FROM r");
  g_assert_false (kvsql_select_plan_has_columns (other, columns, plan->n_items));
  other = engine_fixture_plan (&fixture, "SELECT k, v, 'text' AS n FROM r");
  g_assert_false (kvsql_select_plan_has_columns (other, columns, plan->n_items));
  engine_fixture_close (&fixture);
}

static void
test_pages (void)
{
  static const gchar *const pages[] = { "a|1\nb|2", "c|3" };
  const KvsqlPageBounds bounds = { .max_rows = 2, .max_bytes = 1 << 20 };
  EngineFixture fixture;
  const KvsqlSelectPlan *plan;
  g_autoptr (KvsqlSelectRun) run = NULL;

  open_with_rows (&fixture);
  plan = engine_fixture_plan (&fixture, "SELECT k, v FROM r ORDER BY k");
  run = run_of (&fixture, plan);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      gboolean has_more;
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page
          = kvsql_execute_select_page (&fixture.execution, plan, run, bounds, &has_more, &error);

      g_assert_no_error (error);
      engine_fixture_assert_page (page, pages[i]);
      g_assert_cmpuint (page->n_columns, ==, 2);
      g_assert_null (page->columns);
      g_assert_cmpint (has_more, ==, i == 0);
    }
  g_clear_pointer (&run, kvsql_select_run_free);
  g_assert_cmpuint (fixture.n_skipped, ==, 0);
  engine_fixture_close (&fixture);
}

#define N_TUPLES 60
#define SHARED_SIZE 10000
#define PAGE_BYTES (10 * SHARED_SIZE)

/* Reads all pages, each by a new run if @is_resumed. Returns: the first column, joined by ' ' */
static gchar *
read_large_pages (EngineFixture *fixture, const KvsqlSelectPlan *plan, gboolean is_resumed)
{
  const KvsqlPageBounds bounds = { .max_rows = 1000, .max_bytes = PAGE_BYTES };
  g_autoptr (GString) keys = g_string_new (NULL);
  g_autoptr (KvsqlSelectRun) run = run_of (fixture, plan);
  gboolean has_more;

  do
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page
          = kvsql_execute_select_page (&fixture->execution, plan, run, bounds, &has_more, &error);
      KvsqlSelectPosition position;

      g_assert_no_error (error);
      g_assert_cmpuint (page->rows->n_rows, <=, PAGE_BYTES / SHARED_SIZE + 1);
      for (guint i = 0; i < page->rows->n_rows; i++)
        {
          KvsqlSlice key = page->rows->columns[0].slices[i];

          g_string_append_printf (keys, "%.*s ", (int)key.size, (const gchar *)key.data);
          g_assert_cmpuint (page->rows->columns[1].slices[i].size, ==, SHARED_SIZE);
        }
      if (is_resumed && has_more)
        {
          kvsql_select_run_get_position (run, fixture->arena, &position);
          g_clear_pointer (&run, kvsql_select_run_free);
          run = kvsql_select_run_new (plan, fixture->store, &fixture->execution.limits, &position);
        }
    }
  while (has_more);
  return g_string_free (g_steal_pointer (&keys), FALSE);
}

/* A page has the size that is asked for, although the rows share one large value. */
static void
test_shared_value (void)
{
  static const struct
  {
    const gchar *rest;
    guint first, n;
  } cases[] = { { "", 0, N_TUPLES },
                { " WHERE v >= 0", 0, N_TUPLES },
                { " ORDER BY v + 1", 0, N_TUPLES },
                { " LIMIT 25 OFFSET 15", 15, 25 },
                { " ORDER BY v + 1 LIMIT 25 OFFSET 15", 15, 25 } };
  EngineFixture fixture;
  g_autoptr (GString) insert = g_string_new ("INSERT INTO r VALUES ('000', 0)");

  engine_fixture_open (&fixture, definitions);
  for (guint i = 1; i < N_TUPLES; i++)
    g_string_append_printf (insert, ", ('%03u', %u)", i, i);
  engine_fixture_write (&fixture, insert->str);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("SELECT k, (SELECT repeat('x', %d)) FROM r%s",
                                               SHARED_SIZE, cases[i].rest);
      const KvsqlSelectPlan *plan = engine_fixture_plan (&fixture, sql);
      g_autoptr (GString) expected = g_string_new (NULL);

      for (guint row = 0; row < cases[i].n; row++)
        g_string_append_printf (expected, "%03u ", cases[i].first + row);
      for (guint is_resumed = 0; is_resumed < 2; is_resumed++)
        {
          g_autofree gchar *keys = read_large_pages (&fixture, plan, is_resumed);
          g_assert_cmpstr (keys, ==, expected->str);
        }
    }
  engine_fixture_close (&fixture);
}

/* A page that fails has no result; the cells that the layout cannot decode are reported. */
static void
test_skipped_and_failed (void)
{
  const KvsqlPageBounds bounds = { .max_rows = 100, .max_bytes = 1 << 20 };
  const gchar *const other[] = { "DEFINE RELATION x { k STRING KEY, v STRING }",
                                 "DEFINE PRIMARY SCHEMA x_p FOR x { TABLE 't', ROW k, FAMILY 'f', "
                                 "QUALIFIER 'v', VALUE v }",
                                 NULL };
  EngineFixture fixture;
  const KvsqlSelectPlan *plan;
  KvsqlCatalog *catalog;
  KvsqlSelectRun *run;
  gboolean has_more;
  g_autoptr (GError) error = NULL;
  KvsqlResultPage *page;

  open_with_rows (&fixture);
  catalog = fixture.execution.catalog;
  fixture.execution.catalog = kvsql_catalog_new (2);
  for (guint i = 0; other[i] != NULL; i++)
    kvsql_catalog_add_definition (fixture.execution.catalog, NULL, other[i]);
  engine_fixture_write (&fixture, "INSERT INTO x VALUES ('d', 'not eight bytes')");
  kvsql_catalog_unref (fixture.execution.catalog);
  fixture.execution.catalog = catalog;

  plan = engine_fixture_plan (&fixture, "SELECT k FROM r WHERE k >= 'b' AND v IS NOT NULL");
  run = run_of (&fixture, plan);
  page = kvsql_execute_select_page (&fixture.execution, plan, run, bounds, &has_more, &error);
  g_assert_no_error (error);
  engine_fixture_assert_page (page, "b\nc");
  g_assert_cmpuint (fixture.n_skipped, ==, 1);
  kvsql_result_page_free (page);
  kvsql_select_run_free (run);

  run = run_of (&fixture, plan);
  fixture.call.deadline_us = 1;
  g_assert_null (
      kvsql_execute_select_page (&fixture.execution, plan, run, bounds, &has_more, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  kvsql_select_run_free (run);
  engine_fixture_close (&fixture);
}

static void
test_use_schema (void)
{
  EngineFixture fixture;
  KvsqlSelectPlan *plan;

  open_with_rows (&fixture);
  plan = engine_fixture_plan (&fixture, "SELECT k FROM r WHERE v = 1");
  g_assert_cmpstr (plan->best->schema->name, ==, "s");
  g_assert_true (kvsql_select_plan_use_schema (plan, KVSQL_SLICE_LITERAL ("p"), fixture.arena));
  g_assert_cmpstr (plan->best->schema->name, ==, "p");
  g_assert_false (
      kvsql_select_plan_use_schema (plan, KVSQL_SLICE_LITERAL ("other"), fixture.arena));
  g_assert_cmpstr (plan->best->schema->name, ==, "p");
  engine_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/select/columns", test_columns);
  g_test_add_func ("/engine/select/pages", test_pages);
  g_test_add_func ("/engine/select/shared-value", test_shared_value);
  g_test_add_func ("/engine/select/skipped-and-failed", test_skipped_and_failed);
  g_test_add_func ("/engine/select/use-schema", test_use_schema);
  return g_test_run ();
}
