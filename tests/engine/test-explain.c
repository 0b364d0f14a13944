/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-explain.c: the count of EXPLAIN where the planner has no statistics; EXPLAIN (CALLS);
 * EXPLAIN … WITH SCHEMA.
 */
#include "config.h"

#include "core/engine/explain.h"
#include "tests/engine/engine-fixture.h"
#include "tests/harness/assert.h"

#include <stdio.h>
#include <string.h>

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

/* ---- EXPLAIN (CALLS) */

/* k and v determine a row of s; only the primary is located by the key. */
static const gchar *const moving[]
    = { "DEFINE RELATION r { k INT KEY, v BIGINT }",
        "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE v }",
        "DEFINE SCHEMA s FOR r { TABLE 's', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE '' }",
        NULL };
static const gchar *const counting[]
    = { "DEFINE RELATION r { k INT KEY, v BIGINT }",
        "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE v }", NULL };

/* Of each request the operation and the schema, and a dot for each cell: "get p., put s." */
static gchar *
explain_calls (EngineFixture *self, const gchar *sql, GError **error)
{
  g_autofree gchar *json
      = kvsql_explain_calls_json (&self->execution, engine_fixture_parse (self, sql), error);
  g_autofree gchar *text = json == NULL ? NULL : kvsql_explain_calls_text ("Requests", json);
  g_auto (GStrv) lines = json == NULL ? NULL : g_strsplit (text, "\n", -1);
  GString *out;

  if (json == NULL)
    return NULL;
  out = g_string_new (NULL);
  for (guint i = 1; lines[i] != NULL; i++)
    {
      gchar op[16], schema[16];

      if (g_str_has_prefix (lines[i], "    "))
        g_string_append_c (out, '.');
      else if (sscanf (lines[i], "  %15s on schema %15[^,]", op, schema) == 2)
        g_string_append_printf (out, "%s%s %s", out->len > 0 ? ", " : "", op, schema);
    }
  return g_string_free (out, FALSE);
}

static gchar *
stored_cells (EngineFixture *self)
{
  const KvsqlRowRange all = { 0 };
  GString *out = g_string_new (NULL);

  for (const gchar *const *table = (const gchar *const[]){ "p", "s", NULL }; *table != NULL;
       table++)
    {
      const KvsqlScanSpec spec
          = { .table = kvsql_slice_from_text (*table), .ranges = &all, .n_ranges = 1 };
      g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (self->store, &spec, &self->call, NULL);
      const KvsqlRows *rows = NULL;

      while (scan != NULL && kvsql_scan_next (scan, &self->call, &rows, NULL) && rows->n_rows > 0)
        for (guint i = 0; i < rows->n_cells; i++)
          g_string_append_printf (out, "%s %" G_GINT64_FORMAT " %" G_GSIZE_FORMAT "\n", *table,
                                  rows->cells[i].timestamp, rows->cells[i].value.size);
    }
  return g_string_free (out, FALSE);
}

static void
assert_calls (EngineFixture *self, const gchar *sql, const gchar *expected)
{
  g_autofree gchar *before = stored_cells (self), *after = NULL, *calls = NULL;
  g_autoptr (GError) error = NULL;

  calls = explain_calls (self, sql, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (calls, ==, expected);
  after = stored_cells (self);
  g_assert_cmpstr (before, ==, after);
}

static void
test_calls (void)
{
  EngineFixture fixture;

  engine_fixture_open (&fixture, moving);
  engine_fixture_write (&fixture, "INSERT INTO r VALUES (1, 10), (2, 20)");
  assert_calls (&fixture, "SELECT v FROM r WHERE k = 1", "get p.");
  assert_calls (&fixture, "INSERT INTO r VALUES (3, 30)", "get p., put p., put s.");
  /* moves the row of s */
  assert_calls (&fixture, "INSERT INTO r VALUES (1, 11)", "get p., put p., delete s., put s.");
  assert_calls (&fixture, "UPDATE r SET v = 11 WHERE k = 1", "get p., put p., delete s., put s.");
  assert_calls (&fixture, "UPDATE r SET v = 11 WHERE v = 10",
                "scan s., get p., put p., delete s., put s.");
  assert_calls (&fixture, "UPDATE r SET v = 11 WHERE k = 7", "get p.");
  assert_calls (&fixture, "DELETE FROM r WHERE k = 2", "get p., get p., delete p., delete s.");
  assert_calls (&fixture, "INSERT INTO r VALUES (2, 0) ON CONFLICT DO NOTHING", "get p.");
  assert_calls (&fixture, "INSERT INTO r VALUES (4, 0) ON CONFLICT DO NOTHING",
                "get p., put p., put s.");
  assert_calls (&fixture, "DELETE FROM r",
                "scan p., get p., get p., delete p., delete p., delete s., delete s.");
  engine_fixture_close (&fixture);
}

static void
test_calls_of_increment (void)
{
  EngineFixture fixture;

  engine_fixture_open (&fixture, counting);
  engine_fixture_write (&fixture, "INSERT INTO r VALUES (1, 10)");
  assert_calls (&fixture, "UPDATE r SET v = v + 5 WHERE k = 1", "get p., increment p.");
  /* the tuple need not exist */
  assert_calls (&fixture, "DELETE FROM r WHERE k = 7", "get p., delete p.");
  engine_fixture_close (&fixture);
}

/* The error does not say that tuples had been written. */
static void
test_calls_fail (void)
{
  EngineFixture fixture;
  g_autoptr (GError) error = NULL;

  engine_fixture_open (&fixture, moving);
  for (guint i = 0; i < 3; i++)
    insert (&fixture, i * 1000, 1000);
  g_assert_null (explain_calls (&fixture, "UPDATE r SET v = 1 / (2500 - k)", &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
  g_assert_null (strstr (kvsql_error_get_detail (error) ?: "", "before"));
  engine_fixture_close (&fixture);
}

/* The statement ends with the request that is too many, so the error of a later tuple is not met.
 */
static void
test_calls_are_many (void)
{
  EngineFixture fixture;
  g_autoptr (GError) error = NULL;

  engine_fixture_open (&fixture, moving);
  for (guint i = 0; i < 6; i++)
    insert (&fixture, i * 1000, 1000);
  g_assert_null (explain_calls (&fixture, "UPDATE r SET v = k + 1 / (5999 - k)", &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_null (kvsql_error_get_detail (error));
  engine_fixture_close (&fixture);
}

/* The plan of EXPLAIN as JSON. */
static gchar *
explain_json (const gchar *const *known, const gchar *sql)
{
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GError) error = NULL;
  EngineFixture fixture;
  gint64 affected;
  gchar *text;

  engine_fixture_open (&fixture, known);
  page = kvsql_execute_explain (&fixture.execution, engine_fixture_parse (&fixture, sql), &affected,
                                &error);
  g_assert_no_error (error);
  text = engine_fixture_text (page);
  g_clear_pointer (&page, kvsql_result_page_free);
  engine_fixture_close (&fixture);
  return text;
}

/* The plan with a schema that does not exist is the one that it has after DEFINE, with its cost. */
static void
test_supposed (void)
{
#define LAYOUT " { TABLE 's', ROW ordered{v}:ordered{k}, FAMILY 'f' }"
  const gchar *const after[]
      = { definitions[0], definitions[1], "DEFINE SCHEMA s FOR r" LAYOUT, NULL };
  static const gchar *const statements[] = { "SELECT k FROM r WHERE v = 7",
                                             "SELECT * FROM r WHERE k = 7",
                                             "SELECT v FROM r WHERE v > 7 ORDER BY v LIMIT 3",
                                             "DELETE FROM r WHERE v = 7",
                                             "UPDATE r SET v = 8 WHERE v = 7",
                                             "SELECT k FROM r" };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      g_autofree gchar *sql = g_strconcat ("EXPLAIN (FORMAT DOT) ", statements[i], NULL);
      g_autofree gchar *supposing = g_strconcat (sql, " WITH SCHEMA s" LAYOUT, NULL);
      g_autofree gchar *supposed = explain_json (definitions, supposing);
      g_autofree gchar *stored = explain_json (after, sql);
      g_autofree gchar *without = explain_json (definitions, sql);

      g_assert_cmpstr (supposed, ==, stored);
      g_assert_cmpstr (supposed, !=, without);
    }
#undef LAYOUT
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/explain/count", test_count);
  g_test_add_func ("/engine/explain/limit-of-rows", test_limit_of_rows);
  g_test_add_func ("/engine/explain/supposed", test_supposed);
  g_test_add_func ("/engine/explain/calls", test_calls);
  g_test_add_func ("/engine/explain/calls-of-increment", test_calls_of_increment);
  g_test_add_func ("/engine/explain/calls-fail", test_calls_fail);
  g_test_add_func ("/engine/explain/calls-are-many", test_calls_are_many);
  return g_test_run ();
}
