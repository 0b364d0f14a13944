/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-limits.c: the limits of statements, and the errors beyond them.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"

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

/* The tuples of a cross join do not fit into memory; other statements continue. */
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
  /* the memory is released, except that of cached plans */
  g_assert_cmpuint (get_used (self), <, before + (64 << 10));
}

/* A sort never asks for more memory than its statement may have: it uses the disk. */
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

/* When the memory is full, the statement with more than an equal share fails, and those with little
 * continue. */
/* A large value that all rows share is copied for few rows at once. */
static void
test_shared_values (ServiceFixture *self, gconstpointer data)
{
  static const gchar *const selects[] = {
    "SELECT max(length(s)) FROM (SELECT s, g FROM %s a ORDER BY s, g DESC) b",
    "SELECT count(*) FROM (SELECT s, g FROM %s a ORDER BY s || 'x', g LIMIT 900) b",
    "SELECT sum(n) FROM (SELECT s, count(*) AS n FROM %s a GROUP BY s) b",
    "SELECT count(*) FROM %s a LEFT JOIN generate_series(1, 900) b (i) ON a.g = b.i WHERE s > 'y' "
    "OR length(s || b.i) > 9",
    "SELECT count(*) FROM (SELECT s FROM %s a UNION ALL SELECT s || g FROM %s b) c",
  };
  static const gchar *const results[] = { "100000", "900", "1000", "900", "2000" };
  static const gchar rows[] = "(SELECT g, (SELECT repeat('x', 100000)) AS s FROM "
                              "generate_series(1, 1000) AS g)";
  KvsqldServiceLimits limits
      = { .max_statement_memory = 24 << 20, .sort_bytes = 4 << 20, .sort_disk_bytes = 1 << 30 };

  kvsqld_service_set_limits (self->service, &limits);
  for (guint i = 0; i < G_N_ELEMENTS (selects); i++)
    {
      g_auto (GStrv) parts = g_strsplit (selects[i], "%s", -1);
      g_autofree gchar *sql = g_strjoinv (rows, parts);

      service_fixture_assert (self, sql, results[i]);
    }
}

/* Large tuples are updated in small chunks. */
static void
test_large_updates (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .max_statement_memory = 32 << 20 };

  service_fixture_script (
      self, "DEFINE RELATION w { k INT KEY, v STRING };"
            "DEFINE PRIMARY SCHEMA w_k FOR w { TABLE 'w', ROW ordered{k}, FAMILY 'f', VALUE v };"
            "INSERT INTO w SELECT g, repeat('x', 100000) FROM generate_series(1, 400) AS g");
  kvsqld_service_set_limits (self->service, &limits);
  service_fixture_assert (self, "UPDATE w SET v = repeat('y', 100000)", "400 affected");
  service_fixture_assert (self, "UPDATE w SET v = v || 'z' WHERE k <= 300", "300 affected");
  service_fixture_assert (self, "SELECT count(*), count(DISTINCT v) FROM w", "400|2");
}

/* The evaluators of so many expressions are not kept between batches. */
static void
test_many_expressions (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .max_statement_memory = 128 << 20 };
  g_autoptr (GString) sql = g_string_new ("SELECT count(*) FROM r WHERE k > 16200");

  for (guint i = 0; i < 30000; i++)
    g_string_append_printf (sql, " AND k + 0 <> %u", 2 * i);
  kvsqld_service_set_limits (self->service, &limits);
  service_fixture_assert (self, sql->str, "92"); /* odd numbers */
}

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

/* A cached cursor counts against the memory. If there is no room, it is dropped, and the result is
 * resumed from its token. */
static void
test_cursors_make_room (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .max_memory = 16 << 20, .page_rows = 10 };
  KvsqlAccount *others = kvsql_account_new (self->service->account);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (KvsqlResultPage) next = NULL;

  kvsqld_service_set_limits (self->service, &limits);
  page = kvsqld_service_query (self->service, NULL, S ("SELECT k FROM r ORDER BY k"), NULL, 0,
                               &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kvsqld_cursors_get_size (self->service->cursors, NULL), ==, 1);
  kvsql_account_add (others, 64 << 20);
  service_fixture_assert (self, "SELECT k FROM r WHERE k = 5", "5");
  g_assert_cmpuint (kvsqld_cursors_get_size (self->service->cursors, NULL), ==, 0);
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
  g_autofree gchar *shown = NULL, *plan = NULL;
  g_autoptr (GError) error = NULL;

  kvsqld_service_set_limits (self->service, &limits);
  service_fixture_assert (self, "SELECT k FROM r WHERE k = 5", "5");
  kvsql_count_add (&self->service->n_running, 2);
  assert_refused (self, "SELECT k FROM r WHERE k = 5", "2 statements run already",
                  "max_running_statements");
  g_assert_false (
      kvsqld_service_insert_rows (self->service, NULL, "r", names, &batch, &affected, &error));
  assert_limit (error, "2 statements run already", "max_running_statements");
  g_clear_error (&error);
  /* EXPLAIN reads, too */
  g_assert_false (kvsqld_service_explain (self->service, NULL,
                                          KVSQL_SLICE_LITERAL ("SELECT k FROM r"), NULL, 0, FALSE,
                                          &plan, NULL, &error));
  assert_limit (error, "2 statements run already", "max_running_statements");
  /* as an operator should see it */
  shown = service_fixture_run (self, "SHOW STATUS");
  service_fixture_assert_fails (self, "KILL 1", KVSQL_ERROR_UNKNOWN_NAME,
                                "no statement 1 is running");
  kvsql_count_add (&self->service->n_running, -2);
  service_fixture_assert (self, "SELECT k FROM r WHERE k = 5", "5");
}

/* Fetches pages until it fails. (transfer full) */
static GError *
fail_at_some_page (ServiceFixture *self, KvsqlSlice sql, guint *out_n_pages)
{
  g_autoptr (KvsqlResultPage) page = NULL;
  GError *error = NULL;

  page = kvsqld_service_query (self->service, NULL, sql, NULL, 0, &error);
  for (*out_n_pages = 0; page != NULL && page->cursor != NULL; ++*out_n_pages)
    {
      g_autoptr (GBytes) cursor = g_steal_pointer (&page->cursor);

      kvsql_result_page_free (page);
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

/* ---- turns */

#define N_LONG 12

typedef struct
{
  ServiceFixture *fixture;
  gint is_over;
  gint n_done;
} Readers;

static gpointer
read_until_over (gpointer data)
{
  Readers *self = data;

  do
    {
      service_fixture_assert (self->fixture, "SELECT sum(length(v || k)) > 0 FROM r", "true");
      g_atomic_int_inc (&self->n_done);
    }
  while (g_atomic_int_get (&self->is_over) == 0);
  return NULL;
}

/* Long SELECTs wait for their turns; all of them end, and a statement that writes waits for none.
 */
static void
test_turns (ServiceFixture *self, gconstpointer data)
{
  Readers readers = { .fixture = self };
  GThread *threads[N_LONG];

  for (guint i = 0; i < N_LONG; i++)
    threads[i] = g_thread_new ("reader", read_until_over, &readers);
  while (kvsqld_turns_count_waiting (self->service->turns) == 0)
    g_usleep (G_TIME_SPAN_MILLISECOND);
  service_fixture_script (self, "UPDATE r SET v = 'other' WHERE k < 100");
  g_atomic_int_set (&readers.is_over, 1);
  for (guint i = 0; i < N_LONG; i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (readers.n_done, >=, N_LONG);
  g_assert_cmpuint (kvsqld_turns_count_waiting (self->service->turns), ==, 0);
  service_fixture_assert (self, "SELECT count(*) FROM r WHERE v = 'other'", "100");
}

/* ---- lengths */

static gchar *
repeat (const gchar *begin, const gchar *term, guint n, const gchar *end)
{
  GString *text = g_string_new (begin);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s + %u", i > 0 ? ", " : "", term, i);
  g_string_append (text, end);
  return g_string_free (text, FALSE);
}

static void
assert_too_many (ServiceFixture *self, gchar *sql, const gchar *message)
{
  g_autofree gchar *owned = sql;

  service_fixture_assert_fails (self, sql, KVSQL_ERROR_LIMIT, message);
}

static void
test_items (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *most = repeat ("SELECT ", "k", 1664, " FROM r WHERE k = 1");
  g_autofree gchar *answer = service_fixture_run (self, most);
  g_autoptr (GString) calls = g_string_new ("SELECT 1 FROM r HAVING sum(k) > 0");

  g_assert_true (g_str_has_prefix (answer, "1|2|3|"));
  assert_too_many (self, repeat ("SELECT ", "k", 1665, " FROM r"),
                   "SELECT has more than 1664 items");
  assert_too_many (self, repeat ("SELECT *, ", "k", 1663, " FROM r"),
                   "SELECT has more than 1664 items");
  assert_too_many (self, repeat ("SELECT 1 FROM r GROUP BY ", "k", 1665, ""),
                   "GROUP BY has more than 1664 items");
  assert_too_many (self, repeat ("SELECT k FROM r ORDER BY ", "k", 1665, ""),
                   "ORDER BY has more than 1664 items");
  assert_too_many (self, repeat ("DELETE FROM r WHERE k = 1 RETURNING ", "k", 1665, ""),
                   "RETURNING has more than 1664 items");
  assert_too_many (self, repeat ("UPDATE r SET ", "v = 'a' || 1", 1665, ""),
                   "SET has more than 1664 items");
  for (guint i = 0; i < 1664; i++)
    g_string_append_printf (calls, " AND sum(k + %u) > 0", i);
  service_fixture_assert_fails (self, calls->str, KVSQL_ERROR_LIMIT,
                                "the statement has more than 1664 aggregates");
}

static void
test_explained_requests (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GString) sql = g_string_new ("EXPLAIN INSERT INTO r VALUES (0, 'v')");

  for (guint i = 1; i <= 10000; i++)
    g_string_append_printf (sql, ", (%u, 'v')", i);
  service_fixture_assert_fails (
      self, sql->str, KVSQL_ERROR_LIMIT,
      "the statement makes more than the 10000 requests that EXPLAIN shows");
}

/* The JSON of long values takes a time that no deadline ends. */
static void
test_explained_bytes (ServiceFixture *self, gconstpointer data)
{
  static const struct
  {
    const gchar *before, *after, *message;
  } cases[] = {
    { "EXPLAIN INSERT INTO r VALUES (0, '", "')",
      "the requests have more than the 2 MiB that EXPLAIN shows" },
    { "EXPLAIN (CALLS) INSERT INTO r VALUES (0, '", "')",
      "the requests have more than the 2 MiB that EXPLAIN shows" },
    { "EXPLAIN SELECT * FROM r WHERE v = '", "'",
      "the plan has more than the 2 MiB of text that EXPLAIN shows" },
    { "EXPLAIN (FORMAT DOT) DELETE FROM r WHERE v = '", "'",
      "the plan has more than the 2 MiB of text that EXPLAIN shows" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize size = 1 << 20; size <= 3 << 20; size += 2 << 20)
      {
        g_autofree gchar *value = g_strnfill (size, 'x');
        g_autofree gchar *sql = g_strconcat (cases[i].before, value, cases[i].after, NULL);

        if (size > 2 << 20)
          service_fixture_assert_fails (self, sql, KVSQL_ERROR_LIMIT, cases[i].message);
        else
          service_fixture_script (self, sql);
      }
}

/* A condition whose planning needs more memory than a statement may have, and more time than it
 * has. */
static void
test_planning (ServiceFixture *self, gconstpointer data)
{
  KvsqldServiceLimits few = { .max_statement_memory = 4 << 20 }, many = { 0 };
  KvsqldRequest hasty = { .timeout_ms = 1 };
  g_autoptr (GCancellable) killed = g_cancellable_new ();
  KvsqldRequest dead = { .cancellable = killed };
  g_autoptr (GString) sql = g_string_new ("SELECT k FROM r WHERE k <> 0");
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i < 50000; i++)
    g_string_append_printf (sql, " AND k <> %u", i);
  kvsqld_service_set_limits (self->service, &few);
  assert_refused (self, sql->str, "the statement needs more than 4 MiB of memory",
                  "max_statement_memory");
  kvsqld_service_set_limits (self->service, &many);
  g_assert_null (kvsqld_service_query (self->service, &hasty, kvsql_slice_from_text (sql->str),
                                       NULL, 0, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_clear_error (&error);
  g_cancellable_cancel (killed);
  g_assert_null (kvsqld_service_query (self->service, &dead, kvsql_slice_from_text (sql->str), NULL,
                                       0, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  service_fixture_assert (self, "SELECT count(*) FROM r", G_STRINGIFY (N_ROWS));
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
      add (stores[i], "shared-values", test_shared_values);
      add (stores[i], "large-updates", test_large_updates);
      add (stores[i], "many-expressions", test_many_expressions);
      add (stores[i], "sort-fits", test_sort_fits);
      add (stores[i], "cursors-make-room", test_cursors_make_room);
      add (stores[i], "running", test_running);
      add (stores[i], "result", test_result);
      add (stores[i], "time", test_time);
      add (stores[i], "turns", test_turns);
      add (stores[i], "items", test_items);
      add (stores[i], "explained-requests", test_explained_requests);
      add (stores[i], "explained-bytes", test_explained_bytes);
      add (stores[i], "planning", test_planning);
    }
  return g_test_run ();
}
