/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-slt.c: a sample of SQLite's sqllogictest on every layout, and the parts of its runner.
 *
 * KVSQL_TEST_SLT_PERCENT says how many of the queries are run, on KVSQL_TEST_SLT_FILES of the 65
 * files of the index group, which KVSQL_TEST_SEED chooses. tests/slt/run plays all. On HBase
 * KVSQL_TEST_SLT_FILES=65 takes a twentieth of the whole group, a quarter of an hour.
 */
#include "config.h"

#include "tests/size.h"
#include "tests/slt/answer.h"
#include "tests/slt/player.h"
#include "tests/slt/table.h"

#include <glib/gstdio.h>

#include <stdlib.h>
#include <string.h>

#define DEFAULT_PERCENT 1.0
#define DEFAULT_FILES 4
#define FILES_WITH_DELETE 20
#define DEFAULT_HBASE_PERCENT 5.0
#define DEFAULT_HBASE_FILES 6

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

/* FALSE: this machine cannot read it. */
static gboolean
unpack (void)
{
  g_autofree gchar *archive
      = g_test_build_filename (G_TEST_DIST, "slt", "data", "sqllogictest-part.tar.xz", NULL);
  const gchar *arguments[] = { "tar", "-xJf", archive, "-C", NULL, NULL };
  gint status = 1;

  if (folder != NULL)
    return TRUE;
  folder = g_dir_make_tmp ("kvsql-slt-XXXXXX", NULL);
  arguments[4] = folder;
  return g_spawn_sync (NULL, (gchar **)arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                       &status, NULL)
         && g_spawn_check_wait_status (status, NULL);
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar *const *)a, *(gchar *const *)b);
}

/* Adds the names of the files in @directory of the archive, as the
 * differences know them. */
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

/* Plays @names; what differs fails the test. */
static void
play (GPtrArray *names, SltOptions *options)
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
      slt_play (file, names->pdata[i], options, &totals, &error);
      g_assert_no_error (error);
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

/* Some files of the index group, chosen by the seed. */
static void
play_sample (SltOptions *options, guint n_files)
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
  /* these make a thousand tables each, which takes longer than a small sample is worth */
  for (guint i = names->len; i-- > 0 && n_files < FILES_WITH_DELETE;)
    if (g_str_has_prefix (names->pdata[i], "index/delete"))
      g_ptr_array_remove_index (names, i);
  while (names->len > n_files)
    g_ptr_array_remove_index (names, (guint)g_rand_int_range (random, 0, (gint32)names->len));
  play (names, options);
}

static void
test_index (gconstpointer store)
{
  guint n_files = (guint)number_from_environment ("KVSQL_TEST_SLT_FILES",
                                                  test_size (DEFAULT_FILES, DEFAULT_FILES / 2));
  SltOptions options
      = { .store = store,
          .percent = number_from_environment ("KVSQL_TEST_SLT_PERCENT", DEFAULT_PERCENT) };

  /* a store on disk is no other engine: half of the files will do */
  play_sample (&options, store == NULL ? n_files : n_files / 2);
}

/* The files that are small, in full. */
static void
test_others (gconstpointer directory)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  SltOptions options = { .percent = 100 };

  if (!unpack ())
    {
      g_test_skip ("tar or xz is not installed");
      return;
    }
  list_files (directory, names);
  for (guint i = names->len; i-- > 0;)
    if (*(const gchar *)directory == '\0' && strchr (names->pdata[i], '/') != NULL)
      g_ptr_array_remove_index (names, i);
  play (names, &options);
}

/* A twentieth of all queries, each on two of its table's schemas besides the planner's choice. */
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
  play_sample (&options,
               (guint)number_from_environment ("KVSQL_TEST_SLT_FILES", DEFAULT_HBASE_FILES));
}

/* ---- the runner's parts */

static SltTable *
known_table (gpointer data, const gchar *name)
{
  return g_ascii_strcasecmp (((SltTable *)data)->name, name) == 0 ? data : NULL;
}

static void
test_rewriting (void)
{
  static const struct
  {
    const gchar *sql, *expected;
  } cases[] = {
    { "SELECT 1 IN (2)", "SELECT 1 IN (2) FROM slt_one " },
    { "SELECT ALL * FROM t", "SELECT ALL x, y FROM t" },
    { "SELECT count(*) FROM t WHERE x IN (SELECT * FROM t)",
      "SELECT count(*) FROM t WHERE x IN (SELECT x, y FROM t)" },
    { "INSERT INTO t VALUES (1, 'a(b'), (2, NULL)",
      "INSERT INTO t VALUES (1, 1, 'a(b'), (2, 2, NULL)" },
    { "INSERT INTO t(y) VALUES ('(')", "INSERT INTO t(slt_row, y) VALUES (3, '(')" },
    { "INSERT OR REPLACE INTO t(x) VALUES (abs(-1))",
      "INSERT INTO t(slt_row, x) VALUES (4, abs(-1))" },
    { "REPLACE INTO u VALUES (1)", "INSERT INTO u VALUES (1)" },
  };
  g_auto (SltWords) words = { 0 };
  g_autoptr (SltTable) table = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *on_schema = NULL;

  slt_words_init (&words, "CREATE TABLE t (x INTEGER, y VARCHAR(8))");
  table = slt_table_parse (&words, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *got = slt_rewrite (cases[i].sql, known_table, table);
      g_assert_cmpstr (got, ==, cases[i].expected);
    }
  on_schema = slt_use_schema ("SELECT x FROM t AS u WHERE x IN (SELECT y FROM t)", "s");
  g_assert_cmpstr (on_schema, ==,
                   "SELECT x FROM t AS u  USING SCHEMA s WHERE x IN (SELECT y FROM t)");
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

int
main (int argc, char **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slt/runner/script", test_script);
  g_test_add_func ("/slt/runner/rewriting", test_rewriting);
  g_test_add_data_func ("/slt/select", "", test_others);
  g_test_add_data_func ("/slt/evidence", "evidence", test_others);
  g_test_add_data_func ("/slt/index/memory", NULL, test_index);
  g_test_add_data_func ("/slt/index/rocksdb", "rocksdb", test_index);
  g_test_add_func ("/slt/index/hbase", test_hbase);
  status = g_test_run ();
  if (folder != NULL)
    remove_tree (folder);
  return status;
}
