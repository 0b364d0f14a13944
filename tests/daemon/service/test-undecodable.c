/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-undecodable.c: the client gets a note about undecodable cells that a statement skipped, and
 * DEFINE reports how many of the existing rows fit.
 *
 * Foreign cells come from a relation of raw bytes over the same table, which is dropped before the
 * tested schema is defined.
 */
#include "config.h"

#include "core/plan/join-plan.h"
#include "tests/harness/service-fixture.h"

#include <string.h>

#define ROWS_A_PAGE 2

static void
add_warnings (GString *out, const KvsqlResultPage *page)
{
  for (guint i = 0; page->warnings != NULL && i < page->warnings->len; i++)
    g_string_append_printf (out, "%s%s", out->len > 0 ? "\n" : "",
                            (const gchar *)page->warnings->pdata[i]);
}

/* The warnings of all pages of a statement that must succeed. @is_cold: each page comes from a
 * daemon that has just started. (transfer full) */
static gchar *
run_warned (ServiceFixture *self, const gchar *sql, gboolean is_cold)
{
  const KvsqldRequest request = { .max_rows = ROWS_A_PAGE };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->service, &request, kvsql_slice_from_text (sql), NULL, 0, &error);
  GString *out = g_string_new (NULL);

  g_assert_no_error (error);
  add_warnings (out, page);
  while (page->cursor != NULL)
    {
      g_autoptr (GBytes) cursor = g_bytes_ref (page->cursor);
      gsize size;
      const guint8 *data = g_bytes_get_data (cursor, &size);

      if (is_cold)
        service_fixture_reopen (self);
      kvsql_result_page_free (page);
      page = kvsqld_service_fetch (self->service, &request, kvsql_slice (data, size), &error);
      g_assert_no_error (error);
      add_warnings (out, page);
    }
  return g_string_free (out, FALSE);
}

#define assert_warning(self, sql, expected)                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree gchar *_got = run_warned ((self), (sql), FALSE);                                    \
    g_assert_cmpstr (_got, ==, (expected));                                                        \
  }                                                                                                \
  G_STMT_END

/* Writes cells into a table, family "f". */
static void
write_raw (ServiceFixture *self, const gchar *table, const gchar *rows)
{
  g_autofree gchar *define
      = g_strdup_printf ("DEFINE PRIMARY SCHEMA raw_cells FOR raw { TABLE '%s', ROW k, FAMILY 'f', "
                         "QUALIFIER q, VALUE v }",
                         table);
  g_autofree gchar *insert = g_strdup_printf ("INSERT INTO raw VALUES %s", rows);

  g_free (service_fixture_run (
      self, "DEFINE RELATION raw { k BYTES KEY, q BYTES KEY, v BYTES } WITH (writes = plain)"));
  g_free (service_fixture_run (self, define));
  g_free (service_fixture_run (self, insert));
  g_free (service_fixture_run (self, "DROP RELATION raw"));
}

#define FIVE "note: 5 cells of table \"t\" fit no layout; SHOW STATUS"

/* Five tuples, with a cell of another program before each. */
static void
define_mixture (ServiceFixture *self)
{
  write_raw (self, "t",
             "('x1', '', 'bad'), ('1', '', 'a'), ('x2', '', 'bad'), ('2', '', 'b'),"
             "('+3', '', 'bad'), ('3', '', 'c'), ('4', 'q', 'bad'), ('4', '', 'd'),"
             "('5', '', 'e'), ('05', '', 'bad')");
  assert_warning (self, "DEFINE RELATION r { k INT KEY, v STRING } WITH (writes = plain)", "");
  assert_warning (
      self, "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW text{k}, FAMILY 'f', VALUE v }",
      "note: 5 of the first 9 rows in table \"t\" fit schema \"s\", and 4 of their "
      "cells do not. Sample: table \"t\", row \"+3\", column \"f:\", value \"bad\": the "
      "row key does not fit ROW");
}

static void
test_answers (ServiceFixture *self, gconstpointer data)
{
  define_mixture (self);
  service_fixture_script (self,
                          "DEFINE RELATION one { k INT KEY } WITH (writes = plain);"
                          "DEFINE PRIMARY SCHEMA o FOR one { TABLE 'o', ROW k, FAMILY 'f' };"
                          "INSERT INTO one VALUES (3);"
                          "DEFINE RELATION copy { k INT KEY, v STRING } WITH (writes = plain);"
                          "DEFINE PRIMARY SCHEMA c FOR copy { TABLE 'c', ROW k, FAMILY 'f', "
                          "VALUE v }");
  assert_warning (self, "SELECT * FROM r", FIVE);
  assert_warning (self, "SELECT v FROM r ORDER BY v DESC", FIVE);
  assert_warning (self, "SELECT count(*) FROM r", FIVE);
  assert_warning (self, "SELECT v FROM r WHERE k = 2", "");
  assert_warning (self, "SELECT k FROM one", "");
  assert_warning (self, "SELECT one.k FROM one, r", FIVE);
  assert_warning (self, "SELECT one.k FROM r, one", FIVE);
  assert_warning (self, "SELECT k FROM one WHERE k IN (SELECT k FROM r)", FIVE);
  assert_warning (self, "SELECT k FROM one UNION ALL SELECT k FROM r", FIVE);
  assert_warning (self, "SELECT 1 EXCEPT (SELECT k FROM r UNION SELECT 2)", FIVE);
  assert_warning (self, "SELECT one.k FROM one JOIN (SELECT k FROM r LIMIT 100) AS x ON TRUE",
                  FIVE);
  assert_warning (self, "SELECT x.k FROM (SELECT k FROM r LIMIT 100) AS x, one", FIVE);
  assert_warning (self, "SELECT 1 UNION ALL SELECT one.k FROM one, r", FIVE);
  assert_warning (self, "INSERT INTO copy SELECT * FROM r", FIVE);
  assert_warning (self, "UPDATE r SET v = 'z' WHERE upper (v) = 'C'", FIVE);
  assert_warning (self, "DELETE FROM r WHERE upper (v) = 'Z'", FIVE);
  service_fixture_assert (self, "SELECT k FROM r ORDER BY k", "1\n2\n4\n5");
}

/* A lookup join reads its inner relation for some rows of the other one at a time. */
static void
test_lookup_join (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GString) cells = g_string_new (NULL);

  for (guint k = 1; k <= 1200; k++)
    g_string_append_printf (cells, "%s('%u', '', '%s')", k > 1 ? ", " : "", k,
                            k % 500 == 0 ? "bad" : "7");
  write_raw (self, "u", cells->str);
  service_fixture_script (
      self, "DEFINE RELATION r { k INT KEY, v INT } WITH (writes = plain);"
            "DEFINE PRIMARY SCHEMA s FOR r { TABLE 'u', ROW text{k}, FAMILY 'f', VALUE text{v} };"
            "DEFINE RELATION many { k INT KEY } WITH (writes = plain);"
            "DEFINE PRIMARY SCHEMA m FOR many { TABLE 'm', ROW ordered{k}, FAMILY 'f' };"
            "INSERT INTO many SELECT k FROM r; INSERT INTO many VALUES (500), (1000)");
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_LOOKUP;
  assert_warning (self, "SELECT v FROM many JOIN r ON r.k = many.k",
                  "note: 2 cells of table \"u\" fit no layout; SHOW STATUS");
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
}

/* Cells in pages of another daemon are counted, too; but that daemon had read ahead. */
static void
test_other_daemon (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *got = NULL;

  define_mixture (self);
  got = run_warned (self, "SELECT * FROM r", TRUE);
  g_assert_cmpstr (got, ==, "note: at least 5 cells of table \"t\" fit no layout; SHOW STATUS");
}

static void
test_one_cell (ServiceFixture *self, gconstpointer data)
{
  write_raw (self, "t", "('1', '', 'a'), ('x', '', 'b')");
  service_fixture_script (self, "DEFINE RELATION r { k INT KEY, v STRING } WITH (writes = plain);"
                                "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW text{k}, FAMILY "
                                "'f', VALUE v }");
  assert_warning (self, "SELECT * FROM r",
                  "note: 1 cell of table \"t\" fits no layout; SHOW STATUS");
}

/* ---- layouts that fit nothing */

/* Phoenix encodes its column names as numbers, by default. */
static void
test_phoenix (ServiceFixture *self, gconstpointer data)
{
  write_raw (self, "P",
             "('a', x'00', 'x'), ('a', x'800b', '1'), ('a', x'800c', 'text'),"
             "('b', x'00', 'x'), ('b', x'800b', '2')");
  service_fixture_script (
      self, "DEFINE RELATION p { id STRING KEY, n STRING, note STRING } WITH (writes = plain)");
  assert_warning (
      self,
      "DEFINE PRIMARY SCHEMA p_s FOR p { TABLE 'P', ROW id, FAMILY 'f', "
      "QUALIFIER attr_name[id], VALUE attr_value[id] } WITH (role = read)",
      "0 of the first 2 rows in table \"P\" fit schema \"p_s\". Sample: table \"P\", row "
      "\"a\", column \"f:\\x00\", value \"x\": the schema has no such column");
  service_fixture_assert (self, "SELECT * FROM p", "");
  assert_warning (self, "SELECT * FROM p",
                  "note: 5 cells of table \"P\" fit no layout; SHOW STATUS");
}

/* The salts are String.hashCode () % 8, and not the hash in the layout. */
static void
test_salt (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GString) rows = g_string_new (NULL);
  g_autofree gchar *warning = NULL;

  for (guint i = 0; i < 150; i++)
    {
      gchar *key = g_strdup_printf ("user%03u", i);
      guint32 hash = 0;

      for (const gchar *at = key; *at != '\0'; at++)
        hash = 31 * hash + (guint8)*at;
      /* the salt of murmur3 would be another one in most rows */
      g_string_append_printf (rows, "%s(x'%02x%02x%02x%02x%02x%02x%02x%02x', '', 'v')",
                              i > 0 ? ", " : "", 8 + hash % 8, key[0], key[1], key[2], key[3],
                              key[4], key[5], key[6]);
      g_free (key);
    }
  write_raw (self, "t", rows->str);
  service_fixture_script (self,
                          "DEFINE RELATION r { k STRING KEY, v STRING } WITH (writes = plain)");
  warning = run_warned (self,
                        "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW salt(16){k}:k, FAMILY 'f', "
                        "VALUE v } WITH (role = read)",
                        FALSE);
  g_test_message ("%s", warning);
  g_assert_nonnull (strstr (warning, " of the first 100 rows in table \"t\" fit schema \"s\""));
  g_assert_nonnull (strstr (warning, "what is derived does not follow from the rest"));
  g_free (g_steal_pointer (&warning));
  warning = run_warned (self, "SELECT count(*) FROM r", FALSE);
  g_assert_nonnull (strstr (warning, " cells of table \"t\" fit no layout; SHOW STATUS"));
}

/* The other cell of the row fits, so there is a tuple, with a NULL. */
static void
test_mixed_row (ServiceFixture *self, gconstpointer data)
{
  write_raw (self, "t",
             "('a', 'n', x'00000001'), ('a', 'm', '17'), ('b', 'n', '2'),"
             "('b', 'm', x'00000002')");
  service_fixture_script (self,
                          "DEFINE RELATION r { k STRING KEY, n INT, m INT } WITH (writes = plain)");
  assert_warning (
      self,
      "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW k, FAMILY 'f', QUALIFIER "
      "attr_name[k], VALUE attr_value[k] }",
      "note: 2 of the first 2 rows in table \"t\" fit schema \"s\", and 2 of their cells "
      "do not. Sample: table \"t\", row \"a\", column \"f:m\", value \"17\": the value "
      "does not fit VALUE");
  service_fixture_assert (self, "SELECT * FROM r ORDER BY k", "a|1|NULL\nb|NULL|2");
  assert_warning (self, "SELECT * FROM r",
                  "note: 2 cells of table \"t\" fit no layout; SHOW STATUS");
}

static void
test_fitting (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GString) rows = g_string_new (NULL);

  for (guint i = 0; i < 150; i++)
    g_string_append_printf (rows, "%s('%u', '', 'v')", i > 0 ? ", " : "", i);
  write_raw (self, "t", rows->str);
  service_fixture_script (self,
                          "DEFINE RELATION r { k STRING KEY, v STRING } WITH (writes = plain)");
  assert_warning (self, "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW k, FAMILY 'f', VALUE v }",
                  "note: 100 of the first 100 rows in table \"t\" fit schema \"s\"");
  /* nothing was done */
  assert_warning (self,
                  "DEFINE PRIMARY SCHEMA IF NOT EXISTS s FOR r { TABLE 't', ROW k, FAMILY 'f', "
                  "VALUE v }",
                  "note: schema \"s\" exists already, nothing was done");
  assert_warning (self, "SELECT * FROM r", "");
}

/* ---- rows outside the key range */

#define ZZ                                                                                         \
  "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW 'zz':a, FAMILY 'f', VALUE v } WITH (role = "     \
  "read)"

static void
write_rows (ServiceFixture *self, const gchar *prefix, guint n)
{
  g_autoptr (GString) rows = g_string_new (NULL);

  for (guint i = 1; i <= n; i++)
    g_string_append_printf (rows, "%s('%s%u', '', 'v%u')", i > 1 ? ", " : "", prefix, i, i);
  write_raw (self, "t", rows->str);
  service_fixture_script (self,
                          "DEFINE RELATION r { a STRING KEY, v STRING } WITH (writes = plain)");
}

/* A wrong constant in ROW: no row of the table can fit. */
static void
test_outside (ServiceFixture *self, gconstpointer data)
{
  write_rows (self, "row", 300);
  assert_warning (self, ZZ,
                  "0 of the first 100 rows in table \"t\" fit schema \"s\": none is in its key "
                  "range. Sample: table \"t\", row \"row1\", column \"f:\", value \"v1\": the row "
                  "key does not fit ROW");
  service_fixture_assert (self, "SELECT * FROM r", "");
}

/* One row in the key range is enough. */
static void
test_inside (ServiceFixture *self, gconstpointer data)
{
  write_raw (self, "t", "('zz', '', 'x')");
  write_rows (self, "row", 300);
  assert_warning (self, ZZ, "note: 1 of the first 1 rows in table \"t\" fit schema \"s\"");
}

static void
test_empty_table (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self,
                          "DEFINE RELATION r { a STRING KEY, v STRING } WITH (writes = plain)");
  assert_warning (self, ZZ, "");
  /* a table that was emptied */
  write_raw (self, "t", "('row1', '', 'x')");
  service_fixture_script (self,
                          "DROP RELATION r;"
                          "DEFINE RELATION q { a STRING KEY, v STRING } WITH (writes = plain);"
                          "DEFINE PRIMARY SCHEMA s FOR q { TABLE 't', ROW a, FAMILY 'f', VALUE v };"
                          "DELETE FROM q; DROP RELATION q;"
                          "DEFINE RELATION r { a STRING KEY, v STRING } WITH (writes = plain)");
  assert_warning (self, ZZ, "");
}

/* Rows in the key range of another schema belong to it, also those that it cannot read. */
static void
test_shared (ServiceFixture *self, gconstpointer data)
{
  write_rows (self, "row", 300);
  service_fixture_script (
      self, "DEFINE RELATION other { a INT KEY, v INT } WITH (writes = plain);"
            "DEFINE PRIMARY SCHEMA o FOR other { TABLE 't', ROW 'row':text{a}, FAMILY 'f', "
            "VALUE v } WITH (role = read)");
  assert_warning (self, ZZ, "");
}

/* Other rows are before, between and after those of another schema. */
static void
test_between (ServiceFixture *self, gconstpointer data)
{
  write_rows (self, "row", 300);
  service_fixture_script (
      self, "DEFINE RELATION other { a STRING KEY, v STRING } WITH (writes = plain);"
            "DEFINE PRIMARY SCHEMA o FOR other { TABLE 't', ROW 'row1':a, FAMILY 'f', VALUE v } "
            "WITH (role = read);"
            "DEFINE RELATION third { a STRING KEY, v STRING } WITH (writes = plain);"
            "DEFINE PRIMARY SCHEMA t FOR third { TABLE 't', ROW 'row3':a, FAMILY 'f', VALUE v } "
            "WITH (role = read)");
  assert_warning (self, ZZ,
                  "0 of the first 100 rows in table \"t\" fit schema \"s\": none is in its key "
                  "range. Sample: table \"t\", row \"row2\", column \"f:\", value \"v2\": the row "
                  "key does not fit ROW");
}

/* Another schema without a bound owns the rows that it can read. */
static void
test_unbounded (ServiceFixture *self, gconstpointer data)
{
  write_raw (self, "t", "('!', '', 'no number')");
  write_rows (self, "row", 50);
  service_fixture_script (self,
                          "DEFINE RELATION other { a STRING KEY, v STRING } WITH (writes = plain);"
                          "DEFINE PRIMARY SCHEMA o FOR other { TABLE 't', ROW a, FAMILY 'f', "
                          "VALUE regexp('v[0-9]+'){v} } WITH (role = read)");
  assert_warning (self, ZZ,
                  "0 of the first 1 rows in table \"t\" fit schema \"s\": none is in its key "
                  "range. Sample: table \"t\", row \"!\", column \"f:\", value \"no number\": the "
                  "row key does not fit ROW");
}

/* A schema that kvsqld fills itself says nothing of the rows of others. */
static void
test_secondary (ServiceFixture *self, gconstpointer data)
{
  write_rows (self, "row", 3);
  service_fixture_script (
      self, "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW a, FAMILY 'f', VALUE v }");
  assert_warning (self, "DEFINE SCHEMA s FOR r { TABLE 't', ROW 'zz':a, FAMILY 'f', VALUE v }", "");
}

/* ---- main */

int
main (int argc, char **argv)
{
  static const ServiceFixtureTest tests[] = {
    { "answers", test_answers },
    { "one-cell", test_one_cell },
    { "phoenix", test_phoenix },
    { "salt", test_salt },
    { "lookup-join", test_lookup_join },
    { "mixed-row", test_mixed_row },
    { "fitting", test_fitting },
    { "outside", test_outside },
    { "inside", test_inside },
    { "empty-table", test_empty_table },
    { "shared", test_shared },
    { "between", test_between },
    { "unbounded", test_unbounded },
    { "secondary", test_secondary },
    { "other-daemon", test_other_daemon }, /* not where nothing is stored */
  };

  g_test_init (&argc, &argv, NULL);
  service_fixture_add_tests ("/daemon/undecodable", NULL, tests, G_N_ELEMENTS (tests) - 1);
  service_fixture_add_tests ("/daemon/undecodable", "rocksdb", tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/daemon/undecodable", "hbase", tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
