/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-semi-join-requests.c: semi and anti joins in what a client can ask for: pages from cursors
 * that are not cached, prepared statements, EXPLAIN, deadlines, KILL, memory, UPDATE and DELETE.
 */
#include "config.h"

#include "core/plan/join-plan.h"
#include "tests/harness/service-fixture.h"

#include <pthread.h>
#include <time.h>

#define N_ROWS 100
#define PAGE_ROWS 7

static const KvsqlJoinMethod methods[]
    = { KVSQL_JOIN_METHOD_LOOKUP, KVSQL_JOIN_METHOD_HASH, KVSQL_JOIN_METHOD_NESTED_LOOP };

/* n: k from 0 up to 99, x = k / 2, s = 'a' or 'b', and NULL in every seventh x. */
static void
define (ServiceFixture *self)
{
  g_autoptr (GString) sql = g_string_new ("INSERT INTO n VALUES ");

  service_fixture_script (self,
                          "DEFINE RELATION n { k INT KEY, x INT, s STRING };"
                          "DEFINE PRIMARY SCHEMA n1 FOR n { TABLE 'n', ROW ordered{k}, FAMILY "
                          "'f', QUALIFIER attr_name[k], VALUE attr_value[k] } "
                          "WITH (marker = x'00')");
  for (guint i = 0; i < N_ROWS; i++)
    {
      g_autofree gchar *x = i % 7 == 0 ? g_strdup ("NULL") : g_strdup_printf ("%u", i / 2);

      g_string_append_printf (sql, "%s(%u, %s, '%c')", i == 0 ? "" : ", ", i, x, 'a' + i % 2);
    }
  service_fixture_script (self, sql->str);
}

/* ---- pages */

/* Each page comes after a restart, or after the cursor was closed in the daemon. */
static gchar *
read_cold_pages (ServiceFixture *self, const gchar *sql, gboolean restarts, guint *out_n)
{
  KvsqldRequest request = { .max_rows = PAGE_ROWS };
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);
  KvsqlResultPage *page = kvsqld_service_query (self->service, &request,
                                                kvsql_slice_from_text (sql), NULL, 0, &error);

  for (*out_n = 1;; ++*out_n)
    {
      g_autoptr (KvsqlResultPage) this = page;
      KvsqlSlice token;

      g_assert_no_error (error);
      service_fixture_append_page (this, out);
      if (this->cursor == NULL)
        break;
      token = kvsql_slice (g_bytes_get_data (this->cursor, NULL), g_bytes_get_size (this->cursor));
      if (restarts)
        service_fixture_reopen (self);
      else
        g_assert_true (kvsqld_service_close_cursor (self->service, token, &error));
      page = kvsqld_service_fetch (self->service, &request, token, &error);
    }
  if (out->len > 0 && out->str[out->len - 1] == '\n')
    g_string_truncate (out, out->len - 1);
  return g_string_free (out, FALSE);
}

static void
test_cold_pages (void)
{
  static const gchar *const statements[] = {
    "SELECT k FROM n WHERE EXISTS (SELECT 1 FROM n AS m WHERE m.k = n.x) LIMIT 60 OFFSET 3",
    "SELECT k FROM n WHERE NOT EXISTS (SELECT 1 FROM n AS m WHERE m.k = n.x AND m.s < n.s)",
    "SELECT k FROM n WHERE k > 20 AND x NOT IN (SELECT m.x FROM n AS m WHERE m.k = n.k + 1)",
  };
  ServiceFixture self;

  service_fixture_open (&self, "rocksdb");
  define (&self);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
      for (guint restarts = 0; restarts < 2; restarts++)
        {
          /* another text for each method, so that no plan is cached */
          g_autofree gchar *sql = g_strdup_printf ("%s -- %u", statements[i], m);
          g_autofree gchar *whole = NULL, *paged = NULL;
          guint n_pages;

          kvsql_join_forced_method = methods[m];
          whole = service_fixture_run (&self, sql);
          paged = read_cold_pages (&self, sql, restarts, &n_pages);
          kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
          g_assert_cmpstr (paged, ==, whole);
          g_assert_cmpuint (n_pages, >, 4);
        }
  service_fixture_close (&self);
}

/* ---- prepared statements */

typedef struct
{
  ServiceFixture *fixture;
  KvsqldRequest request;
  gint64 id;
} Prepared;

static void
prepare (Prepared *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldPrepared) prepared = kvsqld_service_prepare (
      self->fixture->service, &self->request, kvsql_slice_from_text (sql), &error);

  g_assert_no_error (error);
  self->id = prepared->id;
}

/* @values: BIGINT; -1: NULL */
static void
assert_executes (Prepared *self, const gint64 *values, guint n, const gchar *expected)
{
  g_autofree KvsqlValue *parameters = g_new0 (KvsqlValue, n);
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) rows = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    if (values[i] >= 0)
      parameters[i] = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = values[i] };
  page = kvsqld_service_execute (self->fixture->service, &self->request, self->id, parameters, n,
                                 &error);
  g_assert_no_error (error);
  service_fixture_append_page (page, rows);
  g_strdelimit (rows->str, "\n", ' ');
  g_assert_cmpstr (g_strchomp (rows->str), ==, expected);
}

#define EXECUTES(self, expected, ...)                                                              \
  assert_executes (self, (const gint64[]){ __VA_ARGS__ },                                          \
                   sizeof ((const gint64[]){ __VA_ARGS__ }) / sizeof (gint64), expected)

static void
test_prepared (void)
{
  ServiceFixture fixture;
  Prepared self = { .fixture = &fixture };

  service_fixture_open (&fixture, NULL);
  define (&fixture);
  self.request.session
      = kvsqld_session_new (kvsqld_service_get_activity (fixture.service), "127.0.0.1", NULL);
  /* outside, inside, outside */
  prepare (&self, "SELECT k FROM n WHERE k > ? AND EXISTS (SELECT 1 FROM n AS m WHERE m.k = n.x "
                  "AND m.x < ?) AND k < ? ORDER BY k");
  for (guint i = 0; i < 3; i++) /* a plan may be cached in between */
    {
      EXECUTES (&self, "4 5 6", 3, 2, 12);
      EXECUTES (&self, "4 5 6 8 9 10 11", 3, 6, 12);
      EXECUTES (&self, "", 3, 0, 12);
      EXECUTES (&self, "", 3, -1, 12);
    }
  prepare (&self, "SELECT k FROM n WHERE NOT EXISTS (SELECT 1 FROM n AS m WHERE m.k = n.x AND "
                  "m.k <> ?) AND k < ? ORDER BY k");
  EXECUTES (&self, "0 2 3 7", 1, 10);
  EXECUTES (&self, "0 7", 99, 10);
  EXECUTES (&self, "0 1 2 3 4", -1, 5);
  /* the parameter is what is looked for, or what is given */
  prepare (&self, "SELECT k FROM n WHERE ? IN (SELECT m.x FROM n AS m WHERE m.k = n.x) ORDER BY k");
  EXECUTES (&self, "4 5 6", 1);
  EXECUTES (&self, "", -1);
  prepare (&self, "SELECT k FROM n WHERE x NOT IN (SELECT m.x + ? FROM n AS m WHERE m.k = n.x) "
                  "AND k < 13 ORDER BY k");
  EXECUTES (&self, "0 2 3 4 5 7 10 11 12", 2);
  EXECUTES (&self, "0 7", -1);
  prepare (&self, "UPDATE n SET s = 'z' WHERE k < ? AND EXISTS (SELECT 1 FROM n AS m WHERE m.k = "
                  "n.x AND m.x < ?) RETURNING k");
  EXECUTES (&self, "2 3 4 5 6", 12, 2);
  EXECUTES (&self, "2 3", 4, 2);
  EXECUTES (&self, "", 4, 0);
  kvsqld_session_end (self.request.session);
  service_fixture_close (&fixture);
}

/* ---- EXPLAIN */

static void
test_explained (void)
{
  static const struct
  {
    KvsqlJoinMethod method;
    const gchar *options, *not, *text;
  } cases[] = {
    { KVSQL_JOIN_METHOD_LOOKUP, "", "", "lookup semi join with m on m.k = n.x AND m.s = n.s" },
    { KVSQL_JOIN_METHOD_LOOKUP, "(FORMAT DOT)", "", "lookup semi join\\nm.k = n.x" },
    { KVSQL_JOIN_METHOD_LOOKUP, "(FORMAT JSON)", "NOT", "\"method\" : \"lookup anti join\"" },
    { KVSQL_JOIN_METHOD_LOOKUP, "(FORMAT JSON)", "",
      "\"keys\" : [\n      \"k\",\n      \"s\"\n    ]" },
    { KVSQL_JOIN_METHOD_LOOKUP, "ANALYZE", "", "lookup semi join with m: 42 rows; " },
    { KVSQL_JOIN_METHOD_HASH, "(FORMAT DOT)", "NOT", "hash anti join\\nm.k = n.x" },
    { KVSQL_JOIN_METHOD_HASH, "(FORMAT JSON)", "", "\"method\" : \"hash semi join\"" },
    { KVSQL_JOIN_METHOD_HASH, "ANALYZE", "", "hash semi join with m: 42 rows; 100 rows kept in" },
    { KVSQL_JOIN_METHOD_HASH, "ANALYZE", "NOT", "hash anti join with m: 58 rows; 100 rows kept" },
    { KVSQL_JOIN_METHOD_HASH, "(ANALYZE, FORMAT JSON)", "NOT", "\"kept_rows\" : 100" },
    { KVSQL_JOIN_METHOD_NESTED_LOOP, "", "NOT", "nested loop anti join with m on m.k = n.x" },
    { KVSQL_JOIN_METHOD_NESTED_LOOP, "", "",
      "every pair is checked: no condition equates the two sides" },
    { KVSQL_JOIN_METHOD_NESTED_LOOP, "(FORMAT DOT)", "", "nested loop semi join" },
    { KVSQL_JOIN_METHOD_NESTED_LOOP, "ANALYZE", "", "nested loop semi join with m: 42 rows" },
  };
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  define (&self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *sql
          = g_strdup_printf ("EXPLAIN %s SELECT n.k FROM n WHERE %s EXISTS (SELECT 1 FROM n AS m "
                             "WHERE m.k = n.x AND m.s = n.s)",
                             cases[i].options, cases[i].not );
      g_autofree gchar *plan = NULL;

      kvsql_join_forced_method = cases[i].method;
      plan = service_fixture_run (&self, sql);
      kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
      if (strstr (plan, cases[i].text) == NULL)
        g_error ("%s: %s is not in %s", sql, cases[i].text, plan);
    }
  service_fixture_close (&self);
}

/* ---- limits */

/* No pair satisfies it, so all pairs are checked. */
#define ALL_PAIRS                                                                                  \
  "SELECT count(*) FROM r AS a WHERE NOT EXISTS (SELECT 1 FROM r AS b WHERE b.v = a.v AND b.k + "  \
  "a.k < 0)"

/* Sanitizers need time of their own. */
#define MOST_US (sanitizers () ? 20 * G_USEC_PER_SEC : G_USEC_PER_SEC / 4)
#define LEAST_US (20 * 1000)

static gboolean
sanitizers (void)
{
  const gchar *flags = g_getenv ("KVSQL_TEST_SANITIZERS");

  return flags != NULL && *flags != '\0';
}

/* Of the processor: other load does not matter. */
static gint64
get_clock_us (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

typedef struct
{
  GCancellable *cancellable;
  clockid_t clock; /* of the thread of the statement */
  gint64 at_us;
} Killer;

static gpointer
kill_statement (gpointer data)
{
  Killer *self = data;

  while (get_clock_us (self->clock) < self->at_us)
    g_usleep (1000);
  g_cancellable_cancel (self->cancellable);
  return NULL;
}

/* In the middle of the join, which has hardly begun. */
static void
assert_ends (ServiceFixture *self, const KvsqldRequest *request, const gchar *sql)
{
  gint64 began_us = get_clock_us (CLOCK_THREAD_CPUTIME_ID);
  g_autoptr (GError) error = NULL;

  g_assert_null (
      kvsqld_service_query (self->service, request, kvsql_slice_from_text (sql), NULL, 0, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpint (get_clock_us (CLOCK_THREAD_CPUTIME_ID) - began_us, <, MOST_US);
}

static void
assert_killed (ServiceFixture *self, const gchar *sql)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  KvsqldRequest request = { .cancellable = cancellable };
  Killer killer = { .cancellable = cancellable };
  GThread *thread;

  g_assert_cmpint (pthread_getcpuclockid (pthread_self (), &killer.clock), ==, 0);
  killer.at_us = get_clock_us (killer.clock) + LEAST_US;
  thread = g_thread_new ("killer", kill_statement, &killer);
  assert_ends (self, &request, sql);
  g_thread_join (thread);
}

/* 2^26 pairs, of which none satisfies the condition. */
static void
test_deadline_and_kill (void)
{
  const KvsqldRequest hasty = { .timeout_ms = 30 };
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  service_fixture_fill (&self, 8192, "v");
  for (guint m = KVSQL_JOIN_METHOD_HASH; m <= KVSQL_JOIN_METHOD_NESTED_LOOP; m++)
    {
      g_autofree gchar *sql = g_strdup_printf ("%s -- %u", ALL_PAIRS, m);

      kvsql_join_forced_method = m;
      assert_ends (&self, &hasty, sql);
      assert_killed (&self, sql);
      kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
    }
  service_fixture_close (&self);
}

/* The rows that are kept count as memory of the statement, and are bounded by sort_bytes. */
static void
test_memory (void)
{
  static const gchar values[]
      = "SELECT count(*) FROM r AS a WHERE NOT EXISTS (SELECT 1 FROM r AS b WHERE b.k = a.k "
        "AND b.v <> a.v)";
  static const gchar keys[]
      = "SELECT count(*) FROM r AS a WHERE EXISTS (SELECT 1 FROM r AS b WHERE b.k = a.k)";
  const KvsqldServiceLimits few = { .max_statement_memory = 3 << 20 },
                            tight = { .sort_bytes = 1 << 20 };
  g_autofree gchar *value = g_strnfill (1000, 'v');
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  service_fixture_fill (&self, 4096, value);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_HASH;
  service_fixture_assert (&self, values, "4096");
  kvsqld_service_set_limits (self.service, &few);
  service_fixture_assert_fails (&self, values, KVSQL_ERROR_LIMIT,
                                "a join keeps the rows of \"b\" in memory, and they need more "
                                "than 1 MiB");
  service_fixture_assert (&self, keys, "4096");
  kvsqld_service_set_limits (self.service, &tight);
  service_fixture_assert_fails (&self, values, KVSQL_ERROR_LIMIT,
                                "a join keeps the rows of \"b\" in memory, and they need more "
                                "than 1 MiB");
  service_fixture_assert (&self, keys, "4096");
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
  service_fixture_close (&self);
}

/* ---- UPDATE and DELETE */

/* Conditions without a subquery are checked again under the lock; the others become keys. */
static void
test_written (gconstpointer store)
{
  ServiceFixture self;

  service_fixture_open (&self, store);
  define (&self);
  service_fixture_script (&self, "DEFINE RELATION p { a STRING KEY, b BIGINT KEY, v INT };"
                                 "DEFINE PRIMARY SCHEMA p1 FOR p { TABLE 'p', ROW suffix('-'){a}:"
                                 "ordered{b}, FAMILY 'f', VALUE text{v} };"
                                 "INSERT INTO p VALUES ('x', 1, 1), ('x', 2, 2), ('y', 1, 3), "
                                 "('z', 1, 4), ('z', 3, 5)");
  service_fixture_assert (&self,
                          "UPDATE n SET s = 'even' WHERE k < 12 AND EXISTS (SELECT 1 FROM n AS m "
                          "WHERE m.k = n.x AND m.s = 'a') RETURNING k",
                          "1\n4\n5\n8\n9\n5 affected");
  service_fixture_assert (&self,
                          "UPDATE n AS o SET s = 'none' WHERE o.x NOT IN (SELECT m.k FROM n AS m "
                          "WHERE m.k > o.k - 98) AND k > 90 RETURNING k",
                          "0 affected");
  service_fixture_assert (&self,
                          "DELETE FROM n WHERE NOT EXISTS (SELECT 1 FROM n AS m WHERE m.k = n.x) "
                          "AND k > 70 RETURNING k",
                          "77\n84\n91\n98\n4 affected");
  service_fixture_assert (&self,
                          "DELETE FROM n WHERE EXISTS (SELECT 1 FROM n AS m WHERE m.x = n.k) AND k "
                          "> 20 ORDER BY k LIMIT 2 RETURNING k",
                          "21\n22\n2 affected");
  /* the subquery is about the tuples before the statement: one of each b stays */
  service_fixture_assert (&self,
                          "DELETE FROM p WHERE EXISTS (SELECT 1 FROM p AS q WHERE q.b = p.b AND "
                          "q.a < p.a) RETURNING a, b",
                          "y|1\nz|1\n2 affected");
  service_fixture_assert (
      &self,
      "UPDATE p SET v = 9 WHERE EXISTS (SELECT 1 FROM p AS q WHERE q.b > p.b AND q.a = p.a) "
      "RETURNING *",
      "x|1|9\n1 affected");
  service_fixture_assert (&self,
                          "DELETE FROM p WHERE EXISTS (SELECT 1 FROM n WHERE n.k = p.v + "
                          "1000) RETURNING a",
                          "0 affected");
  service_fixture_assert (&self, "SELECT count(*) FROM p", "3");
  service_fixture_close (&self);
}

/* A tuple that has changed in what the subquery uses would not be found again. */
static void
test_checked_again (void)
{
  ServiceFixture self;
  g_autofree gchar *by_key = NULL, *by_attribute = NULL;

  service_fixture_open (&self, NULL);
  define (&self);
  by_key = service_fixture_run (&self, "EXPLAIN UPDATE n SET s = 'z' WHERE s = 'a' AND EXISTS "
                                       "(SELECT 1 FROM n AS m WHERE m.x = n.k AND m.k < 6)");
  if (strstr (by_key, "checked on each tuple: s = 'a' AND k IN (0, 2)") == NULL)
    g_error ("%s", by_key);
  by_attribute = service_fixture_run (
      &self, "EXPLAIN DELETE FROM n WHERE k < 3 AND x NOT IN (SELECT 1 FROM n AS m WHERE m.s > n.s "
             "AND m.k = 1)");
  if (strstr (by_attribute, "k = 1 AND x = 0 AND s = 'b'") == NULL)
    g_error ("%s", by_attribute);
  service_fixture_close (&self);
}

/* The keys may be as many as fit in sort_bytes. */
static void
test_written_many (void)
{
  const KvsqldServiceLimits tight = { .sort_bytes = 1 << 20 };
  static const gchar sql[]
      = "DELETE FROM r WHERE EXISTS (SELECT 1 FROM r AS b WHERE b.k = r.k AND b.k < 16000)";
  ServiceFixture self;

  service_fixture_open (&self, NULL);
  service_fixture_fill (&self, 16384, "v");
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_HASH;
  kvsqld_service_set_limits (self.service, &tight);
  service_fixture_assert_fails (&self, sql, KVSQL_ERROR_LIMIT,
                                "the subquery gives more than 1 MiB of values");
  kvsqld_service_set_limits (self.service, &self.limits);
  service_fixture_script (&self, sql);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
  service_fixture_assert (&self, "SELECT count(*), min(k) FROM r", "384|16000");
  service_fixture_close (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/semi-join/cold-pages", test_cold_pages);
  g_test_add_func ("/semi-join/prepared", test_prepared);
  g_test_add_func ("/semi-join/explained", test_explained);
  g_test_add_func ("/semi-join/deadline-and-kill", test_deadline_and_kill);
  g_test_add_func ("/semi-join/memory", test_memory);
  g_test_add_data_func ("/semi-join/memory-store/written", NULL, test_written);
  g_test_add_data_func ("/semi-join/rows/written", "rows", test_written);
  g_test_add_data_func ("/semi-join/rocksdb/written", "rocksdb", test_written);
  g_test_add_func ("/semi-join/checked-again", test_checked_again);
  g_test_add_func ("/semi-join/written-many", test_written_many);
  return g_test_run ();
}
