/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-quoted-names.c: in a query a double-quoted word is a name, wherever a name is allowed.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

static void
open_service (ServiceFixture *self)
{
  service_fixture_open (self, NULL);
  service_fixture_script (
      self, "DEFINE RELATION t { k INT KEY, s STRING, m MAP<STRING, INT> };"
            "DEFINE PRIMARY SCHEMA t_k FOR t { TABLE 't', ROW k, FAMILY 'f', QUALIFIER "
            "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
            "DEFINE SCHEMA t_s FOR t { TABLE 't_s', ROW suffix(x'00'){s}:k, FAMILY 'f', VALUE "
            "json{m} };"
            "INSERT INTO t VALUES (1, 's', '{\"a\": 1}'), (2, 'b', NULL), (3, 'c', NULL);"
            /* names that differ in case only */
            "DEFINE RELATION `Two` { k INT KEY, `Day` STRING, `DAY` STRING, day STRING };"
            "DEFINE PRIMARY SCHEMA `Two_k` FOR `Two` { TABLE 'two', ROW k, FAMILY 'f', VALUE "
            "size{`Day`}:size{`DAY`}:day };"
            "INSERT INTO `Two` VALUES (1, 'Day', 'DAY', 'day')");
}

typedef struct
{
  const gchar *sql;
  const gchar *rows;
} Case;

static void
check (ServiceFixture *self, const Case *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *rows = service_fixture_run (self, cases[i].sql);

      if (g_strcmp0 (rows, cases[i].rows) != 0)
        g_test_message ("%s", cases[i].sql);
      g_assert_cmpstr (rows, ==, cases[i].rows);
    }
}

static void
test_queries (void)
{
  static const Case cases[] = {
    { "SELECT \"s\" FROM \"t\" WHERE \"k\" = 2", "b" },
    { "SELECT t.\"s\" FROM t WHERE \"t\".k = 2", "b" },
    { "SELECT \"K\" FROM \"T\" WHERE \"S\" = 's'", "1" },
    { "SELECT \"a\".k FROM t AS \"a\" WHERE a.k > 2", "3" },
    { "SELECT \"s\" || 'x' FROM t USING SCHEMA \"t_s\" WHERE \"s\" = 'b'", "bx" },
    { "SELECT \"x\".k FROM t \"x\", t \"y\" WHERE \"x\".k = \"y\".\"k\" AND y.s = 'c'", "3" },
    { "SELECT count(*) FROM t WHERE s IN (SELECT \"s\" FROM t WHERE \"k\" < 3)", "2" },
    { "SELECT \"m\"['a'] FROM t WHERE k = 1", "1" },
    { "SELECT \"upper\"(s) FROM t WHERE k = 2", "B" },
    { "SELECT extract(\"year\" FROM DATE '2024-02-29')", "2024" },
    { "SELECT \"s\", count(*) AS \"n\" FROM t GROUP BY \"s\" HAVING count(*) = 1 ORDER BY \"n\", "
      "\"s\"",
      "b|1\nc|1\ns|1" },
    /* a quote inside */
    { "SELECT k AS \"a\"\"b\" FROM t WHERE k > 1 ORDER BY \"a\"\"b\" DESC", "3\n2" },
    /* text in a text, in the type's own form */
    { "SELECT k FROM t WHERE m = '{\"a\":1}'", "1" },
  };
  ServiceFixture fixture;

  open_service (&fixture);
  check (&fixture, cases, G_N_ELEMENTS (cases));
  service_fixture_close (&fixture);
}

/* With parameters, and often enough that the plan is cached. */
static void
test_prepared (void)
{
  static const gchar *const statements[] = { "SELECT \"s\" FROM \"t\" WHERE \"k\" = ?",
                                             "SELECT \"S\" FROM t WHERE \"K\" = :k AND 'k' = 'k'" };
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint i = 0; i < 3 * G_N_ELEMENTS (statements); i++)
    {
      const gchar *sql = statements[i % G_N_ELEMENTS (statements)];
      KvsqlValue two = { .type = KVSQL_TYPE_BIGINT, .integer = 2 };
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
          fixture.service, NULL, kvsql_slice_from_text (sql), &two, 1, &error);
      g_autoptr (GString) rows = g_string_new (NULL);

      g_assert_no_error (error);
      service_fixture_append_page (page, rows);
      g_assert_cmpstr (rows->str, ==, "b");
    }
  service_fixture_close (&fixture);
}

/* First the exact spelling; then without regard to case, if only one name matches. */
static void
test_spelling (void)
{
  static const Case cases[] = {
    { "SELECT \"Day\", \"DAY\", \"day\" FROM \"Two\"", "Day|DAY|day" },
    { "SELECT \"K\" FROM \"two\"", "1" },
    { "SELECT \"k\" FROM `Two` USING SCHEMA \"two_K\"", "1" },
    { "UPDATE `Two` SET \"DAY\" = 'x' RETURNING \"Day\", \"DAY\", \"day\"",
      "Day|x|day\n1 affected" },
    /* an attribute with this spelling comes before an alias with another one, and the other way
     * round */
    { "SELECT k AS \"S\" FROM t WHERE k < 3 ORDER BY \"s\"", "2\n1" },
    { "SELECT k AS \"S\" FROM t WHERE k < 3 ORDER BY \"S\"", "1\n2" },
    { "SELECT k % 2 AS \"S\", count(*) FROM t GROUP BY \"S\" ORDER BY 1", "0|1\n1|2" },
  };
  ServiceFixture fixture;

  open_service (&fixture);
  check (&fixture, cases, G_N_ELEMENTS (cases));
  service_fixture_assert_fails (&fixture, "SELECT \"dAY\" FROM `Two`", KVSQL_ERROR_INVALID,
                                "attribute \"dAY\" of relation \"Two\" is ambiguous");
  service_fixture_close (&fixture);
}

static void
test_writes (void)
{
  static const Case cases[] = {
    { "DELETE FROM t WHERE \"s\" = 's' RETURNING \"k\"", "1\n1 affected" },
    { "DELETE FROM \"t\" AS \"x\" WHERE \"x\".\"s\" = 'none'", "0 affected" },
    { "SELECT count(*) FROM t", "2" },
    { "UPDATE \"t\" SET \"s\" = 'z' WHERE \"k\" = 2 RETURNING \"s\"", "z\n1 affected" },
    { "UPDATE t SET \"m\"['a'] = 5, m['b'] = 6 WHERE k = 2 RETURNING m",
      "{\"a\":5,\"b\":6}\n1 affected" },
    { "INSERT INTO \"t\" (\"k\", \"s\") VALUES (2, 'q') ON CONFLICT (\"k\") DO UPDATE SET \"s\" = "
      "\"excluded\".\"s\" WHERE t.\"k\" = 2 RETURNING \"s\" AS \"r\"",
      "q\n1 affected" },
    { "INSERT INTO t (k, s) SELECT \"k\" + 10, \"s\" FROM \"t\" WHERE \"k\" = 3", "1 affected" },
    { "SELECT \"s\" FROM t WHERE k = 13", "c" },
  };
  ServiceFixture fixture;

  open_service (&fixture);
  check (&fixture, cases, G_N_ELEMENTS (cases));
  service_fixture_close (&fixture);
}

/* Names of objects, which cannot be text. */
static void
test_other_statements (void)
{
  static const Case cases[] = {
    { "SHOW SCHEMAS FOR \"two\"", "Two_k|Two|yes|'two'|k|readable|" },
    { "RESTORE RELATION \"two\" TO VERSION 4", "" },
    { "DROP RELATION \"two\"", "" },
    { "DROP RELATION IF EXISTS \"two\"", "" },
  };
  ServiceFixture fixture;

  open_service (&fixture);
  g_free (service_fixture_run (&fixture, "DESCRIBE \"T\""));
  g_free (service_fixture_run (&fixture, "ANALYZE \"T\""));
  g_free (service_fixture_run (&fixture, "SHOW CREATE \"Two\""));
  g_free (service_fixture_run (&fixture, "EXPLAIN ANALYZE SELECT \"k\" FROM \"t\""));
  {
    g_autofree gchar *history = service_fixture_run (&fixture, "SHOW HISTORY FOR \"two\"");
    g_assert_cmpstr (history, !=, "");
  }
  check (&fixture, cases, G_N_ELEMENTS (cases));
  service_fixture_close (&fixture);
}

/* In a definition, both quotes are for text. */
static void
test_definitions (void)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture, "DEFINE RELATION r { k INT KEY, s STRING DEFAULT \"d\" COMMENT \"c\" };"
                "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE \"r\", ROW k, FAMILY \"f\", QUALIFIER "
                "attr_name[\"k\"], VALUE attr_value[\"k\"] } WITH (marker = \"m\");"
                "ALTER RELATION r ADD b STRING DEFAULT \"e\" COMMENT \"c\";"
                "COMMENT ON RELATION r IS \"a relation\";"
                "INSERT INTO r (k) VALUES (1)");
  service_fixture_assert (&fixture, "SELECT * FROM r", "1|d|e");
  service_fixture_close (&fixture);
}

static void
test_errors (void)
{
  static const struct
  {
    const gchar *sql;
    gint at;
    const gchar *message;
    const gchar *hint;
  } cases[] = {
    { "DELETE FROM t WHERE s = \"hello\"", 24,
      "attribute \"hello\" does not exist in relation \"t\"",
      "Text is written in single quotes: 'hello'." },
    { "SELECT k FROM t WHERE s = \"ss\"", 26, "attribute \"ss\" does not exist in relation \"t\"",
      "Did you mean \"s\"? Text is written in single quotes: 'ss'." },
    { "SELECT x.k FROM t x, t y WHERE x.s = \"it's\"", 37, "none of x, y has an attribute \"it's\"",
      "Text is written in single quotes: 'it''s'." },
    { "SELECT \"hello\"", 7, "there is no FROM whose attribute \"hello\" could be",
      "Say FROM which relation, or put text in single quotes: 'hello'." },
    { "INSERT INTO t VALUES (1, \"hello\", NULL)", 25,
      "a value is needed here, not the name \"hello\"", "Put text in single quotes: 'hello'." },
    { "SELECT k FROM t WHERE s = \"\"", 26, "empty double-quoted name",
      "Text is written in single quotes: ''." },
    { "SELECT k FROM t WHERE s = \"x", 26, "unterminated double-quoted name",
      "Close it with \"; a quote inside is written twice. Text is written in single quotes." },
    { "SELECT k FROM t WHERE s = DATE \"2024-02-29\"", 31,
      "syntax error at or near \"\"2024-02-29\"\", expected the end of the statement",
      "In a query \"…\" is a name. Text is written in single quotes." },
    { "SELECT k FROM 't'", 14, "syntax error at or near \"'t'\", expected the name of a relation",
      "Names are written bare, in double quotes or in back-quotes; single quotes make text." },
    { "UPDATE t SET 's' = 1", 13,
      "syntax error at or near \"'s'\", expected the name of an attribute",
      "Names are written bare, in double quotes or in back-quotes; single quotes make text." },
    { "DEFINE RELATION \"t2\" { k INT KEY }", 16,
      "syntax error at or near \"\"t2\"\", expected the name of a relation",
      "Names are written bare or in back-quotes; in a definition both quotes make text." },
  };
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = service_fixture_fail (&fixture, cases[i].sql);

      g_assert_cmpstr (error->message, ==, cases[i].message);
      g_assert_cmpstr (kvsql_error_get_hint (error), ==, cases[i].hint);
      g_assert_cmpint (kvsql_error_get_span (error).offset, ==, cases[i].at);
    }
  service_fixture_assert (&fixture, "SELECT count(*) FROM t", "3");
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quoted-names/queries", test_queries);
  g_test_add_func ("/quoted-names/prepared", test_prepared);
  g_test_add_func ("/quoted-names/spelling", test_spelling);
  g_test_add_func ("/quoted-names/writes", test_writes);
  g_test_add_func ("/quoted-names/other-statements", test_other_statements);
  g_test_add_func ("/quoted-names/definitions", test_definitions);
  g_test_add_func ("/quoted-names/errors", test_errors);
  return g_test_run ();
}
