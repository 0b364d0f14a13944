/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-slt.c: a sample of SQLite's sqllogictest on every layout, and the parts of its runner.
 *
 * KVSQL_TEST_SLT_PERCENT is the percentage of queries that are run, of KVSQL_TEST_SLT_FILES of the
 * 65 files of the index group, which KVSQL_TEST_SEED chooses. tests/slt/run runs all of them. On
 * HBase, KVSQL_TEST_SLT_FILES=65 runs a twentieth of the whole group in a quarter of an hour.
 */
#include "config.h"

#include "tests/harness/assert.h"
#include "tests/size.h"
#include "tests/slt/answer.h"
#include "tests/slt/runner.h"
#include "tests/slt/table.h"

#include <glib/gstdio.h>

#include <stdlib.h>
#include <string.h>

#define DEFAULT_PERCENT 1.0
#define DEFAULT_FILES 4
#define FILES_WITH_DELETE 20
#define DEFAULT_HBASE_PERCENT 5.0
#define DEFAULT_HBASE_FILES 6
#define LARGE_JOINS "select5.test"

/* ---- the archive, unpacked */

static gchar *folder;

static void
remove_tree (const gchar *path)
{
  GDir *directory = g_dir_open (path, 0, NULL);
  const gchar *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree gchar *inside = g_build_filename (path, name, NULL);
      remove_tree (inside);
    }
  g_clear_pointer (&directory, g_dir_close);
  g_remove (path);
}

/* FALSE: this machine cannot unpack it. */
static gboolean
unpack_archive (const gchar *name)
{
  g_autofree gchar *archive = g_test_build_filename (G_TEST_DIST, "slt", "data", name, NULL);
  const gchar *arguments[] = { "tar", "-xJf", archive, "-C", folder, NULL };
  gint status = 1;

  return g_spawn_sync (NULL, (gchar **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                       &status, NULL)
         && g_spawn_check_wait_status (status, NULL);
}

static gboolean
unpack (void)
{
  if (folder != NULL)
    return TRUE;
  folder = g_dir_make_tmp ("kvsql-slt-XXXXXX", NULL);
  return unpack_archive ("sqllogictest-part.tar.xz")
         && unpack_archive ("sqllogictest-random.tar.xz");
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar *const *)a, *(gchar *const *)b);
}

/* Adds the names of the files in @directory of the archive, as in the list of differences. */
static void
list_files (const gchar *directory, GPtrArray *names)
{
  g_autofree gchar *path = g_build_filename (folder, "sqllogictest", directory, NULL);
  GDir *open = g_dir_open (path, 0, NULL);
  const gchar *name;

  g_assert_nonnull (open);
  while ((name = g_dir_read_name (open)) != NULL)
    {
      g_autofree gchar *inside = g_build_filename (directory, name, NULL);
      g_autofree gchar *full = g_build_filename (path, name, NULL);
      if (g_file_test (full, G_FILE_TEST_IS_DIR))
        list_files (inside, names);
      else if (g_str_has_suffix (name, ".test"))
        g_ptr_array_add (names, g_steal_pointer (&inside));
    }
  g_dir_close (open);
  g_ptr_array_sort (names, compare_names);
}

static gdouble
number_from_environment (const gchar *name, gdouble otherwise)
{
  const gchar *text = g_getenv (name);

  return text == NULL ? otherwise : g_ascii_strtod (text, NULL);
}

/* ---- playing */

/* Runs the files @names. A difference fails the test. */
static void
run_files (GPtrArray *names, SltOptions *options)
{
  g_autofree gchar *path = g_test_build_filename (G_TEST_DIST, "slt", "differences.ini", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SltDifferences) differences = slt_differences_load (path, &error);
  SltTotals totals;

  g_assert_no_error (error);
  options->differences = differences;
  options->database = "sqlite";
  options->n_examples = 5;
  slt_totals_init (&totals);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree gchar *file = g_build_filename (folder, "sqllogictest", names->pdata[i], NULL);
      assert_done (slt_run_file (file, names->pdata[i], options, &totals, &error), error);
    }
  g_test_message ("%u files, %u queries run %u times, %u as expected, %u different, %u refused, "
                  "%u differences meant; seed %u",
                  names->len, totals.n_queries, totals.n_runs, totals.n_passed, totals.n_different,
                  totals.n_refused, totals.n_listed, options->seed);
  if (!slt_totals_are_good (&totals))
    {
      g_test_message ("%s", totals.examples->str);
      g_test_fail ();
    }
  if (totals.n_passed == 0)
    g_test_fail ();
  slt_totals_clear (&totals);
}

/* Runs some files of the index group, which the seed chooses. */
static void
run_sample (SltOptions *options, guint n_files)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GRand) random = NULL;

  if (!unpack ())
    {
      g_test_skip ("tar or xz is not installed");
      return;
    }
  options->seed = (guint32)number_from_environment ("KVSQL_TEST_SEED", g_random_int ());
  random = g_rand_new_with_seed (options->seed);
  list_files ("index", names);
  /* these create a thousand tables each, which takes too long for a small sample */
  for (guint i = names->len; i-- > 0 && n_files < FILES_WITH_DELETE;)
    if (g_str_has_prefix (names->pdata[i], "index/delete"))
      g_ptr_array_remove_index (names, i);
  while (names->len > n_files)
    g_ptr_array_remove_index (names, (guint)g_rand_int_range (random, 0, (gint32)names->len));
  run_files (names, options);
}

static void
test_index (gconstpointer store)
{
  guint n_files = (guint)number_from_environment ("KVSQL_TEST_SLT_FILES",
                                                  test_size (DEFAULT_FILES, DEFAULT_FILES / 2));
  SltOptions options
      = { .store = store,
          .percent = number_from_environment ("KVSQL_TEST_SLT_PERCENT", DEFAULT_PERCENT) };

  /* another store has the same engine, so half of the files are enough */
  run_sample (&options, store == NULL ? n_files : n_files / 2);
}

/* Random SELECTs, and joins of up to 64 relations: a part of the queries. */
static void
test_random (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  SltOptions options = { .percent = test_size (10, 1), .n_schemas = test_size (3, 1) };

  if (!unpack ())
    {
      g_test_skip ("tar or xz is not installed");
      return;
    }
  options.seed = (guint32)number_from_environment ("KVSQL_TEST_SEED", g_random_int ());
  list_files ("random", names);
  g_ptr_array_add (names, g_strdup (LARGE_JOINS));
  run_files (names, &options);
}

/* The small files, with all queries; with sanitizers a part of them. */
static void
test_others (gconstpointer directory)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  SltOptions options = { .percent = test_size (100, 15) };

  if (!unpack ())
    {
      g_test_skip ("tar or xz is not installed");
      return;
    }
  options.seed = (guint32)number_from_environment ("KVSQL_TEST_SEED", g_random_int ());
  list_files (directory, names);
  for (guint i = names->len; i-- > 0;)
    if (*(const gchar *)directory == '\0'
        && (strchr (names->pdata[i], '/') != NULL || g_str_equal (names->pdata[i], LARGE_JOINS)))
      g_ptr_array_remove_index (names, i);
  run_files (names, &options);
}

/* A twentieth of all queries, each with the planner's choice and two of its table's schemas. */
static void
test_hbase (void)
{
  SltOptions options
      = { .store = "hbase",
          .percent = number_from_environment ("KVSQL_TEST_SLT_PERCENT", DEFAULT_HBASE_PERCENT),
          .n_schemas = 2,
          .is_shared = TRUE };

  if (g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    {
      g_test_skip ("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md");
      return;
    }
  run_sample (&options,
              (guint)number_from_environment ("KVSQL_TEST_SLT_FILES", DEFAULT_HBASE_FILES));
}

/* ---- the runner's parts */

static SltTable *
known_table (gpointer data, const gchar *name)
{
  return g_ascii_strcasecmp (((SltTable *)data)->name, name) == 0 ? data : NULL;
}

/* Another schema for each relation t; none for other relations. */
static const gchar *
next_schema (gpointer data, const gchar *table)
{
  static const gchar *const schemas[] = { "t_1", "t_2", "t_3" };
  guint *n = data;

  return g_str_equal (table, "t") ? schemas[(*n)++ % G_N_ELEMENTS (schemas)] : NULL;
}

static void
test_rewriting (void)
{
  static const struct
  {
    const gchar *sql, *expected;
  } cases[] = {
    { "SELECT 1 IN (2)", "SELECT 1 IN (2)" },
    { "SELECT ALL * FROM t", "SELECT ALL t.x, t.y FROM t" },
    { "SELECT * FROM t a, t WHERE a.x IN (1, 2)",
      "SELECT a.x, a.y, t.x, t.y FROM t a, t WHERE a.x IN (1, 2)" },
    { "SELECT * FROM ( t AS a CROSS JOIN t b ) WHERE 1 = 2",
      "SELECT a.x, a.y, b.x, b.y FROM ( t AS a CROSS JOIN t b ) WHERE 1 = 2" },
    { "SELECT count(*) FROM t WHERE x IN (SELECT * FROM t)",
      "SELECT count(*) FROM t WHERE x IN (SELECT t.x, t.y FROM t)" },
    { "INSERT INTO t VALUES (1, 'a(b'), (2, NULL)",
      "INSERT INTO t VALUES (1, 1, 'a(b'), (2, 2, NULL)" },
    { "INSERT INTO t(y) VALUES ('(')", "INSERT INTO t(slt_row, y) VALUES (3, '(')" },
    { "INSERT OR REPLACE INTO t(x) VALUES (abs(-1))",
      "INSERT INTO t(slt_row, x) VALUES (4, abs(-1))" },
    { "REPLACE INTO u VALUES (1)", "INSERT INTO u VALUES (1)" },
  };
  static const struct
  {
    const gchar *sql, *expected;
  } hints[] = {
    { "SELECT x FROM t AS u WHERE x IN (SELECT y FROM t, t AS v)",
      "SELECT x FROM t AS u  USING SCHEMA t_1 WHERE x IN (SELECT y FROM t, t AS v)" },
    { "SELECT x FROM t", "SELECT x FROM t USING SCHEMA t_1 " },
    { "SELECT * FROM t, w, t AS c WHERE 1 = 2",
      "SELECT * FROM t USING SCHEMA t_1 , w, t AS c  USING SCHEMA t_2 WHERE 1 = 2" },
    { "SELECT * FROM t a CROSS JOIN t b GROUP BY x",
      "SELECT * FROM t a  USING SCHEMA t_1 CROSS JOIN t b  USING SCHEMA t_2 GROUP BY x" },
    { "SELECT * FROM t JOIN t b ON t.x = (b.x)",
      "SELECT * FROM t  USING SCHEMA t_1 JOIN t b  USING SCHEMA t_2 ON t.x = (b.x)" },
  };
  g_auto (SltWords) words = { 0 };
  g_autoptr (SltTable) table = NULL;
  g_autoptr (GError) error = NULL;

  slt_words_init (&words, "CREATE TABLE t (x INTEGER, y VARCHAR(8))");
  table = slt_table_parse (&words, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *got = slt_rewrite (cases[i].sql, known_table, table);
      g_assert_cmpstr (got, ==, cases[i].expected);
    }
  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    {
      guint n = 0;
      g_autofree gchar *got = slt_use_schemas (hints[i].sql, next_schema, &n);
      g_assert_cmpstr (got, ==, hints[i].expected);
    }
}

static void
test_script (void)
{
  static const gchar text[] = "# a comment\n\nhash-threshold 8\n\n"
                              "onlyif mysql # why\nstatement error\nDROP\nTABLE t\n\n"
                              "skipif mysql\nquery IT rowsort label-1\nSELECT\n----\n1\n\n\n"
                              "query I nosort\nSELECT x\n----\n30 values hashing to abc\n\nhalt\n";
  g_autofree gchar *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SltScript) script = NULL;
  const SltRecord *record;
  gint descriptor = g_file_open_tmp ("kvsql-slt-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (descriptor, NULL);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  script = slt_script_load (path, &error);
  g_assert_no_error (error);
  g_remove (path);
  g_assert_cmpuint (script->records->len, ==, 4);
  record = script->records->pdata[0];
  g_assert_true (record->is_error && slt_record_is_for (record, "mysql"));
  g_assert_false (slt_record_is_for (record, "sqlite"));
  g_assert_cmpstr (record->sql, ==, "DROP\nTABLE t");
  record = script->records->pdata[1];
  g_assert_true (slt_record_is_for (record, "sqlite") && !slt_record_is_for (record, "mysql"));
  g_assert_cmpint (record->sort, ==, SLT_ROWSORT);
  g_assert_cmpstr (record->label, ==, "label-1");
  g_assert_cmpuint (record->expected->len, ==, 1);
  record = script->records->pdata[2];
  g_assert_cmpuint (record->n_hashed, ==, 30);
  g_assert_cmpstr (record->hash, ==, "abc");
  g_assert_cmpint (((SltRecord *)script->records->pdata[3])->kind, ==, SLT_HALT);
}

/* A table and an index that are created again with the same names, over the cells of their
 * predecessors. */
static void
test_drops (gconstpointer store)
{
  static const gchar text[]
      = "statement ok\nCREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)\n\n"
        "statement ok\nINSERT INTO t VALUES (1, 2), (3, 4)\n\n"
        "statement ok\nCREATE INDEX i ON t (b)\n\n"
        "query I rowsort\nSELECT a FROM t WHERE b > 0\n----\n1\n3\n\n"
        "statement ok\nDROP INDEX i\n\n"
        "statement ok\nDELETE FROM t\n\n"
        "statement ok\nCREATE INDEX i ON t (b)\n\n"
        "query I rowsort\nSELECT a FROM t WHERE b > 0\n----\n\n"
        "statement ok\nINSERT INTO t VALUES (3, 4)\n\n"
        "statement ok\nDROP TABLE t\n\n"
        "statement ok\nCREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER)\n\n"
        "query I rowsort\nSELECT count(*) FROM t WHERE b > 0\n----\n0\n\n"
        "statement ok\nINSERT INTO t VALUES (5, 6)\n\n"
        "query II rowsort\nSELECT t.a, c.b FROM t, t AS c WHERE t.b >= c.b\n----\n5\n6\n";
  g_autofree gchar *path = NULL;
  g_autoptr (GError) error = NULL;
  SltOptions options = { .store = store,
                         .database = "sqlite",
                         .percent = 100,
                         .n_examples = 3,
                         .is_shared = g_strcmp0 (store, "hbase") == 0 };
  SltTotals totals;
  gint descriptor = g_file_open_tmp ("kvsql-slt-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (descriptor, NULL);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  slt_totals_init (&totals);
  g_assert_true (slt_run_file (path, "drops", &options, &totals, &error));
  g_assert_no_error (error);
  g_remove (path);
  g_test_message ("%s", totals.examples->str);
  g_assert_cmpuint (totals.n_queries, ==, 4);
  g_assert_cmpuint (totals.n_passed, ==, totals.n_runs);
  g_assert_cmpuint (totals.n_runs, >, 4 * 2);
  g_assert_true (slt_totals_are_good (&totals));
  slt_totals_clear (&totals);
}

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slt/runner/script", test_script);
  g_test_add_func ("/slt/runner/rewriting", test_rewriting);
  g_test_add_data_func ("/slt/drops/memory", NULL, test_drops);
  g_test_add_data_func ("/slt/drops/rocksdb", "rocksdb", test_drops);
  if (g_getenv ("KVSQL_TEST_HBASE_URL") != NULL)
    g_test_add_data_func ("/slt/drops/hbase", "hbase", test_drops);
  g_test_add_data_func ("/slt/select", "", test_others);
  g_test_add_data_func ("/slt/evidence", "evidence", test_others);
  g_test_add_func ("/slt/random", test_random);
  g_test_add_data_func ("/slt/index/memory", NULL, test_index);
  g_test_add_data_func ("/slt/index/rocksdb", "rocksdb", test_index);
  g_test_add_func ("/slt/index/hbase", test_hbase);
  status = g_test_run ();
  if (folder != NULL)
    remove_tree (folder);
  return status;
}
