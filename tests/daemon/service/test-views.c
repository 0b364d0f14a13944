/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-views.c: views on a running service: who sees a change, and what depends on what.
 */
#include "config.h"

#include <string.h>

#include "tests/harness/service-fixture.h"

#define DEFINE_R                                                                                   \
  "CREATE TABLE r (a INT PRIMARY KEY, b INT, c TEXT);"                                             \
  "INSERT INTO r VALUES (1, 10, 'x'), (2, 20, 'y'), (3, 30, 'x')"

static void
test_use (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R);
  service_fixture_script (
      self, "CREATE VIEW v AS SELECT a, b * 2 AS d FROM r WHERE b > 10;"
            "CREATE VIEW w (p, q) AS WITH z AS (SELECT * FROM v) SELECT a, d FROM z;"
            "CREATE VIEW g AS SELECT c, count(*) AS n, sum(b) AS b FROM r GROUP BY c");
  service_fixture_assert (self, "SELECT * FROM w ORDER BY p", "2|40\n3|60");
  service_fixture_assert (self, "SELECT x.q, y.p FROM w AS x JOIN w AS y USING (p) ORDER BY 1",
                          "40|2\n60|3");
  service_fixture_assert (self, "SELECT n FROM g WHERE c = 'x'", "2");
  service_fixture_assert (self, "SELECT a FROM r WHERE a IN (SELECT p FROM w WHERE q > 40)", "3");
  service_fixture_assert (
      self,
      "SELECT (SELECT max(q) FROM w WHERE w.p = r.a) FROM r WHERE EXISTS (SELECT 1 FROM v "
      "WHERE v.a = r.a) ORDER BY 1",
      "40\n60");
  service_fixture_script (self, "INSERT INTO r SELECT p + 10, q, 'v' FROM w;"
                                "DELETE FROM r WHERE a IN (SELECT a FROM v WHERE d = 120);"
                                "UPDATE r SET c = (SELECT max(c) FROM g) WHERE a = 1");
  service_fixture_assert (self, "SELECT * FROM r ORDER BY a", "1|10|y\n2|20|y\n3|30|x\n12|40|v");
  service_fixture_assert (self, "DESCRIBE g",
                          "c|STRING|yes|r\nn|BIGINT|no|NULL\nb|BIGINT|yes|NULL");
  service_fixture_assert (self, "SHOW CREATE w",
                          "CREATE VIEW w (p, q) AS WITH z AS (SELECT * FROM v) SELECT a, d FROM "
                          "z");
}

/* Plans of statements without parameters are kept. */
static void
test_kept_plans (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R);
  service_fixture_script (self,
                          "CREATE VIEW v AS SELECT a FROM r WHERE b IN (SELECT max(b) FROM r)");
  for (guint i = 0; i < 4; i++)
    service_fixture_assert (self, "SELECT a FROM v", "3");
  service_fixture_script (self, "INSERT INTO r VALUES (4, 40, 'z')");
  service_fixture_assert (self, "SELECT a FROM v", "4");
  service_fixture_script (self, "CREATE OR REPLACE VIEW v AS SELECT a FROM r WHERE b < 20");
  service_fixture_assert (self, "SELECT a FROM v", "1");
}

static void
assert_executed (ServiceFixture *self, gint64 id, gint64 parameter, const gchar *expected)
{
  const KvsqlValue value = { .type = KVSQL_TYPE_BIGINT, .integer = parameter };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_execute (self->service, NULL, id, &value, 1, &error);
  g_autoptr (GString) rows = g_string_new (NULL);

  g_assert_no_error (error);
  service_fixture_append_page (page, rows);
  g_assert_cmpstr (rows->str, ==, expected);
}

static void
test_prepared (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (KvsqldPrepared) prepared = NULL;
  g_autoptr (GError) error = NULL;
  const KvsqlValue one = { .type = KVSQL_TYPE_BIGINT, .integer = 1 };

  service_fixture_script (self, DEFINE_R);
  service_fixture_script (self, "CREATE VIEW v AS SELECT a, b FROM r");
  prepared = kvsqld_service_prepare (self->service, NULL,
                                     kvsql_slice_from_text ("SELECT b FROM v WHERE a = ?"), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    assert_executed (self, prepared->id, 2, "20");
  service_fixture_script (self, "CREATE OR REPLACE VIEW v AS SELECT a, b * 100 AS b FROM r");
  assert_executed (self, prepared->id, 2, "2000");
  service_fixture_script (self, "DROP VIEW v");
  g_assert_null (kvsqld_service_execute (self->service, NULL, prepared->id, &one, 1, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME);
  g_clear_error (&error);
  service_fixture_script (self, "CREATE TABLE v (a INT PRIMARY KEY, b INT);"
                                "INSERT INTO v VALUES (2, 7)");
  assert_executed (self, prepared->id, 2, "7");
}

static void
test_dependencies (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R);
  service_fixture_script (self, "CREATE VIEW v AS SELECT a, b FROM r;"
                                "CREATE VIEW w AS SELECT a FROM v UNION SELECT 7;"
                                "CREATE VIEW apart AS SELECT 1 AS one;"
                                "CREATE VIEW deep AS SELECT one FROM apart WHERE EXISTS (SELECT 1 "
                                "FROM w)");
  service_fixture_assert_fails (self, "DROP TABLE r", KVSQL_ERROR_INVALID,
                                "relation \"r\" is used by view \"v\"");
  service_fixture_assert_fails (self, "DROP VIEW w RESTRICT", KVSQL_ERROR_INVALID,
                                "view \"w\" is used by view \"deep\"");
  service_fixture_assert_fails (self, "ALTER RELATION r DROP b", KVSQL_ERROR_INVALID,
                                "attribute \"b\" is used by view \"v\"");
  service_fixture_assert_fails (self,
                                "CREATE OR REPLACE VIEW v AS SELECT a, a + 1 AS b FROM deep, "
                                "r",
                                KVSQL_ERROR_INVALID, "view \"v\" would read itself");
  service_fixture_script (self, "ALTER TABLE r ADD COLUMN e INT; ALTER TABLE r DROP COLUMN c");
  service_fixture_assert (self, "SELECT count(*) FROM deep", "1");
  service_fixture_script (self, "DROP VIEW v CASCADE");
  service_fixture_assert (self, "SHOW VIEWS", "apart||CREATE VIEW apart AS SELECT 1 AS one");
  service_fixture_script (self, "DROP VIEW apart; DROP TABLE r");
}

static void
test_reopened (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, "CREATE VIEW `Odd name` (`A b`, c) AS SELECT 'it''s\n a line', 2");
  service_fixture_reopen (self);
  service_fixture_assert (self, "SELECT `A b`, c FROM `Odd name`", "it's\n a line|2");
  service_fixture_assert_fails (self, "SELECT 1 FROM `odd name`", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation \"odd name\" does not exist");
}

static void
test_other_daemon (ServiceFixture *self, gconstpointer data)
{
  ServiceFixture other = { 0 };
  KvsqldStatus ours, theirs;

  service_fixture_open_another (&other, self);
  service_fixture_script (self, "CREATE VIEW v AS SELECT 5 AS five");
  kvsqld_service_get_status (self->service, &ours);
  for (guint i = 0; i < 1000; i++)
    {
      gint64 epoch;

      kvsqld_service_get_status (other.service, &theirs);
      epoch = theirs.epoch;
      kvsqld_status_clear (&theirs);
      if (epoch >= ours.epoch)
        break;
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
  kvsqld_status_clear (&ours);
  service_fixture_assert (&other, "SELECT five FROM v", "5");
  service_fixture_close (&other);
}

/* Views over views double the text of the statement at each level. */
static void
test_limits (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint n;

  service_fixture_script (self, "CREATE VIEW d0 AS SELECT 1 AS a");
  for (n = 1; n < 30; n++)
    {
      g_autofree gchar *sql = g_strdup_printf (
          "CREATE VIEW d%u AS SELECT x.a FROM d%u AS x CROSS JOIN d%u AS y", n, n - 1, n - 1);
      KvsqlResultPage *page = kvsqld_service_query (self->service, NULL,
                                                    kvsql_slice_from_text (sql), NULL, 0, &error);

      if (page == NULL)
        break;
      kvsql_result_page_free (page);
    }
  g_assert_cmpuint (n, >, 3);
  g_assert_cmpuint (n, <, 30);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_clear_error (&error);
  service_fixture_script (self, "CREATE VIEW e0 AS SELECT 1 AS a");
  for (n = 1; n < 300; n++)
    {
      g_autofree gchar *sql = g_strdup_printf ("CREATE VIEW e%u AS SELECT a FROM e%u", n, n - 1);
      KvsqlResultPage *page = kvsqld_service_query (self->service, NULL,
                                                    kvsql_slice_from_text (sql), NULL, 0, &error);

      if (page == NULL)
        break;
      kvsql_result_page_free (page);
    }
  g_assert_cmpuint (n, >, 20);
  g_assert_cmpuint (n, <, 300);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
}

#define ADD(name, store, test)                                                                     \
  g_test_add ("/views/" name, ServiceFixture, store, service_fixture_set_up, test,                 \
              service_fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("use", NULL, test_use);
  ADD ("kept-plans", NULL, test_kept_plans);
  ADD ("prepared", NULL, test_prepared);
  ADD ("dependencies", NULL, test_dependencies);
  ADD ("reopened", NULL, test_reopened);
  ADD ("other-daemon", NULL, test_other_daemon);
  ADD ("limits", NULL, test_limits);
  return g_test_run ();
}
