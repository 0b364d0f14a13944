/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-parts.c: the parts of a SELECT give its rows, each once and in its order, on every store
 * (HBase: if KVSQL_TEST_HBASE_URL is set).
 */
#include "config.h"

#include "core/base/error.h"
#include "tests/harness/service-fixture.h"

#define N_TUPLES 400
#define NONE 0
#define SEVERAL 2 /* or more */

/* The same tuples in all layouts that are read in different ways. */
static void
define (ServiceFixture *fixture)
{
  service_fixture_script (
      fixture,
      "DEFINE RELATION r { a INT KEY, b INT KEY, v STRING, w INT };"
      "DEFINE PRIMARY SCHEMA r_rows FOR r { TABLE 'rows', ROW ordered{a}:ordered{b}, FAMILY 'f', "
      "QUALIFIER '', VALUE "
      "w:v };"
      "DEFINE RELATION wide { a INT KEY, b INT KEY, v STRING, w INT };"
      "DEFINE PRIMARY SCHEMA wide_rows FOR wide { TABLE 'wide', ROW a, FAMILY 'f', QUALIFIER b, "
      "VALUE w:v };"
      "DEFINE RELATION days { a INT KEY, b INT KEY, v STRING, w INT };"
      "DEFINE PRIMARY SCHEMA days_tables FOR days { TABLE 'day_':text{a}, ROW b, FAMILY 'f', "
      "QUALIFIER "
      "'', VALUE w:v };"
      "DEFINE RELATION salted { a INT KEY, b INT KEY, v STRING, w INT };"
      "DEFINE PRIMARY SCHEMA salted_rows FOR salted { TABLE 'salted', ROW salt(4){b}:a:b, FAMILY "
      "'f', QUALIFIER '', VALUE w:v };"
      "DEFINE RELATION found { a INT KEY, b INT KEY, v STRING, w INT };"
      "DEFINE PRIMARY SCHEMA found_rows FOR found { TABLE 'found', ROW a:b, FAMILY 'f', QUALIFIER "
      "'', VALUE w:v };"
      "DEFINE SCHEMA found_by_w FOR found { TABLE 'found_w', ROW w:a:b, FAMILY 'f', QUALIFIER '', "
      "VALUE '' };"
      "DEFINE RELATION apart { a INT KEY, b INT KEY, v STRING, w INT };"
      "DEFINE PRIMARY SCHEMA apart_cells FOR apart { TABLE 'apart', ROW a:b:attr_name[a, b], "
      "FAMILY "
      "'f', QUALIFIER '', VALUE attr_value[a, b] }");
}

static void
fill (ServiceFixture *fixture, const gchar *relation)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_append_printf (sql, "INSERT INTO %s VALUES ", relation);
  for (gint i = 0; i < N_TUPLES; i++)
    g_string_append_printf (sql, "%s(%d, %d, 'value %d', %d)", i > 0 ? ", " : "", i % 8, i - 100, i,
                            i % 20);
  g_free (service_fixture_run (fixture, sql->str));
}

static GPtrArray *
partition (ServiceFixture *fixture, const gchar *sql, guint n)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *cursors = kvsqld_service_partition (fixture->service, NULL,
                                                 kvsql_slice_from_text (sql), NULL, 0, n, &error);

  g_assert_no_error (error);
  return cursors;
}

/* Appends all rows of a part. With @restarts each page comes from another daemon. */
static void
append_part (ServiceFixture *fixture, GBytes *first, gboolean restarts, GString *out)
{
  const KvsqldRequest request = { .max_rows = 7, .wants_progress = TRUE };
  g_autoptr (GBytes) cursor = g_bytes_ref (first);
  g_autoptr (GError) error = NULL;
  gdouble done = 0;

  while (cursor != NULL)
    {
      gsize size;
      const guint8 *data = g_bytes_get_data (cursor, &size);
      g_autoptr (KvsqlResultPage) page
          = kvsqld_service_fetch (fixture->service, &request, kvsql_slice (data, size), &error);

      g_assert_no_error (error);
      service_fixture_append_page (page, out);
      g_clear_pointer (&cursor, g_bytes_unref);
      if (page->cursor == NULL)
        break;
      g_assert_cmpfloat (page->done, >=, done);
      g_assert_cmpfloat (page->done, <=, 1);
      done = page->done;
      cursor = g_bytes_ref (page->cursor);
      if (restarts)
        service_fixture_reopen (fixture);
    }
}

static const struct
{
  const gchar *sql;
  guint n_least;
} answers[] = {
  { "SELECT * FROM r", SEVERAL },
  { "SELECT b, v FROM r WHERE a BETWEEN 2 AND 5", SEVERAL },
  { "SELECT v FROM r WHERE a = 3", SEVERAL },
  { "SELECT v FROM r WHERE a IN (1, 3, 6) AND w < 15", SEVERAL },
  { "SELECT b + 1 FROM r WHERE v LIKE '%7%'", SEVERAL },
  { "SELECT * FROM r WHERE a > 1 ORDER BY a, b", SEVERAL },
  { "SELECT * FROM r ORDER BY a DESC, b DESC", SEVERAL },
  { "SELECT * FROM wide", SEVERAL },
  { "SELECT * FROM wide WHERE b % 3 = 0", SEVERAL },
  { "SELECT * FROM days", SEVERAL },
  { "SELECT * FROM days WHERE a IN (1, 4) AND b > 0", SEVERAL },
  { "SELECT * FROM salted", SEVERAL },
  { "SELECT * FROM salted WHERE a = 2", SEVERAL },
  { "SELECT * FROM found USING SCHEMA found_by_w WHERE w BETWEEN 3 AND 9", SEVERAL },
  /* one part may be everything */
  { "SELECT * FROM r WHERE a = 1 AND b = -99", 1 },
  /* results that cannot be divided */
  { "SELECT * FROM apart", NONE },
  { "SELECT * FROM r ORDER BY v", NONE },
  { "SELECT a, count(*) FROM r GROUP BY a", NONE },
  { "SELECT DISTINCT w FROM r", NONE },
  { "SELECT * FROM r LIMIT 10", NONE },
  { "SELECT * FROM r OFFSET 10", NONE },
  { "SELECT r.v FROM r, wide WHERE r.a = wide.a AND r.b = wide.b", NONE },
  { "SELECT * FROM r WHERE b IN (SELECT b FROM wide WHERE w = 3)", NONE },
  { "SELECT 1", NONE },
  { "SHOW RELATIONS", NONE },
};

static void
check_answer (ServiceFixture *fixture, guint index, guint n_parts, gboolean restarts)
{
  g_autofree gchar *whole = service_fixture_run (fixture, answers[index].sql);
  g_autoptr (GPtrArray) cursors = partition (fixture, answers[index].sql, n_parts);
  g_autoptr (GString) parts = g_string_new (NULL);

  if (cursors->len < answers[index].n_least || (answers[index].n_least == NONE && cursors->len > 0))
    g_error ("%s\nhas %u parts", answers[index].sql, cursors->len);
  if (cursors->len == 0)
    return;
  for (guint i = 0; i < cursors->len; i++)
    append_part (fixture, cursors->pdata[i], restarts, parts);
  g_assert_cmpstr (parts->str, ==, whole);
}

static void
fill_all (ServiceFixture *fixture)
{
  static const gchar *const relations[] = { "r", "wide", "days", "salted", "found", "apart" };

  define (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (relations); i++)
    fill (fixture, relations[i]);
}

static void
check_answers (ServiceFixture *fixture)
{
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    check_answer (fixture, i, 16, FALSE);
  /* more parts than rows, where a part costs little */
  for (guint i = 0; i < G_N_ELEMENTS (answers) && !fixture->is_shared; i++)
    check_answer (fixture, i, 1000, FALSE);
}

/* The rows of a part do not depend on a daemon's memory, and a part can be read several times. */
static void
check_elsewhere (ServiceFixture *fixture)
{
  for (guint i = 0; i < G_N_ELEMENTS (answers); i += 4)
    check_answer (fixture, i, 3, TRUE);
}

static void
check_twice (ServiceFixture *fixture)
{
  g_autoptr (GPtrArray) cursors = NULL;
  g_autoptr (GString) once = g_string_new (NULL);
  g_autoptr (GString) twice = g_string_new (NULL);

  cursors = partition (fixture, "SELECT * FROM r", 4);
  append_part (fixture, cursors->pdata[1], FALSE, once);
  append_part (fixture, cursors->pdata[1], FALSE, twice);
  g_assert_cmpuint (once->len, >, 0);
  g_assert_cmpstr (once->str, ==, twice->str);
}

/* Each part is planned separately, but they are one statement, with one time. */
static void
check_now (ServiceFixture *fixture)
{
  g_autoptr (GPtrArray) cursors = NULL;
  g_autoptr (GString) parts = g_string_new (NULL);
  g_auto (GStrv) times = NULL;

  cursors = partition (fixture, "SELECT now () FROM r", 4);
  for (guint i = 0; i < cursors->len; i++)
    append_part (fixture, cursors->pdata[i], TRUE, parts);
  times = g_strsplit (parts->str, "\n", -1);
  g_assert_cmpuint (g_strv_length (times), ==, N_TUPLES);
  for (guint i = 0; i < N_TUPLES; i++)
    g_assert_cmpstr (times[i], ==, times[0]);
}

static void
check_changed_definitions (ServiceFixture *fixture)
{
  g_autoptr (GPtrArray) cursors = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GError) error = NULL;
  gconstpointer bytes;
  gsize size;

  cursors = partition (fixture, "SELECT * FROM wide", 4);
  service_fixture_script (fixture, "ALTER RELATION wide RENAME w TO x");
  bytes = g_bytes_get_data (cursors->pdata[2], &size);
  page = kvsqld_service_fetch (fixture->service, NULL, kvsql_slice (bytes, size), &error);
  g_assert_null (page);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_CURSOR);
}

static void
check_refused (ServiceFixture *fixture)
{
  static const gchar *const statements[]
      = { "SELECT", "SELECT * FROM r WHERE a = ?", "SELECT * FROM nothing" };

  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) cursors = kvsqld_service_partition (
          fixture->service, NULL, kvsql_slice_from_text (statements[i]), NULL, 0, 4, &error);

      g_assert_null (cursors);
      g_assert_nonnull (error);
    }
}

/* Definitions are changed last. */
static const struct
{
  const gchar *path;
  void (*check) (ServiceFixture *);
  gboolean needs_disk;
} checks[] = {
  { "answers", check_answers, FALSE }, { "twice", check_twice, FALSE },
  { "refused", check_refused, FALSE }, { "elsewhere", check_elsewhere, TRUE },
  { "now", check_now, TRUE },          { "changed-definitions", check_changed_definitions, FALSE },
};

/* One set of tables for all cases: making them takes HBase longer than the rest. */
static void
test_parts (ServiceFixture *fixture, gconstpointer store)
{
  fill_all (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    if (!checks[i].needs_disk || store != NULL)
      {
        g_test_message ("%s", checks[i].path);
        checks[i].check (fixture);
      }
}

static void
add (const gchar *path, const gchar *store)
{
  g_test_add (path, ServiceFixture, store, service_fixture_set_up, test_parts,
              service_fixture_tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/parts/memory", NULL);
  add ("/parts/rocksdb", "rocksdb");
  if (g_getenv ("KVSQL_TEST_HBASE_URL") != NULL)
    add ("/parts/hbase", "hbase");
  return g_test_run ();
}
