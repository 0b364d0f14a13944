/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-hbase.c: statements on a live HBase, and their errors when it fails. The same cases
 * run on RocksDB, where they differ only in the meaning of a missing table.
 *
 * KVSQL_TEST_HBASE_URL is what tests/live/hbase printed; without it the cases on HBase are skipped.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/relay.h"
#include "tests/harness/service-fixture.h"

#define N_ROWS 3000
#define N_WIDE 5000

/* ---- the store as it is: "table row family:qualifier value" by line */

static void
append_readable (GString *out, KvsqlSlice bytes, const gchar *after)
{
  g_autofree gchar *text = kvsql_readable (bytes);

  g_string_append_printf (out, "%s%s", text, after);
}

static void
dump_table (KvsqlStore *store, KvsqlSlice table, GString *out)
{
  KvsqlRowRange everything = { 0 };
  KvsqlScanSpec spec = { .table = table, .ranges = &everything, .n_ranges = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, NULL, &error);
  const KvsqlRows *rows;

  g_assert_no_error (error);
  do
    {
      assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
      for (guint r = 0; r < rows->n_rows; r++)
        for (guint c = 0; c < rows->rows[r].n_cells; c++)
          {
            const KvsqlCell *cell = &rows->cells[rows->rows[r].first_cell + c];
            append_readable (out, table, " ");
            append_readable (out, rows->rows[r].key, " ");
            append_readable (out, cell->family, ":");
            append_readable (out, cell->qualifier, " ");
            append_readable (out, cell->value, "\n");
          }
    }
  while (rows->n_rows > 0);
}

static void
assert_cells (ServiceFixture *fixture, const gchar *expected)
{
  KvsqlStore *store = fixture->service->store;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) tables = kvsql_store_list_tables (store, KVSQL_SLICE_EMPTY, NULL, &error);
  g_autoptr (GString) cells = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < tables->len; i++)
    {
      gsize size;
      gconstpointer data = g_bytes_get_data (tables->pdata[i], &size);
      KvsqlSlice name = kvsql_slice (data, size);

      /* anchors and the log of checked writes */
      if (!kvsql_slice_has_prefix (name, KVSQL_SLICE_LITERAL ("kvsql_")))
        dump_table (store, name, cells);
    }
  g_assert_cmpstr (cells->str, ==, expected);
}

static void
drop_table (ServiceFixture *fixture, const gchar *name)
{
  g_autoptr (GError) error = NULL;

  assert_done (
      kvsql_store_drop_table (fixture->service->store, kvsql_slice_from_text (name), NULL, &error),
      error);
}

static void
assert_number (ServiceFixture *fixture, const gchar *sql, guint expected)
{
  g_autofree gchar *rows = service_fixture_run (fixture, sql);
  guint n = rows[0] != '\0';

  for (const gchar *at = rows; *at != '\0'; at++)
    n += *at == '\n';
  g_assert_cmpuint (n, ==, expected);
}

/* @n tuples in a few statements. */
static void
insert_many (ServiceFixture *fixture, const gchar *relation, guint n, gchar *(*tuple) (guint))
{
  for (guint i = 0; i < n;)
    {
      g_autoptr (GString) sql = g_string_new (NULL);
      g_autofree gchar *answer = NULL;
      guint first = i;

      g_string_printf (sql, "INSERT INTO %s VALUES ", relation);
      for (; i < n && i < first + 1000; i++)
        {
          g_autofree gchar *text = tuple (i);
          g_string_append_printf (sql, "%s%s", i == first ? "" : ", ", text);
        }
      answer = service_fixture_run (fixture, sql->str);
    }
}

/* ---- as published */

static const gchar published[]
    = "DEFINE RELATION r { k1 STRING key, k2 STRING key, v1 STRING, v2 INT };\n"
      "DEFINE PRIMARY SCHEMA s1 FOR r { TABLE 's1', ROW suffix('-'){k1}:k2, FAMILY 'f', QUALIFIER "
      "'', VALUE suffix('-'){v1}:v2 };\n"
      "DEFINE SCHEMA s2 FOR r { TABLE 's2', ROW size{k2}:k1, FAMILY 'f', QUALIFIER "
      "attr_name['k1','k2'], VALUE attr_value['k1','k2'] };\n";

static void
test_published (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_script (fixture, published);
  service_fixture_assert (fixture, "SELECT * FROM r", "");
  service_fixture_assert (fixture, "INSERT INTO r VALUES ('a1','b','x',100)", "1 affected");
  assert_cells (fixture, "s1 a1-b f: x-\\x00\\x00\\x00d\n"
                         "s2 \\x01ba1 f:v1 x\n"
                         "s2 \\x01ba1 f:v2 \\x00\\x00\\x00d\n");
  service_fixture_assert (fixture, "INSERT INTO r VALUES ('a2','b','y-z',-1), ('a3','c','',0)",
                          "2 affected");
  service_fixture_assert (fixture, "SELECT * FROM r WHERE K2='b' AND K1>='a0' AND K1<='a2'",
                          "a1|b|x|100\na2|b|y-z|-1");
  service_fixture_assert (fixture, "SELECT * FROM r USING SCHEMA s1 WHERE v2 < 100 ORDER BY v2",
                          "a2|b|y-z|-1\na3|c||0");
  service_fixture_assert (fixture, "SELECT v2 FROM r USING SCHEMA s2 ORDER BY k1 DESC LIMIT 2",
                          "0\n-1");
  service_fixture_assert (fixture, "DELETE FROM r WHERE k1='a1' AND k2='b'", "1 affected");
  service_fixture_assert (fixture, "DELETE FROM r WHERE v2 = 0", "1 affected");
  assert_cells (fixture, "s1 a2-b f: y-z-\\xff\\xff\\xff\\xff\n"
                         "s2 \\x01ba2 f:v1 y-z\n"
                         "s2 \\x01ba2 f:v2 \\xff\\xff\\xff\\xff\n");
}

static const gchar apdata[]
    = "define relation apdata { service string key, dev string key, path string key, dt string "
      "key, indicator string key, target_type string key, target_value string key, hour string "
      "key, val string };\n"
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
  assert_cells (fixture, "anapat service1-pc-/a/b-2014-05-01-dau-all- a: 100\n"
                         "anapat service1-pc-/a/b-2014-05-01-dau-all- a:13 7\n"
                         "anapat service1-sp-/-2014-05-02-unknown1-user-u-1 a: 3\n");
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

/* ---- writing over what is there */

static void
test_replace (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_script (
      fixture, "DEFINE RELATION w { k STRING KEY, a STRING, b INT DEFAULT 7 };"
               "DEFINE PRIMARY SCHEMA w1 FOR w { TABLE 'w', ROW k, FAMILY 'f', QUALIFIER "
               "attr_name['k'], VALUE attr_value['k'] };"
               "INSERT INTO w VALUES ('k', 'old', 1); INSERT INTO w VALUES ('k', 'new', NULL);");
  assert_cells (fixture, "w k f:a new\n");
  service_fixture_script (fixture, "INSERT INTO w (k) VALUES ('k')");
  assert_cells (fixture, "w k f:b \\x00\\x00\\x00\\x07\n");
  for (guint i = 0; i < 50; i++)
    {
      g_autofree gchar *insert = g_strdup_printf ("INSERT INTO w VALUES ('k', '%u', %u)", i, i);
      g_autofree gchar *expected = g_strdup_printf ("k|%u|%u", i, i);

      service_fixture_assert (fixture, "DELETE FROM w WHERE k = 'k'", "1 affected");
      service_fixture_script (fixture, insert);
      service_fixture_assert (fixture, "SELECT * FROM w", expected);
      service_fixture_script (fixture, "INSERT INTO w VALUES ('k', NULL, 1)");
      service_fixture_assert (fixture, "SELECT * FROM w", "k|NULL|1");
      service_fixture_script (fixture, insert);
      service_fixture_assert (fixture, "SELECT * FROM w", expected);
    }
}

static void
test_move (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_script (
      fixture, "DEFINE RELATION job { id STRING KEY, state STRING NOT NULL, note STRING };"
               "DEFINE PRIMARY SCHEMA job_id FOR job { TABLE 'job', ROW id, FAMILY 'f', QUALIFIER "
               "attr_name['id'], VALUE attr_value['id'] };"
               "DEFINE SCHEMA job_state FOR job { TABLE 'job_state', ROW suffix(':'){state}:id, "
               "FAMILY 'f', QUALIFIER '', VALUE '' };"
               "INSERT INTO job VALUES ('1', 'new', 'a'), ('2', 'new', NULL), ('3', 'done', 'c');");
  service_fixture_assert (fixture, "SELECT id FROM job WHERE state = 'new'", "1\n2");
  service_fixture_assert (fixture, "INSERT INTO job VALUES ('1','done','a2'), ('2','new','b')",
                          "2 affected");
  assert_cells (fixture, "job 1 f:note a2\njob 1 f:state done\n"
                         "job 2 f:note b\njob 2 f:state new\n"
                         "job 3 f:note c\njob 3 f:state done\n"
                         "job_state done:1 f: \njob_state done:3 f: \njob_state new:2 f: \n");
  for (guint i = 0; i < 20; i++)
    {
      service_fixture_script (fixture, "INSERT INTO job VALUES ('1','new',NULL)");
      service_fixture_assert (fixture, "SELECT id FROM job WHERE state = 'new'", "1\n2");
      service_fixture_script (fixture, "INSERT INTO job VALUES ('1','done','x')");
      service_fixture_assert (fixture, "SELECT id FROM job WHERE state = 'done'", "1\n3");
    }
  service_fixture_assert (fixture, "DELETE FROM job WHERE state = 'done'", "2 affected");
  assert_cells (fixture, "job 2 f:note b\njob 2 f:state new\njob_state new:2 f: \n");
}

/* ---- tables and families that tuples name */

static void
test_named_tables (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_script (
      fixture, "DEFINE RELATION log { day STRING KEY, id STRING KEY, state STRING };"
               "DEFINE PRIMARY SCHEMA by_day FOR log { TABLE 't_':day, ROW id, FAMILY 'f', "
               "QUALIFIER '', VALUE state };");
  service_fixture_assert (fixture, "SELECT * FROM log", "");
  service_fixture_assert (fixture, "SELECT * FROM log WHERE day = 'mon'", "");
  service_fixture_assert (fixture, "DELETE FROM log WHERE day = 'mon' AND id = 'x'", "0 affected");
  service_fixture_assert (fixture, "INSERT INTO log VALUES ('mon','1','a'), ('tue','2','b')",
                          "2 affected");
  service_fixture_assert (fixture, "SELECT * FROM log WHERE day IN ('mon', 'wed')", "mon|1|a");
  service_fixture_assert (fixture, "SELECT * FROM log ORDER BY id", "mon|1|a\ntue|2|b");
  assert_cells (fixture, "t_mon 1 f: a\nt_tue 2 f: b\n");
  drop_table (fixture, "t_mon");
  service_fixture_assert (fixture, "SELECT * FROM log WHERE day = 'mon'", "");
  service_fixture_assert (fixture, "SELECT * FROM log", "tue|2|b");
  service_fixture_assert (fixture, "INSERT INTO log VALUES ('mon','3','c')", "1 affected");
  service_fixture_assert (fixture, "SELECT * FROM log WHERE day = 'mon'", "mon|3|c");
}

/* An attribute in TABLE that is not a key: the tuple moves from table to table. */
static void
test_moves_between_tables (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_script (
      fixture, "DEFINE RELATION task { id STRING KEY, state STRING NOT NULL };"
               "DEFINE PRIMARY SCHEMA task_state FOR task { TABLE 'task_':state, ROW id, FAMILY "
               "'f', QUALIFIER '', VALUE '' };"
               "INSERT INTO task VALUES ('1', 'open'), ('2', 'open');"
               "INSERT INTO task VALUES ('1', 'done')");
  assert_cells (fixture, "task_done 1 f: \ntask_open 2 f: \n");
  service_fixture_assert (fixture, "SELECT * FROM task WHERE state IN ('done', 'never')", "1|done");
  service_fixture_assert (fixture, "SELECT state FROM task WHERE id = '1'", "done");
}

static void
test_named_families (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_script (
      fixture, "DEFINE RELATION m { k STRING KEY, kind STRING KEY, v STRING };"
               "DEFINE PRIMARY SCHEMA m1 FOR m { TABLE 'm', ROW k, FAMILY kind, QUALIFIER 'v', "
               "VALUE v };"
               "DEFINE SCHEMA m2 FOR m { TABLE 'm_kind', ROW suffix('/'){kind}:k, FAMILY 'f', "
               "QUALIFIER '', VALUE v };");
  service_fixture_assert (fixture, "SELECT * FROM m USING SCHEMA m1", "");
  service_fixture_assert (fixture, "SELECT * FROM m USING SCHEMA m1 WHERE k = '1' AND kind = 'x'",
                          "");
  service_fixture_assert (fixture, "INSERT INTO m VALUES ('1', 'x', 'a'), ('1', 'y', 'b')",
                          "2 affected");
  assert_cells (fixture, "m 1 x:v a\nm 1 y:v b\nm_kind x/1 f: a\nm_kind y/1 f: b\n");
  service_fixture_assert (fixture, "SELECT v FROM m USING SCHEMA m1 WHERE kind = 'y'", "b");
  service_fixture_assert (fixture, "SELECT v FROM m USING SCHEMA m1 WHERE kind IN ('y', 'z')", "b");
  service_fixture_assert (fixture, "SELECT v FROM m USING SCHEMA m1 WHERE k = '1' AND kind = 'z'",
                          "");
  service_fixture_assert (fixture, "DELETE FROM m WHERE k = '1' AND kind = 'z'", "0 affected");
  service_fixture_assert (fixture, "INSERT INTO m VALUES ('1', 'z', 'c')", "1 affected");
  service_fixture_assert (fixture, "SELECT v FROM m USING SCHEMA m1 WHERE k = '1'", "a\nb\nc");
}

/* A value that cannot be a name in HBase is an error, and the statement's other tuples are not
 * written. */
static void
test_bad_names (ServiceFixture *fixture, gconstpointer store_url)
{
  static const gchar *const statements[] = {
    "INSERT INTO n VALUES ('a', 'f', '1'), ('b c', 'f', '2')",
    "INSERT INTO n VALUES ('a', 'f', '1'), ('b', 'g/h', '2')",
    "INSERT INTO n VALUES ('a', 'f', '1'), ('b', '.g', '2')",
  };

  service_fixture_script (
      fixture, "DEFINE RELATION n { day STRING KEY, kind STRING KEY, v STRING };"
               "DEFINE PRIMARY SCHEMA n1 FOR n { TABLE 'n_':day, ROW '1', FAMILY kind, QUALIFIER "
               "'', VALUE v };");
  for (guint i = 0; i < G_N_ELEMENTS (statements) && fixture->is_shared; i++)
    {
      g_autoptr (GError) error = service_fixture_fail (fixture, statements[i]);

      g_test_message ("%s -> %s", statements[i], error->message);
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_VALUE);
      g_assert_nonnull (strstr (error->message, "in HBase"));
      g_assert_nonnull (kvsql_error_get_hint (error));
    }
  service_fixture_assert (fixture, "SELECT * FROM n", "");
  service_fixture_assert (fixture, "SELECT * FROM n WHERE day = 'b c' AND kind = 'f'", "");
  service_fixture_assert (fixture, "INSERT INTO n VALUES ('a', 'f', '1')", "1 affected");
  service_fixture_assert (fixture, "SELECT * FROM n WHERE day = 'a' AND kind = 'g/h'", "");
  service_fixture_assert (fixture, "SELECT * FROM n WHERE kind IN ('f', 'a:b')", "a|f|1");
}

/* A table that a tuple names may already exist for another schema, with other families. */
static void
test_shared_table (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_script (fixture,
                          "DEFINE RELATION s { a STRING KEY, b STRING KEY };"
                          "DEFINE PRIMARY SCHEMA s1 FOR s { TABLE 'all':a, ROW '1':b, FAMILY 'f' };"
                          "DEFINE SCHEMA s2 FOR s { TABLE 'all', ROW '2':size{a}:b, FAMILY 'g' };");
  service_fixture_assert (fixture, "SELECT * FROM s USING SCHEMA s1", "");
  service_fixture_assert (fixture, "INSERT INTO s VALUES ('x', 'y')", "1 affected");
  service_fixture_assert (fixture, "SELECT * FROM s USING SCHEMA s1", "x|y");
  service_fixture_assert (fixture, "SELECT * FROM s USING SCHEMA s1 WHERE a = ''", "");
  service_fixture_assert (fixture, "INSERT INTO s VALUES ('', 'z')", "1 affected");
  service_fixture_assert (fixture, "SELECT * FROM s USING SCHEMA s1 ORDER BY a", "|z\nx|y");
  service_fixture_assert (fixture, "SELECT * FROM s USING SCHEMA s2 ORDER BY a", "|z\nx|y");
}

/* ---- many */

static gchar *
wide_tuple (guint i)
{
  return g_strdup_printf ("('row', 'q%05u', %u)", i, i);
}

static void
test_wide_row (ServiceFixture *fixture, gconstpointer store_url)
{
  static const KvsqldRequest small_pages = { .max_rows = 700 };
  const gchar *sql = "SELECT q FROM wide WHERE k = 'row'";
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;
  guint n = 0;

  service_fixture_script (
      fixture, "DEFINE RELATION wide { k STRING KEY, q STRING KEY, v INT };"
               "DEFINE PRIMARY SCHEMA wide1 FOR wide { TABLE 'wide', ROW k, FAMILY 'f', QUALIFIER "
               "q, VALUE v };");
  insert_many (fixture, "wide", N_WIDE, wide_tuple);
  assert_number (fixture, sql, N_WIDE);
  service_fixture_assert (fixture, "SELECT v FROM wide WHERE k='row' AND q='q04999'", "4999");
  service_fixture_assert (fixture, "SELECT v FROM wide WHERE q>='q00010' AND q<'q00012'", "10\n11");

  page = kvsqld_service_query (fixture->service, &small_pages, kvsql_slice_from_text (sql), NULL, 0,
                               &error);
  for (guint i = 0;; i++)
    {
      g_autoptr (GBytes) cursor = NULL;
      gconstpointer data;
      gsize size;

      g_assert_no_error (error);
      n += page->rows->n_rows;
      if (page->cursor == NULL)
        break;
      cursor = g_bytes_ref (page->cursor);
      data = g_bytes_get_data (cursor, &size);
      if (i % 2 == 0)
        service_fixture_reopen (fixture);
      kvsql_result_page_free (page);
      page
          = kvsqld_service_fetch (fixture->service, &small_pages, kvsql_slice (data, size), &error);
    }
  g_assert_cmpuint (n, ==, N_WIDE);
}

static gchar *
long_tuple (guint i)
{
  return g_strdup_printf ("('k%05u', %u, 'v%u')", i, i % 7, i);
}

/* Fetches every page by its cursor. @cold: from a service that was closed and opened again. */
static void
walk (ServiceFixture *fixture, const gchar *sql, guint page_rows, gboolean cold, guint expected)
{
  KvsqldRequest request = { .max_rows = page_rows };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      fixture->service, &request, kvsql_slice_from_text (sql), NULL, 0, &error);
  g_autofree gchar *last = g_strdup ("");
  guint n = 0;

  for (;;)
    {
      g_autoptr (GBytes) cursor = NULL;
      gconstpointer data;
      gsize size;

      g_assert_no_error (error);
      g_assert_cmpuint (page->rows->n_rows, <=, page_rows);
      for (guint row = 0; row < page->rows->n_rows; row++, n++)
        {
          KvsqlValue value = kvsql_vector_get (&page->rows->columns[0], row);
          g_autofree gchar *key = g_strndup ((gchar *)value.bytes.data, value.bytes.size);
          g_assert_cmpstr (last, <, key);
          g_free (last);
          last = g_steal_pointer (&key);
        }
      if (page->cursor == NULL)
        break;
      cursor = g_bytes_ref (page->cursor);
      data = g_bytes_get_data (cursor, &size);
      if (cold)
        service_fixture_reopen (fixture);
      kvsql_result_page_free (page);
      page = kvsqld_service_fetch (fixture->service, &request, kvsql_slice (data, size), &error);
    }
  g_assert_cmpuint (n, ==, expected);
}

static void
define_long (ServiceFixture *fixture)
{
  service_fixture_script (
      fixture, "DEFINE RELATION l { k STRING KEY, n INT, v STRING };"
               "DEFINE PRIMARY SCHEMA l1 FOR l { TABLE 'l', ROW k, FAMILY 'f', QUALIFIER '', VALUE "
               "n:v };"
               "DEFINE SCHEMA l2 FOR l { TABLE 'l2', ROW n:k, FAMILY 'f', QUALIFIER '', "
               "VALUE v };");
  insert_many (fixture, "l", N_ROWS, long_tuple);
}

static void
test_many_rows (ServiceFixture *fixture, gconstpointer store_url)
{
  g_autoptr (GString) in = g_string_new ("SELECT k FROM l WHERE k IN (");

  define_long (fixture);
  walk (fixture, "SELECT k FROM l USING SCHEMA l1", 37, FALSE, N_ROWS);
  walk (fixture, "SELECT k FROM l USING SCHEMA l1", 370, TRUE, N_ROWS);
  walk (fixture, "SELECT k FROM l USING SCHEMA l1 WHERE n = 3", 20, FALSE, 429);
  walk (fixture, "SELECT k FROM l USING SCHEMA l2 WHERE n = 3", 100, TRUE, 429);
  walk (fixture, "SELECT k FROM l WHERE n < 3 ORDER BY k", 300, TRUE, 1287);
  walk (fixture, "SELECT k FROM l USING SCHEMA l1 LIMIT 1500", 199, FALSE, 1500);

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (in, "%s'k%05u'", i == 0 ? "" : ", ", i * 11);
  g_string_append (in, ")");
  assert_number (fixture, in->str, 273);
  service_fixture_assert (fixture, "SELECT k, n FROM l ORDER BY n DESC, k DESC LIMIT 2 OFFSET 1",
                          "k02988|6\nk02981|6");
  service_fixture_assert (fixture, "SELECT k FROM l WHERE k > 'k00010' AND k < 'k00011'", "");
  service_fixture_assert (fixture, "SELECT k FROM l WHERE k >= 'b' AND k < 'a'", "");
  service_fixture_assert (fixture, "SELECT k FROM l WHERE k >= 'k00010' AND k <= 'k00010'",
                          "k00010");
  service_fixture_assert (fixture, "SELECT k FROM l WHERE k > 'x'", "");
  service_fixture_assert (fixture, "DELETE FROM l WHERE n = 3 AND k < 'k02'", "286 affected");
  assert_number (fixture, "SELECT k FROM l USING SCHEMA l1", N_ROWS - 286);
  assert_number (fixture, "SELECT k FROM l USING SCHEMA l2", N_ROWS - 286);
}

/* ---- a dropped table */

/* A checked DELETE needs none: its anchor has the tuple. */
static void
test_dropped_table (ServiceFixture *fixture, gconstpointer store_url)
{
  static const gchar *const reads[] = {
    "SELECT * FROM r",
    "SELECT * FROM r USING SCHEMA s1",
    "SELECT * FROM r USING SCHEMA s1 WHERE k1 = 'a' AND k2 = 'b'",
    "SELECT * FROM r USING SCHEMA s1 WHERE k1 = 'a' LIMIT 3",
  };

  service_fixture_script (fixture, published);
  service_fixture_script (fixture, "INSERT INTO r VALUES ('a', 'b', 'x', 1)");
  drop_table (fixture, "s1");
  drop_table (fixture, "s2");
  for (guint i = 0; i < G_N_ELEMENTS (reads) && fixture->is_shared; i++)
    {
      g_autoptr (GError) error = service_fixture_fail (fixture, reads[i]);

      g_test_message ("%s -> %s", reads[i], error->message);
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
      g_assert_nonnull (strstr (error->message, ":s"));
      g_assert_nonnull (strstr (error->message, "does not exist in the store"));
      g_assert_nonnull (kvsql_error_get_hint (error));
    }
  service_fixture_script (fixture, "INSERT INTO r VALUES ('a', 'b', 'y', 2)");
  service_fixture_assert (fixture, "SELECT * FROM r USING SCHEMA s1", "a|b|y|2");
  service_fixture_assert (fixture, "SELECT * FROM r USING SCHEMA s2", "a|b|y|2");
  drop_table (fixture, "s2");
  service_fixture_assert (fixture, "DELETE FROM r WHERE k1 = 'a' AND k2 = 'b'", "1 affected");
  service_fixture_assert (fixture, "SELECT * FROM r USING SCHEMA s2", "");
}

/* The old tuple is read from a table that does not exist. */
static void
test_dropped_table_of_moving_tuples (ServiceFixture *fixture, gconstpointer store_url)
{
  service_fixture_script (fixture,
                          "DEFINE RELATION job { id STRING KEY, state STRING NOT NULL };"
                          "DEFINE PRIMARY SCHEMA job_state FOR job { TABLE 'job_state', ROW "
                          "suffix(':'){state}:id, FAMILY 'f', QUALIFIER '', VALUE '' };"
                          "INSERT INTO job VALUES ('1', 'new')");
  drop_table (fixture, "job_state");
  service_fixture_script (fixture, "INSERT INTO job VALUES ('1', 'done')");
  service_fixture_assert (fixture, "SELECT * FROM job", "1|done");
}

static void
test_tables_not_made (ServiceFixture *fixture, gconstpointer store_url)
{
  g_autoptr (GError) error = NULL;

  service_fixture_script (
      fixture, "DEFINE RELATION x { k STRING KEY, v STRING };"
               "DEFINE PRIMARY SCHEMA x1 FOR x { TABLE 'x', ROW k, FAMILY 'f', QUALIFIER '', VALUE "
               "v } WITH (create_tables = false);");
  if (!fixture->is_shared)
    return;
  error = service_fixture_fail (fixture, "INSERT INTO x VALUES ('1', 'a')");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, "does not exist in the store"));
  g_assert_nonnull (kvsql_error_get_hint (error));
}

/* ---- an HBase through a relay */

typedef struct
{
  Relay *relay; /* to the first gateway */
  gchar *url;   /* through it */
  ServiceFixture fixture;
} Relayed;

static void
open_relayed_store (Relayed *self)
{
  g_autofree gchar *url = service_fixture_hbase_url ();
  g_autofree gchar *server
      = g_strndup (url + strlen ("hbase://"), strcspn (url + strlen ("hbase://"), ",?"));

  self->relay = relay_new (server);
  self->url
      = g_strdup_printf ("hbase://127.0.0.1:%u%s", relay_get_port (self->relay), strchr (url, '?'));
}

static void
open_relayed (Relayed *self)
{
  service_fixture_open (&self->fixture, self->url);
  self->fixture.is_shared = TRUE;
}

static void
close_relayed (Relayed *self)
{
  service_fixture_close (&self->fixture);
  relay_free (self->relay);
  g_free (self->url);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Relayed, close_relayed)

static void
assert_away (ServiceFixture *fixture, const gchar *sql, const gchar *address, gint64 timeout_ms)
{
  KvsqldRequest request = { .timeout_ms = timeout_ms };
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time (), took_ms;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      fixture->service, &request, kvsql_slice_from_text (sql), NULL, 0, &error);

  took_ms = (g_get_monotonic_time () - start) / 1000;
  g_assert_null (page);
  g_test_message ("%s\n-> %s (code %d, %" G_GINT64_FORMAT " ms)", sql, error->message, error->code,
                  took_ms);
  g_assert_true (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE)
                 || g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE)
                 || g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME));
  /* what a statement before has left may still hold the key */
  if (kvsql_error_get_detail (error) == NULL
      || strstr (kvsql_error_get_detail (error), "waited for a key") == NULL)
    g_assert_nonnull (strstr (error->message, address));
  g_assert_cmpint (took_ms, <, timeout_ms + 10000);
}

/* The pool tries a gateway that was away again after a while. */
static void
await_back (ServiceFixture *fixture)
{
  gint64 limit_us = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  g_autoptr (KvsqlResultPage) page = NULL;

  while (page == NULL)
    {
      g_autoptr (GError) error = NULL;

      page = kvsqld_service_query (
          fixture->service, NULL, KVSQL_SLICE_LITERAL ("SELECT * FROM r LIMIT 1"), NULL, 0, &error);
      if (page == NULL)
        g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
      g_assert_cmpint (g_get_monotonic_time (), <, limit_us);
    }
}

static void
test_away (void)
{
  g_auto (Relayed) relayed = { 0 };
  g_autofree gchar *address = NULL;
  static const RelayMode modes[] = { RELAY_DOWN, RELAY_HANG };
  static const gchar *const statements[] = {
    "SELECT * FROM r USING SCHEMA s1 WHERE k1 = 'a' AND k2 = 'b'",
    "SELECT * FROM r",
    "INSERT INTO r VALUES ('a', 'b', 'z', 3)",
    "DELETE FROM r WHERE k1 = 'a' AND k2 = 'b'",
    "CREATE TABLE other (k INT PRIMARY KEY)",
    "CREATE INDEX other ON r (k2)",
  };

  open_relayed_store (&relayed);
  address = g_strdup_printf ("127.0.0.1:%u", relay_get_port (relayed.relay));
  open_relayed (&relayed);
  service_fixture_script (&relayed.fixture, published);
  for (guint m = 0; m < G_N_ELEMENTS (modes); m++)
    {
      service_fixture_script (&relayed.fixture, "INSERT INTO r VALUES ('a', 'b', 'x', 1)");
      relay_set_mode (relayed.relay, modes[m]);
      for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
        assert_away (&relayed.fixture, statements[i], address, 1000);
      relay_set_mode (relayed.relay,
                      RELAY_DOWN); /* a request that hung must not be executed later */
      relay_set_mode (relayed.relay, RELAY_PASS);
      await_back (&relayed.fixture);
      service_fixture_assert (&relayed.fixture, "SELECT * FROM r", "a|b|x|1");
      service_fixture_assert (&relayed.fixture, "INSERT INTO r VALUES ('a', 'b', 'y', 2)",
                              "1 affected");
      service_fixture_assert (&relayed.fixture, "SELECT * FROM r USING SCHEMA s2", "a|b|y|2");
    }
}

/* A statement that ends early asks HBase for no page that it does not need. */
static void
test_limit_asks_no_more (void)
{
  static const struct
  {
    guint limit; /* 0: none */
    guint n_pages;
  } cases[] = { { 10, 0 }, { 128, 0 }, { 300, 0 }, { 1000, 0 }, { 0, 2 } };
  g_auto (Relayed) relayed = { 0 };

  open_relayed_store (&relayed);
  relay_count (relayed.relay, "getScannerRows");
  open_relayed (&relayed);
  service_fixture_fill (&relayed.fixture, 1024, "v");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *sql = cases[i].limit > 0
                                  ? g_strdup_printf ("SELECT * FROM r LIMIT %u", cases[i].limit)
                                  : g_strdup ("SELECT * FROM r");
      guint n_before = relay_get_n_counted (relayed.relay, "getScannerRows");

      assert_number (&relayed.fixture, sql, cases[i].limit > 0 ? cases[i].limit : 1024);
      g_assert_cmpuint (relay_get_n_counted (relayed.relay, "getScannerRows") - n_before, ==,
                        cases[i].n_pages);
    }
}

static guint
execute (ServiceFixture *fixture, gint64 statement)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_execute (fixture->service, NULL, statement, NULL, 0, &error);

  g_assert_no_error (error);
  return page->rows->n_rows;
}

/* From the second execution on, one answer has all rows that the first execution found. */
static void
test_prepared_knows_how_many (void)
{
  g_auto (Relayed) relayed = { 0 };
  static const guint n_pages[] = { 2, 0, 0 };
  g_autoptr (KvsqldPrepared) prepared = NULL;
  g_autoptr (GError) error = NULL;

  open_relayed_store (&relayed);
  relay_count (relayed.relay, "getScannerRows");
  open_relayed (&relayed);
  service_fixture_fill (&relayed.fixture, 1024, "v");
  prepared = kvsqld_service_prepare (relayed.fixture.service, NULL,
                                     KVSQL_SLICE_LITERAL ("SELECT * FROM r WHERE k < 900"), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (n_pages); i++)
    {
      guint n_before = relay_get_n_counted (relayed.relay, "getScannerRows");

      g_assert_cmpuint (execute (&relayed.fixture, prepared->id), ==, 900);
      g_assert_cmpuint (relay_get_n_counted (relayed.relay, "getScannerRows") - n_before, ==,
                        n_pages[i]);
    }
}

/* A service that starts while HBase is away works after HBase has started. */
static void
test_away_at_start (void)
{
  g_auto (Relayed) relayed = { 0 };

  open_relayed_store (&relayed);
  relay_set_mode (relayed.relay, RELAY_DOWN);
  open_relayed (&relayed);
  /* a table that could not be made is a warning */
  service_fixture_script (
      &relayed.fixture,
      "DEFINE RELATION r { k1 STRING KEY, k2 STRING KEY, v1 STRING, v2 INT };"
      "DEFINE PRIMARY SCHEMA s1 FOR r { TABLE 's1', ROW suffix('-'){k1}:k2, FAMILY 'f', "
      "QUALIFIER '', VALUE suffix('-'){v1}:v2 };");
  relay_set_mode (relayed.relay, RELAY_PASS);
  service_fixture_assert (&relayed.fixture, "INSERT INTO r VALUES ('a', 'b', 'y', 2)",
                          "1 affected");
  service_fixture_assert (&relayed.fixture, "SELECT * FROM r", "a|b|y|2");
}

/* ---- */

/* What others see in the store: families and regions, which only HBase has. */
static void
test_store_tables (ServiceFixture *self, gconstpointer store_url)
{
  gboolean is_hbase = g_str_equal (store_url, "hbase");

  service_fixture_script (self, "DEFINE RELATION r { k STRING KEY, v INT } WITH (writes = plain);"
                                "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW k, FAMILY 'f', "
                                "VALUE text{v} } WITH (splits = 'g,n');"
                                "INSERT INTO r VALUES ('a', 1), ('z', 2)");
  service_fixture_assert (self, "SHOW TABLES LIKE 't'", is_hbase ? "t|f|3|2|s" : "t|f|NULL|2|s");
  service_fixture_assert (self, "DESCRIBE TABLE 't'",
                          is_hbase ? "TABLE|t|\nROWS|2|\nFAMILIES|f|\nCOLUMN|f:|in 2 of 2 rows\n"
                                     "REGION|from \"\"|\nREGION|from \"g\"|\n"
                                     "REGION|from \"n\"|\nSCHEMA|s|of relation r"
                                   : "TABLE|t|\nROWS|2|\nFAMILIES|f|\nCOLUMN|f:|in 2 of 2 rows\n"
                                     "SCHEMA|s|of relation r");
  service_fixture_assert (self, "SELECT row, family, qualifier, value FROM TABLE 't'",
                          "x'61'|f|x''|x'31'\nx'7a'|f|x''|x'32'");
  service_fixture_assert_fails (self, "SELECT * FROM TABLE 'nosuch'", KVSQL_ERROR_UNKNOWN_NAME,
                                "the store has no table \"nosuch\"");
}

static void
add (const gchar *store_url, const gchar *path,
     void (*function) (ServiceFixture *fixture, gconstpointer store_url))
{
  g_autofree gchar *whole = g_strdup_printf ("/daemon/service/%s/%s", store_url, path);

  g_test_add (whole, ServiceFixture, store_url, service_fixture_set_up, function,
              service_fixture_tear_down);
}

static void
add_all (const gchar *store_url)
{
  add (store_url, "bytes/published", test_published);
  add (store_url, "bytes/apdata", test_apdata);
  add (store_url, "write/replace", test_replace);
  add (store_url, "write/move", test_move);
  add (store_url, "tables/named", test_named_tables);
  add (store_url, "tables/moves-between", test_moves_between_tables);
  add (store_url, "families/named", test_named_families);
  add (store_url, "tables/bad-names", test_bad_names);
  add (store_url, "tables/shared", test_shared_table);
  add (store_url, "many/wide-row", test_wide_row);
  add (store_url, "many/rows", test_many_rows);
  add (store_url, "tables/dropped", test_dropped_table);
  add (store_url, "tables/dropped-of-moving-tuples", test_dropped_table_of_moving_tuples);
  add (store_url, "tables/not-made", test_tables_not_made);
  add (store_url, "tables/of-the-store", test_store_tables);
}

static void
test_skip (void)
{
  g_test_skip ("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_all ("rocksdb");
  if (g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    {
      g_test_add_func ("/daemon/service/hbase", test_skip);
      return g_test_run ();
    }
  add_all ("hbase");
  g_test_add_func ("/daemon/service/hbase/limit-asks-no-more", test_limit_asks_no_more);
  g_test_add_func ("/daemon/service/hbase/prepared-knows-how-many", test_prepared_knows_how_many);
  g_test_add_func ("/daemon/service/hbase/away", test_away);
  g_test_add_func ("/daemon/service/hbase/away-at-start", test_away_at_start);
  return g_test_run ();
}
