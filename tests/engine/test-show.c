/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-show.c: SHOW RELATIONS, SHOW SCHEMAS and SHOW CREATE on a catalog.
 */
#include "config.h"

#include "core/engine/show.h"
#include "tests/engine/engine-fixture.h"

#define RELATION                                                                                   \
  "DEFINE RELATION r { k STRING KEY, l INT KEY, v STRING } WITH (writes = plain) COMMENT 'said'"
#define PRIMARY                                                                                    \
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW size{k}:l, FAMILY 'f', QUALIFIER '', VALUE v }"
#define BUILDING                                                                                   \
  "DEFINE SCHEMA s FOR r { TABLE 's', ROW size{v}:size{k}:l, FAMILY 'f', VALUE '' } WITH (state "  \
  "= building)"
#define OTHER "DEFINE RELATION q { k STRING KEY }"

static const gchar *const definitions[] = { RELATION, PRIMARY, BUILDING, OTHER, NULL };

static KvsqlResultPage *
show (EngineFixture *self, const gchar *sql, GError **error)
{
  return kvsql_execute_show (&self->execution, &engine_fixture_parse (self, sql)->show, error);
}

static void
assert_shows (EngineFixture *self, const gchar *sql, const gchar *names, const gchar *rows)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = show (self, sql, &error);
  g_autofree gchar *got = NULL;

  g_assert_no_error (error);
  got = engine_fixture_names (page->columns, page->n_columns);
  g_assert_cmpstr (got, ==, names);
  engine_fixture_assert_page (page, rows);
}

static void
assert_fails (EngineFixture *self, const gchar *sql, gint code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (show (self, sql, &error));
  g_assert_error (error, KVSQL_ERROR, code);
}

static void
test_show (void)
{
  EngineFixture fixture;

  engine_fixture_open (&fixture, definitions);
  assert_shows (&fixture, "SHOW RELATIONS",
                "relation|attributes|key|primary schema|schemas|comment",
                "q|1|k|NULL|0|\nr|3|k, l|p|2|said");
  /* the state of a schema that is not filled is known to the caller of the engine only */
  assert_shows (&fixture, "SHOW SCHEMAS", "schema|relation|primary|table|row|state|comment",
                "p|r|yes|'t'|size{k}:l|readable|\n"
                "s|r|no|'s'|size{v}:size{k}:l|filling of s|");
  assert_shows (&fixture, "SHOW SCHEMAS FOR q", "schema|relation|primary|table|row|state|comment",
                "");
  assert_shows (&fixture, "SHOW CREATE s", "definition", BUILDING);
  assert_shows (&fixture, "SHOW CREATE r", "definition", RELATION "\n" PRIMARY "\n" BUILDING);
  engine_fixture_close (&fixture);
}

static void
test_failures (void)
{
  EngineFixture fixture;

  engine_fixture_open (&fixture, definitions);
  assert_fails (&fixture, "SHOW SCHEMAS FOR x", KVSQL_ERROR_UNKNOWN_NAME);
  assert_fails (&fixture, "SHOW CREATE x", KVSQL_ERROR_UNKNOWN_NAME);
  /* the definitions were never read */
  fixture.execution.catalog->epoch = -1;
  assert_fails (&fixture, "SHOW RELATIONS", KVSQL_ERROR_UNAVAILABLE);
  assert_fails (&fixture, "SHOW SCHEMAS", KVSQL_ERROR_UNAVAILABLE);
  engine_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/show/show", test_show);
  g_test_add_func ("/engine/show/failures", test_failures);
  return g_test_run ();
}
