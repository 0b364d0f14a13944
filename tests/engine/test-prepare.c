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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/prepare/prepare", test_prepare);
  return g_test_run ();
}
