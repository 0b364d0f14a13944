/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-create.c: CREATE TABLE and CREATE INDEX, whose layouts kvsql chooses.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

#include <string.h>

#define CREATE_T "CREATE TABLE t (name TEXT NOT NULL, id BIGINT PRIMARY KEY, born DATE)"
#define MANY 100000
#define FILL "INSERT INTO t VALUES ('ann', 1, '2001-02-03'), ('bob', -2, NULL), ('ann', 3, NULL)"

static void
assert_created (ServiceFixture *self, const gchar *name, const gchar *expected)
{
  g_autofree gchar *sql = g_strconcat ("SHOW CREATE ", name, NULL);

  service_fixture_assert (self, sql, expected);
}

/* A schema has this name, is readable, and holds what the primary holds. */
static void
assert_filled (ServiceFixture *self, const gchar *schema)
{
  g_autofree gchar *verify = g_strconcat ("VERIFY SCHEMA ", schema, NULL);
  g_autofree gchar *count = g_strconcat ("SELECT count(*) FROM t USING SCHEMA ", schema, NULL);

  service_fixture_assert (self, verify, "");
  service_fixture_assert (self, count, "3");
}

static void
test_table (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, CREATE_T ";" FILL);
  assert_created (self, "t_pkey",
                  "DEFINE PRIMARY SCHEMA t_pkey FOR t { TABLE 't', ROW ordered{id}, FAMILY 'f', "
                  "QUALIFIER attr_name[id], VALUE attr_value[id] } WITH (marker = x'00')");
  service_fixture_assert (self, "SELECT * FROM t ORDER BY id",
                          "bob|-2|NULL\nann|1|2001-02-03\nann|3|NULL");
  service_fixture_assert_fails (self, CREATE_T, KVSQL_ERROR_ALREADY_EXISTS,
                                "relation \"t\" exists already");
  service_fixture_script (self, "CREATE TABLE IF NOT EXISTS t (x INT PRIMARY KEY)");
  service_fixture_script (self, "ALTER TABLE t ADD COLUMN mail TEXT; ALTER TABLE t DROP born;"
                                "INSERT INTO t VALUES ('cem', 4, 'c@x')");
  service_fixture_assert (self, "SELECT * FROM t WHERE id > 1 ORDER BY id",
                          "ann|3|NULL\ncem|4|c@x");
  service_fixture_script (self, "TRUNCATE TABLE t");
  service_fixture_assert (self, "SELECT * FROM t", "");
}

/* A table that is created again is empty, and what the old one held is still there. */
static void
test_table_again (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, CREATE_T ";" FILL "; DROP TABLE t;" CREATE_T);
  assert_created (self, "t_pkey",
                  "DEFINE PRIMARY SCHEMA t_pkey FOR t { TABLE 't_2', ROW ordered{id}, FAMILY 'f', "
                  "QUALIFIER attr_name[id], VALUE attr_value[id] } WITH (marker = x'00')");
  service_fixture_assert (self, "SELECT * FROM t", "");
  service_fixture_script (self, "DROP TABLE IF EXISTS t; DROP TABLE IF EXISTS t;"
                                "DEFINE RELATION old { id BIGINT KEY, name TEXT };"
                                "DEFINE PRIMARY SCHEMA old_p FOR old { TABLE 't', ROW ordered{id}, "
                                "FAMILY 'f', QUALIFIER attr_name[id], VALUE attr_value[id] }");
  service_fixture_assert (self, "SELECT name FROM old ORDER BY id", "bob\nann\nann");
}

/* The key has the order of PRIMARY KEY (…). Without other columns nothing but the key is stored. */
static void
test_key (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, "CREATE TABLE \"Two Words\" (a INT, \"Ä\" TEXT, "
                                "CONSTRAINT c PRIMARY KEY (\"Ä\", a));"
                                "INSERT INTO \"Two Words\" VALUES (2, 'x'), (1, 'y'), (1, 'x')");
  assert_created (self, "`Two Words_pkey`",
                  "DEFINE PRIMARY SCHEMA `Two Words_pkey` FOR `Two Words` { TABLE 'Two_Words', ROW "
                  "ordered{`Ä`}:ordered{a}, FAMILY 'f' }");
  service_fixture_assert (self, "SELECT * FROM \"Two Words\" WHERE \"Ä\" = 'x'", "1|x\n2|x");
}

/* Programs put all names into quotes. In lower case they are the same as without. */
static void
test_quoted (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, "CREATE TABLE \"users\" (\"id\" INT, \"order\" TEXT, PRIMARY KEY "
                                "(\"id\")); INSERT INTO Users (ID, \"order\") VALUES (1, 'a');"
                                "CREATE INDEX \"By_Order\" ON \"users\" (\"order\")");
  service_fixture_assert (self, "SELECT \"users\".\"order\" FROM USERS USING SCHEMA \"By_Order\"",
                          "a");
  service_fixture_assert_fails (self, "SELECT 1 FROM users USING SCHEMA by_order",
                                KVSQL_ERROR_UNKNOWN_NAME, "schema \"by_order\" does not exist");
}

/* The cells of a column keep their name. */
static void
test_rename (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, CREATE_T ";" FILL);
  service_fixture_script (self, "CREATE INDEX by_born ON t (born, name)");
  service_fixture_script (self, "ALTER TABLE t RENAME COLUMN name TO who");
  assert_created (self, "t",
                  "DEFINE RELATION t { who TEXT NOT NULL LABEL 'name', id BIGINT KEY, born DATE } "
                  "WITH (insert = unique)\n"
                  "DEFINE PRIMARY SCHEMA t_pkey FOR t { TABLE 't', ROW ordered{id}, FAMILY 'f', "
                  "QUALIFIER attr_name[id], VALUE attr_value[id] } WITH (marker = x'00')\n"
                  "DEFINE SCHEMA by_born FOR t { TABLE 'by_born', ROW "
                  "ordered{born}:ordered{who}:ordered{id}, FAMILY 'f' }");
  service_fixture_script (self, "INSERT INTO t (who, id) VALUES ('eve', 4)");
  service_fixture_assert (self, "SELECT id, who FROM t ORDER BY id", "-2|bob\n1|ann\n3|ann\n4|eve");
  service_fixture_assert (self, "VERIFY SCHEMA by_born", "");
  service_fixture_assert_fails (self, "ALTER TABLE t ADD COLUMN name INT", KVSQL_ERROR_DEFINITION,
                                "the cells of attribute \"who\" have the name \"name\"");
  service_fixture_script (self, "ALTER TABLE t ADD COLUMN name INT LABEL 'n2'");
  service_fixture_script (self, "UPDATE t SET name = 7 WHERE id = 4");
  service_fixture_script (self, "ALTER TABLE t DROP COLUMN name");
  service_fixture_assert_fails (self, "ALTER TABLE t ADD COLUMN other TEXT LABEL 'n2'",
                                KVSQL_ERROR_DEFINITION,
                                "attribute \"other\" was of type INT, and a value of it is still "
                                "stored");
  service_fixture_script (self, "ALTER TABLE t RENAME COLUMN who TO person");
  service_fixture_assert (self, "SELECT person FROM t WHERE id = 4", "eve");
  service_fixture_script (self, "RESTORE RELATION t TO VERSION 1");
  service_fixture_assert (self, "SELECT name FROM t USING SCHEMA by_born WHERE id = 4", "eve");
  service_fixture_script (self, "ALTER TABLE t RENAME COLUMN name TO person");
  service_fixture_script (self, "ALTER TABLE t RENAME COLUMN person TO name");
  service_fixture_assert (self, "SELECT name FROM t WHERE id = 4", "eve");
  service_fixture_script (self, "RESTORE RELATION t TO VERSION 1");
  service_fixture_assert (self, "SELECT name FROM t WHERE id = 4", "eve");
}

/* Nothing is left of a query whose time is over while the table is filled. */
static void
test_table_as_in_time (ServiceFixture *self, gconstpointer data)
{
  static const KvsqldServiceLimits hasty = { .request_timeout_ms = 300 }, usual = { 0 };
  g_autoptr (GError) error = NULL;

  kvsqld_service_set_limits (self->service, &hasty);
  error = service_fixture_fail (self, "CREATE TABLE y AS SELECT a.i FROM generate_series(1, 100000)"
                                      " AS a(i), generate_series(1, 100000) AS b(i)");
  g_assert_true (strstr (error->message, "call ran out of time") != NULL);
  /* a busy machine needs the time for less */
  if (kvsql_error_get_detail (error) != NULL)
    g_assert_cmpstr (kvsql_error_get_detail (error), ==, "The table \"y\" is dropped again.");
  kvsqld_service_set_limits (self->service, &usual);
  service_fixture_assert_fails (self, "SELECT * FROM y", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation \"y\" does not exist");
}

static void
test_table_as (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, CREATE_T ";" FILL);
  service_fixture_assert (self,
                          "CREATE TABLE u AS SELECT name, count(*), max(born) AS \"Last\" FROM t "
                          "GROUP BY name",
                          "2 affected");
  service_fixture_assert (self, "SELECT * FROM u ORDER BY name", "ann|2|2001-02-03\nbob|1|NULL");
  assert_created (self, "u",
                  "DEFINE RELATION u { name STRING, count BIGINT, `Last` DATE, kvsql_rowid BIGINT "
                  "KEY NOT NULL DEFAULT nextval('u_kvsql_rowid_seq') } WITH (hidden_key = "
                  "kvsql_rowid, insert = replace)\n"
                  "DEFINE PRIMARY SCHEMA u_pkey FOR u { TABLE 'u', ROW ordered{kvsql_rowid}, "
                  "FAMILY 'f', QUALIFIER attr_name[kvsql_rowid], VALUE attr_value[kvsql_rowid] } "
                  "WITH (marker = x'00')");
  service_fixture_script (self, "CREATE VIEW v AS SELECT id FROM t WHERE id > 0");
  service_fixture_assert (self,
                          "CREATE TABLE w (a, b) WITH (writes = plain) AS SELECT id, name FROM t "
                          "WHERE id IN (TABLE v) WITH DATA",
                          "2 affected");
  service_fixture_assert (self, "SELECT b, a FROM w ORDER BY a", "ann|1\nann|3");
  service_fixture_script (self, "CREATE TABLE limited AS SELECT CAST (1.5 AS NUMERIC(5, 2)) AS n, "
                                "CAST ('x' AS VARCHAR(3)) AS s, CAST (7 AS SMALLINT) AS i, "
                                "max(now()) AS at, now()::timestamptz(0) AS z");
  service_fixture_assert (self, "SELECT n, s, i FROM limited", "1.50|x|7");
  {
    g_autofree gchar *limited = service_fixture_run (self, "SHOW CREATE limited");

    g_test_message ("%s", limited);
    g_assert_true (g_str_has_prefix (limited, "DEFINE RELATION limited { n NUMERIC(5,2), s "
                                              "VARCHAR(3), i SMALLINT, at TIMESTAMPTZ, z "
                                              "TIMESTAMPTZ(0), kvsql_rowid "));
  }
  service_fixture_script (self, "DROP TABLE limited");
  service_fixture_script (self, "CREATE TABLE x AS TABLE t WITH NO DATA");
  service_fixture_assert (self, "SELECT count(*) FROM x", "0");
  service_fixture_script (self, "CREATE TABLE IF NOT EXISTS w AS TABLE t");
  service_fixture_assert (self, "SELECT count(*) FROM w", "2");
  service_fixture_assert_fails (self, "CREATE TABLE w AS TABLE t", KVSQL_ERROR_ALREADY_EXISTS,
                                "relation \"w\" exists already");
  /* nothing is left of a query that fails */
  service_fixture_assert_fails (self, "CREATE TABLE y AS SELECT 1 / (id - 3) AS n FROM t",
                                KVSQL_ERROR_VALUE, "division by zero");
  service_fixture_assert_fails (self, "SELECT * FROM y", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation \"y\" does not exist");
  service_fixture_assert_fails (self, "CREATE TABLE y (a, b) AS SELECT 1", KVSQL_ERROR_SYNTAX,
                                "too many column names were specified: the query has 1 column");
  service_fixture_assert_fails (self, "CREATE TABLE y AS SELECT 1 AS a, 2 AS a",
                                KVSQL_ERROR_ALREADY_EXISTS, "attribute \"a\" is defined twice");
  service_fixture_assert (self, "SHOW RELATIONS",
                          "t|3|id|t_pkey|1|\nu|4|kvsql_rowid|u_pkey|1|\nw|3|kvsql_rowid|w_pkey|1|"
                          "\nx|4|kvsql_rowid|x_pkey|1|");
}

static gpointer
create_table_as (gpointer data)
{
  for (guint i = 0; i < 10; i++)
    {
      g_autofree gchar *sql = g_strdup_printf (
          "CREATE TABLE IF NOT EXISTS t%u AS SELECT generate_series(1, 20) AS i", i);
      g_autofree gchar *result = service_fixture_run (data, sql);

      g_assert_cmpstr (result, !=, NULL);
    }
  return NULL;
}

/* Of clients that create the same table at once, one fills it. */
static void
test_table_as_at_once (ServiceFixture *self, gconstpointer data)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("client", create_table_as, self);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < 10; i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("SELECT count(*) FROM t%u", i);
      service_fixture_assert (self, sql, "20");
    }
}

/* Several tables, and sequences. A wrong name changes nothing. */
static void
test_truncate (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self,
                          "CREATE TABLE t (id SERIAL PRIMARY KEY, v INT);"
                          "CREATE TABLE u (id INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v INT);"
                          "CREATE VIEW seen AS SELECT v FROM t; CREATE SEQUENCE other START 5;"
                          "CREATE TABLE w (id INT PRIMARY KEY, n INT DEFAULT nextval('other'));"
                          "INSERT INTO t (v) VALUES (1), (2); INSERT INTO u (v) VALUES (3);"
                          "INSERT INTO w (id) VALUES (1), (2)");
  service_fixture_assert_fails (self, "TRUNCATE t, u, x", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation \"x\" does not exist");
  service_fixture_assert_fails (self, "TRUNCATE t, seen", KVSQL_ERROR_INVALID,
                                "\"seen\" is a view, not a relation");
  service_fixture_assert (self, "SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM u)", "2|1");
  service_fixture_script (self, "TRUNCATE TABLE t, u CASCADE");
  service_fixture_assert (self, "SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM u)", "0|0");
  service_fixture_assert (self, "INSERT INTO t (v) VALUES (4) RETURNING id", "3\n1 affected");
  service_fixture_script (self, "TRUNCATE t, u, w, t RESTART IDENTITY RESTRICT");
  service_fixture_assert (self, "INSERT INTO t (v) VALUES (4) RETURNING id", "1\n1 affected");
  service_fixture_assert (self, "INSERT INTO u (v) VALUES (5) RETURNING id", "1\n1 affected");
  /* this sequence is not the table's own */
  service_fixture_assert (self, "INSERT INTO w (id) VALUES (1) RETURNING n", "7\n1 affected");
  service_fixture_script (self, "TRUNCATE t RESTART IDENTITY");
  service_fixture_assert (self, "INSERT INTO t (v) VALUES (6) RETURNING id, v", "1|6\n1 affected");
}

/* What PostgreSQL's programs say of storage. */
static void
test_storage_parameters (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, "CREATE TABLE t (i INT PRIMARY KEY) WITH (fillfactor = 90, "
                                "autovacuum_enabled = false, writes = plain)");
  service_fixture_assert_fails (self, "CREATE TABLE u (i INT PRIMARY KEY) WITH (fill = 90)",
                                KVSQL_ERROR_UNKNOWN_NAME,
                                "relation option \"fill\" does not exist");
  service_fixture_assert_fails (self, "DEFINE RELATION u { i INT KEY } WITH (fillfactor = 90)",
                                KVSQL_ERROR_UNKNOWN_NAME,
                                "relation option \"fillfactor\" does not exist");
}

static void
test_drops (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, CREATE_T ";" FILL);
  service_fixture_script (self, "CREATE TABLE u (a SERIAL PRIMARY KEY); CREATE SEQUENCE s; "
                                "CREATE SEQUENCE z; CREATE VIEW v AS TABLE t; "
                                "CREATE VIEW w AS SELECT * FROM v, u");
  service_fixture_assert_fails (self, "DROP TABLE u, t", KVSQL_ERROR_INVALID,
                                "relation \"u\" is used by view \"w\"");
  service_fixture_assert_fails (self, "DROP TABLE t, nothing CASCADE", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation \"nothing\" does not exist");
  service_fixture_assert (self, "SELECT count(*) FROM w", "0");
  service_fixture_assert_fails (self, "DROP VIEW v", KVSQL_ERROR_INVALID,
                                "view \"v\" is used by view \"w\"");
  service_fixture_script (self, "DROP VIEW v, w; DROP SEQUENCE IF EXISTS s, no, z");
  service_fixture_script (self, "CREATE VIEW v AS SELECT * FROM t, u; DROP TABLE t, u, t CASCADE");
  service_fixture_assert (self, "SHOW RELATIONS", "");
  service_fixture_assert (self, "SHOW VIEWS", "");
}

static void
test_index (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, CREATE_T "; CREATE INDEX ON t (name) INCLUDE (born);" FILL ";"
                                         "CREATE INDEX newest ON t (born DESC, name);"
                                         "CREATE INDEX CONCURRENTLY i ON t (id)");
  assert_created (self, "t_name_idx",
                  "DEFINE SCHEMA t_name_idx FOR t { TABLE 't_name_idx', ROW "
                  "ordered{name}:ordered{id}, FAMILY 'f', VALUE ordered{born} }");
  assert_created (self, "newest",
                  "DEFINE SCHEMA newest FOR t { TABLE 'newest', ROW "
                  "desc{ordered{born}}:ordered{name}:ordered{id}, FAMILY 'f' }");
  assert_filled (self, "t_name_idx");
  assert_filled (self, "newest");
  assert_filled (self, "i");
  service_fixture_assert (self, "SELECT name FROM t WHERE born > '2001-01-01'", "ann");
  service_fixture_assert_fails (self, "CREATE INDEX newest ON t (id)", KVSQL_ERROR_ALREADY_EXISTS,
                                "schema \"newest\" exists already");
  service_fixture_script (self, "CREATE INDEX IF NOT EXISTS newest ON t (id);"
                                "CREATE INDEX ON t (name)");
  assert_filled (self, "t_name_idx1");
  service_fixture_assert_fails (
      self, "DROP INDEX t_pkey", KVSQL_ERROR_INVALID,
      "\"t_pkey\" is no index: it is the primary schema of relation \"t\"");
  service_fixture_script (self, "DROP INDEX newest; CREATE INDEX newest ON t (born)");
  assert_filled (self, "newest");
}

/* A statement with a key that exists writes none of its tuples, if the store can do that. */
static void
test_unique (ServiceFixture *self, gconstpointer data)
{
  static const gchar *const duplicates[] = {
    "INSERT INTO t VALUES ('dan', 4, NULL), ('eve', 1, NULL)",
    "INSERT INTO t VALUES ('dan', 4, NULL), ('eve', 4, NULL)",
    "INSERT INTO t SELECT name, id * id, born FROM t WHERE id >= 1",
    "INSERT INTO t SELECT name, id, born FROM t",
  };

  service_fixture_script (self, CREATE_T "; CREATE INDEX n ON t (name);" FILL);
  for (guint i = 0; i < G_N_ELEMENTS (duplicates); i++)
    {
      g_autoptr (GError) error = service_fixture_fail (self, duplicates[i]);

      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DUPLICATE_KEY);
      g_test_message ("%s", error->message);
      service_fixture_assert (self, "SELECT name, id FROM t ORDER BY id", "bob|-2\nann|1\nann|3");
      assert_filled (self, "n");
    }
  service_fixture_script (
      self, "INSERT INTO t VALUES ('eve', 1, NULL) ON CONFLICT DO NOTHING;"
            "INSERT INTO t VALUES ('dan', 3, NULL) ON CONFLICT (id) DO UPDATE SET name = "
            "excluded.name; DELETE FROM t WHERE id = 1; INSERT INTO t VALUES ('eve', 1, NULL)");
  service_fixture_assert (self, "SELECT name, id FROM t ORDER BY id", "bob|-2\neve|1\ndan|3");
  service_fixture_script (self, "ALTER TABLE t ADD COLUMN x INT");
  service_fixture_assert_fails (self, "INSERT INTO t (name, id) VALUES ('f', 3)",
                                KVSQL_ERROR_DUPLICATE_KEY,
                                "relation \"t\" has a tuple with the key id = 3 already");
  service_fixture_script (self,
                          "CREATE TABLE u (id INT PRIMARY KEY, v INT) WITH (insert = replace);"
                          "INSERT INTO u VALUES (1, 1), (1, 2); INSERT INTO u VALUES (1, 3)");
  service_fixture_assert (self, "SELECT * FROM u", "1|3");
}

/* The client's insertRows, which import uses. */
static void
test_unique_rows (ServiceFixture *self, gconstpointer data)
{
  static const KvsqlType types[] = { KVSQL_TYPE_STRING, KVSQL_TYPE_BIGINT };
  static const gchar *const attributes[] = { "name", "id", NULL };
  KvsqlBatch *rows = kvsql_batch_new (types, 2, 2);
  g_autoptr (GError) error = NULL;
  gint64 affected;

  service_fixture_script (self, CREATE_T ";" FILL);
  rows->n_rows = 2;
  for (guint i = 0; i < 2; i++)
    {
      rows->columns[0].slices[i] = kvsql_slice_from_text ("x");
      rows->columns[1].integers[i] = 7 - 4 * (gint64)i;
    }
  g_assert_false (
      kvsqld_service_insert_rows (self->service, NULL, "t", attributes, rows, &affected, &error));
  kvsql_batch_free (rows);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DUPLICATE_KEY);
  service_fixture_assert (self, "SELECT name, id FROM t ORDER BY id", "bob|-2\nann|1\nann|3");
}

/* Nothing is defined by a statement that fails. */
static void
test_failures (ServiceFixture *self, gconstpointer data)
{
  static const gchar *const statements[] = {
    "CREATE TABLE u (a INT UNIQUE, b INT)",
    "CREATE TABLE u (a INT, PRIMARY KEY (b))",
    "CREATE TABLE u (a INT, PRIMARY KEY (a, a))",
    "CREATE TABLE u (a INT PRIMARY KEY, PRIMARY KEY (a))",
    "CREATE TABLE u (a LIST<INT> PRIMARY KEY)",
    "CREATE TABLE u (a NOTYPE PRIMARY KEY)",
    "CREATE TABLE u (a INT PRIMARY KEY) WITH (insert = twice)",
    "CREATE TABLE u (a INT PRIMARY KEY) WITH (insert = unique, writes = blind)",
    "ALTER TABLE t WITH (insert = replace)",
    "CREATE INDEX i ON u (a)",
    "CREATE INDEX i ON t (x)",
    "CREATE INDEX i ON t (name, NAME)",
    "CREATE INDEX i ON t (name) INCLUDE (x)",
    "CREATE INDEX i ON t (name) INCLUDE (born, born)",
    "CREATE INDEX i ON t (name) INCLUDE (name)",
  };
  g_autofree gchar *before = NULL, *after = NULL;

  service_fixture_script (self, CREATE_T);
  before = service_fixture_run (self, "SHOW SCHEMAS");
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      g_autoptr (GError) error = service_fixture_fail (self, statements[i]);

      g_test_message ("%s: %s", statements[i], error->message);
      g_assert_cmpint (kvsql_error_get_span (error).offset, >=, 0);
    }
  after = service_fixture_run (self, "SHOW SCHEMAS");
  g_assert_cmpstr (before, ==, after);
  service_fixture_assert (self, "SHOW RELATIONS", "t|3|id|t_pkey|1|");
}

/* A relation has at most 256 constraints, each with a name of its own. */
static void
test_many_constraints (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GString) sql = g_string_new ("CREATE TABLE t (a INT PRIMARY KEY, b INT");
  g_autofree gchar *shown = NULL;

  for (guint i = 0; i < 256; i++)
    g_string_append_printf (sql, ", CHECK (b <> %u)", i);
  g_string_append (sql, ", CHECK (b > 0))");
  service_fixture_assert_fails (self, sql->str, KVSQL_ERROR_LIMIT,
                                "relation \"t\" has more than 256 constraints");
  g_string_truncate (sql, sql->len - strlen (", CHECK (b > 0))"));
  g_string_append_c (sql, ')');
  service_fixture_script (self, sql->str);
  service_fixture_assert_fails (self, "ALTER TABLE t ADD CHECK (b > 0)", KVSQL_ERROR_LIMIT,
                                "relation \"t\" has more than 256 constraints");
  shown = service_fixture_run (self, "SHOW CREATE t");
  g_assert_nonnull (strstr (shown, "t_b_check255"));
  service_fixture_script (self, "ALTER TABLE t DROP CONSTRAINT t_b_check7;"
                                "ALTER TABLE t ADD CHECK (b > 0)");
}

/* Far more columns than a relation may have are counted before they are looked at. */
static void
test_many_columns (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GString) sql = g_string_new ("CREATE TABLE t (");
  g_autoptr (GError) error = NULL;
  gint64 start_us;

  for (guint i = 0; i < MANY; i++)
    g_string_append_printf (sql, "a%u INT, ", i);
  for (guint i = 0; i < MANY; i++)
    g_string_append_printf (sql, "%s%u", i == 0 ? "PRIMARY KEY (a" : ", a", MANY - 1 - i);
  g_string_append (sql, "))");
  start_us = g_get_monotonic_time ();
  error = service_fixture_fail (self, sql->str);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 10 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  static const ServiceFixtureTest tests[] = {
    { "table", test_table },
    { "table-again", test_table_again },
    { "key", test_key },
    { "quoted", test_quoted },
    { "index", test_index },
    { "rename", test_rename },
    { "table-as", test_table_as },
    { "table-as-in-time", test_table_as_in_time },
    { "table-as-at-once", test_table_as_at_once },
    { "truncate", test_truncate },
    { "storage-parameters", test_storage_parameters },
    { "drops", test_drops },
    { "failures", test_failures },
    { "unique", test_unique },
    { "unique-rows", test_unique_rows },
    { "many-columns", test_many_columns },
    { "many-constraints", test_many_constraints },
  };

  g_test_init (&argc, &argv, NULL);
  service_fixture_add_tests ("/daemon/create", "rocksdb", tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/daemon/create", "rows", tests, G_N_ELEMENTS (tests));
  service_fixture_add_tests ("/daemon/create", "hbase", tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
