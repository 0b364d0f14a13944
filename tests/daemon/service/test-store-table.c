/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-store-table.c: tables of the store without a definition: TABLE 't', SHOW TABLES, DESCRIBE
 * TABLE.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/catalog/catalog.h"
#include "core/catalog/store-table.h"
#include "core/sql/ast.h"
#include "tests/harness/service-fixture.h"

static void
define (ServiceFixture *self)
{
  service_fixture_script (
      self,
      "DEFINE RELATION e { id STRING KEY, s STRING, n INT };"
      "DEFINE PRIMARY SCHEMA by_id FOR e { TABLE 'e1', ROW id, FAMILY 'f', QUALIFIER "
      "attr_name[id], VALUE attr_value[id] };"
      "INSERT INTO e VALUES ('a', 'x', 1), ('b', NULL, 16909060), ('c', 'z', NULL);"
      "DEFINE RELATION visit { url STRING KEY, day DATE KEY, n INT };"
      "DEFINE PRIMARY SCHEMA visits FOR visit { TABLE 'visit_':text{day}, ROW url, FAMILY 'v', "
      "VALUE text{n} };"
      "INSERT INTO visit VALUES ('u', '2024-02-29', 7), ('u', '2024-03-01', 8)");
}

static void
test_read (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *plan = NULL;

  define (self);
  service_fixture_assert (self, "SELECT row, family, qualifier, printable (value) FROM TABLE 'e1'",
                          "x'61'|f|x'6e'|\\x00\\x00\\x00\\x01\n"
                          "x'61'|f|x'73'|x\n"
                          "x'62'|f|x'6e'|\\x01\\x02\\x03\\x04\n"
                          "x'63'|f|x'73'|z");
  service_fixture_assert (self,
                          "SELECT printable (c.value) FROM TABLE x'6531' AS c WHERE c.row = x'61' "
                          "AND family = 'f' AND qualifier = x'73' AND time > TIMESTAMP "
                          "'2020-01-01T00:00:00Z'",
                          "x");
  service_fixture_assert (
      self, "SELECT row, count (*) FROM TABLE 'e1' WHERE row >= x'62' GROUP BY row ORDER BY row",
      "x'62'|1\nx'63'|1");
  /* joins, subqueries */
  service_fixture_assert (self,
                          "SELECT e.id, e.s FROM e JOIN TABLE 'e1' AS c ON to_utf8 (e.s) = c.value "
                          "WHERE e.id IN (SELECT from_utf8 (row) FROM TABLE 'e1') ORDER BY 1",
                          "a|x\nc|z");
  service_fixture_assert (
      self, "SELECT row FROM TABLE 'visit_2024-02-29' UNION SELECT row FROM TABLE 'e1' ORDER BY 1",
      "x'61'\nx'62'\nx'63'\nx'75'");
  plan = service_fixture_run (self, "EXPLAIN SELECT * FROM TABLE 'e1' WHERE row = x'62'");
  g_assert_nonnull (strstr (plan, "row \"b\""));
}

static void
test_pages (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *all = NULL, *paged = NULL;
  guint n_pages;

  define (self);
  all = service_fixture_run (self, "SELECT * FROM TABLE 'e1'");
  paged = service_fixture_run_pages (self, "SELECT * FROM TABLE 'e1'", 1, data != NULL, &n_pages);
  g_assert_cmpstr (all, ==, paged);
  g_assert_cmpuint (n_pages, >=, 4);
}

static void
test_show (ServiceFixture *self, gconstpointer data)
{
  define (self);
  service_fixture_assert (self, "SHOW TABLES",
                          "e1|f|NULL|3|by_id\n"
                          "visit_2024-02-29|v|NULL|1|visits\n"
                          "visit_2024-03-01|v|NULL|1|visits");
  service_fixture_assert (self, "SHOW TABLES LIKE 'e_'", "e1|f|NULL|3|by_id");
  service_fixture_assert (self, "SHOW TABLES LIKE '%-03-%'", "visit_2024-03-01|v|NULL|1|visits");
  service_fixture_assert (self, "SHOW TABLES LIKE 'E%'", "");
  service_fixture_assert (self, "DESCRIBE TABLE 'e1'",
                          "TABLE|e1|\n"
                          "ROWS|3|\n"
                          "FAMILIES|f|\n"
                          "COLUMN|f:n|in 2 of 3 rows\n"
                          "COLUMN|f:s|in 2 of 3 rows\n"
                          "SCHEMA|by_id|of relation e");
}

static void
test_errors (ServiceFixture *self, gconstpointer data)
{
  define (self);
  service_fixture_assert_fails (self, "SELECT * FROM TABLE 'nosuch'", KVSQL_ERROR_UNKNOWN_NAME,
                                "the store has no table \"nosuch\"");
  service_fixture_assert_fails (self, "DESCRIBE TABLE 'nosuch'", KVSQL_ERROR_UNKNOWN_NAME,
                                "the store has no table \"nosuch\"");
  service_fixture_assert_fails (self, "SELECT * FROM TABLE ''", KVSQL_ERROR_VALUE,
                                "the name of a table is not empty");
  service_fixture_assert_fails (self, "SELECT * FROM TABLE e1", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation \"TABLE\" does not exist");
  service_fixture_assert_fails (self, "DELETE FROM TABLE 'e1'", KVSQL_ERROR_UNSUPPORTED,
                                "a table of the store can only be read by its name");
  service_fixture_assert_fails (self, "INSERT INTO TABLE 'e1' VALUES (x'00')",
                                KVSQL_ERROR_UNSUPPORTED,
                                "a table of the store can only be read by its name");
  service_fixture_assert_fails (self, "UPDATE TABLE 'e1' SET value = x'00'",
                                KVSQL_ERROR_UNSUPPORTED,
                                "a table of the store can only be read by its name");
  service_fixture_assert_fails (self, "SHOW TABLES LIKE '\\'", KVSQL_ERROR_VALUE,
                                "LIKE pattern must not end with the escape character");
  service_fixture_assert (self, "SELECT count (*) FROM TABLE 'e1'", "4");
}

/* What a catalog keeps of them is bounded, and a change of definitions begins again. */
static void
test_bound (ServiceFixture *self, gconstpointer data)
{
  define (self);
  for (guint i = 0; i < 1000; i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("EXPLAIN SELECT row FROM TABLE 't%u'", i);
      g_autofree gchar *plan = service_fixture_run (self, sql);
    }
  service_fixture_assert_fails (self, "SELECT * FROM TABLE 'e1'", KVSQL_ERROR_LIMIT,
                                "more than 1000 tables were asked for by their names");
  service_fixture_script (self, "COMMENT ON RELATION e IS 'x'");
  service_fixture_assert (self, "SELECT count (*) FROM TABLE 'e1'", "4");
}

static gboolean
time_is_over (gconstpointer data, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE, "the time is over");
}

/* Other statements use the definition of the table, too: that this statement ends may not make it
 * incomplete. */
static void
test_no_time (ServiceFixture *self, gconstpointer data)
{
  const KvsqlName name = { .text = "TABLE 'e1'", .is_store_table = TRUE };
  KvsqlCatalog *catalog = kvsql_catalog_new (0);
  const KvsqlCatalogEntry *entry;
  g_autoptr (GError) error = NULL;
  KvsqlInterrupt interrupt;

  kvsql_interrupt_enter (&interrupt, time_is_over, NULL);
  g_assert_false (kvsql_interrupt_check (NULL));
  entry = kvsql_catalog_find_store_table (catalog, &name, &error);
  kvsql_interrupt_leave (&interrupt);
  g_assert_no_error (error);
  g_assert_cmpuint (entry->relation->n_attributes, ==, 5);
  kvsql_catalog_unref (catalog);
}

static void
test_long_name (ServiceFixture *self, gconstpointer data)
{
  static const guint sizes[] = { 1024, 1025, 65535, 1000000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree gchar *name = g_strnfill (sizes[i], 'n');
      g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM TABLE '%s'", name);
      g_autofree gchar *unknown = g_strdup_printf ("the store has no table \"%s\"", name);

      service_fixture_assert_fails (
          self, sql, i == 0 ? KVSQL_ERROR_UNKNOWN_NAME : KVSQL_ERROR_LIMIT,
          i == 0 ? unknown : "the name of a table that is read by its name has at most 1024 bytes");
    }
}

/* SHOW TABLES reads from the first 1,000 tables only. */
static void
test_many (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GString) rows = g_string_new ("INSERT INTO many VALUES ('t0000')");
  g_autofree gchar *shown = NULL;
  guint n_lines = 1;

  for (guint i = 1; i < 1001; i++)
    g_string_append_printf (rows, ", ('t%04u')", i);
  service_fixture_script (
      self, "DEFINE RELATION many { t STRING KEY };"
            "DEFINE PRIMARY SCHEMA tables FOR many { TABLE t, ROW 'r', FAMILY 'f', VALUE '' }");
  service_fixture_script (self, rows->str);
  shown = service_fixture_run (self, "SHOW TABLES");
  for (const gchar *s = shown; *s != '\0'; s++)
    n_lines += *s == '\n';
  g_assert_cmpuint (n_lines, ==, 1000);
  g_assert_null (strstr (shown, "t1000"));
  service_fixture_assert (self, "SHOW TABLES LIKE 't1%'", "t1000|f|NULL|1|tables");
}

int
main (int argc, char **argv)
{
  static const ServiceFixtureTest tests[] = {
    { "read", test_read },       { "pages", test_pages },         { "show", test_show },
    { "errors", test_errors },   { "bound", test_bound },         { "many", test_many },
    { "no-time", test_no_time }, { "long-name", test_long_name },
  };

  g_test_init (&argc, &argv, NULL);
  service_fixture_add_tests ("/store-table", NULL, tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/store-table", "rocksdb", tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
