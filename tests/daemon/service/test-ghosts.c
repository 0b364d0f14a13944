/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-ghosts.c: schemas that are defined over tables with older cells.
 *
 * Such a cell must not be read as a tuple, because the tuple may have been deleted since. A
 * definition must not delete the cell either: only BACKFILL and REPAIR do.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

#include <string.h>

/* The first warning of a statement that must succeed; "": it has none. (transfer full) */
static gchar *
run_warned (ServiceFixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (self->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);
  g_autofree gchar *all = NULL;

  g_assert_no_error (error);
  if (page->warnings == NULL)
    return g_strdup ("");
  g_ptr_array_add (page->warnings, NULL);
  return g_strjoinv ("\n", (gchar **)page->warnings->pdata);
}

#define assert_warning(self, sql, expected)                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree gchar *_got = run_warned ((self), (sql));                                           \
    g_assert_cmpstr (_got, ==, (expected));                                                        \
  }                                                                                                \
  G_STMT_END

#define DEFINE_G "DEFINE RELATION g { k INT KEY, v STRING } WITH (writes = plain);"
#define DEFINE_P                                                                                   \
  "DEFINE PRIMARY SCHEMA gp FOR g { TABLE 'gp', ROW ordered{k}, FAMILY 'f', VALUE v };"
#define DEFINE_V "DEFINE SCHEMA gv FOR g { TABLE 'gv', ROW suffix('/'){v}:ordered{k}, FAMILY 'f' }"
#define FILL "INSERT INTO g VALUES (1, 'a'), (2, 'a'), (3, 'b');"
#define STATE "SHOW SCHEMAS FOR g"
#define GHOSTS                                                                                     \
  "the tables of schema \"gv\" are not empty: of the first 3 cells 3 belong to no tuple. It is "   \
  "written, and will be read when BACKFILL SCHEMA gv has deleted them"

static void
assert_is_building (ServiceFixture *self)
{
  g_autofree gchar *schemas = service_fixture_run (self, STATE);
  g_autoptr (GError) error = service_fixture_fail (self, "SELECT k FROM g USING SCHEMA gv");

  g_assert_nonnull (strstr (schemas, "building, needs BACKFILL"));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
}

static void
assert_answers (ServiceFixture *self, const gchar *expected)
{
  service_fixture_assert (self, "SELECT k, v FROM g WHERE v >= 'a' ORDER BY k", expected);
  service_fixture_assert (self, "SELECT k, v FROM g USING SCHEMA gp ORDER BY k", expected);
}

/* After BACKFILL both schemas hold the same tuples. */
static void
assert_no_ghosts (ServiceFixture *self, const gchar *expected)
{
  assert_answers (self, expected);
  assert_is_building (self);
  g_free (service_fixture_run (self, "BACKFILL SCHEMA gv"));
  service_fixture_assert (self, "SELECT k, v FROM g USING SCHEMA gv ORDER BY k", expected);
  service_fixture_assert (self, "VERIFY SCHEMA gv", "");
  service_fixture_script (self, "INSERT INTO g VALUES (2, 'c')");
  service_fixture_assert (self, "SELECT k, v FROM g USING SCHEMA gv WHERE k = 2", "2|c");
  service_fixture_assert (self, "VERIFY SCHEMA gv", "");
}

static void
test_dropped_schema (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self,
                          DEFINE_G DEFINE_P DEFINE_V ";" FILL "DROP SCHEMA gv; DELETE FROM g");
  assert_warning (self, DEFINE_V, GHOSTS);
  assert_no_ghosts (self, "");
}

/* Some of the old cells are right, some are wrong, and one is missing. */
static void
test_used_relation (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_G DEFINE_P DEFINE_V ";" FILL "DROP SCHEMA gv;"
                                                           "DELETE FROM g WHERE k = 1;"
                                                           "INSERT INTO g VALUES (4, 'd')");
  assert_warning (self, DEFINE_V,
                  "relation \"g\" has tuples already: schema \"gv\" is written, and will be read "
                  "when BACKFILL SCHEMA gv has filled it\n"
                  "BACKFILL SCHEMA gv will delete cells, too: of the first 3 cells in its tables 1 "
                  "belong to no tuple");
  assert_no_ghosts (self, "2|a\n3|b\n4|d");
}

static void
test_another_primary (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_G DEFINE_P DEFINE_V ";" FILL "DROP RELATION g;" DEFINE_G
                                                           "DEFINE PRIMARY SCHEMA gp FOR g { TABLE "
                                                           "'new', ROW ordered{k}, FAMILY 'f', "
                                                           "VALUE v }");
  assert_warning (self, DEFINE_V, GHOSTS);
  assert_no_ghosts (self, "");
}

/* The old cells have another layout, but their bytes fit the new one. */
static void
test_another_layout (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self,
                          DEFINE_G DEFINE_P DEFINE_V ";" FILL "DROP SCHEMA gv; DELETE FROM g");
  /* no cell of this schema, so it is read at once */
  assert_warning (self,
                  "DEFINE SCHEMA gv FOR g { TABLE 'gv', ROW suffix('/'){v}:ordered{k}, FAMILY 'f', "
                  "QUALIFIER 'x' }",
                  "note: 0 of the first 3 rows in table \"gv\" fit schema \"gv\". Sample: table "
                  "\"gv\", row \"a/+\\x80\\x00\\x00\\x01\", column \"f:\", value \"\": the schema "
                  "has no such column");
  service_fixture_assert (self, "SELECT k FROM g USING SCHEMA gv", "");
  service_fixture_script (self, "DROP SCHEMA gv");
  assert_warning (self,
                  "DEFINE SCHEMA gv FOR g { TABLE 'gv', ROW fixed(1){v}:'/':ordered{k}, FAMILY 'f' "
                  "}",
                  GHOSTS);
  assert_no_ghosts (self, "");
}

static void
test_restored_schema (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self,
                          DEFINE_G DEFINE_P DEFINE_V ";" FILL "DROP SCHEMA gv; DELETE FROM g");
  assert_warning (self, "RESTORE SCHEMA gv TO VERSION 3", GHOSTS);
  assert_no_ghosts (self, "");
}

/* The primary is restored, too, after another program has deleted its rows. */
static void
test_restored_relation (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_G DEFINE_P DEFINE_V
                          ";" FILL "DROP RELATION g;"
                          "DEFINE RELATION other { k INT KEY, v STRING } WITH (writes = plain);"
                          "DEFINE PRIMARY SCHEMA o FOR other { TABLE 'gp', ROW ordered{k}, "
                          "FAMILY 'f', VALUE v };"
                          "DELETE FROM other; DROP RELATION other");
  assert_warning (self, "RESTORE RELATION g TO VERSION 1", GHOSTS);
  assert_no_ghosts (self, "");
}

/* Cells of a foreign table stay, with all their bytes, whatever was defined over them. */
static void
test_foreign_table (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *before = NULL;
  g_autoptr (GString) rows = g_string_new ("INSERT INTO raw VALUES ");

  service_fixture_script (
      self, "DEFINE RELATION raw { k BYTES KEY, q BYTES KEY, v BYTES } WITH (writes = plain);"
            "DEFINE PRIMARY SCHEMA raw_p FOR raw { TABLE 'gv', ROW k, FAMILY "
            "'f', QUALIFIER q, VALUE v }");
  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (rows, "%s(x'%02x2f2b8%07x', '', ''), (x'%02x2f2b8%07x', 'q', '%u')",
                            i > 0 ? ", " : "", 'a' + i % 26, i, 'a' + i % 26, i, i);
  service_fixture_script (self, rows->str);
  service_fixture_script (
      self, "DROP RELATION raw;"
            "DEFINE RELATION raw { k BYTES KEY, q BYTES KEY, v BYTES } WITH (writes = plain);"
            "DEFINE PRIMARY SCHEMA raw_p FOR raw { TABLE 'gv', ROW k, FAMILY "
            "'f', QUALIFIER q, VALUE v } WITH (role = read)");
  before = service_fixture_run (self, "SELECT * FROM raw ORDER BY k, q");
  service_fixture_assert (self, "SELECT count(*) FROM raw", "2000");
  service_fixture_script (self, DEFINE_G DEFINE_P);
  assert_warning (
      self, DEFINE_V,
      "the tables of schema \"gv\" are not empty: of the first 1000 cells 500 belong "
      "to no tuple. It is written, and will be read when BACKFILL SCHEMA gv has deleted "
      "them");
  assert_is_building (self);
  service_fixture_script (self, "ALTER RELATION g RENAME TO h; ALTER RELATION h RENAME TO g;"
                                "COMMENT ON SCHEMA gv IS 'new'; DROP SCHEMA gv;"
                                "RESTORE SCHEMA gv TO VERSION 8;");
  assert_is_building (self);
  service_fixture_assert (self, "SELECT * FROM raw ORDER BY k, q", before);
  g_free (service_fixture_run (self, "BACKFILL SCHEMA gv"));
  service_fixture_assert (self, "SELECT count(*) FROM raw", "1000");
}

/* Adopts a table: its rows are the tuples of a primary, also of one that is defined last. */
static void
test_primary_later (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_G DEFINE_P FILL "DROP RELATION g;" DEFINE_G);
  service_fixture_script (self, DEFINE_V);
  assert_warning (self, DEFINE_P,
                  "relation \"g\" has tuples already: schema \"gv\" is written, and will be read "
                  "when BACKFILL SCHEMA gv has filled it\n"
                  "note: 3 of the first 3 rows in table \"gp\" fit schema \"gp\"");
  assert_no_ghosts (self, "1|a\n2|a\n3|b");
}

/* Without a primary, older cells are visible. */
static void
test_secondary_first (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *warning = NULL;

  service_fixture_script (self, DEFINE_G DEFINE_P DEFINE_V ";" FILL "DELETE FROM g WHERE k = 1;"
                                                           "DROP RELATION g;" DEFINE_G);
  warning = run_warned (self, DEFINE_V);
  g_assert_nonnull (strstr (warning, "of the first 2 cells 2 belong to no tuple"));
  service_fixture_script (self, "DROP SCHEMA gv");
  service_fixture_script (self, DEFINE_P "DROP SCHEMA gp");
  service_fixture_script (self, DEFINE_V);
  service_fixture_assert_fails (self, "BACKFILL SCHEMA gv", KVSQL_ERROR_INVALID,
                                "relation \"g\" has no primary schema");
  service_fixture_script (self, DEFINE_P);
  assert_no_ghosts (self, "2|a\n3|b");
}

/* A schema that is only written is neither filled nor repaired by itself. A warning says so. */
static void
test_write_only (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self,
                          DEFINE_G DEFINE_P DEFINE_V ";" FILL "DROP SCHEMA gv; DELETE FROM g");
  assert_warning (self, DEFINE_V " WITH (role = write)",
                  "the tables of schema \"gv\" are not empty: of the first 3 cells 3 belong to no "
                  "tuple; REPAIR SCHEMA gv deletes them\n"
                  "note: 3 of the first 3 rows in table \"gv\" fit schema \"gv\"");
  g_free (service_fixture_run (self, "REPAIR SCHEMA gv"));
  service_fixture_assert (self, "SELECT k FROM g USING SCHEMA gv", "");
}

/* Cells of other schemas in the same table are no reason to wait for BACKFILL. */
static void
test_shared_table (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, "DEFINE RELATION g { k INT KEY, v STRING } WITH (writes = plain);"
                                "DEFINE PRIMARY SCHEMA gp FOR g { TABLE 't', ROW 'p':ordered{k}, "
                                "FAMILY 'f', VALUE v };"
                                "DEFINE RELATION h { k INT KEY, v STRING } WITH (writes = plain);"
                                "DEFINE PRIMARY SCHEMA hp FOR h { TABLE 't', ROW 'h':ordered{k}, "
                                "FAMILY 'f', VALUE v };"
                                "INSERT INTO h VALUES (1, 'a')");
  assert_warning (self,
                  "DEFINE SCHEMA gv FOR g { TABLE 't', ROW suffix(x'00'){v}:'g':ordered{k}, "
                  "FAMILY 'g' }",
                  "");
  service_fixture_assert (self, "SELECT k FROM g USING SCHEMA gv", "");
}

/* ---- attributes that come again */

#define DEFINE_A                                                                                   \
  "DEFINE RELATION a { k INT KEY, v INT, w INT, u INT } WITH (writes = plain);"                    \
  "DEFINE PRIMARY SCHEMA ap FOR a { TABLE 'a', ROW ordered{k}, FAMILY 'f', QUALIFIER "             \
  "attr_name[k], VALUE attr_value[k] };"                                                           \
  "INSERT INTO a VALUES (1, 7, 8, 0), (2, NULL, 9, 0);"

#define WAS_INT "attribute \"v\" was of type INT, and a value of it is still stored"

/* Four bytes are valid as a FLOAT and as an INT. */
static void
test_another_type (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  service_fixture_script (self, DEFINE_A "ALTER RELATION a DROP v");
  error = service_fixture_fail (self, "ALTER RELATION a ADD v FLOAT");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEFINITION);
  g_assert_cmpstr (error->message, ==, WAS_INT);
  g_assert_cmpstr (kvsql_error_get_detail (error), ==,
                   "In table \"a\", row \"+\\x80\\x00\\x00\\x01\", column \"f:v\", value "
                   "\"\\x00\\x00\\x00\\x07\". It would be read as FLOAT.");
  g_assert_cmpstr (kvsql_error_get_hint (error), ==,
                   "Use another name; or ADD v INT, remove the values with UPDATE a SET v = NULL, "
                   "and DROP v again.");
  service_fixture_assert_fails (self, "ALTER RELATION a ADD v STRING", KVSQL_ERROR_DEFINITION,
                                WAS_INT);
  /* the history follows the name */
  service_fixture_script (self, "ALTER RELATION a RENAME TO b; ALTER RELATION b RENAME TO c");
  service_fixture_assert_fails (self, "ALTER RELATION c ADD v FLOAT", KVSQL_ERROR_DEFINITION,
                                WAS_INT);
  service_fixture_script (self, "ALTER RELATION c RENAME TO a; ALTER RELATION a ADD x FLOAT");
  service_fixture_assert (self, "SELECT k, x FROM a ORDER BY k", "1|NULL\n2|NULL");
  service_fixture_script (self, "ALTER RELATION a ADD v INT");
  service_fixture_assert (self, "SELECT k, v FROM a ORDER BY k", "1|7\n2|NULL");
  /* does what the hint says */
  service_fixture_script (self, "UPDATE a SET v = NULL; ALTER RELATION a DROP v;"
                                "ALTER RELATION a ADD v FLOAT");
  service_fixture_assert (self, "SELECT k, v FROM a ORDER BY k", "1|NULL\n2|NULL");
}

/* RESTORE adds attributes, too. */
static void
test_restored_type (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_A "UPDATE a SET v = NULL; ALTER RELATION a DROP v;"
                                         "ALTER RELATION a ADD v FLOAT; UPDATE a SET v = 1.5;"
                                         "ALTER RELATION a DROP v");
  service_fixture_assert_fails (
      self, "RESTORE RELATION a TO VERSION 1", KVSQL_ERROR_DEFINITION,
      "attribute \"v\" was of type FLOAT, and a value of it is still stored");
  service_fixture_script (self, "RESTORE RELATION a TO VERSION 4");
  service_fixture_assert (self, "SELECT v FROM a WHERE k = 1", "1.5");
}

/* The same type: an UPDATE has moved the entry in between, and left the cell that it did not
 * know. */
static void
test_moved_entry (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *warning = NULL, *schemas = NULL;

  service_fixture_script (self, DEFINE_A
                          "DEFINE SCHEMA aw FOR a { TABLE 'aw', ROW ordered{w}:ordered{k}, FAMILY "
                          "'f', QUALIFIER attr_name[k, w], VALUE attr_value[k, w] } WITH (marker = "
                          "x'00');"
                          "BACKFILL SCHEMA aw;"
                          "ALTER RELATION a DROP v; UPDATE a SET w = 10 WHERE k = 1;"
                          "DELETE FROM a WHERE k = 2");
  warning = run_warned (self, "ALTER RELATION a ADD v INT");
  g_assert_cmpstr (warning, ==,
                   "values that were stored under \"v\" are seen again, also those of tuples that "
                   "were deleted meanwhile\n"
                   "schema \"aw\" is written, and will be read when BACKFILL SCHEMA aw has deleted "
                   "the cells that it had before");
  schemas = service_fixture_run (self, "SHOW SCHEMAS FOR a");
  g_assert_nonnull (strstr (schemas, "building, needs BACKFILL"));
  service_fixture_assert (self, "SELECT k, v, w FROM a WHERE w > 0 ORDER BY k", "1|7|10");
  g_free (service_fixture_run (self, "BACKFILL SCHEMA aw"));
  service_fixture_assert (self, "SELECT k, v, w FROM a USING SCHEMA aw ORDER BY k", "1|7|10");
  service_fixture_assert (self, "VERIFY SCHEMA aw", "");
}

/* A column that the relation never had belongs to another program, and is adopted. */
static void
test_adopted_column (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_A
                          "DROP RELATION a;"
                          "DEFINE RELATION other { k INT KEY, w INT } WITH (writes = plain);"
                          "DEFINE PRIMARY SCHEMA op FOR other { TABLE 'a', ROW "
                          "ordered{k}, FAMILY 'f', QUALIFIER attr_name[k], VALUE "
                          "attr_value[k] }");
  assert_warning (self, "ALTER RELATION other ADD v INT", "");
  service_fixture_assert (self, "SELECT k, v, w FROM other ORDER BY k", "1|7|8\n2|NULL|9");
}

/* ---- main */

int
main (int argc, char **argv)
{
  static const ServiceFixtureTest tests[] = {
    { "dropped-schema", test_dropped_schema },   { "used-relation", test_used_relation },
    { "another-primary", test_another_primary }, { "another-layout", test_another_layout },
    { "restored-schema", test_restored_schema }, { "restored-relation", test_restored_relation },
    { "foreign-table", test_foreign_table },     { "primary-later", test_primary_later },
    { "secondary-first", test_secondary_first }, { "write-only", test_write_only },
    { "shared-table", test_shared_table },       { "another-type", test_another_type },
    { "restored-type", test_restored_type },     { "moved-entry", test_moved_entry },
    { "adopted-column", test_adopted_column },
  };

  g_test_init (&argc, &argv, NULL);
  service_fixture_add_tests ("/daemon/ghosts", NULL, tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/daemon/ghosts", "rocksdb", tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/daemon/ghosts", "hbase", tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
