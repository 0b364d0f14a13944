/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-join-spill.c: joins whose build side does not fit into memory give the rows of those that
 * do, in the same order.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "core/plan/join-plan.h"
#include "tests/harness/service-fixture.h"
#include "tests/size.h"

#define N_ROWS 300
#define MIB ((guint64)1 << 20)
/* Of a statement that ends before it is done: time of the processor. */
#define LEAST_US (30 * 1000)
#define MOST_US (1000 * 1000)

static const gchar *const stores[] = { NULL, "rocksdb" };

/* What l and r are joined on. x and y have values with one partner, with some, with none, one value
 * that half of the rows have, and NULL. */
static const gchar *const conditions[] = {
  "l.x = r.y",
  "l.k = r.k",
  "l.x = r.y AND l.s = r.s",
  "l.x = r.y AND l.k + r.k < 400",
  "l.x = r.y AND l.s <> r.s",
  "l.x = r.d",                    /* numbers of two types */
  "l.k + r.k = 291 AND r.y <> 3", /* no equality */
};

static const gchar *const joins[] = {
  "SELECT l.k, l.x, r.k, r.s FROM l JOIN r ON ",
  "SELECT l.k, l.x, r.k, r.s FROM l LEFT JOIN r ON ",
  "SELECT l.k, l.x, r.k, r.s FROM l RIGHT JOIN r ON ",
  "SELECT l.k, l.x, r.k, r.s FROM l FULL JOIN r ON ",
  "SELECT l.k, l.s FROM l WHERE EXISTS (SELECT 1 FROM r WHERE ",
  "SELECT l.k, l.s FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE ",
  "SELECT l.k FROM l LEFT JOIN r ON ",
};

static void
append_tuples (const gchar *relation, guint n_rows, guint factor, GString *sql)
{
  for (guint i = 0; i < n_rows; i++)
    {
      guint n = i * factor % n_rows;
      g_autofree gchar *number
          = n % 9 == 0 ? g_strdup ("NULL") : g_strdup_printf ("%u", n % 2 == 0 ? 7 : n % 80);
      g_autofree gchar *text = g_strnfill (n % 40, 'a' + (gchar)(n % 3));

      if (i == 0)
        g_string_append_printf (sql, "INSERT INTO %s VALUES ", relation);
      g_string_append_printf (sql, "%s(%u, %s, %s, '%s')", i == 0 ? "" : ", ", i, number, number,
                              text);
    }
  g_string_append_c (sql, ';');
}

static void
define (ServiceFixture *self, guint n_rows)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  service_fixture_script (
      self, "DEFINE RELATION l { k INT KEY, x INT, d DECIMAL, s STRING };"
            "DEFINE PRIMARY SCHEMA l1 FOR l { TABLE 'l', ROW ordered{k}, FAMILY 'f', QUALIFIER "
            "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');"
            "DEFINE RELATION r { k INT KEY, y INT, d DECIMAL, s STRING };"
            "DEFINE PRIMARY SCHEMA r1 FOR r { TABLE 'r', ROW ordered{k}, FAMILY 'f', QUALIFIER "
            "attr_name[k], VALUE attr_value[k] } WITH (marker = x'00');");
  append_tuples ("l", n_rows, 1, sql);
  append_tuples ("r", n_rows, 11, sql);
  service_fixture_script (self, sql->str);
}

static guint
count_files (void)
{
  g_autoptr (GDir) folder = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (folder) != NULL)
    n++;
  return n;
}

static gboolean
is_spilled (ServiceFixture *self, const gchar *sql)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ANALYZE ", sql, NULL);
  g_autofree gchar *plan = service_fixture_run (self, explain);

  return strstr (plan, "bytes in temporary files") != NULL;
}

/* All statements, by each method that keeps rows. The smallest memory makes chunks of a few rows,
 * the others divide more or less often. */
static void
test_kinds (gconstpointer data)
{
  const guint n_rows = test_size (N_ROWS, N_ROWS / 2);
  const gsize sizes[] = { 256, (2 << 10) * n_rows / N_ROWS, (12 << 10) * n_rows / N_ROWS };
  guint n_spilled[G_N_ELEMENTS (sizes)] = { 0 }, n_statements = 0, n_files;
  ServiceFixture self;

  kvsql_join_forced_method = GPOINTER_TO_UINT (data);
  service_fixture_open (&self, NULL);
  define (&self, n_rows);
  n_files = count_files ();
  for (guint i = 0; i < G_N_ELEMENTS (joins); i++)
    for (guint c = 0; c < G_N_ELEMENTS (conditions); c++)
      {
        g_autofree gchar *sql = g_strdup_printf ("%s%s%s", joins[i], conditions[c],
                                                 strstr (joins[i], "EXISTS") != NULL ? ")" : ""),
                         *whole = NULL;

        kvsqld_service_set_limits (self.service, NULL);
        whole = service_fixture_run (&self, sql);
        g_assert_false (is_spilled (&self, sql));
        n_statements++;
        for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
          {
            const KvsqldServiceLimits tight
                = { .sort_bytes = sizes[s], .sort_disk_bytes = 256 * MIB };
            g_autofree gchar *got = NULL;

            kvsqld_service_set_limits (self.service, &tight);
            got = service_fixture_run (&self, sql);
            if (g_strcmp0 (got, whole) != 0)
              g_error ("%s in %" G_GSIZE_FORMAT " bytes:\n%s\nexpected\n%s", sql, sizes[s], got,
                       whole);
            n_spilled[s] += is_spilled (&self, sql);
          }
      }
  g_assert_cmpuint (n_spilled[0], ==, n_statements);
  g_assert_cmpuint (n_spilled[1], ==, n_statements);
  g_assert_cmpuint (n_spilled[2], >, 0);
  g_assert_cmpuint (count_files (), ==, n_files);
  service_fixture_close (&self);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
}

/* Of three relations: what spills is the input of what spills. */
static void
test_several (gconstpointer store)
{
  static const gchar *const statements[]
      = { "SELECT l.k, r.k, m.k FROM l LEFT JOIN r ON l.k = r.y FULL JOIN l AS m ON m.x = r.k",
          "SELECT l.k, m.k FROM l JOIN (r LEFT JOIN l AS m ON m.x = r.k) ON l.k = r.y",
          "SELECT l.k, r.k FROM l FULL JOIN r USING (k, s) WHERE l.k > 100 OR r.k < 200",
          "SELECT k, s, l.d FROM l FULL JOIN r USING (k, s)",
          "SELECT r.s, count(*) FROM l JOIN r ON l.x = r.y GROUP BY r.s ORDER BY 1",
          "SELECT count(*), sum(l.k), min(r.s) FROM l LEFT JOIN r ON l.x = r.y AND l.k < 200",
          "SELECT l.k, r.k FROM l LEFT JOIN r ON l.x = r.k ORDER BY l.k DESC" };
  const KvsqldServiceLimits tight = { .sort_bytes = 5 << 10, .sort_disk_bytes = 256 * MIB };
  ServiceFixture self;

  kvsql_join_forced_method = KVSQL_JOIN_METHOD_HASH;
  service_fixture_open (&self, store);
  define (&self, N_ROWS);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      g_autofree gchar *whole = NULL;

      kvsqld_service_set_limits (self.service, NULL);
      whole = service_fixture_run (&self, statements[i]);
      kvsqld_service_set_limits (self.service, &tight);
      service_fixture_assert (&self, statements[i], whole);
      g_assert_true (is_spilled (&self, statements[i]));
    }
  service_fixture_close (&self);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
}

/* A cursor that another daemon continues, which has more memory. */
static void
test_cold_pages (void)
{
  static const gchar sql[] = "SELECT l.k, r.k, r.s FROM l FULL JOIN r ON l.x = r.k";
  const KvsqldServiceLimits tight = { .sort_bytes = 4 << 10, .sort_disk_bytes = 256 * MIB };
  g_autofree gchar *whole = NULL, *paged = NULL;
  ServiceFixture self;
  guint n_pages;

  service_fixture_open (&self, "rocksdb");
  define (&self, N_ROWS);
  whole = service_fixture_run (&self, sql);
  kvsqld_service_set_limits (self.service, &tight);
  paged = service_fixture_run_pages (&self, sql, 100, TRUE, &n_pages);
  g_assert_cmpuint (n_pages, >, 3);
  g_assert_cmpstr (paged, ==, whole);
  service_fixture_close (&self);
}

/* ---- limits */

#define WIDE "SELECT count(*), max(b.v) FROM r AS a JOIN r AS b ON b.k = a.k"

/* Eight MiB in a statement that may have three. */
static void
test_memory (void)
{
  const KvsqldServiceLimits few
      = { .max_statement_memory = 3 * MIB, .sort_bytes = MIB, .sort_disk_bytes = 256 * MIB };
  g_autofree gchar *value = g_strnfill (1000, 'v'), *expected = g_strconcat ("8192|", value, NULL);
  ServiceFixture self;

  kvsql_join_forced_method = KVSQL_JOIN_METHOD_HASH;
  service_fixture_open (&self, NULL);
  service_fixture_fill (&self, 8192, value);
  kvsqld_service_set_limits (self.service, &few);
  service_fixture_assert (&self, WIDE, expected);
  g_assert_true (is_spilled (&self, WIDE));
  service_fixture_close (&self);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
}

static void
assert_full (ServiceFixture *self, const gchar *message)
{
  guint n_files = count_files ();

  service_fixture_assert_fails (self, WIDE, KVSQL_ERROR_LIMIT, message);
  g_assert_cmpuint (count_files (), ==, n_files);
}

static void
test_disk (void)
{
  const KvsqldServiceLimits none = { .sort_bytes = MIB },
                            few = { .sort_bytes = MIB, .sort_disk_bytes = 4 * MIB },
                            many = { .sort_bytes = MIB, .sort_disk_bytes = 256 * MIB };
  g_autofree gchar *value = g_strnfill (1000, 'v');
  struct rlimit old, small;
  ServiceFixture self;

  kvsql_join_forced_method = KVSQL_JOIN_METHOD_HASH;
  service_fixture_open (&self, NULL);
  service_fixture_fill (&self, 8192, value);
  kvsqld_service_set_limits (self.service, &none);
  assert_full (&self, "a join keeps the rows of \"b\" in memory, and they need more than 1 MiB");
  kvsqld_service_set_limits (self.service, &few);
  assert_full (&self, "the statement needs more than 4 MiB of temporary files");
  kvsqld_service_set_limits (self.service, &many);
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  small = old;
  small.rlim_cur = 4 * MIB;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  {
    g_autofree gchar *message = g_strdup_printf ("cannot write a temporary file in \"%s\": %s",
                                                 g_get_tmp_dir (), g_strerror (EFBIG));

    assert_full (&self, message);
  }
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  signal (SIGXFSZ, SIG_DFL);
  service_fixture_close (&self);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
}

/* ---- deadlines */

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

static void
assert_ends (ServiceFixture *self, const KvsqldRequest *request, const gchar *sql)
{
  gint64 began_us = get_clock_us (CLOCK_THREAD_CPUTIME_ID);
  guint n_files = count_files ();
  g_autoptr (GError) error = NULL;

  g_assert_null (
      kvsqld_service_query (self->service, request, kvsql_slice_from_text (sql), NULL, 0, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpint (get_clock_us (CLOCK_THREAD_CPUTIME_ID) - began_us, <, MOST_US);
  g_assert_cmpuint (count_files (), ==, n_files);
}

/* Chunks of one key that all rows have: each is joined with all rows of the other side. And many
 * keys, which are divided again and again. */
static void
test_deadline_and_kill (void)
{
  static const gchar *const statements[]
      = { "SELECT count(*) FROM r AS a JOIN r AS b ON b.v = a.v AND b.k + a.k < 0",
          "SELECT count(*) FROM r AS a LEFT JOIN r AS b ON b.v = a.v AND b.k + a.k < 0",
          "SELECT count(*) FROM r AS a JOIN r AS b ON b.k < a.k AND b.k + a.k < 0" };
  const KvsqldServiceLimits tight = { .sort_bytes = 4 << 10, .sort_disk_bytes = 256 * MIB };
  const KvsqldRequest hasty = { .timeout_ms = 30 };
  ServiceFixture self;

  kvsql_join_forced_method = KVSQL_JOIN_METHOD_HASH;
  service_fixture_open (&self, NULL);
  service_fixture_fill (&self, 8192, "v");
  kvsqld_service_set_limits (self.service, &tight);
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      KvsqldRequest request = { .cancellable = cancellable };
      Killer killer = { .cancellable = cancellable };
      GThread *thread;

      assert_ends (&self, &hasty, statements[i]);
      g_assert_cmpint (pthread_getcpuclockid (pthread_self (), &killer.clock), ==, 0);
      killer.at_us = get_clock_us (killer.clock) + LEAST_US;
      thread = g_thread_new ("killer", kill_statement, &killer);
      assert_ends (&self, &request, statements[i]);
      g_thread_join (thread);
    }
  service_fixture_close (&self);
  kvsql_join_forced_method = KVSQL_JOIN_METHOD_CHEAPEST;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/join-spill/kinds/hash", GUINT_TO_POINTER (KVSQL_JOIN_METHOD_HASH),
                        test_kinds);
  g_test_add_data_func ("/join-spill/kinds/nested-loop",
                        GUINT_TO_POINTER (KVSQL_JOIN_METHOD_NESTED_LOOP), test_kinds);
  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      g_autofree gchar *path
          = g_strdup_printf ("/join-spill/several/%s", stores[i] == NULL ? "memory" : stores[i]);

      g_test_add_data_func (path, stores[i], test_several);
    }
  g_test_add_func ("/join-spill/cold-pages", test_cold_pages);
  g_test_add_func ("/join-spill/memory", test_memory);
  g_test_add_func ("/join-spill/disk", test_disk);
  g_test_add_func ("/join-spill/deadline-and-kill", test_deadline_and_kill);
  return g_test_run ();
}
