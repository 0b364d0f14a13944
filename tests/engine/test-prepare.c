/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-prepare.c: a statement is checked, and its columns are known, before its parameters have
 * values.
 */
#include "config.h"

#include "core/engine/prepare.h"
#include "tests/engine/engine-fixture.h"

static const gchar *const definitions[]
    = { "DEFINE RELATION r { k STRING KEY, v BIGINT }",
        "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW k, FAMILY 'f', QUALIFIER 'v', VALUE v }",
        NULL };

/* @names: of the columns; NULL: the statement fails with @code */
static void
assert_prepares (EngineFixture *self, const gchar *sql, const gchar *names, gint code)
{
  g_autoptr (GError) error = NULL;
  KvsqlResultColumn *columns;
  guint n_columns;

  if (kvsql_execute_prepare (&self->execution, engine_fixture_parse (self, sql), &columns,
                             &n_columns, &error))
    {
      g_autofree gchar *got = engine_fixture_names (columns, n_columns);
      g_assert_cmpstr (got, ==, names);
      return;
    }
  g_assert_null (names);
  g_assert_error (error, KVSQL_ERROR, code);
}

static void
test_prepare (void)
{
  EngineFixture fixture;

  engine_fixture_open (&fixture, definitions);
  assert_prepares (&fixture, "SELECT k, v AS w FROM r WHERE k = ? AND v > ?", "k|w", 0);
  assert_prepares (&fixture, "SELECT k FROM r WHERE k IN (SELECT k FROM r WHERE v = ?)", "k", 0);
  assert_prepares (&fixture, "INSERT INTO r VALUES (?, ?)", "", 0);
  assert_prepares (&fixture, "DELETE FROM r WHERE k = ? RETURNING v", "v", 0);
  assert_prepares (&fixture, "SHOW RELATIONS", "", 0);
  assert_prepares (&fixture, "SELECT x FROM r", NULL, KVSQL_ERROR_UNKNOWN_NAME);
  assert_prepares (&fixture, "SELECT k FROM r WHERE k IN (SELECT x FROM r)", NULL,
                   KVSQL_ERROR_UNKNOWN_NAME);
  assert_prepares (&fixture, "UPDATE r SET x = ?", NULL, KVSQL_ERROR_UNKNOWN_NAME);
  engine_fixture_close (&fixture);
}

/* @types: of the parameters, after @declared ones: NULL, INT, … */
static void
assert_types (EngineFixture *self, const gchar *sql, const KvsqlType *declared, const gchar *types)
{
  const KvsqlAstStatement *statement = engine_fixture_parse (self, sql);
  KvsqlExecution execution = self->execution;
  g_autoptr (GString) got = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  KvsqlType places[4] = { KVSQL_TYPE_NULL };
  KvsqlResultColumn *columns;
  guint n_columns;

  g_assert_cmpuint (statement->n_parameters, <=, G_N_ELEMENTS (places));
  execution.binder.declared_types = declared;
  execution.binder.place_types = places;
  g_assert_true (kvsql_execute_prepare (&execution, statement, &columns, &n_columns, &error));
  for (guint i = 0; i < statement->n_parameters; i++)
    g_string_append_printf (got, "%s ", kvsql_type_get_name (places[i]));
  for (guint i = 0; i < n_columns; i++)
    g_string_append_printf (got, "| %s", kvsql_type_get_name (columns[i].type));
  g_assert_cmpstr (got->str, ==, types);
}

static void
test_types (void)
{
  const KvsqlType declared[] = { KVSQL_TYPE_DATE, KVSQL_TYPE_NULL, KVSQL_TYPE_NULL };
  EngineFixture fixture;

  engine_fixture_open (&fixture, definitions);
  assert_types (&fixture, "SELECT k FROM r WHERE v = $1 OR $2 < k LIMIT $3", NULL,
                "BIGINT STRING BIGINT | STRING");
  assert_types (&fixture, "SELECT v FROM r WHERE v + 1 BETWEEN $2 AND $1 AND k LIKE $3", NULL,
                "BIGINT BIGINT STRING | BIGINT");
  assert_types (&fixture, "SELECT v FROM r WHERE v IN ($1, 2) AND k = upper ($2)", NULL,
                "BIGINT STRING | BIGINT");
  assert_types (&fixture, "INSERT INTO r (v, k) VALUES ($1, 'a' || $2)", NULL, "BIGINT STRING ");
  assert_types (&fixture, "UPDATE r SET v = v + $1 WHERE k = $2", NULL, "BIGINT STRING ");
  assert_types (&fixture, "SELECT CAST ($1 AS DOUBLE), $1", NULL, "DOUBLE | DOUBLE| STRING");
  assert_types (&fixture, "SELECT $1, $2", declared, "NULL STRING | DATE| STRING");
  engine_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/prepare/prepare", test_prepare);
  g_test_add_func ("/engine/prepare/types", test_types);
  return g_test_run ();
}
