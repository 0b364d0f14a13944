/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-limits.c: what statements may take, and what is said when they want more.
 */
#include "config.h"

#include "daemon/service-private.h"
#include "tests/daemon/service-fixture.h"

#define N_ROWS 16384
#define S(text) KVSQL_SLICE_LITERAL (text)

static void
set_up (ServiceFixture *self, gconstpointer store_url)
{
  service_fixture_open (self, store_url);
  service_fixture_fill (self, N_ROWS, "a value that is not so short");
}

static void
assert_limit (const GError *error, const gchar *message, const gchar *setting)
{
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_true (g_pattern_match_simple (message, error->message));
  g_assert_nonnull (strstr (kvsql_error_get_hint (error), setting));
  g_assert_cmpstr (kvsql_error_code_sqlstate (error->code), ==, "54000");
}

static void
assert_refused (ServiceFixture *self, const gchar *sql, const gchar *message, const gchar *setting)
{
  g_autoptr (GError) error = service_fixture_fail (self, sql);

  assert_limit (error, message, setting);
}

static gsize
get_used (ServiceFixture *self)
{
  return kvsql_account_get_used (self->service->account);
}

/* The whole relation as the build of a product does not fit, and other statements go on. */
static void
test_memory_of_a_statement (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits
      = { .max_statement_memory = 1 << 20, .page_rows = 100000, .page_bytes = 8 << 20 };
  gsize before = get_used (self);

  kvsqld_service_set_limits (self->service, &limits);
  assert_refused (self, "SELECT * FROM r", "the statement needs more than 1 MiB of memory",
                  "max_statement_memory");
  service_fixture_assert (self, "SELECT count(*) FROM r", G_STRINGIFY (N_ROWS));
  /* what was counted is counted back, but for plans that are kept */
  g_assert_cmpuint (get_used (self), <, before + (64 << 10));
}

/* A sort never asks for more than its statement may have: it goes to disk. */
static void
test_sort_fits (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .max_statement_memory = 2 << 20,
                                 .sort_bytes = 1 << 30,
                                 .sort_disk_bytes = 1 << 30,
                                 .page_rows = 10 };

  kvsqld_service_set_limits (self->service, &limits);
  service_fixture_assert (self, "SELECT k FROM r ORDER BY v, k DESC LIMIT 2", "16383\n16382");
}

/* When all is full, who holds more than an equal share goes, and who holds little goes on. */
static void
test_memory_of_all (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits
      = { .max_memory = 16 << 20, .page_rows = 100000, .page_bytes = 8 << 20 };
  KvsqlAccount *others = kvsql_account_new (self->service->account);
  GError *error = NULL;

  kvsqld_service_set_limits (self->service, &limits);
  service_fixture_assert (self, "SELECT count(*) FROM r", G_STRINGIFY (N_ROWS));
  kvsql_account_add (others, 64 << 20);
  kvsql_count_add (&self->service->n_running, 63);

  error = service_fixture_fail (self, "SELECT * FROM r");
  assert_limit (error,
                "all statements together need more than 16 MiB of memory, and this one has "
                "more than its share of 0 MiB",
                "max_memory");
  g_error_free (error);
  service_fixture_assert (self, "SELECT k FROM r WHERE k = 5", "5");

  kvsql_count_add (&self->service->n_running, -63);
  kvsql_account_add (others, -(64 << 20));
  kvsql_account_unref (others);
  service_fixture_assert (self, "SELECT count(*) FROM r", G_STRINGIFY (N_ROWS));
}

/* A cursor that is kept warm is paid for; when there is no more room it is dropped, and the result
 * goes on from its token. */
static void
test_cursors_make_room (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .max_memory = 16 << 20, .page_rows = 10 };
  KvsqlAccount *others = kvsql_account_new (self->service->account);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldPage) page = NULL;
  g_autoptr (KvsqldPage) next = NULL;

  kvsqld_service_set_limits (self->service, &limits);
  page = kvsqld_service_query (self->service, NULL, S ("SELECT k FROM r ORDER BY k"), NULL, 0,
                               &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kvsqld_cursors_get_size (self->service->cursors), ==, 1);
  kvsql_account_add (others, 64 << 20);
  service_fixture_assert (self, "SELECT k FROM r WHERE k = 5", "5");
  g_assert_cmpuint (kvsqld_cursors_get_size (self->service->cursors), ==, 0);
  kvsql_account_add (others, -(64 << 20));
  kvsql_account_unref (others);

  next = kvsqld_service_fetch (
      self->service, NULL,
      kvsql_slice (g_bytes_get_data (page->cursor, NULL), g_bytes_get_size (page->cursor)), &error);
  g_assert_no_error (error);
  g_assert_cmpint (next->rows->columns[0].integers[0], ==, 10);
}

static void
test_running (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .max_running_statements = 2 };
  const gchar *const names[] = { "k", NULL };
  gint64 key = 1, affected = 0;
  KvsqlVector column = { .type = KVSQL_TYPE_BIGINT, .integers = &key };
  KvsqlBatch batch = { .n_rows = 1, .capacity = 1, .n_columns = 1, .columns = &column };
  g_autofree gchar *shown = NULL;
  g_autoptr (GError) error = NULL;

  kvsqld_service_set_limits (self->service, &limits);
  service_fixture_assert (self, "SELECT k FROM r WHERE k = 5", "5");
  kvsql_count_add (&self->service->n_running, 2);
  assert_refused (self, "SELECT k FROM r WHERE k = 5", "2 statements run already",
                  "max_running_statements");
  g_assert_false (
      kvsqld_service_insert_rows (self->service, NULL, "r", names, &batch, &affected, &error));
  assert_limit (error, "2 statements run already", "max_running_statements");
  /* what an operator needs now */
  shown = service_fixture_run (self, "SHOW STATUS");
  service_fixture_assert_fails (self, "KILL 1", KVSQL_ERROR_UNKNOWN_NAME,
                                "no statement 1 is running");
  kvsql_count_add (&self->service->n_running, -2);
  service_fixture_assert (self, "SELECT k FROM r WHERE k = 5", "5");
}

/* Follows the result until it fails. (transfer full) */
static GError *
fail_at_some_page (ServiceFixture *self, KvsqlSlice sql, guint *out_n_pages)
{
  g_autoptr (KvsqldPage) page = NULL;
  GError *error = NULL;

  page = kvsqld_service_query (self->service, NULL, sql, NULL, 0, &error);
  for (*out_n_pages = 0; page != NULL && page->cursor != NULL; ++*out_n_pages)
    {
      g_autoptr (GBytes) cursor = g_steal_pointer (&page->cursor);

      kvsqld_page_free (page);
      page = kvsqld_service_fetch (
          self->service, NULL,
          kvsql_slice (g_bytes_get_data (cursor, NULL), g_bytes_get_size (cursor)), &error);
    }
  return error;
}

/* Over all pages of a result. */
static void
test_result (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits rows = { .max_result_rows = 1000, .page_rows = 400 };
  KvsqldServiceLimits bytes = { .max_result_bytes = 10000, .page_rows = 100 };

  GError *error;
  guint n_pages;

  kvsqld_service_set_limits (self->service, &rows);
  error = fail_at_some_page (self, S ("SELECT k FROM r"), &n_pages);
  assert_limit (error, "the result has more than 1000 rows", "max_result_rows");
  g_error_free (error);
  g_assert_cmpuint (n_pages, ==, 2);
  g_free (service_fixture_run (self, "SELECT k FROM r LIMIT 1000"));

  kvsqld_service_set_limits (self->service, &bytes);
  error = fail_at_some_page (self, S ("SELECT v FROM r"), &n_pages);
  assert_limit (error, "the result has more than 10000 bytes", "max_result_bytes");
  g_error_free (error);
  g_assert_cmpuint (n_pages, >, 0);
  g_free (service_fixture_run (self, "SELECT v FROM r LIMIT 100"));
}

static void
test_time (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .request_timeout_ms = 50 };
  g_autoptr (GError) error = NULL;

  kvsqld_service_set_limits (self->service, &limits);
  error = service_fixture_fail (
      self, "SELECT count(*) FROM r a, r b, r c WHERE a.v = b.v AND b.v <> c.v");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpstr (kvsql_error_get_hint (error), ==,
                   "It had 50 ms; the daemon's configuration allows 50 (request_timeout_ms).");
}

static void
test_slow_log_is_bounded (void)
{
  KvsqldSlowLog log = { 0 };
  guint left_out = 0;

  for (guint i = 0; i < KVSQLD_SLOW_LINES; i++)
    g_assert_true (kvsqld_slow_log_admit (&log, 1000, &left_out));
  for (guint i = 0; i < 7; i++)
    g_assert_false (kvsqld_slow_log_admit (&log, KVSQLD_SLOW_WINDOW_US, &left_out));
  g_assert_cmpuint (left_out, ==, 0);
  g_assert_true (kvsqld_slow_log_admit (&log, 1000 + KVSQLD_SLOW_WINDOW_US, &left_out));
  g_assert_cmpuint (left_out, ==, 7);
  g_assert_true (kvsqld_slow_log_admit (&log, 1000 + KVSQLD_SLOW_WINDOW_US, &left_out));
  g_assert_cmpuint (left_out, ==, 0);
}

static void
add (const gchar *store, const gchar *name, void (*test) (ServiceFixture *, gconstpointer))
{
  g_autofree gchar *path = g_strdup_printf ("/daemon/limits/%s/%s", store, name);

  g_test_add (path, ServiceFixture, g_str_equal (store, "memory") ? NULL : store, set_up, test,
              service_fixture_tear_down);
}

int
main (int argc, char **argv)
{
  static const gchar *const stores[] = { "memory", "rocksdb" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      add (stores[i], "memory-of-a-statement", test_memory_of_a_statement);
      add (stores[i], "memory-of-all", test_memory_of_all);
      add (stores[i], "sort-fits", test_sort_fits);
      add (stores[i], "cursors-make-room", test_cursors_make_room);
      add (stores[i], "running", test_running);
      add (stores[i], "result", test_result);
      add (stores[i], "time", test_time);
    }
  g_test_add_func ("/daemon/limits/slow-log-is-bounded", test_slow_log_is_bounded);
  return g_test_run ();
}
