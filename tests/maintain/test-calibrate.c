/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-calibrate.c: CALIBRATE, and plans with its result.
 */
#include "config.h"

#include <string.h>

#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"

#define MAX_ATTEMPTS 5

static const gchar measured[] = "request=1 range=0 get=4 get_byte=0.002 cell=0.25 byte=0.001 put=4 "
                                "remove=4 unit_us=2.5";

/* As if they were measured. */
static void
set_costs (ServiceFixture *self)
{
  KvsqldDefinitions *definitions = self->service->definitions;
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions);
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + G_TIME_SPAN_MINUTE };
  const KvsqlDefinitionChange change = { .kind = KVSQL_DEFINITION_COSTS,
                                         .name = self->service->store->klass->name,
                                         .text = measured };
  g_autoptr (GError) error = NULL;
  gboolean ok = kvsqld_definitions_commit (definitions, catalog, &change, 1, NULL, &call, &error);

  g_assert_no_error (error);
  g_assert_true (ok);
}

/* NULL: the times were too uneven, as on a machine with much other work. Then nothing is kept. */
static gchar *
calibrate (ServiceFixture *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->service, NULL, kvsql_slice_from_text ("CALIBRATE"), NULL, 0, &error);
  GString *out;

  if (page == NULL)
    {
      g_test_message ("%s", error->message);
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
      g_assert_nonnull (strstr (error->message, "are not kept"));
      return NULL;
    }
  out = g_string_new (NULL);
  service_fixture_append_page (page, out);
  return g_string_free (out, FALSE);
}

static void
assert_in (ServiceFixture *self, const gchar *sql, const gchar *what, gboolean is_there)
{
  g_autofree gchar *got = service_fixture_run (self, sql);

  if ((strstr (got, what) != NULL) != is_there)
    g_error ("\"%s\" is%s in:\n%s", what, is_there ? " not" : "", got);
}

static void
assert_measured (const gchar *got)
{
  static const gchar *const names[] = { "request|",
                                        "\nrange of a scan|",
                                        "\nrow of a scan|",
                                        "\nfurther cell|",
                                        "\n1,000 bytes of a scan|",
                                        "\nrow by key|",
                                        "\n1,000 bytes by key|",
                                        "\nrow written|",
                                        "\nrow deleted|" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strstr (got, names[i]) == NULL)
      g_error ("\"%s\" is not in:\n%s", names[i], got);
}

/* A table that a killed daemon has left, and two that are to stay. */
static const gchar *const tables[]
    = { "kvsql_calibration_0000000001_0a1b2c3d", "kvsql_calibration_0fffffffff_0a1b2c3d",
        "kvsql_calibration_0000000001_mine" };

static void
make_tables (KvsqlStore *store)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + G_TIME_SPAN_MINUTE };
  const KvsqlSlice family = KVSQL_SLICE_LITERAL ("f");

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      const KvsqlTableSpec spec
          = { .name = kvsql_slice_from_text (tables[i]), .families = &family, .n_families = 1 };
      const KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT,
                                  .table = spec.name,
                                  .row = family,
                                  .family = family,
                                  .qualifier = family,
                                  .value = family,
                                  .timestamp = 1 };
      g_autoptr (GError) error = NULL;
      gboolean ok = kvsql_store_ensure_table (store, &spec, &call, NULL, &error)
                    && kvsql_store_apply (store, &put, 1, &call, &error);

      g_assert_no_error (error);
      g_assert_true (ok);
    }
}

static void
test_left (ServiceFixture *self, gconstpointer store)
{
  g_autofree gchar *shown = NULL;

  make_tables (self->service->store);
  g_free (calibrate (self));
  shown = service_fixture_run (self, "SHOW TABLES LIKE 'kvsql_calibration_%'");
  g_assert_null (strstr (shown, tables[0]));
  g_assert_nonnull (strstr (shown, tables[1]));
  g_assert_nonnull (strstr (shown, tables[2]));
}

static void
test_measured (ServiceFixture *self, gconstpointer store)
{
  g_autofree gchar *got = NULL;

  service_fixture_script (self, "CREATE TABLE t (k INT PRIMARY KEY, v STRING)");
  for (guint i = 0; i < MAX_ATTEMPTS && got == NULL; i++)
    {
      assert_in (self, "EXPLAIN SELECT * FROM t", " ms", FALSE);
      got = calibrate (self);
      assert_in (self, "SHOW TABLES", "kvsql_calibration", FALSE);
    }
  if (got != NULL)
    assert_measured (got);
  assert_in (self, "EXPLAIN SELECT * FROM t", " ms, 1,000,000 rows assumed", got != NULL);
  assert_in (self, "SHOW STATUS", "measured costs of the store|request=", got != NULL);
}

/* The registry keeps the costs, and EXPLAIN has milliseconds. */
static void
test_kept (void)
{
  ServiceFixture fixture;

  service_fixture_open (&fixture, "rocksdb");
  service_fixture_script (&fixture, "CREATE TABLE t (k INT PRIMARY KEY, v STRING);"
                                    "CREATE TABLE u (k INT PRIMARY KEY, v STRING)");
  assert_in (&fixture, "EXPLAIN SELECT * FROM t", " ms", FALSE);
  assert_in (&fixture, "EXPLAIN (FORMAT JSON) SELECT * FROM t", "cost_ms", FALSE);
  set_costs (&fixture);
  for (guint i = 0; i < 2; i++)
    {
      assert_in (&fixture, "EXPLAIN SELECT * FROM t", " ms, 1,000,000 rows assumed", TRUE);
      assert_in (&fixture, "EXPLAIN (FORMAT JSON) SELECT * FROM t", "cost_ms", TRUE);
      assert_in (&fixture, "EXPLAIN SELECT * FROM t JOIN u ON t.k = u.k", " ms, about ", TRUE);
      assert_in (&fixture, "EXPLAIN (FORMAT JSON) SELECT * FROM t JOIN u ON t.k = u.k", "cost_ms",
                 TRUE);
      service_fixture_reopen (&fixture);
    }
  service_fixture_close (&fixture);
}

/* The bytes of a row count, if they are known: the narrow schema wins although both are as long. */
static void
test_bytes (void)
{
  static const gchar sql[] = "EXPLAIN SELECT b FROM r";
  g_autofree gchar *plain = NULL, *by_bytes = NULL;
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  service_fixture_script (
      &fixture, "DEFINE RELATION r { k INT KEY, a STRING, b INT };"
                "DEFINE PRIMARY SCHEMA wide FOR r { TABLE 'wide', ROW k, FAMILY 'f', VALUE "
                "size(2){a}:b };"
                "DEFINE SCHEMA narrow FOR r { TABLE 'narrow', ROW b:k, FAMILY 'f' };"
                "INSERT INTO r SELECT i, repeat ('x', 3000), i FROM generate_series (1, 50) AS s "
                "(i);"
                "ANALYZE r");
  plain = service_fixture_run (&fixture, sql);
  g_assert_nonnull (strstr (plain, "read from schema wide (cost 51, about 50 rows)"));
  set_costs (&fixture);
  by_bytes = service_fixture_run (&fixture, sql);
  g_assert_nonnull (strstr (by_bytes, "read from schema narrow (cost 52, about 0.13 ms, about 50"));
  service_fixture_close (&fixture);
}

static void
test_text (void)
{
  static const gchar *const damaged[]
      = { "",
          "request=1",
          "request=1 range=0 get=4 get_byte=0.002 cell=0.25 byte=0 put=4 remove=4 unit_us=0",
          "request=1 range=0 get=4 get_byte=0.002 cell=0.25 byte=0 put=4 remove=4 unit_us=nan",
          "request=1 range=0 get=4 get_byte=0.002 cell=0.25 byte=0 put=4 remove=4 unit_us=1e300",
          "request=-1 range=0 get=4 get_byte=0.002 cell=0.25 byte=0 put=4 remove=4 unit_us=1",
          "request= range=0 get=4 get_byte=0.002 cell=0.25 byte=0 put=4 remove=4 unit_us=1",
          "request=1x range=0 get=4 get_byte=0.002 cell=0.25 byte=0 put=4 remove=4 unit_us=1" };
  const KvsqlStoreCosts costs = { 31.5, 2.25, 24.75, 0.002, 0.1, 1.0 / 3, 40, 0, 0.121 };
  g_autofree gchar *text = kvsql_store_costs_print (&costs);
  g_autoptr (GError) error = NULL;
  KvsqlStoreCosts again;

  g_assert_true (kvsql_store_costs_parse (text, &again, &error));
  g_assert_cmpmem (&costs, sizeof costs, &again, sizeof again);
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_assert_false (kvsql_store_costs_parse (damaged[i], &again, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
      g_clear_error (&error);
    }
}

static void
test_refused (void)
{
  static const KvsqldRequest request = { .is_read_only = TRUE };
  g_autoptr (GError) error = NULL;
  ServiceFixture fixture;

  service_fixture_open (&fixture, NULL);
  g_assert_null (kvsqld_service_query (fixture.service, &request,
                                       kvsql_slice_from_text ("CALIBRATE"), NULL, 0, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_READ_ONLY);
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  static const ServiceFixtureTest tests[]
      = { { "measured", test_measured }, { "left", test_left } };

  g_test_init (&argc, &argv, NULL);
  service_fixture_add_tests ("/maintain/calibrate", NULL, tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/maintain/calibrate", "rocksdb", tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/maintain/calibrate", "hbase", tests, G_N_ELEMENTS (tests));
  g_test_add_func ("/maintain/calibrate/kept", test_kept);
  g_test_add_func ("/maintain/calibrate/bytes", test_bytes);
  g_test_add_func ("/maintain/calibrate/text", test_text);
  g_test_add_func ("/maintain/calibrate/refused", test_refused);
  return g_test_run ();
}
