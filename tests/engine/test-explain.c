/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-explain.c: the count of EXPLAIN where the planner has no statistics.
 */
#include "config.h"

#include "core/engine/explain.h"
#include "tests/engine/engine-fixture.h"
#include "tests/harness/assert.h"

static const gchar *const definitions[]
    = { "DEFINE RELATION r { k INT KEY, v INT }",
        "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE ordered{v} }",
        NULL };

/* Inserts (first, 0), (first + 1, 0), … */
static void
insert (EngineFixture *self, guint first, guint n)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO r VALUES ");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (sql, "%s(%u, 0)", i > 0 ? ", " : "", first + i);
  engine_fixture_write (self, sql->str);
}

/* @line: what EXPLAIN says of the number; NULL: nothing. @count: in JSON; -1: no member */
static void
assert_counts (EngineFixture *self, const gchar *sql, const gchar *line, gint count)
{
  g_autofree gchar *text = NULL, *json = NULL, *member = NULL;
  g_autoptr (GError) error = NULL;
  const gchar *found;

  assert_done (kvsql_explain_statement (&self->execution, engine_fixture_parse (self, sql), TRUE,
                                        &text, &json, &error),
               error);
  found = strstr (text, "Counted");
  g_assert_cmpstr (found, ==, line);
  member = g_strdup_printf ("\"rows_counted\" : %d\n", count);
  g_assert_true ((strstr (json, "\"rows_counted\"") != NULL) == (count >= 0));
  g_assert_true (count < 0 || strstr (json, member) != NULL);
}

static void
test_count (void)
{
  EngineFixture fixture;

  engine_fixture_open (&fixture, definitions);
  assert_counts (&fixture, "SELECT * FROM r", "Counted in the ranges of schema p: 0 tuples\n", 0);
  insert (&fixture, 0, 3);
  assert_counts (&fixture, "SELECT * FROM r", "Counted in the ranges of schema p: 3 tuples\n", 3);
  /* the ranges are counted, not what satisfies the predicate */
  assert_counts (&fixture, "SELECT * FROM r WHERE k > 0 AND v = 7",
                 "Counted in the ranges of schema p: 2 tuples\n", 2);
  assert_counts (&fixture, "DELETE FROM r WHERE k < 1",
                 "Counted in the ranges of schema p: 1 tuple\n", 1);
  insert (&fixture, 3, 997);
  assert_counts (&fixture, "SELECT * FROM r", "Counted in the ranges of schema p: 1000 tuples\n",
                 1000);
  insert (&fixture, 1000, 1);
  assert_counts (&fixture, "SELECT * FROM r",
                 "Counted in the ranges of schema p: more than 1,000 tuples\n", -1);
  engine_fixture_close (&fixture);
}

static void
test_limit_of_rows (void)
{
  EngineFixture fixture;

  engine_fixture_open (&fixture, definitions);
  insert (&fixture, 0, 3);
  fixture.execution.limits.max_scan_rows = 3;
  assert_counts (&fixture, "SELECT * FROM r", "Counted in the ranges of schema p: 3 tuples\n", 3);
  fixture.execution.limits.max_scan_rows = 2;
  assert_counts (&fixture, "SELECT * FROM r", NULL, -1);
  engine_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/explain/count", test_count);
  g_test_add_func ("/engine/explain/limit-of-rows", test_limit_of_rows);
  return g_test_run ();
}
