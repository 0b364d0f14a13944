/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-map.c: maps with a cell for each entry, on every embedded store, and with layouts
 * that keep tuples in rows of their own, in one row together, and together with other schemas.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"
#include "tests/size.h"

#define RELATION                                                                                   \
  "DEFINE RELATION e { id BIGINT KEY, tag STRING NOT NULL DEFAULT 't', m MAP<STRING, BIGINT> };\n"

/* only entries are cells */
static const gchar bare[]
    = RELATION "DEFINE PRIMARY SCHEMA e1 FOR e { TABLE 'e1', ROW ordered{id}:tag, FAMILY 'f', "
               "QUALIFIER map_key(m), VALUE map_value(m) };";
/* elements around key and value, and a marker for tuples without entries */
static const gchar marked[]
    = RELATION "DEFINE PRIMARY SCHEMA e1 FOR e { TABLE 'e1', ROW id:tag, FAMILY 'f', QUALIFIER "
               "prefix('m:'){map_key(m)}, VALUE ordered{map_value(m)} } WITH (marker = 'there');";
/* tuples share rows */
static const gchar shared[]
    = RELATION "DEFINE PRIMARY SCHEMA e1 FOR e { TABLE 'e1', ROW size{tag}, FAMILY 'f', QUALIFIER "
               "id:suffix('$'){map_key(m)}, VALUE text{map_value(m)} };";
/* the same map as JSON, and in an index */
static const gchar several[]
    = RELATION "DEFINE PRIMARY SCHEMA e1 FOR e { TABLE 'e1', ROW id, FAMILY 'f', QUALIFIER 'c', "
               "VALUE size{tag}:json{m} };\n"
               "DEFINE SCHEMA whole FOR e { TABLE 'e2', ROW ordered{id}:tag, FAMILY 'f', QUALIFIER "
               "prefix('m:'){map_key(m)}, VALUE map_value(m) } WITH (marker = x'00');\n"
               "DEFINE SCHEMA by_tag FOR e { TABLE 'e3', ROW suffix('-'){tag}:id, FAMILY 'f' };";
/* an index whose tuples are looked up in rows of entries */
static const gchar indexed[]
    = RELATION "DEFINE PRIMARY SCHEMA e1 FOR e { TABLE 'e1', ROW ordered{id}:tag, FAMILY 'f', "
               "QUALIFIER prefix('m:'){map_key(m)}, VALUE map_value(m) } WITH (marker = x'00');\n"
               "DEFINE SCHEMA by_tag FOR e { TABLE 'e3', ROW suffix('-'){tag}:id, FAMILY 'f' };";

typedef struct
{
  const gchar *store;
  const gchar *name;
  const gchar *definitions;
  gboolean is_marked; /* holds tuples without entries */
} Place;

static void
setup (ServiceFixture *fixture, gconstpointer data)
{
  const Place *place = data;

  service_fixture_open (fixture, place->store);
  service_fixture_script (fixture, place->definitions);
  service_fixture_assert (fixture,
                          "INSERT INTO e VALUES (1, 'a', '{\"x\": 1, \"y\": 2, \"é\": -3}'), "
                          "(2, 'b', '{\"y\": 20}'), (3, 'b', '{\"z\": 30, \"\": 7}')",
                          "3 affected");
}

/* All schemas that hold the whole relation give the same result. */
static void
assert_tuples (ServiceFixture *fixture, const gchar *expected)
{
  g_autofree gchar *schemas = service_fixture_run (fixture, "SHOW SCHEMAS FOR e");

  service_fixture_assert (fixture, "SELECT * FROM e USING SCHEMA e1 ORDER BY id", expected);
  if (strstr (schemas, "whole") != NULL)
    service_fixture_assert (fixture, "SELECT * FROM e USING SCHEMA whole ORDER BY id", expected);
}

static void
test_select (ServiceFixture *fixture, gconstpointer data)
{
  assert_tuples (fixture, "1|a|{\"x\":1,\"y\":2,\"é\":-3}\n2|b|{\"y\":20}\n3|b|{\"\":7,\"z\":30}");
  service_fixture_assert (fixture, "SELECT id, m['y'] FROM e ORDER BY id", "1|2\n2|20\n3|NULL");
  service_fixture_assert (fixture, "SELECT id FROM e WHERE m['y'] = 20", "2");
  service_fixture_assert (fixture, "SELECT id FROM e WHERE m['x'] IS NULL ORDER BY id", "2\n3");
  service_fixture_assert (fixture, "SELECT id FROM e WHERE m = '{\"y\": 20}'", "2");
  service_fixture_assert (fixture, "SELECT m FROM e WHERE id = 3 AND tag = 'b'",
                          "{\"\":7,\"z\":30}");
  service_fixture_assert (fixture, "SELECT m FROM e WHERE tag = 'b' ORDER BY id LIMIT 1",
                          "{\"y\":20}");
  service_fixture_assert (fixture, "SELECT id FROM e WHERE id > 1 ORDER BY id DESC", "3\n2");
  service_fixture_assert (fixture, "SELECT count(*), count(m) FROM e", "3|3");
}

/* Only the cells of wanted entries are read. Tuples without these entries are still found. */
static void
test_entries (ServiceFixture *fixture, gconstpointer data)
{
  const Place *place = data;
  g_autofree gchar *plan = service_fixture_run (
      fixture, "EXPLAIN SELECT id FROM e WHERE m['y'] > 1 AND m['w'] IS NULL");

  service_fixture_assert (fixture, "SELECT id, tag, m['x'] + m['y'] FROM e ORDER BY id",
                          "1|a|3\n2|b|NULL\n3|b|NULL");
  service_fixture_assert (fixture, "SELECT id FROM e WHERE m['q'] IS NULL ORDER BY id", "1\n2\n3");
  service_fixture_assert (fixture, "SELECT id FROM e WHERE m['q'] = 1 OR id = 3", "3");
  service_fixture_assert (fixture, "SELECT id FROM e WHERE m[''] = 7", "3");
  service_fixture_assert (
      fixture, "SELECT id FROM e WHERE m['y'] > 1 AND m['w'] IS NULL ORDER BY id", "1\n2");
  service_fixture_assert (fixture, "SELECT count(*), count(m['y']) FROM e", "3|2");
  service_fixture_assert (fixture, "SELECT count(*) FROM e WHERE m['a\xc3\xa9$'] = 1", "0");
  service_fixture_assert (fixture, "SELECT m['y'] FROM e WHERE tag = 'b' ORDER BY id", "20\nNULL");
  service_fixture_assert (fixture, "SELECT m['y'], count(*) FROM e GROUP BY m['y'] ORDER BY 1",
                          "2|1\n20|1\nNULL|1");
  if (place->definitions == bare)
    g_assert_nonnull (strstr (plan, "columns f:w, f:y:"));
  if (place->definitions == marked || place->definitions == indexed)
    g_assert_nonnull (strstr (plan, "columns f:m:w, f:m:y:"));
  if (!place->is_marked)
    return;
  service_fixture_assert (fixture, "INSERT INTO e VALUES (4, 'd', NULL)", "1 affected");
  service_fixture_assert (fixture, "SELECT id, m['y'] FROM e ORDER BY id",
                          "1|2\n2|20\n3|NULL\n4|NULL");
}

static void
test_replace (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture, "INSERT INTO e VALUES (1, 'a', '{\"y\": 5, \"w\": 6}')",
                          "1 affected");
  assert_tuples (fixture, "1|a|{\"w\":6,\"y\":5}\n2|b|{\"y\":20}\n3|b|{\"\":7,\"z\":30}");
  service_fixture_assert (
      fixture, "INSERT INTO e VALUES (1, 'c', '{\"y\": 5}'), (3, 'b', '{\"k\": 1}')", "2 affected");
  assert_tuples (fixture, "1|c|{\"y\":5}\n2|b|{\"y\":20}\n3|b|{\"k\":1}");
  service_fixture_assert (fixture,
                          "INSERT INTO e VALUES (2, 'b', '{\"q\": 1}') ON CONFLICT DO UPDATE SET "
                          "m = excluded.m",
                          "1 affected");
  assert_tuples (fixture, "1|c|{\"y\":5}\n2|b|{\"q\":1}\n3|b|{\"k\":1}");
}

static void
test_update (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture, "UPDATE e SET m = '{\"x\": 1, \"n\": 9}' WHERE id = 1",
                          "1 affected");
  service_fixture_assert (fixture, "UPDATE e SET tag = 'c' WHERE m['y'] = 20 RETURNING m",
                          "{\"y\":20}\n1 affected");
  assert_tuples (fixture, "1|a|{\"n\":9,\"x\":1}\n2|c|{\"y\":20}\n3|b|{\"\":7,\"z\":30}");
  service_fixture_assert (fixture, "SELECT id FROM e WHERE tag = 'c'", "2");
}

static void
test_delete (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture, "DELETE FROM e WHERE m['x'] = 1", "1 affected");
  assert_tuples (fixture, "2|b|{\"y\":20}\n3|b|{\"\":7,\"z\":30}");
  service_fixture_assert (fixture, "DELETE FROM e WHERE id = 2", "1 affected");
  assert_tuples (fixture, "3|b|{\"\":7,\"z\":30}");
  /* no old entries remain */
  service_fixture_assert (fixture, "INSERT INTO e VALUES (1, 'a', '{\"k\": 1}')", "1 affected");
  assert_tuples (fixture, "1|a|{\"k\":1}\n3|b|{\"\":7,\"z\":30}");
  service_fixture_assert (fixture, "DELETE FROM e", "2 affected");
  assert_tuples (fixture, "");
}

static void
test_null (ServiceFixture *fixture, gconstpointer data)
{
  const Place *place = data;

  if (!place->is_marked)
    {
      service_fixture_assert_fails (
          fixture, "INSERT INTO e VALUES (4, 'd', NULL)", KVSQL_ERROR_VALUE,
          "every attribute with a cell of its own is NULL, so schema \"e1\" would hold "
          "nothing of the tuple");
      return;
    }
  service_fixture_assert (fixture, "INSERT INTO e VALUES (4, 'd', NULL), (1, 'a', NULL)",
                          "2 affected");
  assert_tuples (fixture, "1|a|NULL\n2|b|{\"y\":20}\n3|b|{\"\":7,\"z\":30}\n4|d|NULL");
  service_fixture_assert (fixture, "SELECT id FROM e WHERE m IS NULL ORDER BY id", "1\n4");
  service_fixture_assert (fixture, "SELECT id, tag FROM e WHERE id > 2 ORDER BY id", "3|b\n4|d");
  service_fixture_assert (fixture, "UPDATE e SET m = '{\"x\": 1}' WHERE id = 4", "1 affected");
  service_fixture_assert (fixture, "UPDATE e SET m = NULL WHERE id = 3", "1 affected");
  assert_tuples (fixture, "1|a|NULL\n2|b|{\"y\":20}\n3|b|NULL\n4|d|{\"x\":1}");
  service_fixture_assert (fixture, "DELETE FROM e WHERE m IS NULL", "2 affected");
  assert_tuples (fixture, "2|b|{\"y\":20}\n4|d|{\"x\":1}");
}

static void
test_refused (ServiceFixture *fixture, gconstpointer data)
{
  const Place *place = data;
  const gchar *schema = place->definitions == several ? "whole" : "e1";
  g_autofree gchar *empty = g_strdup_printf (
      "attribute \"m\" is an empty map, which has no cells in schema \"%s\"", schema);
  g_autofree gchar *null = g_strdup_printf (
      "attribute \"m\" has NULL under \"k\", which has no cell in schema \"%s\"", schema);

  service_fixture_assert_fails (fixture, "INSERT INTO e VALUES (4, 'd', '{}')", KVSQL_ERROR_VALUE,
                                empty);
  service_fixture_assert_fails (fixture, "UPDATE e SET m = '{}' WHERE id = 1", KVSQL_ERROR_VALUE,
                                empty);
  service_fixture_assert_fails (fixture, "INSERT INTO e VALUES (4, 'd', '{\"k\": null}')",
                                KVSQL_ERROR_VALUE, null);
  test_select (fixture, data);
}

/* A map of n entries: the value of entry i is i * factor. */
static gchar *
large_map (guint n, guint factor)
{
  GString *text = g_string_new ("{");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s\"k%06u\":%u", i > 0 ? "," : "", i, i * factor);
  g_string_append_c (text, '}');
  return g_string_free (text, FALSE);
}

/* Would take minutes if any step were quadratic in the number of entries. */
static void
test_large (ServiceFixture *fixture, gconstpointer data)
{
  const guint n = test_size (20000, 4000);
  g_autofree gchar *first = large_map (n, 1), *second = large_map (n / 2, 2);
  g_autofree gchar *insert = g_strdup_printf ("INSERT INTO e VALUES (1, 'a', '%s')", first);
  g_autofree gchar *replace = g_strdup_printf ("INSERT INTO e VALUES (1, 'a', '%s')", second);
  g_autofree gchar *update = g_strdup_printf ("UPDATE e SET m = '%s' WHERE id = 1", first);

  service_fixture_assert (fixture, insert, "1 affected");
  service_fixture_assert (fixture, "SELECT m FROM e WHERE id = 1", first);
  service_fixture_assert (fixture, replace, "1 affected");
  service_fixture_assert (fixture, "SELECT m FROM e WHERE id = 1", second);
  service_fixture_assert (fixture, update, "1 affected");
  service_fixture_assert (fixture, "SELECT m FROM e WHERE id = 1", first);
  service_fixture_assert (fixture, "DELETE FROM e WHERE id = 1", "1 affected");
  assert_tuples (fixture, "2|b|{\"y\":20}\n3|b|{\"\":7,\"z\":30}");
}

/* More tuples than a batch holds, with several cells each. */
static void
test_many (ServiceFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) insert = g_string_new ("INSERT INTO e VALUES ");

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (insert, "%s(%u, 'q', '{\"a\": %u, \"b\": %u}')", i > 0 ? ", " : "",
                            100 + i, i, i + 1);
  service_fixture_assert (fixture, insert->str, "3000 affected");
  service_fixture_assert (fixture,
                          "SELECT count(*), sum(m['a']), sum(m['b']) FROM e WHERE tag = 'q'",
                          "3000|4498500|4501500");
  service_fixture_assert (fixture, "SELECT m FROM e WHERE id = 2222", "{\"a\":2122,\"b\":2123}");
  service_fixture_assert (fixture, "DELETE FROM e WHERE tag = 'q'", "3000 affected");
  service_fixture_assert (fixture, "SELECT count(*) FROM e", "3");
}

/* ---- types */

static void
test_types (ServiceFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const gchar *type;
    const gchar *value;
    const gchar *map;
    const gchar *written; /* in SQL, if it differs */
  } cases[] = {
    { "STRING", "map_value(m)", "{\"a\":\"q\\\"\\\\\",\"b\":\"\"}" },
    { "STRING", "ordered{map_value(m)}", "{\"a\":\"é\",\"b\":\"\"}" },
    { "BOOLEAN", "map_value(m)", "{\"a\":true,\"b\":false}" },
    { "INT", "size(1){map_value(m)}", "{\"a\":-1,\"b\":2147483647}" },
    { "DOUBLE", "map_value(m)", "{\"a\":1.5,\"b\":\"NaN\"}" },
    { "DECIMAL", "map_value(m)", "{\"a\":\"1.5\",\"b\":\"-2\"}" },
    { "DATE", "text{map_value(m)}", "{\"a\":\"2024-02-29\"}" },
    { "BYTES", "hex{map_value(m)}", "{\"a\":\"x'00ff'\"}", "{\"a\":\"x''00ff''\"}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *script = g_strdup_printf (
          "DEFINE RELATION t%u { id INT KEY, m MAP<STRING, %s> };\n"
          "DEFINE PRIMARY SCHEMA ts%u FOR t%u { TABLE 't%u', ROW id, FAMILY 'f', QUALIFIER "
          "map_key(m), VALUE %s };\nINSERT INTO t%u VALUES (1, '%s')",
          i, cases[i].type, i, i, i, cases[i].value, i,
          cases[i].written != NULL ? cases[i].written : cases[i].map);
      g_autofree gchar *select = g_strdup_printf ("SELECT m FROM t%u", i);
      service_fixture_script (fixture, script);
      service_fixture_assert (fixture, select, cases[i].map);
    }
}

static void
test_definitions (ServiceFixture *fixture, gconstpointer data)
{
  const Place *place = data;
  g_autofree gchar *text = service_fixture_run (fixture, "DESCRIBE e1");

  if (place->definitions != several)
    g_assert_nonnull (strstr (text, "a cell for each entry of m"));
  service_fixture_assert (fixture, "ALTER RELATION e RENAME m TO entries", "");
  service_fixture_reopen (fixture);
  if (place->store != NULL)
    service_fixture_assert (fixture, "SELECT entries FROM e WHERE id = 2", "{\"y\":20}");
}

int
main (int argc, char **argv)
{
  static const Place places[] = {
    { NULL, "bare", bare, FALSE },           { NULL, "marked", marked, TRUE },
    { NULL, "shared", shared, FALSE },       { NULL, "several", several, TRUE },
    { NULL, "indexed", indexed, TRUE },      { "rocksdb", "bare", bare, FALSE },
    { "rocksdb", "marked", marked, TRUE },   { "rocksdb", "shared", shared, FALSE },
    { "rocksdb", "several", several, TRUE }, { "rocksdb", "indexed", indexed, TRUE },
  };
  static const struct
  {
    const gchar *name;
    void (*run) (ServiceFixture *fixture, gconstpointer data);
  } tests[] = {
    { "entries", test_entries },
    { "select", test_select },
    { "replace", test_replace },
    { "update", test_update },
    { "delete", test_delete },
    { "null", test_null },
    { "refused", test_refused },
    { "large", test_large },
    { "many", test_many },
    { "types", test_types },
    { "definitions", test_definitions },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    for (guint t = 0; t < G_N_ELEMENTS (tests); t++)
      {
        const gchar *store = places[p].store == NULL ? "memory" : places[p].store;
        g_autofree gchar *path = g_strdup_printf ("/daemon/service-map/%s/%s/%s", store,
                                                  places[p].name, tests[t].name);
        g_test_add (path, ServiceFixture, &places[p], setup, tests[t].run,
                    service_fixture_tear_down);
      }
  return g_test_run ();
}
