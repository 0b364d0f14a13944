/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-statement-statistics.c: SHOW and RESET STATEMENT STATISTICS on a running service, and the
 * bounds of the table.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define MAX_SHAPES 32

static void
open_service (ServiceFixture *self)
{
  service_fixture_open (self, NULL);
  self->limits.max_statement_shapes = MAX_SHAPES;
  kvsqld_service_set_limits (self->service, &self->limits);
  service_fixture_script (
      self, "DEFINE RELATION r { k INT KEY, v STRING };"
            "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 'r', ROW k, FAMILY 'f', VALUE v };"
            "INSERT INTO r VALUES (1, 'a'), (2, 'b'), (3, 'c')");
  g_free (service_fixture_run (self, "RESET STATEMENT STATISTICS"));
}

/* The shape of a text; NULL: there is none. (transfer full) */
static KvsqldShape *
find (ServiceFixture *self, const gchar *text)
{
  g_autoptr (GPtrArray) list = kvsqld_statement_statistics_list (self->service->shapes);

  for (guint i = 0; i < list->len; i++)
    {
      KvsqldShape *shape = list->pdata[i];

      if (g_str_equal (shape->text, text))
        return kvsqld_shape_ref (shape);
    }
  return NULL;
}

static void
assert_shape (ServiceFixture *self, const gchar *text, gint64 n_calls, gint64 n_errors,
              gint64 n_rows)
{
  KvsqldShape *shape = find (self, text);

  g_assert_nonnull (shape);
  g_assert_cmpint (shape->n_calls, ==, n_calls);
  g_assert_cmpint (shape->n_errors, ==, n_errors);
  g_assert_cmpint (shape->n_rows, ==, n_rows);
  g_assert_cmpint (shape->total_us, >=, shape->max_us);
  kvsqld_shape_unref (shape);
}

static guint
count (ServiceFixture *self)
{
  return kvsqld_statement_statistics_get_size (self->service->shapes);
}

/* ---- what is counted */

static void
test_kinds (void)
{
  ServiceFixture fixture;

  open_service (&fixture);
  service_fixture_script (&fixture,
                          "INSERT INTO r VALUES (4, 'd'); INSERT INTO r VALUES (5, 'e'), "
                          "(6, 'f');"
                          "UPDATE r SET v = 'x' WHERE k = 1; UPDATE r SET v = 'y' WHERE k = 99;"
                          "DELETE FROM r WHERE k = 6;"
                          "SELECT v FROM r WHERE k = 1; SELECT v FROM r WHERE k = 2");
  assert_shape (&fixture, "INSERT INTO r VALUES ($1, $2)", 2, 0, 3);
  assert_shape (&fixture, "UPDATE r SET v = $1 WHERE k = $2", 2, 0, 1);
  assert_shape (&fixture, "DELETE FROM r WHERE k = $1", 1, 0, 1);
  assert_shape (&fixture, "SELECT v FROM r WHERE k = $1", 2, 0, 2);
  g_assert_cmpuint (count (&fixture), ==, 4);
  service_fixture_script (&fixture, "SHOW STATUS; DESCRIBE r; EXPLAIN SELECT k FROM r");
  g_assert_cmpuint (count (&fixture), ==, 4);
  service_fixture_close (&fixture);
}

static void
test_reads (void)
{
  ServiceFixture fixture;
  KvsqldShape *shape;

  open_service (&fixture);
  g_free (service_fixture_run (&fixture, "SELECT k FROM r WHERE upper (v) = 'B'"));
  shape = find (&fixture, "SELECT k FROM r WHERE upper(v) = $1");
  g_assert_cmpint (shape->n_rows, ==, 1);
  g_assert_cmpint (shape->n_rows_read, ==, 3);
  g_assert_cmpint (shape->n_cells_read, ==, 3);
  g_assert_cmpint (shape->n_store_calls, >=, 1);
  kvsqld_shape_unref (shape);
  service_fixture_close (&fixture);
}

/* Cached plans and prepared statements find their shape without a tree to walk. */
static void
test_repeated (void)
{
  ServiceFixture fixture;
  g_autoptr (KvsqldPrepared) prepared = NULL;
  g_autoptr (GError) error = NULL;
  const KvsqlValue key = { .type = KVSQL_TYPE_BIGINT, .integer = 2 };

  open_service (&fixture);
  for (guint i = 0; i < 5; i++)
    service_fixture_assert (&fixture, "SELECT v FROM r WHERE k = 2", "b");
  prepared = kvsqld_service_prepare (fixture.service, NULL,
                                     KVSQL_SLICE_LITERAL ("select v from r where k = ?"), &error);
  g_assert_no_error (error);
  assert_shape (&fixture, "SELECT v FROM r WHERE k = $1", 5, 0, 5);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (KvsqlResultPage) page
          = kvsqld_service_execute (fixture.service, NULL, prepared->id, &key, 1, &error);
      g_assert_no_error (error);
    }
  assert_shape (&fixture, "SELECT v FROM r WHERE k = $1", 10, 0, 10);
  service_fixture_close (&fixture);
}

/* Pages are no calls, also those of another run of the scan. */
static void
test_pages (void)
{
  ServiceFixture fixture;
  guint n_pages;

  service_fixture_open (&fixture, NULL);
  fixture.limits.max_statement_shapes = MAX_SHAPES;
  kvsqld_service_set_limits (fixture.service, &fixture.limits);
  service_fixture_fill (&fixture, 64, "x");
  for (guint i = 0; i < 2; i++)
    g_free (service_fixture_run_pages (&fixture, "SELECT k FROM r", 10, FALSE, &n_pages));
  g_assert_cmpuint (n_pages, >, 6);
  {
    KvsqldShape *shape = find (&fixture, "SELECT k FROM r");

    g_assert_cmpint (shape->n_calls, ==, 2);
    g_assert_cmpint (shape->n_rows, >=, 128);
    kvsqld_shape_unref (shape);
  }
  service_fixture_close (&fixture);
}

static void
test_errors (void)
{
  ServiceFixture fixture;

  open_service (&fixture);
  service_fixture_assert_fails (&fixture, "SELECT 1 / (k - 1) FROM r", KVSQL_ERROR_VALUE,
                                "division by zero");
  service_fixture_assert_fails (&fixture, "SELECT nothing FROM r", KVSQL_ERROR_UNKNOWN_NAME,
                                "attribute \"nothing\" does not exist in relation \"r\"");
  service_fixture_assert_fails (&fixture, "SELECT FROM", KVSQL_ERROR_SYNTAX,
                                "syntax error at or near \"FROM\", expected an expression");
  assert_shape (&fixture, "SELECT $1 / (k - $2) FROM r", 1, 1, 0);
  assert_shape (&fixture, "SELECT nothing FROM r", 1, 1, 0);
  g_assert_cmpuint (count (&fixture), ==, 2);
  service_fixture_close (&fixture);
}

static void
test_columns (void)
{
  static const KvsqlType types[] = { KVSQL_TYPE_BIGINT, KVSQL_TYPE_STRING };
  static const gchar *const names[] = { "k", "v" };
  g_autoptr (KvsqlBatch) data = kvsql_batch_new (types, 2, 10);
  g_autoptr (GError) error = NULL;
  ServiceFixture fixture;
  gint64 written;

  open_service (&fixture);
  for (guint i = 0; i < 10; i++)
    {
      data->columns[0].integers[i] = 100 + i;
      data->columns[1].slices[i] = KVSQL_SLICE_LITERAL ("z");
    }
  data->n_rows = 10;
  g_assert_true (
      kvsqld_service_insert_rows (fixture.service, NULL, "r", names, data, &written, &error));
  g_assert_no_error (error);
  assert_shape (&fixture, "INSERT INTO r (k, v) VALUES ($1, $2)", 1, 0, 10);
  service_fixture_script (&fixture, "INSERT INTO r (k, v) VALUES (7, 'g')");
  assert_shape (&fixture, "INSERT INTO r (k, v) VALUES ($1, $2)", 2, 0, 11);
  service_fixture_close (&fixture);
}

static void
test_show_and_reset (void)
{
  ServiceFixture fixture;
  g_autofree gchar *shown = NULL, *again = NULL;

  open_service (&fixture);
  service_fixture_script (&fixture,
                          "SELECT v FROM r WHERE v = 'secret' AND k IN (1, 987123456, 3)");
  shown = service_fixture_run (&fixture, "SHOW STATEMENT STATISTICS");
  g_assert_nonnull (strstr (shown, "SELECT v FROM r WHERE v = $1 AND k IN ($2, $3, $4, $5)"));
  g_assert_null (strstr (shown, "secret"));
  g_assert_null (strstr (shown, "987123456"));
  g_free (service_fixture_run (&fixture, "RESET STATEMENT STATISTICS"));
  again = service_fixture_run (&fixture, "SHOW STATEMENT STATISTICS");
  g_assert_cmpstr (again, ==, "");
  service_fixture_close (&fixture);
}

/* ---- bounds */

/* What is used often outlives any number of shapes that come once. */
static void
test_eviction (void)
{
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint i = 0; i < 10 * MAX_SHAPES; i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("SELECT v AS a%u FROM r WHERE k = 1", i);

      g_free (service_fixture_run (&fixture, sql));
      g_free (service_fixture_run (&fixture, "SELECT k FROM r WHERE k = 1"));
      g_assert_cmpuint (count (&fixture), <=, MAX_SHAPES);
    }
  assert_shape (&fixture, "SELECT k FROM r WHERE k = $1", 10 * MAX_SHAPES, 0, 10 * MAX_SHAPES);
  g_assert_cmpint (kvsqld_statement_statistics_get_n_evicted (fixture.service->shapes), >=,
                   9 * MAX_SHAPES);
  service_fixture_close (&fixture);
}

/* New shapes that are used get past old ones that no longer are. */
static void
test_aging (void)
{
  ServiceFixture fixture;

  open_service (&fixture);
  for (guint i = 0; i < 100; i++)
    g_free (service_fixture_run (&fixture, "SELECT k FROM r WHERE k = 1"));
  for (guint round = 0; round < 20; round++)
    for (guint i = 0; i < 2 * MAX_SHAPES; i++)
      {
        g_autofree gchar *sql = g_strdup_printf ("SELECT v AS a%u FROM r WHERE k = 1", i);

        g_free (service_fixture_run (&fixture, sql));
        g_free (service_fixture_run (&fixture, sql));
      }
  g_assert_null (find (&fixture, "SELECT k FROM r WHERE k = $1"));
  service_fixture_close (&fixture);
}

static void
test_long_text (void)
{
  ServiceFixture fixture;
  g_autoptr (GString) sql = g_string_new ("SELECT k");
  g_autoptr (GPtrArray) list = NULL;
  const KvsqldShape *shape;

  open_service (&fixture);
  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (sql, ", k AS `ä%u`", i);
  g_string_append (sql, " FROM r");
  g_free (service_fixture_run (&fixture, sql->str));
  list = kvsqld_statement_statistics_list (fixture.service->shapes);
  g_assert_cmpuint (list->len, ==, 1);
  shape = list->pdata[0];
  g_assert_false (shape->is_whole);
  g_assert_cmpuint (strlen (shape->text), <=, KVSQLD_MAX_SHAPE_BYTES);
  g_assert_cmpuint (strlen (shape->text), >, KVSQLD_MAX_SHAPE_BYTES - 10);
  g_assert_true (g_utf8_validate (shape->text, -1, NULL));
  service_fixture_close (&fixture);
}

static void
test_off (void)
{
  ServiceFixture fixture;

  open_service (&fixture);
  g_free (service_fixture_run (&fixture, "SELECT v FROM r WHERE k = 1"));
  g_assert_cmpuint (count (&fixture), ==, 1);
  fixture.limits.max_statement_shapes = 0;
  kvsqld_service_set_limits (fixture.service, &fixture.limits);
  g_assert_cmpuint (count (&fixture), ==, 0);
  g_free (service_fixture_run (&fixture, "SELECT v FROM r WHERE k = 1"));
  g_assert_cmpuint (count (&fixture), ==, 0);
  service_fixture_close (&fixture);
}

/* ---- threads */

static gpointer
run_some (gpointer data)
{
  ServiceFixture *fixture = data;

  for (guint i = 0; i < 200; i++)
    {
      g_autofree gchar *sql = g_strdup_printf ("SELECT v AS a%u FROM r WHERE k = 1", i % 50);

      g_free (service_fixture_run (fixture, sql));
      g_free (service_fixture_run (fixture, "SELECT k FROM r WHERE k = 1"));
      if (i % 50 == 0)
        g_free (service_fixture_run (fixture, "SHOW STATEMENT STATISTICS"));
    }
  return NULL;
}

static void
test_threads (void)
{
  ServiceFixture fixture;
  GThread *threads[4];

  open_service (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("statements", run_some, &fixture);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  assert_shape (&fixture, "SELECT k FROM r WHERE k = $1", 800, 0, 800);
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/statement-statistics/kinds", test_kinds);
  g_test_add_func ("/statement-statistics/reads", test_reads);
  g_test_add_func ("/statement-statistics/repeated", test_repeated);
  g_test_add_func ("/statement-statistics/pages", test_pages);
  g_test_add_func ("/statement-statistics/errors", test_errors);
  g_test_add_func ("/statement-statistics/columns", test_columns);
  g_test_add_func ("/statement-statistics/show-and-reset", test_show_and_reset);
  g_test_add_func ("/statement-statistics/eviction", test_eviction);
  g_test_add_func ("/statement-statistics/aging", test_aging);
  g_test_add_func ("/statement-statistics/long-text", test_long_text);
  g_test_add_func ("/statement-statistics/off", test_off);
  g_test_add_func ("/statement-statistics/threads", test_threads);
  return g_test_run ();
}
