/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-service.c: the published example, statement by statement, on every embedded store.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

#include "daemon/stores/stores.h"
#include "tests/harness/assert.h"

static const gchar published[]
    = "DEFINE RELATION r { k1 STRING key, k2 STRING key, v1 STRING, v2 INT };\n"
      "DEFINE PRIMARY SCHEMA s1 FOR r { TABLE 's1', ROW suffix('-'){k1}:k2, FAMILY 'f', QUALIFIER "
      "'', VALUE suffix('-'){v1}:v2 };\n"
      "DEFINE SCHEMA s2 FOR r { TABLE 's2', ROW size{k2}:k1, FAMILY 'f', QUALIFIER "
      "attr_name['k1','k2'], VALUE attr_value['k1','k2'] };\n";

static void
setup (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_open (fixture, store_url);
  service_fixture_script (fixture, published);
}

static void
test_published_bytes (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_assert (
      fixture, "EXPLAIN (CALLS, FORMAT JSON) INSERT INTO r VALUES ('a1','b','x',100)",
      "{\"calls\":["
      "{\"op\":\"put\",\"schema\":\"s1\",\"table\":\"7331\",\"row\":\"61312d62\",\"cells\":["
      "{\"family\":\"66\",\"qualifier\":\"\",\"value\":\"782d00000064\"}]},"
      "{\"op\":\"put\",\"schema\":\"s2\",\"table\":\"7332\",\"row\":\"01626131\",\"cells\":["
      "{\"family\":\"66\",\"qualifier\":\"7631\",\"value\":\"78\"},"
      "{\"family\":\"66\",\"qualifier\":\"7632\",\"value\":\"00000064\"}]}]}");
}

static void
test_round_trip (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_assert (
      fixture, "INSERT INTO r VALUES ('a1','b','x',100), ('a2','b','y-z',-1), ('a3','c','',0)",
      "3 affected");
  service_fixture_assert (fixture, "SELECT * FROM r WHERE k1='a1' AND k2='b'", "a1|b|x|100");
  service_fixture_assert (fixture, "SELECT * FROM r USING SCHEMA s1",
                          "a1|b|x|100\na2|b|y-z|-1\na3|c||0");
  service_fixture_assert (
      fixture, "SELECT v2, k1 FROM r USING SCHEMA s2 WHERE v2 < 100 ORDER BY v2", "-1|a2\n0|a3");
  service_fixture_assert (fixture, "SELECT k1 FROM r ORDER BY k1 DESC LIMIT 2", "a3\na2");
  service_fixture_assert (fixture, "DELETE FROM r WHERE k1='a2' AND k2='b'", "1 affected");
  service_fixture_assert (fixture, "SELECT k1 FROM r USING SCHEMA s1", "a1\na3");
  service_fixture_assert (fixture, "SELECT k1 FROM r USING SCHEMA s2", "a1\na3");
}

static void
test_published_range (ServiceFixture *fixture, gconstpointer store_url)
{
  static const gchar expected[] = "{\"calls\":[{\"op\":\"scan\",\"schema\":\"s2\",\"table\":"
                                  "\"7332\",\"start\":\"01626130\",\"stop\":\"0162613200\","
                                  "\"cells\":[{\"family\":\"66\"}]}]}";

  service_fixture_assert (
      fixture,
      "EXPLAIN (CALLS, FORMAT JSON) SELECT * FROM r WHERE K2='b' AND K1>='a0' AND K1<='a2'",
      expected);
  service_fixture_assert (
      fixture,
      "EXPLAIN (CALLS, FORMAT JSON) SELECT * FROM r WHERE K1<='a2' AND K1>='a0' AND K2='b'",
      expected);
  service_fixture_assert (
      fixture,
      "EXPLAIN (CALLS, FORMAT JSON) SELECT * FROM r WHERE K1 BETWEEN 'a0' AND 'a2' AND 'b'=K2",
      expected);
}

static void
test_nulls (ServiceFixture *fixture, gconstpointer store_url)
{
  g_autoptr (GError) error
      = service_fixture_fail (fixture, "INSERT INTO r (k1, k2, v2) VALUES ('a', 'b', 1)");

  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==,
                   "attribute \"v1\" is NULL, which has no form in schema \"s1\"");
  service_fixture_assert (fixture, "SELECT * FROM r", "");
}

static void
test_separator_in_value (ServiceFixture *fixture, gconstpointer store_url)
{
  g_autoptr (GError) error
      = service_fixture_fail (fixture, "INSERT INTO r VALUES ('a-1','b','x',1)");

  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==,
                   "attribute \"k1\" contains \"-\" at byte 1, which ends it in schema \"s1\"");
  service_fixture_assert (fixture, "SELECT * FROM r USING SCHEMA s2", "");
}

/* the other published definition, in the other style of quotes */
static const gchar apdata[]
    = "define relation apdata { service string key, dev string key, path string key, dt string "
      "key, "
      "indicator string key, target_type string key, target_value string key, hour string key, val "
      "string };\n"
      "define primary schema v1 for apdata { table \"anapat\",\n"
      "  row suffix(\"-\"){service}:suffix(\"-\"){dev}:suffix(\"-\"){path}:"
      "regexp(\"[0-9]{4}-[01][0-9]-[0-3][0-9]\"){dt}:\"-\":suffix(\"-\"){indicator}:suffix(\"-\"){"
      "target_type}:target_value,\n"
      "  family \"a\", qualifier hour, value val };\n";

static void
test_apdata (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_script (fixture, apdata);
  service_fixture_assert (fixture,
                          "INSERT INTO apdata VALUES "
                          "('service1','pc','/a/b','2014-05-01','dau','all','','','100'), "
                          "('service1','pc','/a/b','2014-05-01','dau','all','','13','7'), "
                          "('service1','sp','/','2014-05-02','unknown1','user','u-1','','3')",
                          "3 affected");
  service_fixture_assert (fixture,
                          "SELECT hour, val FROM apdata WHERE service='service1' AND dev='pc' "
                          "AND path='/a/b' AND dt='2014-05-01' ORDER BY hour",
                          "|100\n13|7");
  service_fixture_assert (fixture, "SELECT target_value, val FROM apdata WHERE hour='13'", "|7");
  service_fixture_assert (
      fixture, "DELETE FROM apdata WHERE service='service1' AND indicator LIKE 'unknown%'",
      "1 affected");
  service_fixture_assert (fixture, "SELECT val FROM apdata ORDER BY val", "100\n7");
}

/* As if the clock had been an hour ahead when the last daemon ran. */
static void
test_clock_set_back (ServiceFixture *fixture, gconstpointer store_url)
{
  static const KvsqlMutation ahead = { .kind = KVSQL_MUTATION_PUT,
                                       .table = { (const guint8 *)"s1", 2 },
                                       .row = { (const guint8 *)"a-b", 3 },
                                       .family = { (const guint8 *)"f", 1 },
                                       .value = { (const guint8 *)"old-\0\0\0\1", 8 } };
  KvsqlMutation put = ahead;
  g_autoptr (GError) error = NULL;
  KvsqlStore *store;

  put.timestamp = g_get_real_time () / 1000 + 3600 * 1000;
  kvsqld_service_free (fixture->service);
  store = kvsqld_store_open (fixture->store_url, &error);
  g_assert_no_error (error);
  assert_done (kvsql_store_apply (store, &put, 1, NULL, &error), error);
  kvsql_store_close (store);
  service_fixture_start (fixture);
  service_fixture_assert (fixture, "SELECT v1 FROM r USING SCHEMA s1", "old");
  service_fixture_assert (fixture, "INSERT INTO r VALUES ('a', 'b', 'new', 2)", "1 affected");
  service_fixture_assert (fixture, "SELECT v1 FROM r USING SCHEMA s1", "new");
}

#define ADD(path, function)                                                                        \
  g_test_add ("/daemon/service/memory/" path, ServiceFixture, NULL, setup, function,               \
              service_fixture_tear_down);                                                          \
  g_test_add ("/daemon/service/rocksdb/" path, ServiceFixture, "rocksdb", setup, function,         \
              service_fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("published/bytes", test_published_bytes);
  ADD ("published/round-trip", test_round_trip);
  ADD ("published/range", test_published_range);
  ADD ("published/apdata", test_apdata);
  ADD ("null/refused-where-it-has-no-form", test_nulls);
  ADD ("write/separator-in-value-refused", test_separator_in_value);
  g_test_add ("/daemon/service/rocksdb/write/clock-set-back-hides-nothing", ServiceFixture,
              "rocksdb", setup, test_clock_set_back, service_fixture_tear_down);
  return g_test_run ();
}
