/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-write.c: UPDATE, ON CONFLICT, INSERT … SELECT, RETURNING and USING TIMESTAMP, on
 * every embedded store, and with layouts that keep a tuple in one cell, in several, and in an
 * index.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

#define RELATION                                                                                   \
  "DEFINE RELATION task { id BIGINT KEY, state STRING NOT NULL DEFAULT 'new', owner STRING, "      \
  "n BIGINT DEFAULT 0 };\n"

/* a tuple is one cell */
static const gchar one_cell[]
    = RELATION "DEFINE PRIMARY SCHEMA tasks FOR task { TABLE 'tasks', ROW id, FAMILY 'f', "
               "VALUE size{state}:ordered{owner}:ordered{n} };";
/* a cell for each attribute, and n is a counter */
static const gchar many_cells[]
    = RELATION "DEFINE PRIMARY SCHEMA tasks FOR task { TABLE 'tasks', ROW id, FAMILY 'f', "
               "QUALIFIER attr_name[id], VALUE attr_value[id] };";
/* an attribute that changes is in the row key of an index */
static const gchar indexed[]
    = RELATION "DEFINE PRIMARY SCHEMA tasks FOR task { TABLE 'tasks', ROW id, FAMILY 'f', "
               "QUALIFIER attr_name[id], VALUE attr_value[id] };\n"
               "DEFINE SCHEMA by_state FOR task { TABLE 'by_state', ROW suffix('-'){state}:id, "
               "FAMILY 'f' };\n"
               "DEFINE SCHEMA whole FOR task { TABLE 'whole', ROW size{state}:id, FAMILY 'f', "
               "QUALIFIER attr_name[id, state], VALUE attr_value[id, state] };";

typedef struct
{
  const gchar *store;
  const gchar *definitions;
} Place;

static void
setup (ServiceFixture *fixture, gconstpointer data)
{
  const Place *place = data;

  service_fixture_open (fixture, place->store);
  service_fixture_script (fixture, place->definitions);
  service_fixture_assert (fixture,
                          "INSERT INTO task VALUES (1, 'new', NULL, 10), (2, 'new', 'b', 20), "
                          "(3, 'done', NULL, 30)",
                          "3 affected");
}

/* All schemas that hold the whole relation give the same result. */
static void
assert_tuples (ServiceFixture *fixture, const gchar *expected)
{
  g_autofree gchar *schemas = service_fixture_run (fixture, "SHOW SCHEMAS FOR task");

  service_fixture_assert (fixture, "SELECT * FROM task USING SCHEMA tasks ORDER BY id", expected);
  if (strstr (schemas, "whole") == NULL)
    return;
  service_fixture_assert (fixture, "SELECT * FROM task USING SCHEMA whole ORDER BY id", expected);
}

/* ---- UPDATE */

static void
test_update (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture, "UPDATE task SET owner = 'x' || id, n = n * 2 WHERE id = 1",
                          "1 affected");
  assert_tuples (fixture, "1|new|x1|20\n2|new|b|20\n3|done|NULL|30");
  service_fixture_assert (fixture, "UPDATE task SET owner = NULL, n = DEFAULT", "3 affected");
  assert_tuples (fixture, "1|new|NULL|0\n2|new|NULL|0\n3|done|NULL|0");
  service_fixture_assert (fixture, "UPDATE task SET n = id, owner = state WHERE id >= 2",
                          "2 affected");
  assert_tuples (fixture, "1|new|NULL|0\n2|new|new|2\n3|done|done|3");
  service_fixture_assert (fixture, "UPDATE task SET n = n WHERE id = 7", "0 affected");
  service_fixture_assert (fixture, "UPDATE task SET owner = state, state = 'gone' WHERE n > 1",
                          "2 affected");
  assert_tuples (fixture, "1|new|NULL|0\n2|gone|new|2\n3|gone|done|3");
  service_fixture_assert (fixture, "SELECT id FROM task WHERE state = 'gone' ORDER BY id", "2\n3");
  service_fixture_assert (fixture, "SELECT id FROM task WHERE state = 'new'", "1");
}

static void
test_update_returning (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (
      fixture,
      "UPDATE task SET state = 'run', owner = 'me' WHERE state = 'new' ORDER BY id DESC LIMIT 1 "
      "RETURNING id, owner AS who, n + 1",
      "2|me|21\n1 affected");
  service_fixture_assert (fixture,
                          "UPDATE task SET state = 'run' WHERE state = 'new' LIMIT 5 RETURNING *",
                          "1|run|NULL|10\n1 affected");
  service_fixture_assert (fixture, "UPDATE task SET n = 0 WHERE state = 'new' RETURNING *",
                          "0 affected");
}

/* More rows than there is room for at first. */
static void
test_returning_many (ServiceFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO task (id, state, n) VALUES ");
  g_autoptr (GString) expected = g_string_new (NULL);

  for (guint id = 100; id < 200; id++)
    {
      g_string_append_printf (sql, "%s(%u, 'new', %u)", id > 100 ? ", " : "", id, id);
      g_string_append_printf (expected, "%u|%u\n", id, id + 1);
    }
  g_string_append (sql, " RETURNING id, n + 1");
  g_string_append (expected, "100 affected");
  service_fixture_assert (fixture, sql->str, expected->str);
}

/* Each tuple is changed once, though changed tuples move to rows that the search reads later. */
static void
test_update_once (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture, "UPDATE task SET n = n + 1 LIMIT 2", "2 affected");
  assert_tuples (fixture, "1|new|NULL|11\n2|new|b|21\n3|done|NULL|30");
  service_fixture_assert (fixture, "UPDATE task SET state = 'z' || state WHERE state > ''",
                          "3 affected");
  assert_tuples (fixture, "1|znew|NULL|11\n2|znew|b|21\n3|zdone|NULL|30");
  service_fixture_assert (fixture, "UPDATE task SET id = id + 100", "3 affected");
  assert_tuples (fixture, "101|znew|NULL|11\n102|znew|b|21\n103|zdone|NULL|30");
}

static void
test_update_keys (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture, "UPDATE task SET id = 4, state = 'moved' WHERE id = 2",
                          "1 affected");
  assert_tuples (fixture, "1|new|NULL|10\n3|done|NULL|30\n4|moved|b|20");
  service_fixture_assert_fails (fixture, "UPDATE task SET id = 3 WHERE id = 4",
                                KVSQL_ERROR_DUPLICATE_KEY,
                                "relation \"task\" has a tuple with the key id = 3 already");
  service_fixture_assert (fixture, "UPDATE task SET id = id WHERE id = 4", "1 affected");
  assert_tuples (fixture, "1|new|NULL|10\n3|done|NULL|30\n4|moved|b|20");
}

static void
test_update_errors (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert_fails (fixture, "UPDATE task SET state = NULL WHERE id = 1",
                                KVSQL_ERROR_VALUE,
                                "NULL in attribute \"state\", which is NOT NULL");
  service_fixture_assert_fails (fixture, "UPDATE task SET nn = 1", KVSQL_ERROR_UNKNOWN_NAME,
                                "attribute \"nn\" does not exist in relation \"task\"");
  service_fixture_assert_fails (fixture, "UPDATE task SET n = 1, n = 2", KVSQL_ERROR_INVALID,
                                "attribute \"n\" is assigned twice");
  service_fixture_assert_fails (fixture, "UPDATE task SET n = 9223372036854775807 + n WHERE id = 1",
                                KVSQL_ERROR_VALUE, "BIGINT out of range");
  service_fixture_assert_fails (fixture, "UPDATE task SET n = n / (n - 20)", KVSQL_ERROR_VALUE,
                                "division by zero");
  assert_tuples (fixture, "1|new|NULL|10\n2|new|b|20\n3|done|NULL|30");
}

static void
test_counter (ServiceFixture *fixture, gconstpointer data)
{
  const Place *place = data;
  g_autofree gchar *plan
      = service_fixture_run (fixture, "EXPLAIN UPDATE task SET n = n + 5 WHERE id = 1");
  gboolean is_increment = strstr (plan, "the store's own increment") != NULL;

  g_assert_cmpint (is_increment, ==, place->definitions == many_cells);
  service_fixture_assert (fixture, "UPDATE task SET n = n + 5 WHERE id = 1", "1 affected");
  service_fixture_assert (fixture, "UPDATE task SET n = n - 1 WHERE id IN (1, 2, 9)", "2 affected");
  service_fixture_assert (fixture, "UPDATE task SET n = 2 + n WHERE id = 9", "0 affected");
  assert_tuples (fixture, "1|new|NULL|14\n2|new|b|19\n3|done|NULL|30");
  service_fixture_assert_fails (fixture, "UPDATE task SET n = n + 9223372036854775800 WHERE id = 1",
                                KVSQL_ERROR_VALUE, "BIGINT out of range");
  service_fixture_assert (fixture, "UPDATE task SET n = NULL WHERE id = 2", "1 affected");
  service_fixture_assert (fixture, "UPDATE task SET n = n + 1 WHERE id = 2", "1 affected");
  service_fixture_assert (fixture, "UPDATE task SET n = 7 WHERE id = 1", "1 affected");
  assert_tuples (fixture, "1|new|NULL|7\n2|new|b|NULL\n3|done|NULL|30");
  service_fixture_assert (fixture, "DELETE FROM task WHERE id < 3", "2 affected");
  assert_tuples (fixture, "3|done|NULL|30");
}

static void
test_alias_and_subquery (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture,
                          "UPDATE task AS t SET n = t.n + 1, owner = CASE WHEN id IN (SELECT id "
                          "FROM task WHERE n > 15) THEN 'big' ELSE t.owner END WHERE t.id IN "
                          "(SELECT id FROM task WHERE state = 'new') RETURNING t.id, id IN (SELECT "
                          "min(id) FROM task)",
                          "1|true\n2|false\n2 affected");
  assert_tuples (fixture, "1|new|NULL|11\n2|new|big|21\n3|done|NULL|30");
  service_fixture_assert (fixture,
                          "DELETE FROM task x WHERE x.n IN (SELECT max(n) FROM task) RETURNING "
                          "x.id",
                          "3\n1 affected");
  service_fixture_assert (
      fixture,
      "INSERT INTO task (id, n) VALUES (1, 1), (2, 1) ON CONFLICT DO UPDATE SET "
      "n = -1 WHERE task.id IN (SELECT id FROM task WHERE owner = 'big')",
      "1 affected");
  assert_tuples (fixture, "1|new|NULL|11\n2|new|big|-1");
}

/* ---- INSERT */

static void
test_on_conflict (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture,
                          "INSERT INTO task (id, owner) VALUES (1, 'x'), (4, 'y'), (4, 'z') ON "
                          "CONFLICT DO NOTHING RETURNING id, owner",
                          "4|y\n1 affected");
  assert_tuples (fixture, "1|new|NULL|10\n2|new|b|20\n3|done|NULL|30\n4|new|y|0");
  service_fixture_assert (fixture,
                          "INSERT INTO task (id, n) VALUES (1, 5), (5, 6) ON CONFLICT (id) "
                          "DO UPDATE SET n = task.n + excluded.n, state = 'old' RETURNING id, n",
                          "1|15\n5|6\n2 affected");
  assert_tuples (fixture, "1|old|NULL|15\n2|new|b|20\n3|done|NULL|30\n4|new|y|0\n5|new|NULL|6");
  service_fixture_assert (fixture,
                          "INSERT INTO task (id, n) VALUES (1, 1), (2, 99) ON CONFLICT DO UPDATE "
                          "SET n = excluded.n WHERE task.n < excluded.n",
                          "1 affected");
  assert_tuples (fixture, "1|old|NULL|15\n2|new|b|99\n3|done|NULL|30\n4|new|y|0\n5|new|NULL|6");
  service_fixture_assert_fails (
      fixture, "INSERT INTO task (id) VALUES (1) ON CONFLICT (n) DO NOTHING", KVSQL_ERROR_INVALID,
      "attribute \"n\" is not of the key of relation \"task\"");
  service_fixture_assert_fails (
      fixture, "INSERT INTO task (id) VALUES (1) ON CONFLICT DO UPDATE SET id = 2",
      KVSQL_ERROR_UNSUPPORTED,
      "ON CONFLICT DO UPDATE cannot assign to \"id\", which is of the key");
}

/* As in PostgreSQL. Nothing of the repeated key is written. */
static void
test_conflict_twice (ServiceFixture *fixture, gconstpointer data)
{
  static const gchar twice[] = "ON CONFLICT DO UPDATE cannot change a tuple a second time";
  g_autoptr (GString) many = g_string_new ("INSERT INTO task (id, n) VALUES (9, 9)");

  service_fixture_assert_fails (
      fixture,
      "INSERT INTO task (id, n) VALUES (5, 6), (1, 1), (5, 7) ON CONFLICT DO UPDATE SET "
      "n = excluded.n",
      KVSQL_ERROR_INVALID, twice);
  service_fixture_assert_fails (
      fixture,
      "INSERT INTO task (id, n) VALUES (1, 11), (1, 12) ON CONFLICT DO UPDATE SET "
      "n = excluded.n WHERE task.n < excluded.n",
      KVSQL_ERROR_INVALID, twice);
  service_fixture_assert_fails (
      fixture, "INSERT INTO task (id, n) SELECT 7, n FROM task ON CONFLICT DO UPDATE SET n = 1",
      KVSQL_ERROR_INVALID, twice);
  service_fixture_assert_fails (
      fixture,
      "EXPLAIN ANALYZE INSERT INTO task (id, n) VALUES (1, 1), (1, 2) ON CONFLICT DO "
      "UPDATE SET n = 1",
      KVSQL_ERROR_INVALID, twice);
  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (many, ", (%u, 1)", 1000 + i);
  g_string_append (many, ", (9, 10) ON CONFLICT DO UPDATE SET n = 0");
  service_fixture_assert_fails (fixture, many->str, KVSQL_ERROR_INVALID, twice);
  assert_tuples (fixture, "1|new|NULL|10\n2|new|b|20\n3|done|NULL|30");
  /* a row that the WHERE excludes does not count */
  service_fixture_assert (fixture,
                          "INSERT INTO task (id, n) VALUES (1, 5), (1, 12) ON CONFLICT DO UPDATE "
                          "SET n = excluded.n WHERE task.n < excluded.n RETURNING n",
                          "12\n1 affected");
  service_fixture_assert (fixture,
                          "INSERT INTO task (id, n) SELECT id, n + 1 FROM task ON CONFLICT DO "
                          "UPDATE SET n = excluded.n",
                          "3 affected");
  assert_tuples (fixture, "1|new|NULL|13\n2|new|b|21\n3|done|NULL|31");
}

static void
test_defaults (ServiceFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  service_fixture_assert (fixture,
                          "INSERT INTO task VALUES (2 + 2, DEFAULT, 'a' || 'b', DEFAULT), "
                          "(5, 'x', DEFAULT, CASE WHEN 1 < 2 THEN 7 END) RETURNING *",
                          "4|new|ab|0\n5|x|NULL|7\n2 affected");
  service_fixture_assert (fixture, "DELETE FROM task WHERE id > 3 RETURNING id, n",
                          "4|0\n5|7\n2 affected");
  error = service_fixture_fail (fixture, "INSERT INTO task VALUES (6, 'a', 'b', 1), (7, NULL, "
                                         "'b', 1)");
  g_assert_cmpstr (kvsql_error_get_detail (error), ==, "This is row 2 of 2.");
  assert_tuples (fixture, "1|new|NULL|10\n2|new|b|20\n3|done|NULL|30");
}

static void
test_select (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_script (
      fixture, "DEFINE RELATION other { k BIGINT KEY, v STRING };\n"
               "DEFINE PRIMARY SCHEMA others FOR other { TABLE 'others', ROW k, FAMILY 'f', "
               "QUALIFIER attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');");
  service_fixture_assert (fixture, "INSERT INTO other SELECT id, state FROM task WHERE id < 3",
                          "2 affected");
  service_fixture_assert (fixture, "SELECT * FROM other ORDER BY k", "1|new\n2|new");
  service_fixture_assert (fixture,
                          "INSERT INTO other (v, k) SELECT owner, id FROM task ON CONFLICT DO "
                          "UPDATE SET v = excluded.v RETURNING *",
                          "1|NULL\n2|b\n3|NULL\n3 affected");
  service_fixture_assert (fixture,
                          "INSERT INTO task (id, state, n) SELECT n, state, id FROM task RETURNING "
                          "id, n",
                          "10|1\n20|2\n30|3\n3 affected");
  assert_tuples (
      fixture,
      "1|new|NULL|10\n2|new|b|20\n3|done|NULL|30\n10|new|NULL|1\n20|new|NULL|2\n30|done|NULL|3");
  service_fixture_assert (fixture,
                          "INSERT INTO other SELECT count(*) + 100, state FROM task GROUP BY state "
                          "ORDER BY state LIMIT 1 RETURNING *",
                          "102|done\n1 affected");
  service_fixture_assert_fails (fixture, "INSERT INTO other SELECT id, state, id FROM task",
                                KVSQL_ERROR_INVALID,
                                "INSERT has 3 columns of a SELECT for 2 attributes");
}

/* Into the same relation: written tuples are not read. */
static void
test_select_itself (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture, "INSERT INTO task (id, n) VALUES (4, 5000)", "1 affected");
  service_fixture_assert (fixture, "INSERT INTO task (id, n) SELECT n, id FROM task WHERE id = 4",
                          "1 affected");
  service_fixture_assert (fixture, "SELECT id FROM task WHERE id > 3 ORDER BY id", "4\n5000");
}

/* ---- timestamps */

/* Rows that do not fit into memory go to a file. Without a file nothing is written. */
static void
test_select_much (ServiceFixture *fixture, gconstpointer data)
{
  KvsqldServiceLimits tight = { .page_rows = 100, .page_bytes = 1 << 20, .sort_bytes = 4096 };

  kvsqld_service_set_limits (fixture->service, &tight);
  for (gint64 n = 3; n <= 48; n *= 2)
    {
      g_autofree gchar *sql = g_strdup_printf (
          "INSERT INTO task SELECT id + %" G_GINT64_FORMAT ", state, owner, n FROM task", n);
      g_autofree gchar *expected = g_strdup_printf ("%" G_GINT64_FORMAT " affected", n);

      service_fixture_assert (fixture, sql, expected);
    }
  service_fixture_assert_fails (
      fixture, "INSERT INTO task SELECT id + 96, 'a state', owner, n FROM task", KVSQL_ERROR_LIMIT,
      "what is read before it is written needs more than 0 MiB");
  service_fixture_assert (fixture, "SELECT count(*), max(id) FROM task", "96|96");
  tight.sort_disk_bytes = 1 << 20;
  kvsqld_service_set_limits (fixture->service, &tight);
  service_fixture_assert (fixture, "INSERT INTO task SELECT id + 96, 'a state', owner, n FROM task",
                          "96 affected");
  service_fixture_assert (
      fixture, "SELECT count(*), count(owner), sum(id), max(state) FROM task WHERE id > 96",
      "96|32|13872|a state");
}

static void
test_timestamps (ServiceFixture *fixture, gconstpointer data)
{
  service_fixture_assert (fixture, "INSERT INTO task VALUES (8, 's', 'o', 1) USING TIMESTAMP 1000",
                          "1 affected");
  service_fixture_assert (fixture, "UPDATE task SET n = 2 WHERE id = 8 USING TIMESTAMP 2000",
                          "1 affected");
  service_fixture_assert (fixture, "SELECT n FROM task WHERE id = 8", "2");
  service_fixture_assert (fixture, "UPDATE task SET n = 3 WHERE id = 8 USING TIMESTAMP 1500",
                          "1 affected");
  service_fixture_assert (fixture, "SELECT n FROM task WHERE id = 8", "2");
  service_fixture_assert (fixture, "DELETE FROM task WHERE id = 8 USING TIMESTAMP 900",
                          "0 affected");
  service_fixture_assert (fixture, "SELECT n FROM task WHERE id = 8", "2");
  service_fixture_assert (
      fixture, "DELETE FROM task WHERE id = 8 USING TIMESTAMP 2000 RETURNING id", "8\n1 affected");
  service_fixture_assert (fixture, "SELECT n FROM task WHERE id = 8", "");
  service_fixture_assert_fails (fixture, "DELETE FROM task USING TIMESTAMP 0", KVSQL_ERROR_VALUE,
                                "USING TIMESTAMP takes milliseconds since 1970, from 2 on");
}

/* ---- EXPLAIN writes nothing */

static void
test_explain (ServiceFixture *fixture, gconstpointer data)
{
  static const gchar *const statements[] = {
    "UPDATE task SET n = n + 1 WHERE id = 1",
    "UPDATE task SET id = 9, state = 'x' WHERE id = 1",
    "UPDATE task SET state = 'x' WHERE state = 'new' ORDER BY id LIMIT 1 RETURNING *",
    "DELETE FROM task WHERE state = 'new' LIMIT 1",
    "INSERT INTO task (id) VALUES (1), (9) ON CONFLICT DO NOTHING",
    "INSERT INTO task (id) VALUES (1) ON CONFLICT DO UPDATE SET n = 1",
    "INSERT INTO task (id, n) SELECT n, id FROM task",
  };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      g_autofree gchar *plan = g_strconcat ("EXPLAIN ", statements[i], NULL);
      g_autofree gchar *calls = g_strconcat ("EXPLAIN (CALLS) ", statements[i], NULL);
      G_GNUC_UNUSED g_autofree gchar *shown = service_fixture_run (fixture, plan);
      g_autofree gchar *requests = service_fixture_run (fixture, calls);
      g_assert_nonnull (strstr (requests, "table"));
    }
  assert_tuples (fixture, "1|new|NULL|10\n2|new|b|20\n3|done|NULL|30");
}

/* ---- many at once */

#define N_THREADS 16
#define N_TASKS 200

typedef struct
{
  ServiceFixture *fixture;
  GString *claimed;
  const gchar *sql;
} Worker;

/* Claims tasks until there are none. */
static gpointer
claim (gpointer data)
{
  Worker *worker = data;

  for (;;)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
          worker->fixture->service, NULL, kvsql_slice_from_text (worker->sql), NULL, 0, &error);
      g_assert_no_error (error);
      if (page->affected == 0)
        return NULL;
      g_assert_cmpint (page->affected, ==, page->rows->n_rows);
      service_fixture_append_page (page, worker->claimed);
    }
}

static void
run_workers (ServiceFixture *fixture, const gchar *sql)
{
  Worker workers[N_THREADS];
  GThread *threads[N_THREADS];
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < N_TASKS; i++)
    {
      g_autofree gchar *insert
          = g_strdup_printf ("INSERT INTO task (id, state) VALUES (%u, 'queued')", 1000 + i);
      service_fixture_assert (fixture, insert, "1 affected");
    }
  for (guint i = 0; i < N_THREADS; i++)
    {
      workers[i] = (Worker){ fixture, g_string_new (NULL), sql };
      threads[i] = g_thread_new ("claim", claim, &workers[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    {
      g_auto (GStrv) ids = NULL;
      g_thread_join (threads[i]);
      ids = g_strsplit (workers[i].claimed->str, "\n", -1);
      for (guint j = 0; ids[j] != NULL; j++)
        if (!g_hash_table_add (seen, g_strdup (ids[j])))
          g_error ("%s was given to two", ids[j]);
      g_string_free (workers[i].claimed, TRUE);
    }
  g_assert_cmpuint (g_hash_table_size (seen), ==, N_TASKS);
}

static void
test_claims (ServiceFixture *fixture, gconstpointer data)
{
  run_workers (fixture, "UPDATE task SET state = 'taken' WHERE state = 'queued' ORDER BY id LIMIT "
                        "1 RETURNING id");
  run_workers (fixture, "UPDATE task SET state = 'taken' WHERE state = 'queued' LIMIT 3 "
                        "RETURNING id");
  run_workers (fixture, "DELETE FROM task WHERE state = 'queued' LIMIT 2 RETURNING id");
}

static gpointer
count (gpointer data)
{
  ServiceFixture *fixture = data;

  for (guint i = 0; i < 100; i++)
    {
      service_fixture_assert (fixture, "UPDATE task SET n = n + 3 WHERE id = 1", "1 affected");
      service_fixture_assert (fixture,
                              "INSERT INTO task (id, n) VALUES (77, 1) ON CONFLICT DO UPDATE SET "
                              "n = task.n + 1",
                              "1 affected");
    }
  return NULL;
}

static void
test_counts (ServiceFixture *fixture, gconstpointer data)
{
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("count", count, fixture);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  service_fixture_assert (fixture, "SELECT id, n FROM task WHERE n > 30 ORDER BY id",
                          "1|4810\n77|1600");
}

/* ---- prepared */

static void
test_prepared (ServiceFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  KvsqlValue parameters[] = { { .type = KVSQL_TYPE_BIGINT, .integer = 5 },
                              { .type = KVSQL_TYPE_BIGINT, .integer = 2 } };
  g_autoptr (KvsqldPrepared) prepared = kvsqld_service_prepare (
      fixture->service, NULL,
      KVSQL_SLICE_LITERAL ("UPDATE task SET n = n + ? WHERE id = ? RETURNING n, owner AS who"),
      &error);
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GString) rows = g_string_new (NULL);

  g_assert_no_error (error);
  g_assert_cmpuint (prepared->n_parameters, ==, 2);
  g_assert_cmpuint (prepared->n_columns, ==, 2);
  g_assert_cmpstr (prepared->columns[1].name, ==, "who");
  page = kvsqld_service_execute (fixture->service, NULL, prepared->id, parameters, 2, &error);
  g_assert_no_error (error);
  service_fixture_append_page (page, rows);
  g_assert_cmpstr (rows->str, ==, "25|b");
  g_assert_cmpint (page->affected, ==, 1);
}

static void
add_tests (const Place *place, const gchar *name)
{
  static const struct
  {
    const gchar *name;
    void (*run) (ServiceFixture *fixture, gconstpointer data);
  } tests[] = {
    { "update", test_update },
    { "update/returning", test_update_returning },
    { "insert/returning-many", test_returning_many },
    { "update/once", test_update_once },
    { "update/keys", test_update_keys },
    { "update/errors", test_update_errors },
    { "update/counter", test_counter },
    { "update/alias-and-subquery", test_alias_and_subquery },
    { "insert/on-conflict", test_on_conflict },
    { "insert/conflict-twice", test_conflict_twice },
    { "insert/defaults", test_defaults },
    { "insert/select", test_select },
    { "insert/select-itself", test_select_itself },
    { "insert/select-much", test_select_much },
    { "timestamps", test_timestamps },
    { "explain", test_explain },
    { "prepared", test_prepared },
    { "threads/claims", test_claims },
    { "threads/counts", test_counts },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree gchar *path
          = g_strdup_printf ("/daemon/service-write/%s/%s/%s",
                             place->store == NULL ? "memory" : place->store, name, tests[i].name);
      g_test_add (path, ServiceFixture, place, setup, tests[i].run, service_fixture_tear_down);
    }
}

int
main (int argc, char **argv)
{
  static const Place places[] = {
    { NULL, one_cell },      { NULL, many_cells },      { NULL, indexed },
    { "rocksdb", one_cell }, { "rocksdb", many_cells }, { "rocksdb", indexed },
  };
  static const gchar *const names[] = { "one-cell", "many-cells", "indexed" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    add_tests (&places[i], names[i % 3]);
  return g_test_run ();
}
