/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-measure.c: what statements really read: EXPLAIN ANALYZE, tight ranges, and the limit on
 * rows.
 */
#include "config.h"

#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#include <json-glib/json-glib.h>

#define N_TUPLES 2000

static const gchar *const stores[] = { "memory:", "rocksdb" };

static void
open_service (ServiceFixture *self, const gchar *store)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO r VALUES ");

  service_fixture_open (self, store);
  service_fixture_script (
      self, "DEFINE RELATION r { a INT KEY, b STRING KEY, day DATE, v INT, note STRING };"
            "DEFINE PRIMARY SCHEMA base FOR r { TABLE 'base', ROW a:b, FAMILY 'f', "
            "VALUE day:v:note };"
            "DEFINE SCHEMA by_b FOR r { TABLE 'by_b', ROW suffix(x'00'){b}:a, FAMILY 'f', "
            "VALUE day:v:note };"
            "DEFINE SCHEMA by_v FOR r { TABLE 'by_v', ROW v:text{day}:a:b, FAMILY 'f' }");
  for (gint i = 0; i < N_TUPLES; i++)
    g_string_append_printf (sql, "%s(%d, 'b%02d', '2024-%02d-%02d', %d, 'note %d')",
                            i > 0 ? ", " : "", i - N_TUPLES / 2, i % 50, 1 + i % 12, 1 + i % 28,
                            i % 100 - 50, i);
  service_fixture_script (self, sql->str);
}

/* EXPLAIN ANALYZE as JSON. (transfer full) */
static JsonNode *
analyze (ServiceFixture *self, const gchar *sql)
{
  g_autofree gchar *text = NULL, *json = NULL;
  g_autoptr (GError) error = NULL;

  assert_done (kvsqld_service_explain (self->service, NULL, kvsql_slice_from_text (sql), NULL, 0,
                                       TRUE, &text, &json, &error),
               error);
  g_assert_nonnull (strstr (text, "Actually:\n"));
  return json_from_string (json, NULL);
}

static JsonObject *
actual_of (JsonNode *root)
{
  return json_object_get_object_member (json_node_get_object (root), "actual");
}

static gint64
number (JsonObject *object, const gchar *part, const gchar *member)
{
  if (part != NULL)
    object = json_object_get_object_member (object, part);
  return json_object_get_int_member (object, member);
}

static void
assert_operators (JsonObject *actual, const gchar *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  JsonArray *operators = json_object_get_array_member (actual, "operators");

  for (guint i = 0; i < json_array_get_length (operators); i++)
    {
      JsonObject *operator= json_array_get_object_element (operators, i);
      g_string_append_printf (text, "%s%s %d", i == 0 ? "" : ", ",
                              json_object_get_string_member (operator, "operator"),
                              (gint)json_object_get_int_member (operator, "rows"));
    }
  g_assert_cmpstr (text->str, ==, expected);
}

/* ---- ranges hold only what is wanted */

static void
test_tight (gconstpointer store)
{
  static const gchar *const predicates[] = {
    "a = 17 AND b = 'b17'",
    "a = -17 AND b = 'b33'",
    "a = 17",
    "a IN (1, 5, -5, 900)",
    "a > 990",
    "a < -990",
    "a >= 990",
    "a <= -990",
    "a BETWEEN -7 AND 9",
    "a > -3 AND a < 3",
    "a <> 3",
    "a NOT IN (3, 4, -900)",
    "a = 1 OR a = 7 OR a > 995",
    "a = 2147483648",
    "a < 0.5 AND a > -0.5",
    "b = 'b07'",
    "b = 'b07' AND a > 0",
    "b IN ('b07', 'b08') AND a BETWEEN -20 AND 20",
    "b LIKE 'b1%'",
    "b >= 'b10' AND b < 'b12'",
    "b > 'b48'",
    "b < 'b02'",
    "b LIKE 'b0_' AND b < 'b03'",
    "(a = 1 AND b = 'b01') OR (a = 2 AND b = 'b02')",
    "b = 'b07' AND a = -993 OR b = 'b08'",
    "v = 7",
    "v = 7 AND day = '2024-06-02'",
    "v = 7 AND day >= '2024-02-01' AND day < '2024-07-01'",
    "v IN (-3, 3)",
    "v = -50 AND day IN ('2024-01-01', '2024-05-05')",
    "v > 45",
    "v < 0 AND v > -5",
    "v = 7 AND note LIKE 'note %'",
  };
  ServiceFixture fixture;

  open_service (&fixture, store);
  for (guint i = 0; i < G_N_ELEMENTS (predicates); i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM r WHERE %s", predicates[i]);
      g_autoptr (JsonNode) root = analyze (&fixture, sql);
      JsonObject *actual = actual_of (root);

      g_test_message ("%s: %d rows", predicates[i], (gint)number (actual, NULL, "rows"));
      g_assert_cmpint (number (actual, "read", "rows"), ==, number (actual, NULL, "rows"));
      if (json_object_has_member (actual, "fetch"))
        g_assert_cmpint (number (actual, "fetch", "rows"), ==, number (actual, NULL, "rows"));
    }
  service_fixture_close (&fixture);
}

/* ---- the output of EXPLAIN ANALYZE */

static void
test_counts (gconstpointer store)
{
  ServiceFixture fixture;
  g_autoptr (JsonNode) scan = NULL, limited = NULL, fetched = NULL, grouped = NULL, joined = NULL,
                       deleted = NULL;
  JsonObject *actual, *join;

  open_service (&fixture, store);
  scan = analyze (&fixture, "SELECT note FROM r WHERE note LIKE '%7'");
  actual = actual_of (scan);
  g_assert_cmpint (number (actual, "read", "rows"), ==, N_TUPLES);
  g_assert_cmpint (number (actual, "read", "cells"), ==, N_TUPLES);
  g_assert_cmpint (number (actual, NULL, "tuples"), ==, N_TUPLES);
  g_assert_cmpint (number (actual, NULL, "matched"), ==, N_TUPLES / 10);
  g_assert_cmpint (number (actual, NULL, "rows"), ==, N_TUPLES / 10);
  g_assert_cmpint (number (actual, "read", "requests"), >=, 2);
  g_assert_cmpint (number (actual, "read", "bytes"), >, N_TUPLES * 20);
  g_assert_false (json_object_has_member (actual, "fetch"));

  limited = analyze (&fixture, "SELECT * FROM r WHERE a >= 0 ORDER BY a LIMIT 5");
  actual = actual_of (limited);
  g_assert_cmpint (number (actual, "read", "rows"), ==, 5);
  g_assert_cmpint (number (actual, NULL, "rows"), ==, 5);

  fetched = analyze (&fixture, "SELECT note FROM r WHERE v = 7 AND b < 'b25' AND note <> ''");
  actual = actual_of (fetched);
  g_assert_cmpint (number (actual, "read", "rows"), ==, 20);
  g_assert_cmpint (number (actual, "fetch", "entries"), ==, 20);
  g_assert_cmpint (number (actual, "fetch", "entries_kept"), ==, 20);
  g_assert_cmpint (number (actual, "fetch", "requests"), <=, 2);
  g_assert_cmpint (number (actual, NULL, "tuples"), ==, 20);
  assert_operators (actual, "table scan 20, filter of entries 20, index lookup 20, filter 20, "
                            "limit 20");

  grouped = analyze (&fixture, "SELECT v, count(*) FROM r WHERE note LIKE '%7' GROUP BY v "
                               "HAVING v > 0 ORDER BY count(*) LIMIT 3");
  assert_operators (actual_of (grouped), "table scan 2000, filter 200, project 200, aggregate 10, "
                                         "project of groups 5, sort 3, limit 3");

  /* y is scanned, and its condition leaves 20 of 40; x is not counted */
  joined = analyze (&fixture, "SELECT x.a FROM r x, r y WHERE x.a = y.a AND x.b = 'b07' "
                              "AND y.b = 'b07' AND y.v > 0");
  actual = actual_of (joined);
  assert_operators (actual, "table scan 40, filter of the first relation 20, join 20, "
                            "filter 20, limit 20");
  g_assert_cmpint (number (actual, NULL, "tuples"), ==, 20);
  g_assert_cmpint (number (actual, NULL, "matched"), ==, 20);
  join = json_array_get_object_element (json_object_get_array_member (actual, "joins"), 0);
  g_assert_cmpint (number (join, NULL, "rows"), ==, 20);
  g_assert_cmpint (number (join, NULL, "kept_rows"), >=, 20);
  g_assert_cmpint (number (join, NULL, "kept_bytes"), >, 0);

  deleted = analyze (&fixture, "DELETE FROM r WHERE a > 995");
  actual = actual_of (deleted);
  g_assert_cmpint (number (actual, NULL, "affected"), ==, 4);
  service_fixture_assert (&fixture, "SELECT a FROM r WHERE a > 994", "995");
  service_fixture_close (&fixture);
}

static void
test_read_only (void)
{
  KvsqldRequest request = { .is_read_only = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;
  ServiceFixture fixture;

  open_service (&fixture, NULL);
  page = kvsqld_service_query (fixture.service, &request,
                               kvsql_slice_from_text ("EXPLAIN ANALYZE DELETE FROM r"), NULL, 0,
                               &error);
  g_assert_null (page);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_READ_ONLY);
  service_fixture_assert (&fixture, "SELECT a FROM r WHERE a = 0", "0");
  service_fixture_close (&fixture);
}

/* ---- max_scan_rows */

static void
assert_refused (ServiceFixture *self, const KvsqldRequest *request, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (self->service, request, kvsql_slice_from_text (sql), NULL, 0, &error);

  g_assert_null (page);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "would read more than"));
}

static void
assert_accepted (ServiceFixture *self, const KvsqldRequest *request, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (self->service, request, kvsql_slice_from_text (sql), NULL, 0, &error);

  g_assert_no_error (error);
}

static void
test_max_scan_rows (gconstpointer store)
{
  KvsqldRequest narrow = { .max_scan_rows = 10 }, wide = { .max_scan_rows = 1000000 };
  KvsqldServiceLimits limits = { .max_scan_rows = 50 };
  ServiceFixture fixture;

  open_service (&fixture, store);
  assert_refused (&fixture, &narrow, "SELECT * FROM r");
  assert_refused (&fixture, &narrow, "DELETE FROM r WHERE note = 'x'");
  assert_accepted (&fixture, &narrow, "SELECT * FROM r LIMIT 10");
  assert_accepted (&fixture, &narrow, "SELECT * FROM r WHERE a BETWEEN 1 AND 10");
  assert_refused (&fixture, &narrow, "SELECT * FROM r WHERE a BETWEEN 1 AND 11");
  assert_accepted (&fixture, &wide, "SELECT * FROM r");
  /* tuples of an index lookup count, too: 20 entries, 20 tuples */
  narrow.max_scan_rows = 39;
  assert_refused (&fixture, &narrow, "SELECT note FROM r WHERE v = 7");
  narrow.max_scan_rows = 40;
  assert_accepted (&fixture, &narrow, "SELECT note FROM r WHERE v = 7");
  /* a request may only lower the limit */
  kvsqld_service_set_limits (fixture.service, &limits);
  assert_refused (&fixture, &wide, "SELECT * FROM r");
  assert_refused (&fixture, NULL, "SELECT * FROM r");
  assert_accepted (&fixture, NULL, "SELECT * FROM r WHERE a BETWEEN 1 AND 50");
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar *name;
    GTestDataFunc test;
  } tests[] = {
    { "tight", test_tight },
    { "counts", test_counts },
    { "max-scan-rows", test_max_scan_rows },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint s = 0; s < G_N_ELEMENTS (stores); s++)
    for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
      {
        g_autofree gchar *path
            = g_strdup_printf ("/exec/measure/%s/%s", s == 0 ? "memory" : "rocksdb", tests[i].name);
        g_test_add_data_func (path, stores[s], tests[i].test);
      }
  g_test_add_func ("/exec/measure/read-only", test_read_only);
  return g_test_run ();
}
